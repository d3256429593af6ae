//! What symmetries make of positions, worked out once for each symmetry: which word of the image is which word of a position,
//! and what becomes of its value.
//!
//! The reference interpreter says what an image is; here nothing is taken apart and put together again.

use std::sync::OnceLock;

use crate::code::{Code, Kept, PlacementCode, Supply, VarCode};
use crate::compile::set_words;
use crate::ir::effects::constants;
use crate::ir::{DomainId, Game, Symmetry, Type, VarId};
use crate::run::{Ending, Machine};

/// The plans of all symmetries, made when somebody asks first.
///
/// Not even how many symmetries there are is asked before: it takes long to find them.
#[derive(Debug, Default)]
pub(crate) struct Plans(OnceLock<Vec<OnceLock<Option<Plan>>>>);

impl Plans {
    /// What a symmetry does to words; nothing where there is none of that number, or words do not tell.
    pub(crate) fn plan(&self, game: &Game, code: &Code, symmetry: usize) -> Option<&Plan> {
        let all = &game.symmetries.all;
        let by = all.get(symmetry)?;
        let plans = self
            .0
            .get_or_init(|| all.iter().map(|_| OnceLock::new()).collect());
        plans[symmetry]
            .get_or_init(|| Plan::of(game, code, by))
            .as_ref()
    }
}

/// What a symmetry does to the words of a position.
#[derive(Debug)]
pub(crate) struct Plan {
    /// What becomes of variables and placements.
    stored: Vec<Part>,
    /// What becomes of sets that are kept.
    kept: Vec<Part>,
    /// The sets that are kept whose places have to be judged anew.
    judged: Vec<usize>,
    /// The sets of pieces that have to be found anew, by placement and number.
    supplies: Vec<(usize, usize)>,
    /// The new number of each player; nothing where all stay.
    players: Vec<i64>,
}

/// Words of the image, one after another, and where they are from.
#[derive(Debug)]
struct Part {
    to: usize,
    from: Box<[u32]>,
    new: New,
}

/// New values.
#[derive(Debug)]
enum New {
    /// Words stay as they are.
    Same,
    /// The new value of each, from the least on.
    Value(i64, Box<[i64]>),
    /// The new number of each member of a set of so many words; only the first word of each set is named.
    Set(usize, Box<[u32]>),
    /// The new value of each item of sequences of so many words.
    Seq(usize, i64, Box<[i64]>),
    /// Something that holds.
    Sure,
}

impl Part {
    #[inline]
    fn fill(&self, from: &[i64], to: &mut [i64]) {
        let sources = self.from.iter().map(|at| *at as usize);
        let to = &mut to[self.to..];
        match &self.new {
            New::Same => {
                for (slot, at) in to.iter_mut().zip(sources) {
                    *slot = from[at];
                }
            }
            New::Value(low, new) => {
                for (slot, at) in to.iter_mut().zip(sources) {
                    *slot = value(*low, new, from[at]);
                }
            }
            New::Set(words, new) => {
                for (set, at) in to.chunks_exact_mut(*words).zip(sources) {
                    permute(&from[at..at + words], new, set);
                }
            }
            New::Seq(words, low, new) => {
                for (seq, at) in to.chunks_exact_mut(*words).zip(sources) {
                    let old = &from[at..at + words];
                    seq.copy_from_slice(old);
                    for (slot, old) in seq[1..].iter_mut().zip(&old[1..]).take(old[0] as usize) {
                        *slot = value(*low, new, *old);
                    }
                }
            }
            New::Sure => to[0] = 1,
        }
    }
}

#[inline(always)]
fn value(low: i64, new: &[i64], old: i64) -> i64 {
    let known = new.get(old.wrapping_sub(low) as usize);
    known.copied().unwrap_or(old)
}

/// Writes the set of the new numbers of the members of a set.
#[inline]
fn permute(old: &[i64], new: &[u32], set: &mut [i64]) {
    set.fill(0);
    for (&word, new) in old.iter().zip(new.chunks(64)) {
        let mut rest = word as u64;
        while rest != 0 {
            let member = new[rest.trailing_zeros() as usize] as usize;
            set[member / 64] |= 1 << (member % 64);
            rest &= rest - 1;
        }
    }
}

impl Plan {
    fn of(game: &Game, code: &Code, by: &Symmetry) -> Option<Plan> {
        let maker = Maker { game, by };
        let constants = constants(game).vars;
        let mut stored = Vec::new();
        for (index, var) in code.vars.iter().enumerate() {
            let id = VarId::from(index);
            if !constants.contains(&id) || game.unsure.contains(&id) {
                stored.extend(maker.variable(id, var)?);
            }
        }
        let (mut kept, mut judged, mut supplies) = (Vec::new(), Vec::new(), Vec::new());
        for (index, placement) in code.placements.iter().enumerate() {
            stored.extend(maker.placement(index, placement));
            kept.extend(maker.crowds(index, placement));
            for supply in 0..placement.supplies.len() {
                match maker.supply(index, placement, supply) {
                    Some(part) => kept.extend(part),
                    None => supplies.push((index, supply)),
                }
            }
            for &set in &placement.kept {
                match maker.kept(code, set) {
                    Some(part) => kept.extend(part),
                    None => judged.push(set),
                }
            }
        }
        Some(Plan {
            stored,
            kept,
            judged,
            supplies,
            players: maker.members(game.players),
        })
    }

    /// Writes the variables and placements of the image of a position to a copy of the position.
    #[inline]
    pub(crate) fn store(&self, from: &[i64], to: &mut [i64]) {
        for part in &self.stored {
            part.fill(from, to);
        }
    }

    /// Writes the sets that are kept of the image.
    pub(crate) fn keep(&self, from: &[i64], machine: &mut Machine<'_>) {
        for part in &self.kept {
            part.fill(from, &mut machine.mem);
        }
        for &set in &self.judged {
            machine.keep_set(set);
        }
        for &(placement, supply) in &self.supplies {
            machine.keep_supply(placement, supply);
        }
    }

    /// How the image ends.
    pub(crate) fn end(&self, over: Option<Ending>) -> Option<Ending> {
        let players = (0..64).filter(|player| over.is_some_and(|o| o.winners >> player & 1 == 1));
        let winners = match self.players.is_empty() {
            true => return over,
            false => players.map(|player| value(0, &self.players, player)),
        };
        let winners = winners.fold(0, |all, player| all | 1 << (player & 63));
        over.map(|over| Ending { winners, ..over })
    }
}

/// Makes plans for a symmetry.
struct Maker<'g> {
    game: &'g Game,
    by: &'g Symmetry,
}

/// A part, unless it would change nothing.
fn part(to: usize, width: usize, from: Vec<u32>, new: New) -> Option<Part> {
    let stays = (from.iter().enumerate()).all(|(cell, at)| *at as usize == to + cell * width);
    match (stays, &new) {
        (true, New::Same) => None,
        _ => Some(Part {
            to,
            from: from.into(),
            new,
        }),
    }
}

impl Maker<'_> {
    /// The new numbers of the members of a domain; nothing where all stay.
    fn members(&self, domain: DomainId) -> Vec<i64> {
        let members = self.by.members.get(&domain).into_iter().flatten();
        members.map(|member| i64::from(*member)).collect()
    }

    /// For each member the one whose new number it is.
    fn sources(&self, domain: DomainId) -> Vec<u32> {
        let mut from: Vec<u32> = (0..self.game.domain(domain).len() as u32).collect();
        for own in 0..from.len() {
            if let Some(slot) = from.get_mut(self.by.member(domain, own as u32) as usize) {
                *slot = own as u32;
            }
        }
        from
    }

    /// The new number of each member.
    fn numbers(&self, domain: DomainId) -> Vec<u32> {
        let members = 0..self.game.domain(domain).len() as u32;
        members.map(|own| self.by.member(domain, own)).collect()
    }

    /// The new values of words that hold members or nothing.
    fn named(&self, domain: DomainId) -> New {
        match self.members(domain) {
            all if all.is_empty() => New::Same,
            all => New::Value(-1, std::iter::once(-1).chain(all).collect()),
        }
    }

    /// The new values of what a variable holds; nothing where that is no number and no set or sequence of such.
    fn values(&self, id: VarId, var: &VarCode) -> Option<New> {
        Some(match &var.ty {
            Type::Int { lo, .. } => match self.by.values.get(&id) {
                Some(new) => New::Value(*lo, new.clone().into()),
                None => New::Same,
            },
            Type::Elem(domain) | Type::Opt(domain) => self.named(*domain),
            Type::Set(domain) => match self.by.keeps(*domain) {
                true => New::Same,
                false => New::Set(var.width, self.numbers(*domain).into()),
            },
            Type::Seq { item, .. } => match item.as_ref() {
                Type::Elem(domain) | Type::Opt(domain) => match self.named(*domain) {
                    New::Value(low, new) => New::Seq(var.width, low, new),
                    same => same,
                },
                Type::Bool | Type::Int { .. } | Type::Wrap32 => New::Same,
                Type::Set(_) | Type::Seq { .. } | Type::Tagged => return None,
            },
            Type::Bool | Type::Wrap32 => New::Same,
            Type::Tagged => return None,
        })
    }

    /// What becomes of a variable.
    fn variable(&self, id: VarId, var: &VarCode) -> Option<Option<Part>> {
        if self.game.unsure.contains(&id) {
            return Some(Some(Part {
                to: var.base,
                from: Box::default(),
                new: New::Sure,
            }));
        }
        let cells = self.by.sources(self.game, &self.game.var(id).axes);
        let cell = |at: usize| cells.get(at).map_or(at, |from| *from as usize);
        let first = (0..var.cells).map(|at| var.base + cell(at) * var.width);
        let new = self.values(id, var)?;
        let (words, width) = match new {
            New::Same => (var.width, 1),
            _ => (1, var.width),
        };
        let from = first.flat_map(|at| (at as u32..).take(words)).collect();
        Some(part(var.base, width, from, new))
    }

    fn placement(&self, index: usize, code: &PlacementCode) -> impl Iterator<Item = Part> {
        let placement = &self.game.placements[index];
        let part = |to: usize, keys, values| {
            let from = self.sources(keys).into_iter().map(|key| to as u32 + key);
            part(to, 1, from.collect(), self.named(values))
        };
        let (pieces, places) = (placement.pieces, placement.places);
        let places_of = code.place_of.and_then(|to| part(to, pieces, places));
        let contents = code.content.and_then(|to| part(to, places, pieces));
        places_of.into_iter().chain(contents)
    }

    /// What becomes of the sets of pieces on each place.
    fn crowds(&self, index: usize, code: &PlacementCode) -> Option<Part> {
        let placement = &self.game.placements[index];
        let crowds = code.crowds?;
        let (pieces, places) = (placement.pieces, placement.places);
        if self.by.keeps(pieces) && self.by.keeps(places) {
            return None;
        }
        let from = self.sources(places).into_iter();
        let from = from.map(|place| (crowds.at + place as usize * crowds.words) as u32);
        let new = New::Set(crowds.words, self.numbers(pieces).into());
        part(crowds.at, crowds.words, from.collect(), new)
    }

    /// What becomes of the set of the pieces on some places: it is another one of them, where its places are the images of those.
    fn supply(&self, index: usize, code: &PlacementCode, supply: usize) -> Option<Option<Part>> {
        let placement = &self.game.placements[index];
        let (own, places) = (&code.supplies[supply], placement.places);
        let image = |place: usize| self.by.member(places, place as u32) as usize;
        let asks = |other: &&Supply| {
            let mut known = other.places.iter().enumerate();
            known.all(|(place, stands)| own.places.get(image(place)) == Some(stands))
        };
        let source = std::iter::once(own).chain(&code.supplies).find(asks)?;
        if source.at == own.at && self.by.keeps(placement.pieces) {
            return Some(None);
        }
        let words = set_words(code.pieces);
        let new = New::Set(words, self.numbers(placement.pieces).into());
        Some(part(own.at, words, vec![source.at as u32], new))
    }

    /// What becomes of a set that is kept: it is another one of them, where that asks of contents what this one asks of their
    /// images. The inner nothing where nothing changes, the outer one where no set does.
    fn kept(&self, code: &Code, set: usize) -> Option<Option<Part>> {
        let own = &code.kept[set];
        let placement = &self.game.placements[own.placement];
        let (pieces, places) = (placement.pieces, placement.places);
        let wanted = own.known.as_ref()?;
        let image = |content: usize| match content.checked_sub(1) {
            Some(piece) => 1 + self.by.member(pieces, piece as u32) as usize,
            None => 0,
        };
        let asks = |other: &&Kept| {
            let known = other
                .known
                .as_ref()
                .filter(|_| other.placement == own.placement);
            known.is_some_and(|known| {
                (known.iter().enumerate())
                    .all(|(content, passes)| wanted.get(image(content)) == Some(passes))
            })
        };
        let source = (std::iter::once(own).chain(&code.kept)).find(asks)?;
        if source.at == own.at && self.by.keeps(places) {
            return Some(None);
        }
        let words = set_words(self.game.domain(places).len());
        let new = New::Set(words, self.numbers(places).into());
        Some(part(own.at, words, vec![source.at as u32], new))
    }
}
