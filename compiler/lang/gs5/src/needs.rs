//! What files a rule set, a trial list or a board speaks of.

use super::codes;
use super::files;
use super::files::{below, condition_name, has_ending};
use super::settings::Settings;
use super::trials;
use crate::diag::{Diagnostic, Diagnostics};
use crate::front::Options;
use crate::source::{SourceFile, SourceMap, Span};

/// Names of further files that those of the map speak of and that it lacks: below `rules`, `boards`, `shapes` and `cond`.
pub fn companions(sources: &SourceMap, options: &Options) -> Vec<String> {
    let mut out = Diagnostics::new();
    let settings = Settings::read(&options.settings, Span::default(), &mut out);
    let mut wanted = Vec::new();
    let mut lists = 0;
    for (index, file) in sources.files().iter().enumerate() {
        if has_ending(file, "csv") && !files::is_property_table(file) {
            // The lists behind the first are modifiers of one row.
            let row = if lists == 0 {
                settings.row.unwrap_or(1)
            } else {
                1
            };
            from_series(file, index == 0, row, &mut wanted);
            lists += 1;
        }
        if has_ending(file, "json") {
            let mut ignored = Diagnostics::new();
            for piece in files::board(file, &mut ignored).unwrap_or_default() {
                wanted.extend(piece.image.as_deref().and_then(table_of));
            }
        }
    }
    let mut seen: Vec<String> = Vec::new();
    for name in wanted {
        let have = match name.ends_with('/') {
            true => sources
                .files()
                .iter()
                .any(|file| file.name().starts_with(&name)),
            false => sources.files().iter().any(|file| file.name() == name),
        };
        if !have && !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// How many series a trial list describes, by its text.
pub fn series_count(text: &str) -> usize {
    let lines = text.lines().filter(|line| !files::skipped(line));
    lines.count().saturating_sub(1)
}

/// The rule set that each row of a trial list names; nothing where the text is no trial list.
pub fn rules_of_rows(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add(String::new(), text.as_bytes()).ok();
    let mut ignored = Diagnostics::new();
    let read = file
        .and_then(|file| sources.get(file))
        .and_then(|file| files::csv(file, &codes::BAD_PLAN, &mut ignored));
    let Some((header, records)) = read else {
        return Vec::new();
    };
    let column = header.cells.iter().position(|name| name == "rule_id");
    let named = column.map(|column| {
        let rule = |record: &files::Record| record.cells.get(column).cloned().unwrap_or_default();
        records.iter().map(rule).collect()
    });
    named.unwrap_or_default()
}

fn from_series(file: &SourceFile, first: bool, row: usize, wanted: &mut Vec<String>) {
    let mut ignored = Diagnostics::new();
    let Some((header, records)) = files::csv(file, &codes::BAD_PLAN, &mut ignored) else {
        return;
    };
    let Some(record) = records.get(row.saturating_sub(1)) else {
        return;
    };
    let cell = |column: &str| {
        let index = header.cells.iter().position(|name| name == column)?;
        record
            .cells
            .get(index)
            .filter(|cell| !cell.is_empty())
            .map(String::as_str)
    };
    if let (true, Some(rule)) = (first, cell("rule_id")) {
        wanted.push(rule_name(rule));
    }
    if let Some(boards) = cell("initial_boards") {
        wanted.push(format!("{}/", below(boards, "boards")));
    }
    for images in cell("images").unwrap_or_default().split(';') {
        wanted.extend(table_of(images.trim()));
    }
    for column in ["condTrain", "condTest"] {
        wanted.extend(cell(column).map(condition_name));
    }
}

fn rule_name(rule: &str) -> String {
    let name = below(rule, "rules");
    match name.ends_with(".txt") {
        true => name,
        false => format!("{name}.txt"),
    }
}

/// The property table of a picture.
fn table_of(image: &str) -> Option<String> {
    let (folder, _) = image.rsplit_once('/')?;
    let plain = !image.starts_with("/composite/") && !folder.contains(['*', '?']);
    plain.then(|| format!("shapes/{folder}/properties.csv"))
}

/// The rule set that a trial list names, among the files of the map.
pub(super) fn rules_of<'a>(
    sources: &'a SourceMap,
    list: &SourceFile,
    settings: &Settings,
    out: &mut Diagnostics,
) -> Option<&'a SourceFile> {
    let (header, records) = files::csv(list, &codes::BAD_PLAN, out)?;
    let column = header.cells.iter().position(|name| name == "rule_id");
    let Some(column) = column else {
        if let Some(found) = trials::no_header(&header) {
            out.push(found);
            return None;
        }
        let found = Diagnostic::new(
            &codes::BAD_PLAN,
            header.span,
            "there is no column `rule_id`",
        );
        out.push(found.help("it names the rule set"));
        return None;
    };
    let row = settings.row.unwrap_or(1);
    let Some(record) = records.get(row.saturating_sub(1)) else {
        let message = format!("the trial list has {} rows", records.len());
        let found = Diagnostic::new(&codes::BAD_PLAN, header.span, message);
        out.push(found.label(format!("row {row} is wanted")));
        return None;
    };
    let named = record.cells.get(column).map_or("", String::as_str);
    let span = record.spans.get(column).copied().unwrap_or(record.span);
    if named.is_empty() {
        let found = Diagnostic::new(&codes::BAD_PLAN, record.span, "the row names no rule set");
        out.push(found.help("the column `rule_id` names it"));
        return None;
    }
    let wanted = rule_name(named);
    let found = sources.files().iter().find(|file| file.name() == wanted);
    if found.is_none() {
        let message = format!("the rule set `{wanted}` is not there");
        let found = Diagnostic::new(&codes::MISSING_FILE, span, message);
        out.push(found.help("it is looked for in the folder of the list and those above it"));
    }
    found
}
