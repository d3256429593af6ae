//! Conditions: who wins, who is out, who draws, after every action.

use super::super::ast::RuleKind;
use super::super::model::Rule;
use super::actions::last_param;
use super::effects::Mode;
use super::requirements::{all, any};
use super::{Env, Lower};
use crate::ir::{
    BinaryOp, Block, EndReason, Expr, ExprKind, Fold, FuncId, LocalId, Over, Stmt, StmtKind, Type,
};
use crate::source::Span;

impl<'a> Lower<'a> {
    /// The function that tests all conditions; nothing if there are none.
    pub(super) fn conditions(&mut self) -> Option<FuncId> {
        let model = self.model;
        let of = |kind: RuleKind| -> Vec<&'a Rule> {
            model
                .rules
                .iter()
                .filter(|rule| rule.kind == kind && self.inventory.can_apply(rule))
                .collect()
        };
        let (wins, losses, draws) = (of(RuleKind::Win), of(RuleKind::Lose), of(RuleKind::Draw));
        if wins.is_empty() && losses.is_empty() && draws.is_empty() {
            return None;
        }
        let span = model.span;
        let doc = "The conditions, after every action.";
        Some(
            self.function("conditions", &[], None, doc, span, |lower, _| {
                let mut body = Block::new();
                lower.wins(&wins, &mut body);
                for rule in losses {
                    lower.loss(rule, &mut body);
                }
                lower.draws(&draws, &mut body);
                if lower.ids.out.is_none() {
                    return body;
                }
                // Somebody goes out in every round but the last.
                body.push(Stmt::new(StmtKind::Break, span));
                vec![Stmt::new(
                    StmtKind::While {
                        cond: Expr::bool(true, span),
                        bound: lower.model.players.len() as u32 + 1,
                        body,
                    },
                    span,
                )]
            }),
        )
    }

    fn active(&self, span: Span) -> Expr {
        Expr::var(&self.out.game, self.ids.active, Vec::new(), span)
    }

    /// Whether a condition holds for a player.
    fn holds(&mut self, rule: &'a Rule, player: Expr) -> Expr {
        let env = Env {
            rule,
            player,
            params: Vec::new(),
            in_game: true,
        };
        self.holds_from(&env)
    }

    /// Whether there are values for the parameters that are not bound yet.
    fn holds_from(&mut self, env: &Env<'a>) -> Expr {
        let (rule, bound) = (env.rule, env.params.len());
        let mut tests = Vec::new();
        if bound > 0 {
            tests.extend(self.fresh(env, bound - 1));
        }
        for require in &rule.require {
            if last_param(require) == bound {
                tests.push(self.requirement(env, require));
            }
        }
        if let Some(param) = rule.params.get(bound) {
            let local = self.local(&param.name, Type::Elem(self.ids.object));
            let mut inner = env.clone();
            inner.params.push(self.get(local, rule.span));
            let test = self.holds_from(&inner);
            let over = Over::Set(self.slot_set(&self.inventory.of_type[param.ty], rule.span));
            tests.push(Expr::fold(Fold::Exists, local, over, test));
        }
        all(tests, rule.span)
    }

    /// The active players for whom a condition holds.
    fn holders(&mut self, span: Span, test: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        let players = self.players();
        let local = self.local("player", Type::Elem(players));
        let when = test(self, self.get(local, span));
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Set(self.active(span))),
            when: Box::new(when),
        };
        Expr::new(kind, Type::Set(players), span)
    }

    fn one(&self, player: Expr) -> Expr {
        let span = player.span;
        let kind = ExprKind::SetOf(vec![player]);
        Expr::new(kind, Type::Set(self.players()), span)
    }

    fn end(&self, reason: EndReason, winners: Expr) -> Stmt {
        let span = winners.span;
        Stmt::new(StmtKind::End { reason, winners }, span)
    }

    fn wins(&mut self, rules: &[&'a Rule], out: &mut Block) {
        let Some(first) = rules.first() else { return };
        let span = first.span;
        let any_of = |lower: &mut Self, player: Expr| {
            let tests = rules
                .iter()
                .map(|rule| lower.holds(rule, player.clone()).at(rule.span))
                .collect();
            any(tests, span)
        };
        if self.inventory.one_active {
            let player = self.active(span);
            let test = any_of(self, player.clone());
            let win = self.end(EndReason::Win, self.one(player));
            return out.push(Stmt::branch(test, vec![win], Block::new()));
        }
        let winners = self.holders(span, any_of);
        let winners = self.keep("winners", winners, out);
        let some = Expr::binary(BinaryOp::Ne, winners.clone(), self.nobody(span));
        let win = self.end(EndReason::Win, winners);
        out.push(Stmt::branch(some, vec![win], Block::new()));
    }

    fn loss(&mut self, rule: &'a Rule, out: &mut Block) {
        let span = rule.span;
        let mut gone_block = Block::new();
        if self.inventory.one_active {
            let player = self.active(span);
            let test = self.holds(rule, player.clone());
            if self.ids.out.is_none() {
                gone_block.push(self.last_one(player, span));
            } else {
                let gone = self.keep("gone", self.one(player), &mut gone_block);
                self.eliminate(rule, gone, &mut gone_block);
            }
            return out.push(Stmt::branch(test, gone_block, Block::new()));
        }
        let gone = self.holders(span, |lower, player| lower.holds(rule, player));
        let gone = self.keep("gone", gone, out);
        let some = Expr::binary(BinaryOp::Ne, gone.clone(), self.nobody(span));
        if self.ids.out.is_none() {
            let all = gone.clone().equals(self.all_seats(span));
            let rest = Expr::binary(BinaryOp::Minus, self.all_seats(span), gone);
            let nobody = match self.model.players.len() {
                1 => self.end(EndReason::Elimination, self.nobody(span)),
                _ => self.end(EndReason::Draw, self.nobody(span)),
            };
            let win = self.end(EndReason::Win, rest);
            gone_block.push(Stmt::branch(all, vec![nobody], vec![win]));
        } else {
            self.eliminate(rule, gone, &mut gone_block);
        }
        out.push(Stmt::branch(some, gone_block, Block::new()));
    }

    /// The end of a game of one or two players of whom this one loses.
    fn last_one(&mut self, player: Expr, span: Span) -> Stmt {
        match self.model.players.len() {
            1 => self.end(EndReason::Elimination, self.nobody(span)),
            _ => {
                let other = self.neighbour(player, true);
                self.end(EndReason::Win, self.one(other))
            }
        }
    }

    /// Puts players out; the game ends unless two are left.
    fn eliminate(&mut self, rule: &'a Rule, gone: Expr, out: &mut Block) {
        let span = rule.span;
        let Some(var) = self.ids.out else { return };
        let before = Expr::var(&self.out.game, var, Vec::new(), span);
        let after = Expr::binary(BinaryOp::Union, before.clone(), gone.clone());
        // Who goes out as one of the last draws, unless others went before them.
        let all_at_once = before.equals(self.nobody(span));
        let nobody = self.nobody(span);
        let drawers = Expr::select(all_at_once, nobody, gone.clone());
        let drawers = self.keep("drawers", drawers, out);
        out.push(Stmt::set_var(var, Vec::new(), after));
        let rest = self.keep("rest", self.everybody(span), out);
        let none = rest.clone().equals(self.nobody(span));
        // At the end nobody of those who went out is active.
        let over = match self.inventory.one_active {
            true => Expr::elem(self.players(), 0, span),
            false => Expr::binary(BinaryOp::Minus, self.active(span), gone.clone()),
        };
        let over = Stmt::set_var(self.ids.active, Vec::new(), over);
        let draw = vec![over.clone(), self.end(EndReason::Draw, drawers)];
        out.push(Stmt::branch(none, draw, Block::new()));
        let size = Expr::new(ExprKind::Size(Box::new(rest.clone())), Type::INT, span);
        let last = size.equals(Expr::int(1, span));
        let win = vec![over, self.end(EndReason::Win, rest)];
        out.push(Stmt::branch(last, win, Block::new()));
        self.go_on(gone.clone(), span, out);
        if !rule.effects.is_empty() && !rule.params.is_empty() && !self.inventory.one_active {
            self.losses_of_several(rule, &gone, out);
        } else if !rule.effects.is_empty() {
            let local = self.local("loser", Type::Elem(self.players()));
            let loser = self.get(local, span);
            let mut body = Block::new();
            let params = self.first_binding(rule, loser.clone(), &mut body);
            body.extend(self.loss_effects(rule, loser, params));
            out.push(Stmt::new(
                StmtKind::ForEach(local, Over::Set(gone), body),
                span,
            ));
        }
        out.push(Stmt::new(StmtKind::Continue, span));
    }

    /// Takes players who went out from the active ones.
    fn go_on(&mut self, gone: Expr, span: Span, out: &mut Block) {
        let players = self.players();
        let local = self.local("player", Type::Elem(players));
        let seat = self.get(local, span).ordinal();
        let last = Expr::fold(Fold::Max, local, Over::Set(gone.clone()), seat);
        let last = last.member(players).get();
        let next = self.neighbour(last, true);
        if self.inventory.one_active {
            return out.push(Stmt::set_var(self.ids.active, Vec::new(), next));
        }
        let left = Expr::binary(BinaryOp::Minus, self.active(span), gone);
        let left = self.keep("left", left, out);
        let none = left.clone().equals(self.nobody(span));
        let next = vec![Stmt::set_var(self.ids.active, Vec::new(), self.one(next))];
        let stay = vec![Stmt::set_var(self.ids.active, Vec::new(), left)];
        out.push(Stmt::branch(none, next, stay));
    }

    /// The effects of a lose condition for all who lose at once: what fulfils it for each of them is found before the first
    /// effect of any.
    fn losses_of_several(&mut self, rule: &'a Rule, gone: &Expr, out: &mut Block) {
        let span = rule.span;
        let (players, object) = (self.players(), self.ids.object);
        let mut params = vec![("loser", Type::Elem(players))];
        let names = rule.params.iter().map(|param| param.name.as_str());
        params.extend(names.map(|name| (name, Type::Elem(object))));
        let name = format!("{} effects", rule.name);
        let doc = "What a condition does to who fulfils it.";
        let effects = self.function(&name, &params, None, doc, span, |lower, args| {
            lower.loss_effects(rule, args[0].clone(), args[1..].to_vec())
        });
        let mut calls = Block::new();
        for seat in 0..self.model.players.len() as u32 {
            let player = Expr::elem(players, seat, span);
            let lost = Expr::binary(BinaryOp::In, player.clone(), gone.clone());
            let found: Vec<LocalId> = rule
                .params
                .iter()
                .map(|param| self.local(&param.name, Type::Opt(object)))
                .collect();
            for &local in &found {
                out.push(Stmt::assign(local, Expr::none(object, span)));
            }
            let mut body = Block::new();
            let values = self.first_binding(rule, player.clone(), &mut body);
            let keep = |(&local, value): (&LocalId, Expr)| Stmt::assign(local, value.some());
            body.extend(found.iter().zip(values).map(keep));
            out.push(Stmt::branch(lost.clone(), body, Block::new()));
            let args = found.iter().map(|&local| self.get(local, span).get());
            let args = std::iter::once(player).chain(args).collect();
            let call = Stmt::call(effects, args, None, span);
            calls.push(Stmt::branch(lost, vec![call], Block::new()));
        }
        out.append(&mut calls);
    }

    /// The values of the parameters of a rule that fulfil it first.
    fn first_binding(&mut self, rule: &'a Rule, player: Expr, out: &mut Block) -> Vec<Expr> {
        let mut env = Env {
            rule,
            player,
            params: Vec::new(),
            in_game: false,
        };
        let span = rule.span;
        let object = self.ids.object;
        for param in &rule.params {
            let local = self.local(&param.name, Type::Elem(object));
            let mut inner = env.clone();
            inner.params.push(self.get(local, span));
            let when = self.holds_from(&inner);
            let over = Over::Set(self.slot_set(&self.inventory.of_type[param.ty], span));
            let kind = ExprKind::First {
                local,
                over: Box::new(over),
                when: Box::new(when),
            };
            let first = Expr::new(kind, Type::Opt(object), span).get();
            let value = self.keep(&param.name, first, out);
            env.params.push(value);
        }
        env.params
    }

    /// The effects of a lose condition for a player.
    fn loss_effects(&mut self, rule: &'a Rule, loser: Expr, params: Vec<Expr>) -> Block {
        let mut out = Block::new();
        let bound = self.bind_marks(rule, &params, &mut out);
        let env = Env {
            rule,
            player: loser,
            params: bound.unwrap_or(params),
            in_game: false,
        };
        out.extend(self.effects(&env, &rule.effects, Mode::Play));
        self.clear_marks(rule, &mut out);
        out
    }

    fn draws(&mut self, rules: &[&'a Rule], out: &mut Block) {
        let Some(first) = rules.first() else { return };
        let span = first.span;
        let any_of = |lower: &mut Self, player: Expr| {
            let tests = rules
                .iter()
                .map(|rule| lower.holds(rule, player.clone()).at(rule.span))
                .collect();
            any(tests, span)
        };
        let test = match self.inventory.one_active {
            true => any_of(self, self.active(span)),
            false => {
                let holders = self.holders(span, any_of);
                Expr::binary(BinaryOp::Ne, holders, self.nobody(span))
            }
        };
        let nobody = self.nobody(span);
        let winners = self.drawers(span).unwrap_or(nobody);
        let draw = self.end(EndReason::Draw, winners);
        out.push(Stmt::branch(test, vec![draw], Block::new()));
    }
}
