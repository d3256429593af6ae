//! Basic board game editor language: boards of fields with commands, walked over by dice.
//!
//! Reference: the interpreter of the editor (version 1.4.1) with the corrections that the language's description recommends.
//! A file is a world (`.world`) or a tile (`.tile`) as the editor exports it, or a board as text (`.bbgel`,
//! [`read_text`]).
//!
//! - [`read_json`], [`read_text`]: a file to a [`world`] of tiles, fields and texts of commands
//! - [`lex`], [`parse`]: a text to a tree ([`ast`])
//! - [`check`]: what each field is, and where its ways lead; [`scopes`]: which local variables exist where
//! - [`lower`]: the board to the IR
//!
//! Where it departs: mistakes that are certain to happen are errors before the game; the same mistakes inside of an `if`
//! are warnings, and faults in the game. Eight scopes may be open at once.

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]
// What only editors ask stays unused without them.
#![cfg_attr(not(feature = "editing"), allow(dead_code))]

pub mod ast;
mod check;
pub mod codes;
mod doubts;
#[cfg(feature = "editing")]
mod editing;
#[cfg(feature = "editing")]
mod format;
mod lex;
mod lower;
mod parse;
mod read_json;
mod read_text;
mod scopes;
mod text;
#[cfg(feature = "editing")]
mod words;
mod world;

#[cfg(test)]
mod tests;

#[cfg(feature = "editing")]
use rulec_ir::symbols;
use rulec_ir::{diag, front, ir, json, source};

use std::fmt::Write as _;

use crate::diag::{Diagnostic, Diagnostics, general};
use crate::front::{Front, Options};
use crate::source::{FileId, SourceFile, SourceMap, Span};
#[cfg(feature = "editing")]
use crate::symbols::Editing;
use check::Board;
use lower::Mode;
use world::World;

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
    let front = front(sources, file, &mut findings);
    findings.sort();
    let sound = !findings.has_errors();
    if !sound {
        follow(&mut findings);
    }
    diagnostics.append(findings);
    front.filter(|_| sound)
}

/// Leaves out what may follow from errors: what may fail in a game, and jumps where a way is missing.
fn follow(found: &mut Diagnostics) {
    let is = |found: &diag::Diagnostic, code| std::ptr::eq(found.code, code);
    // Commands that cannot be read may say where to go.
    let ways = [&codes::NO_CONTROL, &codes::SYNTAX];
    let lacks_way = found
        .iter()
        .any(|found| ways.iter().any(|code| is(found, *code)));
    let errors: Vec<source::Span> = (found.iter())
        .filter(|found| found.severity() == diag::Severity::Error)
        .map(diag::Diagnostic::span)
        .collect();
    found.retain(|found| {
        let follows = is(found, &codes::MAY_FAIL)
            || lacks_way && is(found, &codes::GOTO_END)
            || is(found, &codes::NO_TARGET) && errors.contains(&found.span());
        !follows
    });
}

fn front(sources: &SourceMap, file: FileId, out: &mut Diagnostics) -> Option<Front> {
    let source = sources.get(file)?;
    tell_bad_bytes(source, out);
    let world = read(source, out)?;
    let board = check::check(&world, out)?;
    if out.has_errors() {
        return None;
    }
    let ast = printed(&world, &board);
    let game = lower::lower(&world, &board, Mode::Game, sources, out);
    // Where scopes pile up, that their variables may be missing, or there already, follows.
    let told: Vec<String> = names_in_open_scopes(&board, out)
        .iter()
        .map(|name| format!("`{name}` may "))
        .collect();
    out.retain(|found| {
        let is_of = |start: &String| found.message.starts_with(start);
        !std::ptr::eq(found.code, &codes::MAY_FAIL) || !told.iter().any(is_of)
    });
    let game = game?;
    Some(Front { ast, game })
}

/// The variables that fields declare whose scopes are told to be left open.
fn names_in_open_scopes<'a>(board: &'a check::Board, out: &Diagnostics) -> Vec<&'a str> {
    let left_open = out
        .iter()
        .filter(|found| std::ptr::eq(found.code, &codes::SCOPE_LEFT_OPEN));
    let begins: Vec<_> = left_open.map(|found| found.span()).collect();
    let mut names = Vec::new();
    for place in &board.places {
        let code = &place.program.code;
        let begin = code
            .iter()
            .position(|stmt| begins.contains(&stmt.span) && stmt.kind == ast::StmtKind::BeginScope);
        let Some(begin) = begin else { continue };
        ast::each_stmt(&code[begin..], &mut |stmt| {
            if let ast::StmtKind::Decl(decl) = &stmt.kind {
                names.push(decl.name.as_str());
            }
        });
    }
    names
}

/// Whether a file is JSON, as the editor exports it.
fn is_json(source: &SourceFile) -> bool {
    let ending = source.name().rsplit_once('.').map(|(_, ending)| ending);
    matches!(ending, Some("world" | "tile")) || source.text().trim_start().starts_with('{')
}

fn read(source: &SourceFile, out: &mut Diagnostics) -> Option<World> {
    let base = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let name = base.rsplit_once('.').map_or(base, |(name, _)| name);
    match is_json(source) {
        true => read_json::read(source, name, out),
        false => read_text::read(source, name, out),
    }
}

/// Compiles a text of commands alone: it runs once, as the setup of a game without a board does, and the game is over.
///
/// The state at the end tells what it did; no host plays such a game.
pub fn compile_program(
    sources: &SourceMap,
    file: FileId,
    diagnostics: &mut Diagnostics,
) -> Option<Front> {
    let source = sources.get(file)?;
    let mut findings = Diagnostics::new();
    tell_bad_bytes(source, &mut findings);
    let front = program(sources, source, &mut findings);
    findings.sort();
    let sound = !findings.has_errors();
    diagnostics.append(findings);
    front.filter(|_| sound)
}

fn program(sources: &SourceMap, source: &SourceFile, out: &mut Diagnostics) -> Option<Front> {
    let span = Span::new(source.id(), 0, source.text().len() as u32);
    let world = World {
        name: source.name().to_owned(),
        setup: text::Text::plain(source, span),
        tiles: Vec::new(),
        placements: Vec::new(),
        single: None,
        costs: world::usual_costs(),
        span: Span::new(source.id(), 0, 0),
        unread: false,
    };
    let setup = check::check_program(&world, out);
    if out.has_errors() {
        return None;
    }
    let board = Board {
        setup,
        places: Vec::new(),
        start: 0,
    };
    let ast = printed(&world, &board);
    let game = lower::lower(&world, &board, Mode::Program, sources, out)?;
    Some(Front { ast, game })
}

fn tell_bad_bytes(source: &SourceFile, out: &mut Diagnostics) {
    for byte in source.bad_bytes() {
        // Its stand-in may have two bytes.
        let len = char::from(byte.byte).len_utf8() as u32;
        let span = Span::new(source.id(), byte.offset, byte.offset + len);
        let message = format!("the byte 0x{:02x} is not UTF-8", byte.byte);
        let found = Diagnostic::new(&general::NOT_UTF8, span, message).label("shown as Latin-1");
        out.push(found.help("save the file as UTF-8"));
    }
}

/// The trees of all texts, one statement a line.
fn printed(world: &World, board: &Board) -> String {
    let mut text = String::from("setup\n");
    let put = |program: &ast::Program| {
        let mut lines = String::new();
        for def in &program.defs {
            let _ = writeln!(lines, "    {def}");
        }
        for stmt in &program.code {
            let _ = writeln!(lines, "    {stmt}");
        }
        lines
    };
    text.push_str(&put(&board.setup));
    for place in &board.places {
        let tile = world.tiles.get(place.tile).map_or("", |tile| &tile.name);
        let _ = writeln!(text, "field {} on {tile}", place.id);
        text.push_str(&put(&place.program));
    }
    text
}
