//! Which of the possible positions a reading shows, as [`rulec_vision::judge`] decides it.

use rulec_vision::{Caution, Evidence, Judge, LookId, Looks};

use crate::Reading;

/// How much likelier the likeliest on each place must be before what is seen counts as clear, as a natural logarithm.
const CLEAR: f64 = 3.0;

/// What a reading shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// This one of the positions.
    Is(usize),
    /// One of these, the best first, at most three, with the places that do not clearly show the best.
    Unsure(Vec<usize>, Vec<usize>),
    /// Every place is clear, and together they are none of the positions; the nearest ones, the best first.
    Other(Vec<usize>),
}

fn class(look: Option<LookId>) -> usize {
    look.map_or(0, |look| usize::from(look) + 1)
}

impl Evidence for Reading {
    fn counts(&self, place: usize) -> bool {
        self.fit.get(place).is_some_and(|fit| !fit.is_empty())
    }

    fn odds(&self, place: usize, look: Option<LookId>) -> f64 {
        let fit = &self.fit[place];
        let own = fit.get(class(look)).copied();
        own.unwrap_or(f64::NEG_INFINITY) - fit[0]
    }

    fn other(&self, place: usize, but: Option<LookId>) -> f64 {
        let fit = self.fit[place].iter().enumerate();
        let others = fit.filter(|(other, _)| *other != class(but));
        let best = others
            .map(|(_, fit)| *fit)
            .fold(f64::NEG_INFINITY, f64::max);
        best - self.fit[place][0]
    }

    fn strays(&self, _: &[Option<LookId>]) -> usize {
        self.strays as usize
    }
}

/// Finds the position that a reading shows. Positions that the eye cannot tell apart count as the first of them.
pub fn decode(reading: &Reading, positions: &[Looks]) -> Verdict {
    let caution = Caution::default();
    let judge = Judge::new(reading, &caution);
    let scored = positions
        .iter()
        .map(|looks| (judge.score(looks), &looks[..]));
    let scored: Vec<(f64, &[Option<LookId>])> = scored.collect();
    let Some(judgement) = judge.weigh(&scored) else {
        return Verdict::Other(Vec::new());
    };
    let clear = |at| reading.best(at).is_none_or(|(_, margin)| margin >= CLEAR);
    match judgement.question {
        None => Verdict::Is(judgement.best),
        Some(_) if (0..reading.fit.len()).all(clear) => Verdict::Other(judgement.near),
        Some(_) => {
            let places = judge.doubtful(&positions[judgement.best]);
            Verdict::Unsure(judgement.near, places)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reading of two looks: what each place shows, and how sure that is.
    fn reading(places: &[(usize, f64)]) -> Reading {
        let row = |&(shown, sure): &(usize, f64)| {
            (0..3)
                .map(|class| if class == shown { 0.0 } else { -sure })
                .collect()
        };
        Reading {
            fit: places.iter().map(row).collect(),
            off_centre: Vec::new(),
            strays: 0,
        }
    }

    #[test]
    fn only_what_fits_clearly_is_accepted() {
        let positions = vec![vec![Some(0), None, Some(1)], vec![None, Some(0), Some(1)]];
        let sure = |shown: [usize; 3]| reading(&shown.map(|class| (class, 6.0)));
        assert_eq!(decode(&sure([1, 0, 2]), &positions), Verdict::Is(0));
        assert_eq!(decode(&sure([0, 1, 2]), &positions), Verdict::Is(1));
        assert_eq!(
            decode(&sure([0, 0, 2]), &positions),
            Verdict::Other(vec![0, 1])
        );
        let blurred = reading(&[(1, 0.5), (0, 0.5), (2, 6.0)]);
        assert_eq!(
            decode(&blurred, &positions),
            Verdict::Unsure(vec![0, 1], vec![0, 1])
        );
        let hidden = reading(&[(1, 6.0), (0, 6.0), (0, 1.0)]);
        assert_eq!(decode(&hidden, &positions), Verdict::Is(0));
        assert_eq!(decode(&sure([1, 0, 2]), &[]), Verdict::Other(vec![]));
        let stray = Reading {
            strays: 1,
            ..sure([1, 0, 2])
        };
        assert_eq!(decode(&stray, &positions), Verdict::Other(vec![0, 1]));
    }

    #[test]
    fn places_out_of_sight_do_not_count() {
        let mut seen = reading(&[(1, 6.0), (0, 6.0)]);
        seen.fit[1] = Vec::new();
        let positions = vec![vec![Some(0), None], vec![Some(0), Some(1)]];
        assert_eq!(decode(&seen, &positions), Verdict::Is(0));
    }
}
