//! `lift`: questions about one member after another become operations on sets.
//!
//! The members of a domain for which a condition holds are often a set that is there already, or follows from such
//! sets in a few word operations: the places of a kind, those where nothing stands, rows of tables. Quantifiers,
//! comprehensions and counts over such conditions need no loop then. A walk along a constant table visits a constant
//! set of places up to the first that stops it, so it is the row of a table cut at that place.

#[cfg(test)]
mod tests;

use crate::ir::effects::Effects;
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Fold, Game, IdentityTerm, LocalId, Over,
    PlacementForm, PlacementId, Table, TableId, Type, UnaryOp, WalkGive,
};
use crate::source::Span;

use super::specialise::compose::evaluate;
use crate::ir::walk::{blocks_mut, rewrite_block};

/// Nodes that a set may have which takes the place of a condition.
const NODES: usize = 80;
/// Members for which a condition that depends on nothing else is computed.
const MEMBERS: usize = 1024;

/// Members that are added up one by one, without a loop.
const TERMS: usize = 8;

/// Replaces what it can in all functions.
pub fn run(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let first = game.tables.len();
    let mut lift = Lift {
        game: game.clone(),
        effects: &effects,
        first,
    };
    blocks_mut(game, &mut |block| {
        rewrite_block(block, &mut |expr| lift.rewrite(expr));
    });
    let identities = game.identities.iter();
    let terms: Vec<Vec<IdentityTerm>> = identities
        .map(|identity| {
            let terms = identity.terms.iter();
            terms.flat_map(|term| lift.term(term)).collect()
        })
        .collect();
    game.tables.extend(lift.game.tables.drain(first..));
    for (identity, terms) in game.identities.iter_mut().zip(terms) {
        identity.terms = terms;
    }
}

/// For how many members of `over` a condition on `local` holds, without a loop.
pub(super) fn count(
    game: &Game,
    effects: &Effects,
    (local, over): (LocalId, &Over),
    when: &Expr,
) -> Option<Expr> {
    let mut lift = Lift {
        game: game.clone(),
        effects,
        first: game.tables.len(),
    };
    let ty = Expr::fold(Fold::Count, local, over.clone(), when.clone()).ty;
    let count = lift.fold(Fold::Count, local, over, when, &ty);
    count.filter(is_small)
}

struct Lift<'a> {
    /// The game as it was, with the tables that are made: what is rewritten already looks things up in them.
    game: Game,
    effects: &'a Effects,
    /// The number of tables before.
    first: usize,
}

/// A direction in which the numbers of places run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    Up,
    Down,
}

impl Lift<'_> {
    fn rewrite(&mut self, expr: &mut Expr) {
        let new = match &expr.kind {
            ExprKind::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => self.walk(start, *step, *local, pass, *give),
            ExprKind::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(*fold, *local, over, body, &expr.ty),
            ExprKind::Collect { local, over, when } => {
                let Type::Set(domain) = expr.ty else { return };
                self.held(*local, domain, over, when)
            }
            _ => None,
        };
        if let Some(new) = new.filter(|new| new.ty == expr.ty && is_small(new)) {
            *expr = new.at(expr.span);
        }
    }

    /// What is compared member by member as sets that are compared as a whole, if all of it can be.
    fn term(&mut self, term: &IdentityTerm) -> Vec<IdentityTerm> {
        let IdentityTerm::Each {
            domain,
            when,
            values,
        } = term
        else {
            return vec![term.clone()];
        };
        match self.sets_of_members(*domain, when, values) {
            Some(sets) => sets.into_iter().map(IdentityTerm::Value).collect(),
            None => vec![term.clone()],
        }
    }

    fn sets_of_members(
        &mut self,
        domain: DomainId,
        when: &Expr,
        values: &[Expr],
    ) -> Option<Vec<Expr>> {
        let member = LocalId(0);
        let held = self.set_of(when, member, domain)?;
        let mut implied = false;
        let mut sets = Vec::new();
        for value in values {
            let within = |set: Expr| Expr::binary(BinaryOp::Intersect, held.clone(), set);
            if let Some(placement) = content_of(value, member) {
                let kinds = self.anonymous(placement, domain)?;
                let all = self.occupied(placement, domain, value.span)?;
                let exactly = all == held;
                implied |= exactly;
                for kind in 0..self.game.domain(kinds).len() as u32 {
                    let kind = Expr::elem(kinds, kind, value.span);
                    let places = self.places(placement, kind, domain);
                    sets.push(if exactly { places } else { within(places) });
                }
            } else if value.ty == Type::Bool {
                sets.push(within(self.set_of(value, member, domain)?));
            } else {
                return None;
            }
        }
        if !implied {
            sets.push(held);
        }
        Some(sets)
    }

    /// A quantifier or count without a loop.
    fn fold(
        &mut self,
        fold: Fold,
        local: LocalId,
        over: &Over,
        body: &Expr,
        ty: &Type,
    ) -> Option<Expr> {
        let domain = match over {
            Over::Domain(domain) => *domain,
            Over::Set(set) => set_domain(set)?,
            _ => return None,
        };
        let span = body.span;
        let empty = Expr::constant(Const::Set(Vec::new()), Type::Set(domain), span);
        match fold {
            Fold::Exists => {
                let held = self.held(local, domain, over, body)?;
                Some(Expr::binary(BinaryOp::Ne, held, empty))
            }
            Fold::Forall => {
                let left = complement(self.set_of(body, local, domain)?);
                let left = match over {
                    Over::Set(set) => Expr::binary(BinaryOp::Intersect, set.clone(), left),
                    _ => left,
                };
                Some(Expr::binary(BinaryOp::Eq, left, empty))
            }
            Fold::Count => {
                let held = self.held(local, domain, over, body)?;
                Some(Expr::new(ExprKind::Size(Box::new(held)), ty.clone(), span))
            }
            Fold::Sum => self.sum(local, domain, over, body, ty),
            _ => None,
        }
    }

    /// A sum over those members alone for which anything is added, as far as constants tell; few of them are added up as they are.
    fn sum(
        &mut self,
        local: LocalId,
        domain: DomainId,
        over: &Over,
        body: &Expr,
        ty: &Type,
    ) -> Option<Expr> {
        let ExprKind::If(cond, value, none) = &body.kind else {
            return None;
        };
        if none.as_const() != Some(&Const::Int(0)) || !mentions(cond, local) {
            return None;
        }
        let held = self.tabulated(cond, local, domain)?;
        let members = match (held.as_const(), over) {
            (Some(Const::Set(members)), Over::Domain(_)) if members.len() <= TERMS => members,
            _ => {
                let among = match over {
                    Over::Set(set) => Expr::binary(BinaryOp::Intersect, set.clone(), held),
                    _ => held,
                };
                let sum = Expr::fold(Fold::Sum, local, Over::Set(among), (**value).clone());
                return Some(Expr::new(sum.kind, ty.clone(), body.span));
            }
        };
        let terms = members.iter().map(|member| {
            let mut term = (**value).clone();
            let member = Expr::elem(domain, *member, body.span);
            replace_local(&mut term, local, &member);
            term
        });
        let sum = terms.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b));
        let sum = sum.unwrap_or_else(|| (**none).clone());
        Some(Expr::new(sum.kind, ty.clone(), body.span))
    }

    /// The members of a range for which a condition holds.
    fn held(&mut self, local: LocalId, domain: DomainId, over: &Over, when: &Expr) -> Option<Expr> {
        let held = self.set_of(when, local, domain)?;
        match over {
            Over::Domain(_) => Some(held),
            Over::Set(set) => Some(Expr::binary(BinaryOp::Intersect, set.clone(), held)),
            _ => None,
        }
    }

    /// The members of a domain for which a condition on a local variable holds, if it never faults.
    fn set_of(&mut self, cond: &Expr, local: LocalId, domain: DomainId) -> Option<Expr> {
        let span = cond.span;
        let ty = Type::Set(domain);
        if !mentions(cond, local) {
            let effect = self.effects.expr(&self.game, cond);
            if effect.may_fault || effect.works || !effect.reads.env.is_empty() {
                return None;
            }
            let all = self.all(domain, span);
            let none = Expr::constant(Const::Set(Vec::new()), ty, span);
            return Some(match cond.as_const() {
                Some(Const::Bool(true)) => all,
                Some(Const::Bool(false)) => none,
                _ => Expr::select(cond.clone(), all, none),
            });
        }
        if let Some(set) = self.tabulated(cond, local, domain) {
            return Some(set);
        }
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => Some(complement(self.set_of(a, local, domain)?)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = (
                    self.set_of(a, local, domain)?,
                    self.set_of(b, local, domain)?,
                );
                let op = match op {
                    BinaryOp::And => BinaryOp::Intersect,
                    _ => BinaryOp::Union,
                };
                Some(Expr::binary(op, a, b))
            }
            ExprKind::Binary(BinaryOp::In, a, set) => {
                let plain = is_local(a, local) && !mentions(set, local) && set.ty == ty;
                (plain && self.is_total(set)).then(|| (**set).clone())
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let set = match (self.stands(a, b, local, domain), is_local(a, local)) {
                    (Some(set), _) => set,
                    (None, true) if !mentions(b, local) && self.is_total(b) => {
                        Expr::new(ExprKind::SetOf(vec![(**b).clone()]), ty, span)
                    }
                    _ => return None,
                };
                Some(match op {
                    BinaryOp::Eq => set,
                    _ => complement(set),
                })
            }
            ExprKind::IsSome(a) => self.occupied(content_of(a, local)?, domain, span),
            ExprKind::Lookup(table, index) => {
                let [index] = &index[..] else { return None };
                self.by_kind(*table, content_of(index, local)?, domain, span)
            }
            _ => None,
        }
    }

    fn is_total(&self, expr: &Expr) -> bool {
        let effect = self.effects.expr(&self.game, expr);
        !(effect.may_fault || effect.works) && effect.reads.env.is_empty()
    }

    fn all(&self, domain: DomainId, span: Span) -> Expr {
        let members = (0..self.game.domain(domain).len() as u32).collect();
        Expr::constant(Const::Set(members), Type::Set(domain), span)
    }

    /// A condition that depends on the member alone, as a constant.
    fn tabulated(&self, cond: &Expr, local: LocalId, domain: DomainId) -> Option<Expr> {
        let count = self.game.domain(domain).len();
        if count > MEMBERS {
            return None;
        }
        let mut members = Vec::new();
        for member in 0..count as u32 {
            match evaluate(&self.game, cond, local, member)? {
                Const::Bool(true) => members.push(member),
                Const::Bool(false) => {}
                _ => return None,
            }
        }
        Some(Expr::constant(
            Const::Set(members),
            Type::Set(domain),
            cond.span,
        ))
    }

    /// A placement of kinds whose places are this domain.
    fn anonymous(&self, placement: PlacementId, domain: DomainId) -> Option<DomainId> {
        let found = self.game.placement(placement);
        let fits = found.form == PlacementForm::Anonymous && found.places == domain;
        fits.then_some(found.pieces)
    }

    fn places(&self, placement: PlacementId, kind: Expr, domain: DomainId) -> Expr {
        let span = kind.span;
        let kind = ExprKind::Places(placement, Box::new(kind));
        Expr::new(kind, Type::Set(domain), span)
    }

    /// The places where something stands.
    fn occupied(&self, placement: PlacementId, domain: DomainId, span: Span) -> Option<Expr> {
        let kinds = self.anonymous(placement, domain)?;
        let count = self.game.domain(kinds).len() as u32;
        let of = |kind| self.places(placement, Expr::elem(kinds, kind, span), domain);
        (0..count)
            .map(of)
            .reduce(|all, one| Expr::binary(BinaryOp::Union, all, one))
    }

    /// The places whose content is equal to a value.
    fn stands(&self, a: &Expr, b: &Expr, local: LocalId, domain: DomainId) -> Option<Expr> {
        let (placement, value) = match (content_of(a, local), content_of(b, local)) {
            (Some(placement), None) => (placement, b),
            (None, Some(placement)) => (placement, a),
            _ => return None,
        };
        let kinds = self.anonymous(placement, domain)?;
        match &value.kind {
            ExprKind::Const(Const::None) => {
                Some(complement(self.occupied(placement, domain, value.span)?))
            }
            ExprKind::Const(Const::Elem(kind)) => {
                let kind = Expr::elem(kinds, *kind, value.span);
                Some(self.places(placement, kind, domain))
            }
            ExprKind::Some(kind) if !mentions(kind, local) && self.is_total(kind) => {
                Some(self.places(placement, (**kind).clone(), domain))
            }
            _ => None,
        }
    }

    /// The places where a table of kinds says yes.
    fn by_kind(
        &self,
        table: TableId,
        placement: PlacementId,
        domain: DomainId,
        span: Span,
    ) -> Option<Expr> {
        let kinds = self.anonymous(placement, domain)?;
        let table = self.game.table(table);
        if table.ty != Type::Bool || table.axes != [Axis::Domain(kinds)] {
            return None;
        }
        let empty = match table.outside {
            Some(Const::Bool(value)) => value,
            _ => return None,
        };
        // The fewer kinds are those to name.
        let is = |kind: usize| table.values.get(kind) == Some(&Const::Bool(true));
        let picked = (0..self.game.domain(kinds).len()).filter(|&kind| is(kind) != empty);
        let of = |kind: usize| self.places(placement, Expr::elem(kinds, kind as u32, span), domain);
        let none = Expr::constant(Const::Set(Vec::new()), Type::Set(domain), span);
        let set = picked
            .map(of)
            .reduce(|all, one| Expr::binary(BinaryOp::Union, all, one))
            .unwrap_or(none);
        Some(match empty {
            true => complement(set),
            false => set,
        })
    }

    /// A walk as a row of a table, cut at the first place that stops it.
    fn walk(
        &mut self,
        start: &Expr,
        step: TableId,
        local: LocalId,
        pass: &Expr,
        give: WalkGive,
    ) -> Option<Expr> {
        let Type::Opt(domain) = start.ty else {
            return None;
        };
        let stops = complement(self.set_of(pass, local, domain)?);
        let (index, by, starts) = self.starts(start, domain)?;
        let rows = self.rays(&starts, step)?;
        let runs = runs(&rows)?;
        let set = Type::Set(domain);
        let span = start.span;
        let table = self.table(step, by, domain, rows, span);
        let ray = Expr::new(ExprKind::Lookup(table, vec![index]), set.clone(), span);
        let cut = match runs {
            Runs::Up => BinaryOp::UpTo,
            Runs::Down => BinaryOp::DownTo,
        };
        let reached = |ray: Expr| Expr::binary(cut, ray, stops.clone());
        Some(match give {
            WalkGive::Reached => reached(ray),
            WalkGive::Passed => Expr::binary(BinaryOp::Minus, reached(ray), stops.clone()),
            WalkGive::Length => {
                let passed = Expr::binary(BinaryOp::Minus, reached(ray), stops.clone());
                let most = self.game.domain(domain).len() as i64;
                let ty = Type::Int { lo: 0, hi: most };
                Expr::new(ExprKind::Size(Box::new(passed)), ty, span)
            }
            WalkGive::Stop => {
                let hit = Expr::binary(BinaryOp::Intersect, ray, stops.clone());
                let first = ExprKind::First {
                    local,
                    over: Box::new(Over::Set(reached(hit))),
                    when: Box::new(Expr::bool(true, span)),
                };
                Expr::new(first, Type::Opt(domain), span)
            }
            WalkGive::Last => return None,
        })
    }

    /// A member that tells where a walk starts, its domain, and the start for each member.
    fn starts(&self, start: &Expr, domain: DomainId) -> Option<(Expr, DomainId, Vec<Option<u32>>)> {
        match &start.kind {
            ExprKind::Some(place) => {
                let count = self.game.domain(domain).len() as u32;
                Some(((**place).clone(), domain, (0..count).map(Some).collect()))
            }
            ExprKind::Lookup(table, index) => {
                let table = self.game.table(*table);
                let ([by], [Axis::Domain(domain)]) = (&index[..], &table.axes[..]) else {
                    return None;
                };
                if by.ty != Type::Elem(*domain) {
                    return None;
                }
                let starts = table.values.iter().map(|value| match value {
                    Const::Elem(place) => Some(Some(*place)),
                    Const::None => Some(None),
                    _ => None,
                });
                Some((by.clone(), *domain, starts.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The places on the way from each start; nothing if a way comes back to itself.
    fn rays(&self, starts: &[Option<u32>], step: TableId) -> Option<Vec<Vec<u32>>> {
        let table = self.game.table(step);
        let next = |place: u32| match table.values.get(place as usize) {
            Some(Const::Elem(next)) => Some(*next),
            _ => None,
        };
        let ray = |start: &Option<u32>| {
            let mut ray = Vec::new();
            let mut at = *start;
            while let Some(place) = at {
                if ray.len() > table.values.len() {
                    return None;
                }
                ray.push(place);
                at = next(place);
            }
            Some(ray)
        };
        starts.iter().map(ray).collect()
    }

    fn table(
        &mut self,
        step: TableId,
        by: DomainId,
        domain: DomainId,
        rows: Vec<Vec<u32>>,
        span: Span,
    ) -> TableId {
        let values: Vec<Const> = rows
            .into_iter()
            .map(|mut row| {
                row.sort_unstable();
                Const::Set(row)
            })
            .collect();
        let axes = vec![Axis::Domain(by)];
        let ty = Type::Set(domain);
        let same = |table: &Table| table.axes == axes && table.ty == ty && table.values == values;
        if let Some(known) = self.game.tables[self.first..].iter().position(same) {
            return TableId::from(self.first + known);
        }
        let step = &self.game.table(step).name;
        let taken = |name: &str| self.game.tables.iter().any(|table| table.name == name);
        let mut names = (1..).map(|number| match number {
            1 => format!("ray {step}"),
            _ => format!("ray {step} {number}"),
        });
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        self.game.tables.push(Table {
            name,
            axes,
            ty,
            values,
            outside: None,
            span,
        });
        TableId::from(self.game.tables.len() - 1)
    }
}

/// The direction in which the numbers run on all rows.
fn runs(rows: &[Vec<u32>]) -> Option<Runs> {
    let mut pairs = rows.iter().flat_map(|row| row.windows(2));
    if pairs.clone().all(|pair| pair[0] < pair[1]) {
        return Some(Runs::Up);
    }
    pairs.all(|pair| pair[0] > pair[1]).then_some(Runs::Down)
}

fn complement(set: Expr) -> Expr {
    match set.kind {
        ExprKind::Unary(UnaryOp::Complement, inner) => *inner,
        _ => Expr::unary(UnaryOp::Complement, set),
    }
}

fn set_domain(set: &Expr) -> Option<DomainId> {
    match set.ty {
        Type::Set(domain) => Some(domain),
        _ => None,
    }
}

fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Local(other) if other == local)
}

/// The placement whose content at the member is asked for.
fn content_of(expr: &Expr, local: LocalId) -> Option<PlacementId> {
    match &expr.kind {
        ExprKind::Content(placement, at) if is_local(at, local) => Some(*placement),
        _ => None,
    }
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= is_local(expr, local));
    found
}

fn is_small(expr: &Expr) -> bool {
    let mut nodes = 0;
    expr.walk(&mut |_| nodes += 1);
    nodes <= NODES
}

/// Puts a value in the place of a local variable.
fn replace_local(expr: &mut Expr, local: LocalId, value: &Expr) {
    if expr.kind == ExprKind::Local(local) {
        *expr = value.clone().at(expr.span);
        return;
    }
    expr.children_mut(&mut |child| replace_local(child, local, value));
}
