//! Writes to variables and placements, and rounds of loops.

use crate::ir::{
    BinaryOp, Block, Const, Count, Expr, ExprKind, LocalId, Over, PlacementId, StmtKind, Type,
    VarId,
};

use super::super::terms::{Bundle, FALSE, Op, Shell, TRUE, Term};
use super::search::Turn;
use super::{LONG, MOST_ROUNDS, Round, Unfold, Write};

impl<'t, 'g> Unfold<'t, 'g> {
    pub(super) fn set_var(&mut self, var: VarId, index: &[Expr], value: &Expr) {
        let index: Vec<Term> = index.iter().map(|at| self.value(at)).collect();
        let ty = &self.game.var(var).ty;
        let narrow = !ty.contains(&value.ty);
        let value = self.value(value);
        if narrow && self.terms.as_const(value).is_none() {
            // A value outside of the range is a mistake.
            self.note(value, true);
        }
        self.changes += 1;
        if index.is_empty() {
            let live = self.live;
            let old = self.read(var, &[]);
            let new = self.terms.ite(live, value, old);
            self.memory.plain.insert(var, new);
            return;
        }
        let live = self.now();
        let stage = self.ends.stage();
        let writes = self.memory.lists.entry(var).or_default();
        writes.push(Write {
            when: live,
            stage,
            at: index,
            value,
            many: false,
        });
    }

    pub(super) fn place(&mut self, placement: PlacementId, at: Vec<Term>, value: Term) {
        let when = self.now();
        self.changes += 1;
        let stage = self.ends.stage();
        let writes = self.memory.placed.entry(placement).or_default();
        writes.push(Write {
            when,
            stage,
            at,
            value,
            many: false,
        });
    }

    /// Runs rounds while there is a next one.
    pub(super) fn looped(
        &mut self,
        next: &mut dyn FnMut(&mut Self, usize) -> Option<Term>,
        body: &Block,
    ) {
        self.as_seen_from_here(&mut |me| me.rounds(next, body));
    }

    /// Runs something as if it was always come to, which says when it is left.
    fn as_seen_from_here(&mut self, run: &mut dyn FnMut(&mut Self)) {
        let before = self.live;
        let outside = self.enter();
        let mistakes = std::mem::take(&mut self.mistakes);
        run(self);
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        let left = self.live;
        self.come_back(before, outside);
        self.happen(own);
        self.live = self.terms.and(before, left);
    }

    pub(super) fn rounds(
        &mut self,
        next: &mut dyn FnMut(&mut Self, usize) -> Option<Term>,
        body: &Block,
    ) {
        let mut left = FALSE;
        for round in 0..=MOST_ROUNDS {
            if self.live == FALSE || self.terms.stops() {
                break;
            }
            let Some(cond) = next(self, round) else {
                left = self.terms.or(left, self.live);
                self.live = FALSE;
                break;
            };
            let not = self.terms.not(cond);
            let over = self.terms.and(self.live, not);
            left = self.terms.or(left, over);
            self.live = self.terms.and(self.live, cond);
            if self.live == FALSE {
                break;
            }
            // A loop that goes on for long may do so only where nobody calls it.
            if round >= LONG && self.now() == FALSE {
                self.depends = true;
                self.live = FALSE;
                break;
            }
            if round == MOST_ROUNDS {
                self.terms.fail("too many rounds");
                break;
            }
            let ended = self.round(body);
            left = self.terms.or(left, ended.left);
            self.live = ended.goes_on;
        }
        self.live = left;
    }

    /// Runs one round of a loop; when it is left, and when it goes on.
    pub(super) fn round(&mut self, body: &Block) -> Round {
        let before = self.live;
        let outside = self.enter();
        let mistakes = std::mem::take(&mut self.mistakes);
        self.rounds.push(Round {
            left: FALSE,
            goes_on: FALSE,
        });
        self.block(body);
        let ended = self.rounds.pop();
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        let done = self.live;
        self.come_back(before, outside);
        self.happen(own);
        let mut ended = ended.unwrap_or(Round {
            left: FALSE,
            goes_on: FALSE,
        });
        let goes_on = self.terms.or(done, ended.goes_on);
        ended.left = self.terms.and(before, ended.left);
        ended.goes_on = self.terms.and(before, goes_on);
        ended
    }

    pub(super) fn counted(
        &mut self,
        local: LocalId,
        from: &Expr,
        to: &Expr,
        count: Count,
        body: &Block,
    ) {
        let (from, to) = (self.value(from), self.value(to));
        let (Some(Const::Int(from)), Some(Const::Int(to))) =
            (self.terms.as_const(from), self.terms.as_const(to))
        else {
            return self.counted_from(local, from, to, count, body);
        };
        let (from, to) = (*from, *to);
        let down = count == Count::Down || count == Count::Toward && to < from;
        let (low, high) = if down { (to, from) } else { (from, to) };
        if high.saturating_sub(low) < MOST_ROUNDS as i64 {
            let number = |number| self.terms.constant(Const::Int(number), Type::INT);
            let turns: Vec<Turn> = (low..=high).map(number).map(|at| (at, TRUE)).collect();
            if self.looks_for(local, &turns, body) {
                return;
            }
        }
        self.looped(
            &mut |me, round| {
                let round = round as i64;
                let number = if down { from - round } else { from + round };
                let more = if down { number >= to } else { number <= to };
                more.then(|| {
                    let number = me.terms.constant(Const::Int(number), Type::INT);
                    me.bind(local, number);
                    TRUE
                })
            },
            body,
        );
    }

    /// A loop whose bounds follow from members.
    fn counted_from(&mut self, local: LocalId, from: Term, to: Term, count: Count, body: &Block) {
        let span = crate::source::Span::default();
        let int = |local: u32| Expr::local(LocalId(local), Type::INT, span);
        let step =
            |op, a, b, ty| Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span);
        let apply = |me: &mut Self, op: BinaryOp, a: Term, b: Term, ty: Type| {
            let expr = step(op, int(0), int(1), ty);
            me.terms
                .apply(Shell { expr: &expr }, &Op::Binary(op), &[a, b])
        };
        let down = match count {
            Count::Down => TRUE,
            Count::Up => FALSE,
            Count::Toward => apply(self, BinaryOp::Lt, to, from, Type::Bool),
        };
        let up = self.terms.not(down);
        self.looped(
            &mut |me, round| {
                let far = me.terms.constant(Const::Int(round as i64), Type::INT);
                let higher = apply(me, BinaryOp::Add, from, far, Type::INT);
                let lower = apply(me, BinaryOp::Sub, from, far, Type::INT);
                let number = me.terms.ite(down, lower, higher);
                me.bind(local, number);
                let above = apply(me, BinaryOp::Ge, lower, to, Type::Bool);
                let below = apply(me, BinaryOp::Le, higher, to, Type::Bool);
                let above = me.terms.and(down, above);
                let below = me.terms.and(up, below);
                Some(me.terms.or(above, below))
            },
            body,
        );
    }

    pub(super) fn each(&mut self, local: LocalId, over: &Over, body: &Block) {
        if self.each_returns(local, over, body) {
            return;
        }
        let (set, ty, _) = self.over(over);
        if self.terms.is_described(set) && self.write_each(local, set, &ty, body) {
            return;
        }
        let all: Vec<Term> = match (self.terms.as_const(set).cloned(), &ty) {
            (Some(Const::Set(members)), _) => members
                .iter()
                .map(|&member| self.terms.constant(Const::Elem(member), ty.clone()))
                .collect(),
            (Some(Const::Seq(items)), _) => items
                .iter()
                .map(|item| self.terms.constant(item.clone(), ty.clone()))
                .collect(),
            (None, Type::Elem(domain)) if !matches!(over, Over::Seq(_)) => {
                let members = 0..self.game.domain(*domain).len() as u32;
                members
                    .map(|member| self.terms.constant(Const::Elem(member), ty.clone()))
                    .collect()
            }
            _ => {
                self.terms.fail("a loop over what is not known");
                return;
            }
        };
        let known = self.terms.as_const(set).is_some();
        let turn = |&member: &Term| match known {
            true => (member, TRUE),
            false => (member, self.terms.is_in(member, set)),
        };
        let turns: Vec<Turn> = all.iter().map(turn).collect();
        if !self.looks_for(local, &turns, body) {
            self.as_seen_from_here(&mut |me| me.one_after_the_other(local, &turns, body));
        }
    }

    /// A loop that only writes the same value for each member of a set; whether it is one.
    fn write_each(&mut self, local: LocalId, set: Term, ty: &Type, body: &Block) -> bool {
        let [only] = &body[..] else { return false };
        let StmtKind::SetVar(var, index, value) = &only.kind else {
            return false;
        };
        let declared = self.game.var(*var);
        if index.is_empty() || !declared.ty.contains(&value.ty) {
            return false;
        }
        // What a round writes is not seen by those after it.
        let mut sees = false;
        for expr in index.iter().chain([value]) {
            expr.walk(&mut |part| {
                sees |= match &part.kind {
                    ExprKind::Var(other, _) => other == var,
                    ExprKind::Call(..) | ExprKind::Holds(..) => true,
                    _ => false,
                };
            });
        }
        if sees {
            return false;
        }
        let (mistakes, changes) = (std::mem::take(&mut self.mistakes), self.changes);
        let depth = self.bound.max(self.terms.depth_of(set));
        let which = self.leaf(Op::Bound(depth, None), ty);
        self.bind(local, which);
        let before = std::mem::replace(&mut self.bound, depth + 1);
        let inside = self.terms.is_in(which, set);
        let (at, value) = self.under_each(inside, index, value);
        self.bound = before;
        let own = std::mem::replace(&mut self.mistakes, mistakes);
        let mut depends = self.changes != changes;
        self.terms
            .each_part(value, &mut |_, part| depends |= part == which);
        if depends {
            return false;
        }
        if !own.is_empty() {
            let inner = self.terms.bundle(Bundle::Mistakes, own);
            let within = vec![which, inner, self.live];
            let within = self.terms.bundle(Bundle::Parts("within"), within);
            self.add_mistake(within);
        }
        let now = self.now();
        let when = self.terms.and(now, inside);
        let stage = self.ends.stage();
        self.changes += 1;
        self.memory.lists.entry(*var).or_default().push(Write {
            when,
            stage,
            at,
            value,
            many: true,
        });
        true
    }

    /// Indexes and a value for a member that is in a set.
    fn under_each(&mut self, inside: Term, index: &[Expr], value: &Expr) -> (Vec<Term>, Term) {
        let before = std::mem::replace(&mut self.live, inside);
        let at = index.iter().map(|at| self.value(at)).collect();
        let value = self.value(value);
        self.live = before;
        (at, value)
    }

    fn one_after_the_other(&mut self, local: LocalId, turns: &[Turn], body: &Block) {
        let mut left = FALSE;
        for &(member, cond) in turns {
            if self.live == FALSE || self.terms.stops() {
                break;
            }
            let before = self.live;
            self.bind(local, member);
            self.live = self.terms.and(before, cond);
            let not = self.terms.not(cond);
            let passed = self.terms.and(before, not);
            let ended = self.round(body);
            left = self.terms.or(left, ended.left);
            self.live = self.terms.or(passed, ended.goes_on);
        }
        self.live = self.terms.or(self.live, left);
    }

    // ---- decisions
}
