//! Which members of domains the values of a program can be, whatever the position.
//!
//! A flow of sets of members through local variables, variables of the environment and functions, without regard to order. What
//! is read from the position can be anything.

use std::cell::{OnceCell, RefCell};

use rulec_ir::sorted::SortedSet;

use crate::hash::IndexMap;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Choose, Const, Distribution, Expr, ExprKind, FuncId, Game, LocalId, Over, Param,
    ParamSource, Stmt, StmtKind, Table, TableId,
};

use crate::opt::listed::Scope;

use super::may::{Members, admitted};

/// What is known of a whole game.
pub(super) struct Reach<'g> {
    game: &'g Game,
    functions: Vec<Vec<Members>>,
    families: Vec<Vec<Members>>,
    env: Vec<Members>,
    returned: Vec<Members>,
    changed: bool,
    /// The members that each table names, and those that conditions (by their addresses) admit: the same in every round.
    tables: Vec<OnceCell<SortedSet<u32>>>,
    admitted: RefCell<IndexMap<(usize, bool), Members>>,
}

impl<'g> Reach<'g> {
    /// Follows the values of these functions and of all families; `open` are functions that are called with any values.
    pub(super) fn of(
        game: &'g Game,
        live: &SortedSet<FuncId>,
        open: &SortedSet<FuncId>,
    ) -> Reach<'g> {
        let nothing = || Some(SortedSet::new());
        let mut reach = Reach {
            game,
            functions: (game.functions.iter())
                .map(|function| vec![nothing(); function.locals.len()])
                .collect(),
            families: (game.families.iter())
                .map(|family| vec![nothing(); family.context.len() + family.params.len()])
                .collect(),
            env: vec![nothing(); game.env.len()],
            returned: vec![nothing(); game.functions.len()],
            changed: true,
            tables: vec![OnceCell::new(); game.tables.len()],
            admitted: RefCell::default(),
        };
        for func in open {
            let params = game.function(*func).params;
            reach.functions[func.index()][..params].fill(None);
        }
        while std::mem::take(&mut reach.changed) {
            for family in 0..game.families.len() {
                reach.family(family);
            }
            for &func in live {
                reach.function(func);
            }
        }
        reach
    }

    /// The members that an expression can be or contain.
    pub(super) fn value(&self, scope: Scope, expr: &'g Expr) -> Members {
        use ExprKind as E;
        let value = |expr: &'g Expr| self.value(scope, expr);
        match &expr.kind {
            E::Const(constant) => Some(members_of(constant)),
            E::Local(local) => self.local(scope, *local),
            E::Env { var, .. } => self.env[var.index()].clone(),
            E::Some(a) | E::Get(a) => value(a),
            E::OrElse(a, b) => join(value(a), value(b)),
            E::If(cond, a, b) => {
                let a = value(a).or_else(|| self.admitted(cond, a, true));
                join(a, value(b).or_else(|| self.admitted(cond, b, false)))
            }
            E::Lookup(table, _) => Some(self.in_table(*table)),
            E::SetOf(items) | E::SeqOf(items) => {
                let nothing = Some(SortedSet::new());
                items
                    .iter()
                    .fold(nothing, |all, item| join(all, value(item)))
            }
            E::Item(seq, _) => value(seq),
            E::Binary(BinaryOp::Union | BinaryOp::Concat, a, b) => join(value(a), value(b)),
            E::Binary(BinaryOp::Intersect | BinaryOp::SeqIntersect, a, b) => {
                value(a).or_else(|| value(b))
            }
            E::Binary(
                BinaryOp::Minus | BinaryOp::UpTo | BinaryOp::DownTo | BinaryOp::SeqMinus,
                a,
                _,
            ) => value(a),
            E::Collect { over, .. } | E::First { over, .. } => self.ranged(scope, over),
            E::Call(func, _) => self.returned[func.index()].clone(),
            _ => None,
        }
    }

    /// The members that a local variable can be.
    pub(super) fn local(&self, scope: Scope, local: LocalId) -> Members {
        let locals = match scope {
            Scope::Function(func) => &self.functions[func.index()],
            Scope::Family(family) => &self.families[family],
            Scope::Free => return None,
        };
        locals.get(local.index()).cloned().unwrap_or_default()
    }

    /// The members that a bound variable can be.
    pub(super) fn ranged(&self, scope: Scope, over: &'g Over) -> Members {
        match over {
            Over::Domain(_) | Over::Range(..) => None,
            Over::Set(set) | Over::Seq(set) => self.value(scope, set),
        }
    }

    /// The members that a table names.
    fn in_table(&self, table: TableId) -> SortedSet<u32> {
        let known = &self.tables[table.index()];
        let members = known.get_or_init(|| in_table(self.game.table(table)));
        members.clone()
    }

    /// The members that one of the values of a choice can be where its condition is what is said.
    fn admitted(&self, cond: &'g Expr, of: &'g Expr, said: bool) -> Members {
        let key = (std::ptr::from_ref(cond) as usize, said);
        let known = self.admitted.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let members = admitted(self.game, cond, of, said);
            self.admitted.borrow_mut().insert(key, members.clone());
            members
        })
    }

    fn add(&mut self, slot: impl FnOnce(&mut Self) -> Option<&mut Members>, more: Members) {
        let Some(known) = slot(self) else { return };
        let Some(set) = known else { return };
        let grown = match more {
            None => {
                *known = None;
                true
            }
            Some(more) => {
                let before = set.len();
                set.join(&more);
                set.len() != before
            }
        };
        self.changed |= grown;
    }

    fn add_local(&mut self, scope: Scope, local: LocalId, more: Members) {
        let at = local.index();
        match scope {
            Scope::Function(func) => {
                self.add(|r| r.functions[func.index()].get_mut(at), more);
            }
            Scope::Family(family) => self.add(|r| r.families[family].get_mut(at), more),
            Scope::Free => {}
        }
    }

    /// The candidates for a parameter.
    fn candidates(&self, family: usize, param: &'g Param) -> Members {
        match &param.source {
            ParamSource::All => None,
            ParamSource::Among(members) => Some(members.iter().copied().collect()),
            ParamSource::Is(value) => self.value(Scope::Family(family), value),
            ParamSource::Listed { table, .. } => Some(self.in_table(*table)),
            ParamSource::Generated(func) => self.returned[func.index()].clone(),
            ParamSource::Subset { of, .. } => self.value(Scope::Family(family), of),
        }
    }

    fn family(&mut self, index: usize) {
        let family = &self.game.families[index];
        let context = family.context.len();
        for (at, param) in family.params.iter().enumerate() {
            let more = self.candidates(index, param);
            let local = LocalId::from(context + at);
            self.add_local(Scope::Family(index), local, more);
        }
        for func in family.functions() {
            for at in 0..self.game.function(func).params {
                let more = self.families[index].get(at).cloned().unwrap_or_default();
                self.add_local(Scope::Function(func), LocalId::from(at), more);
            }
        }
        for param in &family.params {
            let mut asks = |expr: &'g Expr| {
                expr.walk(&mut |e| self.expr(Scope::Family(index), e));
            };
            match &param.source {
                ParamSource::Is(value) => asks(value),
                ParamSource::Subset { of, size } => {
                    asks(of);
                    asks(size);
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, func: FuncId) {
        let scope = Scope::Function(func);
        let body = &self.game.function(func).body;
        walk_exprs(body, &mut |expr| self.expr(scope, expr));
        walk_block(body, &mut |stmt| self.stmt(func, stmt));
    }

    /// What an expression binds, and the arguments that it gives.
    fn expr(&mut self, scope: Scope, expr: &'g Expr) {
        use ExprKind as E;
        match &expr.kind {
            E::Fold { local, over, .. }
            | E::Collect { local, over, .. }
            | E::First { local, over, .. } => {
                let more = self.ranged(scope, over);
                self.add_local(scope, *local, more);
            }
            E::Walk {
                local, step, start, ..
            } => {
                let steps = Some(self.in_table(*step));
                let more = join(self.value(scope, start), steps);
                self.add_local(scope, *local, more);
            }
            E::Closure {
                local, edges, from, ..
            } => {
                let steps = Some(self.in_table(*edges));
                let more = join(self.value(scope, from), steps);
                self.add_local(scope, *local, more);
            }
            E::Call(func, args) => self.call(scope, *func, args.iter().map(Some)),
            E::Holds(relation, args) => {
                let holds = self.game.relation(*relation).holds;
                self.call(scope, holds, args.iter().map(Some));
            }
            E::Related(relation, args) => {
                let holds = self.game.relation(*relation).holds;
                self.call(scope, holds, args.iter().map(Option::as_ref));
            }
            _ => {}
        }
    }

    fn call(&mut self, scope: Scope, func: FuncId, args: impl Iterator<Item = Option<&'g Expr>>) {
        for (at, arg) in args.enumerate() {
            let more = arg.and_then(|arg| self.value(scope, arg));
            self.add_local(Scope::Function(func), LocalId::from(at), more);
        }
    }

    fn stmt(&mut self, func: FuncId, stmt: &'g Stmt) {
        let scope = Scope::Function(func);
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let more = self.value(scope, value);
                self.add_local(scope, *local, more);
            }
            StmtKind::SetEnv(var, value) => {
                let more = self.value(scope, value);
                self.add(|r| r.env.get_mut(var.index()), more);
            }
            StmtKind::ForEach(local, over, _) => {
                let more = self.ranged(scope, over);
                self.add_local(scope, *local, more);
            }
            StmtKind::Call { func, args, into } => {
                self.call(scope, *func, args.iter().map(Some));
                if let Some(local) = into {
                    let more = self.returned[func.index()].clone();
                    self.add_local(scope, *local, more);
                }
            }
            StmtKind::Return(Some(value)) => {
                let more = self.value(scope, value);
                self.add(|r| r.returned.get_mut(func.index()), more);
            }
            StmtKind::Trial {
                value: Some((value, local)),
                ..
            } => {
                let more = self.value(scope, value);
                self.add_local(scope, *local, more);
            }
            StmtKind::Choose(choose) => self.choose(scope, choose),
            StmtKind::Chance(chance) => {
                let more = match &chance.dist {
                    Distribution::Uniform(..) => None,
                    Distribution::Weighted { local, over, .. } => {
                        let more = self.ranged(scope, over);
                        self.add_local(scope, *local, more.clone());
                        more
                    }
                };
                self.add_local(scope, chance.into, more);
            }
            _ => {}
        }
    }

    fn choose(&mut self, scope: Scope, choose: &'g Choose) {
        for arm in &choose.arms {
            let family = Scope::Family(arm.family.index());
            for (at, given) in arm.given.iter().enumerate() {
                let more = self.value(scope, given);
                self.add_local(family, LocalId::from(at), more);
            }
            let params = &self.game.family(arm.family).params;
            for (local, param) in arm.bind.iter().zip(params) {
                let more = self.candidates(arm.family.index(), param);
                self.add_local(scope, *local, more);
            }
        }
    }
}

fn join(a: Members, b: Members) -> Members {
    let (mut a, b) = (a?, b?);
    a.join(&b);
    Some(a)
}

/// The members that a constant is or contains.
fn members_of(constant: &Const) -> SortedSet<u32> {
    let mut members = SortedSet::new();
    add_members(constant, &mut members);
    members
}

fn add_members(constant: &Const, members: &mut SortedSet<u32>) {
    match constant {
        Const::Elem(member) => {
            members.insert(*member);
        }
        Const::Set(own) => members.extend(own),
        Const::Seq(items) => items.iter().for_each(|item| add_members(item, members)),
        Const::Tagged(_, value) => add_members(value, members),
        Const::Bool(_) | Const::Int(_) | Const::None => {}
    }
}

fn in_table(table: &Table) -> SortedSet<u32> {
    let mut members = SortedSet::new();
    let values = table.values.iter().chain(&table.outside);
    values.for_each(|value| add_members(value, &mut members));
    members
}
