//! Expressions made ready to run: what names refer to is found, constants are made, and the operands of a
//! node stand in one list.
//!
//! Values of types other than sets, sequences and tagged values are held as numbers while an
//! expression is evaluated: see [`Class`].

use super::value::{Class, Tag, Value};
use crate::ir::{
    BinaryOp, Expr, ExprKind, Fold, FuncId, Game, IdentityId, Over, Type, UnaryOp, WalkGive,
};
use crate::source::Span;

/// An expression.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) class: Class,
    /// The type of its value, for explanations.
    pub(super) ty: Type,
    /// The operands, in the order in which they are evaluated.
    pub(super) args: Box<[Node]>,
    pub(super) span: Span,
}

/// What a node computes. Things of the game are told by their numbers.
#[derive(Debug)]
pub(super) enum Kind {
    Number(i64),
    Const(Value),
    Local(usize),
    Env(usize),
    EnvIsSet(usize),
    Var(usize),
    Lookup(usize),
    PlaceOf(usize),
    Content(usize),
    Contents(usize),
    Places(usize),
    /// The operand as it is: its number means the same in the type of the node.
    Same,
    Not,
    And,
    Or,
    /// Minus and absolute value, of the class of the node.
    Neg,
    Abs,
    /// An operation on two integers of the class of the node.
    Arithmetic(BinaryOp),
    /// An order of two integers.
    Compare(BinaryOp),
    /// Equality of numbers, or inequality.
    Equal(bool),
    /// Equality of other values, or inequality.
    EqualWhole(bool),
    InSet,
    InSeq,
    /// Sets of a domain with so many members.
    Complement(usize),
    Sets(BinaryOp),
    Subset,
    Seqs(BinaryOp),
    SeqSubset,
    If,
    IsSome,
    Get,
    OrElse,
    /// The integer of a member, that of member 0 being this.
    Ordinal(i64),
    /// The member with an integer: that of member 0, and how many there are.
    Member(i64, usize),
    ToWrap,
    Tag(Tag),
    Untag(Tag),
    HasTag(Option<Tag>),
    SetOf,
    SeqOf,
    SetSize,
    SeqSize,
    Item,
    Fold(Fold, Bound),
    Collect(Bound),
    First(Bound),
    Walk {
        local: usize,
        step: usize,
        give: WalkGive,
    },
    Closure {
        local: usize,
        edges: usize,
    },
    Call(FuncId),
    /// A relation with the position of its open argument, which takes so many members.
    Related {
        holds: FuncId,
        open: usize,
        len: usize,
    },
    Seen(usize),
    /// Of an identity by number: the first two, the others fixed.
    Alike(IdentityId),
    /// What `verify` refuses.
    Wrong,
}

/// A bound variable: the last operand is evaluated for each of its values, those before it say which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) local: usize,
    pub(super) over: Source,
}

/// What a variable ranges over; the operands that it has are evaluated once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// The members of a domain: how many there are.
    Domain(usize),
    Set,
    Seq,
    Range,
}

/// Makes nodes of the expressions of a game.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'g> {
    pub(super) game: &'g Game,
}

impl Nodes<'_> {
    pub(super) fn all(self, exprs: &[Expr]) -> Box<[Node]> {
        exprs.iter().map(|expr| self.node(expr)).collect()
    }

    /// What something ranges over, and its operands.
    pub(super) fn over(self, over: &Over) -> (Source, Vec<Node>) {
        match over {
            Over::Domain(domain) => (Source::Domain(self.game.domain(*domain).len()), Vec::new()),
            Over::Set(set) => (Source::Set, vec![self.node(set)]),
            Over::Seq(seq) => (Source::Seq, vec![self.node(seq)]),
            Over::Range(from, to) => (Source::Range, vec![self.node(from), self.node(to)]),
        }
    }

    pub(super) fn node(self, expr: &Expr) -> Node {
        let mut node = match &expr.kind {
            ExprKind::Const(value) => leaf(match Value::of_const(value, &expr.ty) {
                Some(value) => match Class::of(&expr.ty) {
                    Class::Whole => Kind::Const(value),
                    _ => Kind::Number(value.number()),
                },
                None => Kind::Wrong,
            }),
            ExprKind::Local(local) => leaf(Kind::Local(local.index())),
            ExprKind::Env { var, .. } => leaf(Kind::Env(var.index())),
            ExprKind::EnvIsSet(var) => leaf(Kind::EnvIsSet(var.index())),
            ExprKind::Listened => leaf(Kind::Number(1)),
            ExprKind::Seen(trail) => leaf(Kind::Seen(trail.index())),
            ExprKind::Var(var, index) => self.list(Kind::Var(var.index()), index),
            ExprKind::Alike(identity, list) => self.list(Kind::Alike(*identity), list),
            ExprKind::Lookup(table, index) => self.list(Kind::Lookup(table.index()), index),
            ExprKind::SetOf(items) => self.list(Kind::SetOf, items),
            ExprKind::SeqOf(items) => self.list(Kind::SeqOf, items),
            ExprKind::Call(func, args) => self.list(Kind::Call(*func), args),
            ExprKind::Holds(relation, args) => {
                self.list(Kind::Call(self.game.relation(*relation).holds), args)
            }
            ExprKind::Related(relation, args) => {
                let relation = self.game.relation(*relation);
                let open = args.iter().position(Option::is_none);
                debug_assert!(open.is_some(), "an argument is left open");
                let open = open.unwrap_or(0);
                let kind = Kind::Related {
                    holds: relation.holds,
                    open,
                    len: self.game.domain(relation.params[open]).len(),
                };
                self.some(kind, args.iter().flatten())
            }
            ExprKind::Binary(op, a, b) => self.some(binary(*op, &a.ty, &b.ty), [&**a, b]),
            ExprKind::If(a, b, c) => self.some(Kind::If, [&**a, b, c]),
            ExprKind::OrElse(a, b) => self.some(Kind::OrElse, [&**a, b]),
            ExprKind::Item(a, b) => self.some(Kind::Item, [&**a, b]),
            _ => self.more(expr),
        };
        node.class = Class::of(&expr.ty);
        node.ty = expr.ty.clone();
        node.span = expr.span;
        node
    }

    fn more(self, expr: &Expr) -> Node {
        match &expr.kind {
            ExprKind::PlaceOf(p, a) => self.one(Kind::PlaceOf(p.index()), a),
            ExprKind::Content(p, a) => self.one(Kind::Content(p.index()), a),
            ExprKind::Contents(p, a) => self.one(Kind::Contents(p.index()), a),
            ExprKind::Places(p, a) => self.one(Kind::Places(p.index()), a),
            ExprKind::Unary(op, a) => self.one(self.unary(*op, &a.ty), a),
            ExprKind::Some(a) | ExprKind::ToInt(a) => self.one(Kind::Same, a),
            ExprKind::IsSome(a) => self.one(Kind::IsSome, a),
            ExprKind::Get(a) => self.one(Kind::Get, a),
            ExprKind::Ordinal(a) => match a.ty {
                Type::Elem(domain) => {
                    self.one(Kind::Ordinal(self.game.domain(domain).ordinal(0)), a)
                }
                _ => leaf(Kind::Wrong),
            },
            ExprKind::Member(domain, a) => {
                let domain = self.game.domain(*domain);
                self.one(Kind::Member(domain.ordinal(0), domain.len()), a)
            }
            ExprKind::ToWrap(a) => self.one(Kind::ToWrap, a),
            ExprKind::Tag(a) => self.tagging(Tag::of(&a.ty).map(Kind::Tag), a),
            ExprKind::Untag(a) => self.tagging(Tag::of(&expr.ty).map(Kind::Untag), a),
            ExprKind::HasTag(ty, a) => self.one(Kind::HasTag(Tag::of(ty)), a),
            ExprKind::Size(a) => match a.ty {
                Type::Set(_) => self.one(Kind::SetSize, a),
                _ => self.one(Kind::SeqSize, a),
            },
            ExprKind::Fold {
                fold,
                local,
                over,
                body,
            } => self.bound(local.index(), over, body, |bound| Kind::Fold(*fold, bound)),
            ExprKind::Collect { local, over, when } => {
                self.bound(local.index(), over, when, Kind::Collect)
            }
            ExprKind::First { local, over, when } => {
                self.bound(local.index(), over, when, Kind::First)
            }
            ExprKind::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let (local, step, give) = (local.index(), step.index(), *give);
                self.some(Kind::Walk { local, step, give }, [&**start, pass])
            }
            ExprKind::Closure {
                from,
                edges,
                local,
                pass,
            } => {
                let (local, edges) = (local.index(), edges.index());
                self.some(Kind::Closure { local, edges }, [&**from, pass])
            }
            _ => leaf(Kind::Wrong),
        }
    }

    fn one(self, kind: Kind, a: &Expr) -> Node {
        self.some(kind, [a])
    }

    fn list(self, kind: Kind, exprs: &[Expr]) -> Node {
        self.some(kind, exprs)
    }

    fn some<'e>(self, kind: Kind, exprs: impl IntoIterator<Item = &'e Expr>) -> Node {
        let args = exprs.into_iter().map(|expr| self.node(expr));
        with(kind, args.collect())
    }

    fn tagging(self, kind: Option<Kind>, a: &Expr) -> Node {
        self.one(kind.unwrap_or(Kind::Wrong), a)
    }

    fn bound(self, local: usize, over: &Over, body: &Expr, kind: impl Fn(Bound) -> Kind) -> Node {
        let (over, mut args) = self.over(over);
        args.push(self.node(body));
        with(kind(Bound { local, over }), args)
    }

    fn unary(self, op: UnaryOp, ty: &Type) -> Kind {
        match (op, ty) {
            (UnaryOp::Not, _) => Kind::Not,
            (UnaryOp::Neg, _) => Kind::Neg,
            (UnaryOp::Abs, _) => Kind::Abs,
            (UnaryOp::Complement, Type::Set(domain)) => {
                Kind::Complement(self.game.domain(*domain).len())
            }
            (UnaryOp::Complement, _) => Kind::Wrong,
        }
    }
}

fn leaf(kind: Kind) -> Node {
    with(kind, Vec::new())
}

fn with(kind: Kind, args: Vec<Node>) -> Node {
    Node {
        kind,
        class: Class::Whole,
        ty: Type::Bool,
        args: args.into_boxed_slice(),
        span: Span::default(),
    }
}

fn binary(op: BinaryOp, a: &Type, b: &Type) -> Kind {
    use BinaryOp as B;
    match op {
        B::And => Kind::And,
        B::Or => Kind::Or,
        B::Eq | B::Ne => match Class::of(a) {
            Class::Whole => Kind::EqualWhole(op == B::Eq),
            _ => Kind::Equal(op == B::Eq),
        },
        B::Lt | B::Le | B::Gt | B::Ge => Kind::Compare(op),
        B::Add | B::Sub | B::Mul | B::Div | B::Rem | B::RemEuclid | B::Min | B::Max => {
            Kind::Arithmetic(op)
        }
        B::Union | B::Intersect | B::Minus | B::UpTo | B::DownTo => Kind::Sets(op),
        B::Subset => Kind::Subset,
        B::In => match b {
            Type::Set(_) => Kind::InSet,
            _ => Kind::InSeq,
        },
        B::Concat | B::SeqIntersect | B::SeqMinus => Kind::Seqs(op),
        B::SeqSubset => Kind::SeqSubset,
    }
}

impl Kind {
    /// The local variable that the last operand sees bound.
    pub(super) fn binds(&self) -> Option<usize> {
        match self {
            Kind::Fold(_, bound) | Kind::Collect(bound) | Kind::First(bound) => Some(bound.local),
            Kind::Walk { local, .. } | Kind::Closure { local, .. } => Some(*local),
            _ => None,
        }
    }
}

impl Node {
    /// The constant truth value, if it is one.
    pub(super) fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Number(number) if self.class == Class::Bool => Some(number != 0),
            _ => None,
        }
    }

    /// Number of local variables that it needs: the greatest that it names, and those before it.
    pub(super) fn locals(&self) -> usize {
        let named = match &self.kind {
            Kind::Local(local) => local + 1,
            kind => kind.binds().map_or(0, |local| local + 1),
        };
        let inside = self.args.iter().map(Node::locals).max();
        named.max(inside.unwrap_or(0))
    }
}
