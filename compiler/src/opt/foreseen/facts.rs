//! What is known of a member from the set that it is taken from.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::answer;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Family, Game, LocalId, Over, ParamSource, PlacementId,
    TableId, UnaryOp,
};

/// What is known of members, by local variable.
pub(super) type Facts = SortedMap<LocalId, Fact>;

/// What is known of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fact {
    /// Which it is one of, if that is known.
    pub(super) among: Option<SortedSet<u32>>,
    /// The only kinds that can stand there, on a placement.
    pub(super) kinds: Option<(PlacementId, SortedSet<u32>)>,
}

impl Fact {
    /// Whether a kind cannot stand there.
    pub(super) fn excludes(&self, placement: PlacementId, kind: u32) -> bool {
        let kinds = self.kinds.as_ref();
        kinds.is_some_and(|(of, kinds)| *of == placement && !kinds.contains(&kind))
    }

    /// What is known of the members of a set.
    pub(super) fn of(game: &Game, set: &Expr, depth: usize) -> Fact {
        let Some(depth) = depth.checked_sub(1) else {
            return Fact::default();
        };
        let of = |set: &Expr| Fact::of(game, set, depth);
        match &set.kind {
            ExprKind::Const(Const::Set(members)) => Fact::among(members.iter().copied()),
            ExprKind::Places(placement, kind) => Fact {
                among: None,
                kinds: number(kind).map(|kind| (*placement, SortedSet::from([kind]))),
            },
            ExprKind::Binary(BinaryOp::Intersect, a, b) => of(a).and(of(b)),
            ExprKind::Binary(BinaryOp::Minus, a, _) => of(a),
            ExprKind::Binary(BinaryOp::Union, a, b) | ExprKind::If(_, a, b) => of(a).or(of(b)),
            ExprKind::Unary(UnaryOp::Complement, others) => Fact::not_of(game, others),
            ExprKind::Lookup(table, _) => Fact::of_rows(game, *table),
            ExprKind::Collect { over, .. } => match &**over {
                Over::Set(set) => of(set),
                _ => Fact::default(),
            },
            ExprKind::Call(func, _) => answer(game.function(*func)).map_or_else(Fact::default, of),
            _ => Fact::default(),
        }
    }

    fn among(members: impl Iterator<Item = u32>) -> Fact {
        Fact {
            among: Some(members.collect()),
            kinds: None,
        }
    }

    /// What is known of those that some sets of places leave over.
    fn not_of(game: &Game, others: &Expr) -> Fact {
        let mut open = vec![others];
        let mut gone: SortedMap<PlacementId, SortedSet<u32>> = SortedMap::new();
        while let Some(part) = open.pop() {
            match &part.kind {
                ExprKind::Binary(BinaryOp::Union, a, b) => open.extend([&**a, &**b]),
                ExprKind::Places(placement, kind) => {
                    gone.entry(*placement).or_default().extend(number(kind));
                }
                _ => {}
            }
        }
        let kinds = gone.into_iter().next().map(|(placement, gone)| {
            let all = game.domain(game.placement(placement).pieces).len() as u32;
            let left = (0..all).filter(|kind| !gone.contains(kind));
            (placement, left.collect())
        });
        Fact { among: None, kinds }
    }

    /// What is known of the members of all sets of a table.
    fn of_rows(game: &Game, table: TableId) -> Fact {
        let table = game.table(table);
        let rows = table.values.iter().chain(&table.outside);
        let rows = rows.map(|row| match row {
            Const::Set(members) => Some(&members[..]),
            _ => None,
        });
        match rows.collect::<Option<Vec<&[u32]>>>() {
            Some(rows) => Fact::among(rows.into_iter().flatten().copied()),
            None => Fact::default(),
        }
    }

    /// Both are known.
    fn and(self, other: Fact) -> Fact {
        let among = match (self.among, other.among) {
            (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
            (a, b) => a.or(b),
        };
        let kinds = match (self.kinds, other.kinds) {
            (Some((at, a)), Some((of, b))) if at == of => {
                Some((at, a.intersection(&b).copied().collect()))
            }
            (a, b) => a.or(b),
        };
        Fact { among, kinds }
    }

    /// One of both is known.
    fn or(self, other: Fact) -> Fact {
        // There is no member of an empty set.
        let is_none = |fact: &Fact| fact.among.as_ref().is_some_and(|all| all.is_empty());
        if is_none(&self) {
            return other;
        }
        if is_none(&other) {
            return self;
        }
        let union = |a: SortedSet<u32>, b: SortedSet<u32>| a.union(&b).copied().collect();
        let kinds = match (self.kinds, other.kinds) {
            (Some((at, a)), Some((of, b))) if at == of => Some((at, union(a, b))),
            _ => None,
        };
        Fact {
            among: self.among.zip(other.among).map(|(a, b)| union(a, b)),
            kinds,
        }
    }
}

/// What is known of the parameters of a family, of which the candidates are found before the move.
pub(super) fn of_family(game: &Game, family: &Family) -> Facts {
    let known = family.params.iter().map(|param| match &param.source {
        ParamSource::Among(members) => Fact::among(members.iter().copied()),
        ParamSource::Listed { table, .. } => Fact::of_rows(game, *table),
        ParamSource::Generated(func) => answer(game.function(*func))
            .map_or_else(Fact::default, |set| Fact::of(game, set, super::DEPTH)),
        _ => Fact::default(),
    });
    let first = family.context.len();
    (first..).map(LocalId::from).zip(known).collect()
}

/// The number of a constant member.
pub(super) fn number(member: &Expr) -> Option<u32> {
    match member.as_const() {
        Some(Const::Elem(number)) => Some(*number),
        _ => None,
    }
}
