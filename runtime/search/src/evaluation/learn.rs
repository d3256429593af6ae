//! Learning an evaluation: random games first, then games of the program against itself, each round with what the last found.
//!
//! A round is kept only if its evaluation scores at least as well as the last one in games between the two. Positions are
//! taken where the moves before and after exchange nothing; of one game a few, because they share its end.

use rulec_core::{ChoiceSet, GameInfo, Outcome, Rng, Turn};

use super::fit::Sample;
use super::fitted::{MOVES, fitted};
use super::lines::{Lines, find::find};
use super::passing::{self, Tried};
pub use super::tune::Change;
use super::{Evaluation, Learnt, PlaneWeights, mirror::Mirror};
use crate::{
    AnyState, State,
    heuristic::Heuristic,
    parallel::in_shares,
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

/// What was found.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// What things are worth, the most valuable first.
    pub worth: Vec<Worth>,
    /// What each round came to.
    pub rounds: Vec<Round>,
    /// Changes of what things are worth that won.
    pub changes: Vec<Change>,
    /// Share of the points against a player who plays at random, and the games.
    pub against_random: (f64, u64),
}

/// What one thing more is worth to the first player.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The plane that shows it.
    pub plane: String,
    /// What it is, as far as the game tells.
    pub name: String,
    /// Logarithm of the odds of winning.
    pub weight: f64,
    /// Its standard error, where it is known.
    pub error: Option<f64>,
    /// The weight as a multiple of the least that is certainly not 0, without its sign; nothing where none is certain.
    pub units: Option<f64>,
}

/// A round of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Games that were played for it.
    pub games: u64,
    /// Positions that were learnt from.
    pub positions: usize,
    /// Share of the points against the evaluation before it; the first round has none.
    pub score: Option<f64>,
    /// Whether its evaluation was kept.
    pub kept: bool,
}

/// Positions of one game at most.
const OF_A_GAME: usize = 20;
/// Random plies at the beginning of games, and one in how many later moves is random.
const RANDOM: (u32, u64) = (4, 12);
/// One in how many positions of a game against itself is looked into for what doing nothing comes to.
const TRIED: u64 = 20;
/// One in how many positions is looked into for exchanges.
const LOOKED_INTO: u64 = 16;
/// One in how many positions with exchanges has nothing else at least, where these are forced.
const FORCED: u64 = 5;
/// Games between two evaluations, and against the random player.
const TRIAL: u64 = 120;
/// Positions that one move looks at at most.
const MOST_POSITIONS: u64 = 400;
/// How many times as many that is in games that tell who is better, where players look ahead a move more: what things are worth to them is
/// nearer to what it is to players who look far.
const LOOKED_FARTHER: u64 = 4;
/// The part of what is hoped that depends on what is thought later.
const LASTING: f64 = 0.95;
/// The part of the plies of a game after which there is a thing more at least, in such a part of games, where things are put on the board and stay.
const FILLED: (f64, f64) = (0.75, 0.9);
/// The part of moves that may change what a plane counts, so that those that do are worth looking at.
const QUIET: f64 = 0.4;

/// Learns from games that begin at `start`; `tell` is told what is going on and says whether to go on.
///
/// # Errors
/// Why nothing can be learnt of the game; also when `tell` wants no more.
pub fn learn<'g>(
    start: &State<'g>,
    settings: &Settings,
    tell: &mut (dyn FnMut(&str, u64, u64) -> bool + Send),
) -> Result<Learning, String> {
    let info = start.info();
    if info.players.len() < 2 {
        return Err(
            "an evaluation says which of the players is better off: the game needs two players or more"
                .to_owned(),
        );
    }
    if info.planes.is_empty() {
        return Err(
            "the game shows no planes, from which an evaluation could be learnt".to_owned(),
        );
    }
    let mut teacher = Teacher {
        start,
        settings,
        tell,
        stream: 0,
    };
    let mut evaluation = Evaluation::empty(info);
    let games = teacher.games(settings.games, "random games", [None; 2], &evaluation)?;
    if games.iter().all(|game| game.samples.is_empty()) {
        return Err(format!(
            "none of {} random games ended within {} plies: raise --limit or --games",
            settings.games, settings.limit
        ));
    }
    let mut first = Vec::new();
    start.observe(&mut first);
    let mirror = Mirror::of(info, &evaluation, &first);
    notice_quiet(&mut evaluation, &mirror, &games);
    evaluation.lines = open_lines(info, &evaluation, &mirror, &games);
    let begin = sample(&evaluation, &first, None);
    notice_filling(&mut evaluation, &mirror, &games, &begin);
    let mut found = fitted_seats(info, &evaluation, &mirror, &games, &begin, false);
    let mut rounds = vec![Round {
        games: settings.games,
        positions: games.iter().map(|game| game.samples.len()).sum(),
        score: None,
        kept: true,
    }];
    // Games of earlier rounds are as good as those of the last one.
    let mut played = Vec::new();
    for round in 0..settings.rounds {
        let best = Learnt::keep("the last round", found.0.clone());
        let what = format!("games of round {}", round + 1);
        let games = teacher.games(settings.each, &what, [Some(best); 2], &found.0)?;
        let positions = games.iter().map(|game| game.samples.len()).sum();
        played.extend(games);
        let mut next = found.0.clone();
        notice_quiet(&mut next, &mirror, &played);
        let mut next = fitted_seats(info, &next, &mirror, &played, &begin, true);
        next.0.passing = passing::harm(played.iter().map(|lesson: &Lesson| &lesson.passing));
        let new = Learnt::keep("this round", next.0.clone());
        let score = teacher.trial(new, Some(best))?;
        let kept = score >= 0.5;
        rounds.push(Round {
            games: settings.each,
            positions,
            score: Some(score),
            kept,
        });
        if kept {
            found = next;
        }
    }
    let Seats(evaluation, mut errors) = found;
    let mut evaluation = evaluation;
    let mut changes = Vec::new();
    if let [own] = &mut errors[..] {
        let found = (evaluation, std::mem::take(own));
        ((evaluation, *own), changes) = teacher.tune(info, found, &mirror, &begin)?;
    }
    let last = Learnt::keep("the evaluation", evaluation.clone());
    let against_random = (teacher.trial(last, None)?, TRIAL);
    Ok(Learning {
        worth: worth_to_all(info, &evaluation, &mirror, &errors),
        evaluation,
        rounds,
        changes,
        against_random,
    })
}

/// An evaluation and the errors of its weights; those of the other players behind them where more than two play.
struct Seats(Evaluation, Vec<Vec<f64>>);

/// The evaluation of a game: where more than two play, one for each player against all others.
fn fitted_seats(
    info: &GameInfo,
    layout: &Evaluation,
    mirror: &Mirror,
    lessons: &[Lesson],
    begin: &Sample,
    places: bool,
) -> Seats {
    let layout = Evaluation {
        others: Vec::new(),
        ..layout.clone()
    };
    let (mut evaluation, errors) = fitted(&layout, mirror, lessons, begin, places);
    let mut errors = vec![errors];
    let turn: usize = layout.planes.iter().map(|plane| plane.counts.len()).sum();
    let more = if info.players.len() > 2 {
        info.players.len()
    } else {
        0
    };
    for seat in 1..more {
        let own: Vec<Lesson> = lessons
            .iter()
            .map(|lesson| lesson.seen_by(seat, turn as u32))
            .collect();
        let layout = Evaluation {
            seat,
            ..layout.clone()
        };
        let (other, error) = fitted(&layout, mirror, &own, begin, places);
        evaluation.others.push(other);
        errors.push(error);
    }
    Seats(evaluation, errors)
}

/// What one game teaches.
#[derive(Clone, Debug, Default)]
pub(super) struct Lesson {
    pub(super) index: u64,
    pub(super) samples: Vec<Sample>,
    /// What it was worth to the first player, and to each.
    share: f64,
    shares: Vec<f64>,
    /// Plies, and for each plane how many of them changed what it counts.
    plies: u64,
    changes: Vec<u64>,
    /// Positions of a few drawn at random in which something could be exchanged, and of these how many in which nothing else
    /// could be done.
    exchanges: (u64, u64),
    /// What came of doing nothing in a few positions.
    passing: Vec<Tried>,
    /// What stood where at the end, and who had won, counted from 1; 0 if nobody had.
    end: Option<(Vec<(u32, f64)>, u8)>,
}

impl Lesson {
    /// The same with what it was worth to another player; `turn` is the number of the count that tells who is on turn.
    fn seen_by(&self, seat: usize, turn: u32) -> Lesson {
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

pub(super) struct Teacher<'t, 'g> {
    start: &'t State<'g>,
    pub(super) settings: &'t Settings,
    tell: &'t mut (dyn FnMut(&str, u64, u64) -> bool + Send),
    stream: u64,
}

impl<'g> Teacher<'_, 'g> {
    /// Plays games in which one player in turn goes by the first of two evaluations and the others by the second one, or at random.
    fn games(
        &mut self,
        number: u64,
        what: &str,
        players: [Option<Learnt>; 2],
        layout: &Evaluation,
    ) -> Result<Vec<Lesson>, String> {
        let first = self.stream;
        self.stream += number;
        let (start, settings) = (self.start, self.settings);
        let work = |range: std::ops::Range<u64>| -> Vec<Lesson> {
            let trial = players[0] != players[1];
            let count = start.info().players.len();
            let play = |index: u64| {
                // Those of a trial change seats, so that all begin in the same way.
                let stream = if trial { index / count as u64 } else { index };
                let rng = &mut Rng::new(settings.seed, first + stream);
                let new = (index % count as u64) as usize;
                let seat = |seat: usize| players[usize::from(seat != new)];
                let seats = (0..count).map(seat).collect();
                Game {
                    start,
                    settings,
                    layout,
                    seats,
                    trial,
                }
                .play(index, rng)
            };
            range.map(play).collect()
        };
        let tell = &mut self.tell;
        let mut stopped = false;
        let mut go_on = |done: u64| {
            stopped = !tell(what, done, number);
            !stopped
        };
        let add = |(all, told): &mut (Vec<Lesson>, Told<'_>), part: Vec<Lesson>| {
            all.extend(part);
            (told.0)(all.len() as u64)
        };
        let sum = (Vec::new(), Told(&mut go_on));
        let ((mut lessons, _), _) = in_shares(settings.threads, number, None, sum, &work, &add);
        if stopped {
            return Err("stopped".to_owned());
        }
        lessons.sort_by_key(|lesson| lesson.index);
        Ok(lessons)
    }

    /// The share of the points that an evaluation gets against another one, or against random moves.
    fn trial(&mut self, new: Learnt, old: Option<Learnt>) -> Result<f64, String> {
        self.score(new, old, TRIAL, "trial games")
    }

    /// The share of the points in so many games.
    pub(super) fn score(
        &mut self,
        new: Learnt,
        old: Option<Learnt>,
        games: u64,
        what: &str,
    ) -> Result<f64, String> {
        let layout = new.evaluation();
        let lessons = self.games(games, what, [Some(new), old], layout)?;
        let count = self.start.info().players.len();
        let share = |lesson: &Lesson| {
            let own = lesson.shares.get((lesson.index % count as u64) as usize);
            own.copied().unwrap_or(1.0 / count as f64)
        };
        let mean = lessons.iter().map(share).sum::<f64>() / lessons.len().max(1) as f64;
        // One against several has half of the points where he has as many as each of them.
        let others = (1.0 - mean) / (count - 1) as f64;
        Ok(mean / (mean + others).max(f64::MIN_POSITIVE))
    }
}

/// Is told how many games are finished.
struct Told<'t>(&'t mut (dyn FnMut(u64) -> bool + Send));

/// One game.
struct Game<'t, 'g> {
    start: &'t State<'g>,
    settings: &'t Settings,
    layout: &'t Evaluation,
    seats: Vec<Option<Learnt>>,
    /// Whether it is to tell who is better, so that no player makes mistakes on purpose.
    trial: bool,
}

impl<'g> Game<'_, 'g> {
    fn play(&self, index: u64, rng: &mut Rng) -> Lesson {
        let mut lesson = Lesson {
            index,
            changes: vec![0; self.layout.planes.len()],
            share: 0.5,
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
        let count = self.seats.len();
        match state.outcome() {
            Some(outcome) if count == 2 => {
                lesson.share = 0.5 + (outcome.payoff(0) - outcome.payoff(1)) / 2.0;
                lesson.shares = vec![lesson.share, 1.0 - lesson.share];
            }
            Some(outcome) => {
                lesson.shares = shares(&outcome, count);
                lesson.share = lesson.shares[0];
            }
            // What a game without an end was worth nobody knows.
            None => return lesson,
        }
        let mut observed = Vec::new();
        state.observe(&mut observed);
        let won = match lesson.share {
            _ if count > 2 => 0,
            share if share > 0.5 => 1,
            share if share < 0.5 => 2,
            _ => 0,
        };
        lesson.end = Some((sample(self.layout, &observed, None).places, won));
        let hopes: Vec<Vec<f64>> = (0..count)
            .map(|player| hopes(&thought_by(&thought, player, count), lesson.shares[player]))
            .collect();
        let more = if count > 2 { count } else { 0 };
        let of = |player: usize, ply: usize| {
            let hope = hopes[player].get(ply + 1).copied();
            (lesson.shares[player], hope.unwrap_or(lesson.shares[player]))
        };
        let mut quiet: Vec<Sample> = kept
            .into_iter()
            .zip(at)
            .filter(|((_, quiet), _)| *quiet)
            .map(|((sample, _), ply)| Sample {
                share: of(0, ply).0,
                hope: of(0, ply).1,
                others: (1..more).map(|player| of(player, ply)).collect(),
                ..sample
            })
            .collect();
        while quiet.len() > OF_A_GAME {
            quiet.swap_remove(rng.below64(quiet.len() as u64) as usize);
        }
        lesson.samples = quiet;
        lesson
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
fn sample(layout: &Evaluation, observed: &[i64], turn: Option<usize>) -> Sample {
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

/// The lines by which games were won.
fn open_lines(
    info: &GameInfo,
    layout: &Evaluation,
    mirror: &Mirror,
    lessons: &[Lesson],
) -> Option<Lines> {
    let ends = lessons.iter().filter_map(|l| l.end.clone());
    let ends: Vec<_> = ends.filter(|(_, won)| *won != 0).collect();
    let others = lessons.iter().flat_map(|lesson| &lesson.samples);
    let others: Vec<_> = others.map(|sample| &sample.places[..]).collect();
    let sides = mirror.sides(&layout.planes, info.places.len());
    find(info, &layout.planes, sides, &ends, &others)
}

/// Notes whether things are put on the board and stay there, and how many there are in the end at most.
fn notice_filling(
    evaluation: &mut Evaluation,
    mirror: &Mirror,
    lessons: &[Lesson],
    begin: &Sample,
) {
    let mut first = 0;
    let mut owned = Vec::new();
    for plane in &mut evaluation.planes {
        let values = plane.counts.len();
        let is_owned = |value: &usize| !plane.is_number() && mirror.owner(first + value).is_some();
        plane.fills = (0..values).filter(is_owned).collect();
        for _ in 0..plane.cells {
            owned.extend((0..values).map(|value| plane.fills.contains(&value)));
        }
        first += values;
    }
    let count = |places: &[(u32, f64)]| {
        let is_owned = |at: u32| owned.get(at as usize).is_some_and(|owned| *owned);
        places.iter().filter(|(at, _)| is_owned(*at)).count() as f64
    };
    let before = count(&begin.places);
    let ends = lessons
        .iter()
        .filter_map(|lesson| Some((lesson, count(&lesson.end.as_ref()?.0))));
    let ends: Vec<(&Lesson, f64)> = ends.collect();
    let fills = |(lesson, end): &&(&Lesson, f64)| end - before > FILLED.0 * lesson.plies as f64;
    let most = ends.iter().fold(before, |most, (_, end)| most.max(*end));
    let filling = ends.iter().filter(fills).count() as f64 > FILLED.1 * ends.len() as f64;
    match filling && most > before {
        true => (evaluation.room, evaluation.whole) = (most, most - before),
        false => evaluation
            .planes
            .iter_mut()
            .for_each(|plane| plane.fills.clear()),
    }
}

/// Notes which planes few moves change, of those that can favour a player.
fn notice_quiet(evaluation: &mut Evaluation, mirror: &Mirror, lessons: &[Lesson]) {
    let plies: u64 = lessons.iter().map(|lesson| lesson.plies).sum();
    for (number, plane) in evaluation.planes.iter_mut().enumerate() {
        let changes: u64 = lessons
            .iter()
            .map(|l| l.changes.get(number).unwrap_or(&0))
            .sum();
        let rare = (changes as f64) < QUIET * plies as f64;
        plane.quiet = rare
            && changes > 0
            && !plane.is_number()
            && plane.cells > 1
            && !mirror.favours_nobody(number, plane);
    }
    let (any, forced) = lessons.iter().fold((0, 0), |(any, forced), lesson| {
        (any + lesson.exchanges.0, forced + lesson.exchanges.1)
    });
    evaluation.forced = forced * FORCED > any;
}

/// What things are worth; where more than two play, those of each player to him, and those that are nobody's to the first one.
fn worth_to_all(
    info: &GameInfo,
    evaluation: &Evaluation,
    mirror: &Mirror,
    errors: &[Vec<f64>],
) -> Vec<Worth> {
    if !evaluation.is_for_many() {
        let errors = errors.first().map_or(&[][..], |errors| errors);
        return worth(info, evaluation, mirror, errors);
    }
    let is_of = |name: &str, player: &str| {
        name.strip_prefix(player)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let mut all = Vec::new();
    for (seat, errors) in errors.iter().enumerate() {
        let told = worth(info, evaluation.of(seat), mirror, errors);
        all.extend(told.into_iter().filter(|one| {
            let owner = info
                .players
                .iter()
                .position(|player| is_of(&one.name, player));
            owner.unwrap_or(0) == seat
        }));
    }
    all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    all
}

/// What things are worth: those of planes that few moves change.
fn worth(info: &GameInfo, evaluation: &Evaluation, mirror: &Mirror, errors: &[f64]) -> Vec<Worth> {
    let mirrored = |count: usize| {
        mirror
            .counts
            .iter()
            .any(|(own, sign)| *sign < 0.0 && *own as usize == count)
    };
    let mut all = Vec::new();
    let mut first = 0;
    for (plane, shown) in evaluation.planes.iter().zip(info.planes) {
        for (value, &weight) in plane.counts.iter().enumerate() {
            let number = plane.low + value as i64;
            let always = plane.always.iter().any(|(always, _)| *always == value);
            if plane.quiet && !always && number != 0 && !mirror.is_image(first + value) {
                let name = name_of(info, shown, number);
                // What both have is called without an owner.
                let owner = info.players.first().filter(|_| mirrored(first + value));
                let bare = owner.and_then(|owner| name.strip_prefix(owner));
                let bare = bare.map(str::trim_start).filter(|bare| !bare.is_empty());
                all.push(Worth {
                    plane: plane.name.clone(),
                    name: bare.map_or(name.clone(), str::to_owned),
                    weight,
                    error: errors.get(first + value).copied(),
                    units: None,
                });
            }
        }
        first += plane.counts.len();
    }
    let certain = |w: &&Worth| w.error.is_some_and(|error| w.weight.abs() > 3.0 * error);
    let unit = all
        .iter()
        .filter(certain)
        .map(|w| w.weight.abs())
        .reduce(f64::min);
    for one in &mut all {
        one.units = unit.map(|unit| one.weight.abs() / unit);
    }
    all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    all.extend(prospects(evaluation, errors, first + 1));
    all
}

/// What prospects are worth: lines that are still open, and moves to choose from. The errors of their weights begin at some place.
fn prospects(evaluation: &Evaluation, errors: &[f64], first: usize) -> Vec<Worth> {
    let one = |name: String, weight: f64, error: Option<&f64>| Worth {
        plane: String::new(),
        name,
        weight,
        error: error.copied(),
        units: None,
    };
    let mut all = Vec::new();
    if evaluation.mobility != 0.0 {
        let error = errors.get(first).map(|error| error / MOVES);
        let name = "a move more to choose from".to_owned();
        all.push(one(name, evaluation.mobility, error.as_ref()));
    }
    if let Some(lines) = evaluation.lines.as_ref().filter(|lines| lines.count()) {
        let length = lines.weights.len() + 1;
        let own = lines.weights.iter().enumerate().map(|(at, &weight)| {
            let name = format!("an open line with {} of {length}", at + 1);
            one(name, weight, errors.get(first + 1 + at))
        });
        all.extend(own.rev());
    }
    all
}

/// What a value of a plane means, as far as the game tells.
pub(super) fn name_of(info: &GameInfo, plane: &rulec_core::Plane, value: i64) -> String {
    // A plane of one value may be called by it: `board.places(white queen)`.
    if plane.values.max == 1 {
        let inner = plane
            .name
            .split_once('(')
            .and_then(|(_, rest)| rest.strip_suffix(')'));
        return inner.unwrap_or(plane.name).to_owned();
    }
    let names = [info.pieces, info.players];
    let fits = names
        .iter()
        .find(|names| names.len() as i64 == plane.values.max);
    let name = fits.and_then(|names| names.get(usize::try_from(value - 1).ok()?));
    name.map_or_else(|| value.to_string(), |name| (*name).to_owned())
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
