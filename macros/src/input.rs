//! What the macro is called with, read from its tokens: a parser of Rust would take as long to build as a language does.

use proc_macro::{Delimiter, Literal, Span, TokenStream, TokenTree};

/// Something that is wrong with a call, and where.
pub(crate) struct Wrong {
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// The tokens that are left.
pub(crate) struct Input {
    tokens: Vec<TokenTree>,
    at: usize,
}

impl Input {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut all = Vec::new();
        flatten(tokens, &mut all);
        Self { tokens: all, at: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// What is wrong is that something else is here.
    pub(crate) fn expected<T>(&self, what: &str) -> Result<T, Wrong> {
        let (span, message) = match self.tokens.get(self.at) {
            Some(token) => (token.span(), format!("expected {what}")),
            None => (
                Span::call_site(),
                format!("unexpected end of input, expected {what}"),
            ),
        };
        Err(Wrong { span, message })
    }

    /// What is here is too much.
    pub(crate) fn unexpected<T>(&self) -> Result<T, Wrong> {
        let here = self.tokens.get(self.at);
        let span = here.map_or_else(Span::call_site, TokenTree::span);
        let message = "unexpected token".to_owned();
        Err(Wrong { span, message })
    }

    /// The name that is next, with its place.
    pub(crate) fn name(&mut self) -> Option<(String, Span)> {
        let Some(TokenTree::Ident(name)) = self.tokens.get(self.at) else {
            return None;
        };
        self.at += 1;
        Some((name.to_string(), name.span()))
    }

    /// Whether a sign is next, which is taken then.
    pub(crate) fn sign(&mut self, sign: char) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(TokenTree::Punct(next)) if next.as_char() == sign);
        self.at += usize::from(is);
        is
    }

    /// The text of the string that is next, with its place.
    pub(crate) fn text(&mut self) -> Result<(String, Span), Wrong> {
        let Some(TokenTree::Literal(literal)) = self.tokens.get(self.at) else {
            return self.expected("string literal");
        };
        let Some(text) = text_of(literal) else {
            return self.expected("string literal");
        };
        self.at += 1;
        Ok((text, literal.span()))
    }
}

/// The tokens without the invisible brackets around what other macros hand on.
fn flatten(tokens: TokenStream, out: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flatten(group.stream(), out);
            }
            token => out.push(token),
        }
    }
}

/// What a literal of Rust says, if it is a string.
fn text_of(literal: &Literal) -> Option<String> {
    let literal = literal.to_string();
    if let Some(raw) = literal.strip_prefix('r') {
        let text = raw.trim_start_matches('#');
        let hashes = raw.len() - text.len();
        let end = text.len().checked_sub(hashes)?;
        return Some(text[..end].strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    unescaped(literal.strip_prefix('"')?.strip_suffix('"')?)
}

/// A text without the escapes that string literals have.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let mut chars = behind.chars();
        match chars.next()? {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            '0' => out.push('\0'),
            'x' => {
                let digits = chars.as_str().get(..2)?;
                out.push(u8::from_str_radix(digits, 16).ok()?.into());
                chars = chars.as_str()[2..].chars();
            }
            'u' => {
                let (digits, behind) = chars.as_str().strip_prefix('{')?.split_once('}')?;
                let code = u32::from_str_radix(&digits.replace('_', ""), 16).ok()?;
                out.push(char::from_u32(code)?);
                chars = behind.chars();
            }
            // The line goes on with the next letter.
            '\n' | '\r' => chars = chars.as_str().trim_start().chars(),
            quoted => out.push(quoted),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Some(out)
}
