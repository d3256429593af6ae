//! Many games at a time, behind one interface that programs in any language can use.
//!
//! A game answers *operations*: each has a number ([`op`]), takes blocks of bytes, fills blocks of bytes that the caller owns, and
//! gives a number. [`Port`] is that in Rust, [`Table`] the same in C; a shared library that [`export!`] makes of a game has one.
//! What makes and reads the blocks is [`Games`], [`Batch`] and [`Selfplay`], which work on any port: a game of this process, or one
//! that was loaded.
//!
//! ```
//! # use rulec_abi::{Games, Kinds, Mask, Settings, View};
//! # fn random(game: &mut Games) -> Result<(), rulec_abi::Refused> {
//! let mut batch = game.batch(&Settings { games: 1024, seed: 1, ..Settings::default() })?;
//! let mut actions = vec![0; 1024];
//! for _ in 0..100 {
//!     batch.sample(&mut actions)?;
//!     batch.step(&actions, Kinds::default(), &mut View::default())?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`op`]: the operations and their blocks
//! - `batch`: states that step together; `arena`, `tree`: self-play with a network; `row`: what a network sees
//! - `ffi`, `load`: both sides of the C interface, the only places with `unsafe`

mod arena;
mod asked;
mod batch;
mod client;
mod describe;
mod ffi;
mod games;
#[cfg(feature = "load")]
mod load;
mod numbering;
pub mod op;
mod port;
mod root;
mod row;
mod slot;
mod tree;

pub use client::{Batch, Games, Kinds, Mask, Numbers, Selfplay, Settings, View};
pub use ffi::{Handle, MAGIC, Sink, Slice, SliceMut, Table, VERSION};
pub use games::{guarded, local};
#[cfg(feature = "load")]
pub use load::{LoadError, load};
pub use port::{Call, Port, Refused};
// What a compiled game needs of the runtime, so that a library needs no other crate.
pub use rulec_core::*;
pub use rulec_cpu as cpu;

/// Makes the shared library that this is compiled to a game: it exports the function `rulec_game_v1`, which gives its [`Table`].
#[macro_export]
macro_rules! export {
    ($game:expr) => {
        extern "C" fn open() -> *mut $crate::Handle {
            $crate::Handle::open(|| $crate::local($game))
        }

        /// The interface of the game.
        #[unsafe(no_mangle)]
        pub extern "C" fn rulec_game_v1() -> *const $crate::Table {
            static TABLE: ::std::sync::OnceLock<$crate::Table> = ::std::sync::OnceLock::new();
            TABLE.get_or_init(|| $crate::Table::new(open, $crate::Game::info(&$game)))
        }
    };
}
