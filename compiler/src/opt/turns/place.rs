//! Functions of a place instead of functions of its coordinates.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::value;
use crate::ir::walk::rewrite_block;
use crate::ir::{
    Axis, Const, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, TableId, Type,
};
use crate::opt::locals::rename_block;
use crate::opt::rays;
use crate::opt::rays::made::{Made, Meaning};
use crate::opt::rays::place::{source, told};
use crate::opt::tables::free_name;

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
    rays::place::give_places(game, &wanted, &mut Made::by(&of_place));
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
    let new: SortedMap<LocalId, LocalId> = order
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
pub(super) fn use_place(game: &mut Game, func: FuncId, place: LocalId, places: &SortedSet<u32>) {
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
