//! Private items that nobody uses, which are left out of the text of a game.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{File, ImplItem, Item, Visibility};

/// How often each name occurs.
type Uses = BTreeMap<String, usize>;

/// The file without private functions, constants and structs whose names occur nowhere but in themselves.
pub(super) fn without_unused(mut file: File) -> File {
    loop {
        let uses = uses_of(file.to_token_stream());
        let unused = |name: &str, own: &Uses| uses.get(name) == own.get(name);
        let before = uses.values().sum::<usize>();
        let structs = unused_structs(&file, &uses);
        file.items.retain(|item| match private_name(item) {
            Some(name) => !unused(&name, &uses_of(item.to_token_stream())),
            None => !structs.contains(&subject(item).unwrap_or_default()),
        });
        for item in &mut file.items {
            let Item::Impl(block) = item else { continue };
            if block.trait_.is_none() {
                block.items.retain(|item| match item {
                    ImplItem::Fn(method) if matches!(method.vis, Visibility::Inherited) => {
                        let name = method.sig.ident.to_string();
                        !unused(&name, &uses_of(method.to_token_stream()))
                    }
                    ImplItem::Const(item) if matches!(item.vis, Visibility::Inherited) => {
                        let name = item.ident.to_string();
                        !unused(&name, &uses_of(item.to_token_stream()))
                    }
                    _ => true,
                });
            }
        }
        file.items.retain(|item| match item {
            Item::Impl(block) => block.trait_.is_some() || !block.items.is_empty(),
            _ => true,
        });
        if uses_of(file.to_token_stream()).values().sum::<usize>() == before {
            return file;
        }
    }
}

/// The name of a private function, constant or static.
fn private_name(item: &Item) -> Option<String> {
    let (vis, name) = match item {
        Item::Fn(item) => (&item.vis, &item.sig.ident),
        Item::Const(item) => (&item.vis, &item.ident),
        Item::Static(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    matches!(vis, Visibility::Inherited).then(|| name.to_string())
}

/// The name of the struct that an item defines or implements something for.
fn subject(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Impl(block) => match &*block.self_ty {
            syn::Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// Private structs that only their own methods name.
fn unused_structs(file: &File, uses: &Uses) -> Vec<String> {
    let structs = file.items.iter().filter_map(|item| match item {
        Item::Struct(item) if matches!(item.vis, Visibility::Inherited) => Some(&item.ident),
        _ => None,
    });
    let names = structs.map(|name| name.to_string());
    let is_unused = |name: &String| {
        let own = file
            .items
            .iter()
            .filter(|item| subject(item).as_ref() == Some(name));
        let own = own.map(|item| uses_of(item.to_token_stream()).get(name).copied());
        Some(own.flatten().sum::<usize>()) == uses.get(name).copied()
    };
    names.filter(is_unused).collect()
}

fn uses_of(tokens: TokenStream) -> Uses {
    let mut uses = Uses::new();
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => *uses.entry(name.to_string()).or_default() += 1,
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_unused_items_use_goes_too() {
        let file: File = syn::parse_quote! {
            static A: u8 = 1;
            static B: u8 = A;
            static C: u8 = 2;
            struct Env { c: u8 }
            impl Env { fn new() -> Env { Env { c: C } } }
            pub fn shown() -> u8 { used() }
            fn used() -> u8 { 3 }
            impl State { fn kept(&self) {} fn gone(&self) { self.kept() } pub fn seen(&self) {} }
        };
        let left: File = syn::parse_quote! {
            pub fn shown() -> u8 { used() }
            fn used() -> u8 { 3 }
            impl State { pub fn seen(&self) {} }
        };
        let text = |file: File| file.to_token_stream().to_string();
        assert_eq!(text(without_unused(file)), text(left));
    }
}
