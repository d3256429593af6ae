//! Cells, looks, and what stands where at the start.

use crate::diag::Diagnostic;
use indexmap::IndexMap;

use super::{MAX_DIMENSIONS, Reader, plain_look};
use crate::ast::{Look, Spanned, Start};
use crate::json::{Json, Kind};
use crate::script::Script;
use crate::{codes, schema};

/// Most cells.
const MAX_CELLS: usize = 1024;

/// What helps where a colour is no expression.
const COLOUR_HELP: &str =
    "a colour is a text in single quotes inside the expression, such as `'wheat'`";

impl Reader<'_> {
    /// Reads `cell`, `board`, `initial_position` and `resources`.
    pub(super) fn board(&mut self, json: &Json) -> (Option<Look>, Vec<Start>) {
        let cell = self.required(json, "cell", "a game");
        if let Some(cell) = cell {
            self.dimensions(cell);
        }
        let board = self.required(json, "board", "a game");
        if let Some(board) = board {
            self.read_cells(board);
        }
        let look = cell.map(|cell| self.look(cell, board, json.get("resources")));
        let initial = match self.required(json, "initial_position", "a game") {
            Some(position) => self.initial(position),
            None => Vec::new(),
        };
        (look, initial)
    }

    fn dimensions(&mut self, cell: &Json) {
        if self.object(cell, "`cell`").is_none() {
            return;
        }
        self.known_keys(cell, &schema::CELL.names());
        let Some(names) = self.required(cell, "coordinates_names", "`cell`") else {
            return;
        };
        let Some(items) = self.list(names) else {
            return;
        };
        for item in items {
            let Some(name) = self.text(item) else {
                continue;
            };
            if self.dimensions.contains(&name) {
                let message = format!("there are two coordinates `{name}`");
                self.error(&codes::REPEATED_NAME, item.span, message);
            } else {
                self.dimensions.push(name);
            }
        }
        if items.is_empty() {
            let message = "a cell needs a coordinate";
            self.error(&codes::EMPTY_LIST, names.span, message);
        }
        if items.len() > MAX_DIMENSIONS {
            let message = format!("there may be {MAX_DIMENSIONS} coordinates");
            self.error(&codes::TOO_LARGE, names.span, message);
        }
    }

    fn read_cells(&mut self, board: &Json) {
        if self.object(board, "`board`").is_none() {
            return;
        }
        self.known_keys(board, &schema::BOARD.names());
        let Some(cells) = self.required(board, "cells", "`board`") else {
            return;
        };
        let Some(items) = self.list(cells) else {
            return;
        };
        if items.is_empty() {
            let message = "a board needs a cell";
            self.error(&codes::EMPTY_LIST, cells.span, message);
        }
        if items.len() > MAX_CELLS {
            let message = format!("there may be {MAX_CELLS} cells");
            self.error(&codes::TOO_LARGE, cells.span, message);
            return;
        }
        let mut known: IndexMap<Vec<i64>, usize> = IndexMap::new();
        for (at, item) in items.iter().enumerate() {
            let Some(node) = self.coordinates(item) else {
                continue;
            };
            if known.insert(node.clone(), at).is_some() {
                let message = format!("there is a cell {node:?} already");
                self.error(&codes::BAD_COORDINATES, item.span, message);
                continue;
            }
            let span = item.span;
            self.cells.push(Spanned { node, span });
        }
    }

    /// The coordinates of a cell, all of them.
    fn coordinates(&mut self, json: &Json) -> Option<Vec<i64>> {
        let members = self.object(json, "a cell")?;
        let names = self.dimensions.clone();
        for member in members {
            if !names.contains(&member.key) {
                let message = format!("there is no coordinate `{}`", member.key);
                let code = &codes::BAD_COORDINATES;
                self.unknown_name(code, member.key_span, message, &member.key, &names);
            }
        }
        let mut all = Vec::new();
        for name in &names {
            match json.get(name) {
                Some(value) => all.push(self.integer(value)?),
                None => {
                    if !std::mem::replace(&mut self.lacking, true) {
                        let message = format!("the cell lacks the coordinate `{name}`");
                        let found = Diagnostic::new(&codes::BAD_COORDINATES, json.span, message)
                            .note(format!("`coordinates_names` are `{}`", names.join("`, `")))
                            .help("name the coordinate in every cell, or take it out of `coordinates_names`");
                        self.out.push(found);
                    }
                    return None;
                }
            }
        }
        Some(all)
    }

    fn look(&mut self, cell: &Json, board: Option<&Json>, resources: Option<&Json>) -> Look {
        let mut look = plain_look();
        if let Some(points) = self.required(cell, "geometry", "`cell`") {
            look.outline = self.outline(points);
        }
        if let Some(position) = self.required(cell, "position", "`cell`") {
            self.known_keys(position, &schema::POSITION.names());
            for (slot, key) in look.position.iter_mut().zip(["x", "y"]) {
                let value = self.required(position, key, "`position`");
                if let Some(script) = value.and_then(|value| self.script(value)) {
                    *slot = script;
                }
            }
        }
        self.colours(cell, &mut look);
        if let Some(angles) = board.and_then(|board| board.get("rotation_angle")) {
            look.rotation = self.rotation(angles);
        }
        if let Some(resources) = resources {
            self.pictures(resources, &mut look);
        }
        look
    }

    /// The colours of cells, with those of the original engine where the file has none.
    fn colours(&mut self, cell: &Json, look: &mut Look) {
        let colours = cell.get("colors");
        if let Some(colours) = colours {
            self.known_keys(colours, &schema::COLORS.names());
        }
        let slots = [
            (&mut look.fill, "fill", "'darkgrey'"),
            (&mut look.selector, "selector", "'skyblue'"),
            (&mut look.highlighter, "highlighter", "'lightgreen'"),
        ];
        for (slot, key, usual) in slots {
            let own = colours.and_then(|colours| colours.get(key));
            let script = match own {
                Some(value) => self.script_with(value, Some(COLOUR_HELP)),
                None => Script::parse(usual, &[]).ok(),
            };
            if let Some(script) = script {
                *slot = script;
            }
        }
    }

    fn outline(&mut self, points: &Json) -> Vec<[Script; 2]> {
        let Some(items) = self.list(points) else {
            return Vec::new();
        };
        if items.len() < 3 {
            let message = "an outline needs three points";
            self.error(&codes::EMPTY_LIST, points.span, message);
        }
        let mut outline = Vec::new();
        for item in items {
            match &item.kind {
                Kind::Array(pair) if pair.len() == 2 => {
                    if let (Some(x), Some(y)) = (self.script(&pair[0]), self.script(&pair[1])) {
                        outline.push([x, y]);
                    }
                }
                _ => self.wrong_kind(item, "a point `[x, y]`"),
            }
        }
        outline
    }

    fn rotation(&mut self, json: &Json) -> IndexMap<String, f64> {
        let mut angles = IndexMap::new();
        let Some(members) = self.object(json, "angles") else {
            return angles;
        };
        for member in members {
            let known = self.is_player(&member.key, member.key_span);
            match member.value.kind {
                Kind::Number(angle) if known => {
                    angles.insert(member.key.clone(), angle);
                }
                Kind::Number(_) => {}
                _ => self.wrong_kind(&member.value, "a number of degrees"),
            }
        }
        angles
    }

    /// Pictures never decide anything, so what is odd about them is only told.
    fn pictures(&mut self, resources: &Json, look: &mut Look) {
        let figures = resources
            .get("images")
            .and_then(|images| images.get("figures"));
        let Some(Kind::Object(players)) = figures.map(|figures| &figures.kind) else {
            return;
        };
        for player in players {
            let known = self.is_player(&player.key, player.key_span);
            let Kind::Object(figures) = &player.value.kind else {
                self.wrong_kind(&player.value, "an object for pictures");
                continue;
            };
            for figure in figures {
                let known = self.is_figure(&figure.key, figure.key_span) && known;
                if let (Some(file), true) = (self.text(&figure.value), known) {
                    let key = (player.key.clone(), figure.key.clone());
                    look.pictures.insert(key, file);
                }
            }
        }
    }

    fn initial(&mut self, json: &Json) -> Vec<Start> {
        let mut all = Vec::new();
        let Some(players) = self.object(json, "`initial_position`") else {
            return all;
        };
        for player in players {
            let known = self.is_player(&player.key, player.key_span);
            let Some(figures) = self.object(&player.value, "figures of a player") else {
                continue;
            };
            for figure in figures {
                let known = self.is_figure(&figure.key, figure.key_span) && known;
                for place in self.list(&figure.value).unwrap_or_default() {
                    if let (Some(cell), true) = (self.cell(place), known) {
                        all.push(Start {
                            player: player.key.clone(),
                            figure: figure.key.clone(),
                            cell,
                            span: place.span,
                        });
                    }
                }
            }
        }
        all
    }

    fn cell(&mut self, json: &Json) -> Option<usize> {
        let place = self.coordinates(json)?;
        let found = self.cells.iter().position(|cell| cell.node == place);
        if found.is_none() && !self.cells.is_empty() {
            let message = format!("there is no cell {place:?} on the board");
            let ranges = self.ranges();
            let found = Diagnostic::new(&codes::NO_SUCH_CELL, json.span, message)
                .note(format!("the board has cells with {}", ranges.join(", ")));
            self.out.push(found);
        }
        found
    }

    /// From where to where the coordinates of the cells go.
    fn ranges(&self) -> Vec<String> {
        let range = |(at, name): (usize, &String)| {
            let all = || self.cells.iter().filter_map(|cell| cell.node.get(at));
            let (least, most) = (all().min()?, all().max()?);
            Some(format!("`{name}` from {least} to {most}"))
        };
        self.dimensions
            .iter()
            .enumerate()
            .filter_map(range)
            .collect()
    }
}
