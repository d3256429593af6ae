//! The positions of some classes with their moves, each position and each move once.
//!
//! Positions that are set up have a number of their own. What moves lead to and cannot be set up, such as a position in the middle
//! of a row of jumps, gets a number when it is first met, and is kept whole until its moves are known.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use rulec_core::{ChoiceSet, Turn};

use super::{
    Error, Telling,
    ahead::{is_fault, result},
    class::{Class, Numbering},
    frame::{Frame, Room},
    table::{Table, Value},
};
use crate::{AnyState, State, explore::Seen, parallel::in_shares, parallel::lock};

/// What is known of a position before anything is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It is no position of play.
    No,
    /// Somebody moves.
    Open,
    /// The rules say that it is over as soon as it is set up: it counts only if a move leads to it.
    Over,
}

/// A class whose positions are worked out.
pub(super) struct Part {
    pub(super) class: Class,
    pub(super) numbering: Numbering,
    /// The number of its first position.
    pub(super) first: u32,
}

/// What positions are looked for in.
pub(super) struct Ground<'a, 'g> {
    pub(super) start: &'a (dyn AnyState<'g> + 'g),
    pub(super) frame: &'a Frame,
    pub(super) parts: Vec<Part>,
    pub(super) done: &'a BTreeMap<Class, Table>,
    /// Planes that do not matter to the positions of the classes.
    pub(super) ignored: Vec<bool>,
    pub(super) threads: usize,
    /// Bytes at most.
    pub(super) memory: u64,
}

/// Where a position belongs.
enum Spot {
    Numbered(u32),
    Known(Value),
    /// It is over.
    End(Value),
    /// It cannot be set up.
    Other,
    /// Something is gone that is always there.
    Gone,
}

/// Positions and moves.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) status: Vec<Status>,
    /// Who moves in positions that were met; who moves in the others follows from their numbers.
    pub(super) met_movers: Vec<u8>,
    /// How many moves have no known result, or one that is no win of the mover, with those to other tables.
    pub(super) left: Vec<u16>,
    /// For those of the moves that lead to known losses of the mover the longest way.
    pub(super) longest: Vec<u16>,
    /// Positions with a move to a known win, and its plies.
    pub(super) won: Vec<(u32, u16)>,
    /// Positions that are over by a move, with their results.
    pub(super) ends: Vec<(u32, Value)>,
    /// Whether a move leads to each position that can be set up, a bit each.
    pub(super) reached: Vec<u64>,
    /// For each position the positions that have a move to it: the first place in `sources`, and the one behind the last.
    pub(super) begins: Vec<u32>,
    pub(super) sources: Vec<u32>,
}

/// What a share of the work found.
#[derive(Default)]
struct Share {
    first: u32,
    status: Vec<Status>,
    movers: Vec<u8>,
    left: Vec<u16>,
    longest: Vec<u16>,
    won: Vec<(u32, u16)>,
    ends: Vec<(u32, Value)>,
    /// For each position how many edges, and where they lead.
    counts: Vec<u16>,
    targets: Vec<u32>,
}

/// What all threads add to.
struct Common<'g> {
    met: Mutex<Met<'g>>,
    /// Whether a move leads to each position that can be set up, a bit each.
    reached: Vec<AtomicU64>,
    /// How many can be set up.
    all: u64,
}

impl Common<'_> {
    fn reach(&self, number: u32) {
        if let Some(word) = self.reached.get(number as usize / 64) {
            let bit = 1 << (number % 64);
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        }
    }
}

/// Positions that were met and cannot be set up.
#[derive(Default)]
struct Met<'g> {
    seen: Seen,
    states: Vec<Option<State<'g>>>,
}

/// Bytes of a position that was met, beside its state.
const MET_BYTES: u64 = 128;
/// Bytes of a position and of an edge while they are worked out.
const NODE_BYTES: u64 = 20;
const EDGE_BYTES: u64 = 8;
/// Edges of a position at most.
const MOST_MOVES: usize = u16::MAX as usize - 1;

impl<'g> Ground<'_, 'g> {
    /// How many positions can be set up.
    pub(super) fn size(&self) -> u64 {
        let turns = self.frame.turns.len() as u64;
        let sizes = self.parts.iter().map(|part| part.numbering.size());
        sizes.sum::<u64>().saturating_mul(turns)
    }

    /// The class and the player of a number, and its number in the class.
    pub(super) fn part_of(&self, number: u32) -> Option<(&Part, usize, u64)> {
        let at = self.parts.partition_point(|part| part.first <= number);
        let part = self.parts.get(at.checked_sub(1)?)?;
        let own = u64::from(number - part.first);
        let size = part.numbering.size().max(1);
        Some((part, (own / size) as usize, own % size))
    }

    /// Finds all moves.
    ///
    /// # Errors
    /// When a class is met that is neither worked out nor to be, or there is too much.
    pub(super) fn explore(&self, telling: Telling<'_>) -> Result<Graph, Error> {
        let all = self.size();
        self.room_for(all, 0, 0)?;
        let mut reached = Vec::new();
        reached.resize_with(all as usize / 64 + 1, AtomicU64::default);
        let common = Common {
            met: Mutex::default(),
            reached,
            all,
        };
        let mut shares = self.share(0..all, &common, "positions", telling)?;
        let mut done = 0;
        loop {
            let now = lock(&common.met).states.len() as u64;
            if now == done {
                break;
            }
            let more = all + done..all + now;
            shares.extend(self.share(more, &common, "further positions", telling)?);
            done = now;
        }
        shares.sort_by_key(|found| found.first);
        let mut graph = joined(shares);
        let words = common.reached.into_iter().map(AtomicU64::into_inner);
        graph.reached = words.collect();
        self.end_stuck(&mut graph)?;
        Ok(graph)
    }

    fn room_for(&self, nodes: u64, met: u64, edges: u64) -> Result<(), Error> {
        let state = self.start.info().state_bytes as u64 + MET_BYTES;
        let bytes = (nodes + met).saturating_mul(NODE_BYTES);
        let bytes = bytes
            .saturating_add(met.saturating_mul(state))
            .saturating_add(edges.saturating_mul(EDGE_BYTES));
        let numbers = u64::from(u32::MAX) - 1;
        match bytes > self.memory || nodes + met > numbers || edges > numbers {
            true => Err(Error::Memory {
                positions: nodes + met,
                moves: edges,
                bytes,
                allowed: self.memory,
            }),
            false => Ok(()),
        }
    }

    /// The moves of the positions of some numbers.
    fn share(
        &self,
        numbers: Range<u64>,
        common: &Common<'g>,
        what: &str,
        telling: Telling<'_>,
    ) -> Result<Vec<Share>, Error> {
        let count = numbers.end - numbers.start;
        let sum = (Vec::new(), 0_u64, 0_u64, None, telling);
        let work = |share: Range<u64>| {
            self.found(
                share.start + numbers.start..share.end + numbers.start,
                common,
            )
        };
        let add = |sum: &mut (Vec<Share>, u64, u64, Option<Error>, Telling<'_>), part| {
            let (shares, done, edges, error, telling) = sum;
            let found: Share = match part {
                Ok(found) => found,
                Err(e) => {
                    error.get_or_insert(e);
                    return false;
                }
            };
            *done += found.status.len() as u64;
            *edges += found.targets.len() as u64;
            shares.push(found);
            let met = lock(&common.met).states.len() as u64;
            let room = self.room_for(common.all, met, *edges);
            if let Err(e) = room {
                error.get_or_insert(e);
            } else if !telling(what, *done, count) {
                error.get_or_insert(Error::Stopped);
            }
            error.is_none()
        };
        let (sum, _) = in_shares(self.threads, count, None, sum, &work, &add);
        match sum.3 {
            Some(error) => Err(error),
            None => Ok(sum.0),
        }
    }

    fn found(&self, numbers: Range<u64>, common: &Common<'g>) -> Result<Share, Error> {
        let mut found = Share {
            first: numbers.start as u32,
            ..Share::default()
        };
        let mut scratch = Scratch::default();
        for number in numbers {
            let taken = match number.checked_sub(common.all) {
                None => self.numbered(number as u32, &mut scratch),
                Some(at) => {
                    let mut met = lock(&common.met);
                    let state = met.states.get_mut(at as usize);
                    state.and_then(Option::take)
                }
            };
            let mover = taken.as_ref().and_then(|state| state.player());
            if number >= common.all {
                found.movers.push(mover.unwrap_or(0) as u8);
            }
            let (edges, ends) = (found.targets.len(), found.ends.len());
            let wins = found.won.len();
            let open = match taken {
                None => Status::No,
                Some(state) => {
                    let number = number as u32;
                    self.moves_of(&*state, number, common, &mut scratch, &mut found)?
                }
            };
            if open != Status::Open {
                found.targets.truncate(edges);
                found.ends.truncate(ends);
                found.won.truncate(wins);
                found.left.truncate(found.status.len());
                found.longest.truncate(found.status.len());
                found.left.push(0);
                found.longest.push(0);
            }
            found.status.push(open);
            found.counts.push((found.targets.len() - edges) as u16);
        }
        Ok(found)
    }

    /// The position of a number, if the rules have nothing against it.
    fn numbered(&self, number: u32, scratch: &mut Scratch) -> Option<State<'g>> {
        let (part, turn, own) = self.part_of(number)?;
        if !part.numbering.unrank(own, &mut scratch.pieces) {
            return None;
        }
        let room = &mut scratch.room;
        let state = self
            .frame
            .set_up(self.start, turn, &scratch.pieces, room)
            .ok()?;
        self.frame.look(&*state, room);
        let same = room.pieces == scratch.pieces && self.frame.is_plain(turn, room, &[]);
        same.then_some(state)
    }

    /// Notes the moves of a position.
    ///
    /// All of them are made, also where one shows that it is no position of play: what they lead to may be.
    fn moves_of(
        &self,
        state: &(dyn AnyState<'g> + 'g),
        number: u32,
        common: &Common<'g>,
        scratch: &mut Scratch,
        found: &mut Share,
    ) -> Result<Status, Error> {
        let Turn::Decide(_) = state.turn() else {
            return Ok(match state.outcome() {
                Some(outcome) if !is_fault(outcome) => Status::Over,
                _ => Status::No,
            });
        };
        let Scratch { room, bytes, .. } = scratch;
        let mut tally = Tally::new(state.player().unwrap_or(0));
        let (mut status, mut unknown) = (Status::Open, None);
        let listed = state.each_next(ChoiceSet::Distinct, &mut |moves, next| {
            tally.moves = moves;
            if number >= common.all as u32 {
                // It is not kept, so it is asked at once how its moves end.
                next.settle();
            }
            self.frame.look(&*next, room);
            let mut spot = self.spot(&*next, room);
            if matches!(spot, Ok(Spot::Other)) && next.outcome().is_none() {
                next.settle();
                spot = self.spot(&*next, room);
            }
            match spot {
                Ok(Spot::Numbered(target)) => {
                    common.reach(target);
                    found.targets.push(target);
                }
                Ok(Spot::Known(value)) => tally.tell(value),
                Ok(Spot::End(value)) => {
                    tally.tell(value);
                    let end = self.end(tally.mover, room);
                    end.inspect(|end| common.reach(*end));
                    found.ends.extend(end.map(|end| (end, value)));
                }
                Ok(Spot::Gone) => status = Status::No,
                Ok(Spot::Other) if status == Status::Open => {
                    found.targets.push(meet(next, common, bytes));
                }
                Ok(Spot::Other) => {}
                Err(error) => unknown = Some(error),
            }
        });
        if listed.is_err() || tally.moves == 0 || tally.moves > MOST_MOVES {
            status = Status::No;
        }
        if let (Status::Open, Some(error)) = (status, unknown) {
            return Err(error);
        }
        found.left.push(tally.left());
        found.longest.push(tally.longest);
        found
            .won
            .extend(tally.shortest.map(|plies| (number, plies)));
        Ok(status)
    }

    /// Where a position that a move leads to belongs.
    fn spot(&self, state: &(dyn AnyState<'g> + 'g), room: &Room) -> Result<Spot, Error> {
        let Some(outcome) = state.outcome() else {
            return self.locate(state, room);
        };
        let value = result(outcome).filter(|_| !self.is_gone(room));
        Ok(value.map_or(Spot::Gone, Spot::End))
    }

    /// How positions end in which nobody can move: play of a position before tells.
    fn end_stuck(&self, graph: &mut Graph) -> Result<(), Error> {
        let mut scratch = Scratch::default();
        let mut refused = 0_u64;
        for number in 0..self.size() as u32 {
            let at = number as usize;
            let sources = graph.begins[at] as usize..graph.begins[at + 1] as usize;
            let (Some(status), Some(&source)) = (
                graph.status.get(at),
                graph.sources.get(sources).and_then(<[u32]>::first),
            ) else {
                continue;
            };
            if *status == Status::Open {
                continue;
            }
            let value = match status {
                Status::Over => self.end_after(source, number, &mut scratch),
                _ => None,
            };
            match value {
                Some(value) => graph.ends.push((number, value)),
                None => refused += 1,
            }
        }
        match refused {
            0 => Ok(()),
            count => Err(Error::Refused(format!(
                "moves lead to {count} positions that the rules refuse, or call over, when they are set up"
            ))),
        }
    }

    /// What the end is worth that a move of a position leads to.
    fn end_after(&self, source: u32, target: u32, scratch: &mut Scratch) -> Option<Value> {
        let state = self.numbered(source, scratch)?;
        let room = &mut scratch.room;
        let mut value = None;
        let listed = state.each_next(ChoiceSet::Distinct, &mut |_, next| {
            next.settle();
            self.frame.look(&*next, room);
            let mover = state.player().unwrap_or(0);
            if let Some(outcome) = next.outcome()
                && self.end(mover, room) == Some(target)
            {
                value = result(outcome);
            }
        });
        listed.ok().and(value)
    }

    fn is_gone(&self, room: &Room) -> bool {
        let class = Class::of(&room.pieces, self.frame.contents.len());
        let always = self.frame.always.iter().zip(&class.0);
        always.clone().any(|(always, count)| count < always)
    }

    /// The number of a position that a move of a player has ended, as if the other were on turn.
    fn end(&self, mover: usize, room: &Room) -> Option<u32> {
        let turns = self.frame.turns.len();
        let class = Class::of(&room.pieces, self.frame.contents.len());
        let part = self.parts.iter().find(|part| part.class == class)?;
        Some(number(part, (mover + 1) % turns, room))
    }

    fn locate(&self, state: &(dyn AnyState<'g> + 'g), room: &Room) -> Result<Spot, Error> {
        let class = Class::of(&room.pieces, self.frame.contents.len());
        let mut always = self.frame.always.iter().zip(&class.0);
        if always.any(|(always, count)| count < always) {
            return Ok(Spot::Gone);
        }
        let Some(turn) = state.player() else {
            return Ok(Spot::Other);
        };
        if let Some(part) = self.parts.iter().find(|part| part.class == class) {
            return Ok(match self.frame.is_plain(turn, room, &self.ignored) {
                true => Spot::Numbered(number(part, turn, room)),
                false => Spot::Other,
            });
        }
        let Some(table) = self.done.get(&class) else {
            return Err(Error::Unknown(super::UnknownClass(class)));
        };
        let plain = self.frame.is_plain(turn, room, table.ignored());
        Ok(match plain.then(|| table.value(turn, &room.pieces)) {
            Some(Value::None) | None => Spot::Other,
            Some(value) => Spot::Known(value),
        })
    }
}

/// The number of a position that cannot be set up.
fn meet<'g>(state: &(dyn AnyState<'g> + 'g), common: &Common<'g>, bytes: &mut Vec<u8>) -> u32 {
    bytes.clear();
    let info = state.info();
    state.identity(info.timeless.unwrap_or(info.future), bytes);
    let mut met = lock(&common.met);
    let (at, new) = met.seen.insert(bytes);
    if new {
        met.states.push(Some(state.fork()));
    }
    // As many as numbers are left for are refused before they are used.
    (common.all + u64::from(at)).min(u64::from(u32::MAX)) as u32
}

/// What the moves of a position come to whose results are known.
struct Tally {
    mover: usize,
    moves: usize,
    /// Moves that are known to lose.
    lost: usize,
    longest: u16,
    shortest: Option<u16>,
}

impl Tally {
    fn new(mover: usize) -> Tally {
        Tally {
            mover,
            moves: 0,
            lost: 0,
            longest: 0,
            shortest: None,
        }
    }

    /// Moves that are not known to lose.
    fn left(&self) -> u16 {
        self.moves.saturating_sub(self.lost).min(MOST_MOVES) as u16
    }

    fn tell(&mut self, value: Value) {
        match value {
            Value::Win { player, plies } if usize::from(player) == self.mover => {
                let plies = plies.saturating_add(1);
                self.shortest = Some(self.shortest.map_or(plies, |least| least.min(plies)));
            }
            Value::Win { plies, .. } => {
                self.lost += 1;
                self.longest = self.longest.max(plies);
            }
            Value::Draw | Value::None => {}
        }
    }
}

#[derive(Default)]
struct Scratch {
    room: Room,
    pieces: Vec<(u8, u16)>,
    bytes: Vec<u8>,
}

fn number(part: &Part, turn: usize, room: &Room) -> u32 {
    let own = part.numbering.rank(&room.pieces);
    (u64::from(part.first) + turn as u64 * part.numbering.size() + own) as u32
}

/// Puts the shares together, and turns the edges round.
fn joined(shares: Vec<Share>) -> Graph {
    let mut graph = Graph::default();
    let nodes: usize = shares.iter().map(|found| found.status.len()).sum();
    let mut begins = vec![0_u32; nodes + 1];
    for target in shares.iter().flat_map(|found| &found.targets) {
        if let Some(count) = begins.get_mut(*target as usize + 1) {
            *count += 1;
        }
    }
    for at in 1..begins.len() {
        begins[at] += begins[at - 1];
    }
    let edges = begins.last().copied().unwrap_or(0);
    let mut sources = vec![0_u32; edges as usize];
    // Where the next edge of each target goes; at the end it is where those of the next one begin.
    let mut next = begins.clone();
    for found in shares {
        let mut targets = found.targets.iter();
        for (at, count) in found.counts.iter().enumerate() {
            let source = found.first + at as u32;
            for target in targets.by_ref().take(usize::from(*count)) {
                if let Some(place) = next.get_mut(*target as usize) {
                    if let Some(slot) = sources.get_mut(*place as usize) {
                        *slot = source;
                    }
                    *place += 1;
                }
            }
        }
        graph.status.extend(found.status);
        graph.met_movers.extend(found.movers);
        graph.left.extend(found.left);
        graph.longest.extend(found.longest);
        graph.won.extend(found.won);
        graph.ends.extend(found.ends);
    }
    (graph.begins, graph.sources) = (begins, sources);
    graph
}
