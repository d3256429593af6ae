//! A game that is given position by position, for tests of what a search makes of each.

use std::sync::Arc;

use rulec_core::{
    ChanceList, Events, Explain, Fault, Game, GameInfo, Hosted, Identities, Interval, MoveArgs,
    MoveFamily, MoveList, Notation, Observe, Observer, OpenPlay, Outcome, Plane, StateText, Turn,
};

use super::{Estimate, LATE, ONE_LOGIT, Seeker, Table, Task, WIN, alphabeta};
use crate::{
    evaluation::{Evaluation, Learnt},
    heuristic::Heuristic,
    search::{Method, Pace, SearchSettings},
    start,
};

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
struct Position {
    /// Who is on turn.
    player: usize,
    /// Where moves lead. Who has none loses, which is left open until somebody asks.
    next: &'static [u8],
    /// Whether the game is over there, whoever could move: won by the other player.
    over: bool,
    /// Pawns and queens of the first player, then of the second.
    things: [usize; 4],
    /// Positions that differ by how play came there alone have the same.
    name: u64,
    /// The position in which the other player is on turn and all else is as it is; 0 where it is not known.
    passed: u8,
}

/// A position of player `player` in which things are even.
const fn even(player: usize, name: u64, next: &'static [u8]) -> Position {
    Position {
        player,
        next,
        over: false,
        things: [0; 4],
        name,
        passed: 0,
    }
}

/// A position at which the game is over, and lost by a player.
const fn over(player: usize, name: u64) -> Position {
    Position {
        over: true,
        ..even(player, name, &[])
    }
}

/// The position with these things.
const fn with(things: [usize; 4], position: Position) -> Position {
    Position { things, ..position }
}

/// The positions, of which the first is the one that play begins at.
#[derive(Debug)]
struct Given(&'static [Position]);

/// The number of a position, and whether it was found that nobody can move there.
type State = (u8, bool);

/// What a pawn and a queen are worth.
const WORTH: [f64; 2] = [1.0, 5.0];

const THINGS: usize = 16;

static INFO: GameInfo = GameInfo {
    name: "Given",
    language: "rust",
    players: &["a", "b"],
    families: &[MoveFamily {
        name: "go",
        params: &["to"],
        origin: "given.rs:1",
    }],
    move_count: 256,
    identities: &["canonical", "timeless"],
    timeless: Some(1),
    planes: &[
        plane("a pawn"),
        plane("a queen"),
        plane("b pawn"),
        plane("b queen"),
    ],
    ..GameInfo::EMPTY
};

const fn plane(name: &'static str) -> Plane {
    Plane {
        name,
        cells: THINGS,
        values: Interval { min: 0, max: 1 },
    }
}

/// An evaluation in which things are worth so many times [`WORTH`].
fn worth(times: f64) -> Learnt {
    learnt(times, 1.0)
}

/// The same, where doing nothing is best in a part of all positions.
fn learnt(times: f64, passing: f64) -> Learnt {
    let mut json = Evaluation::empty(&INFO).to_json();
    json["passing"] = vec![passing; 4].into();
    let signs = [times, times, -times, -times];
    for (number, sign) in signs.iter().enumerate() {
        json["planes"][number]["counts"] = vec![0.0, sign * WORTH[number % 2]].into();
        json["planes"][number]["quiet"] = true.into();
    }
    let evaluation = Evaluation::from_json(&json.to_string()).expect("it is one");
    Learnt::keep("given", evaluation)
}

impl Given {
    fn at(&self, state: &State) -> &Position {
        &self.0[usize::from(state.0)]
    }
}

impl Game for Given {
    type State = State;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn initial(&self) -> State {
        (0, false)
    }

    fn turn(&self, state: &State) -> Turn {
        match self.outcome(state) {
            Some(_) => Turn::Over,
            None => Turn::Decide(1 << self.at(state).player),
        }
    }

    fn legal_moves(&self, state: &State, out: &mut MoveList<u8>) -> Result<(), Fault> {
        out.extend(self.at(state).next.iter().copied());
        Ok(())
    }

    fn distinct_moves(&self, state: &State, out: &mut MoveList<u8>) -> Result<(), Fault> {
        self.legal_moves(state, out)
    }

    fn chance_outcomes(&self, _: &State, _: &mut ChanceList<u8>) {}

    fn play<E: Events>(&self, state: &mut State, mv: u8, _: &mut E) {
        self.play_open(state, mv);
        self.settle(state);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let at = self.at(state);
        (at.over || state.1).then_some(Outcome::win(1 - at.player))
    }

    fn player(&self, state: &State) -> Option<usize> {
        Some(self.at(state).player)
    }

    fn move_code(&self, mv: u8) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code).ok()
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        out.push_str(&mv.to_string());
    }
}

impl OpenPlay for Given {
    fn play_open(&self, state: &mut State, mv: u8) {
        *state = (mv, false);
    }

    fn settle(&self, state: &mut State) {
        state.1 = self.at(state).next.is_empty();
    }

    fn hand_over(&self, state: &mut State) -> bool {
        let passed = self.at(state).passed;
        if passed != 0 {
            *state = (passed, false);
        }
        passed != 0
    }
}

impl MoveArgs for Given {}

impl Notation for Given {}

impl StateText for Given {
    fn write_state(&self, state: &State, out: &mut String) {
        out.push_str(&state.0.to_string());
    }
}

impl Observe for Given {
    fn observe(&self, state: &State, out: &mut impl Observer) {
        for number in self.at(state).things {
            out.members(THINGS, 0..number);
        }
    }
}

impl Identities for Given {
    fn timeless_key(&self, state: &State) -> u64 {
        self.at(state).name
    }
}

impl Hosted for Given {}

impl Explain for Given {}

/// What the first player finds of the first position in a window.
fn found(given: &'static [Position], times: f64, depth: u32, window: (i32, i32)) -> Estimate {
    let settings = SearchSettings {
        heuristic: Heuristic::Learnt(worth(times)),
        ..SearchSettings::of(Method::AlphaBeta)
    };
    found_with(given, &settings, depth, window)
}

fn found_with(
    given: &'static [Position],
    settings: &SearchSettings,
    depth: u32,
    (low, high): (i32, i32),
) -> Estimate {
    let game = Given(given);
    let state = start(&game);
    let mut walk = state.walk();
    walk.merge_loosely();
    let progress = &mut |_: u64| true;
    let pace = Pace::new(settings, u64::MAX, progress);
    let table = Arc::new(Table::new(1 << 10, false));
    let mut seeker = Seeker::new(&mut *walk, 0, settings, pace, table);
    let task = Task {
        depth,
        ply: 0,
        low,
        high,
    };
    walk.seek(&mut seeker, task)
}

#[test]
fn weights_of_any_size_are_safe() {
    const QUEEN_UP: [Position; 4] = [
        even(0, 0, &[1, 2]),
        with([2, 1, 0, 0], even(1, 1, &[3, 3])),
        with([0, 1, 2, 0], even(1, 2, &[3, 3])),
        even(0, 3, &[1, 2]),
    ];
    for times in [1e-300, 1.0, 1e3, 1e9, 1e300] {
        for depth in 0..6 {
            for low in [-WIN, -1, 0, WIN - 1] {
                let value = found(&QUEEN_UP, times, depth, (low, low + 1)).value;
                assert!(value.abs() <= WIN, "{times} {depth} {low}: {value}");
            }
        }
    }
}

#[test]
fn what_has_ended_or_is_forced_is_not_judged_by_what_is_there() {
    const UP: [usize; 4] = [0, 3, 0, 0];
    // Nobody can move, so who is on turn has lost, whatever he has.
    const STUCK: [Position; 1] = [with(UP, even(0, 0, &[]))];
    // The only move loses.
    const FORCED: [Position; 2] = [with(UP, even(0, 0, &[1])), over(0, 1)];
    // The same with a choice is judged.
    const FREE: [Position; 2] = [with(UP, even(0, 0, &[1, 1])), FORCED[1]];
    for depth in 1..5 {
        let value = |given| found(given, 1.0, depth, (0, 1)).value;
        assert_eq!(value(&STUCK), -WIN);
        assert_eq!(value(&FORCED), 1 - WIN);
        assert!((1..WIN - LATE).contains(&value(&FREE)));
    }
}

#[test]
fn moves_that_make_up_for_much_are_found_where_looking_ahead_stops() {
    // Far behind, one move wins at once.
    const WON: [Position; 3] = [
        with([0, 0, 0, 3], even(0, 0, &[1, 2])),
        with([0, 0, 0, 3], even(1, 1, &[0])),
        over(1, 2),
    ];
    assert_eq!(found(&WON, 1.0, 0, (0, 1)).value, WIN - 1);
    // A pawn takes the queen and becomes one, which is more than the most valuable thing is worth.
    const TAKES: [Position; 4] = [
        with([1, 0, 4, 1], even(0, 0, &[1, 2])),
        with([1, 0, 4, 1], even(1, 1, &[0])),
        with([0, 1, 4, 0], even(1, 2, &[3])),
        with([0, 1, 4, 0], even(0, 3, &[2])),
    ];
    assert_eq!(found(&TAKES, 1.0, 0, (0, 1)).value, ONE_LOGIT as i32);
    assert!(
        found(&TAKES, 1.0, 1, (0, 1)).value > 0,
        "it is not left out as a late move"
    );
}

/// Two ways on for the second player, to positions in which the first one can win, if the second of them is another position.
const fn two_ways(name: u64, next: &'static [u8]) -> [Position; 7] {
    [
        even(0, 0, &[1, 5]),
        even(1, 1, &[2, 3]),
        even(0, 2, &[4, 5]),
        even(0, name, next),
        over(1, 4),
        even(1, 5, &[6, 6]),
        even(0, 6, &[5, 5]),
    ]
}

#[test]
fn a_win_by_what_is_known_of_another_position_is_not_announced() {
    const SHOWN: [Position; 7] = two_ways(3, &[4, 5]);
    // How play came there is not told apart, but this time there is no win.
    const TAKEN_FOR: [Position; 7] = two_ways(2, &[5, 5]);
    let report = |given| {
        let settings = SearchSettings {
            depth: Some(6),
            heuristic: Heuristic::Learnt(worth(1.0)),
            ..SearchSettings::of(Method::AlphaBeta)
        };
        alphabeta(&*start(&Given(given)), &settings, &mut |_: u64| true)
    };
    let shown = report(&SHOWN);
    assert_eq!((shown.end, shown.depth), (Some((true, 3)), Some(3)));
    let taken_for = report(&TAKEN_FOR);
    assert_eq!((taken_for.end, taken_for.depth), (None, Some(6)));
    assert_eq!(taken_for.proof, None);
}

/// The first player is a queen up. With every move he loses two, and with none if he does nothing.
const BETTER_TO_DO_NOTHING: [Position; 7] = {
    const UP: [usize; 4] = [0, 2, 0, 1];
    const DOWN: [usize; 4] = [0, 0, 0, 1];
    [
        Position {
            passed: 4,
            ..with(UP, even(0, 0, &[1, 2, 1, 2]))
        },
        with(UP, even(1, 1, &[3, 3])),
        with(UP, even(1, 2, &[3, 3])),
        with(DOWN, even(0, 3, &[6, 6])),
        with(UP, even(1, 4, &[5, 5])),
        with(UP, even(0, 5, &[4, 4])),
        with(DOWN, even(1, 6, &[3, 3])),
    ]
};

#[test]
fn doing_nothing_is_tried_where_it_is_harmless_only() {
    let value = |passing, without: &str| {
        let settings = SearchSettings {
            heuristic: Heuristic::Learnt(learnt(1.0, passing)),
            techniques: without.parse().expect("they are known"),
            ..SearchSettings::of(Method::AlphaBeta)
        };
        found_with(&BETTER_TO_DO_NOTHING, &settings, 3, (0, 1)).value
    };
    // Games have told that doing nothing is best in many positions: then every move is looked into.
    assert!(value(0.02, "futility") <= 0);
    // Where they have told that it hardly ever is, this position is taken for one of the others.
    assert_eq!(value(0.0, "futility"), 1);
    assert!(value(0.0, "futility+passing") <= 0);
}

#[test]
fn games_tell_where_it_is_best_to_do_nothing() {
    let better = |given: &'static [Position]| {
        crate::evaluation::passing::tried(&*start(&Given(given)), worth(1.0))
            .map(|tried| tried.better)
    };
    assert_eq!(better(&BETTER_TO_DO_NOTHING), Some(true));
    // A queen can be taken: that is better than to do nothing.
    const A_QUEEN: [Position; 4] = [
        Position {
            passed: 2,
            ..with([0, 1, 0, 1], even(0, 0, &[1, 2]))
        },
        with([0, 1, 0, 0], even(1, 1, &[3, 3])),
        with([0, 1, 0, 1], even(1, 2, &[3, 3])),
        even(0, 3, &[1, 2]),
    ];
    assert_eq!(better(&A_QUEEN), Some(false));
    const UNKNOWN: [Position; 2] = [even(0, 0, &[1, 1]), even(1, 1, &[0, 0])];
    assert_eq!(better(&UNKNOWN), None);
}

#[test]
fn moves_to_choose_from_count_where_looking_ahead_stops() {
    // The first player has three moves; the other one would have one.
    const MORE: [Position; 5] = [
        Position {
            passed: 4,
            ..even(0, 0, &[1, 2, 3])
        },
        even(1, 1, &[0]),
        even(1, 2, &[0]),
        even(1, 3, &[0]),
        even(1, 4, &[1]),
    ];
    let settings = |late: f64| {
        let mut json = worth(1.0).evaluation().to_json();
        json["mobility"] = 0.25.into();
        json["late_mobility"] = late.into();
        let evaluation = Evaluation::from_json(&json.to_string()).expect("it is one");
        SearchSettings {
            heuristic: Heuristic::Learnt(Learnt::keep("moves", evaluation)),
            ..SearchSettings::of(Method::AlphaBeta)
        }
    };
    let value = |late, window| found_with(&MORE, &settings(late), 0, window).value;
    let near = (-10_000, 10_000);
    assert_eq!(value(0.0, near), (2.0 * 0.25 * ONE_LOGIT) as i32);
    // Nothing can be exchanged in the end, so it is half way to it.
    assert_eq!(value(1.0, near), value(0.0, near));
    // Far from what is asked nobody counts.
    let far = (20 * ONE_LOGIT as i32, 20 * ONE_LOGIT as i32 + 1);
    assert_eq!(value(0.0, far), 0);
}
