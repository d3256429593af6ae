//! The server as an editor sees it, over channels in memory.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use gen_lsp_types::{
    CodeAction, CompletionResponse, DefinitionResponse, DocumentDiagnosticReport,
    DocumentSymbolResponse, FoldingRange, Hover, InlayHint, Location, PublishDiagnosticsParams,
    SemanticTokens, SignatureHelp, WorkspaceEdit,
};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use rulec_lsp::Host;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// An editor without a window.
struct Editor {
    wire: Connection,
    server: Option<JoinHandle<bool>>,
    asked: i32,
    /// What was told without being asked for.
    told: Vec<PublishDiagnosticsParams>,
}

/// What an editor of today can do.
fn modern() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
        "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } },
    })
}

impl Editor {
    fn start(capabilities: Value) -> Editor {
        let (wire, other) = Connection::memory();
        let serve = move || rulec_lsp::serve(&other, Host::NONE).expect("the editor begins well");
        let server = std::thread::spawn(serve);
        let mut editor = Editor {
            wire,
            server: Some(server),
            asked: 0,
            told: Vec::new(),
        };
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        editor.ask_value("initialize", params).expect("an answer");
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let note = Notification::new(method.to_owned(), params);
        self.wire
            .sender
            .send(note.into())
            .expect("the server listens");
    }

    fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.wire
            .sender
            .send(request.into())
            .expect("the server listens");
        id
    }

    fn receive(&mut self) -> Option<(RequestId, Result<Value, i32>)> {
        match self.wire.receiver.recv().expect("the server lives") {
            Message::Response(response) => {
                let answer = response.response_result.map_err(|error| error.code);
                Some((response.id, answer))
            }
            Message::Notification(note) => {
                assert_eq!(note.method, "textDocument/publishDiagnostics");
                let told = serde_json::from_value(note.params).expect("diagnostics");
                self.told.push(told);
                None
            }
            Message::Request(request) => panic!("the server asked {}", request.method),
        }
    }

    fn wait(&mut self, id: &RequestId) -> Result<Value, i32> {
        loop {
            match self.receive() {
                Some((other, answer)) if other == *id => return answer,
                _ => {}
            }
        }
    }

    fn ask_value(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let id = self.send(method, params);
        self.wait(&id)
    }

    fn ask<T: DeserializeOwned>(&mut self, method: &str, params: Value) -> T {
        let method = format!("textDocument/{method}");
        let answer = self.ask_value(&method, params).expect("an answer");
        serde_json::from_value(answer.clone())
            .unwrap_or_else(|error| panic!("{method} is not as it should be: {error}: {answer}"))
    }

    fn open(&self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({
                "textDocument": { "uri": uri, "languageId": "", "version": 1, "text": text },
            }),
        );
    }

    fn change(&self, uri: &str, version: i32, range: Value, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [{ "range": range, "text": text }],
            }),
        );
    }

    /// The diagnostics of a version of a file.
    fn diagnostics(&mut self, uri: &str, version: i32) -> PublishDiagnosticsParams {
        loop {
            let found = self
                .told
                .iter()
                .find(|told| told.uri.0 == uri && told.version == Some(version));
            if let Some(found) = found {
                return found.clone();
            }
            assert!(self.receive().is_none(), "nothing was asked");
        }
    }

    fn end(mut self) {
        self.ask_value("shutdown", Value::Null).expect("an answer");
        let late = self.ask_value("textDocument/hover", json!({}));
        assert_eq!(late, Err(-32600), "nothing is answered behind `shutdown`");
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        assert!(server.join().expect("it does not panic"), "a clean end");
    }
}

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// The rule files of the corpus; none where it is missing.
fn corpus() -> Vec<PathBuf> {
    let given = std::env::var_os("RULEC_CORPUS").map(PathBuf::from);
    let root = given.unwrap_or_else(|| games().join("../../shared/corpus"));
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let rules = [".s3", ".bgm", ".bbgel", ".json", ".txt"];
            if path.is_dir() && name != "oracle" && name != "boards" {
                folders.push(path);
            } else if rules
                .iter()
                .any(|end| name.to_string_lossy().ends_with(end))
            {
                files.push(path);
            }
        }
    }
    let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(
        !files.is_empty() || !ci,
        "the corpus is missing: {}",
        root.display()
    );
    files.sort();
    files
}

fn text(file: &str) -> String {
    std::fs::read_to_string(games().join(file)).expect("the file can be read")
}

/// The place of a text in a file, and so many letters further.
fn find(text: &str, wanted: &str, further: usize) -> Value {
    let at = text
        .find(wanted)
        .unwrap_or_else(|| panic!("`{wanted}` is in the file"))
        + further;
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

fn at(uri: &str, place: Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": place })
}

fn whole(uri: &str) -> Value {
    json!({
        "textDocument": { "uri": uri },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 100_000, "character": 0 } },
        "context": { "diagnostics": [] },
    })
}

/// A file of each language, a use of a name in it, and how often the name stands there.
const NAMES: &[(&str, &str, usize, usize)] = &[
    ("s3/frogs.s3", "condition=Step(1)", 10, 3),
    ("s3/frogs.s3", "from=s($K)", 5, 24),
    ("s3/frogs.s3", "== \"redFrog\"", 4, 6),
    ("bgm/tic_tac_toe.bgm", "contains at Cross", 9, 4),
    ("bgm/tic_tac_toe.bgm", "contains nw Cross", 12, 28),
    ("bbgel/ladders.bbgel", "goto 11", 5, 3),
    ("bbgel/ladders.bbgel", "cp.climbs", 3, 6),
    ("gs5/spiral.txt", "pos:Rings", 4, 2),
    ("bgc/chess.json", "\"initial_game_state\": \"", 23, 3),
];

#[test]
fn names_are_followed_in_every_language() {
    let mut editor = Editor::start(modern());
    for (file, wanted, further, count) in NAMES {
        let (uri, text) = (format!("file:///{file}"), text(file));
        editor.open(&uri, &text);
        let place = find(&text, wanted, *further);
        let mut params = at(&uri, place.clone());
        params["context"] = json!({ "includeDeclaration": true });
        let all: Vec<Location> = editor.ask("references", params.clone());
        assert_eq!(all.len(), *count, "{file}: {wanted}");
        let defined: DefinitionResponse = editor.ask("definition", params.clone());
        let defined = serde_json::to_value(defined).expect("JSON");
        let first = defined
            .as_array()
            .expect("a list")
            .first()
            .expect("a definition");
        let first: Location = serde_json::from_value(first.clone()).expect("a place");
        assert!(all.contains(&first), "{file}: {wanted}");
        let hover: Hover = editor.ask("hover", params.clone());
        assert!(hover.range.is_some(), "{file}: {wanted}");
        let new = if *wanted == "goto 11" { "77" } else { "other" };
        params["newName"] = json!(new);
        let edit: WorkspaceEdit = editor.ask("rename", params);
        let edit = serde_json::to_value(edit).expect("JSON");
        let edits = edit["documentChanges"][0]["edits"]
            .as_array()
            .expect("edits");
        assert_eq!(edits.len(), *count, "{file}: {wanted}");
        assert!(edits.iter().all(|edit| edit["newText"] == new));
        assert_eq!(edit["documentChanges"][0]["textDocument"]["version"], 1);
    }
    editor.end();
}

#[test]
fn every_file_answers_every_question() {
    let mut editor = Editor::start(modern());
    for (file, ..) in NAMES {
        let (uri, text) = (format!("file:///{file}"), text(file));
        editor.open(&uri, &text);
        let symbols: DocumentSymbolResponse = editor.ask("documentSymbol", whole(&uri));
        assert_ne!(
            serde_json::to_value(symbols).expect("JSON"),
            json!([]),
            "{file}"
        );
        let tokens: SemanticTokens = editor.ask("semanticTokens/full", whole(&uri));
        assert!(!tokens.data.is_empty(), "{file}");
        let part: SemanticTokens = editor.ask("semanticTokens/range", whole(&uri));
        assert_eq!(part.data, tokens.data, "{file}: all of it is a part too");
        let _: Vec<FoldingRange> = editor.ask("foldingRange", whole(&uri));
        let _: Vec<InlayHint> = editor.ask("inlayHint", whole(&uri));
        let _: Vec<CodeAction> = editor.ask("codeAction", whole(&uri));
        let _: Vec<gen_lsp_types::TextEdit> = editor.ask("formatting", whole(&uri));
        let found = editor.diagnostics(&uri, 1);
        let errors = found
            .diagnostics
            .iter()
            .filter(|d| d.severity == Some(gen_lsp_types::DiagnosticSeverity::Error));
        assert_eq!(errors.count(), 0, "{file}");
    }
    editor.end();
}

/// A text, where the cursor stands (`|`), and what is offered there, among other things.
const OFFERED: &[(&str, &str, &str)] = &[
    (
        "s3",
        "[MOVABLE ELEMENTS]\nname=a\ntype=|\n[ELEMENT TYPES]\nname=frog\n",
        "frog",
    ),
    ("s3", "[MOVABLE ELEMENTS]\nname=a\nlo|", "location"),
    (
        "s3",
        "[LOCATIONS]\nname=s(1)\n[GAME RULES]\nname=a\nfrom=|",
        "s(1)",
    ),
    (
        "s3",
        "[EXPRESSIONS]\nNear($A)\n  $A == 1\nEND\n[GAME RULES]\nname=r\ncondition=Ne|",
        "Near",
    ),
    (
        "s3",
        "[GAME RULES]\nname=r\nelement=e($J)\ncondition=$|",
        "$J",
    ),
    ("s3", "[GAME RULES]\nname=r\ncondition=EM|", "EMPTY"),
    ("s3", "[EX|", "[EXPRESSIONS]"),
    (
        "bgm",
        "Type Stone\nPlayers a b\nAction Stone s\n    effect put |",
        "s",
    ),
    ("bgm", "Type Stone\nPlayers a b\nSt|", "Stone"),
    ("bgm", "Players a b\nAction\n    require c|", "contains"),
    (
        "bbgel",
        "setup:\n    game { int gold {9} = 0 }\nfield 1 -> 2:\n    |\nfield 2:\n    force\n",
        "gold",
    ),
    (
        "bbgel",
        "field 1 -> 2:\n    goto |\nfield 2:\n    force\n",
        "2",
    ),
    ("gs5.txt", "Order Mine = [[1]]\n(pos:|", "Mine"),
    ("gs5.txt", "(color:|", "RED"),
    ("gs5.txt", "(|", "bucket"),
    (
        "bgc.json",
        "{\"players\": [\"white\"], \"win_conditions\": {\"|",
        "white",
    ),
    ("bgc.json", "{\"figures\": {\"king\": {\"|", "movement"),
    (
        "bgc.json",
        "{\"game_states\": {\"a\": {\"type\": \"|",
        "check_win",
    ),
    (
        "bgc.json",
        "{\"game_states\": {\"a\": {\"type\": \"move\"}}, \"initial_game_state\": |}",
        "a",
    ),
];

#[test]
fn what_may_stand_there_is_offered_also_in_broken_files() {
    let mut editor = Editor::start(modern());
    for (number, (language, marked, wanted)) in OFFERED.iter().enumerate() {
        let uri = format!(
            "file:///{number}.{}",
            language.rsplit('.').next().expect("a name")
        );
        let text = marked.replace('|', "");
        editor.open(&uri, &text);
        let at_mark = find(marked, "|", 0);
        let offered: CompletionResponse = editor.ask("completion", at(&uri, at_mark));
        let offered = serde_json::to_value(offered).expect("JSON");
        let labels: Vec<&str> = offered["items"]
            .as_array()
            .expect("items")
            .iter()
            .filter_map(|item| item["label"].as_str())
            .collect();
        assert!(labels.contains(wanted), "{marked}: {labels:?}");
    }
    editor.end();
}

#[test]
fn calls_tell_their_arguments() {
    let mut editor = Editor::start(modern());
    let text = "[EXPRESSIONS]\nNear($A,$B)\n  $A == $B\nEND\nFar\n  NOT Near(1, FORALL($I, 1, 2, true))\nEND\n";
    editor.open("file:///a.s3", text);
    let help = |editor: &mut Editor, wanted: &str| {
        let place = find(text, wanted, wanted.len());
        let help: SignatureHelp = editor.ask("signatureHelp", at("file:///a.s3", place));
        let help = serde_json::to_value(help).expect("JSON");
        let label = help["signatures"][0]["label"]
            .as_str()
            .expect("a label")
            .to_owned();
        (label, help["activeParameter"].as_u64().expect("a number"))
    };
    assert_eq!(help(&mut editor, "Near(1,"), ("Near($A, $B)".to_owned(), 1));
    let inner = ("FORALL($VAR, from, to, condition)".to_owned(), 2);
    assert_eq!(help(&mut editor, "FORALL($I, 1, "), inner);
    let hierarchy = editor.ask_value(
        "textDocument/prepareCallHierarchy",
        at("file:///a.s3", find(text, "Near", 0)),
    );
    let item = hierarchy.expect("an answer")[0].clone();
    let calls = editor.ask_value("callHierarchy/incomingCalls", json!({ "item": item }));
    assert_eq!(calls.expect("an answer")[0]["from"]["name"], "Far");
    assert_eq!(
        titles(&mut editor, "file:///a.s3"),
        [(1, "used once".to_owned()), (4, "used nowhere".to_owned())]
    );
    editor.end();
}

/// The lines (from 0) and titles of the lenses of a file, in its order.
fn titles(editor: &mut Editor, uri: &str) -> Vec<(u64, String)> {
    let lenses = editor.ask_value("textDocument/codeLens", whole(uri));
    let lenses = lenses.expect("an answer");
    let title = |lens: &Value| {
        let line = lens["range"]["start"]["line"].as_u64().expect("a line");
        let title = lens["command"]["title"].as_str().expect("a title");
        (line, title.to_owned())
    };
    let mut titles: Vec<_> = lenses
        .as_array()
        .expect("lenses")
        .iter()
        .map(title)
        .collect();
    titles.sort_by_key(|(line, _)| *line);
    titles
}

#[test]
fn what_a_language_adds_to_each_game_has_no_lens() {
    let mut editor = Editor::start(modern());
    let (uri, text) = ("file:///blitz.bgm", text("bgm/blitz.bgm"));
    editor.open(uri, &text);
    let shown = titles(&mut editor, uri);
    assert!(
        !shown.is_empty() && shown.iter().all(|(line, _)| *line > 0),
        "{shown:?}"
    );
}

#[test]
fn rules_tell_how_many_moves_they_have_at_the_start() {
    let mut able = modern();
    able["experimental"] = json!({ "commands": { "commands": ["rulec.board"] } });
    let mut editor = Editor::start(able);
    let (uri, text) = ("file:///nim.bgm", text("bgm/nim.bgm"));
    editor.open(uri, &text);
    let shown = titles(&mut editor, uri);
    let line = find(&text, "Action Take1", 0)["line"].as_u64();
    let first: Vec<&str> = shown
        .iter()
        .filter(|(at, _)| Some(*at) == line)
        .map(|(_, title)| title.as_str())
        .collect();
    assert_eq!(first, ["play", "3 legal moves at the start"], "{shown:?}");
    // While the rules are broken, nothing is said about their moves.
    let start = find(&text, "Action Take1", 0);
    editor.change(uri, 2, json!({ "start": start, "end": start }), "Actio ");
    let broken = titles(&mut editor, uri);
    assert!(
        broken.iter().all(|(_, title)| !title.contains("legal")),
        "{broken:?}"
    );
    let unknown = json!({ "command": "rulec.nonsense", "arguments": [] });
    assert_eq!(
        editor.ask_value("workspace/executeCommand", unknown),
        Err(-32602)
    );
    editor.end();
}

#[test]
fn tokens_that_changed_give_the_same_as_all_tokens() {
    let mut editor = Editor::start(modern());
    let (uri, text) = ("file:///frogs.s3", text("s3/frogs.s3"));
    editor.open(uri, &text);
    let ask = |editor: &mut Editor, method: &str, previous: Option<&Value>| {
        let mut params = whole(uri);
        if let Some(previous) = previous {
            params["previousResultId"] = previous.clone();
        }
        let method = format!("textDocument/semanticTokens/{method}");
        editor.ask_value(&method, params).expect("an answer")
    };
    let first = ask(&mut editor, "full", None);
    let mut data: Vec<Value> = first["data"].as_array().expect("numbers").clone();
    let same = ask(&mut editor, "full/delta", Some(&first["resultId"]));
    assert_eq!(same["edits"], json!([]));
    let place = find(&text, "condition=Step(1)", 10);
    editor.change(
        uri,
        2,
        json!({ "start": place, "end": place }),
        "NOT Jump(1) AND ",
    );
    let changed = ask(&mut editor, "full/delta", Some(&same["resultId"]));
    let edits = changed["edits"].as_array().expect("edits");
    assert_eq!(edits.len(), 1);
    let number = |key: &str| edits[0][key].as_u64().expect("a number") as usize;
    let put = edits[0]["data"].as_array().expect("numbers").clone();
    assert!(put.len() < data.len() / 4, "only what changed is told");
    data.splice(
        number("start")..number("start") + number("deleteCount"),
        put,
    );
    let whole = ask(&mut editor, "full", None);
    assert_eq!(Value::Array(data), whole["data"]);
    // An answer that is not the last one is no base for changes.
    let late = ask(&mut editor, "full/delta", Some(&first["resultId"]));
    assert_eq!(late["data"], whole["data"]);
    editor.end();
}

#[test]
fn diagnostics_follow_the_newest_version_and_offer_their_fix() {
    let mut editor = Editor::start(modern());
    let uri = "file:///frogs.s3";
    let before = text("s3/frogs.s3").replace("// The shortest", "// 😀 The shortest");
    editor.open(uri, &before);
    assert_eq!(editor.diagnostics(uri, 1).diagnostics.len(), 0);
    // `type=redFrog` becomes `type=redFro`, behind a letter that is long in UTF-16.
    let place = find(&before, "type=redFrog", 12);
    let mut start = place.clone();
    start["character"] = json!(place["character"].as_u64().expect("a number") - 1);
    editor.change(uri, 2, json!({ "start": start, "end": place }), "");
    let found = editor.diagnostics(uri, 2);
    assert_eq!(found.diagnostics.len(), 1, "{found:?}");
    let wrong = &found.diagnostics[0];
    assert_eq!(wrong.range.start.line, place["line"]);
    let asked = json!({
        "textDocument": { "uri": uri },
        "range": wrong.range,
        "context": { "diagnostics": [] },
    });
    let actions = editor
        .ask_value("textDocument/codeAction", asked)
        .expect("an answer");
    let edit = &actions[0]["edit"]["changes"][uri][0];
    assert_eq!(edit["newText"], "redFrog", "{actions}");
    // A name in a broken file keeps its place.
    let refused = at(uri, find(&before, "condition=Step(1)", 10));
    let mut refused = refused;
    refused["newName"] = json!("Hop");
    assert_eq!(
        editor.ask_value("textDocument/rename", refused),
        Err(-32803)
    );
    editor.end();
}

#[test]
fn names_that_mean_something_else_are_refused() {
    let mut editor = Editor::start(modern());
    let (uri, text) = ("file:///frogs.s3", text("s3/frogs.s3"));
    editor.open(uri, &text);
    for name in ["Jump", "EMPTY", "a b", "", "3", "END"] {
        let mut asked = at(uri, find(&text, "condition=Step(1)", 10));
        asked["newName"] = json!(name);
        assert_eq!(
            editor.ask_value("textDocument/rename", asked),
            Err(-32803),
            "{name}"
        );
    }
    let nothing = at(uri, find(&text, "[GAME RULES]", 3));
    assert_eq!(
        editor.ask_value("textDocument/prepareRename", nothing),
        Err(-32803)
    );
    editor.end();
}

#[test]
fn those_who_ask_are_not_told() {
    let mut able = modern();
    able["textDocument"]["diagnostic"] = json!({});
    let mut editor = Editor::start(able);
    editor.open("file:///a.bgm", "Typ Stone x y\n");
    let report: DocumentDiagnosticReport = editor.ask("diagnostic", whole("file:///a.bgm"));
    let report = serde_json::to_value(report).expect("JSON");
    assert_ne!(report["items"], json!([]));
    assert!(editor.told.is_empty());
    let cancelled = editor.send("textDocument/diagnostic", whole("file:///a.bgm"));
    editor.tell("$/cancelRequest", json!({ "id": editor.asked }));
    let answer = editor.wait(&cancelled);
    assert!(answer.is_ok() || answer == Err(-32800), "{answer:?}");
    editor.end();
}

#[test]
fn files_of_other_languages_have_nothing_to_say() {
    let mut editor = Editor::start(modern());
    editor.open("file:///a.rs", "fn main() {}\n");
    let answer = editor.ask_value(
        "textDocument/hover",
        at("file:///a.rs", json!({ "line": 0, "character": 0 })),
    );
    assert_eq!(answer, Ok(Value::Null));
    assert_eq!(
        editor.ask_value("textDocument/nonsense", whole("file:///a.rs")),
        Ok(Value::Null)
    );
    assert_eq!(editor.ask_value("nonsense", json!({})), Err(-32601));
    editor.end();
}

/// Numbers that look random, the same at each run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Random edits through the protocol; the diagnostics of the last version are those of a fresh file.
#[test]
fn random_edits_end_as_a_fresh_file_begins() {
    const PIECES: [&str; 14] = [
        "x", "\n", "(", ")", "\"", " ", "=", ",", "é", "😀", "[", "{", "0", "// ",
    ];
    let long = std::env::var("RULEC_LONG").is_ok();
    let rules = corpus();
    let sample = if long { rules.len() } else { 5 };
    let step = rules.len().div_ceil(sample.max(1)).max(1);
    let ours = [
        "s3/frogs.s3",
        "bgm/nim.bgm",
        "bbgel/goose.bbgel",
        "gs5/counters.txt",
        "bgc/hexguard.json",
    ];
    let ours = ours.map(|file| games().join(file));
    let files: Vec<PathBuf> = ours
        .into_iter()
        .chain(rules.into_iter().step_by(step))
        .collect();
    let edits = if long {
        (2_000 / files.len()).max(20)
    } else {
        20
    };
    let mut lot = Lot(4711);
    for path in &files {
        let bytes = std::fs::read(path).expect("the file can be read");
        let Ok(mut text) = String::from_utf8(bytes) else {
            continue;
        };
        let file = path
            .file_name()
            .expect("files have names")
            .to_string_lossy();
        let mut editor = Editor::start(modern());
        let uri = format!("file:///{file}");
        editor.open(&uri, &text);
        let mut version = 1;
        for _ in 0..edits {
            let from = apart(&text, lot.below(text.len() + 1));
            let to = apart(&text, (from + lot.below(6)).min(text.len())).max(from);
            let piece = if lot.below(3) == 0 {
                ""
            } else {
                PIECES[lot.below(PIECES.len())]
            };
            let range = json!({ "start": place(&text, from), "end": place(&text, to) });
            version += 1;
            editor.change(&uri, version, range, piece);
            text.replace_range(from..to, piece);
            // Each version is read, not the last one only.
            let asked = json!({ "textDocument": { "uri": uri } });
            let outline = editor.ask_value("textDocument/documentSymbol", asked);
            assert!(outline.is_ok(), "{file}: {outline:?}");
        }
        let mut last = editor.diagnostics(&uri, version).diagnostics;
        let fresh = format!("file:///fresh/{file}");
        editor.open(&fresh, &text);
        let mut expected = editor.diagnostics(&fresh, 1).diagnostics;
        for found in last.iter_mut().chain(&mut expected) {
            found.related_information = None;
        }
        assert_eq!(last, expected, "{file}");
        editor.end();
    }
}

/// A byte at or before another that the protocol can name: not within a character, nor between the two that end a line.
fn apart(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    at - usize::from(text[..at].ends_with('\r') && text[at..].starts_with('\n'))
}

/// The place of a byte as the protocol counts: a line ends with a line feed, a carriage return, or both together.
fn place(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let ends = before.char_indices().filter(|(at, c)| match c {
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        c => *c == '\n',
    });
    let ends: Vec<usize> = ends.map(|(at, _)| at + 1).collect();
    let start = ends.last().copied().unwrap_or(0);
    json!({ "line": ends.len(), "character": before[start..].encode_utf16().count() })
}
