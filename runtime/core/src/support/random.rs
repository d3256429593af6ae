//! The loop of random games, compiled for newer processors, too.

use std::ops::Range;

use crate::{ChoiceSet, Game, MoveList, Playout, PlayoutSums, RandomStreams, Rng};

/// A compiled game whose random games spend their time counting bits.
pub trait RandomGames: Game {
    /// Plays random moves until the game ends or a limit is reached.
    fn random_game<const DISTINCT: bool>(
        state: &mut Self::State,
        rng: &mut Rng,
        limit: u32,
        out: &mut MoveList<Self::Move>,
        playout: &mut Playout,
    );
}

/// Random games from one position, one after another.
struct Job<'a, G: Game, const DISTINCT: bool> {
    game: &'a G,
    /// Where each begins; where the last one ended, afterwards.
    state: &'a mut G::State,
    /// What the first game draws from; where the last one left it, afterwards.
    rng: &'a mut Rng,
    /// The seed and the numbers of the streams; those behind the first are what the games behind the first draw from.
    seed: u64,
    streams: Range<u64>,
    limit: u32,
    out: &'a mut MoveList<G::Move>,
    sums: &'a mut PlayoutSums,
}

impl<G: RandomGames, const DISTINCT: bool> rulec_cpu::Job for Job<'_, G, DISTINCT> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // Copies, so that what is small stays in registers.
        let (mut state, mut rng) = (self.state.clone(), self.rng.clone());
        let mut streams = self.streams;
        while let Some(stream) = streams.next() {
            // Games of a few moves would wait for their generator: the next one is made while this one is played.
            let next = Rng::new(self.seed, stream.wrapping_add(1));
            let mut playout = Playout::default();
            G::random_game::<DISTINCT>(&mut state, &mut rng, self.limit, self.out, &mut playout);
            playout.outcome = self.game.outcome(&state);
            self.sums.add(&playout);
            if !streams.is_empty() {
                state.clone_from(self.state);
                rng = next;
            }
        }
        (*self.state, *self.rng) = (state, rng);
    }
}

/// Plays a random game in the version that fits the processor.
#[inline]
pub fn random_playout<G: RandomGames>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    (limit, choices): (u32, ChoiceSet),
    out: &mut MoveList<G::Move>,
) -> Playout {
    let mut sums = PlayoutSums::default();
    let games = RandomStreams {
        seed: 0,
        streams: 0..1,
        limit,
        choices,
    };
    run(game, (&mut *state, rng), &games, out, &mut sums);
    Playout {
        plies: sums.plies as u32,
        moves: sums.moves,
        counted: sums.counted as u32,
        outcome: game.outcome(state),
    }
}

/// Plays random games in the version that fits the processor, see [`Game::random_playouts`].
#[inline]
pub fn random_playouts<G: RandomGames>(
    game: &G,
    start: &G::State,
    games: &RandomStreams,
    out: &mut MoveList<G::Move>,
    sums: &mut PlayoutSums,
) {
    let mut state = start.clone();
    let mut rng = Rng::new(games.seed, games.streams.start);
    run(game, (&mut state, &mut rng), games, out, sums);
}

/// One function for a game and for many, so that the loop is compiled once.
#[inline(never)]
fn run<G: RandomGames>(
    game: &G,
    (state, rng): (&mut G::State, &mut Rng),
    games: &RandomStreams,
    out: &mut MoveList<G::Move>,
    sums: &mut PlayoutSums,
) {
    let (seed, streams, limit) = (games.seed, games.streams.clone(), games.limit);
    match games.choices {
        ChoiceSet::All => rulec_cpu::run(Job::<G, false> {
            game,
            state,
            rng,
            seed,
            streams,
            limit,
            out,
            sums,
        }),
        ChoiceSet::Distinct => rulec_cpu::run(Job::<G, true> {
            game,
            state,
            rng,
            seed,
            streams,
            limit,
            out,
            sums,
        }),
    }
}

/// The methods of [`Game`](crate::Game) that play at random, for [`RandomGames`].
#[macro_export]
macro_rules! random_games {
    () => {
        fn random_playout(
            &self,
            state: &mut Self::State,
            rng: &mut $crate::Rng,
            limit: u32,
            choices: $crate::ChoiceSet,
            buffer: &mut $crate::MoveList<Self::Move>,
        ) -> $crate::Playout {
            $crate::support::random_playout(self, state, rng, (limit, choices), buffer)
        }

        fn random_playouts(
            &self,
            start: &Self::State,
            games: &$crate::RandomStreams,
            buffer: &mut $crate::MoveList<Self::Move>,
            sums: &mut $crate::PlayoutSums,
        ) {
            $crate::support::random_playouts(self, start, games, buffer, sums);
        }
    };
}
