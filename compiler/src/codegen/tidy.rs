//! Code without brackets that mean nothing.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Words before a parenthesis that call nothing.
const NO_CALLS: &[&str] = &["in", "return", "if", "match", "else", "while", "let", "mut"];

/// The same code without parentheses around paths, fields, literals and calls, and without blocks that bind nothing.
pub(super) fn tidied(tokens: TokenStream) -> TokenStream {
    tidied_in(tokens, false)
}

/// The same for the tokens of a block, or for others.
fn tidied_in(tokens: TokenStream, in_block: bool) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::with_capacity(all.len());
    let mut starts_statement = in_block;
    for (at, token) in all.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            out.push(token.clone());
            starts_statement =
                in_block && matches!(token, TokenTree::Punct(sign) if sign.as_char() == ';');
            continue;
        };
        let is_block = group.delimiter() == Delimiter::Brace;
        let stream = tidied_in(group.stream(), is_block);
        if is_block && starts_statement && binds_nothing(&stream, at + 1 == all.len()) {
            out.extend(stream);
            continue;
        }
        starts_statement &= is_block;
        let before = at.checked_sub(1).map(|at| &all[at]);
        if group.delimiter() == Delimiter::Parenthesis
            && starts_operand(before)
            && is_simple(&stream, all.get(at + 1))
        {
            out.extend(stream);
            continue;
        }
        let stream = match group.delimiter() {
            Delimiter::Brace => only_block(&stream).unwrap_or(stream),
            _ => stream,
        };
        let mut new = Group::new(group.delimiter(), stream);
        new.set_span(group.span());
        out.push(TokenTree::Group(new));
    }
    out.into_iter().collect()
}

/// Whether a block of these statements may as well stand without its braces; the last one of a block may have a value.
fn binds_nothing(tokens: &TokenStream, is_last: bool) -> bool {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let binds = |token: &TokenTree| match token {
        TokenTree::Ident(word) => {
            ["let", "static", "const", "fn", "use"].contains(&word.to_string().as_str())
        }
        _ => false,
    };
    let ends = match all.last() {
        Some(TokenTree::Punct(sign)) => sign.as_char() == ';',
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    !all.iter().any(binds) && (ends || is_last && !all.is_empty())
}

/// Whether a parenthesis after this token is around an operand.
fn starts_operand(before: Option<&TokenTree>) -> bool {
    match before {
        None => true,
        Some(TokenTree::Ident(word)) => NO_CALLS.contains(&word.to_string().as_str()),
        Some(TokenTree::Punct(punct)) => "=&|+-*;,".contains(punct.as_char()),
        Some(_) => false,
    }
}

/// Whether tokens are a literal, or a path with fields, indexes and calls after it.
fn is_simple(tokens: &TokenStream, next: Option<&TokenTree>) -> bool {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let called = matches!(next, Some(TokenTree::Group(_)));
    let dotted = matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == '.');
    let plain = |at: usize| match &all[at] {
        TokenTree::Ident(word) => !is_keyword(&word.to_string()),
        TokenTree::Punct(punct) => ".:".contains(punct.as_char()),
        TokenTree::Literal(_) => at > 0 || all.len() == 1,
        TokenTree::Group(group) => at > 0 && group.delimiter() != Delimiter::Brace,
    };
    let starts = match all.first() {
        Some(TokenTree::Ident(_)) => true,
        Some(TokenTree::Literal(_)) => !dotted,
        _ => false,
    };
    let range = all.windows(2).any(|pair| {
        let dots = pair
            .iter()
            .filter(|token| matches!(token, TokenTree::Punct(dot) if dot.as_char() == '.'));
        dots.count() == 2
    });
    starts && !called && !range && (0..all.len()).all(plain)
}

fn is_keyword(word: &str) -> bool {
    [
        "as", "if", "match", "move", "return", "break", "mut", "ref", "dyn", "impl", "unsafe",
        "loop", "while", "for",
    ]
    .contains(&word)
}

/// What is in a block that is all there is.
fn only_block(tokens: &TokenStream) -> Option<TokenStream> {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Brace => {
            Some(group.stream())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn brackets_without_meaning_go() {
        let code = quote! {
            let a = (s.sets[0]) & !(b);
            for x in (s.all()).iter() { { f((x), (y,), (0).max(1), (1..2), (c)(d)); } }
            let _: (u8) = (-1) * (2);
            { let b = 1; f(b); }
            { for x in y { g(x); } }
            { h(); }
            { 1 }
        };
        let expected = quote! {
            let a = s.sets[0] & !(b);
            for x in s.all().iter() { f(x, (y,), (0).max(1), (1..2), (c)(d)); }
            let _: (u8) = (-1) * 2;
            { let b = 1; f(b); }
            for x in y { g(x); }
            h();
            1
        };
        assert_eq!(tidied_in(code, true).to_string(), expected.to_string());
    }
}
