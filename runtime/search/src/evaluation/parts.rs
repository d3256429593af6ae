//! Weights as whole numbers.

/// One of a weight or an amount, so that sums of them are the same in any order.
pub(super) const ONE: f64 = (1_u64 << 32) as f64;

/// A weight as a whole number of parts of [`ONE`]. Files may hold weights of any size.
pub(super) fn parts(weight: f64) -> i64 {
    (weight * ONE) as i64
}
