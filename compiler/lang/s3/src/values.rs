//! Values of keys: numbers, points, names, patterns, shapes, the arm's data.

use std::str::FromStr;

use pest::Parser;

use super::ast::{Ident, Name, Pattern, Point, Robot, Shape, Spanned, TemplatePart};
use super::codes;
use super::expr;
use super::grammar::{Grammar, Rule};
use super::text::Text;
use crate::diag::{Diagnostic, Diagnostics};
use crate::source::Span;

fn bad<T>(value: Text<'_>, diagnostics: &mut Diagnostics, expected: &str) -> Option<T> {
    let message = format!("expected {expected}");
    let error = Diagnostic::new(&codes::BAD_VALUE, value.span(), message);
    let comment = value.text.contains("//");
    diagnostics.push(if comment {
        error.note("a comment cannot follow a value")
    } else {
        error
    });
    None
}

/// A text that may not be empty.
pub(super) fn ident(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Ident> {
    if value.text.is_empty() {
        return bad(value, diagnostics, "a value after `=`");
    }
    visible(value, diagnostics);
    Some(Spanned::new(value.text.to_owned(), value.span()))
}

/// Tells the first character that cannot be seen.
pub(super) fn visible(value: Text<'_>, diagnostics: &mut Diagnostics) {
    // Tabs are blanks.
    let hidden = |(_, c): &(usize, char)| c.is_control() && *c != '\t';
    if let Some((at, c)) = value.text.char_indices().find(hidden) {
        let message = format!("the character U+{:04X} cannot be seen", u32::from(c));
        let span = value.part(at, at + c.len_utf8());
        let warning = Diagnostic::new(&codes::CONTROL_CHARACTER, span, message);
        diagnostics.push(warning.help("leave it out"));
    }
}

/// An integer of 32 bits.
pub(super) fn int(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Spanned<i32>> {
    match value.text.parse() {
        Ok(number) => Some(Spanned::new(number, value.span())),
        Err(_) => bad(value, diagnostics, "an integer"),
    }
}

/// A finite number.
pub(super) fn float(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<f64> {
    match value.text.parse() {
        Ok(number) if f64::is_finite(number) => Some(number),
        _ => bad(value, diagnostics, "a number"),
    }
}

/// Numbers separated by commas; a comma at the end is no separator.
fn numbers<T: FromStr>(value: Text<'_>) -> Option<Vec<T>> {
    let text = value.text.trim_end_matches(',');
    let number = |number: &str| number.trim_matches(|c: char| c <= ' ').parse().ok();
    text.split(',').map(number).collect()
}

fn surplus(value: Text<'_>, used: usize, diagnostics: &mut Diagnostics) {
    let message = format!("only the first {used} numbers are used");
    diagnostics.push(Diagnostic::new(
        &codes::IGNORED_VALUE,
        value.span(),
        message,
    ));
}

/// `x,y`.
pub(super) fn point(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Point> {
    match numbers::<i32>(value).as_deref() {
        Some(&[x, y, ref rest @ ..]) => {
            if !rest.is_empty() {
                surplus(value, 2, diagnostics);
            }
            Some(Point { x, y })
        }
        _ => bad(value, diagnostics, "a point `x,y` of two integers"),
    }
}

/// Ten angles or three coordinates.
pub(super) fn robot(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Robot> {
    let numbers = numbers::<f64>(value).filter(|all| all.iter().all(|number| number.is_finite()));
    match numbers.as_deref() {
        Some(&[a, b, c, d, e, f, g, h, i, j, ref rest @ ..]) => {
            if !rest.is_empty() {
                surplus(value, 10, diagnostics);
            }
            angles(value, &[a, b, c, d, e, f, g, h, i, j], diagnostics);
            Some(Robot::Angles {
                above: [a, b, c, d, e],
                at: [f, g, h, i, j],
            })
        }
        Some(&[_, y, _]) if y < 0.0 => {
            let error = Diagnostic::new(
                &codes::BAD_VALUE,
                value.span(),
                "the place lies behind the arm",
            );
            diagnostics.push(
                error.note("the second coordinate counts away from the arm and is not negative"),
            );
            None
        }
        Some(&[x, y, z]) => Some(Robot::Place { x, y, z }),
        Some(other) => {
            let expected =
                "ten angles (five above the place, five at it) or three coordinates in centimetres";
            bad(
                value,
                diagnostics,
                &format!("{expected}, found {}", other.len()),
            )
        }
        None => bad(value, diagnostics, "numbers, separated by commas"),
    }
}

/// What the servos are called, and from and to which angle each of them turns, in degrees: pulses of 600 to 2400
/// microseconds at 10 for each degree around 1500, of the elbow 900 to 2400 around 1800 and the other way.
const SERVOS: [(&str, f64, f64); 5] = [
    ("base", -90.0, 90.0),
    ("shoulder", -90.0, 90.0),
    ("elbow", -60.0, 90.0),
    ("wrist", -90.0, 90.0),
    ("hand", -90.0, 90.0),
];

/// The angles of a pose that the servos can take and that are nearest to these.
pub(super) fn clamped(pose: [f64; 5]) -> [f64; 5] {
    let mut clamped = pose;
    for (angle, (_, least, most)) in clamped.iter_mut().zip(SERVOS) {
        *angle = angle.clamp(least, most);
    }
    clamped
}

/// Tells which of the ten angles no servo can take.
fn angles(value: Text<'_>, angles: &[f64; 10], diagnostics: &mut Diagnostics) {
    let mut start = 0;
    let words = value.text.split(',').map(|word| {
        let at = start;
        start += word.len() + 1;
        let blanks = word.len() - word.trim_start().len();
        value.part(at + blanks, at + blanks + word.trim().len())
    });
    for (at, (angle, span)) in angles.iter().zip(words).enumerate() {
        let (servo, least, most) = SERVOS[at % SERVOS.len()];
        if !(least..=most).contains(angle) {
            let pose = if at < SERVOS.len() { "above" } else { "at" };
            let message = format!("the {servo} turns from {least} to {most} degrees");
            let nearest = angle.clamp(least, most);
            let warning = Diagnostic::new(&codes::CLAMPED_ANGLE, span, message);
            let warning = warning.label(format!("the arm goes to {nearest}"));
            diagnostics.push(warning.note(format!("this is its angle {pose} the place")));
        }
    }
}

/// `circle(r)`, `rectangular(w,h)`, the wiki's `rectangle`, with its `size=` as an alternative to the parentheses.
pub(super) fn shape(
    value: Text<'_>,
    size: Option<Text<'_>>,
    diagnostics: &mut Diagnostics,
) -> Option<Shape> {
    let parsed = Grammar::parse(Rule::shape, value.text)
        .ok()
        .and_then(|mut pairs| pairs.next());
    let Some(shape) = parsed else {
        ignored_shape(value, diagnostics);
        return None;
    };
    let mut inner = shape.into_inner();
    let word = inner.next()?;
    let word_span = value.span_of(&word);
    let mut sizes: Vec<i32> = inner
        .filter_map(|pair| pair.as_str().parse().ok())
        .collect();
    if let (true, Some(size)) = (sizes.is_empty(), size) {
        sizes = numbers(size).unwrap_or_default();
    }
    let kind = word.as_str().to_ascii_lowercase();
    if kind == "rectangle" {
        let warning = Diagnostic::new(
            &codes::WIKI_SPELLING,
            word_span,
            "`rectangle` is known from the wiki only",
        );
        diagnostics.push(warning.fix(
            "the portable spelling is `rectangular`",
            word_span,
            "rectangular",
        ));
    }
    match (kind.as_str(), sizes.as_slice()) {
        ("circle", [radius, ..]) => Some(Shape::Circle { radius: *radius }),
        ("rectangular" | "rectangle", [width, height, ..]) => Some(Shape::Rectangle {
            width: *width,
            height: *height,
        }),
        _ => {
            ignored_shape(value, diagnostics);
            None
        }
    }
}

fn ignored_shape(value: Text<'_>, diagnostics: &mut Diagnostics) {
    let warning = Diagnostic::new(
        &codes::IGNORED_VALUE,
        value.span(),
        "unknown shape, ignored",
    );
    diagnostics.push(warning.help("shapes are `circle(r)` and `rectangular(w,h)`"));
}

/// `yes` or anything else.
pub(super) fn relevant(value: Text<'_>, diagnostics: &mut Diagnostics) -> bool {
    if !value.text.eq_ignore_ascii_case("yes") && !value.text.eq_ignore_ascii_case("no") {
        let warning = Diagnostic::new(&codes::IGNORED_VALUE, value.span(), "read as `no`");
        diagnostics.push(warning.help("write `yes` or `no`"));
    }
    value.text.eq_ignore_ascii_case("yes")
}

/// The name of a location or element.
pub(super) fn name(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Name> {
    let error = |span, message| Diagnostic::new(&codes::BAD_NAME, span, message);
    visible(value, diagnostics);
    let text: String = value
        .text
        .chars()
        .filter(|c| !matches!(c, ' ' | '\t'))
        .collect();
    let parsed = match Grammar::parse(Rule::record_name, value.text) {
        Ok(mut pairs) => pairs.next()?,
        Err(failure) => {
            diagnostics.push(bad_name(value, expr::offset_of(&failure)));
            return None;
        }
    };
    let mut inner = parsed.into_inner();
    let base: String = inner
        .next()?
        .as_str()
        .chars()
        .filter(|c| !matches!(c, ' ' | '\t'))
        .collect();
    let mut indexes = Vec::new();
    for index in inner.filter(|pair| pair.as_rule() == Rule::integer) {
        match index.as_str().parse::<i32>() {
            Ok(number) => indexes.push(number),
            Err(_) => {
                diagnostics.push(error(value.span_of(&index), "the index is too large"));
                return None;
            }
        }
    }
    let canonical = if indexes.is_empty() {
        base.clone()
    } else {
        format!("{base}({})", join(&indexes))
    };
    if canonical != value.text {
        let warning = Diagnostic::new(
            &codes::ODD_NAME,
            value.span(),
            "strings cannot spell the name like this",
        );
        diagnostics.push(warning.fix(format!("write `{canonical}`"), value.span(), canonical));
    }
    Some(Name {
        text,
        base,
        indexes,
        span: value.span(),
    })
}

fn join(indexes: &[i32]) -> String {
    let texts: Vec<String> = indexes.iter().map(i32::to_string).collect();
    texts.join(",")
}

fn bad_name(value: Text<'_>, at: usize) -> Diagnostic {
    let error = |span, message| Diagnostic::new(&codes::BAD_NAME, span, message);
    if value.text.is_empty() {
        return error(value.span(), "the name is empty");
    }
    let rest = &value.text[at.min(value.text.len())..];
    match rest.chars().next() {
        Some(c @ ('"' | '$')) => {
            let span = value.part(at, at + 1);
            error(span, "names cannot have this character")
                .note(format!("no string could spell a `{c}`"))
        }
        Some(c) => {
            let span = value.part(at, at + c.len_utf8());
            error(span, "the name has the wrong form")
                .help("indexes are integers: `base(1)` or `base(1,2)`")
        }
        None => error(value.span(), "the name is not complete").help("close it with `)`"),
    }
}

/// A pattern for names.
pub(super) fn pattern(value: Text<'_>, diagnostics: &mut Diagnostics) -> Option<Pattern> {
    if value.text.is_empty() {
        return bad(value, diagnostics, "a pattern, such as `s($A)`");
    }
    let parsed = match Grammar::parse(Rule::pattern, value.text) {
        Ok(mut pairs) => pairs.next()?,
        Err(failure) => {
            let at = expr::offset_of(&failure);
            let end = value.text[at..]
                .chars()
                .next()
                .map_or(at, |c| at + c.len_utf8());
            let message = "the pattern cannot be read";
            let error = Diagnostic::new(&codes::BAD_VALUE, value.part(at, end), message);
            diagnostics
                .push(error.help("patterns are written without quotes, variables as `$NAME`"));
            return None;
        }
    };
    let pattern = expr::template(value, value.span(), parsed.into_inner());
    match inseparable(&pattern) {
        Some(span) => {
            let error = Diagnostic::new(
                &codes::PATTERN_VARIABLES,
                span,
                "the variable has no end of its own",
            );
            let error = error.label("matches digits, next to digits or another variable");
            diagnostics.push(error.help("separate them, as in `s($A,$B)`"));
            None
        }
        None => Some(pattern),
    }
}

/// A variable next to another one or to a literal digit.
fn inseparable(pattern: &Pattern) -> Option<Span> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    pattern
        .parts
        .windows(2)
        .find_map(|pair| match (&pair[0], &pair[1]) {
            (TemplatePart::Var(_), TemplatePart::Var(second)) => Some(second.span),
            (TemplatePart::Text(text), TemplatePart::Var(var)) => {
                digit(text.node.chars().last()).then_some(var.span)
            }
            (TemplatePart::Var(var), TemplatePart::Text(text)) => {
                digit(text.node.chars().next()).then_some(var.span)
            }
            (TemplatePart::Text(_), TemplatePart::Text(_)) => None,
        })
}
