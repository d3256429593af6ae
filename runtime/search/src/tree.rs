//! The tree of UCT: nodes in one arena, children of a node side by side.
//!
//! What choosing among siblings reads (their means and how unsure these are) lies apart from the rest, so that a
//! choice is one pass over a few neighbouring words, with one product a child.

use rulec_core::{Outcome, Reason, Rng};

use crate::{
    amaf::Amaf,
    search::{MoveReport, SearchReport, best_first},
    spread::{SPREADS, spread_index},
};

/// What is known of a node.
#[derive(Clone, Copy)]
struct Node {
    /// Payoff of `mover`, summed over the visits.
    sum: f64,
    visits: u32,
    /// Where the children are, once there are any.
    first: u32,
    len: u32,
    /// How many children were visited: the first ones.
    tried: u32,
    /// Index plus one in `Tree::ends` of the proved end, 0 for none.
    proof: u8,
    /// The player whose move leads here, or `DRAW`.
    mover: u8,
    /// Whether some child has a proved end that counts in choosing.
    settled: bool,
    /// Whether the children are results of a draw.
    draw: bool,
    /// Index plus one in `Tree::states`, 0 for none.
    state: u32,
}

/// What choosing needs to know of a child that was visited.
#[derive(Clone, Copy)]
struct Bound {
    /// Mean payoff of its mover.
    mean: f32,
    /// One over the root of its visits.
    unsure: f32,
}

const DRAW: u8 = u8::MAX;
/// The chance of the first player in an even game.
const EVEN: f32 = 0.5;
/// What a move is thought to be worth that nobody has made yet, at whatever time.
const UNSEEN: f32 = 1.0;
const NEW: Bound = Bound {
    mean: 0.0,
    unsure: 0.0,
};

/// How a tree grows and judges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// Weight of the unknown.
    pub(crate) exploration: f64,
    /// Nodes at most.
    pub(crate) capacity: usize,
    /// Whether ends that are certain are carried up.
    pub(crate) solve: bool,
    /// The share of what an evaluation says, if everybody takes what is best by it, in what children are judged by.
    pub(crate) blend: f32,
}

/// A tree.
pub(crate) struct Tree<M, S> {
    nodes: Vec<Node>,
    bounds: Vec<Bound>,
    /// The chance of the first of two players in each node by an evaluation, where that is blended in: nodes without one have that of an even game.
    hopes: Vec<f32>,
    /// The move that leads to each node but the root, which has index 0.
    moves: Vec<M>,
    /// Positions of nodes with children, where they are small enough to be kept.
    states: Vec<S>,
    growth: Growth,
    ends: Vec<Outcome>,
    /// Factors of the unknown at the root, one a child; none for all 1.
    noise: Vec<f32>,
    /// What came of moves that were made later, where that counts.
    amaf: Option<Box<Amaf>>,
}

/// A way from the root of a tree to the node at work.
#[derive(Default)]
pub(crate) struct Way {
    path: Vec<u32>,
    /// Places on the path where a proved child was best, and its end. The way goes on to another child, to learn
    /// something; from there up, the end counts.
    settled: Vec<(usize, Outcome)>,
}

impl Way {
    /// Begins anew at the root.
    pub(crate) fn restart(&mut self) {
        self.path.clear();
        self.path.push(0);
        self.settled.clear();
    }

    #[inline(always)]
    fn at(&self) -> usize {
        self.path.last().map_or(0, |&at| at as usize)
    }
}

impl Node {
    const fn new(mover: u8) -> Self {
        Self {
            sum: 0.0,
            visits: 0,
            first: 0,
            len: 0,
            tried: 0,
            proof: 0,
            mover,
            settled: false,
            draw: false,
            state: 0,
        }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// The payoffs of an end, made ready for many questions.
#[derive(Clone, Copy)]
pub(crate) struct Shares {
    winners: u64,
    winner: f64,
    other: f64,
}

impl Shares {
    #[inline(always)]
    pub(crate) fn of(outcome: Option<Outcome>) -> Self {
        let winners = outcome.map_or(0, |outcome| outcome.winners);
        let reason = outcome.map(|outcome| outcome.reason);
        let winner = if reason == Some(Reason::Draw) {
            0.5
        } else {
            1.0
        };
        let other = match (winners, reason) {
            (0, Some(Reason::Elimination)) => 0.0,
            (0, _) => 0.5,
            _ => 0.0,
        };
        Self {
            winners,
            winner,
            other,
        }
    }

    /// What two players may hope for, by the chance of the first.
    #[inline(always)]
    pub(crate) fn hoped(first: f64) -> Self {
        Self {
            winners: 1,
            winner: first,
            other: 1.0 - first,
        }
    }

    /// The payoff of a mover. For nobody it is of no use, but harmless.
    #[inline(always)]
    fn payoff(&self, mover: u8) -> f64 {
        match self.winners >> (mover & 63) & 1 {
            0 => self.other,
            _ => self.winner,
        }
    }
}

impl<M: Copy + Ord, S: Clone> Tree<M, S> {
    pub(crate) fn new(growth: Growth) -> Self {
        let exploration = match growth.exploration.is_nan() {
            true => 0.0,
            false => growth.exploration.clamp(0.0, 1e6),
        };
        Self {
            nodes: vec![Node::new(DRAW)],
            bounds: vec![NEW],
            hopes: Vec::new(),
            moves: Vec::new(),
            states: Vec::new(),
            growth: Growth {
                exploration,
                capacity: growth.capacity.min(u32::MAX as usize),
                ..growth
            },
            ends: Vec::new(),
            noise: Vec::new(),
            amaf: None,
        }
    }

    /// Judges moves from now on by what came of them when they were made later, too.
    pub(crate) fn judge_by_later_moves(&mut self, amaf: Amaf) {
        self.amaf = Some(Box::new(amaf));
    }

    /// What came of moves that were made later, where that counts.
    #[inline(always)]
    pub(crate) fn amaf(&mut self) -> Option<&mut Amaf> {
        self.amaf.as_deref_mut()
    }

    /// Makes room for so many visits, as far as that is likely to be used: room that is not used costs nothing.
    pub(crate) fn expect(&mut self, visits: u64) {
        const MOST: u64 = 1 << 20;
        let nodes = visits.saturating_mul(4).min(MOST) as usize;
        let nodes = nodes.min(self.growth.capacity);
        self.nodes.reserve(nodes);
        self.bounds.reserve(nodes);
        self.moves.reserve(nodes);
        self.states.reserve(nodes / 8);
    }

    fn end_of(&self, node: &Node) -> Option<Outcome> {
        self.ends
            .get(usize::from(node.proof).wrapping_sub(1))
            .copied()
    }

    /// The number of visits of the root.
    pub(crate) fn visits(&self) -> u64 {
        u64::from(self.nodes[0].visits)
    }

    /// The proved end of the root.
    pub(crate) fn proof(&self) -> Option<Outcome> {
        self.end_of(&self.nodes[0])
    }

    /// The proved end of a node.
    #[inline(always)]
    pub(crate) fn proof_at(&self, at: usize) -> Option<Outcome> {
        let node = &self.nodes[at];
        match node.proof {
            0 => None,
            _ => self.end_of(node),
        }
    }

    /// The position of a node with children, where it was kept.
    #[inline(always)]
    pub(crate) fn state_at(&self, at: usize) -> Option<&S> {
        let index = self.nodes[at].state as usize;
        self.states.get(index.wrapping_sub(1))
    }

    /// Keeps the position of a node.
    #[inline(always)]
    pub(crate) fn keep(&mut self, at: usize, state: S) {
        self.states.push(state);
        self.nodes[at].state = self.states.len() as u32;
    }

    /// Notes the certain end of the node at work and returns it.
    pub(crate) fn prove(&mut self, way: &Way, outcome: Option<Outcome>) -> Option<Outcome> {
        if let Some(proof) = outcome.and_then(|end| self.number_of(end)) {
            self.set_proof(way, way.path.len() - 1, proof);
        }
        outcome
    }

    /// The number that stands for a certain end, as in [`Node::proof`]. A game with more kinds of ends than there are numbers does without
    /// further proofs.
    fn number_of(&mut self, end: Outcome) -> Option<u8> {
        let known = self.ends.iter().position(|o| *o == end);
        let index = known.unwrap_or(self.ends.len());
        let number = u8::try_from(index + 1).ok()?;
        if known.is_none() {
            self.ends.push(end);
        }
        Some(number)
    }

    /// Notes a proof of a node on the way, and with its parent that there is one.
    fn set_proof(&mut self, way: &Way, step: usize, proof: u8) {
        self.nodes[way.path[step] as usize].proof = proof;
        if let Some(parent) = step.checked_sub(1).filter(|_| self.growth.solve) {
            self.nodes[way.path[parent] as usize].settled = true;
        }
    }

    /// Visits of a node and what its mover got by them.
    pub(crate) fn learnt(&self, at: usize) -> (u32, f64) {
        (self.nodes[at].visits, self.nodes[at].sum)
    }

    /// Takes over what others have learnt of a node as well.
    pub(crate) fn take_over(&mut self, at: usize, visits: u32, sum: f64) {
        let node = &mut self.nodes[at];
        if node.visits == visits {
            return;
        }
        (node.visits, node.sum) = (visits, sum);
        self.rate(at);
        if let Some(&hope) = self.hopes.get(at) {
            self.blend_in(at, hope);
        }
    }

    /// Takes over the certain end of a node that others have proved.
    pub(crate) fn take_proof(&mut self, parent: usize, at: usize, end: Outcome) {
        if let Some(proof) = self.number_of(end) {
            self.nodes[at].proof = proof;
            self.nodes[parent].settled |= self.growth.solve && at != 0;
        }
    }

    /// The children of a node that were visited, or may have been: all results of a draw.
    pub(crate) fn tried(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        match node.draw {
            true => node.children(),
            false => node.first as usize..(node.first + node.tried) as usize,
        }
    }

    /// Whether each child of a node was visited, or may have been.
    pub(crate) fn is_tried(&self, at: usize) -> bool {
        self.tried(at).len() == self.nodes[at].len as usize
    }

    /// The move that leads to a node, which is not the root.
    pub(crate) fn move_to(&self, at: usize) -> M {
        self.moves[at - 1]
    }

    /// Whether a node has children.
    #[inline(always)]
    pub(crate) fn is_open(&self, at: usize) -> bool {
        self.nodes[at].len > 0
    }

    /// Whether the children of a node are results of a draw.
    #[inline(always)]
    pub(crate) fn is_draw(&self, at: usize) -> bool {
        self.nodes[at].draw
    }

    /// Whether a node should be judged by a random game before it gets children: it is not the root and new, or the tree
    /// is full.
    #[inline(always)]
    pub(crate) fn is_fresh(&self, at: usize) -> bool {
        at != 0 && (self.nodes[at].visits == 0 || self.nodes.len() >= self.growth.capacity)
    }

    /// Gives a node children: moves with their movers, or with none the results of a draw.
    #[inline(always)]
    pub(crate) fn open(&mut self, at: usize, children: impl Iterator<Item = (M, Option<usize>)>) {
        let first = self.nodes.len();
        for (mv, mover) in children {
            self.moves.push(mv);
            let mover = mover.map_or(DRAW, |mover| (mover & 63) as u8);
            self.nodes.push(Node::new(mover));
        }
        self.bounds.resize(self.nodes.len(), NEW);
        let len = self.nodes.len() - first;
        let draw = self
            .nodes
            .get(first)
            .is_some_and(|child| child.mover == DRAW);
        let node = &mut self.nodes[at];
        node.first = first as u32;
        node.len = len as u32;
        node.draw = draw;
    }

    /// Sets the factors of the unknown at the root.
    pub(crate) fn set_noise(&mut self, noise: Vec<f32>) {
        self.noise = noise;
    }

    /// The number of nodes.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Number of children of the root.
    pub(crate) fn root_children(&self) -> usize {
        self.nodes[0].len as usize
    }

    /// Goes on from a node to a child by its index; the child.
    #[inline(always)]
    pub(crate) fn enter(&mut self, way: &mut Way, at: usize, index: usize) -> usize {
        let child = self.nodes[at].first + index as u32;
        way.path.push(child);
        child as usize
    }

    /// Goes on from a node to the child that is most worth looking at; the child and its move, `None` without children.
    ///
    /// Children that nobody looked at come first, in a random order.
    #[inline(always)]
    pub(crate) fn select(&mut self, way: &mut Way, at: usize, rng: &mut Rng) -> Option<(usize, M)> {
        let node = &self.nodes[at];
        let (first, tried) = (node.first as usize, node.tried as usize);
        let index = if self.amaf.is_some() {
            let from = rng.below(node.len) as usize;
            match self.most_promising(way, at, from)? {
                index if index < first + tried => index,
                untried => self.try_next(at, untried),
            }
        } else if tried < node.len as usize {
            let other = first + tried + rng.below(node.len - node.tried) as usize;
            self.try_next(at, other)
        } else if node.settled || at == 0 && !self.noise.is_empty() {
            self.most_promising(way, at, 0)?
        } else {
            self.highest(at)?
        };
        way.path.push(index as u32);
        Some((index, self.moves[index - 1]))
    }

    /// Puts a child that was not tried behind those that were, and counts it among them; where it is then.
    #[inline(always)]
    fn try_next(&mut self, at: usize, other: usize) -> usize {
        let node = &mut self.nodes[at];
        let (first, tried) = (node.first as usize, node.tried as usize);
        node.tried += 1;
        let next = first + tried;
        // Nodes that nobody visited differ in their movers only.
        let mover = self.nodes[next].mover;
        self.nodes[next].mover = self.nodes[other].mover;
        self.nodes[other].mover = mover;
        self.moves.swap(next - 1, other - 1);
        if at == 0 && !self.noise.is_empty() {
            self.noise.swap(tried, other - first);
        }
        if let Some(amaf) = &mut self.amaf {
            amaf.swap(next, other);
        }
        next
    }

    /// The child with the highest bound, where no child has a proved end.
    #[inline(always)]
    fn highest(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let weight = self.growth.exploration as f32 * SPREADS[spread_index(node.visits)];
        let range = node.children();
        let mut best = range.start;
        let mut best_bound = f32::NEG_INFINITY;
        let begin = range.start;
        for (offset, child) in self.bounds[range].iter().enumerate() {
            let bound = child.mean + weight * child.unsure;
            let better = bound > best_bound;
            best = if better { begin + offset } else { best };
            best_bound = if better { bound } else { best_bound };
        }
        (node.len > 0).then_some(best)
    }

    /// The child that is most worth looking at where more counts than means and visits; of equal ones that which comes first from a
    /// place among them on.
    #[inline(never)]
    fn most_promising(&mut self, way: &mut Way, at: usize, from: usize) -> Option<usize> {
        let parent = &self.nodes[at];
        let weight = self.growth.exploration as f32 * SPREADS[spread_index(parent.visits)];
        let mut open = None;
        let mut open_bound = f64::NEG_INFINITY;
        let mut proved = None;
        let mut proved_payoff = f64::NEG_INFINITY;
        let later = self
            .amaf
            .as_ref()
            .map(|amaf| (amaf, amaf.weight(parent.visits)));
        let (first, len) = (parent.first as usize, parent.len as usize);
        for step in 0..len {
            let index = first + (from + step) % len;
            let child = &self.nodes[index];
            if let Some(end) = self.end_of(child).filter(|_| self.growth.solve) {
                let payoff = end.payoff(usize::from(child.mover));
                if payoff > proved_payoff {
                    proved_payoff = payoff;
                    proved = Some((index, end));
                }
                continue;
            }
            let factor = match at {
                0 => self.noise.get(index - first),
                _ => None,
            };
            let weight = weight * factor.copied().unwrap_or(1.0);
            let Bound { mut mean, unsure } = self.bounds[index];
            if let Some((amaf, share)) = later {
                let seen = amaf.mean(index).unwrap_or(UNSEEN);
                mean = match child.visits {
                    0 => seen,
                    _ => mean + share * (seen - mean),
                };
            }
            let bound = f64::from(mean + weight * unsure);
            if bound > open_bound {
                open_bound = bound;
                open = Some(index);
            }
        }
        let settles = proved.filter(|_| proved_payoff > 0.0 && proved_payoff >= open_bound);
        match (open, settles) {
            (Some(index), Some((_, end))) => {
                way.settled.push((way.path.len() - 1, end));
                Some(index)
            }
            (Some(index), None) => Some(index),
            (None, _) => proved.map(|(index, _)| index),
        }
    }

    #[inline(always)]
    fn credit(&mut self, at: usize, payoff: f64) {
        let node = &mut self.nodes[at];
        node.visits = node.visits.saturating_add(1);
        node.sum += payoff;
        self.rate(at);
    }

    /// Makes ready what choosing needs to know of a node that was visited.
    #[inline(always)]
    fn rate(&mut self, at: usize) {
        let node = &self.nodes[at];
        let inverse = 1.0 / node.visits as f32;
        self.bounds[at] = Bound {
            mean: node.sum as f32 * inverse,
            unsure: inverse.sqrt(),
        };
    }

    /// Carries up what an evaluation says of the node at work, as the chance of the first of two players: everybody takes what is best by it (implicit
    /// minimax: Lanctot and others, 2014). Comes after [`Tree::back_up`].
    pub(crate) fn hope(&mut self, way: &Way, first: f32) {
        self.hopes.resize(self.nodes.len(), EVEN);
        for (step, &at) in way.path.iter().enumerate().rev() {
            let at = at as usize;
            let hope = match step + 1 == way.path.len() {
                true => first,
                false => self.best_hope(at),
            };
            self.hopes[at] = hope;
            self.blend_in(at, hope);
        }
    }

    /// Judges a node by the chance of the first player by an evaluation too.
    fn blend_in(&mut self, at: usize, hope: f32) {
        let node = &self.nodes[at];
        let own = match node.mover {
            0 => hope,
            _ => 1.0 - hope,
        };
        let (mean, blend) = (node.mean() as f32, self.growth.blend);
        self.bounds[at].mean = mean + blend * (own - mean);
    }

    /// The hope of a node by those of its children that were visited.
    fn best_hope(&self, at: usize) -> f32 {
        let node = &self.nodes[at];
        let first = node.first as usize;
        let tried = first..first + node.tried as usize;
        let hopes = self.hopes[tried.clone()].iter().copied();
        match self.nodes.get(first).map(|child| child.mover) {
            _ if tried.is_empty() => self.hopes[at],
            Some(DRAW) | None => hopes.sum::<f32>() / tried.len() as f32,
            Some(0) => hopes.fold(0.0, f32::max),
            Some(_) => hopes.fold(1.0, f32::min),
        }
    }

    /// Credits everybody on the way with what the game was worth, and carries proofs up.
    #[inline(always)]
    pub(crate) fn back_up(&mut self, way: &mut Way, mut shares: Shares) {
        let mut proving = self.growth.solve && self.nodes[way.at()].proof > 0;
        for step in (0..way.path.len()).rev() {
            let at = way.path[step] as usize;
            let mover = self.nodes[at].mover;
            if let Some((_, end)) = way.settled.pop_if(|(place, _)| *place == step) {
                shares = Shares::of(Some(end));
            }
            if proving && self.nodes[at].proof == 0 {
                let proof = self.proof_from_children(at);
                proving = proof > 0;
                if proving {
                    self.set_proof(way, step, proof);
                }
            }
            self.credit(at, shares.payoff(mover));
            if self.amaf.is_some() {
                self.credit_later_moves(at, &shares);
            }
        }
    }

    /// Credits the children of a node on the way for moves that were made from there on, and adds the move that led to the node to these.
    fn credit_later_moves(&mut self, at: usize, shares: &Shares) {
        let Some(amaf) = &mut self.amaf else { return };
        let node = &self.nodes[at];
        if !node.draw {
            for child in node.children() {
                let mover = self.nodes[child].mover;
                amaf.credit(usize::from(mover & 63), child, shares.payoff(mover));
            }
        }
        if at > 0 && node.mover != DRAW {
            amaf.led(usize::from(node.mover), at);
        }
    }

    /// The proof that the children of a decision give it: a certain win for the mover, or the best of ends
    /// that are all certain, provided that it is one end. 0 where they give none.
    #[cold]
    fn proof_from_children(&self, at: usize) -> u8 {
        let mut best: Option<(u8, f64)> = None;
        let mut open = false;
        let mut tie = false;
        for child in &self.nodes[self.nodes[at].children()] {
            let Some(end) = self.end_of(child).filter(|_| child.mover != DRAW) else {
                open = true;
                continue;
            };
            let payoff = end.payoff(usize::from(child.mover));
            match best {
                Some((_, value)) if value > payoff => {}
                Some((proof, value)) if value == payoff => {
                    tie |= self.ends[usize::from(proof) - 1].winners != end.winners;
                }
                _ => {
                    tie = false;
                    best = Some((child.proof, payoff));
                }
            }
        }
        match best {
            Some((proof, value)) if value >= 1.0 || !open && !tie => proof,
            _ => 0,
        }
    }

    /// What the tree says of the moves at the root, the best one first, and the line of best moves.
    pub(crate) fn report(&self, code: &dyn Fn(M) -> u64) -> SearchReport {
        let mut report = SearchReport {
            moves: self.judged(0, code).into_iter().map(|(m, _)| m).collect(),
            nodes: self.nodes.len(),
            proof: self.proof(),
            ..SearchReport::default()
        };
        best_first(&mut report.moves);
        let mut at = 0;
        while let Some((best, index)) = self.best_child(at, code) {
            report.line.push(best);
            at = index;
        }
        report
    }

    /// What the tree says of the moves that were tried at a decision; nothing where none is due.
    fn judged(&self, at: usize, code: &dyn Fn(M) -> u64) -> Vec<(MoveReport, usize)> {
        let children = self.nodes[at].children();
        let decided = children.filter(|&c| self.nodes[c].mover != DRAW);
        let judge = |index: usize| {
            let child = &self.nodes[index];
            let proof = self.end_of(child);
            let report = MoveReport {
                code: code(self.moves[index - 1]),
                visits: u64::from(child.visits),
                value: proof.map_or(child.mean(), |end| end.payoff(usize::from(child.mover))),
                proof,
            };
            (report, index)
        };
        decided.map(judge).collect()
    }

    fn best_child(&self, at: usize, code: &dyn Fn(M) -> u64) -> Option<(u64, usize)> {
        let mut judged = self.judged(at, code);
        judged.retain(|(m, _)| m.visits > 0);
        let mut moves: Vec<MoveReport> = judged.iter().map(|(m, _)| *m).collect();
        best_first(&mut moves);
        let best = moves.first()?.code;
        judged
            .iter()
            .find(|(m, _)| m.code == best)
            .map(|(_, index)| (best, *index))
    }

    /// The visited children of a node: the move and the node.
    pub(crate) fn visited(&self, at: usize) -> impl Iterator<Item = (M, usize)> + '_ {
        let children = self.nodes[at].children();
        children
            .filter(|&c| self.nodes[c].visits > 0)
            .map(|c| (self.moves[c - 1], c))
    }

    /// Takes over the position of a node that was copied from another tree.
    fn keep_copy(&mut self, other: &Self, at: usize) {
        let index = self.nodes[at].state as usize;
        self.nodes[at].state = 0;
        if let Some(state) = other.states.get(index.wrapping_sub(1)) {
            self.keep(at, state.clone());
        }
    }

    /// The part of the tree below a node as a tree of its own.
    pub(crate) fn subtree(&self, root: usize) -> Self {
        let mut tree = Self::new(self.growth);
        tree.ends.clone_from(&self.ends);
        tree.amaf = self.amaf.as_ref().map(|amaf| Box::new(amaf.emptied()));
        let (mover, old) = (DRAW, self.nodes[root]);
        tree.nodes[0] = Node { mover, ..old };
        tree.keep_copy(self, 0);
        let mut queue = std::collections::VecDeque::from([(0, root)]);
        while let Some((new, old)) = queue.pop_front() {
            let children = self.nodes[old].children();
            tree.nodes[new].first = tree.nodes.len() as u32;
            for child in children {
                queue.push_back((tree.nodes.len(), child));
                tree.nodes.push(self.nodes[child]);
                tree.keep_copy(self, tree.nodes.len() - 1);
                tree.bounds.push(self.bounds[child]);
                if let Some(hope) = self.hopes.get(child) {
                    tree.hopes.resize(tree.nodes.len() - 1, EVEN);
                    tree.hopes.push(*hope);
                }
                tree.moves.push(self.moves[child - 1]);
                if let (Some(new), Some(old)) = (&mut tree.amaf, &self.amaf) {
                    new.copy(old, child);
                }
            }
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_evaluation_says_goes_up_to_who_takes_the_best() {
        let growth = Growth {
            exploration: 1.0,
            capacity: 100,
            solve: false,
            blend: 0.5,
        };
        let mut tree: Tree<u32, ()> = Tree::new(growth);
        let mut way = Way::default();
        // The first player moves at the root, the second one at its first child.
        tree.open(0, [(1, Some(0)), (2, Some(0))].into_iter());
        tree.open(1, [(3, Some(1)), (4, Some(1))].into_iter());
        let mut visit = |path: &[u32], first: f32| {
            way.restart();
            for (at, child) in [0].iter().chain(path).zip(path) {
                tree.nodes[*at as usize].tried = tree.nodes[*at as usize]
                    .tried
                    .max(child - tree.nodes[*at as usize].first + 1);
                way.path.push(*child);
            }
            tree.back_up(&mut way, Shares::hoped(0.5));
            tree.hope(&way, first);
            let bounds = [1, 2, 3, 4].map(|at| tree.bounds[at].mean);
            (tree.hopes[1], bounds)
        };
        assert_eq!(visit(&[1], 0.75), (0.75, [0.625, 0.0, 0.0, 0.0]));
        assert_eq!(visit(&[1, 3], 1.0), (1.0, [0.75, 0.0, 0.25, 0.0]));
        // The second player has a better answer, and that is what counts.
        assert_eq!(visit(&[1, 4], 0.25), (0.25, [0.375, 0.0, 0.25, 0.625]));
    }
}
