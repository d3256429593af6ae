//! The strategies of S3 Games that have no like among the other searches.
//!
//! The system has nine: `Random`, `BFS`, `DFS` and `AStar` are the searches of these names elsewhere in this crate, the other
//! five are here. They follow the originals but for these defects:
//!
//! * `MonteCarlo` and its kin remember the positions of a trial by an object that they go on changing, so that they hardly
//!   ever notice one that comes again. Here they do.
//! * `MiniMaxStochastic` switches all `MiniMax` players of a process to its share of moves. Here it is its own matter.
//! * `MiniMax` is bounded by time alone. Here positions bound it, so that a seed repeats its moves; a time may be added.
//! * Searching performs no physical moves.

use std::collections::{BTreeSet, VecDeque};

use rulec_core::{ChoiceSet, Outcome, Rng};

use crate::{
    AnyState, Progress, State,
    heuristic::Judgement,
    search::{MoveReport, Pace, SearchReport, SearchSettings, best_by_value},
    walk::{Kind, Walk, look},
};

/// A strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// A tree of positions, layer by layer; ends are worth less by a hundredth each move.
    MiniMax,
    /// The same, but looks at 70 of 100 of the player's own moves only.
    MiniMaxStochastic,
    /// Trials after random first moves; counts wins.
    MonteCarlo,
    /// A trial weighs the less the more moves the others chose from.
    MonteCarloRatio,
    /// A trial weighs a tenth less for every move of the others.
    MonteCarloRatio2,
}

/// What an end is worth less for each move on the way to it.
const PER_MOVE: f64 = 0.99;
/// Share of own moves that `MiniMaxStochastic` looks at.
const OWN_MOVES: f64 = 0.7;

/// Looks for a move with a strategy.
pub fn search<'g>(
    start: &(dyn AnyState<'g> + 'g),
    strategy: Strategy,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    match strategy {
        Strategy::MiniMax => minimax(start, 1.0, settings, progress),
        Strategy::MiniMaxStochastic => minimax(start, OWN_MOVES, settings, progress),
        _ => trials(start, strategy, settings, progress),
    }
}

struct Position<'g> {
    state: Option<State<'g>>,
    parent: u32,
    depth: u32,
    code: u64,
    value: f64,
    /// Whether the player himself decides here; nothing at ends and leaves.
    mine: Option<bool>,
    /// Weight among the results of a draw; 0 for moves.
    weight: u64,
}

/// Grows a tree layer by layer and takes the values back from its leaves.
fn minimax<'g>(
    start: &(dyn AnyState<'g> + 'g),
    share: f64,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
    let mut rng = Rng::new(settings.seed, settings.stream);
    let me = start.player().unwrap_or(0);
    let mut judgement = Judgement::new(
        settings.heuristic,
        &mut *start.walk(),
        settings.seed,
        settings.limit,
    );
    let mut shares = Vec::new();
    let mut judge = |state: &State<'g>| {
        judgement.shares(&mut *state.walk(), &mut shares);
        2.0 * shares.get(me).copied().unwrap_or(0.5) - 1.0
    };
    let mut positions = vec![Position {
        state: Some(start.fork()),
        parent: 0,
        depth: 0,
        code: 0,
        value: 0.0,
        mine: None,
        weight: 0,
    }];
    let mut queue = VecDeque::from([0usize]);
    let mut deepest = 0;
    'growing: while let Some(at) = queue.pop_front() {
        let Some(state) = positions[at].state.take() else {
            continue;
        };
        let depth = positions[at].depth;
        deepest = depth;
        let mut children = Vec::new();
        let results = state.results();
        children.extend(results.iter().copied());
        let mut moves = Vec::new();
        if results.is_empty() && state.moves(ChoiceSet::Distinct, &mut moves).is_ok() {
            children.extend(moves.iter().map(|&code| (code, 0)));
        }
        let mine = state.player() == Some(me);
        if mine && share < 1.0 && results.is_empty() {
            let kept = children.clone().into_iter().filter(|_| rng.unit() < share);
            let kept: Vec<_> = kept.collect();
            if !kept.is_empty() {
                children = kept;
            }
        }
        if children.is_empty() || state.outcome().is_some() {
            continue;
        }
        positions[at].mine = Some(mine);
        for (code, weight) in children {
            if !pace.go_on() {
                break 'growing;
            }
            let mut next = state.fork();
            next.play(code, None);
            let outcome = next.outcome();
            let later = (0..=depth).fold(1.0, |later, _| later * PER_MOVE);
            let value = match outcome {
                Some(outcome) => (2.0 * outcome.payoff(me) - 1.0) * later,
                None => judge(&next) * later,
            };
            queue.push_back(positions.len());
            positions.push(Position {
                state: outcome.is_none().then_some(next),
                parent: at as u32,
                depth: depth + 1,
                code,
                value,
                mine: None,
                weight,
            });
        }
    }
    take_back(&mut positions);
    let first = positions.iter().skip(1).filter(|p| p.parent == 0);
    let mut report = SearchReport {
        games: pace.done,
        nodes: positions.len(),
        depth: Some(deepest),
        ..SearchReport::default()
    };
    report.moves.extend(first.map(|p| MoveReport {
        code: p.code,
        visits: 1,
        value: 0.5 + p.value / 2.0,
        proof: None,
    }));
    best_by_value(&mut report.moves);
    report.line.extend(report.best());
    report
}

/// Gives every position with children the best of their values for who decides, or their mean. Children come after
/// their parents, so one pass from the end does.
fn take_back(positions: &mut [Position<'_>]) {
    let mut sums: Vec<Option<(f64, u64)>> = vec![None; positions.len()];
    for at in (1..positions.len()).rev() {
        if let Some((sum, weight)) = sums[at] {
            positions[at].value = match weight {
                0 => sum,
                weight => sum / weight as f64,
            };
        }
        let (value, weight) = (positions[at].value, positions[at].weight);
        let parent = positions[at].parent as usize;
        let mine = positions[parent].mine == Some(true);
        sums[parent] = Some(match (sums[parent], weight) {
            (None, 0) => (value, 0),
            (None, w) => (value * w as f64, w),
            (Some((best, _)), 0) if mine => (best.max(value), 0),
            (Some((best, _)), 0) => (best.min(value), 0),
            (Some((sum, all)), w) => (sum + value * w as f64, all + w),
        });
    }
}

/// How the trials after one move went, by weight.
#[derive(Clone, Copy, Default)]
struct Count {
    trials: u64,
    won: f64,
    lost: f64,
    other: f64,
}

/// Plays trials after first moves, each once and then at random.
fn trials<'g>(
    start: &(dyn AnyState<'g> + 'g),
    strategy: Strategy,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_GAMES, progress);
    let mut rng = Rng::new(settings.seed, settings.stream);
    let mut walk = start.walk();
    let mut moves = Vec::new();
    if look(&mut *walk, &mut moves) != Kind::Choice {
        return SearchReport::default();
    }
    let me = walk.player().unwrap_or(0);
    let mut counts = vec![Count::default(); moves.len()];
    let mut turn = 0;
    while pace.go_on() {
        let at = match turn < moves.len() {
            true => turn,
            false => rng.below64(moves.len() as u64) as usize,
        };
        turn += 1;
        walk.down(moves[at]);
        let (outcome, weight) = trial(&mut *walk, me, strategy, settings.limit, &mut rng);
        while walk.depth() > 0 {
            walk.up();
        }
        let count = &mut counts[at];
        count.trials += 1;
        match outcome.map_or(0.5, |o| o.payoff(me)) {
            payoff if payoff >= 1.0 => count.won += weight,
            payoff if payoff <= 0.0 => count.lost += weight,
            _ => count.other += weight,
        }
    }
    let value = |count: &Count| {
        let all = (count.won + count.lost + count.other).max(f64::MIN_POSITIVE);
        match strategy {
            Strategy::MonteCarlo => count.won / all,
            // From -1 to 1, shown as a payoff.
            _ => 0.5 + (count.won - count.lost) / all / 2.0,
        }
    };
    let mut report = SearchReport {
        games: pace.done,
        ..SearchReport::default()
    };
    let judged = moves.iter().zip(&counts).map(|(&code, count)| MoveReport {
        code,
        visits: count.trials,
        value: value(count),
        proof: None,
    });
    report.moves.extend(judged);
    best_by_value(&mut report.moves);
    report.line.extend(report.best());
    report
}

/// Plays at random to an end, past positions of this trial if that is possible; the end and the weight of the trial.
fn trial(
    walk: &mut dyn Walk,
    me: usize,
    strategy: Strategy,
    limit: u32,
    rng: &mut Rng,
) -> (Option<Outcome>, f64) {
    let mut seen = BTreeSet::from([walk.key()]);
    let mut weight = 1.0;
    let mut moves = Vec::new();
    let mut results = Vec::new();
    for _ in 0..limit {
        match look(walk, &mut moves) {
            Kind::End(outcome) => return (Some(outcome), weight),
            Kind::Chance => {
                walk.results(&mut results);
                let total: u64 = results.iter().map(|(_, weight)| weight).sum();
                let mut rest = rng.below64(total);
                let drawn = results.iter().find(|(_, weight)| {
                    let here = rest < *weight;
                    rest = rest.saturating_sub(*weight);
                    here
                });
                match drawn {
                    Some((code, _)) => walk.down(*code),
                    None => return (None, weight),
                }
                continue;
            }
            Kind::Choice => {}
        }
        if walk.player() != Some(me) {
            weight *= match strategy {
                Strategy::MonteCarloRatio => 1.0 / moves.len() as f64,
                Strategy::MonteCarloRatio2 => 0.9,
                _ => 1.0,
            };
        }
        // Moves in a random order, up to the first that leads to a new position.
        let mut next = None;
        while !moves.is_empty() && next.is_none() {
            let code = moves.swap_remove(rng.below64(moves.len() as u64) as usize);
            walk.down(code);
            match seen.insert(walk.key()) || moves.is_empty() {
                true => next = Some(code),
                false => walk.up(),
            }
        }
    }
    (walk.outcome(), weight)
}
