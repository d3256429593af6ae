//! crossroads, compiled from its rules (bbgel) by rulec 0.1.0.
//!
//! Generated: change the rules and compile them again instead of editing this file.
//!
//! - `crossroads.bbgel`, SHA-256 `c20cbc96fb4939102da718b919c53ce00f7d2ab248c759d21d990124108a766d`

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
rt::domain!(Player(u8), PLAYER_COUNT = 2, NO_PLAYER, PLAYER_NAMES = ["player 1", "player 2"]);
rt::domain!(Field(u8), FIELD_COUNT = 8, NO_FIELD, FIELD_NAMES = ["1", "2", "3", "4", "5", "7", "6", "8"]);
rt::domain!(
    Line(u8), LINE_COUNT = 13, NO_LINE, LINE_NAMES =
    ["field 1, line 1: (control-goto 2)", "field 1, line 1: (game_start)",
    "field 2, line 1: (control-if (choose_bool) 3 4)",
    "field 3, line 1: (control-goto 6)", "field 3, line 1: (force)",
    "field 3, line 2: (if (== (roll 6) 1) ...)", "field 3, line 3: (sleep cp 2)",
    "field 4, line 1: (control-goto 5)", "field 5, line 1: (control-goto 7)",
    "field 7, line 1: (control-goto 6)", "field 6, line 1: (control-goto 8)",
    "field 8, line 1: (force)", "field 8, line 2: (game_end)"]
);

/// Table `next player`.
static NEXT_PLAYER: [u8; 2] = [1, 0];

/// Table `run`.
static RUN: [u8; 8] = [1, 0, 2, 2, 2, 2, 1, 0];

/// Table `walk`.
static WALK: [u8; 32] = [
    0, 1, 1, 1, 1, 1, 2, 6, 7, 3, 4, 5, 4, 5, 6, 5, 6, 7, 6, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0,
];

/// Table `passed`.
static PASSED: [u32; 25] = [0, 0, 1, 2, 2, 2, 2, 2, 3, 5, 5, 6, 8, 8, 9, 11, 11, 12, 14, 14, 15, 16, 16, 16, 16];
static PASSED_ITEMS: [Field; 16] = [1, 1, 6, 6, 7, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7];

/// Table `forced`.
static FORCED: [u8; 8] = [0, 0, 1, 0, 0, 0, 0, 2];

/// Table `leaving`.
static LEAVING: [u8; 8] = [0, 1, 0, 0, 0, 0, 0, 2];

/// A move of crossroads, packed: the family in the lowest bits, above it the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);
impl Move {
    /// The number of the family, or of the draw after all families.
    #[inline(always)]
    pub const fn family(self) -> usize {
        (self.0 & 3) as usize
    }

    /// A move of the family `no` (`crossroads.bbgel:13:16`).
    #[inline(always)]
    pub fn no() -> Move {
        Move(0)
    }

    /// The arguments of a move of the family `no`.
    #[inline(always)]
    pub fn no_args(self) -> () {
        ()
    }

    /// A move of the family `yes` (`crossroads.bbgel:13:16`).
    #[inline(always)]
    pub fn yes() -> Move {
        Move(1)
    }

    /// The arguments of a move of the family `yes`.
    #[inline(always)]
    pub fn yes_args(self) -> () {
        ()
    }

    /// A result of the draw `roll`.
    #[inline(always)]
    pub fn roll(value: i64) -> Move {
        Move(2 | (i64::wrapping_sub(value, 1) as u32) << 2)
    }

    /// What was drawn in a result of the draw `roll`.
    #[inline(always)]
    pub fn roll_value(self) -> i64 {
        i64::wrapping_add(((self.0 >> 2) & 1) as i64, 1)
    }

    /// A result of the draw `roll 6` (`crossroads.bbgel:16:5`).
    #[inline(always)]
    pub fn roll_6(value: i64) -> Move {
        Move(3 | (i64::wrapping_sub(value, 1) as u32) << 2)
    }

    /// What was drawn in a result of the draw `roll 6`.
    #[inline(always)]
    pub fn roll_6_value(self) -> i64 {
        i64::wrapping_add(((self.0 >> 2) & 7) as i64, 1)
    }
}

rt::move_texts!(Move, Game);

/// How moves are packed and written: the families, then the draws.
static KINDS: rt::support::MoveKinds = {
    use rt::support::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart};
    MoveKinds {
        tag_bits: 2,
        kinds: &[
            MoveKind { text: &[MovePart::Text("no")], fields: &[] },
            MoveKind { text: &[MovePart::Text("yes")], fields: &[] },
            MoveKind {
                text: &[MovePart::Text("roll "), MovePart::Field(0)],
                fields: &[MoveField::new(2, 1, 2, true, FieldValues::Ints(1))],
            },
            MoveKind {
                text: &[MovePart::Text("roll "), MovePart::Field(0)],
                fields: &[MoveField::new(2, 3, 6, true, FieldValues::Ints(1))],
            },
        ],
    }
};

/// A position of crossroads: plain data, complete.
#[derive(Clone, Debug, Copy)]
pub struct State {
    /// Why the game ended: 0 while it goes on, then a constant of this type.
    ended: u8,
    /// The players who won, a bit each.
    winners: u8,
    /// The site of the fault that ended the game.
    fault: u16,
    /// The point where play stopped.
    point: u8,
    /// Variable `turn`.
    turn: Player,
    /// Variable `asleep`.
    asleep: [i64; 2],
    /// Variable `time`.
    time: i64,
    /// Variable `steps`.
    steps: i64,
    /// Variable `turns`.
    turns: i64,
    /// Variable `began`.
    began: i64,
    /// Variable `left`.
    left: i64,
    /// Variable `here`.
    here: Field,
    /// Placement `at`: the place of each piece.
    at_places: [Field; 2],
    /// Placement `at`: the pieces on each place.
    at_contents: [rt::BitSet<1>; 8],
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let words = |s: &State| {
            let mut words = rt::support::Wide::<24>::new();
            identity_head(s, &mut words);
            identity_full(s, &mut words);
            words
        };
        words(self) == words(other)
    }
}

impl Eq for State {}
impl ::core::hash::Hash for State {
    fn hash<H: ::core::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(state_key(self));
    }
}

rt::endings!(State);
impl State {
    /// The values that the rules give at the start.
    fn new() -> State {
        State {
            ended: 0,
            winners: 0,
            fault: 0,
            point: 0,
            turn: 0,
            asleep: [0; 2],
            time: 0,
            steps: 0,
            turns: 0,
            began: 0,
            left: 0,
            here: 0,
            at_places: [NO_FIELD; 2],
            at_contents: [rt::BitSet::<1>::EMPTY; 8],
        }
    }

    /// Ends the game.
    #[inline(always)]
    fn end(&mut self, reason: u8, winners: u8) {
        self.ended = reason;
        self.winners = winners;
        self.point = 0;
        self.left = 0;
        self.here = 0;
    }

    /// Moves a piece to a place.
    #[inline(always)]
    fn put_at<E: rt::Events>(&mut self, piece: Player, place: Field, ev: &mut E) {
        let from = rt::support::at(&self.at_places, piece as usize);
        if from != NO_FIELD {
            rt::support::at_mut(&mut self.at_contents, from as usize).clear(piece as usize);
        }
        rt::support::at_mut(&mut self.at_contents, place as usize).set(piece as usize);
        *rt::support::at_mut(&mut self.at_places, piece as usize) = place;
        if ev.active() && from != place {
            ev.event(match from {
                NO_FIELD => {
                    rt::Event::Placed { piece: u32::from(piece), at: u32::from(place) }
                }
                _ => {
                    rt::Event::Moved { piece: u32::from(piece), from: u32::from(from), to: u32::from(place) }
                }
            });
        }
    }
}

/// Places, pieces and players by name, for programs that use the game as a library.
pub mod names {
    use super::rt;
    rt::members!(Player(super::Player), super::PLAYER_NAMES; PLAYER_1, PLAYER_2);
    rt::members!(Field(super::Field), super::FIELD_NAMES; N1, N2, N3, N4, N5, N7, N6, N8);
    rt::members!(
        Line(super::Line), super::LINE_NAMES; FIELD_1_LINE_1_CONTROL_GOTO_2,
        FIELD_1_LINE_1_GAME_START, FIELD_2_LINE_1_CONTROL_IF_CHOOSE_BOOL_3_4,
        FIELD_3_LINE_1_CONTROL_GOTO_6, FIELD_3_LINE_1_FORCE, FIELD_3_LINE_2_IF_ROLL_6_1,
        FIELD_3_LINE_3_SLEEP_CP_2, FIELD_4_LINE_1_CONTROL_GOTO_5,
        FIELD_5_LINE_1_CONTROL_GOTO_7, FIELD_7_LINE_1_CONTROL_GOTO_6,
        FIELD_6_LINE_1_CONTROL_GOTO_8, FIELD_8_LINE_1_FORCE, FIELD_8_LINE_2_GAME_END
    );
}

impl State {
    /// What stands on a place, by the placement `at`.
    pub fn at(&self, place: names::Field) -> impl Iterator<Item = names::Player> {
        let all = rt::support::at(&self.at_contents, place.number() as usize);
        names::Player::all().filter(move |piece| all.contains(piece.number() as usize))
    }
}

/// Dense numbers of the moves.
static NUMBERS: rt::MoveNumbers = {
    use rt::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
    const ARGS_0: &[NumberedArg] = &[];
    const ARGS_2: &[NumberedArg] = &[NumberedArg::Int(1)];
    MoveNumbers {
        kinds: &[
            NumberedKind::new(0, ARGS_0), NumberedKind::new(1, ARGS_0), NumberedKind::new(2, ARGS_2),
            NumberedKind::new(3, ARGS_2),
        ],
        layers: &[
            NumberLayer::new(&[], &[(0, 0)], 1), NumberLayer::new(&[], &[(0, 1)], 2),
            NumberLayer::new(&[2], &[(0, 2)], 4), NumberLayer::new(&[6], &[(0, 4)], 10),
        ],
        count: 10,
    }
};

/// New numbers under a symmetry.
static RENAMED_0: &[u32] = &[0, 2, 1];

/// New numbers under a symmetry.
static RENAMED_1: &[u32] = &[1, 0];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_0: &[rt::ArgImage] = &[rt::ArgImage::Same];

/// Where the rules can fail.
static FAULTS: &[rt::FaultSite] = &[rt::FaultSite::new("work-limit", "the rule takes too many steps", "crossroads.bbgel:1:1"), rt::FaultSite::new("no-value", "there is no such thing in this position", "crossroads.bbgel:1:1"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 1, line 1)", "crossroads.bbgel:10:20"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 2, line 1)", "crossroads.bbgel:13:5"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 3, line 1)", "crossroads.bbgel:14:21"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 4, line 1)", "crossroads.bbgel:19:19"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 5, line 1)", "crossroads.bbgel:20:12"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 7, line 1)", "crossroads.bbgel:21:12"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 6, line 1)", "crossroads.bbgel:22:12"), rt::FaultSite::new("rule", "max_steps: the walk of this turn goes on and on, probably for ever (field 8, line 1)", "crossroads.bbgel:23:7"), rt::FaultSite::new("out-of-range", "the value is outside the range of the variable", "crossroads.bbgel:1:1"), rt::FaultSite::new("overflow", "the result does not fit into 64 bits", "crossroads.bbgel:1:1"), rt::FaultSite::new("rule", "no_control_statement: the field does not say where to go (field 8, line 1)", "crossroads.bbgel:23:7"), rt::FaultSite::new("out-of-range", "the value is outside the range of the variable", "crossroads.bbgel:23:7"), rt::FaultSite::new("overflow", "the result does not fit into 64 bits", "crossroads.bbgel:16:5"), rt::FaultSite::new("overflow", "the result does not fit into 64 bits", "crossroads.bbgel:17:9"), rt::FaultSite::new("out-of-range", "the value is outside the range of the variable", "crossroads.bbgel:17:9"), rt::FaultSite::new("overflow", "the result does not fit into 64 bits", "crossroads.bbgel:13:5"), rt::FaultSite::new("no-value", "there is no such thing in this position", "crossroads.bbgel:16:8")];

/// What is known of the game before it is played.
static INFO: rt::GameInfo = rt::GameInfo {
    name: "crossroads",
    language: "bbgel",
    rules_sha256: "c20cbc96fb4939102da718b919c53ce00f7d2ab248c759d21d990124108a766d",
    compiler: "rulec 0.1.0",
    players: &["player 1", "player 2"],
    families: &[
        rt::MoveFamily::new("no", &[], "crossroads.bbgel:13"),
        rt::MoveFamily::new("yes", &[], "crossroads.bbgel:13"),
        rt::MoveFamily::new("roll", &["value"], "crossroads.bbgel:1"),
        rt::MoveFamily::new("roll 6", &["value"], "crossroads.bbgel:16"),
    ],
    move_count: 10,
    numbers: &NUMBERS,
    pieces: &PLAYER_NAMES,
    places: &FIELD_NAMES,
    identities: &["full"],
    future: 0,
    timeless: None,
    exact_equality: true,
    exact_classes: true,
    alike: &[],
    symmetries: &[rt::Symmetry {
        fixes_start: false,
        players: RENAMED_1,
        pieces: RENAMED_1,
        places: &[],
        moves: &[
            rt::MoveImage::new(0, &[]), rt::MoveImage::new(1, &[]), rt::MoveImage::new(2, RENAMED_ARGS_0),
            rt::MoveImage::new(3, RENAMED_ARGS_0),
        ],
        planes: &[
            rt::PlaneImage::new(0, &[], RENAMED_0), rt::PlaneImage::new(1, RENAMED_1, &[]),
            rt::PlaneImage::new(2, RENAMED_1, &[]),
        ],
    }],
    symmetries_unknown: None,
    sides_apart: None,
    faults: FAULTS,
    episode: None,
    counters: &[
        rt::Counter { name: "visits", members: &["1", "2", "3", "4", "5", "7", "6", "8"] },
        rt::Counter { name: "landings", members: &["1", "2", "3", "4", "5", "7", "6", "8"] },
        rt::Counter { name: "forced", members: &["1", "2", "3", "4", "5", "7", "6", "8"] },
        rt::Counter { name: "jumps", members: &["1", "2", "3", "4", "5", "7", "6", "8"] },
        rt::Counter { name: "backward", members: &["1", "2", "3", "4", "5", "7", "6", "8"] },
        rt::Counter {
            name: "lines",
            members: &[
                "field 1, line 1: (control-goto 2)",
                "field 1, line 1: (game_start)",
                "field 2, line 1: (control-if (choose_bool) 3 4)",
                "field 3, line 1: (control-goto 6)",
                "field 3, line 1: (force)",
                "field 3, line 2: (if (== (roll 6) 1) ...)",
                "field 3, line 3: (sleep cp 2)",
                "field 4, line 1: (control-goto 5)",
                "field 5, line 1: (control-goto 7)",
                "field 7, line 1: (control-goto 6)",
                "field 6, line 1: (control-goto 8)",
                "field 8, line 1: (force)",
                "field 8, line 2: (game_end)",
            ],
        },
        rt::Counter { name: "turns", members: &["player 1", "player 2"] },
        rt::Counter { name: "suspended", members: &["player 1", "player 2"] },
        rt::Counter { name: "rollbacks", members: &[""] },
    ],
    meters: &[
        rt::Meter { name: "time", unit: "s", per: 2 },
        rt::Meter { name: "rounds", unit: "", per: 2 },
        rt::Meter { name: "turns", unit: "", per: 1 },
        rt::Meter { name: "steps", unit: "", per: 1 },
    ],
    planes: &[
        rt::Plane::new("turn", 1, 1, 2),
        rt::Plane::new("asleep", 2, 0, 9223372036854775807),
        rt::Plane::new("at", 2, 0, 8),
    ],
    has_chance: true,
    has_scores: false,
    several_at_once: false,
    state_bytes: ::core::mem::size_of::<State>(),
};

/// The game crossroads: a value without parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Game;

/// A key of a state: equal states have equal keys.
fn state_key(s: &State) -> u64 {
    let mut words = rt::KeyHasher::new();
    identity_head(s, &mut words);
    identity_full(s, &mut words);
    words.value()
}

/// The cells from which `asleep` is taken under each symmetry.
/// The new numbers of members of `Player` under each symmetry.
static NEW_MEMBERS_0: &[&[u32]] = &[&[1, 0]];

/// The new number of a member.
#[inline(always)]
fn new_member(lists: &[&[u32]], symmetry: usize, member: usize) -> usize {
    let list = lists.get(symmetry).copied().unwrap_or_default();
    list.get(member).map_or(member, |new| *new as usize)
}

/// Who acts at the present stop, whether or not the game goes on.
#[inline(always)]
fn acting(s: &State) -> rt::Turn {
    match s.point {
        0 => rt::Turn::Chance,
        1 => rt::Turn::Chance,
        2 => rt::Turn::Decide(1 << (s.turn & 63)),
        _ => rt::Turn::Over,
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
    fn chance_outcomes(&self, s: &State, out: &mut rt::ChanceList<Move>) {
        list_results(s, out);
    }

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

impl rt::OpenPlay for Game {}
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
    const COUNTS: bool = true;
    fn observe(&self, s: &State, out: &mut impl rt::Observer) {
        out.value(s.turn as i64 + 1);
        out.run(s.asleep.iter().take(2).map(|&item| item as i64));
        for item in s.at_places.iter().take(2).copied() {
            out.value(if item == NO_FIELD { 0 } else { item as i64 + 1 });
        }
    }
    fn meters(&self, s: &State, out: &mut Vec<i64>) {
        out.extend([i64::from(s.time), i64::from(s.turns), i64::from(s.turns), i64::from(s.steps)]);
    }
    fn appearance(&self, s: &State, out: &mut Vec<i64>) {
        for value in s.at_places.iter().take(2).copied() {
            out.push(if value == NO_FIELD { -1 } else { i64::from(value) });
        }
        {
            let value = s.turn;
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
            _ => {}
        }
    }
    fn image(&self, from: &State, symmetry: usize) -> Option<State> {
        if symmetry >= 1 {
            return None;
        }
        let mut image = from.clone();
        let s = &mut image;
        s.winners = rt::bits::bits64(u64::from(from.winners)).fold(0u64, |set, player| {
            set | 1 << (new_member(NEW_MEMBERS_0, symmetry, player) & 63)
        }) as _;
        s.turn = new_member(NEW_MEMBERS_0, symmetry, usize::from(from.turn)) as _;
        for (cell, slot) in s.asleep.iter_mut().take(2).enumerate() {
            if let Some(&old) = from.asleep.get(new_member(NEW_MEMBERS_0, symmetry, cell)) {
                *slot = old;
            }
        }
        for (key, &value) in from.at_places.iter().take(2).enumerate() {
            if let Some(slot) = s.at_places.get_mut(new_member(NEW_MEMBERS_0, symmetry, key)) {
                *slot = usize::from(value) as _;
            }
        }
        for (key, set) in from.at_contents.iter().take(8).enumerate() {
            if let Some(slot) = s.at_contents.get_mut(key) {
                *slot = Default::default();
                for member in set.iter() {
                    slot.set(new_member(NEW_MEMBERS_0, symmetry, member));
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
}

impl rt::Hosted for Game {}
impl rt::Explain for Game {}

/// Calls `visit` with the legal moves of the family `no` until it says stop (`crossroads.bbgel:13:16`).
#[inline]
fn no_moves(s: &State, visit: &mut impl FnMut(Move) -> bool) -> Result<bool, rt::Fault> {
    if visit(Move::no()) {
        return Ok(true);
    }
    Ok(false)
}

/// Calls `visit` with the legal moves of the family `yes` until it says stop (`crossroads.bbgel:13:16`).
#[inline]
fn yes_moves(s: &State, visit: &mut impl FnMut(Move) -> bool) -> Result<bool, rt::Fault> {
    if visit(Move::yes()) {
        return Ok(true);
    }
    Ok(false)
}

/// Calls `visit` with every legal move until it says stop, and tells whether it did.
#[inline]
fn visit_moves(s: &State, visit: &mut impl FnMut(Move) -> bool) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    match s.point {
        2 => {
            if no_moves(s, visit)? {
                return Ok(true);
            }
            if yes_moves(s, visit)? {
                return Ok(true);
            }
        }
        _ => {}
    }
    Ok(false)
}

/// Whether some move is legal.
fn any_move(s: &State) -> Result<bool, rt::Fault> {
    let mut found = false;
    visit_moves(s, &mut |_| {
        found = true;
        true
    })?;
    Ok(found)
}

/// Appends every legal move.
#[inline]
fn list_moves(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    visit_moves(s, &mut |mv| {
        out.push(mv);
        false
    })?;
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
    let mut left: i64 = 0;
    left = 0;
    s.turn = 0;
    let mut rounds_3: i64 = 0;
    for round_2 in 0i64..=9223372036854775807i64 {
        rounds_3 = rt::support::within(rounds_3 + 1, 0, 4194305, 10, cx);
        if rounds_3 > 4194304 {
            {
                let mut rounds = 0u32;
                loop {
                    if rounds == 0 {
                        cx.fail(0);
                        break;
                    }
                    rounds += 1;
                    if !cx.spend(0) {
                        break;
                    }
                }
            }
            return ControlFlow::Continue(());
        }
        if s.steps >= 1000 {
            s.left = 0;
            s.here = 0;
            s.end(State::LIMIT, 0);
            return ControlFlow::Break(rt::support::Halt::Done);
        }
        s.turns = rt::support::within(s.turns + 1, 0, 1099511627776, 10, cx);
        if rt::support::at(&s.asleep, s.turn as usize) > 0 {
            if ev.counting() {
                ev.count(7, s.turn as u32);
            }
            {
                let at = s.turn as usize;
                let value = i64::max(rt::support::at(&s.asleep, s.turn as usize), 1) - 1;
                if ev.active() && i64::from(rt::support::at(&s.asleep, at)) != i64::from(value) {
                    ev.event(rt::Event::StateChanged { piece: at as u32, property: "asleep", value: i64::from(value) });
                }
                *rt::support::at_mut(&mut s.asleep, at) = value;
            }
            s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
            s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
            s.time = rt::support::add(s.time, 2, 11, cx);
            continue;
        } else {
            break;
        }
    }
    if ev.counting() {
        ev.count(6, s.turn as u32);
    }
    s.point = 0;
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

/// Goes on after the draw `roll`.
#[inline]
fn drawn_0<E: rt::Events>(rolled: i64, s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    let mut here: Field = 0;
    let mut rounds_3: i64 = 0;
    let mut left: i64 = rolled;
    s.time = rt::support::add(s.time, 4, 11, cx);
    s.began = s.steps;
    let mut rounds_2: i64 = 0;
    for round_4 in 0i64..=9223372036854775807i64 {
        rounds_2 = rt::support::within(rounds_2 + 1, 0, 4194305, 10, cx);
        let left_2: bool = step_2_part(rounds_2, s, cx)?;
        if left_2 {
            return ControlFlow::Continue(());
        }
        if rt::support::at(&s.at_places, s.turn as usize) != NO_FIELD {
            here = rt::support::present(rt::support::at(&s.at_places, s.turn as usize), NO_FIELD, 1, cx);
            let run: i64 = i64::max(
                i64::min(i64::min(i64::from(rt::support::at(&RUN, here as usize)), left), 1000 - s.steps),
                0,
            );
            if run > 0 {
                if ev.counting() {
                    for item in ({
                        let row = here as usize * 3 + run as usize;
                        let (start, end) = (rt::support::at(&PASSED, row), rt::support::at(&PASSED, row + 1));
                        <rt::support::Seq<
                            Field,
                            2,
                        >>::of(PASSED_ITEMS.get(start as usize..end as usize).unwrap_or(&[]))
                    }).iter() {
                        ev.count(0, item as u32);
                    }
                }
                here = rt::support::at(&WALK, here as usize * 3 + run as usize);
                s.put_at(s.turn, here, ev);
                left = rt::support::within(left - run, -1099511627776, 1099511627776, 10, cx);
                s.time = rt::support::add(run * 3, s.time, 11, cx);
                s.steps = rt::support::within(i64::max(run, 1) - 1 + s.steps, 0, 1099511627776, 10, cx);
            } else {
                let act: i64 = i64::from(rt::support::at(&LEAVING, here as usize));
                if act > 0 {
                    if act < 2 {
                        s.left = left;
                        s.point = 2;
                        return ControlFlow::Break(rt::support::Halt::Done);
                    } else {
                        cx.fail(12);
                        return ControlFlow::Continue(());
                    }
                } else {
                    s.put_at(s.turn, here, ev);
                    left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
                    if ev.counting() {
                        ev.count(0, here as u32);
                    }
                }
            }
        } else {
            here = 0;
            s.put_at(s.turn, here, ev);
            left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
            if ev.counting() {
                ev.count(0, here as u32);
            }
        }
        {
            let value_0: i64 = left;
            if ev.active() {
                ev.event(rt::Event::Named { name: "left", values: Vec::from([value_0]) });
            }
        }
        let mut ran: bool = false;
        let act_2: i64 = i64::from(rt::support::at(&FORCED, here as usize));
        if act_2 > 0 {
            if act_2 < 2 {
                if ev.counting() {
                    ev.count(2, 2 as u32);
                }
                if ev.counting() {
                    ev.count(5, 4 as u32);
                }
                if ev.counting() {
                    ev.count(5, 5 as u32);
                }
                s.left = left;
                s.here = here;
                s.point = 1;
                return ControlFlow::Break(rt::support::Halt::Done);
            } else {
                if ev.counting() {
                    ev.count(2, 7 as u32);
                }
                let mut won: bool = false;
                if ev.counting() {
                    ev.count(5, 11 as u32);
                }
                if ev.counting() {
                    ev.count(5, 12 as u32);
                }
                won = true;
                if won {
                    s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 13, cx);
                    s.left = 0;
                    s.here = 0;
                    s.end(State::WIN, <rt::BitSet<1>>::EMPTY.with(s.turn as usize).0[0] as u8);
                    return ControlFlow::Break(rt::support::Halt::Done);
                }
                ran = true;
            }
        }
        if left == 0 {
            if !ran {
                if ev.counting() {
                    ev.count(1, here as u32);
                }
            }
            if left == 0 {
                s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                s.time = rt::support::add(s.time, 2, 11, cx);
                for round_3 in 0i64..=9223372036854775807i64 {
                    rounds_3 = rt::support::within(rounds_3 + 1, 0, 4194305, 10, cx);
                    if rounds_3 > 4194304 {
                        {
                            let mut rounds = 0u32;
                            loop {
                                if rounds == 0 {
                                    cx.fail(0);
                                    break;
                                }
                                rounds += 1;
                                if !cx.spend(0) {
                                    break;
                                }
                            }
                        }
                        return ControlFlow::Continue(());
                    }
                    if s.steps >= 1000 {
                        s.left = 0;
                        s.here = 0;
                        s.end(State::LIMIT, 0);
                        return ControlFlow::Break(rt::support::Halt::Done);
                    }
                    s.turns = rt::support::within(s.turns + 1, 0, 1099511627776, 10, cx);
                    if rt::support::at(&s.asleep, s.turn as usize) > 0 {
                        if ev.counting() {
                            ev.count(7, s.turn as u32);
                        }
                        {
                            let at = s.turn as usize;
                            let value = i64::max(rt::support::at(&s.asleep, s.turn as usize), 1) - 1;
                            if ev.active() && i64::from(rt::support::at(&s.asleep, at)) != i64::from(value) {
                                ev.event(rt::Event::StateChanged {
                                    piece: at as u32,
                                    property: "asleep",
                                    value: i64::from(value),
                                });
                            }
                            *rt::support::at_mut(&mut s.asleep, at) = value;
                        }
                        s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                        s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                        s.time = rt::support::add(s.time, 2, 11, cx);
                        continue;
                    } else {
                        break;
                    }
                }
                if ev.counting() {
                    ev.count(6, s.turn as u32);
                }
                s.point = 0;
                return ControlFlow::Break(rt::support::Halt::Done);
            }
        }
        s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
        continue;
    }
    ControlFlow::Continue(())
}

/// Goes on after the draw `roll 6` (`crossroads.bbgel:16:5`).
#[inline]
fn drawn_1<E: rt::Events>(rolled_2: i64, s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    let mut left: i64 = s.left;
    let mut here: Field = s.here;
    let mut rounds_2: i64 = 0;
    let mut rounds_3: i64 = 0;
    s.time = rt::support::add(s.time, 8, 14, cx);
    if rolled_2 == 1 {
        if ev.counting() {
            ev.count(5, 6 as u32);
        }
        {
            let at = s.turn as usize;
            let value = rt::support::within(
                rt::support::add(rt::support::at(&s.asleep, s.turn as usize), 2, 15, cx),
                0,
                9223372036854775807,
                16,
                cx,
            );
            if ev.active() && i64::from(rt::support::at(&s.asleep, at)) != i64::from(value) {
                ev.event(rt::Event::StateChanged { piece: at as u32, property: "asleep", value: i64::from(value) });
            }
            *rt::support::at_mut(&mut s.asleep, at) = value;
        }
        left = 0;
        s.time = rt::support::add(s.time, 1, 15, cx);
    }
    {
        let value_0: i64 = left;
        if ev.active() {
            ev.event(rt::Event::Named { name: "left", values: Vec::from([value_0]) });
        }
    }
    let mut ran: bool = true;
    for round_6 in 0i64..=9223372036854775807i64 {
        if left == 0 {
            if !ran {
                if ev.counting() {
                    ev.count(1, here as u32);
                }
            }
            if left == 0 {
                s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                s.time = rt::support::add(s.time, 2, 11, cx);
                for round_5 in 0i64..=9223372036854775807i64 {
                    rounds_3 = rt::support::within(rounds_3 + 1, 0, 4194305, 10, cx);
                    if rounds_3 > 4194304 {
                        {
                            let mut rounds = 0u32;
                            loop {
                                if rounds == 0 {
                                    cx.fail(0);
                                    break;
                                }
                                rounds += 1;
                                if !cx.spend(0) {
                                    break;
                                }
                            }
                        }
                        return ControlFlow::Continue(());
                    }
                    if s.steps >= 1000 {
                        s.left = 0;
                        s.here = 0;
                        s.end(State::LIMIT, 0);
                        return ControlFlow::Break(rt::support::Halt::Done);
                    }
                    s.turns = rt::support::within(s.turns + 1, 0, 1099511627776, 10, cx);
                    if rt::support::at(&s.asleep, s.turn as usize) > 0 {
                        if ev.counting() {
                            ev.count(7, s.turn as u32);
                        }
                        {
                            let at = s.turn as usize;
                            let value = i64::max(rt::support::at(&s.asleep, s.turn as usize), 1) - 1;
                            if ev.active() && i64::from(rt::support::at(&s.asleep, at)) != i64::from(value) {
                                ev.event(rt::Event::StateChanged {
                                    piece: at as u32,
                                    property: "asleep",
                                    value: i64::from(value),
                                });
                            }
                            *rt::support::at_mut(&mut s.asleep, at) = value;
                        }
                        s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                        s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                        s.time = rt::support::add(s.time, 2, 11, cx);
                        continue;
                    } else {
                        break;
                    }
                }
                if ev.counting() {
                    ev.count(6, s.turn as u32);
                }
                s.left = 0;
                s.here = 0;
                s.point = 0;
                return ControlFlow::Break(rt::support::Halt::Done);
            }
        }
        s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
        rounds_2 = rt::support::within(rounds_2 + 1, 0, 4194305, 10, cx);
        let left_3: bool = step_2_part(rounds_2, s, cx)?;
        if left_3 {
            return ControlFlow::Continue(());
        }
        if rt::support::at(&s.at_places, s.turn as usize) != NO_FIELD {
            here = rt::support::present(rt::support::at(&s.at_places, s.turn as usize), NO_FIELD, 1, cx);
            let run: i64 = i64::max(
                i64::min(i64::min(i64::from(rt::support::at(&RUN, here as usize)), left), 1000 - s.steps),
                0,
            );
            if run > 0 {
                if ev.counting() {
                    for item in ({
                        let row = here as usize * 3 + run as usize;
                        let (start, end) = (rt::support::at(&PASSED, row), rt::support::at(&PASSED, row + 1));
                        <rt::support::Seq<
                            Field,
                            2,
                        >>::of(PASSED_ITEMS.get(start as usize..end as usize).unwrap_or(&[]))
                    }).iter() {
                        ev.count(0, item as u32);
                    }
                }
                here = rt::support::at(&WALK, here as usize * 3 + run as usize);
                s.put_at(s.turn, here, ev);
                left = rt::support::within(left - run, -1099511627776, 1099511627776, 10, cx);
                s.time = rt::support::add(run * 3, s.time, 11, cx);
                s.steps = rt::support::within(i64::max(run, 1) - 1 + s.steps, 0, 1099511627776, 10, cx);
            } else {
                let act: i64 = i64::from(rt::support::at(&LEAVING, here as usize));
                if act > 0 {
                    if act < 2 {
                        s.left = left;
                        s.here = 0;
                        s.point = 2;
                        return ControlFlow::Break(rt::support::Halt::Done);
                    } else {
                        cx.fail(12);
                        return ControlFlow::Continue(());
                    }
                } else {
                    s.put_at(s.turn, here, ev);
                    left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
                    if ev.counting() {
                        ev.count(0, here as u32);
                    }
                }
            }
        } else {
            here = 0;
            s.put_at(s.turn, here, ev);
            left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
            if ev.counting() {
                ev.count(0, here as u32);
            }
        }
        {
            let value_0: i64 = left;
            if ev.active() {
                ev.event(rt::Event::Named { name: "left", values: Vec::from([value_0]) });
            }
        }
        ran = false;
        let act_2: i64 = i64::from(rt::support::at(&FORCED, here as usize));
        if act_2 > 0 {
            if act_2 < 2 {
                if ev.counting() {
                    ev.count(2, 2 as u32);
                }
                if ev.counting() {
                    ev.count(5, 4 as u32);
                }
                if ev.counting() {
                    ev.count(5, 5 as u32);
                }
                s.left = left;
                s.here = here;
                s.point = 1;
                return ControlFlow::Break(rt::support::Halt::Done);
            } else {
                if ev.counting() {
                    ev.count(2, 7 as u32);
                }
                let mut won: bool = false;
                if ev.counting() {
                    ev.count(5, 11 as u32);
                }
                if ev.counting() {
                    ev.count(5, 12 as u32);
                }
                won = true;
                if won {
                    s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 13, cx);
                    s.left = 0;
                    s.here = 0;
                    s.end(State::WIN, <rt::BitSet<1>>::EMPTY.with(s.turn as usize).0[0] as u8);
                    return ControlFlow::Break(rt::support::Halt::Done);
                }
                ran = true;
                continue;
            }
        } else {
            continue;
        }
    }
    ControlFlow::Continue(())
}

/// Plays a move of the family `no` (`crossroads.bbgel:13:16`).
#[inline]
fn play_no_2_0<E: rt::Events>(s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    let mut left: i64 = s.left;
    let mut rounds_2: i64 = 0;
    let mut rounds_3: i64 = 0;
    let chosen: bool = false;
    let mut here: Field = if chosen { 2 } else { 3 };
    s.time = rt::support::add(s.time, 7, 17, cx);
    let mut next_2: i64 = 0;
    for round_8 in 0i64..=9223372036854775807i64 {
        if next_2 == 0 {
            s.put_at(s.turn, here, ev);
            left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
            if ev.counting() {
                ev.count(0, here as u32);
            }
            next_2 = 1;
            continue;
        } else {
            {
                let value_0: i64 = left;
                if ev.active() {
                    ev.event(rt::Event::Named { name: "left", values: Vec::from([value_0]) });
                }
            }
            let mut ran: bool = false;
            let act_2: i64 = i64::from(rt::support::at(&FORCED, here as usize));
            if act_2 > 0 {
                if act_2 < 2 {
                    if ev.counting() {
                        ev.count(2, 2 as u32);
                    }
                    if ev.counting() {
                        ev.count(5, 4 as u32);
                    }
                    if ev.counting() {
                        ev.count(5, 5 as u32);
                    }
                    s.left = left;
                    s.here = here;
                    s.point = 1;
                    return ControlFlow::Break(rt::support::Halt::Done);
                } else {
                    if ev.counting() {
                        ev.count(2, 7 as u32);
                    }
                    let mut won: bool = false;
                    if ev.counting() {
                        ev.count(5, 11 as u32);
                    }
                    if ev.counting() {
                        ev.count(5, 12 as u32);
                    }
                    won = true;
                    if won {
                        s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 13, cx);
                        s.left = 0;
                        s.here = 0;
                        s.end(State::WIN, <rt::BitSet<1>>::EMPTY.with(s.turn as usize).0[0] as u8);
                        return ControlFlow::Break(rt::support::Halt::Done);
                    }
                    ran = true;
                }
            }
            if left == 0 {
                if !ran {
                    if ev.counting() {
                        ev.count(1, here as u32);
                    }
                }
                if left == 0 {
                    s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                    s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                    s.time = rt::support::add(s.time, 2, 11, cx);
                    for round_7 in 0i64..=9223372036854775807i64 {
                        rounds_3 = rt::support::within(rounds_3 + 1, 0, 4194305, 10, cx);
                        if rounds_3 > 4194304 {
                            {
                                let mut rounds = 0u32;
                                loop {
                                    if rounds == 0 {
                                        cx.fail(0);
                                        break;
                                    }
                                    rounds += 1;
                                    if !cx.spend(0) {
                                        break;
                                    }
                                }
                            }
                            return ControlFlow::Continue(());
                        }
                        if s.steps >= 1000 {
                            s.left = 0;
                            s.here = 0;
                            s.end(State::LIMIT, 0);
                            return ControlFlow::Break(rt::support::Halt::Done);
                        }
                        s.turns = rt::support::within(s.turns + 1, 0, 1099511627776, 10, cx);
                        if rt::support::at(&s.asleep, s.turn as usize) > 0 {
                            if ev.counting() {
                                ev.count(7, s.turn as u32);
                            }
                            {
                                let at = s.turn as usize;
                                let value = i64::max(rt::support::at(&s.asleep, s.turn as usize), 1) - 1;
                                if ev.active() && i64::from(rt::support::at(&s.asleep, at)) != i64::from(value) {
                                    ev.event(rt::Event::StateChanged {
                                        piece: at as u32,
                                        property: "asleep",
                                        value: i64::from(value),
                                    });
                                }
                                *rt::support::at_mut(&mut s.asleep, at) = value;
                            }
                            s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                            s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                            s.time = rt::support::add(s.time, 2, 11, cx);
                            continue;
                        } else {
                            break;
                        }
                    }
                    if ev.counting() {
                        ev.count(6, s.turn as u32);
                    }
                    s.left = 0;
                    s.point = 0;
                    return ControlFlow::Break(rt::support::Halt::Done);
                }
            }
            s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
            rounds_2 = rt::support::within(rounds_2 + 1, 0, 4194305, 10, cx);
            let left_4: bool = step_2_part(rounds_2, s, cx)?;
            if left_4 {
                return ControlFlow::Continue(());
            }
            if rt::support::at(&s.at_places, s.turn as usize) != NO_FIELD {
                here = rt::support::present(rt::support::at(&s.at_places, s.turn as usize), NO_FIELD, 1, cx);
                let run: i64 = i64::max(
                    i64::min(i64::min(i64::from(rt::support::at(&RUN, here as usize)), left), 1000 - s.steps),
                    0,
                );
                if run > 0 {
                    if ev.counting() {
                        for item in ({
                            let row = here as usize * 3 + run as usize;
                            let (start, end) = (rt::support::at(&PASSED, row), rt::support::at(&PASSED, row + 1));
                            <rt::support::Seq<
                                Field,
                                2,
                            >>::of(PASSED_ITEMS.get(start as usize..end as usize).unwrap_or(&[]))
                        }).iter() {
                            ev.count(0, item as u32);
                        }
                    }
                    here = rt::support::at(&WALK, here as usize * 3 + run as usize);
                    s.put_at(s.turn, here, ev);
                    left = rt::support::within(left - run, -1099511627776, 1099511627776, 10, cx);
                    s.time = rt::support::add(run * 3, s.time, 11, cx);
                    s.steps = rt::support::within(i64::max(run, 1) - 1 + s.steps, 0, 1099511627776, 10, cx);
                    next_2 = 1;
                    continue;
                } else {
                    let act: i64 = i64::from(rt::support::at(&LEAVING, here as usize));
                    if act > 0 {
                        if act < 2 {
                            s.left = left;
                            s.point = 2;
                            return ControlFlow::Break(rt::support::Halt::Done);
                        } else {
                            cx.fail(12);
                            return ControlFlow::Continue(());
                        }
                    } else {
                        next_2 = 0;
                        continue;
                    }
                }
            } else {
                here = 0;
                s.put_at(s.turn, here, ev);
                left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
                if ev.counting() {
                    ev.count(0, here as u32);
                }
                next_2 = 1;
                continue;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Plays a move of the family `yes` (`crossroads.bbgel:13:16`).
#[inline]
fn play_yes_2_1<E: rt::Events>(s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    let mut left: i64 = s.left;
    let mut rounds_2: i64 = 0;
    let mut rounds_3: i64 = 0;
    let chosen: bool = true;
    let mut here: Field = if chosen { 2 } else { 3 };
    s.time = rt::support::add(s.time, 7, 17, cx);
    let mut next_3: i64 = 0;
    for round_10 in 0i64..=9223372036854775807i64 {
        if next_3 == 0 {
            s.put_at(s.turn, here, ev);
            left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
            if ev.counting() {
                ev.count(0, here as u32);
            }
            next_3 = 1;
            continue;
        } else {
            {
                let value_0: i64 = left;
                if ev.active() {
                    ev.event(rt::Event::Named { name: "left", values: Vec::from([value_0]) });
                }
            }
            let mut ran: bool = false;
            let act_2: i64 = i64::from(rt::support::at(&FORCED, here as usize));
            if act_2 > 0 {
                if act_2 < 2 {
                    if ev.counting() {
                        ev.count(2, 2 as u32);
                    }
                    if ev.counting() {
                        ev.count(5, 4 as u32);
                    }
                    if ev.counting() {
                        ev.count(5, 5 as u32);
                    }
                    s.left = left;
                    s.here = here;
                    s.point = 1;
                    return ControlFlow::Break(rt::support::Halt::Done);
                } else {
                    if ev.counting() {
                        ev.count(2, 7 as u32);
                    }
                    let mut won: bool = false;
                    if ev.counting() {
                        ev.count(5, 11 as u32);
                    }
                    if ev.counting() {
                        ev.count(5, 12 as u32);
                    }
                    won = true;
                    if won {
                        s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 13, cx);
                        s.left = 0;
                        s.here = 0;
                        s.end(State::WIN, <rt::BitSet<1>>::EMPTY.with(s.turn as usize).0[0] as u8);
                        return ControlFlow::Break(rt::support::Halt::Done);
                    }
                    ran = true;
                }
            }
            if left == 0 {
                if !ran {
                    if ev.counting() {
                        ev.count(1, here as u32);
                    }
                }
                if left == 0 {
                    s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                    s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                    s.time = rt::support::add(s.time, 2, 11, cx);
                    for round_9 in 0i64..=9223372036854775807i64 {
                        rounds_3 = rt::support::within(rounds_3 + 1, 0, 4194305, 10, cx);
                        if rounds_3 > 4194304 {
                            {
                                let mut rounds = 0u32;
                                loop {
                                    if rounds == 0 {
                                        cx.fail(0);
                                        break;
                                    }
                                    rounds += 1;
                                    if !cx.spend(0) {
                                        break;
                                    }
                                }
                            }
                            return ControlFlow::Continue(());
                        }
                        if s.steps >= 1000 {
                            s.left = 0;
                            s.here = 0;
                            s.end(State::LIMIT, 0);
                            return ControlFlow::Break(rt::support::Halt::Done);
                        }
                        s.turns = rt::support::within(s.turns + 1, 0, 1099511627776, 10, cx);
                        if rt::support::at(&s.asleep, s.turn as usize) > 0 {
                            if ev.counting() {
                                ev.count(7, s.turn as u32);
                            }
                            {
                                let at = s.turn as usize;
                                let value = i64::max(rt::support::at(&s.asleep, s.turn as usize), 1) - 1;
                                if ev.active() && i64::from(rt::support::at(&s.asleep, at)) != i64::from(value) {
                                    ev.event(rt::Event::StateChanged {
                                        piece: at as u32,
                                        property: "asleep",
                                        value: i64::from(value),
                                    });
                                }
                                *rt::support::at_mut(&mut s.asleep, at) = value;
                            }
                            s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
                            s.turn = rt::support::at(&NEXT_PLAYER, s.turn as usize);
                            s.time = rt::support::add(s.time, 2, 11, cx);
                            continue;
                        } else {
                            break;
                        }
                    }
                    if ev.counting() {
                        ev.count(6, s.turn as u32);
                    }
                    s.left = 0;
                    s.point = 0;
                    return ControlFlow::Break(rt::support::Halt::Done);
                }
            }
            s.steps = rt::support::within(s.steps + 1, 0, 1099511627776, 10, cx);
            rounds_2 = rt::support::within(rounds_2 + 1, 0, 4194305, 10, cx);
            let left_5: bool = step_2_part(rounds_2, s, cx)?;
            if left_5 {
                return ControlFlow::Continue(());
            }
            if rt::support::at(&s.at_places, s.turn as usize) != NO_FIELD {
                here = rt::support::present(rt::support::at(&s.at_places, s.turn as usize), NO_FIELD, 1, cx);
                let run: i64 = i64::max(
                    i64::min(i64::min(i64::from(rt::support::at(&RUN, here as usize)), left), 1000 - s.steps),
                    0,
                );
                if run > 0 {
                    if ev.counting() {
                        for item in ({
                            let row = here as usize * 3 + run as usize;
                            let (start, end) = (rt::support::at(&PASSED, row), rt::support::at(&PASSED, row + 1));
                            <rt::support::Seq<
                                Field,
                                2,
                            >>::of(PASSED_ITEMS.get(start as usize..end as usize).unwrap_or(&[]))
                        }).iter() {
                            ev.count(0, item as u32);
                        }
                    }
                    here = rt::support::at(&WALK, here as usize * 3 + run as usize);
                    s.put_at(s.turn, here, ev);
                    left = rt::support::within(left - run, -1099511627776, 1099511627776, 10, cx);
                    s.time = rt::support::add(run * 3, s.time, 11, cx);
                    s.steps = rt::support::within(i64::max(run, 1) - 1 + s.steps, 0, 1099511627776, 10, cx);
                    next_3 = 1;
                    continue;
                } else {
                    let act: i64 = i64::from(rt::support::at(&LEAVING, here as usize));
                    if act > 0 {
                        if act < 2 {
                            s.left = left;
                            s.point = 2;
                            return ControlFlow::Break(rt::support::Halt::Done);
                        } else {
                            cx.fail(12);
                            return ControlFlow::Continue(());
                        }
                    } else {
                        next_3 = 0;
                        continue;
                    }
                }
            } else {
                here = 0;
                s.put_at(s.turn, here, ev);
                left = rt::support::within(left - 1, -1099511627776, 1099511627776, 10, cx);
                if ev.counting() {
                    ev.count(0, here as u32);
                }
                next_3 = 1;
                continue;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Plays a move, or a result of a draw, to the next stop; false if there is none such.
#[inline]
fn advance<E: rt::Events>(s: &mut State, mv: Move, ev: &mut E, cx: &mut rt::Cx) -> bool {
    let flow = match s.point {
        0 => {
            match mv.family() {
                2 => drawn_0(mv.roll_value(), s, ev, cx),
                _ => return false,
            }
        }
        1 => {
            match mv.family() {
                3 => drawn_1(mv.roll_6_value(), s, ev, cx),
                _ => return false,
            }
        }
        2 => {
            match mv.family() {
                0 => {
                    let () = mv.no_args();
                    play_no_2_0(s, ev, cx)
                }
                1 => {
                    let () = mv.yes_args();
                    play_yes_2_1(s, ev, cx)
                }
                _ => return false,
            }
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
    if let Some(fault) = decision_fault(s) {
        s.fail(fault);
        return;
    }
    if matches!(s.point, 0 | 1) {
        return;
    }
    match any_move(s) {
        Ok(true) => {}
        Ok(false) => s.ended = State::NO_MOVE,
        Err(fault) => s.break_off(fault),
    }
}

/// The fault of the expressions of the decision or draw that is due.
fn decision_fault(s: &State) -> Option<rt::Fault> {
    match s.point {
        0 => {
            let cx = &mut rt::Cx::new(4194304, 512);
            let first: i64 = 1;
            let last: i64 = 2;
            if first > last {
                cx.fail(1);
            } else {}
            if !cx.failed() {
                for value in first..=last {
                    let weight: u64 = 1;
                    let _ = (value, weight);
                }
            }
            if let Some(fault) = cx.fault() {
                return Some(fault);
            }
        }
        1 => {
            let cx = &mut rt::Cx::new(4194304, 512);
            let first: i64 = 1;
            let last: i64 = 6;
            if first > last {
                cx.fail(18);
            } else {}
            if !cx.failed() {
                for value in first..=last {
                    let weight: u64 = 1;
                    let _ = (value, weight);
                }
            }
            if let Some(fault) = cx.fault() {
                return Some(fault);
            }
        }
        _ => {}
    }
    None
}

/// Appends the results of the draw that is due, with their weights.
fn list_results(s: &State, out: &mut rt::ChanceList<Move>) {
    if s.ended == 0 {
        match s.point {
            0 => {
                let cx = &mut rt::Cx::new(4194304, 512);
                let first: i64 = 1;
                let last: i64 = 2;
                if first > last {
                    cx.fail(1);
                } else {}
                if !cx.failed() {
                    for value in first..=last {
                        let weight: u64 = 1;
                        out.push(Move::roll(value), weight);
                    }
                }
            }
            1 => {
                let cx = &mut rt::Cx::new(4194304, 512);
                let first: i64 = 1;
                let last: i64 = 6;
                if first > last {
                    cx.fail(18);
                } else {}
                if !cx.failed() {
                    for value in first..=last {
                        let weight: u64 = 1;
                        out.push(Move::roll_6(value), weight);
                    }
                }
            }
            _ => {}
        }
    }
}

/// `step 5 part`.
/// `step 4 part`.
/// `step 3 part`.
/// `step 2 part`.
#[inline(always)]
fn step_2_part(rounds_2: i64, s: &mut State, cx: &mut rt::Cx) -> rt::support::Flow<bool> {
    if rounds_2 > 4194304 {
        {
            let mut rounds = 0u32;
            loop {
                if rounds == 0 {
                    cx.fail(0);
                    break;
                }
                rounds += 1;
                if !cx.spend(0) {
                    break;
                }
            }
        }
        return ControlFlow::Continue(true);
    }
    if s.steps >= 1000 {
        if s.steps - s.began >= 64 {
            let field: i64 = i64::from(
                rt::support::present(rt::support::at(&s.at_places, s.turn as usize), NO_FIELD, 1, cx),
            );
            if field < 4 {
                if field < 2 {
                    if field < 1 {
                        cx.fail(2);
                        return ControlFlow::Continue(false);
                    }
                    cx.fail(3);
                    return ControlFlow::Continue(false);
                }
                if field < 3 {
                    cx.fail(4);
                    return ControlFlow::Continue(false);
                }
                cx.fail(5);
                return ControlFlow::Continue(false);
            }
            if field < 6 {
                if field < 5 {
                    cx.fail(6);
                    return ControlFlow::Continue(false);
                }
                cx.fail(7);
                return ControlFlow::Continue(false);
            }
            if field < 7 {
                cx.fail(8);
                return ControlFlow::Continue(false);
            }
            cx.fail(9);
            return ControlFlow::Continue(false);
        }
        s.left = 0;
        s.here = 0;
        s.end(State::LIMIT, 0);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Continue(false)
}

/// Plays random moves until the game ends or a limit is reached.
fn random_game<const DISTINCT: bool>(
    s: &mut State,
    rng: &mut rt::Rng,
    limit: u32,
    out: &mut rt::MoveList<Move>,
    playout: &mut rt::Playout,
) {
    let mut draws = 0;
    while s.ended == 0 {
        if matches!(s.point, 0 | 1) {
            if draws == limit {
                return;
            }
            match random_result(s, rng) {
                Ok(mv) => {
                    draws += 1;
                    play_move(s, mv, &mut rt::Silent);
                }
                Err(fault) => s.fail(fault),
            }
            continue;
        }
        if playout.plies == limit {
            settle(s);
            return;
        }
        if let Some(fault) = decision_fault(s) {
            s.fail(fault);
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

/// A result of the draw that is due, drawn by the weights.
fn random_result(s: &State, rng: &mut rt::Rng) -> Result<Move, rt::Fault> {
    match s.point {
        0 => {
            let cx = &mut rt::Cx::new(4194304, 512);
            let first: i64 = 1;
            let last: i64 = 2;
            if first > last {
                cx.fail(1);
            } else {}
            if !cx.failed() {
                for value in first..=last {
                    let weight: u64 = 1;
                    if value == first {
                        let span = (last - first) as u64;
                        let pick = match span {
                            u64::MAX => rng.u64(),
                            _ => rng.below64(span + 1),
                        };
                        return Ok(Move::roll(i64::wrapping_add(first, pick as i64)));
                    }
                }
            }
            if let Some(fault) = cx.fault() {
                return Err(fault);
            }
        }
        1 => {
            let cx = &mut rt::Cx::new(4194304, 512);
            let first: i64 = 1;
            let last: i64 = 6;
            if first > last {
                cx.fail(18);
            } else {}
            if !cx.failed() {
                for value in first..=last {
                    let weight: u64 = 1;
                    if value == first {
                        let span = (last - first) as u64;
                        let pick = match span {
                            u64::MAX => rng.u64(),
                            _ => rng.below64(span + 1),
                        };
                        return Ok(Move::roll_6(i64::wrapping_add(first, pick as i64)));
                    }
                }
            }
            if let Some(fault) = cx.fault() {
                return Err(fault);
            }
        }
        _ => {}
    }
    Err(rt::Fault { site: u16::MAX })
}

/// The words that all identities begin with: the outcome and where play goes on.
fn identity_head<W: rt::support::Words>(s: &State, words: &mut W) {
    let (ended, fault) = match s.ended {
        State::NO_MOVE | State::BROKEN => (0, 0),
        ended => (ended, s.fault),
    };
    words.word(u64::from(ended) | u64::from(fault) << 8);
    words.word(u64::from(s.winners));
    words.word(u64::from(s.point));
    words.word(s.left as u64);
    words.word(u64::from(s.here));
}

/// The words of the identity `full`.
fn identity_full<W: rt::support::Words>(s: &State, words: &mut W) {
    words.word(u64::from(s.turn));
    for &item in &s.asleep {
        words.word(item as u64);
    }
    words.bytes(&s.at_places);
}

/// The fault sites in the texts of states.
static FAULT_TEXTS: &[&str] = &[
    ":0:0:123:work-limit", ":0:0:123:no-value", ":0:370:371:rule-0b892e5e", ":0:416:468:rule-07e786d0",
    ":0:489:490:rule-8ef8e86b", ":0:574:575:rule-e0c2b5f3", ":0:588:589:rule-f04ec1e1", ":0:602:603:rule-7b9dd44b",
    ":0:616:617:rule-dbc4b93e", ":0:625:626:rule-77f7c5c7", ":0:0:123:out-of-range", ":0:0:123:overflow",
    ":0:625:626:rule-65ab92fb", ":0:625:626:out-of-range", ":0:506:555:overflow", ":0:535:547:overflow",
    ":0:535:547:out-of-range", ":0:416:468:overflow", ":0:509:516:no-value",
];

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
    out.push_str("turn=");
    {
        let value = s.turn;
        rt::text::int(out, i64::from(value) + 1);
    }
    out.push_str("; at=");
    for (place, index_1) in (0 as Player..2).into_iter().enumerate() {
        if place > 0 {
            out.push_str(",");
        }
        {
            let place_of = rt::support::at(&s.at_places, index_1 as usize);
            if place_of == NO_FIELD {
                out.push('-');
            } else {
                rt::text::name(out, &FIELD_NAMES, place_of as usize);
            }
        }
    }
    out.push_str("; asleep=");
    for (place, index_1) in (0 as Player..2).into_iter().enumerate() {
        if place > 0 {
            out.push_str(",");
        }
        {
            let value = rt::support::at(&s.asleep, index_1 as usize);
            rt::text::int(out, i64::from(value));
        }
    }
    out.push_str("; time=");
    {
        let value = s.time;
        rt::text::int(out, i64::from(value));
    }
    out.push_str("; steps=");
    {
        let value = s.steps;
        rt::text::int(out, i64::from(value));
    }
    out.push_str("; turns=");
    {
        let value = s.turns;
        rt::text::int(out, i64::from(value));
    }
    out.push_str("; began=");
    {
        let value = s.began;
        rt::text::int(out, i64::from(value));
    }
    out.push_str("; limit=1000; ");
    write_ending(s, out);
    out.push_str("@@");
    rt::text::int(out, i64::from(s.point));
    out.push_str(" left=");
    {
        let value = s.left;
        rt::text::int(out, i64::from(value));
    }
    out.push_str(" here=");
    {
        let value = s.here;
        rt::text::name(out, &FIELD_NAMES, value as usize);
    }
}

/// The state of a canonical text; what the text does not tell is as at the start.
fn read_text(text: &str) -> Result<State, rt::TextError> {
    let mut state = State::new();
    let s = &mut state;
    let mut scan = rt::text::Scan::new(text);
    s.at_places.fill(NO_FIELD);
    s.at_contents.fill(rt::BitSet::EMPTY);
    scan.lit("turn=")?;
    s.turn = (scan.int_in(1, 2)? - 1) as Player;
    scan.lit("; at=")?;
    for (place, index_1) in (0 as Player..2).into_iter().enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        {
            let place: Field = scan.optional(&FIELD_NAMES)?.map_or(NO_FIELD, |member| member as Field);
            if place != NO_FIELD {
                rt::support::at_mut(&mut s.at_contents, place as usize).set(index_1 as usize);
                *rt::support::at_mut(&mut s.at_places, index_1 as usize) = place;
            }
        }
    }
    scan.lit("; asleep=")?;
    for (place, index_1) in (0 as Player..2).into_iter().enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        *rt::support::at_mut(&mut s.asleep, index_1 as usize) = scan.int_in(0, 9223372036854775807)? as i64;
    }
    scan.lit("; time=")?;
    s.time = scan.int_in(i64::MIN, 9223372036854775807)? as i64;
    scan.lit("; steps=")?;
    s.steps = scan.int_in(0, 1099511627776)? as i64;
    scan.lit("; turns=")?;
    s.turns = scan.int_in(0, 1099511627776)? as i64;
    scan.lit("; began=")?;
    s.began = scan.int_in(0, 1099511627776)? as i64;
    scan.lit("; limit=1000; ")?;
    read_ending(s, &mut scan)?;
    scan.lit("@@")?;
    s.point = scan.int_in(0, 2)? as u8;
    scan.lit(" left=")?;
    s.left = scan.int_in(-1099511627776, 1099511627776)? as i64;
    scan.lit(" here=")?;
    s.here = scan.name(&FIELD_NAMES)? as Field;
    scan.end()?;
    let mut written = String::new();
    write_text(s, &mut written);
    rt::TextError::unless_same(text, &written)?;
    settle(s);
    Ok(state)
}
