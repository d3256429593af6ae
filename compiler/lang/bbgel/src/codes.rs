//! The codes of bbgel diagnostics.
//!
//! Errors are `BBGEL-E01xx`, warnings `BBGEL-W02xx`. Each is provoked by a file in `fail/`.

/// What is wrong with a file as JSON.
pub(super) const JSON: crate::json::Codes = crate::json::Codes {
    syntax: &NOT_JSON,
    too_deep: &TOO_DEEP,
    duplicate_key: &DUPLICATE_KEY,
};

rulec_ir::codes! {
    NOT_JSON = Error "BBGEL-E0101" "the file is not JSON"
        "Worlds (`.world`) and tiles (`.tile`) are JSON as the editor exports it. Only the first mistake of this kind is \
         told, because what follows it cannot be read reliably.";
    TOO_DEEP = Error "BBGEL-E0102" "too many things inside each other"
        "Brackets of the file, blocks, parentheses and signs of commands may nest 64 deep.";
    WRONG_KIND = Error "BBGEL-E0103" "a value of another kind is needed"
        "The editor writes a certain kind of value under every key that matters here; the message says which.";
    NO_BOARD = Error "BBGEL-E0104" "there is no board"
        "A world has tiles (`allTiles`) and places them (`worldTiles`), a file of one tile has `tile`, and a text has at \
         least one `field` line.";
    SAME_PLACE = Error "BBGEL-E0105" "two tiles in one place"
        "Every tile has a column and a row of its own, because tokens go from a tile to the one beside it.";
    NO_SUCH_TILE = Error "BBGEL-E0106" "unknown tile"
        "`worldTiles` names tiles by their guid, and each must be among `allTiles`.";
    TOO_LARGE = Error "BBGEL-E0107" "the board is too large"
        "A board may have 20000 fields, a game 64 players and 64 tokens. What is larger would not fit the tables of a \
         compiled game.";
    BAD_LINE = Error "BBGEL-E0108" "the line cannot be read"
        "In a board as text a line that begins in the first column is one of `setup:`, `tile NAME at COLUMN ROW:`, \
         `field NUMBER -> NEXT:`, `border SIDE NUMBER at PLACE next FIELD`, `start FIELD`, `end FIELD`, `cost EVENT \
         SECONDS`, `name WORDS`; commands stand below `setup` and `field` lines, further in. `#` begins a remark.";
    OPEN_COMMENT = Error "BBGEL-E0109" "a comment has no end"
        "Comments are `/* ... */`; they may span lines and do not nest.";
    BIG_NUMBER = Error "BBGEL-E0110" "the number is too large"
        "Numbers go up to 9007199254740991: beyond it the original cannot tell neighbours apart.";
    SYNTAX = Error "BBGEL-E0111" "the command cannot be read"
        "Statements are separated by new lines or `;`. An expression ends with its line. The message says what was expected \
         instead of what.";
    SAME_NUMBER = Error "BBGEL-E0112" "two fields with one number"
        "The number of a field is unique on its tile, since `goto` finds fields by it.";
    NO_START = Error "BBGEL-E0113" "there is no start field"
        "Tokens enter the board on the one field that has `game_start()` among its statements (not inside an `if`).";
    SEVERAL_STARTS = Error "BBGEL-E0114" "there are several start fields"
        "`game_start()` may stand on one field of the board only.";
    NO_END = Error "BBGEL-E0115" "the game cannot be won"
        "Somebody wins on a field with `force` and `game_end()`, or by an `endCondition` in the `game` block of the setup. \
         `game_end()` inside an `if` counts only on a field with `force`.";
    NO_CONTROL = Error "BBGEL-E0116" "the field does not say where to go"
        "Every field that is no end field needs one `control goto NUMBER` or `control if ...` that is not inside an `if`.";
    SEVERAL_CONTROLS = Error "BBGEL-E0117" "the field says twice where to go"
        "A field has exactly one control statement. Use `control if` for a fork, `goto` to jump.";
    CONTROL_TO_ITSELF = Error "BBGEL-E0118" "the field leads to itself"
        "A token that leaves a field must come to another one, otherwise it walks for ever.";
    FORCE_NOT_FIRST = Error "BBGEL-E0119" "`force` is not the first statement"
        "`force` stands before all other statements of a field; only the control statement may stand before it.";
    END_NOT_FORCED = Error "BBGEL-E0120" "`game_end()` without `force`"
        "A token that walks over a field runs its commands only if the field has `force`. Without it, most tokens would pass \
         the end.";
    PLAYERS_TWICE = Error "BBGEL-E0121" "players are defined twice"
        "The setup has at most one `players` block.";
    NO_TOKENS = Error "BBGEL-E0122" "players need a token"
        "`numTokens` is at least 1. Only the first token of a player walks.";
    NO_PLAYERS = Error "BBGEL-E0123" "the game has no players"
        "The number before `players` is at least 1.";
    UNDEFINED = Error "BBGEL-E0124" "unknown variable"
        "A bare name is a local variable of the current player, else a variable of the `players` block, else one of the \
         `game` block; `cp.x`, `np.x` and `pp.x` are variables of the `players` block. In a block of the setup only what \
         stands before can be used.";
    WRONG_TYPE = Error "BBGEL-E0125" "a value of the other type is needed"
        "There are integers and truth values, and nothing turns one into the other. `and`, `or`, `not` and conditions take \
         truth values; arithmetic, `<` and `>` take integers; `==` takes two of one type.";
    REDECLARED = Error "BBGEL-E0126" "the variable exists already"
        "A name can be declared once in a scope. Open a scope with `begin_scope()`, or declare the variable in the setup.";
    NO_RESULT = Error "BBGEL-E0127" "there is no result"
        "`$result` is what the current player last gave to `return`, and no `return` can have run before.";
    NO_SCOPE = Error "BBGEL-E0128" "there is no scope to end"
        "`end_scope()` ends what `begin_scope()` began; the first scope cannot be ended.";
    DIVISION_BY_ZERO = Error "BBGEL-E0129" "division by zero"
        "`/` and `%` need a divisor that is not 0. A divisor that becomes 0 in a game ends that game as a fault.";
    DUPLICATE_KEY = Warning spoils "BBGEL-W0201" "a key is repeated"
        "Of two equal keys of an object the last one counts.";
    TILE_TWICE = Warning "BBGEL-W0202" "a tile is placed twice"
        "A token always goes on from the place where its tile stands first, as in the editor. Copy the tile instead: the copy \
         has a name of its own.";
    NO_COMMANDS = Warning "BBGEL-W0203" "the field has no commands"
        "A token that comes to this field ends the game as a fault.";
    NO_TARGET = Warning spoils "BBGEL-W0204" "there is no such field"
        "The number is neither that of a field of this tile nor that of one of its border points. A token that goes there \
         ends the game as a fault.";
    NO_WAY = Warning spoils "BBGEL-W0205" "the way ends at the border"
        "The border point needs a neighbouring tile with a border point at the same place, from which a field follows. A token \
         that goes there ends the game as a fault.";
    BLOCK_IN_FIELD = Warning spoils "BBGEL-W0206" "the block has no effect"
        "`game` and `players` blocks count in the setup only.";
    NESTED_CONTROL = Warning spoils "BBGEL-W0207" "a control statement inside an `if`"
        "Where it runs it moves the token at once and uses up a step; it does not say where to go from here. `control if` \
         makes a fork, `goto` jumps.";
    GOTO_END = Warning spoils "BBGEL-W0208" "`goto` to an end field"
        "The commands of the field are not run by a `goto`, so nobody wins there, and a token that stands there may have no \
         way to go on.";
    LOST_EFFECT = Warning spoils "BBGEL-W0209" "the change is undone"
        "Variables that change in the condition of a `control if`, in `log(...)` or in an `endCondition` get their old \
         values back at once.";
    DIE_WITHOUT_SIDES = Warning spoils "BBGEL-W0210" "the die has one side"
        "A die with 0 sides always shows 1, so there is nothing to draw.";
    SETUP_LOCALS = Warning spoils "BBGEL-W0211" "a variable for the first player only"
        "Statements of the setup run for the first player. A variable that they declare does not exist for the others; \
         declare it in the `players` block.";
    MAY_FAIL = Warning "BBGEL-W0212" "this may fail in a game"
        "Depending on the way that a token has gone, the variable or scope is there or not, or the branch with the mistake is \
         entered or not. If it goes wrong the game ends as a fault.";
    USELESS_START = Warning spoils "BBGEL-W0213" "the condition of `game_start` is ignored"
        "A start field is a start field whatever the condition says.";
    SYMBOL_COMMANDS = Warning "BBGEL-W0214" "the editor shows other commands"
        "The field was made from a symbol that overwrites commands, so the editor shows those of the symbol. A game runs \
         those of the field, as the simulation of the editor does.";
    FORCE_AGAIN = Warning "BBGEL-W0215" "`force` stands there already"
        "The first statement of a field says whether its commands run on every pass. A second `force` changes nothing.";
    END_OUT_OF_REACH = Warning spoils "BBGEL-W0216" "no way leads to an end field"
        "Ways are what control statements and `goto` name, from the start field on. Where none of them leads to a field that \
         ends the game, nobody can win.";
    BEYOND_LIMIT = Warning spoils "BBGEL-W0217" "the first value is beyond the bounds"
        "`int x {N}` holds numbers from -(N+1) to N. What goes beyond comes in again at the other end, so the variable begins \
         with another value than the one that is written.";
    THROWN_AWAY = Warning spoils "BBGEL-W0218" "the statement changes nothing"
        "An expression as a statement counts only for its effects: an assignment, `++`, `--`, a throw of the die, a question to \
         the player. A comparison has none; `=` assigns, `==` compares.";
    ASSIGNED_CONDITION = Warning spoils "BBGEL-W0219" "an assignment where a condition stands"
        "`=` assigns and gives the value that was assigned, so the condition does not ask for the variable but changes it. `==` \
         compares.";
    NEVER_HOLDS = Warning spoils "BBGEL-W0220" "the condition never holds"
        "`int x {N}` holds numbers from -(N+1) to N; no such number fulfils the comparison, or what stands before with `and` \
         excludes it. What depends on it never happens.";
    OUT_OF_REACH = Warning spoils "BBGEL-W0221" "no way leads to a field"
        "Ways are what control statements and `goto` name, from the start field on. No token ever comes to the field, so what \
         stands there never happens.";
    SCOPE_LEFT_OPEN = Warning spoils "BBGEL-W0222" "a scope is opened again and again"
        "The ways of the board lead from the `begin_scope()` around to it again without an `end_scope()`. Each time one more \
         scope is open, variables of the last one are found or not, and with more than 8 the game ends as a fault.";
}
