//! A table: what all positions of one class are worth, in memory and as a file.
//!
//! A file begins with eight letters and the length of its head, a line of JSON which tells the game by the checksum of its rules, the
//! class, and how positions are set up and read. Blocks of values follow, each compressed by itself behind its length; a
//! checksum of all comes last. Numbers are of 32 bits, the least significant byte first.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use rulec_core::GameInfo;
use serde_json::{Value as Json, json};

use super::{
    class::{Class, Numbering, Piece},
    frame::Frame,
};
use crate::files::NewFile;

const MAGIC: &[u8; 8] = b"rulecEGT";
const FORMAT: &str = "rulec endgame table 1";
/// How names of files end.
pub const ENDING: &str = ".endgame";
/// Values of a block.
const BLOCK: usize = 1 << 16;
/// Bytes of a head at most.
const LONGEST_HEAD: u64 = 1 << 26;

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// It is no position of play: two things on one place, or the rules have something against it.
    None,
    /// Nobody can force a win.
    Draw,
    /// A player wins, with best play after so many plies; the other makes it as many as he can.
    Win {
        /// Who wins, from 0; in a game for one player 1 if he loses.
        player: u8,
        /// The number of moves of all players until the game is over.
        plies: u16,
    },
}

impl Value {
    pub(super) fn win(player: u8, plies: u16) -> Value {
        Value::Win { player, plies }
    }

    /// Who wins and after how many plies, nobody in a draw; nothing where it tells nothing.
    pub(crate) fn told(self) -> Option<Option<(u8, u16)>> {
        match self {
            Value::None => None,
            Value::Draw => Some(None),
            Value::Win { player, plies } => Some(Some((player, plies))),
        }
    }

    fn code(self) -> u32 {
        match self {
            Value::None => 0,
            Value::Draw => 1,
            Value::Win { player, plies } => 2 + 2 * u32::from(plies) + u32::from(player.min(1)),
        }
    }

    fn of_code(code: u32) -> Value {
        match code {
            0 => Value::None,
            1 => Value::Draw,
            code => Value::win((code & 1) as u8, ((code - 2) / 2) as u16),
        }
    }
}

/// The values of all positions in which the same things stand there.
pub struct Table {
    pub(super) frame: Frame,
    pub(super) class: Class,
    numbering: Numbering,
    ignored: Vec<bool>,
    game: String,
    rules: String,
    /// Bytes of a value: one or three.
    width: usize,
    codes: Vec<u8>,
}

/// How many positions of a player's turn are worth what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions of play.
    pub positions: u64,
    /// Those that the first and the second player win.
    pub won: [u64; 2],
    /// Those that nobody can win.
    pub drawn: u64,
    /// The longest win of each player in plies, and what stands where in a position of it.
    pub longest: [Option<(u16, String)>; 2],
}

impl Table {
    /// A table of values in the order of numbers, which are one for each.
    pub(super) fn new(
        frame: &Frame,
        info: &GameInfo,
        (class, numbering): (&Class, &Numbering),
        ignored: &[bool],
        values: &[Value],
    ) -> Table {
        let most = values.iter().map(|value| value.code()).max().unwrap_or(0);
        let width = if most < 256 { 1 } else { 3 };
        let mut codes = Vec::with_capacity(values.len() * width);
        for value in values {
            codes.extend_from_slice(&value.code().to_le_bytes()[..width]);
        }
        Table {
            frame: frame.clone(),
            class: class.clone(),
            numbering: numbering.clone(),
            ignored: ignored.to_vec(),
            game: info.name.to_owned(),
            rules: info.rules_sha256.to_owned(),
            width,
            codes,
        }
    }

    /// What stands there, such as `white king, white queen, black king`.
    pub fn name(&self) -> String {
        self.class.name(&self.frame.contents)
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        let mut name = String::new();
        for c in self.name().chars() {
            match c {
                ',' => name.push('+'),
                ' ' if name.ends_with('+') => {}
                ' ' => name.push('_'),
                c if c.is_ascii_alphanumeric() || c == '-' => name.push(c),
                c => {
                    let mut bytes = [0; 4];
                    for byte in c.encode_utf8(&mut bytes).bytes() {
                        name.push_str(&format!("%{byte:02x}"));
                    }
                }
            }
        }
        name + ENDING
    }

    /// Bytes of the values in memory.
    pub fn bytes(&self) -> u64 {
        self.codes.len() as u64
    }

    /// Planes that do not matter.
    pub(super) fn ignored(&self) -> &[bool] {
        &self.ignored
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> u64 {
        (self.codes.len() / self.width) as u64
    }

    /// The value of a number.
    pub(super) fn at(&self, number: u64) -> Value {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        let begin = at.saturating_mul(self.width);
        let bytes = self.codes.get(begin..begin.saturating_add(self.width));
        let bytes = bytes.unwrap_or_default().iter().rev();
        Value::of_code(bytes.fold(0, |code, byte| code << 8 | u32::from(*byte)))
    }

    /// The value of a position in which a player is on turn.
    pub(super) fn value(&self, turn: usize, pieces: &[Piece]) -> Value {
        self.at(turn as u64 * self.numbering.size() + self.numbering.rank(pieces))
    }

    /// Who is on turn in the position of a number, and what stands where; false if two things stand on one place.
    pub(super) fn placement(&self, number: u64, pieces: &mut Vec<Piece>) -> (usize, bool) {
        let size = self.numbering.size().max(1);
        let apart = self.numbering.unrank(number % size, pieces);
        ((number / size) as usize, apart)
    }

    /// Whether the values are about a game.
    ///
    /// # Errors
    /// Why not.
    pub fn fits(&self, info: &GameInfo) -> Result<(), String> {
        match self.rules == info.rules_sha256 {
            true => Ok(()),
            false => Err(format!(
                "the table of {} is about other rules ({}): run `endgames` on these",
                self.name(),
                self.game
            )),
        }
    }

    /// Counts what the positions are worth, by who is on turn.
    pub fn counts(&self) -> Vec<Counts> {
        let mut all = vec![Counts::default(); self.frame.turns.len()];
        let mut longest = vec![[None::<(u16, u64)>; 2]; all.len()];
        let size = self.numbering.size().max(1);
        for number in 0..self.len() {
            let turn = (number / size) as usize;
            let (Some(counts), Some(longest)) = (all.get_mut(turn), longest.get_mut(turn)) else {
                continue;
            };
            let value = self.at(number);
            counts.positions += u64::from(value != Value::None);
            match value {
                Value::None => {}
                Value::Draw => counts.drawn += 1,
                Value::Win { player, plies } => {
                    let player = usize::from(player.min(1));
                    counts.won[player] += 1;
                    if longest[player].is_none_or(|(most, _)| plies > most) {
                        longest[player] = Some((plies, number));
                    }
                }
            }
        }
        for (counts, longest) in all.iter_mut().zip(longest) {
            counts.longest =
                longest.map(|one| one.map(|(plies, number)| (plies, self.told(number))));
        }
        all
    }

    /// What stands where in the position of a number.
    fn told(&self, number: u64) -> String {
        let mut pieces = Vec::new();
        self.placement(number, &mut pieces);
        let name = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        let one = |&(content, place): &Piece| {
            let content = name(&self.frame.contents, usize::from(content));
            format!("{content} {}", name(&self.frame.places, usize::from(place)))
        };
        pieces.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    fn head(&self) -> Json {
        let ignored = self.ignored.iter().enumerate();
        let ignored = ignored.filter(|(_, is)| **is).map(|(plane, _)| plane);
        json!({
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "contents": self.frame.contents,
            "class": self.class.0,
            "places": self.frame.places.len(),
            "planes": self.frame.plane_count(),
            "turns": self.frame.turns,
            "cells": self.frame.cells,
            "rest": self.frame.rest,
            "always": self.frame.always,
            "ignored": ignored.collect::<Vec<_>>(),
            "width": self.width,
            "values": self.len(),
        })
    }

    /// Writes a file, whole or not at all; the number of its bytes.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, path: &Path) -> io::Result<u64> {
        let mut out = Summed {
            out: NewFile::create(path)?,
            sum: crc32fast::Hasher::new(),
            bytes: 0,
        };
        let head = self.head().to_string();
        out.put(MAGIC)?;
        out.put(&(head.len() as u32).to_le_bytes())?;
        out.put(head.as_bytes())?;
        for block in self.codes.chunks(BLOCK * self.width) {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(block)?;
            let packed = encoder.finish()?;
            out.put(&(packed.len() as u32).to_le_bytes())?;
            out.put(&packed)?;
        }
        let sum = out.sum.clone().finalize();
        out.put(&sum.to_le_bytes())?;
        out.out.finish()?;
        Ok(out.bytes)
    }

    /// Reads a file about a game.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(path: &Path, info: &GameInfo) -> Result<Table, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("`{}`: {e}", path.display()))?;
        Table::of_bytes(&bytes, info).map_err(|e| format!("`{}`: {e}", path.display()))
    }

    fn of_bytes(bytes: &[u8], info: &GameInfo) -> Result<Table, String> {
        let damaged = || "it is damaged".to_owned();
        if !bytes.starts_with(MAGIC) {
            return Err("it is no endgame table".to_owned());
        }
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let mut rest = body.get(MAGIC.len()..).unwrap_or_default();
        let head = chunk(&mut rest).filter(|head| head.len() as u64 <= LONGEST_HEAD);
        let head: Json = serde_json::from_slice(head.ok_or_else(damaged)?)
            .map_err(|e| format!("its head is no JSON: {e}"))?;
        if head["format"] != FORMAT {
            return Err(format!("it is not of the form `{FORMAT}`"));
        }
        let mut table = Table::of_head(&head, info).ok_or_else(|| {
            match head["rules"] == info.rules_sha256 {
                true => damaged(),
                false => format!(
                    "it is about other rules ({}): run `endgames` on these",
                    head["game"].as_str().unwrap_or("?")
                ),
            }
        })?;
        while !rest.is_empty() {
            let packed = chunk(&mut rest).ok_or_else(damaged)?;
            let most = (BLOCK * table.width) as u64;
            let mut block = DeflateDecoder::new(packed).take(most + 1);
            let read = block.read_to_end(&mut table.codes);
            if read.map_or(true, |read| read as u64 > most) {
                return Err(damaged());
            }
        }
        let values = table
            .numbering
            .size()
            .checked_mul(table.frame.turns.len() as u64);
        match values == Some(table.len()) && table.codes.len() % table.width == 0 {
            true => Ok(table),
            false => Err(damaged()),
        }
    }

    fn of_head(head: &Json, info: &GameInfo) -> Option<Table> {
        if head["rules"] != info.rules_sha256
            || head["places"] != info.places.len()
            || head["planes"] != info.planes.len()
        {
            return None;
        }
        let take = |key: &str| head.get(key).cloned();
        let contents: Vec<String> = texts(head.get("contents")?)?;
        let turns = head.get("turns")?.as_array()?.iter().map(|pair| {
            let pair = texts(pair)?;
            Some((pair.first()?.clone(), pair.get(1)?.clone()))
        });
        let rest = head.get("rest")?.as_array()?.iter().map(entries);
        let mut frame = Frame::restored(
            info,
            contents,
            turns.collect::<Option<_>>()?,
            entries(&take("cells")?)?,
            rest.collect::<Option<_>>()?,
        )?;
        frame.always = bytes_of(head.get("always")?)?;
        let class = Class(bytes_of(head.get("class")?)?);
        if class.0.len() != frame.contents.len() || frame.always.len() != class.0.len() {
            return None;
        }
        let mut ignored = vec![false; frame.plane_count()];
        for plane in head.get("ignored")?.as_array()? {
            *ignored.get_mut(plane.as_u64()? as usize)? = true;
        }
        let width = head.get("width")?.as_u64()?;
        Some(Table {
            numbering: Numbering::new(&class, frame.places.len())?,
            frame,
            class,
            ignored,
            game: info.name.to_owned(),
            rules: info.rules_sha256.to_owned(),
            width: [1, 3].into_iter().find(|known| *known as u64 == width)?,
            codes: Vec::new(),
        })
    }
}

/// The bytes behind their length, which are taken off.
fn chunk<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (len, behind) = rest.split_first_chunk::<4>()?;
    let (chunk, behind) = behind.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    *rest = behind;
    Some(chunk)
}

fn texts(value: &Json) -> Option<Vec<String>> {
    let texts = value.as_array()?.iter();
    texts.map(|text| text.as_str().map(str::to_owned)).collect()
}

fn bytes_of(value: &Json) -> Option<Vec<u8>> {
    let numbers = value.as_array()?.iter();
    numbers
        .map(|number| u8::try_from(number.as_u64()?).ok())
        .collect()
}

fn entries(value: &Json) -> Option<Vec<(usize, i64)>> {
    let entry = |pair: &Json| {
        let cell = usize::try_from(pair.get(0)?.as_u64()?).ok()?;
        Some((cell, pair.get(1)?.as_i64()?))
    };
    value.as_array()?.iter().map(entry).collect()
}

/// Writes and sums up.
struct Summed {
    out: NewFile,
    sum: crc32fast::Hasher,
    bytes: u64,
}

impl Summed {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}
