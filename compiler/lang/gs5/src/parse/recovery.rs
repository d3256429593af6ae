//! Reading on behind an atom that is wrong.

use super::{Parsed, Parser};
use crate::ast::Atom;
use crate::lex::Kind;
use crate::source::Span;

impl Parser<'_> {
    /// An atom; where it is wrong but its brackets are not, the error is told and what follows is read.
    pub(super) fn atom_or_error(&mut self) -> Parsed<Atom> {
        let start = self.at;
        self.atom().or_else(|error| {
            let close = self.closing(start).ok_or_else(|| error.clone())?;
            self.out.push(*error);
            self.wrong = true;
            self.at = close + 1;
            self.depth = 0;
            Ok(empty_atom(self.tokens[start].span.to(self.previous())))
        })
    }

    /// The bracket that closes the one at a token, if all between them close in pairs.
    fn closing(&self, opener: usize) -> Option<usize> {
        let mut open = Vec::new();
        for (at, token) in self.tokens.iter().enumerate().skip(opener) {
            match token.kind {
                Kind::Open => open.push(Kind::Close),
                Kind::OpenList => open.push(Kind::CloseList),
                Kind::Close | Kind::CloseList => {
                    open.pop().filter(|wanted| *wanted == token.kind)?;
                }
                _ => {}
            }
            if open.is_empty() {
                return Some(at);
            }
        }
        None
    }
}

/// An atom that asks for nothing.
pub(super) fn empty_atom(span: Span) -> Atom {
    Atom {
        count: None,
        pos: Vec::new(),
        postpos: None,
        bucket: None,
        code: None,
        conditions: Vec::new(),
        span,
    }
}
