//! The words of boards and commands, as editors explain them.

use crate::symbols::{Kind, Word};

const fn word(name: &'static str, syntax: &'static str, meaning: &'static str) -> Word {
    Word::new(name, Kind::Keyword, syntax, meaning)
}

const fn call(
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

/// What begins a line of a board.
pub(super) const HEADS: &[Word] = &[
    word(
        "setup",
        "setup:",
        "The commands that run before the game, with its variables and players.",
    ),
    word(
        "field",
        "field NUMBER [\"TEXT\"] [at X Y] [-> NUMBER]:",
        "A field; its commands stand below, further in.",
    ),
    word(
        "tile",
        "tile NAME at COLUMN ROW [size WIDTH HEIGHT]:",
        "A tile; fields below belong to it.",
    ),
    word(
        "border",
        "border SIDE NUMBER at DISTANCE [next NUMBER]",
        "A point on the edge of a tile where a way goes on.",
    ),
    word("start", "start NUMBER", "The field where tokens enter."),
    word("end", "end NUMBER", "A field that wins."),
    word("cost", "cost NAME SECONDS", "What an event takes."),
    word("name", "name WORDS", "The name of the game."),
];

/// The words of commands.
pub(super) const COMMANDS: &[Word] = &[
    word(
        "if",
        "if CONDITION then ... [else ...] end",
        "Runs commands where a condition holds.",
    ),
    word(
        "goto",
        "goto NUMBER",
        "The token goes to a field, whose commands do not run.",
    ),
    word(
        "control",
        "control goto NUMBER | control if CONDITION then goto N else goto N end",
        "Where a token goes from here.",
    ),
    word(
        "force",
        "force",
        "The commands of this field run on every pass, not only where a token stops.",
    ),
    call(
        "roll",
        "roll([sides])",
        "Throws a die, of as many sides as the game's or so many.",
        &["sides"],
    ),
    call(
        "move",
        "move(steps)",
        "The token goes on by so many steps, or back by a negative number.",
        &["steps"],
    ),
    call(
        "rollback",
        "rollback()",
        "The token goes back to where it stood before the turn.",
        &[],
    ),
    call(
        "game_start",
        "game_start()",
        "Tokens enter on this field.",
        &[],
    ),
    call(
        "game_end",
        "game_end()",
        "The player wins, and the game is over.",
        &[],
    ),
    call(
        "sleep",
        "sleep(player, rounds)",
        "The player misses so many turns; a negative number ends the waiting.",
        &["player", "rounds"],
    ),
    call(
        "log",
        "log(value)",
        "Shows a value; changes nothing.",
        &["value"],
    ),
    call(
        "choose_bool",
        "choose_bool()",
        "The player decides yes or no.",
        &[],
    ),
    word(
        "begin_scope",
        "begin_scope()",
        "Variables declared from here on end with the scope.",
    ),
    word(
        "end_scope",
        "end_scope()",
        "Ends the innermost scope and its variables.",
    ),
    word(
        "limit_scope",
        "limit_scope()",
        "Variables of outer scopes cannot be seen from this one.",
    ),
    word(
        "return",
        "return(value)",
        "The value that the commands give, `$result`.",
    ),
    word(
        "int",
        "int NAME {LIMIT} = VALUE",
        "Declares a number from -LIMIT-1 to LIMIT; it wraps around.",
    ),
    word("bool", "bool NAME = VALUE", "Declares a truth value."),
    word(
        "game",
        "game { maxDiceValue N; endCondition CONDITION; ... }",
        "What belongs to the game: its die, when it ends, its variables.",
    ),
    word(
        "players",
        "N players { numTokens N; ... }",
        "How many players there are, their tokens and variables.",
    ),
    word(
        "maxDiceValue",
        "maxDiceValue N",
        "Greatest value of the die, 6 unless said otherwise.",
    ),
    word(
        "endCondition",
        "endCondition CONDITION",
        "The current player wins where it holds.",
    ),
    word(
        "numTokens",
        "numTokens N",
        "How many tokens each player has.",
    ),
    word("cp", "cp.NAME", "The current player."),
    word("np", "np.NAME", "The player after the current one."),
    word("pp", "pp.NAME", "The player before the current one."),
    word(
        "then",
        "if CONDITION then ... end",
        "Begins what runs where the condition holds.",
    ),
    word(
        "else",
        "if CONDITION then ... else ... end",
        "Begins what runs where it does not.",
    ),
    word("end", "end", "Ends an `if`."),
    word("and", "a and b", "Whether both hold."),
    word("or", "a or b", "Whether one holds."),
    word("not", "not a", "The opposite."),
    word("true", "true", "The truth value."),
    word("false", "false", "The other truth value."),
    word(
        "$leftSteps",
        "$leftSteps",
        "The steps that the token still has to go.",
    ),
    word("$result", "$result", "The value of the last `return`."),
    word("$numPlayers", "$numPlayers", "How many players there are."),
];

/// All words.
pub(super) fn all() -> Vec<Word> {
    let mut all = COMMANDS.to_vec();
    for word in HEADS {
        if !all.iter().any(|known| known.name == word.name) {
            all.push(*word);
        }
    }
    all
}
