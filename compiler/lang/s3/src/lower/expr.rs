//! Expressions: values without effects, and statements for the effects in the order of the language.

mod builtins;
mod comparisons;
mod effects;

use super::Lower;
use super::consts::{Constant, constant};
use super::infer::FULL;
use super::value::{Hole, Mixed, Repr, Text, Val};
use crate::ast::{BinaryOp, Expr as Ast, ExprKind as Kind, Ident, Quantifier, Template, UnaryOp};
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
