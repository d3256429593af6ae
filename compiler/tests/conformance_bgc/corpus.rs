//! Where the cases are, and what a position looks like in their words.

use std::path::{Path, PathBuf};

use rulec_compiler::diag::{Diagnostics, Style, render_all};
use rulec_compiler::ir::Game;
use rulec_compiler::lang::Options;
use rulec_compiler::lang::bgc;
use rulec_compiler::source::SourceMap;
use rulec_interp::{Interp, Move, Reason, State};
use serde_json::Value as Json;

/// Whether long runs are made in full.
pub(crate) fn long() -> bool {
    std::env::var("RULEC_LONG").is_ok_and(|value| value == "1")
}

/// The folder of the bgc cases; none if there is no corpus.
///
/// Panics without a corpus where there has to be one.
pub(crate) fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = match std::env::var_os("RULEC_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => workspace.join("../shared/corpus"),
    };
    let folder = root.join("bgc");
    if folder.is_dir() {
        return Some(folder);
    }
    needed(&format!("there is no corpus at {}", folder.display()));
    None
}

/// Complains about something that is missing: loudly where everything has to be there.
pub(crate) fn needed(message: &str) {
    let needed = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!needed, "{message}");
    eprintln!("SKIPPED: {message}");
}

pub(crate) fn json(path: &Path) -> Json {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rule files of a folder, by name.
pub(crate) fn rules(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    let mut all: Vec<PathBuf> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    all.sort();
    assert!(!all.is_empty(), "there is no case in {}", folder.display());
    all
}

/// The game of rules that are right.
pub(crate) fn lower(path: &Path) -> Game {
    let name = path.file_name().and_then(|name| name.to_str());
    let bytes = std::fs::read(path).expect("the rules can be read");
    let mut sources = SourceMap::new();
    let id = sources
        .add(name.unwrap_or_default(), bytes)
        .expect("the file is small");
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let front = bgc::compile(&sources, id, &options, &mut diagnostics);
    let Some(front) = front else {
        panic!("{}", render_all(&sources, &diagnostics, Style::Plain));
    };
    front.game
}

/// What stands on each cell: player and figure, or nothing.
pub(crate) fn board(game: &Interp, state: &State) -> Vec<Option<String>> {
    let text = game.state_text(state);
    let board = text.split(" | ").nth(1).unwrap_or_else(|| panic!("{text}"));
    board
        .split(',')
        .map(|kind| (kind != "-").then(|| kind.to_owned()))
        .collect()
}

fn coordinates(json: &Json) -> String {
    let numbers = json.as_array().expect("coordinates").iter();
    let numbers: Vec<String> = numbers.map(ToString::to_string).collect();
    numbers.join(",")
}

/// The text of a move that the cases give as `[from, to]` or `[from, to, choice]`.
pub(crate) fn move_text(json: &Json) -> String {
    let (from, to) = (coordinates(&json[0]), coordinates(&json[1]));
    match json[2].as_str() {
        Some(choice) => format!("{from} {to} ={choice}"),
        None => format!("{from} {to}"),
    }
}

/// What stands on each cell in a state of the cases.
pub(crate) fn expected_board(game: &Interp, state: &Json) -> Vec<Option<String>> {
    let cells = game
        .game()
        .domains
        .iter()
        .find(|domain| domain.name == "Cell");
    let cells = cells.expect("there are cells");
    let mut board = vec![None; cells.len()];
    for figure in state["figures"].as_array().expect("figures") {
        let at = coordinates(&figure["at"]);
        let cell = (0..cells.len()).find(|cell| cells.member(*cell as u32) == at);
        let name = |key: &str| figure[key].as_str().expect("a name").to_owned();
        let kind = format!("{} {}", name("player"), name("figure"));
        board[cell.expect("the cell exists")] = Some(kind);
    }
    board
}

/// The legal moves.
pub(crate) fn listed<'s>(game: &Interp, state: &'s State) -> &'s [Move] {
    match game.legal_moves(state) {
        Ok(moves) => moves,
        Err(fault) => panic!("{fault:?} at {}", game.game().origin(fault.span)),
    }
}

/// The legal moves with their texts, by text.
pub(crate) fn legal(game: &Interp, state: &State) -> Vec<(String, Move)> {
    let moves = listed(game, state);
    let mut all: Vec<(String, Move)> = moves.iter().map(|mv| (game.move_text(*mv), *mv)).collect();
    all.sort();
    all
}

pub(crate) fn after(game: &Interp, state: &State, mv: Move) -> State {
    let mut next = state.clone();
    assert!(game.play(&mut next, mv), "the move belongs to the position");
    next
}

/// The state after moves given by their texts.
pub(crate) fn along(game: &Interp, path: &[String]) -> State {
    let mut state = game.initial();
    for text in path {
        let legal = legal(game, &state);
        let mv = legal.iter().find(|(other, _)| other == text);
        let (_, mv) = mv.unwrap_or_else(|| panic!("`{text}` is not legal in {path:?}"));
        state = after(game, &state, *mv);
    }
    state
}

/// How a game ended, in the words of the reference: nothing, `end` with winners, or `stuck`.
pub(crate) fn ending(game: &Interp, state: &State) -> Option<(&'static str, Vec<String>)> {
    let outcome = game.outcome(state)?;
    let players = game.game().domain(game.game().players);
    let winners = outcome.winners.iter().map(|w| players.member(*w)).collect();
    match outcome.reason {
        Reason::Stuck => Some(("stuck", winners)),
        Reason::Fault(fault) => panic!("{fault:?} at {}", game.game().origin(fault.span)),
        _ => Some(("end", winners)),
    }
}
