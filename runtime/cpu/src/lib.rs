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
/// A newer one that is quick at depositing bits.
const DEPOSITS: u8 = 3;

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
        version => version >= NEWER,
    }
}

/// The place of bit number `k` of a word, by the instruction that deposits bits; nothing where the processor lacks it or is
/// slow at it, or nobody may use it. Where the word has not so many bits, the result is some number below 64.
#[inline(always)]
pub fn select(word: u64, k: u32) -> Option<u32> {
    match VERSION.load(Ordering::Relaxed) {
        DEPOSITS => Some(x86::select(word, k)),
        UNKNOWN => first_select(word, k),
        _ => None,
    }
}

/// [`select`] that calls nothing: nothing also before it is known what the processor can do, see [`is_newer`].
#[inline(always)]
pub fn select_if_known(word: u64, k: u32) -> Option<u32> {
    (VERSION.load(Ordering::Relaxed) == DEPOSITS).then(|| x86::select(word, k))
}

/// [`select`] before it is known what the processor can do.
#[cold]
fn first_select(word: u64, k: u32) -> Option<u32> {
    is_newer();
    select_if_known(word, k)
}

/// Takes the version for newer processors from now on where `wanted` and the processor can do it, and tells whether that is so.
pub fn choose(wanted: bool) -> bool {
    let newer = wanted && x86::can_more();
    let version = match newer {
        true if x86::is_quick_at_deposits() => DEPOSITS,
        true => NEWER,
        false => PORTABLE,
    };
    VERSION.store(version, Ordering::Relaxed);
    newer
}

/// Lets what follows begin at 32 bytes, so that a few instructions lie in one line of the cache: where two share the jump of a loop
/// that leads to one of many places, its turns take a third more time, and whether they do hangs on all else in a program.
#[inline(always)]
pub fn begin_line() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    x86::begin_line();
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
    use std::arch::x86_64::{__cpuid, _pdep_u64};

    use super::Job;

    /// Whether the processor deposits bits in a few cycles, if it can at all: those of AMD before Zen 3 (families 0x17 and
    /// 0x18) take some cycles for each bit.
    pub(crate) fn is_quick_at_deposits() -> bool {
        // The maker's name, "AuthenticAMD" or "HygonGenuine", in four letters, and the family.
        let (maker, version) = (__cpuid(0).ebx, __cpuid(1).eax);
        let base = version >> 8 & 0xf;
        let family = match base {
            0xf => base + (version >> 20 & 0xff),
            base => base,
        };
        let is_amd = [*b"Auth", *b"Hygo"].contains(&maker.to_le_bytes());
        !is_amd || family > 0x18
    }

    #[cfg(not(miri))]
    #[allow(unsafe_code)]
    #[inline(always)]
    pub(crate) fn begin_line() {
        // SAFETY: it is no instruction but those that do nothing.
        unsafe {
            std::arch::asm!(".p2align 5", options(nomem, nostack, preserves_flags));
        }
    }

    /// The place of bit number `k` of a word, for processors that deposit bits.
    #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
    #[inline]
    fn deposited(word: u64, k: u32) -> u32 {
        _pdep_u64(1 << (k & 63), word).trailing_zeros() & 63
    }

    /// Random games of tic-tac-toe and Connect Four are 1.4 times as fast by this (`ratios --newer yes`; table in ARCHITECTURE.md).
    #[allow(unsafe_code)]
    #[inline(always)]
    pub(crate) fn select(word: u64, k: u32) -> u32 {
        // SAFETY: only called where `can_more` found all these features.
        unsafe { deposited(word, k) }
    }

    /// Whether the processor has what [`newer`] is compiled for.
    pub(crate) fn can_more() -> bool {
        std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("avx2")
    }

    // With AVX2 four directions of a board are shifted at once: random games of reversi are 1.35 times as fast by it, those of
    // Connect Four 1.15 times.
    #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
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

    pub(crate) fn is_quick_at_deposits() -> bool {
        false
    }

    pub(crate) fn select(_: u64, _: u32) -> u32 {
        0
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
    fn bits_are_found_by_number() {
        let words = [1, 0x8000_0000_0000_0000, u64::MAX, 0x0123_4567_89ab_cdef];
        for word in words {
            let places = (0..64).filter(|place| word >> place & 1 == 1);
            for (k, place) in (0..).zip(places) {
                // Nothing on processors that cannot, and while another test asks for the portable version.
                assert!(
                    [None, Some(place)].contains(&select(word, k)),
                    "{word:x} {k}"
                );
                assert!(
                    [None, Some(place)].contains(&select_if_known(word, k)),
                    "{word:x} {k}"
                );
            }
        }
        assert!(select(0, 5).is_none_or(|place| place < 64));
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
