//! What this server reads of the structures of the Language Server Protocol, version 3.17; what it writes are JSON values.

use serde::{Deserialize, Serialize};

/// A place in a text, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    /// In the units that server and editor agreed on.
    pub(crate) character: u32,
}

/// A part of a text; its end is not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// `TextDocumentIdentifier`
#[derive(Debug, Deserialize)]
pub(crate) struct File {
    pub(crate) uri: String,
}

/// `DidOpenTextDocumentParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    pub(crate) text_document: OpenedFile,
}

/// `TextDocumentItem`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenedFile {
    pub(crate) uri: String,
    pub(crate) language_id: String,
    pub(crate) version: i32,
    pub(crate) text: String,
}

/// `DidChangeTextDocumentParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    pub(crate) text_document: ChangedFile,
    pub(crate) content_changes: Vec<Change>,
}

/// `VersionedTextDocumentIdentifier`
#[derive(Debug, Deserialize)]
pub(crate) struct ChangedFile {
    pub(crate) uri: String,
    pub(crate) version: i32,
}

/// `TextDocumentContentChangeEvent`
#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    /// What the text takes the place of; the whole document if nothing is said.
    #[serde(default)]
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

/// `DidCloseTextDocumentParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Closed {
    pub(crate) text_document: File,
}

/// `CallHierarchyItem`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Called {
    pub(crate) uri: String,
    pub(crate) selection_range: Range,
}
