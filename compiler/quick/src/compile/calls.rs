//! Calls, and small functions that stand where they are called.

use std::rc::Rc;

use super::link::{Label, Leave};
use super::{Body, Made, Maker, unsupported};
use crate::code::*;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{Block, ExprKind, Game, Point as IrPoint, StmtKind};
use crate::op::*;

/// Operations of a function that stands wherever it is called, and of one that is called in one place.
const MOST_INLINED: usize = 80;
const MOST_ALONE: usize = 400;

/// Operations up to which functions stand where they are called.
const MOST_OPS: usize = NEAR / 4;

impl Maker<'_> {
    /// Works out the arguments of a call, which go aside or to the function.
    fn arguments(&mut self, call: &Call) -> Made<()> {
        let used = self.flat.used();
        for arg in &call.args {
            self.value_into(&arg.value, arg.aside)?;
            if arg.words == 1 && arg.aside != arg.to {
                let aside = self.reg(arg.aside)?;
                self.flat.add_own(&[aside]);
            }
        }
        self.flat.give_back(used);
        Ok(())
    }

    /// The arguments of a call go from aside to the function.
    fn hand_over(&mut self, call: &Call) -> Made<()> {
        if call.aside {
            for arg in call.args.iter().filter(|arg| arg.aside != arg.to) {
                self.copy(arg.aside, arg.to, arg.words)?;
            }
        }
        Ok(())
    }

    /// The statements of a function that may stand where it is called.
    pub(super) fn small(&self, func: usize) -> Option<Rc<Body>> {
        let body = self.bodies.get(func)?.as_ref()?;
        let code = &self.code.funcs[func];
        let most = match self.calls.get(func).copied().unwrap_or(2) {
            0 | 1 => MOST_ALONE,
            _ => MOST_INLINED,
        };
        let fits = body.ops <= most && self.code.ops.len() <= MOST_OPS;
        (fits && !code.recursive && code.memo.is_none()).then(|| body.clone())
    }

    /// Statements of a function that stand in those at work.
    pub(super) fn stands_in(&mut self, body: &Body, leave: Leave) -> Made<()> {
        self.flat.add_own(&body.own);
        let around = self.flat.leave.replace(leave);
        let trial = self.flat.trial.take();
        self.steps(&body.steps, true)?;
        self.flat.leave = around;
        self.flat.trial = trial;
        Ok(())
    }

    /// Puts the statements of the function where it is called, if they may stand there.
    fn opened(&mut self, call: &Call, leave: impl FnOnce(Label) -> Leave) -> Made<bool> {
        let Some(body) = self.small(call.func) else {
            return Ok(false);
        };
        self.arguments(call)?;
        self.hand_over(call)?;
        let end = self.label();
        self.stands_in(&body, leave(end))?;
        self.here(end);
        Ok(true)
    }

    /// A call whose value of one word goes there, if the function may stand where it is called.
    pub(super) fn call_into(&mut self, call: &Call, to: Reg) -> Made<bool> {
        self.opened(call, |end| Leave::Into(to, end))
    }

    /// Jumps if a call gives this; false if the function cannot stand where it is called.
    pub(super) fn call_decides(&mut self, call: &Call, label: Label, when: bool) -> Made<bool> {
        self.opened(call, |end| Leave::Answer(label, when, end))
    }

    /// A call; where its value lies then.
    pub(super) fn invoke(&mut self, call: &Call) -> Made<At> {
        let value = self.code.funcs[call.func].value.start;
        if self.opened(call, Leave::On)? {
            return Ok(value);
        }
        self.arguments(call)?;
        let func = &self.code.funcs[call.func];
        let simple = !func.recursive;
        let args = func.head.start..value;
        let memo = func
            .memo
            .filter(|memo| memo + args.len() < NEAR && value <= NEAR);
        let memo = memo.map(|at| Memo {
            at,
            args: args.start,
            words: args.len(),
        });
        if !simple {
            let bare = Call {
                args: call.args.iter().map(Arg::bare).collect(),
                ..call.clone()
            };
            let index = Self::listed(&mut self.code.calls, bare)?;
            self.emit(Op::Invoke(index));
            return Ok(value);
        }
        self.hand_over(call)?;
        match memo {
            None => self.call_of(call.func)?,
            Some(memo) => {
                let memo = Self::listed(&mut self.code.memos, memo)?;
                self.emit(Op::Recall(memo));
                self.call_of(call.func)?;
                self.emit(Op::Remember(memo));
            }
        }
        Ok(value)
    }

    /// Runs a function whose arguments are there.
    pub(super) fn call_of(&mut self, func: usize) -> Made<()> {
        match u16::try_from(func) {
            Ok(func) => self.emit(Op::Call(func)),
            Err(_) => return unsupported("as many functions as that"),
        }
        Ok(())
    }
}

/// In how many places of the rules each function is called.
pub(super) fn counted(game: &Game) -> Vec<usize> {
    let mut calls = vec![0; game.functions.len()];
    let mut count = |block: &Block| {
        walk_block(block, &mut |stmt| {
            if let StmtKind::Call { func, .. } = &stmt.kind {
                calls[func.index()] += 1;
            }
        });
        walk_exprs(block, &mut |expr| {
            if let ExprKind::Call(func, _) = &expr.kind {
                calls[func.index()] += 1;
            }
        });
    };
    game.functions
        .iter()
        .for_each(|function| count(&function.body));
    if let Some(machine) = &game.machine {
        count(&machine.start);
        for point in &machine.points {
            match point {
                IrPoint::Choose(choose) => {
                    choose.arms.iter().for_each(|arm| count(&arm.body));
                    choose.otherwise.iter().for_each(&mut count);
                }
                IrPoint::Chance(_, resume) => count(resume),
            }
        }
    }
    calls
}

impl Arg {
    /// Where an argument goes, without its value.
    fn bare(&self) -> Arg {
        Arg {
            value: Val::Num(Num::Const(0)),
            ..*self
        }
    }
}
