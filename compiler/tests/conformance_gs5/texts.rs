//! Which texts are rule sets.

use crate::corpus::{compile, files, folder, json, list, text};

/// Findings that stand for a difference to the server that is meant: what it means without sense, or refuses without need.
const ERRORS_BEYOND: &[&str] = &[
    "GS5-E0122",
    "GS5-E0123",
    "GS5-E0124",
    "GS5-E0125",
    "GS5-E0126",
];
const EXTENSIONS: &[&str] = &["GS5-W0223", "GS5-W0224", "GS5-W0225", "GS5-W0227"];

#[test]
fn texts_are_accepted_or_refused_as_recorded() {
    let Some(folder) = folder() else { return };
    let cases = json(&folder.join("oracle/parse.json"));
    let cases = list(&cases["cases"]);
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in cases {
        let accepted = text(&case["server"]) == "accept";
        let found = compile("case.txt", text(&case["text"]).as_bytes(), &[], &[]);
        let meant = match found.game {
            Some(_) => found.codes.iter().any(|code| EXTENSIONS.contains(code)),
            None => found.codes.iter().any(|code| ERRORS_BEYOND.contains(code)),
        };
        if found.game.is_some() != accepted && !meant {
            wrong.push(format!(
                "{}: {}\n{}",
                case["name"], case["text"], found.findings
            ));
        }
        if let (Some(game), true, Some(rows)) = (&found.game, accepted, case["rows"].as_u64()) {
            let own = game
                .episode
                .as_ref()
                .map_or(0, |episode| episode.atoms.len());
            assert_eq!(own as u64, rows, "rows of {}", case["name"]);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn rule_files_are_accepted_or_refused_as_recorded() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    let rules = files(&folder.join("rules"), "txt");
    let damaged = files(&folder.join("rules"), "bak");
    assert!(!rules.is_empty() && !damaged.is_empty());
    for (path, accepted) in rules
        .iter()
        .map(|p| (p, true))
        .chain(damaged.iter().map(|p| (p, false)))
    {
        let bytes = std::fs::read(path).expect("it can be read");
        let found = compile("rules.txt", &bytes, &[], &[]);
        // The server finds unknown orders only when it plays.
        let meant = accepted
            && !found.codes.is_empty()
            && found
                .codes
                .iter()
                .filter(|c| c.contains("-E"))
                .all(|code| *code == "GS5-E0122");
        if found.game.is_some() != accepted && !meant {
            wrong.push(format!("{}\n{}", path.display(), found.findings));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
