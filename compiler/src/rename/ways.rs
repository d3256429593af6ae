//! Ways over a board, and rows that rules look up.
//!
//! A walk from a place by a table of steps, and a set that is cut at the first of some places, go along a sequence of places: which one
//! is a table. Of several tables of rows that are asked the same each place has some rows whose order does not matter.

use crate::hash::IndexMap;
use crate::ir::{Const, DomainId, Game, TableId, Type, WalkGive};

use super::terms::{FAULT, JUNK, Op, Other, TRUE, TabId, Term, Terms, Value, fault};

/// One more than the greatest number of a range that is noted.
const MOST_NUMBERS: u32 = 4_096;

/// A condition in which a row is looked up, or two that belong together.
#[derive(PartialEq, Eq, Hash)]
struct ByRow {
    /// The condition with variables instead of them.
    shape: Term,
    /// These variables.
    row: Vec<Term>,
    /// The member that they are looked up by.
    atom: Term,
}

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

    /// Whether one of some conditions holds, of which those that differ by what they look up alone are one about rows.
    pub(super) fn some_of(&mut self, parts: Vec<Term>) -> Term {
        let mut rest = Vec::new();
        let mut groups: IndexMap<ByRow, Vec<(Vec<TabId>, Term)>> = IndexMap::default();
        for part in parts {
            match self.by_row(part) {
                Some((asked, tabs)) => groups.entry(asked).or_default().push((tabs, part)),
                None => rest.push(part),
            }
        }
        for (ByRow { shape, row, atom }, group) in groups {
            match &group[..] {
                [(_, only)] => rest.push(*only),
                _ => {
                    let tabs: Vec<Vec<TabId>> = group.into_iter().map(|(tabs, _)| tabs).collect();
                    let rows = self.rows(&tabs, atom);
                    let args = [&[rows][..], &row, &[shape]].concat();
                    let some = self.structural(Op::Other(Other::Rows), args, &Type::Bool);
                    let some = self.diagram(some);
                    rest.push(some);
                }
            }
        }
        self.any_of(rest)
    }

    /// Whether a condition holds for one of some numbers by which it does no more than look up a row, or two that belong together:
    /// the rows have no order then. Nothing where it asks more of the number.
    pub(super) fn some_row(&mut self, which: Term, over: Term, body: Term) -> Option<Term> {
        let numbers = self.numbers_in(over)?;
        let last = *numbers.last()? as usize;
        let mut found = self.numbered(which, body)?;
        found.sort_by_key(|(_, tab)| self.members_in(*tab));
        let tabs: Vec<TabId> = found.iter().map(|(_, tab)| *tab).collect();
        let Type::Set(domain) = self.tab(tabs[0]).ty else {
            return None;
        };
        let mut cells = tabs.iter().map(|tab| self.tab(*tab).values.len());
        if cells.any(|cells| cells <= last) {
            return None;
        }
        let rows = numbers.iter().map(|at| self.row(&tabs, *at as usize));
        let rows: Vec<Value> = rows.collect();
        let rows = self.joined(&rows);
        let rows = self.value(rows).clone();
        let ty = self.rows_of(tabs.len(), numbers.len(), &Type::Set(domain));
        let rows = self.constant(rows, ty);
        let (shape, row) = self.shape_of(body, &found)?;
        let args = [&[rows][..], &row, &[shape]].concat();
        let some = self.structural(Op::Other(Other::Rows), args, &Type::Bool);
        Some(self.diagram(some))
    }

    /// Whether something ranges over numbers.
    pub(super) fn ranges_over_numbers(&self, over: Term) -> bool {
        self.node(over).op == Op::Other(Other::Range)
    }

    /// The numbers of a range, if they are known, few, and none of them is negative.
    pub(super) fn numbers_in(&self, range: Term) -> Option<Vec<u32>> {
        let node = self.node(range);
        let number = |term: Term| match self.as_const(term) {
            Some(Const::Int(number)) => u32::try_from(*number).ok(),
            _ => None,
        };
        let (Op::Other(Other::Range), &[first, last]) = (&node.op, &node.args[..]) else {
            return None;
        };
        let (first, last) = (number(first)?, number(last)?);
        (last < MOST_NUMBERS).then(|| (first..=last).collect())
    }

    /// The rows that a condition looks up by a number, if it asks nothing else of it: one, or two of one kind.
    fn numbered(&self, which: Term, body: Term) -> Option<Vec<(Term, TabId)>> {
        let mut found: Vec<(Term, TabId)> = Vec::new();
        let mut plain = body != which;
        self.each_part(body, &mut |me, at| {
            let node = me.node(at);
            match (&node.op, &node.args[..], &node.ty) {
                (Op::Table(tab), [by], Type::Set(_)) if *by == which => found.push((at, *tab)),
                (_, args, _) => plain &= !args.contains(&which),
            }
        });
        let own = |tab: TabId| self.tab(tab);
        let all_rows = |tab: TabId| !own(tab).values.iter().any(|v| [JUNK, FAULT].contains(v));
        plain &= found.iter().all(|(_, tab)| all_rows(*tab));
        match found[..] {
            [_] => {}
            [(_, a), (_, b)] => plain &= own(a).ty == own(b).ty,
            _ => return None,
        }
        plain.then_some(found)
    }

    /// A condition in which a row is looked up, or two that belong together, and the table of each.
    fn by_row(&mut self, part: Term) -> Option<(ByRow, Vec<TabId>)> {
        let (mut found, atom) = self.looked_up(part)?;
        // Which of two rows comes first must not depend on their names.
        found.sort_by_key(|(_, tab)| self.members_in(*tab));
        let (shape, row) = self.shape_of(part, &found)?;
        let tabs = found.into_iter().map(|(_, tab)| tab).collect();
        (shape != TRUE).then_some((ByRow { shape, row, atom }, tabs))
    }

    /// A condition with variables instead of the rows that it looks up, and these variables.
    fn shape_of(&mut self, part: Term, rows: &[(Term, TabId)]) -> Option<(Term, Vec<Term>)> {
        let depth = self.depth_of(part);
        let (mut shape, mut row) = (part, Vec::new());
        for (number, (looked_up, _)) in rows.iter().enumerate() {
            let ty = self.node(*looked_up).ty.clone();
            let which = self.leaf(Op::Bound(depth + number, None), ty);
            shape = self.put(shape, *looked_up, which)?;
            row.push(which);
        }
        Some((shape, row))
    }

    /// The only row that a condition looks up, or the only two, which are sets: each with its table, and the member by which they
    /// are looked up.
    fn looked_up(&self, part: Term) -> Option<(Vec<(Term, TabId)>, Term)> {
        let mut found: Vec<(Term, TabId, Term)> = Vec::new();
        let mut bound: Vec<Term> = Vec::new();
        self.each_part(part, &mut |me, at| {
            let node = me.node(at);
            if let (Op::Table(tab), &[atom], Type::Set(_) | Type::Seq { .. }) =
                (&node.op, &node.args[..], &node.ty)
                && me.tab(*tab).axes.len() == 1
            {
                found.push((at, *tab, atom));
            }
            bound.extend(me.bound_by(at));
        });
        let own = |tab: TabId| (&self.tab(tab).axes, &self.tab(tab).ty);
        let (tab, atom) = match found[..] {
            [(_, tab, atom)] => (tab, atom),
            [(_, a, atom), (_, b, other)]
                if atom == other && own(a) == own(b) && matches!(own(a).1, Type::Set(_)) =>
            {
                (a, atom)
            }
            _ => return None,
        };
        // Where one of the rows is a mistake nothing can be said of the others.
        let mut tabs = found.iter().map(|(_, tab, _)| self.tab(*tab));
        let fails = tabs.any(|tab| tab.values.contains(&FAULT));
        if fails || self.holds_rows(own(tab).1) || bound.contains(&atom) {
            return None;
        }
        Some((
            found.into_iter().map(|(row, tab, _)| (row, tab)).collect(),
            atom,
        ))
    }

    /// How many members the sets of a table have together.
    fn members_in(&self, tab: TabId) -> usize {
        let values = self.tab(tab).values.iter();
        let sizes = values.map(|value| match self.value(*value) {
            Const::Set(members) => members.len(),
            _ => 0,
        });
        sizes.sum()
    }

    /// Whether values of a type are rows without an order.
    pub(super) fn holds_rows(&self, ty: &Type) -> bool {
        match ty {
            Type::Seq { item, .. } => matches!(**item, Type::Set(_) | Type::Seq { .. }),
            _ => false,
        }
    }

    /// All rows of some tables by the same member, or of some that belong together.
    fn rows(&mut self, tabs: &[Vec<TabId>], atom: Term) -> Term {
        let own = self.tab(tabs[0][0]);
        let (axes, cells) = (own.axes.clone(), own.values.len());
        let ty = self.rows_of(tabs[0].len(), tabs.len(), &own.ty);
        let mut values = Vec::with_capacity(cells);
        for cell in 0..cells {
            let rows: Vec<Value> = tabs.iter().map(|tabs| self.row(tabs, cell)).collect();
            values.push(self.joined(&rows));
        }
        self.table_of(axes, ty, values, vec![atom])
    }

    /// The type of many rows, each of one or of some that belong together.
    fn rows_of(&self, together: usize, many: usize, row: &Type) -> Type {
        let item = match together {
            1 => row.clone(),
            together => Type::Seq {
                item: Box::new(row.clone()),
                cap: together as u32,
            },
        };
        Type::Seq {
            item: Box::new(item),
            cap: many as u32,
        }
    }

    /// What tables that belong together say of a member.
    fn row(&mut self, tabs: &[TabId], cell: usize) -> Value {
        let said: Vec<Value> = tabs.iter().map(|tab| self.tab(*tab).values[cell]).collect();
        match said[..] {
            [only] => only,
            _ if said.contains(&JUNK) => JUNK,
            _ => {
                let row = said.iter().map(|value| self.value(*value).clone());
                let row = Const::Seq(row.collect());
                self.number(row)
            }
        }
    }
}
