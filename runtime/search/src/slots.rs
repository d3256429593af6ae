//! A table without locks: keys with a word each, 16 bytes an entry, four to a line of the processor's cache.
//!
//! An entry is two words, the key and what is known, each kept as the other's exclusive or says (R. Hyatt and T. Mann, 2002): a thread
//! that reads while another writes sees a key that is not its own.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries that a key may have.
const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// Words by keys: of four places that a key may have, the word of least worth gives way. No word is 0.
pub(crate) struct Slots {
    buckets: Vec<Bucket>,
    /// Buckets at most.
    limit: usize,
}

impl Slots {
    /// Bytes of an entry.
    pub(crate) const ENTRY_BYTES: usize = size_of::<Bucket>() / WAYS;

    /// A table of so many entries at most; it begins small and grows, or is whole at once.
    pub(crate) fn new(limit: usize, whole: bool) -> Self {
        let limit = (limit / WAYS).clamp(1, 1 << 40);
        let limit = 1 << limit.ilog2();
        let size = if whole { limit } else { limit.min(1 << 10) };
        Self {
            buckets: buckets(size),
            limit,
        }
    }

    /// Places for entries.
    pub(crate) fn size(&self) -> usize {
        self.buckets.len() * WAYS
    }

    /// Places for entries at most.
    pub(crate) fn limit(&self) -> usize {
        self.limit * WAYS
    }

    /// Whether it may still grow.
    pub(crate) fn can_grow(&self) -> bool {
        self.buckets.len() < self.limit
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        // The number of buckets is a power of two.
        &self.buckets[(key >> 7) as usize & (self.buckets.len() - 1)]
    }

    /// The word of a key.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<u64> {
        for [lock, data] in &self.bucket(key).0 {
            let data = data.load(Relaxed);
            if lock.load(Relaxed) ^ data == key && data != 0 {
                return Some(data);
            }
        }
        None
    }

    /// Keeps a word in place of the one of least worth; whether its place was free. A free place has the worth 1 and one of the same key
    /// 0, so words have more.
    #[inline(always)]
    pub(crate) fn put(&self, key: u64, data: u64, worth: impl Fn(u64) -> u64) -> bool {
        let mut place = &self.bucket(key).0[0];
        let mut least = u64::MAX;
        for slot in &self.bucket(key).0 {
            let old = slot[1].load(Relaxed);
            let same = slot[0].load(Relaxed) ^ old == key;
            let worth = match old {
                0 => 1,
                _ if same => 0,
                _ => 2 + worth(old),
            };
            if worth < least {
                (least, place) = (worth, slot);
            }
        }
        place[0].store(key ^ data, Relaxed);
        place[1].store(data, Relaxed);
        least == 1
    }

    /// Twice the places; how many of them are taken.
    pub(crate) fn grow(&mut self, worth: impl Fn(u64) -> u64) -> usize {
        let larger = (self.buckets.len() * 2).min(self.limit);
        let old = std::mem::replace(&mut self.buckets, buckets(larger));
        let entries = old.iter().flat_map(entries);
        entries
            .filter(|&(key, data)| self.put(key, data, &worth))
            .count()
    }

    /// All keys and their words.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.buckets.iter().flat_map(entries)
    }

    /// The words of the first places, 0 where nothing is.
    pub(crate) fn first(&self, count: usize) -> impl Iterator<Item = u64> + '_ {
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0);
        slots.take(count).map(|slot| slot[1].load(Relaxed))
    }
}

fn buckets(number: usize) -> Vec<Bucket> {
    (0..number).map(|_| Bucket::default()).collect()
}

fn entries(bucket: &Bucket) -> impl Iterator<Item = (u64, u64)> + '_ {
    bucket.0.iter().filter_map(|[lock, data]| {
        let data = data.load(Relaxed);
        (data != 0).then(|| (lock.load(Relaxed) ^ data, data))
    })
}
