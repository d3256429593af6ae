//! What games are like: how long, how wide, how often somebody else is ahead, which places they use.

use std::collections::BTreeMap;

use rulec_core::{Event, GameInfo, Outcome};

use crate::search::SearchReport;

/// Plies by which the number of choices is told.
const PLIES: usize = 200;

/// A value above this by as much as below 0.5 says that somebody is ahead.
const AHEAD: f64 = 0.55;

/// Counts over games; sums of whole numbers, so that their order does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Number of games.
    pub games: u64,
    /// How many games had each length, in plies.
    pub lengths: BTreeMap<u32, u64>,
    /// How many positions had each number of legal moves that the rules do not call equal.
    pub choices: BTreeMap<u32, u64>,
    /// How many positions had each number of legal moves.
    pub legal: BTreeMap<u32, u64>,
    /// Moves that the rules do not call equal at each of the first plies, and games that came so far.
    pub by_ply: Vec<(u64, u64)>,
    /// How many games had each number of changes of who is ahead, as the search sees it.
    pub leads: BTreeMap<u32, u64>,
    /// Games whose winner was behind at some time, as the search saw it.
    pub comebacks: u64,
    /// For each place how often something came to it or changed on it.
    pub places: Vec<u64>,
}

impl Traits {
    /// Adds those of other games.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.comebacks += other.comebacks;
        let pairs = [
            (&mut self.lengths, &other.lengths),
            (&mut self.choices, &other.choices),
            (&mut self.legal, &other.legal),
            (&mut self.leads, &other.leads),
        ];
        for (sum, part) in pairs {
            for (key, n) in part {
                *sum.entry(*key).or_insert(0) += n;
            }
        }
        if self.by_ply.len() < other.by_ply.len() {
            self.by_ply.resize(other.by_ply.len(), (0, 0));
        }
        for (sum, part) in self.by_ply.iter_mut().zip(&other.by_ply) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
        if self.places.len() < other.places.len() {
            self.places.resize(other.places.len(), 0);
        }
        for (sum, part) in self.places.iter_mut().zip(&other.places) {
            *sum += part;
        }
    }
}

/// Watches one game.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    traits: Traits,
    /// Who is ahead, as the latest search saw it that found somebody to be.
    leader: Option<usize>,
    /// Everybody who was ahead, a bit each.
    leaders: u64,
    changes: u32,
    searched: bool,
    pub(super) events: Vec<Event>,
}

impl Watch {
    pub(super) fn new(info: &GameInfo) -> Self {
        Self {
            traits: Traits {
                games: 1,
                places: vec![0; info.places.len()],
                ..Traits::default()
            },
            ..Self::default()
        }
    }

    /// A decision with so many legal moves, and so many that the rules do not call equal.
    pub(super) fn decision(&mut self, ply: u32, legal: usize, moves: usize) {
        *self.traits.legal.entry(legal as u32).or_insert(0) += 1;
        *self.traits.choices.entry(moves as u32).or_insert(0) += 1;
        let ply = ply as usize;
        if ply < PLIES {
            if self.traits.by_ply.len() <= ply {
                self.traits.by_ply.resize(ply + 1, (0, 0));
            }
            let (sum, games) = &mut self.traits.by_ply[ply];
            *sum += moves as u64;
            *games += 1;
        }
    }

    /// What a search by a player found.
    pub(super) fn search(&mut self, seat: usize, report: &SearchReport, players: usize) {
        let Some(best) = report.moves.first().filter(|m| m.visits > 0) else {
            return;
        };
        self.searched = true;
        let leader = match best.value {
            value if value > AHEAD => Some(seat),
            value if value < 1.0 - AHEAD && players == 2 => Some(1 - seat.min(1)),
            _ => None,
        };
        if leader.is_some() && leader != self.leader {
            self.changes += u32::from(self.leader.is_some());
            self.leader = leader;
            self.leaders |= 1 << (leader.unwrap_or(0) & 63);
        }
    }

    /// What the latest move did.
    pub(super) fn happened(&mut self) {
        for event in self.events.drain(..) {
            if let Event::Moved { to: at, .. } | Event::Placed { at, .. } = event
                && let Some(count) = self.traits.places.get_mut(at as usize)
            {
                *count += 1;
            }
        }
    }

    pub(super) fn end(mut self, plies: u32, outcome: Option<Outcome>) -> Traits {
        self.traits.lengths.insert(plies, 1);
        if self.searched {
            self.traits.leads.insert(self.changes, 1);
            let winners = outcome.map_or(0, |o| o.winners);
            let behind = winners != 0 && self.leaders & !winners != 0;
            self.traits.comebacks = u64::from(behind);
        }
        self.traits
    }
}
