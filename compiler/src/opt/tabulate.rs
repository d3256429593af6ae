//! `tabulate`: what follows from one variable of the state that is a member of a domain is looked up.
//!
//! Rules compute the next player, or the other one, from the number of the player to move; whether the result is one at all
//! is then tested. All of it follows from the variable: a table, or a constant where it is the same for all members.

use crate::ir::{
    Axis, Const, DomainId, Expr, ExprKind, Game, LocalId, Table, TableId, Type, UnaryOp,
};

use super::fold_constants::{drop_tables, simplify};
use super::specialise::compose::evaluate;
use crate::ir::walk::rewrite;

/// Nodes that an expression may have.
const NODES: usize = 48;
/// Members of the domain.
const MEMBERS: usize = 256;

/// Replaces what it can in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let mut functions = std::mem::take(&mut game.functions);
    let mut made = Made::default();
    for function in &mut functions {
        each_expr(game, &mut made, &mut function.body);
    }
    game.functions = functions;
    game.tables.extend(made.tables);
    if made.replaced {
        simplify(game);
    }
    drop_tables(game);
}

/// The tables that are new, and whether anything was replaced.
#[derive(Default)]
struct Made {
    tables: Vec<Table>,
    replaced: bool,
}

fn each_expr(game: &Game, made: &mut Made, block: &mut crate::ir::Block) {
    for stmt in block {
        stmt.children_mut(&mut |expr| outermost(game, made, expr));
        stmt.blocks_mut(&mut |inner| each_expr(game, made, inner));
    }
}

/// Replaces an expression, or what it can inside of it.
fn outermost(game: &Game, made: &mut Made, expr: &mut Expr) {
    match tabulated(game, &mut made.tables, expr) {
        Some(new) => {
            *expr = new;
            made.replaced = true;
        }
        None => expr.children_mut(&mut |child| outermost(game, made, child)),
    }
}

fn tabulated(game: &Game, tables: &mut Vec<Table>, expr: &Expr) -> Option<Expr> {
    let plain = matches!(
        expr.kind,
        ExprKind::Binary(..)
            | ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::If(..)
            | ExprKind::Lookup(..)
    );
    if !plain || !expr.ty.is_scalar() {
        return None;
    }
    let (variable, domain, values) = each_value(game, expr)?;
    if values.windows(2).all(|pair| pair[0] == pair[1]) {
        let only = values.into_iter().next()?;
        return Some(Expr::constant(only, expr.ty.clone(), expr.span));
    }
    // One look-up is as good as another.
    if matches!(&expr.kind, ExprKind::Lookup(_, index) if index[..] == [variable.clone()])
        || expr.ty == Type::Bool
    {
        return None;
    }
    let axes = vec![Axis::Domain(domain)];
    let same = |table: &Table| {
        (&table.axes, &table.ty, &table.values) == (&axes, &expr.ty, &values)
            && table.outside.is_none()
    };
    let known = game.tables.iter().chain(tables.iter()).position(same);
    let table = known.unwrap_or_else(|| {
        let of = &game.domain(domain).name;
        let all = || game.tables.iter().chain(tables.iter());
        let mut names = (1..).map(|number| format!("of {of} {number}"));
        let name = names.find(|name| all().all(|table| table.name != *name));
        tables.push(Table {
            name: name.unwrap_or_default(),
            axes,
            ty: expr.ty.clone(),
            values,
            outside: None,
            span: expr.span,
        });
        game.tables.len() + tables.len() - 1
    });
    let look = ExprKind::Lookup(TableId::from(table), vec![variable]);
    Some(Expr::new(look, expr.ty.clone(), expr.span))
}

/// What an expression comes to, if that is the same whatever the only variable of the state is that it asks for.
pub(super) fn constant(game: &Game, expr: &Expr) -> Option<Const> {
    let (.., values) = each_value(game, expr)?;
    let (first, others) = values.split_first()?;
    others
        .iter()
        .all(|other| other == first)
        .then(|| first.clone())
}

/// Whether an expression has a value whatever the only variable of the state is that it asks for; a set of one player is had if the
/// player is.
pub(super) fn never_faults(game: &Game, expr: &Expr) -> bool {
    if each_value(game, expr).is_some() {
        return true;
    }
    let ExprKind::SetOf(members) = &expr.kind else {
        return false;
    };
    members
        .iter()
        .all(|member| each_value(game, member).is_some())
}

/// The only variable of an expression, if that is a member of a domain, and what the expression comes to for each of its members.
fn each_value(game: &Game, expr: &Expr) -> Option<(Expr, DomainId, Vec<Const>)> {
    let variable = variable(expr)?.clone();
    let Type::Elem(domain) = variable.ty else {
        return None;
    };
    let count = game.domain(domain).len();
    if count > MEMBERS {
        return None;
    }
    // A local variable that no function has stands for it.
    let local = LocalId::from(u32::MAX as usize / 2);
    let mut asked = expr.clone();
    rewrite(&mut asked, &mut |part| {
        if part.kind == variable.kind {
            part.kind = ExprKind::Local(local);
        }
    });
    let values = (0..count as u32).map(|member| evaluate(game, &asked, local, member));
    let values: Vec<Const> = values.collect::<Option<_>>()?;
    Some((variable, domain, values))
}

/// The only variable of an expression of constants and look-ups.
fn variable(expr: &Expr) -> Option<&Expr> {
    let mut found: Option<&Expr> = None;
    let mut nodes = 0;
    let mut plain = true;
    expr.walk(&mut |part| {
        nodes += 1;
        match &part.kind {
            ExprKind::Var(_, index) => {
                plain &= index.is_empty() && found.is_none_or(|other| other.kind == part.kind);
                found = Some(part);
            }
            ExprKind::Const(_)
            | ExprKind::Lookup(..)
            | ExprKind::Binary(..)
            | ExprKind::Unary(UnaryOp::Not | UnaryOp::Neg | UnaryOp::Abs, _)
            | ExprKind::If(..)
            | ExprKind::Some(_)
            | ExprKind::IsSome(_)
            | ExprKind::Get(_)
            | ExprKind::OrElse(..)
            | ExprKind::Ordinal(_)
            | ExprKind::Member(..)
            | ExprKind::ToWrap(_)
            | ExprKind::ToInt(_) => {}
            _ => plain = false,
        }
    });
    found.filter(|_| plain && nodes <= NODES)
}
