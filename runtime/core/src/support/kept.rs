//! Answers that positions keep.

use std::hash::{Hash, Hasher};

/// The answer `V` to a question about a position that was asked of `A`, kept until something is written that it depends on.
///
/// It says nothing that the rest of the position does not say: all are equal, and none is hashed.
#[derive(Clone, Copy, Debug)]
pub struct Kept<A, V>(Option<(A, V)>);

impl<A: PartialEq + Copy, V: Copy> Kept<A, V> {
    /// No answer.
    pub const NONE: Self = Self(None);

    /// The answer, if it was kept for these arguments.
    #[inline(always)]
    pub fn of(&self, args: A) -> Option<V> {
        let (asked, answer) = self.0?;
        (asked == args).then_some(answer)
    }

    /// Keeps the answer for these arguments, in place of the one before.
    #[inline(always)]
    pub fn keep(&mut self, args: A, answer: V) {
        self.0 = Some((args, answer));
    }
}

impl<A, V> PartialEq for Kept<A, V> {
    #[inline(always)]
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<A, V> Eq for Kept<A, V> {}

impl<A, V> Hash for Kept<A, V> {
    #[inline(always)]
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn an_answer_is_that_to_the_same_question() {
        let mut kept = Kept::NONE;
        assert_eq!(kept.of((1, true)), None);
        kept.keep((1, true), 7);
        assert_eq!(kept.of((1, true)), Some(7));
        assert_eq!(kept.of((2, true)), None);
        assert!(kept == Kept::NONE);
    }
}
