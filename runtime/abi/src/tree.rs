//! The tree of a search that a network guides, with the means that all ways of choosing need.

use rulec_core::Outcome;

/// What stands for nobody.
pub(crate) const NOBODY: u8 = u8::MAX;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not looked at yet.
    New,
    Choice,
    Chance,
    /// An end; `first` is its place among the ends of the tree.
    End,
}

/// A position on a way from the root, by the move that leads there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<M> {
    /// Nothing for the root.
    pub(crate) mv: Option<M>,
    pub(crate) prior: f32,
    pub(crate) visits: u32,
    /// Payoffs of the mover, added.
    pub(crate) sum: f64,
    /// What the network said the player to move can expect here.
    pub(crate) own: f32,
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// The player whose move leads here.
    pub(crate) mover: u8,
    pub(crate) kind: Kind,
}

impl<M> Node<M> {
    pub(crate) fn new(mv: Option<M>, prior: f32, mover: u8) -> Self {
        Self {
            mv,
            prior,
            mover,
            visits: 0,
            sum: 0.0,
            own: 0.5,
            first: 0,
            len: 0,
            kind: Kind::New,
        }
    }

    /// The mean payoff of the mover, if there were visits.
    pub(crate) fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| (self.sum / f64::from(self.visits)) as f32)
    }
}

/// Nodes; the root is the first.
pub(crate) struct Tree<M> {
    pub(crate) nodes: Vec<Node<M>>,
    /// How games end that end in the tree.
    ends: Vec<Outcome>,
    /// Room for the next tree.
    spare: Vec<Node<M>>,
}

impl<M: Copy> Tree<M> {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            ends: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Begins anew, with a root that was not looked at.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.ends.clear();
        self.nodes.push(Node::new(None, 1.0, NOBODY));
    }

    /// Notes that a game ends at a node.
    pub(crate) fn end(&mut self, at: usize, outcome: Outcome) {
        if let Some(node) = self.nodes.get_mut(at) {
            (node.kind, node.first) = (Kind::End, self.ends.len() as u32);
            self.ends.push(outcome);
        }
    }

    /// How a game ends at a node that is an end.
    pub(crate) fn outcome(&self, node: &Node<M>) -> Option<Outcome> {
        self.ends.get(node.first as usize).copied()
    }

    pub(crate) fn children(&self, at: usize) -> &[Node<M>] {
        let Some(node) = self.nodes.get(at) else {
            return &[];
        };
        let first = node.first as usize;
        self.nodes
            .get(first..first + node.len as usize)
            .unwrap_or_default()
    }

    /// Adds a visit to the nodes of a way.
    pub(crate) fn back_up(&mut self, way: &[u32], payoffs: &[f32]) {
        for &at in way {
            if let Some(node) = self.nodes.get_mut(at as usize) {
                node.visits += 1;
                let payoff = payoffs.get(usize::from(node.mover));
                node.sum += payoff.map_or(0.0, |payoff| f64::from(*payoff));
            }
        }
    }

    /// Makes a child of the root the root, and forgets what does not hang on it.
    pub(crate) fn descend(&mut self, child: usize) {
        let Some(root) = self.nodes.get(child) else {
            return self.clear();
        };
        let mut kept = std::mem::take(&mut self.spare);
        kept.clear();
        kept.push(*root);
        kept[0].mover = NOBODY;
        let mut at = 0;
        while at < kept.len() {
            if kept[at].kind != Kind::End {
                let (first, len) = (kept[at].first as usize, kept[at].len as usize);
                kept[at].first = kept.len() as u32;
                kept.extend_from_slice(self.nodes.get(first..first + len).unwrap_or_default());
            }
            at += 1;
        }
        self.spare = std::mem::replace(&mut self.nodes, kept);
    }

    /// What the player to move at a node can expect: what the network said, and what was found below.
    pub(crate) fn value(&self, at: usize) -> f32 {
        let own = self.nodes.get(at).map_or(0.5, |node| node.own);
        let children = self.children(at).iter();
        let (sum, visits) = children.fold((0.0, 0), |(sum, visits), child| {
            (sum + child.sum, visits + child.visits)
        });
        ((f64::from(own) + sum) / (1.0 + f64::from(visits))) as f32
    }

    /// The child that PUCT visits next.
    ///
    /// `noisy` is for a root with noise: there what was not visited is worth as much as the node.
    pub(crate) fn puct(&self, at: usize, noisy: bool) -> usize {
        let Some(node) = self.nodes.get(at) else {
            return 0;
        };
        let children = self.children(at);
        let (mut visits, mut mass, mut sum) = (0, 0.0_f32, 0.0);
        for child in children {
            visits += child.visits;
            mass += if child.visits > 0 { child.prior } else { 0.0 };
            sum += child.sum;
        }
        let value = ((f64::from(node.own) + sum) / (1.0 + f64::from(visits))) as f32;
        let reduction = if noisy { 0.0 } else { 0.2 * mass.sqrt() };
        let unknown = 2.0 * value - 1.0 - reduction;
        let n = f64::from(visits);
        let c = libm::log((1.0 + n + 19652.0) / 19652.0) + 1.25;
        let weight = (c * f64::from(visits.max(1)).sqrt()) as f32;
        let mut best = (0, f32::NEG_INFINITY);
        for (number, child) in children.iter().enumerate() {
            let mean = child.mean().map_or(unknown, |mean| 2.0 * mean - 1.0);
            let bound = mean + weight * child.prior / (1.0 + child.visits as f32);
            if bound > best.1 {
                best = (number, bound);
            }
        }
        node.first as usize + best.0
    }
}
