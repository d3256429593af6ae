//! Variables without a value.

use indexmap::{IndexMap, IndexSet};

use super::{Calls, Role, Root, Shared, reach};
use crate::ast::{Expr, ExprKind, Game, IntPattern, Rule, TemplatePart};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

/// Rules times definitions and roots up to which rules are looked at one by one.
const MAX_WORK: usize = 1_000_000;

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    let game = facts.game;
    let mut roots = Uses::default();
    for root in &facts.roots {
        roots.expr(game, root.expr);
    }
    let definitions: IndexMap<&str, Uses<'_>> = game
        .expressions
        .iter()
        .map(|(name, definition)| (name.as_str(), Uses::of_lines(game, &definition.body)))
        .collect();
    let mut assigned: IndexSet<&str> = roots.assigned.clone();
    assigned.extend(definitions.values().flat_map(|uses| &uses.assigned));
    assigned.extend(
        game.expressions
            .values()
            .flat_map(|definition| &definition.params)
            .map(|param| param.node.as_str()),
    );
    assigned.extend(
        game.rules
            .values()
            .flat_map(|rule| bound_by_patterns(rule, true)),
    );

    let never = |uses: &Uses<'_>, diagnostics: &mut Diagnostics| {
        for (var, span) in &uses.read {
            if !assigned.contains(var) && !facts.lost.contains(var) {
                diagnostics.push(never_assigned(facts, var, *span, &assigned));
            }
        }
    };
    never(&roots, diagnostics);
    for (name, uses) in &definitions {
        let mut findings = Diagnostics::new();
        never(uses, &mut findings);
        facts.report(&game.expressions[*name], findings, diagnostics);
    }
    if facts.lost.is_empty()
        && game
            .rules
            .len()
            .saturating_mul(definitions.len() + facts.roots.len())
            <= MAX_WORK
    {
        unset_in_rules(facts, &definitions, &assigned, diagnostics);
    }
}

fn never_assigned(
    facts: &Shared<'_>,
    var: &str,
    span: Span,
    assigned: &IndexSet<&str>,
) -> Diagnostic {
    let error = Diagnostic::new(
        &codes::NEVER_ASSIGNED,
        span,
        format!("nothing assigns `${var}`"),
    );
    match facts.names.closest(var, assigned.iter().copied()) {
        Some(near) => error.fix(format!("did you mean `${near}`?"), span, format!("${near}")),
        None => error.label("has no value"),
    }
}

pub(super) fn bound_by_patterns(rule: &Rule, with_to: bool) -> impl Iterator<Item = &str> {
    let to = with_to.then_some(&rule.to);
    let patterns = [&rule.element, &rule.from].into_iter().chain(to);
    let patterns = patterns.flat_map(|pattern| pattern.vars());
    let bound = [&rule.state, &rule.player]
        .into_iter()
        .filter_map(|pattern| match pattern {
            Some(IntPattern::Bind(var)) => Some(var),
            _ => None,
        });
    patterns.chain(bound).map(|var| var.node.as_str())
}

/// The variables that lines read, also in what they call.
pub(super) fn read_in<'a>(game: &'a Game, lines: &'a [Expr]) -> IndexSet<&'a str> {
    let mut reached = IndexSet::new();
    for line in lines {
        reach(game, line, Calls::All, &mut reached);
    }
    let called = reached
        .iter()
        .filter_map(|name| game.expressions.get(*name));
    let called = called.map(|definition| definition.body.as_slice());
    let mut read = IndexSet::new();
    for lines in called.chain([lines]) {
        read.extend(Uses::of_lines(game, lines).read.keys());
    }
    read
}

/// Variables read and assigned, without looking into calls.
#[derive(Debug, Default)]
struct Uses<'a> {
    /// Each variable with its first place.
    read: IndexMap<&'a str, Span>,
    assigned: IndexSet<&'a str>,
}

impl<'a> Uses<'a> {
    fn of_lines(game: &'a Game, lines: &'a [Expr]) -> Self {
        let mut uses = Self::default();
        for line in lines {
            uses.expr(game, line);
        }
        uses
    }

    fn expr(&mut self, game: &'a Game, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Var(name) => {
                self.read.entry(name).or_insert(expr.span);
            }
            ExprKind::Str(template) => {
                for part in &template.parts {
                    if let TemplatePart::Var(var) = part {
                        self.read.entry(&var.node).or_insert(var.span);
                    }
                }
            }
            ExprKind::Assign { var, .. } | ExprKind::Loop { var, .. } => {
                self.assigned.insert(&var.node);
            }
            ExprKind::Call { name, .. } => {
                let params = game
                    .expressions
                    .get(&name.node)
                    .map_or(&[][..], |callee| &callee.params);
                self.assigned
                    .extend(params.iter().map(|param| param.node.as_str()));
            }
            _ => {}
        }
        for child in expr.children() {
            self.expr(game, child);
        }
    }
}

/// A part of a move: what it evaluates and in which variables.
struct Stage {
    /// What it is called.
    name: &'static str,
    includes: fn(Role) -> bool,
    /// Whether the variables of `to` have their values.
    to_is_matched: bool,
    calls: Calls,
}

const STAGES: &[Stage] = &[
    Stage {
        name: "`toLocations`",
        includes: |role| role == Role::Targets,
        to_is_matched: false,
        calls: Calls::AtOnce,
    },
    Stage {
        name: "the condition",
        includes: |role| matches!(role, Role::State | Role::Player | Role::Condition),
        to_is_matched: true,
        calls: Calls::AtOnce,
    },
    Stage {
        name: "a move",
        includes: |_| true,
        to_is_matched: true,
        calls: Calls::All,
    },
];

/// Variables that a move of some rule reads though nothing up to there assigns them.
fn unset_in_rules(
    facts: &Shared<'_>,
    definitions: &IndexMap<&str, Uses<'_>>,
    assigned: &IndexSet<&str>,
    diagnostics: &mut Diagnostics,
) {
    // Each finding under its place, with the rules that it concerns.
    let mut found: IndexMap<(Span, &str), (&Stage, Vec<&str>)> = IndexMap::new();
    for rule in facts.game.rules.values() {
        let mut reported = IndexSet::new();
        for stage in STAGES {
            for (var, span) in unset_in_stage(facts, definitions, rule, stage) {
                if assigned.contains(var) && reported.insert((var, span)) {
                    let (_, rules) = found.entry((span, var)).or_insert((stage, Vec::new()));
                    rules.push(&rule.name.node);
                }
            }
        }
    }
    for ((span, var), (stage, rules)) in found {
        diagnostics.push(unset(span, var, stage, &rules));
    }
}

fn unset_in_stage<'a>(
    facts: &Shared<'a>,
    definitions: &IndexMap<&'a str, Uses<'a>>,
    rule: &'a Rule,
    stage: &Stage,
) -> Vec<(&'a str, Span)> {
    let mut uses = Uses::default();
    let mut reached = IndexSet::new();
    let mine = |root: &&Root<'a>| root.rule.is_none_or(|other| std::ptr::eq(other, rule));
    let roots = facts.roots.iter().filter(mine);
    for root in roots.filter(|root| (stage.includes)(root.role)) {
        uses.expr(facts.game, root.expr);
        reach(facts.game, root.expr, stage.calls, &mut reached);
    }
    let called = reached.iter().filter_map(|name| definitions.get(name));
    let parts: Vec<&Uses<'a>> = std::iter::once(&uses).chain(called).collect();
    let mut set: IndexSet<&str> = bound_by_patterns(rule, stage.to_is_matched).collect();
    set.extend(parts.iter().flat_map(|uses| &uses.assigned));
    let reads = parts.iter().flat_map(|uses| &uses.read);
    reads
        .filter(|(var, _)| !set.contains(*var))
        .map(|(var, span)| (*var, *span))
        .collect()
}

fn unset(span: Span, var: &str, stage: &Stage, rules: &[&str]) -> Diagnostic {
    const SHOWN: usize = 4;
    let names: Vec<String> = rules
        .iter()
        .take(SHOWN)
        .map(|rule| format!("`{rule}`"))
        .collect();
    let more = match rules.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!(" and {more} more"),
        _ => String::new(),
    };
    let noun = if rules.len() == 1 { "rule" } else { "rules" };
    let (stage, names) = (stage.name, names.join(", "));
    let message = format!("nothing assigns `${var}` in {stage} of {noun} {names}{more}");
    let warning = Diagnostic::new(&codes::UNSET_IN_RULE, span, message).label("has no value then");
    warning.note(
        "a move starts without variables: patterns bind theirs, nothing is left of earlier moves",
    )
}
