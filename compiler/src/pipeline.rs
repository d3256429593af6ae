//! The way from rule text to Rust, on one screen.
//!
//! 1. The front end of the language: text, syntax tree, checked tree, IR ([`crate::lang`])
//! 2. Numbers for the places of boards, for all that follows ([`crate::board`])
//! 3. The passes that the options name ([`PASSES`])
//! 4. Rust, where it is asked for ([`crate::codegen`])
//!
//! Nothing here reads or writes files: callers bring texts and get texts.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexSet;
use proc_macro2::TokenStream;

use crate::board;
use crate::codegen;
use crate::diag::{self, Diagnostics, Style};
use crate::ir::{Const, Game, verify::verify};
use crate::lang::{self, Language};
use crate::opt::{self, PASSES};
use crate::rename;
use crate::source::SourceMap;

/// What to compile, and how: by default as the file tells, with all passes, and no rule left out.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Name of the language; told by the name of the first file where absent.
    pub language: Option<String>,
    /// The passes to run.
    pub passes: Passes,
    /// Folder of the pictures that rules name; they are not looked for without it.
    pub image_folder: Option<PathBuf>,
    /// The rules to leave out, of those that can be.
    pub without: Without,
    /// Names and values of settings that the language knows.
    pub settings: Vec<(String, String)>,
    /// Another bound for games whose rules bound them by something that they measure ([`Game::limit`]).
    pub limit: Option<i64>,
    /// Whether symmetries and numbers of moves are looked for beside the passes, as somebody will ask for them; else once somebody does.
    pub ahead: bool,
}

/// Rules to leave out of a game: draws by repetition and the like, see [`Game::switches`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Without {
    /// None.
    #[default]
    Nothing,
    /// Those of these names.
    Named(Vec<String>),
    /// All that can be.
    All,
}

/// A choice of passes. Those that code generation needs always run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passes(IndexSet<&'static str>);

/// What the compiler made of rules without errors.
#[derive(Clone, Debug)]
pub struct Output {
    /// The syntax tree, for people.
    pub ast: String,
    /// The game as the front end made it: what the rules mean.
    pub lowered: Game,
    /// The game after the passes.
    pub game: Game,
}

/// Why compiling did not begin, or found a defect of the compiler itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is nothing to compile.
    NoSource,
    /// The language is not among [`lang::LANGUAGES`].
    UnknownLanguage(String, String),
    /// The name of a file does not tell its language.
    UnknownEnding(String, String),
    /// A pass is not among [`PASSES`].
    UnknownPass(String, String),
    /// The game has no rule of this name that can be left out.
    UnknownSwitch(String, String),
    /// A stage made a program that is not sound.
    Unsound(&'static str, String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSource => f.write_str("there is no rule file"),
            Self::UnknownLanguage(name, known) => {
                write!(f, "there is no rule language `{name}`; known are: {known}")
            }
            Self::UnknownEnding(name, known) => write!(
                f,
                "the name `{name}` does not tell the rule language; known endings are: {known}"
            ),
            Self::UnknownPass(name, known) => {
                write!(f, "there is no pass `{name}`; known are: {known}")
            }
            Self::UnknownSwitch(name, known) => write!(
                f,
                "the game has no rule `{name}` to leave out; it has: {known}"
            ),
            Self::Unsound(stage, errors) => write!(
                f,
                "defect of the compiler: after {stage} the program is not sound: {errors}"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Compiles the first file of a map; the others are what it names.
///
/// Mistakes in the rules are diagnostics; then there is no output.
///
/// # Errors
/// When there is nothing to compile or no language for it.
pub fn compile(
    sources: &SourceMap,
    options: &Options,
) -> Result<(Option<Output>, Diagnostics), Error> {
    let source = sources.files().first().ok_or(Error::NoSource)?;
    let language = find_language(options.language.as_deref(), source.name())?;
    compile_as(language, sources, options)
}

/// As [`compile`], for rules in a language that need not be among [`lang::LANGUAGES`].
///
/// # Errors
/// When there is nothing to compile.
pub fn compile_as(
    language: &Language,
    sources: &SourceMap,
    options: &Options,
) -> Result<(Option<Output>, Diagnostics), Error> {
    let source = sources.files().first().ok_or(Error::NoSource)?;
    let surroundings = lang::Options {
        image_folder: options.image_folder.clone(),
        settings: options.settings.clone(),
    };
    let mut diagnostics = Diagnostics::new();
    let front = (language.compile)(sources, source.id(), &surroundings, &mut diagnostics);
    diag::lookalike::tell(sources, &mut diagnostics);
    let Some(mut front) = front else {
        return Ok((None, diagnostics));
    };
    if let (Some(most), Some(limit)) = (options.limit, front.game.limit) {
        front.game.vars[limit.index()].init = vec![Const::Int(most)];
    }
    sound(&front.game, "lowering")?;
    leave_out(&mut front.game, &options.without)?;
    board::layout::arrange(&mut front.game);
    if cfg!(debug_assertions) {
        sound(&front.game, "numbering the places")?;
    }
    let folded = known_and_folded(&mut front.game, options);
    if cfg!(debug_assertions) {
        sound(&front.game, "looking for what decides")?;
    }
    let game = passed_and_known(&mut front.game, folded, options)?;
    let output = Output {
        ast: front.ast,
        lowered: front.game,
        game,
    };
    Ok((Some(output), diagnostics))
}

/// Notes in a game which pieces are alike and what decides about the rest of it. Rules that lead pieces different ways become a
/// rule for each way before. Gives the game with its constants folded, if that is known then.
fn known_and_folded(game: &mut Game, options: &Options) -> Option<Game> {
    let mut whole = game.clone();
    let known = |game: &mut Game| {
        rename::find_alike(game);
        opt::future::find(game, options.limit.is_some())
    };
    let folded = known(&mut whole);
    let splits = opt::parts::find(folded.as_ref().unwrap_or(&whole));
    if splits.is_empty() {
        *game = whole;
        return folded;
    }
    opt::parts::write(game, &splits);
    known(game)
}

/// The game after the passes, of which the first has made `folded` where that is known. What no pass asks for is noted in both, to
/// be found when somebody asks.
fn passed_and_known(
    game: &mut Game,
    folded: Option<Game>,
    options: &Options,
) -> Result<Game, Error> {
    let plain = rename::Plain::of(game, folded);
    if cfg!(debug_assertions) {
        sound(plain.game(), "the first passes")?;
    }
    // Who asks later waits for what was not kept, and nobody else holds it.
    let kept = options.ahead.then(|| plain.clone());
    let search = rename::Search::of(Arc::new(game.clone()), kept);
    if options.ahead {
        search.begin();
    }
    let (mut after, machine) = passed(game, plain, options)?;
    sound(&after, "the passes")?;
    let known = search.after(machine);
    if options.ahead {
        known.begin();
    }
    known.note(&mut after);
    known.note(game);
    Ok(after)
}

/// The game after the passes; and the machine as it was made of it, if all passes up to there ran and somebody will ask for it.
/// Where the first passes are among them, what they made is known.
fn passed(
    game: &Game,
    plain: rename::Plain,
    options: &Options,
) -> Result<(Game, Option<Game>), Error> {
    let passes = &options.passes;
    let known = &PASSES[..rename::Plain::PASSES];
    let begun = known.iter().all(|pass| passes.0.contains(pass.name));
    let (mut game, rest) = match begun {
        true => (plain.into_game(), &PASSES[known.len()..]),
        false => (game.clone(), PASSES),
    };
    let (mut machine, mut all) = (None, options.ahead);
    for pass in rest {
        if !pass.needed && !passes.0.contains(pass.name) {
            all = false;
            continue;
        }
        (pass.run)(&mut game);
        if cfg!(debug_assertions) {
            sound(&game, pass.name)?;
        }
        if all && machine.is_none() && game.machine.is_some() {
            machine = Some(game.clone());
        }
    }
    opt::hand_over::find(&mut game);
    Ok((game, machine))
}

/// Compiles one text that is called `name`, for callers that show all that is wrong as one message.
///
/// # Errors
/// The diagnostics as a terminal shows them, or why compiling did not begin.
pub fn compile_text(name: &str, text: &[u8], options: &Options) -> Result<Output, String> {
    let mut sources = SourceMap::new();
    sources.add(name, text).map_err(|e| e.to_string())?;
    let (output, diagnostics) = compile(&sources, options).map_err(|e| e.to_string())?;
    output.ok_or_else(|| {
        let findings = diag::render_all(&sources, &diagnostics, Style::Plain);
        format!("the rules have errors\n\n{findings}")
    })
}

fn leave_out(game: &mut Game, without: &Without) -> Result<(), Error> {
    let known: Vec<String> = game.switch_names().map(str::to_owned).collect();
    let names = match without {
        Without::Nothing => return Ok(()),
        Without::All => &known,
        Without::Named(names) => names,
    };
    for name in names {
        if !game.leave_out(name) {
            let list = match known.is_empty() {
                true => "none".to_owned(),
                false => known.join(", "),
            };
            return Err(Error::UnknownSwitch(name.clone(), list));
        }
    }
    Ok(())
}

fn sound(game: &Game, stage: &'static str) -> Result<(), Error> {
    verify(game).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Error::Unsound(stage, errors.join("; "))
    })
}

/// Names of further files that those of the map speak of and that it lacks; those that end in `/` are folders.
///
/// # Errors
/// When there is nothing to compile or no language for it.
pub fn companions(sources: &SourceMap, options: &Options) -> Result<Vec<String>, Error> {
    let source = sources.files().first().ok_or(Error::NoSource)?;
    let language = find_language(options.language.as_deref(), source.name())?;
    let surroundings = lang::Options {
        image_folder: options.image_folder.clone(),
        settings: options.settings.clone(),
    };
    Ok((language.companions)(sources, &surroundings))
}

fn find_language(name: Option<&str>, file: &str) -> Result<&'static Language, Error> {
    let list = |of: fn(&Language) -> String| {
        let all: Vec<String> = lang::LANGUAGES.iter().map(of).collect();
        all.join(", ")
    };
    match name {
        Some(name) => lang::LANGUAGES
            .iter()
            .find(|language| language.name == name)
            .ok_or_else(|| Error::UnknownLanguage(name.to_owned(), list(|l| l.name.to_owned()))),
        None => lang::of_file(file).ok_or_else(|| {
            Error::UnknownEnding(file.to_owned(), list(|l| l.extensions.join(", ")))
        }),
    }
}

impl Default for Passes {
    fn default() -> Self {
        Self::all()
    }
}

impl Passes {
    /// All passes.
    pub fn all() -> Self {
        Self(PASSES.iter().map(|pass| pass.name).collect())
    }

    /// Only those that code generation needs.
    pub fn none() -> Self {
        Self(IndexSet::new())
    }
}

/// `all`, `none`, or names separated by commas.
impl FromStr for Without {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = text.split(',').map(str::trim);
        let names: Vec<String> = names.filter(|n| !n.is_empty()).map(str::to_owned).collect();
        Ok(match names.as_slice() {
            [] => Without::Nothing,
            [only] if only == "none" => Without::Nothing,
            [only] if only == "all" => Without::All,
            _ => Without::Named(names),
        })
    }
}

/// `all`, `none`, names separated by commas, or names to leave out with `-` before them.
impl FromStr for Passes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let words = text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty());
        let mut passes = match text.trim_start().starts_with('-') {
            true => Self::all(),
            false => Self::none(),
        };
        for word in words {
            let name = word.strip_prefix('-').unwrap_or(word);
            match (name, PASSES.iter().find(|pass| pass.name == name)) {
                (_, Some(pass)) if word.starts_with('-') => passes.0.shift_remove(pass.name),
                (_, Some(pass)) => passes.0.insert(pass.name),
                ("all", None) => {
                    passes = Self::all();
                    true
                }
                ("none", None) => {
                    passes = Self::none();
                    true
                }
                _ => {
                    let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
                    return Err(Error::UnknownPass(name.to_owned(), known.join(", ")));
                }
            };
        }
        Ok(passes)
    }
}

impl Output {
    /// The Rust text of the game, for a file of its own.
    ///
    /// # Errors
    /// When the game exceeds a bound of generated code.
    #[cfg(feature = "text")]
    pub fn rust(&self, options: &codegen::Options) -> Result<String, codegen::Error> {
        codegen::render_text(&self.game, options)
    }

    /// The Rust items of the game in a module of this name, for the macro.
    ///
    /// # Errors
    /// When the game exceeds a bound of generated code.
    pub fn module(
        &self,
        options: &codegen::Options,
        name: &str,
    ) -> Result<TokenStream, codegen::Error> {
        codegen::render_module(&self.game, options, name)
    }

    /// The files of a crate with a program, by their paths in it.
    ///
    /// # Errors
    /// When the game exceeds a bound of generated code.
    #[cfg(feature = "text")]
    pub fn crate_files(
        &self,
        options: &codegen::Options,
    ) -> Result<Vec<(String, String)>, codegen::Error> {
        codegen::crate_files(&self.game, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_chosen_by_name() {
        let all = Passes::all();
        let choose = |text: &str| text.parse::<Passes>();
        assert_eq!(choose("all"), Ok(all.clone()));
        assert_eq!(choose("none"), Ok(Passes::none()));
        for pass in PASSES {
            let only = choose(pass.name).unwrap();
            assert_eq!(only.0.len(), 1);
            let without = choose(&format!("-{}", pass.name)).unwrap();
            assert_eq!(without.0.len() + 1, all.0.len());
            assert!(!without.0.contains(pass.name));
        }
        assert!(matches!(choose("magic"), Err(Error::UnknownPass(..))));
    }

    #[test]
    fn languages_are_told_by_name_or_ending() {
        let name = |lang, file| find_language(lang, file).map(|l| l.name);
        assert_eq!(name(None, "frogs.s3"), Ok("s3"));
        assert_eq!(name(Some("s3"), "frogs"), Ok("s3"));
        assert!(matches!(name(None, "frogs"), Err(Error::UnknownEnding(..))));
        assert!(matches!(
            name(Some("java"), "a.s3"),
            Err(Error::UnknownLanguage(..))
        ));
    }
}
