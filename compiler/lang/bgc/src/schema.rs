//! What may stand where in a file, as data: the keys that the reader knows, for editors, the formatter and the published
//! JSON Schema.

#[cfg(feature = "editing")]
mod published;

#[cfg(feature = "editing")]
pub use published::json_schema;

use crate::json::{Json, Kind as JsonKind};
use crate::symbols::{Kind, Word};

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A text that says something to people.
    Text,
    /// An integer.
    Integer,
    /// An integer from 1 on.
    Count,
    /// A truth value.
    Bool,
    /// A number or an expression over coordinates.
    Script,
    /// What a property is compared with.
    Scalar,
    /// One of some words.
    Words(&'static [(&'static str, &'static str)]),
    /// A name of something.
    Name(Kind),
    /// A name that is declared here.
    Declared(Kind),
    /// A list.
    List(&'static Shape),
    /// An object with these keys.
    Object(&'static Object),
    /// An object whose keys are names, or declare some.
    Map(Kind, bool, &'static Shape),
    /// An object whose keys are coordinates.
    Vector,
    /// One of several.
    Either(&'static [Shape]),
    /// Anything.
    Any,
}

/// An object and its keys.
#[derive(Debug)]
pub(super) struct Object {
    /// Its keys in their usual order.
    pub(super) keys: &'static [Key],
    /// Whether the names of coordinates are keys too.
    pub(super) coordinates: bool,
}

/// A key.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) required: bool,
    /// Whether only files that ask for the extensions know it.
    pub(super) extension: bool,
    pub(super) meaning: &'static str,
}

const fn key(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key {
        name,
        shape,
        required: false,
        extension: false,
        meaning,
    }
}

const fn needed(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key {
        required: true,
        ..key(name, shape, meaning)
    }
}

const fn extended(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key {
        extension: true,
        ..key(name, shape, meaning)
    }
}

const fn object(keys: &'static [Key]) -> Object {
    Object {
        keys,
        coordinates: false,
    }
}

/// A file.
pub(super) static ROOT: Object = object(&[
    key(
        "name",
        Shape::Text,
        "The name of the game; that of the file without it.",
    ),
    key("description", Shape::Any, "What the game is, for people."),
    key(
        "extensions",
        Shape::Bool,
        "Whether the file may use what the original engine does not know.",
    ),
    needed(
        "players",
        Shape::List(&Shape::Declared(Kind::Player)),
        "The players, in their order.",
    ),
    needed(
        "cell",
        Shape::Object(&CELL),
        "What a cell is: its coordinates and looks.",
    ),
    needed("board", Shape::Object(&BOARD), "The cells."),
    needed(
        "figures",
        Shape::Map(Kind::Piece, true, &Shape::Object(&FIGURE)),
        "The kinds of figure by name.",
    ),
    key(
        "complex_movement",
        Shape::List(&Shape::Object(&COMPLEX)),
        "Movements of several figures at once, such as castling.",
    ),
    needed(
        "initial_position",
        Shape::Map(
            Kind::Player,
            false,
            &Shape::Map(Kind::Piece, false, &Shape::List(&Shape::Vector)),
        ),
        "Where figures stand at the start, by player and figure.",
    ),
    key("resources", Shape::Object(&RESOURCES), "Pictures."),
    key(
        "win_conditions",
        CONDITIONS,
        "For each player the conditions one of which wins.",
    ),
    extended(
        "forbidden_conditions",
        CONDITIONS,
        "For each player the conditions none of which may hold after a move.",
    ),
    extended("draw_rules", Shape::Object(&DRAWS), "Draws by counting."),
    extended(
        "chains",
        Shape::Words(&[
            ("any", "Every chain of moves may be played."),
            ("longest", "Only the longest chains may be played."),
        ]),
        "Which chains of moves may be played.",
    ),
    needed(
        "game_states",
        Shape::Map(Kind::State, true, &Shape::Object(&STATE)),
        "The states that the game goes through.",
    ),
    needed(
        "initial_game_state",
        Shape::Name(Kind::State),
        "The state at the start.",
    ),
]);

const CONDITIONS: Shape = Shape::Map(Kind::Player, false, &Shape::List(&Shape::Object(&CHECK)));

pub(super) static CELL: Object = object(&[
    needed(
        "coordinates_names",
        Shape::List(&Shape::Declared(Kind::Coordinate)),
        "The names of the coordinates, up to three.",
    ),
    needed(
        "geometry",
        Shape::List(&Shape::List(&Shape::Script)),
        "The outline of a cell: points `[x, y]`, in sizes of a cell.",
    ),
    needed(
        "position",
        Shape::Object(&POSITION),
        "Where a cell lies, computed from its coordinates.",
    ),
    key(
        "colors",
        Shape::Object(&COLORS),
        "Colours, computed from coordinates.",
    ),
]);

pub(super) static POSITION: Object = object(&[
    needed("x", Shape::Script, "To the right."),
    needed("y", Shape::Script, "Down."),
]);

pub(super) static COLORS: Object = object(&[
    key("fill", Shape::Script, "The colour of a cell."),
    key(
        "selector",
        Shape::Script,
        "Its colour while a figure on it is chosen.",
    ),
    key(
        "highlighter",
        Shape::Script,
        "Its colour while it is offered as a destination.",
    ),
]);

pub(super) static BOARD: Object = object(&[
    key(
        "rotation_angle",
        Shape::Map(Kind::Player, false, &Shape::Any),
        "By how many degrees the board is turned for a player.",
    ),
    needed(
        "cells",
        Shape::List(&Shape::Vector),
        "The cells by their coordinates.",
    ),
]);

static RESOURCES: Object = object(&[key("images", Shape::Object(&IMAGES), "Pictures.")]);

static IMAGES: Object = object(&[key(
    "figures",
    Shape::Map(
        Kind::Player,
        false,
        &Shape::Map(Kind::Piece, false, &Shape::Text),
    ),
    "Files of pictures, by player and figure.",
)]);

pub(super) static FIGURE: Object = object(&[
    needed(
        "movement",
        Shape::Either(&[
            Shape::List(&Shape::Object(&ENTRY)),
            Shape::Map(Kind::Player, false, &Shape::List(&Shape::Object(&ENTRY))),
        ]),
        "How it moves: a list of entries, or one for each player.",
    ),
    key(
        "cell_actions",
        Shape::Object(&ACTIONS),
        "What its moves do.",
    ),
]);

pub(super) static ENTRY: Object = Object {
    keys: &[
        key(
            "also_reversed",
            Shape::Bool,
            "Whether the opposite step fits too.",
        ),
        key("repeat", Shape::Bool, "Whether the step can be repeated."),
        extended(
            "steps",
            Shape::Either(&[Shape::Count, Shape::List(&Shape::Count)]),
            "How many steps: a number, or `[least, most]`.",
        ),
        extended(
            "priority",
            Shape::Integer,
            "Of the moves that are possible only those of the highest priority count.",
        ),
        extended(
            "takes",
            Shape::Count,
            "On how many cells on the way something must be taken.",
        ),
        extended(
            "if",
            CONDITION_SETS,
            "When the entry fits: one of these condition sets must hold.",
        ),
        key(
            "cell_actions",
            Shape::Object(&ACTIONS),
            "What its moves do, before what the figure says.",
        ),
    ],
    coordinates: true,
};

pub(super) static ACTIONS: Object = object(&[
    key(
        "destination",
        Shape::List(&Shape::Object(&ACTION_SET)),
        "What happens on the destination: the first set whose conditions hold, and those behind it.",
    ),
    key(
        "transition",
        Shape::List(&Shape::Object(&ACTION_SET)),
        "What happens on the cells on the way.",
    ),
]);

pub(super) static ACTION_SET: Object = object(&[
    needed("actions", Shape::List(&ACTION), "The actions, in order."),
    key(
        "if",
        CONDITION_SETS,
        "One of these condition sets must hold.",
    ),
]);

const ACTION_NAMES: Shape = Shape::Words(&[
    ("move", "The figure goes to the cell."),
    ("take", "The cell becomes empty."),
    (
        "swap",
        "The figure and what stands on the cell change places.",
    ),
    ("replace", "The figure becomes another one."),
    ("cancel", "The move does not exist."),
    ("continue", "The figure may go on (with extensions)."),
]);

const ACTION: Shape = Shape::Either(&[ACTION_NAMES, Shape::Object(&ACTION_OBJECT)]);

pub(super) static ACTION_OBJECT: Object = object(&[
    needed("action", ACTION_NAMES, "Which action."),
    key(
        "parameters",
        Shape::Object(&PARAMETERS),
        "What it needs to know.",
    ),
]);

static PARAMETERS: Object = object(&[
    key(
        "new_figure",
        Shape::Either(&[
            Shape::Name(Kind::Piece),
            Shape::List(&Shape::Name(Kind::Piece)),
        ]),
        "The figure that it becomes; with extensions a list to choose from.",
    ),
    extended(
        "deferred",
        Shape::Bool,
        "Whether it waits for the end of the chain.",
    ),
]);

const CONDITION_SETS: Shape = Shape::Either(&[
    Shape::List(&Shape::Object(&CONDITION)),
    Shape::Object(&CONDITION),
]);

pub(super) static CONDITION: Object = object(&[
    key(
        "self",
        Shape::Object(&MATCH),
        "What must be true of the figure that moves.",
    ),
    key(
        "target",
        Shape::Object(&MATCH),
        "What must be true of the cell.",
    ),
    key(
        "computed",
        Shape::Object(&COMPUTED),
        "Values that are computed, and what they must equal.",
    ),
    extended(
        "statistics",
        Shape::Object(&STATISTICS),
        "Values of the game, and what they must equal.",
    ),
]);

pub(super) static STATISTICS: Object = object(&[key(
    "current_move",
    Shape::Scalar,
    "The number of the move.",
)]);

pub(super) static COMPUTED: Object = object(&[
    key("is_cell", Shape::Scalar, "Whether the cell exists."),
    key("is_figure", Shape::Scalar, "Whether a figure stands there."),
    key(
        "is_enemy",
        Shape::Scalar,
        "Whether a figure of another player stands there.",
    ),
    key(
        "moves_after_last_move",
        Shape::Scalar,
        "How many moves ago the figure moved.",
    ),
    extended(
        "is_own",
        Shape::Scalar,
        "Whether a figure of the same player stands there.",
    ),
    extended(
        "is_empty",
        Shape::Scalar,
        "Whether the cell exists and is empty.",
    ),
    extended(
        "is_attacked",
        Shape::Scalar,
        "Whether the figure would be attacked there.",
    ),
    extended(
        "self_attacked",
        Shape::Scalar,
        "Whether the figure is attacked where it stands.",
    ),
]);

pub(super) static MATCH: Object = Object {
    keys: &[
        key(
            "figure",
            Shape::Either(&[Shape::Name(Kind::Piece), Shape::Scalar]),
            "The figure.",
        ),
        key(
            "player",
            Shape::Either(&[Shape::Name(Kind::Player), Shape::Scalar]),
            "Its owner.",
        ),
        key("moves_made", Shape::Scalar, "How often it moved."),
        key(
            "last_move",
            Shape::Scalar,
            "The number of the move in which it moved last.",
        ),
        key(
            "coordinates",
            Shape::Map(Kind::Coordinate, false, &Shape::Scalar),
            "The cell.",
        ),
    ],
    coordinates: true,
};

pub(super) static COMPLEX: Object = object(&[
    needed(
        "figures",
        Shape::List(&Shape::Object(&PART)),
        "The figures that move together.",
    ),
    key(
        "cell_actions",
        Shape::Object(&ACTIONS),
        "What all of them do, after what each does itself.",
    ),
]);

pub(super) static PART: Object = object(&[
    needed("figure", Shape::Name(Kind::Piece), "The figure."),
    key(
        "relative_position",
        Shape::Vector,
        "Where it stands, relative to the others.",
    ),
    key("coordinates_delta", Shape::Vector, "Its step."),
    extended("steps", Shape::Count, "How many steps it goes."),
    key("cell_actions", Shape::Object(&ACTIONS), "What it does."),
]);

pub(super) static CHECK: Object = object(&[
    key(
        "entity",
        Shape::Words(&[("cell", "The cells of the board.")]),
        "What is looked at.",
    ),
    needed("filter", Shape::Object(&MATCH), "Which cells."),
    needed(
        "type",
        Shape::Words(&[
            ("exists", "Whether there is such a cell."),
            (
                "attacked",
                "Whether the figures there are attacked (with extensions).",
            ),
        ]),
        "What is asked of them.",
    ),
    needed("result", Shape::Bool, "What the answer must be."),
]);

pub(super) static DRAWS: Object = object(&[
    key(
        "repetition",
        Shape::Count,
        "How often a position occurs before the game is a draw.",
    ),
    key(
        "no_progress",
        Shape::Object(&NO_PROGRESS),
        "How many moves without progress make a draw.",
    ),
    key(
        "max_plies",
        Shape::Count,
        "How many moves a game has at most.",
    ),
]);

pub(super) static NO_PROGRESS: Object = object(&[
    needed("plies", Shape::Count, "So many moves."),
    key(
        "progress",
        Shape::List(&Shape::Object(&PROGRESS)),
        "What counts as progress.",
    ),
]);

pub(super) static PROGRESS: Object = object(&[
    key("action", ACTION_NAMES, "A move with this action."),
    key("figure", Shape::Name(Kind::Piece), "A move of this figure."),
]);

pub(super) static STATE: Object = object(&[
    needed(
        "type",
        Shape::Words(&[
            ("move", "A player moves."),
            ("next_move", "The number of the move grows."),
            ("check_win", "Has a player won?"),
            ("check_moves", "Can a player move (with extensions)?"),
            ("end", "The game is over."),
        ]),
        "What happens in the state.",
    ),
    key("parameters", Shape::Object(&STATE_PARAMETERS), "Of whom."),
    key(
        "next",
        Shape::Either(&[
            Shape::Name(Kind::State),
            Shape::List(&Shape::Object(&BRANCH)),
        ]),
        "Where it leads: a state, or branches; an end leads nowhere.",
    ),
]);

static STATE_PARAMETERS: Object = object(&[
    key("player", Shape::Name(Kind::Player), "The player."),
    extended(
        "pass",
        Shape::Words(&[
            ("never", "The player may not pass."),
            ("always", "The player may pass."),
            (
                "if_stuck",
                "The player may pass when there is no other move.",
            ),
        ]),
        "When the player may pass.",
    ),
    extended(
        "winner",
        Shape::Either(&[
            Shape::Name(Kind::Player),
            Shape::List(&Shape::Name(Kind::Player)),
            Shape::Any,
        ]),
        "Who wins: a player, several, or `null` for a draw.",
    ),
]);

pub(super) static BRANCH: Object = object(&[
    needed("state", Shape::Name(Kind::State), "The next state."),
    needed(
        "if",
        Shape::List(&Shape::Object(&RESULT)),
        "For which results.",
    ),
]);

pub(super) static RESULT: Object =
    object(&[key("result", Shape::Scalar, "A result of the state.")]);

impl Object {
    /// A key of this name.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of all keys.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

impl Key {
    /// As an entry of the reference.
    pub(super) fn word(&self) -> Word {
        Word::new(self.name, Kind::Property, self.name, self.meaning)
    }
}

impl Shape {
    /// Of several the one that a value can be.
    pub(super) fn of(&self, json: &Json) -> Shape {
        let Shape::Either(shapes) = self else {
            return *self;
        };
        let fits = |shape: &&Shape| {
            matches!(
                (shape, &json.kind),
                (
                    Shape::Name(_) | Shape::Words(_) | Shape::Text,
                    JsonKind::String(_)
                ) | (Shape::List(_), JsonKind::Array(_))
                    | (Shape::Object(_) | Shape::Map(..), JsonKind::Object(_))
                    | (Shape::Count | Shape::Integer, JsonKind::Number(_))
                    | (Shape::Any, _)
            )
        };
        shapes.iter().find(fits).copied().unwrap_or(Shape::Scalar)
    }
}

/// Calls `f` with every object and its keys.
fn each(object: &'static Object, seen: &mut Vec<*const Object>, f: &mut dyn FnMut(&'static Key)) {
    if seen.contains(&std::ptr::from_ref(object)) {
        return;
    }
    seen.push(object);
    for key in object.keys {
        f(key);
        each_in(&key.shape, seen, f);
    }
}

fn each_in(shape: &'static Shape, seen: &mut Vec<*const Object>, f: &mut dyn FnMut(&'static Key)) {
    match shape {
        Shape::List(inner) | Shape::Map(_, _, inner) => each_in(inner, seen, f),
        Shape::Object(object) => each(object, seen, f),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| each_in(shape, seen, f)),
        _ => {}
    }
}

/// The keys whose object has a key of this name.
pub(super) fn holders(name: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    each(&ROOT, &mut Vec::new(), &mut |key| {
        if let Shape::Object(object) = key.shape
            && object.names().contains(&name)
            && !found.contains(&key.name)
        {
            found.push(key.name);
        }
    });
    found
}

/// All keys and words, as editors explain them.
pub(super) fn words() -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    each(&ROOT, &mut Vec::new(), &mut |key| {
        words.push(key.word());
        if let Shape::Words(values) = key.shape {
            words.extend(
                values
                    .iter()
                    .map(|(name, meaning)| value_word(name, meaning)),
            );
        }
    });
    if let Shape::Words(values) = ACTION_NAMES {
        words.extend(
            values
                .iter()
                .map(|(name, meaning)| value_word(name, meaning)),
        );
    }
    words
}

/// A value that is a word, as an entry of the reference.
pub(super) fn value_word(name: &'static str, meaning: &'static str) -> Word {
    Word::new(name, Kind::Value, name, meaning)
}

/// Puts the keys of objects into their usual order; those that name something keep theirs, which may matter.
pub(super) fn put_in_order(json: &mut Json) {
    order(json, &Shape::Object(&ROOT));
}

fn order(json: &mut Json, shape: &Shape) {
    let shape = shape.of(json);
    match (&mut json.kind, shape) {
        (JsonKind::Array(items), Shape::List(inner)) => {
            items.iter_mut().for_each(|item| order(item, inner));
        }
        (JsonKind::Object(members), Shape::Map(_, _, inner)) => {
            members
                .iter_mut()
                .for_each(|member| order(&mut member.value, inner));
        }
        (JsonKind::Object(members), Shape::Object(object)) => {
            let place = |name: &str| object.keys.iter().position(|key| key.name == name);
            // Coordinates come first, keys that nothing reads last.
            members.sort_by_key(|member| match place(&member.key) {
                Some(at) => at + 1,
                None if object.coordinates => 0,
                None => usize::MAX,
            });
            for member in members {
                if let Some(key) = object.key(&member.key) {
                    order(&mut member.value, &key.shape);
                }
            }
        }
        _ => {}
    }
}
