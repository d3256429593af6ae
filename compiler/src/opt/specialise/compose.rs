//! Chains of look-ups by one member as one table.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::value;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Game, Local, LocalId, Table, TableId, Type,
};

use super::forward::{Known, Params, member};

/// Members for which a table is made.
const MEMBERS: usize = 4096;

/// Number of look-ups in an expression.
pub(super) fn lookups(expr: &Expr) -> usize {
    let mut lookups = 0;
    expr.walk(&mut |expr| lookups += usize::from(matches!(expr.kind, ExprKind::Lookup(..))));
    lookups
}

/// So many look-ups an expression has that becomes one. Of numbers that are only compared by their order no more is asked than on
/// which side they are: with the numbers themselves members would be told apart that the rules treat alike.
fn least_lookups(expr: &Expr) -> usize {
    let ordered = matches!(
        expr.kind,
        ExprKind::Binary(
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
            ..
        )
    );
    if ordered { 1 } else { 2 }
}

/// The game, with the tables that are made.
pub(super) struct Tables<'a> {
    pub(super) game: &'a mut Game,
    first: usize,
    by_values: SortedMap<(DomainId, Type, Vec<Const>), TableId>,
    /// Tables that are asked of some members only, and what they say of those.
    of_some: Vec<(TableId, DomainId, Type, Vec<Option<Const>>)>,
    /// How many expressions became look-ups.
    pub(super) composed: usize,
}

impl<'a> Tables<'a> {
    pub(super) fn of(game: &'a mut Game) -> Tables<'a> {
        Tables {
            first: game.tables.len(),
            game,
            by_values: SortedMap::new(),
            of_some: Vec::new(),
            composed: 0,
        }
    }

    /// Composes what it can in an expression, where parameters are one of these.
    pub(super) fn expr(
        &mut self,
        expr: &mut Expr,
        known: &Known,
        locals: &[Local],
        params: &Params,
    ) {
        if matches!(expr.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            return;
        }
        // Whether something is there is asked of the table that tells what is there.
        if !matches!(expr.kind, ExprKind::IsSome(_) | ExprKind::Get(_)) {
            let resolved = known.resolved(expr);
            if lookups(&resolved) >= least_lookups(&resolved)
                && let Some(member) = member(&resolved, locals)
                && let Some(table) = self.of_member(&resolved, member, locals, params)
            {
                let index = Expr::local(member, locals[member.index()].ty.clone(), expr.span);
                expr.kind = ExprKind::Lookup(table, vec![index]);
                self.composed += 1;
                return;
            }
        }
        expr.children_mut(&mut |child| self.expr(child, known, locals, params));
    }

    /// The values of an expression for all members, or else for those that a parameter can be.
    fn of_member(
        &mut self,
        expr: &Expr,
        member: LocalId,
        locals: &[Local],
        params: &Params,
    ) -> Option<TableId> {
        let ty = &locals[member.index()].ty;
        let all = self.table(expr, member, ty);
        all.or_else(|| self.table_of_some(expr, member, ty, params.get(&member)?))
    }

    /// The values of an expression for all members; nothing if it may fault for one.
    fn table(&mut self, expr: &Expr, member: LocalId, ty: &Type) -> Option<TableId> {
        let Type::Elem(domain) = ty else { return None };
        let members = self.game.domain(*domain).len();
        if members > MEMBERS || !expr.ty.is_scalar() {
            return None;
        }
        let values = (0..members as u32)
            .map(|value| evaluate(self.game, expr, member, value))
            .collect::<Option<Vec<Const>>>()?;
        let key = (*domain, expr.ty.clone(), values);
        if let Some(&same) = self.by_values.get(&key) {
            return Some(same);
        }
        let id = self.add(expr, *domain, key.2.clone());
        self.by_values.insert(key, id);
        Some(id)
    }

    /// A table of the values of an expression for these members, nothing if it may fault for one. It may say anything of others,
    /// so that one table does where expressions agree on the members of both.
    fn table_of_some(
        &mut self,
        expr: &Expr,
        member: LocalId,
        ty: &Type,
        some: &SortedSet<u32>,
    ) -> Option<TableId> {
        let Type::Elem(domain) = *ty else { return None };
        let members = self.game.domain(domain).len();
        if members > MEMBERS || !expr.ty.is_scalar() {
            return None;
        }
        let mut values = vec![None; members];
        for &value in some {
            let found = evaluate(self.game, expr, member, value)?;
            *values.get_mut(value as usize)? = Some(found);
        }
        let first = values.iter().flatten().next()?.clone();
        let agrees = |(_, of, ty, known): &&mut (TableId, DomainId, Type, Vec<Option<Const>>)| {
            let mut both = known.iter().zip(&values);
            let agree =
                |(a, b): (&Option<Const>, &Option<Const>)| a.is_none() || b.is_none() || a == b;
            *of == domain && *ty == expr.ty && both.all(agree)
        };
        if let Some((table, .., known)) = self.of_some.iter_mut().find(agrees) {
            let more = values.into_iter().enumerate();
            for (at, value) in more.filter_map(|(at, value)| Some((at, value?))) {
                self.game.tables[table.index()].values[at] = value.clone();
                known[at] = Some(value);
            }
            return Some(*table);
        }
        let filled = values
            .iter()
            .map(|value| value.clone().unwrap_or_else(|| first.clone()));
        let id = self.add(expr, domain, filled.collect());
        self.of_some.push((id, domain, expr.ty.clone(), values));
        Some(id)
    }

    fn add(&mut self, expr: &Expr, domain: DomainId, values: Vec<Const>) -> TableId {
        let id = TableId::from(self.game.tables.len());
        let outer = match &expr.kind {
            ExprKind::Lookup(table, _) if table.index() < self.first => {
                self.game.table(*table).name.clone()
            }
            _ => format!("of {}", self.game.domain(domain).name),
        };
        let name = self.name(&outer);
        self.game.tables.push(Table {
            name,
            axes: vec![Axis::Domain(domain)],
            ty: expr.ty.clone(),
            values,
            outside: None,
            span: expr.span,
        });
        id
    }

    /// A name that no table has yet.
    fn name(&self, outer: &str) -> String {
        let tables = &self.game.tables;
        let mut names = (1..).map(|number| format!("{outer} by member {number}"));
        names
            .find(|name| tables.iter().all(|table| table.name != *name))
            .unwrap_or_default()
    }
}

/// The value of an expression of one member, if it has one.
pub(in crate::opt) fn evaluate(
    game: &Game,
    expr: &Expr,
    member: LocalId,
    value: u32,
) -> Option<Const> {
    let of = |expr: &Expr| evaluate(game, expr, member, value);
    match &expr.kind {
        ExprKind::Local(local) => (*local == member).then_some(Const::Elem(value)),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => match of(a)? {
            Const::Bool(left) if left == (*op == BinaryOp::Or) => Some(Const::Bool(left)),
            _ => of(b),
        },
        ExprKind::If(cond, yes, no) => match of(cond)? {
            Const::Bool(true) => of(yes),
            _ => of(no),
        },
        ExprKind::OrElse(a, b) => match of(a)? {
            Const::None => of(b),
            value => Some(value),
        },
        _ => {
            let mut operands = Vec::new();
            let mut all = true;
            expr.children(&mut |child| match of(child) {
                Some(value) => operands.push(value),
                None => all = false,
            });
            let operands: Vec<&Const> = operands.iter().collect();
            all.then(|| value::apply(game, expr, &operands)).flatten()
        }
    }
}
