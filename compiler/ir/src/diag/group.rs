//! Warnings of one kind told as one, with all their places.

use indexmap::IndexMap;

use super::{Diagnostic, Diagnostics, Severity};

/// Warnings of one kind up to which each is told by itself.
const EACH: usize = 5;

/// Findings that are told as one: the first, and the others that differ from it in places, names and numbers only.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The one that is told whole.
    pub first: &'a Diagnostic,
    /// The others, in their order.
    pub more: Vec<&'a Diagnostic>,
}

/// The findings of a sink as they are told. Each error stands for itself.
pub(super) fn groups(diagnostics: &Diagnostics) -> Vec<Group<'_>> {
    let mut kinds: IndexMap<(&str, String), Vec<&Diagnostic>> = IndexMap::new();
    let warnings = || diagnostics.iter().filter(|d| is_warning(d));
    for found in warnings() {
        kinds.entry(kind(found)).or_default().push(found);
    }
    let mut groups = Vec::new();
    for found in diagnostics {
        let members = match is_warning(found) {
            true => kinds.get(&kind(found)).map_or(&[][..], Vec::as_slice),
            false => &[],
        };
        let together = members.len() > EACH;
        let more = match members {
            [first, ..] if together && !std::ptr::eq(*first, found) => continue,
            [_, more @ ..] if together => more.to_vec(),
            _ => Vec::new(),
        };
        groups.push(Group { first: found, more });
    }
    groups
}

fn is_warning(found: &Diagnostic) -> bool {
    found.severity() == Severity::Warning
}

/// What findings of one kind have in common: the code, and the message without names and numbers.
fn kind(found: &Diagnostic) -> (&'static str, String) {
    let mut text = String::new();
    let mut quoted = false;
    for c in found.message.chars() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted || c.is_ascii_digit() => continue,
            _ => {}
        }
        text.push(c);
    }
    (found.code.code, text)
}

#[cfg(all(test, feature = "stored"))]
mod tests {
    use super::*;
    use crate::diag::{CodeInfo, Style, general, json, render_all};
    use crate::source::{SourceMap, Span};

    static ODD: CodeInfo = CodeInfo {
        code: "T-W0001",
        severity: Severity::Warning,
        title: "odd",
        explanation: "Odd.",
        spoils: false,
    };
    static EVEN: CodeInfo = CodeInfo {
        code: "T-W0002",
        ..ODD
    };

    fn sink(message: impl Fn(u32) -> String, count: u32) -> (SourceMap, Diagnostics) {
        let mut sources = SourceMap::new();
        let id = sources.add("a.txt", "word\n".repeat(40)).expect("small");
        let mut sink = Diagnostics::new();
        for line in 0..count {
            let span = Span::new(id, line * 5, line * 5 + 4);
            sink.push(Diagnostic::new(&ODD, span, message(line)));
        }
        sink.push(Diagnostic::new(&EVEN, Span::new(id, 0, 1), "another"));
        (sources, sink)
    }

    #[test]
    fn a_warning_that_comes_twenty_times_is_one_with_twenty_places() {
        let (sources, sink) = sink(|_| "odd".to_owned(), 20);
        let text = render_all(&sources, &sink, Style::Plain);
        assert_eq!(text.matches("warning[").count(), 2, "{text}");
        let places = "the same in 19 more places: 2:1, 3:1, 4:1";
        assert!(text.contains(places), "{text}");
        let all = json(&sources, &sink);
        assert_eq!(all.as_array().map(Vec::len), Some(2));
        let more = all[0]["more"].as_array().expect("a list");
        let lines = more
            .iter()
            .map(|m| m["labels"][0]["span"]["start"]["line"].as_u64());
        assert!(lines.eq((2..=20).map(Some)), "{all}");
    }

    #[test]
    fn names_and_numbers_make_no_other_kind() {
        let (sources, sink) = sink(|line| format!("`n{line}` has {line} corners"), 7);
        let text = render_all(&sources, &sink, Style::Plain);
        assert_eq!(text.matches("warning[").count(), 2, "{text}");
        assert!(text.contains("7:1: `n6` has 6 corners"), "{text}");
    }

    #[test]
    fn what_says_the_same_without_help_is_no_empty_note() {
        let (sources, all) = sink(|line| format!("`n{}`", line / 3), 7);
        let mut sink = Diagnostics::new();
        for (at, found) in all.iter().enumerate() {
            let helped = found.clone().help("do something");
            sink.push(if at == 0 { helped } else { found.clone() });
        }
        let text = render_all(&sources, &sink, Style::Plain);
        assert!(text.contains("2:1: `n0`"), "{text}");
        assert!(text.lines().all(|line| !line.ends_with(':')), "{text}");
    }

    #[test]
    fn few_warnings_and_all_errors_stand_for_themselves() {
        let (sources, mut sink) = sink(|_| "odd".to_owned(), 5);
        for line in 0..9 {
            let span = Span::new(sources.files()[0].id(), line * 5, line * 5 + 1);
            sink.push(Diagnostic::new(&general::NOT_UTF8, span, "a byte"));
        }
        let text = render_all(&sources, &sink, Style::Plain);
        assert_eq!(text.matches("warning[").count(), 6);
        assert_eq!(text.matches("error[").count(), 9);
    }
}
