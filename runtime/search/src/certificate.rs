//! Certificates: what was solved, in a form that a small checker can verify without solving ([`crate::verify`]).
//!
//! A certificate is lines of JSON. The first one is an object: the format, the rules, the position and the claim. Then come,
//! for each strategy, an object and a line `["position","move"]` for every position in which the player of the strategy decides;
//! or the moves of a way, one line each. The last line is an object with the checksum of all before.
//!
//! A claim about what a player can force is certified by a strategy: for each position that can come up while he follows
//! it, the move to make there. A claim about a puzzle is certified by its way; that none is cheaper, the checker finds out
//! itself.

use std::{
    collections::BTreeSet,
    hash::Hasher,
    io::{self, Write},
};

use rulec_core::{GameInfo, KeyHasher, Outcome, Reason, Turn};
use serde_json::{Value, json};

use crate::{AnyState, State, exhaust::Force, puzzle::Cost, view::exact_moves};

/// The number of the format.
pub const FORMAT: u64 = 1;

/// Chooses a move for the player of a strategy: given the way to a position, the position, and its moves.
pub type Choose<'c, 'g> = &'c mut dyn FnMut(&[u64], &State<'g>, &[u64]) -> Option<u64>;

/// Why there is no certificate.
#[derive(Debug)]
pub enum Failure {
    /// The strategy did not keep what it should, or was stopped.
    Lost,
    /// More positions than were allowed.
    TooMany,
    /// Writing failed.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

/// Writes lines and keeps the sum of them.
pub struct Writer<'o> {
    out: &'o mut dyn Write,
    sum: KeyHasher,
}

impl<'o> Writer<'o> {
    /// Begins a certificate about a position.
    ///
    /// # Errors
    /// When writing fails.
    pub fn begin(
        out: &'o mut dyn Write,
        info: &GameInfo,
        start: &str,
        claim: Value,
    ) -> io::Result<Self> {
        let mut writer = Self {
            out,
            sum: KeyHasher::new(),
        };
        writer.line(&json!({
            "rulec_certificate": FORMAT,
            "game": info.name,
            "rules_sha256": info.rules_sha256,
            "start": start,
            "claim": claim,
        }))?;
        Ok(writer)
    }

    fn line(&mut self, value: &Value) -> io::Result<()> {
        let line = format!("{value}\n");
        self.sum.write(line.as_bytes());
        self.out.write_all(line.as_bytes())
    }

    /// Writes the way of a puzzle.
    ///
    /// # Errors
    /// When writing fails.
    pub fn way(&mut self, moves: &[String]) -> io::Result<()> {
        moves.iter().try_for_each(|text| self.line(&json!([text])))
    }

    /// Writes a strategy: walks through all positions that can come up and asks `choose` for the moves of the player.
    /// Gives the number of positions in which he decides.
    ///
    /// # Errors
    /// When there is no move, there are more than `most` positions, or writing fails.
    pub fn strategy<'g>(
        &mut self,
        start: &(dyn AnyState<'g> + 'g),
        player: usize,
        force: Force,
        most: u64,
        choose: Choose<'_, 'g>,
    ) -> Result<u64, Failure> {
        self.line(&json!({ "player": player + 1, "goal": goal_word(force) }))?;
        let choices = exact_moves(start.info());
        let mut seen = BTreeSet::from([identity(start)]);
        // A position and the moves that lead there.
        let mut open: Vec<(State<'g>, Vec<u64>)> = vec![(start.fork(), Vec::new())];
        let mut moves = Vec::new();
        let mut decisions = 0;
        while let Some((state, way)) = open.pop() {
            if state.outcome().is_some() {
                continue;
            }
            moves.clear();
            match state.turn() {
                Turn::Chance => moves.extend(state.results().iter().map(|(code, _)| *code)),
                // A fault is an end; the checker judges it.
                _ if state.moves(choices, &mut moves).is_err() => continue,
                _ => {}
            }
            if matches!(state.turn(), Turn::Decide(_)) && state.player() == Some(player) {
                let Some(code) = choose(&way, &state, &moves) else {
                    return Err(Failure::Lost);
                };
                self.line(&json!([state.text(), state.move_text(code)]))?;
                decisions += 1;
                moves.clear();
                moves.push(code);
            }
            for &code in &moves {
                let mut next = state.fork();
                next.play(code, None);
                if seen.insert(identity(&*next)) {
                    if seen.len() as u64 > most {
                        return Err(Failure::TooMany);
                    }
                    let longer = way.iter().copied().chain([code]).collect();
                    open.push((next, longer));
                }
            }
        }
        Ok(decisions)
    }

    /// Writes the checksum, the last line.
    ///
    /// # Errors
    /// When writing fails.
    pub fn end(self) -> io::Result<()> {
        let sum = format!("{:016x}", self.sum.value());
        writeln!(self.out, "{}", json!({ "checksum": sum }))?;
        self.out.flush()
    }
}

fn identity<'g>(state: &(dyn AnyState<'g> + 'g)) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.identity(state.info().future, &mut bytes);
    bytes
}

/// The word of a goal.
pub fn goal_word(force: Force) -> &'static str {
    match force {
        Force::Win => "win",
        Force::NoLoss => "no-loss",
        Force::Nothing => "nothing",
    }
}

/// The claim that perfect play of two players leads to this result.
pub fn value_claim(winner: Option<usize>) -> Value {
    json!({ "kind": "value", "winner": winner.map_or(0, |winner| winner + 1) })
}

/// The claim that a puzzle can be solved at this cost and not at less.
pub fn way_claim(cost: Cost, total: u64) -> Value {
    let cost = match cost {
        Cost::Move => "moves",
        Cost::Score => "score",
    };
    json!({ "kind": "way", "cost": cost, "total": total })
}

/// The end that stands for a value.
pub fn end_of(winner: Option<usize>) -> Outcome {
    winner.map_or(Outcome::nobody(Reason::Draw), Outcome::win)
}
