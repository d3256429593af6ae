//! One game between bots.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rulec_core::{ChoiceSet, Outcome, Playout, Reason, Rng, Turn};

use super::{
    SelfplayJob, choose,
    samples::Samples,
    traits::{Traits, Watch},
};
use crate::{AnyState, Bot, order::is_actor, search::SearchReport};

/// One game that was played.
pub(super) struct Played {
    pub(super) playout: Playout,
    /// The position that it began with, if it is not the start of the game.
    pub(super) given: Option<String>,
    /// Texts of the moves and of the results of draws.
    pub(super) moves: Vec<String>,
    /// How many of them were given or drawn before the bots began.
    pub(super) opened: usize,
    pub(super) scores: Vec<i64>,
    pub(super) samples: Samples,
    /// What the game is like, where that is kept.
    pub(super) traits: Option<Traits>,
}

/// What is kept of games besides how they ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keep {
    pub(super) moves: bool,
    /// Positions with what was thought of them.
    pub(super) samples: bool,
    /// What games are like.
    pub(super) traits: bool,
}

/// Streams of openings begin here, so that they are not those of games.
const OPENINGS: u64 = 0x6f70_656e_696e_6773;

/// Streams of draws that the games of a round share.
const DRAWS: u64 = 0x6472_6177_7320_6f66;

/// Plays a game; everything in it follows from the job and its number.
pub(super) fn play<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &SelfplayJob<'g>,
    index: u64,
    keep: Keep,
) -> Played {
    let mut game = Playing {
        state: start.fork(),
        job,
        index,
        keep,
        legal: Vec::new(),
        draws: 0,
        chance: (!job.seats.is_empty()).then(|| Rng::new(job.seed ^ DRAWS, job.round(index))),
        played: Played {
            playout: Playout {
                plies: 0,
                moves: 0,
                counted: 0,
                outcome: None,
            },
            given: None,
            moves: Vec::new(),
            opened: 0,
            scores: Vec::new(),
            samples: Samples::default(),
            traits: None,
        },
        watch: keep.traits.then(|| Watch::new(start.info())),
        plies: Vec::new(),
    };
    game.open();
    let mut rng = Rng::new(job.seed, index);
    let outcome = loop {
        if let Some(end) = game.step(&mut rng, None) {
            break end;
        }
    };
    game.end(outcome)
}

struct Playing<'j, 'g> {
    state: crate::State<'g>,
    job: &'j SelfplayJob<'g>,
    index: u64,
    keep: Keep,
    legal: Vec<u64>,
    draws: u32,
    /// Random numbers of draws, where they are not those of the game.
    chance: Option<Rng>,
    played: Played,
    watch: Option<Watch>,
    /// The ply of each sample.
    plies: Vec<u32>,
}

impl Playing<'_, '_> {
    /// Goes to the opening of the game: one of the book, then moves at random. Games of one round share it.
    fn open(&mut self) {
        let round = self.job.round(self.index);
        if let Some(at) = round.checked_rem(self.job.openings.len() as u64) {
            let opening = &self.job.openings[at as usize];
            self.state = opening.state.fork();
            self.played.given.clone_from(&opening.given);
            if self.keep.moves {
                self.played.moves.clone_from(&opening.moves);
            }
            self.played.opened = opening.moves.len();
        }
        let (least, most) = self.job.random_plies;
        let mut rng = Rng::new(self.job.seed ^ OPENINGS, round);
        let plies = least + rng.below((most.max(least) - least).saturating_add(1));
        while self.played.playout.plies < plies {
            // An opening never ends the game: the bots find out how it ended.
            if self.step(&mut rng, Some(&Bot::Random)).is_some() {
                break;
            }
            self.played.opened = match self.keep.moves {
                true => self.played.moves.len(),
                false => self.played.opened + 1,
            };
        }
    }

    /// Plays one move or draw; gives how the game ended, once it has.
    fn step(&mut self, rng: &mut Rng, given: Option<&Bot>) -> Option<Option<Outcome>> {
        let limit = self.job.limit;
        let code = match self.state.turn() {
            Turn::Over => return Some(self.state.outcome()),
            Turn::Chance if self.draws == limit => return Some(None),
            Turn::Chance => {
                self.draws += 1;
                let rng = self.chance.as_mut().unwrap_or(rng);
                self.state.results().draw(rng)
            }
            Turn::Decide(_) if self.played.playout.plies == limit => return Some(None),
            Turn::Decide(players) => {
                if let Err(fault) = self.state.moves(ChoiceSet::All, &mut self.legal) {
                    return Some(Some(Outcome::fault(fault)));
                }
                self.played.playout.counted += 1;
                self.played.playout.moves += self.legal.len() as u64;
                if let Some(watch) = &mut self.watch {
                    let mut distinct = Vec::new();
                    if let Err(fault) = self.state.moves(ChoiceSet::Distinct, &mut distinct) {
                        return Some(Some(Outcome::fault(fault)));
                    }
                    let ply = self.played.playout.plies;
                    watch.decision(ply, self.legal.len(), distinct.len());
                }
                let seat = players.trailing_zeros() as usize;
                let code = self.decide(seat, rng, given);
                self.played.playout.plies += 1;
                code
            }
        };
        let Some(code) = code else {
            return Some(Some(Outcome::nobody(Reason::Stuck)));
        };
        if self.keep.moves && !is_actor(code) {
            self.played.moves.push(self.state.move_text(code));
        }
        match &mut self.watch {
            Some(watch) => {
                self.state.play(code, Some(&mut watch.events));
                watch.happened();
            }
            None => {
                self.state.play(code, None);
            }
        }
        None
    }

    /// The move of the bot that has the seat; it and what the bot thought of are a sample.
    fn decide(&mut self, seat: usize, rng: &mut Rng, given: Option<&Bot>) -> Option<u64> {
        let job = self.job;
        let bot = given.unwrap_or(&job.bots[job.bot(self.index, seat)]);
        if *bot == Bot::Random {
            let code = self
                .legal
                .get(rng.below64(self.legal.len() as u64) as usize);
            let code = *code?;
            if given.is_none() {
                self.sample(code, seat, None);
            }
            return Some(code);
        }
        let mut report = SearchReport::default();
        self.state
            .moves(ChoiceSet::Distinct, &mut self.legal)
            .ok()?;
        let code = match self.legal[..] {
            [] => return None,
            [only] => Some(only),
            _ => {
                report = bot.search(&*self.state, rng.u64());
                if let Some(watch) = &mut self.watch {
                    watch.search(seat, &report, self.state.info().players.len());
                }
                let ply = self.played.playout.plies;
                choose::draw(&report, job.temperature.at(ply), job.noise, rng)
            }
        };
        let code = code.or_else(|| bot.choose(&*self.state, rng))?;
        self.sample(code, seat, Some(&report));
        Some(code)
    }

    /// Keeps a position with its legal moves and the visits to them; without a search, one visit to the move that is played.
    fn sample(&mut self, code: u64, seat: usize, report: Option<&SearchReport>) {
        if !self.keep.samples {
            return;
        }
        let samples = &mut self.played.samples;
        let mut cells = Vec::new();
        self.state.observe(&mut cells);
        samples.push_cells(&cells, self.state.info().planes);
        samples.game.push(self.index);
        samples.player.push(seat as u8);
        let played = self.state.move_index(code);
        samples
            .played
            .push(u32::try_from(played).unwrap_or(u32::MAX));
        samples.searched.push(report.map_or(f32::NAN, mean));
        let first = samples.moves.len();
        let mut places = BTreeMap::new();
        let searched = report.filter(|report| !report.moves.is_empty());
        for &legal in &self.legal {
            let index = self.state.move_index(legal);
            let found = searched.and_then(|r| r.moves.iter().find(|m| m.code == legal));
            let visits = match searched {
                Some(_) => found.map_or(0, |m| m.visits),
                None => u64::from(legal == code),
            };
            let visits = u32::try_from(visits).unwrap_or(u32::MAX);
            // Moves that share an index are one to a network.
            match places.entry(index) {
                Entry::Vacant(place) => {
                    place.insert(samples.visits.len());
                    samples.moves.push(u32::try_from(index).unwrap_or(u32::MAX));
                    samples.visits.push(visits);
                }
                Entry::Occupied(place) => {
                    let sum = &mut samples.visits[*place.get()];
                    *sum = sum.saturating_add(visits);
                }
            }
        }
        samples.choices.push((samples.moves.len() - first) as u32);
        self.plies.push(self.played.playout.plies);
    }

    fn end(mut self, outcome: Option<Outcome>) -> Played {
        let mut played = self.played;
        played.playout.outcome = outcome;
        played.scores = self.state.scores();
        let plies = played.playout.plies;
        played.traits = self.watch.map(|watch| watch.end(plies, outcome));
        let samples = &mut played.samples;
        for (player, ply) in samples.player.iter().zip(self.plies.drain(..)) {
            let value = outcome.map_or(0.5, |o| o.payoff(usize::from(*player)));
            samples.value.push(value as f32);
            samples.plies_left.push(plies - ply);
        }
        played
    }
}

/// What the search thought the payoff of the player to be; no number where it visited nothing.
fn mean(report: &SearchReport) -> f32 {
    let visits: u64 = report.moves.iter().map(|m| m.visits).sum();
    let sum = |m: &crate::search::MoveReport| m.value * m.visits as f64;
    let sum: f64 = report.moves.iter().map(sum).sum();
    (sum / visits as f64) as f32
}
