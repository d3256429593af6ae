//! Rules as strings of every kind: with escapes, over several lines, handed on by another macro.

use rulec_runtime::{Game, MoveList};

rulec_runtime::game! { mod escaped = bgm "Type Coin\nPlayers east west\x0aCoin\n\towner east\nCoin\n\towner west\nAction Lose\n\
    \teffect disown Coin player\n\teffect players player.left\nLoseCondition Broke\n\trequire not owns Coin\u{a}\teffect players player.left\n" }

macro_rules! handed_on {
    ($name:ident, $rules:literal) => {
        rulec_runtime::game! { mod $name = bgm $rules }
    };
}

handed_on!(raw, r##"Type Coin
Players east west
Coin
    owner east
Coin
    owner west
Action Lose
    effect disown Coin player
    effect players player.left
LoseCondition Broke
    require not owns Coin
    effect players player.left
"##);

fn moves<G: Game>(game: &G) -> usize {
    let mut moves = MoveList::new();
    game.legal_moves(&game.initial(), &mut moves)
        .expect("no rule fails");
    moves.len()
}

fn main() {
    assert_eq!(moves(&escaped::Game), 1);
    assert_eq!(moves(&raw::Game), 1);
}
