//! `prune`: candidates that the rules never admit are not tried.
//!
//! The guard of a family is run with one parameter known, then with two ([`partial`]). Where it is false in every position,
//! without a fault on any path, the member leaves the candidates; a parameter whose members depend on an earlier one
//! gets a table of lists. What guards then test in vain, because it holds for all candidates that are left, they test no
//! longer.

mod left;
mod partial;
#[cfg(test)]
mod tests;

use rulec_ir::sorted::SortedSet;
use std::cell::LazyCell;

use crate::hash::IndexMap;
use crate::ir::effects::Effects;
use crate::ir::visit::walk_exprs;
use crate::ir::{
    Arm, Axis, Block, Choose, Const, DomainId, Expr, ExprKind, Family, FamilyId, FuncId, Game,
    LocalId, Param, ParamSource, PlacementId, Point, StmtKind, Table, TableId, Type,
};

use super::attempts;
use super::patterns::reach::admitted;
use super::tables::known_or_new;
use crate::ir::walk::{each_stmt_mut, uses};
use left::Candidates;
use partial::{Known, Partial, Unseen};

/// Steps that all guards of a game may take together.
const STEPS: u32 = 1_500_000;

/// Steps that one run of a guard may take.
const STEPS_A_RUN: u32 = 1_500;

/// Pairs that are tried before it is decided whether all of them are worth it.
const SAMPLE: usize = 64;

/// A list by an earlier parameter pays if at most this part of the candidates is left, in percent.
const WORTHWHILE: usize = 90;

/// Shortens the candidates of all families.
pub fn run(game: &mut Game) {
    let mut steps = STEPS;
    let effects = Effects::of(game);
    for family in (0..game.families.len()).map(FamilyId::from) {
        let Some(guard) = game.family(family).guard else {
            continue;
        };
        let mut search = Search {
            game,
            family: game.family(family),
            guard,
            effects: &effects,
            unseen: &Unseen::default(),
            read: read_by(game, guard),
            runs: IndexMap::default(),
            steps,
        };
        let members = search.singles();
        let lists = search.lists(&members);
        steps = search.steps;
        apply(game, family, &members, lists);
        drop_tests(game, family, members.clone(), &mut steps);
        make_sure(game, family, members);
    }
    attempts::open(game);
    super::fold_constants::simplify(game);
    attempts::answer(game);
    drop_arms(game);
    // Of fewer candidates tables may say the same, and look-ups may be one.
    super::candidates::run(game);
    super::specialise::own::run(game);
}

/// Leaves families out of decisions whose moves have nothing to range over.
fn drop_arms(game: &mut Game) {
    let nothing = |param: &Param| match param.source {
        ParamSource::Among(ref members) => members.is_empty(),
        ParamSource::Generated(func) => match &game.function(func).body[..] {
            [stmt] => matches!(&stmt.kind, StmtKind::Return(Some(value))
                if value.as_const() == Some(&Const::Set(Vec::new()))),
            _ => false,
        },
        _ => false,
    };
    let effects = LazyCell::new(|| Effects::of(game));
    // What is looked for before may fault, and does so in any case.
    let harmless = |param: &Param| match param.source {
        ParamSource::All | ParamSource::Among(_) | ParamSource::Listed { .. } => true,
        ParamSource::Generated(func) => {
            let effect = effects.function(func);
            !(effect.may_fault || effect.works || effect.fails)
        }
        ParamSource::Is(_) | ParamSource::Subset { .. } => false,
    };
    let moveless = |family: &Family| {
        let first = family.params.iter().position(nothing);
        first.is_some_and(|first| family.params[..first].iter().all(harmless))
    };
    let moveless: Vec<bool> = game.families.iter().map(moveless).collect();
    drop(effects);
    let leave = |choose: &mut Choose| {
        // What a family is given may fault.
        let stays = |arm: &Arm| !moveless[arm.family.index()] || !arm.given.is_empty();
        if choose.arms.iter().any(stays) {
            choose.arms.retain(stays);
        }
    };
    for function in &mut game.functions {
        each_stmt_mut(&mut function.body, &mut |stmt| {
            if let StmtKind::Choose(choose) = &mut stmt.kind {
                leave(choose);
            }
        });
    }
    for point in game
        .machine
        .iter_mut()
        .flat_map(|machine| &mut machine.points)
    {
        if let Point::Choose(choose) = point {
            leave(choose);
        }
    }
}

/// Whether a guard is false in every position, without a fault, for these members; nothing stands for any.
pub fn never(game: &Game, guard: FuncId, args: &[Option<u32>]) -> bool {
    let known = |arg: &Option<u32>| match arg {
        Some(member) => Known::Value(Const::Elem(*member)),
        None => Known::Nothing,
    };
    let args = args.iter().map(known).collect();
    Partial::new(game, &Unseen::default(), STEPS_A_RUN)
        .is_false(guard, args)
        .is_ok()
}

/// A piece on a place.
#[derive(Clone, Copy)]
pub(in crate::opt) struct Standing {
    pub(in crate::opt) placement: PlacementId,
    pub(in crate::opt) piece: u32,
    pub(in crate::opt) place: u32,
}

impl Standing {
    /// Whether a guard is false in every position with this piece on this place, without a fault, for these members.
    pub(in crate::opt) fn never(self, game: &Game, guard: FuncId, args: &[u32]) -> bool {
        Partial::new(game, &Unseen::default(), STEPS_A_RUN)
            .standing(self)
            .is_false(guard, known(args))
            .is_ok()
    }

    /// What a function gives for these members where nothing else stands anywhere, if that follows.
    pub(in crate::opt) fn alone(self, game: &Game, func: FuncId, args: &[u32]) -> Option<Const> {
        let places = game.placement(self.placement).places;
        Partial::new(game, &Unseen::default(), STEPS_A_RUN)
            .standing(self)
            .alone(self.placement, game.domain(places).len() as u32)
            .given_by(func, known(args))
    }
}

fn known(args: &[u32]) -> Vec<Known> {
    let args = args.iter();
    args.map(|member| Known::Value(Const::Elem(*member)))
        .collect()
}

/// The candidates of a parameter, if they are known now.
type Members = Option<Vec<u32>>;

/// For a parameter: the earlier one that lists it, and the lists.
type Lists = Vec<Option<(usize, Vec<Vec<u32>>)>>;

struct Search<'a> {
    game: &'a Game,
    family: &'a Family,
    guard: FuncId,
    effects: &'a Effects,
    unseen: &'a Unseen,
    /// The local variables that the guard reads.
    read: SortedSet<LocalId>,
    /// Whether the guard was false where parameters that it reads had some members, and the steps that this took.
    runs: IndexMap<Vec<(usize, u32)>, (bool, u32)>,
    steps: u32,
}

/// The local variables that a function reads.
fn read_by(game: &Game, func: FuncId) -> SortedSet<LocalId> {
    let mut read = SortedSet::new();
    walk_exprs(&game.function(func).body, &mut |expr| {
        if let ExprKind::Local(local) = expr.kind {
            read.insert(local);
        }
    });
    read
}

impl Search<'_> {
    /// Whether the guard is false whenever these parameters have these members.
    fn is_false(&mut self, known: &[(usize, u32)]) -> bool {
        let context = self.family.context.len();
        let mut known = known.to_vec();
        // What it does not read makes no difference.
        known.retain(|(param, _)| self.read.contains(&LocalId::from(context + param)));
        let allowed = self.steps.min(STEPS_A_RUN);
        let run = self.runs.get(&known).filter(|_| allowed == STEPS_A_RUN);
        let (is_false, steps) = run.copied().unwrap_or_else(|| {
            let mut args = vec![Known::Nothing; context + self.family.params.len()];
            for (param, member) in &known {
                args[context + param] = Known::Value(Const::Elem(*member));
            }
            let mut partial = Partial::new(self.game, self.unseen, allowed);
            let is_false = partial.is_false(self.guard, args).is_ok();
            (is_false, allowed - partial.steps())
        });
        if allowed == STEPS_A_RUN {
            self.runs.insert(known, (is_false, steps));
        }
        self.steps -= steps;
        is_false
    }

    /// For each parameter the members for which the guard may hold.
    fn singles(&mut self) -> Vec<Members> {
        (0..self.family.params.len())
            .map(|param| self.single(param))
            .collect()
    }

    fn single(&mut self, param: usize) -> Members {
        if !self.is_free_after(param) {
            return None;
        }
        let Type::Elem(domain) = self.family.params[param].ty else {
            return None;
        };
        let all = 0..self.game.domain(domain).len() as u32;
        let members: Vec<u32> = match &self.family.params[param].source {
            ParamSource::Among(members) => members.clone(),
            ParamSource::All | ParamSource::Is(_) => all.collect(),
            _ => return None,
        };
        let mut left = Vec::new();
        for member in members {
            if !self.is_false(&[(param, member)]) {
                left.push(member);
            }
        }
        Some(left)
    }

    /// Whether finding the candidates of the later parameters never faults: otherwise a candidate
    /// whose guard is false still matters.
    fn is_free_after(&self, param: usize) -> bool {
        let is_free = |expr: &Expr| {
            let effect = self.effects.expr(self.game, expr);
            !(effect.may_fault || effect.fails || effect.works)
        };
        self.family.params[param + 1..]
            .iter()
            .all(|later| match &later.source {
                ParamSource::Is(value) => is_free(value),
                ParamSource::Subset { of, size } => is_free(of) && is_free(size),
                ParamSource::Generated(func) => {
                    let effect = self.effects.function(*func);
                    !(effect.may_fault || effect.fails || effect.works)
                }
                ParamSource::All | ParamSource::Among(_) | ParamSource::Listed { .. } => true,
            })
    }

    fn lists(&mut self, members: &[Members]) -> Lists {
        (0..members.len())
            .map(|param| self.list(param, members))
            .collect()
    }

    /// The shortest lists of a parameter by an earlier one, if they are worth it.
    fn list(&mut self, param: usize, members: &[Members]) -> Option<(usize, Vec<Vec<u32>>)> {
        let source = &self.family.params[param].source;
        if !matches!(source, ParamSource::All | ParamSource::Among(_)) {
            return None;
        }
        let own = members[param].as_ref()?;
        let mut best: Option<(usize, usize, Vec<Vec<u32>>)> = None;
        for (by, others) in members.iter().enumerate().take(param) {
            let Some(others) = others else { continue };
            if !self.is_promising((by, others), (param, own)) {
                continue;
            }
            let Some(rows) = self.rows((by, others), (param, own)) else {
                continue;
            };
            let left: usize = rows.iter().map(Vec::len).sum();
            // Per member of the earlier parameter, so that both lists can be compared.
            let share = left * 100 / (others.len() * own.len()).max(1);
            if share <= WORTHWHILE && best.as_ref().is_none_or(|(least, ..)| share < *least) {
                best = Some((share, by, rows));
            }
        }
        best.map(|(_, by, rows)| (by, rows))
    }

    /// Whether some of a sample of pairs can be left out.
    fn is_promising(
        &mut self,
        (by, others): (usize, &[u32]),
        (param, own): (usize, &[u32]),
    ) -> bool {
        let pairs = others.len() * own.len();
        let count = pairs.min(SAMPLE);
        (0..count).any(|number| {
            // An odd stride near the golden section visits rows and columns evenly.
            let pair = number * ((pairs * 618 / 1000) | 1) % pairs;
            let (other, member) = (others[pair / own.len()], own[pair % own.len()]);
            self.is_false(&[(by, other), (param, member)])
        })
    }

    /// The members left for each member of the earlier parameter; nothing if it takes too long.
    fn rows(
        &mut self,
        (by, others): (usize, &[u32]),
        (param, own): (usize, &[u32]),
    ) -> Option<Vec<Vec<u32>>> {
        let Type::Elem(domain) = self.family.params[by].ty else {
            return None;
        };
        let mut rows = vec![Vec::new(); self.game.domain(domain).len()];
        for &other in others {
            for &member in own {
                if !self.is_false(&[(by, other), (param, member)]) {
                    rows[other as usize].push(member);
                }
                if self.steps == 0 {
                    return None;
                }
            }
        }
        Some(rows)
    }
}

/// Gives the parameters of a family their new sources.
fn apply(game: &mut Game, family: FamilyId, members: &[Members], lists: Lists) {
    let lists_by = |param: usize| lists.iter().flatten().any(|(by, _)| *by == param);
    // A member without a list has no candidates anyway: a look-up would only cost time.
    let needless = |param: usize| {
        let source = &game.family(family).params[param].source;
        matches!(source, ParamSource::Is(_)) && lists_by(param)
    };
    let filtered: Vec<usize> = (0..members.len())
        .filter(|&param| !needless(param))
        .collect();
    for param in filtered {
        let Some(members) = &members[param] else {
            continue;
        };
        let Some(source) = filter(game, family, param, members) else {
            continue;
        };
        game.families[family.index()].params[param].source = source;
    }
    for (param, list) in lists.into_iter().enumerate() {
        let Some((by, rows)) = list else { continue };
        let table = list_table(game, family, by, param, rows);
        game.families[family.index()].params[param].source = ParamSource::Listed { by, table };
    }
}

/// The source with these candidates only, if it has others.
fn filter(game: &mut Game, family: FamilyId, param: usize, members: &[u32]) -> Option<ParamSource> {
    let family = game.family(family);
    let param = &family.params[param];
    let domain = domain_of(&param.ty)?;
    let all = game.domain(domain).len() == members.len();
    match &param.source {
        ParamSource::Among(old) if old.len() != members.len() => {
            Some(ParamSource::Among(members.to_vec()))
        }
        ParamSource::All if !all => Some(ParamSource::Among(members.to_vec())),
        ParamSource::Is(value) if !all => {
            let (value, span) = (value.clone(), family.span);
            let name = format!("{}_{}", family.name, param.name);
            let admits = |member| Const::Bool(members.contains(&member));
            let values = (0..game.domain(domain).len() as u32).map(admits).collect();
            let table = Table {
                name,
                axes: vec![Axis::Domain(domain)],
                ty: Type::Bool,
                values,
                outside: Some(Const::Bool(false)),
                span,
            };
            let table = known_or_new(game, table);
            let admitted = Expr::lookup(game, table, vec![value.clone()], span);
            let value = if value.ty == Type::Elem(domain) {
                value.some()
            } else {
                value
            };
            let none = Expr::none(domain, span);
            Some(ParamSource::Is(Expr::select(admitted, value, none)))
        }
        _ => None,
    }
}

fn domain_of(ty: &Type) -> Option<DomainId> {
    match ty {
        Type::Elem(domain) => Some(*domain),
        _ => None,
    }
}

/// A table of the lists of a parameter by another.
fn list_table(
    game: &mut Game,
    family: FamilyId,
    by: usize,
    param: usize,
    rows: Vec<Vec<u32>>,
) -> TableId {
    let family = game.family(family);
    let table = Table {
        name: format!("{}_{}", family.name, family.params[param].name),
        axes: domain_of(&family.params[by].ty)
            .map(Axis::Domain)
            .into_iter()
            .collect(),
        ty: domain_of(&family.params[param].ty).map_or(Type::Bool, Type::Set),
        values: rows.into_iter().map(Const::Set).collect(),
        outside: None,
        span: family.span,
    };
    known_or_new(game, table)
}

/// Replaces tests of a guard that follow from the candidates of its family alone.
pub(super) fn settle(game: &mut Game, family: FamilyId) {
    let params = game.family(family).params.iter();
    let members = params.map(|param| match &param.source {
        ParamSource::Among(members) => Some(members.clone()),
        ParamSource::Is(value) => admitted(game, value).map(|all| all.into_iter().collect()),
        _ => None,
    });
    let members: Vec<Members> = members.collect();
    drop_tests(game, family, members.clone(), &mut { STEPS });
    make_sure(game, family, members);
}

/// Makes of look-ups that find something for all candidates of a family such as always do: they need no test.
fn make_sure(game: &mut Game, family: FamilyId, members: Vec<Members>) {
    let Some(guard) = game.family(family).guard else {
        return;
    };
    let candidates = Candidates::of(game, family, members, &game.function(guard).body);
    let mut body = game.function(guard).body.clone();
    let mut changed = false;
    outermost(&mut body, &mut |expr| {
        let ExprKind::Get(found) = &expr.kind else {
            return false;
        };
        let sure = candidates.sure_lookup(game, found);
        let is_sure = sure.is_some();
        changed |= is_sure;
        sure.into_iter().for_each(|sure| *expr = sure);
        is_sure
    });
    if changed {
        let guard = own_guard(game, family, guard);
        game.functions[guard.index()].body = body;
    }
}

/// Replaces tests that follow from the candidates alone and come out the same for all of them.
fn drop_tests(game: &mut Game, family: FamilyId, members: Vec<Members>, steps: &mut u32) {
    let Some(guard) = game.family(family).guard else {
        return;
    };
    let candidates = Candidates::of(game, family, members, &game.function(guard).body);
    let mut body = game.function(guard).body.clone();
    let mut changed = false;
    outermost(&mut body, &mut |expr| {
        let value = candidates.common_value(game, expr, steps);
        if let Some(value) = value {
            expr.kind = ExprKind::Const(value);
            changed = true;
            return true;
        }
        false
    });
    let names = &game.function(guard).locals;
    let effects = LazyCell::new(|| Effects::of(game));
    each_block_mut(&mut body, &mut |block| {
        for stmt in std::mem::take(block) {
            let works = || {
                effects
                    .block(game, names, std::slice::from_ref(&stmt))
                    .works
            };
            match candidates.settled(game, names, &stmt, steps) {
                Some(lets) if !works() => {
                    block.extend(lets);
                    changed = true;
                }
                _ => block.push(stmt),
            }
        }
    });
    if changed {
        let guard = own_guard(game, family, guard);
        game.functions[guard.index()].body = body;
    }
}

/// Calls `f` on a block and all blocks in it, innermost first.
fn each_block_mut(block: &mut Block, f: &mut dyn FnMut(&mut Block)) {
    for stmt in block.iter_mut() {
        stmt.blocks_mut(&mut |inner| each_block_mut(inner, f));
    }
    f(block);
}

/// Calls `f` on expressions from the outside in, until it says that one is done.
fn outermost(block: &mut Block, f: &mut dyn FnMut(&mut Expr) -> bool) {
    for stmt in block {
        stmt.children_mut(&mut |expr| outermost_in(expr, f));
        stmt.blocks_mut(&mut |inner| outermost(inner, f));
    }
}

fn outermost_in(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr) -> bool) {
    if !f(expr) {
        expr.children_mut(&mut |child| outermost_in(child, f));
    }
}

/// The guard of a family as a function that nothing else uses.
fn own_guard(game: &mut Game, family: FamilyId, guard: FuncId) -> FuncId {
    if uses(game, guard) == 1 {
        return guard;
    }
    let mut copy = game.function(guard).clone();
    copy.name = format!("{}_guard", game.family(family).name);
    while game
        .functions
        .iter()
        .any(|function| function.name == copy.name)
    {
        copy.name.push('_');
    }
    game.functions.push(copy);
    let own = FuncId::from(game.functions.len() - 1);
    game.families[family.index()].guard = Some(own);
    own
}
