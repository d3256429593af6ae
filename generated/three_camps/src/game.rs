//! three_camps, compiled from its rules (bgc) by rulec 0.1.0.
//!
//! Generated: change the rules and compile them again instead of editing this file.
//!
//! - `three_camps.json`, SHA-256 `e2059058b74fd08ff86516ac83f82758415611b88cfb95ab305bee6057d61ed2`

#![forbid(unsafe_code)]
#![allow(
    dead_code,
    unused_variables,
    unused_mut,
    unused_assignments,
    unreachable_code,
    unused_imports,
    clippy::blocks_in_conditions,
    clippy::manual_range_contains,
    clippy::question_mark,
    clippy::self_assignment,
    clippy::too_many_arguments,
    clippy::type_complexity
)]
use ::core::ops::ControlFlow;
use ::rulec_runtime as rt;
use rt::Events as _;
rt::domain!(Player(u8), PLAYER_COUNT = 3, NO_PLAYER, PLAYER_NAMES = ["red", "green", "blue"]);
rt::domain!(
    Cell(u8), CELL_COUNT = 19, NO_CELL, CELL_NAMES = ["0,-2", "1,-2", "2,-2", "-1,-1",
    "0,-1", "1,-1", "2,-1", "-2,0", "-1,0", "0,0", "1,0", "2,0", "-2,1", "-1,1", "0,1",
    "1,1", "-2,2", "-1,2", "0,2"]
);
rt::domain!(Kind(u8), KIND_COUNT = 3, NO_KIND, KIND_NAMES = ["red scout", "green scout", "blue scout"]);
rt::domain!(Phase(u8), PHASE_COUNT = 3, NO_PHASE, PHASE_NAMES = ["red_move", "green_move", "blue_move"]);

/// Table `targets 2`.
static TARGETS_2: [rt::BitSet<1>; 32] = [
    rt::BitSet([4]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([32]), rt::BitSet([64]),
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([512]), rt::BitSet([1024]), rt::BitSet([2048]),
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([16384]), rt::BitSet([32768]), rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet([262144]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// Table `targets 3`.
static TARGETS_3: [rt::BitSet<1>; 32] = [
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([1]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet([8]), rt::BitSet([16]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([128]),
    rt::BitSet([256]), rt::BitSet([512]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([4096]),
    rt::BitSet([8192]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([65536]), rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `targets 4`.
static TARGETS_4: [rt::BitSet<1>; 32] = [
    rt::BitSet([512]), rt::BitSet([1024]), rt::BitSet([2048]), rt::BitSet([8192]), rt::BitSet([16384]),
    rt::BitSet([32768]), rt::BitSet::<1>::EMPTY, rt::BitSet([65536]), rt::BitSet([131072]), rt::BitSet([262144]),
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `targets 5`.
static TARGETS_5: [rt::BitSet<1>; 32] = [
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet([1]), rt::BitSet([2]), rt::BitSet([4]), rt::BitSet::<1>::EMPTY, rt::BitSet([8]),
    rt::BitSet([16]), rt::BitSet([32]), rt::BitSet([128]), rt::BitSet([256]), rt::BitSet([512]), rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `targets 6`.
static TARGETS_6: [rt::BitSet<1>; 32] = [
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([1]), rt::BitSet([2]),
    rt::BitSet([4]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([16]), rt::BitSet([32]),
    rt::BitSet([64]), rt::BitSet::<1>::EMPTY, rt::BitSet([512]), rt::BitSet([1024]), rt::BitSet([2048]),
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// Table `targets 7`.
static TARGETS_7: [rt::BitSet<1>; 32] = [
    rt::BitSet([128]), rt::BitSet([256]), rt::BitSet([512]), rt::BitSet::<1>::EMPTY, rt::BitSet([4096]),
    rt::BitSet([8192]), rt::BitSet([16384]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([65536]),
    rt::BitSet([131072]), rt::BitSet([262144]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// Table `mover`.
static MOVER: [u8; 4] = [0, 1, 2, 0];

/// Table `ray step p1 p0` (`three_camps.json:27:9`).
static RAY_STEP_P1_P0: [rt::BitSet<1>; 32] = [
    rt::BitSet([6]), rt::BitSet([4]), rt::BitSet::<1>::EMPTY, rt::BitSet([112]), rt::BitSet([96]), rt::BitSet([64]),
    rt::BitSet::<1>::EMPTY, rt::BitSet([3840]), rt::BitSet([3584]), rt::BitSet([3072]), rt::BitSet([2048]),
    rt::BitSet::<1>::EMPTY, rt::BitSet([57344]), rt::BitSet([49152]), rt::BitSet([32768]), rt::BitSet::<1>::EMPTY,
    rt::BitSet([393216]), rt::BitSet([262144]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `ray step m1 p0` (`three_camps.json:27:9`).
static RAY_STEP_M1_P0: [rt::BitSet<1>; 32] = [
    rt::BitSet::<1>::EMPTY, rt::BitSet([1]), rt::BitSet([3]), rt::BitSet::<1>::EMPTY, rt::BitSet([8]), rt::BitSet([24]),
    rt::BitSet([56]), rt::BitSet::<1>::EMPTY, rt::BitSet([128]), rt::BitSet([384]), rt::BitSet([896]),
    rt::BitSet([1920]), rt::BitSet::<1>::EMPTY, rt::BitSet([4096]), rt::BitSet([12288]), rt::BitSet([28672]),
    rt::BitSet::<1>::EMPTY, rt::BitSet([65536]), rt::BitSet([196608]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `ray step p0 p1` (`three_camps.json:27:9`).
static RAY_STEP_P0_P1: [rt::BitSet<1>; 32] = [
    rt::BitSet([279056]), rt::BitSet([33824]), rt::BitSet([2112]), rt::BitSet([139520]), rt::BitSet([279040]),
    rt::BitSet([33792]), rt::BitSet([2048]), rt::BitSet([69632]), rt::BitSet([139264]), rt::BitSet([278528]),
    rt::BitSet([32768]), rt::BitSet::<1>::EMPTY, rt::BitSet([65536]), rt::BitSet([131072]), rt::BitSet([262144]),
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// Table `ray step p0 m1` (`three_camps.json:27:9`).
static RAY_STEP_P0_M1: [rt::BitSet<1>; 32] = [
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([1]),
    rt::BitSet([2]), rt::BitSet([4]), rt::BitSet::<1>::EMPTY, rt::BitSet([8]), rt::BitSet([17]), rt::BitSet([34]),
    rt::BitSet([68]), rt::BitSet([128]), rt::BitSet([264]), rt::BitSet([529]), rt::BitSet([1058]), rt::BitSet([4224]),
    rt::BitSet([8456]), rt::BitSet([16913]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `ray step p1 m1` (`three_camps.json:27:9`).
static RAY_STEP_P1_M1: [rt::BitSet<1>; 32] = [
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet([1]), rt::BitSet([2]),
    rt::BitSet([4]), rt::BitSet::<1>::EMPTY, rt::BitSet([9]), rt::BitSet([18]), rt::BitSet([36]), rt::BitSet([64]),
    rt::BitSet::<1>::EMPTY, rt::BitSet([274]), rt::BitSet([548]), rt::BitSet([1088]), rt::BitSet([2048]),
    rt::BitSet([8740]), rt::BitSet([17472]), rt::BitSet([34816]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
];

/// Table `ray step m1 p1` (`three_camps.json:27:9`).
static RAY_STEP_M1_P1: [rt::BitSet<1>; 32] = [
    rt::BitSet([136]), rt::BitSet([4368]), rt::BitSet([74272]), rt::BitSet([128]), rt::BitSet([4352]),
    rt::BitSet([74240]), rt::BitSet([148480]), rt::BitSet::<1>::EMPTY, rt::BitSet([4096]), rt::BitSet([73728]),
    rt::BitSet([147456]), rt::BitSet([294912]), rt::BitSet::<1>::EMPTY, rt::BitSet([65536]), rt::BitSet([131072]),
    rt::BitSet([262144]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// A move of three_camps, packed: the family in the lowest bits, above it the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);
impl Move {
    /// The number of the family, or of the draw after all families.
    #[inline(always)]
    pub const fn family(self) -> usize {
        (self.0 & 7) as usize
    }

    /// A move of the family `red scout` (`three_camps.json:24:9`).
    #[inline(always)]
    pub fn red_scout(from: Cell, to: Cell) -> Move {
        Move((from as u32 & 31) << 3 | (to as u32 & 31) << 8)
    }

    /// The arguments of a move of the family `red scout`.
    #[inline(always)]
    pub fn red_scout_args(self) -> (Cell, Cell) {
        (((self.0 >> 3) & 31) as Cell, ((self.0 >> 8) & 31) as Cell)
    }

    /// A move of the family `red scout 2` (`three_camps.json:27:9`).
    #[inline(always)]
    pub fn red_scout_2(from: Cell, to: Cell) -> Move {
        Move(1 | (from as u32 & 31) << 3 | (to as u32 & 31) << 8)
    }

    /// The arguments of a move of the family `red scout 2`.
    #[inline(always)]
    pub fn red_scout_2_args(self) -> (Cell, Cell) {
        (((self.0 >> 3) & 31) as Cell, ((self.0 >> 8) & 31) as Cell)
    }

    /// A move of the family `green scout` (`three_camps.json:24:9`).
    #[inline(always)]
    pub fn green_scout(from: Cell, to: Cell) -> Move {
        Move(2 | (from as u32 & 31) << 3 | (to as u32 & 31) << 8)
    }

    /// The arguments of a move of the family `green scout`.
    #[inline(always)]
    pub fn green_scout_args(self) -> (Cell, Cell) {
        (((self.0 >> 3) & 31) as Cell, ((self.0 >> 8) & 31) as Cell)
    }

    /// A move of the family `green scout 2` (`three_camps.json:27:9`).
    #[inline(always)]
    pub fn green_scout_2(from: Cell, to: Cell) -> Move {
        Move(3 | (from as u32 & 31) << 3 | (to as u32 & 31) << 8)
    }

    /// The arguments of a move of the family `green scout 2`.
    #[inline(always)]
    pub fn green_scout_2_args(self) -> (Cell, Cell) {
        (((self.0 >> 3) & 31) as Cell, ((self.0 >> 8) & 31) as Cell)
    }

    /// A move of the family `blue scout` (`three_camps.json:24:9`).
    #[inline(always)]
    pub fn blue_scout(from: Cell, to: Cell) -> Move {
        Move(4 | (from as u32 & 31) << 3 | (to as u32 & 31) << 8)
    }

    /// The arguments of a move of the family `blue scout`.
    #[inline(always)]
    pub fn blue_scout_args(self) -> (Cell, Cell) {
        (((self.0 >> 3) & 31) as Cell, ((self.0 >> 8) & 31) as Cell)
    }

    /// A move of the family `blue scout 2` (`three_camps.json:27:9`).
    #[inline(always)]
    pub fn blue_scout_2(from: Cell, to: Cell) -> Move {
        Move(5 | (from as u32 & 31) << 3 | (to as u32 & 31) << 8)
    }

    /// The arguments of a move of the family `blue scout 2`.
    #[inline(always)]
    pub fn blue_scout_2_args(self) -> (Cell, Cell) {
        (((self.0 >> 3) & 31) as Cell, ((self.0 >> 8) & 31) as Cell)
    }

    /// A move of the family `pass if stuck`.
    #[inline(always)]
    pub fn pass_if_stuck() -> Move {
        Move(6)
    }

    /// The arguments of a move of the family `pass if stuck`.
    #[inline(always)]
    pub fn pass_if_stuck_args(self) -> () {
        ()
    }
}

rt::move_texts!(Move, Game);

/// How moves are packed and written: the families, then the draws.
static KINDS: rt::support::MoveKinds = {
    use rt::support::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart};
    const KIND_0: MoveKind = MoveKind {
        text: &[MovePart::Field(0), MovePart::Text(" "), MovePart::Field(1)],
        fields: &[
            MoveField::new(3, 5, 19, true, FieldValues::Names(&CELL_NAMES)),
            MoveField::new(8, 5, 19, true, FieldValues::Names(&CELL_NAMES)),
        ],
    };
    MoveKinds {
        tag_bits: 3,
        kinds: &[
            KIND_0,
            KIND_0,
            KIND_0,
            KIND_0,
            KIND_0,
            KIND_0,
            MoveKind { text: &[MovePart::Text("pass")], fields: &[] },
        ],
    }
};

/// A position of three_camps: plain data, complete.
#[derive(Clone, Debug, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Why the game ended: 0 while it goes on, then a constant of this type.
    ended: u8,
    /// The players who won, a bit each.
    winners: u8,
    /// The site of the fault that ended the game.
    fault: u16,
    /// Variable `plies`.
    plies: u8,
    /// Variable `phase`.
    phase: Phase,
    /// Placement `board`: the places by kind: `red scout`, then `green scout`, then `blue scout`, then `empty`.
    board_by_kind: [rt::BitSet<1>; 4],
}

rt::endings!(State);
impl State {
    const RED_SCOUT: usize = 0;
    const GREEN_SCOUT: usize = 1;
    const BLUE_SCOUT: usize = 2;
    const EMPTY: usize = 3;

    /// The values that the rules give at the start.
    fn new() -> State {
        State {
            ended: 0,
            winners: 0,
            fault: 0,
            plies: 0,
            phase: 0,
            board_by_kind: [rt::BitSet([7]), rt::BitSet([296960]), rt::BitSet([69760]), rt::BitSet([157560])],
        }
    }

    /// Ends the game.
    #[inline(always)]
    fn end(&mut self, reason: u8, winners: u8) {
        self.ended = reason;
        self.winners = winners;
    }

    /// What stands on a place.
    #[inline(always)]
    fn content_of_board(&self, place: Cell) -> Kind {
        if self.board_by_kind[State::RED_SCOUT].contains(place as usize) {
            return 0;
        }
        if self.board_by_kind[State::GREEN_SCOUT].contains(place as usize) {
            return 1;
        }
        if self.board_by_kind[State::BLUE_SCOUT].contains(place as usize) {
            return 2;
        }
        NO_KIND
    }

    /// Sets what stands on a place.
    #[inline(always)]
    fn put_board<E: rt::Events>(&mut self, place: Cell, kind: Kind, ev: &mut E) {
        let before = match ev.active() {
            true => self.content_of_board(place),
            false => NO_KIND,
        };
        let single = <rt::BitSet<1>>::single(place as usize);
        self.board_by_kind[State::RED_SCOUT] = (self.board_by_kind[State::RED_SCOUT]
            - single) | if kind == 0 { single } else { rt::BitSet::EMPTY };
        self.board_by_kind[State::GREEN_SCOUT] = (self.board_by_kind[State::GREEN_SCOUT]
            - single) | if kind == 1 { single } else { rt::BitSet::EMPTY };
        self.board_by_kind[State::BLUE_SCOUT] = (self.board_by_kind[State::BLUE_SCOUT]
            - single) | if kind == 2 { single } else { rt::BitSet::EMPTY };
        self.board_by_kind[State::EMPTY] = (self.board_by_kind[State::EMPTY] - single)
            | if kind == NO_KIND { single } else { rt::BitSet::EMPTY };
        if ev.active() {
            let piece = |kind| (kind != NO_KIND).then(|| u32::from(kind));
            rt::support::tell_content(ev, u32::from(place), piece(before), piece(kind));
        }
    }
}

/// Places, pieces and players by name, for programs that use the game as a library.
pub mod names {
    use super::rt;
    rt::members!(Player(super::Player), super::PLAYER_NAMES; RED, GREEN, BLUE);
    rt::members!(
        Cell(super::Cell), super::CELL_NAMES; N0_2, N1_2, N2_2, N1_1, N0_1, N1_1_2, N2_1,
        N2_0, N1_0, N0_0, N1_0_2, N2_0_2, N2_1_2, N1_1_3, N0_1_2, N1_1_4, N2_2_2, N1_2_2,
        N0_2_2
    );
    rt::members!(Kind(super::Kind), super::KIND_NAMES; RED_SCOUT, GREEN_SCOUT, BLUE_SCOUT);
    rt::members!(Phase(super::Phase), super::PHASE_NAMES; RED_MOVE, GREEN_MOVE, BLUE_MOVE);
}

impl State {
    /// What stands on a place, by the placement `board`.
    pub fn at(&self, place: names::Cell) -> Option<names::Kind> {
        names::Kind::new(self.content_of_board(place.number() as Cell))
    }

    /// All places, and what stands there.
    pub fn board(&self) -> impl Iterator<Item = (names::Cell, Option<names::Kind>)> + '_ {
        names::Cell::all().map(|place| (place, self.at(place)))
    }
}

/// Dense numbers of the moves.
static NUMBERS: rt::MoveNumbers = {
    use rt::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
    const ARGS_0: &[NumberedArg] = &[NumberedArg::Member(&[]), NumberedArg::Member(&[])];
    MoveNumbers {
        kinds: &[
            NumberedKind::new(0, ARGS_0), NumberedKind::new(1, ARGS_0), NumberedKind::new(0, ARGS_0),
            NumberedKind::new(1, ARGS_0), NumberedKind::new(0, ARGS_0), NumberedKind::new(1, ARGS_0),
            NumberedKind::new(2, &[]),
        ],
        layers: &[
            NumberLayer::new(
                &[19, 19],
                &[
                    (1, 0), (3, 1), (19, 3), (21, 4), (23, 5), (39, 7), (43, 8), (57, 10), (61, 11), (64, 12), (76, 14),
                    (79, 16), (81, 17), (84, 18), (96, 20), (99, 22), (101, 23), (104, 24), (116, 26), (119, 27),
                    (124, 28), (136, 30), (141, 31), (145, 32), (155, 33), (159, 35), (161, 36), (164, 37), (175, 39),
                    (179, 41), (181, 42), (184, 43), (195, 45), (199, 47), (201, 48), (204, 49), (215, 51), (219, 52),
                    (224, 53), (235, 54), (241, 56), (244, 57), (255, 58), (259, 60), (261, 61), (263, 62), (275, 64),
                    (279, 66), (281, 67), (283, 68), (295, 70), (299, 72), (303, 73), (316, 74), (321, 76), (336, 77),
                    (339, 79), (341, 80), (356, 81), (359, 83),
                ],
                84,
            ),
            NumberLayer::new(
                &[19, 19],
                &[
                    (2, 84), (7, 85), (9, 86), (27, 87), (29, 88), (38, 89), (47, 90), (49, 91), (62, 92), (70, 93),
                    (82, 94), (88, 95), (90, 96), (98, 97), (108, 98), (110, 99), (118, 100), (128, 101), (133, 102),
                    (142, 103), (149, 104), (153, 105), (162, 106), (169, 107), (171, 108), (173, 109), (178, 110),
                    (182, 111), (187, 112), (189, 113), (191, 114), (198, 115), (207, 116), (211, 117), (218, 118),
                    (227, 119), (232, 120), (242, 121), (250, 122), (252, 123), (262, 124), (270, 125), (272, 126),
                    (278, 127), (290, 128), (298, 129), (311, 130), (313, 131), (322, 132), (331, 133), (333, 134),
                    (351, 135), (353, 136), (358, 137),
                ],
                138,
            ),
            NumberLayer::new(&[], &[(0, 138)], 139),
        ],
        count: 139,
    }
};

/// New numbers under a symmetry.
static RENAMED_11: &[u32] = &[0, 2, 3, 1];

/// New numbers under a symmetry.
static RENAMED_13: &[u32] = &[0, 3, 1, 2];

/// New numbers under a symmetry.
static RENAMED_0: &[u32] = &[0, 3, 7, 1, 4, 8, 12, 2, 5, 9, 13, 16, 6, 10, 14, 17, 11, 15, 18];

/// New numbers under a symmetry.
static RENAMED_12: &[u32] = &[1, 2, 0];

/// New numbers under a symmetry.
static RENAMED_14: &[u32] = &[2, 0, 1];

/// New numbers under a symmetry.
static RENAMED_1: &[u32] = &[2, 1, 0, 6, 5, 4, 3, 11, 10, 9, 8, 7, 15, 14, 13, 12, 18, 17, 16];

/// New numbers under a symmetry.
static RENAMED_2: &[u32] = &[2, 6, 11, 1, 5, 10, 15, 0, 4, 9, 14, 18, 3, 8, 13, 17, 7, 12, 16];

/// New numbers under a symmetry.
static RENAMED_3: &[u32] = &[7, 3, 0, 12, 8, 4, 1, 16, 13, 9, 5, 2, 17, 14, 10, 6, 18, 15, 11];

/// New numbers under a symmetry.
static RENAMED_4: &[u32] = &[7, 12, 16, 3, 8, 13, 17, 0, 4, 9, 14, 18, 1, 5, 10, 15, 2, 6, 11];

/// New numbers under a symmetry.
static RENAMED_5: &[u32] = &[11, 6, 2, 15, 10, 5, 1, 18, 14, 9, 4, 0, 17, 13, 8, 3, 16, 12, 7];

/// New numbers under a symmetry.
static RENAMED_6: &[u32] = &[11, 15, 18, 6, 10, 14, 17, 2, 5, 9, 13, 16, 1, 4, 8, 12, 0, 3, 7];

/// New numbers under a symmetry.
static RENAMED_7: &[u32] = &[16, 12, 7, 17, 13, 8, 3, 18, 14, 9, 4, 0, 15, 10, 5, 1, 11, 6, 2];

/// New numbers under a symmetry.
static RENAMED_8: &[u32] = &[16, 17, 18, 12, 13, 14, 15, 7, 8, 9, 10, 11, 3, 4, 5, 6, 0, 1, 2];

/// New numbers under a symmetry.
static RENAMED_9: &[u32] = &[18, 15, 11, 17, 14, 10, 6, 16, 13, 9, 5, 2, 12, 8, 4, 1, 7, 3, 0];

/// New numbers under a symmetry.
static RENAMED_10: &[u32] = &[18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_0: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_0), rt::ArgImage::Member(RENAMED_0)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_1: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_1), rt::ArgImage::Member(RENAMED_1)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_10: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_10), rt::ArgImage::Member(RENAMED_10)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_2: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_2), rt::ArgImage::Member(RENAMED_2)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_3: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_3), rt::ArgImage::Member(RENAMED_3)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_4: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_4), rt::ArgImage::Member(RENAMED_4)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_5: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_5), rt::ArgImage::Member(RENAMED_5)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_6: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_6), rt::ArgImage::Member(RENAMED_6)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_7: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_7), rt::ArgImage::Member(RENAMED_7)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_8: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_8), rt::ArgImage::Member(RENAMED_8)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_9: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_9), rt::ArgImage::Member(RENAMED_9)];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_11: &[rt::ArgImage] = &[rt::ArgImage::Same, rt::ArgImage::Same];

/// Where the rules can fail.
static FAULTS: &[rt::FaultSite] = &[];

/// What is known of the game before it is played.
static INFO: rt::GameInfo = rt::GameInfo {
    name: "three_camps",
    language: "bgc",
    rules_sha256: "e2059058b74fd08ff86516ac83f82758415611b88cfb95ab305bee6057d61ed2",
    compiler: "rulec 0.1.0",
    players: &["red", "green", "blue"],
    families: &[
        rt::MoveFamily::new("red scout", &["from", "to"], "three_camps.json:24"),
        rt::MoveFamily::new("red scout 2", &["from", "to"], "three_camps.json:27"),
        rt::MoveFamily::new("green scout", &["from", "to"], "three_camps.json:24"),
        rt::MoveFamily::new("green scout 2", &["from", "to"], "three_camps.json:27"),
        rt::MoveFamily::new("blue scout", &["from", "to"], "three_camps.json:24"),
        rt::MoveFamily::new("blue scout 2", &["from", "to"], "three_camps.json:27"),
        rt::MoveFamily::new("pass if stuck", &[], "three_camps.json:1"),
    ],
    move_count: 139,
    numbers: &NUMBERS,
    pieces: &KIND_NAMES,
    places: &CELL_NAMES,
    identities: &["full", "future-without-counts"],
    future: 0,
    timeless: Some(1),
    exact_equality: true,
    exact_classes: true,
    alike: &[],
    symmetries: &[
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_0,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_0), rt::MoveImage::new(1, RENAMED_ARGS_0),
                rt::MoveImage::new(2, RENAMED_ARGS_0), rt::MoveImage::new(3, RENAMED_ARGS_0),
                rt::MoveImage::new(4, RENAMED_ARGS_0), rt::MoveImage::new(5, RENAMED_ARGS_0),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_0, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_1,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_1), rt::MoveImage::new(1, RENAMED_ARGS_1),
                rt::MoveImage::new(2, RENAMED_ARGS_1), rt::MoveImage::new(3, RENAMED_ARGS_1),
                rt::MoveImage::new(4, RENAMED_ARGS_1), rt::MoveImage::new(5, RENAMED_ARGS_1),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_1, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_2,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_2), rt::MoveImage::new(1, RENAMED_ARGS_2),
                rt::MoveImage::new(2, RENAMED_ARGS_2), rt::MoveImage::new(3, RENAMED_ARGS_2),
                rt::MoveImage::new(4, RENAMED_ARGS_2), rt::MoveImage::new(5, RENAMED_ARGS_2),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_3, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_3,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_3), rt::MoveImage::new(1, RENAMED_ARGS_3),
                rt::MoveImage::new(2, RENAMED_ARGS_3), rt::MoveImage::new(3, RENAMED_ARGS_3),
                rt::MoveImage::new(4, RENAMED_ARGS_3), rt::MoveImage::new(5, RENAMED_ARGS_3),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_2, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_4,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_4), rt::MoveImage::new(1, RENAMED_ARGS_4),
                rt::MoveImage::new(2, RENAMED_ARGS_4), rt::MoveImage::new(3, RENAMED_ARGS_4),
                rt::MoveImage::new(4, RENAMED_ARGS_4), rt::MoveImage::new(5, RENAMED_ARGS_4),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_4, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_5,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_5), rt::MoveImage::new(1, RENAMED_ARGS_5),
                rt::MoveImage::new(2, RENAMED_ARGS_5), rt::MoveImage::new(3, RENAMED_ARGS_5),
                rt::MoveImage::new(4, RENAMED_ARGS_5), rt::MoveImage::new(5, RENAMED_ARGS_5),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_5, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_6,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_6), rt::MoveImage::new(1, RENAMED_ARGS_6),
                rt::MoveImage::new(2, RENAMED_ARGS_6), rt::MoveImage::new(3, RENAMED_ARGS_6),
                rt::MoveImage::new(4, RENAMED_ARGS_6), rt::MoveImage::new(5, RENAMED_ARGS_6),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_7, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_7,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_7), rt::MoveImage::new(1, RENAMED_ARGS_7),
                rt::MoveImage::new(2, RENAMED_ARGS_7), rt::MoveImage::new(3, RENAMED_ARGS_7),
                rt::MoveImage::new(4, RENAMED_ARGS_7), rt::MoveImage::new(5, RENAMED_ARGS_7),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_6, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_8,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_8), rt::MoveImage::new(1, RENAMED_ARGS_8),
                rt::MoveImage::new(2, RENAMED_ARGS_8), rt::MoveImage::new(3, RENAMED_ARGS_8),
                rt::MoveImage::new(4, RENAMED_ARGS_8), rt::MoveImage::new(5, RENAMED_ARGS_8),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_8, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_9,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_9), rt::MoveImage::new(1, RENAMED_ARGS_9),
                rt::MoveImage::new(2, RENAMED_ARGS_9), rt::MoveImage::new(3, RENAMED_ARGS_9),
                rt::MoveImage::new(4, RENAMED_ARGS_9), rt::MoveImage::new(5, RENAMED_ARGS_9),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_9, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: &[],
            pieces: &[],
            places: RENAMED_10,
            moves: &[
                rt::MoveImage::new(0, RENAMED_ARGS_10), rt::MoveImage::new(1, RENAMED_ARGS_10),
                rt::MoveImage::new(2, RENAMED_ARGS_10), rt::MoveImage::new(3, RENAMED_ARGS_10),
                rt::MoveImage::new(4, RENAMED_ARGS_10), rt::MoveImage::new(5, RENAMED_ARGS_10),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]),
                rt::PlaneImage::new(2, RENAMED_10, &[]),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_0,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_0), rt::MoveImage::new(3, RENAMED_ARGS_0),
                rt::MoveImage::new(4, RENAMED_ARGS_0), rt::MoveImage::new(5, RENAMED_ARGS_0),
                rt::MoveImage::new(0, RENAMED_ARGS_0), rt::MoveImage::new(1, RENAMED_ARGS_0),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_0, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_1,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_1), rt::MoveImage::new(3, RENAMED_ARGS_1),
                rt::MoveImage::new(4, RENAMED_ARGS_1), rt::MoveImage::new(5, RENAMED_ARGS_1),
                rt::MoveImage::new(0, RENAMED_ARGS_1), rt::MoveImage::new(1, RENAMED_ARGS_1),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_1, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_2,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_2), rt::MoveImage::new(3, RENAMED_ARGS_2),
                rt::MoveImage::new(4, RENAMED_ARGS_2), rt::MoveImage::new(5, RENAMED_ARGS_2),
                rt::MoveImage::new(0, RENAMED_ARGS_2), rt::MoveImage::new(1, RENAMED_ARGS_2),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_3, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_3,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_3), rt::MoveImage::new(3, RENAMED_ARGS_3),
                rt::MoveImage::new(4, RENAMED_ARGS_3), rt::MoveImage::new(5, RENAMED_ARGS_3),
                rt::MoveImage::new(0, RENAMED_ARGS_3), rt::MoveImage::new(1, RENAMED_ARGS_3),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_2, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_4,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_4), rt::MoveImage::new(3, RENAMED_ARGS_4),
                rt::MoveImage::new(4, RENAMED_ARGS_4), rt::MoveImage::new(5, RENAMED_ARGS_4),
                rt::MoveImage::new(0, RENAMED_ARGS_4), rt::MoveImage::new(1, RENAMED_ARGS_4),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_4, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_5,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_5), rt::MoveImage::new(3, RENAMED_ARGS_5),
                rt::MoveImage::new(4, RENAMED_ARGS_5), rt::MoveImage::new(5, RENAMED_ARGS_5),
                rt::MoveImage::new(0, RENAMED_ARGS_5), rt::MoveImage::new(1, RENAMED_ARGS_5),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_5, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_6,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_6), rt::MoveImage::new(3, RENAMED_ARGS_6),
                rt::MoveImage::new(4, RENAMED_ARGS_6), rt::MoveImage::new(5, RENAMED_ARGS_6),
                rt::MoveImage::new(0, RENAMED_ARGS_6), rt::MoveImage::new(1, RENAMED_ARGS_6),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_7, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_7,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_7), rt::MoveImage::new(3, RENAMED_ARGS_7),
                rt::MoveImage::new(4, RENAMED_ARGS_7), rt::MoveImage::new(5, RENAMED_ARGS_7),
                rt::MoveImage::new(0, RENAMED_ARGS_7), rt::MoveImage::new(1, RENAMED_ARGS_7),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_6, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_8,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_8), rt::MoveImage::new(3, RENAMED_ARGS_8),
                rt::MoveImage::new(4, RENAMED_ARGS_8), rt::MoveImage::new(5, RENAMED_ARGS_8),
                rt::MoveImage::new(0, RENAMED_ARGS_8), rt::MoveImage::new(1, RENAMED_ARGS_8),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_8, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_9,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_9), rt::MoveImage::new(3, RENAMED_ARGS_9),
                rt::MoveImage::new(4, RENAMED_ARGS_9), rt::MoveImage::new(5, RENAMED_ARGS_9),
                rt::MoveImage::new(0, RENAMED_ARGS_9), rt::MoveImage::new(1, RENAMED_ARGS_9),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_9, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: RENAMED_10,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_10), rt::MoveImage::new(3, RENAMED_ARGS_10),
                rt::MoveImage::new(4, RENAMED_ARGS_10), rt::MoveImage::new(5, RENAMED_ARGS_10),
                rt::MoveImage::new(0, RENAMED_ARGS_10), rt::MoveImage::new(1, RENAMED_ARGS_10),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, RENAMED_10, RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_12,
            pieces: RENAMED_12,
            places: &[],
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_11), rt::MoveImage::new(3, RENAMED_ARGS_11),
                rt::MoveImage::new(4, RENAMED_ARGS_11), rt::MoveImage::new(5, RENAMED_ARGS_11),
                rt::MoveImage::new(0, RENAMED_ARGS_11), rt::MoveImage::new(1, RENAMED_ARGS_11),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_11),
                rt::PlaneImage::new(2, &[], RENAMED_11),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_0,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_0), rt::MoveImage::new(5, RENAMED_ARGS_0),
                rt::MoveImage::new(0, RENAMED_ARGS_0), rt::MoveImage::new(1, RENAMED_ARGS_0),
                rt::MoveImage::new(2, RENAMED_ARGS_0), rt::MoveImage::new(3, RENAMED_ARGS_0),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_0, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_1,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_1), rt::MoveImage::new(5, RENAMED_ARGS_1),
                rt::MoveImage::new(0, RENAMED_ARGS_1), rt::MoveImage::new(1, RENAMED_ARGS_1),
                rt::MoveImage::new(2, RENAMED_ARGS_1), rt::MoveImage::new(3, RENAMED_ARGS_1),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_1, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_2,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_2), rt::MoveImage::new(5, RENAMED_ARGS_2),
                rt::MoveImage::new(0, RENAMED_ARGS_2), rt::MoveImage::new(1, RENAMED_ARGS_2),
                rt::MoveImage::new(2, RENAMED_ARGS_2), rt::MoveImage::new(3, RENAMED_ARGS_2),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_3, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_3,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_3), rt::MoveImage::new(5, RENAMED_ARGS_3),
                rt::MoveImage::new(0, RENAMED_ARGS_3), rt::MoveImage::new(1, RENAMED_ARGS_3),
                rt::MoveImage::new(2, RENAMED_ARGS_3), rt::MoveImage::new(3, RENAMED_ARGS_3),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_2, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_4,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_4), rt::MoveImage::new(5, RENAMED_ARGS_4),
                rt::MoveImage::new(0, RENAMED_ARGS_4), rt::MoveImage::new(1, RENAMED_ARGS_4),
                rt::MoveImage::new(2, RENAMED_ARGS_4), rt::MoveImage::new(3, RENAMED_ARGS_4),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_4, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_5,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_5), rt::MoveImage::new(5, RENAMED_ARGS_5),
                rt::MoveImage::new(0, RENAMED_ARGS_5), rt::MoveImage::new(1, RENAMED_ARGS_5),
                rt::MoveImage::new(2, RENAMED_ARGS_5), rt::MoveImage::new(3, RENAMED_ARGS_5),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_5, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_6,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_6), rt::MoveImage::new(5, RENAMED_ARGS_6),
                rt::MoveImage::new(0, RENAMED_ARGS_6), rt::MoveImage::new(1, RENAMED_ARGS_6),
                rt::MoveImage::new(2, RENAMED_ARGS_6), rt::MoveImage::new(3, RENAMED_ARGS_6),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_7, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_7,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_7), rt::MoveImage::new(5, RENAMED_ARGS_7),
                rt::MoveImage::new(0, RENAMED_ARGS_7), rt::MoveImage::new(1, RENAMED_ARGS_7),
                rt::MoveImage::new(2, RENAMED_ARGS_7), rt::MoveImage::new(3, RENAMED_ARGS_7),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_6, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_8,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_8), rt::MoveImage::new(5, RENAMED_ARGS_8),
                rt::MoveImage::new(0, RENAMED_ARGS_8), rt::MoveImage::new(1, RENAMED_ARGS_8),
                rt::MoveImage::new(2, RENAMED_ARGS_8), rt::MoveImage::new(3, RENAMED_ARGS_8),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_8, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_9,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_9), rt::MoveImage::new(5, RENAMED_ARGS_9),
                rt::MoveImage::new(0, RENAMED_ARGS_9), rt::MoveImage::new(1, RENAMED_ARGS_9),
                rt::MoveImage::new(2, RENAMED_ARGS_9), rt::MoveImage::new(3, RENAMED_ARGS_9),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_9, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: RENAMED_10,
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_10), rt::MoveImage::new(5, RENAMED_ARGS_10),
                rt::MoveImage::new(0, RENAMED_ARGS_10), rt::MoveImage::new(1, RENAMED_ARGS_10),
                rt::MoveImage::new(2, RENAMED_ARGS_10), rt::MoveImage::new(3, RENAMED_ARGS_10),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, RENAMED_10, RENAMED_13),
            ],
        },
        rt::Symmetry {
            fixes_start: false,
            players: RENAMED_14,
            pieces: RENAMED_14,
            places: &[],
            moves: &[
                rt::MoveImage::new(4, RENAMED_ARGS_11), rt::MoveImage::new(5, RENAMED_ARGS_11),
                rt::MoveImage::new(0, RENAMED_ARGS_11), rt::MoveImage::new(1, RENAMED_ARGS_11),
                rt::MoveImage::new(2, RENAMED_ARGS_11), rt::MoveImage::new(3, RENAMED_ARGS_11),
                rt::MoveImage::new(6, &[]),
            ],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], RENAMED_13),
                rt::PlaneImage::new(2, &[], RENAMED_13),
            ],
        },
    ],
    symmetries_unknown: None,
    sides_apart: None,
    faults: FAULTS,
    episode: None,
    counters: &[],
    meters: &[],
    planes: &[rt::Plane::new("plies", 1, 0, 150), rt::Plane::new("phase", 1, 1, 3), rt::Plane::new("board", 19, 0, 3)],
    has_chance: false,
    has_scores: false,
    several_at_once: false,
    state_bytes: ::core::mem::size_of::<State>(),
};

/// The game three_camps: a value without parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Game;

/// A key of a state: equal states have equal keys.
fn state_key(s: &State) -> u64 {
    let mut words = rt::KeyHasher::new();
    identity_head(s, &mut words);
    identity_full(s, &mut words);
    words.value()
}

/// The new numbers of members of `Phase` under each symmetry.
/// The new numbers of members of `Kind` under each symmetry.
/// The new numbers of members of `Player` under each symmetry.
static NEW_MEMBERS_0: &[&[u32]] = &[
    &[], &[], &[], &[], &[], &[], &[], &[], &[], &[], &[], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0],
    &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[1, 2, 0], &[2, 0, 1], &[2, 0, 1],
    &[2, 0, 1], &[2, 0, 1], &[2, 0, 1], &[2, 0, 1], &[2, 0, 1], &[2, 0, 1], &[2, 0, 1], &[2, 0, 1], &[2, 0, 1],
    &[2, 0, 1],
];

/// The new numbers of members of `Cell` under each symmetry.
static NEW_MEMBERS_1: &[&[u32]] = &[&[0, 3, 7, 1, 4, 8, 12, 2, 5, 9, 13, 16, 6, 10, 14, 17, 11, 15, 18], &[2, 1, 0, 6, 5, 4, 3, 11, 10, 9, 8, 7, 15, 14, 13, 12, 18, 17, 16], &[2, 6, 11, 1, 5, 10, 15, 0, 4, 9, 14, 18, 3, 8, 13, 17, 7, 12, 16], &[7, 3, 0, 12, 8, 4, 1, 16, 13, 9, 5, 2, 17, 14, 10, 6, 18, 15, 11], &[7, 12, 16, 3, 8, 13, 17, 0, 4, 9, 14, 18, 1, 5, 10, 15, 2, 6, 11], &[11, 6, 2, 15, 10, 5, 1, 18, 14, 9, 4, 0, 17, 13, 8, 3, 16, 12, 7], &[11, 15, 18, 6, 10, 14, 17, 2, 5, 9, 13, 16, 1, 4, 8, 12, 0, 3, 7], &[16, 12, 7, 17, 13, 8, 3, 18, 14, 9, 4, 0, 15, 10, 5, 1, 11, 6, 2], &[16, 17, 18, 12, 13, 14, 15, 7, 8, 9, 10, 11, 3, 4, 5, 6, 0, 1, 2], &[18, 15, 11, 17, 14, 10, 6, 16, 13, 9, 5, 2, 12, 8, 4, 1, 7, 3, 0], &[18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], &[0, 3, 7, 1, 4, 8, 12, 2, 5, 9, 13, 16, 6, 10, 14, 17, 11, 15, 18], &[2, 1, 0, 6, 5, 4, 3, 11, 10, 9, 8, 7, 15, 14, 13, 12, 18, 17, 16], &[2, 6, 11, 1, 5, 10, 15, 0, 4, 9, 14, 18, 3, 8, 13, 17, 7, 12, 16], &[7, 3, 0, 12, 8, 4, 1, 16, 13, 9, 5, 2, 17, 14, 10, 6, 18, 15, 11], &[7, 12, 16, 3, 8, 13, 17, 0, 4, 9, 14, 18, 1, 5, 10, 15, 2, 6, 11], &[11, 6, 2, 15, 10, 5, 1, 18, 14, 9, 4, 0, 17, 13, 8, 3, 16, 12, 7], &[11, 15, 18, 6, 10, 14, 17, 2, 5, 9, 13, 16, 1, 4, 8, 12, 0, 3, 7], &[16, 12, 7, 17, 13, 8, 3, 18, 14, 9, 4, 0, 15, 10, 5, 1, 11, 6, 2], &[16, 17, 18, 12, 13, 14, 15, 7, 8, 9, 10, 11, 3, 4, 5, 6, 0, 1, 2], &[18, 15, 11, 17, 14, 10, 6, 16, 13, 9, 5, 2, 12, 8, 4, 1, 7, 3, 0], &[18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], &[], &[0, 3, 7, 1, 4, 8, 12, 2, 5, 9, 13, 16, 6, 10, 14, 17, 11, 15, 18], &[2, 1, 0, 6, 5, 4, 3, 11, 10, 9, 8, 7, 15, 14, 13, 12, 18, 17, 16], &[2, 6, 11, 1, 5, 10, 15, 0, 4, 9, 14, 18, 3, 8, 13, 17, 7, 12, 16], &[7, 3, 0, 12, 8, 4, 1, 16, 13, 9, 5, 2, 17, 14, 10, 6, 18, 15, 11], &[7, 12, 16, 3, 8, 13, 17, 0, 4, 9, 14, 18, 1, 5, 10, 15, 2, 6, 11], &[11, 6, 2, 15, 10, 5, 1, 18, 14, 9, 4, 0, 17, 13, 8, 3, 16, 12, 7], &[11, 15, 18, 6, 10, 14, 17, 2, 5, 9, 13, 16, 1, 4, 8, 12, 0, 3, 7], &[16, 12, 7, 17, 13, 8, 3, 18, 14, 9, 4, 0, 15, 10, 5, 1, 11, 6, 2], &[16, 17, 18, 12, 13, 14, 15, 7, 8, 9, 10, 11, 3, 4, 5, 6, 0, 1, 2], &[18, 15, 11, 17, 14, 10, 6, 16, 13, 9, 5, 2, 12, 8, 4, 1, 7, 3, 0], &[18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], &[]];

/// The new number of a member.
#[inline(always)]
fn new_member(lists: &[&[u32]], symmetry: usize, member: usize) -> usize {
    let list = lists.get(symmetry).copied().unwrap_or_default();
    list.get(member).map_or(member, |new| *new as usize)
}

/// Who acts at the present stop, whether or not the game goes on.
#[inline(always)]
fn acting(s: &State) -> rt::Turn {
    rt::Turn::Decide(1 << (rt::support::at(&MOVER, s.phase as usize) & 63))
}

impl rt::Game for Game {
    type State = State;
    type Move = Move;
    fn info(&self) -> &rt::GameInfo {
        &INFO
    }
    fn initial(&self) -> State {
        start_position()
    }

    #[inline]
    fn turn(&self, s: &State) -> rt::Turn {
        match s.ended {
            0 => acting(s),
            _ => rt::Turn::Over,
        }
    }
    fn player(&self, s: &State) -> Option<usize> {
        match (s.ended, acting(s)) {
            (
                0 | State::NO_MOVE | State::BROKEN,
                rt::Turn::Decide(players),
            ) if players != 0 => Some(players.trailing_zeros() as usize),
            _ => None,
        }
    }

    #[inline]
    fn legal_moves(&self, s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
        list_moves(s, out)
    }

    #[inline]
    fn distinct_moves(&self, s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
        list_distinct(s, out)
    }
    fn chance_outcomes(&self, s: &State, out: &mut rt::ChanceList<Move>) {}

    #[inline]
    fn play<E: rt::Events>(&self, s: &mut State, mv: Move, ev: &mut E) {
        if !play_move(s, mv, ev) {
            settle(s);
        }
    }

    #[inline]
    fn outcome(&self, s: &State) -> Option<rt::Outcome> {
        s.outcome()
    }
    fn scores(&self, s: &State, out: &mut Vec<i64>) {}
    fn key(&self, s: &State) -> u64 {
        state_key(s)
    }
    fn random_playout(
        &self,
        s: &mut State,
        rng: &mut rt::Rng,
        limit: u32,
        choices: rt::ChoiceSet,
        buffer: &mut rt::MoveList<Move>,
    ) -> rt::Playout {
        let mut playout = rt::Playout::default();
        match choices {
            rt::ChoiceSet::All => random_game::<false>(s, rng, limit, buffer, &mut playout),
            rt::ChoiceSet::Distinct => random_game::<true>(s, rng, limit, buffer, &mut playout),
        }
        playout.outcome = s.outcome();
        playout
    }
    fn move_index(&self, mv: Move) -> usize {
        let mut args = Vec::new();
        let kind = KINDS.args(mv.0.into(), &mut args);
        NUMBERS.number(kind, &args)
    }

    #[inline]
    fn move_code(&self, mv: Move) -> u64 {
        mv.0.into()
    }
    fn move_from_code(&self, code: u64) -> Option<Move> {
        KINDS.is_move(code).then(|| Move(code as u32))
    }
    fn write_move(&self, mv: Move, out: &mut String) {
        KINDS.write(mv.0.into(), out);
    }
    fn parse_move(&self, text: &str, out: &mut rt::MoveList<Move>) {
        KINDS.parse(text, &mut |code| out.push(Move(code as u32)));
    }
}

impl rt::OpenPlay for Game {
    #[inline]
    fn play_open(&self, s: &mut State, mv: Move) {
        play_move(s, mv, &mut rt::Silent);
    }
    fn settle(&self, s: &mut State) {
        settle(s);
    }
}

impl rt::MoveArgs for Game {
    fn move_args(&self, mv: Move, args: &mut Vec<i64>) -> usize {
        KINDS.args(mv.0.into(), args)
    }
    fn move_order(&self, mv: Move) -> u64 {
        KINDS.order(mv.0.into())
    }
}

impl rt::Notation for Game {}
impl rt::StateText for Game {
    fn write_state(&self, s: &State, out: &mut String) {
        write_text(s, out);
    }
    fn parse_state(&self, text: &str) -> Result<State, rt::TextError> {
        read_text(text)
    }
}

impl rt::Observe for Game {
    const COUNTS: bool = false;
    fn observe(&self, s: &State, out: &mut impl rt::Observer) {
        out.value(s.plies as i64);
        out.value(s.phase as i64 + 1);
        for item in (0 as Cell..19).map(|place| s.content_of_board(place)) {
            out.value(if item == NO_KIND { 0 } else { item as i64 + 1 });
        }
    }
    fn meters(&self, s: &State, out: &mut Vec<i64>) {
        let _ = (s, out);
    }
    fn appearance(&self, s: &State, out: &mut Vec<i64>) {
        for value in (0 as Cell..19).map(|place| s.content_of_board(place)) {
            out.push(if value == NO_KIND { -1 } else { i64::from(value) });
        }
    }
}

impl rt::Identities for Game {
    fn identity(&self, s: &State, identity: usize, out: &mut Vec<u8>) {
        let words = &mut rt::support::Bytes(out);
        identity_head(s, words);
        match identity {
            0 => identity_full(s, words),
            1 => identity_future_without_counts(s, words),
            _ => {}
        }
    }
    fn image(&self, from: &State, symmetry: usize) -> Option<State> {
        if symmetry >= 35 {
            return None;
        }
        let mut image = from.clone();
        let s = &mut image;
        s.winners = rt::bits::bits64(u64::from(from.winners)).fold(0u64, |set, player| {
            set | 1 << (new_member(NEW_MEMBERS_0, symmetry, player) & 63)
        }) as _;
        s.phase = new_member(NEW_MEMBERS_0, symmetry, usize::from(from.phase)) as _;
        for (key, set) in from.board_by_kind.iter().enumerate() {
            if let Some(slot) = s.board_by_kind.get_mut(new_member(NEW_MEMBERS_0, symmetry, key)) {
                *slot = Default::default();
                for member in set.iter() {
                    slot.set(new_member(NEW_MEMBERS_1, symmetry, member));
                }
            }
        }
        Some(image)
    }
    fn future_key(&self, s: &State) -> u64 {
        let words = &mut rt::support::QuickKey::new();
        identity_head(s, words);
        identity_full(s, words);
        words.value()
    }
    fn timeless_key(&self, s: &State) -> u64 {
        let words = &mut rt::support::QuickKey::new();
        identity_head(s, words);
        identity_future_without_counts(s, words);
        words.value()
    }
}

impl rt::Hosted for Game {}
impl rt::Explain for Game {}

/// Where the moves of the family `red scout` go, step by step (`three_camps.json:24:9`).
#[inline(always)]
fn red_scout_steps(s: &State) -> [rt::BitSet<1>; 8] {
    let from = sources_red_scout(s);
    let free = rt::BitSet::below(19) - s.board_by_kind[State::RED_SCOUT];
    [
        ((from & rt::BitSet([227259])) << 1) & free, ((from & rt::BitSet([57351])) << 3) & free,
        ((from & rt::BitSet([32639])) << 4) & free, ((from & rt::BitSet([454518])) >> 1) & free,
        ((from & rt::BitSet([458808])) >> 3) & free, ((from & rt::BitSet([2040])) << 5) & free,
        ((from & rt::BitSet([522224])) >> 4) & free, ((from & rt::BitSet([65280])) >> 5) & free,
    ]
}

/// Calls `visit` with the legal moves of the family `red scout` until it says stop (`three_camps.json:24:9`).
#[inline]
fn red_scout_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    if sources_red_scout(s).is_empty() {
        return Ok(false);
    }
    let steps = red_scout_steps(s);
    for item in steps[0].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(1) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[1].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(3) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[2].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(4) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[3].iter() {
        let to = item as Cell;
        let from = (to as usize + 1) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[4].iter() {
        let to = item as Cell;
        let from = (to as usize + 3) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[5].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(5) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[6].iter() {
        let to = item as Cell;
        let from = (to as usize + 4) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[7].iter() {
        let to = item as Cell;
        let from = (to as usize + 5) as Cell;
        if visit(Move::red_scout(from, to), 0) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `red scout 2` until it says stop (`three_camps.json:27:9`).
#[inline]
fn red_scout_2_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    for item in sources_red_scout(s).iter() {
        let from = item as Cell;
        for item in targets_red_scout_2(from, s).iter() {
            let to = item as Cell;
            {
                let rank: i64 = rank_red_scout_2(from, to);
                if visit(Move::red_scout_2(from, to), rank) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Where the moves of the family `green scout` go, step by step (`three_camps.json:24:9`).
#[inline(always)]
fn green_scout_steps(s: &State) -> [rt::BitSet<1>; 8] {
    let from = sources_green_scout(s);
    let free = rt::BitSet::below(19) - s.board_by_kind[State::GREEN_SCOUT];
    [
        ((from & rt::BitSet([227259])) << 1) & free, ((from & rt::BitSet([57351])) << 3) & free,
        ((from & rt::BitSet([32639])) << 4) & free, ((from & rt::BitSet([454518])) >> 1) & free,
        ((from & rt::BitSet([458808])) >> 3) & free, ((from & rt::BitSet([2040])) << 5) & free,
        ((from & rt::BitSet([522224])) >> 4) & free, ((from & rt::BitSet([65280])) >> 5) & free,
    ]
}

/// Calls `visit` with the legal moves of the family `green scout` until it says stop (`three_camps.json:24:9`).
#[inline]
fn green_scout_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    if sources_green_scout(s).is_empty() {
        return Ok(false);
    }
    let steps = green_scout_steps(s);
    for item in steps[0].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(1) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[1].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(3) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[2].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(4) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[3].iter() {
        let to = item as Cell;
        let from = (to as usize + 1) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[4].iter() {
        let to = item as Cell;
        let from = (to as usize + 3) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[5].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(5) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[6].iter() {
        let to = item as Cell;
        let from = (to as usize + 4) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[7].iter() {
        let to = item as Cell;
        let from = (to as usize + 5) as Cell;
        if visit(Move::green_scout(from, to), 0) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `green scout 2` until it says stop (`three_camps.json:27:9`).
#[inline]
fn green_scout_2_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    for item in sources_green_scout(s).iter() {
        let from = item as Cell;
        for item in targets_green_scout_2(from, s).iter() {
            let to = item as Cell;
            {
                let rank: i64 = rank_red_scout_2(from, to);
                if visit(Move::green_scout_2(from, to), rank) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Where the moves of the family `blue scout` go, step by step (`three_camps.json:24:9`).
#[inline(always)]
fn blue_scout_steps(s: &State) -> [rt::BitSet<1>; 8] {
    let from = sources_blue_scout(s);
    let free = rt::BitSet::below(19) - s.board_by_kind[State::BLUE_SCOUT];
    [
        ((from & rt::BitSet([227259])) << 1) & free, ((from & rt::BitSet([57351])) << 3) & free,
        ((from & rt::BitSet([32639])) << 4) & free, ((from & rt::BitSet([454518])) >> 1) & free,
        ((from & rt::BitSet([458808])) >> 3) & free, ((from & rt::BitSet([2040])) << 5) & free,
        ((from & rt::BitSet([522224])) >> 4) & free, ((from & rt::BitSet([65280])) >> 5) & free,
    ]
}

/// Calls `visit` with the legal moves of the family `blue scout` until it says stop (`three_camps.json:24:9`).
#[inline]
fn blue_scout_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    if sources_blue_scout(s).is_empty() {
        return Ok(false);
    }
    let steps = blue_scout_steps(s);
    for item in steps[0].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(1) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[1].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(3) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[2].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(4) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[3].iter() {
        let to = item as Cell;
        let from = (to as usize + 1) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[4].iter() {
        let to = item as Cell;
        let from = (to as usize + 3) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[5].iter() {
        let to = item as Cell;
        let from = (to as usize).wrapping_sub(5) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[6].iter() {
        let to = item as Cell;
        let from = (to as usize + 4) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    for item in steps[7].iter() {
        let to = item as Cell;
        let from = (to as usize + 5) as Cell;
        if visit(Move::blue_scout(from, to), 0) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `blue scout 2` until it says stop (`three_camps.json:27:9`).
#[inline]
fn blue_scout_2_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    for item in sources_blue_scout(s).iter() {
        let from = item as Cell;
        for item in targets_blue_scout_2(from, s).iter() {
            let to = item as Cell;
            {
                let rank: i64 = rank_red_scout_2(from, to);
                if visit(Move::blue_scout_2(from, to), rank) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `pass if stuck` until it says stop.
#[inline]
fn pass_if_stuck_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    if may_pass_if_stuck() {
        let rank: i64 = rank_pass_if_stuck();
        if visit(Move::pass_if_stuck(), rank) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Calls `visit` with every legal move until it says stop, and tells whether it did.
#[inline]
fn visit_moves(s: &State, visit: &mut impl FnMut(Move, i64) -> bool) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    if red_scout_moves(s, visit)? {
        return Ok(true);
    }
    if red_scout_2_moves(s, visit)? {
        return Ok(true);
    }
    if green_scout_moves(s, visit)? {
        return Ok(true);
    }
    if green_scout_2_moves(s, visit)? {
        return Ok(true);
    }
    if blue_scout_moves(s, visit)? {
        return Ok(true);
    }
    if blue_scout_2_moves(s, visit)? {
        return Ok(true);
    }
    if pass_if_stuck_moves(s, visit)? {
        return Ok(true);
    }
    Ok(false)
}

/// Whether some move is legal.
fn any_move(s: &State) -> Result<bool, rt::Fault> {
    let mut found = false;
    visit_moves(s, &mut |_, _| {
        found = true;
        true
    })?;
    Ok(found)
}

/// Appends every legal move.
#[inline]
fn list_moves(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    let start = out.len();
    if s.ended == 0 {
        red_scout_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        red_scout_2_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        green_scout_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        green_scout_2_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        blue_scout_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        blue_scout_2_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        if out.len() > start {
            return Ok(());
        }
        pass_if_stuck_moves(s, &mut |mv, _| {
            out.push(mv);
            false
        })?;
        if out.len() > start {
            return Ok(());
        }
    }
    Ok(())
}

/// Appends one legal move of every class: no two moves are interchangeable.
#[inline]
fn list_distinct(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    list_moves(s, out)
}

/// What happens before the first stop.
#[inline]
fn run_start<E: rt::Events>(s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    if i64::from(s.plies) >= 150 {
        s.end(State::LIMIT, 0);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Break(rt::support::Halt::Done)
}

/// The start position.
fn start_position() -> State {
    let mut s = State::new();
    let cx = &mut rt::Cx::new(4194304, 512);
    let flow = run_start(&mut s, &mut rt::Silent, cx);
    s.finish(flow, cx);
    match cx.fault() {
        Some(fault) => {
            s = State::new();
            s.fail(fault);
            s.ended = State::AT_START;
        }
        None => settle(&mut s),
    }
    s
}

/// Plays a move of the family `red scout 2` (`three_camps.json:27:9`).
/// Plays a move of the family `red scout` (`three_camps.json:24:9`).
#[inline]
fn play_red_scout<E: rt::Events>(
    from: Cell,
    to: Cell,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    act_red_scout(from, to, s, ev);
    if s.phase == 0 {
        if !(s.board_by_kind[State::RED_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 1);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 1;
        }
    } else if s.phase == 1 {
        if !(s.board_by_kind[State::GREEN_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 2);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 2;
        }
    } else if !(s.board_by_kind[State::BLUE_SCOUT] & rt::BitSet([512])).is_empty() {
        s.end(State::WIN, 4);
        return ControlFlow::Break(rt::support::Halt::Done);
    } else {
        s.phase = 0;
    }
    if i64::from(s.plies) >= 150 {
        s.end(State::LIMIT, 0);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `green scout 2` (`three_camps.json:27:9`).
/// Plays a move of the family `green scout` (`three_camps.json:24:9`).
#[inline]
fn play_green_scout<E: rt::Events>(
    from: Cell,
    to: Cell,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    act_green_scout(from, to, s, ev);
    if s.phase == 0 {
        if !(s.board_by_kind[State::RED_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 1);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 1;
        }
    } else if s.phase == 1 {
        if !(s.board_by_kind[State::GREEN_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 2);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 2;
        }
    } else if !(s.board_by_kind[State::BLUE_SCOUT] & rt::BitSet([512])).is_empty() {
        s.end(State::WIN, 4);
        return ControlFlow::Break(rt::support::Halt::Done);
    } else {
        s.phase = 0;
    }
    if i64::from(s.plies) >= 150 {
        s.end(State::LIMIT, 0);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `blue scout 2` (`three_camps.json:27:9`).
/// Plays a move of the family `blue scout` (`three_camps.json:24:9`).
#[inline]
fn play_blue_scout<E: rt::Events>(
    from: Cell,
    to: Cell,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    act_blue_scout(from, to, s, ev);
    if s.phase == 0 {
        if !(s.board_by_kind[State::RED_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 1);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 1;
        }
    } else if s.phase == 1 {
        if !(s.board_by_kind[State::GREEN_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 2);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 2;
        }
    } else if !(s.board_by_kind[State::BLUE_SCOUT] & rt::BitSet([512])).is_empty() {
        s.end(State::WIN, 4);
        return ControlFlow::Break(rt::support::Halt::Done);
    } else {
        s.phase = 0;
    }
    if i64::from(s.plies) >= 150 {
        s.end(State::LIMIT, 0);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `pass if stuck`.
#[inline]
fn play_pass_if_stuck<E: rt::Events>(s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    s.plies = i64::min(i64::from(s.plies) + 1, 150) as u8;
    if s.phase == 0 {
        if !(s.board_by_kind[State::RED_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 1);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 1;
        }
    } else if s.phase == 1 {
        if !(s.board_by_kind[State::GREEN_SCOUT] & rt::BitSet([512])).is_empty() {
            s.end(State::WIN, 2);
            return ControlFlow::Break(rt::support::Halt::Done);
        } else {
            s.phase = 2;
        }
    } else if !(s.board_by_kind[State::BLUE_SCOUT] & rt::BitSet([512])).is_empty() {
        s.end(State::WIN, 4);
        return ControlFlow::Break(rt::support::Halt::Done);
    } else {
        s.phase = 0;
    }
    if i64::from(s.plies) >= 150 {
        s.end(State::LIMIT, 0);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move, or a result of a draw, to the next stop; false if there is none such.
#[inline]
fn advance<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E, cx: &mut rt::Cx) -> bool {
    let flow = match mv.family() {
        0 => {
            let (from, to) = mv.red_scout_args();
            play_red_scout(from, to, s, ev, cx)
        }
        1 => {
            let (from, to) = mv.red_scout_2_args();
            play_red_scout(from, to, s, ev, cx)
        }
        2 => {
            let (from, to) = mv.green_scout_args();
            play_green_scout(from, to, s, ev, cx)
        }
        3 => {
            let (from, to) = mv.green_scout_2_args();
            play_green_scout(from, to, s, ev, cx)
        }
        4 => {
            let (from, to) = mv.blue_scout_args();
            play_blue_scout(from, to, s, ev, cx)
        }
        5 => {
            let (from, to) = mv.blue_scout_2_args();
            play_blue_scout(from, to, s, ev, cx)
        }
        6 => {
            let () = mv.pass_if_stuck_args();
            play_pass_if_stuck(s, ev, cx)
        }
        _ => return false,
    };
    s.finish(flow, cx);
    true
}

/// Plays a move, or a result of a draw; a fault gives the position back. Whether the game
/// goes on is not looked at; true tells that it was seen to.
#[inline]
fn play_move<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E) -> bool {
    if s.ended != 0 {
        return false;
    }
    let cx = &mut rt::Cx::new(4194304, 512);
    if !advance(s, mv, ev, cx) {
        return false;
    }
    let goes_on = false;
    goes_on
}

/// Ends the game if nobody can move at the present stop, or a rule runs into a fault there.
fn settle(s: &mut State) {
    if s.ended != 0 {
        return;
    }
    match any_move(s) {
        Ok(true) => {}
        Ok(false) => s.ended = State::NO_MOVE,
        Err(fault) => s.break_off(fault),
    }
}

/// What a move does (`three_camps.json:27:9`).
/// What a move does (`three_camps.json:24:9`).
#[inline(always)]
fn act_red_scout<E: rt::Events>(from: Cell, to: Cell, s: &mut State, ev: &mut E) {
    s.put_board(to, 0, ev);
    s.put_board(from, NO_KIND, ev);
    s.plies = i64::min(i64::from(s.plies) + 1, 150) as u8;
}

/// `sources red scout 2`.
/// `sources red scout`.
#[inline(always)]
fn sources_red_scout(s: &State) -> rt::BitSet<1> {
    if s.phase == 0 { s.board_by_kind[State::RED_SCOUT] } else { rt::BitSet::<1>::EMPTY }
}

/// Where a scout of red may go from a cell (`three_camps.json:27:9`).
#[inline(always)]
fn targets_red_scout_2(from: Cell, s: &State) -> rt::BitSet<1> {
    let places: rt::BitSet<1> = s.board_by_kind[State::RED_SCOUT];
    let common: rt::BitSet<1> = s.board_by_kind[State::EMPTY];
    (rt::support::at(&RAY_STEP_P1_P0, from as usize).up_to(common) & rt::support::at(&TARGETS_2, from as usize)
        | rt::support::at(&RAY_STEP_M1_P0, from as usize).down_to(common) & rt::support::at(&TARGETS_3, from as usize)
        | rt::support::at(&RAY_STEP_P0_P1, from as usize).up_to(common) & rt::support::at(&TARGETS_4, from as usize)
        | rt::support::at(&RAY_STEP_P0_M1, from as usize).down_to(common) & rt::support::at(&TARGETS_5, from as usize)
        | rt::support::at(&RAY_STEP_P1_M1, from as usize).down_to(common) & rt::support::at(&TARGETS_6, from as usize)
        | rt::support::at(&RAY_STEP_M1_P1, from as usize).up_to(common) & rt::support::at(&TARGETS_7, from as usize))
        & rt::BitSet::below(19) - places
}

/// `rank blue scout 2` (`three_camps.json:27:9`).
/// `rank green scout 2` (`three_camps.json:27:9`).
/// `rank red scout 2` (`three_camps.json:27:9`).
#[inline(always)]
fn rank_red_scout_2(from: Cell, to: Cell) -> i64 {
    0
}

/// What a move does (`three_camps.json:27:9`).
/// What a move does (`three_camps.json:24:9`).
#[inline(always)]
fn act_green_scout<E: rt::Events>(from: Cell, to: Cell, s: &mut State, ev: &mut E) {
    s.put_board(to, 1, ev);
    s.put_board(from, NO_KIND, ev);
    s.plies = i64::min(i64::from(s.plies) + 1, 150) as u8;
}

/// `sources green scout 2`.
/// `sources green scout`.
#[inline(always)]
fn sources_green_scout(s: &State) -> rt::BitSet<1> {
    if s.phase == 1 { s.board_by_kind[State::GREEN_SCOUT] } else { rt::BitSet::<1>::EMPTY }
}

/// Where a scout of green may go from a cell (`three_camps.json:27:9`).
#[inline(always)]
fn targets_green_scout_2(from: Cell, s: &State) -> rt::BitSet<1> {
    let places: rt::BitSet<1> = s.board_by_kind[State::GREEN_SCOUT];
    let common: rt::BitSet<1> = s.board_by_kind[State::EMPTY];
    (rt::support::at(&RAY_STEP_P1_P0, from as usize).up_to(common) & rt::support::at(&TARGETS_2, from as usize)
        | rt::support::at(&RAY_STEP_M1_P0, from as usize).down_to(common) & rt::support::at(&TARGETS_3, from as usize)
        | rt::support::at(&RAY_STEP_P0_P1, from as usize).up_to(common) & rt::support::at(&TARGETS_4, from as usize)
        | rt::support::at(&RAY_STEP_P0_M1, from as usize).down_to(common) & rt::support::at(&TARGETS_5, from as usize)
        | rt::support::at(&RAY_STEP_P1_M1, from as usize).down_to(common) & rt::support::at(&TARGETS_6, from as usize)
        | rt::support::at(&RAY_STEP_M1_P1, from as usize).up_to(common) & rt::support::at(&TARGETS_7, from as usize))
        & rt::BitSet::below(19) - places
}

/// What a move does (`three_camps.json:27:9`).
/// What a move does (`three_camps.json:24:9`).
#[inline(always)]
fn act_blue_scout<E: rt::Events>(from: Cell, to: Cell, s: &mut State, ev: &mut E) {
    s.put_board(to, 2, ev);
    s.put_board(from, NO_KIND, ev);
    s.plies = i64::min(i64::from(s.plies) + 1, 150) as u8;
}

/// `sources blue scout 2`.
/// `sources blue scout`.
#[inline(always)]
fn sources_blue_scout(s: &State) -> rt::BitSet<1> {
    if s.phase == 2 { s.board_by_kind[State::BLUE_SCOUT] } else { rt::BitSet::<1>::EMPTY }
}

/// Where a scout of blue may go from a cell (`three_camps.json:27:9`).
#[inline(always)]
fn targets_blue_scout_2(from: Cell, s: &State) -> rt::BitSet<1> {
    let places: rt::BitSet<1> = s.board_by_kind[State::BLUE_SCOUT];
    let common: rt::BitSet<1> = s.board_by_kind[State::EMPTY];
    (rt::support::at(&RAY_STEP_P1_P0, from as usize).up_to(common) & rt::support::at(&TARGETS_2, from as usize)
        | rt::support::at(&RAY_STEP_M1_P0, from as usize).down_to(common) & rt::support::at(&TARGETS_3, from as usize)
        | rt::support::at(&RAY_STEP_P0_P1, from as usize).up_to(common) & rt::support::at(&TARGETS_4, from as usize)
        | rt::support::at(&RAY_STEP_P0_M1, from as usize).down_to(common) & rt::support::at(&TARGETS_5, from as usize)
        | rt::support::at(&RAY_STEP_P1_M1, from as usize).down_to(common) & rt::support::at(&TARGETS_6, from as usize)
        | rt::support::at(&RAY_STEP_M1_P1, from as usize).up_to(common) & rt::support::at(&TARGETS_7, from as usize))
        & rt::BitSet::below(19) - places
}

/// `rank pass if stuck`.
#[inline(always)]
fn rank_pass_if_stuck() -> i64 {
    -1
}

/// `may pass if stuck`.
#[inline(always)]
fn may_pass_if_stuck() -> bool {
    true
}

/// Plays random moves until the game ends or a limit is reached.
fn random_game<const DISTINCT: bool>(
    s: &mut State,
    rng: &mut rt::Rng,
    limit: u32,
    out: &mut rt::MoveList<Move>,
    playout: &mut rt::Playout,
) {
    while s.ended == 0 {
        if playout.plies == limit {
            settle(s);
            return;
        }
        out.clear();
        let listed = match DISTINCT {
            false => list_moves(s, out),
            true => list_distinct(s, out),
        };
        if let Err(fault) = listed {
            s.break_off(fault);
            return;
        }
        let Some(mv) = out.draw(rng) else {
            s.ended = State::NO_MOVE;
            return;
        };
        playout.plies += 1;
        playout.counted += 1;
        playout.moves += out.len() as u64;
        play_move(s, mv, &mut rt::Silent);
    }
}

/// The words that all identities begin with: the outcome and where play goes on.
fn identity_head<W: rt::support::Words>(s: &State, words: &mut W) {
    let (ended, fault) = match s.ended {
        State::NO_MOVE | State::BROKEN => (0, 0),
        ended => (ended, s.fault),
    };
    words.word(u64::from(ended) | u64::from(fault) << 8);
    words.word(u64::from(s.winners));
}

/// The words of the identity `full`.
fn identity_full<W: rt::support::Words>(s: &State, words: &mut W) {
    words.word(s.plies as u64);
    words.word(u64::from(s.phase));
    for set in s.board_by_kind.iter().take(3) {
        for &word in &set.0 {
            words.word(word);
        }
    }
}

/// The words of the identity `future-without-counts`.
fn identity_future_without_counts<W: rt::support::Words>(s: &State, words: &mut W) {
    words.word(u64::from(s.phase));
    for set in s.board_by_kind.iter().take(3) {
        for &word in &set.0 {
            words.word(word);
        }
    }
}

/// The fault sites in the texts of states.
static FAULT_TEXTS: &[&str] = &[];

/// Appends the outcome of a state; what follows from the rest is not told.
fn write_ending(s: &State, out: &mut String) {
    match s.ended {
        State::FAULT | State::AT_START => {
            out.push_str(if s.ended == State::FAULT { "fault" } else { "fault-at-start" });
            rt::text::name(out, FAULT_TEXTS, usize::from(s.fault));
        }
        ended => {
            let told = s.outcome().filter(|_| ended < State::NO_MOVE);
            rt::support::write_outcome(told, out);
        }
    }
}

/// Reads what [`write_ending`] writes.
fn read_ending(s: &mut State, scan: &mut rt::text::Scan<'_>) -> Result<(), rt::TextError> {
    let at_start = scan.take("fault-at-start");
    if at_start || scan.take("fault") {
        s.ended = if at_start { State::AT_START } else { State::FAULT };
        s.fault = scan.name(FAULT_TEXTS)? as u16;
        return Ok(());
    }
    let players = rt::Game::info(&Game).players.len() as i64;
    if let Some((reason, winners)) = rt::support::read_outcome(scan, players)? {
        s.ended = reason;
        s.winners = winners as _;
    }
    Ok(())
}

/// Appends the canonical text of a state.
fn write_text(s: &State, out: &mut String) {
    {
        let value = s.phase;
        rt::text::name(out, &PHASE_NAMES, value as usize);
    }
    out.push_str(" | ");
    for (place, index_1) in (0 as Cell..19).into_iter().enumerate() {
        if place > 0 {
            out.push_str(",");
        }
        {
            let content = s.content_of_board(index_1 as Cell);
            if content == NO_KIND {
                out.push('-');
            } else {
                rt::text::name(out, &KIND_NAMES, content as usize);
            }
        }
    }
    out.push_str(" | plies=");
    {
        let value = s.plies;
        rt::text::int(out, i64::from(value));
    }
    out.push_str(" | ");
    write_ending(s, out);
}

/// The state of a canonical text; what the text does not tell is as at the start.
fn read_text(text: &str) -> Result<State, rt::TextError> {
    let mut state = State::new();
    let s = &mut state;
    let mut scan = rt::text::Scan::new(text);
    s.board_by_kind.fill(rt::BitSet::EMPTY);
    *rt::support::at_mut(&mut s.board_by_kind, NO_KIND as usize) = rt::BitSet::below(19);
    s.phase = scan.name(&PHASE_NAMES)? as Phase;
    scan.lit(" | ")?;
    for (place, index_1) in (0 as Cell..19).into_iter().enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        {
            let kind: Kind = scan.optional(&KIND_NAMES)?.map_or(NO_KIND, |member| member as Kind);
            s.put_board(index_1 as Cell, kind, &mut rt::Silent);
        }
    }
    scan.lit(" | plies=")?;
    s.plies = scan.int_in(0, 150)? as u8;
    scan.lit(" | ")?;
    read_ending(s, &mut scan)?;
    scan.end()?;
    let mut written = String::new();
    write_text(s, &mut written);
    rt::TextError::unless_same(text, &written)?;
    settle(s);
    Ok(state)
}
