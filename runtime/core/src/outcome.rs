//! How games end.

use std::fmt;
use std::ops::Deref;

use crate::{GameInfo, bits::bits64};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Some player won by the rules.
    Win,
    /// The rules call it a draw.
    Draw,
    /// The player to move has no legal move and the rules say nothing else.
    Stuck,
    /// Somebody was eliminated and the rest is decided.
    Elimination,
    /// A limit of plies or time ran out.
    Limit,
    /// A rule ran into an error; the game has no result.
    Fault(Fault),
}

impl Reason {
    /// The word that texts and machine-readable output use.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Win => "win",
            Reason::Draw => "draw",
            Reason::Stuck => "stuck",
            Reason::Elimination => "elimination",
            Reason::Limit => "limit",
            Reason::Fault(_) => "fault",
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why it ended.
    pub reason: Reason,
    /// The players who won, one bit each, player 0 in the lowest. For [`Reason::Draw`], the players who drew while the others
    /// lost; 0 if all drew.
    pub winners: u64,
}

impl Outcome {
    /// An end without a winner.
    pub const fn nobody(reason: Reason) -> Self {
        Self { reason, winners: 0 }
    }

    /// A win for one player, from 0 to 63.
    pub const fn win(player: usize) -> Self {
        Self {
            reason: Reason::Win,
            winners: 1 << (player & 63),
        }
    }

    /// The end that a fault brings.
    pub const fn fault(fault: Fault) -> Self {
        Self::nobody(Reason::Fault(fault))
    }

    /// Whether the rules brought this end about: it is neither stuck nor a limit nor a fault.
    pub const fn by_rule(&self) -> bool {
        matches!(
            self.reason,
            Reason::Win | Reason::Draw | Reason::Elimination
        )
    }

    /// The short name under which statistics count the result: the numbers in [`Outcome::winners`], from 1 and joined by `+`.
    /// If there are none, `0` for a draw and otherwise the word of the reason.
    pub fn label(&self) -> String {
        match (self.winners, self.reason) {
            (0, Reason::Draw) => "0".to_owned(),
            (0, reason) => reason.word().to_owned(),
            (winners, _) => {
                let numbers: Vec<String> = bits64(winners).map(|p| (p + 1).to_string()).collect();
                numbers.join("+")
            }
        }
    }

    /// The result in words, for people.
    pub fn text(&self, info: &GameInfo) -> String {
        let winners: Vec<&str> = bits64(self.winners)
            .map(|p| info.players.get(p).copied().unwrap_or("an unknown player"))
            .collect();
        match self.reason {
            Reason::Fault(fault) => match info.faults.get(usize::from(fault.site)) {
                Some(site) => format!("fault {} at {}: {}", site.code, site.origin, site.message),
                None => format!("fault number {}", fault.site),
            },
            Reason::Draw if winners.is_empty() => "draw".to_owned(),
            Reason::Stuck if winners.is_empty() => "stuck: nobody can move".to_owned(),
            Reason::Limit if winners.is_empty() => "stopped at the limit".to_owned(),
            reason if winners.is_empty() => format!("{}: nobody wins", reason.word()),
            Reason::Draw => format!("draw between {}", winners.join(" and ")),
            reason => {
                let verb = if winners.len() == 1 { "wins" } else { "win" };
                let won = format!("{} {verb}", winners.join(" and "));
                match reason {
                    Reason::Win => won,
                    _ => format!("{won} by {}", reason.word()),
                }
            }
        }
    }

    /// The value of the result for one player: 1 for a win, alone or shared, 0.5 for a draw, 0 for a loss.
    ///
    /// If nobody wins, everybody gets 0.5, also when play is stuck, hits a limit or ends in a fault; but an elimination without
    /// a winner is a loss for all. If a draw names players, they get 0.5 and the others 0.
    pub fn payoff(&self, player: usize) -> f64 {
        match (self.reason, self.winners, self.names(player)) {
            (Reason::Elimination, 0, _) => 0.0,
            (_, 0, _) | (Reason::Draw, _, true) => 0.5,
            (_, _, true) => 1.0,
            (_, _, false) => 0.0,
        }
    }

    /// How one player did compared with the others: 1 for the only one in [`Outcome::winners`], 0 for those left out of it,
    /// and 0.5 for all others: those who share it, and everybody if it is empty.
    pub fn rank(&self, player: usize) -> f64 {
        match (self.winners.count_ones(), self.names(player)) {
            (1, true) => 1.0,
            (0, _) | (_, true) => 0.5,
            (_, false) => 0.0,
        }
    }

    /// Whether somebody has won.
    pub fn is_won(&self) -> bool {
        self.winners != 0 && self.reason != Reason::Draw
    }

    fn names(&self, player: usize) -> bool {
        player < 64 && self.winners >> player & 1 == 1
    }

    /// The only player in [`Outcome::winners`], counted from 0; `None` if there are several or none.
    pub fn winner(&self) -> Option<usize> {
        (self.winners.count_ones() == 1).then(|| self.winners.trailing_zeros() as usize)
    }
}

/// What a game was worth to each player, from 0 (lost) to 1 (won): a slice of payoffs.
#[derive(Clone, Copy)]
pub struct Payoffs {
    values: [f64; Payoffs::MOST],
    players: usize,
}

impl Payoffs {
    /// The most players that a game has.
    pub const MOST: usize = 64;

    /// The payoffs of players `0..players`, at most [`Payoffs::MOST`] of them.
    pub fn new(outcome: Outcome, players: usize) -> Payoffs {
        Payoffs {
            values: std::array::from_fn(|player| outcome.payoff(player)),
            players: players.min(Payoffs::MOST),
        }
    }
}

impl Deref for Payoffs {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.values[..self.players]
    }
}

impl fmt::Debug for Payoffs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Payoffs {
    fn eq(&self, other: &Payoffs) -> bool {
        **self == **other
    }
}

/// A rule error at run time: an index into `GameInfo::faults`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Index into `GameInfo::faults`.
    pub site: u16,
}

/// A place in the rules that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultSite {
    /// Short name of the kind of failure, such as `division-by-zero`.
    pub code: &'static str,
    /// What went wrong, for people.
    pub message: &'static str,
    /// Place in the rules, as `file:line:column`.
    pub origin: &'static str,
}

impl FaultSite {
    /// A place where the failure `code` can happen.
    pub const fn new(code: &'static str, message: &'static str, origin: &'static str) -> Self {
        Self {
            code,
            message,
            origin,
        }
    }
}

/// What a random playout did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playout {
    /// Moves played, draws not counted.
    pub plies: u32,
    /// Legal moves, summed over the plies at which they were counted.
    pub moves: u64,
    /// Plies at which the legal moves were counted: a random move can often be drawn without.
    pub counted: u32,
    /// The end; `None` if the limit, of plies or of chance events, came first.
    pub outcome: Option<Outcome>,
}

/// What is wrong with the payoffs that somebody says of a position. Those a little below 0 or above 1, as a layer without bounds gives them,
/// count as 0 or 1.
pub fn wrong_payoffs(payoffs: &[f32]) -> Option<&'static str> {
    if payoffs.iter().any(|payoff| payoff.is_nan()) {
        return Some("a payoff is no number");
    }
    let far = payoffs.iter().any(|payoff| !(-0.5..=1.5).contains(payoff));
    far.then_some("payoffs are from 0 (lost) to 1 (won), but some are far from that, such as those from -1 to 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_texts_and_payoffs() {
        let info = GameInfo {
            players: &["white", "black"],
            faults: &[FaultSite {
                code: "division-by-zero",
                message: "N is 0",
                origin: "a.s3:3:9",
            }],
            ..GameInfo::EMPTY
        };
        let both = Outcome {
            reason: Reason::Elimination,
            winners: 3,
        };
        let fault = Outcome::fault(Fault { site: 0 });
        let stuck = Outcome::nobody(Reason::Stuck);
        let draw = Outcome::nobody(Reason::Draw);
        let cases = [
            (Outcome::win(1), "2", "black wins", [0.0, 1.0]),
            (
                both,
                "1+2",
                "white and black win by elimination",
                [1.0, 1.0],
            ),
            (
                fault,
                "fault",
                "fault division-by-zero at a.s3:3:9: N is 0",
                [0.5, 0.5],
            ),
            (stuck, "stuck", "stuck: nobody can move", [0.5, 0.5]),
            (draw, "0", "draw", [0.5, 0.5]),
        ];
        for (outcome, label, text, payoffs) in cases {
            assert_eq!(outcome.label(), label);
            assert_eq!(outcome.text(&info), text);
            assert_eq!([outcome.payoff(0), outcome.payoff(1)], payoffs);
        }
        assert_eq!((both.winner(), Outcome::win(1).winner()), (None, Some(1)));
        assert!(both.by_rule() && !stuck.by_rule());
        assert_eq!(Outcome::win(0).payoff(200), 0.0);
    }

    #[test]
    fn a_loss_is_worse_than_a_draw_and_a_shared_win_better() {
        let end = |reason, winners| Outcome { reason, winners };
        let lost = end(Reason::Elimination, 0);
        let drawn = Outcome::nobody(Reason::Draw);
        assert_eq!(
            [lost, drawn, Outcome::win(0)].map(|o| o.payoff(0)),
            [0.0, 0.5, 1.0]
        );
        for winners in 1..8_u64 {
            let shared = end(Reason::Win, winners);
            for player in 0..3 {
                let won = winners >> player & 1 == 1;
                assert_eq!(
                    shared.payoff(player),
                    f64::from(u8::from(won)),
                    "{winners} {player}"
                );
            }
        }
        // Of three, the first was eliminated before the others drew.
        let two_draw = end(Reason::Draw, 6);
        assert_eq!([0, 1, 2].map(|p| two_draw.payoff(p)), [0.0, 0.5, 0.5]);
        assert!(!two_draw.is_won() && !lost.is_won() && end(Reason::Win, 3).is_won());
        assert_eq!(
            [0, 1, 2].map(|p| end(Reason::Win, 3).rank(p)),
            [0.5, 0.5, 0.0]
        );
        assert_eq!(
            [lost, drawn, Outcome::win(0)].map(|o| o.rank(0)),
            [0.5, 0.5, 1.0]
        );
    }
}
