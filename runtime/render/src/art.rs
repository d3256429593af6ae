//! The drawings of pieces, the colours of sides, and the words that speak of both: what `art/looks.json` holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use serde::Deserialize;

/// Side of the box that drawings are drawn in.
pub(crate) const BOX: f64 = 100.0;

/// Drawings, colours and words.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Art {
    sides: BTreeMap<String, Paint>,
    side_words: BTreeMap<String, Vec<String>>,
    auxiliary_words: Vec<String>,
    store_words: Vec<String>,
    words: BTreeMap<String, String>,
    /// Colours of what belongs to nobody, by look.
    natural: BTreeMap<String, String>,
    /// Looks of kinds that no word tells, in this order.
    pub(crate) fallback_shapes: Vec<String>,
    /// Outlines by their roles.
    looks: BTreeMap<String, Vec<(String, String)>>,
}

/// The colours of a side.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Paint {
    pub(crate) fill: String,
    pub(crate) edge: String,
    pub(crate) detail: String,
    pub(crate) lip: String,
}

/// The drawings. They go with the program, so that reading them cannot fail.
pub(crate) fn art() -> &'static Art {
    static ART: OnceLock<Art> = OnceLock::new();
    ART.get_or_init(|| serde_json::from_str(include_str!("../art/looks.json")).unwrap_or_default())
}

impl Art {
    /// The colours of a side; those of white for a name that is none.
    pub(crate) fn paint(&self, side: &str) -> Option<&Paint> {
        self.sides.get(side).or_else(|| self.sides.get("white"))
    }

    /// Whether there is a drawing of this name.
    pub(crate) fn has(&self, look: &str) -> bool {
        self.looks.contains_key(look)
    }

    /// The colour that belongs to a look by nature.
    pub(crate) fn natural(&self, look: &str) -> Option<&str> {
        self.natural.get(look).map(String::as_str)
    }

    /// The side that a word names. Single letters name one only where `letters` allows it.
    pub(crate) fn side(&self, word: &str, letters: bool) -> Option<&str> {
        if word.len() == 1 && !letters {
            return None;
        }
        let mut sides = self.sides.keys();
        let named = |side: &&String| {
            let words = self.side_words.get(*side);
            *side == word || words.is_some_and(|words| words.iter().any(|known| known == word))
        };
        sides.find(named).map(String::as_str)
    }

    /// The look that a word names, in the singular or plural.
    pub(crate) fn look(&self, word: &str) -> Option<&str> {
        let known = |word: &str| {
            let by_word = self.words.get(word).map(String::as_str);
            let found =
                by_word.or_else(|| self.looks.get_key_value(word).map(|(key, _)| key.as_str()));
            found.filter(|look| self.has(look) || look.starts_with("card"))
        };
        known(word).or_else(|| known(word.strip_suffix('s')?))
    }

    /// Whether a word speaks of places that hold what is not in play.
    pub(crate) fn is_store(&self, word: &str) -> bool {
        begins(&self.store_words, word)
    }

    /// Whether a word speaks of what only counts or marks.
    pub(crate) fn is_auxiliary(&self, word: &str) -> bool {
        begins(&self.auxiliary_words, word)
    }

    /// The outlines of a look in the colours of a side, in a box of [`BOX`].
    pub(crate) fn outlines(&self, look: &str, side: &str) -> String {
        let (Some(outlines), Some(paint)) = (self.looks.get(look), self.paint(side)) else {
            return String::new();
        };
        let Paint {
            fill,
            edge,
            detail,
            lip,
        } = paint;
        let mut body = String::new();
        for (role, d) in outlines {
            let style = match role.as_str() {
                "body" | "snakehead" => format!("fill=\"{fill}\" stroke=\"{edge}\""),
                "lip" => format!("fill=\"{lip}\" stroke=\"{edge}\""),
                "line" => format!("fill=\"none\" stroke=\"{detail}\""),
                // Seams show only where the edge is as dark as the body.
                "seam" if side == "white" => continue,
                "seam" => format!("fill=\"none\" stroke=\"{detail}\" stroke-width=\"2.4\""),
                "dot" => format!("fill=\"{detail}\" stroke=\"none\""),
                "ink" if side == "white" => format!("fill=\"{edge}\" stroke=\"none\""),
                "ink" => format!("fill=\"{fill}\" stroke=\"none\""),
                "pupil" => "fill=\"#1f1c19\" stroke=\"none\"".to_owned(),
                "eye" => format!("fill=\"#ffffff\" stroke=\"{edge}\""),
                "gloss" => "fill=\"#ffffff\" fill-opacity=\"0.45\" stroke=\"none\"".to_owned(),
                "wheel" => format!("fill=\"{edge}\" stroke=\"{fill}\""),
                "snake" => {
                    let _ = write!(
                        body,
                        "<path d=\"{d}\" fill=\"none\" stroke=\"{edge}\" stroke-width=\"17\"/>"
                    );
                    format!("fill=\"none\" stroke=\"{fill}\" stroke-width=\"11\"")
                }
                _ => continue,
            };
            let _ = write!(body, "<path d=\"{d}\" {style}/>");
        }
        body
    }
}

/// Whether a word is one of some, or a compound that begins with a long one of them.
fn begins(known: &[String], word: &str) -> bool {
    let mut all = known.iter();
    all.any(|known| known == word || known.len() > 4 && word.starts_with(known.as_str()))
}

/// The words of a name: parts between signs, digits and changes of case, in small letters.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    for letter in name.chars() {
        let goes_on = before.is_some_and(|before| {
            before.is_alphabetic() == letter.is_alphabetic()
                && before.is_numeric() == letter.is_numeric()
                && !(before.is_lowercase() && letter.is_uppercase())
        });
        if letter.is_alphanumeric() {
            let small = letter.to_lowercase();
            match found.last_mut() {
                Some(word) if goes_on => word.extend(small),
                _ => found.push(small.collect()),
            }
        }
        before = Some(letter);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_drawing_and_every_side_colours() {
        let art = art();
        assert!(art.looks.len() > 60 && art.sides.len() == 10);
        for look in art.words.values().chain(art.fallback_shapes.iter()) {
            assert!(art.has(look) || look.starts_with("card"), "{look}");
        }
        for (look, side) in &art.natural {
            assert!(art.sides.contains_key(side), "{look} is {side}");
        }
        for look in art.looks.keys() {
            for side in art.sides.keys() {
                assert!(
                    art.outlines(look, side).starts_with("<path"),
                    "{look} {side}"
                );
            }
        }
    }

    #[test]
    fn names_fall_into_words() {
        assert_eq!(words("whiteKing_2"), ["white", "king", "2"]);
        assert_eq!(words("draughts king"), ["draughts", "king"]);
        assert_eq!(words("rev(3)"), ["rev", "3"]);
    }
}
