//! What functions read, write and may do, inferred from their bodies.
//!
//! Everything here errs on the safe side: what is not listed never happens, what is listed may.

use crate::sorted::SortedSet;

use super::calls::{Calls, for_each_term};
use super::expr::{BinaryOp, Expr, ExprKind, Fold, UnaryOp};
use super::game::{Game, IdentityTerm, PlacementForm, Point};
use super::ids::{EnvId, FuncId, IdentityId, PlacementId, SnapshotId, TrailId, VarId};
use super::range;
use super::same::same;
use super::stmt::{Block, Stmt, StmtKind};
use super::types::{Axis, Const, Local, Type};
use super::visit::walk_block;

/// Parts of the state and of the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// State variables.
    pub vars: SortedSet<VarId>,
    /// Placements.
    pub placements: SortedSet<PlacementId>,
    /// Variables of the environment.
    pub env: SortedSet<EnvId>,
    /// Snapshot slots.
    pub snapshots: SortedSet<SnapshotId>,
    /// Trails.
    pub trails: SortedSet<TrailId>,
}

impl Access {
    /// Whether it is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && !self.touches_state()
    }

    /// Whether any part of the state is among it; the environment is none.
    pub fn touches_state(&self) -> bool {
        !(self.vars.is_empty()
            && self.placements.is_empty()
            && self.snapshots.is_empty()
            && self.trails.is_empty())
    }

    /// Whether both have a part in common.
    pub fn meets(&self, other: &Access) -> bool {
        !(self.vars.is_disjoint(&other.vars)
            && self.placements.is_disjoint(&other.placements)
            && self.env.is_disjoint(&other.env)
            && self.snapshots.is_disjoint(&other.snapshots)
            && self.trails.is_disjoint(&other.trails))
    }

    /// Adds all parts of another.
    pub fn join(&mut self, other: &Access) {
        self.vars.join(&other.vars);
        self.placements.join(&other.placements);
        self.env.join(&other.env);
        self.snapshots.join(&other.snapshots);
        self.trails.join(&other.trails);
    }
}

/// What a function, a block or an expression may do, calls included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What it reads; a repetition test reads what the identity of its trail compares.
    pub reads: Access,
    /// What may be different afterwards.
    pub writes: Access,
    /// What it writes at all, also in trials that give it back; `writes` is part of it.
    pub scratch: Access,
    /// The functions it calls itself, also through relations.
    pub calls: SortedSet<FuncId>,
    /// Whether it may tell listeners something; a trial that drops its writes tells nothing.
    pub emits: bool,
    /// Whether it may end in a fault other than an escaping `fail`.
    pub may_fault: bool,
    /// Whether it may fail the trial around it.
    pub fails: bool,
    /// Whether it may stop for a decision or a draw.
    pub suspends: bool,
    /// Whether it may end the game other than by a fault.
    pub ends: bool,
    /// Whether it spends the work budget.
    pub works: bool,
}

impl Effect {
    /// Whether the state, the environment and listeners see nothing of it, and it always comes
    /// back: what an expression may call.
    pub fn is_pure(&self) -> bool {
        self.writes.is_empty() && self.is_quiet()
    }

    /// Whether only the environment sees something of it: what a guard may do.
    pub fn is_guard(&self) -> bool {
        !self.writes.touches_state() && self.is_quiet()
    }

    fn is_quiet(&self) -> bool {
        !(self.emits || self.suspends || self.ends)
    }

    /// Adds everything that another may do, as if it ran as well.
    pub fn join(&mut self, other: &Effect) {
        self.join_but_calls(other);
        self.calls.join(&other.calls);
    }

    fn join_but_calls(&mut self, other: &Effect) {
        self.reads.join(&other.reads);
        self.writes.join(&other.writes);
        self.scratch.join(&other.scratch);
        self.emits |= other.emits;
        self.may_fault |= other.may_fault;
        self.fails |= other.fails;
        self.suspends |= other.suspends;
        self.ends |= other.ends;
        self.works |= other.works;
    }
}

/// The effects of all functions of a game, and its call graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    functions: Vec<Effect>,
    calls: Calls,
}

impl Effects {
    /// Infers the effects of all functions.
    ///
    /// The ids in the game must be in range; nothing else is assumed.
    pub fn of(game: &Game) -> Effects {
        let count = game.functions.len();
        let mut effects = Effects {
            functions: std::iter::repeat_with(Effect::default)
                .take(count)
                .collect(),
            calls: Calls::none(count),
        };
        // What they do by themselves tells who calls whom.
        let bodies = (0..count).map(|index| effects.of_function_body(game, index));
        let mut own: Vec<Effect> = bodies.collect();
        let calls: Vec<&SortedSet<FuncId>> = own.iter().map(|effect| &effect.calls).collect();
        effects.calls = Calls::by(&calls);
        for group in effects.calls.callees_first() {
            effects.settle(game, &group, &mut own);
        }
        effects
    }

    /// Infers the effects of functions that call one another, from nothing up and from what each does by itself.
    fn settle(&mut self, game: &Game, group: &[FuncId], own: &mut [Effect]) {
        if let [func] = group
            && !self.is_recursive(*func)
        {
            let own = std::mem::take(&mut own[func.index()]);
            self.functions[func.index()] = self.with_calls(game, *func, own);
            return;
        }
        loop {
            let mut changed = false;
            for func in group {
                let effect = self.with_calls(game, *func, own[func.index()].clone());
                changed |= effect != self.functions[func.index()];
                self.functions[func.index()] = effect;
            }
            if !changed {
                return;
            }
        }
    }

    /// What a function does, with what it calls, given what it does by itself.
    fn with_calls(&self, game: &Game, func: FuncId, own: Effect) -> Effect {
        if own.calls.is_empty() {
            return own;
        }
        let mut tries = false;
        walk_block(&game.function(func).body, &mut |stmt| {
            tries |= matches!(stmt.kind, StmtKind::Trial { .. });
        });
        // Of what is called in a trial some may be given back.
        if tries {
            return self.of_function_body(game, func.index());
        }
        let mut effect = own;
        for called in &std::mem::take(&mut effect.calls) {
            self.add_call(*called, &mut effect);
        }
        effect.scratch.join(&effect.writes);
        effect
    }

    /// The effect of a function.
    pub fn function(&self, func: FuncId) -> &Effect {
        &self.functions[func.index()]
    }

    /// The functions it calls, directly or through others.
    pub fn reaches(&self, func: FuncId) -> &SortedSet<FuncId> {
        self.calls.reaches(func)
    }

    /// Whether the function is a member of a cycle of calls.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.calls.is_recursive(func)
    }

    /// The effect of a block that uses these local variables.
    pub fn block(&self, game: &Game, locals: &[Local], block: &[Stmt]) -> Effect {
        let mut effect = Effect::default();
        self.add_block(game, locals, block, &mut effect);
        effect.scratch.join(&effect.writes);
        effect
    }

    /// The effect of an expression.
    pub fn expr(&self, game: &Game, expr: &Expr) -> Effect {
        let mut effect = Effect::default();
        self.add_expr(game, expr, &mut effect);
        effect
    }

    /// What comparing positions by an identity reads.
    pub fn identity(&self, game: &Game, identity: IdentityId) -> Effect {
        let mut effect = Effect::default();
        self.add_identity(game, identity, &mut effect);
        effect
    }

    /// The functions that can run at all: see [`Calls::live`].
    pub fn live(&self, game: &Game) -> SortedSet<FuncId> {
        self.calls.live(game)
    }

    /// The effect of what stands at a point of the machine.
    pub fn point(&self, game: &Game, locals: &[Local], point: &Point) -> Effect {
        let mut effect = Effect::default();
        match point {
            Point::Choose(choose) => {
                choose.children(&mut |expr| self.add_expr(game, expr, &mut effect));
                choose.blocks(&mut |block| self.add_block(game, locals, block, &mut effect));
            }
            Point::Chance(chance, block) => {
                chance.children(&mut |expr| self.add_expr(game, expr, &mut effect));
                effect.may_fault = true;
                self.add_block(game, locals, block, &mut effect);
            }
        }
        effect.suspends = true;
        effect.scratch.join(&effect.writes);
        effect
    }

    fn of_function_body(&self, game: &Game, index: usize) -> Effect {
        let function = &game.functions[index];
        self.block(game, &function.locals, &function.body)
    }

    /// Adds what a block does; that it writes what it writes is added to `scratch` once it is over.
    fn add_block(&self, game: &Game, locals: &[Local], block: &[Stmt], effect: &mut Effect) {
        for stmt in block {
            self.add_stmt(game, locals, stmt, effect);
        }
    }

    fn add_stmt(&self, game: &Game, locals: &[Local], stmt: &Stmt, effect: &mut Effect) {
        if let StmtKind::Trial { body, keep, .. } = &stmt.kind {
            let mut tried = self.block(game, locals, body);
            tried.fails = false;
            if !keep {
                tried.writes = Access::default();
                tried.emits = false;
            }
            effect.join(&tried);
        } else {
            stmt.blocks(&mut |block| self.add_block(game, locals, block, effect));
        }
        // A piece that is told by its place stands there.
        let brought = match &stmt.kind {
            StmtKind::Bring(_, piece, ..) => match &piece.kind {
                ExprKind::Get(there) if matches!(there.kind, ExprKind::Content(..)) => {
                    Some((piece, &**there))
                }
                _ => None,
            },
            _ => None,
        };
        stmt.children(&mut |expr| match brought {
            Some((piece, there)) if std::ptr::eq(piece, expr) => self.add_expr(game, there, effect),
            _ => self.add_expr(game, expr, effect),
        });
        if let StmtKind::Let(local, value) = &stmt.kind {
            effect.may_fault |= !locals[local.index()].ty.contains(&value.ty);
        }
        self.add_step(game, stmt, effect);
    }

    /// What the statement does by itself, without its operands and blocks.
    fn add_step(&self, game: &Game, stmt: &Stmt, effect: &mut Effect) {
        match &stmt.kind {
            StmtKind::SetEnv(var, value) => {
                effect.writes.env.insert(*var);
                effect.may_fault |= !game.env[var.index()].ty.contains(&value.ty);
            }
            StmtKind::SetVar(var, index, value) => {
                effect.writes.vars.insert(*var);
                let var = game.var(*var);
                effect.may_fault |= !var.ty.contains(&value.ty) || leaves(&var.axes, index);
            }
            StmtKind::Put(placement, ..) => {
                effect.writes.placements.insert(*placement);
                effect.emits = true;
                let form = game.placement(*placement).form;
                effect.may_fault |= form == PlacementForm::One;
            }
            StmtKind::Bring(placement, ..)
            | StmtKind::Take(placement, _)
            | StmtKind::SetContent(placement, ..) => {
                effect.writes.placements.insert(*placement);
                effect.emits = true;
            }
            StmtKind::For { charged: true, .. } | StmtKind::While { .. } => {
                effect.works = true;
                effect.may_fault = true;
            }
            StmtKind::Call { func, .. } => self.add_call(*func, effect),
            StmtKind::Emit(_) => effect.emits = true,
            StmtKind::Charge => {
                effect.works = true;
                effect.may_fault = true;
            }
            StmtKind::Fault(_) | StmtKind::TooDeep => effect.may_fault = true,
            StmtKind::End { .. } => effect.ends = true,
            StmtKind::Fail => effect.fails = true,
            StmtKind::Choose(choose) => {
                effect.suspends = true;
                effect.may_fault |= !choose.arms.is_empty();
            }
            StmtKind::Chance(_) => {
                effect.suspends = true;
                effect.may_fault = true;
            }
            StmtKind::Stop(_) => effect.suspends = true,
            _ => self.add_slots(game, stmt, effect),
        }
    }

    fn add_slots(&self, game: &Game, stmt: &Stmt, effect: &mut Effect) {
        match &stmt.kind {
            StmtKind::Snapshot(slot) => {
                let kept = game.snapshot(*slot);
                effect.reads.vars.extend(&kept.vars);
                effect.reads.placements.extend(&kept.placements);
                effect.writes.snapshots.insert(*slot);
            }
            StmtKind::Restore(slot) => {
                let kept = game.snapshot(*slot);
                effect.writes.vars.extend(&kept.vars);
                effect.writes.placements.extend(&kept.placements);
                effect.reads.snapshots.insert(*slot);
                effect.may_fault = true;
            }
            StmtKind::Note(trail) => {
                self.add_identity(game, game.trail(*trail).identity, effect);
                effect.writes.trails.insert(*trail);
                effect.may_fault = true;
            }
            StmtKind::Forget(trail) => {
                effect.writes.trails.insert(*trail);
            }
            _ => {}
        }
    }

    fn add_identity(&self, game: &Game, identity: IdentityId, effect: &mut Effect) {
        if game
            .identity(identity)
            .terms
            .contains(&IdentityTerm::Everything)
        {
            let vars = (0..game.vars.len()).filter(|&v| !game.vars[v].meter);
            effect.reads.vars.extend(vars.map(VarId::from));
            let placements = (0..game.placements.len()).map(PlacementId::from);
            effect.reads.placements.extend(placements);
            let snapshots = (0..game.snapshots.len()).map(SnapshotId::from);
            effect.reads.snapshots.extend(snapshots);
        }
        for term in &game.identity(identity).terms {
            match term {
                IdentityTerm::Nest { placement, .. } => {
                    effect.reads.placements.insert(*placement);
                }
                IdentityTerm::Parts(parts) => {
                    effect.reads.vars.extend(&parts.vars);
                    effect.reads.placements.extend(&parts.placements);
                    effect.reads.snapshots.extend(&parts.snapshots);
                    effect.reads.trails.extend(&parts.trails);
                }
                _ => {}
            }
        }
        for_each_term(game, identity, &mut |expr| {
            self.add_expr(game, expr, effect)
        });
    }

    fn add_call(&self, func: FuncId, effect: &mut Effect) {
        effect.calls.insert(func);
        if self.is_recursive(func) {
            effect.works = true;
            effect.may_fault = true;
        }
        effect.join_but_calls(self.function(func));
    }

    fn add_expr(&self, game: &Game, expr: &Expr, effect: &mut Effect) {
        self.add_expr_where(game, expr, &mut Vec::new(), effect);
    }

    /// Adds an expression that is evaluated where these optional members are present.
    fn add_expr_where<'e>(
        &self,
        game: &Game,
        expr: &'e Expr,
        present: &mut Vec<&'e Expr>,
        effect: &mut Effect,
    ) {
        if matches!(expr.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
            return;
        }
        let branches: &[(&Expr, bool)] = match &expr.kind {
            ExprKind::If(_, yes, no) => &[(&**yes, true), (&**no, false)],
            ExprKind::Binary(BinaryOp::And, _, b) => &[(&**b, true)],
            ExprKind::Binary(BinaryOp::Or, _, b) => &[(&**b, false)],
            _ => &[],
        };
        match &expr.kind {
            ExprKind::If(cond, ..) | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, cond, _) => {
                self.add_expr_where(game, cond, present, effect);
                for (branch, holds) in branches {
                    let before = present.len();
                    add_present(cond, *holds, present);
                    self.add_expr_where(game, branch, present, effect);
                    present.truncate(before);
                }
            }
            // What is bound inside has other values there.
            ExprKind::Fold { .. }
            | ExprKind::Collect { .. }
            | ExprKind::First { .. }
            | ExprKind::Walk { .. }
            | ExprKind::Closure { .. } => {
                expr.children(&mut |child| self.add_expr(game, child, effect));
            }
            _ => expr.each_child(|child| {
                // Half of all expressions.
                if !matches!(child.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
                    self.add_expr_where(game, child, present, effect);
                }
            }),
        }
        let known = match &expr.kind {
            ExprKind::Get(member) => present.iter().any(|present| same(present, member)),
            _ => false,
        };
        effect.may_fault |= !known && may_fault(game, expr);
        match &expr.kind {
            ExprKind::Env { var, .. } | ExprKind::EnvIsSet(var) => {
                effect.reads.env.insert(*var);
            }
            ExprKind::Listened => effect.emits = true,
            ExprKind::Var(var, _) => {
                effect.reads.vars.insert(*var);
            }
            ExprKind::PlaceOf(placement, _)
            | ExprKind::Content(placement, _)
            | ExprKind::Contents(placement, _)
            | ExprKind::Places(placement, _) => {
                effect.reads.placements.insert(*placement);
            }
            ExprKind::Call(func, _) => self.add_call(*func, effect),
            ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
                self.add_call(game.relation(*relation).holds, effect);
            }
            ExprKind::Seen(trail) => {
                effect.reads.trails.insert(*trail);
                self.add_identity(game, game.trail(*trail).identity, effect);
            }
            ExprKind::Alike(identity, _) => self.add_identity(game, *identity, effect),
            _ => {}
        }
    }
}

/// The variables and placements that always have their initial values, because nothing in the game
/// writes them: they need no room in a state.
///
/// Giving back a snapshot of something that is never written changes nothing.
pub fn constants(game: &Game) -> Access {
    let mut constants = Access {
        vars: (0..game.vars.len()).map(VarId::from).collect(),
        placements: (0..game.placements.len()).map(PlacementId::from).collect(),
        ..Access::default()
    };
    if let Some(episode) = &game.episode {
        // A host writes these.
        for given in [Some(episode.present), Some(episode.kinds), episode.places] {
            given.map(|given| constants.vars.remove(&given));
        }
    }
    let mut add = |block: &[Stmt]| {
        walk_block(block, &mut |stmt| match &stmt.kind {
            StmtKind::SetVar(var, ..) => {
                constants.vars.remove(var);
            }
            StmtKind::Put(placement, ..)
            | StmtKind::Bring(placement, ..)
            | StmtKind::Take(placement, _)
            | StmtKind::SetContent(placement, ..) => {
                constants.placements.remove(placement);
            }
            _ => {}
        });
    };
    for function in &game.functions {
        add(&function.body);
    }
    if let Some(machine) = &game.machine {
        add(&machine.start);
        for point in &machine.points {
            match point {
                Point::Choose(choose) => choose.blocks(&mut |block| add(block)),
                Point::Chance(_, block) => add(block),
            }
        }
    }
    constants
}

/// Adds the optional members that are present if a condition is true, or false.
fn add_present<'e>(cond: &'e Expr, holds: bool, present: &mut Vec<&'e Expr>) {
    match (&cond.kind, holds) {
        (ExprKind::IsSome(member), true) => present.push(member),
        (ExprKind::Unary(UnaryOp::Not, inner), _) => add_present(inner, !holds, present),
        (ExprKind::Binary(BinaryOp::And, a, b), true)
        | (ExprKind::Binary(BinaryOp::Or, a, b), false) => {
            add_present(a, holds, present);
            add_present(b, holds, present);
        }
        _ => {}
    }
}

/// Whether the node itself may fault, its operands and calls apart.
pub fn may_fault(game: &Game, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Env { checked, .. } => *checked,
        ExprKind::Var(var, index) => leaves(&game.var(*var).axes, index),
        ExprKind::Lookup(table, index) => {
            let table = game.table(*table);
            table.outside.is_none() && leaves(&table.axes, index)
        }
        ExprKind::Get(_) | ExprKind::Untag(_) | ExprKind::Item(..) => true,
        ExprKind::Unary(op @ (UnaryOp::Neg | UnaryOp::Abs), a) => match a.ty.int_range() {
            Some(a) => range::unary(*op, a).is_none(),
            None => false,
        },
        ExprKind::Binary(op, a, b) => binary_may_fault(*op, &a.ty, b),
        ExprKind::Fold { fold, .. } => matches!(fold, Fold::Sum | Fold::Min | Fold::Max),
        _ => false,
    }
}

fn binary_may_fault(op: BinaryOp, a: &Type, b: &Expr) -> bool {
    match (a, &b.ty) {
        (Type::Wrap32, Type::Wrap32) => {
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::RemEuclid);
            divides && !matches!(b.as_const(), Some(Const::Int(by)) if *by != 0)
        }
        (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => {
            range::is_arithmetic(op) && range::binary(op, (*a, *b), (*c, *d)).is_none()
        }
        _ => false,
    }
}

/// Whether an index may leave its axis.
fn leaves(axes: &[Axis], index: &[Expr]) -> bool {
    axes.iter()
        .zip(index)
        .any(|(axis, index)| match (axis, &index.ty) {
            (Axis::Domain(domain), Type::Elem(other)) => domain != other,
            (Axis::Domain(_), _) => true,
            (Axis::Range { lo, hi }, Type::Int { lo: a, hi: b }) => !(lo <= a && b <= hi),
            (Axis::Range { lo, hi }, _) => *lo > i64::from(i32::MIN) || *hi < i64::from(i32::MAX),
        })
}

/// Statements with the arguments of calls returned instead of handed on.
pub fn without_calls(block: &[Stmt]) -> Block {
    let mut own = Block::new();
    for stmt in block {
        let mut stmt = stmt.clone();
        match &mut stmt.kind {
            StmtKind::Call { args, .. } => {
                let args = std::mem::take(args).into_iter();
                own.extend(args.map(|arg| Stmt::new(StmtKind::Return(Some(arg)), stmt.span)));
            }
            _ => {
                stmt.blocks_mut(&mut |inner| *inner = without_calls(inner));
                own.push(stmt);
            }
        }
    }
    own
}
