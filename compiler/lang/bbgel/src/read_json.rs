//! Worlds and tiles as the editor exports them.
//!
//! Only what a simulation needs is looked at; everything else in the file (drawings, symbols, pictures, settings of the
//! editor) may be there or not, as versions of the editor differ.

use super::codes;
use super::text::Text;
use super::world::{Border, COSTS, Field, Side, Single, Target, Tile, World, usual_costs};
use crate::diag::{Diagnostic, Diagnostics};
use crate::json::{self, Json, Kind};
use crate::source::{SourceFile, Span};

/// Most tiles and fields that a board may have.
const MAX_FIELDS: usize = 20_000;

/// Reads a world or a tile; nothing if it is none.
pub(super) fn read(source: &SourceFile, name: &str, out: &mut Diagnostics) -> Option<World> {
    let json = json::parse(source, codes::JSON, out)?;
    let mut reader = Reader {
        source,
        symbols: symbols(&json),
        out,
    };
    reader.file(&json, name)
}

/// A symbol whose commands the editor shows in place of those of its fields.
struct Symbol {
    guid: String,
    commands: String,
    span: Span,
}

/// The symbols of a file that stand for the commands of fields.
fn symbols(json: &Json) -> Vec<Symbol> {
    let Some(Kind::Array(items)) = json.get("fieldSymbols").map(|list| &list.kind) else {
        return Vec::new();
    };
    let symbol = |item: &Json| {
        let Kind::Bool(true) = item.get("overwriteCmdText")?.kind else {
            return None;
        };
        Some(Symbol {
            guid: string(item, "guid")?,
            commands: string(item, "cmdText").unwrap_or_default(),
            span: item.get("cmdText").map_or(item.span, |text| text.span),
        })
    };
    items.iter().filter_map(symbol).collect()
}

/// A text among the keys of an object.
fn string(json: &Json, key: &str) -> Option<String> {
    match &json.get(key)?.kind {
        Kind::String(text) => Some(text.clone()),
        _ => None,
    }
}

struct Reader<'a> {
    source: &'a SourceFile,
    symbols: Vec<Symbol>,
    out: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: String) {
        self.out
            .push(Diagnostic::new(&codes::WRONG_KIND, span, message));
    }

    fn file(&mut self, json: &Json, name: &str) -> Option<World> {
        let Kind::Object(_) = json.kind else {
            let message = format!("a world or a tile is an object, this is {}", json.noun());
            self.error(head(json.span), message);
            return None;
        };
        match (json.get("allTiles"), json.get("tile")) {
            (Some(tiles), _) => self.world(json, tiles, name),
            (None, Some(tile)) => self.single(json, tile, name),
            (None, None) => {
                let message = "neither `allTiles` (a world) nor `tile` (a tile) is among the keys";
                let found = Diagnostic::new(&codes::NO_BOARD, head(json.span), message);
                self.out
                    .push(found.help("export the world or the tile from the editor"));
                None
            }
        }
    }

    fn world(&mut self, json: &Json, tiles: &Json, name: &str) -> Option<World> {
        let settings = json.get("worldSettings");
        let (setup, costs) = self.settings(settings, json.span);
        let library = self.list(tiles);
        let placements = match json.get("worldTiles") {
            Some(list) => self.list(list),
            None => {
                let message = "`worldTiles` is missing: no tile is placed";
                let found = Diagnostic::new(&codes::NO_BOARD, head(json.span), message);
                self.out.push(found);
                return None;
            }
        };
        if placements.is_empty() {
            let span = json.get("worldTiles").map_or(json.span, |list| list.span);
            let message = "no tile is placed in this world";
            self.out
                .push(Diagnostic::new(&codes::NO_BOARD, head(span), message));
            return None;
        }
        let mut placed: Vec<Tile> = Vec::new();
        let mut seen: Vec<(String, Span)> = Vec::new();
        let mut grid: Vec<((i64, i64), usize)> = Vec::new();
        for placement in placements {
            let Some(guid) = self.text(placement, "tileGuid") else {
                continue;
            };
            let at = (
                self.integer(placement, "x").unwrap_or(0),
                self.integer(placement, "y").unwrap_or(0),
            );
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == guid) {
                let message = format!("the tile `{guid}` is placed twice");
                let found = Diagnostic::new(&codes::TILE_TWICE, placement.span, message)
                    .also(*first, "here first")
                    .help("copy the tile in the editor: a copy has a guid of its own");
                self.out.push(found);
                let first = seen.iter().position(|(other, _)| *other == guid);
                grid.extend(first.map(|tile| (at, tile)));
                continue;
            }
            if grid.iter().any(|(other, _)| *other == at) {
                let message = format!("there is a tile already in column {}, row {}", at.0, at.1);
                self.out
                    .push(Diagnostic::new(&codes::SAME_PLACE, placement.span, message));
                continue;
            }
            let tile = library.iter().find(|tile| {
                matches!(tile.get("guid").map(|guid| &guid.kind), Some(Kind::String(other)) if *other == guid)
            });
            match tile {
                Some(tile) => {
                    if let Some(tile) = self.tile(tile, at) {
                        grid.push((at, placed.len()));
                        placed.push(tile);
                        seen.push((guid, placement.span));
                    }
                }
                None => {
                    let message = format!("there is no tile `{guid}` in `allTiles`");
                    self.out.push(Diagnostic::new(
                        &codes::NO_SUCH_TILE,
                        placement.span,
                        message,
                    ));
                }
            }
        }
        let single = self.single_mode(&placed, library, &seen);
        self.bounded(&placed, json.span)?;
        Some(World {
            unread: false,
            name: name.to_owned(),
            setup,
            tiles: placed,
            placements: grid,
            single,
            costs,
            span: head(json.span),
        })
    }

    /// A world of one tile whose commands start nowhere is played by the properties of the tile.
    fn single_mode(
        &mut self,
        placed: &[Tile],
        library: &[Json],
        seen: &[(String, Span)],
    ) -> Option<Single> {
        let [tile] = placed else { return None };
        let starts = tile.fields.iter().any(|field| {
            let text = field.text.as_ref();
            text.is_some_and(|text| text.text.contains("game_start"))
        });
        if starts {
            return None;
        }
        let json = library.iter().find(|tile| {
            matches!(tile.get("guid").map(|guid| &guid.kind), Some(Kind::String(other)) if *other == seen[0].0)
        })?;
        let single = self.properties(json);
        (!single.start.is_empty()).then_some(single)
    }

    fn single(&mut self, json: &Json, tile: &Json, name: &str) -> Option<World> {
        let (setup, costs) = self.settings(json.get("worldSettings"), json.span);
        let single = self.properties(tile);
        let tiles = vec![self.tile(tile, (0, 0))?];
        self.bounded(&tiles, json.span)?;
        Some(World {
            unread: false,
            name: name.to_owned(),
            setup,
            tiles,
            placements: vec![((0, 0), 0)],
            single: Some(single),
            costs,
            span: head(json.span),
        })
    }

    fn bounded(&mut self, tiles: &[Tile], span: Span) -> Option<()> {
        let count: usize = tiles.iter().map(|tile| tile.fields.len()).sum();
        if count > MAX_FIELDS {
            let message = format!("the board has {count} fields, more than {MAX_FIELDS}");
            self.out
                .push(Diagnostic::new(&codes::TOO_LARGE, head(span), message));
            return None;
        }
        Some(())
    }

    /// The setup text and what events cost.
    fn settings(&mut self, settings: Option<&Json>, span: Span) -> (Text, Vec<f64>) {
        let mut costs = usual_costs();
        let empty = Text::empty(Span::new(span.file, span.start, span.start));
        let Some(settings) = settings else {
            return (empty, costs);
        };
        let setup = match settings.get("worldCmdText") {
            Some(json) => match json.kind {
                Kind::String(_) => Text::of_json(self.source, json.span),
                Kind::Null => empty,
                _ => {
                    let message = format!("the setup is a text, this is {}", json.noun());
                    self.error(json.span, message);
                    empty
                }
            },
            None => empty,
        };
        for (cost, (name, _)) in costs.iter_mut().zip(COSTS) {
            let Some(json) = settings.get(&format!("timeInS_{name}")) else {
                continue;
            };
            match json.kind {
                Kind::Number(value) if (0.0..=1e6).contains(&value) => *cost = value,
                _ => {
                    let message =
                        format!("`timeInS_{name}` is a number of seconds from 0 to 1000000");
                    self.error(json.span, message);
                }
            }
        }
        (setup, costs)
    }

    /// The start and end fields that the properties of a tile list.
    fn properties(&mut self, tile: &Json) -> Single {
        let mut list = |key: &str| {
            let items = tile.get(key).map_or(&[][..], |json| self.list(json));
            let mut all = Vec::new();
            for item in items {
                if let Some(id) = self.whole(item) {
                    all.push(Target {
                        id,
                        span: item.span,
                    });
                }
            }
            all
        };
        Single {
            start: list("simulationStartFieldIds"),
            end: list("simulationEndFieldIds"),
        }
    }

    fn tile(&mut self, json: &Json, at: (i64, i64)) -> Option<Tile> {
        let settings = json.get("tileSettings");
        let name = [settings, Some(json)]
            .into_iter()
            .flatten()
            .find_map(|place| match &place.get("displayName")?.kind {
                Kind::String(name) if !name.is_empty() => Some(name.clone()),
                _ => None,
            });
        let guid = match json.get("guid").map(|json| &json.kind) {
            Some(Kind::String(guid)) => guid.clone(),
            _ => String::new(),
        };
        let length = |key: &str| {
            let find = |place: &Json| match place.get(key)?.kind {
                Kind::Number(value) if value > 0.0 => Some(value),
                _ => None,
            };
            settings
                .and_then(find)
                .or_else(|| find(json))
                .unwrap_or(500.0)
        };
        let size = (length("width"), length("height"));
        let Some(shapes) = json.get("fieldShapes") else {
            let message = "a tile needs its `fieldShapes`".to_owned();
            self.error(head(json.span), message);
            return None;
        };
        let mut fields = Vec::new();
        for shape in self.list(shapes) {
            fields.extend(self.field(shape));
        }
        let mut borders = [const { Vec::new() }; 4];
        for side in Side::ALL {
            let key = match side {
                Side::Bottom => "botBorderPoints",
                Side::Top => "topBorderPoints",
                Side::Left => "leftBorderPoints",
                Side::Right => "rightBorderPoint",
            };
            let points = json.get(key).map_or(&[][..], |json| self.list(json));
            for point in points {
                borders[side as usize].extend(self.border(point));
            }
        }
        Some(Tile {
            name: name.unwrap_or(guid),
            at,
            fields,
            borders,
            size,
            span: head(json.span),
        })
    }

    fn field(&mut self, json: &Json) -> Option<Field> {
        let id = self.integer(json, "id")?;
        let text = match json.get("cmdText") {
            None => None,
            Some(text) => match text.kind {
                Kind::String(_) => Some(Text::of_json(self.source, text.span)),
                Kind::Null => None,
                _ => {
                    let message = format!("`cmdText` is a text or null, this is {}", text.noun());
                    self.error(text.span, message);
                    None
                }
            },
        };
        self.compare_with_symbol(json, id);
        let label = string(json, "text").unwrap_or_default();
        let number = |key: &str| match json.get(key)?.kind {
            Kind::Number(value) if value.is_finite() => Some(value),
            _ => None,
        };
        let area = match (number("x"), number("y"), number("width"), number("height")) {
            (Some(x), Some(y), width, height) => Some([
                x,
                y,
                width.unwrap_or(40.0).max(1.0),
                height.unwrap_or(40.0).max(1.0),
            ]),
            _ => None,
        };
        Some(Field {
            id,
            text,
            link: None,
            label,
            area,
            span: json.get("id").map_or(json.span, |id| id.span),
        })
    }

    /// Warns of commands that the editor does not show.
    fn compare_with_symbol(&mut self, json: &Json, id: i64) {
        let guid = string(json, "createdFromSymbolGuid");
        let Some(symbol) = self.symbols.iter().find(|s| Some(&s.guid) == guid.as_ref()) else {
            return;
        };
        let own = string(json, "cmdText").unwrap_or_default();
        if own.trim() == symbol.commands.trim() {
            return;
        }
        let span = json.get("cmdText").map_or(json.span, |text| text.span);
        let message = format!("the editor shows other commands for the field {id}");
        let found = Diagnostic::new(&codes::SYMBOL_COMMANDS, span, message)
            .also(symbol.span, "those of its symbol")
            .help("the commands of the field are run: copy those of the symbol to it, or detach it from the symbol");
        self.out.push(found);
    }

    fn border(&mut self, json: &Json) -> Option<Border> {
        let id = self.integer(json, "id")?;
        let along = match json.get("val").map(|json| &json.kind) {
            Some(Kind::Number(value)) => *value,
            _ => {
                let message = format!("the border point {id} needs its place on the edge, `val`");
                self.error(head(json.span), message);
                return None;
            }
        };
        let next = match json.get("nextFieldId") {
            None => None,
            Some(next) => match next.kind {
                Kind::Null => None,
                _ => self.whole(next).map(|id| Target {
                    id,
                    span: next.span,
                }),
            },
        };
        let span = json.get("id").map_or(json.span, |id| id.span);
        Some(Border {
            id,
            along,
            next,
            span,
        })
    }

    fn list<'j>(&mut self, json: &'j Json) -> &'j [Json] {
        match &json.kind {
            Kind::Array(items) => items,
            Kind::Null => &[],
            _ => {
                let message = format!("a list is needed, this is {}", json.noun());
                self.error(head(json.span), message);
                &[]
            }
        }
    }

    fn text(&mut self, json: &Json, key: &str) -> Option<String> {
        match json.get(key).map(|json| (&json.kind, json.span)) {
            Some((Kind::String(text), _)) => Some(text.clone()),
            Some((_, span)) => {
                self.error(span, format!("`{key}` is a text"));
                None
            }
            None => {
                self.error(head(json.span), format!("the key `{key}` is missing"));
                None
            }
        }
    }

    fn integer(&mut self, json: &Json, key: &str) -> Option<i64> {
        match json.get(key) {
            Some(value) => self.whole(value),
            None => {
                self.error(head(json.span), format!("the key `{key}` is missing"));
                None
            }
        }
    }

    fn whole(&mut self, json: &Json) -> Option<i64> {
        match json.kind {
            Kind::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => Some(value as i64),
            _ => {
                let message = format!("a whole number is needed, this is {}", json.noun());
                self.error(json.span, message);
                None
            }
        }
    }
}

/// The first letter of a large value: the whole of it would hide what is said about it.
fn head(span: Span) -> Span {
    Span::new(span.file, span.start, (span.start + 1).min(span.end))
}
