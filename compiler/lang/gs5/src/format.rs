//! The usual form of a rule set: a blank between atoms and fields, none in lists of plain values.

use super::lex::{Kind, Token, lines, tokens};
use super::{files, parse, settings::Settings};
use crate::diag::Diagnostics;
use crate::source::{SourceFile, Span};
use crate::symbols::lines::Lines;

/// The file in its usual form, if it can be read. Trial lists and property tables stay as they are.
pub(super) fn format(source: &SourceFile) -> Option<String> {
    if files::has_ending(source, "csv") {
        return Some(source.text().to_owned());
    }
    let mut findings = Diagnostics::new();
    let settings = Settings::read(&[], Span::new(source.id(), 0, 0), &mut findings);
    parse::parse(source, &settings, &mut findings);
    if findings.has_errors() {
        return None;
    }
    let mut out = Lines::like(source);
    for line in lines(source) {
        if line.text.is_empty() || line.text.starts_with('#') {
            out.put(0, line.text);
            continue;
        }
        let tokens = tokens(&line).ok()?;
        let end = tokens
            .last()
            .map_or(line.span.start, |token| token.span.end);
        let comment = &line.text[(end - line.span.start) as usize..];
        let mut text = row(source, &tokens);
        if let Some(at) = comment.find('#') {
            text.push(' ');
            text.push_str(&comment[at..]);
        }
        out.put(0, &text);
    }
    Some(out.finish())
}

fn row(source: &SourceFile, tokens: &[Token]) -> String {
    let mut text = String::new();
    // For each open bracket whether its items are set apart.
    let mut open: Vec<bool> = Vec::new();
    let mut before: Option<&Kind> = None;
    for (at, token) in tokens.iter().enumerate() {
        let outside = open.is_empty();
        let blank = match (before, &token.kind) {
            (None, _) => false,
            (Some(Kind::Comma), _) => open.last().copied().unwrap_or(true),
            (Some(Kind::Dot | Kind::DotDot), _) | (_, Kind::Dot | Kind::DotDot) => false,
            _ => outside,
        };
        if blank {
            text.push(' ');
        }
        match token.kind {
            Kind::Open => open.push(true),
            Kind::OpenList => open.push(!is_plain_list(&tokens[at + 1..])),
            Kind::Close | Kind::CloseList => {
                open.pop();
            }
            _ => {}
        }
        text.push_str(source.slice(token.span));
        before = Some(&token.kind);
    }
    text
}

/// Whether the tokens of a list are single values with commas between them.
fn is_plain_list(tokens: &[Token]) -> bool {
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::CloseList => return true,
            Kind::Comma if at % 2 == 1 => {}
            Kind::Number(_) | Kind::Id(_) | Kind::Text(_) if at % 2 == 0 => {}
            _ => return false,
        }
    }
    true
}
