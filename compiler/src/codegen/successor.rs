//! The predicate on the position after a candidate move.
//!
//! A candidate is played on a copy of the position. What comes after its effect, such as tests for draws, is left out
//! there if it cannot change the answer: it writes nothing that the predicate reads, and it cannot fault.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Gen;
use super::code::number;
use crate::ir::visit::walk_block;
use crate::ir::{Arm, FuncId, Stmt, StmtKind, TrailId};

/// Whether trying candidates may fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Faults {
    /// Never.
    Never,
    /// Only if one of these trails has no room for so many positions.
    WithoutRoom(BTreeMap<TrailId, usize>),
    /// Perhaps.
    Perhaps,
}

/// The part of an arm that decides what a predicate says after it: its first statements.
struct Deciding {
    /// How many.
    count: usize,
    /// The room that the rest needs in trails so as not to fault.
    room: BTreeMap<TrailId, usize>,
    /// Whether the deciding part itself may fault.
    faults: bool,
}

impl Gen<'_> {
    /// Whether trying the candidates of an arm's family may fault.
    pub(super) fn candidates_fault(&self, arm: &Arm) -> Faults {
        if self.questions_fault(arm) {
            return Faults::Perhaps;
        }
        let Some(after) = self.game.family(arm.family).after else {
            return Faults::Never;
        };
        match self.deciding(arm, after) {
            Some(deciding) if deciding.faults => Faults::Perhaps,
            Some(deciding) if deciding.room.is_empty() => Faults::Never,
            Some(deciding) => Faults::WithoutRoom(deciding.room),
            None => Faults::Perhaps,
        }
    }

    /// The deciding part of an arm, if it is less than all of it.
    fn deciding(&self, arm: &Arm, after: FuncId) -> Option<Deciding> {
        let locals = &self.machine.locals;
        let asked = &self.effects.function(after).reads;
        let idle = |stmts: &[Stmt]| {
            let effect = self.roomy.block(self.game, locals, stmts);
            let breaks = effect.may_fault || effect.works || effect.fails;
            !breaks && !effect.writes.meets(asked)
        };
        let count = (0..arm.body.len()).find(|&at| idle(&arm.body[at..]))?;
        let (first, rest) = arm.body.split_at(count);
        let effect = self.effects.block(self.game, locals, first);
        if effect.ends || effect.suspends || effect.fails {
            return None;
        }
        Some(Deciding {
            count,
            room: self.room_for(rest)?,
            faults: effect.may_fault || effect.works,
        })
    }

    /// How many positions statements note in each trail at most; nothing if they may note any number.
    fn room_for(&self, stmts: &[Stmt]) -> Option<BTreeMap<TrailId, usize>> {
        let effect = self.effects.block(self.game, &self.machine.locals, stmts);
        let mut functions = effect.calls.clone();
        for func in &effect.calls {
            functions.extend(self.effects.reaches(*func));
        }
        let mut room = BTreeMap::new();
        let mut looped = false;
        let mut look = |block: &[Stmt]| {
            walk_block(block, &mut |stmt| match &stmt.kind {
                StmtKind::Note(trail) => *room.entry(*trail).or_insert(0) += 1,
                StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. } => {
                    stmt.blocks(&mut |body| {
                        walk_block(body, &mut |inner| {
                            looped |= matches!(inner.kind, StmtKind::Note(_));
                        });
                    });
                }
                _ => {}
            });
        };
        look(stmts);
        for func in functions {
            look(&self.game.function(func).body);
        }
        (!looped).then_some(room)
    }

    /// The test whether trails have room; nothing if none is needed.
    pub(super) fn has_room(&self, room: &BTreeMap<TrailId, usize>) -> Option<TokenStream> {
        let tests = room.iter().map(|(trail, count)| {
            let field = self.trail_field(self.game.trail(*trail));
            let count = number(*count);
            quote!(s.#field.room() >= #count)
        });
        tests.reduce(|all, test| quote!(#all && #test))
    }

    fn trying_name(&self, point: usize, index: usize, arm: &Arm) -> Ident {
        let play = self.arm_name(point, index, arm);
        format_ident!("try_{play}")
    }

    /// The function that plays the deciding part of an arm, if there is one.
    pub(super) fn trying(&self, point: usize, index: usize, arm: &Arm) -> TokenStream {
        let family = self.game.family(arm.family);
        let Some(deciding) = family.after.and_then(|after| self.deciding(arm, after)) else {
            return TokenStream::new();
        };
        let name = self.trying_name(point, index, arm);
        let doc = self.doc(
            &format!(
                "Plays a move of the family `{}` as far as matters for its test.",
                family.name
            ),
            family.span,
        );
        let first = arm.body[..deciding.count].to_vec();
        self.block_function(&name, doc, &first, &arm.bind)
    }

    /// What the predicate says about the position after a candidate.
    #[expect(
        clippy::too_many_arguments,
        reason = "everything that names a candidate"
    )]
    pub(super) fn after(
        &self,
        point: usize,
        index: usize,
        arm: &Arm,
        after: FuncId,
        args: &[TokenStream],
        params: &[Ident],
        on_fault: &TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let play = self.arm_name(point, index, arm);
        let new_cx = self.new_cx();
        let ask = self.asked(after, args, on_fault);
        let whole = quote!({
            let cx = #new_cx;
            let flow = #play(#(#params,)* &mut after, &mut #rt::Silent, cx);
            after.finish(flow, cx);
            if let Some(fault) = cx.fault() { #on_fault }
        });
        let played = match self.deciding(arm, after) {
            None => whole,
            Some(deciding) => {
                let play = self.trying_name(point, index, arm);
                let check = deciding
                    .faults
                    .then(|| quote!(if let Some(fault) = cx.fault() { #on_fault }));
                let short = quote!({
                    let cx = #new_cx;
                    let _ = #play(#(#params,)* &mut after, &mut #rt::Silent, cx);
                    #check
                });
                match self.has_room(&deciding.room) {
                    Some(room) => quote!(if #room #short else #whole),
                    None => short,
                }
            }
        };
        quote!({
            let mut after = s.clone();
            #played
            let s = &after;
            #ask
        })
    }
}
