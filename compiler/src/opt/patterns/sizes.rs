//! Products that say how many of some places pass a test, which a size tells without them.

use rulec_ir::sorted::SortedSet;

use crate::ir::BinaryOp;

use super::formula::Cube;

/// Products that are not more than a size.
const FEW: usize = 8;

/// Sums of products that only say how many of some places pass the test of one plane.
pub(super) struct Count {
    pub(super) plane: usize,
    /// Whether just as many pass, or at least as many.
    pub(super) test: BinaryOp,
    /// The places, and how many of them, for each row that has products.
    pub(super) rows: Vec<Option<(Vec<u32>, usize)>>,
}

impl Count {
    /// Rows of products as counts, if that is shorter.
    pub(super) fn of(rows: &[Option<Vec<Cube>>], places: u32) -> Option<Count> {
        let longest = rows.iter().flatten().map(Vec::len).max()?;
        if longest < FEW {
            return None;
        }
        let mut planes = rows.iter().flatten().flatten().flat_map(|cube| {
            let tests = cube.holds.iter().chain(&cube.fails);
            tests.map(|test| test / places)
        });
        let plane = planes.next()?;
        if planes.any(|other| other != plane) {
            return None;
        }
        let tests = [BinaryOp::Eq, BinaryOp::Ge].into_iter();
        let mut counts = tests.filter_map(|test| {
            let row = |row: &Option<Vec<Cube>>| match row.as_deref() {
                None | Some([]) => Some(None),
                Some(cubes) => count_of(cubes, test, places).map(Some),
            };
            let rows = rows.iter().map(row).collect::<Option<Vec<_>>>()?;
            Some(Count {
                plane: plane as usize,
                test,
                rows,
            })
        });
        counts.next()
    }
}

/// Products of one plane as a count of places: which, and how many of them hold.
fn count_of(cubes: &[Cube], test: BinaryOp, places: u32) -> Option<(Vec<u32>, usize)> {
    let number = cubes.first()?.holds.len();
    let exact = test == BinaryOp::Eq;
    let mut all: SortedSet<u32> = SortedSet::new();
    let mut held: SortedSet<&[u32]> = SortedSet::new();
    for cube in cubes {
        all.extend(cube.holds.iter().chain(&cube.fails).copied());
        held.insert(&cube.holds);
    }
    let fits = |cube: &Cube| {
        let fails = if exact { all.len() - number } else { 0 };
        cube.holds.len() == number && cube.fails.len() == fails
    };
    let whole = cubes.iter().all(fits)
        && held.len() == cubes.len()
        && ways(all.len(), number) == Some(cubes.len());
    whole.then(|| (all.iter().map(|test| test % places).collect(), number))
}

/// In how many ways some of all can be taken, if they are not too many.
fn ways(all: usize, some: usize) -> Option<usize> {
    let mut ways: usize = 1;
    for taken in 0..some.min(all.checked_sub(some)?) {
        ways = ways.checked_mul(all - taken)? / (taken + 1);
    }
    Some(ways)
}
