//! Expressions, by precedence: comparisons, sums, products, `!`, and what stands by itself.

use super::{MAX_DEPTH, MAX_HEIGHT, Mode, Parsed, Parser};
use crate::ast::{Expr, ExprKind, Op, VARIABLES};
use crate::codes;
use crate::diag::Diagnostic;
use crate::lex::Kind;
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let found = Diagnostic::new(
                &codes::SYNTAX,
                self.span(),
                "too many brackets inside each other",
            );
            return Err(Box::new(found));
        }
        let left = self.sum()?;
        let height = self.height;
        let lenient = self.settings.mode == Mode::Lenient;
        let expr = match self.peek() {
            Some(Kind::Compare(op)) => {
                let (op, at) = (*op, self.span());
                self.at += 1;
                if let Some(Kind::Equals | Kind::Compare(Op::Eq)) = self.peek() {
                    return Err(Box::new(self.double_operator(op)));
                }
                let right = self.sum()?;
                if let Some(Kind::Compare(_)) = self.peek() {
                    return Err(Box::new(
                        self.chained(self.span()).also(at, "the first comparison"),
                    ));
                }
                self.height = height.max(self.height) + 1;
                binary(op, left, right)
            }
            Some(Kind::Equals) if lenient => {
                let span = self.span();
                self.at += 1;
                let right = self.sum()?;
                let message = "`=` is read as `==`";
                let found = Diagnostic::new(&codes::READ_AS_EQUAL, span, message);
                self.out.push(found.fix("write `==`", span, "=="));
                self.height = height.max(self.height) + 1;
                binary(Op::Eq, left, right)
            }
            Some(Kind::Equals) => return Err(Box::new(self.equals_error(self.span()))),
            _ => left,
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn double_operator(&self, op: Op) -> Diagnostic {
        match op {
            Op::Ne => self.equals_error(self.span()),
            _ => {
                let whole = self.previous().to(self.span());
                Diagnostic::new(&codes::SYNTAX, whole, "this is no operator")
                    .help("comparisons are `==`, `!=`, `<`, `<=`, `>`, `>=`")
            }
        }
    }

    fn sum(&mut self) -> Parsed<Expr> {
        self.chain(Self::product, |kind| match kind {
            Kind::Plus => Some(Op::Add),
            Kind::Minus => Some(Op::Sub),
            _ => None,
        })
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.chain(Self::unary, |kind| match kind {
            Kind::Star => Some(Op::Mul),
            Kind::Slash => Some(Op::Div),
            Kind::Percent => Some(Op::Rem),
            _ => None,
        })
    }

    /// Operands of one precedence with operators between them, which associate to the left.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Expr>,
        operator: fn(&Kind) -> Option<Op>,
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        let mut height = self.height;
        while let Some(op) = self.peek().and_then(operator) {
            if height >= MAX_HEIGHT {
                let message = format!("more than {MAX_HEIGHT} operators follow each other");
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                return Err(Box::new(found.help("put parts of it into parentheses")));
            }
            self.at += 1;
            left = binary(op, left, operand(self)?);
            height = height.max(self.height) + 1;
        }
        self.height = height;
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat(&Kind::Not).is_none() {
            return self.primary();
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let found = Diagnostic::new(&codes::SYNTAX, start, "too many signs `!`");
            return Err(Box::new(found));
        }
        let inner = self.unary()?;
        self.height += 1;
        self.depth -= 1;
        let span = start.to(inner.span);
        let kind = ExprKind::Not(Box::new(inner));
        Ok(Expr { kind, span })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        self.height = 0;
        let kind = match self.peek() {
            Some(Kind::Id(name)) => {
                let name = name.clone();
                self.at += 1;
                return self.name(name, span);
            }
            Some(Kind::Text(text)) => ExprKind::Text(text.clone()),
            Some(Kind::Number(n)) => ExprKind::Number(*n),
            Some(Kind::Minus) => return self.negative(span),
            Some(Kind::Plus) => {
                let found =
                    Diagnostic::new(&codes::SIGN, span, "there is no plus sign before a value");
                return Err(Box::new(found.fix("remove it", span, "")));
            }
            Some(Kind::Open) => return self.group(span),
            Some(Kind::OpenList) => return self.list(span),
            Some(Kind::Star) => return Err(self.star(span)),
            Some(Kind::Equals) => return Err(Box::new(self.equals_error(span))),
            _ => return Err(self.unexpected("a value")),
        };
        self.at += 1;
        Ok(Expr { kind, span })
    }

    fn name(&mut self, first: String, start: Span) -> Parsed<Expr> {
        let mut parts = vec![first];
        while self.peek() == Some(&Kind::Dot) {
            self.at += 1;
            let Some(Kind::Id(part)) = self.peek() else {
                return Err(self.unexpected("the name of a field"));
            };
            parts.push(part.clone());
            self.at += 1;
        }
        let span = start.to(self.previous());
        let kind = ExprKind::Name(parts);
        Ok(Expr { kind, span })
    }

    fn negative(&mut self, start: Span) -> Parsed<Expr> {
        self.at += 1;
        let span = start.to(self.span());
        match self.peek() {
            Some(Kind::Number(n)) => {
                let kind = ExprKind::Number(-n);
                self.at += 1;
                Ok(Expr { kind, span })
            }
            _ => {
                let found =
                    Diagnostic::new(&codes::SIGN, start, "a sign stands before a number only");
                Err(Box::new(found.fix("subtract from 0", start, "0-")))
            }
        }
    }

    fn group(&mut self, opener: Span) -> Parsed<Expr> {
        self.at += 1;
        let inner = self.expr()?;
        self.height += 1;
        let close = self.close(&Kind::Close, opener)?;
        if self.peek() == Some(&Kind::Dot) {
            return Err(Box::new(self.dot_error(self.span())));
        }
        let kind = ExprKind::Group(Box::new(inner));
        let span = opener.to(close);
        Ok(Expr { kind, span })
    }

    fn list(&mut self, opener: Span) -> Parsed<Expr> {
        self.at += 1;
        let mut items = Vec::new();
        let mut height = 0;
        let close = loop {
            match self.peek() {
                Some(Kind::CloseList) if items.is_empty() => {
                    let span = opener.to(self.span());
                    let message = "the empty list is an extension";
                    self.out
                        .push(Diagnostic::new(&codes::EMPTY_LIST, span, message));
                    self.at += 1;
                    break self.previous();
                }
                Some(Kind::Comma | Kind::CloseList) => {
                    let message = "an item of the list is missing";
                    let found = Diagnostic::new(&codes::COMMA, self.span(), message);
                    return Err(Box::new(match self.peek() {
                        Some(Kind::CloseList) => found.fix("remove the comma", self.previous(), ""),
                        _ => found,
                    }));
                }
                _ => {}
            }
            items.push(self.item()?);
            height = height.max(self.height);
            if self.eat(&Kind::Comma).is_some() {
                continue;
            }
            break self.close(&Kind::CloseList, opener)?;
        };
        if self.peek() == Some(&Kind::Dot) {
            return Err(Box::new(self.dot_error(self.span())));
        }
        self.height = height + 1;
        let kind = ExprKind::List(items);
        let span = opener.to(close);
        Ok(Expr { kind, span })
    }

    /// An item of a list: an expression or a range.
    fn item(&mut self) -> Parsed<Expr> {
        let first = self.expr()?;
        if self.peek() != Some(&Kind::DotDot) {
            return Ok(first);
        }
        self.at += 1;
        let last = self.expr()?;
        let span = first.span.to(last.span);
        match (&first.kind, &last.kind) {
            (ExprKind::Number(a), ExprKind::Number(b)) => {
                let kind = ExprKind::Range(*a, *b);
                Ok(Expr { kind, span })
            }
            _ => {
                let found =
                    Diagnostic::new(&codes::RANGE_HERE, span, "a range has numbers as bounds");
                Err(Box::new(found))
            }
        }
    }
}

fn binary(op: Op, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
    Expr { kind, span }
}

/// Whether a name is that of a key and not of a value.
pub(super) fn is_key(name: &str) -> bool {
    !VARIABLES.contains(&name)
}

/// The key that is compared with something where `:` was meant.
pub(super) fn compared_key(value: &Expr) -> Option<&str> {
    match &value.kind {
        ExprKind::Binary(Op::Eq, left, _) => match &left.kind {
            ExprKind::Name(path) if path.len() == 1 && is_key(&path[0]) => Some(&path[0]),
            _ => None,
        },
        _ => None,
    }
}
