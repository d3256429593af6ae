//! From the visits of a search to the move that is played: temperature and noise.
//!
//! Logarithms, powers and roots come from `libm`, so that all machines draw the same moves.

use std::{fmt, str::FromStr};

use rulec_core::Rng;

use crate::{noise::dirichlet, search::SearchReport};

/// How boldly moves are drawn from the visits of a search, by ply.
///
/// Written as `T` for every ply, or as `T:PLY` steps separated by commas, each good before that ply; after the last one the best move
/// is played. `1:20,0.5:40` draws by the visits before ply 20, by their squares before ply 40.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Temperature {
    /// First ply for which a step is not good any more, and its temperature.
    steps: Vec<(u32, f64)>,
}

impl Temperature {
    /// The temperature at a ply, 0 for the best move.
    pub fn at(&self, ply: u32) -> f64 {
        let step = self.steps.iter().find(|(end, _)| ply < *end);
        step.map_or(0.0, |(_, temperature)| *temperature)
    }
}

impl FromStr for Temperature {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}` is no temperature schedule; write for example 1, 1:30 or 1:20,0.5:40")
        };
        let mut steps: Vec<(u32, f64)> = Vec::new();
        for part in text.split(',') {
            let (temperature, end) = match part.split_once(':') {
                Some((temperature, end)) => (temperature, end.trim().parse().map_err(|_| wrong())?),
                None => (part, u32::MAX),
            };
            let temperature: f64 = temperature.trim().parse().map_err(|_| wrong())?;
            let later = steps.last().is_none_or(|(last, _)| *last < end);
            if !(0.0..=100.0).contains(&temperature) || !later {
                return Err(wrong());
            }
            steps.push((end, temperature));
        }
        Ok(Self { steps })
    }
}

impl fmt::Display for Temperature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (end, temperature)) in self.steps.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{temperature}")?;
            if *end < u32::MAX {
                write!(f, ":{end}")?;
            }
        }
        Ok(())
    }
}

/// Noise that is mixed into the chances of the moves: a share of a Dirichlet distribution, written `SHARE:ALPHA`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// How much of the chances is noise, from 0 to 1.
    pub share: f64,
    /// How even the noise is: far below 1 it favours few moves.
    pub alpha: f64,
}

impl FromStr for Noise {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':');
        let parsed = parts.and_then(|(share, alpha)| {
            let noise = Noise {
                share: share.trim().parse().ok()?,
                alpha: alpha.trim().parse().ok()?,
            };
            let fine = (0.0..=1.0).contains(&noise.share) && (1e-3..=1e3).contains(&noise.alpha);
            fine.then_some(noise)
        });
        parsed.ok_or_else(|| {
            format!("`{text}` is no noise; write the share and alpha, for example 0.25:0.3")
        })
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.share, self.alpha)
    }
}

/// Draws a move from a search by the visits; the best one at temperature 0 without noise.
pub(super) fn draw(
    report: &SearchReport,
    temperature: f64,
    noise: Option<Noise>,
    rng: &mut Rng,
) -> Option<u64> {
    let counted = report.moves.iter().any(|m| m.visits > 0);
    if !counted || temperature <= 0.0 && noise.is_none() {
        return report.best();
    }
    let mut chances = chances(report, temperature);
    if let Some(noise) = noise {
        let drawn = dirichlet(noise.alpha, chances.len(), rng);
        for (chance, drawn) in chances.iter_mut().zip(drawn) {
            *chance = (1.0 - noise.share) * *chance + noise.share * drawn;
        }
    }
    let mut rest = rng.unit() * chances.iter().sum::<f64>();
    let found = report.moves.iter().zip(&chances).find(|(_, chance)| {
        rest -= *chance;
        rest < 0.0
    });
    found.map_or(report.best(), |(mv, _)| Some(mv.code))
}

/// Chances in proportion to `visits^(1/temperature)`, their sum 1.
fn chances(report: &SearchReport, temperature: f64) -> Vec<f64> {
    let most = report.moves.iter().map(|m| m.visits).max().unwrap_or(0);
    let weight = |visits: u64| match temperature > 0.0 {
        true => libm::pow(visits as f64 / most as f64, 1.0 / temperature),
        false => 0.0,
    };
    let mut weights: Vec<f64> = report.moves.iter().map(|m| weight(m.visits)).collect();
    if temperature <= 0.0
        && let Some(best) = weights.first_mut()
    {
        *best = 1.0;
    }
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|w| *w /= sum);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MoveReport;

    fn report(visits: &[u64]) -> SearchReport {
        let moves = visits.iter().zip(0..).map(|(&visits, code)| MoveReport {
            code,
            visits,
            value: 0.5,
            proof: None,
        });
        SearchReport {
            moves: moves.collect(),
            ..SearchReport::default()
        }
    }

    #[test]
    fn schedules_are_read_and_written() {
        let steps: Temperature = "1:20,0.5:40".parse().expect("a schedule");
        let at = [0, 19, 20, 39, 40].map(|ply| steps.at(ply));
        assert_eq!(at, [1.0, 1.0, 0.5, 0.5, 0.0]);
        assert_eq!(steps.to_string(), "1:20,0.5:40");
        let all: Temperature = "0.7".parse().expect("a schedule");
        assert_eq!(
            (all.at(u32::MAX - 1), all.to_string()),
            (0.7, "0.7".to_owned())
        );
        for text in ["", "x", "1:20,1:20", "1,2", "-1", "nan", "1:x"] {
            assert!(text.parse::<Temperature>().is_err(), "{text}");
        }
        let noise: Noise = "0.25:0.3".parse().expect("noise");
        assert_eq!(noise.to_string(), "0.25:0.3");
        for text in ["", "0.3", "2:1", "0.5:0", "x:1"] {
            assert!(text.parse::<Noise>().is_err(), "{text}");
        }
    }

    #[test]
    fn moves_are_drawn_by_their_visits() {
        let report = report(&[60, 30, 10]);
        let mut rng = Rng::new(3, 0);
        let mut hits = [0u32; 3];
        for _ in 0..10_000 {
            let code = draw(&report, 1.0, None, &mut rng).expect("a move");
            hits[code as usize] += 1;
        }
        assert!(
            hits[0].abs_diff(6_000) < 200 && hits[2].abs_diff(1_000) < 150,
            "{hits:?}"
        );
        let cold = chances(&report, 0.5);
        assert!((cold[0] / cold[1] - 4.0).abs() < 1e-9);
        assert_eq!(draw(&report, 0.0, None, &mut rng), Some(0));
    }
}
