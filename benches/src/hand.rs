//! Random games written by hand, as fast as plain Rust gets: what compiled rules are compared with.
//!
//! The rules and the distribution of moves are those of the files in `games`. Most games are written twice: with a
//! list of the moves of each ply in a fixed array, and without one.

use rulec_runtime::Rng;
use rulec_runtime::bits::select64;

/// How a random game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Moves played.
    pub plies: u32,
    /// The winner from 1, 0 for nobody.
    pub winner: u32,
}

/// A random set bit of a mask that is not empty.
#[inline(always)]
fn pick(mask: u64, rng: &mut Rng) -> u32 {
    select64(mask, rng.below(mask.count_ones()))
}

/// A random item of the first `len`.
#[inline(always)]
fn any<const N: usize>(list: &[u16; N], len: usize, rng: &mut Rng) -> u16 {
    list[rng.below(len as u32) as usize % N]
}

/// Frogs, three and three on seven pads: two masks, and the moves are at most four shifts.
#[inline(always)]
pub fn frogs(rng: &mut Rng) -> Ended {
    const BOARD: u64 = 0x7f;
    let (mut green, mut red) = (0b000_0111_u64, 0b111_0000_u64);
    let mut plies = 0;
    loop {
        let free = BOARD & !(green | red);
        let taken = green | red;
        let step_up = green & (free >> 1);
        let jump_up = green & (taken >> 1) & (free >> 2);
        let step_down = red & (free << 1);
        let jump_down = red & (taken << 1) & (free << 2);
        // The one free pad makes each kind of move possible once at most.
        let kinds = [step_up, jump_up, step_down, jump_down];
        let possible = kinds
            .iter()
            .enumerate()
            .fold(0, |mask, (kind, from)| mask | u64::from(*from != 0) << kind);
        if possible == 0 {
            return Ended { plies, winner: 0 };
        }
        let kind = pick(possible, rng) as usize;
        let from = kinds[kind];
        match kind {
            0 => green ^= from | from << 1,
            1 => green ^= from | from << 2,
            2 => red ^= from | from >> 1,
            _ => red ^= from | from >> 2,
        }
        plies += 1;
        if red == 0b000_0111 && green == 0b111_0000 {
            return Ended { plies, winner: 1 };
        }
    }
}

/// Whether nine squares hold a line, by the squares.
static LINES: [bool; 512] = lines();

const fn lines() -> [bool; 512] {
    const ALL: [usize; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut table = [false; 512];
    let mut squares = 0;
    while squares < 512 {
        let mut line = 0;
        while line < 8 {
            table[squares] |= squares & ALL[line] == ALL[line];
            line += 1;
        }
        squares += 1;
    }
    table
}

/// Tic-tac-toe: two masks and a table of lines. One random number serves all plies: the low half of its product with the number
/// of free squares is what is left of it for the next.
#[inline(always)]
pub fn tic_tac_toe(rng: &mut Rng) -> Ended {
    let mut number = rng.u64();
    tic_tac_toe_by(|free, count| {
        let product = u128::from(number) * u128::from(count);
        number = product as u64;
        select64(free, (product >> 64) as u32)
    })
}

/// Tic-tac-toe with a list of the moves.
#[inline(always)]
pub fn tic_tac_toe_listed(rng: &mut Rng) -> Ended {
    tic_tac_toe_by(|mut free, _| {
        let (mut list, mut len) = ([0u16; 16], 0);
        while free != 0 {
            list[len & 15] = free.trailing_zeros() as u16;
            len += 1;
            free &= free - 1;
        }
        u32::from(any(&list, len, rng))
    })
}

#[inline(always)]
fn tic_tac_toe_by(mut choose: impl FnMut(u64, u32) -> u32) -> Ended {
    let (mut mine, mut other, mut free) = (0u64, 0u64, 0o777);
    for plies in 1..=9 {
        let square = 1 << choose(free, 10 - plies);
        mine |= square;
        free ^= square;
        if LINES[mine as usize & 511] {
            let winner = 2 - plies % 2;
            return Ended { plies, winner };
        }
        (mine, other) = (other, mine);
    }
    Ended {
        plies: 9,
        winner: 0,
    }
}

/// Connect four: columns of seven bits, of which the highest stays free; a disc falls where adding one to its column carries.
#[inline(always)]
pub fn connect_four(rng: &mut Rng) -> Ended {
    connect_four_by(rng, pick)
}

/// Connect four with a list of the moves.
#[inline(always)]
pub fn connect_four_listed(rng: &mut Rng) -> Ended {
    connect_four_by(rng, |mut holes, rng| {
        let (mut list, mut len) = ([0u16; 8], 0);
        while holes != 0 {
            list[len & 7] = holes.trailing_zeros() as u16;
            len += 1;
            holes &= holes - 1;
        }
        u32::from(any(&list, len, rng))
    })
}

#[inline(always)]
fn connect_four_by(rng: &mut Rng, choose: impl Fn(u64, &mut Rng) -> u32) -> Ended {
    const LOWEST: u64 = 0x0408_1020_4081;
    const BOARD: u64 = LOWEST * 0x3f;
    let four = |discs: u64| {
        let row = |step: u32| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step)
        };
        row(1) | row(6) | row(7) | row(8) != 0
    };
    let (mut mine, mut other) = (0u64, 0u64);
    for plies in 1..=42 {
        let holes = ((mine | other) + LOWEST) & BOARD;
        mine |= 1 << choose(holes, rng);
        if four(mine) {
            let winner = 2 - plies % 2;
            return Ended { plies, winner };
        }
        (mine, other) = (other, mine);
    }
    Ended {
        plies: 42,
        winner: 0,
    }
}

const FIRST_RANK: u64 = 0xff;
const LAST_RANK: u64 = 0xff << 56;

/// The targets of the men of the player who goes up (or down), step by step, and how far each step goes.
#[inline(always)]
fn man_steps<const UP: bool>(mine: u64, other: u64) -> [(u64, i32); 3] {
    let free = !(mine | other);
    match UP {
        true => [
            (mine << 8 & free, 8),
            ((mine & NOT_LEFT) << 7 & !mine, 7),
            ((mine & NOT_RIGHT) << 9 & !mine, 9),
        ],
        false => [
            (mine >> 8 & free, -8),
            ((mine & NOT_RIGHT) >> 7 & !mine, -7),
            ((mine & NOT_LEFT) >> 9 & !mine, -9),
        ],
    }
}

/// The targets of knights that only go forward, step by step.
#[inline(always)]
fn knight_steps<const UP: bool>(mine: u64, _other: u64) -> [(u64, i32); 4] {
    const NOT_TWO_LEFT: u64 = NOT_LEFT & NOT_LEFT << 1;
    const NOT_TWO_RIGHT: u64 = NOT_RIGHT & NOT_RIGHT >> 1;
    match UP {
        true => [
            ((mine & NOT_LEFT) << 15 & !mine, 15),
            ((mine & NOT_RIGHT) << 17 & !mine, 17),
            ((mine & NOT_TWO_LEFT) << 6 & !mine, 6),
            ((mine & NOT_TWO_RIGHT) << 10 & !mine, 10),
        ],
        false => [
            ((mine & NOT_RIGHT) >> 15 & !mine, -15),
            ((mine & NOT_LEFT) >> 17 & !mine, -17),
            ((mine & NOT_TWO_RIGHT) >> 6 & !mine, -6),
            ((mine & NOT_TWO_LEFT) >> 10 & !mine, -10),
        ],
    }
}

/// A random move from counts, without a branch: its target, and how far it goes.
#[inline(always)]
fn count_and_pick<const N: usize>(steps: [(u64, i32); N], rng: &mut Rng) -> Option<(u64, i32)> {
    let mut total = 0;
    let before = steps.map(|(targets, _)| {
        let before = total;
        total += targets.count_ones();
        before
    });
    if total == 0 {
        return None;
    }
    let number = rng.below(total);
    let (mut found, mut below) = (steps[0], 0);
    for (step, before) in steps.into_iter().zip(before) {
        if number >= before {
            (found, below) = (step, before);
        }
    }
    let (targets, by) = found;
    Some((1 << select64(targets, number - below), by))
}

/// A random move from a list.
#[inline(always)]
fn list_and_pick<const N: usize>(steps: [(u64, i32); N], rng: &mut Rng) -> Option<(u64, i32)> {
    let (mut list, mut len) = ([0u16; 128], 0);
    for (mut targets, by) in steps {
        while targets != 0 {
            let to = targets.trailing_zeros() as i32;
            list[len & 127] = (to | (to - by) << 8) as u16;
            len += 1;
            targets &= targets - 1;
        }
    }
    if len == 0 {
        return None;
    }
    let found = i32::from(any(&list, len, rng));
    Some((1 << (found & 255), (found & 255) - (found >> 8)))
}

/// A race to the other side: who moves there wins, and who cannot move loses.
#[inline(always)]
fn race<const N: usize>(
    rng: &mut Rng,
    steps: (
        impl Fn(u64, u64) -> [(u64, i32); N],
        impl Fn(u64, u64) -> [(u64, i32); N],
    ),
    choose: impl Fn([(u64, i32); N], &mut Rng) -> Option<(u64, i32)>,
) -> Ended {
    let play = |mine: &mut u64, other: &mut u64, (to, by): (u64, i32)| {
        let from = match by {
            0.. => to >> by,
            _ => to << -by,
        };
        *mine ^= from | to;
        *other &= !to;
    };
    let (mut white, mut black) = (0xffffu64, 0xffffu64 << 48);
    let mut plies = 0;
    loop {
        let Some(mv) = choose(steps.0(white, black), rng) else {
            return Ended { plies, winner: 2 };
        };
        play(&mut white, &mut black, mv);
        plies += 1;
        if white & LAST_RANK != 0 {
            return Ended { plies, winner: 1 };
        }
        let Some(mv) = choose(steps.1(black, white), rng) else {
            return Ended { plies, winner: 1 };
        };
        play(&mut black, &mut white, mv);
        plies += 1;
        if black & FIRST_RANK != 0 {
            return Ended { plies, winner: 2 };
        }
    }
}

/// Breakthrough: whole-board shifts.
#[inline(always)]
pub fn breakthrough(rng: &mut Rng) -> Ended {
    race(rng, (man_steps::<true>, man_steps::<false>), count_and_pick)
}

/// Breakthrough with a list of the moves.
#[inline(always)]
pub fn breakthrough_listed(rng: &mut Rng) -> Ended {
    race(rng, (man_steps::<true>, man_steps::<false>), list_and_pick)
}

/// Knightthrough: whole-board shifts.
#[inline(always)]
pub fn knightthrough(rng: &mut Rng) -> Ended {
    race(
        rng,
        (knight_steps::<true>, knight_steps::<false>),
        count_and_pick,
    )
}

/// Gomoku on 15 x 15: exactly five in a row win. The free points are kept from ply to ply, and each row, column and diagonal
/// is a word of its own, in which the stones next to a new one are counted.
#[inline(always)]
pub fn gomoku(rng: &mut Rng) -> Ended {
    const POINTS: [u8; 225] = {
        let mut points = [0; 225];
        let mut point = 0;
        while point < 225 {
            points[point] = point as u8;
            point += 1;
        }
        points
    };
    // The bits beside those of a line stay free.
    let is_five = |line: u32, bit: u32| {
        let after = (!(line >> bit)).trailing_zeros();
        let before = (!(line << (31 - bit))).leading_zeros();
        after + before == 6
    };
    let mut free = POINTS;
    let mut lines = [[[0u32; 32]; 4]; 2];
    for plies in 1..=225u32 {
        let left = 226 - plies;
        let place = rng.below(left) as usize % 225;
        let point = u32::from(free[place]);
        free[place] = free[left as usize - 1];
        let (row, column) = (point / 15, point % 15);
        let mine = &mut lines[(plies & 1) as usize];
        let through = [
            (row, column),
            (column, row),
            (row + column, column),
            (row + 14 - column, column),
        ];
        let mut five = false;
        for (lines, (line, bit)) in mine.iter_mut().zip(through) {
            let line = &mut lines[line as usize & 31];
            *line |= 2 << bit;
            five |= is_five(*line, bit + 1);
        }
        if five {
            let winner = 2 - plies % 2;
            return Ended { plies, winner };
        }
    }
    Ended {
        plies: 225,
        winner: 0,
    }
}

/// Reversi on 8 x 8 with passing: whole-board shifts. A pass is a ply.
#[inline(always)]
pub fn reversi(rng: &mut Rng) -> Ended {
    let (mut mine, mut other) = (1u64 << 28 | 1 << 35, 1u64 << 27 | 1 << 36);
    let (mut plies, mut mover) = (0, 1);
    loop {
        let moves = placements(mine, other);
        if moves != 0 {
            let disc = 1u64 << pick(moves, rng);
            let turned = DIRECTIONS
                .iter()
                .fold(0, |all, step| all | enclosed(disc, mine, other, *step));
            mine |= disc | turned;
            other &= !turned;
        } else if placements(other, mine) == 0 {
            let (first, second) = match mover {
                1 => (mine, other),
                _ => (other, mine),
            };
            let winner = match first.count_ones().cmp(&second.count_ones()) {
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 0,
            };
            return Ended { plies, winner };
        }
        plies += 1;
        (mine, other) = (other, mine);
        mover = 3 - mover;
    }
}

/// How far a step shifts, and the squares that it may land on.
type Step = (i32, u64);

const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_RIGHT: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const DIRECTIONS: [Step; 8] = [
    (1, NOT_LEFT),
    (-1, NOT_RIGHT),
    (8, !0),
    (-8, !0),
    (9, NOT_LEFT),
    (7, NOT_RIGHT),
    (-7, NOT_LEFT),
    (-9, NOT_RIGHT),
];

#[inline(always)]
fn shifted(mask: u64, (by, landing): Step) -> u64 {
    let mask = match by {
        0.. => mask << by,
        _ => mask >> -by,
    };
    mask & landing
}

/// The discs of `other` in an unbroken row beside `from`.
#[inline(always)]
fn row(from: u64, other: u64, step: Step) -> u64 {
    let mut row = shifted(from, step) & other;
    for _ in 0..5 {
        row |= shifted(row, step) & other;
    }
    row
}

/// The empty squares where a disc encloses some.
#[inline(always)]
fn placements(mine: u64, other: u64) -> u64 {
    let empty = !(mine | other);
    DIRECTIONS.iter().fold(0, |all, step| {
        all | shifted(row(mine, other, *step), *step) & empty
    })
}

/// The discs that a new disc encloses in one direction.
#[inline(always)]
fn enclosed(disc: u64, mine: u64, other: u64, step: Step) -> u64 {
    let row = row(disc, other, step);
    match shifted(row, step) & mine {
        0 => 0,
        _ => row,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean length and share of wins of player 1, in thousandths.
    fn mean(game: fn(&mut Rng) -> Ended) -> (u64, u64) {
        const GAMES: u64 = 20_000;
        let (mut plies, mut wins) = (0, 0);
        for number in 0..GAMES {
            let ended = game(&mut Rng::new(1, number));
            plies += u64::from(ended.plies);
            wins += u64::from(ended.winner == 1);
        }
        (plies * 1000 / GAMES, wins * 1000 / GAMES)
    }

    #[test]
    fn known_means() {
        // Exact values by enumeration: tic-tac-toe 7.6 plies and 0.585 wins of the first player.
        let (plies, wins) = mean(tic_tac_toe);
        assert!((7_580..7_670).contains(&plies), "{plies}");
        assert!((570..600).contains(&wins), "{wins}");
        let listed = mean(tic_tac_toe_listed);
        assert!(listed.0.abs_diff(plies) < 40 && listed.1.abs_diff(wins) < 15);
        // Published means of random games: connect four 21.3, breakthrough 64.1, knightthrough 33.6, gomoku 112.6 plies.
        for (game, expected) in [
            (connect_four as fn(&mut Rng) -> Ended, 21_300),
            (connect_four_listed, 21_300),
            (breakthrough, 64_100),
            (breakthrough_listed, 64_100),
            (knightthrough, 33_600),
            (gomoku, 112_600),
        ] {
            let (plies, _) = mean(game);
            assert!(plies.abs_diff(expected) < 1_000, "{plies} {expected}");
        }
        // Published means of random reversi lie between 60.3 and 60.5 moves with passes.
        let (plies, _) = mean(reversi);
        assert!((60_000..61_000).contains(&plies), "{plies}");
        let (plies, wins) = mean(frogs);
        assert!(
            (2_000..6_000).contains(&plies) && wins < 10,
            "{plies} {wins}"
        );
    }
}
