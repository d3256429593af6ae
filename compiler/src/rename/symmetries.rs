//! Looks for symmetries: candidates by colour refinement over what a game means, each of which the renaming test has to accept.
//!
//! Members have one colour as long as nothing tells them apart: the terms that name them, and the tables that lead to and from
//! them, have one colour too. Where that leaves a choice, one member is singled out and another one put in its place, and so on,
//! until the rest follows (as programs for automorphisms of graphs do: McKay, 1981).

use std::cell::OnceCell;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::observe::{Plane, planes};
use crate::ir::{
    Const, DomainId, Game, Interchangeable, PlacementForm, Symmetries, Symmetry, VarId, effects,
};
use crate::opt::future;

use super::colours::{Colours, mix};
use super::graph::Graph;
use super::meaning::{Meaning, suspended};
use super::mirrors;
use super::shown::{self, Shown};
use super::terms::Form;
use super::told::{self, Finder};
use super::values::Raised;
use super::{Members, Plain, renaming};

/// Renamings that are noted of one game.
const MOST_SYMMETRIES: usize = 256;
/// Times that colours are refined.
const MOST_REFINEMENTS: usize = 1_000;
/// Candidates that are tested.
const MOST_CANDIDATES: usize = 200;
/// Members that are singled out one after the other.
const MOST_LEVELS: usize = 12;
/// Members in any order: one more has more orders than are noted.
const MOST_NAMES: usize = 5;

/// The program of which the meaning is looked for: the same game, without what no rule needs.
fn program_of(plain: &Plain) -> Game {
    let mut program = plain.game().clone();
    future::drop_unread(&mut program);
    suspended(&program)
}

/// The symmetries of a game whose pieces that are alike are known.
///
/// # Errors
/// Why the meaning of the game was not found.
pub(super) fn of(game: &Game, plain: &Plain) -> Result<Symmetries, String> {
    found_in(game, program_of(plain), false)
}

/// The same, by the machine that passes made, where what rules ask of many places is asked of sets of them.
///
/// # Errors
/// Why the meaning of the game was not found.
pub(super) fn of_sets(game: &Game, mut machine: Game) -> Result<Symmetries, String> {
    future::drop_unread(&mut machine);
    found_in(game, machine, true)
}

/// The symmetries of a game by the meaning of a program that plays it.
fn found_in(game: &Game, program: Game, by_sets: bool) -> Result<Symmetries, String> {
    let seen = planes(&program);
    let raised = Raised::of(game, &program);
    // Planes may be more as the rules spell the game.
    let tells_planes =
        seen.len() == planes(game).len() && raised.show_the_same([game, &program], &seen);
    let named = raised.raise(game.clone());
    let program = raised.raise(program);
    let sought = Sought {
        game,
        named: &named,
        raised: &raised,
        tells_planes,
    };
    let by_meaning = |form| sought.by_meaning(&program, (&seen, by_sets), form);
    let mut best = by_meaning(Form::FIRST);
    if !matches!(&best, Ok((_, true))) {
        best = larger_of(best, by_meaning(Form::SMALL));
    }
    if best.is_err() && !by_sets {
        best = larger_of(best, sought.as_written(&program, &seen));
    }
    let kinds = named.interchangeable.iter().filter(|class| class.pieces);
    if sought.has_sides()
        && kinds.count() > 1
        && !best
            .as_ref()
            .is_ok_and(|(found, _)| sought.exchanges(found))
    {
        best = larger_of(best, by_meaning(Form::BY_KINDS));
    }
    best.map(|(mut found, _)| {
        if sought.has_sides() && !by_sets && found.apart.is_none() && !sought.exchanges(&found) {
            found.apart = sought.told_apart(&program, &seen);
        }
        found
    })
}

/// What was found, and whether the work of looking for it was not cut short.
type Found = Result<(Symmetries, bool), String>;

/// The larger of two groups; the reason of the first where neither is found.
fn larger_of(first: Found, second: Found) -> Found {
    match (first, second) {
        (Ok((first, whole)), Ok((second, _))) if first.order() >= second.order() => {
            Ok((first, whole))
        }
        (first, Err(_)) => first,
        (_, second) => second,
    }
}

/// A game of which symmetries are looked for.
struct Sought<'g> {
    game: &'g Game,
    /// The same, in which values are members.
    named: &'g Game,
    raised: &'g Raised,
    /// Whether what is found of planes holds of those of the game.
    tells_planes: bool,
}

impl Sought<'_> {
    fn has_sides(&self) -> bool {
        self.game.domain(self.game.players).len() > 1
    }

    /// Whether some symmetry exchanges players.
    fn exchanges(&self, found: &Symmetries) -> bool {
        found.of_players(self.game) < found.order()
    }

    /// The symmetries by the meaning of a program with its conditions in some form.
    fn by_meaning(&self, program: &Game, (seen, by_sets): (&[Plane], bool), form: Form) -> Found {
        let meaning = Meaning::of(program, seen, by_sets, form)?;
        Ok(self.by(meaning))
    }

    /// The symmetries by what the rules of a program say as they are written.
    fn as_written(&self, program: &Game, seen: &[Plane]) -> Found {
        Ok(self.by(Meaning::as_written(program, seen)?))
    }

    /// What tells players apart.
    fn told_apart(&self, program: &Game, seen: &[Plane]) -> Option<String> {
        let meaning = Meaning::as_written(program, seen).ok()?;
        let graph = Graph::of(self.named, &meaning);
        told::apart(
            self.named,
            &graph,
            &Finder::of(self.named, &graph, &meaning),
        )
    }

    fn by(&self, mut meaning: Meaning<'_>) -> (Symmetries, bool) {
        let graph = Graph::of(self.named, &meaning);
        let generators = Search::new(self.named, &graph, &mut meaning).generators();
        let generators = generators.into_iter();
        let generators = generators.map(|found| match self.tells_planes {
            true => shown::with_what_is_shown(self.game, &mut meaning, found),
            false => found,
        });
        let generators = generators.collect();
        let mut group = self.group(&mut meaning, generators);
        let finder = OnceCell::new();
        let finder = || finder.get_or_init(|| Finder::of(self.named, &graph, &meaning));
        group.mirrors = mirrors::refused(self.named, &graph, finder, &group.all);
        // Only where rules are read as they are written is it known where they say something.
        if !meaning.places.is_empty() && self.has_sides() && !self.exchanges(&group) {
            group.apart = told::apart(self.named, &graph, finder());
        }
        (group, meaning.terms.failed.is_none())
    }

    /// All that some renamings generate.
    fn group(&self, meaning: &mut Meaning<'_>, generators: Vec<(Members, Vec<u32>)>) -> Symmetries {
        let mut known: SortedMap<Members, Vec<u32>> = SortedMap::new();
        let families: Vec<u32> = (0..self.game.families.len() as u32).collect();
        let mut used: Vec<(Members, Vec<u32>)> = Vec::new();
        for generator in generators {
            used.push(generator);
            match closure(self.named, &used, &families) {
                Some(all) => known = all,
                None => {
                    used.pop();
                }
            }
        }
        known.remove(&Members::new());
        let shown = Shown::of(self.game);
        let start = Start::of(self.named, &shown, &Members::new());
        // Who forgets which of several pieces stands where does not know what is shown of it.
        let tells_planes = self.tells_planes && shown.keeps_to_classes(self.game);
        let all_planes = planes(self.game);
        let all = known.into_iter().map(|(members, families)| {
            let by = renaming(&members);
            let fixes_start = Start::of(self.named, &shown, &members) == start;
            let fixes_start = fixes_start && meaning.keeps_start(&by);
            let planes = match tells_planes {
                true => meaning.seen_after(&by),
                false => None,
            };
            let (members, values) = self.raised.lower(self.game, members);
            // What is not shown of a place is 0, which must not be the name of something else.
            let planes = planes.filter(|planes| {
                keep_zero(self.game, &values) && have_one_form(&all_planes, planes)
            });
            let keeps_planes = planes.is_some();
            let moved = |planes: &Vec<u32>| (0..).zip(planes).any(|(own, source)| own != *source);
            let planes = planes.filter(moved);
            Symmetry {
                fixes_start,
                keeps_planes,
                planes: planes.unwrap_or_default(),
                members,
                values,
                families,
            }
        });
        let mut all: Vec<Symmetry> = all.collect();
        all.sort_by_key(|symmetry| {
            let moves_players = !symmetry.keeps(self.game.players);
            (
                moves_players,
                symmetry.members.clone(),
                symmetry.values.clone(),
            )
        });
        Symmetries {
            all,
            ..Symmetries::default()
        }
    }
}

/// Whether planes that are made from others have as many cells as these, with the same values.
fn have_one_form(planes: &[Plane], sources: &[u32]) -> bool {
    let form = |plane: &Plane| (plane.cells, plane.low, plane.high);
    let mut pairs = planes.iter().zip(sources);
    pairs.all(|(plane, source)| {
        planes
            .get(*source as usize)
            .is_some_and(|source| form(source) == form(plane))
    })
}

/// Whether new values of variables are 0 where the old ones are.
fn keep_zero(game: &Game, values: &SortedMap<VarId, Vec<i64>>) -> bool {
    values.iter().all(|(var, new)| {
        let range = game.var(*var).ty.int_range();
        range.is_some_and(|(lo, _)| lo > 0 || new.first() == Some(&0))
    })
}

/// The group of some renamings with what they make of families; nothing if it is too large.
fn closure(
    game: &Game,
    generators: &[(Members, Vec<u32>)],
    families: &[u32],
) -> Option<SortedMap<Members, Vec<u32>>> {
    let mut known = SortedMap::from([(Members::new(), families.to_vec())]);
    let mut open = vec![(Members::new(), families.to_vec())];
    while let Some((members, families)) = open.pop() {
        for (other, others) in generators {
            let next = after(game, &members, other);
            if known.contains_key(&next) {
                continue;
            }
            let image = families.iter().map(|&f| others[f as usize]).collect();
            let families: Vec<u32> = image;
            known.insert(next.clone(), families.clone());
            open.push((next, families));
            if known.len() > MOST_SYMMETRIES {
                return None;
            }
        }
    }
    Some(known)
}

/// One renaming after the other.
fn after(game: &Game, first: &Members, second: &Members) -> Members {
    let domains: SortedSet<DomainId> = first.keys().chain(second.keys()).copied().collect();
    let new = |members: &Members, domain: DomainId, member: u32| {
        let own = members.get(&domain);
        own.map_or(member, |own| own[member as usize])
    };
    let mut both = Members::new();
    for domain in domains {
        let all = 0..game.domain(domain).len() as u32;
        let joined: Vec<u32> = all
            .map(|member| new(second, domain, new(first, domain, member)))
            .collect();
        if joined.iter().zip(0..).any(|(new, old)| *new != old) {
            both.insert(domain, joined);
        }
    }
    both
}

/// The start of a game under a renaming, apart from which of several pieces that are alike is which.
#[derive(PartialEq)]
struct Start(Vec<(usize, Vec<u32>, Vec<Const>)>);

impl Start {
    fn of(game: &Game, shown: &Shown, members: &Members) -> Start {
        let by = renaming(members);
        let first = |domain: DomainId, member: u32| -> u32 {
            let alone = |class: &&Interchangeable| {
                class.domain == domain
                    && class.with_places.is_none()
                    && class.members.contains(&member)
            };
            let class = game.interchangeable.iter().find(alone);
            let mut members = class.into_iter().flat_map(|class| &class.members);
            let first = members.find(|other| shown.are_equal(domain, [member, **other]));
            first.copied().unwrap_or(member)
        };
        let constants = effects::constants(game);
        let mut facts = Vec::new();
        let of_pieces: SortedSet<DomainId> = (game.placements.iter())
            .filter(|at| at.form != PlacementForm::Anonymous)
            .map(|at| at.pieces)
            .collect();
        let written = |index: usize| !constants.vars.contains(&index.into());
        for (index, var) in game.vars.iter().enumerate().filter(|(i, _)| written(*i)) {
            let of_piece = match var.axes[..] {
                [crate::ir::Axis::Domain(domain)] => of_pieces.contains(&domain),
                _ => false,
            };
            if of_piece {
                continue;
            }
            let cells = cells_of(game, &var.axes);
            for (cell, value) in cells.iter().zip(&var.init) {
                let mut at = Vec::new();
                for (axis, index) in var.axes.iter().zip(cell) {
                    at.push(match axis {
                        crate::ir::Axis::Domain(domain) => by.member(*domain, *index),
                        crate::ir::Axis::Range { .. } => *index,
                    });
                }
                facts.push((index, at, vec![by.constant(&var.ty, value)]));
            }
        }
        for (index, placement) in game.placements.iter().enumerate() {
            let (keys, values) = match placement.form {
                PlacementForm::Anonymous => (placement.places, placement.pieces),
                _ => (placement.pieces, placement.places),
            };
            for (key, value) in (0..).zip(&placement.init) {
                let value = value.map(|value| first(values, by.member(values, value)));
                let mut all = vec![value.map_or(Const::None, Const::Elem)];
                for (var, declared) in game.vars.iter().enumerate().filter(|(i, _)| written(*i)) {
                    if declared.axes == [crate::ir::Axis::Domain(keys)] && of_pieces.contains(&keys)
                    {
                        let own = declared.init.get(key as usize);
                        let own = own.map(|own| by.constant(&declared.ty, own));
                        all.push(Const::Int(var as i64));
                        all.extend(own);
                    }
                }
                let key = first(keys, by.member(keys, key));
                facts.push((game.vars.len() + index, vec![key], all));
            }
        }
        facts.sort();
        Start(facts)
    }
}

/// The indexes of all cells, last axis fastest.
fn cells_of(game: &Game, axes: &[crate::ir::Axis]) -> Vec<Vec<u32>> {
    let mut cells = vec![Vec::new()];
    for axis in axes {
        let len = axis.len(game) as u32;
        cells = cells
            .iter()
            .flat_map(|cell: &Vec<u32>| (0..len).map(move |at| [&cell[..], &[at]].concat()))
            .collect();
    }
    cells
}

/// Looks for renamings.
struct Search<'s, 'g> {
    game: &'s Game,
    graph: &'s Graph,
    meaning: &'s mut Meaning<'g>,
    refinements: usize,
    candidates: usize,
}

/// A member that is singled out, those of its colour, and the colours before.
type Level = (u32, Vec<u32>, Colours);

impl<'s, 'g> Search<'s, 'g> {
    fn new(game: &'s Game, graph: &'s Graph, meaning: &'s mut Meaning<'g>) -> Self {
        Search {
            game,
            graph,
            meaning,
            refinements: 0,
            candidates: 0,
        }
    }

    /// Singles a member out in refined colours, and refines them again.
    fn single_out(&mut self, colours: &mut Colours, member: u32, level: usize) {
        let colour = &mut colours[member as usize];
        *colour = mix(*colour, 0x5157 + level as u64);
        self.refine(colours, Some(member));
    }

    fn refine(&mut self, colours: &mut Colours, changed: Option<u32>) {
        self.refinements += 1;
        self.graph.neighbours.refine(colours, changed);
    }

    /// The members of each colour that several have.
    fn cells(&self, colours: &Colours) -> SortedMap<u64, Vec<u32>> {
        let mut cells: SortedMap<u64, Vec<u32>> = SortedMap::new();
        for (member, colour) in (0..).zip(colours.iter().take(self.graph.members)) {
            cells.entry(*colour).or_default().push(member);
        }
        cells
    }

    /// The cell from which the next member is chosen: a smallest one whose members do not differ by their names alone.
    fn next_cell(&self, colours: &Colours, names: &SortedSet<u32>) -> Option<Vec<u32>> {
        let cells = self.cells(colours).into_values();
        let open = cells.filter(|cell| cell.len() > 1 && !names.contains(&cell[0]));
        open.min_by_key(|cell| (cell.len(), cell[0]))
    }

    fn generators(mut self) -> Vec<(Members, Vec<u32>)> {
        let mut colours = self.graph.colours.clone();
        self.refine(&mut colours, None);
        // The members that are singled out one after the other, and the colours before and after each.
        let mut levels: Vec<Level> = Vec::new();
        let mut names: SortedSet<u32> = SortedSet::new();
        while let Some(cell) = self.next_cell(&colours, &names) {
            if levels.len() > MOST_LEVELS {
                break;
            }
            let chosen = cell[0];
            levels.push((chosen, cell, colours.clone()));
            self.single_out(&mut colours, chosen, levels.len());
            if let Some(first) = only_names(&levels) {
                colours.clone_from(&levels[first].2);
                names.extend(&levels[first].1);
                levels.truncate(first);
            }
        }
        let mut found: Vec<(Members, Vec<u32>)> = Vec::new();
        for at in (0..levels.len()).rev() {
            let (chosen, cell, before) = levels[at].clone();
            for &other in &cell {
                if other == chosen || self.orbit(&found, &levels[..at], chosen).contains(&other) {
                    continue;
                }
                let mut right = before.clone();
                self.single_out(&mut right, other, at + 1);
                if let Some(new) = self.extend(&levels, at + 1, &colours, &right) {
                    found.push(new);
                }
                if self.is_spent() {
                    return found;
                }
            }
        }
        found
    }

    fn is_spent(&self) -> bool {
        self.refinements > MOST_REFINEMENTS
            || self.candidates > MOST_CANDIDATES
            || self.meaning.terms.failed.is_some()
    }

    /// Where renamings that keep the members of some levels take a member.
    fn orbit(&self, found: &[(Members, Vec<u32>)], kept: &[Level], member: u32) -> SortedSet<u32> {
        let fixing: Vec<&Members> = found
            .iter()
            .map(|(members, _)| members)
            .filter(|members| {
                kept.iter()
                    .all(|level| self.image(members, level.0) == level.0)
            })
            .collect();
        let mut orbit = SortedSet::from([member]);
        let mut open = vec![member];
        while let Some(at) = open.pop() {
            for members in &fixing {
                let image = self.image(members, at);
                if orbit.insert(image) {
                    open.push(image);
                }
            }
        }
        orbit
    }

    fn image(&self, members: &Members, vertex: u32) -> u32 {
        let domain = self.graph.domain_of(vertex);
        let first = self.graph.domains[domain.index()];
        let own = members.get(&domain);
        own.map_or(vertex, |own| first + own[(vertex - first) as usize])
    }

    /// Puts members in the places of those of the levels from one on, until a renaming is found that is accepted.
    fn extend(
        &mut self,
        levels: &[Level],
        at: usize,
        last: &Colours,
        right: &Colours,
    ) -> Option<(Members, Vec<u32>)> {
        if self.is_spent() {
            return None;
        }
        let left = levels.get(at).map_or(last, |level| &level.2);
        if !self.matches(left, right) {
            return None;
        }
        let Some((chosen, _, colours)) = levels.get(at) else {
            return self.accept(last, right);
        };
        let wanted = colours[*chosen as usize];
        let cell: Vec<u32> = (0..self.graph.members as u32)
            .filter(|member| right[*member as usize] == wanted)
            .collect();
        for other in cell {
            let mut next = right.clone();
            self.single_out(&mut next, other, at + 1);
            if let Some(found) = self.extend(levels, at + 1, last, &next) {
                return Some(found);
            }
        }
        None
    }

    /// Whether as many members have each colour.
    fn matches(&self, left: &Colours, right: &Colours) -> bool {
        let sorted = |colours: &Colours| {
            let mut own = colours[..self.graph.members].to_vec();
            own.sort_unstable();
            own
        };
        sorted(left) == sorted(right)
    }

    /// The renaming that takes each member to the one of the same colour, if it keeps the game.
    fn accept(&mut self, left: &Colours, right: &Colours) -> Option<(Members, Vec<u32>)> {
        self.candidates += 1;
        let members = self.pairing(left, right)?;
        if members.is_empty() || !self.keeps_constants(&members) {
            return None;
        }
        let families = self.meaning.keeps(&renaming(&members))?;
        Some((members, families))
    }

    /// The renaming that takes each member to the one of the same colour; of several to itself, or else to the next of them.
    fn pairing(&self, left: &Colours, right: &Colours) -> Option<Members> {
        let mut images: SortedMap<u64, (Vec<u32>, Vec<u32>)> = SortedMap::new();
        for member in 0..self.graph.members as u32 {
            images
                .entry(left[member as usize])
                .or_default()
                .0
                .push(member);
            images
                .entry(right[member as usize])
                .or_default()
                .1
                .push(member);
        }
        let mut new = vec![0; self.graph.members];
        for (from, to) in images.into_values() {
            if from.len() != to.len() {
                return None;
            }
            let stay = |member: &u32| from.contains(member) && to.contains(member);
            let mut rest = to.iter().filter(|member| !stay(member));
            for member in &from {
                new[*member as usize] = match stay(member) {
                    true => *member,
                    false => *rest.next()?,
                };
            }
        }
        let mut members = Members::new();
        for (index, domain) in self.game.domains.iter().enumerate() {
            let (first, len) = (self.graph.domains[index], domain.len() as u32);
            let own = new[first as usize..(first + len) as usize].iter();
            let own = own.map(|image| image.checked_sub(first).filter(|m| *m < len));
            let own: Vec<u32> = own.collect::<Option<_>>()?;
            if own.iter().zip(0..).any(|(new, old)| *new != old) {
                members.insert(index.into(), own);
            }
        }
        Some(members)
    }

    /// Whether placements that nothing writes stay as they are.
    fn keeps_constants(&self, members: &Members) -> bool {
        let by = renaming(members);
        effects::constants(self.game).placements.iter().all(|&id| {
            let placement = self.game.placement(id);
            let (keys, values) = match placement.form {
                PlacementForm::Anonymous => (placement.places, placement.pieces),
                _ => (placement.pieces, placement.places),
            };
            (0..).zip(&placement.init).all(|(key, value)| {
                let image = placement.init.get(by.member(keys, key) as usize);
                image == Some(&value.map(|value| by.member(values, value)))
            })
        })
    }
}

/// The level from which on one of a cell is singled out after the other, which tells nothing of the rest: they keep their places where
/// they have more orders than are noted.
fn only_names(levels: &[Level]) -> Option<usize> {
    let one_less = |pair: &[Level]| {
        let [(chosen, cell, _), (_, next, _)] = pair else {
            return false;
        };
        let rest = cell.iter().filter(|member| *member != chosen);
        rest.eq(next)
    };
    let tail = levels.windows(2).rev().take_while(|pair| one_less(pair));
    let singled = 1 + tail.count();
    (singled >= MOST_NAMES).then(|| levels.len() - singled)
}
