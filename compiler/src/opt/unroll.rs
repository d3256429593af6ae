//! `unroll`: a loop of a few rounds becomes as many blocks, one for each value of its variable.
//!
//! That pays where a round calls functions: they are copied for the values that they are called with (`specialise`), so that
//! steps in the eight directions of a board are constants.

use crate::ir::effects::Effects;
use crate::ir::visit::{has_counting_loop, nodes, walk_block};
use crate::ir::{Block, Const, Count, Expr, Game, Local, Stmt, StmtKind};

/// Rounds of a loop that is unrolled.
const ROUNDS: usize = 4;
/// Rounds of a loop that is unrolled although it may end before the last of them: what follows a round stands inside of it.
const NESTED: usize = 2;
/// Statements and expressions of all its rounds.
const NODES: usize = 400;

/// Unrolls the short loops of all functions.
pub fn run(game: &mut Game) {
    let mut functions = game.functions.iter();
    if game.machine.is_some() || !functions.any(|function| has_counting_loop(&function.body)) {
        return;
    }
    let effects = Effects::of(game);
    for function in &mut game.functions {
        unroll(&mut function.body, &function.locals, &effects);
    }
}

fn unroll(block: &mut Block, locals: &[Local], effects: &Effects) {
    for mut stmt in std::mem::take(block) {
        stmt.blocks_mut(&mut |inner| unroll(inner, locals, effects));
        match rounds(&stmt, locals, effects) {
            Some(rounds) => block.extend(rounds),
            None => block.push(stmt),
        }
    }
}

/// The rounds of a loop, if they are few and call something.
fn rounds(stmt: &Stmt, locals: &[Local], effects: &Effects) -> Option<Block> {
    let StmtKind::For {
        local,
        from,
        to,
        count,
        body,
        charged,
    } = &stmt.kind
    else {
        return None;
    };
    let (Some(Const::Int(from)), Some(Const::Int(to))) = (from.as_const(), to.as_const()) else {
        return None;
    };
    let values = values(*from, *to, *count)?;
    if !calls(body, effects) || nodes(body) * values.len() > NODES {
        return None;
    }
    let ty = &locals[local.index()].ty;
    let round = |value: &i64| {
        let mut round = Block::new();
        if *charged {
            round.push(Stmt::new(StmtKind::Charge, stmt.span));
        }
        let value = Expr::constant(Const::Int(*value), ty.clone(), stmt.span);
        round.push(Stmt::new(StmtKind::Let(*local, value), stmt.span));
        round.extend(body.iter().cloned());
        round
    };
    if !leaves_round(body) {
        return Some(values.iter().flat_map(round).collect());
    }
    let few = values.len() <= NESTED
        && !body
            .split_last()
            .is_some_and(|(_, rest)| leaves_round(rest));
    let mut rounds = values.iter().rev().map(round);
    few.then(|| rounds.try_fold(Block::new(), followed))?
}

/// A round, and behind it what follows where its last statement does not leave the loop.
fn followed(next: Block, mut round: Block) -> Option<Block> {
    let last = round.pop()?;
    let StmtKind::If(cond, mut yes, mut no) = last.kind else {
        return None;
    };
    let ends = |block: &Block| matches!(block.last().map(|stmt| &stmt.kind), Some(StmtKind::Break));
    match (ends(&yes), ends(&no)) {
        (true, false) => {
            yes.pop();
            no.extend(next);
        }
        (false, true) => {
            no.pop();
            yes.extend(next);
        }
        _ => return None,
    }
    (!leaves_round(&yes) && !leaves_round(&no)).then(|| {
        round.push(Stmt::new(StmtKind::If(cond, yes, no), last.span));
        round
    })
}

/// The values that the variable of a loop takes; nothing where they are many.
fn values(from: i64, to: i64, count: Count) -> Option<Vec<i64>> {
    let up = match count {
        Count::Up if from > to => return Some(Vec::new()),
        Count::Down if from < to => return Some(Vec::new()),
        Count::Up => true,
        Count::Down => false,
        Count::Toward => from <= to,
    };
    let few = from.abs_diff(to) < ROUNDS as u64;
    few.then(|| match up {
        true => (from..=to).collect(),
        false => (to..=from).rev().collect(),
    })
}

/// Whether a round calls something, and nothing in it stops.
fn calls(body: &Block, effects: &Effects) -> bool {
    let (mut calls, mut stops) = (false, false);
    walk_block(body, &mut |stmt| match &stmt.kind {
        StmtKind::Call { func, .. } => {
            calls = true;
            stops |= effects.function(*func).suspends;
        }
        StmtKind::Choose(_) | StmtKind::Chance(_) | StmtKind::Stop(_) => stops = true,
        _ => {}
    });
    calls && !stops
}

/// Whether a round may leave the loop, or go on with the next round, before its end.
pub(super) fn leaves_round(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => false,
        _ => {
            let mut found = false;
            stmt.blocks(&mut |inner| found |= leaves_round(inner));
            found
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_those_of_the_loop() {
        let of = |from, to, count| values(from, to, count);
        assert_eq!(of(-1, 1, Count::Toward), Some(vec![-1, 0, 1]));
        assert_eq!(of(1, -1, Count::Toward), Some(vec![1, 0, -1]));
        assert_eq!(of(2, 1, Count::Up), Some(vec![]));
        assert_eq!(of(2, 1, Count::Down), Some(vec![2, 1]));
        assert_eq!(of(1, 2, Count::Down), Some(vec![]));
        assert_eq!(of(0, 3, Count::Up), Some(vec![0, 1, 2, 3]));
        assert_eq!(of(0, 4, Count::Up), None);
        assert_eq!(of(i64::MIN, i64::MAX, Count::Up), None);
    }
}
