//! The names of the members of a domain, found fast at the start of a text.

/// Names by their numbers.
#[derive(Debug)]
pub(super) struct Names {
    list: Vec<String>,
    /// The numbers in the order of the names.
    sorted: Vec<u32>,
    /// The lengths that names have, in bytes, descending.
    lengths: Vec<usize>,
}

impl Names {
    pub(super) fn new(list: Vec<String>) -> Names {
        let mut sorted: Vec<u32> = (0..list.len() as u32).collect();
        sorted.sort_by_key(|&number| &list[number as usize]);
        let mut lengths: Vec<usize> = list.iter().map(String::len).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths.dedup();
        Names {
            list,
            sorted,
            lengths,
        }
    }

    pub(super) fn list(&self) -> &[String] {
        &self.list
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.list[number as usize]
    }

    /// The longest name with which the text begins.
    pub(super) fn at_start_of(&self, text: &str) -> Option<u32> {
        self.lengths.iter().find_map(|&length| {
            let start = text.get(..length)?;
            let name = |number: &u32| self.text(*number).cmp(start);
            let at = self.sorted.binary_search_by(name).ok()?;
            Some(self.sorted[at])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_counts() {
        let names = ["b(1)", "b(11)", "b", "", "c(1)", "Größe"];
        let names = Names::new(names.map(str::to_owned).to_vec());
        let cases = [
            ("b(11)x", Some(1)),
            ("b(1)1", Some(0)),
            ("b(2)", Some(2)),
            ("Gr", Some(3)),
            ("Größer", Some(5)),
            ("c(1)", Some(4)),
        ];
        for (text, number) in cases {
            assert_eq!(names.at_start_of(text), number, "{text}");
        }
        assert_eq!(Names::new(vec!["a".to_owned()]).at_start_of("b"), None);
    }
}
