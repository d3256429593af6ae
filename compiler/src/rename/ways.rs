//! Ways over a board, and rows that rules look up.
//!
//! A walk from a place by a table of steps, and a set that is cut at the first of some places, go along a sequence of places: which one
//! is a table. Of several tables of rows that are asked the same each place has some rows whose order does not matter.

use crate::hash::IndexMap;
use crate::ir::{Const, DomainId, Game, TableId, Type, WalkGive};

use super::terms::{FAULT, Node, Op, Other, TRUE, TabId, Term, Terms, fault};

impl Terms<'_> {
    /// The members that are in the sets that a table gives; nothing for all.
    pub(super) fn within(&self, rows: Term) -> Option<Vec<u32>> {
        let sets: Vec<&Const> = match &self.node(rows).op {
            Op::Table(tab) => {
                let values = self.tab(*tab).values.iter();
                values.map(|value| self.value(*value)).collect()
            }
            Op::Const(value) => vec![value],
            _ => return None,
        };
        let members = sets.into_iter().filter_map(|set| match set {
            Const::Set(members) => Some(members),
            _ => None,
        });
        let mut all: Vec<u32> = members.flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    fn way(&self, domain: DomainId) -> Type {
        Type::Seq {
            item: Box::new(Type::Elem(domain)),
            cap: self.game.domain(domain).len() as u32,
        }
    }

    /// What a walk gives that begins at a member which follows from another one; nothing where that is not so.
    pub(super) fn walked(
        &mut self,
        start: Term,
        steps: TableId,
        which: Term,
        pass: Term,
        give: (WalkGive, &Type),
    ) -> Option<Term> {
        let Type::Elem(domain) = self.node(which).ty else {
            return None;
        };
        if !self.by_sets {
            return None;
        }
        let steps = self.game.table(steps);
        let next = |member: u32| match steps.values.get(member as usize) {
            Some(Const::Elem(next)) => Some(*next),
            _ => None,
        };
        let mut way = |_: &Game, values: &[&Const]| {
            let mut all: Vec<u32> = Vec::new();
            let mut at = match values[0] {
                Const::Elem(member) => Some(*member),
                _ => None,
            };
            while let Some(member) = at.filter(|member| !all.contains(member)) {
                all.push(member);
                at = next(member);
            }
            // Who comes back to where he was walks for ever.
            at.is_none()
                .then(|| Const::Seq(all.into_iter().map(Const::Elem).collect()))
        };
        let ty = self.way(domain);
        let along = self.tabulate(&[start], true, &ty, &mut way)?;
        if self.may_be_a_mistake(along) {
            return None;
        }
        let args = vec![along, which, pass];
        Some(self.structural(Op::Other(Other::Along(give.0)), args, give.1))
    }

    /// Whether a table says of some member that there is a mistake: then it does not tell all of it.
    fn may_be_a_mistake(&self, table: Term) -> bool {
        match &self.node(table).op {
            Op::Table(tab) => self.tab(*tab).values.contains(&FAULT),
            Op::Const(value) => *value == fault(),
            _ => false,
        }
    }

    /// The members of a set that follows from a member, up to the first that is in another set, or down to the last.
    pub(super) fn cut(&mut self, set: Term, end: Term, up: bool, ty: &Type) -> Option<Term> {
        let Type::Set(domain) = *ty else { return None };
        if !self.is_described(end) {
            return None;
        }
        let mut way = |_: &Game, values: &[&Const]| match values[0] {
            Const::Set(members) => {
                let mut all: Vec<Const> = members.iter().map(|&m| Const::Elem(m)).collect();
                if !up {
                    all.reverse();
                }
                Some(Const::Seq(all))
            }
            _ => None,
        };
        let along = self.tabulate(&[set], true, &self.way(domain), &mut way)?;
        if self.may_be_a_mistake(along) {
            return None;
        }
        let depth = self.depth_of(end);
        let which = self.leaf(Op::Bound(depth, None), Type::Elem(domain));
        let stops = self.is_in(which, end);
        let pass = self.not(stops);
        let give = Op::Other(Other::Along(WalkGive::Reached));
        Some(self.structural(give, vec![along, which, pass], ty))
    }

    /// Whether one of some conditions holds, of which those that differ by a row alone are one about rows.
    pub(super) fn some_of(&mut self, parts: Vec<Term>) -> Term {
        let mut rest = Vec::new();
        let mut groups: IndexMap<(Term, Term, Term), Vec<(TabId, Term)>> = IndexMap::default();
        for part in parts {
            match self.by_row(part) {
                Some((shape, row, tab, atom)) => {
                    let group = groups.entry((shape, row, atom)).or_default();
                    group.push((tab, part));
                }
                None => rest.push(part),
            }
        }
        for ((shape, row, atom), group) in groups {
            match group[..] {
                [(_, only)] => rest.push(only),
                _ => {
                    let tabs: Vec<TabId> = group.iter().map(|(tab, _)| *tab).collect();
                    let rows = self.rows(&tabs, atom);
                    let some = self.structural(
                        Op::Other(Other::Rows),
                        vec![rows, row, shape],
                        &Type::Bool,
                    );
                    let some = self.diagram(some);
                    rest.push(some);
                }
            }
        }
        self.any_of(rest)
    }

    /// A condition in which one row is looked up: with a variable instead of it, the table and of what.
    fn by_row(&mut self, part: Term) -> Option<(Term, Term, TabId, Term)> {
        let mut found: Vec<Term> = Vec::new();
        let mut bound: Vec<Term> = Vec::new();
        self.each_part(part, &mut |me, at| {
            let node = me.node(at);
            if let (Op::Table(tab), [_], Type::Set(_) | Type::Seq { .. }) =
                (&node.op, &node.args[..], &node.ty)
                && me.tab(*tab).axes.len() == 1
            {
                found.push(at);
            }
            bound.extend(me.bound_by(at));
        });
        let [row] = found[..] else { return None };
        let Node { op, args, ty } = self.node(row).clone();
        let (Op::Table(tab), [atom]) = (op, &args[..]) else {
            return None;
        };
        // Where one of the rows is a mistake nothing can be said of the others.
        let fails = self.tab(tab).values.contains(&FAULT);
        if fails || self.holds_rows(&ty) || bound.contains(atom) {
            return None;
        }
        let depth = self.depth_of(part);
        let which = self.leaf(Op::Bound(depth, None), ty);
        let shape = self.put(part, row, which)?;
        (shape != TRUE).then_some((shape, which, tab, *atom))
    }

    /// Whether values of a type are rows without an order.
    pub(super) fn holds_rows(&self, ty: &Type) -> bool {
        match ty {
            Type::Seq { item, .. } => matches!(**item, Type::Set(_) | Type::Seq { .. }),
            _ => false,
        }
    }

    /// All rows of some tables, by the same member.
    fn rows(&mut self, tabs: &[TabId], atom: Term) -> Term {
        let own = self.tab(tabs[0]);
        let (axes, item) = (own.axes.clone(), own.ty.clone());
        let cells = own.values.len();
        let ty = Type::Seq {
            item: Box::new(item),
            cap: tabs.len() as u32,
        };
        let mut values = Vec::with_capacity(cells);
        for cell in 0..cells {
            let all: Vec<_> = tabs.iter().map(|tab| self.tab(*tab).values[cell]).collect();
            values.push(self.joined(&all));
        }
        self.table_of(axes, ty, values, vec![atom])
    }
}
