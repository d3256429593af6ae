//! Self-play with a network: many games in flight, one position of each at a time waits for its judgement.
//!
//! A game follows from the settings, its number and the network alone: it has random numbers of its own, and which other games are
//! judged with it does not matter.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rulec_core::{
    ChanceList, ChoiceSet, FullGame, MoveList, Outcome, Present, Reason, Rng, Turn, bits::bits64,
    wrong_payoffs,
};
use rulec_noise::dirichlet;
use serde_json::{Value, json};

use crate::asked::Settings;
use crate::op;
use crate::port::{Call, Port, Refused, unknown};
use crate::root;
use crate::row::Cells;
use crate::slot::{Shared, Slot, Status};
use crate::tree::{Kind, NOBODY, Node, Tree};

/// Plies of one way down a tree at most.
const DEEPEST: usize = 10_000;
/// What chances of an improved policy are counted in.
const UNITS: f32 = 65536.0;

/// Games in flight.
pub(crate) struct Arena<G: FullGame> {
    shared: Arc<Shared<G>>,
    settings: Settings,
    flights: Vec<Flight<G>>,
    /// The number of the next game to begin.
    next: AtomicU64,
    /// Games that are over but for an earlier one.
    done: BTreeMap<u64, String>,
    /// The number of the next game to be taken.
    taken: u64,
    /// Whether positions wait for a judgement.
    waiting: bool,
}

impl<G: FullGame + 'static> Arena<G> {
    pub(crate) fn new(shared: Arc<Shared<G>>, settings: Settings) -> Result<Self, Refused> {
        shared.check()?;
        if shared.cells == 0 {
            return Err(Refused::usage(
                "the game has no planes that a network could see",
            ));
        }
        let slots = settings.slots.min(settings.games);
        let next = settings.first + slots;
        let numbers = settings.first..next;
        Ok(Self {
            flights: numbers
                .map(|number| Flight::new(&shared, &settings, number))
                .collect(),
            shared,
            next: AtomicU64::new(next),
            done: BTreeMap::new(),
            taken: settings.first,
            waiting: false,
            settings,
        })
    }

    /// Calls `job` with every game in flight, on some threads.
    fn each(&mut self, job: impl Fn(&mut Flight<G>) + Sync) {
        let threads = self.settings.threads.min(self.flights.len() / 16).max(1);
        if threads == 1 {
            return self.flights.iter_mut().for_each(job);
        }
        let share = self.flights.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for part in self.flights.chunks_mut(share) {
                scope.spawn(|| part.iter_mut().for_each(&job));
            }
        });
    }

    fn gather(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
        let kind = call.input::<u8>(0)?.first().copied().unwrap_or(0);
        let (cells, moves) = (self.shared.cells, self.shared.moves);
        let room = self.settings.slots as usize;
        let mut rows = Cells::of(call, 0, kind, room * cells)?;
        let masks: &mut [u8] = call.output(1, room * moves)?;
        if !self.waiting {
            let (shared, settings) = (self.shared.clone(), self.settings.clone());
            let last = settings.first + settings.games;
            let next = std::mem::take(&mut self.next);
            let begin = || {
                let number = next.fetch_add(1, Relaxed);
                (number < last).then_some(number)
            };
            self.each(|flight| flight.go_on(&shared, &settings, &begin));
            self.next = next;
        }
        let done = &mut self.done;
        for flight in &mut self.flights {
            done.extend(flight.told.drain(..));
        }
        self.flights.retain(|flight| !flight.landed);
        self.waiting = !self.flights.is_empty();
        for (row, flight) in self.flights.iter().enumerate() {
            rows.show(&self.shared.game, &flight.leaf.state, row, cells);
            if let Some(mask) = masks.get_mut(row * moves..(row + 1) * moves) {
                mask.fill(0);
                for &index in &flight.legal {
                    if let Some(cell) = mask.get_mut(index as usize) {
                        *cell = 1;
                    }
                }
            }
        }
        Ok(self.flights.len() as u64)
    }

    fn scatter(&mut self, call: &Call<'_, '_>) -> Result<(), Refused> {
        let (logits, values) = (call.input::<f32>(0)?, call.input::<f32>(1)?);
        let (rows, moves, players) = (self.flights.len(), self.shared.moves, self.shared.players);
        if !self.waiting {
            return Err(Refused::usage("no position waits for a judgement"));
        }
        if logits.len() != rows * moves {
            return Err(Refused::usage(format!(
                "there are {} logits, but {rows} positions with {moves} moves each",
                logits.len()
            )));
        }
        let width = match values.len() {
            len if len == rows => 1,
            len if len == rows * players => players,
            len => {
                return Err(Refused::usage(format!(
                    "there are {len} values, but {rows} positions: one or {players} for each"
                )));
            }
        };
        if let Some(wrong) = wrong_payoffs(values) {
            return Err(Refused::usage(wrong));
        }
        for (flight, logits) in self.flights.iter().zip(logits.chunks_exact(moves.max(1))) {
            let legal = flight.legal.iter();
            if legal
                .filter_map(|i| logits.get(*i as usize))
                .any(|x| x.is_nan())
            {
                return Err(Refused::usage("the logit of a legal move is no number"));
            }
        }
        let (shared, settings) = (&self.shared, &self.settings);
        let judged = logits
            .chunks_exact(moves.max(1))
            .zip(values.chunks_exact(width));
        for (flight, (logits, values)) in self.flights.iter_mut().zip(judged) {
            flight.judged(shared, settings, logits, values);
        }
        self.waiting = false;
        Ok(())
    }

    fn take(&mut self) -> String {
        let mut lines = String::new();
        while let Some(line) = self.done.remove(&self.taken) {
            lines.push_str(&line);
            self.taken += 1;
        }
        lines
    }
}

impl<G: FullGame + 'static> Port for Arena<G> {
    fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused> {
        match call.op {
            op::GATHER => return self.gather(call),
            op::SCATTER => self.scatter(call)?,
            op::TAKE => call.text = self.take().into_bytes(),
            other => return Err(unknown("self-play", other)),
        }
        Ok(0)
    }
}

/// A decision of a game, for training.
struct Sample {
    player: u8,
    played: u32,
    value: Option<f32>,
    moves: Vec<u32>,
    weights: Vec<u32>,
    cells: Present,
}

/// A game in flight.
struct Flight<G: FullGame> {
    number: u64,
    /// The game as it stands.
    here: Slot<G>,
    tree: Tree<G::Move>,
    /// Simulations that are still to be made for this decision.
    left: u32,
    searching: bool,
    /// The way to the position that waits, and that.
    way: Vec<u32>,
    leaf: Slot<G>,
    /// The indexes of the legal moves of that position.
    legal: Vec<u32>,
    gumbel: Vec<f32>,
    plan: Vec<u32>,
    room: Vec<f32>,
    texts: Vec<String>,
    choices: u64,
    samples: Vec<Sample>,
    /// Decisions so far, whether or not there are samples of them.
    decisions: u64,
    /// Decisions in a row in which each player saw no hope.
    hopeless: Vec<u32>,
    /// Who would have resigned.
    resigned: Option<usize>,
    plays_on: bool,
    /// Games that are over.
    told: Vec<(u64, String)>,
    landed: bool,
}

impl<G: FullGame> Flight<G> {
    fn new(shared: &Shared<G>, settings: &Settings, number: u64) -> Self {
        let mut flight = Self {
            number,
            here: Slot::new(shared, Rng::new(settings.seed, number)),
            tree: Tree::new(),
            left: 0,
            searching: false,
            way: Vec::new(),
            leaf: Slot::new(shared, Rng::new(0, 0)),
            legal: Vec::new(),
            gumbel: Vec::new(),
            plan: Vec::new(),
            room: Vec::new(),
            texts: Vec::new(),
            choices: 0,
            samples: Vec::new(),
            decisions: 0,
            hopeless: Vec::new(),
            resigned: None,
            plays_on: false,
            told: Vec::new(),
            landed: false,
        };
        flight.begin(shared, settings, number);
        flight
    }

    fn begin(&mut self, shared: &Shared<G>, settings: &Settings, number: u64) {
        self.number = number;
        self.here.rng = Rng::new(settings.seed, number);
        self.plays_on = self.here.rng.unit() < settings.play_on;
        self.texts.clear();
        self.samples.clear();
        self.choices = 0;
        self.decisions = 0;
        self.hopeless = vec![0; shared.players];
        self.resigned = None;
        self.searching = false;
        self.here.state.clone_from(&shared.start);
        self.here.ply = 0;
        self.arrive(shared);
    }

    /// Goes on to the next decision, and notes draws on the way.
    fn arrive(&mut self, shared: &Shared<G>) {
        self.here.arrive(shared, true);
        for _ in 0..DEEPEST {
            if self.here.status != Status::Chance {
                return;
            }
            let mut results = ChanceList::new();
            shared.game.chance_outcomes(&self.here.state, &mut results);
            let Some(result) = results.draw(&mut self.here.rng) else {
                break;
            };
            self.note(shared, result);
            shared.game.play_open(&mut self.here.state, result);
            self.here.arrive(shared, true);
        }
        self.here.status = Status::Over(Some(Outcome::nobody(Reason::Limit)));
    }

    fn note(&mut self, shared: &Shared<G>, mv: G::Move) {
        let mut text = String::new();
        shared.game.write_move_in(&self.here.state, mv, &mut text);
        self.texts.push(text);
    }

    /// Plays on until a position waits for its judgement, or there are no more games.
    fn go_on(&mut self, shared: &Shared<G>, settings: &Settings, begin: &dyn Fn() -> Option<u64>) {
        loop {
            let over = match self.here.status {
                Status::Over(outcome) => Some(outcome),
                _ if self.here.ply >= settings.limit => Some(None),
                _ => None,
            };
            if let Some(outcome) = over {
                self.tell(shared, outcome);
                match begin() {
                    Some(number) => self.begin(shared, settings, number),
                    None => {
                        self.landed = true;
                        return;
                    }
                }
            } else if self.here.moves.len() == 1 {
                self.forced(shared, settings);
            } else if !self.searching {
                self.searching = true;
                self.tree.clear();
                if self.descend(shared, settings) {
                    return;
                }
            } else if self.left == 0 {
                self.decide(shared, settings);
            } else {
                self.left -= 1;
                if self.descend(shared, settings) {
                    return;
                }
            }
        }
    }

    /// Goes one way down the tree; whether a position waits at its end.
    fn descend(&mut self, shared: &Shared<G>, settings: &Settings) -> bool {
        self.leaf.state.clone_from(&self.here.state);
        self.way.clear();
        self.way.push(0);
        while self.way.len() < DEEPEST {
            let at = self.way.last().map_or(0, |at| *at as usize);
            let Some(node) = self.tree.nodes.get(at) else {
                return false;
            };
            let child = match node.kind {
                Kind::New => {
                    if self.open(shared, at) {
                        return true;
                    }
                    continue;
                }
                Kind::End => {
                    let Some(outcome) = self.tree.outcome(node) else {
                        return false;
                    };
                    self.room.clear();
                    let payoffs = (0..shared.players).map(|player| outcome.payoff(player) as f32);
                    self.room.extend(payoffs);
                    self.tree.back_up(&self.way, &self.room);
                    return false;
                }
                Kind::Chance => {
                    let mut results = ChanceList::new();
                    shared.game.chance_outcomes(&self.leaf.state, &mut results);
                    match results.draw_index(&mut self.here.rng) {
                        Some(index) => node.first as usize + index,
                        None => return false,
                    }
                }
                Kind::Choice => self.select(settings, at),
            };
            self.way.push(child as u32);
            if let Some(mv) = self.tree.nodes.get(child).and_then(|node| node.mv) {
                shared.game.play_open(&mut self.leaf.state, mv);
            }
        }
        false
    }

    fn select(&mut self, settings: &Settings, at: usize) -> usize {
        if !settings.gumbel {
            return self.tree.puct(at, at == 0 && settings.noise > 0.0);
        }
        if at > 0 {
            return root::follow(&self.tree, at, settings.scale, &mut self.room);
        }
        let done = self.plan.len() - (self.left as usize + 1).min(self.plan.len());
        let visits = self.plan.get(done).copied().unwrap_or(0);
        let number = root::best(&self.tree, &self.gumbel, settings.scale, visits);
        self.tree
            .nodes
            .first()
            .map_or(0, |root| root.first as usize)
            + number
    }

    /// Finds out what a new node is; whether it is to be judged.
    fn open(&mut self, shared: &Shared<G>, at: usize) -> bool {
        if shared.game.turn(&self.leaf.state) != Turn::Chance {
            self.leaf.arrive(shared, true);
            let Status::Over(outcome) = self.leaf.status else {
                self.legal.clear();
                self.legal
                    .extend(self.leaf.legal(shared).map(|(index, _)| index));
                return true;
            };
            let outcome = outcome.unwrap_or(Outcome::nobody(Reason::Limit));
            self.tree.end(at, outcome);
            return false;
        }
        let mut results = ChanceList::new();
        shared.game.chance_outcomes(&self.leaf.state, &mut results);
        if results.is_empty() {
            self.tree.end(at, Outcome::nobody(Reason::Stuck));
            return false;
        }
        let (first, len) = (self.tree.nodes.len() as u32, results.len() as u32);
        let nodes = results
            .iter()
            .map(|&(mv, _)| Node::new(Some(mv), 1.0, NOBODY));
        self.tree.nodes.extend(nodes);
        if let Some(node) = self.tree.nodes.get_mut(at) {
            (node.kind, node.first, node.len) = (Kind::Chance, first, len);
        }
        false
    }

    /// Takes the judgement of the position that waits.
    fn judged(&mut self, shared: &Shared<G>, settings: &Settings, logits: &[f32], values: &[f32]) {
        let player = match self.leaf.status {
            Status::Choice(player) => player,
            _ => 0,
        };
        payoffs(&mut self.room, shared.players, player.into(), values);
        let at = self.way.last().map_or(0, |at| *at as usize);
        let first = self.tree.nodes.len() as u32;
        let indexes = self.legal.iter();
        let logit = |index: u32| logits.get(index as usize).copied().unwrap_or(f32::MIN);
        let most = indexes.map(|&i| logit(i)).fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for (&mv, &index) in self.leaf.moves.iter().zip(&self.legal) {
            let weight = libm::expf(logit(index) - most);
            sum += weight;
            let node = Node::new(Some(mv), weight, player);
            self.tree.nodes.push(node);
        }
        let (start, len) = (first as usize, self.leaf.moves.len());
        let even = 1.0 / len.max(1) as f32;
        for child in self.tree.nodes.iter_mut().skip(start) {
            child.prior = if sum > 0.0 { child.prior / sum } else { even };
        }
        if let Some(node) = self.tree.nodes.get_mut(at) {
            (node.kind, node.first, node.len) = (Kind::Choice, first, len as u32);
            node.own = self.room.get(usize::from(player)).copied().unwrap_or(0.5);
        }
        self.tree.back_up(&self.way, &self.room);
        if at == 0 {
            self.prepare(settings, settings.simulations);
        }
    }

    /// Gets the root ready for so many simulations.
    fn prepare(&mut self, settings: &Settings, simulations: u32) {
        self.left = simulations;
        let count = self.tree.children(0).len();
        let rng = &mut self.here.rng;
        if settings.gumbel {
            // Moves are drawn by chances to the power of one through the temperature.
            let heat = settings.temperature(self.here.ply);
            self.gumbel.clear();
            self.gumbel
                .extend((0..count).map(|_| heat * root::gumbel(rng)));
            let considered = settings.considered.min(count).min(simulations as usize);
            self.plan = root::halving(considered, simulations as usize);
        } else if settings.noise > 0.0 {
            let alpha = settings.alpha.unwrap_or(10.0 / count.max(1) as f64);
            let noise = dirichlet(alpha.clamp(1e-3, 1e3), count, rng);
            let first = self
                .tree
                .nodes
                .first()
                .map_or(0, |root| root.first as usize);
            let children = self.tree.nodes.iter_mut().skip(first).take(count);
            for (child, noise) in children.zip(noise) {
                child.prior = (1.0 - settings.noise) * child.prior + settings.noise * noise as f32;
            }
        }
    }

    /// Plays the only move.
    fn forced(&mut self, shared: &Shared<G>, settings: &Settings) {
        self.sample(shared, settings, 0, vec![1], None);
        self.searching = false;
        self.play(shared, 0);
    }

    /// Plays what the search found.
    fn decide(&mut self, shared: &Shared<G>, settings: &Settings) {
        let heat = settings.temperature(self.here.ply);
        let children = self.tree.children(0);
        let visits: Vec<u32> = children.iter().map(|child| child.visits).collect();
        let most = visits.iter().copied().max().unwrap_or(0);
        let (chosen, weights) = match settings.gumbel {
            true => {
                let chosen = root::best(&self.tree, &self.gumbel, settings.scale, most);
                root::improved(&self.tree, 0, settings.scale, &mut self.room);
                let units = self
                    .room
                    .iter()
                    .map(|chance| (chance * UNITS).round() as u32);
                (chosen, units.collect())
            }
            false => {
                let chosen = drawn(children, heat, &mut self.here.rng);
                (chosen, visits)
            }
        };
        let value = self.tree.value(0);
        self.sample(shared, settings, chosen, weights, Some(value));
        if self.gives_up(settings, value) {
            return;
        }
        self.play(shared, chosen);
        self.searching = false;
        let first = self
            .tree
            .nodes
            .first()
            .map_or(0, |root| root.first as usize);
        let child = self.tree.nodes.get(first + chosen);
        let known = child.is_some_and(|child| child.kind == Kind::Choice);
        if settings.reuse && !settings.gumbel && known && self.here.moves.len() > 1 {
            self.tree.descend(first + chosen);
            // What a draw led to is another position.
            if self.tree.children(0).len() == self.here.moves.len() {
                self.searching = true;
                let visits = self.tree.nodes.first().map_or(0, |root| root.visits);
                self.prepare(settings, settings.simulations.saturating_sub(visits).max(1));
            }
        }
    }

    /// Resigns where there is no hope; whether the game is over by that.
    fn gives_up(&mut self, settings: &Settings, value: f32) -> bool {
        let Status::Choice(player) = self.here.status else {
            return false;
        };
        let player = usize::from(player);
        let (Some(hope), 2) = (settings.resign, self.hopeless.len()) else {
            return false;
        };
        let Some(count) = self.hopeless.get_mut(player) else {
            return false;
        };
        *count = if value < hope { *count + 1 } else { 0 };
        if *count < settings.patience || self.resigned.is_some() {
            return false;
        }
        self.resigned = Some(player);
        if !self.plays_on {
            self.here.status = Status::Over(Some(Outcome::win(1 - player)));
        }
        !self.plays_on
    }

    fn play(&mut self, shared: &Shared<G>, at: usize) {
        let Some(&mv) = self.here.moves.get(at) else {
            return;
        };
        self.note(shared, mv);
        let mut room = MoveList::new();
        let count = shared
            .game
            .count_moves(&self.here.state, ChoiceSet::All, &mut room);
        self.choices += count.unwrap_or(0) as u64;
        shared.game.play_open(&mut self.here.state, mv);
        self.here.ply += 1;
        self.arrive(shared);
    }

    /// Keeps the position with what the search found.
    fn sample(
        &mut self,
        shared: &Shared<G>,
        settings: &Settings,
        chosen: usize,
        weights: Vec<u32>,
        value: Option<f32>,
    ) {
        self.decisions += 1;
        if !settings.samples {
            return;
        }
        let mut cells = Present::default();
        shared.game.observe(&self.here.state, &mut cells);
        let player = match self.here.status {
            Status::Choice(player) => player,
            _ => 0,
        };
        let moves: Vec<u32> = self.here.legal(shared).map(|(index, _)| index).collect();
        self.samples.push(Sample {
            player,
            played: moves.get(chosen).copied().unwrap_or(0),
            value,
            moves,
            weights,
            cells,
        });
    }

    /// Tells of the game that is over.
    fn tell(&mut self, shared: &Shared<G>, outcome: Option<Outcome>) {
        let mut scores = Vec::new();
        shared.game.scores(&self.here.state, &mut scores);
        let samples = self.samples.drain(..).map(|sample| {
            let cells = sample.cells.entries().iter();
            let cells = cells.flat_map(|&(at, value)| [at as i64, value]);
            json!({
                "player": sample.player,
                "played": sample.played,
                "value": sample.value,
                "moves": sample.moves,
                "weights": sample.weights,
                "cells": cells.collect::<Vec<i64>>(),
            })
        });
        let fault = outcome.and_then(|outcome| match outcome.reason {
            Reason::Fault(_) => Some(outcome.text(shared.game.info())),
            _ => None,
        });
        let site = outcome.and_then(|outcome| match outcome.reason {
            Reason::Fault(fault) => Some(fault.site),
            _ => None,
        });
        let line = json!({
            "index": self.number,
            "moves": std::mem::take(&mut self.texts),
            "plies": self.here.ply,
            "choices": self.choices,
            "decisions": self.decisions,
            "reason": outcome.map(|outcome| outcome.reason.word()),
            "winners": outcome.map(|outcome| bits64(outcome.winners).collect::<Vec<_>>()),
            "payoffs": (0..shared.players)
                .map(|player| outcome.map_or(0.5, |o| o.payoff(player)))
                .collect::<Vec<f64>>(),
            "fault": fault,
            "site": site,
            "scores": scores,
            "resigned": self.resigned,
            "played_on": self.resigned.is_some() && self.plays_on,
            "samples": samples.collect::<Vec<Value>>(),
        });
        self.told.push((self.number, format!("{line}\n")));
    }
}

/// The payoff of every player: as told, or, where only that of the player to move is, with the rest shared by the others.
fn payoffs(out: &mut Vec<f32>, players: usize, player: usize, values: &[f32]) {
    out.clear();
    if values.len() == players {
        out.extend(values.iter().map(|value| value.clamp(0.0, 1.0)));
        return;
    }
    let own = values.first().map_or(0.5, |value| value.clamp(0.0, 1.0));
    out.resize(players, (1.0 - own) / (players.max(2) - 1) as f32);
    if let Some(payoff) = out.get_mut(player) {
        *payoff = own;
    }
}

/// A child by its visits: the most at temperature 0, else drawn by a power of them.
fn drawn<M>(children: &[Node<M>], heat: f32, rng: &mut Rng) -> usize {
    let most = children.iter().map(|child| child.visits).max().unwrap_or(0);
    if heat <= 0.0 || most == 0 {
        let mut best = (0, -1.0);
        for (number, child) in children.iter().enumerate() {
            let mean = child.mean().unwrap_or(0.0);
            if child.visits == most && mean > best.1 {
                best = (number, mean);
            }
        }
        return best.0;
    }
    let weight = |child: &Node<M>| {
        let share = f64::from(child.visits) / f64::from(most);
        libm::pow(share, 1.0 / f64::from(heat))
    };
    let mut rest = rng.unit() * children.iter().map(weight).sum::<f64>();
    let found = children.iter().position(|child| {
        rest -= weight(child);
        rest < 0.0
    });
    found.unwrap_or(0)
}
