//! Expressions.

use super::super::ast::{Binary, Expr, ExprKind, Name, Unary};
use super::super::codes;
use super::super::lex::Kind;
use super::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::source::Span;

/// Most signs of one level in a row.
const MAX_CHAIN: u32 = 100;

/// Signs from the loosest to the tightest, and whether they may follow each other.
const LEVELS: &[(&[(&str, Binary)], bool)] = &[
    (&[("||", Binary::Or)], true),
    (&[("&&", Binary::And)], true),
    (&[("==", Binary::Eq), ("!=", Binary::Ne)], false),
    (
        &[
            ("<", Binary::Lt),
            (">", Binary::Gt),
            ("<=", Binary::Le),
            (">=", Binary::Ge),
        ],
        false,
    ),
    (&[("+", Binary::Add), ("-", Binary::Sub)], true),
    (
        &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
        true,
    ),
];

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::expr_inside)
    }

    fn expr_inside(&mut self) -> Parsed<Expr> {
        let start = self.at;
        let cond = self.chain(0)?;
        if self.is_sign("=") {
            let ExprKind::Name(name) = cond.kind else {
                let span = cond.span.to(self.span());
                let message = "only a variable can be assigned to";
                let found = Diagnostic::new(&codes::SYNTAX, span, message);
                return self.fail(found.help("`==` compares two values"));
            };
            // `(x) = 1` and `a + x = 1` are none.
            if self.tokens[start].span.start != name.span.start {
                let message = "only a variable can be assigned to";
                let found = Diagnostic::new(&codes::SYNTAX, cond.span, message);
                return self.fail(found);
            }
            self.next();
            let value = self.expr()?;
            let span = cond.span.to(value.span);
            return Ok(Expr {
                kind: ExprKind::Assign(name, Box::new(value)),
                span,
            });
        }
        if !self.eat_sign("?") {
            return Ok(cond);
        }
        let yes = self.expr()?;
        self.sign(":")?;
        let no = self.expr()?;
        let span = cond.span.to(no.span);
        Ok(Expr {
            kind: ExprKind::Ternary(Box::new(cond), Box::new(yes), Box::new(no)),
            span,
        })
    }

    /// Signs between operands, from a level of [`LEVELS`] on.
    fn chain(&mut self, level: usize) -> Parsed<Expr> {
        let Some((signs, chains)) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.chain(level + 1)?;
        let mut count = 0;
        while let Some((_, op)) = signs.iter().find(|(sign, _)| self.is_sign(sign)) {
            count += 1;
            if count > 1 && !chains {
                let message = "comparisons cannot follow each other";
                let found = Diagnostic::new(&codes::SYNTAX, self.span(), message);
                return self.fail(found.help("put one of them into parentheses, or use `and`"));
            }
            if count > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} signs follow each other");
                let found = Diagnostic::new(&codes::TOO_DEEP, self.span(), message);
                return self.fail(found);
            }
            let sign = self.next().span;
            self.no_combined(&left, sign)?;
            let right = self.chain(level + 1)?;
            let span = left.span.to(right.span);
            left = Expr {
                kind: ExprKind::Binary(*op, Box::new(left), Box::new(right)),
                span,
            };
        }
        Ok(left)
    }

    /// Tells of `+=` and its like.
    fn no_combined(&mut self, left: &Expr, sign: Span) -> Parsed<()> {
        let (ExprKind::Name(name), true) = (&left.kind, self.is_sign("=")) else {
            return Ok(());
        };
        let span = sign.to(self.span());
        let sign = match self.tokens[self.at.saturating_sub(1)].kind {
            Kind::Sign(sign @ ("+" | "-" | "*" | "/" | "%")) => sign,
            _ => return Ok(()),
        };
        let message = format!("there is no `{sign}=`");
        let found = Diagnostic::new(&codes::SYNTAX, span, message);
        self.fail(found.fix(
            format!("write `{name} = {name} {sign} ...`"),
            span,
            format!("= {name} {sign}"),
        ))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.token().kind {
            Kind::Sign("+") => Unary::Plus,
            Kind::Sign("-") => Unary::Minus,
            Kind::Sign("!") => Unary::Not,
            _ => return self.primary(),
        };
        let start = self.next().span;
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        Ok(Expr {
            kind: ExprKind::Unary(op, Box::new(operand)),
            span,
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.token().kind.clone() {
            Kind::Number(value) => {
                self.next();
                if self.is_sign(".") && matches!(self.ahead(1), Kind::Number(_)) {
                    let dot = self.next().span;
                    let span = start.to(self.span());
                    let found = Diagnostic::new(&codes::SYNTAX, span, "numbers are whole here");
                    return self.fail(found.also(dot, "there are no fractions"));
                }
                ExprKind::Int(value)
            }
            Kind::Sign("(") => {
                let opener = self.next().span;
                let mut inner = self.expr()?;
                self.close(")", opener)?;
                inner.span = start.to(self.last());
                return Ok(inner);
            }
            Kind::Sign(sign @ ("++" | "--")) => {
                self.next();
                let name = self.qname()?;
                ExprKind::Step {
                    name,
                    before: true,
                    up: sign == "++",
                }
            }
            Kind::Word("true") => self.value(ExprKind::Bool(true)),
            Kind::Word("false") => self.value(ExprKind::Bool(false)),
            Kind::Word("$leftSteps") => self.value(ExprKind::LeftSteps),
            Kind::Word("$result") => self.value(ExprKind::Result),
            Kind::Word("$numPlayers") => self.value(ExprKind::NumPlayers),
            Kind::Word("roll") => {
                self.next();
                let opener = self.open()?;
                let sides = match self.is_sign(")") {
                    true => None,
                    false => Some(Box::new(self.expr()?)),
                };
                self.close(")", opener)?;
                ExprKind::Roll(sides)
            }
            Kind::Word("choose_bool") => {
                self.next();
                let opener = self.open()?;
                self.close(")", opener)?;
                ExprKind::ChooseBool
            }
            Kind::Word("cp" | "np" | "pp") | Kind::Ident(_) => {
                let name = self.qname()?;
                match self.token().kind {
                    Kind::Sign("(" | ".") if name.of.is_none() => return self.stray(&name),
                    Kind::Sign(sign @ ("++" | "--")) => {
                        self.next();
                        ExprKind::Step {
                            name,
                            before: false,
                            up: sign == "++",
                        }
                    }
                    _ => ExprKind::Name(name),
                }
            }
            _ => return self.expected("a value"),
        };
        Ok(Expr {
            kind,
            span: start.to(self.last()),
        })
    }

    fn value(&mut self, kind: ExprKind) -> ExprKind {
        self.next();
        kind
    }

    fn qname(&mut self) -> Parsed<Name> {
        let start = self.span();
        let of = self.who();
        if let Some(who) = of
            && !self.eat_sign(".")
        {
            let message = format!("`{who}` alone is no value");
            let found = Diagnostic::new(&codes::SYNTAX, start, message);
            return self
                .fail(found.help(format!("write `{who}.name` for a variable of the player")));
        }
        let (name, _) = self.name("the name of a variable")?;
        Ok(Name {
            of,
            name,
            span: start.to(self.last()),
        })
    }
}
