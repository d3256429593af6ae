//! `endgames`: tables of endgames, worked out backwards, and checked.

use std::{
    fmt::Write as _,
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use serde_json::{Value as Json, json};

use super::{Error, Ticker, emit};
use rulec_search::{
    AnyState, available_threads,
    endgames::{self, Counts, Endgames, Made, Settings, Table, Wish},
    numbers::{parse_bytes, parse_count},
};

/// Arguments of `endgames`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  endgames                                                   what can stand on the board\n  \
    endgames --of \"white king, white rook, black king\" --out tables\n  endgames --up-to 3 --out tables --memory 8G\n  \
    endgames --verify tables --samples 10000\n  solve --tables tables --state TEXT\n\n\
    For games of one or two players without draws of chance whose positions list what stands on each place. A table holds for every\n\
    placement of the same things, and for whoever is on turn, who wins with best play and after how many plies. Smaller tables that moves lead\n\
    to are made too, and those in the folder are used.\n\
    Rules by which a game is drawn because positions come again or nothing happens for long are left out, and so are rights that come from\n\
    what has moved before, such as castling."
)]
pub struct EndgamesArgs {
    /// What stands on the board, separated by commas, one name for each thing; may be repeated
    #[arg(long, value_name = "NAMES")]
    pub of: Vec<String>,
    /// All tables of so many things at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub up_to: Option<u8>,
    /// Keep the tables in this folder, made if it is not there; one file each
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Check the tables of a folder: positions drawn at random against what their moves lead to
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["of", "up_to", "out"])]
    pub verify: Option<PathBuf>,
    /// Positions of each table that are checked; all where there are no more
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_count)]
    pub samples: u64,
    /// Memory at most while a table is worked out, such as 500M or 4G
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = parse_bytes)]
    pub memory: u64,
    /// Number of threads; all that the machine has if not given
    #[arg(long, value_name = "T")]
    pub threads: Option<usize>,
    /// Seed of the random games that show how positions are written, and of the positions that are checked
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn endgames<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &EndgamesArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let name = start.info().name;
    if let Some(folder) = &args.verify {
        return verify(start, args, folder, out);
    }
    let mut wishes: Vec<Wish> = args.of.iter().map(|names| wish(names)).collect();
    wishes.extend(args.up_to.map(|most| Wish::UpTo(usize::from(most))));
    if wishes.is_empty() {
        let contents = endgames::contents(start, args.seed).map_err(user)?;
        let value = || {
            let each = contents.iter();
            let each = each.map(|(name, always)| json!({ "name": name, "always": always }));
            json!({ "game": name, "contents": each.collect::<Vec<_>>() })
        };
        return emit(out, args.json, value, || listed(name, &contents));
    }
    let known = match &args.out {
        Some(folder) => {
            fs::create_dir_all(folder)?;
            Endgames::read(folder, start.info()).map_err(Error::User)?
        }
        None => Endgames::default(),
    };
    let settings = Settings {
        memory: args.memory,
        threads: args.threads.unwrap_or_else(available_threads),
        seed: args.seed,
    };
    let mut ticker = Ticker::new();
    let mut telling = |what: &str, done: u64, all: u64| {
        ticker.tell(|| format!("{what}: {done} of {all}"));
        true
    };
    let mut rows = Vec::new();
    let mut begun = Instant::now();
    let mut keep = |table: &Table, made: Made| {
        let bytes = match &args.out {
            Some(folder) => {
                let written = table.write(&folder.join(table.file_name()));
                Some(written.map_err(|e| endgames::Error::Keeping(e.to_string()))?)
            }
            None => None,
        };
        rows.push(Row {
            name: table.name(),
            counts: table.counts(),
            made,
            bytes,
            seconds: begun.elapsed().as_secs_f64(),
        });
        begun = Instant::now();
        Ok(())
    };
    endgames::make(start, &wishes, known, &settings, &mut telling, &mut keep).map_err(user)?;
    let players = start.info().players;
    let value = || {
        let tables: Vec<Json> = rows.iter().map(|row| row.json(players)).collect();
        json!({ "game": name, "tables": tables })
    };
    emit(out, args.json, value, || {
        let mut text = format!("{name}\n");
        rows.iter().for_each(|row| row.tell(players, &mut text));
        if rows.is_empty() {
            text.push_str("all tables are there already\n");
        }
        text
    })
}

fn user(error: endgames::Error) -> Error {
    Error::User(error.to_string())
}

fn wish(names: &str) -> Wish {
    let names = names.split(',').map(|name| name.trim().to_owned());
    Wish::Of(names.filter(|name| !name.is_empty()).collect())
}

fn listed(name: &str, contents: &[(String, u8)]) -> String {
    let mut text = format!("{name}: what can stand on the board\n");
    for (name, always) in contents {
        let always = match always {
            0 => String::new(),
            always => format!(" (always {always})"),
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {name}{always}");
    }
    text.push_str("name what a table is about with --of, or ask for all tables with --up-to\n");
    text
}

/// A table that was made.
struct Row {
    name: String,
    counts: Vec<Counts>,
    made: Made,
    bytes: Option<u64>,
    seconds: f64,
}

impl Row {
    fn json(&self, players: &[&str]) -> Json {
        let turns = self.counts.iter().zip(players).map(|(counts, player)| {
            let longest = counts.longest.iter().zip(names(players));
            let longest = longest.filter_map(|(longest, winner)| {
                let (plies, position) = longest.as_ref()?;
                Some(json!({ "winner": winner, "plies": plies, "position": position }))
            });
            json!({
                "turn": player,
                "positions": counts.positions,
                "won": counts.won,
                "drawn": counts.drawn,
                "longest": longest.collect::<Vec<_>>(),
            })
        });
        json!({
            "table": self.name,
            "turns": turns.collect::<Vec<_>>(),
            "met": self.made.met,
            "moves": self.made.moves,
            "bytes": self.bytes,
            "seconds": self.seconds,
        })
    }

    fn tell(&self, players: &[&str], text: &mut String) {
        let size = self
            .bytes
            .map_or(String::new(), |bytes| format!(", {bytes} bytes"));
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "\n{}: {:.1} s, {} moves followed{size}",
            self.name, self.seconds, self.made.moves
        );
        for (counts, player) in self.counts.iter().zip(players) {
            let _ = write!(text, "  {player} on turn: {} positions", counts.positions);
            for (won, winner) in counts.won.iter().zip(names(players)) {
                if *won > 0 {
                    let _ = write!(text, ", {winner} wins {won}");
                }
            }
            let _ = writeln!(text, ", drawn {}", counts.drawn);
            for (longest, winner) in counts.longest.iter().zip(names(players)) {
                if let Some((plies, position)) = longest {
                    let _ = writeln!(
                        text,
                        "    longest win of {winner}: {plies} plies, {} moves; {position}",
                        plies.div_ceil(2)
                    );
                }
            }
        }
    }
}

/// Who wins, the first one and the other.
fn names<'p>(players: &[&'p str]) -> [&'p str; 2] {
    [
        players.first().copied().unwrap_or("the player"),
        players.get(1).copied().unwrap_or("nobody"),
    ]
}

fn verify<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &EndgamesArgs,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let tables = Endgames::read(folder, start.info()).map_err(Error::User)?;
    if tables.tables().len() == 0 {
        return Err(Error::User(format!(
            "`{}` holds no tables",
            folder.display()
        )));
    }
    let mut ticker = Ticker::new();
    let mut telling = |what: &str, done: u64, all: u64| {
        ticker.tell(|| format!("{what}: {done} of {all}"));
        true
    };
    let checked = endgames::check(start, &tables, args.samples, args.seed, &mut telling);
    let checked = checked.map_err(Error::Refuted)?;
    let count = tables.tables().len();
    let value = || {
        json!({
            "game": start.info().name,
            "tables": count,
            "positions": checked.positions,
            "none": checked.none,
            "moves": checked.moves,
        })
    };
    emit(out, args.json, value, || {
        format!(
            "{count} tables: {} positions are worth what their {} moves make them; {} more numbers are no positions of play\n",
            checked.positions, checked.moves, checked.none
        )
    })
}
