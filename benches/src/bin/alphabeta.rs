//! Alpha-beta on connect four beside a search written by hand: positions a second, and time to a depth.
//!
//! Usage: `cargo run --release -p rulec-benches --bin alphabeta -- [DEPTH]`. The search by hand is plain negamax on two masks, with
//! a table and the middle columns first; both take turns for some rounds, and medians are told.

use std::time::Instant;

use rulec_benches::connect_four;
use rulec_runtime::search::{Bot, search::SearchSettings, start};

/// Bits of a column, the uppermost of which stays free.
const HEIGHT: u32 = 7;
const COLUMNS: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];
/// Entries of the table.
const ENTRIES: usize = 1 << 22;
const ROUNDS: usize = 5;

/// What a search by hand remembers: keys with depth, value and bound.
struct Plain {
    table: Vec<(u64, u64)>,
    nodes: u64,
}

fn has_four(mask: u64) -> bool {
    [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].iter().any(|&step| {
        let pairs = mask & mask >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Plain {
    /// The value for who is on turn: 1, 0 or -1, or a bound on its side of the window.
    fn node(&mut self, own: u64, all: u64, depth: u64, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        if has_four(own ^ all) {
            return -1;
        }
        if depth == 0 || all.count_ones() == 42 {
            return 0;
        }
        let key = (own + all + (1..8).fold(0, |sum, c| sum | 1 << (c * HEIGHT - 7))) << 1;
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 42) as usize % ENTRIES;
        let (known, data) = self.table[slot];
        if known == key && data >> 8 >= depth {
            let value = (data & 3) as i32 - 1;
            match data >> 2 & 3 {
                0 => return value,
                1 => alpha = alpha.max(value),
                _ => beta = beta.min(value),
            }
            if alpha >= beta {
                return value;
            }
        }
        let (low, mut best) = (alpha, -1);
        for column in COLUMNS {
            let bit = (all + (1 << (column * HEIGHT))) & !all;
            let column_mask = 0x3f << (column * HEIGHT);
            if bit & column_mask == 0 {
                continue;
            }
            let value = -self.node(own ^ all, all | bit & column_mask, depth - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let bound = match best {
            v if v >= beta => 1,
            v if v <= low => 2,
            _ => 0,
        };
        self.table[slot] = (key, depth << 8 | bound << 2 | (best + 1) as u64);
        best
    }
}

/// Positions and seconds of the search by hand.
fn by_hand(depth: u64) -> (u64, f64) {
    let begun = Instant::now();
    let mut plain = Plain {
        table: vec![(0, 0); ENTRIES],
        nodes: 0,
    };
    let value = plain.node(0, 0, depth, -1, 1);
    assert_eq!(value, 0, "nobody wins so soon");
    (plain.nodes, begun.elapsed().as_secs_f64())
}

/// The same of ours.
fn compiled(depth: u64) -> (u64, f64) {
    let Ok(Bot::Search(settings)) = format!("alphabeta:depth={depth}:eval=zero").parse() else {
        return (0, f64::NAN);
    };
    let settings = SearchSettings {
        table: ENTRIES,
        ..settings
    };
    let state = start(&connect_four::Game);
    let begun = Instant::now();
    let report = state.search(&settings, &mut |_| true);
    assert_eq!(report.moves.first().map(|best| best.value), Some(0.5));
    (report.games, begun.elapsed().as_secs_f64())
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let depth: u64 = depth.unwrap_or(16);
    let (mut hand, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        hand.push(by_hand(depth));
        ours.push(compiled(depth));
    }
    let mut middle = Vec::new();
    for (name, mut rounds) in [("by hand", hand), ("compiled", ours)] {
        rounds.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (nodes, seconds) = rounds[ROUNDS / 2];
        let speed = nodes as f64 / seconds / 1e6;
        println!("{name:9} {nodes:10} positions {seconds:7.3} s {speed:6.1} million a second");
        middle.push(seconds);
    }
    println!("compiled takes {:.2} of the time", middle[1] / middle[0]);
}
