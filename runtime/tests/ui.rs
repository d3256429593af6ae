//! What the macro says about mistakes, and that it accepts what it should.
//!
//! The compiler that built this test compiles the cases against the libraries that it built for it: nothing is built anew.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn cases(name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(name)).expect("there are cases");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "rs"));
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The libraries beside this test, and the runtime among them that was built last: with the macro and from the present
/// sources, as this test needs it itself.
fn libraries() -> (PathBuf, PathBuf) {
    let program = std::env::current_exe().expect("a program");
    let folder = program.parent().expect("a folder").to_owned();
    let entries = std::fs::read_dir(&folder).expect("the libraries can be listed");
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("librulec_runtime-") && name.ends_with(".rlib") {
            let built = entry.metadata().and_then(|data| data.modified());
            found.push((built.expect("a date"), entry.path()));
        }
    }
    let (_, runtime) = found.into_iter().max().expect("the runtime was built");
    (folder, runtime)
}

fn compile(case: &Path, program: &Path) -> Output {
    let (folder, runtime) = libraries();
    let mut dependency = OsString::from("dependency=");
    dependency.push(&folder);
    let mut library = OsString::from("rulec_runtime=");
    library.push(&runtime);
    let name = case.file_name().expect("a name");
    let place = Path::new("tests")
        .join(case.parent().and_then(Path::file_name).expect("a folder"))
        .join(name);
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"))
        .args(["--edition=2024", "--crate-type=bin", "--cap-lints=allow"])
        .arg("-L")
        .arg(dependency)
        .arg("--extern")
        .arg(library)
        .arg("-o")
        .arg(program)
        .arg(place)
        .output()
        .expect("rustc starts")
}

/// The messages without the lines that tell how many there were.
fn messages(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    let mut kept = String::new();
    for part in text.split("\n\n") {
        if !part.starts_with("error: aborting due to") && !part.starts_with("For more information")
        {
            kept += part.trim_end_matches('\n');
            kept += "\n\n";
        }
    }
    kept.trim_end().to_owned() + "\n"
}

#[test]
fn mistakes_are_told_in_their_lines() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut wrong = Vec::new();
    for case in cases("ui") {
        let output = compile(&case, &scratch.join("ui"));
        assert!(!output.status.success(), "{} compiles", case.display());
        let found = messages(&output);
        let file = case.with_extension("stderr");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, &found).expect("it can be written");
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if found != expected.replace("\r\n", "\n") {
            wrong.push(format!(
                "{}:\n{found}\n-- expected --\n{expected}",
                case.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sound_rules_are_accepted_in_place_and_from_files() {
    for case in cases("pass") {
        let name = case.file_stem().expect("a name").to_string_lossy();
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pass-{name}"));
        let output = compile(&case, &program);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", case.display());
        let status = Command::new(&program).status().expect("it starts");
        assert!(status.success(), "{}", case.display());
    }
}
