//! From a document to pixels.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};
use tiny_skia::{FillRule, Path, PathBuilder, Pixmap, Rect, Transform};

use crate::brush::{Anchor, Brush};
use crate::letters::{EM, letter};
use crate::outline::outline;
use crate::{MOST_PIXELS, PaintError, Picture, Size, photo};

/// Elements inside each other, at most.
const DEEPEST: usize = 64;

pub(crate) fn paint(svg: &str, size: Size) -> Result<Picture, PaintError> {
    let document = Document::parse(svg)?;
    let root = document.root_element();
    if !root.has_tag_name(("http://www.w3.org/2000/svg", "svg")) {
        return Err(unknown(root));
    }
    let (width, height) = (number(root, "width")?, number(root, "height")?);
    let scale = match size {
        Size::Scale(scale) => scale,
        Size::Width(pixels) => f64::from(pixels) / width,
    };
    let (across, down) = ((width * scale).round(), (height * scale).round());
    let fits = 1.0..=f64::from(MOST_PIXELS);
    let pixmap = Some((across, down)).filter(|(a, d)| fits.contains(a) && fits.contains(d));
    let pixmap = pixmap.and_then(|(a, d)| Pixmap::new(a as u32, d as u32));
    let mut canvas = Canvas {
        pixmap: pixmap.ok_or(PaintError::Size(across, down))?,
        named: root
            .descendants()
            .filter_map(|node| Some((node.attribute("id")?, node)))
            .collect(),
        unknown: BTreeSet::new(),
    };
    let scale = scale as f32;
    canvas.svg(
        root,
        &Brush::default(),
        Transform::from_scale(scale, scale),
        0,
    )?;
    Ok(Picture {
        pixmap: canvas.pixmap,
        unknown: canvas.unknown,
    })
}

fn unknown(node: Node<'_, '_>) -> PaintError {
    PaintError::Unknown(format!("<{}>", node.tag_name().name()))
}

/// A number that an element must have.
fn number(node: Node<'_, '_>, name: &str) -> Result<f64, PaintError> {
    let text = node.attribute(name).unwrap_or_default();
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        let tag = node.tag_name().name();
        PaintError::Unknown(format!("<{tag}> with {name}=\"{text}\""))
    })
}

/// A number that is zero where it is not given.
fn optional(node: Node<'_, '_>, name: &str) -> Result<f64, PaintError> {
    match node.has_attribute(name) {
        true => number(node, name),
        false => Ok(0.0),
    }
}

struct Canvas<'d> {
    pixmap: Pixmap,
    named: BTreeMap<&'d str, Node<'d, 'd>>,
    unknown: BTreeSet<char>,
}

impl<'d> Canvas<'d> {
    /// The document, or one in it, with what is in it.
    fn svg(
        &mut self,
        node: Node<'d, 'd>,
        around: &Brush,
        place: Transform,
        depth: usize,
    ) -> Result<(), PaintError> {
        let brush = around.inside(node)?;
        let (x, y) = (optional(node, "x")?, optional(node, "y")?);
        let mut place = place.pre_translate(x as f32, y as f32);
        if let Some(text) = node.attribute("viewBox") {
            let sides: Vec<f64> = text
                .split(' ')
                .filter_map(|side| side.parse().ok())
                .collect();
            let (width, height) = (number(node, "width")?, number(node, "height")?);
            let &[left, top, w, h] = sides.as_slice() else {
                return Err(PaintError::Unknown(format!("viewBox=\"{text}\"")));
            };
            place = place
                .pre_scale((width / w) as f32, (height / h) as f32)
                .pre_translate(-left as f32, -top as f32);
        }
        self.children(node, &brush, place, depth)
    }

    fn children(
        &mut self,
        node: Node<'d, 'd>,
        brush: &Brush,
        place: Transform,
        depth: usize,
    ) -> Result<(), PaintError> {
        for child in node.children().filter(Node::is_element) {
            self.element(child, brush, place, depth + 1)?;
        }
        Ok(())
    }

    fn element(
        &mut self,
        node: Node<'d, 'd>,
        around: &Brush,
        place: Transform,
        depth: usize,
    ) -> Result<(), PaintError> {
        if depth > DEEPEST {
            return Err(PaintError::Unknown(
                "too many elements in each other".to_owned(),
            ));
        }
        let name = node.tag_name().name();
        if name == "svg" {
            return self.svg(node, around, place, depth);
        }
        let brush = around.inside(node)?;
        let place = match node.attribute("transform") {
            Some(text) => moved(place, text)
                .ok_or_else(|| PaintError::Unknown(format!("transform=\"{text}\"")))?,
            None => place,
        };
        match name {
            "title" | "desc" | "defs" => {}
            "g" => self.children(node, &brush, place, depth)?,
            "use" => {
                let to = node.attribute("href").and_then(|to| to.strip_prefix('#'));
                let to = to.and_then(|to| self.named.get(to).copied());
                let shift = (optional(node, "x")? as f32, optional(node, "y")? as f32);
                let to = to.ok_or_else(|| unknown(node))?;
                self.element(to, &brush, place.pre_translate(shift.0, shift.1), depth + 1)?;
            }
            "text" => self.text(node, &brush, place)?,
            "image" => photo::paint(&mut self.pixmap, image(node)?, brush.opacity(), place)?,
            _ => {
                if let Some(path) = shape(node)? {
                    self.path(&path, &brush, place);
                }
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &Path, brush: &Brush, place: Transform) {
        let order = match brush.stroke_first {
            true => [false, true],
            false => [true, false],
        };
        for is_fill in order {
            if is_fill && let Some(paint) = brush.filling() {
                self.pixmap.fill_path(path, &paint, brush.rule, place, None);
            }
            if !is_fill && let Some((paint, line)) = brush.stroking() {
                self.pixmap.stroke_path(path, &paint, line, place, None);
            }
        }
    }

    fn text(
        &mut self,
        node: Node<'d, 'd>,
        brush: &Brush,
        place: Transform,
    ) -> Result<(), PaintError> {
        let text: String = node
            .descendants()
            .filter(Node::is_text)
            .filter_map(|part| part.text())
            .collect();
        if let Some(part) = node
            .children()
            .find(|child| child.is_element() && !matches!(child.tag_name().name(), "title"))
        {
            return Err(unknown(part));
        }
        let text: Vec<&str> = text.split_whitespace().collect();
        let letters: Vec<_> = text
            .join(" ")
            .chars()
            .map(|name| (name, letter(name, brush.bold)))
            .collect();
        let width: f64 = letters.iter().map(|(_, (letter, _))| letter.width).sum();
        let size = brush.font_size / EM;
        let before = match brush.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width * size / 2.0,
            Anchor::End => width * size,
        };
        let (x, y) = (number(node, "x")? - before, number(node, "y")?);
        let mut written = PathBuilder::new();
        let mut at = x;
        for (name, (letter, is_known)) in letters {
            if !is_known {
                self.unknown.insert(name);
            }
            let to =
                Transform::from_translate(at as f32, y as f32).pre_scale(size as f32, size as f32);
            if let Some(path) = letter.path().and_then(|path| path.transform(to)) {
                written.push_path(&path);
            }
            at += letter.width * size;
        }
        if let Some(path) = written.finish() {
            let mut brush = brush.clone();
            brush.rule = FillRule::Winding;
            self.path(&path, &brush, place);
        }
        Ok(())
    }
}

/// A place with the moves and sizes of a `transform` attribute.
fn moved(place: Transform, text: &str) -> Option<Transform> {
    let mut place = place;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('(')?;
        let (values, behind) = behind.split_once(')')?;
        let values = values.split([' ', ',']).filter(|value| !value.is_empty());
        let values: Vec<f32> = values
            .map(|value| value.parse().ok())
            .collect::<Option<_>>()?;
        place = match (name.trim(), values.as_slice()) {
            ("translate", &[x]) => place.pre_translate(x, 0.0),
            ("translate", &[x, y]) => place.pre_translate(x, y),
            ("scale", &[both]) => place.pre_scale(both, both),
            ("scale", &[x, y]) => place.pre_scale(x, y),
            ("rotate", &[angle]) => place.pre_rotate(angle),
            ("rotate", &[angle, x, y]) => place.pre_rotate_at(angle, x, y),
            _ => return None,
        };
        rest = behind.trim_start_matches([' ', ',']);
    }
    Some(place)
}

/// What is said of a picture file: where it lies, its sides as far as they are given, and what is in it.
fn image<'d>(node: Node<'d, 'd>) -> Result<photo::Place<'d>, PaintError> {
    let side = |name| match node.has_attribute(name) {
        true => number(node, name).map(|side| Some(side as f32)),
        false => Ok(None),
    };
    Ok(photo::Place {
        left: optional(node, "x")? as f32,
        top: optional(node, "y")? as f32,
        width: side("width")?,
        height: side("height")?,
        address: node.attribute("href").unwrap_or_default(),
    })
}

/// The outline of an element; nothing where it is empty.
fn shape(node: Node<'_, '_>) -> Result<Option<Path>, PaintError> {
    let at = |name| number(node, name).map(|number| number as f32);
    Ok(match node.tag_name().name() {
        "path" => {
            let text = node.attribute("d").unwrap_or_default();
            let path = outline(text);
            if path.is_none() && !text.trim().is_empty() {
                return Err(PaintError::Unknown(format!("d=\"{text}\"")));
            }
            path
        }
        "rect" => {
            let (x, y) = (optional(node, "x")?, optional(node, "y")?);
            rectangle(
                x,
                y,
                number(node, "width")?,
                number(node, "height")?,
                optional(node, "rx")?,
            )
        }
        "circle" => PathBuilder::from_circle(at("cx")?, at("cy")?, at("r")?),
        "ellipse" => {
            let (x, y, rx, ry) = (at("cx")?, at("cy")?, at("rx")?, at("ry")?);
            Rect::from_ltrb(x - rx, y - ry, x + rx, y + ry).and_then(PathBuilder::from_oval)
        }
        "line" => {
            let mut path = PathBuilder::new();
            path.move_to(at("x1")?, at("y1")?);
            path.line_to(at("x2")?, at("y2")?);
            path.finish()
        }
        name @ ("polygon" | "polyline") => {
            let points = node.attribute("points").unwrap_or_default();
            let end = if name == "polygon" { "Z" } else { "" };
            let path = outline(&format!("M{points}{end}"));
            if path.is_none() {
                return Err(PaintError::Unknown(format!("points=\"{points}\"")));
            }
            path
        }
        _ => return Err(unknown(node)),
    })
}

/// A rectangle with round corners.
fn rectangle(x: f64, y: f64, width: f64, height: f64, round: f64) -> Option<Path> {
    let r = round.min(width / 2.0).min(height / 2.0);
    if r <= 0.0 {
        let rect = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32)?;
        return Some(PathBuilder::from_rect(rect));
    }
    let (across, down) = (width - 2.0 * r, height - 2.0 * r);
    outline(&format!(
        "M{} {y}h{across}a{r} {r} 0 0 1 {r} {r}v{down}a{r} {r} 0 0 1 {} {r}h{}a{r} {r} 0 0 1 {} {}v{}a{r} {r} 0 0 1 {r} {}z",
        x + r,
        -r,
        -across,
        -r,
        -r,
        -down,
        -r
    ))
}
