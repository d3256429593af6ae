//! A board as both forms of input give it: tiles with fields, border points and the texts of commands.

use super::text::Text;
use crate::source::Span;

/// Most sides of a die.
pub(crate) const MAX_SIDES: i64 = 1 << 16;

/// A board and its setup.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Name of the game.
    pub(super) name: String,
    /// The text of the setup; may be empty.
    pub(super) setup: Text,
    /// The tiles that are placed, in the order of their placements.
    pub(super) tiles: Vec<Tile>,
    /// What stands where in the grid of tiles; a tile may stand in several places.
    pub(super) placements: Vec<((i64, i64), usize)>,
    /// Single tile mode: what the properties of the tile say.
    pub(super) single: Option<Single>,
    /// What each event costs, in the order of [`COSTS`], in seconds.
    pub(super) costs: Vec<f64>,
    /// All of the file.
    pub(super) span: Span,
    /// Whether a part could not be read, so that what is missing may stand there.
    pub(super) unread: bool,
}

/// Fields that begin and end a game in single tile mode.
#[derive(Clone, Debug, Default)]
pub(super) struct Single {
    /// Where tokens enter, unless a field has `game_start()`.
    pub(super) start: Vec<Target>,
    /// Fields that win.
    pub(super) end: Vec<Target>,
}

/// A number of a field, and where it is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) id: i64,
    pub(super) span: Span,
}

/// A placed tile.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Name for people.
    pub(super) name: String,
    /// Column and row in the grid of tiles, downward; those of its first placement.
    pub(super) at: (i64, i64),
    /// Its fields, in the order of the file.
    pub(super) fields: Vec<Field>,
    /// Border points by [`Side`].
    pub(super) borders: [Vec<Border>; 4],
    /// Width and height in pixels.
    pub(super) size: (f64, f64),
    /// Where it is described.
    pub(super) span: Span,
}

/// A field.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Its number.
    pub(super) id: i64,
    /// Its commands; nothing if it has no text at all.
    pub(super) text: Option<Text>,
    /// A next field that is given outside of the text.
    pub(super) link: Option<Target>,
    /// Words that are painted on it.
    pub(super) label: String,
    /// Left, top, width and height on its tile, in pixels.
    pub(super) area: Option<[f64; 4]>,
    /// Where its number stands.
    pub(super) span: Span,
}

/// A point on the border of a tile where a way goes on.
#[derive(Clone, Debug)]
pub(super) struct Border {
    /// Its number.
    pub(super) id: i64,
    /// Distance along the edge; the neighbour's point with the same one is the same place.
    pub(super) along: f64,
    /// Where a token goes that comes in here.
    pub(super) next: Option<Target>,
    /// Where its number stands.
    pub(super) span: Span,
}

/// A side of a tile, an index into [`Tile::borders`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Bottom,
    Top,
    Left,
    Right,
}

impl Side {
    /// All sides, in the order in which a number is looked for.
    pub(super) const ALL: [Side; 4] = [Side::Bottom, Side::Top, Side::Left, Side::Right];

    /// How the texts call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Side::Bottom => "bottom",
            Side::Top => "top",
            Side::Left => "left",
            Side::Right => "right",
        }
    }

    /// The neighbour that lies there, and the side on which it is entered.
    pub(super) fn across(self) -> ((i64, i64), Side) {
        match self {
            Side::Bottom => ((0, 1), Side::Top),
            Side::Top => ((0, -1), Side::Bottom),
            Side::Left => ((-1, 0), Side::Right),
            Side::Right => ((1, 0), Side::Left),
        }
    }
}

/// What takes time in a simulated game: the name that the settings of a world give it (after `timeInS_`), and the seconds
/// that it takes unless they say otherwise.
pub(super) const COSTS: &[(&str, f64)] = &[
    ("rollDice", 2.0),
    ("choose_bool_func", 2.0),
    ("goto", 1.5),
    ("set_var", 3.0),
    ("var_decl", 3.0),
    ("advancePlayer", 1.0),
    ("rollback", 2.0),
    ("expr_primary_leftSteps", 2.0),
    ("expr_primary_constant", 0.5),
    ("expr_primary_ident", 1.0),
    ("expr_primary_incrementOrDecrement", 1.0),
    ("expr_disjunction", 1.0),
    ("expr_conjunction", 1.0),
    ("expr_comparison", 1.0),
    ("expr_relation", 1.0),
    ("expr_sum", 1.0),
    ("expr_term", 1.0),
    ("expr_factor", 1.0),
];

/// Index into [`COSTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    Roll,
    Choose,
    Goto,
    SetVar,
    Declare,
    Advance,
    Rollback,
    LeftSteps,
    Constant,
    Read,
    Count,
    Or,
    And,
    Compare,
    Relation,
    Sum,
    Term,
    Factor,
}

/// The costs that hold unless the file says otherwise.
pub(super) fn usual_costs() -> Vec<f64> {
    COSTS.iter().map(|(_, seconds)| *seconds).collect()
}
