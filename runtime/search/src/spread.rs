//! How unsure means are that upper confidence bounds are made of: the root of the logarithm of the visits, looked up.

use std::sync::LazyLock;

/// Steps of the table for every doubling of the visits.
const STEPS: usize = 256;

/// The roots of the logarithms of numbers, exact below `STEPS` and else for the number cut to its first nine bits.
pub(crate) static SPREADS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let spread = |n: u64| libm::sqrt(libm::log(n.max(1) as f64)) as f32;
    let exact = (0..STEPS as u64).map(spread);
    let cut = (0..24).flat_map(|shift| (STEPS as u64..2 * STEPS as u64).map(move |n| n << shift));
    exact.chain(cut.map(spread)).collect()
});

/// Where [`SPREADS`] has the value of a number.
#[inline(always)]
pub(crate) fn spread_index(visits: u32) -> usize {
    let shift = (u32::BITS - STEPS.trailing_zeros() - 1).saturating_sub(visits.leading_zeros());
    let cut = (visits >> shift) as usize;
    // Below `STEPS` the number itself; from there on, each doubling has a row of its own.
    cut + STEPS * shift as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_spreads_is_near_everywhere() {
        for n in (0..2000).chain([4095, 4096, 65_537, 1 << 20, 1 << 31, u32::MAX]) {
            let exact = f64::from(n.max(1)).ln().sqrt();
            let found = f64::from(SPREADS[spread_index(n)]);
            assert!(
                (exact - found).abs() <= exact * 0.001 + 1e-6,
                "{n}: {exact} {found}"
            );
        }
    }
}
