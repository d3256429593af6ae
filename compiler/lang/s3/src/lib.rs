//! S3 Games: rules as element moves between locations, with conditions in a small expression language.
//!
//! Reference: the engine of 2013, its wiki, and the fork of 2017 (set literals, `toLocations`, lazy lists, `robot` in
//! centimetres). Where they differ the code of 2013 counts, and for brackets and braces that of 2017. Departures, all
//! of them towards accepting more or refusing at compile time what the engines refuse at run time: both sides of `=` are
//! trimmed; patterns may mix variables with literal digits and unify repeated variables; `"$A$B"` prints both; the
//! wiki's spellings are read; names, types, argument counts and constants are checked.

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]
// What only editors ask stays unused without them.
#![cfg_attr(not(feature = "editing"), allow(dead_code))]

pub mod ast;
mod check;

pub mod codes;
#[cfg(feature = "editing")]
mod editing;
mod expr;
#[cfg(feature = "editing")]
mod format;
#[rustfmt::skip]
mod grammar;
mod items;
mod lines;
mod lower;
mod parse;
mod precedence;
mod print;
mod scan;
mod text;
mod values;
#[cfg(feature = "editing")]
mod words;

#[cfg(test)]
mod tests;

#[cfg(feature = "editing")]
use rulec_ir::symbols;
use rulec_ir::{diag, front, ir, source};

use crate::diag::Diagnostics;
use crate::front::{Front, Options};
use crate::source::{FileId, SourceFile, SourceMap};
#[cfg(feature = "editing")]
use crate::symbols::Editing;

pub use lower::{Answer, Constant, Evaluation, NO_TEXT, lower, lower_with_steps};

/// What editors can ask about files of the language.
#[cfg(feature = "editing")]
pub const EDITING: Editing = Editing {
    index: editing::index,
    expected: editing::expected,
    words: words::all,
    is_name: editing::is_name,
    format: format::format,
};

/// The front end: reads, checks and lowers a file.
pub fn compile(
    sources: &SourceMap,
    file: FileId,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Front> {
    let tree = load(sources.get(file)?, options, diagnostics)?;
    let game = lower::lower(&tree, sources, diagnostics)?;
    let ast = tree.to_string();
    Some(Front { ast, game })
}

/// Reads and checks a file: its tree if there is no error, warnings or not.
pub fn load(
    source: &SourceFile,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<ast::Game> {
    let mut findings = Diagnostics::new();
    let (game, lost) = parse::parse(source, &mut findings);
    check::check(&game, &lost, options, &mut findings);
    findings.sort();
    precedence::drop_consequences(&mut findings);
    let sound = !findings.has_errors();
    diagnostics.append(findings);
    sound.then_some(game)
}
