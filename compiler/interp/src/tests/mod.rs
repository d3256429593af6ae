//! What the interpreter makes of the samples.

mod bundled;
mod games;

use super::*;
use rulec_samples as samples;

fn load(name: &str) -> Interp {
    let game = samples::by_name(name).expect("a sample of this name");
    interp(name, game)
}

fn interp(name: &str, game: Game) -> Interp {
    match Interp::new(game) {
        Ok(interp) => interp,
        Err(errors) => panic!("{name}: {errors:#?}"),
    }
}

/// The moves, or results of a draw, of a position.
fn options(interp: &Interp, state: &State) -> Vec<Move> {
    match interp.turn(state) {
        Turn::Chance => {
            let outcomes = interp.chance_outcomes(state);
            outcomes.iter().map(|(mv, _)| *mv).collect()
        }
        _ => interp
            .legal_moves(state)
            .map(<[Move]>::to_vec)
            .unwrap_or_default(),
    }
}

/// Number of sequences of moves and draws of a length; ended games are not extended.
fn perft(interp: &Interp, state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |mv: Move| {
        let mut next = state.clone();
        assert!(interp.play(&mut next, mv));
        perft(interp, &next, depth - 1)
    };
    options(interp, state).into_iter().map(after).sum()
}

fn perfts(name: &str, depths: std::ops::RangeInclusive<u32>) -> Vec<u64> {
    let interp = load(name);
    let start = interp.initial();
    depths.map(|d| perft(&interp, &start, d)).collect()
}

/// The state after moves by their texts.
fn play(interp: &Interp, moves: &[&str]) -> State {
    let mut state = interp.initial();
    for text in moves {
        step(interp, &mut state, text);
    }
    state
}

fn step(interp: &Interp, state: &mut State, text: &str) -> Vec<Event> {
    let legal = options(interp, state);
    let mv = interp
        .parse_move(text)
        .into_iter()
        .find(|mv| legal.contains(mv));
    let mv = mv.unwrap_or_else(|| panic!("`{text}` is not among {:?}", texts(interp, state)));
    let mut events = Vec::new();
    assert!(interp.play_with_events(state, mv, &mut events));
    events
}

fn texts(interp: &Interp, state: &State) -> Vec<String> {
    let moves = options(interp, state);
    moves.into_iter().map(|mv| interp.move_text(mv)).collect()
}

fn reason(interp: &Interp, state: &State) -> String {
    match interp.outcome(state) {
        Some(outcome) => format!("{} {:?}", outcome.reason.word(), outcome.winners),
        None => String::from("goes on"),
    }
}

/// A sequence of numbers for tests, the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// Plays at random and calls `visit` on every position.
fn wander(interp: &Interp, seed: u64, plies: usize, mut visit: impl FnMut(&State)) {
    let mut dice = Dice(seed);
    let mut state = interp.initial();
    visit(&state);
    for _ in 0..plies {
        let moves = options(interp, &state);
        if moves.is_empty() {
            return;
        }
        assert!(interp.play(&mut state, moves[dice.below(moves.len())]));
        visit(&state);
    }
}

/// Guards that are taken apart say what they say as a whole.
fn guards_are_what_they_were(interp: &Interp, seed: u64, plies: usize) {
    wander(interp, seed, plies, |state| {
        let plainly = moves::find_legal_plainly(state);
        assert_eq!(**state.legal(), plainly, "{}", interp.game().name);
    });
}

#[test]
fn questions_are_answered_as_the_guard_is() {
    for (name, game) in samples::all() {
        let interp = interp(name, game);
        (0..6).for_each(|seed| guards_are_what_they_were(&interp, seed, 40));
    }
    for seed in 0..300 {
        let game = samples::random_game(seed);
        let interp = interp(&game.name.clone(), game);
        guards_are_what_they_were(&interp, seed, 40);
    }
}

#[test]
fn tic_tac_toe_has_the_known_counts() {
    assert_eq!(
        perfts("tic-tac-toe", 1..=6),
        [9, 72, 504, 3024, 15120, 54720]
    );
}

#[test]
#[ignore = "all games take a while in a debug build"]
fn tic_tac_toe_to_the_end() {
    assert_eq!(perfts("tic-tac-toe", 7..=9), [148_176, 200_448, 127_872]);
}

#[test]
fn hex_has_no_draw() {
    // Nobody can have joined two sides before the fifth stone.
    assert_eq!(perfts("hex", 1..=5), [9, 72, 504, 3024, 15120]);
    let hex = load("hex");
    for seed in 0..40 {
        let mut last = None;
        wander(&hex, seed, 9, |state| last = hex.outcome(state));
        let outcome = last.expect("the board is full at the latest");
        assert_eq!((outcome.reason, outcome.winners.len()), (Reason::Win, 1));
    }
}

fn texts_come_back(name: &str, interp: &Interp, seed: u64) {
    wander(interp, seed, 40, |state| {
        let text = interp.state_text(state);
        match interp.parse_state(&text) {
            Ok(again) => {
                assert_eq!(interp.state_text(&again), text, "{name}");
                assert!(again == *state, "{name}: {text}");
                assert_eq!(interp.turn(&again), interp.turn(state), "{name}: {text}");
                assert_eq!(
                    texts(interp, &again),
                    texts(interp, state),
                    "{name}: {text}"
                );
            }
            Err(error) => panic!("{name}: {text}: {error}"),
        }
        for mv in options(interp, state) {
            let text = interp.move_text(mv);
            assert_eq!(interp.parse_move(&text), [mv], "{name}: {text}");
            assert_eq!(interp.move_from_code(mv.code()), Some(mv));
        }
    });
}

/// A game in both forms.
fn both(name: &str, game: Game) -> [Interp; 2] {
    let mut suspended = game.clone();
    rulec_compiler::opt::suspend::run(&mut suspended);
    [interp(name, game), interp(name, suspended)]
}

#[test]
fn texts_are_read_as_they_are_written() {
    for (name, game) in samples::all() {
        for interp in both(name, game) {
            (0..8).for_each(|seed| texts_come_back(name, &interp, seed));
        }
    }
    for seed in 0..60 {
        let game = samples::random_game(seed);
        for interp in both(&game.name.clone(), game) {
            texts_come_back(&interp.game().name, &interp, seed);
        }
    }
}

#[test]
fn other_texts_are_refused_and_say_where() {
    let rooks = load("rooks");
    let start = rooks.state_text(&rooks.initial());
    assert_eq!(start, "b1@a3;b2@c3;w1@a1;w2@c1|1|0|-1");
    let cases = [
        ("", "expected `b1` at position 1, but the text ends there"),
        (
            "b1@d3;b2@c3;w1@a1;w2@c1|1|0|-1",
            "expected a member or `-` at position 4, found `d3;b2@c3;w1@a1;w2@c1`",
        ),
        (
            "b1@a3;b2@a3;w1@a1;w2@c1|1|0|-1",
            "expected a place where no other piece stands at position 10, found `a3;w1@a1;w2@c1|1|0|-`",
        ),
        (
            "b1@a3;b2@c3;w1@a1;w2@c1|3|0|-1",
            "expected an integer from 1 to 2 at position 25, found `3|0|-1`",
        ),
        (
            "b1@a3;b2@c3;w1@a1;w2@c1|1|10|-1",
            "expected an integer from 0 to 9 at position 27, found `10|-1`",
        ),
        (
            "b1@a3;b2@c3;w1@a1;w2@c1|1|0|-1 ",
            "expected the end at position 31, found ` `",
        ),
        (
            "b1@a3;b2@c3;w1@a1;w2@c1|01|0|-1",
            "expected `1|0|-1` at position 25, found `01|0|-1`",
        ),
    ];
    for (text, message) in cases {
        let error = rooks.parse_state(text).map(|_| ()).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
    for cut in 0..start.len() {
        assert!(rooks.parse_state(&start[..cut]).is_err());
    }
    assert!(rooks.parse_move("w1-d1").is_empty() && rooks.parse_move("w1-a1 ").is_empty());
}

#[test]
fn damaged_texts_never_panic() {
    for (name, game) in samples::all() {
        let interp = interp(name, game);
        let mut written = Vec::new();
        wander(&interp, 5, 12, |state| {
            written.push(interp.state_text(state))
        });
        let mut dice = Dice(9);
        for text in written {
            let chars: Vec<char> = text.chars().collect();
            for _ in 0..60 {
                let mut damaged = chars.clone();
                let at = dice.below(damaged.len());
                match dice.below(3) {
                    0 => damaged[at] = chars[dice.below(chars.len())],
                    1 => drop(damaged.remove(at)),
                    _ => damaged.insert(at, chars[dice.below(chars.len())]),
                }
                let damaged: String = damaged.into_iter().collect();
                if let Ok(state) = interp.parse_state(&damaged) {
                    assert_eq!(interp.state_text(&state), damaged);
                    options(&interp, &state);
                }
            }
        }
    }
}

/// Process and machine are the same game.
#[test]
fn the_machine_plays_like_the_process() {
    for (name, game) in samples::all() {
        let mut suspended = game.clone();
        rulec_compiler::opt::suspend::run(&mut suspended);
        let (process, machine) = (interp(name, game), interp(name, suspended));
        for seed in 0..12 {
            same_game(name, &process, &machine, seed);
        }
    }
}

fn same_game(name: &str, process: &Interp, machine: &Interp, seed: u64) {
    let mut dice = Dice(seed);
    let (mut a, mut b) = (process.initial(), machine.initial());
    let mut seen: Vec<(State, State)> = Vec::new();
    for _ in 0..40 {
        assert_eq!(process.turn(&a), machine.turn(&b), "{name}");
        assert_eq!(process.outcome(&a), machine.outcome(&b), "{name}");
        assert_eq!(
            process.chance_outcomes(&a),
            machine.chance_outcomes(&b),
            "{name}"
        );
        assert_eq!(process.legal_moves(&a), machine.legal_moves(&b), "{name}");
        assert_eq!(
            process.distinct_moves(&a),
            machine.distinct_moves(&b),
            "{name}"
        );
        assert_eq!(process.scores(&a), machine.scores(&b), "{name}");
        for (old_a, old_b) in &seen {
            assert_eq!(*old_a == a, *old_b == b, "{name}");
            for identity in (0..process.game().identities.len()).map(IdentityId::from) {
                let bytes = |interp: &Interp, state: &State| {
                    let mut bytes = Vec::new();
                    interp.identity(state, identity, &mut bytes);
                    bytes
                };
                let same_a = bytes(process, old_a) == bytes(process, &a);
                let same_b = bytes(machine, old_b) == bytes(machine, &b);
                assert_eq!(same_a, same_b, "{name}");
            }
        }
        seen.push((a.clone(), b.clone()));
        let moves = options(process, &a);
        if moves.is_empty() {
            return;
        }
        let mv = moves[dice.below(moves.len())];
        let (mut events_a, mut events_b) = (Vec::new(), Vec::new());
        assert!(process.play_with_events(&mut a, mv, &mut events_a));
        assert!(machine.play_with_events(&mut b, mv, &mut events_b));
        assert_eq!(events_a, events_b, "{name}");
    }
}

#[test]
fn random_games_play_alike_in_both_forms() {
    let mut faults = 0;
    let mut longest = 0;
    for seed in 0..400 {
        let game = samples::random_game(seed);
        let name = game.name.clone();
        let mut suspended = game.clone();
        rulec_compiler::opt::suspend::run(&mut suspended);
        let (process, machine) = (interp(&name, game), interp(&name, suspended));
        for run in 0..3 {
            same_game(&name, &process, &machine, seed * 7 + run);
        }
        let mut plies = 0;
        wander(&process, seed, 60, |state| {
            plies += 1;
            faults += usize::from(reason(&process, state).starts_with("fault"));
            for interp in [&process, &machine] {
                let _ = interp.initial();
            }
        });
        longest = longest.max(plies);
    }
    assert!(longest > 8, "the games end too early: {longest}");
    assert!(
        (1..250).contains(&faults),
        "{faults} of 400 games end in faults"
    );
}
