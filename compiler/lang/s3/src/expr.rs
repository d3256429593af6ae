//! From the text of an expression to its tree.
//!
//! Three steps: [`Scan`] finds tokens, unbalanced brackets and excessive nesting, so that the grammar is only asked
//! about texts that it can read without deep recursion; pest reads the text; [`Reader`] folds the flat lists of items
//! from the right, because the language has no precedence, and resolves words to builtins.

use pest::Parser;
use pest::iterators::Pair;

use super::ast::{
    BinaryOp, Builtin, Expr, ExprKind, Ident, Quantifier, Spanned, Template, TemplatePart, UnaryOp,
};
use super::codes;
use super::grammar::{Grammar, Rule};
use super::items::{Infix, Item};
use super::precedence;
use super::scan::Scan;
use super::text::Text;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// Reads an expression; after `None` there is an error among the diagnostics.
pub(super) fn parse(text: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let scan = Scan::new(text);
    if let Some(problem) = scan.problem() {
        diagnostics.push(problem);
        return None;
    }
    match Grammar::parse(Rule::expression, text.text) {
        Ok(mut pairs) => Reader { text, diagnostics }.expr(pairs.next()?),
        Err(error) => {
            diagnostics.push(scan.explain(offset_of(&error)));
            None
        }
    }
}

/// Where pest gave up.
pub(super) fn offset_of(error: &pest::error::Error<Rule>) -> usize {
    match error.location {
        pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
    }
}

/// Reads the parts of a string or pattern: blanks vanish, neighbouring texts join.
pub(super) fn template(
    text: Text<'_>,
    whole: Span,
    pairs: pest::iterators::Pairs<'_, Rule>,
) -> Template {
    let mut parts: Vec<TemplatePart> = Vec::new();
    for pair in pairs {
        let span = text.span_of(&pair);
        match pair.as_rule() {
            Rule::hole => parts.push(TemplatePart::Var(Spanned::new(name_in(pair), span))),
            Rule::text => {
                let kept: String = pair
                    .as_str()
                    .chars()
                    .filter(|c| !matches!(c, ' ' | '\t'))
                    .collect();
                if !kept.is_empty() {
                    parts.push(TemplatePart::Text(Spanned::new(kept, span)));
                }
            }
            _ => {}
        }
    }
    Template { parts, span: whole }
}

/// The name of a variable or hole.
pub(super) fn name_in(pair: Pair<'_, Rule>) -> String {
    pair.into_inner()
        .next()
        .map(|name| name.as_str().to_owned())
        .unwrap_or_default()
}

struct Reader<'a, 'd> {
    text: Text<'a>,
    diagnostics: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    fn error<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    fn expr(&mut self, pair: Pair<'_, Rule>) -> Option<Expr> {
        let whole = self.text.span_of(&pair);
        let mut items = Vec::new();
        let mut branches = None;
        let mut sound = true;
        for pair in pair.into_inner() {
            if pair.as_rule() == Rule::branches {
                branches = Some(pair);
                continue;
            }
            match self.item(pair) {
                Some(item) => items.push(item),
                None => sound = false,
            }
        }
        if !sound {
            return None;
        }
        if let Some(branches) = branches {
            self.wiki_if(&mut items, branches, whole)?;
        }
        self.fold(items)
    }

    fn item(&mut self, pair: Pair<'_, Rule>) -> Option<Item> {
        let span = self.text.span_of(&pair);
        let prefix = |op| Some(Item::Prefix(op, span));
        match pair.as_rule() {
            Rule::not => prefix(UnaryOp::Not),
            Rule::abs => prefix(UnaryOp::Abs),
            Rule::neg => prefix(UnaryOp::Neg),
            Rule::if_word => Some(Item::IfWord(span)),
            Rule::assign => Some(Item::Infix(Infix::Assign, span)),
            Rule::call => self.call(pair, span),
            rule => match binary_op(rule) {
                Some(op) => {
                    if matches!(rule, Rule::is_part_of | Rule::except_of) {
                        self.wiki_spelling(span, op.spelling());
                    }
                    Some(Item::Infix(Infix::Binary(op), span))
                }
                None => self.primary(pair, span).map(Item::Value),
            },
        }
    }

    fn primary(&mut self, pair: Pair<'_, Rule>, span: Span) -> Option<Expr> {
        let kind = match pair.as_rule() {
            Rule::group => {
                let inner = self.expr(pair.into_inner().next()?)?;
                return Some(Expr {
                    kind: inner.kind,
                    span,
                });
            }
            Rule::number => ExprKind::Int(self.number(pair.as_str(), span)?),
            Rule::boolean => ExprKind::Bool(pair.as_str().eq_ignore_ascii_case("true")),
            Rule::variable => ExprKind::Var(name_in(pair)),
            Rule::string => ExprKind::Str(template(self.text, span, pair.into_inner())),
            Rule::set => ExprKind::Set(self.list(pair)?),
            Rule::list => ExprKind::Lazy(self.list(pair)?),
            Rule::loop_to => return self.wiki_loop(pair, span),
            rule => unreachable!("the grammar has no primary {rule:?}"),
        };
        Some(Expr { kind, span })
    }

    fn list(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Expr>> {
        let members: Vec<Option<Expr>> =
            pair.into_inner().map(|member| self.expr(member)).collect();
        members.into_iter().collect()
    }

    fn number(&mut self, digits: &str, span: Span) -> Option<i32> {
        if let Ok(number) = digits.parse() {
            return Some(number);
        }
        let error = |message| Diagnostic::new(&codes::BAD_NUMBER, span, message);
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let error = error(format!("`{digits}` is too large"));
            return self.error(error.label("the largest number is 2147483647"));
        }
        let error = error(format!("`{digits}` is no number"));
        self.error(error.note("a word that starts with a digit is a decimal integer"))
    }

    fn call(&mut self, pair: Pair<'_, Rule>, span: Span) -> Option<Item> {
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let name_span = self.text.span_of(&word);
        let word = word.as_str();
        let args = match inner.next() {
            Some(arguments) => self.list(arguments)?,
            None => Vec::new(),
        };
        if word == "IF" && args.len() == 1 {
            return args
                .into_iter()
                .next()
                .map(|condition| Item::IfCall(condition, span));
        }
        self.call_kind(word, name_span, args)
            .map(|kind| Item::Value(Expr { kind, span }))
    }

    fn call_kind(&mut self, word: &str, name_span: Span, args: Vec<Expr>) -> Option<ExprKind> {
        match word {
            "IF" => {
                let [condition, yes, no] = self.arguments(word, name_span, args)?;
                Some(ExprKind::If { condition, yes, no })
            }
            "FORALL" => self.loop_call(Quantifier::All, name_span, args),
            "FORSOME" => self.loop_call(Quantifier::Some, name_span, args),
            _ => {
                let spelling = if word == "EMTPY" { "EMPTY" } else { word };
                let Some(row) = Builtin::TABLE.iter().find(|row| row.name == spelling) else {
                    return Some(ExprKind::Call {
                        name: Spanned::new(word.to_owned(), name_span),
                        args,
                    });
                };
                if spelling != word {
                    self.wiki_spelling(name_span, spelling);
                }
                let args = self.enough(word, name_span, row.params.len(), args)?;
                Some(ExprKind::Builtin {
                    builtin: row.builtin,
                    name_span,
                    args,
                })
            }
        }
    }

    fn loop_call(
        &mut self,
        quantifier: Quantifier,
        name_span: Span,
        args: Vec<Expr>,
    ) -> Option<ExprKind> {
        let [var, from, to, body] = self.arguments(quantifier.spelling(), name_span, args)?;
        let ExprKind::Var(name) = var.kind else {
            let message = format!("`{}` needs a variable first", quantifier.spelling());
            let error = Diagnostic::new(&codes::SYNTAX, var.span, message);
            return self.error(
                error
                    .label("this is no variable")
                    .help("variables start with `$`"),
            );
        };
        Some(ExprKind::Loop {
            quantifier,
            var: Spanned::new(name, var.span),
            from,
            to,
            body,
        })
    }

    fn arguments<const N: usize>(
        &mut self,
        word: &str,
        name_span: Span,
        args: Vec<Expr>,
    ) -> Option<[Box<Expr>; N]> {
        let args = self.enough(word, name_span, N, args)?;
        let boxes: Vec<Box<Expr>> = args.into_iter().map(Box::new).collect();
        boxes.try_into().ok()
    }

    /// Checks that there are enough arguments and drops surplus ones, as the builtins do.
    fn enough(
        &mut self,
        word: &str,
        name_span: Span,
        needed: usize,
        mut args: Vec<Expr>,
    ) -> Option<Vec<Expr>> {
        if args.len() < needed {
            return self.error(too_few(word, name_span, needed, args.len()));
        }
        if let (Some(first), Some(last)) = (args.get(needed), args.last()) {
            let message = format!("`{word}` ignores this");
            let warning = Diagnostic::new(&codes::SURPLUS, first.span.to(last.span), message);
            self.diagnostics
                .push(warning.note(format!("`{word}` takes {}", arguments(needed))));
            args.truncate(needed);
        }
        Some(args)
    }

    fn wiki_spelling(&mut self, span: Span, portable: &str) {
        let message = format!("`{}` is known from the wiki only", self.text.slice(span));
        let warning = Diagnostic::new(&codes::WIKI_SPELLING, span, message);
        self.diagnostics.push(warning.fix(
            format!("the portable spelling is `{portable}`"),
            span,
            portable,
        ));
    }

    fn wiki_form(&mut self, span: Span, portable: &str) {
        let warning = Diagnostic::new(
            &codes::WIKI_SPELLING,
            span,
            "this form is known from the wiki only",
        );
        self.diagnostics
            .push(warning.help(format!("the portable form is `{portable}`")));
    }

    /// Replaces the last `IF` and all after it by the whole `IF c THEN a ELSE b`.
    fn wiki_if(
        &mut self,
        items: &mut Vec<Item>,
        branches: Pair<'_, Rule>,
        whole: Span,
    ) -> Option<()> {
        let is_if = |item: &Item| matches!(item, Item::IfWord(_) | Item::IfCall(..));
        let then_span = branches
            .clone()
            .into_inner()
            .next()
            .map_or(whole, |word| self.text.span_of(&word));
        let Some(at) = items.iter().rposition(is_if) else {
            return self.error(Diagnostic::new(
                &codes::SYNTAX,
                then_span,
                "`THEN` without `IF`",
            ));
        };
        let mut condition = items.split_off(at);
        let start = condition[0].span();
        match condition.remove(0) {
            Item::IfCall(expr, _) => condition.insert(0, Item::Value(expr)),
            _ if condition.is_empty() => {
                return self.error(Diagnostic::new(
                    &codes::SYNTAX,
                    start,
                    "`IF` without a condition",
                ));
            }
            _ => {}
        }
        self.wiki_form(start, "IF(condition, yes, no)");
        let mut parts = branches
            .into_inner()
            .filter(|pair| pair.as_rule() == Rule::expr);
        let condition = Box::new(self.fold(condition)?);
        let yes = Box::new(self.expr(parts.next()?)?);
        let no = Box::new(self.expr(parts.next()?)?);
        let span = Span::new(start.file, start.start, whole.end);
        items.push(Item::Value(Expr {
            kind: ExprKind::If { condition, yes, no },
            span,
        }));
        Some(())
    }

    fn wiki_loop(&mut self, pair: Pair<'_, Rule>, span: Span) -> Option<Expr> {
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let quantifier = if word.as_str() == "FORALL" {
            Quantifier::All
        } else {
            Quantifier::Some
        };
        self.wiki_form(
            self.text.span_of(&word),
            &format!("{}($V, from, to, body)", quantifier.spelling()),
        );
        let var = inner.next()?;
        let var_span = self.text.span_of(&var);
        let var = Spanned::new(name_in(var), var_span);
        let mut parts = inner.filter(|pair| pair.as_rule() == Rule::expr);
        let mut part = || self.expr(parts.next()?).map(Box::new);
        let (from, to, body) = (part()?, part()?, part()?);
        Some(Expr {
            kind: ExprKind::Loop {
                quantifier,
                var,
                from,
                to,
                body,
            },
            span,
        })
    }

    /// Folds one level from the right: prefixes take all that follows, so do infix operators.
    fn fold(&mut self, items: Vec<Item>) -> Option<Expr> {
        if let Some(warning) = precedence::lint(self.text, &items) {
            self.diagnostics.push(warning);
        }
        let mut right: Option<Expr> = None;
        let mut infix = None;
        for item in items.into_iter().rev() {
            match (item, right.take()) {
                (Item::Infix(op, span), operand) => {
                    infix = Some((op, span));
                    right = operand;
                }
                (Item::Prefix(op, op_span), Some(operand)) => {
                    let span = op_span.to(operand.span);
                    let operand = Box::new(operand);
                    right = Some(Expr {
                        kind: ExprKind::Unary {
                            op,
                            op_span,
                            operand,
                        },
                        span,
                    });
                }
                (Item::Value(left), Some(operand)) => {
                    let (op, op_span) = infix.take()?;
                    right = Some(self.join(left, op, op_span, operand)?);
                }
                (Item::Value(only), None) => right = Some(only),
                (Item::IfWord(span), _) => {
                    let error =
                        Diagnostic::new(&codes::SYNTAX, span, "`IF` without `THEN` and `ELSE`");
                    return self.error(error.help("write `IF(condition, yes, no)`"));
                }
                (Item::IfCall(_, span), _) => {
                    let span = Span::new(span.file, span.start, span.start + 2);
                    return self.error(too_few("IF", span, 3, 1));
                }
                (Item::Prefix(..), None) => return None,
            }
        }
        right
    }

    fn join(&mut self, left: Expr, op: Infix, op_span: Span, right: Expr) -> Option<Expr> {
        let span = left.span.to(right.span);
        let right = Box::new(right);
        let kind = match (op, left) {
            (Infix::Binary(op), left) => ExprKind::Binary {
                op,
                op_span,
                left: Box::new(left),
                right,
            },
            (
                Infix::Assign,
                Expr {
                    kind: ExprKind::Var(name),
                    span,
                },
            ) => ExprKind::Assign {
                var: Spanned::new(name, span),
                value: right,
            },
            (Infix::Assign, left) => {
                let error = Diagnostic::new(
                    &codes::BAD_ASSIGNMENT,
                    op_span,
                    "only a variable can be assigned",
                );
                let error = error.also(left.span, "this is no variable");
                return self.error(error.fix("to compare, write `==`", op_span, "=="));
            }
        };
        Some(Expr { kind, span })
    }
}

fn too_few(word: &str, span: Span, needed: usize, given: usize) -> Diagnostic {
    let message = format!("`{word}` needs {}", arguments(needed));
    let label = if given == 1 {
        "1 is given".to_owned()
    } else {
        format!("{given} are given")
    };
    Diagnostic::new(&codes::ARGUMENT_COUNT, span, message).label(label)
}

/// A number of arguments in words.
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

fn binary_op(rule: Rule) -> Option<BinaryOp> {
    Some(match rule {
        Rule::eq => BinaryOp::Eq,
        Rule::ne => BinaryOp::Ne,
        Rule::lt => BinaryOp::Lt,
        Rule::le => BinaryOp::Le,
        Rule::gt => BinaryOp::Gt,
        Rule::ge => BinaryOp::Ge,
        Rule::add => BinaryOp::Add,
        Rule::sub => BinaryOp::Sub,
        Rule::mul => BinaryOp::Mul,
        Rule::div => BinaryOp::Div,
        Rule::rem => BinaryOp::Rem,
        Rule::subset | Rule::is_part_of => BinaryOp::Subset,
        Rule::in_set => BinaryOp::In,
        Rule::set_minus | Rule::except_of => BinaryOp::SetMinus,
        Rule::union => BinaryOp::Union,
        Rule::intersect => BinaryOp::Intersect,
        Rule::and => BinaryOp::And,
        Rule::or => BinaryOp::Or,
        _ => return None,
    })
}

/// The variable of a pair, its span with the `$`.
pub(super) fn variable(text: Text<'_>, pair: Pair<'_, Rule>) -> Ident {
    let span = text.span_of(&pair);
    Spanned::new(name_in(pair), span)
}
