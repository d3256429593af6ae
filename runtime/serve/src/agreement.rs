//! Draws by agreement: one player offers, the other one agrees, says no, or plays on.

use rulec_core::Turn;
use rulec_search::Bot;
use serde_json::{Value, json};

use crate::contest::{Ended, Why};
use crate::course::Inner;
use crate::problem::Problem;

/// What a bot may think that its position is worth at most where it agrees to a draw.
const EVEN: f64 = 0.5;

impl Inner {
    /// Somebody offers a draw: the player of a number from 1, or who alone is to move. A bot answers at once; two offers are an
    /// agreement.
    pub(crate) fn offer(&mut self, wish: &Value) -> Result<Value, Problem> {
        self.goes_on()?;
        if !self.loaded.draws() || self.learner.is_some() {
            return Err(Problem::bad(
                "draws are offered where two play and the rules know draws",
            ));
        }
        self.not_over()?;
        let player = self.who(wish)?;
        let other = 1 - player;
        let agrees = match self.bots.get(other) {
            Some(Some(bot)) => self.would_agree(bot, other),
            _ => self.offer == Some(other),
        };
        if agrees {
            return Ok(self.agree(player));
        }
        if self.bots.get(other).is_some_and(Option::is_some) {
            self.decline(other);
            return Ok(json!({ "agreed": false }));
        }
        self.offer = Some(player);
        Ok(json!({ "offered": player + 1 }))
    }

    /// Answers the offer that there is: `agree` says how.
    pub(crate) fn answer(&mut self, wish: &Value) -> Result<Value, Problem> {
        self.goes_on()?;
        self.not_over()?;
        let Some(player) = self.offer else {
            return Err(Problem::new(409, "no-offer", "nobody offers a draw"));
        };
        match wish["agree"].as_bool() {
            Some(true) => Ok(self.agree(player)),
            Some(false) => {
                self.decline(1 - player);
                Ok(json!({ "agreed": false }))
            }
            None => Err(Problem::bad("`agree` is true or false")),
        }
    }

    /// Who moves without an answer does not agree, and a game that is over is not agreed upon.
    pub(crate) fn moved_on(&mut self, mover: usize) {
        let open = self.not_over().is_ok();
        self.offer = self.offer.filter(|player| open && *player == mover);
    }

    fn agree(&mut self, player: usize) -> Value {
        let ended = Ended {
            player,
            why: Why::Agreed,
        };
        self.offer = None;
        self.ended = Some(ended);
        ended.json(self.loaded.start.about().players)
    }

    fn decline(&mut self, player: usize) {
        self.offer = None;
        let names = self.loaded.start.about().players;
        let name = names.get(player).copied().unwrap_or("somebody");
        self.notice = format!("{name} does not agree to a draw");
    }

    /// Whether a bot agrees: where its last thought saw no more than a draw in it.
    fn would_agree(&self, bot: &Bot, player: usize) -> bool {
        let made = self.plies.iter().rev().filter_map(|ply| ply.made.as_ref());
        let mut own = made.filter(|made| made.player == player + 1 && !made.thought.is_null());
        let value = own.find_map(|made| made.thought["moves"][0]["value"].as_f64());
        !matches!(bot, Bot::Random) && value.is_some_and(|value| value <= EVEN)
    }

    /// Refuses what is only done in a game that goes on by its rules.
    pub(crate) fn not_over(&self) -> Result<(), Problem> {
        match self.plies.last().map(|ply| ply.state.turn()) {
            None | Some(Turn::Over) => Err(Problem::new(409, "ended", "the game is over")),
            _ => Ok(()),
        }
    }

    /// The player that a wish names by a number from 1, else who alone is to move in the last position.
    pub(crate) fn who(&self, wish: &Value) -> Result<usize, Problem> {
        let last = self.plies.last().map(|ply| ply.state.turn());
        match (&wish["player"], last) {
            (Value::Null, Some(Turn::Decide(players))) if players.is_power_of_two() => {
                Ok(players.trailing_zeros() as usize)
            }
            (Value::Null, _) => Err(Problem::bad("`player` says who, from 1")),
            (number, _) => number
                .as_u64()
                .and_then(|number| (number as usize).checked_sub(1))
                .filter(|player| *player < self.bots.len())
                .ok_or_else(|| Problem::bad("`player` is a number of a player, from 1")),
        }
    }
}
