//! The loop of random games, compiled for newer processors, too.

use crate::{ChoiceSet, Game, MoveList, Playout, Rng};

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

struct RandomGame<'a, G: Game, const DISTINCT: bool> {
    state: &'a mut G::State,
    rng: &'a mut Rng,
    limit: u32,
    out: &'a mut MoveList<G::Move>,
    playout: &'a mut Playout,
}

impl<G: RandomGames, const DISTINCT: bool> rulec_cpu::Job for RandomGame<'_, G, DISTINCT> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        G::random_game::<DISTINCT>(self.state, self.rng, self.limit, self.out, self.playout);
    }
}

/// Plays a random game in the version that fits the processor; the outcome is left to the caller.
#[inline]
pub fn random_playout<G: RandomGames>(
    state: &mut G::State,
    rng: &mut Rng,
    limit: u32,
    choices: ChoiceSet,
    out: &mut MoveList<G::Move>,
) -> Playout {
    let mut playout = Playout::default();
    match choices {
        ChoiceSet::All => rulec_cpu::run(RandomGame::<G, false> {
            state,
            rng,
            limit,
            out,
            playout: &mut playout,
        }),
        ChoiceSet::Distinct => rulec_cpu::run(RandomGame::<G, true> {
            state,
            rng,
            limit,
            out,
            playout: &mut playout,
        }),
    }
    playout
}
