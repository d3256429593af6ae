//! What can be said of the rules of a game in episodes: whether boards can always be cleared, how many first attempts are
//! right, and how many errors a random player makes.

use std::collections::BTreeMap;

use rulec_core::episode::Board;
use rulec_core::{ChoiceSet, Reason, Turn};

use super::boards::Boards;
use crate::{AnyState, State};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct AnalyseJob {
    /// Boards to look at.
    pub boards: usize,
    /// Most positions that are visited for one board.
    pub positions: usize,
    /// Seed of the boards.
    pub seed: i64,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Boards looked at.
    pub boards: usize,
    /// Boards that were searched to the end.
    pub complete: usize,
    /// Boards on which some way of playing gets stuck.
    pub can_get_stuck: usize,
    /// Boards on which every way of playing gets stuck.
    pub must_get_stuck: usize,
    /// Boards that are stuck at once.
    pub stuck_at_once: usize,
    /// Share of first attempts that are accepted, for each board.
    pub first_right: Vec<f64>,
    /// Errors that a random player is expected to make, exact, for each board that was searched to the end.
    pub errors: Vec<f64>,
    /// Chance that a random player clears the board, exact, for each board that was searched to the end.
    pub clears: Vec<f64>,
    /// Positions visited.
    pub positions: u64,
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Prospect {
    errors: f64,
    clears: f64,
    can_clear: bool,
    can_stick: bool,
}

/// Looks at boards; `tell` hears of each.
///
/// # Errors
/// When there are no boards, for people.
pub fn analyse<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &AnalyseJob,
    tell: &mut dyn FnMut(usize),
) -> Result<Analysis, String> {
    let info = start.info().episode.ok_or("the game has no episodes")?;
    let mut boards = Boards::new(info, info.boards, job.seed)?;
    let mut found = Analysis::default();
    let mut board = Board::EMPTY;
    for number in 0..job.boards {
        boards.draw(&mut board)?;
        let state = start.begin(&board).ok_or("the rules have no such board")?;
        found.look(&state, board.present.count_ones() as usize, job.positions)?;
        tell(number + 1);
    }
    Ok(found)
}

impl Analysis {
    /// Looks at a position with so many pieces, at so many further ones at most.
    ///
    /// # Errors
    /// When a rule fails, for people.
    pub fn look(
        &mut self,
        state: &State<'_>,
        pieces: usize,
        positions: usize,
    ) -> Result<(), String> {
        let targets = state.info().episode.map_or(0, |info| info.targets);
        let mut moves = Vec::new();
        if state.turn() == Turn::Over {
            self.stuck_at_once += 1;
        } else {
            let listed = state.moves(ChoiceSet::All, &mut moves);
            listed.map_err(|_| "a rule failed")?;
        }
        let all = (pieces * targets).max(1) as f64;
        self.first_right.push(moves.len() as f64 / all);
        let mut search = Search {
            targets,
            known: BTreeMap::new(),
            most: positions,
        };
        let facts = search.visit(state, pieces);
        self.positions += search.known.len() as u64;
        self.boards += 1;
        if let Some(facts) = facts {
            self.complete += 1;
            self.can_get_stuck += usize::from(facts.can_stick);
            self.must_get_stuck += usize::from(!facts.can_clear);
            self.errors.push(facts.errors);
            self.clears.push(facts.clears);
        }
        Ok(())
    }
}

struct Search {
    targets: usize,
    /// By an exact encoding of the position, so that no two are taken for one.
    known: BTreeMap<Vec<u8>, Prospect>,
    most: usize,
}

impl Search {
    /// What follows from a position; nothing if there are too many.
    fn visit(&mut self, state: &State<'_>, pieces: usize) -> Option<Prospect> {
        if state.turn() == Turn::Over {
            let cleared = state
                .outcome()
                .is_some_and(|outcome| outcome.reason == Reason::Win);
            return Some(Prospect {
                errors: 0.0,
                clears: f64::from(u8::from(cleared)),
                can_clear: cleared,
                can_stick: !cleared,
            });
        }
        let mut key = Vec::new();
        state.identity(state.info().future, &mut key);
        if let Some(facts) = self.known.get(&key) {
            return Some(*facts);
        }
        if self.known.len() >= self.most {
            return None;
        }
        let mut moves = Vec::new();
        state.moves(ChoiceSet::All, &mut moves).ok()?;
        let n = moves.len() as f64;
        // A random player hits one of n among all with each try; failures before a hit follow from that.
        let all = (pieces * self.targets) as f64;
        let mut facts = Prospect {
            errors: all / n - 1.0,
            clears: 0.0,
            can_clear: false,
            can_stick: false,
        };
        for code in moves {
            let mut next = state.fork();
            next.play(code, None);
            let after = self.visit(&next, pieces - 1)?;
            facts.errors += after.errors / n;
            facts.clears += after.clears / n;
            facts.can_clear |= after.can_clear;
            facts.can_stick |= after.can_stick;
        }
        self.known.insert(key, facts);
        Some(facts)
    }
}
