//! One game between bots.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rulec_core::{ChoiceSet, Outcome, Playout, Reason, Rng, Turn};

use super::{
    SelfplayJob, choose,
    samples::Samples,
    traits::{Traits, Watch},
};
use crate::{
    AnyState, Bot,
    network::Network,
    order::is_actor,
    puct::{Inquiry, Leaf},
    search::SearchReport,
};

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
    let mut game = Playing::new(start, job, index, keep, false);
    loop {
        if let Next::End(outcome) = game.step(None) {
            return game.end(outcome);
        }
    }
}

/// A game that is being played.
pub(super) struct Playing<'j, 'g> {
    state: crate::State<'g>,
    job: &'j SelfplayJob<'g>,
    index: u64,
    keep: Keep,
    /// Whether players wait for others to ask their networks.
    asks: bool,
    /// What a player whose network is being asked has found so far.
    thinking: Option<Thinking<'g>>,
    rng: Rng,
    legal: Vec<u64>,
    draws: u32,
    /// Random numbers of draws, where they are not those of the game.
    chance: Option<Rng>,
    played: Played,
    watch: Option<Watch>,
    /// The ply of each sample.
    plies: Vec<u32>,
}

struct Thinking<'g> {
    seat: usize,
    inquiry: Inquiry<'g>,
    visits: u64,
    network: &'static Network,
}

/// What comes next in a game.
pub(super) enum Next<'g> {
    /// Another move or draw.
    Ply,
    /// These positions have to be judged by a network, see [`Playing::answer`].
    Question(&'static Network, Vec<Leaf<'g>>),
    /// Nothing: it has ended, or was stopped.
    End(Option<Outcome>),
}

/// What a player does who has to move.
enum Decision {
    Move(Option<u64>),
    /// It asks a network first.
    Think,
}

impl<'j, 'g> Playing<'j, 'g> {
    /// A game after its opening. If it `asks`, players whose networks judge for many games at once wait for that.
    pub(super) fn new(
        start: &(dyn AnyState<'g> + 'g),
        job: &'j SelfplayJob<'g>,
        index: u64,
        keep: Keep,
        asks: bool,
    ) -> Self {
        let round = job.round(index);
        let mut game = Self {
            state: start.fork(),
            job,
            index,
            keep,
            asks,
            thinking: None,
            rng: Rng::new(job.seed ^ OPENINGS, round),
            legal: Vec::new(),
            draws: 0,
            chance: (!job.seats.is_empty()).then(|| Rng::new(job.seed ^ DRAWS, round)),
            played: Played {
                playout: Playout::default(),
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
        game.open(round);
        game.rng = Rng::new(job.seed, index);
        game
    }

    /// Goes to the opening of the game: one of the book, then moves at random. Games of one round share it.
    fn open(&mut self, round: u64) {
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
        let plies = least + self.rng.below((most.max(least) - least).saturating_add(1));
        while self.played.playout.plies < plies {
            // An opening never ends the game: the bots find out how it ended.
            if !matches!(self.step(Some(&Bot::Random)), Next::Ply) {
                break;
            }
            self.played.opened = match self.keep.moves {
                true => self.played.moves.len(),
                false => self.played.opened + 1,
            };
        }
    }

    /// Plays one move or draw, by the player that is given or by the one whose seat it is.
    pub(super) fn step(&mut self, given: Option<&Bot>) -> Next<'g> {
        if self.thinking.is_some() {
            return self.think_on();
        }
        let limit = self.job.limit;
        match self.state.turn() {
            Turn::Over => Next::End(self.state.outcome()),
            Turn::Chance if self.draws == limit => Next::End(None),
            Turn::Chance => {
                self.draws += 1;
                let rng = self.chance.as_mut().unwrap_or(&mut self.rng);
                let code = self.state.results().draw(rng);
                self.make(code)
            }
            Turn::Decide(_) if self.played.playout.plies == limit => Next::End(None),
            Turn::Decide(players) => {
                if let Err(fault) = self.state.moves(ChoiceSet::All, &mut self.legal) {
                    return Next::End(Some(Outcome::fault(fault)));
                }
                self.played.playout.counted += 1;
                self.played.playout.moves += self.legal.len() as u64;
                if let Some(watch) = &mut self.watch {
                    let mut distinct = Vec::new();
                    if let Err(fault) = self.state.moves(ChoiceSet::Distinct, &mut distinct) {
                        return Next::End(Some(Outcome::fault(fault)));
                    }
                    let ply = self.played.playout.plies;
                    watch.decision(ply, self.legal.len(), distinct.len());
                }
                match self.decide(players.trailing_zeros() as usize, given) {
                    Decision::Think => self.think_on(),
                    Decision::Move(code) => self.decided(code),
                }
            }
        }
    }

    /// Plays what a player has decided.
    fn decided(&mut self, code: Option<u64>) -> Next<'g> {
        self.played.playout.plies += 1;
        self.make(code)
    }

    fn make(&mut self, code: Option<u64>) -> Next<'g> {
        let Some(code) = code else {
            return Next::End(Some(Outcome::nobody(Reason::Stuck)));
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
        Next::Ply
    }

    /// The move of the bot that has the seat; it and what the bot thought of are a sample.
    fn decide(&mut self, seat: usize, given: Option<&Bot>) -> Decision {
        let job = self.job;
        let bot = given.unwrap_or(&job.bots[job.bot(self.index, seat)]);
        if *bot == Bot::Random {
            let drawn = self.rng.below64(self.legal.len() as u64) as usize;
            let code = self.legal.get(drawn).copied();
            if let (Some(code), None) = (code, given) {
                self.sample(code, seat, None);
            }
            return Decision::Move(code);
        }
        if self
            .state
            .moves(ChoiceSet::Distinct, &mut self.legal)
            .is_err()
        {
            return Decision::Move(None);
        }
        let report = match self.legal[..] {
            [] => return Decision::Move(None),
            [only] => {
                self.sample(only, seat, Some(&SearchReport::default()));
                return Decision::Move(Some(only));
            }
            _ => {
                let seed = self.rng.u64();
                let inquiry = self.asks.then(|| bot.inquiry(&*self.state, seed));
                if let Some((inquiry, visits, network)) = inquiry.flatten() {
                    self.thinking = Some(Thinking {
                        seat,
                        inquiry,
                        visits,
                        network,
                    });
                    return Decision::Think;
                }
                bot.search(&*self.state, seed)
            }
        };
        Decision::Move(self.choose(seat, bot, &report))
    }

    /// Goes on with the search of a player, up to the next question or to its move.
    fn think_on(&mut self) -> Next<'g> {
        let Some(thinking) = &mut self.thinking else {
            return Next::Ply;
        };
        let leaves = thinking.inquiry.ask_within(thinking.visits);
        if !leaves.is_empty() {
            return Next::Question(thinking.network, leaves);
        }
        let (seat, report) = (thinking.seat, thinking.inquiry.report());
        self.thinking = None;
        let job = self.job;
        let bot = &job.bots[job.bot(self.index, seat)];
        let code = self.choose(seat, bot, &report);
        self.decided(code)
    }

    /// Takes back the positions of the last question, judged.
    pub(super) fn answer(&mut self, leaves: Vec<Leaf<'g>>) {
        if let Some(thinking) = &mut self.thinking {
            thinking.inquiry.answer(leaves);
        }
    }

    /// The move that a bot makes after a search.
    fn choose(&mut self, seat: usize, bot: &Bot, report: &SearchReport) -> Option<u64> {
        if let Some(watch) = &mut self.watch {
            watch.search(seat, report, self.state.info().players.len());
        }
        let (job, ply) = (self.job, self.played.playout.plies);
        let rng = &mut self.rng;
        let drawn = choose::draw(report, job.temperature.at(ply), job.noise, rng);
        let code = drawn.or_else(|| bot.choose(&*self.state, rng))?;
        self.sample(code, seat, Some(report));
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

    /// The game as it was played.
    pub(super) fn end(mut self, outcome: Option<Outcome>) -> Played {
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
    match visits {
        // The bits of a quotient of zeros depend on who works it out.
        0 => f32::NAN,
        _ => (sum / visits as f64) as f32,
    }
}
