//! Bounded histories of positions.

/// The positions that were noted, at most `N`, each by a digest of 128 bits.
///
/// Two different positions of one game have equal digests with a chance that can be neglected.
#[derive(Clone, Copy, Debug)]
pub struct Trail<const N: usize> {
    len: u32,
    digests: [u128; N],
}

impl<const N: usize> Trail<N> {
    /// The empty history.
    pub const fn new() -> Self {
        Self {
            len: 0,
            digests: [0; N],
        }
    }

    /// Adds a position. False, and nothing changes, where there is no room.
    #[inline]
    pub fn note(&mut self, digest: u128) -> bool {
        match self.digests.get_mut(self.len as usize) {
            Some(slot) => {
                *slot = digest;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// How often a position was noted.
    #[inline]
    pub fn seen(&self, digest: u128) -> i64 {
        let noted = self.digests.iter().take(self.len as usize);
        noted.map(|&other| i64::from(other == digest)).sum()
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
        self.len = len.min(N as u32);
    }

    /// The digests in the order they were noted.
    pub fn digests(&self) -> &[u128] {
        self.digests.get(..self.len as usize).unwrap_or(&[])
    }
}

impl<const N: usize> Default for Trail<N> {
    fn default() -> Self {
        Self::new()
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
        let len = trail.len();
        trail.forget();
        assert!(trail.seen(7) == 0 && trail.is_empty());
        trail.give_back(len);
        assert_eq!(trail.digests(), [7, 8, 7]);
    }
}
