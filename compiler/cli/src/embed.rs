//! Rules for programs that hold the compiler, such as the Python package: what the command does with a rule file, as calls.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use rulec_abi::{Games, guarded};
use rulec_core::{Game, GameInfo};
use rulec_quick::{QuickGame, Unsupported};
use serde_json::Value;

use crate::interpreted::InterpretedGame;
use crate::native::Toolchain;
use crate::rules::Rules;
use crate::{explain, pictures};

/// Rules with mistakes.
#[derive(Clone, Debug)]
pub struct Mistakes {
    /// The diagnostics as the command shows them.
    pub text: String,
    /// The same for programs.
    pub json: Value,
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Mistakes {}

/// A compiled rule file.
pub struct Embedded {
    rules: Rules,
    game: rulec_compiler::ir::Game,
    /// The program as the rules spell it, which pictures and reasons are made with.
    spelled: InterpretedGame,
    info: &'static GameInfo,
}

impl Embedded {
    /// Reads and compiles a rule file, with settings as `--set` takes them.
    ///
    /// # Errors
    /// [`Mistakes`] where the rules are wrong, otherwise why it cannot be read.
    pub fn open(file: &Path, settings: &[(String, String)]) -> Result<Embedded> {
        let rules = Rules::open_with(file, &[], settings, "all")?;
        let Some(output) = &rules.output else {
            return Err(Mistakes {
                text: rules.diagnostics_text(),
                json: rules.diagnostics_json(),
            }
            .into());
        };
        let game = output.game.clone();
        let spelled = InterpretedGame::new(crate::rules::spelled(output).clone())?;
        let numbered = InterpretedGame::new(game.clone())?;
        // Files of samples are written long after; texts of a game live as long as the process anyhow.
        let info: &'static GameInfo = Box::leak(Box::new(numbered.info().clone()));
        Ok(Embedded {
            rules,
            game,
            spelled,
            info,
        })
    }

    /// What is known of the game.
    pub fn info(&self) -> &'static GameInfo {
        self.info
    }

    /// The game, run without a compiler.
    ///
    /// # Errors
    /// When the program is not sound: a defect of the compiler.
    pub fn games(&self) -> Result<Games> {
        let port: Box<dyn rulec_abi::Port> = match QuickGame::new(self.game.clone()) {
            Ok(game) => rulec_engines::quick_port(game),
            Err(error) if error.is::<Unsupported>() => {
                rulec_engines::interpreted_port(InterpretedGame::new(self.game.clone())?)
            }
            Err(error) => return Err(error),
        };
        Ok(Games::new(guarded(port)))
    }

    /// The game as a shared library, from the cache or compiled now.
    ///
    /// # Errors
    /// When there is no cargo, or no runtime to build on.
    pub fn library(&self) -> Result<PathBuf> {
        self.rules.library(&Toolchain::find(None, None, false)?)
    }

    /// A picture of a position that is given as text.
    ///
    /// # Errors
    /// When the text is none of a position.
    pub fn svg(&self, position: &str) -> Result<String> {
        let start = rulec_engines::interpreted(&self.spelled);
        let state = start.read(position).map_err(|error| anyhow!(error))?;
        pictures::svg(&self.game, &*state, self.rules.folder())
    }

    /// Why a move is not legal in a position, as a document and as a sentence.
    ///
    /// # Errors
    /// When the text is none of a position.
    pub fn explain(&self, position: &str, wish: &str) -> Result<(Value, String)> {
        let start = rulec_engines::interpreted(&self.spelled);
        let state = start.read(position).map_err(|error| anyhow!(error))?;
        let look = pictures::look(self.spelled.interp().game())?;
        let refusal = explain::refuse(&self.spelled, &look, &*state, wish);
        Ok((rulec_serve::refusal_json(&refusal), refusal.sentence()))
    }
}
