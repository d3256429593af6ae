//! Games made at random: the plain interpreter of the reference plays them as ours does.
//!
//! By default 200 games, with `RULEC_LONG=1` 10 000; `RULEC_RANDOM=bgm:400..500` asks for these seeds.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rulec_random_rules::language;
use serde_json::Value as Json;

use crate::corpus::{case, folder, long, reference, side_by_side};

use crate::records::{check, records};
use crate::stages::Stage;

/// Games that one process of the reference plays.
const BATCH: u64 = 50;

/// Random lines of play of each game, and their actions.
const LINES: u32 = 2;
const ACTIONS: u32 = 6;

/// The seeds that are asked for.
fn seeds() -> Range<u64> {
    let wanted = std::env::var("RULEC_RANDOM").ok();
    let wanted = wanted.as_deref().and_then(|text| text.strip_prefix("bgm:"));
    let Some((from, to)) = wanted.and_then(|text| text.split_once("..")) else {
        return 0..if long() { 10_000 } else { 200 };
    };
    let number = |text: &str| text.parse::<u64>().expect("a number");
    number(from)..number(to)
}

/// Writes the games of some seeds, each to a file.
fn files(folder: &Path, seeds: Range<u64>) -> Vec<PathBuf> {
    let bgm = language("bgm").expect("bgm has a generator");
    let write = |seed: u64| {
        let path = folder.join(format!("seed_{seed}.bgm"));
        let rules = bgm.rules(seed);
        std::fs::write(&path, &rules.files[0].1).expect("the rules can be written");
        path
    };
    seeds.map(write).collect()
}

/// What differs in a game; one in eight is played after the passes too, which are compared with the rules elsewhere.
fn difference(number: usize, path: &Path, record: &Json) -> Option<String> {
    let result = catch_unwind(AssertUnwindSafe(|| {
        check(&case(path, Stage::Lowered), record);
        if long() || number.is_multiple_of(8) {
            check(&case(path, Stage::Passed), record);
        }
    }));
    let panic = result.err()?;
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let rules = std::fs::read_to_string(path).expect("the rules can be read");
    Some(format!(
        "{}\n{rules}\n{}",
        path.display(),
        text.unwrap_or_default()
    ))
}

#[test]
fn random_rules_run_as_in_the_reference() {
    let Some(corpus) = folder() else { return };
    let Some(reference) = reference(&corpus) else {
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_bgm");
    std::fs::create_dir_all(&folder).expect("a folder for the rules");
    let seeds = seeds();
    let (count, end) = (seeds.end - seeds.start, seeds.end);
    let starts: Vec<u64> = seeds.step_by(BATCH as usize).collect();
    let results = side_by_side(&starts, |&start| {
        let files = files(&folder, start..end.min(start + BATCH));
        let records = records(&reference, &files, LINES, ACTIONS)?;
        assert_eq!(records.len(), files.len());
        let (mut positions, mut found) = (0, Vec::new());
        for (number, (path, record)) in files.iter().zip(&records).enumerate() {
            positions += record["positions"].as_object().map_or(0, |all| all.len());
            found.extend(difference(number, path, record));
        }
        Some((positions, found))
    });
    let Some(results) = results.into_iter().collect::<Option<Vec<_>>>() else {
        return;
    };
    let positions: usize = results.iter().map(|(positions, _)| positions).sum();
    let found: Vec<String> = results.into_iter().flat_map(|(_, found)| found).collect();
    assert!(
        found.is_empty(),
        "{} of {count} games differ:\n{}",
        found.len(),
        found.join("\n\n")
    );
    assert!(positions as u64 > 2 * count, "{positions} positions");
}
