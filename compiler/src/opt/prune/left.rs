//! The candidates that are left, and what guards ask that has one answer for all of them.

use rulec_ir::sorted::SortedSet;

use super::super::tables::known_or_new;
use super::partial::{Known, Partial, Unseen};
use super::{Members, STEPS_A_RUN, domain_of};
use crate::ir::visit::walk_exprs;
use crate::ir::{
    Block, Const, Expr, ExprKind, FamilyId, Game, Local, LocalId, ParamSource, Stmt, StmtKind,
    Table, Type,
};

/// The candidates of a family as its guard sees them.
pub(super) struct Candidates {
    /// Local variable of the first parameter.
    first: usize,
    /// Candidates of each parameter; nothing if the guard gives it other values.
    members: Vec<Members>,
    /// The earlier parameter of each listed one, and the lists.
    lists: Vec<Option<(usize, Vec<Const>)>>,
}

impl Candidates {
    /// The candidates of a family of which each parameter has only these members left.
    pub(super) fn of(
        game: &Game,
        id: FamilyId,
        members: Vec<Members>,
        guard: &[Stmt],
    ) -> Candidates {
        let family = game.family(id);
        let first = family.context.len();
        let count = family.params.len();
        let lists = vec![None; count];
        let mut candidates = Candidates {
            first,
            members,
            lists,
        };
        for (param, members) in family.params.iter().zip(&mut candidates.members) {
            if members.is_none()
                && let Some(domain) = domain_of(&param.ty)
            {
                *members = Some((0..game.domain(domain).len() as u32).collect());
            }
        }
        for (index, param) in family.params.iter().enumerate() {
            if let ParamSource::Listed { by, table } = param.source {
                candidates.restrict(index, by, &game.table(table).values);
            }
        }
        for local in crate::opt::locals::assigned(guard) {
            if let Some(param) = local
                .index()
                .checked_sub(first)
                .filter(|&param| param < count)
            {
                candidates.members[param] = None;
            }
        }
        candidates
    }

    /// A listed parameter has the members of the lists, and the earlier one those with a list.
    fn restrict(&mut self, param: usize, by: usize, rows: &[Const]) {
        let row = |member: &u32| match rows.get(*member as usize) {
            Some(Const::Set(row)) => row.as_slice(),
            _ => &[],
        };
        if let Some(others) = &mut self.members[by] {
            others.retain(|other| !row(other).is_empty());
            let listed: SortedSet<u32> = others.iter().flat_map(row).copied().collect();
            self.members[param] = Some(listed.into_iter().collect());
        }
        self.lists[param] = Some((by, rows.to_vec()));
    }

    /// The value of a test that has the same one, without a fault, for all candidates.
    pub(super) fn common_value(&self, game: &Game, expr: &Expr, steps: &mut u32) -> Option<Const> {
        if expr.ty != Type::Bool || expr.as_const().is_some() {
            return None;
        }
        let mut params = SortedSet::new();
        if !self.add_params(expr, &mut params) || params.is_empty() {
            return None;
        }
        let params: Vec<usize> = params.into_iter().collect();
        let unseen = Unseen::default();
        let mut common = None;
        for tuple in self.tuples(&params)? {
            let mut locals = vec![Known::Nothing; self.first + self.members.len()];
            for (param, member) in params.iter().zip(tuple) {
                locals[self.first + param] = Known::Value(Const::Elem(member));
            }
            let allowed = (*steps).min(STEPS_A_RUN);
            let mut partial = Partial::new(game, &unseen, allowed);
            let value = partial.value(expr, locals);
            *steps -= allowed - partial.steps();
            let value = value?;
            if *common.get_or_insert_with(|| value.clone()) != value {
                return None;
            }
        }
        common
    }

    /// A look-up by a parameter in a table that has a value for each member, if the table of the given one has one for all
    /// candidates.
    pub(super) fn sure_lookup(&self, game: &mut Game, found: &Expr) -> Option<Expr> {
        let (ExprKind::Lookup(table, index), Type::Opt(domain)) = (&found.kind, &found.ty) else {
            return None;
        };
        let [
            Expr {
                kind: ExprKind::Local(local),
                ..
            },
        ] = &index[..]
        else {
            return None;
        };
        let members = self
            .members
            .get(local.index().checked_sub(self.first)?)?
            .as_ref()?;
        let table = game.table(*table);
        let has_value = |member: &u32| table.values.get(*member as usize) != Some(&Const::None);
        if table.outside.is_some() || !members.iter().all(has_value) {
            return None;
        }
        let value = |value: &Const| match value {
            Const::None => Const::Elem(0),
            known => known.clone(),
        };
        let whole = Table {
            name: format!("{} of candidates", table.name),
            ty: Type::Elem(*domain),
            values: table.values.iter().map(value).collect(),
            ..table.clone()
        };
        let whole = known_or_new(game, whole);
        Some(Expr::lookup(game, whole, index.clone(), found.span))
    }

    /// What a trial stores, if it drops its writes and comes out the same for all candidates.
    pub(super) fn settled(
        &self,
        game: &Game,
        names: &[Local],
        stmt: &Stmt,
        steps: &mut u32,
    ) -> Option<Block> {
        let StmtKind::Trial {
            body,
            keep: false,
            ok,
            value: Some((value, into)),
        } = &stmt.kind
        else {
            return None;
        };
        let mut params = SortedSet::new();
        let mut reads = |expr: &Expr| {
            if let ExprKind::Local(local) = expr.kind
                && let Some(param) = local.index().checked_sub(self.first)
                && param < self.members.len()
            {
                params.insert(param);
            }
        };
        walk_exprs(body, &mut reads);
        value.walk(&mut reads);
        let mut settings = self.settings(&params).into_iter();
        let (succeeds, given) =
            settings.find_map(|one| self.trial_value(game, names, stmt, one, steps))?;
        let constant = |value: Const, local: LocalId| {
            Stmt::assign(
                local,
                Expr::constant(value, names[local.index()].ty.clone(), stmt.span),
            )
        };
        Some(vec![constant(succeeds, *ok), constant(given, *into)])
    }

    /// What a trial comes to and gives, if that is the same for all settings of parameters.
    fn trial_value(
        &self,
        game: &Game,
        names: &[Local],
        stmt: &Stmt,
        settings: Vec<Vec<(usize, u32)>>,
        steps: &mut u32,
    ) -> Option<(Const, Const)> {
        let unseen = Unseen::default();
        let mut common = None;
        for known in settings {
            let mut locals = vec![Known::Nothing; names.len()];
            for (param, member) in known {
                locals[self.first + param] = Known::Value(Const::Elem(member));
            }
            let allowed = (*steps).min(STEPS_A_RUN);
            let mut partial = Partial::new(game, &unseen, allowed);
            let values = partial.trial_value(stmt, names, locals);
            *steps -= allowed - partial.steps();
            let values = values?;
            if *common.get_or_insert_with(|| values.clone()) != values {
                return None;
            }
        }
        common
    }

    /// Settings of those parameters that decide the most: a pair of which one lists the other, or else each of them alone; the
    /// others are left open.
    fn settings(&self, params: &SortedSet<usize>) -> Vec<Vec<Vec<(usize, u32)>>> {
        let known: Vec<usize> = params
            .iter()
            .copied()
            .filter(|&param| self.members[param].is_some())
            .collect();
        let listed = known.iter().find_map(|&param| {
            let (by, _) = self.lists[param].as_ref()?;
            known.contains(by).then_some([*by, param])
        });
        let chosen: Vec<Vec<usize>> = match listed {
            Some(pair) => vec![pair.to_vec()],
            None => known.iter().rev().map(|param| vec![*param]).collect(),
        };
        let settings = chosen.iter().filter_map(|chosen| {
            let tuples = self.tuples(chosen)?.into_iter();
            let all = tuples.map(|tuple| chosen.iter().copied().zip(tuple).collect());
            Some(all.collect())
        });
        settings.collect()
    }

    /// The members that one or two parameters can have together.
    fn tuples(&self, params: &[usize]) -> Option<Vec<Vec<u32>>> {
        match *params {
            [a] => Some(
                self.members[a]
                    .as_ref()?
                    .iter()
                    .map(|&member| vec![member])
                    .collect(),
            ),
            [a, b] => {
                let (first, second) = (self.members[a].as_ref()?, self.members[b].as_ref()?);
                let pairs = first
                    .iter()
                    .flat_map(|&x| second.iter().map(move |&y| vec![x, y]));
                Some(
                    pairs
                        .filter(|pair| self.admits(a, b, pair[0], pair[1]))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    fn admits(&self, a: usize, b: usize, x: u32, y: u32) -> bool {
        match &self.lists[b] {
            Some((by, rows)) if *by == a => {
                matches!(rows.get(x as usize), Some(Const::Set(row)) if row.contains(&y))
            }
            _ => true,
        }
    }

    /// Adds the parameters that an expression reads, if it reads nothing else.
    fn add_params(&self, expr: &Expr, params: &mut SortedSet<usize>) -> bool {
        use ExprKind as E;
        match &expr.kind {
            E::Local(local) => match local.index().checked_sub(self.first) {
                Some(param) if self.members.get(param).is_some_and(Option::is_some) => {
                    params.insert(param);
                    true
                }
                _ => false,
            },
            E::Const(_)
            | E::Lookup(..)
            | E::Unary(..)
            | E::Binary(..)
            | E::If(..)
            | E::Some(_)
            | E::IsSome(_)
            | E::Get(_)
            | E::OrElse(..)
            | E::Ordinal(_)
            | E::Member(..)
            | E::ToWrap(_)
            | E::ToInt(_) => {
                let mut only = true;
                expr.children(&mut |child| only &= self.add_params(child, params));
                only
            }
            _ => false,
        }
    }
}
