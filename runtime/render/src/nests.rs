//! Pictures of pieces that are in each other: boxes in boxes, owners by colour.

use std::collections::BTreeSet;

use rulec_core::Turn;

use crate::art::{BOX, art, words};
use crate::dress::Dress;
use crate::look::{Nest, Position};
use crate::{Style, drawing, escape, pixels};

/// Height of a line of text, in pixels.
const LINE: f64 = 18.0;
/// Room around what is in a box, in pixels.
const GAP: f64 = 8.0;
/// Width of a letter, about, in pixels.
const LETTER: f64 = 7.2;
/// The same of a heading, which is bold.
const HEADING: f64 = 8.4;
/// Side of one of many equal pieces, in pixels.
const DOT: f64 = 26.0;
/// Side of a piece in which nothing can be, and the size of one that is a card, in pixels.
const PIECE: f64 = 44.0;
const CARD: (f64, f64) = (46.0, 64.0);
/// Words of things that hold others, beside those of stores.
const HOLDERS: [&str; 8] = [
    "table", "tray", "bag", "board", "field", "place", "yard", "room",
];
/// Words of places that hold cards.
const CARDS: [&str; 5] = ["deck", "hand", "discard", "card", "cards"];
/// Where places with such names lie: their columns and rows.
const COMPASS: [(&str, usize, usize); 25] = [
    ("nw", 0, 0),
    ("n", 1, 0),
    ("ne", 2, 0),
    ("w", 0, 1),
    ("c", 1, 1),
    ("m", 1, 1),
    ("e", 2, 1),
    ("sw", 0, 2),
    ("s", 1, 2),
    ("se", 2, 2),
    ("northwest", 0, 0),
    ("north", 1, 0),
    ("northeast", 2, 0),
    ("west", 0, 1),
    ("centre", 1, 1),
    ("center", 1, 1),
    ("middle", 1, 1),
    ("east", 2, 1),
    ("southwest", 0, 2),
    ("south", 1, 2),
    ("southeast", 2, 2),
    ("top", 1, 0),
    ("left", 0, 1),
    ("right", 2, 1),
    ("bottom", 1, 2),
];
/// The least side of a place that lies by its name, in pixels.
const CELL: f64 = 60.0;
/// Equal pieces that are drawn one by one; more are a number.
const DOTS: i64 = 12;

/// Something with a size that can be drawn with its upper left corner anywhere.
struct Drawn {
    width: f64,
    height: f64,
    parts: Vec<Part>,
}

/// A part of a drawing, at a place in it.
enum Part {
    /// A box: place, size, colour of the rim, whether it closes a loop, tip, what it stands for.
    Box(f64, f64, f64, f64, Option<String>, bool, String, String),
    /// A text: place of its base line, whether it is a heading.
    Text(f64, f64, String, bool),
    /// A drawing: place, size, whether it lies on a card, what is written there, tip, what it stands for.
    Piece(f64, f64, (f64, f64), Dress, Option<String>, String, String),
}

impl Part {
    fn moved(self, dx: f64, dy: f64) -> Part {
        match self {
            Part::Box(x, y, w, h, rim, dashed, tip, mark) => {
                Part::Box(x + dx, y + dy, w, h, rim, dashed, tip, mark)
            }
            Part::Text(x, y, text, bold) => Part::Text(x + dx, y + dy, text, bold),
            Part::Piece(x, y, size, dress, card, tip, mark) => {
                Part::Piece(x + dx, y + dy, size, dress, card, tip, mark)
            }
        }
    }

    fn svg(&self) -> String {
        match self {
            Part::Box(x, y, w, h, rim, dashed, tip, mark) => {
                let dashes = if *dashed {
                    " stroke-dasharray=\"6 4\""
                } else {
                    ""
                };
                let (stroke, width) = match rim {
                    Some(colour) => (colour.as_str(), 4),
                    None => ("#5b4327", 1),
                };
                // A rim has the colour of a side in any theme.
                let class = if rim.is_some() { "box owned" } else { "box" };
                let class = match mark.is_empty() {
                    true => format!(" class=\"{class}\""),
                    false => mark.replacen("class=\"", &format!("class=\"{class} "), 1),
                };
                format!(
                    "<rect{class} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"8\" fill=\"#fffdf8\" \
                     stroke=\"{stroke}\" stroke-width=\"{width}\"{dashes}><title>{}</title></rect>\n",
                    escape(tip)
                )
            }
            Part::Text(x, y, text, bold) => {
                let weight = if *bold { " font-weight=\"bold\"" } else { "" };
                format!(
                    "<text class=\"words\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"13\"{weight} fill=\"#24211d\" \
                     pointer-events=\"none\">{}</text>\n",
                    escape(text)
                )
            }
            Part::Piece(x, y, (w, h), dress, card, tip, mark) => {
                let side = w.min(*h) * if card.is_some() { 0.66 } else { 0.92 };
                let (left, top) = (x + (w - side) / 2.0, y + (h - side) / 2.0);
                let look = known(dress);
                let (back, name) = match card {
                    Some(name) => (
                        "fill=\"#fffdf8\" stroke=\"#6b6459\"",
                        format!(
                            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" font-weight=\"700\" fill=\"#1f1c19\" \
                             pointer-events=\"none\">{}</text>",
                            x + 4.0,
                            y + 12.0,
                            escape(name)
                        ),
                    ),
                    None => ("fill=\"#000000\" fill-opacity=\"0\"", String::new()),
                };
                format!(
                    "<g{mark}><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"5\" \
                     {back}/><use href=\"#{look}-{}\" transform=\"translate({:.1} {:.1}) scale({})\" pointer-events=\"none\"/>\
                     {name}</g>\n",
                    escape(tip),
                    dress.side,
                    left,
                    top,
                    pixels(side / BOX),
                )
            }
        }
    }
}

/// The drawing of a dress, or a plain one where there is none.
fn known(dress: &Dress) -> &str {
    match art().has(&dress.look) {
        true => &dress.look,
        false => "plate",
    }
}

/// Draws all that is in each other, and who owns what: a document of its own.
pub(super) fn svg(position: &Position<'_>, style: &Style<'_>, look: &Nest) -> String {
    let scene = Scene::new(position, style, look);
    let mut all = scene.all();
    if !style.marked {
        // A page says itself who plays.
        let legend = scene.legend();
        let y = all.height + GAP;
        all.width = all.width.max(legend.width);
        all.height += GAP + legend.height;
        all.parts
            .extend(legend.parts.into_iter().map(|part| part.moved(0.0, y)));
    }
    let mut drawings = String::new();
    if style.whole {
        let used: BTreeSet<(&str, &str)> = all
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Piece(_, _, _, dress, ..) => Some((known(dress), dress.side.as_str())),
                _ => None,
            })
            .collect();
        let used = used.into_iter().map(|(look, side)| drawing(look, side));
        drawings = format!("<defs>\n{}</defs>\n", used.collect::<String>());
    }
    let body: String = all.parts.iter().map(Part::svg).collect();
    let (width, height) = (all.width + 2.0 * GAP, all.height + 2.0 * GAP);
    let title = escape(position.info.name);
    let text = escape(position.text);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {left} {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" data-pitch=\"{PIECE}\" data-nest=\"1\" role=\"img\" font-family=\"system-ui, sans-serif\">\n\
         <title>{title}</title>\n<desc>{text}</desc>\n{drawings}\
         <rect class=\"paper\" x=\"{left}\" y=\"{left}\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#f6f3ec\"/>\n\
         {body}<g class=\"below\"></g></svg>\n",
        left = -GAP,
    )
}

/// The same as text: a line for each thing that is in no other, with what is in it in brackets; owners by colour, or by name
/// where there are no colours.
pub(super) fn text(position: &Position<'_>, look: &Nest, colours: bool) -> String {
    let style = Style {
        files: &crate::Files::new(),
        address: None,
        marked: false,
        whole: true,
    };
    let scene = Scene::new(position, &style, look);
    let mut lines = Vec::new();
    let pieces: Vec<usize> = (0..scene.up.len()).filter(|&p| scene.there[p]).collect();
    for &piece in &pieces {
        if scene.up[piece].is_none() {
            lines.push(scene.words(piece, None, colours));
        }
    }
    for &piece in &pieces {
        let ring = scene.ring(piece).unwrap_or_default();
        if ring.iter().min() != Some(&piece) {
            continue;
        }
        let words = ring.iter().enumerate().map(|(at, &piece)| {
            let before = ring[(at + ring.len() - 1) % ring.len()];
            scene.words(piece, Some(before), colours)
        });
        let words: Vec<String> = words.collect();
        lines.push(format!("{} \u{21ba}", words.join(" \u{2192} ")));
    }
    for heap in &look.heaps {
        let loose = scene.number(Some(heap.loose), 0);
        if loose > 0 {
            lines.push(format!("{loose} {}", heap.kind));
        }
        for seat in 0..position.look.player_count() {
            let number = scene.number(heap.owned, seat);
            if number > 0 {
                let words = format!("{number} {}", heap.kind);
                lines.push(scene.owned(&words, Some(seat), colours));
            }
        }
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

struct Scene<'s> {
    position: &'s Position<'s>,
    style: &'s Style<'s>,
    look: &'s Nest,
    /// The container of each piece, and whether it is there.
    up: Vec<Option<usize>>,
    there: Vec<bool>,
    /// The column and row of each place whose name tells where it lies.
    cells: Vec<(usize, (usize, usize))>,
}

impl<'s> Scene<'s> {
    fn new(position: &'s Position<'s>, style: &'s Style<'s>, look: &'s Nest) -> Self {
        let count = look.kinds.len();
        let mut up: Vec<Option<usize>> = look.first.iter().map(|u| u.map(|u| u as usize)).collect();
        if let Some(placement) = look.placement {
            up = vec![None; count];
            for place in 0..count {
                for piece in position.on_place(placement as usize, place as u32) {
                    if let Some(up) = up.get_mut(piece as usize) {
                        *up = Some(place);
                    }
                }
            }
        }
        up.resize(count, None);
        let there = (0..count).map(|piece| match look.exists {
            Some(var) => position.set(var, 0).contains(&(piece as i64)),
            None => true,
        });
        let mut scene = Scene {
            there: there.collect(),
            position,
            style,
            look,
            up,
            cells: Vec::new(),
        };
        scene.cells = scene.named_cells();
        scene
    }

    fn number(&self, var: Option<u32>, cell: usize) -> i64 {
        var.and_then(|var| self.position.number(var, cell))
            .unwrap_or(0)
    }

    fn owner(&self, piece: usize) -> Option<usize> {
        match self.look.owner {
            Some(var) => usize::try_from(self.position.number(var, piece)?).ok(),
            None => self.look.first_owners.get(piece)?.map(|seat| seat as usize),
        }
    }

    fn player(&self, seat: usize) -> String {
        self.position.look.player_name(seat).to_owned()
    }

    fn inside(&self, piece: usize, skip: Option<usize>) -> Vec<usize> {
        let pieces = 0..self.up.len();
        let here = |p: &usize| self.there[*p] && self.up[*p] == Some(piece) && Some(*p) != skip;
        pieces.filter(here).collect()
    }

    fn name(&self, piece: usize) -> String {
        match self.look.named[piece] {
            true => self
                .position
                .look
                .name(self.look.pieces, piece as u32)
                .to_owned(),
            false => self.look.kinds[piece].clone(),
        }
    }

    /// Words with their owner.
    fn owned(&self, words: &str, owner: Option<usize>, colours: bool) -> String {
        match owner {
            Some(seat) if colours => crate::ansi::owned(words, seat, true),
            Some(seat) => format!("{words} ({})", self.player(seat)),
            None => words.to_owned(),
        }
    }

    /// A piece and what is in it, in words; what is alike stands once, with its number.
    fn words(&self, piece: usize, skip: Option<usize>, colours: bool) -> String {
        let name = self.owned(&self.name(piece), self.owner(piece), colours);
        let mut inner: Vec<(String, usize)> = Vec::new();
        for part in self.inside(piece, skip) {
            let words = self.words(part, None, colours);
            match inner.iter_mut().find(|(known, _)| *known == words) {
                Some((_, count)) => *count += 1,
                None => inner.push((words, 1)),
            }
        }
        for heap in &self.look.heaps {
            let number = heap.inside.map_or(0, |var| self.number(Some(var), piece));
            if number > 0 {
                inner.push((heap.kind.clone(), number as usize));
            }
        }
        let inner: Vec<String> = inner
            .into_iter()
            .map(|(words, count)| match count {
                1 => words,
                _ => format!("{count} {words}"),
            })
            .collect();
        match inner.is_empty() {
            true => name,
            false => format!("{name} [{}]", inner.join(", ")),
        }
    }

    /// The loop that a piece is on, upward from it.
    fn ring(&self, piece: usize) -> Option<Vec<usize>> {
        let mut ring = vec![piece];
        let mut here = self.up[piece]?;
        while here != piece {
            if ring.contains(&here) {
                return None;
            }
            ring.push(here);
            here = self.up[here]?;
        }
        Some(ring)
    }

    fn all(&self) -> Drawn {
        let pieces: Vec<usize> = (0..self.up.len()).filter(|&p| self.there[p]).collect();
        let mut drawn = Vec::new();
        // What a player has stands together; what holds others stands by itself.
        let mut hands: Vec<Vec<Drawn>> = Vec::new();
        hands.resize_with(self.position.look.player_count(), Vec::new);
        if !self.cells.is_empty() {
            let cells = self
                .cells
                .iter()
                .map(|&(piece, cell)| (cell, self.piece(piece, None)));
            drawn.push(by_the_compass(cells.collect()));
        }
        for &piece in &pieces {
            if self.up[piece].is_some() || self.is_cell(piece) {
                continue;
            }
            let owner = self
                .owner(piece)
                .filter(|_| !self.holds(&self.look.kinds[piece]));
            match owner.and_then(|seat| hands.get_mut(seat)) {
                Some(hand) => hand.push(self.piece(piece, None)),
                None => drawn.push(self.piece(piece, None)),
            }
        }
        for (seat, hand) in hands.into_iter().enumerate() {
            if !hand.is_empty() {
                let (name, rim) = (self.player(seat), self.rim(Some(seat)));
                let tip = format!("what {name} has");
                drawn.push(framed(name, hand, rim, false, tip, String::new()));
            }
        }
        for &piece in &pieces {
            let Some(ring) = self.ring(piece) else {
                continue;
            };
            if ring.iter().min() == Some(&piece) {
                drawn.push(self.loop_of(&ring));
            }
        }
        for (kind, heap) in self.look.heaps.iter().enumerate() {
            let loose = self.number(Some(heap.loose), 0);
            drawn.extend(self.heap(kind, loose, None));
            for seat in 0..self.position.look.player_count() {
                let number = self.number(heap.owned, seat);
                drawn.extend(self.heap(kind, number, heap.owned.map(|_| seat)));
            }
        }
        balanced(drawn)
    }

    /// The places whose names tell where they lie, such as `north` and `west`, and the column and row of each: all of a kind, at
    /// least three.
    fn named_cells(&self) -> Vec<(usize, (usize, usize))> {
        let is_free = |&piece: &usize| {
            self.there[piece] && self.up[piece].is_none() && self.look.named[piece]
        };
        let free: Vec<usize> = (0..self.up.len()).filter(is_free).collect();
        for &first in &free {
            let kind = &self.look.kinds[first];
            let own = free
                .iter()
                .filter(|&&piece| self.look.kinds[piece] == *kind);
            let cell = |&piece: &usize| {
                let name = self.name(piece).to_lowercase();
                let known = COMPASS.iter().find(|(word, ..)| *word == name)?;
                Some((piece, (known.1, known.2)))
            };
            let Some(cells) = own.map(cell).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let different: BTreeSet<_> = cells.iter().map(|(_, cell)| *cell).collect();
            if cells.len() > 2 && different.len() == cells.len() {
                return cells;
            }
        }
        Vec::new()
    }

    fn is_cell(&self, piece: usize) -> bool {
        self.cells.iter().any(|(cell, _)| *cell == piece)
    }

    /// How a thing of a kind looks.
    fn dress(&self, kind: &str, name: &str, owner: Option<usize>) -> Dress {
        let wardrobe = self.position.look.wardrobe();
        wardrobe.dress((self.look.pieces, kind), name, None, owner)
    }

    /// The colour of a player's things.
    fn rim(&self, owner: Option<usize>) -> Option<String> {
        let sides = self.position.look.sides();
        let (_, fill, edge) = *sides.get(owner?)?;
        // White is no rim on white.
        Some(if fill == "#fbf8f0" { edge } else { fill }.to_owned())
    }

    /// Whether things of a kind hold others, now, at the start, or by their name.
    fn holds(&self, kind: &str) -> bool {
        let is_kind = |up: usize| self.look.kinds.get(up).is_some_and(|own| own == kind);
        let ups = || {
            let first = self.look.first.iter().flatten().map(|up| *up as usize);
            first.chain(self.up.iter().flatten().copied())
        };
        let named = || {
            let own = words(kind);
            own.iter()
                .any(|word| art().is_store(word) || HOLDERS.contains(&word.as_str()))
        };
        let heaps = || {
            let mut pieces = (0..self.up.len()).filter(|&piece| is_kind(piece));
            pieces.any(|piece| {
                let inside = |var: Option<u32>| self.number(var, piece) > 0;
                self.look.heaps.iter().any(|heap| inside(heap.inside))
            })
        };
        let cell = self.cells.first().is_some_and(|(cell, _)| is_kind(*cell));
        ups().any(is_kind) || named() || heaps() || cell
    }

    /// Whether the things of this game are cards.
    fn are_cards(&self) -> bool {
        let speaks = |kind: &String| {
            words(kind)
                .iter()
                .any(|word| CARDS.contains(&word.as_str()))
        };
        self.look.kinds.iter().any(speaks)
    }

    /// A piece in which nothing can be.
    fn leaf(&self, piece: usize, tip: &str) -> Drawn {
        let kind = &self.look.kinds[piece];
        let name = self.position.look.name(self.look.pieces, piece as u32);
        let owner = self.owner(piece);
        let mark = self
            .style
            .mark(self.look.pieces, piece as u32, tip, "place leaf");
        let card = self.are_cards();
        let size = if card { CARD } else { (PIECE, PIECE) };
        let dress = self.dress(kind, name, owner);
        let title = (card && self.look.named[piece]).then(|| name.to_owned());
        let title = title.or_else(|| card.then(|| kind.clone()));
        let part = Part::Piece(0.0, 0.0, size, dress, title, tip.to_owned(), mark);
        let mut drawn = Drawn {
            width: size.0,
            height: size.1,
            parts: vec![part],
        };
        // Only their names tell equal things apart.
        let alike = self.look.kinds.iter().filter(|own| *own == kind).count();
        if self.look.named[piece] && !card && alike > 1 {
            drawn.height += LINE;
            let text = name.chars().take(8).collect();
            drawn
                .parts
                .push(Part::Text(2.0, size.1 + LINE - 5.0, text, false));
        }
        drawn
    }

    /// A piece and what is in it.
    fn piece(&self, piece: usize, skip: Option<usize>) -> Drawn {
        let mut inner: Vec<Drawn> = self
            .inside(piece, skip)
            .into_iter()
            .map(|p| self.piece(p, None))
            .collect();
        for (kind, heap) in self.look.heaps.iter().enumerate() {
            let number = heap.inside.map_or(0, |var| self.number(Some(var), piece));
            inner.extend(self.heap(kind, number, None));
        }
        let kind = &self.look.kinds[piece];
        let name = self.name(piece);
        let owner = self.owner(piece);
        let tip = match owner {
            Some(seat) => format!("{kind} {name}, owned by {}", self.player(seat)),
            None => format!("{kind} {name}"),
        };
        if inner.is_empty() && !self.holds(kind) {
            return self.leaf(piece, &tip);
        }
        let mark = self
            .style
            .mark(self.look.pieces, piece as u32, &tip, "place");
        framed(name, inner, self.rim(owner), false, tip, mark)
    }

    /// So many equal pieces that nothing tells apart.
    fn heap(&self, kind: usize, number: i64, owner: Option<usize>) -> Option<Drawn> {
        let name = &self.look.heaps[kind].kind;
        if number <= 0 {
            return None;
        }
        let tip = match owner {
            Some(seat) => format!("{number} {name}, owned by {}", self.player(seat)),
            None => format!("{number} {name}"),
        };
        let shown = if number <= DOTS { number } else { 1 };
        let dress = self.dress(name, name, None);
        let mut drawn = Drawn {
            width: 0.0,
            height: DOT,
            parts: Vec::new(),
        };
        for nth in 0..shown {
            let (size, tip) = ((DOT, DOT), tip.clone());
            let x = nth as f64 * (DOT + 3.0);
            let part = Part::Piece(x, 0.0, size, dress.clone(), None, tip, String::new());
            drawn.parts.push(part);
            drawn.width = x + DOT;
        }
        if number > DOTS {
            let text = format!("×{number}");
            drawn.width += 6.0 + text.len() as f64 * LETTER;
            drawn
                .parts
                .push(Part::Text(DOT + 4.0, DOT * 0.7, text, true));
        }
        Some(match owner {
            Some(seat) => framed(
                name.clone(),
                vec![drawn],
                self.rim(Some(seat)),
                false,
                tip,
                String::new(),
            ),
            None => drawn,
        })
    }

    /// Pieces that are in each other in a circle: each is in the next one, the last one in the first.
    fn loop_of(&self, ring: &[usize]) -> Drawn {
        let mut parts = Vec::new();
        for (at, &piece) in ring.iter().enumerate() {
            let before = ring[(at + ring.len() - 1) % ring.len()];
            parts.push(self.piece(piece, Some(before)));
            let arrow = if at + 1 < ring.len() {
                "\u{2192}"
            } else {
                "\u{21ba}"
            };
            parts.push(Drawn {
                width: 12.0,
                height: LINE + 4.0,
                parts: vec![Part::Text(0.0, LINE, arrow.to_owned(), true)],
            });
        }
        let tip = "each is in the next one, the last one in the first".to_owned();
        framed(String::new(), parts, None, true, tip, String::new())
    }

    /// The players with their colours, and who is to move.
    fn legend(&self) -> Drawn {
        let moving = match self.position.turn {
            Turn::Decide(players) => players,
            _ => 0,
        };
        let players = (0..self.position.look.player_count()).map(|seat| {
            let to_move = moving >> (seat & 63) & 1 == 1;
            let name = self.player(seat);
            let text = if to_move {
                format!("{name} (to move)")
            } else {
                name
            };
            Drawn {
                width: 20.0 + text.len() as f64 * LETTER + GAP,
                height: LINE,
                parts: vec![
                    Part::Box(
                        0.0,
                        2.0,
                        14.0,
                        14.0,
                        self.rim(Some(seat)),
                        false,
                        text.clone(),
                        String::new(),
                    ),
                    Part::Text(20.0, 14.0, text, to_move),
                ],
            }
        });
        rows(players.collect(), 900.0)
    }
}

/// A box with a heading around things.
fn framed(
    name: String,
    inner: Vec<Drawn>,
    rim: Option<String>,
    dashed: bool,
    tip: String,
    mark: String,
) -> Drawn {
    let head = if name.is_empty() { 0.0 } else { LINE };
    let empty = inner.is_empty();
    // About twice as wide as high.
    let area: f64 = inner
        .iter()
        .map(|d| (d.width + GAP) * (d.height + GAP))
        .sum();
    let content = rows(inner, (2.0 * area).sqrt().max(120.0));
    let title = name.chars().count() as f64 * HEADING;
    let width = (content.width.max(title) + 2.0 * GAP).max(28.0);
    let below = if empty {
        GAP / 2.0
    } else {
        content.height + GAP
    };
    let height = head + below + if head > 0.0 { 0.0 } else { GAP };
    let mut parts = vec![Part::Box(0.0, 0.0, width, height, rim, dashed, tip, mark)];
    if head > 0.0 {
        parts.push(Part::Text(GAP, LINE - 4.0, name, !empty));
    }
    let top = if head > 0.0 { head } else { GAP };
    parts.extend(content.parts.into_iter().map(|part| part.moved(GAP, top)));
    Drawn {
        width,
        height,
        parts,
    }
}

/// Boxes in columns and rows: all of one width, those of a row of one height.
fn by_the_compass(cells: Vec<((usize, usize), Drawn)>) -> Drawn {
    let width = cells.iter().map(|(_, one)| one.width).fold(CELL, f64::max);
    let columns: BTreeSet<usize> = cells.iter().map(|((column, _), _)| *column).collect();
    let rows: BTreeSet<usize> = cells.iter().map(|((_, row), _)| *row).collect();
    let mut all = Drawn {
        width: columns.len() as f64 * (width + GAP) - GAP,
        height: 0.0,
        parts: Vec::new(),
    };
    // A field of rows and columns has one size of cells.
    let square = rows.len() > 1 && columns.len() > 1;
    let least = if square { CELL } else { 0.0 };
    let height = |row: usize| {
        let own = cells.iter().filter(|((_, own), _)| *own == row || square);
        own.map(|(_, one)| one.height).fold(least, f64::max)
    };
    let heights: Vec<(usize, f64)> = rows.iter().map(|&row| (row, height(row))).collect();
    for ((column, row), mut one) in cells {
        let x = columns.range(..column).count() as f64 * (width + GAP);
        let above = heights.iter().filter(|(known, _)| *known < row);
        let y: f64 = above.map(|(_, height)| height + GAP).sum();
        let own = heights.iter().find(|(known, _)| *known == row);
        let high = own.map_or(one.height, |(_, height)| *height);
        if let Some(Part::Box(_, _, w, h, ..)) = one.parts.first_mut() {
            (*w, *h) = (width, high);
        }
        all.height = all.height.max(y + high);
        // What is in a box stands in its middle, below the name.
        let (dx, dy) = ((width - one.width) / 2.0, (high - one.height) / 2.0);
        let parts = one.parts.into_iter().enumerate();
        all.parts.extend(parts.map(|(number, part)| match number {
            0 | 1 => part.moved(x, y),
            _ => part.moved(x + dx, y + dy),
        }));
    }
    all
}

/// Things in rows that are about as long as all of them are high, so that they are shown large.
fn balanced(things: Vec<Drawn>) -> Drawn {
    let sizes: Vec<(f64, f64)> = things.iter().map(|one| (one.width, one.height)).collect();
    // The side of the square that the rows need, a little wider than high.
    let side = |most: f64| {
        let (mut x, mut y, mut wide, mut high) = (0.0, 0.0, 0.0_f64, 0.0_f64);
        for (width, height) in &sizes {
            if x > 0.0 && x + width > most {
                (x, y, high) = (0.0, y + high + GAP, 0.0);
            }
            wide = wide.max(x + width);
            high = high.max(*height);
            x += width + GAP;
        }
        wide.max((y + high) * 1.2)
    };
    let widths = [900.0, 760.0, 640.0, 520.0, 420.0, 340.0, 260.0];
    let best = widths
        .into_iter()
        .min_by(|a, b| side(*a).total_cmp(&side(*b)));
    rows(things, best.unwrap_or(900.0))
}

/// Things beside each other, in rows of at most this width unless one thing is wider.
fn rows(things: Vec<Drawn>, most: f64) -> Drawn {
    let mut all = Drawn {
        width: 0.0,
        height: 0.0,
        parts: Vec::new(),
    };
    let (mut x, mut y, mut high) = (0.0, 0.0, 0.0_f64);
    for thing in things {
        if x > 0.0 && x + thing.width > most {
            (x, y, high) = (0.0, y + high + GAP, 0.0);
        }
        all.parts
            .extend(thing.parts.into_iter().map(|part| part.moved(x, y)));
        all.width = all.width.max(x + thing.width);
        high = high.max(thing.height);
        all.height = y + high;
        x += thing.width + GAP;
    }
    all
}
