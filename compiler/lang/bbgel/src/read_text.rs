//! Worlds as plain text: a form of our own for boards without the editor.
//!
//! Lines that begin in the first column say what comes; indented lines below them are commands.
//!
//! ```text
//! # A remark.
//! setup:
//!     game { maxDiceValue 4 }
//!     2 players { int gold {15} = 0 }
//!
//! tile west at 0 0 size 400 300:
//! border right 9 at 150 next 3
//! field 1 "Start" at 20 20 -> 2:
//!     game_start()
//! field 2 -> 9:
//!     gold++
//! ```
//!
//! `-> N` is `control goto N`. Without a `tile` line all fields are on one tile. `start N` and `end N` choose single tile
//! mode with these fields; `cost NAME SECONDS` sets what an event takes; `name WORDS` names the game.

use super::codes;
use super::text::Text;
use super::world::{Border, COSTS, Field, Side, Single, Target, Tile, World, usual_costs};
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::{SourceFile, Span};

/// The words that a line may begin with.
const HEADS: &[&str] = &[
    "setup", "tile", "field", "border", "start", "end", "cost", "name",
];

/// The least board that can be played, for a file without one.
const FIRST_FIELDS: &str = r#"field 1 "start" -> 2:
    game_start()
field 2 -> 3:
field 3 "end":
    force
    game_end()
"#;

/// Fields in a row of a board whose fields have no places.
const ROW: usize = 8;
/// Pixels from one such field to the next, and of its side.
const PITCH: (f64, f64) = (56.0, 44.0);

/// Reads a file; nothing if it has no field.
pub(super) fn read(source: &SourceFile, name: &str, out: &mut Diagnostics) -> Option<World> {
    let mut reader = Reader {
        source,
        out,
        world: World {
            name: name.to_owned(),
            setup: Text::empty(Span::new(source.id(), 0, 0)),
            tiles: Vec::new(),
            placements: Vec::new(),
            single: None,
            costs: usual_costs(),
            span: source.line_span(1),
            unread: false,
        },
        setup_at: None,
    };
    reader.lines();
    let mut world = reader.world;
    if world.tiles.iter().all(|tile| tile.fields.is_empty()) {
        let message = "the board has no field";
        let found = Diagnostic::new(&codes::NO_BOARD, world.span, message);
        let end = source.text().len() as u32;
        let end = Span::new(source.id(), end, end);
        let text = match source.text() {
            "" => FIRST_FIELDS.to_owned(),
            text if text.ends_with('\n') => FIRST_FIELDS.to_owned(),
            _ => format!("\n{FIRST_FIELDS}"),
        };
        let help = "a line such as `field 1 -> 2:` begins a field";
        out.push(found.fix(help, end, text));
        return None;
    }
    for (index, tile) in world.tiles.iter_mut().enumerate() {
        lay_out(tile);
        world.placements.push((tile.at, index));
    }
    Some(world)
}

/// Fields without places stand in rows that turn around and go up, as on many boards.
fn lay_out(tile: &mut Tile) {
    if tile.fields.iter().any(|field| field.area.is_some()) {
        return;
    }
    let count = tile.fields.len().max(1);
    let columns = columns(count);
    let rows = count.div_ceil(columns);
    for (number, field) in tile.fields.iter_mut().enumerate() {
        let (row, column) = (number / columns, number % columns);
        let column = if row % 2 == 0 {
            column
        } else {
            columns - 1 - column
        };
        field.area = Some([
            PITCH.0 * column as f64 + 8.0,
            PITCH.0 * (rows - 1 - row) as f64 + 8.0,
            PITCH.1,
            PITCH.1,
        ]);
    }
    tile.size = (PITCH.0 * columns as f64 + 4.0, PITCH.0 * rows as f64 + 4.0);
}

/// How many fields stand in a row: few stand in one, more in a board that is a little wider than high, whose last row is
/// as full as may be.
fn columns(count: usize) -> usize {
    if count <= ROW {
        return count.max(1);
    }
    let best = (count as f64 * 1.2).sqrt();
    let cost = |columns: &usize| {
        let missing = columns * count.div_ceil(*columns) - count;
        (10.0 * ((*columns as f64 - best).abs() + missing as f64)) as u64
    };
    let least = (best * 0.7) as usize;
    (least.max(2)..=least * 2).min_by_key(cost).unwrap_or(ROW)
}

struct Reader<'a> {
    source: &'a SourceFile,
    out: &'a mut Diagnostics,
    world: World,
    setup_at: Option<Span>,
}

/// A word of a line.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    span: Span,
    quoted: bool,
}

/// A mistake that was told.
struct Reported;

type Read<T> = Result<T, Reported>;

impl Reader<'_> {
    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Read<T> {
        self.out
            .push(Diagnostic::new(&codes::BAD_LINE, span, message.into()));
        Err(Reported)
    }

    fn lines(&mut self) {
        let count = self.source.line_count();
        let mut line = 1;
        while line <= count {
            let span = self.source.line_span(line);
            let text = self.source.slice(span);
            let first = line;
            line += 1;
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            if is_indented(text) {
                let message = "these commands belong to nothing";
                let found = Diagnostic::new(&codes::BAD_LINE, span, message)
                    .help("commands stand below `setup:` or a `field` line, further in");
                self.out.push(found);
                while line <= count && self.is_inside(line) {
                    line += 1;
                }
                continue;
            }
            while line <= count && self.is_inside(line) {
                line += 1;
            }
            self.entry(first, line);
        }
    }

    /// Whether a line continues what stands above it.
    fn is_inside(&self, line: u32) -> bool {
        let text = self.source.slice(self.source.line_span(line));
        text.trim().is_empty() || is_indented(text)
    }

    /// A line that begins something, and the commands below it up to another line.
    fn entry(&mut self, first: u32, end: u32) {
        let span = self.source.line_span(first);
        let Ok(words) = self.words(span) else {
            self.world.unread = true;
            return;
        };
        let commands = self.commands(first + 1, end);
        let Some(head) = words.first().cloned() else {
            return;
        };
        let mut line = Line {
            words: words.into_iter().skip(1).collect(),
            at: 0,
            end: span,
            open: false,
        };
        line.open = line
            .words
            .last()
            .is_some_and(|word| !word.quoted && word.text == ":");
        if line.open {
            line.words.pop();
        }
        let has_text = commands.is_some();
        // A misspelt word is told of, and the line read as the word it is near to.
        let kind = match HEADS.contains(&head.text.as_str()) {
            true => head.text.as_str(),
            false => self.unknown_head(&head).unwrap_or_default(),
        };
        let read = match kind {
            "setup" => self.setup(&head, line, commands),
            "field" => self.field(&head, line, commands),
            "tile" => self.tile(&head, line),
            "border" => self.border(line),
            "start" | "end" => self.single(kind, line),
            "cost" => self.cost(line),
            "name" => self.name(line),
            _ => {
                self.world.unread = true;
                return;
            }
        };
        self.world.unread |= read.is_err();
        if has_text && !matches!(kind, "setup" | "field") {
            let mut lines = first + 1..=self.source.line_count();
            let text = |line: u32| self.source.slice(self.source.line_span(line));
            let filled = lines.find(|line| !text(*line).trim().is_empty());
            let span = self.source.line_span(filled.unwrap_or(first + 1));
            let message = format!("a `{kind}` has no commands");
            let found = Diagnostic::new(&codes::BAD_LINE, span, message);
            let mut before = (1..first).map(text);
            let has_setup = before.any(|line| line.trim_start().starts_with("setup"));
            self.out
                .push(match has_setup || kind == "tile" || kind == "border" {
                    true => found,
                    false => found.help("is a line `setup:` missing before it?"),
                });
        }
    }

    /// Tells of a line that begins with no known word; the word that it is near to.
    fn unknown_head(&mut self, head: &Word) -> Option<&'static str> {
        let message = format!("no line begins with `{}`", head.text);
        let found = Diagnostic::new(&codes::BAD_LINE, head.span, message);
        let near = crate::diag::closest(&head.text, HEADS.iter().copied());
        self.out.push(match near {
            Some(near) => found.fix(format!("did you mean `{near}`?"), head.span, near),
            None => found
                .help("commands stand further in, below `setup:` or a `field` line")
                .note(format!("lines begin with {}", HEADS.join(", "))),
        });
        near
    }

    /// The commands in some lines.
    fn commands(&self, first: u32, end: u32) -> Option<Text> {
        let lines = first..end;
        let mut filled = lines.filter(|line| {
            let text = self.source.slice(self.source.line_span(*line));
            !text.trim().is_empty()
        });
        let from = filled.next()?;
        let to = filled.next_back().unwrap_or(from);
        let span = self.source.line_span(from).to(self.source.line_span(to));
        Some(Text::plain(self.source, span))
    }

    fn words(&mut self, span: Span) -> Read<Vec<Word>> {
        let text = self.source.slice(span).to_owned();
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            if c.is_whitespace() {
                at += c.len_utf8();
                continue;
            }
            if c == '#' {
                break;
            }
            let rest = &text[at..];
            let place = |len: usize| {
                Span::new(
                    span.file,
                    span.start + at as u32,
                    span.start + (at + len) as u32,
                )
            };
            if c == '"' {
                let Some(len) = rest[1..].find('"') else {
                    let place = place(rest.len());
                    return self.error(place, "this text has no closing quote");
                };
                words.push(Word {
                    text: rest[1..=len].to_owned(),
                    span: place(len + 2),
                    quoted: true,
                });
                at += len + 2;
                continue;
            }
            let len = match c {
                ':' => 1,
                _ => rest
                    .find(|c: char| c.is_whitespace() || c == ':' || c == '"')
                    .unwrap_or(rest.len()),
            };
            words.push(Word {
                text: rest[..len].to_owned(),
                span: place(len),
                quoted: false,
            });
            at += len;
        }
        Ok(words)
    }

    fn setup(&mut self, head: &Word, mut line: Line, commands: Option<Text>) -> Read<()> {
        self.finish(&mut line)?;
        if let Some(first) = self.setup_at {
            let found = Diagnostic::new(&codes::BAD_LINE, head.span, "there are two setups")
                .also(first, "the first one");
            self.out.push(found);
            return Err(Reported);
        }
        self.setup_at = Some(head.span);
        if let Some(commands) = commands {
            self.world.setup = commands;
        }
        Ok(())
    }

    /// The tile that fields belong to now.
    fn here(&mut self) -> &mut Tile {
        if self.world.tiles.is_empty() {
            let span = self.world.span;
            self.world.tiles.push(empty_tile("board", (0, 0), span));
        }
        let last = self.world.tiles.len() - 1;
        &mut self.world.tiles[last]
    }

    fn tile(&mut self, head: &Word, mut line: Line) -> Read<()> {
        let name = match line.next() {
            Some(word) => word,
            None => return self.error(head.span, "a tile needs a name"),
        };
        let span = name.span;
        let mut tile = empty_tile(&name.text, (0, 0), span);
        if let Some(other) = self
            .world
            .tiles
            .iter()
            .find(|other| other.name == tile.name)
        {
            let message = format!("there are two tiles `{}`", tile.name);
            let found = Diagnostic::new(&codes::TILE_TWICE, span, message)
                .also(other.span, "the first one");
            self.out.push(found);
            return Err(Reported);
        }
        if line.eat("at") {
            tile.at = (
                self.integer(&mut line, "a column")?,
                self.integer(&mut line, "a row")?,
            );
        }
        if line.eat("size") {
            tile.size = (
                self.measure(&mut line, "a width")?,
                self.measure(&mut line, "a height")?,
            );
        }
        if self.world.tiles.iter().any(|other| other.at == tile.at) {
            let (x, y) = tile.at;
            let message = format!("there is a tile already in column {x}, row {y}");
            let found = Diagnostic::new(&codes::SAME_PLACE, span, message);
            self.out
                .push(found.help("`tile NAME at COLUMN ROW:` places a tile"));
        }
        self.finish(&mut line)?;
        self.world.tiles.push(tile);
        Ok(())
    }

    fn field(&mut self, head: &Word, mut line: Line, commands: Option<Text>) -> Read<()> {
        let Some(number) = line.next() else {
            return self.error(head.span, "a field needs a number");
        };
        let id = match number.text.parse::<i64>() {
            Ok(id) if id >= 0 => id,
            _ => return self.error(number.span, "the number of a field is needed here"),
        };
        let mut field = Field {
            id,
            text: Some(commands.unwrap_or_else(|| Text::empty(line.end))),
            link: None,
            label: String::new(),
            area: None,
            span: number.span,
        };
        if let Some(label) = line.next_quoted() {
            field.label = label;
        }
        if line.eat("at") {
            let x = self.measure(&mut line, "a distance from the left")?;
            let y = self.measure(&mut line, "a distance from the top")?;
            field.area = Some([x, y, PITCH.1, PITCH.1]);
        }
        if line.eat("size") {
            let width = self.measure(&mut line, "a width")?;
            let height = self.measure(&mut line, "a height")?;
            let [x, y, ..] = field.area.unwrap_or_default();
            field.area = Some([x, y, width.max(1.0), height.max(1.0)]);
        }
        if line.eat("->") {
            let span = line.place();
            let id = self.integer(&mut line, "the number of the next field")?;
            field.link = Some(Target { id, span });
        }
        let done = self.finish(&mut line);
        self.here().fields.push(field);
        done
    }

    fn border(&mut self, mut line: Line) -> Read<()> {
        let span = line.place();
        let word = line.next().map(|word| word.text).unwrap_or_default();
        let Some(side) = Side::ALL.into_iter().find(|side| side.word() == word) else {
            let known = Side::ALL.iter().map(|side| side.word());
            let found =
                Diagnostic::new(&codes::BAD_LINE, span, "a side of the tile is needed here")
                    .help("one of `bottom`, `top`, `left`, `right`")
                    .did_you_mean(&word, span, known);
            self.out.push(found);
            return Err(Reported);
        };
        let span = line.place();
        let id = self.integer(&mut line, "the number of the border point")?;
        let along = match line.eat("at") {
            true => self.measure(&mut line, "a distance along the edge")?,
            false => 0.0,
        };
        let next = match line.eat("next") {
            true => {
                let span = line.place();
                let id = self.integer(&mut line, "the number of a field")?;
                Some(Target { id, span })
            }
            false => None,
        };
        self.finish(&mut line)?;
        self.here().borders[side as usize].push(Border {
            id,
            along,
            next,
            span,
        });
        Ok(())
    }

    fn single(&mut self, kind: &str, mut line: Line) -> Read<()> {
        let span = line.place();
        let id = self.integer(&mut line, "the number of a field")?;
        let single = self.world.single.get_or_insert_with(Single::default);
        let list = match kind {
            "start" => &mut single.start,
            _ => &mut single.end,
        };
        list.push(Target { id, span });
        self.finish(&mut line)
    }

    fn cost(&mut self, mut line: Line) -> Read<()> {
        let span = line.place();
        let word = line.next().map(|word| word.text).unwrap_or_default();
        let Some(at) = COSTS.iter().position(|(name, _)| *name == word) else {
            let message = format!("no event is called `{word}`");
            let found = Diagnostic::new(&codes::BAD_LINE, span, message);
            let known = COSTS.iter().map(|(name, _)| *name);
            self.out.push(found.did_you_mean(&word, span, known));
            return Err(Reported);
        };
        self.world.costs[at] = self.measure(&mut line, "a number of seconds")?;
        self.finish(&mut line)
    }

    fn name(&mut self, mut line: Line) -> Read<()> {
        let words: Vec<String> = std::iter::from_fn(|| line.next().map(|word| word.text)).collect();
        if words.is_empty() {
            return self.error(line.end, "a name is needed here");
        }
        self.world.name = words.join(" ");
        Ok(())
    }

    fn integer(&mut self, line: &mut Line, what: &str) -> Read<i64> {
        let span = line.place();
        let word = line.next();
        match word.and_then(|word| word.text.parse().ok()) {
            Some(value) => Ok(value),
            None => self.error(span, format!("{what} is needed here")),
        }
    }

    fn measure(&mut self, line: &mut Line, what: &str) -> Read<f64> {
        let span = line.place();
        let word = line.next();
        let value = word.and_then(|word| word.text.parse::<f64>().ok());
        match value.filter(|value| (0.0..=1e6).contains(value)) {
            Some(value) => Ok(value),
            None => self.error(span, format!("{what} is needed here, from 0 to 1000000")),
        }
    }

    fn finish(&mut self, line: &mut Line) -> Read<()> {
        let span = line.place();
        match line.next() {
            None => Ok(()),
            Some(word) => {
                let message = format!("`{}` has no meaning here", word.text);
                let found = Diagnostic::new(&codes::BAD_LINE, span, message);
                self.out.push(match word.text.as_str() {
                    "-" | "=>" | "-->" | ">" | "=" | "→" => {
                        found.fix("the next field stands behind `->`", span, "->")
                    }
                    _ => found,
                });
                Err(Reported)
            }
        }
    }
}

/// The words of a line behind its first.
struct Line {
    words: Vec<Word>,
    at: usize,
    /// The whole line.
    end: Span,
    /// Whether it ends in a colon.
    open: bool,
}

impl Line {
    fn next(&mut self) -> Option<Word> {
        let word = self.words.get(self.at).cloned();
        self.at += usize::from(word.is_some());
        word
    }

    fn next_quoted(&mut self) -> Option<String> {
        let quoted = self.words.get(self.at).is_some_and(|word| word.quoted);
        quoted.then(|| self.next().map(|word| word.text).unwrap_or_default())
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self
            .words
            .get(self.at)
            .is_some_and(|found| !found.quoted && found.text == word);
        self.at += usize::from(found);
        found
    }

    /// The place of the next word, or behind the last one, or of the line if there is none.
    fn place(&self) -> Span {
        let before = || self.words.get(self.at.checked_sub(1)?);
        match (self.words.get(self.at), before()) {
            (Some(word), _) => word.span,
            (None, Some(before)) => before.span.after(),
            (None, None) => self.end,
        }
    }
}

fn is_indented(text: &str) -> bool {
    text.starts_with([' ', '\t'])
}

fn empty_tile(name: &str, at: (i64, i64), span: Span) -> Tile {
    Tile {
        name: name.to_owned(),
        at,
        fields: Vec::new(),
        borders: [const { Vec::new() }; 4],
        size: (500.0, 500.0),
        span,
    }
}
