//! The page of a coverage: rules beside how often games came there.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::page::{self, escape, list, text};

/// Colours do not carry the meaning alone: what was never reached says so.
const STYLE: &str = "<style>\
table.rules{width:100%;font:13px/1.45 ui-monospace,monospace}table.rules td{border:0;padding:0 10px;text-align:right;white-space:pre-wrap}\
table.rules td.text{width:100%}tr.yes td.n{background:#dff1e3}tr.no td{background:#fbe3e0}tr.part td.n{background:#f7efcf}\
td.n,td.at{color:#555;white-space:nowrap}</style>\n";

/// The page for a report as `coverage --json` gives it, and the text of the rules.
pub fn coverage_page(report: &Value, rules: &str) -> String {
    let mut out = String::new();
    let file = text(&report["file"]);
    page::begin(&mut out, &format!("Coverage of {file}"));
    out.push_str(STYLE);
    summary(&mut out, report);
    parts(&mut out, report);
    lines(&mut out, report, rules);
    page::end(&mut out);
    out
}

fn count(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or(0)
}

fn summary(out: &mut String, report: &Value) {
    let share = |keys: &[&str]| {
        let all: Vec<Value> = keys.iter().flat_map(|key| list(&report[*key])).collect();
        let hit = all.iter().filter(|item| count(item, "count") > 0).count();
        format!("{hit} of {}", all.len())
    };
    let branches = list(&report["branches"]);
    let ways = branches
        .iter()
        .flat_map(|branch| [count(branch, "yes"), count(branch, "no")]);
    let _ = writeln!(
        out,
        "<p>{} {} with {} positions reached {} rules and ends, {} lines and {} of {} branches.</p>",
        count(report, "games"),
        escape(&text(&report["what"])),
        count(report, "positions"),
        share(&["rules", "ends"]),
        share(&["lines"]),
        ways.filter(|way| *way > 0).count(),
        2 * branches.len(),
    );
}

fn parts(out: &mut String, report: &Value) {
    out.push_str(
        "<h2>Rules and ends</h2>\n<table><tr><th>Part</th><th>Line</th><th>Reached</th></tr>\n",
    );
    for part in ["rules", "ends"].iter().flat_map(|key| list(&report[*key])) {
        let reached = match count(&part, "count") {
            0 => "<span class=\"none\">never</span>".to_owned(),
            count => count.to_string(),
        };
        let line = count(&part, "line");
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td><a href=\"#L{line}\">{line}</a></td><td>{reached}</td></tr>",
            escape(&text(&part["name"])),
        );
    }
    out.push_str("</table>\n");
}

fn lines(out: &mut String, report: &Value, rules: &str) {
    let counts: BTreeMap<u64, u64> = list(&report["lines"])
        .iter()
        .map(|line| (count(line, "line"), count(line, "count")))
        .collect();
    let mut ways: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for branch in list(&report["branches"]) {
        let missing = match (count(&branch, "yes"), count(&branch, "no")) {
            (0, 0) => continue,
            (0, _) => "never holds",
            (_, 0) => "always holds",
            _ => continue,
        };
        let told = ways.entry(count(&branch, "line")).or_default();
        if !told.contains(&missing) {
            told.push(missing);
        }
    }
    out.push_str("<h2>Lines</h2>\n<table class=\"rules\">\n");
    for (number, line) in (1u64..).zip(rules.lines()) {
        let (class, shown) = match (counts.get(&number), ways.get(&number)) {
            (None, _) => ("", String::new()),
            (Some(0), _) => ("no", "never".to_owned()),
            (Some(count), Some(told)) => ("part", format!("{count}, {}", told.join(", "))),
            (Some(count), None) => ("yes", count.to_string()),
        };
        let _ = writeln!(
            out,
            "<tr id=\"L{number}\" class=\"{class}\"><td class=\"at\">{number}</td><td class=\"n\">{shown}</td>\
             <td class=\"text\">{}</td></tr>",
            escape(line),
        );
    }
    out.push_str("</table>\n");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_tell_what_was_never_reached_and_what_always_holds() {
        let report = json!({
            "file": "a.s3", "what": "random games", "games": 7, "positions": 40,
            "rules": [{ "name": "step", "line": 1, "count": 12 }],
            "ends": [{ "name": "end: draw", "line": 3, "count": 0 }],
            "lines": [{ "line": 1, "count": 12 }, { "line": 3, "count": 0 }],
            "branches": [{ "line": 1, "yes": 12, "no": 0 }],
        });
        let page = coverage_page(&report, "if a < b\nx\ny\n");
        assert!(page.contains("reached 1 of 2 rules and ends, 1 of 2 lines and 1 of 2 branches"));
        assert!(page.contains("<tr id=\"L1\" class=\"part\"><td class=\"at\">1</td><td class=\"n\">12, always holds</td>"));
        assert!(page.contains("if a &lt; b"));
        assert!(page.contains("<tr id=\"L2\" class=\"\">"));
        assert!(page.contains(
            "<tr id=\"L3\" class=\"no\"><td class=\"at\">3</td><td class=\"n\">never</td>"
        ));
    }
}
