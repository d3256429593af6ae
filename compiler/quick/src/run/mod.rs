//! Running code over one memory.

mod flat;
mod found;
mod identity;
mod moves;
mod near;
mod observe;
mod set;
mod step;
mod trail;
mod trial;
mod turns;
mod value;

pub(crate) use found::MoveRuns;
pub(crate) use moves::Want;
pub(crate) use trail::{Form, Spare, Trail};

use near::Near;
use step::Moved;

use crate::code::*;
use crate::ir::{EndReason, WORK_BUDGET};
use crate::op::{Flow, HALT};
use rulec_core::Rng;
use rulec_interp::{Event, Interp};

/// An evaluation has ended before its end: [`Machine::halted`] says why, so that results are small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halt;

/// What ended an evaluation before its end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Halted {
    pub(crate) site: Site,
    /// Whether only the innermost trial fails.
    pub(crate) fails: bool,
}

pub(crate) type Res<T> = Result<T, Halt>;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) why: Why,
    /// A bit for each player who won.
    pub(crate) winners: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Rules(EndReason),
    Fault(Site),
}

/// Where play waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    At(usize),
    Nowhere,
}

/// How far a random game came.
#[derive(Debug)]
pub(crate) struct RandomGame {
    pub(crate) rng: Rng,
    /// The most plies, and the most draws.
    pub(crate) limit: u32,
    pub(crate) plies: u32,
    pub(crate) draws: u32,
    /// Legal moves, summed over the plies at which they were counted, and how many plies these are.
    pub(crate) moves: u64,
    pub(crate) counted: u32,
    /// Whether one player acts at a time where several may.
    pub(crate) by_turns: bool,
}

impl RandomGame {
    pub(crate) fn new(rng: Rng, limit: u32, by_turns: bool) -> RandomGame {
        RandomGame {
            by_turns,
            rng,
            limit,
            plies: 0,
            draws: 0,
            moves: 0,
            counted: 0,
        }
    }
}

/// The words of a run, kept between runs.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    words: Vec<i64>,
    stack: Vec<i64>,
    found: MoveRuns,
    /// The position before a move, which a fault gives back.
    before: Vec<i64>,
    results: Vec<(i64, u64)>,
    noted: Vec<i64>,
    /// Room for the bytes of a position, and for those of a bag of members.
    pub(crate) bytes: Vec<u8>,
    pub(crate) bag: identity::Bag,
    /// Room for positions that trails note.
    spare: Spare,
}

impl Memory {
    pub(crate) fn new(code: &Code) -> Box<Memory> {
        Box::new(Memory {
            words: code.memory(),
            ..Memory::default()
        })
    }
}

/// Code at work on a position.
pub(crate) struct Machine<'c> {
    pub(crate) code: &'c Code,
    interp: &'c Interp,
    pub(crate) memory: Box<Memory>,
    pub(crate) mem: Vec<i64>,
    stack: Vec<i64>,
    pub(crate) trails: Vec<Trail>,
    depth: u32,
    pub(crate) events: Option<Vec<Event>>,
    pub(crate) halted: Halted,
    stopped: usize,
    ended: Option<Ending>,
    /// The moves that were found last.
    pub(crate) found: MoveRuns,
    before: Vec<i64>,
    trails_before: Vec<Trail>,
    /// Whether what happens when nobody can move, and faults of draws, wait until somebody asks.
    pub(crate) open: bool,
    /// Whether the position before a move is kept for faults, which give it back.
    pub(crate) careful: bool,
    /// Whether runs go on to the moves of the point to which they come, and whether the last one did.
    pub(crate) onward: bool,
    pub(crate) ready: bool,
    /// The random game that is played, if one is.
    pub(crate) random: RandomGame,
    /// The work that the run had done that came to the present point.
    work_before: i64,
    results: Vec<(i64, u64)>,
    /// The values of the class of a move, and the position before a move that is tried.
    class: Vec<i64>,
    kept: Vec<i64>,
    /// The position as a trail tells it from others.
    noted: Vec<i64>,
}

impl<'c> Machine<'c> {
    /// Whether several players may act.
    pub(crate) fn several(&self) -> bool {
        self.mem[self.code.players].count_ones() > 1
    }

    /// A machine at a position.
    pub(crate) fn new(
        code: &'c Code,
        interp: &'c Interp,
        mut memory: Box<Memory>,
        words: &[i64],
        trails: Vec<Trail>,
    ) -> Machine<'c> {
        let mem = std::mem::take(&mut memory.words);
        let mut machine = Machine {
            code,
            interp,
            stack: std::mem::take(&mut memory.stack),
            found: std::mem::take(&mut memory.found),
            before: std::mem::take(&mut memory.before),
            results: std::mem::take(&mut memory.results),
            mem,
            trails,
            depth: 0,
            events: None,
            halted: Halted::default(),
            stopped: 0,
            ended: None,
            trails_before: Vec::new(),
            open: false,
            careful: true,
            onward: false,
            ready: false,
            random: RandomGame::new(Rng::new(0, 0), 0, false),
            work_before: 0,
            class: Vec::new(),
            kept: Vec::new(),
            noted: std::mem::take(&mut memory.noted),
            memory,
        };
        machine.begin(words);
        machine
    }

    /// Begins at a position.
    pub(crate) fn begin(&mut self, words: &[i64]) {
        self.mem[..words.len()].copy_from_slice(words);
        self.fresh();
        self.touch();
        self.ready = false;
    }

    pub(crate) fn words(&self) -> &[i64] {
        &self.mem[..self.code.position]
    }

    /// The memory, for the next run.
    pub(crate) fn into_memory(self) -> Box<Memory> {
        let mut memory = self.memory;
        memory.words = self.mem;
        memory.stack = self.stack;
        memory.stack.clear();
        memory.found = self.found;
        memory.before = self.before;
        memory.results = self.results;
        memory.noted = self.noted;
        memory
    }

    /// The words that operations can name.
    fn near(&mut self) -> Option<&mut Near> {
        self.mem.first_chunk_mut()
    }

    /// Begins a chain of evaluation: an empty environment, all of the budget.
    fn fresh(&mut self) {
        self.clear_env();
        self.mem[self.code.work] = 0;
        self.depth = 0;
    }

    fn clear_env(&mut self) {
        let env = &self.code.env;
        if !env.is_empty() {
            self.mem[env.clone()].fill(0);
        }
    }

    /// The position is another one.
    #[inline(always)]
    pub(crate) fn touch(&mut self) {
        self.mem[self.code.version] += 1;
    }

    fn spend(&mut self, units: u32, site: Site) -> Res<()> {
        let work = &mut self.mem[self.code.work];
        *work += i64::from(units);
        match *work > i64::from(WORK_BUDGET) {
            true => self.fault(site),
            false => Ok(()),
        }
    }

    /// Brings the sets that are kept up to date, all of them.
    pub(crate) fn keep_all(&mut self) {
        for placement in 0..self.code.placements.len() {
            self.keep_placement(placement);
        }
    }

    fn keep_placement(&mut self, index: usize) {
        let placement = &self.code.placements[index];
        if let (Some(crowds), Some(place_of)) = (placement.crowds, placement.place_of) {
            self.mem[crowds.at..][..crowds.words * placement.places].fill(0);
            for piece in 0..placement.pieces {
                if let Ok(place) = usize::try_from(self.mem[place_of + piece]) {
                    let (at, bit) = crowds.spot(piece, place);
                    self.mem[at] |= bit;
                }
            }
        }
        for supply in 0..placement.supplies.len() {
            self.keep_supply(index, supply);
        }
        let Some(content) = placement.content else {
            return;
        };
        for place in 0..placement.places {
            let now = self.mem[content + place];
            for &kept in &placement.kept {
                self.keep(&self.code.kept[kept], place, now);
            }
        }
    }

    /// Brings the set of the pieces on some places up to date.
    pub(crate) fn keep_supply(&mut self, placement: usize, supply: usize) {
        let placement = &self.code.placements[placement];
        let supply = &placement.supplies[supply];
        let Some(place_of) = placement.place_of else {
            return;
        };
        self.mem[supply.at..][..placement.pieces.div_ceil(64)].fill(0);
        for piece in 0..placement.pieces {
            if let Ok(place) = usize::try_from(self.mem[place_of + piece])
                && supply.places[place]
            {
                self.mem[supply.at + piece / 64] |= 1 << (piece % 64);
            }
        }
    }

    /// Brings a set that is kept up to date, on all places.
    pub(crate) fn keep_set(&mut self, set: usize) {
        let kept = &self.code.kept[set];
        let placement = &self.code.placements[kept.placement];
        if let Some(content) = placement.content {
            for place in 0..placement.places {
                self.keep(kept, place, self.mem[content + place]);
            }
        }
    }

    /// Brings a set up to date where this content stands on a place now.
    #[inline]
    fn keep(&mut self, kept: &'c Kept, place: usize, content: i64) {
        let passes = match &kept.known {
            Some(known) => known[(content + 1) as usize],
            None => {
                self.mem[kept.content] = content;
                self.num(&kept.test).is_ok_and(|passes| passes != 0)
            }
        };
        let word = &mut self.mem[kept.at + place / 64];
        let bit = 1_i64 << (place % 64);
        *word = if passes { *word | bit } else { *word & !bit };
    }

    /// The sets whose tests look at more than what stands on a place.
    fn test_again(&mut self, index: usize, place: i64, content: i64) {
        for &kept in &self.code.placements[index].tested {
            self.keep(&self.code.kept[kept], place as usize, content);
        }
    }

    fn take(&mut self, index: usize, piece: i64) {
        let code = self.code;
        let taken = self
            .near()
            .map(|words| step::take(code, words, index, piece));
        let Some(Moved::From(from)) = taken else {
            return;
        };
        self.test_again(index, from, -1);
        self.tell(|| Event::Take {
            placement: index as u32,
            piece: piece as u32,
            from: from as u32,
        });
    }

    /// Puts a piece on a place; false if another one stands there.
    fn put_piece(&mut self, index: usize, piece: i64, place: i64) -> bool {
        let code = self.code;
        let put = self
            .near()
            .map(|words| step::put(code, words, index, piece, place));
        let from = match put {
            Some(Moved::Taken) => return false,
            Some(Moved::From(from)) => from,
            Some(Moved::Nothing) | None => return true,
        };
        if from >= 0 {
            self.test_again(index, from, -1);
        }
        self.test_again(index, place, piece);
        self.tell(|| Event::Put {
            placement: index as u32,
            piece: piece as u32,
            from: u32::try_from(from).ok(),
            to: place as u32,
        });
        true
    }

    fn set_content(&mut self, index: usize, place: i64, kind: i64) {
        let code = self.code;
        let filled = self
            .near()
            .map(|words| step::fill(code, words, index, place, kind));
        let Some(Moved::From(before)) = filled else {
            return;
        };
        self.test_again(index, place, kind);
        self.tell(|| Event::SetContent {
            placement: index as u32,
            place: place as u32,
            before: u32::try_from(before).ok(),
            after: u32::try_from(kind).ok(),
        });
    }

    fn tell(&mut self, event: impl FnOnce() -> Event) {
        if let Some(events) = &mut self.events {
            events.push(event());
        }
    }

    /// Runs a function.
    fn body(&mut self, func: &'c Func) -> Res<Flow> {
        // There is nothing to go on with behind it but the end.
        self.mem[func.back] = i64::from(HALT);
        self.run(func.entry)
    }

    /// Where a value goes. If an index is outside, that is a fault after all that working out the value may come to.
    fn target(&mut self, target: &'c Target, value: &'c Val) -> Res<At> {
        let cell = match target {
            Target::At(at) | Target::Env(at, _) => return Ok(*at),
            Target::Cell(cell) => cell,
        };
        if let Some(at) = self.cell_inside(cell)? {
            return Ok(at);
        }
        match value {
            Val::Num(num) => self.num(num).map(drop),
            Val::Set(set) if set.words == 1 => self.word(set).map(drop),
            Val::Set(set) => self.set(set).map(drop),
            Val::Seq(seq) => self.seq(seq).map(drop),
        }?;
        self.fault(cell.site)
    }

    /// Stores a value if the variable admits it.
    fn store(&mut self, store: &'c Store, value: &'c Val, at: At) -> Res<()> {
        match (&store.admits, value) {
            (Admits::All, value) => self.put(value, at)?,
            (Admits::Range(lo, hi, site), Val::Num(num)) => {
                let number = self.num(num)?;
                if !(lo..=hi).contains(&&number) {
                    return self.fault(*site);
                }
                self.mem[at] = number;
            }
            (Admits::Items(cap, lo, hi, full, outside), Val::Seq(seq)) => {
                let from = self.seq(seq)?;
                if self.mem[from] > *cap {
                    return self.fault(*full);
                }
                if !self
                    .items(from)
                    .iter()
                    .all(|item| (lo..=hi).contains(&item))
                {
                    return self.fault(*outside);
                }
                let words = 1 + self.mem[from] as usize;
                self.mem.copy_within(from..from + words, at);
            }
            (_, value) => self.put(value, at)?,
        }
        match store.to {
            Target::Env(_, flag) => self.mem[flag] = 1,
            _ => self.mem[self.code.version] += i64::from(at < self.code.position),
        }
        Ok(())
    }

    fn set_watched(&mut self, watched: &'c Watched) -> Res<()> {
        let at = self.target(&watched.store.to, &watched.value)?;
        let before = self.mem[at];
        self.store(&watched.store, &watched.value, at)?;
        self.changed(watched.var, at, before, watched.told);
        Ok(())
    }

    /// A word of a variable that others watch has another value.
    fn changed(&mut self, index: u32, at: At, before: i64, told: bool) {
        let after = self.mem[at];
        if before == after {
            return;
        }
        self.touch();
        let code = self.code;
        let var = &code.vars[index as usize];
        let member = (at - var.base) / var.width;
        for &kept in &var.watchers {
            let kept = &code.kept[kept];
            if let Some(place_of) = code.placements[kept.placement].place_of {
                let place = self.mem[place_of + member];
                if place >= 0 {
                    self.keep(kept, place as usize, member as i64);
                }
            }
        }
        if told {
            let value = |number| crate::convert::scalar(&var.ty, number);
            self.tell(|| Event::Change {
                var: index,
                member: member as u32,
                before: value(before),
                after: value(after),
            });
        }
    }

    fn emit(&mut self, emit: &'c Emit) -> Res<()> {
        let listens = self.events.is_some();
        match emit {
            Emit::Count(counter, member) => {
                if listens {
                    self.count_events(*counter, member.as_ref())?;
                }
            }
            Emit::Log(parts) => {
                let mut line = String::new();
                for part in parts {
                    match part {
                        Said::Text(text) => line.push_str(text),
                        Said::Value(value, ty) => {
                            let value = self.whole(value, ty)?;
                            if listens {
                                line.push_str(&self.interp.value_text(&value, ty));
                            }
                        }
                    }
                }
                self.tell(|| Event::Log(line));
            }
            Emit::Signal(name, values) => {
                let mut all = Vec::new();
                for (value, ty) in values {
                    let value = self.whole(value, ty)?;
                    let text = match listens {
                        true => self.interp.value_text(&value, ty),
                        false => String::new(),
                    };
                    all.push((value, text));
                }
                self.tell(|| Event::Signal(name.clone(), all));
            }
        }
        Ok(())
    }

    fn count_events(&mut self, counter: u32, member: Option<&'c Val>) -> Res<()> {
        let members = match member {
            None => vec![0],
            Some(Val::Num(num)) => vec![self.num(num)?],
            Some(Val::Seq(seq)) => {
                let at = self.seq(seq)?;
                self.items(at).to_vec()
            }
            Some(Val::Set(_)) => Vec::new(),
        };
        for member in members {
            let member = member as u32;
            self.tell(|| Event::Count { counter, member });
        }
        Ok(())
    }

    /// A value as the reference interpreter holds it.
    fn whole(&mut self, value: &'c Val, ty: &crate::ir::Type) -> Res<rulec_interp::Value> {
        Ok(match value {
            Val::Num(num) => crate::convert::scalar(ty, self.num(num)?),
            Val::Set(set) => {
                let mut words = vec![0; set.words];
                match set.words {
                    1 => words[0] = self.word(set)? as i64,
                    _ => {
                        let at = self.set(set)?;
                        words.copy_from_slice(&self.mem[at..at + set.words]);
                    }
                }
                crate::convert::value(ty, &words)
            }
            Val::Seq(seq) => {
                let at = self.seq(seq)?;
                let words = 1 + self.mem[at] as usize;
                crate::convert::value(ty, &self.mem[at..at + words])
            }
        })
    }

    fn snapshot(&mut self, slot: usize) {
        self.touch();
        let slot = &self.code.snapshots[slot];
        self.mem[slot.flag] = 1;
        for &(from, to, words) in &slot.copies {
            self.mem.copy_within(from..from + words, to);
        }
    }

    fn give_back(&mut self, slot: usize, site: Site) -> Res<()> {
        let slot = &self.code.snapshots[slot];
        if self.mem[slot.flag] == 0 {
            return self.fault(site);
        }
        for &(from, to, words) in &slot.copies {
            self.mem.copy_within(to..to + words, from);
        }
        self.touch();
        self.keep_all();
        Ok(())
    }

    fn note(&mut self, trail: usize, site: Site) -> Res<()> {
        let kind = &self.interp.game().trails[trail];
        if self.trails[trail].len() >= kind.capacity as usize {
            return self.fault(site);
        }
        self.position_of(trail);
        self.trails[trail].push(&self.noted, &mut self.memory.spare);
        Ok(())
    }

    /// Nothing is noted any more.
    fn forget(&mut self, trail: usize) {
        self.trails[trail].give_back(&mut self.memory.spare);
    }

    /// Takes over trails, and keeps the room of those that are over.
    pub(crate) fn follow_trails(&mut self, trails: &[Trail]) {
        for (trail, other) in self.trails.iter_mut().zip(trails) {
            trail.give_back(&mut self.memory.spare);
            trail.clone_from(other);
        }
    }

    fn seen(&mut self, trail: usize) -> i64 {
        if self.trails[trail].len() == 0 {
            return 0;
        }
        self.position_of(trail);
        self.trails[trail].count(&self.noted) as i64
    }

    /// Finds the words by which a trail tells the position from others: [`Machine::noted`].
    fn position_of(&mut self, trail: usize) {
        let form = &self.code.trails[trail];
        self.noted.clear();
        match form {
            Form::Words(words, _) => {
                let mem = &self.mem;
                self.noted.extend(words.iter().map(|at| mem[*at]));
            }
            Form::Bytes => {
                let identity = self.interp.game().trails[trail].identity;
                let mut bytes = std::mem::take(&mut self.memory.bytes);
                bytes.clear();
                self.terms(identity.index(), &mut bytes);
                form.words(&bytes, &mut self.noted);
                self.memory.bytes = bytes;
            }
        }
    }
}
