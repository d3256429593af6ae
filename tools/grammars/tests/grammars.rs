//! The parsers in the sources are those that pest makes from the grammars beside them.
//!
//! They are kept in the sources because deriving them would make everybody who uses the macro build the generator of parsers.

use std::path::Path;

use expect_test::expect_file;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{TokenStreamExt, quote};

/// Grammar, parser, and the name of the type that parses.
const GRAMMARS: &[(&str, &str, &str)] = &[
    ("ir/src/json/json.pest", "ir/src/json/grammar.rs", "Grammar"),
    (
        "lang/s3/src/grammar.pest",
        "lang/s3/src/grammar.rs",
        "Grammar",
    ),
    (
        "lang/bgc/src/script.pest",
        "lang/bgc/src/grammar.rs",
        "ScriptGrammar",
    ),
];

#[test]
fn the_parsers_are_those_of_the_grammars() {
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../compiler");
    for (grammar, parser, name) in GRAMMARS {
        let text = std::fs::read_to_string(compiler.join(grammar)).expect("the grammar is there");
        let file = grammar.rsplit('/').next().unwrap_or_default();
        let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
        let derived = pest_generator::derive_parser(
            quote! {
                #[grammar_inline = #text]
                pub(super) struct #name;
            },
            false,
        );
        let derived = by_pointers(derived);
        let parsed = syn::parse2(quote! {
            /// Entry to the rules of the grammar.
            pub(super) struct #name;

            type State<'i> = ::std::boxed::Box<::pest::ParserState<'i, Rule>>;
            type Step<'i> = fn(State<'i>) -> ::pest::ParseResult<State<'i>>;

            /// A step as a pointer: what is done with steps is compiled once, and not for each of them.
            fn step<'i>(step: Step<'i>) -> Step<'i> {
                step
            }
            #derived
        });
        let code = prettyplease::unparse(&parsed.expect("pest makes Rust"));
        let code = code
            .replace("pub enum Rule", "pub(super) enum Rule")
            .replace("use super::super::Rule;", "use super::super::{Rule, step};");
        let head = format!(
            "//! The parser that pest makes from `{file}`.\n//!\n\
             //! Change the grammar instead of this file: `UPDATE_EXPECT=1 cargo test -p rulec-grammars` writes it anew.\n\n\
             #![allow(clippy::all, dead_code, missing_docs, unreachable_pub, unused_imports, reason = \"generated\")]\n\n"
        );
        expect_file![compiler.join(parser)].assert_eq(&(head + &code));
    }
}

/// The same code, in which closures of a state are pointers to functions. They capture nothing, but for the one that begins with a rule.
fn by_pointers(code: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = code.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let inner = by_pointers(group.stream());
                out.append(Group::new(group.delimiter(), inner));
            }
            // The last argument of a call.
            TokenTree::Punct(bar)
                if bar.as_char() == '|'
                    && matches!(tokens.peek(), Some(TokenTree::Ident(name)) if name == "state") =>
            {
                let body: TokenStream = tokens.by_ref().skip(2).collect();
                out.extend(match rule_of(&body) {
                    _ if body.to_string().contains("match rule") => quote!(|state| #body),
                    Some(rule) => quote!(step(#rule)),
                    None => {
                        let body = by_pointers(body);
                        quote!(step(|state| #body))
                    }
                });
            }
            other => out.append(other),
        }
    }
    out
}

/// The function that a body calls with the state, if that is all it does.
fn rule_of(body: &TokenStream) -> Option<TokenStream> {
    let mut tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    if let [TokenTree::Group(group)] = &tokens[..] {
        return rule_of(&group.stream());
    }
    let last = tokens.pop()?;
    let is_path = tokens.iter().all(|token| match token {
        TokenTree::Ident(name) => name != "state",
        TokenTree::Punct(mark) => mark.as_char() == ':',
        _ => false,
    });
    let called = matches!(&last, TokenTree::Group(group) if group.stream().to_string() == "state");
    (is_path && called && !tokens.is_empty()).then(|| tokens.into_iter().collect())
}
