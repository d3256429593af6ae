//! Solving by search to all ends with a table of positions whose value is certain: alpha-beta, or proof numbers.
//!
//! It asks one question after the other: can a player force this payoff if all others are against him? For two players the
//! answers are what perfect play leads to. Games in which positions come again for ever are for [`crate::solve`].
//! What the table knows can be written to a file, from which another run goes on.

use std::{
    hash::Hasher,
    io::{self, Write},
    sync::Arc,
};

use rulec_core::KeyHasher;

use crate::{
    Progress,
    alphabeta::{BOUNDS, Entry, Seeker, Table, WIN, settle},
    orbit::Orbits,
    proof::{Goal, Prover, Verdict},
    search::{Method, Pace, SearchSettings},
    walk::Walk,
};

/// What a player can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    /// Nothing: the others can beat him.
    Nothing,
    /// That nobody else wins alone.
    NoLoss,
    /// A win.
    Win,
}

/// How whole games are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Alpha-beta: what comes soon first
    #[default]
    AlphaBeta,
    /// Proof numbers: what leaves the fewest answers first, see [`crate::proof`]
    ProofNumber,
}

/// Bounds of solving by search.
#[derive(Clone, Copy, Debug)]
pub struct ExhaustLimits {
    /// How it searches.
    pub engine: Engine,
    /// Positions at most.
    pub nodes: Option<u64>,
    /// Time at most.
    pub time: Option<std::time::Duration>,
    /// Bytes of the table at most.
    pub memory: u64,
    /// Whether the table has one entry for positions that symmetries take to each other.
    pub orbits: Orbits,
}

/// A search of whole games for one player against all others.
pub struct Exhaust<'a, 'p> {
    walk: &'a mut dyn Walk,
    searcher: Searcher<'p>,
}

enum Searcher<'p> {
    AlphaBeta(Box<Seeker<'p>>),
    ProofNumber(Prover<'p>),
}

impl<'a, 'p> Exhaust<'a, 'p> {
    /// Prepares a search for a player. `progress` is told the number of positions; it stops the search by returning false.
    pub fn new(
        walk: &'a mut dyn Walk,
        player: usize,
        limits: &ExhaustLimits,
        progress: Progress<'p>,
    ) -> Self {
        walk.merge_exactly();
        walk.merge_orbits(limits.orbits);
        if limits.orbits == Orbits::On {
            walk.try_one_of_each();
        }
        let entries = limits.memory / Table::ENTRY_BYTES as u64;
        let settings = SearchSettings {
            games: limits.nodes,
            time: limits.time,
            table: usize::try_from(entries).unwrap_or(usize::MAX),
            ..SearchSettings::of(Method::AlphaBeta)
        };
        let pace = Pace::new(&settings, u64::MAX, progress);
        let searcher = match limits.engine {
            Engine::AlphaBeta => {
                let table = Arc::new(Table::new(settings.table, false));
                let seeker = Seeker::new(walk, player, &settings, pace, table);
                Searcher::AlphaBeta(Box::new(seeker))
            }
            Engine::ProofNumber => Searcher::ProofNumber(Prover::new(player, settings.table, pace)),
        };
        Self { walk, searcher }
    }

    /// What the player can force in the position at work; `None` if the bounds stopped the search.
    pub fn force(&mut self) -> Option<Force> {
        match self.can(Force::Win)? {
            true => Some(Force::Win),
            false => self.can(Force::NoLoss).map(|safe| match safe {
                true => Force::NoLoss,
                false => Force::Nothing,
            }),
        }
    }

    /// Whether the player can force so much in the position at work; `None` if the bounds stopped the search.
    pub fn can(&mut self, force: Force) -> Option<bool> {
        let (wanted, goal) = match force {
            Force::Nothing => return Some(true),
            Force::NoLoss => (0, Goal::NoLoss),
            Force::Win => (WIN, Goal::Win),
        };
        match &mut self.searcher {
            Searcher::AlphaBeta(seeker) => {
                settle(self.walk, seeker, wanted - 1, wanted).map(|value| value >= wanted)
            }
            Searcher::ProofNumber(prover) => match prover.prove(self.walk, goal) {
                Verdict::Proved => Some(true),
                Verdict::Disproved => Some(false),
                Verdict::Open => None,
            },
        }
    }

    /// A move of the position at work after which the player can still force so much; `None` if there is none or the bounds
    /// stopped the search. The moves are tried in the given order, that of the table first.
    pub fn keeps(&mut self, force: Force, moves: &[u64]) -> Option<u64> {
        let known = match &mut self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.known(self.walk).map(|entry| entry.best),
            Searcher::ProofNumber(_) => None,
        };
        let tagged = |code: &u64| Some(self.walk.tag(*code)) == known;
        let first = moves.iter().copied().find(tagged);
        let rest = moves.iter().copied().filter(|code| Some(*code) != first);
        for code in first.into_iter().chain(rest) {
            self.walk.down(code);
            let fine = self.can(force);
            self.walk.up();
            match fine {
                Some(true) => return Some(code),
                Some(false) => {}
                None => return None,
            }
        }
        None
    }

    /// The walk, to go to other positions.
    pub fn walk(&mut self) -> &mut dyn Walk {
        self.walk
    }

    /// Positions looked at.
    pub fn positions(&self) -> u64 {
        match &self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.looked_at(),
            Searcher::ProofNumber(prover) => prover.looked_at(),
        }
    }

    /// Whether a bound stopped the search.
    pub fn is_stopped(&self) -> bool {
        match &self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.is_stopped(),
            Searcher::ProofNumber(prover) => prover.is_stopped(),
        }
    }

    /// Whether the search was stopped because games may last longer than it goes: those that go round in circles may last for
    /// ever. Proof numbers may tell more.
    pub fn is_too_deep(&self) -> bool {
        match &self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.is_too_deep(),
            Searcher::ProofNumber(_) => false,
        }
    }

    /// Writes what is certain, for [`Exhaust::read`]. `name` is what the file is about.
    ///
    /// The form: eight letters, then numbers of 64 bits with the least significant byte first: the key of `name` and the first
    /// position, the number of entries, for each three numbers, and last a checksum. An entry of alpha-beta is its key, the tag of its
    /// move, and its value with its bound; one of proof numbers its key, its numbers as in the table, and 0.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&mut self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let stamp = self.stamp(name);
        let entries = self.entries();
        let mut sum = KeyHasher::new();
        let mut put = |word: u64| {
            sum = sum.word(word);
            out.write_all(&word.to_le_bytes())
        };
        put(u64::from_le_bytes(*self.magic()))?;
        put(stamp)?;
        put(entries.len() as u64)?;
        for word in entries.into_iter().flatten() {
            put(word)?;
        }
        let sum = sum.value();
        out.write_all(&sum.to_le_bytes())
    }

    /// Takes up what [`Exhaust::write`] wrote; the number of entries.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn read(&mut self, name: &str, bytes: &[u8]) -> Result<u64, String> {
        let stamp = self.stamp(name);
        let words = bytes.chunks_exact(8);
        if !words.remainder().is_empty() {
            return Err("it is cut off".to_owned());
        }
        let words: Vec<u64> = words
            .map(|chunk| chunk.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b)))
            .collect();
        let [magic, about, count, entries @ .., last] = &words[..] else {
            return Err("it is cut off".to_owned());
        };
        if *magic != u64::from_le_bytes(*self.magic()) {
            return Err("it is no file of this kind and method".to_owned());
        }
        let all = &words[..words.len() - 1];
        let sum = all.iter().fold(KeyHasher::new(), |sum, w| sum.word(*w));
        if sum.value() != *last || entries.len() as u64 != count.saturating_mul(3) {
            return Err("it is damaged".to_owned());
        }
        if *about != stamp {
            return Err("it is about other rules, another start, or another engine".to_owned());
        }
        for entry in entries.chunks_exact(3) {
            self.learn([entry[0], entry[1], entry[2]])
                .ok_or("it is damaged")?;
        }
        Ok(*count)
    }

    /// What is worth keeping in a file.
    fn entries(&self) -> Vec<[u64; 3]> {
        let words = |entry: Entry| {
            let bound = BOUNDS.iter().position(|b| *b == entry.bound).unwrap_or(0) as u64;
            let value = u64::from(entry.value as u32) << 8 | bound;
            [entry.key, entry.best.into(), value]
        };
        match &self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.table().complete().map(words).collect(),
            Searcher::ProofNumber(prover) => {
                prover.all().map(|(key, data)| [key, data, 0]).collect()
            }
        }
    }

    fn learn(&mut self, [key, second, third]: [u64; 3]) -> Option<()> {
        match &mut self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.keep(&Entry {
                key,
                best: second as u32,
                value: (third >> 8) as u32 as i32,
                depth: 0,
                bound: *BOUNDS.get((third & 255) as usize)?,
                complete: true,
            }),
            Searcher::ProofNumber(prover) => prover.learn(key, second)?,
        }
        Some(())
    }

    fn magic(&self) -> &'static [u8; 8] {
        match self.searcher {
            Searcher::AlphaBeta(_) => b"RULESOL2",
            Searcher::ProofNumber(_) => b"RULEPRF1",
        }
    }

    fn stamp(&mut self, name: &str) -> u64 {
        let mut hasher = KeyHasher::new();
        hasher.write(name.as_bytes());
        let first = match &mut self.searcher {
            Searcher::AlphaBeta(seeker) => seeker.key(self.walk),
            Searcher::ProofNumber(prover) => prover.key(self.walk, Goal::Win),
        };
        hasher.word(first).value()
    }
}
