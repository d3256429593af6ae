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

/// The places at the beginning of a way that hold something of one set, if the next one holds something of another: the way
/// begins at its least place.
#[inline(always)]
pub fn enclosed_up<const N: usize>(way: BitSet<N>, pass: BitSet<N>, stop: BitSet<N>) -> BitSet<N> {
    let ends = way - pass;
    passed(way.up_to(ends), pass, stop)
}

/// The same of a way that begins at its greatest place.
#[inline(always)]
pub fn enclosed_down<const N: usize>(
    way: BitSet<N>,
    pass: BitSet<N>,
    stop: BitSet<N>,
) -> BitSet<N> {
    let ends = way - pass;
    passed(way.down_to(ends), pass, stop)
}

#[inline(always)]
fn passed<const N: usize>(reached: BitSet<N>, pass: BitSet<N>, stop: BitSet<N>) -> BitSet<N> {
    match (reached & stop).is_empty() {
        true => BitSet::EMPTY,
        false => reached & pass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_enclosed_by_what_stops_behind_them() {
        fn check<const N: usize>(at: usize) {
            let set = |places: &[usize]| {
                let all = places.iter().map(|place| BitSet::<N>::single(at + place));
                all.fold(BitSet::EMPTY, |all, one| all | one)
            };
            let way = set(&[1, 2, 3, 4]);
            // What passes, what stops, what is enclosed upward and downward.
            let cases: [[&[usize]; 4]; 7] = [
                [&[1, 2], &[3], &[1, 2], &[]],
                [&[3, 4], &[2], &[], &[3, 4]],
                [&[1, 2, 3, 4], &[0, 5], &[], &[]],
                [&[1, 2, 4], &[], &[], &[]],
                [&[1, 4], &[2, 3], &[1], &[4]],
                [&[2, 3], &[1, 4], &[], &[]],
                [&[1, 4], &[1], &[1], &[]],
            ];
            for [pass, stop, up, down] in cases {
                let (pass, stop) = (set(pass), set(stop));
                assert_eq!(enclosed_up(way, pass, stop), set(up));
                assert_eq!(enclosed_down(way, pass, stop), set(down));
            }
        }
        check::<1>(0);
        check::<1>(58);
        check::<2>(61);
        check::<2>(0);
    }

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
