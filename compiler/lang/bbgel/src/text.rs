//! A stretch of the command language, and where its letters stand in the file.

use crate::json;
use crate::source::{FileId, SourceFile, Span};

/// The text of the setup or of one field.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// The text itself, escapes resolved.
    pub(super) text: String,
    file: FileId,
    /// Where it begins in the file.
    base: u32,
    /// For texts with escapes: the place of each byte and of the end, from `base`.
    places: Option<Vec<u32>>,
}

impl Text {
    /// A text that stands in the file as it is.
    pub(super) fn plain(source: &SourceFile, span: Span) -> Text {
        Text {
            text: source.slice(span).to_owned(),
            file: span.file,
            base: span.start,
            places: None,
        }
    }

    /// The text of a JSON string.
    pub(super) fn of_json(source: &SourceFile, span: Span) -> Text {
        let (text, places) = json::unescape_placed(source.slice(span));
        Text {
            text,
            file: span.file,
            base: span.start,
            places: Some(places),
        }
    }

    /// No text, at a place.
    pub(super) fn empty(span: Span) -> Text {
        Text {
            text: String::new(),
            file: span.file,
            base: span.start,
            places: None,
        }
    }

    /// The place in the file of a stretch of the text, in bytes.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let at = |offset: usize| match &self.places {
            Some(places) => {
                let last = places.len().saturating_sub(1);
                self.base + places.get(offset.min(last)).copied().unwrap_or(0)
            }
            None => self.base + offset as u32,
        };
        Span::new(self.file, at(start), at(end).max(at(start)))
    }
}
