//! Board game constructor: chess-like games as JSON, with movements by vectors, conditions and actions.
//!
//! Reference: the engine of June 2021 (`game.js`, `library.js`), as far as games can tell; its surprising parts belong to
//! the language, because games were tuned by playing them in that engine. What it would ignore silently or crash on is a
//! diagnostic. Files that say `"extensions": true` may use what is needed for chess and draughts in full: bounded steps,
//! conditions and priorities of entries, chains, choices, attacks, forbidden positions, results, draws by rule, passing.

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]
// What only editors ask stays unused without them.
#![cfg_attr(not(feature = "editing"), allow(dead_code))]

pub mod ast;
mod check;
pub mod codes;
#[cfg(feature = "editing")]
mod editing;
mod follow;
#[cfg(feature = "editing")]
mod format;
#[rustfmt::skip]
mod grammar;
mod lower;
mod read;
pub mod schema;
pub mod script;

#[cfg(test)]
mod tests;

use rulec_ir::{diag, front, ir, json, source, symbols};

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
    words: schema::words,
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
    let source = sources.get(file)?;
    let mut findings = Diagnostics::new();
    let (ast, game) = match load(source, &mut findings) {
        Some((json, tree)) => (
            Some(json.to_string()),
            lower::lower(&tree, sources, &mut findings),
        ),
        None => (None, None),
    };
    follow::dead_ends(&mut findings);
    findings.sort();
    let sound = !findings.has_errors();
    diagnostics.append(findings);
    match sound {
        true => Some(Front {
            ast: ast?,
            game: game?,
        }),
        false => None,
    }
}

/// Reads and checks a file: its text as data and its tree, if there is no error.
fn load(source: &SourceFile, out: &mut Diagnostics) -> Option<(json::Json, ast::Game)> {
    for byte in source.bad_bytes() {
        // Its stand-in may have two bytes.
        let len = char::from(byte.byte).len_utf8() as u32;
        let span = crate::source::Span::new(source.id(), byte.offset, byte.offset + len);
        let message = format!("the byte 0x{:02x} is not UTF-8", byte.byte);
        let code = &crate::diag::general::NOT_UTF8;
        let found = crate::diag::Diagnostic::new(code, span, message);
        let found = found.label("shown as Latin-1");
        out.push(found.help("save the file as UTF-8"));
    }
    let json = json::parse(source, codes::JSON, out)?;
    let base = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let name = base.strip_suffix(".json").unwrap_or(base);
    let tree = read::read(&json, source, name, out);
    if let Some(tree) = &tree {
        check::check(tree, out);
    }
    follow::fold(source, out);
    let tree = tree?;
    (!out.has_errors()).then_some((json, tree))
}
