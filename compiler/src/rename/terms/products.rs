//! Conditions as sums of products: what asks too much for one diagram is the set of the shortest products that make it hold, so that it
//! does not matter which of its parts rules put together first.
//!
//! Where no condition helps as well as it hinders, these products are one set, and those of a sum are the shortest of its parts (Quine,
//! "A way to simplify truth functions", 1955).

use rulec_ir::sorted::SortedMap;

use crate::ir::Type;

use super::{FALSE, Known, Op, TRUE, Term, Terms};

/// Products of one diagram.
const MOST_PRODUCTS: usize = 32;
/// Products of which it is asked whether others say as much.
const MOST_COMPARED: usize = 256;

type Products = Option<Vec<Known>>;

/// Whether a product holds wherever another one does.
fn follows(product: &Known, from: &Known) -> bool {
    let asked = |part: &(Term, bool)| from.binary_search(part).is_ok();
    product.len() <= from.len() && product.iter().all(asked)
}

impl Terms<'_> {
    /// Parts of which one has to hold, as products where each has few of them.
    pub(super) fn in_products(&mut self, parts: Vec<Term>) -> Vec<Term> {
        let mut known = SortedMap::new();
        let (mut rest, mut all) = (Vec::new(), Vec::new());
        for part in parts {
            match self.products(part, &mut known) {
                Some(products) => all.extend(products),
                None => rest.push(part),
            }
        }
        all.sort_unstable_by_key(Vec::len);
        if all.len() <= MOST_COMPARED {
            self.spend(all.len() * all.len() / 64);
            let mut shortest: Vec<Known> = Vec::new();
            for product in all {
                if !shortest.iter().any(|other| follows(other, &product)) {
                    shortest.push(product);
                }
            }
            all = shortest;
        }
        for product in all {
            rest.push(self.product(&product));
        }
        rest.sort_unstable();
        rest.dedup();
        rest
    }

    fn product(&mut self, product: &Known) -> Term {
        product.iter().rev().fold(TRUE, |rest, &(asked, holds)| {
            let ways = if holds { [rest, FALSE] } else { [FALSE, rest] };
            self.insert(Op::Ite, vec![asked, ways[0], ways[1]], Type::Bool)
        })
    }

    /// The shortest products that make a diagram hold; nothing where they are many, or a condition of it both helps and hinders.
    fn products(&mut self, diagram: Term, known: &mut SortedMap<Term, Products>) -> Products {
        let node = self.node(diagram);
        let (asked, yes, no) = match (&node.op, &node.args[..]) {
            _ if diagram == TRUE => return Some(vec![Known::new()]),
            _ if diagram == FALSE => return Some(Vec::new()),
            (Op::Ite, &[asked, yes, no]) => (asked, yes, no),
            _ => return None,
        };
        if let Some(known) = known.get(&diagram) {
            return known.clone();
        }
        self.spend(1);
        let found = self.products_of(asked, [yes, no], known);
        known.insert(diagram, found.clone());
        found
    }

    fn products_of(
        &mut self,
        asked: Term,
        [yes, no]: [Term; 2],
        known: &mut SortedMap<Term, Products>,
    ) -> Products {
        let holds = self.choose(no, yes, TRUE) == TRUE;
        let (more, less) = if holds { (yes, no) } else { (no, yes) };
        if !holds && self.choose(less, more, TRUE) != TRUE {
            return None;
        }
        let (more, mut all) = (self.products(more, known)?, self.products(less, known)?);
        let always = all.len();
        for product in more {
            if !all[..always].iter().any(|other| follows(other, &product)) {
                all.push([&[(asked, holds)][..], &product].concat());
            }
        }
        (all.len() <= MOST_PRODUCTS).then_some(all)
    }
}
