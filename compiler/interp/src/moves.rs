//! Legal moves.

use std::sync::Arc;

use indexmap::IndexSet;

use super::eval::{as_bool, as_int};
use super::family::{Ask, FamilyCode, Question, SourceCode};
use super::layout::Move;
use super::program::Program;
use super::run::{Asked, Halt, Otherwise, Run};
use super::state::{Fault, State, Stop};
use super::value::{Members, Value};
use crate::ir::count::binomial;
use crate::ir::{FamilyId, FaultCode, FuncId, LocalId, WORK_BUDGET};
use crate::source::Span;

/// The legal moves of a position in order, or the fault that a rule ran into.
pub(super) type Legal = Result<Vec<Move>, Fault>;

/// Local variables and the values that they receive.
type Bindings = Vec<(LocalId, Value)>;

impl State {
    /// The legal moves, found at the first call.
    pub(super) fn legal(&self) -> &Arc<Legal> {
        self.legal.get_or_init(|| Arc::new(find_legal(self)))
    }

    /// One legal move of every class, the first in order.
    pub(super) fn distinct(&self) -> Legal {
        let legal = self.legal().as_ref().clone()?;
        let Stop::Choose { code, given, .. } = self.stop.as_ref() else {
            return Ok(legal);
        };
        let program: &Program = &self.program;
        let arms = &program.chooses[*code].arms;
        let mut run = Run::new(&self.program, Arc::clone(&self.core), Otherwise::Ignore);
        let mut classes: IndexSet<Vec<Value>> = IndexSet::new();
        let mut distinct = Vec::with_capacity(legal.len());
        let mut class = Vec::new();
        for mv in legal {
            let Some((arm, args)) = self.arm_of(mv) else {
                continue;
            };
            let family = &program.families[arms[arm].family.index()];
            run.enter(family.locals);
            for (slot, value) in given[arm].iter().cloned().chain(args).enumerate() {
                run.set_local(slot, value);
            }
            class.clear();
            for node in &family.class {
                class.push(run.eval(node).map_err(|halt| halt.into_fault())?);
            }
            if class.is_empty() || (!classes.contains(&class) && classes.insert(class.clone())) {
                distinct.push(mv);
            }
        }
        Ok(distinct)
    }

    /// The arm of the present decision that a move belongs to, and the arguments of the move.
    pub(super) fn arm_of(&self, mv: Move) -> Option<(usize, Vec<Value>)> {
        let Stop::Choose { code, .. } = self.stop.as_ref() else {
            return None;
        };
        let super::MoveParts::Family(family, args) = self
            .program
            .layout
            .unpack(self.program.layout.written(mv.0))?
        else {
            return None;
        };
        let arms = &self.program.chooses[*code].arms;
        let arm = arms.iter().position(|arm| arm.family == family)?;
        Some((arm, args))
    }
}

fn find_legal(state: &State) -> Legal {
    search(state, |search, arm| search.extend(arm, 0, Some(0)))
}

/// The legal moves, with every guard asked as a whole about every candidate.
#[cfg(test)]
pub(super) fn find_legal_plainly(state: &State) -> Legal {
    search(state, |search, arm| search.extend_plainly(arm, 0, Some(0)))
}

fn search<'a>(
    state: &'a State,
    mut extend: impl FnMut(&mut Search<'a>, &Arm<'a>) -> Result<(), Fault>,
) -> Legal {
    let Stop::Choose { code, given, .. } = state.stop.as_ref() else {
        return Ok(Vec::new());
    };
    if state.outcome.is_some() {
        return Ok(Vec::new());
    }
    let program: &Program = &state.program;
    let mut search = Search {
        state,
        program,
        run: Run::new(&state.program, Arc::clone(&state.core), Otherwise::Ignore),
        code: *code,
        answers: Vec::new(),
        found: Vec::new(),
        highest: i64::MIN,
    };
    for (index, (arm, given)) in program.chooses[*code].arms.iter().zip(given).enumerate() {
        let family = &program.families[arm.family.index()];
        search.begin(family, given);
        let arm = Arm {
            index,
            id: arm.family,
            family,
            context: given.len(),
        };
        extend(&mut search, &arm)?;
    }
    program.layout.by_names(&mut search.found);
    Ok(search.found)
}

/// The arm whose candidates are tried.
struct Arm<'a> {
    index: usize,
    id: FamilyId,
    family: &'a FamilyCode,
    context: usize,
}

/// The values of a candidate are the first local variables of the run: the context, then the arguments.
struct Search<'a> {
    state: &'a State,
    program: &'a Program,
    run: Run<'a>,
    code: usize,
    /// What the questions of the family were answered, by the values that they look at.
    answers: Vec<Vec<Option<bool>>>,
    /// The moves of the highest rank so far.
    found: Vec<Move>,
    highest: i64,
}

impl<'a> Search<'a> {
    fn begin(&mut self, family: &'a FamilyCode, given: &[Value]) {
        self.run.enter(family.locals);
        for (slot, value) in given.iter().enumerate() {
            self.run.set_local(slot, value.clone());
        }
        let questions = family.questions.iter();
        self.answers = questions.map(|q| vec![None; q.answers]).collect();
    }

    /// Tries every candidate that begins with the values of so many parameters; their digits make up this number,
    /// if the layout has one for them.
    fn extend(&mut self, arm: &Arm<'a>, bound: usize, digits: Option<u64>) -> Result<(), Fault> {
        for (index, question) in arm.family.questions.iter().enumerate() {
            if question.bound == bound && !self.answer(arm, index, question)? {
                return Ok(());
            }
        }
        match arm.family.params.get(bound) {
            None => self.add(arm, digits),
            Some(source) => self.each(arm, bound, source, |search| {
                let digits = search.digits(arm, bound, digits);
                search.extend(arm, bound + 1, digits)
            }),
        }
    }

    #[cfg(test)]
    fn extend_plainly(
        &mut self,
        arm: &Arm<'a>,
        bound: usize,
        digits: Option<u64>,
    ) -> Result<(), Fault> {
        match (arm.family.params.get(bound), arm.family.guard) {
            (Some(source), _) => self.each(arm, bound, source, |search| {
                let digits = search.digits(arm, bound, digits);
                search.extend_plainly(arm, bound + 1, digits)
            }),
            (None, Some(guard)) if !self.holds(guard.index(), arm)? => Ok(()),
            (None, _) => self.add(arm, digits),
        }
    }

    /// The digits with that of one more parameter.
    fn digits(&self, arm: &Arm<'a>, bound: usize, digits: Option<u64>) -> Option<u64> {
        let value = self.run.first_local(arm.context + bound)?;
        self.program.layout.append(arm.id, bound, digits?, value)
    }

    /// Whether a condition holds, remembered where it may be asked again.
    fn answer(
        &mut self,
        arm: &Arm<'a>,
        index: usize,
        question: &'a Question,
    ) -> Result<bool, Fault> {
        let Some(by) = &question.by else {
            return self.ask(arm, question);
        };
        let mut place = 0;
        for (slot, stride) in by {
            place += self.run.first_number(*slot) as usize * stride;
        }
        if let Some(answer) = self.answers[index][place] {
            return Ok(answer);
        }
        let answer = self.ask(arm, question)?;
        self.answers[index][place] = Some(answer);
        Ok(answer)
    }

    fn ask(&mut self, arm: &Arm<'a>, question: &'a Question) -> Result<bool, Fault> {
        match &question.ask {
            Ask::Holds(node) => self.run.bool(node).map_err(|halt| halt.into_fault()),
            Ask::Routine(routine) => self.holds(*routine, arm),
        }
    }

    /// Whether a routine gives true for the candidate.
    fn holds(&mut self, routine: usize, arm: &Arm<'a>) -> Result<bool, Fault> {
        let values = arm.context + arm.family.params.len();
        let span = arm.family.span;
        expect(self.run.ask_locals(routine, values, span), span, as_bool)
    }

    /// Binds each candidate for a parameter in turn.
    fn each(
        &mut self,
        arm: &Arm<'a>,
        bound: usize,
        source: &'a SourceCode,
        mut f: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let slot = arm.context + bound;
        let values = match source {
            SourceCode::Members(members) => {
                for member in members {
                    self.run.set_first(slot, *member);
                    f(self)?;
                }
                return Ok(());
            }
            SourceCode::Listed { by, table } => {
                let row = self.run.first_number(arm.context + by) as usize;
                if let Value::Set(set) = &self.program.tables[table.index()].values[row] {
                    for member in set.iter() {
                        self.run.set_first(slot, member);
                        f(self)?;
                    }
                }
                return Ok(());
            }
            SourceCode::Is(node) => {
                self.run.fresh();
                match self.run.eval(node).map_err(|halt| halt.into_fault())? {
                    Value::Opt(None) => Vec::new(),
                    Value::Opt(Some(member)) => vec![Value::Elem(member)],
                    value => vec![value],
                }
            }
            SourceCode::Generated(func) => {
                let span = self.program.game.function(*func).span;
                match self.run.ask_locals(func.index(), slot, span)? {
                    Some(items) => self
                        .run
                        .items_of(items, span)
                        .map_err(|halt| halt.into_fault())?,
                    None => Vec::new(),
                }
            }
            SourceCode::Subset { of, size } => {
                self.run.fresh();
                let set = self.run.set(of).map_err(|halt| halt.into_fault())?;
                let count = self.run.num(size).map_err(|halt| halt.into_fault())?;
                subsets(&set, count, size.span)?
            }
        };
        for value in values {
            self.run.set_local(slot, value);
            f(self)?;
        }
        Ok(())
    }

    /// Adds a candidate for which the guard holds if it is legal but for its rank.
    fn add(&mut self, arm: &Arm<'a>, digits: Option<u64>) -> Result<(), Fault> {
        let values = arm.context + arm.family.params.len();
        if let Some(after) = arm.family.after
            && !self.holds_after(arm, after)?
        {
            return Ok(());
        }
        let rank = match arm.family.rank {
            Some(rank) => {
                let span = self.program.game.function(rank).span;
                let value = self.run.ask_locals(rank.index(), values, span);
                expect(value, span, as_int)?
            }
            None => 0,
        };
        let Some(mv) = digits.and_then(|digits| self.program.layout.at(arm.id, digits)) else {
            return Ok(());
        };
        if rank > self.highest {
            self.highest = rank;
            self.found.clear();
        }
        if rank == self.highest {
            self.found.push(mv);
        }
        Ok(())
    }

    /// Plays the candidate on a copy and asks there.
    fn holds_after(&mut self, arm: &Arm<'a>, after: FuncId) -> Result<bool, Fault> {
        let state = self.state;
        let code = &state.program.chooses[self.code];
        let mut run = Run::new(&state.program, Arc::clone(&state.core), Otherwise::Ignore);
        let (entry, bind) = (code.arms[arm.index].entry, &code.arms[arm.index].bind);
        let values = arm.context + arm.family.params.len();
        let values: Vec<Value> = self.run.first_locals(values).cloned().collect();
        match arm.family.effect {
            Some(effect) => run.do_on(effect, &values)?,
            None => {
                let args = values[arm.context..].iter().cloned();
                let bind: Vec<_> = bind.iter().copied().zip(args).collect();
                run.resume(&state.control, code.routine, entry, &bind)?;
            }
        }
        run.begin();
        let value = run.ask_on(after, &values);
        expect(value, state.program.game.function(after).span, as_bool)
    }
}

impl<'a> Run<'a> {
    /// The candidates for a parameter; the values before it are the first local variables, `bound` of them with
    /// `context` values of the context.
    pub(super) fn candidates(
        &mut self,
        family: FamilyId,
        param: usize,
        bound: usize,
        context: usize,
    ) -> Result<Vec<Value>, Fault> {
        let program: &'a Program = self.program;
        Ok(match &program.families[family.index()].params[param] {
            SourceCode::Members(members) => members.iter().copied().map(Value::Elem).collect(),
            SourceCode::Listed { by, table } => {
                let row = self.first_number(context + by) as usize;
                match &program.tables[table.index()].values[row] {
                    Value::Set(set) => set.iter().map(Value::Elem).collect(),
                    _ => Vec::new(),
                }
            }
            SourceCode::Is(node) => match self.eval(node).map_err(|halt| halt.into_fault())? {
                Value::Opt(None) => Vec::new(),
                Value::Opt(Some(member)) => vec![Value::Elem(member)],
                value => vec![value],
            },
            SourceCode::Generated(func) => {
                let span = program.game.function(*func).span;
                match self.ask_locals(func.index(), bound, span)? {
                    Some(items) => self
                        .items_of(items, span)
                        .map_err(|halt| halt.into_fault())?,
                    None => Vec::new(),
                }
            }
            SourceCode::Subset { of, size } => {
                let set = self.set(of).map_err(|halt| halt.into_fault())?;
                let count = self.num(size).map_err(|halt| halt.into_fault())?;
                subsets(&set, count, size.span)?
            }
        })
    }
}

fn expect<T>(
    value: Asked,
    span: Span,
    payload: fn(Value, Span) -> Result<T, Box<Halt>>,
) -> Result<T, Fault> {
    let wrong = Fault {
        code: FaultCode::WrongType,
        span,
    };
    let value = value?.ok_or(wrong)?;
    payload(value, span).map_err(|halt| halt.into_fault())
}

/// All subsets of a size in the order of their ranks.
fn subsets(set: &Members, size: i64, span: Span) -> Result<Vec<Value>, Fault> {
    let members: Vec<u32> = set.iter().collect();
    let Some(size) = u64::try_from(size)
        .ok()
        .filter(|k| *k <= members.len() as u64)
    else {
        return Ok(Vec::new());
    };
    let count = binomial(members.len() as u64, size);
    let Some(count) = count.filter(|count| *count <= u64::from(WORK_BUDGET)) else {
        let code = FaultCode::WorkLimit;
        return Err(Fault { code, span });
    };
    let mut picked: Vec<usize> = (0..size as usize).collect();
    let mut result = Vec::new();
    for _ in 0..count {
        result.push(Value::Set(picked.iter().map(|&i| members[i]).collect()));
        advance(&mut picked);
    }
    Ok(result)
}

/// The next ascending list of positions in the order of ranks.
fn advance(picked: &mut [usize]) {
    for i in 0..picked.len() {
        if picked.get(i + 1).is_none_or(|&next| picked[i] + 1 < next) {
            picked[i] += 1;
            for (j, position) in picked[..i].iter_mut().enumerate() {
                *position = j;
            }
            return;
        }
    }
}

impl State {
    /// The state after a move or a draw, if that is one of the present stop.
    pub(super) fn after(&self, mv: Move, listen: bool) -> Option<(State, Vec<super::Event>)> {
        let mut run = Run::new(&self.program, Arc::clone(&self.core), Otherwise::Run);
        if listen {
            run.listen();
        }
        self.after_in(run, mv, Run::take_events)
    }

    /// The same in a run that was prepared, and what is taken out of it; nothing of that after a fault.
    pub(super) fn after_in<'a, T: Default>(
        &self,
        mut run: Run<'a>,
        mv: Move,
        take: impl FnOnce(&mut Run<'a>) -> T,
    ) -> Option<(State, T)> {
        if self.outcome.is_some() {
            return None;
        }
        let (routine, entry, bind) = self.entry(mv)?;
        Some(match run.resume(&self.control, routine, entry, &bind) {
            Ok(exit) => {
                let taken = take(&mut run);
                (run.into_state(exit), taken)
            }
            Err(fault) => (self.faulted(fault), T::default()),
        })
    }

    /// The position as it is, ended by a fault.
    pub(super) fn faulted(&self, fault: Fault) -> State {
        let mut state = self.clone();
        state.outcome = Some(Arc::new(super::Outcome::fault(fault)));
        state.legal = std::sync::OnceLock::new();
        state
    }

    /// Where play goes on with a move: the routine, the place and the local variables it binds.
    fn entry(&self, mv: Move) -> Option<(usize, usize, Bindings)> {
        match self.stop.as_ref() {
            Stop::Choose { code, .. } => {
                let (arm, args) = self.arm_of(mv)?;
                let code = &self.program.chooses[*code];
                let arm = &code.arms[arm];
                let bind = arm.bind.iter().copied().zip(args).collect();
                Some((code.routine, arm.entry, bind))
            }
            Stop::Chance { code, results } => {
                let code = &self.program.chances[*code];
                let super::MoveParts::Draw(draw, value) = self.program.layout.unpack(mv.0)? else {
                    return None;
                };
                let possible = results.iter().any(|(result, _)| *result == value);
                if draw != code.draw || !possible {
                    return None;
                }
                Some((code.routine, code.resume, vec![(code.into, value)]))
            }
            Stop::Broken(_) | Stop::Over => None,
        }
    }
}
