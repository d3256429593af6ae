//! Recorded episodes, played by compiled rule sets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rulec_cli::interpreted::InterpretedGame;
use rulec_cli::{Bundle, Rules, Speed};
use serde_json::{Value, json};

use crate::captive::{self, Session};
use crate::expressions::{self, Batch};
use crate::{corpus, driver, feed, list, places, read, scratch, text};

/// One rule set in so many is compiled for the comparison with recorded episodes.
const SAMPLE: usize = 25;
/// The same for rule sets of expressions.
const SAMPLE_OF_EXPRESSIONS: usize = 40;
/// The same for sessions of the captive server.
const SAMPLE_OF_SESSIONS: usize = 6;

pub(crate) fn is_long() -> bool {
    std::env::var("RULEC_LONG").is_ok_and(|value| value == "1")
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

/// An episode: commands, and what the answers must be; nothing where anything may be said.
struct Episode {
    name: String,
    commands: Vec<String>,
    answers: Vec<Wanted>,
}

/// What an answer must tell.
struct Wanted {
    code: i64,
    finish: i64,
    /// Row and counters, and the table.
    after: Option<Value>,
}

/// A rule set of a case, and its episodes.
struct RuleCase {
    module: String,
    rules: Rules,
    episodes: Vec<Episode>,
}

fn cases(corpus: &Path, step: usize) -> Vec<RuleCase> {
    let entries = std::fs::read_dir(corpus.join("oracle/rulesets")).expect("it can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut found = Vec::new();
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
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let episodes = cases.iter().enumerate();
            let episodes = episodes.map(|(number, case)| {
                episode(&format!("{name} case {number}"), &folder, number, case)
            });
            found.push(RuleCase {
                module,
                rules,
                episodes: episodes.collect(),
            });
        }
    }
    found
}

/// Writes the board of a case, and says what is to be done and told.
fn episode(name: &str, folder: &Path, number: usize, case: &Value) -> Episode {
    let board = folder.join(format!("{number}.json"));
    write_board(&board, list(&case["board"]));
    let mut commands = vec![format!("board {}", board.display())];
    let start = &case["start"];
    let mut answers = vec![Wanted {
        code: 0,
        finish: start["finish"].as_i64().expect("a finish code"),
        after: Some(start.clone()),
    }];
    for step in list(&case["walk"]) {
        let pick = text(&step[0]) == "p";
        let (code, finish) = if pick {
            (&step[2], &step[3])
        } else {
            (&step[3], &step[4])
        };
        commands.push(match pick {
            true => format!("p {}", step[1]),
            false => format!("{} {} {}", text(&step[0]), step[1], step[2]),
        });
        answers.push(Wanted {
            code: code.as_i64().expect("a code"),
            finish: finish.as_i64().expect("a finish code"),
            after: step.get(5).filter(|_| !pick).cloned(),
        });
    }
    Episode {
        name: name.to_owned(),
        commands,
        answers,
    }
}

/// Writes pieces with `pos` as a board file.
pub(crate) fn write_board(file: &Path, pieces: &[Value]) {
    let listed = pieces.iter().map(|piece| {
        let pos = piece["pos"].as_i64().expect("a cell") - 1;
        let mut own = json!({ "id": piece["id"], "x": pos % 6 + 1, "y": pos / 6 + 1 });
        for key in ["image", "shape", "color"] {
            if piece[key].is_string() {
                own[key] = piece[key].clone();
            }
        }
        own
    });
    let value = json!({ "value": listed.collect::<Vec<_>>() });
    std::fs::write(file, value.to_string()).expect("it can be written");
}

impl Episode {
    /// What differs from the recording.
    fn compare(&self, told: &[String]) -> Option<String> {
        if told.len() != self.answers.len() {
            return Some(format!(
                "{}: {} answers of {}",
                self.name,
                told.len(),
                self.answers.len()
            ));
        }
        let differs = |(told, wanted): (&String, &Wanted)| wanted.differs(told);
        let mut pairs = told.iter().zip(&self.answers).enumerate();
        pairs.find_map(|(index, pair)| {
            let what = differs(pair)?;
            Some(format!("{}, command {index}: {what}", self.name))
        })
    }
}

impl Wanted {
    fn differs(&self, told: &str) -> Option<String> {
        let mut parts = told.splitn(3, ' ');
        let mut number = || parts.next().and_then(|n| n.parse::<i64>().ok());
        let (code, finish) = (number()?, number()?);
        if (code, finish) != (self.code, self.finish) {
            return Some(format!("{told}, expected {} {}", self.code, self.finish));
        }
        let rest = parts.next().unwrap_or_default();
        // After a stalemate, row and counters mean nothing; after clearing there is no table.
        let after = self.after.as_ref().filter(|_| finish != 2)?;
        let counters = format!("{}: {} ", after["row"], text(&after["counters"]));
        let Some(table) = rest.strip_prefix(&counters) else {
            return Some(format!("{rest}, expected {counters}"));
        };
        for entry in table.split(' ').filter(|_| finish == 0) {
            let (id, mask) = entry.split_once('=').unwrap_or_default();
            let wanted = after["table"][id].as_u64().unwrap_or(0);
            if mask.parse() != Ok(wanted) {
                return Some(format!("piece {id}: {mask}, expected {wanted}"));
            }
        }
        None
    }
}

/// Without further arguments a program answers commands.
const RUN: &str = "
pub fn run<G: rulec_runtime::FullGame>(game: &G, args: Vec<std::ffi::OsString>) -> std::process::ExitCode {
    if args.len() > 1 {
        return rulec_runtime::command::game_main_from(game, args);
    }
    let lines = std::io::stdin().lines().map_while(Result::ok);
    match play(&*rulec_runtime::search::start(game), lines, |line| println!(\"{line}\")) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!(\"{error}\");
            std::process::ExitCode::FAILURE
        }
    }
}
";

/// Compiles rule sets as modules of one program.
fn program(modules: Vec<(String, String)>) -> PathBuf {
    let driver = include_str!("driver.rs").replace("crate::rulec_search", "rulec_runtime::search");
    let mut bundle = Bundle::new("native-gs5").with_entry(&(driver + RUN));
    for (name, rust) in modules {
        bundle.add(&name, rust, Speed::Quick);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-gs5");
    bundle
        .build(&places::tools(), &folder)
        .expect("the crate builds")
}

/// The answers of a compiled rule set.
fn answers(program: &Path, module: &str, commands: &[String]) -> Vec<String> {
    let mut command = Command::new(program);
    command.arg(module);
    let output = feed(command, (commands.join("\n") + "\n").as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{module}: {errors}");
    let told = String::from_utf8(output.stdout).expect("it is text");
    told.lines().map(str::to_owned).collect()
}

/// The answers of the interpreter.
pub(crate) fn interpreted(rules: &Rules, commands: &[String]) -> Vec<String> {
    let output = rules.output.as_ref().expect("sound rules");
    let game = InterpretedGame::new(output.game.clone()).expect("a sound game");
    let mut told = Vec::new();
    let start = rulec_engines::interpreted(&game);
    driver::play(&*start, commands.iter().cloned(), |line| told.push(line))
        .expect("sound commands");
    told
}

fn expression_batches(corpus: &Path, long: bool) -> Vec<Batch> {
    let step = if long { 1 } else { SAMPLE_OF_EXPRESSIONS };
    expressions::batches(corpus, step)
}

/// Recorded sessions of the captive server with their rules, one of so many.
fn session_rules(corpus: &Path, step: usize) -> Vec<(Session, Rules)> {
    let sessions = captive::sessions(corpus).into_iter();
    let sound = sessions.filter(Session::is_sound).step_by(step);
    let compiled = sound.map(|session| {
        let mut rules = rulec_cli::captive_rules(&session.args).expect("the files can be read");
        let first = rules.pop().expect("there is a series");
        (session, first)
    });
    compiled.collect()
}

fn session_module(session: &Session) -> String {
    format!("session_{}", session.name.replace('-', "_"))
}

#[test]
fn compiled_rule_sets_play_as_recorded() {
    let Some(corpus) = corpus() else { return };
    let long = is_long();
    let cases = cases(&corpus, if long { 1 } else { SAMPLE });
    let batches = expression_batches(&corpus, long);
    let rust = |rules: &Rules, name: &str| rules.rust().unwrap_or_else(|e| panic!("{name}: {e:#}"));
    let mut modules: Vec<(String, String)> = cases
        .iter()
        .map(|case| (case.module.clone(), rust(&case.rules, &case.module)))
        .collect();
    modules.extend(
        batches
            .iter()
            .map(|batch| (batch.module.clone(), rust(&batch.rules, &batch.module))),
    );
    let sessions = session_rules(&corpus, if long { 1 } else { SAMPLE_OF_SESSIONS });
    let named = sessions.iter().map(|(session, rules)| {
        let module = session_module(session);
        let rust = rust(rules, &module);
        (module, rust)
    });
    modules.extend(named);
    let program = program(modules);
    let (mut played, mut wrong) = (0, Vec::new());
    for case in &cases {
        let all: Vec<String> = case
            .episodes
            .iter()
            .flat_map(|e| e.commands.clone())
            .collect();
        let told = answers(&program, &case.module, &all);
        let mut rest = told.as_slice();
        for episode in &case.episodes {
            let (own, more) = rest.split_at(episode.commands.len().min(rest.len()));
            rest = more;
            wrong.extend(episode.compare(own));
            played += 1;
        }
    }
    let mut expressions = 0;
    for batch in &batches {
        wrong.extend(batch.compare(&answers(&program, &batch.module, &batch.commands)));
        expressions += batch.len();
    }
    for (session, _) in &sessions {
        let server = |args: &[String], input: &[u8]| {
            let mut command = Command::new(&program);
            command
                .arg(session_module(session))
                .arg("captive")
                .args(args);
            feed(command, input)
        };
        let what = captive::play(session, &server);
        wrong.extend(what.map(|what| format!("{}: {what}", session.name)));
    }
    println!(
        "{} captive sessions, {played} episodes of {} compiled rule sets and {expressions} values of expressions as recorded",
        sessions.len(),
        cases.len()
    );
    assert!(wrong.is_empty() && played > 0, "{}", wrong.join("\n"));
}
