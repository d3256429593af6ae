//! The words of the language, as editors explain them.

use super::lines::{SECTIONS, Section};
use crate::symbols::{Kind, Word};

const fn function(
    name: &'static str,
    syntax: &'static str,
    meaning: &'static str,
    params: &'static [&'static str],
) -> Word {
    Word {
        name,
        kind: Kind::Function,
        syntax,
        meaning,
        params,
    }
}

const fn operator(name: &'static str, syntax: &'static str, meaning: &'static str) -> Word {
    Word::new(name, Kind::Keyword, syntax, meaning)
}

/// What is called with arguments.
pub(super) const BUILTINS: &[Word] = &[
    function(
        "IF",
        "IF(condition, yes, no)",
        "The second argument where the condition holds, else the third; the other one is not evaluated.",
        &["condition", "yes", "no"],
    ),
    function(
        "FORALL",
        "FORALL($VAR, from, to, condition)",
        "Whether the condition holds for every number from the first to the last; stops at the first that fails.",
        &["$VAR", "from", "to", "condition"],
    ),
    function(
        "FORSOME",
        "FORSOME($VAR, from, to, condition)",
        "Whether the condition holds for some number from the first to the last; the variable keeps the first such number.",
        &["$VAR", "from", "to", "condition"],
    ),
    function(
        "LOCTYPE",
        "LOCTYPE(location)",
        "The type of a location.",
        &["location"],
    ),
    function(
        "ELTYPE",
        "ELTYPE(element)",
        "The type of an element.",
        &["element"],
    ),
    function(
        "STATE",
        "STATE(element)",
        "The state of an element, from 1.",
        &["element"],
    ),
    function(
        "LOCATION",
        "LOCATION(element)",
        "The location where an element lies.",
        &["element"],
    ),
    function(
        "CONTENT",
        "CONTENT(location)",
        "The element that lies on a location.",
        &["location"],
    ),
    function(
        "EMPTY",
        "EMPTY(location)",
        "Whether nothing lies on a location; also true for what is no location.",
        &["location"],
    ),
    function(
        "INDEX",
        "INDEX(name)",
        "The first index of a name: 3 for `s(3,4)`.",
        &["name"],
    ),
    function(
        "INDEXA",
        "INDEXA(i, name)",
        "An index of a name by its number: `INDEXA(2, \"s(3,4)\")` is 4.",
        &["i", "name"],
    ),
    function(
        "UNINDEX",
        "UNINDEX(name)",
        "A name without its indexes: `s` for `s(3,4)`.",
        &["name"],
    ),
    function(
        "OWNER",
        "OWNER(element)",
        "The number of the player who owns an element, 0 for nobody.",
        &["element"],
    ),
    function(
        "PLAYER",
        "PLAYER",
        "The number of the player whose turn it is.",
        &[],
    ),
    function(
        "SCORE",
        "SCORE(player)",
        "The score of a player.",
        &["player"],
    ),
    function(
        "ZINDEX",
        "ZINDEX(element)",
        "The height at which an element lies over others.",
        &["element"],
    ),
    function(
        "MOVE",
        "MOVE(element, from, to)",
        "Moves an element; false if it does not lie on `from`.",
        &["element", "from", "to"],
    ),
    function(
        "SETOWNER",
        "SETOWNER(element, player)",
        "Gives an element to a player.",
        &["element", "player"],
    ),
    function(
        "SETSTATE",
        "SETSTATE(element, state)",
        "Puts an element into a state.",
        &["element", "state"],
    ),
    function(
        "SETZINDEX",
        "SETZINDEX(element, z)",
        "Sets the height of an element.",
        &["element", "z"],
    ),
    function(
        "NEXTPLAYER",
        "NEXTPLAYER",
        "Passes the turn to the next player.",
        &[],
    ),
];

/// What stands before or between values.
pub(super) const OPERATORS: &[Word] = &[
    operator("NOT", "NOT condition", "Whether all that follows is false."),
    operator(
        "ABS",
        "ABS number",
        "The number without its sign; takes all that follows.",
    ),
    operator(
        "AND",
        "a AND b",
        "Whether both hold; the second is not evaluated where the first fails.",
    ),
    operator(
        "OR",
        "a OR b",
        "Whether one holds; the second is not evaluated where the first holds.",
    ),
    operator("IN", "value IN set", "Whether a set has a member."),
    operator(
        "SUBSET",
        "a SUBSET b",
        "Whether all members of the first set are in the second.",
    ),
    operator("UNION", "a UNION b", "The members of both sets."),
    operator(
        "INTERSECT",
        "a INTERSECT b",
        "The members that both sets have.",
    ),
    operator(
        "SETMINUS",
        "a SETMINUS b",
        "The members of the first set that the second lacks.",
    ),
    operator("ISPARTOF", "a ISPARTOF b", "Another spelling of `SUBSET`."),
    operator(
        "EXCEPTOF",
        "a EXCEPTOF b",
        "Another spelling of `SETMINUS`.",
    ),
    operator("true", "true", "The truth value."),
    operator(
        "false",
        "false",
        "The other truth value: it ends an expression of several lines.",
    ),
];

/// The shapes of locations.
pub(super) const SHAPES: &[Word] = &[
    Word::new(
        "circle",
        Kind::Value,
        "shape=circle(radius)",
        "A circle around the point of the location, in pixels.",
    ),
    Word::new(
        "rectangle",
        Kind::Value,
        "shape=rectangle(width,height)",
        "A rectangle around the point of the location, in pixels.",
    ),
];

const TITLES: &[(&str, &str, &str)] = &[
    ("BOARD", "[BOARD]", "The picture behind everything."),
    (
        "REALBOARD ELEMENT TYPES",
        "[REALBOARD ELEMENT TYPES]",
        "What a camera takes for an element of a type and state.",
    ),
    (
        "ELEMENT TYPES",
        "[ELEMENT TYPES]",
        "Types of elements, with their states and pictures.",
    ),
    (
        "LOCATION TYPES",
        "[LOCATION TYPES]",
        "Types of locations, with their shapes; before the locations.",
    ),
    ("LOCATIONS", "[LOCATIONS]", "The places of the board."),
    (
        "PLAYER NAMES",
        "[PLAYER NAMES]",
        "The players: `1=name`, `2=name`, ... and the score that they begin with.",
    ),
    (
        "MOVABLE ELEMENTS",
        "[MOVABLE ELEMENTS]",
        "What moves, and where it lies at the start.",
    ),
    (
        "EXPRESSIONS",
        "[EXPRESSIONS]",
        "Named expressions: a header, lines, `END`. The first line that is false ends one.",
    ),
    ("SCORINGS", "[SCORINGS]", "Points that situations give."),
    (
        "END OF GAME",
        "[END OF GAME]",
        "Situations that end a game, and who wins in them; 0 for a draw.",
    ),
    (
        "GAME RULES",
        "[GAME RULES]",
        "Families of moves: which elements go from where to where, and when.",
    ),
];

const KEYS: &[(&str, &str, &str)] = &[
    ("name", "name=...", "Begins a record and names it."),
    ("type", "type=...", "The type of the location or element."),
    (
        "point",
        "point=x,y",
        "Pixels: of a location in the window, else of the hot spot in a picture.",
    ),
    (
        "camera",
        "camera=x,y",
        "The location in the camera's picture, in pixels.",
    ),
    (
        "robot",
        "robot=x,y,z",
        "How an arm reaches the location: three coordinates in centimetres, or ten angles.",
    ),
    ("image", "image=file", "A picture."),
    (
        "shape",
        "shape=circle(radius)",
        "Where a mouse finds the location: a circle or a rectangle.",
    ),
    ("size", "size=...", "The size of the shape."),
    (
        "relevant",
        "relevant=true",
        "Whether what lies on such locations tells positions apart.",
    ),
    (
        "states",
        "states=n",
        "How many states an element of the type has.",
    ),
    (
        "location",
        "location=...",
        "Where the element lies at the start.",
    ),
    (
        "player",
        "player=n",
        "An owner at the start; of a rule, whose turn it must be.",
    ),
    (
        "state",
        "state=n",
        "A state at the start; of a rule, the state that the element must have.",
    ),
    (
        "zindex",
        "zindex=n",
        "The height of the element over others.",
    ),
    (
        "score",
        "score=n",
        "What players begin with; of a scoring, the points that it gives.",
    ),
    (
        "situation",
        "situation=condition",
        "Begins a record: when it applies.",
    ),
    ("winner", "winner=player", "Who wins then; 0 for a draw."),
    (
        "element",
        "element=pattern",
        "The elements that move, such as `e($I)`.",
    ),
    ("from", "from=pattern", "The locations they leave."),
    ("to", "to=pattern", "The locations they reach."),
    (
        "condition",
        "condition=condition",
        "What must hold for the move.",
    ),
    (
        "followup",
        "followup=expression",
        "What happens after the move.",
    ),
    (
        "awardPlayer",
        "awardPlayer=player",
        "Who gets points for the move.",
    ),
    ("withScore", "withScore=number", "How many points."),
    (
        "toLocations",
        "toLocations=set",
        "The set of targets, instead of trying all of `to`.",
    ),
];

/// What may stand in expressions.
pub(super) fn expressions() -> Vec<Word> {
    BUILTINS.iter().chain(OPERATORS).copied().collect()
}

/// The headers of sections.
pub(super) fn sections() -> Vec<Word> {
    let header = |&(_, syntax, meaning): &(&'static str, &'static str, &'static str)| {
        Word::new(syntax, Kind::Section, syntax, meaning)
    };
    TITLES.iter().map(header).collect()
}

/// The keys of a section.
pub(super) fn keys(section: Section) -> Vec<Word> {
    let names = section.info().keys.iter().map(|key| key.name);
    names.map(key).collect()
}

fn key(name: &'static str) -> Word {
    let known = KEYS.iter().find(|(known, ..)| *known == name);
    let (syntax, meaning) = known.map_or((name, ""), |(_, syntax, meaning)| (*syntax, *meaning));
    Word::new(name, Kind::Property, syntax, meaning)
}

/// All words.
pub(super) fn all() -> Vec<Word> {
    let mut all = expressions();
    all.extend(sections());
    all.extend(SHAPES);
    let mut names: Vec<&'static str> = Vec::new();
    for name in SECTIONS
        .iter()
        .flat_map(|section| section.keys)
        .map(|key| key.name)
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    all.extend(names.into_iter().map(key));
    all.push(Word::new(
        "END",
        Kind::Keyword,
        "END",
        "Ends a named expression.",
    ));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Builtin;

    #[test]
    fn all_that_the_language_knows_is_explained() {
        for row in Builtin::TABLE {
            let word = BUILTINS.iter().find(|word| word.name == row.name);
            let word = word.unwrap_or_else(|| panic!("{} is explained", row.name));
            assert_eq!(word.params.len(), row.params.len(), "{}", row.name);
        }
        for section in SECTIONS {
            let header = format!("[{}]", section.title);
            assert!(
                sections().iter().any(|word| word.name == header),
                "{header}"
            );
        }
    }
}
