//! Walks over a board from all places at once.

use crate::bits::BitSet;

/// The places from which a walk passes at least one place of a set and is then stopped by one of another. `before` gives the
/// places whose next one is in a set, and may give others where no walk goes on: those of `from` are the places that have a
/// next one. A walk passes one place more than there are rounds at most.
#[inline(always)]
pub fn closed<const N: usize, const ROUNDS: usize>(
    pass: BitSet<N>,
    stop: BitSet<N>,
    from: BitSet<N>,
    before: impl Fn(BitSet<N>) -> BitSet<N>,
) -> BitSet<N> {
    // Once for all rounds: compilers do not see that one mask after the other could be one.
    let pass = pass & from;
    let mut near = before(stop) & pass;
    for _ in 0..ROUNDS {
        near = near | before(near) & pass;
    }
    before(near) & from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_end_at_stops_only() {
        // On a row of eight places, to the right: ., o, o, x, ., o, o, .
        let pass = BitSet::<1>([0b0110_0110]);
        let stop = BitSet::<1>([0b0000_1000]);
        let from = BitSet([0b0111_1111]);
        let right = |set: BitSet<1>| set >> 1;
        assert_eq!(
            closed::<1, 5>(pass, stop, from, right),
            BitSet([0b0000_0011])
        );
        assert_eq!(
            closed::<1, 0>(pass, stop, from, right),
            BitSet([0b0000_0010])
        );
        assert_eq!(
            closed::<1, 5>(pass, pass, from, right),
            BitSet([0b0001_0001])
        );
    }
}
