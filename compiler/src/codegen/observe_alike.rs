//! Planes of positions whose pieces have no names, where what they show is the same of all pieces that are alike.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use crate::ir::observe::{Plane, PlaneSource};
use crate::ir::value::apply;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Game, IdentityTerm, LocalId, PlacementForm, PlacementId,
};
use crate::quotient::Quotient;

/// What a plane of places shows: the places that it shows, and the value of each class of pieces there.
struct Shown {
    places: Vec<u32>,
    values: Vec<i64>,
}

impl Generator<'_> {
    /// The cells of a plane from sets of places, if nothing in it asks for the names of pieces.
    pub(super) fn plane_without_names(&self, plane: &Plane) -> Option<TokenStream> {
        let (id, quotient, forms) = self.nameless()?;
        match plane.source {
            PlaneSource::Term(identity, term) => match &self.game.identity(identity).terms[term] {
                IdentityTerm::Value(value) if self.asks_for_no_piece(value) => {
                    Some(self.plane(plane))
                }
                _ => None,
            },
            PlaneSource::Value(identity, term, at) => {
                let IdentityTerm::Each {
                    domain,
                    when,
                    values,
                } = &self.game.identity(identity).terms[term]
                else {
                    return None;
                };
                let placement = self.game.placement(id);
                if placement.places != *domain || placement.form != PlacementForm::One {
                    return None;
                }
                let shown = self.shown(id, quotient, when, &values[at])?;
                Some(self.cells_of_classes(&shown, &forms.places_of_classes(), plane.cells))
            }
            PlaneSource::Var(_) | PlaneSource::Placement(_) => None,
        }
    }

    /// Statements that tell the values of the classes where these stand.
    fn cells_of_classes(
        &self,
        shown: &Shown,
        classes: &[TokenStream],
        cells: usize,
    ) -> TokenStream {
        let mut sets: SortedMap<i64, Vec<&TokenStream>> = SortedMap::new();
        for (value, set) in shown.values.iter().zip(classes) {
            sets.entry(*value).or_default().push(set);
        }
        let places = self.set_of_words(&shown.places, cells.div_ceil(64));
        let count = number(cells);
        let mut sets: Vec<_> = sets
            .into_iter()
            .map(|(value, sets)| (Literal::i64_unsuffixed(value), quote!((#(#sets)|*))))
            .collect();
        let Some((last, _)) = sets.last().cloned() else {
            return quote!(out.zeros(#count););
        };
        let all = sets.iter().map(|(_, set)| set);
        let all = quote!((#(#all)|*) & #places);
        sets.pop();
        let (values, sets): (Vec<_>, Vec<_>) = sets.into_iter().unzip();
        quote! {
            out.values(#count, (#all).iter().map(|place| {
                #(if #sets.contains(place) { return (place, #values); })*
                (place, #last)
            }));
        }
    }

    /// What a plane shows of places, if that follows from the place and the class of the piece there.
    fn shown(
        &self,
        id: PlacementId,
        quotient: &Quotient,
        when: &Expr,
        value: &Expr,
    ) -> Option<Shown> {
        let count = self.game.domain(self.game.placement(id).places).len() as u32;
        let seen = |place: u32, piece: Const| {
            let at = At {
                game: self.game,
                id,
                place,
                piece,
            };
            match at.value(when)? {
                Const::Bool(false) => Some(None),
                _ => Some(Some(cell(&at.value(value)?)?)),
            }
        };
        let mut places: Option<Vec<u32>> = None;
        let mut values = Vec::new();
        for class in &quotient.classes {
            let (mut own, mut worth) = (Vec::new(), None);
            for place in 0..count {
                let first = seen(place, Const::Elem(*class.first()?))?;
                let same = |piece: &u32| seen(place, Const::Elem(*piece)) == Some(first);
                if !class.iter().all(same) || seen(place, Const::None)?.is_some_and(|v| v != 0) {
                    return None;
                }
                if let Some(value) = first {
                    own.push(place);
                    if *worth.get_or_insert(value) != value {
                        return None;
                    }
                }
            }
            if *places.get_or_insert_with(|| own.clone()) != own {
                return None;
            }
            values.push(worth.unwrap_or(0));
        }
        Some(Shown {
            places: places?,
            values,
        })
    }

    /// Whether an expression reads no more than variables that pieces have no part in.
    fn asks_for_no_piece(&self, expr: &Expr) -> bool {
        let mut fine = true;
        expr.walk(&mut |part| {
            fine &= match &part.kind {
                ExprKind::Var(var, _) => self.property(*var).is_none(),
                ExprKind::Const(_)
                | ExprKind::Lookup(..)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::If(..)
                | ExprKind::Some(_)
                | ExprKind::IsSome(_)
                | ExprKind::Get(_)
                | ExprKind::OrElse(..)
                | ExprKind::Ordinal(_)
                | ExprKind::Member(..) => true,
                _ => false,
            };
        });
        fine
    }
}

/// A place with what stands there.
struct At<'g> {
    game: &'g Game,
    id: PlacementId,
    place: u32,
    piece: Const,
}

impl At<'_> {
    /// The value of an expression about the place, if it asks for nothing else.
    fn value(&self, expr: &Expr) -> Option<Const> {
        match &expr.kind {
            ExprKind::Local(local) if *local == LocalId::from(0) => Some(Const::Elem(self.place)),
            ExprKind::Content(id, at) if *id == self.id => {
                (self.value(at)? == Const::Elem(self.place)).then(|| self.piece.clone())
            }
            ExprKind::Binary(BinaryOp::And, left, right) => match self.value(left)? {
                Const::Bool(true) => self.value(right),
                other => Some(other),
            },
            _ => {
                let mut operands = Vec::new();
                expr.children(&mut |operand| operands.push(self.value(operand)));
                let operands: Option<Vec<Const>> = operands.into_iter().collect();
                apply(self.game, expr, &operands?.iter().collect::<Vec<_>>())
            }
        }
    }
}

/// The number that a value is in a cell.
fn cell(value: &Const) -> Option<i64> {
    match value {
        Const::Bool(value) => Some(i64::from(*value)),
        Const::Int(value) => Some(*value),
        Const::Elem(member) => Some(i64::from(*member) + 1),
        Const::None => Some(0),
        _ => None,
    }
}
