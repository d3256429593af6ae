//! Actions as move families, and the process.

use super::super::ast::{RuleKind, Stuck};
use super::super::model::{Base, EffectKind, Ref, Require, Rule, Step, Test, Told, What};
use super::effects::Mode;
use super::refs::Objects;
use super::requirements::all;
use super::state::keeps_marks;
use super::{Env, Lower};
use crate::ir::{
    Arm, BinaryOp, Block, Choose, Const, EndReason, Expr, ExprKind, Family, FamilyId, FuncId,
    LocalId, Param, ParamSource, Stmt, StmtKind, Telling, TextOf, TextPart, ToldPart, Type, VarId,
    WORK_BUDGET,
};
use crate::source::Span;

/// A requirement that gives the candidates of a parameter.
struct Source {
    /// The requirement, by number.
    require: usize,
    /// The parameter whose candidates it gives.
    param: usize,
    /// The candidate is the container of this object, or is in it.
    other: Ref,
    is_container: bool,
}

impl<'a> Lower<'a> {
    /// The process: action after action, until a condition ends the game.
    pub(super) fn process(&mut self) -> FuncId {
        let span = self.model.span;
        let conditions = self.conditions();
        let model = self.model;
        let rules = model
            .rules
            .iter()
            .filter(|rule| rule.kind == RuleKind::Action && self.inventory.can_apply(rule));
        let rules: Vec<&Rule> = rules.collect();
        let mut plays = Vec::new();
        for rule in rules {
            plays.push((self.action_family(rule), self.play(rule, conditions), rule));
        }
        if plays.is_empty() {
            return self.idle();
        }
        let body = |lower: &mut Self, _: &[Expr]| {
            let mut arms = Vec::new();
            for (family, play, rule) in plays {
                arms.push(lower.arm(family, play, rule));
            }
            arms.extend(lower.second_passed(conditions));
            lower.forever(arms, span)
        };
        let doc = "The whole game: one action after the other.";
        self.function("process", &[], None, doc, span, body)
    }

    fn forever(&mut self, arms: Vec<Arm>, span: Span) -> Block {
        let players = Expr::var(&self.out.game, self.ids.active, Vec::new(), span);
        let choose = StmtKind::Choose(Choose {
            players,
            arms,
            otherwise: self.stuck(span),
        });
        vec![Stmt::new(
            StmtKind::While {
                cond: Expr::bool(true, span),
                bound: WORK_BUDGET,
                body: vec![Stmt::new(choose, span)],
            },
            span,
        )]
    }

    /// That a second has passed, which a host with a clock tells: the timer runs down, and the conditions are looked at.
    fn second_passed(&mut self, conditions: Option<FuncId>) -> Option<Arm> {
        let (timer, span) = (self.ids.timer?, self.model.span);
        let doc = "No player makes time pass.";
        let never = self.function("never", &[], Some(Type::Bool), doc, span, |_, _| {
            vec![Stmt::give(Expr::bool(false, span))]
        });
        let family = self.out.family(Family {
            name: "second passed".to_owned(),
            context: Vec::new(),
            params: Vec::new(),
            guard: Some(never),
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text: vec![TextPart::Text("a second passes".to_owned())],
            span,
        });
        self.out.game.by_host.push(family);
        let mut body = vec![self.run_down(timer, 1, span)];
        if let Some(conditions) = conditions {
            body.push(Stmt::call(conditions, Vec::new(), None, span));
        }
        Some(Arm {
            family,
            given: Vec::new(),
            bind: Vec::new(),
            body,
        })
    }

    /// Takes seconds off the timer, not below 0.
    fn run_down(&mut self, timer: VarId, seconds: u32, span: Span) -> Stmt {
        let before = Expr::var(&self.out.game, timer, Vec::new(), span);
        let seconds = Expr::int(i64::from(seconds), span);
        let after = Expr::binary(BinaryOp::Sub, before, seconds);
        let after = Expr::binary(BinaryOp::Max, after, Expr::int(0, span));
        Stmt::set_var(timer, Vec::new(), after)
    }

    /// The process of a game without actions.
    fn idle(&mut self) -> FuncId {
        let span = self.model.span;
        let player = Type::Elem(self.players());
        let family = self.out.family(Family {
            name: "nothing".to_owned(),
            context: Vec::new(),
            params: vec![Param {
                name: "player".to_owned(),
                ty: player.clone(),
                source: ParamSource::Among(Vec::new()),
            }],
            guard: None,
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text: vec![
                TextPart::Param(0),
                TextPart::Text(" does nothing".to_owned()),
            ],
            span,
        });
        let doc = "The whole game: nobody can act.";
        self.function("process", &[], None, doc, span, |lower, _| {
            let bind = vec![lower.local("player", player)];
            let arm = Arm {
                family,
                given: Vec::new(),
                bind,
                body: Block::new(),
            };
            lower.forever(vec![arm], span)
        })
    }

    /// What happens if nobody can act; nothing special where that is a draw of all.
    fn stuck(&mut self, span: Span) -> Option<Block> {
        let active = Expr::var(&self.out.game, self.ids.active, Vec::new(), span);
        let active = match self.inventory.one_active {
            true => {
                let set = Type::Set(self.players());
                Expr::new(ExprKind::SetOf(vec![active]), set, span)
            }
            false => active,
        };
        let (reason, winners) = match self.model.stuck {
            Stuck::Draw => (EndReason::Draw, self.drawers(span)?),
            Stuck::Win => (EndReason::Win, active),
            Stuck::Lose => {
                let rest = Expr::binary(BinaryOp::Minus, self.everybody(span), active);
                let some = Expr::binary(BinaryOp::Ne, rest.clone(), self.nobody(span));
                let win = StmtKind::End {
                    reason: EndReason::Win,
                    winners: rest,
                };
                let lose = StmtKind::End {
                    reason: EndReason::Elimination,
                    winners: self.nobody(span),
                };
                let (win, lose) = (Stmt::new(win, span), Stmt::new(lose, span));
                return Some(vec![Stmt::branch(some, vec![win], vec![lose])]);
            }
        };
        Some(vec![Stmt::new(StmtKind::End { reason, winners }, span)])
    }

    /// Who shares a draw, if some players may be out: all others, and nobody in particular if all are in.
    pub(super) fn drawers(&mut self, span: Span) -> Option<Expr> {
        let out = Expr::var(&self.out.game, self.ids.out?, Vec::new(), span);
        let all_in = out.equals(self.nobody(span));
        Some(Expr::select(
            all_in,
            self.nobody(span),
            self.everybody(span),
        ))
    }

    fn arm(&mut self, family: FamilyId, play: FuncId, rule: &Rule) -> Arm {
        let mut bind = vec![self.local("player", Type::Elem(self.ids_players()))];
        for param in &rule.params {
            bind.push(self.local(&param.name, Type::Elem(self.ids.object)));
        }
        let args = bind
            .iter()
            .map(|&local| self.get(local, rule.span))
            .collect();
        Arm {
            family,
            given: Vec::new(),
            bind,
            body: vec![Stmt::call(play, args, None, rule.span)],
        }
    }

    fn ids_players(&self) -> crate::ir::DomainId {
        self.out.game.players
    }

    /// Names and types of what a rule is a function of.
    fn signature(&self, rule: &'a Rule) -> Vec<(&'a str, Type)> {
        let mut params = vec![("player", Type::Elem(self.ids_players()))];
        let object = Type::Elem(self.ids.object);
        params.extend(
            rule.params
                .iter()
                .map(|p| (p.name.as_str(), object.clone())),
        );
        params
    }

    /// What playing an action does.
    fn play(&mut self, rule: &'a Rule, conditions: Option<FuncId>) -> FuncId {
        let span = rule.span;
        let doc = format!("What the action `{}` does.", rule.name);
        let params = self.signature(rule);
        self.function(&rule.name, &params, None, &doc, span, |lower, args| {
            let player = args[0].clone();
            let mut out = Block::new();
            let bound = lower.bind_marks(rule, &args[1..], &mut out);
            let env = Env {
                rule,
                player: player.clone(),
                params: bound.unwrap_or_else(|| args[1..].to_vec()),
                in_game: true,
            };
            out.extend(lower.effects(&env, &rule.effects, Mode::Play));
            lower.clear_marks(rule, &mut out);
            if let Some(former) = lower.ids.former {
                out.push(Stmt::set_var(former, Vec::new(), player.some()));
            }
            lower.tick(rule, &mut out);
            if let Some(conditions) = conditions {
                out.push(Stmt::call(conditions, Vec::new(), None, span));
            }
            out
        })
    }

    /// Keeps what the parameters are bound to in the state, where a choice of the rule may tell it apart.
    pub(super) fn bind_marks(
        &mut self,
        rule: &Rule,
        params: &[Expr],
        out: &mut Block,
    ) -> Option<Vec<Expr>> {
        if !keeps_marks(&self.inventory, rule) {
            return None;
        }
        let vars = self.ids.bound[..params.len()].to_vec();
        let mut bound = Vec::new();
        for (&var, param) in vars.iter().zip(params) {
            out.push(Stmt::set_var(var, Vec::new(), param.clone().some()));
            bound.push(Expr::var(&self.out.game, var, Vec::new(), param.span).get());
        }
        Some(bound)
    }

    pub(super) fn clear_marks(&mut self, rule: &Rule, out: &mut Block) {
        if keeps_marks(&self.inventory, rule) {
            for &var in &self.ids.bound[..rule.params.len()] {
                let none = Expr::none(self.object(), rule.span);
                out.push(Stmt::set_var(var, Vec::new(), none));
            }
        }
    }

    /// The time that an action takes.
    fn tick(&mut self, rule: &Rule, out: &mut Block) {
        let sets = |kind: &EffectKind| matches!(kind, EffectKind::SetTimer(_));
        let Some(timer) = self.ids.timer else { return };
        if self.model.clock == 0 || rule.effects.iter().any(|effect| sets(&effect.kind)) {
            return;
        }
        out.push(self.run_down(timer, self.model.clock, rule.span));
    }

    fn action_family(&mut self, rule: &'a Rule) -> FamilyId {
        let span = rule.span;
        let sources = self.sources(rule);
        let guard = self.guard(rule, &sources);
        let object = Type::Elem(self.ids.object);
        let mut params = vec![Param {
            name: "player".to_owned(),
            ty: Type::Elem(self.players()),
            source: self.player_source(rule),
        }];
        let name = self.action_name(rule);
        let mut text = vec![TextPart::Param(0), TextPart::Text(format!(" {name}"))];
        for told in &rule.told {
            text.push(TextPart::Text(" ".to_owned()));
            text.extend(self.told(told));
        }
        for (number, param) in rule.params.iter().enumerate() {
            let source = sources.iter().find(|source| source.param == number);
            let source = match source {
                Some(source) => self.param_source(rule, source),
                None => {
                    let mut members = self.inventory.of_type[param.ty].clone();
                    members.sort_unstable();
                    ParamSource::Among(members)
                }
            };
            params.push(Param {
                name: param.name.clone(),
                ty: object.clone(),
                source,
            });
        }
        let family = self.out.family(Family {
            name,
            context: Vec::new(),
            params,
            guard: Some(guard),
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text,
            span,
        });
        self.tell_action(family, rule);
        family
    }

    /// How moves are written with something.
    fn told(&self, told: &Told) -> Vec<TextPart> {
        let (ty, inside) = match *told {
            Told::Param(number) => return vec![TextPart::Param(number + 1)],
            Told::Inside(ty, inside) => (ty, inside),
        };
        let name = format!("{}@", self.model.types[ty].name);
        match inside {
            Base::Param(number) => vec![TextPart::Text(name), TextPart::Param(number + 1)],
            Base::Object(object) => {
                let place = self.model.objects[object].name.as_deref();
                vec![TextPart::Text(format!(
                    "{name}{}",
                    place.unwrap_or_default()
                ))]
            }
        }
    }

    /// The name of an action, with a number if it is not the first of this name.
    fn action_name(&self, rule: &Rule) -> String {
        let actions = self.model.rules.iter();
        let same = actions.filter(|r| r.kind == RuleKind::Action && r.name == rule.name);
        let before = same.take_while(|other| other.span != rule.span).count();
        match before {
            0 => rule.name.clone(),
            _ => format!("{}#{}", rule.name, before + 1),
        }
    }

    /// How the moves of an action are written where unnamed objects can be among their arguments.
    fn tell_action(&mut self, family: FamilyId, rule: &Rule) {
        let unnamed = |ty: usize| !self.inventory.unnamed[ty].is_empty();
        if !rule.params.iter().any(|param| unnamed(param.ty)) {
            return;
        }
        let player = Type::Elem(self.players());
        let object = Type::Elem(self.object());
        let args: Vec<Expr> = (1..=rule.params.len())
            .map(|number| Expr::local(LocalId::from(number), object.clone(), rule.span))
            .collect();
        let mut parts = vec![
            ToldPart::Value(Expr::local(LocalId(0), player, rule.span)),
            ToldPart::Text(format!(" {}", self.action_name(rule))),
        ];
        for told in &rule.told {
            parts.push(ToldPart::Text(" ".to_owned()));
            let inside = match *told {
                Told::Param(number) => {
                    let types = [rule.params[number].ty];
                    parts.extend(self.written(args[number].clone(), &types, &args[..number]));
                    continue;
                }
                Told::Inside(..) => self.told(told),
            };
            parts.extend(inside.into_iter().map(|part| match part {
                TextPart::Param(number) => ToldPart::Value(args[number - 1].clone()),
                TextPart::Text(text) => ToldPart::Text(text),
            }));
        }
        let of = TextOf::Family(family);
        self.out.game.tellings.push(Telling { of, parts });
    }

    /// The only player who can fulfil a rule, if it wants the owner of an object that keeps its owner.
    fn only_player(&self, rule: &Rule) -> Option<u32> {
        rule.require.iter().find_map(|require| match &require.test {
            Test::Owns {
                what:
                    What::Objects(Ref {
                        base: Base::Object(object),
                        steps,
                        ..
                    }),
                ..
            } if !require.not && steps.is_empty() => {
                let object = &self.model.objects[*object];
                let fixed =
                    !self.inventory.reowned[object.ty] && !self.inventory.deleted[object.ty];
                object.owner.filter(|_| fixed).map(|seat| seat as u32)
            }
            _ => None,
        })
    }

    fn player_source(&mut self, rule: &Rule) -> ParamSource {
        let (span, players) = (rule.span, self.players());
        let active = Expr::var(&self.out.game, self.ids.active, Vec::new(), span);
        match (self.only_player(rule), self.inventory.one_active) {
            (Some(seat), one) => {
                let player = Expr::elem(players, seat, span);
                let is_active = match one {
                    true => active.equals(player.clone()),
                    false => Expr::binary(BinaryOp::In, player.clone(), active),
                };
                let none = Expr::none(players, span);
                ParamSource::Is(Expr::select(is_active, player.some(), none))
            }
            (None, true) => ParamSource::Is(active),
            (None, false) => {
                let set = Type::Set(players);
                let doc = "The active players.";
                let func = self.function("actors", &[], Some(set), doc, span, |_, _| {
                    vec![Stmt::give(active)]
                });
                ParamSource::Generated(func)
            }
        }
    }

    /// The requirements that give candidates, at most one for each parameter.
    fn sources(&self, rule: &Rule) -> Vec<Source> {
        let mut found: Vec<Source> = Vec::new();
        for (index, require) in rule.require.iter().enumerate() {
            let Some((inner, outer)) = Self::is_in(require) else {
                continue;
            };
            let known = |other: &Ref, before: usize| match other.base {
                _ if other.is_multiple() => false,
                Base::Param(param) => param < before,
                Base::Object(object) => !self.inventory.deleted[self.model.objects[object].ty],
            };
            let plain = |reference: &Ref| match reference.base {
                Base::Param(param) if reference.steps.is_empty() => Some(param),
                _ => None,
            };
            let (param, other, is_container) = match (plain(inner), plain(outer)) {
                (Some(param), _) if known(outer, param) => (param, outer, false),
                (_, Some(param)) if known(inner, param) => (param, inner, true),
                _ => continue,
            };
            let source = Source {
                require: index,
                param,
                other: other.clone(),
                is_container,
            };
            if !found.iter().any(|known| known.param == source.param) {
                found.push(source);
            }
        }
        found
    }

    /// The two objects of a requirement that one is in the other.
    fn is_in(require: &Require) -> Option<(&Ref, &Ref)> {
        let (inner, outer) = match &require.test {
            Test::In {
                deep: false,
                inner,
                outer: What::Objects(outer),
            } => (inner, outer),
            Test::Contains {
                deep: false,
                outer,
                inner: What::Objects(inner),
                ..
            } => (inner, outer),
            _ => return None,
        };
        (!require.not).then_some((inner, outer))
    }

    fn param_source(&mut self, rule: &'a Rule, source: &Source) -> ParamSource {
        let span = rule.require[source.require].span;
        let object = Type::Elem(self.object());
        let ty = rule.params[source.param].ty;
        let number = |local: usize| Expr::local(LocalId::from(local), object.clone(), span);
        let env = Env {
            rule,
            player: Expr::local(LocalId(0), Type::Elem(self.players()), span),
            params: (1..=source.param).map(number).collect(),
            in_game: true,
        };
        if source.is_container {
            let mut outer = source.other.clone();
            outer.steps.push(Step::In);
            let outer = match self.objects(&env, &outer) {
                Objects::One(outer) => outer.some(),
                Objects::Perhaps(outer) | Objects::Many(outer, _) => outer,
            };
            return ParamSource::Is(outer);
        }
        let set = Type::Set(self.object());
        let params: Vec<(&str, Type)> = self.signature(rule)[..=source.param].to_vec();
        let name = format!("{} {}", rule.name, rule.params[source.param].name);
        let doc = "The candidates for a parameter.";
        let func = self.function(&name, &params, Some(set), doc, span, |lower, _| {
            let (outer, there) = match lower.objects(&env, &source.other) {
                Objects::Perhaps(outer) => (outer.clone().get(), Some(outer.is_some())),
                Objects::One(outer) | Objects::Many(outer, _) => (outer, None),
            };
            let contents = lower.contents(outer);
            let contents = vec![Stmt::give(lower.of_type(contents, ty))];
            let Some(there) = there else { return contents };
            let none = vec![Stmt::give(lower.no_objects(span))];
            vec![Stmt::branch(there, contents, none)]
        });
        ParamSource::Generated(func)
    }

    /// Whether a candidate may be played.
    fn guard(&mut self, rule: &'a Rule, used: &[Source]) -> FuncId {
        let span = rule.span;
        let name = format!("{} is possible", rule.name);
        let doc = format!("Whether the action `{}` is possible.", rule.name);
        let params = self.signature(rule);
        self.function(
            &name,
            &params,
            Some(Type::Bool),
            &doc,
            span,
            |lower, args| {
                let env = Env {
                    rule,
                    player: args[0].clone(),
                    params: args[1..].to_vec(),
                    in_game: true,
                };
                let mut out = Block::new();
                let tests = lower.binding_tests(&env, used);
                let mut test = all(tests, span);
                if let Some(first) = rule
                    .effects
                    .iter()
                    .find(|effect| !matches!(effect.kind, EffectKind::SetTimer(_)))
                    && let Some(possible) = lower.possible(&env, &first.kind)
                {
                    test = match test.as_const() {
                        Some(Const::Bool(true)) => possible,
                        _ => test.and(possible),
                    };
                }
                if lower.needs_trial(&env, rule) {
                    let refuse = vec![Stmt::give(Expr::bool(false, span))];
                    out.push(Stmt::branch(test.not(), refuse, Block::new()));
                    let body = lower.effects(&env, &rule.effects, Mode::Probe);
                    let ok = lower.local("ok", Type::Bool);
                    let trial = StmtKind::Trial {
                        body,
                        keep: false,
                        ok,
                        value: None,
                    };
                    out.push(Stmt::new(trial, span));
                    test = lower.get(ok, span);
                }
                out.push(Stmt::give(test));
                out
            },
        )
    }

    /// What a binding must fulfil, the tests of the first parameters first.
    fn binding_tests(&mut self, env: &Env<'a>, used: &[Source]) -> Vec<Expr> {
        let rule = env.rule;
        let mut tests: Vec<(usize, Expr)> = Vec::new();
        for (number, param) in rule.params.iter().enumerate() {
            let value = env.params[number].clone();
            let sourced = used
                .iter()
                .any(|source| source.is_container && source.param == number);
            if sourced {
                let fits = self.is_of_type(value.clone(), param.ty);
                tests.push((number + 1, fits));
            }
            for test in self.fresh(env, number) {
                tests.push((number + 1, test));
            }
            if self.has_same(param.ty) {
                let among = self.existing_unnamed(param.ty, rule.span);
                let earlier = &env.params[..number];
                let first = self.comes_first(value, among, earlier);
                tests.push((number + 1, first));
            }
        }
        for (index, require) in rule.require.iter().enumerate() {
            if used.iter().any(|source| source.require == index) {
                continue;
            }
            let test = self.requirement(env, require);
            tests.push((last_param(require), test));
        }
        tests.sort_by_key(|(last, _)| *last);
        tests.into_iter().map(|(_, test)| test).collect()
    }

    /// That a parameter is an object that exists and is none of the earlier ones.
    pub(super) fn fresh(&mut self, env: &Env<'_>, number: usize) -> Vec<Expr> {
        let rule = env.rule;
        let (ty, value) = (rule.params[number].ty, env.params[number].clone());
        let mut tests = Vec::new();
        if let Some(alive) = self.ids.alive.filter(|_| self.inventory.comes_and_goes(ty)) {
            let alive = Expr::var(&self.out.game, alive, Vec::new(), rule.span);
            tests.push(Expr::binary(BinaryOp::In, value.clone(), alive));
        }
        for (earlier, other) in rule.params[..number].iter().zip(&env.params) {
            if earlier.ty == ty {
                tests.push(value.clone().equals(other.clone()).not());
            }
        }
        tests
    }

    fn existing_unnamed(&self, ty: usize, span: Span) -> Expr {
        let members = self.slot_set(&self.inventory.unnamed[ty], span);
        match self.ids.alive {
            Some(alive) if self.inventory.comes_and_goes(ty) => {
                let alive = Expr::var(&self.out.game, alive, Vec::new(), span);
                Expr::binary(BinaryOp::Intersect, alive, members)
            }
            _ => members,
        }
    }
}

/// The number of parameters that must be known to test a requirement.
pub(super) fn last_param(require: &Require) -> usize {
    let of_ref = |reference: &Ref| match reference.base {
        Base::Param(param) => param + 1,
        Base::Object(_) => 0,
    };
    let of = |what: &What| match what {
        What::Type(_) => 0,
        What::Objects(reference) | What::TypesOf(reference) => of_ref(reference),
    };
    match &require.test {
        Test::In { inner, outer, .. } => of_ref(inner).max(of(outer)),
        Test::Contains { outer, inner, .. } => of_ref(outer).max(of(inner)),
        Test::Owns { what, .. } => of(what),
        Test::Timer => 0,
    }
}
