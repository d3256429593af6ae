//! Sums of numbers that depend on what stands on places.
//!
//! All values of a sum of many numbers, each with when it is that one, are too many to be told. What rules ask is how a sum
//! compares with a constant, most often with the least that it can be: whether anything was counted at all. That is found term by
//! term, without the values in between: a sum is at least a number if one term is at least some value, and the sum of the others at
//! least what is missing then.

use std::rc::Rc;

use rulec_ir::sorted::SortedMap;

use crate::ir::{BinaryOp, Const, Expr, ExprKind, Type};
use crate::opt::patterns::formula::Formula;

use super::Explorer;
use super::among::told;
use super::values::Each;
use super::values::{Value, truth};

/// Terms of a sum.
const MOST_TERMS: usize = 256;
/// Terms of which all values are told, rather than term by term.
const FEW_TERMS: usize = 2;

impl Explorer<'_> {
    /// What an operation makes of numbers that are sums, or become one.
    pub(super) fn sum(&mut self, expr: &Expr, operands: &[Value]) -> Option<Value> {
        let (ExprKind::Binary(op, a, _), [one, other]) = (&expr.kind, operands) else {
            return None;
        };
        if a.ty != Type::Wrap32 {
            return None;
        }
        let sign = match op {
            BinaryOp::Add => 1,
            _ => -1,
        };
        let is_sum = |value: &Value| matches!(value, Value::Sum(..));
        let known = |value: &Value| !matches!(value, Value::Given(_) | Value::Test(_));
        if !operands.iter().all(known) {
            return None;
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let (plus, terms) = self.terms(one, other, sign)?;
                (terms.len() > 1).then_some(Value::Sum(plus, terms))
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
                if operands.iter().any(is_sum) =>
            {
                let (plus, terms) = self.terms(one, other, sign)?;
                if terms.len() <= FEW_TERMS {
                    return None;
                }
                Some(truth(self.compares_with_zero(*op, plus, &terms)?))
            }
            _ => None,
        }
    }

    /// One number and another one, or without it, as a constant and terms; nothing if that may not fit into 32 bits.
    fn terms(&mut self, one: &Value, other: &Value, sign: i64) -> Option<(i64, Vec<Rc<Each>>)> {
        let (mut plus, mut terms) = self.as_sum(one)?;
        let (more, others) = self.as_sum(other)?;
        plus += sign * more;
        for term in others {
            terms.push(match sign {
                1 => term,
                _ => Rc::new(opposite(&term)?),
            });
        }
        let (mut least, mut most) = (plus, plus);
        for term in &terms {
            least += ends(term)?.0;
            most += ends(term)?.1;
        }
        let fits = |value: i64| i32::try_from(value).is_ok();
        (terms.len() <= MOST_TERMS && fits(least) && fits(most)).then_some((plus, terms))
    }

    fn as_sum(&mut self, value: &Value) -> Option<(i64, Vec<Rc<Each>>)> {
        Some(match value {
            Value::Const(Const::Int(value)) => (*value, Vec::new()),
            Value::Sum(plus, terms) => (*plus, terms.clone()),
            _ => {
                let each = self.each(value)?;
                ends(&each)?;
                (0, vec![Rc::new(each)])
            }
        })
    }

    /// All values of a sum.
    pub(super) fn added_up(&mut self, plus: i64, terms: &[Rc<Each>]) -> Option<Each> {
        let mut all: Each = vec![(Const::Int(plus), Formula::constant(true))];
        for term in terms {
            let mut next = Each::new();
            for (value, when) in &all {
                for (more, own) in term.iter() {
                    let both = self.both(when, own)?;
                    if both.as_constant() != Some(false) {
                        self.add(&mut next, Const::Int(int(value)? + int(more)?), &both)?;
                    }
                }
            }
            all = next;
        }
        Some(all)
    }

    /// One of two numbers of which one is the other with something added, or of two sums, as a condition says: only what they do
    /// not share depends on it.
    pub(super) fn sum_of_either(
        &mut self,
        cond: &Formula,
        yes: &Value,
        no: &Value,
    ) -> Option<Value> {
        if let (Value::Among(own), Value::Among(others)) = (yes, no) {
            let more = difference(own, others)?;
            let more = vec![
                (Const::Int(0), cond.clone().not()),
                (Const::Int(more), cond.clone()),
            ];
            let mut terms = vec![others.clone(), more];
            terms[1].sort_by(|(one, _), (other, _)| one.cmp(other));
            return Some(Value::Sum(0, terms.into_iter().map(Rc::new).collect()));
        }
        let ((Value::Sum(..), _) | (_, Value::Sum(..))) = (yes, no) else {
            return None;
        };
        let ((plus, mut own), (other, mut others)) = (self.as_sum(yes)?, self.as_sum(no)?);
        let mut common = Vec::new();
        own.retain(|term| match others.iter().position(|other| other == term) {
            Some(at) => {
                common.push(others.remove(at));
                false
            }
            None => true,
        });
        let (own, others) = (self.added_up(plus, &own)?, self.added_up(other, &others)?);
        match self.one_of(cond, &own, &others)? {
            rest if common.is_empty() => Some(rest),
            Value::Among(rest) => {
                common.push(Rc::new(rest));
                Some(Value::Sum(0, common))
            }
            Value::Const(rest) => match &common[..] {
                [only] if rest == Const::Int(0) => told(only.to_vec()),
                _ => Some(Value::Sum(int(&rest)?, common)),
            },
            _ => None,
        }
    }

    /// How a sum compares with 0.
    fn compares_with_zero(
        &mut self,
        op: BinaryOp,
        plus: i64,
        terms: &[Rc<Each>],
    ) -> Option<Formula> {
        let mut thresholds = Thresholds {
            terms,
            known: SortedMap::new(),
        };
        let (mut least, mut most) = (plus, plus);
        for term in terms {
            least += ends(term)?.0;
            most += ends(term)?.1;
        }
        // Between the ends there are as many ways to come to a number as there are choices of terms: counting is quicker.
        let mut at_least = |wanted: i64| match wanted <= least + 1 || wanted >= most {
            true => thresholds.reached(self, terms.len(), wanted - plus),
            false => None,
        };
        Some(match op {
            BinaryOp::Ge => at_least(0)?,
            BinaryOp::Gt => at_least(1)?,
            BinaryOp::Lt => at_least(0)?.not(),
            BinaryOp::Le => at_least(1)?.not(),
            _ => {
                let (least, above) = (at_least(0)?, at_least(1)?);
                let is = self.both(&least, &above.not())?;
                match op {
                    BinaryOp::Eq => is,
                    _ => is.not(),
                }
            }
        })
    }
}

/// When the sums of the first of some terms are at least some numbers.
struct Thresholds<'t> {
    terms: &'t [Rc<Each>],
    known: SortedMap<(usize, i64), Formula>,
}

impl Thresholds<'_> {
    /// When the sum of so many terms is at least a number.
    fn reached(
        &mut self,
        explorer: &mut Explorer<'_>,
        count: usize,
        wanted: i64,
    ) -> Option<Formula> {
        let (mut least, mut most) = (0, 0);
        for term in &self.terms[..count] {
            least += ends(term)?.0;
            most += ends(term)?.1;
        }
        if wanted <= least || wanted > most {
            return Some(Formula::constant(wanted <= least));
        }
        if let Some(known) = self.known.get(&(count, wanted)) {
            return Some(known.clone());
        }
        let last = self.terms[count - 1].clone();
        // When the term is one of its first values: what fails to be that is at least the next one.
        let (mut fewer, mut told) = (Formula::constant(false), 0);
        let mut never = Formula::constant(true);
        for (at, (value, when)) in last.iter().enumerate() {
            let rest = self.reached(explorer, count - 1, wanted - int(value)?)?;
            let rest_is = rest.as_constant();
            if rest_is == Some(false) {
                continue;
            }
            let at_least = match at + 1 == last.len() {
                true => when.clone(),
                false => {
                    for (_, own) in &last[told..at] {
                        fewer = explorer.both(&fewer.not(), &own.clone().not())?.not();
                    }
                    told = at;
                    fewer.clone().not()
                }
            };
            let way = explorer.both(&at_least, &rest)?;
            never = explorer.both(&never, &way.not())?;
            if rest_is == Some(true) {
                break;
            }
        }
        let reached = never.not();
        self.known.insert((count, wanted), reached.clone());
        Some(reached)
    }
}

fn int(value: &Const) -> Option<i64> {
    match value {
        Const::Int(value) => Some(*value),
        _ => None,
    }
}

/// The least and the greatest value of a number.
fn ends(each: &Each) -> Option<(i64, i64)> {
    Some((int(&each.first()?.0)?, int(&each.last()?.0)?))
}

/// What one number is more than another one, whatever that is; both have the same values else.
fn difference(one: &Each, other: &Each) -> Option<i64> {
    let more = int(&one.first()?.0)? - int(&other.first()?.0)?;
    let pairs = one.iter().zip(other);
    let mut same = pairs.map(|((value, when), (known, own))| {
        Some(int(value)? == int(known)? + more && when == own)
    });
    let all = one.len() == other.len() && same.all(|same| same == Some(true));
    (all && more != 0).then_some(more)
}

/// The number with the other sign.
fn opposite(each: &Each) -> Option<Each> {
    let other = |(value, when): &(Const, Formula)| Some((Const::Int(-int(value)?), when.clone()));
    each.iter().rev().map(other).collect()
}
