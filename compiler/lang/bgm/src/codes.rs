//! The codes of bgm diagnostics.
//!
//! Errors are `BGM-E01xx`, warnings `BGM-W02xx`. Each is provoked by a file in `fail/`.

rulec_ir::codes! {
    UNKNOWN_TYPE = Error "BGM-E0101" "unknown type"
        "A line that begins with no keyword opens an object and begins with its type. Where a file has `Type` lines, every \
         type must be declared by one of them; without them types are known from the headers of objects, from parameters \
         of rules, and by their capital letter.";
    UNKNOWN_NAME = Error "BGM-E0102" "unknown name"
        "A name in a rule is a parameter of the rule, a named object or a type; in `contains` and `in` of an object it is a \
         named object. Names are case-sensitive and may be used before the object is declared.";
    UNKNOWN_PLAYER = Error "BGM-E0103" "unknown player"
        "Players are those of the line `Players`, or p1, p2, ... if it gives a number. Sets of players are `all`, `player`, \
         `players`, `former` or a player, followed by any number of `.left` and `.right`.";
    WRONG_FORM = Error "BGM-E0104" "the line has the wrong form"
        "The words of the line do not fit its first word: there are too many, too few, or others than it takes.";
    OUTSIDE = Error "BGM-E0105" "the line stands outside of its block"
        "`contains`, `in` and `owner` belong to the object before them, `require` and `effect` to the rule before them, \
         `active` to the line `Players`. Indentation means nothing: only the order of lines does.";
    UNKNOWN_WORD = Error "BGM-E0106" "unknown requirement or effect"
        "Requirements are in, rin, contains, rcontains, owns and timer, each also after `not`. Effects are put, remove, \
         create, delete, distribute, disown, own, players and settimer.";
    BAD_NUMBER = Error "BGM-E0107" "the number has the wrong form or size"
        "Numbers are decimal integers. A number of objects or seconds is at most 65535, a number of players from 1 to 64, \
         and a file opens at most 4000 objects.";
    BAD_MODIFIER = Error "BGM-E0108" "the modifier is not possible here"
        "After the name of an object follow any number of `.in`, at most one `.contains`, and `.type` at the end where a \
         type is wanted. A type has no modifiers. After a set of players follow `.left` and `.right`. There are at most 64 \
         modifiers after one name.";
    CONTAINS_TWICE = Error "BGM-E0109" "`.contains` after `.contains`"
        "A reference goes down into containers at most once.";
    TYPE_NOT_LAST = Error "BGM-E0110" "`.type` is not the last modifier"
        "`.type` turns objects into the set of their types, and types are in nothing and contain nothing.";
    TWO_CONTAINERS = Error "BGM-E0111" "an object in two containers"
        "An object is in at most one container at any time, also at the start. `contains` and `in` may both be written if \
         they agree.";
    TWO_OWNERS = Error "BGM-E0112" "an object with two owners"
        "An object has at most one owner, at the start as in play. Write `owner` once, or name the same player again.";
    OTHER_TYPE = Error "BGM-E0113" "an object opened again with another type"
        "A line `TYPE NAME` with a known name opens that object again to add to it, and so must give its type.";
    TYPE_AND_OBJECT = Error "BGM-E0114" "a name is both a type and an object"
        "Types and objects share one name space: give the object, or the type, another name.";
    DOUBLE_PARAMETER = Error "BGM-E0115" "two parameters with one name"
        "Every parameter of a rule has a name of its own.";
    RESERVED = Error "BGM-E0116" "the word is reserved"
        "The words of the notation cannot name types, objects, parameters or players.";
    DECLARED_TWICE = Error "BGM-E0117" "declared twice"
        "A type, a player, the line `Players`, the line `active` and each option may stand once in a file.";
    NOT_SINGLE = Error "BGM-E0118" "one object is wanted, and this may be several"
        "`.contains` gives any number of objects. The first argument of a requirement, the target of `put`, and the \
         container of `remove` and `distribute` must be one object.";
    NEEDS_TYPE = Error "BGM-E0119" "a type is wanted here, or an object"
        "Some places take a type only, such as `create TYPE` and a requirement with a number; some take objects only, \
         such as `delete`. A reference gives types if it ends in `.type`.";
    BAD_NAME = Error "BGM-E0120" "the name has the wrong form"
        "Names cannot contain dots, which separate modifiers, nor begin with a digit, nor contain commas, brackets or \
         braces, which separate the parts of a position's text.";
    TOO_LARGE = Error "BGM-E0121" "there are too many objects for this"
        "Objects that rules can point at need a slot each, and there are at most 1000 slots. A choice of several objects \
         works among at most 48 slots, a draw among at most 60.";
    UNNAMED_CONTAINERS = Error "BGM-E0122" "several objects picked out of unnamed containers"
        "Unnamed objects of a type are interchangeable, and choices that differ by a renaming are one. Where several objects \
         that a player owns are picked at once and may be in several unnamed containers, which choices are one is not \
         found out: give the containers names, or pick the objects one at a time.";
    MANY_PARAMETERS = Error "BGM-E0123" "the rule has too many parameters"
        "A rule has at most 32 parameters. Each one multiplies the moves that a position may have.";
    STRANGE_CHARACTER = Error "BGM-E0124" "the character cannot stand in rules"
        "Control characters other than blanks, tabs and ends of lines are part of no word and separate none. Most often a \
         file was copied or saved wrongly.";

    NO_PLAYERS = Warning "BGM-W0201" "the file does not say who plays"
        "Without the line `Players` there are two players, p1 and p2, and p1 begins.";
    SHADOWED = Warning "BGM-W0202" "the parameter hides an object"
        "Names in a rule are parameters first: the object of this name cannot be meant in the rule.";
    IGNORED_EFFECT = Warning spoils "BGM-W0203" "the effect never happens"
        "A WinCondition or DrawCondition ends the game; its effects are ignored.";
    DEFAULT_POOL = Warning "BGM-W0204" "the number of objects has no bound"
        "Rules create objects of this type, and nothing says how many there can be. 64 more than at the start are \
         provided, or fewer if rules choose or draw among them; the game ends with a fault when more are needed. `Type NAME max NUMBER` gives a bound.";
    NEVER_POSSIBLE = Warning spoils "BGM-W0205" "the rule can never apply"
        "There is no object of the type of a parameter, and no rule makes one; or the rule asks for what can never be: more \
         objects of a type than there are, an object where none of its type ever is, a thing and its opposite.";
    NO_ACTIONS = Warning spoils "BGM-W0206" "the game has no actions"
        "Nobody can ever act, and the game ends at once.";
    DEAD_TIMER = Warning "BGM-W0207" "the timer is of no use"
        "A timer that no `settimer` starts is never above 0, and one that no requirement reads changes nothing.";
    UNUSED_TYPE = Warning "BGM-W0208" "the type is never used"
        "There is no object of this type, and no rule mentions it.";
    BOUND_BELOW_START = Warning "BGM-W0209" "there are more objects at the start than the bound allows"
        "`max` bounds what rules create. No object of the type can be made while there are so many.";
    SAYS_NOTHING = Warning "BGM-W0210" "the requirement says nothing"
        "The requirement holds in every position, or another line of the rule says the same.";
    DOES_NOTHING = Warning spoils "BGM-W0211" "the effect does nothing"
        "The effect is about no objects at all: their number is 0, or nobody ever owns one. Or a later effect `players` of the rule \
         says anew who may act: often the line `Action` between two rules is missing then.";
    NO_TURN = Warning spoils "BGM-W0212" "the turn never passes"
        "Who may act is changed by the effect `players` alone, and no rule has one: the players that are active at the start \
         stay so, and the others never act. `effect players player.left` passes the turn to the next seat.";
    SAME_ACTION = Warning spoils "BGM-W0213" "two actions with one name"
        "Moves are shown by the name of their action, so those of the two may look alike.";
    OPENED_AGAIN = Warning spoils "BGM-W0214" "the object is opened again, and nothing is added"
        "A line `TYPE NAME` with a known name goes on with the object that has it. If it then says nothing new, another object \
         with a name of its own was probably meant.";
    NO_WINNER = Warning spoils "BGM-W0215" "nobody can win"
        "Players win by a WinCondition, or by being left when a LoseCondition has put all others out; `Stuck lose` and `Stuck win` \
         make the end of moves decide. Without any of them every game that ends is a draw.";
    UNUSED_OBJECT = Warning spoils "BGM-W0216" "no rule has to do with the object"
        "Rules call other objects of the type by their names, and neither this one nor its type. A name that is written twice \
         where two were meant leaves the other one unused.";
    OWNS_NOTHING = Warning spoils "BGM-W0217" "a player owns nothing of what an action asks for"
        "An action asks for what the acting player owns. There is enough of it for everybody, this player has none of it, no \
         effect gives anything to anybody, no other action is open to the player, and the player has no type of objects \
         instead that is theirs alone. Often a line `owner` names the wrong player.";
}
