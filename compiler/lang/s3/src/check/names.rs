//! Which names exist.

use std::cell::Cell;

use indexmap::IndexMap;

use crate::ast::{Game, Index, Name, Template};
use crate::diag::{Diagnostic, closest};
use crate::parse::Lost;
use crate::source::Span;

/// The two name spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Elements,
    Locations,
}

impl Space {
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Elements => "element",
            Self::Locations => "location",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Elements => Self::Locations,
            Self::Locations => Self::Elements,
        }
    }

    /// The noun with its article.
    pub(super) const fn phrase(self) -> &'static str {
        match self {
            Self::Elements => "an element",
            Self::Locations => "a location",
        }
    }
}

/// Names with one base and one number of indexes.
#[derive(Debug, Default)]
struct Group<'a> {
    names: Vec<&'a Name>,
    /// Most states of an element among them.
    states: i32,
    /// Who owns elements among them at the start: two at most.
    owners: Vec<i32>,
}

/// All names of elements and locations, by base and number of indexes.
pub(super) struct Names<'a> {
    game: &'a Game,
    lost: &'a Lost,
    elements: IndexMap<(&'a str, usize), Group<'a>>,
    locations: IndexMap<(&'a str, usize), Group<'a>>,
    /// Comparisons left before partly literal names are taken for existing, so that no file makes this slow.
    budget: Cell<usize>,
    /// Searches for a near name left.
    searches: Cell<usize>,
}

/// Kinds of names that are told of as examples, at most.
const FEW: usize = 4;
/// Names that a search for a near one looks at.
const SEARCHED: usize = 2_000;

impl<'a> Names<'a> {
    pub(super) fn new(game: &'a Game, lost: &'a Lost) -> Self {
        let mut elements: IndexMap<_, Group<'a>> = IndexMap::new();
        for element in game.elements.values() {
            let name = &element.name;
            let group = elements
                .entry((name.base.as_str(), name.indexes.len()))
                .or_default();
            let states = game
                .element_types
                .get(&element.ty.node)
                .map_or(0, |ty| ty.states.node);
            group.states = group.states.max(states);
            let owner = element.player.node;
            if group.owners.len() < 2 && !group.owners.contains(&owner) {
                group.owners.push(owner);
            }
            group.names.push(name);
        }
        let mut locations: IndexMap<_, Group<'a>> = IndexMap::new();
        for name in game.locations.values().map(|location| &location.name) {
            locations
                .entry((name.base.as_str(), name.indexes.len()))
                .or_default()
                .names
                .push(name);
        }
        Self {
            game,
            lost,
            elements,
            locations,
            budget: Cell::new(10_000_000),
            searches: Cell::new(200),
        }
    }

    fn groups(&self, space: Space) -> &IndexMap<(&'a str, usize), Group<'a>> {
        match space {
            Space::Elements => &self.elements,
            Space::Locations => &self.locations,
        }
    }

    fn has(&self, space: Space, name: &str) -> bool {
        match space {
            Space::Elements => self.game.elements.contains_key(name),
            Space::Locations => self.game.locations.contains_key(name),
        }
    }

    fn all(&self, space: Space) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        match space {
            Space::Elements => Box::new(self.game.elements.keys().map(String::as_str)),
            Space::Locations => Box::new(self.game.locations.keys().map(String::as_str)),
        }
    }

    /// Whether a template can give, or a pattern can match, a name of the space.
    pub(super) fn possible(&self, space: Space, template: &Template) -> bool {
        if !self.lost.is_empty()
            && template
                .indexed()
                .is_some_and(|name| self.lost.contains(name.base))
        {
            return true;
        }
        if let Some(text) = template.literal() {
            return self.has(space, text);
        }
        match template.indexed() {
            Some(indexed) => {
                let key = (indexed.base, indexed.indexes.len());
                self.groups(space)
                    .get(&key)
                    .is_some_and(|group| self.fits(group, &indexed.indexes))
            }
            // Variables outside of the parentheses are matched as text.
            None => {
                self.spend(self.all(space).count())
                    || self
                        .all(space)
                        .any(|name| template.match_name(name).is_some())
            }
        }
    }

    fn fits(&self, group: &Group<'_>, indexes: &[Index<'_>]) -> bool {
        let literal = |index: &Index<'_>| matches!(index, Index::Literal(_));
        if !indexes.iter().any(literal) || self.spend(group.names.len()) {
            return true;
        }
        group.names.iter().any(|name| {
            name.indexes
                .iter()
                .zip(indexes)
                .all(|(value, index)| match index {
                    Index::Literal(literal) => value == literal,
                    Index::Var(_) => true,
                })
        })
    }

    /// Takes comparisons from the budget; true if it is used up.
    fn spend(&self, comparisons: usize) -> bool {
        let left = self.budget.get().saturating_sub(comparisons);
        self.budget.set(left);
        left == 0
    }

    /// Most states that an element which the template may name can have; of any element, if it says nothing.
    pub(super) fn max_states(&self, template: Option<&Template>) -> i32 {
        let group = template
            .and_then(Template::indexed)
            .and_then(|indexed| self.elements.get(&(indexed.base, indexed.indexes.len())));
        match group {
            Some(group) => group.states,
            None => self
                .elements
                .values()
                .map(|group| group.states)
                .max()
                .unwrap_or(0),
        }
    }

    /// Whether some name with this number of indexes has this base.
    pub(super) fn is_base(&self, base: &str, indexes: usize) -> bool {
        let key = (base, indexes);
        self.elements.contains_key(&key) || self.locations.contains_key(&key)
    }

    /// Who owns all elements with this base and number of indexes at the start, if it is one player.
    pub(super) fn owner(&self, base: &str, indexes: usize) -> Option<i32> {
        match self.elements.get(&(base, indexes))?.owners.as_slice() {
            [owner] => Some(*owner),
            _ => None,
        }
    }

    /// The candidate closest to a word.
    pub(super) fn closest<'b>(
        &self,
        word: &str,
        candidates: impl Iterator<Item = &'b str>,
    ) -> Option<&'b str> {
        let left = self.searches.get().checked_sub(1)?;
        self.searches.set(left);
        closest(word, candidates.take(SEARCHED))
    }

    /// Says what is near to a template that names nothing.
    pub(super) fn hint(
        &self,
        diagnostic: Diagnostic,
        space: Space,
        template: &Template,
        inner: Span,
    ) -> Diagnostic {
        if self.possible(space.other(), template) {
            return diagnostic.note(format!("{} has this name", space.other().phrase()));
        }
        if let Some(text) = template.literal() {
            let near = self.closest(text, self.all(space));
            // Another index is no slip of the pen, it is another place.
            let near = near.filter(|near| {
                near.contains('(') == text.contains('(') && letters(near) != letters(text)
            });
            if let Some(near) = near {
                return diagnostic.fix(format!("did you mean `{near}`?"), inner, near);
            }
        }
        let Some(base) = template.indexed().map(|indexed| indexed.base) else {
            return diagnostic;
        };
        let mut known = self.groups(space).keys().take(SEARCHED);
        if let Some(&(_, count)) = known.find(|(known, _)| *known == base) {
            let noun = space.noun();
            let given = template
                .indexed()
                .map_or(0, |indexed| indexed.indexes.len());
            if count != given {
                return diagnostic.note(format!("{noun}s `{base}` have {}", indexes(count)));
            }
            return diagnostic.note(self.range(space, base, count));
        }
        match self.closest(base, self.groups(space).keys().map(|(known, _)| *known)) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => match self.examples(space) {
                Some(note) => diagnostic.note(note),
                None => diagnostic,
            },
        }
    }

    /// What things are called, where they have few kinds of names.
    fn examples(&self, space: Space) -> Option<String> {
        let groups = self.groups(space);
        let first = |group: &Group<'a>| Some(format!("`{}`", group.names.first()?.text));
        let names: Vec<String> = groups.values().take(FEW).filter_map(first).collect();
        let few = !names.is_empty() && groups.len() <= FEW;
        few.then(|| format!("{}s have names such as {}", space.noun(), names.join(", ")))
    }

    /// Which indexes the names of a base have.
    fn range(&self, space: Space, base: &str, count: usize) -> String {
        let names = self
            .groups(space)
            .get(&(base, count))
            .map_or(&[][..], |group| &group.names);
        let ranges = (0..count).map(|at| {
            let values = || names.iter().map(|name| name.indexes[at]);
            format!(
                "{} to {}",
                values().min().unwrap_or(0),
                values().max().unwrap_or(0)
            )
        });
        let ranges: Vec<String> = ranges.collect();
        match ranges.is_empty() {
            true => format!("the {} is called `{base}`", space.noun()),
            false => format!(
                "{}s `{base}` have indexes {}",
                space.noun(),
                ranges.join(" and ")
            ),
        }
    }
}

fn letters(text: &str) -> &str {
    text.split('(').next().unwrap_or(text)
}

fn indexes(count: usize) -> String {
    match count {
        0 => "no index".to_owned(),
        1 => "1 index".to_owned(),
        _ => format!("{count} indexes"),
    }
}
