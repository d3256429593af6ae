//! Which positions of two games can be told apart.

use std::collections::BTreeMap;

use super::Difference;
use super::graph::{Graph, Kind};

/// The classes of positions that cannot be told apart, round by round.
///
/// In round 0 only the positions themselves are looked at, in each further round also what moves lead to, by the
/// classes of the round before. The last round tells no more than the one before it.
pub(super) struct Classes {
    /// For each round and game the class of each position.
    rounds: Vec<[Vec<usize>; 2]>,
    count: usize,
}

/// What a position shows in a round: its class before, and its moves by their kinds and the classes they lead to.
type Shown = (usize, Vec<(Kind, usize)>);

impl Classes {
    pub(super) fn of(graphs: [&Graph; 2]) -> Classes {
        let mut labels = BTreeMap::new();
        let first = graphs.map(|graph| {
            let states = graph.states.iter();
            let class = states.map(|node| {
                let next = labels.len();
                *labels.entry(node.label.clone()).or_insert(next)
            });
            class.collect()
        });
        let mut classes = Classes {
            count: labels.len(),
            rounds: vec![first],
        };
        loop {
            let before = &classes.rounds[classes.rounds.len() - 1];
            let mut known: BTreeMap<Shown, usize> = BTreeMap::new();
            let next = [0, 1].map(|side: usize| {
                let states = 0..graphs[side].states.len();
                let class = states.map(|state| {
                    let next = known.len();
                    let shown = shown(graphs[side], &before[side], state);
                    *known.entry(shown).or_insert(next)
                });
                class.collect()
            });
            let done = known.len() == classes.count;
            classes.count = known.len();
            classes.rounds.push(next);
            if done {
                return classes;
            }
        }
    }

    /// Number of classes in the end.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The class of a position of a game in the end.
    pub(super) fn class(&self, side: usize, state: usize) -> usize {
        self.rounds[self.rounds.len() - 1][side][state]
    }

    /// The first round that tells two positions apart.
    fn apart(&self, pair: [usize; 2]) -> Option<usize> {
        self.rounds
            .iter()
            .position(|round| round[0][pair[0]] != round[1][pair[1]])
    }

    /// A shortest line from the starts to where a difference can be seen.
    pub(super) fn difference(&self, graphs: [&Graph; 2]) -> Option<Difference> {
        let mut here = [0, 0];
        let mut moves = [Vec::new(), Vec::new()];
        let mut round = self.apart(here)?;
        while round > 0 {
            let Some(next) = self.step(graphs, here, round - 1) else {
                break;
            };
            for side in [0, 1] {
                let edge = &graphs[side].states[here[side]].edges[next[side]];
                moves[side].push(graphs[side].texts[edge.text].clone());
                here[side] = edge.to;
            }
            round = self.apart(here)?;
        }
        let facts = [0, 1].map(|side: usize| graphs[side].fact(here[side]));
        Some(Difference { moves, facts })
    }

    /// Moves of one kind, one of either game, that lead to positions which this round tells apart and of which the games
    /// have not equally many; nothing if the moves themselves differ.
    fn step(&self, graphs: [&Graph; 2], here: [usize; 2], round: usize) -> Option<[usize; 2]> {
        let mut balance: BTreeMap<(Kind, usize), i64> = BTreeMap::new();
        let mut kinds: BTreeMap<Kind, i64> = BTreeMap::new();
        for (side, sign) in [(0, 1), (1, -1)] {
            for edge in &graphs[side].states[here[side]].edges {
                let class = self.rounds[round][side][edge.to];
                *balance.entry((edge.kind, class)).or_default() += sign;
                *kinds.entry(edge.kind).or_default() += sign;
            }
        }
        if kinds.values().any(|&sum| sum != 0) {
            return None;
        }
        let mut pairs = Vec::new();
        let edges = |side: usize| {
            let edges = graphs[side].states[here[side]].edges.iter().enumerate();
            edges.map(move |(at, edge)| (at, edge, self.rounds[round][side][edge.to]))
        };
        for (one, a, class_a) in edges(0) {
            if balance[&(a.kind, class_a)] <= 0 {
                continue;
            }
            for (other, b, class_b) in edges(1) {
                if b.kind == a.kind && balance[&(b.kind, class_b)] < 0 {
                    pairs.push((self.apart([a.to, b.to]), [one, other]));
                }
            }
        }
        // What is told apart soonest makes the shortest line.
        pairs.into_iter().min().map(|(_, pair)| pair)
    }
}

fn shown(graph: &Graph, before: &[usize], state: usize) -> Shown {
    let edges = graph.states[state].edges.iter();
    let mut moves: Vec<(Kind, usize)> = edges.map(|edge| (edge.kind, before[edge.to])).collect();
    moves.sort_unstable();
    (before[state], moves)
}
