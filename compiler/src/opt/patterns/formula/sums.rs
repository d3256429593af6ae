//! Sums of products of tests.

use std::rc::Rc;

/// Products that a sum may have.
const MOST_CUBES: usize = 8192;
/// Products that a product of sums may have.
const MOST_MULTIPLIED: usize = 256;
/// Pairs of products that are looked at to multiply two sums.
const MOST_PAIRS: usize = 1024;

/// Tests that must hold and tests that must fail, by number and ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) struct Cube {
    pub(in crate::opt) holds: Vec<u32>,
    pub(in crate::opt) fails: Vec<u32>,
}

/// Holds if one of these products does: ascending, and none of them covers another one.
pub(in crate::opt) type Sum = Rc<[Cube]>;

impl Cube {
    /// The product of two; nothing if it can never hold.
    fn and(&self, other: &Cube) -> Option<Cube> {
        let holds = merged(&self.holds, &other.holds);
        let fails = merged(&self.fails, &other.fails);
        let clash = holds.iter().any(|test| fails.binary_search(test).is_ok());
        (!clash).then_some(Cube { holds, fails })
    }

    /// Whether one needs a test to hold that the other needs to fail.
    pub(super) fn clashes(&self, other: &Cube) -> bool {
        let clash = |holds: &[u32], fails: &[u32]| {
            let mut holds = holds.iter();
            holds.any(|test| fails.binary_search(test).is_ok())
        };
        clash(&self.holds, &other.fails) || clash(&other.holds, &self.fails)
    }

    /// Whether none of others names any of its tests.
    fn is_apart(&self, others: &[Cube]) -> bool {
        let mut own = self.holds.iter().chain(&self.fails);
        own.all(|test| {
            let named = |tests: &[u32]| tests.binary_search(test).is_ok();
            !others
                .iter()
                .any(|other| named(&other.holds) || named(&other.fails))
        })
    }

    /// Whether it asks nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.fails.is_empty()
    }
}

/// The products of each of one sum with each of another one; nothing if there are too many.
pub(super) fn products(a: &Option<Sum>, b: &Option<Sum>) -> Option<Sum> {
    let (a, b) = (a.as_ref()?, b.as_ref()?);
    if a.len() * b.len() > MOST_PAIRS {
        return None;
    }
    match (&a[..], &b[..]) {
        ([all], _) if all.is_empty() => return Some(b.clone()),
        (_, [all]) if all.is_empty() => return Some(a.clone()),
        ([one], many) | (many, [one]) if one.is_apart(many) => {
            // What they have in common covers none that did not cover before.
            let mut all: Vec<Cube> = many.iter().filter_map(|cube| one.and(cube)).collect();
            all.sort_unstable();
            return Some(all.into());
        }
        _ => {}
    }
    match Names::of(a, b) {
        Some(names) => {
            let (a, b) = (names.masks(a), names.masks(b));
            let mut pairs = Vec::with_capacity(a.len() * b.len());
            for a in &a {
                pairs.extend(b.iter().filter_map(|b| a.and(b)));
            }
            let kept = least(pairs)?;
            let mut kept: Vec<Cube> = kept.iter().map(|mask| names.cube(mask)).collect();
            kept.sort_unstable();
            Some(kept.into())
        }
        None => {
            let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
            let mut kept = least(pairs.filter_map(|(a, b)| a.and(b)).collect())?;
            kept.sort_unstable();
            Some(kept.into())
        }
    }
}

/// Both sums as one; nothing if it is too long.
pub(super) fn sums(a: &Option<Sum>, b: &Option<Sum>) -> Option<Sum> {
    let (a, b) = (a.as_ref()?, b.as_ref()?);
    // Within each of them nothing covers another one. What is in both comes from the first.
    let from_a = a
        .iter()
        .filter(|cube| !b.iter().any(|other| other != *cube && other.covers(cube)));
    let from_b = b
        .iter()
        .filter(|cube| !a.iter().any(|other| other.covers(cube)));
    let mut all: Vec<&Cube> = from_a.chain(from_b).collect();
    if all.len() > MOST_CUBES {
        return None;
    }
    all.sort_unstable();
    Some(all.into_iter().cloned().collect())
}

/// Products of which one test always passes: ascending, without those that others cover.
pub(in crate::opt) fn without(products: &[Cube], test: u32) -> Vec<Cube> {
    let rest = |cube: &Cube| Cube {
        holds: cube
            .holds
            .iter()
            .copied()
            .filter(|own| *own != test)
            .collect(),
        fails: cube.fails.clone(),
    };
    let mut rests: Vec<Cube> = products.iter().map(rest).collect();
    rests.sort_unstable();
    rests.dedup();
    let mut kept = rests.clone();
    kept.retain(|cube| {
        !rests
            .iter()
            .any(|other| other != cube && other.covers(cube))
    });
    kept
}

/// Whether each product of one sum is covered by one of the other; no where that is too much to look at.
pub(super) fn covered(own: &Sum, others: &Sum) -> bool {
    own.len() * others.len() <= MOST_PAIRS
        && own
            .iter()
            .all(|cube| others.iter().any(|other| other.covers(cube)))
}

/// A product, of which one may cover another.
trait Product: Sized {
    /// How many tests it names.
    fn len(&self) -> usize;
    /// Whether this one holds wherever the other does.
    fn covers(&self, other: &Self) -> bool;
}

/// The products that no other one covers, in any order; nothing if there are too many.
fn least<P: Product>(products: Vec<P>) -> Option<Vec<P>> {
    // Only shorter ones, or the same, can cover one. Most lengths are few.
    let mut by_len: Vec<Vec<P>> = Vec::new();
    for product in products {
        let len = product.len();
        if by_len.len() <= len {
            by_len.resize_with(len + 1, Vec::new);
        }
        by_len[len].push(product);
    }
    let mut kept: Vec<P> = Vec::new();
    for product in by_len.into_iter().flatten() {
        if !kept.iter().any(|other| other.covers(&product)) {
            kept.push(product);
        }
        if kept.len() > MOST_MULTIPLIED {
            return None;
        }
    }
    Some(kept)
}

/// The tests that two sums name, ascending: few enough to be bits of a number.
pub(super) struct Names(Vec<u32>);

/// A product of such tests.
#[derive(Clone, Copy)]
struct Mask {
    holds: u64,
    fails: u64,
}

impl Names {
    pub(super) fn of(a: &[Cube], b: &[Cube]) -> Option<Names> {
        let mut names: Vec<u32> = Vec::with_capacity(u64::BITS as usize + 1);
        for cube in a.iter().chain(b) {
            for test in cube.holds.iter().chain(&cube.fails) {
                if let Err(at) = names.binary_search(test) {
                    names.insert(at, *test);
                }
            }
            if names.len() > u64::BITS as usize {
                return None;
            }
        }
        Some(Names(names))
    }

    fn masks(&self, sum: &[Cube]) -> Vec<Mask> {
        let bit = |test: &u32| match self.0.binary_search(test) {
            Ok(at) => 1 << at,
            Err(_) => 0,
        };
        let mask = |tests: &[u32]| tests.iter().map(bit).fold(0, |mask: u64, bit| mask | bit);
        let masks = sum.iter().map(|cube| Mask {
            holds: mask(&cube.holds),
            fails: mask(&cube.fails),
        });
        masks.collect()
    }

    fn cube(&self, mask: &Mask) -> Cube {
        let tests = |mut left: u64| {
            let mut tests = Vec::with_capacity(left.count_ones() as usize);
            while left != 0 {
                tests.push(self.0[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
            tests
        };
        Cube {
            holds: tests(mask.holds),
            fails: tests(mask.fails),
        }
    }
}

impl Mask {
    /// The product of two; nothing if it can never hold.
    fn and(&self, other: &Mask) -> Option<Mask> {
        let (holds, fails) = (self.holds | other.holds, self.fails | other.fails);
        (holds & fails == 0).then_some(Mask { holds, fails })
    }
}

impl Product for Mask {
    fn len(&self) -> usize {
        (self.holds.count_ones() + self.fails.count_ones()) as usize
    }

    fn covers(&self, other: &Mask) -> bool {
        (self.holds & !other.holds) | (self.fails & !other.fails) == 0
    }
}

impl Product for Cube {
    fn len(&self) -> usize {
        self.holds.len() + self.fails.len()
    }

    fn covers(&self, other: &Cube) -> bool {
        within(&self.holds, &other.holds) && within(&self.fails, &other.fails)
    }
}

fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let mut left = b;
    for &own in a {
        let before = left.iter().take_while(|other| **other < own).count();
        let (first, rest) = left.split_at(before);
        all.extend_from_slice(first);
        all.push(own);
        left = match rest {
            [same, rest @ ..] if *same == own => rest,
            rest => rest,
        };
    }
    all.extend_from_slice(left);
    all
}

fn within(a: &[u32], b: &[u32]) -> bool {
    a.len() <= b.len() && a.iter().all(|test| b.binary_search(test).is_ok())
}
