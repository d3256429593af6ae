//! The page of an analysis: what a game is like at several strengths of play.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{
    board::{Spot, heat_map},
    charts::{histogram, lines, win_chart},
    page::{self, escape, list, text},
    words::analysis_words,
};

/// The page for a report as `analyse --json` gives it. `spots` say where the places lie.
pub fn analysis_page(report: &Value, spots: &[Spot]) -> String {
    let mut out = String::new();
    let title = format!("Analysis of {}", report["game"].as_str().unwrap_or("game"));
    page::begin(&mut out, &title);
    let strengths = list(&report["strengths"]);
    let names: Vec<String> = strengths.iter().map(|s| text(&s["bot"])).collect();
    let _ = writeln!(
        out,
        "<p>{} games by each of {}, seed {}; all players of a game are equally strong. Intervals hold with 95 % confidence.</p>",
        report["games"],
        escape(&names.join(", ")),
        report["seed"],
    );
    let words = analysis_words(report).join(" ");
    let _ = writeln!(out, "<p class=\"words\">{}</p>", escape(&words));
    overview(&mut out, &strengths);
    advantage(&mut out, &strengths);
    lengths(&mut out, &strengths);
    branching(&mut out, &strengths);
    places(&mut out, &strengths, spots);
    page::end(&mut out);
    out
}

fn percent(value: &Value) -> String {
    match value.as_f64() {
        Some(share) => format!("{:.2}\u{a0}%", 100.0 * share),
        None => "-".to_owned(),
    }
}

fn plain(value: &Value) -> String {
    value
        .as_f64()
        .map_or("-".to_owned(), |number| format!("{number:.2}"))
}

/// A number and its interval in a cell.
fn cell(value: &Value, key: &str, show: impl Fn(&Value) -> String) -> String {
    match value.is_object() {
        true => format!(
            "<td>{}<br><small>{} to {}</small></td>",
            show(&value[key]),
            show(&value["low"]),
            show(&value["high"])
        ),
        false => "<td>-</td>".to_owned(),
    }
}

fn overview(out: &mut String, strengths: &[Value]) {
    out.push_str(
        "<h2>At a glance</h2>\n<div class=\"wide\"><table><tr><th>play</th><th>score of the first player</th><th>drawn</th><th>unfinished</th>\
         <th>length in plies</th><th>distinct moves</th><th>legal moves</th><th>positions with a choice</th><th>changes of lead</th><th>won from behind</th>\
         <th>repeated games</th></tr>",
    );
    for one in strengths {
        let _ = write!(
            out,
            "<tr><td class=\"text\">{}</td>{}{}{}{}{}{}{}{}{}<td>{}</td></tr>",
            escape(&text(&one["bot"])),
            cell(&one["first_player"], "mean", percent),
            cell(&one["draws"], "rate", percent),
            cell(&one["unfinished"], "rate", percent),
            cell(&one["length"], "mean", plain),
            cell(&one["branching"], "mean", plain),
            cell(&one["legal_moves"], "mean", plain),
            cell(&one["decisions"], "rate", percent),
            cell(&one["lead_changes"], "mean", plain),
            cell(&one["comebacks"], "rate", percent),
            percent(&one["repeated"]),
        );
    }
    out.push_str("</table></div>\n");
}

fn chart(out: &mut String, svg: Option<String>) {
    if let Some(svg) = svg {
        let _ = write!(out, "<div class=\"chart\">{svg}</div>");
    }
}

fn advantage(out: &mut String, strengths: &[Value]) {
    out.push_str("<h2>Who wins</h2>\n<div class=\"charts\">");
    for one in strengths {
        let rows: Vec<(String, f64, f64, f64)> = list(&one["players"])
            .iter()
            .map(|player| {
                let percent = |key: &str| 100.0 * player[key].as_f64().unwrap_or(0.0);
                (
                    text(&player["name"]),
                    percent("rate"),
                    percent("low"),
                    percent("high"),
                )
            })
            .collect();
        let caption = format!("{}: games won, in percent", text(&one["bot"]));
        chart(out, win_chart(&rows, &caption));
    }
    out.push_str("</div>\n");
}

fn lengths(out: &mut String, strengths: &[Value]) {
    out.push_str("<h2>How long games last</h2>\n<div class=\"charts\">");
    for one in strengths {
        let meter = serde_json::json!({
            "name": format!("{}: length", text(&one["bot"])),
            "unit": "plies",
            "histogram": one["length"]["histogram"],
        });
        chart(out, histogram(&meter));
    }
    out.push_str("</div>\n");
}

fn branching(out: &mut String, strengths: &[Value]) {
    out.push_str("<h2>How much there is to choose from</h2>\n<div class=\"charts\">");
    let series: Vec<(String, Vec<(f64, f64)>)> = strengths
        .iter()
        .map(|one| {
            let means = list(&one["branching"]["by_ply"]);
            let points = (1..).zip(&means);
            let points = points.filter_map(|(ply, mean)| Some((f64::from(ply), mean.as_f64()?)));
            (text(&one["bot"]), points.collect())
        })
        .collect();
    chart(out, lines(&series, "mean number of distinct moves, by ply"));
    out.push_str("</div>\n");
}

fn places(out: &mut String, strengths: &[Value], spots: &[Spot]) {
    let counts = |one: &Value| -> Vec<u64> {
        list(&one["places"])
            .iter()
            .filter_map(Value::as_u64)
            .collect()
    };
    if spots.is_empty()
        || strengths
            .iter()
            .all(|one| counts(one).iter().all(|n| *n == 0))
    {
        return;
    }
    let _ = write!(
        out,
        "<h2>Where pieces come to</h2>\n<p>{}</p><div class=\"charts\">",
        page::KEY
    );
    for one in strengths {
        let _ = write!(
            out,
            "<div><h3>{}</h3><div class=\"board\">{}</div></div>",
            escape(&text(&one["bot"])),
            heat_map(spots, &counts(one)),
        );
    }
    out.push_str("</div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_everything_and_escapes() {
        let share = serde_json::json!({ "rate": 0.5, "low": 0.4, "high": 0.6, "mean": 0.5 });
        let report = serde_json::json!({
            "game": "a<b", "games": 2, "seed": 1,
            "strengths": [{
                "bot": "uct:10",
                "first_player": share, "draws": share, "unfinished": share, "decisions": share,
                "players": [{ "name": "x", "rate": 0.5, "low": 0.4, "high": 0.6 }],
                "length": { "mean": 3.0, "low": 2.0, "high": 4.0, "histogram": [[2, 1], [4, 1]] },
                "branching": { "mean": 3.0, "low": 2.0, "high": 4.0, "by_ply": [3.0, 2.0] },
                "legal_moves": { "mean": 17.0, "low": 16.0, "high": 18.0 },
                "lead_changes": null, "comebacks": null, "repeated": 0.0, "places": [1, 0],
            }],
        });
        let page = analysis_page(&report, &Spot::rows(&["a", "b"]));
        assert!(page.contains("Analysis of a&lt;b") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        assert_eq!(page.matches("<svg").count(), 4);
        assert!(
            page.contains("<th>distinct moves</th><th>legal moves</th>") && page.contains("17.00")
        );
        assert!(!page.contains("<script") && !page.contains("http-equiv"));
    }
}
