//! The parts of a page.

use std::fmt::Write as _;

use serde_json::Value;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:light-dark(#222,#e8e4db);--page:light-dark(#fafaf7,#1b1d20);--card:light-dark(#fff,#26292e);--rule:light-dark(#ddd,#3f444b);--head:light-dark(#f0efe9,#2f3339);--none:light-dark(#a00000,#ffb4ab)}\
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:1180px;margin:0 auto;padding:24px}\
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:32px 0 8px}h3{font-size:16px;margin:8px 0 0}p{margin:4px 0}p.words{font-size:17px;max-width:70ch;margin:8px 0 12px}\
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:16px;align-items:start}.chart{background:#fff;border:1px solid var(--rule);border-radius:6px;padding:8px;min-width:0}\
.chart svg{width:100%;height:auto;display:block}.chart:only-child{max-width:860px}.charts>table{justify-self:start}.board{background:#fafaf7;border-radius:6px;width:fit-content;max-width:100%}.board svg{max-width:100%;height:auto;display:block}\
.wide{overflow-x:auto}table{border-collapse:collapse;background:var(--card)}th,td{border:1px solid var(--rule);padding:3px 10px;text-align:right}\
th{background:var(--head)}summary{cursor:pointer;padding:3px 0}td:first-child,th:first-child,td.text{text-align:left}td.text{font-family:ui-monospace,monospace;font-size:13px}\
.bar{display:inline-block;height:10px;background:#56b4e9;vertical-align:middle}.none{color:var(--none)}\
.key{display:inline-block;width:180px;height:12px;background:linear-gradient(90deg,#fff7e0,#e69f00,#8a2d00);border:1px solid #ccc}";

/// What the colours of a heat map mean.
pub(crate) const KEY: &str = "Few <span class=\"key\"></span> many; crossed out: never.";

/// The beginning of a page, up to its title.
pub(crate) fn begin(out: &mut String, title: &str) {
    let title = escape(&title.replace('_', " "));
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
