//! The words that operations can name, and what is asked of them alone.

use crate::code::*;
use crate::op::*;

/// These words: no number of one reaches beyond them.
pub(super) type Near = [i64; NEAR];

/// A word that is known to be near.
#[inline(always)]
pub(super) fn near(at: usize) -> usize {
    at & (NEAR - 1)
}

/// The number of the word of a variable or table; nothing if an index is outside and that is a fault.
#[inline]
pub(super) fn locate(place: &Place, words: &Near) -> Option<At> {
    let one = |axis: &PlaceAxis| {
        let index = words[usize::from(axis.index)].wrapping_sub(axis.lo) as u64;
        (index < axis.len, (index as usize).wrapping_mul(axis.stride))
    };
    let (inside, at) = match &place.index[..] {
        [axis] => one(axis),
        index => index.iter().fold((true, 0_usize), |(all, at), axis| {
            let (inside, more) = one(axis);
            (all & inside, at.wrapping_add(more))
        }),
    };
    match inside {
        true => Some(place.base.wrapping_add(at)),
        false => place.outside,
    }
}

/// Whether something is a member of a set: 1 or 0.
#[inline(always)]
pub(super) fn has(words: &Near, set: Reg, member: Reg) -> i64 {
    let member = words[usize::from(member)] as usize;
    words[near(usize::from(set) + member / 64)] >> (member % 64) & 1
}

/// A value that is within the range whose ends lie there; if not, the number of the fault: the second one where there is none.
#[inline(always)]
pub(super) fn admitted(words: &Near, value: Option<i64>, ends: Reg) -> Result<i64, Site> {
    let value = value.ok_or(1_u32)?;
    let (first, last) = (words[usize::from(ends)], words[near(usize::from(ends) + 1)]);
    match (first..=last).contains(&value) {
        true => Ok(value),
        false => Err(0),
    }
}

/// Whether a number is one of those, below 64, of a set of one word.
#[inline(always)]
pub(super) fn one_of(number: i64, set: i64) -> bool {
    (0..64).contains(&number) && set >> number & 1 == 1
}

/// Whether the value of a function is known for its arguments. If not, they are noted, with the number of the position in which
/// it is worked out.
pub(super) fn recall(words: &mut Near, memo: &Memo, version: At) -> bool {
    let version = words[near(version)];
    let mut same = words[near(memo.at)] == version;
    for i in 0..memo.words {
        let (now, known) = (near(memo.args + i), near(memo.at + 1 + i));
        same &= words[now] == words[known];
    }
    if !same {
        for i in 0..memo.words {
            words[near(memo.at + 1 + i)] = words[near(memo.args + i)];
        }
        words[near(memo.at)] = -version;
    }
    same
}

/// The bits up to the least one of the end; all if there is none.
#[inline(always)]
pub(super) fn up_to(all: i64, end: i64) -> i64 {
    let end = all & end;
    all & (end ^ end.wrapping_sub(1))
}

/// The bits down to the greatest one of the end; all if there is none.
#[inline(always)]
pub(super) fn down_to(all: i64, end: i64) -> i64 {
    match all & end {
        0 => all,
        end => all & (u64::MAX << (63 - end.leading_zeros())) as i64,
    }
}

/// The lines from a place on.
#[inline(always)]
pub(super) fn along(words: &Near, rays: &Rays, place: usize) -> i64 {
    let row = |table: Reg| words[near(usize::from(table).wrapping_add(place))];
    let stops = words[usize::from(rays.stops)];
    rays.each.iter().fold(0, |all, ray| {
        let line = match ray.end {
            RayEnd::Open => row(ray.row),
            RayEnd::UpTo => up_to(row(ray.row), stops),
            RayEnd::DownTo => down_to(row(ray.row), stops),
        };
        all | match ray.within {
            Within::Anywhere => line,
            Within::Set(set) => line & words[usize::from(set)],
            Within::Row(table) => line & row(table),
        }
    })
}

/// Whether one of some rows is part of a set; nothing where the place of the first is a fault.
// Not inline: what the inner loop holds in registers is worth more than the call.
#[inline(never)]
pub(super) fn any_row(code: &Code, words: &Near, asked: u16) -> Option<i64> {
    let asked = &code.rows[usize::from(asked)];
    let place = &code.places[usize::from(asked.place)];
    let first = locate(place, words)?;
    // Outside of the table all rows are the same.
    let is_outside = place.outside == Some(first);
    let count = if is_outside { 1 } else { asked.count };
    let rest = !words[usize::from(asked.set)];
    let any = (first..first + count).any(|row| words[near(row)] & rest == 0);
    Some(i64::from(any))
}

/// The pieces of a set from whose places a row leads into another set.
#[inline(always)]
pub(super) fn meeting(words: &Near, asked: &Meeting, pieces: u64) -> u64 {
    let at = |base: Reg, index: usize| words[near(usize::from(base).wrapping_add(index))];
    let pass = words[usize::from(asked.pass)];
    let (mut rest, mut kept) = (pieces, 0);
    while rest != 0 {
        let piece = rest.trailing_zeros();
        rest &= rest - 1;
        let place = at(asked.places, piece as usize);
        let meets = place >= 0 && at(asked.table, place as usize) & pass != 0;
        kept |= u64::from(meets) << piece;
    }
    kept
}

/// A packed form.
#[inline]
pub(super) fn pack(code: &Code, words: &Near, packed: u16) -> i64 {
    let packed = &code.packed[usize::from(packed)];
    let digits = packed.digits.iter();
    digits.fold(packed.base, |all, (at, stride)| {
        all.wrapping_add(words[usize::from(*at)].wrapping_mul(*stride))
    })
}

/// The union of sets that are there where words have some values.
// Not inline: what the inner loop holds in registers is worth more than the call.
#[inline(never)]
pub(super) fn chosen(words: &Near, choices: &[Choice]) -> i64 {
    let word = |at: Reg| words[usize::from(at)];
    choices.iter().fold(0, |all, choice| {
        let value = |at: Reg| (word(at).wrapping_add(1) as u64).min(63);
        let [first, second] = choice.words.map(value);
        let [some, others] = choice.values;
        let there = ((some >> first & others >> second & 1) as i64).wrapping_neg();
        let [a, b, c] = choice.sets.map(word);
        all | (there & a & b & c)
    })
}
