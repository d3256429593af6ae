//! Rules: move families, their guards, and what a move does.

mod definitions;
mod matching;

use indexmap::IndexMap;

use super::Lower;
use super::names::{Dom, Matches};
use super::tables::Key;
use super::value::{Mixed, Repr, Val};
use crate::ast::{Award, Expr as Ast, ExprKind as Kind, IntPattern, Rule};
use crate::ir::{
    Arm, BinaryOp as Ir, Block, Choose, Const, EndReason, Expr, ExprKind, FamilyId, FuncId,
    Function, LocalId, Over, Param, ParamSource, Stmt, StmtKind, TextPart, Type, WORK_BUDGET,
};
use crate::source::Span;

/// The value of a rule without an award to the player on move.
const NO_AWARD: i64 = -(1 << 40);

/// A rule with what its patterns match.
pub(super) struct Plan<'a> {
    rule: &'a Rule,
    element: Matches,
    from: Matches,
    to: Matches,
    /// Other rules that may match the same move, by number.
    rivals: Vec<usize>,
    /// Gives the targets, with `toLocations`.
    targets: Option<FuncId>,
    /// Whether it matches a move, all patterns included; only with rivals.
    matcher: Option<FuncId>,
    /// Its highest award for the player on move; only with rivals and awards.
    award: Option<FuncId>,
}

/// The parameters of a move.
#[derive(Clone, Copy)]
struct Triple {
    element: LocalId,
    from: LocalId,
    to: LocalId,
}

/// Tests that a candidate has to pass, and what it binds.
#[derive(Default)]
struct Tests {
    /// Values of the variables bound so far.
    bound: IndexMap<String, Expr>,
    /// All of them must hold.
    conditions: Vec<Expr>,
}

impl Tests {
    fn take(&mut self) -> Option<Expr> {
        std::mem::take(&mut self.conditions)
            .into_iter()
            .reduce(Expr::and)
    }
}

impl<'a> Lower<'a> {
    /// All rules with what their patterns match.
    pub(super) fn plans(&self) -> Vec<Plan<'a>> {
        let elements = || self.game.elements.values().map(|element| &element.name);
        let locations = || self.game.locations.values().map(|location| &location.name);
        let plan = |rule: &'a Rule| Plan {
            rule,
            element: Matches::of(&rule.element, elements()),
            from: Matches::of(&rule.from, locations()),
            to: Matches::of(&rule.to, locations()),
            rivals: Vec::new(),
            targets: None,
            matcher: None,
            award: None,
        };
        let mut plans: Vec<Plan<'a>> = self.game.rules.values().map(plan).collect();
        for at in 0..plans.len() {
            let rivals =
                (0..plans.len()).filter(|&other| other != at && meet(&plans[at], &plans[other]));
            plans[at].rivals = rivals.collect();
        }
        plans
    }

    /// The process: move after move, for ever.
    pub(super) fn process(&mut self) -> FuncId {
        let span = self.game.span;
        let mut plans = self.plans();
        let after = self.after_move();
        self.guarding = true;
        for plan in &mut plans {
            self.rule_functions(plan);
        }
        let families: Vec<FamilyId> = (0..plans.len()).map(|at| self.family(&plans, at)).collect();
        self.guarding = false;
        let mut arms = Vec::new();
        let mut moves = Vec::new();
        for (plan, family) in plans.iter().zip(families) {
            moves.push((family, self.play(plan, after)));
        }
        self.locals = Vec::new();
        for ((family, play), plan) in moves.into_iter().zip(&plans) {
            arms.push(self.arm(family, play, plan.rule.span));
        }
        let players = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
        let choose = StmtKind::Choose(Choose {
            players,
            arms,
            otherwise: None,
        });
        let body = vec![Stmt::new(choose, span)];
        let cond = Expr::bool(true, span);
        let forever = StmtKind::While {
            cond,
            bound: WORK_BUDGET,
            body,
        };
        let body = vec![Stmt::new(forever, span)];
        self.function(
            "process",
            0,
            None,
            body,
            "The whole game: one move after the other.",
            span,
        )
    }

    fn arm(&mut self, family: FamilyId, play: FuncId, span: Span) -> Arm {
        let [element, from, to] = self.triple_types();
        let bind = vec![
            self.local("element", element),
            self.local("from", from),
            self.local("to", to),
        ];
        let args = bind.iter().map(|&local| self.get(local, span)).collect();
        let body = vec![Stmt::call(play, args, None, span)];
        Arm {
            family,
            given: Vec::new(),
            bind,
            body,
        }
    }

    /// Adds a function made of the present local variables.
    pub(super) fn function(
        &mut self,
        name: &str,
        params: usize,
        ret: Option<Type>,
        body: Block,
        doc: &str,
        span: Span,
    ) -> FuncId {
        let locals = std::mem::take(&mut self.locals);
        let name = self.free_name(name);
        let doc = doc.to_owned();
        self.out.function(Function {
            name,
            params,
            locals,
            ret,
            body,
            doc,
            span,
        })
    }

    /// A name that no function has yet.
    fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| {
            self.out
                .game
                .functions
                .iter()
                .any(|function| function.name == name)
        };
        if !taken(name) {
            return name.to_owned();
        }
        let numbered = (2_u64..).map(|i| format!("{name}_{i}"));
        numbered
            .into_iter()
            .find(|name| !taken(name))
            .unwrap_or_default()
    }

    fn triple_types(&self) -> [Type; 3] {
        let place = Type::Elem(Dom::Location.id());
        [Type::Elem(Dom::Element.id()), place.clone(), place]
    }

    /// Starts a function of a move.
    fn start_move(&mut self) -> Triple {
        let [element, from, to] = self.triple_types();
        self.locals = Vec::new();
        Triple {
            element: self.local("element", element),
            from: self.local("from", from),
            to: self.local("to", to),
        }
    }

    fn rule_functions(&mut self, plan: &mut Plan<'a>) {
        let (rule, span) = (plan.rule, plan.rule.span);
        if rule.targets.is_some() {
            plan.targets = Some(self.targets(plan));
        }
        if plan.rivals.is_empty() {
            return;
        }
        let triple = self.start_move();
        let mut body = Block::new();
        self.match_move(plan, triple, true, &mut body);
        let doc = format!("Whether rule `{}` matches a move.", rule.name.node);
        let name = format!("{}_matches", rule.name.node);
        let matcher = self.function(&name, 3, Some(Type::Bool), body, &doc, span);
        plan.matcher = Some(matcher);
        if !rule.awards.is_empty() {
            plan.award = Some(self.award_function(plan, matcher));
        }
    }

    /// The highest award of a rule to the player on move.
    fn award_function(&mut self, plan: &Plan<'a>, matcher: FuncId) -> FuncId {
        let (rule, span) = (plan.rule, plan.rule.span);
        let triple = self.start_move();
        let mut body = Block::new();
        let args = self.args(triple, span);
        body.push(Stmt::call(matcher, args, None, span));
        let best = self.local("best", Type::INT);
        body.push(Stmt::assign(best, Expr::int(NO_AWARD, span)));
        for award in &rule.awards {
            let (player, amount) = self.award_values(award, &mut body);
            let mine = self.player_number(span).equals(player);
            let amount = Expr::binary(Ir::Max, self.get(best, span), amount.to_int());
            body.push(Stmt::branch(
                mine,
                vec![Stmt::assign(best, amount)],
                Block::new(),
            ));
        }
        body.push(Stmt::give(self.get(best, span)));
        let doc = format!(
            "The highest award of rule `{}` to the player on move.",
            rule.name.node
        );
        self.function(
            &format!("{}_award", rule.name.node),
            3,
            Some(Type::INT),
            body,
            &doc,
            span,
        )
    }

    fn award_values(&mut self, award: &'a Award, out: &mut Block) -> (Expr, Expr) {
        let mut vals = self.all(&[&award.player, &award.amount], out);
        let amount = vals.pop().unwrap_or(Val::Never);
        let player = vals.pop().unwrap_or(Val::Never);
        let player = self.convert(player, &Repr::Int, award.player.span, out);
        (
            player,
            self.convert(amount, &Repr::Int, award.amount.span, out),
        )
    }

    fn args(&self, triple: Triple, span: Span) -> Vec<Expr> {
        [triple.element, triple.from, triple.to]
            .iter()
            .map(|&local| self.get(local, span))
            .collect()
    }

    /// Whether an expression is true; what is no truth value is not.
    pub(super) fn is_true(&mut self, expr: &'a Ast, out: &mut Block) -> Expr {
        match self.any(expr, out) {
            Val::Bool(value) => value,
            Val::Tagged(value) | Val::Mixed(Mixed { scalar: value, .. }) => {
                let value = self.share(value, out);
                let fits = self.has_tag(Type::Bool, value.clone(), expr.span);
                fits.and(self.untag(value, Type::Bool, expr.span))
                    .at(expr.span)
            }
            other => {
                self.discard(other, out);
                Expr::bool(false, expr.span)
            }
        }
    }

    fn targets_type(&self) -> Type {
        Type::Set(Dom::Location.id())
    }

    /// The function that gives the targets of a rule with `toLocations`.
    fn targets(&mut self, plan: &Plan<'a>) -> FuncId {
        let (rule, span) = (plan.rule, plan.rule.span);
        let [element, from, _] = self.triple_types();
        self.locals = Vec::new();
        let element = self.local("element", element);
        let from = self.local("from", from);
        let ty = self.targets_type();
        let mut body = Block::new();
        let mut tests = Tests::default();
        let nothing = self.dummy(&ty, span);
        self.match_source(plan, (element, from), &mut tests, &mut body);
        self.match_numbers(plan, element, &mut tests, &nothing, &mut body);
        self.leave_unless(&mut tests, &nothing, span, &mut body);
        self.clear_lists(span, &mut body);
        if let Some(expr) = &rule.targets {
            let set = self.target_set(expr, &mut body);
            self.give_targets(set, &ty, expr.span, &mut body);
        }
        let doc = format!("The targets of rule `{}`.", rule.name.node);
        self.function(
            &format!("{}_targets", rule.name.node),
            2,
            Some(ty),
            body,
            &doc,
            span,
        )
    }

    /// The set that `toLocations` gives, as a sequence of locations or lists; moves follow the order of places.
    fn target_set(&mut self, expr: &'a Ast, out: &mut Block) -> Expr {
        let abs = self.types.of(expr);
        let lists = abs.set.as_ref().is_some_and(|item| item.list);
        let item = if lists {
            Repr::List
        } else {
            Repr::Text(Dom::Location, None)
        };
        let set = self.any(expr, out);
        self.convert(set, &Repr::Set(Box::new(item)), expr.span, out)
    }

    fn give_targets(&mut self, set: Expr, ty: &Type, span: Span, out: &mut Block) {
        let result = self.local("targets", ty.clone());
        let Type::Seq { item, .. } = &set.ty else {
            return;
        };
        let is_place = matches!(item.as_ref(), Type::Elem(_));
        let item = self.local("item", item.as_ref().clone());
        out.push(Stmt::assign(result, self.dummy(ty, span)));
        let place = match self.get(item, span) {
            place if is_place => place,
            list => self.target_of(list, span),
        };
        let one = Expr::new(ExprKind::SetOf(vec![place]), ty.clone(), span);
        let more = Expr::binary(Ir::Union, self.get(result, span), one);
        let block = vec![Stmt::assign(result, more)];
        out.push(Stmt::new(
            StmtKind::ForEach(item, Over::Seq(set), block),
            span,
        ));
        out.push(Stmt::give(self.get(result, span)));
    }

    /// The moves of a rule.
    fn family(&mut self, plans: &[Plan<'a>], at: usize) -> FamilyId {
        let plan = &plans[at];
        let (rule, span) = (plan.rule, plan.rule.span);
        let guard = self.guard(plans, at);
        let [element_ty, place_ty, _] = self.triple_types();
        let element = Expr::local(LocalId(0), element_ty.clone(), rule.from.span);
        let place = Expr::place_of(&self.out.game, self.ids.at, element);
        let param = |name: &str, ty: &Type, source| Param {
            name: name.to_owned(),
            ty: ty.clone(),
            source,
        };
        let to = match plan.targets {
            Some(func) => ParamSource::Generated(func),
            None => ParamSource::Among(plan.to.numbers()),
        };
        let params = vec![
            param(
                "element",
                &element_ty,
                ParamSource::Among(plan.element.numbers()),
            ),
            param("from", &place_ty, ParamSource::Is(place)),
            param("to", &place_ty, to),
        ];
        let class = self.class(span);
        let text = [0, 1, 2].into_iter().flat_map(|at| {
            let blank = (at > 0).then(|| TextPart::Text(" ".to_owned()));
            blank.into_iter().chain([TextPart::Param(at)])
        });
        self.out.family(crate::ir::Family {
            name: rule.name.node.clone(),
            context: Vec::new(),
            params,
            guard: Some(guard),
            after: None,
            effect: None,
            rank: None,
            class,
            text: text.collect(),
            span,
        })
    }

    /// What interchangeable moves have in common: the classes of the locations, and the kind of the element.
    fn class(&mut self, span: Span) -> Vec<Expr> {
        let kind = self.kind_table();
        let place = self.place_class_table();
        let [element, location, _] = self.triple_types();
        let param = |at: u32, ty: &Type| Expr::local(LocalId(at), ty.clone(), span);
        let game = &self.out.game;
        vec![
            Expr::lookup(game, kind, vec![param(0, &element)], span),
            Expr::lookup(game, place, vec![param(1, &location)], span),
            Expr::lookup(game, place, vec![param(2, &location)], span),
        ]
    }

    fn kind_table(&mut self) -> crate::ir::TableId {
        let mut kinds: IndexMap<(&str, i32), usize> = IndexMap::new();
        let mut values = Vec::new();
        for element in self.game.elements.values() {
            let next = kinds.len();
            let kind = *kinds
                .entry((&element.ty.node, element.state.node))
                .or_insert(next);
            values.push(Const::Int(kind as i64));
        }
        let ty = Type::Int {
            lo: 0,
            hi: kinds.len().max(1) as i64 - 1,
        };
        self.given(
            Key::Kind,
            "kind of Element",
            Dom::Element,
            ty,
            values,
            self.game.span,
        )
    }

    fn place_class_table(&mut self) -> crate::ir::TableId {
        let count = self.game.locations.len();
        let mut values = Vec::new();
        for (at, location) in self.game.locations.values().enumerate() {
            let ty = self.game.location_types.get_full(&location.ty.node);
            let class = match ty {
                Some((number, _, ty)) if !ty.relevant => count + number,
                _ => at,
            };
            values.push(Const::Int(class as i64));
        }
        let most = (count + self.game.location_types.len()).max(1) as i64 - 1;
        let ty = Type::Int { lo: 0, hi: most };
        self.given(
            Key::PlaceClass,
            "class of Location",
            Dom::Location,
            ty,
            values,
            self.game.span,
        )
    }

    /// Whether a move is one of a rule and of no rule that goes before it.
    fn guard(&mut self, plans: &[Plan<'a>], at: usize) -> FuncId {
        let plan = &plans[at];
        let (rule, span) = (plan.rule, plan.rule.span);
        let triple = self.start_move();
        let mut body = Block::new();
        if plan.matcher.is_none() {
            self.match_move(plan, triple, false, &mut body);
        } else {
            self.prevail(plans, at, triple, &mut body);
        }
        let doc = format!("Whether a move of rule `{}` is legal.", rule.name.node);
        self.function(
            &format!("{}_guard", rule.name.node),
            3,
            Some(Type::Bool),
            body,
            &doc,
            span,
        )
    }

    /// A move belongs to the matching rule with the highest award to the player on move, the first of them.
    fn prevail(&mut self, plans: &[Plan<'a>], at: usize, triple: Triple, out: &mut Block) {
        let plan = &plans[at];
        let span = plan.rule.span;
        let Some(matcher) = plan.matcher else { return };
        let leave = || vec![Stmt::give(Expr::bool(false, span))];
        let mine = self.try_out(matcher, triple, Type::Bool, span, out);
        out.push(Stmt::branch(mine.not(), leave(), Block::new()));
        for &other in &plan.rivals {
            let rival = &plans[other];
            let by_award = plan.award.is_some() || rival.award.is_some();
            let Some(matcher) = rival.matcher.filter(|_| by_award || other < at) else {
                continue;
            };
            let matches = self.try_out(matcher, triple, Type::Bool, span, out);
            let mut block = Block::new();
            let lost = match by_award {
                false => Expr::bool(true, span),
                true => {
                    let mut value = |award: Option<FuncId>| match award {
                        Some(award) => self.try_out(award, triple, Type::INT, span, &mut block),
                        None => Expr::int(NO_AWARD, span),
                    };
                    let (mine, theirs) = (value(plan.award), value(rival.award));
                    let before = if other < at { Ir::Ge } else { Ir::Gt };
                    Expr::binary(before, theirs, mine)
                }
            };
            block.push(Stmt::branch(lost, leave(), Block::new()));
            out.push(Stmt::branch(matches, block, Block::new()));
        }
        out.push(Stmt::give(Expr::bool(true, span)));
    }

    /// The value of a function of a move, evaluated in an environment of its own.
    fn try_out(
        &mut self,
        func: FuncId,
        triple: Triple,
        ty: Type,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let inner = self.local("tried", ty.clone());
        let value = self.local("value", ty.clone());
        let ok = self.local("ok", Type::Bool);
        out.push(Stmt::assign(value, self.dummy(&ty, span)));
        let trial = StmtKind::Trial {
            body: vec![Stmt::call(func, self.args(triple, span), Some(inner), span)],
            keep: false,
            ok,
            value: Some((self.get(inner, span), value)),
        };
        out.push(Stmt::new(trial, span));
        self.get(value, span)
    }

    /// What a move of a rule does.
    fn play(&mut self, plan: &Plan<'a>, after: Option<FuncId>) -> FuncId {
        let (rule, span) = (plan.rule, plan.rule.span);
        let triple = self.start_move();
        let mut body = Block::new();
        self.guarding = true;
        let pending = self.rematch(plan, triple, &mut body);
        self.guarding = false;
        for award in &rule.awards {
            self.award(award, &mut body);
        }
        let (element, to) = (self.get(triple.element, span), self.get(triple.to, span));
        body.push(Stmt::new(StmtKind::Put(self.ids.at, element, to), span));
        let mut followup = Block::new();
        if let Some(expr) = &rule.followup {
            self.effect(expr, &mut followup);
        }
        match pending {
            Some(call) => self.run_call(call, followup, span, &mut body),
            None => body.append(&mut followup),
        }
        if let Some(after) = after {
            body.push(Stmt::call(after, Vec::new(), None, span));
        }
        let doc = format!("What a move of rule `{}` does.", rule.name.node);
        self.function(
            &format!("{}_play", rule.name.node),
            3,
            None,
            body,
            &doc,
            span,
        )
    }

    /// Binds the variables of a rule as its guard did; gives the pending call of the move if the rule has such.
    fn rematch(&mut self, plan: &Plan<'a>, triple: Triple, out: &mut Block) -> Option<Expr> {
        let (rule, span) = (plan.rule, plan.rule.span);
        let mut tests = Tests::default();
        self.match_source(plan, (triple.element, triple.from), &mut tests, out);
        let mut pending = None;
        if let Some(expr) = &rule.targets {
            let lists = self.types.of(expr).set.is_some_and(|item| item.list);
            if lists {
                self.clear_lists(span, out);
                let set = self.target_set(expr, out);
                pending = Some(self.find_call(set, triple.to, span, out));
            } else {
                self.effect(expr, out);
            }
        }
        self.bind(
            &plan.to,
            Dom::Location,
            triple.to,
            rule.to.span,
            &mut tests,
            out,
        );
        for (pattern, is_state) in [(&rule.state, true), (&rule.player, false)] {
            match pattern {
                Some(IntPattern::Bind(var)) => {
                    let value = match is_state {
                        true => {
                            let element = self.get(triple.element, var.span);
                            let game = &self.out.game;
                            Expr::var(game, self.ids.state, vec![element], var.span).to_wrap()
                        }
                        false => self.player_number(var.span),
                    };
                    self.bind_value(&var.node, value, var.span, &mut tests, out);
                }
                Some(IntPattern::Equals(expr)) if self.has_effects(expr) => self.effect(expr, out),
                _ => {}
            }
        }
        if let Some(condition) = rule
            .condition
            .as_ref()
            .filter(|expr| self.has_effects(expr))
        {
            self.effect(condition, out);
        }
        pending
    }

    fn award(&mut self, award: &'a Award, out: &mut Block) {
        let (player, amount) = self.award_values(award, out);
        let player = self.player(player, award.player.span, out);
        let player = self.keep(player, out);
        let score = Expr::var(
            &self.out.game,
            self.ids.score,
            vec![player.clone()],
            award.amount.span,
        );
        let sum = Expr::binary(Ir::Add, score, amount);
        out.push(Stmt::set_var(self.ids.score, vec![player], sum));
    }

    /// What follows every move: scorings, then ends of the game.
    fn after_move(&mut self) -> Option<FuncId> {
        let game = self.game;
        if game.scorings.is_empty() && game.endings.is_empty() {
            return None;
        }
        self.locals = Vec::new();
        let mut body = Block::new();
        for scoring in &game.scorings {
            let mut block = Block::new();
            for award in &scoring.awards {
                self.award(award, &mut block);
            }
            self.when(&scoring.situation, block, &mut body);
        }
        for ending in &game.endings {
            let mut block = Block::new();
            self.end(&ending.winner, &mut block);
            self.when(&ending.situation, block, &mut body);
        }
        let doc = "What follows every move: scorings, then ends of the game.";
        Some(self.function("after_move", 0, None, body, doc, game.span))
    }

    fn when(&mut self, situation: &'a Ast, mut block: Block, out: &mut Block) {
        let test = self.is_true(situation, out);
        match test.as_const() {
            Some(Const::Bool(true)) => out.append(&mut block),
            _ => out.push(Stmt::branch(test, block, Block::new())),
        }
    }

    fn end(&mut self, winner: &'a Ast, out: &mut Block) {
        let span = winner.span;
        let players = self.out.game.players;
        let number = self.int(winner, out);
        let draw = Stmt::new(
            StmtKind::End {
                reason: EndReason::Draw,
                winners: Expr::constant(Const::Set(Vec::new()), Type::Set(players), span),
            },
            span,
        );
        if number.as_const() == Some(&Const::Int(0)) {
            out.push(draw);
            return;
        }
        let number = self.share(number, out);
        if number.as_const().is_none() && self.types.of(winner).int.is_none_or(|(lo, _)| lo <= 0) {
            let nobody = number.clone().equals(Expr::wrap(0, span)).at(span);
            out.push(Stmt::branch(nobody, vec![draw], Block::new()));
        }
        let player = self.player(number, span, out);
        let winners = Expr::new(ExprKind::SetOf(vec![player]), Type::Set(players), span);
        out.push(Stmt::new(
            StmtKind::End {
                reason: EndReason::Win,
                winners,
            },
            span,
        ));
    }
}

/// Whether two rules may match the same move, by what their patterns say.
fn meet(a: &Plan<'_>, b: &Plan<'_>) -> bool {
    let common = |a: &Matches, b: &Matches| {
        let others: rulec_ir::sorted::SortedSet<u32> = b.numbers().into_iter().collect();
        a.numbers().iter().any(|member| others.contains(member))
    };
    let apart = |a: &Option<IntPattern>, b: &Option<IntPattern>| match (number(a), number(b)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    };
    common(&a.element, &b.element)
        && common(&a.from, &b.from)
        && common(&a.to, &b.to)
        && !apart(&a.rule.state, &b.rule.state)
        && !apart(&a.rule.player, &b.rule.player)
}

/// The number of a pattern that is one.
fn number(pattern: &Option<IntPattern>) -> Option<i32> {
    match pattern {
        Some(IntPattern::Equals(Ast {
            kind: Kind::Int(value),
            ..
        })) => Some(*value),
        _ => None,
    }
}
