//! Board Game Model: objects in objects, actions with requirements and effects, choices and chance.
//!
//! Reference: the seed document of the notation and the rules that were set where it is silent. An object is in at most
//! one container, so containment is a function, and loops of it are legal. Unnamed objects of a type are
//! interchangeable: positions and moves that differ by a renaming of them are one.
//!
//! - [`scan`]: words of lines; [`parse`]: lines to declarations ([`ast`])
//! - [`check`]: declarations to a [`model`] in which every name is resolved
//! - [`lower`]: the model to the IR

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]
// What only editors ask stays unused without them.
#![cfg_attr(not(feature = "editing"), allow(dead_code))]

pub mod ast;
mod check;
pub mod codes;
#[cfg(feature = "editing")]
mod editing;
#[cfg(feature = "editing")]
mod format;
mod lower;
pub mod model;
mod parse;
mod print;
mod scan;
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
    _options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Front> {
    let mut findings = Diagnostics::new();
    let tree = parse::parse(sources.get(file)?, &mut findings);
    let model = check::check(&tree, &mut findings);
    let game = match findings.has_errors() {
        true => None,
        false => lower::lower(&model, sources, &mut findings),
    };
    findings.sort();
    let sound = !findings.has_errors();
    diagnostics.append(findings);
    let game = game.filter(|_| sound)?;
    let ast = tree.to_string();
    Some(Front { ast, game })
}

/// Reads and checks a file: what it means if there is no error, warnings or not.
pub fn load(source: &SourceFile, diagnostics: &mut Diagnostics) -> Option<model::Model> {
    let mut findings = Diagnostics::new();
    let tree = parse::parse(source, &mut findings);
    let model = check::check(&tree, &mut findings);
    findings.sort();
    let sound = !findings.has_errors();
    diagnostics.append(findings);
    sound.then_some(model)
}
