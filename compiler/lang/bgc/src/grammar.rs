//! The parser that pest makes from `script.pest`.

use pest_derive::Parser;

/// Entry to the rules of the grammar.
#[derive(Parser)]
#[grammar = "script.pest"]
pub(super) struct ScriptGrammar;
