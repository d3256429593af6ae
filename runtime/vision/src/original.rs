//! The detector of the original system, with its results.
//!
//! It knows no corners and learns nothing: pixels in the ranges of the rules are flooded, and each place has a pixel of
//! its own in the picture. What it finds is what the original finds, oddities included.

use rulec_core::{Event, Fault, Game, MoveList};

use crate::colour::Range;
use crate::frame::Frame;
use crate::scene::{LookId, Scene, Standing};

/// What is looked for; the first of several that fit a pixel has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectType {
    /// Name of the type.
    pub name: String,
    /// State that the type stands for.
    pub state: i64,
    /// Its colours.
    pub range: Range,
    /// Least and greatest number of pixels, inclusive.
    pub size: (i64, i64),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Number of its type.
    pub kind: usize,
    /// Mean of its pixels, rounded down.
    pub at: (i32, i32),
}

/// Why no move was read; the person is asked to move again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Retry {
    /// Pieces stand on two places that were empty.
    #[error("more than one piece has moved")]
    SeveralMoved,
    /// A place shows another piece than the one that stands there.
    #[error("a piece has changed")]
    Changed,
    /// No piece stands on a place that was empty.
    #[error("no piece has moved")]
    NoneMoved,
    /// Several pieces are missing, or one that came from nowhere.
    #[error("it is not clear which piece has moved")]
    NoSource,
    /// The move is not allowed.
    #[error("the move is not allowed")]
    Refused,
    /// No place is known to the camera.
    #[error("the rules tell no place in the picture")]
    Blind,
}

/// The types of a scene, in the order of its looks.
///
/// The original takes them in the order of the rule file, which only matters where ranges overlap.
pub fn types(scene: &Scene) -> Vec<ObjectType> {
    let looks = scene.looks.iter();
    let all = looks.flat_map(|look| {
        look.blobs.iter().map(|blob| ObjectType {
            name: look.kind.clone(),
            state: look.state,
            range: blob.range,
            size: blob.size,
        })
    });
    all.collect()
}

/// Types in the form that the original's camera program reads: `name` in a line of its own, then `hueMin hueMax satMin satMax
/// valMin valMax sizeMin sizeMax state`. A name may begin with `@`.
///
/// # Errors
/// The number of the first line, from 1, that is not of that form.
pub fn parse_types(text: &str) -> Result<Vec<ObjectType>, usize> {
    let mut types = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((_, name)) = lines.next() {
        if name.trim().is_empty() {
            continue;
        }
        let (number, line) = lines.next().ok_or(text.lines().count())?;
        let wrong = number + 1;
        let words: Vec<&str> = line.trim_start_matches('@').split_whitespace().collect();
        let [h0, h1, s0, s1, v0, v1, least, most, state] = words[..] else {
            return Err(wrong);
        };
        let float = |word: &str| word.parse::<f64>().map_err(|_| wrong);
        let int = |word: &str| word.parse::<i64>().map_err(|_| wrong);
        types.push(ObjectType {
            name: name.trim().trim_start_matches('@').to_owned(),
            state: int(state)?,
            range: Range {
                hue: (float(h0)?, float(h1)?),
                saturation: (float(s0)?, float(s1)?),
                value: (float(v0)?, float(v1)?),
            },
            size: (int(least)?, int(most)?),
        });
    }
    Ok(types)
}

/// Everything that is reported of a frame, in the order of the original: columns from the left, in each from the top.
pub fn detect(frame: &Frame, types: &[ObjectType]) -> Vec<Object> {
    let (width, height) = (frame.width(), frame.height());
    let hsv = frame.hsv();
    let mut taken = vec![false; width * height];
    let fits = |kind: &ObjectType, pixel: usize| {
        let mut colour = hsv.pixels()[pixel];
        // The original compares values of 0 to 255 with bounds times 255, all in single precision.
        colour.value = (colour.value * 255.0).round();
        let bound = |bound: f64| f64::from(bound as f32 * 255.0);
        let value = (bound(kind.range.value.0), bound(kind.range.value.1));
        Range {
            value,
            ..single(kind.range)
        }
        .holds(colour)
    };
    let mut found = Vec::new();
    for x in 0..width {
        for y in 0..height {
            let start = y * width + x;
            if taken[start] {
                continue;
            }
            let Some(kind) = types.iter().position(|kind| fits(kind, start)) else {
                continue;
            };
            let free = |taken: &[bool], pixel: usize| !taken[pixel] && fits(&types[kind], pixel);
            let (size, sums) = flood(&mut taken, (width, height), start, free);
            let (least, most) = types[kind].size;
            if least <= size && size <= most {
                let mean = |sum: i64| i32::try_from(sum / size).unwrap_or(i32::MAX);
                found.push(Object {
                    kind,
                    at: (mean(sums.0), mean(sums.1)),
                });
            }
        }
    }
    found
}

/// Bounds in single precision.
fn single(range: Range) -> Range {
    let both = |(a, b): (f64, f64)| (f64::from(a as f32), f64::from(b as f32));
    Range {
        hue: both(range.hue),
        saturation: both(range.saturation),
        value: both(range.value),
    }
}

/// Takes the pixels that touch a first one by their sides: their number and the sums of their coordinates.
///
/// As in the original, the fill never steps right from its first pixel, so a line of one row falls apart into pixels.
fn flood(
    taken: &mut [bool],
    (width, height): (usize, usize),
    start: usize,
    free: impl Fn(&[bool], usize) -> bool,
) -> (i64, (i64, i64)) {
    let (mut size, mut sums) = (0, (0, 0));
    let mut todo = vec![start];
    taken[start] = true;
    while let Some(pixel) = todo.pop() {
        let (x, y) = (pixel % width, pixel / width);
        size += 1;
        sums.0 += x as i64;
        sums.1 += y as i64;
        let next = [
            (x > 0).then(|| pixel - 1),
            (y > 0).then(|| pixel - width),
            (y + 1 < height).then_some(pixel + width),
            (x + 1 < width && pixel != start).then_some(pixel + 1),
        ];
        for next in next.into_iter().flatten() {
            if free(taken, next) {
                taken[next] = true;
                todo.push(next);
            }
        }
    }
    (size, sums)
}

/// Objects in the lines that the original's camera program writes, with the `=` that ends them.
pub fn report(objects: &[Object], types: &[ObjectType]) -> String {
    let mut text = String::new();
    for object in objects {
        let kind = &types[object.kind];
        let (x, y) = object.at;
        text.push_str(&format!("O:{}\t{}\t{x}\t{y}\n", kind.name, kind.state));
    }
    text.push_str("=\n");
    text
}

/// What the original takes for the move of a person: a piece, where it was and where it is.
///
/// An object belongs to the nearest place, however far it is. Moves to places that do not count are not recognised.
///
/// # Errors
/// Why the original asks again.
pub fn changed_place(
    scene: &Scene,
    standing: &Standing,
    objects: &[Object],
    types: &[ObjectType],
) -> Result<(u32, usize, usize), Retry> {
    let places = || scene.places.iter().enumerate();
    let relevant = places().filter(|(at, place)| place.relevant && standing.piece(*at).is_some());
    let mut occupied: Vec<usize> = relevant.map(|(at, _)| at).collect();
    let mut target = None;
    for object in objects {
        let far = |(x, y): (i32, i32)| {
            let (dx, dy) = (i64::from(x - object.at.0), i64::from(y - object.at.1));
            dx * dx + dy * dy
        };
        let seen = places().filter_map(|(at, place)| Some((far(place.camera?), at)));
        let (_, place) = seen.min().ok_or(Retry::Blind)?;
        let kind = &types[object.kind];
        match standing.look(scene, place) {
            None if target.is_some() => return Err(Retry::SeveralMoved),
            None => target = Some((place, kind)),
            Some(look) => {
                occupied.retain(|&other| other != place);
                if !is(scene, look, kind) {
                    return Err(Retry::Changed);
                }
            }
        }
    }
    let (to, kind) = target.ok_or(Retry::NoneMoved)?;
    let from = match occupied[..] {
        [from] => from,
        // It came from beside the board: from any place there that holds one that is alike.
        [] => places()
            .filter(|(_, place)| !place.relevant)
            .find(|(at, _)| {
                standing
                    .look(scene, *at)
                    .is_some_and(|look| is(scene, look, kind))
            })
            .map(|(at, _)| at)
            .ok_or(Retry::NoSource)?,
        _ => return Err(Retry::NoSource),
    };
    let piece = standing.piece(from).ok_or(Retry::NoSource)?;
    Ok((piece, from, to))
}

fn is(scene: &Scene, look: LookId, kind: &ObjectType) -> bool {
    let look = &scene.looks[usize::from(look)];
    look.kind == kind.name && look.state == kind.state
}

/// The legal move that the original reads from a frame.
///
/// # Errors
/// A fault of the rules, or inside why the original asks again.
pub fn read_move<G: Game>(
    game: &G,
    scene: &Scene,
    state: &G::State,
    standing: &Standing,
    frame: &Frame,
) -> Result<Result<G::Move, Retry>, Fault> {
    let types = types(scene);
    let found = changed_place(scene, standing, &detect(frame, &types), &types);
    let (piece, from, to) = match found {
        Ok(found) => found,
        Err(retry) => return Ok(Err(retry)),
    };
    let mut moves = MoveList::new();
    game.legal_moves(state, &mut moves)?;
    let wanted = Event::Moved {
        piece,
        from: from as u32,
        to: to as u32,
    };
    for &mv in moves.iter() {
        let mut events: Vec<Event> = Vec::new();
        game.play(&mut state.clone(), mv, &mut events);
        // The first thing that happens is the move itself; others follow from it.
        if events.iter().find(|e| matches!(e, Event::Moved { .. })) == Some(&wanted) {
            return Ok(Ok(mv));
        }
    }
    Ok(Err(Retry::Refused))
}
