//! The rule languages.
//!
//! Each language is a folder that turns its texts into the IR and knows nothing of the others; [`LANGUAGES`] is the one
//! place that lists them.

pub mod bbgel;
pub mod bgc;
pub mod bgm;
pub mod gs5;
pub mod s3;

use std::path::PathBuf;

use crate::diag::{CodeInfo, Diagnostics, command, general};
use crate::ir::Game;
use crate::source::{FileId, SourceMap};
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
    pub editing: Editing,
}

/// For languages whose files speak of no others.
fn alone(_: &SourceMap, _: &Options) -> Vec<String> {
    Vec::new()
}

/// What a front end makes of rules without errors.
#[derive(Clone, Debug)]
pub struct Front {
    /// The syntax tree, for people.
    pub ast: String,
    /// What the rules mean.
    pub game: Game,
}

/// All languages.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "s3",
        extensions: &["s3"],
        codes: s3::codes::CODES,
        compile: s3::compile,
        companions: alone,
        editing: s3::EDITING,
    },
    Language {
        name: "bgm",
        extensions: &["bgm"],
        codes: bgm::codes::CODES,
        compile: bgm::compile,
        companions: alone,
        editing: bgm::EDITING,
    },
    Language {
        name: "bbgel",
        extensions: &["bbgel", "world", "tile"],
        codes: bbgel::codes::CODES,
        compile: bbgel::compile,
        companions: alone,
        editing: bbgel::EDITING,
    },
    Language {
        name: "bgc",
        extensions: &["json"],
        codes: bgc::codes::CODES,
        compile: bgc::compile,
        companions: alone,
        editing: bgc::EDITING,
    },
    Language {
        name: "gs5",
        extensions: &["txt", "csv"],
        codes: gs5::codes::CODES,
        compile: gs5::compile,
        companions: gs5::companions,
        editing: gs5::EDITING,
    },
];

/// The language of a file name, by its extension.
pub fn of_file(name: &str) -> Option<&'static Language> {
    let (_, extension) = name.rsplit_once('.')?;
    LANGUAGES
        .iter()
        .find(|language| language.extensions.contains(&extension))
}

/// All kinds of diagnostics: those that no language owns, then those of each language, in the order of their tables.
pub fn codes() -> impl Iterator<Item = &'static CodeInfo> {
    let tables = LANGUAGES.iter().map(|language| language.codes);
    let general = [general::CODES, command::CODES].into_iter();
    general.chain(tables).flatten().copied()
}

/// The kind of diagnostic that a code stands for, in any case of letters.
pub fn explain(code: &str) -> Option<&'static CodeInfo> {
    codes().find(|info| info.code.eq_ignore_ascii_case(code))
}
