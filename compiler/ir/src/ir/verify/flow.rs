//! Local variables are assigned before they are read; functions with a value give one.

use super::*;
use crate::ir::flow::{self, Analysis};
use crate::ir::visit::{walk_block, walk_exprs};

/// Which local variables are assigned for certain.
struct Assigned<'c, 'a> {
    checker: &'c mut Checker<'a>,
    locals: &'a [Local],
    /// Variables around that expressions bind.
    binding: Vec<LocalId>,
    /// Variables of which a misuse is told already.
    told: SortedSet<LocalId>,
}

impl<'a> Analysis<'a> for Assigned<'_, 'a> {
    type Fact = SortedSet<LocalId>;

    const LEARNS: bool = false;

    fn meet(&mut self, mut a: Self::Fact, b: Self::Fact) -> Self::Fact {
        a.retain(|local| b.contains(local));
        a
    }

    fn assign(&mut self, local: LocalId, fact: &mut Self::Fact) {
        fact.insert(local);
    }

    fn bind(&mut self, local: LocalId, begins: bool) {
        match begins {
            true => self.binding.push(local),
            false => {
                self.binding.pop();
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr, fact: &mut Self::Fact) {
        let ExprKind::Local(local) = &expr.kind else {
            return;
        };
        let known = fact.contains(local) || self.binding.contains(local);
        if !known && self.told.insert(*local) {
            let name = &self.locals[local.index()].name;
            let text = format_args!("`{name}` may be read before it has a value");
            self.checker.error(expr.span, text);
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn flow_of_function(&mut self, function: &'a Function) {
        let params: SortedSet<LocalId> = (0..function.params).map(LocalId::from).collect();
        let mut uses = Uses::default();
        uses.stored.extend(&params);
        uses.block(&function.body);
        self.apart(&function.locals, &uses, function.span);
        let mut assigned = self.assigned(&function.locals);
        let (end, _) = flow::body(&mut assigned, &function.body, params);
        let gives = function.ret.is_none() || end.is_none();
        self.expect(gives, function.span, "a path ends without a value");
    }

    pub(super) fn flow_of_machine(&mut self, machine: &'a Machine, span: Span) {
        let mut uses = Uses::default();
        uses.block(&machine.start);
        for point in &machine.points {
            match point {
                Point::Choose(choose) => {
                    let arms = choose.arms.iter();
                    uses.stored.extend(arms.flat_map(|arm| &arm.bind));
                    choose.children(&mut |expr| uses.expr(expr));
                    choose.blocks(&mut |block| uses.block(block));
                }
                Point::Chance(chance, block) => {
                    uses.chance(chance);
                    chance.children(&mut |expr| uses.expr(expr));
                    uses.block(block);
                }
            }
        }
        self.apart(&machine.locals, &uses, span);
        flow::machine(&mut self.assigned(&machine.locals), machine);
    }

    fn assigned<'c>(&'c mut self, locals: &'a [Local]) -> Assigned<'c, 'a> {
        Assigned {
            checker: self,
            locals,
            binding: Vec::new(),
            told: SortedSet::new(),
        }
    }

    /// Expects that no variable is bound by expressions and assigned as well.
    fn apart(&mut self, locals: &[Local], uses: &Uses, span: Span) {
        for local in uses.bound.intersection(&uses.stored) {
            let name = &locals[local.index()].name;
            let text = format_args!("`{name}` is bound by an expression and assigned as well");
            self.error(span, text);
        }
    }
}

/// The variables that expressions bind, and those that statements assign.
#[derive(Default)]
struct Uses {
    bound: SortedSet<LocalId>,
    stored: SortedSet<LocalId>,
}

impl Uses {
    fn block(&mut self, block: &[Stmt]) {
        walk_exprs(block, &mut |expr| self.node(expr));
        walk_block(block, &mut |stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(local, _)
            | StmtKind::For { local, .. }
            | StmtKind::ForEach(local, ..)
            | StmtKind::Call {
                into: Some(local), ..
            } => {
                self.stored.insert(*local);
            }
            StmtKind::Trial { ok, value, .. } => {
                self.stored.insert(*ok);
                self.stored.extend(value.iter().map(|(_, into)| *into));
            }
            StmtKind::Choose(choose) => {
                let arms = choose.arms.iter();
                self.stored.extend(arms.flat_map(|arm| &arm.bind));
            }
            StmtKind::Chance(chance) => self.chance(chance),
            _ => {}
        }
    }

    fn chance(&mut self, chance: &Chance) {
        self.stored.insert(chance.into);
        if let Distribution::Weighted { local, .. } = &chance.dist {
            self.bound.insert(*local);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| self.node(expr));
    }

    fn node(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Fold { local, .. }
            | ExprKind::Collect { local, .. }
            | ExprKind::First { local, .. }
            | ExprKind::Walk { local, .. }
            | ExprKind::Closure { local, .. } => {
                self.bound.insert(*local);
            }
            _ => {}
        }
    }
}
