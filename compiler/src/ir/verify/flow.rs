//! Local variables are assigned before they are read; functions with a value give one.

use super::*;

/// The local variables that are assigned for certain; nothing where control never comes.
type Assigned = Option<BTreeSet<LocalId>>;

fn meet(a: Assigned, b: Assigned) -> Assigned {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

fn with(assigned: &Assigned, locals: impl IntoIterator<Item = LocalId>) -> Assigned {
    let mut assigned = assigned.clone()?;
    assigned.extend(locals);
    Some(assigned)
}

/// Follows control through a block.
struct Flow<'c, 'a> {
    checker: &'c mut Checker<'a>,
    locals: &'a [Local],
    /// Where `break` and `continue` of the loops around lead from.
    loops: Vec<(Assigned, Assigned)>,
    /// The variables that expressions bind, and those that statements assign.
    bound: BTreeSet<LocalId>,
    stored: BTreeSet<LocalId>,
    /// Variables around that are bound.
    binding: Vec<LocalId>,
    /// Variables of which a misuse is told already.
    told: BTreeSet<LocalId>,
}

impl<'a> Checker<'a> {
    pub(super) fn flow_of_function(&mut self, function: &'a Function) {
        let params: BTreeSet<LocalId> = (0..function.params).map(LocalId::from).collect();
        let mut flow = Flow::new(self, &function.locals);
        flow.stored.extend(&params);
        let end = flow.block(&function.body, Some(params));
        flow.finish(function.span);
        let gives = function.ret.is_none() || end.is_none();
        self.expect(gives, function.span, "a path ends without a value");
    }

    pub(super) fn flow_of_machine(&mut self, machine: &'a Machine, span: Span) {
        let none = Some(BTreeSet::new());
        let mut flow = Flow::new(self, &machine.locals);
        flow.block(&machine.start, none.clone());
        for point in &machine.points {
            match point {
                Point::Choose(choose) => {
                    flow.choose(choose, &none);
                }
                Point::Chance(chance, block) => {
                    let into = flow.chance(chance, &none);
                    flow.block(block, into);
                }
            }
        }
        flow.finish(span);
    }
}

impl<'c, 'a> Flow<'c, 'a> {
    fn new(checker: &'c mut Checker<'a>, locals: &'a [Local]) -> Flow<'c, 'a> {
        Flow {
            checker,
            locals,
            loops: Vec::new(),
            bound: BTreeSet::new(),
            stored: BTreeSet::new(),
            binding: Vec::new(),
            told: BTreeSet::new(),
        }
    }

    fn finish(self, span: Span) {
        for local in self.bound.intersection(&self.stored) {
            let name = &self.locals[local.index()].name;
            let text = format_args!("`{name}` is bound by an expression and assigned as well");
            self.checker.error(span, text);
        }
    }

    fn block(&mut self, block: &'a [Stmt], before: Assigned) -> Assigned {
        let mut assigned = before;
        for stmt in block {
            assigned = self.stmt(stmt, assigned);
        }
        assigned
    }

    fn stores(&mut self, before: &Assigned, locals: impl IntoIterator<Item = LocalId>) -> Assigned {
        let locals: Vec<LocalId> = locals.into_iter().collect();
        self.stored.extend(&locals);
        with(before, locals)
    }

    fn stmt(&mut self, stmt: &'a Stmt, before: Assigned) -> Assigned {
        match &stmt.kind {
            StmtKind::Choose(choose) => return self.choose(choose, &before),
            StmtKind::Chance(chance) => return self.chance(chance, &before),
            StmtKind::Trial {
                body, ok, value, ..
            } => {
                let end = self.block(body, before.clone());
                if let Some((value, into)) = value {
                    self.expr(value, &end);
                    self.stored.insert(*into);
                }
                return self.stores(&before, [*ok]);
            }
            StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {
                return self.looped(stmt, before);
            }
            _ => {}
        }
        stmt.children(&mut |expr| self.expr(expr, &before));
        match &stmt.kind {
            StmtKind::Let(local, _) => self.stores(&before, [*local]),
            StmtKind::Call { into, .. } => self.stores(&before, *into),
            StmtKind::If(_, yes, no) => {
                let yes = self.block(yes, before.clone());
                let no = self.block(no, before);
                meet(yes, no)
            }
            StmtKind::Break | StmtKind::Continue => {
                if let Some((breaks, continues)) = self.loops.last_mut() {
                    let to = match stmt.kind {
                        StmtKind::Break => breaks,
                        _ => continues,
                    };
                    *to = meet(to.take(), before);
                }
                None
            }
            StmtKind::Return(_)
            | StmtKind::Fault(_)
            | StmtKind::TooDeep
            | StmtKind::End { .. }
            | StmtKind::Fail
            | StmtKind::Stop(_) => None,
            _ => before,
        }
    }

    fn looped(&mut self, stmt: &'a Stmt, before: Assigned) -> Assigned {
        stmt.children(&mut |expr| self.expr(expr, &before));
        let (body, round) = match &stmt.kind {
            StmtKind::For { local, body, .. } => (body, self.stores(&before, [*local])),
            StmtKind::ForEach(local, _, body) => (body, self.stores(&before, [*local])),
            StmtKind::While { body, .. } => (body, before.clone()),
            _ => return before,
        };
        self.loops.push((None, None));
        let end = self.block(body, round);
        let (breaks, continues) = self.loops.pop().unwrap_or_default();
        let round_end = meet(end, continues);
        let done = match &stmt.kind {
            StmtKind::For { count, .. } if *count == Count::Toward => round_end,
            StmtKind::While { cond, .. } if cond.as_const() == Some(&Const::Bool(true)) => None,
            _ => before,
        };
        meet(done, breaks)
    }

    fn choose(&mut self, choose: &'a Choose, before: &Assigned) -> Assigned {
        choose.children(&mut |expr| self.expr(expr, before));
        let mut after = None;
        for arm in &choose.arms {
            let bound = self.stores(before, arm.bind.iter().copied());
            let end = self.block(&arm.body, bound);
            after = meet(after, end);
        }
        if let Some(otherwise) = &choose.otherwise {
            let end = self.block(otherwise, before.clone());
            after = meet(after, end);
        }
        after
    }

    fn chance(&mut self, chance: &'a Chance, before: &Assigned) -> Assigned {
        match &chance.dist {
            Distribution::Uniform(from, to) => {
                self.expr(from, before);
                self.expr(to, before);
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => {
                over.children(&mut |expr| self.expr(expr, before));
                self.under(*local, weight, before);
            }
        }
        self.stores(before, [chance.into])
    }

    fn under(&mut self, local: LocalId, body: &'a Expr, before: &Assigned) {
        self.bound.insert(local);
        self.binding.push(local);
        self.expr(body, before);
        self.binding.pop();
    }

    fn expr(&mut self, expr: &'a Expr, before: &Assigned) {
        match &expr.kind {
            ExprKind::Local(local) => self.read(*local, expr.span, before),
            ExprKind::Fold {
                local,
                over,
                body: inner,
                ..
            }
            | ExprKind::Collect {
                local,
                over,
                when: inner,
            }
            | ExprKind::First {
                local,
                over,
                when: inner,
            } => {
                over.children(&mut |expr| self.expr(expr, before));
                self.under(*local, inner, before);
            }
            ExprKind::Walk {
                start: from,
                local,
                pass,
                ..
            }
            | ExprKind::Closure {
                from, local, pass, ..
            } => {
                self.expr(from, before);
                self.under(*local, pass, before);
            }
            _ => expr.children(&mut |child| self.expr(child, before)),
        }
    }

    fn read(&mut self, local: LocalId, span: Span, before: &Assigned) {
        let assigned = before.as_ref().is_none_or(|before| before.contains(&local));
        if !assigned && !self.binding.contains(&local) && self.told.insert(local) {
            let name = &self.locals[local.index()].name;
            let text = format_args!("`{name}` may be read before it has a value");
            self.checker.error(span, text);
        }
    }
}
