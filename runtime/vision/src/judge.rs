//! Which of several positions is seen, and whether that is sure: the one place where readings are accepted or not.
//!
//! A position is a look, or nothing, for every place. What is seen comes as [`Evidence`]: from a picture ([`Sight`]), or from
//! anything else that gives odds for places.

use crate::eyes::{Sight, Thing};
use crate::scene::{LookId, Scene};

/// How sure a reading must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caution {
    /// By how much the best must be likelier than every other, as a natural logarithm of odds.
    pub margin: f64,
    /// How much all relevant places together may speak against the best, as a natural logarithm of odds.
    pub against: f64,
    /// At most so many sequences of two moves are looked at; beyond, no sequence is accepted.
    pub sequences: usize,
}

impl Default for Caution {
    fn default() -> Self {
        Self {
            margin: 5.0,
            against: 3.0,
            sequences: 20_000,
        }
    }
}

/// Why a person must be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Two readings are about as likely.
    Close,
    /// No legal move leads to what is seen.
    Strange,
    /// Several moves lead to what is seen, to positions that are not the same.
    Same,
    /// More than one player seems to have moved.
    Several,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Close => "two readings of the table are about as likely",
            Self::Strange => "no legal move leads to what is on the table",
            Self::Same => "several moves lead to what is on the table",
            Self::Several => "more than one player has moved",
        })
    }
}

/// The looks on all places.
pub type Looks = Vec<Option<LookId>>;

/// What is seen, as odds for every place.
pub trait Evidence {
    /// Whether what stands on a place belongs to the position, and can be seen.
    fn counts(&self, place: usize) -> bool;

    /// How likely something, or nothing, stands on a place, as a natural logarithm of odds against nothing.
    fn odds(&self, place: usize, look: Option<LookId>) -> f64;

    /// The odds of the likeliest on a place other than `but`.
    fn other(&self, place: usize, but: Option<LookId>) -> f64;

    /// How many pieces are seen on the board that a position does not account for.
    fn strays(&self, looks: &[Option<LookId>]) -> usize;
}

/// What a picture shows of the places of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The places.
    pub scene: &'a Scene,
    /// What is seen on them.
    pub sight: &'a Sight,
}

impl Evidence for Seen<'_> {
    fn counts(&self, place: usize) -> bool {
        self.scene.places[place].relevant
    }

    fn odds(&self, place: usize, look: Option<LookId>) -> f64 {
        self.sight.odds(place, look)
    }

    fn other(&self, place: usize, but: Option<LookId>) -> f64 {
        self.sight.likeliest(place, Some(but)).1
    }

    fn strays(&self, looks: &[Option<LookId>]) -> usize {
        let counts = |thing: &&Thing| self.counts(thing.place);
        self.sight.strays(looks).iter().filter(counts).count()
    }
}

/// What came of comparing positions with what is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The likeliest position.
    pub best: usize,
    /// The three likeliest that look different, the best first; fewer if there are fewer.
    pub near: Vec<usize>,
    /// By how much the best is likelier than every other, at least.
    pub margin: f64,
    /// How much the places speak against the best, 0 or more.
    pub against: f64,
    /// Why the best must not be taken, if so: [`Question::Strange`] or [`Question::Close`].
    pub question: Option<Question>,
}

/// How much a piece on the board that a position does not account for speaks against it.
const STRAY: f64 = 5.0;
/// What speaks for a position from more places than a single piece stands between.
const MUCH: f64 = 25.0;
/// Places that show something by less than this are told to people.
pub(crate) const DOUBTFUL: f64 = 3.0;

/// Compares positions with what is seen.
#[derive(Debug)]
pub struct Judge<'a, E> {
    evidence: &'a E,
    caution: &'a Caution,
}

impl<'a, E: Evidence> Judge<'a, E> {
    /// Somebody who is as cautious as told.
    pub fn new(evidence: &'a E, caution: &'a Caution) -> Self {
        Self { evidence, caution }
    }

    fn counted(&self, places: usize) -> impl Iterator<Item = usize> {
        (0..places).filter(|place| self.evidence.counts(*place))
    }

    /// How likely a position is, as a natural logarithm of odds against an empty board.
    pub fn score(&self, looks: &[Option<LookId>]) -> f64 {
        self.counted(looks.len())
            .map(|at| self.evidence.odds(at, looks[at]))
            .sum()
    }

    /// Whether two positions show the same where it counts.
    pub fn same(&self, a: &[Option<LookId>], b: &[Option<LookId>]) -> bool {
        self.counted(a.len()).all(|at| a[at] == b[at])
    }

    /// By how much one position is likelier than another: by the place that tells them apart least, because one piece between
    /// two places speaks at both; unless much more speaks for it than one piece could.
    pub fn margin(&self, a: &[Option<LookId>], b: &[Option<LookId>]) -> f64 {
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for at in self.counted(a.len()).filter(|&at| a[at] != b[at]) {
            let by = self.evidence.odds(at, a[at]) - self.evidence.odds(at, b[at]);
            sum += by;
            least = f64::min(least, by);
        }
        if sum >= MUCH { sum } else { least }
    }

    /// How much the places speak against a position, and by how much the one that is surest of another speaks for it: any
    /// other position is less likely by that at least.
    pub fn fit(&self, looks: &[Option<LookId>]) -> (f64, f64) {
        let (mut against, mut margin) = (0.0, f64::INFINITY);
        for at in self.counted(looks.len()) {
            let by = self.evidence.odds(at, looks[at]) - self.evidence.other(at, looks[at]);
            against += (-by).max(0.0);
            margin = f64::min(margin, by);
        }
        against += STRAY * self.evidence.strays(looks) as f64;
        (against, margin)
    }

    /// The places that do not clearly show a position.
    pub fn doubtful(&self, looks: &[Option<LookId>]) -> Vec<usize> {
        let unclear = |at: &usize| {
            let by = self.evidence.odds(*at, looks[*at]) - self.evidence.other(*at, looks[*at]);
            by < DOUBTFUL
        };
        self.counted(looks.len()).filter(unclear).collect()
    }

    /// Which of some positions is seen, given with their scores. Of those that look the same the first counts. Nothing if
    /// there is none.
    pub fn weigh(&self, positions: &[(f64, &[Option<LookId>])]) -> Option<Judgement> {
        let mut best = 0;
        for (number, position) in positions.iter().enumerate() {
            if position.0 > positions[best].0 {
                best = number;
            }
        }
        let looks = positions.get(best)?.1;
        let (against, clear) = self.fit(looks);
        let mut others: Vec<usize> = (0..positions.len())
            .filter(|other| !self.same(looks, positions[*other].1))
            .collect();
        others.sort_by(|&a, &b| positions[b].0.total_cmp(&positions[a].0).then(a.cmp(&b)));
        let margins = others.iter().map(|&o| self.margin(looks, positions[o].1));
        let margin = margins.fold(f64::INFINITY, f64::min).max(clear);
        let question = if against > self.caution.against {
            Some(Question::Strange)
        } else if margin < self.caution.margin {
            Some(Question::Close)
        } else {
            None
        };
        let mut near = vec![best];
        for other in others {
            let new = |known: &usize| !self.same(positions[*known].1, positions[other].1);
            if near.len() < 3 && near.iter().all(new) {
                near.push(other);
            }
        }
        Some(Judgement {
            best,
            near,
            margin,
            against,
            question,
        })
    }
}
