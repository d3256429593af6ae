//! What expressions come to.

use crate::ir::{BinaryOp, Const, Expr, ExprKind, Fold, LocalId, Over, Type, UnaryOp};

use super::super::may::domain_of;
use super::super::terms::{Bundle, FALSE, Op, Other, Placed, Shell, TRUE, Term, fault};
use super::{MOST_ROUNDS, Unfold};

impl<'t, 'g> Unfold<'t, 'g> {
    /// The value of an expression.
    pub(in super::super) fn value(&mut self, expr: &Expr) -> Term {
        if self.terms.failed.is_some() {
            return FALSE;
        }
        let value = self.value_of(expr);
        // A truth value is a diagram.
        if expr.ty == Type::Bool {
            return self.terms.diagram(value);
        }
        value
    }

    fn value_of(&mut self, expr: &Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Const(value) => self.terms.constant(value.clone(), expr.ty.clone()),
            E::Local(local) => {
                let known = self.frame().locals.get(local.index()).copied().flatten();
                match known {
                    Some(value) => {
                        let here = self.here();
                        self.terms.where_holds(here, value)
                    }
                    None => self.refuse("a variable without a value"),
                }
            }
            E::Env { var, .. } => match self.env(var.0) {
                Some((value, set)) => {
                    let unset = self.terms.not(set);
                    let here = self.here();
                    self.unset(here, unset);
                    self.terms.where_holds(here, value)
                }
                None => {
                    self.mistake(TRUE);
                    self.terms.constant(fault(), expr.ty.clone())
                }
            },
            // What is done for listeners alone changes nothing.
            E::Listened => FALSE,
            E::EnvIsSet(var) => {
                let known = self.memory.env.get(&var.0);
                known.map_or(FALSE, |(_, set)| *set)
            }
            E::Var(var, index) => {
                let index: Vec<Term> = index.iter().map(|at| self.value(at)).collect();
                self.read(*var, &index)
            }
            E::Lookup(table, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                let value = self.terms.lookup(Shell { expr }, *table, &args);
                let value = self.as_it_comes(value);
                let opaque = self.game.table(*table).outside.is_none();
                self.note(value, opaque)
            }
            E::PlaceOf(placement, piece) => {
                let piece = self.value(piece);
                self.place_of(*placement, piece, &expr.ty)
            }
            E::Content(placement, place) => {
                let place = self.value(place);
                self.content(*placement, place, &expr.ty)
            }
            E::Contents(placement, place) => {
                let place = self.value(place);
                self.members_at(*placement, Placed::Contents, place, &expr.ty)
            }
            E::Places(placement, kind) => {
                let kind = self.value(kind);
                self.members_at(*placement, Placed::Places, kind, &expr.ty)
            }
            _ => self.operation(expr),
        }
    }

    /// A table of two members as far as it matters here: of a place between two others only where they are so far apart.
    fn as_it_comes(&mut self, value: Term) -> Term {
        let ty = &self.terms.node(value).ty;
        if *ty == Type::Bool {
            return value;
        }
        let value = self.terms.table_where(self.guard, value);
        let here = self.here();
        self.terms.table_where(here, value)
    }

    /// What an operation comes to.
    fn operation(&mut self, expr: &Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Unary(UnaryOp::Not, a) => {
                let a = self.value(a);
                self.terms.not(a)
            }
            E::Unary(op, a) => {
                let a = self.value(a);
                if let Some(set) = self.terms.of_sets(&Op::Unary(*op), &[a], &expr.ty) {
                    return set;
                }
                self.terms.apply(Shell { expr }, &Op::Unary(*op), &[a])
            }
            E::Binary(op, a, b) => self.binary(expr, *op, a, b),
            E::If(cond, yes, no) => {
                let cond = self.value(cond);
                let not = self.terms.not(cond);
                let yes = self.under(cond, |me| me.value(yes));
                let no = self.under(not, |me| me.value(no));
                self.terms.ite(cond, yes, no)
            }
            E::Some(a) => self.value(a),
            E::IsSome(a) => {
                let a = self.value(a);
                self.terms.is_some(a)
            }
            E::Get(a) => {
                let a = self.value(a);
                let there = self.terms.is_some(a);
                let absent = self.terms.not(there);
                self.mistake(absent);
                a
            }
            E::OrElse(a, b) => {
                let a = self.value(a);
                let there = self.terms.is_some(a);
                let absent = self.terms.not(there);
                let b = self.under(absent, |me| me.value(b));
                self.terms.ite(there, a, b)
            }
            E::Ordinal(a) => {
                let op = match domain_of(&a.ty) {
                    Some(domain) => Op::Ordered(Other::Ordinal, domain),
                    None => Op::Other(Other::Ordinal),
                };
                let a = self.value(a);
                self.terms.apply(Shell { expr }, &op, &[a])
            }
            E::Member(domain, a) => {
                let a = self.value(a);
                self.terms
                    .apply(Shell { expr }, &Op::Ordered(Other::Member, *domain), &[a])
            }
            E::ToWrap(a) => self.plain_op(expr, Other::ToWrap, &[a]),
            E::ToInt(a) => self.plain_op(expr, Other::ToInt, &[a]),
            E::Tag(a) => self.plain_op(expr, Other::Tag, &[a]),
            E::Untag(a) => {
                let value = self.plain_op(expr, Other::Untag, &[a]);
                self.note(value, true)
            }
            E::HasTag(ty, a) => self.plain_op(expr, Other::HasTag(ty.clone()), &[a]),
            E::SetOf(items) => {
                let items: Vec<&Expr> = items.iter().collect();
                self.plain_op(expr, Other::SetOf, &items)
            }
            E::SeqOf(items) => {
                let items: Vec<&Expr> = items.iter().collect();
                self.plain_op(expr, Other::SeqOf, &items)
            }
            E::Size(a) => {
                let set = self.value(a);
                let size = Op::Other(Other::Size);
                match self.terms.of_sets(&size, &[set], &expr.ty) {
                    Some(size) => size,
                    None => self.terms.apply(Shell { expr }, &size, &[set]),
                }
            }
            E::Item(a, b) => {
                let value = self.plain_op(expr, Other::Item, &[a, b]);
                self.note(value, true)
            }
            _ => self.over_all(expr),
        }
    }

    /// What a question about members, steps, functions or trails comes to.
    fn over_all(&mut self, expr: &Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(expr, *fold, *local, over, body),
            E::Collect { local, over, when } => {
                let parts = self.quantified(*local, over, when);
                self.bound_op(Op::Other(Other::Collect), parts, &expr.ty)
            }
            E::First { local, over, when } => {
                let parts = self.quantified(*local, over, when);
                match domain_of(&expr.ty) {
                    Some(domain) => {
                        let op = Op::Ordered(Other::First, domain);
                        self.bound_op(op, parts, &expr.ty)
                    }
                    None => self.refuse("an order of numbers"),
                }
            }
            E::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let start = self.value(start);
                let [which, edges, pass] = self.along(*step, *local, pass);
                self.terms.lift(&[start], &mut |terms, start| {
                    let gives = (*give, &expr.ty);
                    let along = terms.walked(start[0], *step, which, pass, gives);
                    along.unwrap_or_else(|| {
                        let args = vec![which, start[0], edges, pass];
                        terms.structural(Op::Other(Other::Walk(*give)), args, &expr.ty)
                    })
                })
            }
            E::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let from = self.value(from);
                let [which, edges, pass] = self.along(*edges, *local, pass);
                let parts = [which, from, edges, pass];
                self.bound_op(Op::Other(Other::Closure), parts, &expr.ty)
            }
            E::Call(func, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                self.given(*func, args)
            }
            E::Holds(relation, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                self.given(self.game.relation(*relation).holds, args)
            }
            E::Seen(trail) => {
                let noted = self.memory.trails.get(&trail.0).copied();
                let args = Vec::from_iter(noted);
                let op = Op::Other(Other::Seen(trail.0));
                self.terms.structural(op, args, &expr.ty)
            }
            _ => self.refuse("a question about all members"),
        }
    }

    /// Notes a read of a variable that is not set under a condition, as far as this place is come to then.
    fn unset(&mut self, here: Term, unset: Term) {
        if self.terms.and(here, unset) == FALSE {
            return;
        }
        let now = self.now();
        match self.terms.and(now, unset) {
            FALSE => self.depends = true,
            _ => self.mistake(unset),
        }
    }

    /// A variable of the environment.
    pub(super) fn env(&mut self, var: u32) -> Option<(Term, Term)> {
        if let Some(func) = self.left_by.get(&var) {
            // Somebody asks for what a function left there, so it has to be run like any other.
            self.terms.asked_of.insert(*func);
            self.terms.again = true;
        }
        self.memory.env.get(&var).copied()
    }

    pub(super) fn refuse(&mut self, why: &'static str) -> Term {
        self.terms.fail(why);
        FALSE
    }

    fn plain_op(&mut self, expr: &Expr, other: Other, args: &[&Expr]) -> Term {
        let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
        self.terms.apply(Shell { expr }, &Op::Other(other), &args)
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> Term {
        use BinaryOp as B;
        let first = self.value(a);
        match op {
            B::And => {
                let second = self.under(first, |me| me.value(b));
                return self.terms.and(first, second);
            }
            B::Or => {
                let not = self.terms.not(first);
                let second = self.under(not, |me| me.value(b));
                return self.terms.or(first, second);
            }
            _ => {}
        }
        let second = self.value(b);
        match op {
            B::Eq | B::Ne => {
                let equal = match a.ty {
                    Type::Bool => {
                        let not = self.terms.not(second);
                        self.terms.ite(first, second, not)
                    }
                    _ => self.terms.equal(first, second),
                };
                match op {
                    B::Eq => equal,
                    _ => self.terms.not(equal),
                }
            }
            B::In => self.terms.is_in(first, second),
            B::UpTo | B::DownTo => {
                if let Some(cut) = self.terms.cut(first, second, op == B::UpTo, &expr.ty) {
                    return cut;
                }
                let op = match domain_of(&expr.ty) {
                    Some(domain) => Op::Ordered(
                        Other::Walk(if op == B::UpTo {
                            crate::ir::WalkGive::Stop
                        } else {
                            crate::ir::WalkGive::Last
                        }),
                        domain,
                    ),
                    None => Op::Binary(op),
                };
                self.terms.apply(Shell { expr }, &op, &[first, second])
            }
            _ => {
                let own = Op::Binary(op);
                if let Some(set) = self.terms.of_sets(&own, &[first, second], &expr.ty) {
                    return set;
                }
                let value = self.terms.apply(Shell { expr }, &own, &[first, second]);
                let opaque = matches!(op, B::Div | B::Rem | B::RemEuclid)
                    || expr.ty.int_range().is_some()
                        && matches!(op, B::Add | B::Sub | B::Mul | B::Concat);
                self.note(value, opaque)
            }
        }
    }

    /// A variable, what it ranges over, and a body for it.
    pub(super) fn quantified(&mut self, local: LocalId, over: &Over, body: &Expr) -> [Term; 3] {
        let (over, ty, members) = self.over(over);
        let (which, body) = self.body(local, ty, members, over, body);
        [which, over, body]
    }

    /// A range as a term, with the type of its members, and which they are at most.
    pub(super) fn over(&mut self, over: &Over) -> (Term, Type, Option<Vec<u32>>) {
        match over {
            Over::Domain(domain) => {
                let all = (0..self.game.domain(*domain).len() as u32).collect();
                let all = self.terms.constant(Const::Set(all), Type::Set(*domain));
                (all, Type::Elem(*domain), None)
            }
            Over::Set(set) => {
                let ty = match domain_of(&set.ty) {
                    Some(domain) => Type::Elem(domain),
                    None => Type::Bool,
                };
                let set = self.value(set);
                let members = match self.terms.as_const(set) {
                    Some(Const::Set(members)) => Some(members.clone()),
                    _ => None,
                };
                (set, ty, members)
            }
            Over::Seq(seq) => {
                let ty = match &seq.ty {
                    Type::Seq { item, .. } => (**item).clone(),
                    _ => Type::Bool,
                };
                (self.value(seq), ty, None)
            }
            Over::Range(from, to) => {
                let ends = vec![self.value(from), self.value(to)];
                let range = self
                    .terms
                    .structural(Op::Other(Other::Range), ends, &Type::INT);
                let numbers = self.terms.numbers_in(range);
                (range, Type::INT, numbers)
            }
        }
    }

    pub(super) fn body(
        &mut self,
        local: LocalId,
        ty: Type,
        members: Option<Vec<u32>>,
        over: Term,
        body: &Expr,
    ) -> (Term, Term) {
        self.body_of(local, ty, members, over, &mut |me| me.value(body))
    }

    /// The same for whatever is asked of a member.
    pub(super) fn body_of(
        &mut self,
        local: LocalId,
        ty: Type,
        members: Option<Vec<u32>>,
        over: Term,
        body: &mut dyn FnMut(&mut Self) -> Term,
    ) -> (Term, Term) {
        let which = self.leaf(Op::Bound(self.bound, members), &ty);
        self.bind(local, which);
        self.bound += 1;
        let before = (self.live, std::mem::take(&mut self.mistakes));
        let depth = self.context.len();
        if self.terms.by_sets {
            self.context.push(self.live);
        }
        self.live = TRUE;
        let value = body(self);
        self.context.truncate(depth);
        self.bound -= 1;
        let inner = std::mem::replace(&mut self.mistakes, before.1);
        self.live = before.0;
        if !inner.is_empty() {
            let inner = self.terms.bundle(Bundle::Mistakes, inner);
            let within = vec![over, inner, self.live];
            let within = self.terms.bundle(Bundle::Parts("within"), within);
            self.add_mistake(within);
        }
        (which, value)
    }

    fn along(&mut self, table: crate::ir::TableId, local: LocalId, pass: &Expr) -> [Term; 3] {
        let game = self.game;
        let table = game.table(table);
        let Some(crate::ir::Axis::Domain(domain)) = table.axes.first() else {
            return [FALSE; 3];
        };
        let ty = Type::Elem(*domain);
        let over = self.leaf(Op::Bound(self.bound, None), &ty);
        let steps = self.terms.whole_table(table, over);
        let (which, pass) = self.body(local, ty, None, over, pass);
        [which, steps, pass]
    }

    /// An operation with a bound variable in it.
    pub(super) fn bound_op<const N: usize>(&mut self, op: Op, args: [Term; N], ty: &Type) -> Term {
        // What it ranges over may depend on conditions, what it asks does in any case.
        let last = N - 1;
        let body = args[last];
        self.terms.lift(&args[..last], &mut |terms, given| {
            let args = [given, &[body]].concat();
            terms.structural(op.clone(), args, ty)
        })
    }

    pub(super) fn fold(
        &mut self,
        expr: &Expr,
        fold: Fold,
        local: LocalId,
        over: &Over,
        body: &Expr,
    ) -> Term {
        if let Over::Range(from, to) = over {
            let (from, to) = (self.value(from), self.value(to));
            if let (Some(Const::Int(from)), Some(Const::Int(to))) =
                (self.terms.as_const(from), self.terms.as_const(to))
            {
                let (from, to) = (*from, *to);
                if to.saturating_sub(from) < MOST_ROUNDS as i64
                    && matches!(fold, Fold::Forall | Fold::Exists)
                {
                    return self.unrolled(fold, local, from..=to, body);
                }
            }
        }
        let [which, over, body] = self.quantified(local, over, body);
        match fold {
            Fold::Exists => return self.exists(which, over, body),
            Fold::Forall if self.terms.ranges_over_numbers(over) => {
                let not = self.terms.not(body);
                let some = self.exists(which, over, not);
                return self.terms.not(some);
            }
            Fold::Forall if self.terms.is_described(over) => {
                let inside = self.terms.is_in(which, over);
                let not = self.terms.not(body);
                let both = self.terms.and(inside, not);
                let some = self.terms.some(which, both);
                return self.terms.not(some);
            }
            _ => {}
        }
        let parts = [which, over, body];
        let value = self.bound_op(Op::Other(Other::Fold(fold)), parts, &expr.ty);
        let opaque = matches!(fold, Fold::Min | Fold::Max | Fold::Sum);
        self.note(value, opaque)
    }

    fn unrolled(
        &mut self,
        fold: Fold,
        local: LocalId,
        range: std::ops::RangeInclusive<i64>,
        body: &Expr,
    ) -> Term {
        let all = fold == Fold::Forall;
        if let Some(rows) = self.by_rows(fold, local, range.clone(), body) {
            return rows;
        }
        let mut sum = if all { TRUE } else { FALSE };
        for number in range {
            let number = self.terms.constant(Const::Int(number), Type::INT);
            self.bind(local, number);
            let open = if all { sum } else { self.terms.not(sum) };
            let next = self.under(open, |me| me.value(body));
            sum = match all {
                true => self.terms.and(sum, next),
                false => self.terms.or(sum, next),
            };
        }
        sum
    }

    /// The same, where no round depends on those before, which are asked together; nothing where one does.
    fn by_rows(
        &mut self,
        fold: Fold,
        local: LocalId,
        range: std::ops::RangeInclusive<i64>,
        body: &Expr,
    ) -> Option<Term> {
        if !self.terms.by_sets {
            return None;
        }
        let (mistakes, changes) = (self.mistakes.len(), self.changes);
        let (memory, left_by) = (self.memory.clone(), self.left_by.clone());
        let (ends, last_end) = (self.ends.clone(), self.last_end);
        let mut parts = Vec::new();
        for number in range {
            let number = self.terms.constant(Const::Int(number), Type::INT);
            self.bind(local, number);
            let part = self.value(body);
            if self.mistakes.len() != mistakes || self.changes != changes {
                // A round that is not come to has left nothing.
                (self.memory, self.left_by) = (memory, left_by);
                self.ends = ends;
                self.last_end = last_end;
                self.changes += 1;
                self.mistakes.truncate(mistakes);
                return None;
            }
            parts.push(match fold {
                Fold::Forall => self.terms.not(part),
                _ => part,
            });
        }
        let some = self.terms.some_of(parts);
        Some(match fold {
            Fold::Forall => self.terms.not(some),
            _ => some,
        })
    }

    // ---- the position
}
