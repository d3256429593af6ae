//! `patterns`: questions about what stands on several places become comparisons of sets.
//!
//! Three in a row, five in a row and no more, a closed mill, a full board, no free neighbour: rules ask such things in
//! loops and conditions, place by place. What such a function comes to is found by running it once for each member of its
//! parameter on a board that is not known ([`explore`]): a sum of products of tests of places. A product holds if a
//! constant set of places lies in the set of the places that pass the test, so the function becomes a look at a short list
//! of constant sets.

mod cases;
pub(in crate::opt) mod explore;
pub(in crate::opt) mod formula;
pub(in crate::opt) mod reach;

use std::collections::BTreeSet;

use crate::ir::effects::Effects;
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, EnvId, Expr, ExprKind, Fold, FuncId, Function, Game,
    Local, LocalId, Over, PlacementForm, PlacementId, Stmt, StmtKind, Table, TableId, Type,
};
use crate::source::Span;

use crate::board::contents::Cases;

use explore::{Explorer, Plane, Value};
use formula::{Cube, Formula};

use super::fold_constants::{drop_functions, drop_tables, simplify};
use super::rays::cases_of;
use super::rays::env::read_after;
use super::rays::values::Possible;
use super::tables::known_or_new;

/// Products that a function may be a sum of.
const MOST_PRODUCTS: usize = 128;
/// Products that are not taken apart by what they have in common.
const FEW: usize = 8;
/// Members of the parameter of a function.
const MOST_MEMBERS: usize = 1024;
/// Products of a function for all members of its parameter.
const MOST_ROWS: usize = 16_384;

/// Rewrites what it can.
pub fn run(game: &mut Game) {
    explore::with_room(|| run_inside(game));
}

fn run_inside(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let reached = reach::members(game);
    let after = read_after(game, &effects);
    let possible = Possible::of(game);
    let occupied: Vec<Vec<Vec<bool>>> = (0..game.placements.len())
        .map(|placement| reach::occupied(game, &effects, PlacementId::from(placement)))
        .collect();
    let mut order: Vec<FuncId> = (0..game.functions.len()).map(FuncId::from).collect();
    // Callers first, so that what only they call is not looked at by itself.
    order.sort_by_key(|func| std::cmp::Reverse(effects.reaches(*func).len()));
    let mut rewritten: Vec<FuncId> = Vec::new();
    for func in order {
        let covered = |other: &FuncId| effects.reaches(*other).contains(&func);
        if rewritten.iter().any(covered) && !still_called(game, func) {
            continue;
        }
        if let Some(placement) = candidate(game, &effects, func)
            && let Some(found) = {
                let standing = &occupied[placement.index()][func.index()];
                let facts = Facts {
                    game,
                    effects: &effects,
                    reached: &reached,
                    standing,
                    possible: &possible,
                    after: &after[func.index()],
                };
                facts.find(func, placement)
            }
        {
            found.write(game);
            rewritten.push(func);
        }
    }
    if !rewritten.is_empty() {
        drop_functions(game);
        simplify(game);
        drop_tables(game);
    }
}

/// Whether something that can run asks for a function.
fn still_called(game: &Game, func: FuncId) -> bool {
    Effects::of(game).live(game).contains(&func)
}

/// The placement that a function asks about, if it only asks: its value is a truth, and nothing else comes of it.
pub(in crate::opt) fn asked_placement(
    game: &Game,
    effects: &Effects,
    func: FuncId,
) -> Option<PlacementId> {
    let effect = effects.function(func);
    let mut placements = effect.reads.placements.iter();
    let (placement, None) = (placements.next()?, placements.next()) else {
        return None;
    };
    let plain = game.function(func).ret == Some(Type::Bool)
        && effect.is_guard()
        && !effect.fails
        && !effects.is_recursive(func)
        && effect.reads.trails.is_empty()
        && game.placement(*placement).form != PlacementForm::Many;
    plain.then_some(*placement)
}

/// The placement that a function asks about, if it is of the kind that is looked at.
fn candidate(game: &Game, effects: &Effects, func: FuncId) -> Option<PlacementId> {
    let placement = asked_placement(game, effects, func)?;
    let function = game.function(func);
    let mut several = false;
    crate::ir::visit::walk_block(&function.body, &mut |stmt| {
        several |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Call { .. });
        stmt.children(&mut |expr| {
            expr.walk(&mut |expr| several |= matches!(expr.kind, ExprKind::Call(..)));
        });
    });
    (several && !effects.function(func).works).then_some(placement)
}

/// What is known of a function before it is looked at.
struct Facts<'a> {
    game: &'a Game,
    effects: &'a Effects,
    reached: &'a reach::Reached,
    /// The parameters that are places on which something stands.
    standing: &'a [bool],
    possible: &'a Possible,
    /// What is read of the environment after it.
    after: &'a BTreeSet<EnvId>,
}

/// What a function comes to.
struct Found {
    func: FuncId,
    /// The statements of its body that stay as they are.
    from: usize,
    placement: PlacementId,
    planes: Vec<PlaneSet>,
    places: u32,
    /// Whether the function is true where no product holds.
    negated: bool,
    /// The parameter that the products depend on, its domain, and the products for each of its members; those of
    /// members that never occur are missing.
    by: Option<(LocalId, DomainId)>,
    rows: Vec<Option<Vec<Cube>>>,
    /// Whether something stands on the place that the products depend on.
    stands: bool,
    /// What is told apart beside the board.
    cases: Cases,
    subjects: Vec<Option<u32>>,
    env: Vec<(EnvId, Expr)>,
    span: Span,
}

/// The places that pass a test.
enum PlaneSet {
    Is(Content),
    EqualsGiven(Content, Expr),
    /// Equal to what stands on the subject.
    EqualsOf(Content, Content),
    /// Those with some contents, in each case.
    InCases(Vec<Content>),
}

/// A value for each piece, and for an empty place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    values: Vec<Const>,
    ty: Type,
}

impl PlaneSet {
    /// The contents that pass in a case, where that is told apart.
    fn in_case(&self, case: usize) -> Option<&Content> {
        match self {
            PlaneSet::InCases(each) => each.get(case),
            _ => None,
        }
    }
}

impl Facts<'_> {
    /// What the function comes to, or what its end comes to if that begins with a loop over places.
    fn find(&self, func: FuncId, placement: PlacementId) -> Option<Found> {
        let body = &self.game.function(func).body;
        let loops = |from: usize| {
            let mut found = false;
            crate::ir::visit::walk_block(&body[from..], &mut |stmt| {
                found |= matches!(stmt.kind, StmtKind::For { .. });
            });
            found
        };
        let mut starts = (0..body.len()).take_while(|from| *from == 0 || loops(*from));
        starts.find_map(|from| self.find_from(func, placement, from))
    }

    fn find_from(&self, func: FuncId, placement: PlacementId, from: usize) -> Option<Found> {
        let (game, effects) = (self.game, self.effects);
        let function = game.function(func);
        let mut assigned = Vec::new();
        crate::ir::visit::walk_block(&function.body[..from], &mut |stmt| {
            super::locals::each_assigned(stmt, &mut |local| assigned.push(local));
        });
        let mut members =
            (0..function.params).filter_map(|param| match function.locals[param].ty {
                Type::Elem(domain) => Some((param, domain)),
                _ => None,
            });
        let by = members.next();
        let changed = |(param, _): (usize, _)| assigned.contains(&LocalId::from(param));
        if members.next().is_some() || by.is_some_and(changed) {
            return None;
        }
        let count = by.map_or(1, |(_, domain)| game.domain(domain).len());
        if count > MOST_MEMBERS {
            return None;
        }
        let mut explorer = Explorer::new(game, effects, placement);
        let params: Vec<_> = (0..function.params)
            .map(|param| self.possible.param(func, param))
            .collect();
        explorer.cases = cases_of(game, effects, func, &params);
        let mut formulas: Vec<Option<Formula>> = Vec::new();
        let mut subjects = Vec::new();
        let mut env: Option<Vec<(EnvId, Value)>> = None;
        for member in 0..count as u32 {
            let possible = by.is_none_or(|(param, _)| self.reached.may_be(func, param, member));
            if !possible {
                formulas.push(None);
                subjects.push(None);
                continue;
            }
            let args: Vec<Value> = (0..function.params)
                .map(|param| match by {
                    Some((own, _)) if own == param => Value::Const(Const::Elem(member)),
                    _ => {
                        let local = &function.locals[param];
                        let id = LocalId::from(param);
                        let given = Expr::local(id, local.ty.clone(), function.span);
                        Value::Given(explorer.give(&given))
                    }
                })
                .collect();
            explorer.subject = None;
            let place = Type::Elem(game.placement(placement).places);
            let stands = by
                .filter(|(param, _)| self.standing[*param] && function.locals[*param].ty == place);
            explorer.occupied = stands.map(|_| member);
            let (formula, after) = explorer.run(func, args, (from, &assigned))?;
            let after = after
                .into_iter()
                .filter(|(var, _)| self.after.contains(var));
            let after = after.map(|(var, value)| Some((var, value?)));
            let after: Vec<(EnvId, Value)> = after.collect::<Option<_>>()?;
            if *env.get_or_insert(after.clone()) != after {
                return None;
            }
            formulas.push(Some(formula));
            subjects.push(explorer.subject);
        }
        let (negated, rows) = shorter(formulas)?;
        let env = env.unwrap_or_default().into_iter().map(|(var, value)| {
            let ty = game.env[var.index()].ty.clone();
            let like = Expr::bool(false, function.span);
            match value {
                Value::Const(value) => Some((var, Expr::constant(value, ty, function.span))),
                Value::Given(_) => Some((var, explorer.as_expr(&value, &like))),
                _ => None,
            }
        });
        let env = env.collect::<Option<_>>()?;
        let mut found = Found {
            func,
            from,
            placement,
            planes: Vec::new(),
            places: explorer.places(),
            negated,
            by: by.map(|(param, domain)| (LocalId::from(param), domain)),
            rows,
            stands: by.is_some_and(|(param, _)| self.standing[param]),
            cases: explorer.cases.clone(),
            subjects,
            env,
            span: function.span,
        };
        if found.gather_in_cases(&mut explorer).is_none() {
            found.gather(&explorer)?;
        }
        Some(found)
    }
}

impl Found {
    /// Keeps the planes that the products use, those with one subject as one.
    fn gather(&mut self, explorer: &Explorer) -> Option<()> {
        let places = self.places;
        let content = |function: usize| {
            let (values, ty) = &explorer.functions[function];
            Some(Content {
                values: values.iter().cloned().collect::<Option<_>>()?,
                ty: ty.clone(),
            })
        };
        let mut numbers: Vec<(Plane, usize)> = Vec::new();
        for (row, subject) in self.rows.iter_mut().zip(&self.subjects) {
            for cube in row.iter_mut().flatten() {
                for test in cube.holds.iter_mut().chain(&mut cube.fails) {
                    let plane = &explorer.planes[(*test / places) as usize];
                    let plane = match plane {
                        Plane::EqualsOf(_, _, other) if Some(*other) != *subject => return None,
                        Plane::EqualsOf(f, g, _) => Plane::EqualsOf(*f, *g, 0),
                        Plane::Derived(_) | Plane::Given(_) => return None,
                        plane => plane.clone(),
                    };
                    let known = numbers.iter().find(|(other, _)| *other == plane);
                    let number = match known {
                        Some((_, number)) => *number,
                        None => {
                            self.planes.push(match &plane {
                                Plane::Is(f) => PlaneSet::Is(content(*f)?),
                                Plane::EqualsGiven(f, given) => PlaneSet::EqualsGiven(
                                    content(*f)?,
                                    explorer.given[*given].clone(),
                                ),
                                Plane::EqualsOf(f, g, _) => {
                                    PlaneSet::EqualsOf(content(*f)?, content(*g)?)
                                }
                                Plane::Derived(_) | Plane::Given(_) => return None,
                            });
                            numbers.push((plane, self.planes.len() - 1));
                            self.planes.len() - 1
                        }
                    };
                    *test = number as u32 * places + *test % places;
                }
                cube.holds.sort_unstable();
                cube.fails.sort_unstable();
            }
        }
        Some(())
    }
}

/// The products of functions or of their opposites, whichever are fewer; whether they are those of the opposites.
fn shorter(formulas: Vec<Option<Formula>>) -> Option<(bool, Vec<Option<Vec<Cube>>>)> {
    let form = |negated: bool| -> Option<Vec<Option<Vec<Cube>>>> {
        let rows = formulas.iter().map(|formula| match formula {
            None => Some(None),
            Some(formula) => {
                let sum = if negated {
                    &formula.fails
                } else {
                    &formula.holds
                };
                sum.as_ref().map(|sum| Some(sum.to_vec()))
            }
        });
        rows.collect()
    };
    let longest = |rows: &Vec<Option<Vec<Cube>>>| rows.iter().flatten().map(Vec::len).max();
    let mut forms: Vec<_> = [false, true]
        .into_iter()
        .filter_map(|negated| Some((longest(&form(negated)?)?, negated)))
        .collect();
    forms.sort_unstable();
    let (longest, negated) = *forms.first()?;
    let rows = form(negated)?;
    let short = longest <= MOST_PRODUCTS && longest * rows.len() <= MOST_ROWS;
    short.then_some((negated, rows))
}

impl Found {
    /// Replaces the body of the function.
    fn write(self, game: &mut Game) {
        let writer = Writer {
            game,
            found: &self,
            by: self.by,
            rows: self.rows.clone(),
        };
        let (locals, body) = writer.body();
        let function = &mut game.functions[self.func.index()];
        function.locals.extend(locals);
        function.body.truncate(self.from);
        function.body.extend(body);
    }
}

struct Writer<'a> {
    game: &'a mut Game,
    found: &'a Found,
    /// The variable that the products depend on, and the products for each of its members.
    by: Option<(LocalId, DomainId)>,
    rows: Vec<Option<Vec<Cube>>>,
}

impl Writer<'_> {
    fn function(&self) -> &Function {
        self.game.function(self.found.func)
    }

    fn body(mut self) -> (Vec<Local>, Block) {
        let span = self.found.span;
        let first = self.function().locals.len();
        let mut locals = Vec::new();
        let found = self.found;
        let each: Vec<Vec<&Content>> = (0..found.cases.count())
            .map(|case| {
                found
                    .planes
                    .iter()
                    .filter_map(|plane| plane.in_case(case))
                    .collect()
            })
            .collect();
        let known: Vec<&Vec<&Content>> = each.iter().collect();
        let value = match found.planes.iter().all(|plane| plane.in_case(0).is_some()) {
            true => self.in_cases(&found.cases, &known, (first, &mut locals)),
            false => self.whole(&found.planes, (first, &mut locals)),
        };
        let value = match self.found.negated {
            true => value.not(),
            false => value,
        };
        let mut body: Block = Vec::new();
        for (var, after) in &self.found.env {
            body.push(Stmt::set_env(*var, after.clone()));
        }
        body.push(Stmt::give(value.at(span)));
        (locals, body)
    }

    /// The places that pass a test.
    fn collected(&mut self, plane: &PlaneSet, (first, locals): (usize, &mut Vec<Local>)) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let local = LocalId::from(first + locals.len());
        locals.push(Local {
            name: "place".to_owned(),
            ty: Type::Elem(places),
        });
        let place = Expr::local(local, Type::Elem(places), span);
        let when = self.test(plane, place);
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Domain(places)),
            when: Box::new(when),
        };
        Expr::new(kind, Type::Set(places), span)
    }

    /// Whether some product holds, by planes with the contents of the case that is given.
    fn in_cases(
        &mut self,
        cases: &Cases,
        known: &[&Vec<&Content>],
        (first, locals): (usize, &mut Vec<Local>),
    ) -> Expr {
        let span = self.found.span;
        let Some((given, parts)) = cases.split(known) else {
            let contents = known
                .first()
                .into_iter()
                .flat_map(|contents| contents.iter());
            let planes: Vec<PlaneSet> = contents
                .map(|content| PlaneSet::Is((*content).clone()))
                .collect();
            let (rows, by) = (self.rows.clone(), self.by);
            let value = self.whole(&planes, (first, locals));
            (self.rows, self.by) = (rows, by);
            return value;
        };
        let given = given.clone().at(span);
        let mut all: Option<Expr> = None;
        for (value, cases, known) in parts.into_iter().rev() {
            let known: Vec<&Vec<&Content>> = known.into_iter().copied().collect();
            let holds = self.in_cases(&cases, &known, (first, &mut *locals));
            let value = Expr::constant(value.clone(), given.ty.clone(), span);
            let test = given.clone().equals(value).at(span);
            all = Some(match all {
                Some(all) => Expr::select(test, holds, all),
                None => holds,
            });
        }
        all.unwrap_or_else(|| Expr::bool(false, span))
    }

    /// Whether some product of planes holds.
    fn whole(&mut self, planes: &[PlaneSet], (first, locals): (usize, &mut Vec<Local>)) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let sets = planes.iter();
        let sets: Vec<Expr> = sets
            .map(|plane| self.collected(plane, (first, &mut *locals)))
            .collect();
        match self.parts() {
            0 => Expr::bool(false, span),
            1 => self.some_product(&sets, None),
            parts if parts > FEW && self.take_apart().is_some() => {
                let local = LocalId::from(first + locals.len());
                locals.push(Local {
                    name: "one".to_owned(),
                    ty: Type::Elem(places),
                });
                let plane = self.take_apart().unwrap_or_default();
                self.group_by(local);
                let mut line = None;
                if self.parts() > 1 {
                    let ty = self.line_type();
                    line = Some(LocalId::from(first + locals.len()));
                    locals.push(Local {
                        name: "line".to_owned(),
                        ty,
                    });
                }
                let inner = self.some_product(&sets, line);
                Expr::fold(Fold::Exists, local, Over::Set(sets[plane].clone()), inner).at(span)
            }
            _ => {
                let line = LocalId::from(first + locals.len());
                locals.push(Local {
                    name: "line".to_owned(),
                    ty: self.line_type(),
                });
                self.some_product(&sets, Some(line))
            }
        }
    }

    fn parts(&self) -> usize {
        self.rows.iter().flatten().map(Vec::len).max().unwrap_or(0)
    }

    fn line_type(&self) -> Type {
        Type::Int {
            lo: 0,
            hi: self.parts() as i64 - 1,
        }
    }

    /// The plane of which every product names exactly one place that passes, if there is such a plane.
    fn take_apart(&self) -> Option<usize> {
        if self.by.is_some() {
            return None;
        }
        let mut planes = self.rows.iter().flatten().flatten().map(|cube| {
            let [only] = cube.holds[..] else { return None };
            Some((only / self.found.places) as usize)
        });
        let first = planes.next()??;
        planes.all(|plane| plane == Some(first)).then_some(first)
    }

    /// Makes the products depend on the one place that each of them names.
    fn group_by(&mut self, local: LocalId) {
        let places = self.game.placement(self.found.placement).places;
        let mut rows: Vec<Vec<Cube>> = vec![Vec::new(); self.found.places as usize];
        for mut cube in self.rows.drain(..).flatten().flatten() {
            if let Some(place) = cube.holds.pop() {
                rows[(place % self.found.places) as usize].push(cube);
            }
        }
        self.rows = rows.into_iter().map(Some).collect();
        self.by = Some((local, places));
    }

    /// Whether some product holds; the variable numbers them if there are several.
    fn some_product(&mut self, sets: &[Expr], line: Option<LocalId>) -> Expr {
        let span = self.found.span;
        let value = match line {
            None => self.product(sets, None),
            Some(local) => {
                let ty = self.line_type();
                let last = self.parts() as i64 - 1;
                let bound = |value: i64| {
                    let ty = Type::Int {
                        lo: value,
                        hi: value,
                    };
                    Expr::constant(Const::Int(value), ty, span)
                };
                let over = Over::Range(bound(0), bound(last));
                let body = self.product(sets, Some(Expr::local(local, ty, span)));
                Expr::fold(Fold::Exists, local, over, body).at(span)
            }
        };
        match self.possible() {
            Some(possible) => possible.and(value),
            None => value,
        }
    }

    /// The parameter that the products depend on.
    fn member(&self) -> Option<(Expr, Axis)> {
        let (local, domain) = self.by?;
        let local = Expr::local(local, Type::Elem(domain), self.found.span);
        Some((local, Axis::Domain(domain)))
    }

    /// Whether some product can hold, where that depends on the parameter.
    fn possible(&mut self) -> Option<Expr> {
        let some = |row: &Option<Vec<Cube>>| row.as_ref().is_none_or(|cubes| !cubes.is_empty());
        if self.rows.iter().all(some) {
            return None;
        }
        let values = self.rows.iter().map(|row| Const::Bool(some(row)));
        let values = values.collect();
        let (member, axis) = self.member()?;
        let table = self.table("possible", vec![axis], Type::Bool, values, None);
        Some(self.lookup(table, vec![member]))
    }

    /// A product, the one of a number if there are several.
    fn product(&mut self, sets: &[Expr], line: Option<Expr>) -> Expr {
        let span = self.found.span;
        let mut all: Option<Expr> = None;
        for (plane, set) in sets.iter().enumerate() {
            let any = |of: fn(&Cube) -> &Vec<u32>| {
                let cubes = self.rows.iter().flatten().flatten();
                let mut tests = cubes.flat_map(of);
                tests.any(|test| (test / self.found.places) as usize == plane)
            };
            let (holds, fails) = (any(|cube| &cube.holds), any(|cube| &cube.fails));
            let held = self.places(plane, &line, "lines", |cube| cube.holds.clone());
            let test = match (holds, fails) {
                (false, false) => continue,
                (true, false) => Expr::binary(BinaryOp::Subset, held, set.clone()),
                (_, true) => {
                    let both = |cube: &Cube| [&cube.holds[..], &cube.fails].concat();
                    let looked = self.places(plane, &line, "lines with ends", both);
                    let seen = Expr::binary(BinaryOp::Intersect, set.clone(), looked);
                    Expr::binary(BinaryOp::Eq, seen, held)
                }
            };
            all = Some(match all {
                Some(all) => all.and(test),
                None => test,
            });
        }
        all.unwrap_or_else(|| Expr::bool(true, span)).at(span)
    }

    /// The places of a plane that products name.
    fn places(
        &mut self,
        plane: usize,
        line: &Option<Expr>,
        name: &str,
        of: impl Fn(&Cube) -> Vec<u32>,
    ) -> Expr {
        let (span, all) = (self.found.span, self.found.places);
        let places = self.game.placement(self.found.placement).places;
        let own = |cube: &Cube| {
            let tests = of(cube).into_iter();
            let tests = tests.filter(|test| (test / all) as usize == plane);
            let mut places: Vec<u32> = tests.map(|test| test % all).collect();
            places.sort_unstable();
            Const::Set(places)
        };
        let parts = self.parts();
        let mut values = Vec::new();
        for row in &self.rows {
            let cubes = row.as_deref().unwrap_or_default();
            // The last product stands again where there are fewer; where there is none, it is not asked.
            let last = cubes.last().map_or(Const::Set(Vec::new()), own);
            let sets = cubes.iter().map(own).chain(std::iter::repeat(last));
            values.extend(sets.take(parts));
        }
        let mut axes = Vec::new();
        let mut index = Vec::new();
        if let Some((member, axis)) = self.member() {
            axes.push(axis);
            index.push(member);
        }
        if let Some(line) = line {
            axes.push(Axis::Range {
                lo: 0,
                hi: parts as i64 - 1,
            });
            index.push(line.clone());
        }
        if axes.is_empty() {
            let only = values.pop().unwrap_or(Const::Set(Vec::new()));
            return Expr::constant(only, Type::Set(places), span);
        }
        let name = format!("{name} of {}", self.function().name);
        let table = self.table(&name, axes, Type::Set(places), values, None);
        self.lookup(table, index)
    }

    /// Whether a place passes the test of a plane.
    fn test(&mut self, plane: &PlaneSet, place: Expr) -> Expr {
        let content =
            |this: &Self, place: Expr| Expr::content(this.game, this.found.placement, place);
        let stands = content(self, place);
        match plane {
            PlaneSet::Is(function) => {
                let (last, pieces) = function.values.split_last().expect("an empty place");
                let same = |value: bool| pieces.iter().all(|one| *one == Const::Bool(value));
                match (last, same(true), same(false)) {
                    (Const::Bool(false), true, _) => stands.is_some(),
                    (Const::Bool(true), _, true) => stands.is_some().not(),
                    _ => self.of_content(function, stands),
                }
            }
            PlaneSet::InCases(_) => Expr::bool(false, self.found.span),
            PlaneSet::EqualsGiven(function, given) => {
                let value = self.of_content(function, stands);
                value.equals(given.clone().at(self.found.span))
            }
            PlaneSet::EqualsOf(function, other) => {
                let value = self.of_content(function, stands);
                let subject = self.subject();
                let there = content(self, subject);
                let other = self.of_content(other, there);
                value.equals(other)
            }
        }
    }

    /// The place with which others are compared.
    fn subject(&mut self) -> Expr {
        let span = self.found.span;
        let places = self.game.placement(self.found.placement).places;
        let subjects = || (0u32..).zip(&self.found.subjects);
        if let Some((local, domain)) = self.found.by {
            let member = Expr::local(local, Type::Elem(domain), span);
            let axis = Axis::Domain(domain);
            let own = axis == Axis::Domain(places)
                && subjects().all(|(member, subject)| subject.is_none_or(|other| other == member));
            if own {
                return member;
            }
            let values = subjects().map(|(_, subject)| Const::Elem(subject.unwrap_or(0)));
            let values = values.collect();
            let table = self.table("subject", vec![axis], Type::Elem(places), values, None);
            return self.lookup(table, vec![member]);
        }
        let only = subjects().find_map(|(_, subject)| *subject).unwrap_or(0);
        Expr::elem(places, only, span)
    }

    /// A function of what stands somewhere.
    fn of_content(&mut self, function: &Content, stands: Expr) -> Expr {
        let pieces = self.game.placement(self.found.placement).pieces;
        let mut values = function.values.clone();
        let outside = values.pop();
        let itself = (0..)
            .zip(&values)
            .all(|(piece, value)| *value == Const::Elem(piece));
        if itself && outside == Some(Const::None) && function.ty == Type::Opt(pieces) {
            return stands;
        }
        let axes = vec![Axis::Domain(pieces)];
        let table = self.table("what stands", axes, function.ty.clone(), values, outside);
        self.lookup(table, vec![stands])
    }

    fn lookup(&self, table: TableId, index: Vec<Expr>) -> Expr {
        Expr::lookup(self.game, table, index, self.found.span)
    }

    /// A table with these values, one that there is already if possible.
    fn table(
        &mut self,
        name: &str,
        axes: Vec<Axis>,
        ty: Type,
        values: Vec<Const>,
        outside: Option<Const>,
    ) -> TableId {
        let table = Table {
            name: name.to_owned(),
            axes,
            ty,
            values,
            outside,
            span: self.found.span,
        };
        known_or_new(self.game, table)
    }
}
