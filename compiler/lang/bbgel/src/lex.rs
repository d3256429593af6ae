//! Words and signs of the command language.

use super::codes;
use super::text::Text;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// Greatest number that may be written: beyond it the original counts in steps larger than one.
pub(super) const MAX_NUMBER: i64 = (1 << 53) - 1;

/// A word or sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
    pub(super) line: u32,
}

/// The kinds of word and sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A number.
    Number(i64),
    /// A name that is no reserved word.
    Ident(String),
    /// A reserved word or `$name`, synonyms by their first form.
    Word(&'static str),
    /// A sign, synonyms by their first form.
    Sign(&'static str),
    /// The end of a line.
    Newline,
    /// The end of the text.
    End,
}

/// Reserved words, each with the form that stands for it.
const WORDS: &[(&str, &str)] = &[
    ("end", "end"),
    ("goto", "goto"),
    ("cp", "cp"),
    ("current_player", "cp"),
    ("np", "np"),
    ("next_player", "np"),
    ("pp", "pp"),
    ("previous_player", "pp"),
    ("true", "true"),
    ("false", "false"),
    ("choose_bool", "choose_bool"),
    ("sleep", "sleep"),
    ("roll", "roll"),
    ("log", "log"),
    ("move", "move"),
    ("rollback", "rollback"),
    ("game_end", "game_end"),
    ("game_start", "game_start"),
    ("control", "control"),
    ("force", "force"),
    ("begin_scope", "begin_scope"),
    ("end_scope", "end_scope"),
    ("limit_scope", "limit_scope"),
    ("scope_limit", "limit_scope"),
    ("scope_fence", "limit_scope"),
    ("return", "return"),
    ("result", "return"),
    ("endCondition", "endCondition"),
    ("if", "if"),
    ("then", "then"),
    ("else", "else"),
    ("int", "int"),
    ("bool", "bool"),
    ("numTokens", "numTokens"),
    ("players", "players"),
    ("game", "game"),
    ("maxDiceValue", "maxDiceValue"),
    ("$leftSteps", "$leftSteps"),
    ("$result", "$result"),
    ("$return", "$result"),
    ("$numPlayers", "$numPlayers"),
];

/// Words that mean a sign.
const SIGN_WORDS: &[(&str, &str)] = &[("and", "&&"), ("or", "||"), ("not", "!")];

/// Signs, longer ones before those they begin with.
const SIGNS: &[(&str, &str)] = &[
    ("---", "---"),
    ("++", "++"),
    ("--", "--"),
    ("==", "=="),
    ("!=", "!="),
    ("<>", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("&&", "&&"),
    ("||", "||"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("!", "!"),
    ("?", "?"),
    (":", ":"),
    (".", "."),
    (",", ","),
    (";", ";"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
];

/// The words that a name may have been meant to be.
pub(super) fn known_words() -> impl Iterator<Item = &'static str> {
    let signs = SIGN_WORDS.iter();
    WORDS.iter().chain(signs).map(|(word, _)| *word)
}

/// The words and signs of a text; the last one is its end. What is none is told and left out.
pub(super) fn lex(text: &Text, out: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
        tokens: Vec::new(),
    };
    lexer.run(out);
    lexer.push(Kind::End, text.text.len());
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a Text,
    at: usize,
    line: u32,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Kind, end: usize) {
        let span = self.text.span(self.at, end);
        self.tokens.push(Token {
            kind,
            span,
            line: self.line,
        });
        self.at = end;
    }

    fn run(&mut self, out: &mut Diagnostics) {
        while let Some(c) = self.text.text[self.at..].chars().next() {
            let rest = &self.text.text[self.at..];
            match c {
                ' ' | '\t' | '\r' | '\u{feff}' => self.at += c.len_utf8(),
                '\n' => {
                    self.push(Kind::Newline, self.at + 1);
                    self.line += 1;
                }
                _ if rest.starts_with("/*") => {
                    if !self.comment(out) {
                        return;
                    }
                }
                '0'..='9' => self.number(out),
                'a'..='z' | 'A'..='Z' | '_' | '$' => self.word(out),
                _ => self.sign(c, out),
            }
        }
    }

    /// Skips a comment; false if it has no end.
    fn comment(&mut self, out: &mut Diagnostics) -> bool {
        let rest = &self.text.text[self.at..];
        let end = rest.get(2..).and_then(|inner| inner.find("*/"));
        let Some(end) = end else {
            let span = self.text.span(self.at, self.at + 2);
            let found = Diagnostic::new(&codes::OPEN_COMMENT, span, "this comment has no end");
            out.push(found.help("close it with `*/`"));
            self.at = self.text.text.len();
            return false;
        };
        let len = end + 4;
        let lines = rest[..len].bytes().filter(|byte| *byte == b'\n').count();
        self.line += lines as u32;
        self.at += len;
        true
    }

    fn number(&mut self, out: &mut Diagnostics) {
        let rest = &self.text.text[self.at..];
        let len = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let value = rest[..len].parse::<i64>().ok();
        let value = value.filter(|value| *value <= MAX_NUMBER);
        if value.is_none() {
            let span = self.text.span(self.at, self.at + len);
            let message = format!("the number is greater than {MAX_NUMBER}");
            out.push(Diagnostic::new(&codes::BIG_NUMBER, span, message));
        }
        self.push(Kind::Number(value.unwrap_or(MAX_NUMBER)), self.at + len);
    }

    fn word(&mut self, out: &mut Diagnostics) {
        let rest = &self.text.text[self.at..];
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = rest[1..]
            .find(|c: char| !is_letter(c))
            .map_or(rest.len(), |len| len + 1);
        let word = &rest[..len];
        let find = |table: &'static [(&'static str, &'static str)]| {
            table
                .iter()
                .find(|(known, _)| *known == word)
                .map(|(_, form)| *form)
        };
        let kind = match (find(WORDS), find(SIGN_WORDS)) {
            (Some(form), _) => Kind::Word(form),
            (_, Some(form)) => Kind::Sign(form),
            _ if word.starts_with('$') => {
                let span = self.text.span(self.at, self.at + len);
                let message = format!("there is no built-in value `{word}`");
                let known = WORDS.iter().map(|(word, _)| *word);
                let known = known.filter(|word| word.starts_with('$'));
                let found = Diagnostic::new(&codes::SYNTAX, span, message);
                out.push(found.did_you_mean(word, span, known));
                Kind::Ident(word.to_owned())
            }
            _ => Kind::Ident(word.to_owned()),
        };
        self.push(kind, self.at + len);
    }

    fn sign(&mut self, c: char, out: &mut Diagnostics) {
        let rest = &self.text.text[self.at..];
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        // Two slashes would be read as two divisions, which helps nobody.
        if rest.starts_with("//") || sign.is_none() {
            let line = rest.find('\n').unwrap_or(rest.len());
            let (len, help) = match c {
                '/' => (line, "comments are written /* like this */"),
                '"' | '\'' => {
                    // Up to the same quote on the line; what stands behind is read.
                    let close = rest[1..line.max(1)].find(c).map(|at| at + 2);
                    let len = close.unwrap_or(line);
                    (len, "there are no texts: only numbers and truth values")
                }
                '&' => (1, "write `and` or `&&`"),
                '|' => (1, "write `or` or `||`"),
                '#' => (line, "comments are written /* like this */"),
                _ => (c.len_utf8(), ""),
            };
            let span = self.text.span(self.at, self.at + len.max(1));
            let message = match c {
                '/' | '#' => "this is no comment of the language".to_owned(),
                '"' | '\'' => format!("`{c}` has no meaning here"),
                _ => format!("`{}` has no meaning here", c.escape_debug()),
            };
            let found = Diagnostic::new(&codes::SYNTAX, span, message);
            out.push(match help {
                "" => found,
                help => found.help(help),
            });
            match c {
                // A value stands there, whatever it is.
                '"' | '\'' => self.push(Kind::Number(0), self.at + len),
                _ => self.at += len,
            }
            return;
        }
        if let Some((sign, form)) = sign {
            self.push(Kind::Sign(form), self.at + sign.len());
        }
    }
}
