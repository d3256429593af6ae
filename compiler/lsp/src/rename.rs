//! Renaming: through the meaning of names, and looked at before it is offered.

use rulec_compiler::diag::Severity;
use rulec_compiler::symbols::{Occurrence, Symbol};

use crate::document::Document;
use crate::protocol::Position;

/// A name that can get another one.
pub(crate) fn subject(
    document: &Document,
    place: Position,
) -> Result<(&Occurrence, &Symbol), String> {
    let index = document.index();
    let at = document.offset(place);
    let Some(occurrence) = index.at(at) else {
        return Err("there is no name here".to_owned());
    };
    let symbol = &index.symbols[occurrence.symbol];
    if let Some(why) = symbol.fixed {
        return Err(format!("`{}` keeps its name: {why}", symbol.name));
    }
    if !index.of(occurrence.symbol).any(|o| o.definition) {
        return Err(format!("nothing in this file declares `{}`", symbol.name));
    }
    let broken = document.findings.as_ref().is_some_and(|findings| {
        findings
            .iter()
            .any(|found| found.severity() == Severity::Error)
    });
    match broken {
        true => Err("the file has errors, so it is not sure where the name stands".to_owned()),
        false => Ok((occurrence, symbol)),
    }
}

/// The text with another name in place of the one at a place, and how many places changed.
pub(crate) fn renamed(document: &Document, symbol: usize, name: &str) -> Result<String, String> {
    let index = document.index();
    let known = &index.symbols[symbol];
    let name = name.strip_prefix(known.sigil).unwrap_or(name);
    if !(document.language.editing.is_name)(known.kind, name) {
        return Err(format!("`{name}` cannot name a {}", known.kind.noun()));
    }
    let source = document.source();
    let mut text = String::with_capacity(source.text().len());
    let mut at = 0;
    for occurrence in index.of(symbol) {
        text.push_str(&source.text()[at..occurrence.span.start as usize]);
        text.push_str(name);
        at = occurrence.span.end as usize;
    }
    text.push_str(&source.text()[at..]);
    let after = document.with_text(text);
    if !index.same_bindings(after.index()) {
        return Err(format!("`{name}` means something else already"));
    }
    Ok(after.text)
}

/// The name without the sign that the editor may have put before it.
pub(crate) fn plain<'a>(document: &Document, symbol: usize, name: &'a str) -> &'a str {
    let sigil = document.index().symbols[symbol].sigil;
    name.strip_prefix(sigil).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use rulec_compiler::diag::Diagnostics;
    use rulec_compiler::lang::Options;
    use rulec_interp::{Interp, State};

    use super::*;
    use crate::document::{Encoding, language};

    /// Most moves that are listed for a count, or a few more.
    const EFFORT: u64 = 3_000;

    fn files() -> Vec<PathBuf> {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let mut files = Vec::new();
        for folder in ["s3", "bgm", "bbgel", "bgc", "gs5", "robot"] {
            for entry in std::fs::read_dir(games.join(folder))
                .expect("a folder")
                .flatten()
            {
                let path = entry.path();
                let ending = path.extension().and_then(|ending| ending.to_str());
                if ending.is_some_and(|e| matches!(e, "s3" | "bgm" | "bbgel" | "json" | "txt")) {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }

    fn open(path: &Path, text: String) -> Document {
        let uri = format!("file://{}", path.display());
        let language = language("", &uri).expect("a rule file");
        Document::new(uri, 1, language, text, Encoding::Utf16)
    }

    fn count(interp: &Interp, state: &State, depth: u32, effort: &mut u64) -> Result<u64, String> {
        let moves = interp
            .distinct_moves(state)
            .map_err(|fault| format!("{fault:?}"))?;
        *effort += moves.len() as u64;
        if depth == 0 {
            return Ok(moves.len() as u64);
        }
        let mut sum = 0;
        for mv in moves {
            if *effort > EFFORT {
                break;
            }
            let mut next = state.clone();
            interp.play(&mut next, mv);
            sum += count(interp, &next, depth - 1, effort)?;
        }
        Ok(sum)
    }

    /// How many moves there are at each depth, as far as the effort reaches.
    fn perft(document: &Document, deepest: u32) -> Option<Vec<Result<u64, String>>> {
        let mut found = Diagnostics::new();
        let source = document.source();
        let front = (document.language.compile)(
            &document.sources,
            source.id(),
            &Options::default(),
            &mut found,
        )?;
        let interp = Interp::new(front.game).expect("the game is sound");
        let counts = (0..deepest).map(|depth| count(&interp, &interp.initial(), depth, &mut 0));
        Some(counts.collect())
    }

    /// With another name a game is the same, whatever the name stands for. A sample; with `RULEC_LONG` every name.
    #[test]
    fn a_renamed_game_plays_the_same() {
        let long = std::env::var("RULEC_LONG").is_ok();
        let (mut renamed_names, mut refused) = (0, Vec::new());
        for (number, path) in files().into_iter().enumerate() {
            let text = std::fs::read_to_string(&path).expect("the file can be read");
            if !long && text.len() > 6_000 {
                continue;
            }
            let document = open(&path, text);
            let deepest = if long { 3 } else { 2 };
            let before = perft(&document, deepest);
            let index = document.index();
            for (at, symbol) in index.symbols.iter().enumerate() {
                if !long && (at + number) % 5 != 0 {
                    continue;
                }
                let subject = index.of(at).next().map(|o| document.place(o.span.start));
                let Ok((occurrence, _)) =
                    subject.map_or(Err(String::new()), |place| super::subject(&document, place))
                else {
                    refused.push(format!("{} {}", path.display(), symbol.name));
                    continue;
                };
                assert_eq!(occurrence.symbol, at);
                let new = match symbol.name.parse::<u32>() {
                    Ok(number) => (number + 50_000).to_string(),
                    Err(_) => format!("{}Anew", symbol.name),
                };
                let what = format!("{}: {} -> {new}", path.display(), symbol.name);
                let text = super::renamed(&document, at, &new)
                    .unwrap_or_else(|why| panic!("{what}: {why}"));
                let after = perft(&open(&path, text), deepest);
                assert_eq!(before, after, "{what}");
                renamed_names += 1;
            }
        }
        assert!(renamed_names > 40, "{renamed_names}; refused: {refused:#?}");
    }
}
