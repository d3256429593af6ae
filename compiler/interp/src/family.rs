//! Families of moves made ready to run: where candidates come from, and what decides about them.
//!
//! Most candidates fail a condition on a few of their parameters, and many differ only in parameters
//! that a guard does not look at. So a guard is taken apart into questions that name the values
//! they look at: one is asked as soon as these are bound, and once for equal values. That is done
//! only where nothing can tell the difference: the conditions that move forward, everything
//! that ran before them, and the candidates that are then not made can neither fault nor spend
//! work, and a guard leaves nothing behind but its answer.

use super::node::Node;
use super::program::Compiler;
use crate::ir::effects::{Effect, Effects};
use crate::ir::visit::{bound_in, walk_block, walk_exprs};
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FamilyId, FuncId, Function, Game, LocalId, Param,
    ParamSource, Stmt, StmtKind, TableId, Type, UnaryOp,
};
use crate::source::Span;

/// A family of moves.
#[derive(Debug)]
pub(super) struct FamilyCode {
    /// Where the candidates of each parameter come from.
    pub(super) params: Vec<SourceCode>,
    /// The guard as it stands in the rules.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "tests compare it with the questions")
    )]
    pub(super) guard: Option<FuncId>,
    /// What the guard asks.
    pub(super) questions: Vec<Question>,
    pub(super) after: Option<FuncId>,
    pub(super) effect: Option<FuncId>,
    pub(super) rank: Option<FuncId>,
    /// The values by which moves are interchangeable.
    pub(super) class: Box<[Node]>,
    /// Number of local variables that expressions and candidates need.
    pub(super) locals: usize,
    pub(super) span: Span,
}

/// The candidates for a parameter.
#[derive(Debug)]
pub(super) enum SourceCode {
    Members(Vec<u32>),
    Is(Node),
    Listed { by: usize, table: TableId },
    Generated(FuncId),
    Subset { of: Node, size: Node },
}

/// A condition on some of the values of a candidate: its context and its parameters.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) ask: Ask,
    /// It is asked as soon as so many parameters are bound.
    pub(super) bound: usize,
    /// The values that it looks at, if that are fewer than are bound: their places, and by what to
    /// multiply their numbers to get the place of the answer.
    pub(super) by: Option<Vec<(usize, usize)>>,
    /// Number of answers.
    pub(super) answers: usize,
}

#[derive(Debug)]
pub(super) enum Ask {
    Holds(Node),
    /// A routine that takes all values.
    Routine(usize),
}

/// Answers that are remembered for one question at most.
const MOST_ANSWERS: usize = 1 << 16;

/// Makes a family ready to run.
pub(super) fn family(compiler: &mut Compiler, id: FamilyId) -> FamilyCode {
    let game = compiler.game;
    let nodes = compiler.nodes;
    let family = game.family(id);
    let source = |param: &Param| match &param.source {
        ParamSource::All => SourceCode::Members(match param.ty {
            Type::Elem(domain) => (0..game.domain(domain).len() as u32).collect(),
            _ => Vec::new(),
        }),
        ParamSource::Among(list) => SourceCode::Members(list.clone()),
        ParamSource::Is(expr) => SourceCode::Is(nodes.node(expr)),
        ParamSource::Listed { by, table } => SourceCode::Listed {
            by: *by,
            table: *table,
        },
        ParamSource::Generated(func) => SourceCode::Generated(*func),
        ParamSource::Subset { of, size } => SourceCode::Subset {
            of: nodes.node(of),
            size: nodes.node(size),
        },
    };
    let params: Vec<SourceCode> = family.params.iter().map(source).collect();
    let questions = match family.guard {
        Some(guard) => Guard::new(compiler, id, guard).questions(),
        None => Vec::new(),
    };
    let class = nodes.all(&family.class);
    let values = family.context.len() + family.params.len();
    let asked = questions.iter().map(|question| match &question.ask {
        Ask::Holds(node) => node.locals(),
        Ask::Routine(_) => 0,
    });
    let sources = params.iter().map(|source| match source {
        SourceCode::Is(node) => node.locals(),
        SourceCode::Subset { of, size } => of.locals().max(size.locals()),
        _ => 0,
    });
    let needed = asked.chain(sources).chain(class.iter().map(Node::locals));
    FamilyCode {
        locals: needed.max().unwrap_or(0).max(values),
        params,
        guard: family.guard,
        questions,
        after: family.after,
        effect: family.effect,
        rank: family.rank,
        class,
        span: family.span,
    }
}

/// A guard that is taken apart.
struct Guard<'c, 'g> {
    compiler: &'c mut Compiler<'g>,
    family: FamilyId,
    guard: FuncId,
    /// Conditions that may move forward.
    conditions: Vec<Expr>,
    /// Whether nothing before the present place may fault or spend work.
    harmless: bool,
}

impl<'c, 'g> Guard<'c, 'g> {
    fn new(compiler: &'c mut Compiler<'g>, family: FamilyId, guard: FuncId) -> Self {
        Guard {
            compiler,
            family,
            guard,
            conditions: Vec::new(),
            harmless: true,
        }
    }

    fn questions(mut self) -> Vec<Question> {
        let game = self.compiler.game;
        let function = game.function(self.guard);
        if self.compiler.effects.is_recursive(self.guard) || assigns_parameters(function) {
            return vec![self.whole()];
        }
        let rest = self.rest_of(function);
        let rest = without_idle_stores(game, self.compiler.effects, function, rest);
        let conditions = std::mem::take(&mut self.conditions);
        let mut questions: Vec<Question> = conditions.iter().map(|c| self.condition(c)).collect();
        if !matches!(&rest[..], [Stmt { kind: StmtKind::Return(Some(value)), .. }] if is_true(value))
        {
            let bound = game.family(self.family).params.len();
            let routine = self.compiler.extra(&function.locals, &rest, function.span);
            let looks_at = parameters_in(function, |f| walk_exprs(&rest, f));
            questions.push(self.question(Ask::Routine(routine), bound, &looks_at));
        }
        questions
    }

    /// The guard as it is.
    fn whole(&self) -> Question {
        let bound = self.compiler.game.family(self.family).params.len();
        Question {
            ask: Ask::Routine(self.guard.index()),
            bound,
            by: None,
            answers: 0,
        }
    }

    /// The body without the conditions that move forward.
    fn rest_of(&mut self, function: &Function) -> Block {
        let mut rest = Vec::with_capacity(function.body.len());
        for stmt in &function.body {
            rest.extend(match self.harmless {
                true => self.rest_of_stmt(function, stmt),
                false => Some(stmt.clone()),
            });
        }
        rest
    }

    fn rest_of_stmt(&mut self, function: &Function, stmt: &Stmt) -> Option<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Return(Some(value)) => {
                let left = self.rest_of_condition(value);
                self.harmless = false;
                StmtKind::Return(Some(left))
            }
            StmtKind::If(cond, yes, no) if no.is_empty() && returns_false(yes) => {
                let ExprKind::Unary(UnaryOp::Not, wanted) = &cond.kind else {
                    self.harmless &= self.is_harmless(cond);
                    return Some(stmt.clone());
                };
                let left = self.rest_of_condition(wanted);
                if is_true(&left) {
                    return None;
                }
                let kind = ExprKind::Unary(UnaryOp::Not, Box::new(left));
                let cond = Expr::new(kind, Type::Bool, cond.span);
                StmtKind::If(cond, yes.clone(), Vec::new())
            }
            kind => {
                let effects = self.compiler.effects;
                let game = self.compiler.game;
                self.harmless &= stores_harmlessly(game, effects, function, kind).is_some();
                kind.clone()
            }
        };
        Some(Stmt::new(kind, stmt.span))
    }

    /// What is left of a condition when parts of it move forward.
    fn rest_of_condition(&mut self, cond: &Expr) -> Expr {
        if let ExprKind::Binary(BinaryOp::And, a, b) = &cond.kind {
            let a = self.rest_of_condition(a);
            let b = match self.harmless {
                true => self.rest_of_condition(b),
                false => b.as_ref().clone(),
            };
            return match (is_true(&a), is_true(&b)) {
                (true, _) => b,
                (_, true) => a,
                _ => {
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b));
                    Expr::new(kind, Type::Bool, cond.span)
                }
            };
        }
        if !self.is_harmless(cond) {
            self.harmless = false;
            return cond.clone();
        }
        let effect = self.effect(cond);
        let function = self.compiler.game.function(self.guard);
        if effect.reads.env.is_empty() && names_parameters_only(function, cond) {
            self.conditions.push(cond.clone());
            return Expr::new(ExprKind::Const(Const::Bool(true)), Type::Bool, cond.span);
        }
        cond.clone()
    }

    fn effect(&self, expr: &Expr) -> Effect {
        self.compiler.effects.expr(self.compiler.game, expr)
    }

    fn is_harmless(&self, expr: &Expr) -> bool {
        is_harmless(&self.effect(expr))
    }

    fn condition(&self, cond: &Expr) -> Question {
        let game = self.compiler.game;
        let family = game.family(self.family);
        let function = game.function(self.guard);
        let looks_at = parameters_in(function, |f| cond.walk(f));
        let context = family.context.len();
        let needed = looks_at.last().map_or(0, |&last| {
            last.saturating_sub(context) + usize::from(last >= context)
        });
        let may_fault = |param: &Param| !self.source_is_harmless(&param.source);
        let sources = family.params.iter().rposition(may_fault);
        let bound = needed.max(sources.map_or(0, |last| last + 1));
        let node = self.compiler.nodes.node(cond);
        self.question(Ask::Holds(node), bound, &looks_at)
    }

    /// Whether looking for the candidates of a parameter may neither fault nor spend work.
    fn source_is_harmless(&self, source: &ParamSource) -> bool {
        match source {
            ParamSource::All | ParamSource::Among(_) | ParamSource::Listed { .. } => true,
            ParamSource::Is(expr) => self.is_harmless(expr),
            ParamSource::Generated(func) => {
                let effects = self.compiler.effects;
                is_harmless(effects.function(*func)) && !effects.is_recursive(*func)
            }
            ParamSource::Subset { .. } => false,
        }
    }

    /// A question with room for its answers, if it looks at less than is bound.
    fn question(&self, ask: Ask, bound: usize, looks_at: &[usize]) -> Question {
        let game = self.compiler.game;
        let family = game.family(self.family);
        let context = family.context.len();
        let mut answers = 1_usize;
        let mut by = Some(Vec::new());
        // The context is the same for all candidates.
        for &place in looks_at.iter().filter(|&&place| place >= context) {
            let len = match family.params[place - context].ty {
                Type::Elem(domain) => game.domain(domain).len(),
                _ => usize::MAX,
            };
            by = by.filter(|_| len <= MOST_ANSWERS);
            if let Some(by) = &mut by {
                by.push((place, answers));
                answers = answers.saturating_mul(len);
            }
            by = by.filter(|_| answers <= MOST_ANSWERS);
        }
        let by = by.filter(|by| by.len() < bound || bound == 0);
        Question {
            ask,
            bound,
            answers: by.as_ref().map_or(0, |_| answers),
            by,
        }
    }
}

fn is_harmless(effect: &Effect) -> bool {
    !(effect.may_fault || effect.works || effect.fails || effect.emits || effect.ends)
}

fn is_true(expr: &Expr) -> bool {
    expr.as_const() == Some(&Const::Bool(true))
}

fn returns_false(block: &[Stmt]) -> bool {
    matches!(block, [Stmt { kind: StmtKind::Return(Some(value)), .. }]
        if value.as_const() == Some(&Const::Bool(false)))
}

/// The value of a store that always succeeds and does nothing else.
fn stores_harmlessly<'s>(
    game: &Game,
    effects: &Effects,
    function: &Function,
    kind: &'s StmtKind,
) -> Option<&'s Expr> {
    let (ty, value) = match kind {
        StmtKind::SetEnv(var, value) => (&game.env[var.index()].ty, value),
        StmtKind::Let(local, value) => (&function.local(*local).ty, value),
        _ => return None,
    };
    let harmless = ty.contains(&value.ty) && is_harmless(&effects.expr(game, value));
    harmless.then_some(value)
}

/// A body without the stores to the environment that nobody reads.
fn without_idle_stores(
    game: &Game,
    effects: &Effects,
    function: &Function,
    mut body: Block,
) -> Block {
    loop {
        let reads = effects.block(game, &function.locals, &body).reads.env;
        let before = body.len();
        body.retain(|stmt| match &stmt.kind {
            StmtKind::SetEnv(var, _) if !reads.contains(var) => {
                stores_harmlessly(game, effects, function, &stmt.kind).is_none()
            }
            _ => true,
        });
        if body.len() == before {
            return body;
        }
    }
}

/// Whether a function gives its parameters other values.
fn assigns_parameters(function: &Function) -> bool {
    let mut assigns = false;
    let mut assigned = |local: LocalId| assigns |= local.index() < function.params;
    walk_block(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Let(local, _)
        | StmtKind::For { local, .. }
        | StmtKind::ForEach(local, ..)
        | StmtKind::Call {
            into: Some(local), ..
        } => assigned(*local),
        StmtKind::Trial { ok, value, .. } => {
            assigned(*ok);
            value.iter().for_each(|(_, local)| assigned(*local));
        }
        _ => {}
    });
    walk_exprs(&function.body, &mut |expr| {
        bound_in(expr).into_iter().for_each(&mut assigned);
    });
    assigns
}

/// Whether all local variables in an expression are parameters of the function or bound in it.
fn names_parameters_only(function: &Function, expr: &Expr) -> bool {
    let mut bound = Vec::new();
    expr.walk(&mut |expr| bound.extend(bound_in(expr)));
    let mut only = true;
    expr.walk(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            only &= local.index() < function.params || bound.contains(&local);
        }
    });
    only
}

/// The parameters that expressions name, ascending.
fn parameters_in<'e>(
    function: &Function,
    walk: impl FnOnce(&mut dyn FnMut(&'e Expr)),
) -> Vec<usize> {
    let mut named = std::collections::BTreeSet::new();
    walk(&mut |expr| {
        if let ExprKind::Local(local) = expr.kind
            && local.index() < function.params
        {
            named.insert(local.index());
        }
    });
    named.into_iter().collect()
}
