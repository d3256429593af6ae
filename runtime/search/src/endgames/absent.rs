//! Tables of endgames in programs without the feature `programs`: there are none.

use std::fmt;

use rulec_core::GameInfo;

use crate::Walk;

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {}

impl Value {
    pub(crate) fn told(self) -> Option<Option<(u8, u16)>> {
        match self {}
    }
}

/// Tables of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endgames {}

/// What a look-up needs room for.
#[derive(Default)]
pub struct Probe;

impl Endgames {
    pub(crate) fn look_at<W: Walk + ?Sized>(&self, _: &W, _: &mut Probe) -> Option<Value> {
        match *self {}
    }
}

/// The tables of a folder that players use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {}

impl Kept {
    /// Those of a folder.
    ///
    /// # Errors
    /// Always: they are files of the feature.
    pub fn of(_: &str) -> Result<Kept, String> {
        Err("tables of endgames need the feature `programs` of rulec-runtime".to_owned())
    }

    /// The tables.
    ///
    /// # Errors
    /// Never.
    pub fn read(self, _: &GameInfo) -> Result<&'static Endgames, String> {
        match self {}
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
