//! Dependencies point down only: between the crates of the workspace, and between the modules of the compiler.
//!
//! The tables below are the picture in ARCHITECTURE.md. An edge that is not in them is refused, so adding one is a
//! decision that shows up here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of the workspace, and the others that it may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("rulec-core", &["rulec-cpu"]),
    ("rulec-cpu", &[]),
    ("rulec-abi", &["rulec-core", "rulec-cpu", "rulec-noise"]),
    ("rulec-noise", &["rulec-core"]),
    ("rulec-arm", &[]),
    ("rulec-arm-serial", &["rulec-arm"]),
    ("rulec-report", &[]),
    ("rulec-search", &["rulec-core", "rulec-noise"]),
    (
        "rulec-command",
        &["rulec-core", "rulec-report", "rulec-search"],
    ),
    ("rulec-render", &["rulec-core"]),
    ("rulec-paint", &[]),
    (
        "rulec-serve",
        &[
            "rulec-command",
            "rulec-core",
            "rulec-render",
            "rulec-search",
        ],
    ),
    (
        "rulec-runtime",
        &[
            "rulec-command",
            "rulec-core",
            "rulec-cpu",
            "rulec-search",
            "rulec-serve",
            "rulec-macros",
        ],
    ),
    ("rulec-ir", &[]),
    ("rulec-s3", &["rulec-ir"]),
    ("rulec-bgm", &["rulec-ir"]),
    ("rulec-gs5", &["rulec-ir"]),
    ("rulec-bbgel", &["rulec-ir"]),
    ("rulec-bgc", &["rulec-ir"]),
    ("rulec-interp", &["rulec-ir"]),
    (
        "rulec-compiler",
        &[
            "rulec-ir",
            "rulec-s3",
            "rulec-bgm",
            "rulec-gs5",
            "rulec-bbgel",
            "rulec-bgc",
        ],
    ),
    ("rulec-macros", &["rulec-compiler"]),
    (
        "rulec-interpreted",
        &["rulec-compiler", "rulec-core", "rulec-interp"],
    ),
    (
        "rulec-quick",
        &[
            "rulec-core",
            "rulec-cpu",
            "rulec-interp",
            "rulec-interpreted",
            "rulec-ir",
        ],
    ),
    (
        "rulec-engines",
        &[
            "rulec-abi",
            "rulec-core",
            "rulec-interpreted",
            "rulec-quick",
            "rulec-search",
        ],
    ),
    ("rulec-lsp", &["rulec-compiler", "rulec-interp"]),
    (
        "rulec",
        &[
            "rulec-abi",
            "rulec-command",
            "rulec-compiler",
            "rulec-core",
            "rulec-engines",
            "rulec-interp",
            "rulec-interpreted",
            "rulec-lsp",
            "rulec-paint",
            "rulec-quick",
            "rulec-render",
            "rulec-report",
            "rulec-search",
            "rulec-serve",
            "rulec-vision",
        ],
    ),
    ("rulec-vision", &["rulec-core"]),
    (
        "rulec-robot",
        &["rulec-core", "rulec-search", "rulec-vision", "rulec-arm"],
    ),
    (
        "rulec-robot-cli",
        &[
            "rulec",
            "rulec-compiler",
            "rulec-core",
            "rulec-engines",
            "rulec-search",
            "rulec-vision",
            "rulec-arm",
            "rulec-arm-serial",
            "rulec-robot",
        ],
    ),
    ("rulec-onnx", &["rulec", "rulec-core", "rulec-search"]),
    ("rulec-python", &["rulec", "rulec-abi", "rulec-search"]),
    ("rulec-grammars", &[]),
    ("rulec-shards", &[]),
    ("rulec-random-rules", &[]),
    (
        "rulec-rewrites",
        &["rulec-ir", "rulec-random-rules", "rulec-s3"],
    ),
    ("rulec-samples", &["rulec-ir"]),
    (
        "rulec-same-play",
        &["rulec-compiler", "rulec-interp", "rulec-ir"],
    ),
    ("by_hand", &["rulec-command", "rulec-core"]),
    ("uct", &["rulec-runtime"]),
    ("rulec-benches", &["rulec", "rulec-runtime"]),
];

/// As above, for tests only.
const TEST_CRATES: &[(&str, &[&str])] = &[
    ("rulec-vision", &["rulec"]),
    ("rulec-interpreted", &["rulec-random-rules"]),
    (
        "rulec-quick",
        &[
            "rulec-compiler",
            "rulec-random-rules",
            "rulec-samples",
            "rulec-search",
        ],
    ),
    (
        "rulec-compiler",
        &[
            "rulec-interp",
            "rulec-random-rules",
            "rulec-same-play",
            "rulec-samples",
        ],
    ),
    (
        "rulec-interp",
        &["rulec-compiler", "rulec-s3", "rulec-samples"],
    ),
    ("rulec-samples", &["rulec-compiler"]),
    ("rulec-rewrites", &["rulec-compiler", "rulec-interp"]),
    ("rulec-s3", &["rulec-interp"]),
    ("rulec-bgm", &["rulec-compiler", "rulec-interp"]),
    ("rulec-bbgel", &["rulec-interp"]),
    ("rulec-bgc", &["rulec-interp"]),
    ("rulec-gs5", &["rulec-interp"]),
];

/// The only crates that the core of the runtime may need, and what a game without robot must never need.
const NO_DEPENDENCIES: &str = "rulec-core";
const SYSTEM_CRATES: &[&str] = &["opencv", "serialport", "libudev-sys"];
/// Those that exist for one of them, and nothing else.
const SYSTEM_EDGES: &[(&str, &[&str])] = &[("rulec-arm-serial", &["serialport"])];

/// The folders of the modules below.
const SOURCES: &[&str] = &["compiler/ir/src", "compiler/src"];

/// A module of the compiler, and the others that it may use.
const MODULES: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("sorted", &[]),
    ("diag", &["source", "sorted"]),
    ("ir", &["source", "sorted"]),
    ("json", &["source", "diag"]),
    ("symbols", &["source"]),
    ("front", &["source", "diag", "ir", "symbols"]),
    ("opt", &["ir", "source", "diag", "beside", "board", "hash"]),
    ("board", &["ir", "source", "hash"]),
    ("codegen", &["ir", "source", "diag", "look", "quotient"]),
    ("quotient", &["ir", "opt", "source"]),
    ("look", &["ir"]),
    ("beside", &[]),
    ("hash", &[]),
    (
        "rename",
        &["ir", "board", "opt", "source", "beside", "hash"],
    ),
];

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the command lies two folders below the root")
        .to_owned()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--no-deps",
            "--offline",
            "--locked",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

fn allowed(table: &[(&str, &[&str])], from: &str, to: &str) -> bool {
    table
        .iter()
        .any(|(name, targets)| *name == from && targets.contains(&to))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The edges between crates of the workspace that the tables lack, and other forbidden ones.
fn crate_violations(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let members: BTreeSet<&str> = packages.iter().map(|p| text(p, "name")).collect();
    let mut found = Vec::new();
    for package in packages {
        let from = text(package, "name");
        if !CRATES.iter().any(|(name, _)| *name == from) {
            found.push(format!("{from} is not in the table"));
        }
        let edges = package["dependencies"]
            .as_array()
            .expect("a list of dependencies");
        for edge in edges {
            let (to, test) = (text(edge, "name"), text(edge, "kind") == "dev");
            let fine = match members.contains(to) {
                true => allowed(CRATES, from, to) || (test && allowed(TEST_CRATES, from, to)),
                false => {
                    (!SYSTEM_CRATES.contains(&to) || allowed(SYSTEM_EDGES, from, to))
                        && (test || from != NO_DEPENDENCIES)
                }
            };
            if !fine {
                found.push(format!("{from} -> {to}"));
            }
        }
    }
    found
}

#[test]
fn crates_depend_downward_only() {
    assert_eq!(crate_violations(&metadata()), Vec::<String>::new());
}

/// `tools/test.sh` runs this program beside all others, which it names by their first letter.
#[test]
fn no_other_program_of_tests_has_the_letter_of_this_one() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let targets = packages
        .iter()
        .flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let mut names: Vec<&str> = targets
        .filter(|target| target["kind"][0] == "test")
        .map(|target| text(target, "name"))
        .collect();
    assert!(names.len() > 20, "{names:?}");
    names.retain(|name| name.starts_with('a'));
    assert_eq!(names, ["all"]);
}

/// Crates and programs without tests of their own are not built once more to run none. What has no documentation tests is not
/// looked at by rustdoc, so every library has them.
#[test]
fn what_is_not_run_has_no_tests_and_all_libraries_are_documented() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let (mut wrong, mut looked) = (Vec::new(), 0);
    for target in packages
        .iter()
        .flat_map(|package| package["targets"].as_array().into_iter().flatten())
    {
        let kind = target["kind"][0].as_str().unwrap_or_default();
        if !["lib", "bin", "proc-macro"].contains(&kind) {
            continue;
        }
        if kind != "bin" && target["doctest"] != true {
            wrong.push(format!("{}: doctest = false", text(target, "name")));
        }
        if target["test"] == true {
            continue;
        }
        looked += 1;
        let source = Path::new(text(target, "src_path"));
        let mut files = vec![source.to_owned()];
        if kind != "bin" {
            rust_files(source.parent().expect("a folder"), &mut files);
        }
        for file in files {
            let content = std::fs::read_to_string(&file).expect("a source file");
            if content.lines().any(|line| line.trim() == "#[test]") {
                wrong.push(format!("{}: {}", text(target, "name"), file.display()));
            }
        }
    }
    assert!(looked > 10, "{looked}");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn an_edge_that_is_not_in_the_picture_is_found() {
    let package = |name: &str, dependency: &str| serde_json::json!({ "name": name, "dependencies": [{ "name": dependency, "kind": null }] });
    let packages = [
        package("rulec-search", "rulec-core"),
        package("rulec-core", "serde"),
        package("rulec-compiler", "rulec-core"),
        package("rulec-vision", "opencv"),
    ];
    let found = crate_violations(&serde_json::json!({ "packages": packages }));
    let expected = [
        "rulec-core -> serde",
        "rulec-compiler -> rulec-core",
        "rulec-vision -> opencv",
    ];
    assert_eq!(found, expected);
}

/// The paths that begin with `crate` in a source text, as the first and second name after it.
fn crate_paths(source: &str) -> Vec<(String, String)> {
    let code: String = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let alone = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        if alone {
            found.extend(heads(&code[at + "crate::".len()..], 2).map(|names| {
                let mut names = names.into_iter();
                (
                    names.next().unwrap_or_default(),
                    names.next().unwrap_or_default(),
                )
            }));
        }
    }
    found
}

/// The first `depth` names of every path that a text begins with: several if it begins with a group in braces.
fn heads(text: &str, depth: usize) -> impl Iterator<Item = Vec<String>> {
    let mut paths = Vec::new();
    collect_heads(text.trim_start(), depth, &mut Vec::new(), &mut paths);
    paths.into_iter()
}

pub(crate) fn collect_heads(
    text: &str,
    depth: usize,
    prefix: &mut Vec<String>,
    paths: &mut Vec<Vec<String>>,
) {
    if depth == 0 {
        return paths.push(prefix.clone());
    }
    if let Some(group) = text.strip_prefix('{') {
        for item in split_group(group) {
            collect_heads(item.trim(), depth, prefix, paths);
        }
        return;
    }
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    if end == 0 || text[end..].starts_with('!') {
        return;
    }
    prefix.push(text[..end].to_owned());
    match text[end..].strip_prefix("::") {
        Some(rest) => collect_heads(rest.trim_start(), depth - 1, prefix, paths),
        None => paths.push(prefix.clone()),
    }
    prefix.pop();
}

/// The items of a group whose opening brace is already read.
fn split_group(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut open) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 0 => {
                items.push(&text[start..at]);
                break;
            }
            '}' => open -= 1,
            ',' if open == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.retain(|item| !item.trim().is_empty());
    items
}

/// What a file of the compiler uses although its module may not.
fn module_violations(file: &Path, source: &str) -> Vec<String> {
    let path: Vec<String> = file
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let module = path[0].as_str();
    let Some((_, targets)) = MODULES.iter().find(|(name, _)| *name == module) else {
        return Vec::new();
    };
    let mut found: Vec<String> = crate_paths(source)
        .into_iter()
        .filter(|(first, _)| first != module && !targets.contains(&first.as_str()))
        .map(|(first, second)| format!("{} uses {first}::{second}", file.display()))
        .collect();
    let inside = path.len() - 1;
    if source.contains(&"super::".repeat(inside + 2)) {
        found.push(format!("{} leaves its module by `super`", file.display()));
    }
    found
}

pub(crate) fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        match path.is_dir() {
            true => rust_files(&path, files),
            false if path.extension().is_some_and(|e| e == "rs") => files.push(path),
            false => {}
        }
    }
}

/// The part of a file before its tests. Tests may use whatever they like.
pub(crate) fn without_tests(source: &str) -> &str {
    let tests = source.find("#[cfg(test)]\nmod tests {");
    &source[..tests.unwrap_or(source.len())]
}

/// The modules in files of their own that a file declares for tests only, as paths without `.rs`.
pub(crate) fn test_modules(file: &Path, source: &str) -> Vec<PathBuf> {
    let name = file.file_stem().unwrap_or_default();
    let folder = match name == "mod" || name == "lib" {
        true => file.with_file_name(""),
        false => file.with_extension(""),
    };
    let after = source.split("#[cfg(test)]\n").skip(1);
    let declared = after.filter_map(|text| {
        let line = text.lines().next()?.trim_end().strip_suffix(';')?;
        line.rsplit_once("mod ").map(|(_, name)| folder.join(name))
    });
    declared.collect()
}

#[test]
fn modules_of_the_compiler_know_only_what_lies_below() {
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("the file can be read");
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for source in SOURCES {
        let source = root().join(source);
        let mut paths = Vec::new();
        rust_files(&source, &mut paths);
        assert!(!paths.is_empty());
        paths.sort();
        let inside = |path: &PathBuf| {
            path.strip_prefix(&source)
                .expect("it lies there")
                .to_owned()
        };
        files.extend(paths.iter().map(|path| (inside(path), read(path))));
    }
    let tests: Vec<PathBuf> = files
        .iter()
        .flat_map(|(file, source)| test_modules(file, source))
        .collect();
    let is_test = |file: &Path| {
        let module = file.with_extension("");
        tests.iter().any(|test| module.starts_with(test))
    };
    let found: Vec<String> = files
        .iter()
        .filter(|(file, _)| !is_test(file))
        .flat_map(|(file, source)| module_violations(file, without_tests(source)))
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_use_of_something_above_is_found() {
    let source = "
        use crate::{ir::{Expr, Game}, codegen::{render, names}};
        // crate::pipeline in a comment
        use crate::lang::bgm::ast;
        crate::codes! {}
        fn f() { crate::source::f(); $crate::opt::g() }
    ";
    let found = |file: &str| module_violations(Path::new(file), source);
    assert_eq!(
        found("board/walks.rs"),
        [
            "board/walks.rs uses codegen::render",
            "board/walks.rs uses codegen::names",
            "board/walks.rs uses lang::bgm"
        ]
    );
    assert_eq!(found("pipeline.rs").len(), 0);
    let leaves = module_violations(
        Path::new("opt/lift.rs"),
        "use super::super::super::codegen;",
    );
    assert_eq!(leaves, ["opt/lift.rs leaves its module by `super`"]);
}

#[test]
fn tests_are_told_from_the_rest() {
    let source = "mod a;\n#[cfg(test)]\npub(crate) mod same_play;\n#[cfg(test)]\nmod tests {\n use crate::lang; }\n";
    let modules = test_modules(Path::new("opt/mod.rs"), source);
    assert_eq!(modules, [PathBuf::from("opt/same_play")]);
    assert!(!without_tests(source).contains("lang"));
    let below = test_modules(Path::new("ir/print.rs"), "#[cfg(test)]\nmod tests;\n");
    assert_eq!(below, [PathBuf::from("ir/print/tests")]);
}
