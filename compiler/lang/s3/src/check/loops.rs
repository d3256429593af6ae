//! Loops that count beyond the board: with a first or last value for which no location has the name that the body asks for.
//!
//! Only what a loop evaluates before anything else is looked at, since a test before it may keep such values out.

use indexmap::IndexMap;

use super::names::Space;
use super::{Shared, constant};
use crate::ast::{BinaryOp, Expr, ExprKind, Template, TemplatePart};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};

/// Most calls inside each other that are followed.
const MAX_DEPTH: usize = 4;
/// Most places of templates times locations that are compared.
const MAX_WORK: usize = 4_000_000;

pub(super) fn check(facts: &Shared<'_>, diagnostics: &mut Diagnostics) {
    let mut search = Search {
        facts,
        work: 0,
        diagnostics,
    };
    let lines = facts.game.expressions.values();
    let bodies = lines.flat_map(|definition| &definition.body);
    for expr in bodies.chain(facts.roots.iter().map(|root| root.expr)) {
        search.inside(expr);
    }
}

/// The values of variables of the file that are known.
type Known<'a> = IndexMap<&'a str, i64>;

struct Search<'a, 'b> {
    facts: &'b Shared<'a>,
    work: usize,
    diagnostics: &'b mut Diagnostics,
}

impl<'a> Search<'a, '_> {
    /// Looks at all loops of an expression.
    fn inside(&mut self, expr: &'a Expr) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            open.extend(expr.children());
            if let ExprKind::Loop {
                var,
                from,
                to,
                body,
                ..
            } = &expr.kind
            {
                for bound in [from, to] {
                    let Some(value) = constant(bound) else {
                        continue;
                    };
                    let known = Known::from([(var.node.as_str(), value)]);
                    if let Some(name) = self.lost(body, &known, MAX_DEPTH) {
                        let (noun, name) = name;
                        let message = format!(
                            "no {noun} is called `{name}`, and `${}` counts to {value}",
                            var.node
                        );
                        let found = Diagnostic::new(&codes::BEYOND_BOARD, bound.span, message);
                        self.diagnostics.push(found);
                    }
                }
            }
        }
    }

    /// The first name in what is evaluated first that no location has, or that is given on and no element has.
    fn lost(
        &mut self,
        expr: &'a Expr,
        known: &Known<'a>,
        depth: usize,
    ) -> Option<(&'static str, String)> {
        match &expr.kind {
            ExprKind::Str(template) => {
                let name = self.nowhere(template, known, Space::Locations)?;
                Some((Space::Locations.noun(), name))
            }
            ExprKind::If { condition, .. } => self.lost(condition, known, depth),
            ExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                left,
                ..
            } => self.lost(left, known, depth),
            ExprKind::Loop { var, body, .. } => {
                let mut known = known.clone();
                known.shift_remove(var.node.as_str());
                self.lost(body, &known, depth)
            }
            ExprKind::Call { name, args } if depth > 0 => {
                let definition = self.facts.definitions().get(&name.node)?;
                let given = args.iter().find_map(|arg| match &arg.kind {
                    ExprKind::Str(template) => self.nowhere(template, known, Space::Elements),
                    _ => None,
                });
                if let Some(name) = given {
                    return Some((Space::Elements.noun(), name));
                }
                let mut inner = known.clone();
                for (param, arg) in definition.params.iter().zip(args) {
                    let value = match &arg.kind {
                        ExprKind::Var(var) => known.get(var.as_str()).copied(),
                        _ => constant(arg),
                    };
                    match value {
                        Some(value) => inner.insert(&param.node, value),
                        None => inner.shift_remove(param.node.as_str()),
                    };
                }
                self.lost(definition.body.first()?, &inner, depth - 1)
            }
            _ => {
                let children = expr.children();
                children
                    .into_iter()
                    .find_map(|child| self.lost(child, known, depth))
            }
        }
    }

    /// How a name reads with the known values in it, if there are names of its shape in the space, and none is this one.
    fn nowhere(&mut self, template: &Template, known: &Known<'a>, space: Space) -> Option<String> {
        let value = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => Some(text.node.clone()),
            TemplatePart::Var(var) => Some(known.get(var.node.as_str())?.to_string()),
        };
        let uses = |part: &TemplatePart| matches!(part, TemplatePart::Var(var) if known.contains_key(var.node.as_str()));
        let literal = matches!(template.parts.first(), Some(TemplatePart::Text(_)));
        let game = self.facts.game;
        let names: Vec<&str> = match space {
            Space::Locations => game
                .locations
                .values()
                .map(|one| one.name.text.as_str())
                .collect(),
            Space::Elements => game
                .elements
                .values()
                .map(|one| one.name.text.as_str())
                .collect(),
        };
        self.work += names.len() * template.parts.len();
        if !literal || !template.parts.iter().any(uses) || self.work > MAX_WORK {
            return None;
        }
        let filled: Vec<Option<String>> = template.parts.iter().map(value).collect();
        let free = template.parts.iter().map(|part| match part {
            TemplatePart::Text(text) => Some(text.node.clone()),
            TemplatePart::Var(_) => None,
        });
        let free: Vec<Option<String>> = free.collect();
        let has = |parts: &[Option<String>]| names.iter().any(|name| fits(parts, name));
        (has(&free) && !has(&filled)).then(|| {
            let shown = filled.into_iter().zip(&template.parts);
            let shown = shown.map(|(text, part)| match (text, part) {
                (Some(text), _) => text,
                (None, TemplatePart::Var(var)) => format!("${}", var.node),
                (None, TemplatePart::Text(text)) => text.node.clone(),
            });
            shown.collect()
        })
    }
}

/// Whether a name is made of the parts; what is not known stands for a number.
fn fits(parts: &[Option<String>], name: &str) -> bool {
    match parts {
        [] => name.is_empty(),
        [Some(text), rest @ ..] => name
            .strip_prefix(text.as_str())
            .is_some_and(|name| fits(rest, name)),
        [None, rest @ ..] => {
            let digits = name.bytes().take_while(u8::is_ascii_digit).count();
            digits > 0 && fits(rest, &name[digits..])
        }
    }
}
