//! What symmetries make of positions, moves and planes, and what is to be said of them.

use super::game::{Game, IdentityTerm, PlacementForm};
use super::ids::{DomainId, VarId};
use super::observe::{Plane, PlaneSource, planes};
use super::symmetry::{Symmetries, Symmetry};
use super::types::{Axis, Type};

impl Symmetries {
    /// How many of them keep all players.
    pub fn of_players(&self, game: &Game) -> usize {
        1 + self.all.iter().filter(|s| s.keeps(game.players)).count()
    }

    /// What is to be said of them, in a line.
    pub fn text(&self, game: &Game) -> String {
        if let Some(why) = &self.unknown {
            return format!("not known: {why}");
        }
        let (order, start) = (self.order(), self.of_start());
        let mut text = match order {
            1 => String::from("none found"),
            _ => format!("{order}, of which {start} keep the start"),
        };
        if self.of_players(game) < order {
            text.push_str("; sides can be exchanged");
        }
        if let Some(apart) = self.told_apart() {
            text.push_str("; ");
            text.push_str(&apart);
        }
        text
    }
}

impl Symmetry {
    /// The new value of an integer variable.
    pub fn value(&self, game: &Game, var: VarId, value: i64) -> i64 {
        let new = self.values.get(&var).and_then(|new| {
            let (lo, _) = game.var(var).ty.int_range()?;
            new.get(usize::try_from(value.checked_sub(lo)?).ok()?)
        });
        new.copied().unwrap_or(value)
    }
}

/// What a symmetry does, as numbers that hosts of the game know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    /// The new number of each player; nothing where each keeps his own.
    pub players: Vec<u32>,
    /// The new number of each piece, the domains of pieces one after the other; nothing where each keeps its own.
    pub pieces: Vec<u32>,
    /// The new number of each place, the domains of places one after the other; nothing where each keeps its own.
    pub places: Vec<u32>,
    /// For each family, then for each draw, the family of the images and what becomes of each argument.
    pub moves: Vec<(usize, Vec<ArgImage>)>,
    /// For each plane of the image what it is made from; nothing where that is not known.
    pub planes: Vec<PlaneImage>,
}

/// A plane of the image of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaneImage {
    /// The plane that it is made from.
    pub plane: usize,
    /// The cell that each cell is taken from; nothing where all stay.
    pub from: Vec<u32>,
    /// The new number of each value; nothing where all stay.
    pub values: Vec<u32>,
}

/// What becomes of an argument of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgImage {
    /// It stays.
    Same,
    /// The new number of each member.
    Member(Vec<u32>),
    /// The new number of each member of a set.
    Set(Vec<u32>),
}

impl Symmetry {
    /// What it does to what hosts of the game know.
    pub fn images(&self, game: &Game) -> Images {
        let joined = |domains: Vec<DomainId>| self.joined(game, &domains);
        let named = |of: fn(&super::game::Placement) -> DomainId| {
            let mut domains: Vec<DomainId> = Vec::new();
            for domain in game.placements.iter().map(of) {
                if !domains.contains(&domain) {
                    domains.push(domain);
                }
            }
            domains
        };
        let families = game.families.iter().zip(0..).map(|(family, own)| {
            let image = self.families.get(own).map_or(own, |new| *new as usize);
            let args = family.params.iter().map(|param| self.arg(&param.ty));
            (image, args.collect())
        });
        let first = game.families.len();
        let draws = game.draws.iter().zip(first..);
        let draws = draws.map(|(draw, own)| (own, vec![self.arg(&draw.ty)]));
        Images {
            players: joined(vec![game.players]),
            pieces: joined(named(|placement| placement.pieces)),
            places: joined(named(|placement| placement.places)),
            moves: families.chain(draws).collect(),
            planes: self.planes(game),
        }
    }

    fn planes(&self, game: &Game) -> Vec<PlaneImage> {
        if !self.keeps_planes {
            return Vec::new();
        }
        let all = planes(game);
        let source = |own: usize| self.planes.get(own).map_or(own, |plane| *plane as usize);
        let of = |own| {
            let plane = source(own);
            let (from, values) = self.plane(game, all.get(plane)?);
            Some(PlaneImage {
                plane,
                from,
                values,
            })
        };
        (0..all.len()).filter_map(of).collect()
    }

    /// The new numbers of the members of some domains, one after the other; nothing where all stay.
    fn joined(&self, game: &Game, domains: &[DomainId]) -> Vec<u32> {
        if domains.iter().all(|domain| self.keeps(*domain)) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for domain in domains {
            let first = all.len() as u32;
            let members = 0..game.domain(*domain).len() as u32;
            all.extend(members.map(|member| first + self.member(*domain, member)));
        }
        all
    }

    fn arg(&self, ty: &Type) -> ArgImage {
        match ty {
            Type::Elem(domain) | Type::Opt(domain) => match self.members.get(domain) {
                Some(members) => ArgImage::Member(members.clone()),
                None => ArgImage::Same,
            },
            Type::Set(domain) => match self.members.get(domain) {
                Some(members) => ArgImage::Set(members.clone()),
                None => ArgImage::Same,
            },
            _ => ArgImage::Same,
        }
    }

    /// The cell that each cell of a list is taken from, where cells have these indexes; nothing where all stay.
    pub fn sources(&self, game: &Game, axes: &[Axis]) -> Vec<u32> {
        let lens: Vec<usize> = axes.iter().map(|axis| axis.len(game)).collect();
        let cells: usize = lens.iter().product();
        let mut from = vec![0; cells];
        for cell in 0..cells {
            let (mut rest, mut image, mut stride) = (cell, 0, 1);
            for (axis, len) in axes.iter().zip(&lens).rev() {
                let at = rest % len;
                rest /= len;
                image += stride
                    * match axis {
                        Axis::Domain(domain) => self.member(*domain, at as u32) as usize,
                        Axis::Range { .. } => at,
                    };
                stride *= len;
            }
            from[image] = cell as u32;
        }
        match from.iter().zip(0..).all(|(from, own)| *from == own) {
            true => Vec::new(),
            false => from,
        }
    }

    /// The new number of each value of a cell, where members count from 1 and 0 is none; nothing where all stay.
    fn members_as_values(&self, ty: &Type) -> Vec<u32> {
        let (Type::Elem(domain) | Type::Opt(domain)) = ty else {
            return Vec::new();
        };
        let members = self.members.get(domain).into_iter().flatten();
        let members = members.map(|member| member + 1);
        let values: Vec<u32> = std::iter::once(0).chain(members).collect();
        if values.len() > 1 { values } else { Vec::new() }
    }

    /// The new value for each value of a variable from 0 on; nothing where all stay.
    pub fn numbers_of(&self, game: &Game, var: VarId) -> Vec<u32> {
        if !self.values.contains_key(&var) {
            return Vec::new();
        }
        let high = game.var(var).ty.int_range().map_or(0, |(_, hi)| hi);
        let new = (0..=high).map(|value| u32::try_from(self.value(game, var, value)));
        new.collect::<Result<_, _>>().unwrap_or_default()
    }

    fn plane(&self, game: &Game, plane: &Plane) -> (Vec<u32>, Vec<u32>) {
        let (from, members) = self.plane_of_members(game, plane);
        let numbers = plane.variable(game).map(|var| self.numbers_of(game, var));
        let numbers = numbers.filter(|numbers| !numbers.is_empty());
        (from, numbers.unwrap_or(members))
    }

    fn plane_of_members(&self, game: &Game, plane: &Plane) -> (Vec<u32>, Vec<u32>) {
        let of = |axes: &[Axis], ty: &Type| match ty {
            Type::Set(domain) => {
                let axes = [axes, &[Axis::Domain(*domain)]].concat();
                (self.sources(game, &axes), Vec::new())
            }
            _ => (self.sources(game, axes), self.members_as_values(ty)),
        };
        match plane.source {
            PlaneSource::Term(identity, at) => match &game.identity(identity).terms[at] {
                IdentityTerm::Value(value) => of(&[], &value.ty),
                IdentityTerm::Each { domain, .. } => of(&[Axis::Domain(*domain)], &Type::Bool),
                _ => (Vec::new(), Vec::new()),
            },
            PlaneSource::Value(identity, at, value) => match &game.identity(identity).terms[at] {
                IdentityTerm::Each { domain, values, .. } => {
                    of(&[Axis::Domain(*domain)], &values[value].ty)
                }
                _ => (Vec::new(), Vec::new()),
            },
            PlaneSource::Var(var) => of(&game.var(var).axes, &game.var(var).ty),
            PlaneSource::Placement(id) => {
                let placement = game.placement(id);
                let (keys, values) = match placement.form {
                    PlacementForm::Many => (placement.pieces, placement.places),
                    _ => (placement.places, placement.pieces),
                };
                of(&[Axis::Domain(keys)], &Type::Opt(values))
            }
        }
    }
}
