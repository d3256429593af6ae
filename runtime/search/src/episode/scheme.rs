//! What players earn: points for episodes, and what a series pays beyond them, as parameter sets of trial lists say.

/// What a series pays beyond the points of its episodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Incentive {
    /// Nothing.
    None,
    /// Points for a row of boards that are cleared with few attempts.
    Bonus {
        /// From which episode on, counted from 1, players may ask for it.
        from: u64,
        /// How many boards in a row.
        boards: u64,
        /// The points.
        points: i64,
        /// Attempts for each piece of the board.
        attempts: f64,
    },
    /// Twice and four times the points of the series after so many moves without an error between.
    Doubling {
        /// Moves for twice the points.
        twice: u64,
        /// Moves for four times the points, which end the series.
        four_times: u64,
    },
    /// The same when good moves are so many times as likely as by chance.
    Likelihood {
        /// Ratio for twice the points.
        twice: f64,
        /// Ratio for four times the points, which ends the series.
        four_times: f64,
    },
}

/// How a series of episodes is played and paid.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheme {
    /// Most episodes, without those of a bonus.
    pub boards: u64,
    /// Points that are nearly reached with very many errors, and with none.
    pub points: (f64, f64),
    /// How fast points fall with errors.
    pub steepness: f64,
    /// What asking whether a piece can go costs, in attempts.
    pub pick_cost: f64,
    /// Whether players are not shown which pieces can go.
    pub free: bool,
    /// What is paid beyond.
    pub incentive: Incentive,
    /// Whether the next series goes on with this one, for players.
    pub continues: bool,
}

impl Default for Scheme {
    fn default() -> Self {
        Self {
            boards: u64::MAX,
            points: (0.0, 0.0),
            steepness: 0.0,
            pick_cost: 1.0,
            free: true,
            incentive: Incentive::None,
            continues: false,
        }
    }
}

impl Scheme {
    /// What the parameters of a series say; what they do not say is as by default.
    ///
    /// # Errors
    /// A value that is no number, or more than one incentive, for people.
    pub fn read(parameters: &[(&str, &str)]) -> Result<Scheme, String> {
        let text = |name: &str| {
            let found = parameters.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| value.trim())
        };
        let number = |name: &str| match text(name) {
            None | Some("") => Ok(None),
            Some(text) => match text.parse::<f64>() {
                Ok(n) if n.is_finite() => Ok(Some(n)),
                _ => Err(format!("`{text}` as {name} is no number")),
            },
        };
        let count = |name: &str| Ok::<_, String>(number(name)?.map(|n| n.max(0.0) as u64));
        let yes = |name: &str| text(name).is_some_and(|text| text.eq_ignore_ascii_case("true"));
        let plain = Scheme::default();
        let mut incentives = Vec::new();
        if let Some(boards) = count("clear_how_many")? {
            incentives.push(Incentive::Bonus {
                from: count("activate_bonus_at")?.unwrap_or(1),
                boards,
                points: number("bonus_extra_pts")?.unwrap_or(0.0) as i64,
                attempts: number("clearing_threshold")?.unwrap_or(1.0),
            });
        }
        if let (Some(twice), Some(four_times)) = (count("x2_after")?, count("x4_after")?) {
            incentives.push(Incentive::Doubling { twice, four_times });
        }
        if let (Some(twice), Some(four_times)) =
            (number("x2_likelihood")?, number("x4_likelihood")?)
        {
            incentives.push(Incentive::Likelihood { twice, four_times });
        }
        if incentives.len() > 1 {
            return Err("the parameters name several incentives; one of bonus, doubling and likelihood can be in force".to_owned());
        }
        Ok(Scheme {
            boards: count("max_boards")?.unwrap_or(plain.boards),
            points: (
                number("min_points")?.unwrap_or(0.0),
                number("max_points")?.unwrap_or(0.0),
            ),
            steepness: number("b")?.unwrap_or(plain.steepness),
            pick_cost: number("free_wrong_cost")?.unwrap_or(plain.pick_cost),
            free: !text("feedback_switches").is_some_and(|text| text.eq_ignore_ascii_case("fixed")),
            incentive: incentives.pop().unwrap_or(Incentive::None),
            continues: yes("continue"),
        })
    }

    /// The points of an episode with so many errors, unrounded (the formula of Kantor and Lupyan).
    pub fn points(&self, errors: f64) -> f64 {
        let (least, most) = self.points;
        least + (most - least) / (1.0 + (self.steepness * (errors - 2.0)).exp())
    }

    /// Whether attempts cost whole numbers.
    pub fn is_whole(&self) -> bool {
        !self.free || self.pick_cost.fract() == 0.0
    }
}

/// Rounds halves up, as the original does.
pub(super) fn rounded(points: f64) -> i64 {
    (points + 0.5).floor() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fall_with_errors() {
        let set = [("min_points", "2"), ("max_points", "10"), ("b", "1.5")];
        let scheme = Scheme::read(&set).expect("numbers");
        let paid = |errors: f64| rounded(scheme.points(errors));
        assert_eq!(
            [0.0, 1.0, 2.0, 3.0, 4.0, 100.0].map(paid),
            [10, 9, 6, 3, 2, 2]
        );
    }

    #[test]
    fn incentives_exclude_each_other() {
        let both = [
            ("clear_how_many", "2"),
            ("x2_after", "5"),
            ("x4_after", "10"),
        ];
        assert!(Scheme::read(&both).is_err());
        let one = Scheme::read(&both[1..]).expect("numbers");
        let expected = Incentive::Doubling {
            twice: 5,
            four_times: 10,
        };
        assert_eq!(one.incentive, expected);
        assert!(Scheme::read(&[("b", "steep")]).is_err());
    }
}
