//! Which members the parameters of functions can be, by what calls give them.

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::visit::walk_block;
use crate::ir::walk::{roots, walk_free};
use crate::ir::{
    Axis, Const, Expr, ExprKind, Family, FuncId, Function, Game, Local, LocalId, ParamSource,
    PlacementId, Stmt, StmtKind, Type,
};
use crate::opt::locals::each_assigned;

/// The members that a parameter can be; nothing where all are possible.
type Members = Option<SortedSet<u32>>;

/// The members of all parameters of functions.
pub(in crate::opt) struct Reached(Vec<Vec<Members>>);

impl Reached {
    pub(in crate::opt) fn may_be(&self, func: FuncId, param: usize, member: u32) -> bool {
        let members = &self.0[func.index()][param];
        members.as_ref().is_none_or(|set| set.contains(&member))
    }

    /// The members that a parameter can be; nothing where all are possible.
    pub(in crate::opt) fn members(&self, func: FuncId, param: usize) -> Option<&SortedSet<u32>> {
        self.0[func.index()].get(param)?.as_ref()
    }

    /// Adds what an argument may be; whether that is new.
    fn add(&mut self, func: FuncId, param: usize, members: Option<&SortedSet<u32>>) -> bool {
        let Some(slot @ Some(_)) = self.0[func.index()].get_mut(param) else {
            return false;
        };
        let (Some(set), Some(more)) = (slot.as_mut(), members) else {
            *slot = None;
            return true;
        };
        let before = set.len();
        set.join(more);
        set.len() != before
    }

    /// Whether all are possible already.
    fn is_open(&self, func: FuncId, param: usize) -> bool {
        let slot = self.0[func.index()].get(param);
        slot.is_none_or(Option::is_none)
    }
}

/// Finds out what the parameters can be.
pub(in crate::opt) fn members(game: &Game) -> Reached {
    let empty = |function: &Function| vec![Some(SortedSet::new()); function.params];
    let mut reached = Reached(game.functions.iter().map(empty).collect());
    let of_families: SortedSet<FuncId> = game.families.iter().flat_map(Family::functions).collect();
    for root in roots(game) {
        if !of_families.contains(&root) {
            open(&mut reached, game, root);
        }
    }
    walk_free(game, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            open(&mut reached, game, *func);
        }
    });
    for family in &game.families {
        let known = (0..family.params.len()).map(|param| candidates(game, family, param));
        let known: Vec<Members> = known.collect();
        for func in family.functions() {
            let context = family.context.len();
            for param in 0..game.function(func).params {
                let own = param.checked_sub(context);
                let members = own.and_then(|own| known.get(own)?.as_ref());
                reached.add(func, param, members);
            }
        }
    }
    let functions = (0..game.functions.len()).map(FuncId::from);
    let mut bound: Vec<Bound<'_>> = functions.map(|func| Bound::of(game, func)).collect();
    loop {
        let mut changed = false;
        for bound in &mut bound {
            changed |= pass_on(bound, &mut reached);
        }
        if !changed {
            return reached;
        }
    }
}

fn open(reached: &mut Reached, game: &Game, func: FuncId) {
    for param in 0..game.function(func).params {
        reached.add(func, param, None);
    }
}

/// The candidates for a parameter of a family.
pub(in crate::opt) fn candidates(game: &Game, family: &Family, param: usize) -> Members {
    match &family.params[param].source {
        ParamSource::Among(members) => Some(members.iter().copied().collect()),
        ParamSource::Listed { table, .. } => {
            let mut all = SortedSet::new();
            for row in &game.table(*table).values {
                let Const::Set(row) = row else { return None };
                all.extend(row);
            }
            Some(all)
        }
        ParamSource::Is(expr) => admitted(game, expr),
        _ => None,
    }
}

/// The members that a source lets pass: `if table[x] then x else none`.
pub(in crate::opt) fn admitted(game: &Game, expr: &Expr) -> Members {
    let ExprKind::If(test, yes, no) = &expr.kind else {
        return None;
    };
    let ExprKind::Lookup(table, index) = &test.kind else {
        return None;
    };
    let given = match &yes.kind {
        ExprKind::Some(given) => given,
        _ => yes,
    };
    let table = game.table(*table);
    let (Type::Opt(domain) | Type::Elem(domain)) = given.ty else {
        return None;
    };
    let plain = index.len() == 1
        && same(&index[0], given)
        && no.as_const() == Some(&Const::None)
        && table.axes == [Axis::Domain(domain)]
        && table.outside != Some(Const::Bool(true));
    let held = (0u32..).zip(&table.values);
    let held = held.filter(|(_, value)| **value == Const::Bool(true));
    plain.then(|| held.map(|(member, _)| member).collect())
}

/// The piece whose place a source gives, if it gives any: `place(x)`, or that where something lets it pass.
pub(in crate::opt) fn taken(source: &Expr) -> Option<(PlacementId, LocalId)> {
    let place = match &source.kind {
        ExprKind::If(_, yes, no) if no.as_const() == Some(&Const::None) => yes,
        _ => source,
    };
    match &place.kind {
        ExprKind::PlaceOf(placement, piece) => match piece.kind {
            ExprKind::Local(piece) => Some((*placement, piece)),
            _ => None,
        },
        _ => None,
    }
}

/// The members that a table has for anything.
fn looked_up(game: &Game, expr: &Expr) -> Members {
    let expr = match &expr.kind {
        ExprKind::Get(inner) => inner,
        _ => expr,
    };
    let ExprKind::Lookup(table, _) = &expr.kind else {
        return None;
    };
    let table = game.table(*table);
    let all = table.values.iter().chain(&table.outside);
    let members = all.filter(|value| **value != Const::None);
    let members = members.map(|value| match value {
        Const::Elem(member) => Some(*member),
        _ => None,
    });
    members.collect()
}

/// What gives a local variable its values.
enum Source<'g> {
    /// A parameter of the moves of a family.
    Candidates(&'g Family, usize),
    Value(&'g Expr),
}

impl Source<'_> {
    fn members(&self, game: &Game) -> Members {
        match self {
            Source::Candidates(family, param) => candidates(game, family, *param),
            Source::Value(value) => looked_up(game, value),
        }
    }
}

/// What the local variables of a function can be.
struct Bound<'g> {
    game: &'g Game,
    func: FuncId,
    /// Those that get values of which nothing is known.
    assigned: SortedSet<LocalId>,
    sources: Vec<(LocalId, Source<'g>)>,
    /// What was asked for.
    known: SortedMap<LocalId, Members>,
}

impl<'g> Bound<'g> {
    fn of(game: &'g Game, func: FuncId) -> Bound<'g> {
        let function = game.function(func);
        let (mut assigned, mut sources) = (SortedSet::new(), Vec::new());
        walk_block(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Choose(choose) => {
                for arm in &choose.arms {
                    let family = game.family(arm.family);
                    for (param, local) in arm.bind.iter().enumerate() {
                        sources.push((*local, Source::Candidates(family, param)));
                        // What callers give a parameter is not all that it can be then.
                        if local.index() < function.params {
                            assigned.insert(*local);
                        }
                    }
                }
            }
            StmtKind::Let(local, value) if local.index() >= function.params => {
                sources.push((*local, Source::Value(value)));
            }
            _ => each_assigned(stmt, &mut |local| {
                assigned.insert(local);
            }),
        });
        Bound {
            game,
            func,
            assigned,
            sources,
            known: SortedMap::new(),
        }
    }

    /// What an argument can be, as far as is known of the parameters.
    fn argument(&mut self, reached: &Reached, arg: &Expr) -> Members {
        match &arg.kind {
            ExprKind::Const(Const::Elem(member)) => Some(SortedSet::from([*member])),
            ExprKind::Local(local) if self.assigned.contains(local) => None,
            ExprKind::Local(local) if local.index() < self.game.function(self.func).params => {
                reached.0[self.func.index()][local.index()].clone()
            }
            ExprKind::Local(local) => {
                let Bound { game, sources, .. } = self;
                let known = self.known.entry(*local);
                known
                    .or_insert_with(|| joined(game, sources, *local))
                    .clone()
            }
            _ => None,
        }
    }
}

/// What all sources of a variable give it.
fn joined(game: &Game, sources: &[(LocalId, Source<'_>)], local: LocalId) -> Members {
    let mut own = sources.iter().filter(|(other, _)| *other == local);
    let mut all = own.next()?.1.members(game)?;
    for (_, source) in own {
        all.join(&source.members(game)?);
    }
    Some(all)
}

/// Gives what a function passes on to those it calls; whether that is new.
fn pass_on(bound: &mut Bound<'_>, reached: &mut Reached) -> bool {
    let function = bound.game.function(bound.func);
    let mut changed = false;
    let mut call = |func: FuncId, args: &[Expr]| {
        for (param, arg) in args.iter().enumerate() {
            if !reached.is_open(func, param) {
                let members = bound.argument(reached, arg);
                changed |= reached.add(func, param, members.as_ref());
            }
        }
    };
    each_call(function, &mut call);
    changed
}

/// Calls `f` on what a function calls, and with what, by statements and in expressions.
pub(in crate::opt) fn each_call(function: &Function, f: &mut dyn FnMut(FuncId, &[Expr])) {
    walk_block(&function.body, &mut |stmt| {
        if let StmtKind::Call { func, args, .. } = &stmt.kind {
            f(*func, args);
        }
        stmt.children(&mut |expr| {
            expr.walk(&mut |expr| {
                if let ExprKind::Call(func, args) = &expr.kind {
                    f(*func, args);
                }
            });
        });
    });
}

/// For each function the parameters that are places on which something stands whenever it is called.
pub(in crate::opt) fn occupied(
    game: &Game,
    effects: &Effects,
    placement: PlacementId,
) -> Vec<Vec<bool>> {
    let mut known: Vec<Vec<bool>> = game
        .functions
        .iter()
        .map(|function| vec![true; function.params])
        .collect();
    for root in roots(game) {
        known[root.index()].fill(false);
    }
    walk_free(game, &mut |expr| {
        if let ExprKind::Call(func, _) = &expr.kind {
            known[func.index()].fill(false);
        }
    });
    loop {
        let before = known.clone();
        for (function, before) in game.functions.iter().zip(&before) {
            let params = before.iter().enumerate();
            let here = params.filter(|(_, known)| **known);
            let mut standing = Standing {
                game,
                effects,
                placement,
                locals: &function.locals,
                here: here.map(|(param, _)| LocalId::from(param)).collect(),
                known: &mut known,
            };
            standing.block(&function.body);
        }
        if known == before {
            return known;
        }
    }
}

/// Follows on which places something stands for sure.
struct Standing<'a> {
    game: &'a Game,
    effects: &'a Effects,
    placement: PlacementId,
    locals: &'a [Local],
    here: SortedSet<LocalId>,
    known: &'a mut Vec<Vec<bool>>,
}

impl Standing<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        stmt.children(&mut |expr| {
            expr.walk(&mut |expr| {
                if let ExprKind::Call(func, args) = &expr.kind {
                    self.call(*func, args);
                }
            });
        });
        let one = std::slice::from_ref(stmt);
        let effect = self.effects.block(self.game, self.locals, one);
        let moves = effect.scratch.placements.contains(&self.placement);
        if let StmtKind::Call { func, args, .. } = &stmt.kind {
            self.call(*func, args);
        }
        let mut inner = Vec::new();
        stmt.blocks(&mut |block| inner.push(block));
        if moves && !matches!(stmt.kind, StmtKind::If(..)) {
            self.here.clear();
        }
        let before = self.here.clone();
        for block in inner {
            self.here = before.clone();
            self.block(block);
        }
        self.here = before;
        if moves {
            self.here.clear();
        }
        crate::ir::visit::walk_block(one, &mut |stmt| {
            each_assigned(stmt, &mut |local| {
                self.here.remove(&local);
            });
        });
        if let StmtKind::Put(placement, _, at) | StmtKind::Bring(placement, _, at, _) = &stmt.kind
            && *placement == self.placement
            && let ExprKind::Local(local) = at.kind
        {
            self.here.insert(local);
        }
    }

    fn call(&mut self, func: FuncId, args: &[Expr]) {
        for (param, arg) in args.iter().enumerate() {
            let stands = matches!(&arg.kind, ExprKind::Local(local) if self.here.contains(local));
            if let Some(known) = self.known[func.index()].get_mut(param) {
                *known &= stands;
            }
        }
    }
}
