//! `once`: what is asked several times in one go is asked once.
//!
//! Several ends of a game often begin with one question, such as whether anybody can still move. Where nothing changed since, its
//! answer is known. Functions that ask it are written out where they are called, so that they can use it.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::{Access, Effects};
use crate::ir::same::same;
use crate::ir::visit::nodes;
use crate::ir::{Block, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind};

use super::fold_constants::{drop_functions, simplify};
use super::inline::replace_calls;
use super::locals::each_assigned;

/// Statements and expressions of a function that is written out.
const NODES: usize = 60;
/// Functions that only ask another one, one in the other.
const DEPTH: usize = 8;

/// Replaces what it can.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let once = Once {
        game,
        effects: &effects,
    };
    // What a function asks and does stays the same, however it is written.
    let all = (0..game.functions.len()).filter_map(|index| {
        let function = once.function(&game.functions[index])?;
        Some((index, function))
    });
    let all: Vec<(usize, Function)> = all.collect();
    if all.is_empty() {
        return;
    }
    for (index, function) in all {
        game.functions[index] = function;
    }
    drop_functions(game);
    simplify(game);
}

/// A question and its arguments.
type Question = (FuncId, Vec<Expr>);

struct Once<'a> {
    game: &'a Game,
    effects: &'a Effects,
}

/// Questions with the variables that have their answers.
type Answers = Vec<(Question, LocalId)>;

impl Once<'_> {
    /// The function where it asks something once in place of several times.
    fn function(&self, function: &Function) -> Option<Function> {
        let asked = asked_by(&function.body);
        let mut counts: SortedMap<FuncId, usize> = SortedMap::new();
        for func in &asked {
            for question in self.questions(*func) {
                *counts.entry(question).or_default() += 1;
            }
        }
        let shared = |question: &FuncId| counts.get(question).is_some_and(|count| *count > 1);
        if !counts.keys().any(shared) {
            return None;
        }
        let mut next = function.clone();
        for func in asked {
            let body = &self.game.function(func).body;
            let inner = asked_by(body);
            let inner = inner.iter().filter_map(|func| self.last(*func));
            if inner.filter(shared).count() > 0 && nodes(body) <= NODES && self.is_question(func) {
                replace_calls(&mut next, func, self.game.function(func));
            }
        }
        let (mut body, mut answers) = (std::mem::take(&mut next.body), Answers::new());
        let changed = self.block(&mut body, &mut answers, &next.locals);
        next.body = body;
        changed.then_some(next)
    }

    /// What a function asks without arguments, itself included.
    fn questions(&self, func: FuncId) -> Vec<FuncId> {
        if !self.is_question(func) {
            return Vec::new();
        }
        let own = asked_by(&self.game.function(func).body);
        let all = own.into_iter().chain([func]);
        let mut all: Vec<FuncId> = all.filter_map(|func| self.last(func)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The function that is asked in the end, by functions without arguments that only ask the next one.
    fn last(&self, mut func: FuncId) -> Option<FuncId> {
        for _ in 0..DEPTH {
            let function = self.game.function(func);
            if function.params > 0 || !self.is_question(func) {
                return None;
            }
            match &function.body[..] {
                [
                    Stmt {
                        kind:
                            StmtKind::Call {
                                func: next,
                                args,
                                into: Some(into),
                            },
                        ..
                    },
                    Stmt {
                        kind: StmtKind::Return(Some(value)),
                        ..
                    },
                ] if args.is_empty() && value.kind == ExprKind::Local(*into) => func = *next,
                _ => return Some(func),
            }
        }
        None
    }

    /// Whether a function only asks.
    fn is_question(&self, func: FuncId) -> bool {
        let effect = self.effects.function(func);
        effect.is_pure() && !effect.works && !effect.fails && !self.effects.is_recursive(func)
    }

    /// Uses known answers in a block, and leaves those that hold after it; whether any was used.
    fn block(&self, block: &mut Block, answers: &mut Answers, locals: &[Local]) -> bool {
        let mut changed = false;
        for stmt in block.iter_mut() {
            let question = self.question(stmt);
            if let Some((question, into)) = &question {
                let known = answers.iter().find(|(other, _)| is_same(question, other));
                if let Some((_, local)) = known {
                    let ty = locals[into.index()].ty.clone();
                    let answer = Expr::local(*local, ty, stmt.span);
                    stmt.kind = StmtKind::Let(*into, answer);
                    changed = true;
                }
            }
            self.forget(stmt, answers, locals);
            if let StmtKind::If(..) = stmt.kind {
                stmt.blocks_mut(&mut |inner| {
                    changed |= self.block(inner, &mut answers.clone(), locals);
                });
            } else {
                stmt.blocks_mut(&mut |inner| {
                    changed |= self.block(inner, &mut Answers::new(), locals);
                });
            }
            if let (Some((question, into)), StmtKind::Call { .. }) = (question, &stmt.kind) {
                answers.push((question, into));
            }
        }
        changed
    }

    /// The question that a statement asks.
    fn question(&self, stmt: &Stmt) -> Option<(Question, LocalId)> {
        let StmtKind::Call {
            func,
            args,
            into: Some(into),
        } = &stmt.kind
        else {
            return None;
        };
        let fixed = args
            .iter()
            .all(|arg| matches!(arg.kind, ExprKind::Const(_)));
        if !fixed || !self.is_question(*func) {
            return None;
        }
        let func = self.last(*func).unwrap_or(*func);
        Some(((func, args.clone()), *into))
    }

    /// Forgets answers that a statement changes, before what stands inside of it is looked at: it may run after that.
    fn forget(&self, stmt: &Stmt, answers: &mut Answers, locals: &[Local]) {
        let effect = self
            .effects
            .block(self.game, locals, std::slice::from_ref(stmt));
        let written: &Access = &effect.scratch;
        let mut assigned = Vec::new();
        let one = std::slice::from_ref(stmt);
        crate::ir::visit::walk_block(one, &mut |stmt| {
            each_assigned(stmt, &mut |local| assigned.push(local));
        });
        answers.retain(|((func, _), local)| {
            let reads = &self.effects.function(*func).reads;
            !written.meets(reads) && !effect.suspends && !assigned.contains(local)
        });
    }
}

/// The functions that a block asks without arguments, one after another, each once.
fn asked_by(block: &[Stmt]) -> Vec<FuncId> {
    let mut all = Vec::new();
    for stmt in block {
        if let StmtKind::Call {
            func,
            args,
            into: Some(_),
        } = &stmt.kind
            && args.is_empty()
            && !all.contains(func)
        {
            all.push(*func);
        }
    }
    all
}

fn is_same((func, args): &Question, (other, others): &Question) -> bool {
    let mut pairs = args.iter().zip(others);
    func == other && args.len() == others.len() && pairs.all(|(one, other)| same(one, other))
}
