//! Formulas that are alike wherever they begin: walks that stop at something, and tests of one place made of such.
//!
//! The formula of a walk is a sum of products: one place passed and then a stop, two places passed and then a stop, and so
//! on to the border. Where the numbers of the places on the way have one difference, the walk gets a number of its own
//! (its tests and that difference), and the place before the first one passed tells where it begins. Whether all walks of a
//! number are as long as the board makes them is asked at the end, of all together.

use std::collections::BTreeMap;

use crate::ir::FuncId;
use crate::opt::patterns::formula::{Cube, Formula};

/// A test of a plane (by number), and whether it must hold or fail.
pub(in crate::opt) type Literal = (u32, bool);

/// What is the same for all formulas of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    /// A walk: what the places passed are, what the place is that stops it, the difference of their numbers.
    Walk(Vec<Literal>, Vec<Literal>, i64),
    /// What a function asks of one place: the function and its arguments, constants left out.
    Place(FuncId, Vec<Option<usize>>),
}

/// A set of places that follows from planes.
pub(in crate::opt) struct Shape {
    key: Key,
    /// For each place that was met: the places on the way of a walk, or the products of tests of the place.
    walks: BTreeMap<u32, Vec<u32>>,
    products: BTreeMap<u32, Vec<Vec<Literal>>>,
}

/// The shapes that were met.
#[derive(Default)]
pub(in crate::opt) struct Shapes {
    shapes: Vec<Shape>,
    /// Whether two formulas of one shape and place were not the same.
    broken: bool,
}

/// What a shape is, told when all its formulas are known.
pub(in crate::opt) enum Told {
    /// The places from which a walk passes at least one place of the first kind and stops at one of the second; the
    /// pairs of a place and the next one on the way.
    Walk {
        pass: Vec<Literal>,
        stop: Vec<Literal>,
        next: BTreeMap<u32, u32>,
    },
    /// The places of which one of these products holds.
    Place(Vec<Vec<Literal>>),
}

impl Shapes {
    /// The number of the shape of a formula, and its place.
    pub(in crate::opt) fn find(
        &mut self,
        formula: &Formula,
        places: u32,
        (func, given): (FuncId, Vec<Option<usize>>),
        derived: &dyn Fn(u32) -> Option<usize>,
    ) -> Option<(usize, u32)> {
        let cubes = formula.holds.as_ref()?;
        if let Some((key, place, way)) = self.walk(cubes, places) {
            let shape = self.number(key);
            let known = self.shapes[shape].walks.insert(place, way.clone());
            self.broken |= known.is_some_and(|known| known != way);
            return Some((shape, place));
        }
        let (place, products) = of_one_place(cubes, places)?;
        let walks = |(plane, holds): &Literal| *holds && derived(*plane).is_some();
        if !products.iter().flatten().any(walks) {
            return None;
        }
        let shape = self.number(Key::Place(func, given));
        let known = self.shapes[shape].products.insert(place, products.clone());
        self.broken |= known.is_some_and(|known| known != products);
        Some((shape, place))
    }

    fn number(&mut self, key: Key) -> usize {
        let known = self.shapes.iter().position(|shape| shape.key == key);
        known.unwrap_or_else(|| {
            self.shapes.push(Shape {
                key,
                walks: BTreeMap::new(),
                products: BTreeMap::new(),
            });
            self.shapes.len() - 1
        })
    }

    /// A sum of products as a walk: its key, the place before it, and the places on its way.
    fn walk(&self, cubes: &[Cube], places: u32) -> Option<(Key, u32, Vec<u32>)> {
        let mut parts: Vec<BTreeMap<u32, Vec<Literal>>> =
            cubes.iter().map(|cube| by_place(cube, places)).collect();
        parts.sort_by_key(BTreeMap::len);
        let shortest = parts.first()?;
        let [first, second] = shortest.keys().copied().collect::<Vec<_>>()[..] else {
            return None;
        };
        let longest: Vec<u32> = parts.last()?.keys().copied().collect();
        let upward = match (longest.first()? == &first, longest.last()? == &second) {
            (true, true) if longest.len() == 2 => self.known_direction(shortest, first, second)?,
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let way: Vec<u32> = match upward {
            true => longest,
            false => longest.into_iter().rev().collect(),
        };
        let by = i64::from(way[1]) - i64::from(way[0]);
        let even = way
            .windows(2)
            .all(|pair| i64::from(pair[1]) - i64::from(pair[0]) == by);
        let before = u32::try_from(i64::from(way[0]) - by).ok()?;
        if !even || before >= places || parts.len() + 1 != way.len() {
            return None;
        }
        let pass = shortest.get(&way[0])?.clone();
        let stop = shortest.get(&way[1])?.clone();
        for (count, part) in (1..).zip(&parts) {
            let (passed, last) = (way.get(..count)?, way.get(count)?);
            let fits = part.len() == count + 1
                && passed.iter().all(|place| part.get(place) == Some(&pass))
                && part.get(last) == Some(&stop);
            if !fits {
                return None;
            }
        }
        // What stops a walk is never passed.
        let apart = stop
            .iter()
            .any(|(plane, holds)| pass.contains(&(*plane, !holds)));
        apart.then_some((Key::Walk(pass, stop, by), before, way))
    }

    /// Whether a walk over one place goes up, by the other walks that were met.
    fn known_direction(
        &self,
        part: &BTreeMap<u32, Vec<Literal>>,
        low: u32,
        high: u32,
    ) -> Option<bool> {
        let known = |first: u32, second: u32| {
            self.shapes.iter().any(|shape| match &shape.key {
                Key::Walk(pass, stop, _) => {
                    part.get(&first) == Some(pass) && part.get(&second) == Some(stop)
                }
                Key::Place(..) => false,
            })
        };
        match (known(low, high), known(high, low)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// What all shapes are; nothing if the formulas of one do not fit together.
    pub(in crate::opt) fn told(&self, derived: &dyn Fn(u32) -> Option<usize>) -> Option<Vec<Told>> {
        if self.broken {
            return None;
        }
        let told: Vec<Told> = self.shapes.iter().map(Shape::told).collect::<Option<_>>()?;
        // A product that is missing at a place must be one that never holds there.
        for (shape, own) in self.shapes.iter().zip(&told) {
            let Told::Place(all) = own else { continue };
            for (place, products) in &shape.products {
                let missing = all.iter().filter(|product| !products.contains(product));
                for product in missing {
                    let never = product.iter().any(|(plane, holds)| {
                        let other = derived(*plane).filter(|_| *holds).map(|other| &told[other]);
                        matches!(other, Some(Told::Walk { next, .. }) if way(next, *place).len() < 2)
                    });
                    if !never {
                        return None;
                    }
                }
            }
        }
        Some(told)
    }
}

impl Shape {
    fn told(&self) -> Option<Told> {
        match &self.key {
            Key::Walk(pass, stop, _) => {
                let mut next = BTreeMap::new();
                for (place, way) in &self.walks {
                    let from = std::iter::once(place).chain(way);
                    next.extend(from.zip(way).map(|(from, to)| (*from, *to)));
                }
                let whole = |(place, known): (&u32, &Vec<u32>)| way(&next, *place) == *known;
                let (pass, stop) = (pass.clone(), stop.clone());
                self.walks
                    .iter()
                    .all(whole)
                    .then_some(Told::Walk { pass, stop, next })
            }
            Key::Place(..) => {
                let mut all: Vec<Vec<Literal>> =
                    self.products.values().flatten().cloned().collect();
                all.sort();
                all.dedup();
                Some(Told::Place(all))
            }
        }
    }
}

/// The places after this one.
fn way(next: &BTreeMap<u32, u32>, place: u32) -> Vec<u32> {
    std::iter::successors(next.get(&place), |at| next.get(at))
        .copied()
        .collect()
}

/// The tests of a product, place by place.
fn by_place(cube: &Cube, places: u32) -> BTreeMap<u32, Vec<Literal>> {
    let mut parts: BTreeMap<u32, Vec<Literal>> = BTreeMap::new();
    let held = cube.holds.iter().map(|test| (test, true));
    for (test, holds) in held.chain(cube.fails.iter().map(|test| (test, false))) {
        let part = parts.entry(test % places).or_default();
        part.push((test / places, holds));
        part.sort_unstable();
    }
    parts
}

/// Products that all ask about one place.
fn of_one_place(cubes: &[Cube], places: u32) -> Option<(u32, Vec<Vec<Literal>>)> {
    let mut only = None;
    let mut products = Vec::new();
    for cube in cubes {
        let mut parts = by_place(cube, places).into_iter();
        let (place, literals) = parts.next()?;
        if parts.next().is_some() || *only.get_or_insert(place) != place {
            return None;
        }
        products.push(literals);
    }
    products.sort();
    Some((only?, products))
}
