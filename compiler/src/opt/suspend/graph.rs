//! The process as a graph: statements between the places where control may split, meet or stop.

use crate::ir::effects::Effects;
use crate::ir::{
    Arm, BinaryOp, Block, Chance, Choose, Const, Count, DomainId, EndReason, Expr, ExprKind,
    FuncId, Function, Game, Local, LocalId, Over, Stmt, StmtKind, Type, WORK_BUDGET,
};
use crate::opt::locals::{rename_expr, rename_stmt};
use crate::source::Span;

/// A node, by number.
pub(super) type NodeId = usize;

/// Statements that always run together, and where control goes then.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) stmts: Block,
    pub(super) next: Next,
}

/// Where control goes.
#[derive(Clone, Debug)]
pub(super) enum Next {
    Goto(NodeId),
    Branch(Expr, NodeId, NodeId),
    /// A new round of a loop, if it may make one more.
    Round {
        counter: LocalId,
        bound: u32,
        body: NodeId,
        span: Span,
    },
    /// A stop, by its place in [`Graph::stops`].
    Stop(usize),
    /// The statements end the game.
    Nowhere,
}

impl Next {
    /// Where control may go without a stop.
    pub(super) fn targets(&self) -> Vec<NodeId> {
        match self {
            Next::Goto(to) | Next::Round { body: to, .. } => vec![*to],
            Next::Branch(_, yes, no) => vec![*yes, *no],
            Next::Stop(_) | Next::Nowhere => Vec::new(),
        }
    }
}

/// A stop and where play goes on after it.
#[derive(Clone, Debug)]
pub(super) enum StopAt {
    /// A decision, without the bodies of its arms; the entries of the arms; that of `otherwise`.
    Choose(Choose, Vec<NodeId>, Option<NodeId>),
    /// A draw.
    Chance(Chance, NodeId),
}

/// The process as a graph.
pub(super) struct Graph {
    pub(super) locals: Vec<Local>,
    pub(super) nodes: Vec<Node>,
    pub(super) stops: Vec<StopAt>,
    pub(super) start: NodeId,
    /// The round counters: they are 0 at the start of every chain of evaluation.
    pub(super) counters: Vec<LocalId>,
}

impl Graph {
    /// The graph of the process of a game.
    pub(super) fn of(game: &Game, effects: &Effects) -> Graph {
        let graph = Graph {
            locals: Vec::new(),
            nodes: Vec::new(),
            stops: Vec::new(),
            start: 0,
            counters: Vec::new(),
        };
        let mut builder = Builder {
            game,
            effects,
            graph,
        };
        let draw = builder.node(vec![draw_end(game)], Next::Nowhere);
        let process = game.function(game.process);
        let names = builder.add_locals(process);
        let scope = Scope {
            names: &names,
            ret: draw,
            into: None,
            breaks: draw,
            continues: draw,
        };
        builder.graph.start = builder.block(&process.body, draw, scope);
        builder.graph
    }
}

/// What a process does that returns without an end.
fn draw_end(game: &Game) -> Stmt {
    let span = game.function(game.process).span;
    let winners = Expr::new(ExprKind::SetOf(Vec::new()), Type::Set(game.players), span);
    Stmt::new(
        StmtKind::End {
            reason: EndReason::Draw,
            winners,
        },
        span,
    )
}

/// What surrounds a statement.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// The local variables of its function, by their number there.
    names: &'a [LocalId],
    /// Where a return goes.
    ret: NodeId,
    /// Where the value of a return goes.
    into: Option<LocalId>,
    /// Where `break` goes.
    breaks: NodeId,
    /// Where `continue` goes.
    continues: NodeId,
}

impl Scope<'_> {
    fn expr(&self, value: &Expr) -> Expr {
        let mut value = value.clone();
        rename_expr(&mut value, &mut |local| self.local(local));
        value
    }

    fn stmt(&self, stmt: &Stmt) -> Stmt {
        let mut stmt = stmt.clone();
        rename_stmt(&mut stmt, &mut |local| self.local(local));
        stmt
    }

    fn local(&self, local: LocalId) -> LocalId {
        self.names[local.index()]
    }
}

struct Builder<'a> {
    game: &'a Game,
    effects: &'a Effects,
    graph: Graph,
}

impl Builder<'_> {
    fn node(&mut self, stmts: Block, next: Next) -> NodeId {
        self.graph.nodes.push(Node { stmts, next });
        self.graph.nodes.len() - 1
    }

    fn name(&self, local: LocalId) -> String {
        self.graph.locals[local.index()].name.clone()
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.graph.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.graph.locals.len() - 1)
    }

    fn add_locals(&mut self, function: &Function) -> Vec<LocalId> {
        let first = self.graph.locals.len();
        self.graph.locals.extend(function.locals.iter().cloned());
        (first..self.graph.locals.len())
            .map(LocalId::from)
            .collect()
    }

    /// The entry of a block after which control goes to `next`.
    fn block(&mut self, block: &[Stmt], next: NodeId, scope: Scope) -> NodeId {
        let mut at = next;
        let mut plain: Block = Vec::new();
        for stmt in block.iter().rev() {
            if self.is_plain(stmt) {
                plain.push(scope.stmt(stmt));
                if ends(stmt) {
                    at = self.node(std::mem::take(&mut plain), Next::Nowhere);
                }
                continue;
            }
            at = self.flush(&mut plain, at);
            at = self.split(stmt, at, scope);
        }
        self.flush(&mut plain, at)
    }

    /// A node for statements in reverse order, if there are any.
    fn flush(&mut self, plain: &mut Block, at: NodeId) -> NodeId {
        let mut block = std::mem::take(plain);
        block.reverse();
        self.prefix(block, at)
    }

    fn prefix(&mut self, block: Block, at: NodeId) -> NodeId {
        if block.is_empty() {
            at
        } else {
            self.node(block, Next::Goto(at))
        }
    }

    /// Whether control passes through the statement and never stops in it.
    fn is_plain(&self, stmt: &Stmt) -> bool {
        !self.stops(stmt) && !leaves(stmt)
    }

    /// Whether it may stop.
    fn stops(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.walk(&mut |stmt| {
            found |= match &stmt.kind {
                StmtKind::Choose(_) | StmtKind::Chance(_) => true,
                StmtKind::Call { func, .. } => self.effects.function(*func).suspends,
                _ => false,
            };
        });
        found
    }

    /// The entry of a statement that may stop or leave.
    fn split(&mut self, stmt: &Stmt, next: NodeId, scope: Scope) -> NodeId {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let yes = self.block(yes, next, scope);
                let no = self.block(no, next, scope);
                self.branch(scope.expr(cond), yes, no)
            }
            StmtKind::Break => scope.breaks,
            StmtKind::Continue => scope.continues,
            StmtKind::Return(value) => self.leave(value.as_ref(), scope),
            StmtKind::Call { func, args, into } => {
                let into = into.map(|local| scope.local(local));
                let args = args.iter().map(|arg| scope.expr(arg)).collect();
                self.inline(*func, args, into, next)
            }
            StmtKind::Choose(choose) => self.choose(choose, next, scope),
            StmtKind::Chance(_) => {
                let StmtKind::Chance(chance) = scope.stmt(stmt).kind else {
                    return next;
                };
                self.graph.stops.push(StopAt::Chance(chance, next));
                self.node(Vec::new(), Next::Stop(self.graph.stops.len() - 1))
            }
            _ if !self.stops(stmt) => self.loop_with_return(stmt, next, scope),
            StmtKind::While { cond, bound, body } => {
                self.while_loop(cond, *bound, body, span, next, scope)
            }
            StmtKind::For {
                local,
                from,
                to,
                count,
                body,
                charged,
            } => {
                let (from, to) = (scope.expr(from), scope.expr(to));
                let header = self.counting(scope.local(*local), from, to, *count, *charged, span);
                self.for_loop(header, body, next, scope)
            }
            StmtKind::ForEach(local, over, body) => {
                let local = scope.local(*local);
                self.for_each(local, over, body, span, next, scope)
            }
            // `verify` admits no stop in a trial, and nothing else has blocks.
            _ => self.node(vec![scope.stmt(stmt)], Next::Goto(next)),
        }
    }

    fn branch(&mut self, cond: Expr, yes: NodeId, no: NodeId) -> NodeId {
        match cond.as_const() {
            Some(Const::Bool(true)) => yes,
            Some(Const::Bool(false)) => no,
            _ => self.node(Vec::new(), Next::Branch(cond, yes, no)),
        }
    }

    fn leave(&mut self, value: Option<&Expr>, scope: Scope) -> NodeId {
        let Some(value) = value else { return scope.ret };
        let value = scope.expr(value);
        let into = match scope.into {
            Some(into) => into,
            None => self.local("unused", value.ty.clone()),
        };
        self.node(vec![Stmt::assign(into, value)], Next::Goto(scope.ret))
    }

    fn inline(
        &mut self,
        func: FuncId,
        args: Vec<Expr>,
        into: Option<LocalId>,
        next: NodeId,
    ) -> NodeId {
        let function = self.game.function(func);
        let names = self.add_locals(function);
        let scope = Scope {
            names: &names,
            ret: next,
            into,
            breaks: next,
            continues: next,
        };
        let body = self.block(&function.body, next, scope);
        let params = names.iter().zip(args);
        let bind: Block = params
            .map(|(param, arg)| Stmt::assign(*param, arg))
            .collect();
        self.prefix(bind, body)
    }

    fn choose(&mut self, choose: &Choose, next: NodeId, scope: Scope) -> NodeId {
        let mut arms = Vec::new();
        let mut bare = Vec::new();
        for arm in &choose.arms {
            arms.push(self.block(&arm.body, next, scope));
            bare.push(Arm {
                family: arm.family,
                given: arm.given.iter().map(|given| scope.expr(given)).collect(),
                bind: arm.bind.iter().map(|local| scope.local(*local)).collect(),
                body: Vec::new(),
            });
        }
        let otherwise = choose
            .otherwise
            .as_ref()
            .map(|block| self.block(block, next, scope));
        let players = scope.expr(&choose.players);
        let choose = Choose {
            players,
            arms: bare,
            otherwise: None,
        };
        self.graph
            .stops
            .push(StopAt::Choose(choose, arms, otherwise));
        self.node(Vec::new(), Next::Stop(self.graph.stops.len() - 1))
    }

    /// A loop that never stops but returns: the return becomes a flag and a break.
    fn loop_with_return(&mut self, stmt: &Stmt, next: NodeId, scope: Scope) -> NodeId {
        let flag = self.local("returns", Type::Bool);
        let mut stmt = scope.stmt(stmt);
        let into = scope.into.or_else(|| {
            let ty = returned_type(&stmt)?;
            Some(self.local("unused", ty))
        });
        stmt.blocks_mut(&mut |block| break_out(block, flag, into));
        let span = stmt.span;
        let test = self.branch(Expr::local(flag, Type::Bool, span), scope.ret, next);
        let clear = Stmt::assign(flag, Expr::bool(false, span));
        self.node(vec![clear, stmt], Next::Goto(test))
    }

    fn while_loop(
        &mut self,
        cond: &Expr,
        bound: u32,
        body: &[Stmt],
        span: Span,
        next: NodeId,
        scope: Scope,
    ) -> NodeId {
        let head = self.node(Vec::new(), Next::Nowhere);
        let inner = Scope {
            breaks: next,
            continues: head,
            ..scope
        };
        let body = self.block(body, head, inner);
        let (round, clear) = self.round(bound, body, span);
        let test = self.branch(scope.expr(cond), round, next);
        self.graph.nodes[head].next = Next::Goto(test);
        self.node(vec![clear], Next::Goto(head))
    }

    /// A node that counts a round, and the statement that starts the count.
    fn round(&mut self, bound: u32, body: NodeId, span: Span) -> (NodeId, Stmt) {
        let counter = self.local(
            "rounds",
            Type::Int {
                lo: 0,
                hi: i64::from(WORK_BUDGET) + 1,
            },
        );
        self.graph.counters.push(counter);
        let bound = bound.min(WORK_BUDGET);
        let round = self.node(
            Vec::new(),
            Next::Round {
                counter,
                bound,
                body,
                span,
            },
        );
        (round, Stmt::assign(counter, Expr::int(0, span)))
    }

    /// What a counting loop says, with a hidden counter: the loop variable may change in a round.
    fn counting(
        &mut self,
        local: LocalId,
        from: Expr,
        to: Expr,
        count: Count,
        charged: bool,
        span: Span,
    ) -> Header {
        let ty = hull(&from.ty, &to.ty);
        let at = self.local(&self.name(local), ty.clone());
        let bind = Stmt::assign(local, Expr::local(at, ty, span));
        Header {
            at,
            from,
            to,
            count,
            charged,
            bind,
        }
    }

    fn for_loop(&mut self, header: Header, body: &[Stmt], next: NodeId, scope: Scope) -> NodeId {
        let Header {
            at: counter,
            from,
            to,
            count,
            charged,
            bind,
        } = header;
        let span = bind.span;
        let ty = self.graph.locals[counter.index()].ty.clone();
        let end = match to.kind {
            ExprKind::Const(_) => to.clone(),
            _ => {
                let name = format!("{}_end", self.name(counter));
                Expr::local(self.local(&name, ty.clone()), ty.clone(), span)
            }
        };
        let at = Expr::local(counter, ty, span);
        let step = self.node(Vec::new(), Next::Nowhere);
        let body = self.block(
            body,
            step,
            Scope {
                breaks: next,
                continues: step,
                ..scope
            },
        );
        let body = self.node(vec![bind], Next::Goto(body));
        let (round, clear) = match charged {
            true => {
                let (round, clear) = self.round(WORK_BUDGET, body, span);
                (round, Some(clear))
            }
            false => (body, None),
        };
        let advance = Stmt::assign(counter, advanced(at.clone(), &end, count));
        let advance = self.node(vec![advance], Next::Goto(round));
        let last = at.clone().equals(end.clone());
        self.graph.nodes[step].next = Next::Branch(last, next, advance);
        let first = match count {
            Count::Up => self.branch(Expr::binary(BinaryOp::Le, at, end.clone()), round, next),
            Count::Down => self.branch(Expr::binary(BinaryOp::Ge, at, end.clone()), round, next),
            Count::Toward => round,
        };
        let mut start: Block = vec![Stmt::assign(counter, from)];
        if let ExprKind::Local(end) = end.kind {
            start.push(Stmt::assign(end, to));
        }
        start.extend(clear);
        self.node(start, Next::Goto(first))
    }

    fn for_each(
        &mut self,
        local: LocalId,
        over: &Over,
        body: &[Stmt],
        span: Span,
        next: NodeId,
        scope: Scope,
    ) -> NodeId {
        let mut over = over.clone();
        over.children_mut(&mut |value| *value = scope.expr(value));
        let header = match over {
            Over::Set(set) => return self.each_of_set(local, set, body, next, scope),
            Over::Seq(seq) => return self.each_of_seq(local, seq, body, next, scope),
            Over::Range(from, to) => self.counting(local, from, to, Count::Up, false, span),
            Over::Domain(domain) => match self.members(local, domain, span) {
                Some(header) => header,
                None => return next,
            },
        };
        self.for_loop(header, body, next, scope)
    }

    /// A counting loop over the ordinals of a domain, if it has members.
    fn members(&mut self, local: LocalId, domain: DomainId, span: Span) -> Option<Header> {
        let members = self.game.domain(domain);
        let last = u32::try_from(members.len()).ok()?.checked_sub(1)?;
        let (lo, hi) = (members.ordinal(0), members.ordinal(last));
        let ty = Type::Int { lo, hi };
        let at = self.local(&self.name(local), ty.clone());
        let member = Expr::local(at, ty.clone(), span).member(domain).get();
        Some(Header {
            at,
            from: Expr::constant(Const::Int(lo), ty.clone(), span),
            to: Expr::constant(Const::Int(hi), ty, span),
            count: Count::Up,
            charged: false,
            bind: Stmt::assign(local, member),
        })
    }

    fn each_of_set(
        &mut self,
        local: LocalId,
        set: Expr,
        body: &[Stmt],
        next: NodeId,
        scope: Scope,
    ) -> NodeId {
        let (ty, span) = (set.ty.clone(), set.span);
        let Type::Set(domain) = ty else { return next };
        let member = self.graph.locals[local.index()].clone();
        let rest_id = self.local(&format!("{}_rest", member.name), ty.clone());
        let bound = self.local(&member.name, Type::Elem(domain));
        let rest = Expr::local(rest_id, ty.clone(), span);
        let first = ExprKind::First {
            local: bound,
            over: Box::new(Over::Set(rest.clone())),
            when: Box::new(Expr::bool(true, span)),
        };
        let first = Expr::new(first, Type::Opt(domain), span).get();
        let taken = ExprKind::SetOf(vec![Expr::local(local, member.ty, span)]);
        let taken = Expr::new(taken, ty, span);
        let less = Expr::binary(BinaryOp::Minus, rest.clone(), taken);
        let head = self.node(Vec::new(), Next::Nowhere);
        let inner = Scope {
            breaks: next,
            continues: head,
            ..scope
        };
        let body = self.block(body, head, inner);
        let round = vec![Stmt::assign(local, first), Stmt::assign(rest_id, less)];
        let round = self.node(round, Next::Goto(body));
        let some = Expr::binary(BinaryOp::Gt, size(rest), Expr::int(0, span));
        self.graph.nodes[head].next = Next::Branch(some, round, next);
        self.node(vec![Stmt::assign(rest_id, set)], Next::Goto(head))
    }

    fn each_of_seq(
        &mut self,
        local: LocalId,
        seq: Expr,
        body: &[Stmt],
        next: NodeId,
        scope: Scope,
    ) -> NodeId {
        let (ty, span) = (seq.ty.clone(), seq.span);
        let Type::Seq { item, cap } = ty.clone() else {
            return next;
        };
        let name = self.graph.locals[local.index()].name.clone();
        let items_id = self.local(&format!("{name}_items"), ty.clone());
        let counter = Type::Int {
            lo: 0,
            hi: i64::from(cap),
        };
        let at_id = self.local(&format!("{name}_at"), counter.clone());
        let items = Expr::local(items_id, ty, span);
        let at = Expr::local(at_id, counter, span);
        let take = ExprKind::Item(Box::new(items.clone()), Box::new(at.clone()));
        let take = Expr::new(take, *item, span);
        let more = Expr::binary(BinaryOp::Add, at.clone(), Expr::int(1, span));
        let head = self.node(Vec::new(), Next::Nowhere);
        let inner = Scope {
            breaks: next,
            continues: head,
            ..scope
        };
        let body = self.block(body, head, inner);
        let round = vec![Stmt::assign(local, take), Stmt::assign(at_id, more)];
        let round = self.node(round, Next::Goto(body));
        let some = Expr::binary(BinaryOp::Lt, at, size(items));
        self.graph.nodes[head].next = Next::Branch(some, round, next);
        let start = vec![
            Stmt::assign(items_id, seq),
            Stmt::assign(at_id, Expr::int(0, span)),
        ];
        self.node(start, Next::Goto(head))
    }
}

/// What a counting loop says.
struct Header {
    /// Counts the rounds.
    at: LocalId,
    from: Expr,
    to: Expr,
    count: Count,
    charged: bool,
    /// Gives the loop variable its value in a round.
    bind: Stmt,
}

/// The next value of a counter that has not reached its end.
fn advanced(at: Expr, end: &Expr, count: Count) -> Expr {
    let one = match at.ty {
        Type::Wrap32 => Expr::wrap(1, at.span),
        _ => Expr::int(1, at.span),
    };
    let up = Expr::binary(BinaryOp::Add, at.clone(), one.clone());
    let down = Expr::binary(BinaryOp::Sub, at.clone(), one);
    match count {
        Count::Up => up,
        Count::Down => down,
        Count::Toward => Expr::select(Expr::binary(BinaryOp::Lt, at, end.clone()), up, down),
    }
}

fn size(of: Expr) -> Expr {
    let span = of.span;
    Expr::new(ExprKind::Size(Box::new(of)), Type::INT, span)
}

/// The integers that both types have room for.
fn hull(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Int { lo: a, hi: b }, Type::Int { lo: c, hi: d }) => Type::Int {
            lo: *a.min(c),
            hi: *b.max(d),
        },
        _ => a.clone(),
    }
}

/// Whether the game never goes on after the statement.
fn ends(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::End { .. } | StmtKind::Fault(_) | StmtKind::TooDeep
    )
}

/// Whether control may leave the statement by a jump out of it.
fn leaves(stmt: &Stmt) -> bool {
    jumps(stmt, false)
}

fn jumps(stmt: &Stmt, in_loop: bool) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Break | StmtKind::Continue => !in_loop,
        _ => {
            let inner = in_loop
                || matches!(
                    stmt.kind,
                    StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. }
                );
            let mut found = false;
            stmt.blocks(&mut |block| found |= block.iter().any(|stmt| jumps(stmt, inner)));
            found
        }
    }
}

/// The type of what a return in the statement gives.
fn returned_type(stmt: &Stmt) -> Option<Type> {
    let mut ty = None;
    stmt.walk(&mut |stmt| {
        if let StmtKind::Return(Some(value)) = &stmt.kind {
            ty.get_or_insert_with(|| value.ty.clone());
        }
    });
    ty
}

/// Turns every return of a loop's body into a flag and a break, through inner loops as well.
fn break_out(block: &mut Block, flag: LocalId, into: Option<LocalId>) {
    let mut out = Block::new();
    for mut stmt in std::mem::take(block) {
        let span = stmt.span;
        let was_loop = matches!(
            stmt.kind,
            StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. }
        ) && leaves(&stmt);
        stmt.blocks_mut(&mut |inner| break_out(inner, flag, into));
        if let StmtKind::Return(value) = stmt.kind {
            if let (Some(value), Some(into)) = (value, into) {
                out.push(Stmt::assign(into, value));
            }
            out.push(Stmt::assign(flag, Expr::bool(true, span)));
            out.push(Stmt::new(StmtKind::Break, span));
            continue;
        }
        out.push(stmt);
        if was_loop {
            let test = Expr::local(flag, Type::Bool, span);
            out.push(Stmt::branch(
                test,
                vec![Stmt::new(StmtKind::Break, span)],
                Vec::new(),
            ));
        }
    }
    *block = out;
}
