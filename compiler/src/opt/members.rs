//! `members`: loops over numbers that stand for pieces ask of places what stands there.
//!
//! An author who numbers pieces (`hound(1)` to `hound(4)`) asks in a loop whether one of them can still move. What is asked of a
//! piece is asked of where it stands, so the loop is a question about some place on which one of these pieces stands, and it has
//! no order. What a question asks of one piece (is the fox shut in?) is asked of its place, too.

mod named;
mod names;
mod several;
#[cfg(test)]
mod tests;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::{free_locals, walk_block, walk_exprs};
use crate::ir::walk::{each_stmt, rewrite_block};
use crate::ir::{
    Axis, BinaryOp, Block, Const, Expr, ExprKind, Fold, FuncId, Function, Game, Local, LocalId,
    Over, PlacementForm, PlacementId, Stmt, StmtKind, Table, Type, UnaryOp,
};
use crate::source::Span;

use self::names::{Board, is_name, is_number, without_names};
use super::attempts::truth_given;
use super::fold_constants::{compact, simplify};
use super::locals::{
    Locals, Needs, Rounds, assigned, bound_in, live_before, rename_block, replace_reads, rounds,
};
use super::possible::{constant, evaluate};
use super::predicates::goes_on;
use super::simplify::{negated, truth};
use super::tables::{known_or_new, unused};

/// Pieces that a loop goes over.
const MOST_ROUNDS: i64 = 1024;

/// Replaces what it can in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let boards = boards(game);
    let mut changed = named::ask_where(game, &boards);
    let mut of_one = Vec::new();
    for index in 0..game.functions.len() {
        for &placement in &boards {
            if Loops::of(game, placement, index.into()).ask_by_place(index.into()) {
                of_one.push(index.into());
            }
        }
        let of_numbers = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For { charged: false, .. });
        let mut some = false;
        walk_block(&game.functions[index].body, &mut |stmt| {
            some |= of_numbers(stmt)
        });
        for &placement in boards.iter().filter(|_| some) {
            changed |= Loops::of(game, placement, index.into()).replace(index.into());
        }
    }
    for &placement in &boards {
        changed |= several::ask_together(game, placement, &of_one);
    }
    if changed || !of_one.is_empty() {
        simplify(game);
    }
}

/// The boards whose pieces always stand somewhere, one on a place.
pub(super) fn boards(game: &Game) -> Vec<PlacementId> {
    let mut taken = SortedSet::new();
    each_stmt(game, &mut |stmt| {
        if let StmtKind::Take(placement, _) = &stmt.kind {
            taken.insert(*placement);
        }
    });
    let all = game.placements.iter().enumerate();
    let full = all.filter(|(_, placement)| {
        placement.form == PlacementForm::One
            && placement.pieces != placement.places
            && placement.init.iter().all(Option::is_some)
    });
    let full = full.map(|(index, _)| PlacementId::from(index));
    full.filter(|id| !taken.contains(id)).collect()
}

/// The loops of one function.
struct Loops<'g> {
    game: &'g mut Game,
    board: Board,
    /// The name of the function.
    name: String,
    /// The variables of the function, with those that are new.
    locals: Vec<Local>,
    /// The functions by number that ask of the place of a piece what another one asks of the piece, its argument.
    by_place: SortedMap<(FuncId, usize), FuncId>,
    /// Whether something is asked of a piece that cannot be asked of its place.
    refused: bool,
}

/// A question about a piece.
struct Question {
    /// What gives the answer.
    body: Block,
    /// The variables in it.
    locals: Vec<Local>,
    /// Those of them that are given.
    params: Vec<LocalId>,
    span: Span,
}

/// What a round of a loop asks of the piece that its number stands for.
struct Round {
    /// The variable in the question that is the number, and its least and greatest values.
    number: Rounds,
    question: Question,
    /// What is given.
    args: Vec<Expr>,
}

impl<'g> Loops<'g> {
    fn of(game: &'g mut Game, placement: PlacementId, func: FuncId) -> Loops<'g> {
        let board = Board::of(game, placement);
        let owner = game.function(func);
        let (name, locals) = (owner.name.clone(), owner.locals.clone());
        Loops {
            game,
            board,
            name,
            locals,
            by_place: SortedMap::new(),
            refused: false,
        }
    }

    fn replace(mut self, func: FuncId) -> bool {
        let body = self.game.function(func).body.clone();
        let needs = Needs::of(&body);
        let mut changed = false;
        let body = self.block(&body, &needs, &mut changed);
        if changed {
            let function = &mut self.game.functions[func.index()];
            (function.body, function.locals) = (body, self.locals);
        }
        changed
    }

    /// Asks of the place of one piece what a function with loops or calls asks of that piece alone.
    fn ask_by_place(mut self, func: FuncId) -> bool {
        let Some((piece, function)) = self.about_one(func) else {
            return false;
        };
        let params: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
        let args = variables(&params, &function.locals, function.span);
        let question = Question {
            body: function.body,
            locals: function.locals,
            params,
            span: function.span,
        };
        let (board, span) = (self.board, question.span);
        let piece = Expr::elem(board.pieces, piece, span);
        let Some(made) = self.asking(&question, &|expr| same(expr, &piece)) else {
            return false;
        };
        let place = ExprKind::PlaceOf(board.placement, Box::new(piece));
        let place = Expr::new(place, Type::Opt(board.places), span).get();
        let call = call(made, place, args, span);
        let own = &mut self.game.functions[func.index()];
        own.body = vec![Stmt::new(StmtKind::Return(Some(call)), span)];
        compact(own);
        true
    }

    /// The only piece whose place a question with loops or calls asks for by name, and the question. Guards are asked of moves.
    fn about_one(&self, func: FuncId) -> Option<(u32, Function)> {
        let function = self.game.function(func);
        let mut asked: SortedSet<u32> = SortedSet::new();
        walk_exprs(&function.body, &mut |expr| {
            asked.extend(self.board.placed_alone(expr))
        });
        let mut far = false;
        walk_block(&function.body, &mut |stmt| {
            far |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Call { .. });
        });
        let mut families = self.game.families.iter();
        let guards = families.any(|family| family.guard == Some(func));
        let wanted = asked.len() == 1 && far && !guards && function.ret == Some(Type::Bool);
        let piece = asked.first().copied().filter(|_| wanted)?;
        Some((piece, function.clone()))
    }

    fn block(&mut self, block: &[Stmt], needs: &Needs, changed: &mut bool) -> Block {
        let mut out = Block::new();
        for stmt in block {
            let mut inner = Vec::new();
            stmt.blocks(&mut |block| inner.push(block));
            let inner: Vec<Block> = inner
                .into_iter()
                .map(|block| self.block(block, needs, changed))
                .collect();
            let mut inner = inner.into_iter();
            let mut new = stmt.clone();
            new.blocks_mut(&mut |block| *block = inner.next().unwrap_or_default());
            match self.some_round(&new, needs.after(stmt)) {
                Some((result, when, value)) => {
                    *changed = true;
                    answer(&mut out, result, when, value);
                }
                None => out.push(new),
            }
        }
        out
    }

    /// What a loop asks that only looks for a piece: the variable of the answer, what is asked, and the value if that is so.
    fn some_round(&mut self, stmt: &Stmt, after: &Locals) -> Option<(LocalId, Expr, bool)> {
        let StmtKind::For {
            body,
            charged: false,
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let number = rounds(stmt)?;
        let (last, before) = body.split_last()?;
        let StmtKind::If(cond, yes, no) = &last.kind else {
            return None;
        };
        let (cond, found) = match (&yes[..], &no[..]) {
            (found, []) => (cond.clone(), found),
            ([], found) => (cond.clone().not(), found),
            _ => return None,
        };
        let (result, value) = breaks_with(found)?;
        let set = assigned(std::slice::from_ref(stmt));
        let lost = |local: &LocalId| *local != result && set.contains(local);
        let answered = assigned(before).contains(&result);
        if after.iter().any(lost) || answered || !goes_on(before, false) {
            return None;
        }
        let mut asked = before.to_vec();
        asked.push(Stmt::new(StmtKind::Return(Some(cond)), last.span));
        let asked = alternatives(without_names(asked, number.0));
        let mut found = Vec::new();
        for body in asked {
            let rounds = self.called(number, &body);
            let rounds = rounds.or_else(|| Some(vec![self.round(number, body)?]))?;
            for round in rounds {
                found.push(self.some_piece(&round)?);
            }
        }
        let when = found.into_iter().reduce(Expr::or)?;
        Some((result, when, value))
    }

    /// What a round asks that hands nothing on to the next one.
    fn round(&self, number: Rounds, body: Block) -> Option<Round> {
        let set = assigned(&body);
        let given = live_before(&body, &Locals::new()).into_iter();
        let params: Vec<LocalId> = given.filter(|local| *local != number.0).collect();
        let span = body.last()?.span;
        let carries = params.iter().any(|local| set.contains(local));
        (!carries).then(|| Round {
            number,
            args: variables(&params, &self.locals, span),
            question: Question {
                body,
                locals: self.locals.clone(),
                params,
                span,
            },
        })
    }

    /// The same where a round calls a function with its number that gives the answer, or its opposite: what is asked there, of which
    /// one thing has to hold.
    fn called(&self, (number, lo, hi): Rounds, body: &[Stmt]) -> Option<Vec<Round>> {
        let [asked, answer] = body else {
            return None;
        };
        let (
            StmtKind::Call {
                func,
                args,
                into: Some(into),
            },
            StmtKind::Return(Some(given)),
        ) = (&asked.kind, &answer.kind)
        else {
            return None;
        };
        let far = |arg: &Expr| is_name(arg, number) && arg.ty != Type::Elem(self.board.pieces);
        let tells = |arg: &Expr| is_number(arg, number) || far(arg);
        let param = args.iter().position(tells)?;
        let mut args = args.clone();
        let name = args.remove(param);
        let own = |local: LocalId| args.iter().any(|arg| reads(arg, local));
        let opposite = match &given.kind {
            ExprKind::Local(local) if local == into => false,
            ExprKind::Unary(UnaryOp::Not, inner) if inner.kind == ExprKind::Local(*into) => true,
            _ => return None,
        };
        if own(number) || own(*into) {
            return None;
        }
        let (function, param) = (self.game.function(*func), LocalId::from(param));
        let params = (0..function.params).map(LocalId::from);
        let (mut locals, mut body) = (function.locals.clone(), function.body.clone());
        if assigned(&body).contains(&param) {
            return None;
        }
        let mut own = param;
        if !is_number(&name, number) {
            own = LocalId::from(locals.len());
            locals.push(self.locals[number.index()].clone());
            self.tell_name(&mut body, (param, &name), number, (own, lo, hi));
        }
        let mut body = without_names(body, own);
        if opposite {
            negate(&mut body);
        }
        let params: Vec<LocalId> = params.filter(|local| *local != param).collect();
        let round = |body| Round {
            number: (own, lo, hi),
            args: args.clone(),
            question: Question {
                body,
                locals: locals.clone(),
                params: params.clone(),
                span: asked.span,
            },
        };
        Some(alternatives(body).into_iter().map(round).collect())
    }

    /// Puts the name that a parameter is given for the number of a round in its place, and settles what holds of all these names.
    fn tell_name(
        &self,
        body: &mut Block,
        (param, given): (LocalId, &Expr),
        number: LocalId,
        (own, lo, hi): Rounds,
    ) {
        let mut name = given.clone();
        replace_reads(&mut name, &|local| {
            let ty = self.locals[number.index()].ty.clone();
            (local == number).then(|| Expr::local(own, ty, given.span))
        });
        let values = |local: LocalId| {
            let few = local == own && hi - lo < MOST_ROUNDS;
            few.then(|| (lo..=hi).map(Const::Int).collect())
        };
        rewrite_block(body, &mut |expr| {
            if expr.kind == ExprKind::Local(param) {
                *expr = name.clone();
            }
            if let ExprKind::If(cond, yes, no) = &expr.kind
                && let Some(Const::Bool(holds)) = constant(self.game, cond, &values)
            {
                *expr = if holds { yes } else { no }.as_ref().clone();
            }
        });
    }

    /// Whether a round says yes of some piece, as a question about where it stands.
    fn some_piece(&mut self, round: &Round) -> Option<Expr> {
        let pieces = self.pieces(round)?;
        let (board, number, span) = (self.board, round.number.0, round.question.span);
        let func = self.asking(&round.question, &|expr| board.names(expr, number))?;
        let ty = Type::Elem(board.places);
        let all = self.places_of(&pieces, span);
        let place = self.fresh(ty.clone());
        let there = Expr::local(place, ty, span);
        let asked = match self.of_place_alone(func, &there) {
            Some(asked) => asked,
            None => call(func, there, round.args.clone(), span),
        };
        Some(Expr::fold(Fold::Exists, place, Over::Set(all), asked))
    }

    /// What a function asks that constants and the place decide, as one expression.
    fn of_place_alone(&self, func: FuncId, place: &Expr) -> Option<Expr> {
        let function = self.game.function(func);
        let [
            Stmt {
                kind: StmtKind::Return(Some(asked)),
                ..
            },
        ] = &function.body[..]
        else {
            return None;
        };
        let effect = Effects::of(self.game).function(func).clone();
        let locals = free_locals(asked);
        // What it binds has numbers of its own function.
        let mut binds = false;
        asked.walk(&mut |part| binds |= bound_in(part).is_some());
        let others = locals.iter().any(|local| local.index() != 0);
        if !effect.reads.is_empty() || others || binds {
            return None;
        }
        let mut asked = asked.clone();
        replace_reads(&mut asked, &|_| Some(place.clone()));
        Some(asked)
    }

    /// The places where some pieces stand.
    fn places_of(&mut self, pieces: &SortedSet<u32>, span: Span) -> Expr {
        let board = self.board;
        let place = self.fresh(Type::Elem(board.places));
        let there = Expr::local(place, Type::Elem(board.places), span);
        let there = board.standing(&there);
        let kind = ExprKind::Collect {
            local: place,
            over: Box::new(Over::Domain(board.places)),
            when: Box::new(self.is_one_of(there, pieces)),
        };
        Expr::new(kind, Type::Set(board.places), span)
    }

    /// Whether something is one of some pieces, by a table that tells these apart from all others.
    fn is_one_of(&mut self, there: Expr, pieces: &SortedSet<u32>) -> Expr {
        let span = there.span;
        let by_piece = [Axis::Domain(self.board.pieces)];
        let telling = |table: &Table| -> Option<Const> {
            let of = |piece: u32| table.values.get(piece as usize);
            let value = of(*pieces.first()?)?;
            let mut all = 0..table.values.len() as u32;
            let tells = table.outside.as_ref().is_some_and(|none| none != value)
                && all.all(|piece| (of(piece) == Some(value)) == pieces.contains(&piece));
            tells.then(|| value.clone())
        };
        let of_pieces = |table: &&Table| table.axes == by_piece;
        let tables = self.game.tables.iter().enumerate();
        let found = tables
            .filter(|(_, table)| of_pieces(table))
            .find_map(|(at, table)| Some((at, table.ty.clone(), telling(table)?)));
        if let Some((at, ty, value)) = found {
            let said = Expr::new(ExprKind::Lookup(at.into(), vec![there]), ty.clone(), span);
            return match value {
                Const::Bool(true) => said,
                value => Expr::binary(BinaryOp::Eq, said, Expr::constant(value, ty, span)),
            };
        }
        let all = 0..self.game.domain(self.board.pieces).len() as u32;
        let is_one = all.map(|piece| Const::Bool(pieces.contains(&piece)));
        let table = Table {
            name: format!("{} asks of it", self.name),
            axes: by_piece.to_vec(),
            ty: Type::Bool,
            values: is_one.collect(),
            outside: Some(Const::Bool(false)),
            span,
        };
        let id = known_or_new(self.game, table);
        Expr::new(ExprKind::Lookup(id, vec![there]), Type::Bool, span)
    }

    /// A new variable.
    fn fresh(&mut self, ty: Type) -> LocalId {
        self.locals.push(place_of_type(ty));
        LocalId::from(self.locals.len() - 1)
    }

    /// The pieces that the rounds of a loop name, if each names one and a round asks for its number for nothing else.
    fn pieces(&self, round: &Round) -> Option<SortedSet<u32>> {
        let (number, lo, hi) = round.number;
        let mut name: Option<&Expr> = None;
        let (mut one, mut reads, mut names) = (true, 0, 0);
        walk_exprs(&round.question.body, &mut |expr| {
            reads += usize::from(expr.kind == ExprKind::Local(number));
            if self.board.names(expr, number) {
                names += 1;
                one &= same(name.get_or_insert(expr), expr);
            }
        });
        let name = name.filter(|_| one && reads == names && hi - lo < MOST_ROUNDS)?;
        let member = |value: i64| match evaluate(self.game, name, &[(number, Const::Int(value))])? {
            Const::Elem(piece) => Some(piece),
            _ => None,
        };
        (lo..=hi).map(member).collect()
    }

    /// The function that answers a question, given the place of the piece and what else it needs; nothing where that can be a
    /// mistake, or is more than a question.
    fn asking(&mut self, question: &Question, named: &dyn Fn(&Expr) -> bool) -> Option<FuncId> {
        let params = &question.params;
        let mut locals = vec![place_of_type(Type::Elem(self.board.places))];
        let given = params.iter().map(|local| &question.locals[local.index()]);
        locals.extend(given.chain(&question.locals).cloned());
        // The place is told apart from the other variables until those have new numbers.
        let place = LocalId::from(question.locals.len());
        let before = self.game.functions.len();
        let mut body = question.body.clone();
        self.refused = false;
        self.tell(&mut body, place, named);
        rename_block(&mut body, &mut |local| {
            let own = params.iter().position(|param| *param == local);
            LocalId::from(match own {
                Some(at) => 1 + at,
                None if local == place => 0,
                None => 1 + params.len() + local.index(),
            })
        });
        let func = FuncId::from(self.game.functions.len());
        self.game.functions.push(Function {
            name: unused(self.game, &format!("{} of a place", self.name), 1),
            params: 1 + params.len(),
            locals,
            ret: Some(Type::Bool),
            body,
            doc: String::new(),
            span: question.span,
        });
        if self.refused || !self.is_quiet(func) {
            self.game.functions.truncate(before);
            self.by_place.retain(|_, func| func.index() < before);
            return None;
        }
        compact(&mut self.game.functions[func.index()]);
        Some(func)
    }

    /// Whether a function only answers, without a mistake: what it asks of the piece on a place is asked of one that is there.
    fn is_quiet(&self, func: FuncId) -> bool {
        let mut game = self.game.clone();
        let given = self
            .by_place
            .iter()
            .map(|((_, param), func)| (*func, *param));
        for (func, param) in given.chain([(func, 0)]) {
            let function = &mut game.functions[func.index()];
            let piece = Type::Elem(self.board.pieces);
            let there = LocalId::from(function.locals.len());
            function.locals.push(place_of_type(piece.clone()));
            let is_standing = |expr: &Expr| self.board.stands_on(expr, param.into());
            rewrite_block(&mut function.body, &mut |expr| {
                if is_standing(expr) {
                    *expr = Expr::local(there, piece.clone(), expr.span);
                }
            });
        }
        let effects = Effects::of(&game);
        let effect = effects.function(func);
        effect.is_pure() && !effect.may_fault && !effect.works && !effect.fails
    }

    /// Asks of a place what a block asks of the piece there, which is named by some expressions.
    fn tell(&mut self, block: &mut Block, place: LocalId, named: &dyn Fn(&Expr) -> bool) {
        for stmt in block {
            if let StmtKind::Call { func, args, .. } = &mut stmt.kind {
                self.call(func, args, place, named);
            }
            stmt.children_mut(&mut |expr| self.tell_expr(expr, place, named));
            stmt.blocks_mut(&mut |inner| self.tell(inner, place, named));
        }
    }

    fn tell_expr(&mut self, expr: &mut Expr, place: LocalId, named: &dyn Fn(&Expr) -> bool) {
        let board = self.board;
        let there = Expr::local(place, Type::Elem(board.places), expr.span);
        let place_of = |expr: &Expr| matches!(&expr.kind, ExprKind::PlaceOf(own, piece) if *own == board.placement && named(piece));
        if named(expr) {
            *expr = board.standing(&there).get();
        } else if matches!(&expr.kind, ExprKind::Get(inner) if place_of(inner)) {
            *expr = there;
        } else if place_of(expr) {
            *expr = Expr::new(ExprKind::Some(Box::new(there)), expr.ty.clone(), expr.span);
        } else {
            if let ExprKind::Call(func, args) = &mut expr.kind {
                self.call(func, args, place, named);
            }
            expr.children_mut(&mut |child| self.tell_expr(child, place, named));
        }
    }

    /// Calls a function with the place of a piece where it is called with the piece.
    fn call(
        &mut self,
        func: &mut FuncId,
        args: &mut [Expr],
        place: LocalId,
        named: &dyn Fn(&Expr) -> bool,
    ) {
        for (at, arg) in args.iter_mut().enumerate() {
            if named(arg) {
                *func = self.by_place(*func, at);
                *arg = Expr::local(place, Type::Elem(self.board.places), arg.span);
            }
        }
    }

    /// The function that is given the place of a piece in place of the piece.
    fn by_place(&mut self, func: FuncId, param: usize) -> FuncId {
        if let Some(made) = self.by_place.get(&(func, param)) {
            return *made;
        }
        let mut function = self.game.function(func).clone();
        let local = LocalId::from(param);
        let mut body = std::mem::take(&mut function.body);
        self.refused |= assigned(&body).contains(&local);
        function.locals[param].ty = Type::Elem(self.board.places);
        function.name = unused(self.game, &format!("{} of a place", function.name), 1);
        let made = FuncId::from(self.game.functions.len());
        self.game.functions.push(function);
        // It is known before its body is, which may call it.
        self.by_place.insert((func, param), made);
        // What is told already is a place under the same number.
        let piece = Type::Elem(self.board.pieces);
        let named = |expr: &Expr| expr.kind == ExprKind::Local(local) && expr.ty == piece;
        self.tell(&mut body, local, &named);
        self.game.functions[made.index()].body = body;
        made
    }
}

/// A variable for a place or a piece.
fn place_of_type(ty: Type) -> Local {
    Local {
        name: String::from("place"),
        ty,
    }
}

/// What variables hold.
fn variables(of: &[LocalId], locals: &[Local], span: Span) -> Vec<Expr> {
    let read = |local: &LocalId| Expr::local(*local, locals[local.index()].ty.clone(), span);
    of.iter().map(read).collect()
}

/// The answer of a function about a place.
fn call(func: FuncId, place: Expr, args: Vec<Expr>, span: Span) -> Expr {
    let args = std::iter::once(place).chain(args).collect();
    Expr::new(ExprKind::Call(func, args), Type::Bool, span)
}

/// Puts an answer behind a block: a variable has a value if something holds, and keeps that which the block gave it otherwise.
fn answer(out: &mut Block, result: LocalId, when: Expr, value: bool) {
    let span = when.span;
    let other = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let(local, before) => {
            *local == result && before.as_const() == Some(&Const::Bool(!value))
        }
        _ => false,
    };
    if out.pop_if(|last| other(last)).is_some() {
        let when = if value { when } else { when.not() };
        out.push(Stmt::new(StmtKind::Let(result, when), span));
        return;
    }
    let value = Stmt::new(StmtKind::Let(result, Expr::bool(value, span)), span);
    out.push(Stmt::new(StmtKind::If(when, vec![value], vec![]), span));
}

/// The variable that a block gives a truth value before it leaves the loop, and that value.
fn breaks_with(block: &[Stmt]) -> Option<(LocalId, bool)> {
    let [answer, leave] = block else {
        return None;
    };
    let (StmtKind::Let(result, value), StmtKind::Break) = (&answer.kind, &leave.kind) else {
        return None;
    };
    match value.as_const()? {
        Const::Bool(value) => Some((*result, *value)),
        _ => None,
    }
}

/// Blocks that answer a question together: where a block works nothing out before, each of the conditions of which one has to be
/// met is asked by itself, behind those that must not be met.
fn alternatives(body: Block) -> Vec<Block> {
    let body = given_at_once(body);
    let mut before = Block::new();
    let mut all = Vec::new();
    for stmt in &body {
        let alone = |cond: Expr| vec![Stmt::new(StmtKind::Return(Some(cond)), stmt.span)];
        let asked = match &stmt.kind {
            StmtKind::Return(Some(cond)) => Some(cond),
            StmtKind::If(cond, yes, no) if no.is_empty() => match truth_given(yes) {
                Some(true) => Some(cond),
                Some(false) => None,
                None => return vec![body],
            },
            _ => return vec![body],
        };
        match asked {
            Some(cond) => {
                let conds = any_of(cond.clone(), true).into_iter();
                all.extend(conds.map(|cond| [before.clone(), alone(cond)].concat()));
            }
            None => before.push(stmt.clone()),
        }
    }
    all
}

/// A block that gives what it would give a variable in two branches first, where one of these is a constant.
fn given_at_once(body: Block) -> Block {
    let [before @ .., first, last] = &body[..] else {
        return body;
    };
    let (StmtKind::If(cond, yes, no), StmtKind::Return(Some(answer))) = (&first.kind, &last.kind)
    else {
        return body;
    };
    let ([yes], [no]) = (&yes[..], &no[..]) else {
        return body;
    };
    let (StmtKind::Let(result, a), StmtKind::Let(other, b)) = (&yes.kind, &no.kind) else {
        return body;
    };
    let (cond, a, b) = (cond.clone(), a.clone(), b.clone());
    let value = match (truth(&a), truth(&b)) {
        (_, Some(false)) => cond.and(a),
        (Some(true), _) => cond.or(b),
        (Some(false), _) => cond.not().and(b),
        (_, Some(true)) => cond.not().or(a),
        _ => return body,
    };
    if result != other || !reads(answer, *result) {
        return body;
    }
    let mut answer = answer.clone();
    replace_reads(&mut answer, &|local| {
        (local == *result).then(|| value.clone())
    });
    let mut given = before.to_vec();
    given.push(Stmt::new(StmtKind::Return(Some(answer)), last.span));
    given
}

/// Makes a block give the opposite of each truth.
fn negate(block: &mut Block) {
    for stmt in block {
        if let StmtKind::Return(Some(value)) = &mut stmt.kind {
            *value = match truth(value) {
                Some(known) => Expr::bool(!known, value.span),
                None => negated(value.clone()),
            };
        }
        stmt.blocks_mut(&mut negate);
    }
}

/// The conditions of which one has to be met for a condition to be met, or not to be where `wanted` is false.
fn any_of(cond: Expr, wanted: bool) -> Vec<Expr> {
    let apart = if wanted { BinaryOp::Or } else { BinaryOp::And };
    match cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => any_of(*inner, !wanted),
        ExprKind::Binary(op, a, b) if op == apart => {
            let mut all = any_of(*a, wanted);
            all.extend(any_of(*b, wanted));
            all
        }
        _ if wanted => vec![cond],
        _ => vec![cond.not()],
    }
}

/// Whether an expression reads a variable.
fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= expr.kind == ExprKind::Local(local));
    found
}
