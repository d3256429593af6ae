//! Functions that go through the legal moves of a player: whether there is one, how long a chain can become, which
//! rank is the highest.

use super::Lower;
use super::moves::Arm;
use crate::ast::Pass;
use crate::ir::builder::FunctionBuilder;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, Local, LocalId, Over, ParamSource, Stmt,
    StmtKind, Type,
};
use crate::source::Span;

/// Ranks between two priorities where the lengths of chains count.
const LONGEST: i64 = 1 << 20;

impl Lower<'_> {
    /// The rank of a priority, before the lengths of chains.
    pub(super) fn rank_of(&self, priority: i64) -> i64 {
        match self.game.longest_chains {
            true => priority * LONGEST,
            false => priority,
        }
    }

    /// The function that gives the rank of the moves of a family that is being made.
    pub(super) fn rank(
        &mut self,
        name: &str,
        params: &[Local],
        player: usize,
        new: &super::moves::NewFamily,
    ) -> FuncId {
        let base = self.rank_of(new.priority);
        let length = i64::from(self.game.longest_chains);
        if !(self.game.longest_chains && new.continues) {
            return self.constant(name, params, Expr::int(base + length, new.span));
        }
        let mut f = FunctionBuilder::new(name, Some(Type::INT), new.span)
            .doc("The rank of a move: its priority, then how long its chain can become.");
        let args: Vec<Expr> = params
            .iter()
            .map(|param| {
                let local = f.param(&param.name, param.ty.clone());
                f.get(local)
            })
            .collect();
        let length = f.local("length", Type::INT);
        let chain = self.chain_function(player, new.priority);
        let mut body = self.chain_of(player, new.play, true, &args, chain, length, &mut f);
        let base = Expr::int(base, new.span);
        let length = Expr::local(length, Type::INT, new.span);
        body.push(Stmt::give(Expr::binary(BinaryOp::Add, base, length)));
        self.b.function(f.body(body))
    }

    /// Statements that find the greatest number of moves in a row that begin with a move; 0 if it is forbidden.
    #[expect(clippy::too_many_arguments, reason = "everything that names a move")]
    fn chain_of(
        &mut self,
        player: usize,
        play: FuncId,
        continues: bool,
        args: &[Expr],
        chain: FuncId,
        into: LocalId,
        f: &mut FunctionBuilder,
    ) -> Block {
        let span = self.span();
        let (on, ok) = (f.local("on", Type::Bool), f.local("ok", Type::Bool));
        let one = Expr::int(1, span);
        let mut value = one.clone();
        if continues {
            let rest = Expr::call(&self.b.game, chain, vec![args[1].clone()], span);
            let longer = Expr::binary(BinaryOp::Add, one.clone(), rest);
            value = Expr::select(Expr::local(on, Type::Bool, span), longer, one);
        }
        if let Some(after) = self.after_of(player) {
            let allowed = Expr::call(&self.b.game, after, Vec::new(), span);
            value = Expr::select(allowed, value, Expr::int(0, span));
        }
        let call = Stmt::call(play, args.to_vec(), continues.then_some(on), span);
        let trial = StmtKind::Trial {
            body: vec![call],
            keep: false,
            ok,
            value: Some((value, into)),
        };
        vec![
            Stmt::assign(on, Expr::bool(false, span)),
            Stmt::assign(into, Expr::int(0, span)),
            Stmt::new(trial, span),
        ]
    }

    fn after_of(&self, player: usize) -> Option<FuncId> {
        self.arms.get(player).and_then(|arms| arms.after)
    }

    /// The function that tells how many moves the figure on a cell can go on for; made with its body by
    /// [`Lower::chain_bodies`], because the moves ask each other.
    fn chain_function(&mut self, player: usize, priority: i64) -> FuncId {
        if let Some(known) = self.chain_lengths.get(&(player, priority)) {
            return *known;
        }
        let f = self.chain_head(player, priority).0;
        let none = Stmt::give(Expr::int(0, self.span()));
        let func = self.b.function(f.body(vec![none]));
        self.chain_lengths.insert((player, priority), func);
        func
    }

    fn chain_head(&self, player: usize, priority: i64) -> (FunctionBuilder, Expr) {
        let name = format!("chain {} {priority}", self.game.players[player].node);
        let mut f = FunctionBuilder::new(&name, Some(Type::INT), self.span())
            .doc("How many moves the figure on a cell can go on for.");
        let cell = f.param("cell", Type::Elem(self.cell));
        let cell = f.get(cell);
        (f, cell)
    }

    /// Fills in the functions about lengths of chains of a player, whose families are all made.
    pub(super) fn chain_bodies(&mut self, player: usize) {
        let span = self.span();
        let wanted = self.chain_lengths.iter();
        let wanted: Vec<(i64, FuncId)> = wanted
            .filter(|((of, _), _)| *of == player)
            .map(|((_, priority), func)| (*priority, *func))
            .collect();
        for (priority, func) in wanted {
            let (mut f, cell) = self.chain_head(player, priority);
            let best = f.local("best", Type::INT);
            let mut body = vec![Stmt::assign(best, Expr::int(0, span))];
            for arm in self.arms[player].list.clone() {
                if arm.priority != priority {
                    continue;
                }
                let one = ExprKind::SetOf(vec![cell.clone()]);
                let one = Expr::new(one, Type::Set(self.cell), span);
                let here = Expr::binary(BinaryOp::Intersect, one, self.places(arm.kind, span));
                self.each_candidate(
                    &arm,
                    here,
                    true,
                    &mut f,
                    &mut body,
                    &mut |lower, args, f| {
                        let (play, on) = (arm.play, arm.continues);
                        let length = f.local("length", Type::INT);
                        let mut block = lower.chain_of(player, play, on, args, func, length, f);
                        block.push(lower.raise(best, Expr::local(length, Type::INT, span)));
                        block
                    },
                );
            }
            body.push(Stmt::give(Expr::local(best, Type::INT, span)));
            self.b.game.functions[func.index()] = f.body(body);
        }
    }

    fn raise(&self, best: LocalId, value: Expr) -> Stmt {
        let now = Expr::local(best, Type::INT, value.span);
        Stmt::assign(best, Expr::binary(BinaryOp::Max, now, value))
    }

    /// The function that tells whether a player has a legal move, passing aside.
    pub(super) fn can_move(&mut self, player: usize) -> FuncId {
        let name = format!("can move {}", self.game.players[player].node);
        let known = self.b.game.functions.iter().position(|f| f.name == name);
        if let Some(known) = known {
            return FuncId::from(known);
        }
        let span = self.span();
        let mut f = FunctionBuilder::new(&name, Some(Type::Bool), span)
            .doc("Whether a player has a legal move.");
        let mut body = Vec::new();
        for arm in self.arms[player].list.clone() {
            let sources = self.sources_of_arm(&arm, span);
            self.each_candidate(
                &arm,
                sources,
                false,
                &mut f,
                &mut body,
                &mut |lower, args, f| {
                    let yes = vec![Stmt::give(Expr::bool(true, span))];
                    lower.if_allowed(player, &arm, args, yes, f)
                },
            );
        }
        body.push(Stmt::give(Expr::bool(false, span)));
        self.b.function(f.body(body))
    }

    /// The function that gives the rank of passing at any time: that of the best move, so that both are legal.
    pub(super) fn rank_of_passing(&mut self, span: Span) -> FuncId {
        let lowest = Expr::int(self.rank_of(self.priorities().0) - 1, span);
        let mut f = FunctionBuilder::new("rank pass", Some(Type::INT), span)
            .doc("The highest rank of a move.");
        let best = f.local("best", Type::INT);
        let mut body = vec![Stmt::assign(best, lowest)];
        for player in 0..self.game.players.len() {
            let here = |node: &super::process::Node<'_>| {
                node.player == player && node.pass == Pass::Always
            };
            if !self.nodes.iter().any(here) {
                continue;
            }
            let now = self.is_one_of(here, span);
            let mut of_player = Vec::new();
            for arm in self.arms[player].list.clone() {
                let sources = self.sources_of_arm(&arm, span);
                let rank = self.b.game.family(arm.family).rank;
                let mut found = |lower: &mut Self, args: &[Expr], f: &mut FunctionBuilder| {
                    let value = match rank {
                        Some(rank) => Expr::call(&lower.b.game, rank, args.to_vec(), span),
                        None => Expr::int(0, span),
                    };
                    let then = vec![lower.raise(best, value)];
                    lower.if_allowed(player, &arm, args, then, f)
                };
                self.each_candidate(&arm, sources, true, &mut f, &mut of_player, &mut found);
            }
            body.push(Stmt::branch(now, of_player, Vec::new()));
        }
        body.push(Stmt::give(Expr::local(best, Type::INT, span)));
        self.b.function(f.body(body))
    }

    fn sources_of_arm(&self, arm: &Arm, span: Span) -> Expr {
        let places = self.places(arm.kind, span);
        match &arm.possible {
            None => places,
            Some(possible) => Expr::binary(BinaryOp::Intersect, places, self.cells(possible, span)),
        }
    }

    /// Statements that run a block if the position after a move is not forbidden.
    fn if_allowed(
        &mut self,
        player: usize,
        arm: &Arm,
        args: &[Expr],
        then: Block,
        f: &mut FunctionBuilder,
    ) -> Block {
        let span = self.span();
        let Some(after) = self.arms[player].after else {
            return then;
        };
        let (ok, allowed) = (f.local("ok", Type::Bool), f.local("allowed", Type::Bool));
        let into = arm.continues.then(|| f.local("on", Type::Bool));
        let value = Expr::call(&self.b.game, after, Vec::new(), span);
        let trial = StmtKind::Trial {
            body: vec![Stmt::call(arm.play, args.to_vec(), into, span)],
            keep: false,
            ok,
            value: Some((value, allowed)),
        };
        vec![
            Stmt::assign(allowed, Expr::bool(false, span)),
            Stmt::new(trial, span),
            Stmt::branch(Expr::local(allowed, Type::Bool, span), then, Vec::new()),
        ]
    }

    /// Statements that run a block for the candidates of a family from some cells, whether or not the position after them
    /// is forbidden: with `choices` for every choice, else for the first one.
    fn each_candidate(
        &mut self,
        arm: &Arm,
        sources: Expr,
        choices: bool,
        f: &mut FunctionBuilder,
        out: &mut Block,
        found: &mut dyn FnMut(&mut Self, &[Expr], &mut FunctionBuilder) -> Block,
    ) {
        let span = self.span();
        let family = self.b.game.family(arm.family).clone();
        let cell = Type::Elem(self.cell);
        let (from, to) = (f.local("from", cell.clone()), f.local("to", cell));
        let mut args = vec![self.elem(from, span), self.elem(to, span)];
        let chosen = arm.choice.map(|domain| {
            let among = match &family.params[2].source {
                ParamSource::Among(among) => among.clone(),
                _ => Vec::new(),
            };
            (f.local("choice", Type::Elem(domain)), domain, among)
        });
        if let Some((choice, domain, among)) = &chosen {
            args.push(match choices {
                true => Expr::local(*choice, Type::Elem(*domain), span),
                false => Expr::elem(*domain, among.first().copied().unwrap_or(0), span),
            });
        }
        let mut block = found(self, &args, f);
        if let (Some((choice, domain, among)), true) = (chosen, choices) {
            let all = Expr::constant(Const::Set(among), Type::Set(domain), span);
            let each = StmtKind::ForEach(choice, Over::Set(all), block);
            block = vec![Stmt::new(each, span)];
        }
        if let Some(guard) = family.guard {
            let given = self.b.game.function(guard).params;
            let mut first = args;
            first.truncate(given);
            let holds = Expr::call(&self.b.game, guard, first, span);
            block = vec![Stmt::branch(holds, block, Vec::new())];
        }
        let targets = Expr::call(&self.b.game, arm.targets, vec![self.elem(from, span)], span);
        let each = StmtKind::ForEach(to, Over::Set(targets), block);
        let each = StmtKind::ForEach(from, Over::Set(sources), vec![Stmt::new(each, span)]);
        out.push(Stmt::new(each, span));
    }
}
