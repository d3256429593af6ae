//! Series of episodes for people: attempts, picks, points, bonuses, one player or two, as the original server hosts them.

use rulec_core::EpisodeInfo;

use super::boards::Boards;
use super::scheme::{Incentive, Scheme, rounded};
use super::session::{Code, Finish, Session};
use crate::{AnyState, State};

/// An allowance for sums of costs that are no whole numbers.
const SLACK: f64 = 1e-6;

/// Who plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seats {
    /// One player.
    #[default]
    One,
    /// Two who try in turns and are paid alike.
    Together,
    /// Two of whom one goes on until an error; each is paid for own removals and errors.
    Against,
}

impl Seats {
    /// How many players.
    pub const fn count(self) -> usize {
        match self {
            Seats::One => 1,
            _ => 2,
        }
    }
}

/// How an episode stands, for players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It goes on.
    Playing,
    /// The board is cleared.
    Cleared,
    /// Nothing is accepted any more.
    Stalemate,
    /// Given up.
    GivenUp,
    /// The attempts that a bonus allows are spent.
    Lost,
    /// Won before the board is empty.
    EarlyWin,
    /// The player went away.
    WalkedAway,
    /// The partner went away.
    Abandoned,
}

impl Stand {
    /// Its number, the finish code of the original.
    pub const fn number(self) -> i32 {
        match self {
            Stand::Playing => 0,
            Stand::Cleared => 1,
            Stand::Stalemate => 2,
            Stand::GivenUp => 3,
            Stand::Lost => 4,
            Stand::EarlyWin => 5,
            Stand::WalkedAway => 6,
            Stand::Abandoned => 7,
        }
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Stand::Playing => "playing",
            Stand::Cleared => "cleared",
            Stand::Stalemate => "stalemate",
            Stand::GivenUp => "given up",
            Stand::Lost => "lost",
            Stand::EarlyWin => "early win",
            Stand::WalkedAway => "walked away",
            Stand::Abandoned => "abandoned",
        }
    }
}

/// A series: rules, where their boards come from, and how it is paid.
pub struct Course<'g> {
    /// A state of the game.
    pub start: State<'g>,
    /// How it is paid.
    pub scheme: Scheme,
}

impl<'g> Course<'g> {
    /// The series that the parameters of a game describe.
    ///
    /// # Errors
    /// When the game has no episodes or a parameter has no sense, for people.
    pub fn of(start: &(dyn AnyState<'g> + 'g)) -> Result<Course<'g>, String> {
        let info = start.info().episode.ok_or("the game has no episodes")?;
        Ok(Course {
            start: start.fork(),
            scheme: Scheme::read(info.parameters)?,
        })
    }
}

/// What is tried: a piece by its number in [`Session::pieces`], and the target; without one it is only asked whether the piece
/// can go anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The piece.
    pub piece: usize,
    /// Where to.
    pub target: Option<usize>,
}

/// What came of an episode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Earned {
    /// Points of each player for the episode.
    pub points: [i64; 2],
    /// Points for a bonus that is complete with it.
    pub bonus: i64,
}

/// The episode under way.
#[derive(Clone, Copy, Debug, Default)]
struct Present {
    /// Costs of attempts by each player.
    spent: [f64; 2],
    removed: [u64; 2],
    bonus: bool,
    promised: i64,
    early: bool,
    gave_up: bool,
    lost: bool,
    left: Option<Stand>,
    ended: bool,
    earned: Earned,
}

/// A series as far as it was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Episodes begun.
    pub episodes: u64,
    /// Those that belong to a bonus.
    pub bonus_episodes: u64,
    /// Successful ones of them.
    bonus_successes: u64,
    bonus_earned: bool,
    /// Points of each player, without the factor.
    pub points: [i64; 2],
    /// What they are multiplied by.
    pub factor: i64,
}

/// What is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GiveUp {
    /// The episode.
    Episode,
    /// The rest of the series.
    Series,
    /// All; the player goes away.
    Plan,
}

/// What may come after an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Another episode of the series.
    Episode,
    /// The next series.
    Series,
    /// Nothing more.
    End,
}

/// A host: the series of a plan, one after the other.
pub struct Host<'g> {
    courses: Vec<Course<'g>>,
    seats: Seats,
    series: usize,
    session: Session<'g>,
    tallies: Vec<Tally>,
    present: Present,
    in_bonus: bool,
    gave_up: Option<GiveUp>,
    /// Moves without an error between, over the episodes of a series, and how unlikely they are by chance.
    stretch: u64,
    ratio: f64,
    mover: usize,
}

impl<'g> Host<'g> {
    /// Begins with the first episode of the first series. A seed other than 0 makes boards repeatable.
    ///
    /// # Errors
    /// When there is no series or no board, for people.
    pub fn new(courses: Vec<Course<'g>>, seats: Seats, seed: i64) -> Result<Host<'g>, String> {
        let first = courses.first().ok_or("there is no series to play")?;
        let seed = match seed {
            0 => super::captive::by_chance(),
            seed => seed,
        };
        let session = session(first, |info| Boards::new(info, info.boards, seed))?;
        let mut host = Host {
            tallies: vec![
                Tally {
                    factor: 1,
                    ..Tally::default()
                };
                courses.len()
            ],
            courses,
            seats,
            series: 0,
            session,
            present: Present::default(),
            in_bonus: false,
            gave_up: None,
            stretch: 0,
            ratio: 0.0,
            mover: 0,
        };
        host.opened();
        Ok(host)
    }

    /// The episode as the rules see it.
    pub fn session(&self) -> &Session<'g> {
        &self.session
    }

    /// The number of the series, from 0.
    pub fn series(&self) -> usize {
        self.series
    }

    /// How the series is paid.
    pub fn scheme(&self) -> &Scheme {
        &self.courses[self.series].scheme
    }

    /// Each series as far as it was played.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Who plays.
    pub fn seats(&self) -> Seats {
        self.seats
    }

    /// Whose turn it is, from 0.
    pub fn mover(&self) -> usize {
        self.mover
    }

    /// Whether the episode belongs to a bonus.
    pub fn is_bonus(&self) -> bool {
        self.present.bonus
    }

    /// What the episode brought; nothing before its end.
    pub fn earned(&self) -> Earned {
        self.present.earned
    }

    /// The factor that is in force once the episode ends well.
    pub fn promised(&self) -> i64 {
        self.tallies[self.series].factor.max(self.present.promised)
    }

    /// Points of a player over all series.
    pub fn total(&self, player: usize) -> i64 {
        let of = |tally: &Tally| tally.points[player % 2] * tally.factor;
        self.tallies.iter().map(of).sum()
    }

    /// How the episode stands.
    pub fn stand(&self) -> Stand {
        let present = &self.present;
        match self.session.finish() {
            Finish::Cleared => Stand::Cleared,
            _ if present.early => Stand::EarlyWin,
            Finish::Stalemate => Stand::Stalemate,
            _ if present.gave_up => Stand::GivenUp,
            _ if present.lost => Stand::Lost,
            Finish::Playing => present.left.unwrap_or(Stand::Playing),
        }
    }

    /// How many attempts a bonus still allows.
    pub fn attempts_left(&self) -> Option<f64> {
        let Incentive::Bonus { attempts, .. } = self.scheme().incentive else {
            return None;
        };
        let spent: f64 = self.present.spent.iter().sum();
        let left = self.session.pieces().len() as f64 * attempts - spent;
        let left = if self.scheme().is_whole() {
            left.trunc()
        } else {
            left
        };
        self.present.bonus.then_some(left)
    }

    /// Makes an attempt; a player who is not on turn is refused.
    pub fn attempt(&mut self, player: usize, attempt: Attempt) -> Code {
        if self.stand() != Stand::Playing {
            return Code::NoGame;
        }
        if player != self.mover {
            return Code::OutOfTurn;
        }
        let rate = self.rate(attempt);
        let code = self.session.attempt_index(attempt.piece, attempt.target);
        if !code.counts() {
            return code;
        }
        let is_move = attempt.target.is_some();
        let cost = if is_move {
            1.0
        } else {
            self.scheme().pick_cost
        };
        self.present.spent[player % 2] += cost;
        let good = code == Code::Accept;
        if good && is_move {
            self.present.removed[player % 2] += 1;
            self.stretch += 1;
            self.ratio = if self.ratio == 0.0 {
                rate
            } else {
                self.ratio * rate
            };
        }
        if !good {
            self.stretch = 0;
            self.ratio = 0.0;
        }
        self.mover = match self.seats {
            Seats::One => 0,
            Seats::Together => 1 - player % 2,
            Seats::Against if good => player,
            Seats::Against => 1 - player % 2,
        };
        self.settle();
        code
    }

    /// How many times as likely as by chance a good move is: a player tries any piece, or only those that can go where
    /// that is shown, and any target.
    fn rate(&self, attempt: Attempt) -> f64 {
        let session = &self.session;
        let here = || session.pieces().iter().filter(|piece| piece.here);
        let movable = here().filter(|piece| session.targets(piece) != 0).count();
        let tried = if self.scheme().free {
            here().count()
        } else {
            movable
        };
        let own = session.pieces().get(attempt.piece);
        let own = own.map_or(0, |piece| session.targets(piece).count_ones());
        let ways = movable as f64 * f64::from(own);
        if ways == 0.0 {
            return 1.0;
        }
        (tried * session.info().targets) as f64 / ways
    }

    /// Looks what an attempt means for the incentive, and pays if the episode has ended.
    fn settle(&mut self) {
        let achieved = self.tallies[self.series].factor;
        let reached = match self.scheme().incentive {
            Incentive::Doubling { twice, four_times } => {
                (self.stretch >= twice, self.stretch >= four_times)
            }
            Incentive::Likelihood { twice, four_times } => {
                (self.ratio >= twice, self.ratio >= four_times)
            }
            _ => (false, false),
        };
        let cleared = self.session.finish() == Finish::Cleared;
        let known = achieved.max(self.present.promised);
        if known < 4 && reached.1 {
            self.present.promised = 4;
            self.present.early = !cleared;
        } else if known < 2 && reached.0 {
            self.present.promised = 2;
        }
        if let Some(left) = self.attempts_left() {
            self.present.lost = match self.session.finish() {
                Finish::Playing => left < 1.0 - SLACK,
                _ => left < -SLACK,
            };
        }
        if self.stand() != Stand::Playing {
            self.end();
        }
    }

    /// Pays for the episode.
    fn end(&mut self) {
        if self.present.ended {
            return;
        }
        self.present.ended = true;
        let paid = matches!(
            self.stand(),
            Stand::Cleared | Stand::Stalemate | Stand::EarlyWin | Stand::Abandoned
        );
        if paid {
            self.pay();
        }
        if self.present.bonus {
            self.end_bonus();
        }
        let tally = &mut self.tallies[self.series];
        let earned = self.present.earned;
        for (sum, points) in tally.points.iter_mut().zip(earned.points) {
            *sum += points + earned.bonus;
        }
        if paid {
            tally.factor = tally.factor.max(self.present.promised);
        }
    }

    fn pay(&mut self) {
        let (spent, removed) = (self.present.spent, self.present.removed);
        let errors = |player: usize| spent[player] - removed[player] as f64;
        let scheme = self.scheme();
        let points = match self.seats {
            Seats::Against => {
                let all = (removed[0] + removed[1]).max(1) as f64;
                let own = |player: usize| {
                    rounded(scheme.points(errors(player)) * removed[player] as f64 / all)
                };
                [own(0), own(1)]
            }
            _ => [rounded(scheme.points(errors(0) + errors(1))); 2],
        };
        self.present.earned.points = points;
    }

    fn end_bonus(&mut self) {
        let won = !self.present.lost && matches!(self.stand(), Stand::Cleared | Stand::Stalemate);
        let Incentive::Bonus { boards, points, .. } = self.scheme().incentive else {
            return;
        };
        let tally = &mut self.tallies[self.series];
        tally.bonus_successes += u64::from(won);
        let all = tally.bonus_successes == tally.bonus_episodes;
        if all && tally.bonus_successes >= boards {
            tally.bonus_earned = true;
            self.present.earned.bonus = points;
        }
    }

    /// Whether the player may ask for the bonus now.
    pub fn can_ask_for_bonus(&self) -> bool {
        let Incentive::Bonus { from, .. } = self.scheme().incentive else {
            return false;
        };
        let next = self.tallies[self.series].episodes + u64::from(self.present.ended);
        !self.in_bonus && next >= from
    }

    /// Begins the bonus, with the present episode if that goes on; whether that is possible.
    pub fn ask_for_bonus(&mut self) -> bool {
        if !self.can_ask_for_bonus() {
            return false;
        }
        self.in_bonus = true;
        if !self.present.ended {
            self.present.bonus = true;
            self.tallies[self.series].bonus_episodes += 1;
            self.settle();
        }
        true
    }

    /// Gives something up; an episode that has ended stays as it is.
    pub fn give_up(&mut self, what: GiveUp) {
        self.gave_up = match what {
            GiveUp::Episode => self.gave_up,
            more => Some(more),
        };
        if self.stand() == Stand::Playing {
            match (what, self.seats) {
                (GiveUp::Plan, Seats::One) => self.present.left = Some(Stand::WalkedAway),
                (GiveUp::Plan, _) => self.present.left = Some(Stand::Abandoned),
                _ => self.present.gave_up = true,
            }
            self.end();
        }
    }

    /// What comes after the present episode.
    pub fn after(&self) -> After {
        let tally = &self.tallies[self.series];
        let more = match (self.in_bonus, self.scheme().incentive) {
            (true, Incentive::Bonus { boards, .. }) => {
                let all = tally.bonus_successes == tally.bonus_episodes;
                all && !tally.bonus_earned && tally.bonus_episodes < boards
            }
            _ => tally.episodes < self.scheme().boards && tally.factor < 4,
        };
        match (self.gave_up, self.series + 1 < self.courses.len()) {
            (None, _) if more => After::Episode,
            (Some(GiveUp::Plan), _) | (_, false) => After::End,
            (_, true) => After::Series,
        }
    }

    /// Begins the next episode or series; an episode that goes on is given up. What was begun.
    ///
    /// # Errors
    /// When there is no board, for people.
    pub fn go_on(&mut self) -> Result<After, String> {
        if self.stand() == Stand::Playing {
            self.give_up(GiveUp::Episode);
        }
        let after = self.after();
        match after {
            After::Episode => self.session.next_episode()?,
            After::Series => {
                self.series += 1;
                let before = self.session.boards().clone();
                let follow = |info: &'static EpisodeInfo| before.followed_by(info, info.boards);
                self.session = session(&self.courses[self.series], follow)?;
                self.in_bonus = false;
                self.gave_up = None;
                self.stretch = 0;
                self.ratio = 0.0;
            }
            After::End => return Ok(after),
        }
        self.opened();
        Ok(after)
    }

    /// A board was set up.
    fn opened(&mut self) {
        let tally = &mut self.tallies[self.series];
        tally.episodes += 1;
        tally.bonus_episodes += u64::from(self.in_bonus);
        self.present = Present {
            bonus: self.in_bonus,
            ..Present::default()
        };
        self.mover = 0;
        if self.session.finish() != Finish::Playing {
            self.end();
        }
    }
}

fn session<'g>(
    course: &Course<'g>,
    boards: impl FnOnce(&'static EpisodeInfo) -> Result<Boards, String>,
) -> Result<Session<'g>, String> {
    let info = course.start.info().episode;
    let info = info.ok_or("the game has no episodes")?;
    Session::new(&*course.start, info, boards(info)?)
}
