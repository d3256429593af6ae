//! Functions that are called, and what happens in them.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::Access;
use crate::ir::{EnvId, FuncId};

use super::super::terms::{Bundle, FALSE, Op, TRUE, Term};
use super::{Env, Frame, KEPT_ARGUMENT, KEPT_ENV, MOST_CALLS, Memory, Outside, Seen, Unfold};

impl<'t, 'g> Unfold<'t, 'g> {
    pub(super) fn call(&mut self, func: FuncId, args: Vec<Term>) -> Option<Term> {
        if self.depth + self.frames.len() > MOST_CALLS {
            self.terms.fail("too deep");
            return None;
        }
        let key = (func, args.clone(), self.changes);
        if let Some((value, mistakes)) = self.known.get(&key).cloned() {
            self.happen(mistakes);
            return value;
        }
        if self.looks_back(func) {
            return self.call_after(func, &args);
        }
        let function = self.game.function(func);
        let mut locals: Vec<Option<Term>> = args.into_iter().map(Some).collect();
        locals.resize(function.locals.len(), None);
        let before = self.live;
        let outside = self.enter();
        let rounds = std::mem::take(&mut self.rounds);
        let mistakes = std::mem::take(&mut self.mistakes);
        self.frames.push(Frame::of(locals, self.context.len()));
        let outer = self.block_at;
        self.whole(&function.body);
        self.block_at = outer;
        let frame = self.frames.pop();
        self.rounds = rounds;
        // What depends on who calls is known again where nobody does.
        let depends = self.depends;
        if self.frames.len() <= 1 {
            self.depends = false;
        }
        let still = key.2 == self.changes && !depends && !self.terms.again;
        self.come_back(before, outside);
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        self.happen(own.clone());
        let value = frame.and_then(|frame| frame.returned);
        if still {
            self.known.insert(key, (value, own));
        }
        value
    }

    /// Whether a function only looks at the position, and sees something that was written.
    fn looks_back(&self, func: FuncId) -> bool {
        let effect = self.terms.effects.function(func);
        let only_looks = effect.is_guard() && !effect.fails;
        if !only_looks || self.terms.asked_of.contains(&func) || !self.memory.trails.is_empty() {
            return false;
        }
        let memory = &self.memory;
        let mut vars = memory.plain.keys().chain(memory.lists.keys());
        let mut placed = memory.placed.keys();
        vars.any(|var| effect.reads.vars.contains(var))
            || placed.any(|at| effect.reads.placements.contains(at))
    }

    /// What a function gives in the position that the writes so far lead to, which is one that is not known like any other.
    fn call_after(&mut self, func: FuncId, args: &[Term]) -> Option<Term> {
        let reads = self.terms.effects.function(func).reads.clone();
        let mut kept = Vec::new();
        let args: Vec<Term> = (KEPT_ARGUMENT..)
            .zip(args)
            .map(|(slot, &arg)| self.terms.kept(slot, arg, &mut kept))
            .collect();
        let mut env = SortedMap::new();
        for (&var, &(value, set)) in &self.memory.env {
            if reads.env.contains(&EnvId(var)) {
                let slot = KEPT_ENV + 2 * var as usize;
                let value = self.terms.kept(slot, value, &mut kept);
                let set = self.terms.kept(slot + 1, set, &mut kept);
                env.insert(var, (value, set));
            }
        }
        let before = self.leads_to(&reads, kept);
        let key = (func, args.clone(), env.clone());
        let seen = match self.terms.seen.get(&key).cloned() {
            Some(seen) => seen,
            None => {
                let seen = self.call_afresh(func, args, env);
                if !self.terms.again {
                    self.terms.seen.insert(key, seen.clone());
                }
                seen
            }
        };
        if !seen.mistakes.is_empty() {
            let all = self.terms.bundle(Bundle::Mistakes, seen.mistakes);
            let all = self.terms.bundle(Bundle::Parts("after"), vec![before, all]);
            self.happen(vec![all]);
        }
        for (var, (value, set)) in seen.env {
            self.left_by.insert(var, func);
            let value = self.terms.after(before, value);
            let set = self.terms.after(before, set);
            self.write_env(var, value, set);
        }
        seen.value.map(|value| self.terms.after(before, value))
    }

    /// The writes so far, as far as somebody reads what is written.
    pub(super) fn leads_to(&mut self, reads: &Access, kept: Vec<Term>) -> Term {
        let memory = self.memory.clone();
        let mut parts = vec![self.terms.bundle(Bundle::Parts("kept"), kept)];
        for (var, value) in memory.plain {
            if reads.vars.contains(&var) {
                parts.push(self.terms.bundle(Bundle::Gets(var), vec![value]));
            }
        }
        for (var, writes) in memory.lists {
            if reads.vars.contains(&var) {
                let writes = self.written(&writes);
                parts.push(self.terms.bundle(Bundle::To(var), vec![writes]));
            }
        }
        for (placement, writes) in memory.placed {
            if reads.placements.contains(&placement) {
                let writes = self.moved(placement, &writes);
                parts.push(self.terms.bundle(Bundle::Onto(placement), vec![writes]));
            }
        }
        self.terms.bundle(Bundle::Parts("before"), parts)
    }

    fn call_afresh(&mut self, func: FuncId, args: Vec<Term>, env: Env) -> Seen {
        let memory = Memory {
            env: env.clone(),
            ..Memory::default()
        };
        let locals = Vec::new();
        let mut chain = Unfold::new(self.terms, locals);
        chain.memory = memory;
        chain.bound = self.bound;
        chain.depth = self.depth + self.frames.len();
        let value = chain.call(func, args);
        let mistakes = std::mem::take(&mut chain.mistakes);
        let mut written = std::mem::take(&mut chain.memory.env);
        written.retain(|var, now| env.get(var) != Some(now));
        Seen {
            value,
            mistakes,
            env: written,
        }
    }

    /// What is written is noted as seen from the function or the round at work, which alone looks at it until it is over.
    pub(super) fn write_env(&mut self, var: u32, value: Term, set: Term) {
        let live = self.live;
        self.changes += 1;
        let new = match self.memory.env.get(&var).copied() {
            Some((old, was)) => {
                let value = self.terms.ite(live, value, old);
                (value, self.terms.ite(live, set, was))
            }
            None => (value, self.terms.and(live, set)),
        };
        self.memory.env.insert(var, new);
    }

    /// Enters a function or a round of a loop; what variables were before.
    pub(super) fn enter(&mut self) -> Outside {
        self.context.push(self.live);
        self.live = TRUE;
        Outside {
            plain: self.memory.plain.clone(),
            env: self.memory.env.clone(),
        }
    }

    /// Leaves a function or a round that was come to under a condition.
    pub(super) fn come_back(&mut self, before: Term, outside: Outside) {
        self.context.pop();
        self.live = before;
        let mut changed = false;
        for (var, value) in std::mem::take(&mut self.memory.plain) {
            let old = match outside.plain.get(&var) {
                Some(old) => *old,
                None => {
                    let ty = self.game.var(var).ty.clone();
                    self.base(Op::Var(var), &[], &ty)
                }
            };
            let new = self.terms.ite(before, value, old);
            changed |= new != value;
            self.memory.plain.insert(var, new);
        }
        for (var, (value, set)) in std::mem::take(&mut self.memory.env) {
            let (old, was) = outside.env.get(&var).copied().unwrap_or((value, FALSE));
            let new = match (value, set) == (old, was) {
                true => (old, was),
                false => (
                    self.terms.ite(before, value, old),
                    self.terms.ite(before, set, was),
                ),
            };
            changed |= new != (value, set);
            self.memory.env.insert(var, new);
        }
        self.changes += usize::from(changed);
    }

    /// When this place is come to.
    pub(super) fn now(&mut self) -> Term {
        self.since(0)
    }

    /// When this place is come to, as seen from where the context was shorter.
    pub(super) fn since(&mut self, depth: usize) -> Term {
        let context = self.context.get(depth..).unwrap_or_default().to_vec();
        let calls = context.into_iter().rev();
        calls.fold(self.live, |now, call| self.terms.and(call, now))
    }

    /// When this place is come to, as seen from its function.
    pub(super) fn here(&mut self) -> Term {
        let entered = self.frame().entered;
        self.since(entered)
    }

    /// Notes the mistakes of a function that is called here.
    pub(super) fn happen(&mut self, mistakes: Vec<Term>) {
        if mistakes.is_empty() {
            return;
        }
        if self.live == TRUE {
            mistakes
                .into_iter()
                .for_each(|mistake| self.add_mistake(mistake));
            return;
        }
        let all = self.terms.bundle(Bundle::Mistakes, mistakes);
        let here = self
            .terms
            .bundle(Bundle::Parts("under"), vec![self.live, all]);
        self.add_mistake(here);
    }
}
