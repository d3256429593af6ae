//! What the legal moves of a rule have in common that one that is not legal lacks.

use super::super::state::Event;
use super::{Explainer, Move, MoveParts, Noted, Reason, Tries, Type, Value};
use crate::ir::{Axis, DomainId, FamilyId, PlacementId, VarId};

/// Legal moves that are looked at.
const MOST_LOOKED_AT: usize = 64;
/// Alternatives that are told at most.
const MOST_TOLD: usize = 12;

/// What every legal move of a kind does, and one that is not legal would not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// It takes a piece away, for one this one.
    Takes(DomainId, u32),
    /// It changes a piece that it does not name, for one this one.
    Changes(DomainId, u32),
}

/// What a move does to pieces that it does not name: one that is taken, one that is changed.
#[derive(Clone, Copy, Default)]
struct Deed {
    takes: Option<(DomainId, u32)>,
    changes: Option<(DomainId, u32)>,
}

impl Explainer<'_> {
    /// Adds what legal moves do or name, and the move of the reason does not.
    pub(super) fn beside(&self, mut reason: Reason) -> Reason {
        let whole = matches!(reason.kind, "condition" | "rank");
        if let (Some(mv), Some(family), true) = (reason.mv, reason.family, whole) {
            let legal = self.interp.legal_moves(self.state).unwrap_or(&[]);
            let of_family = |other: &Move| match self.interp.move_parts(*other) {
                Some(MoveParts::Family(known, _)) => known == family,
                _ => false,
            };
            // Which of equal pieces is moved makes no difference.
            let kinds = self.interp.distinct_moves(self.state).unwrap_or_default();
            let alike: Vec<Move> = kinds.iter().copied().filter(of_family).collect();
            reason.lacks = self.lacks(mv, &alike, &kinds);
            reason.instead = self.instead(mv, legal);
        }
        if let ("no-candidate", Some(family), [_, ..]) =
            (reason.kind, reason.family, reason.chosen.as_slice())
        {
            let legal = self.interp.legal_moves(self.state).unwrap_or(&[]);
            reason.instead = self.next_to(family, &reason.chosen, legal);
        }
        reason
    }

    /// What stands in legal moves behind these arguments, also in those of other families that name the same kinds of things.
    fn next_to(&self, family: FamilyId, chosen: &[Value], legal: &[Move]) -> Vec<String> {
        let game = self.interp.game();
        let own = &game.family(family).params;
        let Some(next) = own.get(chosen.len()) else {
            return Vec::new();
        };
        let mut found: Vec<String> = Vec::new();
        for &mv in legal {
            let Some(MoveParts::Family(other, args)) = self.interp.move_parts(mv) else {
                continue;
            };
            let params = &game.family(other).params;
            let kinds = own.iter().zip(params).take(chosen.len() + 1);
            let is_alike = args.len() > chosen.len() && kinds.clone().all(|(a, b)| a.ty == b.ty);
            if !is_alike || !args.starts_with(chosen) {
                continue;
            }
            let text = self.interp.value_text(&args[chosen.len()], &next.ty);
            if !found.contains(&text) {
                found.push(text);
            }
            if found.len() > MOST_TOLD {
                found.truncate(MOST_TOLD);
                found.push("\u{2026}".to_owned());
                break;
            }
        }
        found
    }

    /// What all legal moves take, or all of the same rule (`alike`) change, and the move does not.
    fn lacks(&self, mv: Move, alike: &[Move], legal: &[Move]) -> Option<Lack> {
        let own = self.deed(mv)?;
        if own.takes.is_none()
            && let Some((domain, piece)) = self.all_do(legal, |deed| deed.takes)
        {
            return Some(Lack::Takes(domain, piece));
        }
        if own.changes.is_some() {
            return None;
        }
        let (domain, piece) = self.all_do(alike, |deed| deed.changes)?;
        Some(Lack::Changes(domain, piece))
    }

    /// What the first of some moves does, if each of them does something of that kind; nothing where there are too many to tell.
    fn all_do(
        &self,
        moves: &[Move],
        what: impl Fn(&Deed) -> Option<(DomainId, u32)>,
    ) -> Option<(DomainId, u32)> {
        if moves.len() > MOST_LOOKED_AT {
            return None;
        }
        let mut done = moves.iter().map(|&mv| what(&self.deed(mv)?));
        let first = done.next()??;
        done.all(|done| done.is_some()).then_some(first)
    }

    /// What a move does, legal or not; nothing where it cannot be made.
    fn deed(&self, mv: Move) -> Option<Deed> {
        let MoveParts::Family(family, args) = self.interp.move_parts(mv)? else {
            return None;
        };
        let (after, events) = self.state.after(mv, true)?;
        if let Some(outcome) = &after.outcome
            && matches!(outcome.reason, crate::Reason::Fault(_))
        {
            // The rules do not think of such a move.
            return None;
        }
        let params = &self.interp.game().family(family).params;
        let names = |domain: DomainId, member: u32| {
            let mut named = params.iter().zip(&args);
            named.any(|(param, arg)| param.ty == Type::Elem(domain) && *arg == Value::Elem(member))
        };
        let mut deed = Deed::default();
        for event in &events {
            self.note(event, &names, &mut deed);
        }
        Some(deed)
    }

    fn note(&self, event: &Event, names: &impl Fn(DomainId, u32) -> bool, deed: &mut Deed) {
        let game = self.interp.game();
        let placement = |number: u32| game.placement(PlacementId::from(number as usize));
        match *event {
            Event::Take {
                placement: at,
                piece,
                ..
            } => {
                let pieces = placement(at).pieces;
                if !names(pieces, piece) {
                    deed.takes = deed.takes.or(Some((pieces, piece)));
                }
            }
            Event::SetContent {
                placement: at,
                place,
                before: Some(kind),
                after,
            } => {
                let known = placement(at);
                // What a move brings away from where it begins goes elsewhere.
                if after.is_some() || !names(known.places, place) {
                    deed.takes = deed.takes.or(Some((known.pieces, kind)));
                }
            }
            Event::Change { var, member, .. } => {
                let id = VarId(var);
                let mut pieces = game.placements.iter().map(|known| known.pieces);
                if let [Axis::Domain(domain)] = game.var(id).axes[..]
                    && game.scores != Some(id)
                    && pieces.any(|pieces| pieces == domain)
                    && !names(domain, member)
                {
                    deed.changes = deed.changes.or(Some((domain, member)));
                }
            }
            _ => {}
        }
    }

    /// What the last argument of a move could be, with all others as they are; also in moves of other families that name the
    /// same kinds of things.
    fn instead(&self, mv: Move, legal: &[Move]) -> Vec<String> {
        let game = self.interp.game();
        let parts = |mv: Move| match self.interp.move_parts(mv) {
            Some(MoveParts::Family(family, args)) => Some((&game.family(family).params, args)),
            _ => None,
        };
        let Some((params, own)) = parts(mv) else {
            return Vec::new();
        };
        let (Some(last), Some((_, same))) = (params.last(), own.split_last()) else {
            return Vec::new();
        };
        let mut found: Vec<String> = Vec::new();
        for (others, args) in legal.iter().filter_map(|&other| parts(other)) {
            let alike = others.iter().map(|param| &param.ty);
            let text = match args.split_last() {
                Some((value, before))
                    if before == same && alike.eq(params.iter().map(|param| &param.ty)) =>
                {
                    self.interp.value_text(value, &last.ty)
                }
                _ => continue,
            };
            if found.len() == MOST_TOLD {
                found.push("\u{2026}".to_owned());
                break;
            }
            if !found.contains(&text) {
                found.push(text);
            }
        }
        // Moves of another form are not told, but there are some.
        let named = |other: &Move| {
            parts(*other).is_some_and(|(_, args)| args.iter().any(|arg| same.contains(arg)))
        };
        if found.is_empty() && legal.iter().any(named) {
            found.push("\u{2026}".to_owned());
        }
        found
    }
}

impl Tries<'_, '_> {
    /// The functions that a condition stands in by name, those that the rules name: the outermost first.
    pub(super) fn within(&self, leaf: &Noted<'_>) -> Vec<String> {
        let game = &self.program.game;
        let family = game.family(self.family);
        let guard = family.guard.map(|guard| guard.index());
        // What the compiler made of the rule is called after it.
        let made = format!("{}_", family.name);
        let frames = leaf.sight.as_ref().map(|sight| sight.frames.clone());
        let mut found: Vec<String> = Vec::new();
        let called = frames.into_iter().flatten();
        for routine in called.filter(|routine| Some(*routine) != guard) {
            let function = game.functions.get(routine);
            let name = function.map(|function| function.name.clone());
            let named = |name: &String| !name.starts_with(&made) && !found.contains(name);
            if let Some(name) = name.filter(named) {
                found.push(name);
            }
        }
        found
    }
}
