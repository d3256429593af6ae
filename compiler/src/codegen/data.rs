//! Long lists of constants: in the text of a game each has one line, for nobody reads it, and what goes through the code of a game does
//! not go through them.

use std::fmt::Write as _;

use indexmap::IndexSet;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// Characters from which on a list has a line of its own.
const LONG: usize = 2000;
/// What stands for a list, before its number.
const NAME: &str = "__LIST_";

/// A list of constants as text, and the names of constants in it.
#[derive(PartialEq, Eq, Hash)]
struct List {
    text: String,
    names: Vec<String>,
}

/// The long lists of a game: equal ones are one.
#[derive(Default)]
pub(super) struct Data {
    lists: IndexSet<List>,
    /// Whether a name or a text of the game looks as if it stood for a list.
    unclear: bool,
}

impl Data {
    /// The lists of some code, and the code with a name for each long one; constants that it names are the arguments of a call of it.
    pub(super) fn of(tokens: TokenStream) -> (Data, TokenStream) {
        let mut data = Data::default();
        let code = data.taken_out(tokens.clone());
        match data.unclear {
            false => (data, code),
            true => (Data::default(), tokens),
        }
    }

    fn taken_out(&mut self, tokens: TokenStream) -> TokenStream {
        let mut free = true;
        let each = tokens.into_iter().map(|token| {
            // An attribute and what a macro is given are no lists.
            let was_free = std::mem::replace(&mut free, !is_one_of(&token, "#!"));
            let TokenTree::Group(group) = token else {
                self.unclear |=
                    !matches!(token, TokenTree::Punct(_)) && token.to_string().contains(NAME);
                return TokenStream::from(token);
            };
            let is_list = was_free && group.delimiter() == Delimiter::Bracket;
            if is_list && let Some(list) = List::of(&group) {
                return self.name_of(list);
            }
            let mut new = Group::new(group.delimiter(), self.taken_out(group.stream()));
            new.set_span(group.span());
            TokenStream::from(TokenTree::Group(new))
        });
        each.collect()
    }

    fn name_of(&mut self, list: List) -> TokenStream {
        let names: Vec<Ident> = list
            .names
            .iter()
            .map(|name| format_ident!("{name}"))
            .collect();
        let own = Ident::new(
            &format!("{NAME}{}", self.lists.insert_full(list).0),
            Span::call_site(),
        );
        match names.is_empty() {
            true => quote!(#own),
            false => quote!(#own(#(#names),*)),
        }
    }

    /// The text with the lists in it again.
    pub(super) fn put_back(&self, text: &str) -> String {
        let lists = self.lists.iter().map(|list| list.text.len());
        let mut out = String::with_capacity(text.len() + lists.sum::<usize>());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(NAME) {
            out.push_str(before);
            let digits = after.find(|c: char| !c.is_ascii_digit());
            let (digits, behind) = after.split_at(digits.unwrap_or(after.len()));
            let number = digits.parse().ok();
            let Some(list) = number.and_then(|number: usize| self.lists.get_index(number)) else {
                out.push_str(NAME);
                rest = after;
                continue;
            };
            let called = behind.trim_start().strip_prefix('(');
            let called = called.filter(|_| !list.names.is_empty());
            let arguments = called.and_then(|behind| behind.split_once(')'));
            rest = arguments.map_or(behind, |(_, behind)| behind);
            out.push_str(&list.text_with(arguments.map_or("", |(names, _)| names)));
        }
        out + rest
    }
}

fn is_one_of(token: &TokenTree, signs: &str) -> bool {
    matches!(token, TokenTree::Punct(sign) if signs.contains(sign.as_char()))
}

impl List {
    /// What stands in brackets, if it is a long list of constants.
    fn of(group: &Group) -> Option<List> {
        let mut list = List {
            text: String::new(),
            names: Vec::new(),
        };
        list.group(group)?;
        (list.text.len() >= LONG).then_some(list)
    }

    fn group(&mut self, group: &Group) -> Option<()> {
        let (open, close) = match group.delimiter() {
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::None => ("", ""),
            Delimiter::Brace => return None,
        };
        self.text.push_str(open);
        self.items(group.stream().into_iter().collect(), open == "(")?;
        self.text.push_str(close);
        Some(())
    }

    /// What stands in a list, or in parentheses: nothing but literals, lists, tuples and constants, perhaps those of the runtime.
    fn items(&mut self, all: Vec<TokenTree>, in_parentheses: bool) -> Option<()> {
        let is_path = |at: usize| {
            let signs = all.get(at..at + 2);
            signs.is_some_and(|signs| signs.iter().all(|sign| is_one_of(sign, ":")))
        };
        let mut commas = 0;
        for (at, token) in all.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.group(group)?,
                TokenTree::Literal(literal) => write!(self.text, "{literal}").ok()?,
                TokenTree::Punct(_) if is_one_of(token, ",") => {
                    commas += 1;
                    // A tuple of one needs its comma.
                    let last = at + 1 == all.len();
                    self.text.push_str(match last {
                        false => ", ",
                        true if in_parentheses && commas == 1 => ",",
                        true => "",
                    });
                }
                TokenTree::Punct(sign) if "-&:<>".contains(sign.as_char()) => {
                    self.text.push(sign.as_char());
                }
                TokenTree::Punct(_) => return None,
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    let within = at >= 2 && is_path(at - 2);
                    let known = within || is_path(at + 1) && word == "rt";
                    if !known && !["true", "false", "None", "Some"].contains(&word.as_str()) {
                        let is_constant = !word.contains(|c: char| c.is_ascii_lowercase());
                        if !is_constant || is_path(at + 1) {
                            return None;
                        }
                        if !self.names.contains(&word) {
                            self.names.push(word.clone());
                        }
                    }
                    self.text.push_str(&word);
                }
            }
        }
        Some(())
    }

    /// The text, where the constants in it have perhaps got other names.
    fn text_with(&self, names: &str) -> String {
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let changed = self.names.iter().zip(names).filter(|(old, new)| old != new);
        changed.fold(self.text.clone(), |text, (old, new)| {
            let mut out = String::with_capacity(text.len());
            for (at, part) in text.split(old.as_str()).enumerate() {
                if at > 0 {
                    let apart = !out.ends_with(is_word) && !part.starts_with(is_word);
                    out.push_str(if apart { new } else { old });
                }
                out.push_str(part);
            }
            out
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(tokens: TokenStream, rename: impl Fn(String) -> String) -> (String, String) {
        let (data, code) = Data::of(tokens);
        let code = code.to_string();
        (data.put_back(&rename(code.clone())), code)
    }

    fn same_tokens(a: &str, b: &TokenStream) -> bool {
        let tokens = |text: &str| -> TokenStream { text.parse().expect("tokens") };
        let plain = |tokens: TokenStream| tokens.to_string().replace([' ', '\n', ','], "");
        plain(tokens(a)) == plain(b.clone())
    }

    #[test]
    fn long_lists_of_constants_are_put_back_as_they_were() {
        let items = (0..600).map(|n: i32| match n % 4 {
            0 => quote!(rt::BitSet([#n, -1]), rt::BitSet::<1>::EMPTY),
            1 => quote!(&[(#n,), (1, 2,)]),
            2 => quote!(Some(NOTHING)),
            _ => quote!("a\"__LIST_0"),
        });
        let long = quote!(static A: [u8; 3] = [#(#items,)*]; fn f() -> [u8; 2] { [1, NOTHING] });
        let (text, code) = round_trip(long.clone(), |code| code);
        assert!(same_tokens(&text, &long));
        assert!(code.len() < 200);
    }

    #[test]
    fn constants_in_a_list_follow_their_names() {
        let long = |name: Ident| {
            let items = (0..900).map(|_| &name);
            quote!(static A: [u8; 900] = [#(#items),*, NONE_OTHER];)
        };
        let new = |code: String| code.replace("NONE ,", "EMPTY ,");
        let (text, _) = round_trip(long(format_ident!("NONE")), new);
        assert!(same_tokens(&text, &long(format_ident!("EMPTY"))));
    }

    #[test]
    fn texts_that_look_like_a_list_stay() {
        let items: Vec<u32> = (0..900).collect();
        let code = quote!(static A: [u32; 900] = [#(#items),*]; static B: &str = "__LIST_0";);
        let (text, left) = round_trip(code.clone(), |code| code);
        assert_eq!(text, left);
        assert!(same_tokens(&text, &code));
    }

    #[test]
    fn what_is_no_list_of_constants_stays() {
        let items: Vec<u32> = (0..900).collect();
        let code = quote!(#[a(#(#items),*)] fn f() { vec![#(#items),*]; g([#(#items + x),*]) });
        let (text, left) = round_trip(code.clone(), |code| code);
        assert_eq!(text, left);
        assert!(same_tokens(&text, &code));
    }
}
