//! The values of expressions.

use super::{Halt, Halted, Machine, Res};
use crate::code::*;
use crate::ir::{BinaryOp, Fold, WalkGive};
use crate::op::Flow;

/// Stack that the expressions of a function which calls itself may need, and how much is added.
const STACK_ROOM: usize = 512 << 10;
const STACK_STEP: usize = 8 << 20;

impl<'c> Machine<'c> {
    /// Ends the evaluation with a fault.
    #[cold]
    pub(super) fn fault<T>(&mut self, site: Site) -> Res<T> {
        self.halted = Halted { site, fails: false };
        Err(Halt)
    }

    #[inline(always)]
    pub(super) fn yes(&mut self, num: &'c Num) -> Res<bool> {
        Ok(self.num(num)? != 0)
    }

    /// A scalar. What takes no more than a look is found without a call.
    #[inline(always)]
    pub(super) fn num(&mut self, num: &'c Num) -> Res<i64> {
        match num {
            Num::Const(value) => Ok(*value),
            Num::At(at) => Ok(self.mem[*at]),
            num => self.computed(num),
        }
    }

    #[inline(never)]
    fn computed(&mut self, num: &'c Num) -> Res<i64> {
        Ok(match num {
            Num::Const(value) => *value,
            Num::At(at) => self.mem[*at],
            Num::Env(at, flag, site) => match self.mem[*flag] {
                0 => return self.fault(*site),
                _ => self.mem[*at],
            },
            Num::Among(at, index) => {
                let index = self.num(index)? as usize;
                self.mem[at.wrapping_add(index)]
            }
            Num::Cell(cell) => {
                let at = self.cell(cell)?;
                self.mem[at]
            }
            Num::Not(a) => i64::from(self.num(a)? == 0),
            Num::And(both) => match self.num(&both.0)? {
                0 => 0,
                _ => self.num(&both.1)?,
            },
            Num::Or(both) => match self.num(&both.0)? {
                0 => self.num(&both.1)?,
                _ => 1,
            },
            Num::If(three) => match self.num(&three.0)? {
                0 => self.num(&three.2)?,
                _ => self.num(&three.1)?,
            },
            Num::Equal(both) => i64::from(self.num(&both.0)? == self.num(&both.1)?),
            Num::Unequal(both) => i64::from(self.num(&both.0)? != self.num(&both.1)?),
            Num::Compare(op, both) => {
                let (a, b) = (self.num(&both.0)?, self.num(&both.1)?);
                i64::from(match op {
                    BinaryOp::Lt => a < b,
                    BinaryOp::Le => a <= b,
                    BinaryOp::Gt => a > b,
                    _ => a >= b,
                })
            }
            Num::Exact(op, both, site) => {
                let (a, b) = (self.num(&both.0)?, self.num(&both.1)?);
                match exact(*op, a, b) {
                    Ok(value) => value,
                    Err(which) => return self.fault(site + which),
                }
            }
            Num::Wrapping(op, both, site) => {
                let (a, b) = (self.num(&both.0)? as i32, self.num(&both.1)? as i32);
                match wrapping(*op, a, b) {
                    Some(value) => i64::from(value),
                    None => return self.fault(*site),
                }
            }
            Num::IsSome(a) => i64::from(self.num(a)? >= 0),
            Num::Get(a, site) => match self.num(a)? {
                -1 => return self.fault(*site),
                member => member,
            },
            Num::OrElse(both) => match self.num(&both.0)? {
                -1 => self.num(&both.1)?,
                member => member,
            },
            Num::ToWrap(a) => i64::from(self.num(a)? as i32),
            Num::Ordinal(a, first) => self.num(a)?.wrapping_add(*first),
            Num::In(both) => {
                let member = self.num(&both.0)? as usize;
                if let SetKind::At(at) = both.1.kind {
                    return Ok(self.mem[at + member / 64] >> (member % 64) & 1);
                }
                match both.1.words {
                    1 => (self.word(&both.1)? >> (member & 63) & 1) as i64,
                    _ => {
                        let at = self.set(&both.1)?;
                        self.mem[at + member / 64] >> (member % 64) & 1
                    }
                }
            }
            Num::IsEmpty(set) => i64::from(self.is_empty(set)?),
            Num::Call(call) => {
                self.call(call)?;
                self.mem[self.code.funcs[call.func].value.start]
            }
            Num::Fold(fold, range, site) => self.fold(*fold, range, *site)?,
            Num::AnyRow(rows) => self.any_row(rows)?,
            _ => return self.num_more(num),
        })
    }

    #[inline(never)]
    fn num_more(&mut self, num: &'c Num) -> Res<i64> {
        Ok(match num {
            Num::Negate(a, site) => match self.num(a)?.checked_neg() {
                Some(value) => value,
                None => return self.fault(*site),
            },
            Num::Absolute(a, site) => match self.num(a)?.checked_abs() {
                Some(value) => value,
                None => return self.fault(*site),
            },
            Num::WrapNegate(a) => i64::from((self.num(a)? as i32).wrapping_neg()),
            Num::WrapAbsolute(a) => i64::from((self.num(a)? as i32).wrapping_abs()),
            Num::Member(a, first, len) => {
                let at = self.num(a)?.checked_sub(*first);
                at.filter(|at| (0..*len).contains(at)).unwrap_or(-1)
            }
            Num::Size(set) => match set.words {
                1 => i64::from(self.word(set)?.count_ones()),
                words => {
                    let at = self.set(set)?;
                    let all = &self.mem[at..at + words];
                    all.iter().map(|word| i64::from(word.count_ones())).sum()
                }
            },
            Num::Subset(both) => match both.0.words {
                1 => i64::from(self.word(&both.0)? & !self.word(&both.1)? == 0),
                words => {
                    let (a, b) = (self.set(&both.0)?, self.set(&both.1)?);
                    let mut words = 0..words;
                    i64::from(words.all(|i| self.mem[a + i] & !self.mem[b + i] == 0))
                }
            },
            Num::SameSet(both) => match both.0.words {
                1 => i64::from(self.word(&both.0)? == self.word(&both.1)?),
                words => {
                    let (a, b) = (self.set(&both.0)?, self.set(&both.1)?);
                    i64::from(self.mem[a..a + words] == self.mem[b..b + words])
                }
            },
            Num::Length(seq) => {
                let at = self.seq(seq)?;
                self.mem[at]
            }
            Num::Item(both, site) => {
                let seq = self.seq(&both.0)?;
                let at = self.num(&both.1)?;
                match (0..self.mem[seq]).contains(&at) {
                    true => self.mem[seq + 1 + at as usize],
                    false => return self.fault(*site),
                }
            }
            Num::InSeq(both) => {
                let item = self.num(&both.0)?;
                let at = self.seq(&both.1)?;
                i64::from(self.items(at).contains(&item))
            }
            Num::SeqSubset(both) => {
                let (a, b) = (self.seq(&both.0)?, self.seq(&both.1)?);
                let all = |item| self.items(b).contains(item);
                i64::from(self.items(a).iter().all(all))
            }
            Num::SameSeq(both) => {
                let (a, b) = (self.seq(&both.0)?, self.seq(&both.1)?);
                i64::from(self.items(a) == self.items(b))
            }
            Num::First(range) => {
                let mut first = -1;
                self.each(range, |machine, item| {
                    let passes = match &range.body {
                        Some(body) => machine.num(body)? != 0,
                        None => true,
                    };
                    if passes {
                        first = item;
                    }
                    Ok(passes)
                })?;
                first
            }
            Num::Walk(walk) => self.walk(walk, None)?,
            Num::Seen(trail) => self.seen(*trail),
            _ => 0,
        })
    }

    /// The items of a sequence that lies there.
    pub(super) fn items(&self, at: At) -> &[i64] {
        &self.mem[at + 1..at + 1 + self.mem[at] as usize]
    }

    /// Where a value of a variable or table lies.
    #[inline(never)]
    pub(super) fn cell(&mut self, cell: &'c Cell) -> Res<At> {
        match self.cell_inside(cell)? {
            Some(at) => Ok(at),
            None => self.fault(cell.site),
        }
    }

    /// The same; nothing if an index is outside and that is a fault.
    #[inline(always)]
    pub(super) fn cell_inside(&mut self, cell: &'c Cell) -> Res<Option<At>> {
        let mut at = cell.base;
        let mut inside = true;
        for axis in &cell.index {
            // What is absent is -1, and an axis of members begins at 0.
            let index = self.num(&axis.index)?.wrapping_sub(axis.lo) as u64;
            inside &= index < axis.len;
            at = at.wrapping_add((index as usize).wrapping_mul(axis.stride));
        }
        Ok(if inside { Some(at) } else { cell.outside })
    }

    /// Binds each item in turn and calls `f` with it, until it says stop.
    pub(super) fn each(
        &mut self,
        range: &'c Range,
        f: impl FnMut(&mut Self, i64) -> Res<bool>,
    ) -> Res<()> {
        self.each_of(range.local, &range.over, f)
    }

    pub(super) fn each_of(
        &mut self,
        local: At,
        over: &'c Over,
        mut f: impl FnMut(&mut Self, i64) -> Res<bool>,
    ) -> Res<()> {
        match over {
            Over::Below(len) => {
                for item in 0..*len {
                    self.mem[local] = item;
                    if f(self, item)? {
                        break;
                    }
                }
            }
            Over::Set(set) if set.words == 1 => {
                let mut rest = self.word(set)?;
                while rest != 0 {
                    let item = i64::from(rest.trailing_zeros());
                    rest &= rest - 1;
                    self.mem[local] = item;
                    if f(self, item)? {
                        break;
                    }
                }
            }
            Over::Set(set) => {
                let at = self.set(set)?;
                for i in 0..set.words {
                    let mut rest = self.mem[at + i] as u64;
                    while rest != 0 {
                        let item = (i * 64) as i64 + i64::from(rest.trailing_zeros());
                        rest &= rest - 1;
                        self.mem[local] = item;
                        if f(self, item)? {
                            return Ok(());
                        }
                    }
                }
            }
            Over::Seq(seq) => {
                let at = self.seq(seq)?;
                for i in 0..self.mem[at] as usize {
                    let item = self.mem[at + 1 + i];
                    self.mem[local] = item;
                    if f(self, item)? {
                        break;
                    }
                }
            }
            Over::Between(from, to) => {
                let (from, to) = (self.num(from)?, self.num(to)?);
                for item in from..=to {
                    self.mem[local] = item;
                    if f(self, item)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn fold(&mut self, fold: Fold, range: &'c Range, site: Site) -> Res<i64> {
        let mut result = match fold {
            Fold::Min | Fold::Max => None,
            Fold::Forall => Some(1),
            Fold::Exists | Fold::Count | Fold::Sum => Some(0_i64),
        };
        self.each(range, |machine, _| {
            let now = match &range.body {
                Some(body) => machine.num(body)?,
                None => 1,
            };
            result = match (fold, result) {
                (Fold::Forall | Fold::Exists, _) => Some(now),
                (Fold::Count, before) => before.map(|n| n + now),
                (Fold::Sum, before) => match before.and_then(|n| n.checked_add(now)) {
                    Some(sum) => Some(sum),
                    None => return machine.fault(site),
                },
                (Fold::Min, before) => Some(before.map_or(now, |least| least.min(now))),
                (Fold::Max, before) => Some(before.map_or(now, |most| most.max(now))),
            };
            Ok(match fold {
                Fold::Forall => now == 0,
                Fold::Exists => now != 0,
                _ => false,
            })
        })?;
        match result {
            Some(result) => Ok(result),
            None => self.fault(site),
        }
    }

    fn any_row(&mut self, rows: &'c Rows) -> Res<i64> {
        let (first, words) = (self.cell(&rows.first)?, rows.set.words);
        let within = match &rows.within {
            Some(cell) => Some(self.cell(cell)?),
            None => None,
        };
        let mut one = [0];
        let set = match words {
            1 => 0,
            _ => self.set(&rows.set)?,
        };
        if words == 1 {
            one[0] = self.word(&rows.set)? as i64;
        }
        // Outside of a table all rows are the same.
        let row = |at: At, outside: Option<At>| match outside == Some(at) {
            true => &self.mem[at..at + words],
            false => &self.mem[at..at + rows.count * words],
        };
        let within = (rows.within.as_ref().zip(within)).map(|(cell, at)| row(at, cell.outside));
        let set = if words == 1 {
            &one[..]
        } else {
            &self.mem[set..set + words]
        };
        let some = some_row(row(first, rows.first.outside), within, set, rows.count);
        Ok(i64::from(some))
    }

    /// What a walk tells as a number; its places go to a set.
    #[inline(never)]
    pub(super) fn walk(&mut self, walk: &'c Walk, set: Option<At>) -> Res<i64> {
        let mut next = self.num(&walk.start)?;
        let (mut passed, mut last, mut stop) = (0_usize, -1, -1);
        while next >= 0 && passed < walk.len {
            self.mem[walk.local] = next;
            if self.num(&walk.pass)? == 0 {
                stop = next;
                if let (Some(set), WalkGive::Reached) = (set, walk.give) {
                    self.insert(set, next);
                }
                break;
            }
            passed += 1;
            if let Some(set) = set {
                self.insert(set, next);
            }
            last = next;
            next = self.mem[walk.step + next as usize];
        }
        Ok(match walk.give {
            WalkGive::Length => passed as i64,
            WalkGive::Stop => stop,
            _ => last,
        })
    }

    /// Where a sequence lies.
    pub(super) fn seq(&mut self, seq: &'c Seq) -> Res<At> {
        let to = seq.to;
        Ok(match &seq.kind {
            SeqKind::At(at) => *at,
            SeqKind::Env(at, flag, site) => match self.mem[*flag] {
                0 => return self.fault(*site),
                _ => *at,
            },
            SeqKind::Cell(cell) => self.cell(cell)?,
            SeqKind::If(three) => match self.num(&three.0)? {
                0 => self.seq(&three.2)?,
                _ => self.seq(&three.1)?,
            },
            SeqKind::Of(items) => {
                for (i, item) in items.iter().enumerate() {
                    let item = self.num(item)?;
                    self.mem[to + 1 + i] = item;
                }
                self.mem[to] = items.len() as i64;
                to
            }
            SeqKind::Concat(both) => {
                let (a, b) = (self.seq(&both.0)?, self.seq(&both.1)?);
                let (first, second) = (self.mem[a] as usize, self.mem[b] as usize);
                self.mem.copy_within(a + 1..a + 1 + first, to + 1);
                self.mem.copy_within(b + 1..b + 1 + second, to + 1 + first);
                self.mem[to] = (first + second) as i64;
                to
            }
            SeqKind::Filter(both, kept) => {
                let (a, b) = (self.seq(&both.0)?, self.seq(&both.1)?);
                let mut len = 0;
                for i in 0..self.mem[a] as usize {
                    let item = self.mem[a + 1 + i];
                    if self.items(b).contains(&item) == *kept {
                        len += 1;
                        self.mem[to + len] = item;
                    }
                }
                self.mem[to] = len as i64;
                to
            }
            SeqKind::Call(call) => {
                self.call(call)?;
                let value = self.code.funcs[call.func].value.clone();
                self.mem.copy_within(value, to);
                to
            }
        })
    }

    /// Stores a value somewhere.
    pub(super) fn put(&mut self, value: &'c Val, to: At) -> Res<()> {
        match value {
            Val::Num(num) => self.mem[to] = self.num(num)?,
            Val::Set(set) => self.put_set(set, to)?,
            Val::Seq(seq) => {
                let at = self.seq(seq)?;
                let words = 1 + self.mem[at] as usize;
                self.mem.copy_within(at..at + words, to);
            }
        }
        Ok(())
    }

    /// Calls a function; its value lies where it puts it. It may also stop play or end the game.
    #[inline(never)]
    pub(super) fn call(&mut self, call: &'c Call) -> Res<Flow> {
        for arg in &call.args {
            self.put(&arg.value, arg.aside)?;
        }
        self.enter(call)
    }

    /// Calls a function whose arguments lie aside.
    pub(super) fn enter(&mut self, call: &'c Call) -> Res<Flow> {
        let func = &self.code.funcs[call.func];
        if !func.recursive {
            if call.aside {
                self.hand_over(call);
            }
            return match func.memo {
                Some(memo) => self.remembered(func, memo),
                None => self.body(func),
            };
        }
        self.spend(1, call.site)?;
        if self.depth >= crate::ir::RECURSION_LIMIT {
            return self.fault(call.site + 1);
        }
        self.depth += 1;
        let kept = self.stack.len();
        self.stack.extend_from_slice(&self.mem[func.head.clone()]);
        self.stack.extend_from_slice(&self.mem[func.frame.clone()]);
        self.hand_over(call);
        let result = stacker::maybe_grow(STACK_ROOM, STACK_STEP, || self.body(func));
        let head = func.head.start..func.value.start;
        let split = kept + head.len();
        let frame = kept + func.head.len();
        self.mem[head].copy_from_slice(&self.stack[kept..split]);
        self.mem[func.frame.clone()].copy_from_slice(&self.stack[frame..frame + func.frame.len()]);
        self.stack.truncate(kept);
        self.depth -= 1;
        result
    }

    /// Runs a function, unless its value for these arguments is known and nothing has changed since.
    fn remembered(&mut self, func: &'c Func, memo: At) -> Res<Flow> {
        let args = func.head.start..func.value.start;
        let known = memo + 1..memo + 1 + args.len();
        if self.mem[memo] == self.mem[self.code.version]
            && self.mem[known.clone()] == self.mem[args.clone()]
        {
            return Ok(Flow::Next);
        }
        self.mem[memo] = 0;
        self.mem.copy_within(args, known.start);
        let version = self.mem[self.code.version];
        let flow = self.body(func)?;
        if version == self.mem[self.code.version] {
            self.mem[memo] = version;
        }
        Ok(flow)
    }

    fn hand_over(&mut self, call: &'c Call) {
        for arg in call.args.iter().filter(|arg| arg.aside != arg.to) {
            self.mem
                .copy_within(arg.aside..arg.aside + arg.words, arg.to);
        }
    }
}

pub(super) fn exact(op: BinaryOp, a: i64, b: i64) -> Result<i64, Site> {
    use BinaryOp as B;
    match op {
        B::Add => a.checked_add(b).ok_or(0),
        B::Sub => a.checked_sub(b).ok_or(0),
        B::Mul => a.checked_mul(b).ok_or(0),
        B::Min => Ok(a.min(b)),
        B::Max => Ok(a.max(b)),
        _ if b == 0 => Err(0),
        B::Div => a.checked_div(b).ok_or(1),
        B::Rem => Ok(a.wrapping_rem(b)),
        _ => Ok(a.wrapping_rem_euclid(b)),
    }
}

pub(super) fn wrapping(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    use BinaryOp as B;
    Some(match op {
        B::Add => a.wrapping_add(b),
        B::Sub => a.wrapping_sub(b),
        B::Mul => a.wrapping_mul(b),
        B::Min => a.min(b),
        B::Max => a.max(b),
        _ if b == 0 => return None,
        B::Div => a.wrapping_div(b),
        B::Rem => a.wrapping_rem(b),
        _ => a.wrapping_rem_euclid(b),
    })
}

/// Whether one of so many rows is part of a set, or what a set has in common with the same row of others. Where there is but one
/// row, all are the same.
#[inline(always)]
pub(super) fn some_row(rows: &[i64], within: Option<&[i64]>, set: &[i64], count: usize) -> bool {
    let words = set.len();
    let nth = |rows: &[i64], number: usize| match rows.len() == words {
        true => 0,
        false => number * words,
    };
    // Loops, as iterators that take a closure are not always put where they stand, and then are not compiled for newer processors.
    for number in 0..count {
        let row = &rows[nth(rows, number)..][..words];
        let within = within.map(|within| &within[nth(within, number)..][..words]);
        if row_holds(row, within, set) {
            return true;
        }
    }
    false
}

/// Whether a row is part of a set, or what the set has in common with the same row of others.
#[inline(always)]
fn row_holds(row: &[i64], within: Option<&[i64]>, set: &[i64]) -> bool {
    for (index, (row, set)) in row.iter().zip(set).enumerate() {
        let holds = match within {
            None => row & !set == 0,
            Some(within) => set & within[index] == *row,
        };
        if !holds {
            return false;
        }
    }
    true
}
