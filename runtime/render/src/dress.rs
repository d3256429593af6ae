//! What pieces look like: a drawing and the colours of a side for each, by the names that the rules give.
//!
//! There is one look-up for all languages. It knows nothing of a game but the names of its types, pieces, players and
//! picture files, the numbers of states, and the owners of pieces.

use std::collections::{BTreeMap, BTreeSet};

use crate::art::{art, words};
use crate::look::Look;
use crate::plan::has_lines;

/// Colours of players whose names are none, in order of the players: of two who sit at a board, and of tokens on a track.
const OPPONENTS: [&str; 8] = [
    "white", "black", "red", "blue", "yellow", "green", "purple", "orange",
];
const TOKENS: [&str; 8] = [
    "red", "blue", "yellow", "green", "purple", "orange", "sky", "grey",
];
/// Colours of kinds that belong to nobody and that no word colours.
const NEUTRAL: [&str; 8] = [
    "blue", "orange", "green", "red", "yellow", "purple", "sky", "grey",
];

/// How a piece is drawn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dress {
    /// The drawing.
    pub(crate) look: String,
    /// The side whose colours it has.
    pub(crate) side: String,
    /// A number or a letter on it; empty for most.
    pub(crate) badge: String,
}

/// The looks of all pieces of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wardrobe {
    /// The side of each player.
    pub(crate) players: Vec<String>,
    /// By domain and kind of piece.
    kinds: BTreeMap<(u32, String), Kind>,
    /// Whether things are in each other: then nothing stands for a player but a person.
    nested: bool,
}

/// What all pieces of a kind have in common.
#[derive(Clone, Debug, Default)]
struct Kind {
    look: String,
    /// The side that its name tells.
    side: Option<String>,
    /// Its side by state, where states are sides.
    by_state: Vec<String>,
    /// Looks and sides by state that the names of picture files tell.
    pictured: Vec<(Option<String>, Option<String>)>,
    states: usize,
    /// The number on all of its pieces.
    badge: String,
    /// The colour where nothing else tells one.
    neutral: String,
    /// The players who own pieces of it for good.
    owners: BTreeSet<usize>,
}

impl Wardrobe {
    /// Looks up everything once.
    pub(crate) fn of(look: &Look) -> Wardrobe {
        let mut wardrobe = Wardrobe {
            players: players(look),
            kinds: BTreeMap::new(),
            nested: look.nest.is_some(),
        };
        let kinds = kinds(look);
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        let letters = are_letters_of_sides(&names);
        let has = |word: &str| {
            let mut all = names.iter();
            all.any(|name| words(name).iter().any(|own| own == word))
        };
        // Kings among men that no queen is with are men that were crowned.
        let crowned = (has("man") || has("men") || has("checker")) && !has("queen");
        let lined = has_lines(look);
        let pictured = |kind: &Named| -> Vec<(Option<String>, Option<String>)> {
            kind.files.iter().map(|file| read(file, false)).collect()
        };
        let found: Vec<(Option<String>, Option<String>)> = kinds
            .iter()
            .map(|kind| {
                let (own, side) = read(&kind.name, letters);
                let own = match own.as_deref() {
                    Some("king") if crowned => Some("draughts-king".to_owned()),
                    Some("man") if lined => Some("mill-man".to_owned()),
                    _ => own,
                };
                let plain = if look.steps.is_empty() {
                    "disc"
                } else {
                    "mill-man"
                };
                let first = |names: &[String]| names.iter().find_map(|name| read(name, false).0);
                let own = own
                    .or_else(|| pictured(kind).first()?.0.clone())
                    .or_else(|| first(&kind.pieces))
                    .or_else(|| look.is_players(kind.domain).then(|| "token".to_owned()))
                    .or_else(|| side.as_ref().map(|_| plain.to_owned()));
                (own, side)
            })
            .collect();
        // What is called as a player is theirs.
        let found: Vec<(Option<String>, Option<String>)> = kinds
            .iter()
            .zip(found)
            .map(|(kind, (own, side))| {
                (own, side.or_else(|| wardrobe.named_like(look, &kind.name)))
            })
            .collect();
        // No two kinds look alike: the later one gets a number, or a shape of its own.
        let mut used: Vec<String> = found.iter().filter_map(|(own, _)| own.clone()).collect();
        let mut pairs: BTreeSet<(String, Option<String>)> = BTreeSet::new();
        let mut another = || {
            let shapes = &art().fallback_shapes;
            let free = shapes.iter().find(|shape| !used.contains(shape));
            let shape = free.or(shapes.first()).cloned().unwrap_or_default();
            used.push(shape.clone());
            shape
        };
        for (number, (kind, (own, side))) in kinds.iter().zip(found).enumerate() {
            let digits: String = kind.name.chars().filter(char::is_ascii_digit).collect();
            let mut known = Kind {
                look: own.unwrap_or_else(&mut another),
                states: kind.states,
                owners: kind.owners.clone(),
                pictured: pictured(kind),
                ..Kind::default()
            };
            let alike = !pairs.insert((known.look.clone(), side.clone()));
            match (alike, digits.is_empty()) {
                (true, false) => known.badge = digits,
                (true, true) => known.look = another(),
                (false, _) if known.look == "plate" => known.badge = digits,
                (false, _) => {}
            }
            known.neutral = match art().natural(&known.look) {
                Some(side) => side.to_owned(),
                None => NEUTRAL[number % NEUTRAL.len()].to_owned(),
            };
            let colours = named_sides(look);
            if side.is_none() && kind.states == colours.len() && kind.states > 1 {
                known.by_state = colours;
            }
            known.side = side;
            wardrobe
                .kinds
                .insert((kind.domain, kind.name.clone()), known);
        }
        wardrobe
    }

    /// The side of the player who is called like a kind of piece, where there are several.
    fn named_like(&self, look: &Look, kind: &str) -> Option<String> {
        let mut players = 0..look.player_count();
        let player = players.find(|&player| are_alike(kind, look.player_name(player)))?;
        self.players
            .get(player)
            .filter(|_| self.players.len() > 1)
            .cloned()
    }

    /// How a piece of a kind is drawn: by its name, the number of its state from 0, and its owner.
    pub(crate) fn dress(
        &self,
        (domain, kind): (u32, &str),
        name: &str,
        state: Option<usize>,
        owner: Option<usize>,
    ) -> Dress {
        let Some(known) = self.kinds.get(&(domain, kind.to_owned())) else {
            return Dress {
                look: "disc".to_owned(),
                side: "grey".to_owned(),
                badge: String::new(),
            };
        };
        let state = state.unwrap_or(0);
        let pictured = known.pictured.get(state);
        let several = self.players.len() > 1;
        let by_owner = || self.players.get(owner.filter(|_| several)?).cloned();
        let side = known
            .by_state
            .get(state)
            .cloned()
            .or_else(|| pictured.and_then(|(_, side)| side.clone()))
            .or_else(|| known.side.clone())
            .or_else(by_owner)
            .or_else(|| read(name, false).1)
            .unwrap_or_else(|| known.neutral.clone());
        let look = pictured
            .and_then(|(look, _)| look.clone())
            .unwrap_or_else(|| known.look.clone());
        let told = known.by_state.len() > 1
            || pictured != known.pictured.first()
            || known.states < 2
            || state == 0;
        let badge = match (told, known.look.as_str()) {
            (false, _) => (state + 1).to_string(),
            (true, "plate") => {
                let own: String = name.chars().filter(char::is_ascii_digit).collect();
                match known.badge.is_empty() {
                    true => own,
                    false => known.badge.clone(),
                }
            }
            _ => known.badge.clone(),
        };
        Dress { look, side, badge }
    }

    /// Whether the states of a kind are its sides.
    pub(crate) fn is_turned(&self, domain: u32, kind: &str) -> bool {
        let known = self.kinds.get(&(domain, kind.to_owned()));
        known.is_some_and(|known| known.by_state.len() > 1)
    }

    /// Whether pieces of some kind have this look.
    pub(crate) fn has(&self, look: &str) -> bool {
        self.kinds.values().any(|kind| kind.look == look)
    }

    /// The drawings of all kinds of piece that do not only count.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &str> {
        let counts = |name: &str| words(name).iter().any(|word| art().is_auxiliary(word));
        let kinds = self
            .kinds
            .iter()
            .filter(move |((_, name), _)| !counts(name));
        kinds.map(|(_, kind)| kind.look.as_str())
    }

    /// The drawing that stands for a player: the piece of the same name, the king or token of the side, else the first of its kinds
    /// that does not only count; a person where it has none.
    pub(crate) fn chip(&self, side: &str, name: &str) -> String {
        let mut kinds = self.kinds.iter();
        let namesake =
            kinds.find(|((_, kind), known)| are_alike(kind, name) && art().has(&known.look));
        if let Some((_, known)) = namesake {
            let several = (self.players.len() > 1).then_some(side);
            let side = known.side.as_deref().or(several).unwrap_or(&known.neutral);
            return format!("{}-{side}", known.look);
        }
        if self.nested {
            return format!("person-{side}");
        }
        let counts = |name: &str| words(name).iter().any(|word| art().is_auxiliary(word));
        let own = |kind: &Kind| {
            kind.side.as_deref() == Some(side) || kind.by_state.iter().any(|state| state == side)
        };
        let kinds = || {
            let all = self.kinds.iter();
            all.filter(|((_, name), _)| !counts(name))
                .map(|(_, kind)| kind)
        };
        let player = self.players.iter().position(|own| own == side);
        let others = |kind: &&Kind| match player {
            Some(player) => !kind.owners.is_empty() && !kind.owners.contains(&player),
            None => false,
        };
        let leader = kinds()
            .filter(|kind| !others(kind))
            .find(|kind| matches!(kind.look.as_str(), "king" | "token"));
        // What has colours of its own is not drawn in those of players.
        let colourless = |kind: &&Kind| kind.side.is_none() && kind.by_state.is_empty();
        let belongs = kinds()
            .filter(colourless)
            .find(|kind| player.is_some_and(|own| kind.owners.contains(&own)));
        let own = kinds().find(|kind| own(kind));
        let look = leader.or(own).or(belongs);
        let look = look.map_or("person", |kind| &kind.look);
        let look = if art().has(look) { look } else { "disc" };
        format!("{look}-{side}")
    }

    /// All looks that pieces can have.
    pub(crate) fn all(&self) -> BTreeSet<(String, String)> {
        let mut all = BTreeSet::new();
        for look in ["disc", "person"] {
            let sides = self.players.iter();
            all.extend(sides.map(|side| (look.to_owned(), side.clone())));
        }
        for kind in self.kinds.values() {
            let mut looks: Vec<&String> = vec![&kind.look];
            looks.extend(kind.pictured.iter().filter_map(|(look, _)| look.as_ref()));
            let mut sides: Vec<&String> = kind.by_state.iter().collect();
            sides.extend(kind.pictured.iter().filter_map(|(_, side)| side.as_ref()));
            sides.extend(&kind.side);
            sides.push(&kind.neutral);
            if kind.side.is_none() {
                sides.extend(&self.players);
            }
            for look in looks {
                let look = if art().has(look) { look } else { "plate" };
                all.extend(sides.iter().map(|side| (look.to_owned(), (*side).clone())));
            }
        }
        all
    }
}

/// What is known of a kind before it is looked up.
struct Named {
    domain: u32,
    name: String,
    pieces: Vec<String>,
    files: Vec<String>,
    states: usize,
    owners: BTreeSet<usize>,
}

/// The kinds of all pieces, in order of declaration.
fn kinds(look: &Look) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let mut add = |domain: u32, kind: &str, piece: &str, files: Vec<String>, states: usize| {
        let known = found
            .iter_mut()
            .find(|known| known.domain == domain && known.name == kind);
        match known {
            Some(known) if known.pieces.len() < 4 => known.pieces.push(piece.to_owned()),
            Some(_) => {}
            None => found.push(Named {
                domain,
                name: kind.to_owned(),
                pieces: vec![piece.to_owned()],
                files,
                states,
                owners: BTreeSet::new(),
            }),
        }
    };
    for piece in &look.presentation.pieces {
        let files = piece.pictures.iter();
        let files = files.map(|picture| {
            let file = picture.as_ref().map_or("", |picture| picture.file.as_str());
            let stem = file.rsplit(['/', '\\']).next().unwrap_or_default();
            stem.rsplit_once('.')
                .map_or(stem, |(stem, _)| stem)
                .to_owned()
        });
        let states = match piece.state {
            Some(_) => piece.pictures.len().max(1),
            None => 1,
        };
        let name = look.name(piece.domain, piece.member);
        add(piece.domain, &piece.kind, name, files.collect(), states);
    }
    // Pieces of which the rules say nothing are kinds of their own, by their names.
    let placements = look.placements.iter().filter(|_| look.nest.is_none());
    for placement in placements {
        let domain = placement.pieces;
        let told = |known: &&crate::look::PieceLook| known.domain == domain;
        if look.presentation.pieces.iter().any(|known| told(&known)) {
            continue;
        }
        for member in 0..look.len(domain) as u32 {
            let name = look.name(domain, member);
            match look.is_players(domain) {
                true => add(domain, "", name, Vec::new(), 1),
                false => add(domain, name, name, Vec::new(), 1),
            }
        }
    }
    if let Some(nest) = &look.nest {
        for (member, kind) in nest.kinds.iter().enumerate() {
            let name = look.name(nest.pieces, member as u32);
            add(nest.pieces, kind, name, Vec::new(), 1);
        }
        for heap in &nest.heaps {
            add(nest.pieces, &heap.kind, &heap.kind, Vec::new(), 1);
        }
    }
    for piece in &look.presentation.pieces {
        let owner = look.owner(piece.domain, piece.member);
        let mut all = found.iter_mut();
        let own = all.find(|known| known.domain == piece.domain && known.name == piece.kind);
        if let (Some(own), Some(owner)) = (own, owner) {
            own.owners.insert(owner);
        }
    }
    found
}

/// Whether two names are the same word, one perhaps in the plural.
fn are_alike(one: &str, other: &str) -> bool {
    let plain = |name: &str| {
        let name = name.to_lowercase();
        name.strip_suffix('s').map_or(name.clone(), str::to_owned)
    };
    !one.is_empty() && plain(one) == plain(other)
}

/// Whether kinds are told apart by a letter of a colour in front of what they share, such as `rf` and `gf`.
fn are_letters_of_sides(names: &[&str]) -> bool {
    let mut rests: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for name in names {
        let own = words(name);
        if own.iter().any(|word| art().is_auxiliary(word)) {
            continue;
        }
        let mut letters = name.chars();
        let first = letters.next().map(|c| c.to_lowercase().to_string());
        let Some(side) = first.as_deref().and_then(|first| art().side(first, true)) else {
            return false;
        };
        all.push(side.to_owned());
        rests.push(letters.as_str());
    }
    all.sort_unstable();
    let count = all.len();
    all.dedup();
    count > 1 && all.len() == count && rests.iter().all(|rest| *rest == rests[0] && rest.len() < 3)
}

/// The look and the side that a name tells.
fn read(name: &str, letters: bool) -> (Option<String>, Option<String>) {
    let art = art();
    let (mut look, mut side) = (None, None);
    let mut parts = words(name);
    if letters && let Some(first) = name.chars().next() {
        let rest: String = name.chars().skip(1).collect();
        if art.look(name).is_none() {
            parts = words(&rest);
        }
        parts.push(first.to_lowercase().to_string());
    }
    for word in &parts {
        let (own, colour) = match (art.look(word), art.side(word, letters)) {
            (None, None) => compound(word),
            (own, colour) => (own, colour),
        };
        look = look.or(own.map(str::to_owned));
        side = side.or(colour.map(str::to_owned));
    }
    (look, side)
}

/// A word that begins or ends with a colour or a thing, such as `stonewhite`.
fn compound(word: &str) -> (Option<&'static str>, Option<&'static str>) {
    let art = art();
    for at in (3..word.len().saturating_sub(2)).rev() {
        let (Some(front), Some(back)) = (word.get(..at), word.get(at..)) else {
            continue;
        };
        for (colour, thing) in [(front, back), (back, front)] {
            if let Some(side) = art.side(colour, false) {
                return (art.look(thing), Some(side));
            }
        }
    }
    (None, None)
}

/// The sides of the players if all of them are named by colours, in order.
fn named_sides(look: &Look) -> Vec<String> {
    let count = look.player_count();
    let named: Vec<String> = (0..count)
        .filter_map(|player| read(look.player_name(player), false).1)
        .collect();
    match named.len() == count {
        true => named,
        false => Vec::new(),
    }
}

/// The side of each player: the colour in the name, else one that nobody else has.
fn players(look: &Look) -> Vec<String> {
    let count = look.player_count();
    let named: Vec<Option<String>> = (0..count)
        .map(|player| read(look.player_name(player), false).1)
        .collect();
    let tokens = look.nest.is_some() || look.placements.iter().any(|p| look.is_players(p.pieces));
    let order = if tokens { TOKENS } else { OPPONENTS };
    let mut used: Vec<String> = named.iter().flatten().cloned().collect();
    named
        .into_iter()
        .map(|named| {
            named.unwrap_or_else(|| {
                let free = order.iter().find(|side| !used.iter().any(|u| u == *side));
                let side = free.unwrap_or(&"grey").to_string();
                used.push(side.clone());
                side
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, letters: bool) -> (String, String) {
        let (look, side) = read(name, letters);
        (look.unwrap_or_default(), side.unwrap_or_default())
    }

    #[test]
    fn names_tell_looks_and_sides() {
        let pair = |look: &str, side: &str| (look.to_owned(), side.to_owned());
        assert_eq!(told("white king", false), pair("king", "white"));
        assert_eq!(told("stonewhite", false), pair("stone", "white"));
        assert_eq!(told("BlackKnight_2", false), pair("knight", "black"));
        assert_eq!(told("amber lancer", false), pair("lancer", "orange"));
        assert_eq!(told("rf", true), pair("frog", "red"));
        assert_eq!(told("w", false), pair("", ""));
        assert_eq!(told("meadow", false), pair("", ""));
    }

    #[test]
    fn names_in_the_plural_are_the_same() {
        assert!(are_alike("Hound", "hounds"));
        assert!(are_alike("cross", "cross"));
        assert!(!are_alike("", "s"));
        assert!(!are_alike("fox", "hounds"));
    }

    #[test]
    fn letters_name_sides_only_where_all_kinds_agree() {
        assert!(are_letters_of_sides(&["rf", "gf"]));
        assert!(are_letters_of_sides(&["r", "y"]));
        assert!(!are_letters_of_sides(&["goat", "boat"]));
        assert!(!are_letters_of_sides(&["rook", "bishop"]));
    }
}
