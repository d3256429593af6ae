//! Expressions beside the rules: evaluated on the start of a game, for tests and for people who try things out.

use indexmap::IndexMap;

use super::Lower;
use super::consts::{Constant, constant};
use super::value::{Repr, Val};
use crate::ast::Expr as Ast;
use crate::ir::{Block, FuncId, Stmt};

/// What tells the value of an expression.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is known at compile time.
    Constant(Constant),
    /// A function without parameters gives it.
    Function(FuncId),
    /// If the function `is_set` says so, `set` gives it, else `scalar`.
    Either {
        /// Whether it is a set.
        is_set: FuncId,
        /// The set.
        set: FuncId,
        /// The value that is no set.
        scalar: FuncId,
    },
}

/// Functions that evaluate expressions in order.
///
/// Each starts from an empty environment and the state that it is called on, evaluates all expressions up to the
/// one that it is about, and gives a value. They may change the state.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The values of the expressions.
    pub steps: Vec<Answer>,
    /// The values of variables after all of them.
    pub vars: IndexMap<String, Answer>,
    /// The number of the player on move after all of them.
    pub player: Option<FuncId>,
}

/// What a function is about.
#[derive(Clone, Copy)]
enum Subject<'a> {
    /// The value of the last of some expressions.
    Last,
    /// A variable.
    Var(&'a str),
}

impl<'a> Lower<'a> {
    /// The functions of expressions beside the rules.
    pub(super) fn evaluation(&mut self, steps: &'a [Ast]) -> Evaluation {
        let mut evaluation = Evaluation::default();
        if steps.is_empty() {
            return evaluation;
        }
        for (at, step) in steps.iter().enumerate() {
            let answer = match constant(step) {
                Some(value) => Answer::Constant(value),
                None => {
                    let abs = self.types.of(step);
                    let repr = match abs.is_never() {
                        true => Repr::Bool,
                        false => self.repr(&abs, "the value", step.span),
                    };
                    self.answer(
                        &format!("step_{}", at + 1),
                        Subject::Last,
                        repr,
                        &steps[..=at],
                    )
                }
            };
            evaluation.steps.push(answer);
        }
        let vars: Vec<(&'a str, Repr)> = self
            .env
            .iter()
            .map(|(&name, (_, repr))| (name, repr.clone()))
            .collect();
        for (name, repr) in vars {
            let answer = self.answer(&format!("variable_{name}"), Subject::Var(name), repr, steps);
            evaluation.vars.insert(name.to_owned(), answer);
        }
        let mut body = self.run(steps);
        let player = self.player_number(self.game.span);
        let ty = player.ty.clone();
        body.push(Stmt::give(player));
        let span = self.game.span;
        evaluation.player = Some(self.function("player_after", 0, Some(ty), body, "", span));
        evaluation
    }

    fn answer(&mut self, name: &str, of: Subject<'a>, repr: Repr, steps: &'a [Ast]) -> Answer {
        let Repr::Mixed(item) = repr else {
            return Answer::Function(self.teller(name, of, &repr, steps, false));
        };
        let set = Repr::Set(item);
        Answer::Either {
            is_set: self.teller(&format!("{name}_is_set"), of, &Repr::Bool, steps, true),
            set: self.teller(&format!("{name}_set"), of, &set, steps, false),
            scalar: self.teller(&format!("{name}_scalar"), of, &Repr::Tagged, steps, false),
        }
    }

    /// A function that evaluates expressions and gives a value, or tells whether it is a set.
    fn teller(
        &mut self,
        name: &str,
        of: Subject<'a>,
        repr: &Repr,
        steps: &'a [Ast],
        tell_kind: bool,
    ) -> FuncId {
        let span = self.game.span;
        let (before, last) = match (of, steps.split_last()) {
            (Subject::Last, Some((last, before))) => (before, Some(last)),
            _ => (steps, None),
        };
        let mut body = self.run(before);
        let mut val = match (of, last) {
            (Subject::Var(name), _) => self.read(name, span),
            (_, Some(last)) => self.any(last, &mut body),
            _ => Val::Never,
        };
        if let (Val::Mixed(mixed), true) = (&val, tell_kind) {
            val = Val::Bool(self.is_set(mixed.scalar.clone(), span));
        }
        self.give_val(val, repr, span, &mut body);
        let ty = self.ty(repr);
        self.function(name, 0, Some(ty), body, "", span)
    }

    /// Evaluates expressions in a new function.
    fn run(&mut self, steps: &'a [Ast]) -> Block {
        self.locals = Vec::new();
        let mut body = Block::new();
        self.clear_lists(self.game.span, &mut body);
        for step in steps {
            self.effect(step, &mut body);
        }
        body
    }
}
