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
    /// What things are called in it that have other names in the game.
    names: Vec<Name>,
}

impl Spelling {
    /// A text with the names of the game, as that of a move, with those of the spelling.
    pub fn renamed(&self, text: &str) -> String {
        renamed(text, &self.names)
    }
}

/// What a spelling calls the things with one base name and one number: `x($N)` is `mark(1,$N)`, or `mark($N+5)`.
#[derive(Clone, Debug)]
struct Name {
    base: String,
    before: String,
    added: usize,
}

impl Name {
    /// Reads `// x($N) is mark(1,$N)`.
    fn of(line: &str) -> Option<Name> {
        let (base, other) = line.strip_prefix("// ")?.split_once("($N) is ")?;
        let (before, added) = other.strip_suffix(')')?.split_once("$N")?;
        Some(Name {
            base: base.to_owned(),
            before: before.to_owned(),
            added: added.strip_prefix('+').unwrap_or("0").parse().ok()?,
        })
    }
}

/// A text with other names.
fn renamed(text: &str, names: &[Name]) -> String {
    let mut written = String::new();
    for part in text.split_inclusive(')') {
        let other = names.iter().find_map(|name| {
            let (before, number) = part.strip_suffix(')')?.rsplit_once('(')?;
            let before = before.strip_suffix(&name.base)?;
            let number: usize = number.parse().ok()?;
            let whole = !before.ends_with(|last: char| last.is_alphanumeric());
            whole.then(|| format!("{before}{}{})", name.before, number + name.added))
        });
        written.push_str(other.as_deref().unwrap_or(part));
    }
    written
}

/// The spellings in the folder `spellings`: each file holds what follows the head of a game, from `[EXPRESSIONS]` on. Before that
/// may be lines such as `// x($N) is mark(1,$N)`: the things of the head are called so in the spelling.
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
        if path.extension().is_none_or(|ending| ending != "s3") {
            continue;
        }
        let game = format!("{game}.s3");
        let original = std::fs::read_to_string(own.join("../../games/s3").join(&game))?;
        let head = original.split("[EXPRESSIONS]").next().unwrap_or_default();
        let own = std::fs::read_to_string(&path)?;
        let lines = own.lines().take_while(|line| !line.starts_with('['));
        let names: Vec<Name> = lines.filter_map(Name::of).collect();
        all.push(Spelling {
            text: format!("{}{own}", renamed(head, &names)),
            name: name.to_owned(),
            names,
            game,
        });
    }
    all.sort_by(|a, b| (&a.game, &a.name).cmp(&(&b.game, &b.name)));
    Ok(all)
}

/// The spellings in the folder `spellings` of games in the notation `bgm`, which are whole files.
///
/// # Errors
/// Where a file cannot be read.
pub fn whole_spellings() -> std::io::Result<Vec<Spelling>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for entry in std::fs::read_dir(own.join("spellings"))? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let whole = path.extension().is_some_and(|ending| ending == "bgm");
        if let (true, Some((game, name))) = (whole, stem.split_once('@')) {
            all.push(Spelling {
                game: format!("{game}.bgm"),
                name: name.to_owned(),
                text: std::fs::read_to_string(&path)?,
                names: Vec::new(),
            });
        }
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
