//! The language server: what editors ask about rule files, answered over the Language Server Protocol.
//!
//! It knows no language. Front ends give an index of each file ([`rulec_compiler::symbols`]) and diagnostics; everything
//! here follows from these.
//!
//! - one thread owns the open files and answers requests, in the order in which they come ([`server`])
//! - another one checks files; while it does, only the newest version of each waits, and what it finds in an older one is
//!   dropped ([`check`])
//! - a third one counts the moves of the start and plays random games of rules without errors, until they change ([`games`])
//! - [`document`]: a file, and places in it as editors count them; [`features`], [`lenses`]: the answers

// The module document is also a guide to the private files beside it.
#![allow(rustdoc::private_intra_doc_links)]

mod check;
mod document;
mod features;
mod games;
mod lenses;
mod protocol;
mod rename;
mod server;
mod tokens;

use std::path::{Path, PathBuf};

use anyhow::Result;
use lsp_server::Connection;
use rulec_compiler::ir::{FamilyId, Game};
use rulec_compiler::lang::Options;
use rulec_compiler::source::{SourceMap, Span};

pub use server::serve;

/// What random games of rules showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Games that were played.
    pub games: u64,
    /// Positions of them in which somebody decided.
    pub positions: u64,
    /// What they reached of the rules, and what not.
    pub marks: Vec<Mark>,
}

/// A part of rules, and how often games came there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What kind of part.
    pub part: Part,
    /// Its name, for people; empty for steps.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// For rules the positions in which they admit a move, for ends the games that ended there, for steps how often they
    /// were taken.
    pub count: u64,
}

/// The parts of rules that games come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A kind of move.
    Rule,
    /// A place where the game ends.
    End,
    /// A step of what moves do.
    Step,
}

/// What the server cannot know by itself, since it reads no files and plays no games.
#[derive(Clone, Copy)]
pub struct Host {
    /// Adds the files that the first one of the map speaks of; the path is where that lies.
    pub companions: fn(&Path, &mut SourceMap, &Options),
    /// The folder of the pictures that rules at a path name.
    pub images: fn(&Path) -> Option<PathBuf>,
    /// Plays random games as long as it is told to go on; nothing if they cannot be played.
    pub play: fn(&Game, &dyn Fn() -> bool) -> Option<Played>,
    /// Why a kind of move is not legal at the start, as a sentence; nothing if nobody knows.
    pub why: fn(&Game, FamilyId) -> Option<String>,
}

impl Host {
    /// For files that stand alone.
    pub const NONE: Host = Host {
        companions: |_, _, _| {},
        images: |_| None,
        play: |_, _| None,
        why: |_, _| None,
    };
}

/// Serves an editor over standard streams; whether it said goodbye as it should.
///
/// # Errors
/// When the streams break, or the editor does not begin as the protocol says.
pub fn run(host: Host) -> Result<bool> {
    let (connection, threads) = Connection::stdio();
    let clean = serve(&connection, host)?;
    // The threads end when nobody can send any more.
    drop(connection);
    threads.join()?;
    Ok(clean)
}
