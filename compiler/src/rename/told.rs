//! Where rules tell two players apart.
//!
//! Colours that are refined round by round say when two members become different: because of a neighbour that one of them has and the
//! other one has not, which became different a round before. Followed to its beginning, that is a place in the rules.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::Game;
use crate::source::Span;

use super::colours::mixed;
use super::graph::Graph;
use super::meaning::Meaning;
use super::terms::Term;

/// Rounds that are followed.
const MOST_ROUNDS: usize = 40;
/// Places that are told.
const MOST_PLACES: usize = 3;

/// What tells players apart, as a sentence; nothing where that is not found.
pub(super) fn apart(game: &Game, graph: &Graph, finder: &Finder<'_, '_>) -> Option<String> {
    let player = |number: u32| graph.member(game.players, number);
    let others = 1..game.domain(game.players).len() as u32;
    let mut others = others.into_iter();
    let other = others.find(|other| finder.round([player(0), player(*other)]).is_some())?;
    let places = finder.places([player(0), player(other)]);
    let domain = game.domain(game.players);
    let names = format!("{} and {}", domain.member(0), domain.member(other));
    match &places[..] {
        [] => None,
        [only] => Some(format!("{names} are told apart at {only}")),
        [places @ .., last] => Some(format!(
            "{names} are told apart at {} and {last}",
            places.join(", ")
        )),
    }
}

/// The colours after each round, until no more are told apart.
fn rounds_of(graph: &Graph) -> Vec<Vec<u64>> {
    let distinct = |colours: &[u64]| {
        let mut all = colours.to_vec();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let mut all = vec![graph.colours.clone()];
    let mut count = distinct(&graph.colours);
    for round in 0..MOST_ROUNDS {
        let colours = &all[round];
        let next = graph.neighbours.each().zip(colours);
        let next: Vec<u64> = next
            .map(|(edges, own)| mixed(*own, edges, colours))
            .collect();
        let now = distinct(&next);
        if now == count {
            break;
        }
        count = now;
        all.push(next);
    }
    all
}

/// Neighbours that one vertex has and another one has not, each with what it is to it.
type Alone = Vec<(u64, u32)>;

/// Follows differences to where they begin.
pub(super) struct Finder<'m, 'g> {
    game: &'m Game,
    pub(super) meaning: &'m Meaning<'g>,
    terms: SortedMap<u32, Term>,
    neighbours: Vec<&'m [(u32, u64)]>,
    rounds: Vec<Vec<u64>>,
}

impl<'m, 'g> Finder<'m, 'g> {
    pub(super) fn of(game: &'m Game, graph: &'m Graph, meaning: &'m Meaning<'g>) -> Self {
        Finder {
            game,
            meaning,
            terms: graph.terms.iter().copied().collect(),
            neighbours: graph.neighbours.each().collect(),
            rounds: rounds_of(graph),
        }
    }

    /// The round after which two vertices are different; nothing if they never are.
    pub(super) fn round(&self, [a, b]: [u32; 2]) -> Option<usize> {
        let differ = |colours: &Vec<u64>| colours[a as usize] != colours[b as usize];
        self.rounds.iter().position(differ)
    }

    fn alone(&self, round: usize, [a, b]: [u32; 2]) -> [Alone; 2] {
        let colours = &self.rounds[round];
        let mut kinds: SortedMap<(u64, u64), [Vec<u32>; 2]> = SortedMap::new();
        for (side, vertex) in [a, b].into_iter().enumerate() {
            for (other, factor) in self.neighbours[vertex as usize] {
                let kind = kinds
                    .entry((*factor, colours[*other as usize]))
                    .or_default();
                kind[side].push(*other);
            }
        }
        let mut alone = [Alone::new(), Alone::new()];
        for ((factor, _), [own, others]) in kinds {
            let both = own.len().min(others.len());
            alone[0].extend(own[both..].iter().map(|vertex| (factor, *vertex)));
            alone[1].extend(others[both..].iter().map(|vertex| (factor, *vertex)));
        }
        alone
    }

    /// The vertices at which the difference of two of them begins.
    pub(super) fn begins(&self, mut pair: [u32; 2]) -> Vec<u32> {
        let mut round = self.round(pair);
        while let Some(before) = round.and_then(|round| round.checked_sub(1)) {
            let [own, others] = self.alone(before, pair);
            let Some(next) = self.next_of([&own, &others]) else {
                return own.iter().chain(&others).map(|alone| alone.1).collect();
            };
            pair = next;
            round = self.round(pair);
        }
        pair.to_vec()
    }

    /// Of neighbours that two vertices do not share the pair that takes longest to be told apart: it has most in common.
    fn next_of(&self, [own, others]: [&Alone; 2]) -> Option<[u32; 2]> {
        let pairs = own.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
        let pairs = pairs.filter(|(a, b)| a.0 == b.0).map(|(a, b)| [a.1, b.1]);
        pairs.max_by_key(|pair| self.round(*pair))
    }

    /// The terms that vertices stand for, or the tables that they are cells of.
    pub(super) fn terms_at(&self, graph: &Graph, vertices: &[u32]) -> SortedSet<Term> {
        let around = |ring: &[u32]| -> Vec<u32> {
            let all = ring.iter().flat_map(|at| self.neighbours[*at as usize]);
            let all = all.map(|(other, _)| *other);
            // What names the same member is elsewhere.
            all.filter(|other| *other as usize >= graph.members)
                .collect()
        };
        let mut found = SortedSet::new();
        for &vertex in vertices {
            let near = around(&[vertex]);
            let far = around(&near);
            for ring in [vec![vertex], near, far] {
                let before = found.len();
                found.extend(ring.iter().filter_map(|at| self.terms.get(at).copied()));
                if found.len() > before {
                    break;
                }
            }
        }
        found
    }

    /// The name of the member that a vertex stands for.
    pub(super) fn name(&self, graph: &Graph, vertex: u32) -> String {
        let domain = graph.domain_of(vertex);
        let first = graph.domains[domain.index()];
        self.game.domain(domain).member(vertex - first).to_owned()
    }

    /// The places in the rules where two vertices begin to differ.
    pub(super) fn places(&self, mut pair: [u32; 2]) -> Vec<String> {
        let mut places = Vec::new();
        while let Some(round) = self.round(pair) {
            let told: Vec<String> = pair.iter().flat_map(|v| self.places_of(*v)).collect();
            if !told.is_empty() {
                places = told;
            }
            let Some(before) = round.checked_sub(1) else {
                break;
            };
            let [own, others] = self.alone(before, pair);
            match self.next_of([&own, &others]) {
                Some(next) => pair = next,
                None => {
                    let all = own.iter().chain(&others);
                    let told: Vec<String> = all.flat_map(|v| self.places_of(v.1)).collect();
                    if !told.is_empty() {
                        places = told;
                    }
                    break;
                }
            }
        }
        let mut once: Vec<String> = Vec::new();
        for place in places {
            if !once.contains(&place) && once.len() < MOST_PLACES {
                once.push(place);
            }
        }
        once
    }

    /// Where the rules say what a vertex stands for, or parts of it.
    fn places_of(&self, vertex: u32) -> Vec<String> {
        let Some(&term) = self.terms.get(&vertex) else {
            return Vec::new();
        };
        let place = |span: &Span| self.game.origin(*span);
        match self.meaning.places.get(&term) {
            Some(span) => vec![place(span)],
            None => {
                let parts = self.meaning.terms.node(term).args.iter();
                let spans = parts.filter_map(|part| self.meaning.places.get(part));
                spans.map(place).collect()
            }
        }
    }
}
