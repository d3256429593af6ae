//! Counts: sequences of decisions, positions, lines of play.

use std::collections::{BTreeMap, BTreeSet};

use rulec_interp::{Reason, State, Turn};
use serde_json::Value as Json;

use crate::canon::{is_choice, player, result};
use crate::corpus::{Case, cases_of_all_stages, folder};

/// Greatest number of different positions and depths that one count keeps.
const KEPT: usize = 2_000_000;

fn expected() -> Option<Json> {
    let path = folder()?.join("expected.json");
    let text = std::fs::read(path).expect("the corpus tells what is expected");
    Some(serde_json::from_slice(&text).expect("it is JSON"))
}

/// The numbers of a game of the corpus, of the games and of the snippets.
fn entry<'j>(expected: &'j Json, name: &str) -> Option<&'j Json> {
    expected["games"]
        .get(name)
        .or_else(|| expected["seed"].get(name))
}

fn number(json: &Json) -> u64 {
    json.as_u64().unwrap_or_else(|| panic!("{json} is a count"))
}

fn key(case: &Case, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    let equality = case.interp.game().equality;
    case.interp.identity(state, equality, &mut bytes);
    bytes
}

/// The positions after all moves of a decision.
pub(crate) fn after_moves(case: &Case, state: &State) -> Vec<State> {
    let moves = case.interp.legal_moves(state);
    let moves = moves.unwrap_or_else(|fault| panic!("{}: {fault:?}", case.name));
    let play = |mv: &_| {
        let mut next = state.clone();
        assert!(case.interp.play(&mut next, *mv), "the move is legal");
        next
    };
    moves.iter().map(play).collect()
}

/// The positions after the results of a draw, with their weights.
pub(crate) fn after_draw(case: &Case, state: &State) -> Vec<(State, u64)> {
    let play = |(mv, weight): (_, u64)| {
        let mut next = state.clone();
        assert!(case.interp.play(&mut next, mv), "the result is possible");
        (next, weight)
    };
    let results = case.interp.chance_outcomes(state);
    results.into_iter().map(play).collect()
}

/// Counts by depth and position.
pub(crate) type Memo = BTreeMap<(usize, Vec<u8>), u64>;

/// Number of sequences of decisions.
pub(crate) fn perft(case: &Case, state: &State, depth: usize, memo: &mut Memo) -> u64 {
    if case.interp.turn(state) == Turn::Chance {
        let results = after_draw(case, state);
        return results
            .iter()
            .map(|(next, _)| perft(case, next, depth, memo))
            .sum();
    }
    if depth == 0 {
        return 1;
    }
    let kept = (depth, key(case, state));
    if let Some(&count) = memo.get(&kept) {
        return count;
    }
    let next = after_moves(case, state);
    let count = next
        .iter()
        .map(|next| perft(case, next, depth - 1, memo))
        .sum();
    if memo.len() < KEPT {
        memo.insert(kept, count);
    }
    count
}

#[test]
fn sequences_of_decisions_are_as_many_as_expected() {
    let Some(expected) = expected() else { return };
    let mut compared = 0;
    for case in cases_of_all_stages() {
        let Some(entry) = entry(&expected, &case.name) else {
            continue;
        };
        let mut memo = Memo::new();
        let start = case.interp.initial();
        let table = entry["perft"].as_array().expect("a list");
        for (index, count) in table.iter().enumerate() {
            let found = perft(&case, &start, index + 1, &mut memo);
            assert_eq!(found, number(count), "{} depth {}", case.name, index + 1);
        }
        compared += 1;
    }
    let all = expected["games"].as_object().map_or(0, |games| games.len());
    assert!(compared >= all, "{compared} of {all} games");
}

/// All positions between actions and at the end.
pub(crate) struct Explored {
    pub(crate) states: u64,
    moves: u64,
    stuck: u64,
    pub(crate) farthest: u64,
    pub(crate) results: BTreeMap<Vec<i64>, u64>,
}

/// The positions between actions, or at the end, that come next.
fn settle(case: &Case, state: State, out: &mut Vec<State>) {
    let next: Vec<State> = match case.interp.turn(&state) {
        Turn::Chance => after_draw(case, &state)
            .into_iter()
            .map(|(s, _)| s)
            .collect(),
        Turn::Decide(_) if is_choosing(case, &state) => after_moves(case, &state),
        _ => return out.push(state),
    };
    next.into_iter().for_each(|state| settle(case, state, out));
}

/// Whether a choice is due in the middle of an action.
pub(crate) fn is_choosing(case: &Case, state: &State) -> bool {
    let moves = case.interp.legal_moves(state);
    let moves = moves.unwrap_or_else(|fault| panic!("{}: {fault:?}", case.name));
    moves.first().is_some_and(|&mv| is_choice(&case.interp, mv))
}

/// Visits all positions.
pub(crate) fn explore(case: &Case) -> Explored {
    let mut found = Explored {
        states: 0,
        moves: 0,
        stuck: 0,
        farthest: 0,
        results: BTreeMap::new(),
    };
    let mut layer = vec![case.interp.initial()];
    let mut seen = BTreeSet::from([key(case, &layer[0])]);
    let mut depth = 0;
    while !layer.is_empty() {
        found.states += layer.len() as u64;
        found.farthest = depth;
        let mut next = Vec::new();
        for state in &layer {
            if let Some(result) = result(case, state) {
                *found.results.entry(result).or_default() += 1;
                let reason = case.interp.outcome(state).map(|outcome| outcome.reason);
                found.stuck += u64::from(reason == Some(Reason::Stuck));
                continue;
            }
            let after = after_moves(case, state);
            found.moves += after.len() as u64;
            let mut settled = Vec::new();
            after
                .into_iter()
                .for_each(|s| settle(case, s, &mut settled));
            for state in settled {
                if seen.insert(key(case, &state)) {
                    next.push(state);
                }
            }
        }
        layer = next;
        depth += 1;
    }
    found
}

fn results(json: &Json, count: &str) -> BTreeMap<Vec<i64>, u64> {
    let entries = json.as_array().expect("a list").iter();
    entries
        .map(|entry| {
            let result = entry["result"].as_array().expect("a result").iter();
            let result = result.map(|value| value.as_i64().expect("a number"));
            (result.collect(), number(&entry[count]))
        })
        .collect()
}

#[test]
fn positions_are_as_many_as_expected() {
    let Some(expected) = expected() else { return };
    for case in cases_of_all_stages() {
        let Some(entry) = entry(&expected, &case.name) else {
            continue;
        };
        let found = explore(&case);
        let check = |key: &str, found: u64| {
            if let Some(count) = entry.get(key) {
                assert_eq!(found, number(count), "{} {key}", case.name);
            }
        };
        check("states", found.states);
        check("moves_over_all_states", found.moves);
        check("terminal_states", found.results.values().sum());
        check("stuck_states", found.stuck);
        check("shortest_path_to_farthest_state", found.farthest);
        if let Some(table) = entry.get("terminal_states_by_result") {
            assert_eq!(found.results, results(table, "states"), "{}", case.name);
        }
    }
}

type Lines = BTreeMap<Vec<i64>, u64>;

/// How many lines of play there are, by result; of a game that always ends.
fn lines(case: &Case, state: &State, memo: &mut BTreeMap<Vec<u8>, Lines>) -> Lines {
    if let Some(result) = result(case, state) {
        return Lines::from([(result, 1)]);
    }
    let kept = key(case, state);
    if let Some(lines) = memo.get(&kept) {
        return lines.clone();
    }
    let next: Vec<State> = match case.interp.turn(state) {
        Turn::Chance => after_draw(case, state)
            .into_iter()
            .map(|(s, _)| s)
            .collect(),
        _ => after_moves(case, state),
    };
    let mut sum = Lines::new();
    for state in &next {
        for (result, count) in lines(case, state, memo) {
            *sum.entry(result).or_default() += count;
        }
    }
    memo.insert(kept, sum.clone());
    sum
}

#[test]
fn lines_of_play_are_as_many_as_expected() {
    let Some(expected) = expected() else { return };
    for case in cases_of_all_stages() {
        let entry = entry(&expected, &case.name);
        let Some(table) = entry.and_then(|entry| entry.get("lines_of_play_by_result")) else {
            continue;
        };
        let found = lines(&case, &case.interp.initial(), &mut BTreeMap::new());
        assert_eq!(found, results(table, "lines"), "{}", case.name);
    }
}

#[test]
fn games_begin_as_expected() {
    let Some(expected) = expected() else { return };
    for case in cases_of_all_stages() {
        let Some(entry) = entry(&expected, &case.name) else {
            continue;
        };
        let Some(moves) = entry["first_moves"].as_array() else {
            continue;
        };
        // `X PlaceX(c=c1)`; unnamed objects have no name there.
        let texts = |text: &str| {
            let (head, args) = text.split_once('(').expect("brackets");
            let args = args.strip_suffix(')').expect("brackets");
            let values = args.split(", ").filter(|arg| !arg.is_empty());
            let values = values.map(|arg| match arg.split_once('=') {
                Some((_, value)) if !value.contains('(') => value,
                _ => "?",
            });
            std::iter::once(head)
                .chain(values)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let known: BTreeSet<String> = moves.iter().filter_map(Json::as_str).map(texts).collect();
        let start = case.interp.initial();
        let legal = case.interp.legal_moves(&start).expect("no fault");
        let shown = legal.iter().map(|&mv| {
            let text = case.interp.move_text_in(&start, mv);
            assert!(
                case.interp.parse_move_in(&start, &text) == [mv],
                "`{text}` is not read back"
            );
            let words = text.split(' ');
            let types = case.model.types.iter().map(|ty| ty.name.as_str());
            let types: BTreeSet<&str> = types.collect();
            let words = words.map(|word| match word.split(['@', '#']).next() {
                Some(name) if types.contains(name) => "?",
                _ => word,
            });
            words.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(shown.collect::<BTreeSet<_>>(), known, "{}", case.name);
        assert_eq!(legal.len(), moves.len(), "{}", case.name);
        let model = &case.model;
        assert_eq!(
            model.types.len() as u64,
            number(&entry["types"]),
            "{}",
            case.name
        );
        assert_eq!(
            model.objects.len() as u64,
            number(&entry["objects"]),
            "{}",
            case.name
        );
    }
}

/// A fraction in lowest terms, its denominator positive.
type Fraction = (i128, i128);

fn fraction(a: i128, b: i128) -> Fraction {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs().max(1)
    };
    let by = gcd(a, b);
    (a / by, b / by)
}

fn plus((a, b): Fraction, (c, d): Fraction) -> Fraction {
    fraction(a * d + c * b, b * d)
}

/// What every player expects when each does his best for himself; where several may act, each with equal chances.
fn value(case: &Case, state: &State, memo: &mut BTreeMap<Vec<u8>, Vec<Fraction>>) -> Vec<Fraction> {
    if let Some(result) = result(case, state) {
        return result
            .into_iter()
            .map(|value| (i128::from(value), 1))
            .collect();
    }
    let kept = key(case, state);
    if let Some(known) = memo.get(&kept) {
        return known.clone();
    }
    let nobody = vec![(0, 1); case.model.players.len()];
    let mean = |parts: Vec<(Vec<Fraction>, u64)>| {
        let total: u64 = parts.iter().map(|(_, weight)| weight).sum();
        parts
            .into_iter()
            .fold(nobody.clone(), |sum, (values, weight)| {
                let share = |(a, b)| fraction(a * i128::from(weight), b * i128::from(total));
                let pairs = sum.into_iter().zip(values);
                pairs.map(|(one, other)| plus(one, share(other))).collect()
            })
    };
    let found = match case.interp.turn(state) {
        Turn::Chance => {
            let parts = after_draw(case, state).into_iter();
            mean(parts.map(|(s, w)| (value(case, &s, memo), w)).collect())
        }
        _ => {
            let mut best: BTreeMap<String, Vec<Fraction>> = BTreeMap::new();
            for &mv in case.interp.legal_moves(state).expect("no fault") {
                let mut next = state.clone();
                assert!(case.interp.play(&mut next, mv), "the move is legal");
                let values = value(case, &next, memo);
                let player = player(case, mv);
                let seat = case.model.players.iter().position(|name| *name == player);
                let seat = seat.expect("a player");
                let better = best.get(&player).is_none_or(|known| {
                    let ((a, b), (c, d)) = (values[seat], known[seat]);
                    a * d > c * b
                });
                if better {
                    best.insert(player, values);
                }
            }
            mean(best.into_values().map(|values| (values, 1)).collect())
        }
    };
    memo.insert(kept, found.clone());
    found
}

#[test]
fn games_are_worth_what_is_expected() {
    let Some(expected) = expected() else { return };
    let mut compared = 0;
    for case in cases_of_all_stages() {
        let Some(table) = entry(&expected, &case.name).and_then(|e| e["value"].as_object()) else {
            continue;
        };
        let values = value(&case, &case.interp.initial(), &mut BTreeMap::new());
        for (name, (a, b)) in case.model.players.iter().zip(values) {
            let text = match b {
                1 => a.to_string(),
                _ => format!("{a}/{b}"),
            };
            assert_eq!(
                table[name].as_str(),
                Some(text.as_str()),
                "{} {name}",
                case.name
            );
        }
        compared += 1;
    }
    assert!(compared > 4, "{compared} games have values");
}
