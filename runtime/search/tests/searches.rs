//! Flat Monte Carlo and UCT find what they should.

#[path = "common/mod.rs"]
mod common;
#[path = "../examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use std::time::{Duration, Instant};

use common::{Puzzle, Race};
use rulec_core::{FullGame, Game, Outcome, Rng, StateText, Turn};
use rulec_search::{
    Bot,
    search::{Method, SearchSettings, best_move, flat, uct},
    start,
};
use tic_tac_toe::TicTacToe;

fn at(text: &str) -> <TicTacToe as Game>::State {
    TicTacToe
        .parse_state(text)
        .expect("the tests know the form")
}

fn text<G: FullGame>(game: &G, code: Option<u64>) -> String {
    let mut out = String::new();
    let mv = code
        .and_then(|code| game.move_from_code(code))
        .expect("a move");
    game.write_move(mv, &mut out);
    out
}

fn settings(games: u64) -> SearchSettings {
    SearchSettings::games(Method::Uct, games, 7)
}

#[test]
fn uct_finds_a_win_in_one_and_proves_it() {
    let report = uct(&TicTacToe, &at("xx./oo./..."), &settings(1000), &mut |_| {
        true
    });
    assert_eq!(text(&TicTacToe, report.best()), "c1");
    assert_eq!(report.proof, Some(Outcome::win(0)));
    assert!(report.games < 1000);
}

#[test]
fn uct_finds_a_forced_win() {
    // Cross has two threats, and nought can stop only one.
    let report = uct(&TicTacToe, &at("x.o/.o./x.x"), &settings(2000), &mut |_| {
        true
    });
    assert_eq!(report.proof, Some(Outcome::win(0)));
    let report = uct(&TicTacToe, &at("x../.o./..x"), &settings(4000), &mut |_| {
        true
    });
    let best = text(&TicTacToe, report.best());
    assert!(
        ["b1", "a2", "c2", "b3"].contains(&&*best),
        "the corners lose, but it plays {best}"
    );
    assert_eq!(report.moves[0].value, 0.5);
}

#[test]
fn uct_proves_that_tic_tac_toe_is_a_draw() {
    let report = uct(
        &TicTacToe,
        &TicTacToe.initial(),
        &settings(200_000),
        &mut |_| true,
    );
    assert_eq!(report.proof.map(|o| o.winners), Some(0));
    assert_eq!(report.line.len(), 9);
}

#[test]
fn uct_never_loses_tic_tac_toe() {
    let uct: Bot = "uct:400".parse().expect("a bot");
    for game in 0..30 {
        let mut state = start(&TicTacToe);
        let mut rng = Rng::new(2, game);
        let seat = (game % 2) as usize;
        while let Turn::Decide(players) = state.turn() {
            let bot = if players >> seat & 1 == 1 {
                &uct
            } else {
                &Bot::Random
            };
            let code = bot.choose(&*state, &mut rng).expect("somebody can move");
            state.play(code, None);
        }
        assert!(
            state.outcome().is_some_and(|o| o.payoff(seat) > 0.0),
            "{}",
            state.text()
        );
    }
}

#[test]
fn three_players_each_want_their_own_payoff() {
    // Player 2 needs one point: taking it is certain, rolling gets it too, so both are wins in value,
    // and only taking is proved at once. Player 3 would win next.
    let near = Race.parse_state("4,4,4;2;0;0").expect("a state");
    let report = uct(&Race, &near, &settings(500), &mut |_| true);
    assert_eq!(text(&Race, report.best()), "take");
    assert_eq!(report.proof, Some(Outcome::win(1)));
    // Player 1 needs three, the others one: only rolling, with one chance in six, can win.
    let far = Race.parse_state("2,4,4;1;0;0").expect("a state");
    let report = uct(&Race, &far, &settings(6000), &mut |_| true);
    assert_eq!(text(&Race, report.best()), "roll");
    let roll = report.moves[0].value;
    assert!((roll - 1.0 / 6.0).abs() < 0.03, "{roll}");
    let take = report
        .moves
        .iter()
        .find(|m| text(&Race, Some(m.code)) == "take")
        .expect("two moves");
    assert!(take.value < 0.02, "{}", take.value);
}

#[test]
fn one_player_moves_several_times_in_a_row() {
    let report = uct(&Puzzle, &0, &settings(5000), &mut |_| true);
    assert_eq!(report.proof, Some(Outcome::win(0)));
    let mut state = start(&Puzzle);
    for code in &report.line {
        state.play(*code, None);
    }
    assert_eq!(state.outcome(), Some(Outcome::win(0)));
}

#[test]
fn flat_search_takes_a_win_in_one() {
    let report = flat(&TicTacToe, &at("xx./oo./..."), &settings(500), &mut |_| {
        true
    });
    assert_eq!(text(&TicTacToe, report.best()), "c1");
    assert_eq!(report.moves[0].value, 1.0);
    assert_eq!(report.games, 500);
    let best = best_move(
        &TicTacToe,
        &at("xx./oo./..."),
        &SearchSettings::games(Method::Flat, 500, 7),
    );
    assert_eq!(best, Some(2));
}

#[test]
fn a_seed_repeats_a_search() {
    let run = |seed| {
        uct(
            &Race,
            &Race.initial(),
            &SearchSettings {
                seed,
                ..settings(2000)
            },
            &mut |_| true,
        )
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn time_and_progress_stop_a_search() {
    let timed = SearchSettings {
        games: None,
        time: Some(Duration::from_millis(50)),
        ..settings(0)
    };
    let begun = Instant::now();
    let report = uct(&Race, &Race.initial(), &timed, &mut |_| true);
    assert!(report.games > 0 && begun.elapsed() < Duration::from_secs(60));
    let report = uct(&Race, &Race.initial(), &settings(u64::MAX), &mut |games| {
        games < 100
    });
    assert!((100..10_000).contains(&report.games));
}

#[test]
fn a_full_tree_still_answers() {
    let small = SearchSettings {
        nodes: 1,
        ..settings(2000)
    };
    let report = uct(&TicTacToe, &at("xx./oo./..."), &small, &mut |_| true);
    assert_eq!(text(&TicTacToe, report.best()), "c1");
    let report = uct(&Race, &Race.initial(), &small, &mut |_| true);
    assert_eq!((report.games, report.nodes), (2000, 3));
}

#[test]
fn any_exploration_weight_is_safe() {
    for exploration in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let odd = SearchSettings {
            exploration,
            ..settings(1000)
        };
        let report = uct(&TicTacToe, &at("xx./oo./..."), &odd, &mut |_| true);
        assert_eq!(text(&TicTacToe, report.best()), "c1");
    }
}

#[test]
fn positions_without_a_decision_have_no_best_move() {
    let won = at("xxx/oo./...");
    assert_eq!(
        uct(&TicTacToe, &won, &settings(10), &mut |_| true).best(),
        None
    );
    assert_eq!(
        flat(&TicTacToe, &won, &settings(10), &mut |_| true).best(),
        None
    );
    let fault = uct(&Puzzle, &7, &settings(10), &mut |_| true);
    assert_eq!(
        (fault.best(), fault.proof.map(|o| o.reason.word())),
        (None, Some("fault"))
    );
}
