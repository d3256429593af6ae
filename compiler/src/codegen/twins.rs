//! Private items that are the same but for their names: one of them stands for all in the text of a game.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, File, ImplItem, Item, Visibility};

/// The name by which an item calls itself where items are compared.
const OWN_NAME: &str = "own_name";

/// New names by old ones.
type Names = BTreeMap<String, String>;

/// The file with one item for all private functions, methods and tables that differ in name and documentation alone; its
/// documentation is that of all.
pub(super) fn without_twins(mut file: File) -> File {
    loop {
        let tokens = file.to_token_stream();
        let mut twins = Twins::default();
        twins.note_uses(tokens);
        twins.items(&mut file.items);
        if twins.renamed.is_empty() {
            return file;
        }
        match syn::parse2(with_names(file.to_token_stream(), &twins.renamed)) {
            Ok(merged) => file = merged,
            Err(_) => return file,
        }
    }
}

/// How a name is used wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// By itself.
    Item,
    /// Behind a dot, or where a method is defined.
    Method,
    /// In both ways, or as a part of something.
    Other,
}

#[derive(Default)]
struct Twins {
    uses: BTreeMap<String, Use>,
    /// The names of functions and methods so far.
    defined: BTreeSet<String>,
    renamed: Names,
}

impl Twins {
    /// Notes how names are used.
    fn note_uses(&mut self, tokens: TokenStream) {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let is_sign = |at: Option<usize>, sign: char| {
            let token = at.and_then(|at| all.get(at));
            matches!(token, Some(TokenTree::Punct(other)) if other.as_char() == sign)
        };
        for (at, token) in all.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.note_uses(group.stream()),
                TokenTree::Ident(name) => {
                    let before = at.checked_sub(1);
                    let is_path = is_sign(Some(at + 1), ':') && is_sign(Some(at + 2), ':');
                    let defined = before.and_then(|before| all.get(before));
                    let defined = matches!(defined, Some(TokenTree::Ident(word)) if word == "fn");
                    let of_path = is_sign(before, ':') && is_sign(at.checked_sub(2), ':');
                    let names_field =
                        is_sign(Some(at + 1), ':') && !is_path && !is_static(&all, at);
                    let is_part = of_path || names_field;
                    let found = if is_sign(before, '.') {
                        Use::Method
                    } else if is_part {
                        Use::Other
                    } else if defined && self.defined.insert(name.to_string()) {
                        // A method or a function: its uses tell.
                        continue;
                    } else if defined {
                        Use::Other
                    } else {
                        Use::Item
                    };
                    let known = self.uses.entry(name.to_string()).or_insert(found);
                    if *known != found {
                        *known = Use::Other;
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        self.merge(items, Use::Item, |item| match item {
            Item::Fn(item) => Some((&item.vis, &mut item.sig.ident, &mut item.attrs)),
            Item::Static(item) => Some((&item.vis, &mut item.ident, &mut item.attrs)),
            _ => None,
        });
        for item in items {
            if let Item::Impl(block) = item
                && block.trait_.is_none()
            {
                self.merge(&mut block.items, Use::Method, |item| match item {
                    ImplItem::Fn(item) => Some((&item.vis, &mut item.sig.ident, &mut item.attrs)),
                    _ => None,
                });
            }
        }
    }

    /// Leaves the first of the items that are the same.
    fn merge<T: Clone + ToTokens>(
        &mut self,
        items: &mut Vec<T>,
        wanted: Use,
        parts: impl Fn(&mut T) -> Option<(&Visibility, &mut Ident, &mut Vec<Attribute>)>,
    ) {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        let mut left: Vec<T> = Vec::with_capacity(items.len());
        for mut item in items.drain(..) {
            let mut bare = item.clone();
            let Some((Visibility::Inherited, name, attrs)) = parts(&mut bare) else {
                left.push(item);
                continue;
            };
            let own = name.to_string();
            attrs.retain(|attr| !attr.path().is_ident("doc"));
            if self.uses.get(&own) != Some(&wanted) {
                left.push(item);
                continue;
            }
            let bare = with_names(
                bare.to_token_stream(),
                &Names::from([(own.clone(), String::from(OWN_NAME))]),
            );
            match first.entry(bare.to_string()) {
                Entry::Vacant(place) => {
                    place.insert(left.len());
                    left.push(item);
                }
                Entry::Occupied(place) => {
                    let (Some((_, name, docs)), Some((_, _, more))) =
                        (parts(&mut left[*place.get()]), parts(&mut item))
                    else {
                        continue;
                    };
                    let text = |attr: &Attribute| attr.to_token_stream().to_string();
                    let is_new = |attr: &&Attribute| {
                        attr.path().is_ident("doc")
                            && docs.iter().all(|doc| text(doc) != text(attr))
                    };
                    let more: Vec<Attribute> = more.iter().filter(is_new).cloned().collect();
                    docs.splice(0..0, more);
                    self.renamed.insert(own, name.to_string());
                }
            }
        }
        *items = left;
    }
}

/// Whether the name at a place is that of a table that is defined there.
fn is_static(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    matches!(before, Some(TokenTree::Ident(word)) if word == "static")
}

/// Code with other names.
fn with_names(tokens: TokenStream, names: &Names) -> TokenStream {
    let renamed = |token: TokenTree| match token {
        TokenTree::Ident(name) => match names.get(&name.to_string()) {
            Some(new) => TokenTree::Ident(Ident::new(new, name.span())),
            None => TokenTree::Ident(name),
        },
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), with_names(group.stream(), names));
            new.set_span(group.span());
            TokenTree::Group(new)
        }
        other => other,
    };
    tokens.into_iter().map(renamed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(file: File) -> String {
        file.to_token_stream().to_string()
    }

    #[test]
    fn items_that_differ_in_name_alone_are_one() {
        let file: File = syn::parse_quote! {
            /// For steps.
            static A: [u8; 2] = [1, 2];
            /// For jumps.
            static B: [u8; 2] = [1, 2];
            fn first(s: &State) -> u8 { s.left() + at(&A) }
            fn second(s: &State) -> u8 { s.right() + at(&B) }
            pub fn both(s: &State) -> u8 { first(s) + second(s) }
            impl State { fn left(&self) -> u8 { 1 } fn right(&self) -> u8 { 1 } }
        };
        let merged: File = syn::parse_quote! {
            /// For jumps.
            /// For steps.
            static A: [u8; 2] = [1, 2];
            fn first(s: &State) -> u8 { s.left() + at(&A) }
            pub fn both(s: &State) -> u8 { first(s) + first(s) }
            impl State { fn left(&self) -> u8 { 1 } }
        };
        assert_eq!(text(without_twins(file)), text(merged));
    }

    #[test]
    fn names_that_mean_something_else_too_stay() {
        let file: File = syn::parse_quote! {
            fn score() -> u8 { 1 }
            fn other() -> u8 { 1 }
            struct State { other: u8 }
            pub static SHOWN: u8 = 1;
            static HIDDEN: u8 = 1;
            pub fn both(s: &State) -> u8 { score() + other() + s.other + HIDDEN }
        };
        assert_eq!(text(without_twins(file.clone())), text(file));
    }
}
