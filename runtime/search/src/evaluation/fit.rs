//! Logistic regression on sparse features.

/// A position as numbers, and how its game ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// Features that are not 0, with their values.
    pub(super) counts: Vec<(u32, f64)>,
    /// Features beside these: what stands where, 1 or for the other player -1.
    pub(super) places: Vec<(u32, f64)>,
    /// What the game was worth to the first player, from 0 to 1.
    pub(super) share: f64,
    /// What players thought of that after the position, the later the less, and at last what it was.
    pub(super) hope: f64,
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
    if features > MOST_EXACT {
        let offset = vec![0.0; samples.len()];
        let feature = |sample: &Sample, f: &mut dyn FnMut(u32, f64)| {
            sample.counts.iter().for_each(|&(at, x)| f(at, x));
        };
        return Fit {
            weights: by_gradient(samples, features, ridge, &offset, &feature),
            errors: Vec::new(),
        };
    }
    let known = |sample: &Sample| Known {
        row: sample.counts.clone(),
        offset: 0.0,
        target: sample.share,
    };
    let known: Vec<Known> = samples.iter().map(known).collect();
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
    let features = groups.len();
    let mut numbers = vec![NO_GROUP; features];
    let mut used = 0_u32;
    for (at, _) in samples.iter().flat_map(|sample| &sample.places) {
        let number = &mut numbers[*at as usize];
        if *number == NO_GROUP {
            (*number, used) = (used, used + 1);
        }
    }
    let groups_used = groups.iter().flatten().filter(|group| **group != NO_GROUP);
    let all = used as usize + groups_used.max().map_or(0, |most| *most as usize + 1);
    if all > MOST_PLACES {
        let offset: Vec<f64> = samples.iter().map(|s| known_of(s, counts)).collect();
        let feature = |sample: &Sample, f: &mut dyn FnMut(u32, f64)| {
            sample.places.iter().for_each(|&(at, x)| f(at, x));
        };
        return by_gradient(samples, features, ridge, &offset, &feature);
    }
    let known = |sample: &Sample| {
        let mut row: Vec<(u32, f64)> = Vec::with_capacity(sample.places.len() * (1 + GROUPS));
        for &(at, x) in &sample.places {
            row.push((numbers[at as usize], x));
            let groups = groups[at as usize].iter().filter(|g| **g != NO_GROUP);
            row.extend(groups.map(|group| (used + group, x)));
        }
        Known {
            row: summed(row),
            offset: known_of(sample, counts),
            target: sample.hope,
        }
    };
    let known: Vec<Known> = samples.iter().map(known).collect();
    let (weights, _) = newton(&known, all, ridge);
    let weight = |(at, groups): (usize, &[u32; GROUPS])| match numbers[at] {
        NO_GROUP => 0.0,
        own => {
            let groups = groups.iter().filter(|g| **g != NO_GROUP);
            let shared: f64 = groups.map(|g| weights[(used + g) as usize]).sum();
            weights[own as usize] + shared
        }
    };
    groups.iter().enumerate().map(weight).collect()
}

/// What the counts of a sample come to.
fn known_of(sample: &Sample, counts: &[f64]) -> f64 {
    let parts = sample.counts.iter();
    parts
        .map(|&(at, x)| counts.get(at as usize).unwrap_or(&0.0) * x)
        .sum()
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
        let by_place = sample
            .places
            .iter()
            .map(|&(at, x)| places.get(at as usize).unwrap_or(&0.0) * x);
        let all = known_of(sample, counts) + by_place.sum::<f64>();
        let p = chance(all).clamp(1e-9, 1.0 - 1e-9);
        -(sample.hope * libm::log(p) + (1.0 - sample.hope) * libm::log(1.0 - p))
    };
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

/// Calls a function with each feature of a sample that is not 0.
type Features<'f> = &'f dyn Fn(&Sample, &mut dyn FnMut(u32, f64));

/// Descends along the gradient with steps of each weight's own (AdaGrad: Duchi, Hazan and Singer, 2011).
fn by_gradient(
    samples: &[Sample],
    features: usize,
    ridge: f64,
    offset: &[f64],
    feature: Features<'_>,
) -> Vec<f64> {
    let mut weights = vec![0.0; features];
    let mut squares = vec![1e-8; features];
    let shrink = ridge / samples.len().max(1) as f64;
    for _ in 0..PASSES {
        for (sample, offset) in samples.iter().zip(offset) {
            let mut sum = *offset;
            feature(sample, &mut |at, x| sum += weights[at as usize] * x);
            let error = sample.share - chance(sum);
            feature(sample, &mut |at, x| {
                let at = at as usize;
                let slope = error * x - shrink * weights[at];
                squares[at] += slope * slope;
                weights[at] += 0.05 * slope / f64::sqrt(squares[at]);
            });
        }
    }
    // A weight that hardly any game speaks for is not believed.
    let mut seen = vec![0.0; features];
    for sample in samples {
        feature(sample, &mut |at, x| seen[at as usize] += x * x);
    }
    weights
        .iter()
        .zip(seen)
        .map(|(weight, seen)| weight * seen / (seen + ridge))
        .collect()
}

/// The chance that odds of a logarithm mean.
pub(crate) fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
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
                places: Vec::new(),
                share: f64::from(u8::from(won)),
                hope: f64::from(u8::from(won)),
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

    #[test]
    fn places_of_a_row_share_what_they_have_in_common() {
        // Two rows of ten places, of which those of the first are worth something; the last place of each is never seen.
        let groups: Vec<[u32; GROUPS]> = (0..20).map(|at| [at / 10, NO_GROUP, NO_GROUP]).collect();
        let mut rng = Rng::new(3, 3);
        let sample = |rng: &mut Rng| {
            let row = rng.below64(2) as u32;
            let share = rng.below64(1_000) as f64 / 1_000.0;
            let won = share < chance(if row == 0 { 0.8 } else { -0.8 });
            let won = f64::from(u8::from(won));
            Sample {
                places: vec![(row * 10 + rng.below64(9) as u32, 1.0)],
                share: won,
                hope: won,
                ..Sample::default()
            }
        };
        let samples: Vec<Sample> = (0..40_000).map(|_| sample(&mut rng)).collect();
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
