//! Rules that are damaged item by item: told with a place, never by a panic or as a defect of the compiler.

use rulec_compiler::pipeline::{Options, Passes, Without, compile};
use rulec_compiler::source::SourceMap;
use rulec_random_rules::{Random, language};
use serde_json::{Value as Json, json};

use crate::corpus::long;

/// Damages that are tried.
const TRIES: u64 = 600;
const MANY: u64 = 40_000;

/// The number of items in a value, itself among them.
fn count(json: &Json) -> usize {
    1 + match json {
        Json::Array(items) => items.iter().map(count).sum::<usize>(),
        Json::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Changes the item of this number, counted in depth first order; gives what is left of the number where there is none.
fn change(json: &mut Json, at: usize, random: &mut Random) -> Result<(), usize> {
    if at == 0 {
        damage(json, random);
        return Ok(());
    }
    let mut rest = at - 1;
    let children: Vec<&mut Json> = match json {
        Json::Array(items) => items.iter_mut().collect(),
        Json::Object(members) => members.values_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        match change(child, rest, random) {
            Ok(()) => return Ok(()),
            Err(left) => rest = left,
        }
    }
    Err(rest)
}

fn damage(json: &mut Json, random: &mut Random) {
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(3),
        json!(1.5),
        json!(1e9),
        json!(-1e300),
        json!(""),
        json!("zz"),
        json!("x"),
        json!("man"),
        json!("a"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"x": 1}),
    ];
    match json {
        Json::Object(members) if !members.is_empty() && random.percent(70) => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let key = random.pick(&keys);
            let value = members.remove(key).unwrap_or_default();
            match random.below(4) {
                // The key is gone.
                0 | 1 => {}
                2 => _ = members.insert(format!("{key}s"), value),
                _ => _ = members.insert(random.pick(&keys).clone(), value),
            }
        }
        Json::Array(items) if !items.is_empty() && random.percent(70) => {
            let at = random.below(items.len());
            match random.below(3) {
                0 => _ = items.remove(at),
                1 => items.push(items[at].clone()),
                _ => items.clear(),
            }
        }
        _ => *json = random.pick(&values).clone(),
    }
}

#[test]
fn damaged_rules_are_told_with_a_place() {
    let bgc = language("bgc").expect("bgc has a generator");
    let options = Options {
        language: Some("bgc".to_owned()),
        passes: Passes::all(),
        image_folder: None,
        without: Without::Nothing,
        settings: Vec::new(),
        limit: None,
        ahead: false,
    };
    let tries = if long() { MANY } else { TRIES };
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..tries {
        let mut random = Random::new(seed ^ 0x00da_3a9e);
        let text = &bgc.rules(seed / 4).files[0].1;
        let mut json: Json = serde_json::from_str(text).expect("the generator writes JSON");
        for _ in 0..random.within(1, 3) {
            let at = random.below(count(&json));
            change(&mut json, at, &mut random).expect("an item of this number");
        }
        let text = serde_json::to_string_pretty(&json).expect("it can be written");
        let mut sources = SourceMap::new();
        sources
            .add("damaged.json", text.as_bytes())
            .expect("a small file");
        let compiled = compile(&sources, &options);
        let (output, findings) = compiled.unwrap_or_else(|error| panic!("{error}\n{text}"));
        match output {
            Some(_) => accepted += 1,
            None => {
                assert!(findings.has_errors(), "no reason is told\n{text}");
                refused += 1;
            }
        }
    }
    assert!(
        refused > tries / 10 && accepted > tries / 10,
        "{refused} refused, {accepted} accepted"
    );
}
