//! The learner's view of a game in episodes: the rule is hidden, attempts are answered by codes.

use rulec_core::Turn;
use rulec_search::State;
use rulec_search::episode::session::{Code, Finish};
use serde_json::{Value, json};

/// What a learner has tried so far.
#[derive(Default)]
pub(crate) struct Learner {
    episode: u64,
    /// Attempts of this episode that count, and accepted ones.
    attempts: u64,
    moves: u64,
    finish: Option<Finish>,
    transcript: Vec<Value>,
}

/// The most lines of a transcript that are kept.
const MOST_LINES: usize = 10_000;

impl Learner {
    pub(crate) fn next_episode(&mut self) {
        self.episode += 1;
        (self.attempts, self.moves, self.finish) = (0, 0, None);
    }

    /// Tries to bring a unit to a target: what is told, and the position after it with the move, if it is accepted.
    pub(crate) fn attempt(
        &mut self,
        mut state: State<'static>,
        (unit, is_there): (usize, bool),
        target: usize,
    ) -> (Value, Option<(State<'static>, u64, String)>) {
        let targets = state
            .about()
            .episode
            .map_or(0, |episode| episode.targets)
            .min(64);
        let accepts = |to: usize| to < targets && unit < 64 && state.accepted(to) >> unit & 1 == 1;
        let mut next = None;
        let code = if state.turn() == Turn::Over {
            Code::NoGame
        } else if !is_there {
            Code::EmptyCell
        } else if !(0..targets).any(accepts) {
            Code::Immovable
        } else if !accepts(target) {
            Code::Deny
        } else {
            match state.attempt(target, unit) {
                Some(code) => {
                    let text = state.move_text(code);
                    state.play(code, None);
                    next = Some((code, text));
                    Code::Accept
                }
                None => Code::Deny,
            }
        };
        self.attempts += u64::from(code.counts());
        self.moves += u64::from(code == Code::Accept);
        let over = state.turn() == Turn::Over;
        let cleared = state
            .outcome()
            .is_some_and(|o| o.reason == rulec_core::Reason::Win);
        let finish = match (over, cleared) {
            (false, _) => Finish::Playing,
            (true, true) => Finish::Cleared,
            (true, false) => Finish::Stalemate,
        };
        self.finish = Some(finish);
        let told = json!({
            "episode": self.episode,
            "attempt": self.attempts,
            "place": unit + 1,
            "bucket": target,
            "code": code.number(),
            "answer": answer(code),
            "finish": finish.number(),
        });
        if self.transcript.len() < MOST_LINES {
            self.transcript.push(told.clone());
        }
        (told, next.map(|(code, text)| (state, code, text)))
    }

    /// What [`Learner::json`] told.
    pub(crate) fn read(told: &Value) -> Learner {
        let number = |key: &str| told[key].as_u64().unwrap_or(0);
        let finish = match number("finish") {
            1 => Finish::Cleared,
            2 => Finish::Stalemate,
            _ => Finish::Playing,
        };
        Learner {
            episode: number("episode"),
            attempts: number("attempts"),
            moves: number("moves"),
            finish: Some(finish),
            transcript: told["transcript"].as_array().cloned().unwrap_or_default(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "episode": self.episode,
            "attempts": self.attempts,
            "moves": self.moves,
            "finish": self.finish.unwrap_or(Finish::Playing).number(),
            "transcript": self.transcript,
        })
    }
}

/// The code as a word.
fn answer(code: Code) -> &'static str {
    match code {
        Code::Accept => "accept",
        Code::EmptyCell => "empty",
        Code::Deny => "deny",
        Code::Immovable => "immovable",
        Code::NoGame => "no game",
        Code::NoPiece => "no piece",
        Code::SeveralPieces => "several pieces",
        Code::OutOfTurn => "out of turn",
    }
}
