//! gs5 from outside: sessions of the captive server, clients that send garbage, boards from seeds, hosting, and rule sets
//! and expressions, interpreted and compiled, as they were recorded.
//!
//! By default a sample of the recorded episodes is played by compiled rule sets, all of them if `RULEC_LONG` is `1`.

mod boards;
mod captive;
mod clients;
mod driver;
mod expressions;
mod host;
mod lists;
mod native;
mod ours;
#[path = "../common/corpus.rs"]
#[allow(dead_code)]
mod places;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

// The driver is compiled into programs of compiled rule sets too, where it finds the crate by this name.
pub(crate) use ::rulec_search;
use serde_json::Value;

pub(crate) fn corpus() -> Option<PathBuf> {
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

pub(crate) fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games/gs5")
        .join(name)
}

pub(crate) fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("gs5")
        .join(name);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// Runs a program with so much input.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Output {
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

pub(crate) fn rulec(args: &[String], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulec"));
    command.args(args);
    feed(command, input)
}
