//! Integers as members: a variable with few values is read as one that names a member of a domain of its values.
//!
//! Then a renaming permutes values as it permutes places and players, and the comparison of what rules mean is the judge of both: the
//! number that a value stands for is a table, as the number of a player is, so what is asked of it and what it is made from is one,
//! too. Where a value comes from arithmetic that is not known, or goes into it, the table is part of what rules mean, and no
//! permutation keeps it.

use rulec_ir::sorted::SortedMap;

use crate::ir::observe::{Plane, planes};
use crate::ir::walk::{blocks_mut, each_stmt_mut, free_exprs_mut, rewrite, rewrite_block};
use crate::ir::{
    Axis, Const, Domain, DomainId, Expr, ExprKind, Game, IdentityTerm, Members, Point, StmtKind,
    Table, TableId, Type, VarId, effects,
};

/// Values of a variable that are looked at one by one.
const MOST_VALUES: i64 = 8;

/// The domain of values of a variable, and the table that tells which member a number is.
#[derive(Clone, Copy)]
struct Values {
    domain: DomainId,
    cast: TableId,
}

/// Variables whose values are members.
#[derive(Clone, Debug, Default)]
pub(super) struct Raised {
    /// With the number of the first domain of values: the others follow.
    vars: Vec<VarId>,
    first: usize,
}

impl Raised {
    /// The variables of a game that may be, in a program that plays it.
    pub(super) fn of(game: &Game, program: &Game) -> Raised {
        let first = game.domains.len();
        let mut raised = Raised {
            vars: Vec::new(),
            first,
        };
        if program.domains.len() == first {
            let all = (0..game.vars.len()).map(VarId::from);
            raised.vars = all.filter(|var| is_named(game, program, *var)).collect();
        }
        raised
    }

    /// Whether planes of the program show the same of them as those of the game.
    pub(super) fn show_the_same(&self, [game, program]: [&Game; 2], seen: &[Plane]) -> bool {
        let own = |plane: &Plane, game: &Game| {
            let var = plane.variable(game);
            var.filter(|var| self.vars.contains(var))
        };
        let pairs = planes(game).into_iter().zip(seen);
        let mut pairs = pairs.map(|(plane, other)| own(&plane, game) == own(other, program));
        pairs.all(|same| same)
    }

    /// The same game, in which they name members.
    pub(super) fn raise(&self, mut game: Game) -> Game {
        let mut known: SortedMap<VarId, Values> = SortedMap::new();
        for &var in &self.vars {
            let values = add_values(&mut game, var);
            known.insert(var, values);
        }
        if !known.is_empty() {
            read(&mut game, &known);
            write(&mut game, &known);
        }
        game
    }

    /// What becomes of members, with the new values of variables beside.
    pub(super) fn lower(
        &self,
        game: &Game,
        mut members: SortedMap<DomainId, Vec<u32>>,
    ) -> (SortedMap<DomainId, Vec<u32>>, SortedMap<VarId, Vec<i64>>) {
        let mut values = SortedMap::new();
        for (domain, &var) in (self.first..).zip(&self.vars) {
            let new = members.remove(&DomainId::from(domain));
            if let (Some(new), Some((lo, _))) = (new, game.var(var).ty.int_range()) {
                let new = new.iter().map(|value| lo + i64::from(*value));
                values.insert(var, new.collect());
            }
        }
        (members, values)
    }
}

/// Whether values of a variable can be names: few of them, which the rules write, and which nobody shows as a number.
fn is_named(game: &Game, program: &Game, id: VarId) -> bool {
    let var = game.var(id);
    let Some((lo, hi)) = var.ty.int_range() else {
        return false;
    };
    let same = program.vars.get(id.index()).is_some_and(|other| {
        other.name == var.name && other.ty == var.ty && other.axes == var.axes
    });
    let few = lo >= 0 && hi > lo && hi - lo < MOST_VALUES;
    let told = game.scores == Some(id)
        || game.limit == Some(id)
        || var.meter
        || game.meters.iter().any(|meter| meter.var == id)
        || game.snapshots.iter().any(|slot| slot.vars.contains(&id));
    same && few && !told && !effects::constants(program).vars.contains(&id)
}

/// Adds the domain of the values of a variable, which becomes one of its members.
fn add_values(game: &mut Game, id: VarId) -> Values {
    let domain = DomainId::from(game.domains.len());
    let cast = TableId::from(game.tables.len());
    let var = &mut game.vars[id.index()];
    let (lo, hi) = var.ty.int_range().unwrap_or_default();
    let member = |value: i64| Const::Elem(u32::try_from(value - lo).unwrap_or_default());
    for value in &mut var.init {
        if let Const::Int(number) = value {
            *value = member(*number);
        }
    }
    var.ty = Type::Elem(domain);
    let (name, span) = (var.name.clone(), var.span);
    game.domains.push(Domain {
        name: format!("values of {name}"),
        members: Members::Range { lo, hi },
        span,
    });
    game.tables.push(Table {
        name: format!("value of {name}"),
        axes: vec![Axis::Range { lo, hi }],
        ty: Type::Elem(domain),
        values: (lo..=hi).map(member).collect(),
        outside: None,
        span,
    });
    Values { domain, cast }
}

/// Reads give the numbers of members.
fn read(game: &mut Game, known: &SortedMap<VarId, Values>) {
    let mut number = |expr: &mut Expr| {
        let ExprKind::Var(var, index) = &mut expr.kind else {
            return;
        };
        if let Some(values) = known.get(var) {
            let own = ExprKind::Var(*var, std::mem::take(index));
            let member = Expr::new(own, Type::Elem(values.domain), expr.span);
            expr.kind = ExprKind::Ordinal(Box::new(member));
        }
    };
    free_exprs_mut(game, &mut |expr| rewrite(expr, &mut number));
    blocks_mut(game, &mut |block| rewrite_block(block, &mut number));
    for point in game
        .machine
        .iter_mut()
        .flat_map(|machine| &mut machine.points)
    {
        match point {
            Point::Choose(choose) => choose.children_mut(&mut |expr| rewrite(expr, &mut number)),
            Point::Chance(chance, _) => chance.children_mut(&mut |expr| rewrite(expr, &mut number)),
        }
    }
    // Whether two values are the same does not depend on their names.
    for term in game
        .identities
        .iter_mut()
        .flat_map(|identity| &mut identity.terms)
    {
        match term {
            IdentityTerm::Each { values, .. }
            | IdentityTerm::Bag { values, .. }
            | IdentityTerm::Nest { values, .. } => {
                values.iter_mut().for_each(|value| as_member(value, known));
            }
            IdentityTerm::Value(value) => as_member(value, known),
            IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
        }
    }
}

fn as_member(value: &mut Expr, known: &SortedMap<VarId, Values>) {
    let mut inner = &*value;
    while let ExprKind::ToWrap(of) | ExprKind::ToInt(of) = &inner.kind {
        inner = of;
    }
    if let ExprKind::Ordinal(member) = &inner.kind
        && let ExprKind::Var(var, _) = &member.kind
        && known.contains_key(var)
    {
        *value = Expr::clone(member);
    }
}

/// Writes are given the members that numbers are.
fn write(game: &mut Game, known: &SortedMap<VarId, Values>) {
    blocks_mut(game, &mut |block| {
        each_stmt_mut(block, &mut |stmt| {
            let StmtKind::SetVar(var, _, value) = &mut stmt.kind else {
                return;
            };
            if let Some(values) = known.get(var) {
                let span = value.span;
                let number = std::mem::replace(value, Expr::bool(false, span));
                let cast = ExprKind::Lookup(values.cast, vec![number]);
                *value = Expr::new(cast, Type::Elem(values.domain), span);
            }
        });
    });
}
