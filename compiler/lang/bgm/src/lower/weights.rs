//! How likely an object is to be drawn next: exact numbers of the hands that are still possible.

use super::Lower;
use super::picks::MAX_DRAW;
use crate::ir::{
    Axis, BinaryOp, Block, Const, Count, Expr, ExprKind, Fold, FuncId, Over, Stmt, StmtKind, Table,
    TableId, Type,
};
use crate::source::Span;

impl Lower<'_> {
    /// In how many ways a hand can be completed if an object is the next one of it: 0 unless the object comes after
    /// those of the hand. Objects that are the same are taken in order and counted together.
    pub(super) fn weight_function(&mut self) -> FuncId {
        if let Some(func) = self.helpers.weight {
            return func;
        }
        let (span, set) = (self.model.span, Type::Set(self.object()));
        let object = Type::Elem(self.object());
        let binomial = self.binomial_table();
        let kinds = self.inventory.unnamed.iter().any(|slots| slots.len() > 1);
        let params = [
            ("object", object.clone()),
            ("pool", set.clone()),
            ("hand", set.clone()),
            ("left", Type::INT),
        ];
        let doc = "In how many ways a hand can be completed if an object is the next one of it.";
        let func = self.function(
            "ways",
            &params,
            Some(Type::INT),
            doc,
            span,
            |lower, args| {
                let [one, pool, hand, left] = [0, 1, 2, 3].map(|i: usize| args[i].clone());
                match kinds {
                    false => lower.plain_weight(binomial, [one, pool, hand, left], span),
                    true => lower.kind_weight(binomial, [one, pool, hand, left], span),
                }
            },
        );
        self.helpers.weight = Some(func);
        func
    }

    fn ways(&self, table: TableId, of: Expr, number: Expr) -> Expr {
        let span = of.span;
        let ways = Expr::lookup(&self.out.game, table, vec![of, number], span);
        super::effects::widen(ways)
    }

    pub(super) fn size_of(&self, set: Expr) -> Expr {
        let span = set.span;
        Expr::new(ExprKind::Size(Box::new(set)), Type::INT, span)
    }

    /// The members of a set for which a condition holds.
    pub(super) fn members(
        &mut self,
        set: Expr,
        span: Span,
        when: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let object = self.object();
        let local = self.local("member", Type::Elem(object));
        let when = when(self, self.get(local, span));
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Set(set)),
            when: Box::new(when),
        };
        Expr::new(kind, Type::Set(object), span)
    }

    /// All objects are different.
    fn plain_weight(&mut self, table: TableId, args: [Expr; 4], span: Span) -> Block {
        let [one, pool, hand, left] = args;
        let order = |e: Expr| e.ordinal();
        let later = self.members(hand, span, |_, other| {
            Expr::binary(BinaryOp::Ge, order(other), order(one.clone()))
        });
        let too_early = self.is_not_empty(later);
        let after = self.members(pool, span, |_, other| {
            Expr::binary(BinaryOp::Gt, order(other), order(one.clone()))
        });
        let after = self.size_of(after);
        let rest = Expr::binary(BinaryOp::Sub, left, Expr::int(1, span));
        let ways = self.ways(table, after, rest);
        vec![Stmt::give(Expr::select(
            too_early,
            Expr::int(0, span),
            ways,
        ))]
    }

    /// Objects may be the same; kinds are ordered by their first objects.
    fn kind_weight(&mut self, table: TableId, args: [Expr; 4], span: Span) -> Block {
        let [one, pool, hand, left] = args;
        let zero = || Expr::int(0, span);
        let mut out = Block::new();
        let leave = |out: &mut Block, when: Expr| {
            out.push(Stmt::branch(when, vec![Stmt::give(zero())], Block::new()));
        };
        let mine = self.members(pool.clone(), span, |lower, o| {
            lower.same(o, one.clone(), &[])
        });
        let mine = self.keep("mine", mine, &mut out);
        let taken = Expr::binary(BinaryOp::Intersect, mine.clone(), hand.clone());
        let taken = self.keep("taken", taken, &mut out);
        // Of a kind the first one that is left stands for all.
        let free = Expr::binary(BinaryOp::Minus, mine.clone(), taken.clone());
        let before = self.members(free, span, |_, o| {
            Expr::binary(BinaryOp::Lt, o.ordinal(), one.clone().ordinal())
        });
        let held = Expr::binary(BinaryOp::In, one.clone(), hand.clone());
        let not_first = self.is_not_empty(before);
        leave(&mut out, held.or(not_first));
        let rank = self.least(mine.clone(), span);
        let rank = self.keep("rank", rank, &mut out);
        let local = self.local("held", Type::Elem(self.ids.object));
        let held_rank = self.rank(self.get(local, span), pool.clone(), span);
        let over = Over::Set(hand.clone());
        let later = Expr::binary(BinaryOp::Gt, held_rank, rank.clone());
        leave(&mut out, Expr::fold(Fold::Exists, local, over, later));
        let after = self.members(pool.clone(), span, |lower, o| {
            let other = lower.rank(o, pool.clone(), span);
            Expr::binary(BinaryOp::Gt, other, rank.clone())
        });
        let after = self.size_of(after);
        let after = self.keep("after", after, &mut out);
        let kind = self.size_of(mine);
        let kind = self.keep("kind", kind, &mut out);
        let already = self.size_of(taken);
        let already = self.keep("already", already, &mut out);
        let all = Expr::binary(BinaryOp::Add, left, already.clone());
        let all = self.keep("all", all, &mut out);
        let most = Expr::binary(BinaryOp::Min, all.clone(), kind.clone());
        let from = Expr::binary(BinaryOp::Add, already, Expr::int(1, span));
        let sum = self.local("sum", Type::INT);
        let range = Type::Int {
            lo: 0,
            hi: MAX_DRAW as i64,
        };
        let number = self.local("number", range.clone());
        out.push(Stmt::assign(sum, zero()));
        let [low, high] = [("least", from), ("most", most)].map(|(name, value)| {
            let local = self.local(name, range.clone());
            out.push(Stmt::assign(local, value));
            self.get(local, span)
        });
        let value = super::effects::widen(self.get(number, span));
        let here = self.ways(table, kind, value.clone());
        let rest = Expr::binary(BinaryOp::Sub, all, value);
        let others = self.ways(table, after, rest);
        let product = Expr::binary(BinaryOp::Mul, here, others);
        let total = Expr::binary(BinaryOp::Add, self.get(sum, span), product);
        out.push(Stmt::new(
            StmtKind::For {
                local: number,
                from: low,
                to: high,
                count: Count::Up,
                body: vec![Stmt::assign(sum, total)],
                charged: false,
            },
            span,
        ));
        // Going on to another kind closes the last one: the ways to have taken its objects count, too.
        let closed = self.closed(table, (hand, pool), &rank, span, &mut out);
        let total = Expr::binary(BinaryOp::Mul, self.get(sum, span), closed);
        out.push(Stmt::give(total));
        out
    }

    /// In how many ways the objects of the last kind of a hand can have been taken, if that is another kind than this.
    fn closed(
        &mut self,
        table: TableId,
        (hand, pool): (Expr, Expr),
        rank: &Expr,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let local = self.local("held", Type::Elem(self.ids.object));
        let held_rank = self.rank(self.get(local, span), pool.clone(), span);
        let last = self.local("last", Type::INT);
        out.push(Stmt::assign(last, Expr::int(-1, span)));
        let some = self.is_not_empty(hand.clone());
        let greatest = Expr::fold(Fold::Max, local, Over::Set(hand.clone()), held_rank);
        let find = vec![Stmt::assign(last, greatest)];
        out.push(Stmt::branch(some.clone(), find, Block::new()));
        let last = self.get(last, span);
        let of_last = |lower: &mut Self, set: Expr| {
            let members = lower.members(set, span, |lower, o| {
                lower.rank(o, pool.clone(), span).equals(last.clone())
            });
            lower.size_of(members)
        };
        let kind = of_last(self, pool.clone());
        let taken = of_last(self, hand);
        let ways = self.ways(table, kind, taken);
        let other = some.and(last.equals(rank.clone()).not());
        Expr::select(other, ways, Expr::int(1, span))
    }

    /// The number of the first object of a set.
    pub(super) fn least(&mut self, set: Expr, span: Span) -> Expr {
        let local = self.local("member", Type::Elem(self.ids.object));
        let number = self.get(local, span).ordinal();
        Expr::fold(Fold::Min, local, Over::Set(set), number)
    }

    /// The number of the first object of a pool that is the same as an object.
    fn rank(&mut self, object: Expr, pool: Expr, span: Span) -> Expr {
        let mine = self.members(pool, span, |lower, o| lower.same(o, object, &[]));
        self.least(mine, span)
    }

    /// Numbers of subsets.
    fn binomial_table(&mut self) -> TableId {
        if let Some(table) = self.helpers.binomial {
            return table;
        }
        let types = 0..self.model.types.len();
        let most = types.map(|ty| self.inventory.of_type[ty].len()).max();
        let most = most.unwrap_or(0).min(MAX_DRAW) as u64;
        let ways = |n: u64, k: u64| {
            let ways = crate::ir::count::binomial(n, k).unwrap_or(u64::MAX);
            Const::Int(i64::try_from(ways).unwrap_or(i64::MAX))
        };
        let values = (0..=most).flat_map(|n| (0..=most).map(move |k| (n, k)));
        let values = values.map(|(n, k)| ways(n, k)).collect();
        let axis = Axis::Range {
            lo: 0,
            hi: most as i64,
        };
        let table = self.out.table(Table {
            name: "subsets".to_owned(),
            axes: vec![axis, axis],
            ty: Type::Int {
                lo: 0,
                hi: i64::MAX,
            },
            values,
            outside: Some(Const::Int(0)),
            span: self.model.span,
        });
        self.helpers.binomial = Some(table);
        table
    }
}
