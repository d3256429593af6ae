//! `rows`: what constants say of where a move begins and where it ends becomes a row of a table.
//!
//! Where a move may go is a set that its source decides, in part by constants: the row of a table, conditions on the source, sets
//! that are constant. Whatever of that is written, each pair of source and target is left with some question of the position; pairs that
//! are left with the same one are one table. So "a step ahead", "a step ahead from rows but the last" and "from the first row a
//! step ahead to the second, from the second ..." are one set.

#[cfg(test)]
mod tests;
mod truth;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::value::evaluate;
use crate::ir::visit::expr_nodes;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId, StmtKind, Table, Type,
    UnaryOp,
};

use super::fold_constants::{drop_tables, simplify};
use super::tables::known_or_new;
use truth::{Things, Truth, Written};

/// Pairs of source and target, times the parts of a set, that are looked at for one set.
const MOST_WORK: usize = 4_000_000;
/// Questions that pairs are left with.
const MOST_QUESTIONS: usize = 4;
/// What it takes to meet one constant: that does not pay for a table.
const ONE_CONSTANT: usize = 2;
/// Calls inside of calls that are followed.
const DEPTH: usize = 8;

/// Rewrites what functions give.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let mut changed = false;
    for func in (0..game.functions.len()).map(FuncId::from) {
        let [stmt] = &game.function(func).body[..] else {
            continue;
        };
        let StmtKind::Return(Some(set)) = &stmt.kind else {
            continue;
        };
        let Some(other) = rewritten(game, &effects, func, &set.clone()) else {
            continue;
        };
        game.functions[func.index()].body[0].kind = StmtKind::Return(Some(other));
        changed = true;
    }
    if changed {
        simplify(game);
        drop_tables(game);
    }
}

/// The same set in a shorter form.
fn rewritten(game: &mut Game, effects: &Effects, func: FuncId, set: &Expr) -> Option<Expr> {
    let Type::Set(places) = set.ty else {
        return None;
    };
    let effect = effects.expr(game, set);
    let free = !(effect.may_fault || effect.works || effect.fails);
    if !free || !effect.is_pure() || !effect.reads.env.is_empty() {
        return None;
    }
    let mut shape = Shape {
        game,
        effects,
        locals: SortedSet::new(),
        things: Things::default(),
    };
    shape.add(set);
    if shape.locals.len() > 1 || !shape.things.number() {
        return None;
    }
    let by = shape.locals.first().copied();
    let domain = match by.map(|by| &game.function(func).local(by).ty) {
        Some(Type::Elem(domain)) => Some(*domain),
        Some(_) => return None,
        None => None,
    };
    let things = shape.things;
    let rows = domain.map_or(1, |domain| game.domain(domain).len());
    let width = game.domain(places).len();
    if rows * width * expr_nodes(set) > MOST_WORK {
        return None;
    }
    let question = Question {
        game,
        things: &things,
        width,
    };
    let form = question.form(set);
    let mut asked: SortedMap<Truth, Vec<Vec<u32>>> = SortedMap::new();
    let mut locals = vec![None; by.map_or(0, |by| by.index() + 1)];
    for row in 0..rows {
        if let Some(by) = by {
            locals[by.index()] = Some(Const::Elem(row as u32));
        }
        let truths = match question.column(&form, &locals)? {
            Column::Same(truth) => vec![truth; width],
            Column::Each(truths) => truths,
        };
        for (place, truth) in truths.into_iter().enumerate() {
            if truth != 0 {
                let all = asked.entry(truth).or_insert_with(|| vec![Vec::new(); rows]);
                all[row].push(place as u32);
            }
        }
        if asked.len() > MOST_QUESTIONS {
            return None;
        }
    }
    let mut whole = Written::Nothing;
    let tables = game.tables.len();
    for (truth, rows) in asked {
        let left = things.write(game, truth, &set.ty, set.span);
        let within = of_rows(game, by.zip(domain), places, rows, set);
        whole = whole.joins(within.meets(left));
    }
    let other = whole.expr(&set.ty, set.span);
    let worth = match game.tables.len() == tables {
        true => 0,
        false => ONE_CONSTANT,
    };
    if expr_nodes(&other) + worth < expr_nodes(set) {
        return Some(other);
    }
    game.tables.truncate(tables);
    None
}

/// The row of a table, or a constant.
fn of_rows(
    game: &mut Game,
    by: Option<(LocalId, DomainId)>,
    places: DomainId,
    rows: Vec<Vec<u32>>,
    set: &Expr,
) -> Written {
    let span = set.span;
    let alike = rows.windows(2).all(|pair| pair[0] == pair[1]);
    if let (true, Some(row)) = (alike, rows.first()) {
        return match row.len() == game.domain(places).len() {
            true => Written::All,
            false => Written::Set(Expr::constant(
                Const::Set(row.clone()),
                set.ty.clone(),
                span,
            )),
        };
    }
    let Some((local, domain)) = by else {
        return Written::Nothing;
    };
    let table = Table {
        name: "rows".to_owned(),
        axes: vec![Axis::Domain(domain)],
        ty: set.ty.clone(),
        values: rows.into_iter().map(Const::Set).collect(),
        outside: None,
        span,
    };
    let table = known_or_new(game, table);
    let index = Expr::local(local, Type::Elem(domain), span);
    Written::Set(Expr::lookup(game, table, vec![index], span))
}

/// How a set is put together.
struct Shape<'g> {
    game: &'g Game,
    effects: &'g Effects,
    /// The local variables that constants are looked up by.
    locals: SortedSet<LocalId>,
    things: Things,
}

impl Shape<'_> {
    fn add(&mut self, expr: &Expr) {
        if self.is_constant(expr) {
            expr.walk(&mut |part| {
                if let ExprKind::Local(local) = part.kind {
                    self.locals.insert(local);
                }
            });
            return;
        }
        match (&expr.kind, &expr.ty) {
            (kind, Type::Set(_) | Type::Bool) if is_joint(kind, &expr.ty) => {
                expr.children(&mut |child| self.add(child));
            }
            (_, Type::Bool) => self.things.add_condition(expr),
            _ => self.things.add_set(self.game, expr),
        }
    }

    /// Whether an expression is the same in all positions.
    fn is_constant(&self, expr: &Expr) -> bool {
        let effect = self.effects.expr(self.game, expr);
        let mut plain = effect.reads.is_empty() && !effect.works;
        // Nobody knows what is bound inside.
        expr.walk(&mut |part| {
            plain &= !matches!(
                part.kind,
                ExprKind::Fold { .. }
                    | ExprKind::Collect { .. }
                    | ExprKind::First { .. }
                    | ExprKind::Walk { .. }
                    | ExprKind::Closure { .. }
                    | ExprKind::Related(..)
                    | ExprKind::Listened
                    | ExprKind::Seen(_)
                    | ExprKind::Alike(..)
            );
        });
        plain
    }
}

/// Whether an operation joins sets, or truth values, of which each place is asked by itself.
fn is_joint(kind: &ExprKind, ty: &Type) -> bool {
    match (kind, ty) {
        (ExprKind::If(..), _) => true,
        (ExprKind::Unary(UnaryOp::Not, _), Type::Bool) => true,
        (ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..), Type::Bool) => true,
        (ExprKind::Unary(UnaryOp::Complement, _), Type::Set(_)) => true,
        (ExprKind::Binary(op, ..), Type::Set(_)) => {
            matches!(op, BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus)
        }
        _ => false,
    }
}

/// What a set asks of each place once constants are known.
struct Question<'a> {
    game: &'a Game,
    things: &'a Things,
    width: usize,
}

/// How a set, or a condition, is put together of what is asked of a position and of constants.
enum Form<'e> {
    Asked(Truth),
    Constant(&'e Expr),
    Not(Box<Form<'e>>),
    Both(Box<[Form<'e>; 2]>),
    Either(Box<[Form<'e>; 2]>),
    Without(Box<[Form<'e>; 2]>),
    If(Box<[Form<'e>; 3]>),
}

/// What places are asked.
enum Column {
    /// The same of all.
    Same(Truth),
    /// Of each something.
    Each(Vec<Truth>),
}

impl Column {
    fn map(self, of: impl Fn(Truth) -> Truth) -> Column {
        match self {
            Column::Same(truth) => Column::Same(of(truth)),
            Column::Each(mut all) => {
                all.iter_mut().for_each(|truth| *truth = of(*truth));
                Column::Each(all)
            }
        }
    }

    fn with(self, other: Column, join: impl Fn(Truth, Truth) -> Truth) -> Column {
        match (self, other) {
            (one, Column::Same(other)) => one.map(|truth| join(truth, other)),
            (Column::Same(one), other) => other.map(|truth| join(one, truth)),
            (Column::Each(mut all), Column::Each(other)) => {
                for (own, other) in all.iter_mut().zip(other) {
                    *own = join(*own, other);
                }
                Column::Each(all)
            }
        }
    }
}

impl Question<'_> {
    fn form<'e>(&self, expr: &'e Expr) -> Form<'e> {
        if let Some(truth) = self.things.of(expr) {
            return Form::Asked(truth);
        }
        let two = |a, b| Box::new([self.form(a), self.form(b)]);
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Or, a, b) => Form::Either(two(a, b)),
            ExprKind::Binary(BinaryOp::Intersect | BinaryOp::And, a, b) => Form::Both(two(a, b)),
            ExprKind::Binary(BinaryOp::Minus, a, b) if matches!(expr.ty, Type::Set(_)) => {
                Form::Without(two(a, b))
            }
            ExprKind::Unary(UnaryOp::Complement | UnaryOp::Not, a) => {
                Form::Not(Box::new(self.form(a)))
            }
            ExprKind::If(cond, yes, no) => {
                Form::If(Box::new([cond, yes, no].map(|part| self.form(part))))
            }
            _ => Form::Constant(expr),
        }
    }

    /// What each place is asked where local variables have these values.
    fn column(&self, form: &Form, locals: &[Option<Const>]) -> Option<Column> {
        let full = self.things.full();
        let of = |form: &Form| self.column(form, locals);
        Some(match form {
            Form::Asked(truth) => Column::Same(*truth),
            Form::Not(a) => of(a)?.map(|truth| full & !truth),
            Form::Both(both) => of(&both[0])?.with(of(&both[1])?, |a, b| a & b),
            Form::Either(both) => of(&both[0])?.with(of(&both[1])?, |a, b| a | b),
            Form::Without(both) => of(&both[0])?.with(of(&both[1])?, |a, b| a & !b),
            Form::If(parts) => {
                let [cond, yes, no] = &**parts;
                let Column::Same(cond) = of(cond)? else {
                    return None;
                };
                let yes = of(yes)?.map(|truth| truth & cond);
                yes.with(of(no)?, |yes, no| yes | no & !cond)
            }
            Form::Constant(expr) => match evaluate(self.game, expr, locals, DEPTH)? {
                Const::Bool(true) => Column::Same(full),
                Const::Bool(false) => Column::Same(0),
                Const::Set(members) => {
                    let mut all = vec![0; self.width];
                    for member in members {
                        *all.get_mut(member as usize)? = full;
                    }
                    Column::Each(all)
                }
                _ => return None,
            },
        })
    }
}
