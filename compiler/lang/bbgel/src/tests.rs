//! Tests of the bbgel front end: text in, text out.

use rulec_ir::sorted::SortedSet;
use std::path::{Path, PathBuf};

use super::*;
use crate::diag::{CodeInfo, Severity, Style, render_all};
use crate::ir::Game;
use rulec_interp::{Interp, Reason, State, Turn};

fn compile_text(name: &str, bytes: &[u8]) -> (Option<Game>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let front = compile(&sources, id, &options, &mut diagnostics);
    (front.map(|front| front.game), diagnostics, sources)
}

fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| endings.contains(&ending))
        })
        .collect();
    files.sort();
    files
}

const ENDINGS: [&str; 3] = ["bbgel", "world", "tile"];

fn damaged_files() -> Vec<PathBuf> {
    let files = files("fail", &ENDINGS);
    assert!(files.len() >= 40, "only {} damaged files", files.len());
    files
}

fn own_games() -> Vec<PathBuf> {
    let files = files("../../../games/bbgel", &["bbgel"]);
    assert!(files.len() >= 4);
    files
}

fn compile_file(path: &Path) -> (Option<Game>, Diagnostics, SourceMap) {
    let name = path.file_name().expect("a file").to_string_lossy();
    compile_text(&name, &std::fs::read(path).expect("it can be read"))
}

#[test]
fn damaged_files_give_the_expected_diagnostics() {
    for path in damaged_files() {
        let (game, diagnostics, sources) = compile_file(&path);
        assert!(!diagnostics.is_empty(), "{} is not damaged", path.display());
        let broken = diagnostics.has_errors();
        assert_eq!(game.is_none(), broken, "{}", path.display());
        let text = render_all(&sources, &diagnostics, Style::Plain);
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        let expected = path.with_extension(format!("{ending}.stderr"));
        expect_test::expect_file![expected].assert_eq(&text);
    }
}

#[test]
fn every_code_is_provoked_and_explained() {
    let mut seen = SortedSet::new();
    for path in damaged_files() {
        let (_, diagnostics, _) = compile_file(&path);
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code.code));
    }
    let table: Vec<&CodeInfo> = codes::CODES.iter().chain(general::CODES).copied().collect();
    let missing: Vec<&str> = table
        .iter()
        .map(|info| info.code)
        .filter(|code| !seen.contains(code))
        .collect();
    assert!(missing.is_empty(), "nothing in fail/ provokes {missing:?}");
    for info in codes::CODES {
        let letter = match info.severity {
            Severity::Error => "BBGEL-E01",
            Severity::Warning => "BBGEL-W02",
        };
        assert!(info.code.starts_with(letter), "{}", info.code);
        assert!(info.explanation.len() > 40 && info.explanation.ends_with('.'));
    }
}

#[test]
fn own_games_are_without_findings() {
    for path in own_games() {
        let (game, diagnostics, sources) = compile_file(&path);
        let text = render_all(&sources, &diagnostics, Style::Plain);
        assert!(game.is_some() && diagnostics.is_empty(), "{text}");
    }
}

/// Xorshift, so that the mutations are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// Words that make boards odd without making them unreadable.
const ODD: [&str; 30] = [
    "force",
    "goto 1",
    "control goto 2",
    "move(-3)",
    "move(2)",
    "rollback()",
    "begin_scope()",
    "end_scope()",
    "limit_scope()",
    "int x {3} = 1",
    "bool x = true",
    "x++",
    "return 3",
    "return true",
    "log($result)",
    "sleep(np, 2)",
    "sleep(cp, -1)",
    "game_end()",
    "roll()",
    "roll(0 - 5)",
    "choose_bool()",
    "gold = gold / n",
    "n = true ? x = 1 : 2",
    "if choose_bool() then rollback() end",
    "x = $result",
    "game_start()",
    "0",
    "999999999",
    "cp.gold = np.gold * 1000",
    "control if roll(3) > 1 then goto 1 else goto 4 end",
];

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        if text.is_empty() {
            return;
        }
        let at = random.below(text.len());
        match random.below(6) {
            0 => {
                text.remove(at);
            }
            1 => text[at] = b"{}();:=+-/* \n0x"[random.below(15)],
            2 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let end = (at + random.below(200)).min(text.len());
                let copy = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
            // A statement more, behind some line of commands.
            _ => {
                let word = ODD[random.below(ODD.len())];
                let line = (at..text.len()).find(|i| text[*i] == b'\n');
                let Some(line) = line else { continue };
                let more = format!("\n    {word}");
                text.splice(line..line, more.bytes());
            }
        }
    }
}

/// Plays to the end, or a while.
fn play(game: &Interp, random: &mut Random) -> State {
    let mut state = game.initial();
    for _ in 0..400 {
        let moves = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game
                .chance_outcomes(&state)
                .iter()
                .map(|(mv, _)| *mv)
                .collect(),
            Turn::Decide(_) => match game.legal_moves(&state) {
                Ok(moves) => moves.to_vec(),
                Err(_) => break,
            },
        };
        if moves.is_empty() {
            break;
        }
        game.play(&mut state, moves[random.below(moves.len())]);
    }
    state
}

#[test]
fn mutated_files_never_panic() {
    let rounds = match std::env::var("RULEC_LONG").as_deref() {
        Ok("1") => 4000,
        _ => 80,
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut sound, mut ended) = (0, 0);
    let mut all = own_games();
    all.extend(
        damaged_files()
            .into_iter()
            .filter(|path| path.ends_with("may_fail.bbgel")),
    );
    for path in all {
        let original = std::fs::read(&path).expect("it can be read");
        for _ in 0..rounds {
            let mut text = original.clone();
            mutate(&mut text, &mut random);
            let (game, diagnostics, sources) = compile_text("mutated.bbgel", &text);
            render_all(&sources, &diagnostics, Style::Plain);
            let Some(game) = game else {
                assert!(diagnostics.has_errors());
                continue;
            };
            sound += 1;
            let interp = match Interp::new(game) {
                Ok(interp) => interp,
                Err(errors) => panic!("{errors:?}\n{}", String::from_utf8_lossy(&text)),
            };
            let state = play(&interp, &mut random);
            ended += usize::from(interp.outcome(&state).is_some());
        }
    }
    assert!(sound > 0 && ended > 0, "some mutations are harmless");
}

/// How a board ends when every draw has its first result and everybody says no.
fn ending(text: &str) -> (String, u32) {
    let (game, diagnostics, sources) = compile_text("board.bbgel", text.as_bytes());
    let findings = render_all(&sources, &diagnostics, Style::Plain);
    let game = Interp::new(game.unwrap_or_else(|| panic!("{findings}"))).expect("it is a game");
    let mut state = game.initial();
    let mut stops = 0;
    loop {
        let mv = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game.chance_outcomes(&state)[0].0,
            Turn::Decide(_) => game.legal_moves(&state).expect("no fault")[0],
        };
        let text = game.move_text(mv);
        assert!(
            game.parse_move(&text).contains(&mv),
            "`{text}` is read back"
        );
        assert!(game.play(&mut state, mv));
        let again = game
            .parse_state(&game.state_text(&state))
            .expect("the text of a state");
        assert_eq!(game.state_text(&again), game.state_text(&state));
        assert_eq!(game.outcome(&again), game.outcome(&state));
        stops += 1;
    }
    let outcome = game.outcome(&state).expect("it is over");
    let what = match outcome.reason {
        Reason::Fault(fault) => format!(
            "{} at {}",
            fault.code.message(),
            game.game().origin(fault.span)
        ),
        reason => format!("{} {:?}", reason.word(), outcome.winners),
    };
    (what, stops)
}

#[test]
fn a_walk_without_end_is_a_fault_with_field_and_line() {
    let text = "field 1 -> 2:\n    game_start()\nfield 2 -> 3:\n    force\n    move(1)\n\
                field 3:\n    force\n    move(1)\n    control goto 2\nfield 4:\n    force\n    game_end()\n";
    let (what, _) = ending(text);
    assert_eq!(
        what,
        "max_steps: the walk of this turn goes on and on, probably for ever (field 2, line 1) at board.bbgel:3:12"
    );
}

#[test]
fn a_position_after_a_fault_reads_back_where_another_rule_fails_at_the_same_place() {
    let text = "setup:\n    game { maxDiceValue 2 }\ntile a at 0 0 size 100 100:\nborder right 9 at 50\n\
                field 1 -> 2:\n    game_start()\nfield 2 -> 9:\nfield 3:\n    force\n    game_end()\n";
    let what = "no_neighbour_tile: there is no tile at the right of tile `a` (field 2, line 1) \
                at board.bbgel:7:12";
    assert_eq!(ending(text).0, what);
    let (game, ..) = compile_text("board.bbgel", text.as_bytes());
    let game = game.expect("it is a game");
    let mut sites = rulec_ir::sorted::SortedMap::<_, rulec_ir::sorted::SortedSet<String>>::new();
    for function in &game.functions {
        crate::ir::visit::walk_block(&function.body, &mut |stmt| {
            if let crate::ir::StmtKind::Fault(message) = &stmt.kind {
                let code = crate::ir::FaultCode::Rule(message.clone());
                sites.entry(stmt.span).or_default().insert(code.site());
            }
        });
    }
    assert!(sites.values().any(|names| names.len() > 1), "{sites:?}");
}

#[test]
fn where_the_grammar_has_line_ends_semicolons_do_as_well() {
    let text = "setup:\n    game {; maxDiceValue 1; }; ---; int x {3} = 0\nfield 1:\n    game_start()\n    \
                control if true; then; goto 2; else; goto 3; end\nfield 2 -> 3:\n    \
                if true ; then ; move(1) ; else ; move(2) ; end\nfield 3 -> 2:\n    force; game_end()\n";
    assert_eq!(ending(text).0, "win [0]");
}

#[test]
fn a_game_that_nobody_wins_ends_at_the_limit() {
    let text =
        "field 1 -> 2:\n    game_start()\nfield 2 -> 1:\nfield 4:\n    force\n    game_end()\n";
    assert_eq!(ending(text).0, "limit []");
}

#[test]
fn choices_and_draws_have_texts() {
    let text = "setup:\n    2 players { int n {9} = choose_bool() ? 1 : roll(3) }\n\
                field 1 -> 2:\n    game_start()\nfield 2:\n    force\n    game_end()\n";
    let (what, stops) = ending(text);
    assert_eq!((what.as_str(), stops), ("win [0]", 7));
}

#[test]
fn local_variables_depend_on_the_way() {
    let text = "setup:\n    game { maxDiceValue 1 }\nfield 1 -> 2:\n    game_start()\n    int x {9} = 3\n\
                field 2 -> 3:\n    move(x)\nfield 3 -> 4:\nfield 4 -> 5:\nfield 5 -> 6:\n\
                field 6:\n    force\n    game_end()\n";
    assert_eq!(ending(text).0, "win [0]");
    let text = text
        .replace("    int x {9} = 3\n", "")
        .replace("field 4 -> 5:\n", "field 4 -> 5:\n    int x {9} = 1\n");
    // A negative `x` would walk back from behind the declaration.
    let (game, diagnostics, _) = compile_text("board.bbgel", text.as_bytes());
    assert!(game.is_some() && !diagnostics.is_empty());
    assert!(ending(&text).0.starts_with("undefined_variable: "));
}

#[test]
fn pictures_know_the_ways_between_fields_and_where_these_are() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../games/bbgel/ladders.bbgel");
    let (game, ..) = compile_file(&file);
    let look = game.expect("it compiles").presentation;
    let jumps: Vec<(u32, u32)> = look
        .links
        .iter()
        .filter(|link| link.jump)
        .map(|link| (link.from + 1, link.to + 1))
        .collect();
    let ladders = [(3, 11), (6, 17), (9, 18), (10, 12), (20, 28)];
    let snakes = [(14, 4), (19, 8), (22, 20), (24, 16), (27, 5)];
    assert_eq!(jumps.len(), ladders.len() + snakes.len());
    assert!(ladders.iter().chain(&snakes).all(|way| jumps.contains(way)));
    assert_eq!(look.links.len() - jumps.len(), 29);
    // Thirty fields are six wide, from the lower left corner up; rows turn around.
    let at: Vec<(f64, f64)> = look.places.iter().filter_map(|place| place.at).collect();
    assert!(at[5].0 > at[0].0 && at[5].1 == at[0].1);
    assert!(at[6].0 == at[5].0 && at[6].1 < at[5].1);
}

/// Ways that depend on nothing, and commands that do nothing in passing.
const NO_QUESTION: &[&[&str]] = &[
    &[
        "-> 3:",
        ":\n    control if true then goto 3 else goto 1 end",
    ],
    &[
        "-> 3:",
        ":\n    control if $leftSteps < 1 then goto 4 else goto 3 end",
    ],
    &[
        "-> 3:",
        ":\n    control if not ($numPlayers == 2) then goto 4 else goto 3 end",
    ],
    &[
        "-> 3:",
        "-> 3:\n    force\n    if 1 > $leftSteps then goto 1 end",
    ],
    &["game {", "game { endCondition over; "],
];

#[test]
fn what_depends_on_nothing_is_walked_past_in_one_step() {
    let plain = "setup:\n    game { bool over = false }\n    2 players {}\nfield 1 -> 2:\n    game_start()\nfield 2 -> 3:\n\
                 field 3 -> 4:\nfield 4:\n    force\n    game_end()\n";
    for change in NO_QUESTION {
        let [from, to] = change else {
            panic!("two texts")
        };
        let text = plain.replacen(from, to, 1);
        assert_ne!(text, plain, "{from}");
        let (game, diagnostics, sources) = compile_text("board.bbgel", text.as_bytes());
        let told = render_all(&sources, &diagnostics, Style::Plain);
        let game = game.unwrap_or_else(|| panic!("{text}: {told}"));
        let run = game.tables.iter().find(|table| table.name == "run");
        let run = &run.expect("a table of runs").values;
        assert_eq!(run[0], crate::ir::Const::Int(3), "{text}");
    }
}
