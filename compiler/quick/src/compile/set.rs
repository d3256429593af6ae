//! Sets, and what bound variables range over.
//!
//! A condition on a bound variable is taken apart: parts that are sets by themselves (a set that is kept, a constant, one that
//! the rules name) are joined as words, and only what is left is asked of each member. That is done only where nothing can tell
//! the difference: what is moved, and what it moves past, can neither fault nor spend work.

use super::constants::constant;
use super::expr::{conjuncts, equal, is_empty_set, names};
use super::{Made, Maker, set_words, unsupported};
use crate::code::*;
use crate::ir::{
    BinaryOp, Const, DomainId, Expr, ExprKind, FaultCode, Fold, LocalId, Over as IrOver, Type,
    UnaryOp, WalkGive,
};
use crate::source::Span;

impl Maker<'_> {
    pub(super) fn made(&mut self, len: usize, kind: SetKind) -> Set {
        let words = set_words(len);
        // One word is handed on as it is.
        let to = if words > 1 { self.far_room(words) } else { 0 };
        Set { words, to, kind }
    }

    pub(super) fn len(&self, domain: DomainId) -> usize {
        self.game.domain(domain).len()
    }

    pub(super) fn members(&mut self, domain: DomainId, members: &[u32]) -> Set {
        let len = self.len(domain);
        let at = self.set_constant(len, members);
        self.made(len, SetKind::At(at))
    }

    fn complement(&mut self, len: usize, set: Set) -> Set {
        if let Some(set) = Self::unsifted(&set) {
            return set;
        }
        let all = self.full(len);
        self.made(len, SetKind::Complement(all, Box::new(set)))
    }

    pub(super) fn set(&mut self, expr: &Expr) -> Made<Set> {
        use ExprKind as E;
        let Type::Set(domain) = expr.ty else {
            return unsupported("a set of something else");
        };
        let len = self.len(domain);
        if let Some(at) = self.by_contents(expr) {
            return Ok(self.made(len, SetKind::At(at)));
        }
        let kind = match &expr.kind {
            E::Const(value) => {
                let words = self.words_of(value, &expr.ty)?;
                SetKind::At(self.constant(words))
            }
            E::Local(local) => SetKind::At(self.local(*local)?),
            E::Env { var, checked } => {
                let (at, flag) = self.env[var.index()];
                match checked {
                    true => SetKind::Env(at, flag, self.site(FaultCode::UnsetVariable, expr.span)),
                    false => SetKind::At(at),
                }
            }
            E::Var(..) | E::Lookup(..) => match self.cell(expr)? {
                cell if cell.index.is_empty() => SetKind::At(cell.base),
                cell => SetKind::Cell(Box::new(cell)),
            },
            E::If(a, b, c) => SetKind::If(Box::new((self.num(a)?, self.set(b)?, self.set(c)?))),
            E::SetOf(items) => {
                let items: Made<Vec<Num>> = items.iter().map(|item| self.num(item)).collect();
                SetKind::Of(items?.into())
            }
            E::Unary(UnaryOp::Complement, a) => {
                let a = self.set(a)?;
                return Ok(self.complement(len, a));
            }
            E::Binary(op, a, b) => {
                let both = Box::new((self.set(a)?, self.set(b)?));
                match op {
                    BinaryOp::Union => SetKind::Union(both),
                    BinaryOp::Intersect => SetKind::Intersect(both),
                    BinaryOp::Minus => SetKind::Minus(both),
                    BinaryOp::UpTo => SetKind::UpTo(both),
                    BinaryOp::DownTo => SetKind::DownTo(both),
                    _ => return unsupported("a set of numbers"),
                }
            }
            E::Contents(placement, place) => {
                SetKind::Cell(Box::new(self.crowd(*placement, place, expr.span)?))
            }
            E::Places(placement, kind) => return self.places(*placement, kind),
            E::Collect { local, over, when } => return self.collect(*local, over, when, len),
            E::Walk { .. } => SetKind::Walk(Box::new(self.walk(expr)?)),
            E::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let from = self.set(from)?;
                let local = self.bind(*local, &Type::Elem(domain))?;
                let words = set_words(len);
                SetKind::Closure(Box::new(Closure {
                    from,
                    edges: self.tables[edges.index()].0,
                    local,
                    pass: self.num(pass)?,
                    waiting: self.far_room(words),
                    tested: self.far_room(words),
                }))
            }
            E::Call(func, args) => SetKind::Call(Box::new(self.call(*func, args, expr.span)?)),
            E::Related(..) => return unsupported("all that a relation relates"),
            _ => return unsupported("sets of several types"),
        };
        let set = self.made(len, kind);
        Ok(match &set.kind {
            // Walks and closures need room even for one word.
            SetKind::Closure(..) | SetKind::Walk(..) if set.to == 0 => Set {
                to: self.room(1),
                ..set
            },
            _ => set,
        })
    }

    /// The members of a range that pass.
    pub(super) fn collect(
        &mut self,
        local: LocalId,
        over: &IrOver,
        when: &Expr,
        len: usize,
    ) -> Made<Set> {
        let range = self.range(local, over, Some(when))?;
        Ok(match range {
            Range {
                over: Over::Set(set),
                body: None,
                ..
            } => set,
            Range {
                over: Over::Below(_),
                body: None,
                ..
            } => {
                let at = self.full(len);
                self.made(len, SetKind::At(at))
            }
            range => {
                let mut set = self.made(len, SetKind::Collect(Box::new(range)));
                if set.to == 0 {
                    set.to = self.room(1);
                }
                set
            }
        })
    }

    /// What a bound variable ranges over and what is left to ask of each.
    pub(super) fn range(
        &mut self,
        local: LocalId,
        over: &IrOver,
        when: Option<&Expr>,
    ) -> Made<Range> {
        let (given, ty) = self.over(over)?;
        let at = self.bind(local, &ty)?;
        let plain = |maker: &mut Self, over: Over| -> Made<Range> {
            let body = when.map(|when| maker.num(when)).transpose()?;
            Ok(Range {
                local: at,
                over,
                body,
            })
        };
        let (Type::Elem(domain), Some(when)) = (&ty, when) else {
            return plain(self, given);
        };
        if matches!(given, Over::Seq(_)) {
            return plain(self, given);
        }
        let whole = matches!(given, Over::Below(len) if len > 0);
        let (set, rest) = self.take_apart(local, *domain, when, whole)?;
        let Some(set) = set else {
            return plain(self, given);
        };
        let set = match given {
            Over::Set(over) => {
                let len = self.len(*domain);
                self.made(len, SetKind::Intersect(Box::new((over, set))))
            }
            _ => set,
        };
        let mut body = None;
        for part in rest {
            let part = self.num(part)?;
            body = Some(match body {
                None => part,
                Some(before) => Num::And(Box::new((before, part))),
            });
        }
        Ok(Range {
            local: at,
            over: Over::Set(set),
            body,
        })
    }

    /// The parts of a condition that are a set by themselves, and those that are left; `whole` says that the first part is
    /// asked of at least one member, so that it may fault as it would there.
    pub(super) fn take_apart<'e>(
        &mut self,
        local: LocalId,
        domain: DomainId,
        when: &'e Expr,
        whole: bool,
    ) -> Made<(Option<Set>, Vec<&'e Expr>)> {
        let mut parts = Vec::new();
        conjuncts(when, &mut parts);
        let (mut set, mut rest) = (None, Vec::new());
        let mut movable = true;
        let len = self.len(domain);
        let mut before: Option<&Expr> = None;
        for part in parts {
            let pure = match (movable, before.replace(part)) {
                (true, Some(before)) => match self.pure_or_of_value(local, domain, part, false)? {
                    None => self.pure_after(local, domain, before, part)?,
                    pure => pure,
                },
                (true, None) => self.pure_or_of_value(local, domain, part, whole)?,
                _ => None,
            };
            let Some(pure) = pure else {
                movable &= self.is_harmless(part);
                rest.push(part);
                continue;
            };
            set = Some(match set {
                None => pure,
                Some(before) => self.made(len, SetKind::Intersect(Box::new((before, pure)))),
            });
        }
        Ok((set, rest))
    }

    /// The same of two conditions, of which the first may say that what the second looks at is there.
    fn pure_after(
        &mut self,
        local: LocalId,
        domain: DomainId,
        first: &Expr,
        second: &Expr,
    ) -> Made<Option<Set>> {
        let both = ExprKind::Binary(
            BinaryOp::And,
            Box::new(first.clone()),
            Box::new(second.clone()),
        );
        self.pure(local, domain, &Expr::new(both, Type::Bool, second.span))
    }

    /// The members for which a table gives a certain value, of themselves or of what stands there: one of the sets for all its
    /// values.
    fn of_value(
        &mut self,
        local: LocalId,
        domain: DomainId,
        when: &Expr,
        may_fault: bool,
    ) -> Made<Option<Set>> {
        let Some((a, b)) = equal(when) else {
            return Ok(None);
        };
        // What is asked of a place is evaluated once: nothing else may come of it.
        let is_look = |expr: &Expr| match expr.kind {
            ExprKind::Env { checked, .. } => !checked || may_fault,
            _ => !names(expr, local) && self.is_harmless(expr),
        };
        let (content, value) = match (is_look(a), is_look(b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => return Ok(None),
        };
        if !value.ty.is_scalar() {
            return Ok(None);
        }
        let len = self.len(domain);
        let mut sets = Vec::new();
        if let Some(values) = self.values_by_member(local, domain, content) {
            for (value, members) in values {
                let word = self.words_of(&value, &content.ty)?[0];
                sets.push((word, self.set_constant(len, &members)));
            }
        } else if let Some(values) = self.values_by_content(local, domain, content) {
            for (value, test) in values {
                let word = self.words_of(&value, &content.ty)?[0];
                let Some(at) = self.keep_contents(local, test, content) else {
                    return Ok(None);
                };
                sets.push((word, at));
            }
        } else {
            return Ok(None);
        }
        let none = self.set_constant(len, &[]);
        let which = self.num(value)?;
        Ok(Some(
            self.made(len, SetKind::Matching(sets.into(), none, which)),
        ))
    }

    /// The members that pass, if that is a set without asking each of them.
    fn pure_or_of_value(
        &mut self,
        local: LocalId,
        domain: DomainId,
        when: &Expr,
        may_fault: bool,
    ) -> Made<Option<Set>> {
        match self.pure(local, domain, when)? {
            None => self.of_value(local, domain, when, may_fault),
            set => Ok(set),
        }
    }

    /// The members that pass, if that is a set without asking each of them.
    fn pure(&mut self, local: LocalId, domain: DomainId, when: &Expr) -> Made<Option<Set>> {
        if let Some(set) = self.pure_as_written(local, domain, when)? {
            return Ok(Some(set));
        }
        match self.of_value(local, domain, when, false)? {
            None => self.sifted(local, domain, when),
            set => Ok(set),
        }
    }

    fn pure_as_written(
        &mut self,
        local: LocalId,
        domain: DomainId,
        when: &Expr,
    ) -> Made<Option<Set>> {
        let len = self.len(domain);
        if let Some(set) = self.kept(local, domain, when) {
            return Ok(Some(self.made(len, SetKind::At(set))));
        }
        if let Some(members) = self.known(local, domain, when) {
            return Ok(Some(self.members(domain, &members)));
        }
        Ok(match &when.kind {
            ExprKind::Binary(BinaryOp::In, member, set)
                if matches!(member.kind, ExprKind::Local(l) if l == local)
                    && !names(set, local)
                    && matches!(set.ty, Type::Set(_))
                    && self.is_harmless(set) =>
            {
                Some(self.set(set)?)
            }
            ExprKind::Unary(UnaryOp::Not, a) => self
                .pure(local, domain, a)?
                .map(|set| self.complement(len, set)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = self.pure_both(local, domain, *op, (a, b))?;
                match (a, b) {
                    (Some(a), Some(b)) => {
                        let both = Box::new((a, b));
                        let kind = match op {
                            BinaryOp::And => SetKind::Intersect(both),
                            _ => SetKind::Union(both),
                        };
                        Some(self.made(len, kind))
                    }
                    _ => self.a_step_on(local, domain, when)?,
                }
            }
            ExprKind::If(cond, a, b) if !names(cond, local) && self.is_harmless(cond) => {
                let (a, b) = (self.pure(local, domain, a)?, self.pure(local, domain, b)?);
                match (a, b) {
                    (Some(a), Some(b)) => {
                        let cond = self.num(cond)?;
                        Some(self.made(len, SetKind::If(Box::new((cond, a, b)))))
                    }
                    _ => None,
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b)
                if is_empty_set(b) && matches!(a.ty, Type::Set(_)) =>
            {
                match self.meeting(local, a)? {
                    Some(set) if *op == BinaryOp::Eq => Some(self.complement(len, set)),
                    set => set,
                }
            }
            _ if !names(when, local) && self.is_harmless(when) => {
                let cond = self.num(when)?;
                let (all, none) = (self.full(len), self.set_constant(len, &[]));
                let (all, none) = (
                    self.made(len, SetKind::At(all)),
                    self.made(len, SetKind::At(none)),
                );
                Some(self.made(len, SetKind::If(Box::new((cond, all, none)))))
            }
            _ => self.a_step_on(local, domain, when)?,
        })
    }

    /// The same for two conditions that are put together: where constants tell one of them, that alone may decide.
    fn pure_both(
        &mut self,
        local: LocalId,
        domain: DomainId,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
    ) -> Made<(Option<Set>, Option<Set>)> {
        let is_cared_for = matches!(self.cared_for, Some((of, _)) if of == local);
        let known = |expr: &Expr| match is_cared_for {
            true => self.known(local, domain, expr),
            false => None,
        };
        let (in_a, in_b) = (known(a), known(b));
        let one = self.pure_if_cared_for(local, domain, (op, in_b), a)?;
        Ok((one, self.pure_if_cared_for(local, domain, (op, in_a), b)?))
    }

    /// The members that pass, of those that another condition, which these members meet, leaves open.
    fn pure_if_cared_for(
        &mut self,
        local: LocalId,
        domain: DomainId,
        (op, other): (BinaryOp, Option<Vec<u32>>),
        when: &Expr,
    ) -> Made<Option<Set>> {
        let before = self.cared_for.clone();
        if let (Some(other), Some((of, cared))) = (&other, &mut self.cared_for)
            && *of == local
        {
            for (member, cared) in (0..).zip(cared) {
                *cared &= other.contains(&member) == (op == BinaryOp::And);
            }
        }
        let set = self.pure(local, domain, when);
        self.cared_for = before;
        set
    }

    /// The members for which a condition holds of what a table gives for them: where steps lead into a set.
    fn a_step_on(&mut self, local: LocalId, domain: DomainId, when: &Expr) -> Made<Option<Set>> {
        let Some(table) = self.only_table(local, domain, when) else {
            return Ok(None);
        };
        let target = match self.game.table(table).ty {
            Type::Elem(target) | Type::Opt(target) => target,
            _ => return Ok(None),
        };
        let is_step = |expr: &Expr| matches!(expr.kind, ExprKind::Lookup(t, _) if t == table);
        // What holds where there is no step.
        let absent = |expr: &Expr| is_step(expr).then_some(Const::None);
        let without = match self.game.table(table).ty {
            Type::Opt(_) => match constant(self.game, when, &absent) {
                Some(Const::Bool(holds)) => holds,
                _ => return Ok(None),
            },
            _ => false,
        };
        let there = LocalId(self.locals.len() as u32);
        self.bind(there, &Type::Elem(target))?;
        let mut step = when.clone();
        let member = Expr::new(ExprKind::Local(there), Type::Elem(target), when.span);
        replace(&mut step, &mut |expr| match &expr.kind {
            ExprKind::IsSome(a) if is_step(a) => Some(Expr::new(
                ExprKind::Const(Const::Bool(true)),
                Type::Bool,
                expr.span,
            )),
            ExprKind::Get(a) if is_step(a) => Some(member.clone()),
            ExprKind::Lookup(t, _) if *t == table => Some(match expr.ty {
                Type::Opt(_) => {
                    let some = ExprKind::Some(Box::new(member.clone()));
                    Expr::new(some, expr.ty.clone(), expr.span)
                }
                _ => member.clone(),
            }),
            _ => None,
        });
        let Some(set) = self.pure(there, target, &step)? else {
            return Ok(None);
        };
        let back = self.back(table, Some(local));
        let len = self.len(domain);
        let set = self.made(len, SetKind::Back(Box::new((back, set))));
        if !without {
            return Ok(Some(set));
        }
        let steps = self.game.table(table).values.iter().enumerate();
        let none = steps.filter(|(_, value)| **value == Const::None);
        let none: Vec<u32> = none.map(|(member, _)| member as u32).collect();
        let none = self.members(domain, &none);
        Ok(Some(self.made(len, SetKind::Union(Box::new((set, none))))))
    }

    /// The table of which a condition asks what it gives for a member, if it asks nothing else of the member.
    fn only_table(
        &self,
        local: LocalId,
        domain: DomainId,
        when: &Expr,
    ) -> Option<crate::ir::TableId> {
        let mut table = None;
        let mut steps = 0;
        let mut uses = 0;
        let mut alone = true;
        when.walk(&mut |expr| match &expr.kind {
            ExprKind::Local(l) if *l == local => uses += 1,
            ExprKind::Lookup(t, index) => {
                if let [index] = &index[..]
                    && matches!(index.kind, ExprKind::Local(l) if l == local)
                {
                    steps += 1;
                    alone &= table.is_none_or(|known| known == *t);
                    table = Some(*t);
                }
            }
            _ => {}
        });
        let table = table.filter(|_| alone && steps == uses)?;
        let known = self.game.table(table);
        (known.axes == [crate::ir::Axis::Domain(domain)]).then_some(table)
    }

    /// The steps of a table backwards: all of them, or those from the members of a local variable that are cared for.
    fn back(&mut self, table: crate::ir::TableId, local: Option<LocalId>) -> Back {
        let table = self.game.table(table);
        let step = |value: &Const| match value {
            Const::Elem(member) => Some(*member),
            _ => None,
        };
        let matters = |from: usize| match &self.cared_for {
            Some((of, cared)) if Some(*of) == local => cared[from],
            _ => true,
        };
        let steps = table.values.iter().map(step).enumerate();
        let steps: Vec<(u32, u32)> = steps
            .filter(|(from, _)| matters(*from))
            .filter_map(|(from, to)| Some((from as u32, to?)))
            .collect();
        let (domain, target) = match (table.axes[0], &table.ty) {
            (crate::ir::Axis::Domain(domain), Type::Elem(target) | Type::Opt(target)) => {
                (domain, *target)
            }
            _ => (DomainId(0), DomainId(0)),
        };
        let by = steps
            .first()
            .map_or(0, |(from, to)| i64::from(*to) - i64::from(*from));
        let len = self.len(domain);
        if steps
            .iter()
            .all(|(from, to)| i64::from(*to) - i64::from(*from) == by)
        {
            let from: Vec<u32> = steps.iter().map(|(from, _)| *from).collect();
            return Back::Shift(by, self.set_constant(len, &from));
        }
        let words = set_words(len);
        let mut sets = vec![0_i64; words * self.len(target)];
        for (from, to) in steps {
            sets[to as usize * words + from as usize / 64] |= 1 << (from % 64);
        }
        let at = self.room_of(&sets);
        Back::Sets(at, words)
    }

    /// The members from which a walk meets a set, where that is what a set stands for.
    fn meeting(&mut self, local: LocalId, set: &Expr) -> Made<Option<Set>> {
        let (walk, meet) = match &set.kind {
            ExprKind::Walk { .. } => (set, None),
            ExprKind::Binary(BinaryOp::Intersect, a, b) => match (&a.kind, &b.kind) {
                (ExprKind::Walk { .. }, _) => (a.as_ref(), Some(b.as_ref())),
                (_, ExprKind::Walk { .. }) => (b.as_ref(), Some(a.as_ref())),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let ExprKind::Walk {
            start,
            step,
            local: place,
            pass,
            give,
        } = &walk.kind
        else {
            return Ok(None);
        };
        let with_stop = match give {
            WalkGive::Reached => true,
            WalkGive::Passed => false,
            _ => return Ok(None),
        };
        let Type::Set(domain) = set.ty else {
            return Ok(None);
        };
        let free = |expr: &Expr| !names(expr, local) && !names(expr, *place);
        if names(pass, local) || !meet.is_none_or(|meet| free(meet) && self.is_harmless(meet)) {
            return Ok(None);
        }
        let first = match &start.kind {
            ExprKind::Lookup(table, index) => match &index[..] {
                [index] if matches!(index.kind, ExprKind::Local(l) if l == local) => Some(*table),
                _ => return Ok(None),
            },
            ExprKind::Some(a) if matches!(a.kind, ExprKind::Local(l) if l == local) => None,
            _ => return Ok(None),
        };
        self.bind(*place, &Type::Elem(domain))?;
        let Some(pass) = self.pure(*place, domain, pass)? else {
            return Ok(None);
        };
        let len = self.len(domain);
        let words = set_words(len);
        let reach = match meet {
            Some(meet) => {
                let reach = Reach {
                    pass,
                    meet: self.set(meet)?,
                    step: self.back(*step, None),
                    with_stop,
                    room: [self.far_room(words), self.far_room(words)],
                };
                self.made(len, SetKind::Reach(Box::new(reach)))
            }
            // A walk that may meet anything does so where it begins.
            None if with_stop => {
                let all = self.full(len);
                self.made(len, SetKind::At(all))
            }
            None => pass,
        };
        Ok(Some(match first {
            None => reach,
            Some(table) => {
                let back = self.back(table, None);
                let len = self.game.table(table).values.len();
                self.made(len, SetKind::Back(Box::new((back, reach))))
            }
        }))
    }

    /// Rows of a table of sets one after another, of which one is asked to be part of a set, or to be what a set has in common with
    /// the same row of another table.
    fn rows(&mut self, local: LocalId, over: &IrOver, body: &Expr) -> Made<Option<Rows>> {
        let (IrOver::Range(from, to), ExprKind::Binary(op, a, b)) = (over, &body.kind) else {
            return Ok(None);
        };
        let (Some(Const::Int(from)), Some(Const::Int(to))) = (from.as_const(), to.as_const())
        else {
            return Ok(None);
        };
        let row = |expr: &Expr| self.first_row(local, (*from, *to), expr);
        let common = |expr: &Expr| match &expr.kind {
            ExprKind::Binary(BinaryOp::Intersect, a, b) => match (row(a), row(b)) {
                (Some(row), None) => Some((b.as_ref().clone(), row)),
                (None, Some(row)) => Some((a.as_ref().clone(), row)),
                _ => None,
            },
            _ => None,
        };
        let (first, set, within) = match op {
            BinaryOp::Subset => match row(a) {
                Some(row) => (row, b.as_ref().clone(), None),
                None => return Ok(None),
            },
            BinaryOp::Eq => match (row(a), row(b), common(a), common(b)) {
                (None, Some(row), Some((set, within)), _)
                | (Some(row), None, _, Some((set, within))) => (row, set, Some(within)),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let safe = within.as_ref().is_none_or(|row| self.is_harmless(row));
        if names(&set, local) || !self.is_harmless(&set) || !safe {
            return Ok(None);
        }
        Ok(Some(Rows {
            first: self.cell(&first)?,
            within: match &within {
                Some(row) => Some(self.cell(row)?),
                None => None,
            },
            count: (to - from + 1) as usize,
            set: self.set(&set)?,
        }))
    }

    /// The first row, where an expression is a row of a table of sets by some numbers in order.
    fn first_row(&self, local: LocalId, (from, to): (i64, i64), expr: &Expr) -> Option<Expr> {
        let ExprKind::Lookup(table, index) = &expr.kind else {
            return None;
        };
        let (last, others) = index.split_last()?;
        let inside = match self.game.table(*table).axes.last() {
            Some(crate::ir::Axis::Range { lo, hi }) => *lo <= from && to <= *hi,
            _ => false,
        };
        let fits = inside
            && from <= to
            && matches!(expr.ty, Type::Set(_))
            && matches!(last.kind, ExprKind::Local(l) if l == local)
            && !others.iter().any(|index| names(index, local));
        let mut first = index.clone();
        if let Some(last) = first.last_mut() {
            *last = Expr::new(
                ExprKind::Const(Const::Int(from)),
                last.ty.clone(),
                last.span,
            );
        }
        let first = ExprKind::Lookup(*table, first);
        fits.then(|| Expr::new(first, expr.ty.clone(), expr.span))
    }

    pub(super) fn fold(
        &mut self,
        fold: Fold,
        local: LocalId,
        over: &IrOver,
        body: &Expr,
        span: Span,
    ) -> Made<Num> {
        let site = match fold {
            Fold::Sum => self.site(FaultCode::Overflow, span),
            _ => self.site(FaultCode::NoValue, span),
        };
        if let Fold::Sum | Fold::Min | Fold::Max = fold {
            let (over, ty) = self.over(over)?;
            let local = self.bind(local, &ty)?;
            let body = Some(self.num(body)?);
            return Ok(Num::Fold(fold, Box::new(Range { local, over, body }), site));
        }
        if let (Fold::Exists, Some(rows)) = (fold, self.rows(local, over, body)?) {
            return Ok(Num::AnyRow(Box::new(rows)));
        }
        if let Fold::Forall = fold {
            // None fails.
            let not = Expr::new(
                ExprKind::Unary(UnaryOp::Not, Box::new(body.clone())),
                Type::Bool,
                body.span,
            );
            let range = self.range(local, over, Some(&not))?;
            return Ok(Num::Not(Box::new(exists(range, site))));
        }
        let range = self.range(local, over, Some(body))?;
        Ok(match (fold, range) {
            (Fold::Exists, range) => exists(range, site),
            (
                _,
                Range {
                    over: Over::Set(set),
                    body: None,
                    ..
                },
            ) => Num::Size(Box::new(set)),
            (fold, range) => Num::Fold(fold, Box::new(range), site),
        })
    }
}

fn exists(range: Range, site: Site) -> Num {
    match range {
        Range {
            over: Over::Set(set),
            body: None,
            ..
        } => Num::Not(Box::new(Num::IsEmpty(Box::new(set)))),
        range => Num::Fold(Fold::Exists, Box::new(range), site),
    }
}

/// Replaces expressions, outermost first.
pub(super) fn replace(expr: &mut Expr, f: &mut dyn FnMut(&Expr) -> Option<Expr>) {
    match f(expr) {
        Some(other) => *expr = other,
        None => expr.children_mut(&mut |operand| replace(operand, f)),
    }
}
