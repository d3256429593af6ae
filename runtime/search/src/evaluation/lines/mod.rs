//! Lines of places that win a game for who has something of his on all of them: who has some of them and the other one none may still win
//! there.

#[cfg(feature = "programs")]
pub(super) mod find;

use super::{PlaneWeights, parts::parts};

/// What is nobody's, as a side.
const NOBODY: u8 = 0;
/// Places of a line at most, so that a byte tells how many of them each of two players has.
#[cfg(feature = "programs")]
pub(super) const LONGEST: usize = 14;

/// The lines of a game, and what they are worth while they are open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lines {
    /// The places of each line, as cells of the planes that show what stands there.
    pub(super) lines: Vec<Vec<u32>>,
    /// For each plane and each of its values whose that is: 1 for the first player, 2 for the second one, and 0 for nobody. Nothing for a plane
    /// that shows something else.
    pub(super) sides: Vec<Vec<u8>>,
    /// What a line is worth to who alone has something on it, by the number of his things there, from one on.
    pub(super) weights: Vec<f64>,
    /// By how much more that is at the end than at the beginning; empty where it is not.
    pub(super) late: Vec<f64>,
    /// For each player what it is worth beside that, to the first one, that a line has all but one of his things, by the place that it lacks;
    /// empty where that does not matter.
    pub(super) holes: [Vec<f64>; 2],
    ready: Ready,
}

/// The same, as positions are looked at.
#[derive(Clone, Debug, Default, PartialEq)]
struct Ready {
    /// Words for a bit of each place.
    words: usize,
    /// The lines through each place, one place after another, and where they begin.
    through: Vec<u32>,
    begins: Vec<u32>,
    /// For each cell of all planes its place and where its sides begin.
    cells: Vec<(u32, u32)>,
    sides: Vec<u8>,
    /// What is to be added to the state of a line where something of each player comes to stand on it.
    steps: [u8; 2],
    /// What a line is worth to the first player in each state, and by how much more at the end, in parts of [`ONE`](super::parts::ONE).
    worth: Vec<[i64; 2]>,
    /// The states of lines that lack one thing of each player.
    last: [u8; 2],
    /// For each player what it is worth that some place is the last one of a line.
    holes: [Vec<i64>; 2],
}

/// The places where things of each of the two players stand, and what lines are worth with them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stands {
    sides: [Vec<u64>; 2],
    /// How many things of each player stand on each line, as one number.
    lines: Vec<u8>,
    worth: [i64; 2],
}

impl Stands {
    /// None yet.
    pub(super) const NOTHING: Stands = Stands {
        sides: [Vec::new(), Vec::new()],
        lines: Vec::new(),
        worth: [0, 0],
    };

    /// Begins with a position on which nothing stands.
    #[inline]
    pub(super) fn clear(&mut self, lines: &Lines) {
        for side in &mut self.sides {
            side.clear();
            side.resize(lines.ready.words, 0);
        }
    }

    #[inline(always)]
    fn put(&mut self, side: u8, place: usize) {
        let side = self.sides.get_mut(usize::from(side).wrapping_sub(1));
        if let Some(word) = side.and_then(|side| side.get_mut(place / 64)) {
            *word |= 1 << (place % 64);
        }
    }
}

impl Lines {
    /// Lines of which it is not known yet what they are worth.
    #[cfg(feature = "programs")]
    pub(super) fn new(lines: Vec<Vec<u32>>, sides: Vec<Vec<u8>>) -> Lines {
        let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
        Lines {
            lines,
            sides,
            weights: vec![0.0; longest.saturating_sub(1)],
            late: Vec::new(),
            holes: [Vec::new(), Vec::new()],
            ready: Ready::default(),
        }
    }

    /// The same, after something was changed, for these planes.
    pub(super) fn prepared(mut self, planes: &[PlaneWeights]) -> Lines {
        let last = self.lines.iter().flatten().max();
        let places = last.map_or(0, |last| *last as usize + 1);
        let mut through = vec![Vec::new(); places];
        for (number, line) in self.lines.iter().enumerate() {
            for place in line {
                through[*place as usize].push(number as u32);
            }
        }
        let longest = self.lines.iter().map(Vec::len).max().unwrap_or(0);
        let mut ready = Ready {
            words: places.div_ceil(64),
            begins: vec![0],
            steps: [longest as u8 + 1, 1],
            worth: self.worth_of_states(longest),
            last: [
                longest.saturating_sub(1) * (longest + 1),
                longest.saturating_sub(1),
            ]
            .map(|state| state as u8),
            holes: [0, 1].map(|side| {
                let own = self.holes[side].iter();
                own.map(|weight| parts(*weight)).collect()
            }),
            ..Ready::default()
        };
        for own in through {
            ready.through.extend(own);
            ready.begins.push(ready.through.len() as u32);
        }
        for (plane, sides) in planes.iter().zip(&self.sides) {
            let first = ready.sides.len() as u32;
            ready.sides.extend(sides);
            let shows = !sides.is_empty();
            let cell = |cell| if shows { (cell, first) } else { (u32::MAX, 0) };
            ready.cells.extend((0..plane.cells as u32).map(cell));
        }
        self.ready = ready;
        self
    }

    fn worth_of_states(&self, longest: usize) -> Vec<[i64; 2]> {
        let of = |weights: &[f64], number: usize| {
            let weight = number.checked_sub(1).and_then(|at| weights.get(at));
            parts(weight.copied().unwrap_or(0.0))
        };
        let state = |state: usize| {
            let worth = |weights| match (state / (longest + 1), state % (longest + 1)) {
                (own, 0) => of(weights, own),
                (0, other) => -of(weights, other),
                _ => 0,
            };
            [worth(&self.weights), worth(&self.late)]
        };
        (0..(longest + 1) * (longest + 1)).map(state).collect()
    }

    /// Whether they are worth anything.
    #[cfg(feature = "programs")]
    pub(super) fn count(&self) -> bool {
        self.weights.iter().any(|weight| *weight != 0.0)
    }

    /// Notes the value of a cell, of those of all planes.
    #[inline(always)]
    pub(super) fn value(&self, at: usize, place_of_value: usize, stands: &mut Stands) {
        let Some(&(place, first)) = self.ready.cells.get(at) else {
            return;
        };
        if place != u32::MAX {
            let side = self.ready.sides.get(first as usize + place_of_value);
            stands.put(side.copied().unwrap_or(NOBODY), place as usize);
        }
    }

    /// Notes the cells with a value in a plane that begins with some cell.
    #[inline(always)]
    pub(super) fn set(&self, at: usize, place_of_value: usize, words: &[u64], stands: &mut Stands) {
        let Some(&(0, first)) = self.ready.cells.get(at) else {
            return;
        };
        let side = self.ready.sides.get(first as usize + place_of_value);
        let side = usize::from(side.copied().unwrap_or(NOBODY)).wrapping_sub(1);
        if let Some(side) = stands.sides.get_mut(side) {
            side.iter_mut()
                .zip(words)
                .for_each(|(all, word)| *all |= word);
        }
    }

    /// What the lines are worth to the first player in a position, and by how much more at the end, in parts of [`ONE`](super::parts::ONE). Of another position it may be known, and then it is only looked
    /// at what differs.
    #[inline]
    pub(super) fn worth(&self, before: &Stands, now: &mut Stands) -> [i64; 2] {
        let ready = &self.ready;
        now.lines.clear();
        let known = before.lines.len() == self.lines.len();
        match known {
            true => now.lines.extend_from_slice(&before.lines),
            false => now.lines.resize(self.lines.len(), 0),
        }
        let mut worth = if known { before.worth } else { [0, 0] };
        for (side, step) in ready.steps.into_iter().enumerate() {
            for (number, word) in now.sides[side].iter().enumerate() {
                let before = before.sides[side].get(number).filter(|_| known);
                let mut changed = word ^ before.unwrap_or(&0);
                while changed != 0 {
                    let bit = changed.trailing_zeros();
                    changed &= changed - 1;
                    let step = match word >> bit & 1 {
                        1 => step,
                        _ => step.wrapping_neg(),
                    };
                    let place = number * 64 + bit as usize;
                    for state in self.through(place) {
                        let Some(state) = now.lines.get_mut(*state as usize) else {
                            break;
                        };
                        let next = state.wrapping_add(step);
                        let [more, late] = self.step(*state, next);
                        worth[0] = worth[0].wrapping_add(more);
                        worth[1] = worth[1].wrapping_add(late);
                        *state = next;
                    }
                }
            }
        }
        now.worth = worth;
        [worth[0].wrapping_add(self.worth_of_holes(now)), worth[1]]
    }

    /// What the places are worth that lines lack.
    #[inline(always)]
    fn worth_of_holes(&self, now: &Stands) -> i64 {
        let ready = &self.ready;
        if ready.holes[0].is_empty() {
            return 0;
        }
        let mut sum = 0_i64;
        for (line, state) in now.lines.iter().enumerate() {
            let Some(side) = ready.last.iter().position(|last| last == state) else {
                continue;
            };
            let stands = |place: &&u32| {
                let word = now.sides[side].get(**place as usize / 64);
                word.is_some_and(|word| word >> (**place % 64) & 1 == 1)
            };
            let hole = self.lines[line].iter().find(|place| !stands(place));
            let worth = hole.and_then(|place| ready.holes[side].get(*place as usize));
            sum = sum.wrapping_add(worth.copied().unwrap_or(0));
        }
        sum
    }

    #[inline(always)]
    fn through(&self, place: usize) -> &[u32] {
        let ready = &self.ready;
        let lines = match ready.begins.get(place..place + 2) {
            Some(&[first, end]) => ready.through.get(first as usize..end as usize),
            _ => None,
        };
        lines.unwrap_or_default()
    }

    /// By how much more a line is worth in another state.
    #[inline(always)]
    fn step(&self, from: u8, to: u8) -> [i64; 2] {
        let of = |state: u8| self.ready.worth.get(usize::from(state)).copied();
        let (from, to) = (of(from).unwrap_or_default(), of(to).unwrap_or_default());
        [to[0].wrapping_sub(from[0]), to[1].wrapping_sub(from[1])]
    }
}

#[cfg(all(test, feature = "programs"))]
mod tests {
    use rulec_core::Rng;

    use super::*;

    /// Three in a row on a board of nine places, of which two planes tell whose things stand there.
    fn three_in_a_row() -> Lines {
        let rows = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        let mut lines = Lines::new(rows.map(Vec::from).to_vec(), vec![vec![0, 1], vec![0, 2]]);
        lines.weights = vec![0.25, 2.0];
        lines.late = vec![0.5, -1.0];
        lines.holes = [
            (0..9).map(f64::from).collect(),
            (0..9).map(|place| -2.0 * f64::from(place)).collect(),
        ];
        lines.prepared(&[PlaneWeights::of_bits(9), PlaneWeights::of_bits(9)])
    }

    /// What the lines are worth, line by line.
    fn counted(lines: &Lines, sides: [u64; 2]) -> [f64; 2] {
        let mut sum = [0.0, 0.0];
        for line in &lines.lines {
            let of = |side: u64| line.iter().filter(|place| side >> **place & 1 == 1).count();
            let (number, player, sign) = match (of(sides[0]), of(sides[1])) {
                (own, 0) => (own, 0, 1.0),
                (0, other) => (other, 1, -1.0),
                _ => continue,
            };
            if (1..3).contains(&number) {
                sum[0] += sign * lines.weights[number - 1];
                sum[1] += sign * lines.late[number - 1];
            }
            if number == 2 {
                let hole = line.iter().find(|place| sides[player] >> **place & 1 == 0);
                sum[0] += lines.holes[player][*hole.expect("a place") as usize];
            }
        }
        sum
    }

    fn stands(lines: &Lines, sides: [u64; 2]) -> Stands {
        let mut stands = Stands::default();
        stands.clear(lines);
        // The first player's things as a set, the others one by one.
        lines.set(0, 1, &[sides[0]], &mut stands);
        let others = (0..9).filter(|place| sides[1] >> place & 1 == 1);
        others.for_each(|place| lines.value(9 + place, 1, &mut stands));
        stands
    }

    #[test]
    fn what_changed_in_lines_comes_to_the_same_as_all_of_them() {
        let lines = three_in_a_row();
        let rng = &mut Rng::new(5, 0);
        let mut before = Stands::default();
        for _ in 0..2_000 {
            let taken = rng.u64() & 0x1ff;
            let own = taken & rng.u64();
            let sides = [own, taken & !own];
            let mut now = stands(&lines, sides);
            let worth = lines.worth(&before, &mut now);
            assert_eq!(
                worth,
                lines.worth(&Stands::default(), &mut now),
                "{sides:?}"
            );
            let expected = counted(&lines, sides).map(parts);
            assert_eq!(worth, expected, "{sides:?}");
            before = now;
        }
    }
}
