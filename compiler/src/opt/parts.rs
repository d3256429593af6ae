//! Rules that lead different pieces different ways, written as a rule for each kind of them.
//!
//! One rule may move pieces of several kinds, each its own way: the guard works the way out from what tables say of the piece. As
//! a family for each kind, all that depends on the kind is constant in each, as where an author writes a rule for each. The moves
//! of all are told by the name of the rule ([`RulePart`]).
//!
//! Any choice of pieces gives the same moves, so how these are chosen is a question of speed alone: guards are run for some
//! sources on a position that is not known ([`Standing`]), and pieces for which they admit the same targets stay together.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::calls::Calls;
use crate::ir::effects::Effects;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::walk::each_stmt_mut;
use crate::ir::{
    Arm, Axis, Const, DomainId, ExprKind, Family, FamilyId, FuncId, Game, ParamSource, PlacementId,
    RulePart, StmtKind, TableId, TextOf, TextPart, Type,
};

use super::patterns::reach::{candidates, taken};
use super::prune::Standing;
use super::tables;

/// Runs of the guard of one rule.
const RUNS: usize = 2_048;
/// Kinds of pieces of one rule.
const MOST_PARTS: usize = 4;

/// A rule, and which pieces go which way.
pub struct Split {
    family: FamilyId,
    /// The parameter that is the piece.
    piece: usize,
    /// The pieces of each part, ascending.
    groups: Vec<Vec<u32>>,
}

/// The rules of a game that lead pieces different ways. The families of `game` are those of the rules; constants may be folded.
pub fn find(game: &Game) -> Vec<Split> {
    if game.machine.is_some() || game.episode.is_some() {
        return Vec::new();
    }
    let calls = Calls::of(game);
    let families = (0..game.families.len()).map(FamilyId::from);
    families.filter_map(|id| split(game, &calls, id)).collect()
}

/// Writes each rule as its parts.
pub fn write(game: &mut Game, splits: &[Split]) {
    for split in splits {
        let Some((first, others)) = split.groups.split_first() else {
            continue;
        };
        let among = |pieces: &[u32]| ParamSource::Among(pieces.to_vec());
        let whole = game.family(split.family).clone();
        game.families[split.family.index()].params[split.piece].source = among(first);
        let parts: Vec<FamilyId> = others
            .iter()
            .map(|pieces| {
                let mut part = whole.clone();
                part.name = unused(game, &whole.name);
                part.params[split.piece].source = among(pieces);
                copy_functions(game, &mut part);
                game.families.push(part);
                FamilyId::from(game.families.len() - 1)
            })
            .collect();
        add_arms(game, split.family, &parts);
        let rule = split.family;
        for family in parts {
            game.parts.push(RulePart { family, rule });
            let of = |id| TextOf::Family(id);
            let told = game.tellings.iter().find(|told| told.of == of(rule));
            let told = told.cloned().map(|mut told| {
                told.of = of(family);
                told
            });
            game.tellings.extend(told);
        }
    }
}

/// Gives a part functions of its own, so that what is known of its pieces is known there.
fn copy_functions(game: &mut Game, part: &mut Family) {
    let listing = part
        .params
        .iter_mut()
        .filter_map(|param| match &mut param.source {
            ParamSource::Generated(func) => Some(func),
            _ => None,
        });
    let own = [
        &mut part.guard,
        &mut part.after,
        &mut part.effect,
        &mut part.rank,
    ];
    for func in own.into_iter().flatten().chain(listing) {
        *func = copied(game, *func);
    }
}

fn copied(game: &mut Game, func: FuncId) -> FuncId {
    let mut copy = game.function(func).clone();
    copy.name = tables::unused(game, &copy.name, 2);
    game.functions.push(copy);
    FuncId::from(game.functions.len() - 1)
}

/// Gives each decision that has an arm for a rule one for each part behind it, with functions of its own.
fn add_arms(game: &mut Game, rule: FamilyId, parts: &[FamilyId]) {
    let played = played(game, rule);
    let mut copies: Vec<SortedMap<FuncId, FuncId>> = Vec::new();
    for _ in parts {
        let own = played.iter().map(|func| (*func, copied(game, *func)));
        copies.push(own.collect());
    }
    for function in &mut game.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &mut stmt.kind else {
                return;
            };
            let whole = choose.arms.iter().position(|arm| arm.family == rule);
            let Some(at) = whole else { return };
            let arms = parts.iter().zip(&copies).map(|(part, copies)| {
                let mut arm = choose.arms[at].clone();
                arm.family = *part;
                each_stmt_mut(&mut arm.body, &mut |stmt| {
                    if let StmtKind::Call { func, .. } = &mut stmt.kind {
                        *func = copies.get(func).copied().unwrap_or(*func);
                    }
                });
                arm
            });
            let arms: Vec<Arm> = arms.collect();
            choose.arms.splice(at + 1..at + 1, arms);
        });
    }
}

/// The functions that do what moves of a family do, but for those in which something else is decided.
fn played(game: &Game, family: FamilyId) -> SortedSet<FuncId> {
    let mut played = SortedSet::new();
    for function in &game.functions {
        walk_block(&function.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &stmt.kind else {
                return;
            };
            for arm in choose.arms.iter().filter(|arm| arm.family == family) {
                walk_block(&arm.body, &mut |stmt| {
                    if let StmtKind::Call { func, .. } = &stmt.kind {
                        played.insert(*func);
                    }
                });
            }
        });
    }
    let effects = Effects::of(game);
    let played = played.into_iter();
    played
        .filter(|func| !effects.function(*func).suspends)
        .collect()
}

/// A name that no family has.
fn unused(game: &Game, name: &str) -> String {
    let taken = |name: &str| game.families.iter().any(|family| family.name == name);
    tables::numbered(name, 2, &taken)
}

/// A family that takes a piece from where it stands to a place.
struct Mover<'g> {
    game: &'g Game,
    family: &'g Family,
    guard: Option<FuncId>,
    piece: usize,
    place: usize,
    placement: PlacementId,
    target: usize,
}

/// How a rule is split, if its guard or what lists its targets leads pieces different ways.
fn split(game: &Game, calls: &Calls, id: FamilyId) -> Option<Split> {
    let mover = Mover::of(game, id)?;
    let pieces = mover.pieces()?;
    let kinds = mover.kinds(calls, &pieces);
    if kinds.len() < 2 {
        return None;
    }
    let groups = mover.by_targets(kinds)?;
    (2..=MOST_PARTS).contains(&groups.len()).then_some(Split {
        family: id,
        piece: mover.piece,
        groups,
    })
}

impl<'g> Mover<'g> {
    fn of(game: &'g Game, id: FamilyId) -> Option<Mover<'g>> {
        let family = game.family(id);
        if !family.context.is_empty() || game.by_host.contains(&id) {
            return None;
        }
        let mut params = family.params.iter().enumerate();
        let (place, (placement, piece)) =
            params.find_map(|(place, param)| match &param.source {
                ParamSource::Is(source) => Some((place, taken(source)?)),
                _ => None,
            })?;
        let (piece, target) = (piece.index(), place + 1);
        let names_it = family.text.contains(&TextPart::Param(piece));
        let ends = (piece, place, family.params.len()) == (0, 1, 3);
        (ends && names_it).then_some(Mover {
            game,
            family,
            guard: family.guard,
            piece,
            place,
            placement,
            target,
        })
    }

    /// The pieces that the rule moves.
    fn pieces(&self) -> Option<Vec<u32>> {
        let param = &self.family.params[self.piece];
        match &param.source {
            ParamSource::All => Some((0..self.members(self.piece)? as u32).collect()),
            ParamSource::Among(members) => Some(members.clone()),
            _ => None,
        }
    }

    fn members(&self, param: usize) -> Option<usize> {
        let domain = self.domain(param)?;
        Some(self.game.domain(domain).len())
    }

    fn domain(&self, param: usize) -> Option<DomainId> {
        match self.family.params[param].ty {
            Type::Elem(domain) => Some(domain),
            _ => None,
        }
    }

    /// The pieces by what tables say of them that the rule asks, in the order of the first of each kind.
    fn kinds(&self, calls: &Calls, pieces: &[u32]) -> Vec<Vec<u32>> {
        let tables: Vec<TableId> = self.asked(calls).into_iter().collect();
        let said = |piece: u32| -> Vec<&Const> {
            let tables = tables.iter().map(|table| self.game.table(*table));
            let said = tables.filter_map(|table| table.values.get(piece as usize));
            said.collect()
        };
        together(pieces.iter().map(|piece| (said(*piece), vec![*piece])))
    }

    /// The tables of pieces that the guard and what lists targets ask.
    fn asked(&self, calls: &Calls) -> SortedSet<TableId> {
        let mut functions: SortedSet<FuncId> = SortedSet::new();
        for root in self.guard.into_iter().chain(self.family.listing()) {
            functions.insert(root);
            functions.extend(calls.reaches(root).iter().copied());
        }
        let axes = self.domain(self.piece).map(Axis::Domain);
        let mut asked = SortedSet::new();
        for func in functions.iter() {
            walk_exprs(&self.game.function(*func).body, &mut |expr| {
                if let ExprKind::Lookup(table, _) = &expr.kind
                    && self.game.table(*table).axes.iter().eq(&axes)
                {
                    asked.insert(*table);
                }
            });
        }
        asked
    }

    /// Kinds of pieces that go the same ways wherever they stand, taken together; nothing where all do.
    fn by_targets(&self, kinds: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
        let places = self.members(self.place)? as u32;
        let runs = self.runs() * kinds.len();
        let sources = ((RUNS / runs.max(1)) as u32).min(places);
        let sources: Vec<u32> = (0..sources).map(|at| at * places / sources).collect();
        let ways = |piece: u32| -> Option<Vec<SortedSet<u32>>> {
            let from = sources.iter().map(|place| self.goes(piece, *place));
            let from: Vec<[SortedSet<u32>; 2]> = from.collect::<Option<_>>()?;
            Some(from.into_iter().flatten().collect())
        };
        let of_kinds = kinds.into_iter().map(|kind| Some((ways(kind[0])?, kind)));
        let of_kinds: Vec<(Vec<SortedSet<u32>>, Vec<u32>)> = of_kinds.collect::<Option<_>>()?;
        let apart = of_kinds.iter().any(|(own, _)| {
            let others = of_kinds.iter().map(|(other, _)| other);
            others.flat_map(|other| own.iter().zip(other)).any(differ)
        });
        apart.then(|| together(of_kinds))
    }

    /// How often something is run to find where a piece may go from one place.
    fn runs(&self) -> usize {
        match self.family.params[self.target].source {
            ParamSource::Generated(_) => 1,
            _ => 2 * self.members(self.target).unwrap_or(usize::MAX / 2),
        }
    }

    /// Where a piece may go from a place: in some position, as far as its guard tells, and where nothing else stands anywhere.
    fn goes(&self, piece: u32, place: u32) -> Option<[SortedSet<u32>; 2]> {
        let standing = Standing {
            placement: self.placement,
            piece,
            place,
        };
        if let ParamSource::Generated(func) = self.family.params[self.target].source {
            let listed = standing.alone(self.game, func, &[piece, place])?;
            return Some([members(&listed)?, SortedSet::new()]);
        }
        let (guard, all) = (self.guard?, self.members(self.target)? as u32);
        let some = candidates(self.game, self.family, self.target);
        let some: SortedSet<u32> = some.unwrap_or_else(|| (0..all).collect());
        let args = |target: &u32| [piece, place, *target];
        let admits = |target: &u32| !standing.never(self.game, guard, &args(target));
        let may: SortedSet<u32> = some.into_iter().filter(admits).collect();
        let goes = |target: &&u32| {
            standing.alone(self.game, guard, &args(target)) == Some(Const::Bool(true))
        };
        let alone = may.iter().filter(goes).copied().collect();
        Some([may, alone])
    }
}

/// The members of a set or sequence of them.
fn members(listed: &Const) -> Option<SortedSet<u32>> {
    match listed {
        Const::Set(members) => Some(members.iter().copied().collect()),
        Const::Seq(items) => {
            let member = |item: &Const| match item {
                Const::Elem(member) => Some(*member),
                _ => None,
            };
            items.iter().map(member).collect()
        }
        _ => None,
    }
}

/// Whether two pieces that stand in one place go to different ones.
fn differ((own, others): (&SortedSet<u32>, &SortedSet<u32>)) -> bool {
    !own.is_empty() && !others.is_empty() && own != others
}

/// What has equal keys taken together, in the order of the first of each.
fn together<K: PartialEq>(all: impl IntoIterator<Item = (K, Vec<u32>)>) -> Vec<Vec<u32>> {
    let mut groups: Vec<(K, Vec<u32>)> = Vec::new();
    for (key, members) in all {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.extend(members),
            None => groups.push((key, members)),
        }
    }
    let sorted = groups.into_iter().map(|(_, mut group)| {
        group.sort_unstable();
        group
    });
    sorted.collect()
}
