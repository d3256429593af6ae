//! `instances`: a question about some of a few members is asked of each of them, where constants then say most of it.
//!
//! "Some row that has three crosses in it", "three squares that one row holds": what holds what is a constant, so of all
//! members and all their combinations few are left, and the question is the one that an author would have written out.
//! Instances keep the order of the members, so whatever goes wrong does so at the same place.

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::expr_nodes;
use crate::ir::walk::{blocks_mut, walk_all};
use crate::ir::{
    BinaryOp, Block, Const, DomainId, Expr, ExprKind, Fold, Game, LocalId, Over, Type,
};

use super::locals::replace_reads;
use super::simplify::{Simplifier, truth};

/// Members that are tried for one variable.
const MEMBERS: usize = 32;
/// Expressions that are looked at for one question.
const TRIED: usize = 40_000;
/// Expressions of a question that is written out.
const NODES: usize = 200;
/// Alternatives, and conditions of each, that are compared with each other.
const TERMS: usize = 64;
/// What going through a set that is not known counts for.
const UNKNOWN: usize = 8;

/// Writes out what becomes much shorter.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    if !asks(game) {
        return;
    }
    let known = game.clone();
    let effects = Effects::of(&known);
    let rules = Simplifier {
        game: &known,
        effects: &effects,
    };
    blocks_mut(game, &mut |block| write_block(&rules, block));
}

/// Whether anything is asked of members in a loop.
fn asks(game: &Game) -> bool {
    let mut asks = false;
    walk_all(game, &mut |expr| {
        asks |= matches!(
            expr.kind,
            ExprKind::Fold {
                fold: Fold::Exists | Fold::Forall | Fold::Sum,
                ..
            }
        );
    });
    asks
}

fn write_block(rules: &Simplifier, block: &mut Block) {
    for stmt in block {
        stmt.children_mut(&mut |expr| write_expr(rules, expr));
        stmt.blocks_mut(&mut |inner| write_block(rules, inner));
    }
}

fn write_expr(rules: &Simplifier, expr: &mut Expr) {
    match written(rules, expr) {
        Some(written) => *expr = written,
        None => expr.each_child_mut(|child| write_expr(rules, child)),
    }
}

/// A question written out, if that is at most half of the work.
fn written(rules: &Simplifier, expr: &Expr) -> Option<Expr> {
    instances(rules, expr)?;
    let mut left = TRIED;
    let written = expanded(rules, expr, &mut left)?;
    let written = shortest(rules, &written).unwrap_or(written);
    let pays = expr_nodes(&written) <= NODES && 2 * work(rules, &written) <= work(rules, expr);
    pays.then_some(Expr {
        span: expr.span,
        ..written
    })
}

/// What a loop over known members asks: its variable, the members, and their domain.
fn instances<'e>(rules: &Simplifier, expr: &'e Expr) -> Option<Loop<'e>> {
    let ExprKind::Fold {
        fold,
        local,
        over,
        body,
    } = &expr.kind
    else {
        return None;
    };
    let (domain, members) = match &**over {
        Over::Domain(domain) => {
            let size = rules.game.domain(*domain).len();
            (*domain, (0..size as u32).collect())
        }
        Over::Set(set) => match (set.as_const()?, &set.ty) {
            (Const::Set(members), Type::Set(domain)) => (*domain, members.clone()),
            _ => return None,
        },
        _ => return None,
    };
    let op = match fold {
        Fold::Exists => BinaryOp::Or,
        Fold::Forall => BinaryOp::And,
        Fold::Sum => BinaryOp::Add,
        _ => return None,
    };
    let effect = rules.effects.expr(rules.game, body);
    let known = members.len() <= MEMBERS && !effect.works && !effect.fails;
    known.then_some(Loop {
        op,
        local: *local,
        domain,
        members,
        body,
    })
}

struct Loop<'e> {
    op: BinaryOp,
    local: LocalId,
    domain: DomainId,
    members: Vec<u32>,
    body: &'e Expr,
}

impl Loop<'_> {
    /// What is asked of one member.
    fn instance(&self, rules: &Simplifier, member: u32) -> Expr {
        let member = Expr::elem(self.domain, member, self.body.span);
        let mut instance = self.body.clone();
        replace_reads(&mut instance, &|local| {
            (local == self.local).then(|| member.clone())
        });
        rules.expr(&mut instance);
        instance
    }
}

/// An expression in which all loops over known members are written out.
fn expanded(rules: &Simplifier, expr: &Expr, left: &mut usize) -> Option<Expr> {
    *left = left.checked_sub(1)?;
    let Some(all) = instances(rules, expr) else {
        let (mut expanded_all, mut whole) = (expr.clone(), true);
        expanded_all.each_child_mut(|child| match expanded(rules, child, left) {
            Some(new) => *child = new,
            None => whole = false,
        });
        rules.expr(&mut expanded_all);
        return whole.then_some(expanded_all);
    };
    let mut joined: Option<Expr> = None;
    for &member in &all.members {
        *left = left.checked_sub(expr_nodes(all.body))?;
        let instance = expanded(rules, &all.instance(rules, member), left)?;
        let adds_nothing = match all.op {
            BinaryOp::Or => truth(&instance) == Some(false),
            BinaryOp::And => truth(&instance) == Some(true),
            _ => instance.as_const() == Some(&Const::Int(0)),
        };
        if !adds_nothing {
            joined = Some(match joined {
                Some(others) => Expr::binary(all.op, others, instance),
                None => instance,
            });
        }
    }
    let mut joined = joined.unwrap_or_else(|| match all.op {
        BinaryOp::Or => Expr::bool(false, expr.span),
        BinaryOp::And => Expr::bool(true, expr.span),
        _ => Expr::constant(Const::Int(0), expr.ty.clone(), expr.span),
    });
    rules.expr(&mut joined);
    Some(joined)
}

/// A truth as alternatives, each named once, if that is shorter: combinations come in every order of their members.
fn shortest(rules: &Simplifier, expr: &Expr) -> Option<Expr> {
    if expr.ty != Type::Bool || !rules.is_free(expr) {
        return None;
    }
    let mut terms: Vec<Vec<Expr>> = Vec::new();
    for term in alternatives(expr)? {
        let within = |one: &[Expr], other: &[Expr]| {
            one.iter()
                .all(|part| other.iter().any(|other| same(part, other)))
        };
        if !terms.iter().any(|known| within(known, &term)) {
            terms.retain(|known| !within(&term, known));
            terms.push(term);
        }
    }
    let all = terms
        .into_iter()
        .filter_map(|term| term.into_iter().reduce(Expr::and));
    let joined = all.reduce(Expr::or)?;
    (work(rules, &joined) < work(rules, expr)).then_some(joined)
}

/// The alternatives of a truth, if they are few: conditions that must hold together, each once.
fn alternatives(expr: &Expr) -> Option<Vec<Vec<Expr>>> {
    let all = match &expr.kind {
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            let mut all = alternatives(a)?;
            all.extend(alternatives(b)?);
            all
        }
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let (left, right) = (alternatives(a)?, alternatives(b)?);
            if left.len() * right.len() > TERMS {
                return None;
            }
            let both = |one: &Vec<Expr>, other: &Vec<Expr>| {
                let mut both = one.clone();
                both.extend(
                    other
                        .iter()
                        .filter(|part| !one.iter().any(|own| same(own, part)))
                        .cloned(),
                );
                both
            };
            let pairs = left
                .iter()
                .flat_map(|one| right.iter().map(move |other| both(one, other)));
            pairs.collect()
        }
        _ => vec![vec![expr.clone()]],
    };
    (all.len() <= TERMS && all.iter().all(|term| term.len() <= TERMS)).then_some(all)
}

/// About how much work it is to evaluate an expression.
fn work(rules: &Simplifier, expr: &Expr) -> usize {
    let rounds = match &expr.kind {
        ExprKind::Fold { over, .. }
        | ExprKind::Collect { over, .. }
        | ExprKind::First { over, .. } => match &**over {
            Over::Domain(domain) => rules.game.domain(*domain).len(),
            Over::Set(set) => match set.as_const() {
                Some(Const::Set(members)) => members.len(),
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        },
        _ => 1,
    };
    let mut inner = 1usize;
    expr.children(&mut |child| inner = inner.saturating_add(work(rules, child)));
    rounds.saturating_mul(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::{Axis, FuncId, Members, Stmt, StmtKind, Table, VarId};
    use crate::source::Span;

    /// Six squares in two rows, each with a number of marks on it.
    struct Board {
        builder: GameBuilder,
        squares: DomainId,
        rows: DomainId,
        marks: VarId,
        row_of: crate::ir::TableId,
    }

    fn board() -> Board {
        let span = Span::default();
        let mut builder = GameBuilder::new("rows", "none", &["a"]);
        let squares = builder.domain("Square", Members::Range { lo: 0, hi: 5 }, span);
        let rows = builder.domain("Row", Members::Range { lo: 0, hi: 1 }, span);
        let axes = vec![Axis::Domain(squares)];
        let count = Type::Int { lo: 0, hi: 5 };
        let marks = builder.var("marks", axes.clone(), count, Const::Int(0), span);
        let row_of = builder.table(Table {
            name: "row of".to_owned(),
            axes,
            ty: Type::Elem(rows),
            values: [0, 0, 0, 1, 1, 1].map(Const::Elem).to_vec(),
            outside: None,
            span,
        });
        Board {
            builder,
            squares,
            rows,
            marks,
            row_of,
        }
    }

    impl Board {
        /// Whether a square has a mark.
        fn is_marked(&self, square: Expr) -> Expr {
            let marks = Expr::var(
                &self.builder.game,
                self.marks,
                vec![square],
                Span::default(),
            );
            Expr::binary(BinaryOp::Gt, marks, Expr::int(0, Span::default()))
        }

        fn row_of(&self, square: Expr) -> Expr {
            Expr::lookup(
                &self.builder.game,
                self.row_of,
                vec![square],
                Span::default(),
            )
        }

        fn some(&self, local: LocalId, domain: DomainId, body: Expr) -> Expr {
            Expr::fold(Fold::Exists, local, Over::Domain(domain), body)
        }

        fn written(mut self, function: FunctionBuilder, asked: Expr) -> Expr {
            let func: FuncId = self
                .builder
                .function(function.body(vec![Stmt::give(asked)]));
            let mut game = self.builder.game;
            run(&mut game);
            match &game.function(func).body[0].kind {
                StmtKind::Return(Some(value)) => value.clone(),
                other => panic!("{other:?}"),
            }
        }
    }

    /// The squares that are asked about together.
    fn lines(expr: &Expr) -> Vec<Vec<u32>> {
        let line = |term: &Vec<Expr>| {
            let mut squares = Vec::new();
            for part in term {
                part.walk(&mut |part| {
                    if let ExprKind::Const(Const::Elem(square)) = part.kind {
                        squares.push(square);
                    }
                });
            }
            squares.sort_unstable();
            squares
        };
        let mut lines: Vec<_> = alternatives(expr).expect("few").iter().map(line).collect();
        lines.sort();
        lines
    }

    #[test]
    fn a_row_that_is_full_is_two_lines_however_it_is_asked_for() {
        let span = Span::default();
        let rows = vec![vec![0, 1, 2], vec![3, 4, 5]];
        let equal = |a: Expr, b: Expr| Expr::binary(BinaryOp::Eq, a, b);
        // Three different squares that one row holds.
        let all = board();
        let mut function = FunctionBuilder::new("full", Some(Type::Bool), span);
        let locals = ["a", "b", "c"].map(|name| function.local(name, Type::Elem(all.squares)));
        let row = function.local("row", Type::Elem(all.rows));
        let [a, b, c] = locals.map(|local| function.get(local));
        let mut asked = [&a, &b, &c]
            .map(|square| equal(all.row_of(square.clone()), function.get(row)))
            .into_iter()
            .reduce(Expr::and)
            .expect("three");
        asked = all.some(row, all.rows, asked);
        for (one, other) in [(&a, &b), (&a, &c), (&b, &c)] {
            asked = equal(one.clone(), other.clone()).not().and(asked);
        }
        for (local, square) in locals.into_iter().zip([a, b, c]).rev() {
            let marked = all.is_marked(square);
            asked = all.some(local, all.squares, asked.and(marked));
        }
        assert_eq!(lines(&all.written(function, asked)), rows);
        // A row of whose squares each has a mark.
        let all = board();
        let mut function = FunctionBuilder::new("full", Some(Type::Bool), span);
        let row = function.local("row", Type::Elem(all.rows));
        let square = function.local("square", Type::Elem(all.squares));
        let outside = equal(all.row_of(function.get(square)), function.get(row)).not();
        let each = outside.or(all.is_marked(function.get(square)));
        let each = Expr::fold(Fold::Forall, square, Over::Domain(all.squares), each);
        let asked = all.some(row, all.rows, each);
        assert_eq!(lines(&all.written(function, asked)), rows);
    }

    #[test]
    fn the_marks_of_a_row_are_added_up() {
        let span = Span::default();
        let all = board();
        let mut function = FunctionBuilder::new("three", Some(Type::Bool), span);
        let row = function.local("row", Type::Elem(all.rows));
        let square = function.local("square", Type::Elem(all.squares));
        let own = Expr::binary(
            BinaryOp::Eq,
            all.row_of(function.get(square)),
            function.get(row),
        );
        let marks = Expr::var(
            &all.builder.game,
            all.marks,
            vec![function.get(square)],
            span,
        );
        let ty = marks.ty.clone();
        let none = Expr::constant(Const::Int(0), ty.clone(), span);
        let counted = Expr::new(
            ExprKind::If(Box::new(own), Box::new(marks), Box::new(none)),
            ty,
            span,
        );
        let sum = Expr::fold(Fold::Sum, square, Over::Domain(all.squares), counted);
        let three = Expr::binary(BinaryOp::Eq, sum, Expr::int(3, span));
        let asked = all.some(row, all.rows, three);
        let written = all.written(function, asked);
        let mut folds = 0;
        written.walk(&mut |part| folds += usize::from(matches!(part.kind, ExprKind::Fold { .. })));
        assert_eq!(
            (folds, alternatives(&written).map(|all| all.len())),
            (0, Some(2))
        );
    }
}
