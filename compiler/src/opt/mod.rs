//! Passes: rewriting the IR into the same game in a form that runs faster.
//!
//! A pass keeps the meaning exactly: the same legal moves, successors, outcomes and faults. Each
//! works without the others, but for `suspend`, which code generation needs.

pub mod asked;
mod attempts;
pub mod budget;
pub mod candidates;
pub mod changes;
pub mod counts;
pub mod definite;
pub mod ends;
mod env;
mod facts;
pub mod families;
pub mod fold_constants;
mod foreseen;
pub mod future;
pub mod generators;
pub mod hand_over;
pub mod helpers;
pub mod inline;
pub mod instances;
pub mod join;
pub mod kept;
mod kinds;
mod known;
pub mod legal;
pub mod lift;
pub(crate) mod listed;
pub mod locals;
mod meets;
pub mod members;
pub mod narrow;
pub mod once;
pub mod outline;
pub mod pairs;
mod params;
pub mod parts;
pub mod patterns;
pub(crate) mod playing;
pub mod possible;
pub mod predicates;
pub mod prune;
mod questions;
mod quiet;
pub mod rays;
pub mod rounds;
pub mod rows;
pub mod scope;
pub mod simplify;
pub mod specialise;
mod sums;
pub mod suspend;
pub(crate) mod tables;
pub mod tabulate;
pub mod tail_calls;
pub mod tallies;
mod told;
pub mod trials;
pub mod turns;
pub mod unroll;

#[cfg(test)]
mod tests;

use crate::ir::Game;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Name, by which it is switched on and off.
    pub name: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
    /// Whether it runs whatever is switched off.
    pub needed: bool,
    /// The pass itself.
    pub run: fn(&mut Game),
}

/// The passes, executed in this order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "fold-constants",
        doc: "compute what does not depend on the state; drop what nothing uses",
        needed: false,
        run: fold_constants::run,
    },
    Pass {
        name: "families",
        doc: "write rules alike that differ in constants which an argument of a move tells",
        needed: false,
        run: families::run,
    },
    Pass {
        name: "tail-calls",
        doc: "turn functions that call themselves at their end into loops",
        needed: false,
        run: tail_calls::run,
    },
    Pass {
        name: "definite",
        doc: "drop the tests of environment reads that always find a value",
        needed: false,
        run: definite::run,
    },
    Pass {
        name: "scope",
        doc: "make local what functions do not share",
        needed: false,
        run: scope::run,
    },
    Pass {
        name: "possible",
        doc: "answer what comes to the same whatever callers give",
        needed: false,
        run: possible::run,
    },
    Pass {
        name: "tallies",
        doc: "ask whether anything is counted, or everything, where a count tells no more",
        needed: false,
        run: tallies::run,
    },
    Pass {
        name: "predicates",
        doc: "make functions of questions that are written where they are asked",
        needed: false,
        run: predicates::run,
    },
    Pass {
        name: "ends",
        doc: "ask for all ends with one outcome by one question",
        needed: false,
        run: ends::run,
    },
    Pass {
        name: "unroll",
        doc: "turn loops of a few rounds that call functions into as many blocks",
        needed: false,
        run: unroll::run,
    },
    Pass {
        name: "specialise",
        doc: "copy functions for arguments that are known, and join chains of tables",
        needed: false,
        run: specialise::run,
    },
    Pass {
        name: "candidates",
        doc: "what a table says of all candidates of a move alike, as a constant",
        needed: false,
        run: candidates::run,
    },
    Pass {
        name: "rounds",
        doc: "give loops that count until a test ends them as many rounds",
        needed: false,
        run: rounds::run,
    },
    Pass {
        name: "budget",
        doc: "do not count work that never exceeds the budget",
        needed: false,
        run: budget::run,
    },
    Pass {
        name: "members",
        doc: "ask of places what stands there, not of one piece after another by its number",
        needed: false,
        run: members::run,
    },
    Pass {
        name: "lift",
        doc: "sets instead of loops over members; walks as rows of tables",
        needed: false,
        run: lift::run,
    },
    Pass {
        name: "rows",
        doc: "rows of tables for what constants say of where moves begin and end",
        needed: false,
        run: rows::run,
    },
    Pass {
        name: "generators",
        doc: "ask of each target what a function asks that lists them",
        needed: false,
        run: generators::run,
    },
    Pass {
        name: "prune",
        doc: "leave out candidate moves that the rules never admit",
        needed: false,
        run: prune::run,
    },
    Pass {
        name: "foreseen",
        doc: "ask before a move what is judged after it and the move cannot change",
        needed: false,
        run: foreseen::run,
    },
    Pass {
        name: "asked",
        doc: "do not ask again in a move what its guard asked, where nobody reads what that leaves",
        needed: false,
        run: asked::run,
    },
    Pass {
        name: "rays",
        doc: "walks over the board from all places at once",
        needed: false,
        run: rays::run,
    },
    Pass {
        name: "counts",
        doc: "sizes of sets instead of loops that count",
        needed: false,
        run: counts::run,
    },
    Pass {
        name: "patterns",
        doc: "sets of places that are compared instead of tests of one place after another",
        needed: false,
        run: patterns::run,
    },
    Pass {
        name: "once",
        doc: "ask once what several ends of a game ask one after another",
        needed: false,
        run: once::run,
    },
    Pass {
        name: "helpers",
        doc: "write what a function only looks up where it is asked for",
        needed: false,
        run: helpers::run,
    },
    Pass {
        name: "inline",
        doc: "what a guard asks stands in the guard itself",
        needed: false,
        run: inline::run,
    },
    Pass {
        name: "pairs",
        doc: "look up what constants say of two parameters of a move",
        needed: false,
        run: pairs::run,
    },
    Pass {
        name: "tabulate",
        doc: "look up what follows from one variable of the state",
        needed: false,
        run: tabulate::run,
    },
    Pass {
        name: "trials",
        doc: "try of a move only what the predicate on the position after it sees",
        needed: false,
        run: trials::run,
    },
    Pass {
        name: "sides",
        doc: "what a move does is written for each side apart, where that decides what it asks",
        needed: false,
        run: legal::sides::run,
    },
    Pass {
        name: "legal",
        doc: "use in what a move does what its guard found",
        needed: false,
        run: legal::run,
    },
    Pass {
        name: "join",
        doc: "write rules that do the same as one",
        needed: false,
        run: join::run,
    },
    Pass {
        name: "changes",
        doc: "ask of what a move changed whether it ends the game, instead of the whole board",
        needed: false,
        run: changes::run,
    },
    Pass {
        name: "turns",
        doc: "what a move does along walks is done to sets of places",
        needed: false,
        run: turns::run,
    },
    Pass {
        name: "narrow",
        doc: "look for moves only where they lead somewhere",
        needed: false,
        run: narrow::run,
    },
    Pass {
        name: "instances",
        doc: "ask each of a few members what constants leave of a question about some of them",
        needed: false,
        run: instances::run,
    },
    Pass {
        name: "suspend",
        doc: "turn the process into a machine with an explicit place to go on",
        needed: true,
        run: suspend::run,
    },
    Pass {
        name: "outline",
        doc: "make functions of parts of long bodies",
        needed: false,
        run: outline::run,
    },
    Pass {
        name: "kept",
        doc: "keep what the rules ask after a move for the decision that asks it again",
        needed: false,
        run: kept::run,
    },
    Pass {
        name: "renew",
        doc: "test reads of the environment again that no longer always find a value",
        needed: true,
        run: definite::renew,
    },
];
