//! When two terms are equal, and what members may be.

use crate::ir::{BinaryOp, Const, DomainId, Game, Type};

use super::{FALSE, FAULT, JUNK, Op, TRUE, Tab, Term, Terms, Value};

impl<'g> Terms<'g> {
    /// Whether two members are the same.
    pub(in super::super) fn equal(&mut self, a: Term, b: Term) -> Term {
        self.lift(&[a, b], &mut |terms, args| {
            terms.equal_leaves(args[0], args[1])
        })
    }

    /// The members that a value can be, absent ones as one more; nothing for all.
    pub(super) fn possible(&self, term: Term) -> Option<rulec_ir::sorted::SortedSet<i64>> {
        let node = self.node(term);
        let number = |value: &Const| match value {
            Const::Elem(member) => Some(i64::from(*member)),
            Const::None => Some(-1),
            _ => None,
        };
        match &node.op {
            Op::Const(value) => Some(number(value)?).map(|n| [n].into()),
            Op::Param(_, Some(members)) | Op::Bound(_, Some(members)) => {
                Some(members.iter().map(|&m| i64::from(m)).collect())
            }
            Op::Table(tab) => {
                let values = &self.tab(*tab).values;
                let values = values
                    .iter()
                    .filter(|value| **value != JUNK && **value != FAULT);
                values.map(|&value| number(self.value(value))).collect()
            }
            _ => None,
        }
    }

    /// A table at atoms in ascending order.
    pub(in super::super) fn table_of(
        &mut self,
        axes: Vec<(DomainId, bool)>,
        ty: Type,
        values: Vec<Value>,
        atoms: Vec<Term>,
    ) -> Term {
        self.table(Tab { axes, ty, values }, atoms)
    }

    /// Some rows as one value, in which they have no order.
    pub(in super::super) fn joined(&mut self, rows: &[Value]) -> Value {
        let same = |value: &Value| rows.contains(value);
        if let Some(value) = [JUNK, FAULT].into_iter().find(same) {
            return value;
        }
        let mut all: Vec<Const> = rows.iter().map(|row| self.value(*row).clone()).collect();
        all.sort();
        all.dedup();
        self.number(Const::Seq(all))
    }

    /// Whether a member is in a set of which nothing is known.
    pub(in super::super) fn is_in_unknown(&mut self, member: Term, set: Term) -> Term {
        let inside = |_: &Game, values: &[&Const]| {
            crate::ir::value::binary(BinaryOp::In, &Type::Bool, values[0], values[1])
        };
        let args = [member, set];
        self.tabulate(&args, true, &Type::Bool, &mut { inside })
            .unwrap_or_else(|| {
                self.structural(Op::Binary(BinaryOp::In), args.to_vec(), &Type::Bool)
            })
    }

    fn equal_leaves(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return TRUE;
        }
        if let Some(empty) = self.is_empty(a, b) {
            return empty;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.equals.get(&key) {
            return *known;
        }
        let found = self.equal_anew(key.0, key.1);
        self.equals.insert(key, found);
        found
    }

    fn equal_anew(&mut self, a: Term, b: Term) -> Term {
        if let (Some(one), Some(other)) = (self.possible(a), self.possible(b))
            && one.is_disjoint(&other)
        {
            return FALSE;
        }
        let same = |_: &Game, values: &[&Const]| Some(Const::Bool(values[0] == values[1]));
        let members = self.axis_of(a).is_some() && self.axis_of(b).is_some();
        let (a, b) = (a.min(b), a.max(b));
        let atoms = |terms: &Self, term| terms.atoms(term, true).unwrap_or_default();
        let mut all = [atoms(self, a), atoms(self, b)].concat();
        all.sort_unstable();
        all.dedup();
        let constant = self.as_const(a).is_some() || self.as_const(b).is_some();
        let tabulated = match members {
            // That two members are the same does not depend on their names.
            true if all.len() > 1 && !constant => None,
            _ => self.tabulate(&[a, b], true, &Type::Bool, &mut { same }),
        };
        tabulated.unwrap_or_else(|| self.insert(Op::Binary(BinaryOp::Eq), vec![a, b], Type::Bool))
    }
}
