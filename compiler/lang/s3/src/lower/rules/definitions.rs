//! Functions that the rules define.

use super::super::Lower;
use super::super::value::{Mixed, Repr, Val};
use crate::ast::{Expr as Ast, ExprKind as Kind};
use crate::ir::{Block, Expr, FuncId, Stmt, Type};

impl<'a> Lower<'a> {
    /// Whether evaluating an expression leaves anything behind.
    pub(in super::super) fn has_effects(&mut self, expr: &'a Ast) -> bool {
        match &expr.kind {
            Kind::Assign { .. } | Kind::Loop { .. } | Kind::Lazy(_) => true,
            Kind::Builtin { builtin, .. } if builtin.signature().changes_state => true,
            Kind::Call { name, .. } if !self.is_pure(&name.node) => true,
            _ => expr
                .children()
                .into_iter()
                .any(|child| self.has_effects(child)),
        }
    }

    /// Whether a call of an expression of the file leaves nothing behind.
    pub(in super::super) fn is_pure(&mut self, name: &'a str) -> bool {
        if let Some(&pure) = self.pure.get(name) {
            return pure;
        }
        self.pure.insert(name, false);
        let game = self.game;
        let pure = game.expressions.get(name).is_some_and(|definition| {
            definition.params.is_empty()
                && !self.return_sets.contains_key(name)
                && !definition.body.iter().any(|line| self.has_effects(line))
        });
        self.pure.insert(name, pure);
        pure
    }

    /// The function of an expression of the file.
    pub(in super::super) fn definition(&mut self, name: &'a str, func: FuncId) {
        let game = self.game;
        let Some(definition) = game.expressions.get(name) else {
            return;
        };
        let repr = self.returns.get(name).cloned().unwrap_or(Repr::Bool);
        self.locals = Vec::new();
        let mut body = Block::new();
        if self.is_heavy(name) {
            body.push(self.charge(definition.span));
        }
        self.gives_set = self.return_sets.get(name).copied();
        self.lines(&definition.body, &repr, &mut body);
        self.gives_set = None;
        let place = &mut self.out.game.functions[func.index()];
        place.locals = std::mem::take(&mut self.locals);
        place.body = body;
    }

    /// The lines of an expression: the first that is false ends it, else the last counts.
    fn lines(&mut self, lines: &'a [Ast], repr: &Repr, out: &mut Block) {
        for (at, line) in lines.iter().enumerate() {
            let abs = self.types.of(line);
            if at + 1 == lines.len() {
                self.give(line, repr, out);
                return;
            }
            if !abs.no {
                self.effect(line, out);
            } else {
                let stops = self.is_false(line, out);
                let mut leave = Block::new();
                let value = Val::Bool(Expr::bool(false, line.span));
                self.give_val(value, repr, line.span, &mut leave);
                out.push(Stmt::branch(stops, leave, Block::new()));
            }
            if abs.is_never() || (abs.no && !abs.yes && abs.only_bool()) {
                let end = self.dummy(&self.ty(repr), line.span);
                out.push(Stmt::give(end));
                return;
            }
        }
    }

    /// Whether a line is the truth value false.
    fn is_false(&mut self, line: &'a Ast, out: &mut Block) -> Expr {
        match self.any(line, out) {
            Val::Bool(value) => value.not().at(line.span),
            Val::Tagged(value) | Val::Mixed(Mixed { scalar: value, .. }) => {
                let value = self.share(value, out);
                let fits = self.has_tag(Type::Bool, value.clone(), line.span);
                fits.and(self.untag(value, Type::Bool, line.span).not())
                    .at(line.span)
            }
            other => {
                self.discard(other, out);
                Expr::bool(false, line.span)
            }
        }
    }
}
