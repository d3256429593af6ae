//! The code of a game as items of flat tokens with numbers for words: names are counted, compared and exchanged in it without trees.

use indexmap::IndexMap;
use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

/// A token; a group is what stands between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Token {
    /// A name or a word of the language, by its number among [`Words`].
    Name(u32),
    /// A literal, by its number among [`Words`].
    Literal(u32),
    /// A sign, and whether it belongs to the next one.
    Sign(char, bool),
    Open(Bracket),
    Close(Bracket),
}

/// What stands around a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bracket {
    Round,
    Curly,
    Square,
    None,
}

/// Names and literals by number.
#[derive(Default)]
pub(super) struct Words(IndexMap<String, TokenTree>);

impl Words {
    /// The number of a word, if it occurs.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.0.get_index_of(word).map(|at| at as u32)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn is(&self, token: Option<&Token>, word: &str) -> bool {
        matches!(token, Some(Token::Name(name)) if self.number(word) == Some(*name))
    }

    fn add(&mut self, token: TokenTree) -> u32 {
        let place = self.0.entry(token.to_string());
        let at = place.index();
        place.or_insert(token);
        at as u32
    }

    fn token(&self, number: u32) -> TokenTree {
        self.0[number as usize].clone()
    }
}

/// What an item is, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Fn,
    Static,
    Const,
    Struct,
    /// Methods and constants of a struct, which are items of their own.
    Methods,
    Other,
}

/// An item, or one of those of a block of methods.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) is_private: bool,
    /// What it defines, or for which struct it implements something.
    pub(super) name: Option<u32>,
    /// How many of the first tokens are attributes.
    attrs: usize,
    /// All of it, or what stands before the items in it.
    tokens: Vec<Token>,
    pub(super) items: Vec<Item>,
}

impl Item {
    /// Calls `f` on every token in order.
    pub(super) fn each(&self, f: &mut dyn FnMut(Token)) {
        self.tokens.iter().for_each(|token| f(*token));
        self.items.iter().for_each(|item| item.each(f));
        if self.kind == Kind::Methods {
            f(Token::Close(Bracket::Curly));
        }
    }

    /// Changes names.
    pub(super) fn rename(&mut self, f: &dyn Fn(u32) -> u32) {
        for token in &mut self.tokens {
            if let Token::Name(name) = token {
                *name = f(*name);
            }
        }
        self.name = self.name.map(f);
        self.items.iter_mut().for_each(|item| item.rename(f));
    }

    /// The attributes in front, each with its signs.
    pub(super) fn attributes(&self) -> Vec<&[Token]> {
        let mut all = Vec::new();
        let mut rest = &self.tokens[..self.attrs];
        while rest.len() > 1 {
            let (own, behind) = rest.split_at(1 + group_len(&rest[1..]));
            all.push(own);
            rest = behind;
        }
        all
    }

    /// Puts other attributes in front.
    pub(super) fn set_attributes(&mut self, attrs: &[Vec<Token>]) {
        let attrs = attrs.concat();
        let old = std::mem::replace(&mut self.attrs, attrs.len());
        self.tokens.splice(..old, attrs);
    }

    /// What stands behind the attributes.
    pub(super) fn bare(&self) -> &[Token] {
        &self.tokens[self.attrs..]
    }
}

/// The items of a game.
pub(super) struct Code {
    pub(super) words: Words,
    pub(super) items: Vec<Item>,
}

impl Code {
    pub(super) fn of(tokens: TokenStream) -> Code {
        let mut words = Words::default();
        let mut flat = Vec::new();
        flatten(tokens, &mut words, &mut flat);
        let items = Splitter { words: &words }.items(&flat);
        Code { words, items }
    }

    pub(super) fn tokens(&self) -> TokenStream {
        let mut open: Vec<(Bracket, Vec<TokenTree>)> = vec![(Bracket::None, Vec::new())];
        let mut add = |token: Token| {
            let done = match token {
                Token::Open(bracket) => return open.push((bracket, Vec::new())),
                Token::Name(word) | Token::Literal(word) => self.words.token(word),
                Token::Sign(sign, joint) => TokenTree::Punct(Punct::new(
                    sign,
                    match joint {
                        true => Spacing::Joint,
                        false => Spacing::Alone,
                    },
                )),
                Token::Close(_) => {
                    let (bracket, inner) = open.pop().unwrap_or((Bracket::None, Vec::new()));
                    let inner = inner.into_iter().collect();
                    TokenTree::Group(Group::new(bracket.delimiter(), inner))
                }
            };
            if let Some((_, own)) = open.last_mut() {
                own.push(done);
            }
        };
        self.items.iter().for_each(|item| item.each(&mut add));
        open.into_iter().flat_map(|(_, own)| own).collect()
    }

    /// Calls `f` on every token in order.
    pub(super) fn each(&self, f: &mut dyn FnMut(Token)) {
        self.items.iter().for_each(|item| item.each(f));
    }
}

impl Bracket {
    fn of(delimiter: Delimiter) -> Bracket {
        match delimiter {
            Delimiter::Parenthesis => Bracket::Round,
            Delimiter::Brace => Bracket::Curly,
            Delimiter::Bracket => Bracket::Square,
            Delimiter::None => Bracket::None,
        }
    }

    fn delimiter(self) -> Delimiter {
        match self {
            Bracket::Round => Delimiter::Parenthesis,
            Bracket::Curly => Delimiter::Brace,
            Bracket::Square => Delimiter::Bracket,
            Bracket::None => Delimiter::None,
        }
    }
}

fn flatten(tokens: TokenStream, words: &mut Words, flat: &mut Vec<Token>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let bracket = Bracket::of(group.delimiter());
                flat.push(Token::Open(bracket));
                flatten(group.stream(), words, flat);
                flat.push(Token::Close(bracket));
            }
            TokenTree::Ident(_) => flat.push(Token::Name(words.add(token))),
            TokenTree::Literal(_) => flat.push(Token::Literal(words.add(token))),
            TokenTree::Punct(sign) => {
                let joint = sign.spacing() == Spacing::Joint;
                flat.push(Token::Sign(sign.as_char(), joint));
            }
        }
    }
}

/// How many tokens the first one is with all that stands in it.
fn group_len(tokens: &[Token]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

fn is_sign(token: Option<&Token>, sign: char) -> bool {
    matches!(token, Some(Token::Sign(other, _)) if *other == sign)
}

/// Finds items.
struct Splitter<'a> {
    words: &'a Words,
}

impl Splitter<'_> {
    fn items(&self, mut tokens: &[Token]) -> Vec<Item> {
        let mut all = Vec::new();
        while !tokens.is_empty() {
            let (item, len) = self.item(tokens);
            all.push(item);
            tokens = &tokens[len..];
        }
        all
    }

    /// The first of some items, and its length.
    fn item(&self, tokens: &[Token]) -> (Item, usize) {
        let mut at = 0;
        while is_sign(tokens.get(at), '#') && !is_sign(tokens.get(at + 1), '!') {
            at += 1 + group_len(&tokens[at + 1..]);
        }
        let attrs = at;
        let is_private = !self.words.is(tokens.get(at), "pub");
        if !is_private {
            at += 1;
            if tokens.get(at) == Some(&Token::Open(Bracket::Round)) {
                at += group_len(&tokens[at..]);
            }
        }
        let kind = self.kind(&tokens[at..]);
        let is_of_file = is_sign(tokens.get(at), '#');
        let len = match is_of_file {
            true => at + 2 + group_len(&tokens[at + 2..]),
            false => at + self.len(&tokens[at..], kind),
        };
        let own = &tokens[..len];
        let head = &own[at..];
        let (name, body) = match kind {
            Some(Kind::Methods) => self.subject(head),
            Some(kind) => (self.defined(head, kind), None),
            None => (None, None),
        };
        let item = Item {
            kind: match (kind, body) {
                (Some(Kind::Methods), None) | (None, _) => Kind::Other,
                (Some(kind), _) => kind,
            },
            is_private,
            name,
            attrs,
            tokens: own[..body.map_or(len, |body| at + body + 1)].to_vec(),
            items: body.map_or_else(Vec::new, |body| self.items(&own[at + body + 1..len - 1])),
        };
        (item, len)
    }

    /// What begins behind a visibility.
    fn kind(&self, tokens: &[Token]) -> Option<Kind> {
        let is = |at: usize, word: &str| self.words.is(tokens.get(at), word);
        match () {
            () if is(0, "fn") || is(0, "const") && is(1, "fn") => Some(Kind::Fn),
            () if is(0, "static") => Some(Kind::Static),
            () if is(0, "const") => Some(Kind::Const),
            () if is(0, "struct") => Some(Kind::Struct),
            () if is(0, "impl") => Some(Kind::Methods),
            () => None,
        }
    }

    /// Where an item ends: at a block, or at a semicolon.
    fn len(&self, tokens: &[Token], kind: Option<Kind>) -> usize {
        let is_value = matches!(kind, Some(Kind::Static | Kind::Const));
        let by_semicolon = is_value
            || self.words.is(tokens.first(), "use")
            || self.words.is(tokens.first(), "type");
        let mut at = 0;
        while at < tokens.len() {
            let len = group_len(&tokens[at..]);
            let is_argument = at > 0 && is_sign(tokens.get(at - 1), '<');
            let is_block = tokens[at] == Token::Open(Bracket::Curly) && !is_argument;
            at += len;
            if is_sign(tokens.get(at - 1), ';') || is_block && !by_semicolon {
                return at;
            }
        }
        at
    }

    /// The name that stands behind the words of an item.
    fn defined(&self, head: &[Token], kind: Kind) -> Option<u32> {
        let word = match kind {
            Kind::Fn => "fn",
            Kind::Static => "static",
            Kind::Const => "const",
            _ => "struct",
        };
        let at = head
            .iter()
            .position(|token| self.words.is(Some(token), word))?;
        match head.get(at + 1) {
            Some(Token::Name(name)) => Some(*name),
            _ => None,
        }
    }

    /// The struct for which a block implements something, and where the block begins if it is no trait.
    fn subject(&self, head: &[Token]) -> (Option<u32>, Option<usize>) {
        let (mut depth, mut name, mut is_trait) = (0_usize, None, false);
        let mut at = 1;
        while at < head.len() && head[at] != Token::Open(Bracket::Curly) {
            match head[at] {
                Token::Sign('<', _) => depth += 1,
                Token::Sign('>', _) if !is_sign(head.get(at - 1), '-') => {
                    depth = depth.saturating_sub(1);
                }
                Token::Name(_) if depth == 0 && self.words.is(head.get(at), "for") => {
                    (is_trait, name) = (true, None);
                }
                Token::Name(own) if depth == 0 => name = Some(own),
                _ => {}
            }
            at += group_len(&head[at..]);
        }
        (name, (!is_trait && at < head.len()).then_some(at))
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn items_begin_and_end_where_rust_says_so() {
        let code = quote! {
            #![forbid(unsafe_code)]
            #[doc = "Told."]
            #[derive(Clone)]
            pub(crate) struct Pair(u8, u8);
            struct Set<const N: usize> { words: [u64; N] }
            static WHOLE: Set<{ 1 + 1 }> = Set { words: [1; 2] };
            const fn first(pair: &Pair) -> u8 { pair.0 }
            const LAST: u8 = { 3 };
            use a::{b, c};
            impl<'a, F: Fn(&'a u8) -> u8> Into<u8> for Held<'a, F> { fn into(self) -> u8 { 1 } }
            impl<const N: usize> a::Set<N> { const LEN: usize = N; pub fn len(&self) -> usize { N } }
            declare! { x }
            fn wide() -> Set<{ 2 }> { Set::new() }
        };
        let items = Code::of(code.clone());
        assert_eq!(items.tokens().to_string(), code.to_string());
        let told = |item: &Item| {
            let name = item.name.map(|name| items.words.token(name).to_string());
            let name = name.unwrap_or_default();
            (item.kind, item.is_private, name, item.attributes().len())
        };
        let found: Vec<_> = items.items.iter().map(told).collect();
        let wanted = [
            (Kind::Other, true, "", 0),
            (Kind::Struct, false, "Pair", 2),
            (Kind::Struct, true, "Set", 0),
            (Kind::Static, true, "WHOLE", 0),
            (Kind::Fn, true, "first", 0),
            (Kind::Const, true, "LAST", 0),
            (Kind::Other, true, "", 0),
            (Kind::Other, true, "Held", 0),
            (Kind::Methods, true, "Set", 0),
            (Kind::Other, true, "", 0),
            (Kind::Fn, true, "wide", 0),
        ];
        assert_eq!(found, wanted.map(|(a, b, c, d)| (a, b, c.to_owned(), d)));
        let methods: Vec<_> = items.items[8].items.iter().map(told).collect();
        let wanted = [(Kind::Const, true, "LEN", 0), (Kind::Fn, false, "len", 0)];
        assert_eq!(methods, wanted.map(|(a, b, c, d)| (a, b, c.to_owned(), d)));
    }
}
