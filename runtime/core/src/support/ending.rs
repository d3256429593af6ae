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
