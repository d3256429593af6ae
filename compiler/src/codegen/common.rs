//! Common parts of expressions: what an expression computes more than once gets a name.
//!
//! Lowering writes expressions as trees, often the same part many times: the place that a pattern names, asked for
//! whether it exists, what stands there, and of which kind that is. A part is named where it is evaluated in any case and
//! cannot fault, so that nothing is computed that was not before and no fault comes earlier than it did.
//!
//! A member that a condition found present needs no second test behind that condition.

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Body;
use super::code::Code;
use super::declare::address;
use super::names::Case;
use crate::ir::visit::bound_in;
use crate::ir::{BinaryOp, Expr, ExprKind, LocalId, Over, UnaryOp};

/// A number for what an expression computes: equal for expressions that differ in their places only.
pub(super) type Shape = u64;

/// A part of an expression that has a name.
pub(super) struct Known {
    shape: Shape,
    name: Ident,
}

impl Body<'_> {
    /// The name of an expression, if it has one.
    pub(super) fn known(&self, expr: &Expr) -> Option<Code> {
        if self.known.borrow().is_empty() {
            return None;
        }
        let shape = self.shape(expr);
        let known = self.known.borrow();
        let found = known.iter().rev().find(|known| known.shape == shape)?;
        let name = &found.name;
        Some(Code::atom(quote!(#name)))
    }

    /// Names the common parts of an expression: their declarations, and how many there are.
    pub(super) fn name_common(&self, expr: &Expr) -> (TokenStream, usize) {
        let mut lets = TokenStream::new();
        let parts = self.common_parts(expr);
        let mut count = 0;
        for part in parts {
            if self.known(part).is_some() {
                continue;
            }
            let name = self
                .scope
                .borrow_mut()
                .ident(&self.part_name(part), Case::Snake);
            let ty = self.generator.value_type(&part.ty);
            let value = self.expr(part).tokens;
            lets.extend(quote!(let #name: #ty = #value;));
            let shape = self.shape(part);
            self.known.borrow_mut().push(Known { shape, name });
            count += 1;
        }
        (lets, count)
    }

    /// Forgets the latest names.
    pub(super) fn forget(&self, count: usize) {
        let mut known = self.known.borrow_mut();
        let left = known.len().saturating_sub(count);
        known.truncate(left);
    }

    /// The parts of an expression that several others contain and that it evaluates in any case,
    /// inner ones first.
    fn common_parts<'e>(&self, expr: &'e Expr) -> Vec<&'e Expr> {
        let mut graph = Graph::default();
        self.count_uses(expr, &mut graph);
        if graph.uses.values().all(|&uses| uses < 2) {
            return Vec::new();
        }
        let mut strict = Vec::new();
        self.strict(expr, &mut SortedSet::new(), &mut strict);
        let own = self.shape(expr);
        let wanted = |part: &&Expr| {
            let shape = self.shape(part);
            shape != own
                && graph.uses.get(&shape).is_some_and(|&uses| uses > 1)
                && is_worth_a_name(part)
                && !reads_any(part, &graph.bound)
                && !self.faults(part)
        };
        strict.into_iter().filter(wanted).collect()
    }

    /// Counts how many different expressions contain a part.
    fn count_uses(&self, expr: &Expr, graph: &mut Graph) {
        if !graph.visited.insert(self.shape(expr)) {
            return;
        }
        graph.bound.extend(bound_in(expr));
        expr.children(&mut |child| {
            *graph.uses.entry(self.shape(child)).or_default() += 1;
            self.count_uses(child, graph);
        });
    }

    /// The parts that are evaluated whenever the expression is, inner ones first.
    fn strict<'e>(&self, expr: &'e Expr, seen: &mut SortedSet<Shape>, out: &mut Vec<&'e Expr>) {
        if !seen.insert(self.shape(expr)) {
            return;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _)
            | ExprKind::If(first, _, _)
            | ExprKind::OrElse(first, _) => self.strict(first, seen, out),
            ExprKind::Fold { over, .. }
            | ExprKind::Collect { over, .. }
            | ExprKind::First { over, .. } => {
                over_parts(over)
                    .into_iter()
                    .for_each(|part| self.strict(part, seen, out));
            }
            ExprKind::Walk { start: first, .. } | ExprKind::Closure { from: first, .. } => {
                self.strict(first, seen, out);
            }
            _ => expr.children(&mut |child| self.strict(child, seen, out)),
        }
        out.push(expr);
    }

    /// Whether evaluating an expression may fault or work, given what is known to be present.
    fn faults(&self, expr: &Expr) -> bool {
        let effect = self.generator.effects.expr(self.generator.game, expr);
        if !(effect.may_fault || effect.works || effect.fails) {
            return false;
        }
        match &expr.kind {
            ExprKind::Get(member) => !self.is_present(member) || self.faults(member),
            ExprKind::If(cond, yes, no) => {
                self.faults(cond)
                    || self.with_facts(cond, true, || self.faults(yes))
                    || self.with_facts(cond, false, || self.faults(no))
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.faults(a) || self.with_facts(a, true, || self.faults(b))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                self.faults(a) || self.with_facts(a, false, || self.faults(b))
            }
            _ if never_faults_itself(self, expr) => {
                let mut found = false;
                expr.children(&mut |child| found |= self.faults(child));
                found
            }
            _ => true,
        }
    }

    /// Whether an optional member is known to be present here.
    pub(super) fn is_present(&self, member: &Expr) -> bool {
        !self.present.borrow().is_empty() && self.present.borrow().contains(&self.shape(member))
    }

    /// Runs `f` knowing that a condition is true, or false.
    pub(super) fn with_facts<T>(&self, cond: &Expr, holds: bool, f: impl FnOnce() -> T) -> T {
        let before = self.present.borrow().len();
        let mut facts = Vec::new();
        self.facts(cond, holds, &mut facts);
        self.present.borrow_mut().extend(facts);
        let result = f();
        self.present.borrow_mut().truncate(before);
        result
    }

    /// The optional members that are present if a condition is true, or false.
    fn facts(&self, cond: &Expr, holds: bool, facts: &mut Vec<Shape>) {
        match (&cond.kind, holds) {
            (ExprKind::IsSome(member), true) => facts.push(self.shape(member)),
            (ExprKind::Unary(UnaryOp::Not, inner), _) => self.facts(inner, !holds, facts),
            (ExprKind::Binary(BinaryOp::And, a, b), true)
            | (ExprKind::Binary(BinaryOp::Or, a, b), false) => {
                self.facts(a, holds, facts);
                self.facts(b, holds, facts);
            }
            _ => {}
        }
    }

    fn part_name(&self, part: &Expr) -> String {
        let game = self.generator.game;
        match &part.kind {
            ExprKind::Lookup(table, _) => game.table(*table).name.clone(),
            ExprKind::Var(var, _) => game.var(*var).name.clone(),
            ExprKind::Content(..) => String::from("content"),
            ExprKind::Places(..) => String::from("places"),
            ExprKind::PlaceOf(..) => String::from("place"),
            ExprKind::Call(func, _) => format!("{} value", game.function(*func).name),
            _ => String::from("common"),
        }
    }

    /// The shape of an expression.
    pub(super) fn shape(&self, expr: &Expr) -> Shape {
        if let Some(&shape) = self.shapes.borrow().get(&address(expr)) {
            return shape;
        }
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&expr.kind).hash(&mut hasher);
        expr.ty.hash(&mut hasher);
        hash_own(expr, &mut hasher);
        expr.children(&mut |child| self.shape(child).hash(&mut hasher));
        let shape = hasher.finish();
        self.shapes.borrow_mut().insert(address(expr), shape);
        shape
    }
}

/// The parts of an expression, equal ones taken as one.
#[derive(Default)]
struct Graph {
    visited: SortedSet<Shape>,
    /// In how many places of different expressions a part stands.
    uses: SortedMap<Shape, usize>,
    /// Local variables that something in it binds.
    bound: SortedSet<LocalId>,
}

fn over_parts(over: &Over) -> Vec<&Expr> {
    let mut parts = Vec::new();
    over.children(&mut |part| parts.push(part));
    parts
}

fn reads_any(expr: &Expr, locals: &SortedSet<LocalId>) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Local(local) if locals.contains(local));
    });
    found
}

/// Whether computing a part twice costs more than a name.
fn is_worth_a_name(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Env { .. }
        | ExprKind::EnvIsSet(_)
        | ExprKind::Listened => false,
        ExprKind::Var(_, index) => !index.is_empty(),
        ExprKind::Some(inner)
        | ExprKind::ToWrap(inner)
        | ExprKind::ToInt(inner)
        | ExprKind::Ordinal(inner)
        | ExprKind::IsSome(inner)
        | ExprKind::Get(inner)
        | ExprKind::Unary(UnaryOp::Not | UnaryOp::Neg, inner) => is_worth_a_name(inner),
        _ => true,
    }
}

/// Whether a node cannot fault if its operands do not.
fn never_faults_itself(body: &Body<'_>, expr: &Expr) -> bool {
    use BinaryOp::*;
    match &expr.kind {
        ExprKind::IsSome(_)
        | ExprKind::Some(_)
        | ExprKind::Content(..)
        | ExprKind::Contents(..)
        | ExprKind::Places(..)
        | ExprKind::PlaceOf(..)
        | ExprKind::Ordinal(_)
        | ExprKind::Member(..)
        | ExprKind::ToWrap(_)
        | ExprKind::ToInt(_)
        | ExprKind::Tag(_)
        | ExprKind::HasTag(..)
        | ExprKind::Size(_)
        | ExprKind::SetOf(_)
        | ExprKind::OrElse(..)
        | ExprKind::Unary(UnaryOp::Not | UnaryOp::Complement, _)
        | ExprKind::Binary(Eq | Ne | Lt | Le | Gt | Ge | In | Subset, ..) => true,
        ExprKind::Lookup(table, _) => body.generator.game.table(*table).outside.is_some(),
        ExprKind::Var(var, index) => {
            let axes = &body.generator.game.var(*var).axes;
            axes.iter().zip(index).all(|(axis, index)| {
                matches!(
                    (axis, &index.ty),
                    (crate::ir::Axis::Domain(_), crate::ir::Type::Elem(_))
                )
            })
        }
        _ => false,
    }
}

/// Hashes what a node says apart from its kind, type and operands.
fn hash_own(expr: &Expr, hasher: &mut DefaultHasher) {
    match &expr.kind {
        ExprKind::Const(value) => value.hash(hasher),
        ExprKind::Local(local) => local.hash(hasher),
        ExprKind::Env { var, checked } => (var, checked).hash(hasher),
        ExprKind::EnvIsSet(var) => var.hash(hasher),
        ExprKind::Var(var, _) => var.hash(hasher),
        ExprKind::Lookup(table, _) => table.hash(hasher),
        ExprKind::PlaceOf(placement, _)
        | ExprKind::Content(placement, _)
        | ExprKind::Contents(placement, _)
        | ExprKind::Places(placement, _) => placement.hash(hasher),
        ExprKind::Unary(op, _) => op.hash(hasher),
        ExprKind::Binary(op, _, _) => op.hash(hasher),
        ExprKind::Member(domain, _) => domain.hash(hasher),
        ExprKind::HasTag(ty, _) => ty.hash(hasher),
        ExprKind::Fold {
            fold, local, over, ..
        } => {
            (fold, local).hash(hasher);
            hash_over(over, hasher);
        }
        ExprKind::Collect { local, over, .. } | ExprKind::First { local, over, .. } => {
            local.hash(hasher);
            hash_over(over, hasher);
        }
        ExprKind::Walk {
            step, local, give, ..
        } => (step, local, give).hash(hasher),
        ExprKind::Closure { edges, local, .. } => (edges, local).hash(hasher),
        ExprKind::Call(func, _) => func.hash(hasher),
        ExprKind::Holds(relation, _) => relation.hash(hasher),
        ExprKind::Related(relation, args) => {
            relation.hash(hasher);
            args.iter()
                .map(Option::is_some)
                .for_each(|given| given.hash(hasher));
        }
        ExprKind::Seen(trail) => trail.hash(hasher),
        ExprKind::Alike(identity, _) => identity.hash(hasher),
        _ => {}
    }
}

fn hash_over(over: &Over, hasher: &mut DefaultHasher) {
    std::mem::discriminant(over).hash(hasher);
    if let Over::Domain(domain) = over {
        domain.hash(hasher);
    }
}
