//! Runs of statements: where a run would branch on what is not known, what follows runs twice.

use std::rc::Rc;

use crate::ir::{Const, Count, EnvId, Function, LocalId, Stmt, StmtKind};
use crate::opt::patterns::formula::Formula;

use super::Explorer;
use super::values::{Env, Places, Value};

/// Rounds of one loop.
const MOST_ROUNDS: i64 = 1024;

/// Statements and calls that one run may nest.
const MOST_DEPTH: usize = 1500;

/// The same where each way is followed by itself.
const MOST_FOLLOWED: usize = 400;

/// Branches on what is given that one way may take.
const MOST_GIVEN: usize = 8;

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

/// The local variables of a function that is called with these arguments.
pub(super) fn locals_of(
    function: &Function,
    args: impl IntoIterator<Item = Value>,
) -> Vec<Option<Value>> {
    let mut locals = Vec::with_capacity(function.locals.len());
    locals.extend(args.into_iter().map(Some));
    locals.resize(function.locals.len(), None);
    locals
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
    /// What follows a call, where what it leaves is not the same on all its ways: the caller's variables, which of them gets the
    /// value, and what it runs then.
    Caller {
        locals: Rc<Vec<Option<Value>>>,
        into: Option<LocalId>,
        rest: &'s [Stmt],
        after: Rc<Next<'s>>,
    },
}

impl<'a> Explorer<'a> {
    /// A call whose ways are followed one by one, each to the end of the caller; nothing for other statements.
    fn entered(&mut self, stmt: &Stmt, frame: &Frame) -> Option<(&'a [Stmt], Frame)> {
        let StmtKind::Call { func, args, .. } = &stmt.kind else {
            return None;
        };
        let args = self.args(args, frame)?;
        let function = self.game.function(*func);
        if self.effects.is_recursive(*func) || self.shaping == Some(*func) {
            return None;
        }
        let inner = Frame {
            locals: locals_of(function, args),
            env: frame.env.clone(),
            places: frame.places.clone(),
        };
        Some((&function.body, inner))
    }
}

impl<'a> Explorer<'a> {
    pub(super) fn block(
        &mut self,
        block: &'a [Stmt],
        frame: Frame,
        next: &Rc<Next<'a>>,
    ) -> Option<(Option<Value>, Env)> {
        self.depth += 1;
        let most = if self.follows {
            MOST_FOLLOWED
        } else {
            MOST_DEPTH
        };
        let result = match self.depth > most {
            true => {
                self.too_many("too many branches are nested here");
                None
            }
            false => self.block_inside(block, frame, next),
        };
        if result.is_none() && self.stopped.is_none() {
            self.stopped = Some((self.at, None));
        }
        self.depth -= 1;
        result
    }

    fn block_inside(
        &mut self,
        mut block: &'a [Stmt],
        mut frame: Frame,
        next: &Rc<Next<'a>>,
    ) -> Option<(Option<Value>, Env)> {
        let mut next = next.clone();
        loop {
            self.steps += 1;
            if self.steps > self.most_steps {
                self.too_many("following all its ways takes too many steps");
                return None;
            }
            let Some((stmt, rest)) = block.split_first() else {
                match following(&next, &mut frame)? {
                    Some(more) => (block, next) = more,
                    None => return Some((None, frame.env)),
                }
                continue;
            };
            block = rest;
            self.at = stmt.span;
            if let StmtKind::Call { into, .. } = &stmt.kind {
                if !self.follows {
                    self.assigns(stmt, &mut frame)?;
                    continue;
                }
                let mut after = frame.clone();
                let known = self.assigns(stmt, &mut after).is_some();
                if known && !after.env.lost(&frame.env) {
                    frame = after;
                    continue;
                }
                // Perhaps nobody asks for what is not known.
                if known && let Some(result) = self.block(block, after, &next) {
                    return Some(result);
                }
                let (body, inner) = self.entered(stmt, &frame)?;
                next = Rc::new(Next::Caller {
                    locals: Rc::new(frame.locals),
                    into: *into,
                    rest: block,
                    after: next,
                });
                (block, frame) = (body, inner);
                continue;
            }
            if self.assigns(stmt, &mut frame)? {
                continue;
            }
            match &stmt.kind {
                StmtKind::Return(value) => {
                    let value = match value {
                        Some(value) => Some(self.value(value, &frame)?),
                        None => None,
                    };
                    let Some((locals, into, rest, after)) = next.caller() else {
                        return Some((value, frame.env));
                    };
                    frame.locals.clone_from(&locals);
                    if let Some(into) = into {
                        frame.locals[into.index()] = Some(value?);
                    }
                    (block, next) = (rest, after);
                }
                StmtKind::If(cond, yes, no) => {
                    let cond = self.value(cond, &frame)?;
                    if let Value::Const(Const::Bool(cond)) = cond {
                        next = Rc::new(Next::Block(block, next));
                        block = if cond { yes } else { no };
                        continue;
                    }
                    let given = usize::from(matches!(cond, Value::Given(_)));
                    let held = self.known_by(&cond, true, &frame.places);
                    let failed = self.known_by(&cond, false, &frame.places);
                    let cond = self.formula(&cond)?;
                    if let Some(cond) = cond.as_constant() {
                        next = Rc::new(Next::Block(block, next));
                        block = if cond { yes } else { no };
                        continue;
                    }
                    let (yes, no) = ((&**yes, held), (&**no, failed));
                    if let Some(joined) = self.both_straight(&cond, &yes, &no, &frame) {
                        frame = joined;
                        continue;
                    }
                    let after = Rc::new(Next::Block(block, next));
                    return self.both_ways(&cond, given, yes, no, frame, &after);
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
                    let by = self.rounds(*count, (from, to), *charged)?;
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
                StmtKind::Continue => (block, next) = (&[], next.innermost()?),
                _ => return None,
            }
        }
    }

    /// What two blocks without a way out make of a frame, of which one is run as `cond` tells, each with what is known of places
    /// then.
    fn both_straight(
        &mut self,
        cond: &Formula,
        (yes, held): &(&'a [Stmt], Places),
        (no, failed): &(&'a [Stmt], Places),
        frame: &Frame,
    ) -> Option<Frame> {
        if !is_straight(yes) || !is_straight(no) {
            return None;
        }
        let work = self.work;
        let known = |places: &Places| Frame {
            places: places.clone(),
            ..frame.clone()
        };
        let joined = self.straight(yes, known(held)).and_then(|yes| {
            let most = std::mem::replace(&mut self.work, work);
            let no = self.straight(no, known(failed))?;
            let joined = self.joined(cond, yes, no, &frame.places)?;
            self.work = self.work.max(most);
            Some(joined)
        });
        if joined.is_none() {
            self.work = work;
        }
        joined
    }

    /// What comes out of two blocks of which one is run as `cond` tells, each with what is known of places then, and of what
    /// follows them. `given` is 1 where that is told by an argument.
    fn both_ways(
        &mut self,
        cond: &Formula,
        given: usize,
        (yes, held): (&'a [Stmt], Places),
        (no, failed): (&'a [Stmt], Places),
        mut frame: Frame,
        after: &Rc<Next<'a>>,
    ) -> Option<(Option<Value>, Env)> {
        let work = self.work;
        let mut other = frame.clone();
        frame.places = held;
        other.places = failed;
        self.given_branches += given;
        let both = match self.given_branches > MOST_GIVEN {
            true => None,
            false => self.block(yes, frame, after).and_then(|yes| {
                let most = std::mem::replace(&mut self.work, work);
                let no = self.block(no, other, after)?;
                self.work = self.work.max(most);
                Some((yes, no))
            }),
        };
        self.given_branches -= given;
        let (yes, no) = both?;
        let value = match (yes.0, no.0) {
            (None, None) => None,
            (Some(yes), Some(no)) => Some(self.either(cond, &yes, &no)?),
            _ => return None,
        };
        let mut either = |var: EnvId, yes: &Value, no: &Value| match self.is_read(var) {
            true => self.number(cond, yes, no),
            false => None,
        };
        Some((value, yes.1.joined(&no.1, &mut either)))
    }

    /// The step of a loop, whose rounds are charged for; nothing if there are too many.
    fn rounds(&mut self, count: Count, (from, to): (i64, i64), charged: bool) -> Option<i64> {
        if (to - from).checked_abs()? > MOST_ROUNDS {
            self.too_many("this loop has too many rounds");
            return None;
        }
        if charged {
            self.work += (to - from).unsigned_abs() + 1;
        }
        Some(match count {
            Count::Up => 1,
            Count::Down => -1,
            Count::Toward if to < from => -1,
            Count::Toward => 1,
        })
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
                frame.locals[local.index()] = Some(self.value(value, frame)?);
            }
            StmtKind::SetEnv(var, value) => {
                let value = self.value(value, frame)?;
                frame.env.set(*var, value);
            }
            StmtKind::Call { func, args, into } => {
                let args = self.args(args, frame)?;
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

    /// What two branches leave; nothing where something is known in both but not whatever the condition says.
    fn joined(&mut self, cond: &Formula, yes: Frame, no: Frame, places: &Places) -> Option<Frame> {
        let mut join = |yes: &[Option<Value>], no: &[Option<Value>]| {
            let pairs = yes.iter().zip(no);
            let one = pairs.map(|pair| match pair {
                (Some(yes), Some(no)) => match self.either(cond, yes, no) {
                    None if self.follows => None,
                    value => Some(value),
                },
                _ => Some(None),
            });
            one.collect::<Option<Vec<_>>>()
        };
        let locals = join(&yes.locals, &no.locals)?;
        let env = match yes.env == no.env {
            true => yes.env,
            false => Env(Rc::new(join(&yes.env.0, &no.env.0)?)),
        };
        Some(Frame {
            locals,
            env,
            places: places.clone(),
        })
    }
}

/// The variables of a caller, which of them gets the value of a call, and what follows.
type Returning<'s> = (
    Rc<Vec<Option<Value>>>,
    Option<LocalId>,
    &'s [Stmt],
    Rc<Next<'s>>,
);

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

    /// What follows the call that runs, if its ways are followed one by one.
    fn caller(&self) -> Option<Returning<'s>> {
        match self {
            Next::Leave => None,
            Next::Block(_, after) | Next::Loop { after, .. } => after.caller(),
            Next::Caller {
                locals,
                into,
                rest,
                after,
            } => Some((locals.clone(), *into, rest, after.clone())),
        }
    }

    /// What follows the innermost loop.
    fn left(&self) -> Option<Following<'s>> {
        match self {
            Next::Leave | Next::Caller { .. } => None,
            Next::Block(_, after) => after.left(),
            Next::Loop { after, .. } => Some((&[], after.clone())),
        }
    }

    /// The innermost loop.
    fn innermost(self: &Rc<Self>) -> Option<Rc<Next<'s>>> {
        match &**self {
            Next::Leave | Next::Caller { .. } => None,
            Next::Block(_, after) => after.innermost(),
            Next::Loop { .. } => Some(self.clone()),
        }
    }
}

/// What follows a block that is at its end; nothing where a function or what is explored ends there.
fn following<'a>(
    next: &Rc<Next<'a>>,
    frame: &mut Frame,
) -> Option<Option<(&'a [Stmt], Rc<Next<'a>>)>> {
    Some(match &**next {
        Next::Leave => None,
        Next::Block(rest, after) => Some((rest, after.clone())),
        Next::Caller {
            locals,
            rest,
            after,
            ..
        } => {
            frame.locals.clone_from(locals);
            Some((rest, after.clone()))
        }
        again => Some(again.round(frame)?),
    })
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
