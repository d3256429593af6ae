//! Colours of the vertices of a graph, refined until vertices of one colour have neighbours of the same colours.
//!
//! As in partition refinement only what a change can have told apart is looked at again, and of a colour that falls apart the
//! largest part keeps it. What a vertex gets depends on colours alone, never on the order of vertices: two graphs
//! that a renaming takes to each other get the same colours (McKay and Piperno, Practical graph isomorphism, II, 2014).

use crate::hash::IndexMap;

/// A colour for each vertex.
pub(super) type Colours = Vec<u64>;

/// The neighbours of each vertex of a graph, with a factor for what they are to it.
#[derive(Default)]
pub(super) struct Neighbours {
    /// Those of all vertices, one vertex after the other.
    edges: Vec<(u32, u64)>,
    /// Where those of each vertex begin, and the end.
    starts: Vec<usize>,
}

/// Two vertices, and what the second is to the first.
pub(super) type Join = (u32, u32, u32);

/// Rounds of a refinement.
const MOST_ROUNDS: usize = 1_000;

/// Mixes numbers.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A colour mixed with those of neighbours.
pub(super) fn mixed(own: u64, edges: &[(u32, u64)], colours: &[u64]) -> u64 {
    let sum = edges.iter().fold(0_u64, |sum, (other, factor)| {
        sum.wrapping_add(colours[*other as usize].wrapping_mul(*factor))
    });
    mix(own, sum)
}

impl Neighbours {
    pub(super) fn of(vertices: usize, joins: &[Join]) -> Neighbours {
        let mut ends = vec![0; vertices + 1];
        for (a, b, _) in joins {
            ends[*a as usize + 1] += 1;
            ends[*b as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            ends[vertex + 1] += ends[vertex];
        }
        let starts = ends.clone();
        let mut edges = vec![(0, 0); joins.len() * 2];
        let mut add = |vertex: u32, other: u32, factor: u64| {
            let at = &mut ends[vertex as usize];
            edges[*at] = (other, factor);
            *at += 1;
        };
        // Odd, so that no colour is lost.
        let factor = |label: u32| mix(0, u64::from(label) + 1) | 1;
        for &(a, b, label) in joins {
            add(a, b, factor(label * 2));
            add(b, a, factor(label * 2 + 1));
        }
        Neighbours { edges, starts }
    }

    /// Those of each vertex.
    pub(super) fn each(&self) -> impl Iterator<Item = &[(u32, u64)]> {
        let between = self.starts.windows(2);
        between.map(|between| &self.edges[between[0]..between[1]])
    }

    fn at(&self, vertex: u32) -> &[(u32, u64)] {
        let vertex = vertex as usize;
        &self.edges[self.starts[vertex]..self.starts[vertex + 1]]
    }

    /// Refines colours until no more are told apart; where they were so but for one vertex, that one is given.
    pub(super) fn refine(&self, colours: &mut Colours, changed: Option<u32>) {
        let mut sizes: IndexMap<u64, usize> = IndexMap::default();
        for colour in &*colours {
            *sizes.entry(*colour).or_default() += 1;
        }
        let mut open = match changed {
            Some(only) => self.around(&[only], colours.len()),
            None => (0..colours.len() as u32).collect(),
        };
        for _ in 0..MOST_ROUNDS {
            let mut seen: Vec<(u64, u64, u32)> = open
                .iter()
                .map(|vertex| {
                    let own = colours[*vertex as usize];
                    (own, mixed(own, self.at(*vertex), colours), *vertex)
                })
                .collect();
            seen.sort_unstable();
            let mut told = Vec::new();
            for of_one in seen.chunk_by(|a, b| a.0 == b.0) {
                let whole = sizes.get(&of_one[0].0) == Some(&of_one.len());
                let parts = || of_one.chunk_by(|a, b| a.1 == b.1);
                let largest = parts().map(<[_]>::len).max().filter(|_| whole);
                let keeps = largest.and_then(|most| parts().position(|part| part.len() == most));
                for (at, part) in parts().enumerate() {
                    if keeps == Some(at) {
                        continue;
                    }
                    let (old, new, _) = part[0];
                    *sizes.entry(old).or_default() -= part.len();
                    *sizes.entry(new).or_default() += part.len();
                    told.extend(part.iter().map(|(_, _, vertex)| *vertex));
                    for (_, _, vertex) in part {
                        colours[*vertex as usize] = new;
                    }
                }
            }
            if told.is_empty() {
                return;
            }
            open = self.around(&told, colours.len());
        }
    }

    /// The neighbours of some vertices, once each.
    fn around(&self, vertices: &[u32], all: usize) -> Vec<u32> {
        let mut noted = vec![false; all];
        let mut found = Vec::new();
        for (other, _) in vertices.iter().flat_map(|vertex| self.at(*vertex)) {
            if !std::mem::replace(&mut noted[*other as usize], true) {
                found.push(*other);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulec_ir::sorted::SortedSet;

    /// Vertices by colour.
    fn parts(colours: &Colours) -> SortedSet<Vec<usize>> {
        let of = |colour: &u64| {
            (0..colours.len())
                .filter(|at| colours[*at] == *colour)
                .collect()
        };
        colours.iter().map(of).collect()
    }

    /// Colours that are mixed with those of all neighbours until no more are told apart.
    fn slowly(graph: &Neighbours, mut colours: Colours) -> Colours {
        loop {
            let next = graph.each().zip(&colours);
            let next: Colours = next
                .map(|(edges, own)| mixed(*own, edges, &colours))
                .collect();
            if parts(&next).len() == parts(&colours).len() {
                return colours;
            }
            colours = next;
        }
    }

    /// A graph of so many vertices, with few joins, and two colours.
    fn graph(seed: u64, vertices: u32) -> (Vec<Join>, Colours) {
        let number = |at: u64| mix(seed, at);
        let vertex = |at: u64| (number(at) % u64::from(vertices)) as u32;
        let joins = (0..u64::from(vertices) + 4)
            .map(|at| (vertex(at), vertex(at + 100), (number(at + 200) % 2) as u32));
        let colours = (0..u64::from(vertices)).map(|at| number(at + 300) % 8 / 7 + 1);
        (joins.collect(), colours.collect())
    }

    #[test]
    fn only_what_changed_is_looked_at_and_the_parts_are_the_same() {
        for seed in 0..200 {
            let (joins, start) = graph(seed, 5 + seed as u32 % 40);
            let graph = Neighbours::of(start.len(), &joins);
            let mut colours = start.clone();
            graph.refine(&mut colours, None);
            assert_eq!(parts(&colours), parts(&slowly(&graph, start)), "{seed}");
            colours[0] = mix(colours[0], 1);
            let wanted = slowly(&graph, colours.clone());
            graph.refine(&mut colours, Some(0));
            assert_eq!(parts(&colours), parts(&wanted), "{seed}");
        }
    }

    #[test]
    fn a_renamed_graph_gets_the_renamed_colours() {
        for seed in 0..50 {
            let (joins, start) = graph(seed, 30);
            let new = |vertex: u32| vertex * 7 % 30;
            let renamed: Vec<Join> = joins
                .iter()
                .rev()
                .map(|&(a, b, label)| (new(a), new(b), label))
                .collect();
            let mut colours = start.clone();
            let mut others = start.clone();
            for (at, colour) in start.iter().enumerate() {
                others[new(at as u32) as usize] = *colour;
            }
            let (graph, other) = (Neighbours::of(30, &joins), Neighbours::of(30, &renamed));
            graph.refine(&mut colours, None);
            other.refine(&mut others, None);
            for (singled, level) in [(3, 1), (11, 2)] {
                for (colours, graph, at) in [
                    (&mut colours, &graph, singled),
                    (&mut others, &other, new(singled)),
                ] {
                    colours[at as usize] = mix(colours[at as usize], level);
                    graph.refine(colours, Some(at));
                }
            }
            let same = (0..30).all(|at| colours[at as usize] == others[new(at) as usize]);
            assert!(same, "{seed}");
        }
    }
}
