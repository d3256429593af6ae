//! The parsers in the sources are those that pest makes from the grammars beside them.
//!
//! They are kept in the sources because deriving them would make everybody who uses the macro build the generator of parsers.

use std::path::Path;

use expect_test::expect_file;
use quote::quote;

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
        let parsed = syn::parse2(quote! {
            /// Entry to the rules of the grammar.
            pub(super) struct #name;
            #derived
        });
        let code = prettyplease::unparse(&parsed.expect("pest makes Rust"));
        let code = code.replace("pub enum Rule", "pub(super) enum Rule");
        let head = format!(
            "//! The parser that pest makes from `{file}`.\n//!\n\
             //! Change the grammar instead of this file: `UPDATE_EXPECT=1 cargo test -p rulec-grammars` writes it anew.\n\n\
             #![allow(clippy::all, dead_code, missing_docs, unreachable_pub, reason = \"generated\")]\n\n"
        );
        expect_file![compiler.join(parser)].assert_eq(&(head + &code));
    }
}
