//! What a mutant goes through.

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Mutex;

use rulec_compiler::pipeline::Error;
use rulec_compiler::source::SourceMap;
use rulec_compiler::{Options, Without, codegen, compile};

use crate::mutate::Mutant;

/// How far a mutant came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Refused,
    Lowered,
    Generated,
}

impl Stage {
    /// What the numbers of stages mean.
    pub(crate) const NAMES: [&str; 3] = [
        "were refused with diagnostics",
        "were lowered and made a machine",
        "went through all passes, and their code was read again",
    ];
}

static PANIC: Mutex<String> = Mutex::new(String::new());

/// Notes what a panic says, and where.
pub(crate) fn note_panic(info: &PanicHookInfo<'_>) {
    let text = info.payload_as_str().unwrap_or_default().replace('\n', " ");
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    if let Ok(mut note) = PANIC.lock() {
        *note = format!("{place}: {text}");
    }
}

/// Runs the compiler; the error is a panic or a defect that the compiler itself found.
pub(crate) fn run(mutant: &Mutant, deep: bool) -> Result<(Stage, Option<String>), String> {
    match catch_unwind(AssertUnwindSafe(|| compiled(mutant, deep))) {
        Ok(result) => result,
        Err(_) => Err(PANIC.lock().map(|note| note.clone()).unwrap_or_default()),
    }
}

fn compiled(mutant: &Mutant, deep: bool) -> Result<(Stage, Option<String>), String> {
    let mut sources = SourceMap::new();
    for (name, text) in &mutant.files {
        if sources.add(name, text.as_slice()).is_err() {
            return Ok((Stage::Refused, None));
        }
    }
    let passes = if deep { "all" } else { "none" };
    let options = Options {
        language: Some(mutant.language.to_owned()),
        passes: passes.parse().map_err(|e: Error| e.to_string())?,
        image_folder: None,
        without: Without::Nothing,
        settings: Vec::new(),
        limit: None,
        ahead: false,
    };
    let (output, diagnostics) = compile(&sources, &options).map_err(|error| error.to_string())?;
    // Diagnostics are drawn too: their places must be sound.
    let drawn = rulec_compiler::diag::render_all(
        &sources,
        &diagnostics,
        rulec_compiler::diag::Style::Plain,
    );
    let Some(output) = output else {
        return match drawn.is_empty() {
            true => Err("it is refused without a word".to_owned()),
            false => Ok((Stage::Refused, None)),
        };
    };
    if !deep {
        return Ok((Stage::Lowered, None));
    }
    match output.rust(&codegen::Options::new("game", "")) {
        Ok(code) => match syn::parse_file(&code) {
            Ok(_) => Ok((Stage::Generated, Some(code))),
            Err(error) => Err(format!("the code is not Rust: {error}")),
        },
        Err(error @ (codegen::Error::Unparsable(_) | codegen::Error::NoMachine)) => {
            Err(error.to_string())
        }
        // Games that are too large for code are refused.
        Err(_) => Ok((Stage::Lowered, None)),
    }
}

/// Attempts to make a mutant smaller.
const ATTEMPTS: usize = 400;

/// A smaller mutant that goes wrong at the same place: without lines, then without halves of lines.
pub(crate) fn minimise(mutant: &Mutant, deep: bool, message: &str) -> Mutant {
    let place = |message: &str| message.split(": ").next().unwrap_or_default().to_owned();
    let same =
        |mutant: &Mutant| run(mutant, deep).is_err_and(|found| place(&found) == place(message));
    let (mut small, mut attempts) = (mutant.clone(), 0);
    let mut width = small.lines() / 2;
    while width > 0 && attempts < ATTEMPTS {
        let mut at = 0;
        while at < small.lines() && attempts < ATTEMPTS {
            let fewer = small.without_lines(at, width);
            attempts += 1;
            match same(&fewer) {
                true => small = fewer,
                false => at += width,
            }
        }
        width /= 2;
    }
    small
}
