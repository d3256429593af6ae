//! Operations that may fault: each notes the fault and gives a harmless value.
//!
//! The context comes last, so that arguments may use it.

use crate::Cx;

/// `a + b`; a fault and 0 when it does not fit.
#[inline(always)]
pub const fn add(a: i64, b: i64, overflow: u16, cx: &mut Cx) -> i64 {
    cx.add(a, b, overflow)
}

/// `a - b`; a fault and 0 when it does not fit.
#[inline(always)]
pub const fn sub(a: i64, b: i64, overflow: u16, cx: &mut Cx) -> i64 {
    cx.sub(a, b, overflow)
}

/// `a * b`; a fault and 0 when it does not fit.
#[inline(always)]
pub const fn mul(a: i64, b: i64, overflow: u16, cx: &mut Cx) -> i64 {
    cx.mul(a, b, overflow)
}

/// `a / b` toward zero; faults of their own and 0 for `b` = 0 and when it does not fit.
#[inline(always)]
pub const fn div(a: i64, b: i64, zero: u16, overflow: u16, cx: &mut Cx) -> i64 {
    match b {
        0 => failed(zero, cx),
        _ => match a.checked_div(b) {
            Some(value) => value,
            None => failed(overflow, cx),
        },
    }
}

/// The remainder with the sign of `a`; a fault and 0 for `b` = 0.
#[inline(always)]
pub const fn rem(a: i64, b: i64, zero: u16, cx: &mut Cx) -> i64 {
    match b {
        0 => failed(zero, cx),
        _ => a.wrapping_rem(b),
    }
}

/// The remainder between 0 and `b`; a fault and 0 for `b` = 0.
#[inline(always)]
pub const fn modulo(a: i64, b: i64, zero: u16, cx: &mut Cx) -> i64 {
    match b {
        0 => failed(zero, cx),
        _ => a.wrapping_rem_euclid(b),
    }
}

/// `-a`; a fault and 0 when it does not fit.
#[inline(always)]
pub const fn neg(a: i64, overflow: u16, cx: &mut Cx) -> i64 {
    cx.sub(0, a, overflow)
}

/// `a` without its sign; a fault and 0 when it does not fit.
#[inline(always)]
pub const fn abs(a: i64, overflow: u16, cx: &mut Cx) -> i64 {
    match a.checked_abs() {
        Some(value) => value,
        None => failed(overflow, cx),
    }
}

/// `a / b` toward zero in 32 bits that wrap; a fault and 0 for `b` = 0.
#[inline(always)]
pub const fn div32(a: i32, b: i32, zero: u16, cx: &mut Cx) -> i32 {
    cx.div32(a, b, zero)
}

/// The remainder of [`div32`], with the sign of `a`.
#[inline(always)]
pub const fn rem32(a: i32, b: i32, zero: u16, cx: &mut Cx) -> i32 {
    cx.rem32(a, b, zero)
}

/// The remainder of [`div32`] between 0 and `b`.
#[inline(always)]
pub const fn modulo32(a: i32, b: i32, zero: u16, cx: &mut Cx) -> i32 {
    match b {
        0 => cx.rem32(a, b, zero),
        _ => a.wrapping_rem_euclid(b),
    }
}

/// `value` if it lies in `lo..=hi`; a fault and the nearer end otherwise.
#[inline(always)]
pub const fn within(value: i64, lo: i64, hi: i64, site: u16, cx: &mut Cx) -> i64 {
    cx.within(value, lo, hi, site)
}

/// `value` unless it is `none`; a fault and 0 if it is.
#[inline(always)]
pub fn present<T: PartialEq + Default>(value: T, none: T, site: u16, cx: &mut Cx) -> T {
    if value == none {
        cx.fail(site);
        return T::default();
    }
    value
}

/// A variable that must have been set; a fault if it was not.
#[inline(always)]
pub fn set<T>(value: T, is_set: bool, site: u16, cx: &mut Cx) -> T {
    if !is_set {
        cx.fail(site);
    }
    value
}

/// The value of a tagged value; a fault and a harmless value if it has another tag.
#[inline(always)]
pub const fn untag(value: super::Tagged, tag: u16, dummy: i64, site: u16, cx: &mut Cx) -> i64 {
    if value.tag == tag {
        return value.value;
    }
    cx.fail(site);
    dummy
}

/// The item at a position from 0; a fault and a harmless value where there is none.
#[inline(always)]
pub fn item<T: Copy>(items: &[T], at: i64, dummy: T, site: u16, cx: &mut Cx) -> T {
    match usize::try_from(at).ok().and_then(|at| items.get(at)) {
        Some(&item) => item,
        None => {
            cx.fail(site);
            dummy
        }
    }
}

/// The place of `value` in the `len` integers from `lo` on, if it is there.
#[inline(always)]
pub const fn offset(value: i64, lo: i64, len: u64) -> Option<u64> {
    let offset = value.wrapping_sub(lo) as u64;
    if offset < len { Some(offset) } else { None }
}

/// A member as a signed number, -1 for `none`.
#[inline(always)]
pub fn signed<T: PartialEq + Into<i64>>(value: T, none: T) -> i64 {
    if value == none { -1 } else { value.into() }
}

/// Integers that loops count with.
pub trait Counter: Copy + PartialOrd {
    /// The unsigned type of distances.
    type Distance;
    /// The number that lies so far in the direction of `end`, which is at least as far.
    fn step_to(self, end: Self, distance: Self::Distance) -> Self;
}

impl Counter for i64 {
    type Distance = u64;
    #[inline(always)]
    fn step_to(self, end: i64, distance: u64) -> i64 {
        match self <= end {
            true => self.wrapping_add_unsigned(distance),
            false => self.wrapping_sub_unsigned(distance),
        }
    }
}

impl Counter for i32 {
    type Distance = u32;
    #[inline(always)]
    fn step_to(self, end: i32, distance: u32) -> i32 {
        match self <= end {
            true => self.wrapping_add_unsigned(distance),
            false => self.wrapping_sub_unsigned(distance),
        }
    }
}

/// The value of a round of a loop from `from` toward `to`, rounds counted from 0.
#[inline(always)]
pub fn toward<T: Counter>(from: T, to: T, round: T::Distance) -> T {
    from.step_to(to, round)
}

#[inline(always)]
const fn failed(site: u16, cx: &mut Cx) -> i64 {
    cx.fail(site);
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fault;

    fn fault<T>(f: impl FnOnce(&mut Cx) -> T) -> Option<u16> {
        let mut cx = Cx::default();
        f(&mut cx);
        cx.fault().map(|Fault { site }| site)
    }

    #[test]
    fn divisions_tell_their_faults_apart() {
        assert_eq!(fault(|cx| div(1, 0, 3, 4, cx)), Some(3));
        assert_eq!(fault(|cx| div(i64::MIN, -1, 3, 4, cx)), Some(4));
        assert_eq!(fault(|cx| rem(i64::MIN, -1, 3, cx)), None);
        assert_eq!(fault(|cx| modulo(7, 0, 3, cx)), Some(3));
        let cx = &mut Cx::default();
        assert_eq!(
            (
                div(-7, 2, 0, 0, cx),
                rem(-7, 2, 0, cx),
                modulo(-7, 2, 0, cx)
            ),
            (-3, -1, 1)
        );
        assert_eq!((modulo32(-7, 2, 0, cx), modulo32(-7, -2, 0, cx)), (1, 1));
        assert!(!cx.failed());
    }

    #[test]
    fn values_that_are_missing_are_faults() {
        assert_eq!(fault(|cx| present(255u8, 255, 1, cx)), Some(1));
        assert_eq!(fault(|cx| set(0, false, 2, cx)), Some(2));
        assert_eq!(fault(|cx| item(&[1, 2], 2, 0, 3, cx)), Some(3));
        assert_eq!(fault(|cx| item(&[1, 2], -1, 0, 3, cx)), Some(3));
        assert_eq!(fault(|cx| item(&[1, 2], 1, 0, 3, cx)), None);
        assert_eq!(fault(|cx| neg(i64::MIN, 4, cx)), Some(4));
        assert_eq!(fault(|cx| abs(i64::MIN, 5, cx)), Some(5));
        let tagged = super::super::Tagged::new(1, 7);
        assert_eq!(fault(|cx| untag(tagged, 2, 0, 6, cx)), Some(6));
    }

    #[test]
    fn offsets_and_steps() {
        assert_eq!(
            (offset(5, 3, 3), offset(6, 3, 3), offset(2, 3, 3)),
            (Some(2), None, None)
        );
        assert_eq!(offset(i64::MAX, i64::MIN, 4), None);
        assert_eq!((toward(3i64, 1, 2), toward(1i32, 3, 2)), (1, 3));
        assert_eq!((signed(255u8, 255), signed(7u8, 255)), (-1, 7));
    }
}
