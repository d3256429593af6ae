//! Where rules tell the sides of a board apart: left and right, top and bottom.
//!
//! A mirror takes places to places by where they are drawn or what they are called. If no symmetry does as it does, the places that are told
//! apart first, of those that it takes to each other, lead to what the rules ask of one of them alone.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::board::layout;
use crate::ir::{DomainId, Game, PlacementForm, Symmetry};

use super::graph::Graph;
use super::meaning::Meaning;
use super::terms::Term;
use super::told::Finder;

/// Places of a board that is looked at.
const MOST_PLACES: u32 = 1024;
/// Rules that are named.
const MOST_RULES: usize = 3;

/// Pairs of places of which it is looked for what tells them apart.
const MOST_PAIRS: usize = 16;

/// What each mirror exchanges.
const SIDES: [&str; 2] = ["left and right", "top and bottom"];

/// A mirror of a board: pairs of places.
type Mirror = Vec<(u32, u32)>;

/// What tells the sides of boards apart for which no symmetry does what a mirror does, as sentences.
pub(super) fn refused<'l, 'g: 'l>(
    game: &'l Game,
    graph: &'l Graph,
    finder: impl FnOnce() -> &'l Finder<'l, 'g>,
    all: &[Symmetry],
) -> Vec<String> {
    // On a track several may stand on one field, and its ends are no sides.
    let placements = game.placements.iter();
    let boards = placements.filter(|at| at.form != PlacementForm::Many);
    let boards: SortedSet<DomainId> = boards.map(|at| at.places).collect();
    let mut open = Vec::new();
    for board in boards {
        for (axis, sides) in SIDES.iter().enumerate() {
            let Some(mirror) = mirror(game, board, axis) else {
                continue;
            };
            let is_it = |symmetry: &Symmetry| {
                let mut pairs = mirror.iter();
                pairs.all(|(from, to)| symmetry.member(board, *from) == *to)
            };
            if !all.iter().any(is_it) {
                open.push((board, sides, mirror));
            }
        }
    }
    if open.is_empty() {
        return Vec::new();
    }
    let looked = Looked {
        game,
        graph,
        finder: finder(),
    };
    let told = open.into_iter().filter_map(|(board, sides, mirror)| {
        let why = why(&looked, board, &mirror)?;
        Some(format!("{sides} are told apart {why}"))
    });
    told.collect()
}

/// The mirror of a board along an axis, if it takes each place to a place.
fn mirror(game: &Game, board: DomainId, axis: usize) -> Option<Mirror> {
    let count = game.domain(board).len() as u32;
    let [named, _, drawn] = layout::coordinates(game, board);
    let on_board = (0..count).zip(&named).filter_map(|(place, at)| {
        let (group, _) = (*at)?;
        (group == 0).then_some(place)
    });
    let on_board: Vec<u32> = on_board.collect();
    let places = match on_board.is_empty() {
        true => (0..count).collect(),
        false => on_board,
    };
    if count > MOST_PLACES || places.len() < 2 {
        return None;
    }
    let by = |from: &[layout::Place]| {
        let at = places.iter().map(|place| Some(from[*place as usize]?.1));
        at.collect::<Option<Vec<_>>>()
    };
    let drawn = by(&drawn).and_then(|at| mirrored(&places, &at, axis));
    drawn.or_else(|| {
        // Names of other boards may count along lines that are not across each other.
        let named = by(&named).filter(|at| is_rectangle(at))?;
        mirrored(&places, &named, axis)
    })
}

/// Whether coordinates are all of some columns and rows.
fn is_rectangle(at: &[[i64; 2]]) -> bool {
    let along = |axis: usize| {
        at.iter()
            .map(move |at| at[axis])
            .collect::<SortedSet<i64>>()
    };
    along(0).len() * along(1).len() == at.len()
}

/// The same by the coordinates of its places.
fn mirrored(places: &[u32], at: &[[i64; 2]], axis: usize) -> Option<Mirror> {
    let ends = at.iter().map(|at| at[axis]);
    let sum = ends.clone().min()? + ends.max()?;
    let known: SortedMap<[i64; 2], u32> = at.iter().copied().zip(places.iter().copied()).collect();
    let image = |at: &[i64; 2]| {
        let mut image = *at;
        image[axis] = sum - at[axis];
        known.get(&image).copied()
    };
    let images: Vec<u32> = at.iter().map(image).collect::<Option<_>>()?;
    let mirror: Mirror = places.iter().copied().zip(images).collect();
    mirror.iter().any(|(from, to)| from != to).then_some(mirror)
}

/// A game of which it is looked for what tells places apart.
struct Looked<'l, 'g> {
    game: &'l Game,
    graph: &'l Graph,
    finder: &'l Finder<'l, 'g>,
}

/// What tells places apart that a mirror takes to each other, of those that are told apart first. What rules ask comes before what they do.
fn why(looked: &Looked<'_, '_>, board: DomainId, mirror: &Mirror) -> Option<String> {
    let Looked { graph, finder, .. } = looked;
    let pairs = mirror.iter().filter(|(from, to)| from < to);
    let pairs = pairs.map(|(from, to)| [graph.member(board, *from), graph.member(board, *to)]);
    let told = pairs.filter_map(|pair| Some((finder.round(pair)?, pair)));
    let told: Vec<(usize, [u32; 2])> = told.collect();
    let first = told.iter().map(|(round, _)| *round).min()?;
    let pairs = told.iter().filter(|(round, _)| *round == first);
    let found = pairs.take(MOST_PAIRS).filter_map(|(_, pair)| {
        let [one, other] = pair.map(|at| finder.name(graph, at));
        let (rank, what) = beginning(looked, *pair)?;
        Some((rank, format!("{what} ({one} from {other})")))
    });
    let found = found.min_by_key(|(rank, _)| *rank);
    found.map(|(_, why)| why)
}

/// Where the difference of two places begins: in the text of the rules, by a member that is named, or else in some of them. The first of
/// what it may be is the plainest.
fn beginning(looked: &Looked<'_, '_>, pair: [u32; 2]) -> Option<(u8, String)> {
    let Looked { graph, finder, .. } = looked;
    if let Some(place) = finder.places(pair).first() {
        return Some((0, format!("at {place}")));
    }
    let begins = finder.begins(pair);
    if let Some(member) = begins.iter().find(|at| (**at as usize) < graph.members) {
        let name = finder.name(graph, *member);
        return Some((1, format!("by `{name}`")));
    }
    rules(
        looked.game,
        finder.meaning,
        &finder.terms_at(graph, &begins),
    )
}

/// The rules of which one of some terms is a part: of when they are legal, if there are such, or else of what comes of them.
fn rules(game: &Game, meaning: &Meaning<'_>, terms: &SortedSet<Term>) -> Option<(u8, String)> {
    let has_one = meaning.terms.with_parts(terms);
    let (mut legal, mut follows) = (Vec::new(), Vec::new());
    for (family, &own) in game.families.iter().zip(&meaning.families) {
        let parts = &meaning.terms.node(own).args;
        // What parameters come from, they themselves, the guard, and its mistakes.
        let asked = 3 * family.params.len() + 2;
        let (before, after) = parts.split_at(asked.min(parts.len()));
        let has = |parts: &[Term]| parts.iter().any(|part| has_one[*part as usize]);
        if has(before) {
            legal.push(&family.name);
        } else if has(after) {
            follows.push(&family.name);
        }
    }
    let (rank, before, [asks, ask], all) = match legal.is_empty() {
        false => (2, "by what ", [" asks", " ask"], legal),
        true => (3, "by what comes of ", ["", ""], follows),
    };
    let named = all.iter().take(MOST_RULES);
    let named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
    let named = format!("{before}{}", named.join(", "));
    match all.len() {
        0 => None,
        1 => Some((rank, format!("{named}{asks}"))),
        some if some > MOST_RULES => Some((rank, format!("{named} and others{ask}"))),
        _ => Some((rank, format!("{named}{ask}"))),
    }
}
