//! `predicates`: a question that a body works out on the way becomes a function of its own.
//!
//! An author may give a question a name or write it where it is asked. Passes that look for questions (`specialise`, `lift`,
//! `rays`, `patterns`) look at functions. So what a body computes before it tests a truth value, and needs for nothing else,
//! is taken out: from then on both spellings are one.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{
    Block, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, Type, UnaryOp,
};
use crate::source::Span;

use super::attempts;
use super::fold_constants::compact;
use super::locals::{Locals, Needs, each_assigned, live_before, rename_block};
use super::tables::unused;

/// Takes questions out of all functions that are not recursive.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    attempts::run(game);
    let mut first = 0;
    // What is taken out may hold further questions.
    while first < game.functions.len() {
        let next = game.functions.len();
        let effects = Effects::of(game);
        let mut questions = Vec::new();
        let mut bodies = Vec::new();
        for (index, owner) in game.functions.iter().enumerate().skip(first) {
            if effects.is_recursive(FuncId::from(index)) {
                continue;
            }
            let finder = Finder {
                game,
                effects: &effects,
                owner,
                needs: Needs::of(&owner.body),
            };
            let before = questions.len();
            let body = finder.block(&owner.body, &mut questions);
            if questions.len() > before {
                bodies.push((index, body));
            }
        }
        add(game, bodies, questions, "asks");
        first = next;
    }
}

/// Gives functions their new bodies, and adds the questions that these ask by calls: named after the functions with a word behind.
pub(super) fn add(
    game: &mut Game,
    bodies: Vec<(usize, Block)>,
    questions: Vec<Function>,
    word: &str,
) {
    for (index, body) in bodies {
        game.functions[index].body = body;
    }
    for mut question in questions {
        question.name = unused(game, &format!("{} {word}", question.name), 1);
        game.functions.push(question);
    }
}

/// A question with a body out of a function: some of its local variables are the parameters. It has the name of the function.
pub(super) fn taken_out(
    owner: &Function,
    mut body: Block,
    params: &[LocalId],
    span: Span,
) -> Function {
    rename_block(
        &mut body,
        &mut |local| match params.iter().position(|param| *param == local) {
            Some(place) => LocalId::from(place),
            None => LocalId::from(params.len() + local.index()),
        },
    );
    let declared = params.iter().map(|param| &owner.locals[param.index()]);
    let mut function = Function {
        name: owner.name.clone(),
        params: params.len(),
        locals: declared.chain(&owner.locals).cloned().collect(),
        ret: Some(Type::Bool),
        body,
        doc: String::new(),
        span,
    };
    compact(&mut function);
    function
}

/// Looks for questions in one function.
struct Finder<'a> {
    game: &'a Game,
    effects: &'a Effects,
    owner: &'a Function,
    needs: Needs,
}

impl Finder<'_> {
    /// The block with its questions asked by calls.
    fn block(&self, block: &[Stmt], questions: &mut Vec<Function>) -> Block {
        let mut out = Vec::new();
        let mut end = block.len();
        // From the end, so that the largest one is taken where one holds another.
        while end > 0 {
            end -= 1;
            out.push(self.inside(&block[end], questions));
            let Some((start, answer)) = self.question(block, end) else {
                continue;
            };
            let run = &block[start..end];
            let params: Vec<LocalId> = live_before(run, &Locals::from([answer]))
                .into_iter()
                .collect();
            let args = params.iter().map(|&param| {
                let ty = self.owner.locals[param.index()].ty.clone();
                Expr::local(param, ty, block[end].span)
            });
            let func = FuncId::from(self.game.functions.len() + questions.len());
            let call = StmtKind::Call {
                func,
                args: args.collect(),
                into: Some(answer),
            };
            out.push(Stmt::new(call, block[end].span));
            questions.push(self.function(run, &params, answer));
            end = start;
        }
        out.reverse();
        out
    }

    /// The statement with the questions in its blocks asked by calls.
    fn inside(&self, stmt: &Stmt, questions: &mut Vec<Function>) -> Stmt {
        let mut blocks = Vec::new();
        stmt.blocks(&mut |inner| blocks.push(inner));
        let mut blocks = blocks
            .into_iter()
            .map(|inner| self.block(inner, questions))
            .collect::<Vec<_>>()
            .into_iter();
        let mut stmt = stmt.clone();
        stmt.blocks_mut(&mut |inner| {
            if let Some(block) = blocks.next() {
                *inner = block;
            }
        });
        stmt
    }

    /// Where the statements begin that only answer what is tested at `end`, and the variable of the answer.
    fn question(&self, block: &[Stmt], end: usize) -> Option<(usize, LocalId)> {
        let StmtKind::If(cond, ..) = &block[end].kind else {
            return None;
        };
        let answer = match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => tested(inner),
            _ => tested(cond),
        }?;
        let quiet = block[..end]
            .iter()
            .rev()
            .take_while(|stmt| self.is_quiet(stmt))
            .count();
        let needed = self.needs.before(&block[end]);
        let kept = |start: usize| {
            let mut assigned = SortedSet::new();
            walk_block(&block[start..end], &mut |stmt| {
                each_assigned(stmt, &mut |local| {
                    assigned.insert(local);
                });
            });
            assigned.contains(&answer)
                && assigned
                    .iter()
                    .all(|local| *local == answer || !needed.contains(local))
        };
        let start = (end - quiet..end).find(|&start| kept(start))?;
        let mut branches = false;
        walk_block(&block[start..end], &mut |stmt| {
            branches |= matches!(
                stmt.kind,
                StmtKind::If(..)
                    | StmtKind::For { .. }
                    | StmtKind::While { .. }
                    | StmtKind::ForEach(..)
            );
        });
        branches.then_some((start, answer))
    }

    /// Whether a statement only computes, and goes on behind itself.
    fn is_quiet(&self, stmt: &Stmt) -> bool {
        let only = std::slice::from_ref(stmt);
        let effect = self.effects.block(self.game, &self.owner.locals, only);
        effect.is_guard() && !effect.fails && goes_on(only, false)
    }

    fn function(&self, run: &[Stmt], params: &[LocalId], answer: LocalId) -> Function {
        let span = run.first().map_or(self.owner.span, |stmt| stmt.span);
        let mut body = run.to_vec();
        body.push(Stmt::new(
            StmtKind::Return(Some(Expr::local(answer, Type::Bool, span))),
            span,
        ));
        taken_out(self.owner, body, params, span)
    }
}

fn tested(cond: &Expr) -> Option<LocalId> {
    match cond.kind {
        ExprKind::Local(local) if cond.ty == Type::Bool => Some(local),
        _ => None,
    }
}

/// Whether control always comes out behind the statements, if it comes out at all.
pub(super) fn goes_on(block: &[Stmt], in_loop: bool) -> bool {
    block.iter().all(|stmt| match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Stop(_) | StmtKind::Trial { .. } => false,
        StmtKind::Break | StmtKind::Continue => in_loop,
        kind => {
            let looping = matches!(
                kind,
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::ForEach(..)
            );
            let mut on = true;
            stmt.blocks(&mut |inner| on &= goes_on(inner, in_loop || looping));
            on
        }
    })
}
