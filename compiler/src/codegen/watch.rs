//! Candidates that cannot change how a position is judged: they are not tried.
//!
//! A predicate on the position after a move (no king is attacked) depends on what stands on some of the places only: on
//! those that hold what it looks for, and on those it looks across. While all of these are as they are, the judgement is
//! that of the position before the move. The set of these places is computed once for all candidates of a position, and
//! only candidates that change one of them are tried.

use rulec_ir::sorted::SortedSet;
use std::cell::RefCell;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::code::number;
use super::{Body, Generator};
use crate::ir::same::same;
use crate::ir::visit::walk_block;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Family, Fold, FuncId, Function, LocalId, Over, PlacementForm,
    PlacementId, Stmt, StmtKind, UnaryOp,
};

/// Places that a candidate may change, beyond which it is tried at once.
const MOST_PLACES: usize = 4;

/// A predicate, and the families that are judged by it.
pub(super) struct Watched<'g> {
    /// What it asks, without parameters of the move.
    asked: &'g Expr,
    placement: PlacementId,
    families: Vec<Watching<'g>>,
    /// The places that decide it, in the position `s`.
    places: Vec<TokenStream>,
}

/// A family, and what its candidates change.
struct Watching<'g> {
    family: usize,
    after: FuncId,
    places: Vec<&'g Expr>,
    kinds: SortedSet<u32>,
}

impl Watched<'_> {
    /// Whether candidates of a family, by its number, are judged by it.
    pub(super) fn is_of(&self, family: usize) -> bool {
        self.families.iter().any(|own| own.family == family)
    }
}

/// How the places that decide something are found.
struct Search<'a> {
    generator: &'a Generator<'a>,
    placement: PlacementId,
    /// Kinds that the candidates put on some place.
    kinds: &'a SortedSet<u32>,
    /// Kinds of which all places decide.
    anchors: RefCell<SortedSet<u32>>,
}

impl<'g> Generator<'g> {
    /// The predicates whose candidates need not all be tried.
    pub(super) fn watched(&self) -> Vec<Watched<'g>> {
        let mut all: Vec<Watched<'g>> = Vec::new();
        for (index, family) in self.game.families.iter().enumerate() {
            if let Some((asked, placement, watching)) = self.watching(index, family) {
                let known = |other: &&mut Watched<'_>| {
                    other.placement == placement && same(other.asked, asked)
                };
                match all.iter_mut().find(known) {
                    Some(known) => known.families.push(watching),
                    None => all.push(Watched {
                        asked,
                        placement,
                        families: vec![watching],
                        places: Vec::new(),
                    }),
                }
            }
        }
        all.into_iter()
            .filter_map(|watched| self.decided(watched))
            .collect()
    }

    /// What is asked of the position after the moves of a family, if they change few places, known beforehand, and nothing else
    /// that is asked for.
    fn watching(
        &self,
        index: usize,
        family: &'g Family,
    ) -> Option<(&'g Expr, PlacementId, Watching<'g>)> {
        let (after, effect) = (family.after?, family.effect?);
        if !self.is_judged(family) {
            return None;
        }
        let asked = only_value(self.game.function(after))?;
        let params = self.game.function(after).params;
        let mut alone = true;
        asked.walk(&mut |part| {
            alone &= !matches!(part.kind, ExprKind::Local(local) if local.index() < params);
        });
        let reads = self.effects.expr(self.game, asked).reads;
        let mut placements = reads.placements.iter();
        let (&placement, None) = (placements.next()?, placements.next()) else {
            return None;
        };
        let mut others = self.effects.function(effect).writes.clone();
        others.placements.remove(&placement);
        let anonymous = self.game.placement(placement).form == PlacementForm::Anonymous;
        if !alone || !anonymous || others.meets(&reads) {
            return None;
        }
        let (places, kinds) = self.changed(self.game.function(effect), placement)?;
        let watching = Watching {
            family: index,
            after,
            places,
            kinds: kinds?,
        };
        Some((asked, placement, watching))
    }

    /// The places of an anonymous placement that a function of the parameters of a move may write, each once, where they follow
    /// from the parameters alone and are few; and the kinds that it puts there, where constants tell them.
    pub(super) fn changed(
        &self,
        function: &'g Function,
        placement: PlacementId,
    ) -> Option<(Vec<&'g Expr>, Option<SortedSet<u32>>)> {
        let (mut places, mut kinds) = (Vec::<&Expr>::new(), Some(SortedSet::new()));
        let mut known = true;
        walk_block(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::SetContent(written, place, content) if *written == placement => {
                if !places.iter().any(|other| same(other, place)) {
                    places.push(place);
                }
                known &= self.follows(place, function.params);
                match (kind_of(content), &mut kinds) {
                    (Some(kind), Some(kinds)) => kinds.extend(kind),
                    _ => kinds = None,
                }
            }
            // A parameter is no longer what the move says.
            StmtKind::Let(local, _)
            | StmtKind::For { local, .. }
            | StmtKind::ForEach(local, ..) => {
                known &= local.index() >= function.params;
            }
            // What is written there is not looked at.
            StmtKind::Call { .. }
            | StmtKind::Restore(_)
            | StmtKind::Trial { .. }
            | StmtKind::Put(..)
            | StmtKind::Bring(..)
            | StmtKind::Take(..) => known = false,
            _ => {}
        });
        (known && places.len() <= MOST_PLACES).then_some((places, kinds))
    }

    /// Whether an expression follows from the first local variables alone and always has a value.
    pub(super) fn follows(&self, expr: &Expr, params: usize) -> bool {
        let effect = self.effects.expr(self.game, expr);
        let mut follows = effect.reads.is_empty() && !effect.may_fault && !effect.works;
        expr.walk(&mut |part| {
            follows &= match &part.kind {
                ExprKind::Local(local) => local.index() < params,
                ExprKind::Const(_) | ExprKind::Lookup(..) => true,
                _ => false,
            };
        });
        follows
    }

    /// Finds the places that decide, for the families that leave alone what all places decide about.
    fn decided(&self, mut watched: Watched<'g>) -> Option<Watched<'g>> {
        let none = SortedSet::new();
        let after = watched.families.first()?.after;
        let first = Search::new(self, watched.placement, &none);
        first.of_function(after)?;
        let anchors = first.anchors.into_inner();
        watched
            .families
            .retain(|family| family.kinds.is_disjoint(&anchors));
        let kinds = watched.families.iter().flat_map(|family| &family.kinds);
        let kinds: SortedSet<u32> = kinds.copied().collect();
        let search = Search::new(self, watched.placement, &kinds);
        watched.places = search.of_function(after)?;
        (!watched.families.is_empty()).then_some(watched)
    }

    /// What is known of the candidates of a position: the type, and a function for each predicate.
    pub(super) fn watch_items(&self, watched: &[Watched<'_>]) -> TokenStream {
        if watched.is_empty() {
            return TokenStream::new();
        }
        let rt = &self.rt;
        let (mut fields, mut functions) = (TokenStream::new(), TokenStream::new());
        for (index, own) in watched.iter().enumerate() {
            let (field, name) = (watch_field(index), format_ident!("watched_{index}"));
            let words = number(self.words(self.game.placement(own.placement).places));
            let Some(first) = own.families.first() else {
                continue;
            };
            let after = self.game.function(first.after);
            let doc = format!(
                " What `{}` says of the position as it is, and the places on which that depends.",
                after.name
            );
            let params: Vec<LocalId> = (0..after.params).map(LocalId::from).collect();
            let body = Body::of(self, &after.locals, &after.body, &params);
            let now = body.expr(own.asked).tokens;
            let places = self.joined(own.placement, &own.places);
            fields.extend(quote!(#field: Option<(bool, #rt::BitSet<#words>)>,));
            // It is called once for a position, from many places.
            functions.extend(quote! {
                #[doc = #doc]
                #[inline(never)]
                fn #name(s: &State) -> (bool, #rt::BitSet<#words>) {
                    let places = #places;
                    (#now, places)
                }
            });
        }
        quote! {
            /// What is known of all candidates of a position: how it is judged now, and the places that decide it.
            #[derive(Default)]
            struct Watch {
                #fields
            }
            #functions
        }
    }

    /// What deals with a candidate `mv` that changes nothing that matters.
    pub(super) fn unless_watched(
        &self,
        watched: &[Watched<'_>],
        family: usize,
    ) -> Option<TokenStream> {
        let own = |own: &&Watching<'_>| own.family == family;
        let mut numbered = watched.iter().enumerate();
        let (index, watching) =
            numbered.find_map(|(index, all)| Some((index, all.families.iter().find(own)?)))?;
        let of = self.game.families.get(family)?;
        let body = self.family_body(of, &watching.places);
        let changed = watching.places.iter().map(|place| {
            let place = self.evaluate(&body, place, None);
            quote!(places.contains(#place as usize))
        });
        let changed = match watching.places.is_empty() {
            true => quote!(false),
            false => quote!(#(#changed)|*),
        };
        let (field, name) = (watch_field(index), format_ident!("watched_{index}"));
        let visit = self.visit_one(&quote!(mv));
        Some(quote! {
            let (legal, places) = *watch.#field.get_or_insert_with(|| #name(s));
            if !(#changed) {
                return legal && #visit;
            }
        })
    }
}

impl Generator<'_> {
    /// The union of some sets of places.
    fn joined(&self, placement: PlacementId, parts: &[TokenStream]) -> TokenStream {
        match parts {
            [] => self.set_literal(&[], self.game.placement(placement).places),
            parts => quote!(#(#parts)|*),
        }
    }
}

fn watch_field(index: usize) -> Ident {
    format_ident!("after_{index}")
}

/// The value of a function that does nothing but give it.
fn only_value(function: &Function) -> Option<&Expr> {
    match &function.body[..] {
        [
            Stmt {
                kind: StmtKind::Return(Some(value)),
                ..
            },
        ] => Some(value),
        _ => None,
    }
}

/// The kind that stands on a place from now on, if any; nothing if constants do not tell.
#[allow(
    clippy::option_option,
    reason = "whether it can be told, and what it is"
)]
pub(super) fn kind_of(content: &Expr) -> Option<Option<u32>> {
    let value = match &content.kind {
        ExprKind::Some(inner) => inner.as_const(),
        _ => content.as_const(),
    };
    match value? {
        Const::Elem(kind) => Some(Some(*kind)),
        Const::None => Some(None),
        _ => None,
    }
}

impl<'a> Search<'a> {
    fn new(
        generator: &'a Generator<'a>,
        placement: PlacementId,
        kinds: &'a SortedSet<u32>,
    ) -> Search<'a> {
        Search {
            generator,
            placement,
            kinds,
            anchors: RefCell::default(),
        }
    }

    /// Whether what stands on a place alone tells whether the place is in a set.
    fn is_local(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Places(_, kind) => kind.as_const().is_some(),
            ExprKind::Unary(UnaryOp::Complement, inner) => self.is_local(inner),
            ExprKind::Binary(
                BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus,
                left,
                right,
            ) => self.is_local(left) && self.is_local(right),
            _ => !self.looks(set),
        }
    }

    /// Whether an expression looks at the placement at all.
    fn looks(&self, expr: &Expr) -> bool {
        let reads = self.generator.effects.expr(self.generator.game, expr).reads;
        reads.placements.contains(&self.placement)
    }

    /// The places that decide the value of a function; its parameters are bound around this.
    fn of_function(&self, func: FuncId) -> Option<Vec<TokenStream>> {
        let function = self.generator.game.function(func);
        let value = only_value(function)?;
        let params: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
        let body = Body::of(self.generator, &function.locals, &function.body, &params);
        self.of_truth(&body, value)
    }

    /// The places that decide a truth.
    fn of_truth(&self, body: &Body<'_>, expr: &Expr) -> Option<Vec<TokenStream>> {
        if !self.looks(expr) {
            return Some(Vec::new());
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.of_truth(body, inner),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                let (left, right) = (self.of_truth(body, left)?, self.of_truth(body, right)?);
                Some([left, right].concat())
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, set, none)
                if none.as_const() == Some(&Const::Set(Vec::new())) =>
            {
                self.of_set(body, set, None)
            }
            ExprKind::Call(func, args) => self.of_call(body, *func, args),
            ExprKind::Fold {
                fold: Fold::Exists | Fold::Forall,
                local,
                over,
                body: inner,
            } => {
                let Over::Set(set) = &**over else {
                    return None;
                };
                let members = self.of_set(body, set, None)?;
                let each = self.of_truth(body, inner)?;
                let (name, set) = (body.local_name(*local), body.expr(set).tokens);
                let ty = self.generator.value_type(&body.locals[local.index()].ty);
                let join = |parts: &[TokenStream]| self.generator.joined(self.placement, parts);
                let (members, each) = (join(&members), join(&each));
                Some(vec![quote!({
                    let mut places = #members;
                    for item in (#set).iter() {
                        let #name = item as #ty;
                        places |= #each;
                    }
                    places
                })])
            }
            _ => None,
        }
    }

    /// The places that decide the value of a call: those of the function, with its arguments under the names of its parameters.
    fn of_call(&self, body: &Body<'_>, func: FuncId, args: &[Expr]) -> Option<Vec<TokenStream>> {
        if self.generator.effects.is_recursive(func) || args.iter().any(|arg| self.looks(arg)) {
            return None;
        }
        let function = self.generator.game.function(func);
        let params: Vec<LocalId> = (0..function.params).map(LocalId::from).collect();
        let inner = Body::of(self.generator, &function.locals, &function.body, &params);
        let parts = self.of_function(func)?;
        if args.is_empty() {
            return Some(parts);
        }
        let places = self.generator.joined(self.placement, &parts);
        let names = params.iter().map(|param| inner.local_name(*param));
        let types = function.locals[..function.params].iter();
        let types = types.map(|local| self.generator.value_type(&local.ty));
        let values = args.iter().map(|arg| body.expr(arg).tokens);
        Some(vec![quote!({
            let (#(#names,)*): (#(#types,)*) = (#(#values,)*);
            let places = #places;
            places
        })])
    }

    /// The places that decide a set of places, or which of some places are in it.
    fn of_set(
        &self,
        body: &Body<'_>,
        expr: &Expr,
        within: Option<&TokenStream>,
    ) -> Option<Vec<TokenStream>> {
        if !self.looks(expr) {
            return Some(Vec::new());
        }
        let value = |expr: &Expr| body.expr(expr).tokens;
        let both = |a: &TokenStream| match within {
            Some(within) => quote!((#within & #a)),
            None => a.clone(),
        };
        match &expr.kind {
            // A place comes to a kind only if a candidate puts it there.
            ExprKind::Places(placement, kind) if *placement == self.placement => {
                let Some(Const::Elem(kind)) = kind.as_const() else {
                    return None;
                };
                if within.is_none() {
                    self.anchors.borrow_mut().insert(*kind);
                }
                match (self.kinds.contains(kind), within) {
                    (true, within) => within.cloned().map(|within| vec![within]),
                    (false, _) => Some(vec![both(&value(expr))]),
                }
            }
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                let left = self.of_set(body, left, within)?;
                let right = self.of_set(body, right, within)?;
                Some([left, right].concat())
            }
            // The same places are looked at while those on the way are as they are.
            ExprKind::Binary(BinaryOp::UpTo | BinaryOp::DownTo, way, ends)
                if !self.looks(way) && self.is_local(ends) =>
            {
                Some(vec![value(expr)])
            }
            ExprKind::Binary(BinaryOp::Intersect, left, right) => {
                let (first, second) = match self.looks(left) {
                    true => (right, left),
                    false => (left, right),
                };
                if !self.looks(first) {
                    return self.of_set(body, second, Some(&both(&value(first))));
                }
                // What is not in the one does not matter of the other.
                let (first, other) = match is_way(right) {
                    true => (right, left),
                    false => (left, right),
                };
                let found = value(first);
                let places = self.of_set(body, first, within)?;
                if is_way(first) {
                    return Some(places);
                }
                let others = self.of_set(body, other, Some(&both(&found)))?;
                Some([places, others].concat())
            }
            ExprKind::Binary(BinaryOp::Minus, left, right) => {
                let found = value(left);
                let places = self.of_set(body, left, within)?;
                let others = self.of_set(body, right, Some(&both(&found)))?;
                Some([places, others].concat())
            }
            _ => None,
        }
    }
}

/// Whether a set is a way over the board up to the first place of another set.
fn is_way(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Binary(BinaryOp::UpTo | BinaryOp::DownTo, ..)
    )
}
