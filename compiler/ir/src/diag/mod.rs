//! Diagnostics as data.
//!
//! Stages push [`Diagnostic`]s into a [`Diagnostics`] sink and go on; one run shows all errors. Rendering happens in
//! one place, [`render`], for terminals, and [`json`], for tools. Every diagnostic belongs to a code, a static
//! [`CodeInfo`] in the table of its language, so that no unlisted code can be emitted.

pub mod command;
mod group;
#[cfg(feature = "stored")]
mod json;
pub mod lookalike;
mod render;
mod suggest;

use std::fmt;

#[cfg(feature = "stored")]
use serde::Serialize;

pub use group::Group;
#[cfg(feature = "stored")]
pub use json::json;
pub use render::{Style, render, render_all};
pub use suggest::closest;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "stored", derive(Serialize))]
#[cfg_attr(feature = "stored", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// The file means nothing as it stands.
    Error,
    /// The file has a meaning, perhaps not the intended one.
    Warning,
}

/// A kind of diagnostic: one row of a language's table, see [`codes!`](crate::codes).
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(Serialize))]
pub struct CodeInfo {
    /// `S3-E0107`: language, severity, number. Never reused for something else.
    pub code: &'static str,
    /// Follows from the letter of the code.
    pub severity: Severity,
    /// A few words.
    pub title: &'static str,
    /// A paragraph: what is wrong, why it matters, what to do.
    pub explanation: &'static str,
    /// Whether what it tells of can keep moves, turns or ends from coming, so that what random games miss may follow from it.
    #[cfg_attr(feature = "stored", serde(skip))]
    pub spoils: bool,
}

/// Declares the table of codes of a language: a static for each code and `CODES`, all of them in order. The word `spoils`
/// behind the severity is [`CodeInfo::spoils`](crate::diag::CodeInfo::spoils).
#[macro_export]
macro_rules! codes {
    ($($name:ident = $severity:ident $($spoils:ident)? $code:literal $title:literal $explanation:literal;)*) => {
        $(
            #[doc = $title]
            pub static $name: $crate::diag::CodeInfo = $crate::diag::CodeInfo {
                code: $code,
                severity: $crate::diag::Severity::$severity,
                title: $title,
                explanation: $explanation,
                spoils: !concat!("" $(, stringify!($spoils))?).is_empty(),
            };
        )*

        /// All codes, in the order of the table.
        pub static CODES: &[&$crate::diag::CodeInfo] = &[$(&$name),*];
    };
}

/// Codes that no language owns.
pub mod general {
    crate::codes! {
        NOT_UTF8 = Error "RC-E0001" "the file is not UTF-8"
            "Rule files are read as UTF-8. A byte outside of it usually means that the file was saved in an older \
             encoding such as Latin-1 or Windows-1252. Save it as UTF-8; names, strings and comments then keep their \
             letters.";
    }
}

/// A stretch of source text and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty.
    pub text: String,
}

/// What the author might do about a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// In words.
    pub message: String,
    /// Text to put in place of a span, if a machine can do it.
    pub replacement: Option<(Span, String)>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static CodeInfo,
    /// What is wrong, one line without a final stop.
    pub message: String,
    /// Where; the first is the place to point at, the others explain.
    pub labels: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<Help>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(code: &'static CodeInfo, span: Span, message: impl Into<String>) -> Self {
        let label = Label {
            span,
            text: String::new(),
        };
        Self {
            code,
            message: message.into(),
            labels: vec![label],
            notes: Vec::new(),
            help: None,
        }
    }

    /// Says something about the place itself.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.labels[0].text = text.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, message: impl Into<String>) -> Self {
        self.help = Some(Help {
            message: message.into(),
            replacement: None,
        });
        self
    }

    /// Says what to do, with the text to put in place of a span.
    #[must_use]
    pub fn fix(mut self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.help = Some(Help {
            message: message.into(),
            replacement: Some((span, text.into())),
        });
        self
    }

    /// Offers the candidate closest to what was written, if one is close.
    #[must_use]
    pub fn did_you_mean<'a>(
        self,
        written: &str,
        span: Span,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        match closest(written, candidates) {
            Some(candidate) => self.fix(format!("did you mean `{candidate}`?"), span, candidate),
            None => self,
        }
    }

    /// The place to point at.
    pub fn span(&self) -> Span {
        self.labels[0].span
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// Most findings of one severity that a sink keeps; more help nobody.
pub const MAX_KEPT: usize = 200;

/// A sink of findings.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    counts: [usize; 2],
}

impl Diagnostics {
    /// An empty sink.
    pub const fn new() -> Self {
        Self {
            list: Vec::new(),
            counts: [0; 2],
        }
    }

    /// Takes a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = &mut self.counts[diagnostic.severity() as usize];
        *count += 1;
        if *count <= MAX_KEPT {
            self.list.push(diagnostic);
        }
    }

    /// Takes all findings of another sink.
    pub fn append(&mut self, other: Self) {
        let dropped = other.dropped();
        other
            .list
            .into_iter()
            .for_each(|diagnostic| self.push(diagnostic));
        self.counts[0] += dropped[0];
        self.counts[1] += dropped[1];
    }

    /// Puts the findings in the order of their places, independent of the order in which stages found them, and
    /// removes repetitions.
    pub fn sort(&mut self) {
        self.list.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.span(), d.code.code);
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        let mut repeated = [0; 2];
        self.list.dedup_by(|a, b| {
            let same = a == b;
            repeated[a.severity() as usize] += usize::from(same);
            same
        });
        self.counts[0] -= repeated[0];
        self.counts[1] -= repeated[1];
    }

    /// Keeps only some findings, such as those that do not follow from others.
    pub fn retain(&mut self, mut keep: impl FnMut(&Diagnostic) -> bool) {
        let counts = &mut self.counts;
        self.list.retain(|found| {
            let kept = keep(found);
            counts[found.severity() as usize] -= usize::from(!kept);
            kept
        });
    }

    /// The findings.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The findings as they are told: a warning that comes many times is one with many places.
    pub fn groups(&self) -> Vec<Group<'_>> {
        group::groups(self)
    }

    /// Whether there is no finding at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a finding is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// Number of findings of a severity, also of those not kept.
    pub fn count(&self, severity: Severity) -> usize {
        self.counts[severity as usize]
    }

    /// Number of errors and warnings beyond [`MAX_KEPT`].
    pub fn dropped(&self) -> [usize; 2] {
        self.counts.map(|count| count.saturating_sub(MAX_KEPT))
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
