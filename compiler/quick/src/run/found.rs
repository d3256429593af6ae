//! Moves that were found, in runs.

use rulec_core::bits::select64;

use crate::code::Code;
use crate::op::{Product, RowsFound};

/// Moves that were found: runs of them that differ in the last parameter alone, or in the last three.
#[derive(Debug, Default)]
pub(crate) struct MoveRuns {
    runs: Vec<Run>,
    /// Sets of several words.
    words: Vec<u64>,
    count: u64,
}

/// Moves that differ in the last digit, or a product of pieces and such moves.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The packed form of the move whose last digit is 0; of a single move, its own.
    first: u64,
    count: u64,
    /// How many words the set of last digits has, none for a single move; the set itself if it is one word, else where it lies.
    words: u32,
    set: u64,
    /// The same of the set of pieces, if the run is a product.
    piece_words: u32,
    pieces: u64,
    /// Which product it is: `Code::products` by number.
    product: u16,
    /// Whether last digits are members of a row for each piece, cut with the set: `Code::found_rows` by number then.
    by_rows: bool,
}

#[inline(always)]
fn size(words: &[i64]) -> u64 {
    let words = words.iter();
    words.map(|word| u64::from(word.count_ones())).sum()
}

impl MoveRuns {
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.words.clear();
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn push(&mut self, mv: u64) {
        self.add(Run::of(mv, 1, 0, 0));
    }

    /// Adds the moves whose last digit is in a set.
    #[inline(always)]
    pub(super) fn push_word(&mut self, first: u64, set: u64) {
        self.add(Run::of(first, u64::from(set.count_ones()), 1, set));
    }

    #[inline(always)]
    pub(super) fn push_words(&mut self, first: u64, members: &[i64]) {
        let count = size(members);
        if count > 0 {
            let set = self.set(members);
            self.add(Run::of(first, count, members.len(), set));
        }
    }

    /// Adds the moves of these pieces, each from its place, and with each of these members.
    #[inline(always)]
    pub(super) fn push_product(
        &mut self,
        first: u64,
        product: u16,
        pieces: &[i64],
        members: &[i64],
    ) {
        let count = size(pieces) * size(members);
        if count == 0 {
            return;
        }
        let (piece_words, pieces) = (pieces.len() as u32, self.set(pieces));
        let set = self.set(members);
        self.add(Run {
            piece_words,
            pieces,
            product,
            ..Run::of(first, count, members.len(), set)
        });
    }

    /// The same of sets of one word: so many.
    // Not inline: what the inner loop holds in registers is worth more than the call.
    #[inline(never)]
    pub(super) fn push_pairs(
        &mut self,
        first: u64,
        product: u16,
        pieces: u64,
        set: u64,
        count: u64,
    ) {
        if count > 0 {
            self.add(Run {
                piece_words: 1,
                pieces,
                product,
                ..Run::of(first, count, 1, set)
            });
        }
    }

    /// Adds the moves of these pieces, each with the members of its row that pass: so many.
    #[inline(always)]
    pub(super) fn push_rows(&mut self, first: u64, rows: u16, pieces: u64, pass: u64, count: u64) {
        if count > 0 {
            self.add(Run {
                piece_words: 1,
                pieces,
                product: rows,
                by_rows: true,
                ..Run::of(first, count, 1, pass)
            });
        }
    }

    #[inline(always)]
    fn add(&mut self, run: Run) {
        self.count += run.count;
        self.runs.push(run);
    }

    /// A set of one word, or where it lies.
    #[inline(always)]
    fn set(&mut self, members: &[i64]) -> u64 {
        match members {
            [set] => *set as u64,
            members => {
                let at = self.words.len() as u64;
                self.words.extend(members.iter().map(|word| *word as u64));
                at
            }
        }
    }

    /// The words of a set.
    #[inline(always)]
    fn words<'f>(&'f self, set: &'f u64, words: u32) -> &'f [u64] {
        match words {
            0 => &[],
            1 => std::slice::from_ref(set),
            words => &self.words[*set as usize..][..words as usize],
        }
    }

    /// The packed forms, in order; `words` are those of the position in which they were found.
    pub(crate) fn codes<'f>(
        &'f self,
        code: &'f Code,
        words: &'f [i64],
    ) -> impl Iterator<Item = u64> + 'f {
        let firsts = move |run: &'f Run| {
            let single = (run.piece_words == 0).then_some((run.first, None));
            let pieces = members(self.words(&run.pieces, run.piece_words));
            let pieces = pieces.filter_map(move |piece| run.of_piece(code, piece, words));
            let firsts = single.into_iter().chain(pieces);
            firsts.map(move |(first, row)| (run, first, row))
        };
        let all = self.runs.iter().flat_map(firsts);
        all.flat_map(|(run, first, row)| {
            let single = (run.words == 0).then_some(first);
            let set = match row {
                Some(_) => &[],
                None => self.words(&run.set, run.words),
            };
            let members = members(set).chain(members_of(0, row.unwrap_or(0)));
            let members = members.map(move |member| first + member);
            single.into_iter().chain(members)
        })
    }

    /// The move of a number in their order; `words` are those of the position in which they were found.
    #[inline(always)]
    pub(crate) fn nth(&self, mut number: u64, code: &Code, words: &[i64]) -> Option<u64> {
        let mut runs = self.runs.iter();
        let run = runs.find(|run| {
            let here = number < run.count;
            number = if here { number } else { number - run.count };
            here
        })?;
        if run.by_rows {
            let rows = code.found_rows.get(usize::from(run.product))?;
            return rows.nth(run, number, words);
        }
        let set = self.words(&run.set, run.words);
        let mut first = run.first;
        if run.piece_words > 0 {
            let each = set.iter().map(|word| u64::from(word.count_ones())).sum();
            let (piece, rest) = divided(number, each);
            let piece = member(self.words(&run.pieces, run.piece_words), piece)?;
            let product = code.products.get(usize::from(run.product))?;
            first = product.of_piece(first, piece, words);
            number = rest;
        }
        match run.words {
            0 => Some(first),
            _ => Some(first + member(set, number)?),
        }
    }
}

impl Run {
    /// A run of so many moves that differ in a last digit, of a set of so many words.
    #[inline(always)]
    fn of(first: u64, count: u64, words: usize, set: u64) -> Run {
        Run {
            first,
            count,
            words: words as u32,
            set,
            piece_words: 0,
            pieces: 0,
            product: 0,
            by_rows: false,
        }
    }

    /// The packed form of the first move of a piece, and what there is for the last digit where a row tells that.
    fn of_piece(&self, code: &Code, piece: u64, words: &[i64]) -> Option<(u64, Option<u64>)> {
        let number = usize::from(self.product);
        if self.by_rows {
            let rows = code.found_rows.get(number)?;
            let row = rows.row(piece, words) & self.set;
            return Some((self.first + piece * rows.stride, Some(row)));
        }
        let product = code.products.get(number)?;
        Some((product.of_piece(self.first, piece, words), None))
    }
}

impl RowsFound {
    #[inline(always)]
    fn row(&self, piece: u64, words: &[i64]) -> u64 {
        words[self.table + piece as usize] as u64
    }

    /// How many members the rows of these pieces have that pass.
    #[inline(always)]
    pub(super) fn count(&self, pieces: u64, pass: u64, words: &[i64]) -> u64 {
        let (mut rest, mut count) = (pieces, 0);
        while rest != 0 {
            let piece = u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            count += u64::from((self.row(piece, words) & pass).count_ones());
        }
        count
    }

    /// The move of a number among those of a run.
    #[inline(always)]
    fn nth(&self, run: &Run, mut number: u64, words: &[i64]) -> Option<u64> {
        let mut rest = run.pieces;
        while rest != 0 {
            let piece = u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            let row = self.row(piece, words) & run.set;
            let here = u64::from(row.count_ones());
            if number < here {
                let member = u64::from(select64(row, number as u32));
                return Some(run.first + piece * self.stride + member);
            }
            number -= here;
        }
        None
    }
}

impl Product {
    /// The packed form of the first move of a piece.
    #[inline(always)]
    fn of_piece(&self, first: u64, piece: u64, words: &[i64]) -> u64 {
        let place = words[self.places + piece as usize] as u64;
        first + piece * self.strides[0] + place * self.strides[1]
    }
}

/// Quotient and remainder. Short numbers, as most are, are divided in a third of the time.
#[inline(always)]
fn divided(a: u64, b: u64) -> (u64, u64) {
    match (u32::try_from(a), u32::try_from(b)) {
        (Ok(a), Ok(b)) => (u64::from(a / b), u64::from(a % b)),
        _ => (a / b, a % b),
    }
}

/// The members of a word of a set, by number.
pub(super) fn members_of(index: usize, word: u64) -> impl Iterator<Item = u64> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| u64::from(rest.trailing_zeros()))?;
        rest &= rest - 1;
        Some(index as u64 * 64 + bit)
    })
}

/// The members of a set.
fn members(words: &[u64]) -> impl Iterator<Item = u64> {
    let words = words.iter().enumerate();
    words.flat_map(|(index, word)| members_of(index, *word))
}

/// The member of a set with so many others before it.
#[inline(always)]
fn member(words: &[u64], mut number: u64) -> Option<u64> {
    for (index, word) in words.iter().enumerate() {
        let here = u64::from(word.count_ones());
        if number < here {
            let bit = select64(*word, number as u32);
            return Some(index as u64 * 64 + u64::from(bit));
        }
        number -= here;
    }
    None
}
