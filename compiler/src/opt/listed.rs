//! Which local variables hold members that come together: one of them lists what the other one can be.
//!
//! The box of a piece is listed by the piece, so what rules ask about a piece and a box they ask about each piece and its own box.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Expr, ExprKind, Family, FuncId, Game, IdentityId, LocalId, ParamSource, StmtKind, TableId,
};

use super::locals::each_assigned;

/// Calls, and copies of variables, that are followed.
const DEPTH: usize = 8;

/// Where an expression stands: its local variables are those of a function or of a move family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In a function.
    Function(FuncId),
    /// In the parameters of a family, by number.
    Family(usize),
    /// Anywhere else; nothing is known of local variables.
    Free,
}

/// Tables of which one gives the candidates.
pub(crate) type Tables = SortedSet<TableId>;

/// Where functions get their parameters from.
pub(crate) struct Listed<'g> {
    game: &'g Game,
    /// Functions that are called with any values.
    open: SortedSet<FuncId>,
    /// The calls of each function.
    calls: SortedMap<FuncId, Vec<HandedOn>>,
}

/// A call: where it stands, and the local variables that it hands on.
type HandedOn = (Scope, Vec<Option<LocalId>>);

/// How a local variable of a function comes to its only value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It is a parameter.
    Param(LocalId),
    /// It is a parameter of the move that an arm binds: the family, the number of the arm in the function, the parameter.
    Bound(usize, usize, usize),
}

impl<'g> Listed<'g> {
    /// Looks at the calls in these functions and in all families; `open` are functions that are called with any values.
    pub(crate) fn of(game: &'g Game, live: &SortedSet<FuncId>, open: &SortedSet<FuncId>) -> Self {
        let mut listed = Listed {
            game,
            open: open.clone(),
            calls: SortedMap::new(),
        };
        for &func in live {
            let scope = Scope::Function(func);
            let body = &game.function(func).body;
            walk_exprs(body, &mut |expr| listed.add_calls(scope, expr));
            walk_block(body, &mut |stmt| {
                if let StmtKind::Call { func, args, .. } = &stmt.kind {
                    listed.add(scope, *func, args.iter().map(local_of).collect());
                }
            });
        }
        for (index, family) in game.families.iter().enumerate() {
            for param in &family.params {
                let mut asks =
                    |expr: &Expr| expr.walk(&mut |e| listed.add_calls(Scope::Family(index), e));
                match &param.source {
                    ParamSource::Is(value) => asks(value),
                    ParamSource::Subset { of, size } => [of, size].into_iter().for_each(asks),
                    _ => {}
                }
            }
        }
        listed
    }

    /// Whether any candidates are listed by a table.
    pub(crate) fn any(&self) -> bool {
        let mut params = self.game.families.iter().flat_map(|family| &family.params);
        params.any(|param| matches!(param.source, ParamSource::Listed { .. }))
    }

    fn add(&mut self, scope: Scope, func: FuncId, args: Vec<Option<LocalId>>) {
        self.calls.entry(func).or_default().push((scope, args));
    }

    fn add_calls(&mut self, scope: Scope, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(func, args) => {
                self.add(scope, *func, args.iter().map(local_of).collect());
            }
            ExprKind::Holds(relation, _) | ExprKind::Related(relation, _) => {
                _ = self.open.insert(self.game.relation(*relation).holds);
            }
            _ => {}
        }
    }

    /// The tables that give, by the member that one local variable holds, those that another one can hold: some of them does.
    pub(crate) fn tables(&self, scope: Scope, by: LocalId, of: LocalId) -> Option<Tables> {
        self.within(scope, by, of, DEPTH)
    }

    fn within(&self, scope: Scope, by: LocalId, of: LocalId, depth: usize) -> Option<Tables> {
        let family = |index: usize| &self.game.families[index];
        let func = match scope {
            Scope::Family(index) => return param_of(family(index), by, of),
            Scope::Function(func) => func,
            Scope::Free => return None,
        };
        match (self.origin(func, by)?, self.origin(func, of)?) {
            (Origin::Param(by), Origin::Param(of)) => {
                self.handed_on(func, by, of, depth.checked_sub(1)?)
            }
            (Origin::Bound(index, arm, by), Origin::Bound(other, same, of))
                if (index, arm) == (other, same) =>
            {
                let context = family(index).context.len();
                param_of(family(index), (context + by).into(), (context + of).into())
            }
            _ => None,
        }
    }

    /// The tables for two parameters of a function, of all who ask or call it.
    fn handed_on(&self, func: FuncId, by: LocalId, of: LocalId, depth: usize) -> Option<Tables> {
        if self.open.contains(&func) {
            return None;
        }
        let asking = |family: &&Family| family.functions().any(|asked| asked == func);
        let families = self.game.families.iter().filter(asking);
        let calls = self.calls.get(&func).into_iter().flatten();
        let calls = calls.map(|(scope, args)| {
            let given = |param: LocalId| args.get(param.index()).copied().flatten();
            self.within(*scope, given(by)?, given(of)?, depth)
        });
        let asked = families.map(|family| param_of(family, by, of));
        let mut tables = Tables::new();
        for own in asked.chain(calls) {
            tables.extend(own?);
        }
        Some(tables)
    }

    /// How a local variable comes to its value; nothing where it may have several.
    fn origin(&self, func: FuncId, mut local: LocalId) -> Option<Origin> {
        let function = self.game.function(func);
        for _ in 0..DEPTH {
            let mut arms = 0;
            let mut origins: Vec<Option<Origin>> = Vec::new();
            let mut copied = None;
            walk_block(&function.body, &mut |stmt| match &stmt.kind {
                StmtKind::Choose(choose) => {
                    for arm in &choose.arms {
                        let own = (0..).zip(&arm.bind).filter(|(_, bound)| **bound == local);
                        let bound = |at| Some(Origin::Bound(arm.family.index(), arms, at));
                        origins.extend(own.map(|(at, _)| bound(at)));
                        arms += 1;
                    }
                }
                _ => each_assigned(stmt, &mut |assigned| {
                    if assigned == local {
                        origins.push(None);
                        copied = match &stmt.kind {
                            StmtKind::Let(_, value) => local_of(value),
                            _ => None,
                        };
                    }
                }),
            });
            match (local.index() < function.params, &origins[..], copied) {
                (true, [], _) => return Some(Origin::Param(local)),
                (false, [Some(bound)], _) => return Some(*bound),
                (false, [None], Some(of)) => local = of,
                _ => return None,
            }
        }
        None
    }
}

/// The table that lists the candidates of one parameter of a family by another one.
fn param_of(family: &Family, by: LocalId, of: LocalId) -> Option<Tables> {
    let context = family.context.len();
    let param = family.params.get(of.index().checked_sub(context)?)?;
    match param.source {
        ParamSource::Listed { by: own, table } if by.index() == context + own => {
            Some(Tables::from([table]))
        }
        _ => None,
    }
}

fn local_of(expr: &Expr) -> Option<LocalId> {
    match expr.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

/// The functions that equalities of positions call.
pub(crate) fn asked_by_identities(game: &Game, effects: &Effects) -> SortedSet<FuncId> {
    let ids = (0..game.identities.len()).map(IdentityId::from);
    let calls: SortedSet<FuncId> = ids
        .flat_map(|id| effects.identity(game, id).calls)
        .collect();
    let reached = calls.iter().flat_map(|&func| effects.reaches(func).clone());
    reached.chain(calls.iter().copied()).collect()
}
