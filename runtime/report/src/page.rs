//! The parts of a page.

use std::fmt::Write as _;

use serde_json::Value;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fafaf7;max-width:1180px;margin:0 auto;padding:24px}\
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:32px 0 8px}p{margin:4px 0}p.words{font-size:17px;max-width:70ch;margin:8px 0 12px}\
.charts{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}.chart{background:#fff;border:1px solid #ddd;border-radius:6px;padding:8px}\
.chart svg,.board svg{max-width:100%;height:auto;display:block}\
table{border-collapse:collapse;background:#fff}th,td{border:1px solid #ddd;padding:3px 10px;text-align:right}\
th{background:#f0efe9}td:first-child,th:first-child,td.text{text-align:left}td.text{font-family:ui-monospace,monospace;font-size:13px}\
.bar{display:inline-block;height:10px;background:#56b4e9;vertical-align:middle}.none{color:#b00}\
.key{display:inline-block;width:180px;height:12px;background:linear-gradient(90deg,#fff7e0,#e69f00,#8a2d00);border:1px solid #ccc}";

/// What the colours of a heat map mean.
pub(crate) const KEY: &str = "Few <span class=\"key\"></span> many; crossed out: never.";

/// The beginning of a page, up to its title.
pub(crate) fn begin(out: &mut String, title: &str) {
    let title = escape(title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
}

/// The end of a page.
pub(crate) fn end(out: &mut String) {
    out.push_str("</body></html>\n");
}

pub(crate) fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(crate) fn escape(text: &str) -> String {
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
pub(crate) fn tidy(value: f64) -> String {
    match value.fract() == 0.0 {
        true => format!("{value:.0}"),
        false => format!("{value:.2}"),
    }
}
