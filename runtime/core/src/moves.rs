//! Lists of moves that the caller owns and reuses, and the playout that needs nothing else.

use std::fmt;
use std::ops::Deref;

use crate::bits::BitSet;
use crate::{ChoiceSet, Fault, Game, Notation, OpenPlay, Outcome, Playout, Reason, Rng, Turn};

/// A list of moves.
///
/// The caller owns it and clears it between uses, so that steady use allocates nothing.
/// It reads like a slice.
#[derive(Clone)]
pub struct MoveList<M> {
    /// The moves, then room: what was listed before and is written over.
    room: Vec<M>,
    /// The number of moves, never more than there is room.
    len: usize,
}

impl<M> MoveList<M> {
    /// An empty list; allocates nothing.
    pub const fn new() -> Self {
        Self {
            room: Vec::new(),
            len: 0,
        }
    }

    /// An empty list with room for `capacity` moves.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            room: Vec::with_capacity(capacity),
            len: 0,
        }
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, mv: M) {
        match self.room.get_mut(self.len) {
            Some(slot) => *slot = mv,
            None => self.room.push(mv),
        }
        self.len += 1;
    }

    /// Appends `mv(member)` for each member of a set, least first. `mv` may also be called with 0 when 0 is not a member.
    #[inline(always)]
    pub fn push_members<const N: usize>(&mut self, members: BitSet<N>, mv: impl Fn(usize) -> M)
    where
        M: Copy,
    {
        for (number, mut word) in members.0.into_iter().enumerate() {
            if word == 0 {
                continue;
            }
            // With room for a whole word no place is asked for: their number is one of 64.
            let free = self.room.get_mut(self.len..self.len + 64);
            let room = match free.and_then(|free| free.first_chunk_mut::<64>()) {
                Some(room) => room,
                // What fills the room is written over; one of another member would be made whether there is room or not.
                None => match self.grow(mv(0)) {
                    Some(room) => room,
                    None => return,
                },
            };
            let mut count = 0;
            while word != 0 {
                room[count & 63] = mv(number * 64 + word.trailing_zeros() as usize);
                count += 1;
                word &= word - 1;
            }
            self.len += count;
        }
    }

    /// The number of moves.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no move.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One of the moves, each with the same chance.
    #[inline(always)]
    pub fn draw(&self, rng: &mut Rng) -> Option<M>
    where
        M: Copy,
    {
        let index = rng.below64(self.len as u64) as usize;
        let found = (index < self.len).then(|| self.room.get(index));
        found.flatten().copied()
    }

    /// Makes room for 64 more moves and gives it.
    #[cold]
    fn grow(&mut self, like: M) -> Option<&mut [M; 64]>
    where
        M: Copy,
    {
        self.room.resize(self.len + 64, like);
        self.room.get_mut(self.len..)?.first_chunk_mut()
    }

    /// Makes room for `additional` more moves, so that as many pushes do not allocate.
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        self.room.reserve(additional);
    }

    /// Removes every move and keeps the room.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the first `len` moves.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Removes and returns the move at `index`, and puts the last one there.
    ///
    /// # Panics
    /// When `index` is not below the length.
    #[inline]
    pub fn swap_remove(&mut self, index: usize) -> M
    where
        M: Copy,
    {
        let moves = self.as_mut_slice();
        let (mv, last) = (moves[index], moves[moves.len() - 1]);
        moves[index] = last;
        self.len -= 1;
        mv
    }

    /// Removes and returns the last move.
    #[inline]
    pub fn pop(&mut self) -> Option<M>
    where
        M: Copy,
    {
        let last = self.last().copied()?;
        self.len -= 1;
        Some(last)
    }

    /// Keeps the moves for which `keep` holds, in their order.
    pub fn retain(&mut self, keep: impl FnMut(&M) -> bool) {
        self.room.truncate(self.len);
        self.room.retain(keep);
        self.len = self.room.len();
    }

    /// The moves as a slice.
    #[inline(always)]
    pub fn as_slice(&self) -> &[M] {
        self.room.get(..self.len).unwrap_or_default()
    }

    /// The moves as a slice that can be changed.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [M] {
        self.room.get_mut(..self.len).unwrap_or_default()
    }
}

impl<M> Default for MoveList<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: fmt::Debug> fmt::Debug for MoveList<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl<M: PartialEq> PartialEq for MoveList<M> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<M: Eq> Eq for MoveList<M> {}

impl<M> Deref for MoveList<M> {
    type Target = [M];

    #[inline(always)]
    fn deref(&self) -> &[M] {
        self.as_slice()
    }
}

impl<M> Extend<M> for MoveList<M> {
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        self.room.truncate(self.len);
        self.room.extend(moves);
        self.len = self.room.len();
    }
}

impl<M> FromIterator<M> for MoveList<M> {
    fn from_iter<I: IntoIterator<Item = M>>(moves: I) -> Self {
        let room = Vec::from_iter(moves);
        Self {
            len: room.len(),
            room,
        }
    }
}

impl<M> IntoIterator for MoveList<M> {
    type Item = M;
    type IntoIter = std::vec::IntoIter<M>;

    fn into_iter(mut self) -> Self::IntoIter {
        self.room.truncate(self.len);
        self.room.into_iter()
    }
}

impl<'a, M> IntoIterator for &'a MoveList<M> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The legal moves, or results of the draw that is due, that are written so: reading for games whose texts
/// depend on the position ([`Notation::write_move_in`]).
pub fn named_moves<G: Notation>(
    game: &G,
    state: &G::State,
    text: &str,
    out: &mut MoveList<G::Move>,
) {
    let mut found = MoveList::new();
    // After a fault there is no move to name.
    let _ = game.legal_moves(state, &mut found);
    if game.turn(state) == Turn::Chance {
        let mut results = ChanceList::new();
        game.chance_outcomes(state, &mut results);
        found.extend(results.iter().map(|&(mv, _)| mv));
    }
    let mut shown = String::new();
    found.retain(|&mv| {
        shown.clear();
        game.write_move_in(state, mv, &mut shown);
        shown == text
    });
    out.extend(found);
}

/// The results of a draw with their exact weights; a weight over [`ChanceList::total`] is the probability.
///
/// It reads like a slice of pairs. The caller owns and reuses it like a [`MoveList`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChanceList<M> {
    outcomes: Vec<(M, u64)>,
    total: u64,
}

impl<M> ChanceList<M> {
    /// An empty list; allocates nothing.
    pub const fn new() -> Self {
        Self {
            outcomes: Vec::new(),
            total: 0,
        }
    }

    /// Appends a result. The sum of all weights must stay below 2^64; it saturates there.
    /// A result of weight 0 never happens and is left out.
    #[inline]
    pub fn push(&mut self, mv: M, weight: u64) {
        if weight > 0 {
            self.total = self.total.saturating_add(weight);
            self.outcomes.push((mv, weight));
        }
    }

    /// Removes every result and keeps the room.
    #[inline]
    pub fn clear(&mut self) {
        self.outcomes.clear();
        self.total = 0;
    }

    /// Sum of all weights.
    #[inline]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The results and their weights.
    #[inline]
    pub fn as_slice(&self) -> &[(M, u64)] {
        &self.outcomes
    }
}

impl<M: Copy> ChanceList<M> {
    /// One result, drawn by the weights; `None` when the list is empty.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> Option<M> {
        self.draw_index(rng).map(|index| self.outcomes[index].0)
    }

    /// The index of one result, drawn by the weights; `None` when the list is empty.
    #[inline]
    pub fn draw_index(&self, rng: &mut Rng) -> Option<usize> {
        let mut rest = rng.below64(self.total);
        for (index, &(_, weight)) in self.outcomes.iter().enumerate() {
            if rest < weight {
                return Some(index);
            }
            rest -= weight;
        }
        None
    }
}

impl<M> Default for ChanceList<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Deref for ChanceList<M> {
    type Target = [(M, u64)];

    fn deref(&self) -> &[(M, u64)] {
        &self.outcomes
    }
}

impl<'a, M> IntoIterator for &'a ChanceList<M> {
    type Item = &'a (M, u64);
    type IntoIter = std::slice::Iter<'a, (M, u64)>;

    fn into_iter(self) -> Self::IntoIter {
        self.outcomes.iter()
    }
}

/// [`Game::random_playout`] for any game: lists the moves of each ply and picks one.
pub fn listed_playout<G: OpenPlay + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    limit: u32,
    choices: ChoiceSet,
    buffer: &mut MoveList<G::Move>,
) -> Playout {
    told_playout(game, state, rng, limit, choices, buffer, |_, _| ())
}

/// [`listed_playout`] that tells of each move, or result of a draw, before it is played.
pub fn told_playout<G: OpenPlay + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    limit: u32,
    choices: ChoiceSet,
    buffer: &mut MoveList<G::Move>,
    mut tell: impl FnMut(&G::State, G::Move),
) -> Playout {
    let go = |state: &mut G::State, mv: Option<G::Move>| match mv {
        Some(mv) => {
            tell(state, mv);
            // Whether somebody can move then is seen when the moves are listed.
            game.play_open(state, mv);
        }
        None => game.settle(state),
    };
    playout_by(game, state, rng, limit, choices, buffer, go)
}

/// A playout in which `go` plays a move, or without one ends the game if nobody can move.
#[inline(always)]
pub(crate) fn playout_by<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    limit: u32,
    choices: ChoiceSet,
    buffer: &mut MoveList<G::Move>,
    mut go: impl FnMut(&mut G::State, Option<G::Move>),
) -> Playout {
    let mut results = ChanceList::new();
    let mut draws = 0;
    let mut playout = Playout::default();
    loop {
        let mv = match game.turn(state) {
            Turn::Over => break playout.outcome = game.outcome(state),
            Turn::Chance if draws == limit => break,
            Turn::Chance => {
                draws += 1;
                results.clear();
                game.chance_outcomes(state, &mut results);
                results.draw(rng)
            }
            Turn::Decide(_) if playout.plies == limit => {
                go(state, None);
                break playout.outcome = game.outcome(state);
            }
            Turn::Decide(_) => match pick(game, state, rng, choices, buffer) {
                Ok(mv) => {
                    playout.plies += 1;
                    playout.counted += 1;
                    playout.moves += buffer.len() as u64;
                    mv
                }
                Err(fault) => break playout.outcome = Some(Outcome::fault(fault)),
            },
        };
        match mv {
            Some(mv) => go(state, Some(mv)),
            None => {
                go(state, None);
                let stuck = || Outcome::nobody(Reason::Stuck);
                break playout.outcome = Some(game.outcome(state).unwrap_or_else(stuck));
            }
        }
    }
    playout
}

/// A uniformly drawn move, with the list that it came from left in `buffer`.
#[inline(always)]
fn pick<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    rng: &mut Rng,
    choices: ChoiceSet,
    buffer: &mut MoveList<G::Move>,
) -> Result<Option<G::Move>, Fault> {
    buffer.clear();
    match choices {
        ChoiceSet::All => game.legal_moves(state, buffer)?,
        ChoiceSet::Distinct => game.distinct_moves(state, buffer)?,
    }
    Ok(buffer.draw(rng))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_like_slices() {
        let mut list: MoveList<u8> = (0..5).collect();
        assert_eq!(list.swap_remove(1), 1);
        list.push(9);
        assert_eq!(list.as_slice(), [0, 4, 2, 3, 9]);
        list.retain(|m| m % 2 == 0);
        assert_eq!(list.iter().sum::<u8>(), 6);
        list.clear();
        assert!(list.is_empty() && list == MoveList::new());
    }

    #[test]
    fn members_are_appended_where_there_was_something_before() {
        let mut list: MoveList<usize> = (0..200).collect();
        list.truncate(2);
        list.push_members(BitSet([1 << 5, 3]), |member| member + 1000);
        assert_eq!(list.as_slice(), [0, 1, 1005, 1064, 1065]);
        list.push(7);
        list.push_members(BitSet::<3>::below(192), |member| member);
        list.push_members(BitSet::<3>::EMPTY, |member| member);
        assert_eq!((list.len(), list[5], list[6], list[197]), (198, 7, 0, 191));
        assert_eq!((list.pop(), list.swap_remove(0)), (Some(191), 0));
        assert_eq!(
            (list.len(), list[0], format!("{:?}", &list)),
            (196, 190, format!("{:?}", &list[..]))
        );
        list.extend([8, 9]);
        assert_eq!((list.len(), list.last()), (198, Some(&9)));
        assert_eq!(list.clone().into_iter().count(), 198);
    }

    #[test]
    fn draws_follow_the_weights_exactly() {
        let mut list = ChanceList::new();
        list.push('a', 1);
        list.push('z', 0);
        list.push('b', 2);
        assert_eq!((list.len(), list.total()), (2, 3));
        let mut rng = Rng::new(1, 0);
        let hits = (0..30_000)
            .filter(|_| list.draw(&mut rng) == Some('a'))
            .count();
        assert!((9_700..10_300).contains(&hits), "{hits}");
        list.clear();
        assert_eq!(list.draw(&mut rng), None);
    }
}
