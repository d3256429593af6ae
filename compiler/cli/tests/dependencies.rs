//! What the workspace may depend on: licences, sources, and a list of crates that were looked at and refused.

use std::process::Command;

use serde_json::Value;

/// Licences that go with `MIT OR Apache-2.0`.
const LICENCES: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "0BSD",
];

/// Crates with other licences that do not touch those who depend on them, looked at one by one.
const EXCEPTIONS: &[(&str, &str)] = &[("serialport", "MPL-2.0"), ("tiny-keccak", "CC0-1.0")];

/// Crates that are not wanted, and why.
const REFUSED: &[(&str, &str)] = &[
    ("bincode", "its newest version is an empty stone"),
    (
        "miette",
        "heavy; diagnostics are rendered by annotate-snippets",
    ),
    (
        "opencv",
        "a system library: only in a crate of its own outside of the default members",
    ),
];

/// Crates of which there are two versions, because others have not moved on yet. A new one is looked at before it is
/// added here; what is no longer double is taken out.
const TWICE: &[&str] = &[
    "bitflags",
    "getrandom",
    "hashbrown",
    "itertools",
    "miniz_oxide",
    "ndarray",
    "nix",
    "rand",
    "rand_chacha",
    "rand_core",
    "syn",
];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Every package that is built for this machine.
fn packages() -> Vec<Value> {
    let version = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--filter-platform",
        ])
        .arg(host.expect("rustc tells its host"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

/// Whether one of the alternatives consists of permitted licences only.
fn is_permitted(expression: &str) -> bool {
    let alternatives = expression.replace('/', " OR ");
    alternatives.split(" OR ").any(|alternative| {
        let parts = alternative.split(" AND ");
        let mut parts = parts.map(|part| part.trim_matches(|c| "() ".contains(c)));
        parts.all(|part| LICENCES.contains(&part))
    })
}

#[test]
fn licences_and_sources_are_permitted() {
    let packages = packages();
    assert!(packages.len() > 20);
    let mut found = Vec::new();
    for package in &packages {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let name = text("name");
        let excepted = EXCEPTIONS.contains(&(name, text("license")));
        if !excepted && !is_permitted(text("license")) {
            found.push(format!("{name}: licence `{}`", text("license")));
        }
        if package["source"]
            .as_str()
            .is_some_and(|source| source != REGISTRY)
        {
            found.push(format!("{name}: from {}", text("source")));
        }
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            found.push(format!("{name}: {why}"));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn no_further_crate_is_there_in_two_versions() {
    let mut names: Vec<String> = packages()
        .iter()
        .map(|package| package["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    names.sort();
    let mut twice: Vec<String> = names
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0].clone())
        .collect();
    twice.dedup();
    assert_eq!(twice, TWICE);
}

#[test]
fn the_rules_of_cargo_deny_are_those_of_this_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules = std::fs::read_to_string(root.join("deny.toml")).expect("the rules are there");
    let exceptions = EXCEPTIONS.iter().map(|(name, _)| *name);
    let refused = REFUSED.iter().map(|(name, _)| *name);
    for name in LICENCES.iter().copied().chain(exceptions).chain(refused) {
        assert!(rules.contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn expressions_of_licences_are_understood() {
    for fine in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ] {
        assert!(is_permitted(fine), "{fine}");
    }
    for wrong in ["", "GPL-3.0", "MIT AND GPL-3.0", "Proprietary"] {
        assert!(!is_permitted(wrong), "{wrong}");
    }
}
