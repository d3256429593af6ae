//! Tests of the bgm front end: text in, text out.

use std::path::{Path, PathBuf};

use super::*;
use crate::diag::{CodeInfo, Severity, Style, general, render_all};
use crate::interp::Interp;
use crate::pipeline;

fn compile_text(name: &str, bytes: &[u8]) -> (Option<Front>, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("small file");
    let mut diagnostics = Diagnostics::new();
    let options = Options { image_folder: None };
    let front = compile(&sources, id, &options, &mut diagnostics);
    (front, diagnostics, sources)
}

fn bgm_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "bgm"));
    files.sort();
    files
}

/// Damaged files with their diagnostics beside them; `UPDATE_EXPECT=1` writes what is found.
fn damaged_files() -> Vec<PathBuf> {
    let files = bgm_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lang/bgm/fail"));
    assert!(files.len() >= 40, "only {} damaged files", files.len());
    files
}

fn compile_file(path: &Path) -> (Option<Front>, Diagnostics, SourceMap) {
    let name = path.file_name().expect("a file").to_string_lossy();
    compile_text(&name, &std::fs::read(path).expect("readable"))
}

#[test]
fn damaged_files_give_the_expected_diagnostics() {
    for path in damaged_files() {
        let (front, diagnostics, sources) = compile_file(&path);
        assert!(!diagnostics.is_empty(), "{} is not damaged", path.display());
        let refused = front.is_none();
        assert_eq!(refused, diagnostics.has_errors(), "{}", path.display());
        let text = render_all(&sources, &diagnostics, Style::Plain);
        expect_test::expect_file![path.with_extension("stderr")].assert_eq(&text);
    }
}

#[test]
fn every_code_is_provoked_and_explained() {
    let mut seen = std::collections::BTreeSet::new();
    for path in damaged_files() {
        let (_, diagnostics, _) = compile_file(&path);
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code.code));
    }
    let table: Vec<&CodeInfo> = codes::CODES.iter().chain(general::CODES).copied().collect();
    for info in &table {
        assert!(
            seen.contains(info.code),
            "no file in fail/ provokes {}",
            info.code
        );
        let letter = match info.severity {
            Severity::Error => "-E0",
            Severity::Warning => "-W0",
        };
        assert!(info.code.contains(letter), "{}", info.code);
        let long = info.explanation.len() > 40 && info.explanation.ends_with('.');
        assert!(long, "{}", info.code);
        assert_eq!(crate::lang::explain(info.code), Some(*info));
    }
}

/// Compiles with all passes; what goes wrong inside of the compiler panics.
fn survives(text: &[u8]) -> bool {
    let mut sources = SourceMap::new();
    sources.add("game.bgm", text).expect("small file");
    let options = pipeline::Options {
        language: None,
        passes: pipeline::Passes::none(),
        image_folder: None,
        limit: None,
    };
    match pipeline::compile(&sources, &options) {
        Ok((output, diagnostics)) => {
            assert_eq!(output.is_none(), diagnostics.has_errors());
            output.is_some()
        }
        Err(error) => panic!("{error}\n{}", String::from_utf8_lossy(text)),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Changes words and lines of a file at random.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    for _ in 0..=random.below(3) {
        let line = random.below(lines.len());
        let length = lines[line].len();
        match random.below(6) {
            0 => {
                lines.remove(line);
            }
            1 => {
                let other = random.below(lines.len());
                lines.swap(line, other);
            }
            2 => {
                let again = lines[line].clone();
                lines.insert(line, again);
            }
            3 if length > 0 => {
                lines[line].remove(random.below(length));
            }
            4 => lines[line].insert(random.below(length + 1), words[random.below(words.len())]),
            _ if length > 0 => lines[line][random.below(length)] = words[random.below(words.len())],
            _ => {}
        }
        if lines.is_empty() {
            break;
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    lines.join("\n")
}

#[test]
fn mutated_files_never_panic() {
    let own = bgm_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/bgm"));
    let mut sound = 0;
    for (seed, path) in own.iter().chain(&damaged_files()).enumerate() {
        let bytes = std::fs::read(path).expect("readable");
        let text = String::from_utf8_lossy(&bytes);
        let mut random = Random(seed as u64);
        for _ in 0..25 {
            sound += usize::from(survives(mutated(&text, &mut random).as_bytes()));
        }
        let cut = random.below(bytes.len());
        survives(&bytes[..cut]);
    }
    assert!(sound > 100, "only {sound} mutated files are sound");
}

fn sound(text: &str) -> Interp {
    let (front, diagnostics, sources) = compile_text("game.bgm", text.as_bytes());
    let shown = render_all(&sources, &diagnostics, Style::Plain);
    let front = front.unwrap_or_else(|| panic!("{shown}"));
    Interp::new(front.game).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn texts(game: &Interp, state: &crate::interp::State) -> Vec<String> {
    let moves = game.legal_moves(state).expect("no fault");
    moves.iter().map(|&mv| game.move_text(mv)).collect()
}

#[test]
fn moves_that_cannot_be_finished_are_not_offered() {
    let game = sound(
        "Players 1\nBox outer\nBox inner\nin outer\nBall ball\nin inner\n\
         Action Up Ball b\neffect put b b.in.in\neffect put b b.in.in\n\
         Action Out Ball b\neffect put b b.in.in\n",
    );
    assert_eq!(texts(&game, &game.initial()), ["p1 Out ball"]);
}

#[test]
fn a_full_pool_is_a_fault_that_names_the_type() {
    let game =
        sound("Type Heap\nType Stone max 2\nPlayers 1\nHeap h\nAction Add\neffect put Stone h\n");
    let mut state = game.initial();
    for left in [true, true, false] {
        let moves = game.legal_moves(&state).expect("no fault").to_vec();
        assert!(game.play(&mut state, moves[0]));
        match (left, game.outcome(&state)) {
            (true, None) => {}
            (false, Some(outcome)) => {
                let text = format!("{outcome:?}");
                assert!(text.contains("another `Stone`: at most 2"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_draw_of_equal_objects_has_exact_weights() {
    // Of three red and two blue beads two are dealt to the only player.
    let game = sound(
        "Players 1\nBag bag\ncontains Red 3\ncontains Blue 2\nAction Deal\n\
         require contains bag Red 3\neffect distribute bag all Red 2\n\
         Action Show Red r\nrequire owns r\neffect disown r\n",
    );
    let mut state = game.initial();
    let moves = game.legal_moves(&state).expect("no fault").to_vec();
    assert!(game.play(&mut state, moves[0]));
    // All three are the same: there is nothing to draw, and one of the two in hand stands for both.
    assert_eq!(texts(&game, &state).len(), 1);
}
