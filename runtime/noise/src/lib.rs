//! Noise that makes searches try what they would not.
//!
//! Logarithms, powers and roots come from `libm`, so that all machines draw the same.

use rulec_core::Rng;

/// A draw from the symmetric Dirichlet distribution: gamma variates, normed.
pub fn dirichlet(alpha: f64, n: usize, rng: &mut Rng) -> Vec<f64> {
    let mut drawn: Vec<f64> = (0..n).map(|_| gamma(alpha, rng)).collect();
    let sum: f64 = drawn.iter().sum();
    if sum > 0.0 {
        drawn.iter_mut().for_each(|x| *x /= sum);
    }
    drawn
}

/// A gamma variate of scale 1 (Marsaglia and Tsang, "A simple method for generating gamma variables", 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        let scale = libm::pow(1.0 - rng.unit(), 1.0 / shape);
        return gamma(shape + 1.0, rng) * scale;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        let v = v * v * v;
        let u = 1.0 - rng.unit();
        if v > 0.0 && libm::log(u) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// A normal variate (the polar method of Marsaglia).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let s = x * x + y * y;
        if s > 0.0 && s < 1.0 {
            return x * libm::sqrt(-2.0 * libm::log(s) / s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_variates_have_their_mean() {
        for shape in [0.3, 1.0, 4.0] {
            let mut rng = Rng::new(9, 1);
            let sum: f64 = (0..20_000).map(|_| gamma(shape, &mut rng)).sum();
            assert!((sum / 20_000.0 / shape - 1.0).abs() < 0.05, "{shape}");
        }
        let mut rng = Rng::new(9, 2);
        let drawn = dirichlet(0.3, 5, &mut rng);
        assert!((drawn.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    /// Machines must agree, so the numbers themselves are held.
    #[test]
    fn the_draws_are_golden() {
        let mut rng = Rng::new(1, 0);
        let bits: Vec<u64> = (0..2).map(|_| gamma(0.3, &mut rng).to_bits()).collect();
        assert_eq!(bits, GOLDEN);
    }

    const GOLDEN: [u64; 2] = [0x3ff8_1caf_21be_cc8a, 0x3f54_3e74_4a97_57ef];
}
