//! Players that the computer plays.

use std::{fmt, str::FromStr, time::Duration};

use rulec_core::{ChoiceSet, Rng};

use crate::{
    AnyState, Order, Progress,
    numbers::{parse_count, parse_duration},
    order,
    search::{Method, SearchReport, SearchSettings},
};

/// A computer player, written `random`, `mc:1000`, `uct:10000` or `uct:5s`.
#[derive(Clone, Debug, PartialEq)]
pub enum Bot {
    /// Every legal move has the same chance.
    Random,
    /// Searches within bounds.
    Search {
        /// How it searches.
        method: Method,
        /// Random games for each move.
        games: Option<u64>,
        /// Time for each move.
        time: Option<Duration>,
    },
}

impl Bot {
    /// The move that the player makes, `None` where there is none.
    pub fn choose<'g>(&self, state: &(dyn AnyState<'g> + 'g), rng: &mut Rng) -> Option<u64> {
        let mut moves = Vec::new();
        let choices = match self {
            Bot::Random => ChoiceSet::All,
            Bot::Search { .. } => ChoiceSet::Distinct,
        };
        state.moves(choices, &mut moves).ok()?;
        if let Bot::Search { .. } = self
            && moves.len() > 1
        {
            return self.search(state, rng.u64()).best();
        }
        moves.get(rng.below64(moves.len() as u64) as usize).copied()
    }

    /// What the player thinks of its moves; nothing for the random one.
    pub fn search<'g>(&self, state: &(dyn AnyState<'g> + 'g), seed: u64) -> SearchReport {
        self.search_told(state, seed, &mut |_| true)
    }

    /// As [`Bot::search`], telling from time to time how many games were played; it ends where nobody wants more.
    pub fn search_told<'g>(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        seed: u64,
        progress: Progress<'_>,
    ) -> SearchReport {
        match *self {
            Bot::Random => SearchReport::default(),
            Bot::Search {
                method,
                games,
                time,
            } => {
                let settings = SearchSettings {
                    games,
                    time,
                    ..SearchSettings::games(method, 0, seed)
                };
                let ordered = order::ordered(state, Order::default(), true);
                ordered.search(&settings, progress)
            }
        }
    }
}

impl FromStr for Bot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, bound) = text.split_once(':').unwrap_or((text, ""));
        let method = match name {
            "random" if bound.is_empty() => return Ok(Bot::Random),
            "mc" => Method::Flat,
            "uct" | "mcts" => Method::Uct,
            _ => {
                return Err(format!(
                    "no player is called `{text}`; there are random, mc:GAMES and uct:GAMES, or a time such as uct:2s"
                ));
            }
        };
        let (games, time) = match parse_count(bound) {
            _ if bound.is_empty() => (Some(SearchSettings::DEFAULT_GAMES), None),
            Ok(games) => (Some(games), None),
            Err(_) => (None, Some(parse_duration(bound)?)),
        };
        Ok(Bot::Search {
            method,
            games,
            time,
        })
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bot::Random => f.write_str("random"),
            Bot::Search {
                method,
                games,
                time,
            } => {
                f.write_str(match method {
                    Method::Uct => "uct",
                    Method::Flat => "mc",
                })?;
                match (games, time) {
                    (Some(games), _) => write!(f, ":{games}"),
                    (None, Some(time)) => write!(f, ":{}ms", time.as_millis()),
                    (None, None) => Ok(()),
                }
            }
        }
    }
}
