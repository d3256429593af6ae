//! The codes of gs5 diagnostics.
//!
//! Errors are `GS5-E01xx`, warnings `GS5-W02xx`. Each is provoked by a file in `fail/`.

rulec_ir::codes! {
    SYNTAX = Error "GS5-E0101" "this cannot stand here"
        "A rule set has lines `Order NAME=[...]` first and then rows: an optional counter and atoms in parentheses. A line is a \
         row of its own; atoms do not span lines.";
    BAD_CHARACTER = Error "GS5-E0102" "the character belongs to no token"
        "Outside of strings there are names, integers, the operators `! * / % + - == != < <= > >=`, and `= , . .. : ( ) [ ]`. \
         Braces, `&`, `|`, `^`, `;` and no-break spaces are nothing.";
    FLOAT = Error "GS5-E0103" "numbers are integers"
        "There are no fractions: `0.1` reads as `0`, a dot and `1`. In lists it is usually a comma that was meant.";
    SINGLE_EQUALS = Error "GS5-E0104" "`=` is no comparison"
        "Equality is tested with `==`, and a key is followed by `:`. A single `=` belongs to `Order` lines. With the setting `mode=lenient` it is read as `==`.";
    UNBALANCED = Error "GS5-E0105" "a bracket is not closed, or not opened"
        "Every `(` and `[` needs its `)` or `]` on the same line.";
    NOT_EQUAL = Error "GS5-E0106" "`!==` is no operator"
        "Inequality is tested with `!=`; three signs together mean nothing.";
    CHAINED = Error "GS5-E0107" "comparisons cannot be chained"
        "An expression has at most one comparison; the product of two comparisons in parentheses says that both hold.";
    SIGN = Error "GS5-E0108" "a sign stands before a number only"
        "`-3` is a number. The negative of anything else is written `0-p`; a plus sign before a value does not exist.";
    COMMA = Error "GS5-E0109" "a comma is missing or too many"
        "Fields of an atom and items of a list are separated by one comma each; atoms of a row are separated by nothing.";
    FIELD_COUNT = Error "GS5-E0110" "an atom by position has five fields"
        "Without keys the fields are `(count, shapes, colors, positions, buckets)`, and `*` stands for any.";
    MIXED_STYLES = Error "GS5-E0111" "fields with and without keys are mixed"
        "Either every field of an atom is `key:value`, or none is and there are five.";
    KEY_TWICE = Error "GS5-E0112" "the key is used twice"
        "Only `pos` may be repeated in an atom; then all of them must allow the cell.";
    COMMENT = Error "GS5-E0113" "this starts no comment"
        "Comments start with `#` and run to the end of the line.";
    OPEN_STRING = Error "GS5-E0114" "the string is not closed"
        "A string starts and ends with a double quote on one line; nothing in it is escaped.";
    LATE_ORDER = Error "GS5-E0115" "an order after a row"
        "All `Order` lines stand before the first row.";
    NO_ROWS = Error "GS5-E0116" "there are no rows"
        "A rule set needs at least one row with an atom, such as `(color:red, bucket:1)`.";
    NO_ATOMS = Error "GS5-E0117" "the row has no atom"
        "A row is an optional counter and at least one atom; `()` is the atom that accepts everything.";
    BIG_NUMBER = Error "GS5-E0118" "the number is too large"
        "Numbers fit in 32 bits with a sign: at most 2147483647.";
    RANGE_HERE = Error "GS5-E0119" "a range cannot stand here"
        "Ranges `[1..5]` are values of conditions on properties with integer values, not of `shape`, `color`, `code`, `bucket` or \
         `count`, and no part of an expression.";
    BARE_RANGE = Error "GS5-E0120" "a range needs brackets"
        "A range is written `[45..135]`, with the brackets of a list around it.";
    POSITIONS = Error "GS5-E0121" "only cells and orders can stand here"
        "`pos` and `postpos` take cell numbers, names of orders, and lists of them. Nothing is computed; use `code:` for that.";
    UNKNOWN_ORDER = Error "GS5-E0122" "unknown order"
        "Orders are those of the file and T, B, L, R, L1, L2, L3, L4, NearestObject, Farthest; names are case-sensitive. The \
         original server would fail when the first episode starts.";
    NO_SUCH_CELL = Error "GS5-E0123" "there is no such cell"
        "Cells are numbered 1 to 36: x + 6*(y-1), the bottom row first. With the setting `mode=server` a cell that does not exist \
         never matches.";
    NEGATIVE_COUNT = Error "GS5-E0124" "the count is negative"
        "A count says how many moves an atom may accept. With the setting `mode=server` a negative one means no limit.";
    BAD_ORDER = Error "GS5-E0125" "this is no order"
        "An order is a list of groups, each a cell or a list of cells; no cell may come twice.";
    NO_NUMBER = Error "GS5-E0126" "this is no number for certain"
        "Arithmetic knows integers only; a string or a piece gives nothing at all. The original server would break the episode off.";
    UNKNOWN_COLUMN = Error "GS5-E0127" "no piece has this property"
        "None of the declared pieces has such a property, so the condition would reject all of them.";
    BAD_COUNT = Error "GS5-E0128" "this is no count"
        "A count is an integer, or `*` for no limit.";
    BAD_TABLE = Error "GS5-E0129" "the property table cannot be read"
        "A property table is a CSV file. Its first line names the columns, the first of which is `image`; every other line has as \
         many cells.";
    BAD_BOARD = Error "GS5-E0130" "the board cannot be read"
        "A board is JSON: an object with a list `value` of pieces with `id`, `x` and `y` from 1 to 6, and either `shape` and `color` \
         or `image`.";
    BAD_PLAN = Error "GS5-E0131" "the trial list cannot be read"
        "A trial list is a CSV file. Its first line names the columns; every other line describes a series of episodes.";
    MISSING_FILE = Error "GS5-E0132" "a file is needed that is not there"
        "Trial lists name rule sets, boards and pictures. They are looked for in the folder of the file and in the folders above it, \
         below `rules`, `boards`, `shapes` and `cond`.";
    TOO_MANY_VALUES = Error "GS5-E0133" "the expression has too many values"
        "Expressions become tests and masks while the rules are compiled; what has more than a few thousand possible values at once \
         does not fit.";
    BAD_SETTING = Error "GS5-E0134" "the setting is not understood"
        "Known are `mode` (rulec, server, strict, lenient), `pieces`, `shapes`, `colors`, `shape_list`, `color_list`, `crowded`, `row`, `seed` and `boards`; the message says what is \
         wrong.";
    BAD_PIECES = Error "GS5-E0135" "the pieces do not fit"
        "There are 1 to 36 pieces on a board, and no more shapes and colors than pieces and declared values.";
    BAD_CONDITION = Error "GS5-E0136" "the condition depends on the board"
        "Conditions for training and test boards judge single pieces: orders of positions and what was removed before have no meaning there.";

    EMPTY_RIGHT_SIDE = Warning "GS5-W0201" "true where the right side is undefined"
        "A comparison gives its left side where the right side is empty, that is, it is true. So `this.pos==last.pos+1` accepts every \
         first move, and `last.pos+1==this.pos` none. With the setting `mode=strict` it gives nothing.";
    MAYBE_NO_NUMBER = Warning "GS5-W0202" "perhaps no number"
        "Arithmetic on a string gives nothing here. The original server breaks the episode off.";
    UNKNOWN_PROPERTY = Warning spoils "GS5-W0203" "unknown property"
        "Any key is a condition on the property of that name. Pieces of shape and color ignore it, others that lack it are rejected.";
    BARE_WORD = Warning spoils "GS5-W0204" "an unknown name has no value"
        "In expressions bare words are variables. One that does not exist is the empty set; text needs quotes.";
    BARE_POS = Warning spoils "GS5-W0205" "`pos` is no variable"
        "The cell of the piece is `this.pos`; a bare `pos` is undefined.";
    ORDER_AS_VARIABLE = Warning spoils "GS5-W0206" "an order has no value"
        "Names of orders mean something in `pos` and `postpos` only.";
    NOTHING = Warning spoils "GS5-W0207" "this is always empty"
        "Plain `q` has no value, and numbers and strings have no fields.";
    VARIABLE_AS_TEXT = Warning "GS5-W0208" "the name is taken as text"
        "A lone word in a condition on a property is a text, so `color:p` asks for the color named p.";
    LOWER_CASE = Warning "GS5-W0209" "shapes and colors are in upper case here"
        "In expressions the shapes and colors of pieces are upper-case texts, so this never matches.";
    NEVER_EQUAL = Warning spoils "GS5-W0210" "a string and a number are never equal"
        "`\"3\"==3` is false: values of different kinds differ.";
    DIVISION_BY_ZERO = Warning spoils "GS5-W0211" "division by zero gives nothing"
        "Pairs whose right operand is 0 contribute nothing to a quotient or remainder.";
    EMPTY_RANGE = Warning spoils "GS5-W0212" "the range is empty"
        "The first number of a range is its least; nothing matches one that starts above its end.";
    ZERO_COUNT = Warning spoils "GS5-W0213" "a count of 0 accepts nothing"
        "An atom with count 0 never accepts a move; a row with counter 0 is skipped.";
    OVERFLOW = Warning "GS5-W0214" "the result wraps around"
        "Integers have 32 bits; what does not fit continues at the other end.";
    STRING_BUCKET = Warning spoils "GS5-W0215" "no bucket is named by a string"
        "Of the value of `bucket` only integers count.";
    STAYS_FOR_EVER = Warning spoils "GS5-W0216" "the rows behind may never be reached"
        "The row has no counter and an atom without count, so it keeps control as long as it accepts anything.";
    STUCK_START = Warning spoils "GS5-W0217" "nothing is accepted at the start"
        "Before the first move `p`, `last`, `q` and their like are undefined, so the bucket of every atom is empty and the episode ends \
         at once.";
    EMPTY_CELL = Warning "GS5-W0218" "an empty cell is no number"
        "An empty cell of a property table is the empty text, on which arithmetic gives nothing.";
    REDEFINED_ORDER = Warning "GS5-W0219" "the order replaces a built-in one"
        "From here on the name means the order of the file.";
    ORDER_TWICE = Warning spoils "GS5-W0220" "the order is defined twice"
        "Of several definitions of one order the last one counts.";
    PRECEDENCE = Warning "GS5-W0221" "perhaps not grouped as meant"
        "`!` binds tightest and comparisons loosest: `!x==y` is `(!x)==y`, and `p==[0,1]*1` is `p==([0,1]*1)`.";
    ANY_PAIR = Warning "GS5-W0222" "`!=` holds if any pair differs"
        "With a list on one side `!=` is nearly always true. `!(a==b)` says that no pair is equal.";
    EMPTY_LIST = Warning "GS5-W0223" "the empty list is an extension"
        "The original server refuses `[]`; here it is the empty set.";
    STAR_VALUE = Warning "GS5-W0224" "`*` as the value of a key is an extension"
        "The original server refuses it; here it means any, as if the field were absent.";
    RANGE_LIST = Warning "GS5-W0225" "this form of a range is an extension"
        "The original server knows one range of two unsigned numbers, in conditions on properties only. Here bounds may be negative, \
         ranges may stand in lists, and `pos` takes them too.";
    UNQUOTED_NAME = Warning spoils "GS5-W0226" "a computation where a name was meant"
        "`arrow-up` subtracts two undefined variables and `arrows/up` divides them, so nothing matches. Quote the name.";
    BYTE_ORDER_MARK = Warning "GS5-W0227" "the file starts with a byte order mark"
        "The original server refuses it; here it is skipped.";
    TEMPLATE_NAME = Warning "GS5-W0228" "a name that starts with X"
        "Names that start with X are variables of templates, which the rule generator replaces. In a rule set they are ordinary names.";
    READ_AS_EQUAL = Warning "GS5-W0229" "`=` is read as `==`"
        "The setting `mode=lenient` takes a single `=` in an expression for a comparison, which the original server refuses.";
    UNKNOWN_VALUE = Warning spoils "GS5-W0230" "no piece has this value"
        "Of the declared pieces none has this value of the property, so that it matches nothing. Other shapes and colors than the \
         usual ones are declared by a trial list, a board, or the settings `shape_list` and `color_list`.";
    BUCKET_OUTSIDE = Warning spoils "GS5-W0231" "there is no such bucket"
        "Buckets are numbered 0 to 3. Other numbers count modulo 4, so that 4 means 0 and -1 means 3.";
    LEFT_OVER = Warning spoils "GS5-W0232" "no atom takes the piece"
        "The conditions on shape, color and properties of all atoms leave some declared pieces out. A board with one of them is \
         never cleared. That may be meant; otherwise an atom such as `()` takes what is left.";
    LOST_COLUMN = Warning "GS5-W0233" "the column means nothing"
        "The columns of trial lists have fixed names. What stands under another name has no effect, and of two columns of one name \
         the first counts.";
    ODD_VALUE = Warning "GS5-W0234" "perhaps not what was meant"
        "The row of the trial list can be played, but has an effect that hardly anybody wants: bounds that are exchanged, points that \
         grow with errors, half of an incentive, or a shape or color that is nearly one of the usual ones.";
    OWN_ROW = Warning "GS5-W0235" "the line is a row of its own"
        "A row and all of its atoms stand on one line. Atoms on a line below are another row, which takes over when the one before is \
         over.";
    NEVER_HOLDS = Warning spoils "GS5-W0236" "the comparison never holds"
        "Cells are 1 to 36 and buckets 0 to 3, so no cell and no bucket fulfils this comparison; or a shape is compared with a \
         color, and no value is both. An atom with it alone as its `code` accepts nothing.";
}
