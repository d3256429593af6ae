//! Evaluations of positions that are learnt from the rules alone.
//!
//! What a network sees of a position ([`rulec_core::GameInfo::planes`]) is what can be counted here: how often each value
//! stands in a plane, and where. A weighted sum of that is the logarithm of the odds that the first of two players wins
//! (logistic regression); the weights come from games of the program against itself, see [`learn`]. What things are worth, and
//! where, changes with how much is left to be exchanged: a weight at the middle of that way and a slope along it. Nothing is known of
//! any game in particular.

// Without files and learning nothing makes an evaluation, and searches ask for one all the same.
#![cfg_attr(not(feature = "programs"), allow(dead_code))]

#[cfg(feature = "programs")]
mod file;
#[cfg(feature = "programs")]
mod fit;
#[cfg(feature = "programs")]
mod fitted;
#[cfg(feature = "programs")]
pub mod learn;
#[cfg(feature = "programs")]
mod lesson;
mod lines;
#[cfg(feature = "programs")]
mod mirror;
pub(crate) mod mobility;
mod parts;
#[cfg(feature = "programs")]
pub(crate) mod passing;
mod terms;
#[cfg(feature = "programs")]
mod tune;
#[cfg(feature = "programs")]
mod worth;

use std::fmt;

use rulec_core::GameInfo;

use self::lines::Lines;
use self::terms::Terms;
pub use self::terms::View;
pub(crate) use self::terms::{Looked, Looker};

#[cfg(feature = "programs")]
pub use self::file::{build_in, is_built_in};

/// The name by which players know the evaluation that a program was built with.
pub const BUILT_IN: &str = "built-in";

/// How names of files end: no other file is read.
pub const ENDING: &str = ".eval.json";
/// What is worth less than this part of the most valuable thing is not worth an exchange.
const TRIFLE: f64 = 0.04;
/// Values of a plane that have weights of their own at most; a plane with more is a number.
const MOST_VALUES: i64 = 64;

/// In which quarter a part of what can be exchanged is, the last of the game first.
#[inline(always)]
fn quarter(left: f32) -> usize {
    ((left * QUARTERS as f32) as usize).min(QUARTERS - 1)
}

/// The chance that odds of a logarithm mean.
pub(crate) fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// The part of positions in which doing nothing may be best, so that searches take it for harmless.
const HARMLESS: f64 = 0.01;
/// Parts of what is left.
const QUARTERS: usize = 4;

/// What positions of a game are worth to the first of two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// SHA-256 of the rules that it was learnt from, in hex.
    rules_sha256: String,
    /// What it is worth to be on turn.
    turn: f64,
    /// Whether moves that change what is there are often the only ones.
    forced: bool,
    /// What all things are worth that can be exchanged at the beginning, whosoever they are, or how much room there is; 0 where that tells no phases.
    whole: f64,
    /// For each quarter of what is left, the last of the game first, in which part of the positions it would be best to do nothing;
    /// empty where nobody knows.
    passing: Vec<f64>,
    planes: Vec<PlaneWeights>,
    /// How many things there is room for where things are put on the board and stay there; 0 for other games.
    room: f64,
    /// What a move more to choose from is worth, and 0 where that does not count; and by how much more that is at the end.
    mobility: f64,
    late_mobility: f64,
    /// Lines that win, where they are worth something while they are open.
    lines: Option<Lines>,
    /// The player whose chance it tells: the first one, unless it is one of `others`.
    seat: usize,
    /// Where more than two play, those of the other players in order: each against all the rest.
    others: Vec<Evaluation>,
    terms: Terms,
}

/// The weights of a plane.
#[derive(Clone, Debug, PartialEq)]
struct PlaneWeights {
    name: String,
    cells: usize,
    /// The least and the greatest value.
    low: i64,
    high: i64,
    /// For each value what one more of it is worth; one weight for the sum of a plane of many values.
    counts: Vec<f64>,
    /// What it is worth beside that in each cell, a row of values for each; nothing where places do not matter.
    places: Vec<f64>,
    /// By how much these are more at the end, when nothing is left, than at the beginning; empty where they are not.
    late_counts: Vec<f64>,
    late_places: Vec<f64>,
    /// Whether few moves change what is counted, so that those that do are worth looking at.
    quiet: bool,
    /// Values that take up room, see [`Evaluation::room`].
    fills: Vec<usize>,
    /// Values of which a player has the same number in all positions of play, and that number: what takes one away ends the game, or would.
    always: Vec<(usize, f64)>,
}

/// What one thing that is always there is worth, as a logarithm of odds: as good as the game.
const ALWAYS: f64 = 20.0;

impl PlaneWeights {
    /// How much that can be exchanged a value is.
    fn amount(&self, value: usize) -> f64 {
        let always = self.always.iter().any(|(always, _)| *always == value);
        match self.quiet && !always && !self.is_number() {
            true => self.counts.get(value).map_or(0.0, |count| count.abs()),
            false => 0.0,
        }
    }

    /// How much is left in a game by one thing of a value: that can be exchanged, or of the room for others.
    fn left(&self, value: usize) -> f64 {
        match self.fills.contains(&value) {
            true => self.amount(value) - 1.0,
            false => self.amount(value),
        }
    }

    /// What things that are always there come to.
    fn all_always(&self) -> f64 {
        let of = |(_, number): &(usize, f64)| number * ALWAYS;
        self.always.iter().map(of).sum()
    }
}

impl PlaneWeights {
    fn empty(plane: &rulec_core::Plane) -> PlaneWeights {
        let (low, high) = (plane.values.min, plane.values.max);
        let values = match high.saturating_sub(low) {
            range if range < MOST_VALUES => range as usize + 1,
            _ => 1,
        };
        PlaneWeights {
            name: plane.name.to_owned(),
            cells: plane.cells,
            low,
            high,
            counts: vec![0.0; values],
            places: Vec::new(),
            late_counts: Vec::new(),
            late_places: Vec::new(),
            quiet: false,
            fills: Vec::new(),
            always: Vec::new(),
        }
    }

    /// Whether the sum of its numbers is all that counts.
    fn is_number(&self) -> bool {
        self.counts.len() == 1
    }

    /// The place of a value among the weights.
    fn place(&self, value: i64) -> usize {
        let last = self.counts.len() as i64 - 1;
        value.saturating_sub(self.low).clamp(0, last.max(0)) as usize
    }
}

impl Evaluation {
    /// One that thinks that all positions are worth the same.
    #[cfg(feature = "programs")]
    pub(crate) fn empty(info: &GameInfo) -> Evaluation {
        Evaluation {
            rules_sha256: info.rules_sha256.to_owned(),
            turn: 0.0,
            forced: false,
            whole: 0.0,
            passing: Vec::new(),
            planes: info.planes.iter().map(PlaneWeights::empty).collect(),
            room: 0.0,
            mobility: 0.0,
            late_mobility: 0.0,
            lines: None,
            seat: 0,
            others: Vec::new(),
            terms: Terms::default(),
        }
        .prepared()
    }

    /// The same, after weights were changed.
    fn prepared(mut self) -> Evaluation {
        self.terms = Terms::new(&self.planes, self.turn, self.room);
        self.lines = self.lines.map(|lines| lines.prepared(&self.planes));
        self
    }

    /// The one that tells the chance of a player; of two players the first one's, which tells both.
    pub(crate) fn of(&self, player: usize) -> &Evaluation {
        let other = player.checked_sub(1).and_then(|at| self.others.get(at));
        other.unwrap_or(self)
    }

    /// Whether it is for more than two players.
    pub(crate) fn is_for_many(&self) -> bool {
        !self.others.is_empty()
    }

    /// Whether it counts how many moves there are to choose from.
    #[inline(always)]
    pub(crate) fn counts_moves(&self) -> bool {
        self.mobility != 0.0 || self.late_mobility != 0.0
    }

    /// What it is worth that the first player has so many moves more to choose from than the second one, as a logarithm of odds.
    #[inline(always)]
    pub(crate) fn of_moves(&self, view: View, more: f64) -> f64 {
        (self.mobility + self.late_mobility * lateness(f64::from(view.left))) * more
    }

    /// The logarithm of the odds of a position, with what the number of moves says: counting these takes time.
    #[inline(always)]
    pub(crate) fn logit(&self, view: View, mobility: impl FnOnce() -> i64) -> f64 {
        match self.counts_moves() {
            true => view.logit + self.of_moves(view, mobility() as f64),
            false => view.logit,
        }
    }

    /// The part that is left of what could be exchanged at the beginning, or of the room there was.
    #[inline(always)]
    fn left(&self, amount: f64) -> f64 {
        match self.whole > 0.0 {
            true => (amount / self.whole).clamp(0.0, 1.0),
            false => 0.5,
        }
    }

    /// Whether there are positions in which it is hardly ever best to do nothing.
    pub(crate) fn may_ever_pass(&self) -> bool {
        self.passing.iter().any(|share| *share < HARMLESS)
    }

    /// Whether it is hardly ever best to do nothing where a position of this view is.
    pub(crate) fn may_pass(&self, view: View) -> bool {
        let share = self.passing.get(quarter(view.left));
        share.is_some_and(|share| *share < HARMLESS)
    }

    /// What the least valuable thing is worth that can be exchanged; 0 where nothing can.
    pub(crate) fn least_thing(&self) -> f64 {
        self.terms.least
    }

    /// Whether moves that change what is there can be told from others.
    pub(crate) fn tells_exchanges(&self) -> bool {
        self.planes.iter().any(|plane| plane.quiet)
    }

    /// Whether all things that can be exchanged are shown by these planes.
    pub(crate) fn exchanges_only(&self, planes: &[usize]) -> bool {
        let mut all = self.planes.iter().enumerate();
        all.all(|(number, plane)| {
            let shows = plane.quiet || !plane.always.is_empty();
            !shows || planes.contains(&number)
        })
    }

    /// Whether who could take often must.
    pub(crate) fn is_forced(&self) -> bool {
        self.forced
    }

    /// Whether it was learnt from rules of this SHA-256, in hex.
    pub fn is_of_rules(&self, sha256: &str) -> bool {
        self.rules_sha256 == sha256
    }

    /// Why it does not go with a game; nothing if it does.
    pub fn misfit(&self, info: &GameInfo) -> Option<String> {
        let seats = match info.players.len() {
            3.. => info.players.len() - 1,
            _ => 0,
        };
        let others = self
            .others
            .iter()
            .all(|other| other.others.is_empty() && other.fits_planes(info));
        let fits = self.others.len() == seats && others && self.fits_planes(info);
        (!fits).then(|| {
            "the evaluation was learnt from other rules: run `evaluate` on these to make one that fits".to_owned()
        })
    }

    fn fits_planes(&self, info: &GameInfo) -> bool {
        self.rules_sha256 == info.rules_sha256
            && self.planes.len() == info.planes.len()
            && self.planes.iter().zip(info.planes).all(|(own, plane)| {
                own.cells == plane.cells
                    && own.counts.len() == PlaneWeights::empty(plane).counts.len()
            })
    }
}

/// How late it is in a game of which a part is left, from -0.5 at its beginning to 0.5.
#[inline(always)]
fn lateness(left: f64) -> f64 {
    0.5 - left
}

/// A number for a value of a plane, far from those of others (the finaliser of SplitMix64).
fn mixed(plane: usize, value: usize) -> u64 {
    let mut x = ((plane as u64) << 32 | value as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// An evaluation in use. It stays in memory as long as the program runs.
#[derive(Clone, Copy)]
pub struct Learnt {
    name: &'static str,
    evaluation: &'static Evaluation,
}

impl Learnt {
    /// The evaluation.
    pub fn evaluation(self) -> &'static Evaluation {
        self.evaluation
    }
}

impl PartialEq for Learnt {
    fn eq(&self, other: &Learnt) -> bool {
        std::ptr::eq(self.evaluation, other.evaluation)
    }
}

impl Eq for Learnt {}

impl fmt::Debug for Learnt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Learnt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(all(test, feature = "programs"))]
mod tests {
    use rulec_core::Observer;

    use super::*;

    impl PlaneWeights {
        /// A plane of cells that are 0 or 1, in which nothing is worth anything.
        pub(super) fn of_bits(cells: usize) -> PlaneWeights {
            PlaneWeights::empty(&rulec_core::Plane {
                name: "",
                cells,
                values: rulec_core::Interval { min: 0, max: 1 },
            })
        }
    }

    impl Evaluation {
        /// What these planes are worth, whoever is on turn.
        pub(super) fn of_planes(planes: Vec<PlaneWeights>) -> Evaluation {
            Evaluation {
                planes,
                turn: 0.0,
                ..sample()
            }
            .prepared()
        }

        /// What it says of a position of these cells.
        fn look(&self, cells: &[i64], turn: Option<usize>) -> View {
            let (before, mut now) = (Looked::default(), Looked::default());
            let mut looker = Looker::new(self, turn, &before, &mut now);
            cells.iter().for_each(|&cell| looker.value(cell));
            looker.view()
        }
    }

    pub(super) fn sample() -> Evaluation {
        let plane = PlaneWeights {
            name: "board".to_owned(),
            cells: 2,
            low: 0,
            high: 2,
            counts: vec![0.0, 1.5, -1.5],
            places: vec![0.0, 0.25, 0.0, 0.0, -0.25, 0.0],
            late_counts: Vec::new(),
            late_places: Vec::new(),
            quiet: true,
            fills: Vec::new(),
            always: Vec::new(),
        };
        Evaluation {
            rules_sha256: "abc".to_owned(),
            turn: 0.5,
            planes: vec![plane],
            ..Evaluation::empty(&GameInfo::EMPTY)
        }
        .prepared()
    }

    #[test]
    fn a_position_is_worth_what_is_there_and_where() {
        let evaluation = sample();
        let logit = |cells: [i64; 2], turn| evaluation.look(&cells, turn).logit;
        assert_eq!(logit([1, 0], Some(0)), 1.5 + 0.25 + 0.5);
        assert_eq!(logit([0, 1], Some(1)), 1.5 - 0.25 - 0.5);
        assert_eq!(logit([2, 1], None), -1.5 + 1.5 - 0.25);
        let material = |cells: [i64; 2]| evaluation.look(&cells, None).material;
        assert_eq!(material([1, 2]), material([2, 1]));
        assert_ne!(material([1, 2]), material([2, 0]));
        // What an observation lacks or has too much does not matter.
        assert_eq!(evaluation.look(&[7], None).logit, -1.5);
        assert_eq!(logit([99, -99], None), logit([2, 0], None));
    }

    #[test]
    fn what_is_always_there_counts_where_it_is_missing_only() {
        let mut evaluation = sample();
        evaluation.planes[0].counts = vec![0.0; 3];
        evaluation.planes[0].places = Vec::new();
        evaluation.planes[0].always = vec![(1, 2.0), (2, -1.0)];
        let evaluation = evaluation.prepared();
        let logit = |cells: [i64; 3]| evaluation.look(&cells, None).logit;
        assert_eq!(logit([1, 1, 0]) + ALWAYS, 2.0 * ALWAYS);
        assert_eq!(evaluation.least_thing(), 0.0);
    }

    #[test]
    fn weights_change_with_what_is_left() {
        let mut evaluation = sample();
        evaluation.turn = 0.0;
        evaluation.whole = 3.0;
        evaluation.planes[0].places = Vec::new();
        evaluation.planes[0].late_counts = vec![0.0, 0.5, -0.5];
        let evaluation = evaluation.prepared();
        let logit = |cells: [i64; 2]| evaluation.look(&cells, None).logit;
        // All is there, half of it, nothing.
        assert_eq!(logit([1, 1]), 2.0 * (1.5 - 0.25));
        assert_eq!(logit([1, 0]), 1.5);
        assert_eq!(logit([1, 2]), 0.0);
        let text = evaluation.to_json().to_string();
        assert_eq!(Evaluation::from_json(&text), Ok(evaluation));
    }
}
