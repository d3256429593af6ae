//! Moves of several families that do the same.
//!
//! A rule for steps straight ahead and one for those aside are two families whose moves may do the same to a position. Where
//! nobody looks at the family of a move, as in a random game, such families are one. What is known of a piece that their moves
//! bring somewhere is what is known of all of them, so that no more than that tells them apart.

use rulec_ir::sorted::SortedSet;

use super::Generator;
use crate::ir::effects::without_calls;
use crate::ir::same::placeless;
use crate::ir::visit::walk_block;
use crate::ir::walk::rewrite_block;
use crate::ir::{Arm, Arrival, Block, ExprKind, FuncId, Game, Local, Point, Stmt, StmtKind, Type};
use crate::source::Span;

/// Functions that call each other so deep are not compared.
const MOST_DEEP: usize = 8;

impl Generator<'_> {
    /// Whether the moves of two arms of a decision do the same, given the same arguments.
    pub(super) fn do_the_same(&self, one: &Arm, other: &Arm) -> bool {
        let plain = |arm: &Arm| arm.given.is_empty();
        let types = |arm: &Arm| -> Vec<Type> {
            let bound = arm.bind.iter();
            bound
                .map(|local| self.machine.locals[local.index()].ty.clone())
                .collect()
        };
        if one.bind.len() != other.bind.len() || types(one) != types(other) {
            return false;
        }
        // What holds an argument may have another number.
        let mut body = other.body.clone();
        rewrite_block(&mut body, &mut |expr| {
            if let ExprKind::Local(local) = &mut expr.kind
                && let Some(at) = other.bind.iter().position(|bound| bound == local)
            {
                *local = one.bind[at];
            }
        });
        plain(one)
            && plain(other)
            && self.are_alike(&one.body, &body, MOST_DEEP)
            && !self.tell_apart(&self.machine.locals, &one.body, &body)
    }

    /// Whether a fault can tell by its place in the rules which of two alike blocks was run: what both call cannot.
    fn tell_apart(&self, locals: &[Local], one: &[Stmt], other: &[Stmt]) -> bool {
        let (calls, others) = (plain_calls(one), plain_calls(other));
        let told = |(func, other): (&FuncId, &FuncId)| {
            let (one, other) = (self.game.function(*func), self.game.function(*other));
            match self.effects.is_recursive(*func) {
                true => self.effects.function(*func).may_fault,
                false => self.tell_apart(&one.locals, &one.body, &other.body),
            }
        };
        let mut apart = calls
            .iter()
            .zip(&others)
            .filter(|(func, other)| func != other || self.effects.is_recursive(**func));
        let own = without_calls(one);
        self.effects.block(self.game, locals, &own).may_fault || apart.any(told)
    }

    pub(super) fn are_alike(&self, one: &[Stmt], other: &[Stmt], deep: usize) -> bool {
        let (one, other) = (Plain::of(one), Plain::of(other));
        let mut pairs = one.calls.iter().zip(&other.calls);
        one.block == other.block
            && one.calls.len() == other.calls.len()
            && pairs.all(|(one, other)| self.functions_are_alike(*one, *other, deep))
    }

    fn functions_are_alike(&self, one: FuncId, other: FuncId, deep: usize) -> bool {
        if one == other {
            return true;
        }
        let Some(deep) = deep.checked_sub(1) else {
            return false;
        };
        let (one, other) = (self.game.function(one), self.game.function(other));
        let mut locals = one.locals.iter().zip(&other.locals);
        one.params == other.params
            && one.ret == other.ret
            && one.locals.len() == other.locals.len()
            && locals.all(|(one, other)| one.ty == other.ty)
            && self.are_alike(&one.body, &other.body, deep)
    }
}

/// Statements without their places in the rules, and without the functions that they call, which stand apart in their order.
struct Plain {
    block: Block,
    calls: Vec<FuncId>,
}

impl Plain {
    fn of(block: &[Stmt]) -> Plain {
        let mut plain = Plain {
            block: block.to_vec(),
            calls: Vec::new(),
        };
        let calls = &mut plain.calls;
        rewrite_block(&mut plain.block, &mut |expr| {
            *expr = placeless(expr);
            if let ExprKind::Call(func, _) = &mut expr.kind {
                calls.push(std::mem::replace(func, FuncId(0)));
            }
        });
        strip(&mut plain.block, &mut plain.calls);
        plain
    }
}

/// The functions that statements call, in their order.
fn plain_calls(block: &[Stmt]) -> Vec<FuncId> {
    let mut calls = Vec::new();
    walk_block(block, &mut |stmt| {
        if let StmtKind::Call { func, .. } = &stmt.kind {
            calls.push(*func);
        }
    });
    calls
}

fn strip(block: &mut Block, calls: &mut Vec<FuncId>) {
    for stmt in block {
        stmt.span = Span::default();
        if let StmtKind::Call { func, .. } = &mut stmt.kind {
            calls.push(std::mem::replace(func, FuncId(0)));
        }
        stmt.blocks_mut(&mut |inner| strip(inner, calls));
    }
}

/// The game in which moves that do the same, but for the places that pieces come to, know the places of all of them; nothing if
/// there are no such moves.
pub(super) fn with_arrivals_joined(game: &Game) -> Option<Game> {
    let mut joined: Option<Game> = None;
    for point in &game.machine.as_ref()?.points {
        let Point::Choose(choose) = point else {
            continue;
        };
        let called: SortedSet<FuncId> = choose
            .arms
            .iter()
            .flat_map(|arm| Plain::of(&arm.body).calls)
            .collect();
        let mut alike: Vec<Bringing> = Vec::new();
        for func in called {
            let Some(found) = Bringing::of(game, func) else {
                continue;
            };
            match alike.iter_mut().find(|known| known.bare == found.bare) {
                Some(known) => known.join(found),
                None => alike.push(found),
            }
        }
        for group in alike.iter().filter(|group| group.functions.len() > 1) {
            let game = joined.get_or_insert_with(|| game.clone());
            for func in &group.functions {
                let mut places = group.places.iter();
                each_arrival(&mut game.functions[func.index()].body, &mut |arrival| {
                    arrival.to = places.next().into_iter().flatten().copied().collect();
                });
            }
        }
    }
    joined
}

/// Functions that bring pieces somewhere, and differ in nothing but the places that these come to.
struct Bringing {
    functions: Vec<FuncId>,
    /// What they do and call, without these places.
    bare: (Block, Vec<FuncId>, Vec<Type>),
    /// The places that each piece comes to, in order.
    places: Vec<SortedSet<u32>>,
}

impl Bringing {
    fn of(game: &Game, func: FuncId) -> Option<Bringing> {
        let function = game.function(func);
        let mut body = function.body.clone();
        let mut places = Vec::new();
        each_arrival(&mut body, &mut |arrival| {
            places.push(std::mem::take(&mut arrival.to).into_iter().collect());
        });
        let plain = Plain::of(&body);
        let types = function.locals.iter().map(|local| local.ty.clone());
        (!places.is_empty()).then(|| Bringing {
            functions: vec![func],
            bare: (plain.block, plain.calls, types.collect()),
            places,
        })
    }

    fn join(&mut self, other: Bringing) {
        self.functions.extend(other.functions);
        for (own, others) in self.places.iter_mut().zip(&other.places) {
            own.join(others);
        }
    }
}

fn each_arrival(block: &mut Block, f: &mut dyn FnMut(&mut Arrival)) {
    for stmt in block {
        if let StmtKind::Bring(_, _, _, arrival) = &mut stmt.kind {
            f(arrival);
        }
        stmt.blocks_mut(&mut |inner| each_arrival(inner, f));
    }
}
