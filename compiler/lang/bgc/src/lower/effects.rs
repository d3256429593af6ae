//! What moves do.
//!
//! All conditions are judged before anything happens; then the actions of all sets that apply run in order.

use super::Lower;
use super::exprs::At;
use super::formula::Formula;
use super::moves::Variant;
use super::program::{Do, Program, Set, any};
use crate::ast::{Complex, Progress};
use crate::ir::builder::FunctionBuilder;
use crate::ir::{
    BinaryOp, Block, Const, Expr, ExprKind, FuncId, LocalId, Stmt, StmtKind, TrailId, Type, VarId,
};
use crate::source::Span;

/// Whether a figure is in a set of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flag {
    No,
    Yes,
    Known(LocalId),
}

impl Flag {
    fn value(self, span: Span) -> Expr {
        match self {
            Flag::No => Expr::bool(false, span),
            Flag::Yes => Expr::bool(true, span),
            Flag::Known(local) => Expr::local(local, Type::Bool, span),
        }
    }
}

/// The local variables that hold a record.
struct Held {
    kind: LocalId,
    flags: Vec<LocalId>,
}

impl Held {
    /// Stores what has changed.
    fn store(&self, figure: &Figure, span: Span, out: &mut Block) {
        let is = |value: &Expr, local: LocalId| value.kind == ExprKind::Local(local);
        if !is(&figure.kind, self.kind) {
            out.push(Stmt::assign(self.kind, figure.kind.clone()));
        }
        for (flag, local) in figure.moved.iter().chain(&figure.age).zip(&self.flags) {
            let value = flag.value(span);
            if !is(&value, *local) {
                out.push(Stmt::assign(*local, value));
            }
        }
    }
}

/// A figure record while actions run: what it is, apart from where it stands.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The kind: optional member.
    kind: Expr,
    moved: Vec<Flag>,
    age: Vec<Flag>,
}

/// A set of actions that applies, maybe under a condition that was judged.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) when: Option<LocalId>,
    pub(super) actions: Vec<Do>,
}

/// A figure on its way, with the cells that its actions speak of.
pub(super) struct Mover {
    pub(super) from: Expr,
    pub(super) figure: Figure,
    /// What stood on the judged cell.
    pub(super) other: Option<Figure>,
    /// The kind that was chosen.
    pub(super) choice: Option<Expr>,
}

/// A function under construction.
pub(super) struct Script {
    pub(super) f: FunctionBuilder,
    pub(super) out: Block,
    /// A local that tells whether the figure may go on.
    pub(super) on: Option<LocalId>,
}

impl Script {
    /// Keeps a value.
    pub(super) fn keep(&mut self, name: &str, value: Expr) -> LocalId {
        let local = self.f.local(name, value.ty.clone());
        self.out.push(Stmt::assign(local, value));
        local
    }
}

impl Lower<'_> {
    /// The effect of a family: a function of source, destination and choice.
    pub(super) fn play(&mut self, program: &Program, variant: &Variant) -> FuncId {
        let (owner, figure) = self.names.kinds[program.kind].clone();
        let name = self.free_function(&format!("act {owner} {figure}"));
        let continues = program.continues();
        let mut script = self.script(&name, continues, program.span);
        let cell = Type::Elem(self.cell);
        let from = script.f.param("from", cell.clone());
        let to = script.f.param("to", cell);
        let choice = variant.choice.is_some().then(|| {
            let ty = Type::Elem(self.figures());
            script.f.param("choice", ty)
        });
        let choice = choice.map(|local| script.f.get(local));
        let choice = choice.map(|figure| self.kind_of_figure(&owner, figure));
        self.start(&mut script, continues);
        let at = At {
            kind: program.kind,
            from: script.f.get(from),
            like: None,
            span: program.span,
        };
        let to = script.f.get(to);
        self.uncrown(&mut script);
        let known = self.known(program, variant);
        let steps = self.steps(&program.destination, (&at, None), &to, &known, &mut script);
        let hits = self.hits(program, &at, &to, &mut script);
        let progress = self.progress_of(program, &known, &at, &to, &mut script);
        let actions: Vec<&Do> = steps.iter().flat_map(|step| &step.actions).collect();
        let swaps = actions.contains(&&Do::Swap);
        let mut mover = Mover {
            figure: self.figure(program.kind, &at.from, true, &mut script),
            other: swaps.then(|| self.standing(&to, &mut script)),
            from: at.from.clone(),
            choice,
        };
        let goes = |step: &Step| {
            step.when.is_none()
                && step
                    .actions
                    .iter()
                    .any(|a| matches!(a, Do::Move | Do::Swap))
        };
        if !steps.iter().any(goes) && self.tracked_kind(program.kind).moves > 0 {
            // The figure may stay where it is, but its move counts.
            let figure = mover.figure.clone();
            self.recount(&figure, &mover.from, &mut script.out);
        }
        for step in &steps {
            self.step(step, &mut mover, &to, &mut script);
        }
        self.on_way(program, &hits, &mut mover, &at, &to, &mut script);
        self.tick(progress, &mut script);
        self.finish(script)
    }

    /// What was to become another figure goes on.
    pub(super) fn uncrown(&self, script: &mut Script) {
        if let Some((cell, crown)) = self.vars.crown {
            let span = self.span();
            let none = Expr::none(self.cell, span);
            script.out.push(Stmt::set_var(cell, Vec::new(), none));
            let none = Expr::none(self.kind, span);
            script.out.push(Stmt::set_var(crown, Vec::new(), none));
        }
    }

    pub(super) fn script(&self, name: &str, continues: bool, span: Span) -> Script {
        let ret = continues.then_some(Type::Bool);
        Script {
            f: FunctionBuilder::new(name, ret, span).doc("What a move does."),
            out: Vec::new(),
            on: None,
        }
    }

    /// Begins the body, after all parameters are declared.
    pub(super) fn start(&self, script: &mut Script, continues: bool) {
        if continues {
            let no = Expr::bool(false, self.span());
            script.on = Some(script.keep("on", no));
        }
    }

    pub(super) fn finish(&mut self, mut script: Script) -> FuncId {
        if let Some(on) = script.on {
            let value = Expr::local(on, Type::Bool, self.span());
            script.out.push(Stmt::give(value));
        }
        self.b.function(script.f.body(script.out))
    }

    pub(super) fn kind_of_figure(&mut self, owner: &str, figure: Expr) -> Expr {
        let domain = self.figures();
        let kind = |name: &String| {
            let mut kinds = self.names.kinds.iter();
            let found = kinds.position(|(o, f)| o == owner && f == name);
            Const::Elem(found.unwrap_or(0) as u32)
        };
        let values: Vec<Const> = self.game.figures.keys().map(kind).collect();
        let name = format!("kinds of {owner}");
        let known = self
            .b
            .game
            .tables
            .iter()
            .position(|table| table.name == name);
        let table = match known {
            Some(known) => crate::ir::TableId::from(known),
            None => self.b.table(crate::ir::Table {
                name,
                axes: vec![crate::ir::Axis::Domain(domain)],
                ty: Type::Elem(self.kind),
                values,
                outside: None,
                span: self.game.span,
            }),
        };
        let span = figure.span;
        self.lookup(table, vec![figure], span)
    }

    /// What is certain when a move of this family is played.
    fn known(&self, program: &Program, variant: &Variant) -> Vec<(Formula, bool)> {
        let mut known = variant.known.clone();
        for set in program.destination.iter().filter(|set| set.cancels) {
            known.push((set.when.clone(), false));
        }
        let passes = program.rays.iter().any(|ray| program.looks_on_way(ray));
        if !passes || program.transition.iter().all(|set| set.cancels) {
            known.push((any(&program.destination, false), true));
        }
        known
    }

    /// The sets that may apply to a cell, their conditions judged, where a truth value holds if one is given.
    pub(super) fn steps(
        &mut self,
        sets: &[Set],
        (at, only): (&At, Option<LocalId>),
        to: &Expr,
        known: &[(Formula, bool)],
        script: &mut Script,
    ) -> Vec<Step> {
        let mut list: Vec<(Formula, Vec<Do>)> = Vec::new();
        for set in sets.iter().filter(|set| !set.cancels) {
            let own = self.moved(set, at.kind, known);
            match list.last_mut() {
                // Moving twice is moving once.
                Some((when, actions))
                    if needed(actions) == [Do::Move] && needed(&own) == [Do::Move] =>
                {
                    *when = Formula::or([when.clone(), set.when.clone()]);
                }
                _ => list.push((set.when.clone(), own)),
            }
        }
        let list: Vec<(Formula, Vec<Do>)> = list
            .into_iter()
            .map(|(when, actions)| (when.given(known), actions))
            .filter(|(when, _)| *when != Formula::False)
            .collect();
        let mut steps = Vec::new();
        for (at_set, (when, actions)) in list.iter().enumerate() {
            let mut actions = needed(actions);
            let covered = list[at_set + 1..].iter().any(|(later, then)| {
                (*later == Formula::True || later == when) && then.contains(&Do::Move)
            });
            if covered {
                actions.retain(|action| *action != Do::Take { deferred: false });
            }
            if actions.is_empty() {
                continue;
            }
            let only = only.map(|only| Expr::local(only, Type::Bool, at.span));
            let test = (*when != Formula::True).then(|| self.truth(when, at, to));
            let value = only.into_iter().chain(test).reduce(Expr::and);
            let when = value.map(|value| script.keep("applies", value));
            steps.push(Step { when, actions });
        }
        steps
    }

    /// For each set that acts on the way the cells where it applies.
    fn hits(
        &mut self,
        program: &Program,
        at: &At,
        to: &Expr,
        script: &mut Script,
    ) -> Vec<(LocalId, Vec<Do>)> {
        let mut hits = Vec::new();
        if !program.acts_on_way() {
            return hits;
        }
        for set in &program.transition {
            if set.cancels || set.actions.is_empty() || set.when == Formula::False {
                continue;
            }
            let cells = self.on_the_way(program, &set.when, at, to, &mut script.f);
            hits.push((script.keep("hit", cells), set.actions.clone()));
        }
        hits
    }

    /// The cells on which a formula holds, right for those on the way at least.
    fn on_the_way(
        &mut self,
        program: &Program,
        formula: &Formula,
        at: &At,
        to: &Expr,
        f: &mut FunctionBuilder,
    ) -> Expr {
        let Some(ways) = self.ways(program).filter(|_| formula.asks_attacks()) else {
            return self.set(formula, at, f);
        };
        let way = self.passed_table(&ways);
        let within = self.lookup(way, vec![at.from.clone(), to.clone()], at.span);
        self.among(formula, within, at, f)
    }

    fn on_way(
        &mut self,
        program: &Program,
        hits: &[(LocalId, Vec<Do>)],
        mover: &mut Mover,
        at: &At,
        to: &Expr,
        script: &mut Script,
    ) {
        let Some(ways) = self.ways(program).filter(|_| !hits.is_empty()) else {
            return;
        };
        let span = at.span;
        let way = self.way_table("way", &ways);
        let ty = Type::Elem(self.cell);
        let next = |lower: &Self, from: Expr| lower.lookup(way, vec![from, to.clone()], span);
        let first = next(self, at.from.clone());
        let cell = script.keep("cell", first);
        let here = Expr::local(cell, ty, span);
        let does = |wanted: fn(&Do) -> bool| hits.iter().flat_map(|(_, a)| a).any(wanted);
        let ages = !self.vars.age.is_empty();
        let held = (does(|action| matches!(action, Do::Replace(_)))
            || ages && does(|action| *action == Do::Move))
        .then(|| self.held(&mut mover.figure, script));
        let outer = std::mem::take(&mut script.out);
        if does(|action| *action == Do::Swap) {
            mover.other = Some(self.standing(&here, script));
        }
        for (hit, actions) in hits {
            let set = Expr::local(*hit, Type::Set(self.cell), span);
            let cond = Self::contains(here.clone(), set);
            let before = std::mem::take(&mut script.out);
            let figure = mover.figure.clone();
            for action in needed(actions) {
                self.act(&action, mover, &here, script);
            }
            if let Some(held) = &held {
                held.store(&mover.figure, span, &mut script.out);
                mover.figure = figure;
            }
            let body = std::mem::replace(&mut script.out, before);
            script.out.push(Stmt::branch(cond, body, Vec::new()));
        }
        script
            .out
            .push(Stmt::assign(cell, next(self, here.clone())));
        let body = std::mem::replace(&mut script.out, outer);
        let more = Expr::binary(BinaryOp::Ne, here, to.clone());
        let bound = self.cell_count() as u32;
        let kind = StmtKind::While {
            cond: more,
            bound,
            body,
        };
        script.out.push(Stmt::new(kind, span));
    }

    /// Keeps a record in local variables, so that it can change from one cell to the next.
    fn held(&self, figure: &mut Figure, script: &mut Script) -> Held {
        let kind = script.keep("kind", figure.kind.clone());
        figure.kind = Expr::local(kind, Type::Opt(self.kind), figure.kind.span);
        let span = figure.kind.span;
        let mut flags = Vec::new();
        for flag in figure.moved.iter_mut().chain(&mut figure.age) {
            let local = script.keep("counted", flag.value(span));
            *flag = Flag::Known(local);
            flags.push(local);
        }
        Held { kind, flags }
    }

    /// The record of a figure of known kind; that of the clicked figure counts its move.
    pub(super) fn figure(
        &mut self,
        kind: usize,
        cell: &Expr,
        clicked: bool,
        script: &mut Script,
    ) -> Figure {
        let tracked = self.tracked_kind(kind);
        let span = cell.span;
        let flags =
            |lower: &Self, vars: &[VarId], bound: u32, shift: usize, script: &mut Script| {
                let mut flags = Vec::new();
                for number in 0..vars.len() {
                    let source = number.checked_sub(shift).map(|at| vars[at]);
                    flags.push(match source {
                        Some(var) if (number as u32) < bound => {
                            let value = Self::contains(cell.clone(), lower.set_var(var, span));
                            Flag::Known(script.keep("counted", value))
                        }
                        _ => Flag::No,
                    });
                }
                flags
            };
        let (moved, age) = (self.vars.moved.clone(), self.vars.age.clone());
        let moved = flags(self, &moved, tracked.moves, usize::from(clicked), script);
        let age = flags(self, &age, tracked.age, 0, script);
        Figure {
            kind: Expr::elem(self.kind, kind as u32, span).some(),
            moved,
            age,
        }
    }

    /// The record of whatever stands on a cell.
    pub(super) fn standing(&mut self, cell: &Expr, script: &mut Script) -> Figure {
        let span = cell.span;
        let content = self.content(cell.clone());
        let kind = script.keep("other", content);
        let flags = |lower: &Self, vars: &[VarId], script: &mut Script| {
            let flag = |var: &VarId| {
                let value = Self::contains(cell.clone(), lower.set_var(*var, span));
                Flag::Known(script.keep("counted", value))
            };
            vars.iter().map(flag).collect()
        };
        let (moved, age) = (self.vars.moved.clone(), self.vars.age.clone());
        Figure {
            kind: Expr::local(kind, Type::Opt(self.kind), span),
            moved: flags(self, &moved, script),
            age: flags(self, &age, script),
        }
    }

    pub(super) fn step(&mut self, step: &Step, mover: &mut Mover, to: &Expr, script: &mut Script) {
        let before = std::mem::take(&mut script.out);
        let figure = mover.figure.clone();
        for action in &step.actions {
            self.act(action, mover, to, script);
        }
        let body = std::mem::replace(&mut script.out, before);
        let Some(when) = step.when else {
            script.out.extend(body);
            return;
        };
        let span = to.span;
        let cond = Expr::local(when, Type::Bool, span);
        script
            .out
            .push(Stmt::branch(cond.clone(), body, Vec::new()));
        // What the figure is afterwards depends on whether the set applied.
        mover.figure = self.either(&cond, &mover.figure, &figure, script);
    }

    /// One of two records of a figure.
    fn either(&self, cond: &Expr, yes: &Figure, no: &Figure, script: &mut Script) -> Figure {
        let kind = match yes.kind == no.kind {
            true => yes.kind.clone(),
            false => {
                let value = Expr::select(cond.clone(), yes.kind.clone(), no.kind.clone());
                let local = script.keep("kind", value);
                Expr::local(local, Type::Opt(self.kind), cond.span)
            }
        };
        let flags = |yes: &[Flag], no: &[Flag], script: &mut Script| {
            let mut flags = Vec::new();
            for (yes, no) in yes.iter().zip(no) {
                flags.push(match (yes, no) {
                    (Flag::No, Flag::No) => Flag::No,
                    (Flag::Yes, Flag::Yes) => Flag::Yes,
                    (Flag::Known(a), Flag::Known(b)) if a == b => Flag::Known(*a),
                    _ => {
                        let value =
                            Expr::select(cond.clone(), yes.value(cond.span), no.value(cond.span));
                        Flag::Known(script.keep("counted", value))
                    }
                });
            }
            flags
        };
        Figure {
            kind,
            moved: flags(&yes.moved, &no.moved, script),
            age: flags(&yes.age, &no.age, script),
        }
    }

    fn act(&mut self, action: &Do, mover: &mut Mover, to: &Expr, script: &mut Script) {
        match action {
            Do::Move => {
                for (number, flag) in mover.figure.age.iter_mut().enumerate() {
                    *flag = match number {
                        0 => Flag::Yes,
                        _ => Flag::No,
                    };
                }
                self.untrack(mover);
                let figure = mover.figure.clone();
                self.put(&figure, to, &mut script.out);
                self.clear(&mover.from.clone(), &mut script.out);
            }
            Do::Take { deferred: false } => self.clear(to, &mut script.out),
            Do::Take { deferred: true } => {
                if let Some(doomed) = self.vars.doomed {
                    self.put_in(doomed, to, &Flag::Yes, &mut script.out);
                }
            }
            Do::Swap => {
                if let Some(other) = mover.other.clone() {
                    self.put(&other, &mover.from.clone(), &mut script.out);
                }
                let figure = mover.figure.clone();
                self.put(&figure, to, &mut script.out);
            }
            Do::Replace(kind) => {
                let new = Expr::elem(self.kind, *kind as u32, to.span).some();
                self.replace(new, &[*kind], mover, script);
            }
            Do::ReplaceLater(kind) => {
                if let Some((cell, crown)) = self.vars.crown {
                    let new = Expr::elem(self.kind, *kind as u32, to.span).some();
                    script
                        .out
                        .push(Stmt::set_var(cell, Vec::new(), to.clone().some()));
                    script.out.push(Stmt::set_var(crown, Vec::new(), new));
                }
            }
            Do::Choose(kinds) => {
                if let Some(choice) = mover.choice.clone() {
                    let kinds = self.choices_of(kinds);
                    self.replace(choice.some(), &kinds, mover, script);
                }
            }
            Do::Continue => {
                if let Some(on) = script.on {
                    let yes = Expr::bool(true, to.span);
                    script.out.push(Stmt::assign(on, yes));
                }
            }
        }
    }

    /// An age that nobody asks for this figure is not kept.
    fn untrack(&self, mover: &mut Mover) {
        let kinds: Vec<usize> = match &mover.figure.kind.kind {
            ExprKind::Some(kind) => match kind.as_const() {
                Some(Const::Elem(kind)) => vec![*kind as usize],
                _ => (0..self.names.kinds.len()).collect(),
            },
            _ => (0..self.names.kinds.len()).collect(),
        };
        let most = kinds.iter().map(|kind| self.tracked_kind(*kind).age);
        let most = most.max().unwrap_or(0);
        if most == 0 {
            mover.figure.age.fill(Flag::No);
        }
    }

    /// What a figure can be chosen to become by any set: the first that applies gives the choice to all.
    fn choices_of(&self, kinds: &[usize]) -> Vec<usize> {
        let sets = self.programs.iter().flatten().flat_map(|p| &p.destination);
        let owner = |kind: &usize| {
            kinds
                .iter()
                .any(|k| self.names.kinds[*k].0 == self.names.kinds[*kind].0)
        };
        let lists = sets
            .flat_map(|set| &set.actions)
            .filter_map(|action| match action {
                Do::Choose(kinds) => Some(kinds),
                _ => None,
            });
        let mut all: Vec<usize> = lists.flatten().copied().filter(owner).collect();
        for chosen in self.game.complex.iter().flat_map(Complex::choices) {
            let known = self.names.kinds.iter().enumerate();
            let chosen = known.filter(|(_, (_, name))| name == chosen);
            all.extend(chosen.map(|(kind, _)| kind).filter(owner));
        }
        all
    }

    fn replace(&mut self, new: Expr, kinds: &[usize], mover: &mut Mover, script: &mut Script) {
        let tracked = kinds.iter().map(|kind| self.tracked_kind(*kind));
        let (mut moves, mut age) = (0, 0);
        for tracked in tracked {
            moves = moves.max(tracked.moves);
            age = age.max(tracked.age);
        }
        for flag in mover.figure.moved.iter_mut().skip(moves as usize) {
            *flag = Flag::No;
        }
        for flag in mover.figure.age.iter_mut().skip(age as usize) {
            *flag = Flag::No;
        }
        mover.figure.kind = new;
        let figure = mover.figure.clone();
        self.put(&figure, &mover.from.clone(), &mut script.out);
    }

    /// Puts a figure on a cell.
    fn put(&self, figure: &Figure, cell: &Expr, out: &mut Block) {
        let kind = figure.kind.clone();
        let content = StmtKind::SetContent(self.board, cell.clone(), kind);
        out.push(Stmt::new(content, cell.span));
        self.recount(figure, cell, out);
    }

    /// Stores the counters of the figure on a cell.
    pub(super) fn recount(&self, figure: &Figure, cell: &Expr, out: &mut Block) {
        let moved = self.vars.moved.iter().zip(&figure.moved);
        for (var, flag) in moved.chain(self.vars.age.iter().zip(&figure.age)) {
            self.put_in(*var, cell, flag, out);
        }
    }

    /// Empties a cell.
    pub(super) fn clear(&self, cell: &Expr, out: &mut Block) {
        let nothing = Expr::none(self.kind, cell.span);
        let content = StmtKind::SetContent(self.board, cell.clone(), nothing);
        out.push(Stmt::new(content, cell.span));
        for var in self.vars.moved.iter().chain(&self.vars.age) {
            self.put_in(*var, cell, &Flag::No, out);
        }
    }

    /// Puts a copy of a figure of a kind on a cell, with the counters of what stands on another one.
    pub(super) fn put_copy(&self, kind: usize, cell: &Expr, like: &Expr, out: &mut Block) {
        let span = cell.span;
        let tracked = self.tracked_kind(kind);
        let content = Expr::elem(self.kind, kind as u32, span).some();
        let content = StmtKind::SetContent(self.board, cell.clone(), content);
        out.push(Stmt::new(content, span));
        let sets = [
            (&self.vars.moved, tracked.moves),
            (&self.vars.age, tracked.age),
        ];
        for (vars, bound) in sets {
            for (number, var) in (0..).zip(vars) {
                let now = self.set_var(*var, span);
                let one = ExprKind::SetOf(vec![cell.clone()]);
                let one = Expr::new(one, Type::Set(self.cell), span);
                let without = Expr::binary(BinaryOp::Minus, now.clone(), one.clone());
                let with = Expr::binary(BinaryOp::Union, now.clone(), one);
                let value = match number < bound {
                    true => Expr::select(Self::contains(like.clone(), now), with, without),
                    false => without,
                };
                out.push(Stmt::set_var(*var, Vec::new(), value));
            }
        }
        if let Some(doomed) = self.vars.doomed {
            self.put_in(doomed, cell, &Flag::No, out);
        }
    }

    /// Puts a cell into a set or takes it out.
    fn put_in(&self, var: VarId, cell: &Expr, flag: &Flag, out: &mut Block) {
        let span = cell.span;
        let now = self.set_var(var, span);
        let one = ExprKind::SetOf(vec![cell.clone()]);
        let one = Expr::new(one, Type::Set(self.cell), span);
        let with = Expr::binary(BinaryOp::Union, now.clone(), one.clone());
        let without = Expr::binary(BinaryOp::Minus, now, one);
        let value = match flag {
            Flag::Yes => with,
            Flag::No => without,
            Flag::Known(local) => {
                let cond = Expr::local(*local, Type::Bool, span);
                Expr::select(cond, with, without)
            }
        };
        out.push(Stmt::set_var(var, Vec::new(), value));
    }

    /// When a move is progress.
    fn progress_of(
        &mut self,
        program: &Program,
        known: &[(Formula, bool)],
        at: &At,
        to: &Expr,
        script: &mut Script,
    ) -> Option<Expr> {
        self.vars.quiet?;
        let figure = self.names.kinds[program.kind].1.clone();
        let mut any_of: Vec<Expr> = Vec::new();
        for progress in self.progress() {
            match progress {
                Progress::Figure(name) if *name == figure => {
                    return Some(Expr::bool(true, at.span));
                }
                Progress::Figure(_) => {}
                Progress::Action(name) => {
                    let does =
                        |set: &&Set| !set.cancels && set.actions.iter().any(|a| a.word() == *name);
                    let sets = program.destination.iter().filter(does);
                    let sets: Vec<Formula> = sets.map(|set| set.when.given(known)).collect();
                    match Formula::or(sets) {
                        Formula::True => return Some(Expr::bool(true, at.span)),
                        Formula::False => {}
                        when => any_of.push(self.truth(&when, at, to)),
                    }
                    if program.acts_on_way() {
                        let sets = program.transition.iter().filter(does);
                        let sets: Vec<Formula> = sets.map(|set| set.when.clone()).collect();
                        any_of.extend(self.met(program, &Formula::or(sets), at, to, script));
                    }
                }
            }
        }
        let any = any_of.into_iter().reduce(Expr::or);
        let any = any.unwrap_or_else(|| Expr::bool(false, at.span));
        if any.as_const().is_some() {
            return Some(any);
        }
        let local = script.keep("progress", any);
        Some(Expr::local(local, Type::Bool, at.span))
    }

    /// Whether some cell on the way fulfils a formula.
    fn met(
        &mut self,
        program: &Program,
        formula: &Formula,
        at: &At,
        to: &Expr,
        script: &mut Script,
    ) -> Option<Expr> {
        if *formula == Formula::False {
            return None;
        }
        let ways = self.ways(program)?;
        let span = at.span;
        let way = self.way_table("way", &ways);
        let cells = self.on_the_way(program, formula, at, to, &mut script.f);
        let cells = script.keep("meant", cells);
        let cells = Expr::local(cells, Type::Set(self.cell), span);
        let found = script.keep("met", Expr::bool(false, span));
        let first = self.lookup(way, vec![at.from.clone(), to.clone()], span);
        let cell = script.keep("cell", first);
        let here = Expr::local(cell, Type::Elem(self.cell), span);
        let hit = Self::contains(here.clone(), cells);
        let next = self.lookup(way, vec![here.clone(), to.clone()], span);
        let kind = StmtKind::While {
            cond: Expr::binary(BinaryOp::Ne, here, to.clone()),
            bound: self.cell_count() as u32,
            body: vec![
                Stmt::branch(
                    hit,
                    vec![Stmt::assign(found, Expr::bool(true, span))],
                    Vec::new(),
                ),
                Stmt::assign(cell, next),
            ],
        };
        script.out.push(Stmt::new(kind, span));
        Some(Expr::local(found, Type::Bool, span))
    }

    /// Counts the move for draw rules.
    pub(super) fn tick(&self, progress: Option<Expr>, script: &mut Script) {
        let span = self.span();
        if let Some(plies) = self.vars.plies {
            script.out.push(self.count_up(plies, span));
        }
        let (Some(quiet), Some(progress)) = (self.vars.quiet, progress) else {
            return;
        };
        let mut fresh = vec![Stmt::set_var(quiet, Vec::new(), Expr::int(0, span))];
        if self.repetition().is_some() && self.is_final {
            fresh.push(Stmt::new(StmtKind::Forget(TrailId(0)), span));
        }
        let stale = vec![self.count_up(quiet, span)];
        match progress.as_const() {
            Some(Const::Bool(true)) => script.out.extend(fresh),
            Some(_) => script.out.extend(stale),
            None => script.out.push(Stmt::branch(progress, fresh, stale)),
        }
    }

    /// Adds one to a number, up to its greatest value.
    pub(super) fn count_up(&self, var: VarId, span: Span) -> Stmt {
        let most = self.b.game.var(var).ty.int_range().map_or(0, |(_, hi)| hi);
        let next = Expr::binary(BinaryOp::Add, self.set_var(var, span), Expr::int(1, span));
        let next = Expr::binary(BinaryOp::Min, next, Expr::int(most, span));
        Stmt::set_var(var, Vec::new(), next)
    }
}

/// The actions without those that later ones of the same set undo.
fn needed(actions: &[Do]) -> Vec<Do> {
    let mut out: Vec<Do> = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let later = &actions[at + 1..];
        let undone = *action == Do::Take { deferred: false } && later.contains(&Do::Move);
        if !undone {
            out.push(action.clone());
        }
    }
    out
}
