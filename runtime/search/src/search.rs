//! Looking for the best move: what can be asked for, and what is found.
//!
//! All searches work for any number of players: the end of a game gives every player a payoff between 0 and 1, and each
//! move is judged by the payoff of the player who makes it. Who moves next says the position, never the parity of
//! plies: one player may move several times in a row. Results of draws count by their weights.

use std::time::{Duration, Instant};

use rulec_core::{
    ChoiceSet, Game, Identities, MoveArgs, MoveList, Observe, OpenPlay, Outcome, Rng, Silent, Turn,
};

pub use crate::uct::uct;
use crate::{
    AnyState, Progress,
    alphabeta::{self, Techniques},
    endgames::Kept,
    heuristic::Heuristic,
    maxn,
    orbit::Mirrors,
    proof, puct, puzzle, s3,
};

/// How to look for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A tree that grows where moves look good, with an upper confidence bound as the guide.
    Uct,
    /// The same number of random games after each move.
    Flat,
    /// A tree that is guided by an evaluator of positions, see [`crate::puct`].
    Puct,
    /// Alpha-beta for two players, see [`crate::alphabeta`]; with draws of chance, expectimax with pruning.
    AlphaBeta,
    /// Everybody for himself, see [`crate::maxn`].
    MaxN,
    /// All others against the player on turn, see [`crate::maxn`].
    Paranoid,
    /// Proof numbers, see [`crate::proof`].
    ProofNumber,
    /// A shortest way to a win, breadth first, see [`crate::puzzle`].
    BreadthFirst,
    /// A way to a win, deepest first, see [`crate::puzzle`].
    DepthFirst,
    /// A cheapest way to a win, nearest first by a heuristic, see [`crate::puzzle`].
    AStar,
    /// The strategies of S3 Games that are none of the others, see [`crate::s3`].
    S3(crate::s3::Strategy),
}

/// What judges the leaves of [`Method::Puct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// All moves are alike, everybody is as well off.
    Uniform,
    /// All moves are alike, so many random games say how well off players are.
    Rollout(u32),
    /// A network that was trained for the game.
    Network(&'static crate::network::Network),
}

/// A search and its bounds. Without `games` and `time`, the default of the method holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// How to search.
    pub method: Method,
    /// Random games at most; positions at most for searches that play none.
    pub games: Option<u64>,
    /// Time at most; the game at work is finished.
    pub time: Option<Duration>,
    /// Moves to look ahead at most, for searches that look ahead.
    pub depth: Option<u32>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Stream of the random numbers.
    pub stream: u64,
    /// Weight of the unknown against the good in UCT and PUCT, from 0 on.
    pub exploration: f64,
    /// Plies after which a random game is stopped; nobody has won it.
    pub limit: u32,
    /// Nodes of the tree at most, about 50 bytes each, and for those with children the position if it is plain data of at most
    /// 256 bytes. A full tree is used further but grows no more.
    pub nodes: usize,
    /// Whether UCT carries ends that are certain up the tree.
    pub solve: bool,
    /// Whether a player keeps what it knows from move to move.
    pub reuse: bool,
    /// Threads of one search. Each grows a tree of its own and tells the others of what was visited often; without a bound of time the result
    /// depends on their number but not on how they run.
    pub threads: u32,
    /// Share of noise in the weight of the unknown at the root, from 0 to 1.
    pub noise: f64,
    /// Parameter of the Dirichlet distribution of that noise, above 0: small ones favour few moves.
    pub alpha: f64,
    /// What judges positions where looking ahead stops.
    pub heuristic: Heuristic,
    /// Entries of the transposition table at most, 16 bytes each.
    pub table: usize,
    /// What alpha-beta does beside the bare search.
    pub techniques: Techniques,
    /// What alpha-beta and UCT make of symmetries.
    pub mirrors: Mirrors,
    /// Tables of endgames that alpha-beta looks positions up in.
    pub tables: Option<Kept>,
    /// Time after which no deeper search is begun that would hardly end: what a clock has for this move.
    pub aim: Option<Duration>,
    /// Plies of a random game of UCT after which a learnt evaluation judges.
    pub cut: u32,
    /// The share of what the evaluation says, if everybody takes what is best by it, in how UCT judges moves, from 0 to 1; see
    /// [`SearchSettings::heuristic`].
    pub minimax: f64,
    /// Visits of a position at which what came of a move whenever it was made later counts about as much to UCT as what came of it at once,
    /// from 0, for which that does not count.
    pub rave: f32,
    /// Leaves that are judged at once by the evaluator.
    pub batch: u16,
    /// The evaluator.
    pub judge: Judge,
}

impl SearchSettings {
    /// Random games where no bound is set.
    pub const DEFAULT_GAMES: u64 = 10_000;
    /// Positions where no bound is set, for searches that look ahead.
    pub const DEFAULT_POSITIONS: u64 = 100_000;

    /// Settings of a search of so many random games, or positions.
    pub const fn games(method: Method, games: u64, seed: u64) -> Self {
        Self {
            method,
            games: Some(games),
            time: None,
            depth: None,
            seed,
            stream: 0,
            exploration: 1.0,
            limit: 10_000,
            nodes: 8_000_000,
            solve: true,
            reuse: true,
            threads: 1,
            noise: 0.0,
            alpha: 0.3,
            heuristic: Heuristic::Scores,
            table: 1 << 20,
            techniques: Techniques::ALL,
            mirrors: Mirrors::Moves,
            tables: None,
            aim: None,
            cut: 4,
            minimax: 0.0,
            rave: 0.0,
            batch: 8,
            judge: Judge::Rollout(1),
        }
    }

    /// Settings of a method with its default bounds.
    pub const fn of(method: Method) -> Self {
        Self {
            games: None,
            ..Self::games(method, 0, 1)
        }
    }

    /// The bound of games or positions: what is set, else with a time or a depth none, else the default.
    pub(crate) fn bound(&self, default: u64) -> u64 {
        let unbounded = match (self.time, self.depth) {
            (None, None) => default,
            _ => u64::MAX,
        };
        self.games.unwrap_or(unbounded)
    }
}

/// What a search thinks of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveReport {
    /// The packed move.
    pub code: u64,
    /// Random games that began with it; positions behind it for searches that play none.
    pub visits: u64,
    /// Its mean payoff for the player who makes it; the exact one where the end is proved.
    pub value: f64,
    /// The end that best play by everybody leads to, where it is proved.
    pub proof: Option<Outcome>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchReport {
    /// The moves, the best one first.
    pub moves: Vec<MoveReport>,
    /// The best moves of everybody from here on, as far as they were looked at.
    pub line: Vec<u64>,
    /// Random games played; positions looked at for searches that play none.
    pub games: u64,
    /// Nodes of the tree, or entries of the table.
    pub nodes: usize,
    /// Moves looked ahead completely, for searches that look ahead.
    pub depth: Option<u32>,
    /// The end that best play by everybody leads to, where it is proved.
    pub proof: Option<Outcome>,
    /// Whether who is on turn wins, and in how many plies, where looking ahead has shown that it can be forced.
    pub end: Option<(bool, u32)>,
    /// Of a thousand entries of the table, how many are in use.
    pub fullness: Option<u32>,
}

impl SearchReport {
    /// The code of the best move, `None` where nobody has to move.
    pub fn best(&self) -> Option<u64> {
        self.moves.first().map(|m| m.code)
    }
}

/// Counts games and says when to stop. The clock is read seldom enough not to matter.
pub(crate) struct Pace<'p> {
    pub(crate) done: u64,
    games: u64,
    deadline: Option<Instant>,
    checked: Instant,
    next_check: u64,
    progress: Progress<'p>,
}

const CHECK_INTERVAL: Duration = Duration::from_millis(5);

impl<'p> Pace<'p> {
    /// Begins to count; without a bound of any kind, up to `default`.
    pub(crate) fn new(settings: &SearchSettings, default: u64, progress: Progress<'p>) -> Self {
        let now = Instant::now();
        Self {
            done: 0,
            games: settings.bound(default),
            deadline: settings.time.and_then(|time| now.checked_add(time)),
            checked: now,
            next_check: 1,
            progress,
        }
    }

    /// Whether one more game should be played, which is then counted. At least one is.
    #[inline(always)]
    pub(crate) fn go_on(&mut self) -> bool {
        if self.done >= self.games.max(1) || self.done == self.next_check && !self.check() {
            return false;
        }
        self.done += 1;
        true
    }

    /// Tells what was found so far.
    pub(crate) fn found(&mut self, report: &SearchReport) {
        self.progress.found(report);
    }

    #[cold]
    fn check(&mut self) -> bool {
        let now = Instant::now();
        let quick = now - self.checked < CHECK_INTERVAL;
        let stride = if quick { self.done.clamp(1, 4096) } else { 1 };
        self.checked = now;
        self.next_check = self.done + stride;
        self.deadline.is_none_or(|end| now < end) && self.progress.go_on(self.done)
    }
}

/// The move that a search by random games finds best, `None` where nobody has to move.
///
/// Methods that need more than a game and a position are looked for with [`crate::AnyState::search`]; UCT stands for
/// them here.
pub fn best_move<G: Observe + Identities + MoveArgs + OpenPlay>(
    game: &G,
    state: &G::State,
    settings: &SearchSettings,
) -> Option<G::Move> {
    let report = match settings.method {
        Method::Flat => flat(game, state, settings, &mut |_| true),
        _ => uct(game, state, settings, &mut |_| true),
    };
    report.best().and_then(|code| game.move_from_code(code))
}

/// Plays the same number of random games after each move.
///
/// `progress` is told the number of games; it stops the search by returning false.
pub fn flat<G: Game>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let mut pace = Pace::new(settings, SearchSettings::DEFAULT_GAMES, progress);
    let mut rng = Rng::new(settings.seed, settings.stream);
    let mut buffer = MoveList::new();
    let mut moves = MoveList::new();
    let decides = matches!(game.turn(root), Turn::Decide(_));
    if !decides || game.distinct_moves(root, &mut moves).is_err() || moves.is_empty() {
        return SearchReport::default();
    }
    let mut sums = vec![(0u64, 0f64); moves.len()];
    let mut at = 0;
    while pace.go_on() {
        let mv = moves[at];
        let mut state = root.clone();
        game.play(&mut state, mv, &mut Silent);
        let choices = ChoiceSet::Distinct;
        let playout =
            game.random_playout(&mut state, &mut rng, settings.limit, choices, &mut buffer);
        sums[at].0 += 1;
        sums[at].1 += playout
            .outcome
            .map_or(0.5, |o| o.payoff(game.mover(root, mv)));
        at = (at + 1) % moves.len();
    }
    let mut report = SearchReport {
        games: pace.done,
        ..SearchReport::default()
    };
    report.moves.extend(
        moves
            .iter()
            .zip(sums)
            .map(|(&mv, (visits, sum))| MoveReport {
                code: game.move_code(mv),
                visits,
                value: sum / visits.max(1) as f64,
                proof: None,
            }),
    );
    best_by_value(&mut report.moves);
    report.line.extend(report.best());
    report
}

/// Puts moves that were tried first, and of these the best by value.
pub(crate) fn best_by_value(moves: &mut [MoveReport]) {
    moves.sort_by(|a, b| {
        let tried = (b.visits > 0).cmp(&(a.visits > 0));
        tried
            .then(b.value.total_cmp(&a.value))
            .then(a.code.cmp(&b.code))
    });
}

/// Sorts by visits, and then puts the best move first: the most visited one, unless a proved end is at least as
/// good. Proved losses come last.
pub(crate) fn best_first(moves: &mut [MoveReport]) {
    let lost = |m: &MoveReport| m.proof.is_some() && m.value <= 0.0;
    moves.sort_by(|a, b| {
        let by_visits = lost(a).cmp(&lost(b)).then(b.visits.cmp(&a.visits));
        by_visits
            .then(b.value.total_cmp(&a.value))
            .then(a.code.cmp(&b.code))
    });
    let open = moves
        .iter()
        .find(|m| m.proof.is_none())
        .map_or(0.0, |m| m.value);
    let proved = (0..moves.len()).filter(|&i| moves[i].proof.is_some() && moves[i].value >= open);
    let best = proved.max_by(|&i, &j| moves[i].value.total_cmp(&moves[j].value).then(j.cmp(&i)));
    if let Some(best) = best.filter(|&i| !lost(&moves[i])) {
        moves[..=best].rotate_right(1);
    }
}

/// The searches that are compiled once for all games.
pub(crate) fn by_walking<'g>(
    state: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    match settings.method {
        Method::AlphaBeta | Method::Paranoid => alphabeta::alphabeta(state, settings, progress),
        Method::MaxN => maxn::maxn(&mut *state.walk(), settings, progress),
        Method::ProofNumber => proof::proof_number(&mut *state.walk(), settings, progress),
        Method::Puct => puct::puct(state, settings, progress),
        Method::S3(strategy) => s3::search(state, strategy, settings, progress),
        Method::BreadthFirst | Method::DepthFirst | Method::AStar => {
            puzzle::search(state, settings, progress)
        }
        // These two have been done by who knows the type of the game.
        Method::Uct | Method::Flat => state.search(settings, progress),
    }
}
