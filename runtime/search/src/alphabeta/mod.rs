//! Alpha-beta with iterative deepening and a transposition table, and expectimax with pruning.
//!
//! One player, who is on turn at the beginning, wants as much as possible, all others want that he gets little: with two
//! players that is what they want anyway, with more it is the paranoid search (Sturtevant and Korf, 2000). Who decides says
//! the position; signs are never turned from ply to ply. At draws of chance the values of the results are weighed, and
//! results are left out where no value of theirs could matter (`drawing`).
//!
//! A value counts as *complete* if no look ahead was cut off below it, and the table told nothing of it that holds by experience
//! alone. Then it is that of the whole game, whatever the depth, and the search of a root that is complete ends.
//!
//! Several threads search the same root and share the table alone (Lazy SMP): what one finds, the others need not look for.
//!
//! - `table`: what is known of positions; `node`: the search; `picking`: which move comes first
//! - `pruning`: what is not looked into; `exchanges`: where looking ahead stops; `drawing`: draws of chance
//! - `techniques`: what can be switched off; `turned`: moves of the table under symmetries

mod drawing;
mod exchanges;
#[cfg(test)]
mod given;
mod node;
mod picking;
mod pruning;
mod table;
mod techniques;
mod turned;

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};
use std::thread;
use std::time::{Duration, Instant};

use rulec_core::{Outcome, Reason};

pub use node::{Estimate, Seeker, Task};
pub(crate) use table::{BOUNDS, Bound, Entry, Table};
pub use techniques::{Technique, Techniques};

use crate::{
    AnyState, Progress,
    evaluation::chance,
    heuristic::Heuristic,
    orbit::Mirrors,
    search::{MoveReport, Pace, SearchReport, SearchSettings},
    walk::{Kind, Walk, look},
};

/// The value of a win at once; a loss is the negative of it.
pub(crate) const WIN: i32 = 1_000_000;
/// Ends are worth less the later they come, by one a move, down to this.
const LATE: i32 = 10_000;
/// Beyond all values.
const INFINITE: i32 = WIN + 1;
/// Moves that a search looks ahead at most: threads have room for so many calls.
const DEEPEST: u32 = 160;
/// The same where games are searched to their ends, by a thread with the room of a program. Code for debugging takes more of it.
const DEEPEST_OF_ALL: u32 = if cfg!(debug_assertions) { 200 } else { 1_000 };
/// The value of odds of a logarithm of 1, where they are learnt; about 20 is as good as won.
const ONE_LOGIT: f64 = ((WIN - 2 * LATE) / 20) as f64;
/// The window around the value of the search before: its first half width, from which depth it is used, and by how much it grows.
const WINDOW: (i32, u32, i32) = ((ONE_LOGIT * 0.25) as i32, 3, 4);

/// Bytes of an entry of the table of positions.
pub const ENTRY_BYTES: usize = Table::ENTRY_BYTES;

/// What a player keeps from move to move: the table of positions.
#[derive(Default)]
pub struct Memory(Option<Arc<Table>>);

impl Memory {
    /// The table of the last search, or a new one.
    fn table(&mut self, settings: &SearchSettings) -> Arc<Table> {
        let threads = settings.threads > 1;
        let fresh = || Arc::new(Table::new(settings.table, threads));
        let Some(mut known) = self.0.take() else {
            return fresh();
        };
        match Arc::get_mut(&mut known) {
            Some(table) if !(threads && table.can_grow()) => {
                table.grow_older();
                known
            }
            _ => fresh(),
        }
    }
}

/// Looks for the best move of the player on turn.
///
/// Values of moves other than the best are upper bounds. `progress` is told the number of positions.
pub fn alphabeta<'g>(
    state: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    alphabeta_on(state, settings, progress, &mut Memory::default())
}

/// [`alphabeta`], going on from what a search of a position before found.
pub fn alphabeta_on<'g>(
    state: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
    memory: &mut Memory,
) -> SearchReport {
    let table = memory.table(settings);
    let report = match settings.threads {
        0 | 1 => {
            let pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
            deepen(&mut *state.walk(), settings, pace, table, 0)
        }
        threads => in_parallel(state, settings, progress, table, threads),
    };
    memory.0 = Some(report.1);
    report.0
}

/// The main thread and its helpers.
fn in_parallel<'g>(
    state: &(dyn AnyState<'g> + 'g),
    settings: &SearchSettings,
    progress: Progress<'_>,
    table: Arc<Table>,
    threads: u32,
) -> (SearchReport, Arc<Table>) {
    let own = SearchSettings {
        games: settings.games.map(|games| games.div_ceil(threads.into())),
        ..*settings
    };
    let (stop, others) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut report, table) = thread::scope(|scope| {
        for helper in 1..threads {
            let (own, table, stop, others) = (&own, Arc::clone(&table), &stop, &others);
            let help = move || {
                let mut go_on = |_: u64| !stop.load(Relaxed);
                let pace = Pace::new(own, u64::MAX, &mut go_on);
                let (report, _) = deepen(&mut *state.walk(), own, pace, table, helper);
                others.fetch_add(report.games, Relaxed);
            };
            // Where the system gives no more threads, fewer do the work.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let pace = Pace::new(&own, SearchSettings::DEFAULT_POSITIONS, progress);
        let found = deepen(&mut *state.walk(), &own, pace, table, 0);
        stop.store(true, Relaxed);
        found
    });
    report.games += others.into_inner();
    (report, table)
}

/// A move of the root, what was found behind it, and how many positions were looked at for that.
type RootMove = (u64, Estimate, u64);

/// Looks deeper and deeper; the table too, which may have grown: it does only where nobody else holds it.
fn deepen(
    walk: &mut dyn Walk,
    settings: &SearchSettings,
    pace: Pace<'_>,
    table: Arc<Table>,
    helper: u32,
) -> (SearchReport, Arc<Table>) {
    let me = walk.player().unwrap_or(0);
    if matches!(settings.heuristic, Heuristic::Learnt(_)) {
        walk.merge_loosely();
    }
    // Others may judge images of a position otherwise than itself.
    let fair = matches!(settings.heuristic, Heuristic::Zero | Heuristic::Scores);
    let mirrors = match fair {
        true => settings.mirrors,
        false => Mirrors::Off,
    };
    if mirrors != Mirrors::Off {
        walk.try_one_of_each();
    }
    if mirrors == Mirrors::Positions {
        walk.merge_orbits_of_here();
    }
    let mut seeker = Seeker::new(walk, me, settings, pace, table);
    let mut moves = Vec::new();
    if look(walk, &mut moves) != Kind::Choice {
        return (SearchReport::default(), seeker.into_table());
    }
    moves.retain(|&code| walk.mover(code) == me);
    walk.one_of_each(&mut moves);
    let mut root: Vec<RootMove> = moves
        .iter()
        .map(|&code| (code, Estimate::OPEN, 0))
        .collect();
    let deepest = settings.depth.unwrap_or(DEEPEST).min(DEEPEST);
    let begun = Instant::now();
    let mut depth = 0;
    let mut complete = false;
    while depth < deepest && !complete && !is_enough(settings, begun, root.len(), depth) {
        // Helpers skip every other depth, so that not all do the same at the same time.
        let step = 1 + u32::from(helper % 2 == 1 && depth % 2 == 1);
        let next = (depth + step).min(deepest);
        let before = root.clone();
        complete = seeker.root_in_window(walk, &mut root, next);
        if seeker.is_stopped() {
            // What was best before has been looked at first, so what is best now is at least as good.
            if depth > 0 && !seeker.has_root_value() {
                root = before;
            }
            break;
        }
        depth = next;
        if helper == 0 {
            let report = seeker.report(walk, &root, depth);
            seeker.pace.found(&report);
        }
    }
    let report = seeker.report(walk, &root, depth);
    (report, seeker.into_table())
}

/// Whether another depth is not worth beginning: most of the time that is aimed at is gone, or there is nothing to choose.
fn is_enough(settings: &SearchSettings, begun: Instant, moves: usize, depth: u32) -> bool {
    let Some(aim) = settings.aim.filter(|_| depth > 0) else {
        return false;
    };
    moves == 1 || begun.elapsed() > aim.mul_f64(0.6).max(Duration::from_millis(1))
}

/// What the whole game is worth to the player, without regard to how long it takes: his payoff as in the table, or only that it
/// is at most `low` or at least `high`. `None` if the search was stopped by its bounds.
pub(crate) fn settle(
    walk: &mut dyn Walk,
    seeker: &mut Seeker<'_>,
    low: i32,
    high: i32,
) -> Option<i32> {
    seeker.hurry = true;
    let task = Task {
        depth: DEEPEST_OF_ALL,
        ply: 0,
        low,
        high,
    };
    let found = walk.seek(seeker, task);
    (found.complete && !seeker.is_stopped()).then_some(found.value)
}

fn payoff_of(value: i32, learnt: bool) -> f64 {
    let far = f64::from(value) / f64::from(WIN);
    // Wins that take long are wins all the same.
    let whole = f64::from(WIN - LATE) / f64::from(WIN);
    match far.abs() >= whole {
        true => f64::from(u8::from(far > 0.0)),
        false if learnt => chance(f64::from(value) / ONE_LOGIT),
        false => 0.5 + far / 2.0,
    }
}

fn proof(found: Estimate, me: usize, players: usize) -> Option<Outcome> {
    if !found.complete && found.value.abs() < WIN - LATE {
        return None;
    }
    match found.value {
        0 => Some(Outcome::nobody(Reason::Draw)),
        v if v >= WIN - LATE => Some(Outcome::win(me)),
        v if v <= LATE - WIN && players == 2 => Some(Outcome::win(1 - me.min(1))),
        v if v <= LATE - WIN && players == 1 => None,
        _ => None,
    }
}

impl Seeker<'_> {
    /// What is known of the moves of the root.
    fn report(&mut self, walk: &mut dyn Walk, root: &[RootMove], depth: u32) -> SearchReport {
        let line = match root.first() {
            Some((code, _, _)) => self.line(walk, *code, depth),
            None => Vec::new(),
        };
        let players = walk.info().players.len();
        let (me, learnt, exact) = (self.me(), self.is_learnt(), self.is_exact());
        let report = |&(code, found, visits): &RootMove| MoveReport {
            code,
            visits,
            value: payoff_of(found.value, learnt),
            proof: proof(found, me, players).filter(|_| exact),
        };
        let mut moves: Vec<MoveReport> = root.iter().map(report).collect();
        // What is said of moves behind the best one is a bound only.
        moves.iter_mut().skip(1).for_each(|m| {
            if m.value > 0.0 {
                m.proof = None;
            }
        });
        let end = root.first().map(|(_, found, _)| *found);
        let mut report = SearchReport {
            proof: moves.first().and_then(|m| m.proof),
            moves,
            line,
            games: self.pace.done,
            nodes: self.used(),
            depth: Some(depth),
            end: end
                .filter(|found| (WIN - LATE..=WIN).contains(&found.value.abs()))
                // Nobody has to lose by the best move unless the others are known to lose.
                .filter(|best| match best.value > 0 {
                    true => self.is_certain(*best),
                    false => root.iter().all(|(_, found, _)| self.is_certain(*found)),
                })
                .map(|found| (found.value > 0, (WIN - found.value.abs()) as u32)),
            fullness: Some(self.table().fullness()),
        };
        walk.tell_all(&mut report);
        report
    }

    /// Searches the moves of the root in a window around the value of the search before, which is widened until it holds.
    fn root_in_window(&mut self, walk: &mut dyn Walk, root: &mut [RootMove], depth: u32) -> bool {
        let around = root.first().map_or(0, |(_, found, _)| found.value);
        let narrow = self.is_learnt()
            && self.uses(Technique::Aspiration)
            && depth >= WINDOW.1
            && around.abs() < WIN - LATE;
        let (mut below, mut above) = match narrow {
            true => (WINDOW.0, WINDOW.0),
            false => (2 * INFINITE, 2 * INFINITE),
        };
        loop {
            let low = around.saturating_sub(below).max(-INFINITE);
            let high = around.saturating_add(above).min(INFINITE);
            let complete = self.root(walk, root, depth, (low, high));
            let value = root.first().map_or(0, |(_, found, _)| found.value);
            match () {
                () if self.is_stopped() => return false,
                () if value <= low && low > -INFINITE => below = below.saturating_mul(WINDOW.2),
                () if value >= high && high < INFINITE => above = above.saturating_mul(WINDOW.2),
                () => return complete,
            }
        }
    }

    /// Searches all moves of the root to a depth and puts the best first; whether that is complete.
    fn root(
        &mut self,
        walk: &mut dyn Walk,
        root: &mut [RootMove],
        depth: u32,
        (low, high): (i32, i32),
    ) -> bool {
        let mut alpha = low;
        let mut complete = true;
        self.begin_root();
        for at in 0..root.len() {
            let begun = self.pace.done;
            walk.down(root[at].0);
            let task = |low, high| Task {
                depth: depth - 1,
                ply: 1,
                low,
                high,
            };
            let narrow = at > 0 && self.uses(Technique::Pvs) && alpha > -INFINITE;
            let mut found = match narrow {
                true => walk.seek(self, task(alpha, alpha + 1)),
                false => walk.seek(self, task(alpha, high)),
            };
            if narrow && !self.is_stopped() && found.value > alpha && found.value < high {
                found = walk.seek(self, task(alpha, high));
            }
            walk.up();
            if self.is_stopped() {
                return false;
            }
            complete &= found.complete;
            root[at].1 = found;
            root[at].2 = self.pace.done - begun;
            if found.value > alpha || at == 0 {
                alpha = alpha.max(found.value);
                root[..=at].rotate_right(1);
                self.found_root_value(found.value > low);
            }
            if alpha >= high {
                break;
            }
        }
        let best = root.first().map_or(Estimate::OPEN, |(_, best, _)| *best);
        let won = best.value >= WIN - LATE && self.is_certain(best);
        won || complete && best.value > low && best.value < high
    }

    /// The line that the table remembers, beginning with a move.
    fn line(&mut self, walk: &mut dyn Walk, first: u64, depth: u32) -> Vec<u64> {
        let begun = walk.depth();
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(code) = next.filter(|_| line.len() <= depth as usize) {
            line.push(code);
            walk.down(code);
            let mut moves = Vec::new();
            next = match look(walk, &mut moves) {
                Kind::Choice => self.known(walk).map(|entry| entry.best).and_then(|tag| {
                    let found = moves.iter().find(|&&code| walk.tag(code) == tag);
                    found.copied()
                }),
                _ => None,
            };
        }
        while walk.depth() > begun {
            walk.up();
        }
        line
    }
}

#[cfg(test)]
#[path = "../../examples/tic_tac_toe/game.rs"]
mod tic_tac_toe;

#[cfg(test)]
mod tests {
    use rulec_core::{ChoiceSet, Game, Rng, Turn};

    use super::{tic_tac_toe::TicTacToe, *};
    use crate::{
        evaluation::{Evaluation, Learnt},
        search::Method,
        start, view,
    };

    /// What each thing is worth in each place, drawn at random.
    fn drawn(rng: &mut Rng) -> Learnt {
        let info = TicTacToe.info();
        let mut json = Evaluation::empty(info).to_json();
        let mut draw = |number: usize| -> Vec<f64> {
            let one = |_| rng.below64(2_001) as f64 / 1_000.0 - 1.0;
            (0..number).map(one).collect()
        };
        json["turn"] = draw(1)[0].into();
        for plane in json["planes"].as_array_mut().expect("planes") {
            let values = plane["counts"].as_array().expect("counts").len();
            let cells = plane["cells"].as_u64().expect("cells") as usize;
            plane["counts"] = draw(values).into();
            plane["places"] = draw(values * cells).into();
        }
        let evaluation = Evaluation::from_json(&json.to_string()).expect("it is one");
        Learnt::keep("drawn", evaluation)
    }

    /// The value of a position by looking at everything.
    fn minimax(state: &crate::State<'_>, learnt: Learnt, me: usize, depth: u32, ply: i32) -> i32 {
        if state.turn() == Turn::Over {
            let payoff = state.outcome().map_or(0.5, |outcome| outcome.payoff(me));
            return match payoff {
                p if p > 0.75 => WIN - ply,
                p if p < 0.25 => ply - WIN,
                _ => 0,
            };
        }
        if depth == 0 {
            let logit = state.judged(learnt.evaluation()).logit;
            let most = f64::from(WIN - 2 * LATE);
            let own = if me == 0 { logit } else { -logit };
            return (own * ONE_LOGIT).clamp(-most, most) as i32;
        }
        let moves = view::options(&**state, ChoiceSet::All).expect("moves");
        let values = moves.iter().map(|&code| {
            let mut next = state.fork();
            next.play(code, None);
            minimax(&next, learnt, me, depth - 1, ply + 1)
        });
        match state.player() == Some(me) {
            true => values.max().expect("a move"),
            false => values.min().expect("a move"),
        }
    }

    #[test]
    fn techniques_that_are_exact_find_what_looking_at_everything_finds() {
        let rng = &mut Rng::new(11, 0);
        for number in 0..60_u32 {
            let learnt = drawn(rng);
            let mut state = start(&TicTacToe);
            for _ in 0..number % 6 {
                state = state.drawn(ChoiceSet::All, rng).expect("a move");
            }
            if state.turn() == Turn::Over {
                continue;
            }
            let me = state.player().expect("a player");
            let depth = 1 + number % 5;
            let truth = payoff_of(minimax(&state, learnt, me, depth, 0), true);
            for without in [
                "none",
                "table",
                "pvs",
                "aspiration",
                "killers+history+counters",
            ] {
                let inexact = "lmr+futility+extensions+quiescence+passing+shallow";
                let settings = SearchSettings {
                    depth: Some(depth),
                    heuristic: Heuristic::Learnt(learnt),
                    techniques: format!("{inexact}+{without}").parse().expect("names"),
                    ..SearchSettings::of(Method::AlphaBeta)
                };
                let found = alphabeta(&*state, &settings, &mut |_: u64| true);
                let value = found.moves[0].value;
                assert!((value - truth).abs() < 1e-9, "{without}: {value} {truth}");
            }
        }
    }

    #[test]
    fn late_wins_are_wins() {
        assert_eq!(
            [WIN - 300, 300 - WIN, 0].map(|value| payoff_of(value, true)),
            [1.0, 0.0, 0.5]
        );
    }
}
