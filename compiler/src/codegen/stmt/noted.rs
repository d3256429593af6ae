//! What is known of a history behind a statement that added the position to it: asking how often it was there needs no digest.

use proc_macro2::TokenStream;

use crate::codegen::Body;
use crate::ir::{Stmt, StmtKind};

impl Body<'_> {
    /// A statement, and what it means for what is known of the history.
    pub(super) fn stmt_with_notes(&mut self, stmt: &Stmt) -> TokenStream {
        if let StmtKind::Note(trail) = stmt.kind {
            let tokens = self.stmt(stmt);
            self.noted.set(Some(trail));
            return tokens;
        }
        let noted = self.noted.get();
        let changes = noted.is_some() && self.changes(stmt);
        if changes && !matches!(stmt.kind, StmtKind::If(..)) {
            self.noted.set(None);
        }
        let tokens = self.stmt(stmt);
        self.noted.set(noted.filter(|_| !changes));
        tokens
    }

    /// Whether a statement may change the position.
    fn changes(&self, stmt: &Stmt) -> bool {
        let generator = self.generator;
        let one = std::slice::from_ref(stmt);
        let effect = generator
            .effects
            .block(generator.game, &self.plain_locals(), one);
        effect.scratch.touches_state() || effect.ends || effect.suspends
    }
}
