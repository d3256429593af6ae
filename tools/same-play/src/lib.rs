//! Whether two games play the same, as the interpreter sees it: for tests of passes and of whole languages.

use std::collections::BTreeMap;
use std::fmt::Debug;

use rulec_compiler::opt::suspend;
use rulec_interp::{Fault, Interp, Move, MoveParts, Outcome, Reason, State, Turn};
use rulec_ir::ir::verify::VerifyError;
use rulec_ir::ir::{CONTROL_MARK, Game, IdentityId, PlacementId, StatePart, VarId};

/// How much of two games is compared.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Random games.
    pub games: u64,
    /// Moves and draws of a game at most.
    pub moves: usize,
    /// Legal moves after which a game is not continued, counted over its positions.
    pub effort: usize,
}

impl Extent {
    /// So many games of so many moves.
    pub fn new(games: u64, moves: usize) -> Extent {
        Extent {
            games,
            moves,
            effort: 8_000,
        }
    }
}

/// What random games of one game came across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Positions.
    pub positions: u64,
    /// Games that came to an end by the rules.
    pub ends: u64,
    /// Games that ended in a fault.
    pub faults: u64,
}

/// Plays random games of both, and tells the first thing that is not the same.
///
/// The second game may have more variables than the first, at the end, and other ids of functions,
/// tables and variables of the environment.
///
/// # Errors
/// What differs, and after which moves; or that one of the games is not sound.
pub fn compare(before: &Game, after: &Game, extent: Extent) -> Result<Seen, String> {
    let mut pair = Pair {
        before: load(before)?,
        after: load(after)?,
        seen: BTreeMap::new(),
        is_exact: keeps_nothing(before),
        count: Seen::default(),
    };
    for seed in 0..extent.games {
        pair.play(&mut Random(seed), extent)?;
    }
    Ok(pair.count)
}

fn load(game: &Game) -> Result<Interp, String> {
    Interp::new(game.clone()).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(VerifyError::to_string).collect();
        format!("the game is not sound: {}", errors.join("; "))
    })
}

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

/// What moves are, or the fault instead.
fn parts<'a>(
    interp: &Interp,
    moves: Result<&[Move], &'a Fault>,
) -> Result<Vec<Option<MoveParts>>, &'a Fault> {
    let moves = moves?.iter();
    Ok(moves.map(|mv| interp.move_parts(*mv)).collect())
}

/// Encodings of states by one game with those by the other: the number of the identity, whether the first is of the second
/// game, and the encoding.
type Partition = BTreeMap<(usize, bool, Vec<u8>), Vec<u8>>;

struct Pair {
    before: Interp,
    after: Interp,
    seen: Partition,
    /// Whether the second game may make no more states equal than the first.
    is_exact: bool,
    count: Seen,
}

/// Whether no local variable lives across a stop: then passes cannot find that one does not matter.
fn keeps_nothing(game: &Game) -> bool {
    let mut game = game.clone();
    suspend::run(&mut game);
    game.machine.is_some_and(|machine| machine.saved.is_empty())
}

impl Pair {
    fn play(&mut self, random: &mut Random, extent: Extent) -> Result<(), String> {
        let (mut a, mut b) = (self.before.initial(), self.after.initial());
        let mut record = Vec::new();
        let mut effort = 0;
        loop {
            let difference = self.position(&a, &b);
            difference.map_err(|text| format!("{text}\nafter {}", self.texts(&record)))?;
            let choices = self.choices(&a);
            effort += choices.len();
            if choices.is_empty() || record.len() == extent.moves || effort > extent.effort {
                self.count_end(&a);
                return Ok(());
            }
            let mv = choices[random.below(choices.len())];
            record.push(mv);
            let difference = self.step(&mut a, &mut b, mv);
            difference.map_err(|text| format!("{text}\nafter {}", self.texts(&record)))?;
        }
    }

    fn texts(&self, record: &[Move]) -> String {
        let texts = record.iter().map(|mv| self.before.move_text(*mv));
        match record.is_empty() {
            true => String::from("no move"),
            false => texts.collect::<Vec<_>>().join("; "),
        }
    }

    fn choices(&self, state: &State) -> Vec<Move> {
        let game = &self.before;
        match game.turn(state) {
            Turn::Over => Vec::new(),
            Turn::Chance => game
                .chance_outcomes(state)
                .iter()
                .map(|(mv, _)| *mv)
                .collect(),
            Turn::Decide(_) => game
                .legal_moves(state)
                .map(<[_]>::to_vec)
                .unwrap_or_default(),
        }
    }

    fn count_end(&mut self, state: &State) {
        match self.before.outcome(state) {
            Some(Outcome {
                reason: Reason::Fault(_),
                ..
            }) => self.count.faults += 1,
            Some(_) => self.count.ends += 1,
            None => {}
        }
    }

    /// Plays a move in both games.
    fn step(&self, a: &mut State, b: &mut State, mv: Move) -> Result<(), String> {
        let Some(also) = self.same_move(mv) else {
            return Err(String::from("the second game has no such move"));
        };
        let (mut happened, mut too) = (Vec::new(), Vec::new());
        if !self.before.play_with_events(a, mv, &mut happened)
            || !self.after.play_with_events(b, also, &mut too)
        {
            return Err(String::from("a move cannot be played"));
        }
        same("events", &format!("{happened:?}"), &format!("{too:?}"))
    }

    /// The move of the second game that is this one of the first: numbers of moves may differ.
    fn same_move(&self, mv: Move) -> Option<Move> {
        match self.before.move_parts(mv)? {
            MoveParts::Family(family, args) => self.after.family_move(family, &args),
            MoveParts::Draw(draw, value) => self.after.draw_move(draw, &value),
        }
    }

    fn position(&mut self, a: &State, b: &State) -> Result<(), String> {
        self.count.positions += 1;
        let (before, after) = (&self.before, &self.after);
        same(
            "legal moves",
            &parts(before, before.legal_moves(a)),
            &parts(after, after.legal_moves(b)),
        )?;
        let (left, right) = (before.distinct_moves(a), after.distinct_moves(b));
        let (left, right) = (left.as_deref(), right.as_deref());
        same("classes", &parts(before, left), &parts(after, right))?;
        let weights = |interp: &Interp, state: &State| -> Vec<u64> {
            let results = interp.chance_outcomes(state);
            results.iter().map(|(_, weight)| *weight).collect()
        };
        same("draws", &weights(before, a), &weights(after, b))?;
        same("outcome", &before.outcome(a), &after.outcome(b))?;
        same("turn", &before.turn(a), &after.turn(b))?;
        same("scores", &before.scores(a), &after.scores(b))?;
        let written = &before.game().state_text;
        if !written.is_empty() && !written.contains(&StatePart::Point) {
            let text = |interp: &Interp, state: &State| {
                let text = interp.state_text(state);
                let mut parts = text.split(CONTROL_MARK);
                parts.next().unwrap_or_default().to_owned()
            };
            same("text", &text(before, a), &text(after, b))?;
        }
        self.values(a, b)?;
        self.identities(a, b)
    }

    /// Compares variables and placements.
    fn values(&self, a: &State, b: &State) -> Result<(), String> {
        let game = self.before.game();
        for var in (0..game.vars.len()).map(VarId::from) {
            for cell in 0..game.var(var).init.len() {
                let values = (self.before.var(a, var, cell), self.after.var(b, var, cell));
                same(&game.var(var).name, &values.0, &values.1)?;
            }
        }
        for (number, placement) in game.placements.iter().enumerate() {
            let id = PlacementId::from(number);
            for place in 0..game.domain(placement.places).len() as u32 {
                let (left, right) = (
                    self.before.on_place(a, id, place),
                    self.after.on_place(b, id, place),
                );
                same(&placement.name, &left, &right)?;
            }
        }
        Ok(())
    }

    fn identities(&mut self, a: &State, b: &State) -> Result<(), String> {
        for identity in 0..self.before.game().identities.len() {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            let id = IdentityId::from(identity);
            self.before.identity(a, id, &mut left);
            self.after.identity(b, id, &mut right);
            let pairs = [(false, left.clone(), right.clone()), (true, right, left)];
            for (side, key, value) in pairs {
                if side && !self.is_exact {
                    continue;
                }
                let known = self.seen.entry((identity, side, key));
                if *known.or_insert_with(|| value.clone()) != value {
                    let name = &self.before.game().identity(id).name;
                    return Err(format!("equality of states by `{name}` differs"));
                }
            }
        }
        Ok(())
    }
}

fn same<T: PartialEq + Debug>(what: &str, a: &T, b: &T) -> Result<(), String> {
    match a == b {
        true => Ok(()),
        false => Err(format!("{what}:\n  before {a:?}\n  after  {b:?}")),
    }
}
