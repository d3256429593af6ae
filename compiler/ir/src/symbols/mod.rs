//! What editors ask of a rule file: which names stand where, what they stand for, and how the file is built.
//!
//! Front ends make an [`Index`] of a file, also of one that is broken, as far as they can read it. Editors know no
//! language: all that they show follows from an index, from the [`Word`]s of the language, and from what may stand at a
//! place ([`Expected`]).

#[cfg(feature = "editing")]
mod builder;
#[cfg(feature = "editing")]
pub mod lines;

use crate::source::{SourceFile, Span};

#[cfg(feature = "editing")]
pub use builder::Builder;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A part of a file.
    Section,
    /// A type of pieces or places, or of objects.
    Type,
    /// A type of places, where those have types of their own.
    PlaceType,
    /// A place, or places that are told apart by numbers.
    Place,
    /// A piece, an object or a kind of figure.
    Piece,
    /// A player.
    Player,
    /// Something that is called and gives a value.
    Function,
    /// A rule, an action or a condition.
    Rule,
    /// A variable.
    Variable,
    /// A variable of a player.
    PlayerVariable,
    /// A parameter.
    Parameter,
    /// A state that a game is in.
    State,
    /// An order of places.
    Order,
    /// A coordinate.
    Coordinate,
    /// A key, or a property.
    Property,
    /// A value that a property can have.
    Value,
    /// A word of the language.
    Keyword,
}

impl Kind {
    /// In words, without an article.
    pub const fn noun(self) -> &'static str {
        match self {
            Kind::Section => "section",
            Kind::Type => "type",
            Kind::PlaceType => "type of places",
            Kind::Place => "place",
            Kind::Piece => "piece",
            Kind::Player => "player",
            Kind::Function => "expression",
            Kind::Rule => "rule",
            Kind::Variable => "variable",
            Kind::PlayerVariable => "variable of a player",
            Kind::Parameter => "parameter",
            Kind::State => "state",
            Kind::Order => "order",
            Kind::Coordinate => "coordinate",
            Kind::Property => "property",
            Kind::Value => "value",
            Kind::Keyword => "word of the language",
        }
    }
}

/// A name of a file and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name, without the sign that variables of some languages have before them.
    pub name: String,
    /// What it stands for.
    pub kind: Kind,
    /// The sign before it, such as `$`; often empty.
    pub sigil: &'static str,
    /// How it is declared, in a line; may be empty.
    pub detail: String,
    /// What the author says about it; may be empty.
    pub docs: String,
    /// The names of its parameters, if it is called with some.
    pub params: Vec<String>,
    /// Where it is known; everywhere if absent.
    pub scope: Option<Span>,
    /// Why it cannot get another name, if it cannot.
    pub fixed: Option<&'static str>,
}

/// A place where a name stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The letters of the name, which are those that change with it.
    pub span: Span,
    /// Which one, an index into [`Index::symbols`].
    pub symbol: usize,
    /// Whether the name gets its meaning here.
    pub definition: bool,
    /// The whole name of one of several that share a symbol, such as `f(3)`.
    pub member: Option<String>,
    /// What is declared here, if it is a declaration: all of its text.
    pub whole: Option<Span>,
}

/// A part of a file, for lists of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its name.
    pub name: String,
    /// Something more about it; may be empty.
    pub detail: String,
    /// What it is.
    pub kind: Kind,
    /// All of it.
    pub span: Span,
    /// Its name in the file.
    pub name_span: Span,
    /// Its parts.
    pub parts: Vec<Outline>,
}

/// The classes of token that are no names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A header of a section.
    Section,
    /// A word of the language.
    Keyword,
    /// A function of the language.
    Builtin,
    /// A key.
    Key,
    /// A number.
    Number,
    /// A text.
    Text,
    /// An operator.
    Operator,
    /// A comment.
    Comment,
}

/// A token that is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where.
    pub span: Span,
    /// What.
    pub class: Class,
}

/// A call with arguments, perhaps without its closing bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is called.
    pub name: String,
    /// From bracket to bracket.
    pub span: Span,
    /// The commas between the arguments.
    pub commas: Vec<u32>,
}

/// Something that an editor shows inside of a line though it is not written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Behind which byte.
    pub at: u32,
    /// What to show.
    pub text: String,
}

/// What stands where in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// The names.
    pub symbols: Vec<Symbol>,
    /// Where they stand, in the order of the file; none overlaps another.
    pub occurrences: Vec<Occurrence>,
    /// What is no name, in the order of the file.
    pub tokens: Vec<Token>,
    /// The contents.
    pub outline: Vec<Outline>,
    /// The calls, inner ones behind the outer ones that hold them.
    pub calls: Vec<Call>,
    /// What may be shown inside of lines.
    pub hints: Vec<Hint>,
}

/// A word of a language: an entry of its reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What kind of word.
    pub kind: Kind,
    /// How it is used, with its arguments.
    pub syntax: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// The names of its arguments.
    pub params: &'static [&'static str],
}

impl Word {
    /// A word without arguments.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        syntax: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            syntax,
            meaning,
            params: &[],
        }
    }
}

/// What may stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// What is there already and makes way.
    pub replace: Span,
    /// Words of the language.
    pub words: Vec<Word>,
    /// Names of these kinds.
    pub kinds: Vec<Kind>,
    /// What comes before and behind each, such as quotes.
    pub around: (&'static str, &'static str),
}

/// What an editor can ask about the files of a language.
#[derive(Clone, Copy, Debug)]
pub struct Editing {
    /// The index of a file.
    pub index: fn(&SourceFile) -> Index,
    /// What may stand at a byte.
    pub expected: fn(&SourceFile, u32) -> Expected,
    /// The words of the language.
    pub words: fn() -> Vec<Word>,
    /// Whether a text can name something of a kind.
    pub is_name: fn(Kind, &str) -> bool,
    /// The file in its usual form; nothing if it cannot be read.
    pub format: fn(&SourceFile) -> Option<String>,
}

impl Editing {
    /// That of a language that helps no editor.
    pub const NONE: Editing = Editing {
        index: |_| Index::default(),
        expected: |_, _| Expected::default(),
        words: Vec::new,
        is_name: |_, _| false,
        format: |_| None,
    };
}

impl Index {
    /// The name at a byte, or right before it.
    pub fn at(&self, at: u32) -> Option<&Occurrence> {
        let behind = self.occurrences.partition_point(|o| o.span.start <= at);
        let found = &self.occurrences[behind.checked_sub(1)?];
        (at <= found.span.end).then_some(found)
    }

    /// Where a name stands.
    pub fn of(&self, symbol: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |o| o.symbol == symbol)
    }

    /// The innermost call whose arguments stand at a byte, and the number of the argument.
    pub fn call_at(&self, at: u32) -> Option<(&Call, usize)> {
        let inside = |call: &&Call| call.span.start < at && at <= call.span.end;
        let call = self
            .calls
            .iter()
            .filter(inside)
            .min_by_key(|call| call.span.len())?;
        let before = call.commas.iter().filter(|comma| **comma < at).count();
        Some((call, before))
    }

    /// The names that are known at a byte.
    pub fn known_at(&self, at: u32) -> impl Iterator<Item = &Symbol> {
        let seen = move |scope: &Span| scope.start <= at && at <= scope.end;
        self.symbols
            .iter()
            .filter(move |symbol| symbol.scope.as_ref().is_none_or(seen))
    }

    /// Whether another index has the same names in the same places, where these may have been renamed: each
    /// occurrence stands for the same symbol as before.
    pub fn same_bindings(&self, other: &Index) -> bool {
        let links = |index: &Index| {
            let mut first = vec![None; index.symbols.len()];
            let occurrences = index.occurrences.iter().enumerate();
            let links = occurrences.map(|(at, occurrence)| {
                let first = *first[occurrence.symbol].get_or_insert(at);
                (first, occurrence.definition)
            });
            links.collect::<Vec<_>>()
        };
        links(self) == links(other)
    }
}

/// The comment lines right above a line (counted from 1), without the sign that they begin with. What begins the file speaks
/// of the whole of it.
pub fn comment_above(source: &SourceFile, line: u32, sign: &str) -> String {
    let mut lines = Vec::new();
    for line in (1..line).rev() {
        let text = source.slice(source.line_span(line)).trim();
        match text.strip_prefix(sign) {
            Some(comment) => lines.push(comment.trim()),
            None => {
                lines.reverse();
                return lines.join("\n");
            }
        }
    }
    String::new()
}

#[cfg(all(test, feature = "editing"))]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn span(start: u32, end: u32) -> Span {
        Span::new(FileId(0), start, end)
    }

    #[test]
    fn names_are_found_at_their_ends_too() {
        let mut builder = Builder::default();
        builder.define(Kind::Piece, "king", span(0, 4));
        builder.refer(Kind::Piece, "king", span(10, 14));
        let index = builder.finish();
        let found = |at| index.at(at).map(|o| o.span.start);
        assert_eq!([found(0), found(4), found(5)], [Some(0), Some(0), None]);
        assert_eq!([found(14), found(15)], [Some(10), None]);
    }

    #[test]
    fn merged_names_are_one() {
        let mut builder = Builder::default();
        let a = builder.define(Kind::Place, "a", span(0, 1));
        let b = builder.define(Kind::Piece, "a", span(2, 3));
        builder.merge(a, b);
        let index = builder.finish();
        assert_eq!(index.symbols.len(), 1);
        assert_eq!(index.of(0).count(), 2);
    }

    #[test]
    fn a_renamed_name_that_meets_another_is_seen() {
        let made = |names: [&str; 3]| {
            let mut builder = Builder::default();
            for (at, name) in names.into_iter().enumerate() {
                builder.refer(Kind::Piece, name, span(2 * at as u32, 2 * at as u32 + 1));
            }
            builder.finish()
        };
        let before = made(["a", "b", "a"]);
        assert!(before.same_bindings(&made(["c", "b", "c"])));
        assert!(!before.same_bindings(&made(["b", "b", "b"])));
    }
}
