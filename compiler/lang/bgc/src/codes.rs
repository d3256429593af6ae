//! The codes of bgc diagnostics.
//!
//! Errors are `BGC-E01xx`, warnings `BGC-W02xx`. Each is provoked by a file in `fail/`.

/// What is wrong with a file as JSON.
pub(super) const JSON: crate::json::Codes = crate::json::Codes {
    syntax: &SYNTAX,
    too_deep: &TOO_DEEP,
    duplicate_key: &DUPLICATE_KEY,
};

rulec_ir::codes! {
    SYNTAX = Error "BGC-E0101" "the file is not JSON"
        "Rule files are strict JSON: double quotes, no comments, no comma after the last item. Only the first mistake of \
         this kind is told, because what follows it cannot be read reliably.";
    TOO_DEEP = Error "BGC-E0102" "too many brackets inside each other"
        "Lists and objects may nest 64 deep. No part of a game needs more than about ten.";
    WRONG_KIND = Error "BGC-E0103" "a value of another kind is needed"
        "Every key wants a value of a certain kind: a list, an object, a string, an integer. The message says which.";
    MISSING_KEY = Error "BGC-E0104" "a key is missing"
        "A game needs `players`, `cell`, `board`, `figures`, `initial_position`, `game_states` and \
         `initial_game_state`; the message says what lacks here.";
    NOT_AN_INTEGER = Error "BGC-E0105" "an integer is needed"
        "Coordinates, steps and counts are integers between -1000000 and 1000000. The original engine reads coordinates with \
         `parseInt` and would cut fractions off.";
    UNKNOWN_PLAYER = Error "BGC-E0106" "unknown player"
        "`players` lists the players in their order, and every other name of a player must be among them.";
    UNKNOWN_FIGURE = Error "BGC-E0107" "unknown figure"
        "Figures are the keys of `figures`. Names are case-sensitive.";
    UNKNOWN_STATE = Error "BGC-E0108" "unknown game state"
        "Game states are the keys of `game_states`. A game that goes to an unknown one crashes in the original engine.";
    NO_SUCH_CELL = Error "BGC-E0109" "the cell does not exist"
        "Figures start on cells of `board.cells`. The original engine would make a new cell that no movement knows.";
    BAD_COORDINATES = Error "BGC-E0110" "the coordinates are incomplete"
        "A cell has an integer for each name in `cell.coordinates_names` and nothing else, and no two cells have the same.";
    BAD_SCRIPT = Error "BGC-E0111" "the expression cannot be evaluated"
        "Positions, outlines and colours are JavaScript expressions of the coordinates, evaluated once for every cell while \
         the rules are compiled. Known are numbers, strings, coordinates, `+ - * / %`, comparisons, `! && ||`, `?:`, \
         parentheses, and of `Math` abs, floor, ceil, round, trunc, sqrt, min, max, sin, cos and PI.";
    UNKNOWN_ACTION = Error "BGC-E0112" "unknown action"
        "Actions are `move`, `take`, `swap`, `cancel` and `replace` with `parameters.new_figure`; with extensions also \
         `continue`, and `take` and `replace` that wait for the end of a chain (`deferred`). `cancel` counts only as a plain string. The original engine ignores what it does not know.";
    UNKNOWN_CONDITION = Error "BGC-E0113" "unknown condition"
        "A condition set has the categories `self`, `target` and `computed`, with extensions also `statistics`. `self` and \
         `target` know `figure`, `player`, `moves_made`, `last_move` and `coordinates`; `computed` knows `is_cell`, \
         `is_figure`, `is_enemy` and `moves_after_last_move`, with extensions also `is_own`, `is_empty`, `is_attacked` and \
         `self_attacked`. In the original engine, what does not exist equals only `null`.";
    BAD_COMPARISON = Error "BGC-E0114" "an object is compared with a plain value"
        "A plain value that is compared with an object is always true in the original engine, and an object compared with a \
         plain value never. Neither can be meant.";
    ZERO_STEP = Error "BGC-E0115" "the entry goes nowhere"
        "At least one coordinate of an entry with `repeat` must change: otherwise the original engine hangs.";
    NEEDS_EXTENSIONS = Error "BGC-E0116" "the key belongs to the extensions"
        "The original engine does not know this key. Say `\"extensions\": true` at the top of the file to use it.";
    STATE_CYCLE = Error "BGC-E0117" "states follow each other for ever"
        "Between two moves the game runs through its passive states; a circle of them never ends.";
    UNCOVERED_RESULT = Error "BGC-E0118" "no branch for a result"
        "A state that tests something must lead somewhere for `true` and for `false`; the original engine crashes where it \
         does not.";
    BAD_START = Error "BGC-E0119" "the game cannot start here"
        "`initial_game_state` must be a state of type `move`: passive states do not run at the start.";
    UNKNOWN_TYPE = Error "BGC-E0120" "unknown type"
        "Game states have the types `move`, `next_move`, `check_win` and `end`, with extensions also `check_moves`. Conditions of \
         the board have `entity` `cell` and `type` `exists`, with extensions also `attacked`.";
    BAD_VALUE = Error "BGC-E0121" "the value does not fit"
        "The key wants one of few values; the message says which.";
    NO_WIN_CONDITION = Error "BGC-E0122" "the player has no win conditions"
        "A state of type `check_win` asks `win_conditions` of its player. The original engine crashes when there are none.";
    REPEATED_NAME = Error "BGC-E0123" "the name is used twice"
        "Names of players and of coordinates must differ.";
    EMPTY_LIST = Error "BGC-E0124" "the list is empty"
        "There must be a player, a coordinate, a cell, an outline with three points, a figure to choose.";
    COMPLEX_REPEAT = Error "BGC-E0125" "a figure of a complex movement cannot repeat its step"
        "`repeat` and `also_reversed` inside `coordinates_delta` move figures to wrong cells in the original engine. Only one \
         step is possible, or a fixed number with `steps` (extensions).";
    TOO_LARGE = Error "BGC-E0126" "the game is too large"
        "There may be 1024 cells, 64 players, 256 combinations of player and figure; 3 coordinates; and draw rules within \
         4096 positions.";
    ABSOLUTE_MOVE = Error "BGC-E0127" "the number of the last move cannot be tested"
        "`last_move` is compared through `moves_after_last_move`, which counts from the present move backwards. Its absolute \
         value would make every position of a game a new one.";
    ENDLESS_CHAIN = Error "BGC-E0128" "the longest chain may have no end"
        "With `\"chains\": \"longest\"` every move that lets its figure `continue` must take something; otherwise a figure could go \
         on for ever, and no chain would be the longest.";
    NO_MOVES = Error "BGC-E0129" "nobody can ever move"
        "A figure moves by an entry of its `movement`, or a complex movement, of which some set of actions can apply. Here no \
         figure that can come to stand on the board has one, and no state lets a player pass.";

    DUPLICATE_KEY = Warning spoils "BGC-W0201" "the key is repeated"
        "Of several values of one key the last one counts.";
    UNKNOWN_KEY = Warning spoils "BGC-W0202" "unknown key"
        "Nothing reads this key, so what it says is ignored; often it is misspelt.";
    DEAD_ENTRY = Warning spoils "BGC-W0203" "the entry never fits"
        "For every move the first entry of the list that fits its vector decides, also if it forbids the move. All vectors \
         of this entry belong to earlier ones, lead off the board from every cell, or there is none, because no coordinate changes.";
    DEAD_TRANSITION = Warning spoils "BGC-W0204" "the movement passes no cell"
        "Transition sets are judged on the whole multiples of the step before the last one. An entry without `repeat` makes \
         one step, so it passes no cell, however long the step is.";
    IGNORED_IF = Warning spoils "BGC-W0205" "the condition of the entry is ignored"
        "The original engine does not read `if` of a movement entry. With `\"extensions\": true` the entry fits only if it \
         holds.";
    FLAT_COORDINATES = Warning spoils "BGC-W0206" "the coordinate is never found here"
        "Cells keep their coordinates under `coordinates`; a coordinate beside it never matches in the original engine. With \
         extensions it means the same.";
    NEVER_HOLDS = Warning spoils "BGC-W0207" "the condition never holds"
        "The value is none that this property can have: an unknown figure or player, a coordinate that no cell has, a text \
         where only true and false occur. Or conditions exclude each other, or the list of conditions is empty.";
    UNGUARDED_TAKE = Warning "BGC-W0208" "own figures can be taken"
        "The set takes what stands on the judged cell and no condition asks whose it is, so figures can take those of \
         their own player. The same is told of a set that moves onto figures without asking whose they are.";
    NO_EFFECT = Warning spoils "BGC-W0209" "the set does nothing"
        "A set without actions makes a move possible that changes nothing. In a complex movement such a set can say that a \
         figure must stand somewhere; there the warning comes only if no figure does anything.";
    LATE_REPLACE = Warning spoils "BGC-W0210" "`replace` after `move` leaves a figure behind"
        "`replace` puts the new figure on the cell where the move started. After `move` that leaves a second figure there; \
         write it before `move`.";
    DEAD_END = Warning spoils "BGC-W0211" "the figure can never move again"
        "From some cells that the figure can reach, such as the last row for a pawn, none of its movements leads anywhere, \
         whatever stands on the board.";
    UNUSED_STATE = Warning spoils "BGC-W0212" "the state is never reached"
        "No path from the initial state leads here.";
    SAME_CELL = Warning spoils "BGC-W0213" "two figures start on one cell"
        "A cell holds one figure: the last one that `initial_position` puts there counts, and the others are never seen. Usually \
         a coordinate is wrong.";
    HOLDS_AT_START = Warning spoils "BGC-W0214" "the win test holds from the start"
        "The condition holds before anybody has moved, so the game may be over at the first state that asks it. Look at `result`, \
         at the names in `filter`, and at `initial_position`.";
    NO_TURN = Warning spoils "BGC-W0215" "the player never has a turn"
        "No state of type `move` names the player. Figures of a player who is named nowhere else may just stand in the way; \
         whoever wins or is tested should also move.";
    UNASKED_WIN = Warning spoils "BGC-W0216" "nothing asks the win conditions"
        "Win conditions count only where a state of type `check_win` asks them for their player.";
    BARE_MOVE = Warning "BGC-W0217" "a move onto an enemy is no attack"
        "A figure attacks with sets that `take`. A set that only moves puts its figure in the place of the enemy that stands there, \
         but `is_attacked`, `self_attacked` and conditions of the type `attacked` do not see it.";
    STUCK_TURN = Warning spoils "BGC-W0218" "the turn comes when its player cannot move"
        "The result of `check_moves` is true if the player can move. This branch leads to the turn of the player where the result \
         is false, and the turn has no move and no `pass`.";
    NEVER_WINS = Warning spoils "BGC-W0219" "a player wins nowhere"
        "A state of type `check_win` asks whether the player has won, and other players win, but no state of type `end` that can be \
         reached has this one as its winner. Usually `winner` names another player there.";
}
