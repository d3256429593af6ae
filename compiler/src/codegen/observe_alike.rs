//! Planes of positions whose pieces have no names, where what they show is the same of all pieces that are alike.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use super::forms::Forms;
use crate::ir::observe::{Plane, PlaneSource};
use crate::ir::value::apply;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Game, IdentityTerm, LocalId, PlacementForm, PlacementId, VarId,
};
use crate::quotient::Quotient;

/// What a plane of places shows: the places that it shows, and the values there with the sets of pieces that have them.
struct Shown {
    places: Vec<u32>,
    values: Vec<(i64, TokenStream)>,
}

/// A class of pieces of which variables have some values, and the places of these.
pub(super) struct Kind<'q> {
    pub(super) pieces: &'q [u32],
    pub(super) held: Vec<(VarId, Const)>,
    pub(super) set: TokenStream,
}

/// Kinds of pieces that are told apart at most.
const MOST_KINDS: usize = 32;

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
                let kinds = self.kinds_shown(quotient, forms, &[when, &values[at]])?;
                let shown = self.shown(id, kinds, when, &values[at])?;
                Some(self.cells_of_classes(shown, plane.cells))
            }
            PlaneSource::Var(_) | PlaneSource::Placement(_) => None,
        }
    }

    /// Statements that tell the values of the classes where these stand.
    fn cells_of_classes(&self, shown: Shown, cells: usize) -> TokenStream {
        let mut sets: SortedMap<i64, Vec<TokenStream>> = SortedMap::new();
        for (value, set) in shown.values {
            sets.entry(value).or_default().push(set);
        }
        let places = self.set_of_words(&shown.places, cells.div_ceil(64));
        let count = number(cells);
        sets.remove(&0);
        if sets.is_empty() {
            return quote!(out.zeros(#count););
        }
        let classes = sets.into_iter().map(|(value, sets)| {
            let value = Literal::i64_unsuffixed(value);
            quote!((#value, ((#(#sets)|*) & #places).0))
        });
        quote!(out.classes(#count, [#(#classes),*]);)
    }

    /// The classes of pieces, told apart by the values of the variables of pieces that expressions read.
    pub(super) fn kinds_shown<'q>(
        &self,
        quotient: &'q Quotient,
        forms: &Forms,
        exprs: &[&Expr],
    ) -> Option<Vec<Kind<'q>>> {
        let mut read = vec![false; quotient.properties.len()];
        let mut note = |expr: &Expr| {
            if let ExprKind::Var(var, _) = &expr.kind {
                let mut all = quotient.properties.iter();
                let at = all.position(|(own, _)| own == var);
                at.and_then(|at| read.get_mut(at))
                    .iter_mut()
                    .for_each(|read| **read = true);
            }
        };
        exprs.iter().for_each(|expr| expr.walk(&mut note));
        let classes = quotient.classes.iter().zip(forms.places_of_classes());
        let mut kinds: Vec<Kind<'q>> = classes
            .map(|(pieces, set)| Kind {
                pieces,
                held: Vec::new(),
                set,
            })
            .collect();
        for (at, _) in read.iter().enumerate().filter(|(_, read)| **read) {
            let (var, values) = &quotient.properties[at];
            let sets = forms.places_of_values(at);
            if kinds.len() * values.len() > MOST_KINDS {
                return None;
            }
            let each = kinds.iter().flat_map(|kind| {
                values.iter().enumerate().map(|(number, value)| {
                    let all = &kind.set;
                    let set = match sets.get(number) {
                        Some(set) => quote!((#all & #set)),
                        None => quote!((#all #(- #sets)*)),
                    };
                    Kind {
                        pieces: kind.pieces,
                        held: kind
                            .held
                            .iter()
                            .cloned()
                            .chain([(*var, value.clone())])
                            .collect(),
                        set,
                    }
                })
            });
            kinds = each.collect();
        }
        Some(kinds)
    }

    /// What a plane shows of places, if that follows from the place and the kind of the piece there.
    fn shown(
        &self,
        id: PlacementId,
        kinds: Vec<Kind<'_>>,
        when: &Expr,
        value: &Expr,
    ) -> Option<Shown> {
        let count = self.game.domain(self.game.placement(id).places).len() as u32;
        let seen = |place: u32, piece: Const, held: &[(VarId, Const)]| {
            let at = At {
                game: self.game,
                id,
                place,
                piece,
                held,
            };
            match at.value(when)? {
                Const::Bool(false) => Some(None),
                _ => Some(Some(cell(&at.value(value)?)?)),
            }
        };
        let mut parts = Vec::new();
        for expr in [when, value] {
            parts_about_content(expr, id, &mut parts);
        }
        let mut places: Option<Vec<u32>> = None;
        let mut values = Vec::new();
        for Kind { pieces, held, set } in kinds {
            let (mut own, mut worth) = (Vec::new(), None);
            let told_apart = self.told_apart(id, pieces, &held, &parts);
            for place in 0..count {
                let first = seen(place, Const::Elem(*pieces.first()?), &held)?;
                let same = |piece: &u32| seen(place, Const::Elem(*piece), &held) == Some(first);
                let empty = seen(place, Const::None, &held)?;
                if !told_apart.iter().all(same) || empty.is_some_and(|v| v != 0) {
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
            values.push((worth.unwrap_or(0), set));
        }
        Some(Shown {
            places: places?,
            values,
        })
    }

    /// One each of the pieces that these parts of expressions tell apart.
    fn told_apart(
        &self,
        id: PlacementId,
        pieces: &[u32],
        held: &[(VarId, Const)],
        parts: &[&Expr],
    ) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut first = Vec::new();
        for piece in pieces {
            let at = At {
                game: self.game,
                id,
                place: 0,
                piece: Const::Elem(*piece),
                held,
            };
            let own: Vec<Option<Const>> = parts.iter().map(|part| at.value(part)).collect();
            if !seen.contains(&own) {
                seen.push(own);
                first.push(*piece);
            }
        }
        first
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

/// The largest parts of an expression that ask about what stands on the place and not about the place itself.
fn parts_about_content<'e>(expr: &'e Expr, id: PlacementId, parts: &mut Vec<&'e Expr>) {
    match about_content_alone(expr, id) {
        Some(false) => {}
        Some(true) => parts.push(expr),
        None => expr.children(&mut |part| parts_about_content(part, id, parts)),
    }
}

/// Whether an expression asks what stands on the place; none if it asks about the place itself.
fn about_content_alone(expr: &Expr, id: PlacementId) -> Option<bool> {
    let place =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Local(local) if *local == LocalId::from(0));
    match &expr.kind {
        ExprKind::Content(of, at) if *of == id && place(at) => Some(true),
        _ if place(expr) => None,
        _ => {
            let mut asks = Some(false);
            expr.children(&mut |part| {
                let own = about_content_alone(part, id);
                asks = asks.zip(own).map(|(before, own)| before | own);
            });
            asks
        }
    }
}

/// A place with what stands there.
struct At<'g> {
    game: &'g Game,
    id: PlacementId,
    place: u32,
    piece: Const,
    /// The values of variables of the piece.
    held: &'g [(VarId, Const)],
}

impl At<'_> {
    /// The value of an expression about the place, if it asks for nothing else.
    fn value(&self, expr: &Expr) -> Option<Const> {
        match &expr.kind {
            ExprKind::Local(local) if *local == LocalId::from(0) => Some(Const::Elem(self.place)),
            ExprKind::Content(id, at) if *id == self.id => {
                (self.value(at)? == Const::Elem(self.place)).then(|| self.piece.clone())
            }
            ExprKind::Var(var, index) => {
                let [index] = &index[..] else { return None };
                let own = self.value(index)? == self.piece && self.piece != Const::None;
                let (_, value) = self.held.iter().find(|(held, _)| held == var)?;
                own.then(|| value.clone())
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
