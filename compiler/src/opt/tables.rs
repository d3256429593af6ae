//! New tables and names, for passes that make some.

use crate::ir::{Game, Table, TableId};

/// A name that is free: the wanted one, else one with a number behind it.
pub(super) fn free_name<'n>(wanted: &str, taken: impl Iterator<Item = &'n str> + Clone) -> String {
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    std::iter::once(wanted.to_owned())
        .chain(numbered)
        .find(|name| taken.clone().all(|other| other != name))
        .unwrap_or_default()
}

/// A table with the values of this one: one that there is already if possible, else this one, under a name that is free.
pub(crate) fn known_or_new(game: &mut Game, table: Table) -> TableId {
    let same = |other: &Table| {
        (&other.axes, &other.ty, &other.values, &other.outside)
            == (&table.axes, &table.ty, &table.values, &table.outside)
    };
    if let Some(known) = game.tables.iter().position(same) {
        return TableId::from(known);
    }
    let name = free_name(&table.name, game.tables.iter().map(|t| t.name.as_str()));
    game.tables.push(Table { name, ..table });
    TableId::from(game.tables.len() - 1)
}

/// A name that no function has: one with a number behind it, from `first` on.
pub(in crate::opt) fn unused(game: &Game, name: &str, first: usize) -> String {
    let taken = |name: &str| game.functions.iter().any(|function| function.name == name);
    numbered(name, first, &taken)
}

/// A name with a number behind it, from `first` on: the first that is not taken.
pub(in crate::opt) fn numbered(name: &str, first: usize, taken: &dyn Fn(&str) -> bool) -> String {
    let mut names = (first..).map(|number| format!("{name} {number}"));
    names.find(|name| !taken(name)).unwrap_or_default()
}
