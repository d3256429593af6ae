//! `ends`: ends with one outcome, one after another, ask one question.
//!
//! An author may write an end of the game for each direction of a line, or one end that asks for all of them. Passes that look
//! for questions (`rays`, `patterns`, `changes`) make the most of one that asks for all. So what such ends ask, in their order,
//! becomes a function of its own: from then on both spellings are one.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::{
    Block, Const, Expr, ExprKind, FuncId, Function, Game, LocalId, Stmt, StmtKind, Type,
};

use super::locals::{Locals, Needs, live_before};
use super::{predicates, tabulate};

/// Puts together what it can, in functions that are not asked by others for a value.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let mut questions = Vec::new();
    let mut bodies = Vec::new();
    for (index, owner) in game.functions.iter().enumerate() {
        if owner.ret.is_some() || effects.is_recursive(FuncId::from(index)) {
            continue;
        }
        let ends = Ends {
            game,
            effects: &effects,
            owner,
            needs: Needs::of(&owner.body),
        };
        let before = questions.len();
        let body = ends.block(&owner.body, &mut questions);
        if questions.len() > before {
            bodies.push((index, body));
        }
    }
    predicates::add(game, bodies, questions, "ends");
}

/// Looks for ends in one function.
struct Ends<'a> {
    game: &'a Game,
    effects: &'a Effects,
    owner: &'a Function,
    needs: Needs,
}

/// A question and what comes of it.
struct End {
    answer: LocalId,
    outcome: Block,
}

impl Ends<'_> {
    /// The block with ends of one outcome put together.
    fn block(&self, block: &[Stmt], questions: &mut Vec<Function>) -> Block {
        let mut out = Vec::new();
        let mut left = block;
        while let [first, rest @ ..] = left {
            let Some(end) = self.end(left) else {
                out.push(first.clone());
                left = rest;
                continue;
            };
            let alike = |pair: &&[Stmt]| {
                self.end(pair)
                    .is_some_and(|other| is_same(&end.outcome, &other.outcome))
            };
            let count = left.chunks_exact(2).take_while(alike).count();
            let (run, rest) = left.split_at(2 * count.max(1));
            match count {
                0 | 1 => out.extend_from_slice(run),
                _ => self.put_together(run, end, questions, &mut out),
            }
            left = rest;
        }
        out
    }

    /// The end that the first two statements are: a question about the board, whose answer nothing else needs, and what comes of it.
    fn end(&self, block: &[Stmt]) -> Option<End> {
        let [ask, test, ..] = block else { return None };
        let StmtKind::Call {
            func,
            into: Some(answer),
            ..
        } = &ask.kind
        else {
            return None;
        };
        let StmtKind::If(cond, outcome, no) = &test.kind else {
            return None;
        };
        let effect = self.effects.function(*func);
        let asks = effect.is_guard() && !effect.fails && !effect.reads.placements.is_empty();
        if !asks || cond.kind != ExprKind::Local(*answer) || !no.is_empty() {
            return None;
        }
        let outcome = self.decided(outcome);
        let needed = [
            self.needs.after(test),
            &live_before(&outcome, &Locals::new()),
        ];
        let [
            Stmt {
                kind: StmtKind::End { .. },
                ..
            },
        ] = &outcome[..]
        else {
            return None;
        };
        let plain = needed.iter().all(|needed| !needed.contains(answer));
        (plain && !self.may_fault(&outcome)).then_some(End {
            answer: *answer,
            outcome,
        })
    }

    /// The statements without tests that come to the same for all members that a variable of the state can be.
    fn decided(&self, block: &[Stmt]) -> Block {
        let mut out = Vec::new();
        for stmt in block {
            let known = match &stmt.kind {
                StmtKind::If(cond, yes, no) => match tabulate::constant(self.game, cond) {
                    Some(Const::Bool(true)) => Some(yes),
                    Some(Const::Bool(false)) => Some(no),
                    _ => None,
                },
                _ => None,
            };
            match known {
                Some(block) => out.extend(self.decided(block)),
                None => out.push(stmt.clone()),
            }
        }
        out
    }

    /// Whether statements may fault: a fault tells which of the ends it is.
    fn may_fault(&self, outcome: &[Stmt]) -> bool {
        outcome.iter().any(|stmt| {
            let mut faults = false;
            stmt.children(&mut |expr| {
                let effect = self.effects.expr(self.game, expr);
                faults |= effect.may_fault && !tabulate::never_faults(self.game, expr);
            });
            faults
        })
    }

    /// A call of one question in place of many.
    fn put_together(&self, run: &[Stmt], end: End, questions: &mut Vec<Function>, out: &mut Block) {
        let span = run[0].span;
        let params: Vec<LocalId> = live_before(run, &Locals::new())
            .into_iter()
            .filter(|local| self.is_asked(run, *local))
            .collect();
        let args = params.iter().map(|&param| {
            let ty = self.owner.locals[param.index()].ty.clone();
            Expr::local(param, ty, span)
        });
        let call = StmtKind::Call {
            func: FuncId::from(self.game.functions.len() + questions.len()),
            args: args.collect(),
            into: Some(end.answer),
        };
        let cond = Expr::local(end.answer, Type::Bool, span);
        out.push(Stmt::new(call, span));
        out.push(Stmt::new(StmtKind::If(cond, end.outcome, Vec::new()), span));
        questions.push(self.question(run, &params));
    }

    /// Whether a question of the run is asked about a local variable.
    fn is_asked(&self, run: &[Stmt], local: LocalId) -> bool {
        let mut asked = SortedSet::new();
        for stmt in run.iter().step_by(2) {
            stmt.children(&mut |expr| {
                expr.walk(&mut |expr| {
                    if let ExprKind::Local(local) = expr.kind {
                        asked.insert(local);
                    }
                });
            });
        }
        asked.contains(&local)
    }

    /// The function that asks all questions of a run until one holds.
    fn question(&self, run: &[Stmt], params: &[LocalId]) -> Function {
        let span = run[0].span;
        let truth = |value: bool| {
            let value = Expr::constant(Const::Bool(value), Type::Bool, span);
            Stmt::new(StmtKind::Return(Some(value)), span)
        };
        let mut body = Block::new();
        for pair in run.chunks_exact(2) {
            let [ask, test] = pair else { continue };
            let StmtKind::If(cond, ..) = &test.kind else {
                continue;
            };
            let holds = StmtKind::If(cond.clone(), vec![truth(true)], Vec::new());
            body.extend([ask.clone(), Stmt::new(holds, test.span)]);
        }
        body.push(truth(false));
        predicates::taken_out(self.owner, body, params, span)
    }
}

/// Whether two outcomes are the same, wherever they stand.
fn is_same(one: &[Stmt], other: &[Stmt]) -> bool {
    match (one, other) {
        (
            [
                Stmt {
                    kind: StmtKind::End { reason, winners },
                    ..
                },
            ],
            [
                Stmt {
                    kind:
                        StmtKind::End {
                            reason: others_reason,
                            winners: others,
                        },
                    ..
                },
            ],
        ) => reason == others_reason && same(winners, others),
        _ => false,
    }
}
