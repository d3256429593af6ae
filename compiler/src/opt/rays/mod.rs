//! `rays`: walks over the board from all places at once.
//!
//! Rules look along a line while they see something and ask what ends it: a row of the opponent's discs that one of the own
//! closes. They do so by functions that call themselves or by loops, with counters and variables of their own. What such a
//! function comes to is found by running it on a board that is not known (`patterns`), as walks in a form that does not depend on
//! how it is spelled ([`crate::board`]). The places from which a walk is closed are a set, and what is asked of one place after
//! another is whether it lies in that set, or whether the set has a member at all.

pub(in crate::opt) mod made;
mod nests;
pub(in crate::opt) mod place;
mod shared;
pub(in crate::opt) mod standing;
mod write;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::board::walks::Told;
use crate::ir::calls::Calls;
use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::{
    Axis, Const, EnvId, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, StmtKind, Type, VarId,
};

use super::budget;
use super::env;
use super::fold_constants::{drop_env, drop_functions, drop_tables, simplify};
use super::patterns::explore::{Explorer, Plane, Value, with_room};
use super::patterns::formula::{Formula, Sum};
use super::patterns::reach;
use super::possible;
use super::questions::{asked_placement, cases_of};
use crate::ir::value;
use crate::ir::walk::{blocks_mut, each_stmt_mut};

/// Functions of which is tried whether a question is one about their answers.
const MOST_ASKED: usize = 2;
/// Members of the parameter of a function.
const MOST_MEMBERS: usize = 1024;
/// Contents that a place may have: pieces, with the values of variables that are indexed by them.
const MOST_CONTENTS: usize = 4096;

/// Rewrites what it can.
pub fn run(game: &mut Game) {
    with_room(|| run_inside(game));
}

fn run_inside(game: &mut Game) {
    let mut all = (0..game.functions.len()).map(FuncId::from);
    let calls = Calls::of(game);
    let repeats = |func: FuncId| has_loop(game, func.index()) || calls.is_recursive(func);
    if game.machine.is_some() || !all.any(repeats) {
        return;
    }
    let mut changed = game.clone();
    place::give_places_to_walks(&mut changed);
    let effects = Effects::of(&changed);
    let after = env::read_after(&changed, &effects);
    let reached = reach::members(&changed);
    let possible = possible::Possible::of(&changed);
    let mut order: Vec<FuncId> = (0..changed.functions.len()).map(FuncId::from).collect();
    order.sort_by_key(|func| effects.reaches(*func).len());
    let mut all: Vec<LineTest> = Vec::new();
    // Functions that come to questions whether sets have a member.
    let mut answered: SortedSet<FuncId> = SortedSet::new();
    for func in order {
        let Some(placement) = candidate(&changed, &effects, func) else {
            continue;
        };
        if hands_on(&changed, func, &all, &answered) {
            let asked = effects.reaches(func).iter();
            if asked.into_iter().any(|asked| answered.contains(asked)) {
                answered.insert(func);
            }
            continue;
        }
        let facts = Surroundings {
            game: &changed,
            effects: &effects,
            reached: &reached,
            possible: &possible,
            after: &after,
        };
        let found = facts.find(func, placement);
        if let Some(Asks::Some(..)) = found.as_ref().map(|found| &found.asks) {
            answered.insert(func);
        }
        all.extend(found);
    }
    let mut work: SortedMap<FuncId, budget::Known> = SortedMap::new();
    for found in &all {
        if write::write(&mut changed, found).is_some() {
            let known = budget::Known {
                work: found.work,
                rest: 0,
            };
            work.insert(found.func, known);
        }
    }
    if work.is_empty() {
        return;
    }
    forget_questions(&mut changed, &work);
    // What is rewritten is not charged any more: that must not matter.
    if !budget::drop_charges(&mut changed, &work) {
        return;
    }
    drop_functions(&mut changed);
    drop_env(&mut changed);
    simplify(&mut changed);
    shared::run(&mut changed);
    drop_tables(&mut changed);
    *game = changed;
}

/// Whether a function does little more than to ask one that is found, or several that only ask whether sets have a member: then it
/// asks about their sets.
fn hands_on(game: &Game, func: FuncId, all: &[LineTest], answered: &SortedSet<FuncId>) -> bool {
    let mut calls: Vec<FuncId> = Vec::new();
    let mut loops = false;
    walk_block(&game.function(func).body, &mut |stmt| match &stmt.kind {
        StmtKind::Call { func, .. } => calls.push(*func),
        // A loop around nothing charges for work.
        StmtKind::For { body, .. } => loops |= !body.is_empty(),
        StmtKind::ForEach(..) | StmtKind::While { .. } => loops = true,
        _ => {}
    });
    let known = match calls[..] {
        [only] => answered.contains(&only) || all.iter().any(|found| found.func == only),
        _ => !calls.is_empty() && calls.iter().all(|func| answered.contains(func)),
    };
    known && !loops
}

/// Whether a function has a loop in which a walk can hide, or calls itself.
fn repeats(game: &Game, effects: &Effects, func: FuncId) -> bool {
    has_loop(game, func.index()) || effects.is_recursive(func)
}

/// Whether a function has a loop.
fn has_loop(game: &Game, func: usize) -> bool {
    let mut found = false;
    walk_block(&game.functions[func].body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
    });
    found && game.functions[func].ret.is_some()
}

/// The placement that a function asks about, if it is of the kind that is looked at.
fn candidate(game: &Game, effects: &Effects, func: FuncId) -> Option<PlacementId> {
    let placement = asked_placement(game, effects, func)?;
    let mut inner = effects.reaches(func).iter().chain([&func]);
    inner
        .any(|func| repeats(game, effects, *func))
        .then_some(placement)
}

/// Drops calls of rewritten functions whose values nobody wants.
fn forget_questions(game: &mut Game, rewritten: &SortedMap<FuncId, budget::Known>) {
    blocks_mut(game, &mut |block| {
        let wanted = |stmt: &crate::ir::Stmt| match &stmt.kind {
            StmtKind::Call {
                func, into: None, ..
            } => !rewritten.contains_key(func),
            _ => true,
        };
        block.retain(wanted);
        each_stmt_mut(block, &mut |stmt| {
            stmt.blocks_mut(&mut |block| block.retain(wanted));
        });
    });
}

/// What is known of a function before it is looked at.
struct Surroundings<'a> {
    game: &'a Game,
    effects: &'a Effects,
    reached: &'a reach::Reached,
    possible: &'a possible::Possible,
    /// What is read of the environment after each function.
    after: &'a [SortedSet<EnvId>],
}

/// What a function comes to.
struct LineTest {
    func: FuncId,
    standing: standing::Standing,
    /// What the shapes are.
    told: Vec<Told>,
    /// The shape whose set is asked.
    shape: usize,
    asks: Asks,
    /// An upper bound of what is charged.
    work: u64,
}

/// What is asked of a set.
enum Asks {
    /// Whether a parameter is among it and among these places.
    Member(LocalId, Option<Vec<u32>>),
    /// Whether one of these places is among it, or none.
    Some(Vec<u32>, bool),
}

impl Surroundings<'_> {
    /// What a function comes to: one that asks about a place by itself, another one by what those that it calls ask.
    fn find(&self, func: FuncId, placement: PlacementId) -> Option<LineTest> {
        let by = self.member(func, placement)?;
        if by.is_some() {
            return self.find_by(func, placement, by, None);
        }
        let mut called: Vec<FuncId> = self.effects.reaches(func).iter().copied().collect();
        called.retain(|other| {
            let reached = self.effects.reaches(*other).iter();
            let mut loops = reached.map(|func| has_loop(self.game, func.index()));
            has_loop(self.game, other.index())
                || loops.any(|loops| loops)
                || self.effects.is_recursive(*other)
        });
        called.sort_by_key(|other| std::cmp::Reverse(self.effects.reaches(*other).len()));
        let mut called = called.into_iter().take(MOST_ASKED);
        called.find_map(|asks| self.find_by(func, placement, None, Some(asks)))
    }

    /// The parameter of a function that is a place, if it has one; nothing if it has several or too many places.
    #[allow(
        clippy::option_option,
        reason = "whether it can be looked at, and by which"
    )]
    fn member(&self, func: FuncId, placement: PlacementId) -> Option<Option<LocalId>> {
        let (game, function) = (self.game, self.game.function(func));
        let places = game.placement(placement).places;
        let mut read = SortedSet::new();
        crate::ir::visit::walk_exprs(&function.body, &mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                read.insert(*local);
            }
        });
        let mut members = (0..function.params)
            .map(LocalId::from)
            .filter(|param| read.contains(param))
            .filter(|param| function.local(*param).ty == Type::Elem(places));
        let by = members.next();
        let fits = members.next().is_none() && game.domain(places).len() <= MOST_MEMBERS;
        fits.then_some(by)
    }

    /// What a function comes to for each place, or by what calls of another one ask.
    fn find_by(
        &self,
        func: FuncId,
        placement: PlacementId,
        by: Option<LocalId>,
        asks: Option<FuncId>,
    ) -> Option<LineTest> {
        let (game, function) = (self.game, self.game.function(func));
        let places = game.placement(placement).places;
        let params = (0..function.params).map(LocalId::from);
        let count = by.map_or(1, |_| game.domain(places).len());
        let tracked = self.tracked(func, placement);
        let mut explorer = Explorer::tracking(game, self.effects, placement, tracked);
        explorer.params = (0..function.params)
            .map(|param| self.possible.param(func, param))
            .collect();
        let cases = cases_of(game, self.effects, func, &explorer.params);
        explorer.after = self.after;
        explorer.look_for_walks(cases, asks);
        let mut formulas: Vec<(u32, Formula)> = Vec::new();
        let mut work = 0;
        for member in 0..count as u32 {
            let possible = by.is_none_or(|param| self.reached.may_be(func, param.index(), member));
            if !possible {
                continue;
            }
            let args: Vec<Value> = params
                .clone()
                .map(|param| match by {
                    Some(own) if own == param => Value::Const(Const::Elem(member)),
                    _ => {
                        let ty = function.local(param).ty.clone();
                        let given = Expr::local(param, ty, function.span);
                        Value::Given(explorer.give(&given))
                    }
                })
                .collect();
            let before = explorer.work;
            let (formula, changed) = explorer.run(func, args.clone(), (0, &[]))?;
            work = work.max(explorer.work - before);
            let after = &self.after[func.index()];
            if changed.iter().any(|(var, _)| after.contains(var)) {
                return None;
            }
            let formula = match by {
                _ if formula.as_constant().is_some() => formula,
                Some(_) => explorer.shaped(&formula, func, &args, Some(member))?,
                None => formula,
            };
            formulas.push((member, formula));
        }
        let (shape, asks) = match by {
            Some(param) => member_of(&explorer, param, &formulas)?,
            None => {
                let formula = &formulas.first()?.1;
                match some_of(&explorer, formula) {
                    Some(found) => found,
                    None => {
                        let places = explorer.shaped_places(formula, func)?;
                        some_of(&explorer, &places)?
                    }
                }
            }
        };
        let told = explorer.shapes.take()?.told()?;
        Some(LineTest {
            func,
            standing: standing::Standing {
                placement,
                cases: std::mem::take(&mut explorer.cases),
                board: explorer.board(),
            },
            told,
            shape,
            asks,
            work,
        })
    }

    /// The variables of the pieces that a function reads, if their values are few.
    fn tracked(&self, func: FuncId, placement: PlacementId) -> Vec<VarId> {
        let read = &self.effects.function(func).reads.vars;
        tracked(self.game, placement, read)
    }
}

/// The variables of pieces among some, if their values are few.
pub(in crate::opt) fn tracked(
    game: &Game,
    placement: PlacementId,
    among: &SortedSet<VarId>,
) -> Vec<VarId> {
    let pieces = game.placement(placement).pieces;
    let of_pieces = among.iter().copied().filter(|var| {
        let var = game.var(*var);
        var.axes == [Axis::Domain(pieces)] && var.ty.is_scalar()
    });
    let mut count = game.domain(pieces).len();
    let mut tracked = Vec::new();
    for var in of_pieces {
        let values = value::values_of(game, &game.var(var).ty).len();
        if values > 0 && count * values <= MOST_CONTENTS {
            count *= values;
            tracked.push(var);
        }
    }
    tracked
}

/// The shape that a test asks about, and the place.
fn derived(explorer: &Explorer<'_>, test: u32) -> Option<(usize, u32)> {
    let places = explorer.places();
    match explorer.planes.get((test / places) as usize)? {
        Plane::Derived(shape) => Some((*shape, test % places)),
        _ => None,
    }
}

/// Functions of a place that ask whether it is in one set.
fn member_of(
    explorer: &Explorer<'_>,
    param: LocalId,
    formulas: &[(u32, Formula)],
) -> Option<(usize, Asks)> {
    let mut only = None;
    let mut members = Vec::new();
    for (member, formula) in formulas {
        if formula.as_constant() == Some(false) {
            continue;
        }
        let [cube] = &formula.holds().as_ref()?[..] else {
            return None;
        };
        let ([test], []) = (&cube.holds[..], &cube.fails[..]) else {
            return None;
        };
        let (shape, place) = derived(explorer, *test)?;
        if place != *member || *only.get_or_insert(shape) != shape {
            return None;
        }
        members.push(*member);
    }
    let all = members.len() == formulas.len();
    Some((only?, Asks::Member(param, (!all).then_some(members))))
}

/// A function that asks whether a set has a member.
fn some_of(explorer: &Explorer<'_>, formula: &Formula) -> Option<(usize, Asks)> {
    let sums = [
        (Formula::holds as fn(&Formula) -> &Option<Sum>, true),
        (Formula::fails, false),
    ];
    sums.into_iter().find_map(|(sum, holds)| {
        let mut only = None;
        let mut members = Vec::new();
        for cube in sum(formula).as_ref()?.iter() {
            let ([test], []) = (&cube.holds[..], &cube.fails[..]) else {
                return None;
            };
            let (shape, place) = derived(explorer, *test)?;
            if *only.get_or_insert(shape) != shape {
                return None;
            }
            members.push(place);
        }
        members.sort_unstable();
        Some((only?, Asks::Some(members, holds)))
    })
}
