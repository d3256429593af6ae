//! The same work with crates that know chess: perft with every last position made, and random games that end without
//! a legal move or after fifty moves without progress.

use cozy_chess::{Board, PieceMoves};
use rulec_runtime::Rng;
use shakmaty::{Chess, Position};

pub(crate) fn shakmaty_perft(depth: u32) -> u64 {
    fn count(position: &Chess, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = position.legal_moves();
        let after = |mv: &shakmaty::Move| {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            count(&next, depth - 1)
        };
        moves.iter().map(after).sum()
    }
    count(&Chess::default(), depth)
}

pub(crate) fn shakmaty_game(rng: &mut Rng) -> u32 {
    let mut position = Chess::default();
    let mut plies = 0;
    loop {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() >= 100 {
            return plies;
        }
        let mv = moves[rng.below64(moves.len() as u64) as usize];
        position.play_unchecked(mv);
        plies += 1;
    }
}

pub(crate) fn cozy_perft(depth: u32) -> u64 {
    fn count(board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                sum += count(&next, depth - 1);
            }
            false
        });
        sum
    }
    count(&Board::default(), depth)
}

pub(crate) fn cozy_game(rng: &mut Rng) -> u32 {
    let mut board = Board::default();
    let mut plies = 0;
    // Moves come by figure; at most sixteen figures, some with two lists.
    let mut lists: Vec<PieceMoves> = Vec::with_capacity(40);
    loop {
        lists.clear();
        let mut count = 0;
        board.generate_moves(|moves| {
            count += moves.len();
            lists.push(moves);
            false
        });
        if count == 0 || board.halfmove_clock() >= 100 {
            return plies;
        }
        let mut pick = rng.below64(count as u64) as usize;
        for list in &lists {
            match pick.checked_sub(list.len()) {
                Some(rest) => pick = rest,
                None => {
                    if let Some(mv) = (*list).into_iter().nth(pick) {
                        board.play_unchecked(mv);
                    }
                    break;
                }
            }
        }
        plies += 1;
    }
}
