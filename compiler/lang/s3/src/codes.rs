//! The codes of s3 diagnostics.
//!
//! Errors are `S3-E01xx`, warnings `S3-W02xx`. Each is provoked by a file in `fail/`.

rulec_ir::codes! {
    UNKNOWN_SECTION = Error "S3-E0101" "unknown section"
        "A line that starts with `[` opens a section, and there are eleven of them: BOARD, REALBOARD ELEMENT TYPES, \
         ELEMENT TYPES, LOCATION TYPES, LOCATIONS, PLAYER NAMES, MOVABLE ELEMENTS, EXPRESSIONS, SCORINGS, END OF GAME, \
         GAME RULES, in any case of letters. The closing bracket must be the last character of the line. A line of an \
         expression that starts with a list `[...]` is read as a section too: start it with something else, for \
         instance a parenthesis.";
    NOT_A_PAIR = Error "S3-E0102" "the line is not `key=value`"
        "Outside of [EXPRESSIONS] every line is `key=value`, a section header, a comment that starts with `//`, or \
         empty.";
    KEY_OUTSIDE_RECORD = Error "S3-E0103" "the key belongs to no record"
        "Records start with `name=` (in [SCORINGS] and [END OF GAME] with `situation=`), and the keys after it belong \
         to that record. A key before the first one has nothing to belong to.";
    MISSING_KEY = Error "S3-E0104" "the record lacks a key"
        "Some keys have no default: an element needs `type` and `location`, a location needs `type`, a rule needs \
         `element`, `from` and `to` (also with `toLocations`), an end of the game needs `winner`.";
    BAD_VALUE = Error "S3-E0105" "the value has the wrong form"
        "The key wants a value of another form, such as an integer, a point `x,y` of two integers, ten servo angles or \
         three coordinates in centimetres for `robot`. A comment cannot follow a value on its line.";
    BAD_NAME = Error "S3-E0106" "the name has the wrong form"
        "Locations and elements are called `base`, `base(1)`, `base(1,2)` and so on, with integers as indexes. \
         Quotes and `$` cannot be part of a name, because no string could spell it.";
    UNKNOWN_FUNCTION = Error "S3-E0107" "unknown function"
        "A word in an expression that is no operator, no builtin and no `true` or `false` calls an expression of \
         section [EXPRESSIONS]; none has this name. Names are case-sensitive, builtins and operators are upper case. \
         Names of locations and elements are strings and need quotes.";
    SYNTAX = Error "S3-E0108" "the expression cannot be read"
        "An expression is a value, or values joined by operators. Operators and builtins are upper case words. A \
         comment cannot follow an expression on its line.";
    UNBALANCED = Error "S3-E0109" "a bracket has no partner"
        "Every `(`, `{` and `[` needs its closing partner on the same line, properly nested. An expression ends with its \
         line.";
    OPEN_STRING = Error "S3-E0110" "the string is not closed"
        "A string runs to the next quote and ends on its line. There are no escapes.";
    BAD_NUMBER = Error "S3-E0111" "the number has the wrong form"
        "A word that starts with a digit is a decimal integer from 0 to 2147483647. There are no fractions.";
    TOO_DEEP = Error "S3-E0112" "the expression is nested too deeply"
        "Expressions may nest brackets 64 deep, and brackets and operators together 250 deep: operators associate to the \
         right, so each one on a line is one level. Move parts into expressions of their own.";
    BAD_ASSIGNMENT = Error "S3-E0113" "only variables can be assigned"
        "`=` stores the value of all that follows it in the variable right before it. Comparison is `==`.";
    BAD_HEADER = Error "S3-E0114" "the header of the expression has the wrong form"
        "In [EXPRESSIONS] each expression starts with its header, `Name` or `Name($A,$B)`, followed by its lines and by \
         `END`. The name is one word, the parameters are variables.";
    MISSING_END = Error "S3-E0115" "the expression is not closed"
        "An expression ends with a line `END`. Without it, the next section or the end of the file comes while the \
         expression is still open, and the headers in between were taken for lines of it.";
    NO_BODY = Error "S3-E0116" "the expression has no lines"
        "An expression without lines has no value; calling it ends the game. Write at least one line, such as `true`.";
    UNPAIRED_AWARDS = Error "S3-E0117" "players and scores do not pair up"
        "Awards are pairs by position: the first `awardPlayer` gets the first `withScore` and so on, and in [SCORINGS] \
         the first `player` the first `score`. There must be as many of one as of the other.";
    UNKNOWN_TYPE = Error "S3-E0118" "unknown type"
        "`type=` names a record of [LOCATION TYPES] or [ELEMENT TYPES]. Names are case-sensitive.";
    UNKNOWN_LOCATION = Error "S3-E0119" "unknown location"
        "An element starts on a record of [LOCATIONS]; an element without a place in the game may start on a location \
         of a type with `relevant=no`.";
    UNKNOWN_PLAYER = Error "S3-E0120" "unknown player"
        "Players have the numbers 1 to n of [PLAYER NAMES]; 0 stands for nobody, where that makes sense.";
    SHARED_LOCATION = Error "S3-E0121" "two elements start on one location"
        "A location holds at most one element. With two at the start it would be open which one is its content.";
    PLAYER_NUMBERS = Error "S3-E0122" "players are not numbered 1, 2, ..."
        "[PLAYER NAMES] has a line `N=name` for each player, with N from 1, in ascending order and without gaps.";
    ARGUMENT_COUNT = Error "S3-E0123" "wrong number of arguments"
        "A call gives as many arguments as the expression has parameters; a builtin needs at least its own.";
    NEVER_ASSIGNED = Error "S3-E0124" "the variable is never assigned"
        "A variable gets its value from a pattern of the rule (`element`, `from`, `to`, `state`, `player`), as the \
         parameter of an expression, from FORALL or FORSOME, or by `$VAR = value`. Nothing in the file gives this one \
         a value, so reading it ends the game.";
    WRONG_TYPE = Error "S3-E0125" "the value has the wrong type"
        "Nothing is converted: arithmetic and order need integers, AND, OR, NOT and the condition of IF need truth \
         values, names are strings, IN and the set operators need sets.";
    OUT_OF_RANGE = Error "S3-E0126" "the number is out of range"
        "States run from 1 to the `states` of the element's type, players from 1 to the number of players, owners and \
         winners may also be 0. A constant outside of that can only end the game with a fault.";
    EFFECT_IN_GUARD = Error "S3-E0127" "a condition changes the state"
        "Conditions and `toLocations` are tried for many moves that are never played, so they must not change the \
         state: MOVE, SETOWNER, SETSTATE, SETZINDEX and NEXTPLAYER belong in a followup or, in `toLocations`, in an \
         expression that is called by a list and so stays pending until the move is played.";
    EAGER_IN_LIST = Error "S3-E0128" "the list runs its effect at once"
        "In a list `[target, Call]` only calls of the file's own expressions wait for the move; a builtin runs while \
         moves are generated. Put it into an expression and call that.";
    BAD_LIST = Error "S3-E0129" "the list is no target with a followup"
        "A list stands for one move of `toLocations`: the name of the target and one call of an expression, which is \
         then the followup of that move: `[\"s($A)\", Capture($A)]`. For a set of values write braces.";
    NO_PLAYERS = Error "S3-E0130" "the game has no players"
        "[PLAYER NAMES] must name at least one player: `1=name`.";
    UNKNOWN_NAME = Error "S3-E0131" "no such element or location"
        "MOVE and the SET builtins fault when their element or location does not exist, and this one does not.";
    PATTERN_VARIABLES = Error "S3-E0132" "the pattern cannot tell its variables apart"
        "Each variable of a pattern matches a whole number, so something other than a digit must stand between two of \
         them, and between a variable and literal digits.";
    TOO_MANY_PICTURES = Error "S3-E0133" "more pictures than states"
        "An element type shows one picture for each state, so it may have at most as many `image` and `point` pairs as \
         `states=` says; `states` comes first.";
    ZERO_DIVISION = Error "S3-E0134" "division by zero"
        "`/` and `%` fault when the divisor is zero, and this one always is.";
    MIXED_SETS = Error "S3-E0135" "sets are mixed with other values"
        "What holds a set, a variable or the value of an expression, can hold nothing but sets, and the members of a set \
         that is computed while the game runs cannot be sets. Use one variable for sets and another for other values.";
    TABLE_TOO_LARGE = Error "S3-E0136" "the indexes of names lie too far apart"
        "A string with variables is looked up in a table that spans all indexes of the names that it can spell. The table \
         of these names would have more than a million entries. Number locations and elements more densely.";
    // S3-E0137 refused servo angles that are S3-W0226 now.
    NO_RULES = Error "S3-E0138" "the game has no rules"
        "Without a rule in [GAME RULES] there is never a legal move, so there is nothing to play.";
    MISSING_HEADER = Error "S3-E0139" "the header of a section is missing"
        "The record has keys of another section, whose header stands nowhere in the file. Write the header before the record, \
         such as [GAME RULES] before the first rule. Colours and scores, without which a game can be played, are not refused: \
         their keys are unknown to the section that they stand in, which S3-W0201 tells.";

    UNKNOWN_KEY = Warning spoils "S3-W0201" "unknown key"
        "The section has no such key; the line is ignored.";
    BLANKS = Warning "S3-W0202" "blanks that other engines do not skip"
        "The original engine does not trim around `=`, in section headers, or before the parenthesis of an expression's \
         header: it takes the blank as part of the key, value or name and silently ignores the line, or fails. Here \
         they are trimmed.";
    SHORT_LINE = Warning "S3-W0203" "the line is ignored"
        "Lines of one character are skipped, as in the original engine, also inside expressions. Put parentheses around \
         a one-character expression.";
    DUPLICATE = Warning spoils "S3-W0204" "defined twice"
        "Of several records with one name the last one counts, all others are ignored.";
    DUPLICATE_KEY = Warning spoils "S3-W0205" "the key is repeated"
        "Of several values of one key in a record the last one counts.";
    PRECEDENCE = Warning spoils "S3-W0206" "operators here have no precedence"
        "The language has no precedence: every operator takes all that follows it as its right side, `10-3-2` is \
         `10-(3-2)` and `NOT a OR b` is `NOT (a OR b)`. Usual precedence would read this expression differently. \
         Parentheses make it mean the same to everybody.";
    WIKI_SPELLING = Warning "S3-W0207" "spelling of the wiki only"
        "The description of the language in its wiki has spellings that the original engine never knew. They are \
         accepted here; the portable spelling works everywhere.";
    STRAY_END = Warning "S3-W0208" "`END` closes nothing"
        "No expression is open at this line: the line is ignored. Often the `END` before it came too early.";
    NEVER_MATCHES = Warning spoils "S3-W0209" "the pattern matches nothing"
        "No element or location of the file fits the pattern, so the rule can never apply.";
    NO_SUCH_NAME = Warning spoils "S3-W0210" "nothing has this name"
        "No element, location or type of the file can have this name. The builtins answer then `\"\"`, -1, or `true` for \
         EMPTY, and comparisons are false.";
    UNUSED = Warning "S3-W0211" "the expression is never used"
        "No rule, scoring or end of the game calls it, directly or through others.";
    UNUSED_FAULTY = Warning "S3-W0212" "the unused expression has an error"
        "The expression would be refused if anything called it. Nothing does, so the game is not affected.";
    MAY_CHANGE_STATE = Warning "S3-W0213" "a condition might change the state"
        "A builtin that changes the state stands behind an IF that a condition or `toLocations` reaches. Should it ever be \
         evaluated there, the game ends with a fault.";
    PICTURE = Warning "S3-W0214" "a picture is incomplete"
        "Pictures do not matter for play, only for showing the game.";
    UNCALLABLE = Warning "S3-W0215" "the name belongs to a builtin"
        "Builtins, operators and `true`, `false` are found first, so an expression with such a name is never called.";
    SURPLUS = Warning "S3-W0216" "surplus arguments"
        "Builtins ignore arguments beyond those that they need; they are not even evaluated.";
    ORDER = Warning "S3-W0217" "the order matters to other engines"
        "The original engine looks names up while it reads: [LOCATION TYPES] must come before [LOCATIONS], and \
         `states` before the pictures.";
    ODD_NAME = Warning "S3-W0218" "the name cannot be written in a string"
        "Strings lose their blanks, and numbers are printed without leading zeros. A name with blanks is read as if it had \
         none; an index with leading zeros can be matched but not built from a variable.";
    ALWAYS_SAME = Warning spoils "S3-W0219" "the test is constant"
        "Values of different types are never equal, and a condition that is no truth value never holds.";
    PATTERN_SUPERSET = Warning "S3-W0220" "the pattern means something else to the original engine"
        "Literal numbers beside variables, digits in the base of a name, and a variable that occurs twice in a rule are \
         matched here as they read. The original engine never matches the first two, and lets the last occurrence of a \
         variable win.";
    UNREACHABLE = Warning spoils "S3-W0221" "the line is never reached"
        "A line before it is always false, which ends the expression.";
    CAMERA_TYPE = Warning "S3-W0222" "the camera cannot use this entry"
        "An entry of [REALBOARD ELEMENT TYPES] names an element type, gives the size of its blobs (without sizes \
         nothing is reported) and ranges of colour (an empty range of hues matches every hue).";
    UNSET_IN_RULE = Warning spoils "S3-W0223" "the variable may have no value"
        "Every move starts with a fresh set of variables. Nothing that a move of this rule evaluates assigns the \
         variable, so reading it ends the game.";
    IGNORED_VALUE = Warning "S3-W0224" "a part of the value is not used"
        "`relevant` is `yes` or `no`, and anything else means no; a shape is `circle(r)` or `rectangular(w,h)`, and \
         any other is ignored; so are numbers beyond those that a key needs.";
    // S3-W0225 told of games without rules, which S3-E0138 refuses now.
    CLAMPED_ANGLE = Warning "S3-W0226" "the arm cannot take this angle"
        "The ten numbers of `robot=` are servo angles in degrees, five above the place and five at it: base, shoulder, \
         elbow, wrist, hand. A servo turns from -90 to 90, the elbow from -60 to 90. Beyond that the arm goes to the \
         nearest angle that the servo can take, as that of the original engine does, and so to another place than the \
         file says. Play does not depend on it.";
    SAME_PARAMETER = Warning "S3-W0227" "two parameters have one name"
        "Parameters are variables, which a call sets one after the other. Of two with one name the last one counts, and \
         the argument of the first is lost.";
    CONTROL_CHARACTER = Warning "S3-W0228" "a character that cannot be seen"
        "Names and other values may have any characters, but those that control a terminal or a file, such as NUL, are \
         hardly meant. Two names that differ in them only look the same.";
    NO_ELEMENTS = Warning spoils "S3-W0229" "the game has no elements"
        "A move takes an element from one location to another. Without an element in [MOVABLE ELEMENTS] there is never a \
         legal move.";
    BEYOND_BOARD = Warning spoils "S3-W0230" "the loop counts beyond the board"
        "For its first or last value the loop asks for a location that there is not. `EMPTY` of it is true, and \
         nothing ever stands there, so a condition that needs something there never holds. Count to the last location, or \
         test the number first.";
    ASSIGNS = Warning spoils "S3-W0231" "an assignment where a test was meant"
        "`$A = $B` gives the variable a value and is true whatever the values are; `$A == $B` compares. The variable has its \
         value from a pattern of the rule already, what it is given comes from patterns too, and nothing behind it reads the \
         variable, so the line changes nothing but lets everything pass.";
    SAME_LOOP_VARIABLE = Warning spoils "S3-W0232" "two loops inside each other count with one variable"
        "Variables are not local to loops: the inner loop changes the variable of the outer one, so what the body looks at is \
         the inner value twice. Give the inner loop a variable of its own.";
    CALLS_ITSELF = Warning spoils "S3-W0233" "the expression always calls itself"
        "What is evaluated first in the expression calls it again, directly or through others, before any test could end it. \
         Evaluating it ends the game with a fault. Test first whether there is anything left to do.";
    OTHERS_ELEMENT = Warning spoils "S3-W0234" "a player moves what belongs to another"
        "The rule is for one player, and all elements that it moves belong to another one at the start and always, since nothing \
         changes owners, and no rule lets their owner move them. Give the rule the player who owns them, or the elements the owner who moves them.";
    NO_END = Warning spoils "S3-W0235" "the game has no end that somebody wins"
        "Without a record in [END OF GAME] a game ends only when the player on turn cannot move, and nobody wins then, unless \
         scores are given, in [SCORINGS] or by rules. Give the \
         situation that ends it, and the winner there.";
    NO_SUCH_INDEX = Warning spoils "S3-W0236" "no name has such an index"
        "`INDEXA(2, LOCATION($E))` is the second index of the name of a location. Where no location has so many indexes, taking it \
         is a fault; where none has the number that it is compared with, the comparison is always false.";
    NO_RULE_FOR_PLAYER = Warning spoils "S3-W0237" "no rule is for a player"
        "Each rule says for which player it is, and none is for this one, who can never move when the turn comes. Usually a number was copied and not \
         changed.";
    OTHER_KIND = Warning spoils "S3-W0238" "names of two kinds are compared"
        "`CONTENT` gives the name of an element, `LOCATION` that of a location, `ELTYPE` and `LOCTYPE` give the names of types. What \
         is compared here are names of two kinds, and no name is of both, so they are equal only where both are empty, such as the content of an empty \
         location and its type.";
}
