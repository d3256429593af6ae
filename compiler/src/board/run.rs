//! What a function does on a board that is not known.
//!
//! The function runs on values of which some are functions of what stands on one place. Where a statement needs to know such a
//! value, the run is split by it, and every part goes on by itself. Where all parts of one run are together again at the end of
//! a statement of the function, they are put together: what they did on the way is an *act*, a list of ways with what each asked
//! of the board and wrote to it. What is not the same in all ways is not known from there on; if something depends on it
//! after all, they are not put together there.

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::hash::Hash;
use std::rc::Rc;

use super::contents::Contents;
use super::effects::{Act, Turn, Way, Write};
use crate::hash::{IndexMap, OfPlace, Operation};
use crate::ir::effects::Effects;
use crate::ir::{
    Const, EnvId, Expr, FuncId, Game, LocalId, PlacementId, Stmt, StmtKind, Type, VarId,
};
use crate::source::Span;

mod change;
mod exprs;
mod joins;
mod loops;

pub(crate) use change::Change;
use change::since;

/// Steps of one run.
const MOST_STEPS: usize = 400_000;
/// Steps of all runs of one function.
const MOST_STEPS_OF_ALL: usize = 20_000_000;
/// Parts that a run may have at one time.
const MOST_PARTS: usize = 256;
/// Sets of contents that are kept to be known by where they lie.
const MOST_NEARBY: usize = 4096;
/// Calls that may nest.
const MOST_CALLS: usize = 96;
/// A value of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Const(Const),
    /// A function (by number) of what stands on a place.
    Of(u32, usize),
    /// A number that is not known (by the number of its origin), and what was added to it since.
    Since(usize, i64),
    /// Nothing is known, perhaps because ways were put together after a statement.
    Unknown(Option<usize>),
}

impl OfPlace for Value {
    fn of_place(&self) -> Option<usize> {
        match self {
            Value::Of(_, function) => Some(*function),
            _ => None,
        }
    }
}

/// A value for each content, and last for an empty place; none where it would be a fault.
type OfContent = Vec<Option<Const>>;

/// Values of a function, none where it is a fault, and the contents that give them.
type Groups = Vec<(Option<Const>, Contents)>;

/// Why a run does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Something depends on what ways that were put together after this statement have not in common.
    Joined(usize),
    /// A value of a function of a place is needed.
    Needs(u32, usize),
    /// It cannot be told how.
    Unclear,
}

type Res<T> = Result<T, Stop>;

/// What is known of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    /// What may stand there, as it was at first.
    may: Contents,
    /// The variables of what stands there that have another value now.
    set: Vec<Option<Const>>,
    /// After which statement ways were put together that did not all write there.
    mixed: Option<usize>,
}

/// Where a run is.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The function whose local variables these are.
    func: FuncId,
    locals: Rc<Vec<Value>>,
    env: Rc<Vec<Value>>,
    vars: Rc<SortedMap<VarId, Value>>,
    board: Rc<SortedMap<u32, Rc<Spot>>>,
    writes: Rc<Vec<Write>>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Value>),
}

type Parts = Vec<(State, Flow)>;

/// Where a number that is not known comes from.
#[derive(Clone, Debug)]
struct Origin {
    /// The statement after which ways were put together.
    joined: Option<usize>,
    before: Option<Before>,
}

/// What a number was before an act, which act that is, and the counter of the act that says what came to it.
#[derive(Clone, Debug)]
struct Before {
    value: Value,
    act: usize,
    counter: usize,
}

/// What is the same for all runs.
pub(crate) struct Board<'a> {
    pub(crate) game: &'a Game,
    pub(crate) effects: &'a Effects,
    pub(crate) placement: PlacementId,
    /// What can stand on a place: a piece, with the values of variables that are indexed by pieces; an empty place is not among it.
    pub(crate) contents: &'a [(u32, Vec<Const>)],
    /// These variables.
    pub(crate) tracked: &'a [VarId],
    /// What may stand on each place.
    pub(crate) may: Vec<Contents>,
}

/// An act of a run.
#[derive(Debug)]
pub(crate) struct Told {
    /// The first and the last of the statements that it belongs to.
    pub(crate) stmts: (usize, usize),
    pub(crate) act: Act,
    /// The turn that it is, if it is one.
    pub(crate) turn: Option<Turn>,
}

/// What a run found, statement by statement.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// Where it was before each statement of the function, where all ways were together there; the last is the end.
    pub(crate) before: Vec<Option<State>>,
    pub(crate) acts: Vec<Told>,
    /// Why it stopped, if it did.
    pub(crate) stop: Option<Stop>,
    /// What it had too much of, if that is why.
    pub(crate) limit: Option<&'static str>,
    /// The statement that ran last.
    pub(crate) at: Span,
    /// Units of work that were charged.
    pub(crate) work: u64,
    /// The places of which something was asked.
    pub(crate) looked: SortedSet<u32>,
    origins: Vec<Origin>,
}

/// Runs functions.
pub(crate) struct Runner<'a> {
    board: &'a Board<'a>,
    functions: Vec<OfContent>,
    applied: IndexMap<Operation<Value>, usize>,
    /// What each function gives for some contents, as far as it was asked: the contents for each value.
    groups: Vec<IndexMap<Contents, Rc<Groups>>>,
    /// The same by where a set of contents lies, which is kept so that nothing else comes to lie there.
    nearby: IndexMap<(usize, usize), (Contents, Rc<Groups>)>,
    /// The statements after which ways are not put together.
    pub(crate) apart: SortedSet<usize>,
    origins: Vec<Origin>,
    /// The acts of the present statement of the function, and how many there were before and with them.
    acts: Vec<Act>,
    noted: usize,
    /// Where the present act began, and whether one of its ways is a fault.
    start: Option<State>,
    faults: bool,
    /// The places of which something was asked.
    looked: Vec<bool>,
    work: u64,
    charged: u64,
    /// The steps of the present run, and of all runs before.
    steps: usize,
    spent: usize,
    calls: usize,
    /// The statement that runs, and what there was too much of.
    at: Span,
    limit: Option<&'static str>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(board: &'a Board<'a>) -> Runner<'a> {
        let content = board.contents.iter();
        let content = content.map(|(piece, _)| Some(Const::Elem(*piece)));
        let content: OfContent = content.chain([Some(Const::None)]).collect();
        Runner {
            board,
            functions: vec![content],
            applied: IndexMap::default(),
            groups: Vec::new(),
            nearby: IndexMap::default(),
            apart: SortedSet::new(),
            origins: Vec::new(),
            acts: Vec::new(),
            noted: 0,
            start: None,
            faults: false,
            looked: Vec::new(),
            work: 0,
            charged: 0,
            steps: 0,
            spent: 0,
            calls: 0,
            at: Span::default(),
            limit: None,
        }
    }

    /// Gives a run up because it has too much of something.
    fn too_many(&mut self, what: &'static str) -> Stop {
        self.limit.get_or_insert(what);
        Stop::Unclear
    }

    /// Runs a function up to some statement with these arguments, where some variables of the state are known.
    pub(crate) fn run(
        &mut self,
        (func, until): (FuncId, usize),
        args: &[Option<Const>],
        vars: &[(VarId, Const)],
    ) -> Run {
        let game = self.board.game;
        let function = game.function(func);
        let args = args.iter().cloned();
        let mut locals: Vec<Value> = args
            .map(|arg| arg.map_or(Value::Unknown(None), Value::Const))
            .collect();
        locals.resize(function.locals.len(), Value::Unknown(None));
        self.origins.clear();
        let env = game.env.iter().map(|var| match var.ty {
            Type::Wrap32 => Value::Since(self.origin(None, None), 0),
            _ => Value::Unknown(None),
        });
        let env: Vec<Value> = env.collect();
        let vars = vars.iter().cloned();
        let state = State {
            func,
            locals: Rc::new(locals),
            env: Rc::new(env),
            vars: Rc::new(
                vars.map(|(var, value)| (var, Value::Const(value)))
                    .collect(),
            ),
            board: Rc::default(),
            writes: Rc::default(),
        };
        self.spent += self.steps;
        (self.work, self.charged, self.steps, self.calls) = (0, 0, 0, 0);
        (self.faults, self.looked) = (false, vec![false; self.board.may.len()]);
        self.limit = None;
        self.acts.clear();
        self.noted = 0;
        self.start = Some(state.clone());
        let mut run = Run {
            before: vec![None; function.body.len() + 1],
            ..Run::default()
        };
        run.before[0] = Some(state.clone());
        run.stop = self.follow(&function.body[..until], state, &mut run).err();
        (run.work, run.origins) = (self.work, std::mem::take(&mut self.origins));
        let looked = (0..).zip(&self.looked).filter(|(_, looked)| **looked);
        run.looked = looked.map(|(place, _)| place).collect();
        (run.at, run.limit) = (self.at, self.limit);
        run
    }

    /// Runs the statements of the function, and notes where it is after each.
    fn follow(&mut self, body: &'a [Stmt], state: State, run: &mut Run) -> Res<()> {
        let (mut parts, mut first) = (vec![state], 0);
        for (at, stmt) in body.iter().enumerate() {
            let (next, over) = self.step(stmt, parts)?;
            parts = next;
            run.acts.extend(self.acts.drain(..).map(|act| Told {
                stmts: (first, at),
                turn: act.turn(),
                act,
            }));
            if over {
                break;
            }
            if let [only] = &parts[..] {
                run.before[at + 1] = Some(only.clone());
                first = at + 1;
            }
        }
        Ok(())
    }

    /// A statement of the function that is run, in all parts; whether the run is over for some of them.
    fn step(&mut self, stmt: &'a Stmt, parts: Vec<State>) -> Res<(Vec<State>, bool)> {
        let free = parts.len() == 1;
        let mut next = Vec::new();
        let mut left = false;
        for state in parts {
            for (state, flow) in self.stmt(stmt, state, free)? {
                match flow {
                    Flow::Next => next.push(state),
                    _ => left = true,
                }
            }
        }
        if !left {
            next = self.join(next, address(stmt))?;
        }
        let over = left || next.is_empty();
        Ok((next, over))
    }

    fn block(&mut self, block: &'a [Stmt], state: State, free: bool) -> Res<Parts> {
        let mut done: Parts = Vec::new();
        let (mut live, mut next) = (vec![state], Vec::new());
        for stmt in block {
            let assigned = match &mut live[..] {
                [only] => self.assign(stmt, only),
                _ => None,
            };
            match assigned {
                Some(Ok(())) => {}
                Some(Err(stop)) => {
                    let parts = self.parted(stmt, &live[0], stop)?;
                    live = parts.into_iter().map(|(state, _)| state).collect();
                }
                None => {
                    let alone = free && live.len() == 1 && done.is_empty();
                    for state in live.drain(..) {
                        for (state, flow) in self.stmt(stmt, state, alone)? {
                            match flow {
                                Flow::Next => next.push(state),
                                flow => done.push((state, flow)),
                            }
                        }
                    }
                    std::mem::swap(&mut live, &mut next);
                }
            }
            if free && done.is_empty() {
                live = self.join(live, address(stmt))?;
            }
            if live.len() + done.len() > MOST_PARTS {
                return Err(self.too_many("there are too many ways to here"));
            }
            if live.is_empty() {
                break;
            }
        }
        done.extend(live.into_iter().map(|state| (state, Flow::Next)));
        Ok(done)
    }

    /// A statement, split by what it needs to know.
    fn stmt(&mut self, stmt: &'a Stmt, mut state: State, free: bool) -> Res<Parts> {
        let done = match self.assign(stmt, &mut state) {
            Some(Ok(())) => return Ok(vec![(state, Flow::Next)]),
            Some(Err(stop)) => Err(stop),
            None => self.begin(stmt).and_then(|()| match &stmt.kind {
                StmtKind::If(cond, yes, no) => match self.truth(cond, &state) {
                    Ok(holds) => Ok(Err(if holds { yes } else { no })),
                    Err(stop) => Err(stop),
                },
                _ => self.stmt_once(stmt, &state, free).map(Ok),
            }),
        };
        match done {
            Ok(Ok(parts)) => Ok(parts),
            Ok(Err(branch)) => self.block(branch, state, free),
            Err(stop) => self.parted(stmt, &state, stop),
        }
    }

    /// Counts a statement.
    fn begin(&mut self, stmt: &Stmt) -> Res<()> {
        self.steps += 1;
        self.at = stmt.span;
        if self.steps > MOST_STEPS || self.spent > MOST_STEPS_OF_ALL {
            return Err(self.too_many("following all its ways takes too many steps"));
        }
        Ok(())
    }

    /// Carries out an assignment; nothing for other statements.
    fn assign(&mut self, stmt: &'a Stmt, state: &mut State) -> Option<Res<()>> {
        if let StmtKind::SetVar(var, index, value) = &stmt.kind {
            let begun = self.begin(stmt);
            return Some(begun.and_then(|()| self.set_var(*var, index, value, state)));
        }
        let game = self.board.game;
        let (value, ty) = match &stmt.kind {
            StmtKind::Let(local, value) => (value, &game.function(state.func).local(*local).ty),
            StmtKind::SetEnv(var, value) => (value, &game.env[var.index()].ty),
            _ => return None,
        };
        let value = self
            .begin(stmt)
            .and_then(|()| self.fitting(value, ty, state));
        let value = match value {
            Ok(value) => value,
            Err(stop) => return Some(Err(stop)),
        };
        match &stmt.kind {
            StmtKind::Let(local, _) => Rc::make_mut(&mut state.locals)[local.index()] = value,
            StmtKind::SetEnv(var, _) => Rc::make_mut(&mut state.env)[var.index()] = value,
            _ => {}
        }
        Some(Ok(()))
    }

    /// What a statement comes to in each part of a state, where that is what it needs.
    fn parted(&mut self, stmt: &'a Stmt, state: &State, stop: Stop) -> Res<Parts> {
        let Stop::Needs(place, function) = stop else {
            return Err(stop);
        };
        let mut all = Parts::new();
        for state in self.split(state, place, function)? {
            all.extend(self.stmt(stmt, state, false)?);
        }
        Ok(all)
    }

    /// The parts of a state by the value of a function of a place; what is a fault goes no further.
    fn split(&mut self, state: &State, place: u32, function: usize) -> Res<Vec<State>> {
        let may = self.may(state, place)?;
        let groups = self.groups(function, may);
        let fault = groups.iter().any(|(value, _)| value.is_none());
        if groups.len() < 2 && !fault {
            // Nothing can be learnt: what asked would ask again.
            return Err(Stop::Unclear);
        }
        self.faults |= fault;
        let groups = groups.iter().filter(|(value, _)| value.is_some());
        let parts = groups.map(|(_, may)| {
            let mut part = state.clone();
            let spot = Spot {
                may: may.clone(),
                ..self.spot(state, place)
            };
            Rc::make_mut(&mut part.board).insert(place, Rc::new(spot));
            part
        });
        Ok(parts.collect())
    }

    /// What a function gives for some contents.
    fn groups(&mut self, function: usize, may: &Contents) -> Rc<Groups> {
        let key = (function, may.address());
        if let Some((_, known)) = self.nearby.get(&key) {
            return known.clone();
        }
        let groups = self.groups_of(function, may);
        if self.nearby.len() < MOST_NEARBY {
            self.nearby.insert(key, (may.clone(), groups.clone()));
        }
        groups
    }

    fn groups_of(&mut self, function: usize, may: &Contents) -> Rc<Groups> {
        if let Some(known) = self.groups.get(function).and_then(|own| own.get(may)) {
            return known.clone();
        }
        let values = &self.functions[function];
        let mut groups: Vec<(&Option<Const>, Vec<bool>)> = Vec::new();
        for (at, value) in values
            .iter()
            .enumerate()
            .filter(|(at, _)| may.contains(*at))
        {
            let known = groups.iter().position(|(other, _)| *other == value);
            let known = known.unwrap_or_else(|| {
                groups.push((value, vec![false; values.len()]));
                groups.len() - 1
            });
            groups[known].1[at] = true;
        }
        let groups = groups.into_iter();
        let groups: Groups = groups
            .map(|(value, own)| (value.clone(), Contents::of(&own)))
            .collect();
        let groups = Rc::new(groups);
        if self.groups.len() <= function {
            self.groups.resize_with(function + 1, IndexMap::default);
        }
        self.groups[function].insert(may.clone(), groups.clone());
        groups
    }

    /// A statement that is neither an assignment nor a branch.
    fn stmt_once(&mut self, stmt: &'a Stmt, state: &State, free: bool) -> Res<Parts> {
        let next = |state: State| Ok(vec![(state, Flow::Next)]);
        match &stmt.kind {
            StmtKind::Put(placement, _, place) | StmtKind::Bring(placement, _, place, _)
                if *placement == self.board.placement =>
            {
                next(self.put(place, state)?)
            }
            StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {
                self.repeat(stmt, state, free)
            }
            StmtKind::Break => Ok(vec![(state.clone(), Flow::Break)]),
            StmtKind::Continue => Ok(vec![(state.clone(), Flow::Continue)]),
            StmtKind::Call { func, args, into } => {
                let args = args.iter().map(|arg| self.sure(arg, state));
                let args = args.collect::<Res<Vec<Value>>>()?;
                self.call(*func, args, *into, state)
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| self.sure(value, state));
                Ok(vec![(state.clone(), Flow::Return(value.transpose()?))])
            }
            StmtKind::Fault(_) | StmtKind::TooDeep => {
                self.faults = true;
                Ok(Vec::new())
            }
            StmtKind::Charge => {
                self.work += 1;
                next(state.clone())
            }
            _ => Err(Stop::Unclear),
        }
    }

    fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        into: Option<LocalId>,
        state: &State,
    ) -> Res<Parts> {
        let mut after = Parts::new();
        for (mut part, value) in self.ways(func, args, state)? {
            (part.func, part.locals) = (state.func, state.locals.clone());
            if let Some(into) = into {
                let value = value.ok_or(Stop::Unclear)?;
                Rc::make_mut(&mut part.locals)[into.index()] = value;
            }
            after.push((part, Flow::Next));
        }
        Ok(after)
    }

    /// The ways through a function, and what it gives.
    fn ways(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        state: &State,
    ) -> Res<Vec<(State, Option<Value>)>> {
        if self.calls == MOST_CALLS {
            return Err(self.too_many("too many calls are nested here"));
        }
        let function = self.board.game.function(func);
        self.work += u64::from(self.board.effects.is_recursive(func));
        let mut inner = state.clone();
        let mut locals = args;
        locals.resize(function.locals.len(), Value::Unknown(None));
        inner.locals = Rc::new(locals);
        inner.func = func;
        self.calls += 1;
        let parts = self.block(&function.body, inner, false);
        self.calls -= 1;
        let parts = parts?.into_iter().map(|(part, flow)| match flow {
            Flow::Return(value) => (part, value),
            _ => (part, None),
        });
        Ok(parts.collect())
    }

    fn set_var(
        &mut self,
        var: VarId,
        index: &'a [Expr],
        value: &'a Expr,
        state: &mut State,
    ) -> Res<()> {
        let ty = &self.board.game.var(var).ty;
        let Some(at) = self.board.tracked.iter().position(|other| *other == var) else {
            if !index.is_empty() {
                return Err(Stop::Unclear);
            }
            let value = self.fitting(value, ty, state)?;
            Rc::make_mut(&mut state.vars).insert(var, value);
            return Ok(());
        };
        let [index] = index else {
            return Err(Stop::Unclear);
        };
        let Value::Of(place, function) = self.expr(index, state)? else {
            return Err(Stop::Unclear);
        };
        let may = self.may(state, place)?;
        if let Some(own) = self.not_itself(place, function, may)? {
            return Err(Stop::Needs(place, own));
        }
        let value = match self.fitting(value, ty, state)? {
            Value::Const(value) => value,
            Value::Of(place, function) => return Err(Stop::Needs(place, function)),
            other => return Err(self.unknown(&other)),
        };
        let mut spot = self.spot(state, place);
        spot.set[at] = Some(value.clone());
        Rc::make_mut(&mut state.board).insert(place, Rc::new(spot));
        Rc::make_mut(&mut state.writes).push(Write {
            place,
            var: at,
            value,
        });
        Ok(())
    }

    /// Something is brought to a place: nothing else is known of the board then.
    fn put(&mut self, place: &'a Expr, state: &State) -> Res<State> {
        let Const::Elem(place) = self.known(place, state)? else {
            return Err(Stop::Unclear);
        };
        if !state.writes.is_empty() {
            return Err(Stop::Unclear);
        }
        let may = &self.board.may[place as usize];
        let taken = may.without(self.board.contents.len());
        let mut after = state.clone();
        let spot = Spot {
            may: taken,
            set: vec![None; self.board.tracked.len()],
            mixed: None,
        };
        after.board = Rc::new(SortedMap::from([(place, Rc::new(spot))]));
        // What was found before speaks of another board.
        let forget = |value: &mut Value| {
            if matches!(value, Value::Of(..)) {
                *value = Value::Unknown(None);
            }
        };
        Rc::make_mut(&mut after.locals).iter_mut().for_each(forget);
        Rc::make_mut(&mut after.env).iter_mut().for_each(forget);
        Rc::make_mut(&mut after.vars).values_mut().for_each(forget);
        self.faults = true;
        Ok(after)
    }

    fn spot(&self, state: &State, place: u32) -> Spot {
        let known = state.board.get(&place);
        known.map(|spot| Spot::clone(spot)).unwrap_or_else(|| Spot {
            may: self.board.may[place as usize].clone(),
            set: vec![None; self.board.tracked.len()],
            mixed: None,
        })
    }

    /// What may stand on a place, as it was at first.
    fn stands<'s>(&self, state: &'s State, place: u32) -> &'s Contents
    where
        'a: 's,
    {
        match state.board.get(&place) {
            Some(spot) => &spot.may,
            None => &self.board.may[place as usize],
        }
    }

    /// What may stand on a place, if that can be told.
    fn may<'s>(&mut self, state: &'s State, place: u32) -> Res<&'s Contents>
    where
        'a: 's,
    {
        self.looked[place as usize] = true;
        match state.board.get(&place) {
            Some(spot) => spot
                .mixed
                .map_or(Ok(&spot.may), |after| Err(Stop::Joined(after))),
            None => Ok(&self.board.may[place as usize]),
        }
    }

    /// Why nothing goes on from a value.
    fn unknown(&self, value: &Value) -> Stop {
        let joined = match value {
            Value::Since(origin, _) => self.origins.get(*origin).and_then(|origin| origin.joined),
            Value::Unknown(joined) => *joined,
            Value::Of(place, function) => return Stop::Needs(*place, *function),
            Value::Const(_) => None,
        };
        joined.map_or(Stop::Unclear, Stop::Joined)
    }
}

fn address(stmt: &Stmt) -> usize {
    std::ptr::from_ref(stmt) as usize
}
