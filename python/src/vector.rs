//! Positions that step together.

use std::sync::Mutex;

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use rulec_abi::{Kinds, Mask, View};

use crate::errors::{lock, refused};
use crate::state::numbers;

/// Positions that step together.
#[pyclass(frozen, module = "rulec._rulec")]
pub(crate) struct Batch {
    batch: Mutex<rulec_abi::Batch>,
}

impl Batch {
    pub(crate) fn new(batch: rulec_abi::Batch) -> Self {
        Self {
            batch: Mutex::new(batch),
        }
    }
}

fn kinds(mask: u8, cells: u8) -> Kinds {
    Kinds {
        mask: match mask {
            1 => Mask::Bytes,
            2 => Mask::Bits,
            _ => Mask::None,
        },
        cells: numbers(cells),
    }
}

#[pymethods]
impl Batch {
    /// Begins games anew.
    fn reset(&self, py: Python<'_>, games: Vec<u32>, seed: Option<u64>) -> PyResult<()> {
        let mut guard = lock(py, &self.batch)?;
        let batch = &mut *guard;
        let done = py.detach(|| batch.reset(&games, seed));
        done.map_err(|error| refused(py, &error))
    }

    /// Plays a move in every game and fills what has room. Gives how many games ran into a fault, which are over then.
    #[allow(clippy::too_many_arguments)]
    fn step(
        &self,
        py: Python<'_>,
        moves: PyReadonlyArray1<'_, i32>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut over: PyReadwriteArray1<'_, u8>,
        mut stopped: PyReadwriteArray1<'_, u8>,
        mut players: PyReadwriteArray1<'_, i8>,
        mut mask: PyReadwriteArray1<'_, u8>,
        mut cells: PyReadwriteArray1<'_, u8>,
        mut last: PyReadwriteArray1<'_, u8>,
        mask_kind: u8,
        cells_kind: u8,
    ) -> PyResult<u64> {
        let mut guard = lock(py, &self.batch)?;
        let batch = &mut *guard;
        let mut view = View {
            rewards: rewards.as_slice_mut()?,
            over: over.as_slice_mut()?,
            stopped: stopped.as_slice_mut()?,
            players: players.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            cells: cells.as_slice_mut()?,
            last: last.as_slice_mut()?,
        };
        let moves = moves.as_slice()?;
        let kinds = kinds(mask_kind, cells_kind);
        let stepped = py.detach(|| batch.step(moves, kinds, &mut view));
        stepped.map_err(|error| refused(py, &error))
    }

    /// Fills what has room with what there is to be seen.
    fn watch(
        &self,
        py: Python<'_>,
        mut players: PyReadwriteArray1<'_, i8>,
        mut mask: PyReadwriteArray1<'_, u8>,
        mut cells: PyReadwriteArray1<'_, u8>,
        mask_kind: u8,
        cells_kind: u8,
    ) -> PyResult<()> {
        let mut guard = lock(py, &self.batch)?;
        let batch = &mut *guard;
        let mut view = View {
            players: players.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            cells: cells.as_slice_mut()?,
            ..View::default()
        };
        let kinds = kinds(mask_kind, cells_kind);
        let seen = py.detach(|| batch.watch(kinds, &mut view));
        seen.map_err(|error| refused(py, &error))
    }

    /// Draws a legal move for every game.
    fn sample(&self, py: Python<'_>, mut out: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let mut guard = lock(py, &self.batch)?;
        let batch = &mut *guard;
        let out = out.as_slice_mut()?;
        let drawn = py.detach(|| batch.sample(out));
        drawn.map_err(|error| refused(py, &error))
    }

    /// The position of a game as text.
    fn text(&self, py: Python<'_>, game: u32) -> PyResult<String> {
        let text = lock(py, &self.batch)?.text(game);
        text.map_err(|error| refused(py, &error))
    }

    /// Sets up the position of a game.
    fn read(&self, py: Python<'_>, game: u32, text: &str) -> PyResult<()> {
        let read = lock(py, &self.batch)?.read(game, text);
        read.map_err(|error| refused(py, &error))
    }

    /// Keys of all positions.
    fn keys(&self, py: Python<'_>, mut out: PyReadwriteArray1<'_, u64>) -> PyResult<()> {
        let told = lock(py, &self.batch)?.keys(out.as_slice_mut()?);
        told.map_err(|error| refused(py, &error))
    }

    /// A copy of all positions.
    fn copy(&self, py: Python<'_>) -> PyResult<Batch> {
        let copy = lock(py, &self.batch)?.copy();
        Ok(Batch::new(copy.map_err(|error| refused(py, &error))?))
    }

    /// The first fault of the last step.
    fn fault(&self, py: Python<'_>) -> PyResult<String> {
        let text = lock(py, &self.batch)?.fault();
        text.map_err(|error| refused(py, &error))
    }
}
