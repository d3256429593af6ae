//! The ways from one stop to the next, and what is known on them of a question.

use rulec_ir::sorted::SortedMap;

use super::question::{Change, Part, Question, computed};
use super::write;
use crate::ir::effects::Effects;
use crate::ir::{
    Arrival, Block, Const, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind,
    Type, UnaryOp, VarId,
};
use crate::opt::locals::{each_assigned, rename_block};
use crate::source::Span;

/// Copies of functions for what is known where they are called.
const MOST_COPIES: usize = 256;

/// What is known of the lines of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// This place is not come to.
    Over,
    /// None holds.
    Clear,
    /// None but those through the place of a variable, where a change took place. On some of the ways that lead here nothing may have
    /// changed: then the place may be any, and this is false.
    Changed(LocalId, usize, bool),
    /// None holds where a variable is false.
    Asked(LocalId),
    /// Nothing.
    Nothing,
}

/// What is known at some place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    lines: Known,
    /// Values of variables without an index.
    vars: SortedMap<VarId, Const>,
}

/// The way through a function.
struct Frame {
    locals: Vec<Local>,
    params: usize,
    /// What is known at the ends of the function.
    ends: Vec<State>,
    /// What is known where the loops begin that are open.
    loops: Vec<State>,
}

/// How a function is come to: what is known of lines, with no variable of the caller, and of variables.
type Entry = (FuncId, Option<Known>, Vec<(VarId, Const)>);

pub(super) struct Walk<'a> {
    game: Game,
    effects: &'a Effects,
    question: &'a Question,
    unsure: VarId,
    changes: Vec<Change>,
    /// The questions about lines through a place, by the change, whether it took place for sure, and the parts that are asked.
    through: SortedMap<(usize, bool, Vec<usize>), FuncId>,
    /// The copies of functions, and what is known after them.
    copies: SortedMap<Entry, (FuncId, State)>,
    anywhere: Option<FuncId>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        game: Game,
        effects: &'a Effects,
        question: &'a Question,
        unsure: VarId,
    ) -> Walk<'a> {
        Walk {
            game,
            effects,
            question,
            unsure,
            changes: Vec::new(),
            through: SortedMap::new(),
            copies: SortedMap::new(),
            anywhere: None,
        }
    }

    /// Goes along all ways; nothing where a player may decide although a line holds.
    pub(super) fn process(&mut self) -> Option<()> {
        let process = self.game.process;
        let mut function = self.game.function(process).clone();
        let start = State {
            lines: Known::Clear,
            vars: SortedMap::new(),
        };
        self.body(&mut function, start)?;
        self.game.functions[process.index()] = function;
        Some(())
    }

    /// The game in which the question is asked of changes, if it is anywhere.
    pub(super) fn finished(self) -> Option<Game> {
        (!self.through.is_empty()).then_some(self.game)
    }

    /// Goes through the body of a function; what is known after it.
    fn body(&mut self, function: &mut Function, start: State) -> Option<State> {
        let mut frame = Frame {
            locals: std::mem::take(&mut function.locals),
            params: function.params,
            ends: Vec::new(),
            loops: Vec::new(),
        };
        let mut state = start;
        let body = std::mem::take(&mut function.body);
        function.body = self.block(body, &mut state, &mut frame)?;
        function.locals = frame.locals;
        let params = frame.params;
        Some(
            frame
                .ends
                .iter()
                .fold(state, |all, end| all.join(end, params)),
        )
    }

    fn block(&mut self, block: Block, state: &mut State, frame: &mut Frame) -> Option<Block> {
        let mut done = Block::with_capacity(block.len());
        for stmt in block {
            match state.lines {
                Known::Over => done.push(stmt),
                _ => self.stmt(stmt, state, frame, &mut done)?,
            }
        }
        Some(done)
    }

    /// Goes through a statement, and adds what stands for it.
    fn stmt(
        &mut self,
        mut stmt: Stmt,
        state: &mut State,
        frame: &mut Frame,
        done: &mut Block,
    ) -> Option<()> {
        let mut bound = Vec::new();
        each_assigned(&stmt, &mut |local| bound.push(local));
        match &mut stmt.kind {
            StmtKind::Call { .. } => return self.call(stmt, state, frame, done),
            StmtKind::If(cond, yes, no) => {
                let (mut yes_state, mut no_state) = state.split(cond);
                let inner = std::mem::take(yes);
                *yes = self.block(inner, &mut yes_state, frame)?;
                let inner = std::mem::take(no);
                *no = self.block(inner, &mut no_state, frame)?;
                *state = yes_state.join(&no_state, frame.params);
            }
            StmtKind::For { body, .. }
            | StmtKind::ForEach(_, _, body)
            | StmtKind::While { body, .. } => {
                let inner = std::mem::take(body);
                state.assign_of(&bound);
                *body = self.repeated(inner, state, frame)?;
            }
            StmtKind::Choose(_) => self.choose(&mut stmt, state, frame)?,
            StmtKind::Chance(_) => *state = state.stopped()?,
            StmtKind::Stop(_) => return None,
            StmtKind::Break | StmtKind::Continue => {
                let begins = frame.loops.last()?;
                (begins.lines == state.lines).then_some(())?;
                state.lines = Known::Over;
            }
            StmtKind::Return(_) => {
                frame.ends.push(state.clone());
                state.lines = Known::Over;
            }
            StmtKind::Fault(_) | StmtKind::Fail | StmtKind::TooDeep | StmtKind::End { .. } => {
                state.lines = Known::Over;
            }
            _ => self.plain(&stmt, state, frame)?,
        }
        state.assign_of(&bound);
        done.push(stmt);
        Some(())
    }

    /// What a statement that calls nothing and has no blocks but those of a trial does to what is known.
    fn plain(&mut self, stmt: &Stmt, state: &mut State, frame: &Frame) -> Option<()> {
        let one = std::slice::from_ref(stmt);
        let effect = self.effects.block(&self.game, &frame.locals, one);
        let written = effect.scratch.placements.contains(&self.question.placement);
        match &stmt.kind {
            StmtKind::SetVar(var, index, value) if index.is_empty() => {
                let known = |part: &Expr| match &part.kind {
                    ExprKind::Var(var, _) => state.vars.get(var).cloned(),
                    _ => None,
                };
                match computed(&self.game, value, &known) {
                    Some(value) => state.vars.insert(*var, value),
                    None => state.vars.remove(var),
                };
            }
            StmtKind::Bring(_, _, place, arrival) if written => {
                state.lines = self.brought(place, arrival, state.lines);
            }
            StmtKind::Restore(_) => *state = State::nothing(),
            StmtKind::Trial { .. } if written || effect.suspends => return None,
            _ if written => state.lines = Known::Nothing,
            _ => {}
        }
        if !matches!(stmt.kind, StmtKind::SetVar(..)) {
            state.forget(&effect.scratch.vars);
        }
        Some(())
    }

    /// What a loop does to what is known: as much is known after each round as before it.
    fn repeated(&mut self, body: Block, state: &mut State, frame: &mut Frame) -> Option<Block> {
        let effect = self.effects.block(&self.game, &frame.locals, &body);
        state.forget(&effect.scratch.vars);
        frame.loops.push(state.clone());
        let mut round = state.clone();
        let body = self.block(body, &mut round, frame)?;
        frame.loops.pop();
        let same = round.lines == state.lines || round.lines == Known::Over;
        same.then_some(body)
    }

    /// A decision is a stop, and so is what comes after it.
    fn choose(&mut self, stmt: &mut Stmt, state: &mut State, frame: &mut Frame) -> Option<()> {
        let StmtKind::Choose(choose) = &mut stmt.kind else {
            return Some(());
        };
        let begins = state.stopped()?;
        let bodies = choose.arms.iter_mut().map(|arm| &mut arm.body);
        let mut all: Option<State> = None;
        for body in bodies.chain(choose.otherwise.as_mut()) {
            let mut own = begins.clone();
            let inner = std::mem::take(body);
            *body = self.block(inner, &mut own, frame)?;
            all = Some(match all {
                Some(all) => all.join(&own, frame.params),
                None => own,
            });
        }
        *state = all?;
        Some(())
    }

    /// What is known of lines after a piece was brought somewhere.
    fn brought(&mut self, place: &Expr, arrival: &Arrival, before: Known) -> Known {
        let change = Change {
            pieces: arrival.pieces.clone(),
            from: arrival.from.clone(),
            to: arrival.to.clone(),
        };
        let question = self.question;
        if !question.may_leave(&change) {
            return Known::Nothing;
        }
        let fills = |part: &Part| {
            let mut to = change.to.iter();
            to.any(|place| !question.lines_at(part, &change, *place).is_empty())
        };
        let fills = question.parts.iter().any(fills);
        match (fills, before, &place.kind) {
            (false, ..) => before,
            (true, Known::Clear, ExprKind::Local(local)) => {
                let known = self.changes.iter().position(|other| *other == change);
                let number = known.unwrap_or_else(|| {
                    self.changes.push(change);
                    self.changes.len() - 1
                });
                Known::Changed(*local, number, true)
            }
            _ => Known::Nothing,
        }
    }

    fn call(
        &mut self,
        mut stmt: Stmt,
        state: &mut State,
        frame: &mut Frame,
        done: &mut Block,
    ) -> Option<()> {
        let span = stmt.span;
        let StmtKind::Call { func, args, into } = &mut stmt.kind else {
            return Some(());
        };
        let (called, into) = (*func, *into);
        if called == self.question.func {
            done.extend(self.replaced(stmt, into, state, frame));
            return Some(());
        }
        if !self.touches(called) {
            let effect = self.effects.function(called);
            state.forget(&effect.scratch.vars);
            state.assign(&stmt);
            done.push(stmt);
            return Some(());
        }
        let before = state.lines;
        let (copy, after) = self.copy(called, state)?;
        let given: Vec<Option<LocalId>> = args.iter().map(local_of).collect();
        *func = copy;
        if let Known::Changed(place, number, _) = before {
            let places = self.game.placement(self.question.placement).places;
            args.push(Expr::local(place, Type::Elem(places), span));
            debug_assert!(number < self.changes.len(), "a change that was found");
        }
        state.vars = after.vars;
        state.lines = match (after.lines, before) {
            (Known::Changed(own, number, sure), _) if own.index() < given.len() => {
                let place = given.get(own.index()).copied().flatten();
                place.map_or(Known::Nothing, |place| Known::Changed(place, number, sure))
            }
            (Known::Changed(own, _, sure), Known::Changed(place, number, _))
                if own.index() == given.len() =>
            {
                Known::Changed(place, number, sure)
            }
            (Known::Changed(..) | Known::Asked(_), _) => Known::Nothing,
            (other, _) => other,
        };
        state.assign(&stmt);
        done.push(stmt);
        Some(())
    }

    /// Whether a function may change what a question is about, asks it, or stops.
    fn touches(&self, func: FuncId) -> bool {
        let effect = self.effects.function(func);
        let reaches = self.effects.reaches(func).contains(&self.question.func);
        let written = effect.scratch.placements.contains(&self.question.placement);
        reaches || written || effect.suspends
    }

    /// The copy of a function for what is known where it is called, and what is known after it.
    fn copy(&mut self, func: FuncId, state: &State) -> Option<(FuncId, State)> {
        let vars: Vec<_> = state.vars.clone().into_iter().collect();
        let lines = match state.lines {
            Known::Changed(_, number, sure) => Some(Known::Changed(LocalId(0), number, sure)),
            Known::Asked(_) => return None,
            other => Some(other),
        };
        let entry = (func, lines, vars);
        if let Some(known) = self.copies.get(&entry) {
            return Some(known.clone());
        }
        if self.effects.is_recursive(func) || self.copies.len() >= MOST_COPIES {
            return None;
        }
        let mut function = self.game.function(func).clone();
        let mut start = state.clone();
        if let Known::Changed(_, number, sure) = state.lines {
            let place = self.take_place(&mut function);
            start.lines = Known::Changed(place, number, sure);
        }
        let after = self.body(&mut function, start)?;
        let copy = match function == *self.game.function(func) {
            true => func,
            false => write::add(&mut self.game, function),
        };
        self.copies.insert(entry, (copy, after.clone()));
        Some((copy, after))
    }

    /// Gives a function the place that has changed as a further parameter.
    fn take_place(&self, function: &mut Function) -> LocalId {
        let params = function.params;
        rename_block(&mut function.body, &mut |local| match local.index() {
            at if at < params => local,
            at => LocalId::from(at + 1),
        });
        let places = self.game.placement(self.question.placement).places;
        let (name, ty) = ("changed".to_owned(), Type::Elem(places));
        function.locals.insert(params, Local { name, ty });
        function.params += 1;
        LocalId::from(params)
    }

    /// What stands for the question: it is asked of the lines through the place that has changed, where nothing else has, and not
    /// at all where nothing has that it is about.
    fn replaced(
        &mut self,
        stmt: Stmt,
        into: Option<LocalId>,
        state: &mut State,
        frame: &mut Frame,
    ) -> Block {
        let Some(into) = into else {
            return vec![stmt];
        };
        let plain = self.question.is_plain();
        let Some(near) = self.near(into, state, stmt.span) else {
            state.lines = match plain {
                true => Known::Asked(into),
                false => Known::Nothing,
            };
            return vec![stmt];
        };
        state.lines = Known::Asked(into);
        let span = stmt.span;
        let unsure = Expr::var(&self.game, self.unsure, Vec::new(), span);
        let mut far = vec![stmt];
        far.extend(self.made_sure(plain, span, frame));
        vec![Stmt::branch(unsure, far, vec![near])]
    }

    /// What the question comes to where it was false before a change; nothing where that is not known.
    fn near(&mut self, into: LocalId, state: &State, span: Span) -> Option<Stmt> {
        let (place, number, sure) = match state.lines {
            Known::Clear => return Some(Stmt::assign(into, Expr::bool(false, span))),
            Known::Changed(place, number, sure) => (place, number, sure),
            _ => return None,
        };
        let parts = self.parts_asked(number, &state.vars)?;
        let through = self.lines_through(number, sure, parts);
        let places = self.game.placement(self.question.placement).places;
        let place = Expr::local(place, Type::Elem(places), span);
        Some(Stmt::call(through, vec![place], Some(into), span))
    }

    /// The parts with lines through a place that has changed; nothing if one of them may not be asked.
    fn parts_asked(&self, number: usize, vars: &SortedMap<VarId, Const>) -> Option<Vec<usize>> {
        let (question, change) = (self.question, self.changes.get(number)?);
        let mut asked = Vec::new();
        for (at, part) in question.parts.iter().enumerate() {
            let mut to = change.to.iter();
            if to.all(|place| question.lines_at(part, change, *place).is_empty()) {
                continue;
            }
            let known = |expr: &Expr| match &expr.kind {
                ExprKind::Var(var, _) => vars.get(var).cloned(),
                _ => None,
            };
            let holds = |(cond, value): &(Expr, bool)| {
                computed(&self.game, cond, &known) == Some(Const::Bool(*value))
            };
            part.when.iter().all(holds).then_some(())?;
            asked.push(at);
        }
        Some(asked)
    }

    fn lines_through(&mut self, number: usize, sure: bool, parts: Vec<usize>) -> FuncId {
        let key = (number, sure, parts);
        if let Some(known) = self.through.get(&key) {
            return *known;
        }
        let change = &self.changes[number];
        let func = write::through(&mut self.game, self.question, (change, sure), &key.2);
        self.through.insert(key, func);
        func
    }

    /// What is known after the whole question was asked, and it was not so.
    fn made_sure(&mut self, plain: bool, span: Span, frame: &mut Frame) -> Block {
        let unsure = self.unsure;
        let set = |value: Expr| Stmt::set_var(unsure, Vec::new(), value);
        if plain {
            return vec![set(Expr::bool(false, span))];
        }
        let anywhere = match self.anywhere {
            Some(known) => known,
            None => write::anywhere(&mut self.game, self.question),
        };
        self.anywhere = Some(anywhere);
        let local = LocalId::from(frame.locals.len());
        let (name, ty) = ("somewhere".to_owned(), Type::Bool);
        frame.locals.push(Local { name, ty });
        let ask = Stmt::call(anywhere, Vec::new(), Some(local), span);
        vec![ask, set(Expr::local(local, Type::Bool, span))]
    }
}

impl State {
    fn nothing() -> State {
        State {
            lines: Known::Nothing,
            vars: SortedMap::new(),
        }
    }

    /// What is known at a stop and after it, if no line holds there. Whoever reads a position from a text changes it at a stop: the
    /// variable that says so is asked then, but what is known of others is gone.
    fn stopped(&self) -> Option<State> {
        (self.lines == Known::Clear).then(|| State {
            lines: Known::Clear,
            vars: SortedMap::new(),
        })
    }

    fn forget<'v>(&mut self, vars: impl IntoIterator<Item = &'v VarId>) {
        for var in vars {
            self.vars.remove(var);
        }
    }

    /// What is known where a condition holds, and where it does not.
    fn split(&self, cond: &Expr) -> (State, State) {
        let answer = |cond: &Expr| match (self.lines, &cond.kind) {
            (Known::Asked(own), ExprKind::Local(local)) => own == *local,
            _ => false,
        };
        let with = |lines: Known| State {
            lines,
            vars: self.vars.clone(),
        };
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, inner) if answer(inner) => {
                (with(Known::Clear), with(Known::Nothing))
            }
            _ if answer(cond) => (with(Known::Nothing), with(Known::Clear)),
            _ => (self.clone(), self.clone()),
        }
    }

    /// What is known on either of two ways.
    fn join(&self, other: &State, params: usize) -> State {
        match (self.lines, other.lines) {
            (Known::Over, _) => return other.clone(),
            (_, Known::Over) => return self.clone(),
            _ => {}
        }
        let lines = match (self.lines, other.lines) {
            (a, b) if a == b => a,
            // Where nothing has changed, no line through the place holds either.
            (Known::Clear, Known::Changed(place, number, _))
            | (Known::Changed(place, number, _), Known::Clear)
                if place.index() < params =>
            {
                Known::Changed(place, number, false)
            }
            (Known::Changed(place, number, _), Known::Changed(other, same, _))
                if (place, number) == (other, same) =>
            {
                Known::Changed(place, number, false)
            }
            _ => Known::Nothing,
        };
        let mut vars = self.vars.clone();
        vars.retain(|var, value| other.vars.get(var) == Some(value));
        State { lines, vars }
    }

    /// Forgets what was known of a variable to which a statement gives another value.
    fn assign(&mut self, stmt: &Stmt) {
        let mut bound = Vec::new();
        each_assigned(stmt, &mut |local| bound.push(local));
        self.assign_of(&bound);
    }

    fn assign_of(&mut self, locals: &[LocalId]) {
        if let Known::Changed(local, ..) | Known::Asked(local) = self.lines
            && locals.contains(&local)
        {
            self.lines = Known::Nothing;
        }
    }
}

fn local_of(expr: &Expr) -> Option<LocalId> {
    match expr.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}
