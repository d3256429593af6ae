//! Short lists of sets that are compared with what stands on a board, without branches.

use std::ops::{BitAnd, BitOr};

/// Whether all members of some line are in a set: `LEN` words for `LINES` lines of `WORDS` words each.
#[inline(always)]
pub fn some_within<const LINES: usize, const WORDS: usize, const LEN: usize>(
    lines: &[u64; LEN],
    set: [u64; WORDS],
) -> bool {
    let within = |line: &[u64; WORDS]| {
        let missing = line.iter().zip(&set).map(|(line, set)| line & !set);
        missing.fold(0, |all, word| all | word) == 0
    };
    let lines = lines.as_chunks().0.iter().take(LINES);
    lines.fold(false, |found, line| found | within(line))
}

/// Whether of some line, which is a look and what is to be seen, a set shows exactly that.
#[inline(always)]
pub fn some_seen<const LINES: usize, const WORDS: usize, const LEN: usize>(
    lines: &[u64; LEN],
    set: [u64; WORDS],
) -> bool {
    let seen = |[look, wanted]: &[[u64; WORDS]; 2]| {
        let words = look.iter().zip(wanted).zip(&set);
        let other = words.map(|((look, wanted), set)| (set & look) ^ wanted);
        other.fold(0, |all, word| all | word) == 0
    };
    let lines = lines.as_chunks().0.as_chunks().0.iter().take(LINES);
    lines.fold(false, |found, line| found | seen(line))
}

/// Whether a set holds `LEN` members in a row: of the rows it is told which places they are and how far their neighbours are
/// from each other.
#[inline(always)]
pub fn some_run<const LEN: u32, const ROWS: usize>(
    rows: &[u64; ROWS],
    steps: [u32; ROWS],
    set: u64,
) -> bool {
    let mut found = 0;
    for (row, step) in rows.iter().zip(steps) {
        let mut run = set & row;
        let mut seen = 1;
        while seen < LEN {
            let more = seen.min(LEN - seen);
            run &= run.unbounded_shr(more * step);
            seen += more;
        }
        found |= run;
    }
    found != 0
}

/// The bits of a row of places.
pub trait Row: Copy + Default + PartialEq + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// All bits, or none.
    fn all(set: bool) -> Self;
}

impl Row for u16 {
    #[inline(always)]
    fn all(set: bool) -> u16 {
        u16::from(set).wrapping_neg()
    }
}

impl Row for u32 {
    #[inline(always)]
    fn all(set: bool) -> u32 {
        u32::from(set).wrapping_neg()
    }
}

/// Whether one of some looks at rows shows what is wanted.
///
/// Told are some pairs: the number of a row, and which looks are taken at it. Each of `LANES` looks is where to look, and what is
/// to be seen there.
#[inline(always)]
pub fn some_row<
    const ROWS: usize,
    const LANES: usize,
    const LOOKS: usize,
    const LEN: usize,
    R: Row,
>(
    pairs: &[u16; LEN],
    looks: &[[[R; LANES]; 2]; LOOKS],
    rows: &[R; ROWS],
) -> bool {
    // Numbers of the width of a row: all lanes are compared in one instruction.
    let mut found = [R::default(); LANES];
    for [row, look] in pairs.as_chunks::<2>().0 {
        let row = super::at(rows, *row as usize);
        let [look, wanted] = super::at_ref(looks, *look as usize);
        for lane in 0..LANES {
            let seen = row & look[lane] == wanted[lane];
            found[lane] = found[lane] | R::all(seen);
        }
    }
    found.iter().fold(R::default(), |all, lane| all | *lane) != R::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found() {
        let lines = [0b111, 0, 0b1000, 1];
        let within = |set| some_within::<2, 2, 4>(&lines, set);
        assert!(within([0b1111, 0]) && within([0b1000, 3]));
        assert!(!within([0b1011, 0]) && !within([0, 0]));
        // Two members and none on either side.
        let look = [0b1111, 0b0110];
        let seen = |set| some_seen::<1, 1, 2>(&look, [set]);
        assert!(seen(0b0110) && seen(0b1_0110) && !seen(0b0111) && !seen(0b0010));
        let run = |set| some_run::<3, 2>(&[0b11111, 0b1010101 << 3], [1, 2], set);
        assert!(run(0b01110) && run(0b10101000) && run(0b1111_1111));
        assert!(!run(0b11011) && !run(0b11100000) && !run(0b1010_0000));
        let looks = [[[0b11, 0b110], [0b01, 0b110]], [[0, 0], [1, 1]]];
        let seen = |rows: [u16; 2]| some_row(&[1, 0, 0, 1], &looks, &rows);
        let wide = [[[1 << 20, 0], [1 << 20, 1]]];
        assert!(some_row(&[0, 0], &wide, &[1u32 << 20]) && !some_row(&[0, 0], &wide, &[1u32]));
        assert!(seen([0, 0b01]) && seen([0, 0b110]) && !seen([0b01, 0b10]));
    }
}
