//! One game of the program against itself, and what it teaches.

use rulec_core::{ChoiceSet, Outcome, Rng, Turn};

use super::{
    Evaluation, Learnt, PlaneWeights,
    fit::Sample,
    passing::{self, Tried},
};
use crate::{
    AnyState, State,
    heuristic::Heuristic,
    search::{Method, SearchSettings},
    view,
};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Random games to begin with.
    pub games: u64,
    /// Rounds of games against itself after them.
    pub rounds: u32,
    /// Games of such a round.
    pub each: u64,
    /// Moves that players look ahead in these games, not counting exchanges.
    pub depth: u32,
    /// Games by which each change of what things are worth is tried at most; below 4 weights stay as games told them.
    pub trials: u64,
    /// Plies after which a game is given up, and teaches nothing.
    pub limit: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threads; they do not change what is found.
    pub threads: usize,
}

/// Positions of one game at most.
const OF_A_GAME: usize = 20;
/// Random plies at the beginning of games, and one in how many later moves is random.
const RANDOM: (u32, u64) = (4, 12);
/// One in how many positions of a game against itself is looked into for what doing nothing comes to.
const TRIED: u64 = 20;
/// One in how many positions is looked into for exchanges.
const LOOKED_INTO: u64 = 16;
/// Positions that one move looks at at most.
const MOST_POSITIONS: u64 = 400;
/// How many times as many that is in games that tell who is better, where players look ahead a move more: what things are worth to them is
/// nearer to what it is to players who look far.
const LOOKED_FARTHER: u64 = 4;
/// The part of what is hoped that depends on what is thought later.
const LASTING: f64 = 0.95;

/// What one game teaches.
#[derive(Clone, Debug, Default)]
pub(super) struct Lesson {
    pub(super) index: u64,
    pub(super) samples: Vec<Sample>,
    /// What it was worth to each player; nothing if it did not end.
    pub(super) shares: Vec<f64>,
    /// Plies, and for each plane how many of them changed what it counts.
    pub(super) plies: u64,
    pub(super) changes: Vec<u64>,
    /// Positions of a few drawn at random in which something could be exchanged, and of these how many in which nothing else
    /// could be done.
    pub(super) exchanges: (u64, u64),
    /// What came of doing nothing in a few positions.
    pub(super) passing: Vec<Tried>,
    /// What stood where at the end, and who had won, counted from 1; 0 if nobody had.
    pub(super) end: Option<(Vec<(u32, f64)>, u8)>,
}

impl Lesson {
    /// The same with what it was worth to another player; `turn` is the number of the count that tells who is on turn.
    pub(super) fn seen_by(&self, seat: usize, turn: u32) -> Lesson {
        let mut own = self.clone();
        for sample in &mut own.samples {
            if let Some((share, hope)) = sample.others.get(seat - 1) {
                (sample.share, sample.hope) = (*share, *hope);
            }
            let on_turn = if sample.turn == Some(seat) { 1.0 } else { -1.0 };
            let told = sample.counts.iter_mut().filter(|(at, _)| *at == turn);
            told.for_each(|(_, x)| *x = on_turn);
        }
        own
    }
}

/// One game.
pub(super) struct Game<'t, 'g> {
    pub(super) start: &'t State<'g>,
    pub(super) settings: &'t Settings,
    pub(super) layout: &'t Evaluation,
    pub(super) seats: Vec<Option<Learnt>>,
    /// Whether it is to tell who is better, so that no player makes mistakes on purpose.
    pub(super) trial: bool,
}

impl<'g> Game<'_, 'g> {
    pub(super) fn play(&self, index: u64, rng: &mut Rng) -> Lesson {
        let mut lesson = Lesson {
            index,
            changes: vec![0; self.layout.planes.len()],
            ..Lesson::default()
        };
        let mut state = self.start.fork();
        let mut kept: Vec<(Sample, bool)> = Vec::new();
        // What players thought the game was worth to them, by plies.
        let mut thought: Vec<Option<(usize, f64)>> = Vec::new();
        let mut at = Vec::new();
        let mut before: Option<Vec<i64>> = None;
        while lesson.plies < u64::from(self.settings.limit) {
            let turn = state.turn();
            if turn == Turn::Over {
                break;
            }
            let mut observed = Vec::new();
            state.observe(&mut observed);
            let changed = before
                .as_ref()
                .is_some_and(|before| self.note(before, &observed, &mut lesson));
            if changed && let Some((_, quiet)) = kept.last_mut() {
                *quiet = false;
            }
            if let Turn::Decide(_) = turn {
                let sample = Sample {
                    mobility: state.mobility() as f64,
                    turn: state.player(),
                    ..sample(self.layout, &observed, state.player())
                };
                kept.push((sample, !changed));
                at.push(thought.len());
            }
            if self.layout.tells_exchanges() && rng.below64(LOOKED_INTO) == 0 {
                self.look_into(&*state, &mut lesson);
            }
            if let [Some(learnt), Some(_)] = self.seats[..]
                && lesson.plies % TRIED == lesson.index % TRIED
                && matches!(turn, Turn::Decide(_))
            {
                lesson.passing.extend(passing::tried(&*state, learnt));
            }
            before = Some(observed);
            let next = self.next(&*state, lesson.plies as u32, rng);
            let Some((next, worth)) = next else {
                break;
            };
            state = next;
            thought.push(worth);
            lesson.plies += 1;
        }
        let quiet = kept.into_iter().zip(at).filter(|((_, quiet), _)| *quiet);
        let quiet = quiet.map(|((sample, _), ply)| (sample, ply)).collect();
        self.finish(&*state, &mut lesson, quiet, &thought, rng);
        lesson
    }

    /// Notes how a game ended and what that says of positions, which come with their plies.
    fn finish(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        lesson: &mut Lesson,
        quiet: Vec<(Sample, usize)>,
        thought: &[Option<(usize, f64)>],
        rng: &mut Rng,
    ) {
        let count = self.seats.len();
        match state.outcome() {
            Some(outcome) if count == 2 => {
                let first = 0.5 + (outcome.payoff(0) - outcome.payoff(1)) / 2.0;
                lesson.shares = vec![first, 1.0 - first];
            }
            Some(outcome) => lesson.shares = shares(&outcome, count),
            // What a game without an end was worth nobody knows.
            None => return,
        }
        let mut observed = Vec::new();
        state.observe(&mut observed);
        let won = match lesson.shares[0] {
            _ if count > 2 => 0,
            share if share > 0.5 => 1,
            share if share < 0.5 => 2,
            _ => 0,
        };
        lesson.end = Some((sample(self.layout, &observed, None).places, won));
        let hopes: Vec<Vec<f64>> = (0..count)
            .map(|player| hopes(&thought_by(thought, player, count), lesson.shares[player]))
            .collect();
        let more = if count > 2 { count } else { 0 };
        let of = |player: usize, ply: usize| {
            let hope = hopes[player].get(ply + 1).copied();
            (lesson.shares[player], hope.unwrap_or(lesson.shares[player]))
        };
        let told = |(sample, ply): (Sample, usize)| Sample {
            share: of(0, ply).0,
            hope: of(0, ply).1,
            others: (1..more).map(|player| of(player, ply)).collect(),
            ..sample
        };
        let mut quiet: Vec<Sample> = quiet.into_iter().map(told).collect();
        while quiet.len() > OF_A_GAME {
            quiet.swap_remove(rng.below64(quiet.len() as u64) as usize);
        }
        lesson.samples = quiet;
    }

    /// Notes what a ply changed; whether it exchanged something.
    fn note(&self, before: &[i64], after: &[i64], lesson: &mut Lesson) -> bool {
        let mut at = 0;
        let mut exchanged = false;
        for (plane, changes) in self.layout.planes.iter().zip(&mut lesson.changes) {
            let range = at..at + plane.cells;
            at = range.end;
            let (Some(a), Some(b)) = (before.get(range.clone()), after.get(range)) else {
                break;
            };
            if a == b {
                continue;
            }
            let changed = counted(plane, a) != counted(plane, b);
            *changes += u64::from(changed);
            exchanged |= changed && plane.quiet;
        }
        exchanged
    }

    /// Notes whether something can be exchanged, and whether something else can be done.
    fn look_into(&self, state: &(dyn AnyState<'g> + 'g), lesson: &mut Lesson) {
        let material = state.judged(self.layout).material;
        let moves = view::options(state, ChoiceSet::Distinct).unwrap_or_default();
        let exchanges = moves.iter().filter(|&&code| {
            let mut next = state.fork();
            next.play(code, None);
            next.judged(self.layout).material != material
        });
        let exchanges = exchanges.count();
        lesson.exchanges.0 += u64::from(exchanges > 0);
        lesson.exchanges.1 += u64::from(exchanges > 0 && exchanges == moves.len());
    }

    /// The position after the next move or draw, and who looked for it with what he thinks that the game is worth to him; nothing where nobody
    /// can move.
    fn next(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        ply: u32,
        rng: &mut Rng,
    ) -> Option<(State<'g>, Option<(usize, f64)>)> {
        let seat = state.player().unwrap_or(0);
        let learnt = self.seats.get(seat).copied().flatten();
        let opening = ply < RANDOM.0 && self.seats.iter().any(Option::is_some);
        match learnt {
            Some(learnt)
                if state.turn() != Turn::Chance
                    && !opening
                    && (self.trial || rng.below64(RANDOM.1) != 0) =>
            {
                let settings = SearchSettings {
                    games: Some(MOST_POSITIONS * if self.trial { LOOKED_FARTHER } else { 1 }),
                    depth: Some(self.settings.depth + u32::from(self.trial)),
                    heuristic: Heuristic::Learnt(learnt),
                    table: 1 << 12,
                    seed: rng.u64(),
                    ..SearchSettings::of(match self.seats.len() {
                        2 => Method::AlphaBeta,
                        _ => Method::Paranoid,
                    })
                };
                let report = state.search(&settings, &mut |_: u64| true);
                let best = report.best()?;
                let worth = report.moves.first().map(|found| (seat, found.value));
                let mut next = state.fork();
                next.play(best, None);
                Some((next, worth))
            }
            _ => Some((state.drawn(ChoiceSet::Distinct, rng)?, None)),
        }
    }
}

/// The points of each of several players: those who win share what there is, and all do where nobody wins.
fn shares(outcome: &Outcome, count: usize) -> Vec<f64> {
    let own: Vec<f64> = (0..count).map(|player| outcome.payoff(player)).collect();
    let all: f64 = own.iter().sum();
    match all > 0.0 {
        true => own.iter().map(|share| share / all).collect(),
        false => vec![1.0 / count as f64; count],
    }
}

/// What a player thought of his game; of two what the other one thought tells that, too.
fn thought_by(thought: &[Option<(usize, f64)>], player: usize, count: usize) -> Vec<Option<f64>> {
    let own = |worth: &Option<(usize, f64)>| match *worth {
        Some((by, worth)) if by == player => Some(worth),
        Some((_, worth)) if count == 2 => Some(1.0 - worth),
        _ => None,
    };
    thought.iter().map(own).collect()
}

/// What the game was worth in the end and what players thought of it before, seen from each ply: the later the less (TD(lambda): Sutton,
/// 1988).
fn hopes(thought: &[Option<f64>], share: f64) -> Vec<f64> {
    let mut hope = share;
    let back = thought.iter().rev().map(|worth| {
        if let Some(worth) = worth {
            hope = LASTING * hope + (1.0 - LASTING) * worth;
        }
        hope
    });
    let mut hopes: Vec<f64> = back.collect();
    hopes.reverse();
    hopes
}

/// How often each value stands in the cells of a plane.
fn counted(plane: &PlaneWeights, cells: &[i64]) -> Vec<i64> {
    if plane.is_number() {
        return vec![cells.iter().sum()];
    }
    let mut counts = vec![0; plane.counts.len()];
    cells
        .iter()
        .for_each(|&value| counts[plane.place(value)] += 1);
    counts
}

/// The features of a position: one for each value of each plane, the last one for being on turn.
pub(super) fn sample(layout: &Evaluation, observed: &[i64], turn: Option<usize>) -> Sample {
    let mut sample = Sample::default();
    let (mut at, mut first, mut place) = (0, 0_u32, 0_u32);
    for plane in &layout.planes {
        let values = plane.counts.len();
        let cells = observed.get(at..at + plane.cells).unwrap_or_default();
        at += plane.cells;
        let counts = counted(plane, cells);
        for (value, &count) in counts.iter().enumerate() {
            // What is absent is worth nothing.
            let absent = !plane.is_number() && plane.low == 0 && value == 0;
            // One cell says where play goes on, such as who is on turn, and would take that for worth.
            let control = !plane.is_number() && plane.cells == 1;
            if count != 0 && !absent && !control {
                sample.counts.push((first + value as u32, count as f64));
            }
        }
        if !plane.is_number() && plane.cells > 1 {
            for (cell, &value) in cells.iter().enumerate() {
                if value != 0 || plane.low != 0 {
                    let value = plane.place(value);
                    sample
                        .places
                        .push((place + (cell * values + value) as u32, 1.0));
                }
            }
        }
        first += values as u32;
        place += (plane.cells * values) as u32;
    }
    match turn {
        Some(0) => sample.counts.push((first, 1.0)),
        Some(_) => sample.counts.push((first, -1.0)),
        None => {}
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hoped_comes_to_what_was_in_the_end() {
        let hopes = hopes(&[Some(0.0), None, Some(1.0)], 1.0);
        assert_eq!(hopes[2], 1.0);
        assert_eq!(hopes[1], 1.0);
        assert!((hopes[0] - LASTING).abs() < 1e-12);
    }
}
