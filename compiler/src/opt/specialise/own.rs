//! Look-ups that lead back to the member that they begin with.
//!
//! The place with the coordinates of a place is that place. Rules that keep its name in a variable, and take that apart again, then
//! ask what they would ask of the coordinates. It holds of what a parameter can be, not of all members: other places may have no
//! coordinates at all. So do chains of tables that come to nothing elsewhere: once candidates are known, they are looked at again.

use crate::ir::effects::{Effects, may_fault};
use crate::ir::{Const, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt, Type};

use crate::opt::fold_constants::{drop_tables, simplify};
use crate::opt::locals::kept;
use crate::opt::patterns::reach::{Reached, members};

use super::compose::{Tables, evaluate, lookups};
use super::forward::{Forward, Known, Params, Visit, member};

/// Puts members in the place of such look-ups in questions, and joins the chains of tables that members lead to.
pub(in crate::opt) fn run(game: &mut Game) {
    let (reached, effects) = (members(game), Effects::of(game));
    let mut functions = std::mem::take(&mut game.functions);
    let params = functions.iter().enumerate();
    let params: Vec<[Params; 2]> = params
        .map(|(index, function)| params_of(game, &reached, index.into(), function))
        .collect();
    let mut tables = Tables::of(game);
    let mut changed = false;
    for (index, (function, [all, fewer])) in functions.iter_mut().zip(&params).enumerate() {
        if all.is_empty() || !effects.function(index.into()).is_guard() {
            continue;
        }
        let mut body = function.body.clone();
        let mut forward = Forward {
            locals: &function.locals,
            visitor: Visitor {
                tables: &mut tables,
                locals: &function.locals,
                all,
                fewer,
                found: false,
            },
        };
        forward.function(&mut body);
        if forward.visitor.found {
            function.body = body;
            changed = true;
        }
    }
    game.functions = functions;
    if changed {
        simplify(game);
    }
    drop_tables(game);
}

/// What the parameters can be that nothing assigns, and of these those that cannot be all members.
fn params_of(game: &Game, reached: &Reached, func: FuncId, function: &Function) -> [Params; 2] {
    let (mut all, mut fewer) = (Params::new(), Params::new());
    for param in kept(function) {
        let Type::Elem(domain) = function.locals[param.index()].ty else {
            continue;
        };
        let members = match reached.members(func, param.index()) {
            Some(members) => {
                fewer.insert(param, members.clone());
                members.clone()
            }
            None => (0..game.domain(domain).len() as u32).collect(),
        };
        all.insert(param, members);
    }
    [all, fewer]
}

struct Visitor<'v, 'a> {
    tables: &'v mut Tables<'a>,
    locals: &'v [Local],
    all: &'v Params,
    fewer: &'v Params,
    /// Whether a look-up led back, or look-ups became one.
    found: bool,
}

impl Visitor<'_, '_> {
    /// The member that an expression is, whatever that can be.
    fn own(&self, expr: &Expr, known: &Known) -> Option<LocalId> {
        if !matches!(expr.kind, ExprKind::Lookup(..)) {
            return None;
        }
        let expr = known.resolved(expr);
        if lookups(&expr) == 0 {
            return None;
        }
        let member = member(&expr, self.locals)?;
        let mut members = self.all.get(&member)?.iter();
        let back = |value: &u32| {
            let found = evaluate(self.tables.game, &expr, member, *value);
            found == Some(Const::Elem(*value))
        };
        let same = self.locals[member.index()].ty == expr.ty;
        (same && members.all(back)).then_some(member)
    }

    fn put_own(&mut self, expr: &mut Expr, known: &Known) {
        if let Some(member) = self.own(expr, known) {
            expr.kind = ExprKind::Local(member);
            self.found = true;
            return;
        }
        expr.children_mut(&mut |child| self.put_own(child, known));
    }
}

impl Visit for Visitor<'_, '_> {
    fn expr(&mut self, expr: &mut Expr, known: &Known) {
        self.put_own(expr, known);
        let before = self.tables.composed;
        self.tables.expr(expr, known, self.locals, self.fewer);
        self.found |= !self.fewer.is_empty() && self.tables.composed > before;
    }

    fn call(&mut self, _: &mut Stmt, _: &Known) {}

    fn is_sure(&self, expr: &Expr) -> bool {
        let mut sure = true;
        expr.walk(&mut |expr| sure &= !may_fault(self.tables.game, expr));
        sure
    }
}
