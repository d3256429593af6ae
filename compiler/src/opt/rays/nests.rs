//! Loops over coordinates that go through to their end: what a round asks, it asks of a place.
//!
//! `FORALL($X, 1, 8, FORALL($Y, 1, 8, ...))` means every square. Where a table has a place for all values of such loops, another
//! place for each, a function of the coordinates becomes one of the place ([`super::place`]).

use rulec_ir::sorted::SortedMap;

use crate::ir::visit::walk_block;
use crate::ir::{
    Axis, Block, Const, Expr, ExprKind, Game, Local, LocalId, Stmt, StmtKind, TableId, Type,
};
use crate::opt::locals::{Rounds, each_assigned, rounds};
use crate::source::Span;

use super::made::Made;

/// Places of all rounds of a nest.
const MOST_ROUNDS: i64 = 1024;

/// Gives calls of the functions that are `wanted` in rounds of loops the place that their arguments tell.
pub(super) fn give_places(game: &mut Game, wanted: &[bool], made: &mut Made<'_>) {
    for index in 0..game.functions.len() {
        let loops = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For { .. });
        let mut some = false;
        walk_block(&game.functions[index].body, &mut |stmt| some |= loops(stmt));
        if !some {
            continue;
        }
        let mut body = std::mem::take(&mut game.functions[index].body);
        let mut nest = Nest {
            once: assigned_once(&body),
            locals: std::mem::take(&mut game.functions[index].locals),
            game,
            wanted,
            made,
            loops: Vec::new(),
            told: SortedMap::new(),
        };
        nest.block(&mut body);
        let locals = nest.locals;
        let function = &mut game.functions[index];
        (function.body, function.locals) = (body, locals);
    }
}

fn assigned_once(body: &Block) -> SortedMap<LocalId, bool> {
    let mut once = SortedMap::new();
    walk_block(body, &mut |stmt| {
        each_assigned(stmt, &mut |local| {
            let known = once.contains_key(&local);
            once.insert(local, !known);
        });
    });
    once
}

struct Nest<'a, 'm, 'g> {
    game: &'a mut Game,
    wanted: &'a [bool],
    made: &'m mut Made<'g>,
    locals: Vec<Local>,
    /// Whether a variable gets a value in one place only.
    once: SortedMap<LocalId, bool>,
    /// The loops around.
    loops: Vec<Rounds>,
    /// The variables that have the value of one of them.
    told: SortedMap<LocalId, LocalId>,
}

impl Nest<'_, '_, '_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(block) {
            self.learn(&stmt);
            match whole(&stmt) {
                Some(own) => {
                    self.loops.push(own);
                    stmt.blocks_mut(&mut |inner| self.block(inner));
                    self.loops.pop();
                }
                None if leaves_loops(&stmt) => {
                    let around = std::mem::take(&mut self.loops);
                    stmt.blocks_mut(&mut |inner| self.block(inner));
                    self.loops = around;
                }
                None => stmt.blocks_mut(&mut |inner| self.block(inner)),
            }
            block.extend(self.place(&mut stmt));
            block.push(stmt);
        }
    }

    fn learn(&mut self, stmt: &Stmt) {
        let StmtKind::Let(local, value) = &stmt.kind else {
            return;
        };
        let from = match &value.kind {
            ExprKind::ToWrap(inner) => &inner.kind,
            other => other,
        };
        if let ExprKind::Local(from) = from
            && self.loops.iter().any(|(own, ..)| own == from)
            && self.once.get(local) == Some(&true)
        {
            self.told.insert(*local, *from);
        }
    }

    /// Gives a call the place that its arguments tell, if they do; what is to run before it.
    fn place(&mut self, stmt: &mut Stmt) -> Option<Stmt> {
        let span = stmt.span;
        let StmtKind::Call { func, args, .. } = &mut stmt.kind else {
            return None;
        };
        if self.wanted.get(func.index()) != Some(&true) {
            return None;
        }
        let asked: Vec<Option<LocalId>> = args.iter().map(|arg| self.source(arg)).collect();
        let told = self
            .loops
            .iter()
            .filter(|(own, ..)| asked.contains(&Some(*own)));
        let told: Vec<Rounds> = told.copied().collect();
        let types: Vec<Type> = args.iter().map(|arg| arg.ty.clone()).collect();
        let (table, tables) = self.tables(&told, &asked, &types)?;
        let target = self.made.target(self.game, &(*func, tables));
        let place = self.lookup(table, &told, span);
        let local = LocalId::from(self.locals.len());
        self.locals.push(Local {
            name: "place".to_owned(),
            ty: place.ty.clone(),
        });
        let given = Expr::local(local, place.ty.clone(), span);
        let others = args.iter().zip(&asked).filter(|(_, asked)| asked.is_none());
        let others: Vec<Expr> = others.map(|(arg, _)| arg.clone()).collect();
        (*func, *args) = (target, std::iter::once(given).chain(others).collect());
        Some(Stmt::new(StmtKind::Let(local, place), span))
    }

    /// The loop whose variable an argument is.
    fn source(&self, arg: &Expr) -> Option<LocalId> {
        let ExprKind::Local(local) = &arg.kind else {
            return None;
        };
        let own = self.loops.iter().any(|(own, ..)| own == local);
        own.then_some(*local)
            .or_else(|| self.told.get(local).copied())
    }

    /// A table that has another place for all values of some loops, and for each argument that is one of them the table that tells
    /// it of the place.
    fn tables(
        &self,
        told: &[Rounds],
        asked: &[Option<LocalId>],
        types: &[Type],
    ) -> Option<(TableId, Vec<Option<TableId>>)> {
        let count = told.iter().try_fold(1i64, |all, (_, lo, hi)| {
            all.checked_mul(hi - lo + 1)
                .filter(|all| *all <= MOST_ROUNDS)
        })?;
        if told.is_empty() || count < 1 {
            return None;
        }
        let all = (0..self.game.tables.len()).map(TableId::from);
        all.into_iter().find_map(|table| {
            let places = self.places(table, told)?;
            let tables = asked.iter().zip(types).map(|(asked, ty)| {
                let Some(own) = asked else { return Some(None) };
                let axis = told.iter().position(|(local, ..)| local == own)?;
                self.telling(table, &places, axis, ty).map(Some)
            });
            Some((table, tables.collect::<Option<_>>()?))
        })
    }

    /// The places that a table has for all values of some loops, with the values; nothing where it has one twice, or none.
    fn places(&self, table: TableId, told: &[Rounds]) -> Option<Vec<(u32, Vec<i64>)>> {
        let table = self.game.table(table);
        if table.axes.len() != told.len() || domain_of(&table.ty).is_none() {
            return None;
        }
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for (axis, (_, lo, hi)) in table.axes.iter().zip(told) {
            match axis {
                Axis::Range {
                    lo: least,
                    hi: most,
                } if least <= lo && hi <= most => {}
                _ => return None,
            }
            let more = |known: Vec<i64>| {
                (*lo..=*hi).map(move |value| known.iter().copied().chain([value]).collect())
            };
            all = all.into_iter().flat_map(more).collect();
        }
        let mut places: SortedMap<u32, Vec<i64>> = SortedMap::new();
        for values in all {
            let index: Vec<Const> = values.iter().map(|value| Const::Int(*value)).collect();
            let index: Vec<&Const> = index.iter().collect();
            let Const::Elem(place) = crate::ir::value::lookup(self.game, table, &index)? else {
                return None;
            };
            if places.insert(*place, values).is_some() {
                return None;
            }
        }
        Some(places.into_iter().collect())
    }

    /// The table that tells one of the values of a place.
    fn telling(
        &self,
        table: TableId,
        places: &[(u32, Vec<i64>)],
        axis: usize,
        ty: &Type,
    ) -> Option<TableId> {
        let domain = domain_of(&self.game.table(table).ty)?;
        let tells = |id: &TableId| {
            let table = self.game.table(*id);
            table.axes == [Axis::Domain(domain)]
                && table.ty == *ty
                && places.iter().all(|(place, values)| {
                    table.values.get(*place as usize) == Some(&Const::Int(values[axis]))
                })
        };
        (0..self.game.tables.len()).map(TableId::from).find(tells)
    }

    fn lookup(&self, table: TableId, told: &[Rounds], span: Span) -> Expr {
        let index = told.iter().map(|(local, ..)| {
            let ty = self.locals[local.index()].ty.clone();
            Expr::local(*local, ty, span)
        });
        let place = Expr::lookup(self.game, table, index.collect(), span);
        match place.ty {
            Type::Opt(_) => place.get(),
            _ => place,
        }
    }
}

fn domain_of(ty: &Type) -> Option<crate::ir::DomainId> {
    match ty {
        Type::Elem(domain) | Type::Opt(domain) => Some(*domain),
        _ => None,
    }
}

/// The rounds of a loop that goes through to its end.
fn whole(stmt: &Stmt) -> Option<Rounds> {
    let mut leaves = false;
    walk_block(std::slice::from_ref(stmt), &mut |stmt| {
        leaves |= matches!(
            stmt.kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)
        );
    });
    rounds(stmt).filter(|_| !leaves)
}

/// Whether what stands inside does not run once for each round around.
fn leaves_loops(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } | StmtKind::Choose(_)
    )
}
