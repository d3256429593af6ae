//! Starter games of a shape that somebody asks for: a kind of game, a board, a number of players.

use std::fmt::Write;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;

/// What one does in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Put stones on a board
    Placing,
    /// Move men over a board and take others
    Moving,
    /// Bring a token to the end of a track
    Racing,
    /// Draw, hold and play cards
    Cards,
    /// Find the way to a goal, alone
    Puzzle,
}

/// What a game is asked to be like.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// What one does in it.
    pub(crate) kind: Option<Kind>,
    /// Columns and rows.
    pub(crate) board: Option<(u32, u32)>,
    /// Number of players.
    pub(crate) players: Option<u32>,
}

impl Shape {
    /// Whether nothing was asked for.
    pub(crate) fn is_any(&self) -> bool {
        self.kind.is_none() && self.board.is_none() && self.players.is_none()
    }
}

/// A shape with nothing left open.
struct Plan<'a> {
    name: &'a str,
    columns: u32,
    rows: u32,
    players: u32,
}

/// A kind of game in a language: its usual board, the least board, the numbers of players, and what writes it.
struct Row {
    language: &'static str,
    kind: Kind,
    usual: (u32, u32),
    least: (u32, u32),
    players: std::ops::RangeInclusive<u32>,
    write: fn(&Plan<'_>) -> String,
}

const ROWS: &[Row] = &[
    Row {
        language: "s3",
        kind: Kind::Placing,
        usual: (5, 5),
        least: (3, 3),
        players: 2..=4,
        write: s3_placing,
    },
    Row {
        language: "s3",
        kind: Kind::Moving,
        usual: (6, 6),
        least: (2, 4),
        players: 2..=2,
        write: s3_moving,
    },
    Row {
        language: "s3",
        kind: Kind::Racing,
        usual: (6, 5),
        least: (2, 4),
        players: 2..=4,
        write: s3_racing,
    },
    Row {
        language: "s3",
        kind: Kind::Puzzle,
        usual: (3, 3),
        least: (3, 2),
        players: 1..=1,
        write: s3_puzzle,
    },
    Row {
        language: "bgc",
        kind: Kind::Moving,
        usual: (6, 6),
        least: (2, 4),
        players: 2..=2,
        write: bgc_moving,
    },
    Row {
        language: "bgm",
        kind: Kind::Cards,
        usual: (1, 1),
        least: (1, 1),
        players: 2..=6,
        write: bgm_cards,
    },
    Row {
        language: "bgm",
        kind: Kind::Placing,
        usual: (3, 3),
        least: (3, 3),
        players: 2..=2,
        write: bgm_placing,
    },
    Row {
        language: "bgm",
        kind: Kind::Racing,
        usual: (6, 2),
        least: (2, 2),
        players: 2..=2,
        write: bgm_racing,
    },
    Row {
        language: "bgm",
        kind: Kind::Puzzle,
        usual: (3, 3),
        least: (3, 1),
        players: 1..=1,
        write: bgm_puzzle,
    },
    Row {
        language: "bbgel",
        kind: Kind::Racing,
        usual: (6, 5),
        least: (2, 5),
        players: 2..=6,
        write: bbgel_racing,
    },
];

/// Names of players, which are those of their stones too.
const COLOURS: [&str; 4] = ["red", "blue", "green", "yellow"];

/// The text of a starter game.
///
/// # Errors
/// When there is no such game; the message says which there are.
pub(crate) fn text(name: &str, language: &str, shape: &Shape) -> Result<String> {
    let of_language = || ROWS.iter().filter(|row| row.language == language);
    let found = match shape.kind {
        Some(kind) => of_language().find(|row| row.kind == kind),
        None => of_language().next(),
    };
    let Some(row) = found else {
        let kinds = |language: &str| {
            let rows = ROWS.iter().filter(|row| row.language == language);
            rows.map(|row| word(row.kind))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let own = match kinds(language) {
            none if none.is_empty() => {
                format!(
                    "{language} has one game to start from: leave out --kind, --board and --players"
                )
            }
            kinds => format!("{language} has --kind {kinds}"),
        };
        let others = ["s3", "bgm", "bgc", "bbgel"]
            .into_iter()
            .filter(|other| *other != language);
        let others: Vec<String> = others
            .map(|other| format!("{other}: {}", kinds(other)))
            .collect();
        bail!(
            "there is no such game to start from; {own}; {}",
            others.join("; ")
        );
    };
    let (columns, rows) = shape.board.unwrap_or(row.usual);
    let (least_columns, least_rows) = row.least;
    ensure!(
        columns >= least_columns && rows >= least_rows,
        "a board for this has at least {least_columns} columns and {least_rows} rows, and {columns}x{rows} has not"
    );
    let players = shape.players.unwrap_or(*row.players.start());
    ensure!(
        row.players.contains(&players),
        "this is a game for {} to {} players",
        row.players.start(),
        row.players.end()
    );
    Ok((row.write)(&Plan {
        name,
        columns,
        rows,
        players,
    }))
}

fn word(kind: Kind) -> String {
    let value = kind.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Reads `8x8`.
pub(crate) fn board(text: &str) -> Result<(u32, u32), String> {
    let pair = text.split_once(['x', 'X']);
    let side = |text: &str| text.parse().ok().filter(|side| (1..=19).contains(side));
    pair.and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)))
        .ok_or_else(|| format!("`{text}` is no board such as 8x8, with sides from 1 to 19"))
}

/// The beginning of a file of s3.
fn s3_head(plan: &Plan<'_>, about: &str) -> String {
    let name = plan.name;
    format!(
        "// {name}: {about}\n//\n//   rulec check {name}.s3                 look for mistakes and play random games\n\
         //   rulec play {name}.s3                  play it in the terminal\n\
         //   rulec run {name}.s3 -- selfplay       compile it and play many random games\n\n"
    )
}

/// A record of a location or an element type.
fn s3_place(name: &str, ty: &str, x: u32, y: u32) -> String {
    format!("name={name}\ntype={ty}\npoint={x},{y}\n\n")
}

fn s3_element(name: &str, ty: &str, location: &str) -> String {
    format!("name={name}\ntype={ty}\nlocation={location}\n\n")
}

/// `[ELEMENT TYPES]`, one for each player.
fn s3_types(players: u32) -> String {
    let types = COLOURS[..players as usize].iter();
    let records: String = types
        .map(|colour| format!("name={colour}\nstates=1\n\n"))
        .collect();
    format!("// What moves: a kind for each player.\n[ELEMENT TYPES]\n{records}")
}

fn s3_players(players: u32) -> String {
    let lines = (1..).zip(&COLOURS[..players as usize]);
    let lines: String = lines.map(|(n, colour)| format!("{n}={colour}\n")).collect();
    format!("// Player 1 begins.\n[PLAYER NAMES]\n{lines}\n")
}

/// `[LOCATION TYPES]` of a board and of trays.
fn s3_place_types(trays: &[String]) -> String {
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
fn s3_squares(plan: &Plan<'_>) -> String {
    let mut text =
        String::from("// The board: b(column,row), and where each lies on the screen.\n");
    for row in 1..=plan.rows {
        for column in 1..=plan.columns {
            let y = 50 * (plan.rows - row) + 40;
            text += &s3_place(&format!("b({column},{row})"), "square", 50 * column, y);
        }
    }
    text
}

/// The player who moved, asked after the turn has passed.
fn s3_mover(players: u32) -> String {
    format!(
        "// Who has just moved: the turn has passed on when this is asked.\nMover\n  IF(PLAYER == 1, {players}, PLAYER - 1)\nEND\n\n"
    )
}

fn s3_placing(plan: &Plan<'_>) -> String {
    let (columns, rows, players) = (plan.columns, plan.rows, plan.players);
    let line = match columns.min(rows) {
        3 => 3,
        4..=8 => 4,
        _ => 5,
    };
    let colours = &COLOURS[..players as usize];
    let each = (columns * rows).div_ceil(players);
    let mut text = s3_head(
        plan,
        &format!("{line} stones in a line on a board of {columns} x {rows}."),
    );
    text += &s3_types(players);
    let trays: Vec<String> = colours
        .iter()
        .map(|colour| format!("{colour}Tray"))
        .collect();
    text += &s3_place_types(&trays);
    text += "[LOCATIONS]\n";
    text += &s3_squares(plan);
    text += "// The trays, where stones wait.\n";
    for (at, tray) in (0..).zip(&trays) {
        for n in 1..=each {
            let y = 50 * rows + 60 + 45 * at;
            text += &s3_place(&format!("{tray}({n})"), tray, 30 * n + 20, y);
        }
    }
    text += &s3_players(players);
    text += "[MOVABLE ELEMENTS]\n";
    for (colour, tray) in colours.iter().zip(&trays) {
        for n in 1..=each {
            text += &s3_element(&format!("{colour}({n})"), colour, &format!("{tray}({n})"));
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
        mover = s3_mover(players)
    );
    for (n, (colour, tray)) in (1..).zip(colours.iter().zip(&trays)) {
        let _ = write!(
            text,
            "name={colour}\nplayer={n}\nelement={colour}($N)\nfrom={tray}($T)\nto=b($C,$R)\nfollowup=NEXTPLAYER\n\n"
        );
    }
    text
}

fn s3_moving(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let mut text = s3_head(
        plan,
        &format!(
            "men on a board of {columns} x {rows} go forward, straight or diagonally, and jump over enemies, which\n\
             // are taken. Whoever reaches the other side first wins; a player who cannot move makes a draw."
        ),
    );
    text += &s3_types(2);
    text += &s3_place_types(&["tray".to_owned()]);
    text += "[LOCATIONS]\n";
    text += &s3_squares(plan);
    text += "// Where taken men go.\n";
    for n in 1..=2 * columns {
        text += &s3_place(&format!("taken({n})"), "tray", 40 * n + 10, 50 * rows + 60);
    }
    text += &s3_players(2);
    text += "[MOVABLE ELEMENTS]\n";
    for (colour, row) in [("red", 1), ("blue", rows)] {
        for n in 1..=columns {
            text += &s3_element(&format!("{colour}({n})"), colour, &format!("b({n},{row})"));
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

fn s3_racing(plan: &Plan<'_>) -> String {
    let (columns, players) = (plan.columns, plan.players);
    let fields = columns * plan.rows;
    let farthest = players + 1;
    let mut text = s3_head(
        plan,
        &format!(
            "a race over {fields} fields. In turn a token goes one to {farthest} fields ahead, to an empty one.\n\
             // Whoever reaches the last field first wins."
        ),
    );
    text += &s3_types(players);
    text += "[LOCATION TYPES]\nname=field\nshape=circle(20)\npoint=0,0\n\n[LOCATIONS]\n";
    for at in 0..fields {
        let (row, column) = (at / columns, at % columns);
        // The track goes to and fro.
        let column = if row % 2 == 0 {
            column
        } else {
            columns - 1 - column
        };
        text += &s3_place(
            &format!("f({})", at + 1),
            "field",
            50 * column + 40,
            50 * row + 40,
        );
    }
    text += &s3_players(players);
    text += "[MOVABLE ELEMENTS]\n";
    for (n, colour) in (1..).zip(&COLOURS[..players as usize]) {
        text += &s3_element(colour, colour, &format!("f({n})"));
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
        mover = s3_mover(players)
    );
    for (n, colour) in (1..).zip(&COLOURS[..players as usize]) {
        let _ = write!(
            text,
            "name={colour}\nplayer={n}\nelement={colour}\nfrom=f($A)\nto=f($B)\ncondition=Ahead\nfollowup=NEXTPLAYER\n\n"
        );
    }
    text
}

fn s3_puzzle(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let fields = columns * rows;
    let mut text = s3_head(
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
        text += &s3_place(
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
        text += &s3_element(&format!("t({tile})"), "tile", &format!("f({place})"));
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

fn bgc_moving(plan: &Plan<'_>) -> String {
    super::bgc_runners(plan.name, plan.columns, plan.rows)
}

fn bgm_cards(plan: &Plan<'_>) -> String {
    let names = ["ann", "bob", "cem", "dora", "eve", "finn"];
    let players = names[..plan.players as usize].join(" ");
    include_str!("../../templates/cards.bgm")
        .replace("NAME", plan.name)
        .replace("PLAYERS", &players)
        .replace("REDS", &(3 * plan.players).to_string())
        .replace("BLACKS", &(3 * plan.players + 1).to_string())
}

/// The beginning of a file of bgm.
fn bgm_head(plan: &Plan<'_>, about: &str) -> String {
    let name = plan.name;
    format!(
        "# {name}: {about}\n#\n#   rulec check {name}.bgm                 look for mistakes and play random games\n\
         #   rulec play {name}.bgm                  play it in the terminal\n\n"
    )
}

/// A square: a letter for its column, a number for its row.
fn square(column: u32, row: u32) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    format!("{letter}{}", row + 1)
}

/// Lines of so many squares, in the four directions.
fn lines(columns: u32, rows: u32, length: u32) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for column in 0..columns {
            for row in 0..rows {
                let last = length as i64 - 1;
                let (x, y) = (i64::from(column), i64::from(row));
                let ends = (x + dx * last, y + dy * last);
                let fits = ends.0 < i64::from(columns) && (0..i64::from(rows)).contains(&ends.1);
                if fits {
                    let at = |n: i64| square((x + dx * n) as u32, (y + dy * n) as u32);
                    all.push((0..=last).map(at).collect());
                }
            }
        }
    }
    all
}

fn bgm_placing(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let length = if columns.min(rows) < 5 { 3 } else { 4 };
    let (stones, all) = (columns * rows, columns * rows);
    let mut text = bgm_head(
        plan,
        &format!("{length} in a row win on a board of {columns} x {rows}; a full board is a draw."),
    );
    let _ = write!(
        text,
        "# A type has objects; `max` says how many of it may ever be made.
Type Square Pencil
Type Red max {}
Type Blue max {}
Players red blue

# The pencils say whose turn makes which mark.
Pencil redPencil
    owner red
Pencil bluePencil
    owner blue

",
        stones.div_ceil(2),
        all / 2
    );
    for row in 0..rows {
        for column in 0..columns {
            let _ = writeln!(text, "Square {}", square(column, row));
        }
    }
    for (colour, pencil) in [("Red", "redPencil"), ("Blue", "bluePencil")] {
        let _ = write!(
            text,
            "
Action Draw{colour} Square at
    require owns {pencil}
    require not contains at Red
    require not contains at Blue
    effect put {colour} at
    effect players player.left
"
        );
    }
    text += "\n# The turn has passed when the conditions are looked at: a finished line is a loss of whoever moves next.\n";
    for colour in ["Red", "Blue"] {
        for line in lines(columns, rows, length) {
            text += "LoseCondition\n";
            for at in line {
                let _ = writeln!(text, "    require contains {at} {colour}");
            }
        }
    }
    text
}

fn bgm_racing(plan: &Plan<'_>) -> String {
    let last = plan.columns * plan.rows - 1;
    let mut text = bgm_head(
        plan,
        "a race over a track of stones. A turn is one stone, or two over an empty one; a stone with a runner is closed.\n\
         # Who stands on the flag stone wins.",
    );
    text += "# Each stone lies in the next one: what a runner is in is its stone, and `x.in.in` the stone after it.\nPlayers red blue\nStone s1\n";
    for at in 2..=last {
        let _ = write!(text, "Stone s{at}\n    contains s{}\n", at - 1);
    }
    let _ = write!(
        text,
        "Stone flag
    contains s{last}
Runner r
    in s1
    owner red
Runner b
    in s2
    owner blue

Action Step Runner x
    require owns x
    require not contains x.in.in Runner
    effect put x x.in.in
    effect players player.left

# From the last stone before the flag there is nothing to leap to.
Action Leap Runner x
    require owns x
    require not in x s{last}
    require not contains x.in.in Runner
    require not contains x.in.in.in Runner
    effect put x x.in.in.in
    effect players player.left

Action Wait Runner x
    require owns x
    require contains x.in.in Runner
    effect players player.left

LoseCondition OtherIsThere Runner x
    require in x flag
    require not owns x
"
    );
    text
}

fn bgm_puzzle(plan: &Plan<'_>) -> String {
    let (pegs, discs) = (plan.columns, plan.rows);
    let types: Vec<String> = (1..=discs).map(|disc| format!("Disc{disc}")).collect();
    let mut text = bgm_head(
        plan,
        &format!(
            "a tower of {discs} goes from the first of {pegs} pegs to the last one, never a disc on a smaller one.\n\
             # `rulec solve {}.bgm` finds the shortest way.",
            plan.name
        ),
    );
    let _ = write!(
        text,
        "# Discs stand in each other: the largest on a peg, each smaller one in the next larger thing below it.\n\
         Type Peg {}\nPlayers solver\n",
        types.join(" ")
    );
    for peg in 1..=pegs {
        let _ = writeln!(text, "Peg p{peg}");
    }
    for disc in (1..=discs).rev() {
        let below = match disc == discs {
            true => "p1".to_owned(),
            false => format!("d{}", disc + 1),
        };
        let _ = write!(text, "Disc{disc} d{disc}\n    in {below}\n");
    }
    text += "\n# Only a disc that contains nothing is free, and it goes onto a free peg or a free larger disc.\n";
    for disc in 1..=discs {
        let free: String = types[..disc as usize - 1]
            .iter()
            .map(|smaller| format!("    require not contains d {smaller}\n"))
            .collect();
        let onto = types[disc as usize..]
            .iter()
            .map(String::as_str)
            .chain(["Peg"]);
        for (larger, below) in (disc..).zip(onto) {
            let covered: String = types[..larger as usize]
                .iter()
                .map(|other| format!("    require not contains below {other}\n"))
                .collect();
            let _ = write!(
                text,
                "Action Disc{disc}On{below} Disc{disc} d {below} below\n{free}{covered}    effect put d below\n"
            );
        }
    }
    let _ = write!(
        text,
        "\nWinCondition Done\n    require in d{discs} p{pegs}\n"
    );
    for disc in 1..discs {
        let _ = writeln!(text, "    require in d{disc} d{}", disc + 1);
    }
    text
}

fn bbgel_racing(plan: &Plan<'_>) -> String {
    let (name, players) = (plan.name, plan.players);
    let fields = plan.columns * plan.rows;
    let mut text = format!(
        "# {name}: a race for {players} over {fields} fields, with ladders and snakes. Lines that begin with # are remarks.
# Look for mistakes with: rulec check {name}.bbgel
# Play many games with:   rulec simulate {name}.bbgel --games 100k --html {name}.html
name {name}

setup:
    game {{ maxDiceValue 6 }}
    {players} players {{ }}

# A field has a number; the arrow tells where a token goes from here. Commands stand below, further in: they run when
# a token stops here, or on every pass if the first one is `force`.
field 1 \"start\" -> 2:
    game_start()
"
    );
    for field in 2..fields {
        let command = match field % 7 {
            3 if field + 4 < fields => format!("    goto {}\n", field + 4),
            6 if field > 6 => format!("    goto {}\n", field - 4),
            _ => String::new(),
        };
        let _ = writeln!(text, "field {field} -> {}:", field + 1);
        text += &command;
    }
    let _ = write!(text, "field {fields} \"end\":\n    force\n    game_end()\n");
    text
}
