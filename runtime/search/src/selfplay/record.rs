//! Records of games: JSON Lines that end with a line about themselves; `FORMATS.md` of this crate states them.

use std::io::{self, BufRead, Write};

use rulec_core::{Fault, GameInfo, Outcome, Playout, Reason};
use serde_json::{Value, json};

use super::{Played, SelfplayJob};
use crate::view;

/// Version of the format.
pub(super) const VERSION: u32 = 1;

/// The record of one game, one line of JSON. Draws stand among the moves, so the game can be replayed from it.
pub(super) fn line(info: &GameInfo, job: &SelfplayJob<'_>, index: u64, game: &Played) -> String {
    let seats = 0..info.players.len();
    let players: Vec<Value> = seats
        .map(|s| job.bots[job.bot(index, s)].to_string().into())
        .collect();
    line_of(info, job.seed, players, index, game)
}

/// The same for players of these names.
pub(super) fn line_of(
    info: &GameInfo,
    seed: u64,
    players: Vec<Value>,
    index: u64,
    game: &Played,
) -> String {
    let label = game
        .playout
        .outcome
        .map_or("limit".to_owned(), |o| o.label());
    let mut line = json!({
        "game": info.name,
        "rules_sha256": info.rules_sha256,
        "seed": seed,
        "index": index,
        "players": players,
        "moves": game.moves,
        "plies": game.playout.plies,
        "choices": game.playout.moves,
        "result": label,
        "outcome": view::outcome_json(info, game.playout.outcome, &game.scores),
    });
    // The number of a place that fails is not the same in every run.
    if let Some(fault) = line["outcome"]["fault"].as_object_mut()
        && fault.len() > 1
    {
        fault.remove("site");
    }
    if game.opened > 0 {
        line["opening"] = game.opened.into();
    }
    if let Some(given) = &game.given {
        line["start"] = given.as_str().into();
    }
    format!("{line}\n")
}

/// The last line of a file of records.
pub(super) fn end_line(
    info: &GameInfo,
    settings: &Value,
    range: (u64, u64),
    bytes: u64,
    crc: u32,
) -> String {
    let end = json!({ "end": {
        "version": VERSION,
        "game": info.name,
        "rules_sha256": info.rules_sha256,
        "settings": settings,
        "from": range.0,
        "to": range.1,
        "games": range.1 - range.0,
        "bytes": bytes,
        "crc32": format!("{crc:08x}"),
    }});
    format!("{end}\n")
}

/// A writer of records that counts and keeps the checksum.
pub(super) struct Records<W: Write> {
    pub(super) out: W,
    bytes: u64,
    crc: crc32fast::Hasher,
}

impl<W: Write> Records<W> {
    pub(super) fn new(out: W) -> Self {
        Self {
            out,
            bytes: 0,
            crc: crc32fast::Hasher::new(),
        }
    }

    pub(super) fn push(&mut self, line: &str) -> io::Result<()> {
        self.bytes += line.len() as u64;
        self.crc.update(line.as_bytes());
        self.out.write_all(line.as_bytes())
    }

    /// Writes the last line and gives the writer back.
    pub(super) fn end(
        mut self,
        info: &GameInfo,
        settings: &Value,
        range: (u64, u64),
    ) -> io::Result<W> {
        let crc = self.crc.finalize();
        let line = end_line(info, settings, range, self.bytes, crc);
        self.out.write_all(line.as_bytes())?;
        Ok(self.out)
    }
}

/// What a finished game adds to statistics, read back from its record.
pub(super) struct Told {
    pub(super) index: u64,
    pub(super) playout: Playout,
    pub(super) key: u64,
}

/// Reads a file of records, tells of every game, and gives the object of its last line.
///
/// # Errors
/// When reading fails, or the file is not complete: the last line is missing or its checksum is another.
pub(super) fn read(
    input: impl BufRead,
    info: &GameInfo,
    tell: &mut dyn FnMut(Told),
) -> io::Result<Value> {
    let broken = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut crc = crc32fast::Hasher::new();
    let mut bytes = 0u64;
    let mut input = input;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Err(broken("it has no last line"));
        }
        let value: Value =
            serde_json::from_str(&line).map_err(|_| broken("a line of it is no JSON"))?;
        let end = &value["end"];
        if end.is_object() {
            let whole = end["bytes"].as_u64() == Some(bytes)
                && end["crc32"].as_str() == Some(&*format!("{:08x}", crc.finalize()));
            let last = whole && input.fill_buf()?.is_empty();
            return match last {
                true => Ok(end.clone()),
                false => Err(broken("its checksum is wrong")),
            };
        }
        crc.update(line.as_bytes());
        bytes += line.len() as u64;
        tell(told(info, &value).ok_or_else(|| broken("a line of it is no record"))?);
    }
}

fn told(info: &GameInfo, value: &Value) -> Option<Told> {
    let plies = u32::try_from(value["plies"].as_u64()?).ok()?;
    let moves = value["moves"].as_array()?;
    let moves: Option<Vec<&str>> = moves.iter().map(Value::as_str).collect();
    Some(Told {
        index: value["index"].as_u64()?,
        playout: Playout {
            plies,
            moves: value["choices"].as_u64()?,
            counted: plies,
            outcome: outcome(info, value)?,
        },
        key: key(value["start"].as_str(), moves?.into_iter()),
    })
}

fn outcome(info: &GameInfo, value: &Value) -> Option<Option<Outcome>> {
    let told = &value["outcome"];
    let reason = match told["reason"].as_str()? {
        "limit" if value["result"] == "limit" => return Some(None),
        "fault" => Reason::Fault(fault(info, &told["fault"])),
        word => [
            Reason::Win,
            Reason::Draw,
            Reason::Stuck,
            Reason::Elimination,
            Reason::Limit,
        ]
        .into_iter()
        .find(|reason| reason.word() == word)?,
    };
    let numbers = match told["winners"].as_array() {
        Some(several) => several.iter().filter_map(Value::as_u64).collect(),
        None => Vec::from_iter(told["winner"].as_u64()),
    };
    let winners = numbers.iter().filter(|n| (1..=64).contains(*n));
    Some(Some(Outcome {
        reason,
        winners: winners.fold(0, |set, n| set | 1 << (n - 1)),
    }))
}

/// The fault that a record tells of; one without a number of its own if the game does not know it yet.
fn fault(info: &GameInfo, told: &Value) -> Fault {
    let same = |site: &rulec_core::FaultSite| {
        told["code"] == site.code
            && told["origin"] == site.origin
            && told["message"] == site.message
    };
    let site = info.faults.iter().position(same);
    Fault {
        site: site.and_then(|s| u16::try_from(s).ok()).unwrap_or(u16::MAX),
    }
}

/// A key of a game: its start and its moves.
pub(super) fn key<'t>(start: Option<&'t str>, moves: impl Iterator<Item = &'t str>) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rulec_core::KeyHasher::new();
    for text in start.into_iter().chain(moves) {
        hasher.write(text.as_bytes());
        hasher.write_u8(b';');
    }
    // The sketch wants keys that are evenly spread.
    let key = hasher.finish();
    rulec_core::Rng::new(key, 0).u64()
}
