//! Expressions as they are written.

use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Fold, LocalId, Over, PlacementId, TableId,
    Type, UnaryOp, VarId,
};

use super::super::may::domain_of;
use super::super::terms::{FALSE, FEW_MEMBERS, Op, Other, TRUE, Term};
use super::{BOUND, Written};

/// Questions inside of questions.
const MOST_DEEP: usize = 200;
/// Rows of a table that is asked by numbers too.
const MOST_ROWS: usize = 4_096;

impl<'g> Written<'_, 'g> {
    pub(super) fn value(&mut self, expr: &'g Expr) -> Term {
        use ExprKind as E;
        if self.terms.failed.is_some() {
            return FALSE;
        }
        match &expr.kind {
            E::Const(value) => self.terms.constant(value.clone(), expr.ty.clone()),
            E::Local(local) => self.local(*local),
            E::Env { var, .. } => {
                let var = self.number(var.index());
                self.parts("environment", vec![var])
            }
            E::EnvIsSet(var) => {
                let var = self.number(var.index());
                self.parts("is set", vec![var])
            }
            E::Var(var, index) => self.var(*var, index),
            E::Lookup(table, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                self.looked_up(*table, args)
            }
            E::PlaceOf(at, of) => self.placed("place of", *at, of),
            E::Content(at, of) => self.placed("content", *at, of),
            E::Contents(at, of) => self.placed("contents", *at, of),
            E::Places(at, of) => self.placed("places", *at, of),
            E::Unary(op, of) => self.unary(*op, of),
            E::Binary(op, a, b) => self.binary(expr, *op, a, b),
            E::If(cond, yes, no) => {
                self.either(cond, &mut |me| me.value(yes), &mut |me| me.value(no))
            }
            _ => self.other(expr),
        }
    }

    fn all(&mut self, name: &'static str, parts: &[&'g Expr]) -> Term {
        let parts = parts.iter().map(|part| self.value(part)).collect();
        self.parts(name, parts)
    }

    fn other(&mut self, expr: &'g Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Some(of) => self.all("some", &[of]),
            E::IsSome(of) => self.all("is some", &[of]),
            E::Get(of) => self.all("get", &[of]),
            E::OrElse(of, _) if self.is_present(of) => self.all("get", &[of]),
            E::OrElse(of, other) => self.all("or else", &[of, other]),
            E::Ordinal(of) => {
                let of_ty = domain_of(&of.ty);
                let of = self.value(of);
                self.by_ordinal("ordinal", of_ty, of)
            }
            E::Member(domain, of) => {
                let of = self.value(of);
                self.by_ordinal("member", Some(*domain), of)
            }
            E::ToWrap(of) => self.all("to wrap", &[of]),
            E::ToInt(of) => self.all("to number", &[of]),
            E::SetOf(items) => {
                let items = items.iter().map(|item| self.value(item)).collect();
                self.set("set of", items)
            }
            E::SeqOf(items) => {
                let items = items.iter().map(|item| self.value(item)).collect();
                self.parts("row of", items)
            }
            E::Size(of) => self.all("size", &[of]),
            E::Item(of, at) => self.all("item", &[of, at]),
            E::Call(func, args) => self.called(*func, args),
            E::Holds(relation, args) => self.called(self.game.relation(*relation).holds, args),
            E::Listened => self.parts("listened", Vec::new()),
            E::Seen(trail) => {
                let trail = self.number(trail.0);
                self.parts("seen", vec![trail])
            }
            _ => self.over_all(expr),
        }
    }

    /// What is asked of many members.
    fn over_all(&mut self, expr: &'g Expr) -> Term {
        use ExprKind as E;
        match &expr.kind {
            E::Fold {
                fold,
                local,
                over,
                body,
            } => {
                let mut parts = self.bound(*local, over, body).to_vec();
                let stops = matches!(fold, Fold::Forall | Fold::Exists);
                if stops && self.may_fault(body) {
                    parts.push(self.order_of(over));
                }
                let fold = self.terms.leaf(Op::Other(Other::Fold(*fold)), Type::Bool);
                parts.push(fold);
                self.parts("fold", parts)
            }
            E::Collect { local, over, when } => {
                let parts = self.bound(*local, over, when).to_vec();
                self.parts("collect", parts)
            }
            E::First { local, over, when } => {
                let mut parts = self.bound(*local, over, when).to_vec();
                parts.push(self.order_of(over));
                self.parts("first", parts)
            }
            E::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let (start, step) = (self.value(start), self.table(*step));
                let [which, pass] = self.under(*local, pass);
                let give = self.terms.leaf(Op::Other(Other::Walk(*give)), Type::Bool);
                self.parts("walk", vec![start, step, which, pass, give])
            }
            E::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let fails = self.may_fault(pass);
                let (from, edges) = (self.value(from), self.table(*edges));
                let [which, inner] = self.under(*local, pass);
                let mut parts = vec![from, edges, which, inner];
                if fails {
                    parts.push(self.order(domain_of(&expr.ty)));
                }
                self.parts("closure", parts)
            }
            E::Tag(_) | E::Untag(_) | E::HasTag(..) => self.refuse("values of many types"),
            _ => self.refuse("a question about all members"),
        }
    }

    fn may_fault(&self, expr: &Expr) -> bool {
        self.effects.expr(self.game, expr).may_fault
    }

    /// Stands for the order of the members of a domain, which a renaming has to keep.
    pub(super) fn order(&mut self, domain: Option<DomainId>) -> Term {
        match domain {
            Some(domain) => {
                let op = Op::Ordered(Other::First, domain);
                self.terms.leaf(op, Type::Bool)
            }
            None => self.parts("order of numbers", Vec::new()),
        }
    }

    /// The order of what a variable ranges over.
    pub(super) fn order_of(&mut self, over: &Over) -> Term {
        let domain = match over {
            Over::Domain(domain) => Some(*domain),
            Over::Set(set) => domain_of(&set.ty),
            Over::Seq(_) | Over::Range(..) => None,
        };
        self.order(domain)
    }

    pub(super) fn over(&mut self, over: &'g Over) -> Term {
        match over {
            Over::Domain(domain) => {
                let all = (0..self.game.domain(*domain).len() as u32).collect();
                self.terms.constant(Const::Set(all), Type::Set(*domain))
            }
            Over::Set(of) => self.value(of),
            Over::Seq(of) => self.all("items", &[of]),
            Over::Range(from, to) => self.all("from to", &[from, to]),
        }
    }

    /// A variable, what it ranges over, and what is asked of it.
    pub(super) fn bound(&mut self, local: LocalId, over: &'g Over, body: &'g Expr) -> [Term; 3] {
        let over = self.over(over);
        let [which, body] = self.under(local, body);
        [which, over, body]
    }

    /// A variable and what is asked of it.
    fn under(&mut self, local: LocalId, body: &'g Expr) -> [Term; 2] {
        if self.depth >= MOST_DEEP {
            return [self.refuse("too deep"); 2];
        }
        let ty = self.types.get(local.index()).map(|local| local.ty.clone());
        let own = Op::Bound(BOUND + self.depth, None);
        let which = self.terms.leaf(own, ty.unwrap_or(Type::Bool));
        let before = self.locals.insert(local, which);
        self.depth += 1;
        let body = self.value(body);
        self.depth -= 1;
        match before {
            Some(before) => self.locals.insert(local, before),
            None => self.locals.remove(&local),
        };
        [which, body]
    }

    fn placed(&mut self, name: &'static str, at: PlacementId, of: &'g Expr) -> Term {
        let parts = vec![self.number(at.index()), self.value(of)];
        self.parts(name, parts)
    }

    fn var(&mut self, id: VarId, index: &'g [Expr]) -> Term {
        let var = self.game.var(id);
        if let (Some(member), true) = (self.known.get(&id), index.is_empty()) {
            return self.terms.constant(Const::Elem(*member), var.ty.clone());
        }
        let mut parts = vec![match self.constants.contains(&id) {
            true => self.rows(&var.axes, &var.ty, &var.init),
            false => self.terms.leaf(Op::Var(id), var.ty.clone()),
        }];
        for at in index {
            let at = self.value(at);
            parts.push(at);
        }
        self.parts("variable", parts)
    }

    /// A table at some values.
    fn looked_up(&mut self, id: TableId, args: Vec<Term>) -> Term {
        let table = self.game.table(id);
        if let ([Axis::Domain(_)], [arg]) = (&table.axes[..], &args[..])
            && let Some(Const::Elem(member)) = self.terms.as_const(*arg)
            && let Some(value) = table.values.get(*member as usize)
        {
            return self.terms.constant(value.clone(), table.ty.clone());
        }
        let mut parts = vec![self.table(id)];
        parts.extend(args);
        self.parts("look up", parts)
    }

    pub(super) fn table(&mut self, id: TableId) -> Term {
        let table = self.game.table(id);
        let mut parts = vec![self.rows(&table.axes, &table.ty, &table.values)];
        if let Some(outside) = &table.outside {
            let outside = self.terms.constant(outside.clone(), table.ty.clone());
            parts.push(outside);
        }
        self.parts("table", parts)
    }

    /// What stands in a table: for all numbers by which it is asked a table by members alone.
    fn rows(&mut self, axes: &'g [Axis], ty: &Type, values: &'g [Const]) -> Term {
        if let Type::Seq { item, .. } = ty
            && matches!(**item, Type::Set(_) | Type::Seq { .. })
        {
            return self.refuse("a table of rows");
        }
        let lens: Vec<usize> = axes.iter().map(|axis| axis.len(self.game)).collect();
        let mut domains = Vec::new();
        let mut parts = Vec::new();
        for axis in axes {
            match axis {
                Axis::Domain(domain) => domains.push((*domain, false)),
                Axis::Range { lo, hi } => {
                    let ends = vec![self.number(*lo), self.number(*hi)];
                    let ends = self.parts("range", ends);
                    parts.push(ends);
                }
            }
        }
        let mut rows: Vec<(Vec<usize>, Vec<Const>)> = Vec::new();
        let mut known = std::collections::BTreeMap::new();
        for (cell, value) in values.iter().enumerate() {
            let mut rest = cell;
            let mut numbers = Vec::new();
            for (axis, len) in axes.iter().zip(&lens).rev() {
                if let Axis::Range { .. } = axis {
                    numbers.push(rest % len);
                }
                rest /= len;
            }
            numbers.reverse();
            let next = rows.len();
            let at = *known.entry(numbers.clone()).or_insert(next);
            if at == next {
                rows.push((numbers, Vec::new()));
            }
            rows[at].1.push(value.clone());
        }
        if rows.len() > MOST_ROWS {
            return self.refuse("a large table");
        }
        rows.sort();
        for (_, row) in rows {
            let own = match (&domains[..], &row[..]) {
                ([], [only]) => self.terms.constant(only.clone(), ty.clone()),
                _ => self.terms.table_as_it_is(&domains, ty, &row),
            };
            parts.push(own);
        }
        self.parts("rows", parts)
    }

    /// Numbers that members stand for.
    fn by_ordinal(&mut self, name: &'static str, domain: Option<DomainId>, of: Term) -> Term {
        let Some(id) = domain else {
            return self.refuse("a number of no member");
        };
        let domain = self.game.domain(id);
        let all = (0..domain.len() as u32).map(|member| Const::Int(domain.ordinal(member)));
        let all: Vec<Const> = all.collect();
        let table = self.terms.table_as_it_is(&[(id, false)], &Type::INT, &all);
        self.parts(name, vec![table, of])
    }

    fn called(&mut self, func: crate::ir::FuncId, args: &'g [Expr]) -> Term {
        let mut parts = vec![self.function(func)];
        for arg in args {
            let arg = self.value(arg);
            parts.push(arg);
        }
        self.parts("call", parts)
    }

    pub(super) fn not(&mut self, of: Term) -> Term {
        match of {
            TRUE => FALSE,
            FALSE => TRUE,
            of => match self.terms.negated(of) {
                Some(inner) => inner,
                None => self.parts("not", vec![of]),
            },
        }
    }

    fn unary(&mut self, op: UnaryOp, of: &'g Expr) -> Term {
        match op {
            UnaryOp::Not => {
                let of = self.value(of);
                self.not(of)
            }
            UnaryOp::Neg => self.all("minus", &[of]),
            UnaryOp::Abs => self.all("size of a number", &[of]),
            UnaryOp::Complement => {
                let all = match domain_of(&of.ty) {
                    Some(domain) => self.over_domain(domain),
                    None => self.nothing(),
                };
                let of = self.value(of);
                self.parts("complement", vec![all, of])
            }
        }
    }

    fn over_domain(&mut self, domain: DomainId) -> Term {
        let all = (0..self.game.domain(domain).len() as u32).collect();
        self.terms.constant(Const::Set(all), Type::Set(domain))
    }

    fn binary(&mut self, expr: &'g Expr, op: BinaryOp, a: &'g Expr, b: &'g Expr) -> Term {
        use BinaryOp as B;
        if matches!(op, B::And | B::Or | B::Union | B::Intersect) {
            return self.together(expr, op);
        }
        let (first, second) = (self.value(a), self.value(b));
        match op {
            B::Eq => self.equal(first, second),
            B::Ne => {
                let equal = self.equal(first, second);
                self.not(equal)
            }
            B::Lt => self.parts("less", vec![first, second]),
            B::Gt => self.parts("less", vec![second, first]),
            B::Le => {
                let greater = self.parts("less", vec![second, first]);
                self.not(greater)
            }
            B::Ge => {
                let less = self.parts("less", vec![first, second]);
                self.not(less)
            }
            B::Add => self.set("sum", vec![first, second]),
            B::Mul => self.set("product", vec![first, second]),
            B::Min => self.set("least", vec![first, second]),
            B::Max => self.set("greatest", vec![first, second]),
            B::UpTo | B::DownTo => {
                let order = self.order(domain_of(&expr.ty));
                let op = self.terms.leaf(Op::Binary(op), Type::Bool);
                self.parts("cut", vec![op, first, second, order])
            }
            op => {
                let op = self.terms.leaf(Op::Binary(op), Type::Bool);
                self.parts("operation", vec![op, first, second])
            }
        }
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return TRUE;
        }
        match (self.terms.as_const(a), self.terms.as_const(b)) {
            (Some(Const::Elem(a)), Some(Const::Elem(b))) => {
                if a == b {
                    TRUE
                } else {
                    FALSE
                }
            }
            _ => self.set("equal", vec![a, b]),
        }
    }

    /// The parts of a chain of one operation, in no order unless one of them may go wrong.
    fn together(&mut self, expr: &'g Expr, op: BinaryOp) -> Term {
        let mut leaves = Vec::new();
        let mut open = vec![expr];
        while let Some(next) = open.pop() {
            match &next.kind {
                ExprKind::Binary(own, a, b) if *own == op => open.extend([&**b, &**a]),
                _ => leaves.push(next),
            }
        }
        let asks = matches!(op, BinaryOp::And | BinaryOp::Or);
        let fails = asks && leaves.iter().any(|leaf| self.may_fault(leaf));
        let (idle, decides) = match op {
            BinaryOp::And => (Some(TRUE), Some(FALSE)),
            BinaryOp::Or => (Some(FALSE), Some(TRUE)),
            _ => (None, None),
        };
        let mut parts = Vec::new();
        for leaf in leaves {
            let own = self.value(leaf);
            if Some(own) == decides {
                // What stands before may go wrong.
                if !fails || parts.is_empty() {
                    return own;
                }
            }
            if Some(own) != idle {
                parts.push(own);
            }
        }
        let name = match op {
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Union => "union",
            _ => "intersection",
        };
        match (&parts[..], idle) {
            ([], Some(idle)) => idle,
            ([only], _) => *only,
            _ if fails => self.parts(name, parts),
            _ => self.set(name, parts),
        }
    }

    /// One thing or another; where a variable with few values is asked, what comes of each of them.
    pub(super) fn either(
        &mut self,
        cond: &'g Expr,
        yes: &mut dyn FnMut(&mut Self) -> Term,
        no: &mut dyn FnMut(&mut Self) -> Term,
    ) -> Term {
        if let Some((var, domain)) = self.asks_which(cond) {
            let leaf = self.terms.leaf(Op::Var(var), Type::Elem(domain));
            let mut cases = Vec::new();
            let mut outcomes = Vec::new();
            for member in 0..self.game.domain(domain).len() as u32 {
                self.known.insert(var, member);
                let known = self.known.clone();
                let own = self.either(cond, yes, no);
                self.known = known;
                self.known.remove(&var);
                let name = self.terms.constant(Const::Elem(member), Type::Elem(domain));
                outcomes.push(own);
                let case = self.parts("case", vec![name, own]);
                cases.push(case);
            }
            if outcomes.windows(2).all(|pair| pair[0] == pair[1]) {
                return outcomes[0];
            }
            let cases = self.set("cases", cases);
            return self.parts("which", vec![leaf, cases]);
        }
        let (there, holds) = presence(cond);
        let cond = self.value(cond);
        if cond == TRUE {
            return yes(self);
        }
        if cond == FALSE {
            return no(self);
        }
        let before = (self.known.clone(), self.present.clone());
        self.present.extend(there.filter(|_| holds));
        let yes = yes(self);
        (self.known, self.present) = before.clone();
        self.present.extend(there.filter(|_| !holds));
        let no = no(self);
        (self.known, self.present) = before;
        let (cond, yes, no) = match self.terms.negated(cond) {
            Some(inner) => (inner, no, yes),
            None => (cond, yes, no),
        };
        self.parts("if", vec![cond, yes, no])
    }

    fn is_present(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(var, index) => index.is_empty() && self.present.contains(var),
            _ => false,
        }
    }

    /// A variable of the position with few values, of which a condition asks which it is.
    fn asks_which(&self, cond: &Expr) -> Option<(VarId, DomainId)> {
        let mut found = None;
        cond.walk(&mut |part| {
            let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &part.kind else {
                return;
            };
            for (a, b) in [(a, b), (b, a)] {
                if let (ExprKind::Var(var, index), ExprKind::Const(_)) = (&a.kind, &b.kind)
                    && let Type::Elem(domain) = self.game.var(*var).ty
                    && index.is_empty()
                    && !self.known.contains_key(var)
                    && !self.constants.contains(var)
                    && self.game.domain(domain).len() <= FEW_MEMBERS
                {
                    found = found.min(Some((*var, domain))).or(Some((*var, domain)));
                }
            }
        });
        found
    }
}

/// The variable of which a condition asks whether it names a member, and whether it does where the condition holds.
fn presence(cond: &Expr) -> (Option<VarId>, bool) {
    match &cond.kind {
        ExprKind::IsSome(of) => match &of.kind {
            ExprKind::Var(var, index) if index.is_empty() => (Some(*var), true),
            _ => (None, true),
        },
        ExprKind::Unary(UnaryOp::Not, of) => {
            let (var, holds) = presence(of);
            (var, !holds)
        }
        _ => (None, true),
    }
}
