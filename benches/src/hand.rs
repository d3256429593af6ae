//! Random games written by hand for three games, as fast as plain Rust without lists of moves gets: what compiled
//! rules are compared with. The rules and the distribution of moves are those of the files in `games/s3`.

use rulec_runtime::Rng;

/// How a random game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Moves played.
    pub plies: u32,
    /// The winner from 1, 0 for nobody.
    pub winner: u32,
}

/// A random set bit of a mask that is not empty.
fn pick(mut mask: u64, rng: &mut Rng) -> u32 {
    for _ in 0..rng.below(mask.count_ones()) {
        mask &= mask - 1;
    }
    mask.trailing_zeros()
}

/// Frogs, three and three on seven pads: two masks, and the moves are at most four shifts.
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

/// Tic-tac-toe: two masks and the eight lines.
pub fn tic_tac_toe(rng: &mut Rng) -> Ended {
    const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let (mut mine, mut other) = (0u64, 0u64);
    for plies in 1..=9 {
        mine |= 1 << pick(0o777 & !(mine | other), rng);
        if LINES.iter().any(|line| mine & line == *line) {
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

/// Reversi on 8 x 8 with passing: whole-board shifts. A pass is a ply.
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

fn shifted(mask: u64, (by, landing): Step) -> u64 {
    let mask = match by {
        0.. => mask << by,
        _ => mask >> -by,
    };
    mask & landing
}

/// The discs of `other` in an unbroken row beside `from`.
fn row(from: u64, other: u64, step: Step) -> u64 {
    let mut row = shifted(from, step) & other;
    for _ in 0..5 {
        row |= shifted(row, step) & other;
    }
    row
}

/// The empty squares where a disc encloses some.
fn placements(mine: u64, other: u64) -> u64 {
    let empty = !(mine | other);
    DIRECTIONS.iter().fold(0, |all, step| {
        all | shifted(row(mine, other, *step), *step) & empty
    })
}

/// The discs that a new disc encloses in one direction.
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
