//! Searches that look ahead, solving and certificates agree with what a plain recursion finds, for two and three players
//! and for players who move several times in a row.

#[path = "../../search/tests/common/mod.rs"]
mod common;
#[path = "../../search/tests/common/graph.rs"]
mod graph;
#[path = "../../search/tests/common/heap.rs"]
mod heap;
#[path = "../../search/examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

use std::fs;

use clap::Parser;
use common::{Puzzle, Race};
use graph::Graph;
use heap::{Heap, HeapState};
use rulec_command::{Command, Error, run};
use rulec_core::{ChoiceSet, FullGame, Game, MoveList, Outcome, Rng, Silent, StateText, Turn};
use rulec_search::{
    Bot, State,
    exhaust::{Engine, Exhaust, ExhaustLimits, Force},
    expectimax::expectimax,
    explore::{ExploreLimits, Keep},
    hide,
    search::{SearchReport, SearchSettings},
    solve, start,
    verify::verify,
};
use tic_tac_toe::TicTacToe;

fn children(game: &Heap, state: &HeapState) -> Vec<(u8, HeapState)> {
    let mut moves = MoveList::new();
    game.legal_moves(state, &mut moves).expect("no fault");
    let after = |mv| {
        let mut next = *state;
        game.play(&mut next, mv, &mut Silent);
        (mv, next)
    };
    moves.into_iter().map(after).collect()
}

/// The payoff of a player if he wants much and all others that he gets little.
fn paranoid(game: &Heap, state: &HeapState, me: usize) -> f64 {
    if let Some(outcome) = game.outcome(state) {
        return outcome.payoff(me);
    }
    let values = children(game, state)
        .into_iter()
        .map(|(_, next)| paranoid(game, &next, me));
    match usize::from(state.player) == me {
        true => values.fold(0.0, f64::max),
        false => values.fold(1.0, f64::min),
    }
}

/// What everybody gets if everybody wants as much as possible, sooner rather than later, and takes the first of equal moves.
fn selfish(game: &Heap, state: &HeapState, ply: i32) -> Vec<f64> {
    if let Some(outcome) = game.outcome(state) {
        let late = 1.0 - 1e-6 * f64::from(ply);
        let players = 0..game.info().players.len();
        return players
            .map(|p| 0.5 + (outcome.payoff(p) - 0.5) * late)
            .collect();
    }
    let mover = usize::from(state.player);
    let all = children(game, state)
        .into_iter()
        .map(|(_, next)| selfish(game, &next, ply + 1));
    let better = |a: Vec<f64>, b: Vec<f64>| if b[mover] > a[mover] + 1e-12 { b } else { a };
    all.reduce(better).expect("somebody can move")
}

/// What a search that turns the sign at every ply takes for the payoff of who is on turn.
fn sign_flipping(game: &Heap, state: &HeapState) -> f64 {
    if let Some(outcome) = game.outcome(state) {
        return outcome.payoff(usize::from(state.player));
    }
    let values = children(game, state)
        .into_iter()
        .map(|(_, next)| 1.0 - sign_flipping(game, &next));
    values.fold(0.0, f64::max)
}

fn report<'g>(state: &State<'g>, bot: &str) -> SearchReport {
    let bot: Bot = bot.parse().expect(bot);
    bot.search(&**state, 3)
}

fn value_of(report: &SearchReport) -> f64 {
    report.moves[0].value
}

/// Limits of a search of whole games by positions and bytes.
fn limits(engine: Engine, nodes: Option<u64>, memory: u64) -> ExhaustLimits {
    ExhaustLimits {
        engine,
        nodes,
        time: None,
        memory,
        orbits: rulec_search::orbit::Orbits::Off,
    }
}

/// What both searches of whole games say that a player can force.
fn force<'g>(state: &State<'g>, player: usize) -> Option<Force> {
    let by = |engine: Engine| {
        let limits = limits(engine, None, 1 << 20);
        let mut walk = state.walk();
        let mut progress = |_| true;
        Exhaust::new(&mut *walk, player, &limits, &mut progress).force()
    };
    let (looked, proved) = (by(Engine::AlphaBeta), by(Engine::ProofNumber));
    assert_eq!(looked, proved, "player {player} in {}", state.text());
    looked
}

fn forced(payoff: f64) -> Force {
    match payoff {
        p if p >= 1.0 => Force::Win,
        p if p >= 0.5 => Force::NoLoss,
        _ => Force::Nothing,
    }
}

#[test]
fn two_players_who_move_several_times_in_a_row() {
    let game = Heap::new(2, 14);
    let mut wrong = 0;
    let mut seen = [0; 3];
    for left in 1..=14 {
        for player in 0..2 {
            let state = game.at(left, player);
            let truth = paranoid(&game, &state, player.into());
            seen[(truth * 2.0) as usize] += 1;
            wrong += u32::from((sign_flipping(&game, &state) - truth).abs() > 0.1);
            let held = hide(&game, state);
            let what = format!("{left} sticks, player {player}");
            for bot in [
                "alphabeta:depth=40",
                "maxn:depth=40",
                "paranoid:depth=40",
                "pns:1M",
            ] {
                let found = report(&held, bot);
                assert!(
                    (value_of(&found) - truth).abs() < 1e-4,
                    "{what}, {bot}: {found:?}"
                );
            }
            assert_eq!(force(&held, player.into()), Some(forced(truth)), "{what}");
            assert_eq!(
                force(&held, 1 - usize::from(player)),
                Some(forced(1.0 - truth))
            );
            let uct = report(&held, "uct:20000");
            let proof = uct.proof.expect("the game is small").payoff(player.into());
            assert_eq!(proof, truth, "{what}");
            assert_eq!(graph_value(&held, player.into()), truth, "{what}");
        }
    }
    assert!(wrong > 0, "a search that flips signs would pass");
    assert!(
        seen.iter().all(|n| *n > 0),
        "wins, draws and losses: {seen:?}"
    );
}

fn graph_value<'g>(state: &State<'g>, player: usize) -> f64 {
    let limits = ExploreLimits {
        identity: 0,
        choices: ChoiceSet::Distinct,
        depth: None,
        states: 1 << 20,
        keep: Keep::Graph,
        orbits: rulec_search::orbit::Orbits::Off,
    };
    let found = state.explore(&limits, &mut |_| true);
    match solve::values(&found.graph)[0] {
        solve::Value::Draw => 0.5,
        solve::Value::Win { player: winner, .. } => f64::from(u8::from(winner == player)),
    }
}

#[test]
fn three_players_each_for_himself_and_two_against_one() {
    let game = Heap::new(3, 12);
    let (mut differ, mut wrong) = (0, 0);
    for left in 1..=12 {
        for player in 0..3_u8 {
            let me = usize::from(player);
            let state = game.at(left, player);
            let held = hide(&game, state);
            let alone = paranoid(&game, &state, me);
            let each = selfish(&game, &state, 0)[me];
            differ += u32::from((alone - each).abs() > 0.1);
            wrong += u32::from((sign_flipping(&game, &state) - alone).abs() > 0.1);
            let found = report(&held, "paranoid:depth=40");
            assert!(
                (value_of(&found) - alone).abs() < 1e-4,
                "{left} {player}: {found:?}"
            );
            let found = report(&held, "maxn:depth=40");
            assert!(
                (value_of(&found) - each).abs() < 1e-9,
                "{left} {player}: {found:?}"
            );
            for one in 0..3 {
                let truth = forced(paranoid(&game, &state, one));
                assert_eq!(force(&held, one), Some(truth), "{left} {player} {one}");
            }
        }
    }
    assert!(differ > 0 && wrong > 0, "{differ} {wrong}");
}

#[test]
fn draws_of_chance_are_weighed() {
    // Near the end all positions that can follow are few.
    for text in [
        "3,4,3;1;26;0",
        "2,3,4;2;27;0",
        "4,4,2;3;25;0",
        "1,1,1;1;28;0",
    ] {
        let state = Race.parse_state(text).expect("a position");
        let player = Race.player(&state).expect("somebody decides");
        let held = hide(&Race, state);
        let exact = expectimax(&*held, 1 << 20, &mut |_| true).expect("it is small");
        let best = exact.values[player];
        let found = report(&held, "maxn:depth=60");
        assert!(
            (value_of(&found) - best).abs() < 1e-3,
            "{text}: {best} {found:?}"
        );
        // What is left out of a draw, and what is looked into twice, changes nothing.
        let paranoid =
            |option: &str| value_of(&report(&held, &format!("paranoid:depth=60{option}")));
        let all = paranoid("");
        for option in [
            ":without=probing",
            ":without=probing+table+pvs",
            ":without=table",
        ] {
            assert!(
                (paranoid(option) - all).abs() < 1e-3,
                "{text}{option}: {all}"
            );
        }
        let uct = report(&held, "uct:40000");
        assert!(
            (value_of(&uct) - best).abs() < 0.02,
            "{text}: {best} {uct:?}"
        );
    }
}

fn at(text: &str) -> State<'static> {
    hide(&TicTacToe, TicTacToe.parse_state(text).expect("a position"))
}

#[test]
fn everybody_takes_a_win_in_one() {
    let state = at("xx./oo./...");
    for bot in [
        "mc:900",
        "uct:500",
        "uct:500:solve=no",
        "uct:400:threads=2",
        "uct:400:noise=0.5:alpha=1",
        "puct:400",
        "puct:400:judge=uniform:batch=16",
        "puct:400:noise=0.25",
        "alphabeta:depth=2",
        "expectimax:depth=2:eval=playouts-3",
        "maxn:depth=2",
        "paranoid:depth=3",
        "pns",
        "MiniMax:3000",
        "MonteCarlo:900",
        "MonteCarloRatio:900",
        "MonteCarloRatio2:900",
    ] {
        let found = report(&state, bot);
        let best = found.best().map(|code| state.move_text(code));
        assert_eq!(best.as_deref(), Some("c1"), "{bot}: {found:?}");
        let again = report(&state, bot);
        assert_eq!(found, again, "{bot}");
    }
    // A share of the own moves is left out; what is left is judged as well.
    let found = report(&state, "MiniMaxStochastic:3000");
    assert!((1..=5).contains(&found.moves.len()), "{found:?}");
}

#[test]
fn what_one_thread_of_uct_learns_all_know_once() {
    let state = at(".../.../...");
    for threads in 1..5 {
        let bot = format!("uct:5000:solve=no:symmetry=off:threads={threads}");
        let found = report(&state, &bot);
        let visits: u64 = found.moves.iter().map(|m| m.visits).sum();
        assert_eq!((found.games, visits), (5000, 5000), "{bot}: {found:?}");
        assert_eq!(found, report(&state, &bot), "{bot}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw_for_everybody() {
    let state = at(".../.../...");
    assert_eq!(value_of(&report(&state, "alphabeta:depth=9")), 0.5);
    let draw = Some(0);
    let winners = |found: SearchReport| found.proof.map(|end| end.winners);
    assert_eq!(winners(report(&state, "alphabeta:depth=9")), draw);
    assert_eq!(winners(report(&state, "pns:10M")), draw);
    assert_eq!(force(&state, 0), Some(Force::NoLoss));
    assert_eq!(force(&state, 1), Some(Force::NoLoss));
}

#[test]
fn puzzles_have_shortest_ways() {
    let state = start(&Puzzle);
    for bot in ["bfs", "astar", "dfs", "BFS:1000", "DFS:depth=20"] {
        let found = report(&state, bot);
        let mut at = state.fork();
        found.line.iter().for_each(|code| {
            at.play(*code, None);
        });
        assert_eq!(at.outcome(), Some(Outcome::win(0)), "{bot}: {found:?}");
        assert!(
            found.line.len() == 5 || bot.to_lowercase().starts_with("dfs"),
            "{bot}"
        );
    }
}

#[test]
fn a_seat_remembers_and_plays_on() {
    let bot: Bot = "uct:300".parse().expect("a bot");
    for game in 0..10 {
        let mut state = start(&TicTacToe);
        let mut seats = [bot.seat(), bot.seat()];
        let mut rng = Rng::new(9, game);
        while let Turn::Decide(players) = state.turn() {
            let seat = &mut seats[players.trailing_zeros() as usize];
            let code = seat.choose(&*state, &mut rng).expect("a move");
            state.play(code, None);
        }
        assert!(state.outcome().is_some());
    }
    // What is known counts: the second search of a position plays fewer games.
    let mut seat = "uct:300:solve=no".parse::<Bot>().expect("a bot").seat();
    let state = start(&TicTacToe);
    let first = seat.search(&*state, 1);
    let mut next = state.fork();
    next.play(first.line[0], None);
    next.play(first.line[1], None);
    let second = seat.search(&*next, 2);
    assert!(first.games == 300 && second.games < 300, "{}", second.games);
    let visits: u64 = second.moves.iter().map(|m| m.visits).sum();
    assert!((290..=300).contains(&visits), "{visits}");
}

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

fn output<G: FullGame>(game: &G, args: &[&str]) -> Result<String, Error> {
    let line = Line::try_parse_from(["game"].iter().chain(args)).expect("the line is right");
    let mut out = Vec::new();
    run(game, &line.command, &mut out)?;
    Ok(String::from_utf8(out).expect("texts are UTF-8"))
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // A folder that an earlier run left is as good as none.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Solves with a certificate, checks it, and gives its text.
fn certificate<G: FullGame>(game: &G, name: &str, args: &[&str]) -> String {
    let path = folder(name).join("cert");
    let path = path.to_str().expect("the path is UTF-8");
    let args: Vec<&str> = args
        .iter()
        .copied()
        .chain(["--certificate", path])
        .collect();
    output(game, &args).expect("it is solved");
    let said = output(game, &["verify", path]).expect("it holds");
    assert!(said.starts_with("it holds"), "{said}");
    fs::read_to_string(path).expect("it was written")
}

fn check<'g>(state: &State<'g>, text: &str) -> Result<String, String> {
    let found = verify(&**state, text, 1 << 20, &mut |_| true);
    found.map(|found| found.claim)
}

/// A text with its checksum made right.
fn sealed(text: &str) -> String {
    use std::hash::Hasher;
    let mut sum = rulec_core::KeyHasher::new();
    let mut out = String::new();
    for line in text.lines().filter(|line| !line.starts_with("{\"checksum")) {
        let line = format!("{line}\n");
        sum.write(line.as_bytes());
        out.push_str(&line);
    }
    format!("{out}{{\"checksum\":\"{:016x}\"}}\n", sum.value())
}

#[test]
fn certificates_hold_and_damaged_ones_do_not() {
    let two = Heap::new(2, 13);
    let cases: [(State<'_>, String, &str); 4] = [
        (
            start(&TicTacToe),
            certificate(&TicTacToe, "ttt-graph", &["solve"]),
            "nobody can force a win",
        ),
        (
            start(&TicTacToe),
            certificate(&TicTacToe, "ttt-search", &["solve", "--method", "search"]),
            "nobody can force a win",
        ),
        (
            start(&two),
            certificate(&two, "heap", &["solve", "--method", "search"]),
            "can force a win",
        ),
        (
            start(&Puzzle),
            certificate(&Puzzle, "puzzle", &["solve"]),
            "in 5 moves",
        ),
    ];
    for (state, text, claim) in &cases {
        let found = check(state, text).expect("it holds");
        assert!(found.contains(claim), "{found}");
        assert_eq!(sealed(text), *text);
        // It takes as many positions as it says, not one less.
        let within = |most| verify(&**state, text, most, &mut |_| true);
        let positions = within(1 << 20).expect("it holds").positions;
        assert!(within(positions).is_ok());
        let short = within(positions - 1).expect_err("too few");
        assert!(short.starts_with("not checked"), "{short}");
        // Any letter that is another one is noticed.
        let mut rng = Rng::new(1, 1);
        for _ in 0..200 {
            let mut bytes = text.clone().into_bytes();
            let place = rng.below64(bytes.len() as u64) as usize;
            bytes[place] ^= 1 << rng.below(6);
            let Ok(damaged) = String::from_utf8(bytes) else {
                continue;
            };
            assert!(check(state, &damaged).is_err(), "byte {place}");
        }
        for cut in [1, text.len() / 2, text.len() - 1] {
            assert!(check(state, &text[..cut]).is_err());
        }
        // A line less is a gap in the strategy or the way, whatever the checksum says.
        let lines: Vec<&str> = text.lines().collect();
        for left_out in 1..lines.len() - 1 {
            let mut fewer = lines.clone();
            fewer.remove(left_out);
            let fewer = sealed(&(fewer.join("\n") + "\n"));
            assert!(check(state, &fewer).is_err(), "line {left_out}");
        }
    }
}

#[test]
fn false_claims_are_refused() {
    let game = Heap::new(2, 13);
    let text = certificate(&game, "heap-false", &["solve"]);
    let state = start(&game);
    let refuse = |old: &str, new: &str| {
        assert!(text.contains(old), "{old} in {text}");
        let text = sealed(&text.replace(old, new));
        check(&state, &text).expect_err(new)
    };
    let winner = if text.contains("\"winner\":1") { 1 } else { 2 };
    let claim = format!("\"winner\":{winner}");
    assert!(refuse(&claim, "\"winner\":0").contains("strategies"));
    assert!(refuse(&claim, &format!("\"winner\":{}", 3 - winner)).contains("strategies"));
    assert!(refuse("\"rules_sha256\":\"heap\"", "\"rules_sha256\":\"x\"").contains("other rules"));
    assert!(refuse("\"rulec_certificate\":1", "\"rulec_certificate\":2").contains("format"));
    // Other moves in the strategy: of these some must lose.
    let mut refused = 0;
    for line in text.lines().filter(|line| line.starts_with('[')) {
        for mv in ["1", "2", "3"] {
            let (head, _) = line.rsplit_once(',').expect("two texts");
            let other = text.replace(line, &format!("{head},\"{mv}\"]"));
            refused += u32::from(check(&state, &sealed(&other)).is_err());
        }
    }
    assert!(refused > 3, "{refused}");
    // A way that is longer than the shortest, and one that claims to be shorter.
    let way = certificate(&Puzzle, "puzzle-false", &["solve"]);
    let puzzle = start(&Puzzle);
    let dear = sealed(&way.replace("\"total\":5", "\"total\":4"));
    assert!(
        check(&puzzle, &dear)
            .expect_err("too cheap")
            .contains("costs 5")
    );
    let head = way
        .lines()
        .next()
        .expect("a line")
        .replace("\"total\":5", "\"total\":6");
    let long = ["[\"add\"]"; 4].join("\n");
    let long = sealed(&format!("{head}\n{long}\n[\"add\"]\n[\"double\"]\n"));
    assert!(check(&puzzle, &long).is_err());
}

/// What is found of a position must not depend on how the search came to it.
#[test]
fn proofs_hold_where_play_can_go_in_circles() {
    let mut seen = [0; 3];
    for number in 0..3000 {
        let mut rng = Rng::new(7, number);
        let game = Graph::random(4 + number as usize % 20, &mut rng);
        let state = start(&game);
        for player in 0..2 {
            let truth = graph_value(&state, player);
            seen[(truth * 2.0) as usize] += 1;
            // With little room things are forgotten and found again.
            for memory in [1 << 6, 1 << 20] {
                let limits = limits(Engine::ProofNumber, Some(1_000_000), memory);
                let mut walk = state.walk();
                let mut progress = |_| true;
                let mut search = Exhaust::new(&mut *walk, player, &limits, &mut progress);
                let found = search.force();
                assert_eq!(
                    found,
                    Some(forced(truth)),
                    "graph {number}, player {player}"
                );
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 300), "{seen:?}");
}

#[test]
fn a_stopped_search_goes_on_from_its_table() {
    stopped_and_gone_on(Engine::AlphaBeta);
    stopped_and_gone_on(Engine::ProofNumber);
}

fn stopped_and_gone_on(engine: Engine) {
    let state = start(&TicTacToe);
    let solve = |nodes, table: Option<&[u8]>| {
        let limits = limits(engine, nodes, 1 << 22);
        let mut walk = state.walk();
        let mut progress = |_| true;
        let mut search = Exhaust::new(&mut *walk, 0, &limits, &mut progress);
        if let Some(table) = table {
            search.read("rules", table).expect("it is its own");
        }
        let force = search.force();
        let mut bytes = Vec::new();
        search.write("rules", &mut bytes).expect("it is written");
        (force, search.positions(), bytes)
    };
    let (force, whole, _) = solve(None, None);
    assert_eq!(force, Some(Force::NoLoss));
    let (stopped, _, table) = solve(Some(whole / 2), None);
    assert_eq!(stopped, None);
    let (force, rest, _) = solve(None, Some(&table));
    assert_eq!(force, Some(Force::NoLoss));
    assert!(rest < whole * 3 / 4, "{rest} of {whole}");
    let mut damaged = table.clone();
    damaged[40] ^= 1;
    let limits = limits(engine, None, 1 << 20);
    let mut walk = state.walk();
    let mut progress = |_| true;
    let mut search = Exhaust::new(&mut *walk, 0, &limits, &mut progress);
    assert!(search.read("rules", &damaged).is_err());
    assert!(search.read("other rules", &table).is_err());
    assert!(search.read("rules", &table[..16]).is_err());
}

#[test]
fn the_command_says_what_each_of_three_can_force() {
    let said = output(&Heap::new(3, 9), &["solve"]).expect("it is solved");
    assert_eq!(said.lines().count(), 4, "{said}");
    let found = output(&Heap::new(3, 2), &["solve", "--json"]).expect("it is solved");
    assert!(
        found.contains(r#""forces":["win","nothing","nothing"]"#),
        "{found}"
    );
}

#[test]
fn settings_are_kept_in_the_report() {
    let settings = SearchSettings::games(rulec_search::search::Method::AlphaBeta, 50, 1);
    let state = start(&TicTacToe);
    let found = state.search(&settings, &mut |_| true);
    assert!(found.games <= 51 && found.depth.is_some(), "{found:?}");
}

#[test]
fn a_search_that_stops_at_a_depth_has_not_seen_everything() {
    let state = start(&Puzzle);
    let within = |depth| {
        let settings = SearchSettings {
            depth,
            ..SearchSettings::of(rulec_search::search::Method::DepthFirst)
        };
        rulec_search::puzzle::depth_first(&*state, &settings, &mut |_| true)
    };
    let short = within(Some(2));
    assert!(short.moves.is_none() && !short.complete);
    assert!(within(None).moves.is_some());
}
