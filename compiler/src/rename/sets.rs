//! Sets by what is in them: a set that is collected, joined or cut is what holds of its members, and a question about it is one about
//! them. So it does not matter from which sets a rule puts another one together.

use crate::ir::{BinaryOp, Const, Fold, Type, UnaryOp, WalkGive};

use super::Renaming;
use super::may::domain_of;
use super::terms::{FALSE, Node, Op, Other, Renamed, TRUE, Term, Terms};

impl Terms<'_> {
    /// Whether a set is what some condition holds of.
    pub(super) fn described_by(&self, node: &Node) -> bool {
        if !self.by_sets || !matches!(node.ty, Type::Set(_)) {
            return false;
        }
        match (&node.op, &node.args[..]) {
            (Op::Other(Other::Collect), _)
            | (Op::Other(Other::Along(WalkGive::Passed | WalkGive::Reached)), _) => true,
            (Op::Binary(BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Minus), args)
            | (Op::Unary(UnaryOp::Complement), args) => {
                args.iter().any(|arg| self.is_described(*arg))
            }
            (Op::Ite, [_, yes, no]) => self.is_described(*yes) || self.is_described(*no),
            _ => false,
        }
    }

    /// An operation on sets of which some are described; nothing where none is.
    pub(super) fn of_sets(&mut self, op: &Op, args: &[Term], ty: &Type) -> Option<Term> {
        if !args.iter().any(|arg| self.is_described(*arg)) {
            return None;
        }
        Some(match op {
            Op::Binary(BinaryOp::Subset) => {
                let outside = self.structural(
                    Op::Binary(BinaryOp::Minus),
                    args.to_vec(),
                    &self.set_of(args),
                );
                let some = self.some_in(outside);
                self.not(some)
            }
            Op::Binary(BinaryOp::Union | BinaryOp::Intersect) => {
                self.structural(op.clone(), args.to_vec(), ty)
            }
            Op::Binary(BinaryOp::Minus) | Op::Unary(UnaryOp::Complement) => {
                self.structural(op.clone(), args.to_vec(), ty)
            }
            Op::Other(Other::Size) => {
                let domain = domain_of(&self.node(args[0]).ty)?;
                let which = self.fresh(args[0], &Type::Elem(domain));
                let body = self.is_in(which, args[0]);
                let set = self.collected(which, body)?;
                self.structural(op.clone(), vec![set], ty)
            }
            _ => return None,
        })
    }

    fn set_of(&self, args: &[Term]) -> Type {
        let first = args.first().map(|arg| self.node(*arg).ty.clone());
        first.unwrap_or(Type::Bool)
    }

    /// A variable that no part of a term binds.
    fn fresh(&mut self, term: Term, ty: &Type) -> Term {
        let depth = self.depth_of(term);
        self.leaf(Op::Bound(depth, None), ty.clone())
    }

    /// The members of which a condition holds.
    fn collected(&mut self, which: Term, body: Term) -> Option<Term> {
        let (which, all, body) = self.as_far_as_it_can_hold(which, body)?;
        let ty = self.node(all).ty.clone();
        let collect = Op::Other(Other::Collect);
        Some(self.structural(collect, vec![which, all, body], &ty))
    }

    /// Whether a member is in a set.
    pub(super) fn is_in(&mut self, member: Term, set: Term) -> Term {
        self.lift(&[member, set], &mut |terms, args| {
            terms.is_in_leaf(args[0], args[1])
        })
    }

    fn is_in_leaf(&mut self, member: Term, set: Term) -> Term {
        let Node { op, args, .. } = self.node(set).clone();
        let described = self.is_described(set);
        match (&op, &args[..]) {
            (Op::Other(Other::Collect), &[which, over, body]) if described => {
                if let Some(held) = self.put(body, which, member) {
                    let inside = self.is_in(member, over);
                    return self.and(inside, held);
                }
            }
            (Op::Binary(BinaryOp::Union), parts) if described => {
                let each = parts.iter().map(|&part| self.is_in(member, part)).collect();
                return self.some_of(each);
            }
            (Op::Binary(BinaryOp::Intersect), parts) if described => {
                return parts.iter().fold(TRUE, |all, &part| {
                    let inside = self.is_in(member, part);
                    self.and(all, inside)
                });
            }
            (Op::Binary(BinaryOp::Minus), &[with, without]) if described => {
                let (inside, left_out) = (self.is_in(member, with), self.is_in(member, without));
                let rest = self.not(left_out);
                return self.and(inside, rest);
            }
            (Op::Unary(UnaryOp::Complement), &[set]) if described => {
                let inside = self.is_in(member, set);
                return self.not(inside);
            }
            _ => {}
        }
        // A row that is looked up stays one for whom a condition is about.
        let bound = self.by_sets && matches!(self.node(member).op, Op::Bound(..));
        if bound && matches!(op, Op::Table(_)) && !args.contains(&member) {
            let inside = Op::Binary(BinaryOp::In);
            return self.structural(inside, vec![member, set], &Type::Bool);
        }
        self.is_in_unknown(member, set)
    }

    /// Whether some member is in a set.
    pub(super) fn some_in(&mut self, set: Term) -> Term {
        let Some(domain) = domain_of(&self.node(set).ty) else {
            return FALSE;
        };
        let which = self.fresh(set, &Type::Elem(domain));
        let body = self.is_in(which, set);
        self.some(which, body)
    }

    /// Whether a set that is described has no member; nothing for other sets.
    pub(super) fn is_empty(&mut self, a: Term, b: Term) -> Option<Term> {
        let nothing = |me: &Self, term: Term| matches!(me.as_const(term), Some(Const::Set(m)) if m.is_empty());
        let set = match (nothing(self, a), nothing(self, b)) {
            (true, _) => b,
            (_, true) => a,
            _ => return None,
        };
        if !self.is_described(set) {
            return None;
        }
        let some = self.some_in(set);
        Some(self.not(some))
    }

    /// Whether a condition holds of some member.
    pub(super) fn some(&mut self, which: Term, body: Term) -> Term {
        let body = self.diagram(body);
        let Some((which, all, body)) = self.as_far_as_it_can_hold(which, body) else {
            return FALSE;
        };
        if let Some(Const::Set(members)) = self.as_const(all)
            && let [only] = members[..]
        {
            let ty = self.node(which).ty.clone();
            let member = self.constant(Const::Elem(only), ty);
            if let Some(held) = self.put(body, which, member) {
                return self.diagram(held);
            }
        }
        let exists = Op::Other(Other::Fold(Fold::Exists));
        let some = self.structural(exists, vec![which, all, body], &Type::Bool);
        self.diagram(some)
    }

    /// A condition on the members of which it can hold, and which they are; nothing if there are none.
    fn as_far_as_it_can_hold(&mut self, which: Term, body: Term) -> Option<(Term, Term, Term)> {
        let narrow = self.narrowed(which, &[body]);
        let (narrow, body) = match self.put(body, which, narrow) {
            Some(body) => (narrow, body),
            None => (which, body),
        };
        let (op, ty) = (self.node(narrow).op.clone(), self.node(narrow).ty.clone());
        let domain = domain_of(&ty)?;
        let members = match op {
            Op::Bound(_, Some(members)) => members,
            _ => (0..self.game.domain(domain).len() as u32).collect(),
        };
        if members.is_empty() || body == FALSE {
            return None;
        }
        let all = self.constant(Const::Set(members), Type::Set(domain));
        Some((narrow, all, body))
    }

    /// A term with another one instead of a part of it; nothing where a variable would be taken for another one.
    pub(super) fn put(&mut self, term: Term, from: Term, to: Term) -> Option<Term> {
        if from == to {
            return Some(term);
        }
        if self.is_caught(term, from, to) {
            return None;
        }
        let nothing = Renaming::new();
        let mut by = Renamed::with(&nothing, from, to);
        self.renamed(term, &mut by)
    }

    /// Whether a part of a term binds what is replaced in it, or what stands there then.
    fn is_caught(&self, term: Term, from: Term, to: Term) -> bool {
        let mut coming = Vec::new();
        self.each_part(to, &mut |me, part| {
            if let Op::Bound(at, _) = me.node(part).op {
                coming.push(at);
            }
        });
        let mut caught = false;
        self.each_part(term, &mut |me, part| {
            caught |= me.bound_by(part).contains(&from);
            if let Op::Bound(at, _) = me.node(part).op {
                caught |= part != from && coming.contains(&at);
            }
        });
        caught
    }

    /// The variables that a term binds.
    pub(super) fn bound_by(&self, term: Term) -> &[Term] {
        let node = self.node(term);
        let bound = match &node.op {
            Op::Other(Other::Collect | Other::Fold(_) | Other::Walk(_) | Other::Closure)
            | Op::Ordered(Other::First, _) => 0..1,
            Op::Other(Other::Along(_)) => 1..2,
            Op::Other(Other::Rows) => 1..node.args.len() - 1,
            _ => 0..0,
        };
        node.args.get(bound).unwrap_or_default()
    }

    /// Calls `f` once with each part of a term.
    pub(super) fn each_part(&self, term: Term, f: &mut dyn FnMut(&Self, Term)) {
        let mut seen = rulec_ir::sorted::SortedSet::from([term]);
        let mut open = vec![term];
        while let Some(at) = open.pop() {
            f(self, at);
            open.extend(self.node(at).args.iter().filter(|arg| seen.insert(**arg)));
        }
    }
}
