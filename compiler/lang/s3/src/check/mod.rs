//! Everything that can be said about a game before it is lowered.
//!
//! The records come first, then the expressions: names and constants, types, effects in guards, variables. An expression
//! that nothing uses cannot spoil the game, so its errors are reported as one warning.

mod effects;
mod exprs;
mod indexes;
mod kinds;
mod loops;
mod names;
mod records;
mod slips;
mod types;
mod vars;

use indexmap::{IndexMap, IndexSet};

use super::ast::{BinaryOp, Builtin, Definition, Expr, ExprKind, Game, IntPattern, Rule, UnaryOp};
use super::codes;
use super::parse::Lost;
use crate::diag::{Diagnostic, Diagnostics};
use crate::front::Options;
use crate::source::Span;

/// Checks a game that was read with the given losses.
pub(super) fn check(game: &Game, lost: &Lost, options: &Options, diagnostics: &mut Diagnostics) {
    let roots = roots(game);
    let used = used(game, lost, &roots);
    let names = names::Names::new(game, lost);
    let types = types::Types::infer(game, &roots);
    let headers = header_like(game);
    let occurs = |wanted| every_expr(game, &roots).any(|expr| is_call_of(expr, wanted));
    let (owners_change, turns_pass) = (occurs(Builtin::SetOwner), occurs(Builtin::NextPlayer));
    let facts = Shared {
        game,
        lost,
        roots,
        used,
        names,
        types,
        headers,
        owners_change,
        turns_pass,
    };
    records::check(&facts, options, diagnostics);
    exprs::check(&facts, diagnostics);
    effects::check(&facts, diagnostics);
    vars::check(&facts, diagnostics);
    loops::check(&facts, diagnostics);
    slips::check(&facts, diagnostics);
    indexes::check(&facts, diagnostics);
    kinds::check(&facts, diagnostics);
    // What calls an expression may be what is wrong, or left out.
    let mut all = diagnostics.iter();
    if diagnostics.has_errors() || all.any(|found| found.code == &codes::DUPLICATE) {
        diagnostics.retain(|found| found.code != &codes::UNUSED);
    }
}

/// What all checks share.
struct Shared<'a> {
    game: &'a Game,
    lost: &'a Lost,
    roots: Vec<Root<'a>>,
    /// Expressions of the file that a root reaches, or a text that could not be read.
    used: IndexSet<&'a str>,
    names: names::Names<'a>,
    types: types::Types<'a>,
    headers: IndexMap<&'a str, Span>,
    /// Whether any part of the rules gives elements another owner.
    owners_change: bool,
    /// Whether any part of the rules passes the turn.
    turns_pass: bool,
}

/// What an expression outside of [EXPRESSIONS] is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Condition,
    Targets,
    Followup,
    State,
    Player,
    AwardPlayer,
    AwardAmount,
    Situation,
    Winner,
}

/// An expression outside of [EXPRESSIONS].
#[derive(Clone, Copy)]
struct Root<'a> {
    role: Role,
    expr: &'a Expr,
    /// The rule that it belongs to; scorings and ends of the game belong to all rules.
    rule: Option<&'a Rule>,
}

fn roots(game: &Game) -> Vec<Root<'_>> {
    let mut roots = Vec::new();
    for rule in game.rules.values() {
        let mut add = |role, expr| {
            roots.push(Root {
                role,
                expr,
                rule: Some(rule),
            })
        };
        for (role, pattern) in [(Role::State, &rule.state), (Role::Player, &rule.player)] {
            if let Some(IntPattern::Equals(expr)) = pattern {
                add(role, expr);
            }
        }
        rule.condition
            .iter()
            .for_each(|expr| add(Role::Condition, expr));
        rule.targets
            .iter()
            .for_each(|expr| add(Role::Targets, expr));
        for award in &rule.awards {
            add(Role::AwardPlayer, &award.player);
            add(Role::AwardAmount, &award.amount);
        }
        rule.followup
            .iter()
            .for_each(|expr| add(Role::Followup, expr));
    }
    let mut add = |role, expr| {
        roots.push(Root {
            role,
            expr,
            rule: None,
        })
    };
    for scoring in &game.scorings {
        add(Role::Situation, &scoring.situation);
        for award in &scoring.awards {
            add(Role::AwardPlayer, &award.player);
            add(Role::AwardAmount, &award.amount);
        }
    }
    for ending in &game.endings {
        add(Role::Situation, &ending.situation);
        add(Role::Winner, &ending.winner);
    }
    roots
}

fn used<'a>(game: &'a Game, lost: &Lost, roots: &[Root<'a>]) -> IndexSet<&'a str> {
    let mut used = IndexSet::new();
    for (name, definition) in game
        .expressions
        .iter()
        .filter(|(name, _)| lost.contains(name))
    {
        used.insert(name.as_str());
        definition
            .body
            .iter()
            .for_each(|line| reach(game, line, Calls::All, &mut used));
    }
    for root in roots {
        reach(game, root.expr, Calls::All, &mut used);
    }
    used
}

/// Which calls count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    All,
    /// Those that do not stay pending in a list.
    AtOnce,
}

/// Adds the names of the definitions that an expression calls, directly or through others.
fn reach<'a>(game: &'a Game, expr: &'a Expr, calls: Calls, reached: &mut IndexSet<&'a str>) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if let ExprKind::Call { name, .. } = &expr.kind {
            let definition = game.expressions.get(&name.node);
            if let Some(definition) = definition.filter(|_| !reached.contains(name.node.as_str())) {
                reached.insert(&name.node);
                open.extend(&definition.body);
            }
        }
        match &expr.kind {
            ExprKind::Lazy(items) if calls == Calls::AtOnce => {
                for item in items {
                    match &item.kind {
                        ExprKind::Call { args, .. } => open.extend(args),
                        _ => open.push(item),
                    }
                }
            }
            _ => open.extend(expr.children()),
        }
    }
}

/// Every expression of a game with all its parts, in no particular order.
fn every_expr<'a>(game: &'a Game, roots: &[Root<'a>]) -> impl Iterator<Item = &'a Expr> {
    let definitions = game.expressions.values();
    let bodies = definitions.flat_map(|definition| &definition.body);
    let mut open: Vec<&Expr> = bodies.chain(roots.iter().map(|root| root.expr)).collect();
    std::iter::from_fn(move || {
        let expr = open.pop()?;
        open.extend(expr.children());
        Some(expr)
    })
}

fn is_call_of(expr: &Expr, wanted: Builtin) -> bool {
    matches!(&expr.kind, ExprKind::Builtin { builtin, .. } if *builtin == wanted)
}

/// Lines of expressions that look like the header of one that does not exist.
fn header_like(game: &Game) -> IndexMap<&str, Span> {
    let lines = game
        .expressions
        .values()
        .flat_map(|definition| &definition.body);
    let header = |line: &'_ Expr| match &line.kind {
        ExprKind::Call { name, args } if !game.expressions.contains_key(&name.node) => {
            args.iter().all(|arg| matches!(arg.kind, ExprKind::Var(_)))
        }
        _ => false,
    };
    let mut headers = IndexMap::new();
    for line in lines.filter(|line| header(line)) {
        if let ExprKind::Call { name, .. } = &line.kind {
            headers.entry(name.node.as_str()).or_insert(name.span);
        }
    }
    headers
}

impl<'a> Shared<'a> {
    fn every_expr(&self) -> impl Iterator<Item = &'a Expr> {
        every_expr(self.game, &self.roots)
    }

    fn players(&self) -> i32 {
        i32::try_from(self.game.players.len()).unwrap_or(i32::MAX)
    }

    /// Puts what is wrong in a definition among the findings: as it is if something uses the definition.
    fn report(
        &self,
        definition: &Definition,
        findings: Diagnostics,
        diagnostics: &mut Diagnostics,
    ) {
        if self.used.contains(definition.name.node.as_str()) || !findings.has_errors() {
            diagnostics.append(findings);
            return;
        }
        let errors = findings
            .iter()
            .filter(|found| found.severity() == crate::diag::Severity::Error);
        for error in errors {
            let name = &definition.name.node;
            let message = format!("in `{name}`, which is never used: {}", error.message);
            diagnostics.push(Diagnostic {
                code: &codes::UNUSED_FAULTY,
                message,
                ..error.clone()
            });
        }
    }

    fn definitions(&self) -> &'a IndexMap<String, Definition> {
        &self.game.expressions
    }
}

/// The value of an expression of integer constants.
fn constant(expr: &Expr) -> Option<i64> {
    folded(expr).map(i64::from)
}

/// The same with the arithmetic of the language, which wraps around.
fn folded(expr: &Expr) -> Option<i32> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary { op, operand, .. } => match op {
            UnaryOp::Neg => folded(operand).map(i32::wrapping_neg),
            UnaryOp::Abs => folded(operand).map(i32::wrapping_abs),
            UnaryOp::Not => None,
        },
        ExprKind::Binary {
            op, left, right, ..
        } => {
            let (left, right) = (folded(left)?, folded(right)?);
            match op {
                BinaryOp::Add => Some(left.wrapping_add(right)),
                BinaryOp::Sub => Some(left.wrapping_sub(right)),
                BinaryOp::Mul => Some(left.wrapping_mul(right)),
                BinaryOp::Div if right != 0 => Some(left.wrapping_div(right)),
                BinaryOp::Rem if right != 0 => Some(left.wrapping_rem(right)),
                _ => None,
            }
        }
        _ => None,
    }
}
