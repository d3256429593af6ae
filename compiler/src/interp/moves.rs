//! Legal moves.

use std::sync::Arc;

use super::eval::{as_bool, as_elem, as_int, as_set};
use super::layout::Move;
use super::run::{Halt, Otherwise, Run};
use super::state::{Fault, State, Stop};
use super::value::{Members, Value};
use crate::ir::count::binomial;
use crate::ir::{Family, FaultCode, LocalId, ParamSource, WORK_BUDGET};
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
        let mut run = Run::new(&self.program, self.core.clone(), Otherwise::Ignore);
        let mut classes = std::collections::BTreeSet::new();
        let mut distinct = Vec::with_capacity(legal.len());
        for mv in legal {
            let Some((family, values)) = self.candidate(mv) else {
                continue;
            };
            let class: Vec<Value> = family
                .class
                .iter()
                .map(|expr| {
                    run.enter_values(&values);
                    run.eval(expr).map_err(|halt| halt.into_fault())
                })
                .collect::<Result<_, _>>()?;
            if family.class.is_empty() || classes.insert(class) {
                distinct.push(mv);
            }
        }
        Ok(distinct)
    }

    /// The family of a move of the present decision, and its context and arguments.
    fn candidate(&self, mv: Move) -> Option<(&Family, Vec<Value>)> {
        let (arm, args) = self.arm_of(mv)?;
        let Stop::Choose { code, given, .. } = self.stop.as_ref() else {
            return None;
        };
        let family = self.program.chooses[*code].arms[arm].family;
        let values = given[arm].iter().cloned().chain(args).collect();
        Some((self.program.game.family(family), values))
    }

    /// The arm of the present decision that a move belongs to, and the arguments of the move.
    pub(super) fn arm_of(&self, mv: Move) -> Option<(usize, Vec<Value>)> {
        let Stop::Choose { code, .. } = self.stop.as_ref() else {
            return None;
        };
        let super::MoveParts::Family(family, args) = self.program.layout.unpack(mv.0)? else {
            return None;
        };
        let arms = &self.program.chooses[*code].arms;
        let arm = arms.iter().position(|arm| arm.family == family)?;
        Some((arm, args))
    }
}

fn find_legal(state: &State) -> Legal {
    let Stop::Choose { code, given, .. } = state.stop.as_ref() else {
        return Ok(Vec::new());
    };
    if state.outcome.is_some() {
        return Ok(Vec::new());
    }
    let mut search = Search {
        state,
        run: Run::new(&state.program, state.core.clone(), Otherwise::Ignore),
        code: *code,
        found: Vec::new(),
    };
    for (arm, given) in given.iter().enumerate() {
        search.extend(arm, given.len(), &mut given.clone())?;
    }
    let highest = search.found.iter().map(|(_, rank)| *rank).max();
    let legal = search.found.into_iter();
    let legal = legal.filter(|(_, rank)| Some(*rank) == highest);
    Ok(legal.map(|(mv, _)| mv).collect())
}

struct Search<'a> {
    state: &'a State,
    run: Run<'a>,
    code: usize,
    found: Vec<(Move, i64)>,
}

impl<'a> Search<'a> {
    fn family(&self, arm: usize) -> &'a Family {
        let program = &self.state.program;
        let family = program.chooses[self.code].arms[arm].family;
        program.game.family(family)
    }

    /// Tries every candidate that begins with these values; the first `context` are no arguments.
    fn extend(&mut self, arm: usize, context: usize, values: &mut Vec<Value>) -> Result<(), Fault> {
        let family = self.family(arm);
        let Some(param) = family.params.get(values.len() - context) else {
            return self.test(arm, context, values);
        };
        for value in self.candidates(&param.source, family, context, values)? {
            values.push(value);
            self.extend(arm, context, values)?;
            values.pop();
        }
        Ok(())
    }

    fn candidates(
        &mut self,
        source: &'a ParamSource,
        family: &'a Family,
        context: usize,
        values: &[Value],
    ) -> Result<Vec<Value>, Fault> {
        let program = &self.state.program;
        let members = |set: &Members| set.iter().map(Value::Elem).collect();
        match source {
            ParamSource::All => {
                let param = &family.params[values.len() - context];
                let len = match param.ty {
                    crate::ir::Type::Elem(domain) => program.domain_len(domain),
                    _ => 0,
                };
                Ok((0..len as u32).map(Value::Elem).collect())
            }
            ParamSource::Among(list) => Ok(list.iter().copied().map(Value::Elem).collect()),
            ParamSource::Is(expr) => {
                self.run.enter_values(values);
                match self.run.eval(expr).map_err(|halt| halt.into_fault())? {
                    Value::Opt(None) => Ok(Vec::new()),
                    Value::Opt(Some(member)) => Ok(vec![Value::Elem(member)]),
                    value => Ok(vec![value]),
                }
            }
            ParamSource::Listed { by, table } => {
                let table = &program.tables[table.index()];
                let row = as_elem(values[context + by].clone(), family.span);
                let row = row.map_err(|halt| halt.into_fault())?;
                match &table.values[row as usize] {
                    Value::Set(set) => Ok(members(set)),
                    _ => Ok(Vec::new()),
                }
            }
            ParamSource::Generated(func) => {
                let items = self.run.ask(*func, values.to_vec())?;
                let span = program.game.function(*func).span;
                let items = items.map(|items| self.run.items_of(items, span));
                let items = items.unwrap_or_else(|| Ok(Vec::new()));
                items.map_err(|halt| halt.into_fault())
            }
            ParamSource::Subset { of, size } => {
                self.run.enter_values(values);
                let set = self.run.eval(of).and_then(|set| as_set(set, of.span));
                let set = set.map_err(|halt| halt.into_fault())?;
                let size_value = self.run.eval(size).and_then(|n| as_int(n, size.span));
                let count = size_value.map_err(|halt| halt.into_fault())?;
                subsets(&set, count, size.span)
            }
        }
    }

    /// Adds the candidate if it is legal but for its rank.
    fn test(&mut self, arm: usize, context: usize, values: &[Value]) -> Result<(), Fault> {
        let family = self.family(arm);
        if let Some(guard) = family.guard
            && !self.holds(guard, values)?
        {
            return Ok(());
        }
        if let Some(after) = family.after
            && !self.holds_after(arm, context, after, values)?
        {
            return Ok(());
        }
        let rank = match family.rank {
            Some(rank) => {
                let value = self.run.ask(rank, values.to_vec())?;
                expect(value, self.state.program.game.function(rank).span, as_int)?
            }
            None => 0,
        };
        let program = &self.state.program;
        let id = program.chooses[self.code].arms[arm].family;
        if let Some(mv) = program.layout.pack(id, &values[context..]) {
            self.found.push((mv, rank));
        }
        Ok(())
    }

    fn holds(&mut self, predicate: crate::ir::FuncId, values: &[Value]) -> Result<bool, Fault> {
        let value = self.run.ask(predicate, values.to_vec())?;
        let span = self.state.program.game.function(predicate).span;
        expect(value, span, as_bool)
    }

    /// Plays the candidate on a copy and asks there.
    fn holds_after(
        &mut self,
        arm: usize,
        context: usize,
        after: crate::ir::FuncId,
        values: &[Value],
    ) -> Result<bool, Fault> {
        let state = self.state;
        let code = &state.program.chooses[self.code];
        let mut run = Run::new(&state.program, state.core.clone(), Otherwise::Ignore);
        let (entry, bind) = (code.arms[arm].entry, &code.arms[arm].bind);
        let args = values[context..].iter().cloned();
        let bind: Vec<_> = bind.iter().copied().zip(args).collect();
        run.resume(&state.control, code.routine, entry, &bind)?;
        let value = run.ask(after, values.to_vec())?;
        expect(value, state.program.game.function(after).span, as_bool)
    }
}

fn expect<T>(
    value: Option<Value>,
    span: Span,
    payload: fn(Value, Span) -> Result<T, Box<Halt>>,
) -> Result<T, Fault> {
    let wrong = Fault {
        code: FaultCode::WrongType,
        span,
    };
    let value = value.ok_or(wrong)?;
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
        if self.outcome.is_some() {
            return None;
        }
        let (routine, entry, bind) = self.entry(mv)?;
        let mut run = Run::new(&self.program, self.core.clone(), Otherwise::Run);
        if listen {
            run.listen();
        }
        Some(match run.resume(&self.control, routine, entry, &bind) {
            Ok(exit) => {
                let events = run.take_events();
                (run.into_state(exit), events)
            }
            Err(fault) => (self.faulted(fault), Vec::new()),
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
                if draw != code.chance.draw || !possible {
                    return None;
                }
                Some((code.routine, code.resume, vec![(code.chance.into, value)]))
            }
            Stop::Broken(_) | Stop::Over => None,
        }
    }
}
