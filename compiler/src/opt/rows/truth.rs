//! What a set comes to in each case: which of the things hold that it asks of a position.
//!
//! Kinds that stand on a place exclude each other, so they are one thing with several answers.

use rulec_ir::sorted::SortedMap;

use crate::ir::same::same;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Game, PlacementForm, PlacementId, Type, UnaryOp};
use crate::source::Span;

/// The cases in which something holds, as bits.
pub(super) type Truth = u64;

/// Something that a position answers.
enum Thing {
    /// Which of these kinds stands on the place in question; the last answer is none of them.
    Kind(PlacementId, Vec<Expr>),
    /// Whether the place in question is in a set.
    In(Expr),
    /// Whether a condition holds.
    If(Expr),
}

impl Thing {
    fn answers(&self) -> usize {
        match self {
            Thing::Kind(_, kinds) => kinds.len() + 1,
            _ => 2,
        }
    }
}

/// The things that an expression asks, and all cases of their answers.
#[derive(Default)]
pub(super) struct Things {
    all: Vec<Thing>,
    /// What is asked: the thing and the answer that it wants.
    known: Vec<(Expr, (usize, usize))>,
    masks: SortedMap<(usize, usize), Truth>,
    count: usize,
}

impl Things {
    /// Adds what a set asks of a place.
    pub(super) fn add_set(&mut self, game: &Game, set: &Expr) {
        if self.known.iter().any(|(own, _)| same(own, set)) {
            return;
        }
        let answer = match kind_of(game, set) {
            Some((placement, kind)) => self.add_kind(placement, kind),
            None => {
                self.all.push(Thing::In(set.clone()));
                (self.all.len() - 1, 1)
            }
        };
        self.known.push((set.clone(), answer));
    }

    /// Adds a condition.
    pub(super) fn add_condition(&mut self, condition: &Expr) {
        if self.known.iter().all(|(own, _)| !same(own, condition)) {
            self.all.push(Thing::If(condition.clone()));
            let answer = (self.all.len() - 1, 1);
            self.known.push((condition.clone(), answer));
        }
    }

    fn add_kind(&mut self, placement: PlacementId, kind: &Expr) -> (usize, usize) {
        for (at, thing) in self.all.iter_mut().enumerate() {
            if let Thing::Kind(own, kinds) = thing
                && *own == placement
            {
                kinds.push(kind.clone());
                return (at, kinds.len() - 1);
            }
        }
        self.all.push(Thing::Kind(placement, vec![kind.clone()]));
        (self.all.len() - 1, 0)
    }

    /// Numbers the cases, after everything is added; whether there are few enough.
    pub(super) fn number(&mut self) -> bool {
        let mut count = 1usize;
        for thing in &self.all {
            count = count.saturating_mul(thing.answers());
        }
        if count > Truth::BITS as usize {
            return false;
        }
        self.count = count;
        let mut stride = 1;
        for (at, thing) in self.all.iter().enumerate() {
            for case in 0..count {
                let answer = case / stride % thing.answers();
                *self.masks.entry((at, answer)).or_default() |= 1 << case;
            }
            stride *= thing.answers();
        }
        true
    }

    /// All cases.
    pub(super) fn full(&self) -> Truth {
        Truth::MAX >> (Truth::BITS as usize - self.count)
    }

    /// The cases in which something that was added holds.
    pub(super) fn of(&self, expr: &Expr) -> Option<Truth> {
        let (_, answer) = self.known.iter().find(|(own, _)| same(own, expr))?;
        self.masks.get(answer).copied()
    }

    /// What holds in some cases if a thing has an answer: the same in all cases that differ in that answer alone.
    fn given(&self, truth: Truth, at: usize, answer: usize) -> Truth {
        let stride: usize = self.all[..at].iter().map(Thing::answers).product();
        let answers = self.all[at].answers();
        (0..self.count).fold(0, |all, case| {
            let other = case - (case / stride % answers) * stride + answer * stride;
            all | (truth >> other & 1) << case
        })
    }

    /// The set of the places for which one of these cases holds.
    pub(super) fn write(&self, game: &Game, truth: Truth, ty: &Type, span: Span) -> Written {
        let writer = Writer {
            things: self,
            game,
            ty,
            span,
        };
        writer.write(truth, self.all.len())
    }
}

/// The kind whose places a set is.
fn kind_of<'e>(game: &Game, set: &'e Expr) -> Option<(PlacementId, &'e Expr)> {
    match &set.kind {
        ExprKind::Places(placement, kind)
            if kind.as_const().is_some()
                && game.placement(*placement).form == PlacementForm::Anonymous =>
        {
            Some((*placement, kind))
        }
        _ => None,
    }
}

/// A set that is written.
#[derive(Clone, PartialEq)]
pub(super) enum Written {
    Nothing,
    All,
    Set(Expr),
}

impl Written {
    pub(super) fn meets(self, other: Written) -> Written {
        match (self, other) {
            (Written::Nothing, _) | (_, Written::Nothing) => Written::Nothing,
            (Written::All, other) | (other, Written::All) => other,
            (Written::Set(a), Written::Set(b)) => {
                Written::Set(Expr::binary(BinaryOp::Intersect, a, b))
            }
        }
    }

    pub(super) fn joins(self, other: Written) -> Written {
        match (self, other) {
            (Written::All, _) | (_, Written::All) => Written::All,
            (Written::Nothing, other) | (other, Written::Nothing) => other,
            (Written::Set(a), Written::Set(b)) => Written::Set(Expr::binary(BinaryOp::Union, a, b)),
        }
    }

    fn rest(self) -> Written {
        match self {
            Written::Nothing => Written::All,
            Written::All => Written::Nothing,
            Written::Set(set) => Written::Set(Expr::unary(UnaryOp::Complement, set)),
        }
    }

    pub(super) fn expr(self, ty: &Type, span: Span) -> Expr {
        let nothing = Expr::constant(Const::Set(Vec::new()), ty.clone(), span);
        match self {
            Written::Nothing => nothing,
            Written::All => Expr::unary(UnaryOp::Complement, nothing),
            Written::Set(set) => set,
        }
    }
}

struct Writer<'a> {
    things: &'a Things,
    game: &'a Game,
    ty: &'a Type,
    span: Span,
}

impl Writer<'_> {
    /// Writes what depends on no more than the first so many things; conditions come first, kinds last.
    fn write(&self, truth: Truth, left: usize) -> Written {
        if truth == 0 {
            return Written::Nothing;
        }
        if truth == self.things.full() {
            return Written::All;
        }
        let order = |thing: &Thing| match thing {
            Thing::If(_) => 0,
            Thing::In(_) => 1,
            Thing::Kind(..) => 2,
        };
        let depends = |at: &usize| {
            let first = self.things.given(truth, *at, 0);
            (1..self.things.all[*at].answers()).any(|a| self.things.given(truth, *at, a) != first)
        };
        let next = (0..self.things.all.len()).filter(depends);
        let next = next.min_by_key(|at| order(&self.things.all[*at]));
        let (Some(at), Some(left)) = (next, left.checked_sub(1)) else {
            return Written::Nothing;
        };
        let given = |answer| self.things.given(truth, at, answer);
        match &self.things.all[at] {
            Thing::If(condition) => {
                let yes = self.write(given(1), left).expr(self.ty, self.span);
                let no = self.write(given(0), left).expr(self.ty, self.span);
                Written::Set(Expr::select(condition.clone(), yes, no))
            }
            Thing::In(set) => {
                let (own, others) = (given(1), given(0));
                let set = Written::Set(set.clone());
                let (within, beside) = (self.write(own, left), self.write(others, left));
                // What holds in either case asks nothing of the set.
                match (own & !others, others & !own) {
                    (0, _) => within.joins(set.rest().meets(beside)),
                    (_, 0) => beside.joins(set.meets(within)),
                    _ => set.clone().meets(within).joins(set.rest().meets(beside)),
                }
            }
            Thing::Kind(placement, kinds) => {
                let answers = kinds.len() + 1;
                let mut rest: Vec<Truth> = (0..answers).map(given).collect();
                rest.sort_unstable();
                rest.dedup();
                let mut all = Written::Nothing;
                for own in rest.into_iter().filter(|own| *own != 0) {
                    let among: Vec<bool> = (0..answers).map(|a| given(a) == own).collect();
                    let here = self.places(*placement, kinds, &among);
                    all = all.joins(here.meets(self.write(own, left)));
                }
                all
            }
        }
    }

    /// The places of some kinds; the last of `among` tells whether all others count, too.
    fn places(&self, placement: PlacementId, kinds: &[Expr], among: &[bool]) -> Written {
        let others = among[kinds.len()];
        let named = kinds.iter().zip(among).filter(|(_, own)| **own != others);
        let named = named.map(|(kind, _)| {
            let places = self.game.placement(placement).places;
            let kind = ExprKind::Places(placement, Box::new(kind.clone()));
            Written::Set(Expr::new(kind, Type::Set(places), self.span))
        });
        let named = named.fold(Written::Nothing, Written::joins);
        match others {
            true => named.rest(),
            false => named,
        }
    }
}
