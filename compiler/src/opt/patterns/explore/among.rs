//! Numbers that depend on what stands on places: each of a few constants, with when it is that one.
//!
//! A count of stones, the length of a row, a direction that was found: rules reach a truth by way of numbers. What is computed
//! from such numbers is computed for each of their values, and is that where they have these values together.

use crate::ir::value;
use crate::ir::{Const, EnvId, Expr, ExprKind, LocalId};
use crate::opt::patterns::formula::Formula;

use super::Explorer;
use super::flow::Frame;
use super::values::{Each, Value, truth};

/// Values that a number may have: a row to both sides on a board of sixteen squares has so many lengths.
const MOST_VALUES: usize = 32;
/// Combinations of values that are computed with.
const MOST_TOGETHER: usize = 512;
/// Pairs of products that are looked at to compute with numbers, in a run.
const MOST_PAIRS: usize = 400_000;

impl Explorer<'_> {
    /// A value as one of some constants.
    pub(super) fn each(&mut self, value: &Value) -> Option<Each> {
        match value {
            Value::Const(value) => Some(vec![(value.clone(), Formula::constant(true))]),
            Value::Among(each) => Some(each.clone()),
            Value::Sum(plus, terms) => self.added_up(*plus, terms),
            Value::Test(formula) => Some(vec![
                (Const::Bool(false), formula.clone().not()),
                (Const::Bool(true), formula.clone()),
            ]),
            Value::Of(place, function) if self.is_total(*function) => {
                let mut values: Vec<Const> = Vec::new();
                for value in self.functions[*function].0.iter().flatten() {
                    if !values.contains(value) {
                        values.push(value.clone());
                    }
                }
                if values.len() > MOST_VALUES {
                    return None;
                }
                values.sort_unstable();
                let each = values.into_iter().map(|value| {
                    let own = self.is_value(*place, *function, &value)?;
                    Some((value, own))
                });
                each.collect()
            }
            Value::Of(..) | Value::Given(_) => None,
        }
    }

    /// One of two numbers; nothing where both are not known or are no numbers.
    pub(super) fn number(&mut self, cond: &Formula, yes: &Value, no: &Value) -> Option<Value> {
        let is_number = |value: &Value| match value {
            Value::Const(value) => !matches!(value, Const::Bool(_)),
            Value::Among(_) | Value::Sum(..) => true,
            _ => false,
        };
        match is_number(yes) && is_number(no) {
            true => self.either(cond, yes, no),
            false => None,
        }
    }

    /// What an operation gives for each of the values of its operands.
    pub(super) fn of_each(&mut self, expr: &Expr, operands: &[Value]) -> Option<Value> {
        let known = |value: &Value| !matches!(value, Value::Given(_));
        if !operands.iter().all(known) {
            return None;
        }
        let operands = operands.iter().map(|value| self.each(value));
        let operands: Vec<Each> = operands.collect::<Option<_>>()?;
        let together: usize = operands.iter().map(Vec::len).product();
        if together > MOST_TOGETHER {
            return None;
        }
        let mut all: Vec<(Vec<&Const>, Formula)> = vec![(Vec::new(), Formula::constant(true))];
        for each in &operands {
            let mut next = Vec::with_capacity(all.len() * each.len());
            for (values, when) in &all {
                for (value, own) in each {
                    let both = self.both(when, own)?;
                    if both.as_constant() != Some(false) {
                        next.push(([&values[..], &[value]].concat(), both));
                    }
                }
            }
            all = next;
        }
        let mut each: Each = Vec::new();
        for (values, when) in &all {
            let value = value::apply(self.game, expr, values)?;
            self.add(&mut each, value, when)?;
        }
        told(each)
    }

    /// One of two, as a condition says.
    pub(super) fn one_of(&mut self, cond: &Formula, yes: &Each, no: &Each) -> Option<Value> {
        let mut each: Each = Vec::new();
        let unmet = cond.clone().not();
        for (side, values) in [(cond, yes), (&unmet, no)] {
            for (value, when) in values {
                let both = self.both(side, when)?;
                if both.as_constant() != Some(false) {
                    self.add(&mut each, value.clone(), &both)?;
                }
            }
        }
        told(each)
    }

    /// The value of an expression; where it has none as a whole, from each of the values of a number that it reads.
    pub(super) fn value(&mut self, expr: &Expr, frame: &Frame) -> Option<Value> {
        let value = self.expr(expr, frame);
        value.or_else(|| self.for_each(expr, frame))
    }

    /// What an expression comes to for each of the values of the first number that it reads.
    fn for_each(&mut self, expr: &Expr, frame: &Frame) -> Option<Value> {
        let read = read_in(expr, frame);
        let each = read.first()?.among(frame)?.clone();
        let mut found = None;
        for (value, when) in each.iter().rev() {
            let mut frame = frame.clone();
            for number in &read {
                self.admit(*number, when, &mut frame)?;
            }
            read[0].set(Value::Const(value.clone()), &mut frame);
            let value = self.value(expr, &frame);
            // Combinations of numbers that have nothing to do with each other are many.
            let value = value.filter(|_| self.steps < self.most_steps)?;
            found = Some(match found {
                Some(other) => self.either(when, &value, &other)?,
                None => value,
            });
        }
        found
    }

    /// Leaves a number the values that it may have where a condition holds.
    fn admit(&mut self, number: Number, when: &Formula, frame: &mut Frame) -> Option<()> {
        let each = number.among(frame)?;
        self.steps += each.len();
        let admitted = each.iter().filter(|(_, own)| !when.excludes(own));
        let admitted = told(admitted.cloned().collect())?;
        number.set(admitted, frame);
        Some(())
    }

    /// Another way to come to a value.
    pub(super) fn add(&mut self, each: &mut Each, value: Const, when: &Formula) -> Option<()> {
        match each.binary_search_by(|(other, _)| other.cmp(&value)) {
            Ok(at) => {
                let (known, other) = (each[at].1.clone().not(), when.clone().not());
                each[at].1 = self.both(&known, &other)?.not();
            }
            Err(_) if each.len() == MOST_VALUES => return None,
            Err(at) => each.insert(at, (value, when.clone())),
        }
        Some(())
    }

    /// Both conditions, as long as not too much has been computed.
    pub(super) fn both(&mut self, one: &Formula, other: &Formula) -> Option<Formula> {
        let len = |sum: &Option<_>| sum.as_ref().map_or(1, |sum: &std::rc::Rc<[_]>| sum.len());
        let pairs = |one: &_, other: &_| len(one) * len(other) + 1;
        self.pairs += pairs(one.holds(), other.holds()) + pairs(one.fails(), other.fails());
        (self.pairs <= MOST_PAIRS).then(|| one.and(other))?
    }
}

/// A variable that holds one of several constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Local(LocalId),
    Env(EnvId),
}

impl Number {
    fn among(self, frame: &Frame) -> Option<&Each> {
        let value = match self {
            Number::Local(local) => &frame.locals[local.index()],
            Number::Env(var) => &frame.env.0[var.index()],
        };
        match value {
            Some(Value::Among(each)) => Some(each),
            _ => None,
        }
    }

    fn set(self, value: Value, frame: &mut Frame) {
        match self {
            Number::Local(local) => frame.locals[local.index()] = Some(value),
            Number::Env(var) => frame.env.set(var, value),
        }
    }
}

/// The variables that an expression reads and that hold one of several constants.
fn read_in(expr: &Expr, frame: &Frame) -> Vec<Number> {
    let mut read = Vec::new();
    expr.walk(&mut |expr| {
        let number = match &expr.kind {
            ExprKind::Local(local) => Number::Local(*local),
            ExprKind::Env { var, .. } => Number::Env(*var),
            _ => return,
        };
        if !read.contains(&number) && number.among(frame).is_some() {
            read.push(number);
        }
    });
    read
}

/// The value that is one of these.
pub(super) fn told(mut each: Each) -> Option<Value> {
    match &each[..] {
        [(value, _)] => Some(Value::Const(value.clone())),
        [(Const::Bool(_), _), (Const::Bool(true), when)] => Some(truth(when.clone())),
        [] => None,
        _ => {
            each.shrink_to_fit();
            Some(Value::Among(each))
        }
    }
}
