//! Expressions: values without effects, and statements for the effects in the order of the language.

use super::Lower;
use super::consts::{Constant, constant};
use super::infer::{Abs, FULL};
use super::names::Dom;
use super::value::{Absent, Hole, Mixed, Repr, Text, Val};
use crate::ast::{
    BinaryOp, Builtin, Expr as Ast, ExprKind as Kind, Ident, Quantifier, Template, UnaryOp,
};
use crate::ir::{
    BinaryOp as Ir, Block, Count, EnvId, Expr, ExprKind, FuncId, Stmt, StmtKind, Type,
    UnaryOp as IrUnary,
};
use crate::source::Span;

impl<'a> Lower<'a> {
    /// The value of an expression; what it does first goes to `out`.
    pub(super) fn any(&mut self, expr: &'a Ast, out: &mut Block) -> Val<'a> {
        match constant(expr) {
            Some(value) => of_constant(&value, expr.span),
            None => self.any_kind(expr, out),
        }
    }

    fn any_kind(&mut self, expr: &'a Ast, out: &mut Block) -> Val<'a> {
        let span = expr.span;
        match &expr.kind {
            Kind::Int(value) => Val::Int(Expr::wrap(*value, span)),
            Kind::Bool(value) => Val::Bool(Expr::bool(*value, span)),
            Kind::Str(template) => Val::Text(self.string(template, out)),
            Kind::Var(name) => self.read(name, span),
            Kind::Set(items) => {
                let items: Vec<&Ast> = items.iter().collect();
                Val::Items(self.all(&items, out))
            }
            Kind::Lazy(items) => self.list(expr, items, out),
            Kind::Unary { op, operand, .. } => self.unary(*op, operand, span, out),
            Kind::Binary {
                op, left, right, ..
            } => self.binary(*op, left, right, span, out),
            Kind::Assign { var, value } => {
                self.assign(var, value, out);
                Val::Bool(Expr::bool(true, span))
            }
            Kind::If { condition, yes, no } => self.choice(expr, [condition, yes, no], out),
            Kind::Loop { .. } => self.quantified(expr, out),
            Kind::Builtin { builtin, args, .. } => self.builtin(*builtin, args, span, out),
            Kind::Call { name, args } => self.call(name, args, span, out),
        }
    }

    /// The values of several expressions, evaluated from left to right.
    pub(super) fn all(&mut self, exprs: &[&'a Ast], out: &mut Block) -> Vec<Val<'a>> {
        let mut vals: Vec<Val<'a>> = Vec::new();
        for expr in exprs {
            let mut block = Block::new();
            let val = self.any(expr, &mut block);
            if !block.is_empty() {
                vals = vals
                    .into_iter()
                    .map(|val| self.keep_val(val, out))
                    .collect();
                out.append(&mut block);
            }
            vals.push(val);
        }
        vals
    }

    fn pair(&mut self, left: &'a Ast, right: &'a Ast, out: &mut Block) -> (Val<'a>, Val<'a>) {
        let mut vals = self.all(&[left, right], out);
        let right = vals.pop().unwrap_or(Val::Never);
        (vals.pop().unwrap_or(Val::Never), right)
    }

    /// Several integers.
    fn ints(&mut self, exprs: &[&'a Ast], out: &mut Block) -> Vec<Expr> {
        let vals = self.all(exprs, out);
        let spans = exprs.iter().map(|expr| expr.span);
        vals.into_iter()
            .zip(spans)
            .map(|(val, span)| self.convert(val, &Repr::Int, span, out))
            .collect()
    }

    /// An integer.
    pub(super) fn int(&mut self, expr: &'a Ast, out: &mut Block) -> Expr {
        let val = self.any(expr, out);
        self.convert(val, &Repr::Int, expr.span, out)
    }

    /// A truth value.
    pub(super) fn bool(&mut self, expr: &'a Ast, out: &mut Block) -> Expr {
        let val = self.any(expr, out);
        self.convert(val, &Repr::Bool, expr.span, out)
    }

    /// A string.
    pub(super) fn text(&mut self, expr: &'a Ast, out: &mut Block) -> Text<'a> {
        let val = self.any(expr, out);
        self.as_text(val, expr.span, out)
    }

    fn as_text(&mut self, val: Val<'a>, span: Span, out: &mut Block) -> Text<'a> {
        match val {
            Val::Text(text) => text,
            Val::Tagged(expr) | Val::Mixed(Mixed { scalar: expr, .. }) => {
                self.untag_text(expr, span)
            }
            Val::Never => Text::Const(String::new()),
            val => {
                self.discard(val, out);
                self.fault("this is not a string", span, out);
                Text::Const(String::new())
            }
        }
    }

    fn string(&mut self, template: &'a Template, out: &mut Block) -> Text<'a> {
        if let Some(text) = template.literal() {
            return Text::Const(text.to_owned());
        }
        let mut holes = Vec::new();
        for var in template.vars() {
            let val = self.read(&var.node, var.span);
            let expr = self.convert(val, &Repr::Int, var.span, out);
            let known = self
                .types
                .vars
                .get(var.node.as_str())
                .and_then(|abs| abs.int);
            holes.push(Hole {
                expr,
                range: known.unwrap_or(FULL),
            });
        }
        Text::Template(template, holes)
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, name: &str, span: Span) -> Val<'a> {
        let Some((env, repr)) = self.env.get(name).cloned() else {
            return Val::Never;
        };
        let expr = Expr::env(env, self.ty(&repr), span);
        match (repr, self.env_sets.get(name)) {
            (Repr::Mixed(item), Some(&set)) => {
                let set = Expr::env(set, self.set_type(&item), span);
                Val::Mixed(Mixed {
                    scalar: expr,
                    set,
                    item: *item,
                })
            }
            (repr, _) => self.val(expr, &repr),
        }
    }

    fn assign(&mut self, var: &'a Ident, value: &'a Ast, out: &mut Block) {
        let val = self.any(value, out);
        self.assign_var(&var.node, val, value.span, out);
    }

    /// Gives a variable a value.
    pub(super) fn assign_var(&mut self, name: &str, val: Val<'a>, span: Span, out: &mut Block) {
        if matches!(val, Val::Never) {
            return;
        }
        let Some((env, repr)) = self.env.get(name).cloned() else {
            return;
        };
        let set = self.env_sets.get(name).copied();
        self.store((env, set), val, &repr, span, out);
    }

    /// Puts a value into a variable of the environment, and into the one beside it that holds its sets.
    fn store(
        &mut self,
        (env, set): (EnvId, Option<EnvId>),
        val: Val<'a>,
        repr: &Repr,
        span: Span,
        out: &mut Block,
    ) {
        let value = match (repr, set) {
            (Repr::Mixed(item), Some(set)) => {
                let mixed = self.mix(val, item, span, out);
                let scalar = self.keep(mixed.scalar, out);
                out.push(Stmt::new(StmtKind::SetEnv(set, mixed.set), span));
                scalar
            }
            _ => self.convert(val, repr, span, out),
        };
        out.push(Stmt::new(StmtKind::SetEnv(env, value), span));
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Ast, span: Span, out: &mut Block) -> Val<'a> {
        match op {
            UnaryOp::Not => Val::Bool(self.bool(operand, out).not().at(span)),
            UnaryOp::Neg => Val::Int(Expr::unary(IrUnary::Neg, self.int(operand, out)).at(span)),
            UnaryOp::Abs => Val::Int(Expr::unary(IrUnary::Abs, self.int(operand, out)).at(span)),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a Ast,
        right: &'a Ast,
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        match op {
            BinaryOp::And | BinaryOp::Or => Val::Bool(self.logic(op, left, right, span, out)),
            BinaryOp::Eq => Val::Bool(self.equal(left, right, span, out)),
            BinaryOp::Ne => Val::Bool(self.equal(left, right, span, out).not().at(span)),
            BinaryOp::In => self.is_in(left, right, span, out),
            BinaryOp::Subset | BinaryOp::SetMinus | BinaryOp::Union | BinaryOp::Intersect => {
                self.sets(op, left, right, span, out)
            }
            _ => {
                let mut sides = self.ints(&[left, right], out);
                let (Some(right), Some(left)) = (sides.pop(), sides.pop()) else {
                    return Val::Never;
                };
                self.integers(op, left, right, span)
            }
        }
    }

    fn integers(&self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Val<'a> {
        let ir = match op {
            BinaryOp::Lt => Ir::Lt,
            BinaryOp::Le => Ir::Le,
            BinaryOp::Gt => Ir::Gt,
            BinaryOp::Ge => Ir::Ge,
            BinaryOp::Sub => Ir::Sub,
            BinaryOp::Mul => Ir::Mul,
            BinaryOp::Div => Ir::Div,
            BinaryOp::Rem => Ir::Rem,
            _ => Ir::Add,
        };
        let expr = Expr::binary(ir, left, right).at(span);
        match expr.ty {
            Type::Bool => Val::Bool(expr),
            _ => Val::Int(expr),
        }
    }

    /// `AND` and `OR`: the right side is evaluated, and has to be a truth value, only if it decides.
    fn logic(
        &mut self,
        op: BinaryOp,
        left: &'a Ast,
        right: &'a Ast,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let is_and = op == BinaryOp::And;
        let a = self.bool(left, out);
        let mut block = Block::new();
        let b = self.bool(right, &mut block);
        if block.is_empty() {
            let ir = if is_and { Ir::And } else { Ir::Or };
            return Expr::binary(ir, a, b).at(span);
        }
        let result = self.local("result", Type::Bool);
        block.push(Stmt::assign(result, b));
        let short = vec![Stmt::assign(result, Expr::bool(!is_and, span))];
        out.push(if is_and {
            Stmt::branch(a, block, short)
        } else {
            Stmt::branch(a, short, block)
        });
        self.get(result, span)
    }

    fn equal(&mut self, left: &'a Ast, right: &'a Ast, span: Span, out: &mut Block) -> Expr {
        let (a, b) = (self.types.of(left), self.types.of(right));
        let (left, right) = self.pair(left, right, out);
        self.same((left, &a), (right, &b), span, out)
    }

    /// Whether two values are equal; those of different types never are.
    pub(super) fn same(
        &mut self,
        (left, a): (Val<'a>, &Abs),
        (right, b): (Val<'a>, &Abs),
        span: Span,
        out: &mut Block,
    ) -> Expr {
        match (left, right) {
            (Val::Int(x), Val::Int(y)) => self.same_int(x, y, span),
            (Val::Bool(x), Val::Bool(y)) => x.equals(y).at(span),
            (Val::List(x), Val::List(y)) => x.equals(y).at(span),
            (Val::Text(x), Val::Text(y)) => self.same_text(x, y, span, out),
            (left @ (Val::Set(..) | Val::Items(_)), right @ (Val::Set(..) | Val::Items(_))) => {
                let (x, y, _) = self.same_items((left, a), (right, b), span, out);
                x.equals(y).at(span)
            }
            (Val::Mixed(x), Val::Mixed(y)) => {
                let (x, y) = (self.keep_mixed(x, out), self.keep_mixed(y, out));
                let both = (Val::Set(x.set, x.item), Val::Set(y.set, y.item));
                let sets = self.same((both.0, a), (both.1, b), span, out);
                let no_set = self.is_set(x.scalar.clone(), span).not();
                let scalars = (Val::Tagged(x.scalar), Val::Tagged(y.scalar));
                let scalars = self.same((scalars.0, a), (scalars.1, b), span, out);
                scalars.and(no_set.or(sets)).at(span)
            }
            (Val::Mixed(x), y @ (Val::Set(..) | Val::Items(_))) => {
                let x = self.keep_mixed(x, out);
                let sets = self.same((Val::Set(x.set, x.item), a), (y, b), span, out);
                self.is_set(x.scalar, span).and(sets).at(span)
            }
            (x @ (Val::Set(..) | Val::Items(_)), Val::Mixed(y)) => {
                let y = self.keep_mixed(y, out);
                let sets = self.same((x, a), (Val::Set(y.set, y.item), b), span, out);
                self.is_set(y.scalar, span).and(sets).at(span)
            }
            (Val::Mixed(x), y) => self.same((Val::Tagged(x.scalar), a), (y, b), span, out),
            (x, Val::Mixed(y)) => self.same((x, a), (Val::Tagged(y.scalar), b), span, out),
            (Val::Tagged(x), Val::Tagged(y)) => {
                let (x, y) = (self.share(x, out), self.share(y, out));
                self.require_known(&x, &y, a, b, span, out);
                x.equals(y).at(span)
            }
            (Val::Tagged(x), Val::Text(y)) | (Val::Text(y), Val::Tagged(x)) => {
                let x = self.keep(x, out);
                let is_text = self.has_tag(Type::Opt(Dom::Name.id()), x.clone(), span);
                let mut block = Block::new();
                let x = self.untag_text(x, span);
                let same = self.same_text(x, y, span, &mut block);
                let result = self.local("result", Type::Bool);
                block.push(Stmt::assign(result, same));
                let differs = vec![Stmt::assign(result, Expr::bool(false, span))];
                out.push(Stmt::branch(is_text, block, differs));
                self.get(result, span)
            }
            (Val::Tagged(x), y @ (Val::Bool(_) | Val::Int(_))) => {
                let y = self.convert(y, &Repr::Tagged, span, out);
                x.equals(y).at(span)
            }
            (x @ (Val::Bool(_) | Val::Int(_)), Val::Tagged(y)) => {
                let x = self.convert(x, &Repr::Tagged, span, out);
                x.equals(y).at(span)
            }
            (left, right) => {
                self.discard(left, out);
                self.discard(right, out);
                Expr::bool(false, span)
            }
        }
    }

    fn keep_mixed(&mut self, mixed: Mixed, out: &mut Block) -> Mixed {
        let (scalar, set) = (self.keep(mixed.scalar, out), self.keep(mixed.set, out));
        Mixed {
            scalar,
            set,
            item: mixed.item,
        }
    }

    /// Whether two integers are equal; a comparison with the player on move is one of players.
    fn same_int(&mut self, x: Expr, y: Expr, span: Span) -> Expr {
        let (x, y) = if x.as_const().is_some() {
            (y, x)
        } else {
            (x, y)
        };
        if let Some(crate::ir::Const::Int(value)) = y.as_const()
            && (1..=self.game.players.len() as i64).contains(value)
            && x.kind == self.player_number(x.span).kind
        {
            let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), x.span);
            let player = Expr::elem(self.out.game.players, (*value - 1) as u32, y.span);
            return turn.equals(player).at(span);
        }
        x.equals(y).at(span)
    }

    /// A fault if two tagged values are both texts that nothing tells apart.
    fn require_known(&mut self, x: &Expr, y: &Expr, a: &Abs, b: &Abs, span: Span, out: &mut Block) {
        let open = |abs: &Abs| abs.text.as_ref().is_some_and(|texts| texts.open);
        if !(open(a) && open(b)) {
            return;
        }
        let name = Type::Opt(Dom::Name.id());
        let known = |expr: &Expr| {
            let is_text = self.has_tag(name.clone(), expr.clone(), span);
            let text = self.untag(expr.clone(), name.clone(), span);
            is_text.not().or(text.is_some())
        };
        let condition = known(x).or(known(y));
        self.require(condition, super::text::UNKNOWN, span, out);
    }

    /// Two sets with their items in one representation.
    fn same_items(
        &mut self,
        (left, a): (Val<'a>, &Abs),
        (right, b): (Val<'a>, &Abs),
        span: Span,
        out: &mut Block,
    ) -> (Expr, Expr, Repr) {
        let mut item = Abs::default();
        for set in [a, b].into_iter().filter_map(|abs| abs.set.as_deref()) {
            item.join(set);
        }
        let item = self.item_repr(&item, span);
        let repr = Repr::Set(Box::new(item.clone()));
        let mut first = self.convert(left, &repr, span, out);
        let mut block = Block::new();
        let second = self.convert(right, &repr, span, &mut block);
        if !block.is_empty() {
            first = self.keep(first, out);
            out.append(&mut block);
        }
        (first, second, item)
    }

    fn is_in(&mut self, left: &'a Ast, right: &'a Ast, span: Span, out: &mut Block) -> Val<'a> {
        let (a, b) = (self.types.of(left), self.types.of(right));
        let (item, set) = self.pair(left, right, out);
        let item = match item {
            Val::Mixed(mixed) => Val::Tagged(mixed.scalar),
            item => item,
        };
        let set = match set {
            Val::Mixed(mixed) => {
                let repr = mixed.item.clone();
                let set = Repr::Set(Box::new(repr.clone()));
                Val::Set(self.convert(Val::Mixed(mixed), &set, span, out), repr)
            }
            set => set,
        };
        Val::Bool(match set {
            Val::Items(items) => self.is_one_of((item, &a), items, &b, span, out),
            Val::Set(set, repr) => self.is_member(item, set, &repr, span, out),
            set => {
                self.discard(item, out);
                let set = self.convert(set, &Repr::Set(Box::new(Repr::Int)), span, out);
                self.discard_expr(set, out);
                Expr::bool(false, span)
            }
        })
    }

    /// Whether a value is in a sequence; what the sequence cannot hold is not.
    fn is_member(
        &mut self,
        item: Val<'a>,
        set: Expr,
        repr: &Repr,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let within = |item: Expr, set: Expr| Expr::binary(Ir::In, item, set).at(span);
        match (item, repr) {
            (Val::Bool(item), Repr::Bool)
            | (Val::Int(item), Repr::Int)
            | (Val::List(item), Repr::List)
            | (Val::Tagged(item), Repr::Tagged) => within(item, set),
            (Val::Text(text), Repr::Text(dom, none)) => {
                let empty = match none {
                    Some(_) => self.same_text(text.clone(), Text::Const(String::new()), span, out),
                    None => Expr::bool(false, span),
                };
                let member = self.member(&text, *dom, span);
                match (&member.ty, none) {
                    (Type::Opt(_), Some(_)) => {
                        let member = self.share(member, out);
                        member.clone().is_some().or(empty).and(within(member, set))
                    }
                    (Type::Opt(_), None) => {
                        let member = self.share(member, out);
                        member.clone().is_some().and(within(member.get(), set))
                    }
                    (_, Some(_)) => within(member.some(), set),
                    (_, None) => within(member, set),
                }
            }
            (Val::Tagged(item), Repr::Bool | Repr::Int) => {
                let item = self.share(item, out);
                let ty = self.ty(repr);
                let fits = self.has_tag(ty.clone(), item.clone(), span);
                fits.and(within(self.untag(item, ty, span), set))
            }
            (item @ (Val::Bool(_) | Val::Int(_) | Val::Text(_)), Repr::Tagged)
            | (item @ Val::Text(_), Repr::List)
            | (item @ Val::Tagged(_), Repr::Text(..)) => {
                let item = self.convert(item, repr, span, out);
                within(item, set)
            }
            (item, _) => {
                self.discard(item, out);
                self.discard_expr(set, out);
                Expr::bool(false, span)
            }
        }
    }

    /// Whether a value is one of those that a set is written with.
    fn is_one_of(
        &mut self,
        (item, a): (Val<'a>, &Abs),
        items: Vec<Val<'a>>,
        b: &Abs,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let item = self.keep_val(item, out);
        let other = b.set.as_deref().cloned().unwrap_or_default();
        let mut any = Expr::bool(false, span);
        for (at, member) in items.into_iter().enumerate() {
            let same = self.same((item.clone(), a), (member, &other), span, out);
            any = if at == 0 { same } else { any.or(same).at(span) };
        }
        any
    }

    fn sets(
        &mut self,
        op: BinaryOp,
        left: &'a Ast,
        right: &'a Ast,
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        let (a, b) = (self.types.of(left), self.types.of(right));
        let (left, right) = self.pair(left, right, out);
        let (left, right, item) = self.same_items((left, &a), (right, &b), span, out);
        let ir = match op {
            BinaryOp::Subset => Ir::SeqSubset,
            BinaryOp::Intersect => Ir::SeqIntersect,
            _ => Ir::SeqMinus,
        };
        if op != BinaryOp::Union {
            let expr = Expr::binary(ir, left, right).at(span);
            return match op {
                BinaryOp::Subset => Val::Bool(expr),
                _ => Val::Set(expr, item),
            };
        }
        let left = self.keep(left, out);
        let right = self.share(right, out);
        let rest = Expr::binary(Ir::SeqMinus, left, right.clone()).at(span);
        Val::Set(Expr::binary(Ir::Concat, right, rest).at(span), item)
    }

    /// `IF`: only one branch is evaluated.
    fn choice(&mut self, expr: &'a Ast, parts: [&'a Ast; 3], out: &mut Block) -> Val<'a> {
        let [condition, yes, no] = parts;
        let test = self.types.of(condition);
        let decision = self.bool(condition, out);
        match (test.yes, test.no) {
            (true, true) => {}
            (false, false) => return Val::Never,
            (is_true, _) => {
                self.discard_expr(decision, out);
                return self.any(if is_true { yes } else { no }, out);
            }
        }
        let abs = self.types.of(expr);
        if abs.is_never() {
            let (mut first, mut second) = (Block::new(), Block::new());
            self.effect(yes, &mut first);
            self.effect(no, &mut second);
            out.push(Stmt::branch(decision, first, second));
            return Val::Never;
        }
        let repr = self.repr(&abs, "the value", expr.span);
        if let Repr::Mixed(item) = repr {
            return self.mixed_choice(decision, (yes, no), *item, expr.span, out);
        }
        let (mut first, mut second) = (Block::new(), Block::new());
        let a = self.value_as(yes, &repr, &mut first);
        let b = self.value_as(no, &repr, &mut second);
        if first.is_empty() && second.is_empty() && a.ty == b.ty {
            let value = Expr::select(decision, a, b).at(expr.span);
            return self.val(value, &repr);
        }
        let result = self.local("result", self.ty(&repr));
        first.push(Stmt::assign(result, a));
        second.push(Stmt::assign(result, b));
        out.push(Stmt::branch(decision, first, second));
        let value = self.get(result, expr.span);
        self.val(value, &repr)
    }

    fn mixed_choice(
        &mut self,
        decision: Expr,
        (yes, no): (&'a Ast, &'a Ast),
        item: Repr,
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        let scalar = self.local("result", Type::Tagged);
        let set = self.local("result_set", self.set_type(&item));
        let mut branch = |expr: &'a Ast| {
            let mut block = Block::new();
            let val = self.any(expr, &mut block);
            let mixed = self.mix(val, &item, expr.span, &mut block);
            block.push(Stmt::assign(scalar, mixed.scalar));
            block.push(Stmt::assign(set, mixed.set));
            block
        };
        let (first, second) = (branch(yes), branch(no));
        out.push(Stmt::branch(decision, first, second));
        Val::Mixed(Mixed {
            scalar: self.get(scalar, span),
            set: self.get(set, span),
            item,
        })
    }

    fn value_as(&mut self, expr: &'a Ast, repr: &Repr, out: &mut Block) -> Expr {
        let val = self.any(expr, out);
        self.convert(val, repr, expr.span, out)
    }

    /// A loop as a value.
    fn quantified(&mut self, expr: &'a Ast, out: &mut Block) -> Val<'a> {
        let Kind::Loop { quantifier, .. } = &expr.kind else {
            return Val::Never;
        };
        let span = expr.span;
        let abs = self.types.of(expr);
        let all = *quantifier == Quantifier::All;
        let decided = if all { !abs.no } else { !abs.yes };
        if decided {
            self.rounds(expr, None, out);
            return Val::Bool(Expr::bool(all, span));
        }
        let result = self.local("result", Type::Bool);
        out.push(Stmt::assign(result, Expr::bool(all, span)));
        self.rounds(expr, Some(result), out);
        Val::Bool(self.get(result, span))
    }

    /// The rounds of a loop; what stops it is noted in `result`.
    fn rounds(&mut self, expr: &'a Ast, result: Option<crate::ir::LocalId>, out: &mut Block) {
        let Kind::Loop {
            quantifier,
            var,
            from,
            to,
            body,
        } = &expr.kind
        else {
            return;
        };
        let span = expr.span;
        let mut bounds = self.ints(&[from, to], out);
        let (Some(last), Some(first)) = (bounds.pop(), bounds.pop()) else {
            return;
        };
        let all = *quantifier == Quantifier::All;
        let charged = self.is_charged(expr);
        let (mut first, mut last) = (integer(first), integer(last));
        if !charged {
            first = self.narrow(first, from, out);
            last = self.narrow(last, to, out);
        }
        let local = self.local(&var.node, hull(&first.ty, &last.ty));
        let mut block = Block::new();
        let value = self.get(local, var.span).to_wrap();
        self.assign_var(&var.node, Val::Int(value), var.span, &mut block);
        let abs = self.types.of(body);
        let stops = if all { abs.no } else { abs.yes };
        if stops || !abs.only_bool() {
            let holds = self.bool(body, &mut block);
            let stop = if all { holds.not() } else { holds };
            let mut leave = Block::new();
            leave.extend(result.map(|result| Stmt::assign(result, Expr::bool(!all, span))));
            leave.push(Stmt::new(StmtKind::Break, span));
            block.push(Stmt::branch(stop, leave, Block::new()));
        } else {
            self.effect(body, &mut block);
        }
        let kind = StmtKind::For {
            local,
            from: first,
            to: last,
            count: Count::Toward,
            body: block,
            charged,
        };
        out.push(Stmt::new(kind, span));
    }

    /// A bound of a loop in a local variable whose type has the range that was inferred.
    fn narrow(&mut self, bound: Expr, expr: &'a Ast, out: &mut Block) -> Expr {
        let Some((lo, hi)) = self
            .types
            .of(expr)
            .int
            .filter(|_| bound.as_const().is_none())
        else {
            return bound;
        };
        let local = self.local(
            "bound",
            Type::Int {
                lo: i64::from(lo),
                hi: i64::from(hi),
            },
        );
        out.push(Stmt::assign(local, bound));
        self.get(local, expr.span)
    }

    /// A call of an expression of the file.
    fn call(&mut self, name: &'a Ident, args: &'a [Ast], span: Span, out: &mut Block) -> Val<'a> {
        let abs = self
            .types
            .calls
            .get(name.node.as_str())
            .cloned()
            .unwrap_or_default();
        let Some(func) = self.pass(name, args, out) else {
            return Val::Never;
        };
        if abs.is_never() {
            out.push(Stmt::call(func, Vec::new(), None, span));
            return Val::Never;
        }
        let repr = self
            .returns
            .get(name.node.as_str())
            .cloned()
            .unwrap_or(Repr::Bool);
        let ty = self.ty(&repr);
        if self.is_pure(&name.node) {
            let value = Expr::new(ExprKind::Call(func, Vec::new()), ty, span);
            return self.val(value, &repr);
        }
        let result = self.local(&name.node, ty);
        out.push(Stmt::call(func, Vec::new(), Some(result), span));
        let value = self.get(result, span);
        match (repr, self.return_sets.get(name.node.as_str())) {
            (Repr::Mixed(item), Some(&set)) => {
                let set = self.keep(Expr::env(set, self.set_type(&item), span), out);
                Val::Mixed(Mixed {
                    scalar: value,
                    set,
                    item: *item,
                })
            }
            (repr, _) => self.val(value, &repr),
        }
    }

    /// Assigns arguments to parameters, one after the other.
    fn pass(&mut self, name: &'a Ident, args: &'a [Ast], out: &mut Block) -> Option<FuncId> {
        let definition = self.game.expressions.get(&name.node)?;
        for (param, arg) in definition.params.iter().zip(args) {
            let val = self.any(arg, out);
            if matches!(val, Val::Never) {
                return None;
            }
            self.assign_var(&param.node, val, arg.span, out);
        }
        let guarded = self
            .guard_funcs
            .get(name.node.as_str())
            .filter(|_| self.guarding);
        guarded.or(self.funcs.get(name.node.as_str())).copied()
    }

    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, expr: &'a Ast, out: &mut Block) {
        if constant(expr).is_some() {
            return;
        }
        match &expr.kind {
            Kind::Assign { var, value } => self.assign(var, value, out),
            Kind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
                ..
            } => {
                self.logic_effect(*op, left, right, out);
            }
            Kind::If { condition, yes, no } => {
                let test = self.types.of(condition);
                let decision = self.bool(condition, out);
                let (mut first, mut second) = (Block::new(), Block::new());
                if test.yes {
                    self.effect(yes, &mut first);
                }
                if test.no {
                    self.effect(no, &mut second);
                }
                self.branch(decision, first, second, out);
            }
            Kind::Loop { .. } => self.rounds(expr, None, out),
            Kind::Call { name, args } if !self.is_pure(&name.node) => {
                if let Some(func) = self.pass(name, args, out) {
                    out.push(Stmt::call(func, Vec::new(), None, expr.span));
                }
            }
            Kind::Builtin { builtin, args, .. } if builtin.signature().changes_state => {
                self.change(*builtin, args, expr.span, false, out);
            }
            _ => {
                let val = self.any(expr, out);
                self.discard(val, out);
            }
        }
    }

    fn logic_effect(&mut self, op: BinaryOp, left: &'a Ast, right: &'a Ast, out: &mut Block) {
        let test = self.types.of(left);
        let needed = if op == BinaryOp::And {
            test.yes
        } else {
            test.no
        };
        let mut block = Block::new();
        if needed {
            match self.types.of(right).only_bool() {
                true => self.effect(right, &mut block),
                false => {
                    let value = self.bool(right, &mut block);
                    self.discard_expr(value, &mut block);
                }
            }
        }
        if block.is_empty() {
            return match test.only_bool() {
                true => self.effect(left, out),
                false => {
                    let value = self.bool(left, out);
                    self.discard_expr(value, out);
                }
            };
        }
        let decision = self.bool(left, out);
        match op {
            BinaryOp::And => self.branch(decision, block, Block::new(), out),
            _ => self.branch(decision, Block::new(), block, out),
        }
    }

    /// One block or the other; a decision between nothing is evaluated for its faults.
    fn branch(&mut self, decision: Expr, yes: Block, no: Block, out: &mut Block) {
        match (yes.is_empty(), no.is_empty()) {
            (true, true) => self.discard_expr(decision, out),
            (true, false) => out.push(Stmt::branch(decision.not(), no, yes)),
            _ => out.push(Stmt::branch(decision, yes, no)),
        }
    }

    /// Leaves the function with the value of an expression; calls in this position come last.
    pub(super) fn give(&mut self, expr: &'a Ast, repr: &Repr, out: &mut Block) {
        match &expr.kind {
            _ if constant(expr).is_some() || !self.has_effects(expr) => {}
            Kind::If { condition, yes, no } => {
                let test = self.types.of(condition);
                if test.yes && test.no {
                    let decision = self.bool(condition, out);
                    let (mut first, mut second) = (Block::new(), Block::new());
                    self.give(yes, repr, &mut first);
                    self.give(no, repr, &mut second);
                    out.push(Stmt::branch(decision, first, second));
                    return;
                }
            }
            Kind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
                ..
            } if self.has_effects(right) && self.types.of(right).only_bool() => {
                let is_and = *op == BinaryOp::And;
                let decision = self.bool(left, out);
                let stop = if is_and { decision.not() } else { decision };
                let short = Val::Bool(Expr::bool(!is_and, expr.span));
                let mut leave = Block::new();
                self.give_val(short, repr, expr.span, &mut leave);
                out.push(Stmt::branch(stop, leave, Block::new()));
                self.give(right, repr, out);
                return;
            }
            _ => {}
        }
        let val = self.any(expr, out);
        self.give_val(val, repr, expr.span, out);
    }

    /// Leaves the function with a value.
    pub(super) fn give_val(&mut self, val: Val<'a>, repr: &Repr, span: Span, out: &mut Block) {
        let value = match (repr, self.gives_set) {
            (Repr::Mixed(item), Some(set)) => {
                let mixed = self.mix(val, item, span, out);
                let scalar = self.keep(mixed.scalar, out);
                out.push(Stmt::new(StmtKind::SetEnv(set, mixed.set), span));
                scalar
            }
            _ => self.convert(val, repr, span, out),
        };
        let ty = self.ty(repr);
        let value = match value.ty == ty {
            true => value,
            false => {
                let result = self.local("result", ty);
                out.push(Stmt::assign(result, value));
                self.get(result, span)
            }
        };
        out.push(Stmt::give(value.at(span)));
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        args: &'a [Ast],
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        if builtin.signature().changes_state {
            return self.change(builtin, args, span, true, out);
        }
        if builtin == Builtin::Player {
            return Val::Int(self.player_number(span));
        }
        if builtin == Builtin::Score {
            return self.score(&args[0], span, out);
        }
        if builtin == Builtin::IndexA {
            return self.index_a(&args[0], &args[1], span, out);
        }
        let text = self.text(&args[0], out);
        match builtin {
            Builtin::Empty => Val::Bool(self.empty(&text, span, out)),
            Builtin::Content => Val::Text(self.content(&text, span, out)),
            Builtin::Location => Val::Text(self.location_of(&text, span, out)),
            Builtin::LocType => Val::Text(self.type_of(&text, Dom::Location, span)),
            Builtin::ElType => Val::Text(self.type_of(&text, Dom::Element, span)),
            Builtin::State => Val::Int(self.cell(self.ids.state, &text, span, out)),
            Builtin::Owner => Val::Int(self.cell(self.ids.owner, &text, span, out)),
            Builtin::ZIndex => {
                let element = self.member(&text, Dom::Element, span);
                let element = self.present(element, "there is no such element", span, out);
                Val::Int(Expr::var(&self.out.game, self.ids.z, vec![element], span))
            }
            Builtin::Index => Val::Int(self.index(1, &text, span, out)),
            _ => Val::Text(self.unindex(&text, span, out)),
        }
    }

    /// The number of the player on move.
    pub(super) fn player_number(&mut self, span: Span) -> Expr {
        let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
        let table = self.player_number_table();
        Expr::lookup(&self.out.game, table, vec![turn], span)
    }

    /// A player by number; a fault if there is none.
    pub(super) fn player(&mut self, number: Expr, span: Span, out: &mut Block) -> Expr {
        let count = self.game.players.len() as i32;
        let players = self.out.game.players;
        if let Some(crate::ir::Const::Int(value)) = number.as_const() {
            if (1..=i64::from(count)).contains(value) {
                return Expr::elem(players, (*value - 1) as u32, span);
            }
            self.fault("there is no such player", span, out);
            return Expr::elem(players, 0, span);
        }
        let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
        if number.kind == self.player_number(number.span).kind {
            return turn;
        }
        let number = self.share(number, out);
        let least = Expr::binary(Ir::Ge, number.clone(), Expr::wrap(1, span));
        let most = Expr::binary(Ir::Le, number.clone(), Expr::wrap(count, span));
        self.require(least.and(most), "there is no such player", span, out);
        let table = self.player_of_table();
        Expr::lookup(&self.out.game, table, vec![number], span)
    }

    fn score(&mut self, arg: &'a Ast, span: Span, out: &mut Block) -> Val<'a> {
        let number = self.int(arg, out);
        let player = self.player(number, span, out);
        Val::Int(Expr::var(
            &self.out.game,
            self.ids.score,
            vec![player],
            span,
        ))
    }

    fn index_a(&mut self, which: &'a Ast, arg: &'a Ast, span: Span, out: &mut Block) -> Val<'a> {
        let (number, text) = self.pair(which, arg, out);
        let number = self.convert(number, &Repr::Int, which.span, out);
        let text = self.as_text(text, arg.span, out);
        Val::Int(match number.as_const() {
            Some(crate::ir::Const::Int(value)) => self.index(*value as i32, &text, span, out),
            _ => self.any_index(number, &text, span, out),
        })
    }

    /// What stands on a location: absent on an empty one and on what is none.
    fn content(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Text<'a> {
        let place = self.member(text, Dom::Location, span);
        let expr = match place.ty {
            Type::Elem(_) => Expr::content(&self.out.game, self.ids.at, place).at(span),
            _ if place.as_const().is_some() => Expr::none(Dom::Element.id(), span),
            _ => {
                let place = self.share(place, out);
                let content = Expr::content(&self.out.game, self.ids.at, place.clone().get());
                let nothing = Expr::none(Dom::Element.id(), span);
                Expr::select(place.is_some(), content.at(span), nothing).at(span)
            }
        };
        Text::Member(Dom::Element, Some(Absent::Empty), expr)
    }

    /// Whether a location is empty; true for what is none.
    fn empty(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Expr {
        let place = self.member(text, Dom::Location, span);
        if place.as_const().is_some() && matches!(place.ty, Type::Opt(_)) {
            return Expr::bool(true, span);
        }
        self.vacant(place, span, out)
    }

    /// Whether nothing stands on a location, present or not.
    fn vacant(&mut self, place: Expr, span: Span, out: &mut Block) -> Expr {
        if matches!(place.ty, Type::Elem(_)) {
            let content = Expr::content(&self.out.game, self.ids.at, place);
            return content.is_some().not().at(span);
        }
        let place = self.share(place, out);
        let content = Expr::content(&self.out.game, self.ids.at, place.clone().get());
        place.is_some().and(content.is_some()).not().at(span)
    }

    fn location_of(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Text<'a> {
        let element = self.member(text, Dom::Element, span);
        let expr = match element.ty {
            Type::Elem(_) => Expr::place_of(&self.out.game, self.ids.at, element).at(span),
            _ if element.as_const().is_some() => Expr::none(Dom::Location.id(), span),
            _ => {
                let element = self.share(element, out);
                let place = Expr::place_of(&self.out.game, self.ids.at, element.clone().get());
                let nothing = Expr::none(Dom::Location.id(), span);
                Expr::select(element.is_some(), place.at(span), nothing).at(span)
            }
        };
        Text::Member(Dom::Location, Some(Absent::Empty), expr)
    }

    fn type_of(&mut self, text: &Text<'a>, dom: Dom, span: Span) -> Text<'a> {
        let member = self.member(text, dom, span);
        let to = if dom == Dom::Element {
            Dom::ElementType
        } else {
            Dom::LocationType
        };
        let optional = matches!(member.ty, Type::Opt(_));
        if optional && member.as_const().is_some() {
            return Text::Const(String::new());
        }
        let table = self.type_table(dom, optional);
        let expr = Expr::lookup(&self.out.game, table, vec![member], span);
        Text::Member(to, optional.then_some(Absent::Empty), expr)
    }

    /// The state or owner of an element; -1 without one.
    fn cell(
        &mut self,
        var: crate::ir::VarId,
        text: &Text<'a>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let element = self.member(text, Dom::Element, span);
        if matches!(element.ty, Type::Elem(_)) {
            return Expr::var(&self.out.game, var, vec![element], span).to_wrap();
        }
        let unknown = Expr::wrap(-1, span);
        if element.as_const().is_some() {
            return unknown;
        }
        let element = self.share(element, out);
        let value = Expr::var(&self.out.game, var, vec![element.clone().get()], span).to_wrap();
        Expr::select(element.is_some(), value, unknown).at(span)
    }

    /// A builtin that changes the state.
    fn change(
        &mut self,
        builtin: Builtin,
        args: &'a [Ast],
        span: Span,
        wanted: bool,
        out: &mut Block,
    ) -> Val<'a> {
        if self.guarding {
            self.fault("a condition must not change the state", span, out);
            return Val::Never;
        }
        let done = Val::Bool(Expr::bool(true, span));
        match builtin {
            Builtin::NextPlayer => {
                if self.game.players.len() > 1 {
                    let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
                    let table = self.next_player_table();
                    let next = Expr::lookup(&self.out.game, table, vec![turn], span);
                    out.push(Stmt::set_var(self.ids.turn, Vec::new(), next));
                }
                done
            }
            Builtin::Move => self.move_element(args, span, wanted, out),
            _ => {
                let (text, value) = self.pair(&args[0], &args[1], out);
                let text = self.as_text(text, args[0].span, out);
                let value = self.convert(value, &Repr::Int, args[1].span, out);
                let element = self.member(&text, Dom::Element, args[0].span);
                let element = self.present(element, "there is no such element", span, out);
                self.set_cell(builtin, element, value, &args[1], span, out);
                done
            }
        }
    }

    fn set_cell(
        &mut self,
        builtin: Builtin,
        element: Expr,
        value: Expr,
        arg: &'a Ast,
        span: Span,
        out: &mut Block,
    ) {
        let known = match value.as_const() {
            Some(crate::ir::Const::Int(value)) => Some((*value as i32, *value as i32)),
            _ => self.types.of(arg).int,
        };
        let within = |lo: i32, hi: i32| known.is_some_and(|(a, b)| lo <= a && b <= hi);
        let players = self.game.players.len() as i32;
        let (var, value) = match builtin {
            Builtin::SetZIndex => (self.ids.z, value),
            Builtin::SetOwner => {
                let value = self.share(value, out);
                if !within(0, players) {
                    let most = Expr::wrap(players, span);
                    let message = "there is no such player";
                    self.require_within(&value, 0, most, message, span, out);
                }
                (self.ids.owner, value.to_int())
            }
            _ => {
                let value = self.share(value, out);
                if !within(1, self.least_states()) {
                    let table = self.states_table();
                    let most = Expr::lookup(&self.out.game, table, vec![element.clone()], span);
                    let message = "the element has no such state";
                    self.require_within(&value, 1, most, message, span, out);
                }
                (self.ids.state, value.to_int())
            }
        };
        out.push(Stmt::new(StmtKind::SetVar(var, vec![element], value), span));
    }

    fn require_within(
        &mut self,
        value: &Expr,
        least: i32,
        most: Expr,
        message: &str,
        span: Span,
        out: &mut Block,
    ) {
        let least = Expr::binary(Ir::Ge, value.clone(), Expr::wrap(least, span));
        let most = Expr::binary(Ir::Le, value.clone(), most);
        self.require(least.and(most), message, span, out);
    }

    /// The states that every element has.
    fn least_states(&self) -> i32 {
        let states = |ty: &str| {
            self.game
                .element_types
                .get(ty)
                .map_or(0, |ty| ty.states.node)
        };
        self.game
            .elements
            .values()
            .map(|element| states(&element.ty.node))
            .min()
            .unwrap_or(0)
    }

    fn move_element(
        &mut self,
        args: &'a [Ast],
        span: Span,
        wanted: bool,
        out: &mut Block,
    ) -> Val<'a> {
        let args: Vec<&Ast> = args.iter().collect();
        let vals = self.all(&args, out);
        let mut texts = Vec::new();
        for (val, arg) in vals.into_iter().zip(&args) {
            texts.push(self.as_text(val, arg.span, out));
        }
        let [element, from, to] = texts.as_slice() else {
            return Val::Never;
        };
        let element = self.member(element, Dom::Element, args[0].span);
        let element = self.present(element, "there is no such element", span, out);
        let from = self.member(from, Dom::Location, args[1].span);
        let from = self.present(from, "there is no location to move from", span, out);
        let to = self.member(to, Dom::Location, args[2].span);
        let to = self.present(to, "there is no location to move to", span, out);
        let (element, to) = (self.share(element, out), self.share(to, out));
        let place = Expr::place_of(&self.out.game, self.ids.at, element.clone());
        let message = "the element does not stand where it should move from";
        self.require(place.equals(from.some()).at(span), message, span, out);
        let content = Expr::content(&self.out.game, self.ids.at, to.clone());
        let mut free = content.is_some().not().at(span);
        if wanted {
            let moved = self.local("moved", Type::Bool);
            out.push(Stmt::assign(moved, free));
            free = self.get(moved, span);
        }
        let put = Stmt::new(StmtKind::Put(self.ids.at, element, to), span);
        out.push(Stmt::branch(free.clone(), vec![put], Block::new()));
        Val::Bool(free)
    }
}

/// A constant as a value.
fn of_constant<'a>(value: &Constant, span: Span) -> Val<'a> {
    match value {
        Constant::Int(value) => Val::Int(Expr::wrap(*value, span)),
        Constant::Bool(value) => Val::Bool(Expr::bool(*value, span)),
        Constant::Text(text) => Val::Text(Text::Const(text.clone())),
        Constant::Set(items) => {
            Val::Items(items.iter().map(|item| of_constant(item, span)).collect())
        }
    }
}

/// A wrapping integer as a bound of a loop.
fn integer(expr: Expr) -> Expr {
    match expr.as_const().cloned() {
        Some(crate::ir::Const::Int(value)) => {
            let ty = Type::Int {
                lo: value,
                hi: value,
            };
            Expr::constant(crate::ir::Const::Int(value), ty, expr.span)
        }
        _ => {
            let ty = Type::Int {
                lo: i64::from(i32::MIN),
                hi: i64::from(i32::MAX),
            };
            let span = expr.span;
            Expr::new(ExprKind::ToInt(Box::new(expr)), ty, span)
        }
    }
}

/// The type of the integers between those of two types.
fn hull(a: &Type, b: &Type) -> Type {
    match (a.int_range(), b.int_range()) {
        (Some(a), Some(b)) => Type::Int {
            lo: a.0.min(b.0),
            hi: a.1.max(b.1),
        },
        _ => Type::INT,
    }
}
