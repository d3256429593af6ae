//! Values, sets of members, and what it takes to store a value.

use std::sync::Arc;

use crate::ir::{Const, DomainId, FaultCode, Type};

/// A value of the rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// A 32-bit wrapping integer.
    Wrap(i32),
    /// A member of a domain, by number.
    Elem(u32),
    /// A member of a domain, or nothing.
    Opt(Option<u32>),
    /// A set of members of a domain.
    Set(Members),
    /// A sequence.
    Seq(Arc<Vec<Value>>),
    /// A scalar and what it is.
    Tagged(Tag, Arc<Value>),
}

/// What a tagged scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// A truth value.
    Bool,
    /// A 64-bit integer.
    Int,
    /// A 32-bit wrapping integer.
    Wrap,
    /// A member of this domain.
    Elem(DomainId),
    /// An optional member of this domain.
    Opt(DomainId),
}

impl Tag {
    /// The tag of a scalar type; nothing for other types.
    pub fn of(ty: &Type) -> Option<Tag> {
        match ty {
            Type::Bool => Some(Tag::Bool),
            Type::Int { .. } => Some(Tag::Int),
            Type::Wrap32 => Some(Tag::Wrap),
            Type::Elem(domain) => Some(Tag::Elem(*domain)),
            Type::Opt(domain) => Some(Tag::Opt(*domain)),
            Type::Set(_) | Type::Seq { .. } | Type::Tagged => None,
        }
    }

    /// The widest type with this tag.
    pub fn ty(self) -> Type {
        match self {
            Tag::Bool => Type::Bool,
            Tag::Int => Type::INT,
            Tag::Wrap => Type::Wrap32,
            Tag::Elem(domain) => Type::Elem(domain),
            Tag::Opt(domain) => Type::Opt(domain),
        }
    }
}

impl Value {
    /// The value of a constant of a type; nothing if the constant is none of that type.
    pub fn of_const(value: &Const, ty: &Type) -> Option<Value> {
        Some(match (value, ty) {
            (Const::Bool(b), Type::Bool) => Value::Bool(*b),
            (Const::Int(i), Type::Int { .. }) => Value::Int(*i),
            (Const::Int(i), Type::Wrap32) => Value::Wrap(i32::try_from(*i).ok()?),
            (Const::Elem(member), Type::Elem(_)) => Value::Elem(*member),
            (Const::Elem(member), Type::Opt(_)) => Value::Opt(Some(*member)),
            (Const::None, Type::Opt(_)) => Value::Opt(None),
            (Const::Set(members), Type::Set(_)) => Value::Set(members.iter().copied().collect()),
            (Const::Seq(items), Type::Seq { item, .. }) => {
                let items: Option<Vec<Value>> =
                    items.iter().map(|i| Value::of_const(i, item)).collect();
                Value::Seq(Arc::new(items?))
            }
            (Const::Tagged(ty, value), Type::Tagged) => {
                Value::Tagged(Tag::of(ty)?, Arc::new(Value::of_const(value, ty)?))
            }
            _ => return None,
        })
    }

    /// A scalar without a tag as a number: members by number, an absent one as -1.
    pub(super) fn number(&self) -> i64 {
        match self {
            Value::Bool(b) => i64::from(*b),
            Value::Int(i) => *i,
            Value::Wrap(i) => i64::from(*i),
            Value::Elem(member) | Value::Opt(Some(member)) => i64::from(*member),
            Value::Opt(None) | Value::Set(_) | Value::Seq(_) | Value::Tagged(..) => -1,
        }
    }

    /// Whether a variable of the type admits the value, which is of the same kind.
    pub(super) fn check(&self, ty: &Type) -> Result<(), FaultCode> {
        match (self, ty) {
            (Value::Int(i), Type::Int { lo, hi }) if !(lo..=hi).contains(&i) => {
                Err(FaultCode::OutOfRange)
            }
            (Value::Seq(items), Type::Seq { item, cap }) => {
                if items.len() > *cap as usize {
                    return Err(FaultCode::SequenceFull);
                }
                items.iter().try_for_each(|i| i.check(item))
            }
            _ => Ok(()),
        }
    }

    /// Appends bytes that no other value of the same type has, nor begins with.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Value::Bool(b) => out.push(u8::from(*b)),
            Value::Int(i) => out.extend(i.to_be_bytes()),
            Value::Wrap(i) => out.extend(i.to_be_bytes()),
            Value::Elem(member) => out.extend(member.to_be_bytes()),
            Value::Opt(member) => out.extend(member.unwrap_or(u32::MAX).to_be_bytes()),
            Value::Set(members) => {
                encode_len(members.len(), out);
                for member in members.iter() {
                    out.extend(member.to_be_bytes());
                }
            }
            Value::Seq(items) => {
                encode_len(items.len(), out);
                for item in items.iter() {
                    item.encode(out);
                }
            }
            Value::Tagged(tag, value) => {
                let (kind, domain) = match tag {
                    Tag::Bool => (0, 0),
                    Tag::Int => (1, 0),
                    Tag::Wrap => (2, 0),
                    Tag::Elem(domain) => (3, domain.0),
                    Tag::Opt(domain) => (4, domain.0),
                };
                out.push(kind);
                out.extend(domain.to_be_bytes());
                value.encode(out);
            }
        }
    }
}

/// Appends a length.
pub(super) fn encode_len(len: usize, out: &mut Vec<u8>) {
    out.extend((len as u64).to_be_bytes());
}

/// How values of a type are held while an expression is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Bool,
    Int,
    Wrap,
    Elem,
    Opt,
    /// Not as a number, see [`Value::number`], but as they are.
    Whole,
}

impl Class {
    pub(super) fn of(ty: &Type) -> Class {
        match ty {
            Type::Bool => Class::Bool,
            Type::Int { .. } => Class::Int,
            Type::Wrap32 => Class::Wrap,
            Type::Elem(_) => Class::Elem,
            Type::Opt(_) => Class::Opt,
            Type::Set(_) | Type::Seq { .. } | Type::Tagged => Class::Whole,
        }
    }

    /// The value that a number stands for.
    pub(super) fn value(self, number: i64) -> Value {
        match self {
            Class::Bool => Value::Bool(number != 0),
            Class::Int | Class::Whole => Value::Int(number),
            Class::Wrap => Value::Wrap(number as i32),
            Class::Elem => Value::Elem(number as u32),
            Class::Opt => Value::Opt(u32::try_from(number).ok()),
        }
    }
}

/// A set of members of a domain, by number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Members(Words);

/// Equal sets have equal words: the large form has no zero words at its end and more than one word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Words {
    Small(u64),
    Large(Arc<[u64]>),
}

impl Members {
    /// The empty set.
    pub const EMPTY: Members = Members(Words::Small(0));

    fn words(&self) -> &[u64] {
        match &self.0 {
            Words::Small(word) => std::slice::from_ref(word),
            Words::Large(words) => words,
        }
    }

    fn of_words(mut words: Vec<u64>) -> Members {
        while words.len() > 1 && words.last() == Some(&0) {
            words.pop();
        }
        match words.len() {
            0 | 1 => Members(Words::Small(words.first().copied().unwrap_or(0))),
            _ => Members(Words::Large(words.into())),
        }
    }

    /// The members `0..count`.
    pub fn below(count: usize) -> Members {
        (0..count as u32).collect()
    }

    /// Whether it has the member.
    pub fn contains(&self, member: u32) -> bool {
        let word = self.words().get(member as usize / 64).copied().unwrap_or(0);
        word >> (member % 64) & 1 == 1
    }

    /// Adds a member.
    pub fn insert(&mut self, member: u32) {
        let index = member as usize / 64;
        match &mut self.0 {
            Words::Small(word) if member < 64 => *word |= 1 << member,
            Words::Large(words) if index < words.len() => {
                Arc::make_mut(words)[index] |= 1 << (member % 64);
            }
            _ => {
                let mut words = self.words().to_vec();
                words.resize(words.len().max(index + 1), 0);
                words[index] |= 1 << (member % 64);
                *self = Members::of_words(words);
            }
        }
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words().iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&w| w == 0)
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words().iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(index as u32 * 64 + bit)
            })
        })
    }

    /// The least member.
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// The members of either set and of both, by a word operation.
    pub(super) fn combine(&self, other: &Members, op: impl Fn(u64, u64) -> u64) -> Members {
        if let (Words::Small(a), Words::Small(b)) = (&self.0, &other.0) {
            return Members(Words::Small(op(*a, *b)));
        }
        let (a, b) = (self.words(), other.words());
        let word = |words: &[u64], i: usize| words.get(i).copied().unwrap_or(0);
        let len = a.len().max(b.len());
        Members::of_words((0..len).map(|i| op(word(a, i), word(b, i))).collect())
    }

    /// Whether every member is one of the other set.
    pub fn is_subset(&self, other: &Members) -> bool {
        let others = other.words();
        let rest = |(i, word): (usize, &u64)| word & !others.get(i).copied().unwrap_or(0);
        self.words()
            .iter()
            .enumerate()
            .map(rest)
            .all(|word| word == 0)
    }

    /// The least member that is not below this one.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let words = self.words();
        let mut index = from as usize / 64;
        let mut word = *words.get(index)? & (u64::MAX << (from % 64));
        while word == 0 {
            index += 1;
            word = *words.get(index)?;
        }
        Some(index as u32 * 64 + word.trailing_zeros())
    }
}

impl Default for Members {
    fn default() -> Members {
        Members::EMPTY
    }
}

impl FromIterator<u32> for Members {
    fn from_iter<I: IntoIterator<Item = u32>>(members: I) -> Members {
        let mut words = Vec::new();
        for member in members {
            let index = member as usize / 64;
            if words.len() <= index {
                words.resize(index + 1, 0);
            }
            words[index] |= 1_u64 << (member % 64);
        }
        Members::of_words(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_equal_however_they_are_made() {
        let mut grown = Members::EMPTY;
        for member in [3, 200, 63, 64] {
            grown.insert(member);
        }
        let listed: Members = [200, 64, 63, 3, 3].into_iter().collect();
        assert_eq!(grown, listed);
        assert_eq!(listed.iter().collect::<Vec<_>>(), [3, 63, 64, 200]);
        let small = listed.combine(&Members::below(64), |a, b| a & b);
        assert_eq!(small, [3, 63].into_iter().collect());
        assert!(small.is_subset(&listed) && !listed.is_subset(&small));
        assert_eq!((listed.len(), small.len()), (4, 2));
        assert!(listed.contains(200) && !listed.contains(201) && !small.contains(9999));
        assert!(Members::below(0).is_empty());
    }
}
