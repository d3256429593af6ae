//! What a compiled game needs at run time.
//!
//! The traits and values that games share come from `rulec-core`, everything that runs games is in
//! [`search`]. With the feature `macros`, which is on by default, the macro that compiles rules in
//! place comes along, for all languages (the features `s3`, `bgm`, `bbgel`, `bgc` and `gs5`: for one of them); crates that the
//! compiler wrote switch it off and build without the compiler. With the feature `command` a game is a program: a command line with reports.

#![forbid(unsafe_code)]

#[cfg(feature = "command")]
pub use rulec_command as command;
pub use rulec_core::*;
pub use rulec_cpu as cpu;
#[cfg(feature = "macro")]
pub use rulec_macros::*;
pub use rulec_search as search;
#[cfg(feature = "serve")]
pub use rulec_serve as serve;
