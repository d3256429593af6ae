//! Random games: what happens in them, and that nothing contradicts itself.

use std::collections::{BTreeMap, BTreeSet};

use rulec_compiler::ir;
use rulec_compiler::source::Span;
use rulec_core::{Board, ChoiceSet, Game, Hosted, Outcome, Reason, Rng, Turn};
use rulec_interp as interp;
use rulec_interp::Event;
use rulec_search::AnyState;
use rulec_search::episode::boards::Boards;

use crate::interpreted::InterpretedGame;

/// What random games showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Played {
    /// Games played.
    pub(crate) games: u64,
    /// What the budget was charged.
    pub(crate) work: u64,
    /// Positions that were visited, and those of them that were watched for contradictions.
    pub(crate) positions: u64,
    pub(crate) watched: u64,
    /// How many games ended how: the word for it and who won, a bit each.
    pub(crate) ends: BTreeMap<(&'static str, u64), u64>,
    /// Games that were stopped at the limit of plies.
    pub(crate) unended: u64,
    /// How many games had how many moves and draws, of those that ended.
    pub(crate) lengths: BTreeMap<u64, u64>,
    /// In how many positions there were how many moves to choose from.
    pub(crate) choices: BTreeMap<u64, u64>,
    /// Moves by each player.
    pub(crate) moves: Vec<u64>,
    /// Positions in which each player was to move, also those in which nothing was legal.
    pub(crate) turns: Vec<u64>,
    /// Moves by each family after which the game went on, and those of them after which somebody else was to move.
    pub(crate) made: Vec<u64>,
    pub(crate) handed: Vec<u64>,
    /// Moves by each family that moved, placed or took something and passed the turn; and those that did so right after
    /// another one by the same family and the same player, and left the turn where it was.
    pub(crate) passing: Vec<u64>,
    pub(crate) again: Vec<u64>,
    /// Moves by each family that were the first of a turn.
    pub(crate) fresh: Vec<u64>,
    /// Positions in which each family had a legal move.
    pub(crate) legal: Vec<u64>,
    /// How many games ended at which places of the rules.
    pub(crate) ended_by: BTreeMap<Span, u64>,
    /// The pieces, or kinds, of each placement that were moved, placed or taken, or became something else.
    pub(crate) touched: Vec<BTreeSet<u32>>,
    /// The places of each placement where something was put.
    pub(crate) used: Vec<BTreeSet<u32>>,
    /// How often games came to the blocks of a program that tells it by signals called [`PASSED`], by their numbers.
    pub(crate) passed: BTreeMap<i64, u64>,
    /// The first game that ended in a fault of the rules, if any did.
    pub(crate) fault: Option<Finding>,
    /// Its place in the rules.
    pub(crate) fault_at: Option<interp::Fault>,
    /// Number of games that ended so.
    pub(crate) faults: u64,
    /// The first invariant that did not hold, if any.
    pub(crate) failure: Option<Finding>,
    /// Number of games in which an invariant did not hold.
    pub(crate) failures: u64,
}

/// Something found in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What.
    pub(crate) what: String,
    /// The moves before it.
    pub(crate) moves: Vec<String>,
}

/// How many games to play.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    /// As many, and all positions are watched.
    Games(u64),
    /// As many as a budget allows; positions are watched as long as another one allows.
    Usual,
    /// So many at most, and no more than so much work allows; no position is watched.
    Quick {
        /// Games.
        games: u64,
        /// Steps of the interpreter.
        work: u64,
    },
}

/// The signal by which a program tells that it came to a block; no rule language can spell it.
pub(crate) const PASSED: &str = "\u{0}passed";
/// Plies after which a random game is stopped.
const PLIES: u32 = 2_000;
/// Games that are played at most where nobody says how many, and when something never happened in them.
const MOST_GAMES: u64 = 1_000;
const MOST_GAMES_LONG: u64 = 20_000;
/// The budgets for them, in steps of the interpreter: they bound the time without a clock, so that the same games are played
/// everywhere.
const WORK: u64 = 6_000_000;
const WORK_LONG: u64 = 15_000_000;
/// The budget for watching, which costs more than playing: letters of texts that are read back.
const WATCHED: u64 = 400_000;
/// What listing a legal move and visiting a position cost, in steps.
const STEPS_OF_MOVE: u64 = 4;
const STEPS_OF_POSITION: u64 = 50;

/// Plays random games, game `n` on stream `n` of the seed; where a host gives boards, each on a board of its own.
///
/// `more` tells whether to play more where the amount does not: of the usual ones, because something never happened in them,
/// and of quick ones, whether to go on at all.
pub(crate) fn play(
    game: &InterpretedGame,
    seed: u64,
    amount: Amount,
    more: &dyn Fn(&Played) -> bool,
) -> Played {
    play_looking(game, seed, amount, more, &mut |_, _| {})
}

/// As [`play`]; `look` is given each position, and how many moves were made before it.
pub(super) fn play_looking(
    game: &InterpretedGame,
    seed: u64,
    amount: Amount,
    more: &dyn Fn(&Played) -> bool,
    look: &mut dyn FnMut(&interp::State, u32),
) -> Played {
    let about = game.interp().game();
    let mut played = Played {
        moves: vec![0; about.player_count()],
        turns: vec![0; about.player_count()],
        legal: vec![0; about.families.len()],
        made: vec![0; about.families.len()],
        handed: vec![0; about.families.len()],
        passing: vec![0; about.families.len()],
        again: vec![0; about.families.len()],
        fresh: vec![0; about.families.len()],
        touched: vec![BTreeSet::new(); about.placements.len()],
        used: vec![BTreeSet::new(); about.placements.len()],
        ..Played::default()
    };
    let start = game.initial();
    let episode = game.about().episode;
    let mut boards = episode.and_then(|info| Boards::new(info, info.boards, seed as i64).ok());
    let mut budget = Budget::new(game, amount);
    while budget.has_room(&played, more) {
        let begun = boards.as_mut().and_then(|boards| on_board(game, boards));
        let state = begun.unwrap_or_else(|| start.clone());
        let rng = Rng::new(seed, played.games);
        let walk = Walk {
            game,
            state,
            rng,
            moves: Vec::new(),
            last: None,
            played: &mut played,
            budget: &mut budget,
            more,
            look: &mut *look,
        };
        walk.run();
        played.work = budget.work();
    }
    played
}

/// How much is played and watched.
struct Budget<'a> {
    game: &'a InterpretedGame,
    amount: Amount,
    /// Steps of the interpreter before the first game, and those that other work counts for.
    before: u64,
    other: u64,
    letters: u64,
    long: bool,
}

impl<'a> Budget<'a> {
    fn new(game: &'a InterpretedGame, amount: Amount) -> Budget<'a> {
        Budget {
            game,
            amount,
            before: game.interp().steps(),
            other: 0,
            letters: 0,
            long: false,
        }
    }

    fn has_room(&mut self, played: &Played, more: &dyn Fn(&Played) -> bool) -> bool {
        match self.amount {
            Amount::Games(games) => return played.games < games,
            Amount::Quick { games, work } => {
                let room = played.games < games && self.work() < work;
                return more(played) && (room || played.games == 0);
            }
            Amount::Usual => {}
        }
        let work = self.work();
        let within = |games, most| played.games < games && work < most;
        if played.games == 0 || within(MOST_GAMES, WORK) {
            return true;
        }
        self.long = self.long || more(played);
        self.long && within(MOST_GAMES_LONG, WORK_LONG)
    }

    fn work(&self) -> u64 {
        self.game.interp().steps() - self.before + self.other
    }

    fn watches(&self) -> bool {
        match self.amount {
            Amount::Games(_) => true,
            Amount::Usual => self.letters < WATCHED,
            Amount::Quick { .. } => false,
        }
    }
}

/// The start on the next board, where a host gives boards.
pub(crate) fn on_board(game: &InterpretedGame, boards: &mut Boards) -> Option<interp::State> {
    let mut board = Board::EMPTY;
    boards.draw(&mut board).ok()?;
    game.start(&board)
}

struct Walk<'a, 'b> {
    game: &'a InterpretedGame,
    state: interp::State,
    rng: Rng,
    moves: Vec<String>,
    /// The family of the last move, if the turn stayed where it was.
    last: Option<usize>,
    played: &'b mut Played,
    budget: &'b mut Budget<'a>,
    more: &'b dyn Fn(&Played) -> bool,
    look: &'b mut dyn FnMut(&interp::State, u32),
}

impl Walk<'_, '_> {
    fn run(mut self) {
        self.played.games += 1;
        for length in 0..PLIES {
            let quick = matches!(self.budget.amount, Amount::Quick { .. });
            if quick && !(self.more)(self.played) {
                break;
            }
            (self.look)(&self.state, length);
            match self.ply() {
                Ok(None) => {}
                Ok(Some(outcome)) => return self.end(outcome, length),
                Err(what) => {
                    self.played.failures += 1;
                    let moves = self.moves;
                    self.played.failure.get_or_insert(Finding { what, moves });
                    return;
                }
            }
        }
        self.played.unended += 1;
    }

    fn end(self, outcome: Outcome, length: u32) {
        let played = self.played;
        if let Reason::Fault(_) = outcome.reason {
            played.faults += 1;
            if let Some(interp::Outcome {
                reason: interp::Reason::Fault(fault),
                ..
            }) = self.game.interp().outcome(&self.state)
            {
                played.fault_at.get_or_insert(fault);
            }
            let (what, moves) = (outcome.text(self.game.info()), self.moves);
            played.fault.get_or_insert(Finding { what, moves });
            return;
        }
        *played.lengths.entry(u64::from(length)).or_default() += 1;
        let end = (outcome.reason.word(), outcome.winners);
        *played.ends.entry(end).or_default() += 1;
        if let Some(span) = self.game.interp().ended_by(&self.state) {
            *played.ended_by.entry(span).or_default() += 1;
        }
    }

    /// Plays one random move; the outcome if there is one.
    fn ply(&mut self) -> Result<Option<Outcome>, String> {
        let (game, interp) = (self.game, self.game.interp());
        let (turn, outcome) = (game.turn(&self.state), game.outcome(&self.state));
        self.played.positions += 1;
        self.budget.other += STEPS_OF_POSITION;
        let who = interp.turn(&self.state);
        if let interp::Turn::Decide(players) = &who {
            for player in players {
                if let Some(count) = self.played.turns.get_mut(*player as usize) {
                    *count += 1;
                }
            }
        }
        let watched = self.budget.watches();
        let shown = watched.then(|| rulec_engines::position(game, self.state.clone()));
        if let Some(shown) = &shown {
            self.played.watched += 1;
            self.budget.letters += reads_back(&**shown)?;
        }
        if (turn == Turn::Over) != outcome.is_some() {
            return Err(format!("turn is {turn:?}, outcome is {outcome:?}"));
        }
        let mv = match turn {
            Turn::Over => return Ok(outcome),
            Turn::Chance => {
                let mut results = rulec_core::ChanceList::default();
                game.chance_outcomes(&self.state, &mut results);
                results.draw(&mut self.rng)
            }
            Turn::Decide(_) => {
                let legal = match interp.legal_moves(&self.state) {
                    Ok(legal) => legal,
                    Err(_) => return Ok(outcome),
                };
                self.budget.other += STEPS_OF_MOVE * legal.len() as u64;
                if let Some(shown) = &shown {
                    let codes: Vec<u64> = legal.iter().map(|mv| mv.code()).collect();
                    self.budget.letters += moves_are_sound(&**shown, &codes)?;
                }
                count_families(interp, legal, &mut self.played.legal);
                *self.played.choices.entry(legal.len() as u64).or_default() += 1;
                let index = self.rng.below64(legal.len() as u64) as usize;
                let mv = legal.get(index).copied();
                if let Some(mv) = mv
                    && let Some(count) = self.played.moves.get_mut(game.mover(&self.state, mv))
                {
                    *count += 1;
                }
                mv
            }
        };
        let Some(mv) = mv else {
            return Err("somebody is to move, but there is nothing to choose from".to_owned());
        };
        self.moves.push(interp.move_text_in(&self.state, mv));
        let mut events = Vec::new();
        interp.play_with_events(&mut self.state, mv, &mut events);
        self.played.hear(interp.game(), &events);
        if let Some(family) = interp.move_numbers(mv, &mut Vec::new()) {
            let family = rule_of(interp.game(), family);
            let next = interp.turn(&self.state);
            if self.last.is_none()
                && let Some(count) = self.played.fresh.get_mut(family)
            {
                *count += 1;
            }
            // Who is to move after the end is nobody's question.
            if next != interp::Turn::Over {
                self.played.note_move(family, next != who);
                let alone = matches!(&who, interp::Turn::Decide(players) if players.len() == 1);
                let again = alone && self.last == Some(family);
                if events.iter().any(is_of_pieces) {
                    self.played.note_turn(family, next != who, again);
                }
            }
            self.last = (next == who).then_some(family);
        }
        Ok(None)
    }
}

impl Played {
    /// Notes that a move of a family was played, and whether somebody else is to move then.
    fn note_move(&mut self, family: usize, handed: bool) {
        if let (Some(made), Some(passed)) = (self.made.get_mut(family), self.handed.get_mut(family))
        {
            *made += 1;
            *passed += u64::from(handed);
        }
    }

    /// Notes the same of a move that did something with pieces, and whether it followed another one like it.
    fn note_turn(&mut self, family: usize, handed: bool, again: bool) {
        let counts = match handed {
            true => &mut self.passing,
            false => &mut self.again,
        };
        if let Some(count) = counts.get_mut(family) {
            *count += u64::from(handed || again);
        }
    }

    /// Notes what happened in a move.
    pub(crate) fn hear(&mut self, game: &ir::Game, events: &[Event]) {
        for event in events {
            match event {
                Event::Signal(name, values) if name == PASSED => {
                    if let Some((interp::Value::Int(block), _)) = values.first() {
                        *self.passed.entry(*block).or_default() += 1;
                    }
                }
                event => note_pieces(game, event, self),
            }
        }
    }
}

/// Counts the families that have a move.
pub(crate) fn count_families(interp: &interp::Interp, legal: &[interp::Move], counts: &mut [u64]) {
    let mut args = Vec::new();
    let mut seen = usize::MAX;
    let mut fresh = BTreeSet::new();
    for &mv in legal {
        args.clear();
        let family = interp.move_numbers(mv, &mut args);
        let family = family.map_or(usize::MAX, |family| rule_of(interp.game(), family));
        if family != seen && fresh.insert(family) {
            seen = family;
            if let Some(count) = counts.get_mut(family) {
                *count += 1;
            }
        }
    }
}

/// The rule that a family is a part of, by number; draws count as families after all others.
fn rule_of(game: &ir::Game, family: usize) -> usize {
    match family < game.families.len() {
        true => game.rule_of(family.into()).index(),
        false => family,
    }
}

/// Whether something was moved, placed or taken.
fn is_of_pieces(event: &Event) -> bool {
    matches!(
        event,
        Event::Put { .. } | Event::Take { .. } | Event::SetContent { .. }
    )
}

/// Notes which piece, or kind, an event is about, and where it was put.
fn note_pieces(game: &ir::Game, event: &Event, played: &mut Played) {
    let mut touch = |placement: usize, pieces: [Option<u32>; 2]| {
        if let Some(touched) = played.touched.get_mut(placement) {
            touched.extend(pieces.into_iter().flatten());
        }
    };
    match event {
        Event::Put {
            placement,
            piece,
            to,
            ..
        } => {
            touch(*placement as usize, [Some(*piece), None]);
            if let Some(used) = played.used.get_mut(*placement as usize) {
                used.insert(*to);
            }
        }
        Event::Take {
            placement, piece, ..
        } => touch(*placement as usize, [Some(*piece), None]),
        Event::SetContent {
            placement,
            before,
            after,
            ..
        } => touch(*placement as usize, [*before, *after]),
        Event::Change { var, member, .. } => {
            // A property of a piece, such as the side that lies upwards.
            let var = &game.vars[*var as usize];
            for (index, placement) in game.placements.iter().enumerate() {
                if var.axes == [ir::Axis::Domain(placement.pieces)] {
                    touch(index, [Some(*member), None]);
                }
            }
        }
        _ => {}
    }
}

/// The places where rules end a game, and how: those that are reached in a program.
pub(crate) fn ends(game: &ir::Game) -> BTreeMap<Span, ir::EndReason> {
    let mut found = BTreeMap::new();
    let mut look = |block: &ir::Block| {
        ir::visit::walk_block(block, &mut |stmt| {
            if let ir::StmtKind::End { reason, .. } = &stmt.kind {
                found.insert(stmt.span, *reason);
            }
        });
    };
    for function in &game.functions {
        look(&function.body);
    }
    if let Some(machine) = &game.machine {
        look(&machine.start);
        for point in &machine.points {
            match point {
                ir::Point::Choose(choose) => {
                    choose.arms.iter().for_each(|arm| look(&arm.body));
                    choose.otherwise.iter().for_each(&mut look);
                }
                ir::Point::Chance(_, block) => look(block),
            }
        }
    }
    found
}

/// Whether the text of a position means the same one; how long it is.
fn reads_back(state: &dyn AnyState<'_>) -> Result<u64, String> {
    let text = state.text();
    let read = state
        .read(&text)
        .map_err(|e| format!("the text `{text}` of a position does not read back: {e}"))?;
    match read.text() == text && read.key() == state.key() {
        true => Ok(text.len() as u64),
        false => Err(format!(
            "the text `{text}` of a position reads back as `{}`",
            read.text()
        )),
    }
}

/// Whether legal moves are listed once and their texts mean them; how long these are.
fn moves_are_sound(state: &dyn AnyState<'_>, legal: &[u64]) -> Result<u64, String> {
    let mut letters = 0;
    let mut sorted = legal.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != legal.len() {
        return Err("a legal move is listed twice".to_owned());
    }
    for code in legal {
        let text = state.move_text(*code);
        letters += text.len() as u64;
        if !state.parse_move(&text).contains(code) {
            return Err(format!("the text `{text}` of a move does not read back"));
        }
    }
    let mut distinct = Vec::new();
    if state.moves(ChoiceSet::Distinct, &mut distinct).is_ok()
        && let Some(other) = distinct.iter().find(|c| sorted.binary_search(c).is_err())
    {
        return Err(format!(
            "the distinct move `{}` is not legal",
            state.move_text(*other)
        ));
    }
    Ok(letters)
}
