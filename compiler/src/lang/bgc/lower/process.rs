//! The course of a game: states, chains, draws.

use super::Lower;
use super::moves::Arm;
use crate::ir::builder::FunctionBuilder;
use crate::ir::{
    BinaryOp, Block, Choose, Const, EndReason, Expr, ExprKind, Family, FamilyId, FuncId, Identity,
    IdentityTerm, LocalId, Over, Stmt, StmtKind, TextPart, Trail, TrailId, Type,
};
use crate::lang::bgc::ast::{Pass, State, StateKind, Winner};
use crate::source::Span;

/// Longest history where nothing bounds it.
const LONG_HISTORY: u32 = 2000;

/// A place where a player decides.
struct Node<'a> {
    /// The `move` state.
    name: &'a str,
    player: usize,
    pass: Pass,
    /// The state of type `check_moves` that leads here: what happens if there is no move.
    check: Option<&'a str>,
    span: Span,
}

/// The process under construction.
struct Process<'a> {
    f: FunctionBuilder,
    nodes: Vec<Node<'a>>,
    /// Where each node may lead.
    next: Vec<Vec<usize>>,
    /// The node for which statements are made at present.
    now: usize,
    from: LocalId,
    to: LocalId,
    choice: Option<LocalId>,
    on: LocalId,
    chain: LocalId,
    rank: LocalId,
    can: LocalId,
    /// Whether nodes follow each other in one order, so that control says where play is.
    ordered: bool,
}

impl<'a> Lower<'a> {
    /// Makes the process of the game.
    pub(super) fn process(&mut self) {
        let span = self.span();
        let cell = Type::Elem(self.cell);
        let mut f = FunctionBuilder::new("play", None, span).doc("The course of a game.");
        let from = f.local("from", cell.clone());
        let to = f.local("to", cell);
        let on = f.local("on", Type::Bool);
        let chain = f.local("chain", Type::Opt(self.cell));
        let (lo, hi) = self.priorities();
        let rank = f.local("rank", Type::Int { lo, hi });
        let can = f.local("can", Type::Bool);
        let domains = &self.b.game.domains;
        let figures = domains.iter().position(|domain| domain.name == "Figure");
        let choice = figures.map(|figures| f.local("choice", Type::Elem(figures.into())));
        let mut process = Process {
            f,
            nodes: Vec::new(),
            next: Vec::new(),
            now: 0,
            from,
            to,
            choice,
            on,
            chain,
            rank,
            can,
            ordered: true,
        };
        self.explore(&mut process);
        process.ordered = process.next.iter().all(|next| next.len() <= 1);
        self.declare_phase(&process);
        let body = match process.ordered {
            true => self.in_order(&mut process),
            false => self.by_phase(&mut process),
        };
        self.b.game.process = self.b.function(process.f.body(body));
    }

    fn priorities(&self) -> (i64, i64) {
        let programs = self.programs.iter().flatten();
        let all = programs.map(|program| program.priority).chain([0]);
        all.fold((0, 0), |(lo, hi), p| (lo.min(p), hi.max(p)))
    }

    fn state(&self, name: &str) -> Option<&'a State> {
        self.game.states.get(name)
    }

    /// Finds all nodes and where they lead.
    fn explore(&mut self, process: &mut Process<'a>) {
        let start = self.game.initial_state.node.as_str();
        self.node(start, None, process);
        let mut at = 0;
        while at < process.nodes.len() {
            process.now = at;
            let name = process.nodes[at].name;
            // Statements are thrown away; what counts is which nodes they enter.
            let state = self.state(name);
            let next = state.and_then(|state| state.next.first());
            if let Some(next) = next {
                self.pass_through(&next.state.node, None, process);
            }
            if let Some(check) = process.nodes[at].check {
                self.branch(check, false, None, process);
            }
            at += 1;
        }
    }

    fn node(
        &mut self,
        name: &'a str,
        check: Option<&'a str>,
        process: &mut Process<'a>,
    ) -> Option<usize> {
        let same = |node: &Node<'_>| node.name == name && node.check == check;
        if let Some(known) = process.nodes.iter().position(same) {
            return Some(known);
        }
        let state = self.state(name)?;
        let StateKind::Move { player, pass } = &state.kind else {
            return None;
        };
        process.nodes.push(Node {
            name,
            player: self.game.player(player)?,
            pass: *pass,
            check,
            span: state.span,
        });
        process.next.push(Vec::new());
        Some(process.nodes.len() - 1)
    }

    /// What happens on entering a state, up to the next decision.
    fn pass_through(
        &mut self,
        name: &'a str,
        won: Option<usize>,
        process: &mut Process<'a>,
    ) -> Block {
        let Some(state) = self.state(name) else {
            return Vec::new();
        };
        match &state.kind {
            StateKind::Move { .. } => self.enter(name, None, process),
            StateKind::End(winner) => vec![self.end(winner, won, state.span)],
            StateKind::NextMove => {
                let mut out = self.next_move(state.span);
                if let Some(next) = state.next.iter().find(|branch| branch.fits(None)) {
                    out.extend(self.pass_through(&next.state.node, won, process));
                }
                out
            }
            StateKind::CheckWin(player) => {
                let number = self.game.player(player);
                let checks = self.game.win.get(player.as_str()).map_or(&[][..], |c| c);
                let cond = self.some_check(checks, &mut process.f);
                let yes = self.branch(name, true, number, process);
                let no = self.branch(name, false, None, process);
                vec![Stmt::branch(cond.at(state.span), yes, no)]
            }
            StateKind::CheckMoves(player) => {
                if let Some(next) = self.checked(state, player) {
                    return self.enter(next, Some(name), process);
                }
                let Some(number) = self.game.player(player) else {
                    return Vec::new();
                };
                let mut out = self.ask_moves(number, process.can, state.span);
                let can = Expr::local(process.can, Type::Bool, state.span);
                let yes = self.branch(name, true, None, process);
                let no = self.branch(name, false, None, process);
                out.push(Stmt::branch(can, yes, no));
                out
            }
        }
    }

    /// The `move` state whose decision is itself the test of moves, if the test leads straight to it.
    fn checked(&self, state: &'a State, player: &str) -> Option<&'a str> {
        let next = state.next.iter().find(|branch| branch.fits(Some(true)))?;
        let name = next.state.node.as_str();
        match &self.state(name)?.kind {
            StateKind::Move {
                player: mover,
                pass: Pass::Never,
            } if mover == player => Some(name),
            _ => None,
        }
    }

    fn branch(
        &mut self,
        name: &'a str,
        result: bool,
        won: Option<usize>,
        process: &mut Process<'a>,
    ) -> Block {
        let Some(state) = self.state(name) else {
            return Vec::new();
        };
        let next = state.next.iter().find(|branch| branch.fits(Some(result)));
        match next {
            Some(next) => self.pass_through(&next.state.node, won, process),
            None => Vec::new(),
        }
    }

    fn enter(
        &mut self,
        name: &'a str,
        check: Option<&'a str>,
        process: &mut Process<'a>,
    ) -> Block {
        let Some(node) = self.node(name, check, process) else {
            return Vec::new();
        };
        let next = &mut process.next[process.now];
        if !next.contains(&node) {
            next.push(node);
        }
        match (process.ordered, self.vars.phase) {
            (false, Some(phase)) => {
                let span = process.nodes[node].span;
                vec![self.set_phase(phase, node, span)]
            }
            _ => Vec::new(),
        }
    }

    fn set_phase(&self, phase: crate::ir::VarId, node: usize, span: Span) -> Stmt {
        let ty = self.b.game.var(phase).ty.clone();
        let value = Expr::constant(Const::Elem(node as u32), ty, span);
        Stmt::set_var(phase, Vec::new(), value)
    }

    /// The variable that names the state that waits for a move, if control alone does not say it or histories need it.
    fn declare_phase(&mut self, process: &Process<'a>) {
        if process.ordered && self.repetition().is_none() {
            return;
        }
        let span = self.span();
        let names = process.nodes.iter().map(|node| node.name.to_owned());
        let domain = self.b.names("Phase", super::unique(names.collect()), span);
        let ty = Type::Elem(domain);
        let phase = self.b.var("phase", Vec::new(), ty, Const::Elem(0), span);
        self.vars.phase = Some(phase);
        self.declare_trail();
    }

    pub(super) fn repetition(&self) -> Option<u32> {
        self.game.draws.as_ref()?.repetition
    }

    /// The history of positions: what stands where, as far as rules can tell it apart.
    fn declare_trail(&mut self) {
        let Some(rules) = &self.game.draws else {
            return;
        };
        if rules.repetition.is_none() {
            return;
        }
        let span = self.span();
        let cell = self.elem(LocalId(0), span);
        let content = self.content(cell.clone());
        let mut values = vec![content.clone()];
        for var in self.vars.moved.iter().chain(&self.vars.age) {
            values.push(Self::contains(cell.clone(), self.set_var(*var, span)));
        }
        let mut terms = vec![IdentityTerm::Each {
            domain: self.cell,
            when: content.is_some(),
            values,
        }];
        let numbers = [self.vars.phase, self.vars.clock];
        for var in numbers.into_iter().flatten() {
            terms.push(IdentityTerm::Value(self.set_var(var, span)));
        }
        let identity = self.b.identity(Identity {
            name: "position".to_owned(),
            terms,
        });
        let quiet = rules.no_progress.as_ref().map(|rule| rule.plies + 2);
        let most = rules.max_plies.map(|most| most.min(4096) + 2);
        let capacity = match (quiet, most) {
            (Some(quiet), _) if self.is_final() => quiet,
            (_, Some(most)) => most,
            _ => LONG_HISTORY,
        };
        self.b.game.trails.push(Trail {
            name: "history".to_owned(),
            identity,
            capacity,
        });
    }

    /// The body where nodes follow each other in one order.
    fn in_order(&mut self, process: &mut Process<'a>) -> Block {
        let mut order = vec![0];
        let mut again = None;
        loop {
            let last = order[order.len() - 1];
            let Some(next) = process.next[last].first().copied() else {
                break;
            };
            again = order.iter().position(|node| *node == next);
            if again.is_some() {
                break;
            }
            order.push(next);
        }
        let mut blocks = Vec::new();
        for node in order {
            blocks.push(self.node_body(node, process));
        }
        let span = self.span();
        let Some(again) = again else {
            return blocks.into_iter().flatten().collect();
        };
        let body: Block = blocks.split_off(again).into_iter().flatten().collect();
        let mut out: Block = blocks.into_iter().flatten().collect();
        out.push(forever(body, span));
        out
    }

    /// The body where a variable says which node is next.
    fn by_phase(&mut self, process: &mut Process<'a>) -> Block {
        let span = self.span();
        let mut body = Vec::new();
        for node in (0..process.nodes.len()).rev() {
            let block = self.node_body(node, process);
            let Some(phase) = self.vars.phase else {
                return block;
            };
            let ty = self.b.game.var(phase).ty.clone();
            let here = Expr::constant(Const::Elem(node as u32), ty, span);
            let cond = self.set_var(phase, span).equals(here);
            body = match node + 1 == process.nodes.len() {
                true => block,
                false => vec![Stmt::branch(cond, block, body)],
            };
        }
        vec![forever(body, span)]
    }

    /// A decision with all that follows it up to the next.
    fn node_body(&mut self, node: usize, process: &mut Process<'a>) -> Block {
        process.now = node;
        let (name, player, check) = {
            let node = &process.nodes[node];
            (node.name, node.player, node.check)
        };
        let span = process.nodes[node].span;
        let mut out = Vec::new();
        if let (true, Some(phase)) = (process.ordered, self.vars.phase) {
            out.push(self.set_phase(phase, node, span));
        }
        out.extend(self.draws(player, process.can, span));
        let otherwise = check.map(|check| self.branch(check, false, None, process));
        out.extend(self.decision(node, otherwise, process));
        let next = self.state(name).and_then(|state| state.next.first());
        if let Some(next) = next {
            out.extend(self.pass_through(&next.state.node, None, process));
        }
        out
    }

    /// The draws that are due on entering a `move` state.
    fn draws(&mut self, player: usize, can: LocalId, span: Span) -> Block {
        let mut out = Vec::new();
        let draw = |lower: &Self, reason: EndReason| {
            let winners = lower.players(&[], span);
            Stmt::new(StmtKind::End { reason, winners }, span)
        };
        let span_of = self.game.draws.as_ref().map_or(span, |rules| rules.span);
        if let Some(times) = self.repetition() {
            let trail = TrailId(0);
            out.push(Stmt::new(StmtKind::Note(trail), span_of));
            let seen = Expr::new(ExprKind::Seen(trail), Type::INT, span_of);
            let times = Expr::int(i64::from(times), span_of);
            let often = Expr::binary(BinaryOp::Ge, seen, times);
            out.push(Stmt::branch(often, vec![draw(self, EndReason::Draw)], Vec::new()));
        }
        let limits = [
            (self.vars.quiet, EndReason::Draw),
            (self.vars.plies, EndReason::Limit),
        ];
        for (var, reason) in limits {
            let Some(var) = var else { continue };
            let most = self.b.game.var(var).ty.int_range().map_or(0, |(_, hi)| hi);
            let most = Expr::int(most, span_of);
            let due = Expr::binary(BinaryOp::Ge, self.set_var(var, span_of), most);
            // A player without a move is no draw of this kind: the rules of the decision say what it is.
            let mut body = self.ask_moves(player, can, span_of);
            let able = Expr::local(can, Type::Bool, span_of);
            body.push(Stmt::branch(able, vec![draw(self, reason)], Vec::new()));
            out.push(Stmt::branch(due, body, Vec::new()));
        }
        out
    }

    fn players(&self, players: &[usize], span: Span) -> Expr {
        let domain = self.b.game.players;
        let mut members: Vec<u32> = players.iter().map(|player| *player as u32).collect();
        members.sort_unstable();
        members.dedup();
        Expr::constant(Const::Set(members), Type::Set(domain), span)
    }

    fn end(&self, winner: &Winner, won: Option<usize>, span: Span) -> Stmt {
        let winners: Vec<usize> = match winner {
            Winner::Tested => won.into_iter().collect(),
            Winner::Named(names) => {
                let numbers = names.iter().filter_map(|name| self.game.player(name));
                numbers.collect()
            }
        };
        let reason = match winners.is_empty() {
            true => EndReason::Draw,
            false => EndReason::Win,
        };
        let winners = self.players(&winners, span);
        Stmt::new(StmtKind::End { reason, winners }, span)
    }

    /// The number of the move grows: all ages do.
    fn next_move(&mut self, span: Span) -> Block {
        let mut out = Vec::new();
        let ages = self.vars.age.clone();
        for (number, var) in ages.iter().enumerate().rev() {
            let value = match number.checked_sub(1) {
                Some(younger) => self.set_var(ages[younger], span),
                None => self.empty_set(span),
            };
            out.push(Stmt::set_var(*var, Vec::new(), value));
        }
        if let Some(clock) = self.vars.clock {
            out.push(self.count_up(clock, span));
        }
        out
    }

    /// The decision of a node: a move, and the rest of its chain.
    fn decision(
        &mut self,
        node: usize,
        otherwise: Option<Block>,
        process: &mut Process<'a>,
    ) -> Block {
        let (player, pass, span) = {
            let node = &process.nodes[node];
            (node.player, node.pass, node.span)
        };
        let arms = self.arms[player].list.clone();
        let chains = self.chains(player);
        let mut out = Vec::new();
        if !chains.is_empty() {
            let none = Expr::none(self.cell, span);
            out.push(Stmt::assign(process.chain, none));
            out.push(Stmt::assign(process.rank, Expr::int(0, span)));
        }
        let mut choices: Vec<crate::ir::Arm> = Vec::new();
        for arm in &arms {
            choices.push(self.arm(arm, Expr::none(self.cell, span), process));
        }
        if pass != Pass::Never {
            let family = self.pass_family(pass);
            choices.push(crate::ir::Arm {
                family,
                given: Vec::new(),
                bind: Vec::new(),
                body: self.passed(span),
            });
        }
        let players = Expr::elem(self.b.game.players, player as u32, span);
        if choices.is_empty() {
            // A player who never has a figure cannot move.
            out.extend(otherwise.unwrap_or_else(|| {
                let winners = self.players(&[], span);
                let reason = EndReason::Stuck;
                vec![Stmt::new(StmtKind::End { reason, winners }, span)]
            }));
            return out;
        }
        let choose = Choose {
            players: players.clone(),
            arms: choices,
            otherwise,
        };
        out.push(Stmt::new(StmtKind::Choose(choose), span));
        if chains.is_empty() {
            return out;
        }
        out.push(self.chain(&arms, &chains, &players, process, span));
        out.extend(self.remove_doomed(process));
        out
    }

    /// Hops of the figure that moved, as long as it may.
    fn chain(
        &mut self,
        arms: &[Arm],
        chains: &[i64],
        players: &Expr,
        process: &Process<'a>,
        span: Span,
    ) -> Stmt {
        let chain = Expr::local(process.chain, Type::Opt(self.cell), span);
        let stop = vec![Stmt::assign(process.chain, Expr::none(self.cell, span))];
        let mut body: Block = Vec::new();
        for priority in chains {
            let mut choices = Vec::new();
            for arm in arms.iter().filter(|arm| arm.bound && arm.priority == *priority) {
                choices.push(self.arm(arm, chain.clone(), process));
            }
            let choose = Choose {
                players: players.clone(),
                arms: choices,
                otherwise: Some(stop.clone()),
            };
            let hop = Stmt::new(StmtKind::Choose(choose), span);
            if chains.len() == 1 {
                body.push(hop);
                continue;
            }
            let ty = process.f.get(process.rank).ty;
            let rank = Expr::local(process.rank, ty, span);
            let mine = rank.equals(Expr::int(*priority, span));
            body = vec![Stmt::branch(mine, vec![hop], body)];
        }
        let kind = StmtKind::While {
            cond: chain.is_some(),
            bound: u32::MAX,
            body,
        };
        Stmt::new(kind, span)
    }

    fn arm(&self, arm: &Arm, only: Expr, process: &Process<'a>) -> crate::ir::Arm {
        let span = only.span;
        let cell = Type::Elem(self.cell);
        let mut bind = vec![process.from, process.to];
        let mut args = vec![
            Expr::local(process.from, cell.clone(), span),
            Expr::local(process.to, cell, span),
        ];
        if let (Some(domain), Some(choice)) = (arm.choice, process.choice) {
            bind.push(choice);
            args.push(Expr::local(choice, Type::Elem(domain), span));
        }
        let mut body = Vec::new();
        let into = arm.continues.then_some(process.on);
        body.push(Stmt::call(arm.play, args, into, span));
        if arm.bound {
            let none = Expr::none(self.cell, span);
            let value = match arm.continues {
                true => {
                    let on = Expr::local(process.on, Type::Bool, span);
                    let to = Expr::local(process.to, Type::Elem(self.cell), span);
                    Expr::select(on, to.some(), none)
                }
                false => none,
            };
            body.push(Stmt::assign(process.chain, value));
            let rank = Expr::int(arm.priority, span);
            body.push(Stmt::assign(process.rank, rank));
        }
        crate::ir::Arm {
            family: arm.family,
            given: if arm.bound { vec![only] } else { Vec::new() },
            bind,
            body,
        }
    }

    /// What was taken in the chain leaves the board.
    fn remove_doomed(&mut self, process: &mut Process<'a>) -> Block {
        let Some(doomed) = self.vars.doomed else {
            return Vec::new();
        };
        let span = self.span();
        let cell = process.f.local("taken", Type::Elem(self.cell));
        let mut body = Vec::new();
        self.clear(&self.elem(cell, span), &mut body);
        let all = Over::Set(self.set_var(doomed, span));
        vec![
            Stmt::new(StmtKind::ForEach(cell, all, body), span),
            Stmt::set_var(doomed, Vec::new(), self.empty_set(span)),
        ]
    }

    fn passed(&self, span: Span) -> Block {
        let counters = [self.vars.plies, self.vars.quiet];
        let counters = counters.into_iter().flatten();
        counters.map(|var| self.count_up(var, span)).collect()
    }

    fn pass_family(&mut self, pass: Pass) -> FamilyId {
        let name = match pass {
            Pass::IfStuck => "pass if stuck",
            _ => "pass",
        };
        let known = self.b.game.families.iter().position(|family| family.name == name);
        if let Some(known) = known {
            return FamilyId::from(known);
        }
        let span = self.span();
        let rank = match pass {
            Pass::IfStuck => self.priorities().0 - 1,
            _ => 0,
        };
        let rank = self.has_ranks().then(|| {
            let value = Expr::int(rank, span);
            self.constant(&format!("rank {name}"), &[], value)
        });
        self.b.family(Family {
            name: name.to_owned(),
            context: Vec::new(),
            params: Vec::new(),
            guard: None,
            after: None,
            rank,
            class: Vec::new(),
            text: vec![TextPart::Text("pass".to_owned())],
            span,
        })
    }

    /// Statements that find out whether a player has a legal move, passing aside.
    fn ask_moves(&mut self, player: usize, into: LocalId, span: Span) -> Block {
        let func = self.can_move(player);
        vec![Stmt::call(func, Vec::new(), Some(into), span)]
    }

    fn can_move(&mut self, player: usize) -> FuncId {
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
            self.try_family(player, &arm, &mut f, &mut body);
        }
        body.push(Stmt::give(Expr::bool(false, span)));
        self.b.function(f.body(body))
    }

    /// Statements that give true if some move of a family is legal.
    fn try_family(&mut self, player: usize, arm: &Arm, f: &mut FunctionBuilder, out: &mut Block) {
        let span = self.span();
        let family = self.b.game.family(arm.family).clone();
        let cell = Type::Elem(self.cell);
        let none = Expr::none(self.cell, span);
        let given = || match arm.bound {
            true => vec![none.clone()],
            false => Vec::new(),
        };
        let from = f.local("from", cell.clone());
        let to = f.local("to", cell);
        let sources = match &family.params[0].source {
            crate::ir::ParamSource::Generated(func) => {
                Expr::call(&self.b.game, *func, given(), span)
            }
            _ => return,
        };
        let mut args = vec![self.elem(from, span), self.elem(to, span)];
        if let Some(domain) = arm.choice {
            let first = match &family.params[2].source {
                crate::ir::ParamSource::Among(among) => among.first().copied().unwrap_or(0),
                _ => 0,
            };
            args.push(Expr::elem(domain, first, span));
        }
        let yes = vec![Stmt::give(Expr::bool(true, span))];
        let mut test = match self.arms[player].after {
            None => yes,
            Some(after) => {
                let ok = f.local("ok", Type::Bool);
                let allowed = f.local("allowed", Type::Bool);
                let into = arm.continues.then(|| f.local("on", Type::Bool));
                let value = Expr::call(&self.b.game, after, Vec::new(), span);
                let trial = StmtKind::Trial {
                    body: vec![Stmt::call(arm.play, args.clone(), into, span)],
                    keep: false,
                    ok,
                    value: Some((value, allowed)),
                };
                let allowed = Expr::local(allowed, Type::Bool, span);
                vec![
                    Stmt::assign(
                        match allowed.kind {
                            ExprKind::Local(local) => local,
                            _ => ok,
                        },
                        Expr::bool(false, span),
                    ),
                    Stmt::new(trial, span),
                    Stmt::branch(allowed, yes, Vec::new()),
                ]
            }
        };
        if let Some(guard) = family.guard {
            let mut all = given();
            all.extend(args.iter().cloned());
            let cond = Expr::call(&self.b.game, guard, all, span);
            test = vec![Stmt::branch(cond, test, Vec::new())];
        }
        let mut targets = given();
        targets.push(self.elem(from, span));
        let loop_over_targets = match &family.params[1].source {
            crate::ir::ParamSource::Generated(func) => {
                let set = Expr::call(&self.b.game, *func, targets, span);
                vec![Stmt::new(StmtKind::ForEach(to, Over::Set(set), test), span)]
            }
            crate::ir::ParamSource::Is(value) => {
                let ExprKind::Lookup(table, _) = value.kind else {
                    return;
                };
                let found = self.lookup(table, vec![self.elem(from, span)], span);
                let mut block = vec![Stmt::assign(to, found.clone().get())];
                block.extend(test);
                vec![Stmt::branch(found.is_some(), block, Vec::new())]
            }
            _ => return,
        };
        let each = StmtKind::ForEach(from, Over::Set(sources), loop_over_targets);
        out.push(Stmt::new(each, span));
    }
}

/// Repeats a block until the game ends.
fn forever(body: Block, span: Span) -> Stmt {
    let kind = StmtKind::While {
        cond: Expr::bool(true, span),
        bound: u32::MAX,
        body,
    };
    Stmt::new(kind, span)
}
