//! What random games missed, and which warnings about the text of the rules know why.
//!
//! A condition that was shown to keep something from happening, and that a warning says of that it never holds, is one mistake: it
//! is told once, as a note of that warning.

use rulec_compiler::diag::{Diagnostic, Diagnostics, Severity};
use rulec_compiler::source::Span;

use super::about::About;

/// What is to be told.
pub(super) struct Told {
    found: Vec<Diagnostic>,
    /// Notes of warnings that are told already, by their places.
    notes: Vec<(Span, String)>,
    /// The places of warnings that can keep things from happening.
    causes: Vec<Span>,
    /// Ends of which a note says that they never came.
    explained: Vec<Span>,
}

impl Told {
    pub(super) fn new(about: &About<'_>) -> Told {
        let warnings = about.warnings.iter();
        let causes = warnings.filter(|one| one.severity() == Severity::Warning && one.code.spoils);
        Told {
            found: Vec::new(),
            notes: Vec::new(),
            causes: causes.map(Diagnostic::span).collect(),
            explained: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, found: Diagnostic) {
        self.found.push(found);
    }

    pub(super) fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(found);
    }

    /// The warning that tells of a condition, or of a part of it.
    pub(super) fn cause(&self, at: Span) -> Option<Span> {
        let within = |a: Span, b: Span| a.file == b.file && b.start <= a.start && a.end <= b.end;
        let mut causes = self.causes.iter().copied();
        causes.find(|cause| within(*cause, at) || within(at, *cause))
    }

    /// Says what follows from a warning.
    pub(super) fn because(&mut self, cause: Span, note: String) {
        self.notes.push((cause, note));
    }

    /// Ends of which nothing more need be said.
    pub(super) fn explained(&mut self, ends: Vec<Span>) {
        self.explained.extend(ends);
    }

    pub(super) fn is_explained(&self, end: Span) -> bool {
        self.explained.contains(&end)
    }

    /// Tells something before all else.
    pub(super) fn first(&mut self, found: Option<Diagnostic>) {
        self.found.splice(0..0, found);
    }

    /// The places of what is told by itself.
    pub(super) fn spans(&self) -> Vec<Span> {
        self.found.iter().map(Diagnostic::span).collect()
    }

    pub(super) fn sort(&mut self) {
        let mut sorted = Diagnostics::new();
        self.found.drain(..).for_each(|one| sorted.push(one));
        sorted.sort();
        self.found = sorted.iter().cloned().collect();
    }

    /// What is told by itself, and the notes of warnings by their places.
    pub(super) fn into_parts(self) -> (Diagnostics, Vec<(Span, String)>) {
        let mut found = Diagnostics::new();
        self.found.into_iter().for_each(|one| found.push(one));
        (found, self.notes)
    }
}
