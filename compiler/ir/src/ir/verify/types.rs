//! The types of expressions.

use super::super::range;
use super::*;

/// The local variables that an expression may name.
pub(super) struct Scope<'a> {
    /// Those that are declared.
    pub(super) locals: &'a [Local],
    /// Those that expressions around bind, innermost last.
    pub(super) bound: Vec<(LocalId, Type)>,
    /// Whether expressions may bind variables that are not declared.
    pub(super) binds_any: bool,
    pub(super) depth: u32,
}

impl<'a> Scope<'a> {
    /// The scope of a function.
    pub(super) fn function(locals: &'a [Local]) -> Scope<'a> {
        Scope {
            locals,
            bound: Vec::new(),
            binds_any: false,
            depth: 0,
        }
    }

    /// The scope of an expression outside functions, which sees values of these types.
    pub(super) fn outside(types: &[Type]) -> Scope<'a> {
        let values = types.iter().cloned().enumerate();
        Scope {
            bound: values.map(|(i, ty)| (LocalId::from(i), ty)).collect(),
            binds_any: true,
            ..Scope::function(&[])
        }
    }

    fn get(&self, id: LocalId) -> Option<Type> {
        let bound = self.bound.iter().rev().find(|(local, _)| *local == id);
        match bound {
            Some((_, ty)) => Some(ty.clone()),
            None => self.locals.get(id.index()).map(|local| local.ty.clone()),
        }
    }
}

/// The smallest type of both kinds of value.
fn join(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => Some(Type::Int {
            lo: *a.min(c),
            hi: *b.max(d),
        }),
        (Type::Seq { item: a, cap: m }, Type::Seq { item: b, cap: n }) => Some(Type::Seq {
            item: Box::new(join(a, b)?),
            cap: *m.max(n),
        }),
        _ => (a == b).then(|| a.clone()),
    }
}

fn int(lo: i64, hi: i64) -> Type {
    Type::Int { lo, hi }
}

fn up_to(count: usize) -> Type {
    int(0, count as i64)
}

impl<'a> Checker<'a> {
    /// Checks an expression and gives the type that it says it has.
    ///
    /// `None` stands for a type that is not worth further errors.
    pub(super) fn expr(&mut self, expr: &'a Expr, scope: &mut Scope<'a>) -> Option<Type> {
        scope.depth += 1;
        if scope.depth > MAX_NESTING {
            let text = format_args!("it nests deeper than {MAX_NESTING}");
            self.error(expr.span, text);
            scope.depth -= 1;
            return None;
        }
        let known = self.known_type(&expr.ty, expr.span);
        let computed = self.computed(expr, scope);
        scope.depth -= 1;
        if !known {
            return None;
        }
        if let Some(computed) = computed
            && !expr.ty.contains(&computed)
        {
            let (is, said) = (self.type_text(&computed), self.type_text(&expr.ty));
            let text = format!("the value is of type {is}, but {said} is stated");
            self.error(expr.span, text);
        }
        Some(expr.ty.clone())
    }

    fn exprs(&mut self, exprs: &'a [Expr], scope: &mut Scope<'a>) -> Vec<Option<Type>> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    /// Checks an expression of which every value must be one of the type.
    pub(super) fn expr_in(&mut self, expr: &'a Expr, ty: &Type, scope: &mut Scope<'a>, what: &str) {
        if let Some(given) = self.expr(expr, scope) {
            let fits = ty.contains(&given);
            self.mismatch(fits, &given, ty, expr.span, what);
        }
    }

    /// Checks an expression whose value is of the kind of the type, ranges apart.
    pub(super) fn expr_of(&mut self, expr: &'a Expr, ty: &Type, scope: &mut Scope<'a>, what: &str) {
        if let Some(given) = self.expr(expr, scope) {
            let fits = ty.same_kind(&given);
            self.mismatch(fits, &given, ty, expr.span, what);
        }
    }

    fn mismatch(&mut self, fits: bool, given: &Type, wanted: &Type, span: Span, what: &str) {
        if !fits {
            let (given, wanted) = (self.type_text(given), self.type_text(wanted));
            self.error(
                span,
                format_args!("{what} is of type {given}, not {wanted}"),
            );
        }
    }

    pub(super) fn bool(&mut self, expr: &'a Expr, scope: &mut Scope<'a>, what: &str) {
        self.expr_in(expr, &Type::Bool, scope, what);
    }

    /// Checks a 64-bit integer and gives its range; that of a constant is its value.
    pub(super) fn integer(
        &mut self,
        expr: &'a Expr,
        scope: &mut Scope<'a>,
        what: &str,
    ) -> Option<(i64, i64)> {
        let ty = self.expr(expr, scope)?;
        self.mismatch(ty.int_range().is_some(), &ty, &Type::INT, expr.span, what);
        match expr.as_const() {
            Some(Const::Int(value)) => Some((*value, *value)),
            _ => ty.int_range(),
        }
    }

    fn set_domain(
        &mut self,
        expr: &'a Expr,
        scope: &mut Scope<'a>,
        what: &str,
    ) -> Option<DomainId> {
        match self.expr(expr, scope)? {
            Type::Set(domain) => Some(domain),
            other => self.wrong(expr.span, what, "a set", &other),
        }
    }

    fn opt_domain(
        &mut self,
        expr: &'a Expr,
        scope: &mut Scope<'a>,
        what: &str,
    ) -> Option<DomainId> {
        match self.expr(expr, scope)? {
            Type::Opt(domain) => Some(domain),
            other => self.wrong(expr.span, what, "an optional member", &other),
        }
    }

    fn elem_domain(
        &mut self,
        expr: &'a Expr,
        scope: &mut Scope<'a>,
        what: &str,
    ) -> Option<DomainId> {
        match self.expr(expr, scope)? {
            Type::Elem(domain) => Some(domain),
            other => self.wrong(expr.span, what, "a member", &other),
        }
    }

    fn wrong<T>(&mut self, span: Span, what: &str, wanted: &str, given: &Type) -> Option<T> {
        let given = self.type_text(given);
        self.error(
            span,
            format_args!("{what} is of type {given}, not {wanted}"),
        );
        None
    }

    /// The type of the value, as far as the operands allow it to be known.
    fn computed(&mut self, expr: &'a Expr, scope: &mut Scope<'a>) -> Option<Type> {
        let span = expr.span;
        let game = self.game;
        match &expr.kind {
            ExprKind::Const(value) => {
                if self.known_type_quietly(&expr.ty) {
                    self.check_const(value, &expr.ty, span);
                }
                None
            }
            ExprKind::Local(id) => {
                let ty = scope.get(*id);
                let text = format_args!("there is no local variable {}", id.0);
                self.expect(ty.is_some(), span, text);
                ty
            }
            ExprKind::Env { var, .. } => {
                let found = self.find(&game.env, var.index(), "variable of the environment", span);
                found.map(|var| var.ty.clone())
            }
            ExprKind::Listened => Some(Type::Bool),
            ExprKind::EnvIsSet(var) => {
                self.find(&game.env, var.index(), "variable of the environment", span);
                Some(Type::Bool)
            }
            ExprKind::Var(id, index) => {
                let var = self.find(&game.vars, id.index(), "variable", span);
                self.index(
                    var.map(|var| var.axes.as_slice()),
                    index,
                    false,
                    span,
                    scope,
                );
                var.map(|var| var.ty.clone())
            }
            ExprKind::Lookup(id, index) => {
                let table = self.find(&game.tables, id.index(), "table", span);
                let outside = table.is_some_and(|table| table.outside.is_some());
                let axes = table.map(|table| table.axes.as_slice());
                self.index(axes, index, outside, span, scope);
                table.map(|table| table.ty.clone())
            }
            ExprKind::PlaceOf(id, piece) => {
                let placement = self.placement(*id, span, |form| form != PlacementForm::Anonymous);
                let piece_type = placement.map(|p| Type::Elem(p.pieces));
                self.member(piece, piece_type, scope, "the piece");
                placement.map(|p| Type::Opt(p.places))
            }
            ExprKind::Content(id, place) => {
                let placement = self.placement(*id, span, |form| form != PlacementForm::Many);
                self.member(
                    place,
                    placement.map(|p| Type::Elem(p.places)),
                    scope,
                    "the place",
                );
                placement.map(|p| Type::Opt(p.pieces))
            }
            ExprKind::Contents(id, place) => {
                let placement = self.placement(*id, span, |form| form == PlacementForm::Many);
                self.member(
                    place,
                    placement.map(|p| Type::Elem(p.places)),
                    scope,
                    "the place",
                );
                placement.map(|p| Type::Set(p.pieces))
            }
            ExprKind::Places(id, kind) => {
                let placement = self.placement(*id, span, |form| form == PlacementForm::Anonymous);
                self.member(
                    kind,
                    placement.map(|p| Type::Elem(p.pieces)),
                    scope,
                    "the kind",
                );
                placement.map(|p| Type::Set(p.places))
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, scope),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, scope),
            ExprKind::If(cond, yes, no) => {
                self.bool(cond, scope, "the condition");
                let (yes, no) = (self.expr(yes, scope), self.expr(no, scope));
                self.joined(&yes?, &no?, span)
            }
            _ => self.computed_more(expr, scope),
        }
    }

    fn computed_more(&mut self, expr: &'a Expr, scope: &mut Scope<'a>) -> Option<Type> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Some(a) => {
                let domain = self.elem_domain(a, scope, "the operand")?;
                Some(Type::Opt(domain))
            }
            ExprKind::IsSome(a) => {
                self.opt_domain(a, scope, "the operand");
                Some(Type::Bool)
            }
            ExprKind::Get(a) => Some(Type::Elem(self.opt_domain(a, scope, "the operand")?)),
            ExprKind::OrElse(a, b) => {
                let domain = self.opt_domain(a, scope, "the operand");
                self.member(b, domain.map(Type::Elem), scope, "the other value");
                domain.map(Type::Elem)
            }
            ExprKind::Ordinal(a) => {
                let domain = self.elem_domain(a, scope, "the operand")?;
                let domain = self.game.domain(domain);
                let last = domain.len().saturating_sub(1) as u32;
                Some(int(domain.ordinal(0), domain.ordinal(last)))
            }
            ExprKind::Member(domain, a) => {
                let ty = self.expr(a, scope);
                let number = ty.is_none_or(|ty| ty == Type::Wrap32 || ty.int_range().is_some());
                self.expect(number, a.span, "the ordinal is no integer");
                self.domain(*domain, span)?;
                Some(Type::Opt(*domain))
            }
            ExprKind::ToWrap(a) => {
                self.integer(a, scope, "the operand");
                Some(Type::Wrap32)
            }
            ExprKind::ToInt(a) => {
                self.expr_in(a, &Type::Wrap32, scope, "the operand");
                Some(int(i64::from(i32::MIN), i64::from(i32::MAX)))
            }
            ExprKind::Tag(a) => {
                let ty = self.expr(a, scope)?;
                let scalar = ty.is_scalar() && ty != Type::Tagged;
                self.expect(scalar, span, "only a scalar without a tag can get one");
                Some(Type::Tagged)
            }
            ExprKind::Untag(a) => {
                self.expr_in(a, &Type::Tagged, scope, "the operand");
                self.tag(&expr.ty, span);
                None
            }
            ExprKind::HasTag(ty, a) => {
                self.expr_in(a, &Type::Tagged, scope, "the operand");
                if self.known_type(ty, span) {
                    self.tag(ty, span);
                }
                Some(Type::Bool)
            }
            ExprKind::SetOf(items) => {
                let item = match &expr.ty {
                    Type::Set(domain) => Some(Type::Elem(*domain)),
                    _ => self.wrong(span, "a set", "its own type", &expr.ty),
                };
                for member in items {
                    self.member(member, item.clone(), scope, "a member of the set");
                }
                None
            }
            ExprKind::SeqOf(items) => {
                let item = match &expr.ty {
                    Type::Seq { item, cap } => {
                        let fits = items.len() <= *cap as usize;
                        self.expect(fits, span, "the sequence has more items than it may");
                        Some(item.as_ref().clone())
                    }
                    _ => self.wrong(span, "a sequence", "its own type", &expr.ty),
                };
                for member in items {
                    self.member(member, item.clone(), scope, "an item of the sequence");
                }
                None
            }
            ExprKind::Size(a) => match self.expr(a, scope)? {
                Type::Set(domain) => Some(up_to(self.game.domain(domain).len())),
                Type::Seq { cap, .. } => Some(up_to(cap as usize)),
                other => self.wrong(span, "the operand", "a set or sequence", &other),
            },
            ExprKind::Item(a, at) => {
                self.integer(at, scope, "the position");
                match self.expr(a, scope)? {
                    Type::Seq { item, .. } => Some(*item),
                    other => self.wrong(span, "the operand", "a sequence", &other),
                }
            }
            _ => self.computed_rest(expr, scope),
        }
    }

    fn computed_rest(&mut self, expr: &'a Expr, scope: &mut Scope<'a>) -> Option<Type> {
        let span = expr.span;
        let game = self.game;
        match &expr.kind {
            ExprKind::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(*fold, *local, over, body, scope),
            ExprKind::Collect { local, over, when } => {
                let (item, _) = self.over(over, span, scope)?;
                self.under(*local, &item, when, scope, "the condition");
                match item {
                    Type::Elem(domain) => Some(Type::Set(domain)),
                    other => self.wrong(span, "what is collected", "a member", &other),
                }
            }
            ExprKind::First { local, over, when } => {
                let (item, _) = self.over(over, span, scope)?;
                self.under(*local, &item, when, scope, "the condition");
                let ascending = matches!(**over, Over::Domain(_) | Over::Set(_));
                self.expect(
                    ascending,
                    span,
                    "the first is looked for in a domain or a set",
                );
                match item {
                    Type::Elem(domain) => Some(Type::Opt(domain)),
                    _ => None,
                }
            }
            ExprKind::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let domain = self.opt_domain(start, scope, "the start")?;
                self.map_table(*step, domain, &Type::Opt(domain), span);
                self.under(*local, &Type::Elem(domain), pass, scope, "the predicate");
                Some(match give {
                    WalkGive::Length => up_to(game.domain(domain).len()),
                    WalkGive::Passed | WalkGive::Reached => Type::Set(domain),
                    WalkGive::Last | WalkGive::Stop => Type::Opt(domain),
                })
            }
            ExprKind::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let domain = self.set_domain(from, scope, "the start")?;
                self.map_table(*edges, domain, &Type::Set(domain), span);
                self.under(*local, &Type::Elem(domain), pass, scope, "the predicate");
                Some(Type::Set(domain))
            }
            ExprKind::Call(func, args) => {
                let function = self.arguments(*func, args, span, scope)?;
                let text = "a function without a value is called for its value";
                self.expect(function.ret.is_some(), span, text);
                function.ret.clone()
            }
            ExprKind::Holds(relation, args) => {
                let relation = self.find(&game.relations, relation.index(), "relation", span);
                let params = relation.map(|r| r.params.as_slice());
                let args: Vec<Option<&Expr>> = args.iter().map(Some).collect();
                self.related(params, &args, span, scope);
                Some(Type::Bool)
            }
            ExprKind::Related(relation, args) => {
                let relation = self.find(&game.relations, relation.index(), "relation", span);
                let params = relation.map(|r| r.params.as_slice());
                let open = args.iter().position(Option::is_none);
                let args: Vec<Option<&Expr>> = args.iter().map(Option::as_ref).collect();
                self.related(params, &args, span, scope);
                let one = args.iter().filter(|arg| arg.is_none()).count() == 1;
                self.expect(one, span, "one parameter of the relation must be open");
                Some(Type::Set(*params?.get(open?)?))
            }
            ExprKind::Seen(trail) => {
                let trail = self.find(&game.trails, trail.index(), "trail", span)?;
                Some(up_to(trail.capacity as usize))
            }
            ExprKind::Alike(identity, members) => self.alike(*identity, members, span, scope),
            _ => None,
        }
    }

    fn known_type_quietly(&self, ty: &Type) -> bool {
        match ty {
            Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => {
                domain.index() < self.game.domains.len()
            }
            Type::Seq { item, .. } => self.known_type_quietly(item),
            _ => true,
        }
    }

    fn tag(&mut self, ty: &Type, span: Span) {
        let scalar = ty.is_scalar() && *ty != Type::Tagged && widest(ty);
        let text = "a tag says a scalar type; for integers, all of them";
        self.expect(scalar, span, text);
    }

    pub(super) fn placement(
        &mut self,
        id: PlacementId,
        span: Span,
        form: impl Fn(PlacementForm) -> bool,
    ) -> Option<&'a Placement> {
        let placement = self.find(&self.game.placements, id.index(), "placement", span)?;
        let text = format_args!("placement `{}` has not the form for this", placement.name);
        self.expect(form(placement.form), span, text);
        Some(placement)
    }

    /// Checks an operand whose type is known unless something else is wrong.
    pub(super) fn member(
        &mut self,
        expr: &'a Expr,
        ty: Option<Type>,
        scope: &mut Scope<'a>,
        what: &str,
    ) {
        match ty {
            Some(ty) => self.expr_in(expr, &ty, scope, what),
            None => {
                self.expr(expr, scope);
            }
        }
    }

    /// Checks the indexes of a variable or the arguments of a table.
    pub(super) fn index(
        &mut self,
        axes: Option<&'a [Axis]>,
        index: &'a [Expr],
        outside: bool,
        span: Span,
        scope: &mut Scope<'a>,
    ) {
        let types = self.exprs(index, scope);
        let Some(axes) = axes else {
            return;
        };
        let (given, wanted) = (index.len(), axes.len());
        let text = format_args!("{wanted} indexes are needed, {given} are given");
        self.expect(given == wanted, span, text);
        for ((axis, ty), expr) in axes.iter().zip(types).zip(index) {
            let Some(ty) = ty else {
                continue;
            };
            let fits = match (axis, &ty) {
                (Axis::Domain(domain), Type::Elem(other)) => domain == other,
                (Axis::Domain(domain), Type::Opt(other)) => domain == other && outside,
                (Axis::Range { .. }, Type::Int { .. } | Type::Wrap32) => true,
                _ => false,
            };
            if !fits {
                let text = format!("an index of type {} does not fit", self.type_text(&ty));
                self.expect(fits, expr.span, text);
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &'a Expr, scope: &mut Scope<'a>) -> Option<Type> {
        let ty = self.expr(a, scope)?;
        match (op, &ty) {
            (UnaryOp::Not, Type::Bool)
            | (UnaryOp::Neg | UnaryOp::Abs, Type::Wrap32)
            | (UnaryOp::Complement, Type::Set(_)) => Some(ty),
            (UnaryOp::Neg | UnaryOp::Abs, Type::Int { lo, hi }) => {
                let range = range::unary(op, (*lo, *hi));
                Some(range.map_or(Type::INT, |(lo, hi)| int(lo, hi)))
            }
            _ => self.wrong(a.span, "the operand", "what the operation takes", &ty),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &'a Expr,
        b: &'a Expr,
        scope: &mut Scope<'a>,
    ) -> Option<Type> {
        use BinaryOp::*;
        let (left, right) = (self.expr(a, scope), self.expr(b, scope));
        let (left, right) = (left?, right?);
        let fits = match op {
            And | Or => left == Type::Bool && right == Type::Bool,
            Eq | Ne => left.same_kind(&right),
            Lt | Le | Gt | Ge | Add | Sub | Mul | Div | Rem | RemEuclid | Min | Max => {
                left.same_kind(&right) && matches!(left, Type::Int { .. } | Type::Wrap32)
            }
            Union | Intersect | Minus | UpTo | DownTo | Subset => {
                left == right && matches!(left, Type::Set(_))
            }
            In => match (&left, &right) {
                (Type::Elem(member), Type::Set(domain)) => member == domain,
                (scalar, Type::Seq { item, .. }) => item.same_kind(scalar),
                _ => false,
            },
            Concat | SeqIntersect | SeqMinus | SeqSubset => {
                left.same_kind(&right) && matches!(left, Type::Seq { .. })
            }
        };
        if !fits {
            let (left, right) = (self.type_text(&left), self.type_text(&right));
            let text = format_args!("operands of types {left} and {right} do not fit {op:?}");
            self.error(a.span, text);
            return None;
        }
        Some(match op {
            And | Or | Eq | Ne | Lt | Le | Gt | Ge | Subset | In | SeqSubset => Type::Bool,
            Add | Sub | Mul | Div | Rem | RemEuclid | Min | Max => {
                let ranges = left.int_range().zip(right.int_range());
                let range = ranges.map(|(a, b)| range::binary(op, a, b));
                match range {
                    None => left,
                    Some(range) => range.map_or(Type::INT, |(lo, hi)| int(lo, hi)),
                }
            }
            Union | Intersect | Minus | UpTo | DownTo | SeqIntersect | SeqMinus => left,
            Concat => match (&left, &right, join(&left, &right)?) {
                (Type::Seq { cap: a, .. }, Type::Seq { cap: b, .. }, Type::Seq { item, .. }) => {
                    let cap = a.saturating_add(*b);
                    Type::Seq { item, cap }
                }
                _ => left,
            },
        })
    }

    fn joined(&mut self, a: &Type, b: &Type, span: Span) -> Option<Type> {
        let joined = join(a, b);
        if joined.is_none() {
            let (a, b) = (self.type_text(a), self.type_text(b));
            self.error(
                span,
                format_args!("one value is of type {a}, the other of type {b}"),
            );
        }
        joined
    }

    /// The type of the items, and how many there are at most.
    pub(super) fn over(
        &mut self,
        over: &'a Over,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Option<(Type, i64)> {
        match over {
            Over::Domain(domain) => {
                let len = self.domain(*domain, span)?.len();
                Some((Type::Elem(*domain), len as i64))
            }
            Over::Set(set) => {
                let domain = self.set_domain(set, scope, "what is ranged over")?;
                Some((Type::Elem(domain), self.game.domain(domain).len() as i64))
            }
            Over::Seq(seq) => match self.expr(seq, scope)? {
                Type::Seq { item, cap } => Some((*item, i64::from(cap))),
                other => self.wrong(seq.span, "what is ranged over", "a sequence", &other),
            },
            Over::Range(from, to) => {
                let from_range = self.integer(from, scope, "the first integer");
                let to_range = self.integer(to, scope, "the last integer");
                let ((lo, a), (b, hi)) = (from_range?, to_range?);
                let rounds = (i128::from(hi) - i128::from(lo) + 1).max(0);
                let text = format_args!("the range may have more than {MAX_ROUNDS} members");
                self.expect(rounds <= MAX_ROUNDS, from.span, text);
                Some((int(lo.min(b), hi.max(a)), rounds.min(MAX_ROUNDS) as i64))
            }
        }
    }

    /// Checks a predicate of a bound variable.
    fn under(
        &mut self,
        local: LocalId,
        ty: &Type,
        when: &'a Expr,
        scope: &mut Scope<'a>,
        what: &str,
    ) {
        self.bind(local, ty, when.span, scope);
        self.bool(when, scope, what);
        scope.bound.pop();
    }

    /// Makes a bound variable visible.
    pub(super) fn bind(&mut self, local: LocalId, ty: &Type, span: Span, scope: &mut Scope<'a>) {
        let again = scope.bound.iter().any(|(bound, _)| *bound == local);
        self.expect(!again, span, "a bound variable is bound again inside");
        let ty = match scope.locals.get(local.index()) {
            Some(declared) => {
                let fits = declared.ty.contains(ty);
                self.mismatch(fits, ty, &declared.ty, span, "the bound variable");
                declared.ty.clone()
            }
            None => {
                let text = format_args!("there is no local variable {}", local.0);
                self.expect(scope.binds_any, span, text);
                ty.clone()
            }
        };
        scope.bound.push((local, ty));
    }

    fn fold(
        &mut self,
        fold: Fold,
        local: LocalId,
        over: &'a Over,
        body: &'a Expr,
        scope: &mut Scope<'a>,
    ) -> Option<Type> {
        let (item, rounds) = self.over(over, body.span, scope)?;
        self.bind(local, &item, body.span, scope);
        let value = match fold {
            Fold::Forall | Fold::Exists | Fold::Count => {
                self.bool(body, scope, "the predicate");
                None
            }
            Fold::Sum | Fold::Min | Fold::Max => self.integer(body, scope, "the value"),
        };
        scope.bound.pop();
        match fold {
            Fold::Forall | Fold::Exists => Some(Type::Bool),
            Fold::Count => Some(int(0, rounds)),
            Fold::Min | Fold::Max => value.map(|(lo, hi)| int(lo, hi)),
            Fold::Sum => {
                let (lo, hi) = value?;
                let sum = range::binary(BinaryOp::Mul, (0, rounds), (lo, hi));
                Some(sum.map_or(Type::INT, |(lo, hi)| int(lo, hi)))
            }
        }
    }

    fn map_table(&mut self, id: TableId, domain: DomainId, ty: &Type, span: Span) {
        if let Some(table) = self.find(&self.game.tables, id.index(), "table", span) {
            let fits = table.axes == [Axis::Domain(domain)] && table.ty == *ty;
            let text = format_args!("table `{}` does not lead on from here", table.name);
            self.expect(fits, span, text);
        }
    }

    /// Checks the arguments of a function.
    pub(super) fn arguments(
        &mut self,
        func: FuncId,
        args: &'a [Expr],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Option<&'a Function> {
        let found = self.find(&self.game.functions, func.index(), "function", span);
        let Some(function) = found else {
            self.exprs(args, scope);
            return None;
        };
        let (given, wanted) = (args.len(), function.params);
        let text = format_args!("`{}` takes {wanted} arguments, not {given}", function.name);
        self.expect(given == wanted, span, text);
        let params = function.locals.iter().take(function.params);
        let types: Vec<Type> = params.map(|local| local.ty.clone()).collect();
        for (index, arg) in args.iter().enumerate() {
            self.member(arg, types.get(index).cloned(), scope, "an argument");
        }
        Some(function)
    }

    /// The members whose likeness is asked for: the pieces of the one nest of the identity.
    fn alike(
        &mut self,
        identity: IdentityId,
        members: &'a [Expr],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Option<Type> {
        let identity = self.find(&self.game.identities, identity.index(), "identity", span)?;
        let nests = identity.terms.iter().filter_map(|term| match term {
            IdentityTerm::Nest { placement, .. } => Some(placement),
            _ => None,
        });
        let nests: Vec<&PlacementId> = nests.collect();
        self.expect(nests.len() == 1, span, "the identity has not one nest");
        self.expect(members.len() >= 2, span, "there are no two members");
        let placement = self.game.placements.get(nests.first()?.index());
        let ty = placement.map(|placement| Type::Elem(placement.pieces));
        for member in members {
            self.member(member, ty.clone(), scope, "a member that is compared");
        }
        Some(Type::Bool)
    }

    fn related(
        &mut self,
        params: Option<&'a [DomainId]>,
        args: &[Option<&'a Expr>],
        span: Span,
        scope: &mut Scope<'a>,
    ) {
        for (index, arg) in args.iter().enumerate() {
            let domain = params.and_then(|params| params.get(index));
            if let Some(arg) = arg {
                let ty = domain.map(|domain| Type::Elem(*domain));
                self.member(arg, ty, scope, "an argument of the relation");
            }
        }
        if let Some(params) = params {
            let fits = params.len() == args.len();
            self.expect(fits, span, "the relation has another number of parameters");
        }
    }
}
