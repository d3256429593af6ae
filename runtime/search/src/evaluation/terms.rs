//! What the weights of an evaluation come to in a position, told plane by plane.

use rulec_core::{Game, Observe, Observer, values_of};

use super::{
    ALWAYS, Evaluation, PlaneWeights, TRIFLE, lateness,
    lines::{Lines, Stands},
    mixed,
    parts::{ONE, parts},
};

/// What follows from the weights of all planes, in the order in which a position is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Terms {
    /// What a position is worth in which all is 0.
    bare: Term,
    cells: Vec<Cell>,
    /// What a value in a cell is worth beside that.
    terms: Vec<Term>,
    /// The terms of the value 1 of each cell.
    ones: Vec<Term>,
    /// For each cell how many from there on have no terms but 0.
    idle: Vec<u32>,
    /// What it is worth that one of the two is on turn.
    on_turn: [Term; 2],
    /// What the least valuable thing is worth that can be exchanged; 0 where nothing can.
    pub(super) least: f64,
}

/// What a value in a cell adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Term {
    /// Logarithm of the odds in the middle of the game, and by how much more at the end than at the beginning.
    worth: i64,
    late: i64,
    /// How much that can be exchanged it is.
    amount: i64,
    /// A number for what it shows, 0 where that does not matter for exchanges.
    kind: u64,
}

impl Term {
    const NOTHING: Term = Term {
        worth: 0,
        late: 0,
        amount: 0,
        kind: 0,
    };

    /// No more than a logarithm of odds.
    fn of_worth(worth: f64) -> Term {
        Term {
            worth: parts(worth),
            ..Term::default()
        }
    }

    #[inline(always)]
    fn add(&mut self, term: &Term) {
        self.worth = self.worth.wrapping_add(term.worth);
        self.late = self.late.wrapping_add(term.late);
        self.amount = self.amount.wrapping_add(term.amount);
        self.kind = self.kind.wrapping_add(term.kind);
    }

    #[inline(always)]
    fn subtract(&mut self, term: &Term) {
        self.worth = self.worth.wrapping_sub(term.worth);
        self.late = self.late.wrapping_sub(term.late);
        self.amount = self.amount.wrapping_sub(term.amount);
        self.kind = self.kind.wrapping_sub(term.kind);
    }
}

/// Where the terms of a cell are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    first: usize,
    low: i64,
    /// How many values have terms beside the least one; none where the number itself counts.
    others: u32,
}

impl Terms {
    pub(super) fn new(planes: &[PlaneWeights], turn: f64, room: f64) -> Terms {
        let mut terms = Terms {
            on_turn: [Term::of_worth(turn), Term::of_worth(-turn)],
            ..Terms::default()
        };
        for (number, plane) in planes.iter().enumerate() {
            for cell in 0..plane.cells {
                terms.add(number, plane, cell);
            }
        }
        terms.bare.amount = terms.bare.amount.wrapping_add(parts(room));
        terms.look_ahead();
        let always = planes.iter().map(PlaneWeights::all_always);
        terms.bare.subtract(&Term::of_worth(always.sum()));
        let things = planes
            .iter()
            .filter(|plane| plane.quiet)
            .filter_map(|plane| {
                let worth = (0..plane.counts.len()).map(|value| plane.amount(value));
                worth.max_by(f64::total_cmp)
            });
        let most = things.clone().fold(0.0, f64::max);
        let dear = things.filter(|worth| *worth > TRIFLE * most);
        terms.least = dear.fold(most, f64::min);
        terms
    }

    /// Notes what is asked most often.
    fn look_ahead(&mut self) {
        let nothing = |term: &Term| *term == Term::default();
        let one = |cell: &Cell| {
            let place = match cell.others {
                0 => 0,
                others => 1_i64.saturating_sub(cell.low).clamp(0, others.into()) as usize,
            };
            self.terms
                .get(cell.first + place)
                .copied()
                .unwrap_or_default()
        };
        self.ones = self.cells.iter().map(one).collect();
        let mut run = 0;
        let idle = self.cells.iter().rev().map(|cell| {
            let last = cell.first + cell.others as usize;
            let own = self.terms.get(cell.first..=last).unwrap_or_default();
            run = if own.iter().all(nothing) { run + 1 } else { 0 };
            run
        });
        self.idle = idle.collect();
        self.idle.reverse();
    }

    fn add(&mut self, number: usize, plane: &PlaneWeights, cell: usize) {
        let values = plane.counts.len();
        self.cells.push(Cell {
            first: self.terms.len(),
            low: plane.low,
            others: values as u32 - 1,
        });
        if plane.is_number() {
            self.terms.push(Term {
                worth: parts(plane.counts[0]),
                late: parts(plane.late_counts.first().copied().unwrap_or(0.0)),
                ..Term::default()
            });
            return;
        }
        let zero = plane.place(0);
        let bare = plane.term(cell, zero);
        self.bare.add(&bare);
        self.terms.extend((0..values).map(|value| {
            let mut own = plane.term(cell, value);
            own.subtract(&bare);
            let shows = plane.quiet || plane.always.iter().any(|(always, _)| *always == value);
            Term {
                kind: match shows && value != zero {
                    true => mixed(number, value),
                    false => 0,
                },
                ..own
            }
        }));
    }
}

impl PlaneWeights {
    /// What a value in a cell is worth, apart from what it shows.
    fn term(&self, cell: usize, value: usize) -> Term {
        let of = |counts: &[f64], places: &[f64]| {
            let place = places.get(cell * self.counts.len() + value);
            counts.get(value).unwrap_or(&0.0) + place.unwrap_or(&0.0)
        };
        let always = self.always.iter().find(|(always, _)| *always == value);
        let always = always.map_or(0.0, |(_, n)| n.signum() * ALWAYS);
        Term {
            worth: parts(of(&self.counts, &self.places) + always),
            late: parts(of(&self.late_counts, &self.late_places)),
            amount: parts(self.left(value)),
            kind: 0,
        }
    }
}

/// What an evaluation says of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Logarithm of the odds that the first player wins.
    pub(crate) logit: f64,
    /// Equal if and, as good as certainly, only if the same things are there, wherever they stand.
    pub(crate) material: u64,
    /// The part that is left of what could be exchanged at the beginning.
    pub(crate) left: f32,
}

/// A position that was looked at: another one that differs from it in little is looked at more quickly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    /// The words of its planes that are sets, in their order, and what these come to.
    words: Vec<u64>,
    sets: Term,
    /// What stands where, if lines are worth anything.
    stands: Stands,
    /// What the whole position comes to.
    pub(crate) view: Option<View>,
}

impl View {
    /// What an evaluation says of one position of a game.
    pub(crate) fn of<G: Game + Observe>(
        game: &G,
        state: &G::State,
        evaluation: &Evaluation,
    ) -> View {
        let mut now = Looked::default();
        let player = game.player(state);
        let mut looker = Looker::new(evaluation, player, Looked::nothing(), &mut now);
        game.observe(state, &mut looker);
        looker.view()
    }
}

/// Weighs the values of the planes of a position while they are told.
pub(crate) struct Looker<'e> {
    evaluation: &'e Evaluation,
    lines: Option<&'e Lines>,
    at: usize,
    /// What planes that are sets come to, and the rest.
    sets: Term,
    sum: Term,
    before: &'e Looked,
    now: &'e mut Looked,
}

impl Looked {
    /// None yet.
    const NOTHING: Looked = Looked {
        words: Vec::new(),
        sets: Term::NOTHING,
        stands: Stands::NOTHING,
        view: None,
    };

    /// None to begin with.
    pub(crate) fn nothing() -> &'static Looked {
        static NOTHING: Looked = Looked::NOTHING;
        &NOTHING
    }
}

impl<'e> Looker<'e> {
    /// Begins with a position in which it is a player's turn, after another one that was looked at; nothing needs to be known of that one.
    #[inline]
    pub(crate) fn new(
        evaluation: &'e Evaluation,
        turn: Option<usize>,
        before: &'e Looked,
        now: &'e mut Looked,
    ) -> Self {
        now.words.clear();
        let lines = evaluation.lines.as_ref();
        if let Some(lines) = lines {
            now.stands.clear(lines);
        }
        let mut sum = evaluation.terms.bare;
        if let Some(player) = turn {
            sum.add(&evaluation.terms.on_turn[usize::from(player != evaluation.seat)]);
        }
        Self {
            evaluation,
            lines,
            at: 0,
            sets: before.sets,
            sum,
            before,
            now,
        }
    }

    /// What all that was told comes to.
    #[inline]
    pub(crate) fn view(self) -> View {
        self.now.sets = self.sets;
        let mut sum = self.sum;
        sum.add(&self.sets);
        if let Some(lines) = self.lines {
            let [worth, late] = lines.worth(&self.before.stands, &mut self.now.stands);
            sum.worth = sum.worth.wrapping_add(worth);
            sum.late = sum.late.wrapping_add(late);
        }
        let left = self.evaluation.left(sum.amount as f64 / ONE);
        let view = View {
            logit: (sum.worth as f64 + sum.late as f64 * lateness(left)) / ONE,
            material: sum.kind,
            left: left as f32,
        };
        self.now.view = Some(view);
        view
    }

    #[inline(always)]
    fn present(&mut self, at: usize, value: i64) {
        let Some(cell) = self.evaluation.terms.cells.get(at) else {
            return;
        };
        let terms = &self.evaluation.terms.terms;
        if cell.others == 0 {
            if let Some(term) = terms.get(cell.first) {
                self.sum.worth = self.sum.worth.wrapping_add(term.worth.wrapping_mul(value));
                self.sum.late = self.sum.late.wrapping_add(term.late.wrapping_mul(value));
            }
            return;
        }
        let place = value.saturating_sub(cell.low).clamp(0, cell.others.into());
        if let Some(term) = terms.get(cell.first + place as usize) {
            self.sum.add(term);
        }
        if let Some(lines) = self.lines {
            lines.value(at, place as usize, &mut self.now.stands);
        }
    }

    /// Takes in a set of cells that each have a term: only those that were not in it before, or are no longer.
    #[inline(always)]
    fn changed<'t>(&mut self, words: &[u64], term: impl Fn(usize) -> Option<&'t Term>) {
        let first = self.now.words.len();
        self.now.words.extend_from_slice(words);
        for (number, &word) in words.iter().enumerate() {
            let before = self.before.words.get(first + number).copied().unwrap_or(0);
            let mut changed = word ^ before;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let Some(term) = term(number * 64 + bit as usize) else {
                    break;
                };
                match word >> bit & 1 {
                    0 => self.sets.subtract(term),
                    _ => self.sets.add(term),
                }
            }
        }
    }

    /// Whether none of the next cells is worth anything, whatever it shows.
    #[inline(always)]
    fn is_idle(&self, cells: usize) -> bool {
        let idle = self.evaluation.terms.idle.get(self.at).copied();
        idle.unwrap_or(0) as usize >= cells
    }
}

impl Observer for Looker<'_> {
    #[inline(always)]
    fn value(&mut self, value: i64) {
        if value != 0 {
            self.present(self.at, value);
        }
        self.at += 1;
    }

    #[inline(always)]
    fn zeros(&mut self, cells: usize) {
        self.at += cells;
    }

    #[inline(always)]
    fn members(&mut self, cells: usize, members: impl Iterator<Item = usize>) {
        if self.lines.is_some() {
            for member in members {
                self.present(self.at + member, 1);
            }
        } else if !self.is_idle(cells) {
            let ones = self.evaluation.terms.ones.get(self.at..);
            let ones = ones.unwrap_or_default();
            for term in members.filter_map(|member| ones.get(member)) {
                self.sum.add(term);
            }
        }
        self.at += cells;
    }

    #[inline(always)]
    fn set(&mut self, cells: usize, words: &[u64]) {
        if let Some(lines) = self.lines {
            lines.set(self.at, 1, words, &mut self.now.stands);
        }
        if !self.is_idle(cells) {
            let ones = self.evaluation.terms.ones.get(self.at..);
            let ones = ones.unwrap_or_default();
            self.changed(words, |cell| ones.get(cell));
        }
        self.at += cells;
    }

    #[inline(always)]
    fn classes<const WORDS: usize, const NUMBER: usize>(
        &mut self,
        cells: usize,
        classes: [(i64, [u64; WORDS]); NUMBER],
    ) {
        let terms = &self.evaluation.terms;
        let own = terms.cells.get(self.at..).unwrap_or_default();
        if own.first().is_none_or(|cell| cell.others == 0) {
            return self.values(cells, values_of(&classes, cells));
        }
        let idle = self.is_idle(cells);
        for (value, words) in &classes {
            let place = |cell: &Cell| value.saturating_sub(cell.low).clamp(0, cell.others.into());
            if let Some(lines) = self.lines {
                let place = own.first().map_or(0, |cell| place(cell) as usize);
                lines.set(self.at, place, words, &mut self.now.stands);
            }
            if !idle {
                self.changed(words, |cell| {
                    let cell = own.get(cell)?;
                    terms.terms.get(cell.first + place(cell) as usize)
                });
            }
        }
        self.at += cells;
    }
}

#[cfg(all(test, feature = "programs"))]
mod tests {
    use super::*;

    /// What an evaluation says of a position of these sets, after another one.
    fn look(evaluation: &Evaluation, sets: &[u64], before: &Looked) -> (View, Looked) {
        let mut now = Looked::default();
        let mut looker = Looker::new(evaluation, None, before, &mut now);
        sets.iter().for_each(|set| looker.set(2, &[*set]));
        (looker.view(), now)
    }

    #[test]
    fn what_changed_since_the_last_look_comes_to_the_same_as_all_of_it() {
        let plane = |name: &str, weight: f64| PlaneWeights {
            name: name.to_owned(),
            counts: vec![0.0, weight],
            places: vec![0.0, 0.1, 0.0, -0.7],
            ..PlaneWeights::of_bits(2)
        };
        let evaluation = Evaluation::of_planes(vec![plane("a", 1.3), plane("b", -0.9)]);
        let all = [0b00, 0b01, 0b10, 0b11];
        let mut last = Looked::default();
        for a in all {
            for b in all {
                let (whole, _) = look(&evaluation, &[a, b], &Looked::default());
                let (view, now) = look(&evaluation, &[a, b], &last);
                assert_eq!(view, whole);
                last = now;
            }
        }
    }
}
