//! What a move does to places along walks, in a form that does not depend on how it is spelled.
//!
//! An act is what was found of some statements on a board that is not known: ways, each with what it asked of places and what it
//! wrote. It is a *turn* if it comes to this: from a place on, along one way, places that hold contents of one kind, at least one,
//! are passed until one holds contents of another kind; if so, all that were passed get one value, and counters follow their number.

use rulec_ir::sorted::{SortedMap, SortedSet};

use super::contents::Contents;
use crate::ir::Const;

/// What must stand on places.
pub(crate) type Tests = SortedMap<u32, Contents>;

/// A variable of what stands on a place gets a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) place: u32,
    /// Which of the variables that are told apart.
    pub(crate) var: usize,
    pub(crate) value: Const,
}

/// One way through an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// What must stand on places for it.
    pub(crate) tests: Tests,
    pub(crate) writes: Vec<Write>,
    /// What was added to each of the variables in which the ways of the act differ by a sum.
    pub(crate) counted: Vec<i64>,
}

/// What some statements do on a board that is not known: exactly one of its ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) ways: Vec<Way>,
    /// What could stand before on the places that were looked at.
    pub(crate) before: SortedMap<u32, Contents>,
    /// Whether it may also end in a fault.
    pub(crate) faulty: bool,
}

/// A turn along one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The places, near ones first; the last can only stop.
    pub(crate) places: Vec<u32>,
    /// What may stand on them before.
    pub(crate) before: Vec<Contents>,
    pub(crate) pass: Contents,
    pub(crate) stop: Contents,
    pub(crate) var: usize,
    pub(crate) value: Const,
}

impl Act {
    /// Whether it writes nothing to the board.
    pub(crate) fn is_idle(&self) -> bool {
        !self.faulty && self.ways.iter().all(|way| way.writes.is_empty())
    }

    /// The turn that it is, if it is one.
    pub(crate) fn turn(&self) -> Option<Turn> {
        if self.faulty {
            return None;
        }
        let first = self.ways.iter().find_map(|way| way.writes.first())?;
        let (var, value) = (first.var, first.value.clone());
        let groups = self.groups(var, &value)?;
        let mut places: Vec<u32> = Vec::new();
        let (mut pass, mut stop): (Option<Contents>, Option<Contents>) = (None, None);
        let mut next = None;
        for (count, (written, tests)) in (1..).zip(&groups) {
            let mut new = written.iter().filter(|place| !places.contains(place));
            let (place, None) = (*new.next()?, new.next()) else {
                return None;
            };
            if written.len() != count || next.is_some_and(|next| next != place) {
                return None;
            }
            places.push(place);
            let mut ends = tests.iter().filter(|(place, _)| !written.contains(place));
            let ((end, stops), None) = (ends.next()?, ends.next()) else {
                return None;
            };
            next = Some(*end);
            join(&mut stop, stops);
            for place in written {
                join(
                    &mut pass,
                    tests.get(place).or_else(|| self.before.get(place))?,
                );
            }
        }
        places.push(next?);
        let before = places.iter().map(|place| self.before.get(place).cloned());
        let turn = Turn {
            before: before.collect::<Option<_>>()?,
            pass: pass?,
            stop: stop?,
            places,
            var,
            value,
        };
        let exact = (1..)
            .zip(&groups)
            .all(|(count, (_, tests))| turn.asks_all(count, tests));
        (exact && turn.is_apart()).then_some(turn)
    }

    /// The ways that write, by the places to which they do: near ones are fewer. Each with what is asked for it.
    fn groups(&self, var: usize, value: &Const) -> Option<Vec<(SortedSet<u32>, Tests)>> {
        let mut groups: SortedMap<SortedSet<u32>, Vec<Tests>> = SortedMap::new();
        for way in self.ways.iter().filter(|way| !way.writes.is_empty()) {
            let same = |write: &Write| write.var == var && write.value == *value;
            if !way.writes.iter().all(same) {
                return None;
            }
            let places = way.writes.iter().map(|write| write.place).collect();
            groups.entry(places).or_default().push(way.tests.clone());
        }
        let mut all = Vec::new();
        for (places, tests) in groups {
            let [tests] = &merged(tests)[..] else {
                return None;
            };
            all.push((places, tests.clone()));
        }
        all.sort_by_key(|(places, _)| places.len());
        Some(all)
    }

    /// What one of the counters gets.
    pub(crate) fn counter(&self, at: usize) -> Counter {
        let mut each = Counter::Still;
        for way in &self.ways {
            let places: SortedSet<u32> = way.writes.iter().map(|write| write.place).collect();
            let (places, sum) = (places.len() as i64, way.counted.get(at).copied());
            each = match (places, sum, each) {
                (0, Some(0), each) => each,
                (1.., Some(sum), Counter::Still) if sum % places == 0 => {
                    Counter::Each(sum / places)
                }
                (1.., Some(sum), Counter::Each(each)) if each * places == sum => {
                    Counter::Each(each)
                }
                _ => return Counter::Other,
            };
        }
        each
    }
}

/// What an act adds to a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    Still,
    /// This for each place that it writes to.
    Each(i64),
    Other,
}

impl Turn {
    /// Whether these are the tests of the way that passes so many places.
    fn asks_all(&self, passed: usize, tests: &Tests) -> bool {
        let places = self.places.iter().zip(&self.before).take(passed + 1);
        places.enumerate().all(|(at, (place, before))| {
            let kind = if at < passed { &self.pass } else { &self.stop };
            *tests.get(place).unwrap_or(before) == kind.met(before, true)
        })
    }

    /// Whether nothing that passes would stop.
    fn is_apart(&self) -> bool {
        let both = self.pass.met(&self.stop, true);
        self.before
            .iter()
            .all(|before| before.met(&both, true).is_empty())
    }
}

fn join(all: &mut Option<Contents>, more: &Contents) {
    *all = Some(
        all.as_ref()
            .map_or_else(|| more.clone(), |all| all.joined(more)),
    );
}

/// Products of tests of which some differ in one place only, put together: always the first two that do.
fn merged(mut all: Vec<Tests>) -> Vec<Tests> {
    let mut at = 0;
    while at < all.len() {
        let found =
            (at + 1..all.len()).find_map(|b| Some((b, only_difference(&all[at], &all[b])?)));
        let Some((b, (place, joined))) = found else {
            at += 1;
            continue;
        };
        all[at].insert(place, joined);
        all.swap_remove(b);
        // Those before differ from each other in more, so only this one can have come to differ less from one of them.
        let earlier = (0..at).find(|&a| only_difference(&all[a], &all[at]).is_some());
        at = earlier.unwrap_or(at);
    }
    all
}

/// The place in which two products that ask about the same places differ, if it is one, and what either asks for there.
fn only_difference(one: &Tests, other: &Tests) -> Option<(u32, Contents)> {
    if one.len() != other.len() {
        return None;
    }
    let mut found = None;
    for ((place, own), (there, theirs)) in one.iter().zip(other) {
        if place != there || (own != theirs && found.is_some()) {
            return None;
        }
        if own != theirs {
            found = Some((*place, own.joined(theirs)));
        }
    }
    found
}
