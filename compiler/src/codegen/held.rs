//! Where pieces stand of which a variable has one value: sets kept beside a placement of pieces with identity.
//!
//! Rules ask for the places of the pieces that show a colour, or have not moved yet. Such a set follows every change of the
//! placement, and every change of the variable.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::code::number;
use super::motion::Motion;
use super::slots::{property_name, property_text};
use super::{Body, Generator};
use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, Game, LocalId, Over, PlacementForm, PlacementId, VarId,
};

/// The places with pieces of which a variable has a value.
pub(super) struct Held {
    pub(super) var: VarId,
    pub(super) value: Const,
    pub(super) field: Ident,
}

/// The question of a collection, if it asks for all places where a variable of the piece there has a value.
pub(super) fn held_by_value<'e>(
    game: &Game,
    local: LocalId,
    over: &Over,
    when: &'e Expr,
) -> Option<(PlacementId, VarId, &'e Const)> {
    let (Over::Domain(domain), ExprKind::Binary(BinaryOp::And, there, equal)) = (over, &when.kind)
    else {
        return None;
    };
    let ExprKind::IsSome(content) = &there.kind else {
        return None;
    };
    let ExprKind::Content(placement, at) = &content.kind else {
        return None;
    };
    let found = game.placement(*placement);
    let fits = found.places == *domain
        && found.form == PlacementForm::One
        && at.kind == ExprKind::Local(local);
    let ExprKind::Binary(BinaryOp::Eq, held, value) = &equal.kind else {
        return None;
    };
    let (ExprKind::Var(var, index), Some(value)) = (&held.kind, value.as_const()) else {
        return None;
    };
    let [index] = &index[..] else { return None };
    let ExprKind::Get(piece) = &index.kind else {
        return None;
    };
    let own = piece.kind == content.kind && game.var(*var).axes == [Axis::Domain(found.pieces)];
    (fits && own).then_some((*placement, *var, value))
}

/// The sets that a game asks for.
pub(super) fn all_asked(
    game: &Game,
    placement: PlacementId,
    mut field: impl FnMut(&str) -> Ident,
) -> Vec<Held> {
    let mut all: Vec<Held> = Vec::new();
    super::function::for_each_expr(game, &mut |expr| {
        if let ExprKind::Collect { local, over, when } = &expr.kind
            && let Some((of, var, value)) = held_by_value(game, *local, over, when)
            && of == placement
            && !all
                .iter()
                .any(|held| (held.var, &held.value) == (var, value))
        {
            let field = field(&property_name(game, var, value));
            all.push(Held {
                var,
                value: value.clone(),
                field,
            });
        }
    });
    all
}

impl Generator<'_> {
    /// Fields for the sets: names, types, initial values, bytes, texts.
    pub(super) fn held_fields(
        &self,
        id: PlacementId,
    ) -> Vec<(Ident, TokenStream, TokenStream, usize, String)> {
        let (rt, placement) = (&self.rt, self.game.placement(id));
        let words = self.words(placement.places);
        let field = |held: &Held| {
            let init = &self.game.var(held.var).init;
            let standing = placement.init.iter().zip(init);
            let standing = standing.filter(|(_, value)| **value == held.value);
            let mut places: Vec<u32> = standing.filter_map(|(place, _)| *place).collect();
            places.sort_unstable();
            let words_of = number(words);
            (
                held.field.clone(),
                quote!(#rt::BitSet<#words_of>),
                self.set_literal(&places, placement.places),
                8 * words,
                property_text(self.game, held.var, &held.value),
            )
        };
        self.placement(id).held.iter().map(field).collect()
    }

    /// Whether the variable of the piece `piece` has the value.
    fn holds(&self, held: &Held, state: &TokenStream, piece: &TokenStream) -> TokenStream {
        let (rt, field) = (&self.rt, &self.var_fields[held.var.index()]);
        let value = self.held_value(held);
        quote!(#rt::support::at(&#state.#field, #piece) == #value)
    }

    fn held_value(&self, held: &Held) -> TokenStream {
        let ty = &self.game.var(held.var).ty;
        let value = self.constant(&held.value, ty);
        self.store(ty, value).tokens
    }

    /// What a piece changes that leaves `from` (if it stands anywhere) and enters `place`, or does one of both.
    pub(super) fn held_updates(&self, id: PlacementId, motion: Motion) -> TokenStream {
        let mut updates = TokenStream::new();
        for held in &self.placement(id).held {
            let field = &held.field;
            if motion.leaves() {
                updates.extend(quote!(self.#field.clear(from as usize);));
            }
            if motion.arrives() {
                let holds = match (self.forms(id), motion.leaves()) {
                    (Some(_), true) => self.holds_value(held.var, &held.value, true),
                    _ => self.holds(held, &quote!(self), &quote!(piece as usize)),
                };
                updates.extend(match self.forms(id) {
                    Some(_) => quote!(
                        let holds = #holds;
                        self.#field.set_if(place as usize, holds);
                    ),
                    None => quote!(self.#field.set_if(place as usize, #holds);),
                });
            }
        }
        updates
    }

    /// What another value of a variable for the piece `at` changes; the value is stored already.
    pub(super) fn held_changes(&self, var: VarId) -> TokenStream {
        let rt = &self.rt;
        let mut all = TokenStream::new();
        for (index, names) in self.placements.iter().enumerate() {
            let mut own = names.held.iter().filter(|held| held.var == var).peekable();
            if own.peek().is_none() {
                continue;
            }
            let places = &names.places;
            let domain = self.game.placement(PlacementId::from(index)).places;
            let none = &self.domain(domain).none;
            let each = own.map(|held| {
                let (field, value) = (&held.field, self.held_value(held));
                quote!(
                    s.#field.clear(place as usize);
                    s.#field.set_if(place as usize, value == #value);
                )
            });
            all.extend(quote!(
                let place = #rt::support::at(&s.#places, at);
                if place != #none { #(#each)* }
            ));
        }
        all
    }

    /// The fields that follow a variable.
    pub(super) fn held_of(&self, var: VarId) -> Vec<&Ident> {
        let all = self.placements.iter().flat_map(|names| &names.held);
        let own = all.filter(|held| held.var == var);
        own.map(|held| &held.field).collect()
    }
}

impl Body<'_> {
    /// The places where a variable of the piece there has a value, as a set that is kept.
    pub(super) fn held(&self, local: LocalId, over: &Over, when: &Expr) -> Option<TokenStream> {
        let (placement, var, value) = held_by_value(self.generator.game, local, over, when)?;
        let mut all = self.generator.placement(placement).held.iter();
        let held = all.find(|held| (held.var, &held.value) == (var, value))?;
        let field = &held.field;
        Some(quote!(s.#field))
    }
}
