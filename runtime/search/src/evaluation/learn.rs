//! Learning an evaluation: random games first, then games of the program against itself, each round with what the last found.
//!
//! A round is kept only if its evaluation scores at least as well as the last one in games between the two. Positions are
//! taken where the moves before and after exchange nothing; of one game a few, because they share its end.

use rulec_core::{GameInfo, Rng};

use super::fit::Sample;
use super::fitted::fitted;
pub use super::lesson::Settings;
use super::lesson::{Game, Lesson, sample};
use super::lines::{Lines, find::find};
use super::passing;
pub use super::tune::Change;
pub use super::worth::Worth;
use super::worth::worth_to_all;
use super::{Evaluation, Learnt, mirror::Mirror};
use crate::{State, parallel::in_shares};

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

/// One in how many positions with exchanges has nothing else at least, where these are forced.
const FORCED: u64 = 5;
/// Games between two evaluations, and against the random player.
const TRIAL: u64 = 120;
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
