//! What every consumer of a game may rely on.
//!
//! [`fn@verify`] looks at everything and gathers all errors:
//!
//! - the declarations: ids in range, unique names, initial values, shapes (this file)
//! - the type of every expression and statement ([`types`], [`stmts`])
//! - variables assigned before they are read, values on every path ([`flow`])
//! - who may call what: purity, suspension, recursion ([`calls`]); only if all else is well
//!
//! Besides what the types say by themselves, this holds of a verified game:
//!
//! - A loop over integers without charge, and every quantifier over integers, has bounds whose types
//!   admit at most [`MAX_ROUNDS`] rounds. A draw has at most as many results.
//! - A local variable that an expression binds is bound by expressions only, and never within another
//!   binding of itself.
//! - `break`, `continue` and `return` do not leave a trial; nothing in a trial stops or ends the game.
//! - The text of a move names all of its parameters.
//! - The text of a state, if the game has one, tells the outcome.

mod calls;
mod families;
mod flow;
mod stmts;
mod types;

use crate::sorted::SortedSet;
use std::fmt;

use super::print::type_text;
use super::*;
use crate::source::Span;

/// Greatest number of rounds of a loop or quantifier that is not charged for its rounds, and of
/// results of a draw.
pub const MAX_ROUNDS: i128 = 1 << 16;

/// Greatest number of cells of a variable or table, and of members of a domain.
pub const MAX_CELLS: usize = 1 << 24;

/// How deep expressions and statements may nest.
pub const MAX_NESTING: u32 = 400;

/// Greatest number of players.
pub const MAX_PLAYERS: usize = 64;

/// Something that is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// Place in the rules.
    pub span: Span,
    /// What is wrong, for people.
    pub text: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a game.
///
/// # Errors
/// Everything that is wrong with it.
pub fn verify(game: &Game) -> Result<(), Vec<VerifyError>> {
    let mut checker = Checker {
        game,
        errors: Vec::new(),
        item: String::new(),
    };
    checker.declarations();
    checker.bodies();
    if checker.errors.is_empty() {
        checker.calls();
    }
    match checker.errors.is_empty() {
        true => Ok(()),
        false => Err(checker.errors),
    }
}

/// Gathers errors.
struct Checker<'a> {
    game: &'a Game,
    errors: Vec<VerifyError>,
    /// What is being looked at, for messages.
    item: String,
}

impl<'a> Checker<'a> {
    fn error(&mut self, span: Span, text: impl std::fmt::Display) {
        let text = match self.item.is_empty() {
            true => text.to_string(),
            false => format!("{}: {text}", self.item),
        };
        self.errors.push(VerifyError { span, text });
    }

    fn expect(&mut self, holds: bool, span: Span, text: impl std::fmt::Display) {
        if !holds {
            self.error(span, text);
        }
    }

    fn type_text(&self, ty: &Type) -> String {
        type_text(self.game, ty)
    }

    /// The item of an arena, or an error.
    fn find<T>(&mut self, arena: &'a [T], index: usize, what: &str, span: Span) -> Option<&'a T> {
        let item = arena.get(index);
        self.expect(
            item.is_some(),
            span,
            format_args!("there is no {what} {index}"),
        );
        item
    }

    fn domain(&mut self, id: DomainId, span: Span) -> Option<&'a Domain> {
        self.find(&self.game.domains, id.index(), "domain", span)
    }

    /// Whether all domains in a type exist and it is well formed.
    fn known_type(&mut self, ty: &Type, span: Span) -> bool {
        match ty {
            Type::Bool | Type::Wrap32 | Type::Tagged => true,
            Type::Int { lo, hi } => {
                self.expect(lo <= hi, span, "the range of an integer type is empty");
                lo <= hi
            }
            Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => {
                self.domain(*domain, span).is_some()
            }
            Type::Seq { item, .. } => {
                self.expect(
                    item.is_scalar(),
                    span,
                    "the items of a sequence are no scalars",
                );
                item.is_scalar() && self.known_type(item, span)
            }
        }
    }

    fn unique<'n>(&mut self, what: &str, names: impl IntoIterator<Item = (&'n str, Span)>) {
        let mut seen = SortedSet::new();
        for (name, span) in names {
            self.expect(!name.is_empty(), span, format_args!("a {what} has no name"));
            let fresh = seen.insert(name);
            let text = format_args!("there are two {what}s named `{name}`");
            self.expect(fresh || name.is_empty(), span, text);
        }
    }

    fn declarations(&mut self) {
        let game = self.game;
        let nowhere = Span::default();
        let same = game.version == VERSION;
        let version = format_args!(
            "this is version {} of the form, not {VERSION}",
            game.version
        );
        self.expect(same, nowhere, version);
        self.unique(
            "domain",
            game.domains.iter().map(|d| (d.name.as_str(), d.span)),
        );
        self.unique(
            "table",
            game.tables.iter().map(|t| (t.name.as_str(), t.span)),
        );
        self.unique(
            "variable",
            game.vars.iter().map(|v| (v.name.as_str(), v.span)),
        );
        let env = game.env.iter().map(|v| (v.name.as_str(), nowhere));
        self.unique("variable of the environment", env);
        let placements = game.placements.iter();
        self.unique("placement", placements.map(|p| (p.name.as_str(), p.span)));
        self.unique(
            "relation",
            game.relations.iter().map(|r| (r.name.as_str(), nowhere)),
        );
        self.unique(
            "function",
            game.functions.iter().map(|f| (f.name.as_str(), f.span)),
        );
        let families = game.families.iter().map(|f| (f.name.as_str(), f.span));
        let draws = game.draws.iter().map(|d| (d.name.as_str(), d.span));
        self.unique("kind of move", families.chain(draws));
        self.unique(
            "snapshot",
            game.snapshots.iter().map(|s| (s.name.as_str(), nowhere)),
        );
        self.unique(
            "counter",
            game.counters.iter().map(|c| (c.name.as_str(), c.span)),
        );
        self.unique(
            "meter",
            game.meters.iter().map(|m| (m.name.as_str(), nowhere)),
        );
        self.unique(
            "trail",
            game.trails.iter().map(|t| (t.name.as_str(), nowhere)),
        );
        self.unique(
            "identity",
            game.identities.iter().map(|i| (i.name.as_str(), nowhere)),
        );
        self.unique(
            "probe",
            game.probes.iter().map(|p| (p.name.as_str(), nowhere)),
        );
        game.domains
            .iter()
            .for_each(|domain| self.check_domain(domain));
        self.check_players();
        game.tables.iter().for_each(|table| self.check_table(table));
        game.vars.iter().for_each(|var| self.check_var(var));
        for var in &game.env {
            self.item = format!("variable `{}` of the environment", var.name);
            self.known_type(&var.ty, nowhere);
        }
        game.placements.iter().for_each(|p| self.check_placement(p));
        game.draws.iter().for_each(|draw| self.check_draw(draw));
        self.check_slots();
        self.check_switches();
        self.check_unsure();
        self.check_scores();
        self.check_episode();
        self.check_statistics();
        self.item = String::from("the text of states");
        self.check_state_text();
        self.item.clear();
        self.check_presentation();
    }

    fn check_domain(&mut self, domain: &Domain) {
        self.item = format!("domain `{}`", domain.name);
        match &domain.members {
            Members::Names(names) => {
                let members = names.iter().map(|name| (name.as_str(), domain.span));
                self.unique("member", members);
            }
            Members::Range { lo, hi } => {
                self.expect(lo <= hi, domain.span, "the range is empty");
                let size = i128::from(*hi) - i128::from(*lo) + 1;
                let fits = size <= MAX_CELLS as i128;
                self.expect(fits, domain.span, "there are too many members");
            }
        }
        self.item.clear();
    }

    fn check_players(&mut self) {
        let Some(players) = self.domain(self.game.players, Span::default()) else {
            return;
        };
        let fits = match &players.members {
            Members::Names(names) => (1..=MAX_PLAYERS).contains(&names.len()),
            Members::Range { lo, hi } => {
                (0..MAX_PLAYERS as i128).contains(&(i128::from(*hi) - i128::from(*lo)))
            }
        };
        let text = format_args!("there must be 1 to {MAX_PLAYERS} players");
        self.expect(fits, players.span, text);
    }

    /// Number of cells of axes; an error if there are too many.
    fn cells(&mut self, axes: &[Axis], span: Span) -> Option<usize> {
        let mut cells = Some(1_usize);
        for axis in axes {
            let len = match axis {
                Axis::Domain(domain) => self.domain(*domain, span)?.len(),
                Axis::Range { lo, hi } => {
                    self.expect(lo <= hi, span, "the range of an axis is empty");
                    let len = i128::from(*hi) - i128::from(*lo) + 1;
                    usize::try_from(len.max(0)).unwrap_or(usize::MAX)
                }
            };
            cells = cells.and_then(|cells| cells.checked_mul(len));
        }
        let cells = cells.filter(|cells| *cells <= MAX_CELLS);
        self.expect(cells.is_some(), span, "there are too many cells");
        cells
    }

    fn check_values(&mut self, axes: &[Axis], ty: &Type, values: &[Const], span: Span) {
        let known = self.known_type(ty, span);
        let Some(cells) = self.cells(axes, span) else {
            return;
        };
        let text = format_args!("{cells} values are needed, {} are given", values.len());
        self.expect(cells == values.len(), span, text);
        if known {
            values
                .iter()
                .for_each(|value| self.check_const(value, ty, span));
        }
    }

    /// Whether a constant is a value of a type whose domains exist.
    fn check_const(&mut self, value: &Const, ty: &Type, span: Span) {
        if !fits(self.game, value, ty) {
            let text = format!("{value:?} is no value of type {}", self.type_text(ty));
            self.error(span, text);
        }
    }

    fn check_table(&mut self, table: &Table) {
        self.item = format!("table `{}`", table.name);
        self.expect(
            !table.axes.is_empty(),
            table.span,
            "a table has an argument",
        );
        self.check_values(&table.axes, &table.ty, &table.values, table.span);
        if let Some(outside) = &table.outside
            && self.known_type(&table.ty, table.span)
        {
            self.check_const(outside, &table.ty, table.span);
        }
        self.item.clear();
    }

    fn check_var(&mut self, var: &Var) {
        self.item = format!("variable `{}`", var.name);
        self.check_values(&var.axes, &var.ty, &var.init, var.span);
        self.item.clear();
    }

    fn check_placement(&mut self, placement: &Placement) {
        self.item = format!("placement `{}`", placement.name);
        let span = placement.span;
        let pieces = self.domain(placement.pieces, span);
        let places = self.domain(placement.places, span);
        if let (Some(pieces), Some(places)) = (pieces, places) {
            let anonymous = placement.form == PlacementForm::Anonymous;
            let (keys, values) = match anonymous {
                true => (places.len(), pieces.len()),
                false => (pieces.len(), places.len()),
            };
            let full = placement.init.len() == keys;
            let given = placement.init.len();
            let text = format_args!("{keys} initial values are needed, {given} are given");
            self.expect(full, span, text);
            let mut taken = SortedSet::new();
            for &at in placement.init.iter().flatten() {
                let text = "an initial value is no member of the domain";
                self.expect((at as usize) < values, span, text);
                let free = taken.insert(at) || placement.form != PlacementForm::One;
                self.expect(free, span, "two pieces begin on a place with room for one");
            }
        }
        self.item.clear();
    }

    fn check_draw(&mut self, draw: &Draw) {
        self.item = format!("draw `{}`", draw.name);
        match &draw.ty {
            Type::Elem(domain) => {
                let len = self.domain(*domain, draw.span).map_or(0, Domain::len);
                let fits = len as i128 <= MAX_ROUNDS;
                self.expect(fits, draw.span, "the draw has too many results");
            }
            Type::Int { lo, hi } => {
                let len = i128::from(*hi) - i128::from(*lo) + 1;
                let fits = (1..=MAX_ROUNDS).contains(&len);
                self.expect(fits, draw.span, "the draw has too many results, or none");
            }
            _ => self.error(
                draw.span,
                "what is drawn is neither a member nor an integer",
            ),
        }
        self.check_text(&draw.text, 1, draw.span);
        self.item.clear();
    }

    /// Whether a text of moves names every parameter and nothing else.
    fn check_text(&mut self, text: &[TextPart], params: usize, span: Span) {
        let mut named = SortedSet::new();
        for part in text {
            if let TextPart::Param(index) = part {
                let known = *index < params;
                self.expect(
                    known,
                    span,
                    format_args!("the text names parameter {index}"),
                );
                named.insert(*index);
            }
        }
        let all = (0..params).all(|index| named.contains(&index));
        self.expect(all, span, "the text does not name every parameter");
    }

    fn check_slots(&mut self) {
        let game = self.game;
        let nowhere = Span::default();
        for slot in &game.snapshots {
            self.item = format!("snapshot `{}`", slot.name);
            let mut vars = SortedSet::new();
            for var in &slot.vars {
                self.find(&game.vars, var.index(), "variable", nowhere);
                self.expect(vars.insert(var), nowhere, "a variable is kept twice");
            }
            let mut placements = SortedSet::new();
            for placement in &slot.placements {
                self.find(&game.placements, placement.index(), "placement", nowhere);
                let fresh = placements.insert(placement);
                self.expect(fresh, nowhere, "a placement is kept twice");
            }
        }
        for trail in &game.trails {
            self.item = format!("trail `{}`", trail.name);
            self.find(
                &game.identities,
                trail.identity.index(),
                "identity",
                nowhere,
            );
            let fits = (1..=MAX_CELLS).contains(&(trail.capacity as usize));
            self.expect(fits, nowhere, "the capacity is out of bounds");
        }
        self.item.clear();
        self.find(&game.identities, game.equality.index(), "identity", nowhere);
        if let Some(future) = &game.future {
            for identity in [Some(future.identity), future.timeless]
                .into_iter()
                .flatten()
            {
                self.find(&game.identities, identity.index(), "identity", nowhere);
            }
        }
        if let Some(hand_over) = &game.hand_over
            && let Some(var) = self.find(&game.vars, hand_over.var.index(), "variable", nowhere)
        {
            let text = "what says who decides is a plain variable";
            self.expect(var.axes.is_empty(), var.span, text);
        }
    }

    fn check_statistics(&mut self) {
        let game = self.game;
        let nowhere = Span::default();
        for counter in &game.counters {
            self.item = format!("counter `{}`", counter.name);
            if let Some(axis) = counter.axis {
                self.domain(axis, counter.span);
            }
        }
        let plain = |var: &Var| var.axes.is_empty() && var.ty.int_range().is_some();
        for meter in &game.meters {
            self.item = format!("meter `{}`", meter.name);
            if let Some(var) = self.find(&game.vars, meter.var.index(), "variable", nowhere) {
                self.expect(plain(var), var.span, "a meter is a plain integer");
            }
            let text = "a unit is made of at least one";
            self.expect(meter.per > 0, nowhere, text);
        }
        self.item.clear();
        if let Some(limit) = game.limit
            && let Some(var) = self.find(&game.vars, limit.index(), "variable", nowhere)
        {
            self.expect(plain(var), var.span, "the limit is a plain integer");
        }
    }

    fn check_scores(&mut self) {
        let Some(id) = self.game.scores else {
            return;
        };
        let Some(var) = self.find(&self.game.vars, id.index(), "variable", Span::default()) else {
            return;
        };
        let indexed = var.axes == [Axis::Domain(self.game.players)];
        let number = matches!(var.ty, Type::Int { .. } | Type::Wrap32);
        let text = "scores are integers, one for each player";
        self.expect(indexed && number, var.span, text);
    }

    /// What a host relies on: the units, targets and places are few enough for sets in one word, and the variables
    /// are of the types that are said.
    fn check_episode(&mut self) {
        let game = self.game;
        let Some(episode) = &game.episode else {
            return;
        };
        self.item = String::from("the episode");
        let nowhere = Span::default();
        let var = |id: VarId| game.vars.get(id.index());
        let unit = match var(episode.present).map(|var| (&var.ty, var.axes.len())) {
            Some((Type::Set(unit), 0)) => *unit,
            _ => return self.expect(false, nowhere, "what is present is no set"),
        };
        let units = self.domain(unit, nowhere).map_or(usize::MAX, Domain::len);
        self.expect(units <= 64, nowhere, "there are more than 64 units");
        let by_unit = [Axis::Domain(unit)];
        let member = |id: VarId| match var(id) {
            Some(var) if var.axes == by_unit => match var.ty {
                Type::Elem(domain) => Some(domain),
                _ => None,
            },
            _ => None,
        };
        let kinds = member(episode.kinds).and_then(|domain| self.domain(domain, nowhere));
        let known = kinds.is_some_and(|kinds| kinds.len() == episode.looks.len());
        self.expect(
            known,
            nowhere,
            "the kinds of units are not those that are told of",
        );
        let places = match episode.places {
            Some(places) => member(places),
            None => Some(unit),
        };
        let places = places.and_then(|domain| self.domain(domain, nowhere));
        let few = places.is_some_and(|places| places.len() <= 64);
        self.expect(
            few,
            nowhere,
            "the places of units are unknown or more than 64",
        );
        let target = var(episode.accepted).and_then(|var| match (&var.ty, &var.axes[..]) {
            (Type::Set(of), [Axis::Domain(target)]) if *of == unit => Some(*target),
            _ => None,
        });
        let family = game.families.get(episode.family.index());
        let params: Vec<&Type> = family
            .iter()
            .flat_map(|f| &f.params)
            .map(|p| &p.ty)
            .collect();
        let wanted = target.map(|target| [Type::Elem(target), Type::Elem(unit)]);
        let fits = wanted.is_some_and(|wanted| params == wanted.iter().collect::<Vec<_>>());
        let text = "the moves are not those of units to targets that accept them";
        self.expect(
            fits && family.is_some_and(|f| f.context.is_empty()),
            nowhere,
            text,
        );
        let number = |id: VarId, axes: usize| {
            var(id).is_some_and(|var| var.axes.len() == axes && matches!(var.ty, Type::Int { .. }))
        };
        let counts =
            number(episode.row, 0) && number(episode.row_left, 0) && number(episode.atoms_left, 1);
        self.expect(counts, nowhere, "the counters are no numbers");
        let looks = episode.looks.len() as u64;
        let listed = |family: &KindFamily| {
            let all = family.draws.iter().map(|&n| u64::from(n)).product::<u64>();
            let known = family.kinds.iter().all(|&kind| u64::from(kind) < looks);
            known && all == family.kinds.len() as u64
        };
        if let BoardSource::Families { families, .. } = &episode.boards {
            let sound = families.iter().all(listed);
            let text = "the draws of a family do not lead to its kinds";
            self.expect(sound, nowhere, text);
        }
    }

    fn check_state_text(&mut self) {
        let parts = &self.game.state_text;
        if parts.is_empty() {
            return;
        }
        let outcomes = count_outcomes(parts);
        let text = "the outcome must be told once";
        self.expect(outcomes == 1, Span::default(), text);
        self.check_state_parts(parts, None);
    }

    fn check_state_parts(&mut self, parts: &'a [StatePart], index: Option<DomainId>) {
        for part in parts {
            self.check_state_part(part, index);
        }
    }

    fn check_state_part(&mut self, part: &'a StatePart, index: Option<DomainId>) {
        let game = self.game;
        let nowhere = Span::default();
        match part {
            StatePart::Text(_) | StatePart::Outcome => {}
            StatePart::Point => {}
            StatePart::Index => {
                self.expect(index.is_some(), nowhere, "there is no index to name");
            }
            StatePart::Each {
                domain,
                order,
                parts,
                ..
            } => {
                let len = self.domain(*domain, nowhere).map_or(0, Domain::len);
                let distinct: SortedSet<&u32> = order.iter().collect();
                let known = order.iter().all(|&member| (member as usize) < len);
                let text = "the members in order are no members, or not distinct";
                self.expect(known && distinct.len() == order.len(), nowhere, text);
                let outcome = count_outcomes(parts) == 0;
                self.expect(outcome, nowhere, "the outcome is told for each member");
                self.check_state_parts(parts, Some(*domain));
            }
            StatePart::Place(id) => {
                let found = self.find(&game.placements, id.index(), "placement", nowhere);
                let fits = found
                    .is_none_or(|p| index == Some(p.pieces) && p.form != PlacementForm::Anonymous);
                self.expect(fits, nowhere, "the index is no piece of the placement");
            }
            StatePart::Content(id) => {
                let found = self.find(&game.placements, id.index(), "placement", nowhere);
                let fits =
                    found.is_none_or(|p| index == Some(p.places) && p.form != PlacementForm::Many);
                self.expect(
                    fits,
                    nowhere,
                    "the index is no place of the placement for one",
                );
            }
            StatePart::Var(id, style) => {
                let Some(var) = self.find(&game.vars, id.index(), "variable", nowhere) else {
                    return;
                };
                let fits = match var.axes.as_slice() {
                    [] => true,
                    [Axis::Domain(domain)] => index == Some(*domain),
                    _ => false,
                };
                let text = format_args!("the index does not fit variable `{}`", var.name);
                self.expect(fits, nowhere, text);
                let member = matches!(var.ty, Type::Elem(_) | Type::Opt(_));
                let text = format_args!("variable `{}` has no members to number", var.name);
                self.expect(*style == VarStyle::Named || member, nowhere, text);
            }
            StatePart::Snapshot(id) => {
                self.find(&game.snapshots, id.index(), "snapshot", nowhere);
            }
        }
    }

    fn check_switches(&mut self) {
        let game = self.game;
        if game.switches.is_empty() {
            return;
        }
        let constant = crate::ir::effects::constants(game).vars;
        for switch in &game.switches {
            let nowhere = Span::default();
            let Some(var) = self.find(&game.vars, switch.index(), "variable", nowhere) else {
                continue;
            };
            let plain = var.ty == Type::Bool && var.axes.is_empty();
            let text = format!(
                "the switch `{}` is no truth value that stays as it is",
                var.name
            );
            self.expect(plain && constant.contains(switch), var.span, text);
        }
    }

    fn check_unsure(&mut self) {
        let game = self.game;
        for unsure in &game.unsure {
            let nowhere = Span::default();
            let found = self.find(&game.vars, unsure.index(), "variable", nowhere);
            let Some(var) = found else {
                continue;
            };
            let plain = var.ty == Type::Bool && var.axes.is_empty() && var.meter;
            let text = format!("`{}` does not say what is not known", var.name);
            self.expect(plain && var.init == [Const::Bool(true)], var.span, text);
        }
    }

    fn check_presentation(&mut self) {
        let game = self.game;
        let nowhere = Span::default();
        let places = game
            .presentation
            .places
            .iter()
            .map(|l| (l.domain, l.member));
        let pieces = game
            .presentation
            .pieces
            .iter()
            .map(|l| (l.domain, l.member));
        let colours = &game.presentation.colours;
        let colours = colours.iter().map(|c| (c.domain, c.member));
        let owners = &game.presentation.owners;
        let owners = owners.iter().map(|o| (o.domain, o.member));
        let links = game.presentation.links.iter();
        let links = links.flat_map(|link| [(link.domain, link.from), (link.domain, link.to)]);
        let all = places.chain(pieces).chain(colours).chain(owners);
        for (domain, member) in all.chain(links) {
            let len = self.domain(domain, nowhere).map_or(usize::MAX, Domain::len);
            let known = (member as usize) < len;
            self.expect(known, nowhere, "the presentation shows what does not exist");
        }
        let players = game.player_count();
        let mut owned = game.presentation.owners.iter();
        let known = owned.all(|owner| (owner.player as usize) < players)
            && game.presentation.turned.len() <= players;
        self.expect(
            known,
            nowhere,
            "the presentation shows a player who does not exist",
        );
        for look in &game.presentation.pieces {
            for var in look.state.iter().chain(&look.z_order) {
                self.find(&game.vars, var.index(), "variable", nowhere);
            }
        }
        if let Some(id) = game.presentation.drawing {
            let player = self.find(&game.vars, id.index(), "variable", nowhere);
            let player =
                player.is_none_or(|var| var.axes.is_empty() && var.ty == Type::Elem(game.players));
            self.expect(
                player,
                nowhere,
                "the presentation shows as a player who is none",
            );
        }
        let Some(look) = &game.nest_look else { return };
        let shown = look.kinds.len();
        let lists = [look.named.len(), look.first.len(), look.first_owners.len()];
        let text = "the presentation has lists of different lengths";
        self.expect(lists == [shown; 3], nowhere, text);
        let len = self
            .domain(look.pieces, nowhere)
            .map_or(usize::MAX, Domain::len);
        let text = "the presentation shows what does not exist";
        self.expect(shown <= len, nowhere, text);
        if let Some(placement) = look.placement {
            self.find(&game.placements, placement.index(), "placement", nowhere);
        }
        let heaps = look.heaps.iter();
        let heaps = heaps.flat_map(|heap| [heap.inside, heap.owned, Some(heap.loose)]);
        for var in heaps.chain([look.exists, look.owner]).flatten() {
            self.find(&game.vars, var.index(), "variable", nowhere);
        }
    }
}

fn count_outcomes(parts: &[StatePart]) -> usize {
    let outcome = |part: &&StatePart| matches!(part, StatePart::Outcome);
    parts.iter().filter(outcome).count()
}

/// Whether a constant is a value of a type whose domains exist.
fn fits(game: &Game, value: &Const, ty: &Type) -> bool {
    let member = |domain: &DomainId, member: u32| (member as usize) < game.domain(*domain).len();
    match (value, ty) {
        (Const::Bool(_), Type::Bool) => true,
        (Const::Int(i), Type::Int { lo, hi }) => (lo..=hi).contains(&i),
        (Const::Int(i), Type::Wrap32) => i32::try_from(*i).is_ok(),
        (Const::Elem(m), Type::Elem(domain) | Type::Opt(domain)) => member(domain, *m),
        (Const::None, Type::Opt(_)) => true,
        (Const::Set(members), Type::Set(domain)) => {
            members.windows(2).all(|pair| pair[0] < pair[1])
                && members.iter().all(|m| member(domain, *m))
        }
        (Const::Seq(items), Type::Seq { item, cap }) => {
            items.len() <= *cap as usize && items.iter().all(|i| fits(game, i, item))
        }
        (Const::Tagged(ty, value), Type::Tagged) => {
            let known = match ty.as_ref() {
                Type::Elem(d) | Type::Opt(d) => d.index() < game.domains.len(),
                other => other.is_scalar() && **ty != Type::Tagged && widest(other),
            };
            known && fits(game, value, ty)
        }
        _ => false,
    }
}

/// Whether an integer type is that of all integers; other types are.
fn widest(ty: &Type) -> bool {
    match ty {
        Type::Int { .. } => *ty == Type::INT,
        _ => true,
    }
}
