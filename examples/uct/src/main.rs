//! A game compiled in place by the macro, and played against itself by tree search.
//!
//! `cargo run --profile light -p uct` plays a game of connect four; another number of random games a move can be
//! given: `cargo run --profile light -p uct -- 50000`.

use rulec_runtime::search::search::{Method, SearchSettings, uct};
use rulec_runtime::{Game, Silent, Turn};

rulec_runtime::game!("../../../games/s3/connect_four.s3");

fn main() {
    let games = std::env::args().nth(1).map_or(Ok(5_000), |n| n.parse());
    let Ok(games) = games else {
        eprintln!("usage: uct [GAMES], the number of random games a move");
        std::process::exit(2);
    };
    let game = connect_four::Game;
    let mut state = game.initial();
    while let Turn::Decide(_) = game.turn(&state) {
        let settings = SearchSettings::games(Method::Uct, games, 1);
        let report = uct(&game, &state, &settings, &mut |_| true);
        let best = report.moves.first();
        let Some((best, mv)) = best.and_then(|m| Some((m, game.move_from_code(m.code)?))) else {
            break;
        };
        let mut text = String::new();
        game.write_move(mv, &mut text);
        println!("{text:24} value {:.3} in {} games", best.value, best.visits);
        game.play(&mut state, mv, &mut Silent);
    }
    if let Some(outcome) = game.outcome(&state) {
        println!("{}", outcome.text(game.info()));
    }
}
