//! Runs games quickly where there is no compiler, or no time to wait for one.
//!
//! The rules after the passes become [`code`]: expressions and statements over one memory of words, in which a position is a run
//! of words that is copied as a whole. Sets of places are words with a bit for each place, and those that rules ask for are
//! kept up to date; conditions on one parameter of a move are answered for all of its candidates at once. What is not needed to
//! play (texts, explanations) is left to the reference interpreter, to which positions are handed over.
//!
//! - [`op`]: what is run, one operation after another; [`code`]: what that is made of, and values of several words, which are
//!   worked out as they are written; [`compile`]: where both come from
//! - [`run`]: running it; [`random`]: random games; [`convert`]: positions here and there; [`image`]: what symmetries make of them

#![forbid(unsafe_code)]
// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]

mod code;
mod compile;
mod convert;
mod full;
mod image;
mod op;
mod random;
mod run;

use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Result;
use rulec_core::{
    ChanceList, ChoiceSet, Events, Fault, Game, GameInfo, KeyHasher, MoveList, Outcome, Playout,
    PlayoutSums, RandomStreams, Reason, Rng, Turn,
};
use rulec_interp::{self as interp, Interp, Move};
use rulec_interpreted::InterpretedGame;
use rulec_ir::beside::beside;
use rulec_ir::ir::observe::{Plane, planes};
use rulec_ir::{ir, source};

use code::{Code, Point};
use compile::Listeners;
use run::{Ending, Machine, Memory, Trail, Wait, Want, Why};

/// Why a game is not run quickly: what it needs that is not known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not run quickly: {}", self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Moves of which it is listed who makes them, at most.
const MOST_MOVERS: u64 = 1 << 16;

/// A game that is run quickly.
pub struct QuickGame {
    interpreted: InterpretedGame,
    /// The program as the rules spell it, in whose words reasons are told.
    spelled: Option<InterpretedGame>,
    shared: Arc<Shared>,
}

/// What states know of their game.
#[derive(Debug)]
struct Shared {
    /// The code of runs of which nobody hears.
    code: Code,
    /// That of the others, made when somebody listens first; nothing where it would be too long.
    heard: OnceLock<Option<Box<Heard>>>,
    interp: Interp,
    /// What a network sees of a position.
    planes: Vec<Plane>,
    /// What symmetries make of positions.
    plans: image::Plans,
    /// Memories of runs that are over.
    spare: Memories,
    /// Whether rules went wrong in a random game.
    faults: AtomicBool,
    /// Who makes each move, if these are few.
    movers: OnceLock<Box<[u8]>>,
}

/// Code of runs of which somebody may hear.
#[derive(Debug)]
struct Heard {
    code: Code,
    spare: Memories,
}

/// Memories of runs that are over.
// Boxed, so that handing one over moves no more than where it lies.
#[allow(clippy::vec_box)]
#[derive(Debug, Default)]
struct Memories(Mutex<Vec<Box<Memory>>>);

impl Memories {
    /// Memory for a run of some code, which is always the same.
    fn take(&self, code: &Code) -> Box<Memory> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.pop().unwrap_or_else(|| Memory::new(code))
    }

    fn give(&self, memory: Box<Memory>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(memory);
    }
}

/// A position.
#[derive(Clone)]
pub struct State {
    shared: Arc<Shared>,
    words: Box<[i64]>,
    trails: Vec<Trail>,
    wait: Wait,
    over: Option<Ending>,
    /// Whether nobody can move, or a rule faults when somebody tries; once it was asked.
    stuck: OnceLock<Option<Ending>>,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.bytes().hash(hasher);
    }
}

impl State {
    /// The bytes of the identity that equality uses.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.identity(self.shared.interp.game().equality.index(), &mut bytes);
        bytes
    }

    fn identity(&self, identity: usize, out: &mut Vec<u8>) {
        self.shared.with(self, |machine| {
            machine.identity(identity, self.wait, self.over, out);
        });
    }

    /// How the game ended.
    fn end(&self) -> Option<Ending> {
        if self.over.is_some() {
            return self.over;
        }
        *self.stuck.get_or_init(|| match self.wait {
            Wait::At(point) if matches!(self.shared.code.points[point], Point::Choose(_)) => {
                self.shared.with(self, |machine| stuck(machine, point))
            }
            _ => None,
        })
    }

    fn position(&self) -> interp::Position {
        let Shared { code, interp, .. } = self.shared.as_ref();
        convert::position(
            code,
            interp,
            &self.words,
            &self.trails,
            self.wait,
            self.over,
        )
    }
}

impl Shared {
    fn memory(&self) -> Box<Memory> {
        self.spare.take(&self.code)
    }

    fn give(&self, memory: Box<Memory>) {
        self.spare.give(memory);
    }

    /// The code of runs of which somebody hears.
    fn heard(&self) -> Option<&Heard> {
        let heard = self.heard.get_or_init(|| {
            let mut code = compile::code(self.interp.game(), Listeners::Some).ok()?;
            if code.position != self.code.position {
                return None;
            }
            code.image[..code.position].copy_from_slice(&self.code.image[..code.position]);
            let spare = Memories::default();
            Some(Box::new(Heard { code, spare }))
        });
        heard.as_deref()
    }

    /// Who makes a move, by its packed form, where several may.
    fn mover(&self, mv: u64) -> usize {
        let movers = self.movers.get_or_init(|| {
            let many = self.interp.move_count();
            let many = if many > MOST_MOVERS { 0 } else { many };
            (0..many).map(|mv| self.named_mover(mv) as u8).collect()
        });
        match movers.get(mv as usize) {
            Some(mover) => usize::from(*mover),
            None => self.named_mover(mv),
        }
    }

    /// The same from the parameters of the move.
    fn named_mover(&self, mv: u64) -> usize {
        let mv = self.interp.move_from_code(self.interp.named_code(mv));
        let mover = mv.and_then(|mv| self.interp.named_mover(mv));
        mover.map_or(0, |player| player as usize & 63)
    }

    /// Runs something on a position.
    fn with<T>(&self, state: &State, f: impl FnOnce(&mut Machine<'_>) -> T) -> T {
        let trails = state.trails.clone();
        let mut machine = Machine::new(
            &self.code,
            &self.interp,
            self.memory(),
            &state.words,
            trails,
        );
        let result = f(&mut machine);
        self.give(machine.into_memory());
        result
    }
}

/// Whether nobody can move at a decision, or a rule faults when somebody tries.
fn stuck(machine: &mut Machine<'_>, point: usize) -> Option<Ending> {
    let why = match machine.find(point, Want::Any) {
        Ok(()) if machine.found.count() > 0 => return None,
        Ok(()) => Why::Rules(ir::EndReason::Stuck),
        Err(run::Halt) => Why::Fault(machine.halted.site),
    };
    Some(Ending { why, winners: 0 })
}

impl Ending {
    /// The same where a fault has its site in another code.
    fn told_by(self, code: &Code, other: &Code) -> Ending {
        let Why::Fault(site) = self.why else {
            return self;
        };
        let (fault, span) = code.fault(site);
        let site = match std::ptr::eq(code, other) {
            true => site,
            false => other.site_of(&fault, span).unwrap_or(u32::MAX),
        };
        let why = Why::Fault(site);
        Ending { why, ..self }
    }
}

/// A run from one position, as far as the caller likes.
struct Run<'s> {
    shared: &'s Shared,
    machine: Machine<'s>,
    /// Where its memory goes in the end.
    spare: &'s Memories,
    wait: Wait,
    over: Option<Ending>,
}

impl<'s> Run<'s> {
    fn at(shared: &'s Shared, state: &State) -> Run<'s> {
        Run::with(shared, &shared.code, &shared.spare, state)
    }

    /// The same where somebody hears of it; nothing if there is no code for that.
    fn heard_at(shared: &'s Shared, state: &State) -> Option<Run<'s>> {
        let heard = shared.heard()?;
        let mut run = Run::with(shared, &heard.code, &heard.spare, state);
        run.machine.events = Some(Vec::new());
        Some(run)
    }

    fn with(shared: &'s Shared, code: &'s Code, spare: &'s Memories, state: &State) -> Run<'s> {
        let (memory, trails) = (spare.take(code), state.trails.clone());
        Run {
            shared,
            machine: Machine::new(code, &shared.interp, memory, &state.words, trails),
            spare,
            wait: state.wait,
            over: state.over,
        }
    }

    /// Begins at a position once more.
    fn again(&mut self, state: &State) {
        self.machine.begin(&state.words);
        self.machine.follow_trails(&state.trails);
        (self.wait, self.over) = (state.wait, state.over);
    }

    /// Takes over where a run of the machine led.
    fn arrive(&mut self, result: Result<(Wait, Option<Ending>), u32>) {
        match result {
            Ok((wait, over)) => (self.wait, self.over) = (wait, over),
            Err(site) => {
                let why = Why::Fault(site);
                self.over = Some(Ending { why, winners: 0 });
            }
        }
    }

    /// Plays a move or a result; false if there is none such here.
    fn play(&mut self, mv: u64) -> bool {
        let Wait::At(point) = self.wait else {
            return false;
        };
        let code = self.machine.code;
        let block = match &code.points[point] {
            Point::Choose(choose) => match self.machine.bind(choose, mv) {
                Some(block) => block,
                None => return false,
            },
            Point::Chance(chance) => {
                let codes = &code.draws[chance.draw];
                let digit = mv.wrapping_sub(codes.base);
                if mv < codes.base || digit >= codes.len {
                    return false;
                }
                self.machine.mem[chance.into] = codes.digits[0].0 + digit as i64;
                chance.resume
            }
        };
        let result = self.machine.resume(block);
        self.arrive(result);
        true
    }

    fn finish(self, state: &mut State) {
        state.words.copy_from_slice(self.machine.words());
        let mut machine = self.machine;
        state.trails = std::mem::take(&mut machine.trails);
        state.wait = self.wait;
        state.over = self
            .over
            .map(|over| over.told_by(machine.code, &state.shared.code));
        state.stuck = OnceLock::new();
        self.spare.give(machine.into_memory());
    }
}

impl QuickGame {
    /// Makes a game ready to run: as the passes left it, with its rules as a machine.
    ///
    /// # Errors
    /// What the game needs that is not known here ([`Unsupported`]): then the reference interpreter has to do; or a program
    /// that is not sound, a defect of the compiler.
    pub fn new(game: impl Into<Arc<ir::Game>>) -> Result<Self> {
        let game = game.into();
        let (interpreted, code) = beside(
            || InterpretedGame::new(Arc::clone(&game)),
            || compile::code(&game, Listeners::Nobody),
        );
        let (mut code, interpreted) = (code?, interpreted?);
        let interp = interpreted.interp().clone();
        // The sets that are kept, as they are at the start.
        let words = code.image[..code.position].to_vec();
        let mut machine = Machine::new(&code, &interp, Memory::new(&code), &words, Vec::new());
        machine.keep_all();
        let words = machine.words().to_vec();
        code.image[..words.len()].copy_from_slice(&words);
        let shared = Arc::new(Shared {
            code,
            planes: planes(interp.game()),
            plans: image::Plans::default(),
            interp,
            heard: OnceLock::new(),
            spare: Memories::default(),
            faults: AtomicBool::new(false),
            movers: OnceLock::new(),
        });
        let bytes = shared.code.position * size_of::<i64>();
        Ok(Self {
            interpreted: interpreted.with_state_bytes(bytes),
            spelled: None,
            shared,
        })
    }

    /// Tells why moves are not legal in the words of the rules: from the program as the front end made it.
    ///
    /// # Errors
    /// When that program is not sound: a defect of the compiler.
    pub fn in_words_of(mut self, lowered: ir::Game) -> Result<Self> {
        self.spelled = Some(InterpretedGame::new(lowered)?);
        Ok(self)
    }

    /// The reference interpreter of the same rules.
    pub fn interp(&self) -> &Interp {
        &self.shared.interp
    }

    /// The same position in the reference interpreter.
    pub fn interpreted(&self, state: &State) -> interp::State {
        self.shared.interp.state_at(state.position())
    }

    /// The position that is one of the reference interpreter there.
    pub fn state(&self, state: &interp::State) -> State {
        let Shared { code, interp, .. } = self.shared.as_ref();
        let position = interp.position(state);
        let (words, trails, wait, over) = convert::words(code, interp, &position);
        let memory = self.shared.memory();
        let mut machine = Machine::new(code, interp, memory, &words, trails);
        machine.keep_all();
        if let Wait::At(point) = wait
            && let Point::Choose(choose) = &code.points[point]
        {
            // A fault is the outcome there, too.
            let _ = machine.decide(choose);
        }
        let state = State {
            shared: Arc::clone(&self.shared),
            words: machine.words().into(),
            trails: std::mem::take(&mut machine.trails),
            wait,
            over,
            stuck: OnceLock::new(),
        };
        self.shared.give(machine.into_memory());
        state
    }

    fn begin(&self, words: &[i64]) -> State {
        let Shared { code, interp, .. } = self.shared.as_ref();
        let trails = vec![Trail::default(); interp.game().trails.len()];
        let mut state = State {
            shared: Arc::clone(&self.shared),
            words: words.into(),
            trails: trails.clone(),
            wait: Wait::Nowhere,
            over: None,
            stuck: OnceLock::new(),
        };
        let machine = Machine::new(code, interp, self.shared.memory(), words, trails);
        let mut run = Run {
            shared: &self.shared,
            machine,
            spare: &self.shared.spare,
            wait: Wait::Nowhere,
            over: None,
        };
        let result = run.machine.start();
        run.arrive(result);
        run.finish(&mut state);
        state
    }

    fn converted(&self, over: Ending) -> Outcome {
        let reason = match over.why {
            Why::Rules(ir::EndReason::Win) => Reason::Win,
            Why::Rules(ir::EndReason::Draw) => Reason::Draw,
            Why::Rules(ir::EndReason::Stuck) => Reason::Stuck,
            Why::Rules(ir::EndReason::Elimination) => Reason::Elimination,
            Why::Rules(ir::EndReason::Limit) => Reason::Limit,
            Why::Fault(site) => Reason::Fault(self.fault(site)),
        };
        Outcome {
            reason,
            winners: over.winners,
        }
    }

    fn fault(&self, site: u32) -> Fault {
        let fault = convert::fault(&self.shared.code, site);
        self.interpreted.fault(&fault)
    }

    fn point(&self, state: &State) -> Option<(usize, &Point)> {
        match state.wait {
            Wait::At(point) if state.over.is_none() => {
                Some((point, &self.shared.code.points[point]))
            }
            _ => None,
        }
    }

    fn move_of(&self, code: u64) -> Option<Move> {
        self.shared.interp.move_from_code(code)
    }

    /// Lists moves.
    fn list(&self, state: &State, want: Want, out: &mut MoveList<Move>) -> Result<(), Fault> {
        let Some((point, Point::Choose(_))) = self.point(state) else {
            return Ok(());
        };
        let found = self.shared.with(state, |machine| {
            let found = machine.find(point, want);
            if found.is_ok() {
                out.extend(
                    machine
                        .found
                        .codes(machine.code, &machine.mem)
                        .filter_map(|mv| self.move_of(self.interp().named_code(mv))),
                );
            }
            found.map_err(|run::Halt| machine.halted.site)
        });
        found.map_err(|site| self.fault(site))
    }

    fn results(machine: &mut Machine<'_>, point: usize) -> ChanceList<u64> {
        let mut list = ChanceList::new();
        let code = machine.code;
        if let Point::Chance(chance) = &code.points[point]
            && machine.results(chance).is_ok()
        {
            let codes = &code.draws[chance.draw];
            for &(value, weight) in machine.drawn() {
                let digit = value.wrapping_sub(codes.digits[0].0) as u64;
                list.push(codes.base + digit, weight);
            }
        }
        list
    }
}

impl Game for QuickGame {
    type State = State;
    type Move = Move;

    fn info(&self) -> &GameInfo {
        self.interpreted.info()
    }

    fn about(&self) -> &GameInfo {
        self.interpreted.about()
    }

    fn initial(&self) -> State {
        self.begin(&self.shared.code.image[..self.shared.code.position])
    }

    fn turn(&self, state: &State) -> Turn {
        match self.point(state) {
            Some((_, Point::Chance(_))) => Turn::Chance,
            Some(_) if state.end().is_none() => {
                Turn::Decide(state.words[self.shared.code.players] as u64)
            }
            _ => Turn::Over,
        }
    }

    fn player(&self, state: &State) -> Option<usize> {
        match self.point(state) {
            Some((_, Point::Choose(_))) => match state.words[self.shared.code.players] {
                0 => None,
                players => Some(players.trailing_zeros() as usize),
            },
            _ => None,
        }
    }

    fn mover(&self, state: &State, mv: Move) -> usize {
        match self.point(state) {
            Some((_, Point::Choose(_))) => {
                let players = state.words[self.shared.code.players];
                match players.count_ones() {
                    1 => players.trailing_zeros() as usize,
                    _ => self.shared.mover(self.interp().written_code(mv.code())),
                }
            }
            _ => 0,
        }
    }

    fn legal_moves(&self, state: &State, out: &mut MoveList<Move>) -> Result<(), Fault> {
        self.list(state, Want::All, out)
    }

    fn distinct_moves(&self, state: &State, out: &mut MoveList<Move>) -> Result<(), Fault> {
        self.list(state, Want::Distinct, out)
    }

    fn count_moves(
        &self,
        state: &State,
        choices: ChoiceSet,
        _: &mut MoveList<Move>,
    ) -> Result<usize, Fault> {
        let Some((point, Point::Choose(_))) = self.point(state) else {
            return Ok(0);
        };
        let want = match choices {
            ChoiceSet::All => Want::All,
            ChoiceSet::Distinct => Want::Distinct,
        };
        let found = self.shared.with(state, |machine| {
            let found = machine.find(point, want);
            let count = machine.found.count() as usize;
            found
                .map(|()| count)
                .map_err(|run::Halt| machine.halted.site)
        });
        found.map_err(|site| self.fault(site))
    }

    fn chance_outcomes(&self, state: &State, out: &mut ChanceList<Move>) {
        let Some((point, Point::Chance(_))) = self.point(state) else {
            return;
        };
        let list = self
            .shared
            .with(state, |machine| Self::results(machine, point));
        for &(mv, weight) in &list {
            if let Some(mv) = self.move_of(mv) {
                out.push(mv, weight);
            }
        }
    }

    fn play<E: Events>(&self, state: &mut State, mv: Move, events: &mut E) {
        if state.over.is_some() {
            return;
        }
        let written = self.interp().written_code(mv.code());
        if !(E::ACTIVE || E::COUNTS) {
            let mut run = Run::at(&self.shared, state);
            run.play(written);
            return run.finish(state);
        }
        let Some(mut run) = Run::heard_at(&self.shared, state) else {
            let mut there = self.interpreted(state);
            self.interpreted.play(&mut there, mv, events);
            *state = self.state(&there);
            return;
        };
        run.play(written);
        let happened = run.machine.events.take().unwrap_or_default();
        run.finish(state);
        self.interpreted.tell(happened, events);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.end().map(|over| self.converted(over))
    }

    fn scores(&self, state: &State, out: &mut Vec<i64>) {
        if let Some(var) = self.shared.interp.game().scores {
            let var = &self.shared.code.vars[var.index()];
            out.extend_from_slice(&state.words[var.base..var.base + var.cells]);
        }
    }

    fn key(&self, state: &State) -> u64 {
        let mut hasher = KeyHasher::new();
        hasher.write(&state.bytes());
        hasher.finish()
    }

    fn random_playout(
        &self,
        state: &mut State,
        rng: &mut Rng,
        limit: u32,
        choices: ChoiceSet,
        buffer: &mut MoveList<Move>,
    ) -> Playout {
        let _ = buffer;
        self.random_game(state, rng, limit, choices)
    }

    fn random_playouts(
        &self,
        start: &State,
        games: &RandomStreams,
        buffer: &mut MoveList<Move>,
        sums: &mut PlayoutSums,
    ) {
        let _ = buffer;
        self.random_games(start, games, false, sums);
    }

    fn random_turns(&self, start: &State, games: &RandomStreams, sums: &mut PlayoutSums) -> bool {
        // Who can move is asked of one move of every class.
        let merges = |point: &Point| matches!(point, Point::Choose(choose) if choose.classed);
        if games.choices == ChoiceSet::All && self.shared.code.points.iter().any(merges) {
            return false;
        }
        self.random_games(start, games, true, sums);
        true
    }

    fn move_index(&self, mv: Move) -> usize {
        self.interpreted.move_index(mv)
    }

    fn move_code(&self, mv: Move) -> u64 {
        mv.code()
    }

    fn move_from_code(&self, code: u64) -> Option<Move> {
        self.move_of(code)
    }

    fn write_move(&self, mv: Move, out: &mut String) {
        self.interpreted.write_move(mv, out);
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<Move>) {
        self.interpreted.parse_move(text, out);
    }
}
