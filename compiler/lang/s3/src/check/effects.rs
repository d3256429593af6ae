//! Effects in guards: a condition or `toLocations` that would change the state.
//!
//! Guards are walked through all calls. A branch of an IF whose test is decided by constants is left out: the shared
//! variables of the language are often used as switches, as in `$CHANGING = 0` before a call whose lines flip stones if
//! `$CHANGING == 1`. The constants are those that the guard itself can assign, whatever the order.

use indexmap::{IndexMap, IndexSet};

use super::{Role, Shared};
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind, Game, IntPattern, Rule, UnaryOp};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// Guards times definitions up to which each guard is walked on its own.
const MAX_WORK: usize = 1_000_000;
/// Rounds after which no test counts as decided.
const MAX_ROUNDS: usize = 20;

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    let game = facts.game;
    let is_guard = |role| {
        matches!(
            role,
            Role::Condition | Role::Targets | Role::State | Role::Player
        )
    };
    let mut guards: IndexMap<&str, Vec<(&'static str, &Expr)>> = IndexMap::new();
    for root in facts.roots.iter().filter(|root| is_guard(root.role)) {
        let rule = root.rule.map_or("", |rule| rule.name.node.as_str());
        guards
            .entry(rule)
            .or_default()
            .push((called(root.role), root.expr));
    }
    let mut reported = IndexSet::new();
    if guards.len().saturating_mul(game.expressions.len()) > MAX_WORK {
        let all = guards.into_values().flatten().collect();
        Walk::new(game, all, game.rules.values()).report(&mut reported, diagnostics);
        return;
    }
    for (name, exprs) in guards {
        Walk::new(game, exprs, game.rules.get(name)).report(&mut reported, diagnostics);
    }
}

/// The constants that a variable may hold.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    Some(Vec<Constant>),
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constant {
    Int(i64),
    Bool(bool),
}

/// How the walk came to an expression.
#[derive(Clone, Copy)]
struct Path<'a> {
    /// The definition it stands in, if any.
    within: Option<&'a str>,
    /// The place where the guard itself starts on this way.
    start: Span,
    /// Whether an undecided IF lies before it.
    maybe: bool,
    /// Whether it stands in a list, where another check looks for builtins.
    in_list: bool,
    /// What must not change the state.
    who: &'static str,
}

struct Effect {
    who: &'static str,
    span: Span,
    builtin: Builtin,
    start: Span,
    maybe: bool,
}

struct Walk<'a> {
    game: &'a Game,
    guards: Vec<(&'static str, &'a Expr)>,
    values: IndexMap<&'a str, Values>,
    decide: bool,
    changed: bool,
    /// Definitions of this round and how they were reached; those reached for certain are walked again.
    reached: IndexMap<&'a str, Path<'a>>,
    open: Vec<&'a str>,
    effects: Vec<Effect>,
}

impl<'a> Walk<'a> {
    fn new(
        game: &'a Game,
        guards: Vec<(&'static str, &'a Expr)>,
        rules: impl IntoIterator<Item = &'a Rule>,
    ) -> Self {
        let mut values = IndexMap::new();
        for rule in rules {
            let patterns = [&rule.element, &rule.from, &rule.to]
                .into_iter()
                .flat_map(|pattern| pattern.vars());
            let bound =
                [&rule.state, &rule.player]
                    .into_iter()
                    .filter_map(|pattern| match pattern {
                        Some(IntPattern::Bind(var)) => Some(var),
                        _ => None,
                    });
            values.extend(
                patterns
                    .chain(bound)
                    .map(|var| (var.node.as_str(), Values::Any)),
            );
        }
        Self {
            game,
            guards,
            values,
            decide: true,
            changed: true,
            reached: IndexMap::new(),
            open: Vec::new(),
            effects: Vec::new(),
        }
    }

    fn report(mut self, reported: &mut IndexSet<Span>, diagnostics: &mut Diagnostics) {
        for round in 0..=MAX_ROUNDS {
            if !std::mem::take(&mut self.changed) {
                break;
            }
            self.decide = round < MAX_ROUNDS;
            self.round();
        }
        self.effects.sort_by_key(|effect| effect.maybe);
        for effect in self.effects {
            if reported.insert(effect.span) {
                diagnostics.push(effect.diagnostic());
            }
        }
    }

    fn round(&mut self) {
        self.reached.clear();
        self.effects.clear();
        for (who, guard) in self.guards.clone() {
            self.expr(
                guard,
                Path {
                    within: None,
                    start: guard.span,
                    maybe: false,
                    in_list: false,
                    who,
                },
            );
            while let Some(name) = self.open.pop() {
                let (Some(definition), Some(&path)) =
                    (self.game.expressions.get(name), self.reached.get(name))
                else {
                    continue;
                };
                for line in &definition.body {
                    self.expr(line, path);
                }
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr, path: Path<'a>) {
        match &expr.kind {
            ExprKind::Builtin {
                builtin, name_span, ..
            } if builtin.signature().changes_state && !path.in_list => {
                let Path {
                    start, maybe, who, ..
                } = path;
                let (span, builtin) = (*name_span, *builtin);
                self.effects.push(Effect {
                    who,
                    span,
                    builtin,
                    start,
                    maybe,
                });
            }
            ExprKind::Call { name, args } => {
                self.bind(&name.node, args);
                let start = if path.within.is_none() {
                    name.span
                } else {
                    path.start
                };
                self.call(&name.node, Path { start, ..path });
            }
            ExprKind::Assign { var, value } => {
                let value = constant(value);
                self.assign(&var.node, value);
            }
            ExprKind::Loop { var, .. } => self.assign(&var.node, None),
            ExprKind::If { condition, yes, no } => {
                self.expr(condition, path);
                let decided = if self.decide {
                    self.test(condition)
                } else {
                    None
                };
                let branch = Path {
                    maybe: path.maybe || decided.is_none(),
                    ..path
                };
                if decided != Some(false) {
                    self.expr(yes, branch);
                }
                if decided != Some(true) {
                    self.expr(no, branch);
                }
                return;
            }
            ExprKind::Lazy(items) => {
                let path = Path {
                    in_list: true,
                    ..path
                };
                for item in items {
                    match &item.kind {
                        ExprKind::Call { args, .. } => {
                            args.iter().for_each(|arg| self.expr(arg, path))
                        }
                        _ => self.expr(item, path),
                    }
                }
                return;
            }
            _ => {}
        }
        for child in expr.children() {
            self.expr(child, path);
        }
    }

    fn bind(&mut self, name: &str, args: &[Expr]) {
        let params = self
            .game
            .expressions
            .get(name)
            .map_or(&[][..], |callee| &callee.params);
        for (param, arg) in params.iter().zip(args) {
            self.assign(&param.node, constant(arg));
        }
    }

    fn call(&mut self, name: &'a str, path: Path<'a>) {
        let path = Path {
            within: Some(name),
            in_list: false,
            ..path
        };
        let known = self.reached.get(name);
        if known.is_none_or(|known| known.maybe && !path.maybe) {
            self.reached.insert(name, path);
            self.open.push(name);
        }
    }

    fn assign(&mut self, var: &'a str, value: Option<Constant>) {
        let known = self
            .values
            .entry(var)
            .or_insert_with(|| Values::Some(Vec::new()));
        let Values::Some(values) = known else { return };
        match value {
            Some(value) if values.contains(&value) => return,
            Some(value) if values.len() < 4 => values.push(value),
            _ => *known = Values::Any,
        }
        self.changed = true;
    }

    /// The value of a test that is the same for all values of its variables.
    fn test(&self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Bool(value) => Some(*value),
            ExprKind::Var(_) => {
                let values = self.possible(expr)?;
                agreed(
                    values
                        .into_iter()
                        .map(|value| value == Constant::Bool(true)),
                )
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
                ..
            } => self.test(operand).map(|value| !value),
            ExprKind::Binary {
                op: op @ (BinaryOp::Eq | BinaryOp::Ne),
                left,
                right,
                ..
            } => {
                let (left, right) = (self.possible(left)?, self.possible(right)?);
                let pairs = left.iter().flat_map(|a| right.iter().map(move |b| a == b));
                agreed(pairs).map(|equal| equal == (*op == BinaryOp::Eq))
            }
            ExprKind::Binary {
                op: BinaryOp::And,
                left,
                right,
                ..
            } => match (self.test(left), self.test(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Binary {
                op: BinaryOp::Or,
                left,
                right,
                ..
            } => match (self.test(left), self.test(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn possible(&self, expr: &Expr) -> Option<Vec<Constant>> {
        match &expr.kind {
            ExprKind::Var(name) => match self.values.get(name.as_str())? {
                Values::Some(values) => Some(values.clone()),
                Values::Any => None,
            },
            _ => constant(expr).map(|value| vec![value]),
        }
    }
}

/// The value that all agree on; `None` also if there is none.
fn agreed(mut values: impl Iterator<Item = bool>) -> Option<bool> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

fn constant(expr: &Expr) -> Option<Constant> {
    match expr.kind {
        ExprKind::Bool(value) => Some(Constant::Bool(value)),
        _ => super::constant(expr).map(Constant::Int),
    }
}

impl Effect {
    fn diagnostic(&self) -> Diagnostic {
        let name = self.builtin.signature().name;
        let who = self.who;
        let (code, message) = match self.maybe {
            false => (
                &codes::EFFECT_IN_GUARD,
                format!("{who} must not change the state, as `{name}` does"),
            ),
            true => (
                &codes::MAY_CHANGE_STATE,
                format!("{who} must not change the state, as `{name}` might"),
            ),
        };
        let finding = Diagnostic::new(code, self.span, message);
        let finding = match self.start == self.span || holds(self.start, self.span) {
            true => finding,
            false => finding.also(self.start, "reached from here"),
        };
        finding
            .note("it is evaluated for moves that are never played; effects belong in the followup")
    }
}

/// What a guard is called in a message.
const fn called(role: Role) -> &'static str {
    match role {
        Role::Targets => "`toLocations`",
        Role::State => "`state`",
        Role::Player => "`player`",
        _ => "a condition",
    }
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}
