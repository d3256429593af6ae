//! The grammar.
#![allow(missing_docs, reason = "the derive documents nothing")]

use pest_derive::Parser;

/// Entry to the rules of the grammar.
#[derive(Parser)]
#[grammar = "json/json.pest"]
pub(super) struct Grammar;
