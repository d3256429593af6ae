//! The parser that pest makes from `grammar.pest`.

use pest_derive::Parser;

/// Entry to the rules of the grammar.
#[derive(Parser)]
#[grammar = "lang/s3/grammar.pest"]
pub(super) struct Grammar;
