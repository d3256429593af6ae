//! Operations, look-ups and faults.

use crate::ir::{Axis, BinaryOp, Const, DomainId, Game, Type, VarId};

use super::{
    FALSE, FAULT, JUNK, MOST_CELLS, NO, Node, Op, Other, Shell, TRUE, Tab, TabId, Term, Terms,
    Value, YES, fault, plain,
};

/// What values of a table say, if it is the same for all that can come.
fn all_say<'v>(values: impl Iterator<Item = &'v Value>) -> Option<Value> {
    let mut come = values.filter(|value| **value != JUNK);
    let first = come.next()?;
    come.all(|value| value == first).then_some(*first)
}

impl<'g> Terms<'g> {
    /// An operation of the IR on values that may depend on conditions.
    pub(in super::super) fn apply(&mut self, shell: Shell<'_>, op: &Op, args: &[Term]) -> Term {
        self.lift(args, &mut |terms, args| terms.apply_leaves(shell, op, args))
    }

    fn apply_leaves(&mut self, shell: Shell<'_>, op: &Op, args: &[Term]) -> Term {
        let expr = shell.expr;
        let mut types = vec![expr.ty.clone()];
        expr.children(&mut |child| types.push(child.ty.clone()));
        let key = (op.clone(), args.to_vec(), types);
        if let Some(known) = self.applied.get(&key) {
            return *known;
        }
        let found = self.apply_anew(shell, op, args);
        self.applied.insert(key, found);
        found
    }

    fn apply_anew(&mut self, shell: Shell<'_>, op: &Op, args: &[Term]) -> Term {
        let expr = shell.expr;
        let mut compute =
            |game: &Game, values: &[&Const]| crate::ir::value::apply(game, expr, values);
        if let Some(found) = self.tabulate(args, true, &expr.ty, &mut compute) {
            return found;
        }
        if let (Op::Binary(op), &[a, b]) = (op, args)
            && let Some(found) = self.compared(*op, a, b)
        {
            return found;
        }
        self.structural(op.clone(), args.to_vec(), &expr.ty)
    }

    /// A table of the game at members.
    pub(in super::super) fn lookup(
        &mut self,
        shell: Shell<'_>,
        id: crate::ir::TableId,
        args: &[Term],
    ) -> Term {
        self.lift(args, &mut |terms, args| {
            let key = (id, args.to_vec());
            if let Some(known) = terms.looked_up.get(&key) {
                return *known;
            }
            let found = terms.lookup_leaves(shell, id, args);
            terms.looked_up.insert(key, found);
            found
        })
    }

    fn lookup_leaves(&mut self, shell: Shell<'_>, id: crate::ir::TableId, args: &[Term]) -> Term {
        let terms = self;
        let table = terms.game.table(id);
        {
            let expr = shell.expr;
            let mut compute =
                |game: &Game, values: &[&Const]| crate::ir::value::apply(game, expr, values);
            if let Some(found) = terms.tabulate(args, true, &expr.ty, &mut compute) {
                return found;
            }
            let axes: Option<Vec<(DomainId, bool)>> = (table.axes.iter().zip(args))
                .map(|(axis, &arg)| match axis {
                    Axis::Domain(_) => terms.axis_of(arg),
                    Axis::Range { .. } => None,
                })
                .collect();
            let Some(axes) = axes else {
                return terms.by_numbers(table, args);
            };
            let lens: Vec<usize> = axes.iter().map(|&axis| terms.axis_len(axis)).collect();
            let cells: usize = lens.iter().product();
            terms.cells += cells;
            if terms.cells > MOST_CELLS {
                terms.fail("too many values");
                return FALSE;
            }
            let mut values = Vec::with_capacity(cells);
            let mut index = vec![0; lens.len()];
            for cell in 0..cells {
                let mut rest = cell;
                for (at, len) in index.iter_mut().zip(&lens).rev() {
                    *at = rest % len;
                    rest /= len;
                }
                let given: Vec<&Const> = (axes.iter().zip(&index))
                    .map(|(&axis, &at)| terms.value(terms.axis_value(axis, at)))
                    .collect();
                let found = compute(terms.game, &given);
                let found = found.map_or(FAULT, |found| terms.number(found));
                values.push(found);
            }
            let tab = Tab {
                axes,
                ty: plain(&table.ty),
                values,
            };
            let ty = tab.ty.clone();
            let tab = terms.tabs.insert_full(tab).0 as TabId;
            terms.insert(Op::Table(tab), args.to_vec(), ty)
        }
    }

    /// A table by numbers, which have no other names: nothing but the same table is the same.
    fn by_numbers(&mut self, table: &crate::ir::Table, args: &[Term]) -> Term {
        let mut parts = args.to_vec();
        if let Some(outside) = &table.outside {
            parts.push(self.constant(outside.clone(), table.ty.clone()));
        }
        if !matches!(table.axes[..], [Axis::Range { lo: 0, .. }]) {
            let ends = table.axes.iter().flat_map(|axis| match *axis {
                Axis::Range { lo, hi } => [lo, hi],
                Axis::Domain(domain) => [0, self.game.domain(domain).len() as i64],
            });
            let ends = Const::Seq(ends.map(Const::Int).collect());
            parts.push(self.constant(ends, Type::INT));
        }
        let values = self.numbers(&table.values);
        let tab = Tab {
            axes: Vec::new(),
            ty: plain(&table.ty),
            values,
        };
        let tab = self.tabs.insert_full(tab).0 as TabId;
        self.insert(Op::Table(tab), parts, plain(&table.ty))
    }

    /// Whether a table by numbers from 0 has a value for each of those that are given.
    fn holds_all(&self, tab: TabId, args: &[Term]) -> bool {
        let &[number] = args else {
            return false;
        };
        match &self.node(number).op {
            Op::Bound(_, Some(numbers)) => {
                let values = &self.tab(tab).values;
                let last = numbers.last().map_or(0, |last| *last as usize);
                last < values.len() && !values.contains(&FAULT)
            }
            _ => false,
        }
    }

    /// A table of one member at a member that is not known.
    pub(in super::super) fn whole_table(&mut self, table: &crate::ir::Table, of: Term) -> Term {
        let mut row = |_: &Game, values: &[&Const]| match values[0] {
            Const::Elem(member) => table.values.get(*member as usize).cloned(),
            _ => None,
        };
        let found = self.tabulate(&[of], true, &table.ty, &mut row);
        found.unwrap_or(FALSE)
    }

    /// A variable that nothing writes, at members.
    pub(in super::super) fn constant_var(&mut self, var: VarId, index: &[Term]) -> Option<Term> {
        if !self.constants.contains(&var) {
            return None;
        }
        let declared = self.game.var(var);
        self.steps += 1;
        let mut found = true;
        let value = self.lift(index, &mut |terms, index| {
            let mut cell = |game: &Game, values: &[&Const]| {
                let cell = crate::ir::value::cell(game, &declared.axes, values)?;
                declared.init.get(cell).cloned()
            };
            let value = terms.tabulate(index, true, &declared.ty, &mut cell);
            found &= value.is_some();
            value.unwrap_or(FALSE)
        });
        found.then_some(value)
    }

    /// A parameter, and what it can be where each of some conditions holds.
    pub(in super::super) fn narrowed(&mut self, param: Term, when: &[Term]) -> Term {
        let Node { op, ty, .. } = self.node(param).clone();
        let (Op::Param(at, known) | Op::Bound(at, known), Type::Elem(domain)) = (op.clone(), &ty)
        else {
            return param;
        };
        let all = 0..self.game.domain(*domain).len() as u32;
        let all: Vec<u32> = known.clone().unwrap_or_else(|| all.clone().collect());
        let can = |member: &u32| {
            let given = [(param, *member as usize)];
            let mut all = when.iter();
            all.all(|when| self.can_hold(*when, &given, &mut Default::default()))
        };
        let members: Vec<u32> = all.iter().copied().filter(can).collect();
        let whole = members.len() == self.game.domain(*domain).len();
        let members = (!whole).then_some(members);
        let op = match op {
            Op::Param(..) => Op::Param(at, members),
            _ => Op::Bound(at, members),
        };
        self.leaf(op, ty)
    }

    /// A table of two members as far as it matters where a condition holds: for members for which that says no, it says nothing.
    pub(in super::super) fn table_where(&mut self, when: Term, term: Term) -> Term {
        let node = self.node(term);
        let (&Op::Table(tab), &[first, second]) = (&node.op, &node.args[..]) else {
            return term;
        };
        let speaks = |asked: &Term| {
            let node = self.node(*asked);
            let members = || node.args.iter().all(|atom| [first, second].contains(atom));
            matches!(node.op, Op::Table(_)) && members()
        };
        if !self.looks[when as usize].asked.iter().any(speaks) {
            return term;
        }
        let mut tab = self.tab(tab).clone();
        let [_, axis] = tab.axes[..] else {
            return term;
        };
        let width = self.axis_len(axis);
        self.spend(1 + tab.values.len() / 16);
        for (cell, value) in tab.values.iter_mut().enumerate() {
            let members = [(first, cell / width), (second, cell % width)];
            if *value != JUNK && !self.can_hold(when, &members, &mut Default::default()) {
                *value = JUNK;
            }
        }
        self.table(tab, vec![first, second])
    }

    /// Whether a condition can hold where some terms are members, as far as tables of them say.
    fn can_hold(
        &self,
        when: Term,
        members: &[(Term, usize)],
        seen: &mut rulec_ir::sorted::SortedSet<Term>,
    ) -> bool {
        let node = self.node(when);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [cond, yes, no]) => {
                if !seen.insert(when) {
                    return false;
                }
                match self.said_of(*cond, members) {
                    Some(YES) => self.can_hold(*yes, members, seen),
                    Some(NO) => self.can_hold(*no, members, seen),
                    _ => self.can_hold(*yes, members, seen) || self.can_hold(*no, members, seen),
                }
            }
            _ => when != FALSE,
        }
    }

    /// What a table says of members, whatever its other atom is.
    fn said_of(&self, term: Term, members: &[(Term, usize)]) -> Option<Value> {
        let node = self.node(term);
        let Op::Table(tab) = &node.op else {
            return None;
        };
        let tab = self.tab(*tab);
        if tab.axes.len() != node.args.len() {
            return None;
        }
        let member = |atom: &Term| members.iter().find(|(of, _)| of == atom);
        let given: Vec<Option<usize>> = (node.args.iter())
            .map(|atom| member(atom).map(|(_, at)| *at))
            .collect();
        let width = tab.axes.last().map_or(1, |axis| self.axis_len(*axis));
        let at = |cell| tab.values.get(cell).copied();
        match given[..] {
            [Some(one)] => at(one),
            [Some(one), Some(other)] => at(one * width + other),
            [Some(one), None] => all_say(tab.values.iter().skip(one * width).take(width)),
            [None, Some(other)] => all_say(tab.values.iter().skip(other).step_by(width)),
            _ => None,
        }
    }

    /// The members that a value can be; nothing for all.
    pub(in super::super) fn reach(&self, value: Term) -> Option<Vec<u32>> {
        let mut all = rulec_ir::sorted::SortedSet::new();
        self.reached(value, &mut Vec::new(), &mut all)?;
        Some(all.into_iter().collect())
    }

    fn reached(
        &self,
        value: Term,
        held: &mut Vec<Term>,
        all: &mut rulec_ir::sorted::SortedSet<u32>,
    ) -> Option<()> {
        let node = self.node(value);
        match (&node.op, &node.args[..]) {
            (Op::Ite, [cond, yes, no]) => {
                held.push(*cond);
                let found = self.reached(*yes, held, all);
                held.pop();
                found?;
                self.reached(*no, held, all)
            }
            (Op::Const(Const::Elem(member)), _) => {
                all.insert(*member);
                Some(())
            }
            (Op::Const(_), _) => Some(()),
            (Op::Table(tab), args) if self.tab(*tab).axes.len() == args.len() => {
                for value in &self.tab(*tab).values {
                    if let Const::Elem(member) = self.value(*value) {
                        all.insert(*member);
                    }
                }
                Some(())
            }
            _ => {
                let tables = held.iter().filter_map(|&cond| match &self.node(cond).op {
                    Op::Table(tab) if self.node(cond).args[..] == [value] => Some(self.tab(*tab)),
                    _ => None,
                });
                let mut members: Option<Vec<u32>> = None;
                for tab in tables {
                    let domain = tab.axes[0].0;
                    let len = self.game.domain(domain).len() as u32;
                    let holds = |m: &u32| tab.values.get(*m as usize) == Some(&YES);
                    let own = (0..len).filter(holds);
                    members = Some(match members {
                        Some(known) => own.filter(|m| known.contains(m)).collect(),
                        None => own.collect(),
                    });
                }
                all.extend(members?);
                Some(())
            }
        }
    }

    /// An operation as it stands, on values that do not depend on conditions.
    pub(in super::super) fn structural(&mut self, op: Op, mut args: Vec<Term>, ty: &Type) -> Term {
        let symmetric = matches!(
            op,
            Op::Binary(
                BinaryOp::Eq
                    | BinaryOp::Add
                    | BinaryOp::Mul
                    | BinaryOp::Min
                    | BinaryOp::Max
                    | BinaryOp::Union
                    | BinaryOp::Intersect
            ) | Op::Other(Other::SetOf)
        );
        if matches!(op, Op::Binary(BinaryOp::Union | BinaryOp::Intersect)) {
            args = self.joined_parts(&op, &args);
            if let [only] = args[..] {
                return only;
            }
        }
        if symmetric {
            args.sort_unstable();
        }
        self.insert(op, args, plain(ty))
    }

    /// The parts that are put together by an operation for which neither their order matters, nor how often each stands there.
    fn joined_parts(&self, op: &Op, args: &[Term]) -> Vec<Term> {
        let mut parts = Vec::new();
        for &arg in args {
            let node = self.node(arg);
            match node.op == *op {
                true => parts.extend(&node.args),
                false => parts.push(arg),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// Whether an optional member is there.
    pub(in super::super) fn is_some(&mut self, term: Term) -> Term {
        self.lift(&[term], &mut |terms, args| {
            let arg = args[0];
            if matches!(terms.node(arg).ty, Type::Elem(_))
                && !matches!(terms.node(arg).op, Op::Const(_))
            {
                return TRUE;
            }
            let key = (Op::Other(Other::IsSome), vec![arg], Vec::new());
            if let Some(known) = terms.applied.get(&key) {
                return *known;
            }
            let there = |_: &Game, values: &[&Const]| Some(Const::Bool(*values[0] != Const::None));
            let found = terms
                .tabulate(&[arg], true, &Type::Bool, &mut { there })
                .unwrap_or_else(|| {
                    terms.structural(Op::Other(Other::IsSome), vec![arg], &Type::Bool)
                });
            terms.applied.insert(key, found);
            found
        })
    }

    /// Whether a value is a mistake.
    pub(in super::super) fn fails(&mut self, term: Term, opaque: bool) -> Term {
        self.lift(&[term], &mut |terms, args| {
            let arg = args[0];
            match &terms.node(arg).op {
                Op::Const(value) => {
                    if *value == fault() {
                        TRUE
                    } else {
                        FALSE
                    }
                }
                Op::Table(tab) if terms.tab(*tab).axes.len() != terms.node(arg).args.len() => {
                    match opaque && !terms.holds_all(*tab, &terms.node(arg).args) {
                        true => terms.structural(Op::Other(Other::Fails), vec![arg], &Type::Bool),
                        false => FALSE,
                    }
                }
                Op::Table(tab) if terms.tab(*tab).values.contains(&FAULT) => {
                    let (mut tab, atoms) = (terms.tab(*tab).clone(), terms.node(arg).args.to_vec());
                    tab.ty = Type::Bool;
                    for value in &mut tab.values {
                        if *value != JUNK {
                            *value = if *value == FAULT { YES } else { NO };
                        }
                    }
                    terms.table(tab, atoms)
                }
                // What a position holds, and what is given, is never a mistake.
                Op::Table(_) | Op::Param(..) | Op::Bound(..) | Op::Var(_) | Op::Placed(..) => FALSE,
                _ if opaque => terms.structural(Op::Other(Other::Fails), vec![arg], &Type::Bool),
                _ => FALSE,
            }
        })
    }

    // ---- renaming
}
