//! The letters that pictures are written with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tiny_skia::Path;

use crate::outline::outline;

/// A line a letter: the letter, how wide it is and its outline, both for the regular and the bold face, with tabs between.
const LETTERS: &str = include_str!("../art/letters.txt");

/// The units that an em is divided into.
pub(crate) const EM: f64 = 1000.0;

/// What stands for a letter that is not there.
const BOX: (f64, &str) = (620.0, "M70 0v-700h480v700zM130-60h360v-580h-360z");

/// A letter of one face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter {
    pub(crate) width: f64,
    outline: &'static str,
}

static TABLE: LazyLock<BTreeMap<char, [Letter; 2]>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let mut columns = line.split('\t');
        let name = columns.next()?.chars().next()?;
        let mut face = || {
            let width = columns.next()?.parse().ok()?;
            let outline = columns.next()?;
            Some(Letter { width, outline })
        };
        Some((name, [face()?, face()?]))
    };
    LETTERS.lines().filter_map(row).collect()
});

/// A letter, or the box that stands for it, and whether it is the former.
pub(crate) fn letter(name: char, bold: bool) -> (Letter, bool) {
    match TABLE.get(&name) {
        Some(faces) => (faces[usize::from(bold)], true),
        None => {
            let (width, outline) = BOX;
            (Letter { width, outline }, false)
        }
    }
}

impl Letter {
    /// Its outline with the origin on the base line; nothing for a space.
    pub(crate) fn path(self) -> Option<Path> {
        outline(self.outline)
    }
}

#[cfg(test)]
mod tests {
    use super::{EM, LETTERS, TABLE, letter};

    #[test]
    fn every_line_of_the_table_is_a_letter_that_can_be_drawn() {
        assert_eq!(TABLE.len(), LETTERS.lines().count());
        for (name, faces) in TABLE.iter() {
            for face in faces {
                assert!(face.width > 0.0 && face.width < 2.0 * EM, "{name:?}");
                let is_blank = face.path().is_none();
                assert_eq!(is_blank, name.is_whitespace(), "{name:?}");
            }
        }
    }

    #[test]
    fn there_is_every_letter_of_a_keyboard_and_what_renderers_write() {
        for name in (' '..='~')
            .chain("\u{d7}\u{2192}\u{21ba}\u{2026}\u{e4}\u{f1}\u{142}\u{416}\u{3c0}".chars())
        {
            assert!(letter(name, true).1, "{name}");
        }
        assert!(!letter('\u{4e2d}', false).1);
    }
}
