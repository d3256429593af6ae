//! Comparisons of properties with values that no piece has.

use super::exprs::Checker;
use crate::ast::{Expr, ExprKind, Literal, Op, Value};
use crate::codes;
use crate::diag::{Diagnostic, closest};
use crate::pieces::{Kind, int_value};
use crate::settings::{usual, usual_values};
use crate::source::Span;

/// The least and the greatest value of a variable that is a cell or a bucket, and how messages call such values.
fn range_of(expr: &Expr) -> Option<(i32, i32, &'static str)> {
    let ExprKind::Name(path) = &expr.bare().kind else {
        return None;
    };
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    match words[..] {
        ["this" | "last", "pos"] | ["q", _, "pos"] => Some((1, 36, "cells are 1 to 36")),
        ["p"] | ["last", "bucket"] | ["q", _, "bucket"] => Some((0, 3, "buckets are 0 to 3")),
        _ => None,
    }
}

/// The variable that an expression computes with, if it is one alone: a cell or a bucket.
fn variable<'a>(expr: &'a Expr, known: &mut Option<&'a Expr>) -> bool {
    let expr = expr.bare();
    match &expr.kind {
        ExprKind::Number(_) => true,
        ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem, a, b) => {
            variable(a, known) && variable(b, known)
        }
        ExprKind::Name(path) => match known {
            Some(known) => matches!(&known.kind, ExprKind::Name(other) if other == path),
            None => {
                *known = Some(expr);
                range_of(expr).is_some()
            }
        },
        _ => false,
    }
}

/// What an expression comes to for a value of its variable.
fn computed(expr: &Expr, value: i32) -> Option<i32> {
    match &expr.bare().kind {
        ExprKind::Number(number) => Some(*number),
        ExprKind::Name(_) => Some(value),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (computed(a, value)?, computed(b, value)?);
            match op {
                Op::Add => Some(a.wrapping_add(b)),
                Op::Sub => Some(a.wrapping_sub(b)),
                Op::Mul => Some(a.wrapping_mul(b)),
                Op::Div if b != 0 => Some(a.wrapping_div(b)),
                Op::Rem if b != 0 => Some(a.wrapping_rem(b)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// All that a computation with one cell or bucket can come to, and why, for messages.
fn reach(expr: &Expr) -> Option<(Vec<i32>, String)> {
    let mut known = None;
    if !variable(expr, &mut known) {
        return None;
    }
    let (least, most, are) = range_of(known?)?;
    let values: Vec<i32> = (least..=most)
        .filter_map(|value| computed(expr, value))
        .collect();
    let are = match (values.iter().min(), values.iter().max(), &expr.bare().kind) {
        (Some(least), Some(most), ExprKind::Binary(..)) => {
            format!("the computation comes to {least} to {most}, as {are}")
        }
        (None, ..) => return None,
        _ => are.to_owned(),
    };
    Some((values, are))
}

/// The property of a piece that a name is.
fn property_of(path: &[String]) -> Option<&str> {
    match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["this" | "last", _] | ["q", _, _] => path.last().map(String::as_str),
        _ => None,
    }
}

/// The comparison with its sides exchanged.
fn turned(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Gt => Op::Lt,
        Op::Le => Op::Ge,
        Op::Ge => Op::Le,
        _ => op,
    }
}

impl Checker<'_> {
    /// A cell or bucket, or what is computed of one, compared with a number that it never is, so that the comparison never holds.
    pub(super) fn out_of_range(
        &mut self,
        op: Op,
        (a, left): (&Expr, Option<i32>),
        (b, right): (&Expr, Option<i32>),
        span: Span,
    ) {
        let (values, number, op) = match (reach(a), right, reach(b), left) {
            (Some(values), Some(number), ..) => (values, number, op),
            (.., Some(values), Some(number)) => (values, number, turned(op)),
            _ => return,
        };
        let (values, are) = values;
        let holds = |value: &i32| match op {
            Op::Eq => *value == number,
            Op::Lt => *value < number,
            Op::Le => *value <= number,
            Op::Gt => *value > number,
            Op::Ge => *value >= number,
            _ => true,
        };
        if !values.iter().any(holds) {
            let found = Diagnostic::new(&codes::NEVER_HOLDS, span, "this never holds");
            self.warn(found.label(are));
        }
    }

    /// Whether a name is the shape or the color of a piece, which no number stands for.
    pub(super) fn is_look(&self, path: &[String]) -> bool {
        let Some(pieces) = self.pieces else {
            return false;
        };
        let key = property_of(path).filter(|key| matches!(*key, "shape" | "color"));
        key.is_some_and(|key| {
            let mut values = pieces.kinds.iter().filter_map(|kind| kind.property(key));
            values.all(|value| int_value(value).is_none())
        })
    }

    /// The shape of a piece compared with a color, or the other way round, where no value is both.
    pub(super) fn other_property(&mut self, op: Op, a: &Expr, b: &Expr, span: Span) {
        let (Some(pieces), ExprKind::Name(left), ExprKind::Name(right)) =
            (self.pieces, &a.bare().kind, &b.bare().kind)
        else {
            return;
        };
        let (Some(first), Some(second)) = (property_of(left), property_of(right)) else {
            return;
        };
        let is_look = |key: &str| matches!(key, "shape" | "color");
        let values = |key: &str| -> Vec<String> {
            let of_pieces = pieces.kinds.iter().filter_map(|kind| kind.property(key));
            of_pieces.map(str::to_uppercase).collect()
        };
        let (own, others) = (values(first), values(second));
        let shares = own.iter().any(|value| others.contains(value));
        if op != Op::Eq || first == second || !is_look(first) || !is_look(second) || shares {
            return;
        }
        let message = format!("a {first} is compared with a {second}, so this never holds");
        let found = Diagnostic::new(&codes::NEVER_HOLDS, span, message);
        let whose = right[..right.len() - 1].join(".");
        self.warn(found.help(format!("did you mean `{whose}.{first}`?")));
    }

    /// A condition that asks for a shape where the value is a color, or the other way round, and no value is both.
    pub(super) fn other_look(&mut self, key: &str, item: &Expr) {
        let (Some(pieces), ExprKind::Name(path)) = (self.pieces, &item.bare().kind) else {
            return;
        };
        let other = match (key, property_of(path)) {
            ("shape", Some("color")) => "color",
            ("color", Some("shape")) => "shape",
            _ => return,
        };
        let values = |key: &str| -> Vec<String> {
            let of_pieces = pieces.kinds.iter().filter_map(|kind| kind.property(key));
            of_pieces.map(str::to_uppercase).collect()
        };
        let (own, others) = (values(key), values(other));
        if own.is_empty() || own.iter().any(|value| others.contains(value)) {
            return;
        }
        let message = format!("a {key} is compared with a {other}, so this never holds");
        let found = Diagnostic::new(&codes::NEVER_HOLDS, item.span, message);
        let whose = path[..path.len() - 1].join(".");
        self.warn(found.help(format!("did you mean `{whose}.{key}`?")));
    }

    /// A difference of two numbers that no piece has as its value, where a range may be meant.
    pub(super) fn meant_as_range(&mut self, key: &str, item: &Expr) {
        let (Some(pieces), ExprKind::Binary(Op::Sub, first, last)) =
            (self.pieces, &item.bare().kind)
        else {
            return;
        };
        let (ExprKind::Number(first), ExprKind::Number(last)) =
            (&first.bare().kind, &last.bare().kind)
        else {
            return;
        };
        let value = first.wrapping_sub(*last);
        let kinds = || pieces.kinds.iter().filter_map(|kind| kind.property(key));
        let mut numbers = kinds().filter_map(int_value);
        if kinds().next().is_none() || numbers.any(|number| number == value) {
            return;
        }
        let message = format!("no piece has the {key} {value}");
        let found = Diagnostic::new(&codes::UNKNOWN_VALUE, item.span, message);
        let range = format!("{first}..{last}");
        self.warn(found.fix(format!("a range is written `[{range}]`"), item.span, range));
    }

    /// A text compared with a property that no piece has with that value.
    pub(super) fn no_such_value(&mut self, text: &str, span: Span, other: &Expr) {
        let (Some(pieces), ExprKind::Name(path)) = (self.pieces, &other.bare().kind) else {
            return;
        };
        let key = match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["this" | "last", key] | ["q", _, key] => key,
            _ => return,
        };
        let of_pieces = || pieces.kinds.iter().filter_map(|kind| kind.property(key));
        if of_pieces().next().is_none() {
            return;
        }
        // Texts in lower case were told of where shapes and colors are in upper case.
        let looks = matches!(key, "shape" | "color");
        if looks && text != text.to_uppercase() && pieces.kinds.iter().any(|kind| !kind.pictured) {
            return;
        }
        let alone = Value::Literals(vec![(Literal::Text(text.to_owned()), span)]);
        let has = |kind: &Kind| kind.property(key).is_some() && kind.fits(key, &alone);
        let may_come = !pieces.listed.contains(&key) && usual(key, text);
        if may_come || pieces.kinds.iter().any(has) {
            return;
        }
        let message = format!("no piece has the {key} `{text}`, so this never holds");
        let found = Diagnostic::new(&codes::UNKNOWN_VALUE, span, message);
        let usual = usual_values(key).iter().copied();
        let usual = usual.filter(|_| !pieces.listed.contains(&key));
        let mut known: Vec<&str> = of_pieces().chain(usual).collect();
        known.sort_unstable();
        known.dedup();
        let found = match closest(text, known.iter().copied()) {
            Some(near) => found.fix(
                format!("did you mean `{near}`?"),
                span,
                format!("\"{near}\""),
            ),
            None if known.len() <= 12 => found.note(format!("known here: {}", known.join(", "))),
            None => found,
        };
        self.warn(found);
    }
}
