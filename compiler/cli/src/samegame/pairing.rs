//! Whether the positions of two games correspond one to one, whatever their moves are called.
//!
//! Positions are told apart by what leads from them and to them. Where that leaves several alike in either game, two of
//! them are taken for each other and it is gone on from there; that is taken back if it does not end well.

use std::collections::BTreeMap;

use super::classes::Classes;
use super::graph::{Graph, Kind};

/// The colours of the positions of both games.
type Colours = [Vec<usize>; 2];

/// For each position of the first game the one of the second; nothing if there is no such correspondence, or it is not
/// found in so many steps.
pub(super) fn pairing(graphs: [&Graph; 2], classes: &Classes, steps: u64) -> Option<Vec<usize>> {
    let incoming = graphs.map(incoming);
    let start = [0, 1].map(|side: usize| {
        let states = 0..graphs[side].states.len();
        let class = states.map(|state| match state {
            0 => 0,
            _ => 1 + classes.class(side, state),
        });
        class.collect()
    });
    let mut rounds = steps / (graphs[0].edges() as u64 + 1) + 8;
    let mut open = vec![start];
    while let Some(colours) = open.pop() {
        let Some(colours) = refine(graphs, &incoming, colours, &mut rounds) else {
            continue;
        };
        let members = members(&colours);
        let alike = members.values().filter(|[one, _]| one.len() > 1);
        let Some([one, other]) = alike.min_by_key(|[one, _]| one.len()) else {
            let mut partner = vec![0; graphs[0].states.len()];
            for [one, other] in members.values() {
                partner[one[0]] = other[0];
            }
            return Some(partner);
        };
        if rounds == 0 {
            return None;
        }
        let fresh = members.len();
        for &candidate in other.iter().rev() {
            let mut next = colours.clone();
            next[0][one[0]] = fresh;
            next[1][candidate] = fresh;
            open.push(next);
        }
    }
    None
}

/// For each position the moves that lead to it: from where, and of what kind.
fn incoming(graph: &Graph) -> Vec<Vec<(usize, Kind)>> {
    let mut into = vec![Vec::new(); graph.states.len()];
    for (from, node) in graph.states.iter().enumerate() {
        for edge in &node.edges {
            into[edge.to].push((from, edge.kind));
        }
    }
    into
}

/// Tells positions apart by what leads from and to them until nothing more comes of it; nothing if the games then have
/// not equally many of each.
fn refine(
    graphs: [&Graph; 2],
    incoming: &[Vec<Vec<(usize, Kind)>>; 2],
    mut colours: Colours,
    rounds: &mut u64,
) -> Option<Colours> {
    let mut count = members(&colours).len();
    loop {
        *rounds = rounds.saturating_sub(1);
        let mut known = BTreeMap::new();
        let next = [0, 1].map(|side: usize| {
            let mine = &colours[side];
            let states = graphs[side].states.iter().enumerate();
            let colour = states.map(|(state, node)| {
                let edges = node.edges.iter();
                let mut from: Vec<(Kind, usize)> = edges.map(|e| (e.kind, mine[e.to])).collect();
                from.sort_unstable();
                let edges = incoming[side][state].iter();
                let mut into: Vec<(Kind, usize)> = edges.map(|(o, k)| (*k, mine[*o])).collect();
                into.sort_unstable();
                let next = known.len();
                *known.entry((mine[state], from, into)).or_insert(next)
            });
            colour.collect()
        });
        colours = next;
        let equal = members(&colours)
            .values()
            .all(|[one, other]| one.len() == other.len());
        if !equal {
            return None;
        }
        if known.len() == count {
            return Some(colours);
        }
        count = known.len();
    }
}

/// The positions of each colour.
fn members(colours: &Colours) -> BTreeMap<usize, [Vec<usize>; 2]> {
    let mut members: BTreeMap<usize, [Vec<usize>; 2]> = BTreeMap::new();
    for side in [0, 1] {
        for (state, &colour) in colours[side].iter().enumerate() {
            members.entry(colour).or_default()[side].push(state);
        }
    }
    members
}
