//! What editors ask of a rule set: its names, what may stand where.

use super::lex::{Kind as Lex, Token, lines, tokens};
use super::lower::BUILT_IN;
use super::{files, words};
use crate::source::{SourceFile, Span};
use crate::symbols::{Builder, Class, Expected, Index, Kind, Outline, Word, comment_above};

/// The names of a file.
pub(super) fn index(source: &SourceFile) -> Index {
    let mut reader = Reader {
        source,
        builder: Builder::default(),
        rows: 0,
    };
    if files::has_ending(source, "csv") {
        reader.table();
        return reader.builder.finish();
    }
    for line in lines(source) {
        if line.text.starts_with('#') {
            reader.builder.token(line.span, Class::Comment);
            continue;
        }
        // Up to the first place that is no token.
        let tokens = tokens(&line).unwrap_or_else(|(before, _)| before);
        let end = tokens
            .last()
            .map_or(line.span.start, |token| token.span.end);
        let rest = source.slice(Span::new(line.span.file, end, line.span.end));
        if let Some(at) = rest.find('#') {
            let comment = Span::new(line.span.file, end + at as u32, line.span.end);
            reader.builder.token(comment, Class::Comment);
        }
        match tokens.first() {
            None => {}
            Some(first) if is_order(first) => reader.order(&tokens, line.span),
            Some(_) => reader.row(&tokens, line.span),
        }
    }
    reader.builder.finish()
}

fn is_order(token: &Token) -> bool {
    matches!(&token.kind, Lex::Id(word) if word.eq_ignore_ascii_case("order"))
}

struct Reader<'a> {
    source: &'a SourceFile,
    builder: Builder,
    rows: usize,
}

impl Reader<'_> {
    /// A trial list or property table: its first line names the columns.
    fn table(&mut self) {
        let span = self.source.line_span(1);
        let mut start = span.start;
        for name in self.source.slice(span).split(',') {
            let end = start + name.len() as u32;
            self.builder
                .token(Span::new(span.file, start, end), Class::Key);
            start = end + 1;
        }
        for line in 2..=self.source.line_count() {
            let span = self.source.line_span(line);
            let text = self.source.slice(span);
            if let Some(name) = text
                .split(',')
                .next()
                .filter(|name| !name.trim().is_empty())
            {
                self.part(name.trim().to_owned(), Kind::Value, span);
            }
        }
    }

    fn part(&mut self, name: String, kind: Kind, span: Span) {
        self.builder.outline(Outline {
            name,
            detail: String::new(),
            kind,
            span,
            name_span: span,
            parts: Vec::new(),
        });
    }

    fn order(&mut self, tokens: &[Token], line: Span) {
        self.builder.token(tokens[0].span, Class::Keyword);
        let Some(Token {
            kind: Lex::Id(name),
            span,
        }) = tokens.get(1)
        else {
            return;
        };
        let symbol = self.builder.symbol(Kind::Order, name);
        self.builder.put(symbol, *span, true).whole = Some(line);
        let number = self.source.position(line.start).line;
        let docs = comment_above(self.source, number, "#");
        let known = self.builder.edit(symbol);
        known.detail = self.source.slice(line).to_owned();
        known.docs = docs;
        self.part(name.clone(), Kind::Order, line);
        for token in &tokens[2..] {
            self.plain(token);
        }
    }

    fn row(&mut self, tokens: &[Token], line: Span) {
        self.rows += 1;
        self.part(format!("row {}", self.rows), Kind::Rule, line);
        let mut depth = 0;
        // The key of the present field, and the number of the field in its atom.
        let (mut key, mut field) = (None, 0);
        for (at, token) in tokens.iter().enumerate() {
            match &token.kind {
                Lex::Open | Lex::OpenList => {
                    depth += 1;
                    if depth == 1 {
                        (key, field) = (None, 0);
                    }
                }
                Lex::Close | Lex::CloseList => depth -= 1,
                Lex::Comma if depth == 1 => {
                    key = None;
                    field += 1;
                }
                Lex::Id(name) => {
                    let next = tokens.get(at + 1).map(|next| &next.kind);
                    let before = at.checked_sub(1).map(|at| &tokens[at].kind);
                    if depth == 1 && next == Some(&Lex::Colon) {
                        self.builder.token(token.span, Class::Key);
                        key = Some(name.as_str());
                    } else {
                        let follows = before == Some(&Lex::Dot);
                        self.name(token.span, name, follows, key, field);
                    }
                }
                Lex::Text(text) if matches!(key, Some("pos" | "postpos")) => {
                    let inner =
                        Span::new(token.span.file, token.span.start + 1, token.span.end - 1);
                    self.name(inner, text, false, key, field);
                }
                _ => self.plain(token),
            }
        }
    }

    fn name(&mut self, span: Span, name: &str, follows: bool, key: Option<&str>, field: usize) {
        let positions = match key {
            Some(key) => matches!(key, "pos" | "postpos"),
            None => field == 3,
        };
        let variable = words::VARIABLES.iter().any(|word| word.name == name);
        if positions {
            let own = self.builder.find(Kind::Order, name).is_some();
            match BUILT_IN.contains(&name) && !own {
                true => self.builder.token(span, Class::Builtin),
                false => {
                    self.builder.refer(Kind::Order, name, span);
                }
            }
        } else if follows {
            self.builder.token(span, Class::Key);
        } else if variable {
            self.builder.token(span, Class::Builtin);
        } else {
            let symbol = self.builder.refer(Kind::Value, name, span);
            self.builder.edit(symbol).fixed = Some("values come with the pieces");
        }
    }

    fn plain(&mut self, token: &Token) {
        let class = match token.kind {
            Lex::Number(_) => Class::Number,
            Lex::Text(_) => Class::Text,
            Lex::Id(_) => Class::Key,
            Lex::Compare(_)
            | Lex::Equals
            | Lex::Not
            | Lex::Star
            | Lex::Slash
            | Lex::Percent
            | Lex::Plus
            | Lex::Minus
            | Lex::DotDot => Class::Operator,
            _ => return,
        };
        self.builder.token(token.span, class);
    }
}

/// What may stand at a byte.
pub(super) fn expected(source: &SourceFile, at: u32) -> Expected {
    let line = source.position(at).line;
    let span = source.line_span(line);
    let at = at.min(span.end);
    let before = source.slice(Span::new(span.file, span.start, at));
    let part = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_' || c == '$';
    let head = before.trim_end_matches(part);
    let rest = source.slice(Span::new(span.file, at, span.end));
    let len = rest.find(|c| !part(c)).unwrap_or(rest.len()) as u32;
    let mut expected = Expected {
        replace: Span::new(span.file, span.start + head.len() as u32, at + len),
        ..Expected::default()
    };
    if head.trim().is_empty() {
        expected.words = vec![words::ORDER];
        return expected;
    }
    // The atom that is open, if one is.
    let Some(atom) = head.rfind('(').map(|at| &head[at + 1..]) else {
        return expected;
    };
    let fields = top_fields(atom);
    let field = fields.last().copied().unwrap_or_default().trim_start();
    match field.split_once(':') {
        _ if head.ends_with('.') => expected.words = words::PROPERTIES.to_vec(),
        None if field.is_empty() => expected.words = words::KEYS.to_vec(),
        Some(("pos" | "postpos", _)) => {
            expected.words = words::ORDERS.to_vec();
            expected.kinds.push(Kind::Order);
        }
        Some((key @ ("shape" | "color"), value)) => {
            let usual = super::settings::usual_values(key).iter();
            let meaning = "A value that the usual pieces have.";
            let value_of = |name: &&'static str| Word::new(name, Kind::Value, name, meaning);
            expected.words = usual.map(value_of).collect();
            if value.contains(['+', '*', '.']) {
                expected.words.extend(words::VARIABLES);
            }
        }
        Some(("bucket" | "code", _)) => expected.words = words::VARIABLES.to_vec(),
        Some(("count", _)) => {}
        _ => {
            expected.words = words::VARIABLES.to_vec();
            expected.kinds.push(Kind::Value);
        }
    }
    expected
}

/// The fields of an atom so far.
fn top_fields(atom: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0, 0);
    let mut fields = Vec::new();
    for (at, c) in atom.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                fields.push(&atom[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    fields.push(&atom[start..]);
    fields
}

/// Whether a text can name something.
pub(super) fn is_name(_: Kind, name: &str) -> bool {
    let part = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_' || c == '$';
    let starts = name.starts_with(|c: char| !c.is_ascii_digit());
    let free = !BUILT_IN.contains(&name) && !name.eq_ignore_ascii_case("order");
    starts && name.chars().all(part) && free
}
