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

    /// Positions that it judges at once; 1 if it gains nothing by more.
    fn batch(&self) -> usize {
        1
    }

    /// Whether another process does the work, whose time that of a thread does not tell.
    fn is_elsewhere(&self) -> bool {
        false
    }
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

/// A search that stops wherever positions have to be judged, so that those of many searches can be judged together.
pub(crate) struct Inquiry<'g> {
    start: State<'g>,
    nodes: Vec<Node>,
    exploration: f64,
    capacity: usize,
    players: usize,
    rng: Rng,
    /// Leaves that are judged at once, as a rule.
    batch: usize,
    /// Share of noise at the root, and how even it is.
    noise: (f32, f64),
    stage: Stage,
    /// Visits of the root after the first one.
    visits: u64,
    /// Ways to the leaves that wait, and these.
    waiting: Vec<(Vec<u32>, Leaf<'g>)>,
    /// Ways to the leaves that are being judged.
    asked: Vec<Vec<u32>>,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    New,
    /// The root is judged.
    Rooted,
    Searching,
    Done,
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
        Judge::Network(network) => {
            match network.evaluator(start.info(), usize::from(settings.batch)) {
                Ok(evaluator) => puct_with(start, settings, evaluator, progress),
                Err(_) => SearchReport::default(),
            }
        }
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
    let mut pace = Pace::new(settings, DEFAULT_VISITS, progress);
    let mut inquiry = Inquiry::new(start.fork(), settings);
    loop {
        let mut leaves = inquiry.ask(&mut || pace.go_on());
        if leaves.is_empty() {
            return inquiry.report();
        }
        evaluator.evaluate(&mut leaves, &mut inquiry.rng);
        inquiry.answer(leaves);
    }
}

/// Visits of a search that nothing bounds.
pub(crate) const DEFAULT_VISITS: u64 = 800;

impl<'g> Inquiry<'g> {
    /// A search of a position, of which nothing is known yet.
    pub(crate) fn new(start: State<'g>, settings: &SearchSettings) -> Self {
        Self {
            nodes: vec![Node::new(0, 1.0, None)],
            exploration: settings.exploration.max(0.0),
            capacity: settings.nodes.min(u32::MAX as usize),
            players: start.info().players.len().max(1),
            rng: Rng::new(settings.seed, settings.stream),
            batch: settings.batch.clamp(1, 4096).into(),
            noise: (
                settings.noise.clamp(0.0, 1.0) as f32,
                settings.alpha.clamp(1e-3, 1e3),
            ),
            stage: Stage::New,
            visits: 0,
            waiting: Vec::new(),
            asked: Vec::new(),
            start,
        }
    }

    /// Searches on until leaves have to be judged, and hands them over; none once it is done, which is when `more`, asked before
    /// each visit, says no.
    pub(crate) fn ask(&mut self, more: &mut dyn FnMut() -> bool) -> Vec<Leaf<'g>> {
        if self.stage == Stage::New {
            self.stage = Stage::Rooted;
            self.visit();
        } else if self.stage == Stage::Rooted {
            self.stage = Stage::Searching;
            self.add_noise();
        }
        let mut full = self.stage == Stage::Rooted && !self.waiting.is_empty();
        while !full && self.stage != Stage::Done {
            if !more() {
                self.stage = Stage::Done;
                break;
            }
            self.visits += 1;
            let again = !self.visit();
            full = again && !self.waiting.is_empty() || self.waiting.len() >= self.batch;
        }
        let (ways, leaves) = self.waiting.drain(..).unzip();
        self.asked = ways;
        leaves
    }

    /// As [`Inquiry::ask`], up to so many visits of the root; at least one.
    #[cfg(feature = "programs")]
    pub(crate) fn ask_within(&mut self, visits: u64) -> Vec<Leaf<'g>> {
        let mut left = visits.max(1) - self.visits.min(visits.max(1));
        self.ask(&mut || {
            let more = left > 0;
            left = left.saturating_sub(1);
            more
        })
    }

    /// Takes back the leaves of the last question, judged.
    pub(crate) fn answer(&mut self, leaves: Vec<Leaf<'g>>) {
        for (way, leaf) in std::mem::take(&mut self.asked).into_iter().zip(leaves) {
            let at = way[way.len() - 1] as usize;
            // The visit was counted when the leaf began to wait.
            self.back_up(&way, 0, |player| {
                leaf.payoffs.get(player).copied().unwrap_or(0.5)
            });
            self.grow(at, &leaf);
        }
    }

    /// Goes one way down the tree; false if it met a leaf that waits already.
    fn visit(&mut self) -> bool {
        let mut state = self.start.fork();
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
                    Some(moves) => {
                        self.back_up(&way, 1, |_| 0.0);
                        let leaf = Leaf {
                            state,
                            policy: vec![1.0; moves.len()],
                            payoffs: vec![0.5; self.players],
                            moves,
                        };
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

    /// Finds out what a new node is; its moves if it needs a judgement.
    fn open(&mut self, at: usize, state: &State<'g>) -> Option<Vec<u64>> {
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
        (kind == Kind::Waiting).then_some(moves)
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

    fn add_noise(&mut self) {
        let (share, alpha) = self.noise;
        if share <= 0.0 || self.nodes[0].kind != Kind::Choice {
            return;
        }
        let (first, len) = (self.nodes[0].first as usize, self.nodes[0].len as usize);
        let noise = dirichlet(alpha, len, &mut self.rng);
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

    /// What was found so far.
    pub(crate) fn report(&self) -> SearchReport {
        let mut report = SearchReport {
            moves: self.judged(0).into_iter().map(|(m, _)| m).collect(),
            games: self.visits,
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
