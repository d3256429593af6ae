//! What all parts of the compiler share: files and spans, diagnostics, JSON with places, the names that editors ask for, sorted
//! maps, two things at once, and the typed IR.

// Module documents are also a guide to the private files beside them.
#![allow(rustdoc::private_intra_doc_links)]

pub mod beside;
pub mod diag;
pub mod front;
pub mod ir;
pub mod json;
pub mod look;
pub mod sorted;
pub mod source;
pub mod symbols;
