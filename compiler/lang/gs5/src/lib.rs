//! Rule sets of the Rule Game Server, version 5: which piece may go into which of four buckets, and in what order.
//!
//! Reference: the server of version 8.060. What it does with a defined result is kept, also where its pages promise
//! something else (a comparison whose right side is empty is true); what makes it crash means what the pages say (arithmetic
//! on text gives nothing); what it trips over, such as an unknown order, is a diagnostic. What is compiled is a rule set
//! together with a declared set of pieces, from property tables, boards, a trial list, or by default the
//! pieces of four shapes and four colors; boards are start positions that a host gives.

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]
// What only editors ask stays unused without them.
#![cfg_attr(not(feature = "editing"), allow(dead_code))]

pub mod ast;
mod check;
pub mod codes;
mod composite;
mod draw;
#[cfg(feature = "editing")]
mod editing;
mod files;
#[cfg(feature = "editing")]
mod format;
mod lex;
mod lower;
mod needs;
mod parse;
mod pieces;
mod settings;
mod trials;
#[cfg(feature = "editing")]
mod words;

#[cfg(test)]
mod tests;

pub use needs::{companions, rules_of_rows, series_count};

#[cfg(feature = "editing")]
use rulec_ir::symbols;
use rulec_ir::{diag, front, ir, json, source};

use self::ast::RuleSet;
use self::settings::{Mode, Settings};
use crate::diag::{Diagnostic, Diagnostics};
use crate::front::{Front, Options};
use crate::ir::Game;
use crate::source::{FileId, SourceFile, SourceMap, Span};
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

/// The front end: reads, checks and lowers a rule set, or that of a trial list.
pub fn compile(
    sources: &SourceMap,
    file: FileId,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Front> {
    let mut findings = Diagnostics::new();
    let front = front(sources, sources.get(file)?, options, &mut findings);
    findings.sort();
    follow(&mut findings);
    let sound = !findings.has_errors();
    diagnostics.append(findings);
    front.filter(|_| sound)
}

/// Leaves out what follows from other mistakes: properties where a column of the trial list is lost, pieces that are left over
/// where a value or a property is misspelt, bounds that a cell of the list says.
fn follow(found: &mut Diagnostics) {
    let is = |found: &diag::Diagnostic, code: &diag::CodeInfo| std::ptr::eq(found.code, code);
    let any = |found: &Diagnostics, codes: &[&'static diag::CodeInfo]| {
        found
            .iter()
            .any(|one| codes.iter().any(|code| is(one, code)))
    };
    let mut columns = found.iter().filter(|one| is(one, &codes::LOST_COLUMN));
    let lost_column = columns.any(|one| one.help.as_ref().is_some_and(|h| h.replacement.is_some()));
    if lost_column {
        found.retain(|one| !is(one, &codes::UNKNOWN_PROPERTY));
    }
    let slips = [
        &codes::UNKNOWN_VALUE,
        &codes::UNKNOWN_PROPERTY,
        &codes::UNKNOWN_COLUMN,
        &codes::NEVER_HOLDS,
    ];
    if lost_column || any(found, &slips) {
        found.retain(|one| !is(one, &codes::LEFT_OVER));
    }
    if any(found, &[&codes::BAD_PLAN]) {
        found.retain(|one| !one.message.ends_with("do not fit on a board"));
    }
}

fn front(
    sources: &SourceMap,
    first: &SourceFile,
    options: &Options,
    out: &mut Diagnostics,
) -> Option<Front> {
    let start = Span::new(first.id(), 0, 0);
    let settings = Settings::read(&options.settings, start, out);
    let rules = match files::has_ending(first, "csv") {
        true => match needs::rules_of(sources, first, &settings, out) {
            Some(rules) => rules,
            None => {
                // What is wrong with the list itself is told all the same.
                let row = settings.row.unwrap_or(1);
                if let Some(series) = trials::read_series(first, row, settings.row.is_none(), out) {
                    series.check(out);
                }
                return None;
            }
        },
        false => first,
    };
    let set = read(rules, &settings, out);
    let pieces = pieces::Pieces::read(sources, rules, &settings, out);
    if out.has_errors() {
        // Names can be told wrong without pieces too.
        check::check(&set, None, &settings, out);
        return None;
    }
    let pieces = pieces?;
    check::check(&set, Some(&pieces), &settings, out);
    if out.has_errors() {
        return None;
    }
    let game = lower(&set, &pieces, sources, rules, &settings, out)?;
    Some(Front {
        ast: set.to_string(),
        game,
    })
}

fn lower(
    set: &RuleSet,
    pieces: &pieces::Pieces,
    sources: &SourceMap,
    rules: &SourceFile,
    settings: &Settings,
    out: &mut Diagnostics,
) -> Option<Game> {
    let base = rules.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let name = base.rsplit_once('.').map_or(base, |(name, _)| name);
    let strict = settings.mode == Mode::Strict;
    let span = Span::new(rules.id(), 0, 0);
    lower::lower(set, pieces, name, strict, sources, span, out)
}

/// Reads the text of a rule set.
fn read(source: &SourceFile, settings: &Settings, out: &mut Diagnostics) -> RuleSet {
    for byte in source.bad_bytes() {
        // Its stand-in may have two bytes.
        let len = char::from(byte.byte).len_utf8() as u32;
        let span = Span::new(source.id(), byte.offset, byte.offset + len);
        let message = format!("the byte 0x{:02x} is not UTF-8", byte.byte);
        let found = Diagnostic::new(&crate::diag::general::NOT_UTF8, span, message);
        out.push(
            found
                .label("shown as Latin-1")
                .help("save the file as UTF-8"),
        );
    }
    if source.had_byte_order_mark() {
        let span = Span::new(source.id(), 0, 0);
        let message = "the file starts with a byte order mark";
        out.push(Diagnostic::new(&codes::BYTE_ORDER_MARK, span, message));
    }
    parse::parse(source, settings, out)
}
