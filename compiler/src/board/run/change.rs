//! What variables hold at points of a run, as changes of what they held before it.

use super::*;

impl Run {
    /// What a variable of the environment holds at a point of the run.
    pub(crate) fn env(&self, state: &State, var: EnvId) -> Change {
        self.change(state.env.get(var.index()))
    }

    pub(crate) fn local(&self, state: &State, local: LocalId) -> Change {
        self.change(state.locals.get(local.index()))
    }

    /// A value as a sum of what acts added to one that was known, or to the first one.
    fn change(&self, value: Option<&Value>) -> Change {
        let mut acts = Vec::new();
        let (mut value, mut sum) = (value, 0i64);
        loop {
            match value {
                Some(Value::Const(Const::Int(at))) => {
                    return Change::Sum(None, at.wrapping_add(sum), acts);
                }
                Some(Value::Const(value)) => return Change::Const(value.clone()),
                None | Some(Value::Of(..) | Value::Unknown(_)) => return Change::Unknown,
                Some(Value::Since(origin, more)) => {
                    sum = sum.wrapping_add(*more);
                    let Some(before) = self
                        .origins
                        .get(*origin)
                        .and_then(|known| known.before.as_ref())
                    else {
                        return Change::Sum(Some(*origin), sum, acts);
                    };
                    acts.push((before.act, before.counter));
                    value = Some(&before.value);
                }
            }
        }
    }
}

impl State {
    /// Whether variables of the state have these values.
    pub(crate) fn knows(&self, vars: &[(VarId, Const)]) -> bool {
        vars.iter()
            .all(|(var, value)| self.vars.get(var) == Some(&Value::Const(value.clone())))
    }

    /// Whether the variables of the state are the same as in another one.
    pub(crate) fn same_vars(&self, other: &State) -> bool {
        self.vars == other.vars
    }
}

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Unknown,
    Const(Const),
    /// An integer: that with which it came in (by the number of its origin) if any, a constant, and what acts added
    /// (by their numbers, and those of the counters in each of their ways).
    Sum(Option<usize>, i64, Vec<(usize, usize)>),
}

/// What was added to one value to come to another one.
pub(super) fn since(before: &Value, value: &Value) -> Option<i64> {
    match (before, value) {
        (Value::Const(Const::Int(a)), Value::Const(Const::Int(b))) => b.checked_sub(*a),
        (Value::Since(a, from), Value::Since(b, to)) if a == b => to.checked_sub(*from),
        _ => None,
    }
}
