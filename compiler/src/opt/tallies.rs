//! `tallies`: a count that only tells whether anything was counted, or everything, is that question.
//!
//! An author who counts the hounds that can move, to compare the number with zero, asks whether one of them can. The loops become
//! those of a quantifier, which stop where the answer is known: passes behind this one ask it of sets.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{free_locals, walk_block, walk_exprs};
use crate::ir::walk::rewrite_block;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, Function, Game, Local, LocalId, Stmt, StmtKind, Type,
};
use crate::source::Span;

use super::fold_constants::simplify;
use super::locals::{assigned, each_assigned, rounds};
use super::members::boards;
use super::possible::evaluate;
use super::unroll::leaves_round;

/// Rounds of a nest of loops.
const MOST_ROUNDS: i64 = 1024;

/// Replaces the counts in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let counting = |function: &Function| tally(&function.body).is_some();
    if !game.functions.iter().any(counting) {
        return;
    }
    let quiet = with_pieces_standing(game);
    let effects = Effects::of(&quiet);
    let mut changed = false;
    for index in 0..game.functions.len() {
        let Some(tally) = tally(&game.functions[index].body) else {
            continue;
        };
        let asked = Asked {
            game: &quiet,
            effects: &effects,
            function: &game.functions[index],
            tally,
        };
        if let Some(function) = asked.written(index) {
            game.functions[index] = function;
            changed = true;
        }
    }
    if changed {
        simplify(game);
    }
}

/// The game, in which it is no mistake to ask for the place of a piece on boards where all stand somewhere.
fn with_pieces_standing(game: &Game) -> Game {
    let mut quiet = game.clone();
    let boards = boards(game);
    for function in &mut quiet.functions {
        rewrite_block(&mut function.body, &mut |expr| {
            if let ExprKind::Get(inner) = &expr.kind
                && let ExprKind::PlaceOf(board, _) = inner.kind
                && boards.contains(&board)
            {
                expr.kind = ExprKind::Const(Const::Elem(0));
            }
        });
    }
    quiet
}

/// Loops that count.
struct Tally {
    /// Where the first number is given, and where the loops stand behind it.
    first: usize,
    at: usize,
    counter: LocalId,
    /// What a count adds, and how often it can.
    each: i64,
    rounds: i64,
}

/// The first loops at the outermost level that do nothing but count from zero in a variable.
fn tally(body: &[Stmt]) -> Option<Tally> {
    (0..body.len()).find_map(|at| {
        let (counter, each, rounds) = counted(&body[at])?;
        let gives = |stmt: &Stmt| assigned(std::slice::from_ref(stmt)).contains(&counter);
        let first = body[..at].iter().rposition(gives)?;
        let StmtKind::Let(_, value) = &body[first].kind else {
            return None;
        };
        let from_zero = value.as_const() == Some(&Const::Int(0)) && value.ty == Type::Wrap32;
        let mut times = 0;
        walk_block(body, &mut |stmt| {
            each_assigned(stmt, &mut |local| times += usize::from(local == counter));
        });
        (from_zero && times == 2).then_some(Tally {
            first,
            at,
            counter,
            each,
            rounds,
        })
    })
}

/// The variable in which a nest of loops counts at the end of each round, what it adds, and the number of rounds.
fn counted(stmt: &Stmt) -> Option<(LocalId, i64, i64)> {
    let StmtKind::For {
        body,
        charged: false,
        ..
    } = &stmt.kind
    else {
        return None;
    };
    let (_, lo, hi) = rounds(stmt)?;
    let (last, before) = body.split_last()?;
    if leaves_round(before) {
        return None;
    }
    let (counter, each, inner) = match &last.kind {
        StmtKind::If(_, yes, no) => {
            let (counter, each) = match (yes.as_slice(), no.as_slice()) {
                ([adds], []) | ([], [adds]) => added(adds)?,
                _ => return None,
            };
            (counter, each, 1)
        }
        _ => counted(last)?,
    };
    let all = inner * (hi - lo + 1).max(0);
    (all > 0 && all <= MOST_ROUNDS && all * each <= i64::from(i32::MAX))
        .then_some((counter, each, all))
}

/// The variable to which a statement adds a positive constant, and that constant.
fn added(stmt: &Stmt) -> Option<(LocalId, i64)> {
    let StmtKind::Let(counter, value) = &stmt.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Add, a, b) = &value.kind else {
        return None;
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Local(own), ExprKind::Const(Const::Int(each)))
        | (ExprKind::Const(Const::Int(each)), ExprKind::Local(own))
            if own == counter && *each > 0 && value.ty == Type::Wrap32 =>
        {
            Some((*counter, *each))
        }
        _ => None,
    }
}

/// A count of a function, and what decides whether it may stop early.
struct Asked<'a> {
    game: &'a Game,
    effects: &'a Effects,
    function: &'a Function,
    tally: Tally,
}

impl Asked<'_> {
    /// The function with a truth value instead of the count.
    fn written(&self, index: usize) -> Option<Function> {
        let all = self.is_of_all()?;
        self.is_nobodys(index).then_some(())?;
        let mut function = self.function.clone();
        let span = function.body[self.tally.at].span;
        let result = fresh(&mut function.locals);
        quantified(
            &mut function.body[self.tally.at],
            result,
            all,
            &mut function.locals,
        );
        let start = StmtKind::Let(result, Expr::bool(all, span));
        function.body[self.tally.first] = Stmt::new(start, span);
        let counter = self.tally.counter;
        let game = self.game;
        let highest = self.tally.each * self.tally.rounds;
        rewrite_block(&mut function.body, &mut |expr| {
            if !compares(expr, counter) {
                return;
            }
            let answer = |count: i64| evaluate(game, expr, &[(counter, Const::Int(count))]);
            let when = Expr::local(result, Type::Bool, expr.span);
            // What holds of the least count, and of the greatest.
            *expr = match (answer(0), answer(highest)) {
                (Some(Const::Bool(false)), Some(Const::Bool(true))) => when,
                _ => when.not(),
            };
        });
        Some(function)
    }

    /// Whether the count is only compared, and tells no more than whether everything was counted; or no more than whether anything was.
    fn is_of_all(&self) -> Option<bool> {
        let Tally {
            counter,
            each,
            rounds,
            ..
        } = self.tally;
        let (mut reads, mut compared) = (0, 0);
        let (mut any, mut all) = (true, true);
        walk_exprs(&self.function.body, &mut |expr| {
            reads += usize::from(expr.kind == ExprKind::Local(counter));
            if !compares(expr, counter) {
                return;
            }
            compared += 1;
            let answer =
                |count: i64| evaluate(self.game, expr, &[(counter, Const::Int(count * each))]);
            let answers: Vec<Option<Const>> = (0..=rounds).map(answer).collect();
            let same = |part: &[Option<Const>]| part.windows(2).all(|pair| pair[0] == pair[1]);
            let differ = answers.first() != answers.last() && answers.iter().all(Option::is_some);
            any &= differ && same(&answers[1..]);
            all &= differ && same(&answers[..answers.len() - 1]);
        });
        // The counting itself reads it once.
        match (any, all) {
            _ if compared == 0 || reads != compared + 1 => None,
            (true, _) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }

    /// Whether nobody sees that the loops stop early.
    fn is_nobodys(&self, index: usize) -> bool {
        let mut loops = vec![self.game.functions[index].body[self.tally.at].clone()];
        with_numbers_known(self.game, &mut loops, &mut SortedMap::new());
        let loops = &loops[..];
        let effect = self.effects.block(self.game, &self.function.locals, loops);
        let quiet = effect.is_pure() && !effect.works && !effect.fails && !effect.may_fault;
        let mut own: SortedSet<LocalId> = assigned(loops);
        own.remove(&self.tally.counter);
        let (mut inside, mut everywhere) = (0, 0);
        let reads = |block: &[Stmt], count: &mut usize| {
            walk_exprs(block, &mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    *count += usize::from(own.contains(&local));
                }
            });
        };
        let body = &self.function.body;
        reads(&body[self.tally.at..=self.tally.at], &mut inside);
        reads(body, &mut everywhere);
        quiet && inside == everywhere
    }
}

/// Gives constants to what follows from the number of a loop without a mistake: what is named by numbers is there.
fn with_numbers_known(game: &Game, block: &mut Block, known: &mut SortedMap<LocalId, Vec<Const>>) {
    for stmt in block {
        stmt.children_mut(&mut |expr| with_look_ups_known(game, expr, known));
        let number = rounds(stmt).filter(|(_, lo, hi)| hi - lo < MOST_ROUNDS);
        match &mut stmt.kind {
            StmtKind::Let(local, value) => {
                let all = values(game, value, known);
                known.remove(local);
                if let Some(all) = all {
                    value.kind = ExprKind::Const(all[0].clone());
                    known.insert(*local, all);
                }
            }
            StmtKind::For { body, .. } => {
                // What a round gives a variable is there in the next one.
                let given = assigned(body);
                given.iter().for_each(|local| _ = known.remove(local));
                if let Some((number, lo, hi)) = number {
                    known.insert(number, (lo..=hi).map(Const::Int).collect());
                }
                with_numbers_known(game, body, known);
                given.iter().for_each(|local| _ = known.remove(local));
            }
            _ => {
                let given = assigned(std::slice::from_ref(stmt));
                given.iter().for_each(|local| _ = known.remove(local));
            }
        }
    }
}

/// The same for look-ups by such numbers.
fn with_look_ups_known(game: &Game, expr: &mut Expr, known: &SortedMap<LocalId, Vec<Const>>) {
    if matches!(expr.kind, ExprKind::Lookup(..))
        && let Some(all) = values(game, expr, known)
    {
        expr.kind = ExprKind::Const(all[0].clone());
        return;
    }
    expr.children_mut(&mut |child| with_look_ups_known(game, child, known));
}

/// The values of an expression of one variable whose values are known, if it has one for each.
fn values(game: &Game, expr: &Expr, known: &SortedMap<LocalId, Vec<Const>>) -> Option<Vec<Const>> {
    let read = free_locals(expr);
    let mut read = read.into_iter();
    let (local, None) = (read.next()?, read.next()) else {
        return None;
    };
    let all = known.get(&local)?.iter();
    let all: Option<Vec<Const>> = all
        .map(|value| evaluate(game, expr, &[(local, value.clone())]))
        .collect();
    all.filter(|all| !all.is_empty())
}

/// Whether an expression compares a variable with a constant.
fn compares(expr: &Expr, local: LocalId) -> bool {
    match &expr.kind {
        ExprKind::Binary(_, a, b) if expr.ty == Type::Bool => {
            a.kind == ExprKind::Local(local) && b.as_const().is_some()
        }
        _ => false,
    }
}

/// Makes loops that count ask whether a condition holds in each round, or in any, for a variable that says no until it is known.
fn quantified(stmt: &mut Stmt, result: LocalId, all: bool, locals: &mut Vec<Local>) {
    let span = stmt.span;
    let StmtKind::For { body, .. } = &mut stmt.kind else {
        return;
    };
    let Some(mut last) = body.pop() else { return };
    let known = match last.kind {
        StmtKind::If(cond, yes, _) => match yes.is_empty() {
            true => cond.not(),
            false => cond,
        },
        _ => {
            let inner = fresh(locals);
            quantified(&mut last, inner, all, locals);
            let start = StmtKind::Let(inner, Expr::bool(all, span));
            body.extend([Stmt::new(start, span), last]);
            Expr::local(inner, Type::Bool, span)
        }
    };
    let known = if all { known.not() } else { known };
    body.push(Stmt::new(
        StmtKind::If(known, leave(result, !all, span), Block::new()),
        span,
    ));
}

/// Gives an answer and leaves the loop.
fn leave(result: LocalId, value: bool, span: Span) -> Block {
    let answer = StmtKind::Let(result, Expr::bool(value, span));
    vec![Stmt::new(answer, span), Stmt::new(StmtKind::Break, span)]
}

/// A new variable for a truth value.
fn fresh(locals: &mut Vec<Local>) -> LocalId {
    locals.push(Local {
        name: String::from("result"),
        ty: Type::Bool,
    });
    LocalId::from(locals.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::{Axis, Chance, Count, Distribution, Draw, DrawId, FuncId, Table, TextPart};
    use crate::opt::tests::assert_same_play;

    /// A question that counts which of four numbers are marked, and compares the count.
    fn counting(by_wrapped: bool, compare: &dyn Fn(Expr) -> Expr) -> Game {
        let span = Span::default();
        let mut builder = GameBuilder::new("marks", "none", &["a"]);
        builder.game.state_text.push(crate::ir::StatePart::Outcome);
        let marked = builder.table(Table {
            name: "marked".to_owned(),
            axes: vec![Axis::Range { lo: 1, hi: 4 }],
            ty: Type::Bool,
            values: [false, true, true, false].map(Const::Bool).to_vec(),
            outside: None,
            span,
        });
        let mut function = FunctionBuilder::new("asks", Some(Type::Bool), span);
        let count = function.local("count", Type::Wrap32);
        let ty = Type::Int { lo: 1, hi: 4 };
        let number = function.local("number", ty.clone());
        let bound = |value| Expr::constant(Const::Int(value), ty.clone(), span);
        let one = Expr::wrap(1, span);
        let more = Expr::binary(BinaryOp::Add, function.get(count), one);
        let wrapped = function.local("wrapped", Type::Wrap32);
        let index = if by_wrapped { wrapped } else { number };
        let holds = Expr::lookup(&builder.game, marked, vec![function.get(index)], span);
        let counts = Stmt::branch(holds, vec![Stmt::assign(count, more)], vec![]);
        let wrap = ExprKind::ToWrap(Box::new(function.get(number)));
        let wraps = Stmt::assign(wrapped, Expr::new(wrap, Type::Wrap32, span));
        let all = StmtKind::For {
            local: number,
            from: bound(1),
            to: bound(4),
            count: Count::Toward,
            body: vec![wraps, counts],
            charged: false,
        };
        let body = vec![
            Stmt::assign(count, Expr::wrap(0, span)),
            Stmt::new(all, span),
            Stmt::give(compare(function.get(count))),
        ];
        let asks: FuncId = builder.function(function.body(body));
        let mut process = FunctionBuilder::new("process", None, span);
        let answer = process.local("answer", Type::Bool);
        let coin = Type::Int { lo: 0, hi: 1 };
        builder.game.draws.push(Draw {
            name: "coin".to_owned(),
            ty: coin.clone(),
            text: vec![TextPart::Param(0)],
            span,
        });
        let drawn = process.local("drawn", coin);
        let draw = StmtKind::Chance(Chance {
            draw: DrawId(0),
            dist: Distribution::Uniform(Expr::int(0, span), Expr::int(1, span)),
            into: drawn,
        });
        let call = Stmt::call(asks, vec![], Some(answer), span);
        let ends = Stmt::branch(process.get(answer), vec![Stmt::fault("yes", span)], vec![]);
        builder.game.process =
            builder.function(process.body(vec![Stmt::new(draw, span), call, ends]));
        builder.game
    }

    #[test]
    fn a_count_that_tells_whether_there_is_any_stops_at_the_first() {
        let span = Span::default();
        let number = |value| Expr::wrap(value, span);
        let compared =
            |op: BinaryOp, value: i32| move |count: Expr| Expr::binary(op, count, number(value));
        let cases = [
            (BinaryOp::Eq, 0, true),
            (BinaryOp::Gt, 0, true),
            (BinaryOp::Lt, 1, true),
            (BinaryOp::Eq, 4, true),
            (BinaryOp::Ge, 4, true),
            (BinaryOp::Gt, 1, false),
            (BinaryOp::Eq, 2, false),
        ];
        let both = |(op, value, stops)| [false, true].map(|wrapped| (op, value, stops, wrapped));
        for (op, value, stops, wrapped) in cases.into_iter().flat_map(both) {
            let before = counting(wrapped, &compared(op, value));
            let mut after = before.clone();
            run(&mut after);
            let mut breaks = false;
            walk_block(&after.functions[0].body, &mut |stmt| {
                breaks |= matches!(stmt.kind, StmtKind::Break);
            });
            assert_eq!(breaks, stops, "{op:?} {value} {wrapped}");
            assert_same_play("marks", &before, &after, 1, 1);
        }
    }
}
