//! Mistakes that show only by what stands around them.

use super::{Parser, span_before};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::lex::{Kind, Line, Token};
use crate::settings::Settings;
use crate::source::Span;

/// What is told of a line that begins as remarks do in other languages; `before` are the tokens that could be read.
pub(super) fn remark(
    line: &Line<'_>,
    before: &[Token],
    settings: &Settings,
) -> Option<Box<Diagnostic>> {
    let mut ignored = Diagnostics::new();
    let mut parser = Parser::new(before, line.span, settings, &mut ignored);
    let error = parser.row().err()?;
    std::ptr::eq(error.code, &codes::COMMENT).then_some(error)
}

/// Whether a line that begins with a word and a name goes on as an order does.
pub(super) fn is_like_an_order(first: &Token, more: &[Token]) -> bool {
    let kind = |at: usize| more.get(at).map(|token| &token.kind);
    matches!(first.kind, Kind::Id(_))
        && kind(0) == Some(&Kind::Equals)
        && kind(1) == Some(&Kind::OpenList)
}

impl Parser<'_> {
    /// The token so many places before the present one.
    fn back(&self, by: usize) -> Option<(&Kind, Span)> {
        let token = self.tokens.get(self.at.checked_sub(by)?)?;
        Some((&token.kind, token.span))
    }

    /// What was meant where something else stands than the bracket that closes; nothing if that does not show.
    pub(super) fn slip(&self, kind: &Kind, opener: Span) -> Option<Diagnostic> {
        match self.peek()? {
            Kind::Id(word) if matches!(word.as_str(), "and" | "or" | "AND" | "OR") => {
                Some(self.word_operator(word))
            }
            Kind::Id(_) | Kind::Number(_) | Kind::Text(_) | Kind::OpenList
                if *kind == Kind::Close =>
            {
                self.missing_colon()
            }
            Kind::Colon if *kind == Kind::CloseList => self.open_list(opener),
            Kind::DotDot => Some(self.bare_range()),
            _ => None,
        }
    }

    fn word_operator(&self, word: &str) -> Diagnostic {
        let span = self.span();
        let message = format!("`{word}` is no operator");
        let found = Diagnostic::new(&codes::SYNTAX, span, message);
        match word.to_ascii_lowercase().as_str() {
            "and" => found.fix("that both hold is `a*b`", span, "*"),
            _ => found.help("that one of them holds is `[a, b]`"),
        }
    }

    /// A key and its value with nothing in between.
    fn missing_colon(&self) -> Option<Diagnostic> {
        let ((Kind::Id(key), at), (before, _)) = (self.back(1)?, self.back(2)?) else {
            return None;
        };
        if !matches!(before, Kind::Open | Kind::Comma) {
            return None;
        }
        let message = format!("`:` is missing behind `{key}`");
        let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
        let behind = Span::new(at.file, at.end, self.span().start);
        Some(found.fix("write `:` in between", behind, ":"))
    }

    /// The key of the next field, to which a list runs on.
    fn open_list(&self, opener: Span) -> Option<Diagnostic> {
        let ((Kind::Id(key), _), (Kind::Comma, comma)) = (self.back(1)?, self.back(2)?) else {
            return None;
        };
        let found = Diagnostic::new(&codes::UNBALANCED, opener, "`]` is missing");
        let found = found.label("opened here");
        let help = format!("close the list with `]` before `, {key}`");
        Some(found.fix(help, span_before(comma), "]"))
    }

    /// A range without brackets.
    fn bare_range(&self) -> Diagnostic {
        let found = Diagnostic::new(&codes::BARE_RANGE, self.span(), "a range needs brackets");
        match (self.back(1), self.ahead(1)) {
            (Some((Kind::Number(low), first)), Some(Kind::Number(high))) => {
                let last = self
                    .tokens
                    .get(self.at + 1)
                    .map_or(first, |token| token.span);
                let text = format!("[{low}..{high}]");
                found.fix(format!("write `{text}`"), first.to(last), text)
            }
            _ => found.help("write `[45..135]`"),
        }
    }

    /// What stands behind the counter of a row, or behind its atoms, and begins none.
    pub(super) fn behind_atoms(&self) -> Option<Diagnostic> {
        let (before, at) = self.back(1)?;
        match (before, self.peek()?) {
            (Kind::Number(_), Kind::Dot) => {
                let found =
                    Diagnostic::new(&codes::FLOAT, at.to(self.span()), "numbers are integers");
                Some(found.help("a counter is a number of moves; there are no fractions"))
            }
            (
                Kind::Close,
                Kind::Slash | Kind::Star | Kind::Plus | Kind::Minus | Kind::Compare(_) | Kind::Dot,
            ) if self.ahead(1) != Some(&Kind::Slash) => {
                let message = "the atom ends here, and the line goes on";
                let found = Diagnostic::new(&codes::UNBALANCED, at, message);
                let found = found.also(self.span(), "this belongs to no atom");
                Some(found.help("is a `(` missing before, in the atom?"))
            }
            _ => None,
        }
    }

    /// Values of one key that stand like fields.
    pub(super) fn values_without_list(
        &self,
        fields: &[(Option<super::Word>, super::Expr)],
    ) -> Option<String> {
        let odd = fields.iter().position(|(key, _)| key.is_none())?;
        let (Some(key), _) = fields.get(odd.checked_sub(1)?)? else {
            return None;
        };
        let more = fields[odd..].iter().take_while(|(key, _)| key.is_none());
        let values = fields[odd - 1..odd].iter().chain(more);
        let values: Vec<String> = values.map(|(_, value)| value.to_string()).collect();
        Some(format!(
            "several values are a list: `{}:[{}]`",
            key.text,
            values.join(",")
        ))
    }

    /// A dot that follows no name.
    pub(super) fn dot_error(&self, span: Span) -> Diagnostic {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at].kind);
        match (before, self.ahead(1)) {
            (Some(Kind::Number(a)), Some(Kind::Number(b))) => {
                let whole = self.previous().to(self.tokens[self.at + 1].span);
                let message = "numbers are integers";
                let found = Diagnostic::new(&codes::FLOAT, whole, message);
                found.fix(
                    format!("did you mean `{a},{b}`?"),
                    whole,
                    format!("{a},{b}"),
                )
            }
            _ => Diagnostic::new(&codes::SYNTAX, span, "only a name has fields")
                .label("names stand on both sides of a dot"),
        }
    }
}
