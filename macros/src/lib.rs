//! The macro `game!`: compiles rules in place, by the compiler that the command `rulec` uses.

mod input;

use std::path::{Path, PathBuf};

use proc_macro::{Span, TokenStream};
use proc_macro2::TokenStream as TokenStream2;
use quote::{quote, quote_spanned};
use rulec_compiler::{Options, Passes, Without, codegen, compile_text};

use input::{Input, Wrong};

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
    let request = Request::read(&mut Input::new(input));
    let expanded = request.and_then(|request| request.expand());
    let told = |Wrong { span, message }| {
        let span = proc_macro2::Span::from(span);
        quote_spanned!(span=> ::core::compile_error! { #message })
    };
    expanded.unwrap_or_else(told).into()
}

struct Request {
    module: Option<String>,
    language: Option<String>,
    text: String,
    /// The place of the text.
    span: Span,
    without: Without,
}

impl Request {
    fn read(input: &mut Input) -> Result<Self, Wrong> {
        let mut language = input.name().map(|(name, _)| name);
        let mut module = None;
        if language.as_deref() == Some("mod") {
            let Some((name, _)) = input.name() else {
                return input.expected("identifier");
            };
            if !input.sign('=') {
                return input.expected("`=`");
            }
            module = Some(name);
            language = input.name().map(|(name, _)| name);
        }
        let (text, span) = input.text()?;
        let mut without = Without::Nothing;
        if input.sign(',') && !input.is_empty() {
            match input.name() {
                Some((name, _)) if name == "without" => {}
                Some((_, span)) => {
                    let message = "the only option is `without`".to_owned();
                    return Err(Wrong { span, message });
                }
                None => return input.expected("identifier"),
            }
            if !input.sign('=') {
                return input.expected("`=`");
            }
            without = input.text()?.0.parse().unwrap_or_default();
        }
        if !input.is_empty() {
            return input.unexpected();
        }
        Ok(Self {
            module,
            language,
            text,
            span,
            without,
        })
    }

    fn expand(self) -> Result<TokenStream2, Wrong> {
        let fail = |message: String| Wrong {
            span: self.span,
            message,
        };
        let (name, rules, file) = self.rules().map_err(fail)?;
        let options = Options {
            language: self.language.clone(),
            passes: Passes::all(),
            image_folder: None,
            without: self.without.clone(),
            settings: Vec::new(),
            limit: None,
            ahead: true,
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
    fn rules(&self) -> Result<(String, Vec<u8>, Option<PathBuf>), String> {
        if let Some(language) = &self.language {
            let text = self.text.clone().into_bytes();
            return Ok((format!("game.{language}"), text, None));
        }
        let caller = Span::call_site().local_file().unwrap_or_default();
        let path = caller.parent().unwrap_or(Path::new("")).join(&self.text);
        let read = std::path::absolute(&path).and_then(|path| Ok((std::fs::read(&path)?, path)));
        let (bytes, path) = read.map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), bytes, Some(path)))
    }
}
