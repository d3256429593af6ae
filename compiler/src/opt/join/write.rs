//! Writing rules as one family.

use rulec_ir::sorted::SortedSet;

use crate::ir::same::placeless;
use crate::ir::{
    Arrival, Axis, Const, DomainId, Expr, ExprKind, Game, LocalId, Param, ParamSource, Table, Type,
};
use crate::opt::locals::assigns;
use crate::opt::tables::known_or_new;
use crate::source::Span;

use super::rule::{Hole, each_arrival, each_hole_in, where_true};
use super::{Part, drop_arms};

impl Part<'_> {
    /// The parameter as functions of the family know it.
    fn local(&self) -> LocalId {
        LocalId::from(self.by)
    }

    /// Whether holes that differ can be looked up by the argument.
    pub(super) fn holes_fit(&self, game: &Game) -> bool {
        let holes: Vec<&[Hole]> = self.group.iter().map(|rule| &rule.holes[..]).collect();
        let mut own = self.group[0].functions.iter();
        let kept = own.all(|func| !assigns(&game.function(*func).body, self.local()));
        differing(&holes).is_empty() || kept && self.told(game, &holes)
    }

    /// Whether the argument tells what differs between rules with these holes.
    pub(super) fn told(&self, game: &Game, holes: &[&[Hole]]) -> bool {
        differing(holes).into_iter().all(|at| {
            let mut all = holes.iter().map(|holes| &holes[at]);
            match &holes[0][at] {
                Hole::Const(_, ty) => {
                    all.all(|other| matches!(other, Hole::Const(_, also) if also == ty))
                }
                Hole::Table(first, local) => {
                    let first = game.table(*first);
                    *local == self.local()
                        && all.all(|other| match other {
                            Hole::Table(table, _) => {
                                let table = game.table(*table);
                                (&table.axes, &table.ty, &table.outside)
                                    == (&first.axes, &first.ty, &first.outside)
                            }
                            Hole::Const(..) => false,
                        })
                }
            }
        })
    }

    /// Writes the rules as the first of them.
    pub(super) fn write(&self, game: &mut Game) {
        self.write_sources(game);
        self.write_holes(game);
        self.write_guard(game);
        let others = self.others();
        for other in &others {
            let family = &mut game.families[other.index()];
            (family.guard, family.after) = (None, None);
            (family.effect, family.rank) = (None, None);
            let mut params = family.params.iter();
            let listed = |param: &Param| matches!(param.source, ParamSource::Among(_));
            let at = params.position(listed).unwrap_or(self.by);
            family.params[at].source = ParamSource::Among(Vec::new());
        }
        drop_arms(game, &|_, family| others.contains(&family));
        game.joined.push(self.joined());
    }

    fn domain(&self, game: &Game) -> Option<DomainId> {
        match game.family(self.group[0].family).params[self.by].ty {
            Type::Elem(domain) => Some(domain),
            _ => None,
        }
    }

    fn write_sources(&self, game: &mut Game) {
        let first = self.group[0];
        for (param, own) in first.sources.iter().enumerate() {
            if self.group.iter().any(|rule| rule.sources[param] != *own) {
                let source = self.source(game, param);
                game.families[first.family.index()].params[param].source = source;
            }
        }
        if self.needs_no_restriction(game) {
            let param = &mut game.families[first.family.index()].params[self.by];
            if let ParamSource::Is(value) = &mut param.source
                && let ExprKind::If(_, then, _) = value.kind.clone()
            {
                *value = *then;
            }
        }
    }

    /// Whether a parameter has no candidates anyway where the one that tells the rules apart is one of no rule.
    fn needs_no_restriction(&self, game: &Game) -> bool {
        let params = game.family(self.group[0].family).params.iter();
        let mut rows = params.filter_map(|param| match &param.source {
            ParamSource::Listed { by, table } if *by == self.by => Some(game.table(*table)),
            _ => None,
        });
        let none = |value: &Const| matches!(value, Const::Set(members) if members.is_empty());
        rows.any(|table| {
            let mut rows = self.rules.iter().zip(&table.values);
            rows.all(|(rule, row)| rule.is_some() || none(row))
        })
    }

    /// The source that makes the candidates of all rules.
    fn source(&self, game: &mut Game, param: usize) -> ParamSource {
        match &game.family(self.group[0].family).params[param]
            .source
            .clone()
        {
            ParamSource::Among(_) if param == self.by => {
                let members = self.rules.iter().enumerate();
                let told = members.filter(|(_, rule)| rule.is_some());
                ParamSource::Among(told.map(|(member, _)| member as u32).collect())
            }
            ParamSource::Is(value) => ParamSource::Is(self.where_any(game, value)),
            _ => self.listed(game, param),
        }
    }

    /// The value where the table of any of the rules says so.
    fn where_any(&self, game: &mut Game, value: &Expr) -> Expr {
        let mut value = value.clone();
        if let Some(known) = where_true(game, &placeless(&value))
            && let ExprKind::If(cond, ..) = &mut value.kind
            && let ExprKind::Lookup(table, _) = &mut cond.kind
        {
            let told = self.rules.iter().map(|rule| Const::Bool(rule.is_some()));
            let values = told.collect();
            let all = Table {
                values,
                ..game.table(known).clone()
            };
            *table = known_or_new(game, all);
        }
        value
    }

    /// For each member of the parameter that tells rules apart what another one can be.
    fn listed(&self, game: &mut Game, param: usize) -> ParamSource {
        let own = game.family(self.group[0].family).params[param].clone();
        let (Some(domain), Type::Elem(of)) = (self.domain(game), own.ty) else {
            return own.source;
        };
        let row = |(member, rule): (usize, &Option<usize>)| match rule
            .map(|rule| &self.group[rule].sources[param])
        {
            Some(ParamSource::Among(members)) => Const::Set(members.clone()),
            Some(ParamSource::Listed { table, .. }) => game.table(*table).values[member].clone(),
            _ => Const::Set(Vec::new()),
        };
        let values = self.rules.iter().enumerate().map(row).collect();
        let family = game.family(self.group[0].family);
        let table = Table {
            name: format!("{} of {}", own.name, family.name),
            axes: vec![Axis::Domain(domain)],
            ty: Type::Set(of),
            values,
            outside: None,
            span: family.span,
        };
        ParamSource::Listed {
            by: self.by,
            table: known_or_new(game, table),
        }
    }

    /// Looks up by the argument what differs.
    fn write_holes(&self, game: &mut Game) {
        let holes: Vec<Option<&[Hole]>> = self
            .group
            .iter()
            .map(|rule| Some(&rule.holes[..]))
            .collect();
        let mut filling = Filling::new(self, &holes);
        let mut arrivals = self.arrivals().into_iter();
        for func in &self.group[0].functions {
            let mut body = std::mem::take(&mut game.functions[func.index()].body);
            each_hole_in(&mut body, &mut |expr, _| filling.next(game, expr));
            each_arrival(&mut body, &mut |arrival| {
                *arrival = arrivals.next().unwrap_or_default();
            });
            game.functions[func.index()].body = body;
        }
    }

    /// What is known of the pieces that any of the rules brings somewhere.
    fn arrivals(&self) -> Vec<Arrival> {
        let any = |at: usize, of: fn(&Arrival) -> &Vec<u32>| {
            let all = self.group.iter().flat_map(|rule| of(&rule.arrivals[at]));
            all.copied()
                .collect::<SortedSet<u32>>()
                .into_iter()
                .collect()
        };
        let arrivals = 0..self.group[0].arrivals.len();
        arrivals
            .map(|at| Arrival {
                pieces: any(at, |arrival| &arrival.pieces),
                from: any(at, |arrival| &arrival.from),
                to: any(at, |arrival| &arrival.to),
            })
            .collect()
    }

    /// A table by the argument that tells the rules apart.
    pub(super) fn table(&self, game: &Game, ty: &Type, values: Vec<Const>, span: Span) -> Table {
        let domain = self.domain(game);
        let name = domain.map_or("", |domain| &game.domain(domain).name);
        Table {
            name: format!("rules by {name}"),
            axes: domain.into_iter().map(Axis::Domain).collect(),
            ty: ty.clone(),
            values,
            outside: None,
            span,
        }
    }

    /// What a table by the argument says.
    pub(super) fn look_up(&self, game: &mut Game, table: Table) -> ExprKind {
        let ty = game.family(self.group[0].family).params[self.by].ty.clone();
        let member = Expr::local(self.local(), ty, table.span);
        ExprKind::Lookup(known_or_new(game, table), vec![member])
    }
}

/// Looks up what differs, hole after hole.
pub(super) struct Filling<'a> {
    part: &'a Part<'a>,
    /// For each rule of the part what its holes hold; nothing for those that have others.
    holes: &'a [Option<&'a [Hole]>],
    differing: Vec<usize>,
    at: usize,
}

impl<'a> Filling<'a> {
    pub(super) fn new(part: &'a Part<'a>, holes: &'a [Option<&'a [Hole]>]) -> Self {
        let all: Vec<&[Hole]> = holes.iter().flatten().copied().collect();
        Filling {
            part,
            holes,
            differing: differing(&all),
            at: 0,
        }
    }

    /// Fills the next hole.
    pub(super) fn next(&mut self, game: &mut Game, expr: &mut Expr) {
        if self.differing.contains(&self.at) {
            self.fill(game, expr);
        }
        self.at += 1;
    }

    fn fill(&self, game: &mut Game, expr: &mut Expr) {
        let Some(first) = self.holes.iter().flatten().next() else {
            return;
        };
        let value = |(member, rule): (usize, &Option<usize>)| {
            let own = rule.and_then(|rule| self.holes[rule]).unwrap_or(first);
            match &own[self.at] {
                Hole::Const(value, _) => value.clone(),
                Hole::Table(table, _) => game.table(*table).values[member].clone(),
            }
        };
        let values = self.part.rules.iter().enumerate().map(value).collect();
        let table = match &first[self.at] {
            Hole::Table(table, _) => Table {
                values,
                ..game.table(*table).clone()
            },
            Hole::Const(_, ty) => self.part.table(game, ty, values, expr.span),
        };
        expr.kind = self.part.look_up(game, table);
    }
}

/// The holes in which rules differ.
fn differing(all: &[&[Hole]]) -> Vec<usize> {
    let Some((first, others)) = all.split_first() else {
        return Vec::new();
    };
    let differ = |at: &usize| others.iter().any(|holes| holes[*at] != first[*at]);
    (0..first.len()).filter(differ).collect()
}
