//! Short labels of kinds of pieces for boards of letters: those of one game all differ.

use std::collections::BTreeSet;

use crate::episode::PieceKind;

/// The signs of usual shapes, which look like them.
const SHAPES: [(&str, char); 4] = [
    ("SQUARE", '#'),
    ("STAR", '*'),
    ("CIRCLE", 'O'),
    ("TRIANGLE", 'T'),
];

/// A label for each kind, of three characters at most where there are fewer than 1000 kinds: a small letter for the color and a
/// sign for the shape, else letters of the name, else a number.
pub fn labels(kinds: &[PieceKind]) -> Vec<String> {
    let colors: Vec<&str> = kinds.iter().filter_map(|k| k.property("color")).collect();
    let shapes: Vec<&str> = kinds.iter().filter_map(|k| k.property("shape")).collect();
    let color_signs = signs(&colors, &[]);
    let shape_signs = signs(&shapes, &SHAPES);
    let of = |signs: &[(&str, String)], value: &str| {
        let found = signs.iter().find(|(own, _)| *own == value);
        found.map(|(_, sign)| sign.clone()).unwrap_or_default()
    };
    let mut labels: Vec<String> = Vec::with_capacity(kinds.len());
    let mut taken = BTreeSet::new();
    for (number, kind) in kinds.iter().enumerate() {
        let wished = match (kind.property("color"), kind.property("shape")) {
            (Some(color), Some(shape)) => {
                of(&color_signs, color).to_lowercase() + &of(&shape_signs, shape)
            }
            _ => initials(kind.name),
        };
        let unfit = wished.is_empty() || wished.chars().count() > 3 || taken.contains(&wished);
        let mut label = match unfit {
            true => (number + 1).to_string(),
            false => wished,
        };
        while !taken.insert(label.clone()) {
            label.push('\'');
        }
        labels.push(label);
    }
    labels
}

/// What a kind is, in words: `blue star`, or the name of its picture.
pub fn in_words(kind: &PieceKind) -> String {
    match (kind.property("color"), kind.property("shape")) {
        (Some(color), Some(shape)) if !kind.pictured => {
            format!("{} {}", color.to_lowercase(), shape.to_lowercase())
        }
        _ => kind.name.to_owned(),
    }
}

/// A sign for each value: its usual one, else the first of its letters that is free, else the value's number.
fn signs<'v>(values: &[&'v str], usual: &[(&str, char)]) -> Vec<(&'v str, String)> {
    let mut signs: Vec<(&str, String)> = Vec::new();
    for value in values {
        if signs.iter().any(|(known, _)| known == value) {
            continue;
        }
        let free = |sign: &String| signs.iter().all(|(_, other)| other != sign);
        let own = usual
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(value));
        let reserved = |letter: &char| usual.iter().all(|(_, sign)| sign != letter);
        let letters = value.chars().filter(|c| c.is_alphanumeric());
        let letters = letters.flat_map(char::to_uppercase).filter(reserved);
        let candidates = own.map(|(_, sign)| *sign).into_iter().chain(letters);
        let sign = candidates.map(String::from).find(free);
        let number = signs.len().to_string();
        signs.push((*value, sign.unwrap_or(number)));
    }
    signs
}

/// The first letters of the first two parts of the name of a picture.
fn initials(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.chars().count() <= 3 {
        return stem.to_owned();
    }
    let parts = stem.split(['_', '-', ' ']).filter(|part| !part.is_empty());
    parts
        .take(2)
        .filter_map(|part| part.chars().next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: &'static str, properties: &'static [(&'static str, &'static str)]) -> PieceKind {
        PieceKind {
            name,
            pictured: properties.is_empty(),
            properties,
        }
    }

    #[test]
    fn labels_of_one_game_differ() {
        let kinds = [
            piece("BLACK_STAR", &[("color", "BLACK"), ("shape", "STAR")]),
            piece("BLUE_STAR", &[("color", "BLUE"), ("shape", "STAR")]),
            piece("BLUE_SQUARE", &[("color", "BLUE"), ("shape", "SQUARE")]),
            piece("BLUE_SUN", &[("color", "BLUE"), ("shape", "SUN")]),
            piece("BLUE_SAW", &[("color", "BLUE"), ("shape", "SAW")]),
            piece("cards/red-ace.svg", &[]),
            piece("cards/red-ape.svg", &[]),
            piece("cards/b1.svg", &[]),
        ];
        let expected = ["b*", "l*", "l#", "lS", "lA", "ra", "7", "b1"];
        assert_eq!(labels(&kinds), expected);
        assert_eq!(in_words(&kinds[1]), "blue star");
    }
}
