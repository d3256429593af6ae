//! Conformance of bbgel: programs, worlds and recorded games of the original interpreter with its recommended corrections.
//!
//! The cases lie outside of the repository: in the folder that `RULEC_CORPUS` names, else in `../shared/corpus` beside
//! the workspace. Without them everything here is skipped, and says so; not so where `CI` is `true`.

mod cases;
mod corpus;
mod games;
mod own;
mod programs;
#[path = "../stages/mod.rs"]
mod stages;
mod walk;
