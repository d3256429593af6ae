//! An open file, and places in it as editors count them.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};

use rulec_compiler::diag::Diagnostic;
use rulec_compiler::ir::Game;
use rulec_compiler::lang::{self, LANGUAGES, Language};
use rulec_compiler::source::{FileId, SourceFile, SourceMap, Span};
use rulec_compiler::symbols::Index;

use crate::Played;
use crate::protocol::{Change, Position, Range};

/// Tokens that an editor was told, and the number of that answer.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) answer: u64,
    pub(crate) data: Vec<u32>,
}

/// How an editor counts characters of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// As JavaScript does.
    Utf16,
}

impl Encoding {
    fn units(self, c: char) -> u32 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
        }
    }

    /// The length of a text.
    pub(crate) fn length(self, text: &str) -> u32 {
        match text.is_ascii() {
            true => text.len() as u32,
            false => text.chars().map(|c| self.units(c)).sum(),
        }
    }
}

/// An open file.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) version: i32,
    pub(crate) language: &'static Language,
    /// As the editor has it.
    pub(crate) text: String,
    /// As the compiler reads it.
    pub(crate) sources: SourceMap,
    /// What was found in this version, once it was checked.
    pub(crate) findings: Option<Vec<Diagnostic>>,
    /// The game of this version, if it has no errors, and what is known of it.
    pub(crate) game: Option<Arc<Game>>,
    pub(crate) known: Known,
    /// The version, for those who work on one as long as there is no newer one.
    pub(crate) newest: Arc<AtomicI32>,
    /// The tokens that the editor was told last.
    pub(crate) shown: RefCell<Shown>,
    encoding: Encoding,
    starts: Vec<u32>,
    /// Bytes at the beginning that the compiler does not see.
    mark: u32,
    index: OnceLock<Index>,
}

/// What is known of the game of a version.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// How many moves each family has at the start; nothing if nobody decides there, or nobody knows yet.
    pub(crate) starts: Option<Vec<u64>>,
    /// Whether the start was looked at, or there is none.
    pub(crate) settled: bool,
    /// What random games showed.
    pub(crate) played: Option<Played>,
}

/// The language that an editor names, or that the name of a file tells.
pub(crate) fn language(id: &str, uri: &str) -> Option<&'static Language> {
    let named = LANGUAGES.iter().find(|language| language.name == id);
    named.or_else(|| lang::of_file(uri))
}

/// The path of a file, if it has one.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let bytes = rest.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    let text = String::from_utf8(decoded).ok()?;
    // `/C:/...` on Windows.
    let drive = text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(match text.strip_prefix('/') {
        Some(rest) if drive => rest,
        _ => &text,
    }))
}

impl Document {
    pub(crate) fn new(
        uri: String,
        version: i32,
        language: &'static Language,
        text: String,
        encoding: Encoding,
    ) -> Self {
        let mut document = Self {
            uri,
            version,
            language,
            text,
            sources: SourceMap::new(),
            findings: None,
            game: None,
            known: Known::default(),
            newest: Arc::new(AtomicI32::new(version)),
            shown: RefCell::default(),
            encoding,
            starts: Vec::new(),
            mark: 0,
            index: OnceLock::new(),
        };
        document.read();
        document
    }

    /// Another document with another text, as if the editor had it.
    pub(crate) fn with_text(&self, text: String) -> Self {
        let (uri, version) = (self.uri.clone(), self.version);
        Self::new(uri, version, self.language, text, self.encoding)
    }

    /// The name of the file, as the compiler knows it.
    pub(crate) fn name(&self) -> String {
        let path = path(&self.uri).unwrap_or_else(|| PathBuf::from(&self.uri));
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| self.uri.clone())
    }

    /// Takes changes in their order, each on the text after the one before.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<Change>) {
        for change in changes {
            match change.range {
                Some(range) => {
                    let from = self.byte(range.start) as usize;
                    let to = self.byte(range.end) as usize;
                    self.text
                        .replace_range(from.min(to)..to.max(from), &change.text);
                }
                None => self.text = change.text,
            }
            self.starts = line_starts(&self.text);
        }
        self.version = version;
        self.newest.store(version, Ordering::Relaxed);
        self.read();
    }

    fn read(&mut self) {
        self.starts = line_starts(&self.text);
        self.mark = match self.text.starts_with('\u{feff}') {
            true => '\u{feff}'.len_utf8() as u32,
            false => 0,
        };
        self.unchecked();
        self.index = OnceLock::new();
        let mut sources = SourceMap::new();
        if sources.add(self.name(), &self.text).is_err() {
            // Too large: nothing is said about it.
            let _ = sources.add(self.name(), "");
            self.text = String::new();
            self.starts = line_starts("");
            self.mark = 0;
        }
        self.sources = sources;
    }

    /// Forgets what was found in this version: it is checked again.
    pub(crate) fn unchecked(&mut self) {
        self.findings = None;
        self.game = None;
        self.known = Known::default();
    }

    /// The file.
    pub(crate) fn source(&self) -> &SourceFile {
        &self.sources.files()[0]
    }

    /// What stands where in it.
    pub(crate) fn index(&self) -> &Index {
        self.index
            .get_or_init(|| (self.language.editing.index)(self.source()))
    }

    /// The byte of the editor's text at a place; what lies beyond the end of a line is its end.
    fn byte(&self, place: Position) -> u32 {
        let line = place.line as usize;
        let Some(&start) = self.starts.get(line) else {
            return self.text.len() as u32;
        };
        let end = self
            .starts
            .get(line + 1)
            .copied()
            .unwrap_or(self.text.len() as u32);
        let text = self.text[start as usize..end as usize].trim_end_matches(['\n', '\r']);
        if text.is_ascii() {
            return start + place.character.min(text.len() as u32);
        }
        let (mut at, mut units) = (start, 0);
        for c in text.chars() {
            units += self.encoding.units(c);
            if units > place.character {
                break;
            }
            at += c.len_utf8() as u32;
        }
        at
    }

    /// The byte of the compiler's text at a place.
    pub(crate) fn offset(&self, place: Position) -> u32 {
        self.byte(place).saturating_sub(self.mark)
    }

    /// The place of a byte of the compiler's text.
    pub(crate) fn place(&self, offset: u32) -> Position {
        let at = (offset + self.mark).min(self.text.len() as u32);
        let at = self.text.floor_char_boundary(at as usize) as u32;
        let line = self.starts.partition_point(|&start| start <= at) - 1;
        let before = &self.text[self.starts[line] as usize..at as usize];
        Position {
            line: line as u32,
            character: self.encoding.length(before),
        }
    }

    /// The range of a span of this file.
    pub(crate) fn range(&self, span: Span) -> Range {
        Range {
            start: self.place(span.start),
            end: self.place(span.end),
        }
    }

    /// The span of a range.
    pub(crate) fn span(&self, range: Range) -> Span {
        Span::new(FileId(0), self.offset(range.start), self.offset(range.end))
    }

    /// How long a text is for the editor.
    pub(crate) fn length(&self, text: &str) -> u32 {
        self.encoding.length(text)
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (at, &byte) in bytes.iter().enumerate() {
        let lone_return = byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        if byte == b'\n' || lone_return {
            starts.push(at as u32 + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str, encoding: Encoding) -> Document {
        let language = language("s3", "").expect("there is s3");
        Document::new(
            "file:///a.s3".to_owned(),
            1,
            language,
            text.to_owned(),
            encoding,
        )
    }

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn places_count_as_the_editor_does() {
        let text = "a😀b\r\né\rx\n";
        let wide = document(text, Encoding::Utf16);
        assert_eq!(wide.offset(at(0, 3)), 5);
        assert_eq!(wide.offset(at(0, 2)), 1, "inside of a pair: before it");
        assert_eq!(wide.offset(at(0, 99)), 6, "beyond the line: its end");
        assert_eq!(wide.offset(at(1, 1)), 10);
        assert_eq!(wide.offset(at(9, 0)), text.len() as u32);
        assert_eq!(wide.place(5), at(0, 3));
        assert_eq!(wide.place(11), at(2, 0));
        let narrow = document(text, Encoding::Utf8);
        assert_eq!(narrow.offset(at(0, 5)), 5);
        assert_eq!(narrow.place(6), at(0, 6));
    }

    #[test]
    fn a_byte_order_mark_is_a_character_of_the_editor_only() {
        let document = document("\u{feff}[BOARD]", Encoding::Utf16);
        assert_eq!(document.offset(at(0, 1)), 0);
        assert_eq!(document.place(0), at(0, 1));
    }

    #[test]
    fn changes_apply_in_their_order() {
        let mut document = document("one\ntwo", Encoding::Utf16);
        let changes = serde_json::json!([
            { "range": { "start": { "line": 0, "character": 3 }, "end": { "line": 1, "character": 0 } }, "text": " " },
            { "range": { "start": { "line": 0, "character": 4 }, "end": { "line": 0, "character": 7 } }, "text": "2" },
        ]);
        let changes = serde_json::from_value(changes).expect("changes");
        document.change(2, changes);
        assert_eq!((document.text.as_str(), document.version), ("one 2", 2));
    }

    #[test]
    fn paths_are_decoded() {
        assert_eq!(path("file:///a%20b/c.s3"), Some(PathBuf::from("/a b/c.s3")));
        assert_eq!(path("file:///C:/c.s3"), Some(PathBuf::from("C:/c.s3")));
        assert_eq!(path("untitled:1"), None);
    }
}
