//! Guards taken apart: which tests of a candidate depend on which of its parameters.
//!
//! A guard is a list of assignments and tests that must all hold. Parameters fall into groups such that the
//! candidates of one group do not depend on another (a piece with its place, and a target). What depends on one
//! group alone is tested once for each of its members instead of once for each move; what is left is tested for
//! each move. The order of tests changes only which fault is met first, and whoever uses a plan falls back to the
//! guard itself when anything faults.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::Generator;
use crate::ir::visit::walk_block;
use crate::ir::{
    BinaryOp, Block, Const, EnvId, Expr, ExprKind, Family, FuncId, Function, Local, LocalId,
    ParamSource, Stmt, StmtKind, Type, UnaryOp,
};

/// A set of parameters of a family, a bit each.
type Params = u64;

/// How the candidates of a family are found group by group.
pub(super) struct Plan {
    /// The tests that depend on no parameter.
    pub(super) always: Option<Function>,
    pub(super) groups: Vec<Group>,
    /// The tests that depend on parameters of several groups.
    pub(super) rest: Option<Function>,
}

/// Parameters whose candidates depend on each other, in order.
pub(super) struct Group {
    pub(super) params: Vec<usize>,
    /// For each parameter the tests that can be made once it is known.
    pub(super) tests: Vec<Option<Function>>,
    /// The greatest number of candidates.
    pub(super) room: usize,
}

/// Lists of more candidates than this are not made.
const MOST_CANDIDATES: usize = 4096;

/// A step of a guard.
enum Step {
    /// An assignment or a call.
    Do(Stmt),
    /// What must hold.
    Test(Expr),
    /// Statements that give the value of the guard.
    Opaque(Block),
}

/// A step and the parameters that it depends on.
struct Dated {
    step: Step,
    on: Params,
}

impl Generator<'_> {
    /// The plan of a family; nothing if it has only one group, or bounds are exceeded.
    pub(super) fn plan(&self, family: &Family) -> Option<Plan> {
        if family.after.is_some() || family.rank.is_some() || family.params.len() > 60 {
            return None;
        }
        let groups = self.groups(family);
        if groups.is_empty() {
            return None;
        }
        let steps = match self.true_guard(family) {
            Some(guard) => {
                let effect = self.effects.function(guard);
                if effect.fails || !effect.is_guard() {
                    return None;
                }
                self.dated(family, self.game.function(guard))
            }
            None => Vec::new(),
        };
        let slicer = Slicer {
            generator: self,
            family,
            steps,
        };
        let always = slicer.slice(|on| on == 0, 0, "if", false);
        let tried = always.is_some();
        let of_group = |group: &Vec<usize>| group.iter().fold(0, |known, param| known | 1 << param);
        let covered: Vec<Params> = std::iter::once(0)
            .chain(groups.iter().map(of_group))
            .collect();
        let rest = slicer.rest(&covered, tried);
        // What fails and is left to nobody would not fail any more.
        if rest.is_none() && slicer.fails_untested(tried) {
            return None;
        }
        let mut plan = Plan {
            always,
            groups: Vec::new(),
            rest,
        };
        for params in groups {
            let room = self.room(family, &params)?;
            let mut known: Params = 0;
            let mut tests = Vec::new();
            for &param in &params {
                let before = known;
                known |= 1 << param;
                let fresh = |on: Params| on != 0 && on & !known == 0 && on & !before != 0;
                let name = format!("if {}", family.params[param].name);
                tests.push(slicer.slice(fresh, known, &name, tried));
            }
            plan.groups.push(Group {
                params,
                tests,
                room,
            });
        }
        Some(plan)
    }

    /// The function that decides a guard: where a guard does no more than to ask another function of
    /// the same parameters in an environment that it drops, that function.
    fn true_guard(&self, family: &Family) -> Option<FuncId> {
        let guard = family.guard?;
        let function = self.game.function(guard);
        let asked = asked_instead(function).filter(|&asked| !self.effects.is_recursive(asked));
        Some(asked.unwrap_or(guard))
    }

    /// The parameters in groups that do not depend on each other.
    fn groups(&self, family: &Family) -> Vec<Vec<usize>> {
        let context = family.context.len();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, param) in family.params.iter().enumerate() {
            let on: Params = match &param.source {
                ParamSource::All | ParamSource::Among(_) => 0,
                ParamSource::Is(expr) => params_in(expr, context),
                ParamSource::Listed { by, .. } => 1 << by,
                ParamSource::Generated(_) => (1 << index) - 1,
                ParamSource::Subset { of, size } => {
                    params_in(of, context) | params_in(size, context)
                }
            };
            let (mut joined, apart): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|group| group.iter().any(|&other| on & 1 << other != 0));
            let mut group: Vec<usize> = joined.drain(..).flatten().collect();
            group.push(index);
            group.sort_unstable();
            groups = apart;
            groups.push(group);
        }
        groups.sort_unstable();
        groups
    }

    /// The greatest number of candidates of a group; nothing if it is too large.
    fn room(&self, family: &Family, params: &[usize]) -> Option<usize> {
        let mut room = 1usize;
        for &index in params {
            let param = &family.params[index];
            let (Type::Elem(domain) | Type::Opt(domain)) = param.ty else {
                return None;
            };
            let len = self.game.domain(domain).len();
            let count = match &param.source {
                ParamSource::All | ParamSource::Generated(_) => len,
                ParamSource::Among(list) => list.len(),
                ParamSource::Is(_) => 1,
                ParamSource::Listed { table, .. } => {
                    let rows = self.game.table(*table).values.iter();
                    let sizes = rows.map(|row| match row {
                        Const::Set(set) => set.len(),
                        _ => len,
                    });
                    sizes.max().unwrap_or(0)
                }
                ParamSource::Subset { .. } => return None,
            };
            room = room.checked_mul(count.max(1))?;
        }
        (room <= MOST_CANDIDATES).then_some(room)
    }

    /// The steps of a guard with what they depend on.
    fn dated(&self, family: &Family, guard: &Function) -> Vec<Dated> {
        let mut steps = Vec::new();
        flatten(&guard.body, &mut steps);
        let context = family.context.len();
        let mut dates = Dates {
            generator: self,
            declared: &guard.locals,
            locals: SortedMap::new(),
            env: SortedMap::new(),
        };
        for index in 0..family.params.len() {
            dates
                .locals
                .insert(LocalId::from(context + index), 1 << index);
        }
        let dated = steps.into_iter().map(|step| {
            let on = match &step {
                Step::Do(stmt) => dates.pass(stmt),
                Step::Test(expr) => dates.expr(expr),
                Step::Opaque(block) => dates.block(block),
            };
            Dated { step, on }
        });
        dated.collect()
    }
}

/// The parameters that an expression of a family reads.
fn params_in(expr: &Expr, context: usize) -> Params {
    let mut on = 0;
    expr.walk(&mut |expr| {
        if let ExprKind::Local(local) = &expr.kind
            && let Some(param) = local.index().checked_sub(context)
            && param < 64
        {
            on |= 1 << param;
        }
    });
    on
}

/// Which parameters the variables of a guard depend on so far.
struct Dates<'a, 'g> {
    generator: &'a Generator<'g>,
    declared: &'a [Local],
    locals: SortedMap<LocalId, Params>,
    env: SortedMap<EnvId, Params>,
}

impl Dates<'_, '_> {
    fn expr(&self, expr: &Expr) -> Params {
        let mut on = 0;
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                on |= self.locals.get(local).copied().unwrap_or(0);
            }
        });
        let effect = self.generator.effects.expr(self.generator.game, expr);
        on | self.env_of(effect.reads.env.iter())
    }

    fn env_of<'e>(&self, vars: impl Iterator<Item = &'e EnvId>) -> Params {
        vars.fold(0, |on, var| on | self.env.get(var).copied().unwrap_or(0))
    }

    fn block(&self, block: &Block) -> Params {
        let mut on = 0;
        walk_block(block, &mut |stmt| {
            stmt.children(&mut |expr| on |= self.expr(expr));
        });
        let effect = self
            .generator
            .effects
            .block(self.generator.game, self.declared, block);
        on | self.env_of(effect.reads.env.iter())
    }

    /// What a statement depends on; what it writes depends on the same from then on.
    fn pass(&mut self, stmt: &Stmt) -> Params {
        let block = vec![stmt.clone()];
        let on = self.block(&block);
        let plain = matches!(stmt.kind, StmtKind::Let(..) | StmtKind::SetEnv(..));
        for local in super::declare::assigned(&block) {
            let before = self.locals.get(&local).copied().unwrap_or(0);
            self.locals
                .insert(local, if plain { on } else { on | before });
        }
        let effect = self
            .generator
            .effects
            .block(self.generator.game, self.declared, &block);
        for &var in &effect.scratch.env {
            let before = self.env.get(&var).copied().unwrap_or(0);
            self.env.insert(var, if plain { on } else { on | before });
        }
        on
    }
}

/// The function whose value a guard gives, if it only tries that.
fn asked_instead(guard: &Function) -> Option<FuncId> {
    let mut steps = Vec::new();
    flatten(&guard.body, &mut steps);
    let mut tried: Option<(FuncId, LocalId)> = None;
    let mut tested = false;
    for step in &steps {
        match step {
            Step::Do(Stmt {
                kind: StmtKind::Let(_, value),
                ..
            }) if value.as_const().is_some() => {}
            Step::Do(Stmt {
                kind:
                    StmtKind::Trial {
                        body,
                        keep: false,
                        value: Some((value, target)),
                        ..
                    },
                ..
            }) if tried.is_none() => {
                let [
                    Stmt {
                        kind:
                            StmtKind::Call {
                                func,
                                args,
                                into: Some(into),
                            },
                        ..
                    },
                ] = body.as_slice()
                else {
                    return None;
                };
                let own = |(place, arg): (usize, &Expr)| {
                    arg.kind == ExprKind::Local(LocalId::from(place))
                };
                let all = args.len() == guard.params && args.iter().enumerate().all(own);
                if !all || value.kind != ExprKind::Local(*into) {
                    return None;
                }
                tried = Some((*func, *target));
            }
            Step::Test(test) if !tested => {
                tested = tried.is_some_and(|(_, target)| test.kind == ExprKind::Local(target));
                if !tested {
                    return None;
                }
            }
            _ => return None,
        }
    }
    tried.filter(|_| tested).map(|(func, _)| func)
}

/// A guard as steps that must all hold; false if its value is known at the end of the block.
fn flatten(block: &[Stmt], steps: &mut Vec<Step>) -> bool {
    for (at, stmt) in block.iter().enumerate() {
        let rest = &block[at + 1..];
        match &stmt.kind {
            StmtKind::Return(Some(value)) => {
                conjuncts(value, false, steps);
                return true;
            }
            StmtKind::If(cond, yes, no) if gives_false(yes) => {
                conjuncts(cond, true, steps);
                if flatten(no, steps) {
                    return true;
                }
            }
            StmtKind::If(cond, yes, no) if gives_false(no) => {
                conjuncts(cond, false, steps);
                if flatten(yes, steps) {
                    return true;
                }
            }
            StmtKind::Let(..) | StmtKind::SetEnv(..) | StmtKind::Call { .. } => {
                steps.push(Step::Do(stmt.clone()));
            }
            _ if !returns(stmt) => steps.push(Step::Do(stmt.clone())),
            _ => {
                let mut block = vec![stmt.clone()];
                block.extend_from_slice(rest);
                steps.push(Step::Opaque(block));
                return true;
            }
        }
    }
    false
}

/// The parts of a condition (or of its opposite) that must all hold.
fn conjuncts(expr: &Expr, negated: bool, steps: &mut Vec<Step>) {
    match &expr.kind {
        ExprKind::Const(Const::Bool(value)) if *value != negated => {}
        ExprKind::Unary(UnaryOp::Not, inner) => conjuncts(inner, !negated, steps),
        ExprKind::Binary(BinaryOp::And, a, b) if !negated => {
            conjuncts(a, false, steps);
            conjuncts(b, false, steps);
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if negated => {
            conjuncts(a, true, steps);
            conjuncts(b, true, steps);
        }
        _ if negated => steps.push(Step::Test(expr.clone().not().at(expr.span))),
        _ => steps.push(Step::Test(expr.clone())),
    }
}

fn gives_false(block: &Block) -> bool {
    match block.as_slice() {
        [stmt] => match &stmt.kind {
            StmtKind::Return(Some(value)) => value.as_const() == Some(&Const::Bool(false)),
            _ => false,
        },
        _ => false,
    }
}

fn returns(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.walk(&mut |stmt| {
        found |= matches!(
            stmt.kind,
            StmtKind::Return(_) | StmtKind::Fault(_) | StmtKind::TooDeep
        )
    });
    found
}

/// Makes functions of parts of a guard.
struct Slicer<'a, 'g> {
    generator: &'a Generator<'g>,
    family: &'a Family,
    steps: Vec<Dated>,
}

impl Slicer<'_, '_> {
    /// The tests that are wanted, with the assignments that the known parameters allow. Where what depends on no parameter was
    /// tried before, only such of it stays that tests look at.
    fn slice(
        &self,
        wanted: impl Fn(Params) -> bool,
        known: Params,
        name: &str,
        tried: bool,
    ) -> Option<Function> {
        let tests = |dated: &&Dated| !matches!(dated.step, Step::Do(_)) && wanted(dated.on);
        if self.steps.iter().filter(tests).count() == 0 {
            return None;
        }
        let kept = self.steps.iter().filter(|dated| match dated.step {
            Step::Do(_) => dated.on & !known == 0,
            _ => wanted(dated.on),
        });
        Some(self.function(self.looked_at(kept.collect(), tried).into_iter(), name))
    }

    /// The steps without assignments that no test looks at and that cannot fail, or have been tried before.
    fn looked_at<'d>(&self, steps: Vec<&'d Dated>, tried: bool) -> Vec<&'d Dated> {
        let mut looks = Looks {
            generator: self.generator,
            locals: Default::default(),
            env: Default::default(),
        };
        let mut kept = Vec::new();
        for dated in steps.into_iter().rev() {
            let wanted = match &dated.step {
                Step::Do(stmt) => {
                    let fails = self.may_fault(stmt) && !(tried && dated.on == 0);
                    fails || looks.at(stmt)
                }
                _ => true,
            };
            if wanted {
                looks.add(&dated.step);
                kept.push(dated);
            }
        }
        kept.reverse();
        kept
    }

    /// The tests that no group covers, with all assignments; nothing if there is none and no
    /// assignment over several groups may fault.
    fn rest(&self, covered: &[Params], tried: bool) -> Option<Function> {
        let alone = |on: Params| covered.iter().any(|group| on & !group == 0);
        let left = self.steps.iter().any(|dated| match &dated.step {
            Step::Do(stmt) => !alone(dated.on) && self.may_fault(stmt),
            _ => !alone(dated.on),
        });
        if !left {
            return None;
        }
        let kept = self.steps.iter().filter(|dated| match dated.step {
            Step::Do(_) => true,
            _ => !alone(dated.on),
        });
        Some(self.function(self.looked_at(kept.collect(), tried).into_iter(), "if all"))
    }

    /// Whether an assignment may fault that no test goes with: none depends on all the parameters that it depends on.
    fn fails_untested(&self, tried: bool) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|dated| match &dated.step {
            Step::Do(stmt) => {
                let goes_with =
                    |other: &Dated| !matches!(other.step, Step::Do(_)) && dated.on & !other.on == 0;
                let known = tried && dated.on == 0 || self.steps.iter().any(goes_with);
                !known && self.may_fault(stmt)
            }
            _ => false,
        })
    }

    fn may_fault(&self, stmt: &Stmt) -> bool {
        let locals = match self.generator.true_guard(self.family) {
            Some(guard) => &self.generator.game.function(guard).locals,
            None => return false,
        };
        let effect =
            self.generator
                .effects
                .block(self.generator.game, locals, std::slice::from_ref(stmt));
        effect.may_fault || effect.works
    }

    /// Both tests as one, where neither may fault and both take no longer than a few reads.
    fn together(&self, first: &Expr, second: &Expr) -> Option<Expr> {
        let both = Expr::binary(BinaryOp::And, first.clone(), second.clone());
        let effect = self.generator.effects.expr(self.generator.game, &both);
        let sure = super::chains::is_quick(&both) && !(effect.may_fault || effect.works);
        sure.then_some(both)
    }

    /// A function that tells whether the steps hold.
    fn function<'d>(&self, steps: impl Iterator<Item = &'d Dated>, name: &str) -> Function {
        let span = self.family.span;
        let mut body = Block::new();
        let mut last = None;
        for dated in steps {
            // Short tests are made together: a test that is left out now and then costs more than one that is made.
            let joined = match (&dated.step, &last) {
                (Step::Test(expr), Some(test)) => self.together(test, expr),
                _ => None,
            };
            if joined.is_some() {
                last = joined;
                continue;
            }
            if let Some(test) = last.take() {
                body.push(reject(test));
            }
            match &dated.step {
                Step::Do(stmt) => body.push(stmt.clone()),
                Step::Test(expr) => last = Some(expr.clone()),
                Step::Opaque(block) => body.extend(block.iter().cloned()),
            }
        }
        match last {
            Some(test) => body.push(Stmt::give(test)),
            None if super::stmt::ends(&body) => {}
            None => body.push(Stmt::give(Expr::bool(true, span))),
        }
        let guard = self.generator.true_guard(self.family);
        let guard = guard.map(|guard| self.generator.game.function(guard));
        Function {
            name: format!("{} {name}", self.family.name),
            params: 0,
            locals: guard.map_or_else(Vec::new, |guard| guard.locals.clone()),
            ret: Some(Type::Bool),
            body,
            doc: String::new(),
            span,
        }
    }
}

/// What is looked at by steps that come later.
struct Looks<'a, 'g> {
    generator: &'a Generator<'g>,
    locals: SortedSet<LocalId>,
    env: SortedSet<EnvId>,
}

impl Looks<'_, '_> {
    /// Whether something looks at what a statement gives.
    fn at(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let(local, _) => self.locals.contains(local),
            StmtKind::SetEnv(var, _) => self.env.contains(var),
            StmtKind::Call { func, into, .. } => {
                let written = &self.generator.effects.function(*func).scratch.env;
                into.is_some_and(|local| self.locals.contains(&local))
                    || !written.is_disjoint(&self.env)
            }
            _ => true,
        }
    }

    /// Adds what a step looks at.
    fn add(&mut self, step: &Step) {
        match step {
            Step::Test(expr) => self.expr(expr),
            Step::Do(stmt) => self.block(std::slice::from_ref(stmt)),
            Step::Opaque(block) => self.block(block),
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        walk_block(block, &mut |stmt| {
            stmt.children(&mut |expr| self.expr(expr));
            if let StmtKind::Call { func, .. } = &stmt.kind {
                let reads = &self.generator.effects.function(*func).reads.env;
                self.env.extend(reads);
            }
        });
    }

    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                self.locals.insert(*local);
            }
        });
        let effect = self.generator.effects.expr(self.generator.game, expr);
        self.env.extend(&effect.reads.env);
    }
}

fn reject(test: Expr) -> Stmt {
    let span = test.span;
    let leave = vec![Stmt::give(Expr::bool(false, span))];
    Stmt::branch(test.not().at(span), leave, Block::new())
}
