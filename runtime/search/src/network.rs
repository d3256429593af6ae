//! Networks that judge positions for [`puct`](crate::puct), named by files.
//!
//! What reads such files are crates that most programs do without. One that has them says so by [`enable`]; in all others a player
//! with a network is refused.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rulec_core::GameInfo;

use crate::puct::Evaluator;

/// Reads a network for a game; what is wrong with it, for people.
pub type Opener = fn(&Path, &GameInfo) -> Result<Box<dyn Evaluator>, String>;

static OPENER: OnceLock<Opener> = OnceLock::new();
static NAMED: Mutex<Vec<&'static Network>> = Mutex::new(Vec::new());

/// What a network came to with a game, by the hash of its rules.
type Opened = (String, Result<&'static dyn Evaluator, String>);

/// From now on players may have networks, which `opener` reads.
pub fn enable(opener: Opener) {
    // The first one stays.
    let _ = OPENER.set(opener);
}

/// Whether players may have networks in this program.
pub fn is_enabled() -> bool {
    OPENER.get().is_some()
}

/// A network in a file. It is read when it is needed, and stays to the end of the program.
pub struct Network {
    path: PathBuf,
    opened: Mutex<Vec<Opened>>,
}

impl Network {
    /// The network of a file.
    ///
    /// # Errors
    /// In a program that runs no networks.
    pub fn of(path: &str) -> Result<&'static Network, String> {
        if !is_enabled() {
            return Err(
                "this program runs no networks; rulec-onnx does, which takes the same arguments: in a checkout, cargo install --path \
                 runtime/onnx"
                    .to_owned(),
            );
        }
        let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
        let path = PathBuf::from(path);
        if let Some(known) = named.iter().find(|network| network.path == path) {
            return Ok(known);
        }
        let network: &'static Network = Box::leak(Box::new(Network {
            path,
            opened: Mutex::default(),
        }));
        named.push(network);
        Ok(network)
    }

    /// The network as a judge of a game.
    ///
    /// # Errors
    /// When it cannot be read, or is not one for this game.
    pub fn evaluator(&self, info: &GameInfo) -> Result<&'static dyn Evaluator, String> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = opened.iter().find(|(rules, _)| rules == info.rules_sha256) {
            return known.clone();
        }
        let opener = OPENER.get().ok_or("this program runs no networks")?;
        let read = opener(&self.path, info);
        let read = read.map(|evaluator| &*Box::leak(evaluator));
        let read = read.map_err(|error| format!("{}: {error}", self.path.display()));
        opened.push((info.rules_sha256.to_owned(), read.clone()));
        read
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.fmt(f)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.path == other.path
    }
}

impl Eq for Network {}
