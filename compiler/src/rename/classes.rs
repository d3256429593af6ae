//! Members that nobody can tell apart: the orbits of exchanges of two.

use rulec_ir::sorted::SortedSet;

use crate::hash::IndexMap;
use crate::ir::{DomainId, Game, Interchangeable, PlacementForm};

use super::{Judge, Renaming};

/// Most ways to find the private places of pieces that are tried.
const MOST_WAYS: usize = 4;

/// The private places of each piece, as something says them.
type Way = Vec<Vec<u32>>;

/// The pieces and places of a game that nobody can tell apart.
///
/// Places are looked at where pieces with names stand on them.
pub(super) fn of(game: &Game, judge: &Judge) -> Vec<Interchangeable> {
    let boards = boards(game);
    let moved = (boards.iter())
        .flat_map(|(pieces, places)| [*pieces, *places])
        .collect();
    let search = Search {
        game,
        judge,
        moved: &moved,
    };
    let mut seen = SortedSet::from([game.players]);
    let mut found = Vec::new();
    let all = |domain: DomainId| 0..game.domain(domain).len() as u32;
    for &(pieces, places) in &boards {
        if seen.insert(pieces) {
            found.extend(search.classes(pieces, Some(places), all(pieces)));
        }
    }
    for &(_, places) in &boards {
        if seen.insert(places) {
            found.extend(search.classes(places, None, all(places)));
        }
    }
    let apart = apart(game, &found);
    if !apart.is_empty() {
        let judge = &judge.by_sets();
        let search = Search { judge, ..search };
        for (domain, places, members) in apart {
            found.extend(search.classes(domain, places, members.into_iter()));
        }
        // Pieces come before places, and both in the order of their first members.
        found.sort_by_key(|class| (!class.pieces, class.domain, class.members.first().copied()));
    }
    found
}

/// Members of a domain, of pieces with that of their places.
type Group = (DomainId, Option<DomainId>, SortedSet<u32>);

/// Places on which alike pieces start and pieces that start on alike places, one on each, of which no two are known to be alike.
fn apart(game: &Game, found: &[Interchangeable]) -> Vec<Group> {
    let known = |(domain, places, members): &Group| {
        let mut classes = found
            .iter()
            .filter(|class| class.domain == *domain && class.pieces == places.is_some());
        classes.any(|class| class.members.iter().any(|member| members.contains(member)))
    };
    let mut apart: Vec<Group> = Vec::new();
    for class in found.iter().filter(|class| class.with_places.is_none()) {
        for at in (game.placements.iter()).filter(|at| at.form != PlacementForm::Anonymous) {
            let group = match class.pieces {
                true if at.pieces == class.domain => {
                    let homes = class.members.iter();
                    let homes = homes.filter_map(|&piece| at.init[piece as usize]);
                    (at.places, None, homes.collect())
                }
                false if at.places == class.domain => {
                    let pieces = (0..).zip(&at.init);
                    let pieces = pieces
                        .filter(|(_, home)| home.is_some_and(|home| class.members.contains(&home)));
                    let pieces: SortedSet<u32> = pieces.map(|(piece, _)| piece).collect();
                    (at.pieces, Some(at.places), pieces)
                }
                _ => continue,
            };
            if group.2.len() == class.members.len() && !known(&group) && !apart.contains(&group) {
                apart.push(group);
            }
        }
    }
    apart
}

/// The domains of pieces that have names, with those of their places.
pub(super) fn boards(game: &Game) -> Vec<(DomainId, DomainId)> {
    let named = |form| form != PlacementForm::Anonymous;
    let placements = game
        .placements
        .iter()
        .filter(|placement| named(placement.form));
    placements.map(|at| (at.pieces, at.places)).collect()
}

/// Ways to find the private places of pieces: where they start, and what tables say.
fn ways_of(game: &Game, judge: &Judge, pieces: DomainId, places: DomainId) -> Vec<Way> {
    let starts = game.placements.iter().filter(|at| {
        at.pieces == pieces && at.places == places && at.form != PlacementForm::Anonymous
    });
    let starts = starts.map(|at| at.init.iter().map(|place| Vec::from_iter(*place)).collect());
    let tables = judge
        .spellings
        .iter()
        .flat_map(|rules| rules.tables_between(pieces, places));
    let mut ways: Vec<Way> = Vec::new();
    for way in starts.chain(tables) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways.truncate(MOST_WAYS);
    ways
}

struct Search<'a> {
    game: &'a Game,
    judge: &'a Judge,
    /// The domains of pieces and places.
    moved: &'a SortedSet<DomainId>,
}

impl Search<'_> {
    /// The classes of some members of a domain: of pieces, with their places, or of places.
    fn classes(
        &self,
        domain: DomainId,
        places: Option<DomainId>,
        members: impl Iterator<Item = u32>,
    ) -> Vec<Interchangeable> {
        let mut ways = vec![Way::new()];
        if let Some(places) = places.filter(|places| *places != domain) {
            ways.extend(ways_of(self.game, self.judge, domain, places));
        }
        let signs: Vec<Vec<u64>> = self
            .judge
            .spellings
            .iter()
            .map(|rules| rules.signs(domain, self.moved))
            .collect();
        let mut classes: Vec<(Vec<u32>, usize)> = Vec::new();
        // The classes of each sign, by what their first members are.
        let mut by_sign: Vec<IndexMap<u64, Vec<usize>>> = vec![IndexMap::default(); signs.len()];
        for member in members {
            let own = |signs: &Vec<u64>| signs[member as usize];
            let pairs = signs.iter().zip(&by_sign);
            let alike = pairs.filter_map(|(signs, classes)| classes.get(&own(signs)));
            let alike: SortedSet<usize> = alike.flatten().copied().collect();
            let home = alike.into_iter().find(|&class| {
                let (class, way) = &mut classes[class];
                let mut tried = match class.len() > 1 {
                    true => *way..*way + 1,
                    false => 0..ways.len(),
                };
                let pair = (class[0], member);
                let found = tried.find(|&at| self.exchange(domain, places, pair, &ways[at]));
                *way = found.unwrap_or(*way);
                found.is_some()
            });
            if let Some(home) = home {
                classes[home].0.push(member);
                continue;
            }
            for (signs, known) in signs.iter().zip(&mut by_sign) {
                known.entry(own(signs)).or_default().push(classes.len());
            }
            classes.push((vec![member], 0));
        }
        let several = classes.into_iter().filter(|(members, _)| members.len() > 1);
        let class = |(members, way): (Vec<u32>, usize)| {
            let way = &ways[way];
            let own = members.iter().filter_map(|&m| way.get(m as usize).cloned());
            Interchangeable {
                domain,
                pieces: places.is_some(),
                with_places: places.filter(|_| !way.is_empty()),
                places: own.collect(),
                members,
            }
        };
        several.map(class).collect()
    }

    /// Whether two members, and with them their private places, can be exchanged.
    fn exchange(
        &self,
        domain: DomainId,
        places: Option<DomainId>,
        (a, b): (u32, u32),
        way: &Way,
    ) -> bool {
        let mut renaming = Renaming::new().swapping(self.game, domain, a, b);
        let own = |m: u32| way.get(m as usize);
        if let (Some(places), Some(a), Some(b)) = (places, own(a), own(b)) {
            if a.len() != b.len() || a.iter().any(|place| b.contains(place)) {
                return false;
            }
            for (a, b) in a.iter().zip(b) {
                renaming = renaming.swapping(self.game, places, *a, *b);
            }
        }
        self.judge.keeps(&renaming).is_ok()
    }
}
