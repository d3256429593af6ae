//! Networks that judge positions for [`puct`](crate::puct), named by files.
//!
//! What reads such files are crates that most programs do without. A program says by [`enable`] how it comes by judgements; in all
//! others a player with a network is refused.

use std::fmt;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rulec_core::{GameInfo, KeyHasher, Turn, wrong_payoffs};

use crate::puct::{Evaluator, Leaf};

/// Reads a network for a game, which is to judge so many positions at once; what is wrong with it, for people.
pub type Opener = fn(&Path, &GameInfo, usize) -> Result<Box<dyn Evaluator>, String>;

static OPENER: OnceLock<Opener> = OnceLock::new();
static NAMED: Mutex<Vec<&'static Network>> = Mutex::new(Vec::new());

/// What a network came to with a game, by the hash of its rules and the number of positions at once.
type Opened = (String, usize, Result<&'static dyn Evaluator, String>);

/// The numbers that a network takes and gives for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shapes {
    /// Cells of all planes.
    pub cells: usize,
    /// Moves, by dense index.
    pub moves: usize,
    /// Players.
    pub players: usize,
}

impl Shapes {
    /// Those of a game.
    pub fn of(info: &GameInfo) -> Self {
        Self {
            cells: info.planes.iter().map(|plane| plane.cells).sum(),
            moves: info.move_count,
            players: info.players.len().max(1),
        }
    }
}

/// The first argument of a program that judges positions for another one, which follows no game but only numbers.
///
/// Then come the network's file and [`Shapes`]: cells, moves, players, and how many positions are judged at once at most. The program
/// writes a line, `judges BATCH VALUES` with the positions that it takes at once and the payoffs that it gives for each of them, or `refused` and
/// why. From then on it reads a number of positions as `u32` and the cells of all of them as `f32`, and writes the logits of all, then the
/// payoffs of all, as `f32`; all of it with the lowest byte first. It ends with its input.
pub const JUDGE: &str = "judge";

/// Numbers as they are told to a program that judges and by it.
pub fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// The numbers in what was told, see [`bytes()`].
pub fn numbers(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    let words = bytes.as_chunks().0.iter();
    words.map(|&word| f32::from_le_bytes(word))
}

/// What a network sees of positions: their cells, one position after the other.
pub fn cells(leaves: &[Leaf<'_>]) -> Vec<f32> {
    let mut cells = Vec::new();
    for leaf in leaves {
        leaf.state.observe(&mut cells);
    }
    cells.iter().map(|&cell| cell as f32).collect()
}

/// Has positions take in what a network said of all of them, with as many logits and payoffs for each.
///
/// # Errors
/// As [`Leaf::take_in`], for the first position of which it makes no sense.
pub fn take_in(
    leaves: &mut [Leaf<'_>],
    logits: &[f32],
    payoffs: &[f32],
) -> Result<(), &'static str> {
    let count = leaves.len().max(1);
    let (moves, values) = (logits.len() / count, payoffs.len() / count);
    for (index, leaf) in leaves.iter_mut().enumerate() {
        leaf.take_in(
            &logits[index * moves..][..moves],
            &payoffs[index * values..][..values],
        )?;
    }
    Ok(())
}

impl Leaf<'_> {
    /// Takes in what a network said: a logit for every dense index of a move, of which those of illegal moves do not count, and the payoff
    /// of the player to move, or one for each player.
    ///
    /// # Errors
    /// What is wrong with it: a number that counts is none, or payoffs are far from 0 to 1. Then nothing is taken in.
    pub fn take_in(&mut self, logits: &[f32], values: &[f32]) -> Result<(), &'static str> {
        let of = |code: u64| logits.get(self.state.move_index(code)).copied();
        let legal: Vec<f32> = self
            .moves
            .iter()
            .map(|&code| of(code).unwrap_or(f32::MIN))
            .collect();
        if legal.iter().any(|logit| logit.is_nan()) {
            return Err("the logit of a legal move is no number");
        }
        if let Some(wrong) = wrong_payoffs(values) {
            return Err(wrong);
        }
        self.weigh(legal);
        self.pay(values);
        Ok(())
    }

    /// The policy: the soft maximum of the logits of the moves.
    fn weigh(&mut self, legal: Vec<f32>) {
        let most = legal.iter().copied().fold(f32::MIN, f32::max);
        for (policy, logit) in self.policy.iter_mut().zip(legal) {
            *policy = (logit - most).exp();
        }
    }

    fn pay(&mut self, values: &[f32]) {
        let sane = |value: f32| f64::from(value).clamp(0.0, 1.0);
        let players = self.payoffs.len();
        if values.len() == players {
            for (payoff, &value) in self.payoffs.iter_mut().zip(values) {
                *payoff = sane(value);
            }
            return;
        }
        let mover = match self.state.turn() {
            Turn::Decide(who) => who.trailing_zeros() as usize,
            Turn::Chance | Turn::Over => 0,
        };
        let own = sane(values.first().copied().unwrap_or(0.5));
        self.payoffs.fill((1.0 - own) / (players.max(2) - 1) as f64);
        if let Some(payoff) = self.payoffs.get_mut(mover) {
            *payoff = own;
        }
    }
}

/// From now on players may have networks, which `opener` reads.
pub fn enable(opener: Opener) {
    // The first one stays.
    let _ = OPENER.set(opener);
}

/// Whether players may have networks in this program.
pub fn is_enabled() -> bool {
    OPENER.get().is_some()
}

/// A network in a file. It is read when it is needed, and stays to the end of the program.
pub struct Network {
    path: PathBuf,
    opened: Mutex<Vec<Opened>>,
}

impl Network {
    /// The network of a file.
    ///
    /// # Errors
    /// In a program that runs no networks.
    pub fn of(path: &str) -> Result<&'static Network, String> {
        if !is_enabled() {
            return Err(
                "this program runs no networks; rulec-onnx does, which takes the same arguments: in a checkout, cargo install --path \
                 runtime/onnx"
                    .to_owned(),
            );
        }
        let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
        let path = PathBuf::from(path);
        if let Some(known) = named.iter().find(|network| network.path == path) {
            return Ok(known);
        }
        let network: &'static Network = Box::leak(Box::new(Network {
            path,
            opened: Mutex::default(),
        }));
        named.push(network);
        Ok(network)
    }

    /// A hash of its file, and of the one with its weights if there is one. Nothing if it cannot be read.
    pub fn fingerprint(&self) -> Option<String> {
        let mut hasher = KeyHasher::new();
        hasher.write(&std::fs::read(&self.path).ok()?);
        let mut weights = self.path.clone().into_os_string();
        weights.push(".data");
        if let Ok(weights) = std::fs::read(&weights) {
            hasher.write(&weights);
        }
        Some(format!("{:016x}", hasher.value()))
    }

    /// The network as a judge of a game, which is asked about so many positions at once, as a rule.
    ///
    /// # Errors
    /// When it cannot be read, or is not one for this game.
    pub fn evaluator(
        &self,
        info: &GameInfo,
        batch: usize,
    ) -> Result<&'static dyn Evaluator, String> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = |(rules, size, _): &&Opened| rules == info.rules_sha256 && *size == batch;
        if let Some((_, _, known)) = opened.iter().find(alike) {
            return known.clone();
        }
        let opener = OPENER.get().ok_or("this program runs no networks")?;
        let read = opener(&self.path, info, batch);
        let read = read.map(|evaluator| &*Box::leak(evaluator));
        let read = read.map_err(|error| format!("{}: {error}", self.path.display()));
        opened.push((info.rules_sha256.to_owned(), batch, read.clone()));
        read
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.path == other.path
    }
}

impl Eq for Network {}
