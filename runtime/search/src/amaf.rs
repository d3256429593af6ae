//! What came of moves whenever they were made later in a game (all moves as first: RAVE, S. Gelly and D. Silver, 2007).
//!
//! In games in which a move means much the same at whatever time, such as putting a stone on a place, each game judges all
//! moves of its player at every position of the way and not the first one alone. That is worth much while a position is new,
//! and less and less the more often it was visited.

/// What is known of the moves of a tree, and of the game at work.
#[derive(Clone, Debug)]
pub(crate) struct Amaf {
    /// Visits of a position for which both sources count as much, about.
    balance: f32,
    /// The dense number of the move that leads to each node but the root, and what came of it.
    numbers: Vec<u32>,
    sums: Vec<f32>,
    counts: Vec<u32>,
    /// The game in which each player made the move of each number last.
    seen: Vec<u32>,
    players: usize,
    game: u32,
}

impl Amaf {
    /// For a game of so many players and numbers of moves.
    pub(crate) fn new(balance: f32, players: usize, moves: usize) -> Self {
        Self {
            balance,
            numbers: Vec::new(),
            sums: Vec::new(),
            counts: Vec::new(),
            seen: vec![0; players.max(1) * moves],
            players: players.max(1),
            game: 0,
        }
    }

    /// Adds nodes to which moves of these numbers lead.
    pub(crate) fn add(&mut self, numbers: impl Iterator<Item = usize>) {
        self.numbers.extend(numbers.map(|number| number as u32));
        self.sums.resize(self.numbers.len(), 0.0);
        self.counts.resize(self.numbers.len(), 0);
    }

    /// The move to a node changes its place with that to a sibling.
    pub(crate) fn swap(&mut self, one: usize, other: usize) {
        self.numbers.swap(one - 1, other - 1);
        self.sums.swap(one - 1, other - 1);
        self.counts.swap(one - 1, other - 1);
    }

    /// Begins with the moves of another game.
    pub(crate) fn begin(&mut self) {
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.seen.fill(0);
            self.game = 1;
        }
    }

    /// A player has made a move in the game at work.
    #[inline(always)]
    pub(crate) fn made(&mut self, player: usize, number: usize) {
        if let Some(seen) = self.seen.get_mut(number * self.players + player) {
            *seen = self.game;
        }
    }

    /// The player who led to a node has made the move that leads there.
    pub(crate) fn led(&mut self, player: usize, node: usize) {
        let number = self.numbers[node - 1] as usize;
        self.made(player, number);
    }

    /// Credits the move to a node if its player made it at some time from there on.
    #[inline(always)]
    pub(crate) fn credit(&mut self, player: usize, node: usize, payoff: f64) {
        let place = self.numbers[node - 1] as usize * self.players + player;
        if self.seen.get(place) == Some(&self.game) {
            self.sums[node - 1] += payoff as f32;
            self.counts[node - 1] += 1;
        }
    }

    /// The weight of what came of moves made later, at a position that was visited so often.
    pub(crate) fn weight(&self, visits: u32) -> f32 {
        (self.balance / (3.0 * visits as f32 + self.balance)).sqrt()
    }

    /// The mean of what came of the move to a node; nothing if it was never made.
    #[inline(always)]
    pub(crate) fn mean(&self, node: usize) -> Option<f32> {
        match self.counts[node - 1] {
            0 => None,
            count => Some(self.sums[node - 1] / count as f32),
        }
    }

    /// A node of another tree is the next one of this.
    pub(crate) fn copy(&mut self, other: &Self, node: usize) {
        self.numbers.push(other.numbers[node - 1]);
        self.sums.push(other.sums[node - 1]);
        self.counts.push(other.counts[node - 1]);
    }

    /// The same without nodes.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            numbers: Vec::new(),
            sums: Vec::new(),
            counts: Vec::new(),
            ..self.clone()
        }
    }
}
