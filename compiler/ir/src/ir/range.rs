//! Exact ranges of integer arithmetic.

use super::expr::{BinaryOp, UnaryOp};

/// Least and greatest value.
pub type Range = (i64, i64);

/// Whether the operation computes an integer from two.
pub fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Sub | Mul | Div | Rem | RemEuclid | Min | Max)
}

/// The range of a unary operation, `None` if it may fault.
pub fn unary(op: UnaryOp, (lo, hi): Range) -> Option<Range> {
    match op {
        UnaryOp::Neg => Some((hi.checked_neg()?, lo.checked_neg()?)),
        UnaryOp::Abs => {
            let (a, b) = (lo.checked_abs()?, hi.checked_abs()?);
            let least = if lo <= 0 && hi >= 0 { 0 } else { a.min(b) };
            Some((least, a.max(b)))
        }
        UnaryOp::Not | UnaryOp::Complement => None,
    }
}

/// The range of a binary operation on 64-bit integers, `None` if it may fault or is no arithmetic.
pub fn binary(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    let corners = |f: fn(i64, i64) -> Option<i64>| {
        let values = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
        let (mut lo, mut hi) = (values[0], values[0]);
        for value in values {
            (lo, hi) = (lo.min(value), hi.max(value));
        }
        Some((lo, hi))
    };
    match op {
        BinaryOp::Add => corners(i64::checked_add),
        BinaryOp::Sub => corners(i64::checked_sub),
        BinaryOp::Mul => corners(i64::checked_mul),
        BinaryOp::Min => Some((a.0.min(b.0), a.1.min(b.1))),
        BinaryOp::Max => Some((a.0.max(b.0), a.1.max(b.1))),
        BinaryOp::Div if divides(a, b) => corners(i64::checked_div),
        BinaryOp::Rem | BinaryOp::RemEuclid if divides(a, b) => Some(remainder(op, a, b)),
        _ => None,
    }
}

/// Whether no quotient of the ranges faults.
fn divides(a: Range, b: Range) -> bool {
    let overflows = a.0 == i64::MIN && b.0 <= -1 && b.1 >= -1;
    !(overflows || (b.0 <= 0 && b.1 >= 0))
}

fn remainder(op: BinaryOp, a: Range, b: Range) -> Range {
    let size = a.0.unsigned_abs().max(a.1.unsigned_abs());
    let divisor = b.0.unsigned_abs().max(b.1.unsigned_abs());
    let signed = |bound: u64| i64::try_from(bound).unwrap_or(i64::MAX);
    if op == BinaryOp::RemEuclid {
        return (0, signed(divisor - 1));
    }
    let bound = signed((divisor - 1).min(size));
    let lo = if a.0 < 0 { -bound } else { 0 };
    (lo, if a.1 > 0 { bound } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_every_result_and_none_means_a_possible_fault() {
        use BinaryOp::*;
        let evaluate = |op: BinaryOp, a: i64, b: i64| match op {
            Add => a.checked_add(b),
            Sub => a.checked_sub(b),
            Mul => a.checked_mul(b),
            Div => a.checked_div(b),
            Rem => a.checked_rem(b),
            RemEuclid => a.checked_rem_euclid(b),
            Min => Some(a.min(b)),
            _ => Some(a.max(b)),
        };
        let bounds = [
            i64::MIN,
            i64::MIN + 1,
            -7,
            -2,
            -1,
            0,
            1,
            2,
            5,
            i64::MAX - 1,
            i64::MAX,
        ];
        let ranges: Vec<Range> = bounds
            .iter()
            .flat_map(|&lo| bounds.iter().map(move |&hi| (lo, hi)))
            .filter(|(lo, hi)| lo <= hi)
            .collect();
        for op in [Add, Sub, Mul, Div, Rem, RemEuclid, Min, Max] {
            for &a in &ranges {
                for &b in &ranges {
                    let inside = |r: Range| move |v: &&i64| r.0 <= **v && **v <= r.1;
                    let values = bounds.iter().filter(inside(a)).flat_map(|&x| {
                        bounds
                            .iter()
                            .filter(inside(b))
                            .map(move |&y| evaluate(op, x, y))
                    });
                    let Some((lo, hi)) = binary(op, a, b) else {
                        assert!({ values }.any(|v| v.is_none()), "{op:?} {a:?} {b:?}");
                        continue;
                    };
                    for value in values {
                        let value = value.expect("no fault");
                        assert!(lo <= value && value <= hi, "{op:?} {a:?} {b:?} {value}");
                    }
                }
            }
        }
    }
}
