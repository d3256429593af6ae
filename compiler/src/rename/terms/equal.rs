//! When two terms are equal, and what members may be.

use crate::ir::{BinaryOp, Const, DomainId, Game, Type};

use super::{FALSE, FAULT, JUNK, Op, Other, TRUE, Tab, Term, Terms, Value};

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

    /// Which of two numbers that are not known is the greater one: nothing but an order of them, if they are not equal, so that
    /// it does not matter which of them a rule names first.
    pub(super) fn compared(&mut self, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
        let is_number = |term| {
            let number = matches!(self.node(term).ty, Type::Int { .. } | Type::Wrap32);
            number && self.as_const(term).is_none()
        };
        if !is_number(a) || !is_number(b) {
            return None;
        }
        let (more, less, if_equal) = match op {
            BinaryOp::Gt => (a, b, FALSE),
            BinaryOp::Ge => (a, b, TRUE),
            BinaryOp::Lt => (b, a, FALSE),
            BinaryOp::Le => (b, a, TRUE),
            _ => return None,
        };
        let equal = self.equal(a, b);
        let greater = self.greater(more, less);
        Some(self.ite(equal, if_equal, greater))
    }

    /// Whether the first of two numbers is the greater one, where they are not equal.
    pub(super) fn greater(&mut self, a: Term, b: Term) -> Term {
        let greater = |_: &Game, values: &[&Const]| {
            crate::ir::value::binary(BinaryOp::Gt, &Type::Bool, values[0], values[1])
        };
        if let Some(known) = self.tabulate(&[a, b], true, &Type::Bool, &mut { greater }) {
            return known;
        }
        let op = Op::Other(Other::Greater);
        let found = self.insert(op, vec![a.min(b), a.max(b)], Type::Bool);
        match a < b {
            true => self.diagram(found),
            false => self.not(found),
        }
    }

    /// The parts of a sum that is an odd number, so that they are not equal.
    fn odd_sum(&self, a: Term, b: Term) -> Option<[Term; 2]> {
        let is_odd = |term| matches!(self.as_const(term), Some(Const::Int(n)) if n % 2 != 0);
        let parts = |term| match (&self.node(term).op, &self.node(term).args[..]) {
            (Op::Binary(BinaryOp::Add), &[one, other]) => Some([one, other]),
            _ => None,
        };
        match (is_odd(a), is_odd(b)) {
            (true, false) => parts(b),
            (false, true) => parts(a),
            _ => None,
        }
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
        if let Some(found) = tabulated {
            return found;
        }
        let equal = self.insert(Op::Binary(BinaryOp::Eq), vec![a, b], Type::Bool);
        match self.odd_sum(a, b) {
            Some([one, other]) => {
                let same = self.equal(one, other);
                self.ite(same, FALSE, equal)
            }
            None => equal,
        }
    }
}
