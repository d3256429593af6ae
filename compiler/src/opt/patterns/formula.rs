//! Truth values of tests that are not known yet, as sums of products.

/// Products that a sum may have.
const MOST_CUBES: usize = 128;

/// Tests that must hold and tests that must fail, by number and ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cube {
    pub(super) holds: Vec<u32>,
    pub(super) fails: Vec<u32>,
}

/// Holds if one of its products does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Formula(pub(super) Vec<Cube>);

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
    pub(super) fn constant(value: bool) -> Formula {
        Formula(match value {
            true => vec![Cube::default()],
            false => Vec::new(),
        })
    }

    /// The test of this number.
    pub(super) fn test(number: u32) -> Formula {
        Formula(vec![Cube {
            holds: vec![number],
            fails: Vec::new(),
        }])
    }

    pub(super) fn as_constant(&self) -> Option<bool> {
        match &self.0[..] {
            [] => Some(false),
            [cube] if *cube == Cube::default() => Some(true),
            _ => None,
        }
    }

    pub(super) fn or(&self, other: &Formula) -> Option<Formula> {
        let mut all = self.0.clone();
        all.extend(other.0.iter().cloned());
        Formula::least(all)
    }

    pub(super) fn and(&self, other: &Formula) -> Option<Formula> {
        let pairs = self
            .0
            .iter()
            .flat_map(|a| other.0.iter().map(move |b| (a, b)));
        Formula::least(pairs.filter_map(|(a, b)| a.and(b)).collect())
    }

    pub(super) fn not(&self) -> Option<Formula> {
        let mut all = Formula::constant(true);
        for cube in &self.0 {
            let failing = cube.holds.iter().map(|&test| Cube {
                holds: Vec::new(),
                fails: vec![test],
            });
            let holding = cube.fails.iter().map(|&test| Cube {
                holds: vec![test],
                fails: Vec::new(),
            });
            all = all.and(&Formula(failing.chain(holding).collect()))?;
        }
        Some(all)
    }

    /// One or the other, without asking about the condition twice where that changes nothing.
    pub(super) fn select(cond: &Formula, yes: &Formula, no: &Formula) -> Option<Formula> {
        if yes == no {
            return Some(yes.clone());
        }
        match (
            cond.as_constant(),
            yes.as_constant(),
            no.as_constant(),
        ) {
            (Some(true), ..) => Some(yes.clone()),
            (Some(false), ..) => Some(no.clone()),
            (_, Some(true), _) => cond.or(no),
            (_, _, Some(false)) => cond.and(yes),
            (_, Some(false), _) => cond.not()?.and(no),
            (_, _, Some(true)) => cond.not()?.or(yes),
            _ => cond.and(yes)?.or(&cond.not()?.and(no)?),
        }
    }

    /// The same without products that others cover; nothing if there are too many.
    fn least(mut cubes: Vec<Cube>) -> Option<Formula> {
        if cubes.len() > MOST_CUBES * MOST_CUBES {
            return None;
        }
        cubes.sort_by_key(|cube| cube.holds.len() + cube.fails.len());
        let mut kept: Vec<Cube> = Vec::new();
        for cube in cubes {
            if !kept.iter().any(|other| other.covers(&cube)) {
                kept.push(cube);
            }
            if kept.len() > MOST_CUBES {
                return None;
            }
        }
        kept.sort();
        Some(Formula(kept))
    }
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

    fn value(formula: &Formula, world: u32) -> bool {
        formula.0.iter().any(|cube| {
            let holds = |test: &u32| world >> test & 1 == 1;
            cube.holds.iter().all(holds) && !cube.fails.iter().any(holds)
        })
    }

    #[test]
    fn sums_of_products_mean_what_they_were_made_of() {
        let test = Formula::test;
        let a = test(0).and(&test(1)).unwrap().or(&test(2)).unwrap();
        let b = test(1).not().unwrap().and(&test(3)).unwrap();
        let chosen = Formula::select(&a, &b, &test(2)).unwrap();
        for world in 0..16 {
            let (x, y) = (value(&a, world), value(&b, world));
            assert_eq!(x, world & 3 == 3 || world & 4 != 0);
            assert_eq!(value(&a.not().unwrap(), world), !x);
            assert_eq!(value(&a.or(&b).unwrap(), world), x || y);
            assert_eq!(value(&a.and(&b).unwrap(), world), x && y);
            let expected = if x { y } else { value(&test(2), world) };
            assert_eq!(value(&chosen, world), expected);
        }
        assert_eq!(a.or(&a.not().unwrap()).unwrap().as_constant(), None);
        assert_eq!(a.and(&Formula::constant(false)).unwrap().as_constant(), Some(false));
        let early = Formula::select(&test(0), &Formula::constant(true), &test(1)).unwrap();
        assert_eq!(early, test(0).or(&test(1)).unwrap());
    }
}
