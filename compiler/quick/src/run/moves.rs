//! Legal moves: listed, counted, or the one of a number.

use indexmap::{IndexMap, IndexSet};

use super::found::{MoveRuns, members_of};
use super::{Machine, Res};
use crate::code::*;

/// What is wanted of the legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// All of them.
    All,
    /// One of every class of interchangeable moves, the first in order.
    Distinct,
    /// Whether there is any: none, or at least one.
    Any,
    /// All moves as far as is known without playing them.
    Candidates,
}

struct Search {
    want: Want,
    found: MoveRuns,
    highest: i64,
    /// Whether ranks decide, so that nothing is known before the end.
    ranked: bool,
    /// Whether nothing more has to be looked for.
    done: bool,
    /// The classes of moves so far.
    seen: IndexSet<Vec<i64>>,
    /// Whether whole runs are told apart by what their classes are without the last parameter.
    splits: bool,
    /// Such classes, each with the family that had it.
    runs: IndexMap<Vec<i64>, u64>,
    /// Whether two families had the same, so that runs do not do.
    mixed: bool,
}

impl<'c> Machine<'c> {
    /// Finds the legal moves at a point.
    pub(crate) fn find(&mut self, point: usize, want: Want) -> Res<()> {
        self.found.clear();
        let Point::Choose(choose) = &self.code.points[point] else {
            return Ok(());
        };
        let want = match want {
            // Another candidate might run into a fault.
            Want::Any if !choose.any_does => Want::All,
            want => want,
        };
        if let (Some(plan), true) = (choose.plan, want != Want::Distinct || !choose.classed) {
            return self.follow(plan, want);
        }
        if self.search(choose, want, choose.splits)? {
            return Ok(());
        }
        self.search(choose, want, false).map(|_| ())
    }

    /// Finds moves by a plan.
    fn follow(&mut self, plan: usize, want: Want) -> Res<()> {
        let code = self.code;
        self.forget_answers();
        self.mem[code.playing + 1] = -1;
        self.mem[code.any] = i64::from(want == Want::Any);
        self.mem[code.candidates] = i64::from(want == Want::Candidates);
        self.fresh();
        let result = self.run(plan);
        self.mem[code.any] = 0;
        result.map(|_| ())
    }

    /// Answers of the search before are worth nothing any more.
    fn forget_answers(&mut self) {
        self.mem[self.code.search] += 2;
    }

    /// Whether a random move is found sooner if candidates are drawn and judged than by judging all.
    pub(crate) fn tries(&self, point: usize) -> bool {
        matches!(&self.code.points[point], Point::Choose(choose) if choose.tries)
    }

    /// Draws candidates until one is a legal move.
    pub(crate) fn try_at_random(&mut self, point: usize) -> Res<Option<u64>> {
        let Point::Choose(choose) = &self.code.points[point] else {
            return Ok(None);
        };
        let mut left = self.found.count();
        // As if from a list whose last move takes the place of the one that was drawn: compiled games draw so.
        let mut moved: Vec<(u64, u64)> = Vec::new();
        let now = |moved: &[(u64, u64)], place: u64| {
            let known = moved.iter().rev().find(|(at, _)| *at == place);
            known.map_or(place, |(_, number)| *number)
        };
        while left > 0 {
            let place = self.random.rng.below64(left);
            let Some(mv) = self.found.nth(now(&moved, place), self.code, &self.mem) else {
                break;
            };
            if self.is_legal(choose, mv)? {
                return Ok(Some(mv));
            }
            left -= 1;
            moved.push((place, now(&moved, left)));
        }
        Ok(None)
    }

    /// Whether a candidate passes the judgement of the position after it.
    fn is_legal(&mut self, choose: &'c Choose, mv: u64) -> Res<bool> {
        let Some(arm) = arm_of(choose, mv) else {
            return Ok(false);
        };
        let family = &self.code.families[arm.family];
        let Some(after) = family.after else {
            return Ok(true);
        };
        let mut rest = mv - family.codes.base;
        for (param, (lo, radix)) in family.params.iter().zip(&family.codes.digits).rev() {
            self.mem[param.at] = lo + (rest % radix) as i64;
            rest /= radix;
        }
        self.holds_after(arm, family, after)
    }

    /// Finds the legal moves of a decision; false if runs of moves could not be told apart.
    fn search(&mut self, choose: &'c Choose, want: Want, splits: bool) -> Res<bool> {
        self.found.clear();
        let mut search = Search {
            want,
            found: std::mem::take(&mut self.found),
            highest: i64::MIN,
            ranked: choose.ranked,
            done: false,
            seen: IndexSet::new(),
            splits,
            runs: IndexMap::new(),
            mixed: false,
        };
        self.forget_answers();
        let mut result = Ok(());
        for arm in &choose.arms {
            if !search.done && result.is_ok() {
                let mut ready = 0_u64;
                result = self.extend(&mut search, arm, 0, 0, &mut ready);
            }
        }
        self.found = search.found;
        result.map(|()| !search.mixed)
    }

    /// Tries every candidate that begins with the parameters that are bound, whose digits make up this number.
    fn extend(
        &mut self,
        search: &mut Search,
        arm: &'c Arm,
        bound: usize,
        digits: u64,
        ready: &mut u64,
    ) -> Res<()> {
        let family = &self.code.families[arm.family];
        for question in &family.questions {
            if question.bound == bound && !self.answer(family, question)? {
                return Ok(());
            }
        }
        let Some(param) = family.params.get(bound) else {
            return self.add(search, arm, digits);
        };
        let (lo, radix) = family.codes.digits[bound];
        let set = match &param.source {
            Source::Members(members) => {
                self.candidates(param, *members, bound, ready)?;
                self.left(param)?
            }
            Source::Row(by, table) => {
                let row = table + self.mem[*by] as usize * param.words;
                match param.late.is_empty() {
                    true => row,
                    false => {
                        self.mem.copy_within(row..row + param.words, param.room);
                        self.left(param)?
                    }
                }
            }
            Source::Computed(set) => {
                self.fresh();
                self.put_set(set, param.room)?;
                param.room
            }
            Source::Set(func) => {
                self.ask(family, *func, bound)?;
                let value = self.code.funcs[*func].value.clone();
                self.mem.copy_within(value, param.room);
                param.room
            }
            Source::Is(_) | Source::Place(..) => {
                self.fresh();
                let before = bound.checked_sub(1).and_then(|at| family.params.get(at));
                let value = self.follows(before, &param.source)?;
                let digit = value.wrapping_sub(lo) as u64;
                if digit < radix {
                    self.mem[param.at] = value;
                    self.extend(search, arm, bound + 1, digits * radix + digit, ready)?;
                }
                return Ok(());
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
                    self.extend(search, arm, bound + 1, digits * radix + digit, ready)?;
                }
                return Ok(());
            }
        };
        let digits = digits * radix;
        if family.free && !search.ranked && bound + 1 == family.params.len() {
            return self.add_all(search, family, param, set, digits);
        }
        for i in 0..param.words {
            let mut rest = self.mem[set + i] as u64;
            while rest != 0 && !search.done {
                let member = (i * 64) as u64 + u64::from(rest.trailing_zeros());
                rest &= rest - 1;
                self.mem[param.at] = member as i64;
                self.extend(search, arm, bound + 1, digits + member, ready)?;
            }
        }
        Ok(())
    }

    /// The candidate that follows from the parameters before.
    #[inline]
    fn follows(&mut self, before: Option<&Param>, source: &'c Source) -> Res<i64> {
        match (source, before) {
            (Source::Is(num), _) => self.num(num),
            (Source::Place(places, table, _), Some(piece)) => {
                let place = self.mem[places + self.mem[piece.at] as usize];
                Ok(match place >= 0 && self.mem[table + place as usize] != 0 {
                    true => place,
                    false => -1,
                })
            }
            _ => Ok(-1),
        }
    }

    /// Looks for the candidates of a parameter on which nothing else has a say, once for a search.
    fn candidates(
        &mut self,
        param: &'c Param,
        members: At,
        bound: usize,
        ready: &mut u64,
    ) -> Res<()> {
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

    /// Where the candidates lie that are left for the values of the parameters before.
    fn left(&mut self, param: &'c Param) -> Res<At> {
        if param.late.is_empty() {
            return Ok(param.room);
        }
        let (room, left) = (param.room, param.rest);
        self.mem.copy_within(room..room + param.words, left);
        for set in &param.late {
            match param.words {
                1 => {
                    let word = self.word(set)?;
                    self.mem[left] &= word as i64;
                }
                words => {
                    let at = self.set(set)?;
                    for i in 0..words {
                        self.mem[left + i] &= self.mem[at + i];
                    }
                }
            }
        }
        Ok(left)
    }

    /// Adds a move for each candidate of the last parameter.
    fn add_all(
        &mut self,
        search: &mut Search,
        family: &'c Family,
        param: &Param,
        set: At,
        first: u64,
    ) -> Res<()> {
        let set = set..set + param.words;
        let words = self.mem[set.clone()].iter();
        let all: u64 = words.map(|word| u64::from(word.count_ones())).sum();
        if all == 0 {
            return Ok(());
        }
        if search.want == Want::Distinct && !family.class.is_empty() {
            if !search.splits {
                for word in 0..param.words {
                    let members = self.mem[set.start + word] as u64;
                    for digit in members_of(word, members) {
                        self.mem[param.at] = digit as i64;
                        self.add_distinct(search, family, family.codes.base + first + digit)?;
                    }
                }
                return Ok(());
            }
            // The last parameter has a value of the class for itself, and the others do not look at it.
            let mut class = std::mem::take(&mut self.class);
            class.clear();
            let values = family.class.iter().zip(&family.of_last);
            for (value, _) in values.filter(|(_, last)| !**last) {
                self.append(value, &mut class)?;
            }
            let known = search.runs.get(&class[..]).copied();
            if known.is_none() {
                search.runs.insert(class.clone(), family.codes.base);
            }
            self.class = class;
            if let Some(known) = known {
                search.mixed |= known != family.codes.base;
                return Ok(());
            }
        }
        search.done |= search.want == Want::Any;
        let first = family.codes.base + first;
        search.found.push_words(first, &self.mem[set]);
        Ok(())
    }

    /// Adds a move if it is the first of its class; its arguments are bound.
    fn add_distinct(&mut self, search: &mut Search, family: &'c Family, mv: u64) -> Res<()> {
        let mut class = std::mem::take(&mut self.class);
        class.clear();
        for value in &family.class {
            self.append(value, &mut class)?;
        }
        if class.is_empty() || !search.seen.contains(&class[..]) {
            search.found.push(mv);
            if !class.is_empty() {
                search.seen.insert(class.clone());
            }
        }
        self.class = class;
        Ok(())
    }

    /// Whether a condition holds, remembered where it may be asked again.
    pub(super) fn answer(&mut self, family: &'c Family, question: &'c Question) -> Res<bool> {
        let Some(asked) = question.asked else {
            return self.holds(family, question);
        };
        let place = self.code.asked[usize::from(asked)].place(&self.mem);
        let search = self.mem[self.code.search];
        let known = self.mem[place];
        if (known ^ search) & !1 == 0 {
            return Ok(known & 1 == 1);
        }
        let answer = self.holds(family, question)?;
        self.mem[place] = search | i64::from(answer);
        Ok(answer)
    }

    fn holds(&mut self, family: &'c Family, question: &'c Question) -> Res<bool> {
        match &question.ask {
            Ask::Holds(entry, answer) => {
                self.run(*entry)?;
                Ok(self.mem[*answer] != 0)
            }
            Ask::Rest(func) => {
                let func = &self.code.funcs[*func];
                self.fresh();
                self.body(func)?;
                Ok(self.mem[func.value.start] != 0)
            }
            Ask::Function(func) => {
                self.ask(family, *func, family.params.len())?;
                Ok(self.mem[self.code.funcs[*func].value.start] != 0)
            }
        }
    }

    /// Runs a function of the context and so many parameters in a fresh chain of evaluation.
    pub(super) fn ask(&mut self, family: &'c Family, func: usize, bound: usize) -> Res<()> {
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
            self.mem[self.code.work] += 1;
        }
        let result = self.body(func);
        if func.recursive {
            self.depth -= 1;
        }
        result.map(|_| ())
    }

    /// Adds a candidate for which the guard holds if it is legal but for its rank.
    fn add(&mut self, search: &mut Search, arm: &'c Arm, digits: u64) -> Res<()> {
        let family = &self.code.families[arm.family];
        if let Some(after) = family.after
            && search.want != Want::Candidates
            && !self.holds_after(arm, family, after)?
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
            if rank < search.highest {
                return Ok(());
            }
            if rank > search.highest {
                search.highest = rank;
                search.found.clear();
                search.seen.clear();
            }
        }
        if search.want == Want::Distinct {
            return self.add_distinct(search, family, mv);
        }
        search.done |= search.want == Want::Any && !search.ranked;
        search.found.push(mv);
        Ok(())
    }

    /// Plays the candidate and asks there, and takes it back.
    pub(super) fn holds_after(
        &mut self,
        arm: &'c Arm,
        family: &'c Family,
        after: usize,
    ) -> Res<bool> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        kept.extend_from_slice(self.words());
        let trails = match self.trails.is_empty() {
            true => Vec::new(),
            false => self.trails.clone(),
        };
        let events = self.events.take();
        let result = self.judge(arm, family, after);
        self.events = events;
        self.trails = trails;
        self.touch();
        self.mem[..kept.len()].copy_from_slice(&kept);
        self.kept = kept;
        self.fresh();
        result
    }

    fn judge(&mut self, arm: &'c Arm, family: &'c Family, after: usize) -> Res<bool> {
        self.fresh();
        match family.effect {
            Some(effect) => self.run_on(family, effect, family.params.len())?,
            None => {
                for (param, bound) in family.params.iter().zip(&arm.bind) {
                    self.mem[bound.to] = self.mem[param.at];
                }
                self.run(arm.body)?;
            }
        }
        // The judgement sees the values of the candidate, which playing it leaves as they are.
        self.ask(family, after, family.params.len())?;
        Ok(self.mem[self.code.funcs[after].value.start] != 0)
    }

    /// Appends the words of a value.
    fn append(&mut self, value: &'c Val, out: &mut Vec<i64>) -> Res<()> {
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
        Ok(())
    }

    /// Binds the arguments of a move for its arm; the block that plays it, if there is such a move.
    pub(crate) fn bind(&mut self, choose: &Choose, mv: u64) -> Option<usize> {
        let arm = arm_of(choose, mv)?;
        arm.bind_in(mv, &mut self.mem);
        Some(arm.body)
    }
}

/// The arm of a decision that a move belongs to.
#[inline(always)]
pub(super) fn arm_of(choose: &Choose, mv: u64) -> Option<&Arm> {
    let mut arms = choose.arms.iter();
    arms.find(|arm| mv.wrapping_sub(arm.base) < arm.len)
}

impl Arm {
    /// Binds the arguments of a move.
    #[inline(always)]
    pub(super) fn bind_in(&self, mv: u64, words: &mut [i64]) {
        let mut rest = mv - self.base;
        let Some((first, others)) = self.bind.split_first() else {
            return;
        };
        for bound in others.iter().rev() {
            let (before, digit) = bound.last_digit(rest);
            words[bound.to] = bound.lo.wrapping_add(digit as i64);
            rest = before;
        }
        words[first.to] = first.lo.wrapping_add(rest as i64);
    }
}

impl Bound {
    /// Where an argument goes, the value that digit 0 stands for, and how many digits there are.
    pub(crate) fn new(to: At, lo: i64, radix: u64) -> Bound {
        Bound {
            to,
            lo,
            radix,
            inverse: (u64::MAX / radix.max(1)).wrapping_add(1),
        }
    }

    /// What is left of a packed form without its last digit, and the digit.
    ///
    /// Short numbers are multiplied by the inverse, rounded up: for numbers and divisors below 2^32 what that adds is too little
    /// to reach the next quotient (Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994).
    #[inline(always)]
    fn last_digit(&self, number: u64) -> (u64, u64) {
        let before = match number >> 32 | self.radix >> 32 {
            0 if self.radix > 1 => ((u128::from(number) * u128::from(self.inverse)) >> 64) as u64,
            _ => number / self.radix.max(1),
        };
        (before, number - before * self.radix)
    }
}
