//! Words of a command line of the captive server, as the lexer of rules would cut them.

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    Number(i64),
    Name(&'a str),
    Text(&'a str),
    Sign(&'a str),
}

impl Word<'_> {
    /// As the original server names it in messages.
    pub(super) fn named(&self) -> String {
        match self {
            Word::Number(n) => format!("NUMBER.{n}"),
            Word::Name(name) => format!("ID.{name}"),
            Word::Text(text) => format!("STRING.\"{text}\""),
            Word::Sign(sign) => {
                let kind = match *sign {
                    "-" => "MINUS",
                    "+" => "PLUS",
                    "*" => "STAR",
                    "," => "COMMA",
                    ":" => "COLON",
                    "." => "DOT",
                    "(" => "OPEN",
                    ")" => "CLOSE",
                    _ => "SIGN",
                };
                format!("{kind}.{sign}")
            }
        }
    }
}

/// The words of a line, up to a comment. What is no word stands for itself.
pub(super) fn words<'a>(line: &'a str, out: &mut Vec<Word<'a>>) {
    out.clear();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|c: char| c <= ' ');
        let Some(first) = rest.chars().next() else {
            return;
        };
        if first == '#' {
            return;
        }
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let (word, len) = match first {
            '0'..='9' => {
                let len = rest.bytes().take_while(u8::is_ascii_digit).count();
                (Word::Number(rest[..len].parse().unwrap_or(i64::MAX)), len)
            }
            '"' => match rest[1..].find('"') {
                Some(end) => (Word::Text(&rest[1..=end]), end + 2),
                None => (Word::Text(&rest[1..]), rest.len()),
            },
            c if c.is_alphabetic() || c == '_' || c == '$' => {
                let len = rest.find(|c| !part(c)).unwrap_or(rest.len());
                (Word::Name(&rest[..len]), len)
            }
            c => (Word::Sign(&rest[..c.len_utf8()]), c.len_utf8()),
        };
        out.push(word);
        rest = &rest[len..];
        if out.len() > 64 {
            return;
        }
    }
}
