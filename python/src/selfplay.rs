//! Games in flight, whose positions a function in Python judges.

use std::path::PathBuf;
use std::sync::Mutex;

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use rulec_abi::GameInfo;
use rulec_search::selfplay::{Images, Place, Shards, ToldGames};
use serde_json::{Value, json};

use crate::errors::{lock, raise, refused};
use crate::state::numbers;

/// Games in flight.
#[pyclass(frozen, module = "rulec._rulec")]
pub(crate) struct Selfplay {
    inner: Mutex<Inner>,
}

struct Inner {
    play: rulec_abi::Selfplay,
    info: &'static GameInfo,
    files: Option<ToldGames>,
    games: u64,
    plies: u64,
    samples: u64,
    payoffs: Vec<f64>,
    resigned: u64,
    played_on: u64,
    regretted: u64,
    faults: u64,
}

impl Inner {
    /// Counts the games that are over and writes them.
    fn finish(&mut self) -> Result<(), String> {
        let lines = self.play.take().map_err(|error| error.text)?;
        for line in lines.lines() {
            let told = serde_json::from_str(line).map_err(|error| error.to_string())?;
            self.count(&told);
            if let Some(files) = &mut self.files {
                files.push(&told).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    fn count(&mut self, told: &Value) {
        self.games += 1;
        self.plies += told["plies"].as_u64().unwrap_or(0);
        self.samples += told["decisions"].as_u64().unwrap_or(0);
        self.faults += u64::from(told["reason"] == "fault");
        for (player, sum) in self.payoffs.iter_mut().enumerate() {
            *sum += told["payoffs"][player].as_f64().unwrap_or(0.5);
        }
        if let Some(player) = told["resigned"].as_u64() {
            self.resigned += 1;
            if told["played_on"] == true {
                self.played_on += 1;
                let payoff = told["payoffs"][player as usize].as_f64();
                self.regretted += u64::from(payoff.is_some_and(|payoff| payoff > 0.0));
            }
        }
    }
}

impl Selfplay {
    pub(crate) fn new(play: rulec_abi::Selfplay, info: &'static GameInfo) -> Self {
        Self {
            inner: Mutex::new(Inner {
                play,
                info,
                files: None,
                games: 0,
                plies: 0,
                samples: 0,
                payoffs: vec![0.0; info.players.len()],
                resigned: 0,
                played_on: 0,
                regretted: 0,
                faults: 0,
            }),
        }
    }
}

#[pymethods]
impl Selfplay {
    /// Writes games to shards in a folder, so many each.
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn write_to(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        games: u64,
        size: u64,
        settings: &str,
        seed: u64,
        player: &str,
        augment: bool,
    ) -> PyResult<()> {
        let mut inner = lock(py, &self.inner)?;
        let wrong = |error: serde_json::Error| raise(py, "UsageError", &error.to_string());
        let mut settings: Value = serde_json::from_str(settings).map_err(wrong)?;
        if augment {
            settings["augment"] = Images::of(inner.info).each().into();
        }
        let place = Place::Folder(Shards {
            folder,
            games,
            size: size.max(1),
            samples: true,
            augment,
            resume: false,
        });
        let files = ToldGames::create(inner.info, &place, &settings, seed, player);
        inner.files = Some(files?);
        Ok(())
    }

    /// Collects positions; gives how many there are.
    fn gather(
        &self,
        py: Python<'_>,
        mut cells: PyReadwriteArray1<'_, u8>,
        mut mask: PyReadwriteArray1<'_, u8>,
        kind: u8,
    ) -> PyResult<usize> {
        let mut guard = lock(py, &self.inner)?;
        let inner = &mut *guard;
        let (cells, mask) = (cells.as_slice_mut()?, mask.as_slice_mut()?);
        let gathered = py.detach(|| {
            let rows = inner.play.gather(numbers(kind), cells, mask);
            (rows, inner.finish())
        });
        gathered.1.map_err(|text| raise(py, "RulecError", &text))?;
        gathered.0.map_err(|error| refused(py, &error))
    }

    /// Takes the judgement of these positions.
    fn scatter(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArray1<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
    ) -> PyResult<()> {
        let mut guard = lock(py, &self.inner)?;
        let inner = &mut *guard;
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        let taken = py.detach(|| inner.play.scatter(logits, values));
        taken.map_err(|error| refused(py, &error))
    }

    /// What was played so far, in JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        let inner = lock(py, &self.inner)?;
        let games = inner.games.max(1) as f64;
        let mean: Vec<f64> = inner.payoffs.iter().map(|sum| sum / games).collect();
        Ok(json!({
            "games": inner.games,
            "plies": inner.plies,
            "samples": inner.samples,
            "payoffs": mean,
            "resigned": inner.resigned,
            "played_on": inner.played_on,
            "regretted": inner.regretted,
            "faults": inner.faults,
        })
        .to_string())
    }
}
