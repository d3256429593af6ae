//! What operations do with more than one or two words: everything here needs memory and the moves that were found, and nothing
//! else of the machine, so the inner loop goes on behind it.

use super::MoveRuns;
use super::near::{Near, near};
use super::value::some_row;
use crate::code::*;
use crate::op::*;

/// All words: those that operations can name, and those behind.
pub(super) struct Words<'m> {
    near: &'m mut Near,
    beyond: &'m mut [i64],
}

/// What came of putting a piece on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// Another piece stands there.
    Taken,
    /// It stood there already, or stands nowhere that is kept.
    Nothing,
    /// It came from there, or from nowhere.
    From(i64),
}

impl<'m> Words<'m> {
    pub(super) fn of(near: &'m mut Near, beyond: &'m mut [i64]) -> Self {
        Self { near, beyond }
    }

    fn get(&self, at: At) -> i64 {
        match at.checked_sub(NEAR) {
            None => self.near[near(at)],
            Some(at) => self.beyond[at],
        }
    }

    fn set(&mut self, at: At, word: i64) {
        match at.checked_sub(NEAR) {
            None => self.near[near(at)] = word,
            Some(at) => self.beyond[at] = word,
        }
    }

    /// Words in a row, which lie on one side.
    fn row(&self, at: At, words: usize) -> &[i64] {
        match at.checked_sub(NEAR) {
            None => &self.near[at..at + words],
            Some(at) => &self.beyond[at..at + words],
        }
    }

    fn copy(&mut self, from: At, to: At, words: usize) {
        match (from.checked_sub(NEAR), to.checked_sub(NEAR)) {
            (None, None) => self.near.copy_within(from..from + words, to),
            (Some(from), Some(to)) => self.beyond.copy_within(from..from + words, to),
            (None, Some(to)) => {
                self.beyond[to..to + words].copy_from_slice(&self.near[from..from + words]);
            }
            (Some(from), None) => {
                self.near[to..to + words].copy_from_slice(&self.beyond[from..from + words]);
            }
        }
    }

    #[inline(always)]
    fn at(&self, reg: Reg) -> i64 {
        self.near[usize::from(reg)]
    }

    /// The items of a sequence with their number.
    fn copy_sequence(&mut self, from: At, to: At) {
        self.copy(from, to, 1 + self.get(from) as usize);
    }
}

/// An operation, with all that it needs.
struct Step<'m> {
    code: &'m Code,
    slow: &'m Slow,
    words: Words<'m>,
    found: &'m mut MoveRuns,
}

impl rulec_cpu::Job for Step<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        run(self.code, self.slow, self.words, self.found)
    }
}

/// Does what an operation says; false if that needs the machine.
// Not inline: what the inner loop holds in registers is worth more than the call.
#[inline(never)]
pub(super) fn step(code: &Code, slow: &Slow, words: Words<'_>, found: &mut MoveRuns) -> bool {
    rulec_cpu::run(Step {
        code,
        slow,
        words,
        found,
    })
}

#[inline(always)]
fn run(code: &Code, slow: &Slow, mut words: Words<'_>, found: &mut MoveRuns) -> bool {
    match slow {
        Slow::Fresh => {
            words.near[code.env.clone()].fill(0);
            words.near[code.work] = 0;
        }
        Slow::Copy(from, to, many) => words.copy(*from, *to, *many),
        Slow::Keep(Val::Seq(seq), to) => match seq.kind {
            SeqKind::At(from) => words.copy_sequence(from, *to),
            _ => return false,
        },
        Slow::Set(store, Val::Seq(seq)) => match (&store.to, &store.admits, &seq.kind) {
            (Target::At(to), Admits::All, SeqKind::At(from)) => {
                words.copy_sequence(*from, *to);
                words.near[code.version] += i64::from(*to < code.position);
            }
            _ => return false,
        },
        Slow::Watched(var, to, value, told) => {
            if (*told && words.near[code.heard] != 0)
                || !code.vars[*var as usize].watchers.is_empty()
            {
                return false;
            }
            let (at, after) = (near(words.at(*to) as usize), words.at(*value));
            let before = std::mem::replace(&mut words.near[at], after);
            words.near[code.version] += i64::from(before != after);
        }
        Slow::SomeRow(asked) => {
            let some = asks_rows(&words, asked);
            words.near[usize::from(asked.to)] = i64::from(some);
        }
        slow => return plan_step(code, slow, words, found),
    }
    true
}

/// What plans of moves need.
#[inline(always)]
fn plan_step(code: &Code, slow: &Slow, mut words: Words<'_>, found: &mut MoveRuns) -> bool {
    match slow {
        Slow::FindNone => found.clear(),
        Slow::SomeFound(to) => words.near[usize::from(*to)] = i64::from(found.count() > 0),
        Slow::FindAll(first, set, many) => {
            found.push_words(words.at(*first) as u64, words.row(*set, *many));
        }
        Slow::Product(number) => {
            let product = &code.products[usize::from(*number)];
            let first = words.at(product.first) as u64;
            let pieces = words.row(product.pieces, product.words);
            let last = words.row(product.last, product.last_words);
            found.push_product(first, *number, pieces, last);
        }
        Slow::Rows(asked) => rows(asked, &words, found),
        Slow::Reach(reach, to) => {
            let all = reached(&words, reach);
            words.set(*to, all as i64);
            if reach.words == 2 {
                words.set(to + 1, (all >> 64) as i64);
            }
        }
        Slow::Row(table, by, many, to) => {
            let from = table + words.at(*by) as usize * many;
            words.copy(from, *to, *many);
        }
        Slow::NextItem(seq, number, to) => {
            let now = words.at(*number);
            let next = match now < words.get(*seq) {
                true => {
                    words.near[usize::from(*to)] = words.get(seq + 1 + now as usize);
                    now + 1
                }
                false => -1,
            };
            words.near[usize::from(*number)] = next;
        }
        Slow::NextMember(set, many, to) => {
            let next = (0..*many).find(|index| words.get(set + index) != 0);
            let member = next.map(|index| {
                let word = words.get(set + index);
                words.set(set + index, word & word.wrapping_sub(1));
                (index * 64) as i64 + i64::from(word.trailing_zeros())
            });
            words.near[usize::from(*to)] = member.unwrap_or(-1);
        }
        _ => return false,
    }
    true
}

/// Whether one of the rows is part of the set.
#[inline(always)]
fn asks_rows(words: &Words<'_>, asked: &RowsAsked) -> bool {
    // Outside of the table all rows are the same.
    let rows = |first: Reg, outside: Option<At>| {
        let first = words.at(first) as usize;
        let many = if outside == Some(first) {
            1
        } else {
            asked.count
        };
        words.row(first, many * asked.words)
    };
    let (all, set) = (
        rows(asked.first, asked.outside),
        words.row(asked.set, asked.words),
    );
    match (asked.within, set) {
        (None, [set]) => {
            let mut some = false;
            for row in all {
                some |= row & !set == 0;
            }
            some
        }
        (within, set) => {
            let within = within.map(|(first, outside)| rows(first, outside));
            some_row(all, within, set, asked.count)
        }
    }
}

/// Adds the moves of members of a set of one word, and of those in a row of a table for each, as far as these pass.
#[inline(always)]
fn rows(asked: &RowsFound, words: &Words<'_>, found: &mut MoveRuns) {
    let first = words.at(asked.first) as u64;
    let mut rest = words.get(asked.set) as u64;
    let pass = match asked.pass {
        Some((at, true)) => words.get(at) as u64,
        Some((at, false)) => !(words.get(at) as u64),
        None => u64::MAX,
    };
    while rest != 0 {
        let member = u64::from(rest.trailing_zeros());
        rest &= rest - 1;
        let row = words.get(asked.table + member as usize) as u64 & pass;
        if row != 0 {
            found.push_word(first + member * asked.stride, row);
        }
    }
}

/// The places from which a walk meets a set.
fn reached(words: &Words<'_>, reach: &Reached) -> u128 {
    let bits = |at| {
        let low = u128::from(words.get(at) as u64);
        match reach.words {
            1 => low,
            _ => low | u128::from(words.get(at + 1) as u64) << 64,
        }
    };
    let (pass, meet, steps) = (bits(reach.pass), bits(reach.meet), bits(reach.steps));
    let by = u32::from(reach.by.unsigned_abs());
    let mut all = 0;
    loop {
        let before = steps & if reach.by >= 0 { all >> by } else { all << by };
        let next = match reach.with_stop {
            true => meet | (pass & before),
            false => pass & (meet | before),
        };
        if next == all {
            return all;
        }
        all = next;
    }
}

/// Something else stands on a place: the sets that are kept of it change, but for those whose tests look at more than that.
#[inline(always)]
fn stands(placement: &PlacementCode, words: &mut Near, place: i64, content: i64) {
    let Some(at) = placement.content else {
        return;
    };
    let place = place as usize;
    let before = std::mem::replace(&mut words[near(at + place)], content);
    let kind = |content: i64| placement.kinds[(content + 1) as usize];
    let change = kind(before) * placement.many + kind(content);
    for &set in &placement.changes[change] {
        words[near(set + place / 64)] ^= 1 << (place % 64);
    }
}

/// A piece stands on a place no longer.
#[inline(always)]
fn leaves(placement: &PlacementCode, words: &mut Near, piece: i64, place: i64) {
    stands(placement, words, place, -1);
    if let Some(crowds) = placement.crowds {
        let (at, bit) = crowds.spot(piece as usize, place as usize);
        words[near(at)] &= !bit;
    }
}

/// Brings the sets of pieces up to date that are kept by where they stand.
#[inline(always)]
fn supply(placement: &PlacementCode, words: &mut Near, piece: i64, place: Option<i64>) {
    let bit = 1 << (piece % 64);
    for supply in &placement.supplies {
        let stands = place.is_some_and(|place| supply.places[place as usize]);
        let word = &mut words[near(supply.at + piece as usize / 64)];
        *word = if stands { *word | bit } else { *word & !bit };
    }
}

/// Takes a piece from where it stands.
pub(super) fn take(code: &Code, words: &mut Near, index: usize, piece: i64) -> Moved {
    let placement = &code.placements[index];
    let Some(place_of) = placement.place_of else {
        return Moved::Nothing;
    };
    let from = std::mem::replace(&mut words[near(place_of + piece as usize)], -1);
    if from < 0 {
        return Moved::Nothing;
    }
    words[near(code.version)] += 1;
    leaves(placement, words, piece, from);
    supply(placement, words, piece, None);
    Moved::From(from)
}

/// Puts a piece on a place.
pub(super) fn put(code: &Code, words: &mut Near, index: usize, piece: i64, place: i64) -> Moved {
    let placement = &code.placements[index];
    let Some(place_of) = placement.place_of else {
        return Moved::Nothing;
    };
    if let Some(content) = placement.content {
        let there = words[near(content + place as usize)];
        if there >= 0 && there != piece {
            return Moved::Taken;
        }
    }
    let from = std::mem::replace(&mut words[near(place_of + piece as usize)], place);
    if from == place {
        return Moved::Nothing;
    }
    words[near(code.version)] += 1;
    if from >= 0 {
        leaves(placement, words, piece, from);
    }
    stands(placement, words, place, piece);
    if let Some(crowds) = placement.crowds {
        let (at, bit) = crowds.spot(piece as usize, place as usize);
        words[near(at)] |= bit;
    }
    supply(placement, words, piece, Some(place));
    Moved::From(from)
}

/// Lets a kind stand on a place, or nothing; what stood there, if that is something else.
pub(super) fn fill(code: &Code, words: &mut Near, index: usize, place: i64, kind: i64) -> Moved {
    let placement = &code.placements[index];
    let Some(content) = placement.content else {
        return Moved::Nothing;
    };
    let before = words[near(content + place as usize)];
    if before == kind {
        return Moved::Nothing;
    }
    words[near(code.version)] += 1;
    stands(placement, words, place, kind);
    Moved::From(before)
}
