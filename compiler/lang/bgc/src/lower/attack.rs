//! Who attacks a cell: simple moves that take, asked from their end.

use super::Lower;
use super::exprs::At;
use super::formula::{Atom, Formula};
use super::program::{Do, Program, Ray, any, any_missing};
use crate::ast::Computed;
use crate::ir::builder::FunctionBuilder;
use crate::ir::{BinaryOp, Expr, ExprKind, Fold, FuncId, Over, Stmt, StmtKind, Type};
use crate::source::Span;

/// Lines that end on a cell: walked once for all kinds that move along them.
struct Line {
    unit: Vec<i64>,
    blocks: Formula,
    beyond: bool,
    /// The kinds, their numbers of steps, and when they attack.
    kinds: Vec<(usize, Vec<u32>, Formula)>,
}

/// A ray along which every figure is asked how far it gets, and when it attacks.
type Slow = (Program, Ray, Formula);

/// Cells from which a kind reaches a cell at once.
struct Leap {
    kind: usize,
    when: Formula,
    rays: Vec<Ray>,
}

impl Lower<'_> {
    /// Whether any rule asks who attacks.
    pub(super) fn asks_attacks(&self) -> bool {
        let game = self.game;
        let mut checks = game.win.values().chain(game.forbidden.values()).flatten();
        checks.any(|check| check.attacked)
            || game
                .figures
                .keys()
                .any(|figure| self.asking(figure).is_some())
    }

    /// The first condition of a figure that asks who attacks.
    fn asking(&self, figure: &str) -> Option<Span> {
        let asks =
            |computed: Computed| matches!(computed, Computed::IsAttacked | Computed::SelfAttacked);
        let conditions = super::conditions_of(self.game, figure);
        let mut conditions = conditions.into_iter();
        let asking =
            conditions.find(|one| one.computed.iter().any(|(computed, _)| asks(*computed)));
        asking.map(|condition| condition.span)
    }

    /// Makes the functions that tell whether a figure of a kind is attacked on a cell.
    pub(super) fn declare_attacks(&mut self) {
        if !self.asks_attacks() {
            return;
        }
        // Bodies may ask each other, so the names come first.
        for kind in 0..self.names.kinds.len() {
            let (player, figure) = &self.names.kinds[kind];
            let name = format!("attacked {player} {figure}");
            let doc = format!("Whether a {figure} of {player} would be attacked on a cell.");
            let (f, ..) = self.attack_head(&name, &doc);
            let never = Stmt::give(Expr::bool(false, self.span()));
            let id = self.b.function(f.body(vec![never]));
            self.attacks.insert(kind, id);
        }
        for kind in 0..self.names.kinds.len() {
            let Some(id) = self.attacks.get(&kind).copied() else {
                continue;
            };
            match self.recursive {
                true => self.attack_trial(kind, id),
                false => self.attack_body(kind, id),
            }
        }
    }

    /// Parameters: the cell, and the cell whose counters the figure has.
    fn attack_head(&self, name: &str, doc: &str) -> (FunctionBuilder, Expr, Expr) {
        let span = self.span();
        let mut f = FunctionBuilder::new(name, Some(Type::Bool), span).doc(doc);
        let cell = f.param("cell", Type::Elem(self.cell));
        let like = f.param("like", Type::Elem(self.cell));
        let (cell, like) = (f.get(cell), f.get(like));
        (f, cell, like)
    }

    fn attack_body(&mut self, kind: usize, id: FuncId) {
        let span = self.span();
        let function = self.b.game.function(id);
        let (name, doc) = (function.name.clone(), function.doc.clone());
        let (mut f, cell, like) = self.attack_head(&name, &doc);
        let (leaps, lines, slow) = self.attackers(kind);
        let mut body = Vec::new();
        let mut tests = Vec::new();
        for leap in leaps {
            tests.push(self.leap(&leap, &cell, &like, &mut f));
        }
        for line in lines {
            tests.push(self.line(&line, &cell, &like, &mut f));
        }
        for (program, ray, when) in slow {
            tests.push(self.slow(&program, &ray, &when, (&cell, &like), &mut f));
        }
        let any = tests.into_iter().reduce(Expr::or);
        body.push(Stmt::give(any.unwrap_or_else(|| Expr::bool(false, span))));
        self.b.game.functions[id.index()] = f.body(body);
    }

    /// The test where it may ask itself: the figure is put on the cell, and figures that could take it there are asked one
    /// after the other, each no more than it takes to know.
    fn attack_trial(&mut self, kind: usize, id: FuncId) {
        let span = self.span();
        let function = self.b.game.function(id);
        let (name, doc) = (function.name.clone(), function.doc.clone());
        let (mut f, cell, like) = self.attack_head(&name, &doc);
        let (ok, found) = (f.local("ok", Type::Bool), f.local("found", Type::Bool));
        let mut put = Vec::new();
        self.put_copy(kind, &cell, &like, &mut put);
        let some = self.some_taker(kind, &cell, &mut f);
        let trial = StmtKind::Trial {
            body: put,
            keep: false,
            ok,
            value: Some((some, found)),
        };
        let body = vec![
            Stmt::assign(found, Expr::bool(false, span)),
            Stmt::new(trial, span),
            Stmt::give(Expr::local(found, Type::Bool, span)),
        ];
        self.b.game.functions[id.index()] = f.body(body);
    }

    /// Whether some figure takes one of a kind that stands on a cell.
    fn some_taker(&mut self, kind: usize, cell: &Expr, f: &mut FunctionBuilder) -> Expr {
        let span = self.span();
        let owner = self.names.kinds[kind].0.clone();
        let local = f.local("attacker", Type::Elem(self.cell));
        let from = self.elem(local, span);
        let mut each: Vec<Expr> = Vec::new();
        let mut rays: Vec<Ray> = Vec::new();
        for enemy in 0..self.names.kinds.len() {
            if self.names.kinds[enemy].0 == owner {
                continue;
            }
            let mut tests: Vec<Expr> = Vec::new();
            for program in self.programs[enemy].clone() {
                if program.harmless {
                    continue;
                }
                let takes = |set: &super::program::Set| {
                    let mut actions = set.actions.iter();
                    !set.cancels && actions.any(|action| matches!(action, Do::Take { .. }))
                };
                let takes = program.destination.iter().filter(|set| takes(set));
                let takes = Formula::or(takes.map(|set| set.when.clone()).collect::<Vec<_>>());
                let free = any(&program.destination, true).negated();
                let takes = Formula::and([free, takes]).with_contents(kind);
                for ray in program.rays.iter().filter(|_| takes != Formula::False) {
                    let fits = ray.when.with_contents(kind);
                    tests.extend(self.taker(&program, ray, (&fits, &takes), (&from, cell), f));
                    rays.push(ray.clone());
                }
            }
            let is = Expr::elem(self.kind, enemy as u32, span).some();
            let is = self.content(from.clone()).equals(is);
            each.extend(tests.into_iter().reduce(Expr::or).map(|some| is.and(some)));
        }
        let Some(some) = each.into_iter().reduce(Expr::or) else {
            return Expr::bool(false, span);
        };
        let near = self.sources(&rays);
        let near = self.lookup(near, vec![cell.clone()], span);
        Expr::fold(Fold::Exists, local, Over::Set(near), some)
    }

    /// Whether a figure takes along a ray, its conditions in the order in which rules ask them.
    fn taker(
        &mut self,
        program: &Program,
        ray: &Ray,
        (fits, takes): (&Formula, &Formula),
        (from, cell): (&Expr, &Expr),
        f: &mut FunctionBuilder,
    ) -> Option<Expr> {
        if *fits == Formula::False {
            return None;
        }
        let at = At {
            kind: program.kind,
            from: from.clone(),
            like: None,
            span: from.span,
        };
        let near = self.sources(std::slice::from_ref(ray));
        let near = self.lookup(near, vec![cell.clone()], from.span);
        let mut tests = vec![Self::contains(from.clone(), near)];
        tests.push(self.truth(fits, &at, cell));
        tests.push(self.truth(takes, &at, cell));
        if program.looks_on_way(ray) {
            tests.push(self.passes(program, ray, false, &at, cell, f));
        }
        tests.into_iter().reduce(Expr::and)
    }

    /// All ways to take a figure of a kind, sorted by how they are found.
    fn attackers(&self, kind: usize) -> (Vec<Leap>, Vec<Line>, Vec<Slow>) {
        let (mut leaps, mut lines, mut slow) = (Vec::<Leap>::new(), Vec::<Line>::new(), Vec::new());
        let player = &self.names.kinds[kind].0;
        let enemies = self.programs.iter().flatten();
        let enemies = enemies
            .filter(|program| self.names.kinds[program.kind].0 != *player && !program.harmless);
        for program in enemies {
            let takes = |set: &&super::program::Set| {
                let take = |action: &Do| matches!(action, Do::Take { .. });
                !set.cancels && set.actions.iter().any(take)
            };
            let takes = program.destination.iter().filter(takes);
            let takes = Formula::or(takes.map(|set| set.when.clone()).collect::<Vec<_>>());
            let free = any(&program.destination, true).negated();
            let takes = Formula::and([takes, free]).with_contents(kind);
            for ray in &program.rays {
                let when = Formula::and([takes.clone(), ray.when.with_contents(kind)]);
                if when == Formula::False {
                    continue;
                }
                if !program.looks_on_way(ray) {
                    let same = |leap: &&mut Leap| leap.kind == program.kind && leap.when == when;
                    match leaps.iter_mut().find(same) {
                        Some(leap) => leap.rays.push(ray.clone()),
                        None => leaps.push(Leap {
                            kind: program.kind,
                            when,
                            rays: vec![ray.clone()],
                        }),
                    }
                    continue;
                }
                let blocks = any(&program.transition, true);
                let hole = any_missing(&program.transition, true);
                let beyond = hole == Formula::False;
                if program.takes.is_some()
                    || blocks.asks_self()
                    || !(beyond || hole == Formula::True)
                {
                    slow.push((program.clone(), ray.clone(), when));
                    continue;
                }
                let same = |line: &&mut Line| {
                    line.unit == ray.unit && line.blocks == blocks && line.beyond == beyond
                };
                let attacker = (program.kind, ray.steps.clone(), when);
                match lines.iter_mut().find(same) {
                    Some(line) => line.kinds.push(attacker),
                    None => lines.push(Line {
                        unit: ray.unit.clone(),
                        blocks,
                        beyond,
                        kinds: vec![attacker],
                    }),
                }
            }
        }
        (leaps, lines, slow)
    }

    /// The cells from which rays lead to each cell.
    fn sources(&mut self, rays: &[Ray]) -> crate::ir::TableId {
        let rays = rays.to_vec();
        self.set_table("sources", move |lower, cell| {
            let mut all = Vec::new();
            for ray in &rays {
                let steps = ray.steps.iter();
                all.extend(steps.filter_map(|n| lower.offset(cell, &ray.unit, -i64::from(*n))));
            }
            all
        })
    }

    /// Whether some figure of a kind on one of the cells fulfils a formula.
    fn some_attacker(
        &mut self,
        (kind, when): (usize, &Formula),
        sources: Expr,
        (cell, like): (&Expr, &Expr),
        f: &mut FunctionBuilder,
    ) -> Expr {
        let span = self.span();
        let at = |from: Expr| At {
            kind,
            from,
            like: Some(like.clone()),
            span,
        };
        if when.any(&|atom| *atom == Atom::SelfAttacked || *atom == Atom::Attacked)
            || when.asks_self()
        {
            let local = f.local("attacker", Type::Elem(self.cell));
            let from = self.elem(local, span);
            let body = self.truth(when, &at(from), cell);
            return Expr::fold(Fold::Exists, local, Over::Set(sources), body);
        }
        let some = Expr::binary(BinaryOp::Ne, sources, self.empty_set(span));
        match when {
            Formula::True => some,
            _ => self.truth(when, &at(cell.clone()), cell).and(some),
        }
    }

    fn leap(&mut self, leap: &Leap, cell: &Expr, like: &Expr, f: &mut FunctionBuilder) -> Expr {
        let span = self.span();
        let table = self.sources(&leap.rays);
        let near = self.lookup(table, vec![cell.clone()], span);
        let sources = Expr::binary(BinaryOp::Intersect, near, self.places(leap.kind, span));
        self.some_attacker((leap.kind, &leap.when), sources, (cell, like), f)
    }

    fn line(&mut self, line: &Line, cell: &Expr, like: &Expr, f: &mut FunctionBuilder) -> Expr {
        let span = self.span();
        let back: Vec<i64> = line.unit.iter().map(|step| -step).collect();
        let step = self.direction(&back, line.beyond);
        let at = At {
            kind: line.kinds[0].0,
            from: cell.clone(),
            like: None,
            span,
        };
        let pass = line.blocks.clone().negated();
        let reached = self.reached(cell, step, &pass, &at, f);
        let most = self.most_steps(&line.unit);
        let mut tests = Vec::new();
        let mut plain: Option<Expr> = None;
        for (kind, steps, when) in &line.kinds {
            let all = steps.iter().copied().eq(1..=most);
            let mut places = self.places(*kind, span);
            if !all {
                let ray = Ray {
                    unit: line.unit.clone(),
                    steps: steps.clone(),
                    when: Formula::True,
                };
                let table = self.sources(&[ray]);
                let near = self.lookup(table, vec![cell.clone()], span);
                places = Expr::binary(BinaryOp::Intersect, places, near);
            }
            if *when == Formula::True {
                plain = Some(match plain {
                    Some(plain) => Expr::binary(BinaryOp::Union, plain, places),
                    None => places,
                });
            } else {
                let sources = Expr::binary(BinaryOp::Intersect, places, reached.clone());
                tests.push(self.some_attacker((*kind, when), sources, (cell, like), f));
            }
        }
        if let Some(plain) = plain {
            let sources = Expr::binary(BinaryOp::Intersect, reached, plain);
            let some = Expr::binary(BinaryOp::Ne, sources, self.empty_set(span));
            tests.insert(0, some);
        }
        let any = tests.into_iter().reduce(Expr::or);
        any.unwrap_or_else(|| Expr::bool(false, span))
    }

    /// Where what blocks depends on the figure that moves: each is asked how far it gets.
    fn slow(
        &mut self,
        program: &Program,
        ray: &Ray,
        when: &Formula,
        (cell, like): (&Expr, &Expr),
        f: &mut FunctionBuilder,
    ) -> Expr {
        let span = self.span();
        let table = self.sources(std::slice::from_ref(ray));
        let near = self.lookup(table, vec![cell.clone()], span);
        let sources = Expr::binary(BinaryOp::Intersect, near, self.places(program.kind, span));
        let local = f.local("attacker", Type::Elem(self.cell));
        let at = At {
            kind: program.kind,
            from: self.elem(local, span),
            like: Some(like.clone()),
            span,
        };
        let reach = self.way(program, ray, false, &at, f);
        let body = Self::contains(cell.clone(), reach).and(self.truth(when, &at, cell));
        Expr::fold(Fold::Exists, local, Over::Set(sources), body)
    }

    /// Whether a figure of a kind with the counters of that on the second cell would be attacked on the first.
    pub(super) fn attacked(&self, kind: usize, cell: Expr, like: Expr) -> Expr {
        let span = cell.span;
        match self.attacks.get(&kind) {
            Some(func) => Expr::new(ExprKind::Call(*func, vec![cell, like]), Type::Bool, span),
            None => Expr::bool(false, span),
        }
    }

    /// The same where a condition of the figure asks it: a fault, such as of figures that ask about each other without end, is
    /// shown there.
    pub(super) fn asks_attacked(&self, kind: usize, cell: Expr, like: &Expr) -> Expr {
        let asking = self.asking(&self.names.kinds[kind].1);
        let mut asked = self.attacked(kind, cell, like.clone());
        asked.span = asking.unwrap_or(asked.span);
        asked
    }
}
