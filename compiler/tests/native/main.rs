//! Compiled games do what interpreted games do.
//!
//! All samples become modules of one temporary crate, which plays random games and prints what it
//! sees; the interpreter plays the same games and has to see the same.

mod bbgel;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use rulec_compiler::codegen::{self, Options};
use rulec_compiler::ir::{
    Axis, Game, IdentityId, Later, Placement, PlacementForm, PlacementId, StatePart, VarId,
    VarStyle,
};
use rulec_compiler::opt;
use rulec_compiler::pipeline::{Options as CompileOptions, Passes, Without, compile, compile_text};
use rulec_compiler::source::SourceMap;
use rulec_interp::{Interp, Move, Outcome, Reason, State, Turn};
use rulec_random_rules::{LANGUAGES, Language};
use rulec_samples as samples;

const SEEDS: u64 = 6;
const PLIES: usize = 40;
const RANDOM_GAMES: u64 = 24;

#[test]
fn compiled_samples_play_like_interpreted_ones() {
    let games: Vec<(String, Game)> = samples::all()
        .into_iter()
        .map(|(name, game)| (name.to_owned(), told(game)))
        .collect();
    compare("samples", &games);
}

#[test]
fn compiled_random_programs_play_like_interpreted_ones() {
    let games: Vec<(String, Game)> = (0..RANDOM_GAMES)
        .map(|seed| (format!("random {seed}"), told(samples::random_game(seed))))
        .collect();
    compare("random", &games);
}

#[test]
fn compiled_bgm_games_play_like_interpreted_ones() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let corpus = corpus.join("bgm");
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(corpus.is_dir() || !needed, "there is no corpus");
    if !corpus.is_dir() {
        eprintln!("SKIPPED: there is no corpus at {}", corpus.display());
    }
    let mut files = Vec::new();
    for folder in [
        workspace.join("games/bgm"),
        corpus.clone(),
        corpus.join("seed"),
    ] {
        let entries = std::fs::read_dir(&folder).into_iter().flatten();
        let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        found.retain(|path| path.extension().is_some_and(|e| e == "bgm"));
        found.sort();
        files.extend(found);
    }
    let compiled = |path: &PathBuf| {
        let text = std::fs::read(path).expect("the rules can be read");
        let options = CompileOptions::default();
        let name = path.file_name().expect("a name").to_string_lossy();
        let output = compile_text(&name, &text, &options).unwrap_or_else(|error| panic!("{error}"));
        (name.into_owned(), told(output.lowered))
    };
    let games: Vec<(String, Game)> = files.iter().map(compiled).collect();
    assert!(!games.is_empty());
    compare("bgm", &games);
}

/// Walks of all places at once go as far as the longest walk of the board.
#[test]
fn compiled_walks_pass_as_many_places_as_the_board_has() {
    let options = CompileOptions::default();
    let text = include_bytes!("long_row.s3");
    let output = compile_text("long_row.s3", text, &options).unwrap_or_else(|e| panic!("{e}"));
    let code = codegen::render_text(&output.game, &Options::new("native", "")).expect("code");
    assert!(
        code.contains("support::closed"),
        "no walks of all places at once"
    );
    // The same discs under the same names on both sides.
    let mut game = told(output.lowered);
    game.interchangeable = Later::default();
    compare("walks", &[("long row".to_owned(), game)]);
}

/// Whoever is on turn otherwise than by a move finds no answer that was kept for another: questions may ask who is on turn.
#[test]
fn handing_the_turn_over_forgets_answers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/s3/reversi.s3");
    let text = std::fs::read(path).expect("it can be read");
    let output = compile_text("reversi.s3", &text, &CompileOptions::default())
        .unwrap_or_else(|e| panic!("{e}"));
    let code = codegen::render_text(&output.game, &Options::new("native", "")).expect("code");
    assert!(code.contains(".keep("), "no answer is kept");
    let handing = code.split("fn hand_over").nth(1).expect("a null move");
    let body = handing.split("fn ").next().unwrap_or_default();
    assert!(body.contains("Kept::NONE"), "{body}");
}

/// Marks on free squares are a set of moves however that is written; moves of pieces from place to place are none. `rulec difftest`
/// compares sets with lists.
#[test]
fn marks_on_free_squares_are_sets_of_moves() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let read =
        |name: &str| std::fs::read_to_string(games.join(name)).expect("the rules can be read");
    let is_set = |name: &str, text: &str| {
        let options = CompileOptions::default();
        let output =
            compile_text(name, text.as_bytes(), &options).unwrap_or_else(|e| panic!("{e}"));
        let code = codegen::render_text(&output.game, &Options::new("native", "")).expect("code");
        code.contains("fn legal_set")
    };
    let bgm = read("bgm/tic_tac_toe.bgm");
    let (cross, nought) = (
        "    require not contains at Cross\n",
        "    require not contains at Nought\n",
    );
    let turned = bgm.replace(&format!("{cross}{nought}"), &format!("{nought}{cross}"));
    assert_ne!(bgm, turned);
    let turn = ("    require owns red\n", "    require owns blue\n");
    let last = bgm
        .replace(
            &format!("{}{cross}{nought}", turn.0),
            &format!("{cross}{nought}{}", turn.0),
        )
        .replace(
            &format!("{}{cross}{nought}", turn.1),
            &format!("{nought}{cross}{}", turn.1),
        );
    assert_ne!(bgm, last);
    for text in [&bgm, &turned, &last] {
        assert!(is_set("tic_tac_toe.bgm", text), "{text}");
    }
    for name in [
        "s3/tic_tac_toe.s3",
        "robot/tic_tac_toe.s3",
        "s3/connect_four.s3",
        "s3/gomoku.s3",
    ] {
        assert!(is_set(name, &read(name)), "{name}");
    }
    assert!(!is_set("fox_and_hounds.s3", &read("s3/fox_and_hounds.s3")));
}

/// Of so many bbgel cases one is compiled, without `RULEC_LONG`.
const SAMPLE: usize = 16;

/// Cases that are modules of one crate.
const TOGETHER: usize = 60;

#[test]
fn compiled_bbgel_cases_play_like_interpreted_ones() {
    let Some(folder) = bbgel::folder() else {
        return;
    };
    let long = std::env::var_os("RULEC_LONG").is_some();
    let games = bbgel::programs(&folder).chain(bbgel::small_worlds(&folder));
    let mut games: Vec<(String, Game)> = games.map(|(name, game)| (name, told(game))).collect();
    assert!(games.len() > 350, "only {} cases compile", games.len());
    if !long {
        games = games.into_iter().step_by(SAMPLE).collect();
    }
    for games in games.chunks(TOGETHER) {
        compare("bbgel", games);
    }
}

/// So many rule files of each language that has a generator are compiled; more with `RULEC_LONG`.
const RANDOM_RULES: u64 = 3;
const MANY_RANDOM_RULES: u64 = 40;

#[test]
fn compiled_random_rules_play_like_interpreted_ones() {
    let count = match std::env::var_os("RULEC_LONG") {
        Some(_) => MANY_RANDOM_RULES,
        None => RANDOM_RULES,
    };
    let compiled = |language: &Language, seed: u64| {
        let rules = language.rules(seed);
        let mut sources = SourceMap::new();
        for (name, text) in &rules.files {
            sources.add(name, text.as_bytes()).expect("a small file");
        }
        let options = CompileOptions {
            language: None,
            passes: Passes::none(),
            image_folder: None,
            without: Without::Nothing,
            settings: rules.settings,
            limit: None,
            ahead: false,
        };
        let (output, _) = compile(&sources, &options).expect("the compiler has no defect");
        let name = format!("{} {seed}", language.name);
        let output = output.unwrap_or_else(|| panic!("{name} is refused"));
        (name, told(output.lowered))
    };
    let seeds = LANGUAGES
        .iter()
        .flat_map(|language| (0..count).map(move |seed| (language, seed)));
    let games: Vec<(String, Game)> = seeds
        .map(|(language, seed)| compiled(language, seed))
        .collect();
    for (number, games) in games.chunks(TOGETHER).enumerate() {
        compare(&format!("random-rules-{number}"), games);
    }
}

/// Compares the traces of games under both executions.
fn compare(crate_name: &str, games: &[(String, Game)]) {
    let mut expected = String::new();
    let mut compiled = Vec::new();
    for (name, game) in games {
        let mut machine = game.clone();
        for pass in opt::PASSES {
            (pass.run)(&mut machine);
        }
        let interp = Interp::new(machine.clone()).expect("a sample is a game");
        walk(&interp, name, &mut expected);
        compiled.push((name.clone(), machine));
    }
    let found = run_crate(crate_name, &compiled);
    let differences = differences(&found, &expected);
    assert!(differences.is_empty(), "{differences}");
}

/// The first difference of every game: what the compiled one says, and what the interpreted one.
fn differences(found: &str, expected: &str) -> String {
    let games =
        |text: &str| -> Vec<String> { text.split("game ").skip(1).map(str::to_owned).collect() };
    let (found, expected) = (games(found), games(expected));
    let mut out = String::new();
    if found.len() != expected.len() {
        let _ = writeln!(out, "{} games, not {}", found.len(), expected.len());
    }
    for (found, expected) in found.iter().zip(&expected) {
        let name = expected.lines().next().unwrap_or_default();
        let (found, expected): (Vec<&str>, Vec<&str>) =
            (found.lines().collect(), expected.lines().collect());
        let same = found
            .iter()
            .zip(&expected)
            .take_while(|(a, b)| a == b)
            .count();
        if same == found.len() && same == expected.len() {
            continue;
        }
        let line = |text: &[&str]| text.get(same).map_or("the end", |line| line).to_owned();
        let before = expected[same.saturating_sub(12)..same].join("\n    ");
        let (found, expected) = (line(&found), line(&expected));
        let _ = writeln!(
            out,
            "{name}, line {same}:\n    {before}\n  compiled {found}\n  expected {expected}"
        );
    }
    out
}

/// The game with a text of its states that tells all scalars, if it had none.
fn told(mut game: Game) -> Game {
    if !game.state_text.is_empty() {
        return game;
    }
    let mut parts = Vec::new();
    let text = |text: &str| StatePart::Text(text.to_owned());
    for (index, var) in game.vars.iter().enumerate() {
        let cell = StatePart::Var(VarId::from(index), VarStyle::Named);
        match var.axes[..] {
            [] => parts.extend([text(&format!(" {}=", var.name)), cell]),
            [Axis::Domain(domain)] => parts.extend([
                text(&format!(" {}=", var.name)),
                StatePart::Each {
                    domain,
                    order: (0..game.domain(domain).len() as u32).collect(),
                    separator: String::from(","),
                    parts: vec![cell],
                },
            ]),
            _ => {}
        }
    }
    for (index, placement) in game.placements.iter().enumerate() {
        let id = PlacementId::from(index);
        let Placement { pieces, places, .. } = *placement;
        let (domain, part) = match placement.form {
            PlacementForm::Anonymous => (places, StatePart::Content(id)),
            _ => (pieces, StatePart::Place(id)),
        };
        parts.push(text(&format!(" {}=", placement.name)));
        parts.push(StatePart::Each {
            domain,
            order: (0..game.domain(domain).len() as u32).rev().collect(),
            separator: String::from(","),
            parts: vec![StatePart::Index, text(":"), part],
        });
    }
    parts.extend([text(" "), StatePart::Outcome]);
    game.state_text = parts;
    game
}

fn outcome_text(interp: &Interp, outcome: Option<Outcome>) -> String {
    match outcome {
        None => String::from("none"),
        Some(Outcome {
            reason: Reason::Fault(fault),
            ..
        }) => format!(
            "fault {} {}",
            fault.code.name(),
            interp.game().origin(fault.span)
        ),
        Some(outcome) => {
            let winners = outcome
                .winners
                .iter()
                .fold(0u64, |bits, player| bits | 1 << player);
            format!("{} {winners:b}", outcome.reason.word())
        }
    }
}

fn move_text(interp: &Interp, mv: Move) -> String {
    interp.move_text(mv)
}

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

fn walk(interp: &Interp, name: &str, out: &mut String) {
    let identities = &interp.game().identities;
    let mut names: Vec<(&str, usize)> = identities
        .iter()
        .enumerate()
        .map(|(i, identity)| (identity.name.as_str(), i))
        .collect();
    names.sort_unstable();
    let mut classes: Vec<BTreeMap<Vec<u8>, usize>> = vec![BTreeMap::new(); identities.len()];
    let mut count = 0;
    for seed in 0..SEEDS {
        let _ = writeln!(out, "game {name} {seed}");
        let mut random = SplitMix(seed);
        let mut state = interp.initial();
        for _ in 0..PLIES {
            count += 1;
            let _ = writeln!(out, "state {}", interp.state_text(&state));
            let outcome = outcome_text(interp, interp.outcome(&state));
            let _ = writeln!(out, "outcome {outcome}");
            for (name, identity) in &names {
                let mut bytes = Vec::new();
                interp.identity(&state, IdentityId::from(*identity), &mut bytes);
                let class = *classes[*identity].entry(bytes).or_insert(count);
                let _ = writeln!(out, "class {name} {class}");
            }
            let _ = writeln!(out, "scores {:?}", interp.scores(&state));
            let Some(mv) = choose(interp, &state, &mut random, out) else {
                break;
            };
            let _ = writeln!(out, "play {}", move_text(interp, mv));
            assert!(interp.play(&mut state, mv));
        }
    }
}

fn choose(interp: &Interp, state: &State, random: &mut SplitMix, out: &mut String) -> Option<Move> {
    if interp.outcome(state).is_some() {
        return None;
    }
    match interp.turn(state) {
        Turn::Over => None,
        Turn::Chance => {
            let results = interp.chance_outcomes(state).into_iter();
            let mut texts: Vec<(String, u64, Move)> = results
                .map(|(mv, weight)| (move_text(interp, mv), weight, mv))
                .collect();
            texts.sort();
            for (text, weight, _) in &texts {
                let _ = writeln!(out, "result {text} {weight}");
            }
            Some(texts[random.below(texts.len())].2)
        }
        Turn::Decide(players) => {
            let players = players.iter().fold(0u64, |bits, player| bits | 1 << player);
            let _ = writeln!(out, "turn {players:b}");
            let moves = match interp.legal_moves(state) {
                Ok(moves) => moves,
                Err(fault) => {
                    let origin = interp.game().origin(fault.span);
                    let _ = writeln!(out, "moves fault {} {origin}", fault.code.name());
                    return None;
                }
            };
            let mut texts: Vec<(String, Move)> = moves
                .iter()
                .map(|&mv| (move_text(interp, mv), mv))
                .collect();
            texts.sort();
            for (text, _) in &texts {
                let _ = writeln!(out, "move {text}");
            }
            match interp.distinct_moves(state) {
                Ok(distinct) => {
                    let _ = writeln!(out, "distinct {}", distinct.len());
                }
                Err(fault) => {
                    let origin = interp.game().origin(fault.span);
                    let _ = writeln!(out, "distinct fault {} {origin}", fault.code.name());
                }
            }
            Some(texts[random.below(texts.len())].1)
        }
    }
}

/// What the crate of these games prints.
fn run_crate(name: &str, games: &[(String, Game)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            std::fs::write(path, text).expect("a file");
        }
    };
    // What games themselves need of the runtime, without searches and the command line: that compiles in a moment.
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    write(
        "runtime/Cargo.toml",
        &format!(
            "[package]\nname = \"rulec-runtime\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             rulec-core = {{ path = {:?} }}\nrulec-cpu = {{ path = {:?} }}\n",
            runtime.join("core").display().to_string(),
            runtime.join("cpu").display().to_string()
        ),
    );
    write(
        "runtime/src/lib.rs",
        "pub use rulec_core::*;\npub use rulec_cpu as cpu;\n",
    );
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"native-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nrulec-runtime = {{ path = \"runtime\" }}\n\n\
         [profile.dev]\nopt-level = 0\ndebug = false\nincremental = false\noverflow-checks = true\n"
        ),
    );
    write("src/main.rs", include_str!("walker.rs"));
    let options = Options::new("native", "");
    let mut index = String::new();
    let mut calls = String::new();
    for (number, (name, game)) in games.iter().enumerate() {
        let text = codegen::render_text(game, &options).unwrap_or_else(|error| {
            let tokens = codegen::render(game, &options).map(|tokens| tokens.to_string());
            write("unparsable.rs", &tokens.unwrap_or_default());
            panic!("{name}: {error}; see unparsable.rs in {}", folder.display())
        });
        assert_eq!(
            text,
            codegen::render_text(game, &options).expect("again"),
            "not the same twice"
        );
        write(&format!("src/games/g{number}.rs"), &text);
        let _ = writeln!(index, "mod g{number};");
        let _ = writeln!(
            calls,
            "    crate::walk(&g{number}::Game, {name:?}, {SEEDS}, {PLIES}, out);"
        );
    }
    write(
        "src/games/mod.rs",
        &format!("{index}\npub fn walk_all(out: &mut String) {{\n{calls}}}\n"),
    );
    let target: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-target");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("text")
}
