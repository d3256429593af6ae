//! Max^n: every player takes the move that gives himself most (Luckhardt and Irani, 1986).
//!
//! Works for any number of players and with draws of chance, whose results are weighed. Of moves that are worth the same to
//! the mover the first one is taken. A move that wins outright ends the search of the others.

use rulec_core::{Outcome, Turn};

use crate::{
    Progress,
    heuristic::Judgement,
    search::{MoveReport, Pace, SearchReport, SearchSettings, best_by_value},
    walk::{Kind, Walk, look},
};

/// How much nearer to a draw an end counts for every move that it is later, so that players hurry to win.
const LATE: f64 = 1e-6;
/// Payoffs that differ by less are equal.
const EQUAL: f64 = 1e-12;

struct Seeker<'a, 'p> {
    walk: &'a mut dyn Walk,
    players: usize,
    pace: Pace<'p>,
    judgement: Judgement,
    shares: Vec<f64>,
    stopped: bool,
    /// Whether nothing was cut off by the depth.
    complete: bool,
}

/// Looks for the best move of the player on turn, one move deeper each time until a bound is reached.
///
/// `progress` is told the number of positions.
pub fn maxn(
    walk: &mut dyn Walk,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let judgement = Judgement::new(settings.heuristic, walk, settings.seed, settings.limit);
    let mut seeker = Seeker {
        players: walk.info().players.len().max(1),
        walk,
        pace: Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress),
        judgement,
        shares: Vec::new(),
        stopped: false,
        complete: false,
    };
    let mut moves = Vec::new();
    if look(seeker.walk, &mut moves) != Kind::Choice {
        return SearchReport::default();
    }
    let mut report = SearchReport::default();
    let deepest = settings.depth.unwrap_or(1_000);
    for depth in 1..=deepest {
        seeker.complete = true;
        let found = seeker.root(&moves, depth);
        // Moves that were not searched any more are worse than a shallower look at all of them.
        if seeker.stopped && depth > 1 {
            break;
        }
        report.moves = found;
        report.depth = Some(depth);
        if seeker.stopped || seeker.complete {
            break;
        }
        // The best moves first.
        moves = report.moves.iter().map(|m| m.code).collect();
    }
    report.games = seeker.pace.done;
    report.line.extend(report.best());
    report
}

impl Seeker<'_, '_> {
    fn root(&mut self, moves: &[u64], depth: u32) -> Vec<MoveReport> {
        let mut reports = Vec::new();
        for &code in moves {
            let mover = self.walk.mover(code);
            let begun = self.pace.done;
            self.walk.down(code);
            let payoffs = self.node(depth - 1, 1);
            self.walk.up();
            reports.push(MoveReport {
                code,
                visits: match self.stopped {
                    true => 0,
                    false => (self.pace.done - begun).max(1),
                },
                value: payoffs.get(mover).copied().unwrap_or(0.5),
                proof: None,
            });
        }
        best_by_value(&mut reports);
        reports
    }

    /// The payoffs of all players.
    fn node(&mut self, depth: u32, ply: u32) -> Vec<f64> {
        if !self.pace.go_on() {
            self.stopped = true;
        }
        if self.stopped {
            return vec![0.5; self.players];
        }
        let mut moves = Vec::new();
        match look(self.walk, &mut moves) {
            Kind::End(outcome) => self.end(&outcome, ply),
            _ if depth == 0 => {
                self.complete = false;
                self.judgement.shares(self.walk, &mut self.shares);
                self.shares.clone()
            }
            Kind::Chance => self.chance(depth, ply),
            Kind::Choice => self.choice(&moves, depth, ply),
        }
    }

    fn end(&self, outcome: &Outcome, ply: u32) -> Vec<f64> {
        let late = 1.0 - LATE * f64::from(ply.min(100_000));
        let share = |player| 0.5 + (outcome.payoff(player) - 0.5) * late;
        (0..self.players).map(share).collect()
    }

    fn chance(&mut self, depth: u32, ply: u32) -> Vec<f64> {
        let mut results = Vec::new();
        self.walk.results(&mut results);
        let total: f64 = results.iter().map(|(_, weight)| *weight as f64).sum();
        let mut mean = vec![0.0; self.players];
        for (code, weight) in results {
            self.walk.down(code);
            let payoffs = self.node(depth - 1, ply + 1);
            self.walk.up();
            for (mean, payoff) in mean.iter_mut().zip(payoffs) {
                *mean += payoff * weight as f64 / total.max(1.0);
            }
        }
        mean
    }

    fn choice(&mut self, moves: &[u64], depth: u32, ply: u32) -> Vec<f64> {
        let several = matches!(self.walk.turn(), Turn::Decide(who) if who.count_ones() > 1);
        let player = self.walk.player().unwrap_or(0);
        // Nobody can get more than a win at the next ply.
        let most = 1.0 - 0.5 * LATE * f64::from(ply + 1) - EQUAL;
        let mut best: Option<Vec<f64>> = None;
        for &code in moves {
            // Where several may decide at once, the first by the rules does.
            if several && self.walk.mover(code) != player {
                continue;
            }
            self.walk.down(code);
            let payoffs = self.node(depth - 1, ply + 1);
            self.walk.up();
            let better = |old: &Vec<f64>| payoffs[player] > old[player] + EQUAL;
            if best.as_ref().is_none_or(better) {
                best = Some(payoffs);
            }
            if self.stopped || best.as_ref().is_some_and(|best| best[player] >= most) {
                break;
            }
        }
        best.unwrap_or_else(|| vec![0.5; self.players])
    }
}
