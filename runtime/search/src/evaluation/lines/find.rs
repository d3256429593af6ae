//! Looking for the lines of a game: rows of places that were full at the end of games that somebody won, and hardly ever before.

use std::collections::BTreeMap;

use rulec_core::GameInfo;

use super::{Lines, NOBODY};
use crate::evaluation::{PlaneWeights, mirror::two_numbers};

/// Lines of fewer places are none, and of more are not looked for.
const LENGTHS: std::ops::RangeInclusive<i64> = 3..=8;
/// The ways that lines go.
const WAYS: [(i64, i64); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
/// Games that must have ended with a line of one way, and the part of those that somebody won that must have ended with any.
const ENDED: (usize, f64) = (3, 0.25);
/// The part of the positions of games that went on in which a line is full at most: rules may ask for more than a full line.
const WENT_ON: f64 = 0.002;

/// What stands on the places of a position: a side for each.
type Board = Vec<u8>;

/// The lines by which games were won, where names of places tell how they lie.
pub(in crate::evaluation) fn find(
    info: &GameInfo,
    planes: &[PlaneWeights],
    sides: Vec<Vec<u8>>,
    ends: &[(Vec<(u32, f64)>, u8)],
    others: &[&[(u32, f64)]],
) -> Option<Lines> {
    let grid = Grid::of(info);
    let shown = planes
        .iter()
        .zip(&sides)
        .filter(|(_, sides)| !sides.is_empty());
    if grid.0.is_empty() || ends.is_empty() || shown.count() == 0 {
        return None;
    }
    let board = |places: &[(u32, f64)]| board(planes, &sides, info.places.len(), places);
    let ends: Vec<(Board, u8)> = ends.iter().map(|(end, won)| (board(end), *won)).collect();
    let others: Vec<Board> = others.iter().map(|places| board(places)).collect();
    let lines = LENGTHS.into_iter().find_map(|length| {
        let ways = WAYS.map(|way| grid.lines(way, length));
        let fits = |lines: &&Vec<Vec<u32>>| {
            let won = ends.iter().filter(|(end, won)| is_full(end, *won, lines));
            let went_on = |board: &&Board| [1, 2].iter().any(|side| is_full(board, *side, lines));
            let most = WENT_ON * others.len() as f64;
            won.count() >= ENDED.0 && others.iter().filter(went_on).count() as f64 <= most
        };
        let all: Vec<Vec<u32>> = ways.iter().filter(fits).flatten().cloned().collect();
        let won = ends.iter().filter(|(end, won)| is_full(end, *won, &all));
        (won.count() as f64 >= ENDED.1 * ends.len() as f64 && !all.is_empty()).then_some(all)
    })?;
    Some(Lines::new(lines, sides).prepared(planes))
}

/// Whether somebody has something on all places of a line.
fn is_full(board: &Board, side: u8, lines: &[Vec<u32>]) -> bool {
    let his = |place: &u32| board.get(*place as usize) == Some(&side);
    lines.iter().any(|line| line.iter().all(his))
}

/// What a position shows of lines.
#[derive(Clone, Debug, Default)]
pub(in crate::evaluation) struct Seen {
    /// For each number of a side's things, from one on, how many more lines with so many and none of the other's the first player has.
    pub(in crate::evaluation) open: Vec<f64>,
    /// For each line that lacks one thing of a player, and has none of the other's, who that is and which place it lacks.
    pub(in crate::evaluation) holes: Vec<(usize, u32)>,
}

/// What a position shows of lines, told by what stands where.
pub(in crate::evaluation) fn seen(
    lines: &Lines,
    planes: &[PlaneWeights],
    told: &[(u32, f64)],
) -> Seen {
    let last = lines.lines.iter().flatten().max();
    let places = last.map_or(0, |last| *last as usize + 1);
    let board = board(planes, &lines.sides, places, told);
    let mut seen = Seen {
        open: vec![0.0; lines.weights.len()],
        holes: Vec::new(),
    };
    for line in &lines.lines {
        let of = |side: u8| {
            let own = line.iter().filter(|place| board[**place as usize] == side);
            own.count()
        };
        let (number, player) = match (of(1), of(2)) {
            (own, 0) => (own, 0),
            (0, other) => (other, 1),
            _ => continue,
        };
        if let Some(sum) = number.checked_sub(1).and_then(|at| seen.open.get_mut(at)) {
            *sum += if player == 0 { 1.0 } else { -1.0 };
        }
        if number + 1 == line.len() {
            let hole = line.iter().find(|place| board[**place as usize] == NOBODY);
            seen.holes.extend(hole.map(|hole| (player, *hole)));
        }
    }
    seen
}

/// The sides of the places of a position, which is told by what stands where.
fn board(planes: &[PlaneWeights], sides: &[Vec<u8>], places: usize, told: &[(u32, f64)]) -> Board {
    let mut board = vec![NOBODY; places];
    let mut first = 0;
    for (plane, sides) in planes.iter().zip(sides) {
        let values = plane.counts.len();
        let features = first..first + plane.cells * values;
        let own = told
            .iter()
            .filter(|(at, _)| features.contains(&(*at as usize)));
        for (at, _) in own.filter(|_| !sides.is_empty()) {
            let at = *at as usize - first;
            let side = sides.get(at % values).copied().unwrap_or(NOBODY);
            if let Some(place) = board.get_mut(at / values)
                && side != NOBODY
            {
                *place = side;
            }
        }
        first = features.end;
    }
    board
}

/// Places by the boards that they are on, and how they lie there.
struct Grid<'n>(BTreeMap<(&'n str, i64, i64), u32>);

impl<'n> Grid<'n> {
    fn of(info: &'n GameInfo) -> Grid<'n> {
        let places = info.places.iter().enumerate();
        let named = places.filter_map(|(at, name)| {
            let board = name.split_once('(').map_or("", |(board, _)| board);
            let (file, rank) = two_numbers(name)?;
            Some(((board, file, rank), at as u32))
        });
        Grid(named.collect())
    }

    /// All lines of so many places that go one way.
    fn lines(&self, (x, y): (i64, i64), length: i64) -> Vec<Vec<u32>> {
        let from = |(board, file, rank): &(&str, i64, i64)| -> Option<Vec<u32>> {
            let place = |n: i64| {
                let at = (*board, file.checked_add(n * x)?, rank.checked_add(n * y)?);
                self.0.get(&at).copied()
            };
            (0..length).map(place).collect()
        };
        self.0.keys().filter_map(from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PLACES: [&str; 26] = [
        "b(1,1)", "b(2,1)", "b(3,1)", "b(4,1)", "b(5,1)", "b(1,2)", "b(2,2)", "b(3,2)", "b(4,2)",
        "b(5,2)", "b(1,3)", "b(2,3)", "b(3,3)", "b(4,3)", "b(5,3)", "b(1,4)", "b(2,4)", "b(3,4)",
        "b(4,4)", "b(5,4)", "b(1,5)", "b(2,5)", "b(3,5)", "b(4,5)", "b(5,5)", "tray",
    ];

    /// What stands on some places, of the first player and of the second one.
    fn told(own: &[u32], others: &[u32]) -> Vec<(u32, f64)> {
        let first = |place: &u32| (2 * place + 1, 1.0);
        let second = |place: &u32| (52 + 2 * place + 1, 1.0);
        own.iter()
            .map(first)
            .chain(others.iter().map(second))
            .collect()
    }

    fn found(ends: &[(Vec<(u32, f64)>, u8)], others: &[Vec<(u32, f64)>]) -> Option<Lines> {
        let info = GameInfo {
            places: &PLACES,
            ..GameInfo::EMPTY
        };
        let planes = [PlaneWeights::of_bits(26), PlaneWeights::of_bits(26)];
        let others: Vec<&[(u32, f64)]> = others.iter().map(|told| &told[..]).collect();
        find(&info, &planes, vec![vec![0, 1], vec![0, 2]], ends, &others)
    }

    #[test]
    fn lines_by_which_games_were_won_are_found() {
        // Games end with four in a row or in a diagonal, and three are there before; columns are full without anybody having won.
        let rows = [told(&[5, 6, 7, 8], &[0, 1, 2]), told(&[1, 2, 3, 4], &[10])];
        let diagonals = [told(&[0, 6, 12, 18], &[1]), told(&[6, 12, 18, 24], &[1, 2])];
        let mut ends = Vec::new();
        for told in rows.iter().chain(&diagonals).cycle().take(12) {
            ends.push((told.clone(), 1));
        }
        let going_on = [
            told(&[5, 6, 7], &[0, 1, 2]),
            told(&[0, 5, 10, 15], &[6, 12, 18]),
        ];
        let lines = found(&ends, &going_on).expect("there are some");
        assert!(lines.lines.contains(&vec![5, 6, 7, 8]));
        assert!(lines.lines.contains(&vec![0, 6, 12, 18]));
        assert!(lines.lines.iter().all(|line| line.len() == 4));
        // Ten rows, four diagonals of one way; the other way and columns ended no game.
        assert_eq!(lines.lines.len(), 14);
        let own = seen(
            &lines,
            &[PlaneWeights::of_bits(26), PlaneWeights::of_bits(26)],
            &going_on[0],
        );
        assert_eq!(own.holes, [(1, 3), (0, 8)]);
    }

    #[test]
    fn lines_that_games_go_on_with_are_none() {
        let full = told(&[5, 6, 7, 8], &[0]);
        let ends = vec![(full.clone(), 1); 12];
        assert_eq!(found(&ends, &vec![full; 12]), None);
        assert_eq!(found(&[], &[]), None);
    }
}
