//! Whether a move is one of a rule.

use super::super::Lower;
use super::super::infer::{Abs, FULL};
use super::super::names::{Dom, Matches};
use super::super::tables::Key;
use super::super::value::Val;
use super::{Plan, Tests, Triple};
use crate::ast::IntPattern;
use crate::ir::{BinaryOp as Ir, Block, Const, Expr, FuncId, LocalId, Stmt, StmtKind, Type};
use crate::source::Span;

impl<'a> Lower<'a> {
    /// The value of a variable of a pattern for the member in a local variable.
    fn pattern_value(
        &mut self,
        matches: &Matches,
        at: usize,
        dom: Dom,
        local: LocalId,
        span: Span,
    ) -> Expr {
        let table = match matches.places[at] {
            Some(place) => self.index_table(dom, place),
            None => {
                let mut values = vec![Const::Int(0); self.names.count(dom)];
                for (member, bound) in &matches.members {
                    values[*member as usize] = Const::Int(i64::from(bound[at]));
                }
                let shown: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                let key = Key::Pattern(dom, matches.vars[at].clone(), shown.join(" "));
                let name = format!("{} of {}", matches.vars[at], dom.name());
                self.given(key, &name, dom, Type::Wrap32, values, span)
            }
        };
        Expr::lookup(&self.out.game, table, vec![self.get(local, span)], span)
    }

    /// Binds the variables of a pattern; one that is bound already must have the same value.
    pub(super) fn bind(
        &mut self,
        matches: &Matches,
        dom: Dom,
        local: LocalId,
        span: Span,
        tests: &mut Tests,
        out: &mut Block,
    ) {
        for (at, var) in matches.vars.iter().enumerate() {
            let value = self.pattern_value(matches, at, dom, local, span);
            self.bind_value(var, value, span, tests, out);
        }
    }

    pub(super) fn bind_value(
        &mut self,
        var: &str,
        value: Expr,
        span: Span,
        tests: &mut Tests,
        out: &mut Block,
    ) {
        match tests.bound.get(var) {
            Some(bound) => tests.conditions.push(bound.clone().equals(value).at(span)),
            None => {
                self.assign_var(var, Val::Int(value.clone()), span, out);
                tests.bound.insert(var.to_owned(), value);
            }
        }
    }

    /// Tests whether a member is one of those that a pattern matches.
    fn is_among(&self, matches: &Matches, dom: Dom, local: LocalId, span: Span, tests: &mut Tests) {
        if matches.members.len() < self.names.count(dom) {
            let set = Const::Set(matches.numbers());
            let set = Expr::constant(set, Type::Set(dom.id()), span);
            tests
                .conditions
                .push(Expr::binary(Ir::In, self.get(local, span), set).at(span));
        }
    }

    /// Binds and tests everything of a rule that does not depend on the target.
    pub(super) fn match_source(
        &mut self,
        plan: &Plan<'a>,
        (element, from): (LocalId, LocalId),
        tests: &mut Tests,
        out: &mut Block,
    ) {
        let rule = plan.rule;
        self.bind(
            &plan.element,
            Dom::Element,
            element,
            rule.element.span,
            tests,
            out,
        );
        self.bind(&plan.from, Dom::Location, from, rule.from.span, tests, out);
        self.is_among(&plan.from, Dom::Location, from, rule.from.span, tests);
    }

    /// Binds and tests `state=` and `player=`; what fails before them gives `failed`.
    pub(super) fn match_numbers(
        &mut self,
        plan: &Plan<'a>,
        element: LocalId,
        tests: &mut Tests,
        failed: &Expr,
        out: &mut Block,
    ) {
        let rule = plan.rule;
        for (pattern, is_state) in [(&rule.state, true), (&rule.player, false)] {
            let Some(pattern) = pattern else { continue };
            let span = match pattern {
                IntPattern::Bind(var) => var.span,
                IntPattern::Equals(expr) => expr.span,
            };
            let value = match is_state {
                true => {
                    let element = self.get(element, span);
                    Expr::var(&self.out.game, self.ids.state, vec![element], span).to_wrap()
                }
                false => self.player_number(span),
            };
            match pattern {
                IntPattern::Bind(var) => self.bind_value(&var.node, value, span, tests, out),
                IntPattern::Equals(expr) => {
                    let mut block = Block::new();
                    let wanted = self.any(expr, &mut block);
                    if !block.is_empty() {
                        self.leave_unless(tests, failed, span, out);
                        out.append(&mut block);
                    }
                    let abs = self.types.of(expr);
                    let value = (Val::Int(value), &Abs::int(FULL));
                    let same = self.same(value, (wanted, &abs), span, out);
                    tests.conditions.push(same);
                }
            }
        }
    }

    pub(super) fn leave_unless(
        &mut self,
        tests: &mut Tests,
        failed: &Expr,
        span: Span,
        out: &mut Block,
    ) {
        if let Some(test) = tests.take() {
            let leave = vec![Stmt::give(failed.clone())];
            out.push(Stmt::branch(test.not().at(span), leave, Block::new()));
        }
    }

    /// The body of a function that tells whether a rule matches a move.
    pub(super) fn match_move(
        &mut self,
        plan: &Plan<'a>,
        triple: Triple,
        all: bool,
        out: &mut Block,
    ) {
        let (rule, span) = (plan.rule, plan.rule.span);
        let mut tests = Tests::default();
        let failed = Expr::bool(false, span);
        self.match_source(plan, (triple.element, triple.from), &mut tests, out);
        if all {
            self.is_among(
                &plan.element,
                Dom::Element,
                triple.element,
                span,
                &mut tests,
            );
        }
        self.bind(
            &plan.to,
            Dom::Location,
            triple.to,
            rule.to.span,
            &mut tests,
            out,
        );
        if all || plan.targets.is_some() {
            self.is_among(&plan.to, Dom::Location, triple.to, rule.to.span, &mut tests);
        }
        self.match_numbers(plan, triple.element, &mut tests, &failed, out);
        let to = self.get(triple.to, rule.to.span);
        let content = Expr::content(&self.out.game, self.ids.at, to);
        tests
            .conditions
            .push(content.is_some().not().at(rule.to.span));
        if let Some(targets) = plan.targets.filter(|_| all) {
            self.leave_unless(&mut tests, &failed, span, out);
            self.is_target(targets, triple, &mut tests, span, out);
        }
        let mut block = Block::new();
        let condition = match &rule.condition {
            Some(condition) => self.is_true(condition, &mut block),
            None => Expr::bool(true, span),
        };
        let is_true = condition.as_const() == Some(&Const::Bool(true));
        if !block.is_empty() {
            self.leave_unless(&mut tests, &failed, span, out);
            out.append(&mut block);
        }
        let result = match tests.take() {
            Some(test) if is_true => test,
            Some(test) => test.and(condition),
            None => condition,
        };
        out.push(Stmt::give(result.at(span)));
    }

    /// Tests whether a location is among the targets that a rule generates.
    fn is_target(
        &mut self,
        targets: FuncId,
        triple: Triple,
        tests: &mut Tests,
        span: Span,
        out: &mut Block,
    ) {
        let ty = self.targets_type();
        let set = self.local("targets", ty.clone());
        let args = vec![self.get(triple.element, span), self.get(triple.from, span)];
        let ok = self.local("ok", Type::Bool);
        let inner = self.local("found", ty.clone());
        out.push(Stmt::assign(set, self.dummy(&ty, span)));
        let trial = StmtKind::Trial {
            body: vec![Stmt::call(targets, args, Some(inner), span)],
            keep: false,
            ok,
            value: Some((self.get(inner, span), set)),
        };
        out.push(Stmt::new(trial, span));
        let is_target = Expr::binary(Ir::In, self.get(triple.to, span), self.get(set, span));
        tests.conditions.push(is_target.at(span));
    }
}
