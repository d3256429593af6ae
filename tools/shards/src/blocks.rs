//! The packed blocks of version 2, unpacked into the arrays of a shard.

use std::io::Read;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Bytes of the index for a block, and of what ends a file.
const ENTRY: usize = 24;
const TAIL: usize = 20;
/// Bytes that a block unpacks to at most.
const MOST: usize = 1 << 30;

fn long(bytes: &[u8], at: usize) -> Result<usize> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    let number = u64::from_le_bytes(*found.context("it is cut")?);
    Ok(usize::try_from(number)?)
}

/// All arrays, each at a multiple of 8 bytes, in the order of version 1 with `searched` and `played` before the planes.
pub(crate) fn unpack(bytes: &[u8], header: &Value) -> Result<Vec<u8>> {
    let tail = bytes.len().checked_sub(TAIL).context("it is cut")?;
    let (begin, count) = (long(bytes, tail)?, word(bytes, tail + 8)? as usize);
    let head = 16 + word(bytes, 12)? as usize;
    let index = bytes.get(begin..tail).context("its index is cut")?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(bytes.get(..head).context("its header is cut")?);
    crc.update(index);
    crc.update(&bytes[tail..tail + 12]);
    ensure!(
        crc.finalize() == word(bytes, tail + 12)? && index.len() == count * ENTRY,
        "its checksum is wrong"
    );
    let mut columns = Columns::of(header)?;
    let mut at = head;
    for entry in index.chunks_exact(ENTRY) {
        let (place, len) = (long(entry, 0)?, word(entry, 8)? as usize);
        let packed = place.checked_add(len).and_then(|end| bytes.get(place..end));
        let packed = packed.context("a block is cut")?;
        ensure!(
            place == at && crc32fast::hash(packed) == word(entry, 20)?,
            "the checksum of a block is wrong"
        );
        at += len;
        let size = word(entry, 12)? as usize;
        ensure!(size <= MOST, "a block is too large");
        let mut plain = Vec::new();
        let mut unpacker = flate2::read::ZlibDecoder::new(packed).take(size as u64 + 1);
        unpacker.read_to_end(&mut plain)?;
        ensure!(plain.len() == size, "a block has another size");
        columns.add(&plain, word(entry, 16)? as usize)?;
    }
    ensure!(at == begin, "there is something between its blocks");
    Ok(columns.joined())
}

#[derive(Default)]
struct Columns {
    game: Vec<u8>,
    start: Vec<u8>,
    moves: Vec<u8>,
    visits: Vec<u8>,
    value: Vec<u8>,
    plies_left: Vec<u8>,
    player: Vec<u8>,
    searched: Vec<u8>,
    played: Vec<u8>,
    planes: Vec<Vec<u8>>,
    /// Cells of each plane, and bytes of a cell.
    widths: Vec<(usize, usize)>,
    entries: u64,
}

impl Columns {
    fn of(header: &Value) -> Result<Self> {
        let planes = header["planes"].as_array().context("it has no planes")?;
        let width = |plane: &Value| {
            let size = |key: &str| plane[key].as_u64().filter(|n| *n <= 1 << 32);
            Some((size("cells")? as usize, size("bytes")? as usize))
        };
        let widths: Option<Vec<_>> = planes.iter().map(width).collect();
        let widths = widths.context("its planes have no sizes")?;
        Ok(Self {
            planes: vec![Vec::new(); widths.len()],
            start: 0u64.to_le_bytes().to_vec(),
            widths,
            ..Self::default()
        })
    }

    fn add(&mut self, plain: &[u8], samples: usize) -> Result<()> {
        let mut rest = plain;
        column(&mut rest, samples, 8, &mut self.game)?;
        column(&mut rest, samples, 4, &mut self.value)?;
        column(&mut rest, samples, 4, &mut self.searched)?;
        column(&mut rest, samples, 4, &mut self.plies_left)?;
        column(&mut rest, samples, 4, &mut self.played)?;
        let mut choices = Vec::new();
        column(&mut rest, samples, 4, &mut choices)?;
        column(&mut rest, samples, 1, &mut self.player)?;
        let before = self.entries;
        for at in 0..samples {
            self.entries += u64::from(word(&choices, 4 * at)?);
            self.start.extend(self.entries.to_le_bytes());
        }
        let entries = usize::try_from(self.entries - before)?;
        column(&mut rest, entries, 4, &mut self.moves)?;
        column(&mut rest, entries, 4, &mut self.visits)?;
        for (plane, (cells, bytes)) in self.planes.iter_mut().zip(&self.widths) {
            let width = cells.checked_mul(*bytes).context("a plane is too large")?;
            column(&mut rest, samples, width, plane)?;
        }
        ensure!(rest.is_empty(), "a block holds more than it should");
        Ok(())
    }

    fn joined(self) -> Vec<u8> {
        let mut out = Vec::new();
        let columns = [
            self.game,
            self.start,
            self.moves,
            self.visits,
            self.value,
            self.plies_left,
            self.player,
            self.searched,
            self.played,
        ];
        for column in columns.into_iter().chain(self.planes) {
            out.extend(column);
            out.resize(out.len().next_multiple_of(8), 0);
        }
        out
    }
}

/// Takes items off whose first bytes come first, then the second ones, and puts each together.
fn column(rest: &mut &[u8], count: usize, width: usize, out: &mut Vec<u8>) -> Result<()> {
    let len = count.checked_mul(width);
    let found = len.and_then(|len| rest.split_at_checked(len));
    let (bytes, after) = found.context("a block is too short")?;
    *rest = after;
    for item in 0..count {
        out.extend(bytes.iter().skip(item).step_by(count));
    }
    Ok(())
}

/// A number of 32 bits of a file.
pub(crate) fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    let found = found.context("it is cut")?;
    Ok(u32::from_le_bytes(*found))
}
