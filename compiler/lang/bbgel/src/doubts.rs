//! Commands that can be played but are hardly meant: comparisons thrown away, assignments where a question was meant, and
//! conditions that never hold within the bounds of their variables.

use rulec_ir::sorted::SortedMap;

use super::ast::{
    Binary, Decl, Def, Expr, ExprKind, Name, Program, Stmt, StmtKind, Unary, each_stmt, exprs,
};
use super::codes;
use crate::diag::{Diagnostic, Diagnostics};

/// Names that are tried at most whether they keep their first value.
const MOST_NAMES: usize = 200;

/// What values variables have, by their names alone.
pub(super) struct Bounds {
    /// The bounds that every declaration of a name keeps; only names of integers.
    all: SortedMap<String, (i64, i64)>,
    /// Integers that keep their first value.
    kept: SortedMap<String, i64>,
}

impl Bounds {
    /// The bounds of all variables of a board: of several with one name the widest.
    pub(super) fn of<'a>(setup: &'a Program, fields: impl Iterator<Item = &'a Program>) -> Bounds {
        let mut bounds = Bounds {
            all: SortedMap::new(),
            kept: SortedMap::new(),
        };
        let mut texts = vec![setup];
        texts.extend(fields);
        for decl in declarations(setup)
            .into_iter()
            .chain(texts.iter().flat_map(|text| locals(text)))
        {
            let Some(limit) = decl.limit else { continue };
            let own = (-limit - 1, limit);
            let all = bounds.all.entry(decl.name.clone()).or_insert(own);
            *all = (all.0.min(own.0), all.1.max(own.1));
        }
        for (name, value) in first_values(setup, &texts).into_iter().take(MOST_NAMES) {
            bounds.kept.insert(name.clone(), value);
            let all = texts.iter().map(|text| changes(&text.code, &name, &bounds));
            let (open, closed) = all.fold((0, 0), |all, own| (all.0 + own.0, all.1 + own.1));
            // What nothing changes is a setting, and a question for it no mistake.
            if open > 0 || closed == 0 {
                bounds.kept.remove(&name);
            }
        }
        bounds
    }
}

/// The declarations of the blocks of a setup.
fn declarations(setup: &Program) -> Vec<&Decl> {
    let vars = setup.defs.iter().flat_map(|def| {
        let (Def::Game { vars, .. } | Def::Players { vars, .. }) = def;
        vars
    });
    vars.collect()
}

/// The declarations among commands.
fn locals(program: &Program) -> Vec<&Decl> {
    let mut found = Vec::new();
    each_stmt(&program.code, &mut |stmt| {
        if let StmtKind::Decl(decl) = &stmt.kind {
            found.push(decl);
        }
    });
    found
}

/// The integers of the setup that begin with a number, where no other variable has the name.
fn first_values(setup: &Program, texts: &[&Program]) -> Vec<(String, i64)> {
    let all = declarations(setup);
    let mut names: SortedMap<&str, usize> = SortedMap::new();
    let local = texts.iter().flat_map(|text| locals(text));
    for decl in all.iter().copied().chain(local) {
        *names.entry(&decl.name).or_default() += 1;
    }
    let alone = all
        .iter()
        .filter(|decl| decl.limit.is_some() && names[decl.name.as_str()] == 1);
    alone
        .filter_map(|decl| Some((decl.name.clone(), number(&decl.init)?)))
        .collect()
}

/// How many changes of a variable may happen, and how many stand where a condition never holds.
fn changes(code: &[Stmt], name: &str, bounds: &Bounds) -> (usize, usize) {
    let mut found = (0, 0);
    for stmt in code {
        for expr in exprs(stmt) {
            expr.each(&mut |inner| {
                if let ExprKind::Assign(to, _) | ExprKind::Step { name: to, .. } = &inner.kind {
                    found.0 += usize::from(to.name == name);
                }
            });
        }
        if let StmtKind::If(cond, yes, no) = &stmt.kind {
            let yes = changes(yes, name, bounds);
            let no = changes(no.as_deref().unwrap_or_default(), name, bounds);
            let yes = match is_never(cond, bounds) {
                true => (0, yes.0 + yes.1),
                false => yes,
            };
            found = (found.0 + yes.0 + no.0, found.1 + yes.1 + no.1);
        }
    }
    found
}

/// Whether no values within the bounds fulfil a condition, as far as that shows without a look at what `or` joins.
fn is_never(cond: &Expr, bounds: &Bounds) -> bool {
    let mut parts = Vec::new();
    conjuncts(cond, &mut parts);
    parts.retain(|part| !matches!(part.kind, ExprKind::Binary(Binary::Or, ..)));
    let mut told = Diagnostics::new();
    never_all(&parts, bounds, &mut told);
    !has_effect(cond) && !told.is_empty()
}

/// Warns of what stands in commands and is hardly meant.
pub(super) fn check(code: &[Stmt], bounds: &Bounds, out: &mut Diagnostics) {
    each_stmt(code, &mut |stmt| match &stmt.kind {
        StmtKind::Expr(expr) => thrown_away(expr, out),
        StmtKind::If(cond, ..) | StmtKind::ControlIf(cond, ..) => condition(cond, bounds, out),
        _ => {}
    });
}

/// Warns of an end condition that is hardly meant.
pub(super) fn check_setup(setup: &Program, bounds: &Bounds, out: &mut Diagnostics) {
    for def in &setup.defs {
        if let Def::Game { end: Some(end), .. } = def {
            condition(end, bounds, out);
        }
    }
}

/// Whether evaluating it changes a variable, throws a die or asks a player.
fn has_effect(expr: &Expr) -> bool {
    let mut found = false;
    expr.each(&mut |inner| {
        found |= matches!(
            inner.kind,
            ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Roll(_) | ExprKind::ChooseBool
        );
    });
    found
}

/// An expression as a statement whose value nobody needs.
fn thrown_away(expr: &Expr, out: &mut Diagnostics) {
    let message = match &expr.kind {
        ExprKind::Binary(Binary::Eq, left, right) => match &left.kind {
            ExprKind::Name(name) => {
                let message = "this compares two values and throws the answer away";
                let found = Diagnostic::new(&codes::THROWN_AWAY, expr.span, message);
                let help = match simple(right) {
                    Some(right) => format!("`=` assigns: `{name} = {right}`"),
                    None => format!("`=` assigns: `{name} = ...`"),
                };
                out.push(found.help(help));
                return;
            }
            _ if has_effect(expr) => return,
            _ => "this compares two values and throws the answer away",
        },
        // A name alone is told of elsewhere where nothing declares it.
        _ if has_effect(expr) => return,
        _ => "the value of this is thrown away",
    };
    let message = Diagnostic::new(&codes::THROWN_AWAY, expr.span, message);
    out.push(message.help("a statement assigns with `=`, or calls something"));
}

/// How a name or a number is written.
fn simple(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Int(_) | ExprKind::Bool(_) => Some(expr.to_string()),
        _ => None,
    }
}

fn condition(cond: &Expr, bounds: &Bounds, out: &mut Diagnostics) {
    assigned(cond, out);
    let mut parts = Vec::new();
    conjuncts(cond, &mut parts);
    let thrown = parts.into_iter().filter_map(beyond_die);
    thrown.for_each(|found| out.push(found));
    if !has_effect(cond) {
        never(cond, bounds, out);
    }
}

/// Assignments of what is known already where a condition stands.
fn assigned(cond: &Expr, out: &mut Diagnostics) {
    match &cond.kind {
        ExprKind::Unary(Unary::Not, inner) => assigned(inner, out),
        ExprKind::Binary(Binary::And | Binary::Or, left, right) => {
            assigned(left, out);
            assigned(right, out);
        }
        ExprKind::Assign(name, value) => {
            let message = match value.kind {
                ExprKind::Bool(value) => format!("`=` assigns, so this is always {value}"),
                ExprKind::Name(_) => format!("`=` assigns, so this changes `{name}`"),
                _ => return,
            };
            let help = match value.kind {
                ExprKind::Bool(true) => format!("write `{name} == true`, or just `{name}`"),
                ExprKind::Bool(false) => format!("write `{name} == false`, or `not {name}`"),
                _ => format!("write `{name} == {value}`"),
            };
            let found = Diagnostic::new(&codes::ASSIGNED_CONDITION, cond.span, message);
            out.push(found.help(help));
        }
        _ => {}
    }
}

/// Parts of a condition that no value within the bounds fulfils.
fn never(cond: &Expr, bounds: &Bounds, out: &mut Diagnostics) {
    let mut parts = Vec::new();
    conjuncts(cond, &mut parts);
    never_all(&parts, bounds, out);
}

fn never_all(parts: &[&Expr], bounds: &Bounds, out: &mut Diagnostics) {
    let mut known: SortedMap<String, (i64, i64)> = SortedMap::new();
    for part in parts {
        if let ExprKind::Binary(Binary::Or, left, right) = &part.kind {
            never(left, bounds, out);
            never(right, bounds, out);
            continue;
        }
        let Some((name, (low, high))) = comparison(part) else {
            continue;
        };
        let all = (i64::MIN, i64::MAX);
        let kept = bounds.kept.get(&name.name).map(|value| (*value, *value));
        let declared = bounds.all.get(&name.name).copied();
        let declared = kept.or(declared).unwrap_or(all);
        let before = *known.entry(name.to_string()).or_insert(declared);
        if before.0 > before.1 {
            continue;
        }
        let after = (before.0.max(low), before.1.min(high));
        known.insert(name.to_string(), after);
        if after.0 <= after.1 {
            continue;
        }
        let alone = declared.0.max(low) > declared.1.min(high);
        let message = match alone {
            true if kept.is_some() => {
                format!(
                    "`{name}` is {} from the start on, so this never holds",
                    declared.0
                )
            }
            true if low > declared.1 => {
                format!("`{name}` is at most {}, so this never holds", declared.1)
            }
            true => format!("`{name}` is at least {}, so this never holds", declared.0),
            false => format!("with what stands before about `{name}` this never holds"),
        };
        let found = Diagnostic::new(&codes::NEVER_HOLDS, part.span, message);
        out.push(match alone {
            true if kept.is_some() => {
                found.help("begin with another value, or change it where this is not asked before")
            }
            true => found
                .help("raise the bound in braces where the variable is declared, or ask for less"),
            false => found.help("`or` holds if one of its sides does"),
        });
    }
}

/// What must hold all together.
fn conjuncts<'e>(cond: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &cond.kind {
        ExprKind::Binary(Binary::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(cond),
    }
}

/// A number, perhaps with a sign.
fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary(Unary::Minus, inner) => number(inner).map(|value| -value),
        ExprKind::Unary(Unary::Plus, inner) => number(inner),
        _ => None,
    }
}

/// A throw of a die that is compared with what it never shows.
fn beyond_die(expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Binary(op, left, right) = &expr.kind else {
        return None;
    };
    let sides = |expr: &Expr| match &expr.kind {
        ExprKind::Roll(Some(sides)) => number(sides).filter(|sides| *sides > 0),
        _ => None,
    };
    let (sides, value, op) = match (sides(left), number(right), sides(right), number(left)) {
        (Some(sides), Some(value), ..) => (sides, value, *op),
        (.., Some(sides), Some(value)) => (sides, value, turned(*op)),
        _ => return None,
    };
    let never = match op {
        Binary::Eq => !(1..=sides).contains(&value),
        Binary::Gt => value >= sides,
        Binary::Ge => value > sides,
        Binary::Lt => value <= 1,
        Binary::Le => value < 1,
        _ => false,
    };
    let message = format!("this die shows 1 to {sides}, so this never holds");
    never.then(|| Diagnostic::new(&codes::NEVER_HOLDS, expr.span, message))
}

/// A comparison of a variable with a number, as the values that fulfil it.
fn comparison(expr: &Expr) -> Option<(&Name, (i64, i64))> {
    let ExprKind::Binary(op, left, right) = &expr.kind else {
        return None;
    };
    let (name, value, op) = match (&left.kind, number(right), number(left), &right.kind) {
        (ExprKind::Name(name), Some(value), ..) => (name, value, *op),
        (.., Some(value), ExprKind::Name(name)) => (name, value, turned(*op)),
        _ => return None,
    };
    let (least, most) = (i64::MIN, i64::MAX);
    Some((
        name,
        match op {
            Binary::Eq => (value, value),
            Binary::Lt => (least, value - 1),
            Binary::Le => (least, value),
            Binary::Gt => (value + 1, most),
            Binary::Ge => (value, most),
            _ => return None,
        },
    ))
}

/// The comparison with its sides exchanged.
fn turned(op: Binary) -> Binary {
    match op {
        Binary::Lt => Binary::Gt,
        Binary::Gt => Binary::Lt,
        Binary::Le => Binary::Ge,
        Binary::Ge => Binary::Le,
        _ => op,
    }
}
