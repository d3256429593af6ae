//! Pictures of positions: the looks of a game and its picture files, handed to the renderer.

use std::path::Path;

use anyhow::{Result, anyhow};
use rulec_compiler::{ir, look};
use rulec_render::{Files, Look, Position, Style};
use rulec_search::AnyState;

/// The most bytes of a picture file that is shown.
const MOST_BYTES: u64 = 16 << 20;

/// The looks of a game.
///
/// # Errors
/// When compiler and renderer do not fit each other.
pub(crate) fn look(game: &ir::Game) -> Result<Look> {
    Look::read(&look::document(game).to_string()).map_err(|error| anyhow!(error))
}

/// The looks of a game whose positions an engine runs as the rules spell it, with what the passes found out about its
/// board.
///
/// # Errors
/// As [`look`].
pub(crate) fn look_of(lowered: &ir::Game, optimised: &ir::Game) -> Result<Look> {
    let mut document = look::document(lowered);
    document["steps"] = serde_json::to_value(look::steps(optimised))?;
    Look::read(&document.to_string()).map_err(|error| anyhow!(error))
}

/// The picture files that the rules name, as far as they lie in a folder or in `images` in it. No other file is
/// read: names that lead out of the folder are left out.
pub(crate) fn files(game: &ir::Game, folder: &Path) -> Files {
    let mut files = Files::new();
    for name in look::pictures(game) {
        let inside = Path::new(&name).components().all(|part| {
            matches!(
                part,
                std::path::Component::Normal(_) | std::path::Component::CurDir
            )
        });
        let places = [folder.join(&name), folder.join("images").join(&name)];
        let read = |path: &std::path::PathBuf| {
            let small = std::fs::metadata(path)
                .is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES);
            small.then(|| std::fs::read(path).ok()).flatten()
        };
        if inside && let Some(bytes) = places.iter().find_map(read) {
            files.insert(name, bytes);
        }
    }
    files
}

/// Draws a position: one SVG document that needs no other file.
///
/// Pictures are looked for in `folder` and put into the document; where one is missing a plain shape stands for it.
///
/// # Errors
/// As [`look`].
pub(crate) fn svg<'g>(
    game: &ir::Game,
    state: &(dyn AnyState<'g> + 'g),
    folder: &Path,
) -> Result<String> {
    let look = look(game)?;
    let files = files(game, folder);
    let style = Style {
        files: &files,
        address: None,
        marked: false,
        whole: true,
    };
    let (text, observed) = (state.text(), state.appearance());
    let position = Position::new(&look, state.about(), state.turn(), &text, &observed);
    Ok(rulec_render::svg(&position, &style))
}

/// Refuses the names of pictures of other kinds than that which is written.
pub(crate) fn only_named(file: &Path, ending: &str) -> Result<()> {
    let own = file.extension().unwrap_or_default().to_ascii_lowercase();
    let others = ["svg", "png", "jpg", "jpeg", "gif", "webp", "pdf"];
    match own != ending && others.iter().any(|other| own == *other) {
        true => Err(anyhow!(
            "--{ending} writes {}; name a file that ends with .{ending}, not {}",
            ending.to_ascii_uppercase(),
            file.display()
        )),
        false => Ok(()),
    }
}

/// Distance of the pictures of a strip.
const GAP: f64 = 16.0;

/// Pictures in rows: one SVG document.
pub(crate) fn strip(pictures: &[String], columns: usize) -> String {
    let measure = |picture: &str, name: &str| -> f64 {
        let mark = format!(" {name}=\"");
        let value = picture
            .split_once(&mark)
            .and_then(|(_, rest)| rest.split_once('"'));
        value
            .and_then(|(value, _)| value.parse().ok())
            .unwrap_or(0.0)
    };
    let most = |name: &str| {
        pictures
            .iter()
            .map(|picture| measure(picture, name))
            .fold(0.0, f64::max)
    };
    let (width, height) = (most("width") + GAP, most("height") + GAP);
    let columns = columns.clamp(1, pictures.len().max(1));
    let rows = pictures.len().div_ceil(columns);
    let (all_width, all_height) = (columns as f64 * width - GAP, rows as f64 * height - GAP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_width} {all_height}\" width=\"{all_width}\" height=\"{all_height}\">\n"
    );
    for (number, picture) in pictures.iter().enumerate() {
        let (x, y) = (
            (number % columns) as f64 * width,
            (number / columns) as f64 * height,
        );
        let placed = picture.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1);
        text.push_str(&placed);
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::interpreted::InterpretedGame;

    fn picture(game: &str) -> String {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/bgm/{game}.bgm"));
        let rules = Rules::open(&file, "none").expect("the file can be read");
        let program = rules.output.expect("it compiles").game;
        let game = InterpretedGame::new(program.clone()).expect("it is sound");
        svg(&program, &*rulec_engines::interpreted(&game), Path::new("")).expect("a picture")
    }

    /// Left, top, right and bottom of the box with this beginning of its tip.
    fn place(picture: &str, tip: &str) -> [f64; 4] {
        let mark = format!("<title>{tip}");
        let line = picture.lines().find(|line| line.contains(&mark));
        let line = line.unwrap_or_else(|| panic!("`{tip}` is not shown:\n{picture}"));
        let number = |name: &str| -> f64 {
            let from = line.find(&format!(" {name}=\"")).expect("an attribute") + name.len() + 3;
            let text = line[from..].split('"').next().expect("a value");
            text.parse().expect("a number")
        };
        let (x, y) = (number("x"), number("y"));
        [x, y, x + number("width"), y + number("height")]
    }

    #[test]
    fn what_is_in_a_box_is_drawn_in_it() {
        let picture = picture("couriers");
        let [left, top, right, bottom] = place(&picture, "Depot depot");
        let [l, t, r, b] = place(&picture, "Crate Crate");
        assert!(left < l && top < t && r < right && b < bottom, "{picture}");
        let [l, t, r, b] = place(&picture, "Parcel Parcel, owned by bob");
        assert!(
            l >= right || t >= bottom || r <= left || b <= top,
            "{picture}"
        );
        assert!(picture.contains("ann (to move)"));
    }

    #[test]
    fn circles_of_containers_are_drawn_as_such() {
        let picture = picture("ring_race");
        assert!(picture.contains("stroke-dasharray") && picture.contains('\u{21ba}'));
    }

    #[test]
    fn pictures_of_a_strip_stand_in_rows() {
        let one = "<svg xmlns=\"x\" width=\"100\" height=\"50\"><g/></svg>\n".to_owned();
        let text = strip(&[one.clone(), one.clone(), one], 2);
        assert!(text.contains("width=\"216\" height=\"116\""), "{text}");
        for place in ["x=\"0\" y=\"0\"", "x=\"116\" y=\"0\"", "x=\"0\" y=\"66\""] {
            assert!(text.contains(place), "{place}: {text}");
        }
    }

    #[test]
    fn equal_pieces_are_drawn_one_by_one() {
        assert_eq!(picture("nim").matches("<use").count(), 12);
    }
}
