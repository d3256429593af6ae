//! Recorded values of expressions, seen from outside: in a rule set an atom with a counter asks for each value that an expression
//! has, for some that it has not, and whether it has any. Moves lead to the position of the recording, and the
//! counters after one more move tell which atoms accepted it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rulec_cli::Rules;
use serde_json::{Value, json};

use crate::native::{interpreted, is_long, write_board};
use crate::{corpus, list, read, scratch, text};

/// Expressions of one rule set.
const BATCH: usize = 20;
/// One rule set in so many is tried by default, all of them if `RULEC_LONG` is `1`; what expressions are worth is tested
/// beside the front end too.
const SAMPLE: usize = 60;
/// Moves that an atom may accept; more than are made.
const COUNT: i64 = 99;

/// A rule set of expressions.
pub(crate) struct Batch {
    pub(crate) module: String,
    pub(crate) rules: Rules,
    pub(crate) commands: Vec<String>,
    /// What each atom asks, and whether it must accept.
    asked: Vec<(String, bool)>,
}

/// The position of an environment: pieces, and the moves that lead there; the last of them is the one that is asked about.
struct Position {
    pieces: Vec<Value>,
    moves: &'static [(usize, usize)],
    /// Property table of the pieces, if they are pictures.
    table: Option<&'static str>,
    /// Objects by the name of the variable that is one.
    objects: &'static [&'static str],
}

fn plain(id: usize, color: &str, shape: &str, pos: u32) -> Value {
    json!({ "id": id, "color": color, "shape": shape, "pos": pos })
}

fn card(id: usize, name: &str, pos: u32) -> Value {
    json!({ "id": id, "image": format!("cards/{name}.svg"), "pos": pos })
}

fn position(environment: &str) -> Position {
    match environment {
        "mid" => Position {
            pieces: vec![
                plain(0, "RED", "TRIANGLE", 36),
                plain(1, "RED", "STAR", 5),
                plain(2, "BLUE", "SQUARE", 30),
                plain(3, "YELLOW", "CIRCLE", 15),
                plain(4, "BLUE", "STAR", 27),
                plain(5, "BLACK", "CIRCLE", 1),
            ],
            moves: &[(0, 3), (1, 0), (2, 2), (3, 1), (4, 3)],
            table: None,
            objects: &["this", "last", "q.color", "q.shape", "q.bucket"],
        },
        "cards" => Position {
            pieces: vec![
                card(0, "s-7", 9),
                card(1, "h-6", 1),
                card(2, "h-7", 22),
                card(3, "h-6", 36),
            ],
            moves: &[(0, 0), (1, 2), (2, 0)],
            table: Some(
                "image,name,suit,value\nh-6,h-6,hearts,6\nh-7,h-7,hearts,7\ns-7,s-7,spades,7\n",
            ),
            objects: &["this", "last", "q.suit", "q.value", "q.bucket"],
        },
        // Values of `sets` are written out.
        _ => Position {
            pieces: vec![plain(0, "RED", "SQUARE", 8), plain(1, "BLACK", "CIRCLE", 1)],
            moves: &[(0, 2)],
            table: None,
            objects: &["this"],
        },
    }
}

/// A value as an expression writes it.
fn literal(value: &Value, objects: &BTreeMap<String, &str>) -> Option<String> {
    match value {
        Value::Number(n) if n.as_i64() == Some(i64::from(i32::MIN)) => {
            Some("-2147483647-1".to_owned())
        }
        Value::Number(n) => Some(n.to_string()),
        Value::String(text) => Some(format!("\"{text}\"")),
        object => objects
            .get(text(&object["object"]))
            .map(|name| (*name).to_owned()),
    }
}

/// An object as recordings write it.
fn shown(object: &Value) -> String {
    let own: BTreeMap<&String, String> = object
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| {
            (
                key,
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned),
            )
        })
        .collect();
    let own: Vec<String> = own
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    format!("{{{}}}", own.join(", "))
}

/// The expression with the values of the environment in place of its variables, where no position has them.
fn written_out(expr: &str, environment: &Value) -> String {
    let values = |name: &str| {
        let set = environment[name].as_array()?;
        let items = set.iter().map(|value| literal(value, &BTreeMap::new()));
        let items: Vec<String> = items.flatten().collect();
        match items.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            many => Some(format!("[{}]", many.join(","))),
        }
    };
    let (mut out, mut rest) = (String::new(), expr);
    while let Some(first) = rest.chars().next() {
        let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let len = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            c if c.is_alphabetic() => rest.find(|c| !name(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, more) = rest.split_at(len);
        match first.is_alphabetic() {
            true => out.push_str(&values(token).unwrap_or_else(|| "undefined".to_owned())),
            false => out.push_str(token),
        }
        rest = more;
    }
    out
}

/// What stands before a comment.
fn without_comment(expr: &str) -> &str {
    let mut quoted = false;
    let end = expr.find(|c| {
        quoted ^= c == '"';
        c == '#' && !quoted
    });
    &expr[..end.unwrap_or(expr.len())]
}

/// Values that an expression may be asked for in vain.
fn decoys() -> Vec<Value> {
    let numbers = [0, 1, 2, 3, 4, -1].map(|n| json!(n));
    let texts = ["RED", "red", "hearts"].map(|text| json!(text));
    numbers.into_iter().chain(texts).collect()
}

/// The atoms of an expression: what is asked, and whether it must be so.
fn questions(
    expr: &str,
    expected: &[Value],
    objects: &BTreeMap<String, &str>,
) -> Vec<(String, bool)> {
    let mut asked = vec![(format!("({expr})"), !expected.is_empty())];
    for value in expected {
        asked.extend(literal(value, objects).map(|value| (format!("({expr})=={value}"), true)));
    }
    let vain = decoys()
        .into_iter()
        .filter(|value| !expected.contains(value));
    for value in vain.take(3) {
        asked.extend(literal(&value, objects).map(|value| (format!("({expr})=={value}"), false)));
    }
    asked
}

/// The expressions that have a value, in rule sets, one rule set of so many.
pub(crate) fn batches(corpus: &Path, step: usize) -> Vec<Batch> {
    let record = read(&corpus.join("oracle/expressions.json"));
    let (mut batches, mut number) = (Vec::new(), 0);
    let environments = record["environments"].as_object().expect("environments");
    for (name, environment) in environments {
        let position = position(name);
        let named = position.objects.iter().filter_map(|path| {
            let object = environment[*path].as_array()?.first()?;
            Some((shown(object), *path))
        });
        // The last name of equal objects stands.
        let objects: BTreeMap<String, &str> = named.collect();
        let cases = list(&record["cases"]).iter().filter(|case| {
            let absent = name == "cards" && text(&case["expr"]).contains("p.bucket");
            case["env"] == **name && case["value"].is_array() && !absent
        });
        let asked = cases.map(|case| {
            let expr = match name.as_str() {
                "sets" => written_out(text(&case["expr"]), environment),
                _ => text(&case["expr"]).to_owned(),
            };
            questions(without_comment(&expr), list(&case["value"]), &objects)
        });
        let asked: Vec<Vec<(String, bool)>> = asked.collect();
        for (index, part) in asked.chunks(BATCH).enumerate() {
            number += 1;
            if number % step != 1 % step {
                continue;
            }
            batches.push(batch(
                &format!("expr_{name}_{index}"),
                &position,
                part.concat(),
            ));
        }
    }
    batches
}

fn batch(module: &str, position: &Position, asked: Vec<(String, bool)>) -> Batch {
    let folder = scratch("expressions").join(module);
    std::fs::create_dir_all(folder.join("shapes/cards")).expect("a folder can be made");
    let atoms = asked
        .iter()
        .map(|(code, _)| format!("(count:{COUNT}, code:{code}) "));
    let rules = folder.join("rules.txt");
    std::fs::write(&rules, atoms.collect::<String>() + "()\n").expect("it can be written");
    let mut tables: Vec<PathBuf> = Vec::new();
    if let Some(table) = position.table {
        let file = folder.join("shapes/cards/properties.csv");
        std::fs::write(&file, table).expect("it can be written");
        tables.push(file);
    }
    let board = folder.join("board.json");
    write_board(&board, &position.pieces);
    let settings = [("mode".to_owned(), "server".to_owned())];
    let rules = Rules::open_with(&rules, &tables, &settings, "all").expect("the files can be read");
    assert!(rules.output.is_some(), "{module} is refused");
    let moves = position
        .moves
        .iter()
        .map(|(id, bucket)| format!("m {id} {bucket}"));
    let mut commands = vec![format!("board {}", board.display())];
    commands.extend(moves);
    Batch {
        module: module.to_owned(),
        rules,
        commands,
        asked,
    }
}

impl Batch {
    /// How many values are asked for.
    pub(crate) fn len(&self) -> usize {
        self.asked.len()
    }

    /// What differs from the recording.
    pub(crate) fn compare(&self, told: &[String]) -> Vec<String> {
        let counters = |line: &String| -> Vec<i64> {
            let (_, atoms) = line.split_once("/ ").unwrap_or_default();
            let atoms = atoms.split(' ').next().unwrap_or_default();
            atoms.split(',').map(|n| n.parse().unwrap_or(-1)).collect()
        };
        let [.., before, after] = told else {
            return vec![format!("{}: {} answers", self.module, told.len())];
        };
        let (before, after) = (counters(before), counters(after));
        if before.len() != self.asked.len() + 1 || after.len() != before.len() {
            return vec![format!("{}: counters {after:?}", self.module)];
        }
        let pairs = before.iter().zip(&after).zip(&self.asked);
        let wrong =
            pairs.filter(|((before, after), (_, wanted))| *before - *after != i64::from(*wanted));
        wrong
            .map(|(_, (code, wanted))| format!("{}: {code} should be {wanted}", self.module))
            .collect()
    }
}

#[test]
fn expressions_have_the_recorded_values_in_rule_sets() {
    let Some(corpus) = corpus() else { return };
    let (mut asked, mut wrong) = (0, Vec::new());
    let step = if is_long() { 1 } else { SAMPLE };
    for batch in batches(&corpus, step) {
        wrong.extend(batch.compare(&interpreted(&batch.rules, &batch.commands)));
        asked += batch.len();
    }
    println!("{asked} questions about expressions");
    assert!(
        wrong.is_empty() && asked > 0,
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
