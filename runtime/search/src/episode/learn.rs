//! Players who learn from codes alone, as baselines to compare others with.
//!
//! - `random` tries any piece and any target.
//! - `remembering` does the same, but not twice what failed on the same board; a piece that could go nowhere rules out all
//!   targets until something is removed.
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
    /// Nothing that failed before on the board.
    Remembering,
    /// Hypotheses, weighed.
    Bayes,
}

/// What a learner did: for each episode of a run the attempts that failed, and whether the board was cleared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Mean number of errors by episode.
    pub errors: Vec<f64>,
    /// Half the width of its 95 % interval by episode.
    pub margins: Vec<f64>,
    /// Share of cleared boards by episode.
    pub cleared: Vec<f64>,
}

/// What is asked of learners.
#[derive(Clone, Copy, Debug)]
pub struct LearnJob {
    /// The learner.
    pub learner: Learner,
    /// Episodes of a run.
    pub episodes: usize,
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

/// Lets a learner play; `tell` hears of each finished run.
///
/// # Errors
/// When there are no boards, for people.
pub fn learn<'g>(
    start: &(dyn AnyState<'g> + 'g),
    job: &LearnJob,
    tell: &mut dyn FnMut(usize),
) -> Result<Curve, String> {
    let info = start.info().episode.ok_or("the game has no episodes")?;
    let mut all: Vec<Vec<(f64, bool)>> = vec![Vec::new(); job.episodes];
    for run in 0..job.runs {
        let mut rng = Rng::new(job.seed, run as u64);
        let boards = Boards::new(info, info.boards, (rng.u64() >> 16) as i64)?;
        let mut session = Session::new(start, info, boards)?;
        let mut mind = Mind::new(info, job.learner);
        for (episode, results) in all.iter_mut().enumerate() {
            if episode > 0 {
                session.next_episode()?;
            }
            mind.new_board();
            while session.finish() == Finish::Playing && session.attempts < job.limit {
                let Some((index, target)) = mind.choose(&session, &mut rng) else {
                    break;
                };
                let piece = session.pieces()[index];
                let code = session.attempt(piece.id, target);
                mind.note(session.pieces(), &piece, target, code);
            }
            let errors = session.attempts - session.moves;
            results.push((errors as f64, session.finish() == Finish::Cleared));
        }
        tell(run + 1);
    }
    Ok(curve(&all))
}

fn curve(all: &[Vec<(f64, bool)>]) -> Curve {
    let mut curve = Curve::default();
    for results in all {
        let n = results.len().max(1) as f64;
        let mean = results.iter().map(|(errors, _)| errors).sum::<f64>() / n;
        let spread = results
            .iter()
            .map(|(errors, _)| (errors - mean).powi(2))
            .sum::<f64>();
        let deviation = (spread / (n - 1.0).max(1.0)).sqrt();
        curve.errors.push(mean);
        curve.margins.push(1.96 * deviation / n.sqrt());
        curve
            .cleared
            .push(results.iter().filter(|(_, cleared)| *cleared).count() as f64 / n);
    }
    curve
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
    /// For each property and kind the number of its value.
    values: Vec<Vec<usize>>,
    hypotheses: Vec<Hypothesis>,
    /// What failed on this board: piece and target.
    failed: Vec<(i32, usize)>,
    last: Option<usize>,
    /// For each property and value the last target.
    last_by_value: Vec<Vec<Option<usize>>>,
}

impl Mind {
    fn new(info: &'static EpisodeInfo, learner: Learner) -> Mind {
        let mut names: Vec<&str> = info
            .kinds
            .iter()
            .flat_map(|kind| kind.properties)
            .map(|(name, _)| *name)
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut values = Vec::new();
        for name in names {
            let mut known: Vec<Option<&str>> =
                info.kinds.iter().map(|kind| kind.property(name)).collect();
            known.sort_unstable();
            known.dedup();
            if known.len() > 1 && known.len() <= 16 {
                let number = |kind: &rulec_core::episode::PieceKind| {
                    known.binary_search(&kind.property(name)).unwrap_or(0)
                };
                values.push(info.kinds.iter().map(number).collect::<Vec<usize>>());
            }
        }
        let mut mind = Mind {
            info,
            learner,
            hypotheses: Vec::new(),
            failed: Vec::new(),
            last: None,
            last_by_value: values
                .iter()
                .map(|kinds| vec![None; count(kinds)])
                .collect(),
            values,
        };
        if learner == Learner::Bayes {
            mind.hypotheses = mind.grammar();
        }
        mind
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
        for (property, values) in self.values.iter().enumerate() {
            kinds.push(
                (0..targets)
                    .map(|steps| Choice::SameValue(property, steps))
                    .collect(),
            );
            let maps = (targets as u64).checked_pow(count(values) as u32);
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

fn count(values: &[usize]) -> usize {
    values.iter().max().map_or(0, |most| most + 1)
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
    let highs = curves
        .iter()
        .flat_map(|(_, c)| c.errors.iter().zip(&c.margins).map(|(e, m)| e + m));
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
        let pairs = || curve.errors.iter().zip(&curve.margins).enumerate();
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
