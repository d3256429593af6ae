//! Training samples as binary shards; `FORMATS.md` of this crate states the bytes.
//!
//! # Stability
//! Programs in other languages read these files. A change of the bytes is a change of [`VERSION`].

use std::io::{self, Write};
use std::ops::Range;

use rulec_core::{GameInfo, Plane};
use serde_json::{Value, json};

/// Version of the format.
pub(super) const VERSION: u32 = 2;

/// Samples of a block, which is packed by itself.
const BLOCK: usize = 1024;

const MAGIC: &[u8; 8] = b"RULECSMP";
const END: &[u8; 4] = b"END\n";

/// Samples of some games, a column each quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Number of the game.
    pub game: Vec<u64>,
    /// The player who decides, from 0.
    pub player: Vec<u8>,
    /// Payoff of that player at the end of the game, from 0 to 1.
    pub value: Vec<f32>,
    /// Plies to the end of the game, this one counted.
    pub plies_left: Vec<u32>,
    /// Number of legal moves.
    pub choices: Vec<u32>,
    /// Dense indexes of the legal moves, one sample after the other.
    pub moves: Vec<u32>,
    /// Visits of the search to each of them.
    pub visits: Vec<u32>,
    /// Dense index of the move that was played.
    pub played: Vec<u32>,
    /// What the search thought the payoff of the player to be; no number where nothing was searched.
    pub searched: Vec<f32>,
    /// For each plane its values, [`cell_bytes`] each, little-endian.
    pub planes: Vec<Vec<u8>>,
}

impl Samples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.game.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.game.is_empty()
    }

    /// Appends those of later games.
    pub fn append(&mut self, other: &Samples) {
        self.game.extend(&other.game);
        self.player.extend(&other.player);
        self.value.extend(&other.value);
        self.plies_left.extend(&other.plies_left);
        self.choices.extend(&other.choices);
        self.moves.extend(&other.moves);
        self.visits.extend(&other.visits);
        self.played.extend(&other.played);
        self.searched.extend(&other.searched);
        if self.planes.len() < other.planes.len() {
            self.planes.resize(other.planes.len(), Vec::new());
        }
        for (cells, others) in self.planes.iter_mut().zip(&other.planes) {
            cells.extend(others);
        }
    }

    /// Forgets them all and keeps the room.
    pub fn clear(&mut self) {
        self.game.clear();
        self.player.clear();
        self.value.clear();
        self.plies_left.clear();
        self.choices.clear();
        self.moves.clear();
        self.visits.clear();
        self.played.clear();
        self.searched.clear();
        self.planes.iter_mut().for_each(Vec::clear);
    }

    /// Appends the values of the planes of a position.
    pub(super) fn push_cells(&mut self, values: &[i64], planes: &[Plane]) {
        self.planes.resize(planes.len(), Vec::new());
        let mut values = values.iter();
        for (plane, cells) in planes.iter().zip(&mut self.planes) {
            let bytes = cell_bytes(plane);
            for value in values.by_ref().take(plane.cells) {
                cells.extend(&value.to_le_bytes()[..bytes]);
            }
        }
    }
}

/// Bytes that the values of a plane fit in, signed: 1, 2, 4 or 8.
pub fn cell_bytes(plane: &Plane) -> usize {
    let fits = |bits: &u32| {
        let most = i64::MAX >> (64 - bits);
        -most - 1 <= plane.values.min && plane.values.max <= most
    };
    [8, 16, 32]
        .iter()
        .find(|bits| fits(bits))
        .map_or(8, |bits| *bits as usize / 8)
}

/// The planes as JSON: `name`, `cells`, `bytes` of a cell, `low`, `high`.
pub fn planes_json(planes: &[Plane]) -> Value {
    let plane = |p: &Plane| {
        json!({
            "name": p.name,
            "cells": p.cells,
            "bytes": cell_bytes(p),
            "low": p.values.min,
            "high": p.values.max,
        })
    };
    planes.iter().map(plane).collect()
}

/// Writes a shard.
///
/// `settings` says how the games were played, `range` which games they are.
///
/// # Errors
/// When writing fails.
pub(super) fn write(
    out: &mut dyn Write,
    info: &GameInfo,
    settings: &Value,
    range: (u64, u64),
    samples: &Samples,
) -> io::Result<()> {
    let header = json!({
        "game": info.name,
        "rules_sha256": info.rules_sha256,
        "settings": settings,
        "from": range.0,
        "to": range.1,
        "samples": samples.len(),
        "entries": samples.moves.len(),
        "players": info.players.len(),
        "move_count": info.move_count,
        "planes": planes_json(info.planes),
    });
    let mut header = header.to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend((header.len() as u32).to_le_bytes());
    head.extend(header);
    out.write_all(&head)?;
    let mut at = head.len() as u64;
    let mut index = Vec::new();
    let (mut first, mut entry) = (0, 0);
    while first < samples.len() {
        let last = (first + BLOCK).min(samples.len());
        let choices = samples.choices.get(first..last).unwrap_or_default();
        let entries = choices.iter().map(|n| *n as usize).sum::<usize>();
        let plain = block(info.planes, samples, first..last, entry..entry + entries);
        let packed = pack(&plain)?;
        out.write_all(&packed)?;
        index.extend(at.to_le_bytes());
        index.extend((packed.len() as u32).to_le_bytes());
        index.extend((plain.len() as u32).to_le_bytes());
        index.extend(((last - first) as u32).to_le_bytes());
        index.extend(crc32fast::hash(&packed).to_le_bytes());
        at += packed.len() as u64;
        (first, entry) = (last, entry + entries);
    }
    out.write_all(&index)?;
    let mut tail = at.to_le_bytes().to_vec();
    tail.extend(((index.len() / ENTRY) as u32).to_le_bytes());
    let mut crc = crc32fast::Hasher::new();
    crc.update(&head);
    crc.update(&index);
    crc.update(&tail);
    tail.extend(crc.finalize().to_le_bytes());
    tail.extend(END);
    out.write_all(&tail)
}

/// Bytes of the index for a block, and of what ends a file.
const ENTRY: usize = 24;
const TAIL: usize = 20;

fn pack(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
    packer.write_all(plain)?;
    packer.finish()
}

/// The columns of some samples, and of the entries of their policies.
fn block(
    planes: &[Plane],
    samples: &Samples,
    range: Range<usize>,
    entries: Range<usize>,
) -> Vec<u8> {
    fn part<T>(column: &[T], range: &Range<usize>) -> impl Iterator<Item = T> + Clone
    where
        T: Copy,
    {
        column
            .get(range.clone())
            .unwrap_or_default()
            .iter()
            .copied()
    }
    let mut out = Vec::new();
    let count = range.len();
    column(&mut out, part(&samples.game, &range).map(u64::to_le_bytes));
    column(&mut out, part(&samples.value, &range).map(f32::to_le_bytes));
    column(
        &mut out,
        part(&samples.searched, &range).map(f32::to_le_bytes),
    );
    column(
        &mut out,
        part(&samples.plies_left, &range).map(u32::to_le_bytes),
    );
    column(
        &mut out,
        part(&samples.played, &range).map(u32::to_le_bytes),
    );
    column(
        &mut out,
        part(&samples.choices, &range).map(u32::to_le_bytes),
    );
    column(
        &mut out,
        part(&samples.player, &range).map(|player| [player]),
    );
    column(
        &mut out,
        part(&samples.moves, &entries).map(u32::to_le_bytes),
    );
    column(
        &mut out,
        part(&samples.visits, &entries).map(u32::to_le_bytes),
    );
    for (plane, cells) in planes.iter().zip(&samples.planes) {
        let width = cell_bytes(plane) * plane.cells;
        let rows = cells.get(range.start * width..range.end * width);
        let rows = rows.unwrap_or_default();
        // Byte by byte of a cell over all samples: what changes seldom stands together.
        for byte in 0..width {
            out.extend(rows.iter().skip(byte).step_by(width).take(count));
        }
    }
    out
}

/// Appends numbers, all lowest bytes first, then the next.
fn column<const N: usize>(out: &mut Vec<u8>, items: impl Iterator<Item = [u8; N]> + Clone) {
    for byte in 0..N {
        out.extend(items.clone().map(|item| item[byte]));
    }
}

/// Whether the bytes are a complete shard, of this version or the first.
pub fn is_complete(bytes: &[u8]) -> bool {
    let Some((body, trailer)) = bytes.split_last_chunk::<8>() else {
        return false;
    };
    if !bytes.starts_with(MAGIC) || trailer[4..] != *END {
        return false;
    }
    match bytes.get(8..12) {
        Some([1, 0, 0, 0]) => trailer[..4] == crc32fast::hash(body).to_le_bytes(),
        Some([2, 0, 0, 0]) => blocks_are_complete(bytes).unwrap_or(false),
        _ => false,
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let found = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*found))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let found = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u64::from_le_bytes(*found)).ok()
}

fn blocks_are_complete(bytes: &[u8]) -> Option<bool> {
    let tail = bytes.len().checked_sub(TAIL)?;
    let (begin, count) = (long(bytes, tail)?, word(bytes, tail + 8)? as usize);
    let head = 16 + word(bytes, 12)? as usize;
    let index = bytes.get(begin..tail)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(bytes.get(..head)?);
    crc.update(index);
    crc.update(bytes.get(tail..tail + 12)?);
    let whole = crc.finalize() == word(bytes, tail + 12)? && index.len() == count * ENTRY;
    let mut at = head;
    for entry in index.chunks_exact(ENTRY) {
        let (place, len) = (long(entry, 0)?, word(entry, 8)? as usize);
        let packed = bytes.get(place..place.checked_add(len)?)?;
        if place != at || crc32fast::hash(packed) != word(entry, 20)? {
            return Some(false);
        }
        at += len;
    }
    Some(whole && at == begin)
}

#[cfg(test)]
mod tests {
    use rulec_core::Interval;

    use super::*;

    const PLANES: &[Plane] = &[
        Plane {
            name: "board",
            cells: 2,
            values: Interval { min: 0, max: 2 },
        },
        Plane {
            name: "clock",
            cells: 1,
            values: Interval { min: -3, max: 300 },
        },
    ];

    /// The bytes of a small shard, as FORMATS.md states them.
    #[test]
    fn the_bytes_are_golden() {
        let info = GameInfo {
            name: "toy",
            planes: PLANES,
            move_count: 9,
            players: &["a", "b"],
            ..GameInfo::EMPTY
        };
        let mut samples = Samples {
            game: vec![5],
            player: vec![1],
            value: vec![0.5],
            plies_left: vec![3],
            choices: vec![2],
            moves: vec![4, 8],
            visits: vec![10, 20],
            played: vec![8],
            searched: vec![0.25],
            planes: Vec::new(),
        };
        assert_eq!([cell_bytes(&PLANES[0]), cell_bytes(&PLANES[1])], [1, 2]);
        samples.push_cells(&[1, 2, -3], PLANES);
        let mut bytes = Vec::new();
        write(&mut bytes, &info, &Value::Null, (5, 6), &samples).expect("memory is enough");
        assert!(is_complete(&bytes));
        let header = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
        assert_eq!((&bytes[..8], header % 8), (&MAGIC[..], 0));
        let mut expected: Vec<u8> = vec![5, 0, 0, 0, 0, 0, 0, 0];
        expected.extend(0.5f32.to_le_bytes());
        expected.extend(0.25f32.to_le_bytes());
        for number in [3u32, 8, 2] {
            expected.extend(number.to_le_bytes());
        }
        expected.push(1);
        // Two moves and their visits: low bytes, then the others.
        expected.extend([4, 8, 0, 0, 0, 0, 0, 0]);
        expected.extend([10, 20, 0, 0, 0, 0, 0, 0]);
        expected.extend([1, 2, 0xfd, 0xff]);
        let plain = block(PLANES, &samples, 0..1, 0..2);
        assert_eq!(plain, expected);
        let packed = pack(&plain).expect("memory is enough");
        let body = &bytes[16 + header..];
        assert_eq!(body[..packed.len()], packed);
        let index = &body[packed.len()..];
        assert_eq!(index.len(), ENTRY + TAIL);
        assert_eq!(long(index, 0), Some(16 + header));
        assert_eq!(word(index, 12), Some(plain.len() as u32));
        assert_eq!(word(index, 16), Some(1));
        assert_eq!(long(index, ENTRY), Some(16 + header + packed.len()));
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            assert!(!is_complete(&broken), "byte {at}");
        }
        assert!(!is_complete(&bytes[..bytes.len() - 1]) && !is_complete(b""));
    }
}
