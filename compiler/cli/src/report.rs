//! A simulation as one HTML page: charts, a heat map over the board, tables. It needs no other file and no network.

use std::fmt::Write as _;

use plotters::prelude::*;
use rulec_compiler::ir::{Game, PlaceLook, Shape};
use serde_json::Value;

/// Size of a chart in pixels.
const SIZE: (u32, u32) = (560, 300);
/// Most bars of a histogram.
const BARS: usize = 40;
/// Colours of charts, told apart by the colour-blind too (Okabe and Ito, 2008).
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// Side of a field without measures, in pixels.
const SIDE: f64 = 40.0;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fafaf7;max-width:1180px;margin:0 auto;padding:24px}\
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:32px 0 8px}p{margin:4px 0}\
.charts{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}.chart{background:#fff;border:1px solid #ddd;border-radius:6px;padding:8px}\
.chart svg,.board svg{max-width:100%;height:auto;display:block}\
table{border-collapse:collapse;background:#fff}th,td{border:1px solid #ddd;padding:3px 10px;text-align:right}\
th{background:#f0efe9}td:first-child,th:first-child,td.text{text-align:left}td.text{font-family:ui-monospace,monospace;font-size:13px}\
.bar{display:inline-block;height:10px;background:#56b4e9;vertical-align:middle}.none{color:#b00}\
.key{display:inline-block;width:180px;height:12px;background:linear-gradient(90deg,#fff7e0,#e69f00,#8a2d00);border:1px solid #ccc}";

/// The page for a report as `simulate --json` gives it.
pub(crate) fn html(game: &Game, report: &Value) -> String {
    let mut page = Page {
        game,
        report,
        out: String::new(),
    };
    page.write();
    page.out
}

struct Page<'a> {
    game: &'a Game,
    report: &'a Value,
    out: String,
}

impl Page<'_> {
    fn write(&mut self) {
        let title = escape(self.report["game"].as_str().unwrap_or("game"));
        let _ = write!(
            self.out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>Simulation of {title}</title><style>{STYLE}</style></head><body>\n<h1>Simulation of {title}</h1>\n"
        );
        self.summary();
        self.players();
        self.meters();
        self.board();
        self.counters();
        self.errors();
        self.out.push_str("</body></html>\n");
    }

    fn number(&self, key: &str) -> u64 {
        self.report[key].as_u64().unwrap_or(0)
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
        self.chart(win_chart(&rows));
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
        let looks = &self.game.presentation.places;
        let known: Vec<&PlaceLook> = looks.iter().filter(|look| look.at.is_some()).collect();
        if known.is_empty() {
            return;
        }
        let mut begun = false;
        for (counter, shown) in self
            .game
            .counters
            .iter()
            .zip(list(&self.report["counters"]))
        {
            let places = known
                .iter()
                .filter(|look| Some(look.domain) == counter.axis);
            let places: Vec<&PlaceLook> = places.copied().collect();
            let total = shown["total"].as_u64().unwrap_or(0);
            if places.is_empty() || total == 0 {
                continue;
            }
            if !std::mem::replace(&mut begun, true) {
                self.out.push_str("<h2>What happens where</h2>\n");
            }
            let _ = writeln!(
                self.out,
                "<h3>{}</h3><p>{total} in all, {:.2} a game. Few <span class=\"key\"></span> many; crossed out: never.</p>\
                 <div class=\"board\">{}</div>",
                escape(&counter.name),
                total as f64 / self.number("games").max(1) as f64,
                heat_map(&places, &shown),
            );
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
            for member in &members {
                let count = member["count"].as_u64().unwrap_or(0);
                let share = 100.0 * member["games"].as_u64().unwrap_or(0) as f64 / games as f64;
                let class = if count == 0 { " class=\"none\"" } else { "" };
                let _ = write!(
                    self.out,
                    "<tr{class}><td class=\"text\">{}</td><td>{count}</td><td>{:.3}</td><td>{share:.1} %</td>\
                     <td class=\"text\"><span class=\"bar\" style=\"width:{}px\"></span></td></tr>",
                    escape(&text(&member["name"])),
                    count as f64 / games as f64,
                    count * 160 / most,
                );
            }
            self.out.push_str("</table></details>\n");
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

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A number with as many digits as help.
fn tidy(value: f64) -> String {
    match value.fract() == 0.0 {
        true => format!("{value:.0}"),
        false => format!("{value:.2}"),
    }
}

/// A chart, drawn by `draw` on an area of the usual size; nothing if that fails.
fn drawn<F>(draw: F) -> Option<String>
where
    F: FnOnce(
        &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error>>,
{
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE).ok()?;
        draw(&area).ok()?;
        area.present().ok()?;
    }
    Some(svg)
}

/// The share of games that each player wins, with intervals.
fn win_chart(rows: &[(String, f64, f64, f64)]) -> Option<String> {
    let most = rows.iter().map(|row| row.3).fold(1.0, f64::max) * 1.1;
    let count = rows.len();
    if count == 0 {
        return None;
    }
    drawn(|area| {
        let mut chart = ChartBuilder::on(area)
            .caption(
                "games won, in percent, with 95 % intervals",
                ("sans-serif", 16),
            )
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..count as f64, 0.0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_labels(count * 2 + 1)
            .x_label_formatter(&|x| {
                let middle = (x.fract() - 0.5).abs() < 0.01;
                let row = rows.get(*x as usize).filter(|_| middle);
                row.map_or(String::new(), |row| row.0.clone())
            })
            .y_label_formatter(&|y| tidy(*y))
            .draw()?;
        for (index, (_, rate, low, high)) in rows.iter().enumerate() {
            let x = index as f64;
            let bar = Rectangle::new([(x + 0.2, 0.0), (x + 0.8, *rate)], BLUE.mix(0.7).filled());
            chart.draw_series([bar])?;
            let line = |points: Vec<(f64, f64)>| PathElement::new(points, ORANGE.stroke_width(2));
            chart.draw_series([
                line(vec![(x + 0.5, *low), (x + 0.5, *high)]),
                line(vec![(x + 0.45, *low), (x + 0.55, *low)]),
                line(vec![(x + 0.45, *high), (x + 0.55, *high)]),
            ])?;
        }
        Ok(())
    })
}

/// How many games ended with what value of a meter.
fn histogram(meter: &Value) -> Option<String> {
    let values: Vec<(f64, u64)> = list(&meter["histogram"])
        .iter()
        .filter_map(|pair| Some((pair[0].as_f64()?, pair[1].as_u64()?)))
        .collect();
    let (first, last) = (values.first()?.0, values.last()?.0);
    let width = bar_width(last - first, &values);
    let bars = ((last - first) / width).floor() as usize + 1;
    let mut counts = vec![0_u64; bars];
    for (value, count) in &values {
        let bar = ((value - first) / width).floor() as usize;
        counts[bar.min(bars - 1)] += count;
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let (name, unit) = (text(&meter["name"]), text(&meter["unit"]));
    let caption = match unit.is_empty() {
        true => format!("{name}: number of games"),
        false => format!("{name} in {unit}: number of games"),
    };
    drawn(|area| {
        let end = first + width * bars as f64;
        let mut chart = ChartBuilder::on(area)
            .caption(caption, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(64)
            .build_cartesian_2d(first..end, 0.0..most as f64 * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_label_formatter(&|x| tidy(*x))
            .y_label_formatter(&|y| tidy(*y))
            .draw()?;
        let bar = |(index, count): (usize, &u64)| {
            let left = first + width * index as f64;
            let right = left + width * 0.94;
            Rectangle::new(
                [(left, 0.0), (right, *count as f64)],
                BLUE.mix(0.7).filled(),
            )
        };
        chart.draw_series(counts.iter().enumerate().map(bar))?;
        Ok(())
    })
}

/// The width of a bar: a round number of the least distance between values.
fn bar_width(span: f64, values: &[(f64, u64)]) -> f64 {
    let gaps = values.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let least = gaps.fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least } else { 1.0 };
    let many = (span / least / BARS as f64).ceil().max(1.0);
    least * many
}

/// The board with every place in the colour of its count.
fn heat_map(places: &[&PlaceLook], counter: &Value) -> String {
    let members = list(&counter["members"]);
    let count = |look: &PlaceLook| {
        let member = members.get(look.member as usize);
        member.and_then(|m| m["count"].as_u64()).unwrap_or(0)
    };
    let most = places
        .iter()
        .map(|look| count(look))
        .max()
        .unwrap_or(1)
        .max(1);
    let size = |look: &PlaceLook| match &look.shape {
        Some(Shape::Rectangle(width, height)) => (*width, *height),
        Some(Shape::Circle(radius)) => (2.0 * radius, 2.0 * radius),
        _ => (SIDE, SIDE),
    };
    let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
    let (mut right, mut bottom) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut body = String::new();
    for look in places {
        let Some((x, y)) = look.at else { continue };
        let (width, height) = size(look);
        left = left.min(x - width / 2.0);
        right = right.max(x + width / 2.0);
        top = top.min(y - height / 2.0);
        bottom = bottom.max(y + height / 2.0);
        let n = count(look);
        let name = members
            .get(look.member as usize)
            .map_or(String::new(), |m| text(&m["name"]));
        let name = escape(&name);
        let share = n as f64 / most as f64;
        let _ = write!(
            body,
            "<g><title>{name}: {n}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" \
             fill=\"{}\" stroke=\"#776\"/>",
            x - width / 2.0,
            y - height / 2.0,
            heat(share),
        );
        if n == 0 {
            let (w, h) = (width / 2.0, height / 2.0);
            let _ = write!(
                body,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#b00\"/>",
                x - w,
                y - h,
                x + w,
                y + h
            );
        }
        let ink = if share > 0.55 { "#fff" } else { "#222" };
        let font = (height / 3.2).clamp(6.0, 16.0);
        let _ = write!(
            body,
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{font:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{name}</text>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text></g>",
            y - font * 0.1,
            y + font,
            font * 0.85,
            short(n),
        );
    }
    let margin = 8.0;
    let (width, height) = (right - left + 2.0 * margin, bottom - top + 2.0 * margin);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1} {:.1} {width:.1} {height:.1}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\">{body}</svg>",
        left - margin,
        top - margin,
    )
}

/// A colour from pale to dark for a share from 0 to 1.
fn heat(share: f64) -> String {
    const STOPS: [(f64, f64, f64); 3] = [
        (255.0, 247.0, 224.0),
        (230.0, 159.0, 0.0),
        (138.0, 45.0, 0.0),
    ];
    let at = share.clamp(0.0, 1.0).sqrt() * 2.0;
    let stop = (at.floor() as usize).min(1);
    let (from, to) = (STOPS[stop], STOPS[stop + 1]);
    let mix = |a: f64, b: f64| (a + (b - a) * (at - stop as f64)).round() as u8;
    format!(
        "#{:02x}{:02x}{:02x}",
        mix(from.0, to.0),
        mix(from.1, to.1),
        mix(from.2, to.2)
    )
}

/// A count in a few characters.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}k", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_pale_to_dark() {
        assert_eq!(heat(0.0), "#fff7e0");
        assert_eq!(heat(0.25), "#e69f00");
        assert_eq!(heat(1.0), "#8a2d00");
    }

    #[test]
    fn bars_are_as_wide_as_values_are_apart() {
        let values: Vec<(f64, u64)> = (0..10).map(|n| (f64::from(n) * 0.5, 1)).collect();
        assert_eq!(bar_width(4.5, &values), 0.5);
        assert_eq!(bar_width(1000.0, &values), 25.0);
        assert_eq!(bar_width(0.0, &values[..1]), 1.0);
    }

    #[test]
    fn a_page_is_whole_without_anything_to_tell() {
        let meter =
            serde_json::json!({ "name": "a<b", "unit": "s", "histogram": [[1.0, 2], [2.0, 3]] });
        let svg = histogram(&meter).expect("a chart");
        assert!(svg.contains("a&lt;b") && svg.trim_end().ends_with("</svg>"));
        assert_eq!(escape("<\"&>"), "&lt;&quot;&amp;&gt;");
    }
}
