//! Rows of trial lists: what each column may say, and what is wrong with it.

use super::codes;
use super::files::{self, Record};
use super::settings::usual_values;
use crate::diag::{Diagnostic, Diagnostics, closest};
use crate::source::{SourceFile, Span};

/// What stands in a column.
#[derive(Clone, Copy)]
enum Kind {
    /// Anything: names of files and the like.
    Text,
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// A number, at least this.
    Number(f64),
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Shapes or colors.
    Values(&'static str),
    /// What the rules and their hosts here do nothing with.
    Elsewhere,
}

const ANY: u32 = i32::MAX as u32;

/// The columns that mean something, here or to the clients of the original server.
const COLUMNS: &[(&str, Kind)] = &[
    ("rule_id", Kind::Text),
    ("max_boards", Kind::Count(1, ANY)),
    ("min_objects", Kind::Count(1, 36)),
    ("max_objects", Kind::Count(1, 36)),
    ("min_shapes", Kind::Count(0, ANY)),
    ("max_shapes", Kind::Count(0, ANY)),
    ("min_colors", Kind::Count(0, ANY)),
    ("max_colors", Kind::Count(0, ANY)),
    ("shapes", Kind::Values("shape")),
    ("colors", Kind::Values("color")),
    ("images", Kind::Text),
    ("initial_boards", Kind::Text),
    ("initial_boards_order", Kind::Text),
    ("condTrain", Kind::Text),
    ("condTest", Kind::Text),
    ("crowded", Kind::Flag),
    ("feedback_switches", Kind::Word(&["free", "fixed"])),
    ("free_wrong_cost", Kind::Number(0.0)),
    ("min_points", Kind::Number(f64::MIN)),
    ("max_points", Kind::Number(f64::MIN)),
    ("b", Kind::Number(0.0)),
    ("activate_bonus_at", Kind::Count(0, ANY)),
    ("clear_how_many", Kind::Count(0, ANY)),
    ("bonus_extra_pts", Kind::Number(f64::MIN)),
    ("clearing_threshold", Kind::Number(0.0)),
    ("x2_after", Kind::Count(0, ANY)),
    ("x4_after", Kind::Count(0, ANY)),
    ("x2_likelihood", Kind::Number(0.0)),
    ("x4_likelihood", Kind::Number(0.0)),
    ("give_up_at", Kind::Number(f64::MIN)),
    ("continue", Kind::Flag),
    ("pregame", Kind::Elsewhere),
    ("show_partner_actions", Kind::Elsewhere),
    ("chat", Kind::Elsewhere),
    ("init", Kind::Elsewhere),
    ("f", Kind::Elsewhere),
    ("m", Kind::Elsewhere),
    ("n", Kind::Elsewhere),
];

/// The same for columns of bots, which the original numbers by player.
const STEMS: &[&str] = &["bot", "pseudo_", "stack_memory_", "grid_memory_"];

fn kind_of(column: &str) -> Option<Kind> {
    let known = COLUMNS.iter().find(|(name, _)| *name == column);
    let of_stem = || STEMS.iter().any(|stem| column.starts_with(stem));
    known
        .map(|(_, kind)| *kind)
        .or_else(|| of_stem().then_some(Kind::Elsewhere))
}

/// A cell of a parameter set.
#[derive(Clone, Debug)]
struct Cell {
    column: String,
    text: String,
    span: Span,
}

/// A parameter set: a row of a trial list.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// The row, from which modifiers may have taken cells away.
    pub(super) span: Span,
    cells: Vec<Cell>,
}

/// What is told of a first line that names no column, as where the header was left out.
pub(super) fn no_header(header: &Record) -> Option<Diagnostic> {
    let is_near = |name: &str| {
        let known = COLUMNS.iter().map(|(name, _)| *name);
        kind_of(name).is_some() || closest(name, known).is_some()
    };
    if header.cells.iter().any(|name| is_near(name)) {
        return None;
    }
    let message = "the header is missing: this line names no column";
    let found = Diagnostic::new(&codes::BAD_PLAN, header.span, message);
    Some(found.help("write the names of the columns in the first line, such as `rule_id,min_objects,max_objects`"))
}

/// A row of a trial list, from 1. What is wrong with its cells is told; with `all`, also with those of the others.
pub(super) fn read_series(
    file: &SourceFile,
    row: usize,
    all: bool,
    out: &mut Diagnostics,
) -> Option<Series> {
    let (header, records) = files::csv(file, &codes::BAD_PLAN, out)?;
    if let Some(found) = no_header(&header) {
        out.push(found);
        return None;
    }
    if records.len() < row {
        let message = format!("the trial list has {} rows", records.len());
        let found = Diagnostic::new(&codes::BAD_PLAN, header.span, message);
        out.push(found.label(format!("row {row} is wanted")));
        return None;
    }
    check_header(&header, &records, out);
    let mut wanted = None;
    for (number, record) in (1..).zip(&records) {
        if number != row && !all {
            continue;
        }
        let series = Series::of(&header, record);
        // What stands in which column is not known where a cell is missing.
        if !check_length(&header, record, out) {
            wanted = Some(series).filter(|_| number == row).or(wanted);
            continue;
        }
        series.cells.iter().for_each(|cell| check_cell(cell, out));
        match number == row {
            true => wanted = Some(series),
            // That of the wanted row is looked at when modifiers had their say.
            false => series.check(out),
        }
    }
    wanted
}

fn check_header(header: &Record, records: &[Record], out: &mut Diagnostics) {
    for (index, (name, span)) in header.cells.iter().zip(&header.spans).enumerate() {
        if header.cells[..index].contains(name) && !name.is_empty() {
            let message = format!("the column `{name}` stands twice");
            let found = Diagnostic::new(&codes::LOST_COLUMN, *span, message);
            out.push(found.help("the first one counts"));
        }
        let filled = |record: &Record| record.cells.get(index).is_some_and(|c| !c.is_empty());
        if name.is_empty() && records.iter().any(filled) {
            let found = Diagnostic::new(&codes::LOST_COLUMN, *span, "the column has no name");
            out.push(found.help("its cells mean nothing"));
        }
        if name.is_empty() || kind_of(name).is_some() {
            continue;
        }
        let message = format!("there is no column `{name}`");
        let found = Diagnostic::new(&codes::LOST_COLUMN, *span, message);
        let known = COLUMNS.iter().map(|(name, _)| *name);
        out.push(match closest(name, known.clone()) {
            Some(_) => found.did_you_mean(name, *span, known),
            None => found.help("its cells mean nothing; a line that begins with `#` is a remark"),
        });
    }
}

fn check_length(header: &Record, record: &Record, out: &mut Diagnostics) -> bool {
    let (cells, columns) = (record.cells.len(), header.cells.len());
    if cells != columns {
        let message = format!("the row has {cells} cells, the header {columns}");
        let found = Diagnostic::new(&codes::BAD_PLAN, record.span, message);
        out.push(
            found
                .also(header.span, "the header")
                .help("a cell that says nothing is empty, its comma stays"),
        );
    }
    cells == columns
}

fn check_cell(cell: &Cell, out: &mut Diagnostics) {
    let (text, column) = (cell.text.as_str(), cell.column.as_str());
    let Some(kind) = kind_of(column).filter(|_| !text.is_empty()) else {
        return;
    };
    let bad = |message: String| Diagnostic::new(&codes::BAD_PLAN, cell.span, message);
    let here = format!("`{text}` in the column `{column}`");
    match kind {
        Kind::Text | Kind::Elsewhere => {}
        Kind::Count(least, most) => match text.parse::<u32>() {
            Ok(n) if (least..=most).contains(&n) => {}
            _ if text.parse::<f64>().is_err() => {
                out.push(remark(bad(format!("{here} is no number")), text))
            }
            _ if most == ANY => out.push(bad(format!("{here} is no whole number from {least} on"))),
            _ => out.push(bad(format!(
                "{here} is no whole number from {least} to {most}"
            ))),
        },
        Kind::Number(least) => match text.parse::<f64>() {
            Ok(n) if n.is_finite() && n >= least => {}
            Ok(n) if n.is_finite() => {
                let found = Diagnostic::new(
                    &codes::ODD_VALUE,
                    cell.span,
                    format!("{here} is less than 0"),
                );
                out.push(found.help(match column {
                    "b" => "then errors earn points",
                    _ => "it should be 0 or more",
                }));
            }
            _ => out.push(remark(bad(format!("{here} is no number")), text)),
        },
        Kind::Flag => {
            if !["true", "false"]
                .iter()
                .any(|word| word.eq_ignore_ascii_case(text))
            {
                let found = bad(format!("{here} is neither `true` nor `false`"));
                out.push(found.did_you_mean(text, cell.span, ["true", "false"]));
            }
        }
        Kind::Word(words) => {
            if !words.iter().any(|word| word.eq_ignore_ascii_case(text)) {
                let found = bad(format!("{here} is not one of {}", words.join(", ")));
                out.push(found.did_you_mean(text, cell.span, words.iter().copied()));
            }
        }
        Kind::Values(property) => check_values(cell, property, out),
    }
}

/// Says how remarks are written, where there is one behind a value.
fn remark(found: Diagnostic, text: &str) -> Diagnostic {
    match text.contains('#') {
        true => found.help("a remark is a line of its own that begins with `#`"),
        false => found,
    }
}

/// Words of a list that are nearly a usual shape or color.
fn check_values(cell: &Cell, property: &str, out: &mut Diagnostics) {
    let usual = usual_values(property);
    for word in cell.text.split(';').map(str::trim) {
        let known = usual.iter().any(|value| value.eq_ignore_ascii_case(word));
        let near = closest(&word.to_uppercase(), usual.iter().copied()).filter(|_| !known);
        if word.is_empty() {
            let message = format!("a {property} of the list has no name");
            out.push(Diagnostic::new(&codes::ODD_VALUE, cell.span, message));
        } else if let Some(near) = near {
            let message = format!("`{word}` is a {property} of its own");
            let found = Diagnostic::new(&codes::ODD_VALUE, cell.span, message);
            out.push(found.help(format!("did you mean `{}`?", near.to_lowercase())));
        }
    }
}

impl Series {
    fn of(header: &Record, record: &Record) -> Series {
        let cells = record.cells.iter().zip(&record.spans);
        let cells = header
            .cells
            .iter()
            .zip(cells)
            .map(|(column, (text, span))| Cell {
                column: column.clone(),
                text: text.clone(),
                span: *span,
            });
        Series {
            span: record.span,
            cells: cells.collect(),
        }
    }

    fn cell(&self, column: &str) -> Option<&Cell> {
        let found = self.cells.iter().find(|cell| cell.column == column);
        found.filter(|cell| !cell.text.is_empty())
    }

    /// Where a column says something.
    pub(super) fn place(&self, column: &str) -> Option<Span> {
        self.cell(column).map(|cell| cell.span)
    }

    /// What a column says, if anything.
    pub(super) fn get(&self, column: &str) -> Option<&str> {
        self.cell(column).map(|cell| cell.text.as_str())
    }

    /// The number of a column.
    pub(super) fn number(&self, column: &str) -> Option<u32> {
        self.get(column)?.parse().ok()
    }

    /// Puts the columns of another one in place of those of the same name.
    pub(super) fn modify(&mut self, other: Series) {
        for cell in other.cells {
            match self.cells.iter_mut().find(|own| own.column == cell.column) {
                Some(own) => *own = cell,
                None => self.cells.push(cell),
            }
        }
    }

    /// All cells that are not empty, with the names of their columns.
    pub(super) fn parameters(&self) -> Vec<(String, String)> {
        let told = |cell: &&Cell| !cell.column.is_empty() && !cell.text.is_empty();
        let cells = self.cells.iter().filter(told);
        cells
            .map(|cell| (cell.column.clone(), cell.text.clone()))
            .collect()
    }

    /// What columns say together.
    pub(super) fn check(&self, out: &mut Diagnostics) {
        self.check_pairs(out);
        self.check_incentives(out);
        self.check_boards(out);
    }

    fn check_pairs(&self, out: &mut Diagnostics) {
        for (low, high) in [
            ("min_objects", "max_objects"),
            ("min_shapes", "max_shapes"),
            ("min_colors", "max_colors"),
            ("min_points", "max_points"),
        ] {
            let number = |column: &str| {
                let cell = self.cell(column)?;
                Some((cell, cell.text.parse::<f64>().ok()?))
            };
            let (Some((cell, least)), Some((_, most))) = (number(low), number(high)) else {
                continue;
            };
            if least > most {
                let message = format!("`{low}` is {least}, and `{high}` {most}");
                let found = Diagnostic::new(&codes::ODD_VALUE, cell.span, message);
                out.push(found.help(match low {
                    "min_points" => "then errors earn points".to_owned(),
                    _ => format!("it is {least} on every board"),
                }));
            }
        }
    }

    /// One of bonus, doubling and likelihood can be in force; half of one is none.
    fn check_incentives(&self, out: &mut Diagnostics) {
        let whole = |columns: &[&str]| columns.iter().all(|column| self.cell(column).is_some());
        let all: [&[&str]; 3] = [
            &["clear_how_many"],
            &["x2_after", "x4_after"],
            &["x2_likelihood", "x4_likelihood"],
        ];
        let mut named = all.iter().filter(|columns| whole(columns));
        if let (Some(first), Some(second)) = (named.next(), named.next()) {
            let span = self.cell(second[0]).map_or(self.span, |cell| cell.span);
            let message = format!("`{}` and `{}` stand in one row", first[0], second[0]);
            let found = Diagnostic::new(&codes::BAD_PLAN, span, message);
            out.push(found.help("one of bonus, doubling and likelihood can be in force"));
        }
        let needs = [
            ("activate_bonus_at", "clear_how_many"),
            ("x2_after", "x4_after"),
            ("x4_after", "x2_after"),
            ("x2_likelihood", "x4_likelihood"),
            ("x4_likelihood", "x2_likelihood"),
        ];
        for (column, other) in needs {
            let Some(cell) = self.cell(column).filter(|_| self.cell(other).is_none()) else {
                continue;
            };
            let message = format!("`{column}` means nothing without `{other}`");
            out.push(Diagnostic::new(&codes::ODD_VALUE, cell.span, message));
        }
    }

    fn check_boards(&self, out: &mut Diagnostics) {
        if let (Some(cell), Some(_)) = (self.cell("condTest"), self.cell("condTrain")) {
            let message = "there are conditions for training and for testing";
            let found = Diagnostic::new(&codes::BAD_PLAN, cell.span, message);
            out.push(found.help("boards are for training or for testing by one condition"));
        }
        let Some(order) = self.cell("initial_boards_order") else {
            return;
        };
        let words = ["random", "alpha"];
        let known = words
            .iter()
            .any(|word| word.eq_ignore_ascii_case(&order.text));
        if !known && !order.text.to_lowercase().ends_with(".csv") {
            let message = format!("`{}` is no order of boards", order.text);
            let found = Diagnostic::new(&codes::BAD_PLAN, order.span, message);
            let help = "it is random or alpha";
            out.push(match closest(&order.text, words) {
                Some(_) => found.did_you_mean(&order.text, order.span, words),
                None => found.help(help),
            });
        }
    }
}
