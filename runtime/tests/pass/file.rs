//! Rules from files, relative to this one, in a module named after the file and in a named one.

use rulec_runtime::{Game, MoveList};

rulec_runtime::game!("../../../games/s3/frogs.s3");
rulec_runtime::game!(mod nim = "../../../games/s3/nim.s3");

fn count<G: Game>(game: &G) -> usize {
    let mut moves = MoveList::new();
    let listed = game.legal_moves(&game.initial(), &mut moves);
    assert_eq!(listed, Ok(()));
    moves.len()
}

fn main() {
    assert_eq!(count(&frogs::Game), 4);
    assert_eq!(count(&nim::Game), 12);
}
