//! The tokens of an expression: bounds before parsing, words for errors after it.

use super::codes;
use super::text::Text;
use crate::diag::{Diagnostic, closest};

/// Deepest nesting of brackets.
pub(super) const MAX_BRACKETS: usize = 64;
/// Deepest nesting of brackets and operators together; every operator on a line is one level.
pub(super) const MAX_LEVELS: usize = 250;

const KEYWORDS: &[&str] = &[
    "NOT",
    "ABS",
    "SUBSET",
    "ISPARTOF",
    "IN",
    "SETMINUS",
    "EXCEPTOF",
    "UNION",
    "INTERSECT",
    "AND",
    "OR",
];
/// What people of other languages write.
const FOREIGN: &[(&str, &str)] = &[
    ("&&", "AND"),
    ("&", "AND"),
    ("||", "OR"),
    ("|", "OR"),
    ("!", "NOT"),
    (":=", "="),
    ("=>", ">="),
    ("=<", "<="),
    ("<>", "!="),
    ("MOD", "%"),
    ("DIV", "/"),
];

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Comma,
    Value,
    Word,
    Keyword,
    Operator,
}

/// A token, by its bytes in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of a text.
pub(super) struct Scan<'a> {
    text: Text<'a>,
    tokens: Vec<Token>,
    open_string: Option<usize>,
    bare_dollar: Option<usize>,
}

/// Whether a character stands for itself between words.
pub(super) const fn is_separator(c: char) -> bool {
    matches!(
        c,
        '=' | '!'
            | '<'
            | '>'
            | '+'
            | '-'
            | '*'
            | '/'
            | '%'
            | ' '
            | '\t'
            | '('
            | ')'
            | ','
            | '"'
            | '$'
            | '{'
            | '}'
            | '['
            | ']'
    )
}

impl<'a> Scan<'a> {
    /// Finds the tokens.
    pub(super) fn new(text: Text<'a>) -> Self {
        let mut scan = Self {
            text,
            tokens: Vec::new(),
            open_string: None,
            bare_dollar: None,
        };
        let mut at = 0;
        while let Some(c) = text.text[at..].chars().next() {
            let end = scan.token_end(at, c);
            let kind = match c {
                ' ' | '\t' => None,
                '(' | '{' | '[' => Some(Kind::Open),
                ')' | '}' | ']' => Some(Kind::Close),
                ',' => Some(Kind::Comma),
                '"' | '$' => Some(Kind::Value),
                c if is_separator(c) => Some(Kind::Operator),
                c if c.is_ascii_digit() => Some(Kind::Value),
                _ if KEYWORDS.contains(&&text.text[at..end]) => Some(Kind::Keyword),
                _ => Some(Kind::Word),
            };
            scan.tokens.extend(kind.map(|kind| Token {
                kind,
                start: at,
                end,
            }));
            at = end;
        }
        scan
    }

    /// The tokens, in order, also those of a text that is wrong.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    fn token_end(&mut self, at: usize, first: char) -> usize {
        let rest = &self.text.text[at..];
        match first {
            '"' => match rest[1..].find('"') {
                Some(length) => {
                    self.check_holes(at + 1, at + 1 + length);
                    at + length + 2
                }
                None => {
                    self.open_string = Some(at);
                    self.text.text.len()
                }
            },
            '$' => {
                let blanks = rest[1..].len() - rest[1..].trim_start_matches([' ', '\t']).len();
                let end = self.word_end(at + 1 + blanks);
                if end == at + 1 + blanks {
                    self.bare_dollar.get_or_insert(at);
                    return at + 1;
                }
                end
            }
            '=' | '<' | '>' | '!' if rest[1..].starts_with('=') => at + 2,
            c if is_separator(c) => at + c.len_utf8(),
            _ => self.word_end(at),
        }
    }

    fn check_holes(&mut self, start: usize, end: usize) {
        let string = &self.text.text[start..end];
        for (at, _) in string.match_indices('$') {
            let name = string[at + 1..].trim_start_matches([' ', '\t']);
            if name.chars().next().is_none_or(is_separator) {
                self.bare_dollar.get_or_insert(start + at);
            }
        }
    }

    fn word_end(&self, at: usize) -> usize {
        self.text.text[at..]
            .find(is_separator)
            .map_or(self.text.text.len(), |length| at + length)
    }

    fn str_of(&self, token: Token) -> &'a str {
        &self.text.text[token.start..token.end]
    }

    /// What is wrong before the grammar is asked: open strings, unbalanced brackets, too much nesting.
    pub(super) fn problem(&self) -> Option<Diagnostic> {
        let error =
            |code, start, end, message| Diagnostic::new(code, self.text.part(start, end), message);
        if self.tokens.is_empty() {
            let error =
                Diagnostic::new(&codes::SYNTAX, self.text.span(), "an expression is missing");
            return Some(error.label("nothing stands here"));
        }
        if let Some(at) = self.open_string {
            let error = error(
                &codes::OPEN_STRING,
                at,
                self.text.text.len(),
                "the string is not closed".to_owned(),
            );
            return Some(error.label("it starts here"));
        }
        if let Some(at) = self.bare_dollar {
            let error = error(&codes::SYNTAX, at, at + 1, "`$` without a name".to_owned());
            return Some(error.note("the name of a variable follows its `$`"));
        }
        self.unbalanced()
    }

    fn unbalanced(&self) -> Option<Diagnostic> {
        let error = |code, token: Token, message| {
            Diagnostic::new(code, self.text.part(token.start, token.end), message)
        };
        // For each open bracket its token, and the operators on its level so far.
        let mut open: Vec<(Option<Token>, usize)> = vec![(None, 0)];
        let mut levels = 1;
        // The wiki's forms nest without brackets.
        let mut forms = 0;
        for &token in &self.tokens {
            let text = self.str_of(token);
            match token.kind {
                Kind::Open => {
                    open.push((Some(token), 0));
                    levels += 1;
                }
                Kind::Close => match open.pop() {
                    Some((Some(partner), operators)) if closes(self.str_of(partner), text) => {
                        levels -= operators + 1;
                    }
                    Some((Some(partner), _)) => {
                        let message = format!("`{text}` does not close `{}`", self.str_of(partner));
                        let span = self.text.part(partner.start, partner.end);
                        return Some(
                            error(&codes::UNBALANCED, token, message).also(span, "opened here"),
                        );
                    }
                    _ => {
                        let message = format!("`{text}` closes nothing");
                        return Some(error(&codes::UNBALANCED, token, message));
                    }
                },
                Kind::Comma => {
                    if let Some((_, operators)) = open.last_mut() {
                        levels -= std::mem::take(operators);
                    }
                }
                Kind::Operator | Kind::Keyword | Kind::Word => {
                    // Words count since those of the wiki's forms nest too.
                    if let Some((_, operators)) = open.last_mut() {
                        *operators += 1;
                        levels += 1;
                    }
                }
                Kind::Value => {}
            }
            forms += usize::from(matches!(text, "THEN" | "TO"));
            if open.len() + forms > MAX_BRACKETS + 1 || levels > MAX_LEVELS {
                let error = error(
                    &codes::TOO_DEEP,
                    token,
                    "the expression is nested too deeply".to_owned(),
                );
                return Some(error.help("move a part of it into an expression of its own"));
            }
        }
        match open.pop() {
            Some((Some(token), _)) => {
                let message = format!("`{}` is not closed", self.str_of(token));
                Some(error(&codes::UNBALANCED, token, message).label("no partner on this line"))
            }
            _ => None,
        }
    }

    /// Why the grammar did not read on at an offset.
    pub(super) fn explain(&self, offset: usize) -> Diagnostic {
        let next = self
            .tokens
            .iter()
            .position(|token| token.end > offset)
            .unwrap_or(self.tokens.len());
        let before = next.checked_sub(1).map(|at| self.tokens[at]);
        let Some(&found) = self.tokens.get(next) else {
            return self.explain_end(before);
        };
        let span = self.text.part(found.start, found.end);
        let text = self.str_of(found);
        let after_value = before
            .is_some_and(|token| matches!(token.kind, Kind::Value | Kind::Word | Kind::Close));
        if let Some(comment) = self.comment_near(found.start) {
            let rest = self.text.part(comment, self.text.text.len());
            let error = Diagnostic::new(
                &codes::SYNTAX,
                rest,
                "a comment cannot follow an expression",
            );
            return error.help("put the comment on a line of its own");
        }
        if let Some((start, end, portable)) = self.foreign(next) {
            let message = format!("`{}` is no operator here", &self.text.text[start..end]);
            let span = self.text.part(start, end);
            return Diagnostic::new(&codes::SYNTAX, span, message).fix(
                format!("write `{portable}`"),
                span,
                portable,
            );
        }
        let mark = self.tokens.iter().find(|token| {
            token.kind != Kind::Value
                && token.start <= found.start
                && self.str_of(**token).contains('\'')
        });
        if let Some(mark) = mark {
            let at = mark.start + self.str_of(*mark).find('\'').unwrap_or(0);
            let span = self.text.part(at, at + 1);
            let message = "`'` means nothing here";
            return Diagnostic::new(&codes::SYNTAX, span, message).fix(
                "strings are written with `\"`",
                span,
                "\"",
            );
        }
        let message = match (after_value, found.kind) {
            (true, Kind::Close | Kind::Comma) => format!("`{text}` is not expected here"),
            (true, _) => {
                format!("expected an operator or the end of the expression, found `{text}`")
            }
            (false, _) => format!("expected a value, found `{text}`"),
        };
        let error = Diagnostic::new(&codes::SYNTAX, span, message);
        match (after_value, text) {
            (false, "AND" | "OR" | "UNION" | "INTERSECT" | "IN" | "SUBSET" | "SETMINUS") => {
                error.note(format!("`{text}` stands between two values: `A {text} B`"))
            }
            (true, "NOT" | "ABS") => error.note(format!("`{text}` stands before its value")),
            (true, ",") => error.note("commas separate arguments and members of sets"),
            (true, "THEN" | "ELSE") => error.note("the form is `IF condition THEN yes ELSE no`"),
            _ => error,
        }
    }

    /// The start of a `//` at an offset or right before it, where its first half passed for an operator.
    fn comment_near(&self, offset: usize) -> Option<usize> {
        let starts = [offset.checked_sub(1), Some(offset)].into_iter().flatten();
        starts
            .filter(|&at| self.text.text.is_char_boundary(at))
            .find(|&at| self.text.text[at..].starts_with("//"))
    }

    fn explain_end(&self, before: Option<Token>) -> Diagnostic {
        let Some(last) = before else {
            return Diagnostic::new(&codes::SYNTAX, self.text.span(), "an expression is missing");
        };
        let text = self.str_of(last);
        let span = self.text.part(last.start, last.end);
        match last.kind {
            Kind::Operator | Kind::Keyword => {
                let message = format!("expected a value after `{text}`");
                Diagnostic::new(&codes::SYNTAX, span, message).label("nothing follows it")
            }
            _ => {
                let error = Diagnostic::new(&codes::SYNTAX, span, "the expression is not complete");
                let then = self
                    .tokens
                    .iter()
                    .any(|token| self.str_of(*token) == "THEN");
                if then {
                    error.note("the form is `IF condition THEN yes ELSE no`")
                } else {
                    error
                }
            }
        }
    }

    /// A foreign or misspelt operator at a token: its place and the right spelling.
    fn foreign(&self, at: usize) -> Option<(usize, usize, &'static str)> {
        let token = self.tokens[at];
        let text = self.str_of(token);
        let mut candidates = vec![(token.end, text)];
        if let Some(next) = self
            .tokens
            .get(at + 1)
            .filter(|next| next.start == token.end)
        {
            candidates.insert(0, (next.end, &self.text.text[token.start..next.end]));
        }
        // Of `=>` and the like the grammar takes the first half as an operator.
        if let Some(before) = at
            .checked_sub(1)
            .map(|at| self.tokens[at])
            .filter(|before| before.end == token.start)
        {
            let pair = &self.text.text[before.start..token.end];
            if let Some((_, portable)) = FOREIGN.iter().find(|(foreign, _)| *foreign == pair) {
                return Some((before.start, token.end, portable));
            }
        }
        for (end, text) in candidates {
            if let Some((_, portable)) = FOREIGN.iter().find(|(foreign, _)| *foreign == text) {
                return Some((token.start, end, portable));
            }
        }
        let keyword = (token.kind == Kind::Word)
            .then(|| closest(text, KEYWORDS.iter().copied()))
            .flatten()?;
        KEYWORDS
            .iter()
            .find(|known| **known == keyword)
            .map(|known| (token.start, token.end, *known))
    }
}

fn closes(open: &str, close: &str) -> bool {
    matches!((open, close), ("(", ")") | ("{", "}") | ("[", "]"))
}
