//! `members`: loops over numbers that stand for pieces ask of places what stands there.
//!
//! An author who numbers pieces (`hound(1)` to `hound(4)`) asks in a loop whether one of them can still move. What is asked of a
//! piece is asked of where it stands, so the loop is a question about some place on which one of these pieces stands, and it has
//! no order. What a question asks of one piece (is the fox shut in?) is asked of its place, too.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::{each_stmt, rewrite, rewrite_block};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, Fold, FuncId, Function, Game, Local,
    LocalId, Over, PlacementForm, PlacementId, Stmt, StmtKind, Table, TableId, Type, UnaryOp,
};
use crate::source::Span;

use super::fold_constants::{compact, simplify};
use super::locals::{
    Locals, Needs, Rounds, assigned, each_assigned, live_before, rename_block, rounds,
};
use super::predicates::goes_on;
use super::rays::values::evaluate;

/// Pieces that a loop goes over.
const MOST_ROUNDS: i64 = 1024;

/// Replaces what it can in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let boards = boards(game);
    let mut changed = false;
    for index in 0..game.functions.len() {
        for &placement in &boards {
            changed |= Loops::of(game, placement, index.into()).ask_by_place(index.into());
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
    if changed {
        simplify(game);
    }
}

/// The boards whose pieces always stand somewhere, one on a place.
fn boards(game: &Game) -> Vec<PlacementId> {
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
}

/// A board and what stands on it.
#[derive(Clone, Copy)]
struct Board {
    placement: PlacementId,
    pieces: DomainId,
    places: DomainId,
}

/// What is asked in a round of a loop.
struct Round {
    /// The variable of the loop, and its least and greatest values.
    number: Rounds,
    /// What is worked out first.
    before: Block,
}

impl<'g> Loops<'g> {
    fn of(game: &'g mut Game, placement: PlacementId, func: FuncId) -> Loops<'g> {
        let own = game.placement(placement);
        let board = Board {
            placement,
            pieces: own.pieces,
            places: own.places,
        };
        let owner = game.function(func);
        let (name, locals) = (owner.name.clone(), owner.locals.clone());
        Loops {
            game,
            board,
            name,
            locals,
            by_place: SortedMap::new(),
        }
    }

    fn replace(mut self, func: FuncId) -> bool {
        let owner = self.game.function(func).clone();
        let needs = Needs::of(&owner.body);
        let mut changed = false;
        let body = self.block(&owner.body, &needs, &mut changed);
        if changed {
            let function = &mut self.game.functions[func.index()];
            (function.body, function.locals) = (body, self.locals);
        }
        changed
    }

    /// Asks of the place of one piece what a function with loops or calls asks of that piece alone.
    fn ask_by_place(mut self, func: FuncId) -> bool {
        let board = self.board;
        let body = &self.game.function(func).body;
        let mut asked: SortedSet<u32> = SortedSet::new();
        walk_exprs(body, &mut |expr| asked.extend(board.placed_alone(expr)));
        let mut far = false;
        walk_block(body, &mut |stmt| {
            far |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Call { .. });
        });
        let ([piece], true) = (&asked.into_iter().collect::<Vec<_>>()[..], far) else {
            return false;
        };
        let function = self.game.function(func).clone();
        let params: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
        let span = function.span;
        let named = |expr: &Expr| {
            expr.as_const() == Some(&Const::Elem(*piece)) && expr.ty == Type::Elem(board.pieces)
        };
        let of_bool = function.ret == Some(Type::Bool);
        let Some(made) = of_bool
            .then(|| self.asking(&function.body, &params, &named, span))
            .flatten()
        else {
            return false;
        };
        let piece = Expr::elem(board.pieces, *piece, span);
        let place = ExprKind::PlaceOf(board.placement, Box::new(piece));
        let place = Expr::new(place, Type::Opt(board.places), span).get();
        let args = params
            .iter()
            .map(|&param| Expr::local(param, function.locals[param.index()].ty.clone(), span));
        let args = std::iter::once(place).chain(args).collect();
        let call = Expr::new(ExprKind::Call(made, args), Type::Bool, span);
        let own = &mut self.game.functions[func.index()];
        own.body = vec![Stmt::new(StmtKind::Return(Some(call)), span)];
        compact(own);
        true
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
            let after = needs.after(stmt);
            if let Some((result, when, value)) = self.question(&new, after) {
                *changed = true;
                answer(&mut out, result, when, value);
            } else {
                out.push(new);
            }
        }
        out
    }

    /// What a loop asks that only looks for a piece: the variable of the answer, what is asked, and the value if that is so.
    fn question(&mut self, stmt: &Stmt, after: &Locals) -> Option<(LocalId, Expr, Const)> {
        let StmtKind::For {
            body,
            charged: false,
            ..
        } = &stmt.kind
        else {
            return None;
        };
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
        let (round, cond) = Round::of(rounds(stmt)?, before, cond);
        let set = assigned(body);
        let inside = |local: &LocalId| *local == round.number.0 || set.contains(local);
        let lost = |local: &LocalId| *local != result && inside(local);
        let answered = assigned(&round.before).contains(&result);
        if after.iter().any(lost) || answered || !goes_on(&round.before, false) {
            return None;
        }
        let alternatives = match round.before.is_empty() {
            true => alternatives(cond, true),
            false => vec![cond],
        };
        let found = alternatives.into_iter().map(|cond| {
            let asked = self.some_asked(&round, &cond);
            asked.or_else(|| self.some_piece(&round, cond))
        });
        let found: Vec<Expr> = found.collect::<Option<_>>()?;
        let when = found.into_iter().reduce(Expr::or)?;
        Some((result, when, value))
    }

    /// Whether the same holds of some piece, as a question about where it stands.
    fn some_piece(&mut self, round: &Round, cond: Expr) -> Option<Expr> {
        let span = cond.span;
        let mut asked = round.before.clone();
        asked.push(Stmt::new(StmtKind::Return(Some(cond)), span));
        let (number, ..) = round.number;
        let set = assigned(&asked);
        let given = live_before(&asked, &Locals::new());
        if given.iter().any(|local| set.contains(local)) {
            return None;
        }
        let pieces = self.pieces(round, &asked)?;
        let board = self.board;
        let named = |expr: &Expr| board.names(expr, number);
        let params: Vec<LocalId> = given.into_iter().filter(|local| *local != number).collect();
        let func = self.asking(&asked, &params, &named, span)?;
        let args = params.iter().map(|&param| {
            let ty = self.locals[param.index()].ty.clone();
            Expr::local(param, ty, span)
        });
        let args = args.collect();
        Some(self.some_place(&pieces, func, args, span))
    }

    /// The same where a round calls a function with its number that asks of the piece.
    fn some_asked(&mut self, round: &Round, cond: &Expr) -> Option<Expr> {
        let [
            Stmt {
                kind:
                    StmtKind::Call {
                        func,
                        args,
                        into: Some(into),
                    },
                span,
            },
        ] = &round.before[..]
        else {
            return None;
        };
        if cond.kind != ExprKind::Local(*into) {
            return None;
        }
        let number = round.number.0;
        let reads = |expr: &Expr, local: LocalId| {
            let mut found = false;
            expr.walk(&mut |expr| found |= expr.kind == ExprKind::Local(local));
            found
        };
        let param = args.iter().position(|arg| is_number(arg, number))?;
        let mut args = args.clone();
        args.remove(param);
        if args
            .iter()
            .any(|arg| reads(arg, number) || reads(arg, *into))
        {
            return None;
        }
        let function = self.game.function(*func).clone();
        let number = (LocalId::from(param), round.number.1, round.number.2);
        let (inner, _) = Round::of(number, &function.body, cond.clone());
        let params = (0..function.params).map(LocalId::from);
        let params: Vec<LocalId> = params.filter(|local| *local != number.0).collect();
        if assigned(&function.body).contains(&number.0) {
            return None;
        }
        let pieces = self.pieces(&inner, &inner.before)?;
        let board = self.board;
        let named = |expr: &Expr| board.names(expr, number.0);
        let own = std::mem::replace(&mut self.locals, function.locals);
        let made = self.asking(&inner.before, &params, &named, *span);
        self.locals = own;
        Some(self.some_place(&pieces, made?, args, *span))
    }

    /// Whether a function says yes of the place of one of some pieces, given what else it needs.
    fn some_place(
        &mut self,
        pieces: &SortedSet<u32>,
        func: FuncId,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let ty = Type::Elem(self.board.places);
        let all = self.places_of(pieces, span);
        let place = self.fresh(ty.clone(), "place");
        let args = std::iter::once(Expr::local(place, ty, span)).chain(args);
        let call = ExprKind::Call(func, args.collect());
        let call = Expr::new(call, Type::Bool, span);
        Expr::fold(Fold::Exists, place, Over::Set(all), call)
    }

    /// The places where some pieces stand.
    fn places_of(&mut self, pieces: &SortedSet<u32>, span: Span) -> Expr {
        let board = self.board;
        let place = self.fresh(Type::Elem(board.places), "place");
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
        let id = TableId::from(self.game.tables.len());
        self.game.tables.push(table);
        Expr::new(ExprKind::Lookup(id, vec![there]), Type::Bool, span)
    }

    /// A new variable.
    fn fresh(&mut self, ty: Type, name: &str) -> LocalId {
        self.locals.push(Local {
            name: String::from(name),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    /// The pieces that the rounds of a loop name, if each names one and a round asks for its number for nothing else.
    fn pieces(&self, round: &Round, asked: &[Stmt]) -> Option<SortedSet<u32>> {
        let (number, lo, hi) = round.number;
        let mut name: Option<&Expr> = None;
        let (mut one, mut reads, mut names) = (true, 0, 0);
        walk_exprs(asked, &mut |expr| {
            reads += usize::from(expr.kind == ExprKind::Local(number));
            // What is there of an optional name is a name; its inside would be counted, too.
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
        let pieces: SortedSet<u32> = (lo..=hi).map(member).collect::<Option<_>>()?;
        Some(pieces)
    }

    /// The function that works out what a round asks, given the place of the piece and what else it needs; nothing where that
    /// can be a mistake, or is more than a question.
    fn asking(
        &mut self,
        asked: &[Stmt],
        params: &[LocalId],
        named: &dyn Fn(&Expr) -> bool,
        span: Span,
    ) -> Option<FuncId> {
        let mut locals = vec![Local {
            name: String::from("place"),
            ty: Type::Elem(self.board.places),
        }];
        locals.extend(
            params
                .iter()
                .map(|param| self.locals[param.index()].clone()),
        );
        let first = locals.len();
        locals.extend(self.locals.iter().cloned());
        let place = |local: LocalId| match params.iter().position(|param| *param == local) {
            Some(at) => LocalId::from(1 + at),
            None => LocalId::from(first + local.index()),
        };
        let before = self.game.functions.len();
        // The place is told apart from the variables of the loop until those have new numbers.
        let mark = LocalId::from(self.locals.len());
        let renamed = |local: LocalId| match local == mark {
            true => LocalId::from(0),
            false => place(local),
        };
        let mut body = asked.to_vec();
        let made = self.tell(&mut body, mark, named);
        rename_block(&mut body, &mut |local| renamed(local));
        let function = Function {
            name: self.unused(&format!("{} of a place", self.name)),
            params: first,
            locals,
            ret: Some(Type::Bool),
            body,
            doc: String::new(),
            span,
        };
        let func = FuncId::from(self.game.functions.len());
        self.game.functions.push(function);
        if made.is_none() || !self.is_quiet(func) {
            self.game.functions.truncate(before);
            self.by_place.retain(|_, func| func.index() < before);
            return None;
        }
        compact(&mut self.game.functions[func.index()]);
        Some(func)
    }

    fn unused(&self, name: &str) -> String {
        let taken = |name: &String| self.game.functions.iter().any(|own| own.name == *name);
        let mut names = (1..).map(|number| format!("{name} {number}"));
        names.find(|name| !taken(name)).unwrap_or_default()
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
            function.locals.push(Local {
                name: String::from("piece"),
                ty: piece.clone(),
            });
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
    fn tell(
        &mut self,
        block: &mut Block,
        place: LocalId,
        named: &dyn Fn(&Expr) -> bool,
    ) -> Option<()> {
        for stmt in block {
            if let StmtKind::Call { func, args, .. } = &mut stmt.kind {
                self.call(func, args, place, named)?;
            }
            let mut done = Some(());
            stmt.children_mut(&mut |expr| {
                if done.is_some() {
                    done = self.tell_expr(expr, place, named);
                }
            });
            done?;
            stmt.blocks_mut(&mut |inner| {
                if done.is_some() {
                    done = self.tell(inner, place, named);
                }
            });
            done?;
        }
        Some(())
    }

    fn tell_expr(
        &mut self,
        expr: &mut Expr,
        place: LocalId,
        named: &dyn Fn(&Expr) -> bool,
    ) -> Option<()> {
        let board = self.board;
        let there = Expr::local(place, Type::Elem(board.places), expr.span);
        if named(expr) {
            *expr = board.standing(&there).get();
            return Some(());
        }
        let place_of = |expr: &Expr| matches!(&expr.kind, ExprKind::PlaceOf(own, piece) if *own == board.placement && named(piece));
        if matches!(&expr.kind, ExprKind::Get(inner) if place_of(inner)) {
            *expr = there;
            return Some(());
        }
        if place_of(expr) {
            *expr = Expr::new(ExprKind::Some(Box::new(there)), expr.ty.clone(), expr.span);
            return Some(());
        }
        if let ExprKind::Call(func, args) = &mut expr.kind {
            self.call(func, args, place, named)?;
        }
        let mut done = Some(());
        expr.children_mut(&mut |child| {
            if done.is_some() {
                done = self.tell_expr(child, place, named);
            }
        });
        done
    }

    /// Calls a function with the place of a piece where it is called with the piece.
    fn call(
        &mut self,
        func: &mut FuncId,
        args: &mut [Expr],
        place: LocalId,
        named: &dyn Fn(&Expr) -> bool,
    ) -> Option<()> {
        for (at, arg) in args.iter_mut().enumerate() {
            if named(arg) {
                *func = self.by_place(*func, at)?;
                *arg = Expr::local(place, Type::Elem(self.board.places), arg.span);
            }
        }
        Some(())
    }

    /// The function that is given the place of a piece in place of the piece.
    fn by_place(&mut self, func: FuncId, param: usize) -> Option<FuncId> {
        if let Some(made) = self.by_place.get(&(func, param)) {
            return Some(*made);
        }
        let mut function = self.game.function(func).clone();
        let local = LocalId::from(param);
        let mut body = std::mem::take(&mut function.body);
        if assigned(&body).contains(&local) || calls(&body, func) {
            return None;
        }
        self.tell(&mut body, local, &|expr| {
            expr.kind == ExprKind::Local(local)
        })?;
        function.body = body;
        function.locals[param].ty = Type::Elem(self.board.places);
        function.name = self.unused(&format!("{} of a place", function.name));
        let made = FuncId::from(self.game.functions.len());
        self.game.functions.push(function);
        self.by_place.insert((func, param), made);
        Some(made)
    }
}

impl Board {
    /// What stands on a place, if anything.
    fn standing(&self, place: &Expr) -> Expr {
        Expr::new(
            ExprKind::Content(self.placement, Box::new(place.clone())),
            Type::Opt(self.pieces),
            place.span,
        )
    }

    /// The piece, told by name, whose place an expression is.
    fn placed_alone(&self, expr: &Expr) -> Option<u32> {
        let ExprKind::PlaceOf(own, piece) = &expr.kind else {
            return None;
        };
        match piece.as_const() {
            Some(Const::Elem(piece)) if *own == self.placement => Some(*piece),
            _ => None,
        }
    }

    /// Whether an expression is the piece on a place.
    fn stands_on(&self, expr: &Expr, place: LocalId) -> bool {
        let ExprKind::Get(there) = &expr.kind else {
            return false;
        };
        matches!(&there.kind, ExprKind::Content(own, at)
            if *own == self.placement && at.kind == ExprKind::Local(place))
    }

    /// Whether an expression is the piece that a table has for the number of a round.
    fn names(&self, expr: &Expr, number: LocalId) -> bool {
        let inner = match &expr.kind {
            ExprKind::Get(inner) => inner,
            _ => expr,
        };
        let ExprKind::Lookup(_, index) = &inner.kind else {
            return false;
        };
        expr.ty == Type::Elem(self.pieces)
            && matches!(&index[..], [index] if is_number(index, number))
    }
}

impl Round {
    /// What a round of a loop works out before it asks for a condition, and the condition; what only gives a number or a piece
    /// another name is left out.
    fn of(number: Rounds, before: &[Stmt], mut cond: Expr) -> (Round, Expr) {
        let mut before = before.to_vec();
        while let Some((local, value)) = other_name(&before, number.0) {
            drop_name(&mut before, local);
            let mut name = |expr: &mut Expr| {
                if expr.kind == ExprKind::Local(local) {
                    *expr = value.clone();
                }
            };
            rewrite_block(&mut before, &mut name);
            rewrite(&mut cond, &mut name);
        }
        (Round { number, before }, cond)
    }
}

/// A variable that a block sets in one place, to the number of a round or what a table has for it, and that value.
fn other_name(block: &[Stmt], number: LocalId) -> Option<(LocalId, Expr)> {
    let mut sets: SortedMap<LocalId, (usize, Option<Expr>)> = SortedMap::new();
    walk_block(block, &mut |stmt| {
        let name = match &stmt.kind {
            StmtKind::Let(_, value) if is_name(value, number) => Some(value.clone()),
            _ => None,
        };
        each_assigned(stmt, &mut |local| {
            let own = sets.entry(local).or_default();
            *own = (own.0 + 1, name.clone());
        });
    });
    let mut sets = sets.into_iter();
    sets.find_map(|(local, (times, name))| Some((local, name.filter(|_| times == 1)?)))
}

fn drop_name(block: &mut Block, local: LocalId) {
    block.retain(|stmt| !matches!(&stmt.kind, StmtKind::Let(own, _) if *own == local));
    for stmt in block {
        stmt.blocks_mut(&mut |inner| drop_name(inner, local));
    }
}

/// Puts an answer behind a block: a variable has a value if something holds, and keeps that which the block gave it otherwise.
fn answer(out: &mut Block, result: LocalId, when: Expr, value: Const) {
    let span = when.span;
    let value = value == Const::Bool(true);
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
fn breaks_with(block: &[Stmt]) -> Option<(LocalId, Const)> {
    let [answer, leave] = block else {
        return None;
    };
    let (StmtKind::Let(result, value), StmtKind::Break) = (&answer.kind, &leave.kind) else {
        return None;
    };
    match value.as_const()? {
        value @ Const::Bool(_) => Some((*result, value.clone())),
        _ => None,
    }
}

/// The conditions of which one has to be met for a condition to be met, or not to be where `wanted` is false.
fn alternatives(cond: Expr, wanted: bool) -> Vec<Expr> {
    let apart = if wanted { BinaryOp::Or } else { BinaryOp::And };
    match cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => alternatives(*inner, !wanted),
        ExprKind::Binary(op, a, b) if op == apart => {
            let mut all = alternatives(*a, wanted);
            all.extend(alternatives(*b, wanted));
            all
        }
        _ if wanted => vec![cond],
        _ => vec![cond.not()],
    }
}

/// Whether a value is the number of a round.
fn is_number(value: &Expr, number: LocalId) -> bool {
    match &value.kind {
        ExprKind::ToWrap(inner) => inner.kind == ExprKind::Local(number),
        kind => *kind == ExprKind::Local(number),
    }
}

/// Whether a value is the number of a round, or what one table has for it.
fn is_name(value: &Expr, number: LocalId) -> bool {
    match &value.kind {
        ExprKind::Local(local) => *local == number,
        ExprKind::ToWrap(inner) | ExprKind::Get(inner) => is_name(inner, number),
        ExprKind::Lookup(_, index) => matches!(&index[..], [index] if is_name(index, number)),
        _ => false,
    }
}

/// Whether a block calls a function.
fn calls(block: &[Stmt], func: FuncId) -> bool {
    let mut found = false;
    walk_block(block, &mut |stmt| {
        found |= matches!(&stmt.kind, StmtKind::Call { func: own, .. } if *own == func);
    });
    walk_exprs(block, &mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Call(own, _) if *own == func);
    });
    found
}
