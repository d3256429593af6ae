//! Trials: blocks that may fail, and then leave nothing behind.

use super::{Halt, Machine, Res, Trail};
use crate::code::At;
use crate::op::{Flow, Tried};

/// A run of words of memory.
type Words = std::ops::Range<At>;

/// What there was before a trial.
struct Before {
    /// Where its words begin on the stack.
    kept: usize,
    trails: Vec<Trail>,
    depth: u32,
    /// How many events were told.
    told: usize,
}

impl<'c> Machine<'c> {
    /// Runs a block on what is as good as a copy. Of the words of the function around it local variables alone are given back:
    /// what it works out on the way is over by then, or not touched by the block.
    pub(super) fn attempt(&mut self, trial: &'c Tried) -> Res<Flow> {
        let func = &self.code.funcs[trial.owner];
        let ranges = [0..self.code.env.end, func.head.clone(), func.locals.clone()];
        let before = Before {
            kept: self.stack.len(),
            trails: self.trails.clone(),
            depth: self.depth,
            told: self.events.as_ref().map_or(0, Vec::len),
        };
        for range in &ranges {
            self.stack.extend_from_slice(&self.mem[range.clone()]);
        }
        // What follows the block is not to be left out.
        let playing = std::mem::take(&mut self.mem[self.code.playing]);
        let ran = self.run(trial.body);
        self.mem[self.code.playing] = playing;
        let flow = match ran {
            Err(Halt) if self.halted.fails => {
                self.go_back(&ranges, &before);
                self.mem[trial.ok] = 0;
                Ok(Flow::Next)
            }
            Ok(Flow::Next) => self.succeed(trial, &ranges, &before).map(|()| Flow::Next),
            other => other,
        };
        self.stack.truncate(before.kept);
        flow
    }

    /// The end of a trial that has not failed: its value is known where it goes, also if what it did is dropped.
    fn succeed(&mut self, trial: &'c Tried, ranges: &[Words], before: &Before) -> Res<()> {
        let given = self.stack.len();
        if let Some((value, to, words)) = &trial.value {
            self.put(value, *to)?;
            self.stack.extend_from_slice(&self.mem[*to..to + words]);
        }
        if !trial.keep {
            self.go_back(ranges, before);
        }
        self.mem[trial.ok] = 1;
        if let Some((_, to, words)) = &trial.value {
            self.mem[*to..to + words].copy_from_slice(&self.stack[given..given + words]);
        }
        Ok(())
    }

    /// Gives words back that were kept on the stack, and what else there was before a trial.
    fn go_back(&mut self, ranges: &[Words], before: &Before) {
        let mut at = before.kept;
        for range in ranges {
            let end = at + range.len();
            self.mem[range.clone()].copy_from_slice(&self.stack[at..end]);
            at = end;
        }
        self.touch();
        self.trails.clone_from(&before.trails);
        self.depth = before.depth;
        if let Some(events) = &mut self.events {
            events.truncate(before.told);
        }
    }
}
