//! Codes of what the command finds beyond the text of rules.

crate::codes! {
    BROKE_DOWN = Error "RC-E0002" "the compiler broke down"
        "The compiler met something in the rules that it should have told of as a mistake, or understood, and broke off \
         instead. That is a defect of the compiler, whatever the rules are like. `rulec serve --watch` goes on with the rules \
         as they were before and tries again when they are saved. Please report the rules with the message; leaving out what \
         was changed last helps meanwhile.";
    NOT_READ = Error "RC-E0003" "the rules could not be read again"
        "The rule file, or one that it goes with, was changed and then could not be read: it may have been moved or its \
         permissions changed. `rulec serve --watch` goes on with the rules as they were before and tries again.";
    FAULT = Error "RC-E0004" "a game ends in a fault"
        "A random game that `rulec check` played came to a rule that cannot be carried out: a variable without a value, a place \
         that there is not, no room for what a rule makes, a rule that calls itself for ever. The place is that of the rule, \
         and the moves before it are told, so that `rulec replay` comes there again. Where most games end so, what else never \
         happened in them is not told, as it may follow from it.";
    NOBODY_WINS = Warning "RC-W0101" "nobody ever wins"
        "In none of the random games that `rulec check` played did anybody win, although the game is for several. Either no \
         rule makes anybody win, or its condition cannot come true. It may also be that players at random are too weak for it: \
         more games (`--games 10000`) or games of players who search (`rulec match`) tell.";
    NO_END = Warning "RC-W0102" "no game ends"
        "None of the random games that `rulec check` played came to an end. Moves that undo each other, a pass that is always \
         legal, or an end whose condition cannot come true are usual causes. Rules that may go round in circles need a bound, \
         such as a draw by repetition or after so many moves.";
    NEVER_TO_MOVE = Warning "RC-W0103" "a player never moves"
        "In none of the random games that `rulec check` played did this player have a move to make, while others had. Either \
         the turn never comes to the player, and then the rules that were played and never passed it on are named; or it \
         does, and nothing is ever legal: then what stops the rules that come nearest is shown, as for RC-W0104. What else \
         never happened is not told, as it may follow from it.";
    NEVER_LEGAL = Warning "RC-W0104" "a rule never applies"
        "In all positions of the random games that `rulec check` played no move by this rule was legal. Where its condition is \
         written, the first part of it is shown that no candidate got past in the positions that were looked at: what stands \
         before it did hold. It may \
         contradict itself or what other rules do, or it is for positions that random games seldom come to: more games \
         (`--games 10000`) tell, and `rulec explain` says why a certain move is not legal in a position.";
    NEVER_ENDS_SO = Warning "RC-W0105" "a game never ends so"
        "None of the random games that `rulec check` played ended by this rule, while others did. Its condition may never come \
         true, or another rule always ends the game before it. Where games came to its condition, the first part of it is shown that \
         never held where all before it did, how often it was asked, and what numbers it compared.";
    NEVER_MOVED = Warning "RC-W0106" "pieces never move"
        "In none of the random games that `rulec check` played was one of these pieces moved, placed or taken. Perhaps no rule \
         speaks of them, or the condition of the one that does never holds.";
    TURN_KEPT = Warning "RC-W0107" "a rule never passes the turn"
        "In the random games that `rulec check` played moves by this rule followed each other, by the same player, and not one of \
         them passed the turn, while moves by other rules always did. Perhaps what passes the turn was left out here. If the \
         player may really go on as long as there is such a move, nothing is wrong.";
}
