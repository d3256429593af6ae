//! What is asked at the end of a move and by the next decision is kept, however the end asks it.

use crate::board::tests::{ENCLOSES, MAY_PLACE, USUAL, closed_off, compiled, reversi_by};
use crate::ir::same::same;
use crate::ir::walk::each_stmt;
use crate::ir::{Expr, ExprKind, Function, Game, StmtKind};

const PLACE: &str = "Place\n  SETSTATE(CONTENT(\"b($X,$Y)\"), PLAYER)\n  NEXTPLAYER\nEND\n\n";
/// As [`PLACE`], with the question asked before the disc shows its colour.
const ASKED_FIRST: &str = "Place
  $MORE = CanPlace(PLAYER)
  SETSTATE(CONTENT(\"b($X,$Y)\"), IF($MORE, PLAYER, 3 - PLAYER))
  NEXTPLAYER
END

";
const STUCK: &str = "  NOT CanPlace(PLAYER)\n";

/// Reversi whose discs are placed so, and that ends so.
fn reversi(place: &str, stuck: &str) -> Game {
    let functions = [MAY_PLACE, ENCLOSES, &closed_off(USUAL), place].concat();
    let text = reversi_by(&functions, "", |place| place);
    assert!(text.contains(STUCK));
    compiled(&text.replace(STUCK, stuck))
}

/// How many answers it keeps.
fn kept(place: &str, stuck: &str) -> usize {
    let mut kept = 0;
    each_stmt(&reversi(place, stuck), &mut |stmt| {
        kept += usize::from(matches!(stmt.kind, StmtKind::Keep(_)));
    });
    kept
}

/// Whether the end of such a game begins with the answer that is kept, in the words of its own function.
fn begins_with_it(stuck: &str) -> bool {
    let game = reversi(PLACE, stuck);
    let mut kept = None;
    each_stmt(&game, &mut |stmt| {
        if let StmtKind::Keep(Expr {
            kind: ExprKind::Call(func, args),
            ..
        }) = &stmt.kind
        {
            kept = Some((*func, args[0].clone()));
        }
    });
    let Some((func, arg)) = kept else {
        return false;
    };
    let begins = |function: &Function| {
        let Some(StmtKind::If(cond, ..)) = function.body.first().map(|stmt| &stmt.kind) else {
            return false;
        };
        let mut asks = false;
        cond.walk(&mut |expr| {
            asks |= matches!(&expr.kind, ExprKind::Call(asked, args) if *asked == func && same(&args[0], &arg));
        });
        asks
    };
    game.functions.iter().any(begins)
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

#[test]
fn what_is_kept_is_asked_first_where_it_decides() {
    for stuck in [
        "  NOT CanPlace(3 - PLAYER)\n  NOT CanPlace(PLAYER)\n",
        "  NOT (CanPlace(1) OR CanPlace(2))\n",
        "  NOT CanPlace(2)\n  NOT CanPlace(1)\n",
        "  NOT FORSOME($P, 1, 2, CanPlace($P))\n",
        "  NOT (CanPlace(1) AND CanPlace(2))\n",
    ] {
        assert!(begins_with_it(stuck), "{stuck}");
    }
    for stuck in [
        "  IF(CanPlace(1), NOT CanPlace(2), CanPlace(2))\n",
        "  NOT CanPlace(1)\n",
    ] {
        assert!(!begins_with_it(stuck), "{stuck}");
    }
}
