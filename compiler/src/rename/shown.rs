//! What planes show of members that no rule speaks of: where two pieces change their names, and the rules never ask of which type they
//! are, the types change theirs too, so that the picture of the image is the image of the picture.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::observe::{Plane, planes};
use crate::ir::{Axis, Const, DomainId, Expr, ExprKind, FuncId, Game, IdentityTerm, effects};

use super::Renaming;
use super::may::domain_of;
use super::meaning::Meaning;
use super::{Members, renaming};

/// A renaming that keeps the game, and what it makes of families; with new names for members of other domains, if planes are kept then
/// that would not be otherwise.
pub(super) fn with_what_is_shown(
    game: &Game,
    meaning: &mut Meaning<'_>,
    found: (Members, Vec<u32>),
) -> (Members, Vec<u32>) {
    if meaning.keeps_seen(&renaming(&found.0)) {
        return found;
    }
    let mut members = found.0.clone();
    // Again until nothing follows any more: what follows from what has no order.
    loop {
        let before = members.len();
        for table in &game.tables {
            let ([Axis::Domain(from)], Some(to)) = (&table.axes[..], domain_of(&table.ty)) else {
                continue;
            };
            if to == game.players || members.contains_key(&to) || !members.contains_key(from) {
                continue;
            }
            if let Some(new) = follows(game, &renaming(&members), *from, to, &table.values) {
                members.insert(to, new);
            }
        }
        if members.len() == before {
            break;
        }
    }
    let by = renaming(&members);
    match meaning.keeps(&by) {
        Some(families) if meaning.keeps_seen(&by) => (members, families),
        _ => found,
    }
}

/// The new numbers of the members of a domain that follow from those of another one by a table; nothing where none follow, or all stay.
fn follows(
    game: &Game,
    by: &Renaming,
    from: DomainId,
    to: DomainId,
    values: &[Const],
) -> Option<Vec<u32>> {
    let named = |value: &Const| match value {
        Const::Elem(member) => Some(*member),
        _ => None,
    };
    let mut new: Vec<u32> = (0..game.domain(to).len() as u32).collect();
    let mut known = vec![false; new.len()];
    for (member, value) in (0..).zip(values) {
        let image = named(values.get(by.member(from, member) as usize)?);
        let (Some(old), Some(image)) = (named(value), image) else {
            continue;
        };
        let slot = new.get_mut(old as usize)?;
        if std::mem::replace(&mut known[old as usize], true) && *slot != image {
            return None;
        }
        *slot = image;
    }
    let mut all = new.clone();
    all.sort_unstable();
    let is_permutation = all.iter().zip(0..).all(|(member, own)| *member == own);
    let changes = new.iter().zip(0..).any(|(member, own)| *member != own);
    (is_permutation && changes).then_some(new)
}

/// What planes show of members that no rule writes: for each domain the constants that stand at each of its members.
pub(super) struct Shown(SortedMap<DomainId, Vec<Vec<Const>>>);

impl Shown {
    pub(super) fn of(game: &Game) -> Shown {
        let constants = effects::constants(game);
        let mut shown = Shown(SortedMap::new());
        let mut called = SortedSet::new();
        let mut open: Vec<&Expr> = Vec::new();
        for plane in &planes(game) {
            open.extend(asked_by(game, plane));
        }
        while let Some(expr) = open.pop() {
            expr.walk(&mut |part| match &part.kind {
                ExprKind::Var(var, _) if constants.vars.contains(var) => {
                    let var = game.var(*var);
                    shown.add(game, &var.axes, &var.init);
                }
                ExprKind::Lookup(table, _) => {
                    let table = game.table(*table);
                    shown.add(game, &table.axes, &table.values);
                }
                ExprKind::Call(func, _) => {
                    called.insert(*func);
                }
                ExprKind::Holds(relation, _) => {
                    called.insert(game.relation(*relation).holds);
                }
                _ => {}
            });
        }
        shown.add_called(game, &called);
        shown
    }

    /// What functions ask is not looked at: all constants of a game, where some are called.
    fn add_called(&mut self, game: &Game, called: &SortedSet<FuncId>) {
        if called.is_empty() {
            return;
        }
        for id in effects::constants(game).vars {
            let var = game.var(id);
            self.add(game, &var.axes, &var.init);
        }
        for table in &game.tables {
            self.add(game, &table.axes, &table.values);
        }
    }

    fn add(&mut self, game: &Game, axes: &[Axis], values: &[Const]) {
        let mut stride = 1;
        for axis in axes.iter().rev() {
            let len = axis.len(game).max(1);
            if let Axis::Domain(domain) = axis {
                let own = self.0.entry(*domain).or_default();
                own.resize(len, Vec::new());
                for (cell, value) in values.iter().enumerate() {
                    own[cell / stride % len].push(value.clone());
                }
            }
            stride *= len;
        }
    }

    /// Whether the same is shown of two members.
    pub(super) fn are_equal(&self, domain: DomainId, [a, b]: [u32; 2]) -> bool {
        let own = self.0.get(&domain);
        own.is_none_or(|own| own.get(a as usize) == own.get(b as usize))
    }

    /// Whether the same is shown of all that are alike.
    pub(super) fn keeps_to_classes(&self, game: &Game) -> bool {
        game.interchangeable.iter().all(|class| {
            let mut pairs = class.members.windows(2);
            pairs.all(|pair| self.are_equal(class.domain, [pair[0], pair[1]]))
        })
    }
}

/// What a plane asks of each member.
fn asked_by<'g>(game: &'g Game, plane: &Plane) -> Vec<&'g Expr> {
    let Some((identity, at, value)) = plane.source.term() else {
        return Vec::new();
    };
    match game.identity(identity).terms.get(at) {
        Some(IdentityTerm::Each { when, values, .. }) => {
            let value = value.and_then(|value| values.get(value));
            value.into_iter().chain([when]).collect()
        }
        Some(IdentityTerm::Value(value)) => vec![value],
        _ => Vec::new(),
    }
}
