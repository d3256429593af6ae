//! Types, locations, elements, players, patterns, pictures.

use rulec_ir::sorted::SortedSet;

use indexmap::{IndexMap, IndexSet};

use super::names::Space;
use super::{Shared, constant};
use crate::ast::{Element, Ident, IntPattern, Pattern, RealType, Rule, Template, TemplatePart};
use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::front::Options;
use crate::source::Span;

pub(super) fn check(facts: &Shared<'_>, options: &Options, diagnostics: &mut Diagnostics) {
    let mut checker = Checker {
        facts,
        diagnostics,
        moved_by_owner: moved_by_owner(facts),
        fields: fields(facts),
        others_moved: false,
    };
    checker.game();
    for real_type in &facts.game.real_types {
        checker.real_type(real_type);
    }
    let types = &facts.game.location_types;
    for location in facts.game.locations.values() {
        checker.known_type(
            "location",
            types.keys(),
            types.contains_key(&location.ty.node),
            &location.ty,
        );
    }
    for element in facts.game.elements.values() {
        checker.element(element);
    }
    checker.shared_locations();
    for rule in facts.game.rules.values() {
        checker.rule(rule);
    }
    checker.players_without_rules();
    if let Some(folder) = &options.image_folder {
        checker.pictures(folder);
    }
}

/// Types and locations to begin with, for a file that has none.
const FIRST_LOCATIONS: &str = "
[ELEMENT TYPES]
name=disc
states=1

[LOCATION TYPES]
name=square
shape=rectangular(76,76)
point=0,0

[LOCATIONS]
name=b(1,1)
type=square
point=140,140

name=b(2,1)
type=square
point=220,140
";

struct Checker<'f, 'a, 'd> {
    facts: &'f Shared<'a>,
    diagnostics: &'d mut Diagnostics,
    moved_by_owner: MovedByOwner<'a>,
    fields: SortedSet<(&'a str, usize)>,
    /// Whether a rule was told of that moves what belongs to another player.
    others_moved: bool,
}

/// Elements that a rule lets their owner move, by base and number of indexes.
enum MovedByOwner<'a> {
    /// Patterns do not show which.
    Any,
    These(SortedSet<(&'a str, usize)>),
}

fn moved_by_owner<'a>(facts: &Shared<'a>) -> MovedByOwner<'a> {
    let mut found = SortedSet::new();
    for rule in facts.game.rules.values() {
        let player = match &rule.player {
            Some(IntPattern::Equals(expr)) => constant(expr),
            _ => None,
        };
        let Some(indexed) = rule.element.indexed() else {
            return MovedByOwner::Any;
        };
        let key = (indexed.base, indexed.indexes.len());
        let owner = facts.names.owner(key.0, key.1).map(i64::from);
        if player.is_none_or(|player| owner == Some(player)) {
            found.insert(key);
        }
    }
    MovedByOwner::These(found)
}

/// Bases and numbers of indexes of the locations that are no stores.
fn fields<'a>(facts: &Shared<'a>) -> SortedSet<(&'a str, usize)> {
    let game = facts.game;
    let types = &game.location_types;
    let places = game.locations.values().filter(|location| {
        types
            .get(&location.ty.node)
            .is_none_or(|known| known.relevant)
    });
    let names = places.map(|location| &location.name);
    names
        .map(|name| (name.base.as_str(), name.indexes.len()))
        .collect()
}

impl<'a> Checker<'_, 'a, '_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn game(&mut self) {
        let game = self.facts.game;
        let start = Span::new(game.span.file, 0, 0);
        let end = Span::new(game.span.file, game.span.end, game.span.end);
        if !self.facts.lost.is_empty() {
            return;
        }
        if game.players.is_empty() {
            let error = Diagnostic::new(&codes::NO_PLAYERS, start, "the game has no players");
            self.push(error.fix(
                "add a section [PLAYER NAMES] with a line `1=name`",
                end,
                "\n[PLAYER NAMES]\n1=first\n2=second\n",
            ));
        }
        if game.elements.is_empty() {
            let warning = Diagnostic::new(&codes::NO_ELEMENTS, start, "the game has no elements");
            let warning = warning.note("there is never a legal move");
            let help = "add a record with `name`, `type` and `location` to [MOVABLE ELEMENTS]";
            self.push(match self.first_element() {
                Some(record) => warning.fix(help, end, record),
                None => warning.help(help),
            });
        }
        if game.rules.is_empty() {
            let error = Diagnostic::new(&codes::NO_RULES, start, "the game has no rules");
            let error = error.note("there is never a legal move");
            let help = "add a record with `name`, `element`, `from` and `to` to [GAME RULES]";
            self.push(match self.first_move() {
                Some(record) => error.fix(help, end, record),
                None => error.help(help),
            });
        } else if game.endings.is_empty() && game.players.len() > 1 && !self.scores() {
            let message = "nobody can win: no record in [END OF GAME]";
            let warning = Diagnostic::new(&codes::NO_END, start, message);
            self.push(warning.help(
                "add a record of `situation`, when the game ends, and `winner` to [END OF GAME]",
            ));
        }
    }

    /// Whether anything gives points.
    fn scores(&self) -> bool {
        let game = self.facts.game;
        let mut rules = game.rules.values();
        !game.scorings.is_empty() || rules.any(|rule| !rule.awards.is_empty())
    }

    /// An element to begin with, on the first location; with two locations in a file that has none.
    fn first_element(&self) -> Option<String> {
        let game = &self.facts.game;
        let record = |ty: &str, at: &str| {
            format!("\n[MOVABLE ELEMENTS]\nname=disc(1)\ntype={ty}\nlocation={at}\n")
        };
        let ty = game.element_types.keys().next();
        match (game.locations.keys().next(), ty) {
            (Some(at), Some(ty)) => Some(record(ty, at)),
            (None, None) if game.location_types.is_empty() => {
                Some(FIRST_LOCATIONS.to_owned() + &record("disc", "b(1,1)"))
            }
            _ => None,
        }
    }

    /// A rule to begin with: the first element goes from where it is to another place.
    fn first_move(&self) -> Option<String> {
        let (name, element) = self.facts.game.elements.first()?;
        let from = &element.location.node;
        let mut others = self.facts.game.locations.keys();
        let to = others.find(|other| *other != from)?;
        Some(format!(
            "\n[GAME RULES]\nname=move\nelement={name}\nfrom={from}\nto={to}\n"
        ))
    }

    fn known_type<'b>(
        &mut self,
        noun: &str,
        known: impl Iterator<Item = &'b String>,
        exists: bool,
        ty: &Ident,
    ) {
        if exists {
            return;
        }
        let message = format!("unknown {noun} type `{}`", ty.node);
        let error = Diagnostic::new(&codes::UNKNOWN_TYPE, ty.span, message);
        let near = self
            .facts
            .names
            .closest(&ty.node, known.map(String::as_str));
        self.push(match near {
            Some(near) => error.fix(format!("did you mean `{near}`?"), ty.span, near),
            None => error.help(format!("add it to [{} TYPES]", noun.to_uppercase())),
        });
    }

    fn real_type(&mut self, real: &RealType) {
        let game = self.facts.game;
        let ty = game.element_types.get(&real.name.node);
        let warning =
            |message: String| Diagnostic::new(&codes::CAMERA_TYPE, real.name.span, message);
        let Some(ty) = ty else {
            let near = self.facts.names.closest(
                &real.name.node,
                game.element_types.keys().map(String::as_str),
            );
            let warning = warning(format!("no element type is called `{}`", real.name.node));
            self.push(match near {
                Some(near) => warning.fix(format!("did you mean `{near}`?"), real.name.span, near),
                None => warning.note("what the camera sees of it belongs to no element"),
            });
            return;
        };
        if !(1..=ty.states.node).contains(&real.state.node) {
            let message = format!("`{}` has no state {}", ty.name.node, real.state.node);
            let warning = Diagnostic::new(&codes::CAMERA_TYPE, real.state.span, message);
            self.push(warning.also(ty.states.span, "states run from 1 to this"));
        } else if real.size.max < real.size.min.max(1) {
            self.push(
                warning("no blob has a fitting size".to_owned())
                    .help("give `sizeMin` and `sizeMax` in pixels"),
            );
        } else if real.saturation.max < real.saturation.min || real.value.max < real.value.min {
            self.push(warning("no colour fits".to_owned()).note("only hues wrap around"));
        } else if real.hue.min == real.hue.max {
            self.push(
                warning("every hue fits".to_owned()).help("give `hueMin` and `hueMax` in degrees"),
            );
        }
    }

    fn element(&mut self, element: &Element) {
        let game = self.facts.game;
        let types = &game.element_types;
        let ty = types.get(&element.ty.node);
        self.known_type("element", types.keys(), ty.is_some(), &element.ty);
        self.start(&element.location);
        let players = self.facts.players();
        if players > 0 && !(0..=players).contains(&element.player.node) {
            let message = format!("there is no player {}", element.player.node);
            let error = Diagnostic::new(&codes::UNKNOWN_PLAYER, element.player.span, message);
            self.push(error.note(format!("owners run from 0, nobody, to {players}")));
        }
        if let Some(ty) = ty.filter(|ty| !(1..=ty.states.node).contains(&element.state.node)) {
            let message = format!("`{}` has no state {}", ty.name.node, element.state.node);
            let error = Diagnostic::new(&codes::OUT_OF_RANGE, element.state.span, message);
            self.push(match ty.states.node {
                0 => error.also(ty.name.span, "the type says nothing of `states`"),
                _ => error.also(ty.states.span, "states run from 1 to this"),
            });
        }
    }

    fn start(&mut self, location: &Ident) {
        let names = &self.facts.names;
        let text = TemplatePart::Text(location.clone());
        let name = Template {
            parts: vec![text],
            span: location.span,
        };
        if !names.possible(Space::Locations, &name) {
            let message = format!("unknown location `{}`", location.node);
            let error = Diagnostic::new(&codes::UNKNOWN_LOCATION, location.span, message);
            let error = names.hint(error, Space::Locations, &name, location.span);
            self.push(error);
        }
    }

    fn shared_locations(&mut self) {
        let mut first: IndexMap<&str, &Element> = IndexMap::new();
        for element in self.facts.game.elements.values() {
            let place = element.location.node.as_str();
            if let Some(other) = first.get(place) {
                let message = format!("two elements start on `{place}`");
                let error =
                    Diagnostic::new(&codes::SHARED_LOCATION, element.location.span, message);
                let error = error.label(format!("`{}`", element.name.text));
                self.push(error.also(other.location.span, format!("`{}`", other.name.text)));
            } else {
                first.insert(place, element);
            }
        }
    }

    fn rule(&mut self, rule: &'a Rule) {
        let element_exists = self.matches(Space::Elements, &rule.element);
        self.matches(Space::Locations, &rule.from);
        self.matches(Space::Locations, &rule.to);
        self.superset(rule);
        self.owners(rule);
        let states = self.facts.names.max_states(Some(&rule.element));
        if let (Some(IntPattern::Equals(expr)), true) = (&rule.state, element_exists) {
            let outside = |state: &i64| !(1..=i64::from(states)).contains(state);
            if let Some(state) = constant(expr).filter(outside) {
                let message = format!("no element of the rule has a state {state}");
                let warning = Diagnostic::new(&codes::NEVER_MATCHES, expr.span, message);
                self.push(warning.note(format!("states run from 1 to {states}")));
            }
        }
    }

    /// Warns of a player for whom no rule is, where each rule is for one player and the turn passes. Nothing is said where rules
    /// were told of that move what belongs to others, for it is one mistake.
    fn players_without_rules(&mut self) {
        if self.others_moved || !self.facts.turns_pass {
            return;
        }
        let game = self.facts.game;
        let of = |rule: &'a Rule| match &rule.player {
            Some(IntPattern::Equals(expr)) => Some((constant(expr)?, expr.span)),
            _ => None,
        };
        let all: Option<Vec<(i64, Span)>> = game.rules.values().map(of).collect();
        // A number that is no player was told, and may be the one.
        let players = i64::from(self.facts.players());
        let sound = |all: &Vec<(i64, Span)>| {
            let known = |(player, _): &(i64, Span)| (1..=players).contains(player);
            all.len() > 1 && all.iter().all(known) && self.facts.lost.is_empty()
        };
        let Some(all) = all.filter(sound) else {
            return;
        };
        let players = (1..).zip(&game.players);
        let idle: Vec<(i64, &Ident)> = players
            .filter(|(number, _)| all.iter().all(|(player, _)| player != number))
            .collect();
        for (number, name) in idle {
            let message = format!("no rule is for player {number}, {}", name.node);
            let warning = Diagnostic::new(&codes::NO_RULE_FOR_PLAYER, name.span, message);
            let last = all[all.len() - 1].1;
            self.push(warning.also(last, format!("should this, or another one, be {number}?")));
        }
    }

    /// Warns of a rule for one player whose elements all belong to another one, who has no rule to move them. What is brought to
    /// a store is taken.
    fn owners(&mut self, rule: &'a Rule) {
        let game = self.facts.game;
        let (Some(IntPattern::Equals(mover)), Some(indexed)) =
            (&rule.player, rule.element.indexed())
        else {
            return;
        };
        let key = (indexed.base, indexed.indexes.len());
        let by_owner = match &self.moved_by_owner {
            MovedByOwner::Any => true,
            MovedByOwner::These(these) => these.contains(&key),
        };
        let target = rule.to.indexed();
        let taken = target.is_some_and(|to| !self.fields.contains(&(to.base, to.indexes.len())));
        if self.facts.owners_change || by_owner || taken {
            return;
        }
        let owner = self.facts.names.owner(key.0, key.1);
        let (Some(player), Some(first)) = (constant(mover), owner) else {
            return;
        };
        let known = |number: i64| {
            let at = usize::try_from(number - 1).ok()?;
            Some(game.players.get(at)?.node.clone())
        };
        let (Some(name), Some(owner)) = (known(player), known(i64::from(first))) else {
            return;
        };
        if player != i64::from(first) {
            self.others_moved = true;
            let rule_name = &rule.name.node;
            let message =
                format!("`{rule_name}` is a rule for {name} and moves what belongs to {owner}");
            let warning = Diagnostic::new(&codes::OTHERS_ELEMENT, mover.span, message);
            let warning =
                warning.also(rule.element.span, format!("these belong to player {first}"));
            let owner = first.to_string();
            self.push(warning.fix(format!("should it be `player={owner}`?"), mover.span, owner));
        }
    }

    fn matches(&mut self, space: Space, pattern: &Pattern) -> bool {
        let exists = self.facts.names.possible(space, pattern);
        if !exists {
            let noun = space.noun();
            let warning = |message| Diagnostic::new(&codes::NEVER_MATCHES, pattern.span, message);
            let warning = match pattern.slip() {
                Some(slip) => warning(format!("{slip}, so no {noun} fits the pattern")),
                None => {
                    let warning = warning(format!("no {noun} fits the pattern"));
                    self.facts.names.hint(warning, space, pattern, pattern.span)
                }
            };
            self.push(warning);
        }
        exists
    }

    /// Warns where the original engine would match otherwise.
    fn superset(&mut self, rule: &'a Rule) {
        let mut seen: IndexSet<&str> = IndexSet::new();
        let mut warn = |span, message: String, note: &str| {
            let warning = Diagnostic::new(&codes::PATTERN_SUPERSET, span, message);
            self.diagnostics.push(warning.note(note));
        };
        for pattern in [&rule.element, &rule.from, &rule.to] {
            for part in &pattern.parts {
                match part {
                    TemplatePart::Var(var) if !seen.insert(&var.node) => {
                        let message = format!(
                            "`${}` occurs twice and must match the same number",
                            var.node
                        );
                        warn(
                            var.span,
                            message,
                            "the original engine takes the last match and compares nothing",
                        );
                    }
                    TemplatePart::Text(text)
                        if pattern.literal().is_none()
                            && text.node.contains(|c: char| c.is_ascii_digit()) =>
                    {
                        let message =
                            "digits beside variables are matched as they stand".to_owned();
                        warn(
                            text.span,
                            message,
                            "to the original engine such a pattern matches nothing",
                        );
                    }
                    _ => {}
                }
            }
        }
        for pattern in [&rule.state, &rule.player] {
            if let Some(IntPattern::Bind(var)) = pattern
                && !seen.insert(&var.node)
            {
                let message = format!(
                    "`${}` occurs twice and must match the same number",
                    var.node
                );
                warn(
                    var.span,
                    message,
                    "the original engine takes the last match and compares nothing",
                );
            }
        }
    }

    fn pictures(&mut self, folder: &std::path::Path) {
        const LOOKED_FOR: usize = 1_000;
        let game = self.facts.game;
        let of_elements = game
            .element_types
            .values()
            .flat_map(|ty| &ty.pictures)
            .map(|picture| &picture.image);
        let of_locations = game
            .location_types
            .values()
            .filter_map(|ty| ty.image.as_ref());
        let mut names: IndexMap<&str, Span> = IndexMap::new();
        for image in game
            .board_image
            .iter()
            .chain(of_elements)
            .chain(of_locations)
        {
            names.entry(&image.node).or_insert(image.span);
        }
        for (name, span) in names.into_iter().take(LOOKED_FOR) {
            if !folder.join(name).is_file() {
                let message = format!("there is no picture `{name}`");
                self.push(Diagnostic::new(&codes::PICTURE, span, message));
            }
        }
    }
}
