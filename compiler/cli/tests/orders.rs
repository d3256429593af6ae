//! Who acts where several players may: drawn, round the table, or as it comes.

use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;
use rulec_core::{ChoiceSet, Rng, Turn};
use rulec_quick::QuickGame;
use rulec_search::playout::{PlayoutJob, Tally};
use rulec_search::{Bot, Order, State, ordered};

/// Everybody drops what he has; cat has one thing, the others two.
const RULES: &str = "Type Coin Table\nPlayers ann bob cat\n    active all\nTable t\nCoin a1\n    owner ann\n\
    Coin a2\n    owner ann\nCoin b1\n    owner bob\nCoin b2\n    owner bob\nCoin c1\n    owner cat\n\
    Action Drop Coin c\n    require owns c\n    effect disown c\n";

fn game() -> InterpretedGame {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("orders");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("drop{:?}.bgm", std::thread::current().id()));
    std::fs::write(&file, RULES).expect("it can be written");
    let rules = Rules::open(&file, "all").expect("it can be read");
    InterpretedGame::new(rules.output.expect("it compiles").lowered).expect("it is sound")
}

fn compiled(name: &str, rules: &str) -> (InterpretedGame, QuickGame) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("orders");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}.bgm"));
    std::fs::write(&file, rules).expect("it can be written");
    let rules = Rules::open(&file, "all").expect("it can be read");
    let output = rules.output.expect("it compiles");
    let slow = InterpretedGame::new(output.lowered).expect("it is sound");
    (
        slow,
        QuickGame::new(output.game).expect("it is run quickly"),
    )
}

fn moves(state: &State<'_>) -> Vec<u64> {
    let mut moves = Vec::new();
    state.moves(ChoiceSet::All, &mut moves).expect("no fault");
    moves
}

#[test]
fn without_an_order_everybody_decides() {
    let game = game();
    let start = rulec_engines::interpreted(&game);
    assert!(start.info().several_at_once);
    let free = ordered(&*start, Order::Free, false);
    assert_eq!(free.turn(), Turn::Decide(0b111));
    let movers: Vec<usize> = moves(&free).iter().map(|&code| free.mover(code)).collect();
    assert_eq!(movers, [0, 0, 1, 1, 2]);
}

#[test]
fn round_robin_goes_by_seats_and_skips_who_cannot_move() {
    let game = game();
    let start = rulec_engines::interpreted(&game);
    let mut state = ordered(&*start, Order::RoundRobin, false);
    let mut movers = Vec::new();
    while let Turn::Decide(players) = state.turn() {
        assert_eq!(players.count_ones(), 1);
        let moves = moves(&state);
        let by = |&&code: &&u64| players == 1 << state.mover(code);
        assert_eq!(moves.iter().filter(by).count(), moves.len());
        movers.push(players.trailing_zeros());
        state.play(moves[0], None);
    }
    assert_eq!(movers, [0, 1, 2, 0, 1]);
    assert_eq!(state.turn(), Turn::Over);
}

#[test]
fn by_default_one_is_drawn_of_those_who_can_move() {
    let game = game();
    let start = rulec_engines::interpreted(&game);
    let mut state = ordered(&*start, Order::default(), false);
    assert_eq!(state.turn(), Turn::Chance);
    let results = state.results();
    let texts: Vec<String> = results
        .iter()
        .map(|&(code, _)| state.move_text(code))
        .collect();
    assert_eq!(texts, ["ann acts", "bob acts", "cat acts"]);
    assert!(results.iter().all(|&(_, weight)| weight == 1));
    state.play(results[2].0, None);
    assert_eq!(state.turn(), Turn::Decide(0b100));
    state.play(moves(&state)[0], None);
    assert_eq!(state.results().len(), 2, "cat has nothing left");
    let mut rng = Rng::new(1, 1);
    while state.turn() != Turn::Over {
        let code = match state.turn() {
            Turn::Chance => state.results().draw(&mut rng),
            _ => moves(&state).first().copied(),
        };
        assert!(state.play(code.expect("there is something"), None));
    }
}

#[test]
fn a_search_weighs_the_moves_of_all_who_may_act() {
    let game = game();
    let start = rulec_engines::interpreted(&game);
    let bot: Bot = "uct:200".parse().expect("a bot");
    let report = bot.search(&*start, 1);
    assert_eq!(report.moves.len(), 5);
    let first = ordered(&*start, Order::Uniform, true);
    assert_eq!(first.turn(), Turn::Decide(0b111));
}

#[test]
fn records_of_games_hold_moves_only() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("orders-records");
    // What an earlier run left is in the way.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let rules = folder.join("drop.bgm");
    std::fs::write(&rules, RULES).expect("it can be written");
    let records = folder.join("records.jsonl");
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_rulec"))
        .arg("selfplay")
        .arg(&rules)
        .args(["--games", "3", "--out"])
        .arg(&records)
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");
    let text = std::fs::read_to_string(&records).expect("it was written");
    let games = text.lines().filter(|line| line.contains("Drop")).count();
    assert!(games == 3 && !text.contains(" acts"), "{text}");
}

#[test]
fn random_games_are_the_same_whoever_draws_who_acts() {
    let chances = "Type Coin Table\nPlayers ann bob cat\n    active all\nTable t\nCoin a1\n    owner ann\n\
        Coin b1\n    owner bob\nCoin b2\n    owner bob\nCoin c1\n    owner cat\n\
        Action Drop Coin c\n    require owns c\n    effect disown c\n    effect players bob\n\
        Action All\n    effect players all\n";
    for (name, rules) in [("all", RULES), ("some", chances)] {
        let (slow, quick) = compiled(name, rules);
        let (slow, quick) = (
            rulec_engines::interpreted(&slow),
            rulec_engines::quick(&quick),
        );
        for order in [Order::Uniform, Order::RoundRobin] {
            for (limit, choices) in [
                (2, ChoiceSet::All),
                (9, ChoiceSet::All),
                (50, ChoiceSet::Distinct),
            ] {
                let job = PlayoutJob {
                    seed: 3,
                    limit,
                    choices,
                };
                let mut tallies = [Tally::default(), Tally::default()];
                for (state, tally) in [&slow, &quick].into_iter().zip(&mut tallies) {
                    ordered(&**state, order, false).playouts(&job, 0..200, tally);
                }
                assert_eq!(tallies[0], tallies[1], "{name}, {order}, limit {limit}");
            }
        }
    }
}
