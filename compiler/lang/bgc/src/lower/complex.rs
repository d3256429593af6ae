//! Complex movements: several figures at once, tried where the simple movement of the clicked one gives nothing.

use super::Lower;
use super::effects::{Figure, Mover, Script, Step};
use super::exprs::At;
use super::formula::Formula;
use super::moves::NewFamily;
use super::program::{Do, Set};
use crate::ast::{Action, Complex, Part, Progress};
use crate::ir::builder::FunctionBuilder;
use crate::ir::{Expr, FuncId, ParamSource, Stmt, Type};
use crate::source::Span;

/// A part for one owner of its figure.
struct Owner {
    kind: usize,
    destination: Vec<Set>,
    transition: Vec<Set>,
}

/// A complex movement as one of its figures starts it.
struct Plan<'a> {
    complex: &'a Complex,
    /// The part that starts it.
    first: usize,
    kind: usize,
    /// The cells from which all its cells exist.
    possible: Vec<bool>,
}

/// A movement that is tried before another one.
struct Earlier {
    /// Whether it applies, asked from cells from which all its cells exist.
    guard: FuncId,
    possible: Vec<bool>,
}

/// A cell on the way of a part.
struct Passed {
    /// Relative to the clicked figure.
    offset: Vec<i64>,
    cell: Expr,
    /// From which cells it exists.
    there: Vec<bool>,
}

impl Lower<'_> {
    /// Whether a complex movement lets a figure go on.
    pub(super) fn complex_continues(&self) -> bool {
        let complex = self.game.complex.iter();
        let mut lists =
            complex.flat_map(|c| c.parts.iter().map(|p| &p.actions).chain([&c.actions]));
        lists.any(|list| {
            let sets = list.destination.iter().chain(&list.transition);
            sets.flat_map(|set| &set.actions)
                .any(|action| action.node == Action::Continue)
        })
    }

    /// Makes the families of the complex movements that a kind can start.
    pub(super) fn complex_families(&mut self, player: usize, kind: usize) {
        let game = self.game;
        // Earlier movements along the same vector: the first that applies is the one.
        let mut earlier: Vec<(Vec<i64>, Earlier)> = Vec::new();
        for (number, complex) in game.complex.iter().enumerate() {
            if self.alone.contains(&(kind, number)) {
                continue;
            }
            let figure = &self.names.kinds[kind].1;
            let named = |part: &Part| part.figure.node == *figure;
            let Some(first) = complex.parts.iter().position(named) else {
                continue;
            };
            let part = &complex.parts[first];
            let vector: Vec<i64> = part
                .delta
                .iter()
                .map(|step| step * i64::from(part.steps))
                .collect();
            if vector.iter().all(|step| *step == 0) {
                continue;
            }
            let possible = self.possible(complex, first);
            if !possible.iter().any(|flag| *flag) {
                continue;
            }
            let plan = Plan {
                complex,
                first,
                kind,
                possible,
            };
            let before: Vec<&Earlier> = earlier
                .iter()
                .filter(|(other, _)| *other == vector)
                .map(|(_, earlier)| earlier)
                .collect();
            if let Some(guard) = self.complex_family(player, &plan, &vector, &before) {
                let possible = plan.possible;
                earlier.push((vector, Earlier { guard, possible }));
            }
        }
    }

    /// The places of a part, relative to the clicked figure: where it stands and where it goes.
    fn places_of(plan: &Complex, first: usize, part: &Part) -> (Vec<i64>, Vec<i64>) {
        let base = &plan.parts[first].place;
        let from: Vec<i64> = part.place.iter().zip(base).map(|(a, b)| a - b).collect();
        let to = from
            .iter()
            .zip(&part.delta)
            .map(|(a, step)| a + step * i64::from(part.steps))
            .collect();
        (from, to)
    }

    /// The cells of a part from which all cells of its movement exist.
    pub(super) fn possible(&self, complex: &Complex, first: usize) -> Vec<bool> {
        let exists = |cell: usize| {
            complex.parts.iter().all(|part| {
                let (from, to) = Self::places_of(complex, first, part);
                self.offset(cell, &from, 1).is_some() && self.offset(cell, &to, 1).is_some()
            })
        };
        (0..self.cell_count()).map(exists).collect()
    }

    /// The owners that a part can have, with the sets that then apply.
    fn owners(&self, plan: &Plan<'_>, at: usize) -> Vec<Owner> {
        let part = &plan.complex.parts[at];
        let kinds = (0..self.names.kinds.len()).filter(|kind| match at == plan.first {
            true => *kind == plan.kind,
            false => self.names.kinds[*kind].1 == part.figure.node,
        });
        let owner = |kind: usize| {
            let (own, all) = (&part.actions, &plan.complex.actions);
            Owner {
                kind,
                destination: self.sets([&own.destination, &all.destination], kind),
                transition: match part.steps {
                    1 => Vec::new(),
                    _ => self.sets([&own.transition, &all.transition], kind),
                },
            }
        };
        kinds
            .map(owner)
            .filter(|owner| {
                let mut sets = owner.destination.iter().chain(&owner.transition);
                sets.any(|set| !set.cancels)
            })
            .collect()
    }

    /// The cell at an offset from the clicked figure.
    fn relative(&mut self, from: &Expr, offset: &[i64]) -> Expr {
        if offset.iter().all(|step| *step == 0) {
            return from.clone();
        }
        let name = super::tables::unit_name("at", offset);
        let offset = offset.to_vec();
        let table = self.cell_table(&name, |lower, cell| {
            lower.offset(cell, &offset, 1).unwrap_or(0)
        });
        self.lookup(table, vec![from.clone()], from.span)
    }

    /// What is on the way of a part.
    fn way_of(&mut self, plan: &Plan<'_>, at: usize, from: &Expr) -> Vec<Passed> {
        let part = &plan.complex.parts[at];
        let (start, _) = Self::places_of(plan.complex, plan.first, part);
        let mut way = Vec::new();
        for step in 1..i64::from(part.steps) {
            let offset: Vec<i64> = start
                .iter()
                .zip(&part.delta)
                .map(|(a, d)| a + d * step)
                .collect();
            let there = (0..self.cell_count()).map(|cell| self.offset(cell, &offset, 1).is_some());
            let there: Vec<bool> = there.collect();
            let cell = self.relative(from, &offset);
            way.push(Passed {
                offset,
                cell,
                there,
            });
        }
        way
    }

    /// Whether a set applies somewhere on the way.
    fn on_way_of(&mut self, set: &Set, way: &[Passed], at: &At, clicked: &Expr) -> Vec<Expr> {
        let mut tests = Vec::new();
        for Passed { cell, there, .. } in way {
            let here = self.truth(&set.when, at, cell);
            if there.iter().all(|flag| *flag) {
                tests.push(here);
                continue;
            }
            let missing = self.truth(&set.missing, at, cell);
            let exists = Self::contains(clicked.clone(), self.cells(there, at.span));
            tests.push(Expr::select(exists, here, missing));
        }
        tests
    }

    /// Where a part with this owner stands, and the cell that it goes to.
    fn stands_at(
        &mut self,
        plan: &Plan<'_>,
        (at_part, owner): (usize, &Owner),
        from: &Expr,
    ) -> (At, Expr) {
        let part = &plan.complex.parts[at_part];
        let (start, end) = Self::places_of(plan.complex, plan.first, part);
        let at = At {
            kind: owner.kind,
            from: self.relative(from, &start),
            like: None,
            span: from.span,
        };
        (at, self.relative(from, &end))
    }

    /// Whether a part with this owner allows the movement.
    fn accepts(&mut self, plan: &Plan<'_>, at_part: usize, owner: &Owner, from: &Expr) -> Expr {
        let span = from.span;
        let (at, to) = self.stands_at(plan, (at_part, owner), from);
        let mut tests = Vec::new();
        tests.extend(self.stands(plan, at_part, owner.kind, &at.from));
        let cancel = super::program::any(&owner.destination, true);
        let matched = super::program::any(&owner.destination, false);
        let mut some: Vec<Expr> = Vec::new();
        if cancel != Formula::False {
            tests.push(self.truth(&cancel, &at, &to).not());
        }
        if matched != Formula::False {
            some.push(self.truth(&matched, &at, &to));
        }
        let way = self.way_of(plan, at_part, from);
        for set in &owner.transition {
            for test in self.on_way_of(set, &way, &at, from) {
                match set.cancels {
                    true => tests.push(test.not()),
                    false => some.push(test),
                }
            }
        }
        let some = some.into_iter().reduce(Expr::or);
        tests.push(some.unwrap_or_else(|| Expr::bool(false, span)));
        let all = tests.into_iter().reduce(Expr::and);
        all.unwrap_or_else(|| Expr::bool(true, span))
    }

    /// Whether the figure of a part is of a kind; nothing for the clicked one, of which that is known.
    fn stands(&self, plan: &Plan<'_>, at_part: usize, kind: usize, cell: &Expr) -> Option<Expr> {
        let kind = Expr::elem(self.kind, kind as u32, cell.span).some();
        (at_part != plan.first).then(|| self.content(cell.clone()).equals(kind))
    }

    /// Whether nothing that is tried before a movement applies.
    fn nothing_before(
        &mut self,
        player: usize,
        kind: usize,
        vector: &[i64],
        before: &[&Earlier],
        (from, to): (&Expr, &Expr),
    ) -> Vec<Expr> {
        let span = from.span;
        let mut tests = Vec::new();
        for earlier in before {
            let args = vec![from.clone(), to.clone()];
            let applies = Expr::call(&self.b.game, earlier.guard, args, span);
            let exists = Self::contains(from.clone(), self.cells(&earlier.possible, span));
            tests.push(match earlier.possible.iter().all(|flag| *flag) {
                true => applies.not(),
                false => exists.and(applies).not(),
            });
        }
        for arm in self.arms[player].list.clone() {
            // Families of complex movements have other kinds of targets; the guards above cover them.
            if arm.kind == kind && self.fits(&arm, vector) {
                let targets = Expr::call(&self.b.game, arm.targets, vec![from.clone()], span);
                tests.push(Self::contains(to.clone(), targets).not());
            }
        }
        tests
    }

    /// Whether the figures of all parts are there, whatever else.
    fn all_stand(&mut self, plan: &Plan<'_>, owners: &[Vec<Owner>], from: &Expr) -> Vec<Expr> {
        let mut tests = Vec::new();
        for (at, owners) in owners.iter().enumerate() {
            let (start, _) = Self::places_of(plan.complex, plan.first, &plan.complex.parts[at]);
            let cell = self.relative(from, &start);
            let each = owners
                .iter()
                .filter_map(|owner| self.stands(plan, at, owner.kind, &cell));
            tests.extend(each.reduce(Expr::or));
        }
        tests
    }

    /// Makes the families of a plan; gives their guard.
    fn complex_family(
        &mut self,
        player: usize,
        plan: &Plan<'_>,
        vector: &[i64],
        before: &[&Earlier],
    ) -> Option<FuncId> {
        let span = plan.complex.span;
        let (owner, figure) = self.names.kinds[plan.kind].clone();
        let owners: Vec<Vec<Owner>> = (0..plan.complex.parts.len())
            .map(|part| self.owners(plan, part))
            .collect();
        if owners.iter().any(Vec::is_empty) {
            return None;
        }
        let name = self.free_function(&format!("together {owner} {figure}"));
        let mut f = FunctionBuilder::new(&name, Some(Type::Bool), span)
            .doc("Whether several figures may move together.");
        let from_local = f.param("from", Type::Elem(self.cell));
        let to_local = f.param("to", Type::Elem(self.cell));
        let (from, to) = (f.get(from_local), f.get(to_local));
        let mut tests = Vec::new();
        let first = self.nothing_before(player, plan.kind, vector, before, (&from, &to));
        if self.recursive {
            // Whoever asks too much may ask for ever.
            tests.extend(self.all_stand(plan, &owners, &from));
            tests.extend(first.iter().cloned());
        }
        for (at, owners) in owners.iter().enumerate() {
            let each: Vec<Expr> = owners
                .iter()
                .map(|owner| self.accepts(plan, at, owner, &from))
                .collect();
            tests.extend(each.into_iter().reduce(Expr::or));
        }
        if !self.recursive {
            tests.extend(first);
        }
        let all = tests.into_iter().reduce(Expr::and);
        let all = all.unwrap_or_else(|| Expr::bool(true, span));
        let guard = self.b.function(f.body(vec![Stmt::give(all)]));
        self.complex_variants(player, plan, &owners, guard, vector);
        Some(guard)
    }

    /// Whether a simple movement of the family may go along a vector.
    fn fits(&self, arm: &super::moves::Arm, vector: &[i64]) -> bool {
        let along = |ray: &super::program::Ray| {
            ray.steps.iter().any(|steps| {
                let whole = ray.unit.iter().map(|step| step * i64::from(*steps));
                whole.eq(vector.iter().copied())
            })
        };
        let mut rays = self.programs[arm.kind]
            .iter()
            .flat_map(|program| &program.rays);
        arm.simple && rays.any(along)
    }

    fn complex_variants(
        &mut self,
        player: usize,
        plan: &Plan<'_>,
        owners: &[Vec<Owner>],
        guard: FuncId,
        vector: &[i64],
    ) {
        let span = plan.complex.span;
        let step = {
            let vector = vector.to_vec();
            let name = super::tables::unit_name("goes", &vector);
            self.step_table(&name, move |lower, cell| lower.offset(cell, &vector, 1))
        };
        let sets = owners
            .iter()
            .flatten()
            .flat_map(|o| o.destination.iter().chain(&o.transition));
        let mut sets = sets;
        let continues = sets.any(|set| set.actions.contains(&Do::Continue));
        let bound = self.chains(player).contains(&0);
        for (guard, choice) in self.by_choice(plan, owners, guard) {
            let play = self.complex_play(plan, owners, choice.is_some(), continues);
            let from = Expr::local(crate::ir::LocalId(0), Type::Elem(self.cell), span);
            let to = self.lookup(step, vec![from], span);
            let targets = self.target_along(vector, span);
            self.add_family(
                player,
                NewFamily {
                    kind: plan.kind,
                    priority: 0,
                    to: ParamSource::Is(to),
                    from: Some(plan.possible.clone()),
                    guard: Some(guard),
                    targets,
                    play,
                    choice,
                    continues,
                    bound,
                    span,
                },
            );
        }
    }

    /// The ways a movement is one family: for each set that lets the mover choose a figure, if it is the first of these
    /// that applies, and without a choice if none does.
    fn by_choice(
        &mut self,
        plan: &Plan<'_>,
        owners: &[Vec<Owner>],
        guard: FuncId,
    ) -> Vec<(FuncId, Option<Vec<usize>>)> {
        let span = plan.complex.span;
        let cell = Type::Elem(self.cell);
        let from = Expr::local(crate::ir::LocalId(0), cell.clone(), span);
        let to = Expr::local(crate::ir::LocalId(1), cell.clone(), span);
        let args = vec![from.clone(), to];
        let mut rest = Expr::call(&self.b.game, guard, args, span);
        let mut ways = Vec::new();
        for (part, list) in owners.iter().enumerate() {
            for owner in list {
                for set in owner.destination.iter().filter(|set| !set.cancels) {
                    let mut actions = set.actions.iter();
                    let choice = actions.find_map(|action| match action {
                        Do::Choose(kinds) => Some(kinds.clone()),
                        _ => None,
                    });
                    let Some(choice) = choice else { continue };
                    let applies = self.applies(plan, (part, owner), set, &from);
                    ways.push((rest.clone().and(applies.clone()), Some(choice)));
                    rest = rest.and(applies.not());
                }
            }
        }
        if ways.is_empty() {
            return vec![(guard, None)];
        }
        ways.push((rest, None));
        let mut all = Vec::new();
        for (when, choice) in ways {
            let name = self.free_function(&format!("way of {}", self.b.game.function(guard).name));
            let mut f = FunctionBuilder::new(&name, Some(Type::Bool), span);
            f.param("from", cell.clone());
            f.param("to", cell.clone());
            let guard = self.b.function(f.body(vec![Stmt::give(when)]));
            all.push((guard, choice));
        }
        all
    }

    /// Whether a set applies to the target of a part that belongs to an owner.
    fn applies(
        &mut self,
        plan: &Plan<'_>,
        (at_part, owner): (usize, &Owner),
        set: &Set,
        from: &Expr,
    ) -> Expr {
        let (at, to) = self.stands_at(plan, (at_part, owner), from);
        let holds = self.truth(&set.when, &at, &to);
        match self.stands(plan, at_part, owner.kind, &at.from) {
            Some(stands) => stands.and(holds),
            None => holds,
        }
    }

    /// The function that gives the only target along a vector, as a set.
    fn target_along(&mut self, vector: &[i64], span: Span) -> FuncId {
        let name = super::tables::unit_name("targets along", vector);
        let known = self.b.game.functions.iter().position(|f| f.name == name);
        if let Some(known) = known {
            return FuncId::from(known);
        }
        let along = vector.to_vec();
        let table = self.set_table(&name, move |lower, cell| {
            lower.offset(cell, &along, 1).into_iter().collect()
        });
        let mut f = FunctionBuilder::new(&name, Some(Type::Set(self.cell)), span);
        let from = f.param("from", Type::Elem(self.cell));
        let set = self.lookup(table, vec![f.get(from)], span);
        self.b.function(f.body(vec![Stmt::give(set)]))
    }

    fn complex_play(
        &mut self,
        plan: &Plan<'_>,
        owners: &[Vec<Owner>],
        chooses: bool,
        continues: bool,
    ) -> FuncId {
        let (owner, figure) = self.names.kinds[plan.kind].clone();
        let name = self.free_function(&format!("act together {owner} {figure}"));
        let mut script = self.script(&name, continues, plan.complex.span);
        let cell = Type::Elem(self.cell);
        let from = script.f.param("from", cell.clone());
        script.f.param("to", cell);
        let choice = chooses.then(|| {
            let ty = Type::Elem(self.figures());
            script.f.param("choice", ty)
        });
        let choice = choice.map(|local| script.f.get(local));
        self.start(&mut script, continues);
        self.uncrown(&mut script);
        let from = script.f.get(from);
        let mut records = Records::default();
        let mut jobs = Vec::new();
        for (at, list) in owners.iter().enumerate() {
            for one in list {
                let asks = list.len() > 1;
                jobs.push(self.job(plan, at, one, asks, &from, &mut records, &mut script));
            }
        }
        let progress = self.complex_progress(plan, owners, &from, &mut script);
        // The move of the clicked figure counts before anything happens.
        let clicked = records
            .0
            .iter()
            .find(|(part, _)| part.0.iter().all(|d| *d == 0));
        if let (Some((_, figure)), true) = (clicked, self.tracked_kind(plan.kind).moves > 0) {
            self.recount(figure, &from, &mut script.out);
        }
        for job in jobs {
            self.run(job, &mut records, &choice, &mut script);
        }
        self.tick(progress, &mut script);
        self.finish(script)
    }

    /// The record of what stands on a cell at an offset from the clicked figure, whose move is counted already.
    fn judged(
        &mut self,
        plan: &Plan<'_>,
        offset: &[i64],
        cell: &Expr,
        script: &mut Script,
    ) -> Figure {
        match offset.iter().all(|step| *step == 0) {
            true => self.figure(plan.kind, cell, true, script),
            false => self.standing(cell, script),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "they are what a part needs")]
    fn job(
        &mut self,
        plan: &Plan<'_>,
        at_part: usize,
        owner: &Owner,
        asks: bool,
        from: &Expr,
        records: &mut Records,
        script: &mut Script,
    ) -> Job {
        let span = from.span;
        let part = &plan.complex.parts[at_part];
        let (start, end) = Self::places_of(plan.complex, plan.first, part);
        let (at, to) = self.stands_at(plan, (at_part, owner), from);
        let is = asks.then(|| {
            let kind = Expr::elem(self.kind, owner.kind as u32, span).some();
            let value = self.content(at.from.clone()).equals(kind);
            script.keep("is", value)
        });
        let mut known: Vec<(Formula, bool)> = Vec::new();
        for set in owner.destination.iter().filter(|set| set.cancels) {
            known.push((set.when.clone(), false));
        }
        if !owner.transition.iter().any(|set| !set.cancels) {
            known.push((super::program::any(&owner.destination, false), true));
        }
        let swaps = |actions: &[Do]| actions.contains(&Do::Swap);
        let mut acts = Vec::new();
        let steps = self.steps(&owner.destination, (&at, is), &to, &known, script);
        let other = steps
            .iter()
            .any(|step| swaps(&step.actions))
            .then(|| self.judged(plan, &end, &to, script));
        for step in steps {
            acts.push((to.clone(), step, other.clone()));
        }
        // Sets on the way apply to one cell after the other.
        for passed in self.way_of(plan, at_part, from) {
            let mut other = None;
            for set in owner.transition.iter().filter(|set| !set.cancels) {
                if set.actions.is_empty() {
                    continue;
                }
                let mut when = Self::contains(from.clone(), self.cells(&passed.there, span));
                if let Some(is) = is {
                    when = Expr::local(is, Type::Bool, span).and(when);
                }
                when = when.and(self.truth(&set.when, &at, &passed.cell));
                let when = Some(script.keep("applies", when));
                if swaps(&set.actions) && other.is_none() {
                    other = Some(self.judged(plan, &passed.offset, &passed.cell, script));
                }
                let actions = set.actions.clone();
                acts.push((passed.cell.clone(), Step { when, actions }, other.clone()));
            }
        }
        let clicked = start.iter().all(|step| *step == 0);
        let key = (start, owner.kind);
        if !records.0.iter().any(|(known, _)| *known == key) {
            let figure = self.figure(owner.kind, &at.from, clicked, script);
            records.0.push((key.clone(), figure));
        }
        Job {
            acts,
            key,
            from: at.from,
        }
    }

    fn run(&mut self, job: Job, records: &mut Records, choice: &Option<Expr>, script: &mut Script) {
        let record = records.0.iter_mut().find(|(key, _)| *key == job.key);
        let Some((_, figure)) = record else { return };
        let owner = self.names.kinds[job.key.1].0.clone();
        let choice = choice.clone();
        let choice = choice.map(|figure| self.kind_of_figure(&owner, figure));
        let mut mover = Mover {
            from: job.from,
            figure: figure.clone(),
            other: None,
            choice,
        };
        for (cell, step, other) in &job.acts {
            mover.other = other.clone();
            self.step(step, &mut mover, cell, script);
        }
        *figure = mover.figure;
    }

    /// Progress of a complex movement: what its sets do, taken together.
    fn complex_progress(
        &mut self,
        plan: &Plan<'_>,
        owners: &[Vec<Owner>],
        from: &Expr,
        script: &mut Script,
    ) -> Option<Expr> {
        self.vars.quiet?;
        let span = plan.complex.span;
        let figure = self.names.kinds[plan.kind].1.clone();
        let mut any_of: Vec<Expr> = Vec::new();
        for progress in self.progress() {
            match progress {
                Progress::Figure(name) if *name == figure => return Some(Expr::bool(true, span)),
                Progress::Figure(_) => {}
                Progress::Action(name) => {
                    for (part, list) in owners.iter().enumerate() {
                        for owner in list {
                            let alone = list.len() == 1;
                            any_of.extend(self.does(plan, (part, owner, alone), name, from));
                        }
                    }
                }
            }
        }
        let any = any_of.into_iter().reduce(Expr::or);
        let any = any.unwrap_or_else(|| Expr::bool(false, span));
        let local = script.keep("progress", any);
        Some(Expr::local(local, Type::Bool, span))
    }

    /// When a part does an action of this name.
    fn does(
        &mut self,
        plan: &Plan<'_>,
        (at_part, owner, alone): (usize, &Owner, bool),
        name: &str,
        from: &Expr,
    ) -> Option<Expr> {
        let (at, to) = self.stands_at(plan, (at_part, owner), from);
        let does = |set: &&Set| !set.cancels && set.actions.iter().any(|a| a.word() == name);
        let mut tests = Vec::new();
        for set in owner.destination.iter().filter(does) {
            tests.push(self.truth(&set.when, &at, &to));
        }
        let way = self.way_of(plan, at_part, from);
        for set in owner.transition.iter().filter(does) {
            tests.extend(self.on_way_of(set, &way, &at, from));
        }
        let any = tests.into_iter().reduce(Expr::or)?;
        if alone {
            return Some(any);
        }
        let kind = Expr::elem(self.kind, owner.kind as u32, from.span).some();
        Some(self.content(at.from).equals(kind).and(any))
    }
}

/// Where a part stands, relative to the clicked figure, and its kind.
type Key = (Vec<i64>, usize);

/// The records of the figures that move: parts that are the same figure share one.
#[derive(Default)]
struct Records(Vec<(Key, Figure)>);

/// A part of a complex movement, its conditions judged.
struct Job {
    /// What it does on which cells, and what stood there.
    acts: Vec<(Expr, Step, Option<Figure>)>,
    key: Key,
    from: Expr,
}
