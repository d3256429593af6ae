//! King and rook against king on a board of 4 by 4, written by hand: small enough to know all values by forward search.

use std::collections::BTreeMap;

use rulec_core::{
    Events, Explain, Fault, Game, GameInfo, Hosted, Identities, Interval, MoveArgs, MoveList,
    Notation, Observe, Observer, OpenPlay, Outcome, Plane, Reason, StateText, TextError, Turn,
    text::Scan,
};

use super::*;
use crate::{State, endgames::frame::Room, hide, start};

const SIDE: i8 = 4;
const CELLS: usize = 16;
const NAMES: &[&str] = &["white king", "white rook", "black king"];
const PLACES: &[&str] = &[
    "a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3", "a4", "b4", "c4", "d4",
];
const PLANES: &[Plane] = &[
    Plane {
        name: "board",
        cells: CELLS,
        values: Interval { min: 0, max: 3 },
    },
    Plane {
        name: "turn",
        cells: 1,
        values: Interval { min: 1, max: 2 },
    },
    Plane {
        name: "moved just now",
        cells: CELLS,
        values: Interval { min: 0, max: 1 },
    },
];

/// The game.
struct Rook(GameInfo);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Board {
    cells: [u8; CELLS],
    player: usize,
    /// Where what moved last stands now; nothing that matters.
    last: Option<usize>,
    end: Option<Outcome>,
}

impl Board {
    fn owner(&self, at: usize) -> Option<usize> {
        match self.cells[at] {
            0 => None,
            3 => Some(1),
            _ => Some(0),
        }
    }

    /// Where something may go, whether that exposes a king or not.
    fn targets(&self, from: usize) -> Vec<usize> {
        let mut targets = Vec::new();
        let (x, y) = (from as i8 % SIDE, from as i8 / SIDE);
        let rook = self.cells[from] == 2;
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            if (dx, dy) == (0, 0) || rook && dx != 0 && dy != 0 {
                continue;
            }
            for far in 1..=if rook { SIDE } else { 1 } {
                let (x, y) = (x + dx * far, y + dy * far);
                if !(0..SIDE).contains(&x) || !(0..SIDE).contains(&y) {
                    break;
                }
                let to = (y * SIDE + x) as usize;
                if self.owner(to) != self.owner(from) {
                    targets.push(to);
                }
                if self.cells[to] != 0 {
                    break;
                }
            }
        }
        targets
    }

    fn is_attacked(&self, player: usize) -> bool {
        let king = if player == 0 { 1 } else { 3 };
        let Some(king) = self.cells.iter().position(|cell| *cell == king) else {
            return false;
        };
        (0..CELLS).any(|at| self.owner(at) == Some(1 - player) && self.targets(at).contains(&king))
    }

    fn moved(&self, from: usize, to: usize) -> Board {
        let mut next = self.clone();
        next.cells[to] = std::mem::take(&mut next.cells[from]);
        next.player = 1 - self.player;
        next.last = Some(to);
        next
    }

    fn moves(&self) -> Vec<u16> {
        if self.end.is_some() {
            return Vec::new();
        }
        let own = (0..CELLS).filter(|at| self.owner(*at) == Some(self.player));
        let all = own.flat_map(|from| self.targets(from).into_iter().map(move |to| (from, to)));
        all.filter(|(from, to)| !self.moved(*from, *to).is_attacked(self.player))
            .map(|(from, to)| (from * CELLS + to) as u16)
            .collect()
    }
}

impl Game for Rook {
    type State = Board;
    type Move = u16;

    fn info(&self) -> &GameInfo {
        &self.0
    }

    fn initial(&self) -> Board {
        let mut cells = [0; CELLS];
        (cells[0], cells[2], cells[13]) = (1, 2, 3);
        Board {
            cells,
            player: 0,
            last: None,
            end: None,
        }
    }

    fn turn(&self, board: &Board) -> Turn {
        match board.end {
            Some(_) => Turn::Over,
            None => Turn::Decide(1 << board.player),
        }
    }

    fn legal_moves(&self, board: &Board, out: &mut MoveList<u16>) -> Result<(), Fault> {
        out.extend(board.moves());
        Ok(())
    }

    fn play<E: Events>(&self, board: &mut Board, mv: u16, _: &mut E) {
        *board = board.moved(usize::from(mv) / CELLS, usize::from(mv) % CELLS);
        if board.moves().is_empty() {
            board.end = Some(match board.is_attacked(board.player) {
                true => Outcome::win(1 - board.player),
                false => Outcome::nobody(Reason::Draw),
            });
        }
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        board.end
    }

    fn move_code(&self, mv: u16) -> u64 {
        mv.into()
    }

    fn move_from_code(&self, code: u64) -> Option<u16> {
        u16::try_from(code).ok()
    }

    fn write_move(&self, mv: u16, out: &mut String) {
        out.push_str(&mv.to_string());
    }
}

impl OpenPlay for Rook {}

impl MoveArgs for Rook {}

impl Notation for Rook {}

impl StateText for Rook {
    fn write_state(&self, board: &Board, out: &mut String) {
        let name = |cell: &u8| match cell {
            0 => "-",
            cell => NAMES[usize::from(*cell) - 1],
        };
        let cells: Vec<&str> = board.cells.iter().map(name).collect();
        let last = board.last.map_or("", |at| PLACES[at]);
        out.push_str(&format!(
            "{} | {} | last={{{last}}}",
            board.player,
            cells.join(",")
        ));
    }

    fn parse_state(&self, text: &str) -> Result<Board, TextError> {
        let mut parts = text.split(" | ");
        let player = usize::from(parts.next() == Some("1"));
        let mut board = Board {
            player,
            cells: [0; CELLS],
            last: None,
            end: None,
        };
        let list = parts
            .next()
            .ok_or_else(|| Scan::new(text).expected("a list"))?
            .split(',');
        for (cell, name) in board.cells.iter_mut().zip(list) {
            let at = NAMES.iter().position(|known| *known == name);
            *cell = at.map_or(0, |at| at as u8 + 1);
        }
        // Whether that is a mate no text tells.
        board.end = board
            .moves()
            .is_empty()
            .then_some(Outcome::nobody(Reason::Stuck));
        Ok(board)
    }
}

impl Observe for Rook {
    fn observe(&self, board: &Board, out: &mut impl Observer) {
        board.cells.iter().for_each(|&cell| out.value(cell.into()));
        out.value(board.player as i64 + 1);
        out.members(CELLS, board.last.into_iter());
    }
}

impl Identities for Rook {}

impl Hosted for Rook {}

impl Explain for Rook {}

fn game() -> Rook {
    Rook(GameInfo {
        name: "rook",
        rules_sha256: "abc",
        players: &["white", "black"],
        pieces: NAMES,
        places: PLACES,
        planes: PLANES,
        identities: &["full"],
        state_bytes: size_of::<Board>(),
        ..GameInfo::EMPTY
    })
}

const SETTINGS: Settings = Settings {
    memory: 1 << 26,
    threads: 2,
    seed: 1,
};

fn wish() -> Wish {
    Wish::Of(NAMES.iter().map(|&name| name.to_owned()).collect())
}

fn made(game: &Rook) -> Endgames {
    let mut telling = |_: &str, _: u64, _: u64| true;
    let known = Endgames::default();
    let state = start(game);
    make(
        &*state,
        &[wish()],
        known,
        &SETTINGS,
        &mut telling,
        &mut |_, _| Ok(()),
    )
    .unwrap()
}

/// The values of all positions, by going over all of them again and again.
fn truth(game: &Rook) -> BTreeMap<([u8; CELLS], usize), Value> {
    let mut boards = Vec::new();
    let places = (0..CELLS).flat_map(|k| (0..CELLS).map(move |r| (k, r)));
    for (k, r, b) in places.flat_map(|(k, r)| (0..CELLS).map(move |b| (k, r, b))) {
        // The rook may be gone.
        if k == b || r == b {
            continue;
        }
        let mut cells = [0; CELLS];
        (cells[r], cells[b]) = (2, 3);
        cells[k] = 1;
        for player in 0..2 {
            let board = Board {
                cells,
                player,
                last: None,
                end: None,
            };
            if !board.is_attacked(1 - player) {
                boards.push(board);
            }
        }
    }
    let mut values = BTreeMap::new();
    for plies in 0..200 {
        let mut new = Vec::new();
        for board in &boards {
            let key = (board.cells, board.player);
            if values.contains_key(&key) {
                continue;
            }
            let moves = board.moves();
            if moves.is_empty() && board.is_attacked(board.player) && plies == 0 {
                new.push((key, Value::win(1 - board.player as u8, 0)));
            }
            let after = moves.iter().map(|mv| {
                let mut next = board.clone();
                game.play(&mut next, *mv, &mut rulec_core::Silent);
                values.get(&(next.cells, next.player)).copied()
            });
            let after: Vec<Option<Value>> = after.collect();
            let won = |value: &Option<Value>| matches!(value, Some(Value::Win { player, .. }) if usize::from(*player) == board.player);
            let lost = |value: &Option<Value>| value.is_some() && !won(value);
            if after.iter().any(won) {
                new.push((key, Value::win(board.player as u8, plies)));
            } else if !after.is_empty() && after.iter().all(lost) {
                new.push((key, Value::win(1 - board.player as u8, plies)));
            }
        }
        if new.is_empty() {
            break;
        }
        values.extend(new);
    }
    for board in boards {
        values
            .entry((board.cells, board.player))
            .or_insert(Value::Draw);
    }
    values
}

#[test]
fn every_value_is_that_of_forward_search() {
    let game = game();
    let tables = made(&game);
    let names: Vec<String> = tables.tables().map(Table::name).collect();
    assert_eq!(
        names,
        [
            "white king, black king",
            "white king, white rook, black king"
        ]
    );
    let truth = truth(&game);
    let mut compared = 0;
    for table in tables.tables() {
        let mut pieces = Vec::new();
        for number in 0..table.len() {
            let (turn, apart) = table.placement(number, &mut pieces);
            let mut cells = [0; CELLS];
            for (content, place) in &pieces {
                cells[usize::from(*place)] = content + 1;
            }
            let told = table.at(number);
            let true_value = truth.get(&(cells, turn)).filter(|_| apart);
            let board = hide(
                &game,
                Board {
                    cells,
                    player: turn,
                    last: None,
                    end: None,
                },
            );
            assert_eq!(
                told,
                true_value.copied().unwrap_or(Value::None),
                "{}",
                board.text()
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * (256 + 4096));
    let counts = tables.tables().nth(1).unwrap().counts();
    assert_eq!(counts[0].drawn, 0);
    assert!(
        counts[0].longest[0]
            .as_ref()
            .is_some_and(|(plies, _)| plies % 2 == 1)
    );
}

#[test]
fn what_is_looked_up_is_what_the_table_says_whatever_moved_last() {
    let game = game();
    let tables = made(&game);
    let mut probe = Probe::default();
    let state: State<'_> = start(&game);
    let first = tables.look(&*state, &mut probe).unwrap();
    let Value::Win { player: 0, plies } = first else {
        panic!("{first:?}");
    };
    // Following the table leads to the end in so many plies.
    let mut at = state.fork();
    for left in (0..plies).rev() {
        let mut moves = Vec::new();
        at.moves(rulec_core::ChoiceSet::All, &mut moves).unwrap();
        let next = moves.into_iter().find_map(|code| {
            let mut next = at.fork();
            next.play(code, None);
            let value = match next.outcome() {
                Some(end) => end.is_won().then_some(Value::win(0, 0)),
                None => tables.look(&*next, &mut probe),
            };
            (value == Some(Value::win(0, left))).then_some(next)
        });
        at = next.unwrap();
    }
    assert_eq!(at.outcome(), Some(Outcome::win(0)));
}

#[test]
fn checking_finds_what_is_wrong() {
    let game = game();
    let state = start(&game);
    let mut telling = |_: &str, _: u64, _: u64| true;
    let checked = check(&*state, &made(&game), u64::MAX, 1, &mut telling).unwrap();
    assert!(
        checked.positions > 2000 && checked.moves > 10_000,
        "{checked:?}"
    );
    let frame = made(&game).frame().unwrap().clone();
    let mut tables = made(&game).into_tables();
    let class = tables.keys().next_back().unwrap().clone();
    let table = &tables[&class];
    let mut values: Vec<Value> = (0..table.len()).map(|number| table.at(number)).collect();
    let wrong = values
        .iter()
        .position(|v| matches!(v, Value::Win { plies: 3, .. }))
        .unwrap();
    values[wrong] = Value::win(0, 5);
    let numbering = class::Numbering::new(&class, CELLS).unwrap();
    let ignored = table.ignored().to_vec();
    let damaged = Table::new(
        &frame,
        state.info(),
        (&class, &numbering),
        &ignored,
        &values,
    );
    tables.insert(class, damaged);
    let refused = check(&*state, &Endgames::of(tables), u64::MAX, 1, &mut telling);
    assert!(refused.unwrap_err().contains("is said to be"));
}

#[test]
fn files_are_read_back_and_damaged_ones_refused() {
    let game = game();
    let folder = std::env::temp_dir().join(format!("rulec-endgames-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let tables = made(&game);
    for table in tables.tables() {
        table.write(&folder.join(table.file_name())).unwrap();
    }
    let read = Endgames::read(&folder, game.info()).unwrap();
    for (one, other) in tables.tables().zip(read.tables()) {
        assert_eq!(one.name(), other.name());
        assert!((0..one.len()).all(|number| one.at(number) == other.at(number)));
        assert_eq!((&one.frame, one.ignored()), (&other.frame, other.ignored()));
    }
    let other = GameInfo {
        rules_sha256: "other",
        ..game.info().clone()
    };
    let refused = Endgames::read(&folder, &other).err().unwrap();
    assert!(refused.contains("other rules"), "{refused}");
    let path = folder.join(tables.tables().next().unwrap().file_name());
    let bytes = std::fs::read(&path).unwrap();
    for at in [0, 9, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        assert!(Table::read(&path, game.info()).is_err(), "{at}");
    }
    std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    assert!(Table::read(&path, game.info()).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_wrong_is_told() {
    let game = game();
    let state = start(&game);
    let ask = |wish: Wish, memory: u64| {
        let settings = Settings { memory, ..SETTINGS };
        let mut telling = |_: &str, _: u64, _: u64| true;
        let known = Endgames::default();
        make(
            &*state,
            &[wish],
            known,
            &settings,
            &mut telling,
            &mut |_, _| Ok(()),
        )
        .err()
    };
    let names = |names: &[&str]| Wish::Of(names.iter().map(|&name| name.to_owned()).collect());
    assert!(matches!(
        ask(names(&["white duke"]), 1 << 26),
        Some(Error::NoContent(..))
    ));
    assert!(matches!(
        ask(names(&["white king"]), 1 << 26),
        Some(Error::Missing(..))
    ));
    assert!(matches!(ask(wish(), 1000), Some(Error::Memory { .. })));
    assert_eq!(ask(Wish::UpTo(3), 1 << 26), None);
    let mut room = Room::default();
    let frame = Frame::learn(&*state, 1).unwrap();
    assert_eq!(frame.always, [1, 0, 1]);
    frame.look(&*state, &mut room);
    assert_eq!(room.pieces, [(0, 0), (1, 2), (2, 13)]);
}
