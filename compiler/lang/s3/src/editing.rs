//! What editors ask of a file: its names, what may stand where.
//!
//! The index is made from lines and tokens, not from the tree, so that a line that cannot be read loses nothing.

use super::ast::Builtin;
use super::lines::{Pieces, RawDefinition, Record, SECTIONS, Section, split};
use super::scan::{self, Scan};
use super::text::Text;
use super::words;
use crate::diag::Diagnostics;
use crate::source::{SourceFile, Span};
use crate::symbols::{Builder, Call, Class, Expected, Index, Kind, Outline, Word, comment_above};

/// Kinds that strings of the rules can speak of by a name with indexes.
const INDEXED: [Kind; 2] = [Kind::Place, Kind::Piece];
/// Kinds that they can speak of by the name alone.
const PLAIN: [Kind; 2] = [Kind::Type, Kind::PlaceType];

/// The names of a file.
pub(super) fn index(source: &SourceFile) -> Index {
    let pieces = split(source, &mut Diagnostics::new());
    let mut reader = Reader {
        source,
        builder: Builder::default(),
        strings: Vec::new(),
        families: Vec::new(),
    };
    reader.lines();
    for record in &pieces.records {
        reader.record(record);
    }
    for definition in &pieces.definitions {
        reader.definition(definition);
    }
    reader.strings();
    reader.describe();
    reader.outline(&pieces);
    reader.builder.finish()
}

/// A string or pattern that may name something.
struct Mention {
    span: Span,
    text: String,
    /// The kinds that it can name.
    kinds: Vec<Kind>,
}

struct Reader<'a> {
    source: &'a SourceFile,
    builder: Builder,
    strings: Vec<Mention>,
    /// Patterns with variables: what they name, and where they end.
    families: Vec<(Kind, String, u32)>,
}

/// What an open bracket belongs to.
struct Frame {
    name: Option<String>,
    start: u32,
    commas: Vec<u32>,
    /// Tokens of the present argument so far.
    tokens: usize,
}

impl Reader<'_> {
    /// Comments and headers.
    fn lines(&mut self) {
        for line in 1..=self.source.line_count() {
            let span = self.source.line_span(line);
            let text = Text::new(self.source.slice(span), span.file, span.start).trim();
            if text.text.starts_with("//") {
                self.builder.token(text.span(), Class::Comment);
            } else if text.text.starts_with('[') && text.text.ends_with(']') {
                self.builder.token(text.span(), Class::Section);
            }
        }
    }

    fn docs(&self, at: Span) -> String {
        let line = self.source.position(at.start).line;
        comment_above(self.source, line, "//")
    }

    fn record(&mut self, record: &Record<'_>) {
        for entry in &record.entries {
            self.builder.token(entry.key.span, Class::Key);
            let (key, value) = (entry.key.node.as_str(), entry.value);
            let whole = record.span;
            match (record.section, key) {
                (Section::ElementTypes, "name") => self.define(Kind::Type, value, whole),
                (Section::RealTypes, "name") => self.refer(Kind::Type, value),
                (Section::LocationTypes, "name") => self.define(Kind::PlaceType, value, whole),
                (Section::Rules, "name") => self.define(Kind::Rule, value, whole),
                (Section::Locations, "name") => self.define_base(Kind::Place, value, whole),
                (Section::Elements, "name") => self.define_base(Kind::Piece, value, whole),
                (Section::Locations, "type") => self.refer(Kind::PlaceType, value),
                (Section::Elements, "type") => self.refer(Kind::Type, value),
                (Section::Elements, "location") => self.mention(value, &[Kind::Place]),
                (Section::Players, "score") => self.builder.token(value.span(), Class::Number),
                (Section::Players, _) => self.define(Kind::Player, value, whole),
                (Section::Rules, "element") => self.pattern(value, Kind::Piece),
                (Section::Rules, "from" | "to") => self.pattern(value, Kind::Place),
                (Section::Rules, "state" | "player") => {
                    self.expression(value, value.text.starts_with('$'));
                }
                (Section::Rules | Section::Scorings | Section::Endings, _) => {
                    self.expression(value, false);
                }
                (_, "image" | "shape" | "relevant") => {
                    self.builder.token(value.span(), Class::Text);
                }
                _ => self.builder.token(value.span(), Class::Number),
            }
        }
    }

    fn define(&mut self, kind: Kind, name: Text<'_>, whole: Span) {
        let symbol = self.builder.symbol(kind, name.text);
        self.builder.put(symbol, name.span(), true).whole = Some(whole);
        let docs = self.docs(whole);
        self.builder.edit(symbol).docs = docs;
    }

    fn refer(&mut self, kind: Kind, name: Text<'_>) {
        self.builder.refer(kind, name.text, name.span());
    }

    /// A place or element: those whose names differ in their indexes only are one symbol.
    fn define_base(&mut self, kind: Kind, name: Text<'_>, whole: Span) {
        let base = base(name);
        let symbol = self.builder.symbol(kind, base.text);
        if base.text.contains([' ', '\t']) {
            self.builder.edit(symbol).fixed = Some("blanks in a name vanish from some places");
        }
        let occurrence = self.builder.put(symbol, base.span(), true);
        occurrence.member = Some(squeezed(name.text));
        occurrence.whole = Some(whole);
        self.numbers(name);
        let docs = self.docs(whole);
        if !docs.is_empty() {
            self.builder.edit(symbol).docs = docs;
        }
    }

    /// The indexes of a name.
    fn numbers(&mut self, name: Text<'_>) {
        let mut at = name.text.find('(').unwrap_or(name.text.len());
        while let Some(from) = name.text[at..].find(|c: char| c.is_ascii_digit()) {
            let from = at + from;
            let rest = &name.text[from..];
            let len = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            self.builder
                .token(name.part(from, from + len), Class::Number);
            at = from + len;
        }
    }

    fn mention(&mut self, text: Text<'_>, kinds: &[Kind]) {
        self.numbers(text);
        self.strings.push(Mention {
            span: text.span(),
            text: text.text.to_owned(),
            kinds: kinds.to_vec(),
        });
    }

    fn pattern(&mut self, value: Text<'_>, kind: Kind) {
        self.holes(value, true);
        if base(value).text.len() < value.text.len() && value.text.contains('$') {
            self.families
                .push((kind, base(value).text.to_owned(), value.span().end));
        }
        self.mention(value, &[kind]);
    }

    /// The variables in a string or pattern.
    fn holes(&mut self, text: Text<'_>, definition: bool) {
        for (at, _) in text.text.match_indices('$') {
            let rest = &text.text[at + 1..];
            let start = at + 1 + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
            let name = &text.text[start..];
            let end = start + name.find(scan::is_separator).unwrap_or(name.len());
            self.variable(text.sub(start, end), definition);
        }
    }

    fn variable(&mut self, name: Text<'_>, definition: bool) {
        let symbol = self.builder.symbol(Kind::Variable, name.text);
        self.builder.edit(symbol).sigil = "$";
        self.builder.put(symbol, name.span(), definition);
    }

    fn definition(&mut self, definition: &RawDefinition<'_>) {
        let header = definition.header;
        let end = header.text.find(scan::is_separator);
        let name = header.sub(0, end.unwrap_or(header.text.len()));
        let symbol = self.builder.symbol(Kind::Function, name.text);
        self.builder.put(symbol, name.span(), true).whole = Some(definition.span);
        self.holes(header, true);
        let docs = self.docs(definition.span);
        let params = header.text.split('$').skip(1);
        let params = params.map(|rest| {
            let rest = rest.trim_start();
            let end = rest.find(scan::is_separator).unwrap_or(rest.len());
            format!("${}", &rest[..end])
        });
        let known = self.builder.edit(symbol);
        known.params = params.collect();
        header.text.clone_into(&mut known.detail);
        known.docs = docs;
        for line in &definition.body {
            self.expression(*line, false);
        }
        // `END` is the last line.
        let whole = self.source.slice(definition.span);
        if whole.len() >= 3 && whole[whole.len() - 3..].eq_ignore_ascii_case("END") {
            let end = definition.span.end;
            let span = Span::new(definition.span.file, end - 3, end);
            self.builder.token(span, Class::Keyword);
        }
    }

    fn expression(&mut self, text: Text<'_>, binds: bool) {
        let scan = Scan::new(text);
        let tokens = scan.tokens();
        let mut frames: Vec<Frame> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let word = text.sub(token.start, token.end);
            let next = tokens
                .get(at + 1)
                .map(|next| &text.text[next.start..next.end]);
            match token.kind {
                scan::Kind::Open => {
                    let before = at.checked_sub(1).map(|at| tokens[at]);
                    let called = before.filter(|before| {
                        word.text == "(" && matches!(before.kind, scan::Kind::Word)
                    });
                    if let Some(frame) = frames.last_mut() {
                        frame.tokens += 1;
                    }
                    frames.push(Frame {
                        name: called.map(|name| text.text[name.start..name.end].to_owned()),
                        start: word.span().start,
                        commas: Vec::new(),
                        tokens: 0,
                    });
                    continue;
                }
                scan::Kind::Close => {
                    self.close(frames.pop(), word.span().end);
                    continue;
                }
                scan::Kind::Comma => {
                    if let Some(frame) = frames.last_mut() {
                        frame.commas.push(word.span().start);
                        frame.tokens = 0;
                    }
                    continue;
                }
                scan::Kind::Keyword => self.builder.token(word.span(), Class::Keyword),
                scan::Kind::Operator => self.builder.token(word.span(), Class::Operator),
                scan::Kind::Word => self.word(word),
                scan::Kind::Value if word.text.starts_with('$') => {
                    let looped = frames.last().is_some_and(|frame| {
                        let name = frame.name.as_deref();
                        let first = frame.commas.is_empty() && frame.tokens == 0;
                        first && matches!(name, Some("FORALL" | "FORSOME"))
                    });
                    let name = word.sub(1, word.text.len()).trim();
                    self.variable(name, binds || looped || next == Some("="));
                }
                scan::Kind::Value if word.text.starts_with('"') => {
                    let alone = matches!(next, None | Some("," | ")"));
                    self.string(word, frames.last().filter(|_| alone));
                }
                scan::Kind::Value => self.builder.token(word.span(), Class::Number),
            }
            if let Some(frame) = frames.last_mut() {
                frame.tokens += 1;
            }
        }
        while let Some(frame) = frames.pop() {
            self.close(Some(frame), text.span().end);
        }
    }

    fn close(&mut self, frame: Option<Frame>, end: u32) {
        let Some(Frame {
            name: Some(name),
            start,
            commas,
            ..
        }) = frame
        else {
            return;
        };
        let span = Span::new(self.source.id(), start, end);
        self.builder.call(Call { name, span, commas });
    }

    fn word(&mut self, word: Text<'_>) {
        let text = word.text;
        let is_builtin = words::BUILTINS.iter().any(|known| known.name == text);
        if is_builtin {
            self.builder.token(word.span(), Class::Builtin);
        } else if matches!(text, "THEN" | "ELSE" | "TO")
            || text.eq_ignore_ascii_case("true")
            || text.eq_ignore_ascii_case("false")
        {
            self.builder.token(word.span(), Class::Keyword);
        } else {
            self.refer(Kind::Function, word);
        }
    }

    /// A string, and the call of which it is an argument as a whole, if it is.
    fn string(&mut self, word: Text<'_>, frame: Option<&Frame>) {
        let closed = word.text.len() > 1 && word.text.ends_with('"');
        let inner = word.sub(1, word.text.len() - usize::from(closed));
        self.builder.token(word.span(), Class::Text);
        self.holes(inner, false);
        let frame = frame.filter(|frame| frame.tokens == 0);
        let wanted = frame.and_then(|frame| {
            let name = frame.name.as_deref()?;
            let row = Builtin::TABLE.iter().find(|row| row.name == name)?;
            argument(row.builtin, frame.commas.len())
        });
        let kinds = match wanted {
            Some(kind) => vec![kind],
            None => INDEXED.into_iter().chain(PLAIN).collect(),
        };
        self.strings.push(Mention {
            span: inner.span(),
            text: inner.text.to_owned(),
            kinds,
        });
    }

    /// What the strings name, now that all names are known.
    fn strings(&mut self) {
        for mention in std::mem::take(&mut self.strings) {
            let text = Text::new(&mention.text, mention.span.file, mention.span.start);
            let base = base(text);
            if base.text.contains('$') {
                // The name is put together from parts.
                let prefix = base.text.split('$').next().unwrap_or_default();
                self.fix(&mention.kinds, prefix.trim());
                continue;
            }
            let mut found: Vec<usize> = Vec::new();
            for kind in mention.kinds.iter().copied() {
                let name = match INDEXED.contains(&kind) {
                    true => base.text,
                    false => text.trim().text,
                };
                found.extend(self.builder.find(kind, name));
            }
            let Some(&first) = found.first() else {
                // A broken file may lack the definition; one kind alone is known all the same.
                if let ([kind], false) = (mention.kinds.as_slice(), base.text.is_empty()) {
                    self.builder.refer(*kind, base.text, base.span());
                }
                continue;
            };
            for other in &found[1..] {
                self.builder.merge(first, *other);
            }
            let span = match INDEXED.contains(&self.builder.edit(first).kind) {
                true => base.span(),
                false => text.trim().span(),
            };
            let member = squeezed(&mention.text);
            self.builder.put(first, span, false).member = Some(member);
        }
    }

    /// Names that begin so and that a string makes while the game runs.
    fn fix(&mut self, kinds: &[Kind], prefix: &str) {
        for (_, symbol) in self.builder.symbols() {
            if kinds.contains(&symbol.kind) && symbol.name.starts_with(prefix) {
                symbol.fixed = Some("a string of the rules puts this name together from parts");
            }
        }
    }

    /// How many of each there are.
    fn describe(&mut self) {
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for (id, symbol) in self.builder.symbols() {
            if INDEXED.contains(&symbol.kind) {
                counts.push((id, 0));
            }
        }
        let index = self.builder.peek();
        for (id, count) in &mut counts {
            *count = index.of(*id).filter(|o| o.definition).count();
        }
        for (kind, name, at) in std::mem::take(&mut self.families) {
            let id = self.builder.find(kind, &name);
            let count = counts.iter().find(|(known, _)| Some(*known) == id);
            if let Some((_, count)) = count.filter(|(_, count)| *count > 0) {
                let noun = if kind == Kind::Place {
                    "place"
                } else {
                    "element"
                };
                let plural = if *count == 1 { "" } else { "s" };
                self.builder.hint(at, format!("of {count} {noun}{plural}"));
            }
        }
        for (id, count) in counts {
            let symbol = self.builder.edit(id);
            symbol.detail = match (count, symbol.kind) {
                (1, _) => String::new(),
                (count, Kind::Place) => format!("{count} places"),
                (count, _) => format!("{count} elements"),
            };
        }
    }

    fn outline(&mut self, pieces: &Pieces<'_>) {
        let mut headers: Vec<(Span, &str)> = Vec::new();
        for line in 1..=self.source.line_count() {
            let span = self.source.line_span(line);
            let text = Text::new(self.source.slice(span), span.file, span.start).trim();
            let title = text
                .text
                .strip_prefix('[')
                .and_then(|t| t.strip_suffix(']'));
            let title = title.map(|title| title.trim().to_uppercase());
            let known = title.and_then(|title| SECTIONS.iter().find(|s| s.title == title));
            headers.extend(known.map(|known| (text.span(), known.title)));
        }
        let mut parts: Vec<Outline> = pieces.records.iter().filter_map(record_outline).collect();
        parts.extend(pieces.definitions.iter().map(definition_outline));
        parts.sort_by_key(|part| part.span.start);
        let file_end = self.source.text().trim_end().len() as u32;
        for (at, (span, title)) in headers.iter().enumerate() {
            let end = headers.get(at + 1).map_or(file_end, |(next, _)| next.start);
            let inside: Vec<Outline> = parts
                .extract_if(.., |part| (span.start..end).contains(&part.span.start))
                .collect();
            let last = inside.last().map_or(span.end, |part| part.span.end);
            self.builder.outline(Outline {
                name: (*title).to_owned(),
                detail: String::new(),
                kind: Kind::Section,
                span: Span::new(span.file, span.start, last.max(span.end)),
                name_span: *span,
                parts: inside,
            });
        }
        parts
            .into_iter()
            .for_each(|part| self.builder.outline(part));
    }
}

/// What an argument of a builtin names, if it is a name.
fn argument(builtin: Builtin, at: usize) -> Option<Kind> {
    use Builtin::{
        Content, ElType, Empty, LocType, Location, Move, Owner, SetOwner, SetState, SetZIndex,
        State, ZIndex,
    };
    match (builtin, at) {
        (LocType | Content | Empty, 0) | (Move, 1 | 2) => Some(Kind::Place),
        (ElType | State | Location | Owner | ZIndex | Move, 0)
        | (SetOwner | SetState | SetZIndex, 0) => Some(Kind::Piece),
        _ => None,
    }
}

/// A name before its indexes.
fn base(name: Text<'_>) -> Text<'_> {
    let end = name.text.find('(').unwrap_or(name.text.len());
    name.sub(0, end).trim()
}

fn squeezed(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '\t')).collect()
}

fn record_outline(record: &Record<'_>) -> Option<Outline> {
    let first = record.entries.first()?;
    let kind = match record.section {
        Section::RealTypes | Section::ElementTypes => Kind::Type,
        Section::LocationTypes => Kind::PlaceType,
        Section::Locations => Kind::Place,
        Section::Elements => Kind::Piece,
        Section::Rules | Section::Scorings | Section::Endings => Kind::Rule,
        _ => return None,
    };
    let name = match first.value.text {
        "" => first.key.node.clone(),
        text => text.to_owned(),
    };
    let name_span = match first.value.text {
        "" => first.key.span,
        _ => first.value.span(),
    };
    Some(Outline {
        name,
        detail: String::new(),
        kind,
        span: record.span,
        name_span,
        parts: Vec::new(),
    })
}

fn definition_outline(definition: &RawDefinition<'_>) -> Outline {
    Outline {
        name: definition.header.text.to_owned(),
        detail: String::new(),
        kind: Kind::Function,
        span: definition.span,
        name_span: definition.header.span(),
        parts: Vec::new(),
    }
}

/// What may stand at a byte.
pub(super) fn expected(source: &SourceFile, at: u32) -> Expected {
    let line = source.position(at).line;
    let span = source.line_span(line);
    let at = at.min(span.end);
    let before = source.slice(Span::new(span.file, span.start, at));
    let mut expected = Expected {
        replace: word_around(source, span, at),
        ..Expected::default()
    };
    let trimmed = before.trim_start();
    if trimmed.starts_with("//") {
        return expected;
    }
    if trimmed.starts_with('[') || source.slice(span).trim_start().starts_with('[') {
        let line = Text::new(source.slice(span), span.file, span.start).trim();
        expected.replace = line.span();
        expected.words = words::sections();
        return expected;
    }
    let section = section_at(source, line);
    let Some((key, value)) = trimmed
        .split_once('=')
        .filter(|_| section != Section::Expressions)
    else {
        if section == Section::Expressions {
            in_expression(before, &mut expected);
        } else {
            expected.words = words::keys(section);
            expected.words.extend(words::sections());
            expected.around = ("", "");
        }
        return expected;
    };
    let key = key.trim().to_lowercase();
    match (section, key.as_str()) {
        (Section::Locations, "type") => expected.kinds.push(Kind::PlaceType),
        (Section::Elements, "type") | (Section::RealTypes, "name") => {
            expected.kinds.push(Kind::Type);
        }
        (Section::Elements, "location") => expected.kinds.push(Kind::Place),
        (Section::Rules, "element") => in_pattern(value, Kind::Piece, &mut expected),
        (Section::Rules, "from" | "to") => in_pattern(value, Kind::Place, &mut expected),
        (Section::LocationTypes, "shape") => expected.words = words::SHAPES.to_vec(),
        (Section::Rules, "name") => {}
        (Section::Rules | Section::Scorings | Section::Endings, _) => {
            in_expression(value, &mut expected);
        }
        _ => {}
    }
    expected
}

fn in_pattern(before: &str, kind: Kind, expected: &mut Expected) {
    match before
        .trim_end_matches(|c| !scan::is_separator(c))
        .ends_with('$')
    {
        true => expected.kinds.push(Kind::Variable),
        false => expected.kinds.push(kind),
    }
}

fn in_expression(before: &str, expected: &mut Expected) {
    let head = before.trim_end_matches(|c| !scan::is_separator(c));
    let quoted = before.matches('"').count() % 2 == 1;
    if head.ends_with('$') {
        expected.kinds.push(Kind::Variable);
    } else if quoted {
        expected.kinds.extend(INDEXED);
        expected.kinds.extend(PLAIN);
    } else {
        expected.words = words::expressions();
        expected.kinds.extend([Kind::Function, Kind::Variable]);
    }
}

/// The word at a byte of a line.
fn word_around(source: &SourceFile, line: Span, at: u32) -> Span {
    let text = source.slice(line);
    let offset = (at - line.start) as usize;
    let offset = text.floor_char_boundary(offset);
    let start = text[..offset]
        .rfind(scan::is_separator)
        .map_or(0, |at| at + 1);
    let rest = &text[offset..];
    let end = offset + rest.find(scan::is_separator).unwrap_or(rest.len());
    Span::new(
        line.file,
        line.start + start as u32,
        line.start + end as u32,
    )
}

/// The section that a line lies in.
fn section_at(source: &SourceFile, line: u32) -> Section {
    for line in (1..=line).rev() {
        let text = source.slice(source.line_span(line)).trim();
        let title = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        if let Some(title) = title.map(|title| title.trim().to_uppercase())
            && let Some(info) = SECTIONS.iter().find(|info| info.title == title)
        {
            return info.section;
        }
    }
    Section::Board
}

/// Whether a text can name something.
pub(super) fn is_name(kind: Kind, name: &str) -> bool {
    let plain = !name.is_empty() && !name.contains(scan::is_separator);
    let visible = !name.chars().any(char::is_control);
    let free = !words::expressions()
        .iter()
        .any(|word: &Word| word.name == name);
    let starts = !name.starts_with(|c: char| c.is_ascii_digit()) && !name.starts_with("//");
    match kind {
        Kind::Variable => plain && visible,
        Kind::Function => {
            let truth = name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false");
            let end = name.eq_ignore_ascii_case("end") || matches!(name, "THEN" | "ELSE" | "TO");
            plain && visible && free && starts && !truth && !end && name.chars().nth(1).is_some()
        }
        Kind::Player => visible && !name.trim().is_empty(),
        _ => plain && visible,
    }
}
