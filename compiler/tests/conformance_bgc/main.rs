//! Conformance of bgc: the games of the original engine, what it did with them, and what its reference interpreter does.
//!
//! The cases lie outside of the repository: in the folder that `RULEC_CORPUS` names, else in `../shared/corpus` beside
//! the workspace; the reference interpreter is looked for beside that folder. Without them everything here is skipped,
//! and says so; not so where `CI` is `true`. A part of the long runs is left out unless `RULEC_LONG` is `1`.

mod corpus;
mod counts;
mod damaged;
mod own;
mod random;
#[path = "../stages/mod.rs"]
mod stages;
mod walks;
