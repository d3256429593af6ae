//! What editors are told about rule files, for all languages alike: over our games, the corpus, files with mistakes, and
//! all of these changed at random.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::Diagnostics;
use rulec_compiler::ir::print::print;
use rulec_compiler::lang::{Language, Options, of_file};
use rulec_compiler::source::{SourceFile, SourceMap};
use rulec_compiler::symbols::{Class, Index, Kind};

/// Numbers that look random, the same at each run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            // Boards, shapes and records are no rules.
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let other = [
                "oracle",
                "boards",
                "shapes",
                "modifiers",
                "cond",
                "server-sample",
            ];
            if !other.contains(&name.as_str()) {
                collect(&path, files);
            }
        } else if path
            .extension()
            .is_some_and(|e| e != "md" && of_file(&format!("a.{}", e.to_string_lossy())).is_some())
        {
            files.push(path);
        }
    }
}

/// Our games, the corpus if it is there, and files with mistakes if they are asked for.
fn files(broken: bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join("games"), &mut files);
    let own = std::env::var_os("RULEC_CORPUS").map(PathBuf::from);
    let corpus = own.unwrap_or_else(|| root().join("../shared/corpus"));
    match corpus.is_dir() {
        true => collect(&corpus, &mut files),
        false => {
            assert_ne!(
                std::env::var("CI").as_deref(),
                Ok("true"),
                "the corpus is missing"
            );
            eprintln!("without the corpus: {}", corpus.display());
        }
    }
    if broken {
        for language in ["s3", "bgm", "bbgel", "bgc", "gs5"] {
            collect(
                &root().join("compiler/lang").join(language).join("fail"),
                &mut files,
            );
        }
    }
    files.retain(|file| !file.ends_with("expected.json"));
    files.sort();
    assert!(files.len() > 40);
    files
}

fn sources(path: &Path, text: &[u8]) -> SourceMap {
    let mut sources = SourceMap::new();
    let name = path
        .file_name()
        .expect("files have names")
        .to_string_lossy();
    sources.add(name, text).expect("the file is small");
    sources
}

fn language(path: &Path) -> &'static Language {
    of_file(&path.to_string_lossy()).expect("the ending is known")
}

/// Whether an index holds together: spans lie in the file, on whole characters, and in order.
fn assert_sound(index: &Index, source: &SourceFile, what: &str) {
    let text = source.text();
    let inside = |span: rulec_compiler::source::Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(
            start <= end && text.get(start..end).is_some(),
            "{what}: {span:?}"
        );
    };
    let mut end = 0;
    for occurrence in &index.occurrences {
        inside(occurrence.span);
        occurrence.whole.into_iter().for_each(inside);
        assert!(occurrence.span.start >= end, "{what}: names overlap");
        end = occurrence.span.end;
        let symbol = &index.symbols[occurrence.symbol];
        let written = source.slice(occurrence.span);
        assert!(
            symbol.fixed.is_some() || symbol.name == written || written.trim() == symbol.name,
            "{what}: `{written}` is called `{}`",
            symbol.name
        );
    }
    index.tokens.iter().for_each(|token| inside(token.span));
    for part in &index.outline {
        inside(part.span);
        inside(part.name_span);
        for inner in &part.parts {
            inside(inner.span);
            inside(inner.name_span);
        }
    }
    for call in &index.calls {
        inside(call.span);
    }
    for hint in &index.hints {
        assert!(text.is_char_boundary(hint.at as usize), "{what}: {hint:?}");
    }
}

#[test]
fn every_file_has_names_and_contents() {
    for path in files(false) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        let sources = sources(&path, &bytes);
        let source = &sources.files()[0];
        let index = (language(&path).editing.index)(source);
        assert_sound(&index, source, &path.display().to_string());
        let trial_list = path.extension().is_some_and(|e| e == "csv");
        // Each name of a file without mistakes that is used is declared, or belongs to what the language has.
        let mut found = Diagnostics::new();
        let whole =
            (language(&path).compile)(&sources, source.id(), &Options::default(), &mut found);
        if whole.is_some() && !trial_list {
            assert!(!index.outline.is_empty(), "{}", path.display());
            for (number, symbol) in index.symbols.iter().enumerate() {
                let declared = index.of(number).any(|o| o.definition);
                // A camera may know more types than the game has.
                let seen = language(&path).name == "s3" && symbol.kind == Kind::Type;
                let free = seen || ["bgm", "gs5"].contains(&language(&path).name);
                assert!(declared || free, "{}: {symbol:?}", path.display());
            }
        }
    }
}

fn comments(path: &Path, text: &str) -> Vec<String> {
    let sources = sources(path, text.as_bytes());
    let source = &sources.files()[0];
    let index = (language(path).editing.index)(source);
    let comments = index
        .tokens
        .iter()
        .filter(|token| token.class == Class::Comment);
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all: Vec<String> = comments
        .map(|token| plain(source.slice(token.span)))
        .collect();
    all.sort();
    all
}

/// What a file means, whatever its bytes are and on which lines they stand.
fn meaning(path: &Path, text: &str) -> Option<String> {
    let sources = sources(path, text.as_bytes());
    let mut found = Diagnostics::new();
    let front = (language(path).compile)(
        &sources,
        sources.files()[0].id(),
        &Options::default(),
        &mut found,
    );
    let text = front.map(|front| print(&front.game));
    let lines = |text: String| -> String {
        let kept = text.lines().filter(|line| !line.starts_with("source "));
        // Behind `@` stands the line that something comes from.
        let place = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
        // Faults quote the rules as they are written.
        let squeezed = |line: &str| match line.trim_start().starts_with("fault ") {
            true => line.replace(' ', ""),
            false => line.to_owned(),
        };
        let plain = |line: &str| match line.rsplit_once('@') {
            Some((line, rest)) if place(rest) => line.trim_end().to_owned(),
            _ => line.to_owned(),
        };
        kept.flat_map(|line| [squeezed(&plain(line)), "\n".to_owned()])
            .collect()
    };
    text.map(lines)
}

#[test]
fn the_usual_form_means_the_same_and_is_its_own() {
    let mut written = 0;
    for path in files(true) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        let map = sources(&path, &bytes);
        let source = &map.files()[0];
        let format = language(&path).editing.format;
        let Some(usual) = format(source) else {
            let whole = meaning(&path, source.text());
            assert!(
                whole.is_none()
                    || !source.bad_bytes().is_empty()
                    || path.to_string_lossy().contains("duplicate_key"),
                "{} is not written",
                path.display()
            );
            continue;
        };
        written += 1;
        let again = sources(&path, usual.as_bytes());
        assert_eq!(
            format(&again.files()[0]).as_deref(),
            Some(usual.as_str()),
            "{}",
            path.display()
        );
        assert_eq!(
            comments(&path, source.text()),
            comments(&path, &usual),
            "{}",
            path.display()
        );
        let (before, after) = (meaning(&path, source.text()), meaning(&path, &usual));
        let text = |meaning: &Option<String>| meaning.clone().unwrap_or_default();
        let (before, after) = (text(&before), text(&after));
        let pairs = before.lines().zip(after.lines());
        let other: Vec<_> = pairs.filter(|(a, b)| a != b).take(5).collect();
        assert!(before == after, "{}: {other:#?}", path.display());
    }
    assert!(written > 40, "{written}");
}

/// A text with a random change.
fn changed(text: &str, lot: &mut Lot) -> String {
    const PIECES: [&str; 18] = [
        "x", "\n", "(", ")", "\"", " ", "=", ",", "é", "😀", "[", "{", "0", "// ", "\r\n", "END",
        "$", "\u{feff}",
    ];
    let whole = |at: usize| text.floor_char_boundary(at);
    let from = whole(lot.below(text.len() + 1));
    let to = whole((from + lot.below(8)).min(text.len())).max(from);
    let piece = match lot.below(3) {
        0 => "",
        _ => PIECES[lot.below(PIECES.len())],
    };
    format!("{}{piece}{}", &text[..from], &text[to..])
}

#[test]
fn nothing_panics_while_somebody_types() {
    let rounds = if std::env::var("RULEC_LONG").is_ok() {
        2_000
    } else {
        200
    };
    let all = files(true);
    let mut lot = Lot(77);
    let mut text = String::new();
    let mut path = all[0].clone();
    for round in 0..rounds {
        if round % 20 == 0 {
            path = all[lot.below(all.len())].clone();
            let bytes = std::fs::read(&path).expect("the file can be read");
            text = sources(&path, &bytes).files()[0].text().to_owned();
        }
        text = changed(&text, &mut lot);
        let map = sources(&path, text.as_bytes());
        let source = &map.files()[0];
        let what = format!("{} after {round} changes", path.display());
        let editing = &language(&path).editing;
        let index = (editing.index)(source);
        assert_sound(&index, source, &what);
        for _ in 0..8 {
            let at = source
                .text()
                .floor_char_boundary(lot.below(source.text().len() + 1));
            let expected = (editing.expected)(source, at as u32);
            let (start, end) = (
                expected.replace.start as usize,
                expected.replace.end as usize,
            );
            assert!(
                source.text().get(start..end).is_some(),
                "{what}: {expected:?}"
            );
        }
        if let Some(usual) = (editing.format)(source) {
            let again = sources(&path, usual.as_bytes());
            assert_eq!((editing.format)(&again.files()[0]), Some(usual), "{what}");
        }
    }
}

mod json_schema {
    //! The published JSON Schema of bgc: it is what the compiler makes, and whole games follow it.

    use rulec_compiler::lang::bgc::schema::json_schema;
    use serde_json::Value;

    use super::{Diagnostics, Options, files, language, root, sources};

    /// Whether a value follows a schema, as far as ours go.
    fn follows(root: &Value, schema: &Value, value: &Value) -> bool {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.trim_start_matches("#/definitions/");
            return follows(root, &root["definitions"][name], value);
        }
        let all = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(n) if n.as_i64().is_some() => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let is = |wanted: &Value| wanted == kind || (wanted == "number" && kind == "integer");
        let typed = match &schema["type"] {
            Value::Null => true,
            Value::Array(kinds) => kinds.iter().any(is),
            wanted => is(wanted),
        };
        let listed = schema.get("enum").is_none() || all("enum").contains(value);
        let any = schema.get("anyOf").is_none()
            || all("anyOf").iter().any(|one| follows(root, one, value));
        let every = all("allOf").iter().all(|one| follows(root, one, value));
        let least = schema["minimum"]
            .as_f64()
            .is_none_or(|least| value.as_f64().is_none_or(|v| v >= least));
        let items = value.as_array().is_none_or(|items| {
            schema
                .get("items")
                .is_none_or(|schema| items.iter().all(|item| follows(root, schema, item)))
        });
        let members = value.as_object().is_none_or(|members| {
            let required = all("required");
            let required = required
                .iter()
                .filter_map(Value::as_str)
                .all(|key| members.contains_key(key));
            let known = members.iter().all(|(key, value)| {
                let own = schema["properties"].get(key);
                own.or_else(|| schema.get("additionalProperties"))
                    .is_none_or(|schema| follows(root, schema, value))
            });
            required && known
        });
        typed && listed && any && every && least && items && members
    }

    #[test]
    fn it_is_what_the_extension_ships() {
        let path = root().join("editors/vscode/schemas/bgc.schema.json");
        let made = serde_json::to_string_pretty(&json_schema()).expect("JSON") + "\n";
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &made).expect("the file can be written");
        }
        let shipped = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            shipped == made,
            "UPDATE_EXPECT=1 writes {} anew",
            path.display()
        );
    }

    #[test]
    fn whole_games_follow_it() {
        let schema = json_schema();
        let mut count = 0;
        for path in files(false) {
            if path.extension().is_none_or(|e| e != "json") {
                continue;
            }
            let bytes = std::fs::read(&path).expect("the file can be read");
            let map = sources(&path, &bytes);
            let file = map.files()[0].id();
            let game =
                (language(&path).compile)(&map, file, &Options::default(), &mut Diagnostics::new());
            if game.is_none() {
                continue;
            }
            count += 1;
            let value: Value = serde_json::from_slice(&bytes).expect("JSON");
            assert!(follows(&schema, &schema, &value), "{}", path.display());
            // What the reader cannot do without the schema asks for too.
            for key in ["players", "cell", "board", "figures", "game_states"] {
                let mut broken = value.clone();
                broken.as_object_mut().expect("an object").shift_remove(key);
                assert!(
                    !follows(&schema, &schema, &broken),
                    "{} without {key}",
                    path.display()
                );
            }
            let mut broken = value.clone();
            broken["players"] = Value::from(3);
            assert!(!follows(&schema, &schema, &broken));
        }
        assert!(count >= 5, "{count}");
    }
}

/// What a file becomes when all that a machine can do about its errors is done, one at a time.
fn mended(path: &Path, text: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for _ in 0..20 {
        let sources = sources(path, text.as_bytes());
        let file = sources.files()[0].id();
        let mut found = Diagnostics::new();
        (language(path).compile)(&sources, file, &Options::default(), &mut found);
        if !found.has_errors() {
            return Ok(text);
        }
        let fix = found
            .iter()
            .find_map(|d| d.help.as_ref()?.replacement.clone());
        let Some((span, new)) = fix else {
            return Err(format!("{text}\n{found:?}"));
        };
        text.replace_range(span.start as usize..span.end as usize, &new);
    }
    Err(text)
}

#[test]
fn what_is_offered_fills_an_empty_file() {
    for (name, text) in [
        ("empty.s3", ""),
        ("empty.bgm", ""),
        ("empty.json", "{}"),
        ("named.json", r#"{"name": "named", "players": ["red"]}"#),
        ("empty.bbgel", ""),
        ("named.bbgel", "name named"),
        ("empty.txt", ""),
    ] {
        let path = Path::new(name);
        let filled = mended(path, text).unwrap_or_else(|text| panic!("{name}: {text}"));
        assert!(meaning(path, &filled).is_some(), "{name}: {filled}");
    }
}
