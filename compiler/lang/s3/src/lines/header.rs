//! Records that belong to a section whose header was forgotten.

use super::{SECTIONS, Section, SectionInfo};
use crate::source::SourceFile;
use crate::text::Text;

/// Lines of a record that are looked at, at most.
const MOST_LINES: u32 = 30;
/// Keys that a record must have so that they tell where it belongs, one of a name among them or not.
const ENOUGH_KEYS: usize = 3;
const ENOUGH_WITHOUT_NAME: usize = 2;

/// The section to which the record that begins with this line belongs, where its header stands nowhere in the file and no key
/// behind the first is one of the section that it stands in.
pub(super) fn missing(
    source: &SourceFile,
    section: Section,
    standing: &[Section],
    line: Text<'_>,
) -> Option<&'static SectionInfo> {
    let keys = keys(source, line)?;
    let (first, more) = keys.split_first()?;
    let enough = match first.eq_ignore_ascii_case("name") {
        true => ENOUGH_KEYS,
        false => ENOUGH_WITHOUT_NAME,
    };
    if keys.len() < enough || more.iter().any(|key| has(section.info(), key)) {
        return None;
    }
    let fits = |info: &&SectionInfo| {
        let starts = |name: &str| name.eq_ignore_ascii_case(first);
        info.starter.is_some_and(starts) && more.iter().all(|key| has(info, key))
    };
    let mut fitting = SECTIONS.iter().filter(fits);
    let found = fitting.next()?;
    (fitting.next().is_none() && !standing.contains(&found.section)).then_some(found)
}

/// The section that a line opens which is no record: an expression up to its `END`, or the first of the players.
pub(super) fn missing_without_records(
    source: &SourceFile,
    standing: &[Section],
    line: Text<'_>,
) -> Option<&'static SectionInfo> {
    let number = source.position(line.span().start).line;
    if !begins(source, number) {
        return None;
    }
    let section = match line.text.split_once('=') {
        Some((key, value)) if key.trim() == "1" && !value.trim().is_empty() => Section::Players,
        _ if is_header(line.text) && ends(source, number) => Section::Expressions,
        _ => return None,
    };
    (!standing.contains(&section)).then(|| section.info())
}

/// Whether a line reads as the header of an expression: a name, and parameters in parentheses or none.
pub(super) fn is_header(line: &str) -> bool {
    let word = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    match line.split_once('(') {
        None => word(line),
        Some((name, rest)) => {
            let params = rest.strip_suffix(')').unwrap_or("?").split(',');
            let mut params = params.map(|param| param.trim().strip_prefix('$').unwrap_or(""));
            word(name.trim()) && params.all(word)
        }
    }
}

/// Whether an `END` comes before the next header of a section.
fn ends(source: &SourceFile, line: u32) -> bool {
    let last = source.line_count().min(line + MOST_LINES);
    let lines = (line + 1..=last).map(|number| source.slice(source.line_span(number)).trim());
    let mut lines = lines.take_while(|text| !text.starts_with('['));
    lines.any(|text| text.eq_ignore_ascii_case("END"))
}

/// Whether what stands before a line sets it off: nothing, a header, a comment.
pub(super) fn begins(source: &SourceFile, line: u32) -> bool {
    let before = match line {
        0 | 1 => "",
        _ => source.slice(source.line_span(line - 1)).trim(),
    };
    before.is_empty() || before.starts_with('[') || before.starts_with("//")
}

/// The names of the expressions: of the lines that come first behind an `END` or a header of their section.
pub(super) fn expressions(source: &SourceFile) -> Vec<String> {
    let (mut inside, mut open) = (false, false);
    let mut found = Vec::new();
    for line in source.text().lines().map(str::trim) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let title = rest.trim_end_matches(']').trim();
            inside = title.eq_ignore_ascii_case(Section::Expressions.info().title);
            open = false;
        } else if line.eq_ignore_ascii_case("END") {
            open = false;
        } else if inside && !open {
            open = true;
            found.push(line.split('(').next().unwrap_or(line).trim().to_owned());
        }
    }
    found
}

/// The keys of the record that begins with a line, if a blank line or a header stands before it.
fn keys<'a>(source: &'a SourceFile, line: Text<'_>) -> Option<Vec<&'a str>> {
    let first = source.position(line.span().start).line;
    let text = |number: u32| source.slice(source.line_span(number)).trim();
    if !begins(source, first) {
        return None;
    }
    let last = source.line_count().min(first + MOST_LINES);
    let lines = (first..=last)
        .map(text)
        .filter(|line| !line.starts_with("//"));
    let pairs = lines.map_while(|line| Some(line.split_once('=')?.0.trim()));
    Some(pairs.collect())
}

fn has(info: &SectionInfo, key: &str) -> bool {
    info.keys
        .iter()
        .any(|known| known.name.eq_ignore_ascii_case(key))
}

/// The sections whose headers stand in the file.
pub(super) fn standing(source: &SourceFile) -> Vec<Section> {
    let mut found = Vec::new();
    for line in source.text().lines().map(str::trim) {
        let Some(rest) = line.strip_prefix('[') else {
            continue;
        };
        let title = rest.trim_end_matches(']').trim();
        let known = SECTIONS
            .iter()
            .find(|info| info.title.eq_ignore_ascii_case(title));
        if let Some(info) = known.filter(|info| !found.contains(&info.section)) {
            found.push(info.section);
        }
    }
    found
}
