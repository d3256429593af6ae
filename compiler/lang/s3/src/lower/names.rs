//! The texts of a game and the domains that they are members of.
//!
//! A string of the rules nearly always names an element, a location or a type. Such a string is a member of a domain and
//! a string with variables is a table look-up, so that no text exists at run time.

use indexmap::{IndexMap, IndexSet};

use crate::ast::{Expr, ExprKind, Game, Index, IntPattern, Name, Template, TemplatePart};
use crate::ir::DomainId;

/// Most entries of one table.
pub(super) const MAX_TABLE: usize = 1 << 20;

/// Most texts that one string with variables is spelt out to.
pub(super) const MAX_SPELT: i64 = 1024;

/// A closed range of 32-bit integers.
pub(super) type Interval = (i32, i32);

/// A domain of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Dom {
    /// Movable elements.
    Element,
    /// Locations.
    Location,
    /// Types of elements.
    ElementType,
    /// Types of locations.
    LocationType,
    /// All texts that variables of mixed content hold; it grows while the game is lowered.
    Name,
}

impl Dom {
    /// The domains whose members are fixed.
    pub(super) const FIXED: [Dom; 4] = [
        Dom::Element,
        Dom::Location,
        Dom::ElementType,
        Dom::LocationType,
    ];

    /// Its name in the game.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Dom::Element => "Element",
            Dom::Location => "Location",
            Dom::ElementType => "ElementType",
            Dom::LocationType => "LocationType",
            Dom::Name => "Name",
        }
    }

    /// Its number in the game; the players come first.
    pub(super) fn id(self) -> DomainId {
        DomainId(self as u32 + 1)
    }
}

/// The number of a text in [`Names`].
pub(super) type TextId = u32;

/// The text without characters.
pub(super) const EMPTY: TextId = 0;

/// All texts that matter to a game.
pub(super) struct Names {
    texts: IndexSet<String>,
    /// How many of the texts the game file itself has: names, types, bases and literal strings.
    written: usize,
    members: [IndexMap<String, u32>; 5],
}

impl Names {
    /// The texts of a game and of further expressions.
    pub(super) fn new(game: &Game, further: &[Expr]) -> Names {
        let number = |names: &mut dyn Iterator<Item = &String>| -> IndexMap<String, u32> {
            names
                .enumerate()
                .map(|(at, name)| (name.clone(), at as u32))
                .collect()
        };
        let members = [
            number(&mut game.elements.keys()),
            number(&mut game.locations.keys()),
            number(&mut game.element_types.keys()),
            number(&mut game.location_types.keys()),
            IndexMap::new(),
        ];
        let mut texts = IndexSet::from([String::new()]);
        for names in &members {
            texts.extend(names.keys().cloned());
        }
        let elements = game.elements.values().map(|element| &element.name);
        let names = elements.chain(game.locations.values().map(|location| &location.name));
        texts.extend(names.map(|name| name.base.clone()));
        for expr in every_expr(game).chain(further) {
            collect_literals(expr, &mut texts);
        }
        let written = texts.len();
        Names {
            texts,
            written,
            members,
        }
    }

    /// The number of a text.
    pub(super) fn intern(&mut self, text: &str) -> TextId {
        match self.texts.get_index_of(text) {
            Some(at) => at as TextId,
            None => self.texts.insert_full(text.to_owned()).0 as TextId,
        }
    }

    /// The text of a number.
    pub(super) fn text(&self, id: TextId) -> &str {
        self.texts.get_index(id as usize).map_or("", String::as_str)
    }

    /// The number of a member of a domain by its text.
    pub(super) fn member(&self, dom: Dom, text: &str) -> Option<u32> {
        self.members[dom as usize].get(text).copied()
    }

    /// The texts of a domain, in the order of their numbers.
    pub(super) fn members(&self, dom: Dom) -> impl Iterator<Item = &str> {
        self.members[dom as usize].keys().map(String::as_str)
    }

    /// How many members a domain has.
    pub(super) fn count(&self, dom: Dom) -> usize {
        self.members[dom as usize].len()
    }

    /// The number of a text in the domain of names, which it joins if it has to.
    pub(super) fn name(&mut self, text: &str) -> u32 {
        let names = &mut self.members[Dom::Name as usize];
        let next = names.len() as u32;
        *names.entry(text.to_owned()).or_insert(next)
    }

    /// The texts that the game file has and a string with variables can spell.
    pub(super) fn written_matches(&self, template: &Template) -> Vec<TextId> {
        let texts = self.texts.iter().take(self.written).enumerate();
        let fits = texts.filter(|(_, text)| !spellings(template, text).is_empty());
        fits.map(|(at, _)| at as TextId).collect()
    }

    /// All texts that a string spells when its variables have values of these ranges, unless they are too many.
    pub(super) fn spell(&mut self, template: &Template, holes: &[Interval]) -> Option<Vec<TextId>> {
        let mut count = 1_i64;
        for (lo, hi) in holes {
            count = count.checked_mul(i64::from(*hi) - i64::from(*lo) + 1)?;
            if count > MAX_SPELT {
                return None;
            }
        }
        let tuples = tuples(holes);
        Some(
            tuples
                .iter()
                .map(|values| self.intern(&print(template, values)))
                .collect(),
        )
    }
}

/// All tuples of a box, last place fastest.
pub(super) fn tuples(ranges: &[Interval]) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for &(lo, hi) in ranges {
        let longer = |tuple: &Vec<i32>| {
            let tuple = tuple.clone();
            (lo..=hi).map(move |value| [tuple.as_slice(), &[value]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The text of a string with variables for values of its holes.
fn print(template: &Template, values: &[i32]) -> String {
    let mut values = values.iter();
    let mut text = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(piece) => text.push_str(&piece.node),
            TemplatePart::Var(_) => text.extend(values.next().map(i32::to_string)),
        }
    }
    text
}

/// The values of the holes for which a string spells a text.
pub(super) fn spellings(template: &Template, text: &str) -> Vec<Vec<i32>> {
    let mut found = Vec::new();
    spell_from(&template.parts, text, &mut Vec::new(), &mut found);
    found
}

fn spell_from(
    parts: &[TemplatePart],
    text: &str,
    values: &mut Vec<i32>,
    found: &mut Vec<Vec<i32>>,
) {
    match parts.split_first() {
        None if text.is_empty() => found.push(values.clone()),
        None => {}
        Some((TemplatePart::Text(piece), parts)) => {
            if let Some(rest) = text.strip_prefix(piece.node.as_str()) {
                spell_from(parts, rest, values, found);
            }
        }
        Some((TemplatePart::Var(_), parts)) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let digits = digits
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count()
                .min(10);
            let sign = usize::from(text.starts_with('-'));
            for end in sign + 1..=sign + digits {
                let value = text[..end].parse::<i32>().ok();
                let value = value.filter(|value| value.to_string() == text[..end]);
                if let Some(value) = value {
                    values.push(value);
                    spell_from(parts, &text[end..], values, found);
                    values.pop();
                }
            }
        }
    }
}

/// How `INDEX`, `INDEXA` and `UNINDEX` read a text: the part before the first `(`, and the indexes.
///
/// `None` if the indexes are no integers.
pub(super) fn split(text: &str) -> Option<(&str, Vec<i32>)> {
    let Some((base, rest)) = text.split_once('(') else {
        return Some((text, Vec::new()));
    };
    let inner = rest.strip_suffix(')')?;
    let indexes: Option<Vec<i32>> = inner.split(',').map(|index| index.parse().ok()).collect();
    Some((base, indexes?))
}

/// An index of a text by its place.
pub(super) fn index_of(text: &str, place: usize) -> Option<i32> {
    split(text)?.1.get(place).copied()
}

/// The elements or locations that a pattern matches, with the values of its variables.
pub(super) struct Matches {
    /// The variables, each once.
    pub(super) vars: Vec<String>,
    /// For each variable its place among the indexes of the names, if the pattern has the shape of a name.
    pub(super) places: Vec<Option<usize>>,
    /// Matching members, ascending, with a value for each variable.
    pub(super) members: Vec<(u32, Vec<i32>)>,
}

impl Matches {
    /// Matches a pattern against all names.
    pub(super) fn of<'a>(pattern: &Template, names: impl Iterator<Item = &'a Name>) -> Matches {
        let vars: IndexSet<&str> = pattern.vars().map(|var| var.node.as_str()).collect();
        let mut members = Vec::new();
        for (at, name) in names.enumerate() {
            if let Some(values) = pattern.match_name(&name.text) {
                members.push((at as u32, values.into_values().collect()));
            }
        }
        let indexed = pattern.indexed();
        let place = |var: &&str| {
            let indexes = &indexed.as_ref()?.indexes;
            indexes
                .iter()
                .position(|index| matches!(index, Index::Var(name) if name.node == **var))
        };
        Matches {
            places: vars.iter().map(place).collect(),
            vars: vars.iter().map(|&var| var.to_owned()).collect(),
            members,
        }
    }

    /// The numbers of the matching members.
    pub(super) fn numbers(&self) -> Vec<u32> {
        self.members.iter().map(|(member, _)| *member).collect()
    }

    /// Least and greatest value of a variable.
    pub(super) fn range(&self, var: usize) -> Option<Interval> {
        let values = || self.members.iter().map(|(_, values)| values[var]);
        Some((values().min()?, values().max()?))
    }
}

/// All expressions of a game file, used or not.
fn every_expr(game: &Game) -> impl Iterator<Item = &Expr> {
    let lines = game
        .expressions
        .values()
        .flat_map(|definition| &definition.body);
    lines.chain(roots(game))
}

fn collect_literals(expr: &Expr, texts: &mut IndexSet<String>) {
    if let ExprKind::Str(template) = &expr.kind
        && let Some(text) = template.literal()
    {
        texts.insert(text.to_owned());
    }
    for child in expr.children() {
        collect_literals(child, texts);
    }
}

/// All expressions outside of `[EXPRESSIONS]`.
pub(super) fn roots(game: &Game) -> Vec<&Expr> {
    let mut roots = Vec::new();
    for rule in game.rules.values() {
        for pattern in [&rule.state, &rule.player].into_iter().flatten() {
            if let IntPattern::Equals(expr) = pattern {
                roots.push(expr);
            }
        }
        roots.extend(&rule.targets);
        roots.extend(&rule.condition);
        roots.extend(
            rule.awards
                .iter()
                .flat_map(|award| [&award.player, &award.amount]),
        );
        roots.extend(&rule.followup);
    }
    for scoring in &game.scorings {
        roots.push(&scoring.situation);
        roots.extend(
            scoring
                .awards
                .iter()
                .flat_map(|award| [&award.player, &award.amount]),
        );
    }
    for ending in &game.endings {
        roots.extend([&ending.situation, &ending.winner]);
    }
    roots
}
