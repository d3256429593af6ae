//! From a file to its syntax tree.
//!
//! The file is split into lines, sections and records first, and each value and each line of an expression is read on
//! its own, so that every mistake of a file is found in one go.

use indexmap::{IndexMap, IndexSet};
use pest::Parser;

use super::ast::{
    Award, Definition, Element, ElementType, Ending, Expr, ExprKind, Game, Ident, IntPattern,
    Location, LocationType, Picture, Point, Range, RealType, Rule as GameRule, Scoring, Spanned,
};
use super::codes;
use super::expr;
use super::grammar::{Grammar, Rule};
use super::lines::{RawDefinition, Record, Section, split};
use super::scan::is_separator;
use super::text::Text;
use super::values;
use crate::diag::{Diagnostic, Diagnostics, general};
use crate::source::{SourceFile, Span};

/// Words of the texts that could not be read. They keep one mistake from being reported as many: a variable may be
/// assigned and an expression used there.
#[derive(Debug, Default)]
pub(super) struct Lost {
    words: IndexSet<String>,
}

impl Lost {
    /// Whether all was read.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a word, or a variable without its `$`, was lost.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    fn add(&mut self, text: &str) {
        // An empty text is a loss too.
        self.words.insert(String::new());
        self.words
            .extend(text.split(is_separator).map(str::to_owned));
    }
}

/// Reads a file. What cannot be read is left out of the tree and reported.
pub(super) fn parse(source: &SourceFile, diagnostics: &mut Diagnostics) -> (Game, Lost) {
    bad_bytes(source, diagnostics);
    let pieces = split(source, diagnostics);
    let mut reader = Reader::new(diagnostics);
    pieces.lost.iter().for_each(|line| reader.lost.add(line));
    for record in &pieces.records {
        if reader.record(record).is_none() {
            record
                .entries
                .iter()
                .for_each(|entry| reader.lost.add(entry.value.text));
        }
    }
    for definition in &pieces.definitions {
        reader.definition(definition);
    }
    reader.finish(Span::new(source.id(), 0, source.text().len() as u32))
}

/// One error for each line with bytes that are not UTF-8.
fn bad_bytes(source: &SourceFile, diagnostics: &mut Diagnostics) {
    let mut reported_to = 0;
    for bad in source.bad_bytes() {
        if bad.offset < reported_to {
            continue;
        }
        let line = source.line_span(source.position(bad.offset).line);
        reported_to = line.end;
        let span = Span::new(source.id(), bad.offset, bad.offset + 2);
        let message = format!("the byte 0x{:02x} is not UTF-8", bad.byte);
        let error = Diagnostic::new(&general::NOT_UTF8, span, message).label("shown as Latin-1");
        diagnostics.push(error.help("save the file as UTF-8"));
    }
}

/// Records with names: of several with one name the last counts.
struct Named<T> {
    kind: &'static str,
    list: Vec<(String, Span, T)>,
}

impl<T> Named<T> {
    const fn new(kind: &'static str) -> Self {
        Self {
            kind,
            list: Vec::new(),
        }
    }

    fn push(&mut self, name: &str, span: Span, record: T) {
        self.list.push((name.to_owned(), span, record));
    }

    fn finish(self, diagnostics: &mut Diagnostics) -> IndexMap<String, T> {
        let mut spans: IndexMap<String, Span> = IndexMap::new();
        let mut kept: Vec<(String, T)> = Vec::new();
        let mut ignored: Vec<Duplicate> = Vec::new();
        for (name, span, record) in self.list.into_iter().rev() {
            match spans.get(&name) {
                Some(&counts) => ignored.push(Duplicate { name, span, counts }),
                None => {
                    spans.insert(name.clone(), span);
                    kept.push((name, record));
                }
            }
        }
        ignored.reverse();
        report_duplicates(self.kind, &ignored, diagnostics);
        kept.into_iter().rev().collect()
    }
}

struct Duplicate {
    name: String,
    span: Span,
    counts: Span,
}

/// Duplicates come in whole blocks; a few are reported one by one, more of them together.
fn report_duplicates(kind: &str, ignored: &[Duplicate], diagnostics: &mut Diagnostics) {
    const EACH: usize = 3;
    let warning = |duplicate: &Duplicate, message: String| {
        let warning = Diagnostic::new(&codes::DUPLICATE, duplicate.span, message);
        warning
            .label("this one is ignored")
            .also(duplicate.counts, "this one counts")
    };
    if ignored.len() > EACH {
        let message = format!(
            "{} {kind}s are defined again later, the last ones count",
            ignored.len()
        );
        let names: IndexSet<String> = ignored
            .iter()
            .map(|duplicate| format!("`{}`", duplicate.name))
            .collect();
        let more = if names.len() > 8 {
            format!(", ... and {} more", names.len() - 8)
        } else {
            String::new()
        };
        let shown = names.into_iter().take(8).collect::<Vec<_>>().join(", ");
        diagnostics.push(warning(&ignored[0], message).note(format!("{shown}{more}")));
        return;
    }
    for duplicate in ignored {
        let message = format!(
            "the {kind} `{}` is defined twice, the last one counts",
            duplicate.name
        );
        diagnostics.push(warning(duplicate, message));
    }
}

struct Reader<'d> {
    lost: Lost,
    diagnostics: &'d mut Diagnostics,
    board_image: Option<Ident>,
    real_types: Vec<RealType>,
    element_types: Named<ElementType>,
    location_types: Named<LocationType>,
    locations: Named<Location>,
    players: Vec<Ident>,
    initial_score: Option<Spanned<i32>>,
    elements: Named<Element>,
    expressions: Named<Definition>,
    scorings: Vec<Scoring>,
    endings: Vec<Ending>,
    rules: Named<GameRule>,
}

impl<'d> Reader<'d> {
    fn new(diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            lost: Lost::default(),
            diagnostics,
            board_image: None,
            real_types: Vec::new(),
            element_types: Named::new("element type"),
            location_types: Named::new("location type"),
            locations: Named::new("location"),
            players: Vec::new(),
            initial_score: None,
            elements: Named::new("element"),
            expressions: Named::new("expression"),
            scorings: Vec::new(),
            endings: Vec::new(),
            rules: Named::new("rule"),
        }
    }

    fn finish(self, span: Span) -> (Game, Lost) {
        let diagnostics = self.diagnostics;
        let game = Game {
            span,
            board_image: self.board_image,
            real_types: self.real_types,
            element_types: self.element_types.finish(diagnostics),
            location_types: self.location_types.finish(diagnostics),
            locations: self.locations.finish(diagnostics),
            players: self.players,
            initial_score: self.initial_score,
            elements: self.elements.finish(diagnostics),
            expressions: self.expressions.finish(diagnostics),
            scorings: self.scorings,
            endings: self.endings,
            rules: self.rules.finish(diagnostics),
        };
        (game, self.lost)
    }

    /// Reads a record; `None` means that it is left out and an error says why.
    fn record(&mut self, record: &Record<'_>) -> Option<()> {
        match record.section {
            Section::Board => {
                self.board_image = record
                    .get("image")
                    .and_then(|value| values::ident(value, self.diagnostics));
            }
            Section::RealTypes => {
                let real_type = self.real_type(record)?;
                self.real_types.push(real_type);
            }
            Section::ElementTypes => {
                let ty = self.element_type(record)?;
                self.element_types
                    .push(&ty.name.node.clone(), ty.name.span, ty);
            }
            Section::LocationTypes => {
                let ty = self.location_type(record)?;
                self.location_types
                    .push(&ty.name.node.clone(), ty.name.span, ty);
            }
            Section::Locations => {
                let location = self.location(record)?;
                self.locations
                    .push(&location.name.text.clone(), location.name.span, location);
            }
            Section::Players => self.players(record),
            Section::Elements => {
                let element = self.element(record)?;
                self.elements
                    .push(&element.name.text.clone(), element.name.span, element);
            }
            Section::Scorings => {
                let scoring = self.scoring(record)?;
                self.scorings.push(scoring);
            }
            Section::Endings => {
                let ending = self.ending(record)?;
                self.endings.push(ending);
            }
            Section::Rules => {
                let rule = self.rule(record)?;
                self.rules
                    .push(&rule.name.node.clone(), rule.name.span, rule);
            }
            Section::Expressions => {}
        }
        Some(())
    }

    /// The value of a key that has no default.
    fn required<'a>(&mut self, record: &Record<'a>, key: &str) -> Option<Text<'a>> {
        let value = record.get(key);
        if value.is_none() {
            let first = &record.entries[0];
            let span = first.key.span.to(first.value.span());
            let message = format!("the record has no `{key}`");
            let error = Diagnostic::new(&codes::MISSING_KEY, span, message).label("in this record");
            self.diagnostics
                .push(error.help(format!("add a line `{key}=...`")));
        }
        value
    }

    /// The value of a key, or its default if it is absent or cannot be read.
    fn optional<T>(
        &mut self,
        record: &Record<'_>,
        key: &str,
        default: T,
        read: impl FnOnce(Text<'_>, &mut Diagnostics) -> Option<T>,
    ) -> T {
        let value = record
            .get(key)
            .and_then(|value| read(value, self.diagnostics));
        value.unwrap_or(default)
    }

    fn ident(&mut self, record: &Record<'_>, key: &str) -> Option<Ident> {
        let value = self.required(record, key)?;
        values::ident(value, self.diagnostics)
    }

    fn expr(&mut self, value: Text<'_>) -> Option<Expr> {
        let expr = expr::parse(value, self.diagnostics);
        if expr.is_none() {
            self.lost.add(value.text);
        }
        expr
    }

    fn real_type(&mut self, record: &Record<'_>) -> Option<RealType> {
        let name = self.ident(record, "name")?;
        let mut float = |key| self.optional(record, key, 0.0, values::float);
        let hue = Range {
            min: float("hueMin"),
            max: float("hueMax"),
        };
        let saturation = Range {
            min: float("saturationMin"),
            max: float("saturationMax"),
        };
        let value = Range {
            min: float("valueMin"),
            max: float("valueMax"),
        };
        let mut int = |key, default| {
            self.optional(record, key, Spanned::new(default, name.span), values::int)
        };
        let size = Range {
            min: int("sizeMin", 0).node,
            max: int("sizeMax", 0).node,
        };
        let state = int("state", 1);
        Some(RealType {
            name,
            state,
            hue,
            saturation,
            value,
            size,
            span: record.span,
        })
    }

    fn element_type(&mut self, record: &Record<'_>) -> Option<ElementType> {
        let name = self.ident(record, "name")?;
        // A number that cannot be read must not make errors of all that counts states.
        let states = record
            .get("states")
            .map_or(Spanned::new(0, name.span), |value| {
                values::int(value, self.diagnostics).unwrap_or(Spanned::new(i32::MAX, value.span()))
            });
        let pictures = self.pictures(record);
        if let Some(surplus) = pictures.get(states.node.max(0) as usize) {
            let message = format!("`{}` has more pictures than states", name.node);
            let error = Diagnostic::new(&codes::TOO_MANY_PICTURES, surplus.image.span, message);
            let error = error.label("no state is left for this one");
            self.diagnostics.push(match record.get("states") {
                Some(_) => error.also(states.span, "number of states"),
                None => error.help("add `states=` before the pictures"),
            });
        }
        let position = |key: &str| {
            record
                .entries
                .iter()
                .position(|entry| entry.key.node == key)
        };
        let late = position("point")
            .zip(position("states"))
            .is_some_and(|(point, at)| point < at);
        if late {
            let message = "`states` after the first picture";
            let warning = Diagnostic::new(&codes::ORDER, states.span, message);
            self.diagnostics
                .push(warning.help("write `states` right after `name`"));
        }
        Some(ElementType {
            name,
            states,
            pictures,
            span: record.span,
        })
    }

    /// Pairs of `image` and `point`; a pair is complete with its point.
    fn pictures(&mut self, record: &Record<'_>) -> Vec<Picture> {
        let mut pictures = Vec::new();
        let mut image: Option<Ident> = None;
        let lonely = |span, message: &str, help: &str| {
            Diagnostic::new(&codes::PICTURE, span, message).help(help)
        };
        for entry in &record.entries {
            match entry.key.node.as_str() {
                "image" => {
                    let next = values::ident(entry.value, self.diagnostics);
                    if let Some(before) = std::mem::replace(&mut image, next) {
                        let message = "an image without its point is not used";
                        self.diagnostics.push(lonely(
                            before.span,
                            message,
                            "add `point=x,y` after it",
                        ));
                    }
                }
                "point" => {
                    let point = values::point(entry.value, self.diagnostics).unwrap_or_default();
                    match image.take() {
                        Some(image) => pictures.push(Picture { image, point }),
                        None => {
                            let message = "a point without its image is not used";
                            self.diagnostics.push(lonely(
                                entry.key.span,
                                message,
                                "add `image=` before it",
                            ));
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(image) = image {
            let message = "an image without its point is not used";
            self.diagnostics
                .push(lonely(image.span, message, "add `point=x,y` after it"));
        }
        pictures
    }

    fn location_type(&mut self, record: &Record<'_>) -> Option<LocationType> {
        let name = self.ident(record, "name")?;
        let image = record
            .get("image")
            .and_then(|value| values::ident(value, self.diagnostics));
        let point = self.optional(record, "point", Point::default(), values::point);
        if record.get("point").is_none() {
            let message = format!("the location type `{}` has no point", name.node);
            let warning = Diagnostic::new(&codes::PICTURE, name.span, message);
            self.diagnostics
                .push(warning.note("the original engine does not know the type without it"));
        }
        let size = record.get("size");
        let shape = record
            .get("shape")
            .and_then(|value| values::shape(value, size, self.diagnostics));
        let relevant = record
            .get("relevant")
            .is_none_or(|value| values::relevant(value, self.diagnostics));
        Some(LocationType {
            name,
            image,
            point,
            shape,
            relevant,
            span: record.span,
        })
    }

    fn location(&mut self, record: &Record<'_>) -> Option<Location> {
        let name = self.required(record, "name")?;
        let name = values::name(name, self.diagnostics);
        let ty = self.ident(record, "type");
        let point = self.optional(record, "point", Point::default(), values::point);
        let camera = record
            .get("camera")
            .and_then(|value| values::point(value, self.diagnostics));
        let robot = record
            .get("robot")
            .and_then(|value| values::robot(value, self.diagnostics));
        Some(Location {
            name: name?,
            ty: ty?,
            point,
            camera,
            robot,
            span: record.span,
        })
    }

    fn players(&mut self, record: &Record<'_>) {
        for score in record.all("score") {
            let Some(score) = values::int(score, self.diagnostics) else {
                continue;
            };
            if let Some(earlier) = self
                .initial_score
                .replace(score)
                .filter(|earlier| earlier.node != score.node)
            {
                let message = "all players start with one score, the last one counts";
                let warning = Diagnostic::new(&codes::DUPLICATE_KEY, earlier.span, message);
                let warning = warning.label("this one is ignored");
                self.diagnostics
                    .push(warning.also(score.span, "this one counts"));
            }
        }
        for entry in record
            .entries
            .iter()
            .filter(|entry| entry.key.node != "score")
        {
            let expected = self.players.len() + 1;
            let name = values::ident(entry.value, self.diagnostics);
            if entry.key.node.parse() != Ok(expected) {
                let message = format!("expected player {expected}, found `{}`", entry.key.node);
                let error = Diagnostic::new(&codes::PLAYER_NUMBERS, entry.key.span, message);
                self.diagnostics
                    .push(error.note("players are numbered 1, 2, ... in the order of the lines"));
            }
            self.players
                .push(name.unwrap_or(Spanned::new(String::new(), entry.key.span)));
        }
    }

    fn element(&mut self, record: &Record<'_>) -> Option<Element> {
        let name = self.required(record, "name")?;
        let name = values::name(name, self.diagnostics);
        let ty = self.ident(record, "type");
        let location = self.required(record, "location");
        let location = location
            .and_then(|value| values::ident(value, self.diagnostics))
            .map(|mut ident| {
                ident.node.retain(|c| !matches!(c, ' ' | '\t'));
                ident
            });
        let (name, ty, location) = (name?, ty?, location?);
        let mut int = |key, default| {
            self.optional(record, key, Spanned::new(default, name.span), values::int)
        };
        let (player, state, zindex) = (int("player", 0), int("state", 1), int("zindex", 0).node);
        Some(Element {
            name,
            ty,
            location,
            player,
            state,
            zindex,
            span: record.span,
        })
    }

    fn scoring(&mut self, record: &Record<'_>) -> Option<Scoring> {
        let situation = self.required(record, "situation")?;
        let situation = self.expr(situation);
        let awards = self.awards(record, "player", "score");
        Some(Scoring {
            situation: situation?,
            awards: awards?,
            span: record.span,
        })
    }

    fn ending(&mut self, record: &Record<'_>) -> Option<Ending> {
        let situation = self.required(record, "situation")?;
        let situation = self.expr(situation);
        let winner = self
            .required(record, "winner")
            .and_then(|value| self.expr(value));
        Some(Ending {
            situation: situation?,
            winner: winner?,
            span: record.span,
        })
    }

    fn awards(
        &mut self,
        record: &Record<'_>,
        player_key: &str,
        score_key: &str,
    ) -> Option<Vec<Award>> {
        let players: Vec<Text<'_>> = record.all(player_key).collect();
        let scores: Vec<Text<'_>> = record.all(score_key).collect();
        if players.len() != scores.len() {
            let shorter = players.len().min(scores.len());
            let lonely = players.get(shorter).or(scores.get(shorter))?;
            let (here, missing) = if players.len() > shorter {
                (player_key, score_key)
            } else {
                (score_key, player_key)
            };
            let message = format!("this `{here}` has no `{missing}`");
            let error = Diagnostic::new(&codes::UNPAIRED_AWARDS, lonely.span(), message);
            let counts = format!(
                "`{player_key}`: {}, `{score_key}`: {}",
                players.len(),
                scores.len()
            );
            self.diagnostics.push(error.note(counts));
        }
        let mut awards = Vec::new();
        for (player, amount) in players.into_iter().zip(scores) {
            let (player, amount) = (self.expr(player), self.expr(amount));
            awards.extend(
                player
                    .zip(amount)
                    .map(|(player, amount)| Award { player, amount }),
            );
        }
        Some(awards)
    }

    fn rule(&mut self, record: &Record<'_>) -> Option<GameRule> {
        let name = self.ident(record, "name");
        let mut pattern = |key| {
            let value = self.required(record, key)?;
            values::pattern(value, self.diagnostics)
        };
        let (element, from, to) = (pattern("element"), pattern("from"), pattern("to"));
        let mut int_pattern = |key| {
            let expr = self.expr(record.get(key)?)?;
            Some(match expr.kind {
                ExprKind::Var(name) => IntPattern::Bind(Spanned::new(name, expr.span)),
                _ => IntPattern::Equals(expr),
            })
        };
        let (state, player) = (int_pattern("state"), int_pattern("player"));
        let mut expr = |key| record.get(key).and_then(|value| self.expr(value));
        let (condition, followup, targets) =
            (expr("condition"), expr("followup"), expr("toLocations"));
        let awards = self
            .awards(record, "awardPlayer", "withScore")
            .unwrap_or_default();
        Some(GameRule {
            name: name?,
            element: element?,
            from: from?,
            to: to?,
            state,
            player,
            condition,
            awards,
            followup,
            targets,
            span: record.span,
        })
    }

    fn definition(&mut self, raw: &RawDefinition<'_>) {
        let header = self.header(raw.header);
        let body: Vec<Expr> = raw
            .body
            .iter()
            .filter_map(|line| self.expr(*line))
            .collect();
        if body.len() < raw.body.len() {
            self.lost.add(raw.header.text);
        }
        if let Some((name, params)) = header {
            self.expressions.push(
                &name.node.clone(),
                name.span,
                Definition {
                    name,
                    params,
                    body,
                    span: raw.span,
                },
            );
        }
    }

    fn header(&mut self, header: Text<'_>) -> Option<(Ident, Vec<Ident>)> {
        let Ok(mut pairs) = Grammar::parse(Rule::header, header.text) else {
            let error = Diagnostic::new(
                &codes::BAD_HEADER,
                header.span(),
                "expected the header of an expression",
            );
            self.diagnostics
                .push(error.help("write `Name` or `Name($A,$B)`"));
            self.lost.add(header.text);
            return None;
        };
        let mut inner = pairs.next()?.into_inner();
        let name = inner.next()?;
        let name = Spanned::new(name.as_str().to_owned(), header.span_of(&name));
        let params = inner.filter(|pair| pair.as_rule() == Rule::variable);
        let params = params.map(|pair| expr::variable(header, pair)).collect();
        let after_name = (name.span.end - header.span().start) as usize;
        if header.text[after_name..].starts_with([' ', '\t']) {
            let warning = Diagnostic::new(
                &codes::BLANKS,
                name.span.after(),
                "a blank before the parenthesis",
            );
            let note =
                "the original engine takes it as part of the name, which then cannot be called";
            self.diagnostics.push(warning.note(note));
        }
        Some((name, params))
    }
}
