//! Rule files written another way: the same game as another author would have written it.
//!
//! A rewrite takes a file and gives one that means the same, whatever the file says: it keeps the order in which values
//! are computed wherever that can be told apart. Tests compile both and compare what becomes of them, so that what the
//! compiler makes of an idea does not hang on how it is spelled.
//!
//! A language is a file with a table of rewrites; a new rewrite is a row in it.

mod bgc;
mod s3;

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

/// Puts things in another order.
fn shuffle<T>(things: &mut [T], random: &mut Random) {
    for end in (1..things.len()).rev() {
        let other = random.below(end + 1);
        things.swap(end, other);
    }
}
