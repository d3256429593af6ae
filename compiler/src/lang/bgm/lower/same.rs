//! Which objects are the same up to a renaming of unnamed ones.
//!
//! Two unnamed objects of one type are the same if they are in the same container (or in nothing), have the same owner and
//! are marked by the same parameters of the action under way. That is exact as long as no unnamed object is in or
//! contains another object whose place could tell them apart, which [`Lower::refuse_nesting`] sees to.

use super::super::codes;
use super::Lower;
use crate::diag::Diagnostic;
use crate::ir::{BinaryOp, Expr, Fold, FuncId, Over, Stmt, Type};
use crate::source::Span;

impl Lower<'_> {
    /// Refuses unnamed objects that may contain something.
    pub(super) fn refuse_nesting(&mut self) {
        for outer in 0..self.model.types.len() {
            if self.facts.unnamed[outer].len() < 2 {
                continue;
            }
            let inner = (0..self.model.types.len()).find(|&t| self.facts.may_be_in[t][outer]);
            let Some(inner) = inner else { continue };
            let types = &self.model.types;
            let message = format!(
                "`{}` has unnamed objects, and a `{}` may be in one of them",
                types[outer].name, types[inner].name
            );
            let found = Diagnostic::new(&codes::UNNAMED_CONTAINERS, types[outer].span, message)
                .help("give these containers names");
            self.errors.push(found);
        }
    }

    /// Whether a type has objects that may be the same.
    pub(super) fn has_same(&self, ty: usize) -> bool {
        self.facts.unnamed[ty].len() > 1
    }

    /// Whether two objects are the same.
    pub(super) fn same(&mut self, one: Expr, other: Expr) -> Expr {
        let span = one.span;
        let func = match self.helpers.same {
            Some(func) => func,
            None => {
                let func = self.same_function();
                self.helpers.same = Some(func);
                func
            }
        };
        Expr::call(&self.out.game, func, vec![one, other], span)
    }

    fn same_function(&mut self) -> FuncId {
        let span = self.model.span;
        let object = Type::Elem(self.object());
        let params = [("one", object.clone()), ("other", object)];
        let doc = "Whether two objects are the same up to a renaming of unnamed objects.";
        let unnamed: Vec<u32> = self.facts.unnamed.iter().flatten().copied().collect();
        self.function(
            "same",
            &params,
            Some(Type::Bool),
            doc,
            span,
            |lower, args| {
                let (one, other) = (args[0].clone(), args[1].clone());
                let set = lower.slot_set(&unnamed, span);
                let both =
                    [&one, &other].map(|o| Expr::binary(BinaryOp::In, o.clone(), set.clone()));
                let [first, second] = both;
                let mut test = first.and(second);
                let pair = [
                    [
                        lower.type_number(one.clone()),
                        lower.type_number(other.clone()),
                    ],
                    [lower.container(one.clone()), lower.container(other.clone())],
                    [lower.owner_of(one.clone()), lower.owner_of(other.clone())],
                ];
                for [a, b] in pair {
                    test = test.and(a.equals(b));
                }
                for var in lower.ids.bound.clone() {
                    let bound = Expr::var(&lower.out.game, var, Vec::new(), span);
                    let marks = [&one, &other].map(|o| bound.clone().equals(o.clone().some()));
                    let [a, b] = marks;
                    test = test.and(a.equals(b));
                }
                vec![Stmt::give(one.equals(other).or(test))]
            },
        )
    }

    /// Whether an object comes first among those of a set that are the same.
    pub(super) fn comes_first(&mut self, object: Expr, among: Expr, except: &[Expr]) -> Expr {
        let span = object.span;
        let local = self.local("twin", Type::Elem(self.ids.object));
        let twin = self.get(local, span);
        let mut test = Expr::binary(
            BinaryOp::Lt,
            twin.clone().ordinal(),
            object.clone().ordinal(),
        );
        for other in except {
            test = test.and(twin.clone().equals(other.clone()).not());
        }
        test = test.and(self.same(twin, object));
        Expr::fold(Fold::Exists, local, Over::Set(among), test).not()
    }

    /// Whether two objects of a set are not the same.
    pub(super) fn differ(&mut self, set: Expr, span: Span) -> Expr {
        let one = self.local("one", Type::Elem(self.ids.object));
        let other = self.local("other", Type::Elem(self.ids.object));
        let (a, b) = (self.get(one, span), self.get(other, span));
        let differ = self.same(a, b).not();
        let inner = Expr::fold(Fold::Exists, other, Over::Set(set.clone()), differ);
        Expr::fold(Fold::Exists, one, Over::Set(set), inner)
    }
}
