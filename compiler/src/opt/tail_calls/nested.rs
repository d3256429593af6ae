//! Recursive functions that others call which are recursive, too.
//!
//! How deep calls are nested is then no longer told by the rounds of one loop: the inner functions, and those through which the
//! outer ones call them, are told it as a further argument.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::walk::{each_stmt_mut, rewrite_block, uses};
use crate::ir::{Block, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, StmtKind, Type};

use super::{
    calls_in_block, charge_callers, is_called_by_statements, looped, partner, rename_block, retire,
    statements_that_call,
};

/// Turns recursive functions of which some call others into loops: all that have to do with each other, or none of them.
pub(super) fn run(game: &mut Game) {
    let effects = Effects::of(game);
    let mut cycles = cycles(game, &effects);
    while let Some(first) = cycles.pop() {
        let mut group = vec![first];
        let mut at = 0;
        while let Some(&Cycle { func, .. }) = group.get(at) {
            let calls = |one: FuncId, other: FuncId| effects.reaches(one).contains(&other);
            group.extend(cycles.extract_if(.., |other| {
                calls(func, other.func) || calls(other.func, func)
            }));
            at += 1;
        }
        group.sort_by_key(|cycle| (effects.reaches(cycle.func).len(), cycle.func));
        group.reverse();
        if let Some(changed) =
            Group::of(game, &effects, &group).and_then(|group| group.looped(game))
        {
            *game = changed;
        }
    }
}

/// A function that calls itself, or by turns with a partner.
#[derive(Clone, Copy)]
struct Cycle {
    func: FuncId,
    partner: Option<FuncId>,
}

/// The recursive functions, without the partners of others.
fn cycles(game: &Game, effects: &Effects) -> Vec<Cycle> {
    let mut cycles: Vec<Cycle> = Vec::new();
    for func in (0..game.functions.len()).map(FuncId::from) {
        let partner = partner(game, effects, func);
        let known = |cycle: &Cycle| cycle.partner == Some(func);
        if effects.is_recursive(func) && !cycles.iter().any(known) {
            cycles.push(Cycle { func, partner });
        }
    }
    let partners: Vec<FuncId> = cycles.iter().filter_map(|cycle| cycle.partner).collect();
    cycles.retain(|cycle| !partners.contains(&cycle.func));
    cycles
}

/// Functions of which some call others.
struct Group<'a> {
    /// The outer ones first.
    cycles: &'a [Cycle],
    /// The functions that are told how deep calls are nested.
    told: SortedSet<FuncId>,
}

impl<'a> Group<'a> {
    fn of(game: &Game, effects: &Effects, cycles: &'a [Cycle]) -> Option<Group<'a>> {
        let reaches = |one: FuncId, other: FuncId| effects.reaches(one).contains(&other);
        let is_in = |func: FuncId| {
            let mut cycles = cycles.iter();
            cycles.any(|cycle| cycle.func == func || cycle.partner == Some(func))
        };
        let inner = |func: FuncId| {
            let mut others = cycles.iter().filter(|other| other.func != func);
            others.any(|other| reaches(other.func, func))
        };
        let mut told = SortedSet::new();
        for func in (0..game.functions.len()).map(FuncId::from) {
            let own = cycles.iter().any(|cycle| cycle.func == func);
            let between = || {
                let mut callers = cycles.iter();
                let mut called = cycles.iter();
                !is_in(func)
                    && callers.any(|caller| reaches(caller.func, func))
                    && called.any(|called| reaches(func, called.func))
            };
            if own && inner(func) || !own && between() {
                told.insert(func);
            }
        }
        // Whoever calls a recursive function by turns with others is one of a cycle of them.
        let known = |func: &FuncId| !effects.is_recursive(*func) || is_in(*func);
        let mut called = cycles.iter().flat_map(|cycle| effects.reaches(cycle.func));
        let fine = told.iter().all(|func| is_called(game, *func)) && called.all(known);
        (cycles.len() > 1 && fine).then_some(Group { cycles, told })
    }

    /// The game with loops instead of all of these.
    fn looped(&self, game: &Game) -> Option<Game> {
        let mut game = game.clone();
        for func in &self.told {
            add_parameter(&mut game.functions[func.index()]);
        }
        for cycle in self.cycles {
            if !is_called_by_statements(&game, cycle.func) {
                return None;
            }
            let looped = looped(&game, cycle.func, cycle.partner, &self.told)?;
            game.functions[cycle.func.index()] = looped;
            if let Some(partner) = cycle.partner {
                retire(&mut game.functions[partner.index()]);
            }
        }
        for (index, function) in game.functions.iter_mut().enumerate() {
            let func = FuncId::from(index);
            if !self.cycles.iter().any(|cycle| cycle.func == func) {
                let own = parameter(function).filter(|_| self.told.contains(&func));
                let nested = match own {
                    Some(local) => Expr::local(local, Type::INT, function.span),
                    None => Expr::int(0, function.span),
                };
                tell(&mut function.body, &self.told, &nested);
            }
        }
        for cycle in self.cycles {
            charge_callers(&mut game, cycle.func, self.told.contains(&cycle.func));
        }
        Some(game)
    }
}

/// Whether everything that names a function is a call of it in a function.
fn is_called(game: &Game, func: FuncId) -> bool {
    let functions = game.functions.iter();
    let in_expressions: usize = functions
        .map(|function| calls_in_block(&function.body, func))
        .sum();
    uses(game, func) == statements_that_call(game, func) + in_expressions
}

/// The parameter that tells how deep calls are nested.
pub(super) fn parameter(function: &Function) -> Option<LocalId> {
    function.params.checked_sub(1).map(LocalId::from)
}

/// Adds that parameter, as the last one.
fn add_parameter(function: &mut Function) {
    let at = function.params;
    rename_block(&mut function.body, &mut |local| {
        LocalId::from(local.index() + usize::from(local.index() >= at))
    });
    let nested = Local {
        name: String::from("nested"),
        ty: Type::INT,
    };
    function.locals.insert(at, nested);
    function.params += 1;
}

/// Tells those that a block calls how deep calls are nested.
pub(super) fn tell(block: &mut Block, told: &SortedSet<FuncId>, nested: &Expr) {
    rewrite_block(block, &mut |expr| {
        if let ExprKind::Call(func, args) = &mut expr.kind
            && told.contains(func)
        {
            args.push(nested.clone().at(expr.span));
        }
    });
    each_stmt_mut(block, &mut |stmt| {
        if let StmtKind::Call { func, args, .. } = &mut stmt.kind
            && told.contains(func)
        {
            args.push(nested.clone().at(stmt.span));
        }
    });
}
