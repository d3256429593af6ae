//! Outcomes inside the text of a state.

use crate::bits::bits64;
use crate::text::{self, Scan, TextError};
use crate::{Outcome, Reason};

/// Appends an outcome: `-1` while the game goes on, `0` for a draw of nobody, the number of a sole
/// winner from 1, otherwise the reason and the winners, as `win:1+2`.
pub fn write_outcome(outcome: Option<Outcome>, out: &mut String) {
    let Some(outcome) = outcome else {
        return out.push_str("-1");
    };
    match (outcome.reason, outcome.winner()) {
        (Reason::Win, Some(winner)) => text::int(out, winner as i64 + 1),
        (Reason::Draw, _) if outcome.winners == 0 => out.push('0'),
        (reason, _) => {
            out.push_str(reason.word());
            out.push(':');
            for (place, winner) in bits64(outcome.winners).enumerate() {
                if place > 0 {
                    out.push('+');
                }
                text::int(out, winner as i64 + 1);
            }
        }
    }
}

/// The reasons by their number in compiled states, from 1.
const REASONS: [Reason; 5] = [
    Reason::Win,
    Reason::Draw,
    Reason::Stuck,
    Reason::Elimination,
    Reason::Limit,
];

/// Reads an outcome of a game of `players`: the number of the reason in compiled states, and the
/// winners. A fault has no text that can be read back.
///
/// # Errors
/// When no outcome comes next.
pub fn read_outcome(scan: &mut Scan<'_>, players: i64) -> Result<Option<(u8, u64)>, TextError> {
    for (number, reason) in (1u8..).zip(REASONS) {
        let mut rest = *scan;
        if !rest.take(reason.word()) || !rest.take(":") {
            continue;
        }
        let mut winners = 0;
        if rest.rest().starts_with(|c: char| c.is_ascii_digit()) {
            loop {
                winners |= 1 << ((rest.int_in(1, players.min(64))? - 1) & 63);
                if !rest.take("+") {
                    break;
                }
            }
        }
        *scan = rest;
        return Ok(Some((number, winners)));
    }
    match scan.int_in(-1, players.min(64))? {
        -1 => Ok(None),
        0 => Ok(Some((2, 0))),
        winner => Ok(Some((1, 1 << ((winner - 1) & 63)))),
    }
}

/// Why and how the games of a compiled game end, for the type of its positions: it has fields for the reason, the winners and the
/// fault, and a method that ends the game.
#[macro_export]
macro_rules! endings {
    ($state:ident) => {
        impl $state {
            const WIN: u8 = 1;
            const DRAW: u8 = 2;
            const STUCK: u8 = 3;
            const ELIMINATION: u8 = 4;
            const LIMIT: u8 = 5;
            const FAULT: u8 = 6;
            /// Nobody can move, found when the position was reached.
            const NO_MOVE: u8 = 7;
            /// A rule fails here, found when the position was reached.
            const BROKEN: u8 = 8;
            /// A rule fails before the first stop.
            const AT_START: u8 = 9;

            /// Ends the game with a fault.
            #[cold]
            fn fail(&mut self, fault: $crate::Fault) {
                self.ended = $state::FAULT;
                self.winners = 0;
                self.fault = fault.site;
            }

            /// Ends the game because a rule fails in this position.
            #[cold]
            fn break_off(&mut self, fault: $crate::Fault) {
                self.fail(fault);
                self.ended = $state::BROKEN;
            }

            /// Draws the conclusion of rules that ran to their end or halted.
            #[inline(always)]
            fn finish(&mut self, flow: $crate::support::Flow, cx: &mut $crate::Cx) {
                match flow {
                    ::core::ops::ControlFlow::Continue(()) => self.end($state::DRAW, 0),
                    ::core::ops::ControlFlow::Break($crate::support::Halt::Done) => {}
                    ::core::ops::ControlFlow::Break($crate::support::Halt::Fail(site)) => {
                        cx.fail(site)
                    }
                }
            }

            /// How the game ended.
            #[inline]
            fn outcome(&self) -> Option<$crate::Outcome> {
                // Looked up instead of branched to: nobody foresees how a game ends.
                const REASONS: [$crate::Reason; 16] = {
                    let fault = $crate::Reason::Fault($crate::Fault { site: 0 });
                    let mut reasons = [fault; 16];
                    reasons[$state::WIN as usize] = $crate::Reason::Win;
                    reasons[$state::DRAW as usize] = $crate::Reason::Draw;
                    reasons[$state::STUCK as usize] = $crate::Reason::Stuck;
                    reasons[$state::NO_MOVE as usize] = $crate::Reason::Stuck;
                    reasons[$state::ELIMINATION as usize] = $crate::Reason::Elimination;
                    reasons[$state::LIMIT as usize] = $crate::Reason::Limit;
                    reasons
                };
                let reason = match REASONS[self.ended as usize % REASONS.len()] {
                    $crate::Reason::Fault(_) => {
                        $crate::Reason::Fault($crate::Fault { site: self.fault })
                    }
                    reason => reason,
                };
                (self.ended != 0).then_some($crate::Outcome {
                    reason,
                    winners: u64::from(self.winners),
                })
            }
        }
    };
}

/// Moves as texts and back, as a compiled game writes and reads them.
#[macro_export]
macro_rules! move_texts {
    ($mv:ident, $game:ident) => {
        impl ::core::fmt::Display for $mv {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut text = String::new();
                $crate::Game::write_move(&$game, *self, &mut text);
                f.write_str(&text)
            }
        }

        impl ::core::str::FromStr for $mv {
            type Err = $crate::TextError;

            /// The first move with this text; several families may share one.
            fn from_str(text: &str) -> Result<$mv, $crate::TextError> {
                let mut found = $crate::MoveList::new();
                $crate::Game::parse_move(&$game, text, &mut found);
                let none = || $crate::text::Scan::new(text).expected("a move");
                found.first().copied().ok_or_else(none)
            }
        }
    };
}

/// A type that is another one with more beside it, in a field.
#[macro_export]
macro_rules! derefs {
    ($outer:ident, $field:ident: $inner:ident) => {
        impl ::core::ops::Deref for $outer {
            type Target = $inner;

            #[inline(always)]
            fn deref(&self) -> &$inner {
                &self.$field
            }
        }

        impl ::core::ops::DerefMut for $outer {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $inner {
                &mut self.$field
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_survive_their_text() {
        let both = |reason| Outcome { reason, winners: 3 };
        let cases = [
            (None, "-1", None),
            (Some(Outcome::nobody(Reason::Draw)), "0", Some((2, 0))),
            (Some(Outcome::win(1)), "2", Some((1, 2))),
            (Some(Outcome::nobody(Reason::Limit)), "limit:", Some((5, 0))),
            (Some(both(Reason::Win)), "win:1+2", Some((1, 3))),
            (
                Some(both(Reason::Elimination)),
                "elimination:1+2",
                Some((4, 3)),
            ),
        ];
        for (outcome, expected, read) in cases {
            let mut text = String::new();
            write_outcome(outcome, &mut text);
            assert_eq!(text, expected);
            assert_eq!(read_outcome(&mut Scan::new(&text), 2), Ok(read));
        }
        assert!(read_outcome(&mut Scan::new("3"), 2).is_err());
        assert!(read_outcome(&mut Scan::new("win:3"), 2).is_err());
    }
}
