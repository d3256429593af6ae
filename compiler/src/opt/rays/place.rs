//! Functions of a place instead of functions of its coordinates.
//!
//! Rules look up what a place tells (its column and its row) and hand that on. Where all of it comes from one place, a function
//! of that place takes over: it looks up the same and asks the first one.

use rulec_ir::sorted::SortedMap;

use crate::ir::{
    Axis, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind, TableId, Type,
};
use crate::opt::locals::each_assigned;
use crate::opt::tables::free_name;

use super::made::{Made, Meaning};
use super::{nests, repeats};

/// Gives calls of the functions that are `wanted` the place that their arguments come from.
pub(in crate::opt) fn give_places(game: &mut Game, wanted: &[bool], made: &mut Made<'_>) {
    for index in 0..game.functions.len() {
        let known = told(game, index);
        if known.is_empty() {
            continue;
        }
        let mut body = std::mem::take(&mut game.functions[index].body);
        crate::ir::walk::each_stmt_mut(&mut body, &mut |stmt| {
            let StmtKind::Call { func, args, .. } = &mut stmt.kind else {
                return;
            };
            if !wanted.get(func.index()).is_some_and(|wanted| *wanted) {
                return;
            }
            let tables: Vec<_> = args.iter().map(|arg| source(&known, arg)).collect();
            let mut places = tables.iter().flatten().map(|(place, _)| *place);
            let Some(place) = places.next() else { return };
            if places.any(|other| other != place) {
                return;
            }
            let ty = game.functions[index].locals[place.index()].ty.clone();
            let tables: Vec<_> = tables.into_iter().map(|known| Some(known?.1)).collect();
            let mut others: Vec<Expr> = args
                .iter()
                .zip(&tables)
                .filter(|(_, table)| table.is_none())
                .map(|(arg, _)| arg.clone())
                .collect();
            let target = made.target(game, &(*func, tables));
            others.insert(0, Expr::local(place, ty, stmt.span));
            *func = target;
            *args = others;
        });
        game.functions[index].body = body;
    }
}

/// Gives calls of functions that look around the place that their arguments come from.
pub(super) fn give_places_to_walks(game: &mut Game) {
    let effects = crate::ir::effects::Effects::of(game);
    let walks = |func: FuncId| {
        let mut all = effects.reaches(func).iter().chain([&func]);
        all.any(|func| repeats(game, &effects, *func)) && effects.function(func).is_guard()
    };
    let wanted: Vec<bool> = (0..game.functions.len())
        .map(|func| walks(FuncId::from(func)))
        .collect();
    let mut made = Made::by(&asking);
    give_places(game, &wanted, &mut made);
    nests::give_places(game, &wanted, &mut made);
}

/// The local variables that are what a table says of a parameter, whenever they are read.
pub(in crate::opt) fn told(game: &Game, index: usize) -> SortedMap<LocalId, (LocalId, TableId)> {
    let function = &game.functions[index];
    let mut times: SortedMap<LocalId, usize> = SortedMap::new();
    crate::ir::visit::walk_block(&function.body, &mut |stmt| {
        each_assigned(stmt, &mut |local| *times.entry(local).or_default() += 1);
    });
    let mut known = SortedMap::new();
    for stmt in &function.body {
        if let StmtKind::Let(local, value) = &stmt.kind
            && times.get(local) == Some(&1)
            && local.index() >= function.params
            && let ExprKind::Lookup(table, at) = &value.kind
            && let [place] = &at[..]
            && let ExprKind::Local(place) = place.kind
            && place.index() < function.params
            && !times.contains_key(&place)
            && let Type::Elem(domain) = function.local(place).ty
            && game.table(*table).axes == [Axis::Domain(domain)]
            && value.ty == function.local(*local).ty
        {
            known.insert(*local, (place, *table));
        }
    }
    known
}

pub(in crate::opt) fn source(
    known: &SortedMap<LocalId, (LocalId, TableId)>,
    arg: &Expr,
) -> Option<(LocalId, TableId)> {
    match &arg.kind {
        ExprKind::Local(local) => known.get(local).copied(),
        _ => None,
    }
}

/// A function of a place that looks up what tables tell of it, and asks.
fn asking(game: &Game, (func, tables): &Meaning, ty: Type) -> Function {
    let asked = game.function(*func);
    let span = asked.span;
    let mut locals = vec![Local {
        name: "place".to_owned(),
        ty: ty.clone(),
    }];
    let mut args = Vec::new();
    for (param, table) in asked.locals.iter().zip(tables) {
        args.push(match table {
            Some(table) => {
                let place = Expr::local(LocalId(0), ty.clone(), span);
                Expr::lookup(game, *table, vec![place], span)
            }
            None => {
                locals.push(param.clone());
                Expr::local(LocalId::from(locals.len() - 1), param.ty.clone(), span)
            }
        });
    }
    let params = locals.len();
    let mut body = Vec::new();
    match &asked.ret {
        Some(ret) => {
            locals.push(Local {
                name: "value".to_owned(),
                ty: ret.clone(),
            });
            let value = LocalId::from(params);
            body.push(Stmt::call(*func, args, Some(value), span));
            body.push(Stmt::give(Expr::local(value, ret.clone(), span)));
        }
        None => body.push(Stmt::call(*func, args, None, span)),
    }
    let names = game.functions.iter().map(|other| other.name.as_str());
    Function {
        name: free_name(&format!("{} at", asked.name), names),
        params,
        locals,
        ret: asked.ret.clone(),
        body,
        doc: asked.doc.clone(),
        span,
    }
}
