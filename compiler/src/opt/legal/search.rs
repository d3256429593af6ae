//! What is known on the way through functions, beginning with what a legal move says.

use rulec_ir::sorted::SortedSet;
use std::cell::OnceCell;

use super::knowledge::Knowledge;
use super::ties::{add_ties, narrow};
use crate::ir::effects::{Effect, Effects};
use crate::ir::value;
use crate::ir::visit::{only_denies, walk_block};
use crate::ir::walk::{roots, walk_free};
use crate::ir::{
    Arm, Arrival, BinaryOp, Block, Const, DomainId, Expr, ExprKind, FuncId, Game, LocalId,
    ParamSource, PlacementForm, PlacementId, Stmt, StmtKind, TableId, Type, UnaryOp, VarId,
};
use crate::opt::locals::{bound_in, each_assigned};
use crate::opt::patterns::reach::{Reached, admitted, taken};

/// What is met on the way through functions.
pub(super) enum Step<'a> {
    /// A call, by a statement or in an expression, and what is known of its parameters.
    Call {
        site: Option<&'a Stmt>,
        func: FuncId,
        facts: Knowledge,
    },
    /// A piece that is put somewhere.
    Bring(&'a Stmt, Arrival),
    /// An expression with a known value.
    Known(&'a Expr, Const),
}

pub(super) struct Search<'a> {
    pub(super) game: &'a Game,
    pub(super) effects: &'a Effects,
    reached: &'a Reached,
}

impl<'a> Search<'a> {
    pub(super) fn new(game: &'a Game, effects: &'a Effects, reached: &'a Reached) -> Search<'a> {
        Search {
            game,
            effects,
            reached,
        }
    }

    /// Goes through every function that is called, with what is known at all of its calls.
    pub(super) fn each(&self, f: &mut dyn FnMut(Step<'a>)) {
        for (index, facts) in self.entries().into_iter().enumerate() {
            if let Some(facts) = facts {
                self.follow(FuncId::from(index), facts, f);
            }
        }
    }

    /// What is known of the parameters of each function whenever it is called; nothing for those that nothing calls.
    fn entries(&self) -> Vec<Option<Knowledge>> {
        let mut entries = vec![None; self.game.functions.len()];
        for root in roots(self.game) {
            entries[root.index()] = Some(Knowledge::default());
        }
        walk_free(self.game, &mut |expr| {
            if let ExprKind::Call(func, _) = &expr.kind {
                entries[func.index()] = Some(Knowledge::default());
            }
        });
        let mut open: Vec<FuncId> = (0..entries.len()).map(FuncId::from).collect();
        while let Some(func) = open.pop() {
            let Some(facts) = entries[func.index()].clone() else {
                continue;
            };
            self.follow(func, facts, &mut |step| {
                let Step::Call {
                    func: callee,
                    facts,
                    ..
                } = step
                else {
                    return;
                };
                let entry = &mut entries[callee.index()];
                let before = entry.clone();
                match entry {
                    Some(known) => known.meet(&facts),
                    None => *entry = Some(facts),
                }
                if *entry != before {
                    open.push(callee);
                }
            });
        }
        entries
    }

    fn follow(&self, func: FuncId, facts: Knowledge, f: &mut dyn FnMut(Step<'a>)) {
        let body = &self.game.function(func).body;
        let assigned = assigned_in(body);
        let mut walk = Walk {
            search: self,
            func,
            assigned,
            facts,
            f,
        };
        walk.block(body);
    }

    /// What a legal move of a family says, in terms of the variables that an arm binds its arguments to.
    pub(super) fn of_move(&self, arm: &Arm) -> Knowledge {
        let family = self.game.family(arm.family);
        let context = family.context.len();
        let mut facts = Knowledge::default();
        // What the host of a game tells happens whatever a guard says.
        if self.game.by_host.contains(&arm.family) {
            return facts;
        }
        for param in &family.params {
            if let ParamSource::Is(source) = &param.source {
                facts.stands.extend(self.standing(source));
            }
        }
        if let Some(guard) = family.guard {
            add_guard(&self.game.function(guard).body, &mut facts);
        }
        add_ties(self.game, self.effects, family, &mut facts);
        facts.renamed(|local| {
            let param = local.index().checked_sub(context);
            let bound = param.and_then(|param| arm.bind.get(param));
            bound.copied().into_iter().collect()
        })
    }

    /// The piece whose place an argument is, and the places that it can be.
    fn standing(&self, source: &Expr) -> Option<((PlacementId, LocalId), SortedSet<u32>)> {
        let (placement, piece) = taken(source)?;
        let among = match &source.kind {
            ExprKind::If(..) => Some(admitted(self.game, source)?),
            _ => None,
        };
        let all = || self.all(self.game.placement(placement).places);
        Some(((placement, piece), among.unwrap_or_else(all)))
    }

    fn all(&self, domain: DomainId) -> SortedSet<u32> {
        (0..self.game.domain(domain).len() as u32).collect()
    }
}

fn assigned_in(body: &Block) -> SortedSet<LocalId> {
    let mut assigned = SortedSet::new();
    walk_block(body, &mut |stmt| {
        each_assigned(stmt, &mut |local| {
            assigned.insert(local);
        });
    });
    assigned
}

/// Adds what holds wherever a guard does: what it tests before it does anything else, and what it gives at its end.
fn add_guard(guard: &Block, facts: &mut Knowledge) {
    for stmt in guard {
        match &stmt.kind {
            StmtKind::Let(..) => {}
            StmtKind::If(cond, yes, no) if no.is_empty() && only_denies(yes) => {
                add_cond(cond, false, facts);
            }
            StmtKind::Return(Some(value)) => add_cond(value, true, facts),
            _ => break,
        }
    }
    for local in assigned_in(guard) {
        facts.forget_local(local);
    }
}

/// Adds what is known if a condition holds, or does not.
fn add_cond(cond: &Expr, holds: bool, facts: &mut Knowledge) {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => add_cond(inner, !holds, facts),
        ExprKind::Binary(BinaryOp::And, a, b) if holds => {
            add_cond(a, true, facts);
            add_cond(b, true, facts);
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if !holds => {
            add_cond(a, false, facts);
            add_cond(b, false, facts);
        }
        ExprKind::Binary(BinaryOp::Eq, a, b) if holds => {
            if let (ExprKind::Var(var, index), Some(value)) = (&a.kind, b.as_const())
                && index.is_empty()
                && is_plain(&a.ty)
                && a.ty == b.ty
            {
                facts.vars.insert(*var, value.clone());
            }
        }
        ExprKind::IsSome(inner) if !holds => {
            if let ExprKind::Content(placement, at) = &inner.kind
                && let ExprKind::Local(local) = at.kind
            {
                facts.free.insert((*placement, local));
            }
        }
        _ => {}
    }
}

/// Whether values of a type are kept: those that every variable of the type admits.
fn is_plain(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Elem(_))
}

/// The question what a table says of what stands on a place.
pub(super) fn lookup_of_content(expr: &Expr) -> Option<(TableId, PlacementId, LocalId)> {
    let ExprKind::Lookup(table, index) = &expr.kind else {
        return None;
    };
    let [index] = &index[..] else { return None };
    let ExprKind::Content(placement, at) = &index.kind else {
        return None;
    };
    match at.kind {
        ExprKind::Local(local) => Some((*table, *placement, local)),
        _ => None,
    }
}

/// What a table says of all of some pieces.
pub(super) fn agreed(game: &Game, table: TableId, pieces: &SortedSet<u32>) -> Option<Const> {
    let table = game.table(table);
    let mut values = pieces.iter().map(|piece| {
        let piece = Const::Elem(*piece);
        value::lookup(game, table, &[&piece])
    });
    let first = values.next()??;
    values
        .all(|value| value == Some(first))
        .then(|| first.clone())
}

/// The way through a body.
struct Walk<'a, 's, 'f> {
    search: &'s Search<'a>,
    func: FuncId,
    /// The variables that the function gives values: of parameters among them calls say nothing.
    assigned: SortedSet<LocalId>,
    facts: Knowledge,
    f: &'f mut dyn FnMut(Step<'a>),
}

impl<'a> Walk<'a, '_, '_> {
    fn block(&mut self, block: &'a [Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let search = self.search;
        let effect = OnceCell::new();
        let mut inner = Vec::new();
        stmt.blocks(&mut |block| inner.push(block));
        // What repeats, or looks at its end, may find its own changes.
        let once = inner.is_empty() || matches!(stmt.kind, StmtKind::If(..));
        if !once {
            self.leave(stmt, &effect);
        }
        let mut operands = Vec::new();
        stmt.children(&mut |expr| operands.push(expr));
        operands.into_iter().for_each(|expr| self.expr(expr));
        match &stmt.kind {
            StmtKind::Choose(choose) => return self.choose(choose),
            StmtKind::Call { func, args, .. } => self.call(Some(stmt), *func, args),
            StmtKind::Put(placement, piece, place) => {
                if let Some(arrival) = self.arrival(*placement, piece, place) {
                    (self.f)(Step::Bring(stmt, arrival));
                }
            }
            _ => {}
        }
        let value = self.assigned_value(stmt);
        if inner.is_empty() {
            self.leave(stmt, &effect);
        }
        let before = self.facts.clone();
        for (place, block) in inner.into_iter().enumerate() {
            self.facts = before.clone();
            if let StmtKind::If(cond, ..) = &stmt.kind {
                narrow(search.game, cond, place == 0, &mut self.facts);
            }
            self.block(block);
        }
        self.facts = before;
        self.leave(stmt, &effect);
        self.facts.vars.extend(value);
        if let StmtKind::Put(placement, piece, place) | StmtKind::Bring(placement, piece, place, _) =
            &stmt.kind
            && let (ExprKind::Local(piece), ExprKind::Local(place)) = (&piece.kind, &place.kind)
            && search.game.placement(*placement).form == PlacementForm::One
        {
            let pieces = self.among(*piece, search.game.placement(*placement).pieces);
            self.facts.contents.insert((*placement, *place), pieces);
        }
    }

    /// Forgets what a statement may change. Its effect is looked for once, if something is known at all.
    fn leave(&mut self, stmt: &'a Stmt, effect: &OnceCell<Effect>) {
        if self.facts.is_empty() {
            return;
        }
        let one = std::slice::from_ref(stmt);
        let search = self.search;
        let locals = &search.game.function(self.func).locals;
        let effect = effect.get_or_init(|| search.effects.block(search.game, locals, one));
        self.facts.forget(effect);
        walk_block(one, &mut |stmt| {
            each_assigned(stmt, &mut |local| self.facts.forget_local(local));
        });
    }

    /// Each choice begins with what its move says; nothing is known after it.
    fn choose(&mut self, choose: &'a crate::ir::Choose) {
        for arm in &choose.arms {
            self.facts = self.search.of_move(arm);
            self.block(&arm.body);
        }
        if let Some(block) = &choose.otherwise {
            self.facts = Knowledge::default();
            self.block(block);
        }
        self.facts = Knowledge::default();
    }

    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Call(func, args) = &expr.kind {
            self.call(None, *func, args);
        }
        let value = match &expr.kind {
            ExprKind::Var(var, index) if index.is_empty() => self.facts.vars.get(var).cloned(),
            _ => self.stands_on(expr).or_else(|| self.says_of(expr)),
        };
        if let Some(value) = value {
            (self.f)(Step::Known(expr, value));
            return;
        }
        // What an expression binds may have the name of something that a fact is about.
        let bound = bound_in(expr);
        let before = bound.is_some().then(|| self.facts.clone());
        if let Some(bound) = bound {
            self.facts.forget_local(bound);
        }
        let mut parts = Vec::new();
        expr.children(&mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.expr(part));
        if let Some(before) = before {
            self.facts = before;
        }
    }

    /// What a table says of the piece on a place, if it says the same of all that can stand there.
    fn stands_on(&self, expr: &Expr) -> Option<Const> {
        let (table, placement, local) = lookup_of_content(expr)?;
        let pieces = self.facts.contents.get(&(placement, local))?;
        agreed(self.search.game, table, pieces)
    }

    /// What a table says of a piece, if it says the same of all that it can be.
    fn says_of(&self, expr: &Expr) -> Option<Const> {
        let ExprKind::Lookup(table, index) = &expr.kind else {
            return None;
        };
        let [index] = &index[..] else { return None };
        let ExprKind::Local(local) = index.kind else {
            return None;
        };
        agreed(self.search.game, *table, self.facts.members.get(&local)?)
    }

    /// The value that a variable without an index has after a statement.
    fn assigned_value(&self, stmt: &Stmt) -> Option<(VarId, Const)> {
        match &stmt.kind {
            StmtKind::SetVar(var, index, value) if index.is_empty() => {
                let same = self.search.game.var(*var).ty == value.ty;
                (same && is_plain(&value.ty)).then_some(())?;
                Some((*var, self.value(value)?))
            }
            _ => None,
        }
    }

    fn value(&self, expr: &Expr) -> Option<Const> {
        if let ExprKind::Var(var, index) = &expr.kind
            && index.is_empty()
        {
            return self.facts.vars.get(var).cloned();
        }
        let mut parts = Vec::new();
        expr.children(&mut |part| parts.push(part));
        let parts: Vec<Const> = parts
            .into_iter()
            .map(|part| self.value(part))
            .collect::<Option<_>>()?;
        let parts: Vec<&Const> = parts.iter().collect();
        value::apply(self.search.game, expr, &parts)
    }

    /// Tells what a call passes on.
    fn call(&mut self, site: Option<&'a Stmt>, func: FuncId, args: &[Expr]) {
        let facts = self.facts.renamed(|local| {
            let params = (0..).map(LocalId::from).zip(args);
            let own = params.filter(|(_, arg)| arg.kind == ExprKind::Local(local));
            own.map(|(param, _)| param).collect()
        });
        (self.f)(Step::Call { site, func, facts });
    }

    fn arrival(&self, placement: PlacementId, piece: &Expr, place: &Expr) -> Option<Arrival> {
        let (ExprKind::Local(piece), ExprKind::Local(place)) = (&piece.kind, &place.kind) else {
            return None;
        };
        let found = self.search.game.placement(placement);
        let from = self.facts.stands.get(&(placement, *piece))?;
        let free = self.facts.free.contains(&(placement, *place));
        (free && found.form == PlacementForm::One).then(|| Arrival {
            pieces: self.among(*piece, found.pieces).into_iter().collect(),
            from: from.iter().copied().collect(),
            to: self.among(*place, found.places).into_iter().collect(),
        })
    }

    /// The members that a variable can be.
    fn among(&self, local: LocalId, domain: DomainId) -> SortedSet<u32> {
        let search = self.search;
        if let Some(members) = self.facts.members.get(&local) {
            return members.clone();
        }
        let params = search.game.function(self.func).params;
        let own = local.index() < params && !self.assigned.contains(&local);
        let known = own.then(|| search.reached.members(self.func, local.index()));
        match known.flatten() {
            Some(members) => members.clone(),
            None => search.all(domain),
        }
    }
}
