//! frogs, compiled from its rules (s3) by rulec 0.1.0.
//!
//! Generated: change the rules and compile them again instead of editing this file.
//!
//! - `frogs.s3`, SHA-256 `66a752746c10d026a2d83b34601f0c1906fa0ade6fc119ea5d02dd00785bf5d4`

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

/// A member of `Player`, by number.
///
/// Rule: `frogs.s3:1:1`.
pub type Player = u8;

/// Number of members of `Player`.
pub const PLAYER_COUNT: Player = 1;

/// No member of `Player`.
pub const NO_PLAYER: Player = Player::MAX;

/// Texts of the members of `Player`.
pub static PLAYER_NAMES: [&str; 1] = ["gardener"];

/// A member of `Element`, by number.
///
/// Rule: `frogs.s3:1:1`.
pub type Element = u8;

/// Number of members of `Element`.
pub const ELEMENT_COUNT: Element = 6;

/// No member of `Element`.
pub const NO_ELEMENT: Element = Element::MAX;

/// Texts of the members of `Element`.
pub static ELEMENT_NAMES: [&str; 6] = [
    "gf(1)",
    "gf(2)",
    "gf(3)",
    "rf(1)",
    "rf(2)",
    "rf(3)",
];

/// A member of `Location`, by number.
///
/// Rule: `frogs.s3:1:1`.
pub type Location = u8;

/// Number of members of `Location`.
pub const LOCATION_COUNT: Location = 7;

/// No member of `Location`.
pub const NO_LOCATION: Location = Location::MAX;

/// Texts of the members of `Location`.
pub static LOCATION_NAMES: [&str; 7] = [
    "s(1)",
    "s(2)",
    "s(3)",
    "s(4)",
    "s(5)",
    "s(6)",
    "s(7)",
];

/// A member of `ElementType`, by number.
///
/// Rule: `frogs.s3:1:1`.
pub type ElementType = u8;

/// Number of members of `ElementType`.
pub const ELEMENT_TYPE_COUNT: ElementType = 2;

/// No member of `ElementType`.
pub const NO_ELEMENT_TYPE: ElementType = ElementType::MAX;

/// Texts of the members of `ElementType`.
pub static ELEMENT_TYPE_NAMES: [&str; 2] = ["greenFrog", "redFrog"];

/// A member of `LocationType`, by number.
///
/// Rule: `frogs.s3:1:1`.
pub type LocationType = u8;

/// Number of members of `LocationType`.
pub const LOCATION_TYPE_COUNT: LocationType = 1;

/// No member of `LocationType`.
pub const NO_LOCATION_TYPE: LocationType = LocationType::MAX;

/// Texts of the members of `LocationType`.
pub static LOCATION_TYPE_NAMES: [&str; 1] = ["pad"];

/// Table `class of Location`.
///
/// Rule: `frogs.s3:1:1`.
static CLASS_OF_LOCATION: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 0];

/// Table `type of Element`.
///
/// Rule: `frogs.s3:1:1`.
static TYPE_OF_ELEMENT: [u8; 8] = [0, 0, 0, 1, 1, 1, 0, 0];

/// Table `state`.
///
/// Rule: `frogs.s3:1:1`.
static STATE: [u8; 8] = [1, 1, 1, 1, 1, 1, 0, 0];

/// Table `owner`.
///
/// Rule: `frogs.s3:1:1`.
static OWNER: [u8; 8] = [1, 1, 1, 1, 1, 1, 0, 0];

/// Table `z`.
///
/// Rule: `frogs.s3:1:1`.
static Z: [u8; 8] = [0, 0, 0, 0, 0, 0, 0, 0];

/// Table `s($) by member 1`.
///
/// Rule: `frogs.s3:135:7`.
static S_BY_MEMBER_1: [u8; 8] = [255, 0, 1, 2, 3, 4, 5, 0];

/// Table `s($) by member 2`.
///
/// Rule: `frogs.s3:135:7`.
static S_BY_MEMBER_2: [u8; 8] = [1, 2, 3, 4, 5, 6, 255, 0];

/// Table `greenStep_to`.
///
/// Rule: `frogs.s3:148:1`.
static GREEN_STEP_TO: [rt::BitSet<1>; 8] = [
    rt::BitSet([2]),
    rt::BitSet([4]),
    rt::BitSet([8]),
    rt::BitSet([16]),
    rt::BitSet([32]),
    rt::BitSet([64]),
    rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// Table `greenJump_to`.
///
/// Rule: `frogs.s3:154:1`.
static GREEN_JUMP_TO: [rt::BitSet<1>; 8] = [
    rt::BitSet([4]),
    rt::BitSet([8]),
    rt::BitSet([16]),
    rt::BitSet([32]),
    rt::BitSet([64]),
    rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
];

/// Table `redStep_to`.
///
/// Rule: `frogs.s3:160:1`.
static RED_STEP_TO: [rt::BitSet<1>; 8] = [
    rt::BitSet::<1>::EMPTY,
    rt::BitSet([1]),
    rt::BitSet([2]),
    rt::BitSet([4]),
    rt::BitSet([8]),
    rt::BitSet([16]),
    rt::BitSet([32]),
    rt::BitSet::<1>::EMPTY,
];

/// Table `redJump_to`.
///
/// Rule: `frogs.s3:166:1`.
static RED_JUMP_TO: [rt::BitSet<1>; 8] = [
    rt::BitSet::<1>::EMPTY,
    rt::BitSet::<1>::EMPTY,
    rt::BitSet([1]),
    rt::BitSet([2]),
    rt::BitSet([4]),
    rt::BitSet([8]),
    rt::BitSet([16]),
    rt::BitSet::<1>::EMPTY,
];

/// The number of each piece's value in the table `type of Element or none`.
static TYPE_OF_ELEMENT_OR_NONE_SLOTS: [u8; 8] = *b"\0\0\0\x01\x01\x01\0\0";

/// A move of frogs, packed: the family in the lowest bits, above it the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);
impl Move {
    /// The number of the family, or of the draw after all families.
    #[inline(always)]
    pub const fn family(self) -> usize {
        (self.0 & 3) as usize
    }

    /// A move of the family `greenStep`.
    ///
    /// Rule: `frogs.s3:148:1`.
    #[inline(always)]
    pub fn green_step(element: Element, from: Location, to: Location) -> Move {
        Move((element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8)
    }

    /// The arguments of a move of the family `greenStep`.
    #[inline(always)]
    pub fn green_step_args(self) -> (Element, Location, Location) {
        (
            ((self.0 >> 2) & 7) as Element,
            ((self.0 >> 5) & 7) as Location,
            ((self.0 >> 8) & 7) as Location,
        )
    }

    /// A move of the family `greenJump`.
    ///
    /// Rule: `frogs.s3:154:1`.
    #[inline(always)]
    pub fn green_jump(element: Element, from: Location, to: Location) -> Move {
        Move(
            1 | (element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8,
        )
    }

    /// The arguments of a move of the family `greenJump`.
    #[inline(always)]
    pub fn green_jump_args(self) -> (Element, Location, Location) {
        (
            ((self.0 >> 2) & 7) as Element,
            ((self.0 >> 5) & 7) as Location,
            ((self.0 >> 8) & 7) as Location,
        )
    }

    /// A move of the family `redStep`.
    ///
    /// Rule: `frogs.s3:160:1`.
    #[inline(always)]
    pub fn red_step(element: Element, from: Location, to: Location) -> Move {
        Move(
            2 | (element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8,
        )
    }

    /// The arguments of a move of the family `redStep`.
    #[inline(always)]
    pub fn red_step_args(self) -> (Element, Location, Location) {
        (
            ((self.0 >> 2) & 7) as Element,
            ((self.0 >> 5) & 7) as Location,
            ((self.0 >> 8) & 7) as Location,
        )
    }

    /// A move of the family `redJump`.
    ///
    /// Rule: `frogs.s3:166:1`.
    #[inline(always)]
    pub fn red_jump(element: Element, from: Location, to: Location) -> Move {
        Move(
            3 | (element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8,
        )
    }

    /// The arguments of a move of the family `redJump`.
    #[inline(always)]
    pub fn red_jump_args(self) -> (Element, Location, Location) {
        (
            ((self.0 >> 2) & 7) as Element,
            ((self.0 >> 5) & 7) as Location,
            ((self.0 >> 8) & 7) as Location,
        )
    }
}

impl ::core::fmt::Display for Move {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        let mut text = String::new();
        rt::Game::write_move(&Game, *self, &mut text);
        f.write_str(&text)
    }
}

impl ::core::str::FromStr for Move {
    type Err = rt::TextError;

    /// The first move with this text; several families may share one.
    fn from_str(text: &str) -> Result<Move, rt::TextError> {
        let mut found = rt::MoveList::new();
        rt::Game::parse_move(&Game, text, &mut found);
        found
            .first()
            .copied()
            .ok_or_else(|| rt::text::Scan::new(text).expected("a move"))
    }
}

/// How moves are packed and written: the families, then the draws.
static KINDS: rt::support::MoveKinds = rt::support::MoveKinds {
    tag_bits: 2,
    kinds: &[
        rt::support::MoveKind {
            text: &[
                rt::support::MovePart::Field(0),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(1),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(2),
            ],
            fields: &[
                rt::support::MoveField {
                    shift: 2,
                    bits: 3,
                    len: 6,
                    dense: true,
                    values: rt::support::FieldValues::Names(&ELEMENT_NAMES),
                },
                rt::support::MoveField {
                    shift: 5,
                    bits: 3,
                    len: 7,
                    dense: false,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
                rt::support::MoveField {
                    shift: 8,
                    bits: 3,
                    len: 7,
                    dense: true,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
            ],
        },
        rt::support::MoveKind {
            text: &[
                rt::support::MovePart::Field(0),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(1),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(2),
            ],
            fields: &[
                rt::support::MoveField {
                    shift: 2,
                    bits: 3,
                    len: 6,
                    dense: true,
                    values: rt::support::FieldValues::Names(&ELEMENT_NAMES),
                },
                rt::support::MoveField {
                    shift: 5,
                    bits: 3,
                    len: 7,
                    dense: false,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
                rt::support::MoveField {
                    shift: 8,
                    bits: 3,
                    len: 7,
                    dense: true,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
            ],
        },
        rt::support::MoveKind {
            text: &[
                rt::support::MovePart::Field(0),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(1),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(2),
            ],
            fields: &[
                rt::support::MoveField {
                    shift: 2,
                    bits: 3,
                    len: 6,
                    dense: true,
                    values: rt::support::FieldValues::Names(&ELEMENT_NAMES),
                },
                rt::support::MoveField {
                    shift: 5,
                    bits: 3,
                    len: 7,
                    dense: false,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
                rt::support::MoveField {
                    shift: 8,
                    bits: 3,
                    len: 7,
                    dense: true,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
            ],
        },
        rt::support::MoveKind {
            text: &[
                rt::support::MovePart::Field(0),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(1),
                rt::support::MovePart::Text(" "),
                rt::support::MovePart::Field(2),
            ],
            fields: &[
                rt::support::MoveField {
                    shift: 2,
                    bits: 3,
                    len: 6,
                    dense: true,
                    values: rt::support::FieldValues::Names(&ELEMENT_NAMES),
                },
                rt::support::MoveField {
                    shift: 5,
                    bits: 3,
                    len: 7,
                    dense: false,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
                rt::support::MoveField {
                    shift: 8,
                    bits: 3,
                    len: 7,
                    dense: true,
                    values: rt::support::FieldValues::Names(&LOCATION_NAMES),
                },
            ],
        },
    ],
};

/// Variable `state`, which no rule writes.
static STATE_AT_ALL_TIMES: [u8; 8] = [1; 8];

/// Variable `owner`, which no rule writes.
static OWNER_AT_ALL_TIMES: [u8; 8] = [1, 1, 1, 1, 1, 1, 0, 0];

/// Variable `z`, which no rule writes.
static Z_AT_ALL_TIMES: [i32; 8] = [0; 8];

/// Variable `turn`, which no rule writes.
static TURN_AT_ALL_TIMES: Player = 0;

/// Variable `score`, which no rule writes.
static SCORE_AT_ALL_TIMES: [i32; 1] = [0];

/// A position of frogs: plain data, complete.
#[derive(Clone, Debug, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Why the game ended: 0 while it goes on, then a constant of this type.
    ended: u8,

    /// The players who won, a bit each.
    winners: u8,

    /// The site of the fault that ended the game.
    fault: u16,

    /// Placement `at`: the places by what a table says of the pieces there.
    at_by_value_0: [rt::BitSet<1>; 4],
}

impl State {
    const WIN: u8 = 1;
    const DRAW: u8 = 2;
    const STUCK: u8 = 3;
    const ELIMINATION: u8 = 4;
    const LIMIT: u8 = 5;
    const FAULT: u8 = 6;

    /// Nobody can move, found when the position was reached.
    const NO_MOVE: u8 = 7;

    /// A rule fails here, found when the position was reached.
    const BROKEN: u8 = 8;

    /// A rule fails before the first stop.
    const AT_START: u8 = 9;

    /// The values that the rules give at the start.
    fn new() -> State {
        State {
            ended: 0,
            winners: 0,
            fault: 0,
            at_by_value_0: [
                rt::BitSet([7]),
                rt::BitSet([112]),
                rt::BitSet::<1>::EMPTY,
                rt::BitSet::<1>::EMPTY,
            ],
        }
    }

    /// Ends the game.
    #[inline(always)]
    fn end(&mut self, reason: u8, winners: u8) {
        self.ended = reason;
        self.winners = winners;
    }

    /// Ends the game with a fault.
    #[cold]
    fn fail(&mut self, fault: rt::Fault) {
        self.ended = State::FAULT;
        self.winners = 0;
        self.fault = fault.site;
    }

    /// Ends the game because a rule fails in this position.
    #[cold]
    fn break_off(&mut self, fault: rt::Fault) {
        self.fail(fault);
        self.ended = State::BROKEN;
    }

    /// Draws the conclusion of rules that ran to their end or halted.
    #[inline(always)]
    fn finish(&mut self, flow: rt::support::Flow, cx: &mut rt::Cx) {
        match flow {
            ControlFlow::Continue(()) => self.end(State::DRAW, 0),
            ControlFlow::Break(rt::support::Halt::Done) => {}
            ControlFlow::Break(rt::support::Halt::Fail(site)) => cx.fail(site),
        }
    }

    /// How the game ended.
    #[inline]
    fn outcome(&self) -> Option<rt::Outcome> {
        let reason = match self.ended {
            0 => return None,
            State::WIN => Some(rt::Reason::Win),
            State::DRAW => Some(rt::Reason::Draw),
            State::STUCK | State::NO_MOVE => Some(rt::Reason::Stuck),
            State::ELIMINATION => Some(rt::Reason::Elimination),
            State::LIMIT => Some(rt::Reason::Limit),
            _ => None,
        };
        let reason = reason.unwrap_or(rt::Reason::Fault(rt::Fault { site: self.fault }));
        Some(rt::Outcome {
            reason,
            winners: u64::from(self.winners),
        })
    }

    /// What stands on a place: the first of the pieces that are like it.
    #[inline(always)]
    fn content_of_at_2(&self, place: Location) -> Element {
        if self.at_by_value_0[0].contains(place as usize) {
            0
        } else if self.at_by_value_0[1].contains(place as usize) {
            3
        } else {
            NO_ELEMENT
        }
    }

    /// The places where the table says this of what stands there.
    #[inline(always)]
    fn get_at_by_value_0(&self, value: ElementType) -> rt::BitSet<1> {
        let slot = if value == 0 {
            0
        } else if value == 1 {
            1
        } else {
            return match value == NO_ELEMENT_TYPE {
                true => rt::BitSet([127]) - self.at_by_value_0[0] - self.at_by_value_0[1],
                false => rt::BitSet::EMPTY,
            };
        };
        rt::support::at(&self.at_by_value_0, slot)
    }

    /// Moves what stands on a place to one that is free or the same; a fault otherwise.
    #[inline(always)]
    fn put_at<E: rt::Events>(
        &mut self,
        from: Location,
        place: Location,
        site: u16,
        ev: &mut E,
        cx: &mut rt::Cx,
    ) {
        if from != place && self.content_of_at_2(place) != NO_ELEMENT {
            cx.fail(site);
            return;
        }
        let piece = self.content_of_at_2(from);
        if piece == NO_ELEMENT {
            return;
        }
        let (gone, come) = (
            rt::BitSet::<1>::single(from as usize),
            rt::BitSet::<1>::single(place as usize),
        );
        let slot = rt::support::at(&TYPE_OF_ELEMENT_OR_NONE_SLOTS, piece as usize)
            as usize;
        let set = rt::support::at_mut(&mut self.at_by_value_0, slot);
        *set = (*set - gone) | come;
        if ev.active() && from != place {
            ev.event(rt::Event::Moved {
                piece: u32::from(name_at(piece, from)),
                from: u32::from(from),
                to: u32::from(place),
            });
        }
    }
}

/// For each piece the first of those that are like it.
static FIRST_OF_CLASS: [Element; 6] = [0, 0, 0, 3, 3, 3];

/// The piece that starts on each place.
static HOME: [Element; 8] = [0, 1, 2, NO_ELEMENT, 3, 4, 5, NO_ELEMENT];

/// What a piece is called that stands on a place, by the first of those that are like it: the one that starts
/// there if that is alike.
#[inline(always)]
fn name_at(first: Element, place: Location) -> Element {
    let home = rt::support::at(&HOME, place as usize);
    match FIRST_OF_CLASS.get(home as usize) {
        Some(&alike) if alike == first => home,
        _ => first,
    }
}

/// A position in which pieces have names: where a piece starts it stands if one of those that are like it does, the
/// others follow in the order of their places.
#[derive(Clone, Debug)]
struct Named {
    /// Placement `at`: the place of each piece.
    at_places: [Location; 8],

    /// Placement `at`: what stands on each place.
    at_contents: [Element; 8],

    /// The position.
    position: State,
}

impl ::core::ops::Deref for Named {
    type Target = State;

    #[inline(always)]
    fn deref(&self) -> &State {
        &self.position
    }
}

impl ::core::ops::DerefMut for Named {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut State {
        &mut self.position
    }
}

impl Named {
    /// The start as the rules name it.
    fn new() -> Named {
        Named {
            at_places: [0, 1, 2, 4, 5, 6, NO_LOCATION, NO_LOCATION],
            at_contents: [0, 1, 2, NO_ELEMENT, 3, 4, 5, NO_ELEMENT],
            position: State::new(),
        }
    }

    /// Makes what is kept beside the placement anew.
    fn refresh_at(&mut self) {
        self.at_by_value_0.fill(rt::BitSet::<1>::EMPTY);
        for piece in 0..6 {
            let place = rt::support::at(&self.at_places, piece);
            if place != NO_LOCATION {
                let slot = rt::support::at(
                    &TYPE_OF_ELEMENT_OR_NONE_SLOTS,
                    piece as usize,
                ) as usize;
                let set = rt::support::at_mut(&mut self.at_by_value_0, slot);
                set.set(place as usize);
            }
        }
    }
}

impl State {
    /// The position with names for its pieces.
    fn named(&self) -> Named {
        static CLASS: [u8; 6] = [0, 0, 0, 1, 1, 1];
        static MEMBERS: [&[Element]; 2] = [&[0, 1, 2], &[3, 4, 5]];
        let mut named = Named::new();
        named.position = self.clone();
        named.at_places.fill(NO_LOCATION);
        named.at_contents.fill(NO_ELEMENT);
        for home in [true, false] {
            let mut next = [0usize; 2];
            for place in 0..LOCATION_COUNT {
                let first = self.content_of_at_2(place);
                if first == NO_ELEMENT
                    || rt::support::at(&named.at_contents, place as usize) != NO_ELEMENT
                {
                    continue;
                }
                let mut piece = rt::support::at(&HOME, place as usize);
                if FIRST_OF_CLASS.get(piece as usize) != Some(&first) {
                    piece = NO_ELEMENT;
                }
                if !home {
                    let class = usize::from(rt::support::at(&CLASS, first as usize));
                    let (members, next) = (
                        rt::support::at(&MEMBERS, class),
                        rt::support::at_mut(&mut next, class),
                    );
                    let free = members
                        .get(*next..)
                        .unwrap_or_default()
                        .iter()
                        .position(|&member| {
                            rt::support::at(&named.at_places, member as usize)
                                == NO_LOCATION
                        });
                    let Some(free) = free else { continue };
                    *next += free + 1;
                    piece = members.get(*next - 1).copied().unwrap_or(NO_ELEMENT);
                }
                if piece == NO_ELEMENT {
                    continue;
                }
                *rt::support::at_mut(&mut named.at_places, piece as usize) = place;
                *rt::support::at_mut(&mut named.at_contents, place as usize) = piece;
            }
        }
        named
    }
}

/// Places, pieces and players by name, for programs that use the game as a library.
pub mod names {
    use super::rt;

    /// A member of `Player`.
    ///
    /// Rule: `frogs.s3:1:1`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Player(super::Player);
    impl Player {
        /// `gardener`.
        pub const GARDENER: Player = Player(0);
    }
    rt::member!(Player, super::Player, super::PLAYER_NAMES);

    /// A member of `Element`.
    ///
    /// Rule: `frogs.s3:1:1`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Element(super::Element);
    impl Element {
        /// `gf(1)`.
        pub const GF_1: Element = Element(0);
        /// `gf(2)`.
        pub const GF_2: Element = Element(1);
        /// `gf(3)`.
        pub const GF_3: Element = Element(2);
        /// `rf(1)`.
        pub const RF_1: Element = Element(3);
        /// `rf(2)`.
        pub const RF_2: Element = Element(4);
        /// `rf(3)`.
        pub const RF_3: Element = Element(5);
    }
    rt::member!(Element, super::Element, super::ELEMENT_NAMES);

    /// A member of `Location`.
    ///
    /// Rule: `frogs.s3:1:1`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Location(super::Location);
    impl Location {
        /// `s(1)`.
        pub const S_1: Location = Location(0);
        /// `s(2)`.
        pub const S_2: Location = Location(1);
        /// `s(3)`.
        pub const S_3: Location = Location(2);
        /// `s(4)`.
        pub const S_4: Location = Location(3);
        /// `s(5)`.
        pub const S_5: Location = Location(4);
        /// `s(6)`.
        pub const S_6: Location = Location(5);
        /// `s(7)`.
        pub const S_7: Location = Location(6);
    }
    rt::member!(Location, super::Location, super::LOCATION_NAMES);

    /// A member of `ElementType`.
    ///
    /// Rule: `frogs.s3:1:1`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct ElementType(super::ElementType);
    impl ElementType {
        /// `greenFrog`.
        pub const GREEN_FROG: ElementType = ElementType(0);
        /// `redFrog`.
        pub const RED_FROG: ElementType = ElementType(1);
    }
    rt::member!(ElementType, super::ElementType, super::ELEMENT_TYPE_NAMES);

    /// A member of `LocationType`.
    ///
    /// Rule: `frogs.s3:1:1`.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct LocationType(super::LocationType);
    impl LocationType {
        /// `pad`.
        pub const PAD: LocationType = LocationType(0);
    }
    rt::member!(LocationType, super::LocationType, super::LOCATION_TYPE_NAMES);
}

impl State {
    /// What stands on a place, by the placement `at`. Several pieces that are alike may have one name.
    ///
    /// Rule: `frogs.s3:1:1`.
    pub fn at(&self, place: names::Location) -> Option<names::Element> {
        names::Element::new({
            let place = place.number() as Location;
            name_at(self.content_of_at_2(place), place)
        })
    }

    /// All places, and what stands there.
    pub fn board(
        &self,
    ) -> impl Iterator<Item = (names::Location, Option<names::Element>)> + '_ {
        names::Location::all().map(|place| (place, self.at(place)))
    }
}

/// For each member the one that stands for it in the numbers of moves.
static FIRST_ALIKE_0: &[u32] = &[0, 0, 0, 3, 3, 3];

/// Dense numbers of the moves.
static NUMBERS: rt::MoveNumbers = rt::MoveNumbers {
    kinds: &[
        rt::NumberedKind {
            layer: 0,
            args: &[
                rt::NumberedArg::Member(FIRST_ALIKE_0),
                rt::NumberedArg::Member(&[]),
                rt::NumberedArg::Member(&[]),
            ],
        },
        rt::NumberedKind {
            layer: 1,
            args: &[
                rt::NumberedArg::Member(FIRST_ALIKE_0),
                rt::NumberedArg::Member(&[]),
                rt::NumberedArg::Member(&[]),
            ],
        },
        rt::NumberedKind {
            layer: 2,
            args: &[
                rt::NumberedArg::Member(FIRST_ALIKE_0),
                rt::NumberedArg::Member(&[]),
                rt::NumberedArg::Member(&[]),
            ],
        },
        rt::NumberedKind {
            layer: 3,
            args: &[
                rt::NumberedArg::Member(FIRST_ALIKE_0),
                rt::NumberedArg::Member(&[]),
                rt::NumberedArg::Member(&[]),
            ],
        },
    ],
    layers: &[
        rt::NumberLayer {
            lens: &[6, 7, 7],
            runs: &[(1, 0), (9, 1), (17, 2), (25, 3), (33, 4), (41, 5)],
            end: 6,
        },
        rt::NumberLayer {
            lens: &[6, 7, 7],
            runs: &[(2, 6), (10, 7), (18, 8), (26, 9), (34, 10)],
            end: 11,
        },
        rt::NumberLayer {
            lens: &[6, 7, 7],
            runs: &[(154, 11), (162, 12), (170, 13), (178, 14), (186, 15), (194, 16)],
            end: 17,
        },
        rt::NumberLayer {
            lens: &[6, 7, 7],
            runs: &[(161, 17), (169, 18), (177, 19), (185, 20), (193, 21)],
            end: 22,
        },
    ],
    count: 22,
};

/// New numbers under a symmetry.
static RENAMED_2: &[u32] = &[0, 2, 1];

/// New numbers under a symmetry.
static RENAMED_0: &[u32] = &[3, 4, 5, 0, 1, 2];

/// New numbers under a symmetry.
static RENAMED_1: &[u32] = &[6, 5, 4, 3, 2, 1, 0];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_0: &[rt::ArgImage] = &[
    rt::ArgImage::Member(RENAMED_0),
    rt::ArgImage::Member(RENAMED_1),
    rt::ArgImage::Member(RENAMED_1),
];

/// Where the rules can fail.
static FAULTS: &[rt::FaultSite] = &[
    rt::FaultSite {
        code: "place-occupied",
        message: "the place is taken",
        origin: "frogs.s3:148:1",
    },
    rt::FaultSite {
        code: "place-occupied",
        message: "the place is taken",
        origin: "frogs.s3:154:1",
    },
    rt::FaultSite {
        code: "place-occupied",
        message: "the place is taken",
        origin: "frogs.s3:160:1",
    },
    rt::FaultSite {
        code: "place-occupied",
        message: "the place is taken",
        origin: "frogs.s3:166:1",
    },
    rt::FaultSite {
        code: "no-value",
        message: "there is no such thing in this position",
        origin: "frogs.s3:1:1",
    },
];

/// What is known of the game before it is played.
static INFO: rt::GameInfo = rt::GameInfo {
    name: "frogs",
    language: "s3",
    rules_sha256: "66a752746c10d026a2d83b34601f0c1906fa0ade6fc119ea5d02dd00785bf5d4",
    compiler: "rulec 0.1.0",
    players: &["gardener"],
    families: &[
        rt::MoveFamily {
            name: "greenStep",
            params: &["element", "from", "to"],
            origin: "frogs.s3:148",
        },
        rt::MoveFamily {
            name: "greenJump",
            params: &["element", "from", "to"],
            origin: "frogs.s3:154",
        },
        rt::MoveFamily {
            name: "redStep",
            params: &["element", "from", "to"],
            origin: "frogs.s3:160",
        },
        rt::MoveFamily {
            name: "redJump",
            params: &["element", "from", "to"],
            origin: "frogs.s3:166",
        },
    ],
    move_count: 22,
    numbers: &NUMBERS,
    pieces: &ELEMENT_NAMES,
    places: &LOCATION_NAMES,
    identities: &["full", "canonical", "canonical-noscore", "full-noscore", "future"],
    future: 4,
    timeless: None,
    exact_equality: true,
    exact_classes: true,
    alike: &[
        rt::Alike {
            text: "3 pieces are alike: gf(1) to gf(3)",
            pieces: true,
            members: &[0, 1, 2],
        },
        rt::Alike {
            text: "3 pieces are alike: rf(1) to rf(3)",
            pieces: true,
            members: &[3, 4, 5],
        },
    ],
    symmetries: &[
        rt::Symmetry {
            fixes_start: true,
            players: &[],
            pieces: RENAMED_0,
            places: RENAMED_1,
            moves: &[
                rt::MoveImage::new(2, RENAMED_ARGS_0),
                rt::MoveImage::new(3, RENAMED_ARGS_0),
                rt::MoveImage::new(0, RENAMED_ARGS_0),
                rt::MoveImage::new(1, RENAMED_ARGS_0),
            ],
            planes: &[rt::PlaneImage::new(RENAMED_1, RENAMED_2)],
        },
    ],
    faults: FAULTS,
    episode: None,
    counters: &[],
    meters: &[],
    planes: &[
        rt::Plane {
            name: "Location: type of Element[get(at[it])]",
            cells: 7,
            values: rt::Interval { min: 0, max: 2 },
        },
    ],
    has_chance: false,
    has_scores: true,
    several_at_once: false,
    state_bytes: ::core::mem::size_of::<State>(),
};

/// The game frogs: a value without parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Game;

/// A key of a state: equal states have equal keys.
fn state_key(s: &State) -> u64 {
    let mut words = rt::KeyHasher::new();
    identity_head(s, &mut words);
    identity_full(s, &mut words);
    words.value()
}

/// The new numbers of members of `Element` under each symmetry.
static NEW_MEMBERS_1: &[&[u32]] = &[&[3, 4, 5, 0, 1, 2]];

/// The new numbers of members of `Location` under each symmetry.
static NEW_MEMBERS_2: &[&[u32]] = &[&[6, 5, 4, 3, 2, 1, 0]];

/// The new numbers of members of `ElementType` under each symmetry.
static NEW_MEMBERS_3: &[&[u32]] = &[&[1, 0]];

/// The new number of a member.
#[inline(always)]
fn new_member(lists: &[&[u32]], symmetry: usize, member: usize) -> usize {
    let list = lists.get(symmetry).copied().unwrap_or_default();
    list.get(member).map_or(member, |new| *new as usize)
}

/// Who acts at the present stop, whether or not the game goes on.
#[inline(always)]
fn acting(s: &State) -> rt::Turn {
    rt::Turn::Decide(1 << ((0) & 63))
}

/// The same move with the piece by which others that are alike are called.
fn first_named(mv: Move) -> Move {
    match mv.family() {
        0 => {
            let (element, from, to) = mv.green_step_args();
            let element = name_at(
                FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()],
                from,
            );
            Move::green_step(element, from, to)
        }
        1 => {
            let (element, from, to) = mv.green_jump_args();
            let element = name_at(
                FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()],
                from,
            );
            Move::green_jump(element, from, to)
        }
        2 => {
            let (element, from, to) = mv.red_step_args();
            let element = name_at(
                FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()],
                from,
            );
            Move::red_step(element, from, to)
        }
        3 => {
            let (element, from, to) = mv.red_jump_args();
            let element = name_at(
                FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()],
                from,
            );
            Move::red_jump(element, from, to)
        }
        _ => mv,
    }
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
    fn legal_moves(
        &self,
        s: &State,
        out: &mut rt::MoveList<Move>,
    ) -> Result<(), rt::Fault> {
        list_moves(s, out)
    }

    #[inline]
    fn distinct_moves(
        &self,
        s: &State,
        out: &mut rt::MoveList<Move>,
    ) -> Result<(), rt::Fault> {
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
    fn scores(&self, s: &State, out: &mut Vec<i64>) {
        out.extend(SCORE_AT_ALL_TIMES.iter().take(1).map(|&score| i64::from(score)));
    }
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
            rt::ChoiceSet::All => {
                rt::cpu::run(RandomGame::<false> {
                    s,
                    rng,
                    limit,
                    out: buffer,
                    playout: &mut playout,
                })
            }
            rt::ChoiceSet::Distinct => {
                rt::cpu::run(RandomGame::<true> {
                    s,
                    rng,
                    limit,
                    out: buffer,
                    playout: &mut playout,
                })
            }
        };
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
        KINDS.is_move(code).then(|| first_named(Move(code as u32)))
    }
    fn write_move(&self, mv: Move, out: &mut String) {
        KINDS.write(mv.0.into(), out);
    }
    fn parse_move(&self, text: &str, out: &mut rt::MoveList<Move>) {
        KINDS.parse(text, &mut |code| out.push(first_named(Move(code as u32))));
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
        write_text(&s.named(), out);
    }
    fn parse_state(&self, text: &str) -> Result<State, rt::TextError> {
        read_text(text)
    }
}

impl rt::Observe for Game {
    const COUNTS: bool = false;
    fn observe(&self, s: &State, out: &mut impl rt::Observer) {
        out.classes(
            7,
            [
                (1, ((s.at_by_value_0[0]) & rt::BitSet([127])).0),
                (2, ((s.at_by_value_0[1]) & rt::BitSet([127])).0),
            ],
        );
    }
    fn meters(&self, s: &State, out: &mut Vec<i64>) {
        let _ = (s, out);
    }
    fn appearance(&self, s: &State, out: &mut Vec<i64>) {
        let s = &s.named();
        for value in s.at_places.iter().take(6).copied() {
            out.push(if value == NO_LOCATION { -1 } else { i64::from(value) });
        }
        for &value in STATE_AT_ALL_TIMES.iter().take(6) {
            out.push(i64::from(value));
        }
        for &value in Z_AT_ALL_TIMES.iter().take(6) {
            out.push(i64::from(value));
        }
    }
}

impl rt::Identities for Game {
    fn identity(&self, s: &State, identity: usize, out: &mut Vec<u8>) {
        let words = &mut rt::support::Bytes(out);
        identity_head(s, words);
        match identity {
            0 => identity_full(s, words),
            1 => identity_canonical(s, words),
            2 => identity_canonical_noscore(s, words),
            3 => identity_full_noscore(s, words),
            4 => identity_future(s, words),
            _ => {}
        }
    }
    fn image(&self, from: &State, symmetry: usize) -> Option<State> {
        if symmetry >= 1 {
            return None;
        }
        let from = &from.named();
        let mut image = from.clone();
        let s = &mut image;
        for (key, &value) in from.at_places.iter().take(6).enumerate() {
            if let Some(slot) = s
                .at_places
                .get_mut(new_member(NEW_MEMBERS_1, symmetry, key))
            {
                *slot = new_member(NEW_MEMBERS_2, symmetry, usize::from(value)) as _;
            }
        }
        for (key, &value) in from.at_contents.iter().take(7).enumerate() {
            if let Some(slot) = s
                .at_contents
                .get_mut(new_member(NEW_MEMBERS_2, symmetry, key))
            {
                *slot = new_member(NEW_MEMBERS_1, symmetry, usize::from(value)) as _;
            }
        }
        s.refresh_at();
        Some(image.position)
    }
    fn future_key(&self, s: &State) -> u64 {
        let words = &mut rt::support::QuickKey::new();
        identity_head(s, words);
        identity_future(s, words);
        words.value()
    }
}

impl rt::Hosted for Game {}
impl rt::Explain for Game {}

/// Calls `visit` with the legal moves of the family `greenStep` until it says stop.
///
/// Rule: `frogs.s3:148:1`.
#[inline]
fn green_step_moves(
    s: &State,
    visit: &mut impl FnMut(Move) -> bool,
) -> Result<bool, rt::Fault> {
    for item in (s.at_by_value_0[0]).iter() {
        let from = item as Location;
        let element: Element = {
            static NAMES: [Element; 8] = [0, 1, 2, 0, 0, 0, 0, 0];
            rt::support::at(&NAMES, from as usize)
        };
        for item in rt::support::at(&GREEN_STEP_TO, from as usize).iter() {
            let to = item as Location;
            if green_step_guard(element, from, to, s) {
                if visit(Move::green_step(element, from, to)) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `greenJump` until it says stop.
///
/// Rule: `frogs.s3:154:1`.
#[inline]
fn green_jump_moves(
    s: &State,
    visit: &mut impl FnMut(Move) -> bool,
) -> Result<bool, rt::Fault> {
    for item in (s.at_by_value_0[0]).iter() {
        let from = item as Location;
        let element: Element = {
            static NAMES: [Element; 8] = [0, 1, 2, 0, 0, 0, 0, 0];
            rt::support::at(&NAMES, from as usize)
        };
        for item in rt::support::at(&GREEN_JUMP_TO, from as usize).iter() {
            let to = item as Location;
            if green_jump_guard(element, from, to, s) {
                if visit(Move::green_jump(element, from, to)) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `redStep` until it says stop.
///
/// Rule: `frogs.s3:160:1`.
#[inline]
fn red_step_moves(
    s: &State,
    visit: &mut impl FnMut(Move) -> bool,
) -> Result<bool, rt::Fault> {
    for item in (s.at_by_value_0[1]).iter() {
        let from = item as Location;
        let element: Element = {
            static NAMES: [Element; 8] = [3, 3, 3, 3, 3, 4, 5, 3];
            rt::support::at(&NAMES, from as usize)
        };
        for item in rt::support::at(&RED_STEP_TO, from as usize).iter() {
            let to = item as Location;
            if red_step_guard(element, from, to, s) {
                if visit(Move::red_step(element, from, to)) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `redJump` until it says stop.
///
/// Rule: `frogs.s3:166:1`.
#[inline]
fn red_jump_moves(
    s: &State,
    visit: &mut impl FnMut(Move) -> bool,
) -> Result<bool, rt::Fault> {
    for item in (s.at_by_value_0[1]).iter() {
        let from = item as Location;
        let element: Element = {
            static NAMES: [Element; 8] = [3, 3, 3, 3, 3, 4, 5, 3];
            rt::support::at(&NAMES, from as usize)
        };
        for item in rt::support::at(&RED_JUMP_TO, from as usize).iter() {
            let to = item as Location;
            if red_jump_guard(element, from, to, s) {
                if visit(Move::red_jump(element, from, to)) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The part of the guard of `greenStep` that depends on `element` alone.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn green_step_if_element_(element: Element) -> bool {
    rt::BitSet([7]).contains(element as usize)
}

/// The part of the guard of `greenStep` that depends on `element` and `from` and `to` alone.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn green_step_if_to_(element: Element, from: Location, to: Location, s: &State) -> bool {
    if s.content_of_at_2((to as usize) as Location) != NO_ELEMENT {
        return false;
    }
    let step: bool = step_2(from, to);
    step
}

/// What the moves of the family `greenStep` are made of: lists of packed arguments, of which one each makes a move. With `DISTINCT` one of each class. Nothing if a rule fails.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn green_step_lists<const DISTINCT: bool>(
    s: &State,
) -> Option<rt::support::Seq<u32, 3>> {
    let mut lists: rt::support::Seq<u32, 3> = rt::support::Seq::new();
    let list_0 = &mut lists;
    let mut list_0_seen = rt::BitSet::<1>::EMPTY;
    {
        for item in (s.at_by_value_0[0]).iter() {
            let from = item as Location;
            let element: Element = {
                static NAMES: [Element; 8] = [0, 1, 2, 0, 0, 0, 0, 0];
                rt::support::at(&NAMES, from as usize)
            };
            if green_step_if_element_(element) {
                for item in rt::support::at(&GREEN_STEP_TO, from as usize).iter() {
                    let to = item as Location;
                    if green_step_if_to_(element, from, to, s) {
                        let class = (from as usize) * 7 + to as usize;
                        if !DISTINCT || !list_0_seen.contains(class) {
                            list_0_seen.set(class);
                            list_0
                                .push(
                                    (element as u32 & 7) << 2 | (from as u32 & 7) << 5
                                        | (to as u32 & 7) << 8,
                                );
                        }
                    }
                }
            }
        }
    }
    Some(lists)
}

/// The part of the guard of `greenJump` that depends on `element` alone.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn green_jump_if_element_(element: Element) -> bool {
    rt::BitSet([7]).contains(element as usize)
}

/// The part of the guard of `greenJump` that depends on `element` and `from` and `to` alone.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn green_jump_if_to_(element: Element, from: Location, to: Location, s: &State) -> bool {
    if s.content_of_at_2((to as usize) as Location) != NO_ELEMENT {
        return false;
    }
    let jump: bool = jump_2(from, to, s);
    jump
}

/// What the moves of the family `greenJump` are made of: lists of packed arguments, of which one each makes a move. With `DISTINCT` one of each class. Nothing if a rule fails.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn green_jump_lists<const DISTINCT: bool>(
    s: &State,
) -> Option<rt::support::Seq<u32, 3>> {
    let mut lists: rt::support::Seq<u32, 3> = rt::support::Seq::new();
    let list_0 = &mut lists;
    let mut list_0_seen = rt::BitSet::<1>::EMPTY;
    {
        for item in (s.at_by_value_0[0]).iter() {
            let from = item as Location;
            let element: Element = {
                static NAMES: [Element; 8] = [0, 1, 2, 0, 0, 0, 0, 0];
                rt::support::at(&NAMES, from as usize)
            };
            if green_jump_if_element_(element) {
                for item in rt::support::at(&GREEN_JUMP_TO, from as usize).iter() {
                    let to = item as Location;
                    if green_jump_if_to_(element, from, to, s) {
                        let class = (from as usize) * 7 + to as usize;
                        if !DISTINCT || !list_0_seen.contains(class) {
                            list_0_seen.set(class);
                            list_0
                                .push(
                                    (element as u32 & 7) << 2 | (from as u32 & 7) << 5
                                        | (to as u32 & 7) << 8,
                                );
                        }
                    }
                }
            }
        }
    }
    Some(lists)
}

/// The part of the guard of `redStep` that depends on `element` alone.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn red_step_if_element_(element: Element) -> bool {
    rt::BitSet([56]).contains(element as usize)
}

/// The part of the guard of `redStep` that depends on `element` and `from` and `to` alone.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn red_step_if_to_(element: Element, from: Location, to: Location, s: &State) -> bool {
    if s.content_of_at_2((to as usize) as Location) != NO_ELEMENT {
        return false;
    }
    let step: bool = step_1(from, to);
    step
}

/// What the moves of the family `redStep` are made of: lists of packed arguments, of which one each makes a move. With `DISTINCT` one of each class. Nothing if a rule fails.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn red_step_lists<const DISTINCT: bool>(s: &State) -> Option<rt::support::Seq<u32, 3>> {
    let mut lists: rt::support::Seq<u32, 3> = rt::support::Seq::new();
    let list_0 = &mut lists;
    let mut list_0_seen = rt::BitSet::<1>::EMPTY;
    {
        for item in (s.at_by_value_0[1]).iter() {
            let from = item as Location;
            let element: Element = {
                static NAMES: [Element; 8] = [3, 3, 3, 3, 3, 4, 5, 3];
                rt::support::at(&NAMES, from as usize)
            };
            if red_step_if_element_(element) {
                for item in rt::support::at(&RED_STEP_TO, from as usize).iter() {
                    let to = item as Location;
                    if red_step_if_to_(element, from, to, s) {
                        let class = (from as usize) * 7 + to as usize;
                        if !DISTINCT || !list_0_seen.contains(class) {
                            list_0_seen.set(class);
                            list_0
                                .push(
                                    (element as u32 & 7) << 2 | (from as u32 & 7) << 5
                                        | (to as u32 & 7) << 8,
                                );
                        }
                    }
                }
            }
        }
    }
    Some(lists)
}

/// The part of the guard of `redJump` that depends on `element` alone.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn red_jump_if_element_(element: Element) -> bool {
    rt::BitSet([56]).contains(element as usize)
}

/// The part of the guard of `redJump` that depends on `element` and `from` and `to` alone.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn red_jump_if_to_(element: Element, from: Location, to: Location, s: &State) -> bool {
    if s.content_of_at_2((to as usize) as Location) != NO_ELEMENT {
        return false;
    }
    let jump: bool = jump_1(from, to, s);
    jump
}

/// What the moves of the family `redJump` are made of: lists of packed arguments, of which one each makes a move. With `DISTINCT` one of each class. Nothing if a rule fails.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn red_jump_lists<const DISTINCT: bool>(s: &State) -> Option<rt::support::Seq<u32, 3>> {
    let mut lists: rt::support::Seq<u32, 3> = rt::support::Seq::new();
    let list_0 = &mut lists;
    let mut list_0_seen = rt::BitSet::<1>::EMPTY;
    {
        for item in (s.at_by_value_0[1]).iter() {
            let from = item as Location;
            let element: Element = {
                static NAMES: [Element; 8] = [3, 3, 3, 3, 3, 4, 5, 3];
                rt::support::at(&NAMES, from as usize)
            };
            if red_jump_if_element_(element) {
                for item in rt::support::at(&RED_JUMP_TO, from as usize).iter() {
                    let to = item as Location;
                    if red_jump_if_to_(element, from, to, s) {
                        let class = (from as usize) * 7 + to as usize;
                        if !DISTINCT || !list_0_seen.contains(class) {
                            list_0_seen.set(class);
                            list_0
                                .push(
                                    (element as u32 & 7) << 2 | (from as u32 & 7) << 5
                                        | (to as u32 & 7) << 8,
                                );
                        }
                    }
                }
            }
        }
    }
    Some(lists)
}

/// Appends every legal move, or with `DISTINCT` one of each class. Nothing if a rule fails, or
/// the moves have to be compared to tell their classes.
#[inline]
fn list_products<const DISTINCT: bool>(
    s: &State,
    out: &mut rt::MoveList<Move>,
) -> Option<()> {
    if s.ended != 0 {
        return Some(());
    }
    let mut used = 0;
    {
        let before = out.len();
        {
            let Some(list_0) = green_step_lists::<DISTINCT>(s) else { return None };
            for &part_0 in list_0.as_slice() {
                let mv = Move(part_0);
                out.push(mv);
            }
        }
        used += usize::from(out.len() > before);
    }
    {
        let before = out.len();
        {
            let Some(list_0) = green_jump_lists::<DISTINCT>(s) else { return None };
            for &part_0 in list_0.as_slice() {
                let mv = Move(1 | part_0);
                out.push(mv);
            }
        }
        used += usize::from(out.len() > before);
    }
    {
        let before = out.len();
        {
            let Some(list_0) = red_step_lists::<DISTINCT>(s) else { return None };
            for &part_0 in list_0.as_slice() {
                let mv = Move(2 | part_0);
                out.push(mv);
            }
        }
        used += usize::from(out.len() > before);
    }
    {
        let before = out.len();
        {
            let Some(list_0) = red_jump_lists::<DISTINCT>(s) else { return None };
            for &part_0 in list_0.as_slice() {
                let mv = Move(3 | part_0);
                out.push(mv);
            }
        }
        used += usize::from(out.len() > before);
    }
    if DISTINCT && used > 1 {
        return None;
    }
    Some(())
}

/// A random legal move, or one of a random class with `DISTINCT`, and how many there are; the
/// list is scratch space. Nothing if a rule fails, or the moves have to be listed.
#[inline(always)]
fn random_move<const DISTINCT: bool>(
    s: &State,
    rng: &mut rt::Rng,
    out: &mut rt::MoveList<Move>,
) -> Option<(Option<Move>, u64)> {
    let (arm_0_0, count_0) = {
        let Some(list_0) = green_step_lists::<DISTINCT>(s) else { return None };
        let count = list_0.len() as u64;
        (list_0, count)
    };
    let (arm_1_0, count_1) = {
        let Some(list_0) = green_jump_lists::<DISTINCT>(s) else { return None };
        let count = list_0.len() as u64;
        (list_0, count)
    };
    let (arm_2_0, count_2) = {
        let Some(list_0) = red_step_lists::<DISTINCT>(s) else { return None };
        let count = list_0.len() as u64;
        (list_0, count)
    };
    let (arm_3_0, count_3) = {
        let Some(list_0) = red_jump_lists::<DISTINCT>(s) else { return None };
        let count = list_0.len() as u64;
        (list_0, count)
    };
    if DISTINCT
        && [count_0, count_1, count_2, count_3]
            .into_iter()
            .filter(|&count| count > 0)
            .count() > 1
    {
        return None;
    }
    let total: u64 = count_0 + count_1 + count_2 + count_3;
    let draw = rng.draw(total);
    let mut pick = draw.number();
    if total == 0 {
        return Some((None, 0));
    }
    if pick < count_0 {
        let part_0 = arm_0_0.get(pick as usize).unwrap_or(0);
        return Some((Some(Move(part_0)), total));
    }
    pick -= count_0;
    if pick < count_1 {
        let part_0 = arm_1_0.get(pick as usize).unwrap_or(0);
        return Some((Some(Move(1 | part_0)), total));
    }
    pick -= count_1;
    if pick < count_2 {
        let part_0 = arm_2_0.get(pick as usize).unwrap_or(0);
        return Some((Some(Move(2 | part_0)), total));
    }
    pick -= count_2;
    if pick < count_3 {
        let part_0 = arm_3_0.get(pick as usize).unwrap_or(0);
        return Some((Some(Move(3 | part_0)), total));
    }
    pick -= count_3;
    Some((None, total))
}

/// Calls `visit` with every legal move until it says stop, and tells whether it did.
#[inline]
fn visit_moves(
    s: &State,
    visit: &mut impl FnMut(Move) -> bool,
) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    if green_step_moves(s, visit)? {
        return Ok(true);
    }
    if green_jump_moves(s, visit)? {
        return Ok(true);
    }
    if red_step_moves(s, visit)? {
        return Ok(true);
    }
    if red_jump_moves(s, visit)? {
        return Ok(true);
    }
    Ok(false)
}

/// Whether some move is legal.
fn any_move(s: &State) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    'lists: {
        {
            let Some(list_0) = green_step_lists::<true>(s) else { break 'lists };
            if list_0.len() != 0 {
                return Ok(true);
            }
        }
        {
            let Some(list_0) = green_jump_lists::<true>(s) else { break 'lists };
            if list_0.len() != 0 {
                return Ok(true);
            }
        }
        {
            let Some(list_0) = red_step_lists::<true>(s) else { break 'lists };
            if list_0.len() != 0 {
                return Ok(true);
            }
        }
        {
            let Some(list_0) = red_jump_lists::<true>(s) else { break 'lists };
            if list_0.len() != 0 {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let mut found = false;
    visit_moves(
        s,
        &mut |_| {
            found = true;
            true
        },
    )?;
    Ok(found)
}

/// Appends every legal move.
#[inline]
fn list_moves(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    let start = out.len();
    if list_products::<false>(s, out).is_some() {
        return Ok(());
    }
    out.truncate(start);
    visit_moves(
        s,
        &mut |mv| {
            out.push(mv);
            false
        },
    )?;
    Ok(())
}

/// Appends one legal move of every class of interchangeable ones.
#[inline]
fn list_distinct(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    let start = out.len();
    if list_products::<true>(s, out).is_some() {
        return Ok(());
    }
    out.truncate(start);
    list_classes(s, out, start)
}

/// Appends one legal move of every class, found by comparing all moves.
fn list_classes(
    s: &State,
    out: &mut rt::MoveList<Move>,
    start: usize,
) -> Result<(), rt::Fault> {
    list_moves(s, out)?;
    for mv in out.iter().skip(start) {
        class_of(s, *mv)?;
    }
    let class = |mv: &Move| class_of(s, *mv).unwrap_or_default();
    let moves = out.as_mut_slice().get_mut(start..).unwrap_or_default();
    moves.sort_unstable_by_key(class);
    let kept = rt::support::keep_first(moves, class);
    out.truncate(start + kept);
    Ok(())
}

/// What interchangeable moves have in common.
fn class_of(s: &State, mv: Move) -> Result<[i64; 3], rt::Fault> {
    let mut class = [0; 3];
    match mv.family() {
        0 => {
            let (element, from, to) = mv.green_step_args();
            class = [
                0,
                i64::from(rt::support::at(&CLASS_OF_LOCATION, from as usize)),
                i64::from(rt::support::at(&CLASS_OF_LOCATION, to as usize)),
            ];
        }
        1 => {
            let (element, from, to) = mv.green_jump_args();
            class = [
                0,
                i64::from(rt::support::at(&CLASS_OF_LOCATION, from as usize)),
                i64::from(rt::support::at(&CLASS_OF_LOCATION, to as usize)),
            ];
        }
        2 => {
            let (element, from, to) = mv.red_step_args();
            class = [
                1,
                i64::from(rt::support::at(&CLASS_OF_LOCATION, from as usize)),
                i64::from(rt::support::at(&CLASS_OF_LOCATION, to as usize)),
            ];
        }
        3 => {
            let (element, from, to) = mv.red_jump_args();
            class = [
                1,
                i64::from(rt::support::at(&CLASS_OF_LOCATION, from as usize)),
                i64::from(rt::support::at(&CLASS_OF_LOCATION, to as usize)),
            ];
        }
        _ => {}
    }
    Ok(class)
}

/// What happens before the first stop.
#[inline(always)]
fn run_start<E: rt::Events>(
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
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

/// Plays a move of the family `greenStep`.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn play_green_step<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    green_step_play(element, from, to, s, ev, cx)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `greenJump`.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn play_green_jump<E: rt::Events>(
    element_2: Element,
    from_2: Location,
    to_2: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    green_jump_play(element_2, from_2, to_2, s, ev, cx)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `redStep`.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn play_red_step<E: rt::Events>(
    element_3: Element,
    from_3: Location,
    to_3: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    red_step_play(element_3, from_3, to_3, s, ev, cx)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `redJump`.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn play_red_jump<E: rt::Events>(
    element_4: Element,
    from_4: Location,
    to_4: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    red_jump_play(element_4, from_4, to_4, s, ev, cx)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// As [`play_inlined`], but one function for all that call it.
#[inline(never)]
fn play_move<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E) -> bool {
    play_inlined(s, mv, ev)
}

/// Plays a move, or a result of a draw, to the next stop; false if there is none such.
#[inline(always)]
fn advance<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E, cx: &mut rt::Cx) -> bool {
    let flow = match mv.family() {
        0 => {
            let (element, from, to) = mv.green_step_args();
            play_green_step(element, from, to, s, ev, cx)
        }
        1 => {
            let (element, from, to) = mv.green_jump_args();
            play_green_jump(element, from, to, s, ev, cx)
        }
        2 => {
            let (element, from, to) = mv.red_step_args();
            play_red_step(element, from, to, s, ev, cx)
        }
        3 => {
            let (element, from, to) = mv.red_jump_args();
            play_red_jump(element, from, to, s, ev, cx)
        }
        _ => return false,
    };
    s.finish(flow, cx);
    true
}

/// Plays a move, or a result of a draw; a fault gives the position back. Whether the game
/// goes on is not looked at; true tells that it was seen to.
#[inline(always)]
fn play_inlined<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E) -> bool {
    if s.ended != 0 {
        return false;
    }
    let before = s.clone();
    let cx = &mut rt::Cx::new(4194304, 512);
    if !advance(s, mv, ev, cx) {
        return false;
    }
    let goes_on = false;
    if let Some(fault) = cx.fault() {
        *s = before;
        s.fail(fault);
    }
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

/// The expression `SidesChanged` of the rules.
///
/// Rule: `frogs.s3:138:1`.
#[inline(always)]
fn sides_changed(s: &State) -> bool {
    rt::BitSet([7]).is_subset(&s.get_at_by_value_0(1))
        && rt::BitSet([112]).is_subset(&s.get_at_by_value_0(0))
}

/// What follows every move: scorings, then ends of the game.
///
/// Rule: `frogs.s3:1:1`.
#[inline(always)]
fn after_move(s: &mut State) -> rt::support::Flow {
    let sides_changed_2: bool = sides_changed(s);
    if sides_changed_2 {
        s.end(State::WIN, 1);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Continue(())
}

/// Whether rule `greenStep` matches a move.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn green_step_matches(
    element: Element,
    from: Location,
    to: Location,
    s: &State,
) -> bool {
    if !(rt::BitSet([7]).contains(element as usize)
        & (s.content_of_at_2((to as usize) as Location) == NO_ELEMENT))
    {
        return false;
    }
    let step: bool = step_2(from, to);
    step
}

/// Whether rule `greenJump` matches a move.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn green_jump_matches(
    element: Element,
    from: Location,
    to: Location,
    s: &State,
) -> bool {
    if !(rt::BitSet([7]).contains(element as usize)
        & (s.content_of_at_2((to as usize) as Location) == NO_ELEMENT))
    {
        return false;
    }
    let jump: bool = jump_2(from, to, s);
    jump
}

/// Whether rule `redStep` matches a move.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn red_step_matches(element: Element, from: Location, to: Location, s: &State) -> bool {
    if !(rt::BitSet([56]).contains(element as usize)
        & (s.content_of_at_2((to as usize) as Location) == NO_ELEMENT))
    {
        return false;
    }
    let step: bool = step_1(from, to);
    step
}

/// Whether rule `redJump` matches a move.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn red_jump_matches(element: Element, from: Location, to: Location, s: &State) -> bool {
    if !(rt::BitSet([56]).contains(element as usize)
        & (s.content_of_at_2((to as usize) as Location) == NO_ELEMENT))
    {
        return false;
    }
    let jump: bool = jump_1(from, to, s);
    jump
}

/// Whether a move of rule `greenStep` is legal.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn green_step_guard(element: Element, from: Location, to: Location, s: &State) -> bool {
    let mut ok: bool = false;
    let mut tried_2: bool = false;
    let mut value_2: bool = false;
    {
        let tried_2_before = tried_2;
        let mut result: bool = false;
        let succeeded = true;
        {
            tried_2 = green_step_matches(element, from, to, s);
            result = tried_2;
        }
        tried_2 = tried_2_before;
        ok = succeeded;
        if succeeded {
            value_2 = result;
        }
    }
    if !value_2 {
        return false;
    }
    true
}

/// Whether a move of rule `greenJump` is legal.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn green_jump_guard(element: Element, from: Location, to: Location, s: &State) -> bool {
    let mut ok: bool = false;
    let mut tried_2: bool = false;
    let mut value_2: bool = false;
    {
        let tried_2_before = tried_2;
        let mut result: bool = false;
        let succeeded = true;
        {
            tried_2 = green_jump_matches(element, from, to, s);
            result = tried_2;
        }
        tried_2 = tried_2_before;
        ok = succeeded;
        if succeeded {
            value_2 = result;
        }
    }
    if !value_2 {
        return false;
    }
    true
}

/// Whether a move of rule `redStep` is legal.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn red_step_guard(element: Element, from: Location, to: Location, s: &State) -> bool {
    let mut ok: bool = false;
    let mut tried_2: bool = false;
    let mut value_2: bool = false;
    {
        let tried_2_before = tried_2;
        let mut result: bool = false;
        let succeeded = true;
        {
            tried_2 = red_step_matches(element, from, to, s);
            result = tried_2;
        }
        tried_2 = tried_2_before;
        ok = succeeded;
        if succeeded {
            value_2 = result;
        }
    }
    if !value_2 {
        return false;
    }
    true
}

/// Whether a move of rule `redJump` is legal.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn red_jump_guard(element: Element, from: Location, to: Location, s: &State) -> bool {
    let mut ok: bool = false;
    let mut tried_2: bool = false;
    let mut value_2: bool = false;
    {
        let tried_2_before = tried_2;
        let mut result: bool = false;
        let succeeded = true;
        {
            tried_2 = red_jump_matches(element, from, to, s);
            result = tried_2;
        }
        tried_2 = tried_2_before;
        ok = succeeded;
        if succeeded {
            value_2 = result;
        }
    }
    if !value_2 {
        return false;
    }
    true
}

/// What a move of rule `greenStep` does.
///
/// Rule: `frogs.s3:148:1`.
#[inline(always)]
fn green_step_play<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    let _ = step_2(from, to);
    s.put_at(from, to, 0, ev, cx);
    after_move(s)?;
    ControlFlow::Continue(())
}

/// What a move of rule `greenJump` does.
///
/// Rule: `frogs.s3:154:1`.
#[inline(always)]
fn green_jump_play<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    let _ = jump_2(from, to, s);
    s.put_at(from, to, 1, ev, cx);
    after_move(s)?;
    ControlFlow::Continue(())
}

/// What a move of rule `redStep` does.
///
/// Rule: `frogs.s3:160:1`.
#[inline(always)]
fn red_step_play<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    let _ = step_1(from, to);
    s.put_at(from, to, 2, ev, cx);
    after_move(s)?;
    ControlFlow::Continue(())
}

/// What a move of rule `redJump` does.
///
/// Rule: `frogs.s3:166:1`.
#[inline(always)]
fn red_jump_play<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    let _ = jump_1(from, to, s);
    s.put_at(from, to, 3, ev, cx);
    after_move(s)?;
    ControlFlow::Continue(())
}

/// The expression `Jump` of the rules.
///
/// Rule: `frogs.s3:132:1`.
#[inline(always)]
fn jump_1(from: Location, to: Location, s: &State) -> bool {
    {
        let s_by_member_1: Location = rt::support::at(&S_BY_MEMBER_1, from as usize);
        s.content_of_at_2((s_by_member_1 as usize) as Location) != NO_ELEMENT
    }
}

/// The expression `Step` of the rules.
///
/// Rule: `frogs.s3:127:1`.
#[inline(always)]
fn step_1(from: Location, to: Location) -> bool {
    true
}

/// The expression `Jump` of the rules.
///
/// Rule: `frogs.s3:132:1`.
#[inline(always)]
fn jump_2(from: Location, to: Location, s: &State) -> bool {
    {
        let s_by_member_2: Location = rt::support::at(&S_BY_MEMBER_2, from as usize);
        s.content_of_at_2((s_by_member_2 as usize) as Location) != NO_ELEMENT
    }
}

/// The expression `Step` of the rules.
///
/// Rule: `frogs.s3:127:1`.
#[inline(always)]
fn step_2(from: Location, to: Location) -> bool {
    true
}

/// The variables that the functions of one evaluation share.
#[derive(Clone, Copy)]
struct Env {
    k: i32,
    l: i32,
    direction: i32,
    middle: i32,
    i: i32,
}

impl Env {
    /// The environment at the start of an evaluation.
    #[inline(always)]
    fn new() -> Env {
        Env {
            k: 0,
            l: 0,
            direction: 0,
            middle: 0,
            i: 0,
        }
    }
}

/// A random game that is to be played.
struct RandomGame<'a, const DISTINCT: bool> {
    s: &'a mut State,
    rng: &'a mut rt::Rng,
    limit: u32,
    out: &'a mut rt::MoveList<Move>,
    playout: &'a mut rt::Playout,
}

impl<const DISTINCT: bool> rt::cpu::Job for RandomGame<'_, DISTINCT> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        random_game::<DISTINCT>(self.s, self.rng, self.limit, self.out, self.playout);
    }
}

/// Plays random moves until the game ends or a limit is reached.
#[inline(always)]
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
        if let Some((mv, count)) = random_move::<DISTINCT>(s, rng, out) {
            let Some(mv) = mv else {
                s.ended = State::NO_MOVE;
                return;
            };
            playout.plies += 1;
            playout.counted += 1;
            playout.moves += count;
            if DISTINCT {
                play_inlined(s, mv, &mut rt::Silent)
            } else {
                play_move(s, mv, &mut rt::Silent)
            };
            continue;
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
    for word in s.at_by_value_0[0].0 {
        words.word(word);
    }
    for word in s.at_by_value_0[1].0 {
        words.word(word);
    }
}

/// The words of the identity `canonical`.
fn identity_canonical<W: rt::support::Words>(s: &State, words: &mut W) {
    let s = &s.named();
    for which in 0..LOCATION_COUNT {
        let holds: bool = rt::support::at(&s.at_contents, which as usize) != NO_ELEMENT;
        if !holds {
            words.word(0);
            continue;
        }
        words.word(1);
        let (value_0, value_0_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: ElementType = rt::support::at(
                &TYPE_OF_ELEMENT,
                rt::support::present(
                    rt::support::at(&s.at_contents, which as usize),
                    NO_ELEMENT,
                    4,
                    cx,
                ) as usize,
            );
            (value, cx.failed())
        };
        let (value_1, value_1_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: i64 = i64::from(
                rt::support::at(
                    &STATE,
                    rt::support::present(
                        rt::support::at(&s.at_contents, which as usize),
                        NO_ELEMENT,
                        4,
                        cx,
                    ) as usize,
                ),
            );
            (value, cx.failed())
        };
        let (value_2, value_2_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: i64 = i64::from(
                rt::support::at(
                    &OWNER,
                    rt::support::present(
                        rt::support::at(&s.at_contents, which as usize),
                        NO_ELEMENT,
                        4,
                        cx,
                    ) as usize,
                ),
            );
            (value, cx.failed())
        };
        let (value_3, value_3_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: i32 = i32::from(
                rt::support::at(
                    &Z,
                    rt::support::present(
                        rt::support::at(&s.at_contents, which as usize),
                        NO_ELEMENT,
                        4,
                        cx,
                    ) as usize,
                ),
            );
            (value, cx.failed())
        };
        words.word(u64::from(!value_0_failed));
        words.word(if value_0_failed { 0 } else { u64::from(value_0) });
        words.word(u64::from(!value_1_failed));
        words.word(if value_1_failed { 0 } else { value_1 as u64 });
        words.word(u64::from(!value_2_failed));
        words.word(if value_2_failed { 0 } else { value_2 as u64 });
        words.word(u64::from(!value_3_failed));
        words.word(if value_3_failed { 0 } else { value_3 as u64 });
    }
    {
        let value_0: Player = { 0 };
        words.word(u64::from(value_0));
    }
    {
        let value_0: i32 = { 0 };
        words.word(value_0 as u64);
    }
}

/// The words of the identity `canonical-noscore`.
fn identity_canonical_noscore<W: rt::support::Words>(s: &State, words: &mut W) {
    let s = &s.named();
    for which in 0..LOCATION_COUNT {
        let holds: bool = rt::support::at(&s.at_contents, which as usize) != NO_ELEMENT;
        if !holds {
            words.word(0);
            continue;
        }
        words.word(1);
        let (value_0, value_0_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: ElementType = rt::support::at(
                &TYPE_OF_ELEMENT,
                rt::support::present(
                    rt::support::at(&s.at_contents, which as usize),
                    NO_ELEMENT,
                    4,
                    cx,
                ) as usize,
            );
            (value, cx.failed())
        };
        let (value_1, value_1_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: i64 = i64::from(
                rt::support::at(
                    &STATE,
                    rt::support::present(
                        rt::support::at(&s.at_contents, which as usize),
                        NO_ELEMENT,
                        4,
                        cx,
                    ) as usize,
                ),
            );
            (value, cx.failed())
        };
        let (value_2, value_2_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: i64 = i64::from(
                rt::support::at(
                    &OWNER,
                    rt::support::present(
                        rt::support::at(&s.at_contents, which as usize),
                        NO_ELEMENT,
                        4,
                        cx,
                    ) as usize,
                ),
            );
            (value, cx.failed())
        };
        let (value_3, value_3_failed) = {
            let cx = &mut rt::Cx::new(4194304, 512);
            let value: i32 = i32::from(
                rt::support::at(
                    &Z,
                    rt::support::present(
                        rt::support::at(&s.at_contents, which as usize),
                        NO_ELEMENT,
                        4,
                        cx,
                    ) as usize,
                ),
            );
            (value, cx.failed())
        };
        words.word(u64::from(!value_0_failed));
        words.word(if value_0_failed { 0 } else { u64::from(value_0) });
        words.word(u64::from(!value_1_failed));
        words.word(if value_1_failed { 0 } else { value_1 as u64 });
        words.word(u64::from(!value_2_failed));
        words.word(if value_2_failed { 0 } else { value_2 as u64 });
        words.word(u64::from(!value_3_failed));
        words.word(if value_3_failed { 0 } else { value_3 as u64 });
    }
    {
        let value_0: Player = { 0 };
        words.word(u64::from(value_0));
    }
}

/// The words of the identity `full-noscore`.
fn identity_full_noscore<W: rt::support::Words>(s: &State, words: &mut W) {
    let s = &s.named();
    for which in 0..ELEMENT_COUNT {
        let holds: bool = true;
        if !holds {
            words.word(0);
            continue;
        }
        words.word(1);
        let value_0: Location = { rt::support::at(&s.at_places, which as usize) };
        let value_1: i64 = { 1 };
        let value_2: i64 = { 1 };
        let value_3: i32 = { 0 };
        words.word(u64::from(value_0));
        words.word(value_1 as u64);
        words.word(value_2 as u64);
        words.word(value_3 as u64);
    }
    {
        let value_0: Player = { 0 };
        words.word(u64::from(value_0));
    }
}

/// The words of the identity `future`.
fn identity_future<W: rt::support::Words>(s: &State, words: &mut W) {
    {
        let all = s.at_by_value_0[0];
        words.word(all.0[0] & 127);
    }
    {
        let all = s.at_by_value_0[1];
        words.word(all.0[0] & 127);
    }
}

/// The fault sites in the texts of states.
static FAULT_TEXTS: &[&str] = &[
    ":0:2757:2824:place-occupied",
    ":0:2826:2893:place-occupied",
    ":0:2895:2961:place-occupied",
    ":0:2963:3029:place-occupied",
    ":0:0:3030:no-value",
];

/// Appends the outcome of a state; what follows from the rest is not told.
fn write_ending(s: &State, out: &mut String) {
    match s.ended {
        State::FAULT | State::AT_START => {
            out.push_str(
                if s.ended == State::FAULT { "fault" } else { "fault-at-start" },
            );
            rt::text::name(out, FAULT_TEXTS, usize::from(s.fault));
        }
        ended => {
            let told = s.outcome().filter(|_| ended < State::NO_MOVE);
            rt::support::write_outcome(told, out);
        }
    }
}

/// Reads what [`write_ending`] writes.
fn read_ending(
    s: &mut State,
    scan: &mut rt::text::Scan<'_>,
) -> Result<(), rt::TextError> {
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
fn write_text(s: &Named, out: &mut String) {
    {
        for (place, index_1) in (0 as Element..6).into_iter().enumerate() {
            rt::text::name(out, &ELEMENT_NAMES, index_1 as usize);
            out.push_str("@");
            {
                let place_of = rt::support::at(&s.at_places, index_1 as usize);
                if place_of == NO_LOCATION {
                    out.push('-');
                } else {
                    rt::text::name(out, &LOCATION_NAMES, place_of as usize);
                }
            }
            out.push_str("/");
            {
                let value = rt::support::at(&STATE_AT_ALL_TIMES, index_1 as usize);
                rt::text::int(out, i64::from(value));
            }
            out.push_str("/");
            {
                let value = rt::support::at(&OWNER_AT_ALL_TIMES, index_1 as usize);
                rt::text::int(out, i64::from(value));
            }
            out.push_str("/");
            {
                let value = rt::support::at(&Z_AT_ALL_TIMES, index_1 as usize);
                rt::text::int(out, i64::from(value));
            }
            out.push_str(";");
        }
    }
    {
        let value = TURN_AT_ALL_TIMES;
        rt::text::int(out, i64::from(value) + 1);
    }
    out.push_str("|");
    write_ending(s, out);
    out.push_str("|[");
    {
        for (place, index_1) in (0 as Player..1).into_iter().enumerate() {
            if place > 0 {
                out.push_str(", ");
            }
            {
                let value = rt::support::at(&SCORE_AT_ALL_TIMES, index_1 as usize);
                rt::text::int(out, i64::from(value));
            }
        }
    }
    out.push_str("]");
}

/// The state of a canonical text; what the text does not tell is as at the start.
fn read_text(text: &str) -> Result<State, rt::TextError> {
    let mut state = Named::new();
    let s = &mut state;
    let mut scan = rt::text::Scan::new(text);
    s.at_places.fill(NO_LOCATION);
    s.at_contents.fill(NO_ELEMENT);
    {
        for (place, index_1) in (0 as Element..6).into_iter().enumerate() {
            scan.lit(ELEMENT_NAMES[index_1 as usize])?;
            scan.lit("@")?;
            {
                let before = scan;
                let place: Location = scan
                    .optional(&LOCATION_NAMES)?
                    .map_or(NO_LOCATION, |member| member as Location);
                if place != NO_LOCATION {
                    let slot = rt::support::at_mut(&mut s.at_contents, place as usize);
                    if *slot != NO_ELEMENT {
                        return Err(
                            before.expected("a place where no other piece stands"),
                        );
                    }
                    *slot = index_1;
                    *rt::support::at_mut(&mut s.at_places, index_1 as usize) = place;
                }
            }
            scan.lit("/")?;
            let _: u8 = scan.int_in(1, 1)? as u8;
            scan.lit("/")?;
            let _: u8 = scan.int_in(0, 1)? as u8;
            scan.lit("/")?;
            let _: i32 = scan.int_in(i64::from(i32::MIN), i64::from(i32::MAX))? as i32;
            scan.lit(";")?;
        }
    }
    let _: Player = (scan.int_in(1, 1)? - 1) as Player;
    scan.lit("|")?;
    read_ending(s, &mut scan)?;
    scan.lit("|[")?;
    {
        for (place, index_1) in (0 as Player..1).into_iter().enumerate() {
            if place > 0 {
                scan.lit(", ")?;
            }
            let _: i32 = scan.int_in(i64::from(i32::MIN), i64::from(i32::MAX))? as i32;
        }
    }
    scan.lit("]")?;
    scan.end()?;
    if s.at_places.iter().take(6).any(|&place| place == NO_LOCATION) {
        return Err(scan.expected("every piece on some place"));
    }
    s.refresh_at();
    let mut written = String::new();
    write_text(s, &mut written);
    rt::TextError::unless_same(text, &written)?;
    settle(s);
    Ok(state.position)
}
