//! Lines of a file that is written in its usual form.

use crate::source::SourceFile;

/// Blanks of a step to the right.
const STEP: usize = 4;

/// Collects lines: no blanks at their ends, never two empty ones in a row, none at the beginning and the end.
#[derive(Debug)]
pub struct Lines {
    text: String,
    /// What ends a line.
    end: &'static str,
    step: usize,
    empty: bool,
}

impl Lines {
    /// For a file whose lines end as those of this one.
    pub fn like(source: &SourceFile) -> Self {
        let end = match source.text().contains("\r\n") {
            true => "\r\n",
            false => "\n",
        };
        Self {
            text: String::new(),
            end,
            step: STEP,
            empty: false,
        }
    }

    /// With another number of blanks for a step to the right.
    #[must_use]
    pub fn step(mut self, blanks: usize) -> Self {
        self.step = blanks;
        self
    }

    /// Adds a line, some steps to the right.
    pub fn put(&mut self, depth: usize, line: &str) {
        let line = line.trim_end_matches(|c: char| c <= ' ');
        if line.is_empty() {
            self.empty = !self.text.is_empty();
            return;
        }
        if std::mem::take(&mut self.empty) {
            self.text.push_str(self.end);
        }
        self.text
            .extend(std::iter::repeat_n(' ', depth * self.step));
        self.text.push_str(line);
        self.text.push_str(self.end);
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }
}
