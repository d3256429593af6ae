//! Running operations.
//!
//! The inner loop knows words alone: no operation that it runs can reach beyond its arguments, so everything it needs stays in
//! registers. It comes back for what needs the machine, and for faults.

use super::moves::arm_of;
use super::near::{
    Near, admitted, along, any_row, chosen, down_to, has, locate, meeting, near, one_of, pack,
    recall, up_to,
};
use super::set::sifted;
use super::step::{self, Moved, Words};
use super::value::{exact, wrapping};
use super::{Ending, Halt, Halted, Machine, MoveRuns, RandomGame, Res, Why};
use crate::code::*;
use crate::ir::{BinaryOp, WORK_BUDGET};
use crate::op::*;

/// Why the inner loop came back.
enum Came {
    /// To an operation that is not its own.
    Slow,
    /// A fault; the number of its site among those of the operation.
    Fault(Site),
}

/// Where a jump leads. It stays a branch of the processor, which foresees it; chosen without one, the operation behind it
/// would wait for the condition.
#[inline(always)]
fn far(pc: u16, jump: Jump) -> u16 {
    std::hint::black_box(());
    pc.wrapping_add_signed(jump)
}

/// Whether nobody listens and no test looks at more than what stands on a place.
#[inline(always)]
fn is_plain(code: &Code, words: &Near, placement: u8) -> bool {
    words[near(code.heard)] == 0 && code.placements[usize::from(placement)].tested.is_empty()
}

/// Adds the moves of a product of sets of one word. They are counted here, where the processor's own instruction may be used.
#[inline(always)]
fn find_product(code: &Code, words: &Near, number: u16, found: &mut MoveRuns) {
    let product = &code.products[usize::from(number)];
    let (pieces, last) = (words[near(product.pieces)], words[near(product.last)]);
    let count = u64::from(pieces.count_ones()) * u64::from(last.count_ones());
    let first = words[usize::from(product.first)] as u64;
    found.push_pairs(first, number, pieces as u64, last as u64, count);
}

/// Adds the moves of members of rows, one for each member of a set.
#[inline(always)]
fn find_rows(code: &Code, words: &Near, number: u16, found: &mut MoveRuns) {
    let rows = &code.found_rows[usize::from(number)];
    let pieces = words[near(rows.set)] as u64;
    let pass = match rows.pass {
        Some((at, true)) => words[near(at)] as u64,
        Some((at, false)) => !(words[near(at)] as u64),
        None => u64::MAX,
    };
    let count = rows.count(pieces, pass, &words[..]);
    let first = words[usize::from(rows.first)] as u64;
    found.push_rows(first, number, pieces, pass, count);
}

/// Adds the moves of pieces along the rows of a table, from where each stands.
#[inline(always)]
fn find_steps(code: &Code, words: &Near, number: u16, found: &mut MoveRuns) {
    let steps = &code.found_steps[usize::from(number)];
    let at = |base: Reg, index: usize| words[near(usize::from(base).wrapping_add(index))];
    let first = words[usize::from(steps.first)] as u64;
    let pass = words[usize::from(steps.pass)];
    let mut rest = words[usize::from(steps.set)] as u64;
    while rest != 0 {
        let piece = rest.trailing_zeros();
        rest &= rest - 1;
        let place = at(steps.places, piece as usize);
        let row = at(steps.table, place as usize) & pass;
        if place >= 0 && row != 0 {
            let [by_piece, by_place] = steps.strides;
            let first = first + u64::from(piece) * by_piece + place as u64 * by_place;
            found.push_word(first, row as u64);
        }
    }
}

/// What is done where a run goes on at a point to the moves there.
#[inline(always)]
fn arrive(code: &Code, words: &mut Near, found: &mut MoveRuns, point: usize, tries: bool) {
    words[near(code.playing)] = 0;
    words[near(code.playing + 1)] = point as i64;
    words[near(code.playing + 2)] = std::mem::take(&mut words[near(code.work)]);
    if !code.env.is_empty() {
        words[code.env.clone()].fill(0);
    }
    words[near(code.candidates)] = i64::from(tries);
    words[near(code.search)] += 2;
    found.clear();
}

/// Draws one of the moves that were found and binds its arguments; the operation that plays it. Nothing where a random game does
/// not go on, or ends.
#[inline(always)]
fn draw(code: &Code, words: &mut Near, found: &MoveRuns, random: &mut RandomGame) -> Option<u16> {
    let point = usize::try_from(words[near(code.playing + 1)]).ok()?;
    let count = found.count();
    if count == 0 || random.plies == random.limit || words[near(code.candidates)] != 0 {
        return None;
    }
    if random.by_turns && words[near(code.players)].count_ones() > 1 {
        return None;
    }
    let Point::Choose(choose) = &code.points[point] else {
        return None;
    };
    let mv = found.nth(random.rng.below64(count), code, &words[..])?;
    let arm = arm_of(choose, mv)?;
    arm.bind_in(mv, words);
    random.moves += count;
    random.counted += 1;
    random.plies += 1;
    goes_on(code, words);
    Some(arm.body as u16)
}

/// A run begins that goes on where it stops.
#[inline(always)]
fn goes_on(code: &Code, words: &mut Near) {
    if !code.env.is_empty() {
        words[code.env.clone()].fill(0);
    }
    words[near(code.work)] = 0;
    words[near(code.playing)] = 1;
    words[near(code.playing + 1)] = -1;
}

/// What the inner loop needs.
struct Inner<'m> {
    code: &'m Code,
    ops: &'m [Op; NEAR],
    words: &'m mut Near,
    beyond: &'m mut [i64],
    found: &'m mut MoveRuns,
    random: &'m mut RandomGame,
    pc: u16,
}

impl rulec_cpu::Job for Inner<'_> {
    type Output = (u16, Came);

    #[inline(always)]
    fn run(self) -> (u16, Came) {
        let Inner {
            code,
            ops,
            words,
            beyond,
            found,
            random,
            pc,
        } = self;
        inner(code, ops, words, beyond, found, random, pc)
    }
}

/// Runs operations as long as they need nothing but words.
#[inline(always)]
fn inner(
    code: &Code,
    ops: &[Op; NEAR],
    words: &mut Near,
    beyond: &mut [i64],
    found: &mut MoveRuns,
    random: &mut RandomGame,
    mut pc: u16,
) -> (u16, Came) {
    macro_rules! at {
        ($reg:expr) => {
            words[usize::from($reg)]
        };
    }
    macro_rules! checked {
        ($to:expr, $value:expr) => {
            match $value {
                Some(value) => at!($to) = value,
                None => return (pc, Came::Fault(0)),
            }
        };
    }
    let work = near(code.work);
    loop {
        rulec_cpu::begin_line();
        let here = usize::from(pc);
        pc = pc.wrapping_add(1);
        // Not copied first: no operation needs all that another one has.
        match ops[here] {
            Op::Move(to, a) => at!(to) = at!(a),
            Op::Not(to, a) => at!(to) = i64::from(at!(a) == 0),
            Op::Equal(to, a, b) => at!(to) = i64::from(at!(a) == at!(b)),
            Op::Unequal(to, a, b) => at!(to) = i64::from(at!(a) != at!(b)),
            Op::Less(to, a, b) => at!(to) = i64::from(at!(a) < at!(b)),
            Op::AtMost(to, a, b) => at!(to) = i64::from(at!(a) <= at!(b)),
            Op::Add(to, a, b) => checked!(to, at!(a).checked_add(at!(b))),
            Op::Subtract(to, a, b) => checked!(to, at!(a).checked_sub(at!(b))),
            Op::Multiply(to, a, b) => checked!(to, at!(a).checked_mul(at!(b))),
            Op::Least(to, a, b) => at!(to) = at!(a).min(at!(b)),
            Op::Greatest(to, a, b) => at!(to) = at!(a).max(at!(b)),
            Op::Exact(op, to, a, b) => match exact(op, at!(a), at!(b)) {
                Ok(value) => at!(to) = value,
                Err(which) => return (pc, Came::Fault(which)),
            },
            Op::Wrapping(op, to, a, b) => {
                let (a, b) = (at!(a) as i32, at!(b) as i32);
                match op {
                    BinaryOp::Add => at!(to) = i64::from(a.wrapping_add(b)),
                    BinaryOp::Sub => at!(to) = i64::from(a.wrapping_sub(b)),
                    op => checked!(to, wrapping(op, a, b).map(i64::from)),
                }
            }
            Op::Plus(to, a, b) => at!(to) = at!(a).wrapping_add(at!(b)),
            Op::Negate(to, a) => checked!(to, at!(a).checked_neg()),
            Op::Absolute(to, a) => checked!(to, at!(a).checked_abs()),
            Op::WrapNegate(to, a) => at!(to) = i64::from((at!(a) as i32).wrapping_neg()),
            Op::WrapAbsolute(to, a) => at!(to) = i64::from((at!(a) as i32).wrapping_abs()),
            Op::ToWrap(to, a) => at!(to) = i64::from(at!(a) as i32),
            Op::IsSome(to, a) => at!(to) = i64::from(at!(a) >= 0),
            Op::Get(to, a) => match at!(a) {
                -1 => return (pc, Came::Fault(0)),
                member => at!(to) = member,
            },
            Op::Member(to, a, ends) => {
                let len = words[near(usize::from(ends) + 1)];
                let member = at!(a).checked_sub(at!(ends));
                let member = member.filter(|member| (0..len).contains(member));
                at!(to) = member.unwrap_or(-1);
            }
            Op::Among(to, base, index) => {
                at!(to) = words[near(usize::from(base).wrapping_add(at!(index) as usize))];
            }
            Op::SetAmong(base, index, value) => {
                words[near(usize::from(base).wrapping_add(at!(index) as usize))] = at!(value);
            }
            Op::Load(to, place) => {
                let Some(from) = locate(&code.places[usize::from(place)], words) else {
                    return (pc, Came::Fault(0));
                };
                at!(to) = match from.checked_sub(NEAR) {
                    None => words[near(from)],
                    Some(from) => beyond.get(from).copied().unwrap_or(0),
                };
            }
            Op::Locate(to, place) => match locate(&code.places[usize::from(place)], words) {
                Some(at) => at!(to) = at as i64,
                None => return (pc, Came::Fault(0)),
            },
            Op::Store(to, value) => match at!(to) as usize {
                to if to < NEAR => words[to] = at!(value),
                _ => return (pc, Came::Slow),
            },
            Op::Has(to, set, member) => at!(to) = has(words, set, member),
            Op::Both(to, a, b) => at!(to) = at!(a) & at!(b),
            Op::Either(to, a, b) => at!(to) = at!(a) | at!(b),
            Op::Without(to, a, b) => at!(to) = at!(a) & !at!(b),
            Op::UpTo(to, a, b) => at!(to) = up_to(at!(a), at!(b)),
            Op::DownTo(to, a, b) => at!(to) = down_to(at!(a), at!(b)),
            Op::Insert(to, member) => {
                let member = at!(member) as usize;
                words[near(usize::from(to) + member / 64)] |= 1 << (member % 64);
            }
            Op::With(to, set, member) => at!(to) = at!(set) | 1 << (at!(member) & 63),
            Op::Lacking(to, set, member) => at!(to) = at!(set) & !(1 << (at!(member) & 63)),
            Op::Only(to, member) => at!(to) = 1 << (at!(member) & 63),
            Op::Slide(by, to, low, high) => {
                at!(to) = match by & 63 {
                    0 => at!(low),
                    by => ((at!(low) as u64) >> by | (at!(high) as u64) << (64 - by)) as i64,
                };
            }
            Op::Fetch(to, from) => {
                let from = at!(from) as usize;
                at!(to) = match from.checked_sub(NEAR) {
                    None => words[near(from)],
                    Some(from) => beyond.get(from).copied().unwrap_or(0),
                };
            }
            Op::Size(to, a) => at!(to) = i64::from(at!(a).count_ones()),
            Op::StepBack(to, a, by) => {
                let from = at!(a) as u64;
                at!(to) = match by >= 0 {
                    true => from >> (by & 63),
                    false => from << (by.wrapping_neg() & 63),
                } as i64;
            }
            Op::Collect(to, sets, from) => {
                let (mut rest, mut all) = (at!(from) as u64, 0);
                while rest != 0 {
                    all |= words[near(usize::from(sets) + rest.trailing_zeros() as usize)];
                    rest &= rest - 1;
                }
                at!(to) = all;
            }
            Op::Sift(to, value, asked) => {
                let Sifted { compare, set, row } = code.sifted[usize::from(asked)];
                let (members, row) = (at!(set) as u64, &words[usize::from(row)..]);
                at!(to) = sifted(compare, row, at!(value), members) as i64;
            }
            Op::Choose(to, choices) => {
                at!(to) = chosen(words, &code.choices[usize::from(choices)]);
            }
            Op::Rays(to, index, rays) => {
                at!(to) = along(words, &code.rays[usize::from(rays)], at!(index) as usize);
            }
            Op::AnyRow(to, asked) => {
                checked!(to, any_row(code, words, asked));
            }
            Op::Meet(to, pieces, asked) => {
                let asked = &code.meetings[usize::from(asked)];
                at!(to) = meeting(words, asked, at!(pieces) as u64) as i64;
            }
            Op::Pack(to, packed) => at!(to) = pack(code, words, packed),
            Op::Find(mv) => {
                found.push(pack(code, words, mv) as u64);
                if words[near(code.any)] != 0 {
                    pc = HALT;
                }
            }
            Op::FindAll(first, set) => {
                let set = at!(set) as u64;
                if set != 0 {
                    found.push_word(pack(code, words, first) as u64, set);
                    if words[near(code.any)] != 0 {
                        pc = HALT;
                    }
                }
            }
            Op::FindProduct(number) => {
                find_product(code, words, number, found);
                if words[near(code.any)] != 0 && found.count() > 0 {
                    pc = HALT;
                }
            }
            Op::FindRows(number) => {
                find_rows(code, words, number, found);
                if words[near(code.any)] != 0 && found.count() > 0 {
                    pc = HALT;
                }
            }
            Op::FindSteps(number) => {
                find_steps(code, words, number, found);
                if words[near(code.any)] != 0 && found.count() > 0 {
                    pc = HALT;
                }
            }
            Op::Jump(jump) => pc = far(pc, jump),
            Op::If(a, jump) => {
                if at!(a) != 0 {
                    pc = far(pc, jump);
                }
            }
            Op::Unless(a, jump) => {
                if at!(a) == 0 {
                    pc = far(pc, jump);
                }
            }
            Op::IfSome(a, jump) => {
                if at!(a) >= 0 {
                    pc = far(pc, jump);
                }
            }
            Op::IfNone(a, jump) => {
                if at!(a) < 0 {
                    pc = far(pc, jump);
                }
            }
            Op::IfEqual(a, b, jump) => {
                if at!(a) == at!(b) {
                    pc = far(pc, jump);
                }
            }
            Op::IfUnequal(a, b, jump) => {
                if at!(a) != at!(b) {
                    pc = far(pc, jump);
                }
            }
            Op::IfLess(a, b, jump) => {
                if at!(a) < at!(b) {
                    pc = far(pc, jump);
                }
            }
            Op::IfAtMost(a, b, jump) => {
                if at!(a) <= at!(b) {
                    pc = far(pc, jump);
                }
            }
            Op::IfHas(set, member, jump) => {
                if has(words, set, member) != 0 {
                    pc = far(pc, jump);
                }
            }
            Op::IfLacks(set, member, jump) => {
                if has(words, set, member) == 0 {
                    pc = far(pc, jump);
                }
            }
            Op::IfOneOf(a, set, jump) => {
                if one_of(at!(a), at!(set)) {
                    pc = far(pc, jump);
                }
            }
            Op::IfNoneOf(a, set, jump) => {
                if !one_of(at!(a), at!(set)) {
                    pc = far(pc, jump);
                }
            }
            Op::IfMeet(a, b, jump) => {
                if at!(a) & at!(b) != 0 {
                    pc = far(pc, jump);
                }
            }
            Op::IfApart(a, b, jump) => {
                if at!(a) & at!(b) == 0 {
                    pc = far(pc, jump);
                }
            }
            Op::Next(to, set, jump) => {
                let rest = at!(set) as u64;
                if rest == 0 {
                    pc = far(pc, jump);
                } else {
                    at!(to) = i64::from(rest.trailing_zeros());
                    at!(set) = (rest & (rest - 1)) as i64;
                }
            }
            Op::Again(to, set, jump) => {
                let rest = at!(set) as u64;
                if rest != 0 {
                    at!(to) = i64::from(rest.trailing_zeros());
                    at!(set) = (rest & (rest - 1)) as i64;
                    pc = far(pc, jump);
                }
            }
            Op::Up(now, last, jump) => {
                if at!(now) != at!(last) {
                    at!(now) = at!(now).wrapping_add(1);
                    pc = far(pc, jump);
                }
            }
            Op::Check(a, ends) => {
                let last = words[near(usize::from(ends) + 1)];
                if !(at!(ends)..=last).contains(&at!(a)) {
                    return (pc, Came::Fault(0));
                }
            }
            Op::Admit(to, a, ends) => {
                let (value, last) = (at!(a), words[near(usize::from(ends) + 1)]);
                if !(at!(ends)..=last).contains(&value) {
                    return (pc, Came::Fault(0));
                }
                at!(to) = value;
            }
            Op::Grow(to, by, ends) => {
                let value = at!(to).checked_add(at!(by));
                match admitted(words, value, ends) {
                    Ok(value) => at!(to) = value,
                    Err(which) => return (pc, Came::Fault(which)),
                }
            }
            Op::Shrink(to, by, ends) => {
                let value = at!(to).checked_sub(at!(by));
                match admitted(words, value, ends) {
                    Ok(value) => at!(to) = value,
                    Err(which) => return (pc, Came::Fault(which)),
                }
            }
            Op::Charge => {
                words[work] += 1;
                if words[work] > i64::from(WORK_BUDGET) {
                    return (pc, Came::Fault(0));
                }
            }
            Op::Round(rounds, most) => {
                at!(rounds) += 1;
                if at!(rounds) > at!(most) {
                    return (pc, Came::Fault(0));
                }
            }
            Op::Lap(rounds, most) => {
                at!(rounds) += 1;
                if at!(rounds) > at!(most) {
                    return (pc, Came::Fault(0));
                }
                words[work] += 1;
                if words[work] > i64::from(WORK_BUDGET) {
                    return (pc, Came::Fault(1));
                }
            }
            Op::Require(a) => {
                if at!(a) == 0 {
                    return (pc, Came::Fault(0));
                }
            }
            Op::Fault => return (pc, Came::Fault(0)),
            Op::Call(func) => {
                let (entry, back) = code.entries[usize::from(func)];
                at!(back) = i64::from(pc);
                pc = entry;
            }
            Op::Return(back) => pc = at!(back) as u16,
            Op::Slow(slow) => {
                let all = Words::of(words, beyond);
                if !step::step(code, &code.slow[usize::from(slow)], all, found) {
                    return (pc, Came::Slow);
                }
                if found.count() > 0 && words[near(code.any)] != 0 {
                    pc = HALT;
                }
            }
            Op::Put(placement, piece, place) if is_plain(code, words, placement) => {
                let (piece, place) = (at!(piece), at!(place));
                if step::put(code, words, usize::from(placement), piece, place) == Moved::Taken {
                    return (pc, Came::Fault(0));
                }
            }
            Op::Take(placement, piece) if is_plain(code, words, placement) => {
                let piece = at!(piece);
                step::take(code, words, usize::from(placement), piece);
            }
            Op::Content(placement, place, kind) if is_plain(code, words, placement) => {
                let (place, kind) = (at!(place), at!(kind));
                step::fill(code, words, usize::from(placement), place, kind);
            }
            Op::Recall(memo) => {
                let memo = &code.memos[usize::from(memo)];
                if recall(words, memo, code.version) {
                    pc = pc.wrapping_add(2);
                }
            }
            Op::Remember(memo) => {
                let version = words[near(code.version)];
                let at = near(code.memos[usize::from(memo)].at);
                words[at] = if words[at] == -version { version } else { 0 };
            }
            Op::Stop(point) if words[near(code.playing)] != 0 => {
                match code.turns[usize::from(point)] {
                    Turn::Moves(entry, tries) => {
                        arrive(code, words, found, usize::from(point), tries);
                        pc = entry;
                    }
                    Turn::Draw(into, first, count, resume) if random.draws < random.limit => {
                        random.draws += 1;
                        words[near(into)] = first.wrapping_add(random.rng.below64(count) as i64);
                        goes_on(code, words);
                        pc = resume;
                    }
                    _ => return (pc, Came::Slow),
                }
            }
            Op::Draw => match draw(code, words, found, random) {
                Some(entry) => pc = entry,
                None => return (pc, Came::Slow),
            },
            Op::Answered(to, asked, jump) => {
                let place = code.asked[usize::from(asked)].place(&words[..]);
                let known = match place.checked_sub(NEAR) {
                    None => words[near(place)],
                    Some(place) => beyond[place],
                };
                if (known ^ words[near(code.search)]) & !1 == 0 {
                    at!(to) = known & 1;
                    pc = far(pc, jump);
                }
            }
            Op::Answer(answer, asked) => {
                let place = code.asked[usize::from(asked)].place(&words[..]);
                let answer = words[near(code.search)] | at!(answer);
                match place.checked_sub(NEAR) {
                    None => words[near(place)] = answer,
                    Some(place) => beyond[place] = answer,
                }
            }
            Op::Halt
            | Op::Leave(_)
            | Op::Num(..)
            | Op::Word(..)
            | Op::Invoke(_)
            | Op::Put(..)
            | Op::Take(..)
            | Op::Content(..)
            | Op::Stop(_)
            | Op::End(..)
            | Op::Try(_) => return (pc, Came::Slow),
        }
    }
}

impl<'c> Machine<'c> {
    /// Runs operations from one on until they end.
    pub(crate) fn run(&mut self, entry: usize) -> Res<Flow> {
        let code = self.code;
        self.mem[code.heard] = i64::from(self.events.is_some());
        let Some(ops) = code.ops.first_chunk::<NEAR>() else {
            return Ok(Flow::Next);
        };
        let mut pc = entry as u16;
        loop {
            let Some((words, beyond)) = self.mem.split_first_chunk_mut::<NEAR>() else {
                return Ok(Flow::Next);
            };
            let (behind, came) = rulec_cpu::run(Inner {
                code,
                ops,
                words,
                beyond,
                found: &mut self.found,
                random: &mut self.random,
                pc,
            });
            // It comes back behind the operation.
            pc = behind;
            let at = usize::from(behind.wrapping_sub(1));
            let op = ops[at];
            if let Came::Fault(which) = came {
                return self.fault(code.fault_at(at) + which);
            }
            match op {
                Op::Halt | Op::Draw => return Ok(Flow::Next),
                Op::Leave(flow) => return Ok(flow),
                Op::Stop(point) => {
                    self.stopped = usize::from(point);
                    return Ok(Flow::Stop);
                }
                Op::End(reason, winners) => {
                    let winners = self.mem[usize::from(winners)] as u64;
                    return Ok(self.end(reason, winners));
                }
                Op::Try(trial) => {
                    let trial = &code.trials[usize::from(trial)];
                    let way = match self.attempt(trial)? {
                        Flow::Break => 0,
                        Flow::Continue => 1,
                        Flow::Return => 2,
                        Flow::Next => 3,
                        flow => return Ok(flow),
                    };
                    pc = pc.wrapping_add(way);
                }
                Op::Invoke(call) => {
                    match self.enter(&code.calls[usize::from(call)])? {
                        Flow::Next => {}
                        flow => return Ok(flow),
                    }
                    self.mem[code.heard] = i64::from(self.events.is_some());
                }
                Op::Slow(slow) => {
                    if let Slow::End(reason, winners) = &code.slow[usize::from(slow)] {
                        let at = self.set(winners)?;
                        let winners = self.mem[at] as u64;
                        return Ok(self.end(*reason, winners));
                    }
                    self.slow(&code.slow[usize::from(slow)])?;
                }
                op => self.with_machine(op, at)?,
            }
        }
    }

    fn end(&mut self, reason: crate::ir::EndReason, winners: u64) -> Flow {
        let why = Why::Rules(reason);
        self.ended = Some(Ending { why, winners });
        Flow::End
    }

    /// An operation that needs the machine.
    fn with_machine(&mut self, op: Op, at: usize) -> Res<()> {
        let code = self.code;
        match op {
            Op::Put(placement, piece, place) => {
                let (piece, place) = (self.word_at(piece), self.word_at(place));
                if !self.put_piece(usize::from(placement), piece, place) {
                    return self.fault(code.fault_at(at));
                }
            }
            Op::Take(placement, piece) => {
                let piece = self.word_at(piece);
                self.take(usize::from(placement), piece);
            }
            Op::Content(placement, place, kind) => {
                let (place, kind) = (self.word_at(place), self.word_at(kind));
                self.set_content(usize::from(placement), place, kind);
            }
            Op::Num(to, num) => {
                self.mem[usize::from(to)] = self.num(&code.nums[usize::from(num)])?;
            }
            Op::Word(to, set) => {
                self.mem[usize::from(to)] = self.word(&code.sets[usize::from(set)])? as i64;
            }
            Op::Store(to, value) => {
                let (to, value) = (self.word_at(to), self.word_at(value));
                if let Some(word) = self.mem.get_mut(to as usize) {
                    *word = value;
                }
            }
            _ => {}
        }
        Ok(())
    }

    #[inline(always)]
    fn word_at(&self, reg: Reg) -> i64 {
        self.mem[usize::from(reg)]
    }

    fn slow(&mut self, slow: &'c Slow) -> Res<()> {
        match slow {
            Slow::Set(store, value) => {
                let at = self.target(&store.to, value)?;
                self.store(store, value, at)?;
            }
            Slow::Watched(var, to, value, told) => {
                let (at, after) = (self.word_at(*to) as usize, self.word_at(*value));
                let before = std::mem::replace(&mut self.mem[at], after);
                self.changed(*var, at, before, *told);
            }
            Slow::SetWatched(watched) => self.set_watched(watched)?,
            Slow::Emit(emit) => self.emit(emit)?,
            Slow::Fail(site) => {
                self.halted = Halted {
                    site: *site,
                    fails: true,
                };
                return Err(Halt);
            }
            Slow::Snapshot(slot) => self.snapshot(*slot),
            Slow::Restore(slot, site) => self.give_back(*slot, *site)?,
            Slow::Note(trail, site) => self.note(*trail, *site)?,
            Slow::Forget(trail) => self.forget(*trail),
            Slow::Keep(value, at) => self.put(value, *at)?,
            Slow::End(..) => {}
            slow => self.plan_step(slow)?,
        }
        Ok(())
    }

    /// What plans of moves need.
    fn plan_step(&mut self, slow: &'c Slow) -> Res<()> {
        let families = &self.code.families;
        match slow {
            Slow::Ask(family, func, bound) => self.ask(&families[*family], *func, *bound)?,
            Slow::Judge(point, arm, to) => {
                if let Point::Choose(choose) = &self.code.points[*point]
                    && let Some(after) = families[choose.arms[*arm].family].after
                {
                    let arm = &choose.arms[*arm];
                    let answer = self.holds_after(arm, &families[arm.family], after)?;
                    self.mem[usize::from(*to)] = i64::from(answer);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
