//! Tests that hold today, written down: what is legal in positions of random games.
//!
//! The first ones go where no earlier one went: to another kind of move, another end, another block of what moves do. The
//! others are positions of random games.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;
use rulec_compiler::ir::{Game, PlacementId};
use rulec_compiler::source::Span;
use rulec_core::Rng;
use rulec_interp::{Event, Interp, Move, State};
use toml::Value;

use super::cover::Blocks;
use super::suite::{self, Suite};
use crate::check::walk::PASSED;

/// Random games that are looked at for each test, and the longest line of moves of one.
const GAMES: u64 = 40;
const LONGEST: usize = 60;
/// Pieces whose places are told.
const MOST_PIECES: usize = 6;
/// Positions that a test may visit when it counts lines of moves, and most moves that it lists.
const EFFORT: u64 = 400;
const LISTED: usize = 8;
/// The greatest length of lines that are counted.
const DEEPEST: usize = 3;

/// Something that a test can be the first to come to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    Family(usize),
    Block(i64),
    End(Span),
}

/// At most so many tests, as the text of a file, beside those that there are; game `n` is on stream `n` of the seed. A first
/// file begins with the start of the game.
pub(super) fn tests(game: &Game, seed: u64, count: usize, known: usize) -> Result<String> {
    let (told, _) = Blocks::told(game);
    let told = super::interp(&told)?;
    let plain = super::interp(game)?;
    let mut seen: BTreeSet<Sight> = BTreeSet::new();
    let mut lines: Vec<Vec<Move>> = Vec::new();
    if known == 0 {
        lines.push(Vec::new());
    }
    for number in 0..GAMES * count as u64 {
        if lines.len() >= count {
            break;
        }
        let mut rng = Rng::new(seed, number);
        let random = walk(&told, &mut rng);
        let mut fresh = 0;
        for (at, sights) in random.sights.iter().enumerate() {
            for sight in sights {
                if seen.insert(sight.clone()) {
                    fresh = at + 1;
                }
            }
        }
        // Once there is nothing new, any position will do.
        let dull = number >= GAMES;
        let cut = match fresh {
            0 if dull => 1 + rng.below(random.moves.len().max(1) as u32) as usize,
            fresh => fresh,
        };
        let line = random.moves[..cut.min(random.moves.len())].to_vec();
        if !line.is_empty() && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let tests = lines.iter().enumerate();
    let tests: Vec<String> = tests
        .map(|(number, line)| test(&plain, known + number, line))
        .collect::<Result<_>>()?;
    Ok(tests.join("\n"))
}

/// A random game, and what each of its moves was the way to.
struct Random {
    moves: Vec<Move>,
    sights: Vec<Vec<Sight>>,
}

fn walk(interp: &Interp, rng: &mut Rng) -> Random {
    let mut state = interp.initial();
    let mut random = Random {
        moves: Vec::new(),
        sights: Vec::new(),
    };
    while random.moves.len() < LONGEST {
        let Some(mv) = drawn(interp, &state, rng) else {
            break;
        };
        let mut events = Vec::new();
        interp.play_with_events(&mut state, mv, &mut events);
        random.moves.push(mv);
        random.sights.push(sights(interp, &state, mv, &events));
    }
    random
}

fn drawn(interp: &Interp, state: &State, rng: &mut Rng) -> Option<Move> {
    if interp.outcome(state).is_some() {
        return None;
    }
    let chances = interp.chance_outcomes(state).into_iter().map(|(mv, _)| mv);
    let moves: Vec<Move> = match interp.distinct_moves(state) {
        Ok(legal) => legal.into_iter().chain(chances).collect(),
        Err(_) => return None,
    };
    match moves.len() {
        0 => None,
        count => moves.get(rng.below(count as u32) as usize).copied(),
    }
}

fn sights(interp: &Interp, state: &State, mv: Move, events: &[Event]) -> Vec<Sight> {
    let mut sights = Vec::new();
    sights.extend(interp.move_numbers(mv, &mut Vec::new()).map(Sight::Family));
    for event in events {
        if let Event::Signal(name, values) = event
            && name == PASSED
            && let Some((rulec_interp::Value::Int(block), _)) = values.first()
        {
            sights.push(Sight::Block(*block));
        }
    }
    sights.extend(interp.ended_by(state).map(Sight::End));
    sights
}

/// Where pieces stand, if there are so few that they can be told.
fn standing(interp: &Interp, state: &State, text: &mut String) {
    let mut places: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (number, placement) in interp.game().placements.iter().enumerate() {
        let (pieces, all) = (
            interp.game().domain(placement.pieces),
            interp.game().domain(placement.places),
        );
        if pieces.len() > MOST_PIECES {
            continue;
        }
        for place in 0..all.len() as u32 {
            let here = interp.on_place(state, PlacementId::from(number), place);
            if !here.is_empty() {
                let names = here
                    .iter()
                    .map(|piece| Value::String(pieces.member(*piece)));
                let standing = places.entry(all.member(place)).or_default();
                standing.extend(names);
            }
        }
    }
    if !places.is_empty() {
        let places = places
            .into_iter()
            .map(|(place, here)| (place, Value::Array(here)));
        let _ = writeln!(text, "at = {}", Value::Table(places.collect()));
    }
}

/// The position behind a line of moves, as a test.
fn test(interp: &Interp, number: usize, line: &[Move]) -> Result<String> {
    let mut state = interp.initial();
    let mut after = Vec::new();
    for mv in line {
        after.push(Value::String(interp.move_text_in(&state, *mv)));
        interp.play(&mut state, *mv);
    }
    let ((to_move, outcome, moves), _) = suite::seen(interp, &state);
    let mut text = String::from("[[test]]\n");
    let name = match number {
        0 => "the start".to_owned(),
        number => format!("recorded {number}"),
    };
    let quoted = |text: &str| Value::String(text.to_owned());
    let _ = writeln!(text, "name = {}", quoted(&name));
    if !after.is_empty() {
        let _ = writeln!(text, "after = {}", Value::Array(after));
    }
    let _ = writeln!(text, "to_move = {}", quoted(&to_move));
    let _ = writeln!(text, "outcome = {}", quoted(&outcome));
    standing(interp, &state, &mut text);
    let scores = interp.scores(&state);
    if scores.iter().any(|score| *score != 0) {
        let scores = scores.into_iter().map(Value::Integer).collect();
        let _ = writeln!(text, "scores = {}", Value::Array(scores));
    }
    if outcome != "open" {
        return Ok(text);
    }
    if moves.len() <= LISTED {
        let moves = moves.iter().map(|mv| quoted(mv)).collect();
        let _ = writeln!(text, "moves = {}", Value::Array(moves));
    }
    let counts = counts(interp, &state);
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    let _ = writeln!(text, "perft = [{}]", counts.join(", "));
    Ok(text)
}

/// Lines of one move, of two and so on, as long as counting them is quick.
fn counts(interp: &Interp, state: &State) -> Vec<u64> {
    let mut counts: Vec<u64> = Vec::new();
    while counts.len() < DEEPEST && counts.last().is_none_or(|last| *last <= EFFORT) {
        match Suite::count(interp, state, counts.len()) {
            Ok(count) => counts.push(count),
            Err(_) => break,
        }
    }
    counts
}
