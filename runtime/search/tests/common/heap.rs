//! A heap of sticks for any number of players, in which a player may move several times in a row.

use rulec_core::{
    ChanceList, Events, Explain, Fault, Game, GameInfo, Hosted, Identities, KeyHasher, MoveArgs,
    MoveFamily, MoveList, Notation, Observe, OpenPlay, Outcome, StateText, TextError, Turn,
    text::{Scan, int},
};

/// Who is on turn takes one, two or three sticks; after one stick that leaves a multiple of three he is on turn again. Whoever
/// takes the last ones wins, but nobody does if it was a single one.
pub(crate) struct Heap {
    info: GameInfo,
    sticks: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HeapState {
    pub(crate) left: u8,
    pub(crate) player: u8,
    /// Who took the last stick, and whether that was a win.
    end: Option<Option<u8>>,
}

static FAMILIES: [MoveFamily; 1] = [MoveFamily {
    name: "take",
    params: &["count"],
    origin: "heap.rs:1",
}];

const PLAYERS: [&str; 4] = ["a", "b", "c", "d"];

impl Heap {
    pub(crate) fn new(players: usize, sticks: u8) -> Self {
        let info = GameInfo {
            name: "Heap",
            language: "rust",
            rules_sha256: "heap",
            players: &PLAYERS[..players],
            families: &FAMILIES,
            move_count: 4,
            identities: &["canonical", "full"],
            ..GameInfo::EMPTY
        };
        Self { info, sticks }
    }

    pub(crate) fn at(&self, left: u8, player: u8) -> HeapState {
        let end = None;
        HeapState { left, player, end }
    }
}

impl Game for Heap {
    type State = HeapState;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn initial(&self) -> HeapState {
        self.at(self.sticks, 0)
    }

    fn turn(&self, state: &HeapState) -> Turn {
        match state.end {
            Some(_) => Turn::Over,
            None => Turn::Decide(1 << state.player),
        }
    }

    fn legal_moves(&self, state: &HeapState, out: &mut MoveList<u8>) -> Result<(), Fault> {
        if state.end.is_none() {
            out.extend(1..=state.left.min(3));
        }
        Ok(())
    }

    fn distinct_moves(&self, state: &HeapState, out: &mut MoveList<u8>) -> Result<(), Fault> {
        self.legal_moves(state, out)
    }

    fn chance_outcomes(&self, _: &HeapState, _: &mut ChanceList<u8>) {}

    fn play<E: Events>(&self, state: &mut HeapState, mv: u8, _: &mut E) {
        let mover = state.player;
        state.left -= mv.min(state.left);
        if state.left == 0 {
            state.end = Some((mv != 1).then_some(mover));
        } else if mv != 1 || !state.left.is_multiple_of(3) {
            state.player = (mover + 1) % self.info.players.len() as u8;
        }
    }

    fn outcome(&self, state: &HeapState) -> Option<Outcome> {
        let draw = Outcome::nobody(rulec_core::Reason::Draw);
        let end = state.end?;
        Some(end.map_or(draw, |winner| Outcome::win(winner.into())))
    }

    fn scores(&self, _: &HeapState, _: &mut Vec<i64>) {}

    fn key(&self, state: &HeapState) -> u64 {
        let end = state.end.map_or(9, |end| end.map_or(8, u64::from));
        KeyHasher::new()
            .word(state.left.into())
            .word(state.player.into())
            .word(end)
            .value()
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_code(&self, mv: u8) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code).ok().filter(|mv| (1..4).contains(mv))
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        int(out, mv.into());
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<u8>) {
        out.extend(text.parse().ok().and_then(|code| self.move_from_code(code)));
    }
}

impl OpenPlay for Heap {}

impl MoveArgs for Heap {
    fn move_args(&self, mv: u8, args: &mut Vec<i64>) -> usize {
        args.push(mv.into());
        0
    }
}

impl Notation for Heap {}

impl StateText for Heap {
    fn write_state(&self, state: &HeapState, out: &mut String) {
        let end = state.end.map_or(9, |end| end.unwrap_or(8));
        out.push_str(&format!("{},{},{end}", state.left, state.player));
    }

    fn parse_state(&self, text: &str) -> Result<HeapState, TextError> {
        let mut scan = Scan::new(text);
        let left = scan.int_in(0, 255)? as u8;
        scan.lit(",")?;
        let player = scan.int_in(0, 3)? as u8;
        scan.lit(",")?;
        let end = match scan.int_in(0, 9)? as u8 {
            9 => None,
            8 => Some(None),
            winner => Some(Some(winner)),
        };
        scan.end()?;
        Ok(HeapState { left, player, end })
    }
}

impl Observe for Heap {}

impl Identities for Heap {
    fn identity(&self, state: &HeapState, _: usize, out: &mut Vec<u8>) {
        let end = state.end.map_or(9, |end| end.unwrap_or(8));
        out.extend([state.left, state.player, end]);
    }
}

impl Hosted for Heap {}

impl Explain for Heap {}
