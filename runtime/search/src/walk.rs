//! A line of play that goes forward and back, with the type of the game hidden.
//!
//! Searches that look ahead are written once on [`Walk`] and compiled once, not for each game. A step costs a call through
//! a table and a copy of the position in place, no allocation.

use rulec_core::{
    ChanceList, ChoiceSet, Fault, FullGame, Game, GameInfo, KeyHasher, MoveList, Outcome, Playout,
    Present, Rng, Silent, Turn,
};

use crate::{
    alphabeta::{Estimate, Seeker, Task},
    evaluation::{Evaluation, Looked, Looker, View, mobility::mobility},
    mirror::{self, Keepers},
    orbit::{self, Orbits},
    search::SearchReport,
};

/// A move among those that are listed at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its place in the list.
    pub(crate) place: u32,
    /// What tells it from other moves here and, as good as always, anywhere; below [`TAGS`].
    pub(crate) tag: u32,
    /// How much it is worth to look at early.
    pub(crate) score: i32,
}

/// Moves whose tags are remembered.
const TAGS_KEPT: usize = 1 << 10;
/// The number of tags.
pub(crate) const TAGS: u64 = 1 << 28;

/// The tag of the move of a dense number: the number itself where these are few.
#[inline(always)]
fn tag_of(number: u64) -> u32 {
    match number < TAGS {
        true => number as u32,
        false => (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 36) as u32,
    }
}

/// Positions from a first one on; all questions are about the last one. See [`FullGame`](rulec_core::FullGame) for the meaning of the methods.
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
    /// Gives positions one key that differ by how play came to them alone, which draws by repetition and the like look at; for
    /// searches that judge by experience.
    fn merge_loosely(&mut self);
    /// Gives positions one key that symmetries take to each other, see [`crate::orbit`].
    fn merge_orbits(&mut self, orbits: Orbits);
    /// The same, but for symmetries alone that keep the position at work: of others hardly ever two lines of play come to positions
    /// that they take to each other.
    fn merge_orbits_of_here(&mut self);
    /// The symmetries that merge positions, as indexes.
    fn merging(&self) -> &[usize];
    /// From now on [`Walk::list`] leaves one of the moves that symmetries take to each other, as long as play keeps symmetries that
    /// keep the position at work.
    fn try_one_of_each(&mut self);
    /// Leaves one of such moves of the position at work.
    fn one_of_each(&mut self, moves: &mut Vec<u64>);
    /// Tells of all moves of the position at work what was found of those that stand for them.
    fn tell_all(&mut self, report: &mut SearchReport);
    /// Whether positions of one key have equal futures and equal scores. Otherwise what a search has learnt from one holds for
    /// another only by experience.
    fn is_exact(&self) -> bool;
    /// A key of the position; the one that all positions have that are merged with it.
    fn key(&mut self) -> u64;
    /// The key that the position has without symmetries.
    fn own_key(&mut self) -> u64;
    /// The key of the position, which is the own one of an image of it, and which symmetry makes that image, as a place in
    /// [`Walk::merging`]; nothing where it is the position itself.
    fn orbit_key(&mut self) -> (u64, Option<usize>);
    /// Appends the encoding of the position under an identity.
    fn identity(&self, identity: usize, out: &mut Vec<u8>);
    /// Puts the score of every player in `out`, in place of what it held.
    fn scores(&self, out: &mut Vec<i64>);
    /// Tells what a network sees of the position, but for what is 0.
    fn observe_present(&self, out: &mut Present);
    /// What an evaluation says of the position, for the first player.
    #[doc(hidden)]
    fn judged(&mut self, evaluation: &Evaluation) -> View;
    /// By how many moves the first player has more to choose from than the second one, see [`mobility`].
    #[doc(hidden)]
    fn mobility(&mut self) -> i64;
    /// Lists the moves as [`Walk::moves`] does and keeps the list while the position is at work.
    ///
    /// # Errors
    /// The fault that a rule ran into.
    #[doc(hidden)]
    fn list(&mut self, out: &mut Vec<Listed>) -> Result<(), Fault>;
    /// Makes a move of that list, and leaves open whether somebody can move then, see [`OpenPlay::play_open`](rulec_core::OpenPlay::play_open).
    #[doc(hidden)]
    fn enter(&mut self, place: u32);
    /// Whether a move of that list may exchange something, see [`OpenPlay::may_exchange`](rulec_core::OpenPlay::may_exchange).
    #[doc(hidden)]
    fn may_exchange(&self, place: u32) -> bool;
    /// The planes that count what is exchanged, see [`OpenPlay::exchange_planes`](rulec_core::OpenPlay::exchange_planes).
    #[doc(hidden)]
    fn exchange_planes(&self) -> &'static [usize];
    /// Goes on to the position in which the other player is on turn and all else is as it is, see [`OpenPlay::hand_over`](rulec_core::OpenPlay::hand_over); stays where it is
    /// not known how.
    #[doc(hidden)]
    fn hand_over(&mut self) -> bool;
    /// Ends the game if nobody can move: what [`Walk::enter`] left open.
    #[doc(hidden)]
    fn settle(&mut self);
    /// The code of a move of the list of the position at work.
    #[doc(hidden)]
    fn listed(&self, place: u32) -> u64;
    /// The tag of a move.
    #[doc(hidden)]
    fn tag(&self, code: u64) -> u32;
    /// Searches on from the position, with the type of the game known to the search.
    #[doc(hidden)]
    fn seek(&mut self, seeker: &mut Seeker<'_>, task: Task) -> Estimate;
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
    /// Positions up to the one at work, then room.
    states: Vec<G::State>,
    /// Where the position at work is.
    at: usize,
    moves: MoveList<G::Move>,
    /// The moves that were listed at each position.
    lists: Vec<MoveList<G::Move>>,
    results: ChanceList<G::Move>,
    merge: Merge,
    choices: ChoiceSet,
    told: Vec<i64>,
    /// Moves by their packed forms, and their tags.
    tags: Vec<(u64, u32)>,
    /// The symmetries that merge positions.
    merging: Vec<usize>,
    /// The symmetries that are known to keep each position; nothing where all moves are tried.
    keepers: Vec<Keepers>,
    /// What an evaluation saw of each position, and which one that was, by its address.
    looked: Vec<Looked>,
    /// What it saw of another position that was as far from the first one as that which was looked at last.
    cousin: Looked,
    judge: usize,
    /// Room for the position at work with the other player on turn.
    other: Option<G::State>,
}

/// How positions are merged.
#[derive(Clone, Copy, PartialEq)]
enum Merge {
    /// By equality.
    Equal,
    /// By what decides, and by scores.
    Scored,
    /// By what decides but for rules that only count, and by scores.
    Loose,
    /// By what decides.
    Exact,
}

impl<'g, G: FullGame> Line<'g, G> {
    pub(crate) fn new(game: &'g G, first: G::State) -> Self {
        Self {
            game,
            states: vec![first],
            at: 0,
            moves: MoveList::new(),
            lists: Vec::new(),
            results: ChanceList::new(),
            merge: match game.info().exact_equality {
                true => Merge::Scored,
                false => Merge::Equal,
            },
            choices: ChoiceSet::Distinct,
            told: Vec::new(),
            tags: vec![(u64::MAX, 0); TAGS_KEPT],
            merging: Vec::new(),
            keepers: Vec::new(),
            looked: Vec::new(),
            cousin: Looked::default(),
            judge: 0,
            other: None,
        }
    }

    #[inline(always)]
    fn last(&self) -> &G::State {
        // There is always a first position, and one at work.
        &self.states[self.at]
    }

    /// The symmetries that are known to keep the position at work.
    #[inline(always)]
    fn keeping(&self) -> Keepers {
        match self.keepers.is_empty() {
            true => 0,
            false => self.keepers.get(self.at).copied().unwrap_or(0),
        }
    }

    /// Notes which symmetries keep the position that a move leads to.
    #[inline(always)]
    fn follow(&mut self, mv: Option<G::Move>) {
        if !self.keepers.is_empty() {
            let kept = match (self.keeping(), mv) {
                (0, _) | (_, None) => 0,
                (keepers, Some(mv)) => mirror::after(self.game, keepers, mv),
            };
            let next = self.at + 1;
            if self.keepers.len() <= next {
                self.keepers.resize(next + 1, 0);
            }
            self.keepers[next] = kept;
        }
    }

    /// The key of a position, whatever symmetries there are. `told` is room.
    #[inline(always)]
    fn key_of(&self, state: &G::State, told: &mut Vec<i64>) -> u64 {
        let (game, info) = (self.game, self.game.info());
        let key = match self.merge {
            Merge::Equal => return game.key(state),
            Merge::Scored | Merge::Exact if info.future == 0 => return game.key(state),
            Merge::Scored | Merge::Exact => game.future_key(state),
            Merge::Loose => game.timeless_key(state),
        };
        if self.merge == Merge::Exact || !info.has_scores {
            return key;
        }
        told.clear();
        game.scores(state, told);
        let hasher = KeyHasher::new().word(key);
        let all = told.iter().fold(hasher, |h, score| h.word(*score as u64));
        all.value()
    }

    /// The least of the keys of the position and of its images.
    #[inline(never)]
    fn least_key(&mut self, own: (u64, Option<usize>)) -> (u64, Option<usize>) {
        let mut told = std::mem::take(&mut self.told);
        let mut least = own;
        let mut which = None;
        (self.game).each_image(self.last(), &self.merging, &mut |symmetry, image| {
            let key = self.key_of(image, &mut told);
            if key < least.0 {
                (least.0, which) = (key, Some(symmetry));
            }
        });
        if let Some(which) = which {
            least.1 = self.merging.iter().position(|symmetry| *symmetry == which);
        }
        self.told = told;
        least
    }

    /// The position at work is another one now.
    #[inline(always)]
    fn forget_look(&mut self) {
        if let Some(looked) = self.looked.get_mut(self.at) {
            looked.view = None;
        }
    }

    /// Makes room for what an evaluation sees of the position at work, and forgets what another one saw.
    #[inline(always)]
    fn judge_by(&mut self, evaluation: &Evaluation) {
        let judge = std::ptr::from_ref(evaluation).addr();
        if self.judge != judge {
            self.judge = judge;
            self.looked.clear();
            self.cousin = Looked::default();
        }
        if self.looked.len() <= self.at {
            self.looked.resize(self.at + 1, Looked::default());
        }
    }

    /// Repeats the position at work, as the one that is at work now.
    #[inline(always)]
    fn repeat(&mut self) -> &mut G::State {
        self.at += 1;
        if self.at == self.states.len() {
            let copy = self.states[self.at - 1].clone();
            self.states.push(copy);
        } else {
            let (before, rest) = self.states.split_at_mut(self.at);
            rest[0].clone_from(&before[self.at - 1]);
        }
        self.forget_look();
        &mut self.states[self.at]
    }
}

impl<G: FullGame> Walk for Line<'_, G> {
    fn info(&self) -> &GameInfo {
        self.game.info()
    }

    fn depth(&self) -> usize {
        self.at
    }

    fn down(&mut self, code: u64) {
        let game = self.game;
        let mv = game.move_from_code(code);
        self.follow(mv);
        let next = self.repeat();
        if let Some(mv) = mv {
            game.play(next, mv, &mut Silent);
        }
    }

    #[inline(always)]
    fn up(&mut self) {
        self.at = self.at.saturating_sub(1);
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
        let last = &self.states[self.at];
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
        let last = &self.states[self.at];
        self.game.chance_outcomes(last, &mut self.results);
        let code = |&(mv, weight): &(G::Move, u64)| (self.game.move_code(mv), weight);
        out.extend(self.results.iter().map(code));
    }

    fn merge_exactly(&mut self) {
        self.merge = Merge::Exact;
        self.choices = crate::view::exact_moves(self.game.info());
    }

    fn merge_loosely(&mut self) {
        if self.game.info().timeless.is_some() {
            self.merge = Merge::Loose;
        }
    }

    fn merge_orbits(&mut self, orbits: Orbits) {
        self.merging = orbit::merging(self.game.info(), orbits);
    }

    fn merge_orbits_of_here(&mut self) {
        self.merge_orbits(Orbits::On);
        let merging = std::mem::take(&mut self.merging);
        let own = self.own_key();
        let (mut keeping, mut told) = (Vec::new(), Vec::new());
        (self.game).each_image(self.last(), &merging, &mut |index, image| {
            if self.key_of(image, &mut told) == own {
                keeping.push(index);
            }
        });
        self.merging = keeping;
    }

    fn merging(&self) -> &[usize] {
        &self.merging
    }

    fn try_one_of_each(&mut self) {
        let kept = mirror::Kept::at(self.game, self.last()).first;
        self.keepers = vec![0; self.at + 1];
        self.keepers[self.at] = kept;
    }

    fn one_of_each(&mut self, moves: &mut Vec<u64>) {
        let (game, keepers) = (self.game, self.keeping());
        if keepers != 0 {
            let mut list = MoveList::new();
            list.extend(moves.iter().filter_map(|&code| game.move_from_code(code)));
            mirror::keep_one_of_each(game, keepers, &mut list);
            moves.clear();
            moves.extend(list.iter().map(|&mv| game.move_code(mv)));
        }
    }

    fn tell_all(&mut self, report: &mut SearchReport) {
        let (game, keepers) = (self.game, self.keeping());
        self.moves.clear();
        let last = &self.states[self.at];
        if keepers != 0 && game.distinct_moves(last, &mut self.moves).is_ok() {
            mirror::tell_all(game, keepers, &self.moves, report);
        }
    }

    fn is_exact(&self) -> bool {
        let info = self.game.info();
        match self.merge {
            Merge::Exact => true,
            Merge::Loose => false,
            Merge::Equal | Merge::Scored => info.exact_equality && info.exact_classes,
        }
    }

    #[inline(always)]
    fn key(&mut self) -> u64 {
        self.orbit_key().0
    }

    #[inline(always)]
    fn own_key(&mut self) -> u64 {
        let mut told = std::mem::take(&mut self.told);
        let key = self.key_of(self.last(), &mut told);
        self.told = told;
        key
    }

    #[inline(always)]
    fn orbit_key(&mut self) -> (u64, Option<usize>) {
        let own = (self.own_key(), None);
        match self.merging.is_empty() {
            true => own,
            false => self.least_key(own),
        }
    }

    fn identity(&self, identity: usize, out: &mut Vec<u8>) {
        self.game.identity(self.last(), identity, out);
    }

    fn scores(&self, out: &mut Vec<i64>) {
        out.clear();
        self.game.scores(self.last(), out);
    }

    fn observe_present(&self, out: &mut Present) {
        self.game.observe(self.last(), out);
    }

    #[inline]
    fn judged(&mut self, evaluation: &Evaluation) -> View {
        self.judge_by(evaluation);
        if let Some(view) = self.looked.get(self.at).and_then(|looked| looked.view) {
            return view;
        }
        let player = self.player();
        let (before, rest) = self.looked.split_at_mut(self.at);
        // Where the position before was not looked at, another one was that came after it or one like it.
        std::mem::swap(&mut self.cousin, &mut rest[0]);
        let before = before.last().filter(|looked| looked.view.is_some());
        let before = before.unwrap_or(&self.cousin);
        let mut looker = Looker::new(evaluation, player, before, &mut rest[0]);
        self.game.observe(&self.states[self.at], &mut looker);
        looker.view()
    }

    #[inline(never)]
    fn mobility(&mut self) -> i64 {
        mobility(
            self.game,
            &self.states[self.at],
            &mut self.other,
            &mut self.moves,
        )
    }

    #[inline(always)]
    fn list(&mut self, out: &mut Vec<Listed>) -> Result<(), Fault> {
        out.clear();
        while self.lists.len() <= self.at {
            self.lists.push(MoveList::new());
        }
        let keepers = self.keeping();
        let (game, last) = (self.game, &self.states[self.at]);
        let list = &mut self.lists[self.at];
        list.clear();
        match self.choices {
            ChoiceSet::All => game.legal_moves(last, list)?,
            ChoiceSet::Distinct => game.distinct_moves(last, list)?,
        }
        if keepers != 0 {
            mirror::keep_one_of_each(game, keepers, list);
        }
        for (place, &mv) in list.iter().enumerate() {
            let code = game.move_code(mv);
            let slot = &mut self.tags[(code ^ code >> 10) as usize % TAGS_KEPT];
            if slot.0 != code {
                *slot = (code, tag_of(game.move_index(mv) as u64));
            }
            out.push(Listed {
                place: place as u32,
                tag: slot.1,
                score: 0,
            });
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, place: u32) {
        let game = self.game;
        let mv = self
            .lists
            .get(self.at)
            .and_then(|l| l.get(place as usize))
            .copied();
        self.follow(mv);
        let next = self.repeat();
        if let Some(mv) = mv {
            game.play_open(next, mv);
        }
    }

    #[inline(always)]
    fn may_exchange(&self, place: u32) -> bool {
        let list = self.lists.get(self.at);
        let mv = list.and_then(|list| list.get(place as usize));
        mv.is_none_or(|&mv| self.game.may_exchange(self.last(), mv))
    }

    fn exchange_planes(&self) -> &'static [usize] {
        self.game.exchange_planes()
    }

    fn hand_over(&mut self) -> bool {
        let game = self.game;
        // What kept the position before it need not keep this one.
        self.follow(None);
        let handed = game.hand_over(self.repeat());
        if !handed {
            self.up();
        }
        handed
    }

    #[inline(always)]
    fn settle(&mut self) {
        self.game.settle(&mut self.states[self.at]);
        self.forget_look();
    }

    fn listed(&self, place: u32) -> u64 {
        let mv = self.lists.get(self.at).and_then(|l| l.get(place as usize));
        mv.map_or(0, |&mv| self.game.move_code(mv))
    }

    fn tag(&self, code: u64) -> u32 {
        let mv = self.game.move_from_code(code);
        mv.map_or(0, |mv| tag_of(self.game.move_index(mv) as u64))
    }

    fn seek(&mut self, seeker: &mut Seeker<'_>, task: Task) -> Estimate {
        seeker.work(self, task)
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
