//! Planes: sets kept beside a placement of pieces with identity, so that many candidates are tested at once.
//!
//! The places where a piece stands are one set, the pieces that stand on the places of a constant set are another; both follow
//! every change of the placement. A test of a place that asks no more than what is free, and what the place alone tells,
//! is then an operation on such sets, and the candidates that pass it are had without a loop.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

mod origins;

use super::classes::Classes;
use super::code::complement;
use super::slices::Group;
use super::{Body, Generator};
use crate::ir::value::evaluate;
use crate::ir::visit::{free_locals, only_denies, only_gives, walk_exprs};
use crate::ir::{
    Axis, BinaryOp, Const, DomainId, Expr, ExprKind, Family, Function, Game, LocalId, Over, Param,
    ParamSource, PlacementForm, PlacementId, Stmt, StmtKind, TableId, Type, UnaryOp,
};

/// Steps into which a table of places is taken apart at most.
const MOST_STEPS: usize = 8;
/// Classes of candidates that are taken apart as sets.
const FEW_KINDS: usize = 4;
/// Calls inside of calls that are followed.
const DEPTH: usize = 4;

/// The list of a group as a set.
pub(super) struct Lifted {
    pub(super) set: TokenStream,
    /// Whether all members are alike: with `DISTINCT` one of them stands for all.
    pub(super) alike: bool,
    /// Whether it takes no more than a few operations on sets that are kept.
    pub(super) quick: bool,
    /// The placement on which all members stand, the second parameter being their place.
    pub(super) stands: Option<PlacementId>,
}

/// The constant sets of places of which it is kept which pieces stand on them.
pub(super) fn place_sets(game: &Game, placement: PlacementId) -> Vec<Vec<u32>> {
    let mut sets = Vec::new();
    for family in &game.families {
        for param in &family.params {
            let ParamSource::Is(expr) = &param.source else {
                continue;
            };
            if let Some((found, _, set)) = stands_on(game, expr)
                && found == placement
                && !sets.contains(&set)
            {
                sets.push(set);
            }
        }
    }
    sets
}

/// Whether the set of places with a piece is kept: guards ask about candidates for a place, and more than what is counted.
pub(super) fn keeps_taken(game: &Game, placement: PlacementId) -> bool {
    let found = game.placement(placement);
    let place = Type::Elem(found.places);
    let asked = |family: &Family| {
        let listed = |param: &Param| {
            param.ty == place && matches!(param.source, ParamSource::All | ParamSource::Among(_))
        };
        let mut params = (0..family.params.len()).filter(|&param| listed(&family.params[param]));
        family.guard.is_some()
            && params.any(|param| {
                !counts_alone(game, family) || free_set(game, placement, family, param).is_none()
            })
    };
    found.form == PlacementForm::One && game.families.iter().any(asked)
}

/// Whether a guard asks nothing of its parameters but whether they are free places, and what does not depend on places.
fn counts_alone(game: &Game, family: &Family) -> bool {
    let context = family.context.len();
    let tests = family
        .guard
        .and_then(|guard| conjuncts(&game.function(guard).body));
    let plain = |test: &Expr| {
        let params = free_locals(test)
            .into_iter()
            .filter(|local| local.index() >= context);
        params.count() == 0 || is_free(test).is_some() || !looks_at_places(test)
    };
    tests.is_some_and(|tests| tests.iter().all(plain))
}

/// The constant sets of places of which the free ones are counted: those that random moves go to if they are free. How many are left
/// is then known before it is known where the last piece went, so that one draw does not wait for the one before it.
pub(super) fn free_sets(game: &Game, placement: PlacementId) -> Vec<Vec<u32>> {
    let mut sets = Vec::new();
    for family in &game.families {
        for param in 0..family.params.len() {
            if let Some(set) = free_set(game, placement, family, param)
                && !sets.contains(&set)
            {
                sets.push(set);
            }
        }
    }
    sets
}

/// The candidates for a parameter of which the free ones are counted.
fn free_set(
    game: &Game,
    placement: PlacementId,
    family: &Family,
    param: usize,
) -> Option<Vec<u32>> {
    let tests = conjuncts(&game.function(family.guard?).body)?;
    let local = LocalId::from(family.context.len() + param);
    let mut own = tests
        .iter()
        .filter(|test| free_locals(test).contains(&local));
    let (Some(test), None) = (own.next(), own.next()) else {
        return None;
    };
    let (found, places) = (game.placement(placement), game.placement(placement).places);
    let param = &family.params[param];
    let fits = param.ty == Type::Elem(places)
        && is_free(test) == Some((placement, local))
        && found.form == PlacementForm::One;
    let set = members_of(game, &param.source, places)?;
    fits.then_some(set)
}

/// The constant set of places of which an expression is the free ones: `collect(place: not(is_some(at[place]))) & set`.
pub(super) fn free_among<'e>(game: &Game, expr: &'e Expr) -> Option<(PlacementId, &'e [u32])> {
    let ExprKind::Binary(BinaryOp::Intersect, all, among) = &expr.kind else {
        return None;
    };
    let (ExprKind::Collect { local, over, when }, Some(Const::Set(set))) =
        (&all.kind, among.as_const())
    else {
        return None;
    };
    let (placement, place) = is_free(when)?;
    let whole =
        matches!(&**over, Over::Domain(domain) if *domain == game.placement(placement).places);
    (whole && place == *local).then_some((placement, &set[..]))
}

/// The members that a parameter takes, where constants tell them.
fn members_of(game: &Game, source: &ParamSource, domain: DomainId) -> Option<Vec<u32>> {
    match source {
        ParamSource::All => Some((0..game.domain(domain).len() as u32).collect()),
        ParamSource::Among(list) => Some(list.clone()),
        _ => None,
    }
}

/// What a condition is asked of.
#[derive(Clone, Copy)]
struct Asked<'a> {
    local: LocalId,
    domain: DomainId,
    /// The members that matter; all where there is nothing.
    members: Option<&'a [u32]>,
}

impl<'a> Asked<'a> {
    fn of(local: LocalId, domain: DomainId, members: &'a [u32]) -> Self {
        Asked {
            local,
            domain,
            members: Some(members),
        }
    }
}

/// What a body that only computes a truth asks at once: nothing where it does more than that. What it gives names to stands
/// for these.
fn conjuncts(body: &[Stmt]) -> Option<Vec<Expr>> {
    let (last, named) = body.split_last()?;
    let StmtKind::Return(Some(value)) = &last.kind else {
        return None;
    };
    let mut known = SortedMap::new();
    for stmt in named {
        let StmtKind::Let(local, value) = &stmt.kind else {
            return None;
        };
        let value = substitute(value, &known)?;
        known.insert(*local, value);
    }
    let (mut open, mut all) = (vec![value], Vec::new());
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => open.extend([&**left, &**right]),
            _ if known.is_empty() => all.push(expr.clone()),
            _ => all.push(substitute(expr, &known)?),
        }
    }
    Some(all)
}

/// Whether a test asks what stands somewhere, or where something stands.
fn looks_at_places(test: &Expr) -> bool {
    let mut found = false;
    test.walk(&mut |expr| {
        found |= !matches!(
            expr.kind,
            ExprKind::Const(_)
                | ExprKind::Local(_)
                | ExprKind::Lookup(..)
                | ExprKind::Var(..)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
        );
    });
    found
}

/// The placement and the place of a question whether a place is free.
fn is_free(test: &Expr) -> Option<(PlacementId, LocalId)> {
    let ExprKind::Unary(UnaryOp::Not, inner) = &test.kind else {
        return None;
    };
    let ExprKind::IsSome(inner) = &inner.kind else {
        return None;
    };
    match &inner.kind {
        ExprKind::Content(placement, at) => match &at.kind {
            ExprKind::Local(local) => Some((*placement, *local)),
            _ => None,
        },
        _ => None,
    }
}

/// The place of a piece if that is one of a constant set: the placement, the variable of the piece, the set.
pub(super) fn stands_on(game: &Game, expr: &Expr) -> Option<(PlacementId, LocalId, Vec<u32>)> {
    let ExprKind::If(test, yes, no) = &expr.kind else {
        return None;
    };
    let (ExprKind::Lookup(table, index), ExprKind::PlaceOf(placement, piece)) =
        (&test.kind, &yes.kind)
    else {
        return None;
    };
    let (ExprKind::Local(local), [index]) = (&piece.kind, &index[..]) else {
        return None;
    };
    let places = game.placement(*placement).places;
    let table = game.table(*table);
    let plain = no.as_const() == Some(&Const::None)
        && index == &**yes
        && table.axes == [Axis::Domain(places)]
        && table.outside == Some(Const::Bool(false))
        && game.placement(*placement).form == PlacementForm::One;
    let held = (0u32..).zip(&table.values);
    let held = held.filter(|(_, value)| **value == Const::Bool(true));
    plain.then(|| (*placement, *local, held.map(|(place, _)| place).collect()))
}

impl Generator<'_> {
    /// The counted set that is the list of a group whose places only have to be free: the field, and its words.
    pub(super) fn counted_list(
        &self,
        family: &Family,
        group: &Group,
        classes: Option<&Classes>,
    ) -> Option<(&Ident, usize)> {
        let (&[param], [Some(test)]) = (&group.params[..], &group.tests[..]) else {
            return None;
        };
        let test = self.as_expr(&test.body, SortedMap::new(), DEPTH)?;
        let (placement, local) = is_free(&test)?;
        let places = self.game.placement(placement).places;
        let members = members_of(self.game, &family.params[param].source, places)?;
        let mut known = self.placement(placement).free.iter();
        let (set, field) = known.find(|(set, _)| *set == members)?;
        let own = local == LocalId::from(family.context.len() + param);
        let candidates = SortedMap::from([(param, members)]);
        let alike = classes.map(|classes| kinds(classes, &group.params, &candidates));
        let apart = matches!(alike, None | Some(Kinds::Apart));
        (own && apart).then(|| (field, super::fields::counted_words(set)))
    }

    /// The list of a group as a set, without a loop; nothing where its tests do not allow it.
    pub(super) fn lifted_list(
        &self,
        family: &Family,
        group: &Group,
        classes: Option<&Classes>,
    ) -> Option<Lifted> {
        if let Some((quotient, mover)) = self.moved_group(family, group) {
            return self.lifted_origins(family, group, classes, quotient, mover);
        }
        let (&first, others) = group.params.split_first()?;
        let param = &family.params[first];
        let Type::Elem(domain) = param.ty else {
            return None;
        };
        let members = members_of(self.game, &param.source, domain)?;
        let local = LocalId::from(family.context.len() + first);
        let (set, seconds) = match (others, &group.tests[..]) {
            ([], [test]) => {
                let set = match test {
                    Some(test) => self.passing(test, &Asked::of(local, domain, &members))?,
                    None => self.all_of(domain),
                };
                (set, None)
            }
            (&[second], [None, None]) => {
                let ParamSource::Is(expr) = &family.params[second].source else {
                    return None;
                };
                let (placement, piece, places) = stands_on(self.game, expr)?;
                let names = self.placement(placement);
                let (_, field) = names.on.iter().find(|(set, _)| *set == places)?;
                if piece != local {
                    return None;
                }
                (quote!(s.#field), Some((second, places, placement)))
            }
            _ => return None,
        };
        let among = self.set_literal(&members, domain);
        let set = match members.len() == self.game.domain(domain).len() {
            true => set,
            false => quote!((#set) & #among),
        };
        let mut candidates = SortedMap::from([(first, members)]);
        let stands = seconds.as_ref().map(|(_, _, placement)| *placement);
        candidates.extend(seconds.map(|(second, places, _)| (second, places)));
        let (set, alike) = match classes.map(|classes| kinds(classes, &group.params, &candidates)) {
            None | Some(Kinds::Apart) => (set, false),
            // Nothing to choose from has no class.
            Some(Kinds::Few(kinds)) if kinds.is_empty() => (set, false),
            Some(Kinds::Same) => (set, true),
            Some(Kinds::Few(kinds)) => {
                let each = kinds.iter().map(|kind| {
                    let kind = self.set_literal(kind, domain);
                    quote!((all & #kind).least())
                });
                let set = quote!({
                    let all = #set;
                    if DISTINCT { #(#each)|* } else { all }
                });
                (set, false)
            }
            Some(Kinds::Mixed) => return None,
        };
        // Sets that rules ask for may take long to make.
        let asks = |test: &Function| {
            let mut found = false;
            let cond = self.as_expr(&test.body, SortedMap::new(), DEPTH);
            cond.iter().for_each(|cond| {
                cond.walk(&mut |expr| {
                    found |= matches!(expr.kind, ExprKind::Binary(BinaryOp::In, ..));
                });
            });
            found
        };
        let quick = !group.tests.iter().flatten().any(asks);
        Some(Lifted {
            set,
            alike,
            quick,
            stands,
        })
    }

    fn all_of(&self, domain: DomainId) -> TokenStream {
        let members: Vec<u32> = (0..self.game.domain(domain).len() as u32).collect();
        self.set_literal(&members, domain)
    }

    /// The members that pass a test.
    fn passing(&self, test: &Function, asked: &Asked<'_>) -> Option<TokenStream> {
        let known = SortedMap::new();
        let cond = self.as_expr(&test.body, known, DEPTH)?;
        self.passing_expr(&cond, asked)
    }

    /// What a body that only computes gives, as one expression.
    pub(super) fn as_expr(
        &self,
        body: &[Stmt],
        mut known: SortedMap<LocalId, Expr>,
        depth: usize,
    ) -> Option<Expr> {
        let mut held: Option<Expr> = None;
        let join = |held: Option<Expr>, next: Expr| match held {
            Some(held) => held.and(next),
            None => next,
        };
        for (at, stmt) in body.iter().enumerate() {
            // A fault in what nobody asks for is a fault.
            let unused = |local: LocalId| !names(&body[at + 1..], local);
            match &stmt.kind {
                StmtKind::Let(local, value)
                    if unused(*local) && self.effects.expr(self.game, value).may_fault =>
                {
                    return None;
                }
                StmtKind::Call {
                    func,
                    into: Some(into),
                    ..
                } if unused(*into) && self.may_fault(*func) => return None,
                StmtKind::Let(local, value) => {
                    let value = substitute(value, &known)?;
                    known.insert(*local, value);
                }
                StmtKind::Call {
                    func,
                    args,
                    into: Some(into),
                } if depth > 0 && !self.effects.is_recursive(*func) => {
                    let args = args.iter().map(|arg| substitute(arg, &known));
                    let args: Vec<Expr> = args.collect::<Option<_>>()?;
                    let given = (0..).map(LocalId::from).zip(args).collect();
                    let value = self.as_expr(&self.game.function(*func).body, given, depth - 1)?;
                    known.insert(*into, value);
                }
                StmtKind::If(cond, yes, no) if no.is_empty() && only_denies(yes) => {
                    let test = substitute(cond, &known)?.not();
                    held = Some(join(held, test));
                }
                StmtKind::If(cond, yes, no) if no.is_empty() && only_gives(yes, true) => {
                    let test = substitute(cond, &known)?;
                    let rest = self.as_expr(&body[at + 1..], known, depth)?;
                    return Some(join(held, test.or(rest)));
                }
                StmtKind::Return(Some(value)) => {
                    return Some(join(held, substitute(value, &known)?));
                }
                _ => return None,
            }
        }
        None
    }

    /// All members of a domain for which a condition on one variable holds, as an operation on sets.
    pub(super) fn passing_all(
        &self,
        local: LocalId,
        domain: DomainId,
        when: &Expr,
    ) -> Option<TokenStream> {
        let asked = Asked {
            local,
            domain,
            members: None,
        };
        self.passing_expr(when, &asked)
    }

    /// Those of some members of a domain for which a condition on one variable holds, beside others for which nobody asks.
    pub(super) fn passing_among(
        &self,
        local: LocalId,
        domain: DomainId,
        members: &[u32],
        when: &Expr,
    ) -> Option<TokenStream> {
        self.passing_expr(when, &Asked::of(local, domain, members))
    }

    /// The members of a domain for which a condition on one variable holds.
    fn passing_expr(&self, cond: &Expr, asked: &Asked<'_>) -> Option<TokenStream> {
        let (local, domain) = (asked.local, asked.domain);
        let locals = free_locals(cond);
        if locals.is_empty() {
            let needs = self.expr_needs(cond);
            if needs.cx || needs.env || needs.state_mut {
                return None;
            }
            let value = self.plain_body(&[cond]).expr(cond).tokens;
            let all = self.all_of(domain);
            return Some(quote!((if #value { #all } else { rt::BitSet::EMPTY })));
        }
        if locals != [local] {
            return None;
        }
        if let Some(members) = self.constant_members(cond, domain) {
            return Some(self.set_literal(&members, domain));
        }
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => {
                let (all, set) = (self.all_of(domain), self.passing_expr(a, asked)?);
                Some(complement(&all, set))
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                if let Some(set) = self.guarded_step(a, b, asked) {
                    return Some(set);
                }
                let first = self.passing_expr(a, asked)?;
                // What constants rule out already is not asked.
                let among = self.constant_members(a, domain).map(|mut among| {
                    among.retain(|member| asked.members.is_none_or(|all| all.contains(member)));
                    among
                });
                let asked = Asked {
                    members: among.as_deref().or(asked.members),
                    ..*asked
                };
                let second = self.passing_expr(b, &asked)?;
                Some(quote!((#first & #second)))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                // What is asked where there is a neighbour, and holds where there is none.
                let there = match &a.kind {
                    ExprKind::Unary(UnaryOp::Not, there) => Some(there),
                    _ => None,
                };
                let step = there.and_then(|there| self.guarded_step(there, b, asked));
                let a = self.passing_expr(a, asked)?;
                let b = match step {
                    Some(step) => step,
                    None => self.passing_expr(b, asked)?,
                };
                Some(quote!((#a | #b)))
            }
            ExprKind::Binary(BinaryOp::In, member, set)
                if member.kind == ExprKind::Local(local) =>
            {
                let needs = self.expr_needs(set);
                if !free_locals(set).is_empty() || needs.cx || needs.env || needs.state_mut {
                    return None;
                }
                Some(self.plain_body(&[set]).expr(set).tokens)
            }
            ExprKind::IsSome(a) => match &a.kind {
                ExprKind::Content(placement, at) if at.kind == ExprKind::Local(local) => {
                    let names = self.placement(*placement);
                    let fits = self.game.placement(*placement).places == domain;
                    names.taken_in(&quote!(s)).filter(|_| fits)
                }
                ExprKind::Content(placement, at) => {
                    let fits = self.game.placement(*placement).places == domain;
                    let taken = self.placement(*placement).taken_in(&quote!(s));
                    self.led_into(at, &taken.filter(|_| fits)?, asked)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A condition on a neighbour that is asked only where there is one: the members whose neighbour passes it.
    fn guarded_step(&self, there: &Expr, then: &Expr, asked: &Asked<'_>) -> Option<TokenStream> {
        let (local, domain) = (asked.local, asked.domain);
        let ExprKind::IsSome(neighbour) = &there.kind else {
            return None;
        };
        let ExprKind::Lookup(table, index) = &neighbour.kind else {
            return None;
        };
        let id = *table;
        let table = self.game.table(id);
        let plain = table.axes == [Axis::Domain(domain)] && table.ty == Type::Opt(domain);
        if !plain || !matches!(&index[..], [index] if index.kind == ExprKind::Local(local)) {
            return None;
        }
        // The neighbour takes the place of the member, which must not be asked about beside it.
        let mut then = then.clone();
        let outer = LocalId::from(u32::MAX as usize / 2);
        rename(&mut then, local, outer);
        replace_neighbour(&mut then, id, outer, local, domain);
        if free_locals(&then) != [local] {
            return None;
        }
        let neighbours = Asked {
            members: None,
            ..*asked
        };
        let targets = self.passing_expr(&then, &neighbours)?;
        let mut steps: SortedMap<i64, Vec<u32>> = SortedMap::new();
        for (from, to) in (0u32..).zip(&table.values) {
            match to {
                // What is never asked needs no step.
                _ if asked
                    .members
                    .is_some_and(|members| !members.contains(&from)) => {}
                Const::Elem(to) => {
                    let by = i64::from(*to) - i64::from(from);
                    steps.entry(by).or_default().push(from);
                }
                Const::None => {}
                _ => return None,
            }
        }
        self.stepped(&targets, &steps, domain)
    }

    /// The members that constants lead into a set, where they lead each member that matters somewhere.
    fn led_into(&self, to: &Expr, targets: &TokenStream, asked: &Asked<'_>) -> Option<TokenStream> {
        if to.ty != Type::Elem(asked.domain) {
            return None;
        }
        let mut steps: SortedMap<i64, Vec<u32>> = SortedMap::new();
        let mut known = vec![None; asked.local.index() + 1];
        for from in 0..self.game.domain(asked.domain).len() as u32 {
            if asked
                .members
                .is_some_and(|members| !members.contains(&from))
            {
                continue;
            }
            known[asked.local.index()] = Some(Const::Elem(from));
            let Const::Elem(to) = evaluate(self.game, to, &known, DEPTH)? else {
                return None;
            };
            let by = i64::from(to) - i64::from(from);
            steps.entry(by).or_default().push(from);
        }
        self.stepped(targets, &steps, asked.domain)
    }

    /// The members from which a step leads into a set, by how far it leads.
    fn stepped(
        &self,
        targets: &TokenStream,
        steps: &SortedMap<i64, Vec<u32>>,
        domain: DomainId,
    ) -> Option<TokenStream> {
        if steps.len() > MOST_STEPS {
            return None;
        }
        let parts = steps.iter().map(|(by, from)| {
            let mask = self.set_literal(from, domain);
            let size = Literal::u32_unsuffixed(by.unsigned_abs() as u32);
            match by {
                0 => quote!(targets & #mask),
                1.. => quote!((targets >> #size) & #mask),
                _ => quote!((targets << #size) & #mask),
            }
        });
        let empty = self.set_literal(&[], domain);
        let parts = parts.chain(steps.is_empty().then_some(empty));
        Some(quote!({ let targets = #targets; #(#parts)|* }))
    }

    /// The members for which a condition holds that constants decide.
    fn constant_members(&self, cond: &Expr, domain: DomainId) -> Option<Vec<u32>> {
        let local = free_locals(cond).first().copied();
        let mut known = vec![None; local.map_or(0, |local| local.index() + 1)];
        let mut members = Vec::new();
        for member in 0..self.game.domain(domain).len() as u32 {
            if let Some(last) = known.last_mut() {
                *last = Some(Const::Elem(member));
            }
            match evaluate(self.game, cond, &known, DEPTH)? {
                Const::Bool(true) => members.push(member),
                Const::Bool(false) => {}
                _ => return None,
            }
        }
        Some(members)
    }
}

impl Body<'_> {
    /// The counted set that an expression is, if it is one.
    pub(super) fn counted_free_of(&self, expr: &Expr) -> Option<TokenStream> {
        let (placement, among) = free_among(self.generator.game, expr)?;
        let mut counted = self.generator.placement(placement).free.iter();
        let (_, field) = counted.find(|(set, _)| set == among)?;
        Some(quote!(s.#field))
    }
}

/// How the candidates of a group fall into classes.
enum Kinds {
    /// Each is a class of its own.
    Apart,
    /// All are one class.
    Same,
    /// They are few classes, these.
    Few(Vec<Vec<u32>>),
    Mixed,
}

fn kinds(classes: &Classes, params: &[usize], candidates: &SortedMap<usize, Vec<u32>>) -> Kinds {
    // Moves without classes are all different.
    if classes.components.is_empty() {
        return Kinds::Apart;
    }
    let all: Vec<_> = classes.within(params).collect();
    let numbers = |component: &super::classes::Component| -> Vec<usize> {
        let members = component.param.and_then(|param| candidates.get(&param));
        let members = members.map_or(&[][..], |members| members);
        members
            .iter()
            .map(|&member| component.numbers[member as usize])
            .collect()
    };
    let same = |numbers: &[usize]| numbers.windows(2).all(|pair| pair[0] == pair[1]);
    if !all.is_empty() && all.iter().all(|component| same(&numbers(component))) {
        return Kinds::Same;
    }
    let apart = |numbers: &[usize]| {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    if params.len() == 1 && all.iter().any(|component| apart(&numbers(component))) {
        return Kinds::Apart;
    }
    // Where only the first parameter tells classes apart, each class is a set of its members.
    let Some((first, members)) = params
        .first()
        .and_then(|first| candidates.get_key_value(first))
    else {
        return Kinds::Mixed;
    };
    type Part<'a> = Vec<&'a super::classes::Component>;
    let (own, others): (Part<'_>, Part<'_>) = all
        .iter()
        .copied()
        .partition(|component| component.param == Some(*first));
    let mut kinds: SortedMap<Vec<usize>, Vec<u32>> = SortedMap::new();
    for member in members {
        let kind = own
            .iter()
            .map(|component| component.numbers[*member as usize]);
        kinds.entry(kind.collect()).or_default().push(*member);
    }
    match others.iter().all(|component| same(&numbers(component))) && kinds.len() <= FEW_KINDS {
        true => Kinds::Few(kinds.into_values().collect()),
        false => Kinds::Mixed,
    }
}

/// Whether statements read a variable.
fn names(block: &[Stmt], local: LocalId) -> bool {
    let mut found = false;
    walk_exprs(block, &mut |expr| {
        found |= expr.kind == ExprKind::Local(local)
    });
    found
}

/// An expression with values for variables; nothing where it binds variables itself or reads the environment.
fn substitute(expr: &Expr, known: &SortedMap<LocalId, Expr>) -> Option<Expr> {
    let mut plain = true;
    // What is put in must not mean something else where a set is collected.
    let means_more = |local: &LocalId| {
        let mut values = known.values();
        known.contains_key(local) || values.any(|value| free_locals(value).contains(local))
    };
    expr.walk(&mut |expr| {
        if let ExprKind::Collect { local, .. } = &expr.kind {
            plain &= !means_more(local);
        }
        plain &= !matches!(
            expr.kind,
            ExprKind::Fold { .. }
                | ExprKind::First { .. }
                | ExprKind::Walk { .. }
                | ExprKind::Closure { .. }
                | ExprKind::Env { .. }
                | ExprKind::EnvIsSet(_)
        );
    });
    let mut expr = expr.clone();
    put(&mut expr, known);
    plain.then_some(expr)
}

fn put(expr: &mut Expr, known: &SortedMap<LocalId, Expr>) {
    if let ExprKind::Local(local) = &expr.kind {
        if let Some(value) = known.get(local) {
            *expr = value.clone();
        }
        return;
    }
    expr.children_mut(&mut |child| put(child, known));
}

fn rename(expr: &mut Expr, from: LocalId, to: LocalId) {
    if expr.kind == ExprKind::Local(from) {
        expr.kind = ExprKind::Local(to);
    }
    expr.children_mut(&mut |child| rename(child, from, to));
}

/// Replaces the entry of a table for one variable by another variable.
fn replace_neighbour(
    expr: &mut Expr,
    table: TableId,
    outer: LocalId,
    local: LocalId,
    domain: DomainId,
) {
    if let ExprKind::Get(inner) = &expr.kind
        && let ExprKind::Lookup(found, index) = &inner.kind
        && *found == table
        && matches!(&index[..], [index] if index.kind == ExprKind::Local(outer))
    {
        *expr = Expr::local(local, Type::Elem(domain), expr.span);
        return;
    }
    expr.children_mut(&mut |child| replace_neighbour(child, table, outer, local, domain));
}
