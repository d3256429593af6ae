//! Intervals, ratings and tests. Logarithms and roots come from `libm`, so that all machines tell the same numbers.

use serde_json::{Value, json};

/// The 0.975 quantile of the normal distribution: half the width of a 95 % interval in deviations.
pub const Z95: f64 = 1.959_964;

/// The 0.975 quantile of the t distribution, for at least one degree of freedom.
pub fn t95(freedom: u64) -> f64 {
    const FEW: [f64; 10] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004,
        2.262_157, 2.228_139,
    ];
    let index = freedom.max(1) - 1;
    if let Some(known) = FEW.get(usize::try_from(index).unwrap_or(usize::MAX)) {
        return *known;
    }
    // The expansion in powers of one over the degrees of freedom (Abramowitz and Stegun, 26.7.5).
    let (z, n) = (Z95, freedom as f64);
    let first = (libm::pow(z, 3.0) + z) / 4.0;
    let second = (5.0 * libm::pow(z, 5.0) + 16.0 * libm::pow(z, 3.0) + 3.0 * z) / 96.0;
    let third = (3.0 * libm::pow(z, 7.0) + 19.0 * libm::pow(z, 5.0) + 17.0 * libm::pow(z, 3.0)
        - 15.0 * z)
        / 384.0;
    z + first / n + second / (n * n) + third / (n * n * n)
}

/// The chance that a number of the standard normal distribution is greater than `z`.
pub fn normal_tail(z: f64) -> f64 {
    libm::erfc(z / std::f64::consts::SQRT_2) / 2.0
}

/// Bounds of a share of so many trials, with 95 % confidence (Wilson, "Probable inference", 1927).
pub fn share_interval(hits: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (trials as f64, Z95);
    let p = hits as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let width = z * libm::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
    let scale = 1.0 + z * z / n;
    (
        ((middle - width) / scale).max(0.0),
        ((middle + width) / scale).min(1.0),
    )
}

/// A share with its 95 % interval as JSON: `count`, `rate`, `low`, `high`.
pub fn share_json(hits: u64, trials: u64) -> Value {
    let (low, high) = share_interval(hits, trials);
    json!({ "count": hits, "rate": hits as f64 / trials.max(1) as f64, "low": low, "high": high })
}

/// Sums of numbers, for their mean and its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// How many.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, x: f64) {
        self.add_many(x, 1);
    }

    /// Adds a number so many times.
    pub fn add_many(&mut self, x: f64, times: u64) {
        self.count += times;
        self.sum += x * times as f64;
        self.squares += x * x * times as f64;
    }

    /// The mean, 0 of nothing.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The variance of the numbers.
    pub fn variance(&self) -> f64 {
        (self.squares / self.count.max(1) as f64 - self.mean() * self.mean()).max(0.0)
    }

    /// Half of the 95 % interval of the mean.
    pub fn margin(&self) -> f64 {
        Z95 * libm::sqrt(self.variance() / self.count.max(1) as f64)
    }

    /// Half of the 95 % interval of the mean for few numbers, by the t distribution (Student, "The probable error of a mean",
    /// 1908); nothing can be said of a single one.
    pub fn small_margin(&self) -> Option<f64> {
        let freedom = self.count.checked_sub(1).filter(|n| *n > 0)?;
        let spread = self.variance() / freedom as f64;
        Some(t95(freedom) * libm::sqrt(spread))
    }

    /// `mean`, `low`, `high` and `count` as JSON.
    pub fn json(&self) -> Value {
        let (mean, margin) = (self.mean(), self.margin());
        json!({ "mean": mean, "low": mean - margin, "high": mean + margin, "count": self.count })
    }
}

/// The difference of ratings (Elo) that a mean score from 0 to 1 stands for.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-9, 1.0 - 1e-9);
    -400.0 * libm::log10(1.0 / score - 1.0)
}

/// The mean score that a difference of ratings stands for.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// A sequential test of two differences of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The lower difference.
    pub elo0: f64,
    /// The higher difference.
    pub elo1: f64,
    /// Chance of accepting the higher one where the lower one is true.
    pub alpha: f64,
    /// Chance of accepting the lower one where the higher one is true.
    pub beta: f64,
}

/// What a sequential test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lower difference.
    Lower,
    /// The higher difference.
    Higher,
    /// Nothing yet.
    Open,
}

impl Sprt {
    /// The bounds of the logarithm of the likelihood ratio (Wald, "Sequential tests of statistical hypotheses", 1945).
    pub fn bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }

    /// The logarithm of the likelihood ratio after scores from 0 to 1, each the mean of the games of a pair, as a normal
    /// approximation: `n (s1 - s0) (2 m - s0 - s1) / (2 v)`.
    ///
    /// The variance is that of the scores with one more score of 1/2 at each end, so that equal scores do not make it 0.
    pub fn ratio(&self, scores: &Mean) -> f64 {
        if scores.count == 0 {
            return 0.0;
        }
        let mut spread = *scores;
        spread.add(0.0);
        spread.add(1.0);
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        let n = scores.count as f64;
        n * (s1 - s0) * (2.0 * scores.mean() - s0 - s1) / (2.0 * spread.variance())
    }

    /// What the test says after these scores.
    pub fn verdict(&self, scores: &Mean) -> Verdict {
        let (low, high) = self.bounds();
        match self.ratio(scores) {
            ratio if ratio <= low => Verdict::Lower,
            ratio if ratio >= high => Verdict::Higher,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_share_and_shrink() {
        let (low, high) = share_interval(50, 100);
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3);
        let (low, high) = share_interval(0, 10);
        assert!(low == 0.0 && high > 0.2);
        let (low, high) = share_interval(5_000, 10_000);
        assert!(high - low < 0.02);
    }

    #[test]
    fn means_have_margins() {
        let mut mean = Mean::default();
        [1.0, 2.0, 3.0, 4.0].into_iter().for_each(|x| mean.add(x));
        assert_eq!((mean.mean(), mean.variance()), (2.5, 1.25));
        assert!((mean.margin() - Z95 * 0.559_017).abs() < 1e-5);
        assert_eq!(Mean::default().mean(), 0.0);
    }

    #[test]
    fn few_numbers_have_wide_intervals() {
        // Tables of the t distribution.
        for (freedom, quantile) in [
            (1, 12.706),
            (5, 2.571),
            (10, 2.228),
            (11, 2.201),
            (20, 2.086),
            (60, 2.000),
            (1_000, 1.962),
        ] {
            assert!(
                (t95(freedom) - quantile).abs() < 6e-4,
                "{freedom}: {}",
                t95(freedom)
            );
        }
        let mut mean = Mean::default();
        mean.add(0.5);
        assert_eq!(mean.small_margin(), None);
        [1.0, 0.75].into_iter().for_each(|x| mean.add(x));
        // Three numbers with a deviation of 1/4 by two degrees of freedom.
        let margin = 4.302_653 * 0.25 / libm::sqrt(3.0);
        assert!((mean.small_margin().expect("three numbers") - margin).abs() < 1e-6);
    }

    #[test]
    fn ratings_and_scores_are_inverse() {
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((elo_of_score(score_of_elo(-37.0)) + 37.0).abs() < 1e-9);
        assert!(elo_of_score(1.0).is_finite());
    }

    #[test]
    fn a_sequential_test_comes_to_an_end() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (low, high) = test.bounds();
        assert!((high - 2.944_439).abs() < 1e-5 && (low + high).abs() < 1e-9);
        let mut even = Mean::default();
        let mut better = Mean::default();
        assert_eq!(test.verdict(&even), Verdict::Open);
        for _ in 0..400 {
            [0.0, 0.5, 0.5, 1.0].into_iter().for_each(|x| even.add(x));
            [0.5, 0.5, 0.5, 1.0].into_iter().for_each(|x| better.add(x));
        }
        assert_eq!(test.verdict(&even), Verdict::Lower);
        assert_eq!(test.verdict(&better), Verdict::Higher);
        // Equal scores say something, but not everything at once.
        let mut one = Mean::default();
        one.add(1.0);
        assert_eq!(test.verdict(&one), Verdict::Open);
    }
    #[test]
    fn each_bound_of_a_sequential_test_has_its_own_error() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.01,
            beta: 0.2,
        };
        let (low, high) = test.bounds();
        assert!((low - libm::log(0.2 / 0.99)).abs() < 1e-12);
        assert!((high - libm::log(0.8 / 0.01)).abs() < 1e-12);
    }
}
