//! Lines of generated code: what the printer breaks too early is joined, as far as it fits.
//!
//! The printer knows one way to break a list: a line for each item. Here calls, literals of structs, short branches and
//! chains become one line again where they fit, lists of short items are filled, and an argument over several lines at the end of
//! a call shares the lines of the call. Tokens stay the same but for commas before closing brackets.

/// Columns of a line.
const WIDTH: usize = 120;
/// Columns by which the inside of brackets is indented.
const STEP: usize = 4;
/// Characters of an item of a list that shares its line with others.
const SHORT: usize = 48;

#[derive(Clone, Debug)]
struct Line {
    indent: usize,
    text: String,
    /// A comment, an attribute, or nothing: never joined.
    fixed: bool,
}

impl Line {
    /// The bracket that the line ends with, if what is in it follows.
    fn opens(&self) -> Option<char> {
        let last = self.text.chars().last().filter(|_| !self.fixed)?;
        "([{<".contains(last).then_some(last)
    }

    /// The bracket that the line begins with, as the one it belongs to.
    fn closes(&self) -> Option<char> {
        let mut chars = self.text.chars().filter(|_| !self.fixed);
        match (chars.next()?, chars.next()) {
            (')', _) => Some('('),
            (']', _) => Some('['),
            ('}', _) => Some('{'),
            ('>', None | Some('(' | ',' | ';' | ')')) => Some('<'),
            _ => None,
        }
    }

    /// Whether an expression or item ends with the line, or something is opened.
    fn is_whole(&self) -> bool {
        self.fixed || self.text.ends_with([',', ';', '{', '}', '(', '[', '<'])
    }

    fn starts_with_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.starts_with(word))
    }
}

/// The text with fewer lines.
pub(crate) fn folded(text: &str) -> String {
    let mut lines = read(text);
    loop {
        let before = lines.len();
        lines = chains(brackets(lines));
        if lines.len() == before {
            break;
        }
    }
    let mut out = String::with_capacity(text.len());
    for line in &lines {
        out.extend(std::iter::repeat_n(' ', line.indent));
        out.push_str(&line.text);
        out.push('\n');
    }
    out
}

fn read(text: &str) -> Vec<Line> {
    let mut within_comment = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        within_comment |= line.trim_start().starts_with("/*");
        let text = match within_comment {
            true => line,
            false => line.trim(),
        };
        let starts = |prefix| text.starts_with(prefix);
        let is_attribute = starts("#") && !text.ends_with('(');
        lines.push(Line {
            indent: match within_comment {
                true => 0,
                false => line.len() - line.trim_start().len(),
            },
            text: text.to_owned(),
            fixed: within_comment || text.is_empty() || starts("//") || is_attribute,
        });
        within_comment &= !line.trim_end().ends_with("*/");
    }
    lines
}

/// Joins what stands between brackets.
fn brackets(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut open: Vec<(usize, char)> = Vec::new();
    for line in lines {
        let closes = line.closes();
        out.push(line);
        if let (Some(&(start, bracket)), Some(closed)) = (open.last(), closes)
            && bracket == closed
        {
            open.pop();
            join(&mut out, start, bracket);
        }
        if let Some(bracket) = out.last().and_then(Line::opens) {
            open.push((out.len() - 1, bracket));
        }
    }
    out
}

/// Joins the lines from an opening bracket to the one that closes it, which is in the last line.
fn join(out: &mut Vec<Line>, start: usize, bracket: char) {
    let group = &out[start..];
    let ([first, .., last], true) = (group, group.len() > 2) else {
        return;
    };
    let inner = &group[1..group.len() - 1];
    if first.indent != last.indent || inner.iter().any(|line| line.fixed) {
        return;
    }
    let flat = inner.iter().all(|line| line.indent == first.indent + STEP);
    let joined = match bracket {
        '{' if flat => struct_literal(first, inner, last)
            .or_else(|| branch(first, inner, last))
            .map(|text| vec![line(first, text)]),
        '{' => None,
        _ if flat => in_line(first, inner, last).or_else(|| filled(first, inner, last)),
        _ => hugged(first, inner, last),
    };
    if let Some(lines) = joined {
        out.truncate(start);
        out.extend(lines);
    } else if flat {
        both_branches(out, start);
    }
}

fn line(like: &Line, text: String) -> Line {
    Line {
        indent: like.indent,
        text,
        fixed: false,
    }
}

fn fits(indent: usize, text: &str) -> bool {
    indent + text.chars().count() <= WIDTH
}

fn texts(lines: &[Line]) -> String {
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    texts.join(" ")
}

/// Whether a bracket at the end of a text is that of a call, definition or array, and not that of a tuple.
fn is_no_tuple(text: &str) -> bool {
    let before = text.strip_suffix('(').map(|before| before.chars().last());
    before.is_none_or(|last| last.is_some_and(|c| c.is_alphanumeric() || "_>)]?!".contains(c)))
}

/// A list in one line.
fn in_line(first: &Line, inner: &[Line], last: &Line) -> Option<Vec<Line>> {
    let all = texts(inner);
    let all = match all.strip_suffix(',') {
        Some(shorter) if is_no_tuple(&first.text) || inner.len() > 1 => shorter,
        _ => &all,
    };
    let text = format!("{}{all}{}", first.text, last.text);
    fits(first.indent, &text).then(|| vec![line(first, text)])
}

/// A list of short items with as many in a line as fit.
fn filled(first: &Line, inner: &[Line], last: &Line) -> Option<Vec<Line>> {
    let mut items: Vec<&str> = Vec::new();
    for line in inner {
        items.extend(items_of(line.text.strip_suffix(',')?));
    }
    let short = |item: &&str| item.len() <= SHORT && !item.contains(['{', '|']);
    let is_list = first.text.ends_with('[') || first.text.starts_with('#');
    if !is_list || !items.iter().all(short) {
        return None;
    }
    let mut lines = vec![first.clone()];
    let mut text = String::new();
    let like = &inner[0];
    for item in items {
        if !text.is_empty() && !fits(like.indent, &format!("{text} {item},")) {
            lines.push(line(like, std::mem::take(&mut text)));
        }
        let space = if text.is_empty() { "" } else { " " };
        text.extend([space, item, ","]);
    }
    lines.extend([line(like, text), last.clone()]);
    Some(lines)
}

/// The items of a list, without the spaces between them.
fn items_of(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0usize);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(text[start..].trim());
    items
}

/// A call whose last argument takes several lines, or a list of one such item: its brackets share the lines of the item.
fn hugged(first: &Line, inner: &[Line], last: &Line) -> Option<Vec<Line>> {
    let indent = first.indent + STEP;
    let at = inner.iter().position(|line| line.opens().is_some())?;
    let (before, item) = inner.split_at(at);
    let ([head, body @ .., tail], true) = (item, item.len() > 2) else {
        return None;
    };
    let shares = at == 0 || first.text.ends_with('(') && head.text.ends_with('{');
    let one = before
        .iter()
        .chain([head, tail])
        .all(|line| line.indent == indent)
        && body.iter().all(|line| line.indent > indent)
        && tail.closes() == head.opens();
    if !shares || !one || !is_no_tuple(&first.text) || head.text.starts_with("if ") {
        return None;
    }
    let space = if at == 0 { "" } else { " " };
    let text = format!("{}{}{space}{}", first.text, texts(before), head.text);
    if !fits(first.indent, &text) {
        return None;
    }
    let mut lines = vec![line(first, text)];
    lines.extend(body.iter().cloned().map(|mut line| {
        line.indent -= STEP;
        line
    }));
    let tail = tail.text.strip_suffix(',').unwrap_or(&tail.text);
    lines.push(line(first, format!("{tail}{}", last.text)));
    Some(lines)
}

/// A literal or pattern of a struct in one line.
fn struct_literal(first: &Line, inner: &[Line], last: &Line) -> Option<String> {
    let before = first.text.strip_suffix(" {")?;
    let name = before.rsplit([' ', '(', '[', '&', '|']).next()?;
    let is_name = name
        .split("::")
        .any(|part| part.starts_with(|c: char| c.is_ascii_uppercase()));
    let words = [
        "struct ", "enum ", "trait ", "impl", "for ", "while ", "if ", "match ", "}",
    ];
    let is_other = first.starts_with_any(&words)
        || before.contains("->")
        || ["pub ", "fn "].iter().any(|word| before.contains(word));
    let field = |line: &Line| {
        let named = line.text.find(|c: char| !c.is_alphanumeric() && c != '_');
        let follows = named.map(|at| &line.text[at..]);
        line.text.starts_with("..")
            || line.text.ends_with(',') && follows.is_some_and(|rest| rest.starts_with([',', ':']))
    };
    if !is_name || is_other || !inner.iter().all(field) {
        return None;
    }
    let all = texts(inner);
    let all = all.strip_suffix(',').unwrap_or(&all);
    let text = format!("{} {all} {}", first.text, last.text);
    fits(first.indent, &text).then_some(text)
}

/// An arm of a match with one expression, or what is left by a pattern that does not fit.
fn branch(first: &Line, inner: &[Line], last: &Line) -> Option<String> {
    let [only] = inner else { return None };
    let text = match (first.text.strip_suffix("=> {"), &*last.text) {
        (Some(pattern), "}") if !only.is_whole() => format!("{pattern}=> {},", only.text),
        (None, "};") if first.text.starts_with("let ") && first.text.ends_with(" else {") => {
            format!("{} {} }};", first.text, only.text)
        }
        _ => return None,
    };
    fits(first.indent, &text).then_some(text)
}

/// Joins `if` and `else` with one expression each; the second begins at a line.
fn both_branches(out: &mut Vec<Line>, start: usize) {
    let Some([first, yes, otherwise, no, last]) = start.checked_sub(2).and_then(|at| out.get(at..))
    else {
        return;
    };
    let indents = [yes, otherwise, no].map(|line| line.indent);
    let one = first.text.starts_with("if ") || first.text.contains("= if ");
    let is_choice = one
        && first.opens() == Some('{')
        && otherwise.text == "} else {"
        && indents == [first.indent + STEP, first.indent, first.indent + STEP]
        && ![yes, no].iter().any(|line| line.is_whole());
    let text = texts(&out[start - 2..]);
    if is_choice && fits(first.indent, &text) && last.closes() == Some('{') {
        let joined = line(first, text);
        out.truncate(start - 2);
        out.push(joined);
    }
}

/// Joins expressions that go on in the next line.
fn chains(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = &lines[..];
    while let [next, others @ ..] = rest {
        let open = |last: &Line| !last.is_whole() && !next.fixed;
        let hung = out.last().filter(|last| open(last));
        if let Some((lines, taken)) = hung.and_then(|last| hanging(last, rest)) {
            out.pop();
            out.extend(lines);
            rest = &rest[taken..];
            continue;
        }
        let taken = match out.last_mut() {
            Some(last) if open(last) => joined_lines(last, rest),
            _ => 0,
        };
        if taken == 0 {
            out.push(next.clone());
        }
        rest = match taken {
            0 => others,
            _ => &rest[taken..],
        };
    }
    out
}

/// A method over several lines on a line of its own: its brackets share the lines of what it is called on.
fn hanging(last: &Line, rest: &[Line]) -> Option<(Vec<Line>, usize)> {
    let next = &rest[0];
    let calls = next.text.starts_with('.') && next.indent > last.indent;
    let more = rest
        .iter()
        .skip(1)
        .position(|line| line.indent <= next.indent)?;
    let (end, by) = (more + 1, next.indent - last.indent.min(next.indent));
    let tail = &rest[end];
    let after = rest
        .get(end + 1)
        .is_none_or(|line| line.indent <= last.indent);
    let text = format!("{}{}", last.text, next.text);
    let one = next.opens().is_some() && tail.closes() == next.opens() && tail.indent == next.indent;
    if !calls || !one || !after || !fits(last.indent, &text) {
        return None;
    }
    let mut lines = vec![line(last, text)];
    lines.extend(rest[1..=end].iter().cloned().map(|mut line| {
        line.indent -= by;
        line
    }));
    Some((lines, end + 1))
}

/// Appends the lines that go on with an expression, if they fit; tells how many they are.
fn joined_lines(last: &mut Line, rest: &[Line]) -> usize {
    let next = &rest[0];
    if next.text == "{" && next.indent == last.indent {
        let text = format!("{} {{", last.text);
        let does = fits(last.indent, &text);
        if does {
            last.text = text;
        }
        return usize::from(does);
    }
    if next.indent <= last.indent {
        return 0;
    }
    let more = rest.iter().position(|line| line.indent <= last.indent);
    let group = &rest[..more.unwrap_or(rest.len())];
    let (end, before) = (&group[group.len() - 1], &group[..group.len() - 1]);
    let simple = !before.iter().any(Line::is_whole) && !end.fixed && end.opens().is_none();
    let all = group
        .iter()
        .fold(last.text.clone(), |text, line| appended(&text, line));
    if simple && fits(last.indent, &all) {
        last.text = all;
        return group.len();
    }
    let alone = rest.get(1).is_none_or(|after| after.indent <= next.indent);
    let two = appended(&last.text, next);
    let does =
        alone && next.opens().is_none() && !next.text.starts_with('.') && fits(last.indent, &two);
    if does {
        last.text = two;
    }
    usize::from(does)
}

fn appended(text: &str, line: &Line) -> String {
    match line.text.starts_with(['.', '?']) {
        true => format!("{text}{}", line.text),
        false => format!("{text} {}", line.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(folded(text), expected);
        let tokens = |text: &str| -> String {
            let tokens: proc_macro2::TokenStream = text.parse().expect("tokens");
            tokens.to_string().replace([' ', '\n', ','], "")
        };
        assert_eq!(tokens(text), tokens(expected));
    }

    #[test]
    fn calls_and_literals_become_one_line() {
        check(
            "fn f(\n    a: u8,\n    b: u8,\n) -> u8 {\n    g(\n        a,\n        Some {\n            a: 1,\n            b,\n        },\n    )\n}\n",
            "fn f(a: u8, b: u8) -> u8 {\n    g(a, Some { a: 1, b })\n}\n",
        );
    }

    #[test]
    fn tuples_of_one_keep_their_comma() {
        check("let a = (\n    b,\n);\n", "let a = (b,);\n");
    }

    #[test]
    fn chains_and_branches_become_one_line() {
        check(
            "let a = if b\n    && c\n{\n    d\n        .e()\n} else {\n    f\n};\n",
            "let a = if b && c { d.e() } else { f };\n",
        );
    }

    #[test]
    fn closures_share_the_lines_of_their_call() {
        let hanging = "let a = b\n    .c(|d| {\n        e;\n        f\n    });\n";
        check(hanging, "let a = b.c(|d| {\n    e;\n    f\n});\n");
        check(
            "visit(\n    s,\n    &mut |mv| {\n        out.push(mv);\n        false\n    },\n)?;\n",
            "visit(s, &mut |mv| {\n    out.push(mv);\n    false\n})?;\n",
        );
    }

    #[test]
    fn lists_are_filled_and_definitions_stay() {
        let names: Vec<String> = (10..40).map(|n| format!("    \"a, {n}\",\n")).collect();
        let text = format!("[\n{}]\n", names.concat());
        assert_eq!(folded(&text).lines().count(), 5);
        let text = "struct A {\n    a: u8,\n}\nmatch B {\n    a => b,\n}\n";
        check(text, text);
    }
}
