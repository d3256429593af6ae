//! Which tables are worked out in which order, and what of a position does not matter to them.

use std::collections::{BTreeMap, BTreeSet};

use rulec_core::{ChoiceSet, Rng, Turn};

use super::{
    Error, Tables, backward,
    class::{Class, Numbering},
    frame::{Frame, Room},
    graph::{Ground, Part, Status},
    table::Table,
};
use crate::AnyState;

/// Is told what is done, how much of it, and of how much; says whether to go on.
pub type Telling<'a> = &'a mut (dyn FnMut(&str, u64, u64) -> bool + Send);

/// What the work was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Positions that were set up, and those that were met on the way and are none of a table.
    pub positions: u64,
    /// Those met on the way.
    pub met: u64,
    /// Moves whose result was not known at once.
    pub moves: u64,
}

/// Which tables are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// That of these contents.
    Of(Vec<String>),
    /// Those of all contents up to so many.
    UpTo(usize),
}

/// Bounds of the work.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Bytes at most.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
    /// Seed of the random games by which the game is learnt.
    pub seed: u64,
}

/// Placements of a class that are tried to see where its moves lead, for each player.
const SAMPLES: u32 = 400;
/// Plies for which positions with and without what may not matter are played side by side.
const SIDE_BY_SIDE: u32 = 8;
/// Classes at most.
const MOST_CLASSES: usize = 20_000;

/// Is told who is on turn in a position and the position.
type Sampled<'f, 'g> = &'f mut dyn FnMut(usize, &(dyn AnyState<'g> + 'g));

/// The work that is to be done.
pub(super) struct Plan<'a, 'g> {
    start: &'a (dyn AnyState<'g> + 'g),
    frame: &'a Frame,
    settings: &'a Settings,
    done: Tables,
    /// The classes that are to be worked out, and what moves of each lead to.
    leads: BTreeMap<Class, BTreeSet<Class>>,
}

impl<'a, 'g> Plan<'a, 'g> {
    pub(super) fn new(
        start: &'a (dyn AnyState<'g> + 'g),
        frame: &'a Frame,
        settings: &'a Settings,
        done: Tables,
    ) -> Self {
        Self {
            start,
            frame,
            settings,
            done,
            leads: BTreeMap::new(),
        }
    }

    pub(super) fn into_tables(self) -> Tables {
        self.done
    }

    /// Adds what is wanted, and all that it needs.
    pub(super) fn wish(&mut self, wishes: &[Wish]) -> Result<(), Error> {
        for wish in wishes {
            match wish {
                Wish::Of(names) => self.add(class_of(self.frame, names)?)?,
                Wish::UpTo(most) => {
                    for class in self.up_to(*most)? {
                        if self.is_played(&class)? {
                            self.add(class)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// All classes of so many things at most.
    fn up_to(&self, most: usize) -> Result<Vec<Class>, Error> {
        let mut classes = vec![Class(Vec::new())];
        for always in &self.frame.always {
            let mut next = Vec::new();
            for class in classes {
                let counts = match always {
                    0 => 0..=most.saturating_sub(class.pieces()).min(255) as u8,
                    always => *always..=*always,
                };
                for count in counts {
                    let mut longer = class.clone();
                    longer.0.push(count);
                    if longer.pieces() <= most {
                        next.push(longer);
                    }
                }
                if next.len() > MOST_CLASSES {
                    return Err(Error::Classes);
                }
            }
            classes = next;
        }
        classes.retain(|class| class.pieces() > 0);
        Ok(classes)
    }

    /// Whether everybody can move in some position of a class.
    fn is_played(&self, class: &Class) -> Result<bool, Error> {
        let mut movers = vec![false; self.frame.turns.len()];
        self.sample(class, &mut |turn, state| {
            if matches!(state.turn(), Turn::Decide(_)) {
                movers[turn] = true;
            }
        })?;
        Ok(movers.into_iter().all(|moves| moves))
    }

    /// Calls `f` with positions of a class that are set up at random: who is on turn, and the position.
    fn sample(&self, class: &Class, f: Sampled<'_, 'g>) -> Result<(), Error> {
        let numbering = Numbering::new(class, self.frame.places.len()).ok_or(Error::Classes)?;
        let mut rng = Rng::new(self.settings.seed, u64::MAX);
        let (mut room, mut pieces) = (Room::default(), Vec::new());
        for _ in 0..SAMPLES {
            if !numbering.unrank(rng.below64(numbering.size().max(1)), &mut pieces) {
                continue;
            }
            for turn in 0..self.frame.turns.len() {
                if let Ok(state) = self.frame.set_up(self.start, turn, &pieces, &mut room) {
                    f(turn, &*state);
                }
            }
        }
        Ok(())
    }

    /// Adds a class and all that its moves are seen to lead to.
    fn add(&mut self, class: Class) -> Result<(), Error> {
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            if self.done.contains_key(&class) || self.leads.contains_key(&class) {
                continue;
            }
            let leads = self.leads_of(&class)?;
            open.extend(leads.iter().cloned());
            self.leads.insert(class, leads);
            if self.leads.len() > MOST_CLASSES {
                return Err(Error::Classes);
            }
        }
        Ok(())
    }

    fn leads_of(&self, class: &Class) -> Result<BTreeSet<Class>, Error> {
        let mut leads = BTreeSet::new();
        let mut moves = Vec::new();
        let mut room = Room::default();
        self.sample(class, &mut |_, state| {
            if !matches!(state.turn(), Turn::Decide(_))
                || state.moves(ChoiceSet::Distinct, &mut moves).is_err()
            {
                return;
            }
            let mut own = BTreeSet::new();
            for &code in &moves {
                let mut next = state.fork();
                next.play(code, None);
                self.frame.look(&*next, &mut room);
                let class = Class::of(&room.pieces, self.frame.contents.len());
                if self.lacks(&class) {
                    // It is no position of play, whatever else its moves lead to.
                    return;
                }
                if next.outcome().is_none() {
                    own.insert(class);
                }
            }
            leads.append(&mut own);
        })?;
        leads.remove(class);
        Ok(leads)
    }

    fn lacks(&self, class: &Class) -> bool {
        let mut counts = self.frame.always.iter().zip(&class.0);
        counts.any(|(always, count)| count < always)
    }

    /// The classes that are worked out next, all together; nothing when all is done.
    pub(super) fn next(&self) -> Result<Option<Vec<Class>>, Error> {
        let open = |class: &&Class| !self.done.contains_key(*class);
        let Some(first) = self.leads.keys().find(open) else {
            return Ok(None);
        };
        let mut component = self.component(first);
        // A component that leads to no other that is open.
        loop {
            let outside = component.iter().filter_map(|class| {
                let leads = self.leads.get(class)?;
                let mut open = leads.iter().filter(open);
                open.find(|lead| !component.contains(*lead))
            });
            match outside.min() {
                Some(class) => component = self.component(class),
                None => return Ok(Some(component.into_iter().collect())),
            }
        }
    }

    /// A class and those that it leads to and that lead back to it.
    fn component(&self, class: &Class) -> BTreeSet<Class> {
        let reached = self.reached(class);
        let back = |other: &Class| other == class || self.reached(other).contains(class);
        reached.into_iter().filter(back).collect()
    }

    /// What can be come to from a class that is still to be worked out, the class itself among it.
    fn reached(&self, class: &Class) -> BTreeSet<Class> {
        let mut reached = BTreeSet::from([class.clone()]);
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            for lead in self.leads.get(class).into_iter().flatten() {
                if !self.done.contains_key(lead) && reached.insert(lead.clone()) {
                    open.push(lead);
                }
            }
        }
        reached
    }

    /// Works out classes.
    pub(super) fn work_out(
        &mut self,
        component: &[Class],
        telling: Telling<'_>,
        keep: &mut dyn FnMut(&Table, Made) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let ignored = self.ignored(component)?;
        let mut parts = Vec::new();
        let mut first = 0_u64;
        for class in component {
            let numbering = Numbering::new(class, self.frame.places.len()).ok_or(Error::Classes)?;
            let own = numbering
                .size()
                .saturating_mul(self.frame.turns.len() as u64);
            parts.push(Part {
                class: class.clone(),
                numbering,
                first: u32::try_from(first).map_err(|_| Error::Classes)?,
            });
            first = first.saturating_add(own);
        }
        let ground = Ground {
            start: self.start,
            frame: self.frame,
            parts,
            done: &self.done,
            ignored,
            threads: self.settings.threads.max(1),
            memory: self.settings.memory,
        };
        let mut graph = match ground.explore(telling) {
            Err(Error::Unknown(met)) => {
                for class in component {
                    if let Some(leads) = self.leads.get_mut(class) {
                        leads.insert(met.0.clone());
                    }
                }
                return self.add(met.0);
            }
            graph => graph?,
        };
        let all = ground.size();
        let open = graph.status.iter().filter(|s| **s == Status::Open);
        let made = Made {
            positions: open.count() as u64,
            met: graph.status.len() as u64 - all,
            moves: graph.sources.len() as u64,
        };
        let values = backward::values(&ground, &mut graph);
        drop(graph);
        let info = self.start.info();
        let mut tables = Vec::new();
        for part in &ground.parts {
            let first = part.first as usize;
            let own = part.numbering.size() as usize * self.frame.turns.len();
            let values = values.get(first..first + own).unwrap_or_default();
            let class = (&part.class, &part.numbering);
            tables.push(Table::new(self.frame, info, class, &ground.ignored, values));
        }
        drop(values);
        for table in tables {
            keep(&table, made)?;
            self.done.insert(table.class.clone(), table);
        }
        Ok(())
    }

    /// The planes that do not matter: positions that differ in them alone from those that are set up have the same moves, and
    /// lead to positions of which the same is true.
    fn ignored(&self, component: &[Class]) -> Result<Vec<bool>, Error> {
        // For each plane how often it differed where play was alike, and where it was not.
        let mut seen = vec![[0_u64; 2]; self.frame.plane_count()];
        let mut other: Vec<Vec<usize>> = Vec::new();
        let mut rng = Rng::new(self.settings.seed, u64::MAX - 1);
        let (mut moves, mut room) = (Vec::new(), Room::default());
        for class in component {
            self.sample(class, &mut |_, state| {
                if !matches!(state.turn(), Turn::Decide(_))
                    || state.moves(ChoiceSet::Distinct, &mut moves).is_err()
                {
                    return;
                }
                for &code in &moves {
                    let mut next = state.fork();
                    next.play(code, None);
                    self.frame.look(&*next, &mut room);
                    let (None, Some(turn)) = (next.outcome(), next.player()) else {
                        continue;
                    };
                    let planes = self.frame.differing(turn, &room);
                    if planes.is_empty() {
                        continue;
                    }
                    let pieces = room.pieces.clone();
                    let plain = self.frame.set_up(self.start, turn, &pieces, &mut room);
                    let equal = plain.is_ok_and(|plain| {
                        play_alike(&*next, &*plain, self.frame, &mut rng, &mut room)
                    });
                    for plane in &planes {
                        seen[*plane][usize::from(!equal)] += 1;
                    }
                    if !equal && !other.contains(&planes) {
                        other.push(planes);
                    }
                }
            })?;
        }
        Ok(without_blame(&seen, other))
    }
}

/// The planes that do not matter: of those that differed wherever play was not alike, the one that differed least often
/// where it was is to blame.
fn without_blame(seen: &[[u64; 2]], mut other: Vec<Vec<usize>>) -> Vec<bool> {
    let mut same: Vec<bool> = seen.iter().map(|[alike, _]| *alike > 0).collect();
    other.sort();
    for planes in other {
        if planes.iter().any(|plane| !same[*plane]) {
            continue;
        }
        // The greatest part of bad ones, compared without dividing.
        let blamed = planes.into_iter().reduce(|a, b| {
            let [[alike_a, not_a], [alike_b, not_b]] = [seen[a], seen[b]];
            match u128::from(not_b) * u128::from(alike_a) > u128::from(not_a) * u128::from(alike_b)
            {
                true => b,
                false => a,
            }
        });
        if let Some(plane) = blamed {
            same[plane] = false;
        }
    }
    same
}

/// Whether two positions have the same moves, and so have those that random moves lead to.
fn play_alike<'g>(
    one: &(dyn AnyState<'g> + 'g),
    other: &(dyn AnyState<'g> + 'g),
    frame: &Frame,
    rng: &mut Rng,
    room: &mut Room,
) -> bool {
    let (mut one, mut other) = (one.fork(), other.fork());
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for _ in 0..SIDE_BY_SIDE {
        let ends = [one.outcome(), other.outcome()].map(|end| end.map(|end| end.winners));
        if ends[0] != ends[1] || one.turn() != other.turn() || one.player() != other.player() {
            return false;
        }
        if ends[0].is_some() {
            return true;
        }
        let listed = one.moves(ChoiceSet::Distinct, &mut own).is_ok()
            && other.moves(ChoiceSet::Distinct, &mut others).is_ok();
        own.sort_unstable();
        others.sort_unstable();
        if !listed || own != others || own.is_empty() {
            return false;
        }
        let code = own[rng.below(own.len() as u32) as usize];
        one.play(code, None);
        other.play(code, None);
        frame.look(&*one, room);
        let pieces = std::mem::take(&mut room.pieces);
        frame.look(&*other, room);
        if pieces != room.pieces {
            return false;
        }
    }
    true
}

/// The class of some names.
pub(super) fn class_of(frame: &Frame, names: &[String]) -> Result<Class, Error> {
    let mut class = Class(vec![0; frame.contents.len()]);
    for name in names {
        let at = frame.contents.iter().position(|known| known == name);
        let count = at.and_then(|at| class.0.get_mut(at));
        let count =
            count.ok_or_else(|| Error::NoContent(name.clone(), frame.contents.join(", ")))?;
        *count = count.saturating_add(1);
    }
    for (at, (always, count)) in frame.always.iter().zip(&class.0).enumerate() {
        if count < always {
            return Err(Error::Missing(frame.contents[at].clone(), *always));
        }
    }
    Ok(class)
}
