//! What comes with an installation: completions, manual pages, and what is said where something is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rulec() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulec"));
    command.current_dir(root()).env("NO_COLOR", "1");
    command
}

#[test]
fn shells_get_completions_for_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = rulec()
            .args(["completions", shell])
            .output()
            .expect("rulec starts");
        assert!(output.status.success(), "{shell}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for word in ["selfplay", "explain-code", "--seed"] {
            assert!(
                text.contains(word.trim_start_matches('-')),
                "{shell}: no {word}"
            );
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    // It may be there from an earlier run, or not.
    let _ = std::fs::remove_dir_all(&folder);
    let output = rulec().arg("man").arg(&folder).output();
    assert!(output.expect("rulec starts").status.success());
    let help = rulec().arg("--help").output().expect("rulec starts");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for name in commands {
        let page = std::fs::read_to_string(folder.join(format!("rulec-{name}.1")));
        let page = page.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    assert!(folder.join("rulec.1").exists());
}

#[test]
fn without_cargo_it_is_said_what_to_install() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_cargo");
    let _ = std::fs::remove_dir_all(&cache);
    let output = rulec()
        .args(["run", "games/s3/frogs.s3"])
        .env("RULEC_CACHE", &cache)
        .env("CARGO", "/nowhere/cargo")
        .output()
        .expect("rulec starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in ["https://rustup.rs", "C compiler", "rulec play"] {
        assert!(said.contains(part), "no {part}: {said}");
    }
}
