//! The places that moves take their pieces from, as sets: what is tested of a piece is asked once for each class.

use proc_macro2::TokenStream;
use quote::quote;
use rulec_ir::sorted::SortedMap;

use super::super::Generator;
use super::super::classes::Classes;
use super::super::slices::Group;
use super::{Asked, DEPTH, FEW_KINDS, Kinds, Lifted, kinds};
use crate::ir::{Expr, Family, LocalId};
use crate::quotient::{Mover, Quotient};

impl Generator<'_> {
    /// The places of the pieces that a move can take, where they are told by their places.
    pub(super) fn lifted_origins(
        &self,
        family: &Family,
        group: &Group,
        classes: Option<&Classes>,
        quotient: &Quotient,
        mover: &Mover,
    ) -> Option<Lifted> {
        let origins = self.origins(quotient, mover)?;
        let tests = self.tests_by_class(family, group, (quotient, mover), &origins)?;
        let set = self.origins_of(&mover.candidates, &origins, &tests, quotient);
        let candidates = SortedMap::from([
            (mover.piece, mover.candidates.clone()),
            (mover.place, origins.clone()),
        ]);
        let (set, alike) = match classes.map(|classes| kinds(classes, &group.params, &candidates)) {
            None | Some(Kinds::Apart) => (set, false),
            Some(Kinds::Few(kinds)) if kinds.is_empty() => (set, false),
            Some(Kinds::Same) => (set, true),
            Some(Kinds::Few(kinds)) => {
                let each = kinds
                    .iter()
                    .map(|kind| self.origins_of(kind, &origins, &tests, quotient));
                let set = quote!(if DISTINCT { #((#each).least())|* } else { #set });
                (set, false)
            }
            Some(Kinds::Mixed) => {
                let each = kinds_at_home(classes?, quotient, mover)?;
                let each = each
                    .iter()
                    .map(|(pieces, homes)| self.origins_of(pieces, homes, &tests, quotient));
                let set = quote!(if DISTINCT { #((#each).least())|* } else { #set });
                (set, false)
            }
        };
        Some(Lifted {
            set,
            alike,
            quick: true,
            stands: None,
        })
    }

    /// Those of some places where one of these pieces stands, or one that is like it, and passes the tests of its class.
    fn origins_of(
        &self,
        pieces: &[u32],
        origins: &[u32],
        tests: &[Option<TokenStream>],
        quotient: &Quotient,
    ) -> TokenStream {
        let all = origins.len() == self.game.domain(quotient.places()).len();
        let among = self.set_literal(origins, quotient.places());
        let standing = match tests.iter().all(Option::is_none) {
            true => self.standing_of(pieces),
            false => {
                let classes = quotient.classes.iter().zip(tests);
                let own = classes.filter(|(class, _)| class.iter().any(|one| pieces.contains(one)));
                let own = own.map(|(class, test)| {
                    let standing = self.standing_of(&class[..1]);
                    match test {
                        Some(test) => quote!((#standing) & #test),
                        None => standing,
                    }
                });
                let own: Vec<TokenStream> = own.collect();
                quote!((#((#own))|*))
            }
        };
        match all {
            true => standing,
            false => quote!((#standing) & #among),
        }
    }

    /// For each class of pieces the places that pass the tests of the piece of a move and of its place; nothing where it has none.
    /// Pieces of one class do not differ in what the tests ask.
    fn tests_by_class(
        &self,
        family: &Family,
        group: &Group,
        (quotient, mover): (&Quotient, &Mover),
        origins: &[u32],
    ) -> Option<Vec<Option<TokenStream>>> {
        let local = |param: usize| LocalId::from(family.context.len() + param);
        let of_class = |class: &Vec<u32>| {
            let piece = class.iter().find(|piece| mover.candidates.contains(piece));
            let mut passing: Option<TokenStream> = None;
            // No move takes a piece of this class.
            let Some(&piece) = piece else {
                return Some(None);
            };
            for test in group.tests.iter().flatten() {
                let span = family.span;
                let known = Expr::elem(quotient.pieces(), piece, span);
                let known = SortedMap::from([(local(mover.piece), known)]);
                let cond = self.as_expr(&test.body, known, DEPTH)?;
                let place = Asked::of(local(mover.place), quotient.places(), origins);
                let set = self.passing_expr(&cond, &place)?;
                passing = Some(match passing {
                    Some(others) => quote!((#others & #set)),
                    None => set,
                });
            }
            Some(passing)
        };
        quotient.classes.iter().map(of_class).collect()
    }
}

/// The pieces of a move that are of one class of moves, each with the places that they can be taken from, where these are the
/// places where they started.
fn kinds_at_home(
    classes: &Classes,
    quotient: &Quotient,
    mover: &Mover,
) -> Option<Vec<(Vec<u32>, Vec<u32>)>> {
    if !mover.unmoved {
        return None;
    }
    let starts = &quotient.game.placement(quotient.placement).init;
    let params = [mover.piece, mover.place];
    let mut kinds: SortedMap<Vec<usize>, (Vec<u32>, Vec<u32>)> = SortedMap::new();
    for &piece in &mover.candidates {
        let home = (*starts.get(piece as usize)?)?;
        let key = classes.within(&params).map(|component| {
            let member = match component.param {
                Some(param) if param == mover.piece => piece,
                _ => home,
            };
            component.numbers.get(member as usize).copied()
        });
        let kind = kinds.entry(key.collect::<Option<_>>()?).or_default();
        kind.0.push(piece);
        kind.1.push(home);
    }
    for (_, homes) in kinds.values_mut() {
        homes.sort_unstable();
    }
    (kinds.len() <= FEW_KINDS).then(|| kinds.into_values().collect())
}
