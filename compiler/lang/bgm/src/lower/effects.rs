//! Effects as statements.

use super::super::ast::RuleKind;
use super::super::model::{Effect, EffectKind, Players, Ref, Rule, What};
use super::players::Group;
use super::refs::Objects;
use super::requirements::all;
use super::{Env, Lower};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Fold, Over, Stmt, StmtKind, Type, VarId};
use crate::source::Span;

/// How effects run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// In play: what cannot happen is skipped. An action is only played if nothing of it fails before its first choice.
    Play,
    /// In a trial, whether the action is possible: what cannot happen fails, and nothing is chosen or drawn.
    Probe,
}

impl Lower<'_> {
    /// Runs effects.
    pub(super) fn effects(&mut self, env: &Env<'_>, effects: &[Effect], mode: Mode) -> Block {
        if mode == Mode::Probe {
            return self.probe(env, effects);
        }
        let mut out = Block::new();
        // The guard of an action has tested what its first effect needs.
        let is_timer = |effect: &&Effect| matches!(effect.kind, EffectKind::SetTimer(_));
        let tested = match env.rule.kind {
            RuleKind::Action => effects.iter().take_while(is_timer).count() + 1,
            _ => 0,
        };
        for (index, effect) in effects.iter().enumerate() {
            self.effect(env, effect, index >= tested, mode, &mut out);
        }
        out
    }

    /// Runs effects in a trial: what comes after a choice or draw cannot fail and is not looked at.
    fn probe(&mut self, env: &Env<'_>, effects: &[Effect]) -> Block {
        let mut out = Block::new();
        // Whether a failing effect still fails, where that depends on the position.
        let mut hard = None;
        let doubted = |effect: &Effect| self.possible(env, &effect.kind).is_some();
        let last = effects.iter().map(doubted).collect::<Vec<bool>>();
        let Some(last) = last.iter().rposition(|&doubted| doubted) else {
            return out;
        };
        for (index, effect) in effects[..=last].iter().enumerate() {
            let span = effect.span;
            let before = hard;
            let mut block = Block::new();
            let soft = self.soft(env, &effect.kind, &mut block);
            if let Some(holds) = self.possible(env, &effect.kind) {
                let fail = vec![Stmt::new(StmtKind::Fail, span)];
                block.push(Stmt::branch(holds.not(), fail, Block::new()));
            }
            let over = soft.as_ref().is_some_and(|soft| soft.as_const().is_some());
            let over = over || index == last;
            match soft {
                _ if over => {}
                Some(soft) => {
                    let flag = *hard.get_or_insert_with(|| {
                        let flag = self.local("hard", Type::Bool);
                        out.push(Stmt::assign(flag, Expr::bool(true, span)));
                        flag
                    });
                    let mut run = Block::new();
                    self.effect(env, effect, false, Mode::Probe, &mut run);
                    let close = vec![Stmt::assign(flag, Expr::bool(false, span))];
                    block.push(Stmt::branch(soft, close, run));
                }
                None => self.effect(env, effect, false, Mode::Probe, &mut block),
            }
            match before {
                Some(flag) => out.push(Stmt::branch(self.get(flag, span), block, Block::new())),
                None => out.append(&mut block),
            }
            if over {
                break;
            }
        }
        out
    }

    /// Whether later effects of an action are skipped instead of failing once this one is done: a constant, a variable,
    /// or nothing if they fail.
    fn soft(&mut self, env: &Env<'_>, effect: &EffectKind, out: &mut Block) -> Option<Expr> {
        match effect {
            EffectKind::Distribute { to, .. } => Some(Expr::bool(true, to.span)),
            EffectKind::RemoveSome { bound: true, .. } => None,
            EffectKind::RemoveSome {
                what, from, count, ..
            } => {
                let count = i64::from((*count)?);
                let span = from.span;
                let have = self.number_inside(env, what, from);
                let more = Expr::binary(BinaryOp::Gt, have, Expr::int(count, span));
                Some(self.keep("is_choice", more, out))
            }
            EffectKind::DisownSome { ty, of, count, .. } => {
                let span = of.span;
                let group = self.group(env, of);
                let losers = self.group_set(group);
                let losers = self.keep("losers", losers, out);
                let size = Expr::new(ExprKind::Size(Box::new(losers.clone())), Type::INT, span);
                let several = Expr::binary(BinaryOp::Gt, size, Expr::int(1, span));
                let soft = match count {
                    None => several,
                    Some(count) => {
                        let local = self.local("loser", Type::Elem(self.players()));
                        let loser = self.get(local, span);
                        let have = self.number_owned(loser, *ty, span);
                        let count = Expr::int(i64::from(*count), span);
                        let more = Expr::binary(BinaryOp::Gt, have, count);
                        several.or(Expr::fold(Fold::Exists, local, Over::Set(losers), more))
                    }
                };
                Some(self.keep("is_choice", soft, out))
            }
            EffectKind::Create { ty, count, .. } if !self.inventory.proved[*ty] => {
                // Where there is no room, playing the action is a fault, whatever comes later.
                let span = env.rule.span;
                let all = self.number_of(*ty, span)?;
                let most = self.inventory.pool[*ty] as i64 - i64::from(*count);
                let full = Expr::binary(BinaryOp::Gt, all, Expr::int(most, span));
                Some(self.keep("is_full", full, out))
            }
            _ => None,
        }
    }

    /// How many objects of types are in a container; 0 if there is no container.
    fn number_inside(&mut self, env: &Env<'_>, what: &What, from: &Ref) -> Expr {
        let span = from.span;
        let zero = Expr::int(0, span);
        if let What::Type(ty) = what
            && let Some(counts) = self.ids.counts[*ty]
        {
            let Some(inside) = counts.inside else {
                return zero;
            };
            return match self.objects(env, from) {
                Objects::Perhaps(object) => {
                    let there = object.clone().is_some();
                    let count = Expr::var(&self.out.game, inside, vec![object.get()], span);
                    Expr {
                        ty: Type::INT,
                        ..Expr::select(there, widen(count), zero)
                    }
                }
                Objects::One(object) => {
                    widen(Expr::var(&self.out.game, inside, vec![object], span))
                }
                Objects::Many(..) => zero,
            };
        }
        let set = self.inside(env, what, from);
        Expr::new(ExprKind::Size(Box::new(set)), Type::INT, span)
    }

    /// The objects of types that are in a container, of types with slots.
    pub(super) fn inside(&mut self, env: &Env<'_>, what: &What, from: &Ref) -> Expr {
        let span = from.span;
        let contents = match self.objects(env, from) {
            Objects::One(object) => self.contents(object),
            Objects::Perhaps(object) => {
                let inside = self.contents(object.clone().get());
                Expr::select(object.is_some(), inside, self.no_objects(span))
            }
            Objects::Many(set, _) => set,
        };
        match what {
            What::Type(ty) => self.of_type(contents, *ty),
            What::Objects(reference) | What::TypesOf(reference) => {
                let types = self.inventory.types(self.model, env.rule, reference);
                let mut mask = self.no_objects(span);
                for ty in types {
                    let present = self.is_present(env, reference, ty, span);
                    let members = self.slot_set(&self.inventory.of_type[ty], span);
                    let members = Expr::select(present, members, self.no_objects(span));
                    mask = Expr::binary(BinaryOp::Union, mask, members);
                }
                Expr::binary(BinaryOp::Intersect, contents, mask)
            }
        }
    }

    /// How many objects of a type a player owns.
    pub(super) fn number_owned(&mut self, player: Expr, ty: usize, span: Span) -> Expr {
        match self.ids.counts[ty] {
            Some(counts) => match counts.owned {
                Some(owned) => widen(Expr::var(&self.out.game, owned, vec![player], span)),
                None => Expr::int(0, span),
            },
            None => {
                let local = self.local("object", Type::Elem(self.ids.object));
                let owner = self.owner_of(self.get(local, span));
                let over = Over::Set(self.slot_set(&self.inventory.of_type[ty], span));
                Expr::fold(Fold::Count, local, over, owner.equals(player.some()))
            }
        }
    }

    /// Whether an effect does not fail, where that is in doubt.
    pub(super) fn possible(&mut self, env: &Env<'_>, effect: &EffectKind) -> Option<Expr> {
        let tests: Vec<Option<Expr>> = match effect {
            EffectKind::Put(what, into) => vec![self.there(env, what), self.there(env, into)],
            EffectKind::Create { into, .. } => {
                vec![into.as_ref().and_then(|into| self.there(env, into))]
            }
            EffectKind::Remove(what) | EffectKind::Delete(what) | EffectKind::Disown(what) => {
                vec![self.there(env, what)]
            }
            EffectKind::RemoveSome {
                what,
                from,
                count,
                goal,
                bound,
            } => {
                let types = match what {
                    What::TypesOf(reference) => self.there(env, reference),
                    _ => None,
                };
                let asked = count.filter(|&count| count > 0 && !bound);
                let enough = asked.map(|count| {
                    let have = self.number_inside(env, what, from);
                    let count = Expr::int(i64::from(count), from.span);
                    Expr::binary(BinaryOp::Ge, have, count)
                });
                let into = goal.into().and_then(|into| self.there(env, into));
                vec![self.there(env, from), types, enough, into]
            }
            EffectKind::Distribute {
                from,
                to,
                ty,
                count,
            } => {
                let have = self.number_inside(env, &What::Type(*ty), from);
                let count = Expr::int(i64::from(*count), from.span);
                let enough = Expr::binary(BinaryOp::Ge, have, count);
                vec![self.there(env, from), Some(enough), self.somebody(env, to)]
            }
            EffectKind::DisownSome { of, .. } => vec![self.former_known(of)],
            EffectKind::Own(what, to) => {
                let one = match self.group(env, to) {
                    Group::One(_, holds) => holds,
                    Group::Many(set) => {
                        let span = set.span;
                        let size = Expr::new(ExprKind::Size(Box::new(set)), Type::INT, span);
                        Some(size.equals(Expr::int(1, span)))
                    }
                };
                vec![self.there(env, what), one]
            }
            EffectKind::Players(players) => vec![self.somebody(env, players)],
            EffectKind::SetTimer(_) => Vec::new(),
        };
        let tests: Vec<Expr> = tests.into_iter().flatten().collect();
        let span = tests.first()?.span;
        Some(all(tests, span))
    }

    /// Whether there is a former player, for a set that needs one.
    fn former_known(&mut self, players: &Players) -> Option<Expr> {
        use super::super::model::PlayersBase;
        let former = self
            .ids
            .former
            .filter(|_| players.base == PlayersBase::Former)?;
        Some(Expr::var(&self.out.game, former, Vec::new(), players.span).is_some())
    }

    /// Whether a reference does not fail, where that is in doubt.
    fn there(&mut self, env: &Env<'_>, reference: &Ref) -> Option<Expr> {
        match self.objects(env, reference) {
            Objects::One(_) => None,
            Objects::Perhaps(object) => Some(object.is_some()),
            Objects::Many(_, holds) => holds,
        }
    }

    fn effect(
        &mut self,
        env: &Env<'_>,
        effect: &Effect,
        tested: bool,
        mode: Mode,
        out: &mut Block,
    ) {
        let span = effect.span;
        let mut block = Block::new();
        let holds = match tested {
            true => self.possible(env, &effect.kind),
            false => None,
        };
        self.effect_body(env, effect, mode, &mut block);
        match holds {
            Some(holds) => out.push(Stmt::branch(holds.at(span), block, Block::new())),
            None => out.append(&mut block),
        }
    }

    /// What an effect does if it does not fail.
    fn effect_body(&mut self, env: &Env<'_>, effect: &Effect, mode: Mode, out: &mut Block) {
        let span = effect.span;
        match &effect.kind {
            EffectKind::Put(what, into) => {
                let Some(at) = self.ids.at else { return };
                let into = match self.objects(env, into) {
                    Objects::One(object) => object,
                    Objects::Perhaps(object) => self.keep("into", object.get(), out),
                    Objects::Many(..) => return,
                };
                let put = |object: Expr| Stmt::new(StmtKind::Put(at, object, into.clone()), span);
                match self.objects(env, what) {
                    Objects::One(object) => out.push(put(object)),
                    Objects::Perhaps(object) => out.push(put(object.get())),
                    many => self.each(many, span, out, |_, object| vec![put(object)]),
                }
            }
            EffectKind::Create { ty, into, count } => {
                for _ in 0..*count {
                    self.create(env, *ty, into.as_ref(), mode, span, out);
                }
            }
            EffectKind::Remove(what) => {
                let Some(at) = self.ids.at else { return };
                let objects = self.objects(env, what);
                self.each(objects, span, out, |_, object| {
                    vec![Stmt::new(StmtKind::Take(at, object), span)]
                });
            }
            EffectKind::RemoveSome {
                what,
                from,
                count,
                goal,
                ..
            } => {
                self.remove_some(env, (what, from, *count), goal, mode, span, out);
            }
            EffectKind::Delete(what) => self.delete(env, what, span, out),
            EffectKind::Distribute {
                from,
                to,
                ty,
                count,
            } => {
                self.distribute(env, (from, to), *ty, *count, span, out);
            }
            EffectKind::Disown(what) => {
                let nobody = Expr::none(self.players(), span);
                self.set_owner(env, what, nobody, span, out);
            }
            EffectKind::DisownSome {
                ty,
                of,
                random,
                count,
            } => self.disown_some(env, (*ty, of), (*random, *count), mode, span, out),
            EffectKind::Own(what, to) => {
                let owner = match self.group(env, to) {
                    Group::One(player, _) => player.some(),
                    Group::Many(set) => {
                        let local = self.local("player", Type::Elem(self.out.game.players));
                        let kind = ExprKind::First {
                            local,
                            over: Box::new(Over::Set(set)),
                            when: Box::new(Expr::bool(true, span)),
                        };
                        Expr::new(kind, Type::Opt(self.players()), span)
                    }
                };
                self.set_owner(env, what, owner, span, out);
            }
            EffectKind::Players(players) => {
                let active = match (self.group(env, players), self.inventory.one_active) {
                    (Group::One(player, _), true) => player,
                    (group, _) => self.group_set(group),
                };
                out.push(Stmt::set_var(self.ids.active, Vec::new(), active).spanned(span));
            }
            EffectKind::SetTimer(seconds) => {
                if let Some(timer) = self.ids.timer {
                    let seconds = Expr::int(i64::from(*seconds), span);
                    out.push(Stmt::set_var(timer, Vec::new(), seconds));
                }
            }
        }
    }

    /// Does something with each of some objects, which are found first.
    fn each(
        &mut self,
        objects: Objects,
        span: Span,
        out: &mut Block,
        body: impl FnOnce(&mut Self, Expr) -> Block,
    ) {
        match objects {
            Objects::One(object) => out.extend(body(self, object)),
            Objects::Perhaps(object) => {
                let object = self.keep("object", object, out);
                let inner = body(self, object.clone().get());
                out.push(Stmt::branch(object.is_some(), inner, Block::new()));
            }
            many => {
                let set = self.kept_set(many, out);
                let local = self.local("object", Type::Elem(self.ids.object));
                let inner = body(self, self.get(local, span));
                out.push(Stmt::new(
                    StmtKind::ForEach(local, Over::Set(set), inner),
                    span,
                ));
            }
        }
    }

    fn set_owner(&mut self, env: &Env<'_>, what: &Ref, owner: Expr, span: Span, out: &mut Block) {
        let Some(var) = self.ids.owner else { return };
        let objects = self.objects(env, what);
        self.each(objects, span, out, |_, object| {
            vec![Stmt::set_var(var, vec![object], owner).spanned(span)]
        });
    }

    fn create(
        &mut self,
        env: &Env<'_>,
        ty: usize,
        into: Option<&Ref>,
        mode: Mode,
        span: Span,
        out: &mut Block,
    ) {
        let message = format!(
            "there is no room for another `{}`: at most {} can exist",
            self.model.types[ty].name, self.inventory.pool[ty]
        );
        let into = into.map(|into| match self.objects(env, into) {
            Objects::One(object) => object,
            Objects::Perhaps(object) | Objects::Many(object, _) => object.get(),
        });
        let fault = vec![Stmt::fault(message, span)];
        let full = self.number_of(ty, span).map(|all| {
            let pool = Expr::int(self.inventory.pool[ty] as i64, span);
            Expr::binary(BinaryOp::Ge, all, pool)
        });
        if let Some(counts) = self.ids.counts[ty] {
            let (Some(all), Some(full)) = (counts.all, full) else {
                return;
            };
            if mode == Mode::Play {
                out.push(Stmt::branch(full, fault, Block::new()));
            }
            out.push(self.add(all, Vec::new(), Expr::int(1, span)));
            return self.add_counted(counts, into, Expr::int(1, span), out);
        }
        let Some(alive) = self.ids.alive else { return };
        let unnamed = self.slot_set(&self.inventory.unnamed[ty], span);
        let set = Expr::var(&self.out.game, alive, Vec::new(), span);
        let free = Expr::binary(BinaryOp::Minus, unnamed, set.clone());
        let local = self.local("free", Type::Elem(self.ids.object));
        let kind = ExprKind::First {
            local,
            over: Box::new(Over::Set(free)),
            when: Box::new(Expr::bool(true, span)),
        };
        let first = Expr::new(kind, Type::Opt(self.ids.object), span);
        let slot = self.keep("new", first, out);
        let one = ExprKind::SetOf(vec![slot.clone().get()]);
        let one = Expr::new(one, Type::Set(self.ids.object), span);
        let more = Expr::binary(BinaryOp::Union, set, one);
        let mut made = vec![Stmt::set_var(alive, Vec::new(), more)];
        if let (Some(at), Some(into)) = (self.ids.at, into) {
            made.push(Stmt::new(StmtKind::Put(at, slot.clone().get(), into), span));
        }
        let is_free = match full.filter(|_| !self.inventory.slots_bound(ty)) {
            Some(full) => full.not(),
            None => slot.is_some(),
        };
        let full = match mode {
            Mode::Play => fault,
            Mode::Probe => Block::new(),
        };
        out.push(Stmt::branch(is_free, made, full));
    }

    /// How many objects of a type there are, if rules make some.
    fn number_of(&self, ty: usize, span: Span) -> Option<Expr> {
        if let Some(counts) = self.ids.counts[ty] {
            return Some(widen(Expr::var(
                &self.out.game,
                counts.all?,
                Vec::new(),
                span,
            )));
        }
        Some(self.size_of(self.existing(ty, span)))
    }

    pub(super) fn add_counted(
        &mut self,
        counts: super::state::Counts,
        into: Option<Expr>,
        number: Expr,
        out: &mut Block,
    ) {
        match (into, counts.inside) {
            (Some(into), Some(inside)) => out.push(self.add(inside, vec![into], number)),
            _ => out.push(self.add(counts.loose, Vec::new(), number)),
        }
    }

    /// Adds to a variable.
    pub(super) fn add(&self, var: VarId, index: Vec<Expr>, number: Expr) -> Stmt {
        let before = Expr::var(&self.out.game, var, index.clone(), number.span);
        Stmt::set_var(var, index, Expr::binary(BinaryOp::Add, before, number))
    }

    /// Takes from a variable.
    pub(super) fn subtract(&self, var: VarId, index: Vec<Expr>, number: Expr) -> Stmt {
        let before = Expr::var(&self.out.game, var, index.clone(), number.span);
        Stmt::set_var(var, index, Expr::binary(BinaryOp::Sub, before, number))
    }

    fn delete(&mut self, env: &Env<'_>, what: &Ref, span: Span, out: &mut Block) {
        let types = self.inventory.types(self.model, env.rule, what);
        let objects = self.objects(env, what);
        let set = self.kept_set(objects, out);
        let local = self.local("object", Type::Elem(self.ids.object));
        let object = self.get(local, span);
        let mut body = Block::new();
        if let Some(at) = self.ids.at {
            let contents = self.contents(object.clone());
            let contents = self.keep("contents", contents, &mut body);
            let inner = self.local("inner", Type::Elem(self.ids.object));
            let take = |object: Expr| Stmt::new(StmtKind::Take(at, object), span);
            let release = vec![take(self.get(inner, span))];
            let each = StmtKind::ForEach(inner, Over::Set(contents), release);
            body.push(Stmt::new(each, span));
            body.push(take(object.clone()));
        }
        for counted in 0..self.model.types.len() {
            let within = types
                .iter()
                .any(|&ty| self.inventory.may_be_in[counted][ty]);
            let Some(counts) = self.ids.counts[counted].filter(|_| within) else {
                continue;
            };
            if let Some(inside) = counts.inside {
                let count = Expr::var(&self.out.game, inside, vec![object.clone()], span);
                body.push(self.add(counts.loose, Vec::new(), count));
                body.push(Stmt::set_var(
                    inside,
                    vec![object.clone()],
                    Expr::int(0, span),
                ));
            }
        }
        if let Some(owner) = self.ids.owner {
            let nobody = Expr::none(self.players(), span);
            body.push(Stmt::set_var(owner, vec![object.clone()], nobody));
        }
        out.push(Stmt::new(
            StmtKind::ForEach(local, Over::Set(set.clone()), body),
            span,
        ));
        if let Some(alive) = self.ids.alive {
            let before = Expr::var(&self.out.game, alive, Vec::new(), span);
            let after = Expr::binary(BinaryOp::Minus, before, set);
            out.push(Stmt::set_var(alive, Vec::new(), after));
        }
    }

    /// Whether the possibility of an action depends on what its own effects do.
    pub(super) fn needs_trial(&mut self, env: &Env<'_>, rule: &Rule) -> bool {
        let mut changed = false;
        for effect in &rule.effects {
            if changed && self.possible(env, &effect.kind).is_some() {
                return true;
            }
            match effect.kind {
                EffectKind::Distribute { .. } => return false,
                EffectKind::SetTimer(_) => {}
                _ => changed = true,
            }
        }
        false
    }
}

/// An integer without its range.
pub(super) fn widen(count: Expr) -> Expr {
    let (zero, span) = (Expr::int(0, count.span), count.span);
    Expr::binary(BinaryOp::Add, count, zero).at(span)
}

/// Statements with another place.
pub(super) trait Spanned {
    /// The same with another span.
    fn spanned(self, span: Span) -> Self;
}

impl Spanned for Stmt {
    fn spanned(mut self, span: Span) -> Stmt {
        self.span = span;
        self
    }
}
