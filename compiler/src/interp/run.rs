//! Running code: from a stop, or from the start of a function, to the next stop or its end.

use std::sync::Arc;

use super::eval::{Res, as_seq, fault};
use super::identity;
use super::moves::Legal;
use super::program::{Charge, Op, OpKind, PointCode, Program};
use super::state::{Control, Core, Event, Fault, Outcome, Reason, Saved, SavedFrame, State, Stop};
use super::value::{Members, Value};
use crate::ir::{
    Count, Distribution, Emit, EndReason, FaultCode, FuncId, IdentityId, LocalId, LogPart,
    OTHERWISE_WORK, Over, PlacementForm, PlacementId, RECURSION_LIMIT, SnapshotId, TrailId, Type,
    WORK_BUDGET,
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

/// Why code stopped running.
pub(super) enum Exit {
    /// The function that was called is done.
    Returned(Option<Value>),
    /// Play waits for a decision or a draw.
    Stopped(Control, Stop),
    /// The rules ended the game.
    Ended(Outcome),
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
    pub(super) core: Core,
    pub(super) env: Vec<Option<Value>>,
    locals: Vec<Option<Value>>,
    frames: Vec<Frame>,
    base: usize,
    trials: Vec<Trial>,
    depth: u32,
    work: u32,
    otherwise: Otherwise,
    events: Option<Vec<Event>>,
    /// The legal moves of the decision at which it stopped, if they are known.
    legal: Option<Arc<Legal>>,
}

struct Frame {
    routine: usize,
    pc: usize,
    base: usize,
}

/// What a trial gives back when it fails or is dropped.
struct Trial {
    core: Core,
    env: Vec<Option<Value>>,
    locals: Vec<Option<Value>>,
    frames: usize,
    depth: u32,
    events: usize,
    keep: bool,
    ok: LocalId,
    exit: usize,
}

/// Where a step leads.
enum Step {
    Next,
    To(usize),
    /// Another frame is on top.
    Frame,
    Exit(Exit),
}

impl<'a> Run<'a> {
    pub(super) fn new(program: &'a Arc<Program>, core: Core, otherwise: Otherwise) -> Run<'a> {
        Run {
            program,
            core,
            env: vec![None; program.game.env.len()],
            locals: Vec::new(),
            frames: Vec::new(),
            base: 0,
            trials: Vec::new(),
            depth: 0,
            work: 0,
            otherwise,
            events: None,
            legal: None,
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
        let (control, stop, outcome) = match exit {
            Exit::Stopped(control, stop) => (control, stop, None),
            Exit::Ended(outcome) => (Control::Nowhere, Stop::Over, Some(outcome)),
            Exit::Returned(_) => (Control::Nowhere, Stop::Over, Some(Outcome::draw())),
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
        state
    }

    /// Begins a chain of evaluation: an empty environment, all of the budget.
    pub(super) fn begin(&mut self) {
        self.env.fill(None);
        self.work = 0;
        self.depth = 0;
        self.trials.clear();
        self.frames.clear();
        self.locals.clear();
        self.base = 0;
    }

    /// Makes these the local variables of expressions outside functions.
    pub(super) fn enter_values(&mut self, values: &[Value]) {
        self.begin();
        self.locals.extend(values.iter().cloned().map(Some));
    }

    /// The value of a function in a fresh chain of evaluation.
    pub(super) fn ask(&mut self, func: FuncId, args: Vec<Value>) -> Result<Option<Value>, Fault> {
        self.begin();
        self.ask_on(func, args)
    }

    /// The value of a function in the present environment.
    pub(super) fn ask_on(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
    ) -> Result<Option<Value>, Fault> {
        let span = self.program.game.function(func).span;
        self.call(func, args, span)
            .map_err(|halt| halt.into_fault())
    }

    /// Runs the rules from their start.
    pub(super) fn start(&mut self) -> Result<Exit, Fault> {
        self.begin();
        match self.program.machine() {
            Some(machine) => self.push_frame(machine, 0, Vec::new()),
            None => self.push_frame(self.program.game.process.index(), 0, Vec::new()),
        }
        self.run(0).map_err(|halt| halt.into_fault())
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
            self.set_local(*local, value.clone());
        }
        self.run(0).map_err(|halt| halt.into_fault())
    }

    /// Builds the frames of a control, the innermost one at `pc`.
    pub(super) fn restore(&mut self, control: &Control, routine: usize, pc: usize) {
        self.begin();
        match control {
            Control::Frames(frames) => {
                for frame in frames {
                    self.push_frame(frame.routine, frame.pc, Vec::new());
                    for (slot, value) in &frame.locals {
                        self.locals[self.base + slot] = Some(value.clone());
                    }
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc = pc;
                }
            }
            Control::Point(_) | Control::Nowhere => self.push_frame(routine, pc, Vec::new()),
        }
    }

    pub(super) fn local(&self, local: LocalId, span: Span) -> Res<Value> {
        match self.locals.get(self.base + local.index()) {
            Some(Some(value)) => Ok(value.clone()),
            _ => fault(FaultCode::UnsetVariable, span),
        }
    }

    pub(super) fn set_local(&mut self, local: LocalId, value: Value) {
        self.set_slot(local.index(), Some(value));
    }

    fn set_slot(&mut self, slot: usize, value: Option<Value>) {
        let at = self.base + slot;
        if at >= self.locals.len() {
            self.locals.resize(at + 1, None);
        }
        self.locals[at] = value;
    }

    fn push_frame(&mut self, routine: usize, pc: usize, args: Vec<Value>) {
        let base = self.locals.len();
        let slots = self.program.routines[routine].slots;
        self.locals.extend(args.into_iter().map(Some));
        self.locals.resize(base + slots, None);
        self.frames.push(Frame { routine, pc, base });
        self.base = base;
    }

    fn pop_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.locals.truncate(frame.base);
            if self.program.recursive.get(frame.routine) == Some(&true) {
                self.depth -= 1;
            }
        }
        self.base = self.frames.last().map_or(0, |frame| frame.base);
    }

    /// Spends units of the work budget.
    fn spend(&mut self, units: u32, span: Span) -> Res<()> {
        self.work += units;
        match self.work > WORK_BUDGET {
            true => fault(FaultCode::WorkLimit, span),
            false => Ok(()),
        }
    }

    fn enter(&mut self, func: FuncId, args: Vec<Value>, span: Span) -> Res<()> {
        if self.program.recursive[func.index()] {
            self.spend(1, span)?;
            if self.depth >= RECURSION_LIMIT {
                return fault(FaultCode::RecursionLimit, span);
            }
            self.depth += 1;
        }
        self.push_frame(func.index(), 0, args);
        Ok(())
    }

    /// Calls a function that does not suspend and runs it to its end.
    pub(super) fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        span: Span,
    ) -> Res<Option<Value>> {
        let (floor, outer) = (self.frames.len(), self.base);
        self.enter(func, args, span)?;
        let exit = self.run(floor)?;
        self.base = outer;
        match exit {
            Exit::Returned(value) => Ok(value),
            Exit::Stopped(..) | Exit::Ended(_) => fault(FaultCode::WrongType, span),
        }
    }

    /// Runs the top frame, and those that it pushes, until only `floor` frames are left.
    fn run(&mut self, floor: usize) -> Res<Exit> {
        let program: &'a Program = self.program;
        let trials = self.trials.len();
        loop {
            let Some(frame) = self.frames.last() else {
                return Ok(Exit::Returned(None));
            };
            let pc = frame.pc;
            let op = &program.routines[frame.routine].ops[pc];
            let step = match self.step(op, floor) {
                Err(halt) => match *halt {
                    Halt::Fail(_) if self.trials.len() > trials => self.fail_trial(),
                    _ => return Err(halt),
                },
                Ok(step) => step,
            };
            let to = match step {
                Step::Next => pc + 1,
                Step::To(to) => to,
                Step::Frame => continue,
                Step::Exit(exit) => return Ok(exit),
            };
            if let Some(frame) = self.frames.last_mut() {
                frame.pc = to;
            }
        }
    }

    fn step(&mut self, op: &'a Op, floor: usize) -> Res<Step> {
        let span = op.span;
        match &op.kind {
            OpKind::Let(local, value) => {
                let value = self.eval(value)?;
                let routine = self.frames.last().map_or(0, |frame| frame.routine);
                self.store_check(&value, self.local_type(routine, *local), span)?;
                self.set_local(*local, value);
            }
            OpKind::Test(cond, to) => {
                if !self.bool(cond)? {
                    return Ok(Step::To(*to));
                }
            }
            OpKind::Jump(to) => return Ok(Step::To(*to)),
            OpKind::Call { func, args, .. } => {
                let args = self.all(args)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.pc += 1;
                }
                self.enter(*func, args, span)?;
                return Ok(Step::Frame);
            }
            OpKind::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.eval(value)?),
                    None => None,
                };
                return Ok(self.leave(value, floor));
            }
            OpKind::End(reason, winners) => {
                let winners = self.set(winners)?;
                return Ok(Step::Exit(Exit::Ended(end(*reason, &winners))));
            }
            OpKind::Fault(code) => return fault(code.clone(), span),
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
            OpKind::Choose(code) => return self.due(self.save(), PointCode::Choose(*code)),
            OpKind::Chance(code) => return self.due(self.save(), PointCode::Chance(*code)),
            OpKind::Stop(point) => {
                // Nothing local lives across a stop of the machine.
                self.locals.fill(None);
                let code = self.program.points[point.index()];
                return self.due(Control::Point(*point), code);
            }
            _ => return self.step_write(op),
        }
        Ok(Step::Next)
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
                let (from, to) = (self.int(from)?, self.int(to)?);
                let none = match count {
                    Count::Up => from > to,
                    Count::Down => from < to,
                    Count::Toward => false,
                };
                if none {
                    return Ok(Step::To(*exit));
                }
                self.set_slot(*slot, Some(Value::Int(from)));
                self.set_slot(slot + 1, Some(Value::Int(to)));
            }
            OpKind::ForRound {
                slot,
                local,
                charge,
            } => {
                self.charge(*charge, op.span)?;
                let value = Value::Int(self.counter(*slot));
                self.set_local(*local, value);
            }
            OpKind::ForStep { slot, round } => {
                let (now, end) = (self.counter(*slot), self.counter(slot + 1));
                if now != end {
                    let next = if now < end { now + 1 } else { now - 1 };
                    self.set_slot(*slot, Some(Value::Int(next)));
                    return Ok(Step::To(*round));
                }
            }
            OpKind::EachStart { slot, over } => {
                let mut items = self.items(over)?;
                items.reverse();
                self.set_slot(*slot, Some(Value::Seq(Arc::new(items))));
            }
            OpKind::EachRound { slot, local, exit } => {
                let at = self.base + slot;
                let item = match &mut self.locals[at] {
                    Some(Value::Seq(items)) => Arc::make_mut(items).pop(),
                    _ => None,
                };
                match item {
                    Some(item) => self.set_local(*local, item),
                    None => return Ok(Step::To(*exit)),
                }
            }
            OpKind::CountFrom { slot } => self.set_slot(*slot, None),
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
                self.set_slot(*slot, Some(Value::Int(rounds + 1)));
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
                self.set_slot(slot, Some(Value::Int(rounds)));
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

    fn step_write(&mut self, op: &'a Op) -> Res<Step> {
        let span = op.span;
        match &op.kind {
            OpKind::SetEnv(var, value) => {
                let value = self.eval(value)?;
                self.store_check(&value, &self.program.game.env[var.index()].ty, span)?;
                self.env[var.index()] = Some(value);
            }
            OpKind::SetVar(var, index, value) => {
                let cell = self.cell(&self.program.vars[var.index()], index)?;
                let value = self.eval(value)?;
                let Some(cell) = cell else {
                    return fault(FaultCode::IndexOutside, span);
                };
                self.store_check(&value, &self.program.game.var(*var).ty, span)?;
                self.core.vars[cell] = value;
            }
            OpKind::Put(placement, piece, place) => {
                let (piece, place) = (self.elem(piece)?, self.elem(place)?);
                self.put(*placement, piece, place, span)?;
            }
            OpKind::Take(placement, piece) => {
                let piece = self.elem(piece)?;
                let placed = &mut self.core.placed[placement.index()];
                if let Some(from) = placed.place_of(piece) {
                    placed.take(piece);
                    self.tell(|| Event::Take {
                        placement: placement.0,
                        piece,
                        from,
                    });
                }
            }
            OpKind::SetContent(placement, place, kind) => {
                let (place, after) = (self.elem(place)?, self.opt(kind)?);
                let placed = &mut self.core.placed[placement.index()];
                let before = placed.content(place);
                placed.set_content(place, after);
                if before != after {
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
            OpKind::Forget(trail) => self.core.trails[trail.index()] = Arc::default(),
            _ => {}
        }
        Ok(Step::Next)
    }

    fn local_type(&self, routine: usize, local: LocalId) -> &'a Type {
        let game = &self.program.game;
        let locals = match (game.functions.get(routine), &game.machine) {
            (Some(function), _) => &function.locals,
            (None, Some(machine)) => &machine.locals,
            (None, None) => return &Type::Bool,
        };
        &locals[local.index()].ty
    }

    fn store_check(&self, value: &Value, ty: &Type, span: Span) -> Res<()> {
        match value.check(ty) {
            Ok(()) => Ok(()),
            Err(code) => fault(code, span),
        }
    }

    fn put(&mut self, placement: PlacementId, piece: u32, place: u32, span: Span) -> Res<()> {
        let form = self.program.game.placement(placement).form;
        let placed = &mut self.core.placed[placement.index()];
        let (from, there) = (placed.place_of(piece), placed.content(place));
        if form == PlacementForm::One && there.is_some_and(|other| other != piece) {
            return fault(FaultCode::PlaceOccupied, span);
        }
        placed.put(piece, place);
        if from != Some(place) {
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

    fn emit(&mut self, emit: &'a Emit) -> Res<()> {
        match emit {
            Emit::Log(parts) => {
                let mut line = String::new();
                for part in parts {
                    match part {
                        LogPart::Text(text) => line.push_str(text),
                        LogPart::Value(expr) => {
                            let value = self.eval(expr)?;
                            line.push_str(&self.program.value_text(&value, &expr.ty));
                        }
                    }
                }
                self.tell(|| Event::Log(line));
            }
            Emit::Signal(name, exprs) => {
                let values = self.all(exprs)?;
                let program = self.program;
                self.tell(|| {
                    let texts = values.iter().zip(exprs);
                    let texts: Vec<String> = texts
                        .map(|(value, expr)| program.value_text(value, &expr.ty))
                        .collect();
                    Event::Signal(name.clone(), values.into_iter().zip(texts).collect())
                });
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
        self.core.snapshots[slot.index()] = Some(Arc::new(saved));
    }

    fn give_back(&mut self, slot: SnapshotId, span: Span) -> Res<()> {
        let kept = self.program.game.snapshot(slot);
        let Some(saved) = self.core.snapshots[slot.index()].clone() else {
            return fault(FaultCode::NoValue, span);
        };
        for (var, values) in kept.vars.iter().zip(&saved.vars) {
            self.core.vars[self.program.cells(*var)].clone_from_slice(values);
        }
        for (placement, placed) in kept.placements.iter().zip(&saved.placed) {
            self.core.placed[placement.index()] = placed.clone();
        }
        Ok(())
    }

    fn note(&mut self, trail: TrailId, span: Span) -> Res<()> {
        let kind = self.program.game.trail(trail);
        let now = self.terms(kind.identity);
        let noted = Arc::make_mut(&mut self.core.trails[trail.index()]);
        if noted.len() >= kind.capacity as usize {
            return fault(FaultCode::SequenceFull, span);
        }
        noted.push(now);
        Ok(())
    }

    /// The terms of an identity in the present position, as bytes.
    pub(super) fn terms(&self, identity: IdentityId) -> Vec<u8> {
        let mut bytes = Vec::new();
        identity::encode_terms(self.program, &self.core, identity, &mut bytes);
        bytes
    }

    fn start_trial(&mut self, keep: bool, ok: LocalId, exit: usize) {
        self.trials.push(Trial {
            core: self.core.clone(),
            env: self.env.clone(),
            locals: self.locals.clone(),
            frames: self.frames.len(),
            depth: self.depth,
            events: self.events.as_ref().map_or(0, Vec::len),
            keep,
            ok,
            exit,
        });
    }

    fn end_trial(&mut self, ok: LocalId, value: Option<(LocalId, Value)>) {
        if let Some(trial) = self.trials.pop()
            && !trial.keep
        {
            self.drop_writes(trial);
        }
        self.set_local(ok, Value::Bool(true));
        if let Some((local, value)) = value {
            self.set_local(local, value);
        }
    }

    fn drop_writes(&mut self, trial: Trial) {
        self.core = trial.core;
        self.env = trial.env;
        self.locals = trial.locals;
        self.depth = trial.depth;
        self.frames.truncate(trial.frames);
        self.base = self.frames.last().map_or(0, |frame| frame.base);
        if let Some(events) = &mut self.events {
            events.truncate(trial.events);
        }
    }

    fn fail_trial(&mut self) -> Step {
        let Some(trial) = self.trials.pop() else {
            return Step::Next;
        };
        let (ok, exit) = (trial.ok, trial.exit);
        self.drop_writes(trial);
        self.set_local(ok, Value::Bool(false));
        Step::To(exit)
    }

    /// Leaves a function: back to the statement that called it, or out of this run.
    fn leave(&mut self, value: Option<Value>, floor: usize) -> Step {
        self.pop_frame();
        let frame = match self.frames.last() {
            Some(frame) if self.frames.len() > floor => frame,
            _ => return Step::Exit(Exit::Returned(value)),
        };
        let caller = &self.program.routines[frame.routine].ops[frame.pc - 1];
        if let (OpKind::Call { into, .. }, Some(value)) = (&caller.kind, value)
            && let Some(local) = into
        {
            self.set_local(*local, value);
        }
        Step::Frame
    }

    /// Stops for a decision or a draw, or runs what happens without a legal move.
    fn due(&mut self, control: Control, point: PointCode) -> Res<Step> {
        if self.otherwise == Otherwise::Ignore {
            return Ok(Step::Exit(Exit::Stopped(control, Stop::Over)));
        }
        let work = std::mem::take(&mut self.work);
        self.env.fill(None);
        // Those of a decision that was passed over are not those of this one.
        self.legal = None;
        let stop = self.waits_for(point);
        let PointCode::Choose(code) = point else {
            return Ok(Step::Exit(Exit::Stopped(control, stop)));
        };
        let code = &self.program.chooses[code];
        match code.otherwise {
            Some(otherwise) if self.is_stuck(&control, &stop) => {
                self.restore(&control, code.routine, otherwise);
                self.work = work;
                self.spend(OTHERWISE_WORK, code.players.span)?;
                Ok(Step::Frame)
            }
            _ => Ok(Step::Exit(Exit::Stopped(control, stop))),
        }
    }

    /// What play waits for here.
    pub(super) fn waits_for(&mut self, point: PointCode) -> Stop {
        let stop = match point {
            PointCode::Choose(code) => self.decision(code),
            PointCode::Chance(code) => self.draw(code),
        };
        stop.unwrap_or_else(|halt| Stop::Broken(halt.into_fault()))
    }

    /// Whether `otherwise` is due: no legal move, and no fault of a rule either.
    fn is_stuck(&mut self, control: &Control, stop: &Stop) -> bool {
        if !matches!(stop, Stop::Choose { .. }) {
            return false;
        }
        let core = self.core.clone();
        let state = State::at(self.program, core, control.clone(), stop.clone());
        let legal = state.legal();
        self.legal = Some(Arc::clone(legal));
        matches!(legal.as_ref(), Ok(moves) if moves.is_empty())
    }

    fn decision(&mut self, index: usize) -> Res<Stop> {
        let code = &self.program.chooses[index];
        let players = match self.eval(&code.players)? {
            Value::Elem(player) => [player].into_iter().collect(),
            Value::Set(players) => players,
            _ => return fault(FaultCode::WrongType, code.players.span),
        };
        let mut given = Vec::with_capacity(code.arms.len());
        for arm in &code.arms {
            given.push(self.all(&arm.given)?);
        }
        Ok(Stop::Choose {
            code: index,
            players,
            given,
        })
    }

    fn draw(&mut self, index: usize) -> Res<Stop> {
        let code = &self.program.chances[index];
        let (draw, span) = (code.chance.draw, code.span());
        let ty = &self.program.game.draw(draw).ty;
        let mut results = Vec::new();
        let mut total = 0_u64;
        match &code.chance.dist {
            Distribution::Uniform(from, to) => {
                let (from, to) = (self.int(from)?, self.int(to)?);
                if from <= to {
                    self.store_check(&Value::Int(from), ty, span)?;
                    self.store_check(&Value::Int(to), ty, span)?;
                }
                results.extend((from..=to).map(|i| (Value::Int(i), 1)));
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                for item in self.weighted_items(over)? {
                    self.set_local(*local, item.clone());
                    let weight = self.int(weight)?;
                    let Ok(weight) = u64::try_from(weight) else {
                        return fault(FaultCode::OutOfRange, span);
                    };
                    let Some(sum) = total.checked_add(weight) else {
                        return fault(FaultCode::Overflow, span);
                    };
                    total = sum;
                    if weight > 0 {
                        self.store_check(&item, ty, span)?;
                        results.push((item, weight));
                    }
                }
            }
        }
        match results.is_empty() {
            true => fault(FaultCode::NoValue, span),
            false => Ok(Stop::Chance {
                code: index,
                results,
            }),
        }
    }

    fn weighted_items(&mut self, over: &'a Over) -> Res<Vec<Value>> {
        let mut items = self.items(over)?;
        if matches!(over, Over::Seq(_)) {
            items = distinct(items);
        }
        Ok(items)
    }

    /// The frames as data, with the local variables that may still be read.
    fn save(&self) -> Control {
        let top = self.frames.len() - 1;
        let frames = self.frames.iter().enumerate().map(|(depth, frame)| {
            let routine = &self.program.routines[frame.routine];
            let mut live = routine.live[frame.pc].clone();
            if depth < top
                && let OpKind::Call {
                    into: Some(into), ..
                } = &routine.ops[frame.pc - 1].kind
            {
                let into: Members = [into.0].into_iter().collect();
                live = live.combine(&into, |a, b| a & !b);
            }
            let value = |slot: u32| self.locals[frame.base + slot as usize].clone();
            SavedFrame {
                routine: frame.routine,
                pc: frame.pc,
                locals: live
                    .iter()
                    .filter_map(|slot| Some((slot as usize, value(slot)?)))
                    .collect(),
            }
        });
        Control::Frames(frames.collect())
    }

    /// The items of a sequence, each once, in order.
    pub(super) fn items_of(&self, value: Value, span: Span) -> Res<Vec<Value>> {
        match value {
            Value::Set(set) => Ok(set.iter().map(Value::Elem).collect()),
            other => Ok(distinct(as_seq(other, span)?.to_vec())),
        }
    }
}

fn distinct(items: Vec<Value>) -> Vec<Value> {
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
