//! Targets that a table lists for each place, as candidates of their own.
//!
//! A move from a place to a member of a row of a table has one group of parameters, whose candidates are gone through one by one.
//! Where a guard asks nothing of source and target together, what it asks of each is a set, and the row is all that is left to
//! test: a set of targets for each source ([`super::related`]).

use rulec_ir::sorted::SortedSet;

use super::{Generator, Options};
use crate::ir::{
    BinaryOp, Const, Expr, Family, FamilyId, FuncId, Function, Game, Local, LocalId, Param,
    ParamSource, Stmt, Type,
};
use crate::quotient::Quotient;

/// The game with targets as candidates of their own in each family that has a set of targets for each source then; nothing if
/// there is none.
pub(super) fn with_targets_apart(
    game: &Game,
    quotient: Option<&Quotient>,
    options: &Options,
) -> Option<Game> {
    let wanted: Vec<FamilyId> = (0..game.families.len())
        .map(FamilyId::from)
        .filter(|family| listed_target(game, game.family(*family)).is_some())
        .collect();
    if wanted.is_empty() {
        return None;
    }
    let mut all = game.clone();
    wanted
        .iter()
        .for_each(|family| set_apart(&mut all, *family));
    let generator = Generator::new(&all, quotient, options, &SortedSet::new()).ok()?;
    let plans = generator.plans();
    let profits = |family: &&FamilyId| {
        let plan = plans.get(family.index()).and_then(Option::as_ref);
        plan.is_some_and(|fast| generator.related(all.family(**family), fast).is_some())
    };
    let profiting: Vec<FamilyId> = wanted.iter().filter(profits).copied().collect();
    if profiting.is_empty() {
        return None;
    }
    let mut apart = game.clone();
    profiting
        .iter()
        .for_each(|family| set_apart(&mut apart, *family));
    Some(apart)
}

/// The targets of a family whose last parameter is in a row of a table by the place before it, which follows from a piece.
fn listed_target(game: &Game, family: &Family) -> Option<(usize, Expr)> {
    let plain = family.context.is_empty() && family.after.is_none() && family.rank.is_none();
    let ([.., place, target], true) = (&family.params[..], plain) else {
        return None;
    };
    let (ParamSource::Is(_), &ParamSource::Listed { by, table }) = (&place.source, &target.source)
    else {
        return None;
    };
    let at = family.params.len() - 2;
    let sets =
        matches!((&game.table(table).ty, &target.ty), (Type::Set(a), Type::Elem(b)) if a == b);
    (by == at && sets).then(|| {
        let place = Expr::local(LocalId::from(at), place.ty.clone(), family.span);
        let row = Expr::lookup(game, table, vec![place], family.span);
        (at + 1, row)
    })
}

/// Makes the targets of a family candidates of their own, and a condition of which of them belongs to which source.
fn set_apart(game: &mut Game, id: FamilyId) {
    let family = game.family(id);
    let Some((target, row)) = listed_target(game, family) else {
        return;
    };
    let member = Expr::local(
        LocalId::from(target),
        family.params[target].ty.clone(),
        family.span,
    );
    let fits = Expr::binary(BinaryOp::In, member, row);
    let ParamSource::Listed { table, .. } = family.params[target].source else {
        return;
    };
    let rows = game.table(table).values.iter().filter_map(|row| match row {
        Const::Set(row) => Some(row),
        _ => None,
    });
    let targets: SortedSet<u32> = rows.flatten().copied().collect();
    let guard = guard_with(game, family, fits);
    let guard_id = FuncId::from(game.functions.len());
    game.functions.push(guard);
    let family = &mut game.families[id.index()];
    family.guard = Some(guard_id);
    family.params[target].source = ParamSource::Among(targets.into_iter().collect());
}

/// The guard of a family with one more condition before it.
fn guard_with(game: &Game, family: &Family, cond: Expr) -> Function {
    let span = family.span;
    let local = |param: &Param| Local {
        name: param.name.clone(),
        ty: param.ty.clone(),
    };
    match family.guard.map(|guard| game.function(guard)) {
        Some(guard) => {
            let reject = Stmt::give(Expr::bool(false, span));
            let mut guard = guard.clone();
            guard.name = format!("{} of a pair", guard.name);
            guard
                .body
                .insert(0, Stmt::branch(cond.not(), vec![reject], Vec::new()));
            guard
        }
        None => Function {
            name: format!("{} guard of a pair", family.name),
            params: family.params.len(),
            locals: family.params.iter().map(local).collect(),
            ret: Some(Type::Bool),
            body: vec![Stmt::give(cond)],
            doc: String::new(),
            span,
        },
    }
}
