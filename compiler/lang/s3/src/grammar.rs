//! The parser that pest makes from `grammar.pest`.

use pest_derive::Parser;

/// Entry to the rules of the grammar.
#[derive(Parser)]
#[grammar = "grammar.pest"]
pub(super) struct Grammar;
