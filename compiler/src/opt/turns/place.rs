//! Functions of a place instead of functions of its coordinates.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::effects::Effects;
use crate::ir::value;
use crate::ir::walk::{each_stmt_mut, rewrite_block};
use crate::ir::{
    Axis, Const, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind, TableId,
    Type,
};
use crate::opt::locals::rename_block;
use crate::opt::rays::place::{source, told};
use crate::opt::tables::free_name;

/// A function, and for each of its parameters the table that tells it, or nothing.
type Meaning = (FuncId, Vec<Option<TableId>>);

/// Gives calls of functions that write variables of pieces the place that their arguments come from.
pub(super) fn give_places(game: &mut Game) {
    let effects = Effects::of(game);
    let writes = |func: FuncId| {
        let effect = effects.function(func);
        let mut vars = effect.writes.vars.iter();
        let placements = &game.placements;
        vars.any(|var| {
            placements
                .iter()
                .any(|p| game.var(*var).axes == [Axis::Domain(p.pieces)])
        }) && !effect.suspends
            && !effects.is_recursive(func)
    };
    let wanted: Vec<bool> = (0..game.functions.len())
        .map(|func| writes(FuncId::from(func)))
        .collect();
    let mut made: Vec<(Meaning, FuncId)> = Vec::new();
    for index in 0..game.functions.len() {
        let known = told(game, index);
        if known.is_empty() {
            continue;
        }
        let mut body = std::mem::take(&mut game.functions[index].body);
        each_stmt_mut(&mut body, &mut |stmt| {
            let StmtKind::Call { func, args, .. } = &mut stmt.kind else {
                return;
            };
            if !wanted.get(func.index()).is_some_and(|wanted| *wanted) || func.index() == index {
                return;
            }
            give_place(game, index, &known, &mut made, (func, args));
        });
        game.functions[index].body = body;
    }
}

fn give_place(
    game: &mut Game,
    caller: usize,
    known: &BTreeMap<LocalId, (LocalId, TableId)>,
    made: &mut Vec<(Meaning, FuncId)>,
    (func, args): (&mut FuncId, &mut Vec<Expr>),
) {
    let sources: Vec<_> = args.iter().map(|arg| source(known, arg)).collect();
    let mut places = sources.iter().flatten().map(|(place, _)| *place);
    let Some(place) = places.next() else { return };
    if places.any(|other| other != place) {
        return;
    }
    let local = game.functions[caller].locals[place.index()].clone();
    let tables: Vec<Option<TableId>> = sources.iter().map(|known| Some((*known)?.1)).collect();
    let mut others: Vec<Expr> = args
        .iter()
        .zip(&tables)
        .filter(|(_, table)| table.is_none())
        .map(|(arg, _)| arg.clone())
        .collect();
    let meaning = (*func, tables);
    let target = match made.iter().find(|(other, _)| *other == meaning) {
        Some((_, target)) => *target,
        None => {
            let function = of_place(game, &meaning, local.ty.clone());
            game.functions.push(function);
            let target = FuncId::from(game.functions.len() - 1);
            made.push((meaning, target));
            target
        }
    };
    let span = game.function(*func).span;
    others.insert(0, Expr::local(place, local.ty, span));
    *func = target;
    *args = others;
}

/// The function with a place as its first parameter, instead of those that tables tell of it.
fn of_place(game: &Game, (func, tables): &Meaning, ty: Type) -> Function {
    let asked = game.function(*func);
    let span = asked.span;
    let table = |local: usize| tables.get(local).copied().flatten();
    let kept = (0..asked.params).filter(|param| table(*param).is_none());
    let inner = (0..asked.params).filter(|param| table(*param).is_some());
    let inner = inner.chain(asked.params..asked.locals.len());
    let order: Vec<usize> = kept.chain(inner).collect();
    let mut locals = vec![Local {
        name: "place".to_owned(),
        ty: ty.clone(),
    }];
    locals.extend(order.iter().map(|old| asked.locals[*old].clone()));
    let new: BTreeMap<LocalId, LocalId> = order
        .iter()
        .enumerate()
        .map(|(at, old)| (LocalId::from(*old), LocalId::from(at + 1)))
        .collect();
    let renamed = |local: LocalId| new.get(&local).copied().unwrap_or(local);
    let mut body = asked.body.clone();
    rename_block(&mut body, &mut |local| renamed(local));
    let given = (0..asked.params).filter_map(|param| {
        let place = Expr::local(LocalId(0), ty.clone(), span);
        let value = Expr::lookup(game, table(param)?, vec![place], span);
        Some(Stmt::assign(renamed(LocalId::from(param)), value))
    });
    let names = game.functions.iter().map(|other| other.name.as_str());
    Function {
        name: free_name(&format!("{} at", asked.name), names),
        params: asked.params - tables.iter().flatten().count() + 1,
        locals,
        ret: asked.ret.clone(),
        body: given.chain(body).collect(),
        doc: asked.doc.clone(),
        span,
    }
}

/// Uses the place itself where tables lead back to it from what other tables tell of it.
pub(super) fn use_place(game: &mut Game, func: FuncId, place: LocalId, places: &BTreeSet<u32>) {
    let known = told(game, func.index());
    let back = |game: &Game, expr: &Expr| {
        let ExprKind::Lookup(table, index) = &expr.kind else {
            return false;
        };
        let sources = index.iter().map(|index| source(&known, index));
        let Some(sources) = sources.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let leads = |at: &u32| {
            let of = |(from, table): &(LocalId, TableId)| {
                let values = &game.table(*table).values;
                values.get(*at as usize).filter(|_| *from == place)
            };
            let index: Option<Vec<&Const>> = sources.iter().map(of).collect();
            let found = index.and_then(|index| value::lookup(game, game.table(*table), &index));
            found == Some(&Const::Elem(*at))
        };
        !sources.is_empty() && places.iter().all(leads)
    };
    let ty = game.function(func).local(place).ty.clone();
    let mut body = std::mem::take(&mut game.functions[func.index()].body);
    rewrite_block(&mut body, &mut |expr| {
        let fits =
            matches!((&expr.ty, &ty), (Type::Elem(a) | Type::Opt(a), Type::Elem(b)) if a == b);
        if fits && back(game, expr) {
            let own = Expr::local(place, ty.clone(), expr.span);
            *expr = match expr.ty {
                Type::Opt(_) => own.some(),
                _ => own,
            };
        }
    });
    game.functions[func.index()].body = body;
}
