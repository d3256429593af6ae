//! Proof-number search (Allis, 1994), depth first with a table (df-pn: Nagai, 2002): can a player force a win, or at least a draw?
//!
//! All others are against the player, and so is chance: what is proved holds whatever is drawn. Who decides says the position.
//! The proof number of a position tells of how many others it would take to prove it, the disproof number of how many to disprove
//! it. Where all moves count, the largest number of a move is taken and one for each other move that is open (weak proof numbers: Ueda
//! and others, 2008), for where lines of play meet, a sum would count the same positions again and again.
//!
//! A position that comes again on the way to it is none that the player has won: going on for ever wins for nobody. What was found
//! out by such a return holds on that way only, so the table keeps it from the position on to which the return goes, where no way
//! matters any more (Kishimoto and Müller, 2004, on what goes wrong otherwise).

use rulec_core::{Outcome, Reason};

use crate::{
    Progress,
    orbit::{Mirrors, Orbits},
    search::{MoveReport, Pace, SearchReport, SearchSettings},
    slots::Slots,
    walk::{Kind, Walk, look},
};

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To be the only one who wins.
    Win,
    /// That nobody else is better off: to win, or that nobody does.
    NoLoss,
}

impl Goal {
    fn is_met(self, outcome: Outcome, player: usize) -> bool {
        let rank = outcome.rank(player);
        match self {
            Goal::Win => rank >= 1.0,
            Goal::NoLoss => rank >= 0.5,
        }
    }

    /// Whether going on for ever meets it.
    fn is_met_by_going_on(self) -> bool {
        self == Goal::NoLoss
    }
}

/// What was found out about a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player can force it.
    Proved,
    /// The player cannot.
    Disproved,
    /// Positions or time ran out.
    Open,
}

/// More than any number of positions.
const NEVER: u32 = (1 << NUMBER_BITS) - 1;
const NUMBER_BITS: u32 = 29;
/// How many times the number of the second best move that of the best one may be until the other is looked at. Dots and boxes on 3x2 boxes
/// took 166 million positions with 1.25, 34 with 2, and 4.6 with 4; more made no difference.
const TURNS: u32 = 4;

/// How much it takes to prove and to disprove a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    /// Those of a position of which nothing is known.
    const OPEN: Self = Self {
        proof: 1,
        disproof: 1,
    };
    /// Those that only what is certain has.
    const CERTAIN: Self = Self {
        proof: NEVER,
        disproof: NEVER,
    };

    fn of(met: bool) -> Self {
        match met {
            true => Self {
                proof: 0,
                disproof: NEVER,
            },
            false => Self {
                proof: NEVER,
                disproof: 0,
            },
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Self { proof: 0, .. } => Verdict::Proved,
            Self { disproof: 0, .. } => Verdict::Disproved,
            _ => Verdict::Open,
        }
    }

    /// A word of the table, with the positions below in doublings.
    fn packed(self, effort: u64) -> u64 {
        let doublings = u64::from(effort.max(1).ilog2());
        u64::from(self.proof) | u64::from(self.disproof) << NUMBER_BITS | doublings << 58
    }

    fn unpacked(data: u64) -> Self {
        let number = |from: u32| (data >> from) as u32 & NEVER;
        Self {
            proof: number(0),
            disproof: number(NUMBER_BITS),
        }
    }
}

/// Plies of a way at most: rules that count for ever have no end.
const DEEPEST: usize = 20_000;

/// Nothing on the way is leant on.
const FREE: u32 = u32::MAX;

/// A move of a position on the way, and what is known of where it leads.
#[derive(Clone, Copy)]
struct Child {
    code: u64,
    numbers: Numbers,
    /// The first position on the way that its numbers lean on, by its place; `FREE` for none.
    leans_on: u32,
}

/// A position on the way.
struct Frame {
    /// Its key in the table.
    key: u64,
    /// Where its moves begin.
    first: usize,
    /// Whether the player chooses here, rather than somebody else or chance.
    mine: bool,
    /// Numbers from which on another position of the way is worth more.
    bounds: Numbers,
    /// The move at work.
    current: usize,
    /// Positions looked at below.
    effort: u64,
}

/// A search for proofs that a player can force something.
pub(crate) struct Prover<'p> {
    player: usize,
    goal: Goal,
    table: Slots,
    used: usize,
    pace: Pace<'p>,
    frames: Vec<Frame>,
    children: Vec<Child>,
    /// Room for lists of moves.
    moves: Vec<u64>,
    stopped: bool,
}

impl<'p> Prover<'p> {
    /// Prepares a search with a table of so many entries at most.
    pub(crate) fn new(player: usize, entries: usize, pace: Pace<'p>) -> Self {
        Self {
            player,
            goal: Goal::Win,
            table: Slots::new(entries, false),
            used: 0,
            pace,
            frames: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            stopped: false,
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

    /// All that is known: keys and what the table has of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.table.all()
    }

    /// Takes up what [`Prover::all`] told; nothing if that cannot be.
    pub(crate) fn learn(&mut self, key: u64, data: u64) -> Option<()> {
        let Numbers { proof, disproof } = Numbers::unpacked(data);
        let certain = proof == NEVER || disproof == NEVER;
        let one_is_none = (proof == 0) != (disproof == 0);
        (certain == one_is_none && (proof, disproof) != (0, 0)).then(|| self.keep(key, data))
    }

    /// A key that is the same for the same goal of the same player.
    pub(crate) fn key(&self, walk: &mut dyn Walk, goal: Goal) -> u64 {
        let about = self.player as u64 * 2 + u64::from(goal == Goal::NoLoss);
        walk.key() ^ about.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Tries to prove or disprove that the player can force a goal in the position at work.
    pub(crate) fn prove(&mut self, walk: &mut dyn Walk, goal: Goal) -> Verdict {
        self.goal = goal;
        let key = self.key(walk, goal);
        if let Some(known) = self.known(key).map(Numbers::verdict)
            && known != Verdict::Open
        {
            return known;
        }
        self.frames.clear();
        self.children.clear();
        match self.enter(walk, key, Numbers::CERTAIN) {
            Some(end) => end.verdict(),
            None => self.work(walk).verdict(),
        }
    }

    fn known(&self, key: u64) -> Option<Numbers> {
        self.table.get(key).map(Numbers::unpacked)
    }

    fn keep(&mut self, key: u64, data: u64) {
        // The more was looked at for an entry, the more it is worth.
        let worth = |old: u64| old >> 58;
        self.used += usize::from(self.table.put(key, data, worth));
        if self.used * 2 > self.table.size() && self.table.can_grow() {
            self.used = self.table.grow(worth);
        }
    }

    /// Works on the way until its first position has numbers beyond its bounds.
    fn work(&mut self, walk: &mut dyn Walk) -> Numbers {
        loop {
            // The way is never empty here.
            let at = self.frames.len() - 1;
            let numbers = self.numbers(at);
            let Numbers { proof, disproof } = self.frames[at].bounds;
            let beyond = numbers.proof >= proof || numbers.disproof >= disproof;
            if beyond || self.stopped || numbers.verdict() != Verdict::Open {
                if at == 0 {
                    self.leave(at, numbers);
                    return match self.stopped {
                        true => Numbers::OPEN,
                        false => numbers,
                    };
                }
                walk.up();
                let child = self.leave(at, numbers);
                let frame = &mut self.frames[at - 1];
                self.children[frame.first + frame.current] = child;
                continue;
            }
            let (index, bounds) = self.most_proving(at);
            self.frames[at].current = index;
            walk.down(self.children[self.frames[at].first + index].code);
            let key = self.key(walk, self.goal);
            if let Some(end) = self.enter(walk, key, bounds) {
                // Its end was seen when it was made, so this does not happen.
                walk.up();
                self.children[self.frames[at].first + index].numbers = end;
            }
        }
    }

    fn children(&self, at: usize) -> &[Child] {
        let end = self
            .frames
            .get(at + 1)
            .map_or(self.children.len(), |next| next.first);
        &self.children[self.frames[at].first..end]
    }

    /// The numbers of a position on the way by those of its moves.
    fn numbers(&self, at: usize) -> Numbers {
        let (mut least, mut most, mut open) = (NEVER, 0, 0_u32);
        let mine = self.frames[at].mine;
        for child in self.children(at) {
            let (any, all) = child.numbers.seen(mine);
            least = least.min(any);
            most = most.max(all);
            open += u32::from(all > 0);
        }
        let all = match most {
            0 | NEVER => most,
            _ => most.saturating_add(open - 1).min(NEVER - 1),
        };
        Numbers::from_seen(mine, least, all)
    }

    /// The move to look at next, and the numbers up to which it should be.
    fn most_proving(&self, at: usize) -> (usize, Numbers) {
        let frame = &self.frames[at];
        let (mut best, mut second) = ((NEVER, NEVER, 0), NEVER);
        let mut open = 0;
        for (index, child) in self.children(at).iter().enumerate() {
            let (any, all) = child.numbers.seen(frame.mine);
            open += u32::from(all > 0);
            if (any, all) < (best.0, best.1) {
                second = best.0;
                best = (any, all, index);
            } else {
                second = second.min(any);
            }
        }
        let (any_bound, all_bound) = frame.bounds.seen(frame.mine);
        // Well beyond the second best, or moves would take turns, each time with all that lies below anew.
        let beside = second.saturating_mul(TURNS).saturating_add(1).min(NEVER);
        let any = any_bound.min(beside);
        let all = match all_bound {
            NEVER => NEVER,
            _ => all_bound
                .saturating_sub(open.saturating_sub(1))
                .max(best.1 + 1),
        };
        (best.2, Numbers::from_seen(frame.mine, any, all))
    }

    /// Adds the position at work to the way; its numbers if it is an end.
    fn enter(&mut self, walk: &mut dyn Walk, key: u64, bounds: Numbers) -> Option<Numbers> {
        let mut moves = std::mem::take(&mut self.moves);
        let mine = match self.look(walk, &mut moves) {
            Ok(mine) => mine,
            Err(met) => {
                self.moves = moves;
                return Some(Numbers::of(met));
            }
        };
        self.frames.push(Frame {
            key,
            first: self.children.len(),
            mine,
            bounds,
            current: 0,
            effort: 0,
        });
        let mut replies = Vec::new();
        self.stopped |= self.frames.len() > DEEPEST;
        for &code in &moves {
            self.stopped |= !self.pace.go_on();
            if self.stopped {
                break;
            }
            walk.down(code);
            let child = self.first_look(walk, code, &mut replies);
            walk.up();
            self.children.push(child);
            // One such move is enough; of the first position all are told.
            let enough = child.numbers == Numbers::of(mine) && child.leans_on == FREE;
            if enough && self.frames.len() > 1 {
                break;
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.effort += moves.len() as u64;
        }
        self.moves = moves;
        None
    }

    /// Lists what may come next; whether the player chooses it, or how an end of the game is.
    fn look(&self, walk: &mut dyn Walk, moves: &mut Vec<u64>) -> Result<bool, bool> {
        match look(walk, moves) {
            Kind::End(outcome) => Err(self.goal.is_met(outcome, self.player)),
            Kind::Chance => {
                let mut results = Vec::new();
                walk.results(&mut results);
                moves.clear();
                moves.extend(results.iter().map(|(code, _)| *code));
                match moves.is_empty() {
                    true => Err(self.goal.is_met_by_going_on()),
                    false => Ok(false),
                }
            }
            Kind::Choice => {
                // Where several may decide at once, the first by the rules does.
                let player = walk.player().unwrap_or(0);
                moves.retain(|&code| walk.mover(code) == player);
                walk.one_of_each(moves);
                Ok(player == self.player)
            }
        }
    }

    /// What is known of a position that a move leads to: all of an end and of one that was on the way already, what the table has, or
    /// how many moves there are.
    fn first_look(&mut self, walk: &mut dyn Walk, code: u64, replies: &mut Vec<u64>) -> Child {
        let key = self.key(walk, self.goal);
        let returns = self.frames.iter().position(|frame| frame.key == key);
        let (numbers, leans_on) = match (returns, self.known(key)) {
            (Some(place), _) => (Numbers::of(self.goal.is_met_by_going_on()), place as u32),
            (None, Some(known)) => (known, FREE),
            (None, None) => (self.guess(walk, replies), FREE),
        };
        Child {
            code,
            numbers,
            leans_on,
        }
    }

    fn guess(&self, walk: &mut dyn Walk, moves: &mut Vec<u64>) -> Numbers {
        match look(walk, moves) {
            Kind::End(outcome) => Numbers::of(self.goal.is_met(outcome, self.player)),
            Kind::Chance => Numbers::OPEN,
            Kind::Choice => {
                let mine = walk.player() == Some(self.player);
                let count = (moves.len() as u32).clamp(1, NEVER - 1);
                Numbers::from_seen(mine, 1, count)
            }
        }
    }

    /// Takes the last position from the way; what its parent shall know of it. The table keeps what does not lean on the way.
    fn leave(&mut self, at: usize, numbers: Numbers) -> Child {
        let leans_on = self.leaning(at, numbers);
        let Some(frame) = self.frames.pop() else {
            return Child {
                code: 0,
                numbers,
                leans_on,
            };
        };
        self.children.truncate(match at {
            // The moves of the first position are told.
            0 => self.children.len(),
            _ => frame.first,
        });
        // Where it stopped some moves were not looked at.
        if leans_on == FREE && !self.stopped {
            self.keep(frame.key, numbers.packed(frame.effort));
        }
        let code = match self.frames.last_mut() {
            None => 0,
            Some(parent) => {
                parent.effort += frame.effort;
                self.children[parent.first + parent.current].code
            }
        };
        Child {
            code,
            numbers,
            leans_on,
        }
    }

    /// The first position on the way before this one that its numbers lean on. Only what going on for ever comes to can lean on
    /// any: of the other verdict every move that it rests on leads to an end.
    fn leaning(&self, at: usize, numbers: Numbers) -> u32 {
        let lasting = Numbers::of(self.goal.is_met_by_going_on());
        if numbers != lasting {
            return FREE;
        }
        let resting = self.children(at).iter().filter(|c| c.numbers == lasting);
        let places = resting.map(|child| child.leans_on);
        // Where the one who chooses wants this, one move is enough.
        let first = match self.frames[at].mine == self.goal.is_met_by_going_on() {
            true => places.max(),
            false => places.min(),
        };
        match first {
            Some(place) if (place as usize) < at => place,
            _ => FREE,
        }
    }

    /// What was found of the moves of the position that was looked at last.
    fn reports(&self) -> Vec<MoveReport> {
        let report = |child: &Child| {
            let Numbers { proof, disproof } = child.numbers;
            MoveReport {
                code: child.code,
                visits: 1,
                value: f64::from(disproof) / (f64::from(proof) + f64::from(disproof)),
                proof: None,
            }
        };
        self.children.iter().map(report).collect()
    }
}

impl Numbers {
    /// The number of which one move is enough, and that of which all moves count, where the player chooses or others do.
    #[inline(always)]
    fn seen(self, mine: bool) -> (u32, u32) {
        match mine {
            true => (self.proof, self.disproof),
            false => (self.disproof, self.proof),
        }
    }

    #[inline(always)]
    fn from_seen(mine: bool, any: u32, all: u32) -> Self {
        match mine {
            true => Self {
                proof: any,
                disproof: all,
            },
            false => Self {
                proof: all,
                disproof: any,
            },
        }
    }
}

/// Looks for a move that forces a win, or else one that avoids a loss.
///
/// `progress` is told the number of positions.
pub fn proof_number(
    walk: &mut dyn Walk,
    settings: &SearchSettings,
    progress: Progress<'_>,
) -> SearchReport {
    let Some(player) = walk.player() else {
        return SearchReport::default();
    };
    walk.merge_exactly();
    if settings.mirrors == Mirrors::Positions {
        walk.merge_orbits(Orbits::On);
    }
    if settings.mirrors != Mirrors::Off {
        walk.try_one_of_each();
    }
    let players = walk.info().players.len();
    let pace = Pace::new(settings, SearchSettings::DEFAULT_POSITIONS, progress);
    let mut prover = Prover::new(player, settings.table, pace);
    let win = prover.prove(walk, Goal::Win);
    let mut report = SearchReport {
        moves: prover.reports(),
        ..SearchReport::default()
    };
    let mut end = None;
    if win == Verdict::Proved {
        end = Some(Outcome::win(player));
    } else {
        // What was not disproved may still be won.
        let safe = prover.prove(walk, Goal::NoLoss);
        end = match (win, safe) {
            (Verdict::Disproved, Verdict::Proved) => Some(Outcome::nobody(Reason::Draw)),
            (_, Verdict::Disproved) if players == 2 => Some(Outcome::win(1 - player.min(1))),
            _ => end,
        };
        let second = prover.reports();
        for m in &mut report.moves {
            let safe = second.iter().find(|o| o.code == m.code);
            m.value = 0.5 * m.value + 0.5 * safe.map_or(0.0, |o| o.value);
        }
    }
    report
        .moves
        .sort_by(|a, b| b.value.total_cmp(&a.value).then(a.code.cmp(&b.code)));
    if let Some(best) = report.moves.first_mut() {
        best.proof = end;
        if let Some(end) = end {
            best.value = end.payoff(player);
        }
    }
    report.proof = end;
    report.nodes = prover.used;
    report.games = prover.looked_at();
    report.line.extend(report.best());
    walk.tell_all(&mut report);
    report
}
