//! Truth values of tests that are not known yet, as sums of products.

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
type Sum = Rc<[Cube]>;

/// A truth value as a sum of products, and its opposite as one; either is given up where it grows too long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) struct Formula {
    pub(in crate::opt) holds: Option<Sum>,
    pub(in crate::opt) fails: Option<Sum>,
}

impl Cube {
    /// The product of two; nothing if it can never hold.
    fn and(&self, other: &Cube) -> Option<Cube> {
        let holds = merged(&self.holds, &other.holds);
        let fails = merged(&self.fails, &other.fails);
        let clash = holds.iter().any(|test| fails.binary_search(test).is_ok());
        (!clash).then_some(Cube { holds, fails })
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
    fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.fails.is_empty()
    }
}

impl Formula {
    pub(in crate::opt) fn constant(value: bool) -> Formula {
        let truth = Formula {
            holds: Some(Rc::from([Cube::default()])),
            fails: Some(Rc::from([])),
        };
        match value {
            true => truth,
            false => truth.not(),
        }
    }

    /// The test of this number.
    pub(in crate::opt) fn test(number: u32) -> Formula {
        let holds = Cube {
            holds: vec![number],
            fails: Vec::new(),
        };
        let fails = Cube {
            holds: Vec::new(),
            fails: vec![number],
        };
        Formula {
            holds: Some(Rc::from([holds])),
            fails: Some(Rc::from([fails])),
        }
    }

    pub(in crate::opt) fn as_constant(&self) -> Option<bool> {
        let empty = |sum: &Option<Sum>| sum.as_ref().is_some_and(|sum| sum.is_empty());
        match (empty(&self.holds), empty(&self.fails)) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    }

    pub(in crate::opt) fn not(self) -> Formula {
        Formula {
            holds: self.fails,
            fails: self.holds,
        }
    }

    /// Both; nothing if neither form is short enough.
    pub(in crate::opt) fn and(&self, other: &Formula) -> Option<Formula> {
        let both = Formula {
            holds: products(&self.holds, &other.holds),
            fails: sums(&self.fails, &other.fails),
        };
        (both.holds.is_some() || both.fails.is_some()).then_some(both)
    }

    /// Whether each product of one is covered by one of the other: then the other holds where it does.
    fn implies(&self, other: &Formula) -> bool {
        let (Some(own), Some(others)) = (&self.holds, &other.holds) else {
            return false;
        };
        own.len() * others.len() <= MOST_PAIRS
            && own
                .iter()
                .all(|cube| others.iter().any(|other| other.covers(cube)))
    }

    pub(in crate::opt) fn or(&self, other: &Formula) -> Option<Formula> {
        let neither = self.clone().not().and(&other.clone().not())?;
        Some(neither.not())
    }

    /// One or the other, each with what the condition says beside it: never both.
    pub(in crate::opt) fn choose(cond: &Formula, yes: &Formula, no: &Formula) -> Option<Formula> {
        let (met, unmet) = (&cond.holds, &cond.fails);
        let either =
            |yes: &Option<Sum>, no: &Option<Sum>| sums(&products(met, yes), &products(unmet, no));
        let chosen = Formula {
            holds: either(&yes.holds, &no.holds),
            fails: either(&yes.fails, &no.fails),
        };
        (chosen.holds.is_some() || chosen.fails.is_some()).then_some(chosen)
    }

    /// One or the other, without asking about the condition twice where that changes nothing.
    pub(in crate::opt) fn select(cond: &Formula, yes: &Formula, no: &Formula) -> Option<Formula> {
        if yes == no {
            return Some(yes.clone());
        }
        let not = || cond.clone().not();
        match (cond.as_constant(), yes.as_constant(), no.as_constant()) {
            (Some(true), ..) => Some(yes.clone()),
            (Some(false), ..) => Some(no.clone()),
            (_, Some(true), _) => cond.or(no),
            (_, _, Some(false)) => cond.and(yes),
            (_, Some(false), _) => not().and(no),
            (_, _, Some(true)) => not().or(yes),
            _ if no.implies(yes) => cond.and(yes)?.or(no),
            _ if yes.implies(no) => not().and(no)?.or(yes),
            _ => cond.and(yes)?.or(&not().and(no)?),
        }
    }
}

/// The products of each of one sum with each of another one; nothing if there are too many.
fn products(a: &Option<Sum>, b: &Option<Sum>) -> Option<Sum> {
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
fn sums(a: &Option<Sum>, b: &Option<Sum>) -> Option<Sum> {
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
struct Names(Vec<u32>);

/// A product of such tests.
#[derive(Clone, Copy)]
struct Mask {
    holds: u64,
    fails: u64,
}

impl Names {
    fn of(a: &[Cube], b: &[Cube]) -> Option<Names> {
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
    if a.is_empty() || b.is_empty() {
        return [a, b].concat();
    }
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn within(a: &[u32], b: &[u32]) -> bool {
    a.len() <= b.len() && a.iter().all(|test| b.binary_search(test).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(sum: &Option<Sum>, world: u32) -> bool {
        let holds = |test: &u32| world >> test & 1 == 1;
        let cubes = sum.as_ref().unwrap().iter();
        cubes
            .into_iter()
            .any(|cube| cube.holds.iter().all(holds) && !cube.fails.iter().any(holds))
    }

    #[test]
    fn sums_of_products_mean_what_they_were_made_of() {
        let test = Formula::test;
        let a = test(0).and(&test(1)).unwrap().or(&test(2)).unwrap();
        let b = test(1).not().and(&test(3)).unwrap();
        let chosen = Formula::select(&a, &b, &test(2)).unwrap();
        for world in 0..16 {
            let is = |formula: &Formula| {
                let holds = value(&formula.holds, world);
                assert_ne!(holds, value(&formula.fails, world));
                holds
            };
            let (x, y) = (is(&a), is(&b));
            assert_eq!(x, world & 3 == 3 || world & 4 != 0);
            assert_eq!(is(&a.clone().not()), !x);
            assert_eq!(is(&a.or(&b).unwrap()), x || y);
            assert_eq!(is(&a.and(&b).unwrap()), x && y);
            assert_eq!(is(&chosen), if x { y } else { is(&test(2)) });
        }
        let never = a.and(&Formula::constant(false)).unwrap();
        assert_eq!(never.as_constant(), Some(false));
        let early = Formula::select(&test(0), &Formula::constant(true), &test(1));
        assert_eq!(early, test(0).or(&test(1)));
    }

    #[test]
    fn products_of_many_tests_are_those_of_few() {
        let any = |tests: std::ops::Range<u32>, by: u32| {
            let mut tests = tests.map(|test| Formula::test(test * by));
            let first = tests.next().unwrap();
            tests.fold(first, |any, test| any.or(&test).unwrap())
        };
        // Two of the tests are in both: they cover the products that hold both.
        let pairs = |by: u32, few: bool| {
            let names = Names::of(&any(0..20, by).holds.unwrap(), &[]);
            assert!(names.is_some());
            let both = any(0..16, by).and(&any(14..30, by)).unwrap();
            let more = match few {
                true => both,
                false => both.and(&any(100..150, by)).unwrap(),
            };
            more.holds.map(|sum| sum.len())
        };
        assert_eq!(pairs(1, true), Some(2 + 14 * 14));
        assert_eq!(pairs(7, true), Some(2 + 14 * 14));
        assert_eq!(pairs(1, false), None);
        let (low, high) = (any(0..3, 1), any(0..80, 1));
        assert!(Names::of(low.holds.as_ref().unwrap(), high.holds.as_ref().unwrap()).is_none());
        assert_eq!(low.and(&high).unwrap(), low.clone());
        assert_eq!(high.or(&low).unwrap(), high);
    }

    #[test]
    fn what_grows_in_one_form_is_kept_in_the_other() {
        let pair = |n: u32| Formula::test(2 * n).or(&Formula::test(2 * n + 1)).unwrap();
        let all = (1..20).fold(pair(0), |all, n| all.and(&pair(n)).unwrap());
        assert_eq!(
            (all.holds, all.fails.map(|sum| sum.len())),
            (None, Some(20))
        );
    }
}
