//! Alpha-beta with iterative deepening and a transposition table, and expectimax with pruning.
//!
//! One player, who is on turn at the beginning, wants as much as possible, all others want that he gets little: with two
//! players that is what they want anyway, with more it is the paranoid search (Sturtevant and Korf, 2000). Who decides says
//! the position; signs are never turned from ply to ply. At draws of chance the values of the results are weighed, and
//! results are left out where no value of theirs could matter (Star1: Ballard, 1983).
//!
//! A value counts as *complete* if no look ahead was cut off below it. Then it is that of the whole game, whatever the
//! depth, and the search of a root that is complete ends.

use rulec_core::{Outcome, Reason, Turn};

use crate::{
    Progress,
    evaluation::{View, chance},
    heuristic::Judgement,
    search::{MoveReport, Pace, SearchReport, SearchSettings},
    walk::{Kind, Walk, look},
};

/// The value of a win at once; a loss is the negative of it.
pub(crate) const WIN: i32 = 1_000_000;
/// Ends are worth less the later they come, by one a move, down to this.
const LATE: i32 = 10_000;
/// Beyond all values.
const INFINITE: i32 = WIN + 1;
/// Moves that a search looks ahead at most.
const DEEPEST: u32 = 2_000;

/// The value of odds of a logarithm of 1, where they are learnt; about 20 is as good as won.
const ONE_LOGIT: f64 = ((WIN - 2 * LATE) / 20) as f64;
/// Exchanges that a search follows at most where looking ahead stops.
const EXCHANGES: u32 = 10;
/// From which depth, and behind how many better moves, a move is looked into less deeply at first.
const REDUCED: (u32, usize) = (3, 4);

/// Bytes of an entry of the table of positions.
pub const ENTRY_BYTES: usize = Table::ENTRY_BYTES;

/// What a search of positions needs.
pub(crate) struct Seeker<'a, 'p> {
    walk: &'a mut dyn Walk,
    /// The player who wants much.
    me: usize,
    pace: Pace<'p>,
    judgement: Judgement,
    shares: Vec<f64>,
    table: Table,
    /// Lists of moves for each ply.
    lists: Vec<Vec<u64>>,
    results: Vec<Vec<(u64, u64)>>,
    killers: Vec<[u64; 2]>,
    history: Vec<u32>,
    stopped: bool,
    hurry: bool,
    /// Whether what the table knows holds for every position of its key: else nothing is proved.
    exact: bool,
}

/// A value of a position as far as it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    value: i32,
    complete: bool,
}

/// Looks for the best move of the player on turn.
///
/// Values of moves other than the best are upper bounds. `progress` is told the number of positions.
pub fn alphabeta(
    walk: &mut dyn Walk,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
    let me = walk.player().unwrap_or(0);
    let mut seeker = Seeker::new(walk, me, settings, pace);
    let mut moves = Vec::new();
    if look(seeker.walk, &mut moves) != Kind::Choice {
        return SearchReport::default();
    }
    moves.retain(|&code| seeker.walk.mover(code) == me);
    let mut root: Vec<(u64, Found, u64)> = moves
        .iter()
        .map(|&code| {
            (
                code,
                Found {
                    value: 0,
                    complete: false,
                },
                0,
            )
        })
        .collect();
    let mut depth = 0;
    let deepest = settings.depth.unwrap_or(DEEPEST).min(DEEPEST);
    let mut complete = false;
    while depth < deepest && !complete {
        let before = root.clone();
        complete = seeker.root(&mut root, depth + 1);
        if seeker.stopped {
            // A part of the moves was searched deeper; the first of them, if it is done, was the best before.
            if depth > 0 {
                root = before;
            }
            break;
        }
        depth += 1;
        let report = seeker.report(&root, depth);
        seeker.pace.found(&report);
    }
    seeker.report(&root, depth)
}

/// What the whole game is worth to the player, without regard to how long it takes: his payoff as in the table, or only that it
/// is at most `low` or at least `high`. `None` if the search was stopped by its bounds.
pub(crate) fn settle(seeker: &mut Seeker<'_, '_>, low: i32, high: i32) -> Option<i32> {
    seeker.hurry = true;
    let found = seeker.node(DEEPEST, 0, low, high);
    (found.complete && !seeker.stopped).then_some(found.value)
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

fn proof(found: Found, me: usize, players: usize) -> Option<Outcome> {
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

impl<'a, 'p> Seeker<'a, 'p> {
    pub(crate) fn new(
        walk: &'a mut dyn Walk,
        me: usize,
        settings: &SearchSettings,
        pace: Pace<'p>,
    ) -> Self {
        let judgement = Judgement::new(settings.heuristic, walk, settings.seed, settings.limit);
        Self {
            exact: walk.is_exact(),
            walk,
            me,
            pace,
            judgement,
            shares: Vec::new(),
            table: Table::new(settings.table),
            lists: Vec::new(),
            results: Vec::new(),
            killers: Vec::new(),
            history: vec![0; HISTORY * 2],
            stopped: false,
            hurry: false,
        }
    }

    /// Positions looked at.
    pub(crate) fn looked_at(&self) -> u64 {
        self.pace.done
    }

    /// The table, to fill and to keep.
    pub(crate) fn table(&mut self) -> &mut Table {
        &mut self.table
    }

    /// The walk.
    pub(crate) fn walk(&mut self) -> &mut dyn Walk {
        self.walk
    }

    /// Whether a bound stopped the search; nothing more is found then.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// What is known of the moves of the root.
    fn report(&mut self, root: &[(u64, Found, u64)], depth: u32) -> SearchReport {
        let line = match root.first() {
            Some((code, _, _)) => self.line(*code, depth),
            None => Vec::new(),
        };
        let players = self.walk.info().players.len();
        let report = |&(code, found, visits): &(u64, Found, u64)| MoveReport {
            code,
            visits,
            value: payoff_of(found.value, self.judgement.learnt().is_some()),
            proof: proof(found, self.me, players).filter(|_| self.exact),
        };
        let mut moves: Vec<MoveReport> = root.iter().map(report).collect();
        // What is said of moves behind the best one is a bound only.
        moves.iter_mut().skip(1).for_each(|m| {
            if m.value > 0.0 {
                m.proof = None;
            }
        });
        SearchReport {
            proof: moves.first().and_then(|m| m.proof),
            moves,
            line,
            games: self.pace.done,
            nodes: self.table.used,
            depth: Some(depth),
        }
    }

    /// Searches all moves of the root to a depth and puts the best first; whether that is complete.
    fn root(&mut self, root: &mut [(u64, Found, u64)], depth: u32) -> bool {
        let mut alpha = -INFINITE;
        let mut complete = true;
        for at in 0..root.len() {
            let begun = self.pace.done;
            self.walk.down(root[at].0);
            let found = self.node(depth - 1, 1, alpha, INFINITE);
            self.walk.up();
            if self.stopped {
                return false;
            }
            complete &= found.complete;
            root[at].1 = found;
            root[at].2 = self.pace.done - begun;
            if found.value > alpha {
                alpha = found.value;
                root[..=at].rotate_right(1);
            }
        }
        complete
            || root
                .first()
                .is_some_and(|(_, best, _)| best.value >= WIN - LATE)
    }

    /// The value of the position at work; outside of the window it is a bound on its side.
    fn node(&mut self, depth: u32, ply: usize, mut alpha: i32, mut beta: i32) -> Found {
        if !self.pace.go_on() {
            self.stopped = true;
        }
        if self.stopped {
            return Found {
                value: 0,
                complete: false,
            };
        }
        let turn = self.walk.turn();
        if turn == Turn::Over {
            let outcome = self.walk.outcome();
            return self.end(outcome, ply);
        }
        if depth == 0 && self.judgement.learnt().is_some() {
            return self.exchanges(ply, alpha, beta, EXCHANGES);
        }
        if depth == 0 {
            self.judgement.shares(self.walk, &mut self.shares);
            let share = self.shares.get(self.me).copied().unwrap_or(0.5);
            let value = (2.0 * (share - 0.5) * f64::from(WIN - 2 * LATE)) as i32;
            return Found {
                value,
                complete: false,
            };
        }
        // Nothing can be better than to win at the next ply, or worse than to lose then.
        let soon = WIN
            - if self.hurry {
                0
            } else {
                (ply as i32).min(LATE - 1)
            };
        (alpha, beta) = (alpha.max(-soon), beta.min(soon));
        if alpha >= beta {
            let value = if alpha >= soon { soon } else { -soon };
            return Found {
                value,
                complete: true,
            };
        }
        let key = self.walk.key();
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|e| e.complete || e.depth >= depth) {
            let value = self.told(entry.value, ply);
            let complete = entry.complete;
            match entry.bound {
                Bound::Exact => return Found { value, complete },
                Bound::Lower if value >= beta => return Found { value, complete },
                Bound::Upper if value <= alpha => return Found { value, complete },
                Bound::Lower => alpha = alpha.max(value),
                Bound::Upper => beta = beta.min(value),
            }
        }
        if turn == Turn::Chance {
            return self.chance(depth, ply, alpha, beta);
        }
        let first = known.map(|entry| entry.best);
        self.choice(depth, ply, (alpha, beta), key, first)
    }

    /// The value of an end: the sooner the better, or the worse.
    fn end(&self, outcome: Option<Outcome>, ply: usize) -> Found {
        // What one of two wins the other loses.
        let beside = self.hurry || self.walk.info().players.len() == 2;
        let payoff = outcome.map_or(0.5, |o| match beside {
            true => o.rank(self.me),
            false => o.payoff(self.me),
        });
        let value = (2.0 * (payoff - 0.5) * f64::from(WIN)).round() as i32;
        let late = match self.hurry {
            true => 0,
            false => i32::try_from(ply).unwrap_or(LATE).min(LATE - 1),
        };
        Found {
            value: value - value.signum() * late.min(value.abs()),
            complete: true,
        }
    }

    /// A value from the table as one at this ply, and back with the sign turned.
    fn told(&self, value: i32, ply: usize) -> i32 {
        if self.hurry || value.abs() < WIN - LATE {
            return value;
        }
        let ply = i32::try_from(ply).unwrap_or(LATE).min(LATE - 1);
        let moved = value - value.signum() * ply;
        moved.signum() * moved.abs().max(WIN - LATE)
    }

    fn noted(&self, value: i32, ply: usize) -> i32 {
        if self.hurry || value.abs() < WIN - LATE {
            return value;
        }
        let ply = i32::try_from(ply).unwrap_or(LATE).min(LATE - 1);
        (value + value.signum() * ply).clamp(-WIN, WIN)
    }

    fn choice(
        &mut self,
        depth: u32,
        ply: usize,
        (mut alpha, mut beta): (i32, i32),
        key: u64,
        first: Option<u64>,
    ) -> Found {
        let (low, high) = (alpha, beta);
        let mut moves = self.take_list(ply);
        if let Err(fault) = self.walk.moves(&mut moves) {
            self.lists[ply] = moves;
            return self.end(Some(Outcome::fault(fault)), ply);
        }
        if moves.is_empty() {
            self.lists[ply] = moves;
            return self.end(None, ply);
        }
        // Where several may decide at once, who is first by the rules does; an order of players makes that one.
        let mine = self.walk.player() == Some(self.me);
        match self.judgement.learnt().is_some() && depth > 1 {
            true => self.sort_by_worth(&mut moves, ply, mine, first),
            false => self.sort(&mut moves, ply, mine, first),
        }
        let mut best = Found {
            value: if mine { -INFINITE } else { INFINITE },
            complete: true,
        };
        let mut best_move = moves[0];
        let mut cut = None;
        for (number, &code) in moves.iter().enumerate() {
            self.walk.down(code);
            let found = self.child(depth, ply, number, (alpha, beta), mine);
            self.walk.up();
            if self.stopped {
                break;
            }
            best.complete &= found.complete;
            let better = match mine {
                true => found.value > best.value,
                false => found.value < best.value,
            };
            if better {
                best.value = found.value;
                best_move = code;
            }
            match mine {
                true => alpha = alpha.max(found.value),
                false => beta = beta.min(found.value),
            }
            if alpha >= beta {
                cut = Some((code, found.complete));
                break;
            }
        }
        self.lists[ply] = moves;
        if self.stopped {
            return Found {
                value: 0,
                complete: false,
            };
        }
        if let Some((code, complete)) = cut {
            best.complete = complete;
            self.remember(code, ply, mine, depth);
        }
        let bound = match best.value {
            v if v >= high => Bound::Lower,
            v if v <= low => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.put(Entry {
            key,
            best: best_move,
            value: self.noted(best.value, ply),
            depth,
            bound,
            complete: best.complete,
        });
        best
    }

    /// The value of the position after a move, the one of some number in the list.
    ///
    /// With a learnt evaluation, moves behind the first are only asked whether they are better (principal variation search:
    /// Marsland and Campbell, 1982), late ones less deeply at first; those that are, are looked into again.
    fn child(
        &mut self,
        depth: u32,
        ply: usize,
        number: usize,
        (alpha, beta): (i32, i32),
        mine: bool,
    ) -> Found {
        if number == 0
            || beta - alpha <= 1 && depth < REDUCED.0
            || self.judgement.learnt().is_none()
        {
            return self.node(depth - 1, ply + 1, alpha, beta);
        }
        let (low, high) = match mine {
            true => (alpha, alpha + 1),
            false => (beta - 1, beta),
        };
        let better = |found: Found| match mine {
            true => found.value > alpha,
            false => found.value < beta,
        };
        if depth >= REDUCED.0 && number >= REDUCED.1 {
            let less = 1 + u32::from(depth >= 6 && number >= 12);
            let found = self.node(depth - 1 - less, ply + 1, low, high);
            if self.stopped || !better(found) {
                return found;
            }
        }
        let found = self.node(depth - 1, ply + 1, low, high);
        if self.stopped || !better(found) || beta - alpha <= 1 {
            return found;
        }
        self.node(depth - 1, ply + 1, alpha, beta)
    }

    /// The value of the position when nobody looks at more than moves that exchange something (quiescence search).
    ///
    /// Who is on turn may leave all as it is, unless exchanges are forced; so a move is worth no more than the position
    /// after it.
    fn exchanges(&mut self, ply: usize, mut alpha: i32, mut beta: i32, left: u32) -> Found {
        let open = |value| Found {
            value,
            complete: false,
        };
        let turn = self.walk.turn();
        if turn == Turn::Over {
            let outcome = self.walk.outcome();
            return self.end(outcome, ply);
        }
        let Some(view) = self.judgement.view(self.walk) else {
            return open(0);
        };
        let Some(learnt) = self.judgement.learnt() else {
            return open(0);
        };
        let now = self.worth(view);
        if left == 0 || turn == Turn::Chance || !learnt.tells_exchanges() {
            return open(now);
        }
        let mine = self.walk.player() == Some(self.me);
        let enough = |value: i32| if mine { value >= beta } else { value <= alpha };
        if !learnt.is_forced() && enough(now) {
            return open(now);
        }
        let mut moves = Vec::new();
        match self.walk.moves(&mut moves) {
            Err(fault) => return self.end(Some(Outcome::fault(fault)), ply),
            Ok(()) if moves.is_empty() => return self.end(None, ply),
            Ok(()) => {}
        }
        let number = moves.len();
        let mut exchanges: Vec<(i32, u64, bool)> = Vec::new();
        for code in moves {
            self.walk.down(code);
            if self.walk.turn() == Turn::Over {
                let outcome = self.walk.outcome();
                exchanges.push((self.end(outcome, ply + 1).value, code, true));
            } else if let Some(after) = self.judgement.view(self.walk)
                && after.material != view.material
            {
                exchanges.push((self.worth(after), code, false));
            }
            self.walk.up();
        }
        let forced = learnt.is_forced() && exchanges.len() == number;
        let mut best = match forced {
            true if mine => -INFINITE,
            true => INFINITE,
            false => now,
        };
        exchanges.sort_by_key(|(worth, _, _)| if mine { -worth } else { *worth });
        for (worth, code, over) in exchanges {
            match mine {
                true => alpha = alpha.max(best),
                false => beta = beta.min(best),
            }
            let hopeless = if mine { worth <= alpha } else { worth >= beta };
            if alpha >= beta || hopeless && !forced {
                break;
            }
            let value = match over {
                true => worth,
                false => {
                    if !self.pace.go_on() {
                        self.stopped = true;
                    }
                    if self.stopped {
                        return open(0);
                    }
                    self.walk.down(code);
                    let found = self.exchanges(ply + 1, alpha, beta, left - 1);
                    self.walk.up();
                    found.value
                }
            };
            best = if mine {
                best.max(value)
            } else {
                best.min(value)
            };
        }
        open(best)
    }

    /// What the evaluation says, for the player who wants much.
    fn worth(&self, view: View) -> i32 {
        let logit = if self.me == 0 {
            view.logit
        } else {
            -view.logit
        };
        let most = f64::from(WIN - 2 * LATE);
        (logit * ONE_LOGIT).clamp(-most, most) as i32
    }

    /// The mean of the results of a draw by their weights. Results whose values cannot bring it into the window are left
    /// out.
    fn chance(&mut self, depth: u32, ply: usize, alpha: i32, beta: i32) -> Found {
        while self.results.len() <= ply {
            self.results.push(Vec::new());
        }
        let mut results = std::mem::take(&mut self.results[ply]);
        self.walk.results(&mut results);
        let total = results
            .iter()
            .map(|(_, weight)| *weight as f64)
            .sum::<f64>();
        let worst = f64::from(WIN);
        let mut sum = 0.0;
        let mut rest = total;
        let mut complete = true;
        let mut bounded = None;
        for &(code, weight) in &results {
            let weight = weight as f64;
            rest -= weight;
            // The result must be so good, or so bad, that all others at their worst, or best, still reach the window.
            let least = (f64::from(alpha) * total - sum - rest * worst) / weight;
            let most = (f64::from(beta) * total - sum + rest * worst) / weight;
            let limit = |x: f64| x.clamp(-worst - 1.0, worst + 1.0);
            let window = (limit(least.floor()) as i32, limit(most.ceil()) as i32);
            self.walk.down(code);
            let found = self.node(depth - 1, ply + 1, window.0, window.1);
            self.walk.up();
            complete &= found.complete;
            sum += weight * f64::from(found.value);
            if self.stopped {
                break;
            }
            if found.value <= window.0 && sum + rest * worst <= f64::from(alpha) * total {
                bounded = Some(((sum + rest * worst) / total.max(1.0), found.complete));
                break;
            }
            if found.value >= window.1 && sum - rest * worst >= f64::from(beta) * total {
                bounded = Some(((sum - rest * worst) / total.max(1.0), found.complete));
                break;
            }
        }
        self.results[ply] = results;
        let (mean, complete) = match bounded {
            Some((bound, _)) => (bound, complete),
            None => (sum / total.max(1.0), complete),
        };
        Found {
            value: mean.round() as i32,
            complete: complete && !self.stopped,
        }
    }

    fn take_list(&mut self, ply: usize) -> Vec<u64> {
        while self.lists.len() <= ply {
            self.lists.push(Vec::new());
            self.killers.push([u64::MAX; 2]);
        }
        std::mem::take(&mut self.lists[ply])
    }

    /// Puts moves that are likely to be good first: that of the table, those that cut off at this ply, and then those that
    /// often did so anywhere.
    fn sort(&self, moves: &mut [u64], ply: usize, mine: bool, first: Option<u64>) {
        let killers = self.killers[ply];
        moves.sort_by_cached_key(|&code| {
            let rank = match () {
                () if Some(code) == first => 0,
                () if killers[0] == code => 1,
                () if killers[1] == code => 2,
                () => 3,
            };
            (rank, u32::MAX - self.history[history_index(code, mine)])
        });
    }

    /// The same, but by what positions after moves are worth where the table knows nothing.
    fn sort_by_worth(&mut self, moves: &mut [u64], ply: usize, mine: bool, first: Option<u64>) {
        let killers = self.killers[ply];
        let before = self.judgement.view(self.walk).map(|view| view.material);
        let mut ranked: Vec<((u8, i64), u64)> = Vec::with_capacity(moves.len());
        for &code in moves.iter() {
            self.walk.down(code);
            let view = self.judgement.view(self.walk);
            self.walk.up();
            let exchanges = view.map(|view| view.material) != before;
            let worth = view.map_or(0, |view| i64::from(self.worth(view)));
            let worth = if mine { -worth } else { worth };
            let often = i64::from(self.history[history_index(code, mine)]);
            ranked.push(match () {
                () if Some(code) == first => ((0, 0), code),
                () if exchanges => ((1, worth), code),
                () if killers.contains(&code) => ((2, 0), code),
                () if often > 0 => ((3, -often), code),
                () => ((4, worth), code),
            });
        }
        ranked.sort_unstable();
        moves
            .iter_mut()
            .zip(ranked)
            .for_each(|(place, (_, code))| *place = code);
    }

    fn remember(&mut self, code: u64, ply: usize, mine: bool, depth: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let gain = depth.min(30).pow(2) + 1;
        let count = &mut self.history[history_index(code, mine)];
        *count = count.saturating_add(gain);
        if *count > 1 << 30 {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// The line that the table remembers, beginning with a move.
    fn line(&mut self, first: u64, depth: u32) -> Vec<u64> {
        let begun = self.walk.depth();
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(code) = next.filter(|_| line.len() <= depth as usize) {
            line.push(code);
            self.walk.down(code);
            let mut moves = Vec::new();
            next = match look(self.walk, &mut moves) {
                Kind::Choice => self.table.get(self.walk.key()).map(|entry| entry.best),
                _ => None,
            };
            next = next.filter(|code| moves.contains(code));
        }
        while self.walk.depth() > begun {
            self.walk.up();
        }
        line
    }
}

/// Rows of the table of moves that cut off, for each side.
const HISTORY: usize = 1 << 12;

fn history_index(code: u64, mine: bool) -> usize {
    let mixed = code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HISTORY.trailing_zeros());
    mixed as usize + HISTORY * usize::from(mine)
}

/// What a value in the table means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) best: u64,
    pub(crate) value: i32,
    pub(crate) depth: u32,
    pub(crate) bound: Bound,
    pub(crate) complete: bool,
}

/// A table of positions by their keys: of four places that a key may have, the entry of least worth gives way.
pub(crate) struct Table {
    entries: Vec<Option<Entry>>,
    limit: usize,
    pub(crate) used: usize,
}

const WAYS: usize = 4;

impl Table {
    /// A table of so many entries at most; it begins small and grows.
    pub(crate) fn new(limit: usize) -> Self {
        let limit = limit.clamp(WAYS, 1 << 40);
        let limit = 1 << limit.ilog2();
        Self {
            entries: vec![None; limit.min(1 << 12)],
            limit,
            used: 0,
        }
    }

    /// Bytes of an entry.
    pub(crate) const ENTRY_BYTES: usize = size_of::<Option<Entry>>();

    fn places(&self, key: u64) -> std::ops::Range<usize> {
        let groups = self.entries.len() / WAYS;
        let group = (key >> 7) as usize & (groups - 1);
        group * WAYS..group * WAYS + WAYS
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.entries[self.places(key)]
            .iter()
            .flatten()
            .find(|entry| entry.key == key)
            .copied()
    }

    pub(crate) fn put(&mut self, entry: Entry) {
        if self.used * 2 > self.entries.len() && self.entries.len() < self.limit {
            self.grow();
        }
        let places = self.places(entry.key);
        let group = &mut self.entries[places];
        let worth = |e: &Option<Entry>| match e {
            Some(e) if e.key == entry.key => (0, 0),
            None => (1, 0),
            Some(e) => (2 + u32::from(e.complete), e.depth),
        };
        if let Some(place) = group.iter_mut().min_by_key(|e| worth(e)) {
            self.used += usize::from(place.is_none());
            *place = Some(entry);
        }
    }

    fn grow(&mut self) {
        let larger = (self.entries.len() * 2).min(self.limit);
        let old = std::mem::replace(&mut self.entries, vec![None; larger]);
        self.used = 0;
        for entry in old.into_iter().flatten() {
            self.put(entry);
        }
    }

    /// All entries whose values are those of whole games.
    pub(crate) fn complete(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten().filter(|e| e.complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_what_is_complete_or_deep() {
        let entry = |key, depth, complete| Entry {
            key,
            best: 0,
            value: 5,
            depth,
            bound: Bound::Exact,
            complete,
        };
        let mut table = Table::new(1 << 14);
        table.put(entry(1, 9, true));
        for n in 0..100_000_u64 {
            table.put(entry(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 2, 1, false));
        }
        assert_eq!(table.get(1), Some(entry(1, 9, true)));
        assert!(table.entries.len() == 1 << 14 && table.used <= 1 << 14);
        assert_eq!(table.get(77), None);
    }

    #[test]
    fn late_wins_are_wins() {
        assert_eq!(
            [WIN - 300, 300 - WIN, 0].map(|value| payoff_of(value, true)),
            [1.0, 0.0, 0.5]
        );
    }
}
