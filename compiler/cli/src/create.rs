//! `rulec new`: a game to start from.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::files;

pub(crate) mod shapes;

use shapes::Shape;

/// Writes a starter game of a name.
type Starter = fn(&str) -> String;

/// A language, the ending of its files, and its starter game.
const STARTERS: &[(&str, &str, Starter)] = &[
    ("s3", "s3", s3),
    ("bgm", "bgm", bgm),
    ("bbgel", "bbgel", bbgel),
    ("bgc", "json", bgc),
    ("gs5", "txt", gs5),
];

/// Makes a folder with a commented game that checks clean, and gives the path of its rule file.
///
/// # Errors
/// When the language is unknown, it has no game of the shape, the name is not usable, or the folder exists already.
pub(crate) fn create(parent: &Path, name: &str, language: &str, shape: &Shape) -> Result<PathBuf> {
    let found = STARTERS.iter().find(|(known, ..)| *known == language);
    let Some((_, ending, starter)) = found else {
        let known: Vec<&str> = STARTERS.iter().map(|(name, ..)| *name).collect();
        bail!(
            "there is no language `{language}`; known are: {}",
            known.join(", ")
        );
    };
    if !is_name(name) {
        bail!(
            "`{name}` is no name for a game: use letters, digits, `_` and `-`, beginning with a letter"
        );
    }
    let folder = parent.join(name);
    if folder.exists() {
        bail!("{} exists already", folder.display());
    }
    let text = match shape.is_any() {
        true => starter(name),
        false => shapes::text(name, language, shape)?,
    };
    files::make_folder(&folder)?;
    let file = folder.join(format!("{name}.{ending}"));
    files::write(&file, text.as_bytes())?;
    Ok(file)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

fn gs5(name: &str) -> String {
    format!(
        "#Display: {name}
# A rule set of the Rule Game Server: which piece may go into which of the four buckets.
# Buckets are numbered clockwise from the upper left: 0, 1, 2, 3; cells from 1 at the lower left to 36.

# The first piece of all goes anywhere. `1` is the counter of the row: after one move the next row takes over.
1 (bucket:[0,1,2,3])

# Then: red pieces follow the last piece clockwise, others go to the nearest bucket.
# `p` is the bucket of the last piece.
(color:red, bucket:p+1) (color:[black,blue,yellow], bucket:Nearby)
"
    )
}

fn s3(name: &str) -> String {
    let fields: String = (0..=12)
        .map(|n| format!("name=f({n})\ntype=field\npoint={},40\n\n", 40 + 50 * n))
        .collect();
    include_str!("../templates/starter.s3")
        .replace("NAME.s3", &format!("{name}.s3"))
        .replace("// NAME:", &format!("// {name}:"))
        .replace("FIELDS\n", &fields)
}

fn bgm(name: &str) -> String {
    include_str!("../templates/starter.bgm")
        .replace("NAME.bgm", &format!("{name}.bgm"))
        .replace("# NAME:", &format!("# {name}:"))
}

fn bbgel(name: &str) -> String {
    include_str!("../templates/starter.bbgel").replace("NAME", name)
}

fn bgc(name: &str) -> String {
    bgc_runners(name, 4, 5)
}

/// Runners on a board of any size: one row of them for each side.
fn bgc_runners(name: &str, columns: u32, rows: u32) -> String {
    let row = |y: u32| -> String {
        let cells: Vec<String> = (0..columns)
            .map(|x| format!(r#"{{"x": {x}, "y": {y}}}"#))
            .collect();
        cells.join(", ")
    };
    let cells: Vec<String> = (0..rows).map(row).collect();
    include_str!("../templates/starter.json")
        .replace("NAME", name)
        .replace("COUNT", &columns.to_string())
        .replace("CELLS", &cells.join(",\n      "))
        .replace("LAST", &(rows - 1).to_string())
        .replace("WHITE", &row(0))
        .replace("BLACK", &row(rows - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starter_has_its_name_and_no_gap() {
        let text = s3("hop");
        assert!(text.starts_with("// hop: "));
        assert!(text.contains("rulec check hop.s3"));
        assert!(text.contains("name=f(12)\n"));
        assert!(!text.contains("NAME.") && !text.contains("FIELDS"));
    }

    #[test]
    fn the_starter_of_bgm_has_its_name() {
        let text = bgm("take");
        assert!(text.starts_with("# take: "));
        assert!(text.contains("rulec check take.bgm") && !text.contains("NAME"));
    }

    #[test]
    fn names_are_plain() {
        assert!(is_name("nine-mens_morris2"));
        for name in ["", "2048", "a b", "../up", "a/b", "-x", "ä"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
