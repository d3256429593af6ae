//! Conformance of bgm: the games of the corpus, what is known of them, and what the plain interpreter of the reference
//! does with them.
//!
//! The cases lie outside of the repository: in the folder that `RULEC_CORPUS` names, else in `../shared/corpus` beside
//! the workspace. Without them everything here is skipped, and says so; not so where `CI` is `true`. Records of the
//! reference need Python; they are fewer unless `RULEC_LONG` is `1`.

mod canon;
mod corpus;
mod games;
mod generated;
mod malformed;
mod own;
mod records;
#[path = "../stages/mod.rs"]
mod stages;
