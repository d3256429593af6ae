//! Games in flight: games of one thread that go on together, so that a network judges positions of many of them at once.

use std::collections::VecDeque;

use rulec_core::{GameInfo, Rng};

use super::{
    SelfplayJob,
    play::{Keep, Next, Played, Playing},
};
use crate::{
    AnyState, Bot,
    network::Network,
    puct::Leaf,
    search::{Judge, SearchSettings},
};

/// Positions that a network judges at once. What it says of a position does not depend on the others, so games do not either.
const BATCH: usize = 64;

/// How many games a thread has in flight: twice as many as fill a batch, so that there is always a full one. One where nobody asks a
/// network that gains by batches.
pub(super) fn games_in_flight(job: &SelfplayJob<'_>, info: &GameInfo) -> usize {
    let asked = networks(job).filter(|(settings, network)| {
        let evaluator = network.evaluator(info, BATCH);
        settings.time.is_none() && evaluator.is_ok_and(|evaluator| evaluator.batch() > 1)
    });
    let least = asked.map(|(settings, _)| usize::from(settings.batch.max(1)));
    least.min().map_or(1, |batch| (2 * BATCH).div_ceil(batch))
}

/// Whether networks in other processes judge, so that the time of this one does not tell what games cost.
pub(super) fn judges_elsewhere(job: &SelfplayJob<'_>, info: &GameInfo) -> bool {
    networks(job).any(|(settings, network)| {
        let evaluator = network.evaluator(info, settings.batch.into());
        evaluator.is_ok_and(|evaluator| evaluator.is_elsewhere())
    })
}

fn networks<'j>(
    job: &'j SelfplayJob<'_>,
) -> impl Iterator<Item = (&'j SearchSettings, &'static Network)> {
    job.bots.iter().filter_map(|bot| match bot {
        Bot::Search(settings) => match settings.judge {
            Judge::Network(network) => Some((settings, network)),
            _ => None,
        },
        Bot::Random => None,
    })
}

/// Games of one thread that go on together.
pub(super) struct Flight<'j, 'g> {
    start: &'j (dyn AnyState<'g> + 'g),
    job: &'j SelfplayJob<'g>,
    keep: Keep,
    games: Vec<Option<Flying<'j, 'g>>>,
    queues: Vec<Queue<'g>>,
}

struct Flying<'j, 'g> {
    position: u64,
    game: Playing<'j, 'g>,
    /// Leaves that are not judged yet, and those that are.
    waits_for: usize,
    judged: Vec<Leaf<'g>>,
}

/// The leaves that wait for a network, each with the number of its game.
struct Queue<'g> {
    network: &'static Network,
    leaves: VecDeque<(usize, Leaf<'g>)>,
}

impl<'j, 'g> Flight<'j, 'g> {
    /// Room for so many games.
    pub(super) fn new(
        start: &'j (dyn AnyState<'g> + 'g),
        job: &'j SelfplayJob<'g>,
        keep: Keep,
        size: usize,
    ) -> Self {
        Self {
            start,
            job,
            keep,
            games: (0..size).map(|_| None).collect(),
            queues: Vec::new(),
        }
    }

    /// Whether there is room for another game.
    pub(super) fn has_room(&self) -> bool {
        self.games.iter().any(Option::is_none)
    }

    /// Whether no game is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.games.iter().all(Option::is_none)
    }

    /// Begins the game of a number, which stands at a position among those to be played.
    pub(super) fn begin(&mut self, position: u64, index: u64) {
        let game = Playing::new(self.start, self.job, index, self.keep, true);
        if let Some(room) = self.games.iter_mut().find(|game| game.is_none()) {
            *room = Some(Flying {
                position,
                game,
                waits_for: 0,
                judged: Vec::new(),
            });
        }
    }

    /// Takes all games as far as they get without a network, then has a network judge one batch. Gives the games that ended, with their
    /// positions.
    pub(super) fn go_on(&mut self) -> Vec<(u64, Played)> {
        let mut ended = Vec::new();
        for number in 0..self.games.len() {
            ended.extend(self.play_on(number));
        }
        if let Some(longest) = self.queues.iter_mut().max_by_key(|q| q.leaves.len()) {
            let count = longest.leaves.len().min(BATCH);
            let (numbers, mut leaves): (Vec<usize>, Vec<_>) = longest.leaves.drain(..count).unzip();
            if let Ok(evaluator) = longest.network.evaluator(self.start.info(), BATCH) {
                evaluator.evaluate(&mut leaves, &mut Rng::new(0, 0));
            }
            for (number, leaf) in numbers.into_iter().zip(leaves) {
                if let Some(flying) = &mut self.games[number] {
                    flying.judged.push(leaf);
                    flying.waits_for -= 1;
                }
            }
        }
        ended
    }

    /// Plays a game up to its next question or to its end.
    fn play_on(&mut self, number: usize) -> Option<(u64, Played)> {
        let flying = self.games[number].as_mut()?;
        if flying.waits_for > 0 {
            return None;
        }
        flying.game.answer(std::mem::take(&mut flying.judged));
        let outcome = loop {
            match flying.game.step(None) {
                Next::Ply => {}
                Next::End(outcome) => break outcome,
                Next::Question(network, leaves) => {
                    flying.waits_for = leaves.len();
                    let known = self.queues.iter().position(|q| q.network == network);
                    let known = known.unwrap_or_else(|| {
                        self.queues.push(Queue {
                            network,
                            leaves: VecDeque::new(),
                        });
                        self.queues.len() - 1
                    });
                    let queue = &mut self.queues[known].leaves;
                    queue.extend(leaves.into_iter().map(|leaf| (number, leaf)));
                    return None;
                }
            }
        };
        let flying = self.games[number].take()?;
        Some((flying.position, flying.game.end(outcome)))
    }
}
