//! Tic-tac-toe written by hand: the smallest complete example of the contract of a game.

use rulec_core::{
    ChanceList, Event, Events, Explain, Fault, Game, GameInfo, Hosted, Identities, Interval,
    KeyHasher, MoveArgs, MoveFamily, MoveList, Notation, Observe, Observer, OpenPlay, Outcome,
    Plane, Reason, StateText, TextError, Turn,
    bits::bits64,
    text::{Scan, name},
};

/// The game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TicTacToe;

/// The cells of both players, a bit each; cross begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    cells: [u16; 2],
}

const FULL: u16 = 0x1ff;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const CELLS: [&str; 9] = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

static INFO: GameInfo = GameInfo {
    name: "Tic-tac-toe",
    language: "rust",
    players: &["cross", "nought"],
    families: &[MoveFamily {
        name: "put",
        params: &["cell"],
        origin: "game.rs:1",
    }],
    move_count: 9,
    pieces: &["cross", "nought"],
    places: &CELLS,
    identities: &["canonical", "full"],
    planes: &[plane("cross"), plane("nought")],
    state_bytes: 4,
    ..GameInfo::EMPTY
};

const fn plane(name: &'static str) -> Plane {
    Plane {
        name,
        cells: 9,
        values: Interval { min: 0, max: 1 },
    }
}

impl State {
    fn free(self) -> u16 {
        FULL & !(self.cells[0] | self.cells[1])
    }

    fn mover(self) -> usize {
        ((self.cells[0] | self.cells[1]).count_ones() % 2) as usize
    }

    fn has_line(self, player: usize) -> bool {
        LINES.iter().any(|line| self.cells[player] & line == *line)
    }
}

impl Game for TicTacToe {
    type State = State;
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn initial(&self) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        match self.outcome(state) {
            Some(_) => Turn::Over,
            None => Turn::Decide(1 << state.mover()),
        }
    }

    fn legal_moves(&self, state: &State, out: &mut MoveList<u8>) -> Result<(), Fault> {
        if self.outcome(state).is_none() {
            out.extend(bits64(state.free().into()).map(|cell| cell as u8));
        }
        Ok(())
    }

    fn distinct_moves(&self, state: &State, out: &mut MoveList<u8>) -> Result<(), Fault> {
        self.legal_moves(state, out)
    }

    fn chance_outcomes(&self, _: &State, _: &mut ChanceList<u8>) {}

    fn play<E: Events>(&self, state: &mut State, mv: u8, events: &mut E) {
        let mover = state.mover();
        state.cells[mover] |= 1 << mv;
        if E::ACTIVE {
            events.event(Event::Placed {
                piece: mover as u32,
                at: mv.into(),
            });
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = 1 - state.mover();
        match state.has_line(last) {
            true => Some(Outcome::win(last)),
            false => (state.free() == 0).then_some(Outcome::nobody(Reason::Stuck)),
        }
    }

    fn player(&self, state: &State) -> Option<usize> {
        Some(state.mover())
    }

    fn scores(&self, _: &State, _: &mut Vec<i64>) {}

    fn key(&self, state: &State) -> u64 {
        let [cross, nought] = state.cells.map(u64::from);
        KeyHasher::new().word(cross << 16 | nought).value()
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_code(&self, mv: u8) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u8> {
        u8::try_from(code).ok().filter(|cell| *cell < 9)
    }

    fn write_move(&self, mv: u8, out: &mut String) {
        name(out, &CELLS, mv.into());
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<u8>) {
        out.extend(
            CELLS
                .iter()
                .position(|cell| *cell == text)
                .map(|cell| cell as u8),
        );
    }
}

impl OpenPlay for TicTacToe {}

impl MoveArgs for TicTacToe {
    fn move_args(&self, mv: u8, args: &mut Vec<i64>) -> usize {
        args.push(mv.into());
        0
    }
}

impl Notation for TicTacToe {}

impl StateText for TicTacToe {
    fn write_state(&self, state: &State, out: &mut String) {
        for cell in 0..9 {
            let marks = [(state.cells[0], 'x'), (state.cells[1], 'o')];
            let mark = marks.iter().find(|(cells, _)| cells >> cell & 1 == 1);
            out.push(mark.map_or('.', |(_, mark)| *mark));
            if cell % 3 == 2 && cell < 8 {
                out.push('/');
            }
        }
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let mut scan = Scan::new(text);
        let mut state = State::default();
        for cell in 0..9 {
            match scan.name(&["x", "o", "."])? {
                2 => {}
                player => state.cells[player] |= 1 << cell,
            }
            if cell % 3 == 2 && cell < 8 {
                scan.lit("/")?;
            }
        }
        scan.end()?;
        let [cross, nought] = state.cells.map(u16::count_ones);
        match cross == nought || cross == nought + 1 {
            true => Ok(state),
            false => Err(scan.expected("as many crosses as noughts, or one more")),
        }
    }
}

impl Observe for TicTacToe {
    fn observe(&self, state: &State, out: &mut impl Observer) {
        for cells in state.cells {
            out.members(9, (0..9).filter(|cell| cells >> cell & 1 == 1));
        }
    }
}

impl Identities for TicTacToe {
    fn identity(&self, state: &State, _: usize, out: &mut Vec<u8>) {
        out.extend(state.cells.iter().flat_map(|cells| cells.to_le_bytes()));
    }
}

impl Hosted for TicTacToe {}

impl Explain for TicTacToe {}
