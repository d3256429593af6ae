//! Perfect play of two players, worked out backwards from the ends of all games.

use std::{cmp::Reverse, collections::BTreeSet};

use crate::explore::Graph;

/// What perfect play of two players leads to from one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// This player wins, in so many moves if the winner hurries and the other delays.
    Win {
        /// The winner, from 0.
        player: usize,
        /// Moves to the end.
        moves: u32,
    },
    /// Nobody can force a win: the game ends without a sole winner, or goes on for ever.
    Draw,
}

/// The value of every state of a complete graph of a game for two players without draws of chance.
pub fn values(graph: &Graph) -> Vec<Value> {
    let mut values: Vec<Value> = graph.states.iter().map(|state| end_value(*state)).collect();
    let (begins, parents) = parents(graph);
    // Moves of each state that are not yet known to lose.
    let mut open: Vec<usize> = (0..values.len()).map(|s| graph.moves(s).len()).collect();
    let mut queue: Vec<usize> = (0..values.len())
        .filter(|&s| values[s] != Value::Draw)
        .collect();
    let mut at = 0;
    while let Some(&state) = queue.get(at) {
        at += 1;
        let Value::Win { player, moves } = values[state] else {
            continue;
        };
        for &parent in &parents[begins[state]..begins[state + 1]] {
            let parent = parent as usize;
            let (Value::Draw, Ok(mover)) = (values[parent], graph.states[parent]) else {
                continue;
            };
            open[parent] -= 1;
            if mover == player || open[parent] == 0 {
                let moves = moves + 1;
                values[parent] = Value::Win { player, moves };
                queue.push(parent);
            }
        }
    }
    values
}

fn end_value(state: Result<usize, rulec_core::Outcome>) -> Value {
    match state.err().and_then(|outcome| outcome.winner()) {
        Some(player) => Value::Win { player, moves: 0 },
        None => Value::Draw,
    }
}

/// The states that lead to each state, once for every edge, and where those of each state begin.
fn parents(graph: &Graph) -> (Vec<usize>, Vec<u32>) {
    let mut begins = vec![0; graph.states.len() + 1];
    for (_, child) in &graph.edges {
        begins[*child as usize + 1] += 1;
    }
    for state in 0..graph.states.len() {
        begins[state + 1] += begins[state];
    }
    let mut next = begins.clone();
    let mut parents = vec![0; graph.edges.len()];
    for state in 0..graph.states.len() {
        for (_, child) in graph.moves(state) {
            parents[next[*child as usize]] = state as u32;
            next[*child as usize] += 1;
        }
    }
    (begins, parents)
}

/// How good a value is for the player who moves to it: to win soon, to draw, to lose late.
pub fn worth(value: Value, mover: usize) -> (u8, Reverse<u32>, u32) {
    match value {
        Value::Win { player, moves } if player == mover => (2, Reverse(moves), 0),
        Value::Draw => (1, Reverse(0), 0),
        Value::Win { moves, .. } => (0, Reverse(0), moves),
    }
}

/// The moves of perfect play from the first state on, up to the end or to a state that was there before.
pub fn line(graph: &Graph, values: &[Value]) -> Vec<u64> {
    let mut line = Vec::new();
    let mut seen = BTreeSet::new();
    let mut state = 0;
    while seen.insert(state) {
        let Some(Ok(mover)) = graph.states.get(state) else {
            break;
        };
        let worth = |child: u32| worth(values[child as usize], *mover);
        let best = graph
            .moves(state)
            .iter()
            .max_by_key(|(code, child)| (worth(*child), Reverse(*code)));
        let Some((code, child)) = best else {
            break;
        };
        line.push(*code);
        state = *child as usize;
    }
    line
}
