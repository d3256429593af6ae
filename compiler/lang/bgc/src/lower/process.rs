//! The course of a game: states, chains, draws.

use super::Lower;
use super::moves::Arm;
use crate::ast::{Pass, State, StateKind, Winner};
use crate::ir::builder::FunctionBuilder;
use crate::ir::{
    BinaryOp, Block, Choose, Const, EndReason, Expr, ExprKind, Family, FamilyId, LocalId, Over,
    Stmt, StmtKind, TextPart, TrailId, Type,
};
use crate::source::Span;

/// A place where a player decides.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    /// The `move` state.
    pub(super) name: &'a str,
    pub(super) player: usize,
    pub(super) pass: Pass,
    /// The state of type `check_moves` that leads here: what happens if there is no move.
    pub(super) check: Option<&'a str>,
    span: Span,
}

/// The process under construction.
struct Process {
    f: FunctionBuilder,
    from: LocalId,
    to: LocalId,
    choice: Option<LocalId>,
    on: LocalId,
    can: LocalId,
}

impl<'a> Lower<'a> {
    /// Makes the process of the game: one decision, again and again; variables say whose it is.
    pub(super) fn process(&mut self) {
        let span = self.span();
        let cell = Type::Elem(self.cell);
        let mut f = FunctionBuilder::new("play", None, span).doc("The course of a game.");
        let from = f.local("from", cell.clone());
        let to = f.local("to", cell);
        let on = f.local("on", Type::Bool);
        let can = f.local("can", Type::Bool);
        let domains = &self.b.game.domains;
        let figures = domains.iter().position(|domain| domain.name == "Figure");
        let choice = figures.map(|figures| f.local("choice", Type::Elem(figures.into())));
        let mut process = Process {
            f,
            from,
            to,
            choice,
            on,
            can,
        };
        let mut body = self.draws(&mut process);
        body.extend(self.decision(&mut process));
        let chains = self.vars.chain;
        if let Some(chain) = chains {
            let goes_on = self.set_var(chain, span).is_some();
            let again = vec![Stmt::new(StmtKind::Continue, span)];
            body.push(Stmt::branch(goes_on, again, Vec::new()));
            body.extend(self.remove_doomed(&mut process));
        }
        body.extend(self.crown());
        body.extend(self.by_node(&mut process, &mut |lower, node, process| {
            let state = lower.state(node.name);
            let next = state.and_then(|state| state.next.iter().find(|branch| branch.fits(None)));
            match next {
                Some(next) => lower.pass_through(&next.state.node, None, process),
                None => Vec::new(),
            }
        }));
        let mut whole = self.ask_at_start(process.can);
        whole.push(forever(body, span));
        let body = whole;
        self.b.game.process = self.b.function(process.f.body(body));
    }

    /// Ends the game before the first decision if that has no move.
    fn ask_at_start(&mut self, can: LocalId) -> Block {
        let Some(player) = self.asks_at_start else {
            return Vec::new();
        };
        let span = self.nodes[0].span;
        let winners = self.players(&[], span);
        let reason = EndReason::Stuck;
        let stuck = vec![Stmt::new(StmtKind::End { reason, winners }, span)];
        let mut out = self.ask_moves(player, can, span);
        let able = Expr::local(can, Type::Bool, span);
        out.push(Stmt::branch(able.not(), stuck, Vec::new()));
        out
    }

    /// Statements for each node, chosen by the variable that says which one it is.
    fn by_node(
        &mut self,
        process: &mut Process,
        make: &mut dyn FnMut(&mut Self, &Node<'a>, &mut Process) -> Block,
    ) -> Block {
        let span = self.span();
        let mut out: Option<Block> = None;
        for (number, node) in self.nodes.clone().iter().enumerate().rev() {
            let block = make(self, node, process);
            out = Some(match out {
                None => block,
                Some(rest) if rest == block => rest,
                Some(rest) => vec![Stmt::branch(self.is_phase(number, span), block, rest)],
            });
        }
        out.unwrap_or_default()
    }

    /// Whether the game is at a node.
    pub(super) fn is_phase(&self, node: usize, span: Span) -> Expr {
        match self.vars.phase {
            Some(phase) => {
                let ty = self.b.game.var(phase).ty.clone();
                let here = Expr::constant(Const::Elem(node as u32), ty, span);
                self.set_var(phase, span).equals(here)
            }
            None => Expr::bool(true, span),
        }
    }

    /// Whether one of some nodes is the present one.
    pub(super) fn is_one_of(&self, wanted: impl Fn(&Node<'a>) -> bool, span: Span) -> Expr {
        let nodes = self.nodes.iter().enumerate();
        let tests = nodes.filter(|(_, node)| wanted(node));
        let any = tests
            .map(|(node, _)| self.is_phase(node, span))
            .reduce(Expr::or);
        any.unwrap_or_else(|| Expr::bool(false, span))
    }

    pub(super) fn priorities(&self) -> (i64, i64) {
        let programs = self.programs.iter().flatten();
        let all = programs.map(|program| program.priority).chain([0]);
        all.fold((0, 0), |(lo, hi), p| (lo.min(p), hi.max(p)))
    }

    fn state(&self, name: &str) -> Option<&'a State> {
        self.game.states.get(name)
    }

    /// Finds all places of decision, and declares the variables that tell them apart.
    pub(super) fn declare_nodes(&mut self) {
        let start = self.game.initial_state.node.as_str();
        self.find_nodes(start, None);
        self.begin_tested(start);
        let span = self.span();
        let names = self.nodes.iter().map(|node| node.name.to_owned());
        let names = super::unique(names.collect());
        let domain = self.b.names("Phase", names, span);
        let ty = Type::Elem(domain);
        let phase = self.b.var("phase", Vec::new(), ty, Const::Elem(0), span);
        self.vars.phase = Some(phase);
        let chains: Vec<i64> = (0..self.game.players.len())
            .flat_map(|player| self.chains(player))
            .collect();
        if chains.is_empty() {
            return;
        }
        let ty = Type::Opt(self.cell);
        self.vars.chain = Some(self.b.var("chain", Vec::new(), ty, Const::None, span));
        let (lo, hi) = self.priorities();
        let ty = Type::Int { lo, hi };
        if chains.iter().any(|priority| *priority != chains[0]) {
            self.vars.rank = Some(self.b.var("rank", Vec::new(), ty, Const::Int(0), span));
        }
    }

    /// Finds all places of decision that a first one leads to.
    pub(super) fn find_nodes(&mut self, start: &'a str, check: Option<&'a str>) {
        self.nodes.clear();
        self.add_node(start, check);
        let mut at = 0;
        while at < self.nodes.len() {
            let (name, check) = (self.nodes[at].name, self.nodes[at].check);
            let state = self.state(name);
            let next = state.and_then(|state| state.next.iter().find(|branch| branch.fits(None)));
            if let Some(next) = next {
                self.follow(&next.state.node, false);
            }
            if let Some(check) = check {
                self.follow_branch(check, false, false);
            }
            at += 1;
        }
    }

    /// Finds the nodes that a state leads to; `won` tells that some player has passed a test on the way.
    fn follow(&mut self, name: &'a str, won: bool) {
        let Some(state) = self.state(name) else {
            return;
        };
        match &state.kind {
            StateKind::Move { .. } => {
                self.add_node(name, None);
            }
            StateKind::End(_) => {}
            StateKind::NextMove => {
                if let Some(next) = state.next.iter().find(|branch| branch.fits(None)) {
                    self.follow(&next.state.node, won);
                }
            }
            StateKind::CheckMoves(player) if !won && self.checked(state, player).is_some() => {
                if let Some(next) = self.checked(state, player) {
                    self.add_node(next, Some(name));
                }
            }
            StateKind::CheckMoves(player) if !won && self.won_between(state, player).is_some() => {
                if let Some((win, next)) = self.won_between(state, player) {
                    self.follow_branch(win, true, true);
                    self.add_node(next, Some(name));
                }
            }
            StateKind::CheckWin(_) => {
                self.follow_branch(name, true, true);
                self.follow_branch(name, false, false);
            }
            StateKind::CheckMoves(_) => {
                self.follow_branch(name, true, won);
                self.follow_branch(name, false, won);
            }
        }
    }

    fn follow_branch(&mut self, name: &'a str, result: bool, won: bool) {
        let next = self
            .state(name)
            .and_then(|state| state.next.iter().find(|branch| branch.fits(Some(result))));
        if let Some(next) = next {
            self.follow(&next.state.node, won);
        }
    }

    fn add_node(&mut self, name: &'a str, check: Option<&'a str>) -> Option<usize> {
        let same = |node: &Node<'_>| node.name == name && node.check == check;
        if let Some(known) = self.nodes.iter().position(same) {
            return Some(known);
        }
        let state = self.state(name)?;
        let StateKind::Move { player, pass } = &state.kind else {
            return None;
        };
        self.nodes.push(Node {
            name,
            player: self.game.player(player)?,
            pass: *pass,
            check,
            span: state.span,
        });
        Some(self.nodes.len() - 1)
    }

    /// What happens on entering a state, up to the next decision.
    fn pass_through(&mut self, name: &'a str, won: Option<usize>, process: &mut Process) -> Block {
        let Some(state) = self.state(name) else {
            return Vec::new();
        };
        match &state.kind {
            StateKind::Move { .. } => self.enter(name, None),
            StateKind::End(winner) => vec![self.end(winner, won, state.span)],
            StateKind::NextMove => {
                let mut out = self.next_move(state.span);
                if let Some(next) = state.next.iter().find(|branch| branch.fits(None)) {
                    out.extend(self.pass_through(&next.state.node, won, process));
                }
                out
            }
            StateKind::CheckWin(_) => {
                let no = self.branch(name, false, None, process);
                self.check_win(name, no, process)
            }
            StateKind::CheckMoves(player) => {
                let merged = self.checked(state, player).filter(|_| won.is_none());
                if let Some(next) = merged {
                    return self.enter(next, Some(name));
                }
                let between = self.won_between(state, player).filter(|_| won.is_none());
                if let Some((win, next)) = between {
                    let no = self.enter(next, Some(name));
                    return self.check_win(win, no, process);
                }
                let Some(number) = self.game.player(player) else {
                    return Vec::new();
                };
                let mut out = self.ask_moves(number, process.can, state.span);
                let can = Expr::local(process.can, Type::Bool, state.span);
                let yes = self.branch(name, true, won, process);
                let no = self.branch(name, false, won, process);
                out.push(Stmt::branch(can, yes, no));
                out
            }
        }
    }

    /// Whether a player has won, and what happens if not.
    fn check_win(&mut self, name: &'a str, no: Block, process: &mut Process) -> Block {
        let Some(state) = self.state(name) else {
            return Vec::new();
        };
        let StateKind::CheckWin(player) = &state.kind else {
            return Vec::new();
        };
        let number = self.game.player(player);
        let checks = self.game.win.get(player.as_str()).map_or(&[][..], |c| c);
        let cond = self.some_check(checks, &mut process.f);
        let yes = self.branch(name, true, number, process);
        vec![Stmt::branch(cond.at(state.span), yes, no)]
    }

    /// The `move` state whose decision is itself the test of moves, and the test whether somebody has won that stands between them:
    /// where both tests end the game alike, the other one may as well be asked first.
    fn won_between(&self, state: &'a State, player: &str) -> Option<(&'a str, &'a str)> {
        if self.game.draws.is_some() {
            return None;
        }
        let after = |state: &'a State, result| {
            let next = state.next.iter().find(|branch| branch.fits(Some(result)))?;
            let name = next.state.node.as_str();
            Some((name, self.state(name)?))
        };
        let (name, between) = after(state, true)?;
        let StateKind::CheckWin(winner) = &between.kind else {
            return None;
        };
        let winners = |end: &State, won: Option<usize>| match &end.kind {
            StateKind::End(winner) => Some(self.winners(winner, won)),
            _ => None,
        };
        let stuck = winners(after(state, false)?.1, None)?;
        let won = winners(after(between, true)?.1, self.game.player(winner))?;
        let next = self.checked_by(between, false, player)?;
        (stuck == won).then_some((name, next))
    }

    /// The `move` state whose decision is itself the test of moves, if the test leads straight to it.
    fn checked(&self, state: &'a State, player: &str) -> Option<&'a str> {
        self.checked_by(state, true, player)
    }

    /// The state in which this player must move to which a result of a test leads.
    fn checked_by(&self, state: &'a State, result: bool, player: &str) -> Option<&'a str> {
        let next = state.next.iter().find(|branch| branch.fits(Some(result)))?;
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
        process: &mut Process,
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

    fn enter(&mut self, name: &'a str, check: Option<&'a str>) -> Block {
        let (Some(node), Some(phase)) = (self.add_node(name, check), self.vars.phase) else {
            return Vec::new();
        };
        let ty = self.b.game.var(phase).ty.clone();
        let value = Expr::constant(Const::Elem(node as u32), ty, self.nodes[node].span);
        vec![Stmt::set_var(phase, Vec::new(), value)]
    }

    /// The draws that are due on entering a `move` state.
    fn draws(&mut self, process: &mut Process) -> Block {
        let Some(rules) = &self.game.draws else {
            return Vec::new();
        };
        let span = rules.span;
        let mut out = Vec::new();
        let draw = |lower: &Self, reason: EndReason| {
            let winners = lower.players(&[], span);
            Stmt::new(StmtKind::End { reason, winners }, span)
        };
        if let (Some(times), Some(switch)) = (self.repetition(), self.switches.repetition) {
            let trail = TrailId(0);
            let note = Stmt::new(StmtKind::Note(trail), span);
            let seen = Expr::new(ExprKind::Seen(trail), Type::INT, span);
            let times = Expr::int(i64::from(times), span);
            let often = Expr::binary(BinaryOp::Ge, seen, times);
            let body = vec![draw(self, EndReason::Draw)];
            let body = vec![note, Stmt::branch(often, body, Vec::new())];
            let on = self.set_var(switch, span);
            out.push(Stmt::branch(on, body, Vec::new()));
        }
        let limits = [
            (self.vars.quiet, self.switches.no_progress, EndReason::Draw),
            (self.vars.plies, self.switches.max_plies, EndReason::Limit),
        ];
        for (var, switch, reason) in limits {
            let Some((var, switch)) = var.zip(switch) else {
                continue;
            };
            let most = self.b.game.var(var).ty.int_range().map_or(0, |(_, hi)| hi);
            let most = Expr::int(most, span);
            let due = Expr::binary(BinaryOp::Ge, self.set_var(var, span), most);
            let due = self.set_var(switch, span).and(due);
            // A player without a move is no draw of this kind: the rules of the decision say what it is.
            let mut body = self.by_node(process, &mut |lower, node, process| match node.pass {
                Pass::Never => lower.ask_moves(node.player, process.can, span),
                Pass::Always | Pass::IfStuck => {
                    vec![Stmt::assign(process.can, Expr::bool(true, span))]
                }
            });
            let able = Expr::local(process.can, Type::Bool, span);
            body.push(Stmt::branch(able, vec![draw(self, reason)], Vec::new()));
            out.push(Stmt::branch(due, body, Vec::new()));
        }
        let Some(chain) = self.vars.chain else {
            return out;
        };
        let fresh = self.set_var(chain, span).is_some().not();
        vec![Stmt::branch(fresh, out, Vec::new())]
    }

    fn players(&self, players: &[usize], span: Span) -> Expr {
        let domain = self.b.game.players;
        let mut members: Vec<u32> = players.iter().map(|player| *player as u32).collect();
        members.sort_unstable();
        members.dedup();
        Expr::constant(Const::Set(members), Type::Set(domain), span)
    }

    fn end(&self, winner: &Winner, won: Option<usize>, span: Span) -> Stmt {
        let winners = self.winners(winner, won);
        let reason = match winners.is_empty() {
            true => EndReason::Draw,
            false => EndReason::Win,
        };
        let winners = self.players(&winners, span);
        Stmt::new(StmtKind::End { reason, winners }, span)
    }

    /// Who wins in an end to which `won` leads by a test.
    fn winners(&self, winner: &Winner, won: Option<usize>) -> Vec<usize> {
        match winner {
            Winner::Tested => won.into_iter().collect(),
            Winner::Named(names) => {
                let numbers = names.iter().filter_map(|name| self.game.player(name));
                numbers.collect()
            }
        }
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

    /// The decision: all families of all players; those of others have no moves.
    fn decision(&mut self, process: &mut Process) -> Block {
        let span = self.span();
        let mut arms: Vec<crate::ir::Arm> = Vec::new();
        for player in 0..self.arms.len() {
            for arm in self.arms[player].list.clone() {
                arms.push(self.arm(&arm, process, span));
            }
        }
        for pass in [Pass::Always, Pass::IfStuck] {
            if self.nodes.iter().any(|node| node.pass == pass) {
                arms.push(crate::ir::Arm {
                    family: self.pass_family(pass),
                    given: Vec::new(),
                    bind: Vec::new(),
                    body: self.passed(span),
                });
            }
        }
        let stuck = |lower: &Self, span: Span| {
            let winners = lower.players(&[], span);
            let reason = EndReason::Stuck;
            Stmt::new(StmtKind::End { reason, winners }, span)
        };
        if arms.is_empty() {
            return vec![stuck(self, span)];
        }
        let checked = self.nodes.iter().any(|node| node.check.is_some());
        let otherwise = (checked || self.vars.chain.is_some()).then(|| {
            let mut block = self.by_node(process, &mut |lower, node, process| {
                let Some(check) = node.check else {
                    return vec![stuck(lower, node.span)];
                };
                let mut block = lower.branch(check, false, None, process);
                block.push(Stmt::new(StmtKind::Continue, node.span));
                block
            });
            if let Some(chain) = self.vars.chain {
                let none = Expr::none(self.cell, span);
                let stop = vec![Stmt::set_var(chain, Vec::new(), none)];
                let on = self.set_var(chain, span).is_some();
                block = vec![Stmt::branch(on, stop, block)];
            }
            block
        });
        let choose = Choose {
            players: self.mover(span),
            arms,
            otherwise,
        };
        vec![Stmt::new(StmtKind::Choose(choose), span)]
    }

    /// The player to move.
    fn mover(&mut self, span: Span) -> Expr {
        let players = self.b.game.players;
        let of = |node: &Node<'_>| Const::Elem(node.player as u32);
        let values: Vec<Const> = self.nodes.iter().map(of).collect();
        let Some(phase) = self.vars.phase else {
            return Expr::elem(players, 0, span);
        };
        let Type::Elem(domain) = self.b.game.var(phase).ty else {
            return Expr::elem(players, 0, span);
        };
        let table = self.b.table(crate::ir::Table {
            name: "mover".to_owned(),
            axes: vec![crate::ir::Axis::Domain(domain)],
            ty: Type::Elem(players),
            values,
            outside: None,
            span,
        });
        self.lookup(table, vec![self.set_var(phase, span)], span)
    }

    fn arm(&self, arm: &Arm, process: &Process, span: Span) -> crate::ir::Arm {
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
        let into = arm.continues.then_some(process.on);
        let mut body = vec![Stmt::call(arm.play, args, into, span)];
        if let (Some(chain), true) = (self.vars.chain, arm.bound) {
            let none = Expr::none(self.cell, span);
            let value = match arm.continues {
                true => {
                    let on = Expr::local(process.on, Type::Bool, span);
                    let to = Expr::local(process.to, Type::Elem(self.cell), span);
                    Expr::select(on, to.some(), none)
                }
                false => none,
            };
            body.push(Stmt::set_var(chain, Vec::new(), value));
            if let Some(rank) = self.vars.rank {
                let value = Expr::int(arm.priority, span);
                body.push(Stmt::set_var(rank, Vec::new(), value));
            }
        }
        crate::ir::Arm {
            family: arm.family,
            given: Vec::new(),
            bind,
            body,
        }
    }

    /// What was taken in the chain leaves the board.
    fn remove_doomed(&mut self, process: &mut Process) -> Block {
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

    /// The figure that was to become another one at the end of the chain does.
    fn crown(&self) -> Block {
        let Some((cell, kind)) = self.vars.crown else {
            return Vec::new();
        };
        let span = self.span();
        let (crowned, new) = (self.set_var(cell, span), self.set_var(kind, span));
        let nowhere = Expr::elem(self.cell, 0, span);
        let or_else = ExprKind::OrElse(Box::new(crowned.clone()), Box::new(nowhere));
        let place = Expr::new(or_else, Type::Elem(self.cell), span);
        let mut body = vec![Stmt::new(
            StmtKind::SetContent(self.board, place, new),
            span,
        )];
        body.push(Stmt::set_var(cell, Vec::new(), Expr::none(self.cell, span)));
        body.push(Stmt::set_var(kind, Vec::new(), Expr::none(self.kind, span)));
        vec![Stmt::branch(crowned.is_some(), body, Vec::new())]
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
        let known = self
            .b
            .game
            .families
            .iter()
            .position(|family| family.name == name);
        if let Some(known) = known {
            return FamilyId::from(known);
        }
        let span = self.span();
        let rank = self.has_ranks().then(|| match pass {
            Pass::IfStuck => {
                let value = Expr::int(self.rank_of(self.priorities().0) - 1, span);
                self.constant(&format!("rank {name}"), &[], value)
            }
            _ => self.rank_of_passing(span),
        });
        let mut may = self.is_one_of(|node| node.pass == pass, span);
        if let Some(chain) = self.vars.chain {
            may = may.and(self.set_var(chain, span).is_some().not());
        }
        let guard = self.constant(&format!("may {name}"), &[], may);
        self.b.family(Family {
            name: name.to_owned(),
            context: Vec::new(),
            params: Vec::new(),
            guard: Some(guard),
            after: None,
            effect: None,
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
