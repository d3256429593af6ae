//! What rewrites ask of the syntax tree, and ways through it.

use std::collections::{BTreeMap, BTreeSet};

use rulec_ir::source::Span;
use rulec_s3::ast::{
    BinaryOp, Expr, ExprKind, Game, Ident, IntPattern, Template, TemplatePart, Type, UnaryOp,
};

use crate::Random;

/// A name that stands nowhere.
pub(super) fn is(name: String) -> Ident {
    Ident::new(name, Span::default())
}

pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

pub(super) fn not(operand: Expr) -> Expr {
    expr(ExprKind::Unary {
        op: UnaryOp::Not,
        op_span: Span::default(),
        operand: Box::new(operand),
    })
}

/// The parts of a conjunction, each a line.
pub(super) fn lines(line: Expr, body: &mut Vec<Expr>) {
    match line.kind {
        ExprKind::Binary {
            op: BinaryOp::And,
            left,
            right,
            ..
        } => {
            lines(*left, body);
            lines(*right, body);
        }
        _ => body.push(line),
    }
}

/// Whether an expression changes nothing, not even a variable.
pub(super) fn quiet(part: &Expr) -> bool {
    let here = match &part.kind {
        ExprKind::Assign { .. }
        | ExprKind::Call { .. }
        | ExprKind::Loop { .. }
        | ExprKind::Lazy(_) => false,
        ExprKind::Builtin { builtin, .. } => !builtin.signature().changes_state,
        _ => true,
    };
    here && part.children().into_iter().all(quiet)
}

/// Which expressions of the file give truth values.
pub(super) struct Types(BTreeMap<String, bool>);

impl Types {
    pub(super) fn of(game: &Game) -> Types {
        let names = game
            .expressions
            .keys()
            .map(|name| (name.to_lowercase(), true));
        // All do, until one is found that does not.
        let mut types = Types(names.collect());
        loop {
            let others = game.expressions.iter().filter(|(name, definition)| {
                let last = definition.body.last().is_some_and(|line| types.bool(line));
                types.0[&name.to_lowercase()] && !last
            });
            let others: Vec<String> = others.map(|(name, _)| name.to_lowercase()).collect();
            if others.is_empty() {
                return types;
            }
            others.into_iter().for_each(|name| {
                types.0.insert(name, false);
            });
        }
    }

    /// Whether an expression is sure to give a truth value.
    pub(super) fn bool(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Bool(_) | ExprKind::Assign { .. } | ExprKind::Loop { .. } => true,
            ExprKind::Unary { op, .. } => *op == UnaryOp::Not,
            ExprKind::Binary { op, .. } => matches!(
                op,
                BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Gt
                    | BinaryOp::Ge
                    | BinaryOp::Subset
                    | BinaryOp::In
                    | BinaryOp::And
                    | BinaryOp::Or
            ),
            ExprKind::If { yes, no, .. } => self.bool(yes) && self.bool(no),
            ExprKind::Builtin { builtin, .. } => builtin.signature().result == Type::Bool,
            ExprKind::Call { name, .. } => self
                .0
                .get(&name.node.to_lowercase())
                .copied()
                .unwrap_or(false),
            _ => false,
        }
    }
}

/// The expressions that stand in a game by themselves.
pub(super) fn roots(game: &mut Game) -> Vec<&mut Expr> {
    let mut roots: Vec<&mut Expr> = Vec::new();
    for definition in game.expressions.values_mut() {
        roots.extend(&mut definition.body);
    }
    for scoring in &mut game.scorings {
        roots.push(&mut scoring.situation);
        roots.extend(
            scoring
                .awards
                .iter_mut()
                .flat_map(|award| [&mut award.player, &mut award.amount]),
        );
    }
    for ending in &mut game.endings {
        roots.extend([&mut ending.situation, &mut ending.winner]);
    }
    for rule in game.rules.values_mut() {
        roots.extend(&mut rule.condition);
        roots.extend(
            rule.awards
                .iter_mut()
                .flat_map(|award| [&mut award.player, &mut award.amount]),
        );
        roots.extend(&mut rule.followup);
        roots.extend(&mut rule.targets);
        for pattern in [&mut rule.state, &mut rule.player].into_iter().flatten() {
            if let IntPattern::Equals(expr) = pattern {
                roots.push(expr);
            }
        }
    }
    roots
}

fn children(part: &mut Expr) -> Vec<&mut Expr> {
    match &mut part.kind {
        ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Bool(_) | ExprKind::Var(_) => Vec::new(),
        ExprKind::Set(items) | ExprKind::Lazy(items) => items.iter_mut().collect(),
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Assign { value, .. } => vec![value],
        ExprKind::If { condition, yes, no } => vec![condition, yes, no],
        ExprKind::Loop { from, to, body, .. } => vec![from, to, body],
        ExprKind::Builtin { args, .. } | ExprKind::Call { args, .. } => args.iter_mut().collect(),
    }
}

fn within(part: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    // Members of a lazy list are called later, or never.
    if !matches!(part.kind, ExprKind::Lazy(_)) {
        children(part)
            .into_iter()
            .for_each(|child| within(child, f));
        f(part);
    }
}

/// Comes to every expression but those of lazy lists, inner ones first.
pub(super) fn each_expr(game: &mut Game, f: &mut dyn FnMut(&mut Expr)) {
    roots(game).into_iter().for_each(|root| within(root, f));
}

/// Comes to some expressions, drawn at random, one after the other.
pub(super) fn spot(
    game: &mut Game,
    random: &mut Random,
    times: usize,
    f: &mut dyn FnMut(&mut Expr),
) {
    for _ in 0..times {
        let mut count = 0;
        each_expr(game, &mut |_| count += 1);
        let chosen = random.below(count.max(1));
        let mut at = 0;
        each_expr(game, &mut |part| {
            if at == chosen {
                f(part);
            }
            at += 1;
        });
    }
}

fn everywhere(part: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    children(part)
        .into_iter()
        .for_each(|child| everywhere(child, f));
    f(part);
}

fn vars_of(template: &mut Template, f: &mut dyn FnMut(&mut String)) {
    for part in &mut template.parts {
        if let TemplatePart::Var(var) = part {
            f(&mut var.node);
        }
    }
}

/// Comes to every name of a variable.
pub(super) fn each_var(game: &mut Game, f: &mut dyn FnMut(&mut String)) {
    for root in roots(game) {
        everywhere(root, &mut |part| match &mut part.kind {
            ExprKind::Str(template) => vars_of(template, f),
            ExprKind::Var(name) => f(name),
            ExprKind::Assign { var, .. } | ExprKind::Loop { var, .. } => f(&mut var.node),
            _ => {}
        });
    }
    for definition in game.expressions.values_mut() {
        definition
            .params
            .iter_mut()
            .for_each(|param| f(&mut param.node));
    }
    for rule in game.rules.values_mut() {
        [&mut rule.element, &mut rule.from, &mut rule.to]
            .into_iter()
            .for_each(|pattern| vars_of(pattern, f));
        for pattern in [&mut rule.state, &mut rule.player].into_iter().flatten() {
            if let IntPattern::Bind(var) = pattern {
                f(&mut var.node);
            }
        }
    }
}

/// Comes to every name of an expression of the file.
pub(super) fn each_name(game: &mut Game, f: &mut dyn FnMut(&mut String)) {
    for root in roots(game) {
        everywhere(root, &mut |part| {
            if let ExprKind::Call { name, .. } = &mut part.kind {
                f(&mut name.node);
            }
        });
    }
    let definitions = std::mem::take(&mut game.expressions);
    for (_, mut definition) in definitions {
        f(&mut definition.name.node);
        game.expressions
            .insert(definition.name.node.clone(), definition);
    }
}

/// The expressions of the file that an expression calls; nothing if it assigns or writes anything itself.
pub(super) fn calls(part: &Expr) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    match &part.kind {
        ExprKind::Assign { .. } | ExprKind::Lazy(_) => return None,
        ExprKind::Builtin { builtin, .. } if builtin.signature().changes_state => return None,
        ExprKind::Call { name, .. } => {
            names.insert(name.node.to_lowercase());
        }
        _ => {}
    }
    for child in part.children() {
        names.extend(calls(child)?);
    }
    Some(names)
}

/// Variables that are read somewhere where neither a loop around nor a parameter binds them.
pub(super) fn read_outside(game: &Game) -> BTreeSet<String> {
    fn of(part: &Expr, bound: &mut Vec<String>, found: &mut BTreeSet<String>) {
        let mut read = |name: &String, bound: &[String]| {
            if !bound.contains(name) {
                found.insert(name.clone());
            }
        };
        match &part.kind {
            ExprKind::Var(name) => read(name, bound),
            ExprKind::Str(template) => template.vars().for_each(|var| read(&var.node, bound)),
            _ => {}
        }
        if let ExprKind::Loop {
            var,
            from,
            to,
            body,
            ..
        } = &part.kind
        {
            of(from, bound, found);
            of(to, bound, found);
            bound.push(var.node.clone());
            of(body, bound, found);
            bound.pop();
        } else {
            part.children()
                .into_iter()
                .for_each(|child| of(child, bound, found));
        }
    }
    let mut found = BTreeSet::new();
    let mut game = game.clone();
    for definition in game.expressions.values() {
        let mut bound: Vec<String> = definition
            .params
            .iter()
            .map(|param| param.node.clone())
            .collect();
        definition
            .body
            .iter()
            .for_each(|line| of(line, &mut bound, &mut found));
    }
    game.expressions.clear();
    roots(&mut game)
        .into_iter()
        .for_each(|root| of(root, &mut Vec::new(), &mut found));
    found
}

/// Expressions of the file (in small letters) that change nothing but parameters and variables of loops which nothing
/// reads outside, themselves and all that they call.
pub(super) fn called(game: &Game, outside: &BTreeSet<String>) -> BTreeSet<String> {
    let fresh = |name: &String| !outside.contains(name);
    let own = game.expressions.iter().filter_map(|(name, definition)| {
        let mut names = BTreeSet::new();
        for line in &definition.body {
            names.extend(calls(line)?);
        }
        let params = definition.params.iter().all(|param| fresh(&param.node));
        (params && definition.body.iter().all(|line| loops(line, &fresh)))
            .then_some((name.to_lowercase(), names))
    });
    let mut kept: BTreeMap<String, BTreeSet<String>> = own.collect();
    loop {
        let gone = kept
            .iter()
            .find(|(_, names)| names.iter().any(|name| !kept.contains_key(name)));
        let Some(gone) = gone.map(|(name, _)| name.clone()) else {
            return kept.into_keys().collect();
        };
        kept.remove(&gone);
    }
}

fn loops(part: &Expr, fresh: &dyn Fn(&String) -> bool) -> bool {
    let here = match &part.kind {
        ExprKind::Loop { var, .. } => fresh(&var.node),
        _ => true,
    };
    here && part.children().into_iter().all(|child| loops(child, fresh))
}

/// Whether one expression of the file comes to call another.
pub(super) fn reaches(game: &Game, from: &str, to: &str) -> bool {
    let mut open = vec![from.to_lowercase()];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        let definition = game
            .expressions
            .iter()
            .find(|(own, _)| own.to_lowercase() == name);
        let mut names = Vec::new();
        fn all(part: &Expr, names: &mut Vec<String>) {
            if let ExprKind::Call { name, .. } = &part.kind {
                names.push(name.node.to_lowercase());
            }
            part.children()
                .into_iter()
                .for_each(|child| all(child, names));
        }
        definition
            .into_iter()
            .flat_map(|(_, definition)| &definition.body)
            .for_each(|line| all(line, &mut names));
        for name in names {
            if name == to.to_lowercase() {
                return true;
            }
            if seen.insert(name.clone()) {
                open.push(name);
            }
        }
    }
    false
}
