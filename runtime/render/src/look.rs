//! What the compiler writes about the looks of a game, and what a position tells renderers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use rulec_core::{GameInfo, Turn};
use serde::{Deserialize, Deserializer};

use crate::dress::{Dress, Wardrobe};

/// How a game looks: the document that the compiler writes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Look {
    players: u32,
    domains: BTreeMap<u32, Domain>,
    pub(crate) placements: Vec<Placement>,
    vars: Vec<Var>,
    families: Vec<Vec<i64>>,
    pub(crate) presentation: Presentation,
    /// Single steps between places, as far as the compiler knows them.
    #[serde(default)]
    pub(crate) steps: Vec<Link>,
    /// Whether games can end without a winner.
    #[serde(default)]
    draws: bool,
    pub(crate) nest: Option<Nest>,
    pub(crate) episode: Option<Episode>,
    #[serde(skip)]
    wardrobe: OnceLock<Wardrobe>,
    #[serde(skip)]
    coordinates: OnceLock<Coordinates>,
    #[serde(skip)]
    cells: OnceLock<BTreeMap<(u32, u32), (usize, usize)>>,
    #[serde(skip)]
    stores: OnceLock<BTreeSet<(u32, u32)>>,
}

/// Names of places by files and ranks.
type Coordinates = BTreeMap<(u32, u32), String>;

/// A finite set with the names of its members.
#[derive(Clone, Debug, Deserialize)]
struct Domain {
    members: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Placement {
    pub(crate) pieces: u32,
    pub(crate) places: u32,
    pub(crate) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Form {
    One,
    Many,
    Anonymous,
}

#[derive(Clone, Debug, Deserialize)]
struct Var {
    id: u32,
    cells: usize,
    set: bool,
    least: i64,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Presentation {
    pub(crate) board: Option<String>,
    pub(crate) places: Vec<PlaceLook>,
    pub(crate) pieces: Vec<PieceLook>,
    pub(crate) colours: Vec<Colours>,
    pub(crate) owners: Vec<Owner>,
    pub(crate) turned: Vec<f64>,
    #[serde(default)]
    pub(crate) links: Vec<Link>,
    #[serde(default)]
    pub(crate) drawing: Option<u32>,
}

/// A way from a place to another of its domain.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Link {
    pub(crate) domain: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) jump: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PlaceLook {
    pub(crate) domain: u32,
    pub(crate) member: u32,
    pub(crate) kind: String,
    pub(crate) at: Option<(f64, f64)>,
    pub(crate) shape: Option<Shape>,
    pub(crate) picture: Option<Picture>,
    #[serde(default = "relevant")]
    pub(crate) relevant: bool,
}

fn relevant() -> bool {
    true
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) enum Shape {
    Circle(f64),
    Rectangle(f64, f64),
    Polygon(Vec<(f64, f64)>),
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Picture {
    pub(crate) file: String,
    pub(crate) hot_spot: (i32, i32),
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PieceLook {
    pub(crate) domain: u32,
    pub(crate) member: u32,
    pub(crate) kind: String,
    pub(crate) state: Option<u32>,
    pub(crate) pictures: Vec<Option<Picture>>,
    pub(crate) z_order: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Colours {
    pub(crate) domain: u32,
    pub(crate) member: u32,
    #[serde(deserialize_with = "written")]
    pub(crate) fill: String,
    #[serde(deserialize_with = "written")]
    pub(crate) chosen: String,
    #[serde(deserialize_with = "written")]
    pub(crate) possible: String,
}

/// A colour of the rules in the one way in which renderers write it, if it is one.
fn written<'d, D: Deserializer<'d>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(crate::colours::hex(&text).unwrap_or(text))
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Owner {
    pub(crate) domain: u32,
    pub(crate) member: u32,
    pub(crate) player: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Nest {
    pub(crate) pieces: u32,
    pub(crate) kinds: Vec<String>,
    pub(crate) named: Vec<bool>,
    pub(crate) placement: Option<u32>,
    pub(crate) first: Vec<Option<u32>>,
    pub(crate) exists: Option<u32>,
    pub(crate) owner: Option<u32>,
    pub(crate) first_owners: Vec<Option<u32>>,
    pub(crate) heaps: Vec<Heap>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Heap {
    pub(crate) kind: String,
    pub(crate) inside: Option<u32>,
    pub(crate) owned: Option<u32>,
    pub(crate) loose: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Episode {
    pub(crate) present: u32,
    pub(crate) kinds: u32,
    pub(crate) places: Option<u32>,
    pub(crate) targets: Option<u32>,
    pub(crate) units: Option<u32>,
    pub(crate) columns: u32,
    pub(crate) looks: Vec<Kind>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Kind {
    pub(crate) name: String,
    pub(crate) properties: Vec<(String, String)>,
}

impl Look {
    /// Reads the document.
    ///
    /// # Errors
    /// What is wrong with it: it is not of this version of the compiler.
    pub fn read(document: &str) -> Result<Look, String> {
        serde_json::from_str(document).map_err(|error| format!("the looks of the game: {error}"))
    }

    /// Whether the rules know games of several players that nobody wins.
    pub fn knows_draws(&self) -> bool {
        self.draws
    }

    /// What pieces look like.
    pub(crate) fn wardrobe(&self) -> &Wardrobe {
        self.wardrobe.get_or_init(|| Wardrobe::of(self))
    }

    /// The name of a place by its file and rank, such as `e4`, where the places of the board form a grid or are hexagons; the
    /// number of a square of draughts.
    pub fn coordinate(&self, place: (u32, u32)) -> Option<&str> {
        let all =
            self.coordinates
                .get_or_init(|| match crate::plan::coordinates(self, self.cells()) {
                    none if none.is_empty() => crate::plan::hexagons(self),
                    named => named,
                });
        all.get(&place).map(String::as_str)
    }

    fn cells(&self) -> &BTreeMap<(u32, u32), (usize, usize)> {
        self.cells.get_or_init(|| crate::plan::cells(self))
    }

    /// The column from the left and the row from above of a place, where the places of the board form a grid.
    pub(crate) fn cell(&self, place: (u32, u32)) -> Option<(usize, usize)> {
        self.cells().get(&place).copied()
    }

    /// The place in a column and a row.
    pub(crate) fn place_at(&self, cell: (usize, usize)) -> Option<(u32, u32)> {
        let mut all = self.cells().iter();
        all.find(|(_, own)| **own == cell).map(|(place, _)| *place)
    }

    /// Whether a place only holds what is not in play.
    pub(crate) fn is_store(&self, place: (u32, u32)) -> bool {
        let stores = self.stores.get_or_init(|| crate::plan::stores(self));
        stores.contains(&place)
    }

    /// Whether moves are written as chess players do.
    pub fn is_chess(&self) -> bool {
        let wardrobe = self.wardrobe();
        wardrobe.has("king") && wardrobe.has("pawn")
    }

    /// The names of all places that have one by file and rank, by their numbers of domain and member (`"0.12"`).
    pub fn coordinates(&self) -> BTreeMap<String, &str> {
        // The first question looks all of them up.
        let _ = self.coordinate((0, 0));
        let all = self.coordinates.get().into_iter().flatten();
        all.map(|((domain, member), name)| (format!("{domain}.{member}"), name.as_str()))
            .collect()
    }

    /// The player that a piece belongs to, as far as that never changes.
    pub(crate) fn owner(&self, domain: u32, member: u32) -> Option<usize> {
        let mut owners = self.presentation.owners.iter();
        let own = owners.find(|o| o.domain == domain && o.member == member);
        // A player may be a piece: their token.
        let themselves = self.is_players(domain).then_some(member as usize);
        own.map(|own| own.player as usize).or(themselves)
    }

    /// The side whose colours each player has, and the colours: of the side, and of edges.
    pub fn sides(&self) -> Vec<(&str, &str, &str)> {
        let sides = self.wardrobe().players.iter();
        let paint = |side: &String| crate::art::art().paint(side);
        sides
            .filter_map(|side| {
                let paint = paint(side)?;
                Some((side.as_str(), paint.fill.as_str(), paint.edge.as_str()))
            })
            .collect()
    }

    /// The drawing that stands for each player, as [`drawings`](crate::drawings) names it.
    pub fn chips(&self) -> Vec<String> {
        let wardrobe = self.wardrobe();
        let sides = wardrobe.players.iter().enumerate();
        sides
            .map(|(player, side)| wardrobe.chip(side, self.player_name(player)))
            .collect()
    }

    /// The files of all pictures, each once, as the rules name them.
    pub fn pictures(&self) -> Vec<&str> {
        let look = &self.presentation;
        let places = look
            .places
            .iter()
            .filter_map(|place| place.picture.as_ref());
        let pieces = look
            .pieces
            .iter()
            .flat_map(|piece| piece.pictures.iter().flatten());
        let mut files: Vec<&str> = look.board.iter().map(String::as_str).collect();
        for picture in places.chain(pieces) {
            if !files.contains(&picture.file.as_str()) {
                files.push(&picture.file);
            }
        }
        files
    }

    /// The things of the game that a move names: numbers of domains and of members in them.
    pub fn named_by(&self, family: usize, args: &[i64]) -> Vec<(u32, u32)> {
        let Some(params) = self.families.get(family) else {
            return Vec::new();
        };
        let known = params.iter().zip(args);
        known
            .filter_map(|(&domain, &arg)| {
                Some((u32::try_from(domain).ok()?, u32::try_from(arg).ok()?))
            })
            .collect()
    }

    /// The place of a number as events tell it: the places of all placements, domain after domain.
    pub fn place(&self, number: u32) -> Option<(u32, u32)> {
        self.numbered(number, |placement| placement.places)
    }

    /// The piece of a number as events tell it: the pieces of all placements, domain after domain.
    pub fn piece(&self, number: u32) -> Option<(u32, u32)> {
        self.numbered(number, |placement| placement.pieces)
    }

    fn numbered(&self, mut number: u32, of: fn(&Placement) -> u32) -> Option<(u32, u32)> {
        let mut seen: Vec<u32> = Vec::new();
        for placement in &self.placements {
            let domain = of(placement);
            if seen.contains(&domain) {
                continue;
            }
            seen.push(domain);
            let count = self.len(domain) as u32;
            match number.checked_sub(count) {
                None => return Some((domain, number)),
                Some(rest) => number = rest,
            }
        }
        None
    }

    /// The name of a member of a domain.
    pub fn name(&self, domain: u32, member: u32) -> &str {
        let names = self
            .domains
            .get(&domain)
            .map_or(&[][..], |domain| &domain.members);
        names.get(member as usize).map_or("?", String::as_str)
    }

    /// Number of members of a domain.
    pub(crate) fn len(&self, domain: u32) -> usize {
        self.domains
            .get(&domain)
            .map_or(0, |domain| domain.members.len())
    }

    pub(crate) fn is_players(&self, domain: u32) -> bool {
        self.players == domain
    }

    pub(crate) fn player_name(&self, player: usize) -> &str {
        self.name(self.players, player as u32)
    }

    pub(crate) fn player_count(&self) -> usize {
        self.len(self.players)
    }

    /// The colours of the places that have some while they are chosen, and while they can be.
    pub fn marks(&self) -> impl Iterator<Item = ((u32, u32), &str, &str)> {
        let all = self.presentation.colours.iter();
        all.map(|c| ((c.domain, c.member), c.chosen.as_str(), c.possible.as_str()))
    }
}

/// What a position tells renderers, beside the looks of its game.
#[derive(Debug)]
pub struct Position<'p> {
    /// The looks.
    pub look: &'p Look,
    /// What is known of the game.
    pub info: &'p GameInfo,
    /// Who acts.
    pub turn: Turn,
    /// The canonical text.
    pub text: &'p str,
    placed: Vec<Vec<i64>>,
    vars: BTreeMap<u32, Cells>,
}

#[derive(Debug)]
struct Cells {
    least: i64,
    values: Vec<Vec<i64>>,
}

impl<'p> Position<'p> {
    /// A position from what [`Observe::appearance`](rulec_core::Observe::appearance) tells of it. Numbers that are missing count as
    /// nothing there.
    pub fn new(
        look: &'p Look,
        info: &'p GameInfo,
        turn: Turn,
        text: &'p str,
        observed: &[i64],
    ) -> Position<'p> {
        let mut rest = observed.iter().copied();
        let mut placed = Vec::new();
        for placement in &look.placements {
            let count = match placement.form {
                Form::Anonymous => look.len(placement.places),
                _ => look.len(placement.pieces),
            };
            placed.push((0..count).map(|_| rest.next().unwrap_or(-1)).collect());
        }
        let mut vars = BTreeMap::new();
        for var in &look.vars {
            let mut values = Vec::with_capacity(var.cells);
            for _ in 0..var.cells {
                let first = rest.next().unwrap_or(if var.set { 0 } else { -1 });
                values.push(match var.set {
                    true => (0..first).map_while(|_| rest.next()).collect(),
                    false => vec![first],
                });
            }
            let least = var.least;
            vars.insert(var.id, Cells { least, values });
        }
        Position {
            look,
            info,
            turn,
            text,
            placed,
            vars,
        }
    }

    /// The player whom the draw is for that is due, where the game knows one: who rolls.
    pub fn drawing(&self) -> Option<usize> {
        let var = self.look.presentation.drawing?;
        let player = (self.turn == Turn::Chance).then(|| self.nth(var, 0))?;
        player.filter(|player| *player < self.look.player_count())
    }

    /// What stands on a place, ascending: pieces, or the kind where pieces have no identity.
    pub(crate) fn on_place(&self, placement: usize, place: u32) -> Vec<u32> {
        let Some(placed) = self.placed.get(placement) else {
            return Vec::new();
        };
        if self.look.placements[placement].form == Form::Anonymous {
            let kind = placed
                .get(place as usize)
                .and_then(|&kind| u32::try_from(kind).ok());
            return kind.into_iter().collect();
        }
        let here = placed.iter().zip(0..);
        here.filter(|(at, _)| **at == i64::from(place))
            .map(|(_, piece)| piece)
            .collect()
    }

    /// The pieces with identity that stand nowhere.
    pub(crate) fn nowhere(&self, placement: usize) -> Vec<u32> {
        match self.look.placements[placement].form {
            Form::Anonymous => Vec::new(),
            _ => {
                let all = self.placed[placement].iter().zip(0..);
                all.filter(|(at, _)| **at < 0)
                    .map(|(_, piece)| piece)
                    .collect()
            }
        }
    }

    /// How a piece looks here; pieces without identity are their kinds.
    pub(crate) fn dress(&self, domain: u32, member: u32, single: bool) -> Dress {
        let look = self.look;
        let mut looks = look.presentation.pieces.iter();
        let own = looks.find(|own| own.domain == domain && own.member == member);
        let name = look.name(domain, member);
        let plain = if look.is_players(domain) { "" } else { name };
        let kind = own.map_or(plain, |own| own.kind.as_str());
        let state = own.and_then(|own| own.state).filter(|_| single);
        let state = state.and_then(|var| self.nth(var, member as usize));
        let owner = look.owner(domain, member);
        look.wardrobe().dress((domain, kind), name, state, owner)
    }

    /// The place with a name, by its numbers of domain and member; only where pieces can stand.
    pub fn place_named(&self, name: &str) -> Option<(u32, u32)> {
        self.look.placements.iter().find_map(|placement| {
            let mut members = 0..self.look.len(placement.places) as u32;
            let place = members.find(|&place| self.look.name(placement.places, place) == name)?;
            Some((placement.places, place))
        })
    }

    /// The places in a list of their names with commas between them, which names may have too; nothing if something else is
    /// in it.
    pub fn places_in<'t>(&self, list: &'t str) -> Option<Vec<&'t str>> {
        let mut rest = list;
        let mut found = Vec::new();
        while !rest.is_empty() {
            let ends = rest.match_indices(',').map(|(at, _)| at);
            // The longest name that fits.
            let mut longest = ends.chain([rest.len()]).rev();
            let end = longest.find(|end| self.place_named(rest[..*end].trim()).is_some())?;
            found.push(rest[..end].trim());
            rest = rest[end..].strip_prefix(',').unwrap_or("");
        }
        Some(found)
    }

    /// What stands on the place of a name, with that name; nothing where nothing stands.
    pub fn standing_on(&self, name: &str) -> Option<(&'p str, &'p str)> {
        let look = self.look;
        for (index, placement) in look.placements.iter().enumerate() {
            let mut members = 0..look.len(placement.places) as u32;
            let Some(place) = members.find(|&place| look.name(placement.places, place) == name)
            else {
                continue;
            };
            if let Some(piece) = self.on_place(index, place).last() {
                let name = look.name(placement.places, place);
                return Some((look.name(placement.pieces, *piece), name));
            }
        }
        None
    }

    /// What kind of thing a piece of this name is, as people call what it looks like, and whether its sides are its states: then
    /// it can be turned over.
    pub fn kind_called(&self, name: &str) -> Option<(String, bool)> {
        let look = self.look;
        look.placements.iter().find_map(|placement| {
            let mut members = 0..look.len(placement.pieces) as u32;
            let member = members.find(|&piece| look.name(placement.pieces, piece) == name)?;
            let mut known = look.presentation.pieces.iter();
            let own = known.find(|own| own.domain == placement.pieces && own.member == member);
            let kind = own.map_or(name, |own| own.kind.as_str());
            let turns = look.wardrobe().is_turned(placement.pieces, kind);
            Some((kind.replace('_', " "), turns))
        })
    }

    /// What kind all places of these names are of, if they are of one, as the rules call it.
    pub fn kind_of_places(&self, names: &[&str]) -> Option<&'p str> {
        let look = self.look;
        let kind = |name: &&str| {
            let place = self.place_named(name)?;
            let mut all = look.presentation.places.iter();
            let own = all.find(|own| (own.domain, own.member) == place)?;
            Some(own.kind.as_str())
        };
        let first = kind(names.first()?)?;
        names
            .iter()
            .all(|name| kind(name) == Some(first))
            .then_some(first)
    }

    /// Whether the place of a name only holds what is not in play.
    pub fn is_store_named(&self, name: &str) -> bool {
        self.place_named(name)
            .is_some_and(|place| self.look.is_store(place))
    }

    /// A text in which the names of places are those by files and ranks, where they have any.
    pub fn in_coordinates(&self, text: &str) -> String {
        let look = self.look;
        let names = look.coordinates();
        let mut known: Vec<(&str, &str)> = Vec::new();
        for placement in &look.placements {
            for place in 0..look.len(placement.places) as u32 {
                if let Some(name) = names.get(&format!("{}.{place}", placement.places)) {
                    let own = look.name(placement.places, place);
                    // A plain number may be any number.
                    if !own.bytes().all(|letter| letter.is_ascii_digit()) {
                        known.push((own, name));
                    }
                }
            }
        }
        // Longer names first, so that none is found in another.
        known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let begins = !told.ends_with(char::is_alphanumeric);
            let found = known.iter().find(|(name, _)| {
                let after = rest.strip_prefix(name);
                begins && after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
            });
            match found {
                Some((name, coordinate)) => {
                    told.push_str(coordinate);
                    rest = &rest[name.len()..];
                }
                None => {
                    let letter = rest.chars().next().map_or(1, char::len_utf8);
                    told.push_str(&rest[..letter]);
                    rest = &rest[letter..];
                }
            }
        }
        told
    }

    /// How the uppermost piece on a place looks.
    pub(crate) fn top(&self, (domain, member): (u32, u32)) -> Option<Dress> {
        let all = self.look.placements.iter().enumerate();
        let mut here = all.filter(|(_, placement)| placement.places == domain);
        here.find_map(|(index, placement)| {
            let piece = *self.on_place(index, member).last()?;
            let single = placement.form != Form::Anonymous;
            Some(self.dress(placement.pieces, piece, single))
        })
    }

    /// The number in a cell of a variable.
    pub(crate) fn number(&self, var: u32, cell: usize) -> Option<i64> {
        let cells = self.vars.get(&var)?;
        cells
            .values
            .get(cell)
            .or(cells.values.first())?
            .first()
            .copied()
    }

    /// The same, counted from the least value of the variable.
    pub(crate) fn nth(&self, var: u32, cell: usize) -> Option<usize> {
        let least = self.vars.get(&var)?.least;
        usize::try_from(self.number(var, cell)? - least).ok()
    }

    /// The members of a set in a cell of a variable.
    pub(crate) fn set(&self, var: u32, cell: usize) -> &[i64] {
        let cells = self.vars.get(&var).and_then(|cells| cells.values.get(cell));
        cells.map_or(&[], Vec::as_slice)
    }

    /// The units that are on the board of a game in episodes.
    pub fn units(&self) -> &[i64] {
        let episode = self.look.episode.as_ref();
        episode.map_or(&[], |episode| self.set(episode.present, 0))
    }

    /// The kind of a unit of a game in episodes.
    pub fn kind_of_unit(&self, unit: usize) -> Option<usize> {
        let episode = self.look.episode.as_ref()?;
        usize::try_from(self.number(episode.kinds, unit)?).ok()
    }

    /// Where a thing is: pieces by their place, places by themselves; nothing for what has no place.
    pub fn spot(&self, (domain, member): (u32, u32)) -> Option<(u32, u32)> {
        if let Some(nest) = &self.look.nest {
            // Boxes lie in boxes: each is a place of its own.
            return (nest.pieces == domain).then_some((domain, member));
        }
        for (placement, placed) in self.look.placements.iter().zip(&self.placed) {
            if placement.form != Form::Anonymous && placement.pieces == domain {
                let at = u32::try_from(*placed.get(member as usize)?).ok()?;
                return Some((placement.places, at));
            }
        }
        let places = |p: &Placement| p.places == domain;
        let known = self.look.placements.iter().any(places)
            || self
                .look
                .presentation
                .places
                .iter()
                .any(|place| place.domain == domain)
            || self
                .look
                .episode
                .as_ref()
                .is_some_and(|e| [e.targets, e.units].contains(&Some(domain)));
        known.then_some((domain, member))
    }
}
