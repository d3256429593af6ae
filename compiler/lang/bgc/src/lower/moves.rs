//! Move families of simple movements, and the targets of each figure.

use super::Lower;
use super::exprs::At;
use super::formula::Formula;
use super::program::{Do, Program, Ray, any, any_missing};
use crate::ast::{Pass, StateKind};
use crate::ir::builder::FunctionBuilder;
use crate::ir::{
    BinaryOp, DomainId, Expr, ExprKind, Family, FamilyId, FuncId, Local, Param, ParamSource, Stmt,
    TextPart, Type, WalkGive,
};
use crate::source::Span;

/// The moves of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Arms {
    pub(super) list: Vec<Arm>,
    /// The function that tells whether the position after a move is allowed.
    pub(super) after: Option<FuncId>,
}

/// A family with what it does.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) family: FamilyId,
    /// The effect, a function of the arguments; it tells whether the figure may go on if `continues`.
    pub(super) play: FuncId,
    pub(super) choice: Option<DomainId>,
    pub(super) continues: bool,
    /// Whether its moves can begin or go on with a chain.
    pub(super) bound: bool,
    pub(super) priority: i64,
    /// The targets of a figure.
    pub(super) targets: FuncId,
    pub(super) kind: usize,
    /// Whether it is of a simple movement.
    pub(super) simple: bool,
    /// The cells from which it is possible at all, if not all.
    pub(super) possible: Option<Vec<bool>>,
}

/// The part of a program that is one family: with or without a choice.
pub(super) struct Variant {
    pub(super) extra: Formula,
    pub(super) known: Vec<(Formula, bool)>,
    pub(super) choice: Option<Vec<usize>>,
}

/// The parts of a way to move: one for each choice, and what is left.
pub(super) fn variants(sets: &[&super::program::Set]) -> Vec<Variant> {
    let mut known: Vec<(Formula, bool)> = Vec::new();
    let mut all = Vec::new();
    for set in sets.iter().filter(|set| !set.cancels) {
        let choice = set.actions.iter().find_map(|action| match action {
            Do::Choose(kinds) => Some(kinds.clone()),
            _ => None,
        });
        let Some(choice) = choice else { continue };
        let before = known.iter().map(|(formula, _)| formula.clone().negated());
        let extra = Formula::and(before.chain([set.when.clone()]).collect::<Vec<_>>());
        let mut facts = known.clone();
        facts.push((set.when.clone(), true));
        if extra != Formula::False {
            all.push(Variant {
                extra,
                known: facts,
                choice: Some(choice),
            });
        }
        known.push((set.when.clone(), false));
    }
    let rest = known.iter().map(|(formula, _)| formula.clone().negated());
    let extra = Formula::and(rest.collect::<Vec<_>>());
    if extra != Formula::False {
        all.push(Variant {
            extra,
            known,
            choice: None,
        });
    }
    all
}

impl Lower<'_> {
    /// Makes all move families.
    pub(super) fn families(&mut self) {
        for player in 0..self.game.players.len() {
            let after = self.after(player);
            self.arms.push(Arms {
                list: Vec::new(),
                after,
            });
            for kind in self.kinds_of(player) {
                for program in self.programs[kind].clone() {
                    self.program_families(player, &program);
                }
                self.complex_families(player, kind);
            }
            self.chain_bodies(player);
        }
    }

    pub(super) fn kinds_of(&self, player: usize) -> Vec<usize> {
        let name = &self.game.players[player].node;
        let kinds = self.names.kinds.iter().enumerate();
        kinds
            .filter(|(_, (owner, _))| owner == name)
            .map(|(kind, _)| kind)
            .collect()
    }

    /// The priorities at which figures of a player may go on.
    pub(super) fn chains(&self, player: usize) -> Vec<i64> {
        let kinds = self.kinds_of(player);
        let programs = kinds.iter().flat_map(|kind| &self.programs[*kind]);
        let mut all: Vec<i64> = programs
            .filter(|program| program.continues())
            .map(|program| program.priority)
            .collect();
        if self.complex_continues() {
            all.push(0);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether moves of different rank meet.
    pub(super) fn has_ranks(&self) -> bool {
        let mut programs = self.programs.iter().flatten();
        let mut states = self.game.states.values();
        self.game.longest_chains
            || programs.any(|program| program.priority != 0)
            || states.any(|state| {
                matches!(
                    state.kind,
                    StateKind::Move {
                        pass: Pass::IfStuck,
                        ..
                    }
                )
            })
    }

    fn program_families(&mut self, player: usize, program: &Program) {
        let sets: Vec<&super::program::Set> = program.destination.iter().collect();
        for variant in variants(&sets) {
            let bound = self.chains(player).contains(&program.priority);
            let targets = self.targets(program, &variant.extra);
            let targets = self.without_earlier(program, targets);
            if program.takes.is_some() {
                self.taking.push((program.kind, program.vectors(), targets));
            }
            let play = self.play(program, &variant);
            let to = ParamSource::Generated(targets);
            self.add_family(
                player,
                NewFamily {
                    kind: program.kind,
                    priority: program.priority,
                    to,
                    from: None,
                    guard: None,
                    targets,
                    play,
                    choice: variant.choice,
                    continues: program.continues(),
                    bound,
                    span: program.span,
                },
            );
        }
    }

    /// Targets without those where an earlier entry that must take on the way decides.
    fn without_earlier(&mut self, program: &Program, targets: FuncId) -> FuncId {
        let vectors = program.vectors();
        let meets = |(kind, theirs, _): &&(usize, Vec<Vec<i64>>, FuncId)| {
            *kind == program.kind && theirs.iter().any(|vector| vectors.contains(vector))
        };
        let earlier = self.taking.iter().filter(meets);
        let earlier: Vec<FuncId> = earlier.map(|(_, _, func)| *func).collect();
        // Choices of one way to move are apart by their conditions.
        if earlier.is_empty() || program.takes.is_some() {
            return targets;
        }
        let span = program.span;
        let name = self.free_function(&format!("rest of {}", self.b.game.function(targets).name));
        let mut f = FunctionBuilder::new(&name, Some(Type::Set(self.cell)), span);
        let from = f.param("from", Type::Elem(self.cell));
        let of =
            |lower: &Self, func: FuncId| Expr::call(&lower.b.game, func, vec![f.get(from)], span);
        let rest = earlier.into_iter().fold(of(self, targets), |rest, func| {
            Expr::binary(BinaryOp::Minus, rest, of(self, func))
        });
        self.b.function(f.body(vec![Stmt::give(rest)]))
    }

    pub(super) fn add_family(&mut self, player: usize, new: NewFamily) {
        let (owner, figure) = self.names.kinds[new.kind].clone();
        let name = self.free_family(&format!("{owner} {figure}"));
        let span = new.span;
        let cell = Type::Elem(self.cell);
        let from = self.sources_of(&name, player, &new);
        let mut params = vec![
            Param {
                name: "from".to_owned(),
                ty: cell.clone(),
                source: ParamSource::Generated(from),
            },
            Param {
                name: "to".to_owned(),
                ty: cell,
                source: new.to.clone(),
            },
        ];
        let mut text = vec![
            TextPart::Param(0),
            TextPart::Text(" ".to_owned()),
            TextPart::Param(1),
        ];
        let figures = new.choice.is_some().then(|| self.figures());
        if let (Some(choice), Some(domain)) = (&new.choice, figures) {
            let number = |kind: &usize| {
                let figure = self.names.kinds[*kind].1.as_str();
                let number = self.game.figures.get_index_of(figure);
                debug_assert!(number.is_some(), "`{figure}` is a figure of the game");
                number.unwrap_or(0) as u32
            };
            let mut among: Vec<u32> = choice.iter().map(number).collect();
            among.sort_unstable();
            among.dedup();
            params.push(Param {
                name: "choice".to_owned(),
                ty: Type::Elem(domain),
                source: ParamSource::Among(among),
            });
            text.push(TextPart::Text(" =".to_owned()));
            text.push(TextPart::Param(2));
        }
        let locals = |family: &Family| -> Vec<Local> {
            let params = family.params.iter().map(|param| Local {
                name: param.name.clone(),
                ty: param.ty.clone(),
            });
            params.collect()
        };
        let mut family = Family {
            name: name.clone(),
            context: Vec::new(),
            params,
            guard: None,
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text,
            span,
        };
        let all = locals(&family);
        let simple = new.guard.is_none();
        family.guard = new
            .guard
            .map(|guard| self.forward(&format!("may {name}"), &all, guard, span));
        family.after = self.arms[player]
            .after
            .map(|after| self.forward(&format!("after {name}"), &all, after, span));
        family.effect = family.after.is_some().then_some(new.play);
        if self.has_ranks() {
            family.rank = Some(self.rank(&format!("rank {name}"), &all, player, &new));
        }
        let family = self.b.family(family);
        self.arms[player].list.push(Arm {
            family,
            play: new.play,
            choice: figures,
            continues: new.continues,
            bound: new.bound,
            priority: new.priority,
            targets: new.targets,
            kind: new.kind,
            simple,
            possible: new.from,
        });
    }

    /// The domain of the names of figures, made when it is needed first.
    pub(super) fn figures(&mut self) -> DomainId {
        let domains = &self.b.game.domains;
        if let Some(known) = domains.iter().position(|domain| domain.name == "Figure") {
            return DomainId::from(known);
        }
        let names = self.game.figures.keys().cloned().collect();
        self.b.names("Figure", names, self.game.span)
    }

    fn free_family(&self, name: &str) -> String {
        let taken = |name: &str| {
            self.b
                .game
                .families
                .iter()
                .any(|family| family.name == name)
        };
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_default()
    }

    /// A function of the parameters of a family that gives a constant.
    pub(super) fn constant(&mut self, name: &str, params: &[Local], value: Expr) -> FuncId {
        let mut f = FunctionBuilder::new(name, Some(value.ty.clone()), value.span);
        for param in params {
            f.param(&param.name, param.ty.clone());
        }
        self.b.function(f.body(vec![Stmt::give(value)]))
    }

    /// A function of the parameters of a family that asks another one about the last of them it takes.
    fn forward(&mut self, name: &str, params: &[Local], func: FuncId, span: Span) -> FuncId {
        let mut f = FunctionBuilder::new(name, Some(Type::Bool), span);
        let mut args = Vec::new();
        for param in params {
            let local = f.param(&param.name, param.ty.clone());
            if param.name != "choice" {
                args.push(f.get(local));
            }
        }
        args.truncate(self.b.game.function(func).params);
        let value = Expr::call(&self.b.game, func, args, span);
        self.b.function(f.body(vec![Stmt::give(value)]))
    }

    /// The cells from which figures of a kind may move now.
    fn sources_of(&mut self, name: &str, player: usize, new: &NewFamily) -> FuncId {
        let span = self.span();
        let set = Type::Set(self.cell);
        let f = FunctionBuilder::new(&format!("sources {name}"), Some(set.clone()), span);
        let mut places = self.places(new.kind, span);
        if let Some(among) = &new.from {
            let among = self.cells(among, span);
            places = Expr::binary(BinaryOp::Intersect, places, among);
        }
        if let (Some(chain), false) = (self.vars.chain, self.chains(player).is_empty()) {
            let chain = self.set_var(chain, span);
            let mut hop = self.empty_set(span);
            if new.bound {
                let one = Expr::new(ExprKind::SetOf(vec![chain.clone().get()]), set, span);
                hop = Expr::binary(BinaryOp::Intersect, one, places.clone());
                if let Some(rank) = self.vars.rank {
                    let rank = self.set_var(rank, span);
                    let same = rank.equals(Expr::int(new.priority, span));
                    hop = Expr::select(same, hop, self.empty_set(span));
                }
            }
            places = Expr::select(chain.is_some(), hop, places);
        }
        let now = self.is_one_of(|node| node.player == player, span);
        let value = Expr::select(now, places, self.empty_set(span));
        self.b.function(f.body(vec![Stmt::give(value)]))
    }

    /// The function that gives the targets of a figure on a cell.
    fn targets(&mut self, program: &Program, extra: &Formula) -> FuncId {
        let span = program.span;
        let (owner, figure) = &self.names.kinds[program.kind];
        let name = self.free_function(&format!("targets {owner} {figure}"));
        let doc = format!("Where a {figure} of {owner} may go from a cell.");
        let set = Type::Set(self.cell);
        let mut f = FunctionBuilder::new(&name, Some(set.clone()), span).doc(doc);
        let from = f.param("from", Type::Elem(self.cell));
        let at = At {
            kind: program.kind,
            from: f.get(from),
            like: None,
            span,
        };
        let free = any(&program.destination, true).negated();
        let matched = any(&program.destination, false);
        let mut whens: Vec<Formula> = Vec::new();
        for ray in &program.rays {
            if !whens.contains(&ray.when) {
                whens.push(ray.when.clone());
            }
        }
        let mut parts = Vec::new();
        for when in whens {
            let rays: Vec<&Ray> = program.rays.iter().filter(|ray| ray.when == when).collect();
            if self.recursive {
                let accept = Formula::and([free.clone(), extra.clone()]);
                for ray in rays {
                    let tests = (&when, &accept, &matched);
                    parts.push(self.targets_one_by_one(program, ray, tests, &at, &mut f));
                }
                continue;
            }
            let accept = Formula::and([free.clone(), when, extra.clone()]);
            parts.extend(self.part(program, &rays, (&accept, &matched), &at, &mut f));
        }
        let union = |a, b| Expr::binary(BinaryOp::Union, a, b);
        let all = parts.into_iter().reduce(union);
        let all = all.unwrap_or_else(|| self.empty_set(span));
        self.b.function(f.body(vec![Stmt::give(all)]))
    }

    pub(super) fn free_function(&self, name: &str) -> String {
        let taken = |name: &str| self.b.game.functions.iter().any(|func| func.name == name);
        let numbered = (2..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_default()
    }

    /// The targets along a ray, each asked by itself and in the order in which rules ask.
    fn targets_one_by_one(
        &mut self,
        program: &Program,
        ray: &Ray,
        (fits, accept, matched): (&Formula, &Formula, &Formula),
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let alone = vec![ray.clone()];
        let table = self.set_table("targets", move |lower, cell| ends(lower, &alone, cell));
        let within = self.lookup(table, vec![at.from.clone()], at.span);
        let local = f.local("to", Type::Elem(self.cell));
        let to = self.elem(local, at.span);
        let mut tests = vec![self.truth(fits, at, &to), self.truth(accept, at, &to)];
        let mut some = self.truth(matched, at, &to);
        if program.looks_on_way(ray) {
            tests.push(self.passes(program, ray, false, at, &to, f));
            let silent = self.passes(program, ray, true, at, &to, f);
            some = some.or(silent.not());
        }
        if program.takes.is_none() {
            tests.push(some);
        }
        let when = tests.into_iter().reduce(Expr::and);
        let when = when.unwrap_or_else(|| Expr::bool(true, at.span));
        self.collect(local, within, when)
    }

    /// Whether a figure passes all cells before the end of a ray: nothing cancels there, and, if `silent`, no set applies.
    pub(super) fn passes(
        &mut self,
        program: &Program,
        ray: &Ray,
        silent: bool,
        at: &At,
        to: &Expr,
        f: &mut FunctionBuilder,
    ) -> Expr {
        if program.takes.is_some() {
            return Self::contains(to.clone(), self.way(program, ray, silent, at, f));
        }
        let mut blocks = any(&program.transition, true);
        let mut hole = any_missing(&program.transition, true);
        if silent {
            blocks = Formula::or([blocks, any(&program.transition, false)]);
            hole = Formula::or([hole, any_missing(&program.transition, false)]);
        }
        let pass = blocks.negated();
        let (near, beyond) = (
            self.direction(&ray.unit, false),
            self.direction(&ray.unit, true),
        );
        let mut reached = |lower: &mut Self, step| {
            let start = lower.lookup(step, vec![at.from.clone()], at.span);
            let local = f.local("cell", Type::Elem(lower.cell));
            let cell = lower.elem(local, at.span);
            let before = Expr::binary(BinaryOp::Ne, cell.clone(), to.clone());
            let pass = before.and(lower.truth(&pass, at, &cell));
            let walk = ExprKind::Walk {
                start: Box::new(start),
                step,
                local,
                pass: Box::new(pass),
                give: WalkGive::Reached,
            };
            let walk = Expr::new(walk, Type::Set(lower.cell), at.span);
            Self::contains(to.clone(), walk)
        };
        match hole {
            Formula::False => reached(self, beyond),
            Formula::True => reached(self, near),
            _ if near == beyond => reached(self, near),
            hole => {
                let cond = self.truth(&hole, at, &at.from);
                let (stops, goes_on) = (reached(self, near), reached(self, beyond));
                Expr::select(cond, stops, goes_on)
            }
        }
    }

    /// The targets along rays under one condition.
    fn part(
        &mut self,
        program: &Program,
        rays: &[&Ray],
        (accept, matched): (&Formula, &Formula),
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Option<Expr> {
        let on_way = any(&program.transition, false);
        let on_hole = any_missing(&program.transition, false);
        // Where every cell that is not refused matches, cells on the way need not match.
        let covered = Formula::or([matched.clone(), any(&program.destination, true)]);
        // So is a ray on which something must be taken.
        let covered = covered == Formula::True || program.takes.is_some();
        let helped = |ray: &&&Ray| {
            let helps = on_way != Formula::False || on_hole != Formula::False;
            program.looks_on_way(ray) && helps && !covered
        };
        let (helped, plain): (Vec<&Ray>, Vec<&Ray>) = {
            let helped_rays: Vec<&Ray> = rays.iter().filter(helped).copied().collect();
            let plain = rays.iter().filter(|ray| !helped(ray)).copied().collect();
            (helped_rays, plain)
        };
        let union = |a, b| Expr::binary(BinaryOp::Union, a, b);
        let mut found: Option<Expr> = None;
        if !plain.is_empty() {
            let reach = self.reach(program, &plain, at, f);
            let test = match covered {
                true => accept.clone(),
                false => Formula::and([accept.clone(), matched.clone()]),
            };
            if test != Formula::False {
                let allowed = self.set(&test, at, f);
                found = Some(match test {
                    Formula::True => reach,
                    _ => Expr::binary(BinaryOp::Intersect, reach, allowed),
                });
            }
        }
        for ray in helped {
            let reach = self.way(program, ray, false, at, f);
            let silent = self.way(program, ray, true, at, f);
            let direct = self.set(matched, at, f);
            let beyond = Expr::binary(BinaryOp::Minus, reach.clone(), silent);
            let either = Expr::binary(BinaryOp::Union, direct, beyond);
            let mut here = Expr::binary(BinaryOp::Intersect, reach, either);
            if *accept != Formula::True {
                let allowed = self.set(accept, at, f);
                here = Expr::binary(BinaryOp::Intersect, here, allowed);
            }
            found = Some(match found {
                Some(found) => union(found, here),
                None => here,
            });
        }
        found
    }

    /// The cells that rays reach if nothing cancels on the way.
    fn reach(
        &mut self,
        program: &Program,
        rays: &[&Ray],
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let (far, near): (Vec<&Ray>, Vec<&Ray>) =
            rays.iter().partition(|ray| program.looks_on_way(ray));
        let mut parts = Vec::new();
        if !near.is_empty() {
            let near: Vec<Ray> = near.into_iter().cloned().collect();
            let table = self.set_table("targets", move |lower, cell| ends(lower, &near, cell));
            parts.push(self.lookup(table, vec![at.from.clone()], at.span));
        }
        for ray in far {
            parts.push(self.way(program, ray, false, at, f));
        }
        let union = |a, b| Expr::binary(BinaryOp::Union, a, b);
        let all = parts.into_iter().reduce(union);
        all.unwrap_or_else(|| self.empty_set(at.span))
    }

    /// The ends of a ray that it reaches if nothing cancels on the way, and, if `silent`, no set applies there.
    pub(super) fn way(
        &mut self,
        program: &Program,
        ray: &Ray,
        silent: bool,
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let span = at.span;
        let blocks = any(&program.transition, true);
        if let Some(takes) = program.takes {
            return self.way_taking(program, ray, takes, at, f);
        }
        let mut blocks = blocks;
        if silent {
            blocks = Formula::or([blocks, any(&program.transition, false)]);
        }
        let pass = blocks.negated();
        let mut hole = any_missing(&program.transition, true);
        if silent {
            hole = Formula::or([hole, any_missing(&program.transition, false)]);
        }
        let (near, beyond) = (
            self.direction(&ray.unit, false),
            self.direction(&ray.unit, true),
        );
        let from = at.from.clone();
        let set = match hole {
            Formula::False => self.reached(&from, beyond, &pass, at, f),
            Formula::True => self.reached(&from, near, &pass, at, f),
            _ if near == beyond => self.reached(&from, near, &pass, at, f),
            hole => {
                let cond = self.truth(&hole, at, &from);
                let stops = self.reached(&from, near, &pass, at, f);
                let goes_on = self.reached(&from, beyond, &pass, at, f);
                Expr::select(cond, stops, goes_on)
            }
        };
        self.at_ends(ray, set, &from, span)
    }

    /// Those cells of a set that are ends of a ray.
    fn at_ends(&mut self, ray: &Ray, set: Expr, from: &Expr, span: Span) -> Expr {
        let most = self.most_steps(&ray.unit);
        if ray.steps.iter().copied().eq(1..=most) {
            return set;
        }
        let alone = vec![ray.clone()];
        let table = self.set_table("targets", move |lower, cell| ends(lower, &alone, cell));
        let ends = self.lookup(table, vec![from.clone()], span);
        Expr::binary(BinaryOp::Intersect, set, ends)
    }

    /// The ends of a ray that it reaches if nothing cancels on the way and something is taken on so many cells there.
    fn way_taking(
        &mut self,
        program: &Program,
        ray: &Ray,
        takes: u32,
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let span = at.span;
        let (near, beyond) = (
            self.direction(&ray.unit, false),
            self.direction(&ray.unit, true),
        );
        let hole = any_missing(&program.transition, true);
        let from = at.from.clone();
        let set = match hole {
            Formula::False => self.reached_taking(program, takes, beyond, at, f),
            Formula::True => self.reached_taking(program, takes, near, at, f),
            _ if near == beyond => self.reached_taking(program, takes, near, at, f),
            hole => {
                let cond = self.truth(&hole, at, &from);
                let stops = self.reached_taking(program, takes, near, at, f);
                let goes_on = self.reached_taking(program, takes, beyond, at, f);
                Expr::select(cond, stops, goes_on)
            }
        };
        self.at_ends(ray, set, &from, span)
    }

    /// The cells behind so many cells where something is taken: one walk to each, and one from the last.
    fn reached_taking(
        &mut self,
        program: &Program,
        takes: u32,
        step: crate::ir::TableId,
        at: &At,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let span = at.span;
        let blocks = any(&program.transition, true);
        let taken = Formula::and([program.taken(), blocks.clone().negated()]);
        let pass = Formula::or([blocks, program.taken()]).negated();
        let mut start = self.lookup(step, vec![at.from.clone()], span);
        for _ in 0..takes {
            let local = f.local("cell", Type::Elem(self.cell));
            let cell = self.elem(local, span);
            let walk = ExprKind::Walk {
                start: Box::new(start),
                step,
                local,
                pass: Box::new(self.truth(&pass, at, &cell)),
                give: WalkGive::Stop,
            };
            let met = Expr::new(walk, Type::Opt(self.cell), span);
            let or_else = ExprKind::OrElse(Box::new(met.clone()), Box::new(at.from.clone()));
            let there = Expr::new(or_else, Type::Elem(self.cell), span);
            let takes = met.is_some().and(self.truth(&taken, at, &there));
            let next = self.lookup(step, vec![there], span);
            start = Expr::select(takes, next, Expr::none(self.cell, span));
        }
        self.reached_from(start, step, &pass, at, f)
    }
}

/// The ends of rays from a cell.
fn ends(lower: &Lower<'_>, rays: &[Ray], cell: usize) -> Vec<usize> {
    let mut all = Vec::new();
    for ray in rays {
        let steps = ray.steps.iter();
        all.extend(steps.filter_map(|n| lower.offset(cell, &ray.unit, i64::from(*n))));
    }
    all
}

/// A family to be made.
pub(super) struct NewFamily {
    pub(super) kind: usize,
    pub(super) priority: i64,
    pub(super) to: ParamSource,
    /// The cells from which it is possible at all.
    pub(super) from: Option<Vec<bool>>,
    /// A function of source and destination.
    pub(super) guard: Option<FuncId>,
    pub(super) targets: FuncId,
    pub(super) play: FuncId,
    pub(super) choice: Option<Vec<usize>>,
    pub(super) continues: bool,
    pub(super) bound: bool,
    pub(super) span: Span,
}
