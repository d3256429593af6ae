//! Which variables of the environment are still read after a function has returned.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::{
    Block, Const, Count, EnvId, Expr, ExprKind, FuncId, Game, LocalId, Stmt, StmtKind, UnaryOp,
};

pub(in crate::opt) type Vars = SortedSet<EnvId>;

/// For each function the variables that something may read after it, before it is written again.
pub(in crate::opt) fn read_after(game: &Game, effects: &Effects) -> Vec<Vars> {
    let count = game.functions.len();
    let mut reads = Reads {
        game,
        effects,
        takes: vec![Vars::new(); count],
        writes: vec![Vars::new(); count],
        confirms: vec![Vars::new(); count],
        after: vec![Vars::new(); count],
        passing: false,
    };
    // What functions always write, then what they take, then what is read after them.
    loop {
        let before = (reads.writes.clone(), reads.confirms.clone());
        for index in 0..count {
            let written = |confirms| {
                let ways = reads.written(&game.functions[index].body, Vars::new(), confirms);
                let [end, left] = ways;
                common(end, left).unwrap_or_default()
            };
            (reads.writes[index], reads.confirms[index]) = (written(false), written(true));
        }
        if (&reads.writes, &reads.confirms) == (&before.0, &before.1) {
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

/// Whether a condition is that a question was answered with yes, or that it was not; nothing where it is something else.
fn answers(cond: &Expr, asked: LocalId) -> Option<bool> {
    match &cond.kind {
        ExprKind::Local(local) => (*local == asked).then_some(true),
        ExprKind::Unary(UnaryOp::Not, inner) => answers(inner, asked).map(|holds| !holds),
        _ => None,
    }
}

/// A call whose answer the statement after it asks for, and what that runs if it was yes and if it was no.
fn question<'s>(before: &'s [Stmt], stmt: &'s Stmt) -> Option<(&'s Stmt, FuncId, [&'s Block; 2])> {
    let StmtKind::If(cond, yes, no) = &stmt.kind else {
        return None;
    };
    let asked = before.last()?;
    let StmtKind::Call {
        func,
        into: Some(into),
        ..
    } = &asked.kind
    else {
        return None;
    };
    let blocks = if answers(cond, *into)? {
        [yes, no]
    } else {
        [no, yes]
    };
    Some((asked, *func, blocks))
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
    /// What a function writes wherever it does not answer with no.
    confirms: Vec<Vars>,
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
    /// Those count that answer with no, or, if it is what `confirms`, only the others.
    fn written(&self, block: &[Stmt], mut all: Vars, confirms: bool) -> [Option<Vars>; 2] {
        let mut left: Option<Vars> = None;
        let mut asked: Option<(LocalId, FuncId)> = None;
        for stmt in block {
            let answer = asked.take();
            let confirmed = |cond: &Expr, yes: bool, mut all: Vars| {
                if let Some((local, func)) = answer
                    && answers(cond, local) == Some(yes)
                {
                    all.extend(&self.confirms[func.index()]);
                }
                all
            };
            match &stmt.kind {
                StmtKind::Return(Some(value)) if confirms => {
                    let no = value.as_const() == Some(&Const::Bool(false));
                    let way = (!no).then(|| confirmed(value, true, all));
                    return [None, common(left, way)];
                }
                StmtKind::SetEnv(var, _) => {
                    all.insert(*var);
                }
                StmtKind::Call { func, into, .. } => {
                    all.extend(&self.writes[func.index()]);
                    asked = into.map(|local| (local, *func));
                }
                StmtKind::If(cond, yes, no) => {
                    let held = confirmed(cond, true, all.clone());
                    let [yes_end, yes_left] = self.written(yes, held, confirms);
                    let failed = confirmed(cond, false, all);
                    let [no_end, no_left] = self.written(no, failed, confirms);
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
                    let [end, out] = self.written(body, all, confirms);
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
        let mut rest = &block[..];
        while let Some((stmt, others)) = rest.split_last() {
            rest = others;
            live = match question(others, stmt) {
                Some((asked, func, [yes, no])) => {
                    rest = &others[..others.len() - 1];
                    let confirmed = self.block(yes, live.clone(), ends);
                    let denied = self.block(no, live, ends);
                    self.asked(asked, func, &confirmed, &denied)
                }
                None => self.stmt(stmt, live, ends),
            };
        }
        live
    }

    /// What is read before a question, given what is read after either answer.
    fn asked(&mut self, stmt: &Stmt, func: FuncId, confirmed: &Vars, denied: &Vars) -> Vars {
        let func = func.index();
        if self.passing {
            self.after[func].extend(confirmed);
            self.after[func].extend(denied);
        }
        let confirmed = confirmed.difference(&self.confirms[func]);
        let denied = denied.difference(&self.writes[func]);
        let all = confirmed.chain(denied).chain(&self.takes[func]);
        let mut before: Vars = all.copied().collect();
        stmt.children(&mut |expr| self.add(expr, &mut before));
        before
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
