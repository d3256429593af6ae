//! What editors ask of a file: its names, what may stand where.

use super::ast::{Active, Clause, Decl, Prop, Rule, Seats};
use super::parse::{self, RESERVED, STARTERS};
use super::scan::{Word as Piece, words as words_of};
use super::words;
use crate::diag::Diagnostics;
use crate::source::{SourceFile, Span};
use crate::symbols::{Builder, Class, Expected, Index, Kind, Outline, comment_above};

/// The names of a file.
pub(super) fn index(source: &SourceFile) -> Index {
    let file = parse::parse(source, &mut Diagnostics::new());
    let mut reader = Reader {
        source,
        builder: Builder::default(),
    };
    reader.lines();
    reader.declare(&file.decls);
    for (at, decl) in file.decls.iter().enumerate() {
        let next = file.decls.get(at + 1).and_then(begin);
        let end = next.map_or(source.text().len() as u32, |next| next.start);
        reader.decl(decl, end);
    }
    reader.builder.finish()
}

/// The first word of a declaration, or one near it.
fn begin(decl: &Decl<'_>) -> Option<Span> {
    match decl {
        Decl::Types { names, .. } => names.first().map(|name| name.span),
        Decl::Players(players) => Some(players.span),
        Decl::Stuck(_, span) | Decl::Clock(_, span) => Some(*span),
        Decl::Object(object) => Some(object.ty.span),
        Decl::Rule(rule) => Some(rule.span),
    }
}

struct Reader<'a> {
    source: &'a SourceFile,
    builder: Builder,
}

impl<'a> Reader<'a> {
    /// Words of the notation, numbers, comments.
    fn lines(&mut self) {
        for line in 1..=self.source.line_count() {
            let span = self.source.line_span(line);
            let text = self.source.slice(span);
            if let Some(at) = text.find('#') {
                let comment = Span::new(span.file, span.start + at as u32, span.end);
                self.builder.token(comment, Class::Comment);
            }
            let all = words_of(self.source, span);
            for (at, word) in all.iter().enumerate() {
                let text = word.text;
                let class = match text {
                    "<" | ">" => Class::Operator,
                    _ if text.bytes().all(|b| b.is_ascii_digit()) => Class::Number,
                    _ if at == 0 && STARTERS.contains(&text) => Class::Keyword,
                    _ if RESERVED.contains(&text) && at > 0 => Class::Builtin,
                    _ => continue,
                };
                self.builder.token(word.span, class);
            }
        }
    }

    fn docs(&self, at: Span) -> String {
        let line = self.source.position(at.start).line;
        comment_above(self.source, line, "#")
    }

    /// Types and objects have one name space, and so have players.
    fn declare(&mut self, decls: &[Decl<'a>]) {
        for decl in decls {
            match decl {
                Decl::Types { names, .. } => {
                    for name in names {
                        let symbol = self.builder.define(Kind::Type, name.text, name.span);
                        let docs = self.docs(name.span);
                        self.builder.edit(symbol).docs = docs;
                    }
                }
                Decl::Players(players) => {
                    if let Seats::Names(names) = &players.seats {
                        for name in names {
                            self.builder.define(Kind::Player, name.text, name.span);
                        }
                    }
                }
                Decl::Object(object) => {
                    if let Some(name) = object.name {
                        let known = self.builder.find(Kind::Piece, name.text).is_some();
                        let symbol = self.builder.symbol(Kind::Piece, name.text);
                        self.builder.put(symbol, name.span, !known);
                        if !known {
                            let docs = self.docs(name.span);
                            let symbol = self.builder.edit(symbol);
                            symbol.detail = format!("{} {}", object.ty.text, name.text);
                            symbol.docs = docs;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn decl(&mut self, decl: &Decl<'a>, end: u32) {
        match decl {
            Decl::Types { names, .. } => {
                for name in names {
                    self.part(*name, Kind::Type, name.span);
                }
            }
            Decl::Players(players) => {
                if let Some(Active::Names(names)) = &players.active {
                    for name in names {
                        self.player(*name);
                    }
                }
            }
            Decl::Object(object) => {
                self.builder
                    .refer(Kind::Type, object.ty.text, object.ty.span);
                let mut last = object.name.unwrap_or(object.ty).span;
                for prop in &object.props {
                    match prop {
                        Prop::Contains(names) => {
                            for name in names {
                                self.object_or_type(None, *name);
                                last = name.span;
                            }
                        }
                        Prop::ContainsMany(ty, _, span) => {
                            self.builder.refer(Kind::Type, ty.text, ty.span);
                            last = *span;
                        }
                        Prop::In(name) => {
                            self.object_or_type(None, *name);
                            last = name.span;
                        }
                        Prop::Owner(player) => {
                            self.player(*player);
                            last = player.span;
                        }
                    }
                }
                let name = object.name.unwrap_or(object.ty);
                self.part(name, Kind::Piece, object.ty.span.to(last));
            }
            Decl::Rule(rule) => self.rule(rule, end),
            Decl::Stuck(..) | Decl::Clock(..) => {}
        }
    }

    fn part(&mut self, name: Piece<'a>, kind: Kind, span: Span) {
        self.builder.outline(Outline {
            name: name.text.to_owned(),
            detail: String::new(),
            kind,
            span,
            name_span: name.span,
            parts: Vec::new(),
        });
    }

    fn rule(&mut self, rule: &Rule<'a>, end: u32) {
        let last = rule.clauses.last().map_or(rule.span, Clause::span);
        let whole = rule.span.to(last);
        let scope = Span::new(whole.file, whole.start, end);
        let header = self.source.slice(rule.span).to_owned();
        if let Some(name) = rule.name {
            let symbol = self.builder.define(Kind::Rule, name.text, name.span);
            let docs = self.docs(rule.span);
            let symbol = self.builder.edit(symbol);
            symbol.detail = header.clone();
            symbol.docs = docs;
        }
        for (ty, name) in &rule.params {
            self.builder.refer(Kind::Type, ty.text, ty.span);
            let symbol = self.builder.scoped(Kind::Parameter, name.text, Some(scope));
            self.builder.put(symbol, name.span, true);
            self.builder.edit(symbol).detail = format!("{} {}", ty.text, name.text);
        }
        for clause in &rule.clauses {
            self.clause(rule, scope, clause);
        }
        let name = rule.name.map_or(rule.kind.word(), |name| name.text);
        let name_span = rule.name.map_or(rule.span, |name| name.span);
        self.builder.outline(Outline {
            name: name.to_owned(),
            detail: header,
            kind: Kind::Rule,
            span: whole,
            name_span,
            parts: Vec::new(),
        });
    }

    fn clause(&mut self, rule: &Rule<'a>, scope: Span, clause: &Clause<'a>) {
        let verb = clause.words.iter().position(|word| word.text != "not");
        let Some(verb) = verb else { return };
        let args = &clause.words[verb + 1..];
        for (at, word) in args.iter().enumerate() {
            let players = match clause.words[verb].text {
                "players" if !clause.require => true,
                "own" | "distribute" | "disown" if !clause.require => at == 1,
                _ => false,
            };
            match players {
                true => self.player(*word),
                false => self.object_or_type(Some((rule, scope)), *word),
            }
        }
    }

    fn player(&mut self, word: Piece<'a>) {
        let name = first_part(word);
        if !RESERVED.contains(&name.text) {
            self.builder.refer(Kind::Player, name.text, name.span);
        }
    }

    /// A parameter, else an object, else a type.
    fn object_or_type(&mut self, rule: Option<(&Rule<'a>, Span)>, word: Piece<'a>) {
        let name = first_part(word);
        let number = name.text.bytes().all(|b| b.is_ascii_digit());
        if number || RESERVED.contains(&name.text) || matches!(name.text, "<" | ">") {
            return;
        }
        if let Some((rule, scope)) = rule
            && rule.params.iter().any(|(_, param)| param.text == name.text)
        {
            let symbol = self.builder.scoped(Kind::Parameter, name.text, Some(scope));
            self.builder.put(symbol, name.span, false);
            return;
        }
        let kind = match self.builder.find(Kind::Piece, name.text) {
            Some(_) => Kind::Piece,
            None => Kind::Type,
        };
        self.builder.refer(kind, name.text, name.span);
    }
}

/// A word without its modifiers.
fn first_part(word: Piece<'_>) -> Piece<'_> {
    let text = word.text.split('.').next().unwrap_or_default();
    let start = word.span.start;
    let span = Span::new(word.span.file, start, start + text.len() as u32);
    Piece { text, span }
}

/// What may stand at a byte.
pub(super) fn expected(source: &SourceFile, at: u32) -> Expected {
    let line = source.position(at).line;
    let span = source.line_span(line);
    let at = at.min(span.end);
    let before = source.slice(Span::new(span.file, span.start, at));
    let typed = before
        .rfind(|c: char| c.is_whitespace() || c == '<' || c == '>' || c == '.')
        .map_or(0, |at| at + 1);
    let typed = before.ceil_char_boundary(typed);
    let rest = source.slice(Span::new(span.file, at, span.end));
    let len = rest
        .find(|c: char| c.is_whitespace() || c == '.' || c == '#')
        .unwrap_or(rest.len());
    let mut expected = Expected {
        replace: Span::new(span.file, span.start + typed as u32, at + len as u32),
        ..Expected::default()
    };
    if before.contains('#') {
        return expected;
    }
    let head = &before[..typed];
    let words: Vec<&str> = head.split_whitespace().collect();
    if head.ends_with('.') {
        expected.words = words::MODIFIERS.to_vec();
        return expected;
    }
    match words.as_slice() {
        [] => {
            expected.words = words::STARTERS.to_vec();
            expected.kinds.push(Kind::Type);
        }
        ["require", .., "not"] | ["require"] => expected.words = words::REQUIREMENTS.to_vec(),
        ["effect"] => expected.words = words::EFFECTS.to_vec(),
        ["effect", "players"] | ["effect", "own" | "distribute" | "disown", _] => {
            expected.words = words::PLAYERS.to_vec();
            expected.kinds.push(Kind::Player);
        }
        ["require" | "effect", ..] => {
            expected
                .kinds
                .extend([Kind::Parameter, Kind::Piece, Kind::Type]);
        }
        ["active", ..] | ["owner"] => expected.kinds.push(Kind::Player),
        ["contains" | "in", ..] => expected.kinds.extend([Kind::Piece, Kind::Type]),
        ["Stuck"] => expected.words = words::STUCK.to_vec(),
        [
            "Action" | "WinCondition" | "LoseCondition" | "DrawCondition",
            ..,
        ] => {
            expected.kinds.push(Kind::Type);
        }
        ["Type", _, ..] => expected.words = vec![words::MAX],
        _ => {}
    }
    expected
}

/// Whether a text can name something.
pub(super) fn is_name(_: Kind, name: &str) -> bool {
    let bad = |c: char| c.is_whitespace() || c.is_control() || ".,;:*{}()[]=#\"@/<>".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    !name.is_empty() && !starts && !name.contains(bad) && !RESERVED.contains(&name)
}
