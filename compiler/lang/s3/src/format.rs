//! The usual form of a file: blanks, line ends, spelling of sections and keys. No value changes.

use super::lines::{SECTIONS, Section};
use super::parse;
use super::scan::{Kind, Scan, Token};
use super::text::Text;
use crate::diag::Diagnostics;
use crate::source::SourceFile;
use crate::symbols::lines::Lines;

/// The file in its usual form, if it can be read.
pub(super) fn format(source: &SourceFile) -> Option<String> {
    let mut findings = Diagnostics::new();
    parse::parse(source, &mut findings);
    if findings.has_errors() {
        return None;
    }
    let mut lines = Lines::like(source).step(2);
    let mut section = Section::Board;
    let mut inside = false;
    for line in 1..=source.line_count() {
        let span = source.line_span(line);
        let line = Text::new(source.slice(span), span.file, span.start).trim();
        let depth = usize::from(inside);
        if line.text.is_empty() || line.text.starts_with("//") || line.text.len() == 1 {
            lines.put(depth, line.text);
        } else if let Some(header) = line.text.strip_prefix('[') {
            let title = header.trim_end_matches(']').trim().to_uppercase();
            let info = SECTIONS.iter().find(|info| info.title == title)?;
            section = info.section;
            inside = false;
            lines.put(0, &format!("[{}]", info.title));
        } else if section != Section::Expressions {
            lines.put(0, &pair(section, line)?);
        } else if line.text.eq_ignore_ascii_case("END") {
            inside = false;
            lines.put(0, "END");
        } else if inside {
            lines.put(1, &expression(line));
        } else {
            inside = true;
            lines.put(0, &expression(line).replace(", $", ",$"));
        }
    }
    Some(lines.finish())
}

/// `key=value` in the usual spelling of the key.
fn pair(section: Section, line: Text<'_>) -> Option<String> {
    let equals = line.text.find('=')?;
    let key = line.sub(0, equals).trim().text;
    let value = line.sub(equals + 1, line.text.len()).trim();
    let known = section.info().keys;
    let known = known
        .iter()
        .find(|known| known.name.eq_ignore_ascii_case(key));
    let key = known.map_or(key, |known| known.name);
    let computed = match section {
        Section::Scorings | Section::Endings => true,
        Section::Rules => !matches!(key, "name" | "element" | "from" | "to"),
        _ => false,
    };
    // Keys that nothing reads keep what they say.
    let value = match computed && known.is_some() {
        true => expression(value),
        false => value.text.to_owned(),
    };
    Some(format!("{key}={value}"))
}

/// An expression with blanks around what stands between values, and nowhere else.
fn expression(text: Text<'_>) -> String {
    let scan = Scan::new(text);
    let tokens = scan.tokens();
    let mut line = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| tokens[at]);
        let sign = before.is_some_and(|minus| {
            let left = (at >= 2).then(|| tokens[at - 2]);
            &text.text[minus.start..minus.end] == "-" && left.is_none_or(is_open_ended)
        });
        let word = &text.text[token.start..token.end];
        let absolute = word == "("
            && before.is_some_and(|before| &text.text[before.start..before.end] == "ABS");
        if before.is_some_and(|before| !sign && !absolute && apart(before, *token, word)) {
            line.push(' ');
        }
        match (token.kind, word.starts_with('$')) {
            (Kind::Value, true) => line.extend(word.chars().filter(|c| !matches!(c, ' ' | '\t'))),
            _ => line.push_str(word),
        }
    }
    line
}

/// Whether a value must follow a token.
fn is_open_ended(token: Token) -> bool {
    matches!(
        token.kind,
        Kind::Open | Kind::Comma | Kind::Operator | Kind::Keyword
    )
}

fn apart(before: Token, token: Token, word: &str) -> bool {
    match (before.kind, token.kind) {
        (Kind::Open, _) | (_, Kind::Close | Kind::Comma) => false,
        (Kind::Word, Kind::Open) => word != "(",
        _ => true,
    }
}
