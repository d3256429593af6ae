//! Which objects are lost: decisions and draws in the middle of an effect.

use super::super::codes;
use super::super::model::{Goal, Players, Ref, What};
use super::effects::Mode;
use super::{Env, Lower};
use crate::diag::Diagnostic;
use crate::ir::{
    Arm, Axis, BinaryOp, Block, Chance, Choose, Const, Count, Distribution, Draw, DrawId, Expr,
    ExprKind, Family, FamilyId, Fold, FuncId, Local, LocalId, Over, Param, ParamSource, Stmt,
    StmtKind, Table, TableId, Telling, TextOf, TextPart, ToldPart, Type,
};
use crate::source::Span;

/// Greatest number of objects of which several are chosen.
pub(super) const MAX_CHOICE: usize = 48;

/// Greatest number of objects of which some are drawn.
pub(super) const MAX_DRAW: usize = 60;

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
    /// The types that they may have.
    types: &'e [usize],
    span: Span,
}

impl Lower<'_> {
    pub(super) fn remove_some(
        &mut self,
        env: &Env<'_>,
        (what, from, count): (&What, &Ref, Option<u32>),
        goal: &Goal,
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
            let into = self.goal(env, goal, out);
            out.push(self.subtract(inside, vec![place], number.clone()));
            match (goal, counts.all) {
                (Goal::Gone, Some(all)) => out.push(self.subtract(all, Vec::new(), number)),
                (Goal::Gone, None) => {}
                _ => self.add_counted(counts, into, number, out),
            }
            return;
        }
        let Some(at) = self.ids.at else { return };
        let have = self.inside(env, what, from);
        let into = self.goal(env, goal, out);
        let take = |_: &mut Self, object: Expr| {
            let kind = match &into {
                Some(into) => StmtKind::Put(at, object, into.clone()),
                None => StmtKind::Take(at, object),
            };
            vec![Stmt::new(kind, span)]
        };
        let Some(count) = count else {
            let set = self.keep("objects", have, out);
            let local = self.local("object", Type::Elem(self.ids.object));
            let body = take(self, self.get(local, span));
            return out.push(Stmt::new(
                StmtKind::ForEach(local, Over::Set(set), body),
                span,
            ));
        };
        let types = self.inventory.types_of(self.model, env.rule, what);
        let most = types
            .iter()
            .map(|&ty| self.inventory.of_type[ty].len())
            .sum();
        let mode = match types.as_slice() {
            [ty] if self.always_same(env, *ty) => Mode::Probe,
            _ => mode,
        };
        let number = Expr::int(i64::from(count), span);
        let pick = Pick {
            chooser: env.player.clone(),
            have: &have,
            count: &number,
            bound: (count, most),
            verb: "removes",
            types: &types,
            span,
        };
        self.pick(env, &pick, mode, out, &take);
    }

    /// What objects that leave a container go into.
    fn goal(&mut self, env: &Env<'_>, goal: &Goal, out: &mut Block) -> Option<Expr> {
        match self.single(env, goal.into()?, out) {
            super::refs::Objects::One(into) => Some(into),
            _ => None,
        }
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
        if self.ids.counts[ty].is_none() {
            self.refuse_scattered(ty, count.unwrap_or(0), span);
        }
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
            let most = lower.inventory.of_type[ty].len();
            if count.is_some() && random && mode == Mode::Play {
                let pool = lower.keep("pool", have, &mut body);
                let hand =
                    lower.draw_hand(env, (&pool, most), number, ("loses", ty, span), &mut body);
                lower.for_each(hand, span, &mut body, &lost);
            } else {
                let pick = Pick {
                    chooser: loser,
                    have: &have,
                    count: &number,
                    bound: (count.unwrap_or(u32::MAX), most),
                    verb: "loses",
                    types: &[ty],
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
            over: Box::new(Over::Set(self.slot_set(&self.inventory.of_type[ty], span))),
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
            let help = super::help_with_max(self.model, &self.inventory, pick.types);
            let found = Diagnostic::new(&codes::TOO_LARGE, span, message);
            return self.errors.push(found.help(help));
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
        let picked = param.ty.clone();
        let family = self.out.family(Family {
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
        });
        self.tell_pick(family, pick, picked);
        family
    }

    /// How a choice is written where it may be of unnamed objects.
    fn tell_pick(&mut self, family: FamilyId, pick: &Pick<'_>, picked: Type) {
        let unnamed = |ty: &usize| !self.inventory.unnamed[*ty].is_empty();
        if !pick.types.iter().any(unnamed) {
            return;
        }
        let span = pick.span;
        let (player, object) = (Type::Elem(self.players()), Type::Elem(self.object()));
        let mut parts = vec![
            ToldPart::Value(Expr::local(LocalId(0), player, span)),
            ToldPart::Text(format!(" {} ", pick.verb)),
        ];
        let value = Expr::local(LocalId(1), picked.clone(), span);
        match picked {
            Type::Set(_) => {
                let member = Expr::local(LocalId(2), object, span);
                let each = self.written(member, pick.types, &[]);
                parts.push(ToldPart::Text("{".to_owned()));
                parts.push(ToldPart::Each(LocalId(2), value, each));
                parts.push(ToldPart::Text("}".to_owned()));
            }
            _ => parts.extend(self.written(value, pick.types, &[])),
        }
        let of = TextOf::Family(family);
        self.out.game.tellings.push(Telling { of, parts });
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
        let most = self.inventory.of_type[ty].len();
        let mut deal = |lower: &mut Self, player: Expr| {
            let mut body = Block::new();
            let number = lower.keep("number", number.clone(), &mut body);
            let of = (&pool_value, most);
            let hand = lower.draw_hand(env, of, number, ("is dealt", ty, span), &mut body);
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
        (verb, ty, span): (&str, usize, Span),
        out: &mut Block,
    ) -> Expr {
        let set = Type::Set(self.object());
        if most > MAX_DRAW {
            let message =
                format!("some of {most} objects are drawn here; at most {MAX_DRAW} are possible");
            let help = super::help_with_max(self.model, &self.inventory, &[ty]);
            let found = Diagnostic::new(&codes::TOO_LARGE, span, message);
            self.errors.push(found.help(help));
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
            draw: self.draw(env, verb, ty, span),
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

    fn draw(&mut self, env: &Env<'_>, verb: &str, ty: usize, span: Span) -> DrawId {
        let number = self.out.game.draws.len() + 1;
        self.out.game.draws.push(Draw {
            name: format!("{} draw {number}", env.rule.name),
            ty: Type::Elem(self.object()),
            text: vec![TextPart::Text(format!("{verb} ")), TextPart::Param(0)],
            span,
        });
        let draw = DrawId::from(self.out.game.draws.len() - 1);
        if !self.inventory.unnamed[ty].is_empty() {
            let value = Expr::local(LocalId(0), Type::Elem(self.object()), span);
            let mut parts = vec![ToldPart::Text(format!("{verb} "))];
            parts.extend(self.written(value, &[ty], &[]));
            let of = TextOf::Draw(draw);
            self.out.game.tellings.push(Telling { of, parts });
        }
        draw
    }
}
