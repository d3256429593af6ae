//! Tests that ask of more than the board: who moves, what a parameter says.
//!
//! Where a function asks such a thing, it comes to a sum of products for each case. If the products of all cases look at the same
//! places, and only the contents that they ask for differ, they become products of planes that are chosen by the case. What asks of
//! the board alone has one case: tests of a place are sets of contents then too, so it does not matter which of them, or of their
//! opposites, the rules ask for.

use rulec_ir::sorted::SortedMap;

use crate::board::contents::{Cases, Contents, Mask};
use crate::board::cover::{Asked, Cover};

use super::explore::{Explorer, Plane};
use super::formula::Cube;
use super::{Const, Content, PlaneSet, Products, Type};

impl Products {
    /// Whether something is asked that depends on more than the board.
    fn asks_given(&self, explorer: &Explorer) -> bool {
        let mut cubes = self.rows.iter().flatten().flatten();
        cubes.any(|cube| {
            let mut tests = cube.holds.iter().chain(&cube.fails);
            tests.any(|test| {
                let plane = &explorer.planes[(test / self.places) as usize];
                matches!(plane, Plane::Given(_) | Plane::EqualsGiven(..))
            })
        })
    }

    /// Makes planes that are chosen by the case; nothing where products of the cases differ in more.
    pub(super) fn gather_in_cases(&mut self, explorer: &mut Explorer) -> Option<()> {
        if !self.asks_given(explorer) {
            explorer.cases = Cases::default();
            self.cases = Cases::default();
        }
        let all = Contents::of(&vec![true; explorer.functions[0].0.len()]);
        let mut cover = Cover::of(all.clone());
        let mut planes: Vec<Mask> = Vec::new();
        let mut written = Vec::new();
        for (member, row) in (0..).zip(&self.rows) {
            written.push(match row {
                None => None,
                Some(cubes) => {
                    let stands = self.stands.then_some(member);
                    Some(self.row(explorer, cubes, stands, &mut planes, &mut cover)?)
                }
            });
        }
        self.rows = written;
        self.turn(&mut planes, &all);
        let count = explorer.functions[0].0.len();
        let content = |contents: &Contents| Content {
            values: (0..count)
                .map(|at| Const::Bool(contents.contains(at)))
                .collect(),
            ty: Type::Bool,
        };
        self.planes = planes
            .iter()
            .map(|mask| PlaneSet::InCases(mask.iter().map(content).collect()))
            .collect();
        Some(())
    }

    /// Makes planes those of what is asked most often, not of its opposite.
    fn turn(&mut self, planes: &mut [Mask], all: &Contents) {
        for (number, mask) in planes.iter_mut().enumerate() {
            // Whether something stands on a place is asked of the free ones.
            let taken = |mask: &Mask| {
                let none = |contents: &Contents| all.met(contents, false);
                mask.iter().all(|contents| is_free(&none(contents), all))
            };
            let free = mask.iter().all(|contents| is_free(contents, all));
            let own = |test: &&u32| (**test / self.places) as usize == number;
            let count = |of: fn(&Cube) -> &Vec<u32>| {
                let cubes = self.rows.iter().flatten().flatten();
                cubes.flat_map(of).filter(own).count()
            };
            let often = count(|cube| &cube.holds) >= count(|cube| &cube.fails);
            if free || often && !taken(mask) {
                continue;
            }
            for contents in mask.iter_mut() {
                *contents = all.met(contents, false);
            }
            let places = self.places;
            let own = |test: &u32| (test / places) as usize == number;
            for cube in self.rows.iter_mut().flatten().flatten() {
                let (own_held, held): (Vec<u32>, Vec<u32>) =
                    cube.holds.iter().partition(|t| own(t));
                let (own_failed, failed): (Vec<u32>, Vec<u32>) =
                    cube.fails.iter().partition(|t| own(t));
                cube.holds = [held, own_failed].concat();
                cube.fails = [failed, own_held].concat();
                cube.holds.sort_unstable();
                cube.fails.sort_unstable();
            }
        }
    }

    /// The products of a row, by planes that hold what they ask in each case.
    fn row(
        &self,
        explorer: &mut Explorer,
        cubes: &[Cube],
        stands: Option<u32>,
        planes: &mut Vec<Mask>,
        cover: &mut Cover,
    ) -> Option<Vec<Cube>> {
        let all = cover.any().clone();
        let cases = explorer.cases.count();
        let mut each: Vec<Vec<Asked>> = Vec::new();
        for case in 0..cases {
            let asked = cubes
                .iter()
                .map(|cube| self.contents_asked(explorer, cube, case, &all));
            let asked: Vec<Option<Asked>> = asked.collect::<Option<_>>()?;
            each.push(cover.shortest(asked.into_iter().flatten().collect()));
        }
        for asked in &mut each {
            arrange(asked, stands);
        }
        let first = each.first()?;
        let places = |asked: &Asked| asked.iter().map(|(place, _)| *place).collect::<Vec<_>>();
        let alike = |other: &Vec<Asked>| {
            let mut pairs = first.iter().zip(other);
            first.len() == other.len() && pairs.all(|(one, other)| places(one) == places(other))
        };
        if !each.iter().all(alike) {
            return None;
        }
        let mut row = Vec::new();
        for at in 0..first.len() {
            let mut cube = Cube::default();
            for (number, (place, _)) in first[at].iter().enumerate() {
                let mask: Mask = each.iter().map(|one| one[at][number].1.clone()).collect();
                let (plane, holds) = match stands == Some(*place) {
                    true => alike_where_taken(planes, &mask, &all),
                    false => None,
                }
                .unwrap_or_else(|| numbered(planes, mask, &all));
                let test = plane as u32 * self.places + place;
                match holds {
                    true => cube.holds.push(test),
                    false => cube.fails.push(test),
                }
            }
            cube.holds.sort_unstable();
            cube.fails.sort_unstable();
            row.push(cube);
        }
        row.sort_unstable();
        row.dedup();
        Some(row)
    }

    /// What a product asks in a case, `Some(None)` if it never holds there; nothing where that is not a matter of contents.
    #[allow(
        clippy::option_option,
        reason = "whether it can be told, and whether it can hold"
    )]
    fn contents_asked(
        &self,
        explorer: &mut Explorer,
        cube: &Cube,
        case: usize,
        all: &Contents,
    ) -> Option<Option<Asked>> {
        let mut asked: SortedMap<u32, Contents> = SortedMap::new();
        let held = cube.holds.iter().map(|test| (test, true));
        for (test, holds) in held.chain(cube.fails.iter().map(|test| (test, false))) {
            let number = (test / self.places) as usize;
            if let Plane::Given(given) = explorer.planes[number] {
                if explorer.given_in_cases(given)?[case] != holds {
                    return Some(None);
                }
                continue;
            }
            let mask = explorer.mask(number)?[case].clone();
            let known = asked.entry(test % self.places).or_insert(all.clone());
            *known = known.met(&mask, holds);
        }
        let possible = asked.values().all(|contents| !contents.is_empty());
        Some(possible.then(|| asked.into_iter().collect()))
    }
}

/// Puts products in an order that depends on their places and on where they ask for the same; a place on which something stands comes
/// after the others.
fn arrange(all: &mut [Asked], stands: Option<u32>) {
    for asked in all.iter_mut() {
        asked.sort_by_key(|(own, _)| (Some(*own) == stands, *own));
    }
    all.sort_by_cached_key(|asked| {
        let same = |(place, contents): &(u32, Contents)| {
            let first = asked.iter().position(|(_, other)| other == contents);
            (*place, first)
        };
        asked.iter().map(same).collect::<Vec<_>>()
    });
}

/// Whether contents are those of an empty place, which is the last one.
fn is_free(contents: &Contents, all: &Contents) -> bool {
    let last = (0..).take_while(|content| all.contains(*content)).last();
    last.is_some_and(|last| contents.contains(last) && contents.without(last).is_empty())
}

/// The plane that differs from some contents, or from all others, in an empty place at most.
fn alike_where_taken(planes: &[Mask], mask: &Mask, all: &Contents) -> Option<(usize, bool)> {
    let last = (0..).take_while(|content| all.contains(*content)).last()?;
    let taken = |contents: &Contents| all.met(&contents.without(last), true);
    let same = |other: &Mask, holds: bool| {
        let mut pairs = mask.iter().zip(other);
        pairs.all(|(one, other)| {
            let other = all.met(other, holds);
            taken(one) == taken(&other)
        })
    };
    (0..planes.len())
        .flat_map(|plane| [(plane, true), (plane, false)])
        .find(|(plane, holds)| same(&planes[*plane], *holds))
}

/// The plane of some contents, or of all others, and whether it is that of these.
fn numbered(planes: &mut Vec<Mask>, mask: Mask, all: &Contents) -> (usize, bool) {
    if let Some(known) = planes.iter().position(|other| *other == mask) {
        return (known, true);
    }
    let others: Mask = mask
        .iter()
        .map(|contents| all.met(contents, false))
        .collect();
    if let Some(known) = planes.iter().position(|other| *other == others) {
        return (known, false);
    }
    planes.push(mask);
    (planes.len() - 1, true)
}
