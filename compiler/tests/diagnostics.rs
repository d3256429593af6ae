//! What all languages owe to those who make mistakes.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::{Diagnostics, Style, json, render_all};
use rulec_compiler::lang::{LANGUAGES, Language, Options};
use rulec_compiler::source::SourceMap;

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

/// The files of a language with mistakes in them, and whole games.
fn files(language: &Language) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        root.join("lang").join(language.name).join("fail"),
        root.join("../games").join(language.name),
    ];
    let mut files = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(&folder)
            .expect("there is a folder")
            .flatten()
        {
            let path = entry.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            let small = entry.metadata().is_ok_and(|data| data.len() < 6_000);
            if small && ending.is_some_and(|ending| language.extensions.contains(&ending)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A text with some characters put in, left out or in place of others.
fn damaged(text: &str, lot: &mut Lot) -> String {
    const STRANGE: [&str; 12] = [
        "é", "€", "😀", "\u{0}", "\u{301}", "\u{200d}", "\"", "(", "\\u", "漢", "\r", "\\ud83d",
    ];
    let mut chars: Vec<String> = text.chars().chain(['\n']).map(String::from).collect();
    for _ in 0..=lot.below(3) {
        let at = lot.below(chars.len());
        let strange = STRANGE[lot.below(STRANGE.len())].to_owned();
        match lot.below(3) {
            0 => chars[at] = strange,
            1 => chars.insert(at, strange),
            _ => chars[at].push_str(&strange),
        }
    }
    chars.concat()
}

#[test]
fn every_place_that_is_told_is_made_of_whole_characters() {
    const EACH: usize = 6;
    let mut lot = Lot(0x2545_f491_4f6c_dd1d);
    let mut told = 0;
    for language in LANGUAGES {
        for path in files(language) {
            let name = path.file_name().expect("a file").to_string_lossy();
            let bytes = std::fs::read(&path).expect("it can be read");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            for _ in 0..EACH {
                let text = damaged(&text, &mut lot);
                let mut sources = SourceMap::new();
                let id = sources.add(name.as_ref(), &text).expect("small");
                let mut found = Diagnostics::new();
                (language.compile)(&sources, id, &Options::default(), &mut found);
                for diagnostic in &found {
                    let help = diagnostic
                        .help
                        .iter()
                        .filter_map(|h| h.replacement.as_ref());
                    let places = diagnostic.labels.iter().map(|label| label.span);
                    for span in places.chain(help.map(|(span, _)| *span)) {
                        let file = sources.get(span.file).expect("a file of the map");
                        let whole = file.whole_characters(span);
                        assert_eq!(span, whole, "{name}: {}\n{text}", diagnostic.message);
                        told += 1;
                    }
                }
                render_all(&sources, &found, Style::Plain);
                json(&sources, &found);
            }
        }
    }
    assert!(told > 2_000, "only {told} places");
}
