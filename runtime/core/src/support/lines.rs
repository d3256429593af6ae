//! Short lists of sets that are compared with what stands on a board, without branches.

/// Whether all members of some line are in a set.
#[inline(always)]
pub fn some_within<const LINES: usize, const WORDS: usize>(
    lines: &[[u64; WORDS]; LINES],
    set: [u64; WORDS],
) -> bool {
    let within = |line: &[u64; WORDS]| {
        let missing = line.iter().zip(&set).map(|(line, set)| line & !set);
        missing.fold(0, |all, word| all | word) == 0
    };
    lines
        .iter()
        .fold(false, |found, line| found | within(line))
}

/// Whether of some line, which is a look and what is to be seen, a set shows exactly that.
#[inline(always)]
pub fn some_seen<const LINES: usize, const WORDS: usize>(
    lines: &[[[u64; WORDS]; 2]; LINES],
    set: [u64; WORDS],
) -> bool {
    let seen = |[look, wanted]: &[[u64; WORDS]; 2]| {
        let words = look.iter().zip(wanted).zip(&set);
        let other = words.map(|((look, wanted), set)| (set & look) ^ wanted);
        other.fold(0, |all, word| all | word) == 0
    };
    lines.iter().fold(false, |found, line| found | seen(line))
}

/// Some looks at one row of a board, by number: what to look at, and what is to be seen.
pub type RowLooks<const LOOKS: usize> = (u8, [[u16; 2]; LOOKS]);

/// Whether one of some looks at rows shows what is wanted.
#[inline(always)]
pub fn some_row<const ROWS: usize, const LOOKS: usize, const LINES: usize>(
    lines: &[RowLooks<LOOKS>; LINES],
    rows: &[u16; ROWS],
) -> bool {
    lines.iter().fold(false, |found, (row, looks)| {
        let row = super::at(rows, *row as usize);
        looks
            .iter()
            .fold(found, |found, [look, wanted]| found | (row & look == *wanted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found() {
        let lines = [[0b111, 0], [0b1000, 1]];
        assert!(some_within(&lines, [0b1111, 0]) && some_within(&lines, [0b1000, 3]));
        assert!(!some_within(&lines, [0b1011, 0]) && !some_within(&lines, [0, 0]));
        // Two members and none on either side.
        let looks = [[[0b1111], [0b0110]]];
        assert!(some_seen(&looks, [0b0110]) && some_seen(&looks, [0b1_0110]));
        assert!(!some_seen(&looks, [0b0111]) && !some_seen(&looks, [0b0010]));
        let rows = [(1, [[0b11, 0b01], [0b110, 0b110]]), (0, [[0, 1], [0, 1]])];
        assert!(some_row(&rows, &[0, 0b01]) && some_row(&rows, &[0, 0b110]));
        assert!(!some_row(&rows, &[0b01, 0b10]));
    }
}
