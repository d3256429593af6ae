//! A line of play that goes forward and back, with the type of the game hidden.
//!
//! Searches that look ahead are written once on [`Walk`] and compiled once, not for each game. A step costs a call through
//! a table and a copy of the position in place, no allocation.

use std::hash::Hasher;

use rulec_core::{
    ChanceList, ChoiceSet, Fault, Game, GameInfo, KeyHasher, MoveList, Outcome, Playout, Rng,
    Silent, Turn,
};

use crate::orbit::{self, Orbits};

/// Positions from a first one on; all questions are about the last one. See [`Game`] for the meaning of the methods.
pub trait Walk: Send {
    /// What is known of the game.
    fn info(&self) -> &GameInfo;
    /// Moves made from the first position.
    fn depth(&self) -> usize;
    /// Makes a move, or lets a draw have a result; does nothing but repeat the position where no move has that code.
    fn down(&mut self, code: u64);
    /// Takes the last move back; does nothing at the first position.
    fn up(&mut self);
    /// Who acts.
    fn turn(&self) -> Turn;
    /// The player whose turn it is.
    fn player(&self) -> Option<usize>;
    /// The player who makes a move.
    fn mover(&self, code: u64) -> usize;
    /// How the game ended.
    fn outcome(&self) -> Option<Outcome>;
    /// Puts one move of every class of equal moves in `out`, in place of what it held; all moves after
    /// [`Walk::merge_exactly`] where such classes may differ.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    fn moves(&mut self, out: &mut Vec<u64>) -> Result<(), Fault>;
    /// Puts the results of the draw that is due in `out`, with their weights, in place of what it held.
    fn results(&mut self, out: &mut Vec<(u64, u64)>);
    /// Tells apart all positions that may have different futures from now on, and follows all moves that may; for solvers. Scores
    /// count only where they decide.
    fn merge_exactly(&mut self);
    /// Gives positions one key that symmetries take to each other, see [`crate::orbit`].
    fn merge_orbits(&mut self, orbits: Orbits);
    /// Whether positions of one key have equal futures and equal scores. Otherwise what a search has learnt from one holds for
    /// another only by experience.
    fn is_exact(&self) -> bool;
    /// A key of the position.
    fn key(&self) -> u64;
    /// Appends the encoding of the position under an identity.
    fn identity(&self, identity: usize, out: &mut Vec<u8>);
    /// Puts the score of every player in `out`, in place of what it held.
    fn scores(&self, out: &mut Vec<i64>);
    /// The canonical text of the position.
    fn text(&self) -> String;
    /// The text of a move that can be made here.
    fn move_text(&self, code: u64) -> String;
    /// Plays a random game on from a copy of the position.
    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout;
}

/// The walk of a game.
pub(crate) struct Line<'g, G: Game> {
    game: &'g G,
    states: Vec<G::State>,
    moves: MoveList<G::Move>,
    results: ChanceList<G::Move>,
    merge: Merge,
    choices: ChoiceSet,
    orbits: Orbits,
}

/// How positions are merged.
#[derive(Clone, Copy, PartialEq)]
enum Merge {
    /// By equality.
    Equal,
    /// By what decides, and by scores.
    Scored,
    /// By what decides.
    Exact,
}

impl<'g, G: Game> Line<'g, G> {
    pub(crate) fn new(game: &'g G, first: G::State) -> Self {
        Self {
            game,
            states: vec![first],
            moves: MoveList::new(),
            results: ChanceList::new(),
            merge: match game.info().exact_equality {
                true => Merge::Scored,
                false => Merge::Equal,
            },
            choices: ChoiceSet::Distinct,
            orbits: Orbits::Off,
        }
    }

    fn last(&self) -> &G::State {
        // There is always a first position.
        &self.states[self.states.len() - 1]
    }
}

impl<G: Game> Walk for Line<'_, G> {
    fn info(&self) -> &GameInfo {
        self.game.info()
    }

    fn depth(&self) -> usize {
        self.states.len() - 1
    }

    fn down(&mut self, code: u64) {
        let mut next = self.last().clone();
        if let Some(mv) = self.game.move_from_code(code) {
            self.game.play(&mut next, mv, &mut Silent);
        }
        self.states.push(next);
    }

    fn up(&mut self) {
        if self.states.len() > 1 {
            self.states.pop();
        }
    }

    fn turn(&self) -> Turn {
        self.game.turn(self.last())
    }

    fn player(&self) -> Option<usize> {
        self.game.player(self.last())
    }

    fn mover(&self, code: u64) -> usize {
        let mv = self.game.move_from_code(code);
        mv.map_or(0, |mv| self.game.mover(self.last(), mv))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(self.last())
    }

    fn moves(&mut self, out: &mut Vec<u64>) -> Result<(), Fault> {
        out.clear();
        self.moves.clear();
        let last = &self.states[self.states.len() - 1];
        match self.choices {
            ChoiceSet::All => self.game.legal_moves(last, &mut self.moves)?,
            ChoiceSet::Distinct => self.game.distinct_moves(last, &mut self.moves)?,
        }
        out.extend(self.moves.iter().map(|&mv| self.game.move_code(mv)));
        Ok(())
    }

    fn results(&mut self, out: &mut Vec<(u64, u64)>) {
        out.clear();
        self.results.clear();
        let last = &self.states[self.states.len() - 1];
        self.game.chance_outcomes(last, &mut self.results);
        let code = |&(mv, weight): &(G::Move, u64)| (self.game.move_code(mv), weight);
        out.extend(self.results.iter().map(code));
    }

    fn merge_exactly(&mut self) {
        self.merge = Merge::Exact;
        self.choices = crate::view::exact_moves(self.game.info());
    }

    fn merge_orbits(&mut self, orbits: Orbits) {
        let usable = self
            .game
            .info()
            .symmetries
            .iter()
            .any(|s| s.keeps_players());
        self.orbits = if usable { orbits } else { Orbits::Off };
    }

    fn is_exact(&self) -> bool {
        let info = self.game.info();
        self.merge == Merge::Exact || info.exact_equality && info.exact_classes
    }

    fn key(&self) -> u64 {
        let info = self.game.info();
        if self.orbits == Orbits::Off && (self.merge == Merge::Equal || info.future == 0) {
            return self.game.key(self.last());
        }
        let mut bytes = Vec::with_capacity(64);
        let identity = match self.merge {
            Merge::Equal => 0,
            Merge::Scored | Merge::Exact => info.future,
        };
        orbit::encode(self.game, self.last(), identity, self.orbits, &mut bytes);
        let mut hasher = KeyHasher::new();
        hasher.write(&bytes);
        if self.merge == Merge::Scored && info.has_scores {
            let mut scores = Vec::new();
            self.game.scores(self.last(), &mut scores);
            hasher = scores.iter().fold(hasher, |h, score| h.word(*score as u64));
        }
        hasher.finish()
    }

    fn identity(&self, identity: usize, out: &mut Vec<u8>) {
        self.game.identity(self.last(), identity, out);
    }

    fn scores(&self, out: &mut Vec<i64>) {
        out.clear();
        self.game.scores(self.last(), out);
    }

    fn text(&self) -> String {
        let mut out = String::new();
        self.game.write_state(self.last(), &mut out);
        out
    }

    fn move_text(&self, code: u64) -> String {
        let mut out = String::new();
        if let Some(mv) = self.game.move_from_code(code) {
            self.game.write_move_in(self.last(), mv, &mut out);
        }
        out
    }

    fn playout(&mut self, rng: &mut Rng, limit: u32) -> Playout {
        let mut state = self.last().clone();
        let choices = ChoiceSet::Distinct;
        self.game
            .random_playout(&mut state, rng, limit, choices, &mut self.moves)
    }
}

/// What a position is to a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The game is over.
    End(Outcome),
    /// A draw is due.
    Chance,
    /// Somebody decides; the moves are listed.
    Choice,
}

/// Looks at a position: lists its moves, or tells that it has none.
pub(crate) fn look(walk: &mut dyn Walk, moves: &mut Vec<u64>) -> Kind {
    let stuck = Outcome::nobody(rulec_core::Reason::Stuck);
    match walk.turn() {
        Turn::Over => Kind::End(walk.outcome().unwrap_or(stuck)),
        Turn::Chance => Kind::Chance,
        Turn::Decide(_) => match walk.moves(moves) {
            Err(fault) => Kind::End(Outcome::fault(fault)),
            Ok(()) if moves.is_empty() => Kind::End(stuck),
            Ok(()) => Kind::Choice,
        },
    }
}
