//! The compiler from board-game rules to Rust: text, AST, IR, passes, Rust.

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]

mod board;
pub mod codegen;
mod hash;
pub mod lang;
pub mod opt;
pub mod pipeline;
pub mod quotient;
pub mod rename;

pub use rulec_ir::{diag, ir, json, look, source, symbols};

pub use pipeline::{
    Options, Output, Passes, Without, companions, compile, compile_as, compile_text,
};
