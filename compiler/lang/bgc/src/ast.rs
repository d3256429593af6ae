//! The checked tree of a game: what the JSON says, with names still as names.

use indexmap::IndexMap;

use super::script::{Script, Value};
use crate::source::Span;

/// Something with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The thing.
    pub node: T,
    /// Its place.
    pub span: Span,
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// Whether the file asks for the extensions.
    pub extensions: bool,
    /// The players in their order.
    pub players: Vec<Spanned<String>>,
    /// The names of the coordinates.
    pub dimensions: Vec<String>,
    /// The cells, each by its coordinates, in the order of the file.
    pub cells: Vec<Spanned<Vec<i64>>>,
    /// How cells look.
    pub look: Look,
    /// The figures by name.
    pub figures: IndexMap<String, Figure>,
    /// Where the figures begin.
    pub figures_span: Span,
    /// The complex movements.
    pub complex: Vec<Complex>,
    /// What stands where at the start; a later one replaces an earlier one on its cell.
    pub initial: Vec<Start>,
    /// For each player the conditions one of which wins.
    pub win: IndexMap<String, Vec<Check>>,
    /// For each player the conditions none of which may hold after a move (X7).
    pub forbidden: IndexMap<String, Vec<Check>>,
    /// Draws by rule (X11).
    pub draws: Option<DrawRules>,
    /// Whether of all chains only the longest may be played (X13).
    pub longest_chains: bool,
    /// The states of the game by name.
    pub states: IndexMap<String, State>,
    /// The state at the start.
    pub initial_state: Spanned<String>,
    /// The whole file.
    pub span: Span,
}

/// How cells and figures look.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The outline of a cell, in sizes of a cell.
    pub outline: Vec<[Script; 2]>,
    /// The upper left corner of a cell.
    pub position: [Script; 2],
    /// The colour of a cell.
    pub fill: Script,
    /// Its colour while it is chosen as a source.
    pub selector: Script,
    /// Its colour while it is offered as a destination.
    pub highlighter: Script,
    /// By how many degrees the board is turned for a player.
    pub rotation: IndexMap<String, f64>,
    /// Pictures by player and figure.
    pub pictures: IndexMap<(String, String), String>,
}

/// A kind of figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its movement: lists of entries, each for all players or for one.
    pub movement: Vec<(Option<String>, Vec<Entry>)>,
    /// What moves of all entries do.
    pub actions: Actions,
    /// Its place.
    pub span: Span,
}

/// An entry of a movement.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The step, a number for each dimension.
    pub delta: Vec<i64>,
    /// How many steps forward are possible.
    pub steps: Steps,
    /// Whether the opposite vector fits too.
    pub also_reversed: bool,
    /// When the entry fits at all (X2).
    pub when: Option<Vec<Condition>>,
    /// Its priority (X3).
    pub priority: i64,
    /// On how many cells on the way something must be taken, if that matters (X13).
    pub takes: Option<u32>,
    /// What its moves do, before those of the figure.
    pub actions: Actions,
    /// Its place.
    pub span: Span,
}

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// At least so many; not below 1.
    pub least: u32,
    /// At most so many; nothing for no bound.
    pub most: Option<u32>,
}

/// Sets of actions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actions {
    /// Those judged on the destination.
    pub destination: Vec<ActionSet>,
    /// Those judged on the cells on the way.
    pub transition: Vec<ActionSet>,
}

/// Actions under conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionSet {
    /// The actions in order.
    pub actions: Vec<Spanned<Action>>,
    /// One of these must hold; always if absent.
    pub when: Option<Vec<Condition>>,
    /// Its place.
    pub span: Span,
}

/// An action.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The figure goes to the judged cell.
    Move,
    /// The judged cell becomes empty, at the end of the chain if deferred (X12).
    Take {
        /// Whether it waits for the end of the chain.
        deferred: bool,
    },
    /// The figure and what stands on the judged cell change places.
    Swap,
    /// The figure becomes another one.
    Replace(String),
    /// The figure becomes another one if it still stands there at the end of the chain (X13).
    ReplaceLater(String),
    /// The figure becomes one that the mover chooses (X5).
    Choose(Vec<Spanned<String>>),
    /// The move does not exist.
    Cancel,
    /// The figure may go on (X4).
    Continue,
}

/// A condition set: all of it must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// About the figure that moves.
    pub own: Match,
    /// About the judged cell.
    pub target: Match,
    /// Computed values and what they must equal.
    pub computed: Vec<(Computed, Value)>,
    /// What the number of the move must equal (X6).
    pub clock: Vec<Value>,
    /// Its place.
    pub span: Span,
}

/// What properties of a cell must equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Match {
    /// The name of the figure.
    pub figure: Option<Spanned<Value>>,
    /// Its owner.
    pub player: Option<Spanned<Value>>,
    /// How often it moved.
    pub moves_made: Option<Spanned<Value>>,
    /// When it moved last.
    pub last_move: Option<Spanned<Value>>,
    /// The coordinates, by dimension.
    pub coordinates: Vec<(usize, Spanned<Value>)>,
}

/// Computed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computed {
    /// Whether the cell exists.
    IsCell,
    /// Whether a figure stands there.
    IsFigure,
    /// Whether a figure of another player stands there.
    IsEnemy,
    /// The moves since the figure moved.
    Age,
    /// Whether a figure of the same player stands there (X6).
    IsOwn,
    /// Whether the cell exists and is empty (X6).
    IsEmpty,
    /// Whether the figure would be attacked there (X6).
    IsAttacked,
    /// Whether the figure is attacked where it stands (X6).
    SelfAttacked,
}

/// A movement of several figures at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Complex {
    /// The figures.
    pub parts: Vec<Part>,
    /// What all parts do, after what each does itself.
    pub actions: Actions,
    /// Its place.
    pub span: Span,
}

/// A figure of a complex movement.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub figure: Spanned<String>,
    /// Where it stands, relative to the others.
    pub place: Vec<i64>,
    /// Its step.
    pub delta: Vec<i64>,
    /// How many steps it goes.
    pub steps: u32,
    /// What it does.
    pub actions: Actions,
    /// Its place in the file.
    pub span: Span,
}

/// A figure at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Its owner.
    pub player: String,
    /// Its name.
    pub figure: String,
    /// The number of its cell.
    pub cell: usize,
    /// The place of the cell in the list.
    pub span: Span,
}

/// A test of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Which cells are meant.
    pub filter: Match,
    /// Whether the figures there must be attacked (X8), or only be there.
    pub attacked: bool,
    /// What the test must give.
    pub result: bool,
    /// Its place.
    pub span: Span,
}

/// Draws by rule.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawRules {
    /// How often a position makes a draw.
    pub repetition: Option<u32>,
    /// How many moves without progress make a draw.
    pub no_progress: Option<NoProgress>,
    /// How many moves a game has at most.
    pub max_plies: Option<u32>,
    /// Its place.
    pub span: Span,
}

/// A bound on moves without progress.
#[derive(Clone, Debug, PartialEq)]
pub struct NoProgress {
    /// So many moves.
    pub plies: u32,
    /// What counts as progress.
    pub progress: Vec<Progress>,
}

/// What counts as progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// An action of this name.
    Action(&'static str),
    /// A move of this figure.
    Figure(String),
}

/// A state of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What happens in it.
    pub kind: StateKind,
    /// Where it leads; nothing for ends.
    pub next: Vec<Branch>,
    /// The place of its name.
    pub span: Span,
}

/// The kinds of state.
#[derive(Clone, Debug, PartialEq)]
pub enum StateKind {
    /// A player moves.
    Move {
        /// The player.
        player: String,
        /// When the player may pass (X12).
        pass: Pass,
    },
    /// The number of the move grows.
    NextMove,
    /// Has a player won?
    CheckWin(String),
    /// Can a player move (X9)?
    CheckMoves(String),
    /// The game is over.
    End(Winner),
}

/// When a player may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Never.
    Never,
    /// Always.
    Always,
    /// When there is no other move.
    IfStuck,
}

/// Who wins in an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Winner {
    /// Whoever passed the test that led there.
    Tested,
    /// These players; a draw if there are none.
    Named(Vec<String>),
}

/// Where a state leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The next state.
    pub state: Spanned<String>,
    /// For which results; for any if absent.
    pub results: Option<Vec<Option<Value>>>,
}

impl Branch {
    /// Whether it is taken for a result; nothing where the state has none.
    pub fn fits(&self, result: Option<bool>) -> bool {
        let value = result.map_or(Value::Null, Value::Bool);
        let fits = |wanted: &Option<Value>| {
            wanted
                .as_ref()
                .is_none_or(|wanted| value.loosely_equals(wanted))
        };
        self.results
            .as_ref()
            .is_none_or(|results| results.iter().any(fits))
    }
}

impl Complex {
    /// The actions of its figures, then those of the movement.
    fn actions(&self) -> impl Iterator<Item = &Actions> {
        let parts = self.parts.iter().map(|part| &part.actions);
        parts.chain([&self.actions])
    }

    /// The figures that the mover can choose that a figure becomes at its destination: the choice of one is that of all.
    pub fn choices(&self) -> impl Iterator<Item = &str> {
        let sets = self.actions().flat_map(|actions| &actions.destination);
        let chosen = sets.flat_map(|set| &set.actions);
        let chosen = chosen.filter_map(|action| match &action.node {
            Action::Choose(names) => Some(names),
            _ => None,
        });
        chosen.flatten().map(|name| name.node.as_str())
    }
}

impl Game {
    /// The number of a player.
    pub fn player(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.node == name)
    }

    /// All sets of actions.
    pub fn sets(&self) -> impl Iterator<Item = &ActionSet> {
        let figures = self.figures.values().flat_map(|figure| {
            let entries = figure.movement.iter().flat_map(|(_, entries)| entries);
            entries.map(|entry| &entry.actions).chain([&figure.actions])
        });
        let complex = self.complex.iter().flat_map(Complex::actions);
        figures
            .chain(complex)
            .flat_map(|actions| actions.destination.iter().chain(&actions.transition))
    }

    /// The entries of a figure for a player, in order.
    pub fn entries<'a>(&'a self, figure: &str, player: &'a str) -> impl Iterator<Item = &'a Entry> {
        let lists = self.figures.get(figure).map(|figure| &figure.movement);
        lists
            .into_iter()
            .flatten()
            .filter(move |(of, _)| of.as_deref().is_none_or(|of| of == player))
            .flat_map(|(_, entries)| entries)
    }
}
