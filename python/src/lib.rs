//! The native half of the Python package `rulec`; what people use is in `rulec/*.py`, described in `_rulec.pyi`.

mod errors;
mod game;
mod selfplay;
mod state;
mod vector;

use pyo3::prelude::*;

#[pymodule]
fn _rulec(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<vector::Batch>()?;
    module.add_class::<selfplay::Selfplay>()?;
    Ok(())
}
