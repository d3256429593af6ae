//! Logistic regression on sparse features.

use std::collections::BTreeMap;

use super::chance;

/// A position as numbers, and how its game ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// Features that are not 0, with their values.
    pub(super) counts: Vec<(u32, f64)>,
    /// Features beside these: what stands where, 1 or for the other player -1.
    pub(super) places: Vec<(u32, f64)>,
    /// By how many moves the first player has more to choose from.
    pub(super) mobility: f64,
    /// What the game was worth to the first player, from 0 to 1.
    pub(super) share: f64,
    /// What players thought of that after the position, the later the less, and at last what it was.
    pub(super) hope: f64,
    /// Who was on turn.
    pub(super) turn: Option<usize>,
    /// The share and the hope of the other players in order, where more than two play.
    pub(super) others: Vec<(f64, f64)>,
    /// What is known of the logarithm of the odds beside its features.
    pub(super) known: f64,
}

/// Weights with their standard errors.
#[derive(Clone, Debug, Default)]
pub(super) struct Fit {
    pub(super) weights: Vec<f64>,
    /// Empty where there are too many weights to tell.
    pub(super) errors: Vec<f64>,
}

/// Weights whose errors are worked out at most: the time grows with the third power.
const MOST_EXACT: usize = 320;
/// Weights of places and their groups that are found exactly at most.
const MOST_PLACES: usize = 1_500;
/// Steps of Newton's method; it takes about six.
const STEPS: usize = 25;
/// Passes over the samples without Newton's method.
const PASSES: usize = 30;

/// Fits weights of the counts with a penalty of `ridge / 2` for the square of each (Newton's method on the penalised likelihood).
pub(super) fn counts(samples: &[Sample], features: usize, ridge: f64) -> Fit {
    let known = |sample: &Sample| Known {
        row: sample.counts.clone(),
        offset: 0.0,
        target: sample.share,
    };
    let known: Vec<Known> = samples.iter().map(known).collect();
    if features > MOST_EXACT {
        return Fit {
            weights: by_gradient(&known, features, ridge),
            errors: Vec::new(),
        };
    }
    let (weights, hessian) = newton(&known, features, ridge);
    let spread = dispersion(samples, &weights).sqrt();
    let errors = (0..features).map(|at| {
        let unit: Vec<f64> = (0..features)
            .map(|i| f64::from(u8::from(i == at)))
            .collect();
        spread * solved(&hessian, &unit)[at].max(0.0).sqrt()
    });
    Fit {
        errors: errors.collect(),
        weights,
    }
}

/// Features that are not 0, in order, what is known of the logarithm of the odds beside them, and what came of it.
struct Known {
    row: Vec<(u32, f64)>,
    offset: f64,
    target: f64,
}

/// Weights that fit best with a penalty of `ridge / 2` for the square of each, and the curvature there, of which the lower half is filled in.
fn newton(samples: &[Known], features: usize, ridge: f64) -> (Vec<f64>, Vec<f64>) {
    let mut weights = vec![0.0; features];
    let mut hessian = vec![0.0; features * features];
    for _ in 0..STEPS {
        hessian.fill(0.0);
        let mut gradient: Vec<f64> = weights.iter().map(|w| -ridge * w).collect();
        for sample in samples {
            let parts = sample.row.iter().map(|&(at, x)| weights[at as usize] * x);
            let p = chance(sample.offset + parts.sum::<f64>());
            let spread = (p * (1.0 - p)).max(1e-6);
            for (number, &(at, x)) in sample.row.iter().enumerate() {
                gradient[at as usize] += (sample.target - p) * x;
                let line = &mut hessian[at as usize * features..][..=at as usize];
                for &(other, y) in &sample.row[..=number] {
                    line[other as usize] += spread * x * y;
                }
            }
        }
        (0..features).for_each(|at| hessian[at * features + at] += ridge);
        let step = solved(&hessian, &gradient);
        let far = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        // Long steps overshoot.
        let scale = if far > 2.0 { 2.0 / far } else { 1.0 };
        weights
            .iter_mut()
            .zip(&step)
            .for_each(|(w, s)| *w += scale * s);
        if far < 1e-6 {
            break;
        }
    }
    (weights, hessian)
}

/// How far results lie from what is expected, against the same for games that nobody draws (Pearson's estimate; McCullagh and
/// Nelder, 1989): many draws say more than wins and losses.
fn dispersion(samples: &[Sample], weights: &[f64]) -> f64 {
    let mut sums = (0.0, 0.0);
    for sample in samples {
        let parts = sample.counts.iter();
        let p = chance(parts.map(|&(at, x)| weights[at as usize] * x).sum());
        sums.0 += (sample.share - p).powi(2);
        sums.1 += p * (1.0 - p);
    }
    if sums.1 > 0.0 { sums.0 / sums.1 } else { 1.0 }
}

/// Groups that places may be in: their row, their column and their distance from the middle.
pub(super) const GROUPS: usize = 3;
/// The number of a group that is none.
pub(super) const NO_GROUP: u32 = u32::MAX;

/// Fits weights of places beside known weights of counts. What places of a group have in common is found once for all of them, so little
/// is believed of a single place.
pub(super) fn places(
    samples: &[Sample],
    groups: &[[u32; GROUPS]],
    ridge: f64,
    counts: &[f64],
) -> Vec<f64> {
    let met = Met::of(samples, groups);
    let known = |sample: &Sample| Known {
        row: met.row(sample),
        offset: known_of(sample, counts),
        target: sample.hope,
    };
    let known: Vec<Known> = samples.iter().map(known).collect();
    let weights = match met.number > MOST_PLACES {
        true => by_gradient(&known, met.number, ridge),
        false => newton(&known, met.number, ridge).0,
    };
    let weight = |features: &Vec<u32>| features.iter().map(|at| weights[*at as usize]).sum();
    met.features.iter().map(weight).collect()
}

/// Places that samples meet and their groups, which are numbered as they are met.
struct Met {
    /// For each place its own number and those of its groups; none for a place that is never met.
    features: Vec<Vec<u32>>,
    /// How many numbers there are.
    number: usize,
}

impl Met {
    fn of(samples: &[Sample], groups: &[[u32; GROUPS]]) -> Met {
        let mut features = vec![Vec::new(); groups.len()];
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut next = 0;
        let mut new = || {
            next += 1;
            next - 1
        };
        for (at, _) in samples.iter().flat_map(|sample| &sample.places) {
            let own: &mut Vec<u32> = &mut features[*at as usize];
            if own.is_empty() {
                own.push(new());
                let groups = groups[*at as usize].iter().filter(|g| **g != NO_GROUP);
                own.extend(groups.map(|group| *numbers.entry(*group).or_insert_with(&mut new)));
            }
        }
        Met {
            features,
            number: next as usize,
        }
    }

    /// The places of a sample and their groups.
    fn row(&self, sample: &Sample) -> Vec<(u32, f64)> {
        let features = |&(at, x): &(u32, f64)| {
            let own = &self.features[at as usize];
            own.iter().map(move |feature| (*feature, x))
        };
        summed(sample.places.iter().flat_map(features).collect())
    }
}

/// What is known of a sample, and what its counts come to.
fn known_of(sample: &Sample, counts: &[f64]) -> f64 {
    let parts = sample.counts.iter();
    let parts = parts.map(|&(at, x)| counts.get(at as usize).unwrap_or(&0.0) * x);
    sample.known + parts.sum::<f64>()
}

/// The logarithm of the odds that weights give to a sample.
pub(super) fn logit(sample: &Sample, counts: &[f64], places: &[f64]) -> f64 {
    let by_place = sample
        .places
        .iter()
        .map(|&(at, x)| places.get(at as usize).unwrap_or(&0.0) * x);
    known_of(sample, counts) + by_place.sum::<f64>()
}

/// Features in order, each once.
pub(super) fn summed(mut row: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    row.sort_unstable_by_key(|(at, _)| *at);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0.0 };
        same
    });
    row.retain(|(_, x)| *x != 0.0);
    row
}

/// The mean of minus the logarithms of the chances that weights gave to what came.
pub(super) fn loss(samples: &[Sample], counts: &[f64], places: &[f64]) -> f64 {
    let of = |sample: &Sample| {
        let p = chance(logit(sample, counts, places)).clamp(1e-9, 1.0 - 1e-9);
        -(sample.hope * libm::log(p) + (1.0 - sample.hope) * libm::log(1.0 - p))
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

/// Descends along the gradient with steps of each weight's own (AdaGrad: Duchi, Hazan and Singer, 2011).
fn by_gradient(samples: &[Known], features: usize, ridge: f64) -> Vec<f64> {
    let mut weights = vec![0.0; features];
    let mut squares = vec![1e-8; features];
    let shrink = ridge / samples.len().max(1) as f64;
    for _ in 0..PASSES {
        for sample in samples {
            let parts = sample.row.iter().map(|&(at, x)| weights[at as usize] * x);
            let error = sample.target - chance(sample.offset + parts.sum::<f64>());
            for &(at, x) in &sample.row {
                let at = at as usize;
                let slope = error * x - shrink * weights[at];
                squares[at] += slope * slope;
                weights[at] += 0.05 * slope / f64::sqrt(squares[at]);
            }
        }
    }
    // A weight that hardly any game speaks for is not believed.
    let mut seen = vec![0.0; features];
    for (at, x) in samples.iter().flat_map(|sample| &sample.row) {
        seen[*at as usize] += x * x;
    }
    weights
        .iter()
        .zip(seen)
        .map(|(weight, seen)| weight * seen / (seen + ridge))
        .collect()
}

/// Solves `matrix * x = right` for a symmetric positive definite matrix, by Cholesky's decomposition.
fn solved(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut lower = matrix.to_vec();
    for row in 0..n {
        for column in 0..=row {
            let (a, b) = (
                &lower[row * n..row * n + column],
                &lower[column * n..column * n + column],
            );
            let known: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            let rest = lower[row * n + column] - known;
            lower[row * n + column] = match row == column {
                true => rest.max(1e-12).sqrt(),
                false => rest / lower[column * n + column],
            };
        }
    }
    let mut x = right.to_vec();
    for row in 0..n {
        let known: f64 = (0..row).map(|i| lower[row * n + i] * x[i]).sum();
        x[row] = (x[row] - known) / lower[row * n + row];
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|i| lower[i * n + row] * x[i]).sum();
        x[row] = (x[row] - known) / lower[row * n + row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulec_core::Rng;

    /// Samples of a model with known weights.
    fn drawn(weights: &[f64], number: usize) -> Vec<Sample> {
        let mut rng = Rng::new(7, 7);
        let sample = |rng: &mut Rng| {
            let counts: Vec<(u32, f64)> = (0..weights.len() as u32)
                .map(|at| (at, rng.below64(5) as f64 - 2.0))
                .collect();
            let sum: f64 = counts.iter().map(|&(at, x)| weights[at as usize] * x).sum();
            let won = (rng.below64(1 << 30) as f64) < chance(sum) * f64::from(1 << 30);
            Sample {
                counts,
                share: f64::from(u8::from(won)),
                hope: f64::from(u8::from(won)),
                ..Sample::default()
            }
        };
        (0..number).map(|_| sample(&mut rng)).collect()
    }

    #[test]
    fn known_weights_are_found_within_their_errors() {
        let known = [0.3, -0.9, 0.0, 1.2];
        let fit = counts(&drawn(&known, 20_000), known.len(), 1.0);
        for ((weight, error), known) in fit.weights.iter().zip(&fit.errors).zip(known) {
            assert!(*error > 0.0 && *error < 0.05, "{error}");
            assert!(
                (weight - known).abs() < 4.0 * error,
                "{weight} {known} {error}"
            );
        }
    }

    /// Positions in which one thing stands in one of some rows of places, of which those of the first half are worth something; the last
    /// place of each row is never seen. What is hoped says so, and how games end says the contrary.
    fn rows(rows: u64, places: u64, number: usize) -> Vec<Sample> {
        let mut rng = Rng::new(3, 3);
        let sample = |rng: &mut Rng| {
            let row = rng.below64(rows);
            let worth = if row < rows / 2 { 0.8 } else { -0.8 };
            let hoped = (rng.below64(1_000) as f64 / 1_000.0) < chance(worth);
            Sample {
                places: vec![((row * places + rng.below64(places - 1)) as u32, 1.0)],
                share: f64::from(u8::from(!hoped)),
                hope: f64::from(u8::from(hoped)),
                ..Sample::default()
            }
        };
        (0..number).map(|_| sample(&mut rng)).collect()
    }

    #[test]
    fn places_of_a_row_share_what_they_have_in_common() {
        let groups: Vec<[u32; GROUPS]> = (0..20).map(|at| [at / 10, NO_GROUP, NO_GROUP]).collect();
        let samples = rows(2, 10, 40_000);
        let found = places(&samples, &groups, 10.0, &[]);
        for (at, weight) in found.iter().enumerate() {
            let expected = match at {
                9 | 19 => 0.0,
                0..9 => 0.8,
                _ => -0.8,
            };
            assert!((weight - expected).abs() < 0.25, "{at}: {weight}");
        }
        assert!(loss(&samples, &[], &found) < loss(&samples, &[], &[]));
        // Groups that no sample is in change nothing, whatever their numbers.
        let named = |group: u32| match group {
            NO_GROUP => NO_GROUP,
            group => group * 1_000_000,
        };
        let mut far: Vec<[u32; GROUPS]> = groups.iter().map(|groups| groups.map(named)).collect();
        far[9] = [5, 6, 7];
        assert_eq!(places(&samples, &far, 10.0, &[]), found);
    }

    #[test]
    fn more_places_than_are_found_exactly_are_of_the_same_model() {
        let (count, long) = (10, MOST_PLACES / 9);
        let groups: Vec<[u32; GROUPS]> = (0..count * long)
            .map(|at| [(at / long) as u32, NO_GROUP, NO_GROUP])
            .collect();
        let samples = rows(count as u64, long as u64, 20_000);
        assert!(Met::of(&samples, &groups).number > MOST_PLACES);
        let found = places(&samples, &groups, 100.0, &[]);
        for (at, weight) in found.iter().enumerate() {
            let expected = match () {
                () if at % long == long - 1 => 0.0,
                () if at < count * long / 2 => 0.8,
                () => -0.8,
            };
            assert!((weight - expected).abs() < 0.4, "{at}: {weight}");
        }
        assert!(loss(&samples, &[], &found) < loss(&samples, &[], &[]));
    }

    #[test]
    fn many_weights_are_found_without_their_errors() {
        let known: Vec<f64> = (0..MOST_EXACT + 1)
            .map(|at| if at == 3 { 1.0 } else { 0.0 })
            .collect();
        let fit = counts(&drawn(&known, 2_000), known.len(), 1.0);
        assert!(fit.errors.is_empty());
        let others = fit.weights.iter().enumerate().filter(|(at, _)| *at != 3);
        let most = others.fold(0.0_f64, |most, (_, w)| most.max(w.abs()));
        assert!(fit.weights[3] > most, "{} {most}", fit.weights[3]);
    }
}
