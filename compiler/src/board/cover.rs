//! Sums of products of tests of places in a form that does not depend on how they came about.
//!
//! Rules come to the same question with other products: "three in a row" is three places, or a length of three, of four or of more.
//! Each product is widened as far as the sum allows, and what the others cover is left out. Where each product that is left is the
//! only one for some board, as for all lines and runs, there is one such form.

use rulec_ir::sorted::{SortedMap, SortedSet};
use smallvec::SmallVec;

use crate::hash::IndexMap;

use super::contents::Contents;
use super::diagram::{self, Diagram, FAILS, HOLDS, NodeId};

/// What is asked of some places, ascending: all of it must hold.
pub(crate) type Asked = Vec<(u32, Contents)>;

/// Products of a part that are widened.
const MOST_PRODUCTS: usize = 32;
/// Places of a part whose products are widened.
const MOST_PLACES: usize = 40;

/// Sums over places with the same contents.
///
/// Nothing but their order is asked of places: sums that differ in the numbers of their places alone come to the same.
pub(crate) struct Cover {
    /// All contents.
    any: Contents,
    /// What sums came to, and what parts of them did, with places numbered from 0 on.
    sums: IndexMap<Vec<Asked>, Vec<Asked>>,
    parts: IndexMap<Vec<Asked>, Vec<Asked>>,
}

impl Cover {
    pub(crate) fn of(any: Contents) -> Cover {
        Cover {
            any,
            sums: IndexMap::default(),
            parts: IndexMap::default(),
        }
    }

    /// All contents.
    pub(crate) fn any(&self) -> &Contents {
        &self.any
    }

    /// The same sum by products as wide as they can be, none of which the others cover.
    pub(crate) fn shortest(&mut self, mut all: Vec<Asked>) -> Vec<Asked> {
        let places = numbered(&mut all);
        let mut sum = match self.sums.get(&all) {
            Some(known) => known.clone(),
            None => {
                let sum = self.shortest_anew(all.clone());
                self.sums.insert(all, sum.clone());
                sum
            }
        };
        named(&mut sum, &places);
        sum
    }

    fn shortest_anew(&mut self, all: Vec<Asked>) -> Vec<Asked> {
        let all = least(merged(all, &self.any));
        if all.len() < 2 {
            return all;
        }
        let common = asked_by_all(&all);
        let rest = |asked: Asked| -> Asked {
            let own = asked.into_iter().filter(|test| !common.contains(test));
            own.collect()
        };
        let mut kept = Vec::new();
        let places = |asked: &Asked| asked.iter().map(|(place, _)| *place).collect();
        for part in parted(all.into_iter().map(rest), places) {
            kept.extend(self.widened(part));
        }
        for asked in &mut kept {
            asked.extend(common.iter().cloned());
            asked.sort_unstable();
        }
        least(kept)
    }

    /// The products of a part, each as wide as it can be, without those that the others cover.
    fn widened(&mut self, mut part: Vec<Asked>) -> Vec<Asked> {
        if part.len() < 2 || part.len() > MOST_PRODUCTS || asks_alike(&part) {
            return part;
        }
        let places = numbered(&mut part);
        let any = &self.any;
        let known = self.parts.entry(part);
        let wide = known.or_insert_with_key(|part| widened(part, places.len(), any));
        let mut wide = wide.clone();
        named(&mut wide, &places);
        wide
    }
}

/// Gives the places of products numbers from 0 on, in their order; the places.
fn numbered(all: &mut [Asked]) -> Vec<u32> {
    let mut places: Vec<u32> = all.iter().flatten().map(|(place, _)| *place).collect();
    places.sort_unstable();
    places.dedup();
    for (place, _) in all.iter_mut().flatten() {
        *place = places.partition_point(|other| other < place) as u32;
    }
    places
}

/// Gives places back for their numbers.
fn named(all: &mut [Asked], places: &[u32]) {
    for (place, _) in all.iter_mut().flatten() {
        *place = places[*place as usize];
    }
}

/// What all products ask.
fn asked_by_all(all: &[Asked]) -> Asked {
    let tests = all.first().into_iter().flatten();
    let common = tests.filter(|test| all.iter().all(|asked| asked.contains(test)));
    common.cloned().collect()
}

/// A set of places, as bits.
#[derive(Default)]
pub(super) struct Places(SmallVec<[u64; 4]>);

impl FromIterator<u32> for Places {
    fn from_iter<I: IntoIterator<Item = u32>>(places: I) -> Places {
        let mut bits = Places::default();
        for place in places {
            let word = place as usize / 64;
            if bits.0.len() <= word {
                bits.0.resize(word + 1, 0);
            }
            bits.0[word] |= 1 << (place % 64);
        }
        bits
    }
}

impl Places {
    fn meets(&self, other: &Places) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .any(|(own, other)| own & other != 0)
    }

    fn join(&mut self, other: &Places) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(own, other)| *own |= other);
    }
}

/// What looks at places, by what it has to do with each other: those of other parts look at other places.
pub(super) fn parted<T>(
    all: impl IntoIterator<Item = T>,
    places_of: impl Fn(&T) -> Places,
) -> Vec<Vec<T>> {
    let mut parts: Vec<(Places, Vec<T>)> = Vec::new();
    for one in all {
        let mut places = places_of(&one);
        let mut own = vec![one];
        parts.retain_mut(|(others, part)| {
            let apart = !places.meets(others);
            if !apart {
                places.join(others);
                own.append(part);
            }
            apart
        });
        parts.push((places, own));
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// As [`Cover::widened`], of a part that asks of places 0 to their number.
fn widened(part: &[Asked], places: usize, any: &Contents) -> Vec<Asked> {
    if places > MOST_PLACES {
        return part.to_vec();
    }
    let sum = Sum { places, any };
    let Some(whole) = sum.diagram(part) else {
        return part.to_vec();
    };
    let kinds: Vec<Vec<Contents>> = (0..places as u32)
        .map(|place| kinds_of(part, place, any))
        .collect();
    let wide = part.iter().map(|asked| sum.widest(&whole, asked, &kinds));
    let mut kept = least(wide.collect());
    let mut at = kept.len();
    while at > 0 {
        at -= 1;
        let asked = kept.remove(at);
        let covered = sum
            .diagram(&kept)
            .is_some_and(|others| sum.implies(&asked, &others));
        if !covered {
            kept.insert(at, asked);
        }
    }
    kept
}

/// Whether all products that look at a place ask for the same there: then none of them can be wider, and none is covered by others.
fn asks_alike(part: &[Asked]) -> bool {
    let mut known: SortedMap<u32, &Contents> = SortedMap::new();
    let mut tests = part.iter().flatten();
    tests.all(|(place, contents)| *known.entry(*place).or_insert(contents) == contents)
}

/// The contents of a place that products do not tell apart.
fn kinds_of(part: &[Asked], place: u32, any: &Contents) -> Vec<Contents> {
    let mut kinds = vec![any.clone()];
    for (_, contents) in part.iter().flatten().filter(|(own, _)| *own == place) {
        let both = |kind: Contents| [kind.met(contents, true), kind.met(contents, false)];
        kinds = kinds.into_iter().flat_map(both).collect();
        kinds.retain(|kind| !kind.is_empty());
    }
    kinds
}

/// Sums of products over so many places.
struct Sum<'a> {
    places: usize,
    any: &'a Contents,
}

impl Sum<'_> {
    fn diagram(&self, products: &[Asked]) -> Option<Diagram> {
        let numbered = |asked: &Asked| -> diagram::Product {
            let tests = asked.iter();
            let tests = tests.map(|(place, contents)| (*place as usize, contents.clone()));
            tests.collect()
        };
        let products: Vec<diagram::Product> = products.iter().map(numbered).collect();
        Diagram::of(&products, self.places, self.any)
    }

    /// A product with all that can be added to it: places that need not be asked, and else more contents.
    fn widest(&self, whole: &Diagram, asked: &Asked, kinds: &[Vec<Contents>]) -> Asked {
        let mut wide = asked.clone();
        for (place, contents) in asked {
            let without = |wide: &Asked| -> Asked {
                let others = wide.iter().filter(|(other, _)| other != place);
                others.cloned().collect()
            };
            let next = without(&wide);
            if self.implies(&next, whole) {
                wide = next;
                continue;
            }
            let mut own = contents.clone();
            for kind in &kinds[*place as usize] {
                if kind.is_within(&own) {
                    continue;
                }
                let more = own.joined(kind);
                let mut next = without(&wide);
                let at = next.partition_point(|(other, _)| other < place);
                next.insert(at, (*place, more.clone()));
                if self.implies(&next, whole) {
                    (wide, own) = (next, more);
                }
            }
        }
        wide
    }

    /// Whether a sum holds wherever a product does.
    fn implies(&self, asked: &Asked, whole: &Diagram) -> bool {
        let mut known = SortedMap::new();
        self.holds(asked, whole, whole.root, &mut known)
    }

    fn holds(
        &self,
        asked: &Asked,
        whole: &Diagram,
        id: NodeId,
        known: &mut SortedMap<NodeId, bool>,
    ) -> bool {
        match id {
            FAILS => return false,
            HOLDS => return true,
            _ => {}
        }
        if let Some(known) = known.get(&id) {
            return *known;
        }
        let Some(node) = whole.node(id) else {
            return false;
        };
        let own = asked
            .iter()
            .find(|(place, _)| *place as usize == node.place);
        let mut edges = node.edges.iter();
        let holds = edges.all(|(next, contents)| {
            let never = own.is_some_and(|(_, own)| !own.meets(contents));
            never || self.holds(asked, whole, *next, known)
        });
        known.insert(id, holds);
        holds
    }
}

/// Products of which two that ask for other contents of one place, and else for the same, are one.
fn merged(mut all: Vec<Asked>, any: &Contents) -> Vec<Asked> {
    let places: SortedSet<u32> = all.iter().flatten().map(|(place, _)| *place).collect();
    loop {
        let before = all.len();
        for place in &places {
            let mut joined: SortedMap<Asked, Contents> = SortedMap::new();
            let mut others: Vec<Asked> = Vec::new();
            for mut asked in all {
                match asked.iter().position(|(own, _)| own == place) {
                    Some(at) => {
                        let (_, contents) = asked.remove(at);
                        let known = joined.entry(asked).or_insert_with(|| contents.clone());
                        *known = known.joined(&contents);
                    }
                    None => others.push(asked),
                }
            }
            others.extend(joined.into_iter().map(|(mut asked, contents)| {
                if contents != *any {
                    let at = asked.partition_point(|(own, _)| own < place);
                    asked.insert(at, (*place, contents));
                }
                asked
            }));
            all = others;
        }
        if all.len() == before {
            return all;
        }
    }
}

/// The products that no other one covers, ascending.
fn least(mut all: Vec<Asked>) -> Vec<Asked> {
    all.sort_unstable();
    all.dedup();
    let covers = |one: &Asked, other: &Asked| {
        one.iter().all(|(place, contents)| {
            let mut same = other.iter().filter(|(own, _)| own == place);
            same.any(|(_, own)| own.is_within(contents))
        })
    };
    let kept: Vec<Asked> = all
        .iter()
        .filter(|asked| {
            !all.iter()
                .any(|other| other != *asked && covers(other, asked))
        })
        .cloned()
        .collect();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contents: mine, theirs, none.
    fn any() -> Contents {
        Contents::of(&[true, true, true])
    }

    fn shortest(all: Vec<Asked>, any: &Contents) -> Vec<Asked> {
        Cover::of(any.clone()).shortest(all)
    }

    fn mine() -> Contents {
        Contents::of(&[true, false, false])
    }

    fn others() -> Contents {
        any().met(&mine(), false)
    }

    /// A row of my stones of exactly this length from a place on, of a row that ends before `end`.
    fn row(from: u32, length: u32, end: u32) -> Asked {
        let mut asked: Asked = (from..from + length).map(|place| (place, mine())).collect();
        asked.extend((from + length < end).then(|| (from + length, others())));
        asked
    }

    #[test]
    fn a_row_of_at_least_three_is_three_places_however_its_length_is_told() {
        let wanted = vec![row(0, 3, 3)];
        let by_length = (3..=7).map(|length| row(0, length, 7)).collect();
        assert_eq!(shortest(by_length, &any()), wanted);
        let first_or_more = vec![row(0, 3, 7), row(0, 4, 4)];
        assert_eq!(shortest(first_or_more, &any()), wanted);
        let by_the_fourth = [mine(), others()].map(|fourth| {
            let mut asked = row(0, 3, 3);
            asked.push((3, fourth));
            asked
        });
        assert_eq!(shortest(by_the_fourth.to_vec(), &any()), wanted);
    }

    #[test]
    fn lengths_to_both_sides_of_a_place_are_the_lines_through_it() {
        // The place itself is 3; so many stones below it and above it, three in all at least.
        let mut by_lengths: Vec<Asked> = Vec::new();
        for below in 0..=3u32 {
            for above in (3 - below)..=3 {
                let mut asked: Asked = (3 - below..3).map(|place| (place, mine())).collect();
                asked.extend((below < 3).then(|| (2 - below, others())));
                asked.extend(row(4, above, 7));
                asked.sort_unstable();
                by_lengths.push(asked);
            }
        }
        let line = |from: u32| -> Asked {
            let places = (from..from + 4).filter(|place| *place != 3);
            places.map(|place| (place, mine())).collect()
        };
        let wanted: Vec<Asked> = least((0..=3).map(line).collect());
        assert_eq!(shortest(by_lengths, &any()), wanted);
        assert_eq!(shortest(wanted.clone(), &any()), wanted);
    }

    #[test]
    fn what_one_sum_came_to_holds_for_others_in_the_same_order() {
        let mut cover = Cover::of(any());
        for step in [1, 2, 7] {
            let apart = |asked: Asked, from: u32| -> Asked {
                let tests = asked.into_iter();
                tests.map(|(place, of)| (from + place * step, of)).collect()
            };
            // Two rows of three at least, told by their lengths.
            let starts = [10, 10 + 7 * step];
            let told = starts.map(|from| (3..=7).map(move |length| apart(row(0, length, 7), from)));
            let all: Vec<Asked> = told.into_iter().flatten().collect();
            let wanted = starts.map(|from| apart(row(0, 3, 3), from));
            assert_eq!(cover.shortest(all), wanted);
        }
        let other = vec![row(0, 2, 3), row(0, 3, 3)];
        assert_eq!(cover.shortest(other), vec![row(0, 2, 2)]);
        assert_eq!(cover.sums.len(), 2);
    }

    #[test]
    fn what_holds_on_every_board_asks_nothing() {
        let either = vec![vec![(1, mine())], vec![(1, others())]];
        assert_eq!(shortest(either, &any()), vec![Vec::new()]);
        assert!(shortest(Vec::new(), &any()).is_empty());
    }
}
