//! Plays every compiled sample and prints what happens, one line a fact.

#![forbid(unsafe_code)]

mod games;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use rulec_runtime::{ChanceList, ChoiceSet, FullGame, MoveList, Outcome, Reason, Rng, Silent, Turn};

fn main() {
    let mut out = String::new();
    games::walk_all(&mut out);
    std::io::stdout().write_all(out.as_bytes()).expect("stdout is open");
}

/// The generator that both sides choose moves with.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 33) as usize % n
    }
}

fn outcome_text<G: FullGame>(game: &G, outcome: Option<Outcome>) -> String {
    match outcome {
        None => String::from("none"),
        Some(Outcome {
            reason: Reason::Fault(fault),
            ..
        }) => {
            let site = &game.info().faults[usize::from(fault.site)];
            format!("fault {} {}", site.code, site.origin)
        }
        Some(outcome) => format!("{} {:b}", outcome.reason.word(), outcome.winners),
    }
}

fn move_text<G: FullGame>(game: &G, mv: G::Move) -> String {
    let mut text = String::new();
    game.write_move(mv, &mut text);
    let code = game.move_code(mv);
    assert_eq!(game.move_from_code(code).map(|mv| game.move_code(mv)), Some(code));
    assert!(game.move_index(mv) < game.info().move_count.max(1), "{text}");
    let mut parsed = MoveList::new();
    game.parse_move(&text, &mut parsed);
    assert!(parsed.contains(&mv), "`{text}` is not read back");
    text
}

/// Random games of one program.
pub fn walk<G: FullGame>(game: &G, name: &str, seeds: u64, plies: usize, out: &mut String) {
    let mut classes: Vec<BTreeMap<Vec<u8>, usize>> = vec![BTreeMap::new(); game.info().identities.len()];
    let mut count = 0;
    for seed in 0..seeds {
        let _ = writeln!(out, "game {name} {seed}");
        let mut random = SplitMix(seed);
        let mut state = game.initial();
        for _ in 0..plies {
            count += 1;
            describe(game, &state, &mut classes, count, out);
            let Some(mv) = choose(game, &state, &mut random, out) else {
                break;
            };
            let _ = writeln!(out, "play {}", move_text(game, mv));
            game.play(&mut state, mv, &mut Silent);
        }
        playouts(game, seed);
    }
}

fn describe<G: FullGame>(
    game: &G,
    state: &G::State,
    classes: &mut [BTreeMap<Vec<u8>, usize>],
    count: usize,
    out: &mut String,
) {
    let mut text = String::new();
    game.write_state(state, &mut text);
    let _ = writeln!(out, "state {text}");
    let _ = writeln!(out, "outcome {}", outcome_text(game, game.outcome(state)));
    let mut names: Vec<&str> = game.info().identities.to_vec();
    names.sort_unstable();
    for name in names {
        let identity = game.info().identities.iter().position(|other| *other == name).unwrap_or(0);
        let mut bytes = Vec::new();
        game.identity(state, identity, &mut bytes);
        let class = *classes[identity].entry(bytes).or_insert(count);
        let _ = writeln!(out, "class {name} {class}");
    }
    let mut scores = Vec::new();
    game.scores(state, &mut scores);
    let _ = writeln!(out, "scores {scores:?}");
    assert!(*state == state.clone() && game.key(state) == game.key(&state.clone()));
}

fn choose<G: FullGame>(game: &G, state: &G::State, random: &mut SplitMix, out: &mut String) -> Option<G::Move> {
    let turn = game.turn(state);
    match turn {
        Turn::Over => {
            let mut moves = MoveList::new();
            game.legal_moves(state, &mut moves).expect("nothing is tried");
            assert!(moves.is_empty());
            None
        }
        Turn::Chance => {
            let mut results = ChanceList::new();
            game.chance_outcomes(state, &mut results);
            let mut texts: Vec<(String, u64, G::Move)> = results
                .iter()
                .map(|&(mv, weight)| (move_text(game, mv), weight, mv))
                .collect();
            texts.sort();
            for (text, weight, _) in &texts {
                let _ = writeln!(out, "result {text} {weight}");
            }
            Some(texts[random.below(texts.len())].2)
        }
        Turn::Decide(players) => {
            let _ = writeln!(out, "turn {players:b}");
            let mut moves = MoveList::new();
            if let Err(fault) = game.legal_moves(state, &mut moves) {
                let fault = outcome_text(game, Some(Outcome::fault(fault)));
                let _ = writeln!(out, "moves {fault}");
                return None;
            }
            let mut texts: Vec<(String, G::Move)> =
                moves.iter().map(|&mv| (move_text(game, mv), mv)).collect();
            texts.sort();
            for (text, _) in &texts {
                let _ = writeln!(out, "move {text}");
            }
            let mut distinct = MoveList::new();
            match game.distinct_moves(state, &mut distinct) {
                Ok(()) => {
                    assert!(distinct.iter().all(|mv| moves.contains(mv)));
                    let _ = writeln!(out, "distinct {}", distinct.len());
                }
                Err(fault) => {
                    let fault = Some(Outcome::fault(fault));
                    let _ = writeln!(out, "distinct {}", outcome_text(game, fault));
                }
            }
            Some(texts[random.below(texts.len())].1)
        }
    }
}

/// Playouts end where ordinary play ends, and every move of them is legal.
fn playouts<G: FullGame>(game: &G, seed: u64) {
    let mut buffer = MoveList::new();
    for choices in [ChoiceSet::All, ChoiceSet::Distinct] {
        let mut state = game.initial();
        let mut rng = Rng::new(seed, 7);
        let playout = game.random_playout(&mut state, &mut rng, 60, choices, &mut buffer);
        assert_eq!(playout.outcome, game.outcome(&state));
        assert!(playout.outcome.is_some() == (game.turn(&state) == Turn::Over));
        assert!(playout.plies <= 60);
    }
}
