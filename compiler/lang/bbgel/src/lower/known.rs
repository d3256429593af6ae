//! What an expression comes to whatever the position is. Of a token on its way forward it is known that steps are left.

use crate::ast::{Binary, Expr, ExprKind, Unary};

/// More steps than any turn has.
const MANY: i64 = 1 << 40;

/// What is known of a value.
#[derive(Clone, Copy)]
enum Known {
    /// The least and the greatest.
    Int(i64, i64),
    Bool(Option<bool>),
}

/// The truth value of an expression that reads nothing that changes while a token is on its way; nothing if it depends on
/// anything, or does more than to have a value.
pub(super) fn truth(expr: &Expr, players: usize) -> Option<bool> {
    match known(expr, players as i64)? {
        Known::Bool(value) => value,
        Known::Int(..) => None,
    }
}

fn known(expr: &Expr, players: i64) -> Option<Known> {
    Some(match &expr.kind {
        ExprKind::Int(value) => Known::Int(*value, *value),
        ExprKind::Bool(value) => Known::Bool(Some(*value)),
        ExprKind::LeftSteps => Known::Int(1, MANY),
        ExprKind::NumPlayers => Known::Int(players, players),
        ExprKind::Unary(op, operand) => match (op, known(operand, players)?) {
            (Unary::Plus, value @ Known::Int(..)) => value,
            (Unary::Minus, Known::Int(lo, hi)) => Known::Int(hi.checked_neg()?, lo.checked_neg()?),
            (Unary::Not, Known::Bool(value)) => Known::Bool(value.map(|value| !value)),
            _ => return None,
        },
        ExprKind::Binary(op, a, b) => match (known(a, players)?, known(b, players)?) {
            (Known::Int(a, least), Known::Int(b, other)) => integers(*op, (a, least), (b, other))?,
            (Known::Bool(a), Known::Bool(b)) => Known::Bool(truths(*op, a, b)?),
            _ => return None,
        },
        ExprKind::Ternary(cond, yes, no) => {
            let (yes, no) = (known(yes, players)?, known(no, players)?);
            match known(cond, players)? {
                Known::Bool(Some(true)) => yes,
                Known::Bool(Some(false)) => no,
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn truths(op: Binary, a: Option<bool>, b: Option<bool>) -> Option<Option<bool>> {
    let both = a.zip(b);
    Some(match op {
        Binary::And if a == Some(false) || b == Some(false) => Some(false),
        Binary::And => both.map(|(a, b)| a && b),
        Binary::Or if a == Some(true) || b == Some(true) => Some(true),
        Binary::Or => both.map(|(a, b)| a || b),
        Binary::Eq => both.map(|(a, b)| a == b),
        Binary::Ne => both.map(|(a, b)| a != b),
        _ => return None,
    })
}

fn integers(op: Binary, a: (i64, i64), b: (i64, i64)) -> Option<Known> {
    let point = a.0 == a.1 && b.0 == b.1;
    let apart = a.1 < b.0 || b.1 < a.0;
    let less = (a.1 < b.0)
        .then_some(true)
        .or((a.0 >= b.1).then_some(false));
    let more = (a.0 > b.1)
        .then_some(true)
        .or((a.1 <= b.0).then_some(false));
    let equal = match (point && a == b, apart) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let opposite = |value: Option<bool>| Known::Bool(value.map(|value| !value));
    Some(match op {
        Binary::Eq => Known::Bool(equal),
        Binary::Ne => opposite(equal),
        Binary::Lt => Known::Bool(less),
        Binary::Ge => opposite(less),
        Binary::Gt => Known::Bool(more),
        Binary::Le => opposite(more),
        Binary::Add => Known::Int(a.0.checked_add(b.0)?, a.1.checked_add(b.1)?),
        Binary::Sub => Known::Int(a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?),
        Binary::Mul => product(a, b)?,
        Binary::Div if point && b.0 != 0 => {
            let value = a.0.checked_div_euclid(b.0)?;
            // Towards the smaller number, also by a negative one.
            let exact = value.checked_mul(b.0)? == a.0;
            let value = value - i64::from(b.0 < 0 && !exact);
            Known::Int(value, value)
        }
        Binary::Rem if point && b.0 != 0 => {
            let value = a.0.checked_rem(b.0)?;
            Known::Int(value, value)
        }
        _ => return None,
    })
}

fn product(a: (i64, i64), b: (i64, i64)) -> Option<Known> {
    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let (mut lo, mut hi) = (i64::MAX, i64::MIN);
    for (x, y) in corners {
        let value = x.checked_mul(y)?;
        (lo, hi) = (lo.min(value), hi.max(value));
    }
    Some(Known::Int(lo, hi))
}
