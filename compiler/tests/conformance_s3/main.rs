//! Conformance of s3: the games of the original engines, and what those engines did with them.
//!
//! The cases lie outside of the repository: in the folder that `RULEC_CORPUS` names, else in `../shared/corpus` beside
//! the workspace. Without them everything here is skipped, and says so; not so where `CI` is `true`. A part of the long
//! counts is left out unless `RULEC_LONG` is `1`.

mod corpus;
mod expressions;
mod games;
#[path = "../stages/mod.rs"]
mod stages;
