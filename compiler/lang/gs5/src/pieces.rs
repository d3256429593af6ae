//! The declared pieces of a game, and the boards on which they stand.

use indexmap::{IndexMap, IndexSet};

use super::ast::{Literal, RuleSet, Value};
use super::codes;
use super::composite::{Composite, is_composite};
use super::draw;
use super::files::{self, condition_name, has_ending};
use super::settings::{COLORS, SHAPES, Settings};
use super::trials::{Series, read_series};
use crate::diag::{Diagnostic, Diagnostics};
use crate::ir::{BoardSource, FixedPiece, KindFamily};
use crate::source::{SourceFile, SourceMap, Span};

/// Most kinds of pieces.
const MAX_KINDS: usize = 4096;
/// Most pieces of a crowded board; also most cells.
const MAX_UNITS: usize = 36;
/// Cells of a board.
const CELLS: u32 = 36;

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// The key of its picture, or color and shape.
    pub(super) name: String,
    pub(super) pictured: bool,
    pub(super) properties: Vec<(String, String)>,
}

/// All pieces of a game.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    pub(super) kinds: Vec<Kind>,
    pub(super) crowded: bool,
    pub(super) boards: BoardSource,
    /// Values of properties that a host may list.
    pub(super) features: Vec<(String, Vec<String>)>,
    /// What boards for testing must have, those for training must not.
    pub(super) condition: Option<RuleSet>,
    /// Whether boards are for testing to begin with.
    pub(super) testing: bool,
    /// What the trial list tells a host.
    pub(super) parameters: Vec<(String, String)>,
    /// Columns with an empty cell.
    pub(super) empty_cells: IndexSet<String>,
    /// Properties whose values the trial list or the settings list: no board has others.
    pub(super) listed: Vec<&'static str>,
}

/// The integer that a value of a property stands for.
pub(super) fn int_value(raw: &str) -> Option<i32> {
    let digits = raw.strip_prefix(['+', '-']).unwrap_or(raw);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| raw.parse().ok()).flatten()
}

impl Kind {
    fn plain(shape: &str, color: &str) -> Kind {
        let (shape, color) = (shape.to_uppercase(), color.to_uppercase());
        Kind {
            name: format!("{color}_{shape}"),
            pictured: false,
            properties: vec![("color".to_owned(), color), ("shape".to_owned(), shape)],
        }
    }

    /// The text of a property.
    pub(super) fn property(&self, key: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether literals or ranges allow it.
    pub(super) fn fits(&self, key: &str, asked: &Value) -> bool {
        let looks = matches!(key, "shape" | "color");
        if !self.pictured && !looks {
            return true;
        }
        let Some(raw) = self.property(key) else {
            return false;
        };
        if self.pictured && raw == "*" {
            return true;
        }
        match asked {
            Value::Literals(items) => {
                let numbers = items
                    .iter()
                    .any(|(item, _)| matches!(item, Literal::Number(_)));
                let loose = !self.pictured && !numbers;
                items.iter().any(|(item, _)| match item {
                    Literal::Text(text) if loose => text.to_uppercase() == raw,
                    Literal::Text(text) => text == raw,
                    Literal::Number(n) => n.to_string() == raw,
                })
            }
            Value::Ranges(ranges) => {
                int_value(raw).is_some_and(|n| ranges.iter().any(|(a, b)| (*a..=*b).contains(&n)))
            }
            Value::Expr(_) => true,
        }
    }
}

impl Pieces {
    /// Whether no other pieces than these can come: not so where a board was given alone, since the next one may have others.
    pub(super) fn are_all(&self) -> bool {
        let alone = matches!(self.boards, BoardSource::Fixed { drawn: false, .. });
        !alone || !self.parameters.is_empty()
    }

    /// Names of the units of a crowded board.
    pub(super) fn unit_names(&self) -> Vec<String> {
        let count = match &self.boards {
            BoardSource::Pairs { pieces, .. }
            | BoardSource::Kinds { pieces, .. }
            | BoardSource::Families { pieces, .. } => pieces.1 as usize,
            BoardSource::Fixed { boards, .. } => boards.iter().map(Vec::len).max().unwrap_or(1),
        };
        (0..count.max(1)).map(|unit| unit.to_string()).collect()
    }

    /// The board with which the game starts where no host gives another.
    pub(super) fn start_board(&self) -> Vec<FixedPiece> {
        let spread = |pieces: u32, kind: &dyn Fn(u32) -> u32| {
            let piece = |index: u32| FixedPiece {
                id: index as i32,
                kind: kind(index),
                place: (index * 36 + index * 5 % 4 * 2 + 1) / pieces.max(1) % 36,
            };
            let mut board: Vec<FixedPiece> = (0..pieces).map(piece).collect();
            let mut seen = IndexSet::new();
            for piece in &mut board {
                while !seen.insert(piece.place) && !self.crowded {
                    piece.place = (piece.place + 1) % 36;
                }
            }
            board
        };
        match &self.boards {
            BoardSource::Pairs {
                pieces,
                kinds,
                seconds,
                ..
            } => {
                let count = kinds.len() as u32;
                let step = seconds + 1;
                spread(pieces.1, &|index| {
                    let turn = index / count.max(1);
                    kinds[((index * step + turn) % count) as usize]
                })
            }
            BoardSource::Kinds { pieces, kinds } => {
                let count = kinds.len() as u32;
                spread(pieces.1, &|index| kinds[(index % count.max(1)) as usize])
            }
            BoardSource::Families { pieces, families } => {
                let kinds: Vec<u32> = families.iter().flat_map(|f| &f.kinds).copied().collect();
                let count = kinds.len().max(1);
                spread(pieces.1, &|index| kinds[index as usize % count])
            }
            BoardSource::Fixed { boards, .. } => boards.first().cloned().unwrap_or_default(),
        }
    }

    /// Reads what the files beside the rules declare.
    pub(super) fn read(
        sources: &SourceMap,
        rules: &SourceFile,
        settings: &Settings,
        out: &mut Diagnostics,
    ) -> Option<Pieces> {
        let mut reader = Reader {
            settings: settings.clone(),
            tables: IndexMap::new(),
            kinds: IndexMap::new(),
            empty_cells: IndexSet::new(),
        };
        let others = || {
            sources
                .files()
                .iter()
                .filter(|file| file.id() != rules.id())
        };
        let mut lists = Vec::new();
        for file in others().filter(|file| has_ending(file, "csv")) {
            match files::is_property_table(file) {
                true => reader.table(file, out),
                false => lists.push(file),
            }
        }
        let series = reader.series(&lists, out);
        let boards: Vec<&SourceFile> = others().filter(|file| has_ending(file, "json")).collect();
        let found = reader.boards(rules, series.as_ref(), &boards, out);
        if out.has_errors() {
            return None;
        }
        let (boards, features) = found?;
        let mut condition = None;
        for file in others().filter(|file| has_ending(file, "txt")) {
            if condition.is_some() {
                let span = Span::new(file.id(), 0, 0);
                let message = "there is a second file of conditions";
                let found = Diagnostic::new(&codes::BAD_PLAN, span, message);
                out.push(found.help("boards are for training or for testing by one condition"));
            }
            condition = Some(super::parse::parse(file, settings, out));
        }
        if let (None, Some(series)) = (&condition, &series) {
            missing_condition(series, out);
        }
        let told = |column: &str| {
            series
                .as_ref()
                .is_some_and(|s: &Series| s.get(column).is_some())
        };
        let drawn = matches!(boards, BoardSource::Pairs { .. });
        let listed = [
            (reader.settings.shape_list.is_some() && drawn).then_some("shape"),
            (reader.settings.color_list.is_some() && drawn).then_some("color"),
        ];
        let pieces = Pieces {
            kinds: reader.kinds.into_values().collect(),
            crowded: reader.settings.crowded.unwrap_or(false),
            boards,
            features,
            condition,
            testing: told("condTest") && !told("condTrain"),
            parameters: series.as_ref().map(Series::parameters).unwrap_or_default(),
            empty_cells: reader.empty_cells,
            listed: listed.into_iter().flatten().collect(),
        };
        (!out.has_errors()).then_some(pieces)
    }
}

/// Tells of the condition on boards that a trial list names and that is not there.
fn missing_condition(series: &Series, out: &mut Diagnostics) {
    for column in ["condTrain", "condTest"] {
        let (Some(name), Some(span)) = (series.get(column), series.place(column)) else {
            continue;
        };
        let message = format!("`{}` is not there", condition_name(name));
        let found = Diagnostic::new(&codes::MISSING_FILE, span, message);
        out.push(found.help("a condition is a rule set in the folder `cond`"));
    }
}

struct Reader {
    settings: Settings,
    /// Properties by the key of the picture.
    tables: IndexMap<String, Vec<(String, String)>>,
    kinds: IndexMap<String, Kind>,
    empty_cells: IndexSet<String>,
}

type NamedCells = (BoardSource, Vec<(String, Vec<String>)>);

impl Reader {
    /// Reads a property table.
    fn table(&mut self, file: &SourceFile, out: &mut Diagnostics) {
        let Some((header, records)) = files::csv(file, &codes::BAD_TABLE, out) else {
            return;
        };
        let folder = files::picture_folder(file.name());
        for record in records {
            if record.cells.len() != header.cells.len() {
                let message = format!(
                    "the line has {} cells, the header {}",
                    record.cells.len(),
                    header.cells.len()
                );
                let found = Diagnostic::new(&codes::BAD_TABLE, record.span, message);
                out.push(found.also(header.span, "the header"));
                continue;
            }
            let mut key = record.cells[0].clone();
            let last = key.rsplit('/').next().unwrap_or_default();
            if !last.contains('.') && !key.starts_with("/composite/") {
                key.push_str(".svg");
            }
            if !key.starts_with('/') && !folder.is_empty() {
                key = format!("{folder}/{key}");
            }
            let columns = header
                .cells
                .iter()
                .cloned()
                .zip(record.cells.iter().cloned());
            let columns: Vec<(String, String)> = columns.skip(1).collect();
            for (column, _) in columns.iter().filter(|(_, cell)| cell.is_empty()) {
                self.empty_cells.insert(column.clone());
            }
            self.tables.insert(key, columns);
        }
    }

    /// The row of a trial list, with the columns of modifiers in place of its own; a modifier is a list of one row.
    fn series(&mut self, lists: &[&SourceFile], out: &mut Diagnostics) -> Option<Series> {
        let mut merged: Option<Series> = None;
        for (index, list) in lists.iter().enumerate() {
            let (row, all) = match index {
                0 => (self.settings.row.unwrap_or(1), self.settings.row.is_none()),
                _ => (1, false),
            };
            let series = read_series(list, row, all, out)?;
            match &mut merged {
                Some(merged) => merged.modify(series),
                None => merged = Some(series),
            }
        }
        let series = merged?;
        series.check(out);
        self.apply(&series);
        Some(series)
    }

    /// Takes over what a parameter set says of boards.
    fn apply(&mut self, series: &Series) {
        let range = |low: &str, high: &str, default: u32| {
            let least = series.number(low).unwrap_or(default);
            let most = series.number(high).unwrap_or(least);
            (least, most.max(least))
        };
        let settings = &mut self.settings;
        settings
            .pieces
            .get_or_insert(range("min_objects", "max_objects", 9));
        settings
            .shapes
            .get_or_insert(range("min_shapes", "max_shapes", 0));
        settings
            .colors
            .get_or_insert(range("min_colors", "max_colors", 0));
        let list = |column: &str| {
            let words = series.get(column)?.split(';');
            Some(words.map(|word| word.trim().to_owned()).collect())
        };
        if settings.shape_list.is_none() {
            settings.shape_list = list("shapes");
        }
        if settings.color_list.is_none() {
            settings.color_list = list("colors");
        }
        if let Some(crowded) = series.get("crowded") {
            settings
                .crowded
                .get_or_insert(crowded.eq_ignore_ascii_case("true"));
        }
    }

    fn kind(&mut self, kind: Kind) -> u32 {
        let name = kind.name.clone();
        let entry = self.kinds.entry(name);
        let index = entry.index();
        entry.or_insert(kind);
        index as u32
    }

    fn pictured(&mut self, key: &str) -> Option<u32> {
        let properties = match self.tables.get(key) {
            Some(properties) => properties.clone(),
            None => Composite::parse(key)?.properties()?,
        };
        Some(self.kind(Kind {
            name: key.to_owned(),
            pictured: true,
            properties,
        }))
    }

    fn boards(
        &mut self,
        rules: &SourceFile,
        series: Option<&Series>,
        boards: &[&SourceFile],
        out: &mut Diagnostics,
    ) -> Option<NamedCells> {
        let at = series.map_or(Span::new(rules.id(), 0, 0), |series| series.span);
        let pieces = self.settings.pieces.unwrap_or((9, 9));
        if pieces.0 < 1 || pieces.1 as usize > MAX_UNITS {
            let many = match pieces {
                (few, many) if few == many => few.to_string(),
                (few, many) => format!("{few} to {many}"),
            };
            let message = format!("{many} pieces do not fit on a board");
            out.push(Diagnostic::new(&codes::BAD_PIECES, at, message));
            return None;
        }
        let images = series.and_then(|series| series.get("images"));
        let images_at = series.and_then(|series| series.place("images"));
        if !boards.is_empty() {
            let shuffled = series
                .and_then(|series| series.get("initial_boards_order"))
                .is_some_and(|order| order.eq_ignore_ascii_case("random"));
            let mut list = Vec::new();
            for file in boards {
                list.extend(self.board(file, out));
            }
            self.declare_listed();
            let source = BoardSource::Fixed {
                boards: list,
                shuffled,
                drawn: false,
            };
            return self.finish(source, at, out);
        }
        if images.is_none() && (self.tables.is_empty() || self.settings.shape_list.is_some()) {
            return self.pairs(pieces, at, out);
        }
        let patterns: Vec<&str> = images.unwrap_or("**").split(';').map(str::trim).collect();
        let source = match patterns.iter().filter(|p| is_composite(p)).count() {
            0 => self.pictures(pieces, &patterns, images_at.unwrap_or(at), out)?,
            n if n == patterns.len() => self.families(pieces, &patterns, at, out)?,
            _ => {
                let message = "composite pieces and pictures of tables are mixed";
                out.push(Diagnostic::new(&codes::BAD_PIECES, at, message));
                return None;
            }
        };
        self.finish(source, at, out)
    }

    /// Boards of pictures of property tables.
    fn pictures(
        &mut self,
        pieces: (u32, u32),
        patterns: &[&str],
        at: Span,
        out: &mut Diagnostics,
    ) -> Option<BoardSource> {
        let mut keys: Vec<String> = self.tables.keys().cloned().collect();
        keys.retain(|key| patterns.iter().any(|pattern| files::matches(pattern, key)));
        keys.sort();
        let kinds: Vec<u32> = keys.iter().filter_map(|key| self.pictured(key)).collect();
        if kinds.is_empty() {
            out.push(self.no_picture(patterns, at));
            return None;
        }
        Some(BoardSource::Kinds { pieces, kinds })
    }

    /// What is told where patterns fit no picture: whether there are tables at all, and which name is near.
    fn no_picture(&self, patterns: &[&str], at: Span) -> Diagnostic {
        let shown = patterns.join(";");
        let found = Diagnostic::new(&codes::BAD_PIECES, at, format!("no picture fits `{shown}`"));
        let mut folders: Vec<&str> = self.tables.keys().map(|key| folder_of(key)).collect();
        folders.sort_unstable();
        folders.dedup();
        let bare = patterns
            .iter()
            .find(|pattern| !pattern.contains(['/', '*', '?']));
        if let (true, Some(folder)) = (folders.is_empty(), bare) {
            let help = format!("`{folder}/*` are all pictures of the folder `{folder}`");
            return found.help(help);
        }
        if folders.is_empty() {
            return found
                .help("there is no property table: name the one of the pictures after the list");
        }
        let near = patterns.iter().find_map(|pattern| {
            let folder = folder_of(pattern);
            if folders.contains(&folder) {
                let name = |key: &'_ String| {
                    key.rsplit_once('.')
                        .map_or(key.len(), |(name, _)| name.len())
                };
                let keys = self.tables.keys().map(|key| &key[..name(key)]);
                return crate::diag::closest(pattern, keys).map(str::to_owned);
            }
            let near = crate::diag::closest(folder, folders.iter().copied())?;
            Some(pattern.replacen(folder, near, 1))
        });
        match near {
            Some(near) if shown == patterns[0] => {
                found.fix(format!("did you mean `{near}`?"), at, near)
            }
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.note(format!("pictures are in {}", folders.join(", "))),
        }
    }

    /// Boards of composite pieces.
    fn families(
        &mut self,
        pieces: (u32, u32),
        patterns: &[&str],
        at: Span,
        out: &mut Diagnostics,
    ) -> Option<BoardSource> {
        let mut families = Vec::new();
        for pattern in patterns {
            match Composite::parse(pattern) {
                Some(family) => families.push(family),
                None => {
                    let message = format!("`{pattern}` describes no composite pieces");
                    let found = Diagnostic::new(&codes::BAD_PIECES, at, message);
                    out.push(found.help(
                        "such as `/composite/h2/d=??/rq/b?`: h, v or g with a size, then elements",
                    ));
                    return None;
                }
            }
        }
        let sizes = families.iter().map(Composite::size);
        let all = sizes.sum::<Option<u32>>();
        if all.is_none_or(|all| all as usize > MAX_KINDS) {
            return Some(self.drawn_boards(pieces, &families));
        }
        let mut list = Vec::new();
        for family in &families {
            let draws = family.draws();
            let count = family.size().unwrap_or(0);
            let mut kinds = Vec::new();
            for index in 0..count {
                let mut rest = index;
                let mut member = vec![0; draws.len()];
                for (drawn, &n) in member.iter_mut().zip(&draws).rev() {
                    *drawn = rest % n;
                    rest /= n;
                }
                kinds.push(self.composite(&family.member(&member)));
            }
            list.push(KindFamily { draws, kinds });
        }
        Some(BoardSource::Families {
            pieces,
            families: list,
        })
    }

    fn composite(&mut self, piece: &Composite) -> u32 {
        self.kind(Kind {
            name: piece.key().to_owned(),
            pictured: true,
            properties: piece.properties().unwrap_or_default(),
        })
    }

    /// Boards that are drawn now, where the families have too many members to declare all.
    fn drawn_boards(&mut self, pieces: (u32, u32), families: &[Composite]) -> BoardSource {
        let mut draw = draw::Draw::new(self.settings.seed);
        let crowded = self.settings.crowded == Some(true);
        let mut boards = Vec::new();
        while boards.len() < self.settings.boards && self.kinds.len() + MAX_UNITS <= MAX_KINDS {
            let count = draw.range(pieces);
            let places = draw.places(CELLS, count, crowded);
            let board = places.into_iter().enumerate().map(|(index, place)| {
                let member = draw.member(families);
                FixedPiece {
                    id: index as i32,
                    kind: self.composite(&member),
                    place,
                }
            });
            boards.push(board.collect());
        }
        BoardSource::Fixed {
            boards,
            shuffled: false,
            drawn: true,
        }
    }

    /// Pictures of tables that no board uses may come later.
    fn declare_listed(&mut self) {
        let keys: Vec<String> = self.tables.keys().cloned().collect();
        for key in keys {
            self.pictured(&key);
        }
        if self.settings.shape_list.is_some() {
            let (shapes, colors) = self.lists();
            for shape in &shapes {
                for color in &colors {
                    self.kind(Kind::plain(shape, color));
                }
            }
        }
    }

    fn lists(&self) -> (Vec<String>, Vec<String>) {
        let upper = |list: &Option<Vec<String>>, legacy: [&str; 4]| match list {
            Some(list) => list.iter().map(|word| word.to_uppercase()).collect(),
            None => legacy.iter().map(|&word| word.to_owned()).collect(),
        };
        let settings = &self.settings;
        (
            upper(&settings.shape_list, SHAPES),
            upper(&settings.color_list, COLORS),
        )
    }

    fn pairs(&mut self, pieces: (u32, u32), at: Span, out: &mut Diagnostics) -> Option<NamedCells> {
        let (shapes, colors) = self.lists();
        let first = self.settings.shapes.unwrap_or((0, 0));
        let second = self.settings.colors.unwrap_or((0, 0));
        for ((_, most), list, what) in [(first, &shapes, "shapes"), (second, &colors, "colors")] {
            if most as usize > list.len() || most > pieces.0 {
                let message = format!(
                    "{most} {what} are wanted of {} declared ones on {} pieces",
                    list.len(),
                    pieces.0
                );
                out.push(Diagnostic::new(&codes::BAD_PIECES, at, message));
                return None;
            }
        }
        let mut kinds = Vec::new();
        for shape in &shapes {
            for color in &colors {
                kinds.push(self.kind(Kind::plain(shape, color)));
            }
        }
        let keys: Vec<String> = self.tables.keys().cloned().collect();
        for key in keys {
            self.pictured(&key);
        }
        let source = BoardSource::Pairs {
            pieces,
            first,
            second,
            kinds,
            seconds: colors.len() as u32,
        };
        self.finish(source, at, out)
    }

    fn finish(
        &mut self,
        source: BoardSource,
        at: Span,
        out: &mut Diagnostics,
    ) -> Option<NamedCells> {
        if out.has_errors() {
            return None;
        }
        if self.kinds.is_empty() || self.kinds.len() > MAX_KINDS {
            let message = format!("there are {} kinds of pieces", self.kinds.len());
            let found = Diagnostic::new(&codes::BAD_PIECES, at, message);
            out.push(found.help(format!("between 1 and {MAX_KINDS} can be compiled")));
            return None;
        }
        let features = match source {
            BoardSource::Kinds { .. } | BoardSource::Families { .. } => self.values(),
            BoardSource::Fixed { drawn: true, .. } => self.values(),
            _ => {
                let (shapes, colors) = self.lists();
                vec![("shape".to_owned(), shapes), ("color".to_owned(), colors)]
            }
        };
        Some((source, features))
    }

    /// All values of each property.
    fn values(&self) -> Vec<(String, Vec<String>)> {
        let mut all: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
        for (name, value) in self.kinds.values().flat_map(|kind| &kind.properties) {
            all.entry(name).or_default().insert(value);
        }
        let list = |set: IndexSet<&str>| set.into_iter().map(str::to_owned).collect();
        let all = all.into_iter();
        all.map(|(name, values)| (name.to_owned(), list(values)))
            .collect()
    }

    /// Reads a board.
    fn board(&mut self, file: &SourceFile, out: &mut Diagnostics) -> Option<Vec<FixedPiece>> {
        let listed = files::board(file, out)?;
        let mut board = Vec::new();
        for piece in listed {
            let kind = match &piece.image {
                Some(image) => self.pictured(image).or_else(|| {
                    let message = format!("nothing is known of the picture `{image}`");
                    let found = Diagnostic::new(&codes::BAD_BOARD, piece.span, message);
                    out.push(found.help("name the property table of its folder"));
                    None
                })?,
                None => self.kind(Kind::plain(&piece.shape, &piece.color)),
            };
            board.push(FixedPiece {
                id: piece.id,
                kind,
                place: piece.place,
            });
        }
        let mut places: Vec<u32> = board.iter().map(|piece| piece.place).collect();
        places.sort_unstable();
        let shared = places.windows(2).any(|pair| pair[0] == pair[1]);
        if shared && self.settings.crowded != Some(true) {
            let span = Span::new(file.id(), 0, 0);
            let message = "two pieces are in one cell";
            let found = Diagnostic::new(&codes::BAD_BOARD, span, message);
            out.push(found.help("boards of this kind need the setting `crowded=true`"));
            return None;
        }
        Some(board)
    }
}

/// The folder of a picture or a pattern.
fn folder_of(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(folder, _)| folder)
}
