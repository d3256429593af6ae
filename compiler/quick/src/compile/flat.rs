//! From steps to operations.
//!
//! What is worked out on the way lies in words of its own, which a function uses again for each of its statements. Conditions
//! become jumps where they decide about one.

use super::link::{Flat, Label, Leave};
use super::{Listeners, Made, Maker, unsupported};
use crate::code::*;
use crate::ir::{Count, WORK_BUDGET};
use crate::op::*;

impl Maker<'_> {
    /// Begins a function, which has words of its own.
    pub(super) fn begin_flat(&mut self) {
        self.flat = Flat::default();
    }

    /// Makes operations of steps; where they begin. `end` is how they end and how they are left.
    pub(super) fn flatten(&mut self, steps: &[Step], end: Op) -> Made<usize> {
        let begin = self.code.ops.len();
        // The first time only for functions whose values may be kept, to see whether that is worth it.
        let measured = self.code.funcs.get(self.owner);
        if !self.is_final && measured.is_none_or(|func| func.memo.is_none()) {
            return Ok(begin);
        }
        self.flat.leave = Some(Leave::By(end));
        self.flat.begin_own(&self.own_words);
        self.steps(steps, false)?;
        self.emit(end);
        if self.is_final {
            self.tidy(begin, None);
        }
        self.link()?;
        Ok(begin)
    }

    /// Operations that work out a scalar; where they begin and where it is then.
    pub(super) fn flatten_num(&mut self, num: &Num) -> Made<(usize, At)> {
        let begin = self.code.ops.len();
        if !self.is_final {
            return Ok((begin, 0));
        }
        self.flat.used = 0;
        let at = self.operand(num)?;
        self.emit(Op::Halt);
        self.tidy(begin, Some(at));
        self.link()?;
        Ok((begin, usize::from(at)))
    }

    /// Operations that tell who decides, and work out what families are given; where they begin.
    pub(super) fn flatten_decision(&mut self, players: &Val, given: &[(Val, At)]) -> Made<usize> {
        let begin = self.code.ops.len();
        if !self.is_final {
            return Ok(begin);
        }
        let to = self.code.players;
        match players {
            Val::Num(num) => {
                let words = super::set_words(self.game.player_count());
                let player = self.operand(num)?;
                let first = self.reg(to)?;
                match words {
                    1 => self.emit(Op::Only(first, player)),
                    words => {
                        self.clear(to, words)?;
                        self.emit(Op::Insert(first, player));
                    }
                }
            }
            value => self.value_into(value, to)?,
        }
        for (value, at) in given {
            self.value_into(value, *at)?;
        }
        self.flat.used = 0;
        self.emit(Op::Halt);
        self.tidy(begin, None);
        self.link()?;
        Ok(begin)
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// An operation that may fault.
    pub(super) fn emit_at(&mut self, site: Site, op: Op) {
        self.code.faults.push((self.code.ops.len(), site));
        self.emit(op);
    }

    pub(super) fn reg(&self, at: At) -> Made<Reg> {
        match Reg::try_from(at) {
            Ok(reg) => Ok(reg),
            Err(_) => unsupported("more words than operations can name"),
        }
    }

    pub(super) fn number(&mut self, value: i64) -> Made<Reg> {
        let at = self.constant(vec![value]);
        self.reg(at)
    }

    pub(super) fn temp(&mut self) -> Made<Reg> {
        if self.flat.used == self.flat.temps.len() {
            let at = self.room(1);
            let reg = self.reg(at)?;
            self.flat.temps.push(reg);
        }
        self.flat.used += 1;
        Ok(self.flat.temps[self.flat.used - 1])
    }

    pub(super) fn is_temp(&self, reg: Reg) -> bool {
        self.flat.temps.contains(&reg)
    }

    /// The number of something in a list of its kind.
    pub(super) fn listed<T>(list: &mut Vec<T>, value: T) -> Made<u16> {
        list.push(value);
        match u16::try_from(list.len() - 1) {
            Ok(index) => Ok(index),
            Err(_) => unsupported("rules as long as that"),
        }
    }

    pub(super) fn slow(&mut self, slow: Slow) -> Made<()> {
        let index = Self::listed(&mut self.code.slow, slow)?;
        self.emit(Op::Slow(index));
        Ok(())
    }

    /// Operations of steps, behind which the function may be at its end.
    pub(super) fn steps(&mut self, steps: &[Step], ends: bool) -> Made<()> {
        for (number, step) in steps.iter().enumerate() {
            let used = self.flat.used;
            self.flat_step(step, ends && number + 1 == steps.len())?;
            self.flat.used = used;
        }
        Ok(())
    }

    fn flat_step(&mut self, step: &Step, ends: bool) -> Made<()> {
        match step {
            Step::Set(store, value) => self.flat_set(store, value)?,
            Step::SetWatched(watched) => self.flat_watched(watched)?,
            Step::Put(..) | Step::Take(..) | Step::SetContent(..) => self.flat_placement(step)?,
            Step::If(cond, yes, no) => self.flat_if(cond, yes, no, ends)?,
            Step::For(looped) => self.flat_for(looped)?,
            Step::Each(each) => self.flat_each(each)?,
            Step::While(looped) => self.flat_while(looped)?,
            Step::Break => self.leave_loop(true),
            Step::Continue => self.leave_loop(false),
            Step::Call(call, into) => {
                let ret = &self.game.functions[call.func].ret;
                let is_sequence = matches!(ret, Some(crate::ir::Type::Seq { .. }));
                if let Some((to, 1)) = *into
                    && to < NEAR
                    && !is_sequence
                    && self.call_into(call, to as Reg)?
                {
                    return Ok(());
                }
                let value = self.invoke(call)?;
                match *into {
                    None => {}
                    // No more of it than there is.
                    Some((to, words)) if is_sequence => {
                        let kind = SeqKind::At(value);
                        let seq = Seq { words, to: 0, kind };
                        self.slow(Slow::Keep(Val::Seq(seq), to))?;
                    }
                    Some((to, words)) => self.copy(value, to, words)?,
                }
            }
            Step::Return(value) => self.flat_return(value.as_ref(), ends)?,
            Step::Emit(emit, sure) => self.flat_emit(emit, *sure)?,
            Step::Fault(site) => self.emit_at(*site, Op::Fault),
            Step::Spend(site) => self.emit_at(*site, Op::Charge),
            Step::End(reason, winners) => self.flat_end(*reason, winners)?,
            Step::Try(trial) => self.flat_trial(trial)?,
            Step::Fail(site) => self.slow(Slow::Fail(*site))?,
            Step::Snapshot(slot) => self.slow(Slow::Snapshot(*slot))?,
            Step::Restore(slot, site) => self.slow(Slow::Restore(*slot, *site))?,
            Step::Note(trail, site) => self.slow(Slow::Note(*trail, *site))?,
            Step::Forget(trail) => self.slow(Slow::Forget(*trail))?,
            Step::Stop(point) => match u16::try_from(*point) {
                Ok(point) => self.emit(Op::Stop(point)),
                Err(_) => return unsupported("rules as long as that"),
            },
        }
        Ok(())
    }

    fn flat_return(&mut self, value: Option<&(Val, At, usize)>, ends: bool) -> Made<()> {
        match (value, self.flat.leave, self.flat.trial) {
            (Some((Val::Num(value), ..)), Some(Leave::Into(to, _)), None) => {
                self.num_into(value, to)?;
            }
            (Some((Val::Set(value), ..)), Some(Leave::Into(to, _)), None) => {
                self.word_into(value, to)?;
            }
            (Some((Val::Num(value), ..)), Some(Leave::Answer(to, when, _)), None) => {
                self.branch(value, to, when)?;
            }
            (Some((value, to, _)), ..) => self.value_into(value, *to)?,
            (None, ..) => {}
        }
        let stands_in = !matches!(self.flat.leave, Some(Leave::By(_)) | None);
        if !(ends && stands_in && self.flat.trial.is_none()) {
            self.leave_function();
        }
        Ok(())
    }

    fn flat_end(&mut self, reason: crate::ir::EndReason, winners: &Set) -> Made<()> {
        if winners.words != 1 {
            return self.slow(Slow::End(reason, winners.clone()));
        }
        let winners = self.word_operand(winners)?;
        self.emit(Op::End(reason, winners));
        Ok(())
    }

    /// Another position, for what is remembered of one.
    fn touch(&mut self, at: At) -> Made<()> {
        if at < self.code.position && self.code.funcs.iter().any(|func| func.memo.is_some()) {
            let (version, one) = (self.reg(self.code.version)?, self.number(1)?);
            let touch = Op::Plus(version, version, one);
            if !self.is_said(touch) {
                self.emit(touch);
            }
        }
        Ok(())
    }

    /// Whether an operation was done already on every way to this place, and nothing since then asked what is remembered.
    fn is_said(&self, touch: Op) -> bool {
        let asks = |op: &Op| {
            matches!(
                op,
                Op::Recall(_)
                    | Op::Remember(_)
                    | Op::Call(_)
                    | Op::Invoke(_)
                    | Op::Num(..)
                    | Op::Word(..)
                    | Op::Slow(_)
                    | Op::Try(_)
                    | Op::Jump(_)
                    | Op::Return(_)
                    | Op::Halt
                    | Op::Draw
            )
        };
        let mut before = self.code.ops.iter().enumerate().rev();
        let said = before
            .by_ref()
            .take_while(|(_, op)| !asks(op))
            .find(|(_, op)| **op == touch);
        // Places that are not reached yet count as 0.
        said.is_some_and(|(at, _)| !self.flat.labels.iter().any(|label| *label > at))
    }

    /// Where a value of one word lies; nothing if it has several words.
    fn one_word(&mut self, value: &Val) -> Made<Option<Reg>> {
        Ok(match value {
            Val::Num(num) => Some(self.operand(num)?),
            Val::Set(set) if set.words == 1 => Some(self.word_operand(set)?),
            _ => None,
        })
    }

    /// Tests a value for what its variable admits.
    fn check(&mut self, admits: &Admits, value: Reg) -> Made<()> {
        if let Admits::Range(lo, hi, site) = admits {
            let ends = self.constant(vec![*lo, *hi]);
            let ends = self.reg(ends)?;
            self.emit_at(*site, Op::Check(value, ends));
        }
        Ok(())
    }

    /// Where a value of one word lies, tested for what its variable admits; nothing if it has several words.
    fn admitted(&mut self, admits: &Admits, value: &Val) -> Made<Option<Reg>> {
        let value = self.one_word(value)?;
        if let Some(value) = value {
            self.check(admits, value)?;
        }
        Ok(value)
    }

    /// Where the number of the word of a cell and its new value of one word lie. Indexes are worked out before the value and
    /// tested after it.
    fn cell_and_value(&mut self, cell: &Cell, store: &Store, value: &Val) -> Made<(Reg, Reg)> {
        let place = self.place_of_cell(cell)?;
        let Some(value) = self.one_word(value)? else {
            return unsupported("a word for a value of several words");
        };
        let to = self.locate_place(place, cell.site)?;
        self.check(&store.admits, value)?;
        Ok((to, value))
    }

    fn flat_set(&mut self, store: &Store, value: &Val) -> Made<()> {
        let is_word = match value {
            Val::Num(_) => true,
            Val::Set(set) => set.words == 1,
            Val::Seq(_) => false,
        };
        if let (Val::Set(_), Target::At(at)) = (value, &store.to) {
            self.value_into(value, *at)?;
            return self.touch(*at);
        }
        if !is_word {
            return self.slow(Slow::Set(store.clone(), value.clone()));
        }
        match &store.to {
            Target::At(at) => {
                match store.admits {
                    Admits::Range(lo, hi, site) => {
                        if let Some(value) = self.one_word(value)? {
                            let ends = self.constant(vec![lo, hi]);
                            let (to, ends) = (self.reg(*at)?, self.reg(ends)?);
                            self.emit_at(site, Op::Admit(to, value, ends));
                        }
                    }
                    _ => self.value_into(value, *at)?,
                }
                self.touch(*at)
            }
            Target::Env(at, flag) => {
                if let Some(value) = self.admitted(&store.admits, value)? {
                    let (to, flag, one) = (self.reg(*at)?, self.reg(*flag)?, self.number(1)?);
                    self.emit(Op::Move(to, value));
                    self.emit(Op::Move(flag, one));
                }
                Ok(())
            }
            Target::Cell(cell) => {
                if let [axis] = &cell.index[..]
                    && cell.sure
                    && axis.stride == 1
                    && cell.base < NEAR
                {
                    let index = self.operand(&axis.index)?;
                    if let Some(value) = self.admitted(&store.admits, value)? {
                        let base = self.reg(cell.base)?;
                        self.emit(Op::SetAmong(base, index, value));
                    }
                    return self.touch(cell.base);
                }
                let (to, value) = self.cell_and_value(cell, store, value)?;
                self.emit(Op::Store(to, value));
                self.touch(cell.base)
            }
        }
    }

    fn flat_watched(&mut self, watched: &Watched) -> Made<()> {
        let store = &watched.store;
        let alone = self.code.vars[watched.var as usize].watchers.is_empty();
        if alone && self.listeners == Listeners::Nobody {
            return self.flat_set(store, &watched.value);
        }
        if !matches!(watched.value, Val::Num(_)) {
            return self.slow(Slow::SetWatched(Box::new(watched.clone())));
        }
        if let Target::Cell(cell) = &store.to
            && let [axis] = &cell.index[..]
            && cell.sure
            && axis.stride == 1
            && cell.base < NEAR
            && alone
        {
            return self.flat_quiet(watched, cell, axis);
        }
        let (to, value) = match &store.to {
            Target::At(at) => {
                let Some(value) = self.admitted(&store.admits, &watched.value)? else {
                    return Ok(());
                };
                (self.number(*at as i64)?, value)
            }
            Target::Cell(cell) => self.cell_and_value(cell, store, &watched.value)?,
            Target::Env(..) => return unsupported("a watched variable of the environment"),
        };
        self.slow(Slow::Watched(watched.var, to, value, watched.told))
    }

    /// A cell of a variable that nothing but listeners watch: it is no more than a word as long as there are none.
    fn flat_quiet(&mut self, watched: &Watched, cell: &Cell, axis: &Axis) -> Made<()> {
        let index = self.operand(&axis.index)?;
        let Some(value) = self.admitted(&watched.store.admits, &watched.value)? else {
            return Ok(());
        };
        let (heard, base) = (self.reg(self.code.heard)?, self.reg(cell.base)?);
        let (loud, end) = (self.label(), self.label());
        self.jump(Op::If(heard, 0), loud);
        self.emit(Op::SetAmong(base, index, value));
        self.touch(cell.base)?;
        self.jump(Op::Jump(0), end);
        self.here(loud);
        let (to, first) = (self.temp()?, self.number(cell.base as i64)?);
        self.emit(Op::Plus(to, first, index));
        self.slow(Slow::Watched(watched.var, to, value, watched.told))?;
        self.here(end);
        Ok(())
    }

    fn flat_placement(&mut self, step: &Step) -> Made<()> {
        let number = |placement: &usize| match u8::try_from(*placement) {
            Ok(placement) => Ok(placement),
            Err(_) => unsupported("as many placements as that"),
        };
        match step {
            Step::Put(placement, piece, place, site) => {
                let (piece, place) = (self.operand(piece)?, self.operand(place)?);
                self.emit_at(*site, Op::Put(number(placement)?, piece, place));
            }
            Step::Take(placement, piece) => {
                let piece = self.operand(piece)?;
                self.emit(Op::Take(number(placement)?, piece));
            }
            Step::SetContent(placement, place, kind) => {
                let (place, kind) = (self.operand(place)?, self.operand(kind)?);
                self.emit(Op::Content(number(placement)?, place, kind));
            }
            _ => {}
        }
        Ok(())
    }

    fn flat_if(&mut self, cond: &Num, yes: &[Step], no: &[Step], ends: bool) -> Made<()> {
        let (other, end) = (self.label(), self.label());
        self.branch(cond, other, false)?;
        let returns = matches!(yes.last(), Some(Step::Return(_)));
        self.steps(yes, ends && !returns)?;
        if !no.is_empty() && !returns {
            self.jump(Op::Jump(0), end);
        }
        self.here(other);
        self.steps(no, ends)?;
        self.here(end);
        Ok(())
    }

    /// The body of a loop, with the places that it may be left for.
    fn body(&mut self, body: &[Step], end: Label, next: Label) -> Made<()> {
        self.flat.loops.push((end, next));
        self.steps(body, false)?;
        self.flat.loops.pop();
        Ok(())
    }

    /// The word that counts the rounds of a loop, if they are counted by themselves.
    fn counter(&mut self, charge: Charge) -> Made<Option<Reg>> {
        match charge {
            Charge::Counted(_) => {
                let (rounds, zero) = (self.temp()?, self.number(0)?);
                self.emit(Op::Move(rounds, zero));
                Ok(Some(rounds))
            }
            _ => Ok(None),
        }
    }

    fn pay(&mut self, charge: Charge, rounds: Option<Reg>) -> Made<()> {
        match (charge, rounds) {
            (Charge::Work(site), _) => self.emit_at(site, Op::Charge),
            (Charge::Counted(site), Some(rounds)) => {
                let most = self.number(i64::from(WORK_BUDGET))?;
                self.emit_at(site, Op::Round(rounds, most));
            }
            _ => {}
        }
        Ok(())
    }

    fn flat_for(&mut self, looped: &For) -> Made<()> {
        let (now, last) = (self.temp()?, self.temp()?);
        self.num_into(&looped.from, now)?;
        self.num_into(&looped.to, last)?;
        let rounds = self.counter(looped.charge)?;
        let (top, next, end) = (self.label(), self.label(), self.label());
        match looped.count {
            Count::Up => self.jump(Op::IfLess(last, now, 0), end),
            Count::Down => self.jump(Op::IfLess(now, last, 0), end),
            Count::Toward => {}
        }
        self.here(top);
        self.pay(looped.charge, rounds)?;
        let local = self.reg(looped.local)?;
        self.emit(Op::Move(local, now));
        self.body(&looped.body, end, next)?;
        self.here(next);
        if looped.count == Count::Up {
            self.jump(Op::Up(now, last, 0), top);
            self.here(end);
            return Ok(());
        }
        self.jump(Op::IfEqual(now, last, 0), end);
        let (one, back) = (self.number(1)?, self.number(-1)?);
        let down = self.label();
        match looped.count {
            Count::Up => {}
            Count::Down => self.emit(Op::Plus(now, now, back)),
            Count::Toward => {
                self.jump(Op::IfLess(last, now, 0), down);
                self.emit(Op::Plus(now, now, one));
                self.jump(Op::Jump(0), top);
                self.here(down);
                self.emit(Op::Plus(now, now, back));
            }
        }
        self.jump(Op::Jump(0), top);
        self.here(end);
        Ok(())
    }

    fn flat_each(&mut self, each: &Each) -> Made<()> {
        let local = self.reg(each.local)?;
        let (top, next, end) = (self.label(), self.label(), self.label());
        match &each.over {
            Over::Set(set) if set.words > 1 => {
                let (member, zero) = (self.temp()?, self.number(0)?);
                self.value_into(&Val::Set(set.clone()), each.room)?;
                self.here(next);
                self.slow(Slow::NextMember(each.room, set.words, member))?;
                self.jump(Op::IfLess(member, zero, 0), end);
                self.emit(Op::Move(local, member));
                self.body(&each.body, end, next)?;
                self.jump(Op::Jump(0), next);
            }
            Over::Seq(seq) => {
                let (at, zero) = (self.temp()?, self.number(0)?);
                self.slow(Slow::Keep(Val::Seq(seq.clone()), each.room))?;
                self.emit(Op::Move(at, zero));
                self.here(next);
                self.slow(Slow::NextItem(each.room, at, local))?;
                self.jump(Op::IfLess(at, zero, 0), end);
                self.body(&each.body, end, next)?;
                self.jump(Op::Jump(0), next);
            }
            over => {
                let runner = self.range_begin(over, local, top, end)?;
                self.body(&each.body, end, next)?;
                self.here(next);
                self.range_next(runner, top);
            }
        }
        self.here(end);
        Ok(())
    }

    fn flat_while(&mut self, looped: &While) -> Made<()> {
        let (rounds, zero) = (self.temp()?, self.number(0)?);
        self.emit(Op::Move(rounds, zero));
        let charged = self.counter(looped.charge)?;
        let (next, end) = (self.label(), self.label());
        self.here(next);
        let used = self.flat.used;
        self.branch(&looped.cond, end, false)?;
        self.flat.used = used;
        let most = self.number(i64::from(looped.bound))?;
        match looped.charge {
            Charge::Work(site) => {
                let sites = self.both_sites(looped.site, site);
                self.emit_at(sites, Op::Lap(rounds, most));
            }
            charge => {
                self.emit_at(looped.site, Op::Round(rounds, most));
                self.pay(charge, charged)?;
            }
        }
        self.body(&looped.body, end, next)?;
        self.jump(Op::Jump(0), next);
        self.here(end);
        Ok(())
    }

    fn leave_loop(&mut self, ends: bool) {
        let inner = self.flat.loops.len() > self.flat.trial.unwrap_or(0);
        match self.flat.loops.last() {
            Some((end, next)) if inner => {
                let label = if ends { *end } else { *next };
                self.jump(Op::Jump(0), label);
            }
            _ if ends => self.emit(Op::Leave(Flow::Break)),
            _ => self.emit(Op::Leave(Flow::Continue)),
        }
    }

    fn leave_function(&mut self) {
        match (self.flat.trial, self.flat.leave) {
            (None, Some(Leave::By(leave))) => self.emit(leave),
            (None, Some(Leave::On(end) | Leave::Into(_, end) | Leave::Answer(_, _, end))) => {
                self.jump(Op::Jump(0), end);
            }
            _ => self.emit(Op::Leave(Flow::Return)),
        }
    }

    fn flat_emit(&mut self, emit: &Emit, sure: bool) -> Made<()> {
        if sure && self.listeners == Listeners::Nobody {
            return Ok(());
        }
        let end = self.label();
        if sure {
            let heard = self.reg(self.code.heard)?;
            self.jump(Op::Unless(heard, 0), end);
        }
        self.slow(Slow::Emit(emit.clone()))?;
        self.here(end);
        Ok(())
    }

    fn flat_trial(&mut self, trial: &Trial) -> Made<()> {
        let behind = self.label();
        self.jump(Op::Jump(0), behind);
        let body = self.code.ops.len();
        let around = self.flat.trial.replace(self.flat.loops.len());
        self.steps(&trial.body, false)?;
        self.flat.trial = around;
        self.emit(Op::Halt);
        self.here(behind);
        let tried = Tried {
            body,
            keep: trial.keep,
            ok: trial.ok,
            value: trial.value.clone(),
            owner: trial.owner,
        };
        let index = Self::listed(&mut self.code.trials, tried)?;
        self.emit(Op::Try(index));
        self.leave_loop(true);
        self.leave_loop(false);
        self.leave_function();
        Ok(())
    }

    pub(super) fn copy(&mut self, from: At, to: At, words: usize) -> Made<()> {
        match words {
            0 => Ok(()),
            1 => {
                let (from, to) = (self.reg(from)?, self.reg(to)?);
                self.emit(Op::Move(to, from));
                Ok(())
            }
            2..=4 if from + words <= NEAR && to + words <= NEAR => self.copy_words(from, to, words),
            _ => self.slow(Slow::Copy(from, to, words)),
        }
    }

    /// Words that are in use before an arm of a plan, which gives its own back.
    pub(super) fn begin_arm(&mut self) -> usize {
        self.flat.used
    }

    pub(super) fn end_arm(&mut self, used: usize) {
        self.flat.used = used;
    }

    /// Works out a value of any type and stores it.
    pub(super) fn value_into(&mut self, value: &Val, to: At) -> Made<()> {
        match value {
            Val::Num(num) => {
                let to = self.reg(to)?;
                self.num_into(num, to)
            }
            Val::Set(set) if set.words == 1 => {
                let to = self.reg(to)?;
                self.word_into(set, to)
            }
            Val::Set(set) => self.store_set(set, to),
            value => {
                let store = Store {
                    to: Target::At(to),
                    admits: Admits::All,
                };
                self.slow(Slow::Set(store, value.clone()))
            }
        }
    }
}
