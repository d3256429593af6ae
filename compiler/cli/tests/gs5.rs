//! gs5 from outside: sessions of the captive server, clients that send garbage, boards from seeds, and compiled rule sets in
//! recorded episodes.
//!
//! By default a sample of the recorded episodes is played by compiled rule sets, all of them if `RULEC_LONG` is `1`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rulec_cli::interpreted::InterpretedGame;
use rulec_cli::{CrateFiles, Rules, Toolchain};
use rulec_core::{Board, Game};
use rulec_search::episode::boards::Boards;
use serde_json::{Value, json};

/// One rule set in so many is compiled for the comparison with recorded episodes.
const SAMPLE: usize = 25;

fn corpus() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let folder = root.join("gs5");
    if folder.is_dir() {
        return Some(folder.canonicalize().expect("it exists"));
    }
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!needed, "there is no corpus at {}", folder.display());
    eprintln!("SKIPPED: there is no corpus at {}", folder.display());
    None
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games/gs5")
        .join(name)
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("gs5")
        .join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Runs a program with so much input.
fn feed(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A server that has left does not read on.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    output
}

fn rulec(args: &[String], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulec"));
    command.args(args);
    feed(command, input)
}

/// The order of property fields of a picture varies from run to run of the original.
fn loose(line: &str) -> String {
    match line.contains("\"image\"") {
        true => serde_json::from_str::<Value>(line)
            .map_or_else(|_| line.to_owned(), |json| json.to_string()),
        false => line.to_owned(),
    }
}

/// Plays a recorded session; what differs.
fn session(corpus: &Path, path: &Path) -> Option<String> {
    let record = read(path);
    let folder = scratch(
        path.file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default(),
    );
    let mut input_folder = corpus.to_owned();
    let mut args: Vec<String> = vec!["captive".to_owned()];
    for arg in list(&record["args"]) {
        let arg = text(arg);
        if let (Some(rules), true) = (record["rules_text"].as_str(), arg.ends_with(".txt")) {
            let file = folder.join(arg);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("it can be made");
            std::fs::write(&file, rules).expect("it can be written");
            input_folder = folder.clone();
        }
        let result = ["log=", "detailedTranscript="]
            .iter()
            .find_map(|name| Some((name, arg.strip_prefix(name)?)));
        args.push(match result {
            Some((name, file)) => format!("{name}{}", folder.join(file).display()),
            None => arg.to_owned(),
        });
    }
    for arg in &mut args {
        if arg == "inputDir=." {
            *arg = format!("inputDir={}", input_folder.display());
        }
    }
    let exchanges = list(&record["exchanges"]);
    let commands = exchanges.iter().filter_map(|exchange| exchange[0].as_str());
    let input: String = commands.map(|command| format!("{command}\n")).collect();
    let output = rulec(&args, input.as_bytes());
    let found = String::from_utf8(output.stdout).expect("it is text");
    let found: Vec<String> = found.lines().map(loose).collect();
    // The original lists all files of a folder of boards on its standard output, also those that it does not read.
    let expected = exchanges
        .iter()
        .flat_map(|exchange| list(&exchange[1]))
        .map(text);
    let expected: Vec<String> = expected
        .filter(|line| !line.starts_with("ff="))
        .map(loose)
        .collect();
    if let Some(at) =
        (0..found.len().max(expected.len())).find(|&at| found.get(at) != expected.get(at))
    {
        return Some(format!(
            "line {at}: {:?}, expected {:?}",
            found.get(at),
            expected.get(at)
        ));
    }
    if output.status.code().map(i64::from) != record["exit_code"].as_i64() {
        return Some(format!("exit code {:?}", output.status.code()));
    }
    results(&folder, &record)
}

/// Compares the result files of a session.
fn results(folder: &Path, record: &Value) -> Option<String> {
    let named = |name: &str| {
        let arg = list(&record["args"])
            .iter()
            .find_map(|arg| text(arg).strip_prefix(name));
        arg.map(|file| std::fs::read_to_string(folder.join(file)).expect("it was written"))
    };
    if let Some(expected) = record["log_file"].as_array() {
        let found = named("log=").unwrap_or_default();
        let found: Vec<&str> = found.split('\n').collect();
        let expected: Vec<&str> = expected.iter().map(text).collect();
        if found != expected {
            return Some(format!("result file {found:?}, expected {expected:?}"));
        }
    }
    if let Some(expected) = record["transcript_file"].as_array() {
        // Times and the names of episodes vary; the recording holds the beginning.
        let fixed = |line: &str| -> Vec<String> {
            let cells = line.split(',').enumerate();
            let kept =
                cells.filter(|(index, _)| line.starts_with('#') || ![5, 7, 9].contains(index));
            kept.map(|(_, cell)| cell.to_owned()).collect()
        };
        let found = named("detailedTranscript=").unwrap_or_default();
        for (found, expected) in found.lines().zip(expected) {
            if fixed(found) != fixed(text(expected)) {
                return Some(format!("transcript {found}, expected {expected}"));
            }
        }
    }
    None
}

#[test]
fn captive_sessions_are_those_of_the_original() {
    let Some(corpus) = corpus() else { return };
    let entries = std::fs::read_dir(corpus.join("oracle/captive")).expect("it can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let wrong: Vec<String> = paths
        .iter()
        .filter_map(|path| Some(format!("{}: {}", path.display(), session(&corpus, path)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_client_that_sends_garbage_gets_an_answer() {
    let rules = own("around.txt").display().to_string();
    let args = ["captive", "seed=1", "output=BRIEF", &rules, "5"].map(str::to_owned);
    let mut input = b"MOVE\xff\xfe 1\n\x00\x01\nMOVE \"\nMOVE 1 2 3 4 5\nMOVE 99999999999999999999 1\n(((\nMODE 3\nCOND 5\n".to_vec();
    input.extend(vec![b'x'; 1 << 20]);
    input.extend(b"\nMOVE 0 0\nmove 1");
    let output = rulec(&args, &input);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = String::from_utf8(output.stdout).expect("it is text");
    let codes: Vec<&str> = found
        .lines()
        .filter(|line| !line.starts_with(['#', '{']))
        .collect();
    let expected = [
        "6 0 0", "-2 0 0", "-1 0 0", "-2 0 0", "-2 0 0", "-10 0 0", "-1 0 0", "-2 0 0", "-2 0 0",
        "-1 0 0", "0 0 1", "-2 0 1",
    ];
    assert_eq!(codes, expected, "{found}");
}

/// A server at a socket, stopped when it goes.
struct Server {
    child: std::process::Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let rules = own("around.txt");
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulec"))
            .args(["captive", "listen=127.0.0.1:0", "seed=3"])
            .arg(rules)
            .arg("5")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where");
        let address = line
            .trim()
            .rsplit(' ')
            .next()
            .expect("an address")
            .to_owned();
        Server { child, address }
    }

    fn client(&self, line: &str) -> (TcpStream, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(line.as_bytes()).expect("it reads");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        (stream, reader)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn clients_of_a_socket_do_not_disturb_each_other() {
    let server = Server::start();
    let line = |reader: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        line.trim_end().to_owned()
    };
    let (mut good, mut answers) = server.client("GAME 5 output=BRIEF\n");
    assert_eq!(line(&mut answers), "6 0 0");
    line(&mut answers);
    line(&mut answers);
    // Garbage, a client that leaves at once, one that leaves in the middle of a line.
    let (_, mut refused) = server.client("HELLO\n");
    assert_eq!(line(&mut refused), "-1 0 0");
    drop(server.client("GAME 5\n"));
    drop(server.client("GAME 5\nMOVE 1"));
    let (_, mut wrong) = server.client("GAME 99 99 99\n");
    assert_eq!(line(&mut wrong), "-5 0 0");
    let (_, mut other) = server.client("GAME 5\n");
    assert_eq!(line(&mut other), "6 0 0");
    good.write_all(b"MOVE 0 0\nMOVE 99 0\nEXIT\n")
        .expect("it reads");
    let rest: Vec<String> = (0..6).map(|_| line(&mut answers)).collect();
    assert_eq!(
        rest,
        ["0 0 1", "# null", "-10 0 1", "# null", "5 0 1", "# Goodbye"]
    );
}

#[test]
fn our_rule_sets_have_the_counts_of_their_tables() {
    let entries = std::fs::read_dir(own("")).expect("the folder can be read");
    let mut checked = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        if !path
            .extension()
            .is_some_and(|ending| ending == "txt" || ending == "csv")
        {
            continue;
        }
        let table = std::fs::read_to_string(path.with_extension("perft"));
        let table = table.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let line = table
            .lines()
            .find_map(|line| line.strip_prefix("all "))
            .expect("a line of counts");
        let depth = line.split(' ').count().to_string();
        let args = ["perft", &path.display().to_string(), &depth, "--json"].map(str::to_owned);
        let output = rulec(&args, b"");
        let found: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let found: Vec<String> = list(&found["depths"])
            .iter()
            .map(Value::to_string)
            .collect();
        assert_eq!(found.join(" "), line, "{}", path.display());
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} rule sets");
}

#[test]
fn learners_and_analysis_tell_what_they_find() {
    let file = own("around.txt").display().to_string();
    let svg = scratch("learn").join("curve.svg");
    let svg_name = svg.display().to_string();
    let learn = [
        "learn",
        &file,
        "--episodes",
        "3",
        "--runs",
        "3",
        "--json",
        "--svg",
        &svg_name,
    ]
    .map(str::to_owned);
    let found: Value = serde_json::from_slice(&rulec(&learn, b"").stdout).expect("it is JSON");
    let curves = list(&found["curves"]);
    let names: Vec<&str> = curves.iter().map(|curve| text(&curve["learner"])).collect();
    assert_eq!(names, ["random", "remembering", "bayes"]);
    let last = |curve: &Value| {
        list(&curve["errors"])
            .last()
            .and_then(Value::as_f64)
            .expect("a number")
    };
    assert!(
        last(&curves[2]) < last(&curves[0]),
        "what is learnt helps: {found}"
    );
    let picture = std::fs::read_to_string(svg).expect("it was drawn");
    assert!(picture.starts_with("<svg") && picture.contains("polyline"));

    let analyse = [
        "analyse", &file, "--boards", "3", "--set", "pieces=4", "--json",
    ]
    .map(str::to_owned);
    let found: Value = serde_json::from_slice(&rulec(&analyse, b"").stdout).expect("it is JSON");
    assert_eq!(found["searched_completely"], 3);
    assert_eq!(found["can_get_stuck"], 0);
    // The first piece goes anywhere; each of three others has one bucket of four.
    assert_eq!(found["errors"]["mean"], 9.0, "{found}");
    assert_eq!(found["first_right"]["mean"], 1.0);
}

/// The pieces of some cases as files and settings.
fn pieces(cases: &[&Value], folder: &Path, crowded: bool) -> (Vec<PathBuf>, Vec<(String, String)>) {
    let (mut shapes, mut colors) = (BTreeSet::new(), BTreeSet::new());
    let mut tables: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for piece in cases.iter().flat_map(|case| list(&case["board"])) {
        match piece["image"].as_str() {
            Some(image) => {
                let own = piece["props"].as_object().expect("properties");
                let mut cells = vec![image.to_owned()];
                cells.extend(own.values().map(|value| text(value).to_owned()));
                tables
                    .entry(own.keys().cloned().collect())
                    .or_default()
                    .insert(cells);
            }
            None => {
                shapes.insert(text(&piece["shape"]).to_owned());
                colors.insert(text(&piece["color"]).to_owned());
            }
        }
    }
    let mut files = Vec::new();
    for (index, (columns, rows)) in tables.iter().enumerate() {
        let mut csv = format!("image,{}", columns.join(","));
        for row in rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")))
                .collect();
            csv.push('\n');
            csv.push_str(&cells.join(","));
        }
        // The folder's name is no part of the keys: they are complete.
        let file = folder.join("shapes").join(format!("table{index}.csv"));
        std::fs::create_dir_all(folder.join("shapes")).expect("a folder can be made");
        std::fs::write(&file, csv).expect("it can be written");
        files.push(file);
    }
    let most = cases
        .iter()
        .map(|case| list(&case["board"]).len())
        .max()
        .unwrap_or(1);
    let mut settings = vec![("mode", "server".to_owned()), ("pieces", most.to_string())];
    settings.push(("crowded", crowded.to_string()));
    if !shapes.is_empty() {
        let join = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(";");
        settings.push(("shape_list", join(&shapes)));
        settings.push(("color_list", join(&colors)));
    }
    let settings = settings
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    (files, settings.collect())
}

fn is_crowded(case: &Value) -> bool {
    let cells: BTreeSet<i64> = list(&case["board"])
        .iter()
        .filter_map(|p| p["pos"].as_i64())
        .collect();
    cells.len() < list(&case["board"]).len()
}

/// A compiled rule set and its episodes.
struct Compiled {
    module: String,
    record: Value,
    crowded: bool,
}

fn compile_sample(corpus: &Path) -> (CrateFiles, Vec<Compiled>) {
    let long = std::env::var("RULEC_LONG").is_ok_and(|value| value == "1");
    let entries = std::fs::read_dir(corpus.join("oracle/rulesets")).expect("it can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let step = if long { 1 } else { SAMPLE };
    let (mut files, mut modules, mut arms, mut compiled) =
        (Vec::new(), String::new(), String::new(), Vec::new());
    for (index, path) in paths.iter().enumerate().step_by(step) {
        let record = read(path);
        for crowded in [false, true] {
            let cases: Vec<&Value> = list(&record["cases"])
                .iter()
                .filter(|case| is_crowded(case) == crowded && case["error"].is_null())
                .collect();
            if cases.is_empty() {
                continue;
            }
            let module = format!("rules_{index}_{crowded}");
            let folder = scratch("native").join(&module);
            std::fs::create_dir_all(&folder).expect("a folder can be made");
            let rules = folder.join("rules.txt");
            let bytes = match record["rules_file"].as_str() {
                Some(file) => std::fs::read(corpus.join(file)).expect("it can be read"),
                None => text(&record["rules_text"]).as_bytes().to_vec(),
            };
            std::fs::write(&rules, bytes).expect("it can be written");
            let (tables, settings) = pieces(&cases, &folder, crowded);
            let rules =
                Rules::open_with(&rules, &tables, &settings, "all").expect("the files can be read");
            let rust = rules
                .rust()
                .unwrap_or_else(|e| panic!("{}: {e:#}", path.display()));
            files.push((format!("src/{module}.rs"), rust));
            modules.push_str(&format!("mod {module};\n"));
            arms.push_str(&format!(
                "        Some(\"{module}\") => game_main_from(&{module}::Game, args),\n"
            ));
            compiled.push(Compiled {
                module,
                record: record.clone(),
                crowded,
            });
        }
    }
    let main = format!(
        "use std::process::ExitCode;\nuse rulec_runtime::search::command::game_main_from;\n{modules}\n\
         fn main() -> ExitCode {{\n    let mut args: Vec<_> = std::env::args_os().collect();\n    \
         let game = args.remove(1);\n    match game.to_str() {{\n{arms}        _ => ExitCode::from(9),\n    }}\n}}\n"
    );
    files.push(("src/main.rs".to_owned(), main));
    (files, compiled)
}

/// Plays an episode with a compiled rule set through its captive server; what differs.
fn native_case(program: &Path, compiled: &Compiled, number: usize, case: &Value) -> Option<String> {
    let board = scratch("native").join(format!("{}_{number}.json", compiled.module));
    let place = |pos: &Value| {
        let pos = pos.as_i64().expect("a cell") - 1;
        (pos % 6 + 1, pos / 6 + 1)
    };
    let listed = list(&case["board"]).iter().map(|piece| {
        let (x, y) = place(&piece["pos"]);
        let mut own = json!({ "id": piece["id"], "x": x, "y": y });
        for key in ["image", "shape", "color"] {
            if piece[key].is_string() {
                own[key] = piece[key].clone();
            }
        }
        own
    });
    let value = json!({ "value": listed.collect::<Vec<_>>() });
    std::fs::write(&board, value.to_string()).expect("it can be written");
    let mut input = String::new();
    let mut expected = vec![(
        if case["start"]["finish"] == 2 { 2 } else { 6 },
        case["start"]["finish"].clone(),
        Some(&case["start"]),
    )];
    for step in list(&case["walk"]) {
        let (code, finish) = (&step[3], &step[4]);
        match text(&step[0]) {
            "m" => input.push_str(&format!("MOVE {} {}\n", step[1], step[2])),
            "c" => {
                let (x, y) = place(&step[1]);
                let (by, bx) =
                    [(7, 0), (7, 7), (0, 7), (0, 0)][step[2].as_u64().expect("a bucket") as usize];
                input.push_str(&format!("MOVE {y} {x} {by} {bx}\n"));
            }
            // The protocol has no picks, and they change nothing.
            _ => continue,
        }
        expected.push((code.as_i64().expect("a code"), finish.clone(), step.get(5)));
    }
    input.push_str("EXIT\n");
    let mut command = Command::new(program);
    command
        .args([&compiled.module, "captive", "output=STANDARD", "rules.txt"])
        .arg(&board);
    let output = feed(command, input.as_bytes());
    let found = String::from_utf8(output.stdout).expect("it is text");
    let mut lines = found.lines();
    for (index, (code, finish, after)) in expected.iter().enumerate() {
        let status = lines.next().unwrap_or_default();
        let wanted = format!("{code} {finish} ");
        if !status.starts_with(&wanted) {
            return Some(format!("attempt {index}: {status}, expected {wanted}"));
        }
        lines.next();
        let board: Value =
            serde_json::from_str(lines.next().unwrap_or_default()).unwrap_or(Value::Null);
        let Some(after) = after.filter(|_| finish == 0) else {
            continue;
        };
        for piece in list(&board["value"]) {
            let mask = list(&piece["buckets"])
                .iter()
                .fold(0, |mask, bucket| mask | 1 << bucket.as_u64().unwrap_or(9));
            let recorded = after["table"][piece["id"].to_string()]
                .as_u64()
                .unwrap_or(0);
            if mask != recorded {
                return Some(format!(
                    "attempt {index}, piece {}: buckets {mask}, expected {recorded}",
                    piece["id"]
                ));
            }
        }
    }
    None
}

#[test]
fn compiled_rule_sets_play_as_recorded() {
    let Some(corpus) = corpus() else { return };
    let (mut files, compiled) = compile_sample(&corpus);
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = scratch.join("native-gs5");
    // The runtime is built once for this and the other compiled games of the tests.
    let target = scratch.join("native-games/target");
    let tools = Toolchain::find(None, Some(&target), false).expect("the runtime is there");
    let manifest = format!(
        "[package]\nname = \"native-gs5\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nrulec-runtime = {{ path = {:?}, default-features = false }}\n\n\
         [profile.release]\nopt-level = 1\ncodegen-units = 16\n",
        tools.runtime.to_string_lossy()
    );
    files.push(("Cargo.toml".to_owned(), manifest));
    tools
        .write_crate(&folder, &files)
        .expect("the crate can be written");
    let program = tools
        .build(&folder, "native-gs5")
        .expect("the crate builds");
    let (mut played, mut wrong) = (0, Vec::new());
    for game in &compiled {
        let cases = list(&game.record["cases"]).iter().enumerate();
        for (number, case) in
            cases.filter(|(_, case)| is_crowded(case) == game.crowded && case["error"].is_null())
        {
            match native_case(&program, game, number, case) {
                None => played += 1,
                Some(what) => wrong.push(format!(
                    "{} case {number}: {what}",
                    game.record["rules_file"]
                )),
            }
        }
    }
    println!(
        "{played} episodes of {} compiled rule sets as recorded",
        compiled.len()
    );
    assert!(wrong.is_empty() && played > 0, "{}", wrong.join("\n"));
}

/// Draws a board as a recorded case says; cells and names of kinds.
fn drawn(corpus: &Path, generator: &Value) -> Option<Vec<(i64, String)>> {
    let setting = |name: &str, value: &Value| {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (name.to_owned(), value)
    };
    let any = scratch("boards").join("any.txt");
    std::fs::write(&any, "()\n").expect("it can be written");
    let rules = match text(&generator["kind"]) {
        "shape-color" => {
            let mut settings = Vec::new();
            for (key, name) in [
                ("pieces", "pieces"),
                ("shapes", "shapes"),
                ("colors", "colors"),
                ("shape_set", "shape_list"),
                ("color_set", "color_list"),
                ("crowded", "crowded"),
            ] {
                match &generator[key] {
                    Value::Null => {}
                    Value::Array(items) if key.ends_with("set") => {
                        settings.push((
                            name.to_owned(),
                            items.iter().map(text).collect::<Vec<_>>().join(";"),
                        ));
                    }
                    Value::Array(pair) => {
                        settings.push((name.to_owned(), format!("{}:{}", pair[0], pair[1])))
                    }
                    other => settings.push(setting(name, other)),
                }
            }
            Rules::open_with(&any, &[], &settings, "all")
        }
        "trial-list" => {
            let file = corpus.join(text(&generator["trial_list"]));
            let settings = [setting("row", &generator["row"])];
            Rules::open_with(&any, &[file], &settings, "all")
        }
        _ => return None,
    };
    let rules = rules.expect("the files can be read");
    let output = rules.output.as_ref()?;
    let game = InterpretedGame::new(output.game.clone()).expect("a sound game");
    let info = game.info().episode.expect("an episode");
    let mut boards = Boards::new(info, info.boards, generator["seed"].as_i64()?).ok()?;
    boards.skip_ranges(generator["board_no"].as_u64().unwrap_or(0));
    let mut board = Board::EMPTY;
    boards.draw(&mut board).ok()?;
    let units = (0..64).filter(|unit| board.present >> unit & 1 == 1);
    let piece = |unit: usize| {
        let place = if info.crowded {
            i64::from(board.places[unit])
        } else {
            unit as i64
        };
        (
            place + 1,
            info.kinds[usize::from(board.kinds[unit])].name.to_owned(),
        )
    };
    Some(units.map(piece).collect())
}

#[test]
fn boards_from_seeds_are_those_of_the_original() {
    let Some(corpus) = corpus() else { return };
    let entries = std::fs::read_dir(corpus.join("oracle/rulesets")).expect("it can be read");
    let (mut equal, mut other, mut wrong) = (0, 0, Vec::new());
    let mut seen = BTreeSet::new();
    for entry in entries.flatten() {
        let record = read(&entry.path());
        for case in list(&record["cases"]) {
            let generator = &case["generator"];
            let known = matches!(text(&generator["kind"]), "shape-color" | "trial-list");
            let plain = list(&case["board"])
                .iter()
                .all(|piece| piece["shape"].is_string());
            if !known || !plain {
                other += 1;
                continue;
            }
            if !seen.insert(generator.to_string()) {
                equal += 1;
                continue;
            }
            let expected = list(&case["board"]).iter().map(|piece| {
                let name = format!("{}_{}", text(&piece["color"]), text(&piece["shape"]));
                (piece["pos"].as_i64().unwrap_or(0), name)
            });
            let expected: Vec<(i64, String)> = expected.collect();
            match drawn(&corpus, generator) {
                Some(found) if found == expected => equal += 1,
                found => wrong.push(format!("{generator}: {found:?}, expected {expected:?}")),
            }
        }
    }
    println!("{equal} boards equal, {other} of other kinds");
    assert!(
        wrong.is_empty(),
        "{} wrong, {equal} equal:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}
