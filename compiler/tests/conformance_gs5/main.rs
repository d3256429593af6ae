//! Conformance of gs5: the rule sets of the original server's users, and what the server did with them.
//!
//! The cases lie outside of the repository: in the folder that `RULEC_CORPUS` names, else in `../shared/corpus` beside
//! the workspace. Without them everything here is skipped, and says so; not so where `CI` is `true`.

mod corpus;
mod episodes;
#[path = "../stages/mod.rs"]
#[expect(dead_code, reason = "an episode is compared on both programs at once")]
mod stages;
mod texts;
