//! Mutants of rule files: bytes, words, lines, numbers and values of JSON, and splices of two files of a language.

use std::path::{Path, PathBuf};

use rulec_compiler::lang;
use rulec_compiler::source::SourceMap;
use serde_json::Value;

/// Larger files are left out: mutants of them take long and show nothing else.
const LARGEST: usize = 40_000;

/// Rule files to start from, by language.
pub(crate) struct Seeds(Vec<(&'static str, Vec<Seed>)>);

struct Seed {
    path: PathBuf,
    name: String,
    text: Vec<u8>,
}

/// A rule file that was changed, and the files that the original names.
#[derive(Clone)]
pub(crate) struct Mutant {
    pub(crate) language: &'static str,
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl Mutant {
    pub(crate) fn file_name(&self) -> &str {
        self.files.first().map_or("", |(name, _)| name)
    }

    pub(crate) fn text(&self) -> &[u8] {
        self.files.first().map_or(&[], |(_, text)| text)
    }

    pub(crate) fn lines(&self) -> usize {
        lines(self.text()).len()
    }

    pub(crate) fn without_lines(&self, at: usize, count: usize) -> Mutant {
        let mut fewer = self.clone();
        if let Some((_, text)) = fewer.files.first_mut() {
            let mut kept = lines(text);
            kept.drain(at.min(kept.len())..(at + count).min(kept.len()));
            *text = kept.concat();
        }
        fewer
    }
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    let parts = text.split_inclusive(|byte| *byte == b'\n');
    parts.map(<[u8]>::to_vec).collect()
}

/// Numbers drawn from a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 33) as usize % n.max(1)
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

impl Seeds {
    /// The rule files below some folders, of all languages or of one.
    pub(crate) fn read(folders: &[PathBuf], only: Option<&str>) -> Seeds {
        let mut found: Vec<PathBuf> = Vec::new();
        folders.iter().for_each(|folder| list(folder, &mut found));
        found.sort();
        let languages = lang::LANGUAGES
            .iter()
            .filter(|l| only.is_none_or(|name| name == l.name));
        let seeds = languages.map(|language| {
            let of_language = found.iter().filter_map(|path| {
                let name = path.file_name()?.to_string_lossy().into_owned();
                let known = lang::of_file(&name)?.name == language.name;
                let text = known.then(|| std::fs::read(path).ok())??;
                let path = path.clone();
                (text.len() <= LARGEST).then_some(Seed { path, name, text })
            });
            (language.name, of_language.collect::<Vec<_>>())
        });
        Seeds(seeds.filter(|(_, seeds)| !seeds.is_empty()).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|(_, seeds)| seeds.len()).sum()
    }

    /// The mutant of this number; languages take turns.
    pub(crate) fn mutant(&self, seed: u64, number: u64) -> Mutant {
        let mut draw = Draw(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number);
        draw.below(1);
        let (language, seeds) = &self.0[number as usize % self.0.len()];
        let own = &seeds[draw.below(seeds.len())];
        let mut text = own.text.clone();
        for _ in 0..=draw.below(3) {
            let other = &seeds[draw.below(seeds.len())].text;
            text = mutated(text, other, *language == "bgc", &mut draw);
        }
        text.truncate(2 * LARGEST);
        let mut files = vec![(own.name.clone(), text)];
        files.extend(companions(own, language));
        Mutant { language, files }
    }
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // What the original systems said of games is no rules.
        let told = path.ends_with("oracle");
        match path.is_dir() {
            true if !told => list(&path, found),
            true => {}
            false => found.push(path),
        }
    }
}

/// The files that the original speaks of, by names in the folders above it.
fn companions(own: &Seed, language: &str) -> Vec<(String, Vec<u8>)> {
    let mut sources = SourceMap::new();
    let options = rulec_compiler::Options {
        language: Some(language.to_owned()),
        passes: rulec_compiler::Passes::none(),
        image_folder: None,
        settings: Vec::new(),
        without: rulec_compiler::Without::Nothing,
        limit: None,
        ahead: false,
    };
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    if sources.add(own.name.as_str(), &own.text).is_err() {
        return files;
    }
    for name in rulec_compiler::companions(&sources, &options).unwrap_or_default() {
        let places = own
            .path
            .ancestors()
            .skip(1)
            .map(|folder| folder.join(&name));
        if let Some(text) = places.take(4).find_map(|path| std::fs::read(path).ok()) {
            files.push((name, text));
        }
    }
    files
}

/// Parts of a text: words, numbers, and everything else by itself.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let wordy = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128;
    text.chunk_by(|a, b| wordy(*a) && wordy(*b)).collect()
}

/// What may stand where a token stood.
const ODD: &[&str] = &[
    "",
    "0",
    "-1",
    "1",
    "2",
    "99999999999999999999",
    "-9223372036854775808",
    "2147483647",
    "é",
    "\0",
    "\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ";",
    "=",
    "==",
    "!=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "$",
    "#",
    "\n",
    "\r",
    "\t",
    " ",
    ".",
    "..",
    "not",
    "NOT",
    "and",
    "or",
    "if",
    "then",
    "else",
    "end",
    "goto",
    "true",
    "false",
    "null",
];

fn mutated(text: Vec<u8>, other: &[u8], json: bool, draw: &mut Draw) -> Vec<u8> {
    match draw.below(if json { 12 } else { 8 }) {
        0 => bytes(text, draw),
        1..=4 => replaced(&text, other, draw),
        5 | 6 => rearranged(&text, other, draw),
        7 => spliced(&text, other, draw),
        _ => in_json(&text, other, draw).unwrap_or(text),
    }
}

fn bytes(mut text: Vec<u8>, draw: &mut Draw) -> Vec<u8> {
    let at = draw.below(text.len());
    match draw.below(3) {
        0 if at < text.len() => text[at] ^= 1 << draw.below(8),
        1 if at < text.len() => drop(text.remove(at)),
        _ => text.insert(at, draw.below(256) as u8),
    }
    text
}

/// With another token in place of one: of either file, or an odd one.
fn replaced(text: &[u8], other: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut parts = tokens(text);
    let theirs = tokens(other);
    let at = draw.below(parts.len());
    let own = parts.get(draw.below(parts.len())).copied();
    let new = match draw.below(3) {
        0 => draw.of(ODD).map(|odd| odd.as_bytes()),
        1 => own,
        _ => draw.of(&theirs).copied(),
    };
    if let (Some(place), Some(new)) = (parts.get_mut(at), new) {
        *place = new;
    }
    parts.concat()
}

/// Lines left out, said twice, exchanged, or taken from another file.
fn rearranged(text: &[u8], other: &[u8], draw: &mut Draw) -> Vec<u8> {
    let (mut own, theirs) = (lines(text), lines(other));
    let (at, to) = (draw.below(own.len()), draw.below(own.len()));
    match draw.below(4) {
        0 if at < own.len() => drop(own.remove(at)),
        1 if at < own.len() => own.insert(to, own[at].clone()),
        2 if at < own.len() => own.swap(at, to),
        _ => {
            if let Some(line) = draw.of(&theirs) {
                own.insert(at, line.clone());
            }
        }
    }
    own.concat()
}

fn spliced(text: &[u8], other: &[u8], draw: &mut Draw) -> Vec<u8> {
    let (own, theirs) = (lines(text), lines(other));
    let (end, begin) = (draw.below(own.len() + 1), draw.below(theirs.len() + 1));
    [own[..end].concat(), theirs[begin..].concat()].concat()
}

/// The values of a document, each by the way to it.
fn places(value: &Value, way: String, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, inner)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            places(inner, format!("{way}/{key}"), found);
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(at, inner)| places(inner, format!("{way}/{at}"), found)),
        _ => {}
    }
    found.push(way);
}

/// With another value somewhere, or without one.
fn in_json(text: &[u8], other: &[u8], draw: &mut Draw) -> Option<Vec<u8>> {
    let mut document: Value = serde_json::from_slice(text).ok()?;
    let donor: Value = match draw.below(2) {
        0 => serde_json::from_slice(other).ok()?,
        _ => document.clone(),
    };
    let (mut own, mut theirs) = (Vec::new(), Vec::new());
    places(&document, String::new(), &mut own);
    places(&donor, String::new(), &mut theirs);
    let (to, from) = (draw.of(&own)?.clone(), draw.of(&theirs)?.clone());
    let odd = [
        Value::Null,
        Value::from(-1),
        Value::from(1e300),
        Value::from(""),
        Value::Array(Vec::new()),
    ];
    let new = match draw.below(4) {
        0 => draw.of(&odd)?.clone(),
        _ => donor.pointer(&from)?.clone(),
    };
    match draw.below(4) {
        0 => {
            let (parent, key) = to.rsplit_once('/')?;
            match document.pointer_mut(parent)? {
                Value::Object(entries) => drop(entries.shift_remove(key)),
                Value::Array(items) => drop(items.remove(key.parse().ok()?)),
                _ => {}
            }
        }
        _ => *document.pointer_mut(&to)? = new,
    }
    serde_json::to_vec_pretty(&document).ok()
}
