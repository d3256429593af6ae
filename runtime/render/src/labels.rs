//! Files and ranks of a board, from the names of its places.

/// Whether two coordinates are of one line.
pub(super) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 6.0
}

/// The coordinates that differ, ascending.
pub(super) fn lines(all: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    let mut kept: Vec<f64> = Vec::new();
    for line in all {
        if !kept.last().is_some_and(|last| near(*last, line)) {
            kept.push(line);
        }
    }
    kept
}

/// What the names of all places in a line have in common and no other line has, for each line; nothing if there is no such
/// part, or one line only. So the files and ranks of a board come from names such as `e4`, `4,3` and `b(5,4)`.
pub(super) fn labels(places: &[(f64, &str)], lines: &[f64]) -> Vec<String> {
    let names = |line: &f64| -> Vec<Vec<String>> {
        let here = places.iter().filter(|(at, _)| near(*at, *line));
        here.map(|(_, name)| parts(name)).collect()
    };
    let lines: Vec<Vec<Vec<String>>> = lines.iter().map(names).collect();
    let most = lines.iter().flatten().map(Vec::len).min().unwrap_or(0);
    let of_part = |part: usize| -> Option<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        for names in &lines {
            let label = &names.first()?[part];
            let shared = names.iter().all(|name| name[part] == *label);
            if !shared || found.contains(label) || label.chars().count() > 3 {
                return None;
            }
            found.push(label.clone());
        }
        Some(found)
    };
    match lines.len() {
        0 | 1 => Vec::new(),
        _ => (0..most).find_map(of_part).unwrap_or_default(),
    }
}

/// The words and numbers in a name.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before = None;
    for letter in name.chars() {
        let kind = letter.is_alphanumeric().then(|| letter.is_ascii_digit());
        match (kind, parts.last_mut()) {
            (Some(_), Some(part)) if kind == before => part.push(letter),
            (Some(_), _) => parts.push(letter.to_string()),
            (None, _) => {}
        }
        before = kind;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: &[(f64, &str)]) -> String {
        labels(places, &lines(places.iter().map(|(at, _)| *at))).join(" ")
    }

    #[test]
    fn files_and_ranks_come_from_names() {
        let files = [(0.0, "a1"), (0.5, "a2"), (50.0, "b1"), (50.0, "b2")];
        assert_eq!(of(&files), "a b");
        let ranks = [(0.0, "a1"), (0.5, "b1"), (50.0, "a2"), (50.0, "b2")];
        assert_eq!(of(&ranks), "1 2");
        let wide = [(0.0, "b(10,3)"), (0.0, "b(10,4)"), (50.0, "b(11,3)")];
        assert_eq!(of(&wide), "10 11");
        assert_eq!(
            of(&[(0.0, "s(1)"), (50.0, "s(2)"), (99.0, "s(3)")]),
            "1 2 3"
        );
    }

    #[test]
    fn other_names_have_none() {
        assert_eq!(
            of(&[
                (0.0, "p(1,2)"),
                (0.0, "p(2,3)"),
                (50.0, "p(1,4)"),
                (50.0, "p(3,3)")
            ]),
            ""
        );
        assert_eq!(of(&[(0.0, "start"), (50.0, "bridge")]), "");
        assert_eq!(of(&[(0.0, "a1"), (0.0, "a2")]), "");
    }
}
