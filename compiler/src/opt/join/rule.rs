//! What rules are apart from constants, tables and places in the rules.

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::{Effects, without_calls};
use crate::ir::same::{placeless, placeless_block, same};
use crate::ir::visit::walk_block;
use crate::ir::walk::{each_stmt_mut, each_use, rewrite_block};
use crate::ir::{
    Arm, Arrival, Block, Const, Expr, ExprKind, FamilyId, FuncId, Function, Game, Local, LocalId,
    ParamSource, StmtKind, TableId, TextOf, Type,
};
use crate::opt::inline::within::given;
use crate::opt::playing::plays_of;

/// A family and all that is done for its moves.
pub(super) struct Rule {
    pub(super) family: FamilyId,
    /// The guard, if it is one expression.
    pub(super) guard: Option<Guard>,
    /// Its other functions: a longer guard, what is asked after the move, and what plays it.
    pub(super) functions: Vec<FuncId>,
    pub(super) shape: Shape,
    /// The sources of its parameters, wherever they stand in the rules.
    pub(super) sources: Vec<ParamSource>,
    /// In the order in which they stand in the functions.
    pub(super) holes: Vec<Hole>,
    /// What is known of the pieces that it brings somewhere, in the same order.
    pub(super) arrivals: Vec<Arrival>,
}

/// A guard as one expression.
pub(super) struct Guard {
    pub(super) func: FuncId,
    pub(super) value: Expr,
    /// The same without holes and places in the rules.
    pub(super) shape: Expr,
    pub(super) holes: Vec<Hole>,
}

impl Guard {
    fn of(game: &Game, func: FuncId) -> Option<Guard> {
        let value = given(game.function(func))?;
        let mut shape = placeless(&value);
        let mut holes = Vec::new();
        each_hole(&mut shape, &mut |expr, hole| {
            holes.push(hole);
            empty(expr);
        });
        Some(Guard {
            func,
            value,
            shape,
            holes,
        })
    }
}

/// What is left of a rule without its holes.
#[derive(PartialEq)]
pub(super) struct Shape {
    params: Vec<(Type, ParamSource)>,
    class: Vec<Expr>,
    functions: Vec<(Block, Vec<Type>)>,
    /// Which of the functions are guard, predicate, effect and rank.
    roles: [bool; 4],
    /// What its arm does, and at which decision.
    arm: (usize, Block),
}

/// In what rules of one shape may differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Hole {
    Const(Const, Type),
    /// A table that is asked about an argument.
    Table(TableId, LocalId),
}

/// All rules that may be written as others: each has functions of its own, which cannot fault, and plain arms.
pub(super) fn all(game: &Game) -> Vec<Rule> {
    let mut uses = vec![0; game.functions.len()];
    each_use(game, &mut |func| uses[func.index()] += 1);
    let arms = arms(game);
    let effects = Effects::of(game);
    let families = (0..game.families.len()).map(FamilyId::from);
    families
        .filter_map(|family| {
            let [only] = &arms.get(&family)?[..] else {
                return None;
            };
            let rule = Rule::of(game, family, only)?;
            let alone = rule.own().all(|func| uses[func.index()] == 1);
            let told = game
                .tellings
                .iter()
                .any(|telling| telling.of == TextOf::Family(family));
            let apart = told || game.by_host.contains(&family) || game.joined(family).is_some();
            (alone && !apart && !faults(game, &effects, &rule, only)).then_some(rule)
        })
        .collect()
}

/// An arm, the number of its decision, and the function that has this.
struct Told<'a> {
    arm: &'a Arm,
    decision: usize,
    within: &'a Function,
}

/// The arms of each family.
fn arms(game: &Game) -> SortedMap<FamilyId, Vec<Told<'_>>> {
    let mut arms: SortedMap<FamilyId, Vec<Told<'_>>> = SortedMap::new();
    let mut decision = 0;
    for within in &game.functions {
        walk_block(&within.body, &mut |stmt| {
            let StmtKind::Choose(choose) = &stmt.kind else {
                return;
            };
            decision += 1;
            for arm in &choose.arms {
                let told = Told {
                    arm,
                    decision,
                    within,
                };
                arms.entry(arm.family).or_default().push(told);
            }
        });
    }
    arms
}

impl Rule {
    fn of(game: &Game, id: FamilyId, only: &Told<'_>) -> Option<Rule> {
        let family = game.family(id);
        let asked = [family.guard, family.after, family.effect, family.rank];
        let plain = family.context.is_empty() && only.arm.given.is_empty();
        let plays = plays_of(only.arm);
        let mut functions: Vec<FuncId> = asked.into_iter().flatten().chain(plays.clone()).collect();
        let takes = |func: &FuncId| game.function(*func).params == family.params.len();
        if !plain || !functions.iter().all(takes) {
            return None;
        }
        let guard = family.guard.and_then(|func| Guard::of(game, func));
        functions.retain(|func| guard.as_ref().is_none_or(|guard| guard.func != *func));
        let (mut holes, mut arrivals) = (Vec::new(), Vec::new());
        let bodies = functions.iter().map(|func| {
            let function = game.function(*func);
            let mut body = placeless_block(&function.body);
            each_hole_in(&mut body, &mut |expr, hole| {
                holes.push(hole);
                empty(expr);
            });
            each_arrival(&mut body, &mut |arrival| {
                arrivals.push(std::mem::take(arrival))
            });
            let types = function.locals.iter().map(|local| local.ty.clone());
            (body, types.collect())
        });
        let bodies = bodies.collect();
        let params = family.params.iter();
        let sources = params.clone().map(|param| match &param.source {
            ParamSource::Is(value) => ParamSource::Is(placeless(value)),
            other => other.clone(),
        });
        Some(Rule {
            family: id,
            guard,
            functions,
            shape: Shape {
                params: params
                    .map(|p| (p.ty.clone(), bare(game, &p.source)))
                    .collect(),
                class: family.class.iter().map(placeless).collect(),
                functions: bodies,
                roles: asked.map(|func| func.is_some()),
                arm: (only.decision, bare_arm(only, &plays)),
            },
            sources: sources.collect(),
            holes,
            arrivals,
        })
    }
}

impl Rule {
    /// All functions that are its own.
    pub(super) fn own(&self) -> impl Iterator<Item = FuncId> {
        let guard = self.guard.iter().map(|guard| guard.func);
        guard.chain(self.functions.iter().copied())
    }
}

/// What an arm does besides what its own functions do, with its arguments by their numbers.
fn bare_arm(told: &Told<'_>, plays: &[FuncId]) -> Block {
    let mut body = placeless_block(&told.arm.body);
    // Numbers that no local variable of the function has.
    let free = told.within.locals.len();
    rewrite_block(&mut body, &mut |expr| {
        if let ExprKind::Local(local) = &mut expr.kind
            && let Some(at) = told.arm.bind.iter().position(|bound| bound == local)
        {
            *local = LocalId::from(free + at);
        }
    });
    for stmt in &mut body {
        if let StmtKind::Call { func, .. } = &mut stmt.kind
            && plays.contains(func)
        {
            *func = FuncId(0);
        }
    }
    body
}

/// A source without what sources of one shape may differ in.
fn bare(game: &Game, source: &ParamSource) -> ParamSource {
    match source {
        ParamSource::Among(_) => ParamSource::Among(Vec::new()),
        ParamSource::Listed { by, .. } => ParamSource::Listed {
            by: *by,
            table: TableId(0),
        },
        ParamSource::Is(value) => {
            let mut value = placeless(value);
            if where_true(game, &value).is_some()
                && let ExprKind::If(cond, ..) = &mut value.kind
                && let ExprKind::Lookup(table, _) = &mut cond.kind
            {
                *table = TableId(0);
            }
            ParamSource::Is(value)
        }
        other => other.clone(),
    }
}

/// The table of the members that a value can be, if it is one only where the table says so.
pub(super) fn where_true(game: &Game, value: &Expr) -> Option<TableId> {
    let ExprKind::If(cond, then, none) = &value.kind else {
        return None;
    };
    let ExprKind::Lookup(table, args) = &cond.kind else {
        return None;
    };
    let [arg] = &args[..] else { return None };
    let told = match &then.kind {
        ExprKind::Some(inner) => same(inner, arg) || same(then, arg),
        _ => same(then, arg),
    };
    let nothing = none.as_const() == Some(&Const::None);
    let outside = game.table(*table).outside == Some(Const::Bool(false));
    (told && nothing && outside).then_some(*table)
}

/// The members that can be an argument, where the source tells them for itself.
pub(super) fn candidates(game: &Game, family: FamilyId, param: usize) -> Option<Vec<u32>> {
    match &game.family(family).params[param].source {
        ParamSource::Among(members) => Some(members.clone()),
        ParamSource::Is(value) => {
            let table = game.table(where_true(game, &placeless(value))?);
            let values = table.values.iter().enumerate();
            let holds = values.filter(|(_, value)| **value == Const::Bool(true));
            Some(holds.map(|(member, _)| member as u32).collect())
        }
        _ => None,
    }
}

/// Whether a fault can tell by its place which rule it comes from. What rules call is written once for all of them.
fn faults(game: &Game, effects: &Effects, rule: &Rule, only: &Told<'_>) -> bool {
    let fault = |locals: &[Local], body: &Block| {
        let mut own = without_calls(body);
        forget_calls(&mut own);
        effects.block(game, locals, &own).may_fault
    };
    let mut own = rule.own().map(|func| game.function(func));
    own.any(|own| fault(&own.locals, &own.body)) || fault(&only.within.locals, &only.arm.body)
}

/// Puts a value of the type in the place of what functions find.
fn forget_calls(block: &mut Block) {
    rewrite_block(block, &mut |expr| {
        let value = match (&expr.kind, &expr.ty) {
            (ExprKind::Call(..), Type::Bool) => Const::Bool(true),
            (ExprKind::Call(..), Type::Int { lo, .. }) => Const::Int(*lo),
            _ => return,
        };
        expr.kind = ExprKind::Const(value);
    });
}

/// Calls `f` on everything that may be a hole, in order.
pub(super) fn each_hole_in(block: &mut Block, f: &mut dyn FnMut(&mut Expr, Hole)) {
    for stmt in block {
        stmt.children_mut(&mut |expr| each_hole(expr, f));
        stmt.blocks_mut(&mut |inner| each_hole_in(inner, f));
    }
}

/// Whose turn it is, or which phase, is asked once for all moves of a rule: what a plain variable is compared with is no hole.
pub(super) fn each_hole(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr, Hole)) {
    let plain = |expr: &Expr| matches!(&expr.kind, ExprKind::Var(_, index) if index.is_empty());
    if let ExprKind::Binary(_, one, other) = &expr.kind
        && (plain(one) || plain(other))
    {
        return;
    }
    expr.each_child_mut(|child| each_hole(child, f));
    if let Some(hole) = hole(expr) {
        f(expr, hole);
    }
}

fn hole(expr: &Expr) -> Option<Hole> {
    match &expr.kind {
        // What is known of constant sets is worth more than one rule instead of several.
        ExprKind::Const(Const::Set(_)) => None,
        ExprKind::Const(value) => Some(Hole::Const(value.clone(), expr.ty.clone())),
        ExprKind::Lookup(table, args) => match &args[..] {
            [
                Expr {
                    kind: ExprKind::Local(local),
                    ..
                },
            ] => Some(Hole::Table(*table, *local)),
            _ => None,
        },
        _ => None,
    }
}

/// Takes a hole away.
fn empty(expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Const(value) => {
            *value = Const::Bool(false);
            expr.ty = Type::Bool;
        }
        ExprKind::Lookup(table, _) => *table = TableId(0),
        _ => {}
    }
}

/// Calls `f` on all that is known of pieces that are brought somewhere.
pub(super) fn each_arrival(block: &mut Block, f: &mut dyn FnMut(&mut Arrival)) {
    each_stmt_mut(block, &mut |stmt| {
        if let StmtKind::Bring(_, _, _, arrival) = &mut stmt.kind {
            f(arrival);
        }
    });
}
