//! From a file to its sections, records and expression bodies: everything before values are read.

mod header;

use rulec_ir::sorted::SortedSet;

use super::ast::{Builtin, Ident, Spanned};
use super::codes;
use super::text::Text;
use crate::diag::{Diagnostic, Diagnostics, closest};
use crate::source::{SourceFile, Span};

/// The sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Board,
    RealTypes,
    ElementTypes,
    LocationTypes,
    Locations,
    Players,
    Elements,
    Expressions,
    Scorings,
    Endings,
    Rules,
}

/// What a section is called and which keys it knows.
pub(super) struct SectionInfo {
    pub(super) section: Section,
    pub(super) title: &'static str,
    /// Key that starts a record, if the section has records.
    pub(super) starter: Option<&'static str>,
    pub(super) keys: &'static [Key],
}

/// A key: its usual spelling (any case is accepted) and how often it may occur in a record.
pub(super) struct Key {
    pub(super) name: &'static str,
    repeatable: bool,
    /// Whether its value may start with a blank without harm in the original engine.
    blank_tolerant: bool,
}

const fn key(name: &'static str) -> Key {
    Key {
        name,
        repeatable: false,
        blank_tolerant: false,
    }
}

const fn expression(name: &'static str) -> Key {
    Key {
        name,
        repeatable: false,
        blank_tolerant: true,
    }
}

const fn repeated(key: Key) -> Key {
    Key {
        repeatable: true,
        ..key
    }
}

const fn info(
    section: Section,
    title: &'static str,
    starter: Option<&'static str>,
    keys: &'static [Key],
) -> SectionInfo {
    SectionInfo {
        section,
        title,
        starter,
        keys,
    }
}

/// All sections, in the order of the enum.
pub(super) static SECTIONS: &[SectionInfo] = &[
    info(Section::Board, "BOARD", None, &[key("image")]),
    info(
        Section::RealTypes,
        "REALBOARD ELEMENT TYPES",
        Some("name"),
        &[
            key("name"),
            key("state"),
            key("hueMin"),
            key("hueMax"),
            key("saturationMin"),
            key("saturationMax"),
            key("valueMin"),
            key("valueMax"),
            key("sizeMin"),
            key("sizeMax"),
        ],
    ),
    info(
        Section::ElementTypes,
        "ELEMENT TYPES",
        Some("name"),
        &[
            key("name"),
            key("states"),
            repeated(key("image")),
            repeated(key("point")),
        ],
    ),
    info(
        Section::LocationTypes,
        "LOCATION TYPES",
        Some("name"),
        &[
            key("name"),
            key("image"),
            key("shape"),
            key("size"),
            key("relevant"),
            key("point"),
        ],
    ),
    info(
        Section::Locations,
        "LOCATIONS",
        Some("name"),
        &[
            key("name"),
            key("type"),
            expression("point"),
            expression("camera"),
            expression("robot"),
        ],
    ),
    // Beside `score` its keys are numbers.
    info(
        Section::Players,
        "PLAYER NAMES",
        None,
        &[repeated(key("score"))],
    ),
    info(
        Section::Elements,
        "MOVABLE ELEMENTS",
        Some("name"),
        &[
            key("name"),
            key("type"),
            key("location"),
            key("player"),
            key("state"),
            key("zindex"),
        ],
    ),
    info(Section::Expressions, "EXPRESSIONS", None, &[]),
    info(
        Section::Scorings,
        "SCORINGS",
        Some("situation"),
        &[
            expression("situation"),
            repeated(expression("player")),
            repeated(expression("score")),
        ],
    ),
    info(
        Section::Endings,
        "END OF GAME",
        Some("situation"),
        &[expression("situation"), expression("winner")],
    ),
    info(
        Section::Rules,
        "GAME RULES",
        Some("name"),
        &[
            key("name"),
            expression("element"),
            expression("from"),
            expression("to"),
            expression("state"),
            expression("player"),
            expression("condition"),
            repeated(expression("awardPlayer")),
            repeated(expression("withScore")),
            expression("followup"),
            expression("toLocations"),
        ],
    ),
];

impl Section {
    pub(super) fn info(self) -> &'static SectionInfo {
        &SECTIONS[self as usize]
    }
}

/// `key=value`; the key in its usual spelling.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) key: Ident,
    pub(super) value: Text<'a>,
}

/// The entries from one starting key to the next. Sections without records are one record.
#[derive(Clone, Debug)]
pub(super) struct Record<'a> {
    pub(super) section: Section,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) span: Span,
}

impl<'a> Record<'a> {
    /// The last value of a key.
    pub(super) fn get(&self, key: &str) -> Option<Text<'a>> {
        self.entries
            .iter()
            .rev()
            .find(|entry| entry.key.node == key)
            .map(|entry| entry.value)
    }

    /// All values of a key.
    pub(super) fn all(&self, key: &str) -> impl Iterator<Item = Text<'a>> {
        self.entries
            .iter()
            .filter(move |entry| entry.key.node == key)
            .map(|entry| entry.value)
    }
}

/// An expression of the file: header and lines.
#[derive(Clone, Debug)]
pub(super) struct RawDefinition<'a> {
    pub(super) header: Text<'a>,
    pub(super) body: Vec<Text<'a>>,
    pub(super) span: Span,
}

/// A file in pieces, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces<'a> {
    pub(super) records: Vec<Record<'a>>,
    pub(super) definitions: Vec<RawDefinition<'a>>,
    /// Lines that belong to nothing known.
    pub(super) lost: Vec<&'a str>,
}

/// Splits a file.
pub(super) fn split<'a>(source: &'a SourceFile, diagnostics: &mut Diagnostics) -> Pieces<'a> {
    let mut splitter = Splitter {
        diagnostics,
        pieces: Pieces::default(),
        section: Some(Section::Board),
        record: None,
        definition: None,
        locations_seen: None,
        seen: Vec::new(),
        standing: header::standing(source),
        expressions: header::expressions(source),
        types: SortedSet::new(),
        source,
    };
    for line in 1..=source.line_count() {
        let span = source.line_span(line);
        let line = Text::new(source.slice(span), span.file, span.start).trim();
        splitter.line(line);
    }
    splitter.close();
    splitter.pieces
}

struct Splitter<'a, 'd> {
    diagnostics: &'d mut Diagnostics,
    pieces: Pieces<'a>,
    /// `None` below an unknown header: its lines are skipped.
    section: Option<Section>,
    record: Option<Record<'a>>,
    definition: Option<RawDefinition<'a>>,
    locations_seen: Option<Span>,
    /// Where each key of the open record was seen last.
    seen: Vec<Option<Span>>,
    /// The sections whose headers stand in the file.
    standing: Vec<Section>,
    /// The names of the expressions of the file.
    expressions: Vec<String>,
    /// The types of elements so far.
    types: SortedSet<&'a str>,
    source: &'a SourceFile,
}

impl<'a> Splitter<'a, '_> {
    fn line(&mut self, line: Text<'a>) {
        if line.text.is_empty() || line.text.starts_with("//") {
            return;
        }
        if line.text.chars().nth(1).is_none() {
            let warning = Diagnostic::new(
                &codes::SHORT_LINE,
                line.span(),
                "a line of one character is ignored",
            );
            let in_body = self.definition.is_some();
            let fix = format!("({})", line.text);
            let warning = if in_body {
                warning.fix(format!("write `{fix}`"), line.span(), fix)
            } else if self.section == Some(Section::Expressions) {
                warning.help("the name of an expression has two characters or more")
            } else {
                warning
            };
            self.diagnostics.push(warning);
        } else if line.text.starts_with('[') {
            self.header(line);
        } else if self.section == Some(Section::Expressions) {
            self.expression_line(line);
        } else if let Some(section) = self.section {
            let other = header::missing_without_records(self.source, &self.standing, line);
            match other.filter(|other| other.section != section) {
                Some(other) => {
                    self.missing_header(section, other, line);
                    self.line(line);
                }
                None => self.pair(section, line),
            }
        } else {
            self.pieces.lost.push(line.text);
        }
    }

    fn header(&mut self, line: Text<'a>) {
        let closed = line.text.ends_with(']');
        let inside = if closed {
            line.sub(1, line.text.len() - 1)
        } else {
            line.sub(1, line.text.len())
        };
        let title = inside.trim().text.to_uppercase();
        let found = SECTIONS.iter().find(|info| info.title == title);
        if let (Some(info), true) = (found, closed) {
            if inside.trim().text.len() != inside.text.len() {
                let warning = Diagnostic::new(
                    &codes::BLANKS,
                    inside.span(),
                    "blanks inside of the brackets",
                );
                let portable = format!("[{}]", info.title);
                self.diagnostics.push(warning.fix(
                    format!("write `{portable}`"),
                    line.span(),
                    portable,
                ));
            }
            self.open(info.section, line.span());
            return;
        }
        let in_body = self.definition.is_some() && found.is_none();
        if in_body && !self.is_like_a_section(&title) {
            let error = Diagnostic::new(
                &codes::UNKNOWN_SECTION,
                line.span(),
                "a line cannot start with `[`",
            );
            let error = error.label("read as a section header");
            self.diagnostics
                .push(error.help("put the line into parentheses: `([...])`"));
            self.pieces.lost.push(line.text);
            return;
        }
        self.unknown_header(line, &title, closed, found);
    }

    fn is_like_a_section(&self, title: &str) -> bool {
        closest(title, SECTIONS.iter().map(|info| info.title)).is_some()
    }

    fn unknown_header(
        &mut self,
        line: Text<'a>,
        title: &str,
        closed: bool,
        found: Option<&'static SectionInfo>,
    ) {
        let near = closest(title, SECTIONS.iter().map(|info| info.title));
        let near = found.map(|info| info.title).or(near);
        let message = if closed {
            "unknown section"
        } else {
            "a section header ends with `]`"
        };
        let error = Diagnostic::new(&codes::UNKNOWN_SECTION, line.span(), message);
        let error = match near {
            Some(title) => {
                let portable = format!("[{title}]");
                error.fix(format!("did you mean `{portable}`?"), line.span(), portable)
            }
            None => {
                let titles: Vec<&str> = SECTIONS.iter().map(|info| info.title).collect();
                error.note(format!("the sections are {}", titles.join(", ")))
            }
        };
        self.diagnostics.push(error);
        match SECTIONS.iter().find(|info| Some(info.title) == near) {
            Some(info) => self.open(info.section, line.span()),
            None => {
                self.close();
                self.section = None;
            }
        }
    }

    fn open(&mut self, section: Section, span: Span) {
        self.close();
        self.section = Some(section);
        match (section, self.locations_seen) {
            (Section::Locations, None) => self.locations_seen = Some(span),
            (Section::LocationTypes, Some(locations)) => {
                let message = "[LOCATION TYPES] after [LOCATIONS]";
                let warning = Diagnostic::new(&codes::ORDER, span, message)
                    .also(locations, "locations start here");
                self.diagnostics
                    .push(warning.note("the original engine wants the types first"));
            }
            _ => {}
        }
    }

    /// Whether a line within an expression is the header of the next one, since it calls nothing that there is.
    fn is_next_header(&self, definition: &RawDefinition<'a>, line: Text<'a>) -> bool {
        let number = self.source.position(line.span().start).line;
        let behind = self.source.slice(self.source.line_span(number + 1)).trim();
        let name = line.text.split('(').next().unwrap_or(line.text).trim();
        let builtins = Builtin::TABLE.iter().map(|row| row.name);
        let mut known = builtins.chain(self.expressions.iter().map(String::as_str));
        let has_body = !behind.is_empty() && !behind.eq_ignore_ascii_case("END");
        !definition.body.is_empty()
            && number < self.source.line_count()
            && has_body
            && header::is_header(line.text)
            && header::begins(self.source, number)
            && !matches!(name.to_lowercase().as_str(), "true" | "false")
            && known.clone().all(|known| known != name)
            && closest(name, known.by_ref()).is_none()
    }

    fn close(&mut self) {
        self.close_before(None);
    }

    fn close_before(&mut self, next: Option<Text<'a>>) {
        self.pieces.records.extend(self.record.take());
        let Some(definition) = self.definition.take() else {
            return;
        };
        let error = Diagnostic::new(
            &codes::MISSING_END,
            definition.header.span(),
            "the expression is not closed",
        );
        let error = error.label("opened here");
        let error = match next {
            Some(next) => error.also(next.span(), "the next one begins here"),
            None => error,
        };
        self.diagnostics
            .push(error.help("write `END` on a line of its own after its last line"));
        self.pieces.definitions.push(definition);
    }

    fn expression_line(&mut self, line: Text<'a>) {
        let is_end = line.text.eq_ignore_ascii_case("END");
        match (self.definition.take(), is_end) {
            (Some(mut definition), true) => {
                definition.span = definition.span.to(line.span());
                self.pieces.definitions.push(definition);
            }
            (Some(definition), false) if self.is_next_header(&definition, line) => {
                self.definition = Some(definition);
                self.close_before(Some(line));
                self.definition = Some(RawDefinition {
                    header: line,
                    body: Vec::new(),
                    span: line.span(),
                });
            }
            (Some(mut definition), false) => {
                definition.span = definition.span.to(line.span());
                definition.body.push(line);
                self.definition = Some(definition);
            }
            (None, true) => {
                let warning =
                    Diagnostic::new(&codes::STRAY_END, line.span(), "`END` closes nothing");
                self.diagnostics.push(warning.help("remove the line"));
            }
            (None, false) => {
                let section = Section::Expressions;
                if let Some(other) = header::missing(self.source, section, &self.standing, line) {
                    self.missing_header(section, other, line);
                    return self.pair(other.section, line);
                }
                self.definition = Some(RawDefinition {
                    header: line,
                    body: Vec::new(),
                    span: line.span(),
                });
            }
        }
    }

    fn pair(&mut self, section: Section, line: Text<'a>) {
        let Some(equals) = line.text.find('=') else {
            let error = Diagnostic::new(&codes::NOT_A_PAIR, line.span(), "expected `key=value`");
            let error = if line.text.contains("//") {
                error.note("comments start their line")
            } else if line.text.starts_with(['#', ';', '\'', '%']) || line.text.starts_with("--") {
                error.help("a comment begins with `//`")
            } else {
                error
            };
            self.diagnostics.push(error);
            self.pieces.lost.push(line.text);
            return;
        };
        let (raw_key, raw_value) = (line.sub(0, equals), line.sub(equals + 1, line.text.len()));
        let (key, value) = (raw_key.trim(), raw_value.trim());
        let missing = header::missing(self.source, section, &self.standing, line);
        let (section, info) =
            match missing.filter(|other| self.loses(section, other.section, value.text)) {
                Some(other) => {
                    self.missing_header(section, other, line);
                    (other.section, other)
                }
                None => (section, section.info()),
            };
        let known = info
            .keys
            .iter()
            .position(|known| known.name.eq_ignore_ascii_case(key.text));
        let is_player =
            section == Section::Players && key.text.starts_with(|c: char| c.is_ascii_digit());
        if known.is_none() && !is_player {
            self.unknown_key(info, key);
            return;
        }
        let tolerant = known.is_some_and(|at| info.keys[at].blank_tolerant);
        let value_blank = raw_value.text.len() != value.text.len() && !value.text.is_empty();
        if key.text.len() != raw_key.text.len() || (value_blank && !tolerant) {
            let blanks = key.span().after().to(Span::new(
                key.span().file,
                value.span().start,
                value.span().start,
            ));
            let warning = Diagnostic::new(&codes::BLANKS, blanks, "blanks around `=`");
            self.diagnostics
                .push(warning.fix("write `=` without blanks", blanks, "="));
        }
        let name = known.map_or(key.text, |at| info.keys[at].name).to_owned();
        self.entry(
            info,
            known,
            Entry {
                key: Spanned::new(name, key.span()),
                value,
            },
            line.span(),
        );
    }

    /// Whether a game loses something with a record of another section that stands in this one, or is refused anyway. Colours
    /// matter to the camera only, and a game without scores can be played: the original ignores their keys, and each is told of.
    fn loses(&self, section: Section, other: Section, name: &str) -> bool {
        match (section, other) {
            // A type of the same name would lose its states.
            (Section::ElementTypes, Section::RealTypes) => self.types.contains(name),
            // A location needs a type, and an end of the game a winner.
            (Section::Locations, Section::RealTypes) => true,
            (Section::Endings, Section::Scorings) => true,
            (_, Section::RealTypes | Section::Scorings) => false,
            _ => true,
        }
    }

    /// Tells of a header that is missing and goes on as if it were there.
    fn missing_header(&mut self, section: Section, other: &SectionInfo, line: Text<'a>) {
        let title = other.title;
        let message = format!("the header [{title}] is missing before this");
        let (at, own) = (line.span(), section.info().title);
        let what = if other.keys.is_empty() || other.section == Section::Players {
            "lines"
        } else {
            "keys"
        };
        let error = Diagnostic::new(&codes::MISSING_HEADER, at, message)
            .label(format!("[{title}] has such {what}, not [{own}]"));
        let before = Span::new(at.file, at.start, at.start);
        let help = format!("write [{title}] on a line of its own before it");
        self.diagnostics
            .push(error.fix(help, before, format!("[{title}]\n")));
        self.standing.push(other.section);
        self.open(other.section, at);
    }

    fn unknown_key(&mut self, info: &SectionInfo, key: Text<'a>) {
        let message = format!("[{}] has no key `{}`", info.title, key.text);
        let warning = Diagnostic::new(&codes::UNKNOWN_KEY, key.span(), message);
        let names = info.keys.iter().map(|known| known.name);
        let warning = warning.did_you_mean(key.text, key.span(), names.clone());
        let warning = match warning.help {
            Some(_) => warning,
            None => {
                let names: Vec<&str> = names.collect();
                let has = |other: &&SectionInfo| {
                    let mut keys = other.keys.iter();
                    keys.any(|known| known.name.eq_ignore_ascii_case(key.text))
                };
                let others: Vec<&str> = SECTIONS
                    .iter()
                    .filter(has)
                    .map(|other| other.title)
                    .collect();
                let warning = warning.note(format!("its keys are `{}`", names.join("`, `")));
                match others.is_empty() {
                    true => warning,
                    false => warning.help(format!(
                        "`{}` is a key of [{}]",
                        key.text,
                        others.join("], [")
                    )),
                }
            }
        };
        self.diagnostics.push(warning);
    }

    fn entry(&mut self, info: &SectionInfo, known: Option<usize>, entry: Entry<'a>, line: Span) {
        let starts = match info.starter {
            Some(starter) => starter == entry.key.node,
            None => self.record.is_none(),
        };
        if starts {
            if info.section == Section::ElementTypes {
                self.types.insert(entry.value.text);
            }
            self.pieces.records.extend(self.record.take());
            self.record = Some(Record {
                section: info.section,
                entries: Vec::new(),
                span: line,
            });
            self.seen = vec![None; info.keys.len()];
        }
        let Some(record) = &mut self.record else {
            let starter = info.starter.unwrap_or_default();
            let message = format!("`{}` before the first `{starter}`", entry.key.node);
            let error = Diagnostic::new(&codes::KEY_OUTSIDE_RECORD, entry.key.span, message);
            self.diagnostics
                .push(error.help(format!("start the record with `{starter}=`")));
            self.pieces.lost.push(entry.value.text);
            return;
        };
        record.span = record.span.to(line);
        let once = known.filter(|&at| !info.keys[at].repeatable);
        if let Some(earlier) = once.and_then(|at| self.seen[at].replace(entry.key.span)) {
            let message = format!("`{}` is given twice, the last one counts", entry.key.node);
            let warning = Diagnostic::new(&codes::DUPLICATE_KEY, earlier, message);
            let warning = warning.label("this one is ignored");
            self.diagnostics
                .push(warning.also(entry.key.span, "this one counts"));
        }
        record.entries.push(entry);
    }
}
