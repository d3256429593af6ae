//! The engines that run rules without a compiler, behind interfaces that hide the type of a game.
//!
//! What search, self-play and batches do in their hot loops is compiled for each type of game. That is done here, once, so that this
//! small crate is built optimised in every profile, and the command around it need not be.

#![forbid(unsafe_code)]

use rulec_abi::{Port, local};
use rulec_core::Game;
use rulec_interpreted::{Forgetful, InterpretedGame};
use rulec_quick::QuickGame;
use rulec_search::{State, hide, start};

/// The start of a game that is run quickly.
pub fn quick(game: &QuickGame) -> State<'_> {
    start(game)
}

/// The start of a game that is interpreted.
pub fn interpreted(game: &InterpretedGame) -> State<'_> {
    start(game)
}

/// The start of a game that is interpreted and forgets names.
pub fn forgetful(game: &Forgetful) -> State<'_> {
    start(game)
}

/// A position of a game that is interpreted.
pub fn position(game: &InterpretedGame, state: <InterpretedGame as Game>::State) -> State<'_> {
    hide(game, state)
}

/// Batches of a game that is run quickly.
pub fn quick_port(game: QuickGame) -> Box<dyn Port> {
    Box::new(local(game))
}

/// Batches of a game that is interpreted.
pub fn interpreted_port(game: InterpretedGame) -> Box<dyn Port> {
    Box::new(local(game))
}
