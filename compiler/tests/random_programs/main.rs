//! Rules made at random mean the same as lowered, after all passes, and with each pass switched off.
//!
//! By default 200 rule files of each language are compared, with `RULEC_LONG=1` 10 000. `RULEC_RANDOM=bbgel:400..500` compares
//! these seeds of one language, and prints how many rules, positions, ends and faults there were. A difference is told with
//! its seed and with the rules, from which all lines are left out that it does not need.

mod compared;
mod shrink;

use compared::{Extents, Tally, Verdict, judge};
use rulec_random_rules::{LANGUAGES, language};

/// Rule files of each language.
const FILES: u64 = 200;
const MANY: u64 = 10_000;

/// One in so many is compared with each pass switched off in turn.
const EACH_PASS: u64 = 20;

/// Differences after which no more are looked for.
const ENOUGH: usize = 3;

/// Compares the rules of these seeds.
fn compare(name: &str, seeds: std::ops::Range<u64>) -> Tally {
    let language = language(name).expect("a language with a generator");
    let mut tally = Tally::default();
    let mut found = Vec::new();
    for seed in seeds {
        let rules = language.rules(seed);
        let extents = Extents {
            each_pass: seed % EACH_PASS == 0,
            ..Extents::default()
        };
        match judge(&rules, &extents) {
            Verdict::Same(seen) => tally.add(seen),
            Verdict::Refused(what) => {
                found.push(format!(
                    "{name}, seed {seed}: {what}\n{}",
                    shrink::show(&rules)
                ));
            }
            Verdict::Wrong(what) => {
                let (rules, what) = shrink::shrink(rules, what, &extents);
                found.push(format!(
                    "{name}, seed {seed}: {what}\n{}",
                    shrink::show(&rules)
                ));
            }
        }
        if found.len() == ENOUGH {
            break;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    tally
}

/// The rules of a language as they are compared by default.
fn compare_all(name: &str) {
    let count = match std::env::var_os("RULEC_LONG") {
        Some(_) => MANY,
        None => FILES,
    };
    let tally = compare(name, 0..count);
    assert!(tally.positions > 5 * count, "{name}: {tally:?}");
}

#[test]
fn random_bbgel_worlds_mean_the_same_after_the_passes() {
    compare_all("bbgel");
}

#[test]
fn random_gs5_rule_sets_mean_the_same_after_the_passes() {
    compare_all("gs5");
}

#[test]
fn random_s3_rules_mean_the_same_after_the_passes() {
    compare_all("s3");
}

#[test]
fn random_bgc_games_mean_the_same_after_the_passes() {
    compare_all("bgc");
}

#[test]
fn random_bgm_games_mean_the_same_after_the_passes() {
    compare_all("bgm");
}

#[test]
fn the_rules_that_are_asked_for_mean_the_same_after_the_passes() {
    let Ok(wanted) = std::env::var("RULEC_RANDOM") else {
        return;
    };
    let (name, seeds) = wanted.split_once(':').expect("LANGUAGE:FROM..TO");
    let (from, to) = seeds.split_once("..").expect("FROM..TO");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    eprintln!(
        "{name} {seeds}: {:?}",
        compare(name, number(from)..number(to))
    );
}

#[test]
fn every_language_with_a_generator_is_compared() {
    let text = include_str!("main.rs");
    for language in LANGUAGES {
        let call = format!("compare_all({:?})", language.name);
        assert!(text.contains(&call), "{}", language.name);
    }
}
