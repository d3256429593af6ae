//! `prune`: candidates that the rules never admit are not tried.
//!
//! The guard of a family is run with one parameter known, then with two ([`partial`]). Where it is false in every position,
//! without a fault on any path, the member leaves the candidates; a parameter whose members depend on an earlier one
//! gets a table of lists. What guards then test in vain, because it holds for all candidates that are left, they test no
//! longer.

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
    Local, LocalId, Param, ParamSource, Point, Stmt, StmtKind, Table, TableId, Type,
};

use super::attempts;
use super::tables::known_or_new;
use crate::ir::walk::{each_stmt_mut, uses};
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
        drop_tests(game, family, members, &mut steps);
    }
    attempts::open(game);
    super::fold_constants::simplify(game);
    attempts::answer(game);
    drop_arms(game);
    // Of fewer candidates tables may say the same.
    super::candidates::run(game);
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

/// The candidates of a family as its guard sees them.
struct Candidates {
    /// Local variable of the first parameter.
    first: usize,
    /// Candidates of each parameter; nothing if the guard gives it other values.
    members: Vec<Members>,
    /// The earlier parameter of each listed one, and the lists.
    lists: Vec<Option<(usize, Vec<Const>)>>,
}

impl Candidates {
    /// The candidates of a family of which each parameter has only these members left.
    fn of(game: &Game, id: FamilyId, members: Vec<Members>, guard: &[Stmt]) -> Candidates {
        let family = game.family(id);
        let first = family.context.len();
        let count = family.params.len();
        let lists = vec![None; count];
        let mut candidates = Candidates {
            first,
            members,
            lists,
        };
        for (param, members) in family.params.iter().zip(&mut candidates.members) {
            if members.is_none()
                && let Some(domain) = domain_of(&param.ty)
            {
                *members = Some((0..game.domain(domain).len() as u32).collect());
            }
        }
        for (index, param) in family.params.iter().enumerate() {
            if let ParamSource::Listed { by, table } = param.source {
                candidates.restrict(index, by, &game.table(table).values);
            }
        }
        for local in super::locals::assigned(guard) {
            if let Some(param) = local
                .index()
                .checked_sub(first)
                .filter(|&param| param < count)
            {
                candidates.members[param] = None;
            }
        }
        candidates
    }

    /// A listed parameter has the members of the lists, and the earlier one those with a list.
    fn restrict(&mut self, param: usize, by: usize, rows: &[Const]) {
        let row = |member: &u32| match rows.get(*member as usize) {
            Some(Const::Set(row)) => row.as_slice(),
            _ => &[],
        };
        if let Some(others) = &mut self.members[by] {
            others.retain(|other| !row(other).is_empty());
            let listed: SortedSet<u32> = others.iter().flat_map(row).copied().collect();
            self.members[param] = Some(listed.into_iter().collect());
        }
        self.lists[param] = Some((by, rows.to_vec()));
    }

    /// The value of a test that has the same one, without a fault, for all candidates.
    fn common_value(&self, game: &Game, expr: &Expr, steps: &mut u32) -> Option<Const> {
        if expr.ty != Type::Bool || expr.as_const().is_some() {
            return None;
        }
        let mut params = SortedSet::new();
        if !self.add_params(expr, &mut params) || params.is_empty() {
            return None;
        }
        let params: Vec<usize> = params.into_iter().collect();
        let unseen = Unseen::default();
        let mut common = None;
        for tuple in self.tuples(&params)? {
            let mut locals = vec![Known::Nothing; self.first + self.members.len()];
            for (param, member) in params.iter().zip(tuple) {
                locals[self.first + param] = Known::Value(Const::Elem(member));
            }
            let allowed = (*steps).min(STEPS_A_RUN);
            let mut partial = Partial::new(game, &unseen, allowed);
            let value = partial.value(expr, locals);
            *steps -= allowed - partial.steps();
            let value = value?;
            if *common.get_or_insert_with(|| value.clone()) != value {
                return None;
            }
        }
        common
    }

    /// A look-up by a parameter in a table that has a value for each member, if the table of the given one has one for all
    /// candidates.
    fn sure_lookup(&self, game: &mut Game, found: &Expr) -> Option<Expr> {
        let (ExprKind::Lookup(table, index), Type::Opt(domain)) = (&found.kind, &found.ty) else {
            return None;
        };
        let [
            Expr {
                kind: ExprKind::Local(local),
                ..
            },
        ] = &index[..]
        else {
            return None;
        };
        let members = self
            .members
            .get(local.index().checked_sub(self.first)?)?
            .as_ref()?;
        let table = game.table(*table);
        let has_value = |member: &u32| table.values.get(*member as usize) != Some(&Const::None);
        if table.outside.is_some() || !members.iter().all(has_value) {
            return None;
        }
        let value = |value: &Const| match value {
            Const::None => Const::Elem(0),
            known => known.clone(),
        };
        let whole = Table {
            name: format!("{} of candidates", table.name),
            ty: Type::Elem(*domain),
            values: table.values.iter().map(value).collect(),
            ..table.clone()
        };
        let whole = known_or_new(game, whole);
        Some(Expr::lookup(game, whole, index.clone(), found.span))
    }

    /// What a trial stores, if it drops its writes and comes out the same for all candidates.
    fn settled(&self, game: &Game, names: &[Local], stmt: &Stmt, steps: &mut u32) -> Option<Block> {
        let StmtKind::Trial {
            body,
            keep: false,
            ok,
            value: Some((value, into)),
        } = &stmt.kind
        else {
            return None;
        };
        let mut params = SortedSet::new();
        let mut reads = |expr: &Expr| {
            if let ExprKind::Local(local) = expr.kind
                && let Some(param) = local.index().checked_sub(self.first)
                && param < self.members.len()
            {
                params.insert(param);
            }
        };
        walk_exprs(body, &mut reads);
        value.walk(&mut reads);
        let mut settings = self.settings(&params).into_iter();
        let (succeeds, given) =
            settings.find_map(|one| self.trial_value(game, names, stmt, one, steps))?;
        let constant = |value: Const, local: LocalId| {
            Stmt::assign(
                local,
                Expr::constant(value, names[local.index()].ty.clone(), stmt.span),
            )
        };
        Some(vec![constant(succeeds, *ok), constant(given, *into)])
    }

    /// What a trial comes to and gives, if that is the same for all settings of parameters.
    fn trial_value(
        &self,
        game: &Game,
        names: &[Local],
        stmt: &Stmt,
        settings: Vec<Vec<(usize, u32)>>,
        steps: &mut u32,
    ) -> Option<(Const, Const)> {
        let unseen = Unseen::default();
        let mut common = None;
        for known in settings {
            let mut locals = vec![Known::Nothing; names.len()];
            for (param, member) in known {
                locals[self.first + param] = Known::Value(Const::Elem(member));
            }
            let allowed = (*steps).min(STEPS_A_RUN);
            let mut partial = Partial::new(game, &unseen, allowed);
            let values = partial.trial_value(stmt, names, locals);
            *steps -= allowed - partial.steps();
            let values = values?;
            if *common.get_or_insert_with(|| values.clone()) != values {
                return None;
            }
        }
        common
    }

    /// Settings of those parameters that decide the most: a pair of which one lists the other, or else each of them alone; the
    /// others are left open.
    fn settings(&self, params: &SortedSet<usize>) -> Vec<Vec<Vec<(usize, u32)>>> {
        let known: Vec<usize> = params
            .iter()
            .copied()
            .filter(|&param| self.members[param].is_some())
            .collect();
        let listed = known.iter().find_map(|&param| {
            let (by, _) = self.lists[param].as_ref()?;
            known.contains(by).then_some([*by, param])
        });
        let chosen: Vec<Vec<usize>> = match listed {
            Some(pair) => vec![pair.to_vec()],
            None => known.iter().rev().map(|param| vec![*param]).collect(),
        };
        let settings = chosen.iter().filter_map(|chosen| {
            let tuples = self.tuples(chosen)?.into_iter();
            let all = tuples.map(|tuple| chosen.iter().copied().zip(tuple).collect());
            Some(all.collect())
        });
        settings.collect()
    }

    /// The members that one or two parameters can have together.
    fn tuples(&self, params: &[usize]) -> Option<Vec<Vec<u32>>> {
        match *params {
            [a] => Some(
                self.members[a]
                    .as_ref()?
                    .iter()
                    .map(|&member| vec![member])
                    .collect(),
            ),
            [a, b] => {
                let (first, second) = (self.members[a].as_ref()?, self.members[b].as_ref()?);
                let pairs = first
                    .iter()
                    .flat_map(|&x| second.iter().map(move |&y| vec![x, y]));
                Some(
                    pairs
                        .filter(|pair| self.admits(a, b, pair[0], pair[1]))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    fn admits(&self, a: usize, b: usize, x: u32, y: u32) -> bool {
        match &self.lists[b] {
            Some((by, rows)) if *by == a => {
                matches!(rows.get(x as usize), Some(Const::Set(row)) if row.contains(&y))
            }
            _ => true,
        }
    }

    /// Adds the parameters that an expression reads, if it reads nothing else.
    fn add_params(&self, expr: &Expr, params: &mut SortedSet<usize>) -> bool {
        use ExprKind as E;
        match &expr.kind {
            E::Local(local) => match local.index().checked_sub(self.first) {
                Some(param) if self.members.get(param).is_some_and(Option::is_some) => {
                    params.insert(param);
                    true
                }
                _ => false,
            },
            E::Const(_)
            | E::Lookup(..)
            | E::Unary(..)
            | E::Binary(..)
            | E::If(..)
            | E::Some(_)
            | E::IsSome(_)
            | E::Get(_)
            | E::OrElse(..)
            | E::Ordinal(_)
            | E::Member(..)
            | E::ToWrap(_)
            | E::ToInt(_) => {
                let mut only = true;
                expr.children(&mut |child| only &= self.add_params(child, params));
                only
            }
            _ => false,
        }
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
