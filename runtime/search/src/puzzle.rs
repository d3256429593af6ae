//! Ways to a win for one player: breadth first, depth first and A*.
//!
//! Positions are compared by an identity of the game, exactly. The way that breadth first finds is a shortest one; that of A*
//! is a cheapest one if the heuristic never says too much, as with none.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{
    AnyState, Progress, State,
    explore::{ExploreLimits, Keep, Seen},
    heuristic::Judgement,
    orbit::Orbits,
    search::{Method, MoveReport, Pace, SearchReport, SearchSettings},
    view::exact_moves,
    walk::{Kind, look},
};
use rulec_core::{ChoiceSet, Outcome};

/// What a move costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// One.
    #[default]
    Move,
    /// What the score of the player falls by it; nothing if it rises.
    Score,
}

/// A way to a win.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Way {
    /// The moves; `None` if none was found.
    pub moves: Option<Vec<u64>>,
    /// What they cost together.
    pub cost: u64,
    /// Positions seen.
    pub positions: u64,
    /// Whether all positions that can be reached were seen, or none that was left out could be better.
    pub complete: bool,
}

/// Why a search stops: the bound of positions, beside those of the pace.
const MOST: usize = u32::MAX as usize - 2;

/// Looks for a way to a win with a method for puzzles, and reports its first move.
pub fn search<'g>(
    start: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let way = match settings.method {
        Method::BreadthFirst => breadth_first(start, settings, progress),
        Method::DepthFirst => depth_first(start, settings, progress),
        _ => cheapest(start, settings, Cost::Move, progress),
    };
    let mut moves = Vec::new();
    let mover = start.player().unwrap_or(0);
    let line = way.moves.clone().unwrap_or_default();
    // After a fault there is nothing to choose from.
    if start.outcome().is_none() && start.moves(ChoiceSet::Distinct, &mut moves).is_err() {
        moves.clear();
    }
    let found = line.first().copied();
    moves.sort_by_key(|code| Some(*code) != found);
    let report = |code: u64| {
        let won = Some(code) == found;
        MoveReport {
            code,
            visits: u64::from(won),
            value: if won { 1.0 } else { 0.5 },
            proof: won.then(|| Outcome::win(mover)),
        }
    };
    SearchReport {
        moves: moves.into_iter().map(report).collect(),
        proof: found.map(|_| Outcome::win(mover)),
        line,
        games: way.positions,
        nodes: way.positions as usize,
        ..SearchReport::default()
    }
}

/// A shortest way to a win of anybody.
pub fn breadth_first<'g>(
    start: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> Way {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, &mut *progress);
    let limits = ExploreLimits {
        identity: start.info().future,
        choices: exact_moves(start.info()),
        depth: settings.depth,
        states: settings.bound(SearchSettings::DEFAULT_POSITIONS),
        keep: Keep::WayToWin,
        orbits: Orbits::Off,
    };
    let found = start.explore(&limits, &mut |_| pace.go_on());
    let cost = found.way.as_ref().map_or(0, |way| way.len() as u64);
    Way {
        positions: found.states(),
        complete: found.complete || found.way.is_some(),
        moves: found.way,
        cost,
    }
}

/// Moves that depth first goes ahead where nothing else is said.
const DEPTH: u32 = 1_000;

/// The first way to a win that is met by going on as long as there is a position that was not seen.
///
/// The original keeps what was seen from move to move and forgets where the real game has been; here each search starts
/// afresh and goes at most as deep as the depth of the settings.
pub fn depth_first<'g>(
    start: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> Way {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
    let mut walk = start.walk();
    walk.merge_exactly();
    let identity = start.info().future;
    let deepest = settings.depth.unwrap_or(DEPTH) as usize;
    let mut seen = Seen::default();
    let mut bytes = Vec::new();
    walk.identity(identity, &mut bytes);
    seen.insert(&bytes);
    let mut way: Vec<u64> = Vec::new();
    let mut open: Vec<Vec<u64>> = Vec::new();
    let mut complete = true;
    loop {
        let mut moves = Vec::new();
        let over = match look(&mut *walk, &mut moves) {
            Kind::End(outcome) => {
                if outcome.is_won() {
                    return found(way, seen.len());
                }
                true
            }
            Kind::Chance => true,
            Kind::Choice => false,
        };
        if over || way.len() >= deepest {
            complete &= over;
            moves.clear();
        }
        moves.reverse();
        open.push(moves);
        loop {
            let Some(list) = open.last_mut() else {
                return Way {
                    positions: u64::from(seen.len()),
                    complete,
                    ..Way::default()
                };
            };
            let Some(code) = list.pop() else {
                open.pop();
                way.pop();
                walk.up();
                continue;
            };
            walk.down(code);
            bytes.clear();
            walk.identity(identity, &mut bytes);
            if !seen.insert(&bytes).1 {
                walk.up();
                continue;
            }
            if !pace.go_on() {
                return Way {
                    positions: u64::from(seen.len()),
                    ..Way::default()
                };
            }
            way.push(code);
            break;
        }
    }
}

fn found(way: Vec<u64>, positions: u32) -> Way {
    Way {
        cost: way.len() as u64,
        moves: Some(way),
        positions: u64::from(positions),
        complete: false,
    }
}

/// What A* knows of a position.
struct Place<'g> {
    state: Option<State<'g>>,
    cost: u64,
    parent: u32,
    code: u64,
    done: bool,
}

/// A cheapest way to a win by A*. Positions are merged by what their future depends on, so scores count only where a rule reads
/// them.
pub fn cheapest<'g>(
    start: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    cost: Cost,
    progress: Progress<'_>,
) -> Way {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
    let identity = start.info().future;
    let choices = exact_moves(start.info());
    let mut judgement = Judgement::new(
        settings.heuristic,
        &mut *start.walk(),
        settings.seed,
        settings.limit,
    );
    let mut estimate = |state: &State<'g>| match cost {
        Cost::Move => judgement.remaining(&mut *state.walk()).max(0.0) as u64,
        Cost::Score => 0,
    };
    let mut seen = Seen::default();
    let mut bytes = Vec::new();
    start.identity(identity, &mut bytes);
    seen.insert(&bytes);
    let mut places = vec![Place {
        state: Some(start.fork()),
        cost: 0,
        parent: u32::MAX,
        code: 0,
        done: false,
    }];
    // By estimate, then the deepest first, then in the order of finding.
    let mut queue = BinaryHeap::from([Reverse((estimate(&start.fork()), Reverse(0u64), 0u32))]);
    let mut moves = Vec::new();
    while let Some(Reverse((_, Reverse(at_cost), at))) = queue.pop() {
        let place = &mut places[at as usize];
        if place.done || place.cost != at_cost {
            continue;
        }
        place.done = true;
        let Some(state) = place.state.take() else {
            continue;
        };
        if let Some(outcome) = state.outcome() {
            if outcome.is_won() {
                return way_to(&places, at, u64::from(seen.len()));
            }
            continue;
        }
        if state.moves(choices, &mut moves).is_err() {
            continue;
        }
        for &code in &moves {
            if !pace.go_on() || places.len() >= MOST {
                return Way {
                    positions: u64::from(seen.len()),
                    ..Way::default()
                };
            }
            let mut next = state.fork();
            next.play(code, None);
            let new_cost = at_cost + price(&state, &next, cost);
            bytes.clear();
            next.identity(identity, &mut bytes);
            let (index, new) = seen.insert(&bytes);
            if !new && places[index as usize].cost <= new_cost {
                continue;
            }
            let reckoned = new_cost + estimate(&next);
            let place = Place {
                state: Some(next),
                cost: new_cost,
                parent: at,
                code,
                done: false,
            };
            match new {
                true => places.push(place),
                false => places[index as usize] = place,
            }
            queue.push(Reverse((reckoned, Reverse(new_cost), index)));
        }
    }
    Way {
        positions: u64::from(seen.len()),
        complete: true,
        ..Way::default()
    }
}

fn price<'g>(before: &State<'g>, after: &State<'g>, cost: Cost) -> u64 {
    let mover = before.player().unwrap_or(0);
    let score = |state: &State<'g>| state.scores().get(mover).copied().unwrap_or(0);
    match cost {
        Cost::Move => 1,
        Cost::Score => u64::try_from(score(before).saturating_sub(score(after))).unwrap_or(0),
    }
}

fn way_to(places: &[Place<'_>], end: u32, positions: u64) -> Way {
    let mut moves = Vec::new();
    let mut at = end as usize;
    while places[at].parent != u32::MAX {
        moves.push(places[at].code);
        at = places[at].parent as usize;
    }
    moves.reverse();
    Way {
        moves: Some(moves),
        cost: places[end as usize].cost,
        positions,
        complete: true,
    }
}
