//! Questions of the whole board are asked of what a move changed, and are answered as before in every position, however it is
//! come to.

use std::fmt::Write as _;

use rulec_interp::{Interp, State};

use crate::ir::{Game, StmtKind};
use crate::opt::tests::assert_same_play;
use crate::pipeline::{Options, Output, compile_text};

/// Columns and rows.
const SIZE: usize = 4;
/// Stones of a player.
const STONES: usize = 8;

/// Two players place stones on a board; where stones stand before the game, and what else moves there are.
fn rules(functions: &str, ends: &str, start: &[(&str, &str)], more: &str) -> String {
    let mut text = String::from("[ELEMENT TYPES]\n");
    for name in ["black", "white"] {
        let _ = writeln!(text, "name={name}\nstates=1\n");
    }
    text += "[LOCATION TYPES]\nname=point\nshape=circle(9)\npoint=0,0\n\n[LOCATIONS]\n";
    for place in 0..SIZE * SIZE {
        let (x, y) = (1 + place % SIZE, 1 + place / SIZE);
        let (left, top) = (10 * x, 10 * y);
        let _ = writeln!(text, "name=b({x},{y})\ntype=point\npoint={left},{top}\n");
    }
    let bowls = (0..2).flat_map(|side| (1..=STONES).map(move |at| (side, at)));
    for (side, at) in bowls.clone() {
        let (name, left, top) = (["bb", "wb"][side], 10 * at, 100 + 10 * side);
        let _ = writeln!(text, "name={name}({at})\ntype=point\npoint={left},{top}\n");
    }
    text += "[PLAYER NAMES]\n1=black\n2=white\n\n[MOVABLE ELEMENTS]\n";
    for (side, at) in bowls {
        let (name, ty) = ([format!("b({at})"), format!("w({at})")], ["black", "white"]);
        let own = start.iter().find(|(stone, _)| *stone == name[side]);
        let bowl = format!("{}({at})", ["bb", "wb"][side]);
        let place = own.map_or(bowl, |(_, place)| (*place).to_owned());
        let (name, ty, player) = (&name[side], ty[side], side + 1);
        let _ = writeln!(
            text,
            "name={name}\ntype={ty}\nplayer={player}\nlocation={place}\n"
        );
    }
    let _ = write!(
        text,
        "[EXPRESSIONS]\n{functions}[END OF GAME]\n{ends}[GAME RULES]\n\
         name=putBlack\nelement=b($N)\nplayer=1\nfrom=bb($S)\nto=b($C,$R)\nfollowup=NEXTPLAYER\n\n\
         name=putWhite\nelement=w($N)\nplayer=2\nfrom=wb($S)\nto=b($C,$R)\nfollowup=NEXTPLAYER\n\n{more}"
    );
    text
}

/// Stones on the board go anywhere else.
const SLIDE: &str =
    "name=slide\nelement=b($N)\nplayer=1\nfrom=b($A,$B)\nto=b($C,$R)\nfollowup=NEXTPLAYER\n\n";

const WON: &str = "situation=Three\nwinner=3 - PLAYER\n\n";

/// Three of one colour in a row, anywhere.
const BY_PLACES: &str = "Three
  FORSOME($X, 1, 4, FORSOME($Y, 1, 4, ThreeFrom))
END

ThreeFrom
  $COLOUR = ELTYPE(CONTENT(\"b($X,$Y)\"))
  $COLOUR != \"\"
  Along(0, 1) OR (Along(1, 0) OR (Along(1, 1) OR Along(1, -1)))
END

Along($DX,$DY)
  FORALL($I, 1, 2, Has($X + ($I * $DX), $Y + ($I * $DY)))
END

Has($U,$V)
  ELTYPE(CONTENT(\"b($U,$V)\")) == $COLOUR
END

";

/// The same by directions, of one colour after the other.
const BY_DIRECTIONS: &str = "Three
  Of(\"white\") OR Of(\"black\")
END

Of($COLOUR)
  FORSOME($DX, 0, 1, FORSOME($DY, -1, 1, (($DX == 1) OR ($DY == 1)) AND InDirection))
END

InDirection
  FORSOME($Y, 4, 1, FORSOME($X, 1, 4, FORALL($I, 0, 2, Has($X + ($I * $DX), $Y + ($I * $DY)))))
END

Has($U,$V)
  ELTYPE(CONTENT(\"b($U,$V)\")) == $COLOUR
END

";

/// Those of the player who has moved.
const BY_PLAYER: &str = "Three
  FORSOME($X, 1, 4, FORSOME($Y, 1, 4, Row(0, 1) OR (Row(1, 0) OR (Row(1, 1) OR Row(1, -1)))))
END

Row($DX,$DY)
  FORALL($I, 0, 2, Mine($X + ($I * $DX), $Y + ($I * $DY)))
END

Mine($U,$V)
  OWNER(CONTENT(\"b($U,$V)\")) == (3 - PLAYER)
END

";

/// Exactly three of one colour: a stone that leaves a longer row may fill one.
const EXACTLY: &str = "Three
  FORSOME($X, 1, 4, FORSOME($Y, 1, 4, ThreeFrom))
END

ThreeFrom
  $COLOUR = ELTYPE(CONTENT(\"b($X,$Y)\"))
  $COLOUR != \"\"
  Along(0, 1) OR (Along(1, 0) OR (Along(1, 1) OR Along(1, -1)))
END

Along($DX,$DY)
  FORALL($I, 1, 2, Has($I))
  NOT Has(-1)
  NOT Has(3)
END

Has($I)
  $U = ($X + ($I * $DX))
  $V = ($Y + ($I * $DY))
  ELTYPE(CONTENT(\"b($U,$V)\")) == $COLOUR
END

";

/// The line must be of those who have moved, and the middle of the board be taken.
const NOT_OF_LINES: &str = "Three
  FORSOME($X, 1, 4, FORSOME($Y, 1, 4, Two))
END

Two
  $BESIDE = ($X + 1)
  NOT EMPTY(\"b($X,$Y)\")
  ELTYPE(CONTENT(\"b($X,$Y)\")) == ELTYPE(CONTENT(\"b($BESIDE,$Y)\"))
  EMPTY(\"b(1,1)\")
END

";

fn output(text: &str) -> Output {
    let options = Options::default();
    compile_text("rules.s3", text.as_bytes(), &options).expect("sound rules")
}

/// How often the process is told what is so at the start.
fn known_at_start(game: &Game) -> usize {
    let body = &game.function(game.process).body;
    let sure = |stmt: &&crate::ir::Stmt| matches!(&stmt.kind, StmtKind::SetVar(var, ..) if game.unsure.contains(var));
    body.iter().filter(sure).count()
}

#[test]
fn lines_of_the_whole_board_are_asked_through_the_place_that_changed() {
    for functions in [BY_PLACES, BY_DIRECTIONS, BY_PLAYER, EXACTLY] {
        let output = output(&rules(functions, WON, &[], ""));
        let game = &output.game;
        assert_eq!(game.unsure.len(), 1, "{functions}");
        assert_eq!(known_at_start(game), 1, "{functions}");
        let through = |table: &&crate::ir::Table| table.name.ends_with(" through");
        assert!(
            game.tables.iter().any(|table| through(&table)),
            "{functions}"
        );
        assert_same_play(functions, &output.lowered, game, 6, 20);
    }
}

#[test]
fn a_question_is_asked_in_full_where_more_may_have_changed() {
    // A stone that leaves a place may fill a line of exactly three: those who place stones ask less, who moves one asks all.
    for functions in [EXACTLY, BY_PLACES, BY_PLAYER] {
        let output = output(&rules(functions, WON, &[], SLIDE));
        assert_same_play(functions, &output.lowered, &output.game, 8, 30);
    }
    // The game goes on where the answer is yes.
    let goes_on = "situation=Three AND (PLAYER == 1)\nwinner=2\n\n";
    let going_on = output(&rules(BY_PLACES, goes_on, &[], ""));
    assert_eq!(going_on.game.unsure, [], "nothing is known before a move");
    assert_same_play("going on", &going_on.lowered, &going_on.game, 6, 20);
    // Another end comes first, and the order of ends matters.
    let first =
        "situation=NOT EMPTY(\"b(2,2)\")\nwinner=0\n\nsituation=Three\nwinner=3 - PLAYER\n\n";
    let first = output(&rules(BY_PLACES, first, &[], ""));
    assert_same_play("another end first", &first.lowered, &first.game, 8, 20);
    let other = output(&rules(NOT_OF_LINES, WON, &[], ""));
    assert_same_play("other tests", &other.lowered, &other.game, 8, 20);
}

#[test]
fn each_of_two_questions_is_asked_after_moves_that_it_is_about() {
    let lines = BY_DIRECTIONS.replacen("Three\n  Of(\"white\") OR Of(\"black\")\nEND\n\n", "", 1);
    let ends = "situation=Of(\"black\")\nwinner=1\n\nsituation=Of(\"white\")\nwinner=2\n\n";
    let output = output(&rules(&lines, ends, &[], ""));
    assert_eq!(output.game.unsure.len(), 2);
    assert_same_play("two questions", &output.lowered, &output.game, 8, 20);
}

#[test]
fn a_line_that_is_there_at_the_start_is_found_after_the_first_move() {
    let start = [("b(1)", "b(1,1)"), ("b(2)", "b(2,1)"), ("b(3)", "b(3,1)")];
    for functions in [BY_PLACES, BY_PLAYER] {
        let output = output(&rules(functions, WON, &start, ""));
        assert_eq!(known_at_start(&output.game), 0);
        assert_same_play(functions, &output.lowered, &output.game, 6, 20);
    }
}

/// Plays some of the moves of a position to a depth with both, and compares how it goes on.
fn same_ends(a: (&Interp, &State), b: (&Interp, &State), depth: usize) -> usize {
    assert_eq!(a.0.outcome(a.1), b.0.outcome(b.1));
    let moves = |(interp, state): (&Interp, &State)| match interp.outcome(state) {
        None => interp.distinct_moves(state).expect("no fault").to_vec(),
        Some(_) => Vec::new(),
    };
    let (left, right) = (moves(a), moves(b));
    assert_eq!(left.len(), right.len());
    let mut ends = usize::from(a.0.outcome(a.1).is_some());
    if depth == 0 {
        return ends;
    }
    for (one, other) in left.into_iter().zip(right).step_by(5) {
        let (mut left, mut right) = (a.1.clone(), b.1.clone());
        assert_eq!(a.0.move_text(one), b.0.move_text(other));
        assert!(a.0.play(&mut left, one) && b.0.play(&mut right, other));
        ends += same_ends((a.0, &left), (b.0, &right), depth - 1);
    }
    ends
}

#[test]
fn positions_from_texts_are_judged_as_the_rules_say_although_a_line_is_full() {
    let put = |text: &str, stones: &[(&str, &str, &str)]| {
        let each = stones.iter();
        each.fold(text.to_owned(), |text, (stone, bowl, place)| {
            text.replace(&format!("{stone}@{bowl}/"), &format!("{stone}@{place}/"))
        })
    };
    let black = [
        ("b(1)", "bb(1)", "b(1,1)"),
        ("b(2)", "bb(2)", "b(2,1)"),
        ("b(3)", "bb(3)", "b(3,1)"),
    ];
    let both = [
        ("b(1)", "bb(1)", "b(1,1)"),
        ("b(2)", "bb(2)", "b(2,2)"),
        ("b(3)", "bb(3)", "b(3,3)"),
        ("w(1)", "wb(1)", "b(1,4)"),
        ("w(2)", "wb(2)", "b(2,4)"),
        ("w(3)", "wb(3)", "b(3,4)"),
    ];
    for functions in [BY_PLACES, BY_PLAYER, EXACTLY] {
        let output = output(&rules(functions, WON, &[], ""));
        let interp = |game: &Game| Interp::new(game.clone()).expect("a sound game");
        let (a, b) = (interp(&output.lowered), interp(&output.game));
        let start = a.state_text(&a.initial());
        let mut ends = 0;
        for text in [start.clone(), put(&start, &black), put(&start, &both)] {
            for text in [text.clone(), text.replace(";1|", ";2|")] {
                let (left, right) = (a.parse_state(&text), b.parse_state(&text));
                let (left, right) = (left.expect("a position"), right.expect("a position"));
                ends += same_ends((&a, &left), (&b, &right), 3);
            }
        }
        assert!(ends > 0, "some of them end");
    }
}
