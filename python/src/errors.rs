//! Errors as exceptions of `rulec.errors`.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::BoundObject;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rulec_abi::Refused;
use rulec_cli::embed::Mistakes;

/// An exception of the package by its name.
pub(crate) fn raise(py: Python<'_>, name: &str, text: &str) -> PyErr {
    exception(py, name, (text,))
}

fn exception<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyErr
where
    A: IntoPyObject<'py, Target = PyTuple>,
    PyErr: From<A::Error>,
{
    let made = || {
        let class = py.import("rulec.errors")?.getattr(name)?;
        let arguments = arguments
            .into_pyobject(py)
            .map_err(PyErr::from)?
            .into_bound();
        class.call1(arguments)
    };
    match made() {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// A refusal of an operation.
pub(crate) fn refused(py: Python<'_>, error: &Refused) -> PyErr {
    let name = match error.code {
        Refused::MOVE | Refused::OVER => "IllegalMove",
        Refused::PANIC => "Fault",
        _ => "UsageError",
    };
    raise(py, name, &error.text)
}

/// What went wrong while rules were read or compiled.
pub(crate) fn failed(py: Python<'_>, error: &anyhow::Error) -> PyErr {
    match error.downcast_ref::<Mistakes>() {
        Some(mistakes) => {
            let json = mistakes.json.to_string();
            exception(py, "RulesError", (mistakes.text.clone(), json))
        }
        None => raise(py, "RulecError", &format!("{error:#}")),
    }
}

/// Locks what belongs to one caller at a time.
pub(crate) fn lock<'m, T>(py: Python<'_>, mutex: &'m Mutex<T>) -> PyResult<MutexGuard<'m, T>> {
    match mutex.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(raise(py, "Busy", "another thread is using it")),
    }
}
