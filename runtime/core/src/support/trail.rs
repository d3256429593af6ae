//! Bounded histories of positions.

/// The positions that were noted, at most `N`, each by a digest of 128 bits.
///
/// Two different positions of one game have equal digests with a chance that can be neglected. Only what was ever noted takes room,
/// so that copies of positions with a short history are short.
#[derive(Debug, Default)]
pub struct Trail<const N: usize> {
    len: u32,
    /// Those that are noted, then some that were forgotten.
    digests: Vec<u128>,
}

impl<const N: usize> Trail<N> {
    /// The empty history.
    pub const fn new() -> Self {
        Self {
            len: 0,
            digests: Vec::new(),
        }
    }

    /// Adds a position. False, and nothing changes, where there is no room.
    #[inline]
    pub fn note(&mut self, digest: u128) -> bool {
        if self.lacks_room_for(1) {
            return false;
        }
        match self.digests.get_mut(self.len as usize) {
            Some(slot) => *slot = digest,
            None => self.digests.push(digest),
        }
        self.len += 1;
        true
    }

    /// How often a position was noted.
    #[inline]
    pub fn seen(&self, digest: u128) -> i64 {
        let noted = self.digests().iter();
        noted.map(|&other| i64::from(other == digest)).sum()
    }

    /// How often the position that was noted last was noted; 0 where none was.
    #[inline]
    pub fn seen_last(&self) -> i64 {
        self.digests().last().map_or(0, |&digest| self.seen(digest))
    }

    /// Whether there is no room for so many more positions.
    #[inline]
    pub const fn lacks_room_for(&self, more: u32) -> bool {
        self.len as usize + more as usize > N
    }

    /// Removes all positions.
    #[inline]
    pub fn forget(&mut self) {
        self.len = 0;
    }

    /// How many positions are noted.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether no position is noted.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Undoes [`Trail::forget`], if nothing was noted since: the positions of the history that had this length.
    #[inline]
    pub fn give_back(&mut self, len: u32) {
        self.len = len.min(self.digests.len() as u32);
    }

    /// The digests in the order they were noted.
    pub fn digests(&self) -> &[u128] {
        self.digests.get(..self.len as usize).unwrap_or(&[])
    }
}

impl<const N: usize> Clone for Trail<N> {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            len: self.len,
            digests: self.digests().to_vec(),
        }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.len = other.len;
        self.digests.clear();
        self.digests.extend_from_slice(other.digests());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted() {
        let mut trail = Trail::<3>::new();
        assert!(trail.note(7) && trail.note(8) && trail.note(7) && !trail.note(7));
        assert_eq!((trail.seen(7), trail.seen(8), trail.seen(9)), (2, 1, 0));
        assert_eq!(trail.digests(), [7, 8, 7]);
        assert_eq!((trail.seen_last(), Trail::<3>::new().seen_last()), (2, 0));
        assert!(trail.lacks_room_for(1) && !trail.lacks_room_for(0));
        let mut copy = Trail::<3>::new();
        copy.clone_from(&trail);
        assert_eq!(copy.digests(), trail.clone().digests());
        let len = trail.len();
        trail.forget();
        assert!(trail.seen(7) == 0 && trail.is_empty());
        trail.give_back(len);
        assert_eq!(trail.digests(), [7, 8, 7]);
    }
}
