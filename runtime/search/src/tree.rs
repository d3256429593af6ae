//! The tree of UCT, the same for every game: moves are codes, ends are outcomes.

use rulec_core::{Outcome, Rng};

use crate::search::{MoveReport, SearchReport};

struct Node {
    /// The move that leads here.
    code: u64,
    /// Payoff of `mover`, summed over the visits.
    sum: f64,
    visits: u32,
    /// Where the children are, once there are any.
    first: u32,
    len: u32,
    /// How many children were visited, in their order.
    tried: u16,
    /// Index plus one in `Tree::ends` of the proved end, 0 for none.
    proof: u8,
    /// The player whose move leads here, or `DRAW`.
    mover: u8,
}

const DRAW: u8 = u8::MAX;

/// A tree and the way from its root to the node at work.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    capacity: usize,
    exploration: f64,
    path: Vec<u32>,
    /// Places on the path where a proved child was best, and its end. The way goes on to another child, to learn
    /// something; from there up, the end counts.
    settled: Vec<(usize, Outcome)>,
    ends: Vec<Outcome>,
    /// Children of the node at work before it is opened.
    children: Vec<Node>,
}

impl Node {
    fn new(code: u64, mover: u8) -> Self {
        Self {
            code,
            sum: 0.0,
            visits: 0,
            first: 0,
            len: 0,
            tried: 0,
            proof: 0,
            mover,
        }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

impl Tree {
    pub(crate) fn new(exploration: f64, capacity: usize) -> Self {
        Self {
            nodes: vec![Node::new(0, DRAW)],
            capacity: capacity.min(u32::MAX as usize),
            exploration: if exploration.is_nan() {
                0.0
            } else {
                exploration.clamp(0.0, 1e6)
            },
            path: vec![0],
            settled: Vec::new(),
            ends: Vec::new(),
            children: Vec::new(),
        }
    }

    fn here(&self) -> &Node {
        &self.nodes[self.at()]
    }

    fn at(&self) -> usize {
        self.path.last().map_or(0, |&at| at as usize)
    }

    fn end_of(&self, node: &Node) -> Option<Outcome> {
        self.ends
            .get(usize::from(node.proof).wrapping_sub(1))
            .copied()
    }

    /// Begins a new way at the root.
    pub(crate) fn restart(&mut self) {
        self.path.clear();
        self.path.push(0);
        self.settled.clear();
    }

    /// The proved end of the root.
    pub(crate) fn proof(&self) -> Option<Outcome> {
        self.end_of(&self.nodes[0])
    }

    /// The proved end of the node at work.
    pub(crate) fn proof_here(&self) -> Option<Outcome> {
        self.end_of(self.here())
    }

    /// Notes the certain end of the node at work and returns it.
    pub(crate) fn prove(&mut self, outcome: Option<Outcome>) -> Option<Outcome> {
        let at = self.at();
        let known = self.ends.iter().position(|o| Some(*o) == outcome);
        let index = known.unwrap_or(self.ends.len());
        // A game with more kinds of ends than fit does without further proofs.
        if let (Ok(proof), Some(outcome)) = (u8::try_from(index + 1), outcome) {
            if known.is_none() {
                self.ends.push(outcome);
            }
            self.nodes[at].proof = proof;
        }
        outcome
    }

    /// Whether the node at work has children.
    pub(crate) fn is_open(&self) -> bool {
        self.here().len > 0
    }

    /// Whether the node at work should be judged by a random game before it gets children: it is not the
    /// root and new, or the tree is full.
    pub(crate) fn is_fresh(&self) -> bool {
        let full = self.nodes.len() >= self.capacity;
        self.path.len() > 1 && (full || self.here().visits == 0)
    }

    /// Announces a child of the node at work.
    pub(crate) fn child(&mut self, code: u64, mover: usize) {
        self.children.push(Node::new(code, (mover & 63) as u8));
    }

    /// Announces a result of the draw at work.
    pub(crate) fn result(&mut self, code: u64) {
        self.children.push(Node::new(code, DRAW));
    }

    /// Gives the node at work the announced children, in a random order in which they are first tried.
    pub(crate) fn open(&mut self, rng: &mut Rng) {
        for last in (1..self.children.len()).rev() {
            let other = rng.below64(last as u64 + 1) as usize;
            self.children.swap(last, other);
        }
        self.open_draw();
    }

    /// Gives the node at work the announced children in their order.
    pub(crate) fn open_draw(&mut self) {
        let at = self.at();
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].len = self.children.len() as u32;
        self.nodes.append(&mut self.children);
    }

    /// Goes on to a child by its index.
    pub(crate) fn enter(&mut self, index: usize) {
        let children = self.here().children();
        self.path.push((children.start + index) as u32);
    }

    /// Goes on to the child that is most worth looking at and returns its move; `None` without children.
    pub(crate) fn select(&mut self) -> Option<u64> {
        let at = self.at();
        let node = &self.nodes[at];
        let tried = usize::from(node.tried);
        let index = if tried < (node.len as usize).min(usize::from(u16::MAX)) {
            self.nodes[at].tried += 1;
            self.nodes[at].first as usize + tried
        } else {
            self.most_promising(at)?
        };
        self.path.push(index as u32);
        Some(self.nodes[index].code)
    }

    fn most_promising(&mut self, at: usize) -> Option<usize> {
        let log = libm::log(f64::from(self.nodes[at].visits.max(1)));
        let mut open = None;
        let mut open_bound = f64::NEG_INFINITY;
        let mut proved = None;
        let mut proved_payoff = f64::NEG_INFINITY;
        for index in self.nodes[at].children() {
            let child = &self.nodes[index];
            if let Some(end) = self.end_of(child) {
                let payoff = end.payoff(usize::from(child.mover));
                if payoff > proved_payoff {
                    proved_payoff = payoff;
                    proved = Some((index, end));
                }
                continue;
            }
            let bound = match child.visits {
                0 => f64::INFINITY,
                n => child.mean() + self.exploration * (log / f64::from(n)).sqrt(),
            };
            if bound > open_bound {
                open_bound = bound;
                open = Some(index);
            }
        }
        let settles = proved.filter(|_| proved_payoff > 0.0 && proved_payoff >= open_bound);
        match (open, settles) {
            (Some(index), Some((_, end))) => {
                self.settled.push((self.path.len() - 1, end));
                Some(index)
            }
            (Some(index), None) => Some(index),
            (None, _) => proved.map(|(index, _)| index),
        }
    }

    /// Credits everybody on the way with the payoff of the end, and carries proofs up.
    pub(crate) fn back_up(&mut self, mut outcome: Option<Outcome>) {
        let mut proving = self.here().proof > 0;
        for step in (0..self.path.len()).rev() {
            let at = self.path[step] as usize;
            let mover = self.nodes[at].mover;
            if let Some((_, end)) = self.settled.pop_if(|(place, _)| *place == step) {
                outcome = Some(end);
            }
            if proving && self.nodes[at].proof == 0 {
                self.nodes[at].proof = self.proof_from_children(at);
                proving = self.nodes[at].proof > 0;
            }
            let node = &mut self.nodes[at];
            node.visits = node.visits.saturating_add(1);
            if mover != DRAW {
                node.sum += outcome.map_or(0.5, |o| o.payoff(usize::from(mover)));
            }
        }
    }

    /// The proof that the children of a decision give it: a certain win for the mover, or the best of ends
    /// that are all certain, provided that it is one end. 0 where they give none.
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
    pub(crate) fn report(&self) -> SearchReport {
        let mut report = SearchReport {
            moves: self.judged(&self.nodes[0]),
            line: Vec::new(),
            games: 0,
            nodes: self.nodes.len(),
            proof: self.proof(),
        };
        best_first(&mut report.moves);
        let mut node = &self.nodes[0];
        while let Some(best) = self.best_child(node) {
            report.line.push(best.code);
            node = best;
        }
        report
    }

    /// What the tree says of the moves that were tried at a decision; nothing where none is due.
    fn judged(&self, node: &Node) -> Vec<MoveReport> {
        let decided = self.nodes[node.children()]
            .iter()
            .filter(|c| c.mover != DRAW);
        let judge = |child: &Node| {
            let proof = self.end_of(child);
            MoveReport {
                code: child.code,
                visits: u64::from(child.visits),
                value: proof.map_or(child.mean(), |end| end.payoff(usize::from(child.mover))),
                proof,
            }
        };
        decided.map(judge).collect()
    }

    fn best_child(&self, node: &Node) -> Option<&Node> {
        let mut moves = self.judged(node);
        moves.retain(|m| m.visits > 0);
        best_first(&mut moves);
        let best = moves.first()?.code;
        self.nodes[node.children()]
            .iter()
            .find(|child| child.code == best)
    }
}

/// Sorts by visits, and then puts the best move first: the most visited one, unless a proved end is at least as
/// good. Proved losses come last.
fn best_first(moves: &mut [MoveReport]) {
    let lost = |m: &MoveReport| m.proof.is_some() && m.value <= 0.0;
    moves.sort_by(|a, b| {
        let by_visits = lost(a).cmp(&lost(b)).then(b.visits.cmp(&a.visits));
        by_visits
            .then(b.value.total_cmp(&a.value))
            .then(a.code.cmp(&b.code))
    });
    let open = moves
        .iter()
        .find(|m| m.proof.is_none())
        .map_or(0.0, |m| m.value);
    let proved = (0..moves.len()).filter(|&i| moves[i].proof.is_some() && moves[i].value >= open);
    let best = proved.max_by(|&i, &j| moves[i].value.total_cmp(&moves[j].value).then(j.cmp(&i)));
    if let Some(best) = best.filter(|&i| !lost(&moves[i])) {
        moves[..=best].rotate_right(1);
    }
}
