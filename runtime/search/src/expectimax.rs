//! Exact values of games with draws of chance: everybody plays for himself, chance by its weights.
//!
//! All positions that can be reached are listed once; then values flow backwards from the ends until nothing changes any
//! more. Without positions that come again the values are exact but for rounding; otherwise they are the limit.

use std::collections::BTreeMap;

use rulec_core::{ChoiceSet, Outcome, Turn};

use crate::{AnyState, Progress, State};

/// Sweeps after which values that still change are given up.
const MAX_SWEEPS: u32 = 100_000;
/// Values that differ by less are equal: rounding of sums in another order.
const EQUAL: f64 = 1e-13;

/// What best play of everybody leads to.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Mean payoff of every player.
    pub values: Vec<f64>,
    /// For every move of the position to begin with: its code, and the mean payoffs behind it.
    pub moves: Vec<(u64, Vec<f64>)>,
    /// Positions that can be reached.
    pub positions: usize,
    /// Sweeps over all of them until nothing changed.
    pub sweeps: u32,
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// More positions can be reached than were allowed.
    TooMany,
    /// Values did not settle.
    Unsettled,
    /// The caller stopped.
    Stopped,
}

/// A position and where it leads.
struct Node {
    /// Payoffs at an end.
    end: Option<Vec<f64>>,
    /// Who chooses; chance if nobody.
    mover: Option<usize>,
    /// Moves or results with their weights, and the positions behind them.
    next: Vec<(u64, f64, usize)>,
}

fn payoffs(outcome: &Outcome, players: usize) -> Vec<f64> {
    (0..players).map(|player| outcome.payoff(player)).collect()
}

/// Works out the value of a position; `progress` is told how many positions are known.
///
/// Positions are merged by what their future depends on.
///
/// # Errors
/// When there are too many positions, or values that do not settle.
pub fn expectimax<'g>(
    start: &(dyn AnyState<'g> + 'g),
    most: usize,
    progress: Progress<'_>,
) -> Result<Expectation, Refused> {
    let players = start.info().players.len();
    let nodes = reach(start, players, most, progress)?;
    let mut values = vec![vec![0.0; players]; nodes.len()];
    let mut sweeps = 0;
    loop {
        sweeps += 1;
        let mut change = 0.0_f64;
        for (index, node) in nodes.iter().enumerate().rev() {
            let value = backed_up(node, &values, players);
            for (old, new) in values[index].iter().zip(&value) {
                change = change.max((old - new).abs());
            }
            values[index] = value;
        }
        if change < EQUAL {
            break;
        }
        if sweeps == MAX_SWEEPS {
            return Err(Refused::Unsettled);
        }
    }
    let moves = nodes[0].next.iter();
    Ok(Expectation {
        moves: moves
            .map(|(code, _, to)| (*code, values[*to].clone()))
            .collect(),
        values: values.swap_remove(0),
        positions: nodes.len(),
        sweeps,
    })
}

fn backed_up(node: &Node, values: &[Vec<f64>], players: usize) -> Vec<f64> {
    if let Some(end) = &node.end {
        return end.clone();
    }
    if let Some(mover) = node.mover {
        let worth = |to: &usize| values[*to][mover];
        let targets = node.next.iter().map(|(_, _, to)| to);
        // Of equal moves the first one is taken.
        let best = targets.reduce(|a, b| if worth(b) > worth(a) { b } else { a });
        return best.map_or(vec![0.0; players], |to| values[*to].clone());
    }
    let total: f64 = node.next.iter().map(|(_, weight, _)| weight).sum();
    let mut sum = vec![0.0; players];
    for (_, weight, to) in &node.next {
        for (sum, value) in sum.iter_mut().zip(&values[*to]) {
            *sum += weight * value;
        }
    }
    sum.iter_mut()
        .for_each(|sum| *sum /= total.max(f64::MIN_POSITIVE));
    sum
}

/// All positions that can be reached, the first one first.
fn reach<'g>(
    start: &(dyn AnyState<'g> + 'g),
    players: usize,
    most: usize,
    progress: Progress<'_>,
) -> Result<Vec<Node>, Refused> {
    let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut states: Vec<Option<State<'g>>> = vec![Some(start.fork())];
    known.insert(key(start), 0);
    let mut nodes = Vec::new();
    while let Some(state) = states.get_mut(nodes.len()).and_then(Option::take) {
        if nodes.len() % 1024 == 0 && !progress.go_on(nodes.len() as u64) {
            return Err(Refused::Stopped);
        }
        let mut node = Node {
            end: None,
            mover: None,
            next: Vec::new(),
        };
        let mut choices = Vec::new();
        match (state.turn(), state.outcome()) {
            (_, Some(outcome)) => node.end = Some(payoffs(&outcome, players)),
            (Turn::Chance, None) => {
                let results = state.results();
                choices.extend(results.iter().map(|(code, weight)| (*code, *weight as f64)));
            }
            (turn, None) => {
                node.mover = state.player();
                let mut moves = Vec::new();
                match state.moves(ChoiceSet::All, &mut moves) {
                    Ok(()) if turn != Turn::Over => {
                        choices.extend(moves.into_iter().map(|code| (code, 1.0)));
                    }
                    Ok(()) => node.end = Some(vec![0.0; players]),
                    Err(fault) => node.end = Some(payoffs(&Outcome::fault(fault), players)),
                }
            }
        }
        for (code, weight) in choices {
            let mut next = state.fork();
            next.play(code, None);
            let index = match known.get(&key(&*next)) {
                Some(index) => *index,
                None => {
                    if states.len() == most {
                        return Err(Refused::TooMany);
                    }
                    known.insert(key(&*next), states.len());
                    states.push(Some(next));
                    states.len() - 1
                }
            };
            node.next.push((code, weight, index));
        }
        nodes.push(node);
    }
    Ok(nodes)
}

fn key<'g>(state: &(dyn AnyState<'g> + 'g)) -> Vec<u8> {
    let mut key = Vec::new();
    state.identity(state.info().future, &mut key);
    key
}
