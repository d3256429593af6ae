//! What answers operations.

use std::fmt;

use bytemuck::AnyBitPattern;

/// Why an operation is not carried out; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its kind, below 0: one of the constants of this type.
    pub code: i32,
    /// What is wrong, for people.
    pub text: String,
}

impl Refused {
    /// The operation is not known, or a block has a wrong size.
    pub const USE: i32 = -1;
    /// A move is not legal where it is to be played, or no move at all.
    pub const MOVE: i32 = -2;
    /// The game is over.
    pub const OVER: i32 = -3;
    /// The program went wrong inside; what was worked on must not be used again.
    pub const PANIC: i32 = -4;

    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self {
            code: Self::USE,
            text: text.into(),
        }
    }

    pub(crate) fn mv(text: impl Into<String>) -> Self {
        Self {
            code: Self::MOVE,
            text: text.into(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refused {}

/// An operation with its blocks.
pub struct Call<'c, 'b> {
    /// Its number, see [`op`](crate::op).
    pub op: u32,
    /// What it takes.
    pub inputs: &'c [&'b [u8]],
    /// What it fills.
    pub outputs: &'c mut [&'b mut [u8]],
    /// Text that it gives.
    pub text: Vec<u8>,
    /// What it makes.
    pub made: Option<Box<dyn Port>>,
}

impl<'b> Call<'_, 'b> {
    /// A block that it takes; nothing where there is none.
    pub(crate) fn input<T: AnyBitPattern>(&self, at: usize) -> Result<&'b [T], Refused> {
        let bytes = self.inputs.get(at).copied().unwrap_or_default();
        if bytes.is_empty() {
            return Ok(&[]);
        }
        bytemuck::try_cast_slice(bytes)
            .map_err(|error| Refused::usage(format!("block {at} to be read: {error}")))
    }

    /// A number that it takes.
    pub(crate) fn number(&self, at: usize) -> Result<u32, Refused> {
        match self.input::<u32>(at)? {
            [number] => Ok(*number),
            other => Err(Refused::usage(format!(
                "block {at} to be read holds {} numbers instead of one",
                other.len()
            ))),
        }
    }

    /// A text that it takes.
    pub(crate) fn words(&self, at: usize) -> Result<&'b str, Refused> {
        let bytes = self.inputs.get(at).copied().unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|error| Refused::usage(format!("a text: {error}")))
    }

    /// A block to be filled, with room for so many items; none where it is not wanted.
    pub(crate) fn output<T: bytemuck::Pod>(
        &mut self,
        at: usize,
        len: usize,
    ) -> Result<&'b mut [T], Refused> {
        let bytes = self.outputs.get_mut(at).map(std::mem::take);
        let bytes = bytes.unwrap_or_default();
        if bytes.is_empty() {
            return Ok(&mut []);
        }
        let found: &mut [T] = bytemuck::try_cast_slice_mut(bytes)
            .map_err(|error| Refused::usage(format!("block {at} to be filled: {error}")))?;
        match found.len() {
            room if room == len => Ok(found),
            room => Err(Refused::usage(format!(
                "block {at} to be filled has room for {room} items instead of {len}"
            ))),
        }
    }
}

/// Something that answers operations: a game, a batch of its positions, games in flight.
pub trait Port: Send {
    /// Carries out an operation.
    ///
    /// # Errors
    /// Why it is not carried out.
    fn call(&mut self, call: &mut Call<'_, '_>) -> Result<u64, Refused>;
}

pub(crate) fn unknown(what: &str, op: u32) -> Refused {
    Refused::usage(format!("{what} has no operation {op}"))
}
