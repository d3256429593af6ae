//! Runs of statements: where a run would branch on what is not known, what follows runs twice.

use std::rc::Rc;

use crate::ir::{Const, Count, LocalId, Stmt, StmtKind};
use crate::opt::patterns::formula::Formula;

use super::values::{Env, Places, Value};
use super::{Explorer, MOST_STEPS};

/// Rounds of one loop.
const MOST_ROUNDS: i64 = 1024;

/// Statements and calls that one run may nest.
const MOST_DEPTH: usize = 1500;

/// Bytes of stack that running a block needs at most, without the blocks in it.
const STACK_ROOM: usize = 128 << 10;

/// Does work that runs functions, on a stack that is large enough for it. An optimisation is left out where the system has no
/// memory for such a stack.
pub(in crate::opt) fn with_room(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let room = std::thread::Builder::new().stack_size((MOST_DEPTH + 16) * STACK_ROOM);
        let Ok(thread) = room.spawn_scoped(scope, work) else {
            return;
        };
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// A run of one function.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) locals: Vec<Option<Value>>,
    pub(super) env: Env,
    pub(super) places: Places,
}

/// What runs after a block.
pub(super) enum Next<'s> {
    Leave,
    Block(&'s [Stmt], Rc<Next<'s>>),
    Loop {
        local: LocalId,
        at: i64,
        to: i64,
        by: i64,
        body: &'s [Stmt],
        after: Rc<Next<'s>>,
    },
}

impl Explorer<'_> {
    pub(super) fn block<'s>(
        &mut self,
        block: &'s [Stmt],
        frame: Frame,
        next: &Rc<Next<'s>>,
    ) -> Option<(Option<Value>, Env)> {
        self.depth += 1;
        let result = match self.depth > MOST_DEPTH {
            true => None,
            false => self.block_inside(block, frame, next),
        };
        self.depth -= 1;
        result
    }

    fn block_inside<'s>(
        &mut self,
        mut block: &'s [Stmt],
        mut frame: Frame,
        next: &Rc<Next<'s>>,
    ) -> Option<(Option<Value>, Env)> {
        let mut next = next.clone();
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            let Some((stmt, rest)) = block.split_first() else {
                match &*next.clone() {
                    Next::Leave => return Some((None, frame.env)),
                    Next::Block(rest, after) => (block, next) = (rest, after.clone()),
                    again => (block, next) = again.round(&mut frame)?,
                }
                continue;
            };
            block = rest;
            if self.assigns(stmt, &mut frame)? {
                continue;
            }
            match &stmt.kind {
                StmtKind::Return(value) => {
                    let value = match value {
                        Some(value) => Some(self.expr(value, &frame)?),
                        None => None,
                    };
                    return Some((value, frame.env));
                }
                StmtKind::If(cond, yes, no) => {
                    let cond = self.expr(cond, &frame)?;
                    if let Value::Const(Const::Bool(cond)) = cond {
                        next = Rc::new(Next::Block(block, next));
                        block = if cond { yes } else { no };
                        continue;
                    }
                    let held = self.known_by(&cond, true, &frame.places);
                    let failed = self.known_by(&cond, false, &frame.places);
                    let cond = self.formula(&cond)?;
                    if is_straight(yes) && is_straight(no) {
                        let yes = self.straight(yes, frame.clone())?;
                        let no = self.straight(no, frame)?;
                        frame = self.joined(&cond, yes, no);
                        continue;
                    }
                    let after = Rc::new(Next::Block(block, next));
                    let mut other = frame.clone();
                    frame.places = held;
                    other.places = failed;
                    let yes = self.block(yes, frame, &after)?;
                    let no = self.block(no, other, &after)?;
                    let value = match (yes.0, no.0) {
                        (None, None) => None,
                        (Some(yes), Some(no)) => Some(self.either(&cond, &yes, &no)?),
                        _ => return None,
                    };
                    // What is not the same in both is not known.
                    return Some((value, yes.1.common(&no.1)));
                }
                StmtKind::For {
                    local,
                    from,
                    to,
                    count,
                    body,
                    charged,
                } => {
                    let (from, to) = (self.expr(from, &frame)?, self.expr(to, &frame)?);
                    let (Value::Const(Const::Int(from)), Value::Const(Const::Int(to))) = (from, to)
                    else {
                        return None;
                    };
                    let by = match count {
                        Count::Up => 1,
                        Count::Down => -1,
                        Count::Toward => {
                            if to < from {
                                -1
                            } else {
                                1
                            }
                        }
                    };
                    if (to - from).checked_abs()? > MOST_ROUNDS {
                        return None;
                    }
                    if *charged {
                        self.work += (to - from).unsigned_abs() + 1;
                    }
                    next = Rc::new(Next::Loop {
                        local: *local,
                        at: from,
                        to,
                        by,
                        body,
                        after: Rc::new(Next::Block(block, next)),
                    });
                    block = &[];
                }
                StmtKind::Charge => self.work += 1,
                StmtKind::Break => (block, next) = next.left()?,
                StmtKind::Continue => {
                    (block, next) = (&[], next.innermost()?);
                }
                _ => return None,
            }
        }
    }

    /// The frame after statements that only assign.
    fn straight(&mut self, block: &[Stmt], mut frame: Frame) -> Option<Frame> {
        for stmt in block {
            if !self.assigns(stmt, &mut frame)? {
                return None;
            }
        }
        Some(frame)
    }

    /// Carries out a statement that only assigns; whether it is one.
    fn assigns(&mut self, stmt: &Stmt, frame: &mut Frame) -> Option<bool> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                frame.locals[local.index()] = Some(self.expr(value, frame)?);
            }
            StmtKind::SetEnv(var, value) => {
                let value = self.expr(value, frame)?;
                frame.env.set(*var, value);
            }
            StmtKind::Call { func, args, into } => {
                let args = args.iter().map(|arg| self.expr(arg, frame));
                let args = args.collect::<Option<Vec<_>>>()?;
                let (value, env) = self.call(*func, args, frame)?;
                frame.env = env;
                if let Some(into) = into {
                    frame.locals[into.index()] = Some(value?);
                }
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// What two branches leave; what is not known to be one or the other is not known at all.
    fn joined(&mut self, cond: &Formula, yes: Frame, no: Frame) -> Frame {
        let mut join = |yes: &[Option<Value>], no: &[Option<Value>]| {
            let pairs = yes.iter().zip(no);
            let one = pairs.map(|(yes, no)| self.either(cond, yes.as_ref()?, no.as_ref()?));
            one.collect()
        };
        let locals = join(&yes.locals, &no.locals);
        let env = match yes.env == no.env {
            true => yes.env,
            false => Env(Rc::new(join(&yes.env.0, &no.env.0))),
        };
        Frame {
            locals,
            env,
            places: yes.places,
        }
    }
}

type Following<'s> = (&'s [Stmt], Rc<Next<'s>>);

impl<'s> Next<'s> {
    /// The next round of a loop, or what follows it.
    fn round(&self, frame: &mut Frame) -> Option<Following<'s>> {
        let Next::Loop {
            local,
            at,
            to,
            by,
            body,
            after,
        } = self
        else {
            return None;
        };
        if (to - at) * by < 0 {
            return Some((&[], after.clone()));
        }
        frame.locals[local.index()] = Some(Value::Const(Const::Int(*at)));
        let again = Next::Loop {
            local: *local,
            at: at + by,
            to: *to,
            by: *by,
            body,
            after: after.clone(),
        };
        Some((body, Rc::new(again)))
    }

    /// What follows the innermost loop.
    fn left(&self) -> Option<Following<'s>> {
        match self {
            Next::Leave => None,
            Next::Block(_, after) => after.left(),
            Next::Loop { after, .. } => Some((&[], after.clone())),
        }
    }

    /// The innermost loop.
    fn innermost(self: &Rc<Self>) -> Option<Rc<Next<'s>>> {
        match &**self {
            Next::Leave => None,
            Next::Block(_, after) => after.innermost(),
            Next::Loop { .. } => Some(self.clone()),
        }
    }
}

/// Whether a block only assigns.
fn is_straight(block: &[Stmt]) -> bool {
    let assigns = |stmt: &Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Let(..) | StmtKind::SetEnv(..) | StmtKind::Call { .. }
        )
    };
    block.iter().all(assigns)
}
