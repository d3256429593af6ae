//! Values that say their type.

/// A scalar together with the number of its type; compiled games number the types they use.
///
/// An integer is itself, a truth value 0 or 1, a member of a domain its number, an absent one -1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tagged {
    /// The number of the type.
    pub tag: u16,
    /// The value.
    pub value: i64,
}

impl Tagged {
    /// The number of truth values.
    pub const BOOL: u16 = 0;
    /// The number of 64-bit integers.
    pub const INT: u16 = 1;
    /// The number of 32-bit wrapping integers.
    pub const WRAP32: u16 = 2;
    /// The number of members of domain 0; each further domain adds 2, optional members add 1.
    pub const ELEM: u16 = 3;

    /// A value of a type.
    #[inline(always)]
    pub const fn new(tag: u16, value: i64) -> Self {
        Self { tag, value }
    }
}
