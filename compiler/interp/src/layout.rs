//! Moves as numbers: every family and every kind of draw has a range of its own, and the
//! arguments are the digits of a number of mixed radix.

use super::value::{Members, Value};
use crate::ir::count::binomial;
use crate::ir::{self, Const, DrawId, FamilyId, Game, ParamSource, Type};

/// A move or the result of a draw, packed into one integer.
///
/// The integer is its place in the dense list of all moves that can be spelled, whether legal or
/// not: first the families in order, then the draws; the last argument runs fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(super) u64);

impl Move {
    /// The packed form, which is also the place in the dense list.
    pub fn code(self) -> u64 {
        self.0
    }
}

/// What a move is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveParts {
    /// A member of a family and its arguments.
    Family(FamilyId, Vec<Value>),
    /// A draw and what is drawn.
    Draw(DrawId, Value),
}

/// Which numbers stand for which moves.
#[derive(Debug)]
pub(super) struct Layout {
    families: Vec<Range>,
    draws: Vec<Range>,
    /// Families that are written as one.
    joined: Vec<Joined>,
    /// Number of moves; nothing if they do not fit into 64 bits.
    pub(super) count: Option<u64>,
}

#[derive(Debug)]
struct Range {
    base: u64,
    len: u64,
    /// The digits and how many values each has.
    digits: Vec<(Digit, u64)>,
}

/// The values of an argument.
#[derive(Debug)]
enum Digit {
    Elem(u64),
    /// An integer from this on, so many.
    Int(i64, u64),
    /// A set of so many members of a domain of this size.
    Subset(u32, u32),
    /// Any set of members of a domain of this size.
    AnySet(u32),
}

impl Digit {
    fn of(game: &Game, ty: &Type, source: Option<&ParamSource>) -> Digit {
        match ty {
            Type::Elem(domain) | Type::Opt(domain) => {
                Digit::Elem(game.domain(*domain).len() as u64)
            }
            Type::Int { lo, hi } => {
                Digit::Int(*lo, (hi.wrapping_sub(*lo) as u64).saturating_add(1))
            }
            Type::Set(domain) => {
                let members = game.domain(*domain).len() as u32;
                let size = match source {
                    Some(ParamSource::Subset { size, .. }) => size.as_const(),
                    _ => None,
                };
                match size {
                    Some(Const::Int(size)) if (0..=i64::from(members)).contains(size) => {
                        Digit::Subset(members, *size as u32)
                    }
                    _ => Digit::AnySet(members),
                }
            }
            _ => Digit::Elem(1),
        }
    }

    fn radix(&self) -> Option<u64> {
        match self {
            Digit::Elem(len) | Digit::Int(_, len) => Some(*len),
            Digit::Subset(n, k) => binomial(u64::from(*n), u64::from(*k)),
            Digit::AnySet(n) => 1_u64.checked_shl(*n).filter(|_| *n < 64),
        }
    }

    fn pack(&self, value: &Value) -> Option<u64> {
        match (self, value) {
            (Digit::Elem(_), Value::Elem(member)) => Some(u64::from(*member)),
            (Digit::Int(lo, _), Value::Int(i)) => Some(i.wrapping_sub(*lo) as u64),
            (Digit::Subset(_, k), Value::Set(set)) => {
                let rank = (1..)
                    .zip(set.iter())
                    .map(|(i, m)| binomial(u64::from(m), i));
                let rank = rank.sum::<Option<u64>>()?;
                (set.len() == *k as usize).then_some(rank)
            }
            (Digit::AnySet(_), Value::Set(set)) => set
                .iter()
                .try_fold(0, |bits, m| Some(bits | 1_u64.checked_shl(m)?)),
            _ => None,
        }
    }

    fn number(&self, digit: u64) -> i64 {
        match self {
            Digit::Elem(_) => i64::from(digit as u32),
            Digit::Int(lo, _) => lo.wrapping_add(digit as i64),
            Digit::Subset(..) | Digit::AnySet(_) => match self.unpack(digit) {
                Value::Set(set) => set.iter().fold(0, |bits, m| bits | 1_i64 << (m & 63)),
                _ => 0,
            },
        }
    }

    fn unpack(&self, digit: u64) -> Value {
        match self {
            Digit::Elem(_) => Value::Elem(digit as u32),
            Digit::Int(lo, _) => Value::Int(lo.wrapping_add(digit as i64)),
            Digit::Subset(_, k) => Value::Set(subset_of_rank(u64::from(*k), digit)),
            Digit::AnySet(n) => Value::Set((0..*n).filter(|m| digit >> m & 1 == 1).collect()),
        }
    }
}

/// The set of `k` numbers with this rank in the combinatorial number system.
fn subset_of_rank(k: u64, mut rank: u64) -> Members {
    let mut members = Members::EMPTY;
    for i in (1..=k).rev() {
        let mut member = i - 1;
        while binomial(member + 1, i).is_some_and(|below| below <= rank) {
            member += 1;
        }
        rank -= binomial(member, i).unwrap_or(0);
        members.insert(member as u32);
    }
    members
}

impl Range {
    fn of(base: u64, digits: Vec<Digit>) -> Option<Range> {
        let with_radix = |digit: Digit| digit.radix().map(|radix| (digit, radix));
        let digits: Vec<(Digit, u64)> =
            digits.into_iter().map(with_radix).collect::<Option<_>>()?;
        let len = digits
            .iter()
            .try_fold(1_u64, |len, (_, radix)| len.checked_mul(*radix))?;
        Some(Range { base, len, digits })
    }

    fn pack(&self, values: &[Value]) -> Option<u64> {
        let mut number = 0_u64;
        for ((digit, radix), value) in self.digits.iter().zip(values) {
            let value = digit.pack(value)?;
            number = number * radix + Some(value).filter(|v| v < radix)?;
        }
        Some(self.base + number)
    }

    /// The digits of a number, the last one first.
    fn backward(&self, code: u64) -> impl Iterator<Item = (&Digit, u64)> {
        let mut number = code - self.base;
        self.digits.iter().rev().map(move |(digit, radix)| {
            let radix = (*radix).max(1);
            let value = number % radix;
            number /= radix;
            (digit, value)
        })
    }

    fn unpack(&self, code: u64) -> Vec<Value> {
        let digits = self.backward(code);
        let mut values: Vec<Value> = digits.map(|(digit, value)| digit.unpack(value)).collect();
        values.reverse();
        values
    }

    fn holds(&self, code: u64) -> bool {
        code >= self.base && code - self.base < self.len
    }
}

/// Where the moves of families lie that are written as one.
#[derive(Debug)]
struct Joined {
    /// The family with the moves of all.
    family: FamilyId,
    /// How many moves lie behind each value of the argument that tells the families apart, and how many values it has.
    argument: (u64, u64),
    /// By the values of this argument where the moves of the family lie that go by that name.
    bases: Vec<u64>,
    /// Where the moves of these families lie, the own one among them, and how many each has.
    named: Vec<u64>,
    len: u64,
}

impl Joined {
    fn of(game: &Game, joined: &ir::Joined, families: &[Range]) -> Joined {
        let range = &families[joined.family.index()];
        let behind = range.digits.iter().skip(joined.by + 1);
        let stride = behind.map(|(_, radix)| radix).product();
        let radix = range.digits.get(joined.by).map_or(1, |(_, radix)| *radix);
        let base = |family: &FamilyId| families[family.index()].base;
        Joined {
            family: joined.family,
            argument: (stride, radix),
            bases: joined.names.iter().map(base).collect(),
            named: game.names_of(joined.family).iter().map(base).collect(),
            len: range.len,
        }
    }
}

impl Layout {
    pub(super) fn of(game: &Game) -> Layout {
        let mut layout = Layout {
            families: Vec::new(),
            draws: Vec::new(),
            joined: Vec::new(),
            count: Some(0),
        };
        for family in &game.families {
            let params = family.params.iter();
            let digits = params.map(|p| Digit::of(game, &p.ty, Some(&p.source)));
            let range = layout.range(digits.collect());
            layout.families.push(range);
        }
        for draw in &game.draws {
            let range = layout.range(vec![Digit::of(game, &draw.ty, None)]);
            layout.draws.push(range);
        }
        let joined = game.joined.iter();
        let joined = joined.map(|joined| Joined::of(game, joined, &layout.families));
        layout.joined = joined.collect();
        layout
    }

    fn range(&mut self, digits: Vec<Digit>) -> Range {
        let base = self.count.unwrap_or(0);
        let range = Range::of(base, digits);
        self.count = match (&range, self.count) {
            (Some(range), Some(count)) => count.checked_add(range.len),
            _ => None,
        };
        range.unwrap_or(Range {
            base,
            len: 0,
            digits: Vec::new(),
        })
    }

    /// The digits of the first arguments with one more; nothing if it has none.
    pub(super) fn append(
        &self,
        family: FamilyId,
        place: usize,
        digits: u64,
        value: &Value,
    ) -> Option<u64> {
        let (digit, radix) = self.families[family.index()].digits.get(place)?;
        let value = digit.pack(value)?;
        (value < *radix).then_some(digits * radix + value)
    }

    /// The move of a family with all of its digits.
    pub(super) fn at(&self, family: FamilyId, digits: u64) -> Option<Move> {
        let range = &self.families[family.index()];
        (digits < range.len).then(|| Move(self.named(range.base + digits)))
    }

    /// The move by its name, of one that is written as those of another family.
    pub(super) fn named(&self, code: u64) -> u64 {
        for joined in &self.joined {
            let base = self.families[joined.family.index()].base;
            if let Some(digits) = code.checked_sub(base).filter(|digits| *digits < joined.len) {
                let (stride, radix) = joined.argument;
                let named = joined.bases.get((digits / stride % radix) as usize);
                return named.map_or(code, |named| *named + digits);
            }
        }
        code
    }

    /// Brings moves that are written as those of one family into the order of their names.
    pub(super) fn by_names(&self, moves: &mut [Move]) {
        if !self.joined.is_empty() {
            let bases = &self.families;
            moves.sort_by_key(|mv| bases.partition_point(|range| range.base <= mv.0));
        }
    }

    /// The move as one of the family that it is written as.
    pub(super) fn written(&self, code: u64) -> u64 {
        for joined in &self.joined {
            let mut digits = joined.named.iter().map(|base| code.wrapping_sub(*base));
            if let Some(digits) = digits.find(|digits| *digits < joined.len) {
                return self.families[joined.family.index()].base + digits;
            }
        }
        code
    }

    pub(super) fn pack(&self, family: FamilyId, values: &[Value]) -> Option<Move> {
        self.families[family.index()].pack(values).map(Move)
    }

    pub(super) fn pack_draw(&self, draw: DrawId, value: &Value) -> Option<Move> {
        let range = &self.draws[draw.index()];
        range.pack(std::slice::from_ref(value)).map(Move)
    }

    /// The family of a move, draws after all others; appends its arguments as numbers.
    pub(super) fn numbers(&self, code: u64, args: &mut Vec<i64>) -> Option<usize> {
        let mut ranges = self.families.iter().chain(&self.draws);
        let family = ranges.position(|range| range.holds(code))?;
        let range = match family.checked_sub(self.families.len()) {
            Some(draw) => &self.draws[draw],
            None => &self.families[family],
        };
        let from = args.len();
        args.extend(
            range
                .backward(code)
                .map(|(digit, value)| digit.number(value)),
        );
        args[from..].reverse();
        Some(family)
    }

    pub(super) fn unpack(&self, code: u64) -> Option<MoveParts> {
        if let Some(family) = self.families.iter().position(|range| range.holds(code)) {
            let values = self.families[family].unpack(code);
            return Some(MoveParts::Family(FamilyId::from(family), values));
        }
        let draw = self.draws.iter().position(|range| range.holds(code))?;
        let value = self.draws[draw].unpack(code).pop()?;
        Some(MoveParts::Draw(DrawId::from(draw), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_numbered_in_order() {
        let digit = Digit::Subset(6, 3);
        assert_eq!(digit.radix(), Some(20));
        for rank in 0..20 {
            assert_eq!(digit.pack(&digit.unpack(rank)), Some(rank));
        }
        assert_eq!(digit.unpack(0), Value::Set([0, 1, 2].into_iter().collect()));
        assert_eq!(digit.unpack(1), Value::Set([0, 1, 3].into_iter().collect()));
        assert_eq!(
            digit.unpack(19),
            Value::Set([3, 4, 5].into_iter().collect())
        );
        assert_eq!(digit.pack(&Value::Set(Members::EMPTY)), None);
    }
}
