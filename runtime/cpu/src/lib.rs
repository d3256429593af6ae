//! Outermost loops compiled twice: for any processor, and for those that count and select bits in one instruction.
//!
//! Programs are compiled for the oldest processors of their kind, which count the members of a set in some twenty
//! instructions. A loop that spends its time there is given to [`run`] as a [`Job`]: the program asks the processor once what it
//! can do, and takes the fitting version. Both compute the same.

use std::sync::atomic::{AtomicU8, Ordering};

/// A loop, with all that it needs.
pub trait Job {
    /// What comes out.
    type Output;

    /// Runs the loop. Only what is inlined here is compiled for newer processors, so this and what matters in it should be
    /// `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// The environment variable that keeps a program to the version for any processor, if it says `portable`.
pub const VARIABLE: &str = "RULEC_CPU";

const UNKNOWN: u8 = 0;
const PORTABLE: u8 = 1;
const NEWER: u8 = 2;

/// The version that fits.
static VERSION: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether the version for newer processors is taken: the processor can do it, and nobody asked for the portable one.
#[inline]
pub fn is_newer() -> bool {
    match VERSION.load(Ordering::Relaxed) {
        UNKNOWN => {
            let portable = std::env::var_os(VARIABLE).is_some_and(|value| value == "portable");
            choose(!portable)
        }
        version => version == NEWER,
    }
}

/// Takes the version for newer processors from now on where `wanted` and the processor can do it, and tells whether that is so.
pub fn choose(wanted: bool) -> bool {
    let newer = wanted && x86::can_more();
    VERSION.store(if newer { NEWER } else { PORTABLE }, Ordering::Relaxed);
    newer
}

/// Runs a loop in the version that fits the processor.
#[inline]
pub fn run<J: Job>(job: J) -> J::Output {
    match is_newer() {
        true => x86::run(job),
        false => job.run(),
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Job;

    /// Whether the processor has what [`newer`] is compiled for.
    pub(crate) fn can_more() -> bool {
        std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
    }

    #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
    fn newer<J: Job>(job: J) -> J::Output {
        job.run()
    }

    /// Random games of breakthrough are 1.4 times as fast by this (`ratios --newer yes`, benches/results/cpu.json); there is no
    /// safe way to call a function that is compiled for more than the program.
    #[allow(unsafe_code)]
    #[inline]
    pub(crate) fn run<J: Job>(job: J) -> J::Output {
        // SAFETY: only called where `can_more` found all these features.
        unsafe { newer(job) }
    }
}

/// Other processors have one version.
#[cfg(not(target_arch = "x86_64"))]
mod x86 {
    use super::Job;

    pub(crate) fn can_more() -> bool {
        false
    }

    pub(crate) fn run<J: Job>(job: J) -> J::Output {
        job.run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Members<'a>(&'a [u64]);

    impl Job for Members<'_> {
        type Output = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            self.0.iter().map(|word| word.count_ones()).sum()
        }
    }

    #[test]
    fn both_versions_compute_the_same() {
        let words: Vec<u64> = (0..100)
            .map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let newer = choose(true);
        let told = run(Members(&words));
        assert_eq!(is_newer(), newer);
        assert!(!choose(false) && !is_newer());
        assert_eq!(told, run(Members(&words)));
    }
}
