//! Private items that are the same but for their names: one of them stands for all in the text of a game.

use rulec_ir::sorted::SortedMap;

use super::items::{Bracket, Code, Item, Kind, Token};

/// New names by old ones.
type Names = SortedMap<u32, u32>;

/// Leaves one item of all private functions, methods and tables that differ in name and documentation alone; its documentation is
/// that of all.
pub(super) fn merge_twins(code: &mut Code) {
    loop {
        let uses = Uses::of(code);
        let mut twins = Twins {
            doc: code.words.number("doc"),
            uses,
            renamed: Names::new(),
        };
        twins.merge(&mut code.items, &[Kind::Fn, Kind::Static], Use::Item);
        for block in &mut code.items {
            twins.merge(&mut block.items, &[Kind::Fn], Use::Method);
        }
        if twins.renamed.is_empty() {
            return;
        }
        let new = |name: u32| twins.renamed.get(&name).copied().unwrap_or(name);
        code.items.iter_mut().for_each(|item| item.rename(&new));
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

/// How names are used, by their numbers.
struct Uses {
    of_names: Vec<Option<Use>>,
    /// Which are those of functions and methods so far.
    defined: Vec<bool>,
}

impl Uses {
    fn of(code: &Code) -> Uses {
        let names = code.words.len();
        let mut uses = Uses {
            of_names: vec![None; names],
            defined: vec![false; names],
        };
        let mut all = Vec::new();
        code.each(&mut |token| all.push(token));
        let (is_fn, is_static) = (code.words.number("fn"), code.words.number("static"));
        let word = |token: Option<Token>| match token {
            Some(Token::Name(word)) => Some(word),
            _ => None,
        };
        for (at, token) in all.iter().enumerate() {
            let Token::Name(name) = *token else { continue };
            let before = at.checked_sub(1).map(|before| all[before]);
            let defined = word(before).is_some() && word(before) == is_fn;
            let is_static = word(before).is_some() && word(before) == is_static;
            uses.note(name, defined, Place { all: &all, at }.of(is_static));
        }
        uses
    }

    fn note(&mut self, name: u32, defined: bool, place: Use) {
        let at = name as usize;
        let found = match (place, defined) {
            // A method or a function: its uses tell.
            (Use::Item, true) if !std::mem::replace(&mut self.defined[at], true) => return,
            (Use::Item, true) => Use::Other,
            (place, _) => place,
        };
        let known = self.of_names[at].get_or_insert(found);
        if *known != found {
            *known = Use::Other;
        }
    }
}

/// Where a name stands.
struct Place<'a> {
    all: &'a [Token],
    at: usize,
}

impl Place<'_> {
    fn of(&self, is_static: bool) -> Use {
        let before = |by: usize| self.at.checked_sub(by);
        let is_path = self.is_sign(Some(self.at + 1), ':') && self.is_sign(Some(self.at + 2), ':');
        let of_path = self.is_sign(before(1), ':') && self.is_sign(before(2), ':');
        let names_field = self.is_sign(Some(self.at + 1), ':') && !is_path && !is_static;
        match () {
            () if self.is_sign(before(1), '.') => Use::Method,
            () if of_path || names_field => Use::Other,
            () => Use::Item,
        }
    }

    fn is_sign(&self, at: Option<usize>, sign: char) -> bool {
        let token = at.and_then(|at| self.all.get(at));
        matches!(token, Some(Token::Sign(other, _)) if *other == sign)
    }
}

struct Twins {
    /// The number of the word `doc`.
    doc: Option<u32>,
    uses: Uses,
    renamed: Names,
}

impl Twins {
    /// Leaves the first of the items that are the same.
    fn merge(&mut self, items: &mut Vec<Item>, kinds: &[Kind], wanted: Use) {
        let mut first: SortedMap<Vec<Token>, usize> = SortedMap::new();
        let mut left: Vec<Item> = Vec::with_capacity(items.len());
        for item in items.drain(..) {
            let own = item
                .name
                .filter(|_| item.is_private && kinds.contains(&item.kind));
            let own = own.filter(|own| self.uses.of_names[*own as usize] == Some(wanted));
            let Some(own) = own else {
                left.push(item);
                continue;
            };
            let place = *first.entry(self.compared(&item, own)).or_insert(left.len());
            match left.get_mut(place) {
                None => left.push(item),
                Some(twin) => {
                    self.renamed.extend(twin.name.map(|name| (own, name)));
                    self.add_docs(twin, &item);
                }
            }
        }
        *items = left;
    }

    /// An item without its documentation and own name.
    fn compared(&self, item: &Item, own: u32) -> Vec<Token> {
        let attrs = item.attributes().into_iter();
        let attrs = attrs.filter(|attr| !self.is_doc(attr)).flatten();
        let nameless = |token: &Token| match *token {
            Token::Name(name) if name == own => Token::Open(Bracket::None),
            token => token,
        };
        attrs.chain(item.bare()).map(nameless).collect()
    }

    fn is_doc(&self, attr: &[Token]) -> bool {
        matches!(attr.get(2), Some(Token::Name(word)) if Some(*word) == self.doc)
    }

    /// Puts what is told of an item in front of what is told of its twin, where it is new.
    fn add_docs(&self, twin: &mut Item, item: &Item) {
        let known = twin.attributes();
        let more = item.attributes().into_iter();
        let more = more.filter(|attr| self.is_doc(attr) && !known.contains(attr));
        let all: Vec<Vec<Token>> = more
            .chain(known.iter().copied())
            .map(<[Token]>::to_vec)
            .collect();
        twin.set_attributes(&all);
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use super::*;

    fn merged(tokens: TokenStream) -> String {
        let mut code = Code::of(tokens);
        merge_twins(&mut code);
        code.tokens().to_string()
    }

    #[test]
    fn items_that_differ_in_name_alone_are_one() {
        let file = quote! {
            /// For steps.
            static A: [u8; 2] = [1, 2];
            /// For jumps.
            static B: [u8; 2] = [1, 2];
            fn first(s: &State) -> u8 { s.left() + at(&A) }
            fn second(s: &State) -> u8 { s.right() + at(&B) }
            pub fn both(s: &State) -> u8 { first(s) + second(s) }
            impl State { fn left(&self) -> u8 { 1 } fn right(&self) -> u8 { 1 } }
        };
        let wanted = quote! {
            /// For jumps.
            /// For steps.
            static A: [u8; 2] = [1, 2];
            fn first(s: &State) -> u8 { s.left() + at(&A) }
            pub fn both(s: &State) -> u8 { first(s) + first(s) }
            impl State { fn left(&self) -> u8 { 1 } }
        };
        assert_eq!(merged(file), wanted.to_string());
    }

    #[test]
    fn names_that_mean_something_else_too_stay() {
        let file = quote! {
            fn score() -> u8 { 1 }
            fn other() -> u8 { 1 }
            struct State { other: u8 }
            pub static SHOWN: u8 = 1;
            static HIDDEN: u8 = 1;
            pub fn both(s: &State) -> u8 { score() + other() + s.other + HIDDEN }
        };
        assert_eq!(merged(file.clone()), file.to_string());
    }
}
