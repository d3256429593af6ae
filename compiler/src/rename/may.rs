//! Which members an expression may have as its value in some position, where some local variables are known.
//!
//! Errs on the side of more.

use rulec_ir::sorted::SortedSet;

use crate::ir::same::same;
use crate::ir::value::evaluate;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId, Over, Stmt, StmtKind,
    TableId, Type,
};

/// Calls inside of calls that are followed.
const DEPTH: usize = 8;

/// The members that a value can be or contain; nothing for all.
pub(super) type Members = Option<SortedSet<u32>>;

/// What is known of local variables; all members where nothing is.
pub(super) type Values = Vec<Members>;

/// An evaluator.
pub(super) struct May<'g> {
    pub(super) game: &'g Game,
}

impl May<'_> {
    /// The members that a function may give, or that what it gives may contain.
    pub(super) fn given(&self, func: FuncId, args: &[Members], depth: usize) -> Members {
        let function = self.game.function(func);
        let mut locals = args.to_vec();
        locals.resize(function.locals.len(), None);
        let mut all = Some(SortedSet::new());
        self.returns(&function.body, &mut locals, depth.checked_sub(1)?, &mut all)?;
        all
    }

    /// Adds what a block may return; nothing where that is not understood.
    fn returns(
        &self,
        block: &[Stmt],
        locals: &mut Values,
        depth: usize,
        all: &mut Members,
    ) -> Option<()> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let(local, value) => {
                    locals[local.index()] = self.value(value, locals, depth);
                }
                StmtKind::If(_, yes, no) => {
                    let (mut after_yes, mut after_no) = (locals.clone(), locals.clone());
                    self.returns(yes, &mut after_yes, depth, all)?;
                    self.returns(no, &mut after_no, depth, all)?;
                    let both = after_yes.into_iter().zip(after_no);
                    *locals = both.map(|(yes, no)| join(yes, no)).collect();
                }
                StmtKind::Return(Some(value)) => {
                    let more = self.value(value, locals, depth)?;
                    all.as_mut()?.extend(more);
                }
                StmtKind::Charge => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// The members that an expression may have or contain; nothing for all.
    pub(super) fn value(&self, expr: &Expr, locals: &Values, depth: usize) -> Members {
        use ExprKind as E;
        let value = |expr: &Expr| self.value(expr, locals, depth);
        match &expr.kind {
            E::Const(Const::Elem(member)) => Some(SortedSet::from([*member])),
            E::Const(Const::Set(members)) => Some(members.iter().copied().collect()),
            E::Const(Const::None) => Some(SortedSet::new()),
            E::Local(local) => locals.get(local.index()).cloned().flatten(),
            E::Some(a) | E::Get(a) => value(a),
            E::If(cond, a, b) => {
                let a = value(a).or_else(|| admitted(self.game, cond, a, true));
                join(a, value(b).or_else(|| admitted(self.game, cond, b, false)))
            }
            E::OrElse(a, b) => join(value(a), value(b)),
            E::SetOf(items) => {
                let nothing = Some(SortedSet::new());
                items
                    .iter()
                    .fold(nothing, |all, item| join(all, value(item)))
            }
            E::Binary(BinaryOp::Union, a, b) => join(value(a), value(b)),
            E::Binary(BinaryOp::Intersect, a, b) => match (value(a), value(b)) {
                (Some(a), Some(b)) => Some(&a & &b),
                (a, b) => a.or(b),
            },
            E::Binary(BinaryOp::Minus | BinaryOp::UpTo | BinaryOp::DownTo, a, _) => value(a),
            E::Lookup(table, args) => self.looked_up(*table, args, locals, depth),
            E::Collect { local, over, when } | E::First { local, over, when } => {
                let all = match &**over {
                    Over::Domain(domain) => (0..self.game.domain(*domain).len() as u32).collect(),
                    Over::Set(set) => value(set)?,
                    Over::Seq(_) | Over::Range(..) => return None,
                };
                let mut known: Vec<Option<Const>> = locals.iter().map(only).collect();
                known.resize(known.len().max(local.index() + 1), None);
                let mut may = |member: &u32| {
                    known[local.index()] = Some(Const::Elem(*member));
                    evaluate(self.game, when, &known, DEPTH) != Some(Const::Bool(false))
                };
                Some(all.into_iter().filter(|member| may(member)).collect())
            }
            E::Walk { start, step, .. } => self.closed(value(start)?, *step),
            E::Closure { from, edges, .. } => self.closed(value(from)?, *edges),
            E::Call(func, args) => {
                let args: Vec<Members> = args.iter().map(value).collect();
                self.given(*func, &args, depth)
            }
            _ => None,
        }
    }

    fn looked_up(&self, table: TableId, args: &[Expr], locals: &Values, depth: usize) -> Members {
        let table = self.game.table(table);
        domain_of(&table.ty)?;
        let args: Vec<Members> = (args.iter().zip(&table.axes))
            .map(|(arg, axis)| match axis {
                Axis::Domain(_) => self.value(arg, locals, depth),
                Axis::Range { .. } => None,
            })
            .collect();
        let lens: Vec<usize> = table.axes.iter().map(|axis| axis.len(self.game)).collect();
        let mut all: SortedSet<u32> = table.outside.iter().flat_map(named).collect();
        for (cell, value) in table.values.iter().enumerate() {
            let mut rest = cell;
            let fits = lens.iter().zip(&args).rev().all(|(len, arg)| {
                let at = (rest % len) as u32;
                rest /= len;
                arg.as_ref().is_none_or(|members| members.contains(&at))
            });
            if fits {
                all.extend(named(value));
            }
        }
        Some(all)
    }

    /// The members, and all to which a table leads from them.
    fn closed(&self, mut members: SortedSet<u32>, table: TableId) -> Members {
        let values = &self.game.table(table).values;
        let mut waiting: Vec<u32> = members.iter().copied().collect();
        while let Some(member) = waiting.pop() {
            for next in values.get(member as usize).into_iter().flat_map(named) {
                if members.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Some(members)
    }
}

/// The members that an expression can be where a condition, which asks something of that expression, is what is said; nothing for
/// all.
///
/// `if movable[place of piece] then place of piece else none` is a movable place, wherever the piece stands.
pub(super) fn admitted(game: &Game, cond: &Expr, of: &Expr, said: bool) -> Members {
    let domain = match of.ty {
        Type::Elem(domain) | Type::Opt(domain) => domain,
        _ => return None,
    };
    // It becomes one variable behind all others, so that its members are tried in one copy.
    let mut variables = 0;
    cond.walk(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            variables = variables.max(local.index() + 1);
        }
    });
    let mut cond = cond.clone();
    if !put_variable(&mut cond, of, LocalId::from(variables)) {
        return None;
    }
    let mut known = vec![None; variables + 1];
    let mut may = |member: &u32| {
        known[variables] = Some(Const::Elem(*member));
        evaluate(game, &cond, &known, DEPTH) != Some(Const::Bool(!said))
    };
    let all = 0..game.domain(domain).len() as u32;
    Some(all.filter(|member| may(member)).collect())
}

/// Puts a variable where an expression stands within another one; whether it stands there.
fn put_variable(within: &mut Expr, of: &Expr, variable: LocalId) -> bool {
    if same(within, of) {
        within.kind = ExprKind::Local(variable);
        return true;
    }
    let mut stands = false;
    within.children_mut(&mut |child| stands |= put_variable(child, of, variable));
    stands
}

/// The one member that is possible.
fn only(members: &Members) -> Option<Const> {
    let members = members.as_ref()?;
    let member = *members.first()?;
    (members.len() == 1).then_some(Const::Elem(member))
}

fn join(a: Members, b: Members) -> Members {
    let (mut a, b) = (a?, b?);
    a.extend(b);
    Some(a)
}

fn named(value: &Const) -> Vec<u32> {
    match value {
        Const::Elem(member) => vec![*member],
        Const::Set(members) => members.clone(),
        _ => Vec::new(),
    }
}

/// The domain whose members a value is or contains, if it is one.
pub(super) fn domain_of(ty: &Type) -> Option<DomainId> {
    match ty {
        Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => Some(*domain),
        Type::Seq { item, .. } => domain_of(item),
        _ => None,
    }
}
