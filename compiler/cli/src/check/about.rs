//! What is judged.

use rulec_compiler::diag::Diagnostics;
use rulec_compiler::ir::Game;
use rulec_compiler::source::SourceMap;
use rulec_compiler::symbols::Index;

/// The game that is judged.
pub(super) struct About<'a> {
    /// After the passes, as it was played.
    pub(super) game: &'a Game,
    /// As it is written.
    pub(super) lowered: &'a Game,
    pub(super) sources: &'a SourceMap,
    pub(super) index: Option<Index>,
    /// What the text of the rules is told.
    pub(super) warnings: &'a Diagnostics,
}
