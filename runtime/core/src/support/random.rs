//! The loop of random games, compiled for newer processors, too.

use crate::{ChoiceSet, Game, MoveList, Playout, RandomStreams, Rng};

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

/// Random games of one position after another.
struct Job<'a, G: Game, const DISTINCT: bool> {
    game: &'a G,
    state: &'a mut G::State,
    rng: &'a mut Rng,
    /// Where games begin that have streams of their own; without, there is one, with the state and the generator above.
    from: Option<(&'a G::State, &'a RandomStreams)>,
    limit: u32,
    out: &'a mut MoveList<G::Move>,
    each: &'a mut dyn FnMut(Playout),
}

impl<G: RandomGames, const DISTINCT: bool> rulec_cpu::Job for Job<'_, G, DISTINCT> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let streams = self.from.map_or(0..1, |(_, games)| games.streams.clone());
        for stream in streams {
            if let Some((start, games)) = self.from {
                self.state.clone_from(start);
                *self.rng = Rng::new(games.seed, stream);
            }
            let mut playout = Playout::default();
            G::random_game::<DISTINCT>(self.state, self.rng, self.limit, self.out, &mut playout);
            playout.outcome = self.game.outcome(self.state);
            (self.each)(playout);
        }
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
    let mut playout = Playout::default();
    let each = &mut |played| playout = played;
    run(game, (state, rng), None, (limit, choices), out, each);
    playout
}

/// Plays random games in the version that fits the processor, see [`Game::random_playouts`].
#[inline]
pub fn random_playouts<G: RandomGames>(
    game: &G,
    start: &G::State,
    games: &RandomStreams,
    out: &mut MoveList<G::Move>,
    each: &mut dyn FnMut(Playout),
) {
    let (mut state, mut rng) = (start.clone(), Rng::new(games.seed, 0));
    let (from, how) = (Some((start, games)), (games.limit, games.choices));
    run(game, (&mut state, &mut rng), from, how, out, each);
}

/// One function for a game and for many, so that the loop is compiled once.
#[inline(never)]
fn run<G: RandomGames>(
    game: &G,
    (state, rng): (&mut G::State, &mut Rng),
    from: Option<(&G::State, &RandomStreams)>,
    (limit, choices): (u32, ChoiceSet),
    out: &mut MoveList<G::Move>,
    each: &mut dyn FnMut(Playout),
) {
    match choices {
        ChoiceSet::All => rulec_cpu::run(Job::<G, false> {
            game,
            state,
            rng,
            from,
            limit,
            out,
            each,
        }),
        ChoiceSet::Distinct => rulec_cpu::run(Job::<G, true> {
            game,
            state,
            rng,
            from,
            limit,
            out,
            each,
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
            each: &mut dyn FnMut($crate::Playout),
        ) {
            $crate::support::random_playouts(self, start, games, buffer, each);
        }
    };
}
