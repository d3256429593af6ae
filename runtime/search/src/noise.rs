//! Noise that makes searches try what they would not.
//!
//! Logarithms, powers and roots come from `libm`, so that all machines draw the same.

use rulec_core::Rng;

/// A point of the symmetric Dirichlet distribution: `count` shares that sum to 1.
///
/// Small `alpha` gives most to few; 1 makes all points equally likely. Out of range it is set to the nearest that makes
/// sense, from 0.001 to 1000.
pub(crate) fn dirichlet(count: usize, alpha: f64, rng: &mut Rng) -> Vec<f64> {
    let alpha = match alpha.is_nan() {
        true => 1.0,
        false => alpha.clamp(0.001, 1000.0),
    };
    let mut shares: Vec<f64> = (0..count).map(|_| gamma(alpha, rng)).collect();
    let sum: f64 = shares.iter().sum();
    // With a very small alpha all shares can be too small for a number.
    match sum > 0.0 {
        true => shares.iter_mut().for_each(|share| *share /= sum),
        false => shares.fill(1.0 / count.max(1) as f64),
    }
    shares
}

/// A number of the gamma distribution with scale 1 (Marsaglia and Tsang, 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        let power = libm::pow(positive(rng), 1.0 / shape);
        return gamma(shape + 1.0, rng) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        if libm::log(positive(rng)) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// A number of the normal distribution (Box and Muller, 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(positive(rng)));
    radius * libm::cos(core::f64::consts::TAU * rng.unit())
}

/// A number above 0 and at most 1.
fn positive(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_small_parameters_favour_few() {
        let mut rng = Rng::new(1, 0);
        let mut largest = [0.0; 2];
        for (largest, alpha) in largest.iter_mut().zip([0.1, 10.0]) {
            for _ in 0..200 {
                let shares = dirichlet(10, alpha, &mut rng);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                *largest += shares.iter().copied().fold(0.0, f64::max) / 200.0;
            }
        }
        assert!(largest[0] > 0.5 && largest[1] < 0.25, "{largest:?}");
        assert_eq!(dirichlet(0, f64::NAN, &mut rng), Vec::<f64>::new());
    }
}
