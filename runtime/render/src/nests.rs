//! Pictures of pieces that are in each other: boxes in boxes, owners by colour.

use rulec_core::Turn;

use crate::look::{Nest, Position};
use crate::{COLOURS, Style, escape};

/// Height of a line of text, in pixels.
const LINE: f64 = 18.0;
/// Room around what is in a box, in pixels.
const GAP: f64 = 8.0;
/// Width of a letter, about, in pixels.
const LETTER: f64 = 7.2;
/// Radius of one of many equal pieces, in pixels.
const DOT: f64 = 6.0;
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
    /// A box: place, size, colour, whether it closes a loop, tip, what it stands for.
    Box(f64, f64, f64, f64, Option<usize>, bool, String, String),
    /// A text: place of its base line, whether it is a heading.
    Text(f64, f64, String, bool),
    /// One of many equal pieces: its middle, the number of its kind.
    Dot(f64, f64, usize, String),
}

impl Part {
    fn moved(self, dx: f64, dy: f64) -> Part {
        match self {
            Part::Box(x, y, w, h, colour, dashed, tip, mark) => {
                Part::Box(x + dx, y + dy, w, h, colour, dashed, tip, mark)
            }
            Part::Text(x, y, text, bold) => Part::Text(x + dx, y + dy, text, bold),
            Part::Dot(x, y, kind, tip) => Part::Dot(x + dx, y + dy, kind, tip),
        }
    }

    fn svg(&self) -> String {
        match self {
            Part::Box(x, y, w, h, colour, dashed, tip, mark) => {
                let fill = colour.map_or("#ffffff", |seat| COLOURS[seat % COLOURS.len()]);
                let opacity = if colour.is_some() { "0.55" } else { "0.7" };
                let dashes = if *dashed {
                    " stroke-dasharray=\"6 4\""
                } else {
                    ""
                };
                format!(
                    "<rect{mark} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"5\" fill=\"{fill}\" \
                     fill-opacity=\"{opacity}\" stroke=\"#444444\"{dashes}><title>{}</title></rect>\n",
                    escape(tip)
                )
            }
            Part::Text(x, y, text, bold) => {
                let weight = if *bold { " font-weight=\"bold\"" } else { "" };
                format!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"12\"{weight} fill=\"#222222\">{}</text>\n",
                    escape(text)
                )
            }
            Part::Dot(x, y, kind, tip) => {
                let fill = COLOURS[(kind + 3) % COLOURS.len()];
                format!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\" fill=\"{fill}\" stroke=\"#444444\"><title>{}\
                     </title></circle>\n",
                    escape(tip)
                )
            }
        }
    }
}

/// Draws all that is in each other, and who owns what: a document of its own.
pub(super) fn svg(position: &Position<'_>, style: &Style<'_>, look: &Nest) -> String {
    let scene = Scene::new(position, style, look);
    let mut all = scene.all();
    let legend = scene.legend();
    let y = all.height + GAP;
    all.width = all.width.max(legend.width);
    all.height += GAP + legend.height;
    all.parts
        .extend(legend.parts.into_iter().map(|part| part.moved(0.0, y)));
    let body: String = all.parts.iter().map(Part::svg).collect();
    let (width, height) = (all.width + 2.0 * GAP, all.height + 2.0 * GAP);
    let title = escape(position.info.name);
    let text = escape(position.text);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {left} {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" font-family=\"sans-serif\">\n<title>{title}</title>\n<desc>{text}</desc>\n\
         <rect x=\"{left}\" y=\"{left}\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#f7f5f0\"/>\n{body}</svg>\n",
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
        Scene {
            there: there.collect(),
            position,
            style,
            look,
            up,
        }
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
            Some(seat) if colours => crate::terminal::owned(words, seat, true),
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
        for &piece in &pieces {
            if self.up[piece].is_none() {
                drawn.push(self.piece(piece, None));
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
        rows(drawn, 900.0)
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
        let mark = self
            .style
            .mark(self.look.pieces, piece as u32, &tip, "place");
        framed(name, inner, owner, false, tip, mark)
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
        let mut drawn = Drawn {
            width: 0.0,
            height: 2.0 * DOT + 4.0,
            parts: Vec::new(),
        };
        if number <= DOTS {
            for nth in 0..number {
                let x = nth as f64 * (2.0 * DOT + 3.0) + DOT;
                drawn.parts.push(Part::Dot(x, DOT + 2.0, kind, tip.clone()));
                drawn.width = x + DOT;
            }
        } else {
            let text = format!("{number} {name}");
            drawn
                .parts
                .push(Part::Dot(DOT, DOT + 2.0, kind, tip.clone()));
            drawn.width = 2.0 * DOT + 4.0 + text.len() as f64 * LETTER;
            let x = 2.0 * DOT + 4.0;
            drawn.parts.push(Part::Text(x, DOT + 6.0, text, false));
        }
        Some(match owner {
            Some(seat) => framed(
                name.clone(),
                vec![drawn],
                Some(seat),
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
                        Some(seat),
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
    owner: Option<usize>,
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
    let title = name.chars().count() as f64 * LETTER;
    let width = (content.width.max(title) + 2.0 * GAP).max(28.0);
    let below = if empty {
        GAP / 2.0
    } else {
        content.height + GAP
    };
    let height = head + below + if head > 0.0 { 0.0 } else { GAP };
    let mut parts = vec![Part::Box(0.0, 0.0, width, height, owner, dashed, tip, mark)];
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
