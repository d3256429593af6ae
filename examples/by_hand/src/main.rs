//! A game written by hand instead of compiled: it gets the command line of compiled games, searches and self-play included.
//!
//! `cargo run --release -p by_hand -- perft 4`, `... -- bench --bot uct:1000`, `... -- selfplay --games 1000 --bot uct:100`.

use std::fmt::Write;
use std::process::ExitCode;

use rulec_core::{Events, Fault, Game, GameInfo, MoveFamily, MoveList, Outcome, PlainGame, Turn};

/// Nim with heaps of 3, 4 and 5: a move takes any number from one heap, and whoever takes the last one wins.
struct Nim;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Heaps {
    left: [u8; 3],
    player: u8,
}

static INFO: GameInfo = GameInfo {
    name: "Nim",
    language: "rust",
    players: &["first", "second"],
    families: &[MoveFamily {
        name: "take",
        params: &["heap and count"],
        origin: "main.rs",
    }],
    move_count: 24,
    identities: &["full"],
    ..GameInfo::EMPTY
};

impl Game for Nim {
    type State = Heaps;
    /// Eight times the heap, and how many are taken.
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn initial(&self) -> Heaps {
        let left = [3, 4, 5];
        Heaps { left, player: 0 }
    }

    fn turn(&self, state: &Heaps) -> Turn {
        match state.left {
            [0, 0, 0] => Turn::Over,
            _ => Turn::Decide(1 << state.player),
        }
    }

    fn legal_moves(&self, state: &Heaps, out: &mut MoveList<u8>) -> Result<(), Fault> {
        for (heap, &left) in (0..).zip(&state.left) {
            out.extend((1..=left).map(|count| heap * 8 + count));
        }
        Ok(())
    }

    fn play<E: Events>(&self, state: &mut Heaps, mv: u8, _: &mut E) {
        state.left[usize::from(mv / 8)] -= mv % 8;
        state.player = 1 - state.player;
    }

    fn outcome(&self, state: &Heaps) -> Option<Outcome> {
        let winner = usize::from(1 - state.player);
        (state.left == [0; 3]).then(|| Outcome::win(winner))
    }

    fn move_code(&self, mv: u8) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code).ok().filter(|mv| *mv < 24 && mv % 8 > 0)
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        let _ = write!(out, "{} from heap {}", mv % 8, mv / 8 + 1);
    }
}

/// All that is not in `Game` has its defaults.
impl PlainGame for Nim {}

fn main() -> ExitCode {
    rulec_command::game_main(&Nim)
}

#[cfg(test)]
mod tests {
    use rulec_core::{Illegal, Silent};

    use super::*;

    #[test]
    fn what_is_not_written_has_a_sensible_default() {
        let mut state = Nim.initial();
        assert_eq!(Nim.is_legal(&state, 8 + 4), Ok(true));
        let wrong = Nim.try_play(&mut state, 5, &mut Silent);
        assert_eq!(wrong, Err(Illegal::Move), "the first heap has three");
        assert!(Nim.returns(&state).is_none());
        for mv in [3, 8 + 4, 16 + 5] {
            assert_eq!(Nim.try_play(&mut state, mv, &mut Silent), Ok(()));
        }
        assert_eq!(Nim.returns(&state).as_deref(), Some(&[1.0, 0.0][..]));
        assert_eq!(Nim.try_play(&mut state, 3, &mut Silent), Err(Illegal::Over));
        let mut found = MoveList::new();
        Nim.parse_move("4 from heap 2", &mut found);
        assert_eq!(found[..], [8 + 4]);
        assert_eq!(Nim.key(&state), Nim.key(&state.clone()));
        assert_ne!(Nim.key(&state), Nim.key(&Nim.initial()));
    }
}
