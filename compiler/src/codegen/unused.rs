//! Private items that nobody uses, which are left out of the text of a game.

use rulec_ir::sorted::SortedSet;

use super::items::{Code, Item, Kind, Token};

/// How often each name occurs, by its number.
type Uses = Vec<usize>;

/// Leaves out private functions, constants and structs whose names occur nowhere but in themselves.
pub(super) fn leave_out_unused(code: &mut Code) {
    let mut uses = vec![0; code.words.len()];
    code.each(&mut |token| count(token, &mut uses));
    loop {
        let structs = unused_structs(code, &uses);
        let mut gone: Uses = vec![0; uses.len()];
        leave_out(&mut code.items, &mut gone, &|item| match item.kind {
            Kind::Fn | Kind::Const | Kind::Static => is_unused(item, &uses),
            _ => item.name.is_some_and(|name| structs.contains(&name)),
        });
        for block in &mut code.items {
            leave_out(&mut block.items, &mut gone, &|item| {
                matches!(item.kind, Kind::Fn | Kind::Const) && is_unused(item, &uses)
            });
        }
        leave_out(&mut code.items, &mut gone, &|item| {
            item.kind == Kind::Methods && item.items.is_empty()
        });
        if gone.iter().all(|gone| *gone == 0) {
            return;
        }
        for (uses, gone) in uses.iter_mut().zip(gone) {
            *uses -= gone;
        }
    }
}

/// Leaves out some items, and counts the names in them.
fn leave_out(items: &mut Vec<Item>, gone: &mut Uses, is_out: &dyn Fn(&Item) -> bool) {
    items.retain(|item| {
        let out = is_out(item);
        if out {
            item.each(&mut |token| count(token, gone));
        }
        !out
    });
}

fn count(token: Token, uses: &mut Uses) {
    if let Token::Name(name) = token {
        uses[name as usize] += 1;
    }
}

/// How often a name occurs in an item.
fn own_uses(item: &Item, name: u32) -> usize {
    let mut own = 0;
    item.each(&mut |token| own += usize::from(token == Token::Name(name)));
    own
}

/// Whether a private item is named only in itself.
fn is_unused(item: &Item, uses: &Uses) -> bool {
    let name = item.name.filter(|_| item.is_private);
    name.is_some_and(|name| uses[name as usize] == own_uses(item, name))
}

/// Private structs that only their own methods name.
fn unused_structs(code: &Code, uses: &Uses) -> SortedSet<u32> {
    let structs = code
        .items
        .iter()
        .filter(|item| item.kind == Kind::Struct && item.is_private);
    let is_unused = |name: &u32| {
        let own = code.items.iter().filter(|item| {
            matches!(item.kind, Kind::Struct | Kind::Methods | Kind::Other)
                && item.name == Some(*name)
        });
        let own: usize = own.map(|item| own_uses(item, *name)).sum();
        own == uses[*name as usize]
    };
    structs
        .filter_map(|item| item.name)
        .filter(is_unused)
        .collect()
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn what_only_unused_items_use_goes_too() {
        let mut code = Code::of(quote! {
            static A: u8 = 1;
            static B: u8 = A;
            static C: u8 = 2;
            struct Env { c: u8 }
            impl Env { fn new() -> Env { Env { c: C } } }
            pub fn shown() -> u8 { used() }
            fn used() -> u8 { 3 }
            impl State { fn kept(&self) {} fn gone(&self) { self.kept() } pub fn seen(&self) {} }
        });
        let left = quote! {
            pub fn shown() -> u8 { used() }
            fn used() -> u8 { 3 }
            impl State { pub fn seen(&self) {} }
        };
        leave_out_unused(&mut code);
        assert_eq!(code.tokens().to_string(), left.to_string());
    }
}
