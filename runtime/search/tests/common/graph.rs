//! Positions joined by random moves for two players, in which play may come to the same position again and again.

use rulec_core::{
    ChanceList, Events, Explain, Fault, Game, GameInfo, Hosted, Identities, KeyHasher, MoveArgs,
    MoveFamily, MoveList, Notation, Observe, OpenPlay, Outcome, Reason, Rng, StateText, TextError,
    Turn,
    text::{Scan, int},
};

/// What stands at a place: who is on turn and where his moves lead, or how the game ends.
#[derive(Clone, Debug)]
enum Spot {
    Choice(usize, Vec<usize>),
    End(Option<usize>),
}

/// Play begins at place 0.
pub(crate) struct Graph {
    info: GameInfo,
    spots: Vec<Spot>,
}

static FAMILIES: [MoveFamily; 1] = [MoveFamily {
    name: "go",
    params: &["to"],
    origin: "graph.rs:1",
}];

impl Graph {
    /// A graph of so many places; a third of them are ends.
    pub(crate) fn random(places: usize, rng: &mut Rng) -> Self {
        let mut below = |n: usize| rng.below(n as u32) as usize;
        let mut spot = |place: usize| match below(3) {
            0 if place > 0 => Spot::End([Some(0), Some(1), None][below(3)]),
            _ => {
                let moves = 1 + below(3);
                let mut to: Vec<usize> = (0..moves).map(|_| below(places)).collect();
                to.sort_unstable();
                to.dedup();
                Spot::Choice(below(2), to)
            }
        };
        Self {
            spots: (0..places).map(&mut spot).collect(),
            info: GameInfo {
                name: "Graph",
                language: "rust",
                rules_sha256: "graph",
                players: &["a", "b"],
                families: &FAMILIES,
                move_count: places,
                identities: &["canonical", "full"],
                ..GameInfo::EMPTY
            },
        }
    }
}

impl Game for Graph {
    type State = usize;
    type Move = usize;

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn initial(&self) -> usize {
        0
    }

    fn turn(&self, state: &usize) -> Turn {
        match &self.spots[*state] {
            Spot::Choice(player, _) => Turn::Decide(1 << player),
            Spot::End(_) => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &usize, out: &mut MoveList<usize>) -> Result<(), Fault> {
        if let Spot::Choice(_, to) = &self.spots[*state] {
            out.extend(to.iter().copied());
        }
        Ok(())
    }

    fn distinct_moves(&self, state: &usize, out: &mut MoveList<usize>) -> Result<(), Fault> {
        self.legal_moves(state, out)
    }

    fn chance_outcomes(&self, _: &usize, _: &mut ChanceList<usize>) {}

    fn play<E: Events>(&self, state: &mut usize, mv: usize, _: &mut E) {
        *state = mv;
    }

    fn outcome(&self, state: &usize) -> Option<Outcome> {
        match self.spots[*state] {
            Spot::Choice(..) => None,
            Spot::End(Some(winner)) => Some(Outcome::win(winner)),
            Spot::End(None) => Some(Outcome::nobody(Reason::Draw)),
        }
    }

    fn scores(&self, _: &usize, _: &mut Vec<i64>) {}

    fn key(&self, state: &usize) -> u64 {
        KeyHasher::new().word(*state as u64).value()
    }

    fn move_index(&self, mv: usize) -> usize {
        mv
    }

    fn move_code(&self, mv: usize) -> u64 {
        mv as u64
    }

    fn move_from_code(&self, code: u64) -> Option<usize> {
        usize::try_from(code)
            .ok()
            .filter(|to| *to < self.spots.len())
    }

    fn write_move(&self, mv: usize, out: &mut String) {
        int(out, mv as i64);
    }

    fn parse_move(&self, text: &str, out: &mut MoveList<usize>) {
        out.extend(text.parse().ok().and_then(|code| self.move_from_code(code)));
    }
}

impl OpenPlay for Graph {}

impl MoveArgs for Graph {
    fn move_args(&self, mv: usize, args: &mut Vec<i64>) -> usize {
        args.push(mv as i64);
        0
    }
}

impl Notation for Graph {}

impl StateText for Graph {
    fn write_state(&self, state: &usize, out: &mut String) {
        int(out, *state as i64);
    }

    fn parse_state(&self, text: &str) -> Result<usize, TextError> {
        let mut scan = Scan::new(text);
        let place = scan.int_in(0, self.spots.len() as i64 - 1)? as usize;
        scan.end()?;
        Ok(place)
    }
}

impl Observe for Graph {}

impl Identities for Graph {
    fn identity(&self, state: &usize, _: usize, out: &mut Vec<u8>) {
        out.extend((*state as u64).to_le_bytes());
    }
}

impl Hosted for Graph {}

impl Explain for Graph {}
