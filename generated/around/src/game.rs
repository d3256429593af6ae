//! around, compiled from its rules (gs5) by rulec 0.1.0.
//!
//! Generated: change the rules and compile them again instead of editing this file.
//!
//! - `around.txt`, SHA-256 `db608f87c4f4760e9809e05e6443585f1cdd7a4099855662daf6a74b67d2393a`

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
rt::domain!(Player(u8), PLAYER_COUNT = 1, NO_PLAYER, PLAYER_NAMES = ["player"]);
rt::domain!(
    Cell(u8), CELL_COUNT = 36, NO_CELL, CELL_NAMES = ["1", "2", "3", "4", "5", "6", "7",
    "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21",
    "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35",
    "36"]
);
rt::domain!(Bucket(u8), BUCKET_COUNT = 4, NO_BUCKET, BUCKET_NAMES = ["0", "1", "2", "3"]);
rt::domain!(
    Kind(u8), KIND_COUNT = 16, NO_KIND, KIND_NAMES = ["RED_SQUARE", "BLACK_SQUARE",
    "BLUE_SQUARE", "YELLOW_SQUARE", "RED_STAR", "BLACK_STAR", "BLUE_STAR", "YELLOW_STAR",
    "RED_CIRCLE", "BLACK_CIRCLE", "BLUE_CIRCLE", "YELLOW_CIRCLE", "RED_TRIANGLE",
    "BLACK_TRIANGLE", "BLUE_TRIANGLE", "YELLOW_TRIANGLE"]
);
rt::domain!(Feature(u8), FEATURE_COUNT = 1, NO_FEATURE, FEATURE_NAMES = ["0"]);

/// A move of around, packed: the family in the lowest bits, above it the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);
impl Move {
    /// The number of the family, or of the draw after all families.
    #[inline(always)]
    pub const fn family(self) -> usize {
        0
    }

    /// A move of the family `move`.
    #[inline(always)]
    pub fn move_2(bucket: Bucket, pos: Cell) -> Move {
        Move(bucket as u32 & 3 | (pos as u32 & 63) << 2)
    }

    /// The arguments of a move of the family `move`.
    #[inline(always)]
    pub fn move_2_args(self) -> (Bucket, Cell) {
        ((self.0 & 3) as Bucket, ((self.0 >> 2) & 63) as Cell)
    }
}

rt::move_texts!(Move, Game);

/// How moves are packed and written: the families, then the draws.
static KINDS: rt::support::MoveKinds = {
    use rt::support::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart};
    MoveKinds {
        tag_bits: 0,
        kinds: &[MoveKind {
            text: &[MovePart::Field(1), MovePart::Text(" "), MovePart::Field(0)],
            fields: &[
                MoveField::new(0, 2, 4, true, FieldValues::Names(&BUCKET_NAMES)),
                MoveField::new(2, 6, 36, true, FieldValues::Names(&CELL_NAMES)),
            ],
        }],
    }
};

/// A position of around: plain data, complete.
#[derive(Clone, Debug, Copy)]
pub struct State {
    /// Why the game ended: 0 while it goes on, then a constant of this type.
    ended: u8,
    /// The players who won, a bit each.
    winners: u8,
    /// The site of the fault that ended the game.
    fault: u16,
    /// Variable `present`.
    present: rt::BitSet<1>,
    /// Variable `kind`.
    kind: [Kind; 64],
    /// Variable `fits`.
    fits: [rt::BitSet<1>; 1],
    /// Variable `accepted`.
    accepted: [rt::BitSet<1>; 4],
    /// Variable `row`.
    row: u8,
    /// Variable `row_left`.
    row_left: i8,
    /// Variable `atoms_left`.
    atoms_left: [i8; 1],
    /// Variable `last_bucket`.
    last_bucket: Bucket,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let words = |s: &State| {
            let mut words = rt::support::Wide::<78>::new();
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
            present: rt::BitSet([4581298449]),
            kind: *b"\0\0\0\0\x05\0\0\0\n\0\0\0\x0F\0\0\0\x04\0\0\0\t\0\0\0\x0E\0\0\0\x03\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            fits: [rt::BitSet::<1>::EMPTY],
            accepted: [rt::BitSet::<1>::EMPTY; 4],
            row: 0,
            row_left: -1,
            atoms_left: [-1],
            last_bucket: NO_BUCKET,
        }
    }

    /// Ends the game.
    #[inline(always)]
    fn end(&mut self, reason: u8, winners: u8) {
        self.ended = reason;
        self.winners = winners;
    }
}

/// Places, pieces and players by name, for programs that use the game as a library.
pub mod names {
    use super::rt;
    rt::members!(Player(super::Player), super::PLAYER_NAMES; PLAYER);
    rt::members!(Cell(super::Cell), super::CELL_NAMES;);
    rt::members!(Bucket(super::Bucket), super::BUCKET_NAMES;);
    rt::members!(
        Kind(super::Kind), super::KIND_NAMES; RED_SQUARE, BLACK_SQUARE, BLUE_SQUARE,
        YELLOW_SQUARE, RED_STAR, BLACK_STAR, BLUE_STAR, YELLOW_STAR, RED_CIRCLE,
        BLACK_CIRCLE, BLUE_CIRCLE, YELLOW_CIRCLE, RED_TRIANGLE, BLACK_TRIANGLE,
        BLUE_TRIANGLE, YELLOW_TRIANGLE
    );
    rt::members!(Feature(super::Feature), super::FEATURE_NAMES;);
}

/// Dense numbers of the moves.
static NUMBERS: rt::MoveNumbers = {
    use rt::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
    MoveNumbers {
        kinds: &[NumberedKind::new(0, &[NumberedArg::Member(&[]), NumberedArg::Member(&[])])],
        layers: &[NumberLayer::new(&[4, 36], &[(0, 0)], 144)],
        count: 144,
    }
};

/// New numbers under a symmetry.
static RENAMED_1: &[u32] = &[0, 2, 3, 4, 1];

/// New numbers under a symmetry.
static RENAMED_3: &[u32] = &[0, 3, 4, 1, 2];

/// New numbers under a symmetry.
static RENAMED_5: &[u32] = &[0, 4, 1, 2, 3];

/// New numbers under a symmetry.
static RENAMED_0: &[u32] = &[1, 2, 3, 0];

/// New numbers under a symmetry.
static RENAMED_2: &[u32] = &[2, 3, 0, 1];

/// New numbers under a symmetry.
static RENAMED_4: &[u32] = &[3, 0, 1, 2];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_0: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_0), rt::ArgImage::Same];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_1: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_2), rt::ArgImage::Same];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_2: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_4), rt::ArgImage::Same];

/// Where the rules can fail.
static FAULTS: &[rt::FaultSite] = &[];

/// What is known of the game before it is played.
static INFO: rt::GameInfo = rt::GameInfo {
    name: "around",
    language: "gs5",
    rules_sha256: "db608f87c4f4760e9809e05e6443585f1cdd7a4099855662daf6a74b67d2393a",
    compiler: "rulec 0.1.0",
    players: &["player"],
    families: &[rt::MoveFamily::new("move", &["bucket", "pos"], "around.txt:1")],
    move_count: 144,
    numbers: &NUMBERS,
    pieces: &[],
    places: &[],
    identities: &["full", "future"],
    future: 1,
    timeless: None,
    exact_equality: false,
    exact_classes: true,
    alike: &[],
    symmetries: &[
        rt::Symmetry {
            fixes_start: true,
            players: &[],
            pieces: &[],
            places: &[],
            moves: &[rt::MoveImage::new(0, RENAMED_ARGS_0)],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]), rt::PlaneImage::new(2, &[], &[]),
                rt::PlaneImage::new(3, &[], &[]), rt::PlaneImage::new(4, &[], RENAMED_1),
            ],
        },
        rt::Symmetry {
            fixes_start: true,
            players: &[],
            pieces: &[],
            places: &[],
            moves: &[rt::MoveImage::new(0, RENAMED_ARGS_1)],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]), rt::PlaneImage::new(2, &[], &[]),
                rt::PlaneImage::new(3, &[], &[]), rt::PlaneImage::new(4, &[], RENAMED_3),
            ],
        },
        rt::Symmetry {
            fixes_start: true,
            players: &[],
            pieces: &[],
            places: &[],
            moves: &[rt::MoveImage::new(0, RENAMED_ARGS_2)],
            planes: &[
                rt::PlaneImage::new(0, &[], &[]), rt::PlaneImage::new(1, &[], &[]), rt::PlaneImage::new(2, &[], &[]),
                rt::PlaneImage::new(3, &[], &[]), rt::PlaneImage::new(4, &[], RENAMED_5),
            ],
        },
    ],
    symmetries_unknown: None,
    sides_apart: None,
    faults: FAULTS,
    episode: Some(&EPISODE),
    counters: &[],
    meters: &[],
    planes: &[
        rt::Plane::new("present", 36, 0, 1), rt::Plane::new("kind", 36, 1, 16), rt::Plane::new("row", 1, 0, 1),
        rt::Plane::new("row_left", 1, -1, 1), rt::Plane::new("last_bucket", 1, 0, 4),
    ],
    has_chance: false,
    has_scores: false,
    several_at_once: false,
    state_bytes: ::core::mem::size_of::<State>(),
};

/// What a host knows of the episodes.
static EPISODE: rt::EpisodeInfo = rt::EpisodeInfo {
    targets: 4,
    units: 36,
    places: 36,
    columns: 6,
    crowded: false,
    kinds: &[
        rt::episode::PieceKind {
            name: "RED_SQUARE",
            pictured: false,
            properties: &[("color", "RED"), ("shape", "SQUARE")],
        },
        rt::episode::PieceKind {
            name: "BLACK_SQUARE",
            pictured: false,
            properties: &[("color", "BLACK"), ("shape", "SQUARE")],
        },
        rt::episode::PieceKind {
            name: "BLUE_SQUARE",
            pictured: false,
            properties: &[("color", "BLUE"), ("shape", "SQUARE")],
        },
        rt::episode::PieceKind {
            name: "YELLOW_SQUARE",
            pictured: false,
            properties: &[("color", "YELLOW"), ("shape", "SQUARE")],
        },
        rt::episode::PieceKind {
            name: "RED_STAR",
            pictured: false,
            properties: &[("color", "RED"), ("shape", "STAR")],
        },
        rt::episode::PieceKind {
            name: "BLACK_STAR",
            pictured: false,
            properties: &[("color", "BLACK"), ("shape", "STAR")],
        },
        rt::episode::PieceKind {
            name: "BLUE_STAR",
            pictured: false,
            properties: &[("color", "BLUE"), ("shape", "STAR")],
        },
        rt::episode::PieceKind {
            name: "YELLOW_STAR",
            pictured: false,
            properties: &[("color", "YELLOW"), ("shape", "STAR")],
        },
        rt::episode::PieceKind {
            name: "RED_CIRCLE",
            pictured: false,
            properties: &[("color", "RED"), ("shape", "CIRCLE")],
        },
        rt::episode::PieceKind {
            name: "BLACK_CIRCLE",
            pictured: false,
            properties: &[("color", "BLACK"), ("shape", "CIRCLE")],
        },
        rt::episode::PieceKind {
            name: "BLUE_CIRCLE",
            pictured: false,
            properties: &[("color", "BLUE"), ("shape", "CIRCLE")],
        },
        rt::episode::PieceKind {
            name: "YELLOW_CIRCLE",
            pictured: false,
            properties: &[("color", "YELLOW"), ("shape", "CIRCLE")],
        },
        rt::episode::PieceKind {
            name: "RED_TRIANGLE",
            pictured: false,
            properties: &[("color", "RED"), ("shape", "TRIANGLE")],
        },
        rt::episode::PieceKind {
            name: "BLACK_TRIANGLE",
            pictured: false,
            properties: &[("color", "BLACK"), ("shape", "TRIANGLE")],
        },
        rt::episode::PieceKind {
            name: "BLUE_TRIANGLE",
            pictured: false,
            properties: &[("color", "BLUE"), ("shape", "TRIANGLE")],
        },
        rt::episode::PieceKind {
            name: "YELLOW_TRIANGLE",
            pictured: false,
            properties: &[("color", "YELLOW"), ("shape", "TRIANGLE")],
        },
    ],
    atoms: &[1, 1],
    features: &[("shape", &["SQUARE", "STAR", "CIRCLE", "TRIANGLE"]), ("color", &["RED", "BLACK", "BLUE", "YELLOW"])],
    boards: rt::episode::BoardSource::Pairs {
        pieces: (9, 9),
        first: (0, 0),
        second: (0, 0),
        kinds: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        seconds: 4,
    },
    selection: None,
    parameters: &[],
};

/// The start position on a board that a host gives.
#[inline]
fn start_given(board: &rt::Board) -> Option<State> {
    if board.present & !68719476735 != 0 {
        return None;
    }
    let mut s = State::new();
    s.present = rt::BitSet([board.present]);
    s.kind.fill(0);
    let mut units = board.present;
    while units != 0 {
        let unit = (units.trailing_zeros() & 63) as usize;
        units &= units - 1;
        let kind = board.kinds[unit];
        if usize::from(kind) >= 16 {
            return None;
        }
        s.kind[unit] = kind as Kind;
    }
    let given = s.clone();
    let cx = &mut rt::Cx::new(4194304, 512);
    let flow = run_start(&mut s, &mut rt::Silent, cx);
    s.finish(flow, cx);
    match cx.fault() {
        Some(fault) => {
            s = given;
            s.fail(fault);
            s.ended = State::AT_START;
        }
        None => settle(&mut s),
    }
    Some(s)
}

/// The game around: a value without parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Game;

/// A key of a state: equal states have equal keys.
fn state_key(s: &State) -> u64 {
    let mut words = rt::KeyHasher::new();
    identity_head(s, &mut words);
    identity_full(s, &mut words);
    words.value()
}

/// The new numbers of members of `Bucket` under each symmetry.
static NEW_MEMBERS_2: &[&[u32]] = &[&[1, 2, 3, 0], &[2, 3, 0, 1], &[3, 0, 1, 2]];

/// The cells from which `accepted` is taken under each symmetry.
static SOURCES_3: &[&[u32]] = &[&[3, 0, 1, 2], &[2, 3, 0, 1], &[1, 2, 3, 0]];

/// The new number of a member.
#[inline(always)]
fn new_member(lists: &[&[u32]], symmetry: usize, member: usize) -> usize {
    let list = lists.get(symmetry).copied().unwrap_or_default();
    list.get(member).map_or(member, |new| *new as usize)
}

/// Who acts at the present stop, whether or not the game goes on.
#[inline(always)]
fn acting(s: &State) -> rt::Turn {
    rt::Turn::Decide(1 << (0 & 63))
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
        out.set(36, &s.present.0);
        out.run(s.kind.iter().take(36).map(|&item| item as i64 + 1));
        out.value(s.row as i64);
        out.value(s.row_left as i64);
        out.value(if s.last_bucket == NO_BUCKET { 0 } else { s.last_bucket as i64 + 1 });
    }
    fn meters(&self, s: &State, out: &mut Vec<i64>) {
        let _ = (s, out);
    }
    fn appearance(&self, s: &State, out: &mut Vec<i64>) {
        {
            let value = s.present;
            out.push(i64::from(value.count()));
            out.extend(value.iter().map(|member| member as i64));
        }
        for &value in s.kind.iter().take(36) {
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
            1 => identity_future(s, words),
            _ => {}
        }
    }
    fn image(&self, from: &State, symmetry: usize) -> Option<State> {
        if symmetry >= 3 {
            return None;
        }
        let mut image = from.clone();
        let s = &mut image;
        for (cell, slot) in s.accepted.iter_mut().take(4).enumerate() {
            if let Some(&old) = from.accepted.get(new_member(SOURCES_3, symmetry, cell)) {
                *slot = old;
            }
        }
        s.last_bucket = new_member(NEW_MEMBERS_2, symmetry, usize::from(from.last_bucket)) as _;
        Some(image)
    }
    fn future_key(&self, s: &State) -> u64 {
        let words = &mut rt::support::QuickKey::new();
        identity_head(s, words);
        identity_future(s, words);
        words.value()
    }
}

impl rt::Hosted for Game {
    #[inline]
    fn start(&self, board: &rt::Board) -> Option<State> {
        start_given(board)
    }

    #[inline]
    fn accepted(&self, s: &State, target: usize) -> u64 {
        s.accepted.get(target).map_or(0, |units| units.0[0])
    }

    #[inline]
    fn attempt(&self, target: usize, unit: usize) -> Option<Move> {
        (target < 4 && unit < 36).then(|| Move::move_2(target as _, unit as _))
    }
    fn counters(&self, s: &State, out: &mut Vec<i64>) {
        out.push(i64::from(s.row));
        out.push(i64::from(s.row_left));
        out.extend(s.atoms_left.iter().take(1).map(|&left| i64::from(left)));
    }
}

impl rt::Explain for Game {}

/// Calls `visit` with the legal moves of the family `move` until it says stop.
#[inline]
fn move_2_moves(s: &State, visit: &mut impl FnMut(Move) -> bool) -> Result<bool, rt::Fault> {
    for bucket in 0..BUCKET_COUNT {
        for item in accepted_by(bucket, s).iter() {
            let pos = item as Cell;
            if visit(Move::move_2(bucket, pos)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Appends every legal move, or with `DISTINCT` one of each class. Nothing if a rule fails, or
/// the moves have to be compared to tell their classes.
#[inline]
fn list_products<const DISTINCT: bool>(s: &State, out: &mut rt::MoveList<Move>) -> Option<()> {
    if s.ended != 0 {
        return Some(());
    }
    if move_2_moves(
            s,
            &mut |mv| {
                out.push(mv);
                false
            },
        )
        .is_err()
    {
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
    let mut count_0 = 0u64;
    for bucket in 0..BUCKET_COUNT {
        count_0 += u64::from(accepted_by(bucket, s).count());
    }
    let total: u64 = count_0;
    let draw = rng.draw(total);
    let mut pick = draw.number();
    if total == 0 {
        return Some((None, 0));
    }
    if pick < count_0 {
        for bucket in 0..BUCKET_COUNT {
            let row = accepted_by(bucket, s);
            let len = u64::from(row.count());
            if pick < len {
                let pos = row.nth(pick as u32).unwrap_or(0) as Cell;
                return Some((Some(Move::move_2(bucket, pos)), total));
            }
            pick -= len;
        }
        return None;
    }
    pick -= count_0;
    Some((None, total))
}

/// Calls `visit` with every legal move until it says stop, and tells whether it did.
#[inline]
fn visit_moves(s: &State, visit: &mut impl FnMut(Move) -> bool) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    if move_2_moves(s, visit)? {
        return Ok(true);
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
    let start = out.len();
    if list_products::<false>(s, out).is_some() {
        return Ok(());
    }
    out.truncate(start);
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
#[inline(always)]
fn run_start<E: rt::Events>(s: &mut State, ev: &mut E, cx: &mut rt::Cx) -> rt::support::Flow {
    for item in s.present.iter() {
        let unit = item as Cell;
        for item in rt::BitSet::<1>::EMPTY.iter() {
            let feature = item as Feature;
            *rt::support::at_mut(&mut s.fits, feature as usize) = rt::support::at(
                &s.fits,
                feature as usize,
            ) | <rt::BitSet<1>>::EMPTY.with(unit as usize);
        }
    }
    let done: bool = activate(0, s);
    if done {
        let stuck: bool = scroll(s);
        if stuck {
            s.end(State::STUCK, 0);
            return ControlFlow::Break(rt::support::Halt::Done);
        }
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

/// Plays a move of the family `move`.
#[inline(always)]
fn play_move_2<E: rt::Events>(
    bucket: Bucket,
    unit_2: Cell,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    if i64::from(s.row_left) > 0 {
        s.row_left = i64::max(i64::from(s.row_left) - 1, -1) as i8;
    }
    s.last_bucket = bucket;
    s.present.clear(unit_2 as usize);
    if s.present.is_empty() {
        s.end(State::WIN, 1);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    let done_2: bool = rebuild(s);
    if done_2 {
        let stuck_2: bool = scroll(s);
        if stuck_2 {
            s.end(State::STUCK, 0);
            return ControlFlow::Break(rt::support::Halt::Done);
        }
    }
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
            let (bucket, pos) = mv.move_2_args();
            play_move_2(bucket, pos, s, ev, cx)
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

/// Finds what row 0 accepts; whether that is nothing (`around.txt:3:1`).
#[inline(always)]
fn rebuild_row_0(s: &mut State) -> bool {
    let on: rt::BitSet<1> = s.present;
    if i64::from(s.row_left) == 0 {
        *rt::support::at_mut(&mut s.accepted, 0) = rt::BitSet::<1>::EMPTY;
        *rt::support::at_mut(&mut s.accepted, 1) = rt::BitSet::<1>::EMPTY;
        *rt::support::at_mut(&mut s.accepted, 2) = rt::BitSet::<1>::EMPTY;
        *rt::support::at_mut(&mut s.accepted, 3) = rt::BitSet::<1>::EMPTY;
        return true;
    }
    *rt::support::at_mut(&mut s.accepted, 0) = on;
    *rt::support::at_mut(&mut s.accepted, 1) = on;
    *rt::support::at_mut(&mut s.accepted, 2) = on;
    *rt::support::at_mut(&mut s.accepted, 3) = on;
    (on | on | on | on).is_empty()
}

/// Finds what row 1 accepts; whether that is nothing (`around.txt:4:1`).
#[inline(always)]
fn rebuild_row_1(s: &mut State) -> bool {
    let on: rt::BitSet<1> = s.present;
    let set: rt::BitSet<1> = if s.last_bucket == 3 { on } else { rt::BitSet::<1>::EMPTY };
    let set_2: rt::BitSet<1> = if s.last_bucket == 0 { on } else { rt::BitSet::<1>::EMPTY };
    let set_3: rt::BitSet<1> = if s.last_bucket == 1 { on } else { rt::BitSet::<1>::EMPTY };
    let set_4: rt::BitSet<1> = if s.last_bucket == 2 { on } else { rt::BitSet::<1>::EMPTY };
    *rt::support::at_mut(&mut s.accepted, 0) = set;
    *rt::support::at_mut(&mut s.accepted, 1) = set_2;
    *rt::support::at_mut(&mut s.accepted, 2) = set_3;
    *rt::support::at_mut(&mut s.accepted, 3) = set_4;
    (set | set_2 | set_3 | set_4).is_empty()
}

/// Finds what the active row accepts; whether that is nothing.
#[inline(always)]
fn rebuild(s: &mut State) -> bool {
    let mut done: bool = false;
    if i64::from(s.row) == 0 {
        done = rebuild_row_0(s);
        return done;
    }
    done = rebuild_row_1(s);
    done
}

/// Makes a row active, with fresh counters; whether it accepts nothing.
#[inline(always)]
fn activate(next_2: i64, s: &mut State) -> bool {
    s.row = next_2 as u8;
    if i64::from(s.row) == 0 {
        s.row_left = 1 as i8;
    } else {
        s.row_left = -1 as i8;
    }
    let done: bool = rebuild(s);
    done
}

/// Looks for the next row that accepts something; whether there is none.
#[inline(always)]
fn scroll(s: &mut State) -> bool {
    let mut next_2: i64 = i64::wrapping_rem_euclid(i64::from(s.row) + 1, 2);
    let mut done: bool = activate(next_2, s);
    if !done {
        return false;
    }
    next_2 = i64::wrapping_rem_euclid(i64::from(s.row) + 1, 2);
    done = activate(next_2, s);
    done
}

/// What a bucket accepts.
#[inline(always)]
fn accepted_by(bucket: Bucket, s: &State) -> rt::BitSet<1> {
    rt::support::at(&s.accepted, bucket as usize)
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
            if let Some((mv, count)) = random_move::<DISTINCT>(s, rng, out) {
                let Some(mv) = mv else {
                    s.ended = State::NO_MOVE;
                    return;
                };
                playout.plies += 1;
                playout.counted += 1;
                playout.moves += count;
                play_inlined(s, mv, &mut rt::Silent);
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
    for word in s.present.0 {
        words.word(word);
    }
    words.bytes(&s.kind);
    words.word(s.row as u64);
    words.word(s.row_left as u64);
    for &item in &s.atoms_left {
        words.word(item as u64);
    }
    words.word(u64::from(s.last_bucket));
}

/// The words of the identity `future`.
fn identity_future<W: rt::support::Words>(s: &State, words: &mut W) {
    for word in s.present.0 {
        words.word(word);
    }
    for &item in &s.accepted {
        for word in item.0 {
            words.word(word);
        }
    }
    words.word(s.row as u64);
    words.word(s.row_left as u64);
    words.word(u64::from(s.last_bucket));
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
    out.push_str("present=");
    {
        let value = s.present;
        rt::support::write_set(&value, &CELL_NAMES, out);
    }
    out.push_str(";");
    out.push_str("kind=");
    for (place, &value) in s.kind.iter().take(36).enumerate() {
        if place > 0 {
            out.push(',');
        }
        rt::text::name(out, &KIND_NAMES, value as usize);
    }
    out.push_str(";");
    out.push_str("fits=");
    for (place, &value) in s.fits.iter().take(1).enumerate() {
        if place > 0 {
            out.push(',');
        }
        rt::support::write_set(&value, &CELL_NAMES, out);
    }
    out.push_str(";");
    out.push_str("accepted=");
    for (place, &value) in s.accepted.iter().take(4).enumerate() {
        if place > 0 {
            out.push(',');
        }
        rt::support::write_set(&value, &CELL_NAMES, out);
    }
    out.push_str(";");
    out.push_str("row=");
    {
        let value = s.row;
        rt::text::int(out, i64::from(value));
    }
    out.push_str(";");
    out.push_str("row_left=");
    {
        let value = s.row_left;
        rt::text::int(out, i64::from(value));
    }
    out.push_str(";");
    out.push_str("atoms_left=");
    for (place, &value) in s.atoms_left.iter().take(1).enumerate() {
        if place > 0 {
            out.push(',');
        }
        rt::text::int(out, i64::from(value));
    }
    out.push_str(";");
    out.push_str("last_bucket=");
    {
        let value = s.last_bucket;
        if value == NO_BUCKET {
            out.push('-');
        } else {
            rt::text::name(out, &BUCKET_NAMES, value as usize);
        }
    }
    out.push_str(";");
    write_ending(s, out);
}

/// The state of a canonical text; what the text does not tell is as at the start.
fn read_text(text: &str) -> Result<State, rt::TextError> {
    let mut state = State::new();
    let s = &mut state;
    let mut scan = rt::text::Scan::new(text);
    scan.lit("present=")?;
    s.present = rt::support::read_set(&mut scan, &CELL_NAMES)?;
    scan.lit(";")?;
    scan.lit("kind=")?;
    for (place, cell) in s.kind.iter_mut().take(36).enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        *cell = scan.name(&KIND_NAMES)? as Kind;
    }
    scan.lit(";")?;
    scan.lit("fits=")?;
    for (place, cell) in s.fits.iter_mut().take(1).enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        *cell = rt::support::read_set(&mut scan, &CELL_NAMES)?;
    }
    scan.lit(";")?;
    scan.lit("accepted=")?;
    for (place, cell) in s.accepted.iter_mut().take(4).enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        *cell = rt::support::read_set(&mut scan, &CELL_NAMES)?;
    }
    scan.lit(";")?;
    scan.lit("row=")?;
    s.row = scan.int_in(0, 1)? as u8;
    scan.lit(";")?;
    scan.lit("row_left=")?;
    s.row_left = scan.int_in(-1, 1)? as i8;
    scan.lit(";")?;
    scan.lit("atoms_left=")?;
    for (place, cell) in s.atoms_left.iter_mut().take(1).enumerate() {
        if place > 0 {
            scan.lit(",")?;
        }
        *cell = scan.int_in(-1, 0)? as i8;
    }
    scan.lit(";")?;
    scan.lit("last_bucket=")?;
    s.last_bucket = scan.optional(&BUCKET_NAMES)?.map_or(NO_BUCKET, |member| member as Bucket);
    scan.lit(";")?;
    read_ending(s, &mut scan)?;
    scan.end()?;
    let mut written = String::new();
    write_text(s, &mut written);
    rt::TextError::unless_same(text, &written)?;
    settle(s);
    Ok(state)
}
