//! Positions of any game as SVG pictures and as text for terminals.
//!
//! What a game looks like comes as a document that the compiler writes ([`Look`]), what stands where as numbers that a
//! position tells ([`Position`]): so compiled and interpreted games look alike, and nothing here knows a rule language.
//! Plain shapes and letters stand where the rules say nothing.

#![forbid(unsafe_code)]

mod ansi;
mod art;
mod board;
mod colours;
mod dress;
mod episode;
mod labels;
mod look;
mod nests;
mod notation;
mod plan;
mod terminal;

use std::collections::BTreeMap;

use base64::Engine as _;

pub use look::{Look, Position};
pub use notation::{Length, move_name};
pub use terminal::{Ink, board as terminal};

/// Fill colours of kinds of pieces and their states, told apart by the colour-blind too (Okabe and Ito, 2008).
const COLOURS: [&str; 8] = [
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999",
];

/// Picture files that were read, by their names in the rules.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Picture files as one text.
pub fn pack(files: &Files) -> String {
    let coder = base64::engine::general_purpose::STANDARD;
    let coded = files
        .iter()
        .map(|(name, bytes)| (name.as_str(), coder.encode(bytes)));
    let coded: BTreeMap<&str, String> = coded.collect();
    serde_json::to_string(&coded).unwrap_or_default()
}

/// Reads what [`pack`] writes.
///
/// # Errors
/// What is wrong with the text.
pub fn unpack(text: &str) -> Result<Files, String> {
    let coder = base64::engine::general_purpose::STANDARD;
    let coded: BTreeMap<String, String> =
        serde_json::from_str(text).map_err(|error| format!("the pictures of the game: {error}"))?;
    let files = coded
        .into_iter()
        .map(|(name, bytes)| match coder.decode(bytes) {
            Ok(bytes) => Ok((name, bytes)),
            Err(error) => Err(format!("the picture {name}: {error}")),
        });
    files.collect()
}

/// How a picture is used.
#[derive(Clone, Copy, Debug)]
pub struct Style<'s> {
    /// The picture files.
    pub files: &'s Files,
    /// Begin of the addresses of picture files, which go on with their number in [`Files`]; without it, files are put into
    /// the document.
    pub address: Option<&'s str>,
    /// Whether what can be clicked says what it is: `data-ref`, numbers of domain and member, and `data-name`.
    pub marked: bool,
    /// Whether the document holds the drawings of its pieces; else they are those of [`drawings`].
    pub whole: bool,
}

/// The drawings of all pieces of a game, for documents that do not hold them: definitions of an SVG document.
pub fn drawings(look: &Look) -> String {
    let all = look.wardrobe().all();
    all.iter().map(|(look, side)| drawing(look, side)).collect()
}

/// A definition of a drawing.
fn drawing(look: &str, side: &str) -> String {
    let outlines = art::art().outlines(look, side);
    format!(
        "<g id=\"{look}-{side}\" stroke-width=\"3.2\" stroke-linejoin=\"round\" stroke-linecap=\"round\" \
         fill-rule=\"evenodd\">{outlines}</g>\n"
    )
}

/// Draws a position: one SVG document.
pub fn svg(position: &Position<'_>, style: &Style<'_>) -> String {
    if let Some(look) = &position.look.nest {
        return nests::svg(position, style, look);
    }
    if let Some(episode) = &position.look.episode {
        return episode::svg(position, style, episode);
    }
    board::svg(position, style)
}

impl Style<'_> {
    /// The address of a picture; nothing if there is no such file or it is of no known form.
    fn source(&self, file: &str) -> Option<String> {
        let bytes = self.files.get(file)?;
        let form = form(bytes)?;
        if let Some(address) = self.address {
            let number = self.files.keys().position(|name| name == file)?;
            return Some(format!("{address}{number}"));
        }
        let text = base64::engine::general_purpose::STANDARD.encode(bytes);
        Some(format!("data:{form};base64,{text}"))
    }

    /// Attributes of something that can be clicked.
    fn mark(&self, domain: u32, member: u32, name: &str, class: &str) -> String {
        match self.marked {
            true => format!(
                " class=\"{class}\" data-ref=\"{domain}.{member}\" data-name=\"{}\"",
                escape(name)
            ),
            false => String::new(),
        }
    }
}

/// The media type of a picture by its first bytes; nothing if it is of no known form.
pub fn form(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', ..] => Some("image/gif"),
        _ => None,
    }
}

/// A number of pixels without what nobody sees.
fn pixels(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// Text that stands in XML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML knows no other control characters.
            _ if letter.is_control() && !matches!(letter, '\t' | '\n' | '\r') => {
                escaped.push('\u{fffd}')
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}
