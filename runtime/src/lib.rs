//! What a compiled game needs at run time.
//!
//! It re-exports all of `rulec-core`, whose first page shows a random game in ten lines: the trait [`Game`] and the types that
//! go with it. Code that runs games is in [`search`], whose first page shows a game played by UCT.
//!
//! Features:
//! - `macros` (on by default): the macro that compiles rules in place, for all languages. `s3`, `bgm`, `bbgel`, `bgc` and `gs5`
//!   bring it for one language. Crates written by the compiler switch it off, and build without the compiler.
//! - `command`: a command line with reports, which makes a game a program.
//! - `serve`: the board in a browser, by a web server.
//! - `programs`: self-play files, episodes with a host, certificates and traces, in [`search`].

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
