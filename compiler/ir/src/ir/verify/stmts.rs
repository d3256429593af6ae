//! Functions, families, identities, the machine, and the types of statements.

use super::types::Scope;
use super::*;
use crate::ir::effects::may_fault;

/// Where a block stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// What a `return` gives; nothing where there is none.
    ret: Option<&'a Type>,
    in_loop: bool,
    in_trial: bool,
    in_machine: bool,
    depth: u32,
}

impl<'a> Checker<'a> {
    /// A count of a member, of the items of a sequence, or of nothing in particular.
    fn counted(
        &mut self,
        counter: CounterId,
        member: Option<&'a Expr>,
        span: Span,
        scope: &mut Scope<'a>,
    ) {
        let Some(found) = self.find(&self.game.counters, counter.index(), "counter", span) else {
            return;
        };
        let ty = member.map(|member| self.expr(member, scope));
        let fits = match (found.axis, ty) {
            (None, None) => true,
            (Some(axis), Some(Some(Type::Elem(domain)))) => axis == domain,
            (Some(axis), Some(Some(Type::Seq { item, .. }))) => *item == Type::Elem(axis),
            (Some(_), Some(None)) => true,
            _ => false,
        };
        self.expect(fits, span, "what is counted does not fit the counter");
        // Expressions of types that were refused above are not looked into.
        if fits && let Some(member) = member {
            let mut fine = true;
            member.walk(&mut |inner| fine &= !may_fault(self.game, inner));
            self.expect(fine, span, "an expression that is counted may fault");
        }
    }

    pub(super) fn bodies(&mut self) {
        let game = self.game;
        self.find(
            &game.functions,
            game.process.index(),
            "function",
            Span::default(),
        );
        for function in &game.functions {
            self.item = format!("function `{}`", function.name);
            self.check_function(function);
        }
        for relation in &game.relations {
            self.item = format!("relation `{}`", relation.name);
            self.check_relation(relation);
        }
        for family in &game.families {
            self.item = format!("move family `{}`", family.name);
            self.check_family(family);
        }
        self.item.clear();
        self.check_classes();
        for family in &game.by_host {
            let found = self.find(
                &game.families,
                family.index(),
                "move family",
                Span::default(),
            );
            if let Some(family) = found {
                let plain = family.params.is_empty() && family.context.is_empty();
                let text = "a move of the host has parameters";
                self.expect(plain, family.span, text);
                let text = "a move of the host is not kept from the players";
                self.expect(family.guard.is_some(), family.span, text);
            }
        }
        for part in &game.parts {
            self.check_part(part);
        }
        for joined in &game.joined {
            self.check_joined(joined);
        }
        for identity in &game.identities {
            self.item = format!("identity `{}`", identity.name);
            self.check_identity(identity);
        }
        self.item = String::from("the texts of moves");
        self.check_tellings();
        for probe in &game.probes {
            self.item = format!("probe `{}`", probe.name);
            self.find(
                &game.functions,
                probe.func.index(),
                "function",
                Span::default(),
            );
        }
        if let Some(machine) = &game.machine {
            self.item = String::from("the machine");
            self.check_machine(machine);
        }
        self.item.clear();
        let count = match self.errors.is_empty() {
            true => crate::ir::count::move_count(game),
            false => Some(0),
        };
        let text = "the moves are more than 64 bits can number";
        self.expect(count.is_some(), Span::default(), text);
    }

    fn check_locals(&mut self, locals: &'a [Local], span: Span) -> bool {
        let mut known = true;
        for local in locals {
            known &= self.known_type(&local.ty, span);
        }
        known
    }

    fn check_function(&mut self, function: &'a Function) {
        let span = function.span;
        let known = self.check_locals(&function.locals, span);
        let declared = function.params <= function.locals.len();
        self.expect(
            declared,
            span,
            "there are more parameters than local variables",
        );
        if let Some(ret) = &function.ret {
            self.known_type(ret, span);
        }
        if !known || !declared {
            return;
        }
        let place = Place {
            ret: function.ret.as_ref(),
            in_loop: false,
            in_trial: false,
            in_machine: false,
            depth: 0,
        };
        let before = self.errors.len();
        let mut scope = Scope::function(&function.locals);
        self.block(&function.body, place, &mut scope);
        if self.errors.len() == before {
            self.flow_of_function(function);
        }
    }

    fn check_relation(&mut self, relation: &'a Relation) {
        let span = Span::default();
        let mut types = Vec::new();
        for domain in &relation.params {
            self.domain(*domain, span);
            types.push(Type::Elem(*domain));
        }
        self.expect(!types.is_empty(), span, "a relation has parameters");
        self.signature(
            relation.holds,
            &types,
            Some(&Type::Bool),
            "the predicate",
            span,
        );
    }

    /// Whether a function takes these arguments and gives a value of the type, if one is named.
    pub(super) fn signature(
        &mut self,
        func: FuncId,
        args: &[Type],
        ret: Option<&Type>,
        what: &str,
        span: Span,
    ) {
        let Some(function) = self.find(&self.game.functions, func.index(), "function", span) else {
            return;
        };
        let params = function.locals.iter().take(function.params);
        let fits = function.params == args.len()
            && params.zip(args).all(|(param, arg)| param.ty.contains(arg));
        let text = format_args!("{what} `{}` takes other arguments", function.name);
        self.expect(fits, span, text);
        if let Some(ret) = ret {
            let gives = function
                .ret
                .as_ref()
                .is_some_and(|given| ret.contains(given));
            let text = format_args!("{what} `{}` gives another type", function.name);
            self.expect(gives, span, text);
        }
    }

    /// Checks an expression outside functions and gives its type.
    pub(super) fn outer_expr(&mut self, expr: &'a Expr, types: &[Type]) -> Option<Type> {
        self.expr(expr, &mut Scope::outside(types))
    }

    /// Whether all families have as many class values of the same types, or none.
    fn check_classes(&mut self) {
        let classes = self.game.families.iter().filter(|f| !f.class.is_empty());
        let mut shape: Option<&Family> = None;
        for family in classes {
            let Some(first) = shape else {
                shape = Some(family);
                continue;
            };
            let same = first.class.len() == family.class.len()
                && first
                    .class
                    .iter()
                    .zip(&family.class)
                    .all(|(a, b)| a.ty.same_kind(&b.ty));
            let (name, other) = (&family.name, &first.name);
            let text = format_args!("the classes of moves `{name}` and `{other}` differ in shape");
            self.expect(same, family.span, text);
        }
    }

    fn check_parts(&mut self, parts: &Parts) {
        let (game, nowhere) = (self.game, Span::default());
        for id in &parts.vars {
            self.find(&game.vars, id.index(), "variable", nowhere);
        }
        for id in &parts.placements {
            self.find(&game.placements, id.index(), "placement", nowhere);
        }
        for id in &parts.snapshots {
            self.find(&game.snapshots, id.index(), "snapshot", nowhere);
        }
        for id in &parts.trails {
            self.find(&game.trails, id.index(), "trail", nowhere);
        }
    }

    fn check_identity(&mut self, identity: &'a Identity) {
        for term in &identity.terms {
            match term {
                IdentityTerm::Everything => {}
                IdentityTerm::Parts(parts) => self.check_parts(parts),
                IdentityTerm::Each {
                    domain,
                    when,
                    values,
                }
                | IdentityTerm::Bag {
                    domain,
                    when,
                    values,
                } => {
                    if self.domain(*domain, when.span).is_none() {
                        continue;
                    }
                    let member = [Type::Elem(*domain)];
                    let ty = self.outer_expr(when, &member);
                    let fits = ty.is_none_or(|ty| ty == Type::Bool);
                    self.expect(fits, when.span, "the condition is no truth value");
                    for value in values {
                        self.identity_value(value, &member);
                    }
                }
                IdentityTerm::Nest {
                    placement,
                    when,
                    values,
                } => self.check_nest(*placement, when, values),
                IdentityTerm::Value(value) if matches!(value.ty, Type::Set(_)) => {
                    self.outer_expr(value, &[]);
                }
                IdentityTerm::Value(value) => self.identity_value(value, &[]),
            }
        }
        for expr in terms(identity) {
            let (mut trail, mut alike) = (false, false);
            expr.walk(&mut |inner| {
                trail |= matches!(inner.kind, ExprKind::Seen(_));
                alike |= matches!(inner.kind, ExprKind::Alike(..));
            });
            self.expect(!trail, expr.span, "a trail is no part of an identity");
            self.expect(!alike, expr.span, "an identity asks what is alike");
        }
    }

    fn check_nest(&mut self, placement: PlacementId, when: &'a Expr, values: &'a [Expr]) {
        let span = when.span;
        let form = |form| form == PlacementForm::Many;
        let Some(placement) = self.placement(placement, span, form) else {
            return;
        };
        let nested = placement.pieces == placement.places;
        self.expect(nested, span, "the places of a nest are not its pieces");
        if self.domain(placement.pieces, span).is_none() {
            return;
        }
        let member = [Type::Elem(placement.pieces)];
        let ty = self.outer_expr(when, &member);
        let fits = ty.is_none_or(|ty| ty == Type::Bool);
        self.expect(fits, span, "the condition is no truth value");
        for value in values {
            self.identity_value(value, &member);
        }
    }

    /// Checks the texts that depend on positions.
    pub(super) fn check_tellings(&mut self) {
        let game = self.game;
        for telling in &game.tellings {
            let nowhere = Span::default();
            let params = match telling.of {
                TextOf::Family(family) => self
                    .find(&game.families, family.index(), "family", nowhere)
                    .map(|f| f.params.iter().map(|param| param.ty.clone()).collect()),
                TextOf::Draw(draw) => self
                    .find(&game.draws, draw.index(), "draw", nowhere)
                    .map(|draw| vec![draw.ty.clone()]),
            };
            if let Some(params) = params {
                self.check_told(&telling.parts, &params);
            }
        }
    }

    fn check_told(&mut self, parts: &'a [ToldPart], known: &[Type]) {
        for part in parts {
            match part {
                ToldPart::Text(_) => {}
                ToldPart::Value(value) => {
                    let ty = self.outer_expr(value, known);
                    let fits = ty.is_none_or(|ty| ty.is_scalar());
                    self.expect(fits, value.span, "a text shows scalars");
                }
                ToldPart::When(cond, parts) => {
                    let ty = self.outer_expr(cond, known);
                    let fits = ty.is_none_or(|ty| ty == Type::Bool);
                    self.expect(fits, cond.span, "the condition is no truth value");
                    self.check_told(parts, known);
                }
                ToldPart::Each(local, set, parts) => {
                    let text = "the variable of a text is not the next one";
                    self.expect(local.index() == known.len(), set.span, text);
                    match self.outer_expr(set, known) {
                        Some(Type::Set(domain)) => {
                            let mut known = known.to_vec();
                            known.push(Type::Elem(domain));
                            self.check_told(parts, &known);
                        }
                        Some(_) => self.error(set.span, "a text goes through no set"),
                        None => {}
                    }
                }
            }
        }
    }

    fn identity_value(&mut self, value: &'a Expr, member: &[Type]) {
        if let Some(ty) = self.outer_expr(value, member) {
            self.expect(ty.is_scalar(), value.span, "an identity compares scalars");
        }
    }

    fn check_machine(&mut self, machine: &'a Machine) {
        let nowhere = Span::default();
        for var in &machine.saved {
            let found = self.find(&self.game.vars, var.index(), "variable", nowhere);
            let plain = found.is_none_or(|var| var.axes.is_empty());
            self.expect(plain, nowhere, "a saved variable has indexes");
        }
        let process = self.game.functions.get(self.game.process.index());
        let span = process.map_or(nowhere, |process| process.span);
        if !self.check_locals(&machine.locals, span) {
            return;
        }
        let place = Place {
            ret: None,
            in_loop: false,
            in_trial: false,
            in_machine: true,
            depth: 0,
        };
        let before = self.errors.len();
        let mut scope = Scope::function(&machine.locals);
        self.block(&machine.start, place, &mut scope);
        for point in &machine.points {
            match point {
                Point::Choose(choose) => self.choose(choose, span, place, &mut scope),
                Point::Chance(chance, block) => {
                    self.chance(chance, span, &mut scope);
                    self.block(block, place, &mut scope);
                }
            }
        }
        if self.errors.len() == before {
            self.flow_of_machine(machine, span);
        }
    }

    fn block(&mut self, block: &'a [Stmt], place: Place<'a>, scope: &mut Scope<'a>) {
        if place.depth > MAX_NESTING {
            let span = block.first().map_or(Span::default(), |stmt| stmt.span);
            let text = format_args!("it nests deeper than {MAX_NESTING}");
            return self.error(span, text);
        }
        let place = Place {
            depth: place.depth + 1,
            ..place
        };
        for stmt in block {
            self.stmt(stmt, place, scope);
        }
    }

    /// Checks that what is known of a piece that is brought somewhere names members, in order.
    fn arrival(&mut self, known: &Arrival, placement: &Placement, span: Span) {
        let lists = [
            (&known.pieces, placement.pieces),
            (&known.from, placement.places),
            (&known.to, placement.places),
        ];
        for (list, domain) in lists {
            let len = self.game.domain(domain).len();
            let ordered = list.is_sorted_by(|a, b| a < b);
            let fits = list.last().is_none_or(|last| (*last as usize) < len);
            let text = "what is known of a piece that is brought names no members, or not in order";
            self.expect(ordered && fits, span, format_args!("{text}"));
        }
    }

    fn local(&mut self, id: LocalId, span: Span, scope: &Scope<'a>) -> Option<Type> {
        let local = scope.locals.get(id.index());
        let text = format_args!("there is no local variable {}", id.0);
        self.expect(local.is_some(), span, text);
        local.map(|local| local.ty.clone())
    }

    /// Whether a local variable admits every value of a type.
    fn receives(&mut self, id: LocalId, ty: &Type, span: Span, scope: &Scope<'a>) {
        if let Some(local) = self.local(id, span, scope)
            && !local.contains(ty)
        {
            let (given, wanted) = (self.type_text(ty), self.type_text(&local));
            let text = format!("a variable of type {wanted} receives a value of type {given}");
            self.error(span, text);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt, place: Place<'a>, scope: &mut Scope<'a>) {
        let span = stmt.span;
        let game = self.game;
        match &stmt.kind {
            StmtKind::Let(local, value) => match self.local(*local, span, scope) {
                Some(ty) => self.expr_of(value, &ty, scope, "the value"),
                None => self.member(value, None, scope, "the value"),
            },
            StmtKind::SetEnv(var, value) => {
                let var = self.find(&game.env, var.index(), "variable of the environment", span);
                match var {
                    Some(var) => self.expr_of(value, &var.ty, scope, "the value"),
                    None => self.member(value, None, scope, "the value"),
                }
            }
            StmtKind::SetVar(id, index, value) => {
                let var = self.find(&game.vars, id.index(), "variable", span);
                self.index(
                    var.map(|var| var.axes.as_slice()),
                    index,
                    false,
                    span,
                    scope,
                );
                match var {
                    Some(var) => self.expr_of(value, &var.ty, scope, "the value"),
                    None => self.member(value, None, scope, "the value"),
                }
            }
            StmtKind::Put(id, piece, at) | StmtKind::Bring(id, piece, at, _) => {
                let bring = match &stmt.kind {
                    StmtKind::Bring(_, _, _, known) => Some(known),
                    _ => None,
                };
                let placement = self.placement(*id, span, |form| match bring {
                    Some(_) => form == PlacementForm::One,
                    None => form != PlacementForm::Anonymous,
                });
                self.member(
                    piece,
                    placement.map(|p| Type::Elem(p.pieces)),
                    scope,
                    "the piece",
                );
                self.member(
                    at,
                    placement.map(|p| Type::Elem(p.places)),
                    scope,
                    "the place",
                );
                if let (Some(known), Some(placement)) = (bring, placement) {
                    self.arrival(known, placement, span);
                }
            }
            StmtKind::Take(id, piece) => {
                let placement = self.placement(*id, span, |form| form != PlacementForm::Anonymous);
                self.member(
                    piece,
                    placement.map(|p| Type::Elem(p.pieces)),
                    scope,
                    "the piece",
                );
            }
            StmtKind::SetContent(id, at, kind) => {
                let placement = self.placement(*id, span, |form| form == PlacementForm::Anonymous);
                self.member(
                    at,
                    placement.map(|p| Type::Elem(p.places)),
                    scope,
                    "the place",
                );
                self.member(
                    kind,
                    placement.map(|p| Type::Opt(p.pieces)),
                    scope,
                    "the kind",
                );
            }
            StmtKind::If(cond, yes, no) => {
                self.bool(cond, scope, "the condition");
                self.block(yes, place, scope);
                self.block(no, place, scope);
            }
            StmtKind::For { .. }
            | StmtKind::ForEach(..)
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue => self.loops(stmt, place, scope),
            _ => self.stmt_more(stmt, place, scope),
        }
    }

    fn loops(&mut self, stmt: &'a Stmt, place: Place<'a>, scope: &mut Scope<'a>) {
        let span = stmt.span;
        let inside = Place {
            in_loop: true,
            ..place
        };
        match &stmt.kind {
            StmtKind::For {
                local,
                from,
                to,
                body,
                charged,
                ..
            } => {
                let from_range = self.integer(from, scope, "the first integer");
                let to_range = self.integer(to, scope, "the last integer");
                if let Some(((a, b), (c, d))) = from_range.zip(to_range) {
                    let (lo, hi) = (a.min(c), b.max(d));
                    self.receives(*local, &Type::Int { lo, hi }, span, scope);
                    let rounds = i128::from(hi) - i128::from(lo) + 1;
                    let text = format_args!("more than {MAX_ROUNDS} rounds must be charged");
                    // The rounds of a machine are bounded by counters of its own.
                    let bounded = *charged || rounds <= MAX_ROUNDS || self.game.machine.is_some();
                    self.expect(bounded, span, text);
                }
                self.block(body, inside, scope);
            }
            StmtKind::ForEach(local, over, body) => {
                if let Some((item, _)) = self.over(over, span, scope) {
                    self.receives(*local, &item, span, scope);
                }
                self.block(body, inside, scope);
            }
            StmtKind::While { cond, body, .. } => {
                self.bool(cond, scope, "the condition");
                self.block(body, inside, scope);
            }
            _ => self.expect(
                place.in_loop,
                span,
                "there is no loop here to leave or go on with",
            ),
        }
    }

    fn stmt_more(&mut self, stmt: &'a Stmt, place: Place<'a>, scope: &mut Scope<'a>) {
        let span = stmt.span;
        let game = self.game;
        match &stmt.kind {
            StmtKind::Call { func, args, into } => {
                let function = self.arguments(*func, args, span, scope);
                if let (Some(function), Some(into)) = (function, into) {
                    match &function.ret {
                        Some(ret) => self.receives(*into, ret, span, scope),
                        None => self.error(span, "the function gives no value to receive"),
                    }
                }
            }
            StmtKind::Return(value) => {
                self.expect(!place.in_trial, span, "a trial is not left by `return`");
                match (value, place.ret) {
                    (Some(value), Some(ret)) => self.expr_in(value, ret, scope, "the value"),
                    (Some(value), None) => {
                        self.expr(value, scope);
                        self.error(span, "a value is returned where none is expected");
                    }
                    (None, Some(_)) => self.error(span, "a value must be returned"),
                    (None, None) => {}
                }
            }
            StmtKind::Emit(Emit::Count(counter, member)) => {
                self.counted(*counter, member.as_ref(), span, scope);
            }
            StmtKind::Emit(_) => stmt.children(&mut |expr| {
                self.expr(expr, scope);
            }),
            StmtKind::End { winners, .. } => {
                let players = Type::Set(game.players);
                self.expr_in(winners, &players, scope, "the winners");
            }
            StmtKind::Trial {
                body, ok, value, ..
            } => {
                self.receives(*ok, &Type::Bool, span, scope);
                let inside = Place {
                    in_loop: false,
                    in_trial: true,
                    ..place
                };
                self.block(body, inside, scope);
                if let Some((value, into)) = value
                    && let Some(ty) = self.expr(value, scope)
                {
                    self.receives(*into, &ty, span, scope);
                }
            }
            StmtKind::Snapshot(slot) | StmtKind::Restore(slot) => {
                self.find(&game.snapshots, slot.index(), "snapshot", span);
            }
            StmtKind::Note(trail) | StmtKind::Forget(trail) => {
                self.find(&game.trails, trail.index(), "trail", span);
            }
            StmtKind::Keep(question) => {
                let is_call = matches!(question.kind, ExprKind::Call(..));
                self.expect(is_call, span, "what is kept is the answer of a function");
                self.expr(question, scope);
            }
            StmtKind::Choose(choose) => {
                self.expect(!place.in_machine, span, "a machine stops at points only");
                self.choose(choose, span, place, scope);
            }
            StmtKind::Chance(chance) => {
                self.expect(!place.in_machine, span, "a machine stops at points only");
                self.chance(chance, span, scope);
            }
            StmtKind::Stop(point) => match &game.machine {
                Some(machine) => {
                    self.find(&machine.points, point.index(), "point", span);
                }
                None => self.error(span, "only a machine has points to stop at"),
            },
            _ => {}
        }
    }

    fn choose(&mut self, choose: &'a Choose, span: Span, place: Place<'a>, scope: &mut Scope<'a>) {
        let game = self.game;
        if let Some(ty) = self.expr(&choose.players, scope) {
            let players = [Type::Elem(game.players), Type::Set(game.players)];
            let text = "who decides is neither a player nor a set of players";
            self.expect(players.contains(&ty), choose.players.span, text);
        }
        self.expect(
            !choose.arms.is_empty(),
            span,
            "there is nothing to choose from",
        );
        let mut families = SortedSet::new();
        for arm in &choose.arms {
            let family = self.find(&game.families, arm.family.index(), "move family", span);
            let once = families.insert(arm.family);
            self.expect(once, span, "a decision has two arms for one move family");
            if let Some(family) = family {
                self.arm(arm, family, span, scope);
            }
            self.block(&arm.body, place, scope);
        }
        if let Some(otherwise) = &choose.otherwise {
            self.block(otherwise, place, scope);
        }
    }

    fn arm(&mut self, arm: &'a Arm, family: &'a Family, span: Span, scope: &mut Scope<'a>) {
        let fits = arm.given.len() == family.context.len();
        let text = format_args!("the context of `{}` has another size", family.name);
        self.expect(fits, span, text);
        for (given, context) in arm.given.iter().zip(&family.context) {
            self.expr_in(given, &context.ty, scope, "a value for the context");
        }
        let fits = arm.bind.len() == family.params.len();
        let text = format_args!("`{}` has another number of parameters to bind", family.name);
        self.expect(fits, span, text);
        let distinct: SortedSet<&LocalId> = arm.bind.iter().collect();
        let text = "a variable is bound to two parameters";
        self.expect(distinct.len() == arm.bind.len(), span, text);
        for (local, param) in arm.bind.iter().zip(&family.params) {
            self.receives(*local, &param.ty, span, scope);
        }
    }

    fn chance(&mut self, chance: &'a Chance, span: Span, scope: &mut Scope<'a>) {
        let draw = self.find(&self.game.draws, chance.draw.index(), "draw", span);
        if let Some(draw) = draw {
            self.receives(chance.into, &draw.ty, span, scope);
        }
        let drawn = match &chance.dist {
            Distribution::Uniform(from, to) => {
                self.integer(from, scope, "the first integer");
                self.integer(to, scope, "the last integer");
                Some(Type::INT)
            }
            Distribution::Weighted {
                local,
                over,
                weight,
            } => self.over(over, span, scope).map(|(item, _)| {
                self.bind(*local, &item, span, scope);
                self.integer(weight, scope, "the weight");
                scope.bound.pop();
                item
            }),
        };
        if let Some((draw, drawn)) = draw.zip(drawn) {
            let text = "what is drawn has another type than the draw";
            self.expect(draw.ty.same_kind(&drawn), span, text);
        }
    }
}

/// The expressions of an identity.
pub(super) fn terms(identity: &Identity) -> Vec<&Expr> {
    let mut exprs = Vec::new();
    for term in &identity.terms {
        match term {
            IdentityTerm::Everything | IdentityTerm::Parts(_) => {}
            IdentityTerm::Each { when, values, .. }
            | IdentityTerm::Bag { when, values, .. }
            | IdentityTerm::Nest { when, values, .. } => {
                exprs.push(when);
                exprs.extend(values);
            }
            IdentityTerm::Value(value) => exprs.push(value),
        }
    }
    exprs
}
