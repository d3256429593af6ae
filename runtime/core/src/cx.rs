//! The small context that compiled rules evaluate in.

use crate::Fault;

/// What evaluating a rule needs beside the state: the first fault, and bounds on work and depth.
///
/// A rule that fails goes on with a harmless value, so that evaluation has no error paths; the
/// caller asks [`Cx::fault`] once at the end. Only the first fault counts.
/// Everything inlines to a few instructions, so the context lives in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cx {
    /// The site of the first fault plus one, 0 for none.
    fault: u32,
    fuel: u32,
    depth: u32,
}

impl Cx {
    /// Work that one evaluation may do unless the game says otherwise: loop rounds and recursive calls.
    pub const FUEL: u32 = 10_000_000;

    /// Depth of recursive calls that one evaluation may reach unless the game says otherwise.
    pub const DEPTH: u32 = 1_000;

    /// A context without fault, with `fuel` units of work and `depth` nested calls to spend.
    #[inline(always)]
    pub const fn new(fuel: u32, depth: u32) -> Self {
        Self {
            fault: 0,
            fuel,
            depth,
        }
    }

    /// Notes a fault at `site` unless there is one already.
    #[inline(always)]
    pub const fn fail(&mut self, site: u16) {
        if self.fault == 0 {
            self.fault = site as u32 + 1;
        }
    }

    /// Whether some fault was noted.
    #[inline(always)]
    pub const fn failed(&self) -> bool {
        self.fault != 0
    }

    /// The first fault.
    #[inline(always)]
    pub const fn fault(&self) -> Option<Fault> {
        match self.fault {
            0 => None,
            n => Some(Fault {
                site: (n - 1) as u16,
            }),
        }
    }

    /// `Ok` unless a fault was noted.
    ///
    /// # Errors
    /// The first fault.
    #[inline(always)]
    pub const fn result(&self) -> Result<(), Fault> {
        match self.fault() {
            None => Ok(()),
            Some(fault) => Err(fault),
        }
    }

    /// The value of an expression, in a context of its own; nothing if it fails.
    #[inline(always)]
    pub fn tried<T>(mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let value = value(&mut self);
        (!self.failed()).then_some(value)
    }

    /// Forgets a fault, for rules that try something and go on if it failed. Spent work stays spent.
    #[inline(always)]
    pub const fn forgive(&mut self) {
        self.fault = 0;
    }

    /// Spends one unit of work. False when there is none left, with a fault at `site`: stop then.
    #[inline(always)]
    #[must_use]
    pub const fn spend(&mut self, site: u16) -> bool {
        if self.fuel == 0 {
            self.fail(site);
            return false;
        }
        self.fuel -= 1;
        true
    }

    /// Begins a nested call. False when it is too deep, with a fault at `site`: do not call then.
    /// Each success needs one [`Cx::leave`].
    #[inline(always)]
    #[must_use]
    pub const fn enter(&mut self, site: u16) -> bool {
        if self.depth == 0 {
            self.fail(site);
            return false;
        }
        self.depth -= 1;
        true
    }

    /// Ends a nested call.
    #[inline(always)]
    pub const fn leave(&mut self) {
        self.depth += 1;
    }

    /// `a / b` towards zero in 32 bits that wrap; a fault and 0 for `b` = 0.
    #[inline(always)]
    pub const fn div32(&mut self, a: i32, b: i32, site: u16) -> i32 {
        if b == 0 {
            self.fail(site);
            return 0;
        }
        a.wrapping_div(b)
    }

    /// The remainder of [`Cx::div32`], with the sign of `a`; a fault and 0 for `b` = 0.
    #[inline(always)]
    pub const fn rem32(&mut self, a: i32, b: i32, site: u16) -> i32 {
        if b == 0 {
            self.fail(site);
            return 0;
        }
        a.wrapping_rem(b)
    }

    /// `a + b`; a fault and 0 when it does not fit.
    #[inline(always)]
    pub const fn add(&mut self, a: i64, b: i64, site: u16) -> i64 {
        self.fits(a.checked_add(b), site)
    }

    /// `a - b`; a fault and 0 when it does not fit.
    #[inline(always)]
    pub const fn sub(&mut self, a: i64, b: i64, site: u16) -> i64 {
        self.fits(a.checked_sub(b), site)
    }

    /// `a * b`; a fault and 0 when it does not fit.
    #[inline(always)]
    pub const fn mul(&mut self, a: i64, b: i64, site: u16) -> i64 {
        self.fits(a.checked_mul(b), site)
    }

    /// `a / b` towards zero; a fault and 0 for `b` = 0 or when it does not fit.
    #[inline(always)]
    pub const fn div(&mut self, a: i64, b: i64, site: u16) -> i64 {
        self.fits(a.checked_div(b), site)
    }

    /// The remainder of [`Cx::div`], with the sign of `a`; a fault and 0 in the same cases.
    #[inline(always)]
    pub const fn rem(&mut self, a: i64, b: i64, site: u16) -> i64 {
        self.fits(a.checked_rem(b), site)
    }

    /// `value` if it lies in `min..=max`; a fault and the nearer end otherwise.
    #[inline(always)]
    pub const fn within(&mut self, value: i64, min: i64, max: i64, site: u16) -> i64 {
        if value < min {
            self.fail(site);
            return min;
        }
        if value > max {
            self.fail(site);
            return max;
        }
        value
    }

    #[inline(always)]
    const fn fits(&mut self, value: Option<i64>, site: u16) -> i64 {
        match value {
            Some(value) => value,
            None => {
                self.fail(site);
                0
            }
        }
    }
}

impl Default for Cx {
    fn default() -> Self {
        Self::new(Self::FUEL, Self::DEPTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_stays() {
        let mut cx = Cx::default();
        assert_eq!(cx.result(), Ok(()));
        assert_eq!(cx.div32(7, 0, 65_535), 0);
        assert_eq!(cx.add(i64::MAX, 1, 2), 0);
        assert_eq!(cx.fault(), Some(Fault { site: 65_535 }));
        cx.forgive();
        assert!(!cx.failed());
    }

    #[test]
    fn arithmetic_is_that_of_the_rules() {
        let mut cx = Cx::default();
        assert_eq!(cx.div32(-7, 2, 0), -3);
        assert_eq!(cx.rem32(-7, 2, 0), -1);
        assert_eq!(cx.div32(i32::MIN, -1, 0), i32::MIN);
        assert_eq!(cx.rem32(i32::MIN, -1, 0), 0);
        assert_eq!(
            (cx.add(2, 3, 0), cx.sub(2, 3, 0), cx.mul(2, 3, 0)),
            (5, -1, 6)
        );
        assert_eq!((cx.div(-7, 2, 0), cx.rem(-7, 2, 0)), (-3, -1));
        assert!(!cx.failed());
        assert_eq!(cx.div(i64::MIN, -1, 4), 0);
        assert_eq!(cx.fault(), Some(Fault { site: 4 }));
    }

    #[test]
    fn ranges_work_and_depth_are_bounded() {
        let mut cx = Cx::new(2, 1);
        assert_eq!(cx.within(5, 1, 9, 0), 5);
        assert!(cx.spend(1) && cx.spend(1) && !cx.failed());
        assert!(!cx.spend(1));
        assert_eq!(cx.fault(), Some(Fault { site: 1 }));
        cx.forgive();
        assert!(cx.enter(2) && !cx.enter(2));
        cx.leave();
        assert!(cx.enter(2));
        assert_eq!(cx.fault(), Some(Fault { site: 2 }));
        cx.forgive();
        assert_eq!((cx.within(0, 1, 9, 3), cx.within(99, 1, 9, 3)), (1, 9));
        assert_eq!(cx.fault(), Some(Fault { site: 3 }));
    }
}
