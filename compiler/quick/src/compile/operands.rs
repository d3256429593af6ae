//! What operations do with the words that they name.

use crate::code::*;
use crate::ir::BinaryOp;
use crate::op::*;

/// What an operation does but give a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Pure,
    /// It jumps, faults or finds moves: nothing that words tell.
    Acts,
    /// It changes words that belong to no function at work.
    Stores,
    /// Functions run, which may use any words but those that are worked out on the way.
    Runs,
    /// It may look at all words but those for what is worked out on the way, and at those of these that it names.
    Any,
    /// What follows is not reached.
    Ends,
}

/// What an operation does. All are named, so that nobody adds one without telling here, and in [`given`], [`changed`], [`each_read`]
/// and [`each_other`], what it does with words.
pub(super) fn kind(code: &Code, op: Op) -> Kind {
    match op {
        Op::Halt | Op::Draw | Op::Return(_) | Op::Stop(_) | Op::End(..) | Op::Fault => Kind::Ends,
        Op::Jump(_) => Kind::Ends,
        Op::Invoke(_) | Op::Num(..) | Op::Word(..) | Op::Try(_) | Op::Leave(_) => Kind::Any,
        Op::Slow(slow) => slow_kind(&code.slow[usize::from(slow)]),
        Op::Call(_) | Op::Recall(_) | Op::Remember(_) => Kind::Runs,
        Op::Put(..) | Op::Take(..) | Op::Content(..) => Kind::Runs,
        Op::SetAmong(..) | Op::Store(..) | Op::Charge | Op::Lap(..) => Kind::Stores,
        Op::Wrapping(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => Kind::Pure,
        Op::Move(..)
        | Op::Not(..)
        | Op::Equal(..)
        | Op::Unequal(..)
        | Op::Less(..)
        | Op::AtMost(..)
        | Op::Least(..)
        | Op::Greatest(..)
        | Op::Plus(..)
        | Op::WrapNegate(..)
        | Op::WrapAbsolute(..)
        | Op::ToWrap(..)
        | Op::IsSome(..)
        | Op::Member(..)
        | Op::Among(..)
        | Op::Has(..)
        | Op::Both(..)
        | Op::Either(..)
        | Op::Without(..)
        | Op::UpTo(..)
        | Op::DownTo(..)
        | Op::Insert(..)
        | Op::Only(..)
        | Op::Size(..)
        | Op::Slide(..)
        | Op::Fetch(..)
        | Op::StepBack(..)
        | Op::Collect(..)
        | Op::Sift(..)
        | Op::Choose(..)
        | Op::With(..)
        | Op::Lacking(..)
        | Op::Rays(..)
        | Op::Meet(..)
        | Op::Pack(..) => Kind::Pure,
        Op::Add(..)
        | Op::Subtract(..)
        | Op::Multiply(..)
        | Op::Exact(..)
        | Op::Wrapping(..)
        | Op::Negate(..)
        | Op::Absolute(..)
        | Op::Get(..)
        | Op::Load(..)
        | Op::Locate(..)
        | Op::AnyRow(..)
        | Op::Find(_)
        | Op::FindAll(..)
        | Op::FindProduct(_)
        | Op::FindRows(_)
        | Op::FindSteps(_)
        | Op::If(..)
        | Op::Unless(..)
        | Op::IfSome(..)
        | Op::IfNone(..)
        | Op::IfEqual(..)
        | Op::IfUnequal(..)
        | Op::IfLess(..)
        | Op::IfAtMost(..)
        | Op::IfHas(..)
        | Op::IfLacks(..)
        | Op::IfOneOf(..)
        | Op::IfNoneOf(..)
        | Op::IfMeet(..)
        | Op::IfApart(..)
        | Op::Next(..)
        | Op::Again(..)
        | Op::Up(..)
        | Op::Check(..)
        | Op::Admit(..)
        | Op::Grow(..)
        | Op::Shrink(..)
        | Op::Round(..)
        | Op::Answered(..)
        | Op::Answer(..)
        | Op::Require(_) => Kind::Acts,
    }
}

fn slow_kind(slow: &Slow) -> Kind {
    match slow {
        Slow::Watched(..) => Kind::Runs,
        Slow::Emit(emit) if is_plain(emit) => Kind::Acts,
        Slow::FindNone => Kind::Acts,
        _ => Kind::Any,
    }
}

/// Whether what is told lies in words that are known by number.
fn is_plain(emit: &Emit) -> bool {
    let plain = |value: &Val| {
        matches!(value, Val::Num(Num::Const(_) | Num::At(_)))
            || matches!(value, Val::Num(Num::Among(_, index)) if matches!(**index, Num::Const(_) | Num::At(_)))
    };
    match emit {
        Emit::Log(parts) => parts.iter().all(|part| match part {
            Said::Text(_) => true,
            Said::Value(value, _) => plain(value),
        }),
        Emit::Signal(_, values) => values.iter().all(|(value, _)| plain(value)),
        Emit::Count(_, value) => value.as_ref().is_none_or(plain),
    }
}

/// The word to which an operation gives a value in any case.
pub(super) fn given(op: &mut Op) -> Option<&mut Reg> {
    match op {
        Op::Move(to, _)
        | Op::Not(to, _)
        | Op::Equal(to, ..)
        | Op::Unequal(to, ..)
        | Op::Less(to, ..)
        | Op::AtMost(to, ..)
        | Op::Add(to, ..)
        | Op::Subtract(to, ..)
        | Op::Multiply(to, ..)
        | Op::Least(to, ..)
        | Op::Greatest(to, ..)
        | Op::Exact(_, to, ..)
        | Op::Wrapping(_, to, ..)
        | Op::Plus(to, ..)
        | Op::Negate(to, _)
        | Op::Absolute(to, _)
        | Op::WrapNegate(to, _)
        | Op::WrapAbsolute(to, _)
        | Op::ToWrap(to, _)
        | Op::IsSome(to, _)
        | Op::Get(to, _)
        | Op::Member(to, ..)
        | Op::Among(to, ..)
        | Op::Load(to, _)
        | Op::Locate(to, _)
        | Op::Has(to, ..)
        | Op::Both(to, ..)
        | Op::Either(to, ..)
        | Op::Without(to, ..)
        | Op::UpTo(to, ..)
        | Op::DownTo(to, ..)
        | Op::Only(to, _)
        | Op::With(to, ..)
        | Op::Lacking(to, ..)
        | Op::Sift(to, ..)
        | Op::Choose(to, _)
        | Op::Size(to, _)
        | Op::Slide(_, to, ..)
        | Op::Fetch(to, _)
        | Op::StepBack(to, ..)
        | Op::Collect(to, ..)
        | Op::Rays(to, ..)
        | Op::AnyRow(to, _)
        | Op::Meet(to, ..)
        | Op::Pack(to, _)
        | Op::Admit(to, ..) => Some(to),
        _ => None,
    }
}

/// The words that an operation reads and changes, or may change.
pub(super) fn changed(op: Op) -> [Option<Reg>; 2] {
    match op {
        Op::Grow(to, ..) | Op::Shrink(to, ..) | Op::Answered(to, ..) => [Some(to), None],
        Op::Insert(to, _) | Op::Up(to, ..) | Op::Round(to, _) | Op::Lap(to, _) => [Some(to), None],
        Op::Next(to, set, _) | Op::Again(to, set, _) => [Some(to), Some(set)],
        _ => [None; 2],
    }
}

/// Calls `f` on the words that an operation reads, and that may be others with the same value.
pub(super) fn each_read(code: &mut Code, op: &mut Op, f: &mut dyn FnMut(&mut Reg)) {
    match op {
        Op::Move(_, a)
        | Op::Not(_, a)
        | Op::Negate(_, a)
        | Op::Absolute(_, a)
        | Op::WrapNegate(_, a)
        | Op::WrapAbsolute(_, a)
        | Op::ToWrap(_, a)
        | Op::IsSome(_, a)
        | Op::Get(_, a)
        | Op::Member(_, a, _)
        | Op::Among(_, _, a)
        | Op::Has(_, _, a)
        | Op::Insert(_, a)
        | Op::Only(_, a)
        | Op::Size(_, a)
        | Op::Fetch(_, a)
        | Op::StepBack(_, a, _)
        | Op::Collect(_, _, a)
        | Op::If(a, _)
        | Op::Unless(a, _)
        | Op::IfSome(a, _)
        | Op::IfNone(a, _)
        | Op::IfHas(_, a, _)
        | Op::IfLacks(_, a, _)
        | Op::Up(_, a, _)
        | Op::Check(a, _)
        | Op::Admit(_, a, _)
        | Op::Grow(_, a, _)
        | Op::Shrink(_, a, _)
        | Op::Round(_, a)
        | Op::Lap(_, a)
        | Op::Require(a)
        | Op::Take(_, a)
        | Op::End(_, a) => f(a),
        Op::Equal(_, a, b)
        | Op::Unequal(_, a, b)
        | Op::Less(_, a, b)
        | Op::AtMost(_, a, b)
        | Op::Add(_, a, b)
        | Op::Subtract(_, a, b)
        | Op::Multiply(_, a, b)
        | Op::Least(_, a, b)
        | Op::Greatest(_, a, b)
        | Op::Exact(_, _, a, b)
        | Op::Wrapping(_, _, a, b)
        | Op::Plus(_, a, b)
        | Op::SetAmong(_, a, b)
        | Op::Store(a, b)
        | Op::Both(_, a, b)
        | Op::Either(_, a, b)
        | Op::Without(_, a, b)
        | Op::With(_, a, b)
        | Op::Lacking(_, a, b)
        | Op::UpTo(_, a, b)
        | Op::DownTo(_, a, b)
        | Op::Slide(_, _, a, b)
        | Op::IfEqual(a, b, _)
        | Op::IfUnequal(a, b, _)
        | Op::IfLess(a, b, _)
        | Op::IfAtMost(a, b, _)
        | Op::IfOneOf(a, b, _)
        | Op::IfNoneOf(a, b, _)
        | Op::IfMeet(a, b, _)
        | Op::IfApart(a, b, _)
        | Op::Put(_, a, b)
        | Op::Content(_, a, b) => {
            f(a);
            f(b);
        }
        op => each_read_beside(code, op, f),
    }
}

/// The same for operations part of which lies in lists of its own.
fn each_read_beside(code: &mut Code, op: &mut Op, f: &mut dyn FnMut(&mut Reg)) {
    match op {
        Op::Load(_, place) | Op::Locate(_, place) => {
            let place = &mut code.places[usize::from(*place)];
            place.index.iter_mut().for_each(|axis| f(&mut axis.index));
        }
        Op::AnyRow(_, rows) => {
            let rows = &mut code.rows[usize::from(*rows)];
            let place = &mut code.places[usize::from(rows.place)];
            place.index.iter_mut().for_each(|axis| f(&mut axis.index));
            f(&mut rows.set);
        }
        Op::Rays(_, a, rays) => {
            f(a);
            f(&mut code.rays[usize::from(*rays)].stops);
        }
        Op::Sift(_, a, asked) => {
            f(a);
            f(&mut code.sifted[usize::from(*asked)].set);
        }
        Op::Choose(_, choices) => {
            for choice in &mut code.choices[usize::from(*choices)] {
                choice.words.iter_mut().for_each(&mut *f);
                choice.sets.iter_mut().for_each(&mut *f);
            }
        }
        Op::Meet(_, a, meeting) => {
            f(a);
            f(&mut code.meetings[usize::from(*meeting)].pass);
        }
        Op::Pack(_, packed) | Op::Find(packed) => {
            let packed = &mut code.packed[usize::from(*packed)];
            packed.digits.iter_mut().for_each(|(at, _)| f(at));
        }
        Op::FindAll(packed, set) => {
            let packed = &mut code.packed[usize::from(*packed)];
            packed.digits.iter_mut().for_each(|(at, _)| f(at));
            f(set);
        }
        Op::FindProduct(product) => f(&mut code.products[usize::from(*product)].first),
        Op::FindRows(rows) => f(&mut code.found_rows[usize::from(*rows)].first),
        Op::FindSteps(steps) => {
            let steps = &mut code.found_steps[usize::from(*steps)];
            f(&mut steps.first);
            f(&mut steps.set);
            f(&mut steps.pass);
        }
        _ => {}
    }
}

/// Calls `f` on the other words that an operation reads.
pub(super) fn each_other(code: &Code, op: Op, f: &mut dyn FnMut(At)) {
    for word in changed(op).into_iter().flatten() {
        f(usize::from(word));
    }
    match op {
        Op::Has(_, set, _) | Op::IfHas(set, ..) | Op::IfLacks(set, ..) => f(usize::from(set)),
        Op::Rays(_, _, rays) => {
            for ray in &code.rays[usize::from(rays)].each {
                if let Within::Set(set) = ray.within {
                    f(usize::from(set));
                }
            }
        }
        Op::FindProduct(product) => {
            let product = &code.products[usize::from(product)];
            f(product.pieces);
            f(product.last);
        }
        Op::FindRows(rows) => {
            let rows = &code.found_rows[usize::from(rows)];
            f(rows.set);
            rows.pass.iter().for_each(|(at, _)| f(*at));
        }
        Op::Call(func) => {
            let func = &code.funcs[usize::from(func)];
            (func.head.start..func.value.start).for_each(f);
        }
        Op::Recall(memo) => {
            let memo = &code.memos[usize::from(memo)];
            (memo.args..memo.args + memo.words).for_each(f);
        }
        Op::Answered(_, asked, _) => {
            let by = &code.asked[usize::from(asked)].by;
            by.iter().for_each(|(at, _)| f(*at));
        }
        Op::Answer(answer, asked) => {
            f(usize::from(answer));
            let by = &code.asked[usize::from(asked)].by;
            by.iter().for_each(|(at, _)| f(*at));
        }
        Op::Slow(slow) => match &code.slow[usize::from(slow)] {
            Slow::Product(product) => {
                let product = &code.products[usize::from(*product)];
                f(usize::from(product.first));
                (product.pieces..product.pieces + product.words).for_each(&mut *f);
                (product.last..product.last + product.last_words).for_each(f);
            }
            slow => each_slow(slow, f),
        },
        _ => {}
    }
}

fn each_slow(slow: &Slow, f: &mut dyn FnMut(At)) {
    let mut told = |value: &Val| match value {
        Val::Num(Num::At(at)) => f(*at),
        Val::Num(Num::Among(_, index)) => {
            if let Num::At(at) = **index {
                f(at);
            }
        }
        _ => {}
    };
    match slow {
        Slow::Watched(_, to, value, _) => {
            f(usize::from(*to));
            f(usize::from(*value));
        }
        Slow::Emit(Emit::Log(parts)) => {
            for part in parts {
                if let Said::Value(value, _) = part {
                    told(value);
                }
            }
        }
        Slow::Emit(Emit::Signal(_, values)) => values.iter().for_each(|(value, _)| told(value)),
        Slow::Emit(Emit::Count(_, value)) => value.iter().for_each(told),
        slow => each_planned(slow, f),
    }
}

/// The same for what plans of moves need.
fn each_planned(slow: &Slow, f: &mut dyn FnMut(At)) {
    match slow {
        Slow::SomeRow(asked) => {
            f(usize::from(asked.first));
            asked.within.iter().for_each(|(at, _)| f(usize::from(*at)));
            (asked.set..asked.set + asked.words).for_each(f);
        }
        Slow::FindAll(first, set, words) => {
            f(usize::from(*first));
            (*set..set + words).for_each(f);
        }
        Slow::Rows(rows) => {
            f(usize::from(rows.first));
            f(rows.set);
            rows.pass.iter().for_each(|(at, _)| f(*at));
        }
        Slow::Reach(reach, _) => {
            (reach.pass..reach.pass + reach.words).for_each(&mut *f);
            (reach.meet..reach.meet + reach.words).for_each(f);
        }
        Slow::Row(_, by, ..) => f(usize::from(*by)),
        Slow::NextItem(_, number, _) => f(usize::from(*number)),
        Slow::NextMember(set, words, _) => (*set..set + words).for_each(f),
        Slow::Copy(from, _, words) => (*from..from + words).for_each(f),
        _ => {}
    }
}
