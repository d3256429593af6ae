//! How well a game is read: simulated readings, counted.
//!
//! Random games are played on a simulated [`Table`]; after each move a frame is taken and read, knowing only the position
//! before. Eyes learn from a frame of the start, taken in the same conditions.

use rulec_core::{Fault, Game, MoveList, Rng, Turn};

use crate::decode::{Verdict, decode};
use crate::eyes::{Eyes, EyesError};
use crate::judge::{Caution, Question};
use crate::scene::{Scene, Standing};
use crate::table::{Conditions, Table};

/// What came of readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Frames that were read: after a move, or where nothing had changed.
    pub readings: u64,
    /// Read as what it was, without asking.
    pub right: u64,
    /// Taken for something else without asking: this must never happen.
    pub wrong: u64,
    /// Asked because two readings were about as likely.
    pub close: u64,
    /// Asked because nothing fitted.
    pub strange: u64,
    /// Asked for another reason.
    pub other: u64,
    /// Sessions: eyes learn once in each, and then read games until they have seen enough.
    pub sessions: u64,
    /// Frames of a start that did not show it clearly enough to begin; another frame was taken then.
    pub refused: u64,
    /// Sessions that were given up because no frame of the start was clear.
    pub given_up: u64,
}

impl Tally {
    /// How many readings ended with a question.
    pub fn asked(&self) -> u64 {
        self.close + self.strange + self.other
    }

    /// Adds the counts of another one.
    pub fn add(&mut self, other: &Self) {
        self.readings += other.readings;
        self.right += other.right;
        self.wrong += other.wrong;
        self.close += other.close;
        self.strange += other.strange;
        self.other += other.other;
        self.sessions += other.sessions;
        self.refused += other.refused;
        self.given_up += other.given_up;
    }
}

/// Why a trial ended early.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The scene does not suit a camera.
    #[error(transparent)]
    Eyes(#[from] EyesError),
    /// A rule went wrong.
    #[error("a rule went wrong while the game was played")]
    Fault(Fault),
}

/// Readings of a session, about a dozen games of frogs or three of connect four.
const SESSION: u64 = 50;
/// Frames of a start that are tried before a session is given up.
const TRIES: u32 = 8;
/// One frame in so many shows that nothing has changed.
const STILL: u32 = 8;
/// Longest game, in moves.
const LONGEST: u32 = 400;

/// Reads `count` frames of random games. The same seed gives the same counts on every machine.
///
/// `tell` hears how many were read, now and then.
///
/// # Errors
/// When the scene is not sound, or a rule goes wrong.
pub fn trial<G: Game>(
    game: &G,
    scene: &Scene,
    conditions: Conditions,
    caution: &Caution,
    count: u64,
    seed: u64,
    tell: &mut dyn FnMut(u64),
) -> Result<Tally, TrialError> {
    scene.check().map_err(EyesError::from)?;
    let mut tally = Tally::default();
    let mut number = 0;
    while tally.readings < count && tally.given_up <= count {
        let mut rng = Rng::new(seed, number);
        number += 1;
        let mut table = Table::new(scene, conditions, rng.u64());
        match open(scene, &mut table, &mut tally)? {
            Some(eyes) => {
                tally.sessions += 1;
                let mut round = Round {
                    game,
                    eyes,
                    table,
                    caution,
                };
                let enough = count.min(tally.readings + SESSION);
                let mut before = None;
                // A game that is over before it begins shows nothing.
                while tally.readings < enough && before != Some(tally.readings) {
                    before = Some(tally.readings);
                    round.play(&mut rng, enough, &mut tally)?;
                }
                tally.given_up += u64::from(before == Some(tally.readings));
            }
            None => tally.given_up += 1,
        }
        tell(tally.readings);
    }
    Ok(tally)
}

/// Eyes that have learnt from a frame of the start; none if no frame was clear.
fn open(scene: &Scene, table: &mut Table, tally: &mut Tally) -> Result<Option<Eyes>, EyesError> {
    for _ in 0..TRIES {
        let corners = table.corners();
        match Eyes::learn(scene, &corners, &table.frame(), &scene.standing()) {
            Ok(eyes) => return Ok(Some(eyes)),
            Err(EyesError::Unsure(_) | EyesError::Plane(_)) => tally.refused += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// A game on the table.
struct Round<'g, G: Game> {
    game: &'g G,
    eyes: Eyes,
    table: Table,
    caution: &'g Caution,
}

impl<G: Game> Round<'_, G> {
    fn play(&mut self, rng: &mut Rng, count: u64, tally: &mut Tally) -> Result<(), TrialError> {
        let mut state = self.game.initial();
        let mut standing = self.eyes.scene().standing();
        self.table.arrange(&standing);
        let mut moves = MoveList::new();
        for _ in 0..LONGEST {
            if tally.readings >= count || !matches!(self.game.turn(&state), Turn::Decide(_)) {
                break;
            }
            if rng.below(STILL) == 0 {
                self.read(&state, &standing, None, tally)?;
                continue;
            }
            moves.clear();
            let listed = self.game.distinct_moves(&state, &mut moves);
            listed.map_err(TrialError::Fault)?;
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let (mut next, mut stands) = (state.clone(), standing.clone());
            let scene = self.eyes.scene();
            self.game.play(&mut next, mv, &mut stands.follow(scene));
            self.table.arrange(&stands);
            self.read(&state, &standing, Some(&next), tally)?;
            (state, standing) = (next, stands);
        }
        Ok(())
    }

    /// Reads a frame of what came of a position: another one, or nothing.
    fn read(
        &mut self,
        state: &G::State,
        standing: &Standing,
        next: Option<&G::State>,
        tally: &mut Tally,
    ) -> Result<(), TrialError> {
        let sight = self.eyes.look(&self.table.frame())?;
        let scene = self.eyes.scene();
        let read = decode(self.game, scene, state, standing, &sight, self.caution);
        let read = read.map_err(TrialError::Fault)?;
        tally.readings += 1;
        let right = match (&read.verdict, next) {
            (Verdict::Ask(question), _) => {
                match question {
                    Question::Close => tally.close += 1,
                    Question::Strange => tally.strange += 1,
                    Question::Same | Question::Several => tally.other += 1,
                }
                return Ok(());
            }
            (Verdict::Nothing, next) => next.is_none(),
            (Verdict::Moves(_), None) => false,
            (Verdict::Moves(moves), Some(next)) => {
                let mut reached = state.clone();
                for &mv in moves {
                    self.game.play(&mut reached, mv, &mut rulec_core::Silent);
                }
                reached == *next
            }
        };
        match right {
            true => tally.right += 1,
            false => tally.wrong += 1,
        }
        Ok(())
    }
}
