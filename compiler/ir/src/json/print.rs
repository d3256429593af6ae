//! JSON written anew: the same values in the same spelling, other blanks.

use super::{Json, Kind};
use crate::source::SourceFile;

/// How JSON is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// What stands for a step to the right.
    step: &'static str,
    /// Longest line of a list or object that is written in one.
    width: usize,
}

impl Form {
    /// Two blanks a step; what fits into a line stands in one.
    pub const COMPACT: Form = Form {
        step: "  ",
        width: 120,
    };
    /// A tab a step, a line for each value.
    pub const TABS: Form = Form {
        step: "\t",
        width: 0,
    };
}

/// Fewest items of a list that fills lines.
const MANY: usize = 12;
/// Longest of these lines.
const FILLED: usize = 100;

/// The text of a value that was read from a file, with a line end behind it.
pub fn print(json: &Json, source: &SourceFile, form: &Form) -> String {
    let mut printer = Printer {
        source,
        form,
        text: String::new(),
        depth: 0,
    };
    printer.value(json, 0);
    printer.text.push('\n');
    match source.text().contains("\r\n") {
        true => printer.text.replace('\n', "\r\n"),
        false => printer.text,
    }
}

/// A text as a string of JSON.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Printer<'a> {
    source: &'a SourceFile,
    form: &'a Form,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    /// A value; `used` letters of its line are taken.
    fn value(&mut self, json: &Json, used: usize) {
        let room = self.form.width.saturating_sub(used);
        if let Some(line) = self.line(json, room) {
            return self.text.push_str(&line);
        }
        match &json.kind {
            Kind::Array(items) => self.array(items),
            Kind::Object(members) => {
                self.text.push('{');
                self.depth += 1;
                for (at, member) in members.iter().enumerate() {
                    self.new_line(at > 0);
                    let key = self.source.slice(member.key_span);
                    self.text.push_str(key);
                    self.text.push_str(": ");
                    let used = self.indent() + key.chars().count() + 3;
                    self.value(&member.value, used);
                }
                self.depth -= 1;
                self.new_line(false);
                self.text.push('}');
            }
            _ => self.text.push_str(self.source.slice(json.span)),
        }
    }

    fn array(&mut self, items: &[Json]) {
        self.text.push('[');
        self.depth += 1;
        let room = self
            .form
            .width
            .min(FILLED)
            .saturating_sub(self.indent() + 1);
        let lines: Option<Vec<String>> = match items.len() >= MANY {
            true => items.iter().map(|item| self.line(item, room / 3)).collect(),
            false => None,
        };
        if let Some(lines) = lines {
            let mut used = usize::MAX;
            for (at, line) in lines.iter().enumerate() {
                let length = line.chars().count() + 2;
                if used.saturating_add(length) > room {
                    self.new_line(at > 0);
                    used = 0;
                } else {
                    self.text.push_str(", ");
                }
                self.text.push_str(line);
                used += length;
            }
        } else {
            for (at, item) in items.iter().enumerate() {
                self.new_line(at > 0);
                let used = self.indent() + 1;
                self.value(item, used);
            }
        }
        self.depth -= 1;
        self.new_line(false);
        self.text.push(']');
    }

    fn indent(&self) -> usize {
        self.depth * self.form.step.len()
    }

    fn new_line(&mut self, comma: bool) {
        if comma {
            self.text.push(',');
        }
        self.text.push('\n');
        (0..self.depth).for_each(|_| self.text.push_str(self.form.step));
    }

    /// The value in one line of so many letters at most; scalars and what is empty always are.
    fn line(&self, json: &Json, room: usize) -> Option<String> {
        let text = match &json.kind {
            Kind::Array(items) if items.is_empty() => "[]".to_owned(),
            Kind::Object(members) if members.is_empty() => "{}".to_owned(),
            Kind::Array(items) => {
                let items: Option<Vec<String>> =
                    items.iter().map(|item| self.line(item, room)).collect();
                format!("[{}]", items?.join(", "))
            }
            Kind::Object(members) => {
                let member = |member: &super::Member| {
                    let key = self.source.slice(member.key_span);
                    Some(format!("{key}: {}", self.line(&member.value, room)?))
                };
                let members: Option<Vec<String>> = members.iter().map(member).collect();
                format!("{{{}}}", members?.join(", "))
            }
            _ => return Some(self.source.slice(json.span).to_owned()),
        };
        let empty = text.len() == 2;
        (empty || text.chars().count() <= room).then_some(text)
    }
}
