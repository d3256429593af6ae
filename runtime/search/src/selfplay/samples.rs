//! Training samples as binary shards; `FORMATS.md` of this crate states the bytes.
//!
//! # Stability
//! Programs in other languages read these files. A change of the bytes is a change of [`VERSION`].

use std::io::{self, Write};

use rulec_core::{GameInfo, Plane};
use serde_json::{Value, json};

/// Version of the format.
pub(super) const VERSION: u32 = 1;

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
    let mut out = Checked::new(out);
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(&header)?;
    out.array(samples.game.iter().map(|n| n.to_le_bytes()))?;
    let mut sum = 0u64;
    let starts = samples.choices.iter().map(|n| {
        sum += u64::from(*n);
        sum.to_le_bytes()
    });
    out.array(std::iter::once(0u64.to_le_bytes()).chain(starts))?;
    out.array(samples.moves.iter().map(|n| n.to_le_bytes()))?;
    out.array(samples.visits.iter().map(|n| n.to_le_bytes()))?;
    out.array(samples.value.iter().map(|n| n.to_le_bytes()))?;
    out.array(samples.plies_left.iter().map(|n| n.to_le_bytes()))?;
    out.array(samples.player.iter().map(|n| [*n]))?;
    for cells in &samples.planes {
        out.array(cells.iter().map(|n| [*n]))?;
    }
    let crc = out.crc.finalize();
    out.out.write_all(&crc.to_le_bytes())?;
    out.out.write_all(END)
}

/// Whether the bytes are a complete shard.
pub fn is_complete(bytes: &[u8]) -> bool {
    let Some((body, trailer)) = bytes.split_last_chunk::<8>() else {
        return false;
    };
    let crc = crc32fast::hash(body).to_le_bytes();
    body.starts_with(MAGIC) && trailer[..4] == crc && trailer[4..] == *END
}

/// A writer that keeps a checksum and aligns arrays to 8 bytes.
struct Checked<'o> {
    out: &'o mut dyn Write,
    crc: crc32fast::Hasher,
    buffer: Vec<u8>,
}

impl<'o> Checked<'o> {
    fn new(out: &'o mut dyn Write) -> Self {
        Self {
            out,
            crc: crc32fast::Hasher::new(),
            buffer: Vec::new(),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.out.write_all(bytes)
    }

    fn array<const N: usize>(&mut self, items: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut written = 0;
        buffer.clear();
        for item in items {
            buffer.extend(item);
            if buffer.len() >= 1 << 16 {
                self.write_all(&buffer)?;
                written += buffer.len();
                buffer.clear();
            }
        }
        let pad = (written + buffer.len()).next_multiple_of(8) - written;
        buffer.resize(pad, 0);
        self.write_all(&buffer)?;
        self.buffer = buffer;
        Ok(())
    }
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
            planes: Vec::new(),
        };
        assert_eq!([cell_bytes(&PLANES[0]), cell_bytes(&PLANES[1])], [1, 2]);
        samples.push_cells(&[1, 2, -3], PLANES);
        let mut bytes = Vec::new();
        write(&mut bytes, &info, &Value::Null, (5, 6), &samples).expect("memory is enough");
        assert!(is_complete(&bytes));
        let header = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
        assert_eq!((&bytes[..8], header % 8), (&MAGIC[..], 0));
        let body = &bytes[16 + header..bytes.len() - 8];
        let words = [5u64, 0, 2, 4 | 8 << 32, 10 | 20 << 32, 0x3f00_0000, 3, 1];
        let mut expected: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        expected.extend([1, 2, 0, 0, 0, 0, 0, 0]);
        expected.extend([0xfd, 0xff, 0, 0, 0, 0, 0, 0]);
        assert_eq!(body, expected);
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            assert!(!is_complete(&broken), "byte {at}");
        }
        assert!(!is_complete(&bytes[..bytes.len() - 1]) && !is_complete(b""));
    }
}
