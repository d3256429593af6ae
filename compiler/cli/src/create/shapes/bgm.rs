//! Starter games in bgm.

use std::fmt::Write;

use super::Plan;

pub(super) fn cards(plan: &Plan<'_>) -> String {
    let names = ["ann", "bob", "cem", "dora", "eve", "finn"];
    let players = names[..plan.players as usize].join(" ");
    include_str!("../../../templates/cards.bgm")
        .replace("NAME", plan.name)
        .replace("PLAYERS", &players)
        .replace("REDS", &(3 * plan.players).to_string())
        .replace("BLACKS", &(3 * plan.players + 1).to_string())
}

/// The beginning of a file of bgm.
fn head(plan: &Plan<'_>, about: &str) -> String {
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

pub(super) fn placing(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let length = if columns.min(rows) < 5 { 3 } else { 4 };
    let (stones, all) = (columns * rows, columns * rows);
    let mut text = head(
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

pub(super) fn racing(plan: &Plan<'_>) -> String {
    let last = plan.columns * plan.rows - 1;
    let mut text = head(
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

pub(super) fn puzzle(plan: &Plan<'_>) -> String {
    let (pegs, discs) = (plan.columns, plan.rows);
    let types: Vec<String> = (1..=discs).map(|disc| format!("Disc{disc}")).collect();
    let mut text = head(
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

/// Men in lanes. Each square lies in the next one of its lane, as on the track of a race.
pub(super) fn moving(plan: &Plan<'_>) -> String {
    let (columns, rows) = (plan.columns, plan.rows);
    let about = format!(
        "men in {columns} lanes of {rows} squares step ahead, or leap over an enemy, which is taken.\n\
         # Whoever brings a man to the far end of a lane wins; a player who cannot move has lost."
    );
    let mut text = head(plan, &about);
    text += "# The squares of a lane lie in each other: what a man is in is his square, and `m.in.in` the next one up.\n\
             Type Square Red Blue\nPlayers red blue\n";
    for column in 0..columns {
        let _ = writeln!(text, "Square {}", square(column, 0));
        for row in 1..rows {
            let (at, below) = (square(column, row), square(column, row - 1));
            let _ = write!(text, "Square {at}\n    contains {below}\n");
        }
    }
    text += "\n# Men without names are all alike.\n";
    for column in 0..columns {
        for (colour, owner, row) in [("Red", "red", 0), ("Blue", "blue", rows - 1)] {
            let at = square(column, row);
            let _ = write!(text, "{colour}\n    in {at}\n    owner {owner}\n");
        }
    }
    text += include_str!("../../../templates/lanes.bgm");
    for column in 0..columns {
        for (colour, row) in [("Red", rows - 1), ("Blue", 0)] {
            let at = square(column, row);
            let _ = write!(text, "LoseCondition\n    require contains {at} {colour}\n");
        }
    }
    text += "\n# Who cannot move has lost.\nStuck lose\n";
    text
}
