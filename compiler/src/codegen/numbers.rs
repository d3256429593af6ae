//! The dense numbers of moves, as the runtime describes them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Generator;
use super::code::number;
use super::moves::each_once;
use super::names::ident;
use crate::ir::{MoveNumbers, NumberedArg};

impl Generator<'_> {
    /// The static description; nothing where the game has no numbers.
    pub(super) fn move_numbers(&self) -> TokenStream {
        let Some(numbers) = &*self.game.numbers else {
            return TokenStream::new();
        };
        let rt = &self.rt;
        let shared = shared_firsts(numbers);
        let firsts = shared.iter().enumerate().map(|(at, first)| {
            let name = ident(&format!("FIRST_ALIKE_{at}"));
            let first = first.iter().map(|first| Literal::u32_unsuffixed(*first));
            quote! {
                /// For each member the one that stands for it in the numbers of moves.
                static #name: &[u32] = &[#(#first),*];
            }
        });
        let kinds = numbers.kinds.iter().map(|kind| {
            let layer = number(kind.layer);
            let args = kind.args.iter().map(|arg| match arg {
                NumberedArg::Member(_, first) => {
                    let at = shared.iter().position(|known| *known == first);
                    let first = match at {
                        Some(at) => {
                            let name = ident(&format!("FIRST_ALIKE_{at}"));
                            quote!(#name)
                        }
                        None => quote!(&[]),
                    };
                    quote!(NumberedArg::Member(#first))
                }
                NumberedArg::Int(first, _) => {
                    let first = Literal::i64_unsuffixed(*first);
                    quote!(NumberedArg::Int(#first))
                }
                NumberedArg::Set(_, None) => quote!(NumberedArg::Bits),
                NumberedArg::Set(_, Some(size)) => {
                    let size = Literal::u32_unsuffixed(*size);
                    quote!(NumberedArg::Rank(#size))
                }
            });
            (layer, quote!(&[#(#args),*]))
        });
        let (kind_layers, args): (Vec<_>, Vec<_>) = kinds.unzip();
        let (consts, args) = each_once(&args, "ARGS", &quote!(&[NumberedArg]));
        let mut next = 0_usize;
        let layers: Vec<TokenStream> = (numbers.layers.iter())
            .map(|layer| {
                let lens = layer.lens.iter().map(|len| Literal::u64_unsuffixed(*len));
                let runs: Vec<TokenStream> = (layer.runs.iter())
                    .map(|(key, count)| {
                        let (key, first) = (Literal::u64_unsuffixed(*key), number(next));
                        next += *count as usize;
                        quote!((#key, #first))
                    })
                    .collect();
                let end = number(next);
                quote!(NumberLayer::new(&[#(#lens),*], &[#(#runs),*], #end))
            })
            .collect();
        let count = number(next);
        quote! {
            #(#firsts)*

            /// Dense numbers of the moves.
            static NUMBERS: #rt::MoveNumbers = {
                use #rt::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
                #consts
                MoveNumbers {
                    kinds: &[#(NumberedKind::new(#kind_layers, #args)),*],
                    layers: &[#(#layers),*],
                    count: #count,
                }
            };
        }
    }
}

/// The lists of members that stand for others, each once.
fn shared_firsts(numbers: &MoveNumbers) -> Vec<&Vec<u32>> {
    let mut shared: Vec<&Vec<u32>> = Vec::new();
    for arg in numbers.kinds.iter().flat_map(|kind| &kind.args) {
        if let NumberedArg::Member(_, first) = arg
            && !first.is_empty()
            && !shared.contains(&first)
        {
            shared.push(first);
        }
    }
    shared
}
