//! Legal moves, counts, searches and whole games.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use rulec_compiler::ir::visit::walk_exprs;
use rulec_compiler::ir::{Game, IdentityId, Type};
use rulec_compiler::lang::s3;
use rulec_interp::{Interp, Move, Reason, State, Turn};
use serde_json::Value as Json;

use crate::corpus::{Case, cases, corpus, load, long, lower};
use crate::stages::Stage;

/// Most candidate moves that one count tries, about, unless all are wanted.
const SHORT: u64 = 400_000;

/// Of so many games one is counted after the passes, too.
const SOME: usize = 4;

/// Whether a count is too long: positions whose moves are wanted, with about as many candidates as at the start.
fn too_long(case: &Case, positions: u64) -> bool {
    positions * number(&case.oracle["start"]["triples"]) > SHORT && !long()
}

fn interpreter(case: &Case, stage: Stage) -> Interp {
    stage.interpreter(lower(&case.name, &case.rules))
}

fn number(json: &Json) -> u64 {
    json.as_u64().unwrap_or_else(|| panic!("{json} is a count"))
}

fn numbers(json: &Json) -> Vec<u64> {
    json.as_array()
        .unwrap_or_else(|| panic!("{json} is a list"))
        .iter()
        .map(number)
        .collect()
}

fn legal(game: &Interp, state: &State) -> Vec<Move> {
    match game.legal_moves(state) {
        Ok(moves) => moves.to_vec(),
        Err(fault) => panic!("{fault:?} at {}", game.game().origin(fault.span)),
    }
}

fn distinct(game: &Interp, state: &State) -> Vec<Move> {
    game.distinct_moves(state)
        .unwrap_or_else(|fault| panic!("{fault:?}"))
}

fn after(game: &Interp, state: &State, mv: Move) -> State {
    let mut next = state.clone();
    assert!(game.play(&mut next, mv), "the move belongs to the position");
    next
}

/// How a game ended, in the words of the oracle: the winner's number, `0`, or `stuck`.
fn ending(game: &Interp, state: &State) -> Option<String> {
    let outcome = game.outcome(state)?;
    Some(match (&outcome.reason, outcome.winners.as_slice()) {
        (Reason::Win, [winner]) => (winner + 1).to_string(),
        (Reason::Draw, []) => "0".to_owned(),
        (Reason::Stuck, []) => "stuck".to_owned(),
        (Reason::Fault(fault), _) => {
            panic!("{fault:?} at {}", game.game().origin(fault.span))
        }
        other => panic!("{other:?} is no end of an s3 game"),
    })
}

fn player(game: &Interp, state: &State) -> u64 {
    match game.turn(state) {
        Turn::Decide(players) if players.len() == 1 => u64::from(players[0]) + 1,
        other => panic!("{other:?}"),
    }
}

fn oracle_text(game: &Interp, mv: Move) -> String {
    game.move_text(mv).replace(' ', "|")
}

#[test]
fn starts_are_those_of_the_original() {
    for (stage, case) in Stage::each(cases, 1) {
        let game = interpreter(&case, stage);
        let state = game.initial();
        let start = &case.oracle["start"];
        assert_eq!(
            game.state_text(&state),
            start["state"].as_str().unwrap(),
            "{}",
            case.name
        );
        assert_eq!(
            player(&game, &state),
            number(&start["player"]),
            "{}",
            case.name
        );
        let moves = legal(&game, &state);
        assert_eq!(
            moves.len() as u64,
            number(&start["triples"]),
            "{}",
            case.name
        );
        assert_eq!(
            distinct(&game, &state).len() as u64,
            number(&start["dedup"]),
            "{}",
            case.name
        );
        if let Some(expected) = start["moves"].as_array() {
            let mut texts: Vec<String> = moves.iter().map(|&mv| oracle_text(&game, mv)).collect();
            texts.sort();
            let expected: Vec<&str> = expected.iter().filter_map(Json::as_str).collect();
            assert_eq!(texts, expected, "{}", case.name);
        }
        let sizes = &case.oracle["sizes"];
        let ir = game.game();
        let size = |key: &str| number(&sizes[key]) as usize;
        assert_eq!(ir.player_count(), size("players"), "{}", case.name);
        assert_eq!(ir.families.len(), size("rules"), "{}", case.name);
        assert_eq!(
            ir.presentation.pieces.len(),
            size("elements"),
            "{}",
            case.name
        );
        assert_eq!(
            ir.presentation.places.len(),
            size("locations"),
            "{}",
            case.name
        );
        assert_eq!(
            ir.presentation.blobs.len(),
            size("camera_types"),
            "{}",
            case.name
        );
        assert_eq!(
            ir.sources[0].sha256,
            case.oracle["rules_sha256"].as_str().unwrap()
        );
    }
}

/// Sequences of each length, and those that end, by length and result.
struct Perft<'a> {
    game: &'a Interp,
    distinct: bool,
    depth: usize,
    /// Whether the sequences of the greatest length are looked at, too.
    complete: bool,
    sequences: Vec<u64>,
    ended: BTreeMap<String, u64>,
}

impl Perft<'_> {
    fn count(&mut self, state: &State, ply: usize) {
        self.sequences[ply] += 1;
        if ply == self.depth && !self.complete {
            return;
        }
        if let Some(result) = ending(self.game, state) {
            *self.ended.entry(format!("{ply}:{result}")).or_default() += 1;
        } else if ply < self.depth {
            let moves = match self.distinct {
                true => distinct(self.game, state),
                false => legal(self.game, state),
            };
            for mv in moves {
                self.count(&after(self.game, state, mv), ply + 1);
            }
        }
    }
}

fn check_perft(case: &Case, game: &Interp, key: &str, distinct: bool) {
    let table = &case.oracle[key];
    let expected = numbers(&table["sequences_per_depth"]);
    let mut depth = expected.len() - 1;
    while depth > 1 && too_long(case, expected[..depth].iter().sum()) {
        depth -= 1;
    }
    let complete = depth + 1 == expected.len() && table["exhausted"] == true;
    let sequences = vec![0; depth + 1];
    let mut perft = Perft {
        game,
        distinct,
        depth,
        complete,
        sequences,
        ended: BTreeMap::new(),
    };
    perft.count(&game.initial(), 0);
    assert_eq!(perft.sequences, expected[..=depth], "{} {key}", case.name);
    let counted = |key: &String| {
        let ply = key
            .split(':')
            .next()
            .and_then(|ply| ply.parse::<usize>().ok());
        ply.is_some_and(|ply| ply < depth || complete)
    };
    let ended = table["ended_sequences_by_ply_and_result"]
        .as_object()
        .expect("a table");
    let ended: BTreeMap<String, u64> = ended
        .iter()
        .map(|(key, count)| (key.clone(), number(count)))
        .collect();
    let select = |all: &BTreeMap<String, u64>| -> BTreeMap<String, u64> {
        all.iter()
            .filter(|(key, _)| counted(key))
            .map(|(k, v)| (k.clone(), *v))
            .collect()
    };
    assert_eq!(select(&perft.ended), select(&ended), "{} {key}", case.name);
}

#[test]
fn sequences_of_moves_are_as_many_as_in_the_original() {
    for (stage, case) in Stage::each(cases, SOME) {
        let game = interpreter(&case, stage);
        check_perft(&case, &game, "perft_triples", false);
        check_perft(&case, &game, "perft_dedup", true);
    }
}

fn identity(game: &Interp, name: &str) -> IdentityId {
    let identities = &game.game().identities;
    let at = identities.iter().position(|identity| identity.name == name);
    IdentityId::from(at.unwrap_or_else(|| panic!("there is no identity {name}")))
}

fn check_search(case: &Case, game: &Interp, key: &str, identity: IdentityId, all: bool) {
    let table = &case.oracle[key];
    let expected = numbers(&table["new_states_per_depth"]);
    let results = table["terminals_per_depth"].as_array().expect("a list");
    let mut seen = BTreeSet::new();
    let mut bytes = Vec::new();
    let mut layer = vec![game.initial()];
    game.identity(&layer[0], identity, &mut bytes);
    seen.insert(std::mem::take(&mut bytes));
    let mut visited = 0;
    for (depth, &count) in expected.iter().enumerate() {
        assert_eq!(
            layer.len() as u64,
            count,
            "{} {key} at depth {depth}",
            case.name
        );
        visited += count;
        if too_long(case, visited) {
            return;
        }
        if depth + 1 == expected.len() && table["complete"] != true {
            return;
        }
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        let mut next = Vec::new();
        for state in &layer {
            if let Some(result) = ending(game, state) {
                *ends.entry(result).or_default() += 1;
                continue;
            }
            let moves = if all {
                legal(game, state)
            } else {
                distinct(game, state)
            };
            for mv in moves {
                let child = after(game, state, mv);
                game.identity(&child, identity, &mut bytes);
                if seen.insert(std::mem::take(&mut bytes)) {
                    next.push(child);
                }
            }
        }
        let known = results[depth].as_object().expect("a table");
        let known: BTreeMap<String, u64> = known
            .iter()
            .map(|(key, count)| (key.clone(), number(count)))
            .collect();
        assert_eq!(ends, known, "{} {key} at depth {depth}", case.name);
        layer = next;
    }
    assert!(layer.is_empty(), "{} {key} is complete", case.name);
}

#[test]
fn searches_find_as_many_positions_as_the_original() {
    for (stage, case) in Stage::each(cases, SOME) {
        let game = interpreter(&case, stage);
        for (key, name, all) in [
            ("bfs_canonical", "canonical", false),
            ("bfs_canonical_noscore", "canonical-noscore", false),
            ("bfs_full", "full", true),
        ] {
            check_search(&case, &game, key, identity(&game, name), all);
        }
    }
}

/// Plays one game of the oracle and compares every position of it.
fn check_playout(case: &Case, game: &Interp, playout: &Json) {
    let place = format!("{} seed {}", case.name, playout["seed"]);
    let (players, triples, dedup) = (
        numbers(&playout["players"]),
        numbers(&playout["legal_triples"]),
        numbers(&playout["legal_dedup"]),
    );
    let moves = playout["moves"].as_array().expect("a list");
    let mut state = game.initial();
    for ply in 0..players.len() {
        assert_eq!(player(game, &state), players[ply], "{place} ply {ply}");
        let legal = legal(game, &state);
        assert_eq!(legal.len() as u64, triples[ply], "{place} ply {ply}");
        assert_eq!(
            distinct(game, &state).len() as u64,
            dedup[ply],
            "{place} ply {ply}"
        );
        let Some(text) = moves.get(ply).and_then(Json::as_str) else {
            continue;
        };
        let chosen = legal.iter().find(|&&mv| oracle_text(game, mv) == text);
        let chosen = chosen.unwrap_or_else(|| panic!("{place} ply {ply}: {text} is legal"));
        state = after(game, &state, *chosen);
    }
    assert_eq!(moves.len() as u64, number(&playout["plies"]), "{place}");
    assert_eq!(
        game.state_text(&state),
        playout["final_state"].as_str().unwrap(),
        "{place}"
    );
    let scores: Vec<i64> = playout["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| score.as_i64().unwrap())
        .collect();
    assert_eq!(game.scores(&state), scores, "{place}");
    let expected = match playout["result"].as_str().unwrap() {
        "win" => Some(playout["winner"].to_string()),
        "draw_by_rule" => Some("0".to_owned()),
        "stuck" => Some("stuck".to_owned()),
        _ => None,
    };
    assert_eq!(ending(game, &state), expected, "{place}");
}

#[test]
fn whole_games_run_as_in_the_original() {
    for (stage, case) in Stage::each(cases, 1) {
        let game = interpreter(&case, stage);
        for playout in case.oracle["playouts"].as_array().expect("a list") {
            check_playout(&case, &game, playout);
        }
    }
}

fn has_tagged(game: &Game) -> bool {
    let mut found = game.env.iter().any(|var| var.ty == Type::Tagged);
    for function in &game.functions {
        found |= function.ret == Some(Type::Tagged);
        found |= function.locals.iter().any(|local| local.ty == Type::Tagged);
        walk_exprs(&function.body, &mut |expr| found |= expr.ty == Type::Tagged);
    }
    found
}

#[test]
fn every_value_of_the_original_games_has_one_type() {
    for case in corpus() {
        assert!(
            !has_tagged(&lower(&case.name, &case.rules)),
            "{}",
            case.name
        );
    }
}

#[test]
fn reading_and_lowering_are_fast() {
    for case in cases() {
        let once = || {
            let start = Instant::now();
            let (sources, tree, mut diagnostics) = load(&case.name, &case.rules);
            let tree = tree.unwrap_or_else(|| panic!("{} can be read", case.name));
            s3::lower(&tree, &sources, &mut diagnostics);
            start.elapsed()
        };
        // Other programs may be at work: the quickest of some tries counts.
        let mut time = once();
        for _ in 0..9 {
            if time >= Duration::from_secs(1) {
                time = time.min(once());
            }
        }
        // The aim is a tenth of a second, the rest is for busy machines.
        assert!(
            time < Duration::from_secs(1),
            "{} takes {time:?}",
            case.name
        );
    }
}
