//! What positions are merged by decides about their futures: solvers against plain searches of all full positions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use rulec_cli::Rules;
use rulec_cli::interpreted::InterpretedGame;
use rulec_core::{ChoiceSet, Turn};
use rulec_search::exhaust::Force;
use rulec_search::expectimax::expectimax;
use rulec_search::puzzle::{self, Cost};
use rulec_search::search::{Method, SearchSettings};
use rulec_search::{State, certificate, verify, view};

use crate::corpus;

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/futures")
        .join(name)
}

fn open(file: &Path) -> InterpretedGame {
    let rules = Rules::open(file, "all").expect("it can be read");
    let output = rules
        .output
        .unwrap_or_else(|| panic!("{} has errors", file.display()));
    InterpretedGame::new(output.game).expect("it is sound")
}

fn after<'g>(state: &State<'g>, code: u64) -> State<'g> {
    let mut next = state.fork();
    next.play(code, None);
    next
}

fn score<'g>(state: &State<'g>) -> i64 {
    state.scores().first().copied().unwrap_or(0)
}

/// The least cost of a win, by all full positions; they are told apart by their texts, which read back.
fn least<'g>(start: &State<'g>, cost: Cost) -> Option<u64> {
    let mut best: BTreeMap<String, u64> = BTreeMap::from([(start.text(), 0)]);
    let mut queue = VecDeque::from([(0, start.fork())]);
    let mut found: Option<u64> = None;
    while let Some((paid, state)) = queue.pop_front() {
        assert!(best.len() < 20_000, "the game is small");
        if state.outcome().is_some_and(|outcome| outcome.is_won()) {
            found = Some(found.map_or(paid, |least| least.min(paid)));
        }
        if found.is_some_and(|least| paid >= least) {
            continue;
        }
        let codes = view::options(&*state, ChoiceSet::All).expect("no fault");
        for code in codes {
            let next = after(&state, code);
            let price = match cost {
                Cost::Move => 1,
                Cost::Score => u64::try_from(score(&state) - score(&next)).unwrap_or(0),
            };
            let text = next.text();
            if best.get(&text).is_none_or(|known| *known > paid + price) {
                best.insert(text, paid + price);
                queue.push_back((paid + price, next));
            }
        }
    }
    found
}

fn solved<'g>(start: &State<'g>, cost: Cost) -> puzzle::Way {
    let settings = SearchSettings::of(Method::AStar);
    let settings = SearchSettings {
        heuristic: rulec_search::heuristic::Heuristic::Zero,
        ..settings
    };
    puzzle::cheapest(&**start, &settings, cost, &mut |_| true)
}

fn certified<'g>(
    start: &State<'g>,
    cost: Cost,
    total: u64,
    moves: &[String],
) -> Result<verify::Verified, String> {
    let mut bytes = Vec::new();
    let claim = certificate::way_claim(cost, total);
    let mut writer = certificate::Writer::begin(&mut bytes, start.info(), &start.text(), claim)
        .expect("memory is enough");
    writer.way(moves).expect("memory is enough");
    writer.end().expect("memory is enough");
    let text = String::from_utf8(bytes).expect("texts are UTF-8");
    verify::verify(&**start, &text, 1 << 20, &mut |_| true)
}

fn texts<'g>(start: &State<'g>, way: &[u64]) -> Vec<String> {
    let mut state = start.fork();
    let text = |code: &u64| {
        let text = state.move_text(*code);
        state.play(*code, None);
        text
    };
    way.iter().map(text).collect()
}

#[test]
fn cheapest_ways_are_those_of_all_full_positions_however_rules_read_the_score() {
    for (file, costs) in [
        ("score_in_guard.s3", [2, 3]),
        ("score_in_end.s3", [4, 4]),
        ("score_by_function.s3", [2, 3]),
        ("score_into_state.s3", [2, 3]),
        ("score_sets_cost.s3", [2, 6]),
        ("score_unread.s3", [2, 3]),
        ("way_round.s3", [2, 4]),
        ("coins_in_guard.bgm", [6, 0]),
        ("coins_in_end.bgm", [3, 0]),
    ] {
        let game = open(&own(file));
        let start = rulec_engines::interpreted(&game);
        for (cost, known) in [Cost::Move, Cost::Score].into_iter().zip(costs) {
            let way = solved(&start, cost);
            let moves = way.moves.expect("there is a win");
            assert_eq!(Some(way.cost), least(&start, cost), "{file} {cost:?}");
            if cost == Cost::Move || start.info().has_scores {
                assert_eq!(way.cost, known, "{file} {cost:?}");
            }
            let texts = texts(&start, &moves);
            if file == "score_sets_cost.s3" && cost == Cost::Score {
                continue;
            }
            certified(&start, cost, way.cost, &texts)
                .unwrap_or_else(|e| panic!("{file} {cost:?}: {e}"));
        }
    }
}

#[test]
fn a_certificate_that_is_not_the_cheapest_is_refused() {
    for file in [
        "score_in_guard.s3",
        "score_by_function.s3",
        "score_into_state.s3",
    ] {
        let game = open(&own(file));
        let start = rulec_engines::interpreted(&game);
        let dear = ["w a(1) a(2)", "w a(2) a(3)"].map(str::to_owned);
        let refused = certified(&start, Cost::Score, 11, &dear).expect_err("3 points are enough");
        assert_eq!(refused, "there is a way for 3 points", "{file}");
    }
}

#[test]
fn a_strategy_that_goes_on_for_ever_wins_nothing() {
    let game = open(&own("to_and_fro.s3"));
    let start = rulec_engines::interpreted(&game);
    let judged = |ways: [&str; 2]| {
        let mut bytes = Vec::new();
        let claim = certificate::value_claim(Some(0));
        let mut writer = certificate::Writer::begin(&mut bytes, start.info(), &start.text(), claim)
            .expect("memory is enough");
        let mut choose = |_: &[u64], state: &State<'_>, moves: &[u64]| {
            let wished = |code: &u64| ways.contains(&state.move_text(*code).as_str());
            moves.iter().copied().find(wished)
        };
        writer
            .strategy(&*start, 0, Force::Win, 100, &mut choose)
            .expect("there are such moves");
        writer.end().expect("memory is enough");
        let text = String::from_utf8(bytes).expect("texts are UTF-8");
        verify::verify(&*start, &text, 1 << 20, &mut |_| true)
    };
    let refused = judged(["w a(1) a(2)", "w a(2) a(1)"]).expect_err("nobody wins");
    assert!(refused.starts_with("the strategy comes to `"), "{refused}");
    assert!(refused.ends_with("` again"), "{refused}");
    judged(["w a(1) a(2)", "w a(2) a(3)"]).expect("the first wins");
}

#[test]
fn a_score_that_no_rule_reads_is_left_out() {
    let positions = |file: &str| {
        let game = open(&own(file));
        let start = rulec_engines::interpreted(&game);
        solved(&start, Cost::Score).positions
    };
    assert_eq!(positions("score_unread.s3"), 3);
    assert!(positions("score_in_guard.s3") > 3);
}

/// Mean payoffs of best play, by all full positions.
fn worth<'g>(state: &State<'g>, known: &mut BTreeMap<String, Vec<f64>>) -> Vec<f64> {
    let text = state.text();
    if let Some(values) = known.get(&text) {
        return values.clone();
    }
    let players = 0..state.info().players.len();
    let values = match state.turn() {
        Turn::Over => {
            let outcome = state.outcome().expect("it is over");
            players.map(|player| outcome.payoff(player)).collect()
        }
        Turn::Chance => {
            let results = state.results();
            let total: u64 = results.iter().map(|(_, weight)| weight).sum();
            let mut sum = vec![0.0; players.len()];
            for &(code, weight) in &results {
                let part = worth(&after(state, code), known);
                let share = weight as f64 / total as f64;
                sum.iter_mut()
                    .zip(part)
                    .for_each(|(sum, x)| *sum += x * share);
            }
            sum
        }
        Turn::Decide(_) => {
            let mover = state.player().expect("somebody decides");
            let codes = view::options(&**state, ChoiceSet::All).expect("no fault");
            let next = codes
                .into_iter()
                .map(|code| worth(&after(state, code), known));
            let best = next.reduce(|a, b| if b[mover] > a[mover] + 1e-12 { b } else { a });
            best.expect("somebody can move")
        }
    };
    known.insert(text, values.clone());
    values
}

#[test]
fn exact_values_are_those_of_all_full_positions() {
    for file in ["gold.bbgel"] {
        let game = open(&own(file));
        let start = rulec_engines::interpreted(&game);
        let mut known = BTreeMap::new();
        let truth = worth(&start, &mut known);
        let found = expectimax(&*start, 1 << 16, &mut |_| true).expect("it is small");
        for (one, other) in truth.iter().zip(&found.values) {
            assert!(
                (one - other).abs() < 1e-9,
                "{file}: {truth:?} {:?}",
                found.values
            );
        }
        assert!(
            found.positions <= known.len() && truth[0] > 0.5,
            "{file}: {truth:?}"
        );
    }
}

/// The weight of all that comes next, by its future and the changes of scores.
type Followers = BTreeMap<(Vec<u8>, Vec<i64>), u64>;

/// What follows from a position, by the futures of what comes next.
fn signature<'g>(state: &State<'g>, players: usize) -> (String, Followers) {
    let end = state.outcome().map(|outcome| {
        let payoffs: Vec<f64> = (0..players).map(|player| outcome.payoff(player)).collect();
        format!("{} {payoffs:?}", outcome.reason.word())
    });
    let mut next = BTreeMap::new();
    let mut add = |code: u64, weight: u64| {
        let then = after(state, code);
        let mut bytes = Vec::new();
        then.identity(then.info().future, &mut bytes);
        let gains = then
            .scores()
            .iter()
            .zip(state.scores())
            .map(|(now, before)| now - before)
            .collect();
        *next.entry((bytes, gains)).or_insert(0) += weight;
    };
    match state.turn() {
        Turn::Over => {}
        Turn::Chance => state
            .results()
            .iter()
            .for_each(|&(code, weight)| add(code, weight)),
        Turn::Decide(_) => {
            let codes = view::options(&**state, ChoiceSet::All).unwrap_or_default();
            codes.into_iter().for_each(|code| add(code, 1));
        }
    }
    (
        format!("{:?} {:?} {end:?}", state.turn(), state.player()),
        next,
    )
}

/// Positions with more moves than these are not looked at: the pieces of one pool alone give gomoku 25 000 named moves.
const WIDEST: usize = 400;

/// Visits full positions, nearest first, until the positions or their moves are `most` or ten times as many, and compares
/// those that are merged; how many there are, and how many after merging.
fn compare_merged(file: &Path, most: usize) -> (usize, usize) {
    let game = open(file);
    let start = rulec_engines::interpreted(&game);
    let players = start.info().players.len();
    let mut seen = BTreeSet::from([start.text()]);
    let mut queue = VecDeque::from([start.fork()]);
    let mut classes = BTreeMap::new();
    let mut effort = 10 * most;
    while let Some(state) = queue.pop_front() {
        let codes = view::options(&*state, ChoiceSet::All).unwrap_or_default();
        if codes.len() > WIDEST || effort < codes.len() {
            continue;
        }
        effort -= codes.len();
        let signature = signature(&state, players);
        let mut bytes = Vec::new();
        state.identity(state.info().future, &mut bytes);
        let first = classes
            .entry(bytes)
            .or_insert_with(|| (signature.clone(), state.text()));
        assert_eq!(
            first.0,
            signature,
            "{}: `{}` and `{}`",
            file.display(),
            first.1,
            state.text()
        );
        if state.info().exact_classes
            && let Turn::Decide(_) = state.turn()
        {
            let futures = |choices| {
                let codes = view::options(&*state, choices).unwrap_or_default();
                let identity = |code| {
                    let mut bytes = Vec::new();
                    let then = after(&state, code);
                    then.identity(then.info().future, &mut bytes);
                    bytes
                };
                codes.into_iter().map(identity).collect::<BTreeSet<_>>()
            };
            let (all, distinct) = (futures(ChoiceSet::All), futures(ChoiceSet::Distinct));
            assert_eq!(all, distinct, "{}: `{}`", file.display(), state.text());
        }
        for code in codes {
            if seen.len() >= most {
                break;
            }
            let next = after(&state, code);
            if seen.insert(next.text()) {
                queue.push_back(next);
            }
        }
    }
    (seen.len(), classes.len())
}

#[test]
fn positions_that_are_merged_go_on_alike() {
    let most = match std::env::var_os("RULEC_LONG") {
        Some(_) => 5_000,
        None => 150,
    };
    let mut merged = 0;
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [
        "games/s3",
        "games/bgm",
        "games/bbgel",
        "games/bgc",
        "compiler/cli/tests/futures",
    ] {
        let entries = std::fs::read_dir(corpus::root().join(folder)).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let wanted = ["s3", "bgm", "bbgel", "json"];
        files.extend(paths.filter(|path| {
            path.extension()
                .is_some_and(|e| wanted.iter().any(|w| e == *w))
        }));
    }
    files.sort();
    for file in files {
        let (full, classes) = compare_merged(&file, most);
        merged += usize::from(classes < full);
    }
    assert!(merged >= 8, "{merged}");
}
