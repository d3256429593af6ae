//! Which objects are lost: decisions and draws in the middle of an effect.

use super::super::codes;
use super::super::model::{Players, Ref, What};
use super::effects::Mode;
use super::{Env, Lower};
use crate::diag::Diagnostic;
use crate::ir::{
    Arm, Axis, BinaryOp, Block, Chance, Choose, Const, Count, Distribution, Draw, DrawId, Expr,
    ExprKind, Family, FamilyId, Fold, FuncId, Local, LocalId, Over, Param, ParamSource, Stmt,
    StmtKind, Table, TableId, TextPart, Type,
};
use crate::source::Span;

/// Greatest number of objects of which several are chosen.
const MAX_CHOICE: usize = 48;

/// Greatest number of objects of which some are drawn.
const MAX_DRAW: usize = 60;

/// A number of objects to pick.
struct Pick<'e> {
    /// Who chooses.
    chooser: Expr,
    /// From which objects.
    have: &'e Expr,
    /// How many; not more than there are.
    count: &'e Expr,
    /// How many at most, and of how many.
    bound: (u32, usize),
    /// What is done with them, for texts.
    verb: &'static str,
    span: Span,
}

impl Lower<'_> {
    pub(super) fn remove_some(
        &mut self,
        env: &Env<'_>,
        (what, from, count): (&What, &Ref, Option<u32>),
        mode: Mode,
        span: Span,
        out: &mut Block,
    ) {
        if let What::Type(ty) = what
            && let Some(counts) = self.ids.counts[*ty]
        {
            let (Some(inside), super::refs::Objects::One(place)) =
                (counts.inside, self.single(env, from, out))
            else {
                return;
            };
            let number = match count {
                Some(count) => Expr::int(i64::from(count), span),
                None => {
                    let number = Expr::var(&self.out.game, inside, vec![place.clone()], span);
                    self.keep("number", number, out)
                }
            };
            out.push(self.subtract(inside, vec![place], number.clone()));
            out.push(self.add(counts.loose, Vec::new(), number));
            return;
        }
        let Some(at) = self.ids.at else { return };
        let have = self.inside(env, what, from);
        let take = |_: &mut Self, object: Expr| vec![Stmt::new(StmtKind::Take(at, object), span)];
        let Some(count) = count else {
            let set = self.keep("objects", have, out);
            let local = self.local("object", Type::Elem(self.ids.object));
            let body = take(self, self.get(local, span));
            return out.push(Stmt::new(
                StmtKind::ForEach(local, Over::Set(set), body),
                span,
            ));
        };
        let types = self.facts.types_of(self.model, env.rule, what);
        let most = types.iter().map(|&ty| self.facts.of_type[ty].len()).sum();
        let number = Expr::int(i64::from(count), span);
        let pick = Pick {
            chooser: env.player.clone(),
            have: &have,
            count: &number,
            bound: (count, most),
            verb: "removes",
            span,
        };
        self.pick(env, &pick, mode, out, &take);
    }

    /// The one object of a reference that was found to hold.
    fn single(&mut self, env: &Env<'_>, reference: &Ref, out: &mut Block) -> super::refs::Objects {
        use super::refs::Objects;
        match self.objects(env, reference) {
            Objects::Perhaps(object) => Objects::One(self.keep("place", object.get(), out)),
            other => other,
        }
    }

    pub(super) fn disown_some(
        &mut self,
        env: &Env<'_>,
        (ty, of): (usize, &Players),
        (random, count): (bool, Option<u32>),
        mode: Mode,
        span: Span,
        out: &mut Block,
    ) {
        let group = self.group(env, of);
        let losers = self.group_set(group);
        let losers = self.keep("losers", losers, out);
        let mut lose = |lower: &mut Self, loser: Expr| {
            let mut body = Block::new();
            if let Some(counts) = lower.ids.counts[ty] {
                lower.disown_counted(counts, loser, count, span, &mut body);
                return body;
            }
            let Some(owner) = lower.ids.owner else {
                return body;
            };
            let nobody = Expr::none(lower.players(), span);
            let lost = move |_: &mut Self, object: Expr| {
                vec![Stmt::set_var(owner, vec![object], nobody.clone())]
            };
            let have = lower.owned_set(loser.clone(), ty, span);
            let size = Expr::new(ExprKind::Size(Box::new(have.clone())), Type::INT, span);
            let number = match count {
                Some(count) => Expr::binary(BinaryOp::Min, Expr::int(i64::from(count), span), size),
                None => size,
            };
            let number = lower.keep("number", number, &mut body);
            let most = lower.facts.of_type[ty].len();
            if count.is_some() && random && mode == Mode::Play {
                let pool = lower.keep("pool", have, &mut body);
                let hand = lower.draw_hand(env, (&pool, most), number, ("loses", span), &mut body);
                lower.for_each(hand, span, &mut body, &lost);
            } else {
                let pick = Pick {
                    chooser: loser,
                    have: &have,
                    count: &number,
                    bound: (count.unwrap_or(u32::MAX), most),
                    verb: "loses",
                    span,
                };
                lower.pick(env, &pick, mode, &mut body, &lost);
            }
            body
        };
        // Dealing order: from the seat left of the acting player on.
        if self.model.players.len() == 1 {
            let body = lose(self, Expr::elem(self.players(), 0, span));
            let some = self.is_not_nobody(losers, span);
            return out.push(Stmt::branch(some, body, Block::new()));
        }
        self.round_the_table(env, losers, span, out, &mut lose);
    }

    fn is_not_nobody(&self, set: Expr, span: Span) -> Expr {
        Expr::binary(BinaryOp::Ne, set, self.nobody(span))
    }

    /// Does something for each player of a set, in dealing order.
    fn round_the_table(
        &mut self,
        env: &Env<'_>,
        set: Expr,
        span: Span,
        out: &mut Block,
        body: &mut dyn FnMut(&mut Self, Expr) -> Block,
    ) {
        let seats = self.model.players.len() as i64;
        let turn = Type::Int { lo: 1, hi: seats };
        let round = self.local("round", turn);
        let seat = self.local("seat", Type::Elem(self.players()));
        let table = self.seat_after();
        let here = Expr::lookup(
            &self.out.game,
            table,
            vec![env.player.clone(), self.get(round, span)],
            span,
        );
        let player = self.get(seat, span);
        let inner = body(self, player.clone());
        let among = Expr::binary(BinaryOp::In, player, set);
        let steps = vec![
            Stmt::assign(seat, here),
            Stmt::branch(among, inner, Block::new()),
        ];
        let exact = |value: i64| {
            let ty = Type::Int {
                lo: value,
                hi: value,
            };
            Expr::constant(Const::Int(value), ty, span)
        };
        out.push(Stmt::new(
            StmtKind::For {
                local: round,
                from: exact(1),
                to: exact(seats),
                count: Count::Up,
                body: steps,
                charged: false,
            },
            span,
        ));
    }

    /// The table of the seat so many places left of a player.
    fn seat_after(&mut self) -> TableId {
        if let Some(table) = self.helpers.seat_after {
            return table;
        }
        let (domain, seats) = (self.players(), self.model.players.len() as u32);
        let values = (0..seats).flat_map(|from| (1..=seats).map(move |by| (from + by) % seats));
        let table = self.out.table(Table {
            name: "seat after".to_owned(),
            axes: vec![
                Axis::Domain(domain),
                Axis::Range {
                    lo: 1,
                    hi: i64::from(seats),
                },
            ],
            ty: Type::Elem(domain),
            values: values.map(Const::Elem).collect(),
            outside: None,
            span: self.model.span,
        });
        self.helpers.seat_after = Some(table);
        table
    }

    fn disown_counted(
        &mut self,
        counts: super::state::Counts,
        loser: Expr,
        count: Option<u32>,
        span: Span,
        out: &mut Block,
    ) {
        let Some(owned) = counts.owned else { return };
        let have = Expr::var(&self.out.game, owned, vec![loser.clone()], span);
        let number = match count {
            Some(count) => Expr::binary(BinaryOp::Min, Expr::int(i64::from(count), span), have),
            None => have,
        };
        let number = self.keep("number", number, out);
        out.push(self.subtract(owned, vec![loser], number.clone()));
        out.push(self.add(counts.loose, Vec::new(), number));
    }

    /// The objects of a type that a player owns.
    fn owned_set(&mut self, player: Expr, ty: usize, span: Span) -> Expr {
        let object = self.object();
        let local = self.local("object", Type::Elem(object));
        let owner = self.owner_of(self.get(local, span));
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Set(self.slot_set(&self.facts.of_type[ty], span))),
            when: Box::new(owner.equals(player.some())),
        };
        Expr::new(kind, Type::Set(object), span)
    }

    fn for_each(
        &mut self,
        set: Expr,
        span: Span,
        out: &mut Block,
        body: &dyn Fn(&mut Self, Expr) -> Block,
    ) {
        let local = self.local("object", Type::Elem(self.ids.object));
        let inner = body(self, self.get(local, span));
        out.push(Stmt::new(
            StmtKind::ForEach(local, Over::Set(set), inner),
            span,
        ));
    }

    /// Picks objects: by a decision if there is more than one way to do it.
    fn pick(
        &mut self,
        env: &Env<'_>,
        pick: &Pick<'_>,
        mode: Mode,
        out: &mut Block,
        body: &dyn Fn(&mut Self, Expr) -> Block,
    ) {
        let span = pick.span;
        let have = self.keep("have", pick.have.clone(), out);
        let size = Expr::new(ExprKind::Size(Box::new(have.clone())), Type::INT, span);
        let mut take = Block::new();
        let left = self.local("left", Type::INT);
        take.push(Stmt::assign(left, pick.count.clone()));
        let object = self.local("object", Type::Elem(self.ids.object));
        let one_less = Expr::binary(BinaryOp::Sub, self.get(left, span), Expr::int(1, span));
        let none_left = self.get(left, span).equals(Expr::int(0, span));
        let stop = vec![Stmt::new(StmtKind::Break, span)];
        let mut each = vec![
            Stmt::branch(none_left, stop, Block::new()),
            Stmt::assign(left, one_less),
        ];
        each.extend(body(self, self.get(object, span)));
        let each = StmtKind::ForEach(object, Over::Set(have.clone()), each);
        take.push(Stmt::new(each, span));
        if mode == Mode::Probe || pick.bound.0 == u32::MAX {
            return out.append(&mut take);
        }
        if pick.bound.0 > 1 && pick.bound.1 > MAX_CHOICE {
            let message = format!(
                "several of {} objects are chosen here; at most {MAX_CHOICE} are possible",
                pick.bound.1
            );
            self.errors
                .push(Diagnostic::new(&codes::TOO_LARGE, span, message));
            return;
        }
        let none = Expr::int(0, span);
        let some = Expr::binary(BinaryOp::Gt, pick.count.clone(), none);
        let not_all = Expr::binary(BinaryOp::Lt, pick.count.clone(), size);
        let differ = self.differ(have, span);
        let is_choice = some.and(not_all).and(differ);
        let (family, params) = match pick.bound.0 {
            1 => self.family_of_one(env, pick),
            count => self.family_of_some(env, pick, count),
        };
        let chooser = self.local("chooser", params[0].clone());
        let chosen = self.local("chosen", params[1].clone());
        let value = self.get(chosen, span);
        let mut effect = Block::new();
        match params[1] {
            Type::Set(_) => self.for_each(value, span, &mut effect, body),
            _ => effect.extend(body(self, value)),
        }
        let choose = StmtKind::Choose(Choose {
            players: pick.chooser.clone(),
            arms: vec![Arm {
                family,
                given: vec![pick.chooser.clone(), pick.have.clone()],
                bind: vec![chooser, chosen],
                body: effect,
            }],
            otherwise: None,
        });
        out.push(Stmt::branch(is_choice, vec![Stmt::new(choose, span)], take));
    }

    fn family(
        &mut self,
        env: &Env<'_>,
        pick: &Pick<'_>,
        param: Param,
        guard: Option<FuncId>,
    ) -> FamilyId {
        let player = Type::Elem(self.players());
        let number = self.out.game.families.len() + 1;
        let chooser = Expr::local(LocalId(0), player.clone(), pick.span);
        let (name, span) = (
            format!("{} {} {number}", env.rule.name, pick.verb),
            pick.span,
        );
        let context = vec![
            Local {
                name: "chooser".to_owned(),
                ty: player.clone(),
            },
            Local {
                name: "have".to_owned(),
                ty: Type::Set(self.object()),
            },
        ];
        let text = vec![
            TextPart::Param(0),
            TextPart::Text(format!(" {} ", pick.verb)),
            TextPart::Param(1),
        ];
        self.out.family(Family {
            name,
            context,
            params: vec![
                Param {
                    name: "player".to_owned(),
                    ty: player,
                    source: ParamSource::Is(chooser),
                },
                param,
            ],
            guard,
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text,
            span,
        })
    }

    /// The choice of one object.
    fn family_of_one(&mut self, env: &Env<'_>, pick: &Pick<'_>) -> (FamilyId, [Type; 2]) {
        let (object, player) = (Type::Elem(self.object()), Type::Elem(self.players()));
        let set = Type::Set(self.object());
        let span = pick.span;
        let params = [
            ("chooser", player.clone()),
            ("have", set.clone()),
            ("player", player.clone()),
        ];
        let name = format!("{} candidates", env.rule.name);
        let doc = "The objects that may be chosen, one of each kind.";
        let candidates = self.function(
            &name,
            &params,
            Some(set.clone()),
            doc,
            span,
            |lower, args| {
                let local = lower.local("object", Type::Elem(lower.ids.object));
                let one = lower.get(local, span);
                let first = lower.comes_first(one, args[1].clone(), &[]);
                let kind = ExprKind::Collect {
                    local,
                    over: Box::new(Over::Set(args[1].clone())),
                    when: Box::new(first),
                };
                vec![Stmt::give(Expr::new(kind, set, span))]
            },
        );
        let param = Param {
            name: "object".to_owned(),
            ty: object.clone(),
            source: ParamSource::Generated(candidates),
        };
        (self.family(env, pick, param, None), [player, object])
    }

    /// The choice of several objects.
    fn family_of_some(
        &mut self,
        env: &Env<'_>,
        pick: &Pick<'_>,
        count: u32,
    ) -> (FamilyId, [Type; 2]) {
        let (set, player) = (Type::Set(self.object()), Type::Elem(self.players()));
        let span = pick.span;
        let params = [
            ("chooser", player.clone()),
            ("have", set.clone()),
            ("player", player.clone()),
            ("objects", set.clone()),
        ];
        let name = format!("{} guard", env.rule.name);
        let doc = "Whether of objects that are the same the first ones are chosen.";
        let guard = self.function(
            &name,
            &params,
            Some(Type::Bool),
            doc,
            span,
            |lower, args| {
                let (have, chosen) = (args[1].clone(), args[3].clone());
                let left = Expr::binary(BinaryOp::Minus, have, chosen.clone());
                let local = lower.local("object", Type::Elem(lower.ids.object));
                let one = lower.get(local, span);
                let first = lower.comes_first(one, left, &[]);
                let all = Expr::fold(Fold::Forall, local, Over::Set(chosen), first);
                vec![Stmt::give(all)]
            },
        );
        let of = Expr::local(LocalId(1), set.clone(), span);
        let size = Expr::int(i64::from(count), span);
        let param = Param {
            name: "objects".to_owned(),
            ty: set.clone(),
            source: ParamSource::Subset { of, size },
        };
        (self.family(env, pick, param, Some(guard)), [player, set])
    }

    /// Deals objects of a container to players.
    pub(super) fn distribute(
        &mut self,
        env: &Env<'_>,
        (from, to): (&Ref, &Players),
        ty: usize,
        count: u32,
        span: Span,
        out: &mut Block,
    ) {
        let group = self.group(env, to);
        let set = self.group_set(group);
        let receivers = self.keep("receivers", set, out);
        let size = Expr::new(ExprKind::Size(Box::new(receivers.clone())), Type::INT, span);
        let many = self.keep("many", size, out);
        let total = Expr::int(i64::from(count), span);
        let share = Expr::binary(BinaryOp::Div, total.clone(), many.clone());
        let share = self.keep("share", share, out);
        let extra = self.local("extra", Type::INT);
        out.push(Stmt::assign(
            extra,
            Expr::binary(BinaryOp::Rem, total, many),
        ));
        let extra_value = self.get(extra, span);
        let zero = Expr::int(0, span);
        let one = Expr::int(1, span);
        let has_extra = Expr::binary(BinaryOp::Gt, extra_value.clone(), zero.clone());
        let number = Expr::binary(
            BinaryOp::Add,
            share,
            Expr::select(has_extra.clone(), one.clone(), zero.clone()),
        );
        let less = Stmt::assign(extra, Expr::binary(BinaryOp::Sub, extra_value, one));
        let less = Stmt::branch(has_extra, vec![less], Block::new());
        if let Some(counts) = self.ids.counts[ty] {
            let super::refs::Objects::One(place) = self.single(env, from, out) else {
                return;
            };
            let (Some(inside), Some(owned)) = (counts.inside, counts.owned) else {
                return;
            };
            out.push(self.subtract(inside, vec![place], Expr::int(i64::from(count), span)));
            let mut deal = |lower: &mut Self, player: Expr| {
                vec![lower.add(owned, vec![player], number.clone()), less.clone()]
            };
            return self.round_the_table(env, receivers, span, out, &mut deal);
        }
        let (Some(at), Some(owner)) = (self.ids.at, self.ids.owner) else {
            return;
        };
        let have = self.inside(env, &What::Type(ty), from);
        let pool = self.local("pool", Type::Set(self.object()));
        out.push(Stmt::assign(pool, have));
        let pool_value = self.get(pool, span);
        let most = self.facts.of_type[ty].len();
        let mut deal = |lower: &mut Self, player: Expr| {
            let mut body = Block::new();
            let number = lower.keep("number", number.clone(), &mut body);
            let of = (&pool_value, most);
            let hand = lower.draw_hand(env, of, number, ("is dealt", span), &mut body);
            let rest = Expr::binary(BinaryOp::Minus, pool_value.clone(), hand.clone());
            body.push(Stmt::assign(pool, rest));
            let give = |_: &mut Self, object: Expr| {
                vec![
                    Stmt::new(StmtKind::Take(at, object.clone()), span),
                    Stmt::set_var(owner, vec![object], player.clone().some()),
                ]
            };
            lower.for_each(hand, span, &mut body, &give);
            body.push(less.clone());
            body
        };
        self.round_the_table(env, receivers, span, out, &mut deal);
    }

    /// Draws a number of objects of a pool, one after the other in ascending order: every set of them is drawn in one
    /// way only. The weights count the sets that are still possible, so that all sets are equally likely.
    fn draw_hand(
        &mut self,
        env: &Env<'_>,
        (pool, most): (&Expr, usize),
        number: Expr,
        (verb, span): (&str, Span),
        out: &mut Block,
    ) -> Expr {
        let set = Type::Set(self.object());
        if most > MAX_DRAW {
            let message =
                format!("some of {most} objects are drawn here; at most {MAX_DRAW} are possible");
            self.errors
                .push(Diagnostic::new(&codes::TOO_LARGE, span, message));
        }
        let weight = self.weight_function();
        let hand = self.local("hand", set);
        let left = self.local("left", Type::INT);
        let (hand_value, left_value) = (self.get(hand, span), self.get(left, span));
        out.push(Stmt::assign(hand, self.no_objects(span)));
        out.push(Stmt::assign(left, number));
        let weigh = |lower: &mut Self, local: LocalId| {
            let object = lower.get(local, span);
            let args = vec![object, pool.clone(), hand_value.clone(), left_value.clone()];
            Expr::call(&lower.out.game, weight, args, span)
        };
        let object = Type::Elem(self.object());
        let possible = self.local("object", object.clone());
        let positive = weigh(self, possible);
        let positive = Expr::binary(BinaryOp::Gt, positive, Expr::int(0, span));
        let candidates = ExprKind::Collect {
            local: possible,
            over: Box::new(Over::Set(pool.clone())),
            when: Box::new(positive),
        };
        let mut body = Block::new();
        let candidates = Expr::new(candidates, Type::Set(self.object()), span);
        let candidates = self.keep("candidates", candidates, &mut body);
        let drawn = self.local("drawn", object.clone());
        let size = Expr::new(
            ExprKind::Size(Box::new(candidates.clone())),
            Type::INT,
            span,
        );
        let several = Expr::binary(BinaryOp::Gt, size, Expr::int(1, span));
        let local = self.local("object", object.clone());
        let chance = StmtKind::Chance(Chance {
            draw: self.draw(env, verb, span),
            dist: Distribution::Weighted {
                local,
                over: Over::Set(pool.clone()),
                weight: weigh(self, local),
            },
            into: drawn,
        });
        let first = self.local("first", object);
        let only = ExprKind::First {
            local: first,
            over: Box::new(Over::Set(candidates)),
            when: Box::new(Expr::bool(true, span)),
        };
        let only = Expr::new(only, Type::Opt(self.object()), span).get();
        body.push(Stmt::branch(
            several,
            vec![Stmt::new(chance, span)],
            vec![Stmt::assign(drawn, only)],
        ));
        let one = ExprKind::SetOf(vec![self.get(drawn, span)]);
        let one = Expr::new(one, Type::Set(self.object()), span);
        body.push(Stmt::assign(
            hand,
            Expr::binary(BinaryOp::Union, hand_value.clone(), one),
        ));
        let less = Expr::binary(BinaryOp::Sub, left_value.clone(), Expr::int(1, span));
        body.push(Stmt::assign(left, less));
        let more = Expr::binary(BinaryOp::Gt, left_value, Expr::int(0, span));
        out.push(Stmt::new(
            StmtKind::While {
                cond: more,
                bound: most as u32 + 1,
                body,
            },
            span,
        ));
        hand_value
    }

    fn draw(&mut self, env: &Env<'_>, verb: &str, span: Span) -> DrawId {
        let number = self.out.game.draws.len() + 1;
        self.out.game.draws.push(Draw {
            name: format!("{} draw {number}", env.rule.name),
            ty: Type::Elem(self.object()),
            text: vec![TextPart::Text(format!("{verb} ")), TextPart::Param(0)],
            span,
        });
        DrawId::from(self.out.game.draws.len() - 1)
    }

    /// In how many ways a hand can be completed if an object is the next one of it: 0 unless the object comes after
    /// those of the hand. Objects that are the same are taken in order and counted together.
    fn weight_function(&mut self) -> FuncId {
        if let Some(func) = self.helpers.weight {
            return func;
        }
        let (span, set) = (self.model.span, Type::Set(self.object()));
        let object = Type::Elem(self.object());
        let binomial = self.binomial_table();
        let kinds = self.facts.unnamed.iter().any(|slots| slots.len() > 1);
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

    fn size_of(&self, set: Expr) -> Expr {
        let span = set.span;
        Expr::new(ExprKind::Size(Box::new(set)), Type::INT, span)
    }

    /// The members of a set for which a condition holds.
    fn members(
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
        let mine = self.members(pool.clone(), span, |lower, o| lower.same(o, one.clone()));
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
    fn least(&mut self, set: Expr, span: Span) -> Expr {
        let local = self.local("member", Type::Elem(self.ids.object));
        let number = self.get(local, span).ordinal();
        Expr::fold(Fold::Min, local, Over::Set(set), number)
    }

    /// The number of the first object of a pool that is the same as an object.
    fn rank(&mut self, object: Expr, pool: Expr, span: Span) -> Expr {
        let mine = self.members(pool, span, |lower, o| lower.same(o, object));
        self.least(mine, span)
    }

    /// Numbers of subsets.
    fn binomial_table(&mut self) -> TableId {
        if let Some(table) = self.helpers.binomial {
            return table;
        }
        let types = 0..self.model.types.len();
        let most = types.map(|ty| self.facts.of_type[ty].len()).max();
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
