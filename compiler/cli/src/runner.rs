//! The engines that run rules here, without a compiler.

use std::sync::Arc;

use anyhow::Result;
use rulec_compiler::ir::Game;
use rulec_quick::{QuickGame, Unsupported};
use rulec_search::AnyState;

use crate::args::Engine;
use crate::interpreted::InterpretedGame;

/// A game that runs here.
pub(crate) enum Runner {
    Quick(Box<QuickGame>),
    Interpreted(Box<InterpretedGame>),
}

impl Runner {
    /// A game as the passes left it, on the engine that was asked for; interpreted where it cannot be run quickly.
    ///
    /// # Errors
    /// When the program is not sound: a defect of the compiler.
    pub(crate) fn new(game: &Game, engine: Engine) -> Result<Runner> {
        Runner::of(game.clone(), engine)
    }

    /// The same for a game that nobody else needs.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub(crate) fn of(game: Game, engine: Engine) -> Result<Runner> {
        let game = Arc::new(game);
        if engine == Engine::Quick {
            match QuickGame::new(Arc::clone(&game)) {
                Ok(game) => return Ok(Runner::Quick(Box::new(game))),
                Err(error) if error.is::<Unsupported>() => {}
                Err(error) => return Err(error),
            }
        }
        let game = InterpretedGame::new(game)?;
        Ok(Runner::Interpreted(Box::new(game)))
    }

    /// The same, where reasons are told in the words of the rules: `lowered` is the game as the front end made it.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub(crate) fn telling(game: &Game, lowered: &Game, engine: Engine) -> Result<Runner> {
        Ok(match Runner::new(game, engine)? {
            Runner::Quick(game) => Runner::Quick(Box::new(game.in_words_of(lowered.clone())?)),
            Runner::Interpreted(_) => {
                let game = InterpretedGame::new(lowered.clone())?;
                Runner::Interpreted(Box::new(game))
            }
        })
    }

    /// The start position.
    pub(crate) fn start(&self) -> Box<dyn AnyState<'_> + '_> {
        match self {
            Runner::Quick(game) => rulec_engines::quick(game),
            Runner::Interpreted(game) => rulec_engines::interpreted(game),
        }
    }
}
