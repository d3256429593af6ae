//! What ends a game beside its rules: somebody gives up or runs out of time, or both agree to a draw.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::problem::Problem;

/// The most time that a clock may give.
const MOST: Duration = Duration::from_secs(24 * 60 * 60);

/// How a game ended beside its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Resigned,
    Time,
    Agreed,
}

/// The end of a game that the rules do not know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Who lost by it, from 0; who offered the draw where both agreed.
    pub(crate) player: usize,
    pub(crate) why: Why,
}

impl Ended {
    pub(crate) fn json(self, names: &[&str]) -> Value {
        let why = match self.why {
            Why::Resigned => "resigned",
            Why::Time => "time",
            Why::Agreed => "agreed",
        };
        json!({ "player": self.player + 1, "why": why, "winner": self.winner(names.len()).map(|w| w + 1), "text": self.text(names) })
    }

    /// What [`Ended::json`] wrote, for so many players.
    pub(crate) fn read(value: &Value, players: usize) -> Option<Ended> {
        let player = (value["player"].as_u64()? as usize).checked_sub(1)?;
        let why = match value["why"].as_str()? {
            "resigned" => Why::Resigned,
            "time" => Why::Time,
            "agreed" => Why::Agreed,
            _ => return None,
        };
        (player < players).then_some(Ended { player, why })
    }

    /// The other of two players; nobody where both agreed.
    pub(crate) fn winner(self, players: usize) -> Option<usize> {
        (players == 2 && self.why != Why::Agreed).then(|| 1 - self.player)
    }

    /// Who won and why, as a sentence.
    pub(crate) fn text(self, names: &[&str]) -> String {
        let name = |player: usize| names.get(player).copied().unwrap_or("somebody");
        let lost = match self.why {
            Why::Resigned => format!("{} resigned", name(self.player)),
            Why::Time => format!("{} ran out of time", name(self.player)),
            Why::Agreed => "a draw: both agreed".to_owned(),
        };
        match self.winner(names.len()) {
            Some(winner) => format!("{} wins: {lost}.", name(winner)),
            None => format!("{lost}."),
        }
    }
}

/// A clock for each player, with time added for each move.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    time: Duration,
    increment: Duration,
    left: Vec<Duration>,
    /// Whose clock runs, and since when.
    runs: Option<(usize, Instant)>,
}

impl Clock {
    /// A clock as somebody asks for it, in milliseconds; nothing where `time` is 0 or nothing: then it is taken away.
    pub(crate) fn wanted(wish: &Value, players: usize) -> Result<Option<Clock>, Problem> {
        let number = |key: &str| match &wish[key] {
            Value::Null => Ok(Duration::ZERO),
            value => match value.as_u64().map(Duration::from_millis) {
                Some(time) if time <= MOST => Ok(time),
                _ => Err(Problem::bad(format!(
                    "`{key}` is a number of milliseconds, a day at most"
                ))),
            },
        };
        let (time, increment) = (number("time")?, number("increment")?);
        if time.is_zero() && !increment.is_zero() {
            return Err(Problem::bad("`increment` goes with `time`"));
        }
        Ok((!time.is_zero()).then(|| Clock {
            time,
            increment,
            left: vec![time; players],
            runs: None,
        }))
    }

    /// The same clock as before the first move.
    pub(crate) fn again(&mut self) {
        self.left.fill(self.time);
        self.runs = None;
    }

    /// Counts the time until now, and goes on for `next`; who has none left.
    pub(crate) fn press(&mut self, next: Option<usize>, now: Instant) -> Option<usize> {
        let mut out = None;
        if let Some((player, since)) = self.runs.take()
            && let Some(left) = self.left.get_mut(player)
        {
            *left = left.saturating_sub(now.saturating_duration_since(since));
            out = left.is_zero().then_some(player);
        }
        self.runs = next.filter(|_| out.is_none()).map(|player| (player, now));
        out
    }

    /// Adds what a move is worth to whoever made it.
    pub(crate) fn moved(&mut self, player: usize) {
        if let Some(left) = self.left.get_mut(player) {
            *left += self.increment;
        }
    }

    /// The time that a bot may think: one move of thirty, and most of what the move is worth.
    pub(crate) fn share(&self, player: usize) -> Option<Duration> {
        let left = *self.left.get(player)?;
        Some((left / 30 + self.increment * 4 / 5).min(left * 4 / 5))
    }

    fn now(&self, now: Instant) -> Vec<Duration> {
        let spent = |player: usize| match self.runs {
            Some((runs, since)) if runs == player => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        let left = self.left.iter().enumerate();
        left.map(|(player, left)| left.saturating_sub(spent(player)))
            .collect()
    }

    /// In milliseconds; `runs` is a player from 1.
    pub(crate) fn json(&self, now: Instant) -> Value {
        let left: Vec<u64> = self
            .now(now)
            .iter()
            .map(|left| left.as_millis() as u64)
            .collect();
        json!({
            "time": self.time.as_millis() as u64,
            "increment": self.increment.as_millis() as u64,
            "left": left,
            "runs": self.runs.map(|(player, _)| player + 1),
        })
    }

    /// What [`Clock::json`] wrote; it stands until somebody does something.
    pub(crate) fn read(value: &Value, players: usize) -> Option<Clock> {
        let mut clock = Clock::wanted(value, players).ok()??;
        let left = value["left"].as_array().map_or(&[][..], Vec::as_slice);
        for (own, left) in clock.left.iter_mut().zip(left) {
            *own = Duration::from_millis(left.as_u64()?).min(MOST);
        }
        Some(clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_counted_for_whoever_is_to_move() {
        let wish = json!({ "time": 10_000, "increment": 2_000 });
        let mut clock = Clock::wanted(&wish, 2)
            .expect("a clock")
            .expect("one is wanted");
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(clock.press(Some(0), at(0)), None);
        assert_eq!(clock.press(Some(0), at(3)), None);
        clock.moved(0);
        assert_eq!(clock.press(Some(1), at(3)), None);
        assert_eq!(clock.json(at(5))["left"], json!([9_000, 8_000]));
        assert_eq!(clock.json(at(5))["runs"], 2);
        let kept = Clock::read(&clock.json(at(5)), 2).expect("it can be read");
        assert_eq!(kept.json(at(50))["left"], json!([9_000, 8_000]));
        assert_eq!(
            clock.press(Some(0), at(13)),
            Some(1),
            "ten seconds are over"
        );
        assert_eq!(clock.json(at(60))["left"], json!([9_000, 0]));
        clock.again();
        assert_eq!(clock.json(at(60))["left"], json!([10_000, 10_000]));
    }

    #[test]
    fn clocks_have_bounds() {
        for wish in [
            json!({ "time": -1 }),
            json!({ "time": 86_400_001 }),
            json!({ "time": "5" }),
            json!({ "increment": 5 }),
        ] {
            assert!(Clock::wanted(&wish, 2).is_err(), "{wish}");
        }
        assert!(
            Clock::wanted(&json!({ "time": 0 }), 2)
                .expect("allowed")
                .is_none()
        );
    }

    #[test]
    fn ends_say_who_wins() {
        let names = ["white", "black"];
        let ended = Ended {
            player: 1,
            why: Why::Time,
        };
        assert_eq!(
            ended.json(&names)["text"],
            "white wins: black ran out of time."
        );
        assert_eq!(Ended::read(&ended.json(&names), 2), Some(ended));
        assert_eq!(Ended::read(&json!({ "player": 3, "why": "time" }), 2), None);
        let alone = Ended {
            player: 0,
            why: Why::Resigned,
        };
        assert_eq!(alone.json(&["solo"])["text"], "solo resigned.");
    }
}
