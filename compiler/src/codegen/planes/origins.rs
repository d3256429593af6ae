//! The places that moves take their pieces from, as sets: what is tested of a piece is asked once for each class.

use proc_macro2::TokenStream;
use quote::quote;
use rulec_ir::sorted::{SortedMap, SortedSet};

use super::super::Generator;
use super::super::classes::Classes;
use super::super::slices::Group;
use super::{Asked, DEPTH, FEW_KINDS, Kinds, Lifted, kinds};
use crate::ir::{Const, Expr, ExprKind, Family, LocalId, VarId, value};
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
        let in_turn = |kinds: &[&[u32]]| self.in_turn(kinds, &tests, quotient);
        let set = self.origins_of(&mover.candidates, &origins, &tests, quotient);
        let candidates = SortedMap::from([
            (mover.piece, mover.candidates.clone()),
            (mover.place, origins.clone()),
        ]);
        let asked = classes.filter(|classes| !apart_by_place(classes, mover, &origins));
        let (set, alike) = match asked.map(|classes| kinds(classes, &group.params, &candidates)) {
            None | Some(Kinds::Apart) => (set, false),
            Some(Kinds::Few(kinds)) if kinds.is_empty() => (set, false),
            Some(Kinds::Same) => (set, true),
            Some(Kinds::Few(kinds)) if in_turn(&slices(&kinds)) => (set, true),
            Some(Kinds::Few(kinds)) => {
                let each = kinds
                    .iter()
                    .map(|kind| self.origins_of(kind, &origins, &tests, quotient));
                let set = quote!(if DISTINCT { #((#each).least())|* } else { #set });
                (set, false)
            }
            Some(Kinds::Mixed) => {
                let each = kinds_at_home(classes?, quotient, mover)?;
                let pieces: Vec<&[u32]> = each.iter().map(|(pieces, _)| &pieces[..]).collect();
                if in_turn(&pieces) {
                    (set, true)
                } else {
                    let each = each
                        .iter()
                        .map(|(pieces, homes)| self.origins_of(pieces, homes, &tests, quotient));
                    let set = quote!(if DISTINCT { #((#each).least())|* } else { #set });
                    (set, false)
                }
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
        tests: &[Option<OfClass>],
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
                        Some(OfClass { passing, .. }) => quote!((#standing) & #passing),
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
    ) -> Option<Vec<Option<OfClass>>> {
        let local = |param: usize| LocalId::from(family.context.len() + param);
        let of_class = |class: &Vec<u32>| {
            let piece = class.iter().find(|piece| mover.candidates.contains(piece));
            let mut found: Option<OfClass> = None;
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
                found = Some(match found {
                    Some(OfClass { passing, mut conds }) => {
                        conds.push(cond);
                        let passing = quote!((#passing & #set));
                        OfClass { passing, conds }
                    }
                    None => OfClass {
                        passing: set,
                        conds: vec![cond],
                    },
                });
            }
            Some(found)
        };
        quotient.classes.iter().map(of_class).collect()
    }

    /// Whether moves take pieces of at most one of some kinds in any position: the variable that tells who moves tells which.
    fn in_turn(&self, kinds: &[&[u32]], tests: &[Option<OfClass>], quotient: &Quotient) -> bool {
        let classes: Vec<_> = quotient.classes.iter().zip(tests).collect();
        let mut asked = SortedSet::new();
        for cond in tests.iter().flatten().flat_map(|test| &test.conds) {
            cond.walk(&mut |expr| {
                if let ExprKind::Var(var, index) = &expr.kind
                    && index.is_empty()
                {
                    asked.insert(*var);
                }
            });
        }
        asked.into_iter().any(|var| {
            let values = value::values_of(self.game, &self.game.var(var).ty);
            let passes = |kind: &[u32], now: &Const| {
                let mut own = classes
                    .iter()
                    .filter(|(class, _)| class.iter().any(|piece| kind.contains(piece)));
                own.any(|(_, test)| {
                    test.as_ref()
                        .is_none_or(|test| self.may_pass(test, var, now))
                })
            };
            let at_most_one =
                |now: &Const| kinds.iter().filter(|kind| passes(kind, now)).count() <= 1;
            !values.is_empty() && values.iter().all(at_most_one)
        })
    }

    /// Whether the pieces of a class may pass their tests while a variable has this value.
    fn may_pass(&self, test: &OfClass, var: VarId, now: &Const) -> bool {
        let known = |expr: &Expr| match &expr.kind {
            ExprKind::Var(other, index) if *other == var && index.is_empty() => Some(now.clone()),
            _ => None,
        };
        let mut conds = test.conds.iter();
        conds.all(|cond| value::partial(self.game, cond, &known) != Some(Const::Bool(false)))
    }
}

/// What is tested of the pieces of one class.
struct OfClass {
    /// The places that pass.
    passing: TokenStream,
    /// The tests, of the place alone.
    conds: Vec<Expr>,
}

/// Whether moves that take their piece from different places are of different classes: one piece stands on each.
fn apart_by_place(classes: &Classes, mover: &Mover, origins: &[u32]) -> bool {
    let params = [mover.place];
    classes.within(&params).any(|component| {
        let numbers = origins
            .iter()
            .filter_map(|place| component.numbers.get(*place as usize));
        let apart: SortedSet<usize> = numbers.copied().collect();
        apart.len() == origins.len()
    })
}

fn slices(kinds: &[Vec<u32>]) -> Vec<&[u32]> {
    kinds.iter().map(Vec::as_slice).collect()
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
