//! Guards of rules that are written as one.
//!
//! They may differ as all else may, in what is looked up by an argument. And some of them may ask less than the others: a disc needs
//! support but in the bottom row. That the argument is one of theirs is enough then.

use crate::ir::same::placeless;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Game, LocalId, Stmt, Type, UnaryOp};

use super::Part;
use super::rule::{Guard, Hole, each_hole};
use super::write::Filling;

impl Part<'_> {
    /// The rules by what is left of their guards without holes; nothing where guards are not one expression.
    fn guards(&self) -> Vec<Vec<(usize, &Guard)>> {
        let mut alike: Vec<Vec<(usize, &Guard)>> = Vec::new();
        for (at, rule) in self.group.iter().enumerate() {
            let Some(guard) = &rule.guard else { continue };
            match alike
                .iter_mut()
                .find(|known| known[0].1.shape == guard.shape)
            {
                Some(known) => known.push((at, guard)),
                None => alike.push(vec![(at, guard)]),
            }
        }
        alike
    }

    /// Whether one guard can ask what those of all rules do.
    pub(super) fn guards_fit(&self, game: &Game) -> bool {
        let guards = self.guards();
        let have = guards.iter().map(Vec::len).sum::<usize>();
        let told = |alike: &Vec<(usize, &Guard)>| {
            let holes: Vec<&[Hole]> = alike.iter().map(|(_, guard)| &guard.holes[..]).collect();
            self.told(game, &holes)
        };
        let values: Vec<Expr> = guards
            .iter()
            .map(|alike| alike[0].1.value.clone())
            .collect();
        let params = game.family(self.group[0].family).params.len();
        (have == 0 || have == self.group.len())
            && guards.iter().all(told)
            && (guards.len() < 2 || Cases::of(values).is_some_and(|cases| cases.is_told(params)))
    }

    pub(super) fn write_guard(&self, game: &mut Game) {
        let guards = self.guards();
        let mut values = Vec::new();
        for alike in &guards {
            let mut holes: Vec<Option<&[Hole]>> = vec![None; self.group.len()];
            for (at, guard) in alike {
                holes[*at] = Some(&guard.holes);
            }
            let mut filling = Filling::new(self, &holes);
            let mut value = alike[0].1.value.clone();
            each_hole(&mut value, &mut |expr, _| filling.next(game, expr));
            values.push(value);
        }
        let first = self.group[0].guard.as_ref();
        let (Some(first), Some(cases)) = (first, Cases::of(values)) else {
            return;
        };
        let value = match (cases.asking, cases.rest) {
            (Some(asking), Some(rest)) => {
                let asks: Vec<usize> = guards[asking].iter().map(|(at, _)| *at).collect();
                let enough = |rule: &Option<usize>| rule.is_some_and(|rule| !asks.contains(&rule));
                let values = self.rules.iter().map(|rule| Const::Bool(enough(rule)));
                let table = self.table(game, &Type::Bool, values.collect(), rest.span);
                let enough = Expr::new(self.look_up(game, table), Type::Bool, rest.span);
                cases.common.and(enough.or(rest))
            }
            _ => cases.common,
        };
        game.functions[first.func.index()].body = vec![Stmt::give(value)];
    }
}

/// Guards of which one asks more than the others.
struct Cases {
    /// What all ask.
    common: Expr,
    /// The one that asks more, and what.
    asking: Option<usize>,
    rest: Option<Expr>,
}

impl Cases {
    /// Nothing if two ask what others do not.
    fn of(values: Vec<Expr>) -> Option<Cases> {
        let span = values.first()?.span;
        let all: Vec<Vec<Expr>> = values.into_iter().map(conditions).collect();
        let bare: Vec<Vec<Expr>> = all
            .iter()
            .map(|all| all.iter().map(placeless).collect())
            .collect();
        let by_all = |expr: &Expr| bare.iter().all(|own| own.contains(&placeless(expr)));
        let (common, _): (Vec<Expr>, Vec<Expr>) = all[0].iter().cloned().partition(by_all);
        let mut asking = None;
        for (at, own) in all.into_iter().enumerate() {
            let rest: Vec<Expr> = own.into_iter().filter(|expr| !by_all(expr)).collect();
            if !rest.is_empty() && asking.replace((at, rest)).is_some() {
                return None;
            }
        }
        let (asking, rest) = asking.unzip();
        Some(Cases {
            common: joint(common).unwrap_or(Expr::bool(true, span)),
            asking,
            rest: rest.and_then(joint),
        })
    }

    /// Whether what one asks more is about its arguments, and not of constant sets: whose turn it is is asked once for all moves of
    /// a rule, and what is known of such sets is worth more than one rule instead of two.
    fn is_told(&self, params: usize) -> bool {
        let mut rest = self.rest.clone().map_or(Vec::new(), conditions).into_iter();
        let set = |expr: &Expr| matches!(expr.kind, ExprKind::Const(Const::Set(_)));
        rest.all(|expr| {
            let param = (0..params).any(|param| {
                holds(&expr, &|part| {
                    part.kind == ExprKind::Local(LocalId::from(param))
                })
            });
            param && !holds(&expr, &set)
        })
    }
}

/// The conditions that all have to hold.
fn conditions(value: Expr) -> Vec<Expr> {
    match value.kind {
        ExprKind::Binary(BinaryOp::And, one, other) => {
            [conditions(*one), conditions(*other)].concat()
        }
        ExprKind::Unary(UnaryOp::Not, inner) => match inner.kind {
            ExprKind::Unary(UnaryOp::Not, value) => conditions(*value),
            _ => vec![inner.not()],
        },
        _ => vec![value],
    }
}

fn joint(all: Vec<Expr>) -> Option<Expr> {
    all.into_iter().reduce(Expr::and)
}

/// Whether something of this kind is in an expression.
fn holds(expr: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= wanted(expr));
    found
}
