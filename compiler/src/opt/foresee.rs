//! `foresee`: what is tried to look at the position after it does no more than that look needs.
//!
//! A move that is judged by the position after it, and a trial that drops its writes, act on a scratch position that one
//! question is asked about. Writes that neither the question nor anything that stays reads are left out of a copy of what
//! they call, if they cannot fail: times, counters and histories as a rule.

use crate::ir::effects::{Access, Effects};
use crate::ir::{Block, FuncId, Function, Game, Local, Stmt, StmtKind};

use super::places::blocks_mut;

/// Gives all families and trials what they need.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let copy = game.clone();
    let mut copies = Copies {
        game: &copy,
        effects: &effects,
        known: Vec::new(),
        new: Vec::new(),
    };
    for family in &mut game.families {
        if let (Some(after), Some(effect)) = (family.after, family.effect) {
            let asked = &effects.function(after).reads;
            family.effect = Some(copies.reduced(effect, asked));
        }
    }
    blocks_mut(game, &mut |block| copies.block(block));
    game.functions.extend(copies.new);
}

struct Copies<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// Functions, what is asked behind them, and what does as much.
    known: Vec<(FuncId, Access, FuncId)>,
    new: Vec<Function>,
}

impl Copies<'_> {
    /// Trials that only call a function before their question.
    fn block(&mut self, block: &mut Block) {
        for stmt in block {
            if let StmtKind::Trial {
                body,
                keep: false,
                value: Some((value, _)),
                ..
            } = &mut stmt.kind
                && let [only] = &mut body[..]
                && let StmtKind::Call {
                    func, into: None, ..
                } = &mut only.kind
            {
                let asked = self.effects.expr(self.game, value).reads;
                *func = self.reduced(*func, &asked);
                continue;
            }
            stmt.blocks_mut(&mut |inner| self.block(inner));
        }
    }

    /// A function that does of this one what is asked for.
    fn reduced(&mut self, func: FuncId, asked: &Access) -> FuncId {
        let known = self.known.iter();
        let mut same = known.filter(|(of, access, _)| *of == func && access == asked);
        if let Some((_, _, copy)) = same.next() {
            return *copy;
        }
        let copy = self.copy(func, asked);
        self.known.push((func, asked.clone(), copy));
        copy
    }

    fn copy(&mut self, func: FuncId, asked: &Access) -> FuncId {
        let function = self.game.function(func);
        let effect = self.effects.function(func);
        if self.effects.is_recursive(func) || effect.suspends || !effect.writes.snapshots.is_empty()
        {
            return func;
        }
        let mut needed = asked.clone();
        let body = loop {
            let body = self.kept(&function.body, &function.locals, &needed);
            let mut more = needed.clone();
            more.join(&self.effects.block(self.game, &function.locals, &body).reads);
            if more == needed {
                break body;
            }
            needed = more;
        };
        if body == function.body {
            return func;
        }
        let taken = |name: &str| {
            let all = self.game.functions.iter().chain(&self.new);
            all.into_iter().any(|other| other.name == name)
        };
        let mut names = (1..).map(|number| match number {
            1 => format!("{} foreseen", function.name),
            _ => format!("{} foreseen {number}", function.name),
        });
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        self.new.push(Function {
            name,
            body,
            ..function.clone()
        });
        FuncId::from(self.game.functions.len() + self.new.len() - 1)
    }

    /// A block without the writes that nothing needs.
    fn kept(&self, block: &Block, locals: &[Local], needed: &Access) -> Block {
        let statements = block.iter().filter_map(|stmt| {
            let mut stmt = stmt.clone();
            let mut empty = true;
            let mut blocks = 0;
            stmt.blocks_mut(&mut |inner| {
                *inner = self.kept(inner, locals, needed);
                empty &= inner.is_empty();
                blocks += 1;
            });
            let idle = match &stmt.kind {
                StmtKind::SetVar(var, ..) => !needed.vars.contains(var),
                StmtKind::Put(placement, ..)
                | StmtKind::Take(placement, ..)
                | StmtKind::SetContent(placement, ..) => !needed.placements.contains(placement),
                StmtKind::Forget(trail) => !needed.trails.contains(trail),
                StmtKind::Emit(_) => true,
                StmtKind::If(..) | StmtKind::ForEach(..) => empty && blocks > 0,
                _ => false,
            };
            let fails = idle && self.may_fail(&stmt, locals);
            (!idle || fails).then_some(stmt)
        });
        statements.collect()
    }

    fn may_fail(&self, stmt: &Stmt, locals: &[Local]) -> bool {
        let effect = self
            .effects
            .block(self.game, locals, std::slice::from_ref(stmt));
        effect.may_fault || effect.works || effect.fails || effect.ends
    }
}
