//! All positions of a game and what leads from each to which.

use anyhow::{Result, bail};
use indexmap::{IndexMap, IndexSet};
use rulec_core::bits::bits64;
use rulec_core::{ChoiceSet, Outcome, Reason, Turn};
use rulec_search::{AnyState, State};

/// Who does something: a player, or chance.
const CHANCE: usize = usize::MAX;

/// What is the same for both games about a position itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    /// These players decide, a bit each.
    Decide(u64),
    /// A draw is due.
    Chance,
    /// The game is over: who won, and whether nobody at all has anything of it.
    Over(u64, bool),
}

/// What is the same for both games about a move itself: who makes it, and how likely a result is, in lowest terms.
pub(super) type Kind = (usize, u64, u64);

/// A move or a result of a draw.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Its text, by number.
    pub(super) text: usize,
    /// Who makes it and how likely it is.
    pub(super) kind: Kind,
    /// The position after it.
    pub(super) to: usize,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// What is to be seen of it.
    pub(super) label: Label,
    /// What can happen.
    pub(super) edges: Vec<Edge>,
}

/// All positions that can be reached, the start first.
pub(super) struct Graph {
    /// Name of the game.
    pub(super) name: String,
    /// Names of the players.
    pub(super) players: Vec<String>,
    /// The positions.
    pub(super) states: Vec<Node>,
    /// Texts of moves.
    pub(super) texts: IndexSet<String>,
}

impl Graph {
    /// Visits all positions; moves that the rules call equal count once.
    pub(super) fn of(start: &State<'_>, most: usize, progress: &dyn Fn(usize)) -> Result<Graph> {
        let info = start.info();
        let mut graph = Graph {
            name: format!("{} ({})", info.name, info.language),
            players: info.players.iter().map(ToString::to_string).collect(),
            states: Vec::new(),
            texts: IndexSet::new(),
        };
        let mut known: IndexMap<Vec<u8>, ()> = IndexMap::new();
        let identity = info.identities.iter().position(|name| *name == "canonical");
        let identity = identity.unwrap_or(0);
        known.insert(bytes(&**start, identity), ());
        let mut layer = vec![start.fork()];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for state in &layer {
                let node = graph.node(state, identity, &mut known, &mut next)?;
                graph.states.push(node);
                if known.len() > most {
                    let name = &graph.name;
                    bail!("{name} has more than {most} positions; --states allows more");
                }
            }
            progress(graph.states.len());
            layer = next;
        }
        Ok(graph)
    }

    /// Number of moves in all positions.
    pub(super) fn edges(&self) -> usize {
        self.states.iter().map(|node| node.edges.len()).sum()
    }

    fn node<'g>(
        &mut self,
        state: &State<'g>,
        identity: usize,
        known: &mut IndexMap<Vec<u8>, ()>,
        next: &mut Vec<State<'g>>,
    ) -> Result<Node> {
        let name = &self.name;
        let turn = state.turn();
        let (label, moves) = match turn {
            Turn::Over => (self.over(state, state.outcome())?, Vec::new()),
            Turn::Chance => {
                let results = state.results();
                let total = results.iter().map(|(_, weight)| weight).sum::<u64>();
                let part = |&(code, weight): &(u64, u64)| {
                    let by = gcd(weight, total).max(1);
                    (code, (CHANCE, weight / by, total / by))
                };
                (Label::Chance, results.iter().map(part).collect())
            }
            Turn::Decide(players) => {
                let mut codes = Vec::new();
                if let Err(fault) = state.moves(ChoiceSet::Distinct, &mut codes) {
                    bail!("{name}: {}", Outcome::fault(fault).text(state.info()));
                }
                match codes.is_empty() {
                    true => (self.over(state, state.outcome())?, Vec::new()),
                    false => {
                        let moves = codes.into_iter();
                        let moves = moves.map(|code| (code, (state.mover(code), 1, 1)));
                        (Label::Decide(players), moves.collect())
                    }
                }
            }
        };
        let mut edges = Vec::with_capacity(moves.len());
        for (code, kind) in moves {
            let text = self.texts.insert_full(state.move_text(code)).0;
            let mut after = state.fork();
            after.play(code, None);
            let (to, old) = known.insert_full(bytes(&*after, identity), ());
            if old.is_none() {
                next.push(after);
            }
            edges.push(Edge { text, kind, to });
        }
        Ok(Node { label, edges })
    }

    fn over(&self, state: &State<'_>, outcome: Option<Outcome>) -> Result<Label> {
        let outcome = outcome.unwrap_or(Outcome::nobody(Reason::Stuck));
        if let Reason::Fault(_) = outcome.reason {
            bail!("{}: {}", self.name, outcome.text(state.info()));
        }
        let all = u64::MAX >> (64 - self.players.len().clamp(1, 64));
        // Everybody winning is nobody winning; an elimination of all is not.
        let nobody = outcome.winners == 0 || outcome.winners == all && self.players.len() > 1;
        let winners = if nobody { 0 } else { outcome.winners };
        let lost = nobody && outcome.reason == Reason::Elimination;
        Ok(Label::Over(winners, lost))
    }

    /// What is to be seen of a position, for people.
    pub(super) fn fact(&self, state: usize) -> String {
        let names = |players: u64| {
            let names: Vec<&str> = bits64(players)
                .filter_map(|p| self.players.get(p).map(String::as_str))
                .collect();
            names.join(" and ")
        };
        let node = &self.states[state];
        match node.label {
            Label::Chance => format!("a draw of {} results", node.edges.len()),
            Label::Decide(players) => {
                let moves = node.edges.iter().take(8);
                let moves: Vec<&str> = moves.map(|edge| self.texts[edge.text].as_str()).collect();
                let more = if node.edges.len() > 8 { ", ..." } else { "" };
                format!(
                    "{} to move, {} moves: {}{more}",
                    names(players),
                    node.edges.len(),
                    moves.join(", ")
                )
            }
            Label::Over(0, true) => "all have lost".to_owned(),
            Label::Over(0, false) => "over, nobody wins".to_owned(),
            Label::Over(players, _) => format!("over, won by {}", names(players)),
        }
    }
}

/// The state up to what the rules call the same.
fn bytes<'g>(state: &(dyn AnyState<'g> + 'g), identity: usize) -> Vec<u8> {
    let mut out = Vec::new();
    state.identity(identity, &mut out);
    out
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
