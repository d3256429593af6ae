//! Nine men's morris by hand: the game of `games/s3/nine_mens_morris.s3`, a mask of 24 points for each player.
//!
//! Bit `8 * ring + place` is a point; the places of a ring go round it, and the odd ones are the middles of its sides.

use rulec_runtime::Rng;
use rulec_runtime::bits::{bits64, select64};

use crate::hand::Ended;

const POINTS: u32 = 0xff_ffff;
const MIDDLES: u32 = 0xaa_aaaa;
/// Moves without a closed mill after which the game is drawn.
const CLOCK: u32 = 20;

/// Every point one place further round its ring.
const fn round(set: u32) -> u32 {
    (set << 1 & 0xfe_fefe) | (set >> 7 & 0x01_0101)
}

/// Every point one place back round its ring.
const fn back(set: u32) -> u32 {
    (set >> 1 & 0x7f_7f7f) | (set << 7 & 0x80_8080)
}

/// The men that stand in mills.
const fn in_mills(men: u32) -> u32 {
    let sides = men & round(men) & back(men) & MIDDLES;
    let across = men & men >> 8 & men >> 16 & MIDDLES;
    sides | round(sides) | back(sides) | (across * 0x01_0101)
}

/// The points that the ways of stepping lead to.
const fn steps(men: u32, free: u32) -> [u32; 4] {
    [
        round(men) & free,
        back(men) & free,
        (men & MIDDLES) << 8 & free,
        (men & MIDDLES) >> 8 & free,
    ]
}

/// What a player has.
#[derive(Clone, Copy, Debug)]
struct Side {
    men: u32,
    tray: u32,
    left: u32,
}

impl Side {
    const START: Side = Side {
        men: 0,
        tray: 9,
        left: 9,
    };
}

/// A position, seen by the player to move.
#[derive(Clone, Copy, Debug)]
pub struct Morris {
    mine: Side,
    other: Side,
    clock: u32,
    takes: bool,
}

/// A move: the point that is left and the one that is entered, as masks; placing leaves none, taking enters none.
type Step = (u32, u32);

impl Morris {
    /// The start.
    pub const START: Morris = Morris {
        mine: Side::START,
        other: Side::START,
        clock: 0,
        takes: false,
    };

    fn free(&self) -> u32 {
        POINTS & !(self.mine.men | self.other.men)
    }

    /// The men that may be taken: those in no mill, or all if all are in mills.
    fn prey(&self) -> u32 {
        let men = self.other.men;
        match men & !in_mills(men) {
            0 => men,
            loose => loose,
        }
    }

    /// Plays a move; whether the player to move goes on.
    fn play(&mut self, (from, to): Step) {
        if self.takes {
            self.takes = false;
            self.other.men ^= from;
            self.other.left -= 1;
        } else {
            self.mine.men ^= from | to;
            self.mine.tray -= u32::from(from == 0);
            if in_mills(self.mine.men) & to != 0 {
                self.takes = true;
                self.clock = 0;
                return;
            }
            self.clock += u32::from(from != 0);
        }
        std::mem::swap(&mut self.mine, &mut self.other);
    }

    /// Whether the game is over, and whether the player to move has lost then.
    fn over(&self) -> Option<bool> {
        let mine = &self.mine;
        let blocked = || {
            steps(mine.men, self.free())
                .iter()
                .all(|targets| *targets == 0)
        };
        let lost = mine.left < 3 || !self.takes && mine.tray == 0 && mine.left > 3 && blocked();
        (lost || self.clock == CLOCK).then_some(lost)
    }

    /// A random move, drawn from counts.
    fn any(&self, rng: &mut Rng) -> Step {
        let pick = |set: u32, rng: &mut Rng| nth(set, rng.below(set.count_ones()));
        if self.takes {
            return (pick(self.prey(), rng), 0);
        }
        let free = self.free();
        if self.mine.tray > 0 {
            return (0, pick(free, rng));
        }
        if self.mine.left == 3 {
            let from = pick(self.mine.men, rng);
            return (from, pick(free, rng));
        }
        let all = steps(self.mine.men, free);
        let mut left = rng.below(all.iter().map(|targets| targets.count_ones()).sum());
        for (way, targets) in all.into_iter().enumerate() {
            let count = targets.count_ones();
            if left < count {
                let to = nth(targets, left);
                return (source(way, to), to);
            }
            left -= count;
        }
        (0, 0)
    }

    /// All moves.
    fn moves(&self) -> Vec<Step> {
        let each = |set: u32| bits64(set.into()).map(|point| 1u32 << point);
        let free = self.free();
        if self.takes {
            return each(self.prey()).map(|from| (from, 0)).collect();
        }
        if self.mine.tray > 0 {
            return each(free).map(|to| (0, to)).collect();
        }
        if self.mine.left == 3 {
            let from = each(self.mine.men);
            return from
                .flat_map(|from| each(free).map(move |to| (from, to)))
                .collect();
        }
        let ways = steps(self.mine.men, free).into_iter().enumerate();
        ways.flat_map(|(way, targets)| each(targets).map(move |to| (source(way, to), to)))
            .collect()
    }

    /// The number of ways to play so many plies.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.over().is_some() {
            return 0;
        }
        let after = |step: Step| {
            let mut next = *self;
            next.play(step);
            next.perft(depth - 1)
        };
        self.moves().into_iter().map(after).sum()
    }
}

/// The member of a set with so many members below it, as a set.
#[inline(always)]
fn nth(set: u32, k: u32) -> u32 {
    1 << (select64(set.into(), k) & 31)
}

/// Where a step of this kind comes from.
const fn source(way: usize, to: u32) -> u32 {
    match way {
        0 => back(to),
        1 => round(to),
        2 => to >> 8,
        _ => to << 8,
    }
}

/// A random game; taking a man is a ply of its own.
#[inline(always)]
pub fn nine_mens_morris(rng: &mut Rng) -> Ended {
    let mut game = Morris::START;
    let (mut plies, mut mover) = (0, 1);
    loop {
        game.play(game.any(rng));
        plies += 1;
        if !game.takes {
            mover = 3 - mover;
        }
        if let Some(lost) = game.over() {
            let winner = if lost { 3 - mover } else { 0 };
            return Ended { plies, winner };
        }
    }
}

#[cfg(test)]
mod tests {
    use rulec_runtime::{ChoiceSet, Game, MoveList};

    use super::*;

    #[test]
    fn counts_are_those_of_the_rule_file() {
        let table = include_str!("../../games/s3/nine_mens_morris.perft");
        let row = table.lines().find_map(|line| line.strip_prefix("all "));
        let counts = row.unwrap().split(' ').map(|count| count.parse().unwrap());
        for (depth, count) in (1..).zip(counts) {
            let count: u64 = count;
            assert_eq!(Morris::START.perft(depth), count, "{depth}");
        }
    }

    /// What happens late, flying, blocking and draws, shows in the means of whole games.
    #[test]
    fn games_are_as_long_as_those_of_the_rule_file() {
        const GAMES: u64 = 4_000;
        let (mut hand, mut rules) = ([0u64; 3], [0u64; 3]);
        let game = crate::nine_mens_morris::Game;
        let mut moves = MoveList::new();
        for number in 0..GAMES {
            let ended = nine_mens_morris(&mut Rng::new(1, number));
            let first = u64::from(ended.winner == 1);
            let drawn = u64::from(ended.winner == 0);
            add(&mut hand, [ended.plies.into(), first, drawn]);
            let mut state = game.initial();
            let mut rng = Rng::new(2, number);
            let set = ChoiceSet::Distinct;
            let played = game.random_playout(&mut state, &mut rng, 10_000, set, &mut moves);
            let winners = played.outcome.map_or(0, |outcome| outcome.winners);
            let row = [
                u64::from(played.plies),
                winners & 1,
                u64::from(winners == 0),
            ];
            add(&mut rules, row);
        }
        assert!(
            hand[0].abs_diff(rules[0]) < hand[0] / 50,
            "{hand:?} {rules:?}"
        );
        assert!(
            hand[1].abs_diff(rules[1]) < GAMES / 25,
            "{hand:?} {rules:?}"
        );
        assert!(
            hand[2].abs_diff(rules[2]) < GAMES / 25,
            "{hand:?} {rules:?}"
        );
    }

    fn add(sums: &mut [u64; 3], row: [u64; 3]) {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
}
