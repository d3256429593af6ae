//! Players who learn from codes alone, as baselines to compare others with.
//!
//! - `random` tries any piece and any target.
//! - `remembering` does the same, but nothing twice that failed since the last accepted move; a piece that could go nowhere rules
//!   out all targets. An accepted move may change what is right, so it forgets then.
//! - `bayes` weighs hypotheses of a small grammar by what they foretold. A hypothesis is an order and a choice of target.
//!   Orders: any piece, or those in front from the top, bottom, left, right, the upper left as one reads, or the corners.
//!   Choices: any target; a fixed one; the nearest, or the one a number of steps further; the last target plus a number of steps,
//!   from any to begin with; the last target of the same value of a property plus a number of steps; or a target for each
//!   value of a property.

use rulec_core::Rng;
use rulec_core::episode::EpisodeInfo;

use super::boards::Boards;
use super::session::{Code, Finish, Piece, Session};
use crate::AnyState;

/// A learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// Anything at random.
    Random,
    /// Nothing that failed since the last accepted move.
    Remembering,
    /// Hypotheses, weighed.
    Bayes,
}

/// What a learner did in an episode, a number for each run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Attempts that failed.
    pub errors: Vec<f64>,
    /// Runs in which the board was cleared.
    pub cleared: usize,
}

/// A learning curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Mean number of errors by episode.
    pub errors: Vec<f64>,
    /// Half the width of its 95 % interval by episode; nothing can be said of a single run.
    pub margins: Vec<Option<f64>>,
    /// Share of cleared boards by episode.
    pub cleared: Vec<f64>,
}

/// A series of episodes that a learner plays.
#[derive(Clone, Copy)]
pub struct Series<'s, 'g> {
    /// A state of its game.
    pub start: &'s (dyn AnyState<'g> + 'g),
    /// How many episodes.
    pub episodes: usize,
}

impl Series<'_, '_> {
    /// The name of its rules: what learners know of one rule set says nothing of another.
    pub fn rule(&self) -> &'static str {
        let info = self.start.info();
        let named = info.episode.and_then(|episode| {
            let mut parameters = episode.parameters.iter();
            parameters.find(|(name, _)| *name == "rule_id")
        });
        named.map_or(info.name, |(_, rule)| *rule)
    }

    fn info(&self) -> Result<&'static EpisodeInfo, String> {
        let info = self.start.info().episode;
        info.ok_or_else(|| "the game has no episodes".to_owned())
    }
}

/// What is asked of learners.
#[derive(Clone, Copy, Debug)]
pub struct LearnJob {
    /// The learner.
    pub learner: Learner,
    /// Runs, each by a learner that knows nothing.
    pub runs: usize,
    /// Seed of boards and learners.
    pub seed: u64,
    /// Most attempts of an episode.
    pub limit: u64,
}

/// The share of answers that a hypothesis may get wrong without being ruled out.
const NOISE: f64 = 0.01;
/// Most maps from values of a property to targets that are told apart.
const MOST_MAPS: u64 = 256;

/// Lets a learner play series one after the other, as a participant does: it keeps what it learnt as long as the rules stay the
/// same. What came of each episode, those of all series in a row; `tell` hears of each finished run.
///
/// # Errors
/// When there are no boards, for people.
pub fn learn(
    series: &[Series<'_, '_>],
    job: &LearnJob,
    tell: &mut dyn FnMut(usize),
) -> Result<Vec<Results>, String> {
    let episodes = series.iter().map(|series| series.episodes).sum();
    let mut all = vec![Results::default(); episodes];
    for run in 0..job.runs {
        play(series, job, run as u64, &mut all)?;
        tell(run + 1);
    }
    Ok(all)
}

/// One run through all series.
fn play(
    series: &[Series<'_, '_>],
    job: &LearnJob,
    run: u64,
    all: &mut [Results],
) -> Result<(), String> {
    let mut rng = Rng::new(job.seed, run);
    let mut results = all.iter_mut();
    let mut before: Option<Boards> = None;
    let mut known: Option<(&str, Mind)> = None;
    for (number, one) in series.iter().enumerate() {
        let info = one.info()?;
        let boards = match &before {
            None => Boards::new(info, info.boards, (rng.u64() >> 16) as i64)?,
            Some(boards) => boards.followed_by(info, info.boards)?,
        };
        let mut mind = match known.take() {
            Some((rule, mind)) if rule == one.rule() => mind,
            _ => Mind::new(&with_same_rule(&series[number..])?, job.learner),
        };
        mind.enter(info);
        let mut session = Session::new(one.start, info, boards)?;
        for (episode, results) in results.by_ref().take(one.episodes).enumerate() {
            if episode > 0 {
                session.next_episode()?;
            }
            try_board(&mut session, &mut mind, job.limit, &mut rng);
            let errors = session.attempts - session.moves;
            results.errors.push(errors as f64);
            results.cleared += usize::from(session.finish() == Finish::Cleared);
        }
        before = Some(session.boards().clone());
        known = Some((one.rule(), mind));
    }
    Ok(())
}

/// The games of the first series and of those behind it that have its rules.
fn with_same_rule(series: &[Series<'_, '_>]) -> Result<Vec<&'static EpisodeInfo>, String> {
    let rule = series.first().map(Series::rule);
    let same = series.iter().take_while(|other| Some(other.rule()) == rule);
    same.map(Series::info).collect()
}

fn try_board(session: &mut Session<'_>, mind: &mut Mind, limit: u64, rng: &mut Rng) {
    mind.new_board();
    while session.finish() == Finish::Playing && session.attempts < limit {
        let Some((index, target)) = mind.choose(session, rng) else {
            break;
        };
        let piece = session.pieces()[index];
        let code = session.attempt(piece.id, target);
        mind.note(session.pieces(), &piece, target, code);
    }
}

/// Which pieces are in front.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Any,
    Top,
    Bottom,
    Left,
    Right,
    Reading,
    Corners,
}

const ORDERS: [Order; 7] = [
    Order::Any,
    Order::Top,
    Order::Bottom,
    Order::Left,
    Order::Right,
    Order::Reading,
    Order::Corners,
];

impl Order {
    /// The lower, the nearer to the front.
    fn rank(self, info: &EpisodeInfo, place: usize) -> usize {
        let rows = info.places / info.columns.max(1);
        let (x, y) = (place % info.columns, place / info.columns);
        match self {
            Order::Any => 0,
            Order::Top => rows - y,
            Order::Bottom => y,
            Order::Left => x,
            Order::Right => info.columns - x,
            Order::Reading => (rows - y) * info.columns + x,
            Order::Corners => {
                let (x, y) = (
                    x.min(info.columns - 1 - x),
                    y.min(rows.saturating_sub(1) - y),
                );
                (x + 1).pow(2) + (y + 1).pow(2)
            }
        }
    }
}

/// Which target a piece has.
#[derive(Clone, Debug)]
enum Choice {
    Any,
    Fixed(usize),
    Nearest(usize),
    Last(usize),
    /// A property and steps.
    SameValue(usize, usize),
    /// A property, and the targets of its values as digits.
    Map(usize, u64),
}

struct Hypothesis {
    order: usize,
    choice: Choice,
    weight: f64,
}

/// What a learner keeps in mind.
struct Mind {
    info: &'static EpisodeInfo,
    learner: Learner,
    /// The properties that tell pieces apart, and their values.
    words: Vec<(&'static str, Vec<Option<&'static str>>)>,
    /// For each property and kind the number of its value.
    values: Vec<Vec<usize>>,
    hypotheses: Vec<Hypothesis>,
    /// What failed on this board since the last accepted move: piece and target.
    failed: Vec<(i32, usize)>,
    last: Option<usize>,
    /// For each property and value the last target.
    last_by_value: Vec<Vec<Option<usize>>>,
}

impl Mind {
    /// A learner that knows nothing, for games that have the same rules and may have different pieces.
    fn new(infos: &[&'static EpisodeInfo], learner: Learner) -> Mind {
        let kinds = || infos.iter().flat_map(|info| info.kinds);
        let mut names: Vec<&'static str> = kinds()
            .flat_map(|kind| kind.properties)
            .map(|(name, _)| *name)
            .collect();
        names.sort_unstable();
        names.dedup();
        let words = names.into_iter().map(|name| {
            let mut known: Vec<Option<&str>> = kinds().map(|kind| kind.property(name)).collect();
            known.sort_unstable();
            known.dedup();
            (name, known)
        });
        let words: Vec<_> = words
            .filter(|(_, known)| known.len() > 1 && known.len() <= 16)
            .collect();
        let mut mind = Mind {
            info: infos[0],
            learner,
            hypotheses: Vec::new(),
            failed: Vec::new(),
            last: None,
            last_by_value: words
                .iter()
                .map(|(_, known)| vec![None; known.len()])
                .collect(),
            values: Vec::new(),
            words,
        };
        if learner == Learner::Bayes {
            mind.hypotheses = mind.grammar();
        }
        mind
    }

    /// Turns to a game of the same rules.
    fn enter(&mut self, info: &'static EpisodeInfo) {
        self.info = info;
        let numbers = self.words.iter().map(|(name, known)| {
            let kinds = info.kinds.iter();
            kinds
                .map(|kind| known.binary_search(&kind.property(name)).unwrap_or(0))
                .collect()
        });
        self.values = numbers.collect();
    }

    /// All hypotheses. Each kind of choice has the same weight together, so that none wins by its number.
    fn grammar(&self) -> Vec<Hypothesis> {
        let targets = self.info.targets;
        let mut kinds: Vec<Vec<Choice>> = vec![
            vec![Choice::Any],
            (0..targets).map(Choice::Fixed).collect(),
            (0..targets).map(Choice::Nearest).collect(),
            (0..targets).map(Choice::Last).collect(),
        ];
        for (property, (_, known)) in self.words.iter().enumerate() {
            kinds.push(
                (0..targets)
                    .map(|steps| Choice::SameValue(property, steps))
                    .collect(),
            );
            let maps = (targets as u64).checked_pow(known.len() as u32);
            if let Some(maps) = maps.filter(|maps| *maps <= MOST_MAPS) {
                kinds.push((0..maps).map(|map| Choice::Map(property, map)).collect());
            }
        }
        let mut all = Vec::new();
        for choices in kinds {
            let weight = 1.0 / choices.len() as f64;
            for choice in choices {
                for order in 0..ORDERS.len() {
                    all.push(Hypothesis {
                        order,
                        choice: choice.clone(),
                        weight,
                    });
                }
            }
        }
        all
    }

    fn new_board(&mut self) {
        self.failed.clear();
        self.last = None;
        for values in &mut self.last_by_value {
            values.fill(None);
        }
    }

    /// A piece, by its number among all of the board, and a target.
    fn choose(&mut self, session: &Session<'_>, rng: &mut Rng) -> Option<(usize, usize)> {
        let pieces = session.pieces();
        let here: Vec<usize> = (0..pieces.len())
            .filter(|&index| pieces[index].here)
            .collect();
        let mut open: Vec<(usize, usize)> = Vec::new();
        for &index in &here {
            for target in 0..self.info.targets {
                let known = (pieces[index].id, target);
                if self.learner == Learner::Random || !self.failed.contains(&known) {
                    open.push((index, target));
                }
            }
        }
        if open.is_empty() {
            // Everything failed once; what the rules accept has changed since.
            self.failed.clear();
            open = here
                .iter()
                .flat_map(|&index| (0..self.info.targets).map(move |target| (index, target)))
                .collect();
        }
        if open.is_empty() {
            return None;
        }
        if self.learner != Learner::Bayes {
            return open.get(rng.below(open.len() as u32) as usize).copied();
        }
        let fronts = self.fronts(pieces);
        let mut best: Vec<(usize, usize)> = Vec::new();
        let mut highest = -1.0;
        for &(index, target) in &open {
            let fits = |h: &&Hypothesis| {
                fronts[h.order] >> index & 1 == 1
                    && self.targets(&h.choice, &pieces[index]) >> target & 1 == 1
            };
            let chance: f64 = self.hypotheses.iter().filter(fits).map(|h| h.weight).sum();
            if chance > highest + 1e-12 {
                highest = chance;
                best.clear();
            }
            if chance >= highest - 1e-12 {
                best.push((index, target));
            }
        }
        best.get(rng.below(best.len() as u32) as usize).copied()
    }

    /// For each order the pieces in front, a bit each.
    fn fronts(&self, pieces: &[Piece]) -> Vec<u64> {
        let front = |order: &Order| {
            let rank = |piece: &Piece| order.rank(self.info, piece.place.into());
            let least = pieces.iter().filter(|piece| piece.here).map(rank).min();
            let all = pieces.iter().enumerate().take(64);
            let here = all.filter(|(_, piece)| piece.here && Some(rank(piece)) == least);
            here.fold(0, |set, (index, _)| set | 1 << index)
        };
        ORDERS.iter().map(front).collect()
    }

    /// The targets that a choice gives a piece, a bit each.
    fn targets(&self, choice: &Choice, piece: &Piece) -> u64 {
        let n = self.info.targets.max(1);
        let all = u64::MAX >> (64 - n.min(64));
        let stepped =
            |last: Option<usize>, steps: usize| last.map_or(all, |last| 1 << ((last + steps) % n));
        let kind = usize::from(piece.kind);
        match choice {
            Choice::Any => all,
            Choice::Fixed(target) => 1 << target,
            Choice::Nearest(steps) => {
                let rows = self.info.places / self.info.columns.max(1);
                let place = usize::from(piece.place);
                let left = place % self.info.columns < self.info.columns / 2;
                let low = place / self.info.columns < rows / 2;
                let near = match (left, low) {
                    (true, false) => 0,
                    (false, false) => 1,
                    (false, true) => 2,
                    (true, true) => 3,
                };
                1 << ((near + steps) % n)
            }
            Choice::Last(steps) => stepped(self.last, *steps),
            Choice::SameValue(property, steps) => {
                let value = self.values[*property][kind];
                stepped(self.last_by_value[*property][value], *steps)
            }
            Choice::Map(property, map) => {
                let value = self.values[*property][kind] as u32;
                1 << (map / (n as u64).pow(value) % n as u64)
            }
        }
    }

    /// Learns from an answer; `pieces` are those after it.
    fn note(&mut self, pieces: &[Piece], piece: &Piece, target: usize, code: Code) {
        if self.learner == Learner::Bayes {
            self.weigh(pieces, piece, target, code);
        }
        match code {
            Code::Accept => {
                self.failed.clear();
                self.last = Some(target);
                for (values, last) in self.values.iter().zip(&mut self.last_by_value) {
                    last[values[usize::from(piece.kind)]] = Some(target);
                }
            }
            Code::Immovable => {
                let all = 0..self.info.targets;
                self.failed.extend(all.map(|target| (piece.id, target)));
            }
            _ => self.failed.push((piece.id, target)),
        }
    }

    fn weigh(&mut self, pieces: &[Piece], piece: &Piece, target: usize, code: Code) {
        let mut before = pieces.to_vec();
        let index = before.iter().position(|other| other.id == piece.id);
        let index = index.unwrap_or(0);
        if let Some(own) = before.get_mut(index) {
            own.here = true;
        }
        let fronts = self.fronts(&before);
        let foretold: Vec<bool> = self
            .hypotheses
            .iter()
            .map(|h| {
                let front = fronts[h.order] >> (index & 63) & 1 == 1;
                let accepts = self.targets(&h.choice, piece) >> target & 1 == 1;
                let expected = match (front, accepts) {
                    (false, _) => Code::Immovable,
                    (true, true) => Code::Accept,
                    (true, false) => Code::Deny,
                };
                expected == code
            })
            .collect();
        let mut sum = 0.0;
        for (hypothesis, right) in self.hypotheses.iter_mut().zip(foretold) {
            hypothesis.weight *= if right { 1.0 - NOISE } else { NOISE };
            sum += hypothesis.weight;
        }
        if sum > 0.0 {
            self.hypotheses.iter_mut().for_each(|h| h.weight /= sum);
        }
        // What is far behind never comes back; dropping it saves time.
        self.hypotheses.retain(|h| h.weight > 1e-12);
        if self.hypotheses.is_empty() {
            self.hypotheses = self.grammar();
        }
    }
}

/// A learning curve as an SVG picture: mean errors by episode, with the band of their intervals.
pub fn picture(title: &str, curves: &[(&str, &Curve)]) -> String {
    use std::fmt::Write;
    const COLORS: [&str; 4] = ["#1b6ca8", "#c1440e", "#3a7d44", "#6b4c9a"];
    let (width, height, edge) = (720.0, 400.0, 56.0);
    let episodes = curves
        .iter()
        .map(|(_, curve)| curve.errors.len())
        .max()
        .unwrap_or(1)
        .max(2);
    let highs = curves.iter().flat_map(|(_, c)| {
        c.errors
            .iter()
            .zip(&c.margins)
            .map(|(e, m)| e + m.unwrap_or(0.0))
    });
    let most = highs.fold(1.0_f64, f64::max);
    let x = |episode: usize| edge + (width - 2.0 * edge) * episode as f64 / (episodes - 1) as f64;
    let y = |errors: f64| height - edge - (height - 2.0 * edge) * (errors / most).clamp(0.0, 1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<text x=\"{edge}\" y=\"28\" font-size=\"16\">{escaped}</text>"
    );
    for part in 0..=4 {
        let errors = most * f64::from(part) / 4.0;
        let at = y(errors);
        let right = width - edge;
        let _ = writeln!(
            svg,
            "<line x1=\"{edge}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{errors:.1}</text>",
            edge - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{edge}\" y=\"{:.1}\">1</text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{episodes}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">episode</text>",
        height - edge + 18.0,
        width - edge,
        height - edge + 18.0,
        width / 2.0,
        height - 12.0
    );
    for (index, (name, curve)) in curves.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let point = |episode: usize, errors: f64| format!("{:.1},{:.1}", x(episode), y(errors));
        let margins = || curve.margins.iter().map(|margin| margin.unwrap_or(0.0));
        let pairs = || curve.errors.iter().zip(margins()).enumerate();
        let upper = pairs().map(|(episode, (e, m))| point(episode, e + m));
        let lower = pairs()
            .rev()
            .map(|(episode, (e, m))| point(episode, (e - m).max(0.0)));
        let band: Vec<String> = upper.chain(lower).collect();
        let line: Vec<String> = pairs()
            .map(|(episode, (e, _))| point(episode, *e))
            .collect();
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"{color}\" opacity=\"0.15\"/>\n<polyline points=\"{}\" fill=\"none\" \
             stroke=\"{color}\" stroke-width=\"2\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>",
            band.join(" "),
            line.join(" "),
            width - edge,
            28.0 + 18.0 * index as f64
        );
    }
    svg.push_str("</svg>\n");
    svg
}
