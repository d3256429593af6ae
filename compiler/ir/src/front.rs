//! What a front end is to the rest of the compiler, and what it is told.

use std::path::PathBuf;

use crate::diag::{CodeInfo, Diagnostics};
use crate::ir::Game;
use crate::source::{FileId, SourceMap};
#[cfg(feature = "editing")]
use crate::symbols::Editing;

/// What front ends may want to know about the surroundings of a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of the pictures that the file names; pictures are not looked for without it.
    pub image_folder: Option<PathBuf>,
    /// Names and values of settings that the language knows.
    pub settings: Vec<(String, String)>,
}

/// A rule language.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its name, also that of its folders.
    pub name: &'static str,
    /// Extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Its diagnostics.
    pub codes: &'static [&'static CodeInfo],
    /// Its front end: compiles a file of the map. Nothing if the rules have errors, and the diagnostics say which.
    pub compile: fn(&SourceMap, FileId, &Options, &mut Diagnostics) -> Option<Front>,
    /// Names of further files that those of the map speak of. A name that ends in `/` is a folder, and all of its files are
    /// meant.
    pub companions: fn(&SourceMap, &Options) -> Vec<String>,
    /// What editors can ask about its files.
    #[cfg(feature = "editing")]
    pub editing: Editing,
}

/// What a front end makes of rules without errors.
#[derive(Clone, Debug)]
pub struct Front {
    /// The syntax tree, for people.
    pub ast: String,
    /// What the rules mean.
    pub game: Game,
}
