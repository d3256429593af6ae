//! Truth values of tests that are not known yet, as sums of products.

/// Products that a sum may have.
const MOST_CUBES: usize = 256;
/// Pairs of products that are looked at to multiply two sums.
const MOST_PAIRS: usize = 1024;

/// Tests that must hold and tests that must fail, by number and ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) struct Cube {
    pub(in crate::opt) holds: Vec<u32>,
    pub(in crate::opt) fails: Vec<u32>,
}

/// Holds if one of these products does.
type Sum = Vec<Cube>;

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

    /// Whether this one holds wherever the other does.
    fn covers(&self, other: &Cube) -> bool {
        within(&self.holds, &other.holds) && within(&self.fails, &other.fails)
    }
}

impl Formula {
    pub(in crate::opt) fn constant(value: bool) -> Formula {
        let truth = Formula {
            holds: Some(vec![Cube::default()]),
            fails: Some(Vec::new()),
        };
        match value {
            true => truth,
            false => truth.not(),
        }
    }

    /// The test of this number.
    pub(in crate::opt) fn test(number: u32) -> Formula {
        let (holds, fails) = (vec![number], Vec::new());
        Formula {
            holds: Some(vec![Cube {
                holds: holds.clone(),
                fails: fails.clone(),
            }]),
            fails: Some(vec![Cube {
                holds: fails,
                fails: holds,
            }]),
        }
    }

    pub(in crate::opt) fn as_constant(&self) -> Option<bool> {
        let empty = |sum: &Option<Sum>| sum.as_ref().is_some_and(Vec::is_empty);
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

    pub(in crate::opt) fn or(&self, other: &Formula) -> Option<Formula> {
        let neither = self.clone().not().and(&other.clone().not())?;
        Some(neither.not())
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
            _ => cond.and(yes)?.or(&not().and(no)?),
        }
    }
}

fn products(a: &Option<Sum>, b: &Option<Sum>) -> Option<Sum> {
    let (a, b) = (a.as_ref()?, b.as_ref()?);
    if a.len() * b.len() > MOST_PAIRS {
        return None;
    }
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    least(pairs.filter_map(|(a, b)| a.and(b)).collect())
}

fn sums(a: &Option<Sum>, b: &Option<Sum>) -> Option<Sum> {
    least([&a.as_ref()?[..], &b.as_ref()?[..]].concat())
}

/// The same without products that others cover; nothing if there are too many.
fn least(mut cubes: Sum) -> Option<Sum> {
    cubes.sort_by_key(|cube| cube.holds.len() + cube.fails.len());
    let mut kept: Sum = Vec::new();
    for cube in cubes {
        if !kept.iter().any(|other| other.covers(&cube)) {
            kept.push(cube);
        }
        if kept.len() > MOST_CUBES {
            return None;
        }
    }
    kept.sort();
    Some(kept)
}

fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

fn within(a: &[u32], b: &[u32]) -> bool {
    a.iter().all(|test| b.binary_search(test).is_ok())
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
    fn what_grows_in_one_form_is_kept_in_the_other() {
        let pair = |n: u32| Formula::test(2 * n).or(&Formula::test(2 * n + 1)).unwrap();
        let all = (1..20).fold(pair(0), |all, n| all.and(&pair(n)).unwrap());
        assert_eq!(
            (all.holds, all.fails.map(|sum| sum.len())),
            (None, Some(20))
        );
    }
}
