//! Games that are shared libraries.

use std::fmt;
use std::path::Path;

use crate::client::Games;
use crate::ffi::foreign::Foreign;
use crate::ffi::{MAGIC, Table, VERSION};

/// Why a library is not used.
#[derive(Debug)]
pub enum LoadError {
    /// It cannot be opened, or is no library of a game.
    Library(String),
    /// It has another version of the interface.
    Version(u32),
    /// It was made from other rules: their hash.
    Rules(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Library(text) => write!(f, "no library of a game: {text}"),
            LoadError::Version(version) => write!(
                f,
                "the library has version {version} of the interface instead of {VERSION}; build it again with this rulec"
            ),
            LoadError::Rules(hash) => write!(
                f,
                "the library was built from other rules (SHA-256 {hash}); build it again with `rulec build --lib`"
            ),
        }
    }
}

impl std::error::Error for LoadError {}

/// Opens a library that `rulec build --lib` made, if it was made from the rules with this hash (any if none is given).
///
/// It stays in memory to the end of the process. A library is a program: open only what you trust.
///
/// # Errors
/// Why it is not used.
pub fn load(path: &Path, rules_sha256: Option<&str>) -> Result<Games, LoadError> {
    let table = open(path)?;
    if table.magic != MAGIC {
        return Err(LoadError::Library("its table begins otherwise".to_owned()));
    }
    if table.version != VERSION || (table.size as usize) < size_of::<Table>() {
        return Err(LoadError::Version(table.version));
    }
    let rules = String::from_utf8_lossy(&table.rules).into_owned();
    if rules_sha256.is_some_and(|wanted| wanted != rules) {
        return Err(LoadError::Rules(rules));
    }
    let port = Foreign::open(table)
        .ok_or_else(|| LoadError::Library("the game cannot be made".to_owned()))?;
    Ok(Games::new(Box::new(port)))
}

#[allow(unsafe_code)]
fn open(path: &Path) -> Result<&'static Table, LoadError> {
    type Entry = unsafe extern "C" fn() -> *const Table;
    let failed = |error: libloading::Error| LoadError::Library(error.to_string());
    // SAFETY: opening a library runs its initialisers, and the symbol is trusted to have this type: the name `rulec_game_v1` is
    // ours, and only `export!` makes it. The library is never closed, so that its table and functions live as long as the process.
    unsafe {
        let library = Box::leak(Box::new(libloading::Library::new(path).map_err(failed)?));
        let entry = library.get::<Entry>(b"rulec_game_v1").map_err(failed)?;
        entry()
            .as_ref()
            .ok_or_else(|| LoadError::Library("it gives no table".to_owned()))
    }
}
