//! Running a guard with some parameters known and the position unknown.
//!
//! The question is only whether the guard is false in every position, without a fault on any path. So whatever may fault,
//! may be true, or takes too long answers it with no at once ([`Gave`]). Values of the state are unknown but stay what they
//! are while a guard runs, so a test of one of them is remembered on the paths behind it.

mod chains;
mod over;
mod unseen;
mod values;

use rulec_ir::sorted::SortedMap;

use crate::ir::effects::may_fault;
use crate::ir::value;
use crate::ir::{
    BinaryOp, Const, Count, EnvId, Expr, ExprKind, Fold, FuncId, Game, Local, LocalId, Over,
    PlacementId, Stmt, StmtKind, Type, UnaryOp, VarId, WalkGive,
};

pub(super) use unseen::Unseen;

use values::{read_env, recall};

/// How deep calls may nest.
const DEPTH: u32 = 64;

/// The guard may hold, may fault, or is too hard to tell.
#[derive(Debug)]
pub(super) struct Gave;

type Res<T> = Result<T, Gave>;

/// What is known of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Known {
    /// Everything.
    Value(Const),
    /// That it is a member, not an absent one.
    Present,
    /// That it is this value of the state.
    Read(Place),
    /// Nothing.
    Nothing,
}

/// A value of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    Var(VarId, usize),
    Piece(PlacementId, u32),
    Content(PlacementId, u32),
}

/// What is known of a variable of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Slot {
    Unset,
    Set(Known),
    /// It may have a value or not.
    Unclear,
}

#[derive(Clone, Default)]
struct Store {
    locals: Vec<Known>,
    env: Vec<Slot>,
    facts: SortedMap<Place, Known>,
}

/// A call, with everything that what it gives depends on but the steps that are left.
#[derive(PartialEq, Eq, Hash)]
struct Call {
    func: FuncId,
    args: Vec<Known>,
    env: Vec<Slot>,
    facts: SortedMap<Place, Known>,
    /// Whether there is a trial around it.
    tried: bool,
}

/// What a call came to.
#[derive(Clone)]
struct Answer {
    /// The steps that were left before it, and those that it took.
    before: u32,
    steps: u32,
    /// Whether it may fail the trial around it.
    fails: bool,
    /// Nothing if it gave the run up.
    gave: Option<Given>,
}

/// The value of a call, and the environment and the facts after it.
type Given = (Option<Known>, Vec<Slot>, SortedMap<Place, Known>);

impl Answer {
    /// Whether it is the same where so many steps are left. What gave a run up perhaps ran out of them.
    fn holds(&self, steps: u32) -> bool {
        steps == self.before || self.gave.is_some() && steps >= self.steps
    }
}

/// Where control went out of a block.
#[derive(Default)]
struct Exits {
    returns: Option<(Known, Store)>,
    breaks: Option<Store>,
    continues: Option<Store>,
}

/// Runs guards.
pub(super) struct Partial<'a> {
    game: &'a Game,
    unseen: &'a Unseen,
    steps: u32,
    depth: u32,
    /// Whether the outermost call is that of a guard: it may give nothing but false.
    guards: bool,
    /// How many trials are around, and whether the innermost one may fail.
    trials: u32,
    fails: bool,
    /// The operands that are known of the operations that are being computed, those of the innermost one last.
    operands: Vec<Const>,
    /// What is known of the position from the start.
    given: SortedMap<Place, Known>,
}

impl<'a> Partial<'a> {
    /// A runner that makes at most so many steps.
    pub(super) fn new(game: &'a Game, unseen: &'a Unseen, steps: u32) -> Partial<'a> {
        Partial {
            game,
            unseen,
            steps,
            depth: 0,
            guards: false,
            trials: 0,
            fails: false,
            operands: Vec::new(),
            given: SortedMap::new(),
        }
    }

    /// Steps that are left.
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    /// Succeeds if the function gives false for these arguments, whatever the position is, without a
    /// fault.
    pub(super) fn is_false(&mut self, func: FuncId, args: Vec<Known>) -> Res<()> {
        let mut store = Store {
            locals: Vec::new(),
            env: vec![Slot::Unset; self.game.env.len()],
            facts: self.given.clone(),
        };
        self.guards = true;
        match self.call(func, args, &mut store)? {
            Some(Known::Value(Const::Bool(false))) => Ok(()),
            _ => Err(Gave),
        }
    }

    /// The value of an expression of these local variables, if it follows from them and cannot fault.
    pub(super) fn value(&mut self, expr: &'a Expr, locals: Vec<Known>) -> Option<Const> {
        let env = vec![Slot::Unset; self.game.env.len()];
        let mut store = Store {
            locals,
            env,
            facts: SortedMap::new(),
        };
        match self.expr(expr, &mut store) {
            Ok(Known::Value(value)) => Some(value),
            _ => None,
        }
    }

    fn step(&mut self) -> Res<()> {
        self.steps = self.steps.checked_sub(1).ok_or(Gave)?;
        Ok(())
    }

    /// The value of a call; nothing if it never comes back.
    fn call(&mut self, func: FuncId, args: Vec<Known>, store: &mut Store) -> Res<Option<Known>> {
        // What a guard calls itself is the same for many members of its parameters.
        if self.depth != 1 {
            return self.call_anew(func, args, store);
        }
        let call = Call {
            func,
            args,
            env: store.env.clone(),
            facts: store.facts.clone(),
            tried: self.trials > 0,
        };
        if let Some(known) = self.unseen.answer(&call, self.steps) {
            self.steps -= known.steps;
            self.fails |= known.fails;
            let (value, env, facts) = known.gave.ok_or(Gave)?;
            (store.env, store.facts) = (env, facts);
            return Ok(value);
        }
        let (steps, failed) = (self.steps, std::mem::replace(&mut self.fails, false));
        let gave = self.call_anew(func, call.args.clone(), store);
        let value = gave.as_ref().ok();
        let answer = Answer {
            before: steps,
            steps: steps - self.steps,
            fails: self.fails,
            gave: value.map(|value| (value.clone(), store.env.clone(), store.facts.clone())),
        };
        self.fails |= failed;
        self.unseen.note(call, answer);
        gave
    }

    fn call_anew(
        &mut self,
        func: FuncId,
        args: Vec<Known>,
        store: &mut Store,
    ) -> Res<Option<Known>> {
        let function = self.game.function(func);
        if self.depth == DEPTH {
            return Err(Gave);
        }
        self.depth += 1;
        let mut locals = args;
        locals.resize(function.locals.len(), Known::Nothing);
        let outer = std::mem::replace(&mut store.locals, locals);
        let mut exits = Exits::default();
        // Who gets no value back, or gives up, does not go on.
        let inside = std::mem::take(store);
        let end = self.block(&function.body, &function.locals, inside, &mut exits)?;
        let end = end.map(|store| (Known::Nothing, store));
        self.depth -= 1;
        let value = join_with(exits.returns, end).map(|(value, after)| {
            *store = after;
            value
        });
        store.locals = outer;
        Ok(value)
    }

    /// Runs a block; nothing comes back if control never reaches its end.
    fn block(
        &mut self,
        block: &'a [Stmt],
        locals: &'a [Local],
        mut store: Store,
        exits: &mut Exits,
    ) -> Res<Option<Store>> {
        for stmt in block {
            match self.stmt(stmt, locals, store, exits)? {
                Some(after) => store = after,
                None => return Ok(None),
            }
        }
        Ok(Some(store))
    }

    fn stmt(
        &mut self,
        stmt: &'a Stmt,
        locals: &'a [Local],
        mut store: Store,
        exits: &mut Exits,
    ) -> Res<Option<Store>> {
        self.step()?;
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.stored(value, &locals[local.index()].ty, &mut store)?;
                store.locals[local.index()] = value;
            }
            StmtKind::SetEnv(var, value) => {
                let value = self.stored(value, &self.game.env[var.index()].ty, &mut store)?;
                store.env[var.index()] = Slot::Set(value);
            }
            StmtKind::If(cond, yes, no) => {
                let (if_yes, if_no) = self.test(cond, store)?;
                let mut ends = None;
                for (block, store) in [(yes, if_yes), (no, if_no)] {
                    if let Some(store) = store {
                        ends = join(ends, self.block(block, locals, store, exits)?);
                    }
                }
                return Ok(ends);
            }
            StmtKind::For {
                local,
                from,
                to,
                count,
                body,
                ..
            } => {
                let (from, to) = (self.int(from, &mut store)?, self.int(to, &mut store)?);
                let rounds = counted(from, to, *count).map(Const::Int);
                return self.rounds(*local, rounds, body, locals, store, exits);
            }
            StmtKind::ForEach(local, over, body) => {
                let items = self.items(over, &mut store)?.ok_or(Gave)?;
                return self.rounds(*local, items.into_iter(), body, locals, store, exits);
            }
            StmtKind::While { cond, bound, body } => {
                return self.repeat(cond, *bound, body, locals, store, exits);
            }
            StmtKind::Break => {
                exits.breaks = join(exits.breaks.take(), Some(store));
                return Ok(None);
            }
            StmtKind::Continue => {
                exits.continues = join(exits.continues.take(), Some(store));
                return Ok(None);
            }
            StmtKind::Call { func, args, into } => {
                let args = self.args(*func, args, &mut store)?;
                let Some(value) = self.call(*func, args, &mut store)? else {
                    return Ok(None);
                };
                if let Some(into) = into {
                    store.locals[into.index()] = value;
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value, &mut store)?,
                    None => Known::Nothing,
                };
                if self.guards && self.depth == 1 && value != Known::Value(Const::Bool(false)) {
                    return Err(Gave);
                }
                exits.returns = join_with(exits.returns.take(), Some((value, store)));
                return Ok(None);
            }
            // The steps of a run are far fewer than the units of a budget.
            StmtKind::Charge => {}
            StmtKind::Fail if self.trials > 0 => {
                self.fails = true;
                return Ok(None);
            }
            StmtKind::Trial {
                body,
                keep,
                ok,
                value,
            } => {
                let value = value.as_ref();
                return self.trial(body, *keep, *ok, value, locals, store);
            }
            _ => return Err(Gave),
        }
        Ok(Some(store))
    }

    fn trial(
        &mut self,
        body: &'a [Stmt],
        keep: bool,
        ok: LocalId,
        value: Option<&'a (Expr, LocalId)>,
        locals: &'a [Local],
        before: Store,
    ) -> Res<Option<Store>> {
        self.trials += 1;
        let outer = std::mem::replace(&mut self.fails, false);
        let mut end = self.block(body, locals, before.clone(), &mut Exits::default())?;
        let given = match (value, &mut end) {
            (Some((value, into)), Some(end)) => Some((self.expr(value, end)?, *into)),
            _ => None,
        };
        let fails = std::mem::replace(&mut self.fails, outer);
        self.trials -= 1;
        let mut success = match keep {
            true => end,
            false => end.map(|_| before.clone()),
        };
        if let Some(store) = &mut success {
            store.locals[ok.index()] = truth(true);
            if let Some((value, into)) = given {
                store.locals[into.index()] = value;
            }
        }
        let failure = fails.then(|| {
            let mut store = before;
            store.locals[ok.index()] = truth(false);
            store
        });
        Ok(join(success, failure))
    }

    /// The value that a trial gives from these local variables, in an unknown environment, if it
    /// follows from them and nothing in it can fault.
    pub(super) fn trial_value(
        &mut self,
        trial: &'a Stmt,
        names: &'a [Local],
        locals: Vec<Known>,
    ) -> Option<(Const, Const)> {
        let StmtKind::Trial {
            ok,
            value: Some((_, into)),
            ..
        } = &trial.kind
        else {
            return None;
        };
        let store = Store {
            locals,
            env: vec![Slot::Unclear; self.game.env.len()],
            facts: SortedMap::new(),
        };
        // No `return` of the guard itself can be meant: it does not leave a trial.
        let after = self
            .stmt(trial, names, store, &mut Exits::default())
            .ok()??;
        match (&after.locals[ok.index()], &after.locals[into.index()]) {
            (Known::Value(ok), Known::Value(value)) => Some((ok.clone(), value.clone())),
            _ => None,
        }
    }

    fn rounds(
        &mut self,
        local: LocalId,
        rounds: impl Iterator<Item = Const>,
        body: &'a [Stmt],
        locals: &'a [Local],
        store: Store,
        exits: &mut Exits,
    ) -> Res<Option<Store>> {
        let mut inner = Exits::default();
        let mut at = Some(store);
        for item in rounds {
            let Some(mut store) = at.take() else { break };
            self.step()?;
            store.locals[local.index()] = Known::Value(item);
            let end = self.block(body, locals, store, &mut inner)?;
            at = join(end, inner.continues.take());
        }
        exits.returns = join_with(exits.returns.take(), inner.returns);
        Ok(join(at, inner.breaks))
    }

    fn repeat(
        &mut self,
        cond: &'a Expr,
        bound: u32,
        body: &'a [Stmt],
        locals: &'a [Local],
        store: Store,
        exits: &mut Exits,
    ) -> Res<Option<Store>> {
        let mut inner = Exits::default();
        let mut at = Some(store);
        let mut rounds = 0;
        while let Some(store) = at.take() {
            self.step()?;
            let (round, end) = self.test(cond, store)?;
            inner.breaks = join(inner.breaks.take(), end);
            let Some(round) = round else { break };
            if rounds == bound {
                return Err(Gave);
            }
            rounds += 1;
            let end = self.block(body, locals, round, &mut inner)?;
            at = join(end, inner.continues.take());
        }
        exits.returns = join_with(exits.returns.take(), inner.returns);
        Ok(inner.breaks)
    }

    /// The stores where a condition holds and where it does not, as far as both may be.
    fn test(&mut self, cond: &'a Expr, mut store: Store) -> Res<(Option<Store>, Option<Store>)> {
        match self.expr(cond, &mut store)? {
            Known::Value(Const::Bool(true)) => Ok((Some(store), None)),
            Known::Value(Const::Bool(false)) => Ok((None, Some(store))),
            _ => {
                let mut no = store.clone();
                self.assume(cond, true, &mut store)?;
                self.assume(cond, false, &mut no)?;
                Ok((Some(store), Some(no)))
            }
        }
    }

    /// Remembers what follows for the state from a condition that was evaluated before.
    fn assume(&mut self, cond: &'a Expr, holds: bool, store: &mut Store) -> Res<()> {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(inner, !holds, store),
            ExprKind::Binary(BinaryOp::And, a, b) if holds => {
                self.assume(a, true, store)?;
                self.assume(b, true, store)
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !holds => {
                self.assume(a, false, store)?;
                self.assume(b, false, store)
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let equal = (*op == BinaryOp::Eq) == holds;
                let sides = (self.expr(a, store)?, self.expr(b, store)?);
                if let (Known::Read(place), Known::Value(value))
                | (Known::Value(value), Known::Read(place)) = sides
                {
                    if equal {
                        store.facts.insert(place, Known::Value(value));
                    } else if value == Const::None {
                        store.facts.insert(place, Known::Present);
                    }
                }
                Ok(())
            }
            ExprKind::IsSome(a) => {
                if let Known::Read(place) = self.expr(a, store)? {
                    let fact = if holds {
                        Known::Present
                    } else {
                        Known::Value(Const::None)
                    };
                    store.facts.insert(place, fact);
                }
                Ok(())
            }
            ExprKind::Var(..) | ExprKind::Local(_) | ExprKind::Env { .. } => {
                if let Known::Read(place) = self.expr(cond, store)? {
                    store.facts.insert(place, Known::Value(Const::Bool(holds)));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn all(&mut self, list: &'a [Expr], store: &mut Store) -> Res<Vec<Known>> {
        list.iter().map(|expr| self.expr(expr, store)).collect()
    }

    /// The arguments of a call, with room for all local variables of the function.
    fn args(&mut self, func: FuncId, list: &'a [Expr], store: &mut Store) -> Res<Vec<Known>> {
        let mut args = Vec::with_capacity(self.game.function(func).locals.len());
        for expr in list {
            args.push(self.expr(expr, store)?);
        }
        Ok(args)
    }

    fn int(&mut self, expr: &'a Expr, store: &mut Store) -> Res<i64> {
        match self.expr(expr, store)? {
            Known::Value(Const::Int(value)) => Ok(value),
            _ => Err(Gave),
        }
    }

    fn expr(&mut self, expr: &'a Expr, store: &mut Store) -> Res<Known> {
        if let Type::Set(_) = expr.ty
            && let Some(steps) = self.unseen.steps(self.game, expr)
        {
            self.steps = self.steps.checked_sub(steps).ok_or(Gave)?;
            return Ok(Known::Nothing);
        }
        self.step()?;
        match &expr.kind {
            ExprKind::Const(value) => Ok(Known::Value(value.clone())),
            ExprKind::Local(local) => Ok(recall(&store.locals[local.index()], store)),
            ExprKind::Env { var, checked } => read_env(*var, *checked, store),
            ExprKind::EnvIsSet(var) => Ok(match &store.env[var.index()] {
                Slot::Unset => truth(false),
                Slot::Set(_) => truth(true),
                Slot::Unclear => Known::Nothing,
            }),
            ExprKind::Var(..) | ExprKind::PlaceOf(..) | ExprKind::Content(..) => {
                self.read(expr, store)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                self.chain(expr, *op, store)
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let sides = (self.expr(a, store)?, self.expr(b, store)?);
                Ok(equality(sides).map_or(Known::Nothing, |equal| {
                    truth(equal == (*op == BinaryOp::Eq))
                }))
            }
            ExprKind::If(cond, yes, no) => self.select(cond, yes, no, store),
            ExprKind::OrElse(a, b) => match self.expr(a, store)? {
                Known::Value(Const::None) => self.expr(b, store),
                Known::Value(value) => Ok(Known::Value(value)),
                Known::Present => Ok(Known::Nothing),
                _ => {
                    self.expr(b, store)?;
                    Ok(Known::Nothing)
                }
            },
            ExprKind::Some(a) => match self.expr(a, store)? {
                Known::Value(value) => Ok(Known::Value(value)),
                _ => Ok(Known::Present),
            },
            ExprKind::IsSome(a) => match self.expr(a, store)? {
                Known::Value(value) => Ok(truth(value != Const::None)),
                Known::Present => Ok(truth(true)),
                _ => Ok(Known::Nothing),
            },
            ExprKind::Get(a) => match self.expr(a, store)? {
                Known::Value(Const::Elem(member)) => Ok(Known::Value(Const::Elem(member))),
                Known::Present => Ok(Known::Nothing),
                _ => Err(Gave),
            },
            ExprKind::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(*fold, *local, over, body, store),
            ExprKind::Collect { local, over, when } => self.collect(*local, over, when, store),
            ExprKind::First { local, over, when } => self.first(*local, over, when, store),
            ExprKind::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => {
                let start = self.expr(start, store)?;
                self.walk(start, *step, *local, pass, *give, store)
            }
            ExprKind::Closure {
                from, local, pass, ..
            } => {
                self.expr(from, store)?;
                store.locals[local.index()] = Known::Nothing;
                self.expr(pass, store)?;
                Ok(Known::Nothing)
            }
            ExprKind::Call(func, args) => {
                let args = self.args(*func, args, store)?;
                self.call(*func, args, store)?.ok_or(Gave)
            }
            ExprKind::Holds(relation, args) => {
                let args = self.all(args, store)?;
                self.call(self.game.relation(*relation).holds, args, store)?
                    .ok_or(Gave)
            }
            ExprKind::Alike(_, members) => {
                self.all(members, store)?;
                Ok(Known::Nothing)
            }
            ExprKind::Related(..) | ExprKind::Seen(_) => Err(Gave),
            ExprKind::Places(_, kind) => {
                self.expr(kind, store)?;
                Ok(Known::Nothing)
            }
            _ => self.plain(expr, store),
        }
    }

    /// An operation that needs all its operands.
    fn plain(&mut self, expr: &'a Expr, store: &mut Store) -> Res<Known> {
        let first = self.operands.len();
        let mut gave = false;
        let mut all = true;
        expr.children(&mut |child| {
            if !gave {
                match self.expr(child, store) {
                    Ok(Known::Value(value)) => self.operands.push(value),
                    Ok(_) => all = false,
                    Err(Gave) => gave = true,
                }
            }
        });
        if gave {
            return Err(Gave);
        }
        let applied = all.then(|| match &self.operands[first..] {
            [a] => value::apply(self.game, expr, &[a]),
            [a, b] => value::apply(self.game, expr, &[a, b]),
            more => value::apply(self.game, expr, &more.iter().collect::<Vec<_>>()),
        });
        self.operands.truncate(first);
        if let Some(value) = applied {
            return value.map(Known::Value).ok_or(Gave);
        }
        match may_fault(self.game, expr) {
            true => Err(Gave),
            false => Ok(Known::Nothing),
        }
    }

    fn select(
        &mut self,
        cond: &'a Expr,
        yes: &'a Expr,
        no: &'a Expr,
        store: &mut Store,
    ) -> Res<Known> {
        match self.expr(cond, store)? {
            Known::Value(Const::Bool(true)) => self.expr(yes, store),
            Known::Value(Const::Bool(false)) => self.expr(no, store),
            _ => {
                let facts = store.facts.clone();
                self.assume(cond, true, store)?;
                let if_yes = self.expr(yes, store)?;
                store.facts = facts.clone();
                self.assume(cond, false, store)?;
                let if_no = self.expr(no, store)?;
                store.facts = facts;
                Ok(merged(if_yes, if_no))
            }
        }
    }
}

/// The values that a counting loop goes through.
fn counted(from: i64, to: i64, count: Count) -> Box<dyn Iterator<Item = i64>> {
    match count {
        Count::Down => Box::new((to..=from).rev()),
        Count::Toward if to < from => Box::new((to..=from).rev()),
        Count::Up | Count::Toward => Box::new(from..=to),
    }
}

fn truth(value: bool) -> Known {
    Known::Value(Const::Bool(value))
}

/// Whether two values are equal, if that is known.
fn equality(sides: (Known, Known)) -> Option<bool> {
    match sides {
        (Known::Value(Const::Tagged(..)), _) | (_, Known::Value(Const::Tagged(..))) => None,
        (Known::Value(a), Known::Value(b)) => Some(a == b),
        (Known::Present, Known::Value(Const::None))
        | (Known::Value(Const::None), Known::Present) => Some(false),
        (Known::Read(a), Known::Read(b)) if a == b => Some(true),
        _ => None,
    }
}

/// What is known of a value that is one of two.
fn merged(a: Known, b: Known) -> Known {
    let present = |known: &Known| matches!(known, Known::Value(Const::Elem(_)) | Known::Present);
    if a == b {
        a
    } else if present(&a) && present(&b) {
        Known::Present
    } else {
        Known::Nothing
    }
}

fn join(a: Option<Store>, b: Option<Store>) -> Option<Store> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join_stores(a, b)),
        (a, b) => a.or(b),
    }
}

fn join_with(a: Option<(Known, Store)>, b: Option<(Known, Store)>) -> Option<(Known, Store)> {
    match (a, b) {
        (Some((x, a)), Some((y, b))) => Some((merged(x, y), join_stores(a, b))),
        (a, b) => a.or(b),
    }
}

fn join_stores(mut a: Store, b: Store) -> Store {
    for (x, y) in a.locals.iter_mut().zip(b.locals) {
        let known = std::mem::replace(x, Known::Nothing);
        *x = merged(known, y);
    }
    for (x, y) in a.env.iter_mut().zip(b.env) {
        *x = match (std::mem::replace(x, Slot::Unclear), y) {
            (Slot::Set(a), Slot::Set(b)) => Slot::Set(merged(a, b)),
            (Slot::Unset, Slot::Unset) => Slot::Unset,
            _ => Slot::Unclear,
        };
    }
    a.facts
        .retain(|place, fact| b.facts.get(place) == Some(fact));
    a
}
