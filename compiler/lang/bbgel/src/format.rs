//! The usual form of a board: commands further in than the field they belong to, those inside of an `if` further still.

use super::lex::{Kind, lex};
use super::text::Text;
use super::{front, is_json};
use crate::diag::{Diagnostics, general};
use crate::json;
use crate::source::{SourceFile, SourceMap};
use crate::symbols::lines::Lines;

/// The file in its usual form, if it can be read.
pub(super) fn format(source: &SourceFile) -> Option<String> {
    if is_json(source) {
        let mut findings = Diagnostics::new();
        let json = json::parse(source, super::codes::JSON, &mut findings)?;
        return findings
            .is_empty()
            .then(|| json::print(&json, source, &json::Form::TABS));
    }
    if !is_sound(source) {
        return None;
    }
    let mut lines = Lines::like(source);
    let mut depth = 0;
    let mut comment = false;
    for line in 1..=source.line_count() {
        let text = source.slice(source.line_span(line));
        let trimmed = text.trim();
        let outside = !text.starts_with([' ', '\t']);
        if comment {
            // What a comment of several lines says stays as it stands.
            lines.put(0, text);
            comment = !trimmed.contains("*/");
        } else if trimmed.is_empty() || text.starts_with('#') {
            lines.put(0, trimmed);
        } else if outside {
            depth = 0;
            lines.put(0, &head(trimmed));
        } else {
            let (before, after) = steps(source, line);
            lines.put(1 + (depth + before).max(0) as usize, &command(source, line));
            depth += after;
            comment = opens_comment(trimmed);
        }
    }
    Some(lines.finish())
}

/// Whether the file can be read, whatever it means.
fn is_sound(source: &SourceFile) -> bool {
    let mut sources = SourceMap::new();
    let mut findings = Diagnostics::new();
    let Ok(file) = sources.add(source.name(), source.text()) else {
        return false;
    };
    front(&sources, file, &mut findings);
    let syntax = [
        &super::codes::SYNTAX,
        &super::codes::BAD_LINE,
        &super::codes::OPEN_COMMENT,
        &general::NOT_UTF8,
    ];
    !findings.iter().any(|found| syntax.contains(&found.code))
}

fn opens_comment(line: &str) -> bool {
    match line.rfind("/*") {
        Some(at) => !line[at..].contains("*/"),
        None => false,
    }
}

/// A line that begins something: a blank between words, none before the colon, texts and remarks as they are.
fn head(line: &str) -> String {
    let mut text = String::new();
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => {
                if !quoted && !text.is_empty() && !text.ends_with(' ') {
                    text.push(' ');
                }
                quoted = !quoted;
                text.push(c);
            }
            _ if quoted => text.push(c),
            '#' => {
                if !text.ends_with(' ') {
                    text.push(' ');
                }
                text.push_str(&line[at..]);
                return text;
            }
            ':' => {
                text.truncate(text.trim_end().len());
                text.push(c);
            }
            c if c.is_whitespace() => {
                if !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            _ => {
                if text.ends_with([':', '"']) {
                    text.push(' ');
                }
                text.push(c);
            }
        }
    }
    text
}

/// By how many steps a line of commands itself, and what follows it, stands further in.
fn steps(source: &SourceFile, line: u32) -> (i32, i32) {
    let text = Text::plain(source, source.line_span(line));
    let (mut least, mut now) = (0, 0);
    for (at, token) in lex(&text, &mut Diagnostics::new()).iter().enumerate() {
        match token.kind {
            Kind::Word("end") | Kind::Sign("}") => now -= 1,
            Kind::Word("if") | Kind::Sign("{") => now += 1,
            _ => {}
        }
        let back = match token.kind {
            Kind::Word("else") => now - 1,
            _ => now,
        };
        if at == 0 {
            least = back.min(0);
        }
    }
    (least, now)
}

/// A line of commands without comments: blanks between words and signs.
fn command(source: &SourceFile, line: u32) -> String {
    let span = source.line_span(line);
    let written = source.slice(span).trim();
    if written.contains("/*") || written.contains("*/") {
        return written.to_owned();
    }
    let text = Text::plain(source, span);
    let mut findings = Diagnostics::new();
    let tokens = lex(&text, &mut findings);
    if !findings.is_empty() {
        return written.to_owned();
    }
    let mut line = String::new();
    let mut before: Option<&Kind> = None;
    // Whether a bound of a variable is open, and `?` whose `:` is to come.
    let (mut bound, mut questions) = (false, 0);
    // Whether what comes next is the operand of a sign.
    let mut sign = false;
    for token in &tokens {
        if matches!(token.kind, Kind::End | Kind::Newline) {
            break;
        }
        let opens = token.kind == Kind::Sign("{") && matches!(before, Some(Kind::Ident(_)));
        let blank = match token.kind {
            Kind::Sign(":") => questions > 0,
            Kind::Sign("}") => !bound && before != Some(&Kind::Sign("{")),
            _ => !(bound && before == Some(&Kind::Sign("{"))),
        };
        match token.kind {
            Kind::Sign("?") => questions += 1,
            Kind::Sign(":") => questions -= i32::from(questions > 0),
            _ => {}
        }
        if before.is_some_and(|before| blank && !sign && apart(before, &token.kind)) {
            line.push(' ');
        }
        bound = opens || (bound && token.kind != Kind::Sign("}"));
        let word = source.slice(token.span);
        line.push_str(word);
        let value_before = before.is_some_and(ends_value);
        sign = match token.kind {
            Kind::Sign("-" | "+") => !value_before,
            Kind::Sign("++" | "--") => !value_before,
            Kind::Sign("!") => word == "!",
            _ => false,
        };
        before = Some(&token.kind);
    }
    line
}

fn ends_value(kind: &Kind) -> bool {
    match kind {
        Kind::Number(_) | Kind::Ident(_) | Kind::Sign(")" | "++" | "--") => true,
        Kind::Word(word) => matches!(*word, "true" | "false") || word.starts_with('$'),
        _ => false,
    }
}

fn apart(before: &Kind, kind: &Kind) -> bool {
    match (before, kind) {
        (Kind::Sign("(" | "."), _) | (_, Kind::Sign(")" | "," | ";" | ".")) => false,
        (before, Kind::Sign("++" | "--")) => !ends_value(before),
        (Kind::Word("if" | "then" | "else" | "log" | "return" | "control"), Kind::Sign("(")) => {
            true
        }
        (Kind::Word(_) | Kind::Ident(_), Kind::Sign("(")) => false,
        _ => true,
    }
}
