//! Moves that surely leave the number of things of each kind as it is: searches that follow exchanges alone need not make them.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::Generator;
use super::family::tuple;
use super::watch::kind_of;
use crate::ir::observe::{Plane, PlaneSource, planes};
use crate::ir::same::same;
use crate::ir::visit::walk_block;
use crate::ir::{
    Arm, Const, Expr, ExprKind, Function, IdentityTerm, LocalId, PlacementForm, PlacementId, Point,
    Stmt, StmtKind,
};

/// Places that a move may change at most.
const MOST_PLACES: usize = 4;
/// Bits for the number of things of a kind on so many places.
const BITS: usize = 4;
/// Kinds, nothing among them, whose numbers fit into one word.
const MOST_KINDS: usize = u128::BITS as usize / BITS;

/// What is put on places, in the order of the statements.
type Writes = Vec<(Expr, Expr)>;

impl Generator<'_> {
    /// The methods that tell whether a move may exchange something; nothing where that is not known of any.
    pub(super) fn exchanging(&self) -> Option<TokenStream> {
        // What happens without a legal move may come after a move and change the board.
        if self.has_otherwise() && !self.otherwise_ends() {
            return None;
        }
        let (id, shown) = self.shown_placement()?;
        let kinds = self.game.domain(self.game.placement(id).pieces).len();
        if kinds >= MOST_KINDS {
            return None;
        }
        let nothing = Literal::usize_unsuffixed(kinds);
        let word = match (kinds + 1) * BITS <= u64::BITS as usize {
            true => quote!(u64),
            false => quote!(u128),
        };
        let arms: Vec<TokenStream> = (0..self.game.families.len())
            .filter_map(|index| self.exchanging_family(index, id))
            .collect();
        if arms.is_empty() {
            return None;
        }
        let bits = Literal::usize_unsuffixed(BITS);
        let shown = shown.into_iter().map(Literal::usize_unsuffixed);
        Some(quote! {
            #[inline]
            fn may_exchange(&self, s: &State, mv: Move) -> bool {
                let one = |kind: u32| (1 as #word) << (#bits * kind.min(#nothing));
                match mv.family() {
                    #(#arms)*
                    _ => true,
                }
            }

            fn exchange_planes(&self) -> &'static [usize] { &[#(#shown),*] }
        })
    }

    /// The placement whose kinds planes show, and these planes.
    fn shown_placement(&self) -> Option<(PlacementId, Vec<usize>)> {
        let planes = planes(self.game);
        let shown = |id: PlacementId| -> Vec<usize> {
            let own = planes.iter().enumerate();
            own.filter(|(_, plane)| self.counts_kinds(plane, id))
                .map(|(index, _)| index)
                .collect()
        };
        (0..self.game.placements.len())
            .map(PlacementId::from)
            .filter(|id| self.game.placement(*id).form == PlacementForm::Anonymous)
            .map(|id| (id, shown(id)))
            .find(|(_, shown)| !shown.is_empty())
    }

    /// Whether what a plane counts follows from how many things of each kind stand on a placement.
    fn counts_kinds(&self, plane: &Plane, id: PlacementId) -> bool {
        let of = |expr: &Expr| matches!(&expr.kind, ExprKind::Content(own, place) if *own == id && matches!(place.kind, ExprKind::Local(_)));
        match plane.source {
            PlaneSource::Placement(own) => own == id,
            PlaneSource::Term(identity, term) => match &self.game.identity(identity).terms[term] {
                IdentityTerm::Value(value) => {
                    matches!(&value.kind, ExprKind::Places(own, kind) if *own == id && kind_of(kind).is_some())
                }
                _ => false,
            },
            PlaneSource::Value(identity, term, at) => {
                match &self.game.identity(identity).terms[term] {
                    IdentityTerm::Each {
                        domain,
                        when,
                        values,
                    } => {
                        let all = when.as_const() == Some(&Const::Bool(true));
                        *domain == self.game.placement(id).places && all && of(&values[at])
                    }
                    _ => false,
                }
            }
            PlaneSource::Var(_) => false,
        }
    }

    /// The arm for the moves of a family, if all that these put on the placement is known before.
    fn exchanging_family(&self, index: usize, id: PlacementId) -> Option<TokenStream> {
        let family = &self.game.families[index];
        let arms = self.machine.points.iter().flat_map(|point| match point {
            Point::Choose(choose) => &choose.arms[..],
            Point::Chance(..) => &[],
        });
        let mut own = arms.filter(|arm| arm.family.index() == index);
        let arm = own.next()?;
        if own.next().is_some() {
            return None;
        }
        if self.may_be_won_by(arm) {
            return None;
        }
        let writes = last_of_each(self.arm_writes(arm, id)?);
        if writes.is_empty() || writes.len() > MOST_PLACES {
            return None;
        }
        let all: Vec<&Expr> = writes
            .iter()
            .flat_map(|(place, content)| [place, content])
            .collect();
        let body = self.family_body(family, &all);
        let names: Vec<_> = (0..writes.len())
            .map(|at| format_ident!("place_{at}"))
            .collect();
        let mut lets = TokenStream::new();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for ((place, content), name) in writes.iter().zip(&names) {
            let place = self.evaluate(&body, place, None);
            lets.extend(quote!(let #name = #place;));
            let stood = self.content_at(id, &quote!(s), &quote!(#name));
            before.push(quote!(one(u32::from(#stood))));
            let put = self.evaluate(&body, content, None);
            after.push(quote!(one(#put as u32)));
        }
        let pairs = (0..names.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let same = pairs.map(|(a, b)| {
            let (a, b) = (&names[a], &names[b]);
            quote!(#a == #b ||)
        });
        let (tag, read) = (
            self.tags(index.into()),
            format_ident!("{}_args", self.family_names[index]),
        );
        let pattern = tuple(&self.family_names(family).params);
        Some(quote! {
            #tag => {
                let #pattern = mv.#read();
                #lets
                #(#same)* #(#before)+* != #(#after)+*
            }
        })
    }

    /// Whether somebody may win by a move of an arm: that matters as much as what is exchanged.
    fn may_be_won_by(&self, arm: &Arm) -> bool {
        let mut won = false;
        let mut look = |stmt: &Stmt| {
            if let StmtKind::End { winners, .. } = &stmt.kind {
                won |= !matches!(&winners.kind, ExprKind::Const(Const::Set(all)) if all.is_empty())
                    && !matches!(&winners.kind, ExprKind::SetOf(all) if all.is_empty());
            }
        };
        let effect = self
            .effects
            .block(self.game, &self.machine.locals, &arm.body);
        walk_block(&arm.body, &mut look);
        for func in &effect.calls {
            let reached = self.effects.reaches(*func).iter();
            for func in reached.chain([func]) {
                walk_block(&self.game.function(*func).body, &mut look);
            }
        }
        won
    }

    /// What an arm puts on a placement, by the parameters of its family; nothing where that depends on more.
    fn arm_writes(&self, arm: &Arm, id: PlacementId) -> Option<Writes> {
        let mut writes = Writes::new();
        for stmt in &arm.body {
            let StmtKind::Call { func, args, .. } = &stmt.kind else {
                self.leaves_alone(&self.machine.locals, stmt, id)?;
                continue;
            };
            let effect = self.effects.function(*func);
            if effect.writes.placements.is_empty() {
                continue;
            }
            let bound = |(arg, local): (&Expr, &LocalId)| matches!(arg.kind, ExprKind::Local(own) if own == *local);
            let passed = args.len() == arm.bind.len() && args.iter().zip(&arm.bind).all(bound);
            if !passed {
                return None;
            }
            writes.extend(self.function_writes(self.game.function(*func), id)?);
        }
        Some(writes)
    }

    fn function_writes(&self, function: &Function, id: PlacementId) -> Option<Writes> {
        let mut writes = Writes::new();
        for stmt in &function.body {
            match &stmt.kind {
                StmtKind::SetContent(own, place, content) if *own == id => {
                    let content = match &content.kind {
                        ExprKind::Some(inner) => inner,
                        _ => content,
                    };
                    let known = |expr| self.follows(expr, function.params);
                    if !known(place) || !known(content) {
                        return None;
                    }
                    writes.push((place.clone(), content.clone()));
                }
                // A parameter is no longer what the move says.
                StmtKind::Let(local, _) if local.index() < function.params => return None,
                _ => self.leaves_alone(&function.locals, stmt, id)?,
            }
        }
        Some(writes)
    }

    /// Whether a statement puts nothing on a placement.
    fn leaves_alone(
        &self,
        locals: &[crate::ir::Local],
        stmt: &Stmt,
        id: PlacementId,
    ) -> Option<()> {
        let one = std::slice::from_ref(stmt);
        let effect = self.effects.block(self.game, locals, one);
        (!effect.writes.placements.contains(&id) && effect.writes.snapshots.is_empty())
            .then_some(())
    }
}

/// What is put on each place in the end.
fn last_of_each(writes: Writes) -> Writes {
    let mut last = Writes::new();
    for (place, content) in writes {
        match last.iter_mut().find(|(other, _)| same(other, &place)) {
            Some(known) => known.1 = content,
            None => last.push((place, content)),
        }
    }
    last
}
