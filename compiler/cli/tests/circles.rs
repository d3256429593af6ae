//! Files of a crate import each other one way: where some do so in a circle, none of them can be read, or changed, by itself.
//!
//! A module that is a folder and the files in it are one part to whoever looks from outside: what a file takes of the module that
//! it lies in is no arrow.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::layering::{collect_heads, root, rust_files, test_modules, without_tests};

/// Crates whose files form circles, and how many: from others they are to be kept.
const KNOWN: &[(&str, usize)] = &[
    ("compiler/interp", 1),
    ("compiler/quick", 1),
    ("runtime/render", 1),
    ("runtime/search", 3),
    ("python", 1),
];

/// A module: its path in the crate, and what its file uses.
struct Module {
    path: Vec<String>,
    uses: Vec<Vec<String>>,
}

/// The path of the module that a file is.
fn module_path(file: &Path) -> Vec<String> {
    let parts = file.with_extension("");
    let parts = parts.components();
    let mut path: Vec<String> = parts
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let last = path.last().map(String::as_str);
    if matches!(last, Some("mod" | "lib" | "main")) {
        path.pop();
    }
    path
}

/// The paths in a source text that begin with `crate` or `super`, as paths in the crate.
fn uses(path: &[String], source: &str) -> Vec<Vec<String>> {
    let lines = source.lines();
    let code: String = lines
        .flat_map(|line| [line.split("//").next().unwrap_or_default(), "\n"])
        .collect();
    let mut all = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].trim_end();
            let inside = before.ends_with("::")
                || code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
            if !inside {
                collect_heads(&code[at..], usize::MAX, &mut Vec::new(), &mut all);
            }
        }
    }
    let from_root = |names: Vec<String>| {
        let up = names.iter().take_while(|name| *name == "super").count();
        let (kept, skipped) = match up {
            0 => (0, 1),
            up => (path.len().checked_sub(up)?, up),
        };
        Some([&path[..kept], &names[skipped..]].concat())
    };
    all.into_iter().filter_map(from_root).collect()
}

/// For each module the others that it uses: the deepest that a path leads to.
fn arrows(modules: &[Module]) -> Vec<BTreeSet<usize>> {
    let deepest = |used: &[String]| {
        let own = modules.iter().enumerate();
        own.filter(|(_, module)| used.starts_with(&module.path))
            .max_by_key(|(_, module)| module.path.len())
            .map(|(number, _)| number)
    };
    let arrows = modules.iter().map(|module| {
        let used = module.uses.iter().filter_map(|used| deepest(used));
        used.filter(|other| !module.path.starts_with(&modules[*other].path))
            .collect()
    });
    arrows.collect()
}

/// The modules of each circle.
fn circles(modules: &[Module]) -> Vec<Vec<String>> {
    let arrows = arrows(modules);
    let reached: Vec<BTreeSet<usize>> = (0..modules.len())
        .map(|from| {
            let mut seen = BTreeSet::new();
            let mut ahead: Vec<usize> = arrows[from].iter().copied().collect();
            while let Some(next) = ahead.pop() {
                if seen.insert(next) {
                    ahead.extend(&arrows[next]);
                }
            }
            seen
        })
        .collect();
    let circle = |at: usize| -> BTreeSet<usize> {
        let own = reached[at].iter().copied();
        own.filter(|other| reached[*other].contains(&at)).collect()
    };
    let all: BTreeSet<BTreeSet<usize>> = (0..modules.len()).map(circle).collect();
    let all = all.into_iter().filter(|circle| circle.len() > 1);
    all.map(|circle| {
        circle
            .iter()
            .map(|at| modules[*at].path.join("::"))
            .collect()
    })
    .collect()
}

/// The modules below a folder, but for tests.
fn modules(folder: &Path) -> Vec<Module> {
    let mut files: Vec<PathBuf> = Vec::new();
    rust_files(folder, &mut files);
    files.sort();
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        (
            file.strip_prefix(folder).expect("it lies there").to_owned(),
            text,
        )
    };
    let files: Vec<(PathBuf, String)> = files.iter().map(read).collect();
    let tests: Vec<PathBuf> = files
        .iter()
        .flat_map(|(file, text)| test_modules(file, text))
        .collect();
    let is_test = |file: &Path| {
        tests
            .iter()
            .any(|test| file.with_extension("").starts_with(test))
    };
    let modules = files
        .iter()
        .filter(|(file, _)| !is_test(file))
        .map(|(file, text)| {
            let path = module_path(file);
            let uses = uses(&path, without_tests(text));
            Module { path, uses }
        });
    modules.collect()
}

/// The folders of crates below a folder.
fn crates(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    if folder.join("Cargo.toml").exists() && folder.join("src").is_dir() {
        found.push(folder.to_owned());
    }
    for inner in folders {
        let name = inner
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !name.starts_with('.') && !["target", "src", "generated", "games"].contains(&&*name) {
            crates(&inner, found);
        }
    }
}

#[test]
fn files_import_each_other_one_way() {
    let mut folders = Vec::new();
    crates(&root(), &mut folders);
    assert!(
        folders.len() > 30,
        "only {} crates are found",
        folders.len()
    );
    let mut wrong = Vec::new();
    for folder in folders {
        let name = folder
            .strip_prefix(root())
            .expect("it lies there")
            .to_string_lossy()
            .replace('\\', "/");
        let found = circles(&modules(&folder.join("src")));
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        let known = known.map_or(0, |(_, count)| *count);
        if found.len() != known {
            wrong.push(format!("{name}: {found:?}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_circle_is_found() {
    let module = |path: &str, source: &str| {
        let path = module_path(Path::new(path));
        Module {
            uses: uses(&path, source),
            path,
        }
    };
    let found = circles(&[
        module("lib.rs", "use crate::a;"),
        module("a/mod.rs", "use super::b::{self, B as Other};"),
        module("a/one.rs", "use super::A;\nuse crate::b::{c::{D, E}};"),
        module("b.rs", "// crate::a\nfn f() { crate::c::f() }"),
        module("b/c.rs", "use super::B;"),
        module("c.rs", "use crate::{a::A, d};"),
        module("d.rs", "use crate::lib;"),
    ]);
    assert_eq!(found, [["a", "b", "c"]]);
}
