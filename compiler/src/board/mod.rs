//! Boards: what rules ask of places, in a form that does not depend on how they are spelled.
//!
//! A test of a place is the set of the contents that pass it ([`contents`]). What a rule comes to on a board that is not known
//! is a reduced ordered decision diagram over the places that it looks at ([`diagram`]): rules that mean the same have the same
//! diagram, and the same shortest sum of products ([`cover`]). A diagram along one direction is a walk, and what rules ask of a place is put together from the walks that begin
//! there ([`walks`]). Places are numbered so that steps are shifts ([`layout`]).

pub(crate) mod contents;
pub(crate) mod cover;
pub(crate) mod diagram;
pub(crate) mod effects;
pub(crate) mod layout;
pub(crate) mod run;
pub(crate) mod walks;

#[cfg(test)]
pub(crate) mod tests;
