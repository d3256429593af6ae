//! The macro `game!`: compiles rules in place, by the compiler that the command `rulec` uses.

use std::path::{Path, PathBuf};

use proc_macro::{Span, TokenStream};
use proc_macro2::TokenStream as TokenStream2;
use quote::quote;
use rulec_compiler::{Options, Passes, Without, codegen, compile_text};
use syn::parse::{Parse, ParseStream, Result};
use syn::{Error, Ident, LitStr, Token};

/// Compiles the rules of a game and expands to a module with `Game`, `State` and `Move`.
///
/// - `game!("frogs.s3")`: a file, relative to the file that calls the macro, in a module named after it
/// - `game! { s3 r#"..."# }`: the rules themselves after the name of their language, in the module `game`
/// - `game! { mod name = ... }`: either of them in a module of this name
/// - `game!("chess.json", without = "repetition")`: without rules that can be left out, `all` or their names
///
/// A change of the rule file compiles the caller again. Mistakes in the rules are shown with file, line and excerpt.
#[proc_macro]
pub fn game(input: TokenStream) -> TokenStream {
    let expanded = syn::parse(input).and_then(|request: Request| request.expand());
    expanded.unwrap_or_else(Error::into_compile_error).into()
}

struct Request {
    module: Option<String>,
    language: Option<String>,
    text: LitStr,
    without: Without,
}

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = || Ok::<_, Error>(input.parse::<Ident>()?.to_string());
        let module = match input.parse::<Option<Token![mod]>>()? {
            Some(_) => Some((name()?, input.parse::<Token![=]>()?).0),
            None => None,
        };
        let language = input.peek(Ident).then(name).transpose()?;
        let text = input.parse()?;
        let mut without = Without::Nothing;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let option = input.parse::<Ident>()?;
            if option != "without" {
                return Err(Error::new(option.span(), "the only option is `without`"));
            }
            input.parse::<Token![=]>()?;
            let names = input.parse::<LitStr>()?;
            without = names.value().parse().unwrap_or_default();
        }
        Ok(Self {
            module,
            language,
            text,
            without,
        })
    }
}

impl Request {
    fn expand(self) -> Result<TokenStream2> {
        let fail = |message: String| Error::new(self.text.span(), message);
        let (name, rules, file) = self.rules().map_err(fail)?;
        let options = Options {
            language: self.language.clone(),
            passes: Passes::all(),
            image_folder: None,
            without: self.without.clone(),
            settings: Vec::new(),
            limit: None,
        };
        let output = compile_text(&name, &rules, &options).map_err(fail)?;
        let stem = name.split('.').next().unwrap_or_default();
        let module = self.module.as_deref().unwrap_or(stem);
        let items = output.module(&codegen::Options::new(module, ""), module);
        let items = items.map_err(|e| fail(e.to_string()))?;
        // Cargo compiles the caller again when a file changes that it includes.
        let tracked = file
            .map(|path| path.to_string_lossy().into_owned())
            .into_iter();
        Ok(quote! { #items #(const _: &[u8] = include_bytes!(#tracked);)* })
    }

    /// The name and the bytes of the rules, and the path of their file if they have one.
    fn rules(&self) -> std::result::Result<(String, Vec<u8>, Option<PathBuf>), String> {
        let text = self.text.value();
        if let Some(language) = &self.language {
            return Ok((format!("game.{language}"), text.into_bytes(), None));
        }
        let caller = Span::call_site().local_file().unwrap_or_default();
        let path = caller.parent().unwrap_or(Path::new("")).join(text);
        let read = std::path::absolute(&path).and_then(|path| Ok((std::fs::read(&path)?, path)));
        let (bytes, path) = read.map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), bytes, Some(path)))
    }
}
