//! Small games for the tests: a race of three players with draws, and a puzzle with a fault in its rules.

use rulec_core::{
    ChanceList, Events, Explain, Fault, FaultSite, Game, GameInfo, Hosted, Identities, KeyHasher,
    MoveArgs, MoveFamily, MoveList, Notation, Observe, OpenPlay, Outcome, Reason, StateText,
    TextError, Turn,
    text::{Scan, int, name},
};

/// Three players race to five points. Who is on turn takes one point for sure, or rolls: 1, 2 or 3 points with
/// weights 3, 2 and 1, and after a 3 the same player is on turn again. After 30 turns it is a draw.
pub(crate) struct Race;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RaceState {
    points: [u8; 3],
    player: u8,
    rolling: bool,
    turns: u8,
}

const RACE_MOVES: [&str; 5] = ["take", "roll", "1", "2", "3"];

static RACE: GameInfo = GameInfo {
    name: "Race",
    language: "rust",
    players: &["a", "b", "c"],
    families: &[
        MoveFamily {
            name: "decide",
            params: &["what"],
            origin: "games.rs:1",
        },
        MoveFamily {
            name: "draw",
            params: &["what"],
            origin: "games.rs:2",
        },
    ],
    move_count: 5,
    identities: &["canonical", "canonical-noscore", "full"],
    has_chance: true,
    has_scores: true,
    ..GameInfo::EMPTY
};

impl Game for Race {
    type State = RaceState;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &RACE
    }

    fn initial(&self) -> RaceState {
        RaceState {
            points: [0; 3],
            player: 0,
            rolling: false,
            turns: 0,
        }
    }

    fn turn(&self, state: &RaceState) -> Turn {
        match (self.outcome(state), state.rolling) {
            (Some(_), _) => Turn::Over,
            (None, true) => Turn::Chance,
            (None, false) => Turn::Decide(1 << state.player),
        }
    }

    fn legal_moves(&self, state: &RaceState, out: &mut MoveList<u8>) -> Result<(), Fault> {
        if matches!(self.turn(state), Turn::Decide(_)) {
            out.extend([0, 1]);
        }
        Ok(())
    }

    fn distinct_moves(&self, state: &RaceState, out: &mut MoveList<u8>) -> Result<(), Fault> {
        self.legal_moves(state, out)
    }

    fn chance_outcomes(&self, state: &RaceState, out: &mut ChanceList<u8>) {
        if state.rolling {
            for pips in 1..=3 {
                out.push(pips + 1, 4 - u64::from(pips));
            }
        }
    }

    fn play<E: Events>(&self, state: &mut RaceState, mv: u8, _: &mut E) {
        let points = match mv {
            0 => 1,
            1 => {
                state.rolling = true;
                return;
            }
            drawn => drawn - 1,
        };
        state.rolling = false;
        state.turns += 1;
        state.points[usize::from(state.player)] += points;
        if points < 3 && self.outcome(state).is_none() {
            state.player = (state.player + 1) % 3;
        }
    }

    fn outcome(&self, state: &RaceState) -> Option<Outcome> {
        match state.points.iter().position(|p| *p >= 5) {
            Some(winner) => Some(Outcome::win(winner)),
            None => (state.turns >= 30).then_some(Outcome::nobody(Reason::Draw)),
        }
    }

    fn scores(&self, state: &RaceState, out: &mut Vec<i64>) {
        out.extend(state.points.map(i64::from));
    }

    fn key(&self, state: &RaceState) -> u64 {
        let mut bytes = Vec::new();
        self.identity(state, 0, &mut bytes);
        bytes
            .iter()
            .fold(KeyHasher::new(), |key, b| key.word((*b).into()))
            .value()
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_code(&self, mv: u8) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code).ok().filter(|mv| *mv < 5)
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        name(out, &RACE_MOVES, mv.into());
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<u8>) {
        out.extend(RACE_MOVES.iter().position(|m| *m == text).map(|m| m as u8));
    }
}

impl OpenPlay for Race {}

impl MoveArgs for Race {
    fn move_args(&self, mv: u8, args: &mut Vec<i64>) -> usize {
        args.push(mv.into());
        usize::from(mv > 1)
    }
}

impl Notation for Race {}

impl StateText for Race {
    fn write_state(&self, state: &RaceState, out: &mut String) {
        let [a, b, c] = state.points;
        out.push_str(&format!(
            "{a},{b},{c};{};{};{}",
            state.player + 1,
            state.turns,
            u8::from(state.rolling)
        ));
    }

    fn parse_state(&self, text: &str) -> Result<RaceState, TextError> {
        let mut scan = Scan::new(text);
        let mut points = [0; 3];
        for (points, end) in points.iter_mut().zip([",", ",", ";"]) {
            *points = scan.int_in(0, 9)? as u8;
            scan.lit(end)?;
        }
        let player = scan.int_in(1, 3)? as u8 - 1;
        scan.lit(";")?;
        let turns = scan.int_in(0, 30)? as u8;
        scan.lit(";")?;
        let rolling = scan.int_in(0, 1)? == 1;
        scan.end()?;
        Ok(RaceState {
            points,
            player,
            rolling,
            turns,
        })
    }
}

impl Observe for Race {}

impl Identities for Race {
    fn identity(&self, state: &RaceState, identity: usize, out: &mut Vec<u8>) {
        if identity != 1 {
            out.extend(state.points);
        }
        out.extend([state.player, u8::from(state.rolling), state.turns]);
    }
}

impl Hosted for Race {}

impl Explain for Race {}

/// From 0 to 10 by adding one or doubling. The two moves `double` and `twice` are equal. Beyond 10 nothing can be
/// done, and 7 is a fault.
pub(crate) struct Puzzle;

const PUZZLE_MOVES: [&str; 3] = ["add", "double", "twice"];

static PUZZLE: GameInfo = GameInfo {
    name: "Puzzle",
    language: "rust",
    players: &["solver"],
    families: &[
        MoveFamily {
            name: "add",
            params: &[],
            origin: "games.rs:3",
        },
        MoveFamily {
            name: "double",
            params: &[],
            origin: "games.rs:4",
        },
        MoveFamily {
            name: "twice",
            params: &[],
            origin: "games.rs:5",
        },
    ],
    move_count: 3,
    identities: &["canonical", "full"],
    faults: &[FaultSite {
        code: "division-by-zero",
        message: "7 minus 7 is 0",
        origin: "games.rs:7:1",
    }],
    ..GameInfo::EMPTY
};

impl Game for Puzzle {
    type State = u8;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &PUZZLE
    }

    fn initial(&self) -> u8 {
        0
    }

    fn turn(&self, state: &u8) -> Turn {
        match self.outcome(state) {
            Some(_) => Turn::Over,
            None => Turn::Decide(1),
        }
    }

    fn legal_moves(&self, state: &u8, out: &mut MoveList<u8>) -> Result<(), Fault> {
        match state {
            7 => return Err(Fault { site: 0 }),
            0..10 => out.extend([0, 1, 2]),
            _ => {}
        }
        Ok(())
    }

    fn distinct_moves(&self, state: &u8, out: &mut MoveList<u8>) -> Result<(), Fault> {
        self.legal_moves(state, out)?;
        out.retain(|mv| *mv < 2);
        Ok(())
    }

    fn chance_outcomes(&self, _: &u8, _: &mut ChanceList<u8>) {}

    fn play<E: Events>(&self, state: &mut u8, mv: u8, _: &mut E) {
        *state = if mv == 0 { *state + 1 } else { *state * 2 };
    }

    fn outcome(&self, state: &u8) -> Option<Outcome> {
        match state {
            0..10 => None,
            10 => Some(Outcome::win(0)),
            _ => Some(Outcome::nobody(Reason::Stuck)),
        }
    }

    fn player(&self, _: &u8) -> Option<usize> {
        Some(0)
    }

    fn scores(&self, _: &u8, _: &mut Vec<i64>) {}

    fn key(&self, state: &u8) -> u64 {
        KeyHasher::new().word((*state).into()).value()
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_code(&self, mv: u8) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code).ok().filter(|mv| *mv < 3)
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        name(out, &PUZZLE_MOVES, mv.into());
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<u8>) {
        out.extend(
            PUZZLE_MOVES
                .iter()
                .position(|m| *m == text)
                .map(|m| m as u8),
        );
    }
}

impl OpenPlay for Puzzle {}

impl MoveArgs for Puzzle {
    fn move_args(&self, mv: u8, _: &mut Vec<i64>) -> usize {
        mv.into()
    }
}

impl Notation for Puzzle {}

impl StateText for Puzzle {
    fn write_state(&self, state: &u8, out: &mut String) {
        int(out, (*state).into());
    }

    fn parse_state(&self, text: &str) -> Result<u8, TextError> {
        let mut scan = Scan::new(text);
        let value = scan.int_in(0, 20)?;
        scan.end()?;
        Ok(value as u8)
    }
}

impl Observe for Puzzle {}

impl Identities for Puzzle {
    fn identity(&self, state: &u8, _: usize, out: &mut Vec<u8>) {
        out.push(*state);
    }
}

impl Hosted for Puzzle {}

impl Explain for Puzzle {}
