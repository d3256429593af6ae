//! Names of the rules as names of Rust: the only place where identifiers are made.

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Ident, Span};

/// How an identifier is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Functions, variables, fields.
    Snake,
    /// Types.
    Camel,
    /// Constants and statics.
    Upper,
}

/// Names that no local variable may take.
pub(super) const LOCAL_RESERVED: &[&str] = &[
    "s",
    "env",
    "ev",
    "cx",
    "mv",
    "rt",
    "found",
    "count",
    "item",
    "round",
    "rounds",
    "from_value",
    "told",
    "result",
    "succeeded",
    "work",
    "deep",
    "value",
    "halt",
    "at",
    "inside",
    "sum",
    "extreme",
    "member",
    "i",
    "j",
    "k",
    "l",
    "m",
    "n",
    "line",
    "values",
    "digest",
    "items",
    "fits",
    "state_before",
    "env_before",
    "open",
    "tried",
    "reached",
    "out",
    "visit",
    "chain",
    "first",
    "last",
    "next",
];

/// Words that no identifier of generated code may be.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The identifiers taken in one scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    taken: SortedSet<String>,
}

impl Scope {
    /// A scope in which these names are taken.
    pub(super) fn with(reserved: &[&str]) -> Scope {
        Scope {
            taken: reserved.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The same scope with these identifiers taken as well.
    pub(super) fn and(mut self, taken: impl Iterator<Item = String>) -> Scope {
        self.taken.extend(taken);
        self
    }

    /// An identifier for a name, or for a longer one where the name is taken or has no words.
    pub(super) fn ident_or(&mut self, name: &str, longer: &str, case: Case) -> Ident {
        let text = spell(name, case);
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic());
        match is_word && !KEYWORDS.contains(&text.as_str()) && !self.taken.contains(&text) {
            true => self.ident(name, case),
            false => self.ident(longer, case),
        }
    }

    /// An identifier for a name, different from all others of the scope.
    pub(super) fn ident(&mut self, name: &str, case: Case) -> Ident {
        let base = spell(name, case);
        let mut text = base.clone();
        let mut number = 2;
        while KEYWORDS.contains(&text.as_str()) || !self.taken.insert(text.clone()) {
            text = match case {
                Case::Camel => format!("{base}{number}"),
                _ => format!("{base}_{number}"),
            };
            number += 1;
        }
        ident(&text)
    }
}

/// The identifier with exactly this text.
pub(super) fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// A name in the given case; letters outside ASCII and other signs separate words.
fn spell(name: &str, case: Case) -> String {
    let words = words(name);
    let capital = |word: &String| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    let text = match case {
        Case::Snake => words.join("_"),
        Case::Upper => words.join("_").to_ascii_uppercase(),
        Case::Camel => words.iter().map(capital).collect(),
    };
    let starts_badly = text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit());
    match case {
        _ if !starts_badly => text,
        Case::Snake => format!("n{text}"),
        Case::Camel | Case::Upper => format!("N{text}"),
    }
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last = ' ';
    for c in name.chars() {
        let starts = c.is_ascii_uppercase() && !last.is_ascii_uppercase();
        if (starts || !c.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        last = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        let mut scope = Scope::with(&["taken"]);
        let mut snake = |name| scope.ident(name, Case::Snake).to_string();
        assert_eq!(snake("CheckDirFirst"), "check_dir_first");
        assert_eq!(snake("check dir-first"), "check_dir_first_2");
        assert_eq!(snake("DX"), "dx");
        assert_eq!(snake("match"), "match_2");
        assert_eq!(snake("taken"), "taken_2");
        assert_eq!(snake("3rd"), "n3rd");
        assert_eq!(snake("š"), "n");
        assert_eq!(spell("location type", Case::Camel), "LocationType");
        assert_eq!(spell("typeOf", Case::Upper), "TYPE_OF");
    }
}
