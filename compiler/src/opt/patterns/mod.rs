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
mod sizes;
mod write;

use std::cell::OnceCell;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::{
    Const, DomainId, EnvId, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, StmtKind, Type,
};
use crate::source::Span;

use crate::board::contents::{Cases, Contents};
use crate::board::cover::{Asked, Cover};

use explore::{Explorer, Plane, Value};
use formula::{Cube, Formula, without};

use super::budget;
use super::env::read_after;
use super::fold_constants::{drop_env, drop_functions, drop_tables, simplify};
use super::possible::Possible;
use super::questions::{asked_placement, cases_of};
use super::quiet::quieten;

/// Products that a function may be a sum of.
const MOST_PRODUCTS: usize = 8192;
/// Members of the parameter of a function.
const MOST_MEMBERS: usize = 4096;
/// Products of a function for all members of its parameter.
const MOST_ROWS: usize = 65_536;

/// Products that all members may have, but for tests of their own places.
const MOST_ALIGNED: usize = 1024;
/// Places that a question without loops and calls asks of by name, so that it is looked at.
const SEVERAL: usize = 3;

/// Rewrites what it can.
pub fn run(game: &mut Game) {
    explore::with_room(|| run_inside(game));
}

fn run_inside(game: &mut Game) {
    if game.machine.is_some() {
        return;
    }
    let effects = Effects::of(game);
    let known = OnceCell::new();
    let mut order: Vec<FuncId> = (0..game.functions.len()).map(FuncId::from).collect();
    // Callers first, so that what only they call is not looked at by itself.
    order.sort_by_key(|func| std::cmp::Reverse(effects.reaches(*func).len()));
    let mut rewritten: Vec<FuncId> = Vec::new();
    for func in order {
        let covered = |other: &FuncId| effects.reaches(*other).contains(&func);
        if rewritten.iter().any(covered) && !still_called(game, func) {
            continue;
        }
        let Some(placement) = candidate(game, &effects, func) else {
            continue;
        };
        let facts = Surroundings {
            game,
            effects: &effects,
            known: &known,
        };
        let found = facts.find(func, placement);
        if found.is_some_and(|found| found.write_uncharged(game, &effects)) {
            rewritten.push(func);
        }
    }
    if !rewritten.is_empty() {
        drop_functions(game);
        // What only the questions asked for is left in the environment for nobody.
        drop_env(game);
        simplify(game);
        drop_tables(game);
    }
}

/// How a question about what stands on several places is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Sets of places are compared.
    Sets,
    /// One place after another.
    Places {
        /// Where it was seen that nothing else will do.
        at: Span,
        /// Why.
        why: &'static str,
    },
}

/// The questions about what stands on several places that are left after the passes, and how each is asked.
pub fn ways(game: &Game) -> Vec<(FuncId, Way)> {
    let mut all = Vec::new();
    let mut quiet = game.clone();
    quieten(&mut quiet);
    let game = &quiet;
    explore::with_room(|| {
        let effects = Effects::of(game);
        let reached = reach::members(game);
        let live = effects.live(game);
        for func in (0..game.functions.len()).map(FuncId::from) {
            if !live.contains(&func) {
                continue;
            }
            if asks_sets(game, &effects, func) {
                all.push((func, Way::Sets));
            } else if let Some(placement) = candidate(game, &effects, func) {
                let (at, why) = why(game, &effects, &reached, func, placement);
                all.push((func, Way::Places { at, why }));
            } else if asks_by_itself(game, &effects, func) {
                let (at, why) = (game.function(func).span, "it calls itself");
                all.push((func, Way::Places { at, why }));
            }
        }
    });
    all
}

/// Whether a function asks what stands on places by calling itself, and changes nothing.
fn asks_by_itself(game: &Game, effects: &Effects, func: FuncId) -> bool {
    let effect = effects.function(func);
    let asks = effect.is_guard() && !effect.reads.placements.is_empty();
    asks && game.function(func).ret.is_some() && effects.is_recursive(func)
}

/// Whether a function asks about sets of places, by itself or by others, and nowhere in a loop.
fn asks_sets(game: &Game, effects: &Effects, func: FuncId) -> bool {
    if asked_placement(game, effects, func).is_none() {
        return false;
    }
    let (mut sets, mut loops) = (false, false);
    for func in effects.reaches(func).iter().chain([&func]) {
        let body = &game.function(*func).body;
        crate::ir::visit::walk_block(body, &mut |stmt| {
            let kind = &stmt.kind;
            loops |= matches!(
                kind,
                StmtKind::For { .. } | StmtKind::ForEach(..) | StmtKind::While { .. }
            );
        });
        crate::ir::visit::walk_exprs(body, &mut |expr| {
            expr.walk(&mut |expr| {
                sets |= matches!(expr.kind, ExprKind::Collect { .. } | ExprKind::Walk { .. });
            });
        });
    }
    sets && !loops
}

/// Why a function is not a comparison of sets, and where that is seen.
fn why(
    game: &Game,
    effects: &Effects,
    reached: &reach::Reached,
    func: FuncId,
    placement: PlacementId,
) -> (Span, &'static str) {
    let function = game.function(func);
    let members = |(_, local): &(usize, &crate::ir::Local)| matches!(local.ty, Type::Elem(_));
    let params = function.locals.iter().take(function.params).enumerate();
    let mut members = params.filter(members);
    let by = members.next().map(|(param, _)| param);
    if members.next().is_some() {
        return (function.span, "it asks about two things at once");
    }
    let member = (0..MOST_MEMBERS as u32)
        .find(|member| by.is_none_or(|param| reached.may_be(func, param, *member)));
    let mut explorer = Explorer::new(game, effects, placement);
    explorer.member = member.filter(|_| by.is_some());
    let mut args = Vec::new();
    for param in 0..function.params {
        args.push(match member {
            Some(member) if by == Some(param) => Value::Const(Const::Elem(member)),
            _ => {
                let ty = function.locals[param].ty.clone();
                let given = Expr::local(LocalId::from(param), ty, function.span);
                Value::Given(explorer.give(&given))
            }
        });
    }
    match explorer.run(func, args, (0, &[])) {
        Some(_) => (
            function.span,
            "what it comes to is no short list of lines of the board",
        ),
        None => match explorer.stopped {
            Some((at, Some(what))) => (at, what),
            Some((at, None)) => (
                at,
                "what is looked at here depends on more than one place and who moves",
            ),
            None => (function.span, "what it gives is no truth about places"),
        },
    }
}

/// Whether something that can run asks for a function.
fn still_called(game: &Game, func: FuncId) -> bool {
    Effects::of(game).live(game).contains(&func)
}

/// The placement that a function asks about, if it is of the kind that is looked at.
fn candidate(game: &Game, effects: &Effects, func: FuncId) -> Option<PlacementId> {
    let placement = asked_placement(game, effects, func)?;
    let function = game.function(func);
    let (mut several, mut named) = (false, 0);
    crate::ir::visit::walk_block(&function.body, &mut |stmt| {
        several |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::Call { .. });
        stmt.children(&mut |expr| {
            expr.walk(&mut |expr| match &expr.kind {
                ExprKind::Call(..) => several = true,
                ExprKind::Content(_, place) => named += usize::from(place.as_const().is_some()),
                _ => {}
            });
        });
    });
    (several || named >= SEVERAL).then_some(placement)
}

/// What is known of functions before they are looked at.
struct Surroundings<'a> {
    game: &'a Game,
    effects: &'a Effects,
    /// Found for the first function that is run: before any is rewritten.
    known: &'a OnceCell<Known>,
}

/// What is known of the functions of a game before one of them is rewritten.
struct Known {
    reached: reach::Reached,
    /// For each placement and function the parameters that are places on which something stands.
    occupied: Vec<Vec<Vec<bool>>>,
    possible: Possible,
    /// What is read of the environment after each function.
    after: Vec<SortedSet<EnvId>>,
    /// The functions that guards ask.
    guards: SortedSet<FuncId>,
}

impl Known {
    fn of(game: &Game, effects: &Effects) -> Known {
        let asked = game.families.iter().filter_map(|family| family.guard);
        let guards = asked.flat_map(|guard| effects.reaches(guard).iter().copied().chain([guard]));
        let placements = (0..game.placements.len()).map(PlacementId::from);
        Known {
            reached: reach::members(game),
            occupied: placements
                .map(|placement| reach::occupied(game, effects, placement))
                .collect(),
            possible: Possible::of(game),
            after: read_after(game, effects),
            guards: guards.collect(),
        }
    }
}

/// What a function comes to.
struct Products {
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
    /// Whether guards ask it.
    guards: bool,
    /// What is told apart beside the board.
    cases: Cases,
    subjects: Vec<Option<u32>>,
    env: Vec<(EnvId, Expr)>,
    /// An upper bound of what is charged.
    work: u64,
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

impl Surroundings<'_> {
    /// What the function comes to, or what its end comes to if that begins with a loop over places.
    fn find(&self, func: FuncId, placement: PlacementId) -> Option<Products> {
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

    fn find_from(&self, func: FuncId, placement: PlacementId, from: usize) -> Option<Products> {
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
        let known = self.known.get_or_init(|| Known::of(game, effects));
        let standing = &known.occupied[placement.index()][func.index()];
        let mut explorer = Explorer::new(game, effects, placement);
        let params: Vec<_> = (0..function.params)
            .map(|param| known.possible.param(func, param))
            .collect();
        explorer.cases = cases_of(game, effects, func, &params);
        explorer.after = &known.after;
        let mut formulas: Vec<Option<Formula>> = Vec::new();
        let mut subjects = Vec::new();
        let mut env: Option<Vec<(EnvId, Value)>> = None;
        let mut work = 0;
        for member in 0..count as u32 {
            let possible = by.is_none_or(|(param, _)| known.reached.may_be(func, param, member));
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
            let of_place = |(param, _): (usize, _)| function.locals[param].ty == place;
            explorer.member = by.is_some_and(of_place).then_some(member);
            explorer.compares = by.is_some_and(|by| !of_place(by));
            let stands =
                by.filter(|(param, _)| standing[*param] && function.locals[*param].ty == place);
            explorer.occupied = stands.map(|_| member);
            let before = explorer.work;
            let (formula, after) = explorer.run(func, args, (from, &assigned))?;
            work = work.max(explorer.work - before);
            let after = after
                .into_iter()
                .filter(|(var, _)| known.after[func.index()].contains(var));
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
        let mut found = Products {
            func,
            from,
            placement,
            planes: Vec::new(),
            places: explorer.places(),
            negated,
            by: by.map(|(param, domain)| (LocalId::from(param), domain)),
            rows,
            stands: by.is_some_and(|(param, _)| standing[param]),
            guards: known.guards.contains(&func),
            cases: explorer.cases.clone(),
            subjects,
            env,
            work,
            span: function.span,
        };
        if found.gather_in_cases(&mut explorer).is_none() {
            found.gather(&explorer)?;
        }
        Some(found)
    }
}

impl Products {
    /// Replaces the function, if what it charged for its work matters to nobody; whether that is so.
    fn write_uncharged(self, game: &mut Game, effects: &Effects) -> bool {
        if !effects.function(self.func).works {
            self.write(game);
            return true;
        }
        // Its own calls nest less deep than any may, but not those of a function that is nested itself.
        let mut all = (0..game.functions.len()).map(FuncId::from);
        let nested = |other: FuncId| {
            effects.is_recursive(other) && effects.reaches(other).contains(&self.func)
        };
        if self.from > 0 || all.any(nested) {
            return false;
        }
        let known = budget::Known {
            work: self.work,
            rest: 0,
        };
        let (func, mut next) = (self.func, game.clone());
        self.write(&mut next);
        let fits = budget::drop_charges(&mut next, &[(func, known)].into());
        if fits {
            *game = next;
        }
        fits
    }

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
        for row in self.rows.iter_mut().flatten() {
            *row = row
                .iter()
                .filter_map(|cube| explorer.without_implied(cube))
                .collect();
            row.sort_unstable();
            row.dedup();
        }
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
        self.shorten();
        self.align();
        Some(())
    }

    /// Gives all members the same products, where they differ only in a test of whether what stands on the member is like what
    /// stands there, which need not be made.
    fn align(&mut self) {
        let like_itself = |one: &Content, other: &Content| {
            let pieces = one.values.len() - usize::from(self.stands);
            one.values[..pieces] == other.values[..pieces]
        };
        if !matches!(&self.planes[..], [PlaneSet::EqualsOf(one, other)] if like_itself(one, other))
        {
            return;
        }
        // A product that leaves no test out is one of most members.
        let mut times: SortedMap<&Cube, usize> = SortedMap::new();
        for cube in self.rows.iter().flatten().flatten() {
            *times.entry(cube).or_default() += 1;
        }
        let members = self.rows.iter().flatten().count();
        let common = times.into_iter().filter(|(_, times)| times * 2 > members);
        let whole: Vec<Cube> = common.map(|(cube, _)| cube.clone()).collect();
        if whole.len() > MOST_ALIGNED {
            return;
        }
        let mut rows = self.rows.iter().zip(&self.subjects);
        let same = rows.all(|(row, subject)| match (row, subject) {
            (None, _) => true,
            (Some(row), Some(place)) => *row == without(&whole, *place),
            (Some(_), None) => false,
        });
        if same && whole.iter().all(|cube| cube.fails.is_empty()) {
            for row in self.rows.iter_mut().flatten() {
                row.clone_from(&whole);
            }
        }
    }

    /// Gives the products of a single plane their shortest form, where they ask for its opposite, too.
    fn shorten(&mut self) {
        let rows = || self.rows.iter().flatten();
        if self.planes.len() != 1 || rows().flatten().all(|cube| cube.fails.is_empty()) {
            return;
        }
        let [any, passed, failed] =
            [[true, true], [true, false], [false, true]].map(|contents| Contents::of(&contents));
        let mut cover = Cover::of(any);
        for row in self.rows.iter_mut().flatten() {
            let asked = row.iter().map(|cube| {
                let held = cube.holds.iter().map(|place| (*place, passed.clone()));
                let others = cube.fails.iter().map(|place| (*place, failed.clone()));
                let mut asked: Asked = held.chain(others).collect();
                asked.sort_unstable();
                asked
            });
            let cube = |asked: Asked| {
                let (held, others): (Asked, Asked) = asked
                    .into_iter()
                    .partition(|(_, contents)| *contents == passed);
                let places = |asked: Asked| asked.into_iter().map(|(place, _)| place).collect();
                Cube {
                    holds: places(held),
                    fails: places(others),
                }
            };
            let shortest = cover.shortest(asked.collect());
            *row = shortest.into_iter().map(cube).collect();
        }
    }
}

/// The products of functions or of their opposites, whichever are fewer; whether they are those of the opposites.
fn shorter(formulas: Vec<Option<Formula>>) -> Option<(bool, Vec<Option<Vec<Cube>>>)> {
    let form = |negated: bool| -> Option<Vec<Option<Vec<Cube>>>> {
        let rows = formulas.iter().map(|formula| match formula {
            None => Some(None),
            Some(formula) => {
                let sum = if negated {
                    formula.fails()
                } else {
                    formula.holds()
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
