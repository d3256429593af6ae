//! Equalities of positions as exact bytes: the same bytes that the reference interpreter writes.

use std::hash::Hasher;

use rulec_core::KeyHasher;

use super::{Ending, Machine, Wait, Why};
use crate::code::*;
use crate::ir::{EndReason, Parts, Type, VarId};

fn put_len(len: usize, out: &mut Vec<u8>) {
    out.extend((len as u64).to_be_bytes());
}

fn put_member(member: i64, out: &mut Vec<u8>) {
    out.extend((member as u32).to_be_bytes());
}

/// Appends the bytes of a value that lies in these words.
pub(super) fn put_value(ty: &Type, words: &[i64], out: &mut Vec<u8>) {
    match ty {
        Type::Bool => out.push(words[0] as u8),
        Type::Int { .. } => out.extend(words[0].to_be_bytes()),
        Type::Wrap32 => out.extend((words[0] as i32).to_be_bytes()),
        Type::Elem(_) | Type::Opt(_) => put_member(words[0], out),
        Type::Set(_) => {
            let len: u32 = words.iter().map(|word| word.count_ones()).sum();
            put_len(len as usize, out);
            for (i, word) in words.iter().enumerate() {
                let mut rest = *word as u64;
                while rest != 0 {
                    out.extend((i as u32 * 64 + rest.trailing_zeros()).to_be_bytes());
                    rest &= rest - 1;
                }
            }
        }
        Type::Seq { item, .. } => {
            put_len(words[0] as usize, out);
            for at in 1..=words[0] as usize {
                put_value(item, &words[at..=at], out);
            }
        }
        Type::Tagged => {}
    }
}

/// Reads a scalar or set that [`put_value`] wrote, and gives the bytes behind it. What is missing is 0.
pub(super) fn take_value<'b>(ty: &Type, bytes: &'b [u8], words: &mut [i64]) -> &'b [u8] {
    let (size, signed) = match ty {
        Type::Bool => (1, false),
        Type::Elem(_) | Type::Opt(_) | Type::Wrap32 => (4, true),
        _ => (8, true),
    };
    let (head, mut rest) = bytes.split_at(bytes.len().min(size));
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |all, byte| all << 8 | u64::from(*byte))
    };
    let value = number(head) as i64;
    let Type::Set(_) = ty else {
        let unused = 64 - 8 * size as u32;
        words[0] = if signed {
            value << unused >> unused
        } else {
            value
        };
        return rest;
    };
    for _ in 0..value {
        let Some((member, others)) = rest.split_at_checked(4) else {
            break;
        };
        let member = number(member) as usize;
        if let Some(word) = words.get_mut(member / 64) {
            *word |= 1 << (member % 64);
        }
        rest = others;
    }
    rest
}

/// Bytes of members without order: the values of one after those of another.
#[derive(Debug, Default)]
pub(crate) struct Bag {
    bytes: Vec<u8>,
    members: Vec<Member>,
}

/// Where the bytes of a member begin and end, and the first of them as a number.
#[derive(Clone, Copy, Debug)]
struct Member {
    first: u128,
    begin: usize,
    end: usize,
}

impl Bag {
    /// Sorts the members and appends them.
    fn put(&mut self, out: &mut Vec<u8>) {
        let bytes = &self.bytes;
        let whole = |member: &Member| &bytes[member.begin..member.end];
        self.members.sort_unstable_by(|a, b| {
            let firsts = a.first.cmp(&b.first);
            firsts.then_with(|| whole(a).cmp(whole(b)))
        });
        put_len(self.members.len(), out);
        out.reserve(bytes.len());
        for member in &self.members {
            out.extend_from_slice(whole(member));
        }
    }

    /// The bytes from here on are those of a member.
    fn add(&mut self, begin: usize) {
        let bytes = &self.bytes[begin..];
        let mut first = [0; 16];
        let known = bytes.len().min(first.len());
        first[..known].copy_from_slice(&bytes[..known]);
        self.members.push(Member {
            first: u128::from_be_bytes(first),
            begin,
            end: self.bytes.len(),
        });
    }
}

impl<'c> Machine<'c> {
    /// Appends the bytes of a state under an identity: outcome, place in the rules, terms.
    pub(crate) fn identity(
        &mut self,
        identity: usize,
        wait: Wait,
        over: Option<Ending>,
        out: &mut Vec<u8>,
    ) {
        self.put_place(wait, over, out);
        self.terms(identity, out);
    }

    /// Appends the bytes of a state as long as they are not more than others; false, and fewer of them, if they are.
    pub(crate) fn identity_at_most(
        &mut self,
        identity: usize,
        (wait, over): (Wait, Option<Ending>),
        most: &[u8],
        out: &mut Vec<u8>,
    ) -> bool {
        self.put_place(wait, over, out);
        self.terms_while(identity, out, |out| {
            out[..] <= most[..out.len().min(most.len())]
        })
    }

    /// Appends the key of a state under an identity.
    pub(crate) fn key(&mut self, identity: usize, wait: Wait, over: Option<Ending>) -> u64 {
        let mut bytes = std::mem::take(&mut self.memory.bytes);
        bytes.clear();
        self.identity(identity, wait, over, &mut bytes);
        let mut hasher = KeyHasher::new();
        hasher.write(&bytes);
        self.memory.bytes = bytes;
        hasher.finish()
    }

    fn put_place(&self, wait: Wait, over: Option<Ending>, out: &mut Vec<u8>) {
        self.put_outcome(over, out);
        match wait {
            Wait::Nowhere => out.push(0),
            Wait::At(point) => {
                out.push(1);
                out.extend((point as u32).to_be_bytes());
                for &var in self.saved() {
                    self.put_var(var, out);
                }
            }
        }
    }

    fn saved(&self) -> &'c [VarId] {
        let machine = &self.interp.game().machine;
        machine.as_ref().map_or(&[], |machine| &machine.saved)
    }

    fn put_outcome(&self, over: Option<Ending>, out: &mut Vec<u8>) {
        let Some(over) = over else {
            return out.push(0);
        };
        let word: &[u8] = match over.why {
            Why::Rules(EndReason::Win) => b"win",
            Why::Rules(EndReason::Draw) => b"draw",
            Why::Rules(EndReason::Stuck) => b"stuck",
            Why::Rules(EndReason::Elimination) => b"elimination",
            Why::Rules(EndReason::Limit) => b"limit",
            Why::Fault(_) => b"fault",
        };
        out.push(word.len() as u8);
        out.extend(word);
        if let Why::Fault(site) = over.why {
            let (code, span) = self.code.fault(site);
            let what = format!("{} {} {span:?}", code.name(), code.message());
            put_len(what.len(), out);
            out.extend(what.as_bytes());
        }
        put_len(over.winners.count_ones() as usize, out);
        for player in (0..64).filter(|player| over.winners >> player & 1 == 1) {
            put_member(player, out);
        }
    }

    fn put_var(&self, var: VarId, out: &mut Vec<u8>) {
        let var = &self.code.vars[var.index()];
        for cell in 0..var.cells {
            let at = var.base + cell * var.width;
            put_value(&var.ty, &self.mem[at..at + var.width], out);
        }
    }

    fn put_placement(&self, placement: usize, out: &mut Vec<u8>) {
        let placement = &self.code.placements[placement];
        if let Some((at, words)) = placement.parts().next() {
            let members = &self.mem[at..at + words];
            members.iter().for_each(|member| put_member(*member, out));
        }
    }

    fn put_snapshot(&self, slot: usize, out: &mut Vec<u8>) {
        let code = &self.code.snapshots[slot];
        if self.mem[code.flag] == 0 {
            return out.push(0);
        }
        out.push(1);
        let kept = &self.interp.game().snapshots[slot];
        let mut copies = code.copies.iter();
        for var in &kept.vars {
            let var = &self.code.vars[var.index()];
            if let Some(&(_, at, words)) = copies.next() {
                for cell in self.mem[at..at + words].chunks(var.width.max(1)) {
                    put_value(&var.ty, cell, out);
                }
            }
        }
        for &placement in &code.placements {
            let parts = self.code.placements[placement].parts().count();
            for (part, &(_, at, words)) in copies.by_ref().take(parts).enumerate() {
                if part == 0 {
                    let members = &self.mem[at..at + words];
                    members.iter().for_each(|member| put_member(*member, out));
                }
            }
        }
    }

    /// Appends the bytes of the terms of an identity.
    pub(crate) fn terms(&mut self, identity: usize, out: &mut Vec<u8>) {
        self.terms_while(identity, out, |_| true);
    }

    /// Appends the bytes of one term after another, as long as they are fine; whether they all are.
    fn terms_while(
        &mut self,
        identity: usize,
        out: &mut Vec<u8>,
        fine: impl Fn(&[u8]) -> bool,
    ) -> bool {
        let code = self.code;
        let (work, depth) = (self.mem[code.work], self.depth);
        let env = self.mem[code.env.clone()].to_vec();
        let all_fine = code.identities[identity].iter().all(|term| {
            self.term(term, out);
            fine(out)
        });
        (self.mem[code.work], self.depth) = (work, depth);
        self.mem[code.env.clone()].copy_from_slice(&env);
        all_fine
    }

    fn term(&mut self, term: &'c Term, out: &mut Vec<u8>) {
        match term {
            Term::Everything => self.everything(out),
            Term::Each(each) => {
                let at = out.len();
                put_len(0, out);
                let mut count = 0_u64;
                for member in 0..each.len {
                    let here = out.len();
                    put_member(member as i64, out);
                    match self.member(each, member, out) {
                        true => count += 1,
                        false => out.truncate(here),
                    }
                }
                out[at..at + 8].copy_from_slice(&count.to_be_bytes());
            }
            Term::Bag(each) => {
                let mut bag = std::mem::take(&mut self.memory.bag);
                bag.bytes.clear();
                bag.members.clear();
                for member in 0..each.len {
                    let begin = bag.bytes.len();
                    if self.member(each, member, &mut bag.bytes) {
                        bag.add(begin);
                    }
                }
                bag.put(out);
                self.memory.bag = bag;
            }
            Term::Value(value, ty) => {
                self.fresh();
                self.term_value(value, ty, out);
            }
            Term::Parts(parts) => self.parts(parts, out),
        }
    }

    fn everything(&self, out: &mut Vec<u8>) {
        let saved = self.saved();
        for (index, var) in self.interp.game().vars.iter().enumerate() {
            let id = VarId::from(index);
            if !var.meter && !saved.contains(&id) {
                self.put_var(id, out);
            }
        }
        (0..self.code.placements.len()).for_each(|placement| self.put_placement(placement, out));
        (0..self.code.snapshots.len()).for_each(|slot| self.put_snapshot(slot, out));
    }

    fn parts(&self, parts: &Parts, out: &mut Vec<u8>) {
        parts.vars.iter().for_each(|&var| self.put_var(var, out));
        for placement in &parts.placements {
            self.put_placement(placement.index(), out);
        }
        for slot in &parts.snapshots {
            self.put_snapshot(slot.index(), out);
        }
        for trail in &parts.trails {
            let form = &self.code.trails[trail.index()];
            let trail = self.trails[trail.index()].iter(form);
            let mut noted: Vec<&[u8]> = trail.map(|bytes| &bytes[..]).collect();
            noted.sort_unstable();
            put_len(noted.len(), out);
            for position in noted {
                put_len(position.len(), out);
                out.extend(position);
            }
        }
    }

    /// Appends the bytes of the values of a member; gives false if the condition does not hold.
    fn member(&mut self, each: &'c EachTerm, member: usize, out: &mut Vec<u8>) -> bool {
        self.fresh();
        self.mem[each.local] = member as i64;
        match self.yes(&each.when) {
            Ok(false) => return false,
            Ok(true) => {
                for (value, ty) in &each.values {
                    self.fresh();
                    self.term_value(value, ty, out);
                }
            }
            Err(_) => out.push(0),
        }
        true
    }

    /// Appends a value; one whose evaluation faults equals only others that fault.
    fn term_value(&mut self, value: &'c Val, ty: &Type, out: &mut Vec<u8>) {
        let at = out.len();
        out.push(1);
        let result = match value {
            Val::Num(num) => self.num(num).map(|number| put_value(ty, &[number], out)),
            Val::Set(set) if set.words == 1 => {
                let word = self.word(set);
                word.map(|word| put_value(ty, &[word as i64], out))
            }
            Val::Set(set) => self
                .set(set)
                .map(|at| put_value(ty, &self.mem[at..at + set.words], out)),
            Val::Seq(seq) => self.seq(seq).map(|at| {
                let words = 1 + self.mem[at] as usize;
                put_value(ty, &self.mem[at..at + words], out);
            }),
        };
        if result.is_err() {
            out.truncate(at);
            out.push(0);
        }
    }
}
