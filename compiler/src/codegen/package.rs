//! A game as text: its file, and the files of its crate.

use quote::quote;
use serde::Serialize;
use tinytemplate::{TinyTemplate, format_unescaped};

use super::data::Data;
use super::items::Code;
use super::{Error, Options, allowed, fold, render, tidy, twins, unused};
use crate::ir::{Game, PlacementForm};

const MANIFEST: &str = include_str!("../../templates/Cargo.toml.tt");
const README: &str = include_str!("../../templates/README.md.tt");

const LIBRARY: &str = "\
//! A game compiled from its rules, as a shared library: see [`game`].

pub mod game;

rulec_abi::export!(game::Game);
";

/// What the templates show.
#[derive(Serialize)]
struct Context<'a> {
    name: &'a str,
    language: &'a str,
    crate_name: &'a str,
    dependency: &'a str,
    /// The feature of the runtime that the program needs.
    program: &'static str,
    library: bool,
    has_interpreter: bool,
    interpreter: &'a str,
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    name: &'a str,
    sha256: &'a str,
}

/// The items of a game as formatted text for a file of its own.
///
/// # Errors
/// As [`render`](super::render).
pub fn render_text(game: &Game, options: &Options) -> Result<String, Error> {
    let (lists, items) = Data::of(tidy::tidied(render(game, options)?));
    let allowed = allowed();
    let file = quote! {
        #![forbid(unsafe_code)]
        #![allow(#(#allowed),*)]
        #items
    };
    let mut code = Code::of(file);
    unused::leave_out_unused(&mut code);
    twins::merge_twins(&mut code);
    let file = syn::parse2(code.tokens());
    let file = file.map_err(|error| Error::Unparsable(error.to_string()))?;
    let text = spaced(&fold::folded(&prettyplease::unparse(&file)));
    Ok(header(game) + &lists.put_back(&text))
}

/// Puts an empty line before every item that starts with a comment or attribute, and after blocks.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let (mut last, mut in_struct) = ("", false);
    for line in text.lines() {
        let starts = |prefix: &str| line.trim_start().starts_with(prefix);
        let indent = |line: &str| line.len() - line.trim_start().len();
        let opens = starts("///") || starts("#[");
        let continues = last.trim_start().starts_with("///") || last.trim_start().starts_with("#[");
        let first = last.is_empty() || last.ends_with('{');
        let closes = last.trim_end() == "}" && indent(line) == 0;
        let definition = ["struct ", "pub struct "]
            .iter()
            .any(|word| line.starts_with(word));
        in_struct = (in_struct || definition && line.ends_with('{')) && line != "}";
        let after_item = last.trim_start() == "}" && starts("impl") || closes && !line.is_empty();
        let in_struct = in_struct && indent(line) > 0;
        if !first
            && !continues
            && !in_struct
            && (opens && indent(line) <= 4 && !starts("#![") || after_item)
        {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        last = line;
    }
    out
}

/// The files of a crate for the game: paths inside the crate, and texts.
///
/// # Errors
/// As [`render_text`].
pub fn crate_files(game: &Game, options: &Options) -> Result<Vec<(String, String)>, Error> {
    let sources = game.sources.iter().map(|source| Source {
        name: &source.name,
        sha256: &source.sha256,
    });
    let context = Context {
        name: &game.name,
        language: &game.language,
        crate_name: &options.crate_name,
        dependency: &options.dependency,
        program: match options.look {
            Some(_) => "serve",
            None => "command",
        },
        library: options.library,
        has_interpreter: options.reasons.is_some(),
        interpreter: options
            .reasons
            .as_ref()
            .map_or("", |reasons| &reasons.dependency),
        sources: sources.collect(),
    };
    let mut files = vec![
        (
            String::from("Cargo.toml"),
            fill("Cargo.toml", MANIFEST, &context)?,
        ),
        (
            String::from("README.md"),
            fill("README.md", README, &context)?,
        ),
        (String::from("src/game.rs"), render_text(game, options)?),
    ];
    if options.library {
        files.push((String::from("src/lib.rs"), String::from(LIBRARY)));
        return Ok(files);
    }
    files.push((String::from("src/lib.rs"), lib(game, options)));
    files.push((String::from("src/main.rs"), main(options)));
    if let Some(look) = &options.look {
        files.push((String::from("src/look.json"), look.clone()));
        files.push((String::from("src/pictures.json"), options.pictures.clone()));
    }
    if let Some(evaluation) = &options.evaluation {
        files.push((String::from("src/evaluation.json"), evaluation.clone()));
    }
    if let Some(reasons) = &options.reasons {
        files.push((String::from("src/rules.json"), reasons.program.clone()));
        files.push((String::from("src/sources.json"), reasons.sources.clone()));
    }
    Ok(files)
}

fn fill(name: &'static str, template: &str, context: &Context<'_>) -> Result<String, Error> {
    let wrong = |error: tinytemplate::error::Error| Error::Template(name, error.to_string());
    let mut templates = TinyTemplate::new();
    // These are no web pages: quotes and ampersands stay as they are.
    templates.set_default_formatter(&format_unescaped);
    templates.add_template(name, template).map_err(wrong)?;
    templates.render(name, context).map_err(wrong)
}

/// The library, with an example that is a test.
fn lib(game: &Game, options: &Options) -> String {
    let generator = options.crate_name.replace('-', "_");
    let shown = match &game.placements[..] {
        [placement] if placement.form != PlacementForm::Many => {
            "//! for (place, piece) in state.board() {\n\
             //!     if let Some(piece) = piece {\n\
             //!         println!(\"{place}: {piece}\");\n\
             //!     }\n\
             //! }\n"
        }
        _ => {
            "//! println!(\"{}\", Game.player(&state).map_or(\"nobody\", |player| Game.info().players[player]));\n"
        }
    };
    format!(
        "//! A game compiled from its rules: see [`game`].\n\
         //!\n\
         //! ```\n\
         //! use {generator}::game::Game;\n\
         //! use rulec_runtime::{{ChanceList, Game as _, MoveList, Silent, Turn}};\n\
         //!\n\
         //! let mut state = Game.initial();\n\
         {shown}\
         //! let mut moves = MoveList::new();\n\
         //! let mut results = ChanceList::new();\n\
         //! match Game.turn(&state) {{\n\
         //!     Turn::Decide(_) => Game.legal_moves(&state, &mut moves).expect(\"no rule fails\"),\n\
         //!     Turn::Chance => Game.chance_outcomes(&state, &mut results),\n\
         //!     Turn::Over => {{}}\n\
         //! }}\n\
         //! let draws = results.iter().map(|(result, _)| *result);\n\
         //! if let Some(mv) = moves.iter().copied().chain(draws).next() {{\n\
         //!     println!(\"{{mv}}\");\n\
         //!     Game.play(&mut state, mv, &mut Silent);\n\
         //! }}\n\
         //! ```\n\n\
         #![forbid(unsafe_code)]\n\n\
         pub mod game;\n"
    )
}

fn main(options: &Options) -> String {
    let generator = options.crate_name.replace('-', "_");
    let runtime = options.runtime.trim_start_matches("::");
    let begin = match options.evaluation {
        None => String::new(),
        Some(_) => format!(
            "{runtime}::search::evaluation::build_in(include_str!(\"evaluation.json\"));\n    "
        ),
    };
    if options.look.is_some() {
        let (constants, reasons) = match options.reasons {
            None => ("", "|| None"),
            Some(_) => (
                "/// The rules as the interpreter reads them, which tells why a move is not legal.\n\
                 const RULES: &str = include_str!(\"rules.json\");\n\
                 /// The texts of the rule files.\nconst SOURCES: &str = include_str!(\"sources.json\");\n",
                "|| Some(rulec_interpreted::reasons(RULES, SOURCES))",
            ),
        };
        return format!(
            "//! The command line of the game, and its board in a browser.\n\n#![forbid(unsafe_code)]\n\n\
             /// How the game looks.\nconst LOOK: &str = include_str!(\"look.json\");\n\
             /// Its pictures.\nconst PICTURES: &str = include_str!(\"pictures.json\");\n{constants}\n\
             fn main() -> std::process::ExitCode {{\n    \
             {begin}{runtime}::serve::game_main({generator}::game::Game, LOOK, PICTURES, {reasons})\n}}\n",
        );
    }
    format!(
        "//! The command line of the game.\n\n#![forbid(unsafe_code)]\n\n\
         fn main() -> std::process::ExitCode {{\n    {begin}{runtime}::command::game_main(&{generator}::game::Game)\n}}\n",
    )
}

/// The comment at the top of a generated file.
fn header(game: &Game) -> String {
    let mut text = format!(
        "//! {}, compiled from its rules ({}) by rulec {}.\n//!\n\
         //! Generated: change the rules and compile them again instead of editing this file.\n",
        one_line(&game.name),
        one_line(&game.language),
        env!("CARGO_PKG_VERSION"),
    );
    for source in &game.sources {
        text += &format!(
            "//!\n//! - `{}`, SHA-256 `{}`\n",
            one_line(&source.name),
            source.sha256
        );
    }
    text + "\n"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
