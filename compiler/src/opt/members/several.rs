//! The same question about several pieces, one after the other: a question about some place on which one of them stands.

use rulec_ir::sorted::SortedSet;

use super::names::Board;
use super::{Loops, call, reads};
use crate::ir::same::{placeless_block, same};
use crate::ir::{
    Block, Expr, ExprKind, Fold, FuncId, Function, Game, LocalId, Over, PlacementId, Stmt,
    StmtKind, Type, UnaryOp,
};
use crate::opt::locals::{Locals, Needs};
use crate::opt::simplify::truth;
use crate::source::Span;

/// What a block does with an answer.
#[derive(Clone, Copy, PartialEq)]
enum Out {
    Returns,
    Sets(LocalId),
}

/// Questions in a row, of which the first that is answered so decides.
struct Chain {
    /// What is asked, and the answer that decides.
    asked: Vec<(FuncId, Vec<Expr>, bool)>,
    /// What is the case then; the opposite if none decides.
    value: bool,
    /// Variables that only the chain gives values.
    own: Locals,
    out: Out,
    /// Whether what stands behind goes on where none decides.
    goes_on: bool,
    span: Span,
}

/// Asks of all pieces at once what functions ask of each of them by a call of its own, `of_one`; whether there are some.
pub(super) fn ask_together(game: &mut Game, placement: PlacementId, of_one: &[FuncId]) -> bool {
    if of_one.len() < 2 {
        return false;
    }
    let mut changed = false;
    for func in (0..game.functions.len()).map(FuncId::from) {
        while Loops::of(game, placement, func).replace_chain(func, of_one) {
            changed = true;
        }
    }
    changed
}

impl Loops<'_> {
    fn replace_chain(mut self, func: FuncId, of_one: &[FuncId]) -> bool {
        let mut body = self.game.function(func).body.clone();
        let needs = Needs::of(&body);
        let changed = self.together(&mut body, &needs, of_one);
        if changed {
            let function = &mut self.game.functions[func.index()];
            (function.body, function.locals) = (body, self.locals);
        }
        changed
    }

    fn together(&mut self, block: &mut Block, needs: &Needs, of_one: &[FuncId]) -> bool {
        for at in 0..block.len() {
            let Some((chain, behind)) = Chain::at(&block[at..]) else {
                continue;
            };
            let after = needs.after(&block[at + behind - 1]);
            let lost = chain.own.iter().any(|local| after.contains(local));
            let quiet = chain.asked.iter().all(|(func, ..)| of_one.contains(func));
            let Some(when) = (quiet && !lost).then(|| self.some_of(&chain)).flatten() else {
                continue;
            };
            block.splice(at..at + behind, [chain.told(when)]);
            return true;
        }
        let mut changed = false;
        for stmt in block {
            stmt.blocks_mut(&mut |inner| changed |= self.together(inner, needs, of_one));
        }
        changed
    }

    /// Whether one of the questions is answered so that it decides, as a question about places.
    fn some_of(&mut self, chain: &Chain) -> Option<Expr> {
        let mut pieces = SortedSet::new();
        let mut all: Option<(FuncId, Vec<Expr>, bool)> = None;
        for (func, args, decides) in &chain.asked {
            let (by_place, piece) = place_asked(self.game, self.board, *func)?;
            pieces.insert(piece);
            let (other, others, also) = all.get_or_insert((by_place, args.clone(), *decides));
            let alike = args.len() == others.len()
                && args.iter().zip(others.iter()).all(|(a, b)| same(a, b))
                && decides == also
                && self.is_like(*other, by_place);
            if !alike {
                return None;
            }
        }
        let (func, args, decides) = all.filter(|_| pieces.len() > 1)?;
        let reads_own = |arg: &Expr| chain.own.iter().any(|own| reads(arg, *own));
        if args.iter().any(reads_own) {
            return None;
        }
        let places = self.places_of(&pieces, chain.span);
        let ty = Type::Elem(self.board.places);
        let place = self.fresh(ty.clone());
        let asked = call(func, Expr::local(place, ty, chain.span), args, chain.span);
        let asked = if decides { asked } else { asked.not() };
        Some(Expr::fold(Fold::Exists, place, Over::Set(places), asked))
    }

    /// Whether two functions do the same, whatever they and their variables are called.
    fn is_like(&self, a: FuncId, b: FuncId) -> bool {
        a == b || without_words(self.game.function(a)) == without_words(self.game.function(b))
    }
}

/// The function that a function asks of the place of one piece, and that piece, where it does no more and hands on what it is given.
fn place_asked(game: &Game, board: Board, func: FuncId) -> Option<(FuncId, u32)> {
    let function = game.function(func);
    let [only] = &function.body[..] else {
        return None;
    };
    let StmtKind::Return(Some(answer)) = &only.kind else {
        return None;
    };
    let ExprKind::Call(by_place, args) = &answer.kind else {
        return None;
    };
    let (place, given) = args.split_first()?;
    let ExprKind::Get(place) = &place.kind else {
        return None;
    };
    let mut params = given.iter().enumerate();
    let handed = given.len() == function.params
        && params.all(|(at, arg)| arg.kind == ExprKind::Local(LocalId::from(at)));
    let piece = board.placed_alone(place).filter(|_| handed)?;
    Some((*by_place, piece))
}

impl Chain {
    /// The statement that stands for all questions, given whether one of them decides.
    fn told(&self, when: Expr) -> Stmt {
        let give = |value| Stmt::new(StmtKind::Return(Some(value)), self.span);
        if self.goes_on {
            let found = give(Expr::bool(self.value, self.span));
            return Stmt::new(StmtKind::If(when, vec![found], vec![]), self.span);
        }
        let answer = if self.value { when } else { when.not() };
        match self.out {
            Out::Returns => give(answer),
            Out::Sets(local) => Stmt::new(StmtKind::Let(local, answer), self.span),
        }
    }

    /// The questions that a block begins with, and how many of its statements these are.
    fn at(block: &[Stmt]) -> Option<(Chain, usize)> {
        let (_, _, span) = called(block.first()?)?;
        let mut chain = Chain {
            asked: Vec::new(),
            value: true,
            own: Locals::new(),
            out: Out::Returns,
            goes_on: false,
            span,
        };
        let behind = chain.add(block, None)?;
        (chain.asked.len() > 1).then_some((chain, behind))
    }

    /// Adds what a block asks; how many statements do so. The answer goes where `out` says, if that is known.
    fn add(&mut self, block: &[Stmt], out: Option<Out>) -> Option<usize> {
        let [asks, then, ..] = block else {
            return None;
        };
        let (question, result, _) = called(asks)?;
        self.own.insert(result);
        let ask = |decides| (question.0, question.1.to_vec(), decides);
        let StmtKind::If(cond, yes, no) = &then.kind else {
            let (own, answer) = answered(then)?;
            let known = !self.asked.is_empty() && out.is_none_or(|out| out == own);
            let is_so = answer_of(answer, result).filter(|_| known)?;
            self.out = own;
            self.asked.push(ask(is_so == self.value));
            return Some(2);
        };
        let is_so = answer_of(cond, result)?;
        let (decided, rest, decides) = match (known(yes), known(no)) {
            (Some(decided), None) => (decided, no, is_so),
            (None, Some(decided)) => (decided, yes, !is_so),
            _ => return None,
        };
        let (own, value) = decided;
        let first = self.asked.is_empty();
        if !(first || value == self.value) || out.is_some_and(|out| out != own) {
            return None;
        }
        self.value = value;
        self.asked.push(ask(decides));
        if rest.is_empty() && own == Out::Returns {
            return Some(2 + self.add_behind(&block[2..]));
        }
        self.add_inner(rest, own)?;
        self.out = own;
        (!self.goes_on).then_some(2)
    }

    /// Adds what stands behind a question that returns where it decides; how many statements do so.
    fn add_behind(&mut self, rest: &[Stmt]) -> usize {
        let before = self.asked.len();
        if let Some(used) = self.add(rest, Some(Out::Returns)) {
            return used;
        }
        self.asked.truncate(before);
        let last = rest
            .first()
            .and_then(|stmt| known(std::slice::from_ref(stmt)));
        let ends = last == Some((Out::Returns, !self.value));
        self.goes_on = !ends;
        usize::from(ends)
    }

    /// Adds what a branch asks that gives its answer to the same as all before, perhaps by a variable of its own.
    fn add_inner(&mut self, rest: &[Stmt], out: Out) -> Option<()> {
        let used = self.add(rest, None)?;
        match &rest[used..] {
            [] => (self.out == out).then_some(()),
            [hands] => {
                let (own, value) = answered(hands)?;
                let Out::Sets(inner) = self.out else {
                    return None;
                };
                self.own.insert(inner);
                (own == out && value.kind == ExprKind::Local(inner)).then_some(())
            }
            _ => None,
        }
    }
}

type Asked<'s> = ((FuncId, &'s [Expr]), LocalId, Span);

/// The function that a statement calls for an answer, and the variable of that.
fn called(stmt: &Stmt) -> Option<Asked<'_>> {
    match &stmt.kind {
        StmtKind::Call {
            func,
            args,
            into: Some(into),
        } if !args.iter().any(|arg| reads(arg, *into)) => Some(((*func, args), *into, stmt.span)),
        _ => None,
    }
}

/// Where a statement gives an answer to, and which.
fn answered(stmt: &Stmt) -> Option<(Out, &Expr)> {
    match &stmt.kind {
        StmtKind::Return(Some(value)) => Some((Out::Returns, value)),
        StmtKind::Let(local, value) => Some((Out::Sets(*local), value)),
        _ => None,
    }
}

/// The same for a block that gives a constant.
fn known(block: &[Stmt]) -> Option<(Out, bool)> {
    let [only] = block else {
        return None;
    };
    let (out, value) = answered(only)?;
    Some((out, truth(value)?))
}

/// Whether an expression is a variable, or its opposite.
fn answer_of(expr: &Expr, result: LocalId) -> Option<bool> {
    match &expr.kind {
        ExprKind::Local(local) => (*local == result).then_some(true),
        ExprKind::Unary(UnaryOp::Not, inner) => answer_of(inner, result).map(|is_so| !is_so),
        _ => None,
    }
}

/// What a function does, whatever it and its variables are called and wherever it stands in the rules.
fn without_words(function: &Function) -> (usize, Option<&Type>, Vec<&Type>, Block) {
    let types = function.locals.iter().map(|local| &local.ty);
    let body = placeless_block(&function.body);
    (
        function.params,
        function.ret.as_ref(),
        types.collect(),
        body,
    )
}
