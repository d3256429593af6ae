//! The page of a simulation.

use std::fmt::Write as _;

use serde_json::Value;

use crate::board::{Board, heat_map};
use crate::charts::{histogram, win_chart};
use crate::page::{self, escape, list, text, tidy};
use crate::words::simulation_words;

/// The page for a report as `simulate --json` gives it.
///
/// `boards` say where the members of counters lie.
pub fn simulation_page(report: &Value, boards: &[Board]) -> String {
    let mut page = Page {
        boards,
        report,
        out: String::new(),
    };
    page.write();
    page.out
}

struct Page<'a> {
    boards: &'a [Board],
    report: &'a Value,
    out: String,
}

impl Page<'_> {
    fn write(&mut self) {
        let title = format!(
            "Simulation of {}",
            self.report["game"].as_str().unwrap_or("game")
        );
        page::begin(&mut self.out, &title);
        self.words();
        self.summary();
        self.players();
        self.meters();
        self.board();
        self.counters();
        self.errors();
        page::end(&mut self.out);
    }

    fn number(&self, key: &str) -> u64 {
        self.report[key].as_u64().unwrap_or(0)
    }

    /// What stands out, and what changed.
    fn words(&mut self) {
        let words = simulation_words(self.report).join(" ");
        let _ = writeln!(self.out, "<p class=\"words\">{}</p>", escape(&words));
        let against = &self.report["against"];
        if against.is_null() {
            return;
        }
        let file = escape(&text(&against["file"]));
        let _ = writeln!(self.out, "<h2>Compared with {file}</h2>\n<ul>");
        for line in list(&against["words"]) {
            let _ = writeln!(self.out, "<li>{}</li>", escape(&text(&line)));
        }
        let count = against["comparisons"].as_u64().unwrap_or(0);
        let _ = writeln!(
            self.out,
            "</ul><p>Only what {count} comparisons together show with 95 % confidence is listed.</p>"
        );
    }

    fn summary(&mut self) {
        let games = self.number("games");
        let share = |n: u64| 100.0 * n as f64 / games.max(1) as f64;
        let (finished, limit, errors) = (
            self.number("finished"),
            self.number("limit"),
            self.number("errors"),
        );
        let dice = escape(self.report["dice"].as_str().unwrap_or_default());
        let _ = writeln!(
            self.out,
            "<p>{games} games, seed {}, dice <code>{dice}</code>. {finished} ({:.2} %) finished, {limit} ({:.2} %) were \
             stopped at the step limit, {errors} ({:.2} %) ended in an error.</p>",
            self.report["seed"],
            share(finished),
            share(limit),
            share(errors),
        );
    }

    fn players(&mut self) {
        let players = list(&self.report["players"]);
        self.out
            .push_str("<h2>Who wins</h2>\n<div class=\"charts\">");
        let rows: Vec<(String, f64, f64, f64)> = players
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
        self.chart(win_chart(
            &rows,
            "games won, in percent, with 95 % intervals",
        ));
        self.out.push_str(
            "<table><tr><th>player</th><th>games won</th><th>share</th><th>95 % interval</th></tr>",
        );
        for (player, (name, rate, low, high)) in players.iter().zip(&rows) {
            let _ = write!(
                self.out,
                "<tr><td>{}</td><td>{}</td><td>{rate:.2} %</td><td>{low:.2} % to {high:.2} %</td></tr>",
                escape(name),
                player["wins"],
            );
        }
        self.out.push_str("</table></div>\n");
    }

    fn chart(&mut self, svg: Option<String>) {
        if let Some(svg) = svg {
            let _ = write!(self.out, "<div class=\"chart\">{svg}</div>");
        }
    }

    fn meters(&mut self) {
        let meters = list(&self.report["meters"]);
        if meters.is_empty() {
            return;
        }
        self.out
            .push_str("<h2>How long games last</h2>\n<div class=\"charts\">");
        for meter in &meters {
            self.chart(histogram(meter));
        }
        self.out.push_str(
            "</div>\n<p>Games that ended in an error are left out.</p><table><tr><th></th><th>least</th><th>mean</th>\
             <th>greatest</th><th>deviation</th><th>lower quartile</th><th>median</th><th>upper quartile</th></tr>",
        );
        for meter in &meters {
            let unit = text(&meter["unit"]);
            let cell = |value: &Value| match value.as_f64() {
                Some(value) => format!("<td>{} {}</td>", tidy(value), escape(&unit)),
                None => "<td>-</td>".to_owned(),
            };
            let quartile = |index: usize| cell(&meter["quartiles"][index]);
            let _ = write!(
                self.out,
                "<tr><td>{}</td>{}{}{}{}{}{}{}</tr>",
                escape(&text(&meter["name"])),
                cell(&meter["min"]),
                cell(&meter["mean"]),
                cell(&meter["max"]),
                cell(&meter["deviation"]),
                quartile(0),
                quartile(1),
                quartile(2),
            );
        }
        self.out.push_str("</table>\n");
    }

    /// A heat map for every counter of places that have a look.
    fn board(&mut self) {
        let mut begun = false;
        let counters = list(&self.report["counters"]);
        for board in self.boards {
            let shown = counters.get(board.counter).cloned().unwrap_or_default();
            let total = shown["total"].as_u64().unwrap_or(0);
            if board.spots.is_empty() || total == 0 {
                continue;
            }
            if !std::mem::replace(&mut begun, true) {
                let _ = writeln!(
                    self.out,
                    "<h2>What happens where</h2>\n<p>{}</p><div class=\"charts\">",
                    page::KEY
                );
            }
            let counts: Vec<u64> = list(&shown["members"])
                .iter()
                .map(|member| member["count"].as_u64().unwrap_or(0))
                .collect();
            let _ = writeln!(
                self.out,
                "<div><h3>{}</h3><p>{total} in all, {:.2} a game.</p><div class=\"board\">{}</div></div>",
                escape(&text(&shown["name"])),
                total as f64 / self.number("games").max(1) as f64,
                heat_map(&board.spots, &counts),
            );
        }
        if begun {
            self.out.push_str("</div>\n");
        }
    }

    fn counters(&mut self) {
        let games = self.number("games").max(1);
        for counter in list(&self.report["counters"]) {
            let total = counter["total"].as_u64().unwrap_or(0);
            let members = list(&counter["members"]);
            if total == 0 || members.len() < 2 {
                continue;
            }
            let _ = write!(
                self.out,
                "<details{}><summary><b>{}</b>: {total}, {:.2} a game</summary><table><tr><th>what</th><th>count</th>\
                 <th>a game</th><th>games with it</th><th></th></tr>",
                if text(&counter["name"]) == "lines" {
                    " open"
                } else {
                    ""
                },
                escape(&text(&counter["name"])),
                total as f64 / games as f64,
            );
            let most = members.iter().filter_map(|m| m["count"].as_u64()).max();
            let most = most.unwrap_or(1).max(1);
            let happened = |member: &&Value| member["count"].as_u64().unwrap_or(0) > 0;
            for member in members.iter().filter(happened) {
                let count = member["count"].as_u64().unwrap_or(0);
                let share = 100.0 * member["games"].as_u64().unwrap_or(0) as f64 / games as f64;
                let _ = write!(
                    self.out,
                    "<tr><td class=\"text\">{}</td><td>{count}</td><td>{:.3}</td><td>{share:.1} %</td>\
                     <td class=\"text\"><span class=\"bar\" style=\"width:{}px\"></span></td></tr>",
                    escape(&text(&member["name"])),
                    count as f64 / games as f64,
                    count * 160 / most,
                );
            }
            self.out.push_str("</table>");
            let never = members.iter().filter(|member| !happened(member));
            let never: Vec<String> = never.map(|one| escape(&text(&one["name"]))).collect();
            if !never.is_empty() {
                let _ = write!(
                    self.out,
                    "<details><summary>never: {} of {}</summary><p class=\"none\">{}</p></details>",
                    never.len(),
                    members.len(),
                    never.join("<br>"),
                );
            }
            self.out.push_str("</details>\n");
        }
    }

    fn errors(&mut self) {
        let sites = list(&self.report["error_sites"]);
        if sites.is_empty() {
            return;
        }
        self.out
            .push_str("<h2>Errors</h2><table><tr><th>games</th><th>what</th><th>where</th></tr>");
        for site in sites {
            let _ = write!(
                self.out,
                "<tr><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
                site["count"],
                escape(&text(&site["message"])),
                escape(&text(&site["origin"])),
            );
        }
        self.out.push_str("</table>\n");
    }
}
