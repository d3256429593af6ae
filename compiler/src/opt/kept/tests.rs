//! What is asked at the end of a move and by the next decision is kept, however the end asks it.

use crate::board::tests::{ENCLOSES, MAY_PLACE, USUAL, closed_off, compiled, reversi_by};
use crate::ir::StmtKind;
use crate::ir::walk::each_stmt;

const PLACE: &str = "Place\n  SETSTATE(CONTENT(\"b($X,$Y)\"), PLAYER)\n  NEXTPLAYER\nEND\n\n";
/// As [`PLACE`], with the question asked before the disc shows its colour.
const ASKED_FIRST: &str = "Place
  $MORE = CanPlace(PLAYER)
  SETSTATE(CONTENT(\"b($X,$Y)\"), IF($MORE, PLAYER, 3 - PLAYER))
  NEXTPLAYER
END

";
const STUCK: &str = "  NOT CanPlace(PLAYER)\n";

/// How many answers reversi keeps whose discs are placed so, and that ends so.
fn kept(place: &str, stuck: &str) -> usize {
    let functions = [MAY_PLACE, ENCLOSES, &closed_off(USUAL), place].concat();
    let text = reversi_by(&functions, "", |place| place);
    assert!(text.contains(STUCK));
    let game = compiled(&text.replace(STUCK, stuck));
    let mut kept = 0;
    each_stmt(&game, &mut |stmt| {
        kept += usize::from(matches!(stmt.kind, StmtKind::Keep(_)));
    });
    kept
}

#[test]
fn an_end_that_asks_who_can_move_keeps_the_answer() {
    for stuck in [
        STUCK,
        "  IF(CanPlace(PLAYER), false, true)\n",
        "  NOT CanPlace(3 - PLAYER)\n  NOT CanPlace(PLAYER)\n",
        "  EMPTY(\"pool(1)\") OR (NOT CanPlace(PLAYER))\n",
    ] {
        assert_eq!(kept(PLACE, stuck), 1, "{stuck}");
    }
}

#[test]
fn nothing_is_kept_that_nobody_asks_or_that_changes() {
    for (place, stuck) in [
        (PLACE, "  EMPTY(\"pool(1)\")\n"),
        (ASKED_FIRST, "  EMPTY(\"pool(1)\")\n"),
    ] {
        assert_eq!(kept(place, stuck), 0, "{stuck}");
    }
}
