//! What is of the second player as something else is of the first: one weight with two signs, learnt from twice as much.
//!
//! Names tell: those that begin with the name of a player, or are one. Where the board lies the other way round for the second player is
//! tried out on the first position. A round that this is wrong of loses against the one before, so nothing rests on it.

use std::collections::BTreeMap;

use rulec_core::{GameInfo, Plane};

use super::{
    Evaluation, PlaneWeights,
    fit::{GROUPS, NO_GROUP, summed},
};

/// For each feature the one whose weight it has, and whether with the other sign.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirror {
    pub(super) counts: Vec<(u32, f64)>,
    pub(super) places: Vec<(u32, f64)>,
    /// For each place of each value the groups that it is in; then for each place once for either player.
    pub(super) groups: Vec<[u32; GROUPS]>,
    /// Places of values, before those of players.
    pub(super) of_values: usize,
    /// For each place the first one that symmetries take it to that leave everybody who he is.
    orbits: Vec<u32>,
    /// For each plane whether it shows what is of one player as another one, or it itself, shows the same of the other.
    owned: Vec<bool>,
    /// Whether the first position looks the same to both players.
    even: bool,
}

/// What a place is to the other player.
type Turned = Vec<usize>;

impl Mirror {
    /// The mirror of a game, whose first position shows these values.
    pub(super) fn of(info: &GameInfo, layout: &Evaluation, first: &[i64]) -> Mirror {
        let turned = turned(info, layout, first);
        let starts = starts(&layout.planes);
        let mut mirror = Mirror {
            owned: vec![false; layout.planes.len()],
            even: turned.is_some(),
            orbits: orbits(info),
            ..Mirror::default()
        };
        (mirror.groups, mirror.of_values) = groups(info, &layout.planes, &mirror.orbits);
        for (number, (plane, shown)) in layout.planes.iter().zip(info.planes).enumerate() {
            let values = plane.counts.len();
            let partners: Vec<Option<(usize, usize)>> = (0..values)
                .map(|value| partner(info, layout, number, shown, value))
                .collect();
            for (other, _) in partners.iter().flatten() {
                mirror.owned[number] = true;
                mirror.owned[*other] = true;
            }
            let (count, place) = starts[number];
            for (value, partner) in partners.iter().enumerate() {
                mirror.counts.push(match partner {
                    Some((plane, other)) => ((starts[*plane].0 + other) as u32, -1.0),
                    None => ((count + value) as u32, 1.0),
                });
            }
            for cell in 0..plane.cells {
                for (value, partner) in partners.iter().enumerate() {
                    let other = turned.as_ref().filter(|t| t.len() == plane.cells);
                    mirror.places.push(match (partner, other) {
                        (Some((number, value)), Some(turned)) => {
                            let values = layout.planes[*number].counts.len();
                            let at = starts[*number].1 + turned[cell] * values + value;
                            (at as u32, -1.0)
                        }
                        _ => ((place + cell * values + value) as u32, 1.0),
                    });
                }
            }
        }
        mirror.places = folded(info, &layout.planes, &mirror.places);
        mirror
    }

    /// The number of a place for a player among the places of values and of players.
    pub(super) fn of_player(&self, player: usize, place: u32) -> u32 {
        let place = self.orbits.get(place as usize).copied().unwrap_or(place);
        (self.of_values + player * self.orbits.len()) as u32 + place
    }

    /// Whether a plane shows what is of a player.
    pub(super) fn is_owned(&self, plane: usize) -> bool {
        self.owned.get(plane).is_some_and(|owned| *owned)
    }

    /// Whether what a plane counts favours nobody: it is of both players, who are equally well off at the beginning.
    pub(super) fn favours_nobody(&self, number: usize, plane: &PlaneWeights) -> bool {
        self.even && !self.is_owned(number) && !plane.is_number() && self.owned.contains(&true)
    }

    /// For each plane and each of its values whose that is, see [`Lines`](super::Lines); for planes that show so many places.
    pub(super) fn sides(&self, planes: &[PlaneWeights], places: usize) -> Vec<Vec<u8>> {
        let mut first = 0;
        let sides = |plane: &PlaneWeights| {
            let values = first..first + plane.counts.len();
            first = values.end;
            let side = |count| match self.owner(count) {
                Some(owner) if owner > 0.0 => 1,
                Some(_) => 2,
                None => 0,
            };
            let sides: Vec<u8> = values.map(side).collect();
            let shows = plane.cells == places && !plane.is_number() && sides.iter().any(|s| *s > 0);
            if shows { sides } else { Vec::new() }
        };
        planes.iter().map(sides).collect()
    }

    /// Whose the thing is that a count counts: 1 for the first player and -1 for the second one; nothing where it is nobody's.
    pub(super) fn owner(&self, count: usize) -> Option<f64> {
        let is_other = |(own, sign): &(u32, f64)| *sign < 0.0 && *own as usize == count;
        match self.is_image(count) {
            true => Some(-1.0),
            false => self.counts.iter().any(is_other).then_some(1.0),
        }
    }

    /// Whether a count has the weight of another one.
    pub(super) fn is_image(&self, count: usize) -> bool {
        self.counts.get(count).is_some_and(|(_, sign)| *sign < 0.0)
    }

    /// Gives features that mirror others the numbers of these.
    pub(super) fn fold(&self, counts: &mut Vec<(u32, f64)>) {
        for (at, x) in counts.iter_mut() {
            let (own, sign) = self.counts.get(*at as usize).copied().unwrap_or((*at, 1.0));
            (*at, *x) = (own, *x * sign);
        }
        *counts = summed(std::mem::take(counts));
    }
}

/// Places with what mirrors them, merged by the symmetries of the rules: what stands where one of them takes it is worth the same, and to the
/// other player where it exchanges the players.
fn folded(info: &GameInfo, planes: &[PlaneWeights], places: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let mut orbits = Orbits(places.to_vec());
    let starts = starts(planes);
    let known = info
        .symmetries
        .iter()
        .filter(|by| by.planes.len() == planes.len());
    for by in known {
        let sign = if by.keeps_players() { 1.0 } else { -1.0 };
        for ((plane, image), (_, first)) in planes.iter().zip(by.planes).zip(&starts) {
            let Some((_, first_of_source)) = starts.get(image.plane) else {
                continue;
            };
            let values = plane.counts.len();
            for (cell, value) in
                (0..plane.cells).flat_map(|cell| (0..values).map(move |v| (cell, v)))
            {
                let from = image.from.get(cell).map_or(cell, |from| *from as usize);
                // Numbers beside members of a domain stay.
                let told = usize::try_from(plane.low + value as i64).ok();
                let told = told.and_then(|told| image.values.get(told));
                let new = told.map_or(value, |new| plane.place(i64::from(*new)));
                orbits.join(
                    first + cell * values + new,
                    first_of_source + from * values + value,
                    sign,
                );
            }
        }
    }
    (0..places.len())
        .map(|at| orbits.first(at))
        .map(|(at, sign)| (at as u32, sign))
        .collect()
}

/// Features that have one weight, but for its sign: for each another one, the first of all in the end.
struct Orbits(Vec<(u32, f64)>);

impl Orbits {
    fn first(&mut self, mut at: usize) -> (usize, f64) {
        let mut sign = 1.0;
        while let Some(&(next, own)) = self.0.get(at)
            && next as usize != at
        {
            sign *= own;
            at = next as usize;
        }
        (at, sign)
    }

    fn join(&mut self, a: usize, b: usize, sign: f64) {
        let ((a, of_a), (b, of_b)) = (self.first(a), self.first(b));
        let (first, last) = (a.min(b), a.max(b));
        // What is worth the contrary of itself is left to games.
        if first != last
            && let Some(joined) = self.0.get_mut(last)
        {
            *joined = (first as u32, of_a * sign * of_b);
        }
    }
}

/// For each plane its first count and its first place among those of all.
fn starts(planes: &[PlaneWeights]) -> Vec<(usize, usize)> {
    let mut next = (0, 0);
    let start = |plane: &PlaneWeights| {
        let start = next;
        next.0 += plane.counts.len();
        next.1 += plane.counts.len() * plane.cells;
        start
    };
    planes.iter().map(start).collect()
}

/// The name of what is of the first player as a thing of the second one is of him; nothing for other names.
fn counterpart(info: &GameInfo, name: &str) -> Option<String> {
    let [first, second] = info.players else {
        return None;
    };
    let rest = name.strip_prefix(second)?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| format!("{first}{rest}"))
}

/// The plane and the value whose weight a value has with the other sign.
fn partner(
    info: &GameInfo,
    layout: &Evaluation,
    number: usize,
    shown: &Plane,
    value: usize,
) -> Option<(usize, usize)> {
    let plane = &layout.planes[number];
    if plane.is_number() {
        return None;
    }
    let told = plane.low + value as i64;
    let wanted = counterpart(info, &name_of(info, shown, told))?;
    if told == 0 {
        return None;
    }
    if shown.values.max == 1 {
        let found = info
            .planes
            .iter()
            .position(|plane| plane.values.max == 1 && name_of(info, plane, 1) == wanted)?;
        let other = &layout.planes[found];
        let alike = other.cells == plane.cells && other.counts.len() == plane.counts.len();
        return alike.then_some((found, value));
    }
    let values = 0..plane.counts.len();
    let found = values
        .into_iter()
        .find(|&value| name_of(info, shown, plane.low + value as i64) == wanted)?;
    Some((number, found))
}

/// For each place of each value the groups that it is in, where names of places have two numbers: its rank, its file, and how far it is from
/// the middle; then for each player and each place its rank and its file. With them how many the first ones are.
fn groups(info: &GameInfo, planes: &[PlaneWeights], orbits: &[u32]) -> (Vec<[u32; GROUPS]>, usize) {
    let at: Vec<Option<(i64, i64)>> = info.places.iter().map(|name| two_numbers(name)).collect();
    let (files, ranks): (Vec<i64>, Vec<i64>) = at.iter().copied().flatten().unzip();
    let edges = |of: &[i64]| {
        let (least, most) = (of.iter().min(), of.iter().max());
        (least.copied().unwrap_or(0), most.copied().unwrap_or(0))
    };
    let (files, ranks) = (edges(&files), edges(&ranks));
    let far = |x: i64, (least, most): (i64, i64)| (2 * x).abs_diff(least.saturating_add(most));
    let mut known: BTreeMap<(usize, usize, usize, i64), u32> = BTreeMap::new();
    let mut all = Vec::new();
    for (number, plane) in planes.iter().enumerate() {
        let values = plane.counts.len();
        for feature in 0..plane.cells * values {
            let (cell, value) = (feature / values, feature % values);
            let place = at.get(cell).copied().flatten();
            let place = place.filter(|_| at.len() == plane.cells);
            all.push(place.map_or([NO_GROUP; GROUPS], |(file, rank)| {
                let ring = far(file, files).max(far(rank, ranks)) as i64;
                let mut of = |group, of| {
                    let next = known.len() as u32;
                    *known.entry((number, value, group, of)).or_insert(next)
                };
                [of(0, rank), of(1, file), of(2, ring)]
            }));
        }
    }
    let of_values = all.len();
    for player in planes.len()..planes.len() + 2 {
        for place in orbits {
            let place = at.get(*place as usize).copied().flatten();
            all.push(place.map_or([NO_GROUP; GROUPS], |(file, rank)| {
                let mut of = |group, of| {
                    let next = known.len() as u32;
                    *known.entry((player, 0, group, of)).or_insert(next)
                };
                [of(0, rank), of(1, file), NO_GROUP]
            }));
        }
    }
    (all, of_values)
}

/// For each place the first one that symmetries take it to that leave everybody who he is.
fn orbits(info: &GameInfo) -> Vec<u32> {
    let mut orbits = Orbits((0..info.places.len() as u32).map(|at| (at, 1.0)).collect());
    for by in info.symmetries.iter().filter(|by| by.keeps_players()) {
        for (old, new) in by.places.iter().enumerate() {
            orbits.join(old, *new as usize, 1.0);
        }
    }
    (0..info.places.len())
        .map(|at| orbits.first(at).0 as u32)
        .collect()
}

/// Where each place lies for the second player: with the ranks turned round, or files too.
fn turned(info: &GameInfo, layout: &Evaluation, first: &[i64]) -> Option<Turned> {
    let at: Option<Vec<(i64, i64)>> = info.places.iter().map(|name| two_numbers(name)).collect();
    let at = at?;
    let most = at
        .iter()
        .copied()
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
    let least = at
        .iter()
        .copied()
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))?;
    let turn = |files: bool| -> Option<Turned> {
        let of = |&(file, rank): &(i64, i64)| {
            let file = if files { most.0 + least.0 - file } else { file };
            at.iter()
                .position(|other| *other == (file, most.1 + least.1 - rank))
        };
        at.iter().map(of).collect()
    };
    let fits = |turned: &Turned| is_turned(info, layout, first, turned);
    [false, true].into_iter().filter_map(turn).find(fits)
}

/// Whether the first position looks to the second player as it does to the first one, so turned.
fn is_turned(info: &GameInfo, layout: &Evaluation, first: &[i64], turned: &Turned) -> bool {
    let mut begins = Vec::new();
    let mut at = 0;
    for plane in &layout.planes {
        begins.push(at);
        at += plane.cells;
    }
    let mut seen = false;
    for (number, (plane, shown)) in layout.planes.iter().zip(info.planes).enumerate() {
        if plane.cells != turned.len() || plane.is_number() {
            continue;
        }
        for (cell, &other) in turned.iter().enumerate() {
            let Some(&value) = first.get(begins[number] + cell) else {
                return false;
            };
            let Some((there, wanted)) = partner(info, layout, number, shown, plane.place(value))
            else {
                continue;
            };
            let told = first.get(begins[there] + other).copied();
            if told != Some(layout.planes[there].low + wanted as i64) {
                return false;
            }
            seen = true;
        }
    }
    seen
}

/// The two numbers that the name of a place ends in.
pub(super) fn two_numbers(name: &str) -> Option<(i64, i64)> {
    let numbers = match name.split_once('(') {
        Some((_, rest)) => rest.strip_suffix(')')?,
        None => name,
    };
    let (file, rank) = numbers.split_once(',')?;
    Some((file.trim().parse().ok()?, rank.trim().parse().ok()?))
}

/// What a value of a plane means, as far as the game tells.
pub(super) fn name_of(info: &GameInfo, plane: &rulec_core::Plane, value: i64) -> String {
    // A plane of one value may be called by it: `board.places(white queen)`.
    if plane.values.max == 1 {
        let inner = plane
            .name
            .split_once('(')
            .and_then(|(_, rest)| rest.strip_suffix(')'));
        return inner.unwrap_or(plane.name).to_owned();
    }
    let names = [info.pieces, info.players];
    let fits = names
        .iter()
        .find(|names| names.len() as i64 == plane.values.max);
    let name = fits.and_then(|names| names.get(usize::try_from(value - 1).ok()?));
    name.map_or_else(|| value.to_string(), |name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use rulec_core::{Interval, PlaneImage, Symmetry};

    use super::*;

    #[test]
    fn places_that_symmetries_take_to_each_other_have_one_weight() {
        // A row of three places; turning it round, and exchanging who is who.
        static PLANES: [Plane; 1] = [Plane {
            name: "row",
            cells: 3,
            values: Interval { min: 0, max: 2 },
        }];
        let turned = PlaneImage {
            plane: 0,
            from: &[2, 1, 0],
            values: &[],
        };
        let exchanged = PlaneImage {
            plane: 0,
            from: &[],
            values: &[0, 2, 1],
        };
        let symmetry = Symmetry {
            fixes_start: true,
            players: &[],
            pieces: &[],
            places: &[2, 1, 0],
            moves: &[],
            planes: &[],
        };
        let symmetries = [
            Symmetry {
                planes: Box::leak(Box::new([turned])),
                ..symmetry
            },
            Symmetry {
                players: &[1, 0],
                places: &[],
                planes: Box::leak(Box::new([exchanged])),
                ..symmetry
            },
        ];
        let info = GameInfo {
            players: &["a", "b"],
            places: &["p(1,1)", "p(2,1)", "p(3,1)"],
            planes: &PLANES,
            symmetries: Box::leak(Box::new(symmetries)),
            ..GameInfo::EMPTY
        };
        let mirror = Mirror::of(&info, &Evaluation::empty(&info), &[0, 0, 0]);
        // For each place the weights of nothing, of the first player and of the second one.
        let ends = [(0, 1.0), (1, 1.0), (1, -1.0)];
        let middle = [(3, 1.0), (4, 1.0), (4, -1.0)];
        assert_eq!(mirror.places, [ends, middle, ends].concat());
        assert_eq!(mirror.of_player(1, 2), mirror.of_player(1, 0));
        assert_ne!(mirror.of_player(0, 0), mirror.of_player(1, 0));
    }
}
