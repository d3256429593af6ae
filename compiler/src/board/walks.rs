//! What is asked of a place, as walks that begin there.
//!
//! The places that a formula looks at fall into parts that have nothing to do with each other but for the place where they
//! begin. The diagram of a part along its places, near ones first, tells whether it is a walk, and which: it passes contents of
//! one kind, at least once, and is stopped by another kind. Where the numbers of the places on the way have one difference, the
//! walk gets a number of its own (its contents and that difference). Whether all walks of a number are as long as the board makes
//! them is asked at the end, of all together.

use std::cell::RefCell;

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::contents::{Contents, Mask};
use super::cover::parted;
use super::diagram::{Diagram, FAILS, HOLDS, NodeId};
use crate::hash::IndexMap;
use crate::ir::FuncId;

/// What is asked of one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    /// What must stand there.
    pub(crate) mask: Mask,
    /// The shapes in which it must lie, or must not.
    pub(crate) shapes: SortedSet<(usize, bool)>,
}

/// Tests of places that must all hold.
pub(crate) type Product = SortedMap<u32, Spot>;

/// What is the same for all formulas of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    /// A walk: what it passes, what stops it, and the difference of the numbers of places.
    Walk(Mask, Mask, i64),
    /// What a function asks of one place: the function and its arguments, constants left out.
    Place(FuncId, Vec<Option<usize>>),
}

/// A set of places that follows from what stands on the board.
struct Shape {
    key: Key,
    /// For each place that was met: the places on the way of a walk, or what is asked of the place.
    ways: SortedMap<u32, Vec<u32>>,
    spots: SortedMap<u32, SortedSet<Spot>>,
}

/// The shapes that were met.
pub(crate) struct Shapes {
    shapes: Vec<Shape>,
    /// Everything that can stand on a place, in each case.
    any: Mask,
    places: u32,
    /// Whether two formulas of one shape and place were not the same.
    broken: bool,
    /// What was asked along ways, which is the same from most places.
    closed: RefCell<IndexMap<Closing, Option<(Contents, Contents)>>>,
}

/// A case, how many places there are on a way, and what is asked along it.
type Closing = (usize, usize, Vec<super::diagram::Product>);

/// What a shape is, told when all its formulas are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The places from which a walk passes at least one place with contents of the first kind and stops at one with contents of
    /// the second; the pairs of a place and the next one on the way.
    Walk {
        pass: Mask,
        stop: Mask,
        next: SortedMap<u32, u32>,
    },
    /// The places of which one of these holds.
    Place(Vec<Spot>),
}

/// A walk from a place.
struct Walk {
    pass: Mask,
    stop: Mask,
    by: i64,
    way: Vec<u32>,
}

/// A formula as what is asked of one place: one of these parts must hold, all tests of it.
struct Reading {
    place: u32,
    parts: Vec<(Option<Spot>, Option<Walk>)>,
}

impl Shapes {
    /// No shapes yet, of a board with some places and contents.
    pub(crate) fn new(any: Mask, places: u32) -> Shapes {
        Shapes {
            shapes: Vec::new(),
            any,
            places,
            broken: false,
            closed: RefCell::default(),
        }
    }

    /// Everything that can stand on a place.
    pub(crate) fn any(&self) -> &Mask {
        &self.any
    }

    /// The number of the shape of a sum of products, and its place, which is `at` where that is known. `asked` is the function
    /// that asks, and its arguments.
    pub(crate) fn find(
        &mut self,
        products: Vec<Product>,
        asked: (FuncId, Vec<Option<usize>>),
        at: Option<u32>,
    ) -> Option<(usize, u32)> {
        let products: Vec<Product> = products.into_iter().filter_map(possible).collect();
        let reading = match at {
            Some(place) => self.read_from(&products, place)?,
            None => self.reading(&products)?,
        };
        let place = reading.place;
        let mut spots = SortedSet::new();
        let single = reading.parts.len() == 1;
        for (spot, walk) in reading.parts {
            let shape = walk.map(|walk| self.walk(place, walk));
            if let (true, None, Some(shape)) = (single, &spot, shape) {
                return Some((shape, place));
            }
            let mut spot = spot.unwrap_or_else(|| Spot {
                mask: self.any.clone(),
                shapes: SortedSet::new(),
            });
            spot.shapes.extend(shape.map(|shape| (shape, true)));
            spots.insert(spot);
        }
        let walks = |spot: &Spot| spot.shapes.iter().any(|(_, holds)| *holds);
        if !spots.iter().any(walks) {
            return None;
        }
        let shape = self.number(Key::Place(asked.0, asked.1));
        let known = self.shapes[shape].spots.insert(place, spots.clone());
        self.broken |= known.is_some_and(|known| known != spots);
        Some((shape, place))
    }

    fn walk(&mut self, place: u32, walk: Walk) -> usize {
        let shape = self.number(Key::Walk(walk.pass, walk.stop, walk.by));
        let known = self.shapes[shape].ways.insert(place, walk.way.clone());
        self.broken |= known.is_some_and(|known| known != walk.way);
        shape
    }

    fn number(&mut self, key: Key) -> usize {
        let known = self.shapes.iter().position(|shape| shape.key == key);
        known.unwrap_or_else(|| {
            self.shapes.push(Shape {
                key,
                ways: SortedMap::new(),
                spots: SortedMap::new(),
            });
            self.shapes.len() - 1
        })
    }

    /// The only way to read a formula, or the only one whose walks were met before.
    fn reading(&self, products: &[Product]) -> Option<Reading> {
        let mut places = places_of(products.first()?);
        for product in products {
            places.retain(|place| product.contains_key(place));
        }
        let parts = parts_of(products, None);
        if let Some(part) = parts.first() {
            let way: SortedSet<u32> = part.iter().flat_map(|product| places_of(product)).collect();
            places.extend(self.before(&way));
        }
        let readings = places.into_iter();
        let readings = readings.filter_map(|place| self.read_from(products, place));
        let mut readings: Vec<Reading> = readings.collect();
        if readings.len() > 1 {
            readings.retain(|reading| {
                let mut walks = reading.parts.iter().filter_map(|(_, walk)| walk.as_ref());
                walks.all(|walk| self.was_met(walk))
            });
        }
        let only = readings.pop();
        only.filter(|_| readings.is_empty())
    }

    fn was_met(&self, walk: &Walk) -> bool {
        let same = |shape: &Shape| match &shape.key {
            Key::Walk(pass, stop, _) => (pass, stop) == (&walk.pass, &walk.stop),
            Key::Place(..) => false,
        };
        self.shapes.iter().any(same)
    }

    /// The places from which a walk over some places can come.
    fn before(&self, way: &SortedSet<u32>) -> Vec<u32> {
        let ends = |mut way: Box<dyn Iterator<Item = &u32> + '_>| {
            let (first, second) = (i64::from(*way.next()?), i64::from(*way.next()?));
            u32::try_from(2 * first - second).ok()
        };
        let found = [ends(Box::new(way.iter())), ends(Box::new(way.iter().rev()))];
        let found = found.into_iter().flatten();
        found.filter(|place| *place < self.places).collect()
    }

    /// A formula as what is asked of a place; nothing if it is not that.
    fn read_from(&self, products: &[Product], place: u32) -> Option<Reading> {
        let mut parts: Vec<(Option<Spot>, Option<Walk>)> = Vec::new();
        for part in parts_of(products, Some(place)) {
            let spot = common_spot(&part, place)?;
            let walk = match part
                .iter()
                .any(|product| product.keys().any(|at| *at != place))
            {
                true => Some(self.walk_from(&part, place)?),
                false => None,
            };
            parts.push((spot, walk));
        }
        Some(Reading { place, parts })
    }

    /// The walk from a place over the other places of some products.
    fn walk_from(&self, part: &[&Product], from: u32) -> Option<Walk> {
        let way: SortedSet<u32> = part.iter().flat_map(|product| places_of(product)).collect();
        let mut way: Vec<u32> = way.into_iter().filter(|place| *place != from).collect();
        if *way.first()? < from {
            way.reverse();
        }
        let by = i64::from(way[0]) - i64::from(from);
        let mut expected = (1..).map(|step| i64::from(from) + step * by);
        let even = way
            .iter()
            .all(|place| expected.next() == Some(i64::from(*place)));
        if !even || way.len() < 2 {
            return None;
        }
        let (mut pass, mut stop) = (Mask::new(), Mask::new());
        for (case, any) in self.any.iter().enumerate() {
            let (passed, stopped) = match products_of(part, &way, case)? {
                products if products.is_empty() => (any.met(any, false), any.met(any, false)),
                products => self.closed((case, way.len(), products))?,
            };
            pass.push(passed);
            stop.push(stopped);
        }
        let some = pass.iter().any(|contents| !contents.is_empty());
        some.then_some(Walk {
            pass,
            stop,
            by,
            way,
        })
    }

    /// What a walk over so many places passes and what stops it, if some products in a case are one.
    fn closed(&self, of: Closing) -> Option<(Contents, Contents)> {
        if let Some(known) = self.closed.borrow().get(&of) {
            return known.clone();
        }
        let (case, places, products) = &of;
        let diagram = Diagram::of(products, *places, &self.any[*case]);
        let walk = diagram.and_then(|diagram| closed_walk(&diagram, *places));
        self.closed.borrow_mut().insert(of, walk.clone());
        walk
    }

    /// What all shapes are; nothing if the formulas of one do not fit together.
    pub(crate) fn told(&self) -> Option<Vec<Told>> {
        if self.broken {
            return None;
        }
        let told: Vec<Told> = self.shapes.iter().map(Shape::told).collect::<Option<_>>()?;
        // What is missing at a place must be something that never holds there.
        for (shape, own) in self.shapes.iter().zip(&told) {
            let Told::Place(all) = own else { continue };
            for (place, spots) in &shape.spots {
                let missing = all.iter().filter(|spot| !spots.contains(*spot));
                for spot in missing {
                    let never = spot
                        .shapes
                        .iter()
                        .any(|(other, holds)| match &told[*other] {
                            Told::Walk { next, .. } => *holds && way(next, *place).len() < 2,
                            Told::Place(_) => false,
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
                let mut next = SortedMap::new();
                for (place, way) in &self.ways {
                    let from = std::iter::once(place).chain(way);
                    next.extend(from.zip(way).map(|(from, to)| (*from, *to)));
                }
                let whole = |(place, known): (&u32, &Vec<u32>)| way(&next, *place) == *known;
                let (pass, stop) = (pass.clone(), stop.clone());
                self.ways
                    .iter()
                    .all(whole)
                    .then_some(Told::Walk { pass, stop, next })
            }
            Key::Place(..) => {
                let all: SortedSet<&Spot> = self.spots.values().flatten().collect();
                Some(Told::Place(all.into_iter().cloned().collect()))
            }
        }
    }
}

/// The places after this one.
fn way(next: &SortedMap<u32, u32>, place: u32) -> Vec<u32> {
    std::iter::successors(next.get(&place), |at| next.get(at))
        .copied()
        .collect()
}

/// What all products ask of a place, each in the cases in which it can hold; nothing where they differ.
#[allow(
    clippy::option_option,
    reason = "whether they agree, and whether they ask anything"
)]
fn common_spot(part: &[&Product], place: u32) -> Option<Option<Spot>> {
    let mut spots = part.iter().map(|product| product.get(&place));
    let Some(first) = spots.next()? else {
        return spots.all(|spot| spot.is_none()).then_some(None);
    };
    let mut common = first.clone();
    for spot in spots {
        let spot = spot?;
        if spot.shapes != common.shapes {
            return None;
        }
        for (known, more) in common.mask.iter_mut().zip(&spot.mask) {
            match (known.is_empty(), more.is_empty()) {
                (true, _) => known.clone_from(more),
                (false, false) if known != more => return None,
                _ => {}
            }
        }
    }
    Some(Some(common))
}

fn places_of(product: &Product) -> SortedSet<u32> {
    product.keys().copied().collect()
}

/// A product without the cases in which it never holds; nothing if these are all.
fn possible(mut product: Product) -> Option<Product> {
    let cases = product.values().next().map_or(0, |spot| spot.mask.len());
    let mut some = product.is_empty();
    for case in 0..cases {
        let never = product.values().any(|spot| spot.mask[case].is_empty());
        if never {
            for spot in product.values_mut() {
                spot.mask[case] = spot.mask[case].met(&spot.mask[case], false);
            }
        }
        some |= !never;
    }
    some.then_some(product)
}

/// The products by what they have to do with each other: those that look at a common place, but for one.
fn parts_of(products: &[Product], apart_from: Option<u32>) -> Vec<Vec<&Product>> {
    parted(products, |product| {
        let places = product.keys().copied();
        places.filter(|place| Some(*place) != apart_from).collect()
    })
}

/// The products of a part in one case, over the places of a way in their order; nothing if shapes are asked there.
fn products_of(
    part: &[&Product],
    way: &[u32],
    case: usize,
) -> Option<Vec<super::diagram::Product>> {
    let mut all = Vec::new();
    for product in part {
        let mut own = Vec::new();
        for (at, place) in way.iter().enumerate() {
            let Some(spot) = product.get(place) else {
                continue;
            };
            if !spot.shapes.is_empty() {
                return None;
            }
            own.push((at, spot.mask[case].clone()));
        }
        if own.iter().all(|(_, contents)| !contents.is_empty()) {
            all.push(own);
        }
    }
    Some(all)
}

/// What a walk passes, at least once, and what stops it, if a diagram along a way is such a walk.
fn closed_walk(diagram: &Diagram, places: usize) -> Option<(Contents, Contents)> {
    // For each node the contents with which it goes on, and those that end the walk.
    let look = |id: NodeId, place: usize| {
        let node = diagram.node(id).filter(|node| node.place == place)?;
        let (mut on, mut stop) = (None, None);
        for (next, contents) in &node.edges {
            match *next {
                FAILS => {}
                HOLDS => stop = Some(contents),
                next => on = on.xor(Some((next, contents))),
            }
        }
        Some((on, stop))
    };
    let (Some((mut next, pass)), None) = look(diagram.root, 0)? else {
        return None;
    };
    let mut stop = None;
    for place in 1..places {
        let (on, stopped) = look(next, place)?;
        if *stop.get_or_insert(stopped?) != stopped? {
            return None;
        }
        match (on, place + 1 == places) {
            (None, true) => {}
            (Some((following, passed)), false) if passed == pass => next = following,
            _ => return None,
        }
    }
    Some((pass.clone(), stop?.clone()))
}
