//! Expressions in environments of constants, as the original server evaluated them.

use rulec_ir::sorted::SortedSet;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::sym::{Alternative, Bucket, Num, Piece, Set, Unit};
use super::*;
use crate::ir::BoardSource;
use crate::parse::parse_expr;
use crate::settings::Settings;

fn expressions() -> Option<Json> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let path = root.join("gs5/oracle/expressions.json");
    let Ok(bytes) = std::fs::read(&path) else {
        let needed = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!needed, "there is no {}", path.display());
        eprintln!("SKIPPED: there is no {}", path.display());
        return None;
    };
    Some(serde_json::from_slice(&bytes).expect("it is JSON"))
}

/// The properties of an object, without those that every piece has.
fn kind_of(object: &Json) -> Kind {
    let own = object.as_object().expect("an object").iter();
    let own = own.filter(|(key, _)| !matches!(key.as_str(), "pos" | "bucket"));
    let text = |value: &Json| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let mut properties: Vec<(String, String)> =
        own.map(|(key, value)| (key.clone(), text(value))).collect();
    properties.sort();
    Kind {
        name: format!("{properties:?}"),
        pictured: true,
        properties,
    }
}

fn pieces(environments: &Json) -> Pieces {
    let mut kinds: Vec<Kind> = Vec::new();
    let sets = environments
        .as_object()
        .expect("environments")
        .values()
        .flat_map(|e| e.as_object().expect("names").values());
    for value in sets.flat_map(|set| set.as_array().expect("a set")) {
        if value.is_object() && !kinds.contains(&kind_of(value)) {
            kinds.push(kind_of(value));
        }
    }
    Pieces {
        boards: BoardSource::Kinds {
            pieces: (1, 1),
            kinds: vec![0],
        },
        kinds,
        crowded: false,
        features: Vec::new(),
        condition: None,
        testing: false,
        parameters: Vec::new(),
        empty_cells: IndexSet::new(),
        listed: Vec::new(),
    }
}

fn set_of(lower: &mut Lower<'_>, values: &Json) -> Set {
    let values = values.as_array().expect("a set").clone();
    let values = values.iter().map(|value| match value {
        Json::Number(n) => number(n.as_i64().expect("an integer") as i32),
        Json::String(text) => Value::Text(Num::Known(lower.text_number(text))),
        object => {
            let kind = kind_of(object);
            let kind = lower
                .kinds()
                .iter()
                .position(|other| *other == kind)
                .expect("it was declared");
            let small = |key: &str| object[key].as_u64().expect("a number") as u32;
            Value::Piece(Piece {
                unit: Unit::Known {
                    kind,
                    place: small("pos") - 1,
                },
                bucket: Bucket::Known(small("bucket")),
            })
        }
    });
    let item = |value| Alternative {
        when: Truth::Yes,
        value,
    };
    values.map(item).collect()
}

/// The set as text; an alternative that depends on a position would be a defect.
fn shown(lower: &Lower<'_>, set: &Set) -> SortedSet<String> {
    let items = set.iter().filter(|item| item.when != Truth::No);
    let items = items.map(|item| {
        assert_eq!(item.when, Truth::Yes);
        match &item.value {
            Value::Int(Num::Known(n)) => json!(n).to_string(),
            Value::Text(Num::Known(n)) => json!(lower.texts[*n as usize]).to_string(),
            Value::Piece(Piece {
                unit: Unit::Known { kind, place },
                bucket: Bucket::Known(bucket),
            }) => {
                let mut all: Vec<(String, String)> = lower.kinds()[*kind].properties.clone();
                all.push(("pos".to_owned(), (place + 1).to_string()));
                all.push(("bucket".to_owned(), bucket.to_string()));
                all.sort();
                let all: Vec<String> = all
                    .iter()
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                json!({ "object": format!("{{{}}}", all.join(", ")) }).to_string()
            }
            other => panic!("{other:?} is not known"),
        }
    });
    items.collect()
}

#[test]
fn expressions_have_the_recorded_values() {
    let Some(record) = expressions() else { return };
    let pieces = pieces(&record["environments"]);
    let set = RuleSet::default();
    let settings = Settings::default();
    let cases = record["cases"].as_array().expect("cases");
    let (mut equal, mut wrong) = (0, Vec::new());
    for case in cases {
        let text = case["expr"].as_str().expect("a text");
        let mut sources = SourceMap::new();
        let id = sources.add("expression", text).expect("it is small");
        let source = sources.get(id).expect("it was added");
        let mut out = Diagnostics::new();
        let expr = parse_expr(source, &settings, &mut out);
        let extension = out
            .iter()
            .any(|found| found.code.code == codes::EMPTY_LIST.code);
        let Some(expr) = expr else {
            match case["error"].as_str() {
                Some("parse") => equal += 1,
                _ => wrong.push(format!("{text}: does not parse")),
            }
            continue;
        };
        let mut lower = Lower::new(&set, &pieces, "test", false, &sources, expr.span);
        let environment = record["environments"][case["env"].as_str().expect("a name")]
            .as_object()
            .expect("names");
        let given = environment
            .iter()
            .map(|(name, values)| (name.clone(), set_of(&mut lower, values)));
        let given: IndexMap<String, Set> = given.collect();
        lower.given = Some(given);
        let subject = Subject {
            kind: KindOf::Known(0),
            place: PlaceOf::Any,
            bucket: 0,
            memory: true,
        };
        let value = lower.eval(&expr, &subject).expect("few values");
        match (&case["value"], case["error"].as_str()) {
            (Json::Array(expected), None) => {
                let expected: SortedSet<String> = expected.iter().map(Json::to_string).collect();
                let found = shown(&lower, &value);
                match found == expected {
                    true => equal += 1,
                    false => wrong.push(format!(
                        "{text} in {}: {found:?}, expected {expected:?}",
                        case["env"]
                    )),
                }
            }
            // The original breaks off; the seed says that there is no value.
            (_, Some("type")) => equal += 1,
            _ if extension => equal += 1,
            _ => wrong.push(format!("{text}: parses")),
        }
    }
    println!("{equal} of {} expressions", cases.len());
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
