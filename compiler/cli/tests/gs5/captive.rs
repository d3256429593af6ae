//! Sessions of the captive server, as recorded.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::{corpus, list, read, rulec, scratch, text};

/// The order of property fields of a picture varies from run to run of the original.
fn loose(line: &str) -> String {
    match line.contains("\"image\"") {
        true => serde_json::from_str::<Value>(line)
            .map_or_else(|_| line.to_owned(), |json| json.to_string()),
        false => line.to_owned(),
    }
}

/// A recorded session with the files that it needs.
pub(crate) struct Session {
    pub(crate) name: String,
    record: Value,
    folder: PathBuf,
    /// The arguments of the captive server.
    pub(crate) args: Vec<String>,
}

impl Session {
    /// Whether the original could play the rules.
    pub(crate) fn is_sound(&self) -> bool {
        self.record["exit_code"] == 0
    }
}

/// All recorded sessions.
pub(crate) fn sessions(corpus: &Path) -> Vec<Session> {
    let entries = std::fs::read_dir(corpus.join("oracle/captive")).expect("it can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| prepare(corpus, path)).collect()
}

fn prepare(corpus: &Path, path: &Path) -> Session {
    let record = read(path);
    let name = path
        .file_stem()
        .and_then(|s| s.to_str())
        .unwrap_or_default();
    let folder = scratch(name);
    let mut input_folder = corpus.to_owned();
    let mut args: Vec<String> = Vec::new();
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
    Session {
        name: name.to_owned(),
        record,
        folder,
        args,
    }
}

/// Plays a recorded session with a server that is given arguments and input; what differs.
pub(crate) fn play(
    session: &Session,
    server: &dyn Fn(&[String], &[u8]) -> Output,
) -> Option<String> {
    let record = &session.record;
    let exchanges = list(&record["exchanges"]);
    let commands = exchanges.iter().filter_map(|exchange| exchange[0].as_str());
    let input: String = commands.map(|command| format!("{command}\n")).collect();
    let output = server(&session.args, input.as_bytes());
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
    results(&session.folder, record)
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
    let server = |args: &[String], input: &[u8]| {
        let mut all = vec!["captive".to_owned()];
        all.extend_from_slice(args);
        rulec(&all, input)
    };
    let sessions = sessions(&corpus);
    let played = sessions.iter().filter_map(|session| {
        let what = play(session, &server)?;
        Some(format!("{}: {what}", session.name))
    });
    let wrong: Vec<String> = played.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
