//! Which variables of the environment are still read after a function has returned.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::{Block, Const, Count, EnvId, Expr, ExprKind, Game, Stmt, StmtKind};

pub(in crate::opt) type Vars = SortedSet<EnvId>;

/// For each function the variables that something may read after it, before it is written again.
pub(in crate::opt) fn read_after(game: &Game, effects: &Effects) -> Vec<Vars> {
    let count = game.functions.len();
    let mut reads = Reads {
        game,
        effects,
        takes: vec![Vars::new(); count],
        writes: vec![Vars::new(); count],
        after: vec![Vars::new(); count],
        passing: false,
    };
    // What functions always write, then what they take, then what is read after them.
    loop {
        let before = reads.writes.clone();
        for index in 0..count {
            let [end, left] = reads.written(&game.functions[index].body, Vars::new());
            reads.writes[index] = common(end, left).unwrap_or_default();
        }
        if reads.writes == before {
            break;
        }
    }
    loop {
        let before = (reads.takes.clone(), reads.after.clone());
        for (index, function) in game.functions.iter().enumerate() {
            let none = Vars::new();
            let end = match reads.passing {
                true => reads.after[index].clone(),
                false => none,
            };
            let at = Ends {
                ret: &end,
                again: &Vars::new(),
                leave: &Vars::new(),
            };
            let taken = reads.block(&function.body, end.clone(), at);
            if !reads.passing {
                reads.takes[index] = taken;
            }
        }
        if before == (reads.takes.clone(), reads.after.clone()) {
            if reads.passing {
                return reads.after;
            }
            reads.passing = true;
        }
    }
}

/// What is in both, where both are possible.
fn common(one: Option<Vars>, other: Option<Vars>) -> Option<Vars> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
        (one, other) => one.or(other),
    }
}

/// Whether a loop has a first round, whatever happens.
fn runs(stmt: &Stmt) -> bool {
    let StmtKind::For {
        from, to, count, ..
    } = &stmt.kind
    else {
        return false;
    };
    match (count, from.as_const(), to.as_const()) {
        (Count::Toward, ..) => true,
        (Count::Up, Some(Const::Int(from)), Some(Const::Int(to))) => from <= to,
        (Count::Down, Some(Const::Int(from)), Some(Const::Int(to))) => from >= to,
        _ => false,
    }
}

struct Reads<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// What a function may read before it writes it.
    takes: Vec<Vars>,
    /// What a function writes whatever happens.
    writes: Vec<Vars>,
    /// What may be read after a function.
    after: Vec<Vars>,
    /// Whether what follows a call is passed on to the function.
    passing: bool,
}

/// What is read after a return, the next round of a loop, and after the loop.
#[derive(Clone, Copy)]
struct Ends<'e> {
    ret: &'e Vars,
    again: &'e Vars,
    leave: &'e Vars,
}

impl Reads<'_> {
    /// What a block writes after `all` on every way to its end and on every way out of it; nothing where there is no such way.
    fn written(&self, block: &[Stmt], mut all: Vars) -> [Option<Vars>; 2] {
        let mut left: Option<Vars> = None;
        for stmt in block {
            match &stmt.kind {
                StmtKind::SetEnv(var, _) => {
                    all.insert(*var);
                }
                StmtKind::Call { func, .. } => all.extend(&self.writes[func.index()]),
                StmtKind::If(_, yes, no) => {
                    let [yes_end, yes_left] = self.written(yes, all.clone());
                    let [no_end, no_left] = self.written(no, all);
                    left = common(left, common(yes_left, no_left));
                    match common(yes_end, no_end) {
                        Some(end) => all = end,
                        None => return [None, left],
                    }
                }
                StmtKind::Let(..)
                | StmtKind::SetVar(..)
                | StmtKind::Put(..)
                | StmtKind::Bring(..)
                | StmtKind::Take(..)
                | StmtKind::SetContent(..)
                | StmtKind::Charge
                | StmtKind::Emit(_) => {}
                StmtKind::For { body, .. } if runs(stmt) => {
                    let [end, out] = self.written(body, all);
                    left = common(left, out.clone());
                    match common(end, out) {
                        Some(end) => all = end,
                        None => return [None, left],
                    }
                }
                StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {
                    left = common(left, Some(all.clone()));
                }
                // What follows may not run.
                _ => return [None, common(left, Some(all))],
            }
        }
        [Some(all), left]
    }

    fn block(&mut self, block: &Block, mut live: Vars, ends: Ends<'_>) -> Vars {
        for stmt in block.iter().rev() {
            live = self.stmt(stmt, live, ends);
        }
        live
    }

    fn stmt(&mut self, stmt: &Stmt, live: Vars, ends: Ends<'_>) -> Vars {
        let mut before = match &stmt.kind {
            StmtKind::SetEnv(var, _) => {
                let mut live = live;
                live.remove(var);
                live
            }
            StmtKind::Call { func, .. } => {
                if self.passing {
                    self.after[func.index()].extend(&live);
                }
                let kept = live.difference(&self.writes[func.index()]);
                kept.chain(&self.takes[func.index()]).copied().collect()
            }
            StmtKind::Return(_) => ends.ret.clone(),
            StmtKind::Break => ends.leave.clone(),
            StmtKind::Continue => ends.again.clone(),
            StmtKind::If(_, yes, no) => {
                let mut yes = self.block(yes, live.clone(), ends);
                yes.extend(self.block(no, live, ends));
                yes
            }
            StmtKind::For { body, .. }
            | StmtKind::ForEach(_, _, body)
            | StmtKind::While { body, .. } => self.rounds(stmt, body, live, ends),
            StmtKind::Choose(choose) => {
                let none = Vars::new();
                let ends = Ends {
                    ret: &none,
                    again: &none,
                    leave: &none,
                };
                choose.blocks(&mut |block| {
                    self.block(block, none.clone(), ends);
                });
                live
            }
            _ => {
                let mut all = live.clone();
                stmt.blocks(&mut |block| all.extend(self.block(block, live.clone(), ends)));
                all
            }
        };
        stmt.children(&mut |expr| self.add(expr, &mut before));
        before
    }

    fn rounds(&mut self, stmt: &Stmt, body: &Block, live: Vars, ends: Ends<'_>) -> Vars {
        let mut again = live.clone();
        loop {
            stmt.children(&mut |expr| self.add(expr, &mut again));
            let inner = Ends {
                ret: ends.ret,
                again: &again,
                leave: &live,
            };
            let mut next = self.block(body, again.clone(), inner);
            next.extend(&again);
            if next == again {
                if runs(stmt) {
                    // What follows is not reached without a round.
                    let mut first = self.block(body, again.clone(), inner);
                    stmt.children(&mut |expr| self.add(expr, &mut first));
                    return first;
                }
                return again;
            }
            again = next;
        }
    }

    /// What an expression reads.
    fn add(&self, expr: &Expr, live: &mut Vars) {
        expr.walk(&mut |expr| {
            if let ExprKind::EnvIsSet(var) = &expr.kind {
                live.insert(*var);
            }
        });
        live.extend(&self.effects.expr(self.game, expr).reads.env);
    }
}
