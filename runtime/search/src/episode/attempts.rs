//! A player who tries at random: any piece, any target, until the board is cleared or nothing is accepted any more.

use rulec_core::episode::{Board, BoardSource};
use rulec_core::{Hosted, Rng, Silent, Turn};

use super::boards::{Boards, bits};

/// Episodes to play.
#[derive(Clone, Copy, Debug)]
pub struct AttemptJob {
    /// Where boards come from; the game's own source without it.
    pub source: Option<BoardSource>,
    /// Seed of the boards and of the player.
    pub seed: i64,
    /// How many episodes.
    pub episodes: u64,
    /// Most attempts of one episode.
    pub limit: u64,
}

/// What came of episodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttemptTally {
    /// Episodes played.
    pub episodes: u64,
    /// Attempts made.
    pub attempts: u64,
    /// Attempts that were accepted.
    pub accepted: u64,
    /// Episodes that ended with a cleared board.
    pub cleared: u64,
    /// Episodes in which nothing was accepted any more.
    pub stalemates: u64,
    /// Sum over episodes of the attempts that were not accepted, and of its square.
    pub errors: (u64, f64),
    /// Why it could not be gone on, for people.
    pub failure: Option<String>,
}

/// Plays episodes with a random player; `tally` grows.
pub fn run<G: Hosted>(game: &G, job: &AttemptJob, tally: &mut AttemptTally) {
    let Some(info) = game.info().episode else {
        tally.failure = Some("the game has no episodes".to_owned());
        return;
    };
    let source = job.source.unwrap_or(info.boards);
    let mut boards = match Boards::new(info, source, job.seed) {
        Ok(boards) => boards,
        Err(failure) => {
            tally.failure = Some(failure);
            return;
        }
    };
    let targets = info.targets.clamp(1, 64);
    let mut rng = Rng::new(job.seed as u64, 1);
    let mut board = Board::EMPTY;
    for _ in 0..job.episodes {
        if let Err(failure) = boards.draw(&mut board) {
            tally.failure = Some(failure);
            return;
        }
        let Some(mut state) = game.start(&board) else {
            tally.failure = Some("the rules have no such board".to_owned());
            return;
        };
        play(
            game, &mut state, &board, targets, job.limit, &mut rng, tally,
        );
    }
}

/// Plays one episode.
#[inline]
fn play<G: Hosted>(
    game: &G,
    state: &mut G::State,
    board: &Board,
    targets: usize,
    limit: u64,
    rng: &mut Rng,
    tally: &mut AttemptTally,
) {
    let mut units = [0_u8; 64];
    let mut left = 0;
    for unit in bits(board.present) {
        units[left] = unit as u8;
        left += 1;
    }
    let (mut attempts, mut accepted) = (0_u64, 0_u64);
    while attempts < limit && game.turn(state) != Turn::Over {
        let mut table = [0_u64; 64];
        for (target, units) in table.iter_mut().enumerate().take(targets) {
            *units = game.accepted(state, target);
        }
        let (target, place) = loop {
            let draw = rng.u64();
            let place = (((draw >> 32) * left as u64) >> 32) as usize & 63;
            let target = (((draw & 0xffff_ffff) * targets as u64) >> 32) as usize & 63;
            attempts += 1;
            if table[target] >> (units[place] & 63) & 1 == 1 {
                break (target, place);
            }
            if attempts >= limit {
                break (usize::MAX, place);
            }
        };
        let Some(mv) = game.attempt(target, units[place].into()) else {
            break;
        };
        game.play(state, mv, &mut Silent);
        accepted += 1;
        left -= 1;
        units[place] = units[left];
    }
    tally.episodes += 1;
    tally.attempts += attempts;
    tally.accepted += accepted;
    let errors = attempts - accepted;
    tally.errors.0 += errors;
    tally.errors.1 += (errors as f64).powi(2);
    if left == 0 {
        tally.cleared += 1;
    } else if game.turn(state) == Turn::Over {
        tally.stalemates += 1;
    }
}
