//! Proof-number search (Allis, 1994): can a player force a win, or at least a draw?
//!
//! All others are against the player, and so is chance: what is proved holds whatever is drawn. Who decides says the position.
//! A position that comes again on the way to it is none that the player has won: going on for ever wins for nobody.

use rulec_core::{Outcome, Reason};

use crate::{
    Progress,
    search::{MoveReport, Pace, SearchReport, SearchSettings},
    walk::{Kind, Walk, look},
};

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To be the only one who wins.
    Win,
    /// That nobody else is better off: to win, or that nobody does.
    NoLoss,
}

impl Goal {
    fn is_met(self, outcome: Outcome, player: usize) -> bool {
        let rank = outcome.rank(player);
        match self {
            Goal::Win => rank >= 1.0,
            Goal::NoLoss => rank >= 0.5,
        }
    }

    /// Whether going on for ever meets it.
    fn is_met_by_going_on(self) -> bool {
        self == Goal::NoLoss
    }
}

/// What was found out about a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player can force it.
    Proved,
    /// The player cannot.
    Disproved,
    /// Nodes or time ran out.
    Open,
}

/// More than any number of proofs.
const NEVER: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    code: u64,
    parent: u32,
    first: u32,
    len: u32,
    proof: u32,
    disproof: u32,
    /// Whether the player chooses here, rather than somebody else or chance; known once the node has children.
    mine: bool,
}

struct Tree<'a, 'p> {
    walk: &'a mut dyn Walk,
    player: usize,
    goal: Goal,
    nodes: Vec<Node>,
    pace: &'a mut Pace<'p>,
    /// Keys of the positions on the way.
    keys: Vec<u64>,
}

/// Tries to prove or disprove that a player can force a goal. Bounded by `nodes` of the tree, 32 bytes each.
pub(crate) fn prove(
    walk: &mut dyn Walk,
    player: usize,
    goal: Goal,
    nodes: usize,
    pace: &mut Pace<'_>,
) -> (Verdict, SearchReport) {
    walk.merge_exactly();
    let root = walk.depth();
    let mut tree = Tree {
        keys: vec![walk.key()],
        walk,
        player,
        goal,
        nodes: vec![Node {
            code: 0,
            parent: 0,
            first: 0,
            len: 0,
            proof: 1,
            disproof: 1,
            mine: false,
        }],
        pace,
    };
    tree.judge_root();
    let mut at = 0;
    while tree.nodes[0].proof > 0
        && tree.nodes[0].disproof > 0
        && tree.nodes.len() < nodes
        && tree.pace.go_on()
    {
        at = tree.most_proving(at);
        tree.expand(at);
        at = tree.update(at);
    }
    while tree.walk.depth() > root {
        tree.walk.up();
    }
    let verdict = match (tree.nodes[0].proof, tree.nodes[0].disproof) {
        (0, _) => Verdict::Proved,
        (_, 0) => Verdict::Disproved,
        _ => Verdict::Open,
    };
    (verdict, tree.report())
}

impl Tree<'_, '_> {
    fn judge_root(&mut self) {
        let mut moves = Vec::new();
        if let Kind::End(outcome) = look(self.walk, &mut moves) {
            self.settle(0, self.goal.is_met(outcome, self.player));
        }
    }

    fn settle(&mut self, at: usize, met: bool) {
        let (proof, disproof) = if met { (0, NEVER) } else { (NEVER, 0) };
        self.nodes[at].proof = proof;
        self.nodes[at].disproof = disproof;
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..(node.first + node.len) as usize
    }

    /// Walks on from a node to the leaf whose value would tell most.
    fn most_proving(&mut self, mut at: usize) -> usize {
        while self.nodes[at].len > 0 {
            let node = self.nodes[at];
            let number = |child: &usize| match node.mine {
                true => self.nodes[*child].proof,
                false => self.nodes[*child].disproof,
            };
            let Some(next) = self.children(at).min_by_key(number) else {
                break;
            };
            self.walk.down(self.nodes[next].code);
            self.keys.push(self.walk.key());
            at = next;
        }
        at
    }

    /// Gives a leaf its children, and these their first numbers.
    fn expand(&mut self, at: usize) {
        let mut moves = Vec::new();
        match look(self.walk, &mut moves) {
            Kind::End(outcome) => {
                let met = self.goal.is_met(outcome, self.player);
                return self.settle(at, met);
            }
            Kind::Chance => {
                let mut results = Vec::new();
                self.walk.results(&mut results);
                moves.clear();
                moves.extend(results.iter().map(|(code, _)| *code));
                self.nodes[at].mine = false;
                if moves.is_empty() {
                    return self.settle(at, self.goal.is_met_by_going_on());
                }
            }
            Kind::Choice => {
                // Where several may decide at once, the first by the rules does.
                let player = self.walk.player().unwrap_or(0);
                moves.retain(|&code| self.walk.mover(code) == player);
                self.nodes[at].mine = player == self.player;
            }
        }
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].len = moves.len() as u32;
        let mut replies = Vec::new();
        for code in moves {
            self.walk.down(code);
            let (proof, disproof) = self.first_numbers(&mut replies);
            self.walk.up();
            self.nodes.push(Node {
                code,
                parent: at as u32,
                first: 0,
                len: 0,
                proof,
                disproof,
                mine: false,
            });
        }
    }

    /// The numbers of a new leaf: certain at an end and where the position was on the way already, else by how many moves
    /// there are.
    fn first_numbers(&mut self, moves: &mut Vec<u64>) -> (u32, u32) {
        let certain = |met: bool| if met { (0, NEVER) } else { (NEVER, 0) };
        if self.keys.contains(&self.walk.key()) {
            return certain(self.goal.is_met_by_going_on());
        }
        match look(self.walk, moves) {
            Kind::End(outcome) => certain(self.goal.is_met(outcome, self.player)),
            Kind::Chance => (1, 1),
            Kind::Choice => {
                let count = moves.len() as u32;
                match self.walk.player() == Some(self.player) {
                    true => (1, count),
                    false => (count, 1),
                }
            }
        }
    }

    /// Corrects numbers from a node upwards as far as they change, and takes the walk back as far; where it stopped.
    fn update(&mut self, mut at: usize) -> usize {
        loop {
            let node = self.nodes[at];
            if node.len > 0 {
                let least = |of: fn(&Node) -> u32, tree: &Self| {
                    let children = tree.children(at).map(|child| of(&tree.nodes[child]));
                    children.min().unwrap_or(NEVER)
                };
                let sum = |of: fn(&Node) -> u32, tree: &Self| {
                    let add = |sum: u32, n: u32| match (sum, n) {
                        (NEVER, _) | (_, NEVER) => NEVER,
                        (sum, n) => sum.saturating_add(n).min(NEVER - 1),
                    };
                    let children = tree.children(at).map(|child| of(&tree.nodes[child]));
                    children.fold(0, add)
                };
                let (proof, disproof) = match node.mine {
                    true => (least(|n| n.proof, self), sum(|n| n.disproof, self)),
                    false => (sum(|n| n.proof, self), least(|n| n.disproof, self)),
                };
                if (proof, disproof) == (node.proof, node.disproof) {
                    return at;
                }
                self.nodes[at].proof = proof;
                self.nodes[at].disproof = disproof;
            }
            if at == 0 {
                return at;
            }
            self.walk.up();
            self.keys.pop();
            at = node.parent as usize;
        }
    }

    fn report(&self) -> SearchReport {
        let moves = self.children(0).map(|child| {
            let child = &self.nodes[child];
            let odds =
                f64::from(child.disproof) / (f64::from(child.proof) + f64::from(child.disproof));
            MoveReport {
                code: child.code,
                visits: 1,
                value: match (child.proof, child.disproof) {
                    (0, _) => 1.0,
                    (_, 0) => 0.0,
                    _ => odds,
                },
                proof: None,
            }
        });
        SearchReport {
            moves: moves.collect(),
            nodes: self.nodes.len(),
            ..SearchReport::default()
        }
    }
}

/// Looks for a move that forces a win, or else one that avoids a loss.
///
/// `progress` is told the number of nodes.
pub fn proof_number(
    walk: &mut dyn Walk,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
    let Some(player) = walk.player() else {
        return SearchReport::default();
    };
    let players = walk.info().players.len();
    let (win, mut report) = prove(walk, player, Goal::Win, settings.nodes, &mut pace);
    let mut end = None;
    if win == Verdict::Proved {
        end = Some(Outcome::win(player));
    } else {
        // What was not disproved may still be won.
        let open = report.moves.clone();
        let (safe, second) = prove(walk, player, Goal::NoLoss, settings.nodes, &mut pace);
        report.nodes = report.nodes.max(second.nodes);
        end = match (win, safe) {
            (Verdict::Disproved, Verdict::Proved) => Some(Outcome::nobody(Reason::Draw)),
            (_, Verdict::Disproved) if players == 2 => Some(Outcome::win(1 - player.min(1))),
            _ => end,
        };
        for m in &mut report.moves {
            let won = open
                .iter()
                .find(|o| o.code == m.code)
                .map_or(0.0, |o| o.value);
            let safe = second.moves.iter().find(|o| o.code == m.code);
            m.value = 0.5 * won + 0.5 * safe.map_or(0.0, |o| o.value);
        }
    }
    report
        .moves
        .sort_by(|a, b| b.value.total_cmp(&a.value).then(a.code.cmp(&b.code)));
    if let Some(best) = report.moves.first_mut() {
        best.proof = end;
        if let Some(end) = end {
            best.value = end.payoff(player);
        }
    }
    report.proof = end;
    report.games = pace.done;
    report.line.extend(report.best());
    report
}
