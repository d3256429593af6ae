//! `rulec check`: random games under invariants.

use std::time::{Duration, Instant};

use rulec_core::{Board, ChoiceSet, Outcome, Reason, Rng, Turn};
use rulec_search::episode::boards::Boards;
use rulec_search::{AnyState, State};

/// What random games showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Played {
    /// Games played.
    pub(crate) games: u64,
    /// Shortest and longest game that ended, in plies.
    pub(crate) length: Option<(u32, u32)>,
    /// Games that were stopped at the limit of plies.
    pub(crate) unended: u64,
    /// The first game that ended in a fault of the rules, if any did.
    pub(crate) fault: Option<Finding>,
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
    /// As many.
    Games(u64),
    /// As many as fit into a time, at least one, and no more than this.
    Within(Duration, u64),
}

/// Plies after which a random game is stopped.
const PLIES: u32 = 2_000;

/// Plays random games, game `n` on stream `n` of the seed; where a host gives boards, each on a board of its own.
pub(crate) fn play(start: &State<'_>, seed: u64, amount: Amount) -> Played {
    let began = Instant::now();
    let mut played = Played::default();
    let episode = start.info().episode;
    let mut boards = episode.and_then(|info| Boards::new(info, info.boards, seed as i64).ok());
    loop {
        let enough = match amount {
            Amount::Games(games) => played.games >= games,
            Amount::Within(time, most) => {
                played.games >= most || (played.games > 0 && began.elapsed() >= time)
            }
        };
        if enough {
            return played;
        }
        let begun = boards.as_mut().and_then(|boards| on_board(start, boards));
        let from = begun.as_ref().unwrap_or(start);
        let game = Walk::new(from, Rng::new(seed, played.games)).run();
        played.add(game);
    }
}

/// The start on the next board, where a host gives boards.
fn on_board<'g>(start: &State<'g>, boards: &mut Boards) -> Option<State<'g>> {
    let mut board = Board::EMPTY;
    boards.draw(&mut board).ok()?;
    start.begin(&board)
}

impl Played {
    fn add(&mut self, game: Ended) {
        self.games += 1;
        match game.result {
            Ok(None) => self.unended += 1,
            Ok(Some(outcome)) => {
                let plies = game.moves.len() as u32;
                let (least, most) = self.length.unwrap_or((plies, plies));
                self.length = Some((least.min(plies), most.max(plies)));
                if let (Reason::Fault(_), Some(what)) = (outcome.reason, game.fault) {
                    self.faults += 1;
                    let moves = game.moves;
                    self.fault.get_or_insert(Finding { what, moves });
                }
            }
            Err(what) => {
                self.failures += 1;
                let moves = game.moves;
                self.failure.get_or_insert(Finding { what, moves });
            }
        }
    }
}

/// A game that ended, was stopped, or broke an invariant.
struct Ended {
    moves: Vec<String>,
    result: Result<Option<Outcome>, String>,
    fault: Option<String>,
}

struct Walk<'g> {
    state: State<'g>,
    rng: Rng,
    moves: Vec<String>,
}

impl<'g> Walk<'g> {
    fn new(start: &State<'g>, rng: Rng) -> Self {
        Self {
            state: start.fork(),
            rng,
            moves: Vec::new(),
        }
    }

    fn run(mut self) -> Ended {
        let mut result = Ok(None);
        for _ in 0..PLIES {
            match self.ply() {
                Ok(None) => {}
                ended => {
                    result = ended;
                    break;
                }
            }
        }
        let fault = match &result {
            Ok(Some(outcome)) => Some(outcome.text(self.state.info())),
            _ => None,
        };
        Ended {
            moves: self.moves,
            result,
            fault,
        }
    }

    /// Checks the position and plays one random move; the outcome if there is one.
    fn ply(&mut self) -> Result<Option<Outcome>, String> {
        let state = &*self.state;
        reads_back(state)?;
        let (turn, outcome) = (state.turn(), state.outcome());
        if (turn == Turn::Over) != outcome.is_some() {
            return Err(format!("turn is {turn:?}, outcome is {outcome:?}"));
        }
        let code = match turn {
            Turn::Over => return Ok(outcome),
            Turn::Chance => state.results().draw(&mut self.rng),
            Turn::Decide(_) => {
                let mut legal = Vec::new();
                if let Err(fault) = state.moves(ChoiceSet::All, &mut legal) {
                    return Ok(Some(Outcome::fault(fault)));
                }
                moves_are_sound(state, &legal)?;
                let index = self.rng.below64(legal.len() as u64) as usize;
                legal.get(index).copied()
            }
        };
        let Some(code) = code else {
            return Err("somebody is to move, but there is nothing to choose from".to_owned());
        };
        self.moves.push(state.move_text(code));
        self.state.play(code, None);
        Ok(None)
    }
}

fn reads_back(state: &dyn AnyState<'_>) -> Result<(), String> {
    let text = state.text();
    let read = state
        .read(&text)
        .map_err(|e| format!("the text `{text}` of a position does not read back: {e}"))?;
    match read.text() == text && read.key() == state.key() {
        true => Ok(()),
        false => Err(format!(
            "the text `{text}` of a position reads back as `{}`",
            read.text()
        )),
    }
}

fn moves_are_sound(state: &dyn AnyState<'_>, legal: &[u64]) -> Result<(), String> {
    let mut sorted = legal.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != legal.len() {
        return Err("a legal move is listed twice".to_owned());
    }
    for code in legal {
        let text = state.move_text(*code);
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
    Ok(())
}
