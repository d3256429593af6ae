//! Looking for the best move by random games: flat Monte Carlo and UCT.
//!
//! Both work for any number of players: the end of a game gives every player a payoff between 0 and 1, and each
//! move is judged by the payoff of the player who makes it. One player may move several times in a row.
//! Results of draws are sampled by their weights.

use std::time::{Duration, Instant};

use rulec_core::{ChanceList, ChoiceSet, Game, MoveList, Outcome, Reason, Rng, Silent, Turn};

use crate::{Progress, tree::Tree};

/// How to look for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A tree that grows where moves look good, with an upper confidence bound as the guide.
    Uct,
    /// The same number of random games after each move.
    Flat,
}

/// A search and its bounds. With neither `games` nor `time`, [`SearchSettings::DEFAULT_GAMES`] are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// How to search.
    pub method: Method,
    /// Random games at most.
    pub games: Option<u64>,
    /// Time at most; the game at work is finished.
    pub time: Option<Duration>,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Stream of the random numbers.
    pub stream: u64,
    /// Weight of the unknown against the good in UCT, from 0 on.
    pub exploration: f64,
    /// Plies after which a random game is stopped; nobody has won it.
    pub limit: u32,
    /// Nodes of the tree at most, 32 bytes each. A full tree is used further but grows no more.
    pub nodes: usize,
}

impl SearchSettings {
    /// Random games where no bound is set.
    pub const DEFAULT_GAMES: u64 = 10_000;

    /// Settings of a search of so many random games.
    pub const fn games(method: Method, games: u64, seed: u64) -> Self {
        Self {
            method,
            games: Some(games),
            time: None,
            seed,
            stream: 0,
            exploration: 1.0,
            limit: 10_000,
            nodes: 8_000_000,
        }
    }
}

/// What a search thinks of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveReport {
    /// The packed move.
    pub code: u64,
    /// Random games that began with it.
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
    /// Random games played.
    pub games: u64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// The end that best play by everybody leads to, where it is proved.
    pub proof: Option<Outcome>,
}

impl SearchReport {
    /// The code of the best move, `None` where nobody has to move.
    pub fn best(&self) -> Option<u64> {
        self.moves.first().map(|m| m.code)
    }
}

/// Counts games and says when to stop. The clock is read seldom enough not to matter.
struct Pace<'p> {
    done: u64,
    games: u64,
    deadline: Option<Instant>,
    checked: Instant,
    next_check: u64,
    progress: Progress<'p>,
}

const CHECK_INTERVAL: Duration = Duration::from_millis(5);

impl<'p> Pace<'p> {
    fn new(settings: &SearchSettings, progress: Progress<'p>) -> Self {
        let now = Instant::now();
        let unbounded = match settings.time {
            Some(_) => u64::MAX,
            None => SearchSettings::DEFAULT_GAMES,
        };
        Self {
            done: 0,
            games: settings.games.unwrap_or(unbounded),
            deadline: settings.time.and_then(|time| now.checked_add(time)),
            checked: now,
            next_check: 1,
            progress,
        }
    }

    /// Whether one more game should be played, which is then counted. At least one is.
    fn go_on(&mut self) -> bool {
        if self.done >= self.games.max(1) || self.done == self.next_check && !self.check() {
            return false;
        }
        self.done += 1;
        true
    }

    #[cold]
    fn check(&mut self) -> bool {
        let now = Instant::now();
        let quick = now - self.checked < CHECK_INTERVAL;
        let stride = if quick { self.done.clamp(1, 4096) } else { 1 };
        self.checked = now;
        self.next_check = self.done + stride;
        self.deadline.is_none_or(|end| now < end) && (self.progress)(self.done)
    }
}

/// Searches with UCT. Ends that are certain are carried up the tree exactly, and a certain root ends the search.
///
/// `progress` is told the number of games; it stops the search by returning false.
pub fn uct<G: Game>(
    game: &G,
    root: &G::State,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let mut pace = Pace::new(settings, progress);
    let mut tree = Tree::new(settings.exploration, settings.nodes);
    let mut rng = Rng::new(settings.seed, settings.stream);
    let mut moves = MoveList::new();
    let mut results = ChanceList::new();
    while tree.proof().is_none() && pace.go_on() {
        let mut state = root.clone();
        tree.restart();
        let outcome = loop {
            if let Some(outcome) = tree.proof_here() {
                break Some(outcome);
            }
            let turn = game.turn(&state);
            if turn == Turn::Over {
                break tree.prove(game.outcome(&state));
            }
            if !tree.is_open() {
                if tree.is_fresh() {
                    let choices = ChoiceSet::Distinct;
                    let limit = settings.limit;
                    break game
                        .random_playout(&mut state, &mut rng, limit, choices, &mut moves)
                        .outcome;
                }
                if turn != Turn::Chance {
                    moves.clear();
                    if let Err(fault) = game.distinct_moves(&state, &mut moves) {
                        break tree.prove(Some(Outcome::fault(fault)));
                    }
                    for &mv in &moves {
                        tree.child(game.move_code(mv), game.mover(&state, mv));
                    }
                    tree.open(&mut rng);
                }
            }
            let mv = if turn == Turn::Chance {
                results.clear();
                game.chance_outcomes(&state, &mut results);
                if !tree.is_open() {
                    for &(mv, _) in &results {
                        tree.result(game.move_code(mv));
                    }
                    tree.open_draw();
                }
                results.draw_index(&mut rng).and_then(|index| {
                    tree.enter(index);
                    results.get(index).map(|&(mv, _)| mv)
                })
            } else {
                tree.select().and_then(|code| game.move_from_code(code))
            };
            match mv {
                Some(mv) => game.play(&mut state, mv, &mut Silent),
                None => break tree.prove(Some(Outcome::nobody(Reason::Stuck))),
            }
        };
        tree.back_up(outcome);
    }
    let mut report = tree.report();
    report.games = pace.done;
    report
}

/// The move that a search finds best, `None` where nobody has to move.
pub fn best_move<G: Game>(
    game: &G,
    state: &G::State,
    settings: &SearchSettings,
) -> Option<G::Move> {
    let report = match settings.method {
        Method::Uct => uct(game, state, settings, &mut |_| true),
        Method::Flat => flat(game, state, settings, &mut |_| true),
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
    let mut pace = Pace::new(settings, progress);
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
    report.moves.sort_by(|a, b| {
        let tried = (b.visits > 0).cmp(&(a.visits > 0));
        tried
            .then(b.value.total_cmp(&a.value))
            .then(a.code.cmp(&b.code))
    });
    report.line.extend(report.best());
    report
}
