//! A game: compiled rules and what runs them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use rulec_abi::{Games, Settings};
use rulec_cli::embed::Embedded;

use crate::errors::{failed, lock, raise, refused};
use crate::selfplay::Selfplay;
use crate::state::State;
use crate::vector::Batch;

/// A game.
#[pyclass(frozen, module = "rulec._rulec")]
pub(crate) struct Game {
    games: Mutex<Games>,
    pub(crate) rules: Arc<Embedded>,
}

#[pymethods]
impl Game {
    /// Reads rules; `native` compiles them, `library` is a library that was compiled before.
    #[new]
    #[pyo3(signature = (path, native=false, settings=Vec::new(), library=None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        native: bool,
        settings: Vec<(String, String)>,
        library: Option<PathBuf>,
    ) -> PyResult<Self> {
        let made = py.detach(|| -> anyhow::Result<(Games, Embedded)> {
            let rules = Embedded::open(&path, &settings)?;
            let games = match (&library, native) {
                (Some(library), _) => rulec_abi::load(library, Some(rules.info().rules_sha256))?,
                (None, true) => {
                    rulec_abi::load(&rules.library()?, Some(rules.info().rules_sha256))?
                }
                (None, false) => rules.games()?,
            };
            Ok((games, rules))
        });
        let (games, rules) = made.map_err(|error| failed(py, &error))?;
        Ok(Self {
            games: Mutex::new(games),
            rules: Arc::new(rules),
        })
    }

    /// The document about the game, in JSON.
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let told = lock(py, &self.games)?.describe();
        told.map_err(|error| refused(py, &error))
    }

    /// The texts of moves by index, in JSON.
    fn move_texts(&self, py: Python<'_>) -> PyResult<String> {
        let mut guard = lock(py, &self.games)?;
        let games = &mut *guard;
        let told = py.detach(|| games.move_texts());
        told.map_err(|error| refused(py, &error))
    }

    /// Positions that step together.
    fn batch(
        &self,
        py: Python<'_>,
        games: usize,
        seed: u64,
        limit: u32,
        threads: usize,
    ) -> PyResult<Batch> {
        let settings = Settings {
            games,
            seed,
            limit,
            threads,
            ..Settings::default()
        };
        let batch = lock(py, &self.games)?.batch(&settings);
        let batch = batch.map_err(|error| refused(py, &error))?;
        Ok(Batch::new(batch))
    }

    /// One position, at the start.
    #[pyo3(signature = (seed=0, explicit_chance=false))]
    fn start(slf: &Bound<'_, Self>, seed: u64, explicit_chance: bool) -> PyResult<State> {
        let py = slf.py();
        let this = slf.get();
        let settings = Settings {
            seed,
            reset: false,
            given: explicit_chance,
            limit: u32::MAX,
            ..Settings::default()
        };
        let batch = lock(py, &this.games)?.batch(&settings);
        let batch = batch.map_err(|error| refused(py, &error))?;
        State::new(py, batch, slf.clone().unbind())
    }

    /// Games in flight: settings in JSON.
    fn selfplay(&self, py: Python<'_>, settings: &str) -> PyResult<Selfplay> {
        let wrong = |error: serde_json::Error| raise(py, "UsageError", &error.to_string());
        let settings = serde_json::from_str(settings).map_err(wrong)?;
        let play = lock(py, &self.games)?.selfplay(&settings);
        let play = play.map_err(|error| refused(py, &error))?;
        Ok(Selfplay::new(play, self.rules.info()))
    }
}

impl Game {
    /// A picture of a position.
    pub(crate) fn svg_position(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        let drawn = self.rules.svg(position);
        drawn.map_err(|error| failed(py, &error))
    }

    /// Why a move is not legal: a document in JSON.
    pub(crate) fn explain_position(
        &self,
        py: Python<'_>,
        position: &str,
        wish: &str,
    ) -> PyResult<String> {
        let told = self.rules.explain(position, wish);
        let (document, _) = told.map_err(|error| failed(py, &error))?;
        Ok(document.to_string())
    }
}
