//! The words of the notation, as editors explain them.

use crate::symbols::{Kind, Word};

const fn word(name: &'static str, syntax: &'static str, meaning: &'static str) -> Word {
    Word::new(name, Kind::Keyword, syntax, meaning)
}

/// How many objects of a type there can be.
pub(super) const MAX: Word = word(
    "max",
    "Type NAME ... max NUMBER",
    "How many objects of each of these types there can be.",
);

/// What begins a line.
pub(super) const STARTERS: &[Word] = &[
    word(
        "Type",
        "Type NAME ... [max NUMBER]",
        "Declares types of objects; with such a line every type has to be declared.",
    ),
    word(
        "Players",
        "Players NUMBER | Players NAME ...",
        "The players, in the order in which they sit.",
    ),
    word(
        "active",
        "active all | active PLAYER ...",
        "Who may act at the start; the first player unless said otherwise.",
    ),
    word(
        "Stuck",
        "Stuck draw | lose | win",
        "What happens when no active player can act.",
    ),
    word(
        "Clock",
        "Clock SECONDS",
        "How many seconds an action takes off the timer.",
    ),
    word(
        "Action",
        "Action [NAME] {TYPE NAME}",
        "Something that an active player may do, once for each choice of different objects.",
    ),
    word(
        "WinCondition",
        "WinCondition [NAME] {TYPE NAME}",
        "Whoever fulfils it after an action wins.",
    ),
    word(
        "LoseCondition",
        "LoseCondition [NAME] {TYPE NAME}",
        "Whoever fulfils it after an action is out.",
    ),
    word(
        "DrawCondition",
        "DrawCondition [NAME] {TYPE NAME}",
        "If somebody fulfils it after an action, the players who remain draw.",
    ),
    word(
        "require",
        "require [not] CONDITION",
        "What must hold for the rule above.",
    ),
    word(
        "effect",
        "effect CHANGE",
        "What the rule above does, in order.",
    ),
    word(
        "contains",
        "contains NAME ... | contains TYPE NUMBER",
        "What lies in the object above, or in an object.",
    ),
    word(
        "in",
        "in NAME",
        "What the object above lies in; of a requirement, whether something lies directly in something.",
    ),
    word("owner", "owner PLAYER", "Who owns the object above."),
];

/// What can be required.
pub(super) const REQUIREMENTS: &[Word] = &[
    word("not", "not CONDITION", "The opposite."),
    word(
        "in",
        "in A B",
        "Whether A lies directly in B, or in something of type B.",
    ),
    word(
        "rin",
        "rin A B",
        "Whether A lies in B, directly or further in.",
    ),
    word(
        "contains",
        "contains A B [[<|>] N]",
        "Whether A directly contains B; of a type exactly, fewer or more than N objects.",
    ),
    word(
        "rcontains",
        "rcontains A B [[<|>] N]",
        "Whether A contains B, directly or further in.",
    ),
    word(
        "owns",
        "owns A [[<|>] N]",
        "Whether the acting player owns A; of a type exactly, fewer or more than N objects.",
    ),
    word("timer", "timer", "Whether the timer still runs."),
];

/// What can be done.
pub(super) const EFFECTS: &[Word] = &[
    word(
        "put",
        "put A B | put TYPE B [N]",
        "Moves an object into another, or makes new objects there.",
    ),
    word(
        "remove",
        "remove A | remove TYPE B N|all",
        "Takes an object out of what contains it, or some of a type.",
    ),
    word(
        "create",
        "create TYPE",
        "Makes a new object that lies in nothing.",
    ),
    word(
        "delete",
        "delete A",
        "The object ceases to exist; what it contained lies in nothing.",
    ),
    word(
        "distribute",
        "distribute A PLAYERS TYPE N",
        "Deals N objects of a type that lie in A to players, at random.",
    ),
    word(
        "disown",
        "disown A | disown TYPE PLAYERS [all | rand [N] | N]",
        "Takes objects from those who own them.",
    ),
    word(
        "own",
        "own A [PLAYER]",
        "Gives an object to a player, the acting one unless said otherwise.",
    ),
    word(
        "players",
        "players PLAYERS",
        "Exactly these players become active.",
    ),
    word("settimer", "settimer N", "Sets the timer, in seconds."),
];

/// Sets of players.
pub(super) const PLAYERS: &[Word] = &[
    word("all", "all", "All players who are not out."),
    word(
        "player",
        "player",
        "The acting player; of a condition, the one it is judged for.",
    ),
    word("players", "players", "The active players."),
    word("former", "former", "The player who acted before."),
];

/// What follows a dot.
pub(super) const MODIFIERS: &[Word] = &[
    word("in", "NAME.in", "What the object lies in."),
    word(
        "contains",
        "NAME.contains",
        "All that lies directly in the object.",
    ),
    word("type", "NAME.type", "The types of the objects; comes last."),
    word("left", "PLAYERS.left", "For each of them the next player."),
    word(
        "right",
        "PLAYERS.right",
        "For each of them the player before.",
    ),
];

/// Ends of a game in which nobody can act.
pub(super) const STUCK: &[Word] = &[
    word("draw", "Stuck draw", "It is a draw."),
    word("lose", "Stuck lose", "The active players lose."),
    word("win", "Stuck win", "The active players win."),
];

/// All words.
pub(super) fn all() -> Vec<Word> {
    let mut all: Vec<Word> = Vec::new();
    let lists = [
        STARTERS,
        REQUIREMENTS,
        EFFECTS,
        PLAYERS,
        MODIFIERS,
        STUCK,
        &[MAX],
    ];
    for word in lists.into_iter().flatten() {
        if !all.iter().any(|known| known.name == word.name) {
            all.push(*word);
        }
    }
    all
}
