//! Comparisons: what is equal, and what is among others.

use super::super::Lower;
use super::super::infer::Abs;
use super::super::names::Dom;
use super::super::value::{Mixed, Repr, Text, Val};
use crate::ast::{BinaryOp, Expr as Ast};
use crate::ir::{BinaryOp as Ir, Block, Expr, Stmt, Type};
use crate::source::Span;

impl<'a> Lower<'a> {
    pub(super) fn equal(
        &mut self,
        left: &'a Ast,
        right: &'a Ast,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let (a, b) = (self.types.of(left), self.types.of(right));
        let (left, right) = self.pair(left, right, out);
        self.same((left, &a), (right, &b), span, out)
    }

    /// Whether two values are equal; those of different types never are.
    pub(in super::super) fn same(
        &mut self,
        (left, a): (Val<'a>, &Abs),
        (right, b): (Val<'a>, &Abs),
        span: Span,
        out: &mut Block,
    ) -> Expr {
        match (left, right) {
            (Val::Int(x), Val::Int(y)) => self.same_int(x, y, span),
            (Val::Bool(x), Val::Bool(y)) => x.equals(y).at(span),
            (Val::List(x), Val::List(y)) => x.equals(y).at(span),
            (Val::Text(x), Val::Text(y)) => self.same_text(x, y, span, out),
            (left @ (Val::Set(..) | Val::Items(_)), right @ (Val::Set(..) | Val::Items(_))) => {
                let (x, y, _) = self.same_items((left, a), (right, b), span, out);
                x.equals(y).at(span)
            }
            (Val::Mixed(x), Val::Mixed(y)) => {
                let (x, y) = (self.keep_mixed(x, out), self.keep_mixed(y, out));
                let both = (Val::Set(x.set, x.item), Val::Set(y.set, y.item));
                let sets = self.same((both.0, a), (both.1, b), span, out);
                let no_set = self.is_set(x.scalar.clone(), span).not();
                let scalars = (Val::Tagged(x.scalar), Val::Tagged(y.scalar));
                let scalars = self.same((scalars.0, a), (scalars.1, b), span, out);
                scalars.and(no_set.or(sets)).at(span)
            }
            (Val::Mixed(x), y @ (Val::Set(..) | Val::Items(_))) => {
                let x = self.keep_mixed(x, out);
                let sets = self.same((Val::Set(x.set, x.item), a), (y, b), span, out);
                self.is_set(x.scalar, span).and(sets).at(span)
            }
            (x @ (Val::Set(..) | Val::Items(_)), Val::Mixed(y)) => {
                let y = self.keep_mixed(y, out);
                let sets = self.same((x, a), (Val::Set(y.set, y.item), b), span, out);
                self.is_set(y.scalar, span).and(sets).at(span)
            }
            (Val::Mixed(x), y) => self.same((Val::Tagged(x.scalar), a), (y, b), span, out),
            (x, Val::Mixed(y)) => self.same((x, a), (Val::Tagged(y.scalar), b), span, out),
            (Val::Tagged(x), Val::Tagged(y)) => {
                let (x, y) = (self.share(x, out), self.share(y, out));
                self.require_known(&x, &y, a, b, span, out);
                x.equals(y).at(span)
            }
            (Val::Tagged(x), Val::Text(y)) | (Val::Text(y), Val::Tagged(x)) => {
                let x = self.keep(x, out);
                let is_text = self.has_tag(Type::Opt(Dom::Name.id()), x.clone(), span);
                let mut block = Block::new();
                let x = self.untag_text(x, span);
                let same = self.same_text(x, y, span, &mut block);
                let result = self.local("result", Type::Bool);
                block.push(Stmt::assign(result, same));
                let differs = vec![Stmt::assign(result, Expr::bool(false, span))];
                out.push(Stmt::branch(is_text, block, differs));
                self.get(result, span)
            }
            (Val::Tagged(x), y @ (Val::Bool(_) | Val::Int(_))) => {
                let y = self.convert(y, &Repr::Tagged, span, out);
                x.equals(y).at(span)
            }
            (x @ (Val::Bool(_) | Val::Int(_)), Val::Tagged(y)) => {
                let x = self.convert(x, &Repr::Tagged, span, out);
                x.equals(y).at(span)
            }
            (left, right) => {
                self.discard(left, out);
                self.discard(right, out);
                Expr::bool(false, span)
            }
        }
    }

    fn keep_mixed(&mut self, mixed: Mixed, out: &mut Block) -> Mixed {
        let (scalar, set) = (self.keep(mixed.scalar, out), self.keep(mixed.set, out));
        Mixed {
            scalar,
            set,
            item: mixed.item,
        }
    }

    /// Whether two integers are equal; a comparison with the player on move is one of players.
    fn same_int(&mut self, x: Expr, y: Expr, span: Span) -> Expr {
        let (x, y) = if x.as_const().is_some() {
            (y, x)
        } else {
            (x, y)
        };
        if let Some(crate::ir::Const::Int(value)) = y.as_const()
            && (1..=self.game.players.len() as i64).contains(value)
            && x.kind == self.player_number(x.span).kind
        {
            let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), x.span);
            let player = Expr::elem(self.out.game.players, (*value - 1) as u32, y.span);
            return turn.equals(player).at(span);
        }
        x.equals(y).at(span)
    }

    /// A fault if two tagged values are both texts that nothing tells apart.
    fn require_known(&mut self, x: &Expr, y: &Expr, a: &Abs, b: &Abs, span: Span, out: &mut Block) {
        let open = |abs: &Abs| abs.text.as_ref().is_some_and(|texts| texts.open);
        if !(open(a) && open(b)) {
            return;
        }
        let name = Type::Opt(Dom::Name.id());
        let known = |expr: &Expr| {
            let is_text = self.has_tag(name.clone(), expr.clone(), span);
            let text = self.untag(expr.clone(), name.clone(), span);
            is_text.not().or(text.is_some())
        };
        let condition = known(x).or(known(y));
        self.require(condition, super::super::value::UNKNOWN, span, out);
    }

    /// Two sets with their items in one representation.
    fn same_items(
        &mut self,
        (left, a): (Val<'a>, &Abs),
        (right, b): (Val<'a>, &Abs),
        span: Span,
        out: &mut Block,
    ) -> (Expr, Expr, Repr) {
        let mut item = Abs::default();
        for set in [a, b].into_iter().filter_map(|abs| abs.set.as_deref()) {
            item.join(set);
        }
        let item = self.item_repr(&item, span);
        let repr = Repr::Set(Box::new(item.clone()));
        let mut first = self.convert(left, &repr, span, out);
        let mut block = Block::new();
        let second = self.convert(right, &repr, span, &mut block);
        if !block.is_empty() {
            first = self.keep(first, out);
            out.append(&mut block);
        }
        (first, second, item)
    }

    pub(super) fn is_in(
        &mut self,
        left: &'a Ast,
        right: &'a Ast,
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        let (a, b) = (self.types.of(left), self.types.of(right));
        let (item, set) = self.pair(left, right, out);
        let item = match item {
            Val::Mixed(mixed) => Val::Tagged(mixed.scalar),
            item => item,
        };
        let set = match set {
            Val::Mixed(mixed) => {
                let repr = mixed.item.clone();
                let set = Repr::Set(Box::new(repr.clone()));
                Val::Set(self.convert(Val::Mixed(mixed), &set, span, out), repr)
            }
            set => set,
        };
        Val::Bool(match set {
            Val::Items(items) => self.is_one_of((item, &a), items, &b, span, out),
            Val::Set(set, repr) => self.is_member(item, set, &repr, span, out),
            set => {
                self.discard(item, out);
                let set = self.convert(set, &Repr::Set(Box::new(Repr::Int)), span, out);
                self.discard_expr(set, out);
                Expr::bool(false, span)
            }
        })
    }

    /// Whether a value is in a sequence; what the sequence cannot hold is not.
    fn is_member(
        &mut self,
        item: Val<'a>,
        set: Expr,
        repr: &Repr,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let within = |item: Expr, set: Expr| Expr::binary(Ir::In, item, set).at(span);
        match (item, repr) {
            (Val::Bool(item), Repr::Bool)
            | (Val::Int(item), Repr::Int)
            | (Val::List(item), Repr::List)
            | (Val::Tagged(item), Repr::Tagged) => within(item, set),
            (Val::Text(text), Repr::Text(dom, none)) => {
                let empty = match none {
                    Some(_) => self.same_text(text.clone(), Text::Const(String::new()), span, out),
                    None => Expr::bool(false, span),
                };
                let member = self.member(&text, *dom, span);
                match (&member.ty, none) {
                    (Type::Opt(_), Some(_)) => {
                        let member = self.share(member, out);
                        member.clone().is_some().or(empty).and(within(member, set))
                    }
                    (Type::Opt(_), None) => {
                        let member = self.share(member, out);
                        member.clone().is_some().and(within(member.get(), set))
                    }
                    (_, Some(_)) => within(member.some(), set),
                    (_, None) => within(member, set),
                }
            }
            (Val::Tagged(item), Repr::Bool | Repr::Int) => {
                let item = self.share(item, out);
                let ty = self.ty(repr);
                let fits = self.has_tag(ty.clone(), item.clone(), span);
                fits.and(within(self.untag(item, ty, span), set))
            }
            (item @ (Val::Bool(_) | Val::Int(_) | Val::Text(_)), Repr::Tagged)
            | (item @ Val::Text(_), Repr::List)
            | (item @ Val::Tagged(_), Repr::Text(..)) => {
                let item = self.convert(item, repr, span, out);
                within(item, set)
            }
            (item, _) => {
                self.discard(item, out);
                self.discard_expr(set, out);
                Expr::bool(false, span)
            }
        }
    }

    /// Whether a value is one of those that a set is written with.
    fn is_one_of(
        &mut self,
        (item, a): (Val<'a>, &Abs),
        items: Vec<Val<'a>>,
        b: &Abs,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let item = self.keep_val(item, out);
        let other = b.set.as_deref().cloned().unwrap_or_default();
        let mut any = Expr::bool(false, span);
        for (at, member) in items.into_iter().enumerate() {
            let same = self.same((item.clone(), a), (member, &other), span, out);
            any = if at == 0 { same } else { any.or(same).at(span) };
        }
        any
    }

    pub(super) fn sets(
        &mut self,
        op: BinaryOp,
        left: &'a Ast,
        right: &'a Ast,
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        let (a, b) = (self.types.of(left), self.types.of(right));
        let (left, right) = self.pair(left, right, out);
        let (left, right, item) = self.same_items((left, &a), (right, &b), span, out);
        let ir = match op {
            BinaryOp::Subset => Ir::SeqSubset,
            BinaryOp::Intersect => Ir::SeqIntersect,
            _ => Ir::SeqMinus,
        };
        if op != BinaryOp::Union {
            let expr = Expr::binary(ir, left, right).at(span);
            return match op {
                BinaryOp::Subset => Val::Bool(expr),
                _ => Val::Set(expr, item),
            };
        }
        let left = self.keep(left, out);
        let right = self.share(right, out);
        let rest = Expr::binary(Ir::SeqMinus, left, right.clone()).at(span);
        Val::Set(Expr::binary(Ir::Concat, right, rest).at(span), item)
    }
}
