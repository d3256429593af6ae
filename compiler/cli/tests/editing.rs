//! `rulec fmt` and `rulec lsp`, as programs.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::corpus;

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

#[test]
fn our_games_are_in_their_usual_form() {
    let games = corpus::root().join("games");
    let mut files = Vec::new();
    for folder in ["s3", "bgm", "bbgel", "bgc", "gs5", "robot"] {
        for entry in std::fs::read_dir(games.join(folder))
            .expect("a folder")
            .flatten()
        {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending.is_some_and(|e| matches!(e, "s3" | "bgm" | "bbgel" | "json" | "txt")) {
                files.push(path.to_string_lossy().into_owned());
            }
        }
    }
    assert!(files.len() > 50, "{files:?}");
    let mut args = vec!["fmt", "--check"];
    args.extend(files.iter().map(String::as_str));
    let output = rulec(&corpus::root(), &args, "");
    assert!(output.status.success(), "{}", text(&output.stdout));
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

/// Milliseconds that editors wait for an answer: the machine may be busy.
const PATIENCE: &str = "120000";

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
            .env("LSP_TIMEOUT", PATIENCE)
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
                "--new", new, "--edits", "40", "--seed", "7", "--quiet", "300",
            ])
            .args(["--timeout", PATIENCE, "--"])
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
fn the_extension_is_tested_and_packed() {
    let extension = corpus::root().join("editors/vscode");
    if !extension.join("node_modules/@vscode/vsce").is_dir() {
        eprintln!("skipped, no tools in {}", extension.display());
        return;
    }
    for script in ["test", "package"] {
        let output = Command::new("npm")
            .args(["run", script])
            .current_dir(&extension)
            .stdin(Stdio::null())
            .output()
            .expect("npm starts");
        let shown = format!(
            "{}{}",
            text(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success(), "{script}: {shown}");
    }
}

/// A server over its standard streams.
struct Wire {
    child: std::process::Child,
    asked: u64,
}

impl Wire {
    fn start(capabilities: Value) -> Wire {
        let child = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut wire = Wire { child, asked: 0 };
        wire.ask("initialize", json!({ "capabilities": capabilities }));
        wire.tell("initialized", json!({}));
        wire
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        let stdin = self.child.stdin.as_mut().expect("it was piped");
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        stdin.flush().expect("it listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let stdout = self.child.stdout.as_mut().expect("it was piped");
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            stdout.read_exact(&mut byte).expect("it talks");
            head.push(byte[0]);
        }
        let length = text(&head)
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length: "))
            .expect("a length");
        let mut body = vec![0; length.trim().parse().expect("a number")];
        stdout.read_exact(&mut body).expect("it talks");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Everything up to a message of this method, which is the last.
    fn wait(&mut self, method: &str) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(json!({ "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id && message["method"].is_null() {
                return message["result"].clone();
            }
        }
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn editors_are_told_what_random_games_reach() {
    let mut wire = Wire::start(json!({
        "workspace": { "codeLens": { "refreshSupport": true } },
        "experimental": { "rulecCoverage": true },
    }));
    let rules = std::fs::read_to_string(corpus::root().join("games/s3/nine_mens_morris.s3"))
        .expect("the file is there");
    let uri = "file:///nine_mens_morris.s3";
    wire.tell(
        "textDocument/didOpen",
        json!({
            "textDocument": { "uri": uri, "languageId": "s3", "version": 1, "text": rules },
        }),
    );
    let coverage = wire.wait("rulec/coverage");
    assert_eq!(
        (coverage["uri"].as_str(), coverage["version"].as_u64()),
        (Some(uri), Some(1))
    );
    let line = |name: &str| {
        let at = rules.lines().position(|line| line == name);
        at.expect("the line is there") as u64
    };
    let marks = coverage["lines"].as_array().expect("lines");
    let place = marks.iter().find(|mark| mark["line"] == line("name=place"));
    let place = place.expect("the rule has a mark");
    assert!(place["count"].as_u64() > Some(0), "{place}");
    wire.wait("workspace/codeLens/refresh");
    let lenses = wire.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    let lenses = lenses.as_array().expect("lenses");
    let titles = |name: &str| -> Vec<&str> {
        let here = lenses
            .iter()
            .filter(|lens| lens["range"]["start"]["line"] == line(name));
        here.filter_map(|lens| lens["command"]["title"].as_str())
            .collect()
    };
    let place = titles("name=place");
    assert_eq!(place[0], "24 legal moves at the start");
    assert!(place[1].starts_with("legal in "), "{place:?}");
    let take = titles("name=take");
    assert_eq!(take[..2], ["no legal move at the start", "why not"]);
    let arguments = json!([uri, line("name=take")]);
    let why = wire.ask(
        "workspace/executeCommand",
        json!({ "command": "rulec.why", "arguments": arguments }),
    );
    assert!(
        why.as_str().is_some_and(|why| why.starts_with("take: ")),
        "{why}"
    );
    wire.end();
}

#[test]
fn tests_beside_the_rules_are_run() {
    let mut count = 0;
    let folders = std::fs::read_dir(corpus::root().join("games")).expect("a folder");
    for folder in folders.flatten().filter(|entry| entry.path().is_dir()) {
        for entry in std::fs::read_dir(folder.path())
            .expect("a folder")
            .flatten()
        {
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
    assert!(count >= 50, "{count}");
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
    assert!(told.contains("\n  top [3 Match]\n"), "the board: {told}");
    assert!(told.ends_with("1 passed, 1 failed\n"), "{told}");
    std::fs::write(folder.join("nim.bgm.tests"), "[[test]]\nlegl = 3\n").expect("written");
    let misspelt = rulec(&folder, &["test", "nim.bgm"], "");
    assert_eq!(misspelt.status.code(), Some(2));
    let told = text(&misspelt.stderr);
    assert!(told.contains("did you mean `legal`?"), "{told}");
}

/// What stands on places, and scores, can be said of a position.
#[test]
fn pieces_and_scores_are_tested() {
    let folder = folder("stands");
    let rules = corpus::root().join("games/s3/dots_and_boxes.s3");
    std::fs::copy(rules, folder.join("dots.s3")).expect("it can be copied");
    let recorded = rulec(&folder, &["test", "dots.s3", "--record", "5"], "");
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let path = folder.join("dots.s3.tests");
    let tests = std::fs::read_to_string(&path).expect("it was written");
    assert!(tests.contains("\nscores = ["), "{tests}");
    let more = rulec(
        &folder,
        &["test", "dots.s3", "--record", "2", "--seed", "9"],
        "",
    );
    assert!(more.status.success(), "{}", text(&more.stderr));
    let tests = std::fs::read_to_string(&path).expect("it was written");
    assert_eq!(tests.matches("the start").count(), 1, "{tests}");
    assert!(tests.contains("recorded 6"), "{tests}");
    let rules = corpus::root().join("games/s3/tic_tac_toe.s3");
    std::fs::copy(rules, folder.join("ttt.s3")).expect("it can be copied");
    let cases = [
        (
            r#"at = { "b(2,2)" = "x(1)", "b(1,1)" = "" }"#,
            "1 passed, 0 failed",
        ),
        (
            r#"at = { "b(1,1)" = "x(1)" }"#,
            "x(1) should be on `b(1,1)`, and there is nothing",
        ),
        (
            r#"at = { "b(2,2)" = [] }"#,
            "nothing should be on `b(2,2)`, and there is x(1)",
        ),
        (
            r#"at = { "b(2,4)" = [] }"#,
            "there is no place `b(2,4)`; did you mean `b(",
        ),
        (
            r#"scores = [1, 0]"#,
            "the scores should be [1, 0], and are [0, 0]",
        ),
    ];
    for (wanted, told) in cases {
        let test = format!("[[test]]\nafter = \"x(1) xt(1) b(2,2)\"\n{wanted}\n");
        std::fs::write(folder.join("ttt.s3.tests"), test).expect("it can be written");
        let output = rulec(&folder, &["test", "ttt.s3"], "");
        let said = text(&output.stdout);
        let shown = said.contains("found:") && said.contains("wanted:");
        assert_eq!(shown, told.contains("should be on"), "{wanted}: {said}");
        assert!(
            said.contains(told),
            "{wanted}: {said} {}",
            text(&output.stderr)
        );
    }
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
        "--html",
        "a.html",
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
    let page = std::fs::read_to_string(folder.join("a.html")).expect("it was written");
    assert!(page.contains("<h1>Coverage of "), "{page}");
    assert!(
        trace
            .lines()
            .any(|line| line.starts_with("DA:") && !line.ends_with(",0")),
        "{trace}"
    );
}

#[test]
fn what_rules_do_today_is_recorded_as_tests() {
    let folder = folder("recorded");
    for file in ["s3/reversi.s3", "bgm/discard.bgm", "bbgel/goose.bbgel"] {
        let rules = std::fs::read(corpus::root().join("games").join(file)).expect("it is there");
        let name = file.split('/').next_back().expect("a name");
        std::fs::write(folder.join(name), rules).expect("it can be written");
        let recorded = rulec(&folder, &["test", name, "--record", "4"], "");
        assert_eq!(text(&recorded.stdout), format!("{name}.tests\n"));
        let held = rulec(&folder, &["test", name], "");
        assert_eq!(text(&held.stdout), "4 passed, 0 failed\n");
        let covered = rulec(&folder, &["coverage", name, "--tests", "--json"], "");
        let report: Value = serde_json::from_slice(&covered.stdout).expect("JSON");
        assert_eq!(report["games"], 4, "{report}");
        let lines = report["lines"].as_array().expect("lines");
        assert!(
            lines.iter().any(|line| line["count"].as_u64() > Some(0)),
            "{report}"
        );
    }
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
