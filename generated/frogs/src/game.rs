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
rt::domain!(Player(u8), PLAYER_COUNT = 1, NO_PLAYER, PLAYER_NAMES = ["gardener"]);
rt::domain!(
    Element(u8), ELEMENT_COUNT = 6, NO_ELEMENT, ELEMENT_NAMES = ["gf(1)", "gf(2)",
    "gf(3)", "rf(1)", "rf(2)", "rf(3)"]
);
rt::domain!(
    Location(u8), LOCATION_COUNT = 7, NO_LOCATION, LOCATION_NAMES = ["s(1)", "s(2)",
    "s(3)", "s(4)", "s(5)", "s(6)", "s(7)"]
);
rt::domain!(ElementType(u8), ELEMENT_TYPE_COUNT = 2, NO_ELEMENT_TYPE, ELEMENT_TYPE_NAMES = ["greenFrog", "redFrog"]);
rt::domain!(LocationType(u8), LOCATION_TYPE_COUNT = 1, NO_LOCATION_TYPE, LOCATION_TYPE_NAMES = ["pad"]);

/// Table `type of Element`.
static TYPE_OF_ELEMENT: [u8; 8] = [0, 0, 0, 1, 1, 1, 0, 0];

/// Table `owner`.
/// Table `state`.
static STATE: [u8; 8] = [1, 1, 1, 1, 1, 1, 0, 0];

/// Table `z`.
static Z: [u8; 8] = [0, 0, 0, 0, 0, 0, 0, 0];

/// The number of each piece's value in the table `type of Element or none`.
static TYPE_OF_ELEMENT_OR_NONE_SLOTS: [u8; 8] = *b"\0\0\0\x01\x01\x01\0\0";

/// What a piece like `gf(1)` is called on each place.
static NAMES_OF_0: [Element; 8] = [0, 1, 2, 0, 0, 0, 0, 0];

/// What a piece like `rf(1)` is called on each place.
static NAMES_OF_3: [Element; 8] = [3, 3, 3, 3, 3, 4, 5, 3];

/// A move of frogs, packed: the family in the lowest bits, above it the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);
impl Move {
    /// The number of the family, or of the draw after all families.
    #[inline(always)]
    pub const fn family(self) -> usize {
        (self.0 & 3) as usize
    }

    /// A move of the family `greenStep` (`frogs.s3:148:1`).
    #[inline(always)]
    pub fn green_step(element: Element, from: Location, to: Location) -> Move {
        Move((element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8)
    }

    /// The arguments of a move of the family `greenStep`.
    #[inline(always)]
    pub fn green_step_args(self) -> (Element, Location, Location) {
        (((self.0 >> 2) & 7) as Element, ((self.0 >> 5) & 7) as Location, ((self.0 >> 8) & 7) as Location)
    }

    /// A move of the family `greenJump` (`frogs.s3:154:1`).
    #[inline(always)]
    pub fn green_jump(element: Element, from: Location, to: Location) -> Move {
        Move(1 | (element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8)
    }

    /// The arguments of a move of the family `greenJump`.
    #[inline(always)]
    pub fn green_jump_args(self) -> (Element, Location, Location) {
        (((self.0 >> 2) & 7) as Element, ((self.0 >> 5) & 7) as Location, ((self.0 >> 8) & 7) as Location)
    }

    /// A move of the family `redStep` (`frogs.s3:160:1`).
    #[inline(always)]
    pub fn red_step(element: Element, from: Location, to: Location) -> Move {
        Move(2 | (element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8)
    }

    /// The arguments of a move of the family `redStep`.
    #[inline(always)]
    pub fn red_step_args(self) -> (Element, Location, Location) {
        (((self.0 >> 2) & 7) as Element, ((self.0 >> 5) & 7) as Location, ((self.0 >> 8) & 7) as Location)
    }

    /// A move of the family `redJump` (`frogs.s3:166:1`).
    #[inline(always)]
    pub fn red_jump(element: Element, from: Location, to: Location) -> Move {
        Move(3 | (element as u32 & 7) << 2 | (from as u32 & 7) << 5 | (to as u32 & 7) << 8)
    }

    /// The arguments of a move of the family `redJump`.
    #[inline(always)]
    pub fn red_jump_args(self) -> (Element, Location, Location) {
        (((self.0 >> 2) & 7) as Element, ((self.0 >> 5) & 7) as Location, ((self.0 >> 8) & 7) as Location)
    }
}

rt::move_texts!(Move, Game);

/// How moves are packed and written: the families, then the draws.
static KINDS: rt::support::MoveKinds = {
    use rt::support::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart};
    const KIND_0: MoveKind = MoveKind {
        text: &[MovePart::Field(0), MovePart::Text(" "), MovePart::Field(1), MovePart::Text(" "), MovePart::Field(2)],
        fields: &[
            MoveField::new(2, 3, 6, true, FieldValues::Names(&ELEMENT_NAMES)),
            MoveField::new(5, 3, 7, false, FieldValues::Names(&LOCATION_NAMES)),
            MoveField::new(8, 3, 7, true, FieldValues::Names(&LOCATION_NAMES)),
        ],
    };
    MoveKinds { tag_bits: 2, kinds: &[KIND_0, KIND_0, KIND_0, KIND_0] }
};

/// Variable `state`, which no rule writes.
static STATE_AT_ALL_TIMES: [u8; 8] = [1; 8];

/// Variable `z`, which no rule writes.
static Z_AT_ALL_TIMES: [i32; 8] = [0; 8];

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
    /// Placement `at`: the places by the `type` of the pieces there: `greenFrog`, then `redFrog`.
    at_by_type: [rt::BitSet<1>; 4],
}

rt::endings!(State);
impl State {
    const GREEN_FROG: usize = 0;
    const RED_FROG: usize = 1;

    /// The values that the rules give at the start.
    fn new() -> State {
        State {
            ended: 0,
            winners: 0,
            fault: 0,
            at_by_type: [rt::BitSet([7]), rt::BitSet([112]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY],
        }
    }

    /// Ends the game.
    #[inline(always)]
    fn end(&mut self, reason: u8, winners: u8) {
        self.ended = reason;
        self.winners = winners;
    }

    /// What stands on a place: the first of the pieces that are like it.
    #[inline(always)]
    fn content_of_at(&self, place: Location) -> Element {
        if self.at_by_type[State::GREEN_FROG].contains(place as usize) {
            0
        } else if self.at_by_type[State::RED_FROG].contains(place as usize) {
            3
        } else {
            NO_ELEMENT
        }
    }

    /// The places with a piece.
    #[inline(always)]
    fn at_taken(&self) -> rt::BitSet<1> {
        self.at_by_type[State::GREEN_FROG] | self.at_by_type[State::RED_FROG]
    }

    /// Moves a piece of which is known: it is `gf(1)`, `gf(3)`, or one of 1 others, stands on `s(1)`, `s(7)`, or one of 5 others, and comes to `s(2)`, `s(7)`, or one of 4 others, which is free.
    #[inline(always)]
    fn bring_at_0<E: rt::Events>(&mut self, from: Location, place: Location, ev: &mut E) {
        let place = place & 7;
        let from = from & 7;
        let piece: Element = 0;
        let (gone, come) = (rt::BitSet::<1>::single(from as usize), rt::BitSet::<1>::single(place as usize));
        let set = &mut self.at_by_type[State::GREEN_FROG];
        *set = (*set - gone) | come;
        if ev.active() {
            ev.event(rt::Event::Moved {
                piece: u32::from(name_at(piece, from)),
                from: u32::from(from),
                to: u32::from(place),
            });
        }
    }

    /// Moves a piece of which is known: it is `rf(1)`, `rf(3)`, or one of 1 others, stands on `s(1)`, `s(7)`, or one of 5 others, and comes to `s(1)`, `s(6)`, or one of 4 others, which is free.
    #[inline(always)]
    fn bring_at_1<E: rt::Events>(&mut self, from: Location, place: Location, ev: &mut E) {
        let place = place & 7;
        let from = from & 7;
        let piece: Element = 3;
        let (gone, come) = (rt::BitSet::<1>::single(from as usize), rt::BitSet::<1>::single(place as usize));
        let set = &mut self.at_by_type[State::RED_FROG];
        *set = (*set - gone) | come;
        if ev.active() {
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

rt::derefs!(Named, position : State);
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
        self.at_by_type.fill(rt::BitSet::<1>::EMPTY);
        for piece in 0..6 {
            let place = rt::support::at(&self.at_places, piece);
            if place != NO_LOCATION {
                let slot = rt::support::at(&TYPE_OF_ELEMENT_OR_NONE_SLOTS, piece as usize) as usize;
                let set = rt::support::at_mut(&mut self.at_by_type, slot);
                set.set(place as usize);
            }
        }
    }
}

impl State {
    /// The position with names for its pieces.
    fn named(&self) -> Named {
        static ROSTER: rt::support::Roster<Element> = rt::support::Roster {
            classes: &[&[0, 1, 2], &[3, 4, 5]],
            home: &HOME,
            none: NO_ELEMENT,
        };
        let mut named = Named::new();
        named.position = self.clone();
        named.at_places.fill(NO_LOCATION);
        named.at_contents.fill(NO_ELEMENT);
        let all = ROSTER.name(
            usize::from(LOCATION_COUNT),
            |place| self.content_of_at(place as Location),
            |place| rt::support::at(&named.at_contents, place) != NO_ELEMENT,
            |piece| rt::support::at(&named.at_places, piece as usize) != NO_LOCATION,
        );
        for (piece, place) in all {
            let place = place as Location;
            *rt::support::at_mut(&mut named.at_places, piece as usize) = place;
            *rt::support::at_mut(&mut named.at_contents, place as usize) = piece;
        }
        named
    }
}

/// Places, pieces and players by name, for programs that use the game as a library.
pub mod names {
    use super::rt;
    rt::members!(Player(super::Player), super::PLAYER_NAMES; GARDENER);
    rt::members!(Element(super::Element), super::ELEMENT_NAMES; GF_1, GF_2, GF_3, RF_1, RF_2, RF_3);
    rt::members!(Location(super::Location), super::LOCATION_NAMES; S_1, S_2, S_3, S_4, S_5, S_6, S_7);
    rt::members!(ElementType(super::ElementType), super::ELEMENT_TYPE_NAMES; GREEN_FROG, RED_FROG);
    rt::members!(LocationType(super::LocationType), super::LOCATION_TYPE_NAMES; PAD);
}

impl State {
    /// What stands on a place, by the placement `at`. Several pieces that are alike may have one name.
    pub fn at(&self, place: names::Location) -> Option<names::Element> {
        names::Element::new({
            let place = place.number() as Location;
            name_at(self.content_of_at(place), place)
        })
    }

    /// All places, and what stands there.
    pub fn board(&self) -> impl Iterator<Item = (names::Location, Option<names::Element>)> + '_ {
        names::Location::all().map(|place| (place, self.at(place)))
    }
}

/// For each member the one that stands for it in the numbers of moves.
static FIRST_ALIKE_0: &[u32] = &[0, 0, 0, 3, 3, 3];

/// Dense numbers of the moves.
static NUMBERS: rt::MoveNumbers = {
    use rt::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
    const ARGS_0: &[NumberedArg] = &[
        NumberedArg::Member(FIRST_ALIKE_0), NumberedArg::Member(&[]), NumberedArg::Member(&[]),
    ];
    MoveNumbers {
        kinds: &[
            NumberedKind::new(0, ARGS_0), NumberedKind::new(1, ARGS_0), NumberedKind::new(2, ARGS_0),
            NumberedKind::new(3, ARGS_0),
        ],
        layers: &[
            NumberLayer::new(&[6, 7, 7], &[(1, 0), (9, 1), (17, 2), (25, 3), (33, 4), (41, 5)], 6),
            NumberLayer::new(&[6, 7, 7], &[(2, 6), (10, 7), (18, 8), (26, 9), (34, 10)], 11),
            NumberLayer::new(&[6, 7, 7], &[(154, 11), (162, 12), (170, 13), (178, 14), (186, 15), (194, 16)], 17),
            NumberLayer::new(&[6, 7, 7], &[(161, 17), (169, 18), (177, 19), (185, 20), (193, 21)], 22),
        ],
        count: 22,
    }
};

/// New numbers under a symmetry.
static RENAMED_2: &[u32] = &[0, 2, 1];

/// New numbers under a symmetry.
static RENAMED_0: &[u32] = &[3, 4, 5, 0, 1, 2];

/// New numbers under a symmetry.
static RENAMED_1: &[u32] = &[6, 5, 4, 3, 2, 1, 0];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_0: &[rt::ArgImage] = &[
    rt::ArgImage::Member(RENAMED_0), rt::ArgImage::Member(RENAMED_1), rt::ArgImage::Member(RENAMED_1),
];

/// Where the rules can fail.
static FAULTS: &[rt::FaultSite] = &[
    rt::FaultSite::new("no-value", "there is no such thing in this position", "frogs.s3:1:1"),
];

/// What is known of the game before it is played.
static INFO: rt::GameInfo = rt::GameInfo {
    name: "frogs",
    language: "s3",
    rules_sha256: "66a752746c10d026a2d83b34601f0c1906fa0ade6fc119ea5d02dd00785bf5d4",
    compiler: "rulec 0.1.0",
    players: &["gardener"],
    families: &[
        rt::MoveFamily::new("greenStep", &["element", "from", "to"], "frogs.s3:148"),
        rt::MoveFamily::new("greenJump", &["element", "from", "to"], "frogs.s3:154"),
        rt::MoveFamily::new("redStep", &["element", "from", "to"], "frogs.s3:160"),
        rt::MoveFamily::new("redJump", &["element", "from", "to"], "frogs.s3:166"),
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
        rt::Alike { text: "3 pieces are alike: gf(1) to gf(3)", pieces: true, members: &[0, 1, 2] },
        rt::Alike { text: "3 pieces are alike: rf(1) to rf(3)", pieces: true, members: &[3, 4, 5] },
    ],
    symmetries: &[rt::Symmetry {
        fixes_start: true,
        players: &[],
        pieces: RENAMED_0,
        places: RENAMED_1,
        moves: &[
            rt::MoveImage::new(2, RENAMED_ARGS_0), rt::MoveImage::new(3, RENAMED_ARGS_0),
            rt::MoveImage::new(0, RENAMED_ARGS_0), rt::MoveImage::new(1, RENAMED_ARGS_0),
        ],
        planes: &[rt::PlaneImage::new(0, RENAMED_1, RENAMED_2)],
    }],
    symmetries_unknown: None,
    sides_apart: None,
    faults: FAULTS,
    episode: None,
    counters: &[],
    meters: &[],
    planes: &[rt::Plane::new("Location: type of Element[get(at[it])]", 7, 0, 2)],
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

/// What becomes of places under each symmetry.
static NEW_PLACES: [rt::support::Renaming<1>; 1] = [rt::support::Renaming::Each(&[6, 5, 4, 3, 2, 1, 0])];

/// The sets that those of the image are made from, under each symmetry.
static SETS_OF_IMAGE: [[usize; 2]; 1] = [[0, 1]];

/// Who acts at the present stop, whether or not the game goes on.
#[inline(always)]
fn acting(s: &State) -> rt::Turn {
    rt::Turn::Decide(1 << (0 & 63))
}

/// The same move with the piece by which others that are alike are called.
fn first_named(mv: Move) -> Move {
    match mv.family() {
        0 => {
            let (element, from, to) = mv.green_step_args();
            let element = name_at(FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()], from);
            Move::green_step(element, from, to)
        }
        1 => {
            let (element, from, to) = mv.green_jump_args();
            let element = name_at(FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()], from);
            Move::green_jump(element, from, to)
        }
        2 => {
            let (element, from, to) = mv.red_step_args();
            let element = name_at(FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()], from);
            Move::red_step(element, from, to)
        }
        3 => {
            let (element, from, to) = mv.red_jump_args();
            let element = name_at(FIRST_OF_CLASS[(element as usize) % FIRST_OF_CLASS.len()], from);
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
    fn scores(&self, s: &State, out: &mut Vec<i64>) {
        out.extend(SCORE_AT_ALL_TIMES.iter().take(1).map(|&score| i64::from(score)));
    }
    fn key(&self, s: &State) -> u64 {
        state_key(s)
    }
    rt::random_games!();
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
                (1, (s.at_by_type[State::GREEN_FROG] & rt::BitSet([127])).0),
                (2, (s.at_by_type[State::RED_FROG] & rt::BitSet([127])).0),
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
        let mut image = from.clone();
        let s = &mut image;
        let sets = [from.at_by_type[State::RED_FROG], from.at_by_type[State::GREEN_FROG]];
        if let (Some(places), Some(of)) = (NEW_PLACES.get(symmetry), SETS_OF_IMAGE.get(symmetry)) {
            let image = |set: usize| {
                places.of(rt::support::at(&sets, rt::support::at(of, set)))
            };
            s.at_by_type[State::GREEN_FROG] = image(0);
            s.at_by_type[State::RED_FROG] = image(1);
        }
        Some(image)
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

/// Where the moves of the family `greenStep` go, step by step (`frogs.s3:148:1`).
#[inline(always)]
fn green_step_steps(s: &State) -> [rt::BitSet<1>; 1] {
    let from = s.at_by_type[State::GREEN_FROG];
    let free = green_step_to_set(s);
    [((from & rt::BitSet([63])) << 1) & free]
}

/// Where the moves of the family `greenJump` go, step by step (`frogs.s3:154:1`).
#[inline(always)]
fn green_jump_steps(s: &State) -> [rt::BitSet<1>; 1] {
    let from = green_jump_from_set(s);
    let free = green_jump_to_set(s);
    [((from & rt::BitSet([31])) << 2) & free]
}

/// Where the moves of the family `redStep` go, step by step (`frogs.s3:160:1`).
#[inline(always)]
fn red_step_steps(s: &State) -> [rt::BitSet<1>; 1] {
    let from = s.at_by_type[State::RED_FROG];
    let free = red_step_to_set(s);
    [((from & rt::BitSet([126])) >> 1) & free]
}

/// Where the moves of the family `redJump` go, step by step (`frogs.s3:166:1`).
#[inline(always)]
fn red_jump_steps(s: &State) -> [rt::BitSet<1>; 1] {
    let from = red_jump_from_set(s);
    let free = red_jump_to_set(s);
    [((from & rt::BitSet([124])) >> 2) & free]
}

/// What `to` can be in a move of `greenStep`, for all else (`frogs.s3:148:1`).
#[inline(always)]
fn green_step_to_set(s: &State) -> rt::BitSet<1> {
    ((rt::BitSet([127]) - s.at_taken())) & rt::BitSet([126])
}

/// What `from` can be in a move of `greenJump`, for all else (`frogs.s3:154:1`).
#[inline(always)]
fn green_jump_from_set(s: &State) -> rt::BitSet<1> {
    ((s.at_by_type[State::GREEN_FROG]
        & {
            let targets = s.at_taken();
            (targets << 6) & rt::BitSet([64]) | (targets >> 1) & rt::BitSet([63])
        }))
}

/// What `to` can be in a move of `greenJump`, for all else (`frogs.s3:154:1`).
#[inline(always)]
fn green_jump_to_set(s: &State) -> rt::BitSet<1> {
    ((rt::BitSet([127]) - s.at_taken())) & rt::BitSet([124])
}

/// What `to` can be in a move of `redStep`, for all else (`frogs.s3:160:1`).
#[inline(always)]
fn red_step_to_set(s: &State) -> rt::BitSet<1> {
    ((rt::BitSet([127]) - s.at_taken())) & rt::BitSet([63])
}

/// What `from` can be in a move of `redJump`, for all else (`frogs.s3:166:1`).
#[inline(always)]
fn red_jump_from_set(s: &State) -> rt::BitSet<1> {
    ((s.at_by_type[State::RED_FROG]
        & {
            let targets = s.at_taken();
            (targets << 1) & rt::BitSet([126]) | targets & rt::BitSet([1])
        }))
}

/// What `to` can be in a move of `redJump`, for all else (`frogs.s3:166:1`).
#[inline(always)]
fn red_jump_to_set(s: &State) -> rt::BitSet<1> {
    ((rt::BitSet([127]) - s.at_taken())) & rt::BitSet([31])
}

/// Appends every legal move, or with `DISTINCT` one of each class. Nothing if a rule fails, or
/// the moves have to be compared to tell their classes.
#[inline]
fn list_products<const DISTINCT: bool>(s: &State, out: &mut rt::MoveList<Move>) -> Option<()> {
    if s.ended != 0 {
        return Some(());
    }
    let steps = green_step_steps(s);
    out.push_members(
        steps[0],
        |to| Move::green_step(
            rt::support::at(&NAMES_OF_0, (to.wrapping_add_signed(-1) as Location) as usize),
            to.wrapping_add_signed(-1) as Location,
            to as Location,
        ),
    );
    let steps = green_jump_steps(s);
    out.push_members(
        steps[0],
        |to| Move::green_jump(
            rt::support::at(&NAMES_OF_0, (to.wrapping_add_signed(-2) as Location) as usize),
            to.wrapping_add_signed(-2) as Location,
            to as Location,
        ),
    );
    let steps = red_step_steps(s);
    out.push_members(
        steps[0],
        |to| Move::red_step(
            rt::support::at(&NAMES_OF_3, (to.wrapping_add_signed(1) as Location) as usize),
            to.wrapping_add_signed(1) as Location,
            to as Location,
        ),
    );
    let steps = red_jump_steps(s);
    out.push_members(
        steps[0],
        |to| Move::red_jump(
            rt::support::at(&NAMES_OF_3, (to.wrapping_add_signed(2) as Location) as usize),
            to.wrapping_add_signed(2) as Location,
            to as Location,
        ),
    );
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
    let steps_0 = green_step_steps(s);
    let count_0: u64 = u64::from(steps_0[0].count());
    let steps_1 = green_jump_steps(s);
    let count_1: u64 = u64::from(steps_1[0].count());
    let steps_2 = red_step_steps(s);
    let count_2: u64 = u64::from(steps_2[0].count());
    let steps_3 = red_jump_steps(s);
    let count_3: u64 = u64::from(steps_3[0].count());
    let total: u64 = count_0 + count_1 + count_2 + count_3;
    let draw = rng.draw(total);
    let mut pick = draw.number();
    if total == 0 {
        return Some((None, 0));
    }
    let together = count_0 + count_1;
    if pick < together {
        let (mut seen, mut set, mut below, mut back): (u64, _, u64, isize) = (0, steps_0[0], 0, -1);
        seen += u64::from(steps_0[0].count());
        if seen <= pick {
            (set, below, back) = (steps_1[0], seen, -2);
        }
        let to = set.select((pick - below) as u32);
        let from = to.wrapping_add_signed(back);
        return Some((
            Some(Move::green_step(
                rt::support::at(&NAMES_OF_0, (from as Location) as usize),
                from as Location,
                to as Location,
            )),
            total,
        ));
    }
    pick -= together;
    let together = count_2 + count_3;
    if pick < together {
        let (mut seen, mut set, mut below, mut back): (u64, _, u64, isize) = (0, steps_2[0], 0, 1);
        seen += u64::from(steps_2[0].count());
        if seen <= pick {
            (set, below, back) = (steps_3[0], seen, 2);
        }
        let to = set.select((pick - below) as u32);
        let from = to.wrapping_add_signed(back);
        return Some((
            Some(Move::red_step(
                rt::support::at(&NAMES_OF_3, (from as Location) as usize),
                from as Location,
                to as Location,
            )),
            total,
        ));
    }
    pick -= together;
    Some((None, total))
}

/// Whether some move is legal.
fn any_move(s: &State) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    if green_step_steps(s).iter().any(|to| !to.is_empty()) || green_jump_steps(s).iter().any(|to| !to.is_empty())
        || red_step_steps(s).iter().any(|to| !to.is_empty())
        || red_jump_steps(s).iter().any(|to| !to.is_empty())
    {
        return Ok(true);
    }
    Ok(false)
}

/// Appends every legal move.
#[inline]
fn list_moves(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    list_products::<false>(s, out);
    Ok(())
}

/// Appends one legal move of every class of interchangeable ones.
#[inline]
fn list_distinct(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    list_products::<true>(s, out);
    Ok(())
}

/// What happens before the first stop.
#[inline(always)]
fn run_start<E: rt::Events>(s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
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

/// Plays a move of the family `greenJump` (`frogs.s3:154:1`).
/// Plays a move of the family `greenStep` (`frogs.s3:148:1`).
#[inline(always)]
fn play_green_step<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    s.bring_at_0(from, to, ev);
    after_move(s)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// Plays a move of the family `redJump` (`frogs.s3:166:1`).
/// Plays a move of the family `redStep` (`frogs.s3:160:1`).
#[inline(always)]
fn play_red_step<E: rt::Events>(
    element: Element,
    from: Location,
    to: Location,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    s.bring_at_1(from, to, ev);
    after_move(s)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// As [`play_inlined`], for positions in which the game may be over.
#[inline(never)]
fn play_move<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E) -> bool {
    if s.ended != 0 {
        return false;
    }
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
            play_green_step(element, from, to, s, ev, cx)
        }
        2 => {
            let (element, from, to) = mv.red_step_args();
            play_red_step(element, from, to, s, ev, cx)
        }
        3 => {
            let (element, from, to) = mv.red_jump_args();
            play_red_step(element, from, to, s, ev, cx)
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

/// The expression `SidesChanged` of the rules (`frogs.s3:138:1`).
#[inline(always)]
fn sides_changed(s: &State) -> bool {
    rt::BitSet([7]).is_subset(&s.at_by_type[State::RED_FROG])
        && rt::BitSet([112]).is_subset(&s.at_by_type[State::GREEN_FROG])
}

/// What follows every move: scorings, then ends of the game.
#[inline(always)]
fn after_move(s: &mut State) -> rt::support::Flow {
    let sides_changed_2: bool = sides_changed(s);
    if sides_changed_2 {
        s.end(State::WIN, 1);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Continue(())
}

impl rt::support::RandomGames for Game {
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
            let Some((mv, count)) = random_move::<DISTINCT>(s, rng, out) else { return };
            let Some(mv) = mv else {
                s.ended = State::NO_MOVE;
                return;
            };
            playout.plies += 1;
            playout.counted += 1;
            playout.moves += count;
            play_inlined(s, mv, &mut rt::Silent);
        }
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
    for word in s.at_by_type[State::GREEN_FROG].0 {
        words.word(word);
    }
    for word in s.at_by_type[State::RED_FROG].0 {
        words.word(word);
    }
}

/// The words of the identity `canonical`.
fn identity_canonical<W: rt::support::Words>(s: &State, words: &mut W) {
    identity_canonical_noscore(s, words);
    words.word(0);
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
        words.optional(rt::Cx::new(4194304, 512).tried(|cx| {
            let value: ElementType = rt::support::at(
                &TYPE_OF_ELEMENT,
                rt::support::present(rt::support::at(&s.at_contents, which as usize), NO_ELEMENT, 0, cx) as usize,
            );
            u64::from(value)
        }));
        words.optional(rt::Cx::new(4194304, 512).tried(|cx| {
            let value: i64 = i64::from(rt::support::at(
                &STATE,
                rt::support::present(rt::support::at(&s.at_contents, which as usize), NO_ELEMENT, 0, cx) as usize,
            ));
            value as u64
        }));
        words.optional(rt::Cx::new(4194304, 512).tried(|cx| {
            let value: i64 = i64::from(rt::support::at(
                &STATE,
                rt::support::present(rt::support::at(&s.at_contents, which as usize), NO_ELEMENT, 0, cx) as usize,
            ));
            value as u64
        }));
        words.optional(rt::Cx::new(4194304, 512).tried(|cx| {
            let value: i32 = i32::from(rt::support::at(
                &Z,
                rt::support::present(rt::support::at(&s.at_contents, which as usize), NO_ELEMENT, 0, cx) as usize,
            ));
            value as u64
        }));
    }
    words.word(0);
}

/// The words of the identity `full-noscore`.
fn identity_full_noscore<W: rt::support::Words>(s: &State, words: &mut W) {
    let s = &s.named();
    for which in 0..ELEMENT_COUNT {
        words.word(1);
        {
            let value_0: Location = rt::support::at(&s.at_places, which as usize);
            words.word(u64::from(value_0));
        }
        words.word(1);
        words.word(1);
        words.word(0);
    }
    words.word(0);
}

/// The words of the identity `future`.
fn identity_future<W: rt::support::Words>(s: &State, words: &mut W) {
    {
        let all = s.at_by_type[State::GREEN_FROG];
        words.word(all.0[0] & 127);
    }
    {
        let all = s.at_by_type[State::RED_FROG];
        words.word(all.0[0] & 127);
    }
}

/// The fault sites in the texts of states.
static FAULT_TEXTS: &[&str] = &[":0:0:3030:no-value"];

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
fn write_text(s: &Named, out: &mut String) {
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
        out.push_str("/1/1/0;");
    }
    out.push_str("1|");
    write_ending(s, out);
    out.push_str("|[0]");
}

/// The state of a canonical text; what the text does not tell is as at the start.
fn read_text(text: &str) -> Result<State, rt::TextError> {
    let mut state = Named::new();
    let s = &mut state;
    let mut scan = rt::text::Scan::new(text);
    s.at_places.fill(NO_LOCATION);
    s.at_contents.fill(NO_ELEMENT);
    for (place, index_1) in (0 as Element..6).into_iter().enumerate() {
        scan.lit(ELEMENT_NAMES[index_1 as usize])?;
        scan.lit("@")?;
        {
            let before = scan;
            let place: Location = scan.optional(&LOCATION_NAMES)?.map_or(NO_LOCATION, |member| member as Location);
            if place != NO_LOCATION {
                let slot = rt::support::at_mut(&mut s.at_contents, place as usize);
                if *slot != NO_ELEMENT {
                    return Err(before.expected("a place where no other piece stands"));
                }
                *slot = index_1;
                *rt::support::at_mut(&mut s.at_places, index_1 as usize) = place;
            }
        }
        scan.lit("/1/1/0;")?;
    }
    scan.lit("1|")?;
    read_ending(s, &mut scan)?;
    scan.lit("|[0]")?;
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
