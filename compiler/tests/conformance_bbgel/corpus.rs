//! Where the cases are, the stated source of random numbers, and the words for errors.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::{Diagnostics, Severity};
use rulec_compiler::interp::{Interp, Reason, State, Turn, Value};
use rulec_compiler::ir::{Game, VarId};
use rulec_compiler::lang::{Front, Options, bbgel};
use rulec_compiler::source::SourceMap;
use serde_json::Value as Json;

/// The folder of the bbgel cases; none if there is no corpus.
///
/// Panics without a corpus where there has to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let folder = root.join("bbgel");
    if folder.is_dir() {
        return Some(folder);
    }
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    let message = format!("there is no corpus at {}", folder.display());
    assert!(!needed, "{message}");
    eprintln!("SKIPPED: {message}");
    None
}

pub(crate) fn json(path: &Path) -> Json {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder with an ending, by name.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut all: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    all.sort();
    assert!(!all.is_empty(), "there is no case in {}", folder.display());
    all
}

/// The numbers that the recorded games were played with.
pub(crate) struct Lcg(u32);

impl Lcg {
    pub(crate) fn new(seed: u64) -> Lcg {
        Lcg((seed as u32).wrapping_mul(2_654_435_769))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * n as u64) >> 32) as usize
    }
}

/// What the front end makes of a text, or the kinds of its errors in the words of the cases.
pub(crate) fn compile(name: &str, bytes: &[u8], alone: bool) -> Result<Front, Vec<&'static str>> {
    let mut sources = SourceMap::new();
    let id = sources.add(name, bytes).expect("the file is small");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let front = match alone {
        true => bbgel::compile_program(&sources, id, &mut diagnostics),
        false => bbgel::compile(&sources, id, &options, &mut diagnostics),
    };
    let errors = diagnostics
        .iter()
        .filter(|found| found.severity() == Severity::Error)
        .map(|found| word(found.code.code));
    front.ok_or_else(|| errors.collect())
}

/// The word of the cases for one of our codes.
fn word(code: &'static str) -> &'static str {
    match code {
        "BBGEL-E0102" | "BBGEL-E0109" | "BBGEL-E0110" | "BBGEL-E0111" => "syntax_error",
        "BBGEL-E0113" => "no_start_field",
        "BBGEL-E0114" => "several_start_fields",
        "BBGEL-E0115" => "no_end_field",
        "BBGEL-E0116" => "no_control_statement",
        "BBGEL-E0117" => "several_control_statements",
        "BBGEL-E0118" => "control_to_itself",
        "BBGEL-E0119" => "force_not_first",
        "BBGEL-E0120" => "game_end_not_forced",
        "BBGEL-E0121" => "players_twice",
        "BBGEL-E0122" => "no_tokens",
        "BBGEL-E0123" => "no_players",
        "BBGEL-E0124" => "undefined_variable",
        "BBGEL-E0125" => "type_error",
        "BBGEL-E0126" => "redeclared",
        "BBGEL-E0127" => "result_not_set",
        "BBGEL-E0128" => "end_scope_without_begin",
        "BBGEL-E0129" => "division_by_zero",
        other => other,
    }
}

pub(crate) fn interpreter(game: Game) -> Interp {
    let name = game.name.clone();
    Interp::new(game).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// How a game ended, in the words of the cases.
pub(crate) fn status(game: &Interp, state: &State) -> (String, Option<u32>) {
    match game.outcome(state) {
        None => ("running".to_owned(), None),
        Some(outcome) => match outcome.reason {
            Reason::Win => ("finished".to_owned(), outcome.winners.first().copied()),
            Reason::Limit => ("max_steps".to_owned(), None),
            Reason::Fault(fault) => {
                let message = fault.code.message().to_owned();
                let code = message.split(':').next().unwrap_or_default();
                (code.to_owned(), None)
            }
            other => (other.word().to_owned(), None),
        },
    }
}

/// The next move by the stated numbers; none if the game is over.
pub(crate) fn drawn(
    game: &Interp,
    state: &State,
    numbers: &mut Lcg,
) -> Option<rulec_compiler::interp::Move> {
    match game.turn(state) {
        Turn::Over => None,
        Turn::Chance => {
            let results = game.chance_outcomes(state);
            Some(results[numbers.below(results.len())].0)
        }
        Turn::Decide(_) => {
            let mut moves = game.legal_moves(state).expect("no fault").to_vec();
            moves.sort_by_key(|mv| mv.code());
            Some(moves[numbers.below(moves.len())])
        }
    }
}

/// The variable with a name.
pub(crate) fn variable(game: &Interp, name: &str) -> Option<VarId> {
    let vars = &game.game().vars;
    vars.iter()
        .position(|var| var.name == name)
        .map(VarId::from)
}

/// An integer or truth value of the state, as JSON.
pub(crate) fn value(game: &Interp, state: &State, name: &str, cell: usize) -> Option<Json> {
    match game.var(state, variable(game, name)?, cell)? {
        Value::Int(value) => Some(Json::from(value)),
        Value::Bool(value) => Some(Json::from(value)),
        Value::Elem(member) => Some(Json::from(member)),
        _ => None,
    }
}

pub(crate) fn number(game: &Interp, state: &State, name: &str, cell: usize) -> i64 {
    let value = value(game, state, name, cell).unwrap_or_else(|| panic!("no variable `{name}`"));
    value.as_i64().expect("an integer")
}

/// Simulated seconds.
pub(crate) fn seconds(game: &Interp, state: &State) -> f64 {
    let per = game.game().meters[0].per;
    number(game, state, "time", 0) as f64 / per as f64
}
