//! The search of a position, compiled for each game.

use std::sync::Arc;

use rulec_core::{Outcome, Turn};

use super::{
    Bound, DEEPEST, Entry, INFINITE, LATE, ONE_LOGIT, Table, Technique, Techniques, WIN,
    picking::{NOBODY, Past, is_late, pick},
    table,
    turned::{Spot, Turned},
};
use crate::{
    endgames::{Endgames, Probe},
    evaluation::{Evaluation, View},
    heuristic::Judgement,
    search::{Pace, SearchSettings},
    walk::{Listed, Walk},
};

/// Exchanges that a search follows at most where looking ahead stops.
const EXCHANGES: u32 = 10;
/// From which depth, and behind how many better moves, a move is looked into less deeply at first.
const REDUCED: (u32, usize) = (3, 3);
/// Positions over which the usual number of moves is taken, and by what part of it moves count as forced.
const USUAL: f32 = 256.0;
const FORCED: f32 = 8.0;
/// How often the depth of the search a line may be extended.
const EXTENDED: usize = 2;

/// What a search of positions knows and remembers, beside the line of play.
pub struct Seeker<'p> {
    /// The player who wants much.
    me: usize,
    /// Whether there is one other player, who loses what he wins.
    two: bool,
    pub(super) pace: Pace<'p>,
    judgement: Judgement,
    /// The evaluation that was learnt, of the player who wants much.
    evaluation: Option<&'static Evaluation>,
    shares: Vec<f64>,
    pub(super) table: Arc<Table>,
    /// Entries of the table, as far as this search made them.
    used: usize,
    /// Keeps apart what players want in one table.
    pub(super) salt: u64,
    /// Lists of moves for each ply.
    pub(super) lists: Vec<Vec<Listed>>,
    pub(super) results: Vec<Vec<(u64, u64)>>,
    pub(super) past: Past,
    techniques: Techniques,
    /// The depth of the search from the root.
    deep: u32,
    /// About how many moves there have been to choose from.
    usual: f32,
    pub(super) stopped: bool,
    /// Whether it was stopped because some game lasts longer than a search goes.
    too_deep: bool,
    /// Whether a move of the root has got a value at this depth.
    valued: bool,
    /// Whether only the payoff counts, not how soon it comes.
    pub(super) hurry: bool,
    /// Tables of endgames, and room to look positions up.
    endgames: Option<(&'static Endgames, Probe)>,
    /// Whether what the table knows holds for every position of its key: else it proves nothing.
    exact: bool,
    /// Whether one move of a class of equal ones stands for all.
    classes: bool,
    /// What symmetries make of moves.
    pub(super) turned: Turned,
    /// Whether the game tells of moves that they exchange nothing that the evaluation counts.
    pub(super) foretells: bool,
    /// Whether doing nothing is not tried, because that is being verified.
    pub(super) verifying: bool,
}

/// A value of a position as far as it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    pub(crate) value: i32,
    pub(crate) complete: bool,
}

impl Estimate {
    /// Nothing is known.
    pub(super) const OPEN: Estimate = Estimate::open(0);

    pub(super) const fn open(value: i32) -> Estimate {
        Estimate {
            value,
            complete: false,
        }
    }
}

/// What is to be found of a position: its value, or on which side of a window it is.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub(super) depth: u32,
    pub(super) ply: usize,
    pub(super) low: i32,
    pub(super) high: i32,
}

/// A position that is being searched: how deep, at which ply, and the tag of the move before it.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) depth: u32,
    pub(super) ply: usize,
    pub(super) last: u32,
}

impl Here {
    pub(super) fn after(self, depth: u32, tag: u32) -> Here {
        Here {
            depth,
            ply: self.ply + 1,
            last: tag,
        }
    }
}

impl<'p> Seeker<'p> {
    pub(crate) fn new(
        walk: &mut dyn Walk,
        me: usize,
        settings: &SearchSettings,
        pace: Pace<'p>,
        table: Arc<Table>,
    ) -> Self {
        let judgement = Judgement::new(settings.heuristic, walk, settings.seed, settings.limit);
        let info = walk.info();
        let classes = info.exact_classes;
        let told = walk.exchange_planes();
        let evaluation = judgement.learnt().map(|evaluation| evaluation.of(me));
        let foretells = evaluation.is_some_and(|e| e.exchanges_only(told));
        // A player is refused before it plays whose tables do not fit.
        let kept = settings.tables.filter(|_| info.players.len() == 2);
        let endgames = kept.and_then(|kept| kept.read(info).ok());
        Self {
            two: info.players.len() == 2,
            endgames: endgames.map(|tables| (tables, Probe::default())),
            past: Past::new(info.move_count),
            exact: walk.is_exact(),
            turned: Turned::new(walk),
            classes,
            me,
            pace,
            judgement,
            evaluation,
            shares: Vec::new(),
            table,
            used: 0,
            salt: (me as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            lists: Vec::new(),
            results: Vec::new(),
            techniques: settings.techniques,
            deep: 0,
            usual: 0.0,
            stopped: false,
            too_deep: false,
            valued: false,
            hurry: false,
            foretells,
            verifying: false,
        }
    }

    /// Positions looked at.
    pub(crate) fn looked_at(&self) -> u64 {
        self.pace.done
    }

    /// Whether a bound stopped the search; nothing more is found then.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it was stopped because some game lasts longer than a search of whole games goes.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn into_table(self) -> Arc<Table> {
        self.table
    }

    pub(super) fn used(&self) -> usize {
        self.used
    }

    pub(super) fn me(&self) -> usize {
        self.me
    }

    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether the end that a value tells of can be forced: no position or move stood for another one by experience.
    pub(super) fn is_certain(&self, found: Estimate) -> bool {
        self.exact || self.classes && found.complete
    }

    pub(super) fn is_learnt(&self) -> bool {
        self.learnt().is_some()
    }

    pub(super) fn learnt(&self) -> Option<&'static Evaluation> {
        self.evaluation
    }

    #[inline(always)]
    pub(super) fn uses(&self, technique: Technique) -> bool {
        self.techniques.has(technique)
    }

    /// Begins with the moves of the root anew.
    pub(super) fn begin_root(&mut self) {
        self.valued = false;
    }

    pub(super) fn found_root_value(&mut self, inside: bool) {
        self.valued |= inside;
    }

    pub(super) fn has_root_value(&self) -> bool {
        self.valued
    }

    /// Keeps what is known of a position.
    #[inline(always)]
    pub(crate) fn keep(&mut self, entry: &Entry) {
        self.used += usize::from(self.table.put(entry));
        if self.used * 2 > self.table.size() && self.table.can_grow() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        // Other threads have their part of a table, which is whole then.
        if let Some(table) = Arc::get_mut(&mut self.table) {
            self.used = table.grow();
        }
    }

    /// Searches the position at work.
    pub(crate) fn work<W: Walk>(&mut self, walk: &mut W, task: Task) -> Estimate {
        self.deep = task.depth + task.ply as u32;
        let here = Here {
            depth: task.depth,
            ply: task.ply,
            last: NOBODY,
        };
        self.node(walk, here, task.low, task.high)
    }

    /// The value of the position at work; outside of the window it is a bound on its side.
    pub(super) fn node<W: Walk>(
        &mut self,
        walk: &mut W,
        here: Here,
        mut alpha: i32,
        mut beta: i32,
    ) -> Estimate {
        let Here { depth, ply, .. } = here;
        self.stopped |= !self.pace.go_on();
        if self.stopped {
            return Estimate::OPEN;
        }
        if depth == 0 {
            walk.settle();
        }
        let turn = walk.turn();
        if turn == Turn::Over {
            return self.end(walk.outcome(), ply);
        }
        // Nothing can be better than to win at the next ply, or worse than to lose then.
        let soon = WIN - self.late(ply);
        (alpha, beta) = (alpha.max(-soon), beta.min(soon));
        if alpha >= beta {
            return Estimate {
                value: if alpha >= soon { soon } else { -soon },
                complete: true,
            };
        }
        if let Some(found) = self.looked_up(walk, ply) {
            return found;
        }
        if depth == 0 && self.hurry {
            (self.stopped, self.too_deep) = (true, true);
            return Estimate::OPEN;
        }
        if depth == 0 {
            return self.leaf(walk, ply, alpha, beta);
        }
        if turn == Turn::Chance {
            return self.chance(walk, here, alpha, beta);
        }
        let spot = self.spot(walk, depth);
        let known = match self.uses(Technique::Table) {
            true => self.table.get(spot.key),
            false => None,
        };
        let mut proved = true;
        if let Some(entry) = known.filter(|e| e.complete || e.depth >= depth) {
            let found = Estimate {
                value: self.told(entry.value, ply),
                complete: entry.complete,
            };
            match entry.bound {
                Bound::Exact => return found,
                Bound::Lower if found.value >= beta => return found,
                Bound::Upper if found.value <= alpha => return found,
                Bound::Lower => alpha = alpha.max(found.value),
                Bound::Upper => beta = beta.min(found.value),
            }
            // What is outside of the narrower window is a bound, which the caller may take for the value.
            proved = found.complete;
        }
        let first = known.map_or(NOBODY, |entry| self.turned.back(spot.turned, entry.best));
        let found = self.choice(walk, here, (alpha, beta), spot, first);
        Estimate {
            complete: found.complete && proved,
            ..found
        }
    }

    /// What tables of endgames tell of a position, but for the first one, of which a move is wanted. It counts as no proof: draws by
    /// repetition are left out there.
    #[inline(always)]
    fn looked_up<W: Walk>(&mut self, walk: &W, ply: usize) -> Option<Estimate> {
        if self.endgames.is_none() || ply == 0 {
            return None;
        }
        self.in_tables(walk, ply)
    }

    #[inline(never)]
    fn in_tables<W: Walk>(&mut self, walk: &W, ply: usize) -> Option<Estimate> {
        let (tables, probe) = self.endgames.as_mut()?;
        let Some((winner, plies)) = tables.look_at(walk, probe)?.told()? else {
            return Some(Estimate::open(0));
        };
        let value = WIN - self.late(ply + usize::from(plies));
        Some(Estimate::open(match usize::from(winner) == self.me {
            true => value,
            false => -value,
        }))
    }

    /// By how much an end at a ply is worth less than one at once.
    #[inline(always)]
    pub(super) fn late(&self, ply: usize) -> i32 {
        match self.hurry {
            true => 0,
            false => (ply as i32).min(LATE - 1),
        }
    }

    /// The value of an end: the sooner the better, or the worse.
    #[inline(always)]
    pub(super) fn end(&self, outcome: Option<Outcome>, ply: usize) -> Estimate {
        // What one of two wins the other loses.
        let beside = self.hurry || self.two;
        let payoff = outcome.map_or(0.5, |o| match beside {
            true => o.rank(self.me),
            false => o.payoff(self.me),
        });
        let value = (2.0 * (payoff - 0.5) * f64::from(WIN)).round() as i32;
        let late = self.late(ply);
        Estimate {
            value: value - value.signum() * late.min(value.abs()),
            complete: true,
        }
    }

    /// A value from the table as one at this ply.
    #[inline(always)]
    fn told(&self, value: i32, ply: usize) -> i32 {
        if value.abs() < WIN - LATE {
            return value;
        }
        let moved = value - value.signum() * self.late(ply);
        moved.signum() * moved.abs().max(WIN - LATE)
    }

    /// A value at this ply as one for the table.
    #[inline(always)]
    fn noted(&self, value: i32, ply: usize) -> i32 {
        if value.abs() < WIN - LATE {
            return value;
        }
        (value + value.signum() * self.late(ply)).clamp(-WIN, WIN)
    }

    /// The value of a position where looking ahead stops.
    fn leaf<W: Walk>(&mut self, walk: &mut W, ply: usize, alpha: i32, beta: i32) -> Estimate {
        if self.is_learnt() {
            let left = match self.uses(Technique::Quiescence) {
                true => EXCHANGES,
                false => 0,
            };
            return self.exchanges(walk, ply, alpha, beta, left);
        }
        if self.judgement.is_blind() {
            return Estimate::OPEN;
        }
        self.judgement.shares(walk, &mut self.shares);
        let share = self.shares.get(self.me).copied().unwrap_or(0.5);
        Estimate::open((2.0 * (share - 0.5) * f64::from(WIN - 2 * LATE)) as i32)
    }

    pub(super) fn choice<W: Walk>(
        &mut self,
        walk: &mut W,
        here: Here,
        (mut alpha, mut beta): (i32, i32),
        spot: Spot,
        first: u32,
    ) -> Estimate {
        let (low, high) = (alpha, beta);
        let ply = here.ply;
        let mut moves = self.take_list(ply);
        let listed = walk.list(&mut moves);
        if listed.is_err() || moves.is_empty() {
            self.lists[ply] = moves;
            return self.without_moves(walk, listed, ply);
        }
        let few = self.are_few(moves.len());
        let now = match few {
            true => None,
            false => self.judged_here(walk, here, alpha, beta),
        };
        if let Some(now) = now
            && let Some(found) = self.spared(walk, now, here, (alpha, beta), (spot, first))
        {
            self.lists[ply] = moves;
            return found;
        }
        // Where several may decide at once, who is first by the rules does; an order of players makes that one.
        let mine = walk.player() == Some(self.me);
        // What the table knows is tried before the others are told apart, which takes longer.
        let known = moves.iter().position(|listed| listed.tag == first);
        moves.swap(0, known.unwrap_or(0));
        let mut ranked = known.is_none();
        if ranked {
            self.put_in_order(walk, &mut moves, here, mine);
        }
        let below = here.depth - 1 + self.extension(few, ply);
        let mut best = Estimate {
            value: if mine { -INFINITE } else { INFINITE },
            complete: true,
        };
        // Where no move is good enough, which one is least bad says nothing: what was best before stays so.
        let mut best_tag = if known.is_some() { first } else { NOBODY };
        let mut cut = None;
        for number in 0..moves.len() {
            if !ranked && number > 0 {
                self.put_in_order(walk, &mut moves[1..], here, mine);
                ranked = true;
            }
            let listed = match ranked {
                true => pick(&mut moves, number),
                false => moves[0],
            };
            if let Some(now) = now
                && let Some(value) =
                    self.left_out(now, here.depth, number, &listed, (alpha, beta), mine)
            {
                // Those behind it are later still.
                best.value = match mine {
                    true => best.value.max(value),
                    false => best.value.min(value),
                };
                best.complete = false;
                break;
            }
            walk.enter(listed.place);
            let next = here.after(below, listed.tag);
            let found = self.child(walk, next, number, &listed, (alpha, beta), mine);
            walk.up();
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
                let raises = match mine {
                    true => found.value > low,
                    false => found.value < high,
                };
                if raises || !self.is_learnt() {
                    best_tag = listed.tag;
                }
            }
            match mine {
                true => alpha = alpha.max(found.value),
                false => beta = beta.min(found.value),
            }
            if alpha >= beta {
                cut = Some((listed.tag, found.complete));
                break;
            }
        }
        self.lists[ply] = moves;
        if self.stopped {
            return Estimate::OPEN;
        }
        if let Some((tag, complete)) = cut {
            best.complete = complete;
            self.remember(tag, ply, mine, here.depth, here.last);
        }
        self.note(spot, best_tag, best, here, (low, high));
        best
    }

    /// Scores moves, by the positions after them where that pays.
    fn put_in_order<W: Walk>(
        &mut self,
        walk: &mut W,
        moves: &mut [Listed],
        here: Here,
        mine: bool,
    ) {
        match self.is_learnt() && here.depth > 1 {
            true => self.rank_by_worth(walk, moves, here.ply, mine, here.last),
            false => self.rank(moves, here.ply, mine, here.last),
        }
    }

    /// The value of a position in which nobody can move, or a rule failed.
    #[cold]
    pub(super) fn without_moves<W: Walk>(
        &mut self,
        walk: &mut W,
        listed: Result<(), rulec_core::Fault>,
        ply: usize,
    ) -> Estimate {
        if let Err(fault) = listed {
            return self.end(Some(Outcome::fault(fault)), ply);
        }
        walk.settle();
        self.end(walk.outcome(), ply)
    }

    /// Keeps in the table what was found of a position.
    #[inline(always)]
    pub(super) fn note(
        &mut self,
        spot: Spot,
        best: u32,
        found: Estimate,
        here: Here,
        (low, high): (i32, i32),
    ) {
        if !self.uses(Technique::Table) {
            return;
        }
        let bound = match found.value {
            v if v >= high => Bound::Lower,
            v if v <= low => Bound::Upper,
            _ => Bound::Exact,
        };
        // Where only complete values count, those near the root are the most work.
        let depth = match self.hurry {
            true => table::DEEPEST.saturating_sub(here.ply as u32),
            false => here.depth,
        };
        let best = self.turned.there(spot.turned, best);
        self.keep(&Entry {
            key: spot.key,
            best,
            value: self.noted(found.value, here.ply),
            depth,
            bound,
            // How play came here may not be how it comes here again, and a draw by repetition may stand in the way then.
            complete: found.complete && self.exact,
        });
    }

    /// Whether there is hardly anything to choose: one move, or far fewer than there usually are.
    #[inline(always)]
    fn are_few(&mut self, moves: usize) -> bool {
        let usual = self.usual;
        self.usual += (moves as f32 - usual) / USUAL;
        moves == 1 || moves as f32 * FORCED < usual
    }

    /// A move more, where there are few.
    #[inline(always)]
    fn extension(&self, few: bool, ply: usize) -> u32 {
        let extended = few
            && self.is_learnt()
            && !self.hurry
            && self.uses(Technique::Extensions)
            && ply < EXTENDED * self.deep.min(DEEPEST) as usize;
        u32::from(extended)
    }

    /// The value of the position after a move, the one of some number in the list.
    ///
    /// Moves behind the first are only asked whether they are better, with a learnt evaluation late ones less deeply at
    /// first; those that are, are looked into again.
    #[inline(always)]
    fn child<W: Walk>(
        &mut self,
        walk: &mut W,
        next: Here,
        number: usize,
        listed: &Listed,
        (alpha, beta): (i32, i32),
        mine: bool,
    ) -> Estimate {
        let depth = next.depth + 1;
        let late = self.is_learnt()
            && self.uses(Technique::Reductions)
            && depth >= REDUCED.0
            && number >= REDUCED.1
            && is_late(listed);
        let narrow = beta - alpha > 1 && self.uses(Technique::Pvs);
        if number == 0 || !late && !narrow {
            return self.node(walk, next, alpha, beta);
        }
        let (low, high) = match mine {
            _ if !self.uses(Technique::Pvs) => (alpha, beta),
            true => (alpha, alpha + 1),
            false => (beta - 1, beta),
        };
        let better = |found: Estimate| match mine {
            true => found.value > alpha,
            false => found.value < beta,
        };
        if late {
            let less = Here {
                depth: next.depth.saturating_sub(reduction(depth, number)),
                ..next
            };
            let found = self.node(walk, less, low, high);
            if self.stopped || !better(found) {
                return found;
            }
        }
        let found = self.node(walk, next, low, high);
        if self.stopped || !better(found) || low == alpha && high == beta {
            return found;
        }
        self.node(walk, next, alpha, beta)
    }

    /// What the evaluation says, for the player who wants much.
    #[inline(always)]
    pub(super) fn worth(&self, view: View) -> i32 {
        let logit = if self.me == 0 || !self.two {
            view.logit
        } else {
            -view.logit
        };
        let most = f64::from(WIN - 2 * LATE);
        (logit * ONE_LOGIT).clamp(-most, most) as i32
    }

    #[inline(always)]
    pub(super) fn take_list(&mut self, ply: usize) -> Vec<Listed> {
        while self.lists.len() <= ply {
            self.lists.push(Vec::new());
        }
        std::mem::take(&mut self.lists[ply])
    }
}

/// By how much less deeply a late move is looked into at first: half the product of the logarithms of depth and number.
fn reduction(depth: u32, number: usize) -> u32 {
    let doubled = (depth + 1).ilog2() * (number as u32 + 1).ilog2();
    (doubled / 4).max(1).min(depth - 1)
}
