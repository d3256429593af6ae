//! Source files and spans.
//!
//! Bytes come in, text with a line index comes out, whatever the bytes are. Every later stage speaks of places in
//! rule files through [`Span`], which is small, `Copy` and serialisable; only [`SourceMap`] turns it back into lines.

use std::fmt;

#[cfg(feature = "stored")]
use serde::{Deserialize, Serialize};

/// Largest file accepted, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// Number of a file in its [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct FileId(pub u32);

/// A stretch of a source file: byte offsets into its text, `start <= end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end` in `file`.
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The smallest span that holds both; they must lie in one file.
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.file, other.file);
        Self::new(
            self.file,
            self.start.min(other.start),
            self.end.max(other.end),
        )
    }

    /// The empty span right after this one.
    pub const fn after(self) -> Self {
        Self::new(self.file, self.end, self.end)
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether no byte lies within.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A place for people: both numbers count from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize, Deserialize))]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column, in Unicode scalar values.
    pub column: u32,
}

/// A byte that was not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadByte {
    /// Offset of its stand-in in the text.
    pub offset: u32,
    /// Its value.
    pub byte: u8,
}

/// One source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    id: FileId,
    name: String,
    text: String,
    line_starts: Vec<u32>,
    bad_bytes: Vec<BadByte>,
    sha256: String,
    byte_order_mark: bool,
}

impl SourceFile {
    fn new(id: FileId, name: String, bytes: &[u8]) -> Self {
        let (text, bad_bytes) = decode(bytes);
        let line_starts = line_starts(&text);
        Self {
            id,
            name,
            text,
            line_starts,
            bad_bytes,
            sha256: sha256_of(bytes),
            byte_order_mark: bytes.starts_with(b"\xef\xbb\xbf"),
        }
    }

    /// Its number.
    pub const fn id(&self) -> FileId {
        self.id
    }

    /// The name shown to people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text: the file without a leading byte order mark, each byte that is not UTF-8 read as Latin-1.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes that were not UTF-8, in order.
    pub fn bad_bytes(&self) -> &[BadByte] {
        &self.bad_bytes
    }

    /// Whether a byte order mark stood before the text.
    pub const fn had_byte_order_mark(&self) -> bool {
        self.byte_order_mark
    }

    /// SHA-256 of its bytes as they came, in hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The offsets at which its lines start.
    pub fn line_starts(&self) -> &[u32] {
        &self.line_starts
    }

    /// The text of a span, empty if the span does not fit this file.
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// The span grown to whole characters of this file, whatever its offsets are: what lies beyond the end counts as the end,
    /// and a span that ends before it starts is empty.
    pub fn whole_characters(&self, span: Span) -> Span {
        let start = self.text.floor_char_boundary(span.start as usize);
        let end = self.text.ceil_char_boundary(span.end as usize);
        Span::new(span.file, start as u32, end.max(start) as u32)
    }

    /// Number of lines; an empty file has one.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The span of a line, counted from 1, without its terminator (`\n`, `\r\n` or `\r`); empty beyond the last line.
    pub fn line_span(&self, line: u32) -> Span {
        let index = (line.max(1) - 1) as usize;
        let end_of_file = self.text.len() as u32;
        let start = self.line_starts.get(index).copied().unwrap_or(end_of_file);
        let end = self
            .line_starts
            .get(index + 1)
            .copied()
            .unwrap_or(end_of_file);
        let line = &self.text[start as usize..end as usize];
        let length = line.trim_end_matches(['\n', '\r']).len() as u32;
        Span::new(self.id, start, start + length)
    }

    /// Line and column of an offset; offsets beyond the end are taken as the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let index = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[index] as usize;
        let before = self.text[start..]
            .char_indices()
            .take_while(|(at, _)| start + at < offset as usize);
        Position {
            line: index as u32 + 1,
            column: before.count() as u32 + 1,
        }
    }
}

/// All source files of a compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// Why a file was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceError {
    /// The file is larger than [`MAX_FILE_BYTES`].
    TooLarge {
        /// Name of the file.
        name: String,
        /// Its size.
        bytes: usize,
    },
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::TooLarge { name, bytes } = self;
        write!(
            f,
            "`{name}` has {bytes} bytes; a rule file may have at most {MAX_FILE_BYTES}"
        )
    }
}

impl std::error::Error for SourceError {}

impl SourceMap {
    /// An empty map.
    pub const fn new() -> Self {
        Self { files: Vec::new() }
    }

    /// Takes a file; its bytes need not be UTF-8.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Result<FileId, SourceError> {
        let (name, bytes) = (name.into(), bytes.as_ref());
        if bytes.len() > MAX_FILE_BYTES {
            return Err(SourceError::TooLarge {
                name,
                bytes: bytes.len(),
            });
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(id, name, bytes));
        Ok(id)
    }

    /// The file of a number given out by this map.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files, in the order in which they came.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Where a span starts, for people.
    pub fn locate(&self, span: Span) -> Option<Location<'_>> {
        let file = self.get(span.file)?;
        Some(Location {
            file: file.name(),
            position: file.position(span.start),
        })
    }
}

/// File, line and column; displays as `file:line:column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Place within it.
    pub position: Position,
}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}",
            self.file, self.position.line, self.position.column
        )
    }
}

/// SHA-256 of the bytes of a file, in hex, as [`SourceFile::sha256`] tells it.
pub fn sha256_of(bytes: &[u8]) -> String {
    let digest = hmac_sha256::Hash::hash(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decode(bytes: &[u8]) -> (String, Vec<BadByte>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = String::with_capacity(bytes.len());
    let mut bad = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            bad.push(BadByte {
                offset: text.len() as u32,
                byte,
            });
            text.push(char::from(byte));
        }
    }
    (text, bad)
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

    fn file(bytes: &[u8]) -> SourceFile {
        SourceFile::new(FileId(0), "test".to_owned(), bytes)
    }

    #[test]
    fn all_line_terminators_end_a_line() {
        let file = file(b"ab\r\nc\rd\n\ne");
        let lines: Vec<&str> = (1..=file.line_count())
            .map(|line| file.slice(file.line_span(line)))
            .collect();
        assert_eq!(lines, ["ab", "c", "d", "", "e"]);
        assert_eq!(file.position(9), Position { line: 5, column: 1 });
    }

    #[test]
    fn an_empty_file_has_one_empty_line() {
        let file = file(b"");
        assert_eq!(file.line_count(), 1);
        assert!(file.line_span(1).is_empty() && file.line_span(7).is_empty());
        assert_eq!(file.position(12), Position { line: 1, column: 1 });
    }

    #[test]
    fn columns_count_characters() {
        let file = file("x\näö=\n".as_bytes());
        assert_eq!(file.position(6), Position { line: 2, column: 3 });
        assert_eq!(
            file.position(5),
            Position { line: 2, column: 3 },
            "inside a character: the next column"
        );
    }

    #[test]
    fn spans_grow_to_whole_characters() {
        let file = file("aä\n€".as_bytes());
        let grown = |start, end| {
            let span = file.whole_characters(Span::new(FileId(0), start, end));
            (span.start, span.end)
        };
        assert_eq!(grown(1, 2), (1, 3));
        assert_eq!(grown(2, 2), (1, 3));
        assert_eq!(grown(5, 6), (4, 7));
        assert_eq!(
            grown(3, 1),
            (3, 3),
            "no character, rather than some before the start"
        );
        assert_eq!(grown(9, u32::MAX), (7, 7));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept_and_reported() {
        let file = file(b"\xef\xbb\xbfname=K\xf6nig\n");
        assert_eq!(file.text(), "name=König\n");
        assert_eq!(
            file.bad_bytes(),
            [BadByte {
                offset: 6,
                byte: 0xf6
            }]
        );
    }

    #[test]
    fn a_file_that_is_too_large_is_refused() {
        let bytes = vec![b' '; MAX_FILE_BYTES + 1];
        assert!(matches!(
            SourceMap::new().add("big", bytes),
            Err(SourceError::TooLarge { .. })
        ));
    }

    #[test]
    fn spans_join_and_locate() {
        let mut map = SourceMap::new();
        let id = map.add("a.s3", "one\ntwo").unwrap();
        let span = Span::new(id, 4, 5).to(Span::new(id, 6, 7));
        assert_eq!((span.len(), span.after().start), (3, 7));
        assert_eq!(map.locate(span).unwrap().to_string(), "a.s3:2:1");
        assert_eq!(map.locate(Span::new(FileId(9), 0, 0)), None);
    }
}
