//! NPZ: the arrays of a shard as NumPy reads them, a ZIP archive without compression.

use std::io::{self, Write};

use crate::shard::Shard;

/// Writes all arrays and the header, the latter as bytes of JSON.
pub(crate) fn write(shard: &Shard, out: &mut dyn Write) -> io::Result<()> {
    let mut archive = Archive {
        out,
        at: 0,
        directory: Vec::new(),
        files: 0,
    };
    for array in shard.arrays() {
        archive.array(&array.name, &array.kind, &array.shape, shard.raw(array))?;
    }
    let header = shard.header.to_string();
    archive.array("header", "|u1", &[header.len()], header.as_bytes())?;
    archive.end()
}

struct Archive<'o> {
    out: &'o mut dyn Write,
    at: u64,
    directory: Vec<u8>,
    files: u64,
}

/// A date that ZIP can tell, the first of January 1980: the same input gives the same bytes.
const DATE: u32 = 0x0021_0000;
/// What a size or place is called in the short form of a header when the long form has it (ZIP64).
const LONG: u32 = u32::MAX;

impl Archive<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn array(&mut self, name: &str, kind: &str, shape: &[usize], data: &[u8]) -> io::Result<()> {
        let shape: String = shape.iter().map(|n| format!("{n},")).collect();
        let mut head =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        // Data begin at a multiple of 64 bytes after the start of the array file.
        while (10 + head.len() + 1) % 64 != 0 {
            head.push(' ');
        }
        head.push('\n');
        let mut npy = b"\x93NUMPY\x01\x00".to_vec();
        npy.extend((head.len() as u16).to_le_bytes());
        npy.extend(head.as_bytes());
        self.file(&format!("{name}.npy"), &npy, data)
    }

    /// Stores a file that has two parts.
    fn file(&mut self, name: &str, head: &[u8], data: &[u8]) -> io::Result<()> {
        let mut crc = crc32fast::Hasher::new();
        crc.update(head);
        crc.update(data);
        let (crc, size, place) = (crc.finalize(), (head.len() + data.len()) as u64, self.at);
        // Version 4.5 (long sizes), no flags, stored.
        let mut common = vec![45, 0, 0, 0, 0, 0];
        common.extend(DATE.to_le_bytes());
        common.extend(crc.to_le_bytes());
        common.extend(LONG.to_le_bytes());
        common.extend(LONG.to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        let mut local = 0x0403_4b50u32.to_le_bytes().to_vec();
        local.extend(&common);
        local.extend(20u16.to_le_bytes());
        local.extend(name.as_bytes());
        local.extend([1, 0, 16, 0]);
        local.extend(size.to_le_bytes());
        local.extend(size.to_le_bytes());
        self.write(&local)?;
        self.write(head)?;
        self.write(data)?;
        let entry = &mut self.directory;
        entry.extend(0x0201_4b50u32.to_le_bytes());
        entry.extend([45, 0]);
        entry.extend(&common);
        entry.extend(28u16.to_le_bytes());
        // No comment, first disk, no attributes.
        entry.extend([0; 10]);
        entry.extend(LONG.to_le_bytes());
        entry.extend(name.as_bytes());
        entry.extend([1, 0, 24, 0]);
        entry.extend(size.to_le_bytes());
        entry.extend(size.to_le_bytes());
        entry.extend(place.to_le_bytes());
        self.files += 1;
        Ok(())
    }

    fn end(mut self) -> io::Result<()> {
        let (begin, directory) = (self.at, std::mem::take(&mut self.directory));
        self.write(&directory)?;
        let place = self.at;
        let mut end = 0x0606_4b50u32.to_le_bytes().to_vec();
        end.extend(44u64.to_le_bytes());
        end.extend([45, 0, 45, 0]);
        end.extend([0; 8]);
        for number in [self.files, self.files, directory.len() as u64, begin] {
            end.extend(number.to_le_bytes());
        }
        // Where that is, and the short form, which says to look there.
        end.extend(0x0706_4b50u32.to_le_bytes());
        end.extend(0u32.to_le_bytes());
        end.extend(place.to_le_bytes());
        end.extend(1u32.to_le_bytes());
        end.extend(0x0605_4b50u32.to_le_bytes());
        end.extend([0, 0, 0, 0]);
        end.extend([0xff; 12]);
        end.extend([0, 0]);
        self.write(&end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_is_stored_and_ends_with_its_directory() {
        let shard = Shard::parse(crate::shard::tests::bytes()).expect("it is a shard");
        let mut bytes = Vec::new();
        write(&shard, &mut bytes).expect("memory is enough");
        let number = |at: usize| {
            let mut wide = [0; 8];
            wide.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(wide) as usize
        };
        // The last record, the locator before it, the long last record before that.
        let last = bytes.len() - 22;
        let locator = last - 20;
        let long = number(locator + 8);
        assert_eq!(&bytes[last..last + 4], b"PK\x05\x06");
        assert_eq!(
            (&bytes[long..long + 4], number(long + 24)),
            (&b"PK\x06\x06"[..], 10)
        );
        let directory = number(long + 48);
        assert_eq!(number(long + 40), long - directory);
        assert_eq!(&bytes[directory..directory + 4], b"PK\x01\x02");
        // The array of the first plane: its header says what it is, its data follow.
        let name = b"plane_000.npy";
        let at = bytes
            .windows(name.len())
            .position(|w| w == name)
            .expect("it is there");
        let npy = at + name.len() + 20;
        assert_eq!(&bytes[npy..npy + 8], b"\x93NUMPY\x01\x00");
        let head = 10 + usize::from(bytes[npy + 8]) + 256 * usize::from(bytes[npy + 9]);
        assert_eq!(head % 64, 0);
        let text = String::from_utf8_lossy(&bytes[npy + 10..npy + head]);
        assert!(
            text.starts_with("{'descr': '|i1', 'fortran_order': False, 'shape': (2,2,), }"),
            "{text}"
        );
        assert_eq!(bytes[npy + head..npy + head + 4], [0xff, 2, 0, 1]);
    }
}
