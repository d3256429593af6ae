//! Hosting series of episodes for people.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::Error;
use rulec_search::AnyState;
use rulec_search::episode::host::{After, Attempt, Course, GiveUp, Host, Seats, Stand};
use rulec_search::episode::log::{Transcript, TranscriptForm, Tried};
use rulec_search::episode::scheme::Incentive;
use rulec_search::episode::session::{Code, Piece};
use rulec_search::episode::show;

/// Arguments of `host`.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "Examples:
  host
  host --seed 7 --transcript attempts.csv --short-transcript short.csv
  host --players against --json

While playing, one line each: `13 2` tries to bring the piece of cell 13 to bucket 2, `id:4 2` the piece with the id 4;
`pick 13` or `pick id:4` asks whether a piece can go anywhere; `board`, `points`, `bonus`, `next`, `give up`, `quit`, `help`.
With two players, `2: 13 2` says who tries; without that it is the player on turn.")]
pub struct HostArgs {
    /// Seed of the boards; new ones each time if not given
    #[arg(long, value_name = "N")]
    pub seed: Option<i64>,
    /// Who plays; plans named coop.* and adve.* are for two [default: as the plan is named, else one]
    #[arg(long, value_enum)]
    pub players: Option<Players>,
    /// Name of the player in transcripts
    #[arg(long, value_name = "NAME", default_value = "player")]
    pub name: String,
    /// Write a detailed transcript, a line for each attempt; it goes on where the file exists
    #[arg(long, value_name = "FILE")]
    pub transcript: Option<PathBuf>,
    /// Write a short transcript; it goes on where the file exists
    #[arg(long, value_name = "FILE")]
    pub short_transcript: Option<PathBuf>,
    /// Write lines of JSON
    #[arg(long)]
    pub json: bool,
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Players {
    /// One player
    One,
    /// Two who try in turns
    Together,
    /// Two of whom one goes on until an error
    Against,
}

impl Players {
    const fn seats(self) -> Seats {
        match self {
            Players::One => Seats::One,
            Players::Together => Seats::Together,
            Players::Against => Seats::Against,
        }
    }

    /// What the name of a plan or trial list says.
    pub fn of_plan(name: &str) -> Option<Players> {
        let begins = |start: &str| name.split(['/', '\\']).any(|part| part.starts_with(start));
        match (begins("coop."), begins("adve.")) {
            (true, _) => Some(Players::Together),
            (_, true) => Some(Players::Against),
            _ => None,
        }
    }
}

pub(super) fn own<'g>(
    start: &(dyn AnyState<'g> + 'g),
    args: &HostArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let course = Course::of(start).map_err(Error::User)?;
    host(vec![course], "", args, &mut io::stdin().lock(), out)
}

/// Hosts series, those of a trial list of this name: attempts come from `input`, one a line; its end ends the session.
///
/// # Errors
/// When there are no boards, or reading or writing fails. A wrong line is no error, it is answered.
pub fn host(
    courses: Vec<Course<'_>>,
    list: &str,
    args: &HostArgs,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let seats = args.players.or_else(|| Players::of_plan(list));
    let seats = seats.map_or(Seats::One, Players::seats);
    let host = Host::new(courses, seats, args.seed.unwrap_or(0)).map_err(Error::User)?;
    let rule = rule_of(&host);
    let mut transcripts = Vec::new();
    for (path, form) in [
        (&args.transcript, TranscriptForm::Detailed),
        (&args.short_transcript, TranscriptForm::Short),
    ] {
        if let Some(path) = path {
            let mut file = Transcript::open(path, true, form, &args.name, rule)?;
            file.begin_series(list, 0, rule);
            transcripts.push(file);
        }
    }
    let mut table = Table {
        host,
        list,
        transcripts,
        json: args.json,
        out,
    };
    table.opened()?;
    let mut line = String::new();
    loop {
        line.clear();
        let mut bytes = Vec::new();
        if io::Read::take(&mut *input, LONGEST).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        line.push_str(&String::from_utf8_lossy(&bytes));
        if !table.line(line.trim())? {
            return Ok(());
        }
        table.out.flush()?;
    }
}

/// Longest line that is read at once, in bytes.
const LONGEST: u64 = 1 << 16;

fn rule_of(host: &Host<'_>) -> &'static str {
    host.session().name()
}

struct Table<'a, 'g> {
    host: Host<'g>,
    list: &'a str,
    transcripts: Vec<Transcript>,
    json: bool,
    out: &'a mut dyn Write,
}

const HELP: &str = "13 2      bring the piece of cell 13 to bucket 2; `id:4 2` the piece with the id 4\n\
pick 13   ask whether a piece can go anywhere; `pick id:4` too\n\
board     show the board\npoints    what was earned\nbonus     begin the bonus, where the series has one\n\
next      the next episode; one that goes on is given up\ngive up   give the series up\nquit      end\n";

impl Table<'_, '_> {
    /// Carries out a line; whether the session goes on.
    fn line(&mut self, line: &str) -> Result<bool, Error> {
        let (player, line) = match line.split_once(':') {
            Some((digit @ ("1" | "2"), rest)) if self.host.seats() != Seats::One => {
                (usize::from(digit == "2"), rest.trim())
            }
            _ => (self.host.mover(), line),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["quit" | "exit"] => {
                self.host.give_up(GiveUp::Plan);
                self.said("goodbye")?;
                return Ok(false);
            }
            ["help"] => self.out.write_all(HELP.as_bytes())?,
            ["board"] => self.board(None)?,
            ["points"] => self.points()?,
            ["bonus"] => match self.host.ask_for_bonus() {
                true => self.said("the bonus has begun")?,
                false => self.said("there is no bonus to begin now")?,
            },
            ["next"] => return self.next(),
            ["give", "up"] => {
                self.host.give_up(GiveUp::Series);
                self.ended()?;
                return self.next();
            }
            ["pick", piece] => self.attempt(player, piece, None)?,
            [piece, bucket] => match bucket.parse::<usize>() {
                Ok(bucket) if bucket < self.host.session().info().targets => {
                    self.attempt(player, piece, Some(bucket))?;
                }
                _ => self.wrong(-2, &format!("`{bucket}` is no bucket"))?,
            },
            _ => self.wrong(
                -1,
                &format!("`{}` is not understood; `help` lists what is", cut(line)),
            )?,
        }
        Ok(true)
    }

    fn said(&mut self, text: &str) -> Result<(), Error> {
        match self.json {
            true => writeln!(self.out, "{}", json!({ "said": text }))?,
            false => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    fn wrong(&mut self, code: i32, text: &str) -> Result<(), Error> {
        match self.json {
            true => writeln!(self.out, "{}", json!({ "code": code, "said": text }))?,
            false => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    /// The piece that a word means: `13` that of a cell, `id:4` that with an id.
    fn piece(&self, word: &str) -> Result<usize, Code> {
        let session = self.host.session();
        match word.strip_prefix("id:") {
            Some(id) => {
                let id = id.parse().ok();
                id.and_then(|id| session.piece_of(id)).ok_or(Code::NoPiece)
            }
            None => {
                let cell = word.parse::<usize>().ok();
                let place = cell.and_then(|cell| cell.checked_sub(1));
                session.only_piece(place.unwrap_or(usize::MAX))
            }
        }
    }

    fn attempt(&mut self, player: usize, word: &str, target: Option<usize>) -> Result<(), Error> {
        let plain = word.strip_prefix("id:").unwrap_or(word);
        if plain.parse::<u32>().is_err() {
            return self.wrong(-2, &format!("`{}` is no cell and no id", cut(word)));
        }
        if self.host.stand() != Stand::Playing {
            return self.answer(Code::NoGame, player, None);
        }
        let found = self.piece(word);
        let piece = found.ok().map(|index| self.host.session().pieces()[index]);
        let code = match found {
            Ok(piece) => self.host.attempt(player, Attempt { piece, target }),
            Err(code) => code,
        };
        if let Some(piece) = &piece {
            let tried = Tried {
                piece,
                bucket: target,
                code,
                mover: player,
            };
            for transcript in &mut self.transcripts {
                transcript.attempt(self.host.session(), &tried)?;
            }
        }
        self.answer(code, player, piece)?;
        if self.host.stand() != Stand::Playing && code.counts() {
            self.ended()?;
        }
        Ok(())
    }

    fn answer(&mut self, code: Code, player: usize, piece: Option<Piece>) -> Result<(), Error> {
        let session = self.host.session();
        let left = session.pieces().iter().filter(|piece| piece.here).count();
        let attempts = session.attempts;
        if self.json {
            let value = json!({
                "code": code.number(),
                "finish": self.host.stand().number(),
                "attempts": attempts,
                "pieces": left,
                "player": player + 1,
                "next_player": self.host.mover() + 1,
                "id": piece.map(|piece| piece.id),
                "attempts_left": self.host.attempts_left(),
                "factor_promised": self.host.promised(),
            });
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        let mut text = format!(
            "{}: {} left, {}",
            code.name(),
            counted(left as u64, "piece"),
            counted(attempts, "attempt")
        );
        // Writing to a string does not fail.
        if let Some(left) = self.host.attempts_left() {
            let _ = write!(text, ", {left} more for the bonus");
        }
        if self.host.promised() > 1 {
            let _ = write!(text, ", points times {}", self.host.promised());
        }
        if self.host.seats() != Seats::One {
            let _ = write!(text, ", player {} is next", self.host.mover() + 1);
        }
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// Pieces that can go somewhere, by cell, where players are shown them.
    fn movable(&self) -> Option<Vec<u32>> {
        if self.host.scheme().free {
            return None;
        }
        let session = self.host.session();
        let pieces = session.pieces().iter();
        let movable = pieces.filter(|piece| piece.here && session.targets(piece) != 0);
        let mut cells: Vec<u32> = movable.map(|piece| u32::from(piece.place) + 1).collect();
        cells.dedup();
        Some(cells)
    }

    fn board(&mut self, opened: Option<Value>) -> Result<(), Error> {
        let movable = self.movable();
        let session = self.host.session();
        if self.json {
            let info = session.info();
            let pieces = session.pieces().iter().filter(|piece| piece.here);
            let pieces = pieces.map(|piece| {
                let kind = &info.kinds[usize::from(piece.kind)];
                let properties = kind
                    .properties
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), json!(value)));
                json!({
                    "id": piece.id,
                    "cell": piece.place + 1,
                    "name": kind.name,
                    "properties": properties.collect::<serde_json::Map<_, _>>(),
                })
            });
            let mut value = json!({
                "board": pieces.collect::<Vec<_>>(),
                "movable": movable,
                "finish": self.host.stand().number(),
            });
            if let (Some(more), Some(object)) = (opened, value.as_object_mut()) {
                object.extend(more.as_object().cloned().unwrap_or_default());
            }
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        let mut text = Vec::new();
        show::board(session, &mut text);
        self.out.write_all(&text)?;
        if let Some(cells) = movable {
            let cells: Vec<String> = cells.iter().map(u32::to_string).collect();
            writeln!(self.out, "can go: {}", cells.join(" "))?;
        }
        Ok(())
    }

    fn opened(&mut self) -> Result<(), Error> {
        let host = &self.host;
        let tally = host.tallies()[host.series()];
        let (series, episode) = (host.series() + 1, tally.episodes);
        let text = format!(
            "series {series} of {}, episode {episode}{}",
            host.tallies().len(),
            if host.is_bonus() { " of the bonus" } else { "" }
        );
        if !self.json {
            writeln!(self.out, "{text}")?;
        }
        let more = json!({ "series": series, "episode": episode, "bonus": self.host.is_bonus() });
        self.board(Some(more))?;
        match self.host.stand() {
            Stand::Playing => Ok(()),
            _ => self.ended(),
        }
    }

    fn ended(&mut self) -> Result<(), Error> {
        let (stand, earned) = (self.host.stand(), self.host.earned());
        let players = self.host.seats().count();
        if self.json {
            let value = json!({
                "ended": stand.name(),
                "finish": stand.number(),
                "points": &earned.points[..players],
                "bonus": earned.bonus,
                "totals": (0..players).map(|player| self.host.total(player)).collect::<Vec<_>>(),
                "can_ask_for_bonus": self.host.can_ask_for_bonus(),
            });
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        let points: Vec<String> = earned.points[..players]
            .iter()
            .map(i64::to_string)
            .collect();
        let mut text = format!("{}: {} points", stand.name(), points.join(" and "));
        if earned.bonus != 0 {
            // Writing to a string does not fail.
            let _ = write!(text, " and a bonus of {}", earned.bonus);
        }
        writeln!(self.out, "{text}")?;
        if self.host.can_ask_for_bonus() {
            writeln!(self.out, "`bonus` begins the bonus")?;
        }
        Ok(())
    }

    fn points(&mut self) -> Result<(), Error> {
        let players = self.host.seats().count();
        let tallies = self.host.tallies();
        if self.json {
            let series = tallies.iter().map(|tally| {
                json!({ "episodes": tally.episodes, "points": &tally.points[..players], "factor": tally.factor })
            });
            let value = json!({
                "series": series.collect::<Vec<_>>(),
                "totals": (0..players).map(|player| self.host.total(player)).collect::<Vec<_>>(),
            });
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        let mut text = String::new();
        for (number, tally) in tallies.iter().enumerate().take(self.host.series() + 1) {
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "series {}: {}, {} points times {}",
                number + 1,
                counted(tally.episodes, "episode"),
                tally.points[0],
                tally.factor
            );
        }
        for player in 0..players {
            let _ = writeln!(
                text,
                "player {}: {} points in all",
                player + 1,
                self.host.total(player)
            );
        }
        if let Incentive::Bonus { boards, points, .. } = self.host.scheme().incentive {
            let _ = writeln!(
                text,
                "{boards} boards of the bonus in a row earn {points} points"
            );
        }
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    fn next(&mut self) -> Result<bool, Error> {
        if self.host.stand() == Stand::Playing {
            self.host.give_up(GiveUp::Episode);
            self.ended()?;
        }
        match self.host.go_on().map_err(Error::User)? {
            After::End => {
                self.points()?;
                self.said("that was all")?;
                return Ok(false);
            }
            After::Series => {
                let (series, rule) = (self.host.series(), rule_of(&self.host));
                for transcript in &mut self.transcripts {
                    transcript.begin_series(self.list, series, rule);
                }
            }
            After::Episode => self.transcripts.iter_mut().for_each(Transcript::begin),
        }
        self.opened()?;
        Ok(true)
    }
}

/// `1 piece`, `2 pieces`.
fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The beginning of a text of a player, to repeat it.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}
