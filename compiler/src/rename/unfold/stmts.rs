//! What statements do.

use rulec_ir::sorted::SortedMap;

use crate::ir::{Block, Expr, LocalId, Stmt, StmtKind, Type};

use super::super::terms::{Bundle, FALSE, Op, Other, TRUE, Term};
use super::{Memory, Round, Unfold, accesses, place_of, reason_word};

impl<'t, 'g> Unfold<'t, 'g> {
    /// Runs a block that is no part of another one.
    pub(in super::super) fn whole(&mut self, block: &Block) {
        if self.looked_at.insert(place_of(block)) {
            let all = accesses(block);
            self.find_scopes(block, &all);
            self.note_behind(block);
        }
        self.block(block);
    }

    /// Notes the variables that nobody names outside of a block, and outside of those in it.
    fn find_scopes(&mut self, block: &Block, all: &SortedMap<LocalId, usize>) {
        for (local, times) in accesses(block) {
            if all.get(&local) == Some(&times) {
                self.scopes.insert((place_of(block), local));
            }
        }
        for stmt in block {
            stmt.blocks(&mut |inner| self.find_scopes(inner, all));
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        let depth = self.context.len();
        self.frame().blocks.push((place_of(block), depth));
        self.statements(block);
        self.frame().blocks.pop();
    }

    fn statements(&mut self, block: &Block) {
        for stmt in block {
            if self.live == FALSE || self.terms.stops() {
                return;
            }
            self.block_at = place_of(block);
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        use StmtKind as S;
        match &stmt.kind {
            S::Let(local, value) => {
                let value = self.value(value);
                self.set_local(*local, value);
            }
            S::SetEnv(var, value) => {
                let value = self.value(value);
                if self.now() == TRUE {
                    self.left_by.remove(&var.0);
                }
                self.write_env(var.0, value, TRUE);
            }
            S::SetVar(var, index, value) => self.set_var(*var, index, value),
            S::Put(placement, piece, place) | S::Bring(placement, piece, place, _) => {
                let (value, at) = (self.value(piece), self.value(place));
                self.place(*placement, vec![at], value);
            }
            S::Take(placement, piece) => {
                let value = self.value(piece);
                self.place(*placement, Vec::new(), value);
            }
            S::SetContent(placement, place, kind) => {
                let (at, value) = (self.value(place), self.value(kind));
                self.place(*placement, vec![at], value);
            }
            S::If(cond, yes, no) => {
                let cond = self.value(cond);
                let before = self.live;
                let not = self.terms.not(cond);
                let after_yes = self.branch(before, cond, yes);
                let after_no = self.branch(before, not, no);
                self.live = self.terms.or(after_yes, after_no);
            }
            S::For {
                local,
                from,
                to,
                count,
                body,
                ..
            } => self.counted(*local, from, to, *count, body),
            S::ForEach(local, over, body) => self.each(*local, over, body),
            S::While { cond, body, .. } => {
                self.looped(
                    &mut |me, _| {
                        let cond = me.value(cond);
                        Some(cond)
                    },
                    body,
                );
            }
            S::Break => self.leave(|round| &mut round.left),
            S::Continue => self.leave(|round| &mut round.goes_on),
            S::Call { func, args, into } => {
                let args: Vec<Term> = args.iter().map(|arg| self.value(arg)).collect();
                let value = self.call(*func, args);
                if let (Some(local), Some(value)) = (into, value) {
                    self.set_local(*local, value);
                }
            }
            S::Return(value) => {
                if let Some(value) = value {
                    self.give(value);
                }
                self.live = FALSE;
            }
            S::Emit(_) | S::Charge | S::Keep(_) => {}
            S::Fault(_) | S::TooDeep | S::End { .. } | S::Stop(_) => self.end(stmt),
            S::Note(trail) => self.trail(trail.0, Other::Noted(trail.0)),
            S::Forget(trail) => self.trail(trail.0, Other::Forgot(trail.0)),
            S::Trial {
                body,
                keep,
                ok,
                value,
            } => self.trial(body, *keep, *ok, value.as_ref()),
            S::Fail => {
                let live = self.now();
                match self.failed.pop() {
                    Some(before) => {
                        let after = self.terms.or(before, live);
                        self.failed.push(after);
                    }
                    None => self.terms.fail("a failure outside of a trial"),
                }
                self.live = FALSE;
            }
            S::Snapshot(_) | S::Restore(_) => self.terms.fail("a snapshot"),
            S::Choose(_) | S::Chance(_) => {
                self.terms.fail("a stop inside");
            }
        }
    }

    /// Gives a value back from a function.
    pub(super) fn give(&mut self, value: &Expr) {
        let value = self.value(value);
        let live = self.here();
        let old = self.frame().returned;
        let new = match old {
            Some(old) => {
                let live = self.as_far_as(usize::MAX, live, live);
                self.terms.ite(live, value, old)
            }
            None => {
                self.frame().given.insert(usize::MAX, live);
                value
            }
        };
        self.frame().returned = Some(new);
    }

    /// Ends what is unfolded, or the game.
    fn end(&mut self, stmt: &Stmt) {
        let (leaf, with) = match &stmt.kind {
            StmtKind::Fault(text) => (Bundle::Ends("fault", text.clone(), 0), Vec::new()),
            StmtKind::TooDeep => (Bundle::Ends("deep", String::new(), 0), Vec::new()),
            StmtKind::End { reason, winners } => {
                let leaf = Bundle::Ends("end", reason_word(*reason).to_owned(), 0);
                let mut with = vec![self.value(winners)];
                with.extend(self.left_at_end());
                (leaf, with)
            }
            StmtKind::Stop(point) => (Bundle::Ends("stop", String::new(), point.0), Vec::new()),
            _ => return,
        };
        let leaf = self.terms.bundle(leaf, with);
        let stops = matches!(&stmt.kind, StmtKind::Stop(_));
        self.exit(leaf, stops);
    }

    fn trial(&mut self, body: &Block, keep: bool, ok: LocalId, value: Option<&(Expr, LocalId)>) {
        let (before, ends) = (self.live, self.ends.len());
        let memory = self.memory.clone();
        let locals = self.frame().locals.clone();
        let rounds = std::mem::take(&mut self.rounds);
        self.failed.push(FALSE);
        self.block(body);
        self.rounds = rounds;
        let failed = self.failed.pop().unwrap_or(FALSE);
        let not = self.terms.not(failed);
        let succeeds = self.terms.and(before, not);
        self.changes += 1;
        if self.ends.len() != ends {
            self.terms.fail("an end in a trial");
            return;
        }
        self.live = succeeds;
        let given = value.map(|(value, local)| (self.value(value), *local));
        match keep {
            true => self.keep(memory, &locals, succeeds),
            false => {
                self.memory = memory;
                self.frame().locals = locals;
            }
        }
        if let Some((value, local)) = given {
            self.set_local(local, value);
        }
        self.live = before;
        self.set_local(ok, not);
    }

    /// Keeps what a trial wrote where it succeeded.
    fn keep(&mut self, old: Memory, locals: &[Option<Term>], succeeds: Term) {
        let mut new = std::mem::take(&mut self.memory);
        for (var, value) in &mut new.plain {
            let before = match old.plain.get(var) {
                Some(before) => *before,
                None => {
                    let ty = self.game.var(*var).ty.clone();
                    self.base(Op::Var(*var), &[], &ty)
                }
            };
            *value = self.terms.ite(succeeds, *value, before);
        }
        let lists = new.lists.iter_mut().map(|(var, writes)| {
            let before = old.lists.get(var).map_or(0, Vec::len);
            (writes, before)
        });
        let placed = new.placed.iter_mut().map(|(placement, writes)| {
            let before = old.placed.get(placement).map_or(0, Vec::len);
            (writes, before)
        });
        for (writes, before) in lists.chain(placed) {
            for write in writes.iter_mut().skip(before) {
                write.when = self.terms.and(write.when, succeeds);
            }
        }
        for (var, (value, set)) in &mut new.env {
            let (before, was) = old.env.get(var).copied().unwrap_or((*value, FALSE));
            *value = self.terms.ite(succeeds, *value, before);
            *set = self.terms.ite(succeeds, *set, was);
        }
        if new.trails != old.trails {
            self.terms.fail("a note in a trial");
        }
        self.memory = new;
        for (at, before) in locals.iter().enumerate() {
            let after = self.frame().locals.get(at).copied().flatten();
            if let (Some(before), Some(after)) = (before, after)
                && *before != after
            {
                let kept = self.terms.ite(succeeds, after, *before);
                self.frame().locals[at] = Some(kept);
            }
        }
    }

    /// Runs a branch; when it is left at its end. Where it has ended the game that does not matter, so it is left always then.
    fn branch(&mut self, before: Term, cond: Term, block: &Block) -> Term {
        let entered = self.terms.and(before, cond);
        self.live = entered;
        self.last_end = None;
        self.block(block);
        let ended = self.live == FALSE && self.last_end == Some(entered);
        match ended && self.rounds.is_empty() {
            true => entered,
            false => self.live,
        }
    }

    fn trail(&mut self, trail: u32, what: Other) {
        let before = self.memory.trails.get(&trail).copied();
        let when = self.now();
        self.changes += 1;
        let args = [Vec::from_iter(before), vec![when]].concat();
        let after = self.terms.structural(Op::Other(what), args, &Type::INT);
        self.memory.trails.insert(trail, after);
    }

    fn exit(&mut self, leaf: Term, stops: bool) {
        let when = self.now();
        if !self.terms.never(when) {
            self.ends.push(when, leaf);
        }
        // What is written behind a stop must not be taken to be written before it.
        self.last_end = (!stops).then_some(self.live);
        self.changes += 1;
        self.live = FALSE;
    }

    fn leave(&mut self, which: impl Fn(&mut Round) -> &mut Term) {
        let live = self.live;
        if let Some(mut round) = self.rounds.pop() {
            let slot = which(&mut round);
            *slot = self.terms.or(*slot, live);
            self.rounds.push(round);
        }
        self.live = FALSE;
    }
}
