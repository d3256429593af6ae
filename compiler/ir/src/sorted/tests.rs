//! Maps and sets are those of the standard library, told apart by nothing but their code.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::{SortedMap, SortedSet};

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % end
    }
}

/// Changes both maps in one of the ways that there are, and says what came out.
fn changed(
    way: u64,
    key: u64,
    own: &mut SortedMap<u64, u64>,
    known: &mut BTreeMap<u64, u64>,
) -> (Option<u64>, Option<u64>) {
    match way {
        0..=5 => (own.insert(key, way), known.insert(key, way)),
        6..=8 => (own.remove(&key), known.remove(&key)),
        9 => {
            *own.entry(key).or_default() += 1;
            *known.entry(key).or_default() += 1;
            (own.get(&key).copied(), known.get(&key).copied())
        }
        10 => (
            own.pop_first().map(|entry| entry.0),
            known.pop_first().map(|entry| entry.0),
        ),
        11 => (
            own.pop_last().map(|entry| entry.0),
            known.pop_last().map(|entry| entry.0),
        ),
        12 => {
            own.values_mut().for_each(|value| *value += 1);
            known.values_mut().for_each(|value| *value += 1);
            (None, None)
        }
        _ => {
            own.retain(|other, _| other % 7 != key % 7);
            known.retain(|other, _| other % 7 != key % 7);
            (None, None)
        }
    }
}

#[test]
fn a_map_does_what_that_of_the_standard_library_does() {
    let mut numbers = Numbers(1);
    for keys in [3, 40, 300, 5_000] {
        let (mut own, mut known) = (SortedMap::new(), BTreeMap::new());
        for step in 0..6_000 {
            // Retaining is rare, or nothing would grow.
            let way = numbers.below(if step % 500 == 0 { 14 } else { 12 });
            let key = numbers.below(keys);
            let (one, other) = changed(way, key, &mut own, &mut known);
            assert_eq!(one, other, "{way} of {key}");
            assert_eq!(own.len(), known.len());
        }
        assert!(own.iter().eq(&known) && own.iter().rev().eq(known.iter().rev()));
        for _ in 0..200 {
            let (from, to) = (numbers.below(keys), numbers.below(keys));
            let (from, to) = (from.min(to), from.max(to));
            assert!(own.range(from..to).eq(known.range(from..to)));
            assert!(own.range(from..=to).rev().eq(known.range(from..=to).rev()));
            assert!(own.range(..to).len() == known.range(..to).count());
            assert_eq!(own.get(&from), known.get(&from));
            assert_eq!(own.contains_key(&to), known.contains_key(&to));
        }
        assert_eq!(own.first_key_value(), known.first_key_value());
        assert_eq!(own.last_key_value(), known.last_key_value());
        assert_eq!(format!("{own:?}"), format!("{known:?}"));
        assert!(
            own.clone()
                .into_iter()
                .rev()
                .eq(known.clone().into_iter().rev())
        );
        assert!(own.into_keys().eq(known.into_keys()));
    }
}

#[test]
fn both_ends_of_a_way_through_a_map_meet() {
    let map: SortedMap<u32, u32> = (0..500).map(|n| (n, n)).collect();
    let mut way = map.iter();
    let (mut low, mut high) = (Vec::new(), Vec::new());
    while way.len() > 0 {
        low.extend(way.next().map(|(key, _)| *key));
        high.extend(way.next_back().map(|(key, _)| *key));
    }
    high.reverse();
    low.extend(high);
    assert!(way.next().is_none() && way.next_back().is_none());
    assert!(low.into_iter().eq(0..500));
}

#[test]
fn maps_with_the_same_entries_are_equal_however_they_came_about() {
    let one: SortedMap<u32, ()> = (0..300).map(|n| (n, ())).collect();
    let mut other: SortedMap<u32, ()> = (0..400).rev().map(|n| (n, ())).collect();
    assert!(one < other && one != other);
    other.retain(|key, ()| *key < 300);
    assert_eq!(one, other);
    let hash = BuildHasherDefault::<DefaultHasher>::default();
    assert_eq!(hash.hash_one(&one), hash.hash_one(&other));
}

#[test]
fn a_set_does_what_that_of_the_standard_library_does() {
    let mut numbers = Numbers(2);
    for size in [0, 1, 10, 200] {
        for other_size in [0, 5, 200] {
            let mut drawn =
                |size: u64| -> Vec<u64> { (0..size).map(|_| numbers.below(300)).collect() };
            let (a, b) = (drawn(size), drawn(other_size));
            let (own, other): (SortedSet<u64>, SortedSet<u64>) =
                (a.iter().copied().collect(), b.iter().copied().collect());
            let (known, beside): (BTreeSet<u64>, BTreeSet<u64>) =
                (a.into_iter().collect(), b.into_iter().collect());
            assert!(own.iter().eq(&known));
            assert!((&own | &other).iter().eq(&(&known | &beside)));
            assert!((&own & &other).iter().eq(&(&known & &beside)));
            assert!((&own - &other).iter().eq(&(&known - &beside)));
            assert!(
                own.symmetric_difference(&other)
                    .eq(known.symmetric_difference(&beside))
            );
            assert_eq!(own.is_subset(&other), known.is_subset(&beside));
            assert!((&own & &other).is_subset(&other));
            assert_eq!(own.is_disjoint(&other), known.is_disjoint(&beside));
            assert_eq!((own.first(), own.last()), (known.first(), known.last()));
        }
    }
}

#[test]
fn a_joined_set_has_the_members_of_both() {
    let mut numbers = Numbers(3);
    for most in [0, 3, 20, 200] {
        for _ in 0..100 {
            let mut set = || -> BTreeSet<u64> { (0..most).map(|_| numbers.below(150)).collect() };
            let (one, other) = (set(), set());
            let mut joined: SortedSet<u64> = one.iter().copied().collect();
            joined.join(&other.iter().copied().collect());
            assert!(joined.iter().eq(&(&one | &other)));
            // What is there already changes nothing.
            joined.join(&one.iter().copied().collect());
            assert!(joined.iter().eq(&(&one | &other)));
        }
    }
}
