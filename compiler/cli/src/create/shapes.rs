//! Starter games of a shape that somebody asks for: a kind of game, a board, a number of players.

mod bgm;
mod s3;

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
        write: s3::placing,
    },
    Row {
        language: "s3",
        kind: Kind::Moving,
        usual: (6, 6),
        least: (2, 4),
        players: 2..=2,
        write: s3::moving,
    },
    Row {
        language: "s3",
        kind: Kind::Racing,
        usual: (6, 5),
        least: (2, 4),
        players: 2..=4,
        write: s3::racing,
    },
    Row {
        language: "s3",
        kind: Kind::Puzzle,
        usual: (3, 3),
        least: (3, 2),
        players: 1..=1,
        write: s3::puzzle,
    },
    Row {
        language: "s3",
        kind: Kind::Cards,
        usual: (1, 1),
        least: (1, 1),
        players: 2..=2,
        write: s3::cards,
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
        language: "bgc",
        kind: Kind::Racing,
        usual: (6, 6),
        least: (2, 4),
        players: 2..=2,
        write: bgc_racing,
    },
    Row {
        language: "bgm",
        kind: Kind::Cards,
        usual: (1, 1),
        least: (1, 1),
        players: 2..=6,
        write: bgm::cards,
    },
    Row {
        language: "bgm",
        kind: Kind::Placing,
        usual: (3, 3),
        least: (3, 3),
        players: 2..=2,
        write: bgm::placing,
    },
    Row {
        language: "bgm",
        kind: Kind::Moving,
        usual: (4, 6),
        least: (2, 4),
        players: 2..=2,
        write: bgm::moving,
    },
    Row {
        language: "bgm",
        kind: Kind::Racing,
        usual: (6, 2),
        least: (2, 2),
        players: 2..=2,
        write: bgm::racing,
    },
    Row {
        language: "bgm",
        kind: Kind::Puzzle,
        usual: (3, 3),
        least: (3, 1),
        players: 1..=1,
        write: bgm::puzzle,
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

fn bgc_moving(plan: &Plan<'_>) -> String {
    super::bgc_runners(plan.name, plan.columns, plan.rows)
}

/// The board, the players and the states of the starter, with men that run and leap, and take nobody.
fn bgc_racing(plan: &Plan<'_>) -> String {
    let text = bgc_moving(plan);
    let (Some(from), Some(to)) = (
        text.find("    \"runner\": {"),
        text.find("  \"initial_position\""),
    ) else {
        return text;
    };
    let text = format!("{}{RACERS}{}", &text[..from], &text[to..]);
    let rule = "A runner steps one cell forward if that is empty, and takes diagonally forward.";
    let states = "  \"game_states\": {";
    text.replace(
        rule,
        "A runner steps one cell forward or aside if that is empty, or leaps forward over another one. Nobody is taken.",
    )
    .replace(states, &format!("  \"draw_rules\": {{\"repetition\": 3, \"max_plies\": 200}},\n{states}"))
}

/// The figures of a race.
const RACERS: &str = r#"    "runner": {
      "movement": [
        {"y": 1, "if": [{"self": {"player": "white"}}]},
        {"y": -1, "if": [{"self": {"player": "black"}}]},
        {"x": 1, "also_reversed": true},
        {"y": 1, "steps": 2, "if": [{"self": {"player": "white"}}],
         "cell_actions": {"transition": [{"actions": ["cancel"], "if": [{"computed": {"is_figure": false}}]}]}},
        {"y": -1, "steps": 2, "if": [{"self": {"player": "black"}}],
         "cell_actions": {"transition": [{"actions": ["cancel"], "if": [{"computed": {"is_figure": false}}]}]}}
      ],
      "cell_actions": {
        "destination": [{"actions": ["move"], "if": [{"computed": {"is_empty": true}}]}]
      }
    }
  },
"#;

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
