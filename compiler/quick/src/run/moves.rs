//! Legal moves: listed, counted, or the one of a number.

use super::{Machine, Res};
use crate::code::*;

/// What is wanted of the legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// All of them.
    List,
    /// How many there are.
    Count,
    /// Whether there is any: 0 or more.
    Any,
    /// The one of this number in their order.
    Nth(u64),
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// The packed forms, in order: all of them, or the one that was wanted.
    pub(crate) moves: Vec<u64>,
    pub(crate) count: u64,
}

struct Search<'c> {
    code: &'c Choose,
    want: Want,
    found: Found,
    highest: i64,
    /// Whether ranks decide, so that nothing is known before the end.
    ranked: bool,
    /// Whether nothing more has to be looked for.
    done: bool,
}

impl<'c> Machine<'c> {
    /// The legal moves at a point.
    pub(crate) fn find(&mut self, point: usize, want: Want) -> Res<Found> {
        let Point::Choose(choose) = &self.code.points[point] else {
            return Ok(Found::default());
        };
        let families = |arm: &Arm| &self.code.families[arm.family];
        let ranked = choose.arms.iter().any(|arm| families(arm).rank.is_some());
        let harmless = choose.arms.iter().all(|arm| families(arm).harmless);
        let want = match want {
            // Another candidate might run into a fault.
            Want::Any if !harmless => Want::Count,
            want => want,
        };
        let mut search = Search {
            code: choose,
            want,
            found: Found::default(),
            highest: i64::MIN,
            ranked,
            done: false,
        };
        self.memory.search = match self.memory.search {
            search if search >= u32::MAX / 2 - 1 => {
                self.memory.answers.fill(0);
                1
            }
            search => search + 1,
        };
        for (index, arm) in choose.arms.iter().enumerate() {
            if !search.done {
                let mut ready = 0_u64;
                self.extend(&mut search, index, arm, 0, 0, &mut ready)?;
            }
        }
        let mut found = search.found;
        if ranked {
            found.count = found.moves.len() as u64;
            if let Want::Nth(number) = search.want {
                let wanted = found.moves.get(number as usize).copied();
                found.moves = wanted.into_iter().collect();
            }
        }
        Ok(found)
    }

    /// Tries every candidate that begins with the parameters that are bound, whose digits make up this number.
    fn extend(
        &mut self,
        search: &mut Search<'c>,
        index: usize,
        arm: &'c Arm,
        bound: usize,
        digits: u64,
        ready: &mut u64,
    ) -> Res<()> {
        let family = &self.code.families[arm.family];
        for question in family.questions.iter().filter(|q| q.bound == bound) {
            if !self.answer(family, question)? {
                return Ok(());
            }
        }
        let Some(param) = family.params.get(bound) else {
            return self.add(search, index, arm, digits);
        };
        let (lo, radix) = family.codes.digits[bound];
        match &param.source {
            Source::Members(members) => {
                self.candidates(param, *members, bound, ready)?;
                if bound + 1 == family.params.len() && self.is_free(family, search) {
                    self.add_all(search, family, param, digits * radix);
                    return Ok(());
                }
                for i in 0..param.words {
                    let mut rest = self.mem[param.room + i] as u64;
                    while rest != 0 && !search.done {
                        let member = (i * 64) as u64 + u64::from(rest.trailing_zeros());
                        rest &= rest - 1;
                        self.mem[param.at] = member as i64;
                        self.extend(search, index, arm, bound + 1, digits * radix + member, ready)?;
                    }
                }
            }
            Source::Row(by, table) => {
                let row = table + self.mem[*by] as usize * param.words;
                for i in 0..param.words {
                    let mut rest = self.mem[row + i] as u64;
                    while rest != 0 && !search.done {
                        let member = (i * 64) as u64 + u64::from(rest.trailing_zeros());
                        rest &= rest - 1;
                        self.mem[param.at] = member as i64;
                        self.extend(search, index, arm, bound + 1, digits * radix + member, ready)?;
                    }
                }
            }
            Source::Is(num) => {
                self.fresh();
                let value = self.num(num)?;
                let digit = value.wrapping_sub(lo) as u64;
                if digit < radix {
                    self.mem[param.at] = value;
                    self.extend(search, index, arm, bound + 1, digits * radix + digit, ready)?;
                }
            }
            Source::Set(func) => {
                self.ask(family, *func, bound)?;
                let value = self.code.funcs[*func].value.clone();
                let members: Vec<i64> = self.mem[value].to_vec();
                for (i, word) in members.into_iter().enumerate() {
                    let mut rest = word as u64;
                    while rest != 0 && !search.done {
                        let member = (i * 64) as u64 + u64::from(rest.trailing_zeros());
                        rest &= rest - 1;
                        self.mem[param.at] = member as i64;
                        self.extend(search, index, arm, bound + 1, digits * radix + member, ready)?;
                    }
                }
            }
            Source::Seq(func) => {
                self.ask(family, *func, bound)?;
                let at = self.code.funcs[*func].value.start;
                let items = self.items(at).to_vec();
                let mut seen = Vec::with_capacity(items.len());
                for item in items {
                    if seen.contains(&item) || search.done {
                        continue;
                    }
                    seen.push(item);
                    let digit = item.wrapping_sub(lo) as u64;
                    self.mem[param.at] = item;
                    self.extend(search, index, arm, bound + 1, digits * radix + digit, ready)?;
                }
            }
        }
        Ok(())
    }

    /// Looks for the candidates of a parameter on which nothing else has a say, once for a search.
    fn candidates(&mut self, param: &'c Param, members: At, bound: usize, ready: &mut u64) -> Res<()> {
        if *ready >> (bound & 63) & 1 == 1 {
            return Ok(());
        }
        *ready |= 1 << (bound & 63);
        let room = param.room;
        self.mem.copy_within(members..members + param.words, room);
        for set in &param.sets {
            match param.words {
                1 => {
                    let word = self.word(set)?;
                    self.mem[room] &= word as i64;
                }
                words => {
                    let at = self.set(set)?;
                    for i in 0..words {
                        self.mem[room + i] &= self.mem[at + i];
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether every candidate for the last parameter is a legal move.
    fn is_free(&self, family: &Family, search: &Search<'_>) -> bool {
        let last = family.params.len();
        family.after.is_none()
            && !search.ranked
            && family.questions.iter().all(|question| question.bound < last)
    }

    fn add_all(&mut self, search: &mut Search<'c>, family: &Family, param: &Param, first: u64) {
        let base = family.codes.base + first;
        let words = &self.mem[param.room..param.room + param.words];
        let all: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
        match search.want {
            Want::List => {
                for (i, word) in words.iter().enumerate() {
                    let mut rest = *word as u64;
                    while rest != 0 {
                        let member = (i * 64) as u64 + u64::from(rest.trailing_zeros());
                        rest &= rest - 1;
                        search.found.moves.push(base + member);
                    }
                }
            }
            Want::Nth(number) if number < search.found.count + all => {
                let mut left = number - search.found.count;
                for (i, word) in words.iter().enumerate() {
                    let here = u64::from(word.count_ones());
                    if left < here {
                        let mut rest = *word as u64;
                        for _ in 0..left {
                            rest &= rest - 1;
                        }
                        let member = (i * 64) as u64 + u64::from(rest.trailing_zeros());
                        search.found.moves.push(base + member);
                        search.done = true;
                        break;
                    }
                    left -= here;
                }
            }
            Want::Any => search.done |= all > 0,
            Want::Count | Want::Nth(_) => {}
        }
        search.found.count += all;
    }

    /// Whether a condition holds, remembered where it may be asked again.
    fn answer(&mut self, family: &'c Family, question: &'c Question) -> Res<bool> {
        let Some(by) = &question.by else {
            return self.holds(family, question);
        };
        let mut place = question.answers;
        for (at, stride) in by {
            place += self.mem[*at] as usize * stride;
        }
        let stamp = self.memory.search << 1;
        let known = self.memory.answers[place];
        if known & !1 == stamp {
            return Ok(known & 1 == 1);
        }
        let answer = self.holds(family, question)?;
        self.memory.answers[place] = stamp | u32::from(answer);
        Ok(answer)
    }

    fn holds(&mut self, family: &'c Family, question: &'c Question) -> Res<bool> {
        match &question.ask {
            Ask::Holds(num) => self.yes(num),
            Ask::Function(func) => {
                self.ask(family, *func, family.params.len())?;
                Ok(self.mem[self.code.funcs[*func].value.start] != 0)
            }
        }
    }

    /// Runs a function of the context and so many parameters in a fresh chain of evaluation.
    fn ask(&mut self, family: &'c Family, func: usize, bound: usize) -> Res<()> {
        self.fresh();
        self.run_on(family, func, bound)
    }

    fn run_on(&mut self, family: &'c Family, func: usize, bound: usize) -> Res<()> {
        let func = &self.code.funcs[func];
        let mut to = func.head.start;
        for (at, words) in &family.context {
            self.mem.copy_within(*at..at + words, to);
            to += words;
        }
        for param in &family.params[..bound] {
            self.mem[to] = self.mem[param.at];
            to += 1;
        }
        if func.recursive {
            self.depth += 1;
            self.work += 1;
        }
        let result = self.body(func);
        if func.recursive {
            self.depth -= 1;
        }
        result.map(|_| ())
    }

    /// Adds a candidate for which the guard holds if it is legal but for its rank.
    fn add(&mut self, search: &mut Search<'c>, index: usize, arm: &'c Arm, digits: u64) -> Res<()> {
        let family = &self.code.families[arm.family];
        if let Some(after) = family.after
            && !self.holds_after(search, index, after)?
        {
            return Ok(());
        }
        let mv = family.codes.base + digits;
        if search.ranked {
            let rank = match family.rank {
                Some(rank) => {
                    self.ask(family, rank, family.params.len())?;
                    self.mem[self.code.funcs[rank].value.start]
                }
                None => 0,
            };
            if rank > search.highest {
                search.highest = rank;
                search.found.moves.clear();
            }
            if rank == search.highest {
                search.found.moves.push(mv);
            }
            return Ok(());
        }
        match search.want {
            Want::List => search.found.moves.push(mv),
            Want::Any => search.done = true,
            Want::Nth(number) if number == search.found.count => {
                search.found.moves.push(mv);
                search.done = true;
            }
            Want::Count | Want::Nth(_) => {}
        }
        search.found.count += 1;
        Ok(())
    }

    /// Plays the candidate and asks there, and takes it back.
    fn holds_after(&mut self, search: &Search<'c>, index: usize, after: usize) -> Res<bool> {
        let arm = &search.code.arms[index];
        let family = &self.code.families[arm.family];
        let kept = self.words().to_vec();
        let trails = self.trails.clone();
        let events = self.events.take();
        let result = self.judge(arm, family, after);
        self.events = events;
        self.trails = trails;
        self.mem[..kept.len()].copy_from_slice(&kept);
        self.fresh();
        result
    }

    fn judge(&mut self, arm: &'c Arm, family: &'c Family, after: usize) -> Res<bool> {
        self.fresh();
        match family.effect {
            Some(effect) => self.run_on(family, effect, family.params.len())?,
            None => {
                for (param, to) in family.params.iter().zip(&arm.bind) {
                    self.mem[*to] = self.mem[param.at];
                }
                self.block(&arm.body)?;
            }
        }
        // The judgement sees the values of the candidate, which playing it leaves as they are.
        self.ask(family, after, family.params.len())?;
        Ok(self.mem[self.code.funcs[after].value.start] != 0)
    }

    /// The values by which a move is interchangeable with others; empty if it is so with none.
    pub(crate) fn class(&mut self, point: usize, mv: u64, out: &mut Vec<i64>) -> Res<()> {
        let Point::Choose(choose) = &self.code.points[point] else {
            return Ok(());
        };
        let Some(arm) = self.arm_of(choose, mv) else {
            return Ok(());
        };
        let family = &self.code.families[choose.arms[arm].family];
        let mut rest = mv - family.codes.base;
        for (param, (lo, radix)) in family.params.iter().zip(&family.codes.digits).rev() {
            self.mem[param.at] = lo + (rest % radix) as i64;
            rest /= radix;
        }
        for value in &family.class {
            match value {
                Val::Num(num) => {
                    let value = self.num(num)?;
                    out.push(value);
                }
                Val::Set(set) => {
                    let from = out.len();
                    out.resize(from + set.words, 0);
                    match set.words {
                        1 => out[from] = self.word(set)? as i64,
                        words => {
                            let at = self.set(set)?;
                            out[from..].copy_from_slice(&self.mem[at..at + words]);
                        }
                    }
                }
                Val::Seq(seq) => {
                    let at = self.seq(seq)?;
                    out.push(self.mem[at]);
                    out.extend_from_slice(self.items(at));
                }
            }
        }
        Ok(())
    }

    /// The arm of a decision that a move belongs to.
    pub(crate) fn arm_of(&self, choose: &Choose, mv: u64) -> Option<usize> {
        choose.arms.iter().position(|arm| {
            let codes = &self.code.families[arm.family].codes;
            mv >= codes.base && mv - codes.base < codes.len
        })
    }

    /// Binds the arguments of a move for its arm; the block that plays it.
    pub(crate) fn bind(&mut self, choose: &'c Choose, arm: usize, mv: u64) -> &'c [Step] {
        let arm = &choose.arms[arm];
        let codes = &self.code.families[arm.family].codes;
        let mut rest = mv - codes.base;
        for (to, (lo, radix)) in arm.bind.iter().zip(&codes.digits).rev() {
            self.mem[*to] = lo + (rest % radix) as i64;
            rest /= radix;
        }
        &arm.body
    }
}
