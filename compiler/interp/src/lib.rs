//! The reference interpreter: runs the IR exactly as it is written.
//!
//! It is the meaning of the IR in code: plain, without a pass in between, and it shares nothing
//! with code generation. Structured statements become flat code once ([`program`]), so that a
//! position may stand in the middle of a function and still is a value that can be copied,
//! compared and hashed. After the pass `suspend` it runs the machine instead of the process.
//!
//! - [`program`]: flat code; [`node`]: its expressions; [`live`]: which local variables a suspended call still needs
//! - [`run`] and [`eval`]: statements and expressions; [`trial`]: what is given back; [`stop`]: decisions and draws
//! - [`moves`]: legal moves; [`family`]: what they come from; [`layout`]: moves as numbers
//! - [`explain`]: why a move is not legal, from what [`record`] keeps of evaluations; [`describe`]: expressions in words
//! - [`position`]: the parts of states, for other engines; [`identity`]: equalities of states; [`text`]: texts of states and moves

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]

mod describe;
mod eval;
mod explain;
mod family;
mod identity;
mod image;
mod layout;
mod live;
mod moves;
mod names;
mod nest;
mod node;
mod observe;
mod position;
mod program;
mod record;
mod rename;
mod run;
mod scan;
mod state;
mod stop;
mod text;
mod trial;
mod value;

#[cfg(test)]
mod tests;

use rulec_ir::{ir, source};

use crate::ir::observe::Plane;
use std::sync::Arc;

use crate::ir::verify::{VerifyError, verify};
use crate::ir::{DrawId, FamilyId, FuncId, Game, IdentityId, Symmetry, VarId};
use crate::source::Span;
use program::Program;
use run::{Otherwise, Run};
use state::{Control, Core, Stop};

pub use explain::{Barrier, Ends, Explainer, Gate, Lack, Reason as Objection};
pub use layout::{Move, MoveParts};
pub use position::{Held, Position};
pub use scan::TextError;
pub use state::{Event, Fault, Outcome, Reason, State, Turn};
pub use value::{Members, Tag, Value};

/// An interpreted game; cheap to clone.
#[derive(Clone, Debug)]
pub struct Interp {
    program: Arc<Program>,
}

/// The value of a function that was asked in a position, and the environment after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value, if the function gives one.
    pub value: Option<Value>,
    /// The variables of the environment, by number; those without a value are `None`.
    pub env: Vec<Option<Value>>,
}

impl Interp {
    /// Makes a game ready to run.
    ///
    /// # Errors
    /// Everything that is wrong with the game.
    pub fn new(game: impl Into<Arc<Game>>) -> Result<Interp, Vec<VerifyError>> {
        let game = game.into();
        verify(&game)?;
        Ok(Interp {
            program: Arc::new(Program::new(game)),
        })
    }

    /// The game that it runs.
    pub fn game(&self) -> &Game {
        &self.program.game
    }

    /// The start position: the rules have run to the first stop.
    ///
    /// A fault on the way is its outcome, with the values from which the rules started.
    pub fn initial(&self) -> State {
        self.start_from(Core::initial(self.game()), None)
    }

    /// As [`Interp::initial`], and appends what happens on the way to `events`; nothing if it faults.
    pub fn initial_with_events(&self, events: &mut Vec<Event>) -> State {
        self.start_from(Core::initial(self.game()), Some(events))
    }

    /// The start position where a host gives variables other values than their initial ones: variables, numbers of cells
    /// from 0, values. Nothing where a variable does not exist or does not admit a value.
    pub fn start(&self, given: &[(VarId, usize, Value)]) -> Option<State> {
        let mut core = Core::initial(self.game());
        for (var, cell, value) in given {
            let cells = self.program.cells(*var);
            let place = core.vars.get_mut(cells)?.get_mut(*cell)?;
            *place = value.clone();
        }
        Some(self.start_from(core, None))
    }

    fn start_from(&self, core: Core, events: Option<&mut Vec<Event>>) -> State {
        let before = Arc::new(core);
        let mut run = Run::new(&self.program, Arc::clone(&before), Otherwise::Run);
        if events.is_some() {
            run.listen();
        }
        match run.start() {
            Ok(exit) => {
                if let Some(events) = events {
                    events.extend(run.take_events());
                }
                run.into_state(exit)
            }
            Err(fault) => {
                State::at(&self.program, before, Control::Nowhere, Stop::Over).faulted(fault)
            }
        }
    }

    /// Who acts next.
    pub fn turn(&self, state: &State) -> Turn {
        match state.stop.as_ref() {
            _ if state.outcome.is_some() => Turn::Over,
            Stop::Choose { players, .. } => Turn::Decide(players.iter().collect()),
            Stop::Chance { .. } => Turn::Chance,
            Stop::Broken(_) | Stop::Over => Turn::Over,
        }
    }

    /// The player who makes a move in a position; none for results of draws.
    pub fn mover(&self, state: &State, mv: Move) -> Option<u32> {
        if let Turn::Decide(players) = self.turn(state)
            && let [player] = players[..]
        {
            return Some(player);
        }
        self.named_mover(mv)
    }

    /// The player whom a move names as the one who makes it; nobody where its family has no such parameter.
    pub fn named_mover(&self, mv: Move) -> Option<u32> {
        let Some(MoveParts::Family(family, args)) = self.move_parts(mv) else {
            return None;
        };
        match args.get(self.game().mover_param(family)?)? {
            Value::Elem(player) => Some(*player),
            _ => None,
        }
    }

    /// The legal moves, each once: by arm, then by the values of the parameters in order.
    /// There are none when the game is over or a draw is due.
    ///
    /// They are remembered in the state.
    ///
    /// # Errors
    /// The fault that a rule ran into while a candidate was tried; it is the outcome, too.
    pub fn legal_moves<'a>(&self, state: &'a State) -> Result<&'a [Move], &'a Fault> {
        match state.legal().as_ref() {
            Ok(moves) => Ok(moves),
            Err(fault) => Err(fault),
        }
    }

    /// What the host of the game may tell here: moves that are nobody's, see [`Game::by_host`].
    pub fn host_moves(&self, state: &State) -> Vec<Move> {
        let Stop::Choose { code, .. } = state.stop.as_ref() else {
            return Vec::new();
        };
        if self.outcome(state).is_some() {
            return Vec::new();
        }
        let arms = self.program.chooses[*code].arms.iter();
        let by_host = arms.filter(|arm| self.game().by_host.contains(&arm.family));
        by_host
            .filter_map(|arm| self.program.layout.pack(arm.family, &[]))
            .collect()
    }

    /// The first legal move of every class of interchangeable moves, in order.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    pub fn distinct_moves(&self, state: &State) -> Result<Vec<Move>, Fault> {
        state.distinct()
    }

    /// The results of the draw that is due, with their exact weights; none unless one is due.
    pub fn chance_outcomes(&self, state: &State) -> Vec<(Move, u64)> {
        let Stop::Chance { code, results } = state.stop.as_ref() else {
            return Vec::new();
        };
        if state.outcome.is_some() {
            return Vec::new();
        }
        let draw = self.program.chances[*code].draw;
        let packed = |(value, weight): &(Value, u64)| {
            let mv = self.program.layout.pack_draw(draw, value)?;
            Some((mv, *weight))
        };
        results.iter().filter_map(packed).collect()
    }

    /// Plays a move, or a result of a draw, up to the next stop.
    ///
    /// A fault leaves the position as it was, with the fault as its outcome.
    /// Gives false, and leaves the state alone, if the present stop has no such move; whether the
    /// move is legal is not tested.
    pub fn play(&self, state: &mut State, mv: Move) -> bool {
        match state.after(mv, false) {
            Some((after, _)) => *state = after,
            None => return false,
        }
        true
    }

    /// Plays like [`Interp::play`] and appends what happens to `events`; nothing if it faults.
    pub fn play_with_events(&self, state: &mut State, mv: Move, events: &mut Vec<Event>) -> bool {
        match state.after(mv, true) {
            Some((after, happened)) => {
                *state = after;
                events.extend(happened);
            }
            None => return false,
        }
        true
    }

    /// How the game ended; `None` while it goes on.
    ///
    /// A decision without a legal move is an end: stuck, or a fault if a rule ran into one.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        if let Some(outcome) = &state.outcome {
            return Some(outcome.as_ref().clone());
        }
        match (state.stop.as_ref(), state.legal().as_ref()) {
            (_, Err(fault)) => Some(Outcome::fault(fault.clone())),
            (Stop::Choose { .. }, Ok(moves)) if moves.is_empty() => Some(Outcome::stuck()),
            _ => None,
        }
    }

    /// The steps that running the rules took so far, in all states: a measure of work that is the same on every machine.
    pub fn steps(&self) -> u64 {
        self.program
            .steps
            .load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The place of the statement that ended the game, where the position was played to and rules ended it: not of one that
    /// was read from a text, and not where nobody can move.
    pub fn ended_by(&self, state: &State) -> Option<Span> {
        state.ended_by
    }

    /// The score of every player; nothing where the rules keep none.
    pub fn scores(&self, state: &State) -> Vec<i64> {
        let Some(var) = self.game().scores else {
            return Vec::new();
        };
        let cells = &state.core.vars[self.program.cells(var)];
        let score = |value: &Value| match value {
            Value::Int(i) => *i,
            Value::Wrap(i) => i64::from(*i),
            _ => 0,
        };
        cells.iter().map(score).collect()
    }

    /// Appends the values of the planes of a position, see [`crate::ir::observe`].
    pub fn observe(&self, state: &State, planes: &[Plane], out: &mut Vec<i64>) {
        observe::observe(state, planes, out);
    }

    /// Appends an exact encoding of the state under an identity: two states of one game are equal
    /// under it if and only if the bytes are.
    pub fn identity(&self, state: &State, identity: IdentityId, out: &mut Vec<u8>) {
        identity::encode(state, identity, out);
    }

    /// What a move is; `None` for a number that stands for no move.
    pub fn move_parts(&self, mv: Move) -> Option<MoveParts> {
        self.program.layout.unpack(mv.code())
    }

    /// The family of a move and its arguments as numbers (sets as bits, absent members as -1): draws count as
    /// families after all others. `None` for a number that stands for no move.
    pub fn move_numbers(&self, mv: Move, args: &mut Vec<i64>) -> Option<usize> {
        self.program.layout.numbers(mv.code(), args)
    }

    /// The move of a packed form.
    pub fn move_from_code(&self, code: u64) -> Option<Move> {
        (code < self.move_count()).then_some(Move(code))
    }

    /// The packed form of a move by its name, of one of the family that several are written as ([`ir::Joined`]).
    pub fn named_code(&self, code: u64) -> u64 {
        self.program.layout.named(code)
    }

    /// The packed form of a move as one of the family that it is written as.
    pub fn written_code(&self, code: u64) -> u64 {
        self.program.layout.written(code)
    }

    /// Number of moves and draws that can be spelled; every packed form is below it.
    pub fn move_count(&self) -> u64 {
        self.program.layout.count.unwrap_or(0)
    }

    /// The move of a family with these arguments.
    pub fn family_move(&self, family: FamilyId, args: &[Value]) -> Option<Move> {
        self.program.layout.pack(family, args)
    }

    /// The result of a draw as a move.
    pub fn draw_move(&self, draw: DrawId, value: &Value) -> Option<Move> {
        self.program.layout.pack_draw(draw, value)
    }

    /// Appends the text of a move.
    pub fn write_move(&self, mv: Move, out: &mut String) {
        self.program.write_move(mv, out);
    }

    /// The text of a move.
    pub fn move_text(&self, mv: Move) -> String {
        let mut text = String::new();
        self.write_move(mv, &mut text);
        text
    }

    /// The text of a legal move, or a result of the draw that is due, in its position: another one than
    /// [`Interp::move_text`] gives where the game says so.
    pub fn move_text_in(&self, state: &State, mv: Move) -> String {
        let mut text = String::new();
        text::write_move_in(state, mv, &mut text);
        text
    }

    /// The legal moves and results of draws with this text in their position; where texts do not depend
    /// on it, as [`Interp::parse_move`].
    pub fn parse_move_in(&self, state: &State, text: &str) -> Vec<Move> {
        if self.game().tellings.is_empty() {
            return self.parse_move(text);
        }
        let mut moves: Vec<Move> = self.legal_moves(state).unwrap_or(&[]).to_vec();
        moves.extend(self.chance_outcomes(state).into_iter().map(|(mv, _)| mv));
        moves.retain(|&mv| self.move_text_in(state, mv) == text);
        moves
    }

    /// The moves with this text, whether legal or not: as [`Interp::parse_move`] reads it, or as moves are written in this
    /// position where there are not too many to look at.
    pub fn moves_called(&self, state: &State, text: &str) -> Vec<Move> {
        /// Moves whose texts are compared, and those of one text that are kept, at most.
        const MOST: (u64, usize) = (100_000, 24);
        let known = self.parse_move(text);
        let count = self.move_count();
        if !known.is_empty() || self.game().tellings.is_empty() {
            return known;
        }
        if count > MOST.0 {
            return self.parse_move_in(state, text);
        }
        let all = (0..count).filter_map(|code| self.move_from_code(code));
        let called = all.filter(|&mv| self.move_text_in(state, mv) == text);
        called.take(MOST.1).collect()
    }

    /// The moves and draws with this text, ascending, whether legal or not.
    pub fn parse_move(&self, text: &str) -> Vec<Move> {
        self.program.parse_move(text)
    }

    /// Appends the canonical text of a state.
    ///
    /// It tells everything that the game's description of the text names, and where play stopped
    /// if that is not the same for all states; histories only where the game says nothing.
    pub fn write_state(&self, state: &State, out: &mut String) {
        text::write_state(state, out);
    }

    /// The canonical text of a state.
    pub fn state_text(&self, state: &State) -> String {
        let mut text = String::new();
        self.write_state(state, &mut text);
        text
    }

    /// The state of a canonical text; what the text does not tell is as at the start.
    ///
    /// # Errors
    /// What was expected where. Only what [`Interp::write_state`] writes is read.
    pub fn parse_state(&self, text: &str) -> Result<State, TextError> {
        text::parse_state(&self.program, text)
    }

    /// What a symmetry of the game makes of a state; nothing where it cannot be said, as after positions were noted.
    pub fn image(&self, state: &State, by: &Symmetry) -> Option<State> {
        image::of(state, by)
    }

    /// The parts of a state, for other engines.
    pub fn position(&self, state: &State) -> Position {
        position::take_apart(state)
    }

    /// The state with these parts; what its decision or draw asks is worked out anew.
    ///
    /// The parts must be those of a state of this game.
    pub fn state_at(&self, position: Position) -> State {
        position::put_together(&self.program, position)
    }

    /// The value of a function in a position with this environment (empty: no variable has a
    /// value), and the environment after it. The state stays as it is.
    ///
    /// # Errors
    /// The fault that the function ran into; also a rule that ends the game or stops.
    pub fn ask(
        &self,
        state: &State,
        func: FuncId,
        args: &[Value],
        env: &[Option<Value>],
    ) -> Result<Answer, Fault> {
        let mut run = Run::new(&self.program, Arc::clone(&state.core), Otherwise::Ignore);
        run.begin();
        run.set_env(env);
        let value = run.ask_on(func, args)?;
        Ok(Answer {
            value,
            env: run.env,
        })
    }

    /// The function with this name, or of the probe with this name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        let game = self.game();
        let probe = game.probes.iter().find(|probe| probe.name == name);
        let func = || game.functions.iter().position(|f| f.name == name);
        probe
            .map(|probe| probe.func)
            .or_else(|| func().map(FuncId::from))
    }

    /// The value of a state variable at its indexes, given as numbers of cells from 0.
    pub fn var(&self, state: &State, var: crate::ir::VarId, cell: usize) -> Option<Value> {
        state.core.vars[self.program.cells(var)].get(cell).cloned()
    }

    /// What stands on a place, ascending: pieces, or the kind for a placement of kinds.
    pub fn on_place(
        &self,
        state: &State,
        placement: crate::ir::PlacementId,
        place: u32,
    ) -> Vec<u32> {
        let placed = &state.core.placed[placement.index()];
        match self.game().placement(placement).form {
            crate::ir::PlacementForm::Many => placed.contents(place).iter().collect(),
            _ => placed.content(place).into_iter().collect(),
        }
    }

    /// The place of a piece with identity.
    pub fn place_of(
        &self,
        state: &State,
        placement: crate::ir::PlacementId,
        piece: u32,
    ) -> Option<u32> {
        state.core.placed[placement.index()].place_of(piece)
    }

    /// The canonical text of a value of a type.
    pub fn value_text(&self, value: &Value, ty: &crate::ir::Type) -> String {
        self.program.value_text(value, ty)
    }
}
