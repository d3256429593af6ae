//! Reading a shard, as `FORMATS.md` of `rulec-search` states it.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::blocks::{self, word};

/// A shard in memory.
pub(crate) struct Shard {
    pub(crate) header: Value,
    bytes: Vec<u8>,
    /// Where the arrays begin and how long they are, in the order of the file.
    arrays: Vec<Array>,
}

/// An array of equal integers or floats.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) name: String,
    /// As NumPy names it, such as `<u8`.
    pub(crate) kind: String,
    /// Bytes of an item.
    pub(crate) width: usize,
    /// Items in each dimension.
    pub(crate) shape: Vec<usize>,
    begin: usize,
}

impl Array {
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

impl Shard {
    /// Reads a shard and checks it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(bytes).with_context(|| format!("{} is no complete shard", path.display()))
    }

    pub(crate) fn parse(bytes: Vec<u8>) -> Result<Self> {
        ensure!(
            bytes.len() >= 24 && bytes.starts_with(b"RULECSMP"),
            "it does not begin as one"
        );
        ensure!(bytes.ends_with(b"END\n"), "its end is missing");
        let begin = (word(&bytes, 12)? as usize).saturating_add(16);
        let header = bytes.get(16..begin).context("its header is cut")?;
        let told: Option<Value> = serde_json::from_slice(header).ok();
        let version = word(&bytes, 8)?;
        let (header, body, first) = match version {
            1 => {
                let (body, trailer) = bytes.split_at(bytes.len() - 8);
                ensure!(
                    trailer[..4] == crc32fast::hash(body).to_le_bytes(),
                    "its checksum is wrong"
                );
                (told, body.to_vec(), begin)
            }
            2 => {
                let told = told.as_ref().context("its header is no JSON")?;
                (Some(told.clone()), blocks::unpack(&bytes, told)?, 0)
            }
            other => bail!("it is of version {other}; this program knows 1 and 2"),
        };
        let header = header.context("its header is no JSON")?;
        let arrays = layout(&header, first, version)?;
        let end = arrays
            .last()
            .map_or(first, |a| a.begin + (a.len() * a.width).next_multiple_of(8));
        ensure!(
            end == body.len(),
            "its arrays take {end} bytes of {}",
            body.len()
        );
        let shard = Self {
            header,
            bytes: body,
            arrays,
        };
        shard.check()?;
        Ok(shard)
    }

    /// Offsets ascend and end at the number of entries.
    fn check(&self) -> Result<()> {
        let starts = self.array("policy_start")?;
        let entries = self.header["entries"].as_u64();
        let starts: Vec<u64> = self.integers(starts).map(|n| n as u64).collect();
        let ascend = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        ensure!(
            starts.first() == Some(&0) && starts.last().copied() == entries && ascend,
            "the offsets of its policies are wrong"
        );
        Ok(())
    }

    pub(crate) fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    pub(crate) fn array(&self, name: &str) -> Result<&Array> {
        let found = self.arrays.iter().find(|array| array.name == name);
        found.with_context(|| format!("it has no array {name}"))
    }

    /// The bytes of an array.
    pub(crate) fn raw(&self, array: &Array) -> &[u8] {
        &self.bytes[array.begin..array.begin + array.len() * array.width]
    }

    /// The items of an array of integers.
    pub(crate) fn integers<'s>(&'s self, array: &Array) -> impl Iterator<Item = i64> + 's {
        let signed = array.kind.contains('i');
        self.raw(array).chunks_exact(array.width).map(move |item| {
            let fill = match signed && item[item.len() - 1] & 0x80 != 0 {
                true => 0xff,
                false => 0,
            };
            let mut wide = [fill; 8];
            wide[..item.len()].copy_from_slice(item);
            i64::from_le_bytes(wide)
        })
    }

    /// Number of samples.
    pub(crate) fn samples(&self) -> usize {
        self.header["samples"].as_u64().unwrap_or(0) as usize
    }
}

fn layout(header: &Value, begin: usize, version: u32) -> Result<Vec<Array>> {
    let size = |value: &Value, what: &str| -> Result<usize> {
        let number = value.as_u64().and_then(|n| usize::try_from(n).ok());
        number
            .filter(|n| *n <= 1 << 40)
            .with_context(|| format!("its header has no {what}"))
    };
    let samples = size(&header["samples"], "samples")?;
    let entries = size(&header["entries"], "entries")?;
    let mut arrays: Vec<Array> = Vec::new();
    let mut at = begin;
    let mut add = |name: String, kind: &str, width: usize, shape: Vec<usize>| -> Result<()> {
        let items = shape
            .iter()
            .try_fold(width, |product, n| product.checked_mul(*n));
        let next = items.and_then(|bytes| bytes.checked_next_multiple_of(8)?.checked_add(at));
        arrays.push(Array {
            name,
            kind: format!("{}{kind}{width}", if width == 1 { '|' } else { '<' }),
            width,
            shape,
            begin: at,
        });
        at = next.context("its header asks for too much")?;
        Ok(())
    };
    for (name, kind, width, len) in [
        ("game", "u", 8, samples),
        ("policy_start", "u", 8, samples + 1),
        ("policy_move", "u", 4, entries),
        ("policy_visits", "u", 4, entries),
        ("value", "f", 4, samples),
        ("plies_left", "u", 4, samples),
        ("player", "u", 1, samples),
    ] {
        add(name.to_owned(), kind, width, vec![len])?;
    }
    if version > 1 {
        add("searched".to_owned(), "f", 4, vec![samples])?;
        add("played".to_owned(), "u", 4, vec![samples])?;
    }
    let planes = header["planes"]
        .as_array()
        .context("its header has no planes")?;
    for (index, plane) in planes.iter().enumerate() {
        let (cells, bytes) = (
            size(&plane["cells"], "cells")?,
            size(&plane["bytes"], "bytes")?,
        );
        if ![1, 2, 4, 8].contains(&bytes) {
            bail!("plane {index} has cells of {bytes} bytes");
        }
        add(
            format!("plane_{index:03}"),
            "i",
            bytes,
            vec![samples, cells],
        )?;
    }
    Ok(arrays)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two samples, the first with three moves and the second with one, and two planes.
    pub(crate) fn bytes() -> Vec<u8> {
        let header = serde_json::json!({
            "game": "toy", "samples": 2, "entries": 4, "move_count": 9,
            "planes": [
                { "name": "board", "cells": 2, "bytes": 1, "low": -1, "high": 2 },
                { "name": "clock", "cells": 1, "bytes": 8, "low": 0, "high": 1_u64 << 40 },
            ],
        });
        let mut header = header.to_string().into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut out = b"RULECSMP\x01\0\0\0".to_vec();
        out.extend((header.len() as u32).to_le_bytes());
        out.extend(header);
        let mut add = |parts: &[&[u8]]| {
            parts.iter().for_each(|part| out.extend(*part));
            out.resize(out.len().next_multiple_of(8), 0);
        };
        let words =
            |numbers: &[u64]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
        let halves =
            |numbers: &[u32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
        add(&[&words(&[7, 7])]);
        add(&[&words(&[0, 3, 4])]);
        add(&[&halves(&[1, 4, 8, 2])]);
        add(&[&halves(&[10, 20, 30, 60])]);
        add(&[&1f32.to_le_bytes(), &0.5f32.to_le_bytes()]);
        add(&[&halves(&[2, 1])]);
        add(&[&[0, 1]]);
        add(&[&[0xff, 2, 0, 1]]);
        add(&[&words(&[5, 1 << 33])]);
        let crc = crc32fast::hash(&out);
        out.extend(crc.to_le_bytes());
        out.extend(b"END\n");
        out
    }

    #[test]
    fn arrays_are_found() {
        let shard = Shard::parse(bytes()).expect("it is a shard");
        let values = |name: &str| -> Vec<i64> {
            let array = shard.array(name).expect("it is there");
            shard.integers(array).collect()
        };
        assert_eq!(values("policy_move"), [1, 4, 8, 2]);
        assert_eq!(values("player"), [0, 1]);
        assert_eq!(values("plane_000"), [-1, 2, 0, 1]);
        assert_eq!(values("plane_001"), [5, 1 << 33]);
    }

    #[test]
    fn what_is_broken_is_refused() {
        let good = bytes();
        for at in 0..good.len() {
            let mut broken = good.clone();
            broken[at] ^= 1;
            assert!(Shard::parse(broken).is_err(), "byte {at}");
            assert!(Shard::parse(good[..at].to_vec()).is_err(), "cut at {at}");
        }
        // A right checksum over a wrong header does not help.
        let text = String::from_utf8_lossy(&good).into_owned();
        for (from, to) in [
            ("\"samples\":2", "\"samples\":3"),
            ("\"entries\":4", "\"entries\":2"),
            ("\"bytes\":8", "\"bytes\":3"),
        ] {
            assert!(text.contains(from));
            let mut broken = good.clone();
            let at = good
                .windows(from.len())
                .position(|w| w == from.as_bytes())
                .expect("it is there");
            broken[at..at + from.len()].copy_from_slice(to.as_bytes());
            let end = broken.len() - 8;
            let crc = crc32fast::hash(&broken[..end]);
            broken[end..end + 4].copy_from_slice(&crc.to_le_bytes());
            assert!(Shard::parse(broken).is_err(), "{to}");
        }
    }
}
