//! Who may call what. Everything else is checked before.

use super::stmts::terms;
use super::*;
use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};

impl<'a> Checker<'a> {
    pub(super) fn calls(&mut self) {
        let effects = Effects::of(self.game);
        self.check_process(&effects);
        self.check_roles(&effects);
        for (index, function) in self.game.functions.iter().enumerate() {
            self.item = format!("function `{}`", function.name);
            self.check_calls_in(&function.locals, &function.body, &effects);
            let id = FuncId::from(index);
            let suspends = effects.function(id).suspends && effects.is_recursive(id);
            let text = "a function that stops calls itself";
            self.expect(!suspends, function.span, text);
        }
        self.check_outer_calls(&effects);
        if let Some(machine) = &self.game.machine {
            self.item = String::from("the machine");
            self.check_machine_calls(machine, &effects);
        }
        self.item.clear();
    }

    fn check_process(&mut self, effects: &Effects) {
        let process = self.game.function(self.game.process);
        let plain = process.params == 0 && process.ret.is_none();
        let text = "the process has a parameter or gives a value";
        self.expect(plain, process.span, text);
        let stops = effects.function(self.game.process).suspends;
        let text = "the game never comes to a decision or a draw";
        self.expect(stops, process.span, text);
    }

    /// Whether the functions with a role in the game may do what they do.
    fn check_roles(&mut self, effects: &Effects) {
        let game = self.game;
        let mut guards: Vec<(FuncId, String)> = Vec::new();
        for family in &game.families {
            let name = &family.name;
            let roles = [
                (family.guard, "guard"),
                (family.rank, "rank"),
                (family.after, "after"),
            ];
            for (func, role) in roles {
                guards.extend(func.map(|func| (func, format!("the {role} of `{name}`"))));
            }
            for param in &family.params {
                if let ParamSource::Generated(func) = param.source {
                    guards.push((func, format!("the generator of `{}`", param.name)));
                }
            }
        }
        for probe in &game.probes {
            guards.push((probe.func, format!("probe `{}`", probe.name)));
        }
        for effect in game.families.iter().filter_map(|family| family.effect) {
            let found = effects.function(effect);
            let fits = !(found.suspends || found.ends);
            let text = "the effect that `after` looks at stops, or ends the game";
            self.expect(fits, game.function(effect).span, text);
        }
        for (func, role) in guards {
            let fits = effects.function(func).is_guard();
            let text = format!("{role} does more than write the environment");
            self.expect(fits, game.function(func).span, text);
        }
        for relation in &game.relations {
            let fits = effects.function(relation.holds).is_pure();
            let text = format_args!("relation `{}` does more than give a value", relation.name);
            self.expect(fits, game.function(relation.holds).span, text);
        }
    }

    fn check_calls_in(&mut self, locals: &'a [Local], block: &'a [Stmt], effects: &Effects) {
        let game = self.game;
        walk_exprs(block, &mut |expr| self.check_call(expr, effects));
        walk_block(block, &mut |stmt| {
            if let StmtKind::Trial { body, .. } = &stmt.kind {
                let tried = effects.block(game, locals, body);
                self.expect(!tried.suspends, stmt.span, "a trial stops");
                self.expect(!tried.ends, stmt.span, "a trial ends the game");
            }
        });
    }

    /// Whether a function that is called for its value does nothing else.
    fn check_call(&mut self, expr: &Expr, effects: &Effects) {
        let func = match &expr.kind {
            ExprKind::Call(func, _) => *func,
            ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
                self.game.relation(*relation).holds
            }
            _ => return,
        };
        let pure = effects.function(func).is_pure();
        let name = &self.game.function(func).name;
        let text = format_args!("`{name}` is called for its value but does more than give it");
        self.expect(pure, expr.span, text);
    }

    /// Checks the calls of expressions outside functions.
    fn check_outer_calls(&mut self, effects: &Effects) {
        let mut exprs: Vec<&Expr> = Vec::new();
        for family in &self.game.families {
            exprs.extend(&family.class);
            for param in &family.params {
                match &param.source {
                    ParamSource::Is(expr) => exprs.push(expr),
                    ParamSource::Subset { of, size } => exprs.extend([of, size]),
                    _ => {}
                }
            }
        }
        for identity in &self.game.identities {
            for expr in terms(identity) {
                exprs.push(expr);
                let trails = !effects.expr(self.game, expr).reads.trails.is_empty();
                let text = "a trail is no part of an identity";
                self.expect(!trails, expr.span, text);
            }
        }
        for part in self.game.tellings.iter().flat_map(|t| &t.parts) {
            part.exprs(&mut |expr| exprs.push(expr));
        }
        for expr in exprs {
            expr.walk(&mut |inner| self.check_call(inner, effects));
        }
    }

    fn check_machine_calls(&mut self, machine: &'a Machine, effects: &Effects) {
        let mut blocks: Vec<&Block> = vec![&machine.start];
        for point in &machine.points {
            match point {
                Point::Choose(choose) => {
                    choose.children(&mut |expr| {
                        expr.walk(&mut |inner| self.check_call(inner, effects));
                    });
                    choose.blocks(&mut |block| blocks.push(block));
                }
                Point::Chance(chance, block) => {
                    chance.children(&mut |expr| {
                        expr.walk(&mut |inner| self.check_call(inner, effects));
                    });
                    blocks.push(block);
                }
            }
        }
        let mut called = SortedSet::new();
        for block in blocks {
            self.check_calls_in(&machine.locals, block, effects);
            called.extend(effects.block(self.game, &machine.locals, block).calls);
        }
        let direct: Vec<FuncId> = called.iter().copied().collect();
        for func in direct {
            called.extend(effects.reaches(func));
        }
        for func in called {
            let function = self.game.function(func);
            let mut plain = true;
            walk_block(&function.body, &mut |stmt| {
                plain &= !matches!(stmt.kind, StmtKind::Choose(_) | StmtKind::Chance(_));
            });
            let text = format_args!("`{}` stops elsewhere than at a point", function.name);
            self.expect(plain, function.span, text);
        }
    }
}
