//! From a checked board to the IR.
//!
//! The process of the game is one function: the setup, then turn after turn. What a turn does on a field stands in it as a
//! branch for every different program ([`fields`]); ways that ask for nothing are tables, so that a token walks as far as
//! nothing happens in one step ([`walk`]). Expressions have effects and draws in the middle, so they become statements and
//! what is left of them as pure values ([`expr`]). What a bare name means is known where all ways agree
//! ([`names`], [`super::scopes`]).
//!
//! Simulated time is a meter; what a stretch of commands costs is added up here and told at its end.

mod expr;
mod fields;
mod known;
mod names;
mod setup;
mod state;
mod stmt;
mod walk;

use rulec_ir::sorted::SortedMap;

use super::ast::Def;
use super::check::Board;
use super::check::back::{may_walk_back, takes_back};
use super::codes;
use super::scopes::{Scopes, Shape, analyse};
use super::world::{Cost, World};
use crate::diag::{CodeInfo, Diagnostic, Diagnostics};
use crate::ir::builder::GameBuilder;
use crate::ir::{BinaryOp, ExprKind};
use crate::ir::{
    Block, DomainId, DrawId, Expr, FuncId, Function, Game, Local, LocalId, Stmt, StmtKind, Type,
    VarId, range,
};
use crate::source::{SourceMap, Span};

/// Steps of all players after which a game ends without a winner, unless the host sets another number.
pub(super) const USUAL_LIMIT: i64 = 1000;

/// What is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A game.
    Game,
    /// Only the setup, as a program of its own; everything about scopes can be asked afterwards.
    Program,
}

/// Lowers a board; after `None` there is an error among the diagnostics.
pub(super) fn lower(
    world: &World,
    board: &Board,
    mode: Mode,
    sources: &SourceMap,
    out: &mut Diagnostics,
) -> Option<Game> {
    let back = may_walk_back(&board.places);
    let mut scopes = analyse(board, back);
    if mode == Mode::Program {
        scopes.dynamic = true;
        scopes.height = super::scopes::MAX_SCOPES;
    }
    let mut lower = Lower::new(world, board, scopes, mode, back, sources, out);
    lower.process();
    let failed = lower.out.has_errors();
    (!failed).then_some(lower.b.game)
}

/// A definite mistake was told; what follows in the expression has no meaning.
struct Dead;

type Low<T> = Result<T, Dead>;

/// A global or player variable.
#[derive(Clone, Debug)]
struct Declared {
    name: String,
    limit: Option<i64>,
    var: VarId,
}

struct Lower<'a> {
    world: &'a World,
    board: &'a Board,
    scopes: Scopes,
    mode: Mode,
    /// Whether tokens may walk backward, so that steps are remembered.
    back: bool,
    b: GameBuilder,
    out: &'a mut Diagnostics,
    ids: state::Ids,
    /// Local variables of the process, or of the function under construction.
    locals: Vec<Local>,
    /// Statements of the blocks under construction, innermost last.
    blocks: Vec<Block>,
    /// Time of what was lowered since it was last told, in units of the meter.
    pending: i64,
    /// Costs in units of the meter.
    costs: Vec<i64>,
    globals: Vec<Declared>,
    vars: Vec<Declared>,
    /// Player whose variables are being initialised.
    seat: Option<usize>,
    players: usize,
    tokens: usize,
    die: i64,
    end_condition: Option<super::ast::Expr>,
    /// What is known of the scopes here; nothing behind a fault or rollback.
    shape: Option<Shape>,
    /// Whether what is lowered is certain to run when the text runs.
    certain: bool,
    /// How faults call the text.
    site: String,
    /// The number of the first line of the text in its file, for those that stand there as they are.
    line: u32,
    span: Span,
    draws: SortedMap<i64, DrawId>,
    finders: SortedMap<String, FuncId>,
    /// What a rollback gives back in the turn that is lowered.
    saved: walk::SavedTurn,
    /// Whether any field takes a turn back.
    has_rollback: bool,
}

impl<'a> Lower<'a> {
    fn new(
        world: &'a World,
        board: &'a Board,
        scopes: Scopes,
        mode: Mode,
        back: bool,
        sources: &SourceMap,
        out: &'a mut Diagnostics,
    ) -> Lower<'a> {
        let (mut players, mut tokens) = (1, 1);
        for def in &board.setup.defs {
            if let Def::Players {
                count, tokens: own, ..
            } = def
            {
                players = usize::try_from(*count).unwrap_or(1).clamp(1, 64);
                tokens = own.map_or(1, |(own, _)| usize::try_from(own).unwrap_or(1).max(1));
            }
        }
        let mut b = state::builder(world, players, sources);
        let (costs, per) = state::units(&world.costs);
        let mut locals = Vec::new();
        let input = state::Input {
            world,
            board,
            scopes: &scopes,
            mode,
            back,
            players,
            tokens,
            per,
        };
        let ids = state::declare(&mut b, &input, &mut locals);
        Lower {
            world,
            board,
            shape: Some(Shape::initial(scopes.slots.len())),
            scopes,
            mode,
            back,
            b,
            out,
            ids,
            locals,
            blocks: vec![Vec::new()],
            pending: 0,
            costs,
            globals: Vec::new(),
            vars: Vec::new(),
            seat: None,
            players,
            tokens,
            die: 6,
            end_condition: None,
            certain: true,
            site: "the setup".to_owned(),
            line: 1,
            span: world.span,
            draws: SortedMap::new(),
            finders: SortedMap::new(),
            saved: walk::SavedTurn::default(),
            has_rollback: takes_back(board),
        }
    }

    fn process(&mut self) {
        self.setup();
        if self.mode == Mode::Game {
            self.turns();
        }
        let body = self.blocks.pop().unwrap_or_default();
        let process = Function {
            name: "process".to_owned(),
            params: 0,
            locals: std::mem::take(&mut self.locals),
            ret: None,
            body,
            doc: "Plays the game from the setup to its end.".to_owned(),
            span: self.span,
        };
        self.b.game.process = self.b.function(process);
        self.finish();
    }

    fn emit(&mut self, kind: StmtKind, span: Span) {
        self.push(Stmt::new(kind, span));
    }

    fn push(&mut self, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
    }

    /// Lowers into a block of its own, with its time told at its end.
    fn block(&mut self, lower: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Vec::new());
        lower(self);
        self.tell_time();
        self.blocks.pop().unwrap_or_default()
    }

    /// Emits a branch; time is told before it and at the ends of both blocks.
    fn branch(&mut self, cond: Expr, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        self.tell_time();
        let yes = self.block(yes);
        let no = self.block(no);
        if !yes.is_empty() || !no.is_empty() {
            self.push(Stmt::branch(cond, yes, no));
        }
    }

    fn when(&mut self, cond: Expr, yes: impl FnOnce(&mut Self)) {
        self.branch(cond, yes, |_| {});
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    fn get(&self, local: LocalId, span: Span) -> Expr {
        Expr::local(local, self.locals[local.index()].ty.clone(), span)
    }

    /// Stores a value in a new local variable.
    fn keep(&mut self, name: &str, value: Expr) -> Expr {
        let span = value.span;
        let local = self.local(name, value.ty.clone());
        self.push(Stmt::assign(local, value));
        self.get(local, span)
    }

    fn let_int(&mut self, local: LocalId, value: i64, span: Span) {
        self.push(Stmt::assign(local, int(value, span)));
    }

    fn cost(&mut self, cost: Cost) {
        self.pending += self.costs[cost as usize];
    }

    /// Adds the time of what was lowered to the meter.
    fn tell_time(&mut self) {
        let cost = std::mem::take(&mut self.pending);
        if cost > 0 {
            self.add_time(int(cost, self.span));
        }
    }

    fn add_time(&mut self, cost: Expr) {
        self.count_up(self.ids.time, cost);
    }

    /// Adds to a meter.
    fn count_up(&mut self, var: VarId, by: Expr) {
        let span = by.span;
        let before = Expr::var(&self.b.game, var, vec![], span);
        self.push(Stmt::set_var(var, vec![], arith(BinaryOp::Add, before, by)));
    }

    fn var(&self, var: VarId, index: Vec<Expr>, span: Span) -> Expr {
        Expr::var(&self.b.game, var, index, span)
    }

    /// The current player.
    fn me(&self, span: Span) -> Expr {
        match self.seat {
            Some(seat) => Expr::elem(self.b.game.players, seat as u32, span),
            None => self.var(self.ids.turn, vec![], span),
        }
    }

    /// Ends the game as a fault, naming the text and the line.
    fn fault(&mut self, code: &str, message: &str, span: Span) {
        let text = format!("{code}: {message} ({}, line {})", self.site, self.line);
        self.push(Stmt::fault(text, span));
    }

    /// Tells a mistake: an error if it is certain to happen once the text runs, else a warning and a fault in the game.
    fn mistake(
        &mut self,
        info: &'static CodeInfo,
        code: &str,
        message: String,
        span: Span,
    ) -> Dead {
        if self.certain {
            self.out.push(Diagnostic::new(info, span, message.clone()));
        } else {
            let found = Diagnostic::new(&codes::MAY_FAIL, span, message.clone());
            self.out
                .push(found.note(format!("{}: {}", info.code, info.title)));
        }
        self.fault(code, &message, span);
        Dead
    }

    /// Warns of something that is a fault if it happens.
    fn may_fail(&mut self, message: &str, span: Span) {
        self.out
            .push(Diagnostic::new(&codes::MAY_FAIL, span, message));
    }

    /// Builds a function with local variables of its own.
    fn function(
        &mut self,
        name: &str,
        ret: Type,
        doc: &str,
        body: impl FnOnce(&mut Self),
    ) -> FuncId {
        let outer = std::mem::take(&mut self.locals);
        let pending = std::mem::take(&mut self.pending);
        self.blocks.push(Vec::new());
        body(self);
        let body = self.blocks.pop().unwrap_or_default();
        self.pending = pending;
        let locals = std::mem::replace(&mut self.locals, outer);
        let span = self.span;
        self.b.function(Function {
            name: name.to_owned(),
            params: 0,
            locals,
            ret: Some(ret),
            body,
            doc: doc.to_owned(),
            span,
        })
    }

    fn player_domain(&self) -> DomainId {
        self.b.game.players
    }
}

/// An integer with its exact type.
fn int(value: i64, span: Span) -> Expr {
    Expr::constant(
        crate::ir::Const::Int(value),
        Type::Int {
            lo: value,
            hi: value,
        },
        span,
    )
}

/// The range of an integer expression.
fn range_of(expr: &Expr) -> (i64, i64) {
    expr.ty.int_range().unwrap_or((i64::MIN, i64::MAX))
}

/// Arithmetic with the exact range as type.
fn arith(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    if let (Some(crate::ir::Const::Int(x)), Some(crate::ir::Const::Int(y))) =
        (a.as_const(), b.as_const())
        && let Some((lo, hi)) = range::binary(op, (*x, *x), (*y, *y))
        && lo == hi
    {
        return int(lo, span);
    }
    let ty = match range::binary(op, range_of(&a), range_of(&b)) {
        Some((lo, hi)) => Type::Int { lo, hi },
        None => Type::INT,
    };
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

/// One of two integers, or of two values of one type.
fn select(cond: Expr, yes: Expr, no: Expr) -> Expr {
    let ty = match (&yes.ty, &no.ty) {
        (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => Type::Int {
            lo: *a.min(c),
            hi: *b.max(d),
        },
        _ => yes.ty.clone(),
    };
    let mut expr = Expr::select(cond, yes, no);
    expr.ty = ty;
    expr
}

fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}
