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

/// [`closed`] where all steps lead as far: `before` gives the places that so many steps lead from. Walks are joined from longer and
/// longer ones, as long as that is less work than step by step (P. M. Kogge and H. S. Stone, A Parallel Algorithm for the
/// Efficient Solution of a General Class of Recurrence Equations, 1973). No walk
/// passes more places than one more than `ROUNDS`, which are 1000 at most.
#[inline(always)]
pub fn closed_straight<const N: usize, const ROUNDS: usize>(
    pass: BitSet<N>,
    stop: BitSet<N>,
    from: BitSet<N>,
    before: impl Fn(BitSet<N>, u32) -> BitSet<N>,
) -> BitSet<N> {
    let mut pass = pass & from;
    let mut near = before(stop, 1) & pass;
    // Written out, since compilers keep the loop.
    macro_rules! join {
        ($($number:literal)*) => {$(
            let (steps, longer) = const { joins(ROUNDS)[$number] };
            if longer {
                pass = pass & before(pass, steps / 2);
            }
            if steps > 0 {
                near = near | before(near, steps) & pass;
            }
        )*};
    }
    join!(0 1 2 3 4 5 6 7 8 9 10 11);
    before(near, 1) & from
}

/// How walks that pass one place are made longer until they pass `rounds` more: how many steps are put before all of them, and
/// whether these are twice as many as before; 0 steps at the end are none.
const fn joins(rounds: usize) -> [(u32, bool); 12] {
    let mut joins = [(0, false); 12];
    let (mut known, mut steps, mut number) = (1, 1, 0);
    while known <= rounds && number < joins.len() {
        let left = rounds + 1 - known;
        // A join is a shift and two operations, and so many steps twice as far a shift and one more.
        let (so_far, farther) = (3 * left.div_ceil(steps), 3 * left.div_ceil(2 * steps) + 2);
        let is_last = number + 8 > joins.len();
        let longer = known >= 2 * steps && (farther < so_far || is_last);
        if longer {
            steps *= 2;
        }
        joins[number] = (steps as u32, longer);
        known += steps;
        number += 1;
    }
    assert!(known > rounds, "walks of more places than a board has");
    joins
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
    fn straight_walks_are_those_of_single_steps() {
        fn check<const N: usize, const ROUNDS: usize>() {
            let mut word = 0x9e37_79b9_7f4a_7c15_u64;
            let mut random = || {
                word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                word ^ word >> 29
            };
            // Rows of one place more than a walk passes at most, and its stop.
            let row = ROUNDS + 3;
            let ends = (0..64 * N).filter(|place| place % row == row - 1 || place + 1 == 64 * N);
            let from = BitSet::<N>::below(64 * N) - ends.collect();
            for round in 0..300 {
                let mut pass = BitSet([(); N].map(|()| random()));
                if round % 2 == 0 {
                    pass |= BitSet([(); N].map(|()| random() | random()));
                }
                let stop = BitSet([(); N].map(|()| random() & random())) - pass;
                assert_eq!(
                    closed_straight::<N, ROUNDS>(pass, stop, from, |set, steps| set >> steps),
                    closed::<N, ROUNDS>(pass, stop, from, |set| set >> 1)
                );
            }
        }
        check::<1, 0>();
        check::<1, 1>();
        check::<1, 5>();
        check::<2, 7>();
        check::<3, 13>();
        check::<4, 29>();
        check::<4, 200>();
        check::<17, 1000>();
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
