//! Trails: the positions that rules noted, to know when one comes again.

use std::sync::Arc;

/// The positions of a trail. What several runs have noted together is kept once, and noting one more copies nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    last: Option<Arc<Noted>>,
}

/// A position of a trail, and those before it.
#[derive(Debug)]
struct Noted {
    hash: u64,
    bytes: Arc<[u8]>,
    before: Trail,
    /// The number of positions up to this one.
    len: usize,
}

impl Trail {
    pub(crate) fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.len)
    }

    pub(crate) fn push(&mut self, bytes: Arc<[u8]>) {
        let (len, hash) = (self.len() + 1, hash(&bytes));
        self.last = Some(Arc::new(Noted {
            hash,
            bytes,
            before: std::mem::take(self),
            len,
        }));
    }

    /// How often a position is noted.
    pub(crate) fn count(&self, position: &[u8]) -> usize {
        let hash = hash(position);
        self.noted()
            .filter(|noted| noted.hash == hash && noted.bytes[..] == *position)
            .count()
    }

    /// The positions, the last first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<[u8]>> {
        self.noted().map(|noted| &noted.bytes)
    }

    fn noted(&self) -> impl Iterator<Item = &Noted> {
        std::iter::successors(self.last.as_deref(), |noted| noted.before.last.as_deref())
    }
}

impl Drop for Trail {
    /// One position after the other: a long trail would need as many calls inside of calls.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(mut noted) = next.and_then(Arc::into_inner) {
            next = noted.before.last.take();
        }
    }
}

/// A hash of bytes that tells most unequal ones apart.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte));
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    for byte in chunks.remainder() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}
