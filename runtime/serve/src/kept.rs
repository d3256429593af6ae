//! What is kept of a game in a file, and the game that becomes of it again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rulec_core::{Board, Rng};
use rulec_search::notation::find_move;
use serde_json::{Value, json};

use crate::contest::{Clock, Ended};
use crate::course::{Inner, bot, legal};
use crate::learner::Learner;
use crate::loaded::Loaded;
use crate::played::{Made, made, ply};
use crate::problem::Problem;

/// The form of what is kept.
pub(crate) const FORM: &str = "rulec-game-1";

/// The most boards that are drawn again to come to the next one.
const MOST_BOARDS: u64 = 1_000_000;

/// The rules are not those that a game was played by.
pub(crate) fn other_rules() -> Problem {
    Problem::new(
        409,
        "other-rules",
        "this game was played by other rules than these: what is kept of it is left as it is",
    )
}

impl Inner {
    /// Everything that the game needs to go on, but for what bots thought.
    pub(crate) fn kept(&self) -> Value {
        let made = self.plies.iter().filter_map(|ply| ply.made.as_ref());
        let moves: Vec<Value> = made
            .map(|made| json!([made.text, made.code.to_string(), made.by, made.player]))
            .collect();
        let last = self.plies.last().map(|ply| ply.state.text());
        let info = self.loaded.start.about();
        json!({
            "form": FORM,
            "game": info.name,
            "language": info.language,
            "rules_sha256": info.rules_sha256,
            "start": self.plies[0].state.text(),
            "moves": moves,
            "end": last,
            "ply": self.at,
            "bots": self.bot_names(),
            "auto": self.auto,
            "pace": self.pace.as_millis() as u64,
            "seed": self.seed,
            "drawn": self.drawn,
            "revived": self.revived,
            "version": self.version,
            "learner": self.learner.as_ref().map(Learner::json),
            "ended": self.ended.map(|ended| ended.json(info.players)),
            "clock": self.clock.as_ref().map(|clock| clock.json(Instant::now())),
            "offer": self.offer.map(|player| player + 1),
        })
    }

    /// The game of which this was kept.
    ///
    /// Every move must be legal and lead to the position that was kept, or the rules are others. Where they may be, because
    /// their author changed them, the game goes on as far as its moves are legal.
    pub(crate) fn revive(
        loaded: Arc<Loaded>,
        kept: &Value,
        changed: bool,
    ) -> Result<Inner, Problem> {
        let number = |key: &str| kept[key].as_u64().unwrap_or(0);
        let mut inner = Inner::new(loaded, number("seed"));
        for _ in 0..number("drawn").min(MOST_BOARDS) {
            if let Some(boards) = &mut inner.boards {
                // The board of the game is in its first position.
                let _ = boards.draw(&mut Board::EMPTY.clone());
            }
        }
        inner.drawn = number("drawn");
        inner.revived = number("revived") + 1;
        inner.rng = Rng::new(inner.seed, inner.revived);
        inner.version = number("version");
        inner.auto = kept["auto"].as_bool().unwrap_or(false);
        inner.pace = Duration::from_millis(number("pace"));
        let bots = kept["bots"].as_array().map_or(&[][..], Vec::as_slice);
        for (seat, name) in inner.bots.iter_mut().zip(bots) {
            // A player that this server has no more leaves the seat to people.
            *seat = bot(name, &inner.loaded.residents).unwrap_or(None);
        }
        inner.learner = kept["learner"]
            .is_object()
            .then(|| Learner::read(&kept["learner"]));
        inner.follow(kept, changed)?;
        let players = inner.bots.len();
        inner.ended = Ended::read(&kept["ended"], players);
        inner.clock = Clock::read(&kept["clock"], players);
        let offer = kept["offer"].as_u64().map(|player| player as usize);
        inner.offer = offer
            .and_then(|player| player.checked_sub(1))
            .filter(|player| *player < 2);
        Ok(inner)
    }

    /// Plays what was kept from its first position on.
    fn follow(&mut self, kept: &Value, changed: bool) -> Result<(), Problem> {
        let start = kept["start"].as_str().unwrap_or_default();
        if start != self.loaded.start.text() {
            match self.loaded.start.read(start) {
                Ok(state) => self.plies = vec![ply(state, None)],
                Err(_) if changed => {}
                Err(_) => return Err(other_rules()),
            }
        }
        let moves = kept["moves"].as_array().map_or(&[][..], Vec::as_slice);
        for told in moves {
            match self.again(told) {
                Some(made) => self.play(made),
                None if changed => break,
                None => return Err(other_rules()),
            }
        }
        let count = self.at;
        if changed {
            self.notice = format!(
                "the rules have changed; {count} of {} moves are still legal",
                moves.len()
            );
        } else if kept["end"] != self.state().text() {
            return Err(other_rules());
        }
        self.at = (kept["ply"].as_u64().unwrap_or(0) as usize).min(count);
        Ok(())
    }

    /// A move that was kept, if it is legal now.
    fn again(&self, told: &Value) -> Option<Made> {
        let (text, code) = (told[0].as_str()?, told[1].as_str()?.parse().ok()?);
        let by = match told[2].as_str()? {
            "bot" => "bot",
            "chance" => "chance",
            _ => "player",
        };
        let player = told[3].as_u64()? as usize;
        let state = self.state();
        let same = legal(state).ok()?.contains(&code) && state.move_text(code) == text;
        let code = match same {
            true => code,
            false => find_move(state, text).ok()?,
        };
        Some(made(code, text.to_owned(), by, player))
    }
}
