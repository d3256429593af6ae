//! Who is in whom, up to a renaming of those who are alike.

use super::Words;

/// No member.
const NONE: u16 = u16::MAX;

/// Members in members: each is in at most one other, loops are possible. A label of `W` words says what a renaming
/// must keep; members that are not there count for nothing.
///
/// Everything is found by one numbering: the *form* of a member is its label and the forms of what it contains, loops
/// apart, and members with equal forms have equal numbers.
#[derive(Clone, Copy, Debug)]
pub struct Nest<const N: usize, const W: usize> {
    there: [bool; N],
    up: [u16; N],
    label: [[u64; W]; N],
}

impl<const N: usize, const W: usize> Nest<N, W> {
    /// Nobody is there.
    pub const fn new() -> Self {
        Self {
            there: [false; N],
            up: [NONE; N],
            label: [[0; W]; N],
        }
    }

    /// Adds a member with its label and the member that it is in, which counts only if it is there too.
    #[inline]
    pub fn add(&mut self, member: usize, up: Option<usize>, label: [u64; W]) {
        if member < N {
            self.there[member] = true;
            self.up[member] = up.filter(|&up| up < N).map_or(NONE, |up| up as u16);
            self.label[member] = label;
        }
    }

    fn up(&self, member: usize) -> Option<usize> {
        let up = usize::from(self.up[member]);
        (up < N && self.there[up]).then_some(up)
    }

    /// Takes words that are equal for two nests if and only if a renaming takes one to the other.
    pub fn words(&self, words: &mut impl Words) {
        let forms = Forms::of(self, &[]);
        let mut roots = [NONE; N];
        let mut trees = 0;
        for member in (0..N).filter(|&m| self.there[m] && self.up(m).is_none()) {
            roots[trees] = member as u16;
            trees += 1;
        }
        let roots = &mut roots[..trees];
        roots.sort_unstable_by_key(|&m| forms.number[usize::from(m)]);
        words.word(trees as u64);
        for &root in roots.iter() {
            self.write(&forms, usize::from(root), words);
        }
        // Loops, each from where its sequence of forms is least.
        let mut starts = [NONE; N];
        let mut loops = 0;
        let mut seen = [false; N];
        for member in 0..N {
            if !forms.on_loop[member] || seen[member] {
                continue;
            }
            let mut best = member;
            let mut here = member;
            while !std::mem::replace(&mut seen[here], true) {
                if self.turn(&forms, here).lt(self.turn(&forms, best)) {
                    best = here;
                }
                here = self.up(here).unwrap_or(member);
            }
            starts[loops] = best as u16;
            loops += 1;
        }
        let starts = &mut starts[..loops];
        let turn = |&start: &u16| self.turn(&forms, usize::from(start));
        starts.sort_unstable_by(|a, b| turn(a).cmp(turn(b)));
        words.word(loops as u64);
        for &start in starts.iter() {
            let start = usize::from(start);
            words.word(self.turn(&forms, start).count() as u64);
            let mut here = start;
            loop {
                self.write(&forms, here, words);
                here = self.up(here).unwrap_or(start);
                if here == start {
                    break;
                }
            }
        }
    }

    /// The numbers of the forms of the members of a loop from one of them on, upward.
    fn turn<'s>(&'s self, forms: &'s Forms<N>, start: usize) -> impl Iterator<Item = u16> + 's {
        let next = move |&here: &usize| self.up(here).filter(|&up| up != start);
        std::iter::successors(Some(start), next)
            .take(N)
            .map(|m| forms.number[m])
    }

    /// The label of a member and all that it contains, loops apart.
    fn write(&self, forms: &Forms<N>, member: usize, words: &mut impl Words) {
        // What is still to be written lies on a stack; a member is on it once.
        let mut stack = [NONE; N];
        let mut size = 1;
        stack[0] = member as u16;
        while size > 0 {
            size -= 1;
            let here = usize::from(stack[size]);
            self.label[here].iter().for_each(|&word| words.word(word));
            let kids = forms.kids(here);
            words.word(kids.len() as u64);
            for &kid in kids {
                stack[size] = kid;
                size += 1;
            }
        }
    }

    /// Whether a renaming that changes nothing else and keeps every fixed member takes one member to another.
    pub fn alike(&self, one: usize, other: usize, fixed: &[usize]) -> bool {
        if one == other {
            return true;
        }
        let known = |m: usize| m < N && self.there[m];
        if !known(one) || !known(other) || self.label[one] != self.label[other] {
            return false;
        }
        if fixed.contains(&one) || fixed.contains(&other) {
            return false;
        }
        // Two that contain nothing and lie side by side can change places, whatever is fixed.
        let full = [one, other].map(|m| (0..N).any(|k| self.there[k] && self.up(k) == Some(m)));
        match full {
            [false, false] if self.up(one) == self.up(other) => return true,
            [a, b] if a != b => return false,
            _ => {}
        }
        let forms = Forms::of(self, fixed);
        let (mut a, mut b) = (one, other);
        loop {
            if a == b {
                return true;
            }
            if forms.number[a] != forms.number[b] || forms.on_loop[a] != forms.on_loop[b] {
                return false;
            }
            if forms.on_loop[a] {
                return self.turn(&forms, a).eq(self.turn(&forms, b));
            }
            match (self.up(a), self.up(b)) {
                (None, None) => return true,
                (Some(up_a), Some(up_b)) => (a, b) = (up_a, up_b),
                _ => return false,
            }
        }
    }
}

impl<const N: usize, const W: usize> Default for Nest<N, W> {
    fn default() -> Self {
        Self::new()
    }
}

/// The numbers of the forms, and what each member contains in their order, members of its loop apart.
struct Forms<const N: usize> {
    number: [u16; N],
    on_loop: [bool; N],
    /// Where the contents of a member begin in `inside`, and how many they are.
    begin: [u16; N],
    count: [u16; N],
    inside: [u16; N],
}

impl<const N: usize> Forms<N> {
    fn of<const W: usize>(nest: &Nest<N, W>, fixed: &[usize]) -> Self {
        let mut forms = Forms {
            number: [NONE; N],
            on_loop: on_loops(nest),
            begin: [0; N],
            count: [0; N],
            inside: [NONE; N],
        };
        forms.collect(nest);
        let mark = |member: u16| {
            let places = fixed.iter().enumerate();
            let marks = places.filter(|&(_, &m)| m == usize::from(member));
            marks.fold(0_u64, |bits, (place, _)| bits | 1 << (place & 63))
        };
        // Innermost first: a member is due when all that it contains has numbers.
        let mut waits = forms.count;
        let mut level = [NONE; N];
        let mut size = 0;
        for member in (0..N).filter(|&m| nest.there[m] && waits[m] == 0) {
            level[size] = member as u16;
            size += 1;
        }
        let mut next_number = 0;
        while size > 0 {
            let due = &mut level[..size];
            for &member in due.iter() {
                forms.sort_inside(usize::from(member));
            }
            let of = |m: u16| (nest.label[usize::from(m)], mark(m));
            let inside = |m: u16| forms.kids(usize::from(m)).iter();
            let numbers = |m: u16| inside(m).map(|&kid| forms.number[usize::from(kid)]);
            due.sort_unstable_by(|&a, &b| {
                let outer = of(a).cmp(&of(b));
                outer.then_with(|| numbers(a).cmp(numbers(b)))
            });
            let mut new = [NONE; N];
            for (at, &member) in due.iter().enumerate() {
                if at > 0 {
                    let before = due[at - 1];
                    let same = of(before) == of(member) && numbers(before).eq(numbers(member));
                    next_number += u16::from(!same);
                }
                new[at] = next_number;
            }
            next_number += 1;
            let done = level;
            let many = std::mem::take(&mut size);
            for (&member, &number) in done[..many].iter().zip(&new) {
                let member = usize::from(member);
                forms.number[member] = number;
                let Some(up) = nest.up(member).filter(|_| !forms.on_loop[member]) else {
                    continue;
                };
                waits[up] -= 1;
                if waits[up] == 0 {
                    level[size] = up as u16;
                    size += 1;
                }
            }
        }
        forms
    }

    /// Lists what each member contains.
    fn collect<const W: usize>(&mut self, nest: &Nest<N, W>) {
        let on_loop = self.on_loop;
        let inner = |m: &usize| nest.there[*m] && !on_loop[*m];
        for member in (0..N).filter(inner) {
            if let Some(up) = nest.up(member) {
                self.count[up] += 1;
            }
        }
        let mut begin = 0;
        for member in 0..N {
            self.begin[member] = begin;
            begin += self.count[member];
        }
        let mut filled = self.begin;
        for member in (0..N).filter(inner) {
            if let Some(up) = nest.up(member) {
                self.inside[usize::from(filled[up])] = member as u16;
                filled[up] += 1;
            }
        }
    }

    fn kids(&self, member: usize) -> &[u16] {
        let begin = usize::from(self.begin[member]);
        let end = begin + usize::from(self.count[member]);
        self.inside.get(begin..end).unwrap_or_default()
    }

    fn sort_inside(&mut self, member: usize) {
        let begin = usize::from(self.begin[member]);
        let end = begin + usize::from(self.count[member]);
        let number = &self.number;
        if let Some(kids) = self.inside.get_mut(begin..end) {
            kids.sort_unstable_by_key(|&kid| number[usize::from(kid)]);
        }
    }
}

/// Which members lie on loops.
fn on_loops<const N: usize, const W: usize>(nest: &Nest<N, W>) -> [bool; N] {
    let mut on_loop = [false; N];
    // The walk in which a member was met, 0 for none.
    let mut met = [0_u16; N];
    for start in (0..N).filter(|&m| nest.there[m]) {
        let walk = start as u16 + 1;
        let mut here = Some(start);
        while let Some(member) = here {
            if met[member] == walk {
                let mut turn = member;
                while !std::mem::replace(&mut on_loop[turn], true) {
                    turn = nest.up(turn).unwrap_or(member);
                }
                break;
            }
            if met[member] != 0 {
                break;
            }
            met[member] = walk;
            here = nest.up(member);
        }
    }
    on_loop
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::Bytes;

    /// A nest of the containers and labels of its members.
    fn nest<const N: usize>(members: [(Option<usize>, u64); N]) -> Nest<N, 1> {
        let mut nest = Nest::new();
        for (member, (up, label)) in members.into_iter().enumerate() {
            nest.add(member, up, [label]);
        }
        nest
    }

    fn bytes<const N: usize>(nest: &Nest<N, 1>) -> Vec<u8> {
        let mut out = Vec::new();
        nest.words(&mut Bytes(&mut out));
        out
    }

    #[test]
    fn renamed_nests_have_equal_words() {
        // Two boxes with a red and a blue ball each, and a box with a box.
        let one = nest([
            (None, 9),
            (None, 9),
            (Some(0), 1),
            (Some(1), 1),
            (Some(0), 2),
            (Some(1), 2),
        ]);
        let renamed = nest([
            (Some(5), 1),
            (None, 9),
            (Some(1), 2),
            (Some(5), 2),
            (Some(1), 1),
            (None, 9),
        ]);
        let sorted = nest([
            (None, 9),
            (None, 9),
            (Some(0), 1),
            (Some(0), 1),
            (Some(1), 2),
            (Some(1), 2),
        ]);
        assert_eq!(bytes(&one), bytes(&renamed));
        assert_ne!(bytes(&one), bytes(&sorted));
    }

    #[test]
    fn loops_are_told_apart_by_length_and_turned() {
        let six = nest([
            (Some(1), 0),
            (Some(2), 0),
            (Some(3), 0),
            (Some(4), 0),
            (Some(5), 0),
            (Some(0), 0),
        ]);
        let threes = nest([
            (Some(1), 0),
            (Some(2), 0),
            (Some(0), 0),
            (Some(4), 0),
            (Some(5), 0),
            (Some(3), 0),
        ]);
        assert_ne!(bytes(&six), bytes(&threes));
        assert!(six.alike(0, 5, &[]) && threes.alike(0, 5, &[]));
        assert!(!six.alike(1, 5, &[0]) && threes.alike(3, 5, &[0]));
        let turned = nest([(Some(1), 1), (Some(2), 2), (Some(0), 3)]);
        let other = nest([(Some(2), 3), (Some(0), 2), (Some(1), 1)]);
        let mirrored = nest([(Some(2), 1), (Some(0), 2), (Some(1), 3)]);
        assert_ne!(bytes(&turned), bytes(&mirrored));
        assert_eq!(bytes(&turned), bytes(&other));
    }

    #[test]
    fn alike_needs_equal_surroundings_and_keeps_what_is_fixed() {
        let boxes = nest([
            (None, 9),
            (None, 9),
            (Some(0), 1),
            (Some(0), 1),
            (Some(1), 1),
            (Some(1), 1),
        ]);
        assert!(boxes.alike(2, 5, &[]) && boxes.alike(0, 1, &[]));
        assert!(!boxes.alike(2, 4, &[0]) && boxes.alike(2, 3, &[0, 1]));
        assert!(!boxes.alike(0, 1, &[2]) && boxes.alike(4, 5, &[2]));
        let mut fewer = boxes;
        fewer.there[5] = false;
        assert!(!fewer.alike(2, 4, &[]) && fewer.alike(2, 3, &[]) && !fewer.alike(4, 5, &[]));
    }
}
