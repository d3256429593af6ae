//! Finds the dense numbers of moves.

use rulec_ir::sorted::SortedSet;

use crate::ir::count::binomial;
use crate::ir::{
    BinaryOp, Const, DomainId, Expr, ExprKind, Family, Game, Interchangeable, MoveNumbers,
    NumberLayer, NumberedArg, NumberedKind, Param, ParamSource, PlacementForm, PlacementId,
    StmtKind, Type,
};
use crate::opt::prune::never;

use super::may::{May, Values};
use super::may::{Members, domain_of};

/// Most numbers of a game.
const MOST_NUMBERS: u64 = u32::MAX as u64;
/// Members of a domain of which sets are numbered.
const MOST_IN_A_SET: u32 = 32;
/// Tuples of arguments that are looked at one by one; a family with more has a number for each tuple.
const MOST_TUPLES: usize = 1 << 16;
/// Guards that are run for one game.
const MOST_GUARDS: usize = 1 << 15;
/// Calls inside of calls that are followed.
const DEPTH: usize = 8;

/// The numbers of the moves of a game whose classes are known, if they are not too many; `program` is the same game in a form
/// in which guards are quick to run.
pub(super) fn of(game: &Game, program: &Game) -> Option<MoveNumbers> {
    let mut layers: Vec<Layer> = Vec::new();
    let mut guards = MOST_GUARDS;
    let mut kinds = Vec::new();
    for (family, pruned) in game.families.iter().zip(&program.families) {
        let mut find = |own: &Own| {
            let args: Vec<NumberedArg> = (0..family.params.len())
                .map(|at| param_arg(game, family, at, own))
                .collect();
            let mut tuples = Tuples {
                program,
                family: pruned,
                args: &args,
                own,
                guards: &mut guards,
                keys: SortedSet::new(),
                left: MOST_TUPLES,
                strays: false,
            };
            let listed = tuples.extend(&mut Vec::new(), 0);
            let (keys, strays) = (listed.map(|()| tuples.keys), tuples.strays);
            (!strays).then_some((args, keys))
        };
        let own = Own::of(game, family);
        let found = own.and_then(|own| find(&own).filter(|(_, keys)| keys.is_some()));
        let (args, keys) = found.or_else(|| find(&Own::default()))?;
        let layer = layer_for(&mut layers, lens(&args), stands(program, pruned), keys);
        kinds.push(NumberedKind { layer, args });
    }
    for draw in &game.draws {
        let args = vec![arg(game, &draw.ty, None)];
        let layer = layer_for(&mut layers, lens(&args), None, None);
        kinds.push(NumberedKind { layer, args });
    }
    let layers: Option<Vec<NumberLayer>> = layers.into_iter().map(Layer::finish).collect();
    let numbers = MoveNumbers {
        kinds,
        layers: layers?,
    };
    (numbers.count() <= MOST_NUMBERS).then_some(numbers)
}

/// What an argument of a family contributes. A piece stands for all that are alike if another argument tells where it stands,
/// and then that place for all that are alike.
fn param_arg(game: &Game, family: &Family, at: usize, own: &Own) -> NumberedArg {
    let param = &family.params[at];
    let plain = arg(game, &param.ty, Some(&param.source));
    let (NumberedArg::Member(len, _), Type::Elem(domain)) = (&plain, &param.ty) else {
        return plain;
    };
    let told = told_by_place(game, family);
    let is_told = told
        .iter()
        .any(|(piece, place)| [*piece, *place].contains(&at));
    let alike = game
        .interchangeable
        .iter()
        .filter(|class| is_told && class.domain == *domain && class.with_places.is_none());
    let alike = alike.map(|class| class.members.clone());
    let with_own = own.classes.iter().filter_map(|class| match class {
        _ if own.piece == Some(at) => Some(class.members.clone()),
        _ if class.with_places == Some(*domain) => Some(class.places.concat()),
        _ => None,
    });
    let mut first: Vec<u32> = (0..*len as u32).collect();
    for class in alike.chain(with_own) {
        for &member in &class {
            first[member as usize] = class[0];
        }
    }
    let any = (0..).zip(&first).any(|(member, first)| member != *first);
    NumberedArg::Member(*len, if any { first } else { Vec::new() })
}

/// The parameters of a family that are a piece and the place where it stands.
fn told_by_place(game: &Game, family: &Family) -> Vec<(usize, usize)> {
    let follows = |(at, param): (usize, &Param)| {
        let ParamSource::Is(value) = &param.source else {
            return None;
        };
        let ExprKind::PlaceOf(placement, of) = &value.kind else {
            return None;
        };
        let ExprKind::Local(piece) = of.kind else {
            return None;
        };
        let piece = piece.index().checked_sub(family.context.len())?;
        let one = game.placement(*placement).form == PlacementForm::One;
        one.then_some((piece, at))
    };
    family
        .params
        .iter()
        .enumerate()
        .filter_map(follows)
        .collect()
}

/// Pieces that are alike if each takes a place of its own along, where a family has one among its parameters.
///
/// A move of such a piece to its own place has the number of that of the first piece to its own: no other piece comes there.
#[derive(Default)]
struct Own<'g> {
    classes: Vec<&'g Interchangeable>,
    /// The parameter that is the piece.
    piece: Option<usize>,
}

impl<'g> Own<'g> {
    fn of(game: &'g Game, family: &Family) -> Option<Own<'g>> {
        let &[(piece, _)] = &told_by_place(game, family)[..] else {
            return None;
        };
        let domain = domain_of(&family.params[piece].ty);
        let single = |class: &&Interchangeable| {
            Some(class.domain) == domain
                && class.with_places.is_some()
                && class.places.iter().all(|own| own.len() == 1)
        };
        let classes: Vec<_> = game.interchangeable.iter().filter(single).collect();
        (!classes.is_empty()).then_some(Own {
            classes,
            piece: Some(piece),
        })
    }

    /// Whether a member is a place that belongs to another piece than the one of a move of which the first arguments are known.
    fn is_foreign(&self, domain: Option<DomainId>, known: &[u32], member: u32) -> bool {
        let piece = self.piece.and_then(|piece| known.get(piece));
        let classes = self.classes.iter();
        let mut classes = classes.filter(|class| class.with_places == domain);
        classes.any(|class| {
            let mut own = class.members.iter().zip(&class.places);
            own.any(|(of, places)| places.contains(&member) && piece != Some(of))
        })
    }
}

/// What an argument of a type contributes.
fn arg(game: &Game, ty: &Type, source: Option<&ParamSource>) -> NumberedArg {
    match ty {
        Type::Elem(domain) | Type::Opt(domain) => {
            NumberedArg::Member(game.domain(*domain).len() as u64, Vec::new())
        }
        Type::Int { lo, hi } => {
            NumberedArg::Int(*lo, (hi.wrapping_sub(*lo) as u64).saturating_add(1))
        }
        Type::Set(domain) => {
            let members = game.domain(*domain).len() as u32;
            let size = match source {
                Some(ParamSource::Subset { size, .. }) => match size.as_const() {
                    Some(Const::Int(size)) => u32::try_from(*size).ok(),
                    _ => None,
                },
                _ => None,
            };
            NumberedArg::Set(members, size.filter(|size| *size <= members))
        }
        _ => NumberedArg::Int(0, 1),
    }
}

/// How many values the arguments have; no value where they are too many to be numbered.
fn lens(args: &[NumberedArg]) -> Vec<u64> {
    let len = |arg: &NumberedArg| match arg {
        NumberedArg::Member(len, _) | NumberedArg::Int(_, len) => *len,
        NumberedArg::Set(members, _) if *members > MOST_IN_A_SET => 0,
        NumberedArg::Set(members, Some(size)) => {
            binomial(u64::from(*members), u64::from(*size)).unwrap_or(0)
        }
        NumberedArg::Set(members, None) => 1 << members,
    };
    args.iter().map(len).collect()
}

/// What stands where a family takes its first argument from: a kind on a place of an anonymous placement.
type Stands = Option<(PlacementId, u32)>;

/// Numbers that are being given.
struct Layer {
    lens: Vec<u64>,
    /// What stands at the first argument of each family that shares these numbers; a single one shares them with none.
    kinds: Vec<Stands>,
    /// The keys; nothing for all.
    keys: Option<SortedSet<u64>>,
}

/// The layer of a family: the first that has only families of which never one is legal together with it.
fn layer_for(
    layers: &mut Vec<Layer>,
    lens: Vec<u64>,
    stands: Stands,
    keys: Option<SortedSet<u64>>,
) -> usize {
    let apart = |other: &Stands| match (other, stands) {
        (Some((board, kind)), Some((own_board, own_kind))) => {
            *board == own_board && *kind != own_kind
        }
        _ => false,
    };
    let shares = |layer: &&mut Layer| {
        layer.lens == lens && layer.keys.is_some() && layer.kinds.iter().all(apart)
    };
    let shared = keys
        .as_ref()
        .and_then(|_| layers.iter_mut().position(|layer| shares(&layer)));
    match (shared, keys) {
        (Some(at), Some(keys)) => {
            layers[at].kinds.push(stands);
            layers[at].keys.get_or_insert_default().extend(keys);
            at
        }
        (_, keys) => {
            layers.push(Layer {
                lens,
                kinds: vec![stands],
                keys,
            });
            layers.len() - 1
        }
    }
}

impl Layer {
    /// The layer; nothing where its values cannot be numbered.
    fn finish(self) -> Option<NumberLayer> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        let Some(keys) = self.keys else {
            let mut lens = self.lens.iter();
            let all = lens.try_fold(1_u64, |product, len| product.checked_mul(*len))?;
            runs.push((0, (all > 0).then_some(all)?));
            let lens = self.lens;
            return Some(NumberLayer { lens, runs });
        };
        for key in keys {
            match runs.last_mut() {
                Some((first, count)) if *first + *count == key => *count += 1,
                _ => runs.push((key, 1)),
            }
        }
        let lens = self.lens;
        Some(NumberLayer { lens, runs })
    }
}

/// What stands at the first argument of a family whenever a move of it is legal.
fn stands(game: &Game, family: &Family) -> Stands {
    let source = &family.params.first()?.source;
    let ParamSource::Generated(func) = source else {
        return None;
    };
    match &game.function(*func).body[..] {
        [only] => match &only.kind {
            StmtKind::Return(Some(value)) => within(value)?,
            _ => None,
        },
        _ => None,
    }
}

/// The places that a set is part of; nothing where that is not known, and nothing in it where the set is empty.
fn within(set: &Expr) -> Option<Stands> {
    match &set.kind {
        ExprKind::Const(Const::Set(members)) if members.is_empty() => Some(None),
        ExprKind::Places(placement, kind) => match kind.as_const()? {
            Const::Elem(kind) => Some(Some((*placement, *kind))),
            _ => None,
        },
        ExprKind::If(_, a, b) => match (within(a)?, within(b)?) {
            (None, other) | (other, None) => Some(other),
            (a, b) => (a == b).then_some(a),
        },
        ExprKind::Binary(BinaryOp::Intersect, a, b) => within(a).or_else(|| within(b)),
        ExprKind::Binary(BinaryOp::Minus, a, _) => within(a),
        _ => None,
    }
}

/// Finds the keys of the moves of a family that some position may admit.
struct Tuples<'a> {
    program: &'a Game,
    family: &'a Family,
    args: &'a [NumberedArg],
    own: &'a Own<'a>,
    guards: &'a mut usize,
    keys: SortedSet<u64>,
    left: usize,
    /// Whether a piece may stand on a place that belongs to another one, or go there.
    strays: bool,
}

impl Tuples<'_> {
    /// Adds the keys of all tuples that begin so; nothing where there are too many.
    fn extend(&mut self, known: &mut Vec<u32>, key: u64) -> Option<()> {
        if known.len() == self.args.len() {
            self.keys.insert(key);
            return Some(());
        }
        let args = self.args;
        let NumberedArg::Member(len, first) = &args[known.len()] else {
            return None;
        };
        let len = *len;
        let domain = domain_of(&self.family.params[known.len()].ty);
        for member in self.candidates(known, len) {
            if self.own.is_foreign(domain, known, member) {
                known.push(member);
                self.strays |= !self.is_never(known);
                known.pop();
                continue;
            }
            let stands = first
                .get(member as usize)
                .is_none_or(|&first| first == member);
            if !stands {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            known.push(member);
            if !self.is_never(known) {
                let key = key.checked_mul(len)?.checked_add(u64::from(member))?;
                self.extend(known, key)?;
            }
            known.pop();
        }
        Some(())
    }

    /// The values that the next argument may have.
    fn candidates(&self, known: &[u32], len: u64) -> SortedSet<u32> {
        let context = self.family.context.len();
        let mut locals: Values = vec![None; context];
        locals.extend(known.iter().map(|&member| Some(SortedSet::from([member]))));
        let may = May { game: self.program };
        let members: Members = match &self.family.params[known.len()].source {
            ParamSource::All | ParamSource::Subset { .. } => None,
            ParamSource::Among(members) => Some(members.iter().copied().collect()),
            ParamSource::Listed { by, table } => {
                let row = self.program.table(*table).values.get(known[*by] as usize);
                match row {
                    Some(Const::Set(members)) => Some(members.iter().copied().collect()),
                    _ => None,
                }
            }
            ParamSource::Is(value) => may.value(value, &locals, DEPTH),
            ParamSource::Generated(func) => may.given(*func, &locals, DEPTH),
        };
        members.unwrap_or_else(|| (0..len as u32).collect())
    }

    fn is_never(&mut self, known: &[u32]) -> bool {
        let Some(left) = self.guards.checked_sub(1) else {
            return false;
        };
        let Some(guard) = self.family.guard else {
            return false;
        };
        *self.guards = left;
        let params = self.family.params.len();
        let mut args = vec![None; self.family.context.len() + params];
        for (at, member) in known.iter().enumerate() {
            args[self.family.context.len() + at] = Some(*member);
        }
        never(self.program, guard, &args)
    }
}
