//! What is legal and hardly meant: `=` where `==` was, a loop that counts with the variable of the one around it, an
//! expression that always calls itself.

use indexmap::IndexSet;

use super::vars::{bound_by_patterns, read_in};
use super::{Role, Shared};
use crate::ast::{BinaryOp, Definition, Expr, ExprKind, Ident, Rule};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// Calls that are followed to find one that comes back.
const MAX_CALLS: usize = 10_000;

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    for root in &facts.roots {
        loops(root.expr, diagnostics);
        if let (Role::Condition, Some(rule)) = (root.role, root.rule) {
            conditions(root.expr, rule, diagnostics);
        }
    }
    let mut calls = MAX_CALLS;
    for (name, definition) in facts.definitions() {
        definition
            .body
            .iter()
            .for_each(|line| loops(line, diagnostics));
        lines(facts, definition, diagnostics);
        if let Some(span) = comes_back(facts, name, definition, &mut calls) {
            let message = format!("`{name}` calls itself before anything can end it");
            let warning = Diagnostic::new(&codes::CALLS_ITSELF, span, message);
            diagnostics.push(warning.help("test first where it ends, as in `IF(done, true, ...)`"));
        }
    }
}

/// Assignments in the condition of a rule to variables that its patterns bind, of what they bind.
fn conditions(expr: &Expr, rule: &Rule, diagnostics: &mut Diagnostics) {
    let bound: IndexSet<&str> = bound_by_patterns(rule, true).collect();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        open.extend(expr.children());
        if let Some((var, _)) = copied(expr, &bound) {
            diagnostics.push(assigns(var, expr.span, rule));
        }
    }
}

/// The same in a line of an expression, where nothing behind it reads the variable.
fn lines(facts: &Shared<'_>, definition: &Definition, diagnostics: &mut Diagnostics) {
    let is_param = |var: &str| definition.params.iter().any(|param| param.node == var);
    for line in &definition.body {
        decided(facts, definition, line, diagnostics);
    }
    for (at, line) in definition.body.iter().enumerate() {
        let ExprKind::Assign { var, .. } = &line.kind else {
            continue;
        };
        let rules = facts.game.rules.values();
        let binds = |rule: &&Rule| {
            let bound: IndexSet<&str> = bound_by_patterns(rule, true).collect();
            copied(line, &bound).is_some_and(|(_, read)| !read.into_iter().any(is_param))
        };
        let Some(rule) = rules.into_iter().find(binds) else {
            continue;
        };
        let rest = &definition.body[at + 1..];
        if !is_param(&var.node) && !read_in(facts.game, rest).contains(var.node.as_str()) {
            diagnostics.push(assigns(var, line.span, rule));
        }
    }
}

/// The same where an `IF` decides by it: one of its parts is never evaluated.
fn decided(
    facts: &Shared<'_>,
    definition: &Definition,
    line: &Expr,
    diagnostics: &mut Diagnostics,
) {
    let is_param = |var: &str| definition.params.iter().any(|param| param.node == var);
    let mut open = vec![line];
    while let Some(expr) = open.pop() {
        open.extend(expr.children());
        let ExprKind::If { condition, .. } = &expr.kind else {
            continue;
        };
        let ExprKind::Assign { var, .. } = &condition.kind else {
            continue;
        };
        let binds = |rule: &&Rule| {
            let bound: IndexSet<&str> = bound_by_patterns(rule, true).collect();
            copied(condition, &bound).is_some_and(|(_, read)| !read.into_iter().any(is_param))
        };
        if let Some(rule) = facts.game.rules.values().find(binds) {
            diagnostics.push(assigns(var, condition.span, rule));
        }
    }
}

/// The variable that an assignment changes and those that it reads, where all of them are bound and nothing else is read.
fn copied<'e>(expr: &'e Expr, bound: &IndexSet<&str>) -> Option<(&'e Ident, Vec<&'e str>)> {
    let ExprKind::Assign { var, value } = &expr.kind else {
        return None;
    };
    let mut read = Vec::new();
    let mut open = vec![value.as_ref()];
    while let Some(part) = open.pop() {
        match &part.kind {
            ExprKind::Var(name) => read.push(name.as_str()),
            ExprKind::Int(_) | ExprKind::Unary { .. } | ExprKind::Binary { .. } => {
                open.extend(part.children());
            }
            _ => return None,
        }
    }
    let own = read.contains(&var.node.as_str());
    let known = bound.contains(var.node.as_str()) && read.iter().all(|name| bound.contains(name));
    (known && !read.is_empty() && !own).then_some((var, read))
}

fn assigns(var: &Ident, span: Span, rule: &Rule) -> Diagnostic {
    let name = &var.node;
    let message = format!("this assigns to `${name}`, and is always true");
    let warning = Diagnostic::new(&codes::ASSIGNS, span, message);
    let patterns = [&rule.element, &rule.from, &rule.to];
    let binds = |pattern: &&&crate::ast::Pattern| pattern.vars().any(|bound| bound.node == *name);
    let warning = match patterns.iter().find(binds) {
        Some(pattern) => warning.also(
            pattern.span,
            format!("`${name}` has its value from here already"),
        ),
        None => warning,
    };
    warning.help("write `==` to compare")
}

/// Tells of loops that count with the variable of a loop around them.
fn loops(expr: &Expr, diagnostics: &mut Diagnostics) {
    let mut open: Vec<(&Expr, Vec<&Ident>)> = vec![(expr, Vec::new())];
    while let Some((expr, around)) = open.pop() {
        let ExprKind::Loop {
            var,
            from,
            to,
            body,
            ..
        } = &expr.kind
        else {
            open.extend(expr.children().into_iter().map(|kid| (kid, around.clone())));
            continue;
        };
        if let Some(outer) = around.iter().find(|outer| outer.node == var.node) {
            let message = format!("the loop counts with `${}` of the loop around it", var.node);
            let warning = Diagnostic::new(&codes::SAME_LOOP_VARIABLE, var.span, message);
            let warning = warning.also(outer.span, "the loop around it counts with it here");
            diagnostics.push(warning.help("give the inner loop a variable of its own"));
        }
        open.extend([
            (from.as_ref(), around.clone()),
            (to.as_ref(), around.clone()),
        ]);
        let mut inside = around;
        inside.push(var);
        // Nobody nests more than a few loops, and the scanner allows no more than some hundred.
        open.push((body, inside));
    }
}

/// Where an expression calls what certainly calls it again: followed through what is evaluated first in each.
fn comes_back(
    facts: &Shared<'_>,
    name: &str,
    definition: &Definition,
    left: &mut usize,
) -> Option<Span> {
    let mut seen: IndexSet<&str> = IndexSet::new();
    let mut open: Vec<(&str, Option<Span>)> = first_calls(definition.body.first()?)
        .into_iter()
        .map(|call| (call.node.as_str(), Some(call.span)))
        .collect();
    while let Some((callee, from)) = open.pop() {
        if callee == name {
            return from;
        }
        *left = left.checked_sub(1)?;
        if !seen.insert(callee) {
            continue;
        }
        let body = facts.definitions().get(callee).map(|found| &found.body);
        if let Some(first) = body.and_then(|body| body.first()) {
            let calls = first_calls(first).into_iter();
            open.extend(calls.map(|call| (call.node.as_str(), from)));
        }
    }
    None
}

/// The calls of an expression that are made whatever it finds.
fn first_calls(expr: &Expr) -> Vec<&Ident> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Call { name, args } => {
                found.push(name);
                open.extend(args);
            }
            ExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                left,
                ..
            } => open.push(left),
            ExprKind::If { condition, .. } => open.push(condition),
            ExprKind::Loop { from, to, .. } => open.extend([from.as_ref(), to.as_ref()]),
            ExprKind::Lazy(_) => {}
            _ => open.extend(expr.children()),
        }
    }
    found
}
