//! Whether two games play the same, as the interpreter sees it.

use std::collections::BTreeMap;

use crate::interp::{Fault, Interp, Move, MoveParts, State, Turn};
use crate::ir::{Game, IdentityId, VarId};

/// A small generator of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Candidates after which a random game is not continued.
const EFFORT: usize = 8_000;

/// Plays random games of both and asserts that everything is the same at each step.
///
/// A game ends early when so many legal moves were compared that it takes long.
/// The second game may have more variables than the first, at the end, and other ids of functions,
/// tables and variables of the environment.
pub(super) fn assert_same_play(name: &str, before: &Game, after: &Game, games: u64, moves: usize) {
    let load = |game: &Game| match Interp::new(game.clone()) {
        Ok(interp) => interp,
        Err(errors) => panic!("{name}: {errors:#?}"),
    };
    let mut pair = Pair {
        name,
        before: load(before),
        after: load(after),
        seen: BTreeMap::new(),
        is_exact: keeps_nothing(before),
    };
    for seed in 0..games {
        pair.play(&mut Random(seed), moves);
    }
}

/// What moves are, or the fault instead.
fn parts<'a>(
    interp: &Interp,
    moves: Result<&[Move], &'a Fault>,
) -> Result<Vec<Option<MoveParts>>, &'a Fault> {
    let moves = moves?.iter();
    Ok(moves.map(|mv| interp.move_parts(*mv)).collect())
}

struct Pair<'a> {
    name: &'a str,
    before: Interp,
    after: Interp,
    /// The encoding by the second game of each encoding by the first, and the other way around.
    seen: BTreeMap<(usize, bool, Vec<u8>), Vec<u8>>,
    /// Whether the second game may make no more states equal than the first.
    is_exact: bool,
}

/// Whether no local variable lives across a stop: then passes cannot find that one does not matter.
fn keeps_nothing(game: &Game) -> bool {
    let mut game = game.clone();
    super::suspend::run(&mut game);
    game.machine.is_some_and(|machine| machine.saved.is_empty())
}

impl Pair<'_> {
    fn play(&mut self, random: &mut Random, moves: usize) {
        let (mut a, mut b) = (self.before.initial(), self.after.initial());
        let mut record = Vec::new();
        let mut effort = 0;
        for _ in 0..moves {
            self.compare(&a, &b, &record);
            let choices: Vec<Move> = match self.before.turn(&a) {
                Turn::Over => return,
                Turn::Chance => self
                    .before
                    .chance_outcomes(&a)
                    .iter()
                    .map(|(mv, _)| *mv)
                    .collect(),
                Turn::Decide(_) => self
                    .before
                    .legal_moves(&a)
                    .map(<[_]>::to_vec)
                    .unwrap_or_default(),
            };
            effort += choices.len();
            if choices.is_empty() || effort > EFFORT {
                return;
            }
            let mv = choices[random.below(choices.len())];
            let also_mv = self.same_move(mv);
            record.push(mv);
            let (mut happened, mut also) = (Vec::new(), Vec::new());
            assert!(self.before.play_with_events(&mut a, mv, &mut happened));
            assert!(
                self.after.play_with_events(&mut b, also_mv, &mut also),
                "{}: {record:?}",
                self.name
            );
            assert_eq!(
                format!("{happened:?}"),
                format!("{also:?}"),
                "{}: events of {record:?}",
                self.name
            );
        }
        self.compare(&a, &b, &record);
    }

    /// The move of the second game that is this one of the first: numbers of moves may differ.
    fn same_move(&self, mv: Move) -> Move {
        let same = match self.before.move_parts(mv).expect("a move") {
            MoveParts::Family(family, args) => self.after.family_move(family, &args),
            MoveParts::Draw(draw, value) => self.after.draw_move(draw, &value),
        };
        same.expect("the other game has the move, too")
    }

    fn compare(&mut self, a: &State, b: &State, record: &[Move]) {
        let name = self.name;
        let (before, after) = (&self.before, &self.after);
        assert_eq!(
            parts(before, before.legal_moves(a)),
            parts(after, after.legal_moves(b)),
            "{name}: moves after {record:?}"
        );
        assert_eq!(
            parts(before, before.distinct_moves(a).as_deref()),
            parts(after, after.distinct_moves(b).as_deref()),
            "{name}: classes after {record:?}"
        );
        assert_eq!(
            before
                .chance_outcomes(a)
                .iter()
                .map(|(_, weight)| *weight)
                .collect::<Vec<_>>(),
            after
                .chance_outcomes(b)
                .iter()
                .map(|(_, weight)| *weight)
                .collect::<Vec<_>>(),
            "{name}: draws after {record:?}"
        );
        assert_eq!(
            before.outcome(a),
            after.outcome(b),
            "{name}: outcome after {record:?}"
        );
        assert_eq!(
            before.turn(a),
            after.turn(b),
            "{name}: turn after {record:?}"
        );
        assert_eq!(
            before.scores(a),
            after.scores(b),
            "{name}: scores after {record:?}"
        );
        let game = before.game();
        for var in (0..game.vars.len()).map(VarId::from) {
            for cell in 0..game.var(var).init.len() {
                let values = (before.var(a, var, cell), after.var(b, var, cell));
                assert_eq!(
                    values.0,
                    values.1,
                    "{name}: {} after {record:?}",
                    game.var(var).name
                );
            }
        }
        for identity in 0..game.identities.len() {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            before.identity(a, IdentityId::from(identity), &mut left);
            after.identity(b, IdentityId::from(identity), &mut right);
            let pairs = [(false, left.clone(), right.clone()), (true, right, left)];
            let exact = pairs
                .into_iter()
                .filter(|(reverse, ..)| self.is_exact || !reverse);
            for (side, key, value) in exact {
                let known = self
                    .seen
                    .entry((identity, side, key))
                    .or_insert_with(|| value.clone());
                assert_eq!(*known, value, "{name}: equality of states after {record:?}");
            }
        }
    }
}
