//! The language server: what editors ask about rule files, answered over the Language Server Protocol.
//!
//! It knows no language. Front ends give an index of each file ([`rulec_compiler::symbols`]) and diagnostics; everything
//! here follows from these.
//!
//! - one thread owns the open files and answers requests, in the order in which they come ([`server`])
//! - another one checks files; while it does, only the newest version of each waits, and what it finds in an older one is
//!   dropped ([`check`])
//! - [`document`]: a file, and places in it as editors count them; [`features`]: the answers

// The module document is also a guide to the private files beside it.
#![allow(rustdoc::private_intra_doc_links)]

mod check;
mod document;
mod features;
mod rename;
mod server;
mod tokens;

use std::path::{Path, PathBuf};

use anyhow::Result;
use lsp_server::Connection;
use rulec_compiler::lang::Options;
use rulec_compiler::source::SourceMap;

pub use server::serve;

/// What the server cannot know by itself, since it reads no files.
#[derive(Clone, Copy)]
pub struct Host {
    /// Adds the files that the first one of the map speaks of; the path is where that lies.
    pub companions: fn(&Path, &mut SourceMap, &Options),
    /// The folder of the pictures that rules at a path name.
    pub images: fn(&Path) -> Option<PathBuf>,
}

impl Host {
    /// For files that stand alone.
    pub const NONE: Host = Host {
        companions: |_, _, _| {},
        images: |_| None,
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
