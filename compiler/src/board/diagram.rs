//! Reduced ordered decision diagrams over places: two tests of the same places are equal if and only if their diagrams are.

use crate::hash::IndexSet;
use rulec_ir::sorted::SortedMap;

use super::contents::Contents;

/// Rests of products that are followed to make a diagram; it has no more nodes than that.
const MOST_RESTS: usize = 2048;

/// A diagram's node, by number; the first two say what comes of a test.
pub(crate) type NodeId = usize;

/// The test fails.
pub(crate) const FAILS: NodeId = 0;
/// The test holds.
pub(crate) const HOLDS: NodeId = 1;

/// A look at a place: where to go on for which contents. The contents of all edges are all contents, no two edges lead to the
/// same node, and they are sorted by that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    /// Which of the places is looked at, in their order.
    pub(crate) place: usize,
    /// Where to go on, and for which contents.
    pub(crate) edges: Vec<(NodeId, Contents)>,
}

/// A diagram over places in an order that its maker chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagram {
    nodes: IndexSet<Node>,
    /// Where to begin.
    pub(crate) root: NodeId,
}

/// Tests of some places that must all hold: for each of them the contents that pass.
pub(crate) type Product = Vec<(usize, Contents)>;

impl Diagram {
    /// The diagram of a sum of products over as many places; nothing if it grows too large.
    pub(crate) fn of(products: &[Product], places: usize, all: &Contents) -> Option<Diagram> {
        let mut maker = Maker {
            products,
            places,
            all,
            nodes: IndexSet::default(),
            known: SortedMap::new(),
        };
        let root = maker.node(0, (0..products.len()).collect())?;
        Some(Diagram {
            nodes: maker.nodes,
            root,
        })
    }

    /// A node; nothing for the two that end a test.
    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get_index(id.checked_sub(2)?)
    }
}

struct Maker<'a> {
    products: &'a [Product],
    places: usize,
    all: &'a Contents,
    nodes: IndexSet<Node>,
    /// The nodes for what is left of products from a place on.
    known: SortedMap<(usize, Vec<usize>), NodeId>,
}

impl Maker<'_> {
    /// What is left of some products from a place on.
    fn node(&mut self, place: usize, left: Vec<usize>) -> Option<NodeId> {
        let asks = |product: &usize| {
            let mut tests = self.products[*product].iter();
            tests.any(|(other, _)| *other >= place)
        };
        if left.is_empty() || place == self.places {
            return Some(if left.is_empty() { FAILS } else { HOLDS });
        }
        if left.iter().any(|product| !asks(product)) {
            return Some(HOLDS);
        }
        let key = (place, left);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let mut edges: SortedMap<NodeId, Contents> = SortedMap::new();
        for (contents, left) in self.parts(place, &key.1) {
            let next = self.node(place + 1, left)?;
            let joined = match edges.get(&next) {
                Some(known) => known.joined(&contents),
                None => contents,
            };
            edges.insert(next, joined);
        }
        let mut edges: Vec<(NodeId, Contents)> = edges.into_iter().collect();
        let id = match (edges.len(), edges.pop()) {
            (1, Some((only, _))) => only,
            (_, last) => {
                edges.extend(last);
                2 + self.nodes.insert_full(Node { place, edges }).0
            }
        };
        self.known.insert(key, id);
        (self.known.len() <= MOST_RESTS).then_some(id)
    }

    /// The contents of a place by which of some products they leave.
    fn parts(&self, place: usize, left: &[usize]) -> Vec<(Contents, Vec<usize>)> {
        let mut parts: Vec<(Contents, Vec<usize>)> = vec![(self.all.clone(), Vec::new())];
        for &product in left {
            let mut tests = self.products[product].iter();
            let mask = tests.find(|(other, _)| *other == place);
            let mask = mask.map_or(self.all, |(_, mask)| mask);
            parts = parts
                .into_iter()
                .flat_map(|(contents, kept)| {
                    let with = [&kept[..], &[product]].concat();
                    let (passed, failed) = (contents.met(mask, true), contents.met(mask, false));
                    [(passed, with), (failed, kept)]
                })
                .filter(|(contents, _)| !contents.is_empty())
                .collect();
        }
        parts
    }
}
