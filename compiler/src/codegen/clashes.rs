//! Names of rules that generated code uses for something else.
//!
//! Items of a game are named after its rules, and beside them stand those that every game has, or that are named after
//! several rules. Rather than to forbid names, the code is written again where some clash: with these names taken.

use rulec_ir::sorted::SortedSet;

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};

/// What precedes the name of an item.
const ITEMS: &[&str] = &["fn", "static", "const", "type", "struct", "enum"];

/// The names of items that stand twice on the level of the module, and those of functions that are local variables too,
/// which would hide the functions.
pub(super) fn clashes(code: &TokenStream, functions: &[Ident]) -> SortedSet<String> {
    let mut found = NameUses {
        functions: functions.iter().map(Ident::to_string).collect(),
        items: SortedSet::new(),
        clashes: SortedSet::new(),
    };
    found.look(code.clone(), None);
    found.clashes
}

struct NameUses {
    functions: SortedSet<String>,
    items: SortedSet<String>,
    clashes: SortedSet<String>,
}

impl NameUses {
    /// Notes the items that a macro defines: all names in it but those of primitive types.
    fn define_all(&mut self, tokens: TokenStream) {
        for token in tokens {
            if let TokenTree::Ident(name) = token {
                let name = name.to_string();
                let is_item = name.starts_with(|c: char| c.is_ascii_uppercase());
                if is_item && !self.items.insert(name.clone()) {
                    self.clashes.insert(name);
                }
            }
        }
    }

    /// Looks at tokens, and into the groups among them; without a delimiter they are those of the module.
    fn look(&mut self, tokens: TokenStream, within: Option<Delimiter>) {
        let mut tokens = tokens.into_iter().peekable();
        let (mut before, mut invoked) = (String::new(), String::new());
        while let Some(token) = tokens.next() {
            before = match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let is_item = ITEMS.contains(&before.as_str());
                    if is_item && within.is_none() && !self.items.insert(name.clone()) {
                        self.clashes.insert(name.clone());
                    }
                    let is_bound = ["let", "mut", "for"].contains(&before.as_str());
                    if !is_item
                        && before != "."
                        && self.functions.contains(&name)
                        && (is_bound || is_variable(tokens.peek(), within))
                    {
                        self.clashes.insert(name.clone());
                    }
                    invoked.clone_from(&name);
                    name
                }
                TokenTree::Group(group) => {
                    match within.is_none() && invoked == "domain" {
                        true => self.define_all(group.stream()),
                        false => self.look(group.stream(), Some(group.delimiter())),
                    }
                    String::new()
                }
                TokenTree::Punct(punct) => punct.as_char().to_string(),
                TokenTree::Literal(_) => String::new(),
            };
        }
    }
}

/// Whether a name before this token is that of a variable: it is neither called nor a field that gets a value.
fn is_variable(next: Option<&TokenTree>, within: Option<Delimiter>) -> bool {
    match next {
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
        Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => {
            punct.spacing() == Spacing::Alone && within != Some(Delimiter::Brace)
        }
        // The generic parameters of a definition or call.
        Some(TokenTree::Punct(punct)) if punct.as_char() == '<' => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use quote::{format_ident, quote};

    use super::*;

    #[test]
    fn items_and_variables_clash_with_functions() {
        let functions = ["found", "field", "called", "given", "closed", "typed"];
        let functions = functions.map(|name| format_ident!("{name}"));
        let code = quote! {
            struct State { field: u8 }
            fn found() -> u8 { 1 }
            fn called<E>(given: u8) -> u8 { given }
            fn field(s: &State) -> State { State { field: called::<u8>(s.field) } }
            impl State { fn field(&self) -> u8 { self.field } }
            fn ask() { let found = found(); (0..3).map(|closed| closed + 1); }
            fn bind() { let mut typed: u8 = 1; }
            static ask: u8 = 0;
        };
        let found = clashes(&code, &functions);
        let expected = ["ask", "closed", "found", "given", "typed"];
        assert_eq!(found, SortedSet::from(expected.map(String::from)));
    }
}
