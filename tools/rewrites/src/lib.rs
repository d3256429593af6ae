//! Rule files written another way: the same game as another author would have written it.
//!
//! A rewrite takes a file and gives one that means the same, whatever the file says: it keeps the order in which values
//! are computed wherever that can be told apart. Tests compile both and compare what becomes of them, so that what the
//! compiler makes of an idea does not hang on how it is spelled.
//!
//! A language is a file with a table of rewrites; a new rewrite is a row in it.

mod bgc;
mod s3;

use std::path::Path;

pub use rulec_random_rules::Random;

/// A way of writing rules differently.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite {
    /// A short name.
    pub name: &'static str,
    /// What it does, for people.
    pub about: &'static str,
    /// The file in the other spelling; nothing where it has no place for it. Draws decide which of several places or
    /// orders it takes.
    apply: fn(&str, &mut Random) -> Option<String>,
}

impl Rewrite {
    /// The file in the other spelling, the same one for each seed; nothing where the file has no place for it.
    pub fn apply(&self, text: &str, seed: u64) -> Option<String> {
        let written = (self.apply)(text, &mut Random::new(seed))?;
        (written != text).then_some(written)
    }
}

/// The rewrites of a language, by the ending of its files; none for the other languages.
pub fn rewrites(ending: &str) -> &'static [Rewrite] {
    match ending {
        "s3" => s3::REWRITES,
        "json" => bgc::REWRITES,
        _ => &[],
    }
}

/// A game of ours with its rules spelled by hand in another way.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// The game, by the name of its file.
    pub game: String,
    /// A short name of the spelling.
    pub name: String,
    /// The text of the game.
    pub text: String,
}

/// The spellings in the folder `spellings`: each file holds what follows the head of a game, from `[EXPRESSIONS]` on.
///
/// # Errors
/// Where a file cannot be read.
pub fn spellings() -> std::io::Result<Vec<Spelling>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for entry in std::fs::read_dir(own.join("spellings"))? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let Some((game, name)) = stem.split_once('@') else {
            continue;
        };
        let game = format!("{game}.s3");
        let original = std::fs::read_to_string(own.join("../../games/s3").join(&game))?;
        let head = original.split("[EXPRESSIONS]").next().unwrap_or_default();
        all.push(Spelling {
            text: format!("{head}{}", std::fs::read_to_string(&path)?),
            name: name.to_owned(),
            game,
        });
    }
    all.sort_by(|a, b| (&a.game, &a.name).cmp(&(&b.game, &b.name)));
    Ok(all)
}

/// Puts things in another order.
fn shuffle<T>(things: &mut [T], random: &mut Random) {
    for end in (1..things.len()).rev() {
        let other = random.below(end + 1);
        things.swap(end, other);
    }
}
