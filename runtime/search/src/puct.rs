//! PUCT: a tree that is guided by an evaluator of positions (Silver and others, 2017, for any number of players).
//!
//! An evaluator says which moves look good and how well off everybody is. Leaves are gathered and judged several at once;
//! a way that waits for its judgement counts as lost, so that the next one goes elsewhere.

use rulec_core::{ChoiceSet, Outcome, Reason, Rng, Turn};

use crate::{
    AnyState, Progress, State,
    noise::dirichlet,
    playout::{PlayoutJob, Tally},
    search::{Judge, MoveReport, Pace, SearchReport, SearchSettings, best_first},
};

/// A position that an evaluator judges.
pub struct Leaf<'g> {
    /// The position; somebody decides there.
    pub state: State<'g>,
    /// Its moves, one of each class of equal ones.
    pub moves: Vec<u64>,
    /// To be filled in: how good each move looks, from 0 on; what sums to something else than 1 is scaled. All 1 at first.
    pub policy: Vec<f32>,
    /// To be filled in: the payoff that each player can expect, from 0 to 1. All 0.5 at first.
    pub payoffs: Vec<f64>,
}

/// Judges positions, for example with a neural network.
pub trait Evaluator: Send + Sync {
    /// Judges several positions at once. All that is random comes from `rng`.
    fn evaluate(&self, leaves: &mut [Leaf<'_>], rng: &mut Rng);
}

/// All moves are alike and everybody is as well off: PUCT with it only counts ends.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Evaluator for Uniform {
    fn evaluate(&self, _: &mut [Leaf<'_>], _: &mut Rng) {}
}

/// All moves are alike, and random games tell how well off players are.
#[derive(Clone, Copy, Debug)]
pub struct Rollout {
    /// Games for each position.
    pub games: u32,
    /// Plies after which a game is stopped.
    pub limit: u32,
}

impl Evaluator for Rollout {
    fn evaluate(&self, leaves: &mut [Leaf<'_>], rng: &mut Rng) {
        for leaf in leaves {
            let job = PlayoutJob {
                seed: rng.u64(),
                limit: self.limit,
                choices: ChoiceSet::Distinct,
            };
            let mut tally = Tally::default();
            let games = u64::from(self.games.max(1));
            leaf.state.playouts(&job, 0..games, &mut tally);
            for (player, payoff) in leaf.payoffs.iter_mut().enumerate() {
                *payoff = tally.results.mean_payoff(player);
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Not judged yet.
    New,
    /// Waits for its judgement.
    Waiting,
    Choice,
    Chance,
    End(Outcome),
}

struct Node {
    code: u64,
    prior: f32,
    /// The player whose move leads here; nobody's for results of draws and for the root.
    mover: Option<u8>,
    visits: u32,
    sum: f64,
    first: u32,
    len: u32,
    kind: Kind,
}

impl Node {
    fn new(code: u64, prior: f32, mover: Option<usize>) -> Self {
        Self {
            code,
            prior,
            mover: mover.map(|mover| (mover & 63) as u8),
            visits: 0,
            sum: 0.0,
            first: 0,
            len: 0,
            kind: Kind::New,
        }
    }
}

struct Search<'g, 'e> {
    nodes: Vec<Node>,
    exploration: f64,
    capacity: usize,
    evaluator: &'e dyn Evaluator,
    players: usize,
    rng: Rng,
    /// Ways to the leaves that wait, and these.
    waiting: Vec<(Vec<u32>, Leaf<'g>)>,
}

/// Searches with the evaluator that the settings name.
pub fn puct<'g>(
    start: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    match settings.judge {
        Judge::Uniform => puct_with(start, settings, &Uniform, progress),
        Judge::Rollout(games) => {
            let limit = settings.limit;
            puct_with(start, settings, &Rollout { games, limit }, progress)
        }
        // Whether it fits was asked before (`Bot::ready`).
        Judge::Network(network) => match network.evaluator(start.info()) {
            Ok(evaluator) => puct_with(start, settings, evaluator, progress),
            Err(_) => SearchReport::default(),
        },
    }
}

/// Searches with an evaluator. [`SearchSettings::games`] bounds the visits of the root.
///
/// `progress` is told the number of visits; it stops the search by returning false.
pub fn puct_with<'g>(
    start: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    evaluator: &dyn Evaluator,
    progress: Progress<'_>,
) -> SearchReport {
    let mut pace = Pace::new(settings, 800, progress);
    let mut search = Search {
        nodes: vec![Node::new(0, 1.0, None)],
        exploration: settings.exploration.max(0.0),
        capacity: settings.nodes.min(u32::MAX as usize),
        evaluator,
        players: start.info().players.len().max(1),
        rng: Rng::new(settings.seed, settings.stream),
        waiting: Vec::new(),
    };
    search.visit(start);
    search.judge();
    search.add_noise(settings);
    let batch = settings.batch.clamp(1, 4096) as usize;
    while pace.go_on() {
        let again = !search.visit(start);
        if again || search.waiting.len() >= batch {
            search.judge();
        }
    }
    search.judge();
    search.report(pace.done)
}

impl<'g> Search<'g, '_> {
    /// Goes one way down the tree; false if it met a leaf that waits already.
    fn visit(&mut self, start: &(dyn AnyState<'g> + 'g)) -> bool {
        let mut state = start.fork();
        let mut way = vec![0u32];
        loop {
            let at = way[way.len() - 1] as usize;
            match self.nodes[at].kind {
                Kind::End(outcome) => {
                    self.back_up(&way, 1, |player| outcome.payoff(player));
                    return true;
                }
                Kind::Waiting => {
                    // Counted as a visit without news: the mean stays as it is.
                    self.back_up(&way, 1, |_| 0.5);
                    return false;
                }
                Kind::New => match self.open(at, &state) {
                    Some(leaf) => {
                        self.back_up(&way, 1, |_| 0.0);
                        self.waiting.push((way, leaf));
                        return true;
                    }
                    None => continue,
                },
                Kind::Chance => {
                    let Some(index) = state.results().draw_index(&mut self.rng) else {
                        return true;
                    };
                    way.push(self.nodes[at].first + index as u32);
                }
                Kind::Choice => way.push(self.select(at)),
            }
            let next = way[way.len() - 1] as usize;
            state.play(self.nodes[next].code, None);
        }
    }

    /// Finds out what a new node is; a leaf if it needs a judgement.
    fn open(&mut self, at: usize, state: &State<'g>) -> Option<Leaf<'g>> {
        let stuck = Outcome::nobody(Reason::Stuck);
        let mut moves = Vec::new();
        let kind = match state.turn() {
            Turn::Over => Kind::End(state.outcome().unwrap_or(stuck)),
            Turn::Chance => {
                let results = state.results();
                self.nodes[at].first = self.nodes.len() as u32;
                self.nodes[at].len = results.len() as u32;
                for &(code, _) in &results {
                    self.nodes.push(Node::new(code, 1.0, None));
                }
                match results.is_empty() {
                    true => Kind::End(stuck),
                    false => Kind::Chance,
                }
            }
            Turn::Decide(_) => match state.moves(ChoiceSet::Distinct, &mut moves) {
                Err(fault) => Kind::End(Outcome::fault(fault)),
                Ok(()) if moves.is_empty() => Kind::End(stuck),
                Ok(()) => Kind::Waiting,
            },
        };
        self.nodes[at].kind = kind;
        (kind == Kind::Waiting).then(|| Leaf {
            state: state.fork(),
            policy: vec![1.0; moves.len()],
            payoffs: vec![0.5; self.players],
            moves,
        })
    }

    /// The child that is most worth a visit.
    fn select(&self, at: usize) -> u32 {
        let node = &self.nodes[at];
        let children = node.first..node.first + node.len;
        let weight = self.exploration * f64::from(node.visits.max(1)).sqrt();
        let visited = children.clone().map(|c| &self.nodes[c as usize]);
        let (sum, visits) = visited.fold((0.0, 0), |(sum, n), c| (sum + c.sum, n + c.visits));
        let usual = match visits {
            0 => 0.5,
            n => sum / f64::from(n),
        };
        let bound = |child: u32| {
            let child = &self.nodes[child as usize];
            let mean = match child.visits {
                0 => usual,
                n => child.sum / f64::from(n),
            };
            mean + weight * f64::from(child.prior) / f64::from(child.visits + 1)
        };
        let better = |best: (u32, f64), child: u32| match bound(child) {
            value if value > best.1 => (child, value),
            _ => best,
        };
        children.fold((node.first, f64::NEG_INFINITY), better).0
    }

    fn back_up(&mut self, way: &[u32], visits: u32, payoff: impl Fn(usize) -> f64) {
        for &at in way {
            let node = &mut self.nodes[at as usize];
            node.visits = node.visits.saturating_add(visits);
            node.sum += node.mover.map_or(0.0, |mover| payoff(usize::from(mover)));
        }
    }

    /// Lets the evaluator judge all leaves that wait.
    fn judge(&mut self) {
        let (ways, mut leaves): (Vec<_>, Vec<_>) = self.waiting.drain(..).unzip();
        if leaves.is_empty() {
            return;
        }
        self.evaluator.evaluate(&mut leaves, &mut self.rng);
        for (way, leaf) in ways.into_iter().zip(leaves) {
            let at = way[way.len() - 1] as usize;
            let payoffs = leaf.payoffs.clone();
            // The visit was counted when the leaf began to wait.
            self.back_up(&way, 0, |player| {
                payoffs.get(player).copied().unwrap_or(0.5)
            });
            self.grow(at, &leaf);
        }
    }

    /// Gives a judged leaf its children.
    fn grow(&mut self, at: usize, leaf: &Leaf<'_>) {
        if at > 0 && self.nodes.len() + leaf.moves.len() > self.capacity {
            // A full tree judges its leaves again and again.
            self.nodes[at].kind = Kind::New;
            return;
        }
        let sane = |p: f32| if p.is_finite() { p.max(0.0) } else { 0.0 };
        let policy = (0..leaf.moves.len()).map(|i| leaf.policy.get(i).map_or(0.0, |p| sane(*p)));
        let policy: Vec<f32> = policy.collect();
        let sum: f32 = policy.iter().sum();
        let even = 1.0 / leaf.moves.len().max(1) as f32;
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].len = leaf.moves.len() as u32;
        self.nodes[at].kind = Kind::Choice;
        for (&code, p) in leaf.moves.iter().zip(policy) {
            let prior = if sum > 0.0 { p / sum } else { even };
            let mover = leaf.state.mover(code);
            self.nodes.push(Node::new(code, prior, Some(mover)));
        }
    }

    fn add_noise(&mut self, settings: &SearchSettings) {
        let share = settings.noise.clamp(0.0, 1.0) as f32;
        if share <= 0.0 || self.nodes[0].kind != Kind::Choice {
            return;
        }
        let (first, len) = (self.nodes[0].first as usize, self.nodes[0].len as usize);
        let noise = dirichlet(settings.alpha.clamp(1e-3, 1e3), len, &mut self.rng);
        for (child, noise) in self.nodes[first..first + len].iter_mut().zip(noise) {
            child.prior = (1.0 - share) * child.prior + share * noise as f32;
        }
    }

    fn judged(&self, at: usize) -> Vec<(MoveReport, usize)> {
        let node = &self.nodes[at];
        let children = node.first as usize..(node.first + node.len) as usize;
        let report = |index: usize| {
            let child = &self.nodes[index];
            let report = MoveReport {
                code: child.code,
                visits: u64::from(child.visits),
                value: child.sum / f64::from(child.visits.max(1)),
                proof: None,
            };
            (report, index)
        };
        match node.kind {
            Kind::Choice => children.map(report).collect(),
            _ => Vec::new(),
        }
    }

    fn report(&self, games: u64) -> SearchReport {
        let mut report = SearchReport {
            moves: self.judged(0).into_iter().map(|(m, _)| m).collect(),
            games,
            nodes: self.nodes.len(),
            ..SearchReport::default()
        };
        best_first(&mut report.moves);
        let mut at = 0;
        loop {
            let judged = self.judged(at).into_iter().filter(|(m, _)| m.visits > 0);
            let best = judged.max_by(|(a, _), (b, _)| {
                let by_visits = a.visits.cmp(&b.visits);
                by_visits
                    .then(a.value.total_cmp(&b.value))
                    .then(b.code.cmp(&a.code))
            });
            let Some((best, index)) = best else { break };
            report.line.push(best.code);
            at = index;
        }
        report
    }
}
