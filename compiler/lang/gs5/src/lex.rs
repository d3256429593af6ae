//! Lines and tokens.

use super::ast::Op;
use super::codes;
use crate::diag::Diagnostic;
use crate::source::{SourceFile, Span};

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number(i32),
    Id(String),
    Text(String),
    Compare(Op),
    Equals,
    Not,
    Star,
    Slash,
    Percent,
    Plus,
    Minus,
    Comma,
    Dot,
    DotDot,
    Colon,
    Open,
    Close,
    OpenList,
    CloseList,
}

impl Kind {
    /// As messages name it.
    pub(super) fn text(&self) -> String {
        match self {
            Kind::Number(n) => format!("`{n}`"),
            Kind::Id(name) => format!("`{name}`"),
            Kind::Text(text) => format!("`\"{text}\"`"),
            Kind::Compare(op) => format!("`{}`", op.text()),
            Kind::Equals => "`=`".to_owned(),
            Kind::Not => "`!`".to_owned(),
            Kind::Star => "`*`".to_owned(),
            Kind::Slash => "`/`".to_owned(),
            Kind::Percent => "`%`".to_owned(),
            Kind::Plus => "`+`".to_owned(),
            Kind::Minus => "`-`".to_owned(),
            Kind::Comma => "`,`".to_owned(),
            Kind::Dot => "`.`".to_owned(),
            Kind::DotDot => "`..`".to_owned(),
            Kind::Colon => "`:`".to_owned(),
            Kind::Open => "`(`".to_owned(),
            Kind::Close => "`)`".to_owned(),
            Kind::OpenList => "`[`".to_owned(),
            Kind::CloseList => "`]`".to_owned(),
        }
    }
}

/// A line with its place; white space at both ends is not part of it.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// The lines of a file.
pub(super) fn lines(source: &SourceFile) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    source.text().split('\n').map(move |raw| {
        let text = raw.trim_matches(|c: char| c <= ' ');
        let before = raw.len() - raw.trim_start_matches(|c: char| c <= ' ').len();
        let at = start + before as u32;
        start += raw.len() as u32 + 1;
        let end = at + text.len() as u32;
        Line {
            text,
            span: Span::new(source.id(), at, end),
        }
    })
}

/// The tokens of a line; or those before the first place that is no token, and what is wrong there.
pub(super) fn tokens(line: &Line<'_>) -> Result<Vec<Token>, (Vec<Token>, Box<Diagnostic>)> {
    let mut lexer = Lexer {
        rest: line.text,
        at: line.span,
    };
    let mut found = Vec::new();
    loop {
        lexer.skip_space();
        if lexer.rest.is_empty() || lexer.rest.starts_with('#') {
            return Ok(found);
        }
        match lexer.token() {
            Ok(token) => found.push(token),
            Err(diagnostic) => return Err((found, diagnostic)),
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    at: Span,
}

impl Lexer<'_> {
    fn skip_space(&mut self) {
        let text = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace() || c <= ' ');
        self.take(self.rest.len() - text.len());
    }

    /// Goes on behind so many bytes and gives their place.
    fn take(&mut self, bytes: usize) -> Span {
        let start = self.at.start;
        self.rest = &self.rest[bytes..];
        self.at.start += bytes as u32;
        Span::new(self.at.file, start, self.at.start)
    }

    fn token(&mut self) -> Result<Token, Box<Diagnostic>> {
        let Some(first) = self.rest.chars().next() else {
            return Err(self.bad(' '));
        };
        let second = self.rest[first.len_utf8()..].chars().next();
        let (kind, len) = match (first, second) {
            ('0'..='9', _) => return self.number(),
            ('"', _) => return self.string(),
            (c, _) if c.is_alphabetic() || c == '_' || c == '$' => return Ok(self.name()),
            ('=', Some('=')) => (Kind::Compare(Op::Eq), 2),
            ('!', Some('=')) => (Kind::Compare(Op::Ne), 2),
            ('<', Some('=')) => (Kind::Compare(Op::Le), 2),
            ('>', Some('=')) => (Kind::Compare(Op::Ge), 2),
            ('.', Some('.')) => (Kind::DotDot, 2),
            ('<', _) => (Kind::Compare(Op::Lt), 1),
            ('>', _) => (Kind::Compare(Op::Gt), 1),
            ('=', _) => (Kind::Equals, 1),
            ('!', _) => (Kind::Not, 1),
            ('*', _) => (Kind::Star, 1),
            ('/', _) => (Kind::Slash, 1),
            ('%', _) => (Kind::Percent, 1),
            ('+', _) => (Kind::Plus, 1),
            ('-', _) => (Kind::Minus, 1),
            (',', _) => (Kind::Comma, 1),
            ('.', _) => (Kind::Dot, 1),
            (':', _) => (Kind::Colon, 1),
            ('(', _) => (Kind::Open, 1),
            (')', _) => (Kind::Close, 1),
            ('[', _) => (Kind::OpenList, 1),
            (']', _) => (Kind::CloseList, 1),
            (c, _) => return Err(self.bad(c)),
        };
        let span = self.take(len);
        Ok(Token { kind, span })
    }

    fn bad(&self, c: char) -> Box<Diagnostic> {
        let start = self.at.start;
        let span = Span::new(self.at.file, start, start + c.len_utf8() as u32);
        let shown = match c {
            '\u{a0}' => "a no-break space".to_owned(),
            '\u{feff}' => "a byte order mark".to_owned(),
            c if c.is_control() || c.is_whitespace() => {
                format!("the character U+{:04X}", u32::from(c))
            }
            c => format!("`{c}`"),
        };
        let found = Diagnostic::new(&codes::BAD_CHARACTER, span, format!("{shown} is no token"));
        Box::new(match c {
            '\'' => found.help("texts stand in double quotes"),
            '\u{a0}' => found.fix("write a plain space", span, " "),
            ';' => found.help("comments start with `#`; fields are separated by commas"),
            '&' => found.help("that both hold is the product: `a*b`"),
            '|' => found.help("that one holds is the list: `[a, b]`"),
            '{' | '}' => found.help("lists stand in square brackets"),
            '\\' => found.help("a row cannot go on in the next line"),
            _ => found,
        })
    }

    fn number(&mut self) -> Result<Token, Box<Diagnostic>> {
        let len = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = &self.rest[..len];
        let value = digits.parse::<i32>();
        let span = self.take(len);
        match value {
            Ok(value) => Ok(Token {
                kind: Kind::Number(value),
                span,
            }),
            Err(_) => Err(Box::new(
                Diagnostic::new(&codes::BIG_NUMBER, span, "the number is too large")
                    .label("more than 2147483647"),
            )),
        }
    }

    fn name(&mut self) -> Token {
        let part = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_' || c == '$';
        let len = self.rest.find(|c| !part(c)).unwrap_or(self.rest.len());
        let name = self.rest[..len].to_owned();
        Token {
            kind: Kind::Id(name),
            span: self.take(len),
        }
    }

    fn string(&mut self) -> Result<Token, Box<Diagnostic>> {
        match self.rest[1..].find('"') {
            Some(end) => {
                let text = self.rest[1..=end].to_owned();
                Ok(Token {
                    kind: Kind::Text(text),
                    span: self.take(end + 2),
                })
            }
            None => {
                let span = self.take(1);
                let found = Diagnostic::new(&codes::OPEN_STRING, span, "the string is not closed");
                Err(Box::new(
                    found.label("starts here").help("close it with `\"`"),
                ))
            }
        }
    }
}
