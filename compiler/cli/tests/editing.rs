//! `rulec fmt` and `rulec lsp`, as programs.

#[path = "common/corpus.rs"]
#[allow(dead_code)]
mod corpus;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be there from an earlier run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn rulec(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulec"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    // A program that reads nothing may be gone.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("texts are UTF-8")
}

#[test]
fn files_are_written_in_their_usual_form() {
    let folder = folder("fmt");
    let ugly = "# who plays\nPlayers   a b\n\n\nType  Stone\nStone x\nAction take Stone s\nrequire   contains x s # why\n  effect remove s\n";
    let usual = "# who plays\nPlayers a b\n\nType Stone\nStone x\nAction take Stone s\n    require contains x s # why\n    effect remove s\n";
    std::fs::write(folder.join("a.bgm"), ugly).expect("the file can be written");
    let check = rulec(&folder, &["fmt", "--check", "a.bgm"], "");
    assert_eq!(check.status.code(), Some(1));
    assert!(
        text(&check.stdout).contains("-Players   a b\n"),
        "{}",
        text(&check.stdout)
    );
    let read = || std::fs::read_to_string(folder.join("a.bgm")).expect("the file is there");
    assert_eq!(read(), ugly, "a check writes nothing");
    assert!(rulec(&folder, &["fmt", "a.bgm"], "").status.success());
    assert_eq!(read(), usual);
    assert!(
        rulec(&folder, &["fmt", "--check", "a.bgm"], "")
            .status
            .success()
    );
    let piped = rulec(&folder, &["fmt", "--lang", "bgm", "-"], ugly);
    assert_eq!(text(&piped.stdout), usual);
}

#[test]
fn files_that_cannot_be_read_stay() {
    let folder = folder("fmt-broken");
    let broken = "[EXPRESSIONS]\nA\n  (1 +\nEND\n";
    std::fs::write(folder.join("a.s3"), broken).expect("the file can be written");
    let output = rulec(&folder, &["fmt", "a.s3"], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        std::fs::read_to_string(folder.join("a.s3")).expect("it is there"),
        broken
    );
    let strange = rulec(&folder, &["fmt", "-"], "");
    assert_eq!(strange.status.code(), Some(2));
}

/// Whether a program is there; without it a test is skipped, or fails where everything has to be there.
fn has(program: &str, args: &[&str]) -> bool {
    let found = Command::new(program)
        .args(args)
        .output()
        .is_ok_and(|o| o.status.success());
    if !found {
        assert_ne!(
            std::env::var("CI").as_deref(),
            Ok("true"),
            "{program} is missing"
        );
        eprintln!("skipped, no {program}");
    }
    found
}

/// A rule file of each language, its language, a place of a name in it and another name for it.
const SUBJECTS: &[(&str, &str, &str, &str)] = &[
    ("games/s3/frogs.s3", "s3", "126:0", "Hop"),
    ("games/bgm/tic_tac_toe.bgm", "bgm", "4:5", "Tile"),
    ("games/bbgel/goose.bbgel", "bbgel", "4:31", "calls"),
    ("games/gs5/spiral.txt", "gs5", "2:6", "Circles"),
    ("games/bgc/hexguard.json", "bgc", "3:15", "first"),
];

#[test]
fn neovim_is_served() {
    if !has("nvim", &["--version"]) {
        return;
    }
    for (file, language, at, new) in SUBJECTS {
        let output = Command::new("nvim")
            .args([
                "--headless",
                "--clean",
                "-n",
                "-c",
                "luafile editors/clients/nvim_lsp.lua",
            ])
            .current_dir(corpus::root())
            .env("LSP_CMD", format!("{} lsp", env!("CARGO_BIN_EXE_rulec")))
            .env("LSP_FILE", file)
            .env("LSP_LANG", language)
            .env("LSP_AT", at)
            .env("LSP_NEW", new)
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let shown = format!(
            "{}{}",
            text(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success(), "{file}: {shown}");
    }
}

#[test]
fn the_library_of_vs_code_is_served() {
    // The library comes from the folder of the extension, after `npm install` there.
    let extension = corpus::root().join("editors/vscode");
    let library = extension.join("node_modules/vscode-languageserver-protocol");
    if !library.is_dir() {
        eprintln!("skipped, no {}", library.display());
        return;
    }
    if !has("node", &["--version"]) {
        return;
    }
    for (file, language, at, new) in SUBJECTS {
        let file = corpus::root().join(file);
        let output = Command::new("node")
            .arg("../clients/lsp_client.mjs")
            .args([
                "--file",
                &file.to_string_lossy(),
                "--lang",
                language,
                "--at",
                at,
            ])
            .args([
                "--new", new, "--edits", "40", "--seed", "7", "--quiet", "300", "--",
            ])
            .args([env!("CARGO_BIN_EXE_rulec"), "lsp"])
            .current_dir(&extension)
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let shown = format!(
            "{}{}",
            text(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success(), "{}: {shown}", file.display());
    }
}

#[test]
fn tests_beside_the_rules_are_run() {
    let mut count = 0;
    for language in ["s3", "bgm", "bgc"] {
        let games = corpus::root().join("games").join(language);
        for entry in std::fs::read_dir(games).expect("a folder").flatten() {
            let tests = entry.path();
            if tests.extension().is_none_or(|ending| ending != "tests") {
                continue;
            }
            let rules = tests.with_extension("");
            let output = rulec(&corpus::root(), &["test", &rules.to_string_lossy()], "");
            assert!(output.status.success(), "{}", text(&output.stdout));
            count += 1;
        }
    }
    assert!(count >= 9, "{count}");
    let folder = folder("tested");
    let rules = std::fs::read(corpus::root().join("games/bgm/nim.bgm")).expect("the file is there");
    std::fs::write(folder.join("nim.bgm"), rules).expect("the file can be written");
    let missing = rulec(&folder, &["test", "nim.bgm"], "");
    assert_eq!(missing.status.code(), Some(2));
    let tests =
        "[[test]]\nname = \"wrong\"\nlegal = 11\n[[test]]\nlacks = [\"second Take1 top\"]\n";
    std::fs::write(folder.join("nim.bgm.tests"), tests).expect("the file can be written");
    let failed = rulec(&folder, &["test", "nim.bgm"], "");
    assert_eq!(failed.status.code(), Some(1));
    let told = text(&failed.stdout);
    assert!(
        told.contains("FAILED wrong: 11 moves should be legal, and 12 are"),
        "{told}"
    );
    assert!(told.ends_with("1 passed, 1 failed\n"), "{told}");
    std::fs::write(folder.join("nim.bgm.tests"), "[[test]]\nlegl = 3\n").expect("written");
    assert_eq!(
        rulec(&folder, &["test", "nim.bgm"], "").status.code(),
        Some(2)
    );
}

#[test]
fn rules_that_random_games_reach_are_counted() {
    let folder = folder("coverage");
    let file = corpus::root().join("games/s3/tic_tac_toe.s3");
    let args = [
        "coverage",
        &file.to_string_lossy(),
        "--games",
        "30",
        "--lcov",
        "a.info",
    ];
    let output = rulec(&folder, &args, "");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text(&output.stdout).contains("rules and ends reached"));
    let trace = std::fs::read_to_string(folder.join("a.info")).expect("it was written");
    assert!(trace.starts_with("TN:\nSF:"), "{trace}");
    assert!(trace.ends_with("end_of_record\n"), "{trace}");
    assert!(
        trace
            .lines()
            .any(|line| line.starts_with("DA:") && !line.ends_with(",0")),
        "{trace}"
    );
}

#[test]
fn changes_that_no_test_notices_are_told() {
    let file = "games/bgm/nim.bgm";
    let noticed = rulec(&corpus::root(), &["mutate", file, "--most", "60"], "");
    let told = text(&noticed.stdout);
    assert!(noticed.status.success(), "{told}");
    let folder = folder("mutants");
    let rules = std::fs::read(corpus::root().join(file)).expect("the file is there");
    std::fs::write(folder.join("nim.bgm"), rules).expect("the file can be written");
    std::fs::write(
        folder.join("nim.bgm.tests"),
        "[[test]]\nto_move = \"first\"\n",
    )
    .expect("written");
    let weak = rulec(&folder, &["mutate", "nim.bgm", "--most", "20"], "");
    assert_eq!(weak.status.code(), Some(2), "{}", text(&weak.stdout));
    assert!(text(&weak.stdout).contains("missed "));
    std::fs::write(
        folder.join("nim.bgm.tests"),
        "[[test]]\nto_move = \"second\"\n",
    )
    .expect("written");
    assert_eq!(
        rulec(&folder, &["mutate", "nim.bgm"], "").status.code(),
        Some(4)
    );
}
