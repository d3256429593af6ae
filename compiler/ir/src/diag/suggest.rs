//! The closest name.

/// The candidate that is closest to what was written, if it is close enough to be a slip.
///
/// Spelling in another case counts as no distance. Ties go to the candidate of the same letters, then to the one that
/// comes first.
pub fn closest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let written: Vec<char> = written.chars().take(MAX_CHARS + 1).collect();
    if written.len() > MAX_CHARS {
        return None;
    }
    let allowed = match written.len() {
        0 | 1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let letters = sorted(&written);
    let mut best: Option<((usize, bool), &str)> = None;
    // A distance is at least the difference in length, which bytes bound roughly.
    let near = |candidate: &&str| {
        candidate.len() + allowed >= written.len()
            && candidate.len() <= 4 * (written.len() + allowed)
    };
    for candidate in candidates.into_iter().filter(near) {
        let distance = distance(&written, candidate);
        let own: Vec<char> = candidate.chars().collect();
        let order = (distance, sorted(&own) != letters);
        if distance <= allowed && best.is_none_or(|(least, _)| order < least) {
            best = Some((order, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

const MAX_CHARS: usize = 64;

/// The letters of a word in the order of the alphabet, without case: the same where two were exchanged.
fn sorted(word: &[char]) -> Vec<char> {
    let mut letters: Vec<char> = word.iter().map(char::to_ascii_lowercase).collect();
    letters.sort_unstable();
    letters
}

/// Edit distance with transpositions of neighbours, doubled differences of case ignored.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().take(MAX_CHARS + 1).collect();
    if b.len() > MAX_CHARS {
        return usize::MAX;
    }
    let same = |x: char, y: char| match x.is_ascii() && y.is_ascii() {
        true => x.eq_ignore_ascii_case(&y),
        false => x == y || x.to_lowercase().eq(y.to_lowercase()),
    };
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut least = (row[j] + usize::from(!same(x, y)))
                .min(row[j + 1] + 1)
                .min(next[j] + 1);
            if i > 0 && j > 0 && same(x, b[j - 1]) && same(a[i - 1], y) {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["EMPTY", "CONTENT", "STATE", "SETSTATE"];
        assert_eq!(closest("EMTY", names), Some("EMPTY"));
        assert_eq!(closest("EMTPY", names), Some("EMPTY"));
        assert_eq!(closest("content", names), Some("CONTENT"));
        assert_eq!(closest("STATES", names), Some("STATE"));
        assert_eq!(closest("PLAYER", names), None);
        assert_eq!(closest("", names), None);
        assert_eq!(
            closest("es", ["e", "se"]),
            Some("se"),
            "two letters were exchanged"
        );
    }
}
