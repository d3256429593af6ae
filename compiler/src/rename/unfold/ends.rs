//! How a chain of rules ends: the first end whose condition holds is what happens.

use crate::ir::{Const, Type};

use super::super::terms::{Bundle, FALSE, Node, Op, Term};
use super::Unfold;

/// An end and when it comes.
#[derive(Clone, Copy)]
struct End {
    when: Term,
    leaf: Term,
    /// How many groups of ends come before its own.
    group: usize,
}

/// The ends of a chain in their order, in groups: between those of one group nothing happens that somebody sees.
#[derive(Clone, Default)]
pub(super) struct Ends {
    all: Vec<End>,
    /// Groups that something lies behind.
    closed: usize,
    /// Whether there are ends behind these.
    open: bool,
}

impl Ends {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// How many groups of ends come before what happens now.
    pub(super) fn stage(&mut self) -> usize {
        self.closed += usize::from(std::mem::take(&mut self.open));
        self.closed
    }

    pub(super) fn push(&mut self, when: Term, leaf: Term) {
        let group = self.closed;
        self.all.push(End { when, leaf, group });
        self.open = true;
    }
}

impl Unfold<'_, '_> {
    /// What variables are where the game ends here, as far as they were written.
    pub(super) fn left_at_end(&mut self) -> Vec<Term> {
        let when = self.now();
        let mut left = Vec::new();
        for (var, value) in self.memory.plain.clone() {
            let value = self.terms.where_holds(when, value);
            let before = self.base(Op::Var(var), &[], &self.game.var(var).ty);
            if value != before {
                left.push(self.terms.bundle(Bundle::Gets(var), vec![value]));
            }
        }
        left
    }

    /// All ends as one term.
    pub(super) fn ended(&mut self) -> Term {
        let ends = std::mem::take(&mut self.ends).all;
        let groups = ends.chunk_by(|a, b| a.group == b.group);
        let groups = groups.map(|group| self.outcome(group)).collect();
        self.terms.bundle(Bundle::Parts("ends"), groups)
    }

    /// What some ends come to: which of them happens, if one does. Of two that lead to the same or never come together, the order says
    /// nothing.
    fn outcome(&mut self, ends: &[End]) -> Term {
        let mut parts = Vec::new();
        let mut all: Vec<End> = Vec::new();
        for (at, end) in ends.iter().enumerate() {
            let mut before = Vec::new();
            for (other, first) in ends[..at].iter().enumerate() {
                if first.leaf != end.leaf && !self.terms.never_both(first.when, end.when) {
                    before.push(other);
                }
            }
            let mut end = *end;
            let others: Vec<Term> = before.iter().map(|&other| ends[other].when).collect();
            if self.terms.ask_few(&[&others[..], &[end.when]].concat()) {
                for other in others {
                    let not = self.terms.not(other);
                    end.when = self.terms.and(end.when, not);
                }
                before.clear();
            }
            let own = self.one(&end);
            for other in before {
                let first = self.one(&all[other]);
                let pair = self.terms.bundle(Bundle::Parts("before"), vec![first, own]);
                parts.push(pair);
            }
            if end.when != FALSE {
                parts.push(own);
            }
            all.push(end);
        }
        self.terms.bundle(Bundle::Set("ends"), parts)
    }

    /// What an end leads to, as far as it matters: where it comes.
    fn where_it_comes(&mut self, end: &End) -> Term {
        let Node { op, args, .. } = self.terms.node(end.leaf).clone();
        let Op::Bundle(leaf) = op else {
            return end.leaf;
        };
        let mut told = Vec::with_capacity(args.len());
        for &value in &args {
            let ty = self.terms.node(value).ty.clone();
            let depends = ty != Type::Bool && self.terms.ask_the_same(end.when, value);
            told.push(match depends && self.terms.are_small(&[end.when, value]) {
                true => {
                    let nothing = self.terms.constant(Const::None, ty);
                    self.terms.ite(end.when, value, nothing)
                }
                false => value,
            });
        }
        self.terms.bundle(leaf, told)
    }

    fn one(&mut self, end: &End) -> Term {
        let leaf = self.where_it_comes(end);
        let parts = vec![end.when, leaf];
        self.terms.bundle(Bundle::Parts("end"), parts)
    }
}
