//! One position.

use std::sync::{Mutex, PoisonError};

use numpy::PyArray1;
use pyo3::prelude::*;
use rulec_abi::{Batch, Kinds, Mask, Numbers, View};

use crate::errors::{raise, refused};
use crate::game::Game;

/// A position; `play` changes it.
#[pyclass(module = "rulec._rulec")]
pub(crate) struct State {
    /// Only ever used by who has the whole state; the lock is what makes it fit for threads.
    batch: Mutex<Batch>,
    /// The game that it belongs to.
    #[pyo3(get)]
    game: Py<Game>,
    rewards: Vec<f32>,
    /// Who is to move: -1 for chance, -2 for nobody.
    player: [i8; 1],
    over: [u8; 1],
}

impl State {
    pub(crate) fn new(py: Python<'_>, batch: Batch, game: Py<Game>) -> PyResult<Self> {
        let players = game.get().rules.info().players.len();
        let mut state = Self {
            batch: Mutex::new(batch),
            game,
            rewards: vec![0.0; players],
            player: [0],
            over: [0],
        };
        state.look(py)?;
        Ok(state)
    }

    fn look(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut view = View {
            players: &mut self.player,
            ..View::default()
        };
        let seen = own(&mut self.batch).watch(Kinds::default(), &mut view);
        seen.map_err(|error| refused(py, &error))?;
        self.over = [u8::from(self.player == [-2])];
        self.rewards.fill(0.0);
        if self.over == [1] {
            let status = own(&mut self.batch).status(0);
            let status = status.map_err(|error| refused(py, &error))?;
            let told: serde_json::Value = serde_json::from_str(&status).unwrap_or_default();
            for (player, reward) in self.rewards.iter_mut().enumerate() {
                let payoff = told["payoffs"][player].as_f64().unwrap_or(0.5);
                *reward = (2.0 * payoff - 1.0) as f32;
            }
        }
        Ok(())
    }

    fn cells<'py, T: bytemuck::Pod + numpy::Element>(
        &mut self,
        py: Python<'py>,
        kind: u8,
        cells: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut seen = vec![T::zeroed(); cells];
        let kinds = Kinds {
            mask: Mask::None,
            cells: numbers(kind),
        };
        let mut view = View {
            cells: bytemuck::cast_slice_mut(&mut seen),
            ..View::default()
        };
        let done = own(&mut self.batch).watch(kinds, &mut view);
        done.map_err(|error| refused(py, &error))?;
        Ok(PyArray1::from_vec(py, seen).into_any())
    }

    fn text_of(&mut self, py: Python<'_>) -> PyResult<String> {
        let text = own(&mut self.batch).text(0);
        text.map_err(|error| refused(py, &error))
    }
}

/// A move, by its index or its text.
#[derive(FromPyObject)]
enum MoveName {
    Index(i32),
    Text(String),
}

#[pymethods]
impl State {
    /// Plays a legal move, by index or text.
    fn play(&mut self, py: Python<'_>, mv: MoveName) -> PyResult<()> {
        let index = match mv {
            MoveName::Index(index) => index,
            MoveName::Text(text) => {
                let found = own(&mut self.batch).move_of(0, &text);
                found.map_err(|error| refused(py, &error))?
            }
        };
        if index < 0 {
            let text = format!("move {index} is not legal there");
            return Err(raise(py, "IllegalMove", &text));
        }
        let mut view = View {
            rewards: &mut self.rewards,
            over: &mut self.over,
            players: &mut self.player,
            ..View::default()
        };
        let stepped = own(&mut self.batch).step(&[index], Kinds::default(), &mut view);
        stepped.map(|_| ()).map_err(|error| refused(py, &error))
    }

    /// The indexes of the legal moves.
    fn legal<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let legal = own(&mut self.batch)
            .legal(0)
            .map_err(|error| refused(py, &error))?;
        Ok(PyArray1::from_vec(py, legal))
    }

    /// The same as a list.
    fn legal_list(&mut self, py: Python<'_>) -> PyResult<Vec<i32>> {
        own(&mut self.batch)
            .legal(0)
            .map_err(|error| refused(py, &error))
    }

    /// Who is to move, from 0; -1 for chance, -2 for nobody.
    #[getter]
    fn player(&self) -> i8 {
        self.player[0]
    }

    /// Whether the game is over.
    #[getter]
    fn done(&self) -> bool {
        self.over[0] == 1
    }

    /// 1 for a win, -1 for a loss, 0 for a draw and while the game goes on, for each player.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.rewards)
    }

    /// What is known of the position, in JSON.
    fn status(&mut self, py: Python<'_>) -> PyResult<String> {
        own(&mut self.batch)
            .status(0)
            .map_err(|error| refused(py, &error))
    }

    /// The results of the draw that is due, in JSON.
    fn results(&mut self, py: Python<'_>) -> PyResult<String> {
        own(&mut self.batch)
            .results(0)
            .map_err(|error| refused(py, &error))
    }

    /// The text of a legal move.
    fn move_text(&mut self, py: Python<'_>, index: u32) -> PyResult<String> {
        let text = own(&mut self.batch).move_text(0, index);
        text.map_err(|error| refused(py, &error))
    }

    /// The index of a legal move that is written so.
    fn move_index(&mut self, py: Python<'_>, text: &str) -> PyResult<i32> {
        let index = own(&mut self.batch).move_of(0, text);
        index.map_err(|error| refused(py, &error))
    }

    /// The position as text.
    #[getter]
    fn text(&mut self, py: Python<'_>) -> PyResult<String> {
        self.text_of(py)
    }

    /// Sets a position up that is given as text.
    fn read(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let read = own(&mut self.batch).read(0, text);
        read.map_err(|error| refused(py, &error))?;
        self.look(py)
    }

    /// A key: equal positions have equal ones.
    #[getter]
    fn key(&mut self, py: Python<'_>) -> PyResult<u64> {
        let mut key = [0];
        let told = own(&mut self.batch).keys(&mut key);
        told.map_err(|error| refused(py, &error))?;
        Ok(key[0])
    }

    /// A copy that is played by itself.
    fn copy(&mut self, py: Python<'_>) -> PyResult<State> {
        let batch = own(&mut self.batch)
            .copy()
            .map_err(|error| refused(py, &error))?;
        Ok(State {
            batch: Mutex::new(batch),
            game: self.game.clone_ref(py),
            rewards: self.rewards.clone(),
            player: self.player,
            over: self.over,
        })
    }

    /// What a network sees, as a new array of `f32`, `u8` or `i8`.
    #[pyo3(signature = (dtype="f32"))]
    fn observe<'py>(&mut self, py: Python<'py>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
        let planes = self.game.get().rules.info().planes.iter();
        let cells = planes.map(|plane| plane.cells).sum();
        match dtype {
            "f32" | "float32" => self.cells::<f32>(py, 1, cells),
            "u8" | "uint8" => self.cells::<u8>(py, 2, cells),
            "i8" | "int8" => self.cells::<i8>(py, 3, cells),
            other => {
                let text = format!("cells are f32, u8 or i8, not `{other}`");
                Err(raise(py, "UsageError", &text))
            }
        }
    }

    /// A byte for each move, 1 for legal ones, as a new array.
    fn mask<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let moves = self.game.get().rules.info().move_count;
        let mut mask = vec![0; moves];
        for index in own(&mut self.batch)
            .legal(0)
            .map_err(|error| refused(py, &error))?
        {
            if let Some(cell) = mask.get_mut(index as usize) {
                *cell = 1;
            }
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    fn __copy__(&mut self, py: Python<'_>) -> PyResult<State> {
        self.copy(py)
    }

    fn __deepcopy__(&mut self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<State> {
        self.copy(py)
    }

    /// The mean payoff of each player over random games from here, from 0 to 1.
    #[pyo3(signature = (games, limit=10_000))]
    fn playouts<'py>(
        &mut self,
        py: Python<'py>,
        games: u32,
        limit: u32,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut mean = vec![0.0; self.rewards.len()];
        let batch = own(&mut self.batch);
        let played = py.detach(|| batch.playouts(0, games, limit, &mut mean));
        played.map_err(|error| refused(py, &error))?;
        Ok(PyArray1::from_vec(py, mean))
    }

    /// Why a move is not legal, in JSON.
    fn explain(&mut self, py: Python<'_>, wish: &str) -> PyResult<String> {
        let text = self.text_of(py)?;
        self.game.get().explain_position(py, &text, wish)
    }

    /// A picture.
    fn svg(&mut self, py: Python<'_>) -> PyResult<String> {
        let text = self.text_of(py)?;
        self.game.get().svg_position(py, &text)
    }

    fn _repr_svg_(&mut self, py: Python<'_>) -> PyResult<String> {
        self.svg(py)
    }

    fn __str__(&mut self, py: Python<'_>) -> PyResult<String> {
        self.text_of(py)
    }
}

/// What is behind a lock that nobody else can hold.
fn own(batch: &mut Mutex<Batch>) -> &mut Batch {
    batch.get_mut().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn numbers(kind: u8) -> Numbers {
    match kind {
        1 => Numbers::F32,
        2 => Numbers::U8,
        3 => Numbers::I8,
        _ => Numbers::None,
    }
}
