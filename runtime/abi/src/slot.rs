//! A position that steps, with its legal moves.

use rulec_core::{
    BitSet, ChanceList, FullGame, MoveList, Outcome, Reason, Rng, Turn, bits::select64,
};

use crate::numbering::Numbering;
use crate::port::Refused;

/// Words of a set of legal moves; games with more moves list them.
const SET_WORDS: usize = 4;
/// Draws in a row after which a game is stopped.
const MOST_DRAWS: u32 = 10_000;

/// What all that belongs to a game shares.
pub(crate) struct Shared<G: FullGame> {
    pub(crate) game: G,
    /// The position at the start.
    pub(crate) start: G::State,
    pub(crate) numbering: Numbering,
    pub(crate) cells: usize,
    pub(crate) moves: usize,
    pub(crate) players: usize,
}

impl<G: FullGame> Shared<G> {
    pub(crate) fn new(game: G) -> Self {
        let info = game.info();
        Self {
            numbering: Numbering::new(),
            cells: info.planes.iter().map(|plane| plane.cells).sum(),
            moves: info.move_count,
            players: info.players.len(),
            start: game.initial(),
            game,
        }
    }

    /// Refuses games whose moves have too large numbers.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        match self.moves < 1 << 31 {
            true => Ok(()),
            false => Err(Refused::usage(format!(
                "the game has {} moves, too many for indexes of 32 bits",
                self.moves
            ))),
        }
    }
}

/// Who acts in a game of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Choice(u8),
    Chance,
    Over(Option<Outcome>),
}

/// A game of a batch with its legal moves.
pub(crate) struct Slot<G: FullGame> {
    pub(crate) state: G::State,
    pub(crate) moves: MoveList<G::Move>,
    /// The legal moves as a set, in place of the list.
    set: LegalSet,
    /// Whether sets are asked for before lists.
    pub(crate) sets: bool,
    /// The place of the move that was drawn last, which is likely to be played.
    drawn: usize,
    pub(crate) rng: Rng,
    pub(crate) ply: u32,
    pub(crate) status: Status,
}

impl<G: FullGame> Clone for Slot<G> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            moves: self.moves.clone(),
            set: self.set,
            sets: self.sets,
            drawn: self.drawn,
            rng: self.rng.clone(),
            ply: self.ply,
            status: self.status,
        }
    }
}

impl<G: FullGame> Slot<G> {
    /// A game at its start that lists its moves.
    pub(crate) fn new(shared: &Shared<G>, rng: Rng) -> Self {
        Self {
            state: shared.start.clone(),
            moves: MoveList::new(),
            set: LegalSet::default(),
            sets: false,
            drawn: 0,
            rng,
            ply: 0,
            status: Status::Chance,
        }
    }

    /// Begins the game anew, with the random numbers that come next.
    pub(crate) fn restart(&mut self, shared: &Shared<G>, given: bool) {
        self.state.clone_from(&shared.start);
        self.ply = 0;
        self.arrive(shared, given);
    }

    /// Goes on to the next decision: draws, unless results are given, and lists the moves.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, shared: &Shared<G>, given: bool) {
        self.moves.clear();
        self.set.len = 0;
        for _ in 0..MOST_DRAWS {
            match shared.game.turn(&self.state) {
                Turn::Decide(_) => {
                    self.status = self.list(shared);
                    return;
                }
                Turn::Over => {
                    self.status = Status::Over(shared.game.outcome(&self.state));
                    return;
                }
                Turn::Chance if given => {
                    self.status = Status::Chance;
                    return;
                }
                Turn::Chance => {
                    let mut results = ChanceList::new();
                    shared.game.chance_outcomes(&self.state, &mut results);
                    match results.draw(&mut self.rng) {
                        Some(result) => shared.game.play_open(&mut self.state, result),
                        None => {
                            self.status = Status::Over(Some(Outcome::nobody(Reason::Stuck)));
                            return;
                        }
                    }
                }
            }
        }
        self.status = Status::Over(Some(Outcome::nobody(Reason::Limit)));
    }

    #[inline(always)]
    fn list(&mut self, shared: &Shared<G>) -> Status {
        let game = &shared.game;
        let in_set = self.sets && self.set.fill(shared, &self.state);
        if !in_set && let Err(fault) = game.distinct_moves(&self.state, &mut self.moves) {
            self.moves.clear();
            return Status::Over(Some(Outcome::fault(fault)));
        }
        if self.count() == 0 {
            game.settle(&mut self.state);
            let outcome = game.outcome(&self.state);
            return Status::Over(outcome.or(Some(Outcome::nobody(Reason::Stuck))));
        }
        let player = match game.info().several_at_once {
            false => game.player(&self.state).unwrap_or(0),
            true => self.first_mover(game),
        };
        Status::Choice(player.min(127) as u8)
    }

    /// Where several may act the first who can does: the moves of the others are left out.
    fn first_mover(&mut self, game: &G) -> usize {
        let state = &self.state;
        let movers = self.moves.iter().map(|&mv| game.mover(state, mv));
        let first = movers.min().unwrap_or(0);
        self.moves.retain(|&mv| game.mover(state, mv) == first);
        first
    }

    /// The number of legal moves.
    #[inline(always)]
    fn count(&self) -> u32 {
        match self.set.words() {
            [] => self.moves.len() as u32,
            [only] => only.count_ones(),
            words => words.iter().map(|word| word.count_ones()).sum(),
        }
    }

    /// Plays one of the legal moves, by its place in the list, or its index where there is a set.
    #[inline(always)]
    pub(crate) fn play(&mut self, shared: &Shared<G>, at: usize, given: bool) {
        let mv = match self.set.words() {
            [] => self.moves.get(at).copied(),
            _ => shared.game.move_in_set(&self.state, at),
        };
        if let Some(mv) = mv {
            shared.game.play_open(&mut self.state, mv);
            self.ply += 1;
            self.arrive(shared, given);
        }
    }

    /// The legal moves with their indexes, in the order of the list.
    pub(crate) fn legal<'a>(
        &'a self,
        shared: &'a Shared<G>,
    ) -> impl Iterator<Item = (u32, G::Move)> + 'a {
        let listed = self.moves.iter();
        let listed = listed.map(|&mv| (shared.numbering.index(&shared.game, mv), mv));
        let set = match self.set.words() {
            [] => BitSet::EMPTY,
            _ => BitSet(self.set.words),
        };
        let in_set = set.into_iter().filter_map(|index| {
            let mv = shared.game.move_in_set(&self.state, index)?;
            Some((index as u32, mv))
        });
        listed.chain(in_set)
    }

    /// The place of a move in the list, or its index where there is a set.
    #[inline(always)]
    pub(crate) fn find(&self, shared: &Shared<G>, action: i32) -> Option<usize> {
        let action = usize::try_from(action).ok()?;
        if let words @ [_, ..] = self.set.words() {
            let word = words.get(action / 64)?;
            return (word >> (action % 64) & 1 == 1).then_some(action);
        }
        let index = |&mv: &G::Move| shared.numbering.index(&shared.game, mv) as usize;
        if self.moves.get(self.drawn).map(index) == Some(action) {
            return Some(self.drawn);
        }
        self.moves
            .iter()
            .map(index)
            .position(|index| index == action)
    }

    /// The index of a random move.
    #[inline(always)]
    pub(crate) fn draw(&mut self, shared: &Shared<G>) -> Option<u32> {
        let drawn = self.rng.below(self.count());
        if !self.set.words().is_empty() {
            return self.set.select(drawn);
        }
        self.drawn = drawn as usize;
        let mv = self.moves.get(self.drawn)?;
        Some(shared.numbering.index(&shared.game, *mv))
    }

    pub(crate) fn player(&self) -> i8 {
        match self.status {
            Status::Choice(player) => player as i8,
            Status::Chance => -1,
            Status::Over(_) => -2,
        }
    }
}

/// The legal moves of a position by their indexes.
#[derive(Clone, Copy, Debug, Default)]
struct LegalSet {
    words: [u64; SET_WORDS],
    /// Words in use: none where moves are listed.
    len: usize,
}

impl LegalSet {
    #[inline(always)]
    fn words(&self) -> &[u64] {
        self.words.get(..self.len).unwrap_or_default()
    }

    /// Takes the moves of a position, if they are had without a list.
    #[inline(always)]
    fn fill<G: FullGame>(&mut self, shared: &Shared<G>, state: &G::State) -> bool {
        let len = shared.moves.div_ceil(64);
        let Some(words) = self.words.get_mut(..len) else {
            return false;
        };
        // A call to clear one word would take as long as all else.
        match &mut *words {
            [only] => *only = 0,
            words => words.fill(0),
        }
        let filled = shared.game.legal_set(state, words);
        self.len = if filled { len } else { 0 };
        filled
    }

    /// The member with so many below it.
    #[inline(always)]
    fn select(&self, mut below: u32) -> Option<u32> {
        if let [only] = self.words() {
            return (*only != 0).then(|| select64(*only, below));
        }
        for (at, word) in (0..).zip(self.words()) {
            match below.checked_sub(word.count_ones()) {
                None => return Some(at * 64 + select64(*word, below)),
                Some(rest) => below = rest,
            }
        }
        None
    }
}

/// The bits of a byte, each as a byte.
#[inline(always)]
fn spread(bits: u8) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let apart = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    // What is not 0 reaches the highest bit of its byte.
    let high = ((apart & (0x7f * ONES)) + 0x7f * ONES) | apart;
    (high >> 7 & ONES).to_le_bytes()
}

/// Sets the bytes of the legal moves.
#[inline(always)]
pub(crate) fn show_bytes<G: FullGame>(shared: &Shared<G>, slot: &Slot<G>, mask: &mut [u8]) {
    if let words @ [_, ..] = slot.set.words() {
        for (word, cells) in words.iter().zip(mask.chunks_mut(64)) {
            for (bits, cells) in word.to_le_bytes().into_iter().zip(cells.chunks_mut(8)) {
                let bytes = spread(bits);
                match <&mut [u8; 8]>::try_from(&mut *cells) {
                    Ok(cells) => *cells = bytes,
                    Err(_) => {
                        for (cell, byte) in cells.iter_mut().zip(bytes) {
                            *cell = byte;
                        }
                    }
                }
            }
        }
        return;
    }
    mask.fill(0);
    for &mv in slot.moves.iter() {
        let index = shared.numbering.index(&shared.game, mv);
        if let Some(cell) = mask.get_mut(index as usize) {
            *cell = 1;
        }
    }
}

/// Sets the bits of the legal moves.
#[inline(always)]
pub(crate) fn show_bits<G: FullGame>(shared: &Shared<G>, slot: &Slot<G>, mask: &mut [u64]) {
    if let words @ [_, ..] = slot.set.words() {
        match (mask, words) {
            ([to], [only]) => *to = *only,
            (mask, words) => {
                for (to, word) in mask.iter_mut().zip(words) {
                    *to = *word;
                }
            }
        }
        return;
    }
    let indexes = slot.moves.iter();
    let indexes = indexes.map(|&mv| shared.numbering.index(&shared.game, mv));
    let bit = |index: u32| 1u64 << (index % 64);
    match mask {
        // A few words are made in registers.
        [only] => *only = indexes.fold(0, |set, index| set | bit(index)),
        [low, high] => {
            let add = |(low, high), index| match index < 64 {
                true => (low | bit(index), high),
                false => (low, high | bit(index)),
            };
            (*low, *high) = indexes.fold((0, 0), add);
        }
        mask => {
            mask.fill(0);
            for index in indexes {
                if let Some(word) = mask.get_mut(index as usize / 64) {
                    *word |= bit(index);
                }
            }
        }
    }
}
