//! Texts, arguments and dense numbers of packed moves, from a description.

use crate::text::{self, Scan, TextError};
use crate::{BitSet, support};

/// How the moves of a game are packed and written: a number of the kind in the lowest bits, above
/// it the fields.
#[derive(Clone, Copy, Debug)]
pub struct MoveKinds {
    /// Bits of the number of the kind.
    pub tag_bits: u32,
    /// The families of moves, then the draws.
    pub kinds: &'static [MoveKind],
}

/// A family of moves or a kind of draw.
#[derive(Clone, Copy, Debug)]
pub struct MoveKind {
    /// How it is written.
    pub text: &'static [MovePart],
    /// Its arguments.
    pub fields: &'static [MoveField],
}

/// A part of the text of a move.
#[derive(Clone, Copy, Debug)]
pub enum MovePart {
    /// Text as it is.
    Text(&'static str),
    /// An argument, by number.
    Field(usize),
}

/// A bit field of a packed move.
#[derive(Clone, Copy, Debug)]
pub struct MoveField {
    /// The place of its lowest bit.
    pub shift: u32,
    /// Number of bits.
    pub bits: u32,
    /// Number of values.
    pub len: u64,
    /// Whether it counts in the dense index; an argument that follows from others does not.
    pub dense: bool,
    /// What its values are.
    pub values: FieldValues,
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug)]
pub enum FieldValues {
    /// Members with these names.
    Names(&'static [&'static str]),
    /// Integers from this one on.
    Ints(i64),
    /// Sets of members with these names, as bits.
    Masks(&'static [&'static str]),
    /// Sets of members with these names, by their rank.
    Ranks(&'static [&'static str]),
}

/// Members of the largest sets that moves can name.
const WORDS: usize = 16;

impl MoveField {
    /// A field from the bit `shift` on, with `bits` bits and `len` values.
    pub const fn new(shift: u32, bits: u32, len: u64, dense: bool, values: FieldValues) -> Self {
        Self {
            shift,
            bits,
            len,
            dense,
            values,
        }
    }

    fn get(&self, code: u64) -> u64 {
        let shifted = code.checked_shr(self.shift).unwrap_or(0);
        match self.bits {
            64.. => shifted,
            bits => shifted & ((1 << bits) - 1),
        }
    }

    fn put(&self, value: u64) -> u64 {
        value.checked_shl(self.shift).unwrap_or(0)
    }

    fn set(&self, value: u64) -> (BitSet<WORDS>, &'static [&'static str]) {
        match self.values {
            FieldValues::Masks(names) => {
                let mut words = [0; WORDS];
                words[0] = value;
                (BitSet(words), names)
            }
            FieldValues::Ranks(names) => (support::unrank(value, names.len()), names),
            FieldValues::Names(_) | FieldValues::Ints(_) => (BitSet::EMPTY, &[]),
        }
    }

    fn write(&self, value: u64, out: &mut String) {
        match self.values {
            FieldValues::Names(names) => text::name(out, names, value as usize),
            FieldValues::Ints(lo) => text::int(out, lo.wrapping_add(value as i64)),
            FieldValues::Masks(_) | FieldValues::Ranks(_) => {
                let (set, names) = self.set(value);
                write_set(&set, names, out);
            }
        }
    }

    /// The values whose texts come next, each with what follows it.
    fn read<'a>(&self, scan: Scan<'a>) -> Vec<(u64, Scan<'a>)> {
        match self.values {
            FieldValues::Names(names) => {
                let candidates = (0u64..).zip(names);
                let read = candidates.filter_map(|(value, name)| {
                    let mut rest = scan;
                    rest.take(name).then_some((value, rest))
                });
                read.collect()
            }
            FieldValues::Ints(lo) => {
                let mut rest = scan;
                let value = rest.int().ok().map(|value| value.wrapping_sub(lo) as u64);
                value
                    .into_iter()
                    .filter(|value| *value < self.len)
                    .map(|value| (value, rest))
                    .collect()
            }
            FieldValues::Masks(names) | FieldValues::Ranks(names) => {
                let mut rest = scan;
                let Ok(set) = read_set::<WORDS>(&mut rest, names) else {
                    return Vec::new();
                };
                let value = match self.values {
                    FieldValues::Ranks(_) => support::rank(&set, names.len()),
                    _ => set.0[0],
                };
                match value < self.len {
                    true => vec![(value, rest)],
                    false => Vec::new(),
                }
            }
        }
    }

    fn arg(&self, value: u64) -> i64 {
        match self.values {
            FieldValues::Ints(lo) => lo.wrapping_add(value as i64),
            _ => value as i64,
        }
    }
}

impl MoveKinds {
    /// The number of the kind of a packed move, and the kind.
    fn kind(&self, code: u64) -> (usize, Option<&MoveKind>) {
        let tag = (code & ((1 << self.tag_bits) - 1)) as usize;
        (tag, self.kinds.get(tag))
    }

    /// Appends the text of a move.
    pub fn write(&self, code: u64, out: &mut String) {
        let Some(kind) = self.kind(code).1 else {
            return out.push('?');
        };
        for part in kind.text {
            match part {
                MovePart::Text(text) => out.push_str(text),
                MovePart::Field(index) => {
                    if let Some(field) = kind.fields.get(*index) {
                        field.write(field.get(code), out);
                    }
                }
            }
        }
    }

    /// Calls `found` with every packed move that has this text. Arguments that the text does not show
    /// are tried with all of their values.
    pub fn parse(&self, text: &str, found: &mut dyn FnMut(u64)) {
        for (tag, kind) in (0u64..).zip(self.kinds) {
            let mut values = vec![None; kind.fields.len()];
            parse_parts(
                kind,
                kind.text,
                Scan::new(text),
                &mut values,
                &mut |values| {
                    complete(kind, values, 0, tag, found);
                },
            );
        }
    }

    /// The number of the kind, and the arguments as numbers appended to `args`.
    pub fn args(&self, code: u64, args: &mut Vec<i64>) -> usize {
        let (tag, kind) = self.kind(code);
        let fields = kind.map_or(&[][..], |kind| kind.fields);
        args.extend(fields.iter().map(|field| field.arg(field.get(code))));
        tag
    }

    /// The place of a move in the dense list of all moves: by kind, then by arguments, the last one fastest.
    pub fn index(&self, code: u64) -> usize {
        let (tag, kind) = self.kind(code);
        let size = |kind: &MoveKind| {
            let dense = kind.fields.iter().filter(|field| field.dense);
            dense.fold(1u64, |product, field| product.saturating_mul(field.len))
        };
        let before: u64 = self
            .kinds
            .iter()
            .take(tag)
            .map(size)
            .fold(0, u64::saturating_add);
        let fields = kind.map_or(&[][..], |kind| kind.fields);
        let dense = fields.iter().filter(|field| field.dense);
        let within = dense.fold(0u64, |sum, field| {
            sum.saturating_mul(field.len)
                .saturating_add(field.get(code))
        });
        before.saturating_add(within) as usize
    }

    /// A number by which moves are in the order of [`MoveKinds::index`], and that takes less to work out.
    pub fn order(&self, code: u64) -> u64 {
        let (tag, kind) = self.kind(code);
        let fields = kind.map_or(&[][..], |kind| kind.fields);
        let dense = fields.iter().filter(|field| field.dense);
        let number = dense.fold(0u64, |number, field| {
            number.checked_shl(field.bits).unwrap_or(0) | field.get(code)
        });
        // The fields of a move fit beside the number of its kind, which stands before them here.
        (tag as u64).checked_shl(64 - self.tag_bits).unwrap_or(0) | number
    }

    /// Whether a number is the packed form of a move.
    pub fn is_move(&self, code: u64) -> bool {
        let (tag, Some(kind)) = self.kind(code) else {
            return false;
        };
        let mut bits = tag as u64;
        for field in kind.fields {
            if field.get(code) >= field.len {
                return false;
            }
            bits |= field.put(field.get(code));
        }
        bits == code
    }
}

fn parse_parts(
    kind: &MoveKind,
    parts: &[MovePart],
    mut scan: Scan<'_>,
    values: &mut Vec<Option<u64>>,
    found: &mut dyn FnMut(&mut Vec<Option<u64>>),
) {
    let Some((part, rest)) = parts.split_first() else {
        if scan.is_end() {
            found(values);
        }
        return;
    };
    match part {
        MovePart::Text(text) => {
            if scan.take(text) {
                parse_parts(kind, rest, scan, values, found);
            }
        }
        MovePart::Field(index) => {
            let Some(field) = kind.fields.get(*index) else {
                return;
            };
            let before = values[*index];
            for (value, scan) in field.read(scan) {
                if before.is_none_or(|before| before == value) {
                    values[*index] = Some(value);
                    parse_parts(kind, rest, scan, values, found);
                }
            }
            values[*index] = before;
        }
    }
}

/// Fills in the arguments that the text does not show, up to this many values each.
const HIDDEN: u64 = 4096;

fn complete(
    kind: &MoveKind,
    values: &mut Vec<Option<u64>>,
    at: usize,
    code: u64,
    found: &mut dyn FnMut(u64),
) {
    let Some(field) = kind.fields.get(at) else {
        return found(code);
    };
    match values[at] {
        Some(value) => complete(kind, values, at + 1, code | field.put(value), found),
        None => {
            for value in 0..field.len.min(HIDDEN) {
                complete(kind, values, at + 1, code | field.put(value), found);
            }
        }
    }
}

/// Appends a set as `{a,b}`.
pub fn write_set<const N: usize>(set: &BitSet<N>, names: &[&str], out: &mut String) {
    out.push('{');
    for (place, member) in set.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        text::name(out, names, member);
    }
    out.push('}');
}

/// Reads a set as [`write_set`] writes it.
///
/// # Errors
/// When no set comes next.
pub fn read_set<const N: usize>(
    scan: &mut Scan<'_>,
    names: &[&str],
) -> Result<BitSet<N>, TextError> {
    let mut set = BitSet::EMPTY;
    scan.lit("{")?;
    if scan.take("}") {
        return Ok(set);
    }
    loop {
        set.set(scan.name(names)?);
        if scan.take("}") {
            return Ok(set);
        }
        scan.lit(",")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["s(1)", "s(10)", "x"];

    const KINDS: MoveKinds = MoveKinds {
        tag_bits: 1,
        kinds: &[
            MoveKind {
                text: &[MovePart::Field(0), MovePart::Text(" "), MovePart::Field(1)],
                fields: &[
                    MoveField {
                        shift: 1,
                        bits: 2,
                        len: 3,
                        dense: true,
                        values: FieldValues::Names(NAMES),
                    },
                    MoveField {
                        shift: 3,
                        bits: 3,
                        len: 8,
                        dense: true,
                        values: FieldValues::Masks(NAMES),
                    },
                ],
            },
            MoveKind {
                text: &[MovePart::Text("roll "), MovePart::Field(0)],
                fields: &[MoveField {
                    shift: 1,
                    bits: 3,
                    len: 6,
                    dense: true,
                    values: FieldValues::Ints(1),
                }],
            },
        ],
    };

    #[test]
    fn every_move_survives_its_text_and_has_its_index() {
        let moves: Vec<u64> = (0..64).filter(|&code| KINDS.is_move(code)).collect();
        assert_eq!(moves.len(), 3 * 8 + 6);
        let by = |number: &dyn Fn(u64) -> u64| {
            let mut all = moves.clone();
            all.sort_by_key(|code| number(*code));
            all
        };
        assert_eq!(
            by(&|code| KINDS.order(code)),
            by(&|code| KINDS.index(code) as u64)
        );
        let mut indexes = Vec::new();
        for code in moves {
            let mut text = String::new();
            KINDS.write(code, &mut text);
            let mut found = Vec::new();
            KINDS.parse(&text, &mut |code| found.push(code));
            assert_eq!(found, [code], "{text}");
            indexes.push(KINDS.index(code));
        }
        indexes.sort_unstable();
        assert_eq!(indexes, (0..30).collect::<Vec<_>>());
    }

    #[test]
    fn texts_and_arguments() {
        let code = 1 << 1 | 0b101 << 3;
        let mut text = String::new();
        KINDS.write(code, &mut text);
        assert_eq!(text, "s(10) {s(1),x}");
        let mut args = Vec::new();
        assert_eq!((KINDS.args(code, &mut args), args), (0, vec![1, 5]));
        let mut args = Vec::new();
        assert_eq!((KINDS.args(1 | 3 << 1, &mut args), args), (1, vec![4]));
        let mut none = Vec::new();
        KINDS.parse("s(10) {y}", &mut |code| none.push(code));
        KINDS.parse("roll 7", &mut |code| none.push(code));
        assert!(none.is_empty());
    }
}
