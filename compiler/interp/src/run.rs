//! Running code: from a stop, or from the start of a function, to the next stop or its end.

use std::sync::Arc;

use super::eval::{Res, as_seq, fault};
use super::explain::Watched;
use super::identity;
use super::moves::Legal;
use super::node::Node;
use super::program::{Charge, EmitCode, Op, OpKind, PointCode, Program, Said, Store};
use super::record::Record;
use super::state::{Control, Core, Event, Fault, Outcome, Reason, Saved, State, Stop, Trail};
use super::trial::{Trial, Undo};
use super::value::{Class, Members, Value};
use crate::ir::{
    Count, EndReason, FaultCode, FuncId, IdentityId, LocalId, PlacementForm, PlacementId,
    RECURSION_LIMIT, SnapshotId, TrailId, WORK_BUDGET,
};
use crate::source::Span;

/// What ends an evaluation before its end.
#[derive(Debug)]
pub(super) enum Halt {
    Fault(Fault),
    /// The innermost trial fails.
    Fail(Span),
}

impl Halt {
    /// The fault that it is outside a trial.
    pub(super) fn into_fault(self) -> Fault {
        match self {
            Halt::Fault(fault) => fault,
            Halt::Fail(span) => Fault {
                code: FaultCode::Failed,
                span,
            },
        }
    }
}

/// The value of a function that was asked, if it gives one.
pub(super) type Asked = Result<Option<Value>, Fault>;

/// Why code stopped running.
pub(super) enum Exit {
    /// The function that was called is done.
    Returned,
    /// Play waits for a decision or a draw.
    Stopped(Control, Stop),
    /// The rules ended the game, at this place.
    Ended(Outcome, Span),
}

/// What becomes of a decision without a legal move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// Its `otherwise` runs.
    Run,
    /// Nobody looks: the position is asked something, not played on. Its expressions are not
    /// evaluated either.
    Ignore,
}

/// Code at work on a position.
pub(super) struct Run<'a> {
    pub(super) program: &'a Arc<Program>,
    /// Shared with the state it came from until something is written.
    pub(super) core: Arc<Core>,
    pub(super) env: Vec<Option<Value>>,
    /// Whether the environment may have values.
    pub(super) env_written: bool,
    /// The local variables of all frames, those of the innermost one last, and above them arguments
    /// that are being evaluated.
    pub(super) locals: Vec<Option<Value>>,
    pub(super) frames: Vec<Frame>,
    pub(super) base: usize,
    pub(super) trials: Vec<Trial>,
    /// What gives back the writes of the trials, the latest last.
    pub(super) undo: Vec<Undo>,
    pub(super) depth: u32,
    pub(super) work: u32,
    pub(super) otherwise: Otherwise,
    pub(super) events: Option<Vec<Event>>,
    /// The value of the function that was left last.
    pub(super) returned: Option<Value>,
    /// The legal moves of the decision at which it stopped, if they are known.
    pub(super) legal: Option<Arc<Legal>>,
    /// What is evaluated, if somebody wants to know.
    pub(super) record: Option<Box<Record<'a>>>,
    /// What stands before ends, if somebody wants to know.
    pub(super) watched: Option<Box<Watched<'a>>>,
    pub(super) steps: Steps<'a>,
}

/// Statements that were run and expressions that were evaluated, which the program hears of in the end.
pub(super) struct Steps<'a> {
    program: &'a Program,
    pub(super) count: u64,
}

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        let all = &self.program.steps;
        all.fetch_add(self.count, std::sync::atomic::Ordering::Relaxed);
    }
}

#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) routine: usize,
    pub(super) pc: usize,
    pub(super) base: usize,
}

/// Where a step leads.
pub(super) enum Step {
    Next,
    To(usize),
    /// Another frame is on top.
    Frame,
    /// The function that was called is done.
    Returned,
    Exit(Box<Exit>),
}

impl<'a> Run<'a> {
    pub(super) fn new(program: &'a Arc<Program>, core: Arc<Core>, otherwise: Otherwise) -> Run<'a> {
        Run {
            program,
            core,
            env: vec![None; program.game.env.len()],
            env_written: false,
            locals: Vec::new(),
            frames: Vec::new(),
            base: 0,
            trials: Vec::new(),
            undo: Vec::new(),
            depth: 0,
            work: 0,
            otherwise,
            events: None,
            returned: None,
            legal: None,
            record: None,
            watched: None,
            steps: Steps { program, count: 0 },
        }
    }

    pub(super) fn listen(&mut self) {
        self.events = Some(Vec::new());
    }

    pub(super) fn take_events(&mut self) -> Vec<Event> {
        self.events.take().unwrap_or_default()
    }

    /// The state in which play stopped.
    pub(super) fn into_state(mut self, exit: Exit) -> State {
        let mut ended_by = None;
        let (control, stop, outcome) = match exit {
            Exit::Stopped(control, stop) => (control, stop, None),
            Exit::Ended(outcome, span) => {
                ended_by = Some(span);
                (Control::Nowhere, Stop::Over, Some(outcome))
            }
            Exit::Returned => (Control::Nowhere, Stop::Over, Some(Outcome::draw())),
        };
        let outcome = match &stop {
            Stop::Broken(fault) => Some(Outcome::fault(fault.clone())),
            _ => outcome,
        };
        let mut state = State::at(self.program, self.core, control, stop);
        if let (Some(legal), Stop::Choose { .. }) = (self.legal.take(), state.stop.as_ref()) {
            state.legal = legal.into();
        }
        state.outcome = outcome.map(Arc::new);
        state.ended_by = ended_by;
        state
    }

    /// Begins a chain of evaluation: an empty environment, all of the budget.
    pub(super) fn begin(&mut self) {
        self.locals.clear();
        self.fresh();
    }

    /// Begins a chain of evaluation with the local variables as they are.
    pub(super) fn fresh(&mut self) {
        self.give_back_to(0);
        self.clear_env();
        self.work = 0;
        self.depth = 0;
        self.trials.clear();
        self.frames.clear();
        self.base = 0;
    }

    pub(super) fn clear_env(&mut self) {
        if std::mem::take(&mut self.env_written) {
            self.env.fill(None);
        }
    }

    /// Gives variables of the environment these values.
    pub(super) fn set_env(&mut self, values: &[Option<Value>]) {
        self.env_written = true;
        for (slot, value) in self.env.iter_mut().zip(values) {
            slot.clone_from(value);
        }
    }

    /// Begins a chain of evaluation outside functions with room for so many local variables.
    pub(super) fn enter(&mut self, locals: usize) {
        self.begin();
        self.locals.resize(locals, None);
    }

    /// The value of a function in a fresh chain of evaluation, its arguments being the first local
    /// variables.
    pub(super) fn ask_locals(&mut self, routine: usize, args: usize, span: Span) -> Asked {
        self.fresh();
        for slot in 0..args {
            let value = self.locals[slot].clone();
            self.locals.push(value);
        }
        let value = self.call_routine(routine, args, span);
        value.map_err(|halt| halt.into_fault())
    }

    /// The value of a function in the present environment.
    pub(super) fn ask_on(&mut self, func: FuncId, args: &[Value]) -> Asked {
        let span = self.program.game.function(func).span;
        self.push_values(args);
        self.call(func, args.len(), span)
            .map_err(|halt| halt.into_fault())
    }

    /// Runs a function for what it does.
    pub(super) fn do_on(&mut self, func: FuncId, args: &[Value]) -> Result<(), Fault> {
        self.ask_on(func, args).map(|_| ())
    }

    /// Runs the rules from their start.
    pub(super) fn start(&mut self) -> Result<Exit, Fault> {
        self.begin();
        match self.program.machine() {
            Some(machine) => self.push_frame(machine, 0, 0),
            None => self.push_frame(self.program.game.process.index(), 0, 0),
        }
        self.run_on()
    }

    /// Goes on at a place of the routine where play stopped, with values for local variables.
    pub(super) fn resume(
        &mut self,
        control: &Control,
        routine: usize,
        pc: usize,
        bind: &[(LocalId, Value)],
    ) -> Result<Exit, Fault> {
        self.restore(control, routine, pc);
        for (local, value) in bind {
            self.set_local(local.index(), value.clone());
        }
        self.run_on()
    }

    fn run_on(&mut self) -> Result<Exit, Fault> {
        match self.run(0) {
            Ok(Some(exit)) => Ok(*exit),
            Ok(None) => Ok(Exit::Returned),
            Err(halt) => Err(halt.into_fault()),
        }
    }

    /// Builds the frames of a control, the innermost one at `pc`.
    pub(super) fn restore(&mut self, control: &Control, routine: usize, pc: usize) {
        self.begin();
        match control {
            Control::Frames(frames) => {
                for frame in frames {
                    self.push_frame(frame.routine, frame.pc, 0);
                    for (slot, value) in &frame.locals {
                        self.locals[self.base + slot] = Some(value.clone());
                    }
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc = pc;
                }
            }
            Control::Point(_) | Control::Nowhere => self.push_frame(routine, pc, 0),
        }
    }

    pub(super) fn local(&self, local: usize, span: Span) -> Res<&Value> {
        match self.locals.get(self.base + local) {
            Some(Some(value)) => Ok(value),
            _ => fault(FaultCode::UnsetVariable, span),
        }
    }

    pub(super) fn set_local(&mut self, local: usize, value: Value) {
        self.locals[self.base + local] = Some(value);
    }

    /// Gives one of the first local variables outside functions a member.
    pub(super) fn set_first(&mut self, slot: usize, member: u32) {
        match &mut self.locals[slot] {
            Some(Value::Elem(now)) => *now = member,
            other => *other = Some(Value::Elem(member)),
        }
    }

    /// One of the first local variables outside functions.
    pub(super) fn first_local(&self, slot: usize) -> Option<&Value> {
        self.locals[slot].as_ref()
    }

    /// The first local variables outside functions, those without a value left out.
    pub(super) fn first_locals(&self, count: usize) -> impl Iterator<Item = &Value> {
        self.locals[..count].iter().flatten()
    }

    /// The scalar in one of the first local variables as a number.
    pub(super) fn first_number(&self, slot: usize) -> i64 {
        self.locals[slot].as_ref().map_or(0, Value::number)
    }

    /// Puts arguments on the stack.
    pub(super) fn push_args(&mut self, args: &'a [Node]) -> Res<()> {
        for arg in args {
            let value = self.eval(arg)?;
            self.locals.push(Some(value));
        }
        Ok(())
    }

    pub(super) fn push_values(&mut self, values: &[Value]) {
        self.locals.extend(values.iter().cloned().map(Some));
    }

    /// Enters a routine whose arguments are the last so many values on the stack.
    fn push_frame(&mut self, routine: usize, pc: usize, args: usize) {
        let base = self.locals.len() - args;
        let slots = self.program.routines[routine].slots;
        self.locals.resize(base + slots, None);
        self.frames.push(Frame { routine, pc, base });
        self.base = base;
    }

    fn pop_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.locals.truncate(frame.base);
            if self.program.is_recursive(frame.routine) {
                self.depth -= 1;
            }
        }
        self.base = self.frames.last().map_or(0, |frame| frame.base);
    }

    /// Spends units of the work budget.
    pub(super) fn spend(&mut self, units: u32, span: Span) -> Res<()> {
        self.work += units;
        match self.work > WORK_BUDGET {
            true => fault(FaultCode::WorkLimit, span),
            false => Ok(()),
        }
    }

    fn enter_routine(&mut self, routine: usize, args: usize, span: Span) -> Res<()> {
        if self.program.is_recursive(routine) {
            self.spend(1, span)?;
            if self.depth >= RECURSION_LIMIT {
                return fault(FaultCode::RecursionLimit, span);
            }
            self.depth += 1;
        }
        self.push_frame(routine, 0, args);
        Ok(())
    }

    /// Calls a function that does not suspend and runs it to its end; its arguments are the last so
    /// many values on the stack.
    pub(super) fn call(&mut self, func: FuncId, args: usize, span: Span) -> Res<Option<Value>> {
        self.call_routine(func.index(), args, span)
    }

    fn call_routine(&mut self, routine: usize, args: usize, span: Span) -> Res<Option<Value>> {
        let (floor, outer) = (self.frames.len(), self.base);
        self.enter_routine(routine, args, span)?;
        let exit = self.run(floor)?;
        self.base = outer;
        match exit {
            None => Ok(self.returned.take()),
            Some(_) => fault(FaultCode::WrongType, span),
        }
    }

    /// Runs the top frame, and those that it pushes, until only `floor` frames are left: what stopped
    /// it, or nothing if the function that was called is done.
    fn run(&mut self, floor: usize) -> Res<Option<Box<Exit>>> {
        let program: &'a Program = self.program;
        let trials = self.trials.len();
        loop {
            let Some(&Frame {
                routine, mut pc, ..
            }) = self.frames.last()
            else {
                self.returned = None;
                return Ok(None);
            };
            let ops = &program.routines[routine].ops;
            loop {
                self.steps.count += 1;
                let step = match self.watched {
                    None => self.step(&ops[pc], pc, floor),
                    Some(_) => self.watched_step(&ops[pc], (routine, pc), floor),
                };
                match step {
                    Ok(Step::Next) => pc += 1,
                    Ok(Step::To(to)) => pc = to,
                    Ok(Step::Frame) => break,
                    Ok(Step::Returned) => return Ok(None),
                    Ok(Step::Exit(exit)) => return Ok(Some(exit)),
                    Err(halt) => match *halt {
                        Halt::Fail(_) if self.trials.len() > trials => {
                            self.fail_trial();
                            break;
                        }
                        _ => return Err(halt),
                    },
                }
            }
        }
    }

    /// Notes where the top frame goes on.
    pub(super) fn note_pc(&mut self, pc: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
    }

    #[cold]
    fn watched_step(&mut self, op: &'a Op, at: (usize, usize), floor: usize) -> Res<Step> {
        self.before_step(at);
        let step = self.step(op, at.1, floor)?;
        self.after_step(at, &step);
        Ok(step)
    }

    fn step(&mut self, op: &'a Op, pc: usize, floor: usize) -> Res<Step> {
        let span = op.span;
        match &op.kind {
            OpKind::Let(local, value, store) => {
                let value = self.admitted(value, store, span)?;
                self.set_local(local.index(), value);
            }
            OpKind::SetEnv(var, value, store) => {
                let value = self.admitted(value, store, span)?;
                self.env_written = true;
                let before = self.env[var.index()].replace(value);
                self.note_undo(|_| Undo::Env(var.index(), before));
            }
            OpKind::Test(cond, to) => {
                if !self.bool(cond)? {
                    return Ok(Step::To(*to));
                }
            }
            OpKind::Jump(to) => return Ok(Step::To(*to)),
            OpKind::Call { func, args, .. } => {
                self.push_args(args)?;
                self.note_pc(pc + 1);
                self.enter_routine(func.index(), args.len(), span)?;
                return Ok(Step::Frame);
            }
            OpKind::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.eval(value)?),
                    None => None,
                };
                return Ok(self.leave(value, floor));
            }
            OpKind::Spend => self.spend(1, span)?,
            OpKind::Fail => return Err(Box::new(Halt::Fail(span))),
            OpKind::ForStart { .. }
            | OpKind::ForRound { .. }
            | OpKind::ForStep { .. }
            | OpKind::EachStart { .. }
            | OpKind::EachRound { .. }
            | OpKind::CountFrom { .. }
            | OpKind::WhileRound { .. } => return self.step_loop(op),
            OpKind::TrialStart { keep, ok, exit } => self.start_trial(*keep, *ok, *exit),
            OpKind::TrialEnd { ok, value } => {
                let value = match value {
                    Some((value, local)) => Some((*local, self.eval(value)?)),
                    None => None,
                };
                self.end_trial(*ok, value);
            }
            OpKind::End(..)
            | OpKind::Fault(_)
            | OpKind::Choose(_)
            | OpKind::Chance(_)
            | OpKind::Stop(_) => return self.step_out(op, pc),
            _ => return self.step_write(op),
        }
        Ok(Step::Next)
    }

    /// A step that ends the chain of evaluation.
    fn step_out(&mut self, op: &'a Op, pc: usize) -> Res<Step> {
        self.note_pc(pc);
        match &op.kind {
            OpKind::End(reason, winners) => {
                let winners = self.set(winners)?;
                let outcome = end(*reason, &winners);
                Ok(Step::Exit(Box::new(Exit::Ended(outcome, op.span))))
            }
            OpKind::Choose(code) => self.due(self.save(), PointCode::Choose(*code)),
            OpKind::Chance(code) => self.due(self.save(), PointCode::Chance(*code)),
            OpKind::Stop(point) => {
                // It leaves the calls at work, and nothing local lives across it: what the point asks has
                // the local variables of the machine.
                while self.frames.len() > 1 {
                    self.pop_frame();
                }
                self.locals.fill(None);
                let code = self.program.points[point.index()];
                self.due(Control::Point(*point), code)
            }
            OpKind::Fault(code) => fault(code.clone(), op.span),
            _ => Ok(Step::Next),
        }
    }

    fn step_loop(&mut self, op: &'a Op) -> Res<Step> {
        match &op.kind {
            OpKind::ForStart {
                slot,
                from,
                to,
                count,
                exit,
            } => {
                let (from, to) = (self.num(from)?, self.num(to)?);
                let none = match count {
                    Count::Up => from > to,
                    Count::Down => from < to,
                    Count::Toward => false,
                };
                if none {
                    return Ok(Step::To(*exit));
                }
                self.set_local(*slot, Value::Int(from));
                self.set_local(slot + 1, Value::Int(to));
            }
            OpKind::ForRound {
                slot,
                local,
                charge,
            } => {
                self.charge(*charge, op.span)?;
                let value = Value::Int(self.counter(*slot));
                self.set_local(local.index(), value);
            }
            OpKind::ForStep { slot, round } => {
                let (now, end) = (self.counter(*slot), self.counter(slot + 1));
                if now != end {
                    let next = if now < end { now + 1 } else { now - 1 };
                    self.set_local(*slot, Value::Int(next));
                    return Ok(Step::To(*round));
                }
            }
            OpKind::EachStart { slot, over, args } => {
                let mut items = self.items(*over, args)?;
                items.reverse();
                self.set_local(*slot, Value::Seq(Arc::new(items)));
            }
            OpKind::EachRound { slot, local, exit } => {
                let at = self.base + slot;
                let item = match &mut self.locals[at] {
                    Some(Value::Seq(items)) => Arc::make_mut(items).pop(),
                    _ => None,
                };
                match item {
                    Some(item) => self.set_local(local.index(), item),
                    None => return Ok(Step::To(*exit)),
                }
            }
            OpKind::CountFrom { slot } => self.locals[self.base + slot] = None,
            OpKind::WhileRound {
                slot,
                cond,
                bound,
                charge,
                exit,
            } => {
                if !self.bool(cond)? {
                    return Ok(Step::To(*exit));
                }
                let rounds = self.counter(*slot);
                if rounds >= i64::from(*bound) {
                    return fault(FaultCode::WorkLimit, op.span);
                }
                self.charge(*charge, op.span)?;
                self.set_local(*slot, Value::Int(rounds + 1));
            }
            _ => {}
        }
        Ok(Step::Next)
    }

    /// Pays for a round of a loop.
    fn charge(&mut self, charge: Charge, span: Span) -> Res<()> {
        match charge {
            Charge::Nothing => Ok(()),
            Charge::Work => self.spend(1, span),
            Charge::Counted(slot) => {
                let rounds = self.counter(slot) + 1;
                self.set_local(slot, Value::Int(rounds));
                match rounds > i64::from(WORK_BUDGET) {
                    true => fault(FaultCode::WorkLimit, span),
                    false => Ok(()),
                }
            }
        }
    }

    /// The integer in a hidden slot, 0 if there is none yet.
    fn counter(&self, slot: usize) -> i64 {
        match self.locals.get(self.base + slot) {
            Some(Some(Value::Int(i))) => *i,
            _ => 0,
        }
    }

    /// The value of an expression, if a variable admits it.
    fn admitted(&mut self, node: &'a Node, store: &Store, span: Span) -> Res<Value> {
        let number = match node.class {
            Class::Whole => {
                let value = self.eval(node)?;
                if let Store::Check(ty) = store
                    && let Err(code) = value.check(ty)
                {
                    return fault(code, span);
                }
                return Ok(value);
            }
            _ => self.num(node)?,
        };
        match store {
            Store::Range(lo, hi) if !(*lo..=*hi).contains(&number) => {
                fault(FaultCode::OutOfRange, span)
            }
            _ => Ok(node.class.value(number)),
        }
    }

    pub(super) fn core_mut(&mut self) -> &mut Core {
        Arc::make_mut(&mut self.core)
    }

    fn step_write(&mut self, op: &'a Op) -> Res<Step> {
        let span = op.span;
        match &op.kind {
            OpKind::SetVar(var, index, value, store) => {
                let grid = &self.program.vars[var.index()];
                let Some(cell) = self.cell(grid, index)? else {
                    self.eval(value)?;
                    return fault(FaultCode::IndexOutside, span);
                };
                let value = self.admitted(value, store, span)?;
                if grid.is_told && self.core.vars[cell] != value {
                    let (before, after) = (self.core.vars[cell].clone(), value.clone());
                    self.tell(|| Event::Change {
                        var: var.0,
                        member: (cell - grid.base) as u32,
                        before,
                        after,
                    });
                }
                let before = std::mem::replace(&mut self.core_mut().vars[cell], value);
                self.note_undo(|_| Undo::Var(cell, before));
            }
            OpKind::Put(placement, piece, place) => {
                let (piece, place) = (self.elem(piece)?, self.elem(place)?);
                self.put(*placement, piece, place, span)?;
            }
            OpKind::Bring(placement, piece, place, known) => {
                let (piece, place) = (self.elem(piece)?, self.elem(place)?);
                let placed = &self.core.placed[placement.index()];
                let from = placed.place_of(piece);
                let holds = placed.content(place).is_none()
                    && known.pieces.binary_search(&piece).is_ok()
                    && from.is_some_and(|from| known.from.binary_search(&from).is_ok())
                    && known.to.binary_search(&place).is_ok();
                if !holds {
                    return fault(FaultCode::PlaceOccupied, span);
                }
                self.put(*placement, piece, place, span)?;
            }
            OpKind::Take(placement, piece) => {
                let piece = self.elem(piece)?;
                let index = placement.index();
                if let Some(from) = self.core.placed[index].place_of(piece) {
                    self.note_undo(|_| Undo::Place(index, piece, Some(from)));
                    self.core_mut().placed[index].take(piece);
                    self.tell(|| Event::Take {
                        placement: placement.0,
                        piece,
                        from,
                    });
                }
            }
            OpKind::SetContent(placement, place, kind) => {
                let (place, after) = (self.elem(place)?, self.opt(kind)?);
                let index = placement.index();
                let before = self.core.placed[index].content(place);
                if before != after {
                    self.note_undo(|_| Undo::Content(index, place, before));
                    self.core_mut().placed[index].set_content(place, after);
                    self.tell(|| Event::SetContent {
                        placement: placement.0,
                        place,
                        before,
                        after,
                    });
                }
            }
            OpKind::Emit(emit) => self.emit(emit)?,
            OpKind::Snapshot(slot) => self.snapshot(*slot),
            OpKind::Restore(slot) => self.give_back(*slot, span)?,
            OpKind::Note(trail) => self.note(*trail, span)?,
            OpKind::Forget(trail) => self.set_trail(trail.index(), Trail::default()),
            _ => {}
        }
        Ok(Step::Next)
    }

    fn put(&mut self, placement: PlacementId, piece: u32, place: u32, span: Span) -> Res<()> {
        let index = placement.index();
        let form = self.program.game.placement(placement).form;
        let placed = &self.core.placed[index];
        let (from, there) = (placed.place_of(piece), placed.content(place));
        if form == PlacementForm::One && there.is_some_and(|other| other != piece) {
            return fault(FaultCode::PlaceOccupied, span);
        }
        if from != Some(place) {
            self.note_undo(|_| Undo::Place(index, piece, from));
            self.core_mut().placed[index].put(piece, place);
            self.tell(|| Event::Put {
                placement: placement.0,
                piece,
                from,
                to: place,
            });
        }
        Ok(())
    }

    fn tell(&mut self, event: impl FnOnce() -> Event) {
        if let Some(events) = &mut self.events {
            events.push(event());
        }
    }

    fn emit(&mut self, emit: &'a EmitCode) -> Res<()> {
        match emit {
            EmitCode::Count(counter, member) => {
                if self.events.is_some() {
                    self.count(*counter, member.as_ref())?;
                }
            }
            EmitCode::Log(parts) => {
                let mut line = String::new();
                for part in parts {
                    match part {
                        Said::Text(text) => line.push_str(text),
                        Said::Value(node, ty) => {
                            let value = self.eval(node)?;
                            if self.events.is_some() {
                                self.program.put_value(&value, ty, &mut line);
                            }
                        }
                    }
                }
                self.tell(|| Event::Log(line));
            }
            EmitCode::Signal(name, nodes, types) => {
                let values = self.all(nodes)?;
                let program = self.program;
                self.tell(|| {
                    let texts = values.iter().zip(types);
                    let texts: Vec<String> = texts
                        .map(|(value, ty)| program.value_text(value, ty))
                        .collect();
                    Event::Signal(name.clone(), values.into_iter().zip(texts).collect())
                });
            }
        }
        Ok(())
    }

    /// Tells that a member, or each of several, was counted.
    fn count(&mut self, counter: u32, member: Option<&'a Node>) -> Res<()> {
        let members = match member.map(|node| self.eval(node)).transpose()? {
            Some(Value::Seq(items)) => items.to_vec(),
            Some(one) => vec![one],
            None => vec![Value::Elem(0)],
        };
        for member in members {
            if let Value::Elem(member) = member {
                self.tell(|| Event::Count { counter, member });
            }
        }
        Ok(())
    }

    fn snapshot(&mut self, slot: SnapshotId) {
        let kept = self.program.game.snapshot(slot);
        let cells = |var: &crate::ir::VarId| self.core.vars[self.program.cells(*var)].to_vec();
        let saved = Saved {
            vars: kept.vars.iter().map(cells).collect(),
            placed: kept
                .placements
                .iter()
                .map(|placement| self.core.placed[placement.index()].clone())
                .collect(),
        };
        let slots = &mut self.core_mut().snapshots;
        let before = slots[slot.index()].replace(Arc::new(saved));
        self.note_undo(|_| Undo::Snapshot(slot.index(), before));
    }

    fn give_back(&mut self, slot: SnapshotId, span: Span) -> Res<()> {
        let kept = self.program.game.snapshot(slot);
        let Some(saved) = self.core.snapshots[slot.index()].clone() else {
            return fault(FaultCode::NoValue, span);
        };
        for (var, values) in kept.vars.iter().zip(&saved.vars) {
            for (cell, value) in self.program.cells(*var).zip(values) {
                self.note_undo(|core| Undo::Var(cell, core.vars[cell].clone()));
                self.core_mut().vars[cell] = value.clone();
            }
        }
        for (placement, placed) in kept.placements.iter().zip(&saved.placed) {
            let index = placement.index();
            self.note_undo(|core| Undo::Placed(index, core.placed[index].clone()));
            self.core_mut().placed[index] = placed.clone();
        }
        Ok(())
    }

    fn note(&mut self, trail: TrailId, span: Span) -> Res<()> {
        let kind = self.program.game.trail(trail);
        let now = self.terms(kind.identity);
        let mut noted = Trail::clone(&self.core.trails[trail.index()]);
        if noted.len() >= kind.capacity as usize {
            return fault(FaultCode::SequenceFull, span);
        }
        Arc::make_mut(&mut noted).push(now.into());
        self.set_trail(trail.index(), noted);
        Ok(())
    }

    fn set_trail(&mut self, index: usize, trail: Trail) {
        let before = std::mem::replace(&mut self.core_mut().trails[index], trail);
        self.note_undo(|_| Undo::Trail(index, before));
    }

    /// The terms of an identity in the present position, as bytes.
    pub(super) fn terms(&self, identity: IdentityId) -> Vec<u8> {
        let mut bytes = Vec::new();
        identity::encode_terms(self.program, &self.core, identity, &mut bytes);
        bytes
    }

    /// Leaves a function: back to the statement that called it, or out of this run.
    fn leave(&mut self, value: Option<Value>, floor: usize) -> Step {
        self.pop_frame();
        let frame = match self.frames.last() {
            Some(frame) if self.frames.len() > floor => frame,
            _ => {
                self.returned = value;
                return Step::Returned;
            }
        };
        let caller = &self.program.routines[frame.routine].ops[frame.pc - 1];
        if let (OpKind::Call { into, .. }, Some(value)) = (&caller.kind, value)
            && let Some(local) = into
        {
            self.set_local(local.index(), value);
        }
        Step::Frame
    }

    /// The items of a sequence, each once, in order.
    pub(super) fn items_of(&self, value: Value, span: Span) -> Res<Vec<Value>> {
        match value {
            Value::Set(set) => Ok(set.iter().map(Value::Elem).collect()),
            other => Ok(distinct(as_seq(other, span)?.to_vec())),
        }
    }
}

/// Each item once, in the order in which they come first.
pub(super) fn distinct(items: Vec<Value>) -> Vec<Value> {
    let mut seen = std::collections::BTreeSet::new();
    let fresh = items.into_iter().filter(|item| seen.insert(item.clone()));
    fresh.collect()
}

fn end(reason: EndReason, winners: &Members) -> Outcome {
    Outcome {
        reason: match reason {
            EndReason::Win => Reason::Win,
            EndReason::Draw => Reason::Draw,
            EndReason::Stuck => Reason::Stuck,
            EndReason::Elimination => Reason::Elimination,
            EndReason::Limit => Reason::Limit,
        },
        winners: winners.iter().collect(),
    }
}
