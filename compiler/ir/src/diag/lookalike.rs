//! Characters that look like those of a rule language and are others: typographic quotes, blanks that do not break, dashes,
//! wide letters. Word processors and web pages put them into rules.

use super::{Diagnostic, Diagnostics, Severity, general};
use crate::source::{SourceFile, SourceMap, Span};

/// What a character is called, and what is written in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// What it is.
    pub name: &'static str,
    /// What it looks like; empty for what cannot be seen.
    pub plain: String,
}

/// What a character looks like, if it is another one.
pub fn lookalike(c: char) -> Option<Lookalike> {
    let (name, plain) = match c {
        '\u{201c}'..='\u{201f}' | '\u{00ab}' | '\u{00bb}' | '\u{2033}' => {
            ("a typographic quotation mark", "\"")
        }
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{00b4}' => ("a typographic apostrophe", "'"),
        '\u{00a0}' | '\u{2007}' | '\u{202f}' => ("a no-break space", " "),
        '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{3000}' => ("another space", " "),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{00ad}' => {
            ("a character without width", "")
        }
        '\u{2212}' => ("a minus sign of mathematics", "-"),
        '\u{2010}'..='\u{2015}' => ("a dash", "-"),
        '\u{00d7}' => ("a multiplication sign", "*"),
        '\u{2044}' | '\u{2215}' => ("another slash", "/"),
        '\u{2217}' => ("another asterisk", "*"),
        '\u{037e}' => ("a question mark of Greek", ";"),
        '\u{ff01}'..='\u{ff5e}' => {
            let plain = char::from_u32(u32::from(c) - 0xfee0)?;
            let plain = plain.to_string();
            return Some(Lookalike {
                name: "a wide character",
                plain,
            });
        }
        _ => return None,
    };
    let plain = plain.to_owned();
    Some(Lookalike { name, plain })
}

/// Tells of a file in UTF-16 as that alone, and adds to errors that stand at such a character, or right behind it, what it is and what to write.
pub fn tell(sources: &SourceMap, diagnostics: &mut Diagnostics) {
    for source in sources.files() {
        if let [first, second, ..] = source.bad_bytes()
            && first.offset == 0
            && matches!((first.byte, second.byte), (0xff, 0xfe) | (0xfe, 0xff))
        {
            // Whatever else was found is about characters that are none.
            diagnostics.retain(|found| found.span().file != source.id());
            let span = Span::new(source.id(), 0, second.offset + 2);
            let message = "the file is in UTF-16";
            diagnostics.push(
                Diagnostic::new(&general::NOT_UTF8, span, message).help("save the file as UTF-8"),
            );
        }
    }
    for found in &mut diagnostics.list {
        if found.severity() == Severity::Error
            && let Some(source) = sources.get(found.span().file)
            && let Some((span, c, like)) = near(source, found.span())
        {
            add(found, span, c, &like);
        }
    }
}

/// The first such character within a place, or before it on the line with no word in between.
fn near(source: &SourceFile, span: Span) -> Option<(Span, char, Lookalike)> {
    let span = source.whole_characters(span);
    let line = source.line_span(source.position(span.start).line);
    let before = Span::new(span.file, line.start.min(span.start), span.start);
    let gap = source.slice(before);
    let word = |c: char| !c.is_whitespace() && lookalike(c).is_none();
    let from = gap.rfind(word).map_or(0, |at| {
        at + gap[at..].chars().next().map_or(1, char::len_utf8)
    });
    let whole = Span::new(
        span.file,
        before.start + from as u32,
        span.end.min(line.end),
    );
    let mut chars = source.slice(whole).char_indices();
    chars.find_map(|(at, c)| {
        let start = whole.start + at as u32;
        let place = Span::new(span.file, start, start + c.len_utf8() as u32);
        Some((place, c, lookalike(c)?))
    })
}

fn add(found: &mut Diagnostic, span: Span, c: char, like: &Lookalike) {
    let number = format!("U+{:04X}", u32::from(c));
    let seen = match c.is_whitespace() || like.plain.is_empty() {
        true => format!("this is {}, {number}", like.name),
        false => format!("`{c}` is {}, {number}", like.name),
    };
    let cure = match like.plain.as_str() {
        "" => "leave it out".to_owned(),
        " " => "write a plain blank".to_owned(),
        plain => format!("write `{plain}`"),
    };
    // What the character is explains what else was found.
    found.notes.clear();
    *found = found
        .clone()
        .also(span, seen)
        .fix(cure, span, like.plain.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules with a character, where an error stands, and what is told with it.
    const CASES: &[(&str, &str, &str)] = &[
        (
            "a == \u{201c}red\u{201d}",
            "\u{201c}red\u{201d}",
            "write `\"`",
        ),
        ("$A =\u{00a0}$B", "$B", "write a plain blank"),
        ("$A \u{2212} 3", "\u{2212}", "write `-`"),
        ("$A \u{2013}  3", "3", "write `-`"),
        ("f\u{ff08}3\u{ff09}", "f\u{ff08}3\u{ff09}", "write `(`"),
        ("PLAY\u{200b}ER", "PLAY\u{200b}ER", "leave it out"),
        ("a\u{00a0}word other", "other", ""),
        ("plain", "plain", ""),
    ];

    #[test]
    fn a_file_in_utf_16_is_told_once() {
        let bytes = [&[0xff, 0xfe][..], b"a\0b\0\n\0"].concat();
        let mut sources = SourceMap::new();
        let file = sources.add("a.txt", bytes).expect("small");
        let mut found = Diagnostics::new();
        for at in 0..4 {
            let span = Span::new(file, at, at + 1);
            found.push(Diagnostic::new(&general::NOT_UTF8, span, "wrong"));
        }
        tell(&sources, &mut found);
        let told: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(told, ["the file is in UTF-16"]);
    }

    #[test]
    fn characters_that_look_like_others_are_named_where_an_error_stands() {
        for (text, at, help) in CASES {
            let mut sources = SourceMap::new();
            let file = sources.add("a.txt", *text).expect("small");
            let start = text.find(at).expect("it is there") as u32;
            let span = Span::new(file, start, start + at.len() as u32);
            let mut found = Diagnostics::new();
            found.push(Diagnostic::new(&general::NOT_UTF8, span, "wrong"));
            tell(&sources, &mut found);
            let told = found.iter().next().expect("one");
            let told = told.help.as_ref().map_or("", |help| help.message.as_str());
            assert_eq!(told, *help, "{text}");
        }
    }
}
