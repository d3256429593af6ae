//! Starter games in s3.

use std::fmt::Write;

use super::{COLOURS, Plan};

/// The beginning of a file of s3.
fn head(plan: &Plan<'_>, about: &str) -> String {
    let name = plan.name;
    format!(
        "// {name}: {about}\n//\n//   rulec check {name}.s3                 look for mistakes and play random games\n\
         //   rulec play {name}.s3                  play it in the terminal\n\
         //   rulec run {name}.s3 -- selfplay       compile it and play many random games\n\n"
    )
}

/// A record of a location or an element type.
fn place(name: &str, ty: &str, x: u32, y: u32) -> String {
    format!("name={name}\ntype={ty}\npoint={x},{y}\n\n")
}

fn element(name: &str, ty: &str, location: &str) -> String {
    format!("name={name}\ntype={ty}\nlocation={location}\n\n")
}

/// `[ELEMENT TYPES]`, one for each player.
fn types(players: u32) -> String {
    let types = COLOURS[..players as usize].iter();
    let records: String = types
        .map(|colour| format!("name={colour}\nstates=1\n\n"))
        .collect();
    format!("// What moves: a kind for each player.\n[ELEMENT TYPES]\n{records}")
}

fn player_names(players: u32) -> String {
    let lines = (1..).zip(&COLOURS[..players as usize]);
    let lines: String = lines.map(|(n, colour)| format!("{n}={colour}\n")).collect();
    format!("// Player 1 begins.\n[PLAYER NAMES]\n{lines}\n")
}

/// `[LOCATION TYPES]` of a board and of trays.
fn place_types(trays: &[String]) -> String {
    let mut text = String::from(
        "// Kinds of places. What lies on a place with `relevant=no` does not matter for the position.\n[LOCATION TYPES]\n\
         name=square\nshape=rectangular(46,46)\npoint=0,0\n\n",
    );
    for tray in trays {
        let _ = write!(
            text,
            "name={tray}\nrelevant=no\nshape=circle(18)\npoint=0,0\n\n"
        );
    }
    text
}

/// The squares b(column,row), row 1 at the bottom.
fn squares(plan: &Plan<'_>) -> String {
    let mut text =
        String::from("// The board: b(column,row), and where each lies on the screen.\n");
    for row in 1..=plan.rows {
        for column in 1..=plan.columns {
            let y = 50 * (plan.rows - row) + 40;
            text += &place(&format!("b({column},{row})"), "square", 50 * column, y);
        }
    }
    text
}

/// The player who moved, asked after the turn has passed.
fn mover(players: u32) -> String {
    format!(
        "// Who has just moved: the turn has passed on when this is asked.\nMover\n  IF(PLAYER == 1, {players}, PLAYER - 1)\nEND\n\n"
    )
}

pub(super) fn placing(plan: &Plan<'_>) -> String {
    let (columns, rows, players) = (plan.columns, plan.rows, plan.players);
    let line = match columns.min(rows) {
        3 => 3,
        4..=8 => 4,
        _ => 5,
    };
    let colours = &COLOURS[..players as usize];
    let each = (columns * rows).div_ceil(players);
    let mut text = head(
        plan,
        &format!("{line} stones in a line on a board of {columns} x {rows}."),
    );
    text += &types(players);
    let trays: Vec<String> = colours
        .iter()
        .map(|colour| format!("{colour}Tray"))
        .collect();
    text += &place_types(&trays);
    text += "[LOCATIONS]\n";
    text += &squares(plan);
    text += "// The trays, where stones wait.\n";
    for (at, tray) in (0..).zip(&trays) {
        for n in 1..=each {
            let y = 50 * rows + 60 + 45 * at;
            text += &place(&format!("{tray}({n})"), tray, 30 * n + 20, y);
        }
    }
    text += &player_names(players);
    text += "[MOVABLE ELEMENTS]\n";
    for (colour, tray) in colours.iter().zip(&trays) {
        for n in 1..=each {
            text += &element(&format!("{colour}({n})"), colour, &format!("{tray}({n})"));
        }
    }
    let _ = write!(
        text,
        "// Lines of an expression are joined by AND. Operators have no precedence: write parentheses.
[EXPRESSIONS]

// The stone just placed in column $C, row $R is one of {line} in a line.
Line
  $TYPE = ELTYPE(CONTENT(\"b($C,$R)\"))
  Along(0, 1) OR (Along(1, 0) OR (Along(1, 1) OR Along(1, -1)))
END

Along($DX,$DY)
  FORSOME($FIRST, -{before}, 0, From)
END

From
  FORALL($I, $FIRST, $FIRST + {before}, Same($C + ($I * $DX), $R + ($I * $DY)))
END

// Beyond the edge there is no content, hence no type.
Same($X,$Y)
  ELTYPE(CONTENT(\"b($X,$Y)\")) == $TYPE
END

Full
  FORALL($X, 1, {columns}, FORALL($Y, 1, {rows}, NOT EMPTY(\"b($X,$Y)\")))
END

{mover}[END OF GAME]
situation=Line
winner=Mover

situation=Full
winner=0

// A stone goes from the own tray to any empty square.
[GAME RULES]
",
        before = line - 1,
        mover = mover(players)
    );
    for (n, (colour, tray)) in (1..).zip(colours.iter().zip(&trays)) {
        let _ = write!(
            text,
            "name={colour}\nplayer={n}\nelement={colour}($N)\nfrom={tray}($T)\nto=b($C,$R)\nfollowup=NEXTPLAYER\n\n"
        );
    }
    text
}

pub(super) fn moving(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let mut text = head(
        plan,
        &format!(
            "men on a board of {columns} x {rows} go forward, straight or diagonally, and jump over enemies, which\n\
             // are taken. Whoever reaches the other side first wins; a player who cannot move makes a draw."
        ),
    );
    text += &types(2);
    text += &place_types(&["tray".to_owned()]);
    text += "[LOCATIONS]\n";
    text += &squares(plan);
    text += "// Where taken men go.\n";
    for n in 1..=2 * columns {
        text += &place(&format!("taken({n})"), "tray", 40 * n + 10, 50 * rows + 60);
    }
    text += &player_names(2);
    text += "[MOVABLE ELEMENTS]\n";
    for (colour, row) in [("red", 1), ("blue", rows)] {
        for n in 1..=columns {
            text += &element(&format!("{colour}({n})"), colour, &format!("b({n},{row})"));
        }
    }
    let _ = write!(
        text,
        "// Lines of an expression are joined by AND. Operators have no precedence: write parentheses.
[EXPRESSIONS]

// From column $C, row $R to column $X, row $Y: one row ahead, at most one column aside.
Step($AHEAD)
  $Y == $R + $AHEAD
  (ABS ($X - $C)) <= 1
END

// Two rows ahead, over a man of the type $ENEMY.
Jump($AHEAD,$ENEMY)
  $Y == $R + $AHEAD + $AHEAD
  ($X == $C) OR ((ABS ($X - $C)) == 2)
  $MX = ($C + $X) / 2
  $MY = ($R + $Y) / 2
  $MAN = CONTENT(\"b($MX,$MY)\")
  ELTYPE($MAN) == $ENEMY
END

// After a jump: the man goes to a free place on the tray.
Take
  FORSOME($T, 1, {trays}, EMPTY(\"taken($T)\"))
  MOVE($MAN, \"b($MX,$MY)\", \"taken($T)\")
END

Reached($COLOUR,$ROW)
  FORSOME($I, 1, {columns}, ELTYPE(CONTENT(\"b($I,$ROW)\")) == $COLOUR)
END

[END OF GAME]
situation=Reached(\"red\", {rows})
winner=1

situation=Reached(\"blue\", 1)
winner=2

[GAME RULES]
",
        trays = 2 * columns
    );
    for (n, colour, ahead, enemy) in [(1, "red", "1", "blue"), (2, "blue", "-1", "red")] {
        let _ = write!(
            text,
            "name={colour}Step\nplayer={n}\nelement={colour}($N)\nfrom=b($C,$R)\nto=b($X,$Y)\n\
             condition=Step({ahead})\nfollowup=NEXTPLAYER\n\n\
             name={colour}Jump\nplayer={n}\nelement={colour}($N)\nfrom=b($C,$R)\nto=b($X,$Y)\n\
             condition=Jump({ahead}, \"{enemy}\")\nfollowup=Take AND NEXTPLAYER\n\n"
        );
    }
    text
}

pub(super) fn racing(plan: &Plan<'_>) -> String {
    let (columns, players) = (plan.columns, plan.players);
    let fields = columns * plan.rows;
    let farthest = players + 1;
    let mut text = head(
        plan,
        &format!(
            "a race over {fields} fields. In turn a token goes one to {farthest} fields ahead, to an empty one.\n\
             // Whoever reaches the last field first wins."
        ),
    );
    text += &types(players);
    text += "[LOCATION TYPES]\nname=field\nshape=circle(20)\npoint=0,0\n\n[LOCATIONS]\n";
    for at in 0..fields {
        let (row, column) = (at / columns, at % columns);
        // The track goes to and fro.
        let column = if row % 2 == 0 {
            column
        } else {
            columns - 1 - column
        };
        text += &place(
            &format!("f({})", at + 1),
            "field",
            50 * column + 40,
            50 * row + 40,
        );
    }
    text += &player_names(players);
    text += "[MOVABLE ELEMENTS]\n";
    for (n, colour) in (1..).zip(&COLOURS[..players as usize]) {
        text += &element(colour, colour, &format!("f({n})"));
    }
    let _ = write!(
        text,
        "[EXPRESSIONS]
Ahead
  $B > $A
  $B <= $A + {farthest}
END

{mover}[END OF GAME]
situation=NOT EMPTY(\"f({fields})\")
winner=Mover

[GAME RULES]
",
        mover = mover(players)
    );
    for (n, colour) in (1..).zip(&COLOURS[..players as usize]) {
        let _ = write!(
            text,
            "name={colour}\nplayer={n}\nelement={colour}\nfrom=f($A)\nto=f($B)\ncondition=Ahead\nfollowup=NEXTPLAYER\n\n"
        );
    }
    text
}

pub(super) fn puzzle(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let fields = columns * rows;
    let mut text = head(
        plan,
        &format!(
            "slide the tiles of a board of {columns} x {rows} until each lies on the field of its number.\n\
             // `rulec solve {}.s3` finds the shortest way.",
            plan.name
        ),
    );
    text += "[ELEMENT TYPES]\nname=tile\nstates=1\n\n[LOCATION TYPES]\nname=field\nshape=rectangular(46,46)\npoint=0,0\n\n[LOCATIONS]\n";
    for at in 0..fields {
        let (row, column) = (at / columns, at % columns);
        text += &place(
            &format!("f({})", at + 1),
            "field",
            50 * column + 40,
            50 * row + 40,
        );
    }
    text += "[PLAYER NAMES]\n1=solver\n\n[MOVABLE ELEMENTS]\n";
    // Three slides away from the goal: the gap went left, up, left.
    let moved = [
        (fields - 1, fields),
        (fields - 1 - columns, fields - 1),
        (fields - 2 - columns, fields - 1 - columns),
    ];
    for tile in 1..fields {
        let found = moved.iter().find(|(number, _)| *number == tile);
        let place = found.map_or(tile, |(_, place)| *place);
        text += &element(&format!("t({tile})"), "tile", &format!("f({place})"));
    }
    let _ = write!(
        text,
        "// Operators have no precedence: write parentheses. Division cuts off, so (n - 1) / {columns} is the row.
[EXPRESSIONS]
Neighbours
  $D = ABS ($A - $B)
  ($D == {columns}) OR (($D == 1) AND ((($A - 1) / {columns}) == (($B - 1) / {columns})))
END

Solved
  FORALL($K, 1, {tiles}, CONTENT(\"f($K)\") == \"t($K)\")
END

[END OF GAME]
situation=Solved
winner=1

// Only the gap is empty, so only its neighbours can move.
[GAME RULES]
name=slide
element=t($N)
from=f($A)
to=f($B)
condition=Neighbours
",
        tiles = fields - 1
    );
    text
}

/// Cards in open hands, from the lowest to the highest by turns, so that both hands are worth the same.
const HAND: u32 = 7;

pub(super) fn cards(plan: &Plan<'_>) -> String {
    let pile = HAND + 1;
    let about = format!(
        "two hands of {HAND} open cards. One plays a card, the other another one; the higher one takes both, and who\n\
         // played it plays first next. Whoever has taken more than half of the cards wins."
    );
    let mut text = head(plan, &about);
    text += "[ELEMENT TYPES]\nname=card\nstates=1\n\n[LOCATION TYPES]\nname=place\nshape=rectangular(36,46)\npoint=0,0\n\n";
    text += "// hand(player,place), the table, and pile(player,place) for what each has taken.\n[LOCATIONS]\n";
    for (player, y) in [(1, 240), (2, 40)] {
        for n in 1..=HAND {
            text += &place(&format!("hand({player},{n})"), "place", 40 * n, y);
        }
        for n in 1..=pile {
            let x = 40 * (HAND + n) + 60;
            text += &place(&format!("pile({player},{n})"), "place", x, y);
        }
    }
    for n in 1..=2 {
        text += &place(&format!("table({n})"), "place", 40 * n + 80, 140);
    }
    text += "// Player 1 begins.\n[PLAYER NAMES]\n1=ann\n2=bob\n\n[MOVABLE ELEMENTS]\n";
    for card in 1..=2 * HAND {
        // Of four cards in a row the outer ones go to one hand and the inner ones to the other.
        let player = if card % 4 <= 1 { 1 } else { 2 };
        let at = card.div_ceil(2);
        text += &element(
            &format!("card({card})"),
            "card",
            &format!("hand({player},{at})"),
        );
    }
    text + &include_str!("../../../templates/cards.s3").replace("PILE", &pile.to_string())
}
