//! Which of the possible positions a reading shows.
//!
//! A position is a look, or nothing, for every place. Positions that look the same are one. The best is accepted only if it
//! fits better than every other by a margin, and no place says loudly that it is something else.

use rulec_vision::LookId;

use crate::Reading;

/// The looks of all places.
pub(crate) type Looks = Vec<Option<LookId>>;

/// How much better the best position must fit than the second, in units of log-likelihood.
const MARGIN: f64 = 3.0;
/// How much less than the best a place may fit what it should hold.
const TOLERANCE: f64 = 2.0;

/// What a reading shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// This one of the positions.
    Is(usize),
    /// One of these, the best first, at most three, with the places that disagree with the best.
    Unsure(Vec<usize>, Vec<usize>),
    /// Every place is clear, and together they are none of the positions; the nearest ones, the best first.
    Other(Vec<usize>),
}

fn class(look: Option<LookId>) -> usize {
    look.map_or(0, |look| usize::from(look) + 1)
}

/// Places that say loudly that they hold something else.
fn disagreeing(reading: &Reading, looks: &Looks) -> Vec<usize> {
    let differs = |place: &usize| {
        let fit = &reading.fit[*place];
        let best = fit.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = fit.get(class(looks[*place])).copied();
        !fit.is_empty() && own.is_none_or(|own| own < best - TOLERANCE)
    };
    (0..looks.len().min(reading.fit.len()))
        .filter(differs)
        .collect()
}

fn fit(reading: &Reading, looks: &Looks) -> f64 {
    let places = reading
        .fit
        .iter()
        .zip(looks)
        .filter(|(fit, _)| !fit.is_empty());
    let own = places.map(|(fit, look)| fit.get(class(*look)).copied().unwrap_or(-1e9));
    own.sum()
}

/// Finds the position that a reading shows. Positions that the eye cannot tell apart count as the first of them.
pub fn decode(reading: &Reading, positions: &[Looks]) -> Verdict {
    let visible = |at: usize| reading.fit.get(at).is_some_and(|fit| !fit.is_empty());
    let same = |a: &Looks, b: &Looks| {
        let mut pairs = a.iter().zip(b).enumerate();
        pairs.all(|(at, (a, b))| a == b || !visible(at))
    };
    let mut order: Vec<(f64, usize)> = Vec::new();
    for (number, looks) in positions.iter().enumerate() {
        if !order
            .iter()
            .any(|(_, known)| same(&positions[*known], looks))
        {
            order.push((fit(reading, looks), number));
        }
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let nearest: Vec<usize> = order.iter().take(3).map(|(_, number)| *number).collect();
    let Some(&(best, number)) = order.first() else {
        return Verdict::Other(nearest);
    };
    let wrong = disagreeing(reading, &positions[number]);
    let clear = order
        .get(1)
        .is_none_or(|(second, _)| best - second >= MARGIN);
    let all_clear = (0..reading.fit.len())
        .all(|at| reading.best(at).is_none_or(|(_, margin)| margin >= MARGIN));
    match (wrong.is_empty() && clear && reading.strays == 0, all_clear) {
        (true, _) => Verdict::Is(number),
        (false, true) => Verdict::Other(nearest),
        (false, false) => Verdict::Unsure(nearest, wrong),
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
            Verdict::Unsure(vec![0, 1], vec![])
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
