//! Constant tables, each made once.

use super::Lower;
use super::names::index_of;
use super::names::{Dom, Interval, split};
use crate::ir::{Axis, Const, Table, TableId, Type};
use crate::source::Span;

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The member that a string with variables names; with the ranges of the variables if they all name one.
    Template(String, Dom, Option<Vec<Interval>>),
    /// The value of a variable of a pattern, for each member of a domain.
    Pattern(Dom, String, String),
    /// An index of each member.
    Index(Dom, usize),
    /// Whether a member has an index.
    HasIndex(Dom, usize),
    /// The text of each member before its indexes; absent members have the empty text if so said.
    Base(Dom, bool),
    /// Whether a text is read as a name.
    IsName,
    /// The member of another domain with the same text, and what stands for absent members.
    Map(Dom, Dom, Option<u32>),
    /// The type of an element or location; absent ones have none if so said.
    TypeOf(Dom, bool),
    /// All indexes of a text.
    Indexes(String),
    /// Greatest state of each element.
    States,
    /// Elements that are interchangeable if they stand on irrelevant locations.
    Kind,
    /// Locations that are interchangeable in moves.
    PlaceClass,
    /// Whether a location counts in the identity of positions.
    Relevant,
    /// The next player.
    NextPlayer,
    /// The player with a number.
    PlayerOf,
    /// The number of a player.
    PlayerNumber,
}

impl Lower<'_> {
    /// The table of a key, made if it is not there.
    pub(super) fn table(&mut self, key: Key, make: impl FnOnce(&Self) -> Table) -> TableId {
        if let Some(&id) = self.tables.get(&key) {
            return id;
        }
        let mut table = make(self);
        let taken = |name: &str| self.out.game.tables.iter().any(|table| table.name == name);
        if taken(&table.name) {
            let numbered = (2..).map(|i| format!("{} {i}", table.name));
            table.name = numbered
                .into_iter()
                .find(|name| !taken(name))
                .unwrap_or_default();
        }
        let id = self.out.table(table);
        self.tables.insert(key, id);
        id
    }

    /// A table over a domain; over that of names it is filled when all names are known.
    fn domain_table(
        &mut self,
        key: Key,
        name: String,
        dom: Dom,
        ty: Type,
        outside: Option<Const>,
    ) -> TableId {
        let values = self.values(&key, dom);
        self.table(key, |lower| Table {
            name,
            axes: vec![Axis::Domain(dom.id())],
            ty,
            values,
            outside,
            span: lower.game.span,
        })
    }

    /// The values of a table over a domain of texts.
    fn values(&self, key: &Key, dom: Dom) -> Vec<Const> {
        let names = &self.names;
        let flag = |holds| Const::Bool(holds);
        let optional = |member: Option<u32>| member.map_or(Const::None, Const::Elem);
        let value = |text: &str| match key {
            Key::Index(_, place) => Const::Int(i64::from(index_of(text, *place).unwrap_or(0))),
            Key::HasIndex(_, place) => flag(index_of(text, *place).is_some()),
            Key::Base(..) => {
                optional(split(text).and_then(|(base, _)| names.member(Dom::Name, base)))
            }
            Key::IsName => flag(split(text).is_some()),
            Key::Map(_, to, _) => optional(names.member(*to, text)),
            _ => Const::None,
        };
        names.members(dom).map(value).collect()
    }

    /// Fills the tables over the domain of names.
    pub(super) fn fill_name_tables(&mut self) {
        let over_names = |key: &Key| match key {
            Key::Index(dom, _) | Key::HasIndex(dom, _) | Key::Base(dom, _) | Key::Map(dom, ..) => {
                *dom == Dom::Name
            }
            Key::IsName => true,
            _ => false,
        };
        if self
            .tables
            .keys()
            .any(|key| matches!(key, Key::Base(Dom::Name, _)))
        {
            let texts: Vec<String> = self.names.members(Dom::Name).map(str::to_owned).collect();
            for base in texts.iter().filter_map(|text| Some(split(text)?.0)) {
                self.names.name(base);
            }
        }
        for (key, id) in &self.tables {
            let into_names = matches!(key, Key::Map(_, Dom::Name, _) | Key::Base(..));
            if over_names(key) || into_names {
                let dom = match key {
                    Key::Map(dom, ..) | Key::Base(dom, _) => *dom,
                    _ => Dom::Name,
                };
                self.out.game.tables[id.index()].values = self.values(key, dom);
            }
        }
    }

    /// An index of each member of a domain, 0 where it has none.
    pub(super) fn index_table(&mut self, dom: Dom, place: usize) -> TableId {
        let name = format!("index {} of {}", place + 1, dom.name());
        self.domain_table(Key::Index(dom, place), name, dom, Type::Wrap32, None)
    }

    /// Whether a member of a domain has an index.
    pub(super) fn has_index_table(&mut self, dom: Dom, place: usize) -> TableId {
        let name = format!("{} has index {}", dom.name(), place + 1);
        self.domain_table(Key::HasIndex(dom, place), name, dom, Type::Bool, None)
    }

    /// Whether a name is a name with indexes.
    pub(super) fn table_of_names(&mut self) -> TableId {
        let name = "Name is a name".to_owned();
        self.domain_table(Key::IsName, name, Dom::Name, Type::Bool, None)
    }

    /// The text before the indexes; that of the empty text is itself.
    pub(super) fn base_table(&mut self, dom: Dom, empty: bool) -> TableId {
        let outside = match self.names.member(Dom::Name, "").filter(|_| empty) {
            Some(member) => Const::Elem(member),
            None => Const::None,
        };
        let name = format!("base of {}", dom.name());
        let ty = Type::Opt(Dom::Name.id());
        self.domain_table(Key::Base(dom, empty), name, dom, ty, Some(outside))
    }

    /// The member of another domain with the same text.
    pub(super) fn map_table(&mut self, from: Dom, to: Dom, outside: Const) -> TableId {
        let empty = match outside {
            Const::Elem(member) => Some(member),
            _ => None,
        };
        let name = format!("{} as {}", from.name(), to.name());
        self.domain_table(
            Key::Map(from, to, empty),
            name,
            from,
            Type::Opt(to.id()),
            Some(outside),
        )
    }

    /// The type of an element or location.
    pub(super) fn type_table(&mut self, dom: Dom, optional: bool) -> TableId {
        let (to, types): (Dom, Vec<&str>) = match dom {
            Dom::Element => (
                Dom::ElementType,
                self.game
                    .elements
                    .values()
                    .map(|e| e.ty.node.as_str())
                    .collect(),
            ),
            _ => (
                Dom::LocationType,
                self.game
                    .locations
                    .values()
                    .map(|l| l.ty.node.as_str())
                    .collect(),
            ),
        };
        let number = |ty: &&str| {
            let member = self.names.member(to, ty);
            debug_assert!(member.is_some(), "`{ty}` is a type of the game");
            Const::Elem(member.unwrap_or(0))
        };
        let values = types.iter().map(number).collect();
        let name = format!(
            "type of {}{}",
            dom.name(),
            if optional { " or none" } else { "" }
        );
        self.table(Key::TypeOf(dom, optional), |lower| Table {
            name,
            axes: vec![Axis::Domain(dom.id())],
            ty: if optional {
                Type::Opt(to.id())
            } else {
                Type::Elem(to.id())
            },
            values,
            outside: optional.then_some(Const::None),
            span: lower.game.span,
        })
    }

    /// A table over the elements or locations with given integers.
    pub(super) fn given(
        &mut self,
        key: Key,
        name: &str,
        dom: Dom,
        ty: Type,
        values: Vec<Const>,
        span: Span,
    ) -> TableId {
        self.table(key, |_| Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(dom.id())],
            ty,
            values,
            outside: None,
            span,
        })
    }

    /// Greatest state of each element.
    pub(super) fn states_table(&mut self) -> TableId {
        let states = |ty: &str| {
            self.game
                .element_types
                .get(ty)
                .map_or(0, |ty| ty.states.node)
        };
        let states: Vec<i32> = self
            .game
            .elements
            .values()
            .map(|element| states(&element.ty.node))
            .collect();
        let values = states
            .into_iter()
            .map(|states| Const::Int(i64::from(states)))
            .collect();
        self.given(
            Key::States,
            "states of Element",
            Dom::Element,
            Type::Wrap32,
            values,
            self.game.span,
        )
    }

    /// The player after each player.
    pub(super) fn next_player_table(&mut self) -> TableId {
        let count = self.game.players.len() as u32;
        self.table(Key::NextPlayer, |lower| Table {
            name: "next player".to_owned(),
            axes: vec![Axis::Domain(lower.out.game.players)],
            ty: Type::Elem(lower.out.game.players),
            values: (0..count)
                .map(|player| Const::Elem((player + 1) % count))
                .collect(),
            outside: None,
            span: lower.game.span,
        })
    }

    /// The player with a number from 1.
    pub(super) fn player_of_table(&mut self) -> TableId {
        let count = self.game.players.len() as u32;
        self.table(Key::PlayerOf, |lower| Table {
            name: "player of number".to_owned(),
            axes: vec![Axis::Range {
                lo: 1,
                hi: i64::from(count),
            }],
            ty: Type::Elem(lower.out.game.players),
            values: (0..count).map(Const::Elem).collect(),
            outside: None,
            span: lower.game.span,
        })
    }

    /// The indexes of a text by their numbers from 1; whoever asks has made sure that there is such a number.
    pub(super) fn indexes_table(&mut self, text: &str, indexes: &[i32]) -> TableId {
        let values = indexes.iter().map(|index| Const::Int(i64::from(*index)));
        self.table(Key::Indexes(text.to_owned()), |lower| Table {
            name: format!("indexes of {text}"),
            axes: vec![Axis::Range {
                lo: 1,
                hi: indexes.len() as i64,
            }],
            ty: Type::Wrap32,
            values: values.collect(),
            outside: Some(Const::Int(0)),
            span: lower.game.span,
        })
    }

    /// The number from 1 of each player.
    pub(super) fn player_number_table(&mut self) -> TableId {
        let count = self.game.players.len() as i64;
        self.table(Key::PlayerNumber, |lower| Table {
            name: "number of player".to_owned(),
            axes: vec![Axis::Domain(lower.out.game.players)],
            ty: Type::Wrap32,
            values: (1..=count).map(Const::Int).collect(),
            outside: None,
            span: lower.game.span,
        })
    }
}
