//! Rules changed in one place: which changes does no test notice?
//!
//! Changes are made to the text, by its tokens: a comparison becomes another one, a number grows by one, a truth value or
//! a word that joins conditions turns into its opposite, a line of a rule disappears.

use rulec_compiler::lang::Language;
use rulec_compiler::source::{SourceFile, Span};
use rulec_compiler::symbols::{Class, Kind};

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    pub(super) span: Span,
    pub(super) new: String,
}

/// What signs and words turn into.
const OPPOSITES: &[(&str, &str)] = &[
    ("==", "!="),
    ("!=", "=="),
    ("<>", "=="),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("+", "-"),
    ("-", "+"),
    ("AND", "OR"),
    ("OR", "AND"),
    ("and", "or"),
    ("or", "and"),
    ("FORALL", "FORSOME"),
    ("FORSOME", "FORALL"),
    ("true", "false"),
    ("false", "true"),
    ("left", "right"),
    ("right", "left"),
    ("np", "cp"),
    ("cp", "np"),
];

/// All changes to a file, in its order.
pub(super) fn all(language: &Language, source: &SourceFile) -> Vec<Mutant> {
    let index = (language.editing.index)(source);
    let mut mutants = Vec::new();
    for token in &index.tokens {
        let text = source.slice(token.span);
        let new = match token.class {
            Class::Number => text
                .parse::<i64>()
                .ok()
                .map(|number| (number + 1).to_string()),
            Class::Operator | Class::Keyword | Class::Builtin => {
                let found = OPPOSITES.iter().find(|(word, _)| *word == text);
                found.map(|(_, new)| (*new).to_owned())
            }
            _ => None,
        };
        mutants.extend(new.map(|new| Mutant {
            span: token.span,
            new,
        }));
    }
    let parts = index
        .outline
        .iter()
        .flat_map(|part| std::iter::once(part).chain(&part.parts));
    let rules = parts.filter(|part| matches!(part.kind, Kind::Rule | Kind::Function));
    for part in rules {
        let first = source.position(part.span.start).line;
        let last = source.position(part.span.end).line;
        for line in first + 1..=last {
            let span = source.line_span(line);
            if !source.slice(span).trim().is_empty() {
                mutants.push(Mutant {
                    span,
                    new: String::new(),
                });
            }
        }
    }
    mutants.sort_by_key(|mutant| (mutant.span.start, mutant.span.end));
    mutants.dedup();
    mutants
}

impl Mutant {
    /// The changed text.
    pub(super) fn text(&self, source: &SourceFile) -> String {
        let text = source.text();
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        format!("{}{}{}", &text[..start], self.new, &text[end..])
    }

    /// For people: the line, and what becomes what.
    pub(super) fn told(&self, source: &SourceFile) -> String {
        let place = source.position(self.span.start);
        let old = source.slice(self.span).trim();
        match self.new.as_str() {
            "" => format!("{}: without `{old}`", place.line),
            new => {
                let line = source.slice(source.line_span(place.line)).trim();
                format!(
                    "{}:{}: `{old}` becomes `{new}` in `{line}`",
                    place.line, place.column
                )
            }
        }
    }
}
