//! Trails: the positions that rules noted, to know when one comes again.

use std::sync::{Arc, OnceLock};

use super::identity::{put_value, take_value};
use crate::code::{At, Num, SetKind, Term, Val};
use crate::ir::Type;

/// How a trail tells positions from each other.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// By words of the position: where each lies, and of how many each value is made, and of what type.
    Words(Box<[At]>, Box<[(usize, Type)]>),
    /// By the bytes of an identity: their number, and eight in a word.
    Bytes,
}

impl Form {
    /// The form that positions take under the terms of an identity.
    pub(crate) fn of(terms: &[Term]) -> Form {
        let (mut words, mut values) = (Vec::new(), Vec::new());
        for term in terms {
            let (at, many, ty) = match term {
                Term::Value(Val::Num(Num::At(at)), ty) => (*at, 1, ty),
                Term::Value(Val::Set(set), ty) => match set.kind {
                    SetKind::At(at) => (at, set.words, ty),
                    _ => return Form::Bytes,
                },
                _ => return Form::Bytes,
            };
            words.extend(at..at + many);
            values.push((many, ty.clone()));
        }
        Form::Words(words.into(), values.into())
    }

    /// The bytes of the identity that are told by these words.
    fn bytes(&self, words: &[i64]) -> Arc<[u8]> {
        match self {
            Form::Words(_, values) => {
                let (mut bytes, mut rest) = (Vec::new(), words);
                for (many, ty) in values {
                    let (value, others) = rest.split_at(*many);
                    bytes.push(1);
                    put_value(ty, value, &mut bytes);
                    rest = others;
                }
                bytes.into()
            }
            Form::Bytes => {
                let many = words[0] as usize;
                let bytes = words[1..].iter().flat_map(|word| word.to_be_bytes());
                bytes.take(many).collect()
            }
        }
    }

    /// The words that tell these bytes of the identity.
    pub(crate) fn words(&self, bytes: &[u8], words: &mut Vec<i64>) {
        match self {
            Form::Words(_, values) => {
                let mut rest = bytes;
                for (many, ty) in values {
                    let begin = words.len();
                    words.resize(begin + many, 0);
                    rest = take_value(ty, rest.get(1..).unwrap_or(&[]), &mut words[begin..]);
                }
            }
            Form::Bytes => {
                words.push(bytes.len() as i64);
                let (whole, rest) = bytes.as_chunks();
                words.extend(whole.iter().map(|chunk| i64::from_be_bytes(*chunk)));
                if !rest.is_empty() {
                    let mut last = [0; 8];
                    last[..rest.len()].copy_from_slice(rest);
                    words.push(i64::from_be_bytes(last));
                }
            }
        }
    }
}

/// The positions of a trail. What several runs have noted together is kept once, and noting one more copies nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    last: Option<Arc<Noted>>,
}

/// Room for positions, so that noting one asks for none.
#[derive(Debug, Default)]
pub(crate) struct Spare(Vec<Arc<Noted>>);

/// Positions for which there is room, at most.
const MOST_SPARE: usize = 1 << 12;

/// A position of a trail, and those before it.
#[derive(Debug, Default)]
struct Noted {
    hash: u64,
    words: Vec<i64>,
    /// Its bytes, once somebody asked for them.
    bytes: OnceLock<Arc<[u8]>>,
    before: Trail,
    /// The number of positions up to this one, and how many of them are the same.
    len: usize,
    same: usize,
    /// A bit for the hash of each position up to this one.
    hashes: [u64; 4],
}

/// The word of [`Noted::hashes`] and the bit there that stand for a hash.
fn spot(hash: u64) -> (usize, u64) {
    ((hash >> 62) as usize, 1 << (hash >> 56 & 63))
}

impl Trail {
    pub(crate) fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.len)
    }

    pub(crate) fn push(&mut self, words: &[i64], spare: &mut Spare) {
        let hash = hash(words);
        let same = 1 + self.count_hashed(words, hash);
        let mut hashes = self.last.as_ref().map_or([0; 4], |last| last.hashes);
        let (word, bit) = spot(hash);
        hashes[word] |= bit;
        let mut room = spare.0.pop().unwrap_or_default();
        if let Some(noted) = Arc::get_mut(&mut room) {
            noted.hash = hash;
            noted.words.clear();
            noted.words.extend_from_slice(words);
            noted.len = self.len() + 1;
            noted.before = std::mem::take(self);
            (noted.same, noted.hashes) = (same, hashes);
        }
        self.last = Some(room);
    }

    /// Nothing is noted any more; the room of what nobody else has noted is there for other positions.
    pub(crate) fn give_back(&mut self, spare: &mut Spare) {
        let mut next = self.last.take();
        while let Some(mut room) = next {
            let Some(noted) = Arc::get_mut(&mut room) else {
                return;
            };
            next = noted.before.last.take();
            noted.bytes.take();
            if spare.0.len() < MOST_SPARE {
                spare.0.push(room);
            }
        }
    }

    /// How often a position is noted.
    pub(crate) fn count(&self, position: &[i64]) -> usize {
        match &self.last {
            // What is asked most of all: the position was noted just now.
            Some(last) if *last.words == *position => last.same,
            _ => self.count_hashed(position, hash(position)),
        }
    }

    fn count_hashed(&self, position: &[i64], hash: u64) -> usize {
        let (word, bit) = spot(hash);
        let known = |last: &Arc<Noted>| last.hashes[word] & bit != 0;
        if !self.last.as_ref().is_some_and(known) {
            return 0;
        }
        self.noted()
            .find(|noted| noted.hash == hash && *noted.words == *position)
            .map_or(0, |noted| noted.same)
    }

    /// The bytes of the positions, the last first.
    pub(crate) fn iter(&self, form: &Form) -> impl Iterator<Item = &Arc<[u8]>> {
        self.noted()
            .map(|noted| noted.bytes.get_or_init(|| form.bytes(&noted.words)))
    }

    fn noted(&self) -> impl Iterator<Item = &Noted> {
        std::iter::successors(self.last.as_deref(), |noted| noted.before.last.as_deref())
    }
}

impl Drop for Trail {
    /// One position after the other: a long trail would need as many calls inside of calls.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(mut noted) = next.and_then(Arc::into_inner) {
            next = noted.before.last.take();
        }
    }
}

/// A hash of words that tells most unequal ones apart, by its first bits too.
fn hash(words: &[i64]) -> u64 {
    words.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        let hash = (hash ^ *word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ hash >> 29
    })
}
