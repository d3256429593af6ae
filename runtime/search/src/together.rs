//! Several trees of one search, one a thread, which tell each other of the nodes that were visited often (S. Gelly and others, 2008:
//! slow tree parallelisation).
//!
//! While they play games, threads share nothing. From time to time each adds what it has learnt of such nodes since the last time to what
//! all know, and takes over what the others have added. Where a search is bounded by games and not by time, they do so in turn, and what
//! is found depends on the number of threads but not on how they run.

use std::{
    ops::Range,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use rulec_core::Outcome;

use crate::{parallel::lock, tree::Tree};

/// Visits of a node for each of its children, and in any case, from which on all know its children.
const OFTEN: (u32, u32) = (4, 32);
/// Games before the first exchange.
pub(crate) const FIRST: u64 = SHORTEST;
/// Games between two exchanges at least.
const SHORTEST: u64 = 200;
/// Nodes that may be told of for each game between two exchanges.
const NODES: u64 = 8;

/// A node that all know.
#[derive(Clone, Copy)]
struct Known {
    sum: f64,
    visits: u32,
    /// Where its children are, one behind the other; 0 where nobody told of them.
    children: u32,
    /// Index plus one in `Common::ends` of its proved end, 0 for none.
    proof: u32,
}

const NEW: Known = Known {
    sum: 0.0,
    visits: 0,
    children: 0,
    proof: 0,
};

struct Common<M> {
    nodes: Vec<Known>,
    /// The move that leads to each node but the first.
    moves: Vec<M>,
    ends: Vec<Outcome>,
    /// Whose turn it is, and who will take none any more.
    turn: usize,
    gone: Vec<bool>,
}

/// What all threads of a search know.
pub(crate) struct Together<M> {
    common: Mutex<Common<M>>,
    next: Condvar,
    in_turn: bool,
}

/// What one thread has told of a node.
struct Told {
    /// The node and its parent in the own tree, and the node that all know.
    at: u32,
    parent: u32,
    known: u32,
    /// What the own tree had of it when it was told of last.
    visits: u32,
    sum: f64,
    /// Where its children are told of, one behind the other; 0 where they are not.
    children: u32,
}

impl Told {
    const fn new(at: usize, parent: u32, known: u32) -> Self {
        Self {
            at: at as u32,
            parent,
            known,
            visits: 0,
            sum: 0.0,
            children: 0,
        }
    }
}

/// A thread among several.
pub(crate) struct Member<'t, M> {
    together: &'t Together<M>,
    index: usize,
    told: Vec<Told>,
    /// What is still to be looked at in an exchange.
    open: Vec<Range<usize>>,
}

impl<M: Copy + Ord> Together<M> {
    /// For so many threads, which exchange what they know in turn or as it happens.
    pub(crate) fn new(threads: usize, in_turn: bool) -> Self {
        Self {
            common: Mutex::new(Common {
                nodes: vec![NEW],
                moves: Vec::new(),
                ends: Vec::new(),
                turn: 0,
                gone: vec![false; threads],
            }),
            next: Condvar::new(),
            in_turn,
        }
    }

    /// The thread of that number.
    pub(crate) fn member(&self, index: usize) -> Member<'_, M> {
        Member {
            together: self,
            index,
            told: vec![Told::new(0, 0, 0)],
            open: Vec::new(),
        }
    }

    /// Waits for the turn of a thread.
    fn turn(&self, index: usize) -> MutexGuard<'_, Common<M>> {
        let mut common = lock(&self.common);
        while self.in_turn && common.turn != index {
            common = self
                .next
                .wait(common)
                .unwrap_or_else(PoisonError::into_inner);
        }
        common
    }

    /// Gives the turn to the next thread that is still there.
    fn pass_on(&self, mut common: MutexGuard<'_, Common<M>>) {
        let all = common.gone.len();
        let others = (1..=all).map(|step| (common.turn + step) % all);
        if let Some(next) = others.into_iter().find(|next| !common.gone[*next]) {
            common.turn = next;
        }
        drop(common);
        self.next.notify_all();
    }
}

impl<M: Copy + Ord> Member<'_, M> {
    /// Tells what the tree has learnt and takes over what all know; games until the next time.
    pub(crate) fn exchange<S: Clone>(&mut self, tree: &mut Tree<M, S>) -> u64 {
        let mut common = self.together.turn(self.index);
        self.tell(&mut common, tree);
        self.together.pass_on(common);
        SHORTEST.max(self.told.len() as u64 / NODES)
    }

    /// Tells what the tree has learnt for the last time.
    pub(crate) fn leave<S: Clone>(&mut self, tree: &mut Tree<M, S>) {
        let mut common = self.together.turn(self.index);
        self.tell(&mut common, tree);
        common.gone[self.index] = true;
        self.together.pass_on(common);
    }

    /// Takes over what all know when nobody tells anything any more.
    pub(crate) fn learn<S: Clone>(&mut self, tree: &mut Tree<M, S>) {
        self.tell(&mut lock(&self.together.common), tree);
    }

    /// Goes through what is told of, but for what lies below nodes of which nothing new is known.
    fn tell<S: Clone>(&mut self, common: &mut Common<M>, tree: &mut Tree<M, S>) {
        self.open.push(0..1);
        while let Some(places) = self.open.pop() {
            for place in places {
                if self.tell_of(place, common, tree) {
                    let children = self.children(place, common, tree);
                    if !children.is_empty() {
                        self.open.push(children);
                    }
                }
            }
        }
    }

    /// Tells of one node; whether there was anything new.
    #[inline(always)]
    fn tell_of<S: Clone>(
        &mut self,
        place: usize,
        common: &mut Common<M>,
        tree: &mut Tree<M, S>,
    ) -> bool {
        let told = &mut self.told[place];
        let known = &mut common.nodes[told.known as usize];
        let at = told.at as usize;
        let (visits, sum) = tree.learnt(at);
        if visits == told.visits && known.visits == told.visits {
            return false;
        }
        known.visits = known.visits.saturating_add(visits - told.visits);
        known.sum += sum - told.sum;
        (told.visits, told.sum) = (known.visits, known.sum);
        tree.take_over(at, known.visits, known.sum);
        match (known.proof, tree.proof_at(at)) {
            (0, None) => {}
            (0, Some(end)) => {
                let place = common.ends.iter().position(|other| *other == end);
                let place = place.unwrap_or(common.ends.len());
                if place == common.ends.len() {
                    common.ends.push(end);
                }
                known.proof = place as u32 + 1;
            }
            (proof, None) => {
                let end = common.ends[proof as usize - 1];
                tree.take_proof(told.parent as usize, at, end);
            }
            (_, Some(_)) => {}
        }
        true
    }

    /// Where the children of a node are told of: from now on if it was visited often and each of them was.
    fn children<S: Clone>(
        &mut self,
        place: usize,
        common: &mut Common<M>,
        tree: &Tree<M, S>,
    ) -> Range<usize> {
        let Told {
            at,
            known,
            visits,
            children,
            ..
        } = self.told[place];
        if visits < OFTEN.1 {
            return 0..0;
        }
        let tried = tree.tried(at as usize);
        let (first, count) = (children as usize, tried.len());
        if first > 0 {
            return first..first + count;
        }
        if count == 0 || visits < OFTEN.0 * count as u32 || !tree.is_tried(at as usize) {
            return 0..0;
        }
        let first = self.told.len();
        self.told[place].children = first as u32;
        let siblings = common.children(known, tried.clone().map(|child| tree.move_to(child)));
        for child in tried {
            let place = common.moves[siblings.clone()]
                .iter()
                .position(|mv| *mv == tree.move_to(child));
            // Moves of one position are the same in all trees.
            let known = siblings.start + 1 + place.unwrap_or(0);
            self.told.push(Told::new(child, at, known as u32));
        }
        first..first + count
    }
}

impl<M: Copy> Common<M> {
    /// Where the moves to the children of a node are, which are told of from now on if they were not.
    fn children(&mut self, at: u32, moves: impl ExactSizeIterator<Item = M>) -> Range<usize> {
        let known = &mut self.nodes[at as usize];
        let count = moves.len();
        if known.children == 0 {
            known.children = self.moves.len() as u32 + 1;
            self.moves.extend(moves);
            self.nodes.resize(self.moves.len() + 1, NEW);
        }
        let first = self.nodes[at as usize].children as usize - 1;
        first..first + count
    }
}
