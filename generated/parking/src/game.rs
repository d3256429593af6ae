//! parking, compiled from its rules (bgm) by rulec 0.1.0.
//!
//! Generated: change the rules and compile them again instead of editing this file.
//!
//! - `parking.bgm`, SHA-256 `5fdcad434f608baad896bf537345d519f2b0816ddca5ffd1022047533a9e000c`

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
rt::domain!(Player(u8), PLAYER_COUNT = 2, NO_PLAYER, PLAYER_NAMES = ["guard", "driver"]);
rt::domain!(Object(u8), OBJECT_COUNT = 6, NO_OBJECT, OBJECT_NAMES = ["gate", "mini", "truck", "van", "front", "back"]);

/// Table `left`.
static LEFT: [u8; 2] = [1, 0];

/// A move of parking, packed: the family in the lowest bits, above it the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);
impl Move {
    /// The number of the family, or of the draw after all families.
    #[inline(always)]
    pub const fn family(self) -> usize {
        0
    }

    /// A move of the family `Park` (`parking.bgm:13:1`).
    #[inline(always)]
    pub fn park_2(player: Player, c: Object, r: Object) -> Move {
        Move(player as u32 & 1 | (c as u32 & 7) << 1 | (r as u32 & 7) << 4)
    }

    /// The arguments of a move of the family `Park`.
    #[inline(always)]
    pub fn park_2_args(self) -> (Player, Object, Object) {
        ((self.0 & 1) as Player, ((self.0 >> 1) & 7) as Object, ((self.0 >> 4) & 7) as Object)
    }
}

rt::move_texts!(Move, Game);

/// How moves are packed and written: the families, then the draws.
static KINDS: rt::support::MoveKinds = {
    use rt::support::{FieldValues, MoveField, MoveKind, MoveKinds, MovePart};
    MoveKinds {
        tag_bits: 0,
        kinds: &[MoveKind {
            text: &[
                MovePart::Field(0), MovePart::Text(" Park"), MovePart::Text(" "), MovePart::Field(1),
                MovePart::Text(" "), MovePart::Field(2),
            ],
            fields: &[
                MoveField::new(0, 1, 2, false, FieldValues::Names(&PLAYER_NAMES)),
                MoveField::new(1, 3, 6, true, FieldValues::Names(&OBJECT_NAMES)),
                MoveField::new(4, 3, 6, true, FieldValues::Names(&OBJECT_NAMES)),
            ],
        }],
    }
};

/// A position of parking: plain data, complete.
#[derive(Clone, Debug, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Why the game ended: 0 while it goes on, then a constant of this type.
    ended: u8,
    /// The players who won, a bit each.
    winners: u8,
    /// The site of the fault that ended the game.
    fault: u16,
    /// Variable `active`.
    active: Player,
    /// Placement `in`: the place of each piece.
    in_places: [Object; 8],
    /// Placement `in`: the pieces on each place.
    in_contents: [rt::BitSet<1>; 8],
}

rt::endings!(State);
impl State {
    /// The values that the rules give at the start.
    fn new() -> State {
        State {
            ended: 0,
            winners: 0,
            fault: 0,
            active: 0,
            in_places: [NO_OBJECT, 0, 0, 0, NO_OBJECT, NO_OBJECT, NO_OBJECT, NO_OBJECT],
            in_contents: [
                rt::BitSet([14]), rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
                rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY, rt::BitSet::<1>::EMPTY,
            ],
        }
    }

    /// Ends the game.
    #[inline(always)]
    fn end(&mut self, reason: u8, winners: u8) {
        self.ended = reason;
        self.winners = winners;
    }

    /// Moves a piece to a place.
    #[inline(always)]
    fn put_in<E: rt::Events>(&mut self, piece: Object, place: Object, ev: &mut E) {
        let from = rt::support::at(&self.in_places, piece as usize);
        if from != NO_OBJECT {
            rt::support::at_mut(&mut self.in_contents, from as usize).clear(piece as usize);
        }
        rt::support::at_mut(&mut self.in_contents, place as usize).set(piece as usize);
        *rt::support::at_mut(&mut self.in_places, piece as usize) = place;
        if ev.active() && from != place {
            ev.event(match from {
                NO_OBJECT => {
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
    rt::members!(Player(super::Player), super::PLAYER_NAMES; GUARD, DRIVER);
    rt::members!(Object(super::Object), super::OBJECT_NAMES; GATE, MINI, TRUCK, VAN, FRONT, BACK);
}

impl State {
    /// What stands on a place, by the placement `in`.
    pub fn at(&self, place: names::Object) -> impl Iterator<Item = names::Object> {
        let all = rt::support::at(&self.in_contents, place.number() as usize);
        names::Object::all().filter(move |piece| all.contains(piece.number() as usize))
    }
}

/// Dense numbers of the moves.
static NUMBERS: rt::MoveNumbers = {
    use rt::{MoveNumbers, NumberLayer, NumberedArg, NumberedKind};
    MoveNumbers {
        kinds: &[NumberedKind::new(0, &[NumberedArg::Member(&[]), NumberedArg::Member(&[]), NumberedArg::Member(&[])])],
        layers: &[NumberLayer::new(&[2, 6, 6], &[(10, 0), (16, 2), (22, 4), (46, 6), (52, 8), (58, 10)], 12)],
        count: 12,
    }
};

/// New numbers under a symmetry.
static RENAMED_1: &[u32] = &[0, 2, 1];

/// New numbers under a symmetry.
static RENAMED_0: &[u32] = &[1, 0];

/// What becomes of arguments under a symmetry.
static RENAMED_ARGS_0: &[rt::ArgImage] = &[rt::ArgImage::Member(RENAMED_0), rt::ArgImage::Same, rt::ArgImage::Same];

/// Where the rules can fail.
static FAULTS: &[rt::FaultSite] = &[];

/// What is known of the game before it is played.
static INFO: rt::GameInfo = rt::GameInfo {
    name: "parking",
    language: "bgm",
    rules_sha256: "5fdcad434f608baad896bf537345d519f2b0816ddca5ffd1022047533a9e000c",
    compiler: "rulec 0.1.0",
    players: &["guard", "driver"],
    families: &[rt::MoveFamily::new("Park", &["player", "c", "r"], "parking.bgm:13")],
    move_count: 12,
    numbers: &NUMBERS,
    pieces: &OBJECT_NAMES,
    places: &OBJECT_NAMES,
    identities: &["full"],
    future: 0,
    timeless: None,
    exact_equality: true,
    exact_classes: true,
    alike: &[
        rt::Alike { text: "3 pieces are alike: mini to van", pieces: true, members: &[1, 2, 3] },
        rt::Alike { text: "2 pieces are alike: front to back", pieces: true, members: &[4, 5] },
    ],
    symmetries: &[rt::Symmetry {
        fixes_start: false,
        players: RENAMED_0,
        pieces: &[],
        places: &[],
        moves: &[rt::MoveImage::new(0, RENAMED_ARGS_0)],
        planes: &[rt::PlaneImage::new(0, &[], RENAMED_1), rt::PlaneImage::new(1, &[], &[])],
    }],
    symmetries_unknown: None,
    sides_apart: None,
    faults: FAULTS,
    episode: None,
    counters: &[],
    meters: &[],
    planes: &[rt::Plane::new("active", 1, 1, 2), rt::Plane::new("in", 6, 0, 6)],
    has_chance: false,
    has_scores: false,
    several_at_once: false,
    state_bytes: ::core::mem::size_of::<State>(),
};

/// The game parking: a value without parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Game;

/// A key of a state: equal states have equal keys.
fn state_key(s: &State) -> u64 {
    let mut words = rt::KeyHasher::new();
    identity_head(s, &mut words);
    identity_full(s, &mut words);
    words.value()
}

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
    rt::Turn::Decide(1 << (s.active & 63))
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
    fn hand_over(&self, s: &mut State) -> bool {
        if s.ended != 0 {
            return false;
        }
        s.active = match s.active {
            0 => 1,
            1 => 0,
            _ => return false,
        };
        true
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
        out.value(s.active as i64 + 1);
        for item in s.in_places.iter().take(6).copied() {
            out.value(if item == NO_OBJECT { 0 } else { item as i64 + 1 });
        }
    }
    fn meters(&self, s: &State, out: &mut Vec<i64>) {
        let _ = (s, out);
    }
    fn appearance(&self, s: &State, out: &mut Vec<i64>) {
        for value in s.in_places.iter().take(6).copied() {
            out.push(if value == NO_OBJECT { -1 } else { i64::from(value) });
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
        s.active = new_member(NEW_MEMBERS_0, symmetry, usize::from(from.active)) as _;
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

/// The part of the guard of `Park` that depends on `r` alone (`parking.bgm:13:1`).
#[inline(always)]
fn park_if_r_(r: Object, s: &State) -> bool {
    i64::from((rt::support::at(&s.in_contents, r as usize) & rt::BitSet([14])).count()) < 2
}

/// The packed arguments of a move of `Park` that follow from `r` (`parking.bgm:13:1`).
#[inline(always)]
fn park_2_part_1(r: Object) -> Option<u32> {
    Some((r as u32 & 7) << 4)
}

/// What the moves of the family `Park` are made of: lists of packed arguments, of which one each makes a move. With `DISTINCT` one of each class. Nothing if a rule fails (`parking.bgm:13:1`).
#[inline(always)]
fn park_2_lists<const DISTINCT: bool>(s: &State) -> (rt::support::Seq<u32, 6>, rt::BitSet<1>) {
    let mut lists: (rt::support::Seq<u32, 6>, rt::BitSet<1>) = (rt::support::Seq::new(), rt::BitSet::EMPTY);
    let (list_0, list_1) = &mut lists;
    {
        let player: Player = s.active;
        for item in park_c(player, s).iter() {
            let c = item as Object;
            list_0.push(player as u32 & 1 | (c as u32 & 7) << 1);
        }
    }
    for r in 4 as Object..6 {
        if park_if_r_(r, s) {
            list_1.set(r as usize);
        }
    }
    lists
}

/// Appends every legal move, or with `DISTINCT` one of each class. Nothing if a rule fails, or
/// the moves have to be compared to tell their classes.
#[inline]
fn list_products<const DISTINCT: bool>(s: &State, out: &mut rt::MoveList<Move>) -> Option<()> {
    if s.ended != 0 {
        return Some(());
    }
    {
        let (list_0, list_1) = park_2_lists::<DISTINCT>(s);
        for &part_0 in list_0.as_slice() {
            let list_1 = &list_1;
            out.push_members(*list_1, |member| {
                let part_1 = park_2_part_1(member as Object).unwrap_or(0);
                Move(part_0 | part_1)
            });
        }
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
    let ((arm_0_0, arm_0_1), count_0) = {
        let (list_0, list_1) = park_2_lists::<DISTINCT>(s);
        let count = (list_0.len() as u64) * u64::from(list_1.count());
        ((list_0, list_1), count)
    };
    let total: u64 = count_0;
    let draw = rng.draw(total);
    let mut pick = draw.number();
    if total == 0 {
        return Some((None, 0));
    }
    if pick < count_0 {
        let whole = (total == count_0).then_some(draw);
        let [pick_0, pick_1] = rt::support::digits(pick, whole, [arm_0_0.len() as u64, u64::from(arm_0_1.count())]);
        let part_0 = arm_0_0.get(pick_0 as usize).unwrap_or(0);
        let part_1 = {
            let member = arm_0_1.select(pick_1 as u32);
            park_2_part_1(member as Object).unwrap_or(0)
        };
        return Some((Some(Move(part_0 | part_1)), total));
    }
    pick -= count_0;
    Some((None, total))
}

/// Whether some move is legal.
fn any_move(s: &State) -> Result<bool, rt::Fault> {
    if s.ended != 0 {
        return Ok(false);
    }
    {
        let (list_0, list_1) = park_2_lists::<true>(s);
        if list_0.len() != 0 && !list_1.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Appends every legal move.
#[inline]
fn list_moves(s: &State, out: &mut rt::MoveList<Move>) -> Result<(), rt::Fault> {
    list_products::<false>(s, out);
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

/// Plays a move of the family `Park` (`parking.bgm:13:1`).
#[inline(always)]
fn play_park_2<E: rt::Events>(
    player: Player,
    c: Object,
    r: Object,
    s: &mut State,
    ev: &mut E,
    cx: &mut rt::Cx,
) -> rt::support::Flow {
    s.put_in(c, r, ev);
    s.active = rt::support::at(&LEFT, player as usize);
    conditions(s)?;
    ControlFlow::Break(rt::support::Halt::Done)
}

/// As [`play_inlined`], for positions in which the game may be over.
#[inline(always)]
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
            let (player, c, r) = mv.park_2_args();
            play_park_2(player, c, r, s, ev, cx)
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

/// The conditions, after every action.
#[inline(always)]
fn conditions(s: &mut State) -> rt::support::Flow {
    if (rt::support::at(&s.in_contents, 0) & rt::BitSet([14])).is_empty() {
        s.end(State::WIN, <rt::BitSet<1>>::EMPTY.with(s.active as usize).0[0] as u8);
        return ControlFlow::Break(rt::support::Halt::Done);
    }
    ControlFlow::Continue(())
}

/// The candidates for a parameter (`parking.bgm:14:13`).
#[inline(always)]
fn park_c(player: Player, s: &State) -> rt::BitSet<1> {
    rt::support::at(&s.in_contents, 0) & rt::BitSet([14])
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
            let goes_on = match s.active {
                0 => random_step::<DISTINCT>(s, rng, limit, out, playout),
                1 => random_step::<DISTINCT>(s, rng, limit, out, playout),
                _ => false,
            };
            if !goes_on {
                break;
            }
        }
        playout.counted = playout.plies;
    }
}

/// Plays one random move; false if there is none or the limit is reached.
#[inline(always)]
fn random_step<const DISTINCT: bool>(
    s: &mut State,
    rng: &mut rt::Rng,
    limit: u32,
    out: &mut rt::MoveList<Move>,
    playout: &mut rt::Playout,
) -> bool {
    if playout.plies == limit {
        settle(s);
        return false;
    }
    if let Some((mv, count)) = random_move::<DISTINCT>(s, rng, out) {
        let Some(mv) = mv else {
            s.ended = State::NO_MOVE;
            return false;
        };
        playout.plies += 1;
        playout.moves += count;
        play_inlined(s, mv, &mut rt::Silent);
        return true;
    }
    out.clear();
    let listed = match DISTINCT {
        false => list_moves(s, out),
        true => list_distinct(s, out),
    };
    if let Err(fault) = listed {
        s.break_off(fault);
        return false;
    }
    let Some(mv) = out.draw(rng) else {
        s.ended = State::NO_MOVE;
        return false;
    };
    playout.plies += 1;
    playout.moves += out.len() as u64;
    play_listed(s, mv);
    true
}

/// Plays a move that was found in a list.
#[inline(never)]
fn play_listed(s: &mut State, mv: Move) {
    play_inlined(s, mv, &mut rt::Silent);
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
    words.word(u64::from(s.active));
    words.bytes(&s.in_places);
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
    for (place, index_1) in (0 as Object..6).into_iter().enumerate() {
        if place > 0 {
            out.push_str(" ");
        }
        rt::text::name(out, &OBJECT_NAMES, index_1 as usize);
        out.push_str("<");
        {
            let place_of = rt::support::at(&s.in_places, index_1 as usize);
            if place_of == NO_OBJECT {
                out.push('-');
            } else {
                rt::text::name(out, &OBJECT_NAMES, place_of as usize);
            }
        }
    }
    out.push_str("; active: ");
    {
        let value = s.active;
        rt::text::name(out, &PLAYER_NAMES, value as usize);
    }
    out.push_str("; ");
    write_ending(s, out);
}

/// The state of a canonical text; what the text does not tell is as at the start.
fn read_text(text: &str) -> Result<State, rt::TextError> {
    let mut state = State::new();
    let s = &mut state;
    let mut scan = rt::text::Scan::new(text);
    s.in_places.fill(NO_OBJECT);
    s.in_contents.fill(rt::BitSet::EMPTY);
    for (place, index_1) in (0 as Object..6).into_iter().enumerate() {
        if place > 0 {
            scan.lit(" ")?;
        }
        scan.lit(OBJECT_NAMES[index_1 as usize])?;
        scan.lit("<")?;
        {
            let place: Object = scan.optional(&OBJECT_NAMES)?.map_or(NO_OBJECT, |member| member as Object);
            if place != NO_OBJECT {
                rt::support::at_mut(&mut s.in_contents, place as usize).set(index_1 as usize);
                *rt::support::at_mut(&mut s.in_places, index_1 as usize) = place;
            }
        }
    }
    scan.lit("; active: ")?;
    s.active = scan.name(&PLAYER_NAMES)? as Player;
    scan.lit("; ")?;
    read_ending(s, &mut scan)?;
    scan.end()?;
    let mut written = String::new();
    write_text(s, &mut written);
    rt::TextError::unless_same(text, &written)?;
    settle(s);
    Ok(state)
}
