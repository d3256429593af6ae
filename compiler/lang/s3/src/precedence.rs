//! The lint for readers who expect precedence.
//!
//! The language takes everything right of an operator as its right side. The lint reads the same items once more with
//! usual precedence and speaks up if the two trees could differ in meaning: not for `a AND b AND c`, nor for
//! `a+b-c`, which is `a+(b-c)` here and has the same value.

use super::ast::{BinaryOp, ExprKind, UnaryOp};
use super::codes;
use super::items::{Infix, Item};
use super::text::Text;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// How the note begins that tells the reading of other languages.
const USUAL: &str = "in most languages it would mean ";

/// A warning if usual precedence would read the items of one level differently.
pub(super) fn lint(text: Text<'_>, items: &[Item]) -> Option<Diagnostic> {
    let operators = items
        .iter()
        .filter(|item| matches!(item, Item::Infix(..) | Item::Prefix(..)));
    if operators.count() < 2 {
        return None;
    }
    let ours = reading(items, &|_, _| true)?;
    let usual = reading(items, &|outer, inner| inner > outer)?;
    if ours == usual {
        return None;
    }
    let whole = items.first()?.span().to(items.last()?.span());
    let (explicit, _) = with_parentheses(text, items)?;
    let elsewhere = as_usual(text, items, &mut 0, None)?.0;
    let warning = Diagnostic::new(
        &codes::PRECEDENCE,
        whole,
        "operators have no precedence here: each takes all that follows it",
    );
    let warning = warning.note(format!("{USUAL}`{elsewhere}`"));
    Some(warning.fix(
        format!("it means `{explicit}`; say so with parentheses"),
        whole,
        explicit.clone(),
    ))
}

/// Of the types that are wrong in an expression because it was meant with precedence, only the first is told, and the lint
/// with it. That the expression is constant follows from it, too.
pub(super) fn drop_consequences(findings: &mut Diagnostics) {
    let is_lint = |found: &&Diagnostic| found.code == &codes::PRECEDENCE;
    let lints: Vec<Diagnostic> = findings.iter().filter(is_lint).cloned().collect();
    if lints.is_empty() {
        return;
    }
    let mut told = vec![false; lints.len()];
    let mut kept = Vec::new();
    for found in &*findings {
        let around = lints
            .iter()
            .position(|lint| holds(lint.span(), found.span()));
        match around {
            Some(at) if found.code == &codes::WRONG_TYPE => {
                if !std::mem::replace(&mut told[at], true) {
                    kept.push(with_lint(found, &lints[at]));
                }
            }
            Some(_) if found.code == &codes::ALWAYS_SAME => {}
            _ => kept.push(found.clone()),
        }
    }
    let is_told = |found: &Diagnostic| {
        let mut lints = lints.iter().zip(&told);
        lints.any(|(lint, told)| *told && lint == found)
    };
    findings.retain(|_| false);
    let kept = kept.into_iter().filter(|found| !is_told(found));
    kept.for_each(|found| findings.push(found));
}

fn holds(whole: Span, part: Span) -> bool {
    whole.file == part.file && whole.start <= part.start && part.end <= whole.end
}

/// A wrong type with what the lint says of the expression around it.
fn with_lint(found: &Diagnostic, lint: &Diagnostic) -> Diagnostic {
    let found = found.clone().note(lint.message.clone());
    let explicit = lint
        .help
        .as_ref()
        .and_then(|help| help.replacement.as_ref());
    let found = match explicit {
        Some((_, explicit)) => found.note(format!("it means `{explicit}`")),
        None => found,
    };
    let mut usual = lint
        .notes
        .iter()
        .filter_map(|note| note.strip_prefix(USUAL));
    match usual.next().map(|usual| usual.trim_matches('`')) {
        Some(usual) => found.fix(
            format!("write `{usual}` if that is meant"),
            lint.span(),
            usual,
        ),
        None => found,
    }
}

/// The text of the items as they would be read with precedence, for readers of this language, and its weakest operator.
fn as_usual<'i>(
    text: Text<'_>,
    items: &'i [Item],
    at: &mut usize,
    outer: Option<u8>,
) -> Option<(String, Option<&'i Item>)> {
    let first = items.get(*at)?;
    let own = text.slice(first.span());
    *at += 1;
    let wrapped = |(operand, weakest): (String, Option<&Item>), around: &Item| match weakest {
        Some(inner) if !is_same_chain(inner, around) => format!("({operand})"),
        _ => operand,
    };
    let mut left = match first {
        Item::Prefix(UnaryOp::Neg, _) => {
            let operand = as_usual(text, items, at, Some(binds(first)))?;
            (format!("{own}{}", wrapped(operand, first)), Some(first))
        }
        Item::Prefix(..) => {
            let operand = as_usual(text, items, at, Some(binds(first)))?;
            (format!("{own} {}", wrapped(operand, first)), Some(first))
        }
        _ => (own.to_owned(), None),
    };
    while let Some(operator) = items.get(*at) {
        let power = binds(operator);
        if outer.is_some_and(|outer| power <= outer) {
            break;
        }
        *at += 1;
        let inner = match operator {
            Item::Infix(Infix::Assign, _) => None,
            _ => Some(power),
        };
        let right = as_usual(text, items, at, inner)?;
        let (left_text, right_text) = match inner {
            None => (left.0, right.0),
            Some(_) => (wrapped(left, operator), wrapped(right, operator)),
        };
        let sign = text.slice(operator.span());
        left = (format!("{left_text} {sign} {right_text}"), Some(operator));
    }
    Some(left)
}

/// Whether two operators are the same one, which gives the same value however its operands are grouped.
fn is_same_chain(inner: &Item, outer: &Item) -> bool {
    match (inner, outer) {
        (Item::Infix(Infix::Binary(inner), _), Item::Infix(Infix::Binary(outer), _)) => {
            inner == outer && is_associative(*inner)
        }
        _ => false,
    }
}

/// How tightly an operator binds by usual precedence.
fn binds(item: &Item) -> u8 {
    match item {
        Item::Infix(Infix::Assign, _) => 0,
        Item::Infix(Infix::Binary(op), _) => match op {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => 4,
            BinaryOp::In | BinaryOp::Subset => 4,
            BinaryOp::Union | BinaryOp::SetMinus => 5,
            BinaryOp::Intersect => 6,
            BinaryOp::Add | BinaryOp::Sub => 7,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 8,
        },
        Item::Prefix(UnaryOp::Not, _) => 3,
        Item::Prefix(UnaryOp::Abs | UnaryOp::Neg, _) => 9,
        Item::IfWord(_) | Item::IfCall(..) | Item::Value(_) => 10,
    }
}

/// A tree up to rewritings that keep its meaning; operands are known by their position.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Operand(usize),
    Assign(usize, Box<Tree>),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    /// Operands of one associative operator.
    Chain(BinaryOp, Vec<Tree>),
    /// Terms in order, each with whether it is subtracted. Wrapping sums may be regrouped.
    Sum(Vec<(bool, Tree)>),
}

/// Reads the items with a rule that says whether an operator on the right goes into the right side of one before it.
fn reading(items: &[Item], goes_inside: &dyn Fn(u8, u8) -> bool) -> Option<Tree> {
    let mut at = 0;
    let tree = read_from(items, &mut at, None, goes_inside)?;
    (at == items.len()).then_some(tree)
}

fn read_from(
    items: &[Item],
    at: &mut usize,
    outer: Option<u8>,
    goes_inside: &dyn Fn(u8, u8) -> bool,
) -> Option<Tree> {
    let first = items.get(*at)?;
    let position = *at;
    *at += 1;
    let mut left = match first {
        Item::Prefix(op, _) => negated(*op, read_from(items, at, Some(binds(first)), goes_inside)?),
        Item::Value(expr) => {
            let assigns = matches!(items.get(*at), Some(Item::Infix(Infix::Assign, _)));
            if assigns && matches!(expr.kind, ExprKind::Var(_)) {
                *at += 1;
                let value = read_from(items, at, None, goes_inside)?;
                return Some(Tree::Assign(position, Box::new(value)));
            }
            Tree::Operand(position)
        }
        _ => return None,
    };
    while let Some(operator @ Item::Infix(Infix::Binary(op), _)) = items.get(*at) {
        let power = binds(operator);
        if outer.is_some_and(|outer| !goes_inside(outer, power)) {
            break;
        }
        *at += 1;
        let right = read_from(items, at, Some(power), goes_inside)?;
        left = joined(*op, left, right);
    }
    Some(left)
}

fn negated(op: UnaryOp, operand: Tree) -> Tree {
    match op {
        UnaryOp::Neg => Tree::Sum(terms(operand, true)),
        op => Tree::Unary(op, Box::new(operand)),
    }
}

fn joined(op: BinaryOp, left: Tree, right: Tree) -> Tree {
    match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let mut sum = terms(left, false);
            sum.extend(terms(right, op == BinaryOp::Sub));
            Tree::Sum(sum)
        }
        BinaryOp::Mul => {
            let (minus_left, left) = signed(left);
            let (minus_right, right) = signed(right);
            let product = chained(op, left, right);
            if minus_left == minus_right {
                product
            } else {
                Tree::Sum(vec![(true, product)])
            }
        }
        op if is_associative(op) => chained(op, left, right),
        op => Tree::Binary(op, Box::new(left), Box::new(right)),
    }
}

fn is_associative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Union
            | BinaryOp::Intersect
            | BinaryOp::Add
            | BinaryOp::Mul
    )
}

fn chained(op: BinaryOp, left: Tree, right: Tree) -> Tree {
    let members = |tree| match tree {
        Tree::Chain(inner, members) if inner == op => members,
        tree => vec![tree],
    };
    let mut all = members(left);
    all.extend(members(right));
    Tree::Chain(op, all)
}

fn terms(tree: Tree, subtracted: bool) -> Vec<(bool, Tree)> {
    match tree {
        Tree::Sum(terms) => terms
            .into_iter()
            .map(|(minus, term)| (minus != subtracted, term))
            .collect(),
        tree => vec![(subtracted, tree)],
    }
}

/// Pulls the sign out of a sum of one term.
fn signed(tree: Tree) -> (bool, Tree) {
    match tree {
        Tree::Sum(mut terms) if terms.len() == 1 => terms.remove(0),
        tree => (false, tree),
    }
}

/// The text of the items with the parentheses that make the reading plain, and the weakest operator outside of them.
fn with_parentheses(text: Text<'_>, items: &[Item]) -> Option<(String, u8)> {
    let (first, rest) = items.split_first()?;
    let own = text.slice(first.span());
    let Some(next) = rest.first() else {
        return Some((own.to_owned(), binds(first)));
    };
    let gap = |left: &Item, right: &Item| {
        let apart = right.span().start > left.span().end;
        if apart { " " } else { "" }
    };
    let (head, operator, tail) = match first {
        Item::Prefix(..) => (own.to_owned(), first, rest),
        _ => (
            format!("{own}{}{}", gap(first, next), text.slice(next.span())),
            next,
            &rest[1..],
        ),
    };
    let (right, weakest) = with_parentheses(text, tail)?;
    let power = binds(operator);
    let same_chain = match (operator, tail.get(1)) {
        (Item::Infix(Infix::Binary(op), _), Some(Item::Infix(Infix::Binary(next), _))) => {
            op == next && is_associative(*op)
        }
        _ => false,
    };
    let plain = weakest > power || same_chain || matches!(operator, Item::Infix(Infix::Assign, _));
    let right = if plain { right } else { format!("({right})") };
    let space = gap(operator, tail.first()?);
    Some((
        format!("{head}{space}{right}"),
        power.min(if plain { weakest } else { power }),
    ))
}
