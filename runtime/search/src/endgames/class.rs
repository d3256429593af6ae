//! What stands on the board, without where: the positions of one class are numbered without gaps by contents and places.

/// How many there are of each content, in the order of the contents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Class(pub(crate) Vec<u8>);

/// Something on a place: the number of the content and that of the place.
pub(crate) type Piece = (u8, u16);

impl Class {
    /// The class of pieces.
    pub(crate) fn of(pieces: &[Piece], contents: usize) -> Class {
        let mut counts = vec![0_u8; contents];
        for (content, _) in pieces {
            if let Some(count) = counts.get_mut(usize::from(*content)) {
                *count = count.saturating_add(1);
            }
        }
        Class(counts)
    }

    /// How many things stand there.
    pub(crate) fn pieces(&self) -> usize {
        self.0.iter().map(|count| usize::from(*count)).sum()
    }

    /// The contents that are there, with their numbers.
    fn groups(&self) -> impl DoubleEndedIterator<Item = (u8, usize)> + '_ {
        let groups = self.0.iter().enumerate();
        groups
            .filter(|(_, count)| **count > 0)
            .map(|(content, count)| (content as u8, usize::from(*count)))
    }

    /// How the class is told: the contents one by one, `a, b, b`.
    pub(crate) fn name(&self, contents: &[String]) -> String {
        let each = |(content, count): (u8, usize)| {
            let name = contents.get(usize::from(content));
            std::iter::repeat_n(name.map_or("?", String::as_str), count)
        };
        self.groups().flat_map(each).collect::<Vec<_>>().join(", ")
    }
}

/// The numbers of the placements of a class on so many places. Contents are numbered apart, so a placement that puts two things on
/// one place has a number too.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    places: usize,
    /// The contents, how many of each, and the number of ways to place them.
    groups: Vec<(u8, usize, u64)>,
    size: u64,
}

impl Numbering {
    /// The numbering of a class; nothing if there are too many placements to number.
    pub(crate) fn new(class: &Class, places: usize) -> Option<Numbering> {
        let mut size = 1_u64;
        let mut groups = Vec::new();
        for (content, count) in class.groups() {
            let ways = choose(places, count)?;
            size = size.checked_mul(ways)?;
            groups.push((content, count, ways));
        }
        Some(Numbering {
            places,
            groups,
            size,
        })
    }

    /// How many numbers there are.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The number of a placement, given in the order of contents, the places of each rising.
    pub(crate) fn rank(&self, pieces: &[Piece]) -> u64 {
        let mut rest = pieces.iter();
        let mut number = 0;
        for &(_, count, ways) in &self.groups {
            let places = rest.by_ref().take(count).enumerate();
            let own: u64 = places
                .map(|(at, (_, place))| choose(usize::from(*place), at + 1).unwrap_or(0))
                .sum();
            number = number * ways + own;
        }
        number
    }

    /// The placement of a number; false if it puts two things on one place.
    pub(crate) fn unrank(&self, mut number: u64, pieces: &mut Vec<Piece>) -> bool {
        pieces.clear();
        for &(content, count, ways) in self.groups.iter().rev() {
            let mut own = number % ways;
            number /= ways;
            let mut below = self.places;
            for at in (1..=count).rev() {
                let fits = |place: &usize| choose(*place, at).is_some_and(|ways| ways <= own);
                let place = (0..below).rev().find(fits).unwrap_or(0);
                own -= choose(place, at).unwrap_or(0).min(own);
                below = place;
                pieces.push((content, place as u16));
            }
        }
        pieces.reverse();
        let twice = |(at, piece): (usize, &Piece)| {
            let before = pieces.iter().take(at);
            before.clone().any(|other| other.1 == piece.1)
        };
        !pieces.iter().enumerate().any(twice)
    }
}

/// In how many ways so many of so many can be chosen; nothing if these are too many to count.
fn choose(of: usize, many: usize) -> Option<u64> {
    match many {
        0 => return Some(1),
        1 => return Some(of as u64),
        _ if many > of => return Some(0),
        _ => {}
    }
    let mut ways = 1_u64;
    for step in 0..many as u64 {
        ways = ways.checked_mul(of as u64 - step)? / (step + 1);
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_placements_are_each_others_inverse() {
        let class = Class(vec![2, 0, 1, 3]);
        let numbering = Numbering::new(&class, 7).unwrap();
        assert_eq!(numbering.size(), 21 * 7 * 35);
        let mut pieces = Vec::new();
        let mut apart = 0;
        for number in 0..numbering.size() {
            apart += u64::from(numbering.unrank(number, &mut pieces));
            assert_eq!(numbering.rank(&pieces), number);
            assert_eq!(Class::of(&pieces, 4), class);
        }
        // 7 places for 2, 1 and 3 things.
        assert_eq!(apart, 21 * 5 * 4);
    }

    #[test]
    fn what_cannot_be_numbered_is_refused() {
        assert!(Numbering::new(&Class(vec![30, 30]), 200).is_none());
        assert_eq!(choose(3, 4), Some(0));
        assert_eq!(choose(64, 2), Some(2016));
    }

    #[test]
    fn names_tell_each_content() {
        let contents = ["king".to_owned(), "man".to_owned()];
        assert_eq!(Class(vec![1, 2]).name(&contents), "king, man, man");
    }
}
