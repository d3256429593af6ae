//! Jumps, and what is known while operations are made: jumps lead to labels until all operations are there.

use super::{Made, Maker, unsupported};
use crate::op::*;

/// Jumps that are followed until where they lead is known.
const MOST_JUMPS: usize = 16;

/// A place in the list that jumps lead to.
pub(super) type Label = usize;

/// What is known while operations are made.
#[derive(Default)]
pub(super) struct Flat {
    /// The words of the function at work for what is worked out, and how many of them are in use.
    pub(super) temps: Vec<Reg>,
    pub(super) used: usize,
    /// The local variables of functions that stand there, and where arguments wait.
    own: Vec<Reg>,
    pub(super) labels: Vec<usize>,
    jumps: Vec<(usize, Label)>,
    /// Where loops end, and where their next round begins.
    pub(super) loops: Vec<(Label, Label)>,
    /// The number of loops around the innermost trial.
    pub(super) trial: Option<usize>,
    /// How the function is left.
    pub(super) leave: Option<Leave>,
}

/// How a function is left, and what becomes of its value.
#[derive(Clone, Copy)]
pub(super) enum Leave {
    /// By an operation; the value is where calls find it.
    By(Op),
    /// Its statements stand in those of another one, which go on there.
    On(Label),
    /// The same, with a value of one word in this one.
    Into(Reg, Label),
    /// The same, and its value decides: on to the first place where it is this, else to the second one, which follows.
    Answer(Label, bool, Label),
}

impl Flat {
    /// How many words are in use for what is worked out.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Later ones are not in use any more.
    pub(super) fn give_back(&mut self, used: usize) {
        self.used = used;
    }

    /// The local variables of what is made next.
    pub(super) fn begin_own(&mut self, words: &[Reg]) {
        self.own.clear();
        self.own.extend_from_slice(words);
    }

    /// Words that belong to what is made alone, beside those for what is worked out.
    pub(super) fn add_own(&mut self, words: &[Reg]) {
        self.own.extend_from_slice(words);
    }

    /// Calls `f` on all words that belong to what is made alone.
    pub(super) fn each_own(&self, f: &mut dyn FnMut(Reg)) {
        self.temps.iter().chain(&self.own).copied().for_each(f);
    }

    /// Calls `f` on jumps that are not linked yet, with where they lead.
    pub(super) fn each_jump(&self, f: &mut dyn FnMut(usize, usize)) {
        for (at, label) in &self.jumps {
            f(*at, self.labels[*label]);
        }
    }

    /// Jumps from some operations to others, and no more.
    pub(super) fn set_jumps(&mut self, jumps: impl Iterator<Item = (usize, usize)>) {
        self.jumps.clear();
        self.labels.clear();
        for (at, target) in jumps {
            self.jumps.push((at, self.labels.len()));
            self.labels.push(target);
        }
    }
}

impl Maker<'_> {
    /// Says of jumps how far they lead.
    pub(super) fn link(&mut self) -> Made<()> {
        let jumps = std::mem::take(&mut self.flat.jumps);
        for &(at, label) in &jumps {
            let target = self.flat.labels[label];
            lead(&mut self.code.ops[at], at, target);
        }
        for (at, label) in jumps {
            let target = self.last_target(self.code.ops[at], self.flat.labels[label]);
            lead(&mut self.code.ops[at], at, target);
        }
        self.flat.labels.clear();
        match self.code.ops.len() <= NEAR {
            true => Ok(()),
            false => unsupported("rules as long as that"),
        }
    }

    /// Where a jump leads in the end: not to one that jumps on at once.
    fn last_target(&self, op: Op, target: usize) -> usize {
        let mut target = target;
        for _ in 0..MOST_JUMPS {
            let on = |jump: Jump| (target + 1).wrapping_add_signed(isize::from(jump));
            target = match (op, self.code.ops.get(target)) {
                (_, Some(Op::Jump(jump))) => on(*jump),
                (Op::If(a, _), Some(Op::If(b, jump))) if a == *b => on(*jump),
                (Op::Unless(a, _), Some(Op::Unless(b, jump))) if a == *b => on(*jump),
                (Op::If(a, _), Some(Op::Unless(b, _))) if a == *b => target + 1,
                (Op::Unless(a, _), Some(Op::If(b, _))) if a == *b => target + 1,
                _ => break,
            };
        }
        target
    }

    pub(super) fn label(&mut self) -> Label {
        self.flat.labels.push(0);
        self.flat.labels.len() - 1
    }

    pub(super) fn here(&mut self, label: Label) {
        self.flat.labels[label] = self.code.ops.len();
    }

    /// A jump; how far it leads is known in the end.
    pub(super) fn jump(&mut self, op: Op, label: Label) {
        self.flat.jumps.push((self.code.ops.len(), label));
        self.emit(op);
    }
}

/// Says of a jump how far it leads.
fn lead(op: &mut Op, at: usize, target: usize) {
    let far = target.wrapping_sub(at + 1) as Jump;
    match op {
        Op::Jump(jump)
        | Op::If(_, jump)
        | Op::Unless(_, jump)
        | Op::IfSome(_, jump)
        | Op::IfNone(_, jump)
        | Op::IfEqual(_, _, jump)
        | Op::IfUnequal(_, _, jump)
        | Op::IfLess(_, _, jump)
        | Op::IfAtMost(_, _, jump)
        | Op::IfHas(_, _, jump)
        | Op::IfLacks(_, _, jump)
        | Op::IfOneOf(_, _, jump)
        | Op::IfNoneOf(_, _, jump)
        | Op::IfMeet(_, _, jump)
        | Op::IfApart(_, _, jump)
        | Op::Next(_, _, jump)
        | Op::Again(_, _, jump)
        | Op::Answered(_, _, jump)
        | Op::Up(_, _, jump) => *jump = far,
        _ => {}
    }
}
